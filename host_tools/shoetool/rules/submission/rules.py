"""The rules submission of one table: what it deals, what may be bet, and every choice that the regulation leaves to
the house. `file` reads it from TOML, `checks` tells what the regulation does not allow."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeVar

from shoetool.model.errors import BadInput
from shoetool.model.naming import DRAWS_TO_BIT
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import paytable
from shoetool.rules.printed_meter import meter_key, wager_of_meter
from shoetool.rules.wagers.catalogue import CHOICES, WAGERS
from shoetool.rules.wagers.choice import word_of
from shoetool.rules.wagers.wager import DRAWS, Wager

SHOES: Final = ("single", "double", "hand")
SHUFFLERS: Final = ("none", "automatic", "continuous")
SURRENDERS: Final = ("none", "way_1", "way_2")
SIDES: Final = ("A", "B")
SWITCH_SIDE_WAGERS: Final = ("super_match", "first_hand", "all")
"""What Blackjack Switch may offer. Each word includes everything of the word before it, and more."""
NO_OPTIONS: Final[frozenset[str]] = frozenset()
_MOST_KEPT: Final = 16
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class WagerOffer:
    """One optional wager as the table offers it.

    `paytable` is the letter of the chosen paytable, empty where the clause has only one; `minimum` and `maximum` are
    cents; `options` are the keys of the paytable's optional rows and bonuses that are offered (`crown_treasure`,
    `player_20`, `magic_card`, `lucky_player`). `linked`: other tables play for its meters too.
    """

    paytable: str = ""
    minimum: int = 1_00
    maximum: int = 100_00
    options: frozenset[str] = NO_OPTIONS
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Meter:
    """The meter of a progressive wager: cents at the start and after a reset, and the share of each wager it grows by.

    633a.13(j)(2), (l)(2), (m)(2). reserve: the share of each wager that is kept for the next reset and not shown, where
    a paytable prints a secondary rate.
    """

    start: int
    reset: int
    rate: Fraction
    reserve: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class MysteryOffer:
    """One mystery bonus as the table offers it.

    wager: the key of the progressive wager that qualifies. configuration: the name of a printed one. paid_from: the
    "tray", or a "slip" of the progressive system (633c.14(c)(1), (4), (6)).
    """

    wager: str
    configuration: str
    paid_from: str


@dataclass(frozen=True, slots=True)
class RulesSubmission:
    """What one table's rules submission fixes. Money in cents; a setting's clause and meaning: `SETTINGS`.

    `decks` counts the decks in play: both sides of a double shoe together, and one batch of two where an automatic
    shuffler alternates them. Nothing is checked here: see `checks.refusals`.
    """

    game: str
    decks: int
    shoe: str = "single"
    shuffler: str = "none"
    positions: int = 7
    red_side: str | None = None
    adjacent_boxes: int = 7
    chip_unit: int = 50
    minimum: int = 5_00
    maximum: int = 1_000_00
    surrender: str = "way_2"
    even_money: bool = False
    resplits: int = 2
    double_face_down: bool = False
    hold_blackjack: bool = False
    settlement_procedure: int = 1
    aggregate_cap: int | None = None
    w2g_from: int = 2_000_00
    leaking_reader: bool = False
    draw_for_side_wagers: bool = True
    switch_hold_blackjack: bool = True
    switch_side_wagers: str = "super_match"
    switch_insurance: str = "each"
    tucked_wager: str = "collected"
    fixed_sum_others: str = "players"
    meter_counts_round: bool = False
    reader_void_returns: str = "live"
    hand_decks: str = "total"
    electronic_table: bool = False
    countdown_draws_to: int = 0
    wagers: Mapping[str, WagerOffer] = field(default_factory=dict)
    meters: Mapping[str, Meter] = field(default_factory=dict)
    mysteries: Mapping[str, MysteryOffer] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    """What the house chose for single wagers, by key; their declarations say what there is, and the defaults."""

    def __post_init__(self) -> None:
        """Add the meters whose figures the chosen paytables print; the file does not repeat them."""
        told = {key: meter for key, meter in self.meters.items() if not _printed(wager_of_meter(key))}
        object.__setattr__(self, "meters", {**told, **printed_meters(self)})

    @classmethod
    def default(cls, game: str, decks: int, **changes: Any) -> RulesSubmission:
        """Return a table of this game with the project's default readings and no optional wager. What its facts leave
        no choice of is as they say.

        `changes` are fields of the class, or choices.
        """
        choices = {key: changes.pop(key) for key in CHOICES if key in changes}
        facts, defaults = GAMES[game].facts, dict(GAMES[game].defaults)
        defaults |= {"positions": facts.positions, "adjacent_boxes": facts.positions}
        if not facts.surrender:
            defaults["surrender"] = "none"
        return dataclasses.replace(cls(game, decks, **defaults), choices=choices, **changes)

    def setting(self, name: str) -> Any:
        """The value of a setting by its field or the key of a choice."""
        return CHOICES[name].of(self) if name in CHOICES else getattr(self, name)

    def paytable_game(self, key: str) -> str:
        """The game by whose paytables an optional wager is paid: in Switch Blackjack for one on the first hand."""
        borrows, switch = GAMES[self.game].borrows, WAGERS[key].switch
        words = SWITCH_SIDE_WAGERS
        if borrows and switch is not None and words.index(switch.word) <= words.index(self.switch_side_wagers):
            return borrows
        return self.game

    @property
    def max_hands(self) -> int:
        """How many hands one may be split into."""
        return GAMES[self.game].max_hands or self.resplits + 2

    @property
    def copies(self) -> int:
        """How often one card may appear in a round: the decks of the shoe, or of its side in use."""
        return self.decks // 2 if self.shoe == "double" else self.decks

    def insurance_limit(self, wager: int, hands: int) -> int:
        """Most cents of insurance on a position of which `hands` hands, each with this main wager, may be insured.

        Half the wager each, or the next chip unit when half is not payable (reading 71). In Switch each of the two
        wagers may be insured, by the rules submission only one of them (633a.8(b) amount).
        """
        half = -(-wager // (2 * self.chip_unit)) * self.chip_unit
        return half * (min(hands, 1) if self.switch_insurance == "initial" else hands)

    def press_limit(self, key: str, staked: int, initial: tuple[int, ...], dealer: tuple[int, ...]) -> int:
        """Most cents of the winnings of `staked` cents of a wager that may join the main wager; 0 for a loser.

        initial: the two cards that the wager goes by. dealer: his first two.
        """
        table = paytable(key, self.wagers[key].paytable, self.decks)
        return WAGERS[key].press_limit(initial, dealer, staked, table, self)

    @property
    def chapter(self) -> str:
        """The chapter of 58 Pa. Code that the game is played by, such as `633a`."""
        return GAMES[self.game].chapter

    @property
    def spanish(self) -> bool:
        """Whether the decks have 48 cards, without 10s (635a.3(a) composition)."""
        return not GAMES[self.game].facts.tens


def _printed(key: str) -> bool:
    return key in WAGERS and WAGERS[key].prints_meters


def printed_meters(rules: RulesSubmission) -> dict[str, Meter]:
    """The meters that the chosen paytables print, by key; none of a wager whose paytable is not for this table."""
    found = {}
    for key, offer in rules.wagers.items():
        if not _printed(key):
            continue
        try:
            table = paytable(key, offer.paytable, rules.decks, rules.paytable_game(key))
        except BadInput:
            continue  # what is wrong with the choice is reported where submissions are checked
        rule = WAGERS[key].meter
        shown = rule is not None and word_of(rule.readings.secondary, rules) == "display"
        for meter in table.meters:
            rate, reserve = (meter.shown + meter.hidden, Fraction(0)) if shown else (meter.shown, meter.hidden)
            amounts = meter.start(offer.minimum), meter.reset(offer.minimum)
            found[meter_key(key, meter.name)] = Meter(*amounts, rate, reserve)
    return found


def once_a_table(make: Callable[[RulesSubmission], _T]) -> Callable[[RulesSubmission], _T]:
    """Let a function keep what it made of the latest submissions: all rounds of a table share it."""
    kept: dict[int, tuple[RulesSubmission, _T]] = {}

    def cached(submission: RulesSubmission) -> _T:
        known = kept.get(id(submission))
        if known is not None and known[0] is submission:
            return known[1]
        if len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)))
        found = make(submission)
        kept[id(submission)] = (submission, found)
        return found

    return cached


@once_a_table
def draw_for(rules: RulesSubmission) -> frozenset[str]:
    """Optional wagers for which the dealer draws, whatever the hands are (reading 21, T84, T87)."""
    offered = [WAGERS[key] for key in rules.wagers if key in WAGERS]
    return frozenset(wager.key for wager in offered if _keeps_drawing(wager, rules))


def _keeps_drawing(wager: Wager, rules: RulesSubmission) -> bool:
    if wager.draw is not None:
        return word_of(wager.draw, rules) == DRAWS
    return rules.draw_for_side_wagers and wager.needs_dealer_draw and not wager.hand_decides


def countdown_refusal(rules: RulesSubmission, options: int) -> str:
    """Why a shoe of these options does not deal for this submission: the count up to which a hand without a choice
    draws, 633c.5(z). "" when it does."""
    dealt = options >> DRAWS_TO_BIT
    if dealt == rules.countdown_draws_to:
        return ""
    return f"the shoe draws for a hand without a choice up to {dealt}, the submission says {rules.countdown_draws_to}"
