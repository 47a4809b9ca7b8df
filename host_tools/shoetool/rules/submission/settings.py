"""Every setting of a rules submission: its key in TOML, its allowed values, its clause and its meaning.

`SETTINGS`, `WAGER_SETTINGS`, `METER_SETTINGS` and `MYSTERY_SETTINGS` are the one list: reading, the messages and the
tables in SUBMISSION_FORMAT.md come from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time
from fractions import Fraction
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.money import cents
from shoetool.model.naming import MOST_DRAWS_TO
from shoetool.rules.games import GAMES
from shoetool.rules.games.chapters import in_chapters
from shoetool.rules.submission.rules import SHOES, SHUFFLERS, SIDES, SURRENDERS, SWITCH_SIDE_WAGERS
from shoetool.rules.wagers.catalogue import CHOICES, WAGERS
from shoetool.rules.wagers.choice import Choice
from shoetool.rules.wagers.mystery import PAID_FROM
from shoetool.rules.wagers.progressive import ENVY

_SHOWN: Final = 40
_FRACTION: Final = re.compile(r"^([0-9]{1,6})/([0-9]{1,6})$")
_PAYTABLE: Final = re.compile(r"[A-Z0-9-]{1,8}")
_PERCENT: Final = re.compile(r"^([0-9]{1,3})(?:\.([0-9]{1,6}))?\s?%$")
_LARGEST_MONEY: Final = 1_000_000_000_00


class Unfit(Exception):
    """A value that a setting does not accept: what is wrong with it, and what is allowed."""

    def __init__(self, what: str, do: str) -> None:
        """Keep both halves of the sentence."""
        super().__init__(what)
        self.what = what
        self.do = do


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `key` in TOML, the field of the dataclass, how a value is read, what may be written, its clauses
    (one a chapter, where the chapter has one; ch. 633c is played with every game) and its meaning."""

    key: str
    field: str
    read: Callable[[object], Any]
    takes: str
    clauses: tuple[str, ...]
    meaning: str

    def clause(self, chapter: str) -> str:
        """Return the clause in this chapter, such as `633a`; empty when the chapter has none."""
        own = (clause for clause in self.clauses if clause.startswith((f"{chapter}.", "633c.")))
        return next(own, "")


def shown(value: object) -> str:
    """Return what somebody wrote, cut short when it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, (date, time)):
        return value.isoformat()  # not model/times: it repeats what somebody wrote
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # Python does not print thousands of digits
    if isinstance(value, float) and not math.isfinite(value):
        return f'"{value}"'  # a word of TOML: in quotes, so that nobody reads it as a name
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def word(choices: Sequence[str]) -> Callable[[object], str]:
    """One of these words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise Unfit(f"{shown(value)} is not one of its words", f"write {_or([_quoted(choice) for choice in choices])}")

    return read


