"""`shoetool odds main` where a tucked wager comes back against the dealer's 22: 590.7(n)(1), 590.11(c), reading 63.

The other side plays every round of a small shoe card by card. It shares no code with the odds but the count of a hand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from naive_draw import drawn
from sampled import SOAK
from shoetool.cli import build
from shoetool.odds import jointly, main_wager
from shoetool.odds.against import Against
from shoetool.odds.best_play import best_play
from shoetool.odds.main_wager import MainOdds, main_odds
from shoetool.odds.play import Cell, Choices, Pairs, Play
from shoetool.odds.play_rules import LAMMER, REAL, PlayRules
from shoetool.odds.shoe import NOTHING, TEN, VALUES, Counts, best_count, plus, without
from shoetool.odds.tucked import Tucked, comes_back, may_be_split
from shoetool.rules.submission.rules import RulesSubmission

SIX, EIGHT = 5, 7
SHOE: Counts = (1, 0, 3, 0, 0, 2, 0, 5, 0, 5)
"""An ace, three 3s, two 6s, five 8s and five tens: few enough to play out every sequence."""
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}
TWICE: dict[Cell, bool] = {(False, count): True for count in (9, 10, 11, 13)}
SPLIT = (EIGHT, TEN)
UPS = [SIX, TEN] if SOAK else [TEN]


def _rules(decks: int = 6) -> PlayRules:
    return PlayRules(RulesSubmission.default("free_bet", decks, tucked_wager="returned"))


def _play(up: int, split: tuple[int, ...] = SPLIT) -> Play:
    """He draws to 17, doubles 13 for money and 9, 10, 11 free; a hand that stands for a lammer never doubles 13."""
    free = {cell: True for cell in TWICE if cell[1] != 13}
    choices = {REAL: Choices(hit=DRAWS, double=TWICE), LAMMER: Choices(hit=DRAWS, double=free)}
    pairs = Pairs({value: value in split for value in range(VALUES)}, dict.fromkeys(range(VALUES), False))
    return Play(Against(_rules(), up, SHOE), choices, pairs)


Comes = Callable[[int, bool, bool], int]
"""What comes back: (what the left hand lost, 0 within 21; whether the others are over 21 too; whether he made 22)."""


def _naive(up: int, comes: Comes, most: int = 4) -> Fraction:
    """The mean over all rounds of the shoe of what comes back when 8s and tens are split into up to four hands."""

    @cache
    def dealer(shoe: Counts, cards: Counts, lost: int, all_over: bool) -> Fraction:
        his, _ = best_count(cards)
        if sum(cards) == 2 and his == 21:
            return Fraction(0)
        if sum(cards) >= 2 and his >= 17:
            return Fraction(comes(lost, all_over, his == 22))
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), lost, all_over))

    def ended(shoe: Counts, pair: int, hands: int, waiting: int, lost: tuple[int, ...]) -> Fraction:
        """lost: what each hand loses that is over 21, and 0 for one that is not, from the left."""
        if waiting:
            return play(shoe, plus(NOTHING, pair), pair, hands, waiting - 1, lost)
        return dealer(shoe, plus(NOTHING, up), lost[0], all(lost))

    @cache
    def play(shoe: Counts, cards: Counts, pair: int, hands: int, waiting: int, lost: tuple[int, ...]) -> Fraction:
        count, soft = best_count(cards)
        number = sum(cards)
        if cards == plus(NOTHING, pair, 2) and hands < most:
            return play(shoe, plus(NOTHING, pair), pair, hands + 1, waiting + 1, lost)
        lammer = pair == EIGHT and bool(lost)
        if number == 2 and not soft and (count in (9, 10, 11) or (count == 13 and not lammer)):
            stake = 2 if count == 13 else 1

            def doubled(rest: Counts, value: int) -> Fraction:
                over = best_count(plus(cards, value))[0] > 21
                return ended(rest, pair, hands, waiting, (*lost, stake * over))

            return drawn(shoe, doubled)
        if number > 1 and count >= 17:
            return ended(shoe, pair, hands, waiting, (*lost, int(count > 21)))
        return drawn(shoe, lambda rest, value: play(rest, plus(cards, value), pair, hands, waiting, lost))

    def two(shoe: Counts, first: int, second: int) -> Fraction:
        if first == second and first in SPLIT:
            return play(shoe, plus(NOTHING, first), first, 2, 1, ())
        return Fraction(0)

    return drawn(SHOE, lambda one, first: drawn(one, lambda rest, second: two(rest, first, second)))


@cache
def _returned(up: int) -> Fraction:
    return _naive(up, lambda lost, all_over, pushes: 0 if all_over or not pushes else lost)


@pytest.mark.parametrize("up", UPS)
def test_what_comes_back_is_what_playing_card_by_card_gives_back(up: int) -> None:
    """Up to four hands, of 8s with lammers and of tens with money, a double for money among them."""
    assert comes_back(_play(up)) == (_returned(up), _returned(up))


@pytest.mark.parametrize("up", UPS)
def test_it_does_not_come_back_when_all_hands_are_over_21(up: int) -> None:
    """So many come back against each 22, and fewer by the law: without the other hands the edge would be wrong."""
    play = _play(up)
    against = play.against
    every = Fraction(0)
    for value in SPLIT:
        pairs = SHOE[value] * (SHOE[value] - 1)
        every += Fraction(pairs, against.size * (against.size - 1)) * Tucked(play, value).whatever_the_others()
    assert every == _naive(up, lambda lost, all_over, pushes: lost if pushes else 0)
    assert every > _returned(up) > 0


@pytest.mark.parametrize("up", UPS)
def test_where_hands_are_not_multiplied_out_the_bounds_hold(up: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In so small a shoe two hands often want the same card, so that the bounds are wide."""
    monkeypatch.setattr(jointly, "MOST_PRODUCTS", 0)
    bounds = comes_back(_play(up))
    assert bounds.least < _returned(up) < bounds.most


