"""Irregularities that the simulated dealer commits on request, and the ground truth of what really happened.

A plant is a name and the round it is meant for. It happens at the first opportunity in or after that round; only
plants that happened are in the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Final, Literal

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.rules.games import Game as GameRules
from shoetool.rules.games import game_of

Verdict = Literal["breach", "irregularity handled", "cannot tell"]


def _games(can: Callable[[GameRules], object] = lambda _: True) -> frozenset[Game]:
    """The games in which it can happen, by their declaration."""
    return frozenset(number for number in Game if can(game_of(number)))


_SINGLE: Final = frozenset({ShoeKind.SINGLE})
_DOUBLE: Final = frozenset({ShoeKind.DOUBLE})
_BOTH: Final = frozenset(ShoeKind)
_IN_TURN: Final = _games(lambda game: not game.facts.community)
"""Games whose hands have their own cards and play in turn: not a hybrid table."""
_BURNS: Final = _games(lambda game: game.facts.burn_card)
_HOLE: Final = _games(lambda game: not game.no_hole)


@dataclass(frozen=True, slots=True)
class PlantKind:
    """What is known of a plant: the clause a verifier must name, its verdict, and where it can happen."""

    name: str
    clause: str
    verdict: Verdict
    games: frozenset[Game] = _games()
    shoes: frozenset[ShoeKind] = _BOTH
    reader: bool = False
    """Whether it takes a table with a card reader device."""
    switch_hands: bool = False
    """Whether it takes a table with switch hands, 633c.4."""


_KINDS = (
    PlantKind("no_burn", "633a.7(c) batch", "breach", _BURNS, _SINGLE),
    PlantKind(
        "no_dealer_burn",
        "633a.7(c) dealer",
        "breach",
        _games(lambda game: game.facts.burn_card and not game.deal.burns),
        _SINGLE,
    ),
    PlantKind("face_up_card", "633a.14(a)", "irregularity handled"),
    PlantKind("drawn_in_error", "633a.14(b)", "irregularity handled"),
    PlantKind("drawn_before_choices", "633a.14(b)", "irregularity handled", _games(lambda game: game.facts.community)),
    PlantKind("drawn_in_error_exposed", "633a.14(c) use", "irregularity handled", _IN_TURN),
    PlantKind("dealer_draws_on_17", "633a.14(d)", "irregularity handled"),
    PlantKind("dealer_misses_card", "633a.14(e)", "irregularity handled", _IN_TURN),
    PlantKind("too_few_cards", "633a.14(f) reshuffle", "irregularity handled"),
    PlantKind("hand_without_cards", "633a.14(g) none", "irregularity handled", _IN_TURN),
    PlantKind("hand_with_one_card", "633a.14(g) one", "irregularity handled", _IN_TURN),
    PlantKind("wrong_side", "633a.14(h)", "irregularity handled", shoes=_DOUBLE),
    PlantKind("missed_card", "633a.14(i)", "irregularity handled", _IN_TURN),
    PlantKind("cover_card_too_deep", "633a.5(d) place", "breach"),
    PlantKind("round_after_cover", "633a.7(e)", "breach"),
    PlantKind("missing_card", "633a.7(e)(1)", "breach"),
    PlantKind("extra_card", "633a.3(a)", "breach"),
    PlantKind("foreign_card", "633a.3(c) backs", "breach"),
    PlantKind("dealer_stops_short", "633a.7(m)", "breach"),
    PlantKind("hole_not_revealed", "633a.7(l)", "breach", _HOLE),
    PlantKind("unreadable_card", "633a.7(a)", "cannot tell"),
    PlantKind("reader_wrong_up_card", "633a.14(j)", "irregularity handled", _HOLE, reader=True),
    PlantKind("reader_failing", "633a.14(k)", "irregularity handled", _HOLE, reader=True),
    PlantKind("swapped_hole_card", "633a.7(h) method", "breach", _HOLE, reader=True),
    PlantKind("peek_missed", "633a.7(h) eligibility", "breach", _HOLE, reader=True),
    PlantKind("peek_before_insurance", "633a.8(b) timing", "irregularity handled", _HOLE, reader=True),
    PlantKind("no_inspection", "633a.2(f) second sentence", "breach", _HOLE, reader=True),
    PlantKind(
        "switch_hand_skipped",
        "633a.14(g) one",
        "irregularity handled",
        _games(lambda game: game.facts.switch_hands),
        switch_hands=True,
    ),
    PlantKind(
        "second_face_up",
        "635a.13(a) more",
        "irregularity handled",
        _games(lambda game: game.clauses.second_face_up_card),
    ),
    PlantKind("ten_found", "635a.13(b) one", "irregularity handled", _games(lambda game: game.clauses.ten_found)),
    PlantKind("second_ten", "635a.13(b) more", "irregularity handled", _games(lambda game: game.clauses.second_ten)),
)
PLANTS: Final[Mapping[str, PlantKind]] = MappingProxyType({kind.name: kind for kind in _KINDS})
# What can follow from a plant: it is in the truth, but nobody asks for it.
CONSEQUENCES: Final[Mapping[str, PlantKind]] = MappingProxyType(
    {
        "card_refused": PlantKind("card_refused", "633a.14(c) refusal", "irregularity handled"),
        "card_discarded": PlantKind("card_discarded", "633a.14(c) discard", "irregularity handled"),
    }
)


@dataclass(frozen=True, slots=True)
class Plant:
    """One irregularity on request: its name and its round, None for a round that the seed chooses."""

    name: str
    round: int | None = None

    def __post_init__(self) -> None:
        if self.name not in PLANTS:
            raise BadInput(f"no irregularity is called {self.name!r}; known: {', '.join(PLANTS)}")
        if self.round is not None and self.round < 1:
            raise BadInput(f"{self.name}: a round is 1 or more, not {self.round}")

    @property
    def kind(self) -> PlantKind:
        """Clause, verdict and limits of this plant."""
        return PLANTS[self.name]

    def check(self, game: Game, shoe: ShoeKind, reader: bool = True, switch_hands: bool = False) -> None:
        """Raise BadInput when this plant cannot happen in that game or shoe, or at such a table."""
        if self.kind.switch_hands and not switch_hands:
            raise BadInput(f"{self.name} cannot happen at a table without switch hands")
        if self.kind.reader and not reader:
            raise BadInput(f"{self.name} cannot happen at a table without a card reader device")
        if game not in self.kind.games or shoe not in self.kind.shoes:
            raise BadInput(f"{self.name} cannot happen in {game.name.lower()} from a {shoe.name.lower()} shoe")


def parse_plant(text: str) -> Plant:
    """Read `name`, `name@round` or `name@random`, as the command line has it."""
    name, _, where = text.partition("@")
    if where in ("", "random"):
        return Plant(name)
    if not where.isdecimal():
        raise BadInput(f"{text!r}: after @ comes a round number or `random`")
    return Plant(name, int(where))


@dataclass(frozen=True, slots=True)
class Happened:
    """A plant that really happened: `round` is 0 outside a round, `cards` the orders of the true cards in it."""

    name: str
    round: int
    clause: str
    verdict: Verdict
    cards: tuple[int, ...] = ()


@dataclass(slots=True)
class PlantBook:
    """Which plants are still to come; asked by the dealer wherever one of them could happen."""

    waiting: list[tuple[int, str]] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)

    @classmethod
    def plan(cls, plants: Iterable[Plant], rng: Random, rounds: int) -> PlantBook:
        """Give every plant without a round one of 1..`rounds`, each another one as long as there are any left."""
        book = cls()
        free: list[int] = []
        for plant in plants:
            if plant.round is not None:
                book.waiting.append((plant.round, plant.name))
                continue
            if not free:
                free = rng.sample(range(1, max(rounds, 1) + 1), max(rounds, 1))
            book.waiting.append((free.pop(), plant.name))
        book.waiting.sort()
        return book

    def due(self, name: str, round_number: int) -> bool:
        """Tell whether a plant of this name should happen now."""
        return any(known == name and planned <= round_number for planned, known in self.waiting)

    def planned(self, name: str) -> int | None:
        """Return the round for which a plant still waits."""
        return next((planned for planned, known in self.waiting if known == name), None)

    def happens(self, name: str, round_number: int, cards: Sequence[int] = (), clause: str | None = None) -> None:
        """Note that it happened: the first waiting one of that name is crossed off. `clause`: if not the usual."""
        for entry in self.waiting:
            if entry[1] == name:
                self.waiting.remove(entry)
                break
        kind = PLANTS.get(name) or CONSEQUENCES[name]
        self.happened.append(Happened(name, round_number, clause or kind.clause, kind.verdict, tuple(cards)))

    def ends_as(self, name: str, consequence: str) -> None:
        """The last plant of this name came to that consequence: it is one event, under the consequence's clause."""
        at = max(at for at, one in enumerate(self.happened) if one.name == name)
        kind = CONSEQUENCES[consequence]
        self.happened[at] = replace(self.happened[at], clause=kind.clause, verdict=kind.verdict)
