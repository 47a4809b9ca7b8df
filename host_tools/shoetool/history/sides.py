"""What the less common records mean for the count of a side: openings, cards taken out of play, sides carried over."""

from __future__ import annotations

from shoetool.history.state import State
from shoetool.model.rounds import DrawnCard, Side

_TEN_RANK = 9


def is_of_batch(state: State, card: int, batch: int, head: int) -> bool:
    """Whether a known card belongs to the batch of its side: right back, and no 10 in a Spanish 21 shoe."""
    return batch == state.batches[head] and not (state.spanish and card % 13 == _TEN_RANK)


def count_opened(state: State, drawn: DrawnCard) -> None:
    """A card that had been counted face down shows its face."""
    if drawn.head > 1:
        return
    side = state.sides[drawn.head]
    if side.load_record > drawn.record:
        return  # it was drawn before its side was loaded again: a card of the batch before
    side.sealed -= 1
    if drawn.card >= 52 or is_of_batch(state, drawn.card, drawn.batch, drawn.head):
        side.take(drawn.card)
    else:
        side.drawn -= 1


def count_removed(state: State, drawn: DrawnCard) -> None:
    """A card was taken out of play for good: it counts as if it had never been in the batch."""
    if drawn.head > 1 or not 0 <= drawn.card < 52:
        return
    side = state.sides[drawn.head]
    if side.load_record < drawn.record and side.counts[drawn.card]:
        side.counts[drawn.card] -= 1
        side.drawn -= 1


def carried_side(state: State, record: int, unknown: int, dealt: bytes) -> Side:
    """The side that a `carried` record describes: 52 four-bit counts, low nibble first, and unknown cards."""
    side = Side(state.batch_size(), record)
    side.carried = True
    side.counts = [dealt[card >> 1] >> (4 * (card & 1)) & 15 for card in range(52)]
    side.unknown = unknown
    side.drawn = sum(side.counts) + unknown
    return side
