"""Buzzer Beater at a hybrid table, 633c.5(m), (u), (v)(3): a hand of 19 or more that does not beat the dealer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.rules.hands import best_total, is_natural
from shoetool.rules.round import Hand, Stage

from .choice import Choice
from .view import View
from .wager import Outcome, Predicate, Wager, Wait

_TIE: Final = Choice(
    "buzzer_tie",
    "633c.5(u)(1)",
    "Buzzer Beater: a hand that ties the dealer's wins, or only one that loses to it, as (m) says (T38)",
    ("wins", "loses"),
)
_TWENTY_ONE: Final = Choice(
    "buzzer_21",
    "633c.5(v)(3)",
    "Buzzer Beater: 21 in more than two cards against 21 or Blackjack has no row: the wager comes back, pays 5 to 1 "
    "like a tie, or loses (T39)",
    ("no_row", "5_to_1", "loses"),
)
_BELOW: Final = Choice(
    "buzzer_below_19",
    "633c.5(u)(2)(ii)",
    "Buzzer Beater: a tie at 18 or less, and two hands over 21, lose or push (T40)",
    ("loses", "push"),
)
_BLACKJACK: Final = Choice(
    "buzzer_blackjack",
    "633c.5(u)(1)",
    "Buzzer Beater: a player's Blackjack is reached only by the dealer's Blackjack, or by any 21 of his (T41)",
    ("blackjack", "count"),
)
_SPLIT: Final = Choice(
    "buzzer_split",
    "633c.5(m)",
    "Buzzer Beater: after a split the first row that any hand makes is paid, or the first hand decides",
    ("any", "first"),
)
_HIGHEST_LOW_UP: Final = frozenset(range(1, 9))
"""Ranks of the up cards against which a player's Blackjack is paid at once, 633c.5(p)(1)."""


def _hands(view: View) -> Iterator[tuple[Hand, int, bool]]:
    """The hands that count, each with its count and whether it is a Blackjack."""
    for hand in view.hands[: 1 if _SPLIT.of(view.rules) == "first" else None]:
        if hand.end != "dead":
            count = best_total(hand.cards)
            yield hand, count, is_natural(hand, count)


def _meets(player: int, dealer: int) -> Predicate:
    """Whether a hand of this count, no Blackjack, meets this count of the dealer's; his Blackjack is a 21."""

    def predicate(view: View) -> bool:
        if best_total(view.dealer) != dealer or (player == dealer and _TIE.of(view.rules) == "loses"):
            return False
        return any(count == player and not natural for _, count, natural in _hands(view))

    return predicate


def _two_blackjacks(view: View) -> bool:
    """A tie at Blackjack."""
    if not view.dealer_blackjack or _TIE.of(view.rules) == "loses":
        return False
    return any(natural for *_, natural in _hands(view))


def _unpaid_21(view: View) -> bool:
    """A 21 that (u)(1) calls a winner and (v)(3) has no row for; a tie is none where the house reads (m) so."""
    if best_total(view.dealer) != 21 or (_TIE.of(view.rules) == "loses" and not view.dealer_blackjack):
        return False
    by_count = _BLACKJACK.of(view.rules) == "count" and not view.dealer_blackjack
    return any(count == 21 and (by_count or not natural) for _, count, natural in _hands(view))


def _as(word: str) -> Predicate:
    return lambda view: _TWENTY_ONE.of(view.rules) == word and _unpaid_21(view)


def _pushes(view: View) -> bool:
    """A tie below 19, or two hands over 21, where the house lets it push."""
    if _BELOW.of(view.rules) != "push":
        return False
    dealer = best_total(view.dealer)
    return any((count == dealer and count < 19) or (count > 21 and dealer > 21) for _, count, _ in _hands(view))


def _waits(view: View, outcome: Outcome | None) -> Wait:
    """When it is settled, and the clause of a loser."""
    if view.dealer_blackjack:
        return Wait(Stage.AFTER_READER, "633c.5(o)")
    hands = list(_hands(view))
    if outcome is None and view.up % 13 in _HIGHEST_LOW_UP and any(natural for *_, natural in hands):
        return Wait(Stage.IN_TURN, "633c.5(p)(1)")
    dealer = best_total(view.dealer)
    beats = any(count <= 21 and (natural or dealer > 21 or count > dealer) for _, count, natural in hands)
    return Wait(Stage.AFTER_ALL, "633c.5(u)(2)(i)" if beats else "633c.5(u)(2)(ii)")


_WINS: Final = "633c.5(u)(1)"

BUZZER_BEATER: Final = Wager(
    key="buzzer_beater",
    title="Buzzer Beater",
    offered="633c.5(m)",
    settles=_WINS,
    collects="633c.5(u)(2)(ii)",
    pays="633c.5(v)(3)",
    stage=Stage.AFTER_ALL,
    subject="shared_hands_and_dealer",
    nothing="no hand of 19 or more that the dealer reached",
    outcomes=(
        Outcome("blackjack_blackjack", _two_blackjacks, clause=_WINS),
        Outcome("twenty_twenty", _meets(20, 20), clause=_WINS),
        Outcome("twenty_21", _meets(20, 21), clause=_WINS),
        Outcome("nineteen_nineteen", _meets(19, 19), clause=_WINS),
        Outcome("nineteen_twenty", _meets(19, 20), clause=_WINS),
        Outcome("nineteen_21", _meets(19, 21), clause=_WINS),
        Outcome("twenty_one_as_tie", _as("5_to_1"), pays=("twenty_twenty",), clause=_WINS),
        Outcome("twenty_one", _as("no_row"), clause=_WINS, unpaid="the odds have no row for it; the wager comes back"),
        Outcome("push", _pushes, clause="633c.5(u)(2)(ii)", unpaid="a push; the wager comes back"),
    ),
    waits=_waits,
    waiting="633c.5(o)",
    timing="633c.5(u)(1)",
    needs_dealer_draw=True,
    shown="633c.5(c)(3)",
    choices=(_TIE, _TWENTY_ONE, _BELOW, _BLACKJACK, _SPLIT),
)
