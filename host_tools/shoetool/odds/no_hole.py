"""A player's hands at a hybrid table without a hole card, 633c.5(w): the dealer's second card comes after all choices.

So a choice is made before anybody knows whether the dealer has a Blackjack, and it changes what is lost to one. Here a
value counts all rounds, those with his Blackjack among them.
"""

from __future__ import annotations

from shoetool.odds.against import Against, Worth, together
from shoetool.odds.play_rules import ADDED, REAL, Form, PlayRules
from shoetool.odds.shoe import ACE, NOTHING, Counts, best_count, plus
from shoetool.rules.wagers.hybrid_table import SURRENDER


class AgainstNoHole(Against):
    """The worth of hands against the up card `up`; `Against` says in which unit."""

    def __init__(self, rules: PlayRules, up: int, shoe: Counts) -> None:
        super().__init__(rules, up, shoe)
        assert rules.max_hands <= 2, "633c.5(z): two hands in all"
        self._taken: dict[tuple[bool, int], int] = {}

    def blackjack(self, gone: Counts) -> int:
        """The chance that the dealer has a Blackjack, scaled, when these cards have left the shoe."""
        return self.scale(sum(self.left(gone))) - self.alive(gone)

    def stand(self, cards: Counts, others: Counts, form: Form, plain: bool, switched: bool = False) -> int:
        """The worth of a hand within 21 that draws no more; his Blackjack takes what `form` says."""
        count, _ = best_count(cards)
        key = count == 21 and sum(cards) == 2 and not plain, count
        if key not in self._taken:
            self._taken[key] = -int(self.rules.at_blackjack(*key)) * self.rules.unit
        taken = form.to_blackjack * self._taken[key] * self.blackjack(together(cards, others))
        return super().stand(cards, others, form, plain, switched) - taken

    @property
    def _waits(self) -> bool:
        """The dealer's second card alone decides a Blackjack, 633c.5(aa)(1)."""
        return False

    def bust(self, gone: Counts, form: Form) -> int:
        """The worth of a hand over 21: all its wagers are lost before the dealer's second card, 633c.5(aa)(3)."""
        return -form.lose * self.rules.unit * self.scale(sum(self.left(gone)))

    def given_up(self, gone: Counts) -> int:
        """The worth of a hand that is surrendered: half the wager is lost.

        Against an ace or a ten-count card the dealer's second card decides, and his Blackjack takes the whole wager;
        but where the house reads 633a.9(a) so (T51), half is lost at once.
        """
        half = self.rules.unit // 2
        whole = half * self.blackjack(gone) if SURRENDER.of(self.rules.submission) == "second_card" else 0
        return -half * self.scale(sum(self.left(gone))) - whole

    def split_alike(self, value: int, worth: Worth, others: Counts = NOTHING) -> int:
        """The worth of a pair that is split: both hands take the same cards, and an ace one card (633c.5(aa)(3)(i))."""
        beside = plus(others, value)
        total = 0
        for second, left in enumerate(self.left(plus(beside, value))):
            cards = plus(plus(NOTHING, value), second)
            for form in (REAL, ADDED) if left else ():
                alone = self.stand(cards, beside, form, True) if value == ACE else worth(cards, beside, form)
                total += left * alone
        return total
