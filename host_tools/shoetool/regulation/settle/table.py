"""What settling needs of a rules submission, looked up once for all the rounds of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shoetool.model.cards import VALUES, card_name
from shoetool.regulation.games import Game, game
from shoetool.regulation.hands import best_total, first_two_blackjack
from shoetool.regulation.paytable import Row, paytable
from shoetool.regulation.play.table import HAND_DECIDES
from shoetool.regulation.round import TableRound
from shoetool.regulation.rule_error import RuleError
from shoetool.regulation.submission.rules import RulesSubmission
from shoetool.regulation.wagers import WAGERS

if TYPE_CHECKING:
    from shoetool.regulation.settle.rule import HandRule


_KINDS: Final = ("ace", *["low"] * 8, *["ten"] * 4)
"""What matters of the dealer's first two cards, by rank: whether they count 10 or are aces."""


DEALER_STANDS: Final = 17
"""The count from which the dealer draws no more, hard or soft: 633a.7(m), 590.7(l), 635a.7(l)."""


class DealerHand:
    """The dealer's side of a showdown, the same for all rounds in which he ends alike.

    high_up: an ace or ten-count card up, with which the reader is used. insured: an ace up. peeked: the reader told of
    a Blackjack. rules: what becomes of players' hands against it, kept by `settle`.
    """

    __slots__ = ("blackjack", "cards", "high_up", "insured", "peeked", "rules", "total")

    def __init__(self, total: int, cards: int, blackjack: bool, high_up: bool, insured: bool, peeked: bool) -> None:
        self.total = total
        self.cards = cards
        self.blackjack = blackjack
        self.high_up = high_up
        self.insured = insured
        self.peeked = peeked
        self.rules: dict[tuple[object, ...], HandRule] = {}


class SettleTable:
    """One table: its game, its submission and its paytables of main wager, insurance, even money and bonuses."""

    __slots__ = (
        *("_alike", "bonus", "dealers", "draw_for", "even_money", "fixed", "game", "insurance", "main", "outcomes"),
        *("rules", "settling", "waits"),
    )

    def __init__(self, rules: RulesSubmission) -> None:
        self.rules = rules
        self.game: Game = game(rules.game)
        self.settling = self.game.settling
        self.waits = self.game.blackjack_waits
        self.outcomes = self.settling.outcomes
        if self.settling.outcomes_exempt and not rules.switch_hold_blackjack:
            self.outcomes = self.settling.outcomes_exempt
        decks, name = rules.decks, rules.game
        self.main = {row.key: row for row in paytable("main", "", decks, name).rows}
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
        draws = rules.draw_for_side_wagers
        wagers = (key for key in rules.wagers if draws and key in WAGERS and WAGERS[key].needs_dealer_draw)
        self.draw_for = frozenset(wagers) - HAND_DECIDES
        self.dealers: dict[tuple[int, bool, str, str, str | None], DealerHand] = {}
        self._alike: dict[tuple[int, bool, bool, bool, bool, bool], DealerHand] = {}

    def dealer(self, table_round: TableRound) -> DealerHand:
        """The dealer's side of this round; RuleError when it is no hand that a round can end with."""
        cards = table_round.dealer
        if len(cards) < 2:
            raise RuleError(self.game.clauses.reveal, "the dealer has fewer than two cards, and the round is not void")
        if len(cards) > 2:
            self._verify_drawn(cards)
        first, second = _KINDS[cards[0] % 13], _KINDS[cards[1] % 13]
        key = (best_total(cards), len(cards) > 2, first, second, table_round.reader)
        found = self.dealers.get(key)
        if found is None:
            found = self.dealers[key] = self._dealer(table_round)
        return found

    def _verify_drawn(self, cards: tuple[int, ...]) -> None:
        """RuleError for a dealer who drew on 17 or more: 633a.7(m); a card drawn so by accident is in no hand."""
        hard = 0
        ace = False
        for number, card in enumerate(cards[:-1], 1):
            hard += VALUES[card]
            ace = ace or not card % 13
            count = hard + 10 if ace and hard <= 11 else hard
            # A Blackjack that was drawn to is named by `_dealer`.
            if count >= DEALER_STANDS and number > 1 and not (number == 2 and count == 21):
                drawn = " ".join(map(card_name, cards[number:]))
                raise RuleError(self.game.clauses.dealer_draw, f"the dealer had {count} and drew {drawn}")

    def _dealer(self, table_round: TableRound) -> DealerHand:
        cards, reader = table_round.dealer, table_round.reader
        blackjack = len(cards) == 2 and first_two_blackjack(cards)
        high_up = cards[0] % 13 in self.game.reader_ranks
        clauses = self.game.clauses
        if first_two_blackjack(cards) and len(cards) > 2:
            raise RuleError(clauses.dealer_blackjack, "the dealer drew cards to a Blackjack")
        if reader == "blackjack" and not blackjack:
            raise RuleError(clauses.reader, "the reader said Blackjack, and the dealer's cards are none")
        insured = cards[0] % 13 in self.game.insurance_ranks
        peeked = reader == "blackjack"
        # Many pairs of first cards, and a reader that was not used or said no, come to the same.
        key = (best_total(cards), len(cards) > 2, blackjack, high_up, insured, peeked)
        return self._alike.setdefault(key, DealerHand(best_total(cards), len(cards), blackjack, *key[3:]))


_MOST: Final = 16
_tables: dict[int, SettleTable] = {}


def settle_table(rules: RulesSubmission) -> SettleTable:
    """The table of a submission; made once for each submission object, the latest 16 are kept."""
    found = _tables.get(id(rules))
    if found is not None and found.rules is rules:
        return found
    if len(_tables) >= _MOST:
        _tables.pop(next(iter(_tables)))
    found = _tables[id(rules)] = SettleTable(rules)
    return found
