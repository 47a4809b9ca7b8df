"""`shoetool settle`: what every wager of a round won or lost by the rules, to the cent."""

from __future__ import annotations

import textwrap
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from shoetool.case.settled import Settled
from shoetool.cli.completion import beginning
from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, one_line, say
from shoetool.cli.options import FILE, STREAM, table_option
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.cli.settling import STANDARD_INPUT, HistoryRounds, read_rounds, settle_entry
from shoetool.cli.time_window import Asked, Window, window_options
from shoetool.cli.what_if import WhatIf, settle_otherwise, table_otherwise
from shoetool.history.clock import ASSUMED
from shoetool.model.errors import BadInput
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.sentences import many
from shoetool.report.settlement import round_document, settlement_lines, totals_lines
from shoetool.report.text_tables import named_rows
from shoetool.report.time_of_day import NOT_KNOWN, dated_span_text, span_json
from shoetool.report.what_if import comparison, comparison_document
from shoetool.round_file.examples import round_example, round_example_names
from shoetool.round_file.file import BadLine, Entry, parse
from shoetool.round_file.json_text import RoundFileError
from shoetool.round_file.tables import Rules


@click.command(
    "settle",
    epilog=examples(
        ("settle --example free-bet > round.json", "one to change"),
        ("settle round.json", "who won what"),
        ("settle night.jsonl --history night.shoelog", "with its cards"),
        ("settle n.jsonl --history n.shoelog --at 21:14", "of that time"),
        ("settle round.json --what-if 3=stand", "had it stood"),
    ),
)
@click.argument("files", nargs=-1, type=STREAM, metavar="[FILE...]")
@table_option("The table's rules submission, or the name of an example. It overrides what the file names.")
@click.option(
    "--history",
    "histories",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="A shoe's history, for rounds of the file without cards; may be repeated.",
)
@click.option(
    "--example",
    "wanted",
    metavar="NAME",
    help="Print an example of a round file.",
    shell_complete=lambda *words: beginning(round_example_names(), words[2]),
)
@click.option(
    "--what-if",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Compare with the same round otherwise: a setting, table=FILE, or 3=hit,stand; may be repeated.",
)
@click.option("--list", "list_all", is_flag=True, help="List the examples.")
@window_options("rounds of a history")
@json_option
def command(
    files: tuple[str, ...],
    table: str | None,
    histories: tuple[Path, ...],
    wanted: str | None,
    changes: tuple[str, ...],
    list_all: bool,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> int:
    """Settle rounds: for every wager the outcome, its clause, the odds, what it won or lost, and why.

    A round file holds the wagers, the cards in the order drawn, and the decisions (ROUND_FORMAT.md). The name - reads
    it from standard input. A round that the rules do not allow is rejected with its clause; a line that is no round is
    rejected with its place. Then the exit code is 2, and the other rounds are settled all the same. The exit code is 1
    when a payment in the file is not what was due, or when the history shows that a rule was broken.
    """
    if bool(files) + (wanted is not None) + list_all != 1:
        raise click.UsageError("name a file, or one of --example NAME and --list")
    window = Window(zone, at, first, last)
    if window and not histories:
        raise click.UsageError("times of day are those of a history: give it with --history")
    if changes and not files:
        raise click.UsageError("--what-if compares rounds of a file: name one")
    what = WhatIf.read(changes) if changes else None
    if list_all:
        show_list(as_json)
        return FINE
    if wanted is not None:
        click.echo(round_example(wanted), nl=False)
        return FINE
    code = FINE
    documents: list[dict[str, Any]] = []
    shown = Shown(as_json)
    for file in files:
        document: dict[str, Any] = {"file": file, "error": None, "rounds": []}
        documents.append(document)
        try:
            entries = [_with_the_table_given(one, table) for one in read_rounds(file)]
            shoes = HistoryRounds(histories, [one for one in entries if isinstance(one, Entry) and one.round])
            if window.needs_span and shoes.span is not None:
                window.span(*shoes.span)
        except BadInput as error:
            document["error"] = one_line("; ".join(say_all(error)))
            code = BAD_INPUT
            continue
        rules = Rules(table, None if file == STANDARD_INPUT else Path(file).parent)
        for place, entry in enumerate(entries):
            if isinstance(entry, BadLine):
                say_bad_line(entry, entries, place)
                document["rounds"].append(_not_settled({"line": entry.line}, entry.error))
                code = max(code, BAD_INPUT)
                continue
            when = shoes.when(entry)
            if window.holds(*when, entry.round or 0):
                code = max(code, settle_one(entry, file, len(entries) > 1, rules, shoes, document, shown, zone, what))
            elif when == (None, None):
                say(f"{clean(file)}: line {entry.line}: left out, since when it was dealt is not known")
        if any(one["error"] is None and (one["began_at"] or {}).get("assumed") for one in document["rounds"]):
            say(f"{clean(file)}: {ASSUMED}")
        for line in shoes.clock_notes(one for one in document["rounds"] if one["settled"] and not as_json):
            click.echo(line)
        if window and not document["rounds"]:
            document["error"] = window.missing("round")
            say(f"{clean(file)}: {document['error']}")
            code = BAD_INPUT
    shown.end()
    if as_json:
        emit("settle", {"timezone": zone.name, "files": documents})
    return code


def say_all(error: BadInput) -> list[str]:
    """Say all that is wrong with a file, a line each, and return the lines."""
    lines = [str(error), *(error.others if isinstance(error, RoundFileError) else ())]
    for line in lines:
        say(line)
    return lines


def say_bad_line(bad: BadLine, entries: list[Entry | BadLine], at: int) -> None:
    """Say what is wrong with entry `at`. Of rounds in a row whose table is not known only the first is told."""
    if bad.entry is None:
        say_all(bad.error)
    elif at == 0 or not _of_no_table(entries[at - 1]):
        after = (entries[later] for later in range(at + 1, len(entries)))
        more = [one.line for one in takewhile(_of_no_table, after)]
        lines = f" ({many(len(more), 'more line')} like it, to line {more[-1]})" if more else ""
        say(f"{bad.error}{lines}")


def _of_no_table(one: Entry | BadLine) -> bool:
    """Whether a line is a round whose table an unreadable line may have set."""
    return isinstance(one, BadLine) and one.entry is not None


def _with_the_table_given(one: Entry | BadLine, table: str | None) -> Entry | BadLine:
    """Return the round of a line whose own table is not known, if --table gives one."""
    return one.entry if isinstance(one, BadLine) and one.entry is not None and table is not None else one


def _not_settled(about: dict[str, Any], error: BadInput) -> dict[str, Any]:
    """Return the document's part for a round that was rejected."""
    known = {"name": "", "shoe": None, "round": None, **about}
    return {**known, "error": one_line(str(error)), "notes": [], "settled": None}


def settle_one(
    entry: Entry,
    file: str,
    several: bool,
    rules: Rules,
    shoes: HistoryRounds,
    document: dict[str, Any],
    shown: Shown,
    zone: Zone,
    what: WhatIf | None,
) -> int:
    """Settle, print and document one round, and compare it with `what` if given. Returns its exit code."""
    where = f"{file}: line {entry.line}" if several else file
    began, ended = shoes.when(entry)
    about: dict[str, Any] = {"line": entry.line, "name": entry.name, "shoe": entry.shoe, "round": entry.round}
    about |= span_json(began, ended, zone)
    try:
        settled = settle_entry(entry, rules, shoes, where)
    except BadInput as error:
        say(str(error))
        document["rounds"].append(_not_settled(about, error))
        return BAD_INPUT
    for note in settled.notes:
        say(f"{where}: {note}")
    body = round_document(settled.round, settled.settlement, settled.differences)
    document["rounds"].append({**about, "error": None, "notes": settled.notes + settled.breaches, "settled": body})
    title = heading(entry, where)
    if entry.round is not None:
        title += f" · {dated_span_text(began, ended, zone) or NOT_KNOWN}"
    shown.show(settled, title)
    code = FINDINGS if settled.differences or settled.breaches else FINE
    if what is None:
        return code
    return max(code, compare_one(settled, what, rules, shoes, where, document["rounds"][-1], shown))


def compare_one(
    settled: Settled,
    what: WhatIf,
    rules: Rules,
    shoes: HistoryRounds,
    where: str,
    about: dict[str, Any],
    shown: Shown,
) -> int:
    """Compare one settled round with the same otherwise. Returns BAD_INPUT when that is not known."""
    found: dict[str, Any] = {"changes": list(what.said), "error": None, "notes": [], "settled": None, "compared": None}
    about["what_if"] = found
    said = f"{where}: what if {', '.join(what.said)}"
    try:
        table = table_otherwise(settled.entry, what, rules, where)
        otherwise = settle_otherwise(settled, what, table, shoes, said)
    except BadInput as error:
        say(str(error))
        found["error"] = one_line(str(error))
        return BAD_INPUT
    found["notes"] = otherwise.notes + otherwise.breaches
    for note in found["notes"]:
        say(f"{said}: {note}")
    found["settled"] = round_document(otherwise.round, otherwise.settlement, [])
    found["compared"] = comparison_document(settled.settlement, otherwise.settlement)
    shown.compare(settled, otherwise, what)
    return FINE


def heading(entry: Entry, where: str) -> str:
    """Return the title of a round: its name, or its place in the history or the file."""
    if entry.name:
        return clean(entry.name)
    if entry.round is not None:
        return f"round {entry.round}" + (f" of shoe {entry.shoe}" if entry.shoe is not None else "")
    return clean(where)


class Shown:
    """The settled rounds as text, and their totals at the end; nothing for JSON."""

    def __init__(self, quiet: bool) -> None:
        """Begin with no rounds."""
        self._quiet = quiet
        self._rounds = 0
        self._differences = 0
        self._tray = 0
        self._house = 0
        self._meters: Counter[str] = Counter()

    def show(self, settled: Settled, title: str) -> None:
        """Print one round."""
        if self._quiet:
            return
        out = console()
        if self._rounds:
            out.print()
        self._rounds += 1
        self._differences += len(settled.differences)
        self._tray += settled.settlement.tray
        self._house += settled.settlement.house
        for key, change in settled.settlement.meters.items():
            self._meters[key] += change
        width = min(out.width, 100)
        for line in settlement_lines(title, settled.round, settled.settlement, settled.differences, width):
            out.print(line)
        for text in settled.breaches:
            for part in textwrap.wrap(f"BREACH  {text}", width, subsequent_indent="    "):
                out.print(Text(part))

    def compare(self, settled: Settled, otherwise: Settled, what: WhatIf) -> None:
        """Print a round beside the same otherwise."""
        if self._quiet:
            return
        out = console()
        out.print()
        heading, table = comparison(what.said, settled.settlement, otherwise.settlement)
        out.print(heading)
        print_table(out, table)

    def end(self) -> None:
        """Print the totals of several rounds, and how many payments differ."""
        if self._quiet or self._rounds == 0:
            return
        out = console()
        if self._rounds > 1:
            out.print()
            out.print(many(self._rounds, "round"))
            for line in totals_lines(self._tray, self._house, self._meters):
                out.print(line)
        if self._differences:
            out.print(f"{many(self._differences, 'payment')} not as due")


def show_list(as_json: bool) -> None:
    """Print the names of the examples with what they show."""
    rows = [(name, parse(round_example(name), name)[0].name) for name in round_example_names()]
    if as_json:
        emit("settle", {"examples": [{"name": name, "what": what} for name, what in rows]})
        return
    print_table(console(), named_rows(rows))
