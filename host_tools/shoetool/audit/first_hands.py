"""The optional wagers on the deal: what the first hand after each shuffle made of them, beside their exact odds.

One hand a shuffle, that of the first box: such hands do not depend on each other, and each comes from the whole batch,
as `odds` has it. Whether somebody made the wager does not matter: the cards alone decide it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from math import perm
from typing import Final

import numpy as np

from shoetool.audit.line import Farthest, Line, Member, of_farthest, sigma
from shoetool.audit.tails import cells_tail, count_tail
from shoetool.audit.told import Array, Cells, FirstHand
from shoetool.odds.deals import ON_THE_DEAL, Deals
from shoetool.odds.holding import Held, WatchedRules, holding
from shoetool.odds.wager import ON_A_POKER_HAND, ON_THE_DEALER
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, View, Wager

_BOTH_HANDS: Final = "four_cards"
"""What Super Match looks at: the two hands of a box in Blackjack Switch."""
_KEY: Final = "wagers"
_WHAT: Final = "outcomes of each optional wager on the deal, by the first hand after each shuffle"
_NONE: Final = "no first hand after a shuffle is known of a game with such a wager"
_LAW: Final = (
    "the exact odds of the whole batch: chi-square of all outcomes; and binomial of each, and of all that win; the "
    "smallest p times their number"
)
_IN_PLAY: Final = "outcomes of the optional wagers on cards that are drawn in play"
_NOT_FIXED: Final = "what they win with depends on how the players play"


class FirstHands:
    """How often each outcome of each wager came, by game and number of decks. Memory does not grow with the hands."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, int], Counter[int]] = {}

    def add(self, hands: Iterable[FirstHand]) -> None:
        """Take the first hands of some shuffles."""
        for hand in hands:
            for key in _wagers_of(hand.game):
                both = WAGERS[key].cards == _BOTH_HANDS
                if both and len(hand.second) != 2:
                    continue
                cards = hand.cards + hand.second if both else hand.cards
                held = held_of(key, hand.game)(View(rules_of(key, hand.game), cards, hand.dealer))
                self._seen.setdefault((key, hand.game, hand.decks), Counter())[place_of(key, held)] += 1

    def lines(self) -> list[Line]:
        """The test: the wager that is farthest from its odds, of all on the deal that could be made at these games; and
        a line that names the others, of which nothing can be said."""
        found = Farthest()
        for key in sorted({key for key, _, _ in self._seen}):
            cells = Cells(len(WAGERS[key].outcomes) + 1)
            for (wager, game, decks), seen in self._seen.items():
                for place, number in seen.items() if wager == key else ():
                    cells.trial(place, chances(key, game, decks), number)
            found.add(member(WAGERS[key], cells))
        lines = [of_farthest(_KEY, _WHAT, "hands", found, _LAW, _NONE)]
        games = {game for _, game, _ in self._seen}
        tested = (*ON_THE_DEAL, ON_THE_DEALER, ON_A_POKER_HAND)
        others = [one.title for one in WAGERS.values() if one.cards not in tested and games.intersection(one.games)]
        if others:
            lines.append(Line(f"{_KEY} in play", _IN_PLAY, note=f"{', '.join(others)}: {_NOT_FIXED}"))
        return lines


def member(wager: Wager, cells: Cells, part: str = "") -> Member:
    """The test of one wager, or of a part of it. cells: one for each of its outcomes, and a loss comes last.

    Each outcome is tested by itself too. So one that is too rare for chi-square is seen: a few straight flushes are
    worth a night's play. The numbers are those of the outcome that is farthest, or of all that win.
    """
    *seen, lost = cells.seen.tolist()
    *mean, loses = cells.mean.tolist()
    *variance, of_lost = cells.covariance.diagonal().tolist()
    counts = [("", sum(seen), sum(seen) + lost - loses, of_lost)]
    counts += zip([one.key for one in wager.outcomes], seen, mean, variance, strict=True)
    tails = [count_tail(*count) for _, *count in counts]
    of_all = cells_tail(cells.seen, cells.mean, cells.covariance)
    p = min(1.0, (1 + len(tails)) * min(*tails, 1.0 if of_all is None else of_all[2]))
    outcome, *count = counts[tails.index(min(tails))]
    return Member(p, wager.title + part, count[0], count[1], sigma(*count), outcome)


@cache
def chances(key: str, game: str, decks: int) -> Array:
    """How likely each outcome of a wager is in its place, from a whole batch of so many decks; a loss comes last."""
    size, found = len(GAMES[game].deck) * decks, np.zeros(len(WAGERS[key].outcomes) + 1)
    for cards, ways in _deals(key, game).of(decks).items():
        for held, number in ways.items():
            found[place_of(key, held)] += number / perm(size, cards)
    return found


@cache
def _deals(key: str, game: str) -> Deals:
    wager = WAGERS[key]
    return Deals(wager.cards, GAMES[game].deck, WatchedRules(rules_of(key, game)), held_of(key, game), wager.kind)


@cache
def _wagers_of(game: str) -> tuple[str, ...]:
    return tuple(key for key, wager in WAGERS.items() if wager.cards in ON_THE_DEAL and game in wager.games)


@cache
def rules_of(key: str, game: str) -> RulesSubmission:
    """Where the house chooses, its first choice: any of them can be tested."""
    choices = {choice.key: choice.words[0] for choice in WAGERS[key].every_choice if choice.asked}
    return RulesSubmission(game, 6, choices=choices)


@cache
def held_of(key: str, game: str) -> Callable[[View], Held]:
    """Return what says which outcomes of a wager hold, as far as a paytable of the game pays them."""
    return holding(WAGERS[key], [table for table in paytables(key) if game in table.games])


def place_of(key: str, held: Held) -> int:
    """The place of the outcome that is paid; a loss comes behind them all."""
    return held[0] if held else len(WAGERS[key].outcomes)
