"""Switch hands and Blackjack premium, 633c.4: what the house chooses, and the outcomes of a Blackjack Wager beside a
switch hands ante.

Without an ante the wager is that of Blackjack, 633c.4(k).
"""

from __future__ import annotations

from typing import Final, Protocol

from shoetool.model.cards import is_red
from shoetool.model.money import dollars
from shoetool.rules.games.settling import MainOutcome
from shoetool.rules.games.settling_633a import BLACKJACK_OUTCOMES
from shoetool.rules.round import Box
from shoetool.rules.rule_error import RuleError

from .choice import Choice, Choices

STEP: Final = 5_00
"""The steps of the wager in cents, 633c.4(b)."""
ANTE_A_STEP: Final = 1_00
"""The ante in cents for each step of the wager, 633c.4(c)."""

OFFERED: Final = Choice(
    "switch_hands",
    "633c.4(k)",
    "switch hands: not offered, for all players, or Blackjack premium, where the ante is each player's choice",
    ("none", "all", "premium"),
)
_AT_ALL: Final = (OFFERED, ("all", "premium"))
_FOR_ALL: Final = (OFFERED, ("all",))
_PREMIUM: Final = (OFFERED, ("premium",))
ORDER: Final = Choice(
    "switch_hands_order",
    "633c.4(j)",
    "switch hands cards come before the Blackjack hands, or after them, as a double shoe needs it (reading 76)",
    ("first", "last"),
    beside=_AT_ALL,
)
ANTE: Final = Choice(
    "switch_hands_ante",
    "633c.4(c)",
    "the house keeps the ante, or only that of who switched and gives the others back; no clause says what becomes of "
    "it",
    ("kept", "returned"),
    beside=_AT_ALL,
)
FIRST_TWO: Final = Choice(
    "switch_hands_first_two",
    "633c.4(g)",
    "an optional wager on the first two cards goes by those that were dealt face up, or by those of the hand that is "
    "played",
    ("dealt", "played"),
    beside=_AT_ALL,
)
_COLORED: Final = Choice(
    "switch_hands_colored",
    "633c.4(i)(2)(i)",
    "who wins 2 to 1 with a Blackjack of one suit or color: who switched, or everybody with an ante",
    ("switched", "ante"),
    beside=_FOR_ALL,
)
TIE: Final = Choice(
    "switch_hands_tie",
    "633c.4(i)(2)(ii)",
    "after a switch, a Blackjack against the dealer's Blackjack is returned or pays 1 to 2",
    ("returned", "1_to_2"),
    beside=_FOR_ALL,
)
_PREMIUM_COLORED: Final = Choice(
    "premium_colored",
    "633c.4(o)",
    "Blackjack premium: who wins 2 to 1 with a Blackjack of one suit or color: everybody with an ante, or who switched",
    ("ante", "switched"),
    beside=_PREMIUM,
)
_PREMIUM_COLORED_TIE: Final = Choice(
    "premium_colored_tie",
    "633c.4(o)",
    "Blackjack premium: what such a Blackjack pays against the dealer's Blackjack",
    ("1_to_2", "2_to_1"),
    beside=_PREMIUM,
)
_PREMIUM_TIE: Final = Choice(
    "premium_tie",
    "633c.4(o)",
    "Blackjack premium: who wins 1 to 2 with a Blackjack against the dealer's: with an ante, or without one too",
    ("ante", "all"),
    beside=_PREMIUM,
)
SWITCH_HANDS_CHOICES: Final = (
    *(OFFERED, ORDER, ANTE, FIRST_TWO, _COLORED, TIE, _PREMIUM_COLORED, _PREMIUM_COLORED_TIE, _PREMIUM_TIE),
)
"""Everything that the house chooses of 633c.4."""

PAYTABLES: Final = {"all": "switch_hands", "premium": "blackjack_premium"}
"""The paytable of the Blackjack Wager beside an ante, by the word of `OFFERED`."""


def _outcomes(colored: str, tie: str) -> tuple[MainOutcome, ...]:
    """The outcomes beside an ante, with the clauses of a Blackjack of one color and of a tie that pays."""
    bust, *others = BLACKJACK_OUTCOMES
    name = "Blackjack of one suit or color"
    return (
        bust,
        MainOutcome("colored_blackjack", lambda show: show.colored, "win", colored, name, "colored_blackjack", name),
        MainOutcome(
            "blackjack_tie_paid",
            lambda show: show.tie_pays,
            "win",
            tie,
            "Blackjack against the dealer's Blackjack",
            "blackjack_tie",
        ),
        *others,
    )


