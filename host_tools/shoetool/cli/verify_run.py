"""`shoetool verify` of folders and of many histories: on several cores or machines, with the results as tables."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, INTERNAL, one_line, say
from shoetool.cli.options import folder
from shoetool.cli.output import console, emit_list, progress
from shoetool.model.printable import clean
from shoetool.report.findings import finding_lines, numbers, verdict_line
from shoetool.report.time_of_day import Zone, dated_span_text, span_json
from shoetool.trust.pins import PinStore

if TYPE_CHECKING:
    from shoetool.casino.judged import Asked, Judged
    from shoetool.casino.paths import Missing
    from shoetool.casino.state import State
    from shoetool.verify.findings import Report
    from shoetool.verify.followed import Row


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for; see the options of `verify`."""

    paths: tuple[Path, ...]
    lists: tuple[str, ...]
    jobs: int | None
    scheduler: str | None
    out: Path | None
    readings: bool
    keys: Path | None
    remember: bool
    required: bool
    table_records: bool
    table: str | None
    payments: bool
    zone: Zone
    as_json: bool


def verify_run(wish: Wish) -> int:
    """Verify all that is named, print what was found and the totals. Returns the exit code."""
    from shoetool.casino.judged import Asked
    from shoetool.casino.state import State

    pinned = {device: key.raw for device, key in PinStore(wish.keys).items()}
    asked = Asked(pinned, wish.required, wish.table_records, wish.table, wish.payments)
    settings = asdict(asked) | {"pinned": {device.hex(): key.hex() for device, key in sorted(pinned.items())}}
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory())) if wish.out is None else folder(wish.out)
        state = stack.enter_context(closing(State(place, settings)))
        run = _Run(wish, asked, state, place)
        if wish.as_json:
            rest: dict[str, Any] = {}
            with closing(run.documents(rest)) as documents:
                emit_list("verify_run", {"timezone": wish.zone.name}, "files", documents, rest)
        else:
            run.show()
        return run.code


