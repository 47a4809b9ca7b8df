"""`shoetool odds WAGER` and `shoetool odds --all`: the exact odds of optional wagers by their paytables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
from rich.table import Table
from rich.text import Text

from shoetool.cli.examples import examples
from shoetool.cli.odds_dealer import decks_option, h17_option
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import BadInput
from shoetool.model.money import cents, dollars
from shoetool.model.text_file import read_text
from shoetool.model.toml_text import parse_toml
from shoetool.odds.press import press_odds
from shoetool.odds.wager import (
    BESIDE_A_COUNT,
    COMPUTED,
    ON_A_POKER_HAND,
    ON_THE_DEALER,
    WagerCounts,
    WagerOdds,
    decks_of,
    plays_of,
)
from shoetool.report.odds_wager import summary_parts, wager_document, wager_parts
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import Paytable, parse_paytables, paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.submission.wager_checks import wager_amounts
from shoetool.rules.wagers import WAGERS, Wager
from shoetool.rules.wagers.choice import Choice

_DEFAULT_STAKE: Final = 1_00
_LARGEST_FILE: Final = 65_536


def wager_command(key: str) -> click.Command:
    """The command `shoetool odds KEY` for one wager."""
    wager = WAGERS[key]

    @click.command(
        key,
        help=f"Show the exact odds of the {wager.title} wager: each outcome's chance, the edge, the deviation.",
        epilog=examples((f"odds {key} --decks 6", "by each of its paytables"), (f"odds {key} --decks 8 --json", "")),
    )
    @decks_option
    @click.option("--paytable", "name", metavar="NAME", help="The paytable, by its letter or number. All by default.")
    @click.option("--paytable-file", "own", type=FILE, metavar="FILE.toml", help="A paytable of your own.")
    @click.option("--game", metavar="GAME", help="The game that is dealt. By default the first that offers the wager.")
    @click.option("--stake", metavar="DOLLARS", help="The wager, where sums or meters depend on it.")
    @click.option("--option", "options", multiple=True, metavar="KEY", help="An optional row that the house offers.")
    @click.option("--set", "settings", multiple=True, metavar="KEY=WORD", help="How the house reads a clause.")
    @click.option("--press", is_flag=True, help="The best press of its winnings too. It takes up to two minutes.")
    @h17_option
    @json_option
    def command(
        decks: int,
        name: str | None,
        own: Path | None,
        game: str | None,
        stake: str | None,
        options: tuple[str, ...],
        settings: tuple[str, ...],
        press: bool,
        h17: bool,
        as_json: bool,
    ) -> None:
        if h17 and not press and wager.cards not in (ON_THE_DEALER, ON_A_POKER_HAND, BESIDE_A_COUNT):
            raise BadInput(f"{wager.title} does not depend on the dealer's draw: take --h17 out")
        played = _game(wager, game)
        rules = _rules(wager, played, decks, settings)
        tables = _tables(wager, played, decks, name, own)
        if press and not wager.press_portion(rules):
            raise BadInput(f"winnings of {wager.title} are not added to the main wager: take --press out")
        counts = WagerCounts(h17)
        found = []
        for table in tables:
            offered, _, amount = _offered(rules, table, stake, options)
            pressed = press_odds(offered, table, h17) if press else None
            for play in plays_of(wager):
                found.append(replace(counts.odds(offered, table, amount, tables, play), press=pressed))
        _show(found, (), as_json)

    return command


def every_wager(as_json: bool) -> None:
    """Show the odds of every wager by every paytable for every number of decks; what is not computed is told."""
    found: list[WagerOdds] = []
    left = []
    counts = WagerCounts()
    for wager in WAGERS.values():
        if wager.cards not in COMPUTED:
            left.append(wager)
            continue
        for game in wager.games:
            tables = [table for table in paytables(wager.key) if game in table.games]
            for decks in decks_of(game):
                rules = _rules(wager, game, decks, ())
                for table in tables:
                    if table.covers(decks):
                        offered = _offered(rules, table, None, ())
                        found += [counts.odds(*offered, tables, play) for play in plays_of(wager)]
    _show(found, left, as_json)


def _show(found: list[WagerOdds], left: Iterable[Wager], as_json: bool) -> None:
    if as_json:
        told = [{"wager": wager.key, "why": "its outcome depends on how a hand is played"} for wager in left]
        emit("odds", {"wagers": [wager_document(one) for one in found], "not_computed": told})
        return
    out = console()
    for part in _parts(found, left):
        if isinstance(part, Text):
            out.print(part)
        else:
            print_table(out, part)


def _parts(found: list[WagerOdds], left: Iterable[Wager]) -> Iterator[Text | Table]:
    """The odds by one paytable, or by each where a press is told, or else a line for each."""
    if len({(one.table.name, one.decks) for one in found}) == 1:
        yield from wager_parts(found)
    elif any(one.press is not None for one in found):
        for one in found:
            yield from wager_parts([one])
    else:
        yield from summary_parts(found, left)


def _game(wager: Wager, name: str | None) -> str:
    if name is None:
        return wager.games[0]
    if name not in wager.games:
        raise BadInput(f"{wager.title} is not offered in the game {name[:60]!r}; it is in {', '.join(wager.games)}")
    return name


def _rules(wager: Wager, game: str, decks: int, settings: Iterable[str]) -> RulesSubmission:
    """A table of this game that offers the wager; `settings` are KEY=WORD. What must be chosen is the first word."""
    allowed = GAMES[game].decks
    if not allowed.allows(decks):
        raise BadInput(f"{allowed.clause}: {GAMES[game].title} is dealt with {allowed.words()} decks, not {decks}")
    choices = {choice.key: choice for choice in wager.every_choice}
    chosen = {key: choice.words[0] for key, choice in choices.items() if choice.asked}
    for setting in settings:
        key, _, word = setting.partition("=")
        chosen[key] = _word(wager, choices, key, word)
    return RulesSubmission(game, decks, wagers={wager.key: WagerOffer()}, choices=chosen)


def _word(wager: Wager, choices: dict[str, Choice], key: str, word: str) -> str:
    if key not in choices:
        raise BadInput(f"{wager.title} has no setting {key[:60]!r}; it has {', '.join(choices) or 'none'}")
    if word not in choices[key].words:
        raise BadInput(f"{key} takes {' or '.join(choices[key].words) or 'nothing here'}, not {word[:60]!r}")
    return word


def _offered(
    rules: RulesSubmission, table: Paytable, stake: str | None, options: Iterable[str]
) -> tuple[RulesSubmission, Paytable, int]:
    """The rules with this paytable offered for one amount: the stake, or the largest that the section fixes."""
    key = table.wager
    amounts = (table.stake,) if table.stake is not None else wager_amounts(rules, key, table.name)
    amount = (amounts[-1] if amounts else _DEFAULT_STAKE) if stake is None else cents(stake)
    if amount <= 0 or (amounts and amount not in amounts):
        allowed = " or ".join(f"${dollars(one)}" for one in amounts) or "more than nothing"
        raise BadInput(f"{WAGERS[key].title} of ${dollars(amount)}: by {table.clause} the wager is {allowed}")
    known = {row.option for row in table.rows if row.optional and not row.bonus}
    for option in options:
        if option not in known:
            there = ", ".join(sorted(known)) or "none"
            raise BadInput(f"{WAGERS[key].title} has no option {option[:60]!r}; it has {there}")
    offer = WagerOffer(table.name, amount, amount, frozenset(options))
    return replace(rules, wagers={key: offer}), table, amount


def _tables(wager: Wager, game: str, decks: int, name: str | None, own: Path | None) -> list[Paytable]:
    """The paytables that were asked for: those printed for these decks, or those of the user's own file."""
    if own is not None:
        found = list(_own(wager, game, own))
    else:
        found = [table for table in paytables(wager.key) if game in table.games and table.covers(decks)]
    if not found:
        printed = ", ".join(dict.fromkeys(table.conditions() for table in paytables(wager.key)))
        raise BadInput(f"{wager.pays}: {wager.title} has no paytable for {decks} decks, only for {printed}")
    named = [table for table in found if name in (None, table.name)]
    if not named:
        there = ", ".join(filter(None, (one.name for one in found)))
        names = f"there are {there}" if there else "its only one has no name: take --paytable out"
        raise BadInput(f"{wager.title} has no paytable {(name or '')[:60]!r} here; {names}")
    return named


