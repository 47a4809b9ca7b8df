"""The best play by count: no other choice is better, and a play wins what playing it card by card gives, in each game.

The shoes are small, so every choice can be turned round.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from sampled import SOAK
from shoetool.odds.against import Against
from shoetool.odds.best_play import Hand, Search, best_play, ways_of_two
from shoetool.odds.main_wager import won_by
from shoetool.odds.no_hole import AgainstNoHole
from shoetool.odds.play import Cell, Choices, Pairs, Play, pair_of
from shoetool.odds.play_rules import LAMMER, REAL, PlayRules
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus
from shoetool.rules.submission.rules import RulesSubmission

FIVE, SIX, SEVEN, EIGHT = 4, 5, 6, 7
SHOES: tuple[Counts, ...] = (
    (1, 0, 2, 0, 4, 0, 0, 6, 0, 8),
    (3, 4, 0, 0, 4, 0, 4, 0, 4, 6),
    (2, 2, 1, 0, 0, 3, 5, 2, 1, 7),
    (1, 5, 0, 2, 0, 3, 3, 3, 1, 6),  # the hands of 15 are not of one mind whether to surrender to a 10
)
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}
GAMES: dict[str, tuple[str, dict[str, str]]] = {
    **{game: (game, {}) for game in ("blackjack", "spanish_21", "free_bet", "hybrid", "hybrid_no_hole")},
    "hybrid_push": ("hybrid", {"hybrid_both_over_21": "push", "hybrid_equal_21": "push"}),
    "hybrid_no_hole_push": ("hybrid_no_hole", {"hybrid_equal_21": "push"}),
}
"""Games, and the hybrid ones with other readings of 633c.5(t)(2), where a hand over 21 may push."""


def _against(game: str, up: int, shoe: Counts, **settings: str | int) -> Against:
    rules = PlayRules(RulesSubmission.default(game, 6, **settings))
    return (AgainstNoHole if rules.game.no_hole else Against)(rules, up, shoe)


def _two(shoe: Counts) -> Iterator[tuple[Counts, int]]:
    for first in range(VALUES):
        for second in range(first, VALUES):
            ways = ways_of_two(shoe, first, second)
            if ways > 0:
                yield plus(plus(NOTHING, first), second), ways


def _begun(play: Play, form: str) -> dict[Hand, int]:
    """The hands for which the choices are made, and in how many ways each comes."""
    shoe, pairs, found = play.against.shoe, play.pairs, {}
    if form == "real":
        for cards, ways in _two(shoe):
            value = pair_of(cards)
            if best_count(cards)[0] < 21 and not (value is not None and (pairs.split[value] or pairs.given_up[value])):
                found[cards, NOTHING] = ways
        return found
    for value in range(TEN):
        if pairs.split[value] and shoe[value] > 1:
            one = plus(NOTHING, value)
            left = plus(shoe, value, -2)
            for second in range(VALUES):
                cards = plus(one, second)
                if left[second] and best_count(cards)[0] < 21:
                    found[cards, one] = shoe[value] * (shoe[value] - 1) * left[second]
    return found


# `make soak` plays the two other shoes too.
ASKED = [(SHOES[0], TEN), (SHOES[0], ACE), (SHOES[1], FIVE), (SHOES[2], TEN), (SHOES[3], TEN)]


@pytest.mark.parametrize(("shoe", "up"), ASKED if SOAK else ASKED[:3])
@pytest.mark.parametrize("named", GAMES)
def test_no_other_choice_is_better(named: str, shoe: Counts, up: int) -> None:
    """Each choice to draw, double, surrender, or take a double back, turned round, wins no more."""
    game, settings = GAMES[named]
    play = best_play(_against(game, up, shoe, **settings))
    turned = 0
    for form, name in ((REAL, "real"), (LAMMER, "lammer")):
        begun = _begun(play, name)
        if form not in play.choices:
            assert name == "lammer" and (game != "free_bet" or not begun)
            continue

        def won(other: Play, begun: dict[Hand, int] = begun, form=form, plain: bool = name == "lammer") -> int:  # type: ignore[no-untyped-def]
            return sum(ways * other.worth(*hand, form, plain) for hand, ways in begun.items())

        best = won(play)
        for made in ("hit", "double", "surrender", "rescue"):
            made_for = getattr(play.choices[form], made)
            doubled = [(False, count) for count in range(12, 21)] if made == "rescue" and game == "spanish_21" else []
            for cell in dict.fromkeys([*made_for, *doubled]):
                choices = deepcopy(play.choices)
                getattr(choices[form], made)[cell] = not made_for.get(cell)
                assert won(Play(play.against, choices, play.pairs)) <= best, (name, made, cell)
                turned += 1
    best_of_pairs = won_by(play)
    for made in ("split", "given_up"):
        for value, choice in getattr(play.pairs, made).items():
            if shoe[value] > 1 and not (made == "given_up" and not play.rules.surrender):
                pairs = deepcopy(play.pairs)
                getattr(pairs, made)[value] = not choice
                assert won_by(Play(play.against, play.choices, pairs)) <= best_of_pairs, (made, value)
                turned += 1
    assert turned > 20


def test_a_choice_is_made_for_all_hands_of_a_count_as_often_as_each_comes() -> None:
    """Hands that are doubled or surrendered draw no more; a pair that is kept is not asked whether to surrender."""
    against = _against("blackjack", TEN, SHOES[1])
    pairs = Pairs(dict.fromkeys(range(VALUES), False), dict.fromkeys(range(VALUES), False))
    choices = Choices(hit=DRAWS, double={(False, 11): True, (True, 16): True}, surrender={(False, 14): True})
    search = Search(against, REAL, _begun(Play(against, {REAL: choices}, pairs), "real"), plain=False)
    search.choices = choices
    naive: dict[Hand, int] = {}

    def comes(cards: Counts, number: int) -> None:
        count, soft = best_count(cards)
        if sum(cards) == 2 and (count, soft) == (14, False) and pair_of(cards) is None:
            return
        naive[cards, NOTHING] = naive.get((cards, NOTHING), 0) + number
        doubled = sum(cards) == 2 and (count, soft) in ((11, False), (16, True))
        if doubled or count >= 17:
            return
        for value, left in enumerate(against.left(cards)):
            if left and best_count(plus(cards, value))[0] <= 21:
                comes(plus(cards, value), number * left)

    for (cards, _), number in search.begun.items():
        comes(cards, number)
    assert naive[plus(NOTHING, SEVEN, 2), NOTHING]
    assert {hand: number for hand, number in search._ways().items() if number} == naive


# ------------------------------------------------------------------------------------------------ Spanish 21, Free Bet
SPANISH_SHOE: Counts = (2, 2, 0, 0, 0, 3, 5, 4, 0, 7)
FREE_SHOE: Counts = (2, 0, 5, 0, 5, 0, 0, 3, 0, 3)


Done = tuple[tuple[Fraction, Fraction, int, int, bool], ...]
"""Of each hand that is done: what it wins and loses, its count, how many cards, and whether it is a Blackjack."""


def _naive(game: str, up: int, shoe: Counts) -> Fraction:
    """What a player wins of rounds without a dealer's Blackjack, card by card.

    He draws to 17. Spanish 21: he surrenders 15, doubles a hard 11 of any number of cards, and takes the double back
    at 14 or less; 8s and 7s are split once. Free Bet: 9, 10 and 11 double free in two cards, 13 for money; 8s are split
    free into four hands, 10s for money.
    """
    spanish = game == "spanish_21"
    most = 2 if spanish else 4

    def drawn(left: Counts, then) -> Fraction:  # type: ignore[no-untyped-def]
        size = sum(left)
        return sum(
            (Fraction(have, size) * then(plus(left, value, -1), value) for value, have in enumerate(left) if have),
            Fraction(0),
        )

    def better(cards: Counts) -> Fraction:
        number = sum(cards)
        if number == 3 and cards[SIX] == cards[SEVEN] == cards[EIGHT] == 1:
            return Fraction(60 * 3, 64 * 2) + Fraction(3 * 2, 64) + Fraction(3, 64)
        if number == 3 and cards[SEVEN] == 3:
            one_suit = Fraction(comb(6, 3), comb(24, 3))
            return (1 - 4 * one_suit) * Fraction(3, 2) + 3 * one_suit * 2 + one_suit * 3
        return {5: Fraction(3, 2), 6: Fraction(2)}.get(number, Fraction(3 if number > 6 else 1))

    @cache
    def dealer(left: Counts, cards: Counts, hands: Done) -> Fraction:
        his, _ = best_count(cards)
        if sum(cards) == 2 and his == 21:
            return Fraction(0)
        if sum(cards) >= 2 and his >= 17:
            won = Fraction(0)
            for wins, loses, mine, number, natural in hands:
                if mine > 21:
                    won -= loses
                elif natural:
                    won += Fraction(3, 2)
                elif his == 22 and not spanish:
                    continue
                elif his > 21 or mine > his or (spanish and mine == his == 21 and number > 2):
                    won += wins
                elif mine < his:
                    won -= loses
            return won
        return drawn(left, lambda rest, value: dealer(rest, plus(cards, value), hands))

    def ended(left: Counts, waiting: int, pair: int, done: Done) -> Fraction:
        if waiting:
            return play(left, plus(NOTHING, pair), pair, waiting - 1, done)
        return dealer(left, plus(NOTHING, up), done)

    @cache
    def play(left: Counts, cards: Counts, pair: int, waiting: int, done: Done) -> Fraction:
        """pair: the value of a split pair, -1 for a hand that was not split. waiting: hands of one card after it."""
        count, soft = best_count(cards)
        number = sum(cards)
        if pair >= 0 and cards == plus(NOTHING, pair, 2) and len(done) + 1 + waiting < most:
            return play(left, plus(NOTHING, pair), pair, waiting + 1, done)
        # An 8 that was split free stands for a lammer, but for the first one.
        real = Fraction(spanish or pair != EIGHT or not done)
        if number > 1 and count < 21 and not soft:
            free = not spanish and number == 2 and count in (9, 10, 11)
            if free or (spanish and count == 11) or (not spanish and number == 2 and count == 13):
                loses = real + (not free)
                return drawn(left, lambda rest, value: doubled(rest, plus(cards, value), loses, pair, waiting, done))
        if number > 1 and count >= 17:
            natural = number == 2 and count == 21 and pair < 0
            wins = better(cards) if spanish and count == 21 and pair < 0 and number > 2 else Fraction(1)
            return ended(left, waiting, pair, (*done, (wins, real, count, number, natural)))
        return drawn(left, lambda rest, value: play(rest, plus(cards, value), pair, waiting, done))

    def doubled(left: Counts, cards: Counts, loses: Fraction, pair: int, waiting: int, done: Done) -> Fraction:
        count, soft = best_count(cards)
        if spanish and not soft and count <= 14:
            # The double is taken back, and the wager is lost whatever the dealer draws.
            return ended(left, waiting, pair, (*done, (Fraction(0), loses - 1, 22, 0, False)))
        return ended(left, waiting, pair, (*done, (Fraction(2), loses, count, sum(cards), False)))

    def two(left: Counts, first: int, second: int) -> Fraction:
        cards = plus(plus(NOTHING, first), second)
        if first == second and first in ((SEVEN, EIGHT) if spanish else (EIGHT, TEN)):
            return play(left, plus(NOTHING, first), first, 1, ())
        if spanish and best_count(cards) == (15, False):
            return dealer(left, plus(NOTHING, up), ((Fraction(0), Fraction(1, 2), 22, 0, False),))
        return play(left, cards, -1, 0, ())

    return drawn(shoe, lambda one, first: drawn(one, lambda rest, second: two(rest, first, second)))


@pytest.mark.parametrize(("game", "up"), [("spanish_21", TEN), ("free_bet", TEN)])
def test_a_play_of_spanish_21_and_free_bet_wins_what_playing_it_card_by_card_gives(game: str, up: int) -> None:
    """Doubles of any number of cards, rescues and better odds there; lammers and the dealer's 22 here."""
    shoe = SPANISH_SHOE if game == "spanish_21" else FREE_SHOE
    against = _against(game, up, shoe, resplits=0)
    if game == "spanish_21":
        choices = {
            REAL: Choices(
                hit=DRAWS,
                double={(False, 11): True},
                rescue={(False, count): count <= 14 for count in range(4, 21)},
                surrender={(False, 15): True},
            )
        }
        pairs = Pairs({SEVEN: True, EIGHT: True})
    else:
        twice = {(False, count): True for count in (9, 10, 11, 13)}
        choices = {REAL: Choices(hit=DRAWS, double=twice), LAMMER: Choices(hit=DRAWS, double=twice)}
        pairs = Pairs({EIGHT: True, TEN: True})
    play = Play(against, choices, pairs)
    whole = against.scale(against.size) * against.rules.unit
    assert Fraction(sum(ways * play.of_two(cards) for cards, ways in _two(shoe)), whole) == _naive(game, up, shoe)