class _Run:
    """A run as it is shown: what is found as it comes, then the totals."""

    def __init__(self, wish: Wish, asked: Asked, state: State, place: Path) -> None:
        self._wish = wish
        self._asked = asked
        self._state = state
        self._place = place
        self.code = FINE

    # ------------------------------------------------------------------------------------------------ the work
    def _judged(self) -> Generator[Judged]:
        """Verify; yield each history with findings or an error, in the order in which they are named."""
        from shoetool.casino.paths import count, histories, open_list
        from shoetool.casino.run import Run
        from shoetool.casino.workers import workers

        wish = self._wish
        with ExitStack() as stack:
            lists = [_kept(name, stack) for name in wish.lists]

            def found() -> Iterator[Path | Missing]:
                with ExitStack() as opened:
                    yield from histories(wish.paths, [(name, opened.enter_context(open_list(name))) for name in lists])

            files, size = count(found())
            advance = stack.enter_context(progress(f"verifying {_histories(files)}", "bytes"))
            done = 0

            def more(part: int) -> None:
                nonlocal done
                done += part
                advance(done, size)

            results = None
            if wish.out is not None:
                from shoetool.casino.results import Results

                results = Results(self._place)
            run = Run(self._asked, self._state, results, more)
            hands = stack.enter_context(workers(wish.jobs or os.cpu_count() or 1, wish.scheduler))
            for one in stack.enter_context(closing(run.verify(found(), hands))):
                if one.report is None:
                    self.code = max(self.code, INTERNAL if one.defect else BAD_INPUT)
                    say(one.error or "")
                    yield one
                elif one.report.findings:
                    yield one
            if run.before and not wish.as_json:
                say(f"an earlier start of this run verified {_histories(run.before)}; what it found is in the results")

    def _rows(self) -> Iterator[Row]:
        """How the histories of each device follow one another. The results get them too."""
        from shoetool.casino.follow import follow

        rows = follow(self._state.linked, self._wish.keys, self._wish.remember, self._wish.required)
        if self._wish.out is None:
            yield from rows
            return
        from shoetool.casino.results import Results

        yield from Results(self._place).devices(rows)

    def _totals(self, found_between: int) -> dict[str, Any]:
        from shoetool.casino.run import checks, totals

        counted = self._state.counted
        verdicts = totals(self._state)
        if "unreadable" in verdicts:
            self.code = max(self.code, INTERNAL if counted["defects"] else BAD_INPUT)
        if counted["findings"] or found_between:
            self.code = max(self.code, FINDINGS)
        names = ("rounds", "cards", "records", "shoes", "signed", "pinned", "findings", "table records", "table rounds")
        return {
            "histories": self._state.histories,
            "verdicts": verdicts,
            **{name.replace(" ", "_"): counted[name] for name in names},
            "left_out": counted["left out"],
            "checks": [
                {"check": check, "clause": clause, "verdict": verdict, "findings": number}
                for check, clause, verdict, number in checks(self._state)
            ],
        }

    # ------------------------------------------------------------------------------------------------ as JSON
    def documents(self, rest: dict[str, Any]) -> Generator[dict[str, Any]]:
        """Yield each history with findings or an error; into `rest` what is known once all are verified."""
        with closing(self._judged()) as judged:
            for one in judged:
                error = None if one.error is None else one_line(one.error)
                yield {"file": one.path, "error": error, "report": None if one.report is None else self._document(one)}
        rows = [row for row in self._rows() if row.findings or row.notes]
        totals = self._totals(sum(len(row.findings) for row in rows))
        out = None if self._wish.out is None else str(self._wish.out)
        rest |= {"totals": totals, "devices": [row.to_json() for row in rows], "results": out}

    def _document(self, one: Judged) -> dict[str, Any]:
        report = _report(one)
        zone = self._wish.zone
        findings = [
            {**finding.to_json(), **span_json(one.moments.get(first), one.moments.get(last), zone)}
            for finding in report.findings
            for first, last in [(*finding.records[:1], *finding.records[-1:]) or (-1, -1)]
        ]
        return {**report.to_json(), "findings": findings, "left_out": 0}

    # ------------------------------------------------------------------------------------------------ as text
    def show(self) -> None:
        """Print it."""
        out = console()
        width = min(out.width, 110)
        with closing(self._judged()) as judged:
            for one in judged:
                if one.report is None:
                    continue
                report = one.report
                for finding in report.findings:
                    known = [
                        at for at in map(one.moments.get, finding.records[:1] + finding.records[-1:]) if at is not None
                    ]
                    when = dated_span_text(known[0], known[-1], self._wish.zone) if known else ""
                    for line in finding_lines(finding, width, self._wish.readings, when):
                        out.print(line)
                out.print(verdict_line(clean(one.path), report.verdict, report.headline(), ""))
                out.print()
        between = 0
        for row in self._rows():
            between += len(row.findings)
            self._show_row(row, width)
        self._show_totals(between)

    def _show_row(self, row: Row, width: int) -> None:
        if not (row.findings or row.notes):
            return
        out = console()
        out.print(f"device {row.device.hex()}, shoe{'s' if len(row.shoes) != 1 else ''} {numbers(row.shoes)}")
        for finding in row.findings:
            for line in finding_lines(finding, width, self._wish.readings):
                out.print(line)
        for note in row.notes:
            out.print(f"  note: {clean(note)}")
        out.print()

    def _show_totals(self, between: int) -> None:
        out = console()
        told = self._totals(between)
        if not told["histories"]:
            return
        for one in told["checks"]:
            out.print(f"{one['findings']:>9,}  {one['verdict']:<20}  {one['check']} ({one['clause']})")
        if told["checks"]:
            out.print()
        verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in told["verdicts"].items())
        out.print(f"{_histories(told['histories'])}: {verdicts}")
        parts = [f"{told[name]:,} {name}" for name in ("rounds", "cards", "records")]
        unsigned = told["shoes"] - told["signed"]
        parts.append(f"{told['signed']:,} of {told['shoes']:,} closed shoes signed, {told['pinned']:,} by pinned keys")
        out.print(", ".join(parts))
        if self._wish.table_records:
            out.print(
                f"table records: beside {told['table_records']:,} of {told['histories']:,} histories, with "
                f"{told['table_rounds']:,} of {told['rounds']:,} rounds"
            )
        if told["left_out"]:
            out.print(f"cannot tell: the table records of {_histories(told['left_out'])} leave something out")
        if unsigned or told["pinned"] < told["signed"]:
            out.print("what no pinned key signed is only as good as the files (see verify --require-signature)")
        found = told["findings"] + between
        out.print(
            f"{found:,} finding{'s' if found != 1 else ''}, {between:,} of them in how histories follow one another"
        )
        if self._wish.out is not None:
            out.print(f"results: {clean(str(self._wish.out))}")


def _report(one: Judged) -> Report:
    assert one.report is not None
    return one.report


def _histories(number: int) -> str:
    return f"{number:,} {'history' if number == 1 else 'histories'}"


def _kept(name: str, stack: ExitStack) -> str:
    """Return a list of paths that can be read twice: standard input goes into a file."""
    if name != "-":
        return name
    kept = Path(stack.enter_context(tempfile.TemporaryDirectory()), "standard input")
    with kept.open("w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(sys.stdin)
    return str(kept)
