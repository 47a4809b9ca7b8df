"""Every kind of pass as light at the pins of the chip, and heads whose wires are broken."""

from __future__ import annotations

from typing import Any

import pytest
from bench import connect
from hands import BATCH, TWOS, Hands, brief
from shoetool.model.protocol_table import Clear, FaultCode, IrregularityCode, RecordKind, Unreadable
from shoetool.simulate.table import Item

SEED = 61
FAULT, IRREGULARITY = RecordKind.FAULT, RecordKind.IRREGULARITY
PRESENT, CLOCK_A, CLOCK_B, DATA = range(4)


def at_play(playing: Any) -> Hands:
    """Connect to the shoe in play."""
    print("seed", SEED)
    hands = Hands(playing, connect(playing), SEED)
    hands.seen = hands.client.status().next_record
    return hands


GOES_ON = {
    "card": [(RecordKind.CARD, TWOS[0])],
    "pull_back": [(IRREGULARITY, IrregularityCode.PULLED_BACK)],
    "blank": [(IRREGULARITY, IrregularityCode.FACE_UP_CARD)],
}
STOPS = {
    "double_feed": (FaultCode.DOUBLE_FEED, Clear.REREAD),
    "stuck_a": (FaultCode.HEAD_STUCK, Clear.RESUME),
    "stuck_b": (FaultCode.HEAD_STUCK, Clear.RESUME),
    "stuck_data": (FaultCode.UNREADABLE, Clear.REREAD),
    "saturated": (FaultCode.HEAD_SATURATED, Clear.RESUME),
}


@pytest.mark.parametrize("kind", GOES_ON)
def test_a_pass_that_the_game_goes_on_after(playing: Any, kind: str) -> None:
    hands = at_play(playing)
    hands.pull(kind)
    assert brief(hands.news()) == GOES_ON[kind]
    assert not hands.stopped()
    hands.draws(TWOS[1])


@pytest.mark.parametrize("kind", STOPS)
def test_a_pass_that_stops_the_game(playing: Any, kind: str) -> None:
    code, how = STOPS[kind]
    hands = at_play(playing)
    hands.pull(kind)
    hands.shoe.wait(0.5)
    found = brief(hands.news())
    assert found and found[0] == (FAULT, code)
    assert hands.stopped()
    assert (RecordKind.CLEARED, code) in brief(hands.clear(how))
    hands.draws(TWOS[1])


def test_a_card_of_another_batch_is_named_at_once(playing: Any) -> None:
    hands = at_play(playing)
    hands.pull(card=TWOS[2], batch=BATCH + 6)
    assert brief(hands.news())[0] == (FAULT, FaultCode.FOREIGN_BATCH)
    assert hands.stopped()


def test_a_scratched_card_is_unreadable_and_drawn_again(playing: Any) -> None:
    hands = at_play(playing)
    hands.shoe.draw(0, Item(TWOS[0], BATCH, damaged=True))
    assert brief(hands.news()) == [(FAULT, FaultCode.UNREADABLE)]
    hands.clear(Clear.REREAD)
    hands.draws(TWOS[1])


@pytest.mark.parametrize(
    ("line", "dark", "codes"),
    [
        (CLOCK_A, False, {FaultCode.HEAD_STUCK}),
        (CLOCK_B, False, {FaultCode.HEAD_STUCK}),
        (DATA, True, {FaultCode.UNREADABLE, FaultCode.HEAD_STUCK}),
        (PRESENT, False, {FaultCode.HEAD_SATURATED, FaultCode.HEAD_STUCK, FaultCode.UNREADABLE}),
    ],
)
def test_a_dead_or_blocked_line_never_gives_a_card(
    playing: Any, only_emulated: None, line: int, dark: bool, codes: set[FaultCode]
) -> None:
    hands = at_play(playing)
    wires = hands.shoe.wires
    wires.stick(0, line, dark)
    before = wires.altered
    hands.pull()
    hands.shoe.wait(1.0)
    records = hands.news()
    assert wires.altered > before, "the broken line changed nothing"
    assert not [record for record in records if record.kind == RecordKind.CARD]
    assert {record.get("code") for record in records if record.kind == FAULT} & codes
    assert hands.stopped()
    wires.mend(0)
    if line != DATA:
        assert next(r.get("detail") for r in records if r.kind == FAULT) in set(Unreadable)


@pytest.mark.parametrize(("one", "other"), [(CLOCK_A, CLOCK_B), (CLOCK_A, DATA), (PRESENT, DATA)])
def test_swapped_lines_never_give_a_card(playing: Any, only_emulated: None, one: int, other: int) -> None:
    """Swapped clocks turn the direction round: a card that seems to be pushed in is none that was dealt."""
    hands = at_play(playing)
    wires = hands.shoe.wires
    wires.swap(0, one, other)
    before = wires.altered
    hands.pull()
    hands.shoe.wait(1.0)
    records = hands.news()
    assert wires.altered > before, "the swapped wires changed nothing"
    assert records and not [record for record in records if record.kind == RecordKind.CARD]


def test_the_levels_that_the_shoe_tells_are_those_of_the_light(playing: Any, only_emulated: None) -> None:
    """The multiplexers and the ADC: each line of each head has a level of its own here."""
    client = connect(playing)
    for head in range(3):
        for line in range(4):
            playing.wires.levels[head][line][False] = 3000 + 1600 * head + 400 * line
    for head in range(3):
        told = client.levels(head)
        assert told is not None
        wanted = [3000 + 1600 * head + 400 * line for line in range(4)]
        assert all(abs(line.now - level) <= 32 for line, level in zip(told.lines, wanted, strict=True))
