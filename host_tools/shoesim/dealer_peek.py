"""The dealer and the card reader device: its inspection, insurance, the peek, and the slips that were asked for."""

from __future__ import annotations

from typing import Final

from shoetool.judge.allowed import no_insurance
from shoetool.model.cards import TEST_CARDS, UNKNOWN, is_blackjack
from shoetool.model.protocol_table import Clear, HandEnd, Inspection, Key, Lamp, Peek
from shoetool.table.actions import Insured, Peeked
from shoetool.table.fold import take

from shoesim.dealer_draw import Drawer
from shoesim.errors import SimulationError
from shoesim.piles import Item
from shoesim.round_state import RoundState

TRIES: Final = 3  # reads without an answer; then the reader counts as failing
INSURANCE_S: Final = 3.0  # how long the players have for their insurance wagers
_ANSWERS: Final = {
    Lamp.READER_NO_BLACKJACK: Peek.NO_BLACKJACK,
    Lamp.READER_BLACKJACK: Peek.BLACKJACK,
    Lamp.READER_AGAIN: Peek.READ_AGAIN,
}


def inspect(drawer: Drawer) -> None:
    """Inspect the reader with the test cards, as at the start of each gaming day, 633a.2(f)."""
    drawer.shoe.key(Key.READER_TEST, int(Inspection.BEGIN))
    for card in TEST_CARDS:
        for _ in range(TRIES):
            before = drawer.shoe.lamps().mask
            drawer.shoe.peek(Item(card, drawer.rules.batches[0]))
            if drawer.shoe.lamps().mask != before:
                break
    if drawer.stopped():
        raise SimulationError("the card reader device did not pass its inspection")


def peek(play: RoundState) -> bool:
    """Offer insurance and use the reader if the up card asks for it, 633a.7(h), 635a.7(g).

    Return whether the dealer has Blackjack.

    Raises SimulationError when the reader says something else than the cards do.
    """
    if play.dealer[0].shown == UNKNOWN:
        return False
    up = play.dealer[0].card
    if play.rules.game.no_hole:  # nothing to read; insurance is closed before a community card, 633c.5(z)
        if not no_insurance(play.rules.game, up):
            _offer_insurance(play)
        return False
    if not play.rules.reader:
        return False
    if not play.rules.game.asks_reader(up):
        _use_wrongly(play)
        return False
    if all(hand.ended == HandEnd.DEAD for hand in play.all_hands()):
        return False
    if play.due("peek_missed"):
        play.happens("peek_missed")
        return False
    if not no_insurance(play.rules.game, up):
        _offer_insurance(play)
    return _ask_reader(play)


def _offer_insurance(play: RoundState) -> None:
    """Ace up: insurance is offered and closed before the hole card goes into the reader, 633a.8(b) timing."""
    if play.due("peek_before_insurance"):
        play.happens("peek_before_insurance")
        _slide(play, _hole(play))
    play.shoe.wait(INSURANCE_S)
    insured = sum(1 << box - 1 for box in play.boxes if play.rng.random() < 0.2)
    play.shoe.key(Key.INSURANCE, insured)
    take(play.round, Insured, insured)


def _use_wrongly(play: RoundState) -> None:
    """Use the reader with an up card that does not ask for it, 633a.14(j)."""
    if play.due("reader_wrong_up_card"):
        play.happens("reader_wrong_up_card")
        if (answer := _slide(play, _hole(play))) is not None:
            raise SimulationError(f"the reader showed {answer.name.lower()} with a {play.dealer[0].card} up")
        play.drawer.expect_no_stop("using the reader")


def _ask_reader(play: RoundState) -> bool:
    hole = _hole(play)
    if play.due("swapped_hole_card"):
        play.happens("swapped_hole_card")
        _slide(play, Item((hole.card + play.rng.randrange(1, 52)) % 52, hole.batch))
        _expect_stop(play, "another card in the reader")
        play.drawer.clear(Clear.RESUME)
    if play.due("reader_failing"):
        play.happens("reader_failing")
        for _ in range(TRIES):
            _slide(play, Item(hole.card, hole.batch, damaged=True))
        _expect_stop(play, "a reader that reads nothing")
        inspect(play.drawer)
    answer = None
    for _ in range(TRIES):
        answer = _slide(play, hole)
        if answer != Peek.READ_AGAIN:
            break
    blackjack = is_blackjack([card.card for card in play.dealer])
    if answer != (Peek.BLACKJACK if blackjack else Peek.NO_BLACKJACK):
        said = "nothing" if answer is None else answer.name.lower()
        raise SimulationError(f"the reader says {said} in round {play.number}, Blackjack is {blackjack}")
    play.drawer.truth.peeks.append((play.number, int(answer)))
    take(play.round, Peeked, answer)
    return blackjack


def _hole(play: RoundState) -> Item:
    return Item(play.dealer[1].card, play.dealer[1].batch)


def _slide(play: RoundState, item: Item) -> Peek | None:
    """Slide a card into the reader and out, and look at its lamps; None when none is lit."""
    play.shoe.peek(item)
    lamps = play.shoe.lamps()
    return next((answer for lamp, answer in _ANSWERS.items() if lamps.on(lamp)), None)


def _expect_stop(play: RoundState, after: str) -> None:
    if not play.drawer.stopped():
        raise SimulationError(f"the shoe did not stop the game after {after} in round {play.number}")
