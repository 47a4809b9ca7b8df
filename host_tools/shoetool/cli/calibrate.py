"""`shoetool calibrate`: guide a person who sets the thresholds of the read heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from shoetool.cli.calibration import Outcome, calibrate_head, extremes, weakest
from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.cli.reading import opened
from shoetool.client.client import Client
from shoetool.model.errors import DeviceError
from shoetool.model.margin import UNKNOWN_MARGIN, percent
from shoetool.model.naming import enum_name, side_letter
from shoetool.model.protocol_table import Head, Margin, RecordKind
from shoetool.report.heads import LIMIT, Reading, bars, readings
from shoetool.report.sentences import opening_letter, side_name
from shoetool.report.text_tables import headed
from shoetool.wire.answers import LINE_NAMES, Levels, LineLevels, volts

HEADS: Final = {"a": Head.SIDE_A, "b": Head.SIDE_B, "reader": Head.READER}


@click.command(
    "calibrate",
    epilog=examples(
        ("calibrate --show", "thresholds, levels and margins"),
        ("calibrate --head a", "one head, step by step"),
        ("calibrate night/*.shoelog", "the margins of these shoes"),
        ("calibrate --key table7.shoekey", "all heads of a provisioned shoe"),
    ),
)
@click.argument("histories", nargs=-1, metavar="[HISTORY...]", type=FILE)
@click.option(
    "--head",
    "which",
    type=click.Choice([*HEADS, "all"]),
    default="all",
    help="The head to calibrate; all of them by default.",
)
@click.option("--show", is_flag=True, help="Only show thresholds, levels and margins.")
@click.option("--yes", is_flag=True, help="Ask no questions: take the throats as empty, and write every threshold.")
@key_option
@port_options
@json_option
def command(
    histories: tuple[Path, ...],
    which: str,
    show: bool,
    yes: bool,
    key_file: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> int:
    """Calibrate the read heads, one after the other.

    Bright is measured in the empty throat, dark under a test card. The threshold goes into the middle. Then the test
    card is read once more. With history files, shows how the margins changed from shoe to shoe instead.

    Clean the heads first. The shoe refuses while a shoe is open. Questions and instructions go to standard error.
    Exits with code 1 when a head has too little light or does not read the test card.
    """
    if histories:
        if which != "all" or show:
            raise click.UsageError("--head and --show are for a shoe; history files show all heads.")
        return report_histories(histories, as_json)
    chosen = list(HEADS.values()) if which == "all" else [HEADS[which]]
    with connected(port, record, key_file=key_file) as client:
        there = present(client, chosen, which == "all")
        if show:
            return report_levels(there, as_json)
        ask, agree = _asker(yes or as_json, abort=True), _asker(yes or as_json)
        outcomes = [calibrate_head(client, levels.head, ask, say, agree) for levels in there]
    if as_json:
        emit("calibrate", {"heads": [outcome_document(one) for one in outcomes]})
    else:
        for one in outcomes:
            print_outcome(one)
    return FINE if all(one.ok for one in outcomes) else FINDINGS


def _asker(yes: bool, abort: bool = False) -> Callable[[str], bool]:
    return (lambda question: True) if yes else (lambda question: click.confirm(question, err=True, abort=abort))


def present(client: Client, chosen: Sequence[int], some: bool) -> list[Levels]:
    """Return the levels of the chosen heads. DeviceError when one is missing; with `some`, when all are."""
    found = {head: client.levels(head) for head in chosen}
    there = [levels for levels in found.values() if levels is not None]
    if not there or (len(there) < len(found) and not some):
        *some_missing, last = (side_name(head) for head, levels in found.items() if levels is None)
        missing = f"{', '.join(some_missing)} or {last}" if some_missing else last
        raise DeviceError(f"{client.transport.name}: the shoe has no {missing}, or its protocol is older than 1.2")
    return there


def report_levels(heads: Sequence[Levels], as_json: bool) -> int:
    """Print the levels and margins of the heads. Returns FINDINGS when one must be cleaned soon."""
    if as_json:
        emit("calibrate", {"heads": [levels_document(levels) for levels in heads]})
    else:
        table = headed("head", "threshold", "margin", *LINE_NAMES)
        for one in heads:
            table.add_row(
                side_name(one.head), f"{volts(one.threshold):.2f} V", margin_words(one), *map(line_words, one.lines)
            )
        print_table(console(), table)
        console().print("each line: bright to dark in volts; a line is dark above the threshold")
    return FINDINGS if any(one.clean_soon for one in heads) else FINE


def report_histories(paths: Sequence[Path], as_json: bool) -> int:
    """Show how the margins of the heads changed over histories, in the order of their shoes. BadInput: no history."""
    found: list[Reading] = []
    for path in paths:
        with opened(path) as reader:
            records = [one for one in reader.records() if one.kind in (RecordKind.MARGIN, RecordKind.CALIBRATED)]
            found += readings(reader.chain.shoe or 0, records)
    found.sort(key=lambda one: one.shoe)
    if as_json:
        emit("calibrate", {"heads": [], "margins": [reading_document(one) for one in found]})
        return FINE
    out = console()
    for head in sorted({one.head for one in found}):
        out.print(f"{opening_letter(side_name(head))}: margin by shoe; the line is the limit of {LIMIT} %")
        for line in bars([one for one in found if one.head == head]):
            out.print(line)
    if not found:
        out.print("these histories have no margins of the read heads")
    return FINE


def reading_document(one: Reading) -> dict[str, Any]:
    """Return what one record says about a head, with JSON types only."""
    said = "calibrated" if one.why is None else enum_name(Margin, one.why)
    margin = None if one.margin == UNKNOWN_MARGIN else one.margin
    return {"shoe": one.shoe, "side": side_letter(one.head), "why": said, "margin": margin}


def margin_words(levels: Levels) -> str:
    """Return the margin of a head, and what to do about it."""
    return percent(levels.margin) + (", CLEAN SOON" if levels.clean_soon else "")


def line_words(line: LineLevels) -> str:
    """Return the bright and the dark level of a line, in words."""
    bright, dark = ("?" if level is None else f"{volts(level):.2f}" for level in (line.light, line.dark))
    return f"{bright} to {dark}"


def print_outcome(one: Outcome) -> None:
    """Print how the calibration of a head ended."""
    name = opening_letter(side_name(one.head))
    out = console()
    bright, dark = extremes(one.lines)
    if one.result == "weak":
        out.print(
            f"{name}: TOO LITTLE LIGHT on {weakest(one.lines)}: bright up to {volts(bright):.2f} V, dark from "
            f"{volts(dark):.2f} V; nothing was changed: clean the head and calibrate again, or replace it"
        )
        return
    if one.result == "declined":
        out.print(f"{name}: nothing was changed")
        return
    read = "the test card was read" if one.ok else "the test card was NOT READ: clean the head and calibrate again"
    out.print(
        f"{name}: threshold {volts(one.before.threshold):.2f} V -> {volts(one.threshold):.2f} V, margin "
        f"{percent(one.before.margin)} -> {percent(one.margin)}; {read}"
    )


def levels_document(one: Levels) -> dict[str, Any]:
    """Return the levels of a head, with JSON types only."""
    return head_document(one, result=None, clean_soon=one.clean_soon, before=None)


def outcome_document(one: Outcome) -> dict[str, Any]:
    """Return how a calibration ended, with JSON types only."""
    before = {"threshold": one.before.threshold, "margin": one.before.margin}
    return head_document(one, result=one.result, clean_soon=None, before=before)


def head_document(one: Levels | Outcome, **more: Any) -> dict[str, Any]:
    """Return what both documents have of a head: threshold, margin, the bright and the dark levels of its lines."""
    named = zip(LINE_NAMES, one.lines, strict=True)
    lines = [{"line": name.lower(), "bright": line.light, "dark": line.dark} for name, line in named]
    return {"side": side_letter(one.head), "threshold": one.threshold, "margin": one.margin, "lines": lines, **more}
