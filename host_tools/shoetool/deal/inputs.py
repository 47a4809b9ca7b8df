"""The input of a round: stakes, decisions and irregularities from a round file or a history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_NO_WAGERS: Final[Mapping[str, int]] = {}


class Stake(NamedTuple):
    """What one betting position has down before the first card; money in cents.

    `wager` is the main wager, in Switch that of each of the two hands; `second` is the second main wager in Switch
    when the input tells it apart. `side` has the optional wagers by key. `player` names who bets, so that adjacent
    boxes of one player can be counted; None: not known. `ante` is the switch hands ante, 0 without one (633c.4(c)).
    `player_position` is the one that a terminal of a hybrid table selected, None where there is none to select.
    """

    position: int
    wager: int
    side: Mapping[str, int] = _NO_WAGERS
    second: int | None = None
    player: str | None = None
    ante: int = 0
    player_position: int | None = None


class Decision(NamedTuple):
    """One decision of a player, in the order of the table.

    `hand` is the number of the hand: 0, in Switch 0 and 1; every split gives the next free number of the position to
    the hand that it makes, which lies to the right of the one it came from. None: the hand in turn. `amount` is cents
    for insurance, double, split and a press; None means the whole that the clause allows or asks for (a double of the
    wager, free where a free double applies; insurance needs its amount).

    `name`: insurance, even_money, surrender, double, split, stand, hit, switch, rescue, free_double, free_split,
    press (press.KEY of one wager where two may be added); no_choice at the end of a hybrid table's countdown
    (633c.5(p)(2)); with switch hands keep and switch, before all others and from the dealer's far right
    (633c.4(f)); and for irregular rounds refuse_card (633a.14(c)), late_card and dead_hand (633a.14(i), in place of
    a hit that the dealer missed).
    """

    position: int
    hand: int | None
    name: str
    amount: int | None = None


IRREGULARITIES: Final = (
    *("face_up", "ten_found", "unexposed", "exposed", "dealer_extra", "too_few", "dealer_missed", "no_cards"),
    *("one_card", "wrong_side", "reader_misused", "reader_failed"),
)
OF_A_CARD: Final = frozenset({"face_up", "ten_found", "unexposed", "exposed", "dealer_extra", "too_few"})
"""Irregularities that concern one card: they need `at`."""

IN_A_DOUBT: Final = {
    "dealer_missed": ("up", "hole"),
    "one_card": ("accept", "refuse"),
    "reader_failed": ("repaired", "voided", "played_on"),
}
"""Irregularities that need a `choice`, and which there are; the first is the default."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity of section 14 (633a) or 13 (590, 635a) that happened in a round.

    kind:
        face_up         the card was found face up in the shoe and set aside, .14(a)
        ten_found       a 10 was found in a Spanish 21 shoe and taken out, 635a.13(b)
        unexposed       drawn in error, face unseen: used as the next card, .14(b)
        exposed         drawn in error and seen, after the opening deal: used as the next card unless it is refused
                        by decisions `refuse_card`, .14(c)
        dealer_extra    the dealer had 17 or more and drew it by accident: discarded, .14(d)
        too_few         the shoe ran out; the card is the first after the new shuffle and goes to the rack, .14(f)
        dealer_missed   the dealer forgot his `up` or `hole` card, .14(e)
        no_cards        the hand got no card and is dead, .14(g)
        one_card        the hand missed its card of pass `missed` (1 or 2); it gets its second after the others
                        (`accept`) or is dead (`refuse`), .14(g)
        wrong_side      a double shoe was dealt from the wrong side, .14(h)
        reader_misused  the reader was used without an ace or ten-count card up, .14(j)
        reader_failed   the reader failed and was `repaired`; else the clause only says that dealing stops, and a
                        floorperson ruled that the round was `voided` or `played_on` without a reader, .14(k)

    `at` is the index of the card in the drawn order, from 0. `position` and `hand` say whose, where it is a hand's;
    hand SWITCH_HAND are the position's switch hands cards.
    """

    kind: str
    at: int | None = None
    position: int | None = None
    hand: int = 0
    choice: str = ""
    missed: int = 2
