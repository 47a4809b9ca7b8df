"""Facts of the games. Generated from firmware/games.toml, which says what each is, by `make tables`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ShoeKind = Literal["single", "double", "hand"]


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What the shoe and the host both need to know of a game. `deal`: (to, face up) of each pass."""

    deal: tuple[tuple[Literal["players", "dealer", "positions", "community"], bool], ...]
    shoes: tuple[ShoeKind, ...]
    decks_least: int
    decks_most: int | None
    decks_exactly: tuple[int, ...]
    reader_ranks: frozenset[int]
    hands: int
    burns: int
    positions: int
    player_positions: int
    double_cards: int
    splits: int
    tens: bool
    double_face_down: bool
    surrender: bool
    rescue: bool
    switch: bool
    switch_hands: bool
    blackjack_waits: bool
    long_21_wins: bool
    second_face_up: bool
    burn_card: bool
    community: bool


FACTS: Final = {
    "blackjack": GameFacts(
        deal=(('players', True), ('dealer', True), ('players', True), ('dealer', False)),
        shoes=('single', 'double'),
        decks_least=1,
        decks_most=None,
        decks_exactly=(),
        reader_ranks=frozenset([0, 9, 10, 11, 12]),
        hands=1,
        burns=0,
        positions=7,
        player_positions=0,
        double_cards=2,
        splits=3,
        tens=True,
        double_face_down=True,
        surrender=True,
        rescue=False,
        switch=False,
        switch_hands=True,
        blackjack_waits=False,
        long_21_wins=False,
        second_face_up=False,
        burn_card=True,
        community=False,
    ),
    "free_bet": GameFacts(
        deal=(('players', True), ('dealer', True), ('players', True), ('dealer', False)),
        shoes=('single',),
        decks_least=1,
        decks_most=None,
        decks_exactly=(),
        reader_ranks=frozenset([0, 9, 10, 11, 12]),
        hands=1,
        burns=0,
        positions=6,
        player_positions=0,
        double_cards=2,
        splits=3,
        tens=True,
        double_face_down=False,
        surrender=True,
        rescue=False,
        switch=False,
        switch_hands=False,
        blackjack_waits=False,
        long_21_wins=False,
        second_face_up=False,
        burn_card=True,
        community=False,
    ),
    "spanish_21": GameFacts(
        deal=(('players', True), ('dealer', True), ('players', True), ('dealer', False)),
        shoes=('single',),
        decks_least=1,
        decks_most=None,
        decks_exactly=(6, 8),
        reader_ranks=frozenset([0, 10, 11, 12]),
        hands=1,
        burns=0,
        positions=7,
        player_positions=0,
        double_cards=0,
        splits=3,
        tens=False,
        double_face_down=False,
        surrender=True,
        rescue=True,
        switch=False,
        switch_hands=False,
        blackjack_waits=False,
        long_21_wins=True,
        second_face_up=True,
        burn_card=True,
        community=False,
    ),
    "switch": GameFacts(
        deal=(('players', True), ('dealer', True), ('players', True), ('dealer', False)),
        shoes=('single', 'double'),
        decks_least=1,
        decks_most=None,
        decks_exactly=(),
        reader_ranks=frozenset([0, 9, 10, 11, 12]),
        hands=2,
        burns=0,
        positions=7,
        player_positions=0,
        double_cards=2,
        splits=3,
        tens=True,
        double_face_down=True,
        surrender=False,
        rescue=False,
        switch=True,
        switch_hands=False,
        blackjack_waits=True,
        long_21_wins=False,
        second_face_up=False,
        burn_card=True,
        community=False,
    ),
    "from_the_hand": GameFacts(
        deal=(('players', False), ('dealer', True), ('players', False), ('dealer', False)),
        shoes=('hand',),
        decks_least=1,
        decks_most=2,
        decks_exactly=(),
        reader_ranks=frozenset([0, 9, 10, 11, 12]),
        hands=1,
        burns=1,
        positions=7,
        player_positions=0,
        double_cards=2,
        splits=3,
        tens=True,
        double_face_down=False,
        surrender=True,
        rescue=False,
        switch=False,
        switch_hands=False,
        blackjack_waits=False,
        long_21_wins=False,
        second_face_up=False,
        burn_card=True,
        community=False,
    ),
    "hybrid": GameFacts(
        deal=(('positions', True), ('dealer', True), ('positions', True), ('dealer', False)),
        shoes=('single',),
        decks_least=1,
        decks_most=None,
        decks_exactly=(6, 8),
        reader_ranks=frozenset([0, 9, 10, 11, 12]),
        hands=1,
        burns=0,
        positions=7,
        player_positions=3,
        double_cards=2,
        splits=3,
        tens=True,
        double_face_down=False,
        surrender=False,
        rescue=False,
        switch=False,
        switch_hands=False,
        blackjack_waits=False,
        long_21_wins=False,
        second_face_up=False,
        burn_card=False,
        community=True,
    ),
    "hybrid_no_hole": GameFacts(
        deal=(('community', True), ('dealer', True), ('community', True)),
        shoes=('single',),
        decks_least=1,
        decks_most=None,
        decks_exactly=(6, 8),
        reader_ranks=frozenset([]),
        hands=1,
        burns=0,
        positions=7,
        player_positions=0,
        double_cards=2,
        splits=1,
        tens=True,
        double_face_down=False,
        surrender=True,
        rescue=False,
        switch=False,
        switch_hands=False,
        blackjack_waits=False,
        long_21_wins=False,
        second_face_up=False,
        burn_card=False,
        community=True,
    ),
}
