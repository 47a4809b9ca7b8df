"""Outcomes of the main wager that several chapters have; each says by which of its clauses: `HIGHER.by(...)`."""

from __future__ import annotations

from typing import Final

from shoetool.rules.games.settling import MainOutcome

BUST: Final = MainOutcome("bust", lambda show: show.total > 21, "lose", "", "{total}: over 21")
BLACKJACK_TIE: Final = MainOutcome(
    "blackjack_tie",
    lambda show: show.dealer_blackjack and show.natural,
    "push",
    "",
    "Blackjack against the dealer's Blackjack",
)
TWO_CARD_21_TIE: Final = MainOutcome(
    "two_card_21_tie",
    lambda show: show.dealer_blackjack and show.total == 21 and show.cards == 2,
    "push",
    "",
    "21 in two cards of a split hand against the dealer's Blackjack, equal totals",
)
LONG_21_DEALER_BLACKJACK: Final = MainOutcome(
    "long_21_dealer_blackjack",
    lambda show: show.dealer_blackjack and show.total == 21,
    "lose",
    "",
    "21 in more than two cards against the dealer's Blackjack",
)
DEALER_BLACKJACK: Final = MainOutcome(
    "dealer_blackjack", lambda show: show.dealer_blackjack, "lose", "", "{total} against the dealer's Blackjack"
)
BLACKJACK_WINS: Final = MainOutcome(
    "blackjack", lambda show: show.natural, "win", "", "Blackjack against the dealer's {dealer}", "blackjack"
)
DEALER_BUST: Final = MainOutcome(
    "dealer_bust", lambda show: show.dealer_total > 21, "win", "", "{total}; the dealer has {dealer}, over 21", "win"
)
_AGAINST: Final = "{total} against the dealer's {dealer}"
HIGHER: Final = MainOutcome("higher", lambda show: show.total > show.dealer_total, "win", "", _AGAINST, "win")
TIE: Final = MainOutcome("tie", lambda show: show.total == show.dealer_total, "push", "", _AGAINST)
LOWER: Final = MainOutcome("lower", lambda show: show.total < show.dealer_total, "lose", "", _AGAINST)
