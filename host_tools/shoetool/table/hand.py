"""One hand on the table: its cards, and what was decided of it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final, Literal

from shoetool.model.cards import total
from shoetool.model.naming import enum_name, position_name
from shoetool.model.protocol_table import HandEnd, Position
from shoetool.rules.games import Game
from shoetool.rules.round import HandEnd as EndName
from shoetool.table.card import DrawnCard

ENDS: Final[dict[int, EndName]] = {
    HandEnd.STAND: "stand",
    HandEnd.TWENTY_ONE: "twenty_one",
    HandEnd.BUST: "bust",
    HandEnd.BLACKJACK: "blackjack",
    HandEnd.DOUBLED: "doubled",
    HandEnd.SURRENDERED: "surrendered",
    HandEnd.DEAD: "dead",
    HandEnd.DEALER_BLACKJACK: "dealer_blackjack",
}
"""How play on a hand ended, in the words of the settlement."""
DEAD: Final = frozenset(int(end) for end in (HandEnd.SURRENDERED, HandEnd.DEAD, HandEnd.DEALER_BLACKJACK))
"""Ends of a hand that is out of the round whatever its cards count."""
_OUT: Final = DEAD | {int(HandEnd.BUST)}
_BLACKJACK: Final = int(HandEnd.BLACKJACK)
_SURRENDERED: Final = int(HandEnd.SURRENDERED)
_SHARED: Final[dict[int, str]] = {
    Position.COMMUNITY: "the community cards",
    **{Position.PLAYER_1 + at: f"player position {at + 1}" for at in range(3)},
}
_PLACED: Final = attrgetter("placed")
SWITCH_HAND: Final = 4
"""Hand number of a position's two switch hands cards, 633c.4(d)."""


class Hand:
    """One hand of a betting position; `box` 1..7, `hand` 0 (in Blackjack Switch 0 and 1) or what a split made of it.

    `switched`: it, or the hand that it was split off, exchanged its second card with that of the other hand,
    633a.12(a)(4).

    `ended` is why (enum.hand_end), -1 while it plays; `end_record` the record that said so. `missed`: the last report
    that a card for it was missed; `late`: its last late card, 633a.14(g), (i). Records are -1 where there is none.
    `queued` is over 0 while it waits for a late card, see `turn`. `root` is the number of the hand as dealt that it was
    split off.
    """

    # Not a dataclass: the `__init__` of one is never compiled (`make compiled-wheel`), and rounds make many hands.
    __slots__ = (
        *("box", "cards", "cards_at_double", "double_record", "end_record", "ended", "hand", "late", "missed"),
        *("of_several", "queued", "root", "split", "switched", "wants"),
    )

    def __init__(self, box: int, hand: int, split: bool = False, *, switched: bool = False, root: int = 0) -> None:
        self.box = box
        self.hand = hand
        self.split = split
        self.cards: list[DrawnCard] = []
        self.ended = -1
        self.end_record = -1
        self.double_record = -1
        self.cards_at_double = 0
        self.missed = -1
        self.late = -1
        self.queued = 0
        self.switched = switched
        self.root = root
        self.wants = False
        """Hybrid table: it takes the next community card, 633c.5(r), (z)."""
        self.of_several = split
        """It is one of several of its position: by a split or, in Blackjack Switch, as dealt."""

    @property
    def doubled(self) -> bool:
        """Whether it was doubled."""
        return self.double_record >= 0

    @property
    def waits(self) -> bool:
        """Whether a card for it was missed and has not come."""
        return self.missed > self.late

    @property
    def over(self) -> bool:
        """Whether play on it has ended; an end before a card for it was missed does not count."""
        return self.ended >= 0 and self.missed <= self.end_record

    @property
    def end_name(self) -> EndName | Literal[""]:
        """How play on it ended, in the words of the settlement; a surrendered double was rescued. "" while it plays."""
        return "rescued" if self.ended == _SURRENDERED and self.doubled else ENDS.get(self.ended, "")

    @property
    def name(self) -> str:
        """Where it lies, in words."""
        return f"position {self.box}, hand {self.hand + 1}" if self.of_several else f"position {self.box}"

    def count(self) -> int:
        """Best count of the cards whose face is known."""
        return total([card.card for card in self.cards if 0 <= card.card < 52])[0]

    def live(self, game: Game) -> bool:
        """Whether the hand is settled against the dealer's: neither over 21 nor out of the round, nor paid at once."""
        if self.ended in _OUT or not game.meets_dealer(self.ended == _BLACKJACK):
            return False
        return bool(self.cards) and self.known and self.count() <= 21

    def needs_total(self, game: Game) -> bool:
        """Whether the dealer's total can still change what the hand wins: 633a.7(n), 590.7(m), 635a.7(m).

        A hand that nobody ended is in the round too.
        """
        return self.ended not in _OUT and game.waits_for_total(self.ids, self.ended == _BLACKJACK)

    @property
    def ids(self) -> list[int]:
        """Ids of its cards, in the order they came."""
        return [card.card for card in self.cards]

    @property
    def faces(self) -> list[int | None]:
        """What can be seen of its cards, in the order they came; None is a back."""
        return [card.face for card in self.cards]

    @property
    def known(self) -> bool:
        """Whether the face of every card of the hand is known."""
        for card in self.cards:  # noqa: SIM110  a loop takes half as long, and every hand is asked
            if not 0 <= card.card < 52:
                return False
        return True

    def total(self) -> tuple[int, bool] | None:
        """Best count and whether it is soft; None while a card is unknown or face down."""
        return total(self.ids) if self.known else None

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        count = self.total()
        return {
            "position": position_name(self.box),
            "hand": self.hand,
            "cards": [card.to_json() for card in self.cards],
            "total": None if count is None else count[0],
            "soft": None if count is None else count[1],
            "doubled": self.doubled,
            "from_split": self.split,
            "switched": self.switched,
            "ended": None if self.ended < 0 else enum_name(HandEnd, self.ended),
        }


def card_after(hands: Sequence[Hand], dealt: int) -> DrawnCard | None:
    """The card that a position got after the `dealt` ones of the opening deal, in whichever of its hands it lies."""
    if sum([len(hand.cards) for hand in hands]) <= dealt:
        return None
    return sorted([card for hand in hands for card in hand.cards], key=_PLACED)[dealt]


def place(box: int) -> str:
    """Where a card lies, in words."""
    if box in _SHARED:
        return _SHARED[box]
    return "the dealer" if box == 0 else f"position {box}" if 0 < box < 8 else "no position"
