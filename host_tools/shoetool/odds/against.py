"""A player's hands against one up card: what each is worth when it stands, is doubled, draws or is split.

Every value here is a whole number: the expected winnings in units of the wager, times `scale` of the cards left in the
shoe, times `PlayRules.unit`. So values of hands after a draw can be added as they are: with n cards left,
scale(n) = n * scale(n - 1), and a draw of a card of which c are left has the probability c/n. A value counts only
rounds in which the dealer has no Blackjack. That suffices to compare two choices, since no choice changes whether he
has one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import comb, perm
from operator import add, sub

from shoetool.odds.draws import FINALS, blackjack_hole, dealer_draws
from shoetool.odds.play_rules import REAL, Form, PlayRules, Standing
from shoetool.odds.shoe import NOTHING, Counts, best_count, plus

Worth = Callable[[Counts, Counts, Form], int]
"""(cards of a split hand, other cards that left the shoe, form): what the hand is worth as it is played on."""

_MOST_CARDS = 21


class Against:
    """The worth of hands against the up card `up`, a value 0 to 9, in a round of these rules.

    shoe: the cards that the round goes on with, the up card not among them.
    """

    def __init__(self, rules: PlayRules, up: int, shoe: Counts) -> None:
        self.rules = rules
        self.up = up
        self.shoe = shoe
        self.size = sum(self.shoe)
        self._draws = dealer_draws(up, rules.h17)
        self._hole = blackjack_hole(up)
        # As few cards as can be left behind the longest hands that the shoe allows: `scale` counts down to them.
        self.floor = max(0, self.size - self._draws.longest - _MOST_CARDS - 2 * rules.max_hands)
        self._dealt: dict[Counts, list[int]] = {}
        self._stood: dict[tuple[Counts, Standing, bool], tuple[int, int]] = {}

    def at_odds_of(self, rules: PlayRules) -> Against:
        """The same cards with other odds, by rules under which as many cards may be played."""
        assert rules.max_hands == self.rules.max_hands and rules.h17 == self.rules.h17
        other = Against(rules, self.up, self.shoe)
        other._dealt = self._dealt
        return other

    def scale(self, left: int) -> int:
        """By what a value is multiplied with so many cards left in the shoe."""
        return perm(left, left - self.floor)

    def left(self, gone: Counts) -> Counts:
        """The shoe without these cards."""
        return tuple(map(sub, self.shoe, gone))

    def dealer(self, gone: Counts) -> list[int]:
        """The chance of each of his final counts, scaled, when these cards have left the shoe."""
        found = self._dealt.get(gone)
        if found is None:
            shoe = self.left(gone)
            rest = self.scale(sum(shoe) - self._draws.longest)
            found = self._dealt[gone] = [weight * rest for weight in self._draws.weights(shoe)]
        return found

    def alive(self, gone: Counts) -> int:
        """The chance that the dealer has no Blackjack, scaled, when these cards have left the shoe."""
        shoe = self.left(gone)
        size = sum(shoe)
        with_it = shoe[self._hole] if self._hole is not None else 0
        return (size - with_it) * self.scale(size - 1)

    def stand(self, cards: Counts, others: Counts, form: Form, plain: bool, switched: bool = False) -> int:
        """The worth of a hand that draws no more. `others` left the shoe beside it; a `plain` hand was split or
        doubled, so it is no Blackjack and has no better odds for its cards."""
        count, _ = best_count(cards)
        number = sum(cards)
        natural = count == 21 and number == 2 and not plain
        standing = Standing(count, number, natural and not switched, natural and switched, self._waits)
        gone = together(cards, others)
        key = (gone, standing, plain)
        found = self._stood.get(key)
        if found is None:
            found = self._stood[key] = self._wins_and_losses(cards, gone, standing, plain)
        wins, losses = found
        return form.win * wins - form.lose * losses

    def _wins_and_losses(self, cards: Counts, gone: Counts, standing: Standing, plain: bool) -> tuple[int, int]:
        better = self.rules.bonus(cards) if standing.total == 21 and not plain else None
        wins = losses = 0
        for weight, payoff in zip(self.dealer(gone), self.rules.payoffs(standing), strict=True):
            if payoff > 0:
                wins += weight * (payoff if better is None else better)
            else:
                losses -= weight * payoff
        return wins, losses

    @cached_property
    def _may_push(self) -> frozenset[int]:
        """The counts over 21 with which a hand does not lose to every hand of the dealer's (T36)."""
        over = (count for count in FINALS if count > 21)
        return frozenset(count for count in over if 0 in self.rules.payoffs(Standing(count, 3)))

    @property
    def _waits(self) -> bool:
        """Whether a Blackjack against this up card is settled when the dealer's hand has ended, 633c.5(p)(1)."""
        return self._hole is not None

    def bust(self, gone: Counts, form: Form) -> int:
        """The worth of a hand that is lost whatever the dealer draws."""
        return -form.lose * self.rules.unit * self.alive(gone)

    def given_up(self, gone: Counts) -> int:
        """The worth of a hand that is surrendered: half the wager is lost."""
        return -self.rules.unit // 2 * self.alive(gone)

    def after_draw(self, cards: Counts, others: Counts, form: Form, then: Callable[[Counts], int]) -> int:
        """The worth of a hand that draws one card, and what is done `then` if it is not over 21."""
        gone = together(cards, others)
        total = 0
        for value, number in enumerate(self.left(gone)):
            if number:
                more = plus(cards, value)
                count, _ = best_count(more)
                if count <= 21:
                    total += number * then(more)
                elif count in self._may_push:
                    total += number * self.stand(more, others, form, True)
                else:
                    total += number * self.bust(plus(gone, value), form)
        return total

    def split(self, value: int, worth: Worth, forms: tuple[Form, Form], others: Counts = NOTHING) -> int:
        """The worth of a pair that is split, and split again as often as the table allows.

        worth: of a split hand that has two cards and is not split again. forms: of the hand on the dealer's left, and
        of the others. A hand's later cards depend on nothing that is known of the other hands but their second cards,
        and those only by whether they made another pair. So the worth of all hands together is a sum over the number
        of further pair cards, each hand's own worth being taken with so many pair cards out of the shoe.
        """
        pair = plus(NOTHING, value)
        pairs_left = self.left(together(plus(pair, value), others))[value]
        kept: dict[tuple[int, bool, Form], int] = {}

        def one(more: int, any_second: bool, form: Form) -> int:
            """A hand with its pair card, when `more` pair cards left the shoe; its second card another or any."""
            key = more, any_second, form
            if key not in kept:
                beside = plus(others, value, 1 + more)
                total = 0
                for second, number in enumerate(self.left(together(pair, beside))):
                    if number > 0 and (any_second or second != value):
                        total += number * worth(plus(pair, second), beside, form)
                kept[key] = total
            return kept[key]

        def given(more: int, unlike: int, any_second: bool, form: Form) -> int:
            """The same, times the chance that `unlike` second cards of other hands are no pair cards."""
            return sum(
                (-1) ** some * comb(unlike, some) * perm(pairs_left - more, some) * one(more + some, any_second, form)
                for some in range(min(unlike, pairs_left - more) + 1)
            )

        total = 0
        left, right = forms
        for hands, resolved, paths in split_ends(self.rules.max_hands):
            more = hands - 2
            chance = paths * perm(pairs_left, more)
            if not chance:
                continue
            opened = hands - resolved
            if resolved:  # the hand on the left gets its second card first
                total += chance * given(more, resolved - 1, False, left)
                total += chance * (resolved - 1) * given(more, resolved - 1, False, right)
            else:
                total += chance * given(more, 0, True, left)
                opened -= 1
            total += chance * opened * given(more, resolved, True, right)
        return total

    def split_alike(self, value: int, worth: Worth, others: Counts = NOTHING) -> int:
        """The worth of a pair that is split at a hybrid table, and split again as often as the table allows.

        All hands that wait take the same card (633c.5(q), reading 81), so those of a split stay alike.
        """
        most = self.rules.max_hands
        pair = plus(NOTHING, value)

        def alike(number: int, hands: int, gone: int) -> int:
            """So many alike hands of one card, of `hands` in all; `gone` cards of the pair's value left the shoe."""
            beside = plus(others, value, gone - 1)
            again = min(number, most - hands)
            total = 0
            for second, left in enumerate(self.left(together(pair, beside))):
                split = again if second == value else 0
                if left > 0:
                    more = alike(2 * split, hands + split, gone + 1) if split else 0
                    more += (number - split) * worth(plus(pair, second), beside, REAL) if number > split else 0
                    total += left * more
            return total

        return alike(2, 2, 2)


def together(cards: Counts, others: Counts) -> Counts:
    """Both sets of cards."""
    return tuple(map(add, cards, others))


def split_ends(most: int) -> list[tuple[int, int, int]]:
    """How splitting can end: (hands, how many of them have a second card that is no pair card, in how many ways).

    The other hands then take any second card, since there are as many hands as the table allows.
    """
    found: dict[tuple[int, int], int] = {}
    open_states = {(2, 0): 1}
    while open_states:
        longer: dict[tuple[int, int], int] = {}
        for (hands, resolved), ways in open_states.items():
            if hands == most or resolved == hands:
                found[hands, resolved] = found.get((hands, resolved), 0) + ways
                continue
            for state in ((hands + 1, resolved), (hands, resolved + 1)):
                longer[state] = longer.get(state, 0) + ways
        open_states = longer
    return [(hands, resolved, ways) for (hands, resolved), ways in found.items()]
