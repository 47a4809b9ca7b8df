"""PicoBoard between two turns: what ends a wait, what is read from the line, and when memory is collected."""

from __future__ import annotations

from typing import Any

import pytest
from board_parts import Parts
from pico.settings import Settings


def waited(parts: Parts, board: Any, most_ms: int = 50) -> int:
    begin = parts.ms
    board.wait(most_ms)
    return parts.ms - begin


def filled(parts: Parts) -> Any:
    """A board that has used up the holes of its start."""
    board = parts.module.PicoBoard(Settings())
    waited(parts, board)
    assert parts.filled and parts.measured and not parts.collected
    parts.filled.clear()
    parts.measured.clear()
    parts.samples = 0
    return board


@pytest.mark.parametrize("what", ["waiting", "line_ready", "key_waits"])
@pytest.mark.parametrize("at", [0, 1, 7, 30])
def test_wait_ends_a_millisecond_after_something_came(parts: Parts, what: str, at: int) -> None:
    board = filled(parts)
    parts.events[parts.ms + at] = lambda: setattr(parts, what, True)
    if not at:
        parts.events.pop(parts.ms)()
    assert waited(parts, board) == at


def test_wait_ends_after_its_time_and_samples_meanwhile(parts: Parts) -> None:
    board = filled(parts)
    assert waited(parts, board) == 50
    assert parts.samples >= 45
    assert waited(parts, board, 0) == 0


def test_what_was_typed_into_the_prompt_is_taken_away_so_that_ctrl_c_gets_through(parts: Parts) -> None:
    board = filled(parts)
    board.ready(1)
    waited(parts, board)  # which uses up the holes that the start left
    parts.typed = 600
    waited(parts, board)
    assert not parts.typed


def test_while_nobody_types_the_prompt_is_looked_at_seldom(parts: Parts) -> None:
    board = filled(parts)
    board.ready(1)
    assert waited(parts, board) >= 40
    assert 1 <= parts.looks <= 7


def test_whoever_types_without_end_keeps_the_board_from_nothing_else(parts: Parts) -> None:
    board = filled(parts)
    board.ready(1)
    waited(parts, board)
    parts.typed = 1_000_000_000
    before = parts.samples
    parts.events[parts.ms + 20] = lambda: setattr(parts, "waiting", True)
    assert waited(parts, board) == 20
    assert parts.samples - before >= 15