def _own(wager: Wager, game: str, path: Path) -> Iterator[Paytable]:
    """Paytables of a file: [[paytable]] with rows; whatever else a paytable has is taken from the wager."""
    try:
        document = parse_toml(read_text(path, _LARGEST_FILE, "no paytable"))
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from None
    document = {"wager": wager.key, "title": f"{wager.title}, {path.name}", "games": [game], **document}
    if document["wager"] != wager.key:
        raise BadInput(f"{path}: its paytable is for {str(document['wager'])[:60]!r}, not for {wager.key}")
    for entry in document.get("paytable", ()) if isinstance(document.get("paytable"), list) else ():
        if isinstance(entry, dict):
            entry.setdefault("clause", path.name)
    known = {key for one in wager.outcomes for key in one.rows}
    for table in parse_paytables(document, str(path)):
        unknown = [row.key for row in table.rows if row.key not in known]
        if unknown:
            raise BadInput(f"{path}: {wager.title} has no outcome {unknown[0]!r}; it has {', '.join(sorted(known))}")
        meters = {meter.name for meter in table.meters} or ({""} if wager.meter is not None else set())
        missing = [row.odds.text for row in table.rows if row.odds.progressive and row.odds.meter not in meters]
        if missing:
            raise BadInput(
                f"{path}: {missing[0]!r} is a share of a meter that {wager.title} does not have in this file"
            )
        yield table
