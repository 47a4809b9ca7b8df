"""When the findings of a history happened: the times of day of the records that prove them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from shoetool.cli.time_window import Window
from shoetool.history.clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind
from shoetool.report.sentences import many
from shoetool.report.time_of_day import TimesOfDay, dated_span_text, moment_json
from shoetool.verify import Finding, Report

_UNKNOWN: Final = (None, None)


class FindingTimes:
    """When the findings of one report began and ended, and which of them a time that is asked for shows.

    A finding whose time is not known is always shown: it may be of that time.
    """

    def __init__(self, file: Path, report: Report, window: Window) -> None:
        """Read the history once more for the records that prove something. BadInput for what is no history."""
        self._zone = window.zone
        self._window = window
        wanted = {number for one in report.findings for number in one.records[:1] + one.records[-1:]}
        self._moments: dict[int, Moment | None] = {}
        self._rounds: dict[int, list[Moment | None]] = {}
        self.notes: list[str] = []
        if wanted:
            self._read(file, wanted, {one.round for one in report.findings} if window else set())
        self.shown = [one for one in report.findings if self._is_shown(one)]
        self.left_out = len(report.findings) - len(self.shown)

    def _read(self, file: Path, wanted: set[int], rounds: set[int | None]) -> None:
        with ShoelogReader(file) as reader:
            times = TimesOfDay(reader.moment, self._zone, reader.clock)
            inside: int | None = None
            for record in reader.records():
                if self._window and not self._window.anchored:
                    self._window.anchor(reader.moment(record))
                if record.kind == RecordKind.ROUND_OPENED:
                    inside = record.values[0] if record.values[0] in rounds else None
                if inside is not None:
                    self._rounds.setdefault(inside, []).append(times.of(record))
                    inside = None if record.kind == RecordKind.ROUND_CLOSED else inside
                if record.number in wanted:
                    found = times.of(record)
                    # A number that stands in the file twice says of neither record when the finding was.
                    self._moments[record.number] = None if record.number in self._moments else found
            self.notes = times.notes()

    def _is_shown(self, finding: Finding) -> bool:
        """Whether the finding, or the round that it is about, was of a time that is asked for, or nobody knows."""
        own = [one for one in self.of(finding) if one is not None]
        if not own or self._window.holds(own[0], own[-1], 0):
            return True
        known = [one for one in self._rounds.get(finding.round or 0, ()) if one is not None]
        return bool(known) and self._window.holds(known[0], known[-1], 0)

    def of(self, finding: Finding) -> tuple[Moment | None, Moment | None]:
        """When its first record was written, and its last one."""
        if not finding.records:
            return _UNKNOWN
        return self._moments.get(finding.records[0]), self._moments.get(finding.records[-1])

    def text(self, finding: Finding) -> str:
        """Day and time for the line with the proof; empty when they are not known."""
        began, ended = self.of(finding)
        known = [one for one in (began, ended) if one is not None]
        return dated_span_text(known[0], known[-1], self._zone) if known else ""

    def left_out_text(self) -> str | None:
        """One line for findings that are not of the time that was asked for."""
        return f"{many(self.left_out, 'finding')} of other times not shown" if self.left_out else None

    def document(self, report: Report) -> dict[str, Any]:
        """The report with JSON types only, its findings those shown, each with its times."""
        findings = []
        for one in self.shown:
            began, ended = self.of(one)
            times = {"began_at": moment_json(began, self._zone), "ended_at": moment_json(ended, self._zone)}
            findings.append({**one.to_json(), **times})
        return {**report.to_json(), "findings": findings, "left_out": self.left_out}
