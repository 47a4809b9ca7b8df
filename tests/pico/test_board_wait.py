"""PicoBoard between two turns: what ends a wait, what is read from the line, and when memory is collected."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from board_parts import Parts
from pico.settings import Settings


def waited(parts: Parts, board: Any, most_ms: int = 50) -> int:
    begin = parts.ms
    asyncio.run(board.wait(most_ms))
    return parts.ms - begin


@pytest.mark.parametrize("what", ["waiting", "line_ready", "key_waits"])
@pytest.mark.parametrize("at", [0, 1, 7, 30])
def test_wait_ends_a_millisecond_after_something_came(parts: Parts, what: str, at: int) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.events[at] = lambda: setattr(parts, what, True)
    if not at:
        parts.events.pop(at)()
    assert waited(parts, board) == at


def test_wait_ends_after_its_time_and_samples_meanwhile(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    assert waited(parts, board) == 50
    assert parts.samples >= 45
    assert waited(parts, board, 0) == 0


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


def fetching(parts: Parts) -> Any:
    """A board that has just seen that a history is fetched."""
    board = parts.module.PicoBoard(Settings())
    parts.line_busy = True
    waited(parts, board)
    return board


def test_while_a_history_is_fetched_memory_is_collected_only_when_little_is_left(parts: Parts) -> None:
    board = fetching(parts)
    parts.allocated = 87_000
    for _ in range(40):
        waited(parts, board)
    assert not parts.collected
    parts.allocated = 89_000
    for _ in range(16):
        waited(parts, board)
    assert len(parts.collected) == 1
    parts.line_busy = False
    parts.allocated = 60_000
    for _ in range(8):
        assert len(parts.collected) == 1, "the line may be busy again in a moment"
        waited(parts, board)
    assert len(parts.collected) == 2


def test_in_a_fetch_memory_is_collected_as_soon_as_answers_are_handed_to_the_line(parts: Parts) -> None:
    board = fetching(parts)
    parts.ms += 2_000
    parts.allocated = 89_000
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin], "while the line sends"
    parts.ms += 2_000
    parts.allocated = 89_000
    parts.lines = 1
    waited(parts, board)
    assert len(parts.collected) == 1, "never with a card in a head"


def test_an_answer_that_has_gone_before_it_is_quiet_makes_no_fetch(parts: Parts) -> None:
    """So after a card's event, or a short answer: memory is collected as soon as it has gone."""
    board = parts.module.PicoBoard(Settings())
    for _ in range(20):
        parts.line_busy = True
        parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
        waited(parts, board)
    parts.line_busy = True
    parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
    parts.allocated = 17_000
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin + 3]


def test_cards_events_after_a_fetch_do_not_keep_it_up(parts: Parts) -> None:
    board = fetching(parts)
    parts.allocated = 60_000
    for _ in range(8):
        assert not parts.collected
        parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
        waited(parts, board)
        waited(parts, board)
        parts.line_busy = True
    assert len(parts.collected) == 1


def test_in_a_fetch_it_is_looked_what_is_left_before_it_can_have_been_used_up(parts: Parts) -> None:
    """To look takes 8 ms; 64 bytes a millisecond are more than a fetch takes."""
    board = fetching(parts)
    while not parts.collected:
        parts.ms += 20
        parts.allocated = used = 64 * parts.ms
        waited(parts, board, 1)
        assert used < 100_000 - 20_480 + 200 * 64
    assert len(parts.looks) <= 6


def test_a_wait_ends_with_the_collection(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.allocated = 50_000
    assert waited(parts, board) == 3 + 25


def test_memory_is_collected_in_a_quiet_moment_and_never_with_a_card_in_a_head(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.allocated = 50_000
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
    waited(parts, board)
    assert parts.collected == [begin + 3]
    board.ready(1)
    assert parts.thresholds == [-1], "once the shoe is ready no allocation collects by itself"
    parts.allocated = 16_000
    waited(parts, board)
    assert len(parts.collected) == 1, "there is not enough to collect"


@pytest.mark.parametrize("fetch", [False, True])
def test_however_often_another_one_collected_it_is_collected_again_when_there_is_enough(
    parts: Parts, fetch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holes that are used up after each collection count as kept until the next one, and no longer."""
    board = parts.module.PicoBoard(Settings())
    used: list[int] = []
    monkeypatch.setattr(parts.module, "_kilobyte", lambda n: used.append(n) or 2048)
    parts.allocated = 50_000
    waited(parts, board)
    parts.allocated = 30_000
    waited(parts, board)
    assert len(parts.collected) == 1
    for _ in range(30):
        parts.line_busy = fetch
        board._behind = 1 << 62  # whatever is made now lies in front of it
        waited(parts, board)
    assert (len(used) > 30 * 20) is not fetch
    parts.line_busy = False
    for _ in range(9):
        waited(parts, board)
    parts.allocated = 30_000
    waited(parts, board)
    assert len(parts.collected) == 1
    parts.allocated = 30_000 + 33_000 + 17_000
    waited(parts, board)
    assert len(parts.collected) == 2
