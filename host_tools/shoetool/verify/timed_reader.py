"""A reader of histories whose times of day say what they rest on: it looks at the signatures before it gives a time."""

from __future__ import annotations

from pathlib import Path

from shoetool.history.store import ShoelogReader
from shoetool.trust.pins import PinStore
from shoetool.trust.reach import Reach
from shoetool.trust.signed_history import examine
from shoetool.trust.trust import Trust
from shoetool.verify.signatures import Closings


class TimedReader(ShoelogReader):
    """Reads one file as a stream, and knows which readings of the clock in it are signed.

    That takes one more look at the file, when it is asked for the first time of day and the shoe recorded a reading.
    `pins`: where the keys of shoes are pinned; without it, in the user's folder. Where a key is pinned, no other one's
    signature counts. See ShoelogReader.
    """

    pins: PinStore | None = None

    def read_clocks(self) -> None:
        """Let `clock` hold all readings of the file, and know which are signed."""
        super().read_clocks()
        if self.clock.has_recorded and not self.clock.vouched:
            self.clock.vouch(signed_reach(self.path, self.pins or PinStore()).covers)


def signed_reach(path: Path, pins: PinStore | None = None) -> Reach:
    """Return which records of a history valid signatures cover: those of the pinned key, where a key is pinned."""
    with ShoelogReader(path) as reader:
        closings = Closings(reader)
        closings.read_all()
        shoes, _ = examine(reader, Trust(pins), closings.closed, closings.told, closings.rounds_behind)
        return Reach(reader.chain.facts, shoes, reader.chain.last_record)
