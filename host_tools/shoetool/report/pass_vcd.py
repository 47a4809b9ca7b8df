"""Passes as a value change dump (IEEE 1364), the same edges for PulseView, GTKWave and other viewers of waveforms."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from vcd import VCDWriter

from shoetool.model.protocol_table import Head, Pass
from shoetool.report.sentences import words
from shoetool.report.waveform import LINES
from shoetool.wire.answers import TracePass

AFTER_US: Final = 1000
"""So long a dump goes on behind its last edge, so that a viewer shows what that edge led to."""


def passes_vcd(passes: Sequence[TracePass], program: str) -> str:
    """Return the text of a dump in µs, with a scope for each pass in that of its head: `side_a.pass_0.DATA_0`.

    A line has the number of its pass in its name too: PulseView shows no scopes. Each pass begins at 0 with the lines
    after its first edge, since a shoe does not keep how long two passes lay apart. `program`: what wrote the dump.
    """
    out = io.StringIO()
    told = [f"pass_{one.index}: {words(Pass, one.kind)}" for one in passes]
    with VCDWriter(
        out, timescale="1 us", date="", version=program, comment=", ".join(told), check_values=False
    ) as dump:
        changes = []
        for one in passes:
            scope = f"{head_scope(one.head)}.pass_{one.index}"
            first = one.edges[0][1] if one.edges else 0
            lines = [
                dump.register_var(scope, f"{name}_{one.index}", "wire", 1, first >> bit & 1)
                for bit, name in enumerate(LINES)
            ]
            times = accumulate(wait for wait, _ in one.edges[1:])
            changes += [(time, lines, state) for time, (_, state) in zip(times, one.edges[1:], strict=True)]
        changes.sort(key=lambda change: change[0])  # stable: edges of one pass at one time keep their order
        for time, lines, state in changes:
            for bit, line in enumerate(lines):
                dump.change(line, time, state >> bit & 1)
        if changes:
            dump.close(changes[-1][0] + AFTER_US)
    return out.getvalue()


def head_scope(head: int) -> str:
    """Return the name of a head's scope, as protocol.toml has it: `side_a`, `side_b`, `reader`."""
    return Head(head).name.lower() if head in set(Head) else f"head_{head}"
