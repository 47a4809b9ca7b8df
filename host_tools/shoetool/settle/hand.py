"""Settle one hand's wagers against one dealer's hand: the main wager, a double, a press that lies apart, the lammers.

Every result is a line with its clause and reason. The order at the table does not matter here.
"""

from __future__ import annotations

from typing import Final, Literal

from shoetool.rules.games.settling import MainOutcome, Showdown
from shoetool.rules.hands import best_total, is_natural
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Row
from shoetool.rules.round import Box, Hand, Line, Stage
from shoetool.rules.wagers import switch_hands
from shoetool.rules.wagers.hybrid_table import SURRENDER
from shoetool.rules.wagers.pressing import area_of
from shoetool.settle.bonus import bonus_of
from shoetool.settle.dealer import DealerHand
from shoetool.settle.payout import odds_words, payout
from shoetool.settle.terms import Terms

_MAIN: Final = Stage.MAIN
_PUSHES: Final = 22
"""The dealer's count that returns the wagers which remain: 590.7(n)(1)."""

_EVEN_MONEY: Final = Odds.parse("1 to 1")

Apart = Literal["", "additional", "tucked"]
"""A hand whose wager is treated apart: "additional" is a wager beyond the original one, which a dealer Blackjack does
not take (633a.11(d), 635a.11(d)); "tucked" one over 21 that waits for the hands beside it (590.11(c) bust)."""


def hand_lines(terms: Terms, dealer: DealerHand, box: Box, hand: Hand, apart: Apart) -> list[Line]:
    """Return the lines of a hand of `box` that `check_hand` accepts. All of them have the same stage."""
    return _HandSettling(terms, dealer, box, hand, apart).lines()