def paytable_name(value: object) -> str:
    """The name of a paytable, a short text or a whole number. Whether the wager has it is checked with the decks."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100:
        return str(value)
    if isinstance(value, str) and _PAYTABLE.fullmatch(value):
        return value
    raise Unfit(f"{shown(value)} is no name of a paytable", 'write its letter or number, such as "A"')


def configuration_name(value: object) -> str:
    """The name of a configuration. Whether the bonus has it is checked later."""
    try:
        return paytable_name(value)
    except Unfit:
        raise Unfit(f"{shown(value)} is no name of a configuration", 'write it such as "A1"') from None


def key_of_wager(value: object) -> str:
    """The key of a wager. Whether it qualifies is checked later."""
    if isinstance(value, str):
        return value
    raise Unfit(f"{shown(value)} is no key of a wager", "write it in quotes; shoetool paytables names them")


def integer(low: int, high: int) -> Callable[[object], int]:
    """A whole number in this range."""

    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            if low <= value <= high:
                return value
            raise Unfit(f"{shown(value)} is out of range", f"write a whole number from {low} to {high}")
        raise Unfit(f"{shown(value)} is not a whole number", f"write a whole number from {low} to {high}")

    return read


def flag(value: object) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise Unfit(f"{shown(value)} is neither true nor false", "write true or false, without quotes")


def money(value: object) -> int:
    """Cents of an amount in dollars: text such as "12.50", or a whole number of dollars."""
    if isinstance(value, float):
        such = f"{value:.2f}" if 0 < value < 1_000_000 else "12.50"
        raise Unfit(f"{shown(value)} is not exact money", f'write it in quotes, such as "{such}"')
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST_MONEY // 100:
        amount = value * 100
    elif isinstance(value, str):
        try:
            amount = cents(value)
        except BadInput:
            raise Unfit(f"{shown(value)} is not an amount of money", 'write dollars such as "12.50" or 25') from None
    else:
        raise Unfit(f"{shown(value)} is not an amount of money", 'write dollars such as "12.50" or 25')
    if not 0 < amount <= _LARGEST_MONEY:
        raise Unfit(f"{shown(value)} is not an amount to bet or pay", "write an amount above 0")
    return amount


def portion(value: object) -> Fraction:
    """A part of a payout above nothing: "all", "1/2" or "50%"."""
    if value == "all":
        return Fraction(1)
    part = _part(value)
    if part is None:
        raise Unfit(f"{shown(value)} is not a portion", 'write "all", a fraction such as "1/2", or "50%"')
    if not 0 < part <= 1:
        raise Unfit(f"{shown(value)} is not a part of the winnings", "write a part above 0 and up to all")
    return part


def rate(value: object) -> Fraction:
    """The share of each wager that a meter grows by: "10%" or "1/10"."""
    part = _part(value)
    if part is None:
        raise Unfit(f"{shown(value)} is not a rate", 'write the share of each wager, such as "10%"')
    if not 0 < part <= 1:
        raise Unfit(f"{shown(value)} is not a share of a wager", "write more than 0% and at most 100%")
    return part


def _part(value: object) -> Fraction | None:
    if not isinstance(value, str):
        return None
    if match := _PERCENT.match(value):
        return Fraction(f"{match[1]}.{match[2] or 0}") / 100
    if (match := _FRACTION.match(value)) and int(match[2]):
        return Fraction(int(match[1]), int(match[2]))
    return None


def _quoted(text: str) -> str:
    return f'"{text}"'


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(key: str, choices: Sequence[str], clauses: tuple[str, ...], meaning: str) -> Setting:
    return Setting(key, key, word(choices), ", ".join(_quoted(choice) for choice in choices), clauses, meaning)


def _integer(key: str, low: int, high: int, clauses: tuple[str, ...], meaning: str) -> Setting:
    return Setting(key, key, integer(low, high), f"{low} to {high}", clauses, meaning)


def _flag(key: str, clauses: tuple[str, ...], meaning: str) -> Setting:
    return Setting(key, key, flag, "true, false", clauses, meaning)


def _money(key: str, field: str, clauses: tuple[str, ...], meaning: str) -> Setting:
    return Setting(key, field, money, "dollars", clauses, meaning)


def _choice(choice: Choice) -> Setting:
    if choice.words:
        return _words(choice.key, choice.words, (choice.clause,), choice.meaning)
    return Setting(choice.key, choice.key, portion, '"all", "1/2", "50%"', (choice.clause,), choice.meaning)


_TOLD: Final = [wager.meter.clause for wager in WAGERS.values() if wager.meter and not wager.prints_meters]
_METER: Final = tuple(sorted(_TOLD))
SETTINGS: Final = (
    _words("game", tuple(GAMES), (), "the game that is dealt"),
    _integer(
        "decks",
        1,
        16,
        ("633a.3(a)", "590.3(a)", "635a.3(a) count"),
        "decks in play: both sides of a double shoe together; of two alternating batches, one",
    ),
    _words("shoe", SHOES, in_chapters("633a.7(a)"), "what the cards are dealt from"),
    _words(
        "shuffler",
        SHUFFLERS,
        ("633a.3(b)", "590.3(b)(1)", "635a.3(d)(1)"),
        "none, an automatic one that alternates two batches, or a continuous one",
    ),
    _words("red_side", SIDES, ("633a.7(d)(1) mapping",), "double shoe: the side that hearts and diamonds stand for"),
    _integer("positions", 1, 7, in_chapters("633a.2(a)"), "betting positions on the layout"),
    _integer("adjacent_boxes", 1, 7, in_chapters("633a.6(f)"), "adjacent boxes that one player may bet on"),
    _money(
        "chip_unit",
        "chip_unit",
        in_chapters("633a.8(b) amount"),
        "the smallest amount that can be bet in chips; insurance is rounded up to it",
    ),
    _money("min_wager", "minimum", in_chapters("633a.6(d)"), "least main wager"),
    _money("max_wager", "maximum", in_chapters("633a.6(d)"), "largest main wager"),
    _words(
        "surrender",
        SURRENDERS,
        ("633a.9(a)(2)(i)", "590.9(a)(2)", "635a.9(a)(2)"),
        "against an ace or ten-count up card: way_1 settles when the hole card is revealed, way_2 straight after the "
        "card reader device; none only in Blackjack Switch",
    ),
    _flag("even_money", ("633a.8(e)",), "a player's Blackjack against an ace may be paid 1 to 1 instead of insured"),
    _integer(
        "resplits",
        0,
        20,
        in_chapters("633a.11(c) resplits"),
        "how many more times a pair may be split after the first, aces included",
    ),
    _flag("double_face_down", in_chapters("633a.10(c)"), "the card on a double lies face down"),
    _flag(
        "hold_blackjack",
        ("633a.7(i)(1)(ii)(B)", "590.7(h)(1)", "635a.7(h)(1)(ii)"),
        "a player's Blackjack against an ace or ten-count up card is paid when the hole card is revealed, not at once",
    ),
    _integer(
        "settlement_procedure",
        1,
        2,
        in_chapters("633a.7(r)(1)"),
        "1: all losers are collected, then winners paid; 2: seat by seat",
    ),
    _money(
        "aggregate_cap",
        "aggregate_cap",
        ("633a.13(o) option",),
        "the most that all queen of hearts and king of spades pairs win together against a dealer's Blackjack",
    ),
    _money(
        "w2g_from",
        "w2g_from",
        (),
        "from how much on a settlement names winnings of at least 300 times the wager as of the size of IRS Form W-2G; "
        "the default is the amount of its instructions for payments in 2026",
    ),
    _flag(
        "leaking_reader",
        in_chapters("633a.14(j)(1)"),
        "the card reader device can show a player the hole card's value when it is used at the wrong time",
    ),
    *map(_choice, CHOICES.values()),
    _flag(
        "draw_for_side_wagers",
        in_chapters("633a.7(n)"),
        "a wager that depends on the dealer's cards keeps the dealer drawing (reading 21)",
    ),
    _flag(
        "switch_hold_blackjack",
        ("633a.12(a)(5)(v)",),
        "Switch: a dealer's 22 returns the wager on a Blackjack too; with false it does not (reading 58)",
    ),
    _words(
        "switch_side_wagers",
        SWITCH_SIDE_WAGERS,
        ("633a.12(a)(2)", "633a.6(e)"),
        "Switch: whether wagers of Blackjack may be offered too: none, those on the first hand as dealt, or all",
    ),
    _words(
        "switch_insurance",
        ("each", "initial"),
        ("633a.8(b) amount",),
        "Switch: each of the two equal wagers may be insured, or at most half of the initial one",
    ),
    _words(
        "tucked_wager",
        ("collected", "returned"),
        ("590.11(c) bust", "590.7(n)(1)"),
        "Free Bet: against a dealer's 22 the wager of a split hand over 21, tucked with its cards, is lost, or it is "
        "returned as one that remains (reading 63)",
    ),
    _words(
        "fixed_sum_others",
        ("players", "winners_too", "boxes"),
        ("635a.12(c)(3)",),
        "who gets $50 beside three 7s of one suit: every other player once; a winner too when another player wins; "
        "every box of another player (reading 68)",
    ),
    _flag(
        "meter_counts_round",
        _METER,
        "a meter that is won includes the shares of this round's wagers, beside the amount that the round names",
    ),
    _words(
        "reader_void_returns",
        ("live", "all"),
        ("633a.14(j)(1)", "635a.13(j)(1)"),
        "a round that the reader voids returns the wagers that were not settled yet, or also those that were settled "
        "after the deal",
    ),
    _words(
        "hand_decks",
        ("total", "in_play"),
        ("633a.12(b)(1)",),
        "from the hand: the two decks are those of both batches, or those in play (reading 49)",
    ),
    _integer(
        "countdown_draws_to",
        0,
        MOST_DRAWS_TO,
        ("633c.5(z)",),
        "no hole card: the highest count on which a hand draws that made no choice in time; 0: it stands",
    ),
    _flag("electronic_table", ("633c.8(a)",), "the table is a fully automated electronic one, which some wagers need"),
)

WAGER_SETTINGS: Final = (
    Setting("paytable", "paytable", paytable_name, "its letter or number", ("633a.2(b)(15)",), "the chosen paytable"),
    _money("min", "minimum", ("633a.2(b)(15)",), "least wager"),
    _money("max", "maximum", ("633a.2(b)(15)",), "largest wager"),
    Setting("linked", "linked", flag, "true, false", _METER, "other tables play for its meters too (no by default)"),
)
METER_SETTINGS: Final = (
    _money("start", "start", _METER, "amount that the meter starts with"),
    _money("reset", "reset", _METER, "amount that the meter is set to after 100% of it was paid"),
    Setting("rate", "rate", rate, '"10%"', _METER, "share of each wager that the meter grows by"),
)
MYSTERY_SETTINGS: Final = (
    Setting("wager", "wager", key_of_wager, "key of a wager", ("633c.14(c)(1)",), "the progressive wager that wins it"),
    Setting(
        "configuration",
        "configuration",
        configuration_name,
        "its name",
        ("633c.14(c)(4)", "633c.6(j)"),
        "the printed configuration: A1 is configuration A for a wager of $1",
    ),
    Setting(
        "paid_from",
        "paid_from",
        word(PAID_FROM),
        ", ".join(map(_quoted, PAID_FROM)),
        ("633c.14(c)(6)", "633c.6(h)(4)"),
        "a win is paid from the table inventory, or by a progressive jackpot slip",
    ),
)


def wager_options() -> tuple[Setting, ...]:
    """Return a house's choices for an optional wager: rows and bonuses that it may leave out."""
    found: list[Setting] = []
    for wager in WAGERS.values():
        rows = [(outcome.key, outcome.clause or wager.settles, outcome.option) for outcome in wager.outcomes]
        rows += [(bonus.key, bonus.clause, bonus.option) for bonus in wager.bonuses]
        rows += [(ENVY, wager.envy.clause, wager.envy.option)] if wager.envy is not None else []
        found += [_flag(key, (clause,), meaning) for key, clause, meaning in rows if meaning]
    return tuple(found)
