"""`shoetool doctor`: look at a shoe part by part, and say what to clean, replace or set."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE, say
from shoetool.cli.health import BAD, GOOD, LOOK, UNKNOWN, Examination, Part
from shoetool.cli.options import keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.cli.trial_deal import FOREIGN, READ, UNREAD, WRONG, Pull, TrialDeal
from shoetool.client.client import Client
from shoetool.model.errors import DeviceError
from shoetool.model.file_kinds import SUPPORT
from shoetool.model.naming import side_letter
from shoetool.model.output_file import write_whole
from shoetool.model.printable import clean
from shoetool.model.times import now_ms, utc_stamp
from shoetool.model.version import version
from shoetool.report.sentences import side_name
from shoetool.trust.pins import PinStore
from shoetool.wire.answers import volts

_BEFORE: Final = (
    "test deal: the shoe must be closed. What goes through the head that is asked for is in no history; what goes "
    "through another one is"
)
_WORD: Final = 10
_NAME: Final = 28
_WIDE: Final = 100
"""Columns from which on the sentences stand beside the name."""
_PULL_INKS: Final = {READ: "green", WRONG: "yellow", FOREIGN: "yellow", UNREAD: "yellow"}
_INKS: Final = {GOOD: "green", LOOK: "yellow", BAD: "bold bright_red", UNKNOWN: "magenta"}


@click.command(
    "doctor",
    epilog=examples(
        ("doctor", "the only shoe that is found"),
        ("doctor --hands-on", "lamps and a test card too"),
        ("doctor --deal", "a guided test deal"),
        ("doctor --support shoe.json", "for the maintainers"),
    ),
)
@click.option("--hands-on", is_flag=True, help="Ask about the lamps, and read test card T1 with each head.")
@click.option("--deal", is_flag=True, help="Lead through a test deal: card by card through each head, with its margin.")
@output_option(
    "--support",
    type=OutputFile(SUPPORT),
    metavar="FILE",
    help="Write a support file. It holds no cards, records or traces.",
)
@keys_option
@key_option
@port_options
@json_option
def command(
    port: str | None,
    record: Path | None,
    hands_on: bool,
    deal: bool,
    support: Path | None,
    keys: Path | None,
    key_file: Path | None,
    as_json: bool,
) -> int:
    """Look at a shoe part by part: line, clock, firmware, faults, self-test, journal, settings, keys, heads.

    Each part is good, or the line says what to clean, replace or set. Nothing is changed on the shoe. With --hands-on a
    person is asked about the lamps and pulls a test card through each head; the shoe must be closed for that. With
    --deal a person pulls the test cards T1 to T4, two cards and the cover card through each side, and T1 through the
    reader. No history is made of that. Questions and instructions go to standard error. Exits with code 1 unless every
    part is good.
    """
    parts: list[Part] = []
    pulls: list[Pull] = []

    def show(pull: Pull) -> None:
        pulls.append(pull)
        if not as_json:
            _print_row(pull.result, _PULL_INKS[pull.result], side_name(pull.head), f"{pull.asked.name}: {pull.words()}")

    with connected(port, record, key_file=key_file) as client:
        examination = Examination(client, PinStore(keys), {})
        for part in examination.parts():
            _take(part, parts, as_json)
        if hands_on:
            _take(examination.lamps(_ask), parts, as_json)
            for part in () if deal else examination.test_cards(_ask, say):
                _take(part, parts, as_json)
        if deal:
            for part in _dealt(client, examination, show):
                _take(part, parts, as_json)
        facts = examination.facts
    worst = next((verdict for verdict in (BAD, LOOK, UNKNOWN) if any(one.verdict == verdict for one in parts)), GOOD)
    document: dict[str, Any] = {
        "verdict": worst,
        "parts": [_row(one) for one in parts],
        "pulls": [_pull_row(one) for one in pulls],
        "support": str(support) if support else None,
    }
    if support is not None:
        about = {
            "made": utc_stamp(now_ms()),
            "shoetool": version(),
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        text = json.dumps({**about, **document, "facts": facts}, indent=2, default=str) + "\n"
        write_whole(support, text, SUPPORT)
    if as_json:
        emit("doctor", document)
    else:
        console().print(_verdict(worst, parts), style=_INKS[worst])
        if support is not None:
            console().print(f"support file: {clean(str(support))} (no cards, records or traces)")
    return FINE if worst == GOOD else FINDINGS


def _dealt(client: Client, examination: Examination, show: Callable[[Pull], None]) -> Iterator[Part]:
    """The test deal. It is not begun where nobody can tell which cards belong on a head."""
    try:
        batches = examination.batches()
    except DeviceError as error:
        yield Part("test deal", UNKNOWN, str(error), "update it")
        return
    say(_BEFORE)
    yield from TrialDeal(client, examination.there(), batches, _ask, say, show).parts()


def _ask(question: str) -> bool:
    return click.confirm(question, err=True)


def _take(part: Part, parts: list[Part], as_json: bool) -> None:
    """Keep a part, and show it as soon as it was looked at."""
    parts.append(part)
    if not as_json:
        _print_row(part.verdict, _INKS[part.verdict], part.name, part.said, part.act)


def _print_row(word: str, ink: str, name: str, *said: str) -> None:
    """Print a verdict, what it is about, and sentences below each other; where the terminal is too narrow for that
    beside the name, or the name too long, they stand below it."""
    out = console()
    out.print(f"{word:<10}", style=ink, end="")
    lines = [clean(one) for one in said if one]
    if not out.is_terminal:
        out.print(f"{name:<{_NAME - 1}} {lines[0]}")
        for line in lines[1:]:
            out.print(f"{'':<{_WORD + _NAME}}{line}")
        return
    beside = out.width >= _WIDE
    left = _WORD + _NAME if beside else _WORD
    shown = [part for line in lines for part in wrap(line, max(20, out.width - left))]
    first = f"{name:<{_NAME - 1}} {shown.pop(0)}" if beside and shown and len(name) < _NAME else name
    out.print(first)
    for line in shown:
        out.print(" " * left + line)


def _pull_row(pull: Pull) -> dict[str, Any]:
    """Return what came of one card of the test deal. Of a card of the 52 the shoe tells no face."""
    return {
        "side": side_letter(pull.head),
        "asked": pull.asked.name,
        "result": pull.result,
        "said": pull.said,
        "margin": pull.margin,
        "volts": round(volts(pull.distance), 3) if pull.line else None,
        "line": pull.line.lower() or None,
    }


def _row(part: Part) -> dict[str, str]:
    return {"part": part.name, "verdict": part.verdict, "said": clean(part.said), "act": clean(part.act)}


def _verdict(worst: str, parts: list[Part]) -> str:
    """Say the worst of the verdicts with the parts that have it, and what is not known beside them."""
    # A name may have a comma.
    named, unknown = ("; ".join(one.name for one in parts if one.verdict == each) for each in (worst, UNKNOWN))
    said = {
        GOOD: "The shoe is ready: every part is good.",
        LOOK: f"It deals, but look at: {named}.",
        BAD: f"Do not deal with it: {named}.",
        UNKNOWN: f"Not everything could be looked at: {named}.",
    }[worst]
    return f"{said} Not known: {unknown}." if unknown and worst != UNKNOWN else said
