"""The rules submission of one table: what it deals, what may be bet, and every choice that the regulation leaves to
the house. `file` reads it from TOML, `checks` tells what the regulation does not allow."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

GAMES: Final = ("blackjack", "switch", "from_the_hand", "free_bet", "spanish_21")
CHAPTERS: Final = {
    "blackjack": "633a",
    "switch": "633a",
    "from_the_hand": "633a",
    "free_bet": "590",
    "spanish_21": "635a",
}
"""The chapter of 58 Pa. Code of each game; its clauses begin with it."""

SHOES: Final = ("single", "double", "hand")
SHUFFLERS: Final = ("none", "automatic", "continuous")
SURRENDERS: Final = ("none", "way_1", "way_2")
SIDES: Final = ("A", "B")
NO_OPTIONS: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class WagerOffer:
    """One optional wager as the table offers it.

    `paytable` is the letter of the chosen paytable, empty where the clause has only one; `minimum` and `maximum` are
    cents; `options` are the keys of the paytable's optional rows and bonuses that are offered (`crown_treasure`,
    `player_20`, `magic_card`, `lucky_player`).
    """

    paytable: str = ""
    minimum: int = 1_00
    maximum: int = 100_00
    options: frozenset[str] = NO_OPTIONS


@dataclass(frozen=True, slots=True)
class Meter:
    """The meter of a progressive wager: cents at the start and after a reset, and the share of each wager it grows by.

    633a.13(j)(2), (l)(2), (m)(2).
    """

    start: int
    reset: int
    rate: Fraction


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
    leaking_reader: bool = False
    in_between_ace: str = "high"
    house_money_portion: Fraction = Fraction(1)
    house_money_ace: str = "both"
    straight_jack_split: str = "initial"
    bad_beat_split: str = "any"
    magic_card_match: str = "card"
    draw_for_side_wagers: bool = True
    switch_hold_blackjack: bool = True
    switch_side_wagers: str = "super_match"
    switch_insurance: str = "each"
    tucked_wager: str = "collected"
    fixed_sum_others: str = "players"
    meter_counts_round: bool = False
    reader_void_returns: str = "live"
    hand_decks: str = "total"
    wagers: Mapping[str, WagerOffer] = field(default_factory=dict)
    meters: Mapping[str, Meter] = field(default_factory=dict)

    @classmethod
    def default(cls, game: str, decks: int, **changes: Any) -> RulesSubmission:
        """Return a table of this game with the project's default readings and no optional wager.

        `changes` are fields of the class; `offering` adds optional wagers.
        """
        return dataclasses.replace(cls(game, decks, **_OF_GAME.get(game, {})), **changes)

    def offering(self, *keys: str, **offers: WagerOffer) -> RulesSubmission:
        """Return the same table with these optional wagers added: by key with a default offer, or as given.

        A default offer has the first paytable that the clause gives for these decks, and all its optional rows; a
        progressive wager gets a meter with the least start and reset amounts.
        """
        wagers = dict(self.wagers)
        meters = dict(self.meters)
        for key in keys:
            paytable = _FIRST_PAYTABLE.get(key, {}).get(min(self.decks, 3), "")
            wagers[key] = WagerOffer(paytable, options=_OPTIONS.get(key, NO_OPTIONS))
        wagers |= offers
        for key in wagers:
            if key in LEAST_METER and key not in meters:
                meters[key] = Meter(LEAST_METER[key][0], LEAST_METER[key][0], Fraction(1, 10))
        return dataclasses.replace(self, wagers=wagers, meters=meters)

    def paytable_game(self, key: str) -> str:
        """The game by whose paytables an optional wager is paid: in Switch Blackjack for one on the first hand."""
        if self.game == "switch" and key in _SWITCH_OFFERS[self.switch_side_wagers]:
            return "blackjack"
        return self.game

    @property
    def chapter(self) -> str:
        """The chapter of 58 Pa. Code that the game is played by, such as `633a`."""
        return CHAPTERS[self.game]

    @property
    def spanish(self) -> bool:
        """Whether the decks have 48 cards, without 10s (635a.3(a) composition)."""
        return self.game == "spanish_21"


ON_THE_FIRST_HAND: Final = frozenset(
    {
        *("lucky_ladies", "match_the_dealer", "in_between", "royal_match_21", "bet_the_set_21", "kings_bounty"),
        *("three_card_poker", "bad_beat", "hit_and_run"),
    }
)
"""Wagers of 633a.6(e) that Switch may offer beside Super Match: on the first hand's two cards as dealt, on a 20 of
either hand, or on the dealer's."""

GO_ON: Final = frozenset({"straight_jack", "house_money"})
"""Wagers of 633a.6(e) that go on after the deal, with cards that a switch exchanges and with one of two main wagers."""

_SWITCH_OFFERS: Final[dict[str, frozenset[str]]] = {
    "super_match": frozenset(),
    "first_hand": ON_THE_FIRST_HAND,
    "all": ON_THE_FIRST_HAND | GO_ON,
}

LEAST_METER: Final[dict[str, tuple[int, str]]] = {
    "bad_beat": (5_000_00, "633a.13(j)(2)"),
    "hit_and_run": (1_000_00, "633a.13(l)(2)"),
    "straight_jack": (5_000_00, "633a.13(m)(2)"),
}
"""Progressive wagers: the least cents that their meters may start with and reset to, and the clause."""

_OF_GAME: Final[dict[str, dict[str, Any]]] = {
    "switch": {"surrender": "none"},
    "from_the_hand": {"shoe": "hand", "shuffler": "automatic"},
    "free_bet": {"positions": 6, "adjacent_boxes": 6},
    "spanish_21": {"surrender": "way_1", "hold_blackjack": True},
}

# By decks: one, two, three or more.
_FIRST_PAYTABLE: Final[dict[str, dict[int, str]]] = {
    "royal_match_21": {1: "A", 2: "C", 3: "C"},
    "bet_the_set_21": {1: "A", 2: "B", 3: "C"},
    "three_card_poker": {1: "A", 2: "A", 3: "A"},
    "push_22": {1: "A", 2: "A", 3: "A"},
}
_OPTIONS: Final[dict[str, frozenset[str]]] = {
    "royal_match_21": frozenset({"crown_treasure"}),
    "bad_beat": frozenset({"player_20", "magic_card", "lucky_player"}),
}
