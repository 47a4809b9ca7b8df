"""Every kind of pass as light at the pins of the chip, and heads whose wires are broken."""

from __future__ import annotations

from typing import Any

import pytest
from bench import connect
from hands import BATCH, TWOS, Hands, brief
from shoesim.piles import Item
from shoetool.model.protocol_table import Calibration, Clear, FaultCode, IrregularityCode, RecordKind, Unreadable

SEED = 61
FAULT, IRREGULARITY = RecordKind.FAULT, RecordKind.IRREGULARITY
PRESENT, CLOCK_A, CLOCK_B, DATA = range(4)


def at_play(playing: Any) -> Hands:
    """Connect to the shoe in play."""
    print("seed", SEED)
    return Hands(playing, connect(playing), SEED)


GOES_ON = {
    "card": [(RecordKind.CARD, TWOS[0])],
    "pull_back": [(IRREGULARITY, IrregularityCode.PULLED_BACK)],
    "blank": [(IRREGULARITY, IrregularityCode.FACE_UP_CARD)],
}
STOPS = {
    "double_feed": (FaultCode.DOUBLE_FEED, Clear.REREAD),
    "stuck_present": (FaultCode.HEAD_STUCK, Clear.RESUME),
    "stuck_a": (FaultCode.HEAD_STUCK, Clear.RESUME),
    "stuck_b": (FaultCode.HEAD_STUCK, Clear.RESUME),
    "stuck_data": (FaultCode.HEAD_STUCK, Clear.RESUME),
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
    hands.pull(card=TWOS[2], batch=BATCH + 2)
    assert brief(hands.news())[0] == (FAULT, FaultCode.FOREIGN_BATCH)
    assert hands.stopped()


def test_a_scratched_card_is_unreadable_and_drawn_again(playing: Any) -> None:
    hands = at_play(playing)
    hands.shoe.draw(0, Item(TWOS[0], BATCH, damaged=True))
    assert brief(hands.news()) == [(FAULT, FaultCode.UNREADABLE)]
    hands.clear(Clear.REREAD)
    hands.draws(TWOS[1])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("line", [PRESENT, CLOCK_A, CLOCK_B, DATA])
def test_a_dead_or_blocked_line_is_named_and_gives_no_card(playing: Any, line: int, dark: bool) -> None:
    """Under a card sensor that stays dark the first card may be lying there: the second one tells."""
    hands = at_play(playing)
    wires = hands.shoe.wires
    wires.stick(0, line, dark)
    before = wires.altered
    for _ in range(2 if line == PRESENT and dark else 1):
        hands.pull()
        hands.shoe.wait(1.2)
    (record,) = hands.news()
    assert wires.altered > before, "the broken line changed nothing"
    assert record.kind == RecordKind.FAULT
    assert (record.get("code"), record.get("head"), record.get("detail")) == (FaultCode.HEAD_STUCK, 0, Unreadable.STUCK)
    assert hands.stopped()
    wires.mend(0)
    hands.shoe.wait(0.5)
    hands.news()  # what lay in the throat until then is gone
    assert (RecordKind.CLEARED, FaultCode.HEAD_STUCK) in brief(hands.clear(Clear.RESUME))
    hands.draws(TWOS[1])


@pytest.mark.parametrize(("one", "other"), [(CLOCK_A, CLOCK_B), (CLOCK_A, DATA), (PRESENT, DATA)])
def test_swapped_lines_never_give_a_card(playing: Any, one: int, other: int) -> None:
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


def test_the_levels_that_the_shoe_tells_are_those_of_the_light(emulated: Any) -> None:
    """The multiplexers and the ADC: each line of each head has a level of its own here.

    The levels of this moment are told of a head that is being calibrated, when no card of the table can lie in it.
    """
    client = connect(emulated)
    for head in range(3):
        for line in range(4):
            emulated.wires.levels[head][line][False] = 3000 + 1600 * head + 400 * line
    for head in range(3):
        before = client.levels(head)
        client.calibrate(head, Calibration.BEGIN)
        told = client.levels(head)
        client.calibrate(head, Calibration.END)
        assert before is not None and told is not None
        assert [line.now for line in before.lines] == [None] * 4
        for line, row in enumerate(told.lines):
            assert row.now is not None and abs(row.now - (3000 + 1600 * head + 400 * line)) <= 32, (head, line)
