"""Verify a history file, an open reader, or records: the checks of `engine`, and what the file itself shows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from shoetool.history.store import ShoelogReader
from shoetool.judge.registry_trust import ACTS
from shoetool.model.records import Record
from shoetool.trust.trust import Trust
from shoetool.verify.clocks import report_clocks
from shoetool.verify.engine import Verifier
from shoetool.verify.evidence import report_chain, report_cut
from shoetool.verify.findings import Report, StartTimes
from shoetool.verify.signatures import Closings, unsigned

if TYPE_CHECKING:
    from shoetool.verify.table_record import TableJudge


def verify(
    history: ShoelogReader | str | Path | Iterable[Record], table: TableJudge | None = None, trust: Trust | None = None
) -> Report:
    """Check a history file, its open reader, or records in order; BadInput when the file is no history.

    With `table`, what its table record says of each round is checked too; without it only what the shoe shows. With
    `trust`, signatures are compared with pinned keys and with what was signed in the histories verified before.
    """
    if isinstance(history, (str, Path)):
        with ShoelogReader(history) as reader:
            return verify(reader, table, trust)
    verifier = Verifier(table)
    if not isinstance(history, ShoelogReader):
        verifier.feed_all(history)
        report = verifier.report()
        _tell(report, table)
        return report
    verifier.chained = True
    if table is not None:
        table.shoe_number = lambda: history.chain.shoe
    closings = Closings(history)
    verifier.feed_all(history.records(), closings.note)
    chain = history.chain
    for problem in chain.problems:
        if problem.harmless:
            verifier.notes.append(problem.text)
        else:
            report_chain(verifier.ctx, problem)
    whole = verifier.complete_start and verifier.ended_closed
    cut = not whole and report_cut(verifier.ctx, history.scan, verifier.records, chain.last_record)
    signatures = closings.report(verifier.ctx, trust)
    times = report_clocks(verifier.ctx, history, closings.reach)
    verifier.notes += history.notes() + times
    verifier.commands.unsigned = lambda numbers: unsigned(numbers, closings.reach)
    verifier.notes += closings.settings(signatures) + closings.unsigned(signatures) + closings.unknown()
    report = verifier.report()
    # What was done to the file stands before what follows from it; within both the order of the records stays.
    report.findings = sorted(closings.marked(report.findings), key=lambda finding: finding.check not in ACTS)
    report.summary.behind_signed_end = list(closings.reach.stretches)
    report.summary.cut = cut
    _tell(report, table)
    report.summary.device = None if chain.device is None else chain.device.hex()
    report.summary.chain_ok = chain.ok
    report.summary.signatures = signatures
    report.reach = closings.reach
    report.summary.times = [StartTimes(boot, basis) for boot, basis in sorted(history.clock.bases().items())]
    return report


def _tell(report: Report, table: TableJudge | None) -> None:
    """What the table record told of the rounds."""
    if table is not None:
        report.summary.table_rounds = table.matched
        report.summary.evidence = table.evidence.rows
