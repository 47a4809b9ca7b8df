"""Scenarios: what is dealt at a simulated table, described by values alone, and the call that deals one.

rules, habits and plants -> Dealer -> keys and pulls on a Shoe -> Truth
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.rules.games import Game as GameRules
from shoetool.rules.games import game_of
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS

from shoesim.dealer import Dealer, Habits, Progress
from shoesim.dealer_draw import READER, Rules, Shoe
from shoesim.dealer_truth import Truth
from shoesim.piles import least_behind
from shoesim.plants import Plant, PlantBook


@dataclass(frozen=True, slots=True)
class Scenario(Habits):
    """A table to simulate. The same scenario with the same seed deals the same cards.

    `model` and `speed` are for the rig: how the cards are printed and read (ideal, nominal, harsh), 1.0 for real time
    and 0 for as fast as possible. `reader`: the table has a card reader device, as 633a.2(f) demands of every table.
    `layout`: betting positions of the table's layout, None for as many as the game may have.
    """

    game: Game = Game.BLACKJACK
    shoe_kind: ShoeKind = ShoeKind.SINGLE
    decks: int = 6
    seed: int = 1
    plants: tuple[Plant, ...] = ()
    model: str = "nominal"
    speed: float = 0.0
    batches: tuple[int, int] = (1, 2)
    side_a_color: int = 0
    max_splits: int = 3
    options: int = 0
    table: int = 1
    reader: bool = True
    layout: int | None = None

    def seated(self, positions: int) -> Scenario:
        """The same scenario at a layout of this many betting positions."""
        low, high = self.players
        return replace(self, layout=positions, players=(min(low, positions), min(high, positions)))

    def __post_init__(self) -> None:
        low, high = self.players
        if not 1 <= low <= high <= self.positions:
            raise BadInput(f"players {low}..{high}: this game has 1 to {self.positions} betting positions")
        if not 1 <= self.decks <= 8 or (self.shoe_kind == ShoeKind.DOUBLE and self.decks % 2):
            raise BadInput(f"{self.decks} decks: 1 to 8, and an even number for a double shoe")
        declared = self.declared
        if not declared.decks.allows(self.decks):
            raise BadInput(f"{self.decks} decks: {declared.title} is played with {declared.decks.words()}")
        if self.shoe_kind == ShoeKind.DOUBLE and "double" not in declared.deal.shoes:
            raise BadInput(f"{declared.title} is not dealt from a double shoe")
        if self.options & (SWITCH_HANDS | HANDS_LAST | PREMIUM):
            self._check_switch_hands()
        if self.speed < 0:
            raise BadInput("the speed is 0 or more")
        for plant in self.plants:
            plant.check(self.game, self.shoe_kind, self.reader, bool(self.options & SWITCH_HANDS))

    def _check_switch_hands(self) -> None:
        if not self.options & SWITCH_HANDS or not self.declared.facts.switch_hands:
            raise BadInput(
                "switch hands (633c.4) are an option of Blackjack; its order and Blackjack premium go with it"
            )
        if self.shoe_kind == ShoeKind.DOUBLE and not self.options & HANDS_LAST:
            raise BadInput("from a double shoe the switch hands cards come after the Blackjack hands")

    @property
    def declared(self) -> GameRules:
        """The game's declaration."""
        return game_of(self.game)

    @property
    def positions(self) -> int:
        """Betting positions of the layout, at most as many as the game has (590.2(a), 633a.2(a))."""
        most = self.declared.facts.positions
        return most if self.layout is None else min(most, self.layout)

    @property
    def all_options(self) -> int:
        """The options setting, with the bit of the card reader device."""
        return self.options | (READER if self.reader else 0)

    @property
    def rules(self) -> Rules:
        """What the dealer must know."""
        return Rules(
            self.declared,
            self.shoe_kind,
            self.decks,
            self.batches,
            self.side_a_color,
            self.positions,
            self.max_splits,
            self.all_options,
        )

    def settings(self) -> dict[str, int]:
        """Return the configuration to write into the shoe before it is dealt, by setting name."""
        return {
            "game": int(self.game),
            "shoe_kind": int(self.shoe_kind),
            "decks": self.decks,
            "batch_a": self.batches[0],
            "batch_b": self.batches[1],
            "side_a_color": self.side_a_color,
            "positions": self.positions,
            "table": self.table,
            "options": self.all_options,
            "max_splits": self.max_splits,
        }

    def configured(self, settings: Mapping[str, int]) -> Scenario:
        """Return the same dealer at a shoe with these settings, as `settings` gives them. BadInput: he cannot."""
        options = settings["options"]
        most = settings["positions"]
        low, high = self.players
        return replace(
            self,
            game=Game(settings["game"]),
            shoe_kind=ShoeKind(settings["shoe_kind"]),
            decks=settings["decks"],
            batches=(settings["batch_a"], settings["batch_b"]),
            side_a_color=settings["side_a_color"],
            layout=self.layout if most == self.positions else most,
            players=(min(low, most), min(high, most)),
            table=settings["table"],
            options=options & ~READER,
            reader=bool(options & READER),
            max_splits=settings["max_splits"],
        )

    @property
    def expected_rounds(self) -> int:
        """About how many rounds a shoe gives; plants without a round are spread over them."""
        if self.rounds is not None:
            return self.rounds
        cards = self.rules.cards_a_side
        usable = cards - (self.behind if self.behind is not None else least_behind(cards) + cards // 24)
        hands = sum(self.players) / 2 * self.declared.deal.hands
        if self.declared.facts.community:
            hands = max(1, self.declared.facts.player_positions)
        each = 2.75 * (hands + 1)
        return max(1, int(usable * (1.6 if self.shoe_kind == ShoeKind.DOUBLE else 1.0) / each))


def run_scenario(scenario: Scenario, shoe: Shoe, on_progress: Callable[[Progress], None] | None = None) -> Truth:
    """Deal a scenario on a shoe that is configured with `scenario.settings()`; return what really happened.

    Raises SimulationError, naming the seed, when the shoe and the procedure disagree.
    """
    book = PlantBook.plan(scenario.plants, Random(f"plants {scenario.seed}"), scenario.expected_rounds)
    return Dealer(shoe, scenario.rules, scenario, book, scenario.seed, on_progress).run()


def _plants(*names: str) -> tuple[Plant, ...]:
    return tuple(Plant(name) for name in names)


PRESETS: Final[Mapping[str, Scenario]] = MappingProxyType(
    {
        "six-deck": Scenario(),
        "double": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=8),
        "six-deck-planted": Scenario(
            plants=_plants(
                "no_burn",
                "face_up_card",
                "drawn_in_error",
                "drawn_in_error_exposed",
                "dealer_draws_on_17",
                "hand_with_one_card",
                "missed_card",
                "unreadable_card",
                "dealer_stops_short",
                "missing_card",
            )
        ),
        "double-planted": Scenario(
            shoe_kind=ShoeKind.DOUBLE,
            decks=8,
            plants=_plants(
                "wrong_side",
                "foreign_card",
                "dealer_misses_card",
                "hand_without_cards",
                "hole_not_revealed",
                "cover_card_too_deep",
            ),
        ),
        "reader-planted": Scenario(
            plants=(
                Plant("peek_before_insurance", 1),  # an ace up is rare
                *_plants("no_inspection", "reader_wrong_up_card", "swapped_hole_card", "peek_missed", "reader_failing"),
            ),
        ),
        "spanish-21": Scenario(game=Game.SPANISH_21, decks=8),
        "free-bet": Scenario(game=Game.FREE_BET, players=(4, 6)),
        "switch": Scenario(game=Game.SWITCH, players=(2, 4)),
        "switch-hands": Scenario(options=SWITCH_HANDS, players=(2, 5), plants=_plants("switch_hand_skipped")),
        "switch-hands-last": Scenario(
            shoe_kind=ShoeKind.DOUBLE, decks=8, players=(2, 5), options=SWITCH_HANDS | HANDS_LAST
        ),
        "blackjack-premium": Scenario(players=(2, 5), options=SWITCH_HANDS | PREMIUM),
        "hybrid": Scenario(game=Game.HYBRID, players=(2, 7)),
        "hybrid-no-hole": Scenario(game=Game.HYBRID_NO_HOLE, decks=8, players=(2, 7), reader=False),
        "from-the-hand": Scenario(game=Game.FROM_THE_HAND, decks=1, players=(1, 3), shoes=4),
    }
)
