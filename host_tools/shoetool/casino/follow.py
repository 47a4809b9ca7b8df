"""How the histories of each device follow one another, once all of a run are verified: one device at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shoetool.casino.linked import Linked
from shoetool.trust.continuity import Followed
from shoetool.trust.findings import REUSED, TrustFinding
from shoetool.trust.pins import PinStore
from shoetool.trust.signed_history import reused_sentence
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify.followed import Row, row_of


def follow(linked: Linked, keys: Path | None, remember: bool, required: bool) -> Iterator[Row]:
    """Yield a row for each device. With `remember` the pin store keeps what pinned keys signed, as in `verify`.

    The histories of a device count in the order of their files' names. An index that signed two statements is found
    whichever devices and files they stand in. Memory: what one device signed.
    """
    linked.index()
    reused = linked.reused()
    for device in linked.devices():
        pins = PinStore(keys)
        trust = Trust(pins, remember, required)
        pinned = pins.get(device)
        for shoe, held in linked.held(device):
            trust.continuity.hold(device, shoe, held)
        found: list[TrustFinding] = []
        for row in linked.signed(device):
            statement, key = row.statement, row.key
            where = trust.reused(statement, key, row.path)
            first, first_path = reused.get((key.raw, statement.index), (b"", ""))
            if where is None and first and first != statement.pack():  # that of another device
                where = f"that of shoe {Statement.unpack(first).shoe} in {first_path}"
            if where is not None:
                text = f"{row.path}: {reused_sentence(key, statement, where)}"
                found.append(TrustFinding(REUSED, text, statement.shoe))
            elif row.good:
                trust.continuity.signed(key, statement, row.path)
            if remember and key == pinned:
                pins.remember(device, key, statement.index, statement.pack())
        one = next((one for one in trust.follow() if one.device == device), Followed(device, ()))
        one.found[:0] = found
        yield row_of(one)
