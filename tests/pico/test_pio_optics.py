"""The PIO program of a read head and its two DMA channels, on rp2040py's model of PIO and DMA; no UF2 takes part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from optics_rig import Rig, rig

# What Adafruit's pioasm 1.3.8 and the Pico SDK's syntax make of the same lines.
OPCODES = [0xE03F, 0x0004, 0xA026, 0x8020, 0xA0C3, 0x4004, 0xA046, 0x00A2, 0xA042, 0xA042]
RXSTALL = 0x50200008


@pytest.fixture
def optics() -> Iterator[Rig]:
    with rig() as one:
        yield one


def test_the_source_assembles_to_the_opcodes_of_another_assembler(optics: Rig) -> None:
    program = optics.program.watch
    assert program.opcodes == OPCODES
    assert (program.wrap_target, program.wrap) == (4, 9)
    assert not program.in_right and program.join_rx


def test_each_instruction_of_a_sample_is_counted(optics: Rig) -> None:
    """With a change and without: as far as the jump, and from `changed` on, or over the two that only take time."""
    program = optics.program.watch
    assert program.wrap + 1 - program.wrap_target == optics.program.SAMPLE_CYCLES
    as_far_as_the_jump = program.opcodes.index(0x00A2) + 1 - program.wrap_target
    assert as_far_as_the_jump + program.wrap_target - program.labels["changed"] == optics.program.SAMPLE_CYCLES


@pytest.mark.parametrize("edges_of_data", [1, 2, 9])
def test_edges_of_another_line_do_not_move_the_time_of_an_edge(edges_of_data: int) -> None:
    """PRESENT ends at the same time after a card with many edges of DATA and after one with few."""
    ended = []
    for times in (0, edges_of_data):
        with rig() as optics:
            optics.show(1, 10 * optics.sample)
            lines = 1
            for i in range(18):
                lines ^= 8 if i < times else 0
                optics.show(lines, optics.sample + 100)
            optics.show(0, 2 * optics.sample)
            edges = optics.read()
            assert isinstance(edges, list)
            assert len(edges) == 2 + times
            ended.append(edges[-1][0])
    assert ended[0] == ended[1]


@pytest.mark.parametrize("state", range(16))
def test_first_word_is_the_state_found(state: int, optics: Rig) -> None:
    optics.optics.close()
    optics.chip.drive(7, state)
    again = Rig(optics.chip)
    again.chip.run_us(50)
    machine = optics.chip.pio.machines[1]
    assert machine.x == state
    assert again.states(1) == ([state] if state else [])  # nothing dark is no change


def test_every_state_after_every_other_yields_one_word_each(optics: Rig) -> None:
    walk = [state for a in range(16) for b in range(16) if a != b for state in (a, b)]
    want = [b for a, b in pairwise([0, *walk]) if a != b]
    got = []
    for state in walk:
        optics.show(state, optics.sample)
        got += optics.states()
    optics.chip.run(optics.sample, 5)
    got += optics.states()
    assert len(set(pairwise(got))) == 240
    assert got == want


def test_nothing_is_pushed_while_nothing_changes(optics: Rig) -> None:
    optics.show(9, 200 * optics.sample)
    assert optics.states() == [9]
    optics.chip.run(1000 * optics.sample, 125)
    assert optics.states() == []
    assert optics.chip.pio.machines[0].rx_fifo.empty


def test_lines_that_change_together_share_a_word(optics: Rig) -> None:
    for state in (0b0110, 0b1001, 0b1111, 0b0000):
        optics.show(state, 2 * optics.sample)
    assert optics.states() == [0b0110, 0b1001, 0b1111, 0b0000]


def test_the_time_is_that_of_the_change_within_a_sample(optics: Rig) -> None:
    rng = random.Random(5)
    optics.chip.run(rng.randrange(5000), 1)
    driven = [(optics.show(1 + i % 15, optics.sample + rng.randrange(3000)), 1 + i % 15) for i in range(60)]
    optics.chip.run(optics.sample, 5)
    edges = optics.read()
    assert isinstance(edges, list)
    assert [lines for _, lines in edges] == [lines for _, lines in driven]
    # A change just behind a look is found by the next one, which takes five more cycles of the program to note it.
    longest = -(-optics.sample * 11 // 6 // 125) + 1
    for (at, _), (want, _) in zip(edges, driven, strict=True):
        assert 0 <= at - want <= longest


def test_changes_as_far_apart_as_a_sample_with_a_change_are_all_seen(optics: Rig) -> None:
    """The worst case for which the program's heading stands, at every phase between pins and program."""
    for phase in range(0, optics.sample, 25):
        optics.chip.run(phase, 5)
        walk = [1, 3, 7, 6, 4, 0] * 4
        for state in walk:
            optics.show(state, optics.sample + 5)
        optics.chip.run(optics.sample, 5)
        assert optics.states() == walk


