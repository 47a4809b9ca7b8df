"""The reading of both clocks that `pull` keeps, on a machine whose time of day is set meanwhile."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from fake_shoes import ScriptedShoe
from pty_shoe import PtyShoe, Service
from shoetool.cli import build
from shoetool.client import host_clock
from shoetool.client.client import Client
from shoetool.history.chunks import ClockPoint
from shoetool.history.store import ShoelogReader

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
    monkeypatch.setattr(host_clock, "time", SimpleNamespace(monotonic_ns=monotonic_ns, time_ns=time_ns))
    point = host_clock.read_clock(client)
    assert ClockPoint.unpack(point.pack()) == point
    assert point.uncertainty_ms == ROUND_TRIP // 2
    assert point.wall_ms == NOON + step_ms + ROUND_TRIP // 2


def test_the_clock_is_read_once_a_fetch_also_where_the_history_grew_meanwhile(tmp_path: Path) -> None:
    """The clock of a simulated shoe stands still while nobody deals: two readings of it contradict each other."""
    with PtyShoe() as shoe:
        service: Service = shoe.service
        service.closed = True
        mark = service.history_fetched

        def grows(number: int) -> None:
            mark(number)
            if service.script.next < 100:
                service.script.add("dealer_changed", 1)
                service.pages = service.script.pages(first_page=3)

        service.history_fetched = grows  # type: ignore[method-assign]
        before = service.script.next
        result = CliRunner().invoke(build(), ["pull", "--out", str(tmp_path), "--port", shoe.port])
        assert result.exit_code == 0 and service.script.next > before + 1, result.output
    (path,) = tmp_path.glob("*.shoelog")
    with ShoelogReader(path) as reader:
        assert len(list(reader.records())) >= before - service.script.first_record + 1
        assert reader.clock.readings == 1 and reader.notes() == []