def test_two_requests_are_read_at_a_time_since_a_card_may_come_while_they_are_answered(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = True
    for parts.line_busy in (False, True):
        assert board.link_read(bytearray(256)) == 48
        assert board.link_read(bytearray(7)) == 7


def test_once_a_card_has_gone_by_nothing_is_read_before_its_event(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = parts.gone_by = True
    assert board.link_read(bytearray(256)) == 0
    parts.gone_by = False  # its edges were taken
    assert board.link_read(bytearray(256)) == 48


def test_a_line_that_flutters_does_not_keep_the_host_from_being_heard(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = parts.gone_by = True
    read = [board.link_read(bytearray(256)) for _ in range(100)]
    assert read.count(48) == 11 and read.count(0) == 89


def test_with_a_card_in_a_head_one_request_is_read_and_none_while_answers_are_on_their_way(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    buf = bytearray(256)
    parts.line_ready = True
    parts.line_busy = True
    assert waited(parts, board) == 0
    parts.lines = 1
    assert board.link_read(buf) == 0
    assert waited(parts, board) == 50
    parts.line_busy = False
    assert board.link_read(buf) == 32
    assert waited(parts, board) == 0


def test_memory_is_collected_in_a_quiet_moment_and_never_with_a_card_in_a_head(parts: Parts) -> None:
    board = filled(parts)
    parts.allocated += 17_000
    parts.lines = 1
    waited(parts, board)
    assert not parts.collected
    parts.lines = 0
    parts.events[parts.ms + 2] = lambda: setattr(parts, "waiting", True)
    waited(parts, board)
    assert not parts.collected, "there was something to do before it was quiet for long enough"
    parts.waiting = False
    parts.unread = True
    waited(parts, board)
    assert not parts.collected, "the card had gone by this moment, and its event is due"
    parts.unread = False
    begin = parts.ms
    assert waited(parts, board) == 3 + 25, "a wait ends with the collection"
    assert parts.collected == [begin + 3]
    board.ready(1)
    assert parts.thresholds == [-1], "once the shoe is ready no allocation collects by itself"
    del parts.collected[1:]  # that of the start
    waited(parts, board)
    parts.allocated += 16_000
    waited(parts, board)
    assert len(parts.collected) == 1, "there is not enough to collect"


def test_memory_is_collected_when_an_event_has_gone_and_not_while_it_is_on_its_way(parts: Parts) -> None:
    board = filled(parts)
    for gone_ms, collected_ms in ((2, 3), (10, 10)):
        parts.allocated += 17_000
        parts.collected.clear()
        parts.line_busy = True
        parts.events[parts.ms + gone_ms] = lambda: setattr(parts, "line_busy", False)
        begin = parts.ms
        waited(parts, board)
        assert parts.collected == [begin + collected_ms]
        waited(parts, board)


def test_while_a_history_is_fetched_memory_is_collected_only_when_little_is_left(parts: Parts) -> None:
    board = filled(parts)
    parts.line_busy = True
    parts.allocated = 55_000
    waited(parts, board)
    assert not parts.collected
    parts.allocated = 56_000
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin], "as soon as answers are handed to the line"


@pytest.mark.parametrize("what", ["lines", "unread"])
def test_when_little_is_left_a_card_still_comes_first(parts: Parts, what: str) -> None:
    board = filled(parts)
    parts.line_busy = True
    parts.allocated = 59_000
    setattr(parts, what, 1)
    waited(parts, board)
    assert not parts.collected
    setattr(parts, what, 0)
    waited(parts, board)
    assert len(parts.collected) == 1


def test_requests_that_never_end_do_not_keep_memory_from_being_collected(parts: Parts) -> None:
    """Each time when little is left, and it is asked once how much there is."""
    board = filled(parts)
    parts.line_ready = True
    for _ in range(1_000):
        parts.allocated += 272
        assert parts.allocated < 56_000 + 272
        waited(parts, board)
    assert len(parts.collected) in (5, 6) and len(parts.measured) in (5, 6)


def test_work_in_slices_is_not_held_up_by_more_collections_than_pauses(parts: Parts) -> None:
    """As a key is made: slices of work without a wait, and a pause now and then."""
    board = filled(parts)
    for _ in range(8):
        for _ in range(15):
            parts.allocated += 2_240
            waited(parts, board, 0)
        assert not parts.collected, "room is left for what comes before the pause"
        waited(parts, board, 5)
        assert len(parts.collected) == 1
        parts.collected.clear()
    assert len(parts.measured) == 7


def test_how_much_is_left_is_not_asked_while_a_card_goes_by(parts: Parts) -> None:
    """It takes 8 ms, for which its event would wait."""
    board = filled(parts)
    parts.allocated += 17_000
    parts.card_comes = True
    waited(parts, board)
    assert parts.unread
    parts.lines = 1
    for parts.unread in (True, False):
        waited(parts, board)
        parts.allocated += 1_900
    assert len(parts.filled) == 4 and not parts.measured and len(parts.collected) == 1
    parts.lines = 0
    waited(parts, board)
    assert len(parts.measured) == 1 and len(parts.collected) == 1
    parts.line_ready = True
    for parts.allocated, collected in ((55_800, 1), (56_000, 2)):  # what was used before it was asked counts
        waited(parts, board)
        assert len(parts.collected) == collected


def test_holes_wait_while_edges_do(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.unread = parts.line_ready = True
    waited(parts, board)
    assert not parts.filled


def test_in_a_quiet_moment_of_a_nearly_full_heap_less_is_enough(parts: Parts) -> None:
    board = filled(parts)
    parts.kept = 45_000
    parts.allocated = 56_000
    waited(parts, board)
    waited(parts, board)
    assert len(parts.collected) == 1
    room = 60_000 - parts.allocated - 4_096
    assert parts.allocated == 45_000 + 4 * 1024
    parts.allocated += room * 7 // 8 - 50
    waited(parts, board)
    assert len(parts.collected) == 1
    parts.allocated += 100
    waited(parts, board)
    assert len(parts.collected) == 2


def test_a_heap_that_is_used_up_while_holes_are_counts_as_no_piece(parts: Parts) -> None:
    """MicroPython collects by itself then, and the next block lies far in front of the last one."""
    board = parts.module.PicoBoard(Settings())
    spans = iter([1024, 1024, 1024, -50_000] + [1024] * 4)
    parts.module._kilobyte = lambda n: parts.filled.append(n) or next(spans)
    waited(parts, board)
    assert len(parts.filled) == 8


def test_requests_that_never_end_do_not_keep_holes_from_being_used_up(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.holes = 20
    parts.line_ready = True
    for _ in range(8):
        waited(parts, board)
    assert len(parts.filled) == 24


def test_a_heap_that_is_nearly_full_is_not_collected_at_each_turn(parts: Parts) -> None:
    board = filled(parts)
    parts.kept = 51_500
    parts.allocated = 56_000
    waited(parts, board)
    waited(parts, board)
    assert len(parts.collected) == 1 and len(parts.measured) == 1
    parts.line_ready = True
    turns = 0
    while len(parts.collected) < 2:
        parts.allocated += 300
        waited(parts, board)
        turns += 1
    assert 6 < turns < 10


def test_holes_are_used_up_after_a_collection_and_in_looks_when_a_card_comes(parts: Parts) -> None:
    board = filled(parts)
    parts.holes = 20
    parts.allocated += 17_000
    waited(parts, board)
    assert len(parts.filled) == 24, "the holes, and four kilobytes in one piece"
    parts.filled.clear()
    parts.allocated += 17_000
    parts.card_comes = True
    waited(parts, board)
    assert parts.unread and not parts.filled
    waited(parts, board)
    assert len(parts.filled) == 24 and len(set(parts.filled)) == 1, "three a look, without a pause"


@pytest.mark.parametrize(("free", "holes", "slots"), [(150_000, 36, 40), (25_000, 6, 12)])
def test_holes_and_slots_leave_a_card_its_share_of_the_heap(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, free: int, holes: int, slots: int
) -> None:
    """In a slot on the chip 24 kB are free. When holes took 42, each card found the heap used up, which took 32 ms."""
    board = filled(parts)
    monkeypatch.setattr(parts.module.gc, "mem_free", lambda: free)
    board.ready(1)
    parts.holes = 100
    for _ in range(5):
        waited(parts, board)
    assert (len(parts.filled), board.work_slots) == (holes, slots)
    assert ("filled for good" in parts.log) == (free > 100_000), "a slot cannot do without its holes"


def test_holes_of_a_heap_without_a_piece_are_not_looked_for_for_ever(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.holes = 100
    for _ in range(5):
        waited(parts, board)
    assert len(parts.filled) == 42


@pytest.mark.parametrize("fetch", [False, True])
def test_however_often_another_one_collected_it_is_collected_again_when_there_is_enough(
    parts: Parts, fetch: bool
) -> None:
    board = filled(parts)
    parts.holes = 10
    for _ in range(30):
        parts.line_busy = fetch
        parts.allocated = 0  # by a module that was loaded, or the host's `status`
        parts.filled.clear()
        waited(parts, board)
        assert len(parts.filled) == 14
        waited(parts, board)
        assert len(parts.filled) == 14
    assert not parts.collected
    parts.line_busy = False
    parts.allocated += 17_000
    waited(parts, board)
    assert len(parts.collected) == 1


def test_behind_a_card_a_wait_only_looks_at_the_panel(parts: Parts) -> None:
    """The application says when memory is collected then: how much a card used up would show in the time of it."""
    board = filled(parts)
    parts.allocated = 59_000
    begin = parts.ms
    board.wait(50, False)
    assert parts.ms == begin and not parts.collected and not parts.samples


def test_memory_is_collected_and_measured_when_the_application_says_so(parts: Parts) -> None:
    board = filled(parts)
    parts.holes = 20
    board.collect()
    assert len(parts.collected) == 1 and len(parts.filled) == 24 and len(parts.measured) == 1
    parts.card_comes = True
    board.collect()
    assert parts.unread and len(parts.collected) == 2 and len(parts.filled) == 24, "a card comes first"
    board.collect()
    assert len(parts.collected) == 2


@pytest.mark.parametrize("tidies", [False, True])
def test_time_until_a_point_of_the_grid_is_used_for_holes_and_samples_when_it_may_be(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, tidies: bool
) -> None:
    board = filled(parts)
    parts.holes = 20
    parts.allocated += 17_000
    board._begin_filling()
    monkeypatch.setattr(parts.module.PicoBoard, "_fill", lambda self: (parts.fill(0), parts.sleep(2)))
    begin = parts.ms
    assert board.until(1000 * (begin + 20), -1, tidies)
    assert parts.ms == begin + 20
    assert bool(parts.filled) == tidies


def test_an_edge_ends_the_wait_for_a_point_of_the_grid(parts: Parts) -> None:
    board = filled(parts)
    parts.events[parts.ms + 3] = lambda: setattr(parts, "unread", True)
    assert not board.until(1000 * (parts.ms + 20), -1)
