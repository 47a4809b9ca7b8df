"""The reading of both clocks that `pull` keeps, on a machine whose time of day is set meanwhile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from fake_shoes import ScriptedShoe
from shoetool.cli import pulling
from shoetool.client import Client
from shoetool.history.chunks import ClockPoint

NOON = 1_800_000_000_000  # ms
HOUR = 3_600_000
ROUND_TRIP = 30


@pytest.mark.parametrize("step_ms", [0, -HOUR, HOUR, 60 * 24 * HOUR, -20 * 365 * 24 * HOUR], ids=lambda ms: f"{ms} ms")
def test_the_time_of_day_may_be_set_while_the_shoe_is_asked(monkeypatch: pytest.MonkeyPatch, step_ms: int) -> None:
    passed = [0]
    steady = 5_000_000_000

    def monotonic_ns() -> int:
        return steady + passed[0] * 1_000_000

    def time_ns() -> int:
        return (NOON + passed[0] + (step_ms if passed[0] else 0)) * 1_000_000

    client = Client(ScriptedShoe().transport)
    ask = client.ticks
    monkeypatch.setattr(client, "ticks", lambda: (passed.__setitem__(0, ROUND_TRIP), ask())[1])
    monkeypatch.setattr(pulling, "time", SimpleNamespace(monotonic_ns=monotonic_ns, time_ns=time_ns))
    point = pulling.read_clock(client)
    assert ClockPoint.unpack(point.pack()) == point
    assert point.uncertainty_ms == ROUND_TRIP // 2
    assert point.wall_ms == NOON + step_ms + ROUND_TRIP // 2