def test_the_bounds_of_a_full_shoe_lie_close_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """8s out of six decks against a 10: the more hands are multiplied out, the closer."""
    rules, few = _rules(), _play(TEN)
    play = Play(Against(rules, TEN, without(rules.shoe, (TEN,))), few.choices, Pairs({EIGHT: True}))
    tucked, found = Tucked(play, EIGHT), []
    for most, apart in ((0, Fraction(1, 10_000)), (50_000, Fraction(1, 100_000))):
        monkeypatch.setattr(jointly, "MOST_PRODUCTS", most)
        found.append(tucked.comes_back())
        assert 0 < found[-1].most - found[-1].least < apart
    wide, narrow = found
    assert wide.least < narrow.least and narrow.most < wide.most


def test_a_pair_is_told_that_might_be_worth_more_apart() -> None:
    """8s that are kept though they are better apart, and not the tens, which make 20 against a 6."""
    found = may_be_split(_play(SIX, split=()))
    assert EIGHT in found and TEN not in found


@pytest.mark.skipif(not os.environ.get("WHOLE_GAMES"), reason="it takes a minute for each number of decks")
@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
@pytest.mark.parametrize("h17", [False, True])
def test_the_play_is_the_best_one_by_this_reading_too(decks: int, h17: bool) -> None:
    """No pair that is kept could be worth more apart, so the choices for pairs are the best ones by either reading."""
    rules = PlayRules(RulesSubmission.default("free_bet", decks, tucked_wager="returned"), h17)
    for up in range(VALUES):
        assert may_be_split(best_play(Against(rules, up, without(rules.shoe, (up,))))) == [], up


def _main(monkeypatch: pytest.MonkeyPatch, tucked: str) -> MainOdds:
    """`main_odds` of six decks, where the hands of the small shoe against a 10 stand for those against each up card."""
    play, back = _play(TEN), cache(comes_back)
    monkeypatch.setattr(main_wager, "best_play", lambda against: play)
    monkeypatch.setattr(main_wager, "comes_back", back)
    monkeypatch.setattr(main_wager, "may_be_split", cache(may_be_split))
    return main_odds(RulesSubmission.default("free_bet", 6, tucked_wager=tucked))


def test_the_edge_is_less_by_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    collected, returned = _main(monkeypatch, "collected"), _main(monkeypatch, "returned")
    assert collected.edge - returned.edge == _returned(TEN) > 0
    assert collected.least is returned.least is None
    assert returned.may_be_split and not collected.may_be_split


def test_the_command_tells_the_edge_within_two_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jointly, "MOST_PRODUCTS", 0)
    odds = replace(_main(monkeypatch, "returned"), may_be_split=((SIX, TEN),))
    assert odds.least is not None and odds.least < odds.edge
    monkeypatch.setattr("shoetool.cli.odds_main.main_odds", lambda *words: odds)
    asked = ["odds", "main", "--rules", "free-bet"]
    document = json.loads(CliRunner().invoke(build(), [*asked, "--json"]).stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert Fraction(document["main"]["edge"]["fraction"]) == odds.edge
    assert Fraction(document["main"]["least"]["fraction"]) == odds.least
    shown = CliRunner().invoke(build(), asked).output
    least, most = re.findall(r"house edge between (\S+) and (\S+) % of the original wager", shown)[0]
    assert 0 <= odds.least * 100 - Fraction(least) < Fraction(1, 10**6), "it is rounded down"
    assert 0 <= Fraction(most) - odds.edge * 100 < Fraction(1, 10**6), "it is rounded up"
    assert "10,10 against 6" in shown
