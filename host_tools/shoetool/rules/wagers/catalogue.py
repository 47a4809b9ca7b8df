"""Every optional wager of 633a.6(e), 590.6(e) and 635a.6(e), in the order of 633a.7(g) and (o), then those of ch. 633c.

Messages show a wager's title; its key only when the reader must write it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

from shoetool.model.money import money_words
from shoetool.rules.paytable import paytables
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.wagers.progressive import MeterRule

from .axman import AXMAN
from .bad_beat import BAD_BEAT
from .blackjack_match import BLACKJACK_MATCH
from .blazing_7s import BLAZING_7S
from .buster_blackjack import BUSTER_BLACKJACK
from .buzzer_beater import BUZZER_BEATER
from .hit_and_run import HIT_AND_RUN
from .house_money import HOUSE_MONEY
from .hybrid_table import HYBRID_CHOICES
from .jackpot_party import JACKPOT_PARTY
from .lucky_aces import LUCKY_ACES
from .match_the_dealer_progressive import MATCH_THE_DEALER_PROGRESSIVE
from .matching import BET_THE_SET_21, MATCH_THE_DEALER, ROYAL_MATCH_21, SPANISH_MATCH_THE_DEALER, SUPER_MATCH
from .mystery import CHOICES as MYSTERY_CHOICES
from .mystery import MYSTERIES
from .perfect_pairs import PERFECT_PAIRS
from .push_22 import PUSH_22
from .straight_jack import STRAIGHT_JACK
from .super_4 import SUPER_4
from .switch_hands import SWITCH_HANDS_CHOICES
from .three_cards import IN_BETWEEN, THREE_CARD_POKER, TOP_3
from .trilux_deluxe import TRILUX_DELUXE
from .twenty import KINGS_BOUNTY, LUCKY_LADIES
from .upcard_luck import UPCARD_LUCK
from .view import View
from .wager import ExtraCard

_IN_ORDER: Final = (
    LUCKY_LADIES,
    MATCH_THE_DEALER,
    IN_BETWEEN,
    ROYAL_MATCH_21,
    BET_THE_SET_21,
    KINGS_BOUNTY,
    SUPER_MATCH,
    THREE_CARD_POKER,
    STRAIGHT_JACK,
    HOUSE_MONEY,
    SPANISH_MATCH_THE_DEALER,
    BAD_BEAT,
    HIT_AND_RUN,
    PUSH_22,
    PERFECT_PAIRS,
    JACKPOT_PARTY,
    MATCH_THE_DEALER_PROGRESSIVE,
    BUZZER_BEATER,
    SUPER_4,
    TOP_3,
    LUCKY_ACES,
    BLAZING_7S,
    BLACKJACK_MATCH,
    TRILUX_DELUXE,
    AXMAN,
    BUSTER_BLACKJACK,
    UPCARD_LUCK,
)

WAGERS: Final = {wager.key: wager for wager in _IN_ORDER}
"""By key, in the order in which the text settles them for one player."""

CHOICES: Final = {
    choice.key: choice
    for choices in (*(wager.every_choice for wager in _IN_ORDER), MYSTERY_CHOICES, SWITCH_HANDS_CHOICES, HYBRID_CHOICES)
    for choice in choices
}
"""How the house reads clauses of single wagers, mystery bonuses, switch hands and hybrid tables, by its key."""

PRESSES: Final = {wager.key: wager.press for wager in _IN_ORDER if wager.press is not None}
"""How winnings are added to the main wager, by the key of each wager whose winnings may be."""

BONUSES: Final = {bonus.key: bonus for wager in _IN_ORDER for bonus in wager.bonuses}
"""Bonuses paid beside a wager, by key."""


_OF_THE_GAME: Final = {
    "main": "main wager",
    "double": "double",
    "lammer": "lammer",
    "press": "press",
    "insurance": "insurance",
    "ante": "switch hands ante",
    "bonus": "bonus payout",
}
_SHOWN: Final = 60


def extra_card(placed: Iterable[str], view: View) -> ExtraCard | None:
    """The card that a position with these wagers is due for one of them after the dealer's Blackjack; None for none."""
    mine = set(placed)
    for key in view.rules.wagers:
        extra = WAGERS[key].extra if key in WAGERS else None
        if extra is not None and (key in mine or extra.whose.of(view.rules) == "all") and extra.due(view):
            return extra
    return None


def title_of(wager: str) -> str:
    """Return the title of a wager or bonus, such as `Lucky Ladies Twenty Point Bonus`. An unknown key is quoted."""
    declared = WAGERS.get(wager) or BONUSES.get(wager) or MYSTERIES.get(wager)
    return declared.title if declared is not None else _OF_THE_GAME.get(wager, repr(wager[:_SHOWN]))


def verified_by(wager: str) -> Mapping[str, str]:
    """Who verifies a winner of a wager or mystery bonus before it is paid: the event of a record, by its clause."""
    declared, mystery = WAGERS.get(wager), MYSTERIES.get(wager)
    if mystery is not None:
        return {mystery.light: "verified", mystery.validates: "floorperson"}
    if declared is None:
        return {}
    found = {declared.dealer_verifies: "verified", declared.verify_clause: "floorperson"}
    return {clause: event for clause, event in found.items() if clause}


def titles_of(wagers: Iterable[str]) -> str:
    """Return the titles of several wagers; `none` when there is no wager."""
    return ", ".join(map(title_of, wagers)) or "none"


def not_placeable(key: str, amount: int, main: int, side: Container[str]) -> tuple[str, str] | None:
    """Why so many cents of a wager may not lie beside a main wager of `main` cents and the wagers `side`, and by which
    clause; None when they may. The limits of the table are not looked at."""
    wager = WAGERS[key]
    if wager.beside is not None and wager.beside.wager not in side:
        return f"without {title_of(wager.beside.wager)}", wager.beside.placed
    if wager.up_to_main and amount > wager.times_main * main:
        times = f"{wager.times_main} times " if wager.times_main > 1 else ""
        return f"of {money_words(amount)}, more than {times}the main wager of {money_words(main)}", wager.up_to_main
    return None


def meter_rule(key: str) -> MeterRule:
    """The rule of a meter, by its key: that of its wager, with the meter's name where it has several."""
    rule = WAGERS[wager_of_meter(key)].meter
    assert rule is not None, f"{key} is progressive"
    return rule


def meter_title(key: str) -> str:
    """Return what a meter is called, such as `meter of Hit and Run Progressive`, `mega meter of Jackpot Party`."""
    wager, _, name = key.partition(".")
    return f"{name[:_SHOWN]} meter of {title_of(wager)}" if name else f"meter of {title_of(wager)}"


def partly_won(key: str) -> bool:
    """Whether part of the meter can be won, so that it may be below its start amount."""
    wager, _, name = key.partition(".")
    rows = (row.odds for table in paytables(wager) for row in table.rows)
    return any(0 < odds.meter_share < 1 and odds.meter == name for odds in rows)
