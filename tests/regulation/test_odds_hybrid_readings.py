"""`shoetool odds main` at a hybrid table with a hole card, where the house reads 633c.5(t)(2) otherwise: T36, T37."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from naive_draw import drawn
from shoetool.odds.against import Against
from shoetool.odds.main_wager import won_by
from shoetool.odds.play import Cell, Choices, Pairs, Play
from shoetool.odds.play_rules import REAL, PlayRules
from shoetool.odds.shoe import ACE, NOTHING, TEN, Counts, best_count, plus
from shoetool.rules.submission.rules import RulesSubmission

FIVE, SEVEN, EIGHT = 4, 6, 7
SHOE: Counts = (2, 0, 3, 0, 3, 0, 2, 5, 0, 8)
"""Few enough cards to play out every sequence. Both sides can end with a 22, 23, 24 and 25."""
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}
CHOICES = Choices(hit=DRAWS, double={(False, 11): True, (False, 16): True, (False, 20): True})
PAIRS = Pairs({EIGHT: True})

Wagers = tuple[tuple[int, bool], ...]
"""(count, doubled) of each hand."""


def _naive(up: int, over_pushes: bool, equal_pushes: bool) -> Fraction:
    """What a player wins by these choices, card by card, as 633c.5(o) to (t) have it. The hole card is dealt first.

    He splits 8s once, doubles 11, 16 and 20, and draws to 17 else. Both hands of the split take the same cards.
    """

    @cache
    def dealer(shoe: Counts, cards: Counts, wagers: Wagers) -> Fraction:
        his, _ = best_count(cards)
        if his < 17:
            return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), wagers))
        won = 0
        for mine, doubled in wagers:
            if mine == his and (mine <= 21 or over_pushes):
                continue
            won += (1 + doubled) * (1 if mine <= 21 and (his > 21 or mine > his) else -1)
        return Fraction(won)

    @cache
    def play(shoe: Counts, cards: Counts, hands: int, his: Counts) -> Fraction:
        count, soft = best_count(cards)
        if sum(cards) == 2 and not soft and count in (11, 16, 20):
            return drawn(
                shoe,
                lambda rest, value: dealer(rest, his, ((best_count(plus(cards, value))[0], True),) * hands),
            )
        if count >= 17:
            return dealer(shoe, his, ((count, False),) * hands)
        return drawn(shoe, lambda rest, value: play(rest, plus(cards, value), hands, his))

    @cache
    def paid(shoe: Counts, his: Counts) -> Fraction:
        """A Blackjack that waits for his hand to end, 633c.5(p)(1)."""
        count, _ = best_count(his)
        if count < 17:
            return drawn(shoe, lambda rest, value: paid(rest, plus(his, value)))
        return Fraction(0) if count == 21 and equal_pushes else Fraction(3, 2)

    def two(shoe: Counts, first: int, second: int, hole: int) -> Fraction:
        cards, his = plus(plus(NOTHING, first), second), plus(plus(NOTHING, up), hole)
        natural = {first, second} == {ACE, TEN}
        if {up, hole} == {ACE, TEN}:
            return Fraction(0 if natural else -1)
        if natural:
            return paid(shoe, his) if up in (ACE, TEN) else Fraction(3, 2)
        if first == second == EIGHT:
            return drawn(shoe, lambda rest, value: play(rest, plus(plus(NOTHING, EIGHT), value), 2, his))
        return play(shoe, cards, 1, his)

    return drawn(
        SHOE,
        lambda one, first: drawn(
            one, lambda both, second: drawn(both, lambda rest, hole: two(rest, first, second, hole))
        ),
    )


@pytest.mark.clause("633c.5(t)(2)")
@pytest.mark.parametrize(
    ("up", "read_so"),
    [
        (TEN, ("hybrid_both_over_21",)),
        (ACE, ("hybrid_equal_21",)),
        (TEN, ("hybrid_equal_21",)),
        (SEVEN, ("hybrid_both_over_21", "hybrid_equal_21")),
    ],
)
def test_a_player_wins_what_playing_card_by_card_gives(up: int, read_so: tuple[str, ...]) -> None:
    """Equal counts over 21 push, doubled and split ones too; a Blackjack pushes against a 21 that it waits for."""
    rules = PlayRules(RulesSubmission.default("hybrid", 6, resplits=0, **dict.fromkeys(read_so, "push")))
    play = Play(Against(rules, up, SHOE), {REAL: CHOICES}, PAIRS)
    naive = _naive(up, "hybrid_both_over_21" in read_so, "hybrid_equal_21" in read_so)
    assert won_by(play) == naive
    assert naive != _naive(up, False, False)