def test_the_better_odds_of_each_21_are_whole_in_units() -> None:
    """Spanish 21: 6, 7 and 8, or three 7s, by suits as the shoe has them; five, six, and more cards."""
    rules = PlayRules(RulesSubmission.default("spanish_21", 6))
    kinds = set()
    for values in product(range(VALUES), repeat=3):
        hard = sum(values) + 3
        if hard == 21 or (hard == 11 and ACE in values):
            bonus = rules.bonus(tuple(values.count(value) for value in range(VALUES)))
            assert bonus is not None
            kinds.add(Fraction(bonus, rules.unit))
    sevens = Fraction(comb(6, 3), comb(24, 3))
    assert kinds == {
        Fraction(1),
        Fraction(60, 64) * Fraction(3, 2) + Fraction(3, 64) * 2 + Fraction(1, 64) * 3,
        (1 - 4 * sevens) * Fraction(3, 2) + 3 * sevens * 2 + sevens * 3,
    }
    assert rules.bonus(plus(plus(NOTHING, ACE), TEN)) is None
    for values, odds in (
        ((1, 3, 7, 10), Fraction(1)),
        ((2, 2, 3, 4, 10), Fraction(3, 2)),
        ((2, 2, 2, 2, 3, 10), Fraction(2)),
        ((1, 2, 2, 2, 2, 2, 10), Fraction(3)),
        ((1, 1, 1, 2, 2, 2, 2, 10), Fraction(3)),
    ):
        assert Fraction(rules.bonus(tuple(values.count(value + 1) for value in range(VALUES))) or 0, rules.unit) == odds
