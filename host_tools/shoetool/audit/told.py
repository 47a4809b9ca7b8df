"""What an audit keeps of one history: a few kilobytes that go from a worker to the one who adds them up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from shoetool.audit.dealer_law import ENDINGS, RESULTS, ending, value_of
from shoetool.audit.deck import Deck
from shoetool.model.cards import total
from shoetool.odds.shoe import VALUES

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(slots=True)
class Load:
    """A batch from the time it was loaded on a side until its last card.

    faces: of its cards in the order they came out, UNREAD where the history does not tell one. fixed: how many of the
    first ones have places that no card decided: all before the cover card, which was put in before the deal, or all
    when the batch was counted to its end. behind: cards behind the cover card, -1 when none came in play. whole: the
    batch was counted to its end. why_not: why its order cannot be looked at, "" when it can. unopened: cards among them
    that were never opened.
    """

    shoe: int
    side: int
    batch: int
    deck: Deck
    faces: bytes = b""
    fixed: int = 0
    behind: int = -1
    whole: bool = False
    why_not: str = ""
    unopened: int = 0
    strangers: int = 0
    """Cards of the right back that the decks do not hold: 10s of Spanish 21."""
    not_once: bool = False
    """Its cards need not be those of its decks, each once: some came back, or it is not known what came out before."""


class Play(NamedTuple):
    """A dealer's hand that was played to its end: his cards, the up card first.

    left: how many cards of each face there were to draw from, his hole card among them.
    """

    game: str
    dealer: tuple[int, ...]
    left: tuple[int, ...]

    @property
    def up(self) -> int:
        """The value of his up card: 0 the ace, 9 every ten-count card."""
        return value_of(self.dealer[0] % 13)

    @property
    def there(self) -> bool:
        """Whether all that he drew was there to draw: no face came oftener than the batch holds it."""
        return all(self.left[card] >= self.dealer[1:].count(card) for card in self.dealer[1:])

    @property
    def ended(self) -> int:
        """The place of his hand among all endings."""
        return ending(total(self.dealer)[0], len(self.dealer))


class FirstHand(NamedTuple):
    """The first box's two cards, and the dealer's, of the first round after a shuffle. second: those of the box's other
    hand in Blackjack Switch, () in the other games."""

    game: str
    decks: int
    cards: tuple[int, ...]
    dealer: tuple[int, ...]
    second: tuple[int, ...] = ()


@dataclass(slots=True)
class Counted:
    """How often something came, how often it was expected, and the variance of that. It adds up."""

    trials: int = 0
    seen: int = 0
    mean: float = 0.0
    variance: float = 0.0

    def add(self, other: Counted) -> None:
        """Add another one's numbers."""
        self.trials += other.trials
        self.seen += other.seen
        self.mean += other.mean
        self.variance += other.variance


class Cells:
    """How often each of several results came, how often it was expected, and the covariance. It adds up."""

    def __init__(self, cells: int) -> None:
        self.seen = np.zeros(cells)
        self.mean = np.zeros(cells)
        self.covariance = np.zeros((cells, cells))

    def add(self, other: Cells) -> None:
        """Add another one's numbers."""
        self.seen += other.seen
        self.mean += other.mean
        self.covariance += other.covariance

    def trial(self, result: int, chances: Array, number: int = 1) -> None:
        """One trial, or a number of independent ones: its result, and how likely each one was."""
        self.seen[result] += number
        self.mean += number * chances
        self.covariance += number * (np.diag(chances) - np.outer(chances, chances))

    def trials(self, results: Array, chances: Array) -> None:
        """Many of them: shapes (trials,) and (trials, cells)."""
        self.seen += np.bincount(results, minlength=len(self.seen))
        self.mean += chances.sum(axis=0)
        self.covariance += np.diag(chances.sum(axis=0)) - chances.T @ chances


class Dealt:
    """What the rounds of a history, or of many, came to beside what was to be expected."""

    def __init__(self) -> None:
        self.naturals = Counted()
        self.dealer_naturals = Counted()
        self.busts = Counted()
        self.up_cards = Cells(13)
        self.finals = {up: Cells(len(RESULTS)) for up in range(VALUES)}
        self.endings: dict[str, Cells] = {}
        """The dealer's hands of each game by count and number of cards, a cell for each."""
        self.of_ranks: dict[str, Cells] = {}
        """What their ranks made of an optional wager on poker hands, as if no five shared a suit: a cell for each
        outcome, and a loss last."""
        self.of_suits: dict[str, Cells] = {}
        """What their suits made more of an optional wager: a cell for each outcome, and one for nothing more last."""
        self.plays: list[Play] = []
        self.first_hands: list[FirstHand] = []
        self.left_out = 0

    def add(self, other: Dealt) -> None:
        """Add another one's numbers, not its hands."""
        self.naturals.add(other.naturals)
        self.dealer_naturals.add(other.dealer_naturals)
        self.busts.add(other.busts)
        self.up_cards.add(other.up_cards)
        for up, cells in other.finals.items():
            self.finals[up].add(cells)
        for game, cells in other.endings.items():
            self.endings_of(game).add(cells)
        for mine, others in ((self.of_ranks, other.of_ranks), (self.of_suits, other.of_suits)):
            for key, cells in others.items():
                mine.setdefault(key, Cells(len(cells.seen))).add(cells)
        self.left_out += other.left_out

    def endings_of(self, game: str) -> Cells:
        """The cells of a game."""
        return self.endings.setdefault(game, Cells(ENDINGS))


def of_each(noted: list[tuple[Dealt, Play]]) -> Iterator[tuple[Dealt, slice]]:
    """Yield the histories of these hands, and which of the hands are a history's. Those of one follow each other."""
    at = 0
    while at < len(noted):
        dealt, end = noted[at][0], at
        while end < len(noted) and noted[end][0] is dealt:
            end += 1
        yield dealt, slice(at, end)
        at = end


@dataclass(slots=True)
class Told:
    """One history. Either it was read, or `error` says why not in one line.

    heads: (head, batch, what) -> how often, what being "cards", "unread", "faults" or "cleared". why_not: why none of
    its cards in order can be looked at, "" when they can.
    """

    path: str
    sha256: str = ""
    error: str | None = None
    defect: bool = False
    device: bytes = b""
    tables: tuple[int, ...] = ()
    shoes: tuple[int, ...] = ()
    loads: list[Load] = field(default_factory=list)
    dealt: Dealt = field(default_factory=Dealt)
    heads: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    rounds: int = 0
    irregularities: int = 0
    findings: int | None = None
    """What `verify` finds in it, None when it was not asked."""
    why_not: str = ""
    cuts: list[tuple[int, int]] = field(default_factory=list)
    """Cards from the top to each cut that a table record tells, and cards of the stack."""
    bad_lines: int = 0
    """Lines of the table record that could not be read."""
    began: int | None = None
    """Unix ms of its first record, None when it is not known."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a worker is to read of a history beside its records: its table record, and what `verify` finds; and whether
    it is to look at the optional wagers too."""

    records: bool = False
    findings: bool = False
    wagers: bool = False
