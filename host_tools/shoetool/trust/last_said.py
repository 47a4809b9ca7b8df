"""The newest history that a shoe listed last time. It shows when a shoe was put back to an older state.

There is one file a device (`<device>.said`) beside the pinned keys. Each fetch writes it again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import LISTED
from shoetool.model.input_file import read_own
from shoetool.model.output_file import write_state
from shoetool.model.times import now_ms, utc_stamp
from shoetool.wire.answers import ShoeEntry


@dataclass(frozen=True, slots=True)
class LastSaid:
    """The newest history that a device listed, and when, in UTC."""

    when: str
    shoe: int
    first_page: int
    pages: int
    first_record: int
    records: int

    @classmethod
    def of(cls, entries: Sequence[ShoeEntry]) -> LastSaid:
        """Return the newest entry, with the present time. `entries`: the device's list, oldest first, not empty."""
        newest = entries[-1]
        when = utc_stamp(now_ms())
        return cls(when, newest.shoe, newest.first_page, newest.pages, newest.first_record, newest.records)

    def contradicted(self, entries: Sequence[ShoeEntry]) -> str:
        """Return in words why the device's present list cannot come after this; empty when it can."""
        before = f"on {self.when} its newest history was {self.shoe} with {self.records} records"
        if not entries:
            return f"it holds no history; {before}"
        newest = entries[-1]
        end = self.first_record + self.records
        if newest.shoe < self.shoe:
            return f"its newest history is {newest.shoe}; {before}"
        same = next((entry for entry in entries if entry.shoe == self.shoe), None)
        if same is not None and (same.first_page, same.first_record) != (self.first_page, self.first_record):
            return (
                f"its history {self.shoe} begins with page {same.first_page} and record {same.first_record}; on "
                f"{self.when} it began with page {self.first_page} and record {self.first_record}"
            )
        if same is not None and (same.records < self.records or same.pages < self.pages):
            return f"its history {self.shoe} has {same.records} records; {before}"
        if newest.first_record + newest.records < end:
            return f"its records end with {newest.first_record + newest.records - 1}; on {self.when} with {end - 1}"
        return ""


def _path(folder: Path, device: bytes) -> Path:
    return folder / f"{device.hex()}.said"


def last_said(folder: Path, device: bytes) -> LastSaid | None:
    """Return what the device listed last; None when it was never asked here. BadInput when the file cannot be used."""
    path = _path(folder, device)
    content = read_own(path, "what a shoe said")
    if content is None:
        return None
    try:
        fields = json.loads(content)
        found = LastSaid(str(fields.pop("when")), **{name: int(value) for name, value in fields.items()})
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput(f"{path}: is not what a shoe said; move it away, or pull with --erased") from None
    return found


def keep_said(folder: Path, device: bytes, said: LastSaid) -> None:
    """Keep what the device lists. BadInput when it cannot be written."""
    write_state(_path(folder, device), json.dumps(asdict(said)) + "\n", LISTED)
