"""What the readings of the clock in a history are worth, and the finding when they contradict those that the shoe has
in its journal."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from shoetool.history.clock import Contradiction
from shoetool.history.readings import Basis, basis_notes
from shoetool.history.store import ShoelogReader
from shoetool.judge.finding import CANNOT_TELL
from shoetool.judge.registry_trust import CLOCK
from shoetool.trust.reach import Reach
from shoetool.verify.context import Context

_WHERE: Final = {
    Basis.SIGNED_WITH_KEY: "the reading that the shoe signed in record {record}, given with the command key",
    Basis.SIGNED: "the reading that the shoe signed in record {record}",
    Basis.RECORDED: "the reading in record {record}, which is not signed",
    Basis.FETCHED: "the reading that this file has beside the records, which is not signed",
}
_SIMULATED: Final = "; a virtual shoe has the time of its simulation, which need not keep pace"


def report_clocks(ctx: Context, reader: ShoelogReader, reach: Reach) -> list[str]:
    """Judge the readings of a history that was read, by what valid signatures cover. Return notes about its times.

    Of a virtual shoe it is a note that they contradict each other: nobody knows how fast its clock went.
    """
    clock = reader.clock
    clock.vouch(reach.covers)
    notes = []
    simulated = reader.identity is not None and reader.identity.simulated
    for one in clock.contradictions():
        if simulated:
            notes.append(contradiction_sentence(one) + _SIMULATED)
        else:
            ctx.add(CLOCK, CANNOT_TELL, one.records, f"{contradiction_sentence(one)}.", of_file=True)
    return [*notes, *basis_notes(clock.bases())]


def contradiction_sentence(one: Contradiction) -> str:
    """Return the sentence about a reading that contradicts a stronger one."""
    stronger = _WHERE[one.stronger].format(record=one.records[0])
    weaker = _WHERE[one.weaker].format(record=one.records[-1])
    apart = str(timedelta(seconds=round(one.apart_ms / 1000)))
    return (
        f"of the shoe's start {one.boot}, {weaker} is {apart} (h:mm:ss) off {stronger}: it was changed, or one of the "
        "computers had the wrong time. Times of day follow the stronger one"
    )
