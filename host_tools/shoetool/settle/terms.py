"""The terms on which a table settles: what its rules submission says, looked up once for all its rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from shoetool.rules.games import Game, game
from shoetool.rules.games.settling import MainOutcome
from shoetool.rules.paytable import Row, paytable
from shoetool.rules.round import Box, Source
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, draw_for, once_a_table
from shoetool.rules.wagers import WAGERS, switch_hands
from shoetool.rules.wagers.hybrid_table import DOUBLE_BACK
from shoetool.settle.offer import Offer


class OfMain(NamedTuple):
    """How a position's main wager is settled: outcomes in order, rows of its paytable by key. of_ante: by 633c.4."""

    outcomes: tuple[MainOutcome, ...]
    rows: dict[str, Row]
    of_ante: bool = False


class Terms:
    """Game, submission and paytables (main wager, insurance, even money, bonuses) of one table.

    draw_for: wagers for which the dealer draws, whatever the hands are (reading 21, T84, T87). source: who holds and
    pays the wagers of the game. double_back: the clause by which a dealer's Blackjack gives a double back.
    """

    __slots__ = (
        *("_beside_ante", "_offers", "_plain", "bonus", "draw_for", "even_money", "fixed", "game", "insurance", "main"),
        *("double_back", "outcomes", "rules", "settling", "source"),
    )

    def __init__(self, rules: RulesSubmission) -> None:
        self.rules = rules
        self.game: Game = game(rules.game)
        self.settling = self.game.settling
        self.outcomes = self.settling.outcomes
        self.source: Source = "house" if self.game.electronic else "tray"
        self.double_back = self.settling.double_back
        if self.game.no_hole and DOUBLE_BACK.of(rules) == "both":
            self.double_back = ""
        chosen = [one for key, word, one in self.settling.otherwise if rules.setting(key) == word]
        self.outcomes = (*chosen, *self.outcomes)
        if self.settling.outcomes_exempt and not rules.switch_hold_blackjack:
            self.outcomes = self.settling.outcomes_exempt
        decks, name = rules.decks, rules.game
        self.main = {row.key: row for row in paytable("main", "", decks, name).rows}
        self._plain = OfMain(self.outcomes, self.main)
        self._beside_ante = self._plain
        if key := switch_hands.PAYTABLES.get(offered := switch_hands.OFFERED.of(rules)):
            rows = {row.key: row for row in paytable(key, "", decks, name).rows}
            self._beside_ante = OfMain(switch_hands.OUTCOMES[offered], rows, True)
        self.insurance = paytable("insurance", "", decks, name).row("win")
        self.even_money: Row | None = None
        if self.game.offers_even_money:
            self.even_money = paytable("even_money", "", decks, name).row("even_money")
        self.bonus: dict[str, Row] = {}
        self.fixed: dict[str, Row] = {}
        if self.settling.bonuses:
            self.bonus = {row.key: row for row in paytable("card_bonus", "", decks, name).rows}
        if self.settling.fixed_bonus is not None:
            self.fixed = {row.key: row for row in paytable("bonus", "", decks, name).rows}
        self.draw_for = draw_for(rules)
        self._offers: dict[str, Offer] = {}

    def of_main(self, box: Box) -> OfMain:
        """How the main wager of a position is settled."""
        if self._beside_ante is self._plain or not switch_hands.settles(self.rules, box):
            return self._plain
        return self._beside_ante

    def offer(self, key: str, position: int) -> Offer:
        """The optional wager as this table offers it to a position; RuleError when it does not."""
        found = self._offers.get(key)
        if found is not None:
            return found
        if key not in WAGERS or key not in self.rules.wagers:
            clause = WAGERS[key].offered if key in WAGERS else self.game.clauses.side_wagers
            offered = ", ".join(sorted(self.rules.wagers)) or "none"
            text = f"position {position}: the rules submission offers no wager {key!r}; it offers {offered}"
            raise RuleError(clause, text)
        self._offers[key] = Offer(WAGERS[key], self.rules, self.game)
        # In the order of the text, whichever was placed first.
        self._offers = {one: self._offers[one] for one in WAGERS if one in self._offers}
        return self._offers[key]

    def offered(self, placed: Mapping[str, int]) -> bool:
        """Whether all these wagers were placed here before."""
        return placed.keys() <= self._offers.keys()

    def offers(self) -> tuple[Offer, ...]:
        """The optional wagers that were placed here so far, in the order of the text."""
        return tuple(self._offers.values())


terms_of: Final = once_a_table(Terms)
"""The terms of a submission."""