class _HandSettling:
    """One hand while it is settled."""

    __slots__ = (
        *("apart", "box", "dealer", "hand", "late", "of_main", "press", "settling", "stage", "terms", "total"),
    )

    def __init__(self, terms: Terms, dealer: DealerHand, box: Box, hand: Hand, apart: Apart) -> None:
        self.terms = terms
        self.settling = terms.settling
        self.of_main = terms.of_main(box)
        self.dealer = dealer
        self.box = box
        self.hand = hand
        self.apart = apart
        self.press = area_of(box.pressed)
        self.total = best_total(hand.cards)
        self.stage = self.late = Stage.ANY_TIME if terms.game.no_hole else _MAIN

    def lines(self) -> list[Line]:
        end = self.hand.end
        if end == "dead":
            return self._dead()
        if end == "even_money":
            return self._even_money()
        if end == "surrendered":
            return self._surrendered()
        if end == "rescued":
            return self._rescued()
        return self._against_the_dealer()

    # Hands that end without a showdown

    def _dead(self) -> list[Line]:
        clauses = self.terms.game.clauses
        count = len(self.hand.cards)
        clause = (clauses.no_cards, clauses.one_card, clauses.missed_card)[min(count, 2)]
        self.stage = Stage.IN_TURN if count > 1 else Stage.AFTER_DEAL
        words = ("no cards were dealt to it", "only one card was dealt to it", "a card it asked for was missed")
        return self._given_back("dead", f"a dead hand: {words[min(count, 2)]}", clause)

    def _given_back(self, outcome: str, words: str, clause: str) -> list[Line]:
        lines = []
        if self.hand.stake:
            lines.append(self._line("main", self.hand.stake, outcome, f"{words}, returned", clause, self.hand.stake))
        if self.hand.double:
            lines.append(
                self._line("double", self.hand.double, outcome, f"{words}, returned", clause, self.hand.double)
            )
        if self.press is not None:
            cents = self.press.cents
            lines.append(self._line("press", cents, outcome, f"{words}, returned", clause, cents))
        return lines + self._lammers_taken(words, clause)

    def _even_money(self) -> list[Line]:
        row = self.terms.even_money
        assert row is not None
        self.stage = Stage.AFTER_DEAL
        key, words = "even_money", "Blackjack, even money taken"
        return [self._paid("main", self.hand.stake, key, words, row.clause, row), *self._press_won(key, words)]

    def _surrendered(self) -> list[Line]:
        settling = self.settling
        stake = self.hand.stake
        if not self.dealer.high_up:
            clause = settling.surrender_low
            self.stage = Stage.IN_TURN
        else:
            at_reveal = not settling.surrender_reader or (
                settling.surrender_revealed != "" and self.terms.rules.surrender == "way_1"
            )
            clause = settling.surrender_revealed if at_reveal else settling.surrender_reader
            self.stage = Stage.HOLE_CARD if at_reveal else Stage.IN_TURN
        if self.terms.game.no_hole and self.dealer.high_up:
            self.stage = self.late
        if self.dealer.blackjack and not (self.terms.game.no_hole and SURRENDER.of(self.terms.rules) == "half"):
            if not self.terms.game.no_hole:
                self.stage = Stage.AFTER_READER if self.dealer.peeked else Stage.HOLE_CARD
            key = "surrendered_dealer_blackjack"
            words = "surrendered; the dealer has Blackjack and takes the whole wager"
            return [self._line("main", stake, key, words, clause), *self._press_undone(key)]
        lines = [self._halved("main", stake, clause)]
        if self.press is not None:
            lines.append(self._halved("press", self.press.cents, clause))
        return lines

    def _halved(self, wager: str, staked: int, clause: str) -> Line:
        notes = ((clause, "half a cent of the wager cannot be returned"),) if staked % 2 else ()
        words = "surrendered for half the wager"
        return self._line(wager, staked, "surrendered", words, clause, staked // 2, notes=notes)

    def _rescued(self) -> list[Line]:
        clause = self.settling.rescued
        self.stage = Stage.IN_TURN
        hand = self.hand
        words = "rescued: the double is taken back and the wager forfeited"
        return [
            self._line("main", hand.stake, "rescued", words, clause),
            self._line("double", hand.double, "rescued", words, clause, returned=hand.double),
        ]

    # Hands that meet the dealer's

    def _against_the_dealer(self) -> list[Line]:
        hand, dealer = self.hand, self.dealer
        count = len(hand.cards)
        natural = is_natural(hand, self.total)
        show = Showdown(
            self.total,
            count,
            natural,
            self.total == 21 and count == 2 and hand.switched and not hand.from_split,
            dealer.total,
            dealer.cards,
            dealer.blackjack,
            high_up=dealer.high_up,
            doubled=hand.double > 0,
            drew=hand.from_split or count > 2,
        )
        if natural and self.of_main.of_ante:
            show = self._beside_an_ante(show)
        for outcome in self.of_main.outcomes:
            if outcome.predicate(show):
                break
        else:
            raise AssertionError(f"no outcome of the main wager holds for {show}")
        clause = outcome.clause
        if self.total > 21 and outcome.result != "push":
            if self.apart == "tucked" and dealer.total == _PUSHES and self.terms.rules.tucked_wager == "returned":
                words = f"{self.total}: its tucked wager remains against the dealer's 22"
                return self._given_back("dealer_22", words, self.terms.game.settling.tucked_returned)
            clause = self._over_21(clause)
        elif dealer.blackjack:
            self.stage = Stage.AFTER_READER if dealer.peeked else self.late
        elif not self.terms.game.meets_dealer(natural) and outcome.result == "win":
            return self._blackjack(outcome)
        return self._settled(outcome, clause, outcome.words.format(total=self.total, dealer=dealer.total))

    def _beside_an_ante(self, show: Showdown) -> Showdown:
        """The facts of a Blackjack where 633c.4 settles it."""
        rules, dealers = self.terms.rules, show.dealer_blackjack
        colored = switch_hands.colored(rules, self.box, self.hand.cards, dealers)
        return show._replace(colored=colored, tie_pays=dealers and switch_hands.tie_pays(rules, self.box))

    def _over_21(self, clause: str) -> str:
        if self.apart == "tucked":
            return self.settling.tucked
        # Nobody sees that a face-down double is over 21 before it is turned.
        hidden = self.hand.double and self.terms.rules.double_face_down and self.terms.game.facts.double_face_down
        self.stage = Stage.MAIN if hidden else Stage.IN_TURN
        return clause

    def _blackjack(self, outcome: MainOutcome) -> list[Line]:
        """Settle a Blackjack that no dealer's card can change. The up card decides when it is paid."""
        settling = self.settling
        key, clause, words = outcome.row, settling.blackjack_low, f"{outcome.name}, paid at once"
        self.stage = Stage.IN_TURN
        row = self.of_main.rows[outcome.row]
        if self.dealer.high_up:
            clause = settling.blackjack_once
            if settling.blackjack_held and (self.terms.rules.hold_blackjack or not clause):
                self.stage = Stage.HOLE_CARD
                clause, words = settling.blackjack_held, f"{outcome.name}, paid when the hole card is revealed"
                if outcome.key == "blackjack_dealer_21":
                    key, clause, words = outcome.key, outcome.clause, outcome.words
        return [self._paid("main", self.hand.stake, key, words, clause, row), *self._press_won(key, words)]

    def _settled(self, outcome: MainOutcome, clause: str, words: str) -> list[Line]:
        hand, settling = self.hand, self.settling
        key = outcome.key
        lines: list[Line] = []
        if outcome.result == "win":
            row = self.of_main.rows[outcome.row]
            bonus = bonus_of(self.terms, hand) if self.total == 21 else ""
            if bonus:
                row = self.terms.bonus[bonus]
                key, clause, words = row.key, row.clause, f"{words}: {_small(row.outcome)}"
            if hand.stake:
                lines.append(self._paid("main", hand.stake, key, words, clause, row))
            if hand.double:
                row = self.of_main.rows["win"]
                lines.append(self._paid("double", hand.double, key, words, settling.doubled, row))
            lines += self._press_won(key, words)
            for lammer, name in ((hand.lammer, "split"), (hand.free_double, "double")):
                if lammer:
                    text = f"{words}: the lammer of the free {name}"
                    lines.append(self._lammer_paid(lammer, key, text, clause))
            return lines
        if outcome.result == "push":
            return self._given_back(key, words, clause)
        by_blackjack = self.dealer.blackjack and self.total <= 21
        split_back = settling.split_back if by_blackjack and self.apart == "additional" else ""
        double_back = self.terms.double_back if by_blackjack else ""
        for wager, staked, back, spared, what in (
            ("main", hand.stake, split_back, "split_returned", "the original wager of the split pair"),
            ("double", hand.double, double_back, "double_returned", "the original wager, not the double"),
        ):
            if staked and back:
                lines.append(self._line(wager, staked, spared, f"{words}, who takes only {what}", back, staked))
            elif staked:
                lines.append(self._line(wager, staked, key, f"{words}, loses", clause))
        if self.press is not None and self.dealer.blackjack:
            lines += self._press_undone(key)
        elif self.press is not None:
            lines.append(self._line("press", self.press.cents, key, f"{words}, loses", clause))
        return lines + self._lammers_taken(words, clause)

    # Lines

    def _press_won(self, outcome: str, words: str) -> list[Line]:
        """The winnings that lie apart are paid even money, beside a Blackjack too: 633c.11(f), T78."""
        if self.press is None:
            return []
        cents, clause = self.press.cents, self.press.area.even_money
        return [self._line("press", cents, outcome, f"{words}, pays even money", clause, cents, cents, _EVEN_MONEY)]

    def _press_undone(self, outcome: str) -> list[Line]:
        """Nothing is added against a dealer's Blackjack: what lies apart goes back, 633c.11(f), T76."""
        if self.press is None:
            return []
        cents, clause = self.press.cents, self.press.area.even_money
        words = "the dealer has Blackjack, against which nothing is added, returned"
        return [self._line("press", cents, outcome, words, clause, cents)]

    def _lammers_taken(self, words: str, clause: str) -> list[Line]:
        lammers = ((self.hand.lammer, "split"), (self.hand.free_double, "double"))
        return [
            self._line("lammer", 0, "collected", f"{words}: the lammer of the free {name} is collected", clause)
            for lammer, name in lammers
            if lammer
        ]

    def _lammer_paid(self, lammer: int, outcome: str, words: str, clause: str) -> Line:
        row = self.of_main.rows["lammer"]
        won, notes = payout(row, lammer)
        text = f"{words}, {odds_words(row, clause)}"
        return self._line("lammer", 0, outcome, text, clause, won=won, odds=row.odds, notes=notes)

    def _paid(self, wager: str, staked: int, outcome: str, words: str, clause: str, row: Row) -> Line:
        won, notes = payout(row, staked)
        text = f"{words}, {odds_words(row, clause)}"
        return self._line(wager, staked, outcome, text, clause, staked, won, row.odds, notes)

    def _line(
        self,
        wager: str,
        staked: int,
        outcome: str,
        words: str,
        clause: str,
        returned: int = 0,
        won: int = 0,
        odds: Odds | None = None,
        notes: tuple[tuple[str, str], ...] = (),
    ) -> Line:
        place = (self.box.position, self.hand.number)
        return Line(
            *place, wager, staked, outcome, words, clause, odds, returned, won, self.terms.source, self.stage, notes
        )


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
