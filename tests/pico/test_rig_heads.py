"""The rig's comparators: levels that ramp, with hysteresis and noise, the same for the same seed, line and time."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from rig import wiring
from rig.heads import BRIGHT, DARK, HYSTERESIS, RAMP_US, Heads

DATA = wiring.HEADS[0][3]


class FakeChip:
    """Pins and a clock."""

    def __init__(self, threshold: float = 0.5) -> None:
        self.now = 0.0
        self.share = threshold
        self.driven: list[tuple[float, int, bool]] = []
        self.mcu: Any = SimpleNamespace(adc=SimpleNamespace())
        self._alarms: list[list[Any]] = []

    def drive(self, pin: int, high: bool) -> None:
        self.driven.append((self.now, pin, high))

    def duty(self, pin: int) -> float:
        return self.share

    def at(self, micros: float, act: Callable[[], None]) -> Any:
        entry = [micros, act]
        self._alarms.append(entry)
        return SimpleNamespace(cancel=lambda: self._alarms.remove(entry) if entry in self._alarms else None)

    def run(self, until: float) -> None:
        while due := sorted((e for e in self._alarms if e[0] <= until), key=lambda e: e[0]):
            self._alarms.remove(due[0])
            self.now = due[0][0]
            due[0][1]()
        self.now = until


def seen(edges: list[tuple[float, int]], threshold: float = 0.5, **more: Any) -> tuple[list[tuple[float, bool]], Heads]:
    """What the pin of DATA at head A does when the light does this."""
    chip = FakeChip(threshold)
    heads = Heads(chip, lambda: 0, **more)  # type: ignore[arg-type]
    chip.driven.clear()
    for at, dark in edges:
        chip.run(at)
        heads.show(0, dark)
    chip.run(edges[-1][0] + 1000)
    return [(at, high) for at, pin, high in chip.driven if pin == DATA], heads


EDGES = [(1000.0 * i, 8 * (i & 1)) for i in range(1, 401)]


def test_a_comparator_switches_late_and_never_twice_alike() -> None:
    pins, heads = seen(EDGES, noise=30.0)
    assert [high for _, high in pins] == [bool(dark) for _, dark in EDGES]
    late = [at - due for (at, _), (due, _) in zip(pins, EDGES, strict=True)]
    assert heads.switched == len(EDGES) and not heads.chattered
    assert min(late) > 0 and max(late) < RAMP_US and len({round(one, 6) for one in late}) > 390


def test_the_same_seed_makes_the_same_edges_and_another_seed_others() -> None:
    assert seen(EDGES, seed=3)[0] == seen(EDGES, seed=3)[0] != seen(EDGES, seed=4)[0]
    later = EDGES[50:]  # noise is that of the moment, whatever came before
    assert seen(later, seed=3)[0][-200:] == seen(EDGES, seed=3)[0][-200:]


def test_without_noise_the_threshold_and_the_hysteresis_say_when() -> None:
    for share in (0.3, 0.5, 0.7):
        (rise, fall), _ = seen([(1000.0, 8), (2000.0, 0)], share, noise=0.0)
        up = (share * 65535 + HYSTERESIS / 2 - BRIGHT) / (DARK - BRIGHT) * RAMP_US
        down = (DARK - share * 65535 + HYSTERESIS / 2) / (DARK - BRIGHT) * RAMP_US
        assert abs(rise[0] - 1000 - up) < 1e-6 and abs(fall[0] - 2000 - down) < 1e-6


def test_a_flash_shorter_than_the_ramp_is_not_seen() -> None:
    pins, heads = seen([(1000.0, 8), (1003.0, 0), (2000.0, 8)], noise=0.0)
    assert [high for _, high in pins] == [True] and pins[0][0] > 2000
    assert heads.switched == 2


def test_noise_beyond_the_hysteresis_makes_it_chatter_and_it_ends_right() -> None:
    pins, heads = seen(EDGES, noise=HYSTERESIS / 2)
    assert heads.chattered > 50
    assert len(pins) == len(EDGES) + 2 * heads.chattered
    assert pins[-1][1] == bool(EDGES[-1][1])


def test_a_rig_may_have_comparators_that_switch_at_once() -> None:
    pins, _ = seen(EDGES, ramp_us=0.0)
    assert pins == [(at, bool(dark)) for at, dark in EDGES]


def test_each_line_of_each_head_has_its_own_pin_threshold_and_level() -> None:
    chip = FakeChip()
    picked = [0]
    asked: list[int] = []
    chip.duty = lambda pin: (asked.append(pin), 0.5)[1]  # type: ignore[method-assign]
    converted: list[int] = []
    chip.mcu.adc = SimpleNamespace(complete_adc_read=lambda value, failed: converted.append(value))
    chip.clock = SimpleNamespace(create_alarm=lambda act: SimpleNamespace(schedule=lambda ns: act()))  # type: ignore[attr-defined]
    heads = Heads(chip, lambda: picked[0], ramp_us=0.0)  # type: ignore[arg-type]
    pins = [(3, 4, 5, 6), (7, 8, 9, 10), (11, 12, 13, 14)]
    for head in range(3):
        for line in range(4):
            chip.driven.clear()
            asked.clear()
            heads.show(head, 1 << line)
            assert [(pin, high) for _, pin, high in chip.driven if high] == [(pins[head][line], True)]
            assert set(asked) == {(15, 20, 21)[head]}
            for picked[0] in range(4):
                converted.clear()
                for channel in range(3):
                    chip.mcu.adc.on_adc_read(channel)
                dark = [i == head and picked[0] == line for i in range(3)]
                assert [value > 1500 for value in converted] == dark
        heads.show(head, 0)