def test_what_is_shorter_than_a_sample_yields_two_words_or_none(optics: Rig) -> None:
    seen = []
    for phase in range(0, optics.sample, 5):
        optics.chip.run(phase + 3 * optics.sample, 1)
        optics.show(8, optics.sample // 3)
        optics.show(0, 3 * optics.sample)
        states = optics.states()
        assert states in ([], [8, 0])
        seen.append(bool(states))
    assert any(seen) and not all(seen)


def test_other_heads_and_other_pins_are_not_seen(optics: Rig) -> None:
    for pin in (2, 15, 16, 22, 26):
        optics.chip.mcu.gpio[pin].set_input_value(True)
    optics.show(5, optics.sample, 0)
    optics.show(10, optics.sample, 1)
    optics.show(15, 2 * optics.sample, 2)
    assert [optics.states(head) for head in range(3)] == [[5], [10], [15]]
    assert [optics.optics.lines(head) for head in range(3)] == [5, 10, 15]


def test_a_burst_of_the_fifos_depth_waits_for_dma_and_loses_nothing(optics: Rig) -> None:
    """DMA held up, as by a long burst of others on the bus: the FIFO holds what came, with the right states."""
    machine = optics.chip.pio.machines[0]
    optics.chip.run(4 * optics.sample, 5)
    assert optics.states() == []
    channel = optics.optics._channels[0][0]
    control = 0x50000010 + 0x40 * channel.channel
    enabled = optics.chip.mcu.read_uint32(control)
    optics.chip.mcu.write_uint32(control, enabled & ~1)
    burst = [1, 2, 3, 4]
    for state in burst:
        optics.show(state, optics.sample + 5)
    optics.chip.run(optics.sample, 5)
    assert machine.rx_fifo.item_count == len(burst)
    assert not optics.chip.mcu.read_uint32(RXSTALL) & 1
    optics.chip.mcu.write_uint32(control, enabled)
    optics.chip.mcu.write_uint32(0x50000430, 1 << channel.channel)
    optics.chip.run(2000, 5)
    assert optics.states() == burst


def test_a_stalled_program_is_reported_once_and_the_head_watched_anew(optics: Rig) -> None:
    optics.show(1, 2 * optics.sample)
    assert optics.states() == [1]
    channel = optics.optics._channels[0][0]
    optics.chip.mcu.write_uint32(0x50000010 + 0x40 * channel.channel, 0)  # the fault: DMA is off
    for state in (2, 3, 4, 5, 6, 7):
        optics.show(state, optics.sample)
    assert optics.chip.mcu.read_uint32(RXSTALL) & 1  # it has fired
    assert optics.read_once() == -1
    optics.chip.run(2 * optics.sample, 5)
    assert not optics.chip.mcu.read_uint32(RXSTALL) & 1
    assert optics.states() == [7]
    optics.show(0, 2 * optics.sample)
    assert optics.states() == [0]


def test_waiting_says_when_there_is_something_to_read(optics: Rig) -> None:
    optics.chip.run(3 * optics.sample, 5)
    assert [optics.states(head) for head in range(3)] == [[], [], []]
    for head in range(3):
        assert not optics.optics.waiting()
        optics.show(6, 2 * optics.sample, head)
        assert optics.optics.waiting()
        assert optics.states(head) == [6]
    for i in range(512):  # as many as make the ring's ends meet
        optics.show(1 + i % 5, optics.sample + 5)
    optics.chip.run(optics.sample, 5)
    assert optics.optics.waiting()
    assert optics.read_once() == optics.ring.FLOODED
    optics.chip.run(2 * optics.sample, 5)
    assert optics.states() == [2]
    assert not optics.optics.waiting()
    channel = optics.optics._channels[1][0].channel
    optics.chip.mcu.write_uint32(0x50000010 + 0x40 * channel, 0)
    for state in (1, 2, 3, 4, 5, 6):
        optics.show(state, optics.sample, 1)
    assert optics.optics.waiting()
    assert optics.read_once(1) == -1


def looks(optics: Rig, most: int = 100) -> int:
    """How often one has to ask until there is something to read."""
    return next(look for look in range(1, most) if optics.optics.waiting())


def test_edges_of_a_card_on_its_way_gather(optics: Rig) -> None:
    optics.chip.run(3 * optics.sample, 5)
    assert [optics.states(head) for head in range(3)] == [[], [], []]
    assert not any(optics.optics.waiting() for _ in range(100))
    optics.show(1, 2 * optics.sample)
    assert looks(optics) == 8
    assert optics.states() == [1]
    for i in range(127):
        optics.show(3 if i % 2 else 1 + 8, optics.sample + 5)
        assert i % 8 or not optics.optics.waiting()
        if i % 8 == 7:
            optics.optics._looks = 0
    optics.show(1, 2 * optics.sample)
    assert looks(optics) == 1  # a quarter of the ring
    assert len(optics.states()) == 128
    optics.show(3, 2 * optics.sample, 0)
    assert not optics.optics.waiting() and not optics.optics.due()
    optics.show(0, 2 * optics.sample, 0)
    assert looks(optics) == 1 and optics.optics.due()  # the card has left
    assert optics.states() == [3, 0]
    assert not optics.optics.due()


def test_close_stops_all_and_another_one_can_begin(optics: Rig) -> None:
    optics.optics.close()
    optics.show(5, 4 * optics.sample)
    assert optics.chip.mcu.read_uint32(0x50200000) & 15 == 0
    assert all(not channel.active for channel in optics.chip.mcu.dma.channels)
    again = Rig(optics.chip)
    again.chip.run(2 * again.sample, 5)
    assert again.states() == [5]


def test_a_full_ring_is_read_whole(optics: Rig) -> None:
    states = [1 + i % 15 for i in range(511)]
    for state in states:
        optics.show(state, optics.sample + 5)
    optics.chip.run(optics.sample, 5)
    assert optics.states() == states
    optics.show(0, 2 * optics.sample)
    assert optics.states() == [0]


@pytest.mark.parametrize("changes", [512, 513, 700, 1024])
def test_a_lapped_ring_is_reported_once_and_the_head_watched_anew(changes: int, optics: Rig) -> None:
    for i in range(changes):
        optics.show(1 + i % 15, optics.sample + 5)
    optics.chip.run(optics.sample, 5)
    assert optics.read_once() == optics.ring.FLOODED
    optics.chip.run(2 * optics.sample, 5)
    assert optics.states() == [1 + (changes - 1) % 15]
    assert optics.states(1) == []


def test_reading_while_dma_writes(optics: Rig) -> None:
    """Time passes at each access of the reader; nothing is missed, doubled or torn, in batches of every size."""
    rng = random.Random(11)
    got: list[tuple[int, int]] = []
    driven = []
    for i in range(1500):
        driven.append((optics.show(1 + i % 15, optics.sample + rng.randrange(400)), 1 + i % 15))
        if rng.random() < 0.05:
            optics.chip.disturb(rng, 40)
            edges = optics.read(0, 1 + rng.randrange(64))
            optics.chip.disturb(None)
            assert isinstance(edges, list)
            got += edges
    optics.chip.run(optics.sample, 5)
    edges = optics.read()
    assert isinstance(edges, list)
    got += edges
    assert [lines for _, lines in got] == [lines for _, lines in driven]
    assert all(0 <= at - want <= 10 for (at, _), (want, _) in zip(got, driven, strict=True))


def test_heads_that_are_watched_anew_forget_all_but_what_lies_there(optics: Rig) -> None:
    """As at the start: comparators whose thresholds still rise call everything dark for some milliseconds."""
    for head in range(3):
        optics.chip.drive(optics.pins[head], 15)
    optics.chip.run_us(6000)
    for state in (13, 9, 8, 0):
        for head in range(3):
            optics.chip.drive(optics.pins[head], state if head < 2 else state | 1)
        optics.chip.run_us(150)
    optics.optics.begin()
    optics.chip.run_us(50)
    assert [optics.states(head) for head in range(3)] == [[], [], [1]]
    for state in (3, 0):
        optics.show(state, 4 * optics.sample, 2)
    assert optics.states(2) == [3, 0]
