"""What is said of the example rules submissions and round files when one thing in them is not as it was.

`test_documents_worked` holds it against documents_worked.txt. A changed submission is refused, or found to need other
things on layout, signs and devices (+ and -); a changed round is refused, or settled with these sums.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from shoetool.cli.settling import HistoryRounds, Rules, settle_entry
from shoetool.model.errors import BadInput
from shoetool.round_file.examples import round_example, round_example_names
from shoetool.round_file.file import parse
from shoetool.rules.submission.file import example, example_names, judge
from shoetool.rules.submission.layout import Need, needs
from shoetool.rules.submission.settings import SETTINGS
from shoetool.rules.wagers import WAGERS
from table_worked import changes

_LINE = re.compile(r"^([a-z_]+) = (.*?)( *#.*)?$")
_NUMBER = re.compile(r"[0-9][0-9.]*")


def _needs(text: str) -> tuple[set[str], str]:
    """What a submission needs, in words; or why it is refused."""
    table, refusals = judge(text, "submission")
    if table is None or refusals:
        return set(), " / ".join(refusal.text() for refusal in refusals)
    return {_need(need) for need in needs(table)}, ""


def _need(need: Need) -> str:
    payouts = "".join(f"; {outcome} {odds}" for outcome, odds in need.payouts)
    return f"{need.where}: {need.what} ({need.clause}){payouts}"


def _other_values(value: str) -> Iterator[str]:
    if value in ("true", "false"):
        yield "false" if value == "true" else "true"
    found = _NUMBER.search(value)
    if found:
        number = found.group()
        for other in (float(number) + 1, float(number) - 1, float(number) * 1000):
            shown = f"{other:.2f}" if "." in number else f"{other:.0f}"
            yield value[: found.start()] + shown + value[found.end() :]
    if value.startswith('"'):
        yield '"xyz"'
    yield '["odd"]'


def _differs(usual: set[str], lines: list[str]) -> str:
    now, refused = _needs("\n".join(lines))
    differs = [f"+ {one}" for one in sorted(now - usual)] + [f"- {one}" for one in sorted(usual - now)]
    return refused or " / ".join(differs) or "nothing"


def submission(name: str) -> Iterator[str]:
    """Each setting of an example: left out, and with other values."""
    text = example(name)
    usual, refused = _needs(text)
    assert not refused
    yield f"## submission {name}"
    yield from sorted(f"  {need}" for need in usual)
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if not (found := _LINE.match(line)):
            continue
        key, value, _ = found.groups()
        for words, new in (("left out", []), *((f"= {other}", [f"{key} = {other}"]) for other in _other_values(value))):
            yield f"{at + 1} {key} {words}: {_differs(usual, [*lines[:at], *new, *lines[at + 1 :]])}"
    for words, more in _more(text):
        yield f"{words}: {_differs(usual, more.splitlines())}"


def _more(text: str) -> Iterator[tuple[str, str]]:
    """(what came more, the submission): each other setting with what it takes, and each wager that is not offered."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if _LINE.match(line))
    for setting in SETTINGS:
        if any(line.startswith(f"{setting.key} =") for line in lines):
            continue
        for value in re.split(", | to ", setting.takes) if setting.takes != "dollars" else ("10", '"2.50"'):
            yield f"{setting.key} = {value}", "\n".join([*lines[:first], f"{setting.key} = {value}", *lines[first:]])
    for wager in WAGERS:
        if f"[wagers.{wager}]" not in text:
            for line in (
                "",
                'paytable = "B"',
                "magic_card = true",
                'meter = { start = 1000, reset = 10, rate = "1%" }',
            ):
                yield f"[wagers.{wager}] {line}", f"{text}\n[wagers.{wager}]\nmin = 1\nmax = 9\n{line}\n"


def _settled(document: object) -> str:
    try:
        (entry,) = parse(json.dumps(document, ensure_ascii=False), "round")
        found = settle_entry(entry, Rules(None, Path()), HistoryRounds([], []), "round")
    except BadInput as error:
        return str(error)
    sums = found.settlement
    paid = f", {len(found.differences)} payments differ" if found.differences else ""
    notes = "".join(f"; {note}" for note in [*found.notes, *found.breaches])
    return f"net {list(sums.nets)}, tray {sums.tray}, house {sums.house}, meters {dict(sums.meters)}{paid}{notes}"


def round_file(name: str) -> Iterator[str]:
    """Each place of an example round: left out, twice, one later, with other values."""
    document = json.loads(round_example(name))
    yield f"## round {name}"
    yield _settled(document)
    for what, (changed,) in changes([document]):
        yield f"{what}: {_settled(changed)}"


def answers() -> dict[str, list[str]]:
    """The lines of each example."""
    found = {f"submission {name}": list(submission(name)) for name in example_names()}
    return found | {f"round {name}": list(round_file(name)) for name in round_example_names()}
