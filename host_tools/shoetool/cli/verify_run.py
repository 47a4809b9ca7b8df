"""`shoetool verify` of folders and of many histories: what was found as it comes, then the totals."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from shoetool.cli.casino_run import CasinoRun, Wish, many_histories, many_verdicts
from shoetool.cli.exits import one_line
from shoetool.cli.output import console, emit_list
from shoetool.history.readings import basis_notes
from shoetool.model.printable import clean
from shoetool.report.findings import finding_lines, numbers, verdict_line
from shoetool.report.time_of_day import dated_span_text, span_json

if TYPE_CHECKING:
    from shoetool.casino.judged import Judged
    from shoetool.verify.findings import Report
    from shoetool.verify.followed import Row


def verify_run(wish: Wish) -> int:
    """Verify all that is named, print what was found and the totals. Returns the exit code."""
    with _VerifyRun.opened(wish) as run:
        if wish.as_json:
            rest: dict[str, Any] = {}
            with closing(run.documents(rest)) as documents:
                emit_list("verify_run", {"timezone": wish.zone.name}, "files", documents, rest)
        else:
            run.show()
        return run.code


class _VerifyRun(CasinoRun):
    """A run as `verify` shows it."""

    # ------------------------------------------------------------------------------------------------ as JSON
    def documents(self, rest: dict[str, Any]) -> Generator[dict[str, Any]]:
        """Yield each history with findings or an error; into `rest` what is known once all are verified."""
        with closing(self.judged()) as judged:
            for one in judged:
                error = None if one.error is None else one_line(one.error)
                yield {"file": one.path, "error": error, "report": None if one.report is None else self._document(one)}
        rows = [row for row in self.followed() if row.findings or row.notes]
        totals = self.totals(sum(len(row.findings) for row in rows))
        out = None if self.wish.out is None else str(self.wish.out)
        rest |= {"totals": totals, "devices": [row.to_json() for row in rows], "results": out}

    def _document(self, one: Judged) -> dict[str, Any]:
        report = _report(one)
        zone = self.wish.zone
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
        with closing(self.judged()) as judged:
            for one in judged:
                if one.report is None:
                    continue
                report = one.report
                timed = False
                for finding in report.findings:
                    ends = [one.moments.get(number) for number in finding.records[:1] + finding.records[-1:]]
                    when = dated_span_text(ends[0], ends[-1], self.wish.zone) if ends else ""
                    for line in finding_lines(finding, width, self.wish.readings, when):
                        out.print(line)
                    timed = timed or bool(when)
                for note in basis_notes({start.boot: start.basis for start in report.summary.times}) if timed else ():
                    out.print(f"  note: {note}")
                out.print(verdict_line(clean(one.path), report.verdict, report.headline(), ""))
                out.print()
        between = 0
        for row in self.followed():
            between += len(row.findings)
            self._show_row(row, width)
        self._show_totals(between)

    def _show_row(self, row: Row, width: int) -> None:
        if not (row.findings or row.notes):
            return
        out = console()
        out.print(f"device {row.device.hex()}, shoe{'s' if len(row.shoes) != 1 else ''} {numbers(row.shoes)}")
        for finding in row.findings:
            for line in finding_lines(finding, width, self.wish.readings):
                out.print(line)
        for note in row.notes:
            out.print(f"  note: {clean(note)}")
        out.print()

    def _show_totals(self, between: int) -> None:
        out = console()
        told = self.totals(between)
        if not told["histories"]:
            return
        for one in told["checks"]:
            out.print(f"{one['findings']:>9,}  {one['verdict']:<20}  {one['check']} ({one['clause']})")
        if told["checks"]:
            out.print()
        out.print(f"{many_histories(told['histories'])}: {many_verdicts(told['verdicts'])}")
        parts = [f"{told[name]:,} {name}" for name in ("rounds", "cards", "records")]
        unsigned = told["shoes"] - told["signed"]
        parts.append(f"{told['signed']:,} of {told['shoes']:,} closed shoes signed, {told['pinned']:,} by pinned keys")
        out.print(", ".join(parts))
        if self.wish.table_records:
            out.print(
                f"table records: beside {told['table_records']:,} of {told['histories']:,} histories, with "
                f"{told['table_rounds']:,} of {told['rounds']:,} rounds"
            )
        if told["left_out"]:
            out.print(f"cannot tell: the table records of {many_histories(told['left_out'])} leave something out")
        if unsigned or told["pinned"] < told["signed"]:
            out.print("what no pinned key signed is only as good as the files (see verify --require-signature)")
        found = told["findings"] + between
        out.print(
            f"{found:,} finding{'s' if found != 1 else ''}, {between:,} of them in how histories follow one another"
        )
        if self.wish.out is not None:
            out.print(f"results: {clean(str(self.wish.out))}")


def _report(one: Judged) -> Report:
    assert one.report is not None
    return one.report
