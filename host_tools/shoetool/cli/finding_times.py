"""When the findings of a history happened: the times of day of the records that prove them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from shoetool.cli.reading import known_span
from shoetool.cli.time_window import Window
from shoetool.history.start_clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind
from shoetool.report.sentences import many
from shoetool.report.time_of_day import TimesOfDay, dated_span_text, span_json
from shoetool.verify import Finding, Report

_UNKNOWN: Final = (None, None)


class FindingTimes:
    """When the findings of one report began and ended, and which of them belong to the time that was asked for.

    A finding whose time is not known is always shown: it may belong to that time.
    """

    def __init__(self, file: Path, report: Report, window: Window) -> None:
        """Read the history once more for the records that prove a finding. BadInput when it is no history."""
        self._zone = window.zone
        self._window = window
        wanted = {number for one in report.findings for number in one.records[:1] + one.records[-1:]}
        self._moments: dict[int, Moment | None] = {}
        self._rounds: dict[int, list[Moment | None]] = {}
        self.notes: list[str] = []
        if wanted:
            self._read(file, report, wanted, {one.round for one in report.findings} if window else set())
        self.shown = [one for one in report.findings if self._is_shown(one)]
        self.left_out = len(report.findings) - len(self.shown)

    def _read(self, file: Path, report: Report, wanted: set[int], rounds: set[int | None]) -> None:
        if self._window.needs_span and (span := known_span(file)) is not None:
            self._window.span(*span)
        with ShoelogReader(file) as reader:
            report.vouch(reader)
            times = TimesOfDay(reader.moment, self._zone, reader.clock)
            inside: int | None = None
            for record in reader.records():
                if record.kind == RecordKind.ROUND_OPENED:
                    inside = record.values[0] if record.values[0] in rounds else None
                if inside is not None:
                    self._rounds.setdefault(inside, []).append(times.of(record))
                    inside = None if record.kind == RecordKind.ROUND_CLOSED else inside
                if record.number in wanted:
                    found = times.of(record)
                    # When a number stands in the file twice, the time of the finding is not known.
                    self._moments[record.number] = None if record.number in self._moments else found
            self.notes = times.notes()

    def _is_shown(self, finding: Finding) -> bool:
        """Whether the finding or its round belongs to a time that was asked for, or its time is not known."""
        own = [one for one in self.of(finding) if one is not None]
        if not own or self._window.holds(own[0], own[-1], 0):
            return True
        known = [one for one in self._rounds.get(finding.round or 0, ()) if one is not None]
        return bool(known) and self._window.holds(known[0], known[-1], 0)

    def of(self, finding: Finding) -> tuple[Moment | None, Moment | None]:
        """Return when its first record and its last record were written."""
        if not finding.records:
            return _UNKNOWN
        return self._moments.get(finding.records[0]), self._moments.get(finding.records[-1])

    def text(self, finding: Finding) -> str:
        """Return day, time and zone for the line with the proof; empty when they are not known."""
        return dated_span_text(*self.of(finding), self._zone)

    def left_out_text(self) -> str | None:
        """Return one line about the findings that do not belong to the time that was asked for."""
        return f"{many(self.left_out, 'finding')} of other times not shown" if self.left_out else None

    def document(self, report: Report) -> dict[str, Any]:
        """Return the report with JSON types only: the findings that are shown, each with its times."""
        findings = [{**one.to_json(), **span_json(*self.of(one), self._zone)} for one in self.shown]
        return {**report.to_json(), "findings": findings, "left_out": self.left_out}
