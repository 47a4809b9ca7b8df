"""What can happen at a table: one small type for each action. `fold` takes them into a round.

`record` is the number of the record that tells of it, NO_RECORD for an action that none does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from shoetool.model.cards import is_ten
from shoetool.model.protocol_table import IrregularityCode, Position, RecordKind, Role
from shoetool.table.card import DrawnCard

NO_RECORD: Final = -1
PLAYER_ROLES: Final = frozenset(
    int(role)
    for role in (*(Role.OPENING, Role.DRAW, Role.DOUBLE_DRAW, Role.SPLIT_SECOND, Role.LATE), Role.DETERMINANT_FIRST)
)
DEALER_ROLES: Final = frozenset((int(Role.DEALER_UP), int(Role.HOLE), int(Role.DEALER_DRAW)))
DEALT_ROLES: Final = PLAYER_ROLES | DEALER_ROLES
"""Roles of a card in a hand, the dealer's included."""
FURTHER_ROLES: Final = frozenset(
    (int(Role.DRAW), int(Role.DOUBLE_DRAW), int(Role.SPLIT_SECOND), int(Role.LATE), int(Role.DEALER_DRAW))
)
"""Of them those that may come after the opening deal."""
OPENING_ROLES: Final = DEALT_ROLES - FURTHER_ROLES
DETERMINANTS: Final = frozenset((int(Role.DETERMINANT_FIRST), int(Role.DETERMINANT_ASIDE)))
SKIPS: Final = (IrregularityCode.HAND_WITHOUT_CARDS, IrregularityCode.HAND_WITH_ONE_CARD)
"""Reports that a card of the opening deal was missed for a hand."""
MISSES: Final = (IrregularityCode.MISSED_CARD, *SKIPS)
"""Reports that a card for a hand was missed."""

DRAWN: Final = 0
TURNED: Final = 1
MOVED: Final = 2


class CardPlaced(NamedTuple):
    """A card got a place: `how` it was DRAWN, TURNED (it may have another place by then) or MOVED there. A later action
    may have given the card another place."""

    card: DrawnCard
    role: int
    box: int
    hand: int
    record: int = NO_RECORD
    how: int = DRAWN

    @property
    def taken_out(self) -> bool:
        """Whether it is a 10 that Spanish 21 takes out as it comes, 635a.13(b); a discarded card goes to the rack."""
        out = (self.role, self.box, self.how) == (Role.DISCARDED, Position.NONE, DRAWN)
        return out and is_ten(self.card.card)


class CardTurned(NamedTuple):
    """A card that lay face down was turned where it lies."""

    card: DrawnCard
    record: int = NO_RECORD


class HandEnded(NamedTuple):
    """`why`: enum.hand_end."""

    box: int
    hand: int
    why: int
    record: int = NO_RECORD


class Doubled(NamedTuple):
    """A double or free double; its card comes next."""

    box: int
    hand: int
    record: int = NO_RECORD


class Split(NamedTuple):
    """The second card of a hand became hand `new_hand`, to its right."""

    box: int
    hand: int
    new_hand: int
    record: int = NO_RECORD


class Hit(NamedTuple):
    """Hybrid table: a hand takes the next community card, 633c.5(r), (z)."""

    box: int
    hand: int
    record: int = NO_RECORD


class CountdownOver(NamedTuple):
    """Hybrid table: the countdown ended, a bit per terminal without a choice, 633c.5(p)(2), (z)."""

    boxes: int
    record: int = NO_RECORD


class Switched(NamedTuple):
    """A position exchanged the second cards of its two hands, 633a.12(a)(4)."""

    box: int
    record: int = NO_RECORD


class HandChosen(NamedTuple):
    """A position keeps its hand or plays its switch hands cards, 633c.4(f)."""

    box: int
    switched: int
    record: int = NO_RECORD


class Revealed(NamedTuple):
    """The hole card, drawn by record `hole`, was turned."""

    hole: int
    record: int = NO_RECORD


class SideChosen(NamedTuple):
    """The determinant card chose a side of the double shoe: 0 is A."""

    side: int
    record: int = NO_RECORD


