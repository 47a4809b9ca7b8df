"""Rules submissions as TOML: read one, report everything that is wrong with it, and give the package's examples."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.text_file import read_text
from shoetool.model.toml_text import parse_toml
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.refusal import Refusal, either
from shoetool.rules.submission.rules import Meter, MysteryOffer, RulesSubmission, WagerOffer
from shoetool.rules.submission.settings import (
    METER_SETTINGS,
    MYSTERY_SETTINGS,
    SETTINGS,
    WAGER_SETTINGS,
    Setting,
    Unfit,
    shown,
    wager_options,
)
from shoetool.rules.submission.toml_place import line_of, lines_of
from shoetool.rules.submission.wager_checks import offerable, optional_keys, wager_amounts
from shoetool.rules.wagers.catalogue import WAGERS
from shoetool.rules.wagers.mystery import MYSTERIES, Mystery, configurations

LARGEST_FILE: Final = 65_536
_LEAST: Final = WagerOffer().minimum
_MOST: Final = WagerOffer().maximum
_BY_KEY: Final = {setting.key: setting for setting in SETTINGS}
_TABLES: Final = ("wagers", "mysteries")


class SubmissionError(BadInput):
    """A rules submission that cannot be used; `refusals` are all the reasons."""

    def __init__(self, where: str, found: list[Refusal]) -> None:
        """Make the message: the first reason, and how many more there are."""
        self.refusals = found
        more = len(found) - 1
        rest = f" (and {more} more; see shoetool table)" if more else ""
        super().__init__(f"{where}: {found[0].text()}{rest}")


def load(source: Path | str) -> RulesSubmission:
    """Read a rules submission from a file. SubmissionError when it is rejected, BadInput when it is no TOML file."""
    path = Path(source)
    return parse(read_submission(path), str(path))


def parse(text: str, where: str = "rules submission") -> RulesSubmission:
    """Read a rules submission from TOML text; `where` names it in messages. Errors as `load`."""
    table, found = judge(text, where)
    if table is None or found:
        raise SubmissionError(where, found)
    return table


def example_names() -> tuple[str, ...]:
    """The names of the examples."""
    return tuple(
        sorted(
            entry.name.removesuffix(".toml")
            for entry in files(__package__).joinpath("examples").iterdir()
            if entry.name.endswith(".toml")
        )
    )


def example(name: str) -> str:
    """Return a commented rules submission as TOML text. BadInput when there is none of that name."""
    names = example_names()
    wanted = name.replace("_", "-")
    if wanted not in names:
        raise BadInput(f"there is no example {shown(name)}{_hint(wanted, names)}")
    return files(__package__).joinpath("examples", f"{wanted}.toml").read_text(encoding="utf-8")


def judge(text: str, where: str) -> tuple[RulesSubmission | None, list[Refusal]]:
    """Return the submission (None when it cannot be read as one) and every refusal, in the order of the file.

    BadInput when the text is no TOML.
    """
    try:
        values = parse_toml(text)
    except ValueError as error:
        raise BadInput(f"{where}: not TOML: {error}") from None
    table, found = judge_values(values)
    lines = lines_of(text)
    placed = [dataclasses.replace(one, line=line_of(lines, one.where)) for one in found]
    return table, sorted(placed, key=lambda one: one.line if one.line is not None else 0)


def problems(values: Mapping[str, Any]) -> list[Refusal]:
    """Return everything that is wrong with a submission given as TOML values; empty when it can be used."""
    return judge_values(values)[1]


def from_values(values: Mapping[str, Any], where: str) -> RulesSubmission:
    """Return a submission given as values, such as inline in a round file. SubmissionError when it is rejected."""
    table, found = judge_values(values)
    if table is None or found:
        raise SubmissionError(where, found)
    return table


def judge_values(values: Mapping[str, Any]) -> tuple[RulesSubmission | None, list[Refusal]]:
    """Return the submission that the values mean, and every refusal; None when game or decks are not known."""
    found: list[Refusal] = []
    read: dict[str, Any] = {}
    chapter = _chapter(values)
    for key, value in values.items():
        if key in _TABLES:
            continue
        setting = _BY_KEY.get(key)
        if setting is None:
            found.append(_unknown(key, "", (*_BY_KEY, *_TABLES)))
            continue
        _take(setting, value, key, chapter, read, found)
    for key, do in (("game", f"write game = one of {', '.join(GAMES)}"), ("decks", "write decks = 6, or what is used")):
        if key not in values:
            found.append(Refusal(key, "is missing", _BY_KEY[key].clause(chapter), do))
    wagers, meters = _wagers(values.get("wagers", {}), chapter, found)
    mysteries = _mysteries(values.get("mysteries", {}), found)
    if "game" not in read or "decks" not in read:
        return None, found
    table = RulesSubmission.default(read.pop("game"), read.pop("decks"), **read, meters=meters, mysteries=mysteries)
    if "adjacent_boxes" not in read and table.adjacent_boxes > table.positions:
        table = dataclasses.replace(table, adjacent_boxes=table.positions)
    unit = table.chip_unit
    limits: dict[str, Any] = {
        name: _in_chips(getattr(table, name), unit) for name in ("minimum", "maximum") if name not in read
    }
    offers = {
        key: WagerOffer(**{**_usual_limits(table, key, offer.get("paytable", ""), unit), **offer})
        for key, offer in wagers.items()
    }
    table = dataclasses.replace(table, **limits, wagers=offers)
    named = [f"{one.where}." for one in found]
    found += [one for one in refusals(table) if not any(name.startswith(f"{one.where}.") for name in named)]
    return table, found


def _usual_limits(table: RulesSubmission, key: str, name: str, unit: int) -> dict[str, int]:
    """Limits of a wager for which the file gives none: the only wager that the text has, or $1 to $100 in chips."""
    amounts = wager_amounts(table, key, name)
    if len(amounts) == 1:
        return {"minimum": amounts[0], "maximum": amounts[0]}
    return {"minimum": _in_chips(_LEAST, unit), "maximum": _in_chips(_MOST, unit)}


def _in_chips(amount: int, unit: int) -> int:
    """The next amount that can be bet in chips."""
    return -(-amount // unit) * unit


def read_submission(path: Path) -> str:
    """The text of a rules submission. BadInput as `read_text`."""
    return read_text(path, LARGEST_FILE, "no rules submission")


def _chapter(values: Mapping[str, Any]) -> str:
    game = values.get("game")
    return GAMES[game].chapter if isinstance(game, str) and game in GAMES else "633a"


def _take(
    setting: Setting, value: object, where: str, chapter: str, read: dict[str, Any], found: list[Refusal]
) -> None:
    """Read one value into `read`, or say why not. `chapter` picks the clause, or is one."""
    try:
        read[setting.field] = setting.read(value)
    except Unfit as unfit:
        clause = chapter if "." in chapter else setting.clause(chapter)
        if isinstance(value, str) and setting.takes.startswith('"'):
            choices = [word.strip('"') for word in setting.takes.split(", ")]
            hint = _hint(value.replace("-", "_").lower(), choices)
            if hint:
                found.append(Refusal(where, f"{unfit.what}{hint}", clause, unfit.do))
                return
        found.append(Refusal(where, unfit.what, clause, unfit.do))


def _wagers(values: object, chapter: str, found: list[Refusal]) -> tuple[dict[str, dict[str, Any]], dict[str, Meter]]:
    wagers: dict[str, dict[str, Any]] = {}
    meters: dict[str, Meter] = {}
    if not isinstance(values, Mapping):
        found.append(Refusal("wagers", f"{shown(values)} is not a table", "", "write [wagers.KEY] for each wager"))
        return wagers, meters
    known = offerable()
    for key, value in values.items():
        where = f"wagers.{key}"
        if key not in known:
            found.append(_unknown(key, "wagers.", known, "wager", f"{chapter}.6(e)"))
        elif not isinstance(value, Mapping):
            found.append(Refusal(where, f"{shown(value)} is not a table", "", f"write [wagers.{key}]"))
        else:
            wagers[key] = _offer(value, key, chapter, found)
            if "meter" in value and WAGERS[key].prints_meters:
                clause, do = WAGERS[key].pays, "take the meter out"
                found.append(Refusal(f"{where}.meter", "the paytable fixes the figures of the meter", clause, do))
            elif "meter" in value:
                meter = _meter(value["meter"], key, found)
                if meter is not None:
                    meters[key] = meter
    return wagers, meters


_OF_WAGER: Final = {setting.key: setting for setting in WAGER_SETTINGS}
_OF_METER: Final = {setting.key: setting for setting in METER_SETTINGS}


def _offer(values: Mapping[str, Any], wager: str, chapter: str, found: list[Refusal]) -> dict[str, Any]:
    """The fields of a `WagerOffer` that the file gives."""
    where = f"wagers.{wager}"
    read: dict[str, Any] = {}
    options: dict[str, bool] = {}
    choices = {setting.key: setting for setting in wager_options()}
    for key, value in values.items():
        place = f"{where}.{key}"
        if key in _OF_WAGER:
            _take(_OF_WAGER[key], value, place, chapter, read, found)
        elif key in choices:
            _take(choices[key], value, place, chapter, options, found)
        elif key != "meter":
            found.append(_unknown(key, f"{where}.", _keys_of(wager)))
    return {**read, "options": frozenset(key for key, on in options.items() if on)}


def _keys_of(wager: str) -> tuple[str, ...]:
    """The keys that [wagers.KEY] takes for this wager: a letter, choices and a meter only where it has them."""
    tables = paytables(wager)
    choices = optional_keys(WAGERS[wager], tables)
    lacks = {
        key
        for key, has in (("paytable", any(table.name for table in tables)), ("linked", WAGERS[wager].meter))
        if not has
    }
    limits = [key for key in _OF_WAGER if key not in lacks]
    meter = ("meter",) if WAGERS[wager].meter is not None and not WAGERS[wager].prints_meters else ()
    return (*limits, *(setting.key for setting in wager_options() if setting.key in choices), *meter)


def _meter(values: object, wager: str, found: list[Refusal]) -> Meter | None:
    where = f"wagers.{wager}.meter"
    rule = WAGERS[wager].meter
    clause = "" if rule is None else rule.clause
    if not isinstance(values, Mapping):
        found.append(
            Refusal(
                where, f"{shown(values)} is not a table", clause, 'write { start = 5000, reset = 5000, rate = "10%" }'
            )
        )
        return None
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key in _OF_METER:
            _take(_OF_METER[key], value, f"{where}.{key}", clause, read, found)
        else:
            found.append(_unknown(key, f"{where}.", tuple(_OF_METER)))
    left = [key for key in _OF_METER if key not in values]
    found += [Refusal(f"{where}.{key}", "is missing", clause, f"write {key} too") for key in left]
    return Meter(**read) if len(read) == len(_OF_METER) else None


_OF_MYSTERY: Final = {setting.key: setting for setting in MYSTERY_SETTINGS}


def _mysteries(values: object, found: list[Refusal]) -> dict[str, MysteryOffer]:
    """The mystery bonuses of [mysteries.KEY]; one whose choices are not all known is refused and left out."""
    offers: dict[str, MysteryOffer] = {}
    if not isinstance(values, Mapping):
        text = f"{shown(values)} is not a table"
        found.append(Refusal("mysteries", text, "", "write [mysteries.KEY] for each bonus"))
        return offers
    for key, value in values.items():
        where = f"mysteries.{key}"
        if key not in MYSTERIES:
            found.append(_unknown(key, "mysteries.", tuple(MYSTERIES), "mystery bonus", "633c.14(a)"))
        elif not isinstance(value, Mapping):
            found.append(Refusal(where, f"{shown(value)} is not a table", "", f"write [mysteries.{key}]"))
        else:
            read = _mystery(value, MYSTERIES[key], found)
            if len(read) == len(_OF_MYSTERY):
                offers[key] = MysteryOffer(**read)
    return offers


def _mystery(values: Mapping[str, Any], mystery: Mystery, found: list[Refusal]) -> dict[str, Any]:
    """The fields of a `MysteryOffer`. What the text leaves no choice of need not be written."""
    where = f"mysteries.{mystery.key}"
    printed = configurations(mystery.key)
    of: dict[str, tuple[tuple[str, ...], str]] = {
        "wager": (mystery.wagers, mystery.qualifies),
        "configuration": (tuple(printed), next(iter(printed.values())).clause),
        "paid_from": (mystery.paid_from, mystery.sources),
    }
    read: dict[str, Any] = {key: words[0] for key, (words, _) in of.items() if len(words) == 1}
    for key, value in values.items():
        if key in of:
            read.pop(key, None)
            _take(_OF_MYSTERY[key], value, f"{where}.{key}", of[key][1], read, found)
        else:
            found.append(_unknown(key, f"{where}.", tuple(of)))
    for key, (words, clause) in of.items():
        if key not in values and key not in read:
            do = f"write {key} = {either(words)}"
            found.append(Refusal(f"{where}.{key}", "is missing", clause, do))
    return read


def _unknown(key: str, place: str, known: tuple[str, ...], kind: str = "key", clause: str = "") -> Refusal:
    name = key if key.isprintable() else repr(key)  # so that nothing moves the reader's cursor
    where = f"{place}{name}" if len(name) <= 60 else f"{place}{name[:60]}..."
    return Refusal(
        where, f"there is no such {kind}", clause, _hint(key, known).lstrip("; ") or f"there are {', '.join(known)}"
    )


def _hint(text: str, known: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(text[:60], known, n=1)
    return f"; did you mean {close[0]}?" if close else ""