OUTCOMES: Final = {
    "all": _outcomes("633c.4(i)(2)(i)", "633c.4(i)(2)(ii)"),
    "premium": _outcomes("633c.4(o)", "633c.4(o)"),
}
"""Its outcomes beside an ante, by the word of `OFFERED`: 633c.4(i)(1), 633c.4(i)(2), 633c.4(o)."""


def settles(rules: Choices, box: Box) -> bool:
    """Whether 633c.4 settles a position's main wager at a table with switch hands, and not ch. 633a: 633c.4(k)."""
    return box.ante > 0 or (OFFERED.of(rules) == "premium" and _PREMIUM_TIE.of(rules) == "all")


def one_color(cards: tuple[int, ...]) -> bool:
    """Whether both cards are red or both black; of one suit they are of one color too."""
    return is_red(cards[0]) == is_red(cards[1])


def colored(rules: Choices, box: Box, cards: tuple[int, ...], dealer_blackjack: bool) -> bool:
    """Whether a Blackjack of these two cards pays 2 to 1: 633c.4(i)(2)(i), 633c.4(o).

    A tie is no winning hand, and in Blackjack premium the odds for it come first.
    """
    if not box.ante or not one_color(cards):
        return False
    premium = OFFERED.of(rules) == "premium"
    if dealer_blackjack and not (premium and _PREMIUM_COLORED_TIE.of(rules) == "2_to_1"):
        return False
    return bool(box.switched) or (_PREMIUM_COLORED if premium else _COLORED).of(rules) == "ante"


def tie_pays(rules: Choices, box: Box) -> bool:
    """Whether a Blackjack against the dealer's pays 1 to 2: 633c.4(i)(2)(ii), 633c.4(o)."""
    if OFFERED.of(rules) == "premium":
        return box.ante > 0 or _PREMIUM_TIE.of(rules) == "all"
    return bool(box.switched) and TIE.of(rules) == "1_to_2"


class Choosing(Protocol):
    """A position that may have chosen between two hands: the face-up cards of the deal, and those it switched to."""

    @property
    def initial(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def switched(self) -> bool | None: ...
    @property
    def aside(self) -> tuple[int, ...]: ...


def given_up(rules: Choices, box: Choosing) -> bool:
    """Whether the first two cards that optional wagers go by are in the rack: the position plays its other hand."""
    return bool(box.switched) and FIRST_TWO.of(rules) == "dealt"


def first_two(rules: Choices, box: Choosing) -> tuple[tuple[int, ...], ...]:
    """The first two cards that optional wagers of the position go by, of each hand as dealt: 633c.4(g)."""
    return (box.aside,) if box.switched and not given_up(rules, box) else box.initial


def shoe_refusal(rules: Choices, offered: bool, premium: bool, last: bool) -> str:
    """Why a shoe that was set up so does not deal for this submission, in words; "" when it does, or without any."""
    word: str = OFFERED.of(rules)
    if word == "none":
        return ""
    if not offered:
        return "the shoe was set up without switch hands, the rules submission offers them"
    if premium != (word == "premium"):
        there, here = ("with", "without") if premium else ("without", "with")
        return f"the shoe was set up {there} Blackjack premium, the rules submission is {here} it"
    if last != (ORDER.of(rules) == "last"):
        when = "after" if last else "before"
        return f"the shoe deals switch hands cards {when} the Blackjack hands, the rules submission does not"
    return ""


def ante_due(wager: int) -> int:
    """Cents of the ante beside a wager of so many cents, 633c.4(c)."""
    return wager // STEP * ANTE_A_STEP


def ante_refusal(rules: Choices, position: int, wager: int, ante: int) -> RuleError | None:
    """Return why an ante of so many cents cannot lie beside a main wager: 633c.4(b), (c), (k). None when it can.

    An ante of 0 is none. In Blackjack premium a wager without one is that of Blackjack, and has no steps.
    """
    where = f"position {position}"
    offered: str = OFFERED.of(rules)
    if offered == "none":
        text = f"{where}: a switch hands ante, and switch hands are not offered at this table"
        return RuleError("633c.4(k)", text) if ante else None
    if not ante and offered == "premium":
        return None
    if wager % STEP:
        text = f"{where}: a wager of ${dollars(wager)} beside a switch hands ante; it comes in steps of $5"
        return RuleError("633c.4(b)", text)
    due = ante_due(wager)
    if ante == due:
        return None
    placed = f"a switch hands ante of ${dollars(ante)}" if ante else "no switch hands ante"
    return RuleError("633c.4(c)", f"{where}: {placed}; ${dollars(due)} are due, $1 for each $5 of ${dollars(wager)}")