class Peeked(NamedTuple):
    """The card reader device answered: enum.peek."""

    result: int
    record: int = NO_RECORD


class Insured(NamedTuple):
    """Insurance was closed: a bit per position that placed it, none for more than 0xFF."""

    boxes: int
    record: int = NO_RECORD


class CoverCame(NamedTuple):
    """The cover card came out."""

    head: int
    phase: int
    box: int
    batch: int
    record: int = NO_RECORD


class Refilled(NamedTuple):
    """The cards of the rack were shuffled and loaded, 633a.14(f)."""

    side: int
    cards: int
    record: int = NO_RECORD


class Reported(NamedTuple):
    """The shoe reported an irregularity: enum.irregularity_code, and what it concerns."""

    code: int
    box: int
    hand: int
    head: int
    detail: int
    record: int = NO_RECORD


class Faulted(NamedTuple):
    """A fault was latched: enum.fault_code."""

    code: int
    head: int
    detail: int
    record: int = NO_RECORD


class Cleared(NamedTuple):
    """A fault was cleared."""

    code: int
    how: int
    record: int = NO_RECORD


class RoundClosed(NamedTuple):
    """`outcome`: enum.round_end; `dealer_total` 0 where it decided nothing."""

    round: int
    outcome: int
    dealer_total: int
    record: int = NO_RECORD


class Loaded(NamedTuple):
    """A full batch was shuffled and loaded."""

    side: int
    cards: int
    record: int = NO_RECORD


class Carried(NamedTuple):
    """What had come out of a side before its shoe was opened anew."""

    side: int
    unknown: int
    dealt: bytes
    record: int = NO_RECORD


class CountStarted(NamedTuple):
    """The cards of a side are counted; `test`: they are a test deal of a known order."""

    side: int
    test: int
    record: int = NO_RECORD


class ReaderTested(NamedTuple):
    """A step of the inspection of the card reader device: enum.reader_step."""

    step: int
    record: int = NO_RECORD


class DealerChanged(NamedTuple):
    """Another dealer came."""

    number: int
    record: int = NO_RECORD


class Finished(NamedTuple):
    """No further round from this side: enum.finish."""

    side: int
    why: int
    cards_out: int
    record: int = NO_RECORD


class ShoeClosed(NamedTuple):
    """`why`: enum.finish."""

    why: int
    rounds: int
    cards: int
    record: int = NO_RECORD


class Recorded(Protocol):
    """Every action but those of a card."""

    @property
    def record(self) -> int:
        """The record that tells of it."""


Action = CardPlaced | CardTurned | Recorded

OF_RECORDS: Final[dict[int, Callable[..., Recorded]]] = {
    int(RecordKind.HAND_ENDED): HandEnded,
    int(RecordKind.DOUBLED): Doubled,
    int(RecordKind.SPLIT): Split,
    int(RecordKind.HIT): Hit,
    int(RecordKind.COUNTDOWN): CountdownOver,
    int(RecordKind.SWITCHED): Switched,
    int(RecordKind.SWITCH_HAND): HandChosen,
    int(RecordKind.REVEALED): Revealed,
    int(RecordKind.SIDE_CHOSEN): SideChosen,
    int(RecordKind.PEEK): Peeked,
    int(RecordKind.INSURANCE): Insured,
    int(RecordKind.COVER_CARD): CoverCame,
    int(RecordKind.REFILLED): Refilled,
    int(RecordKind.IRREGULARITY): Reported,
    int(RecordKind.FAULT): Faulted,
    int(RecordKind.CLEARED): Cleared,
    int(RecordKind.ROUND_CLOSED): RoundClosed,
    int(RecordKind.LOADED): Loaded,
    int(RecordKind.CARRIED): Carried,
    int(RecordKind.COUNT_STARTED): CountStarted,
    int(RecordKind.READER_TEST): ReaderTested,
    int(RecordKind.DEALER_CHANGED): DealerChanged,
    int(RecordKind.FINISHED): Finished,
    int(RecordKind.SHOE_CLOSED): ShoeClosed,
}
"""The action of each kind of record that lays no card: it has the fields of the record, in their order."""
