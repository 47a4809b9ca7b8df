"""What `verify` says of one history, by round and by shoe: a night may have very many of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from shoetool.judge.finding import Finding
from shoetool.report.sentences import opening_letter
from shoetool.table.round import Round
from shoetool.trust.findings import SignedShoe
from shoetool.verify import Report


class About:
    """A report, read once. of_history: its findings that belong to no round, acts of tampering first. of_rounds: how
    many findings belong to rounds. notes: what else was odd about the history, a sentence each."""

    def __init__(self, report: Report) -> None:
        """Sort what it says."""
        self.report = report
        self.of_history = tuple(one for one in report.findings if one.round is None)
        self.of_rounds = len(report.findings) - len(self.of_history)
        self.notes = tuple(map(sentence, report.summary.notes))
        self._several = report.summary.shoes > 1
        self._findings: dict[int, list[Finding]] = defaultdict(list)
        self._signatures: dict[int | None, list[SignedShoe]] = defaultdict(list)
        for finding in report.findings:
            if finding.round is not None:
                self._findings[finding.round].append(finding)
        for signed in report.summary.signatures:
            self._signatures[signed.shoe].append(signed)

    def findings(self, round_: Round) -> tuple[Finding, ...]:
        """Return the findings of a round. Where a file has several shoes, their records tell of which it is."""
        return tuple(
            one
            for one in self._findings.get(round_.number, ())
            if not self._several or not one.records or round_.record <= one.records[0] <= round_.last
        )

    def signatures(self, shoe: int | None) -> tuple[SignedShoe, ...]:
        """Return who signed a shoe."""
        return tuple(self._signatures.get(shoe, ()))

    def left_out(self, round_: Round) -> Iterator[str]:
        """Yield what the table record does not tell of a round, a sentence each."""
        for row in self.report.summary.left_out:
            if round_.number in row.missing:
                yield f"The table record does not tell of this round: {row.what}."
            elif row.of - row.count > len(row.missing) and row.missing and round_.number > row.missing[-1]:
                yield f"The table record leaves out of some rounds, perhaps of this one: {row.what}."


def sentence(text: str) -> str:
    """A note as a sentence: a capital letter first, a point last."""
    return opening_letter(text) + ("" if text.endswith(".") else ".")
