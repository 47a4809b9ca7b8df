"""`shoetool doctor`: look at a shoe part by part, and say what to clean, replace or set."""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path

import click

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE, say
from shoetool.cli.health import BAD, GOOD, LOOK, UNKNOWN, Examination, Part
from shoetool.cli.options import NEW_FILE, keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.model.durable import write_whole
from shoetool.model.printable import clean
from shoetool.model.version import version
from shoetool.trust.pins import PinStore

_INKS = {GOOD: "green", LOOK: "yellow", BAD: "bold bright_red", UNKNOWN: "magenta"}


@click.command(
    "doctor",
    epilog=examples(
        ("doctor", "the only shoe that is found"),
        ("doctor --hands-on", "lamps and a test card too"),
        ("doctor --support shoe.json", "for the maintainers"),
    ),
)
@click.option("--hands-on", is_flag=True, help="Ask about the lamps, and read test card T1 with each head.")
@click.option(
    "--support", type=NEW_FILE, metavar="FILE", help="Write a support file. It holds no cards, records or traces."
)
@keys_option
@port_options
@json_option
def command(
    port: str | None, record: Path | None, hands_on: bool, support: Path | None, keys: Path | None, as_json: bool
) -> int:
    """Look at a shoe part by part: line, clock, firmware, faults, self-test, journal, settings, keys, heads.

    Each part is good, or the line says what to clean, replace or set. Nothing is changed on the shoe. With --hands-on a
    person is asked about the lamps and pulls a test card through each head; the shoe must be closed for that. Questions
    and instructions go to standard error. Exits with code 1 unless every part is good.
    """
    parts: list[Part] = []
    with connected(port, record) as client:
        examination = Examination(client, PinStore(keys), {})
        for part in examination.parts():
            _take(part, parts, as_json)
        if hands_on:
            for part in examination.hands_on(lambda question: click.confirm(question, err=True), say):
                _take(part, parts, as_json)
        facts = examination.facts
    worst = next((verdict for verdict in (BAD, LOOK, UNKNOWN) if any(one.verdict == verdict for one in parts)), GOOD)
    document = {"verdict": worst, "parts": [_row(one) for one in parts], "support": str(support) if support else None}
    if support is not None:
        about = {
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "shoetool": version(),
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        write_whole(support, json.dumps({**about, **document, "facts": facts}, indent=2, default=str) + "\n")
    if as_json:
        emit("doctor", document)
    else:
        console().print(_verdict(worst, parts), style=_INKS[worst])
        if support is not None:
            console().print(f"support file: {clean(str(support))} (no cards, records or traces)")
    return FINE if worst == GOOD else FINDINGS


def _take(part: Part, parts: list[Part], as_json: bool) -> None:
    """Keep a part, and show it as soon as it was looked at."""
    parts.append(part)
    if as_json:
        return
    out = console()
    out.print(f"{part.verdict:<10}", style=_INKS[part.verdict], end="")
    out.print(f"{part.name:<28}{clean(part.said)}")
    if part.act:
        out.print(f"{'':<38}{clean(part.act)}")


def _row(part: Part) -> dict[str, str]:
    return {"part": part.name, "verdict": part.verdict, "said": clean(part.said), "act": clean(part.act)}


def _verdict(worst: str, parts: list[Part]) -> str:
    named = ", ".join(one.name for one in parts if one.verdict == worst)
    return {
        GOOD: "The shoe is ready: every part is good.",
        LOOK: f"It deals, but look at: {named}.",
        BAD: f"Do not deal with it: {named}.",
        UNKNOWN: f"Not everything could be looked at: {named}.",
    }[worst]
