"""`shoetool odds main`: the main wager's edge, against published figures and hands played card by card."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import combinations_with_replacement

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from naive_draw import drawn
from shoetool.cli import build
from shoetool.odds.against import Against
from shoetool.odds.best_play import best_play, ways_of_two
from shoetool.odds.draws import blackjack_hole
from shoetool.odds.main_wager import MainOdds, won_by
from shoetool.odds.play import Play
from shoetool.odds.play_rules import LAMMER, REAL, Form, PlayRules
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus, without
from shoetool.rules.submission.rules import RulesSubmission

SIX, SEVEN, EIGHT = 5, 6, 7

# Michael Shackleford, "Blackjack Appendix 9: Six deck, dealer hits on soft 17, no hole card" (Wizard of Odds, 2019). He
# counts a dealer's Blackjack as a loss of the whole wager. (hand, stand, double) against an ace.
APPENDIX_9 = (
    ((1, 0), "-0.722356", "-1.024099"),
    ((3, 2), "-0.721415", "-1.369282"),
    ((5, 4), "-0.720879", "-0.535879"),
    ((6, 0), "-0.466029", "-0.909374"),
)


def _against(up: int, decks: int, h17: bool = False, **settings: int) -> Against:
    rules = PlayRules(RulesSubmission.default("blackjack", decks, **settings), h17)
    return Against(rules, up, without(rules.shoe, (up,)))


@pytest.mark.parametrize(("hand", "stands", "doubled"), APPENDIX_9)
def test_a_hand_that_stands_or_doubles_is_worth_what_others_have_published(
    hand: tuple[int, int], stands: str, doubled: str
) -> None:
    """Neither depends on any choice after it, so the figures agree to their last digit."""
    against = _against(ACE, 6, h17=True)
    cards = plus(plus(NOTHING, hand[0]), hand[1])
    left = against.left(cards)
    unit = against.scale(sum(left)) * against.rules.unit
    lost = Fraction(left[TEN], sum(left))
    stood = Fraction(against.stand(cards, NOTHING, REAL, False), unit) - lost
    twice = Form(2, 2)
    drawn = against.after_draw(cards, NOTHING, twice, lambda more: against.stand(more, NOTHING, twice, True))
    assert f"{float(stood):.6f}" == stands
    assert f"{float(Fraction(drawn, unit) - 2 * lost):.6f}" == doubled


# The same author, "Blackjack Appendix 9", one deck (2019): a pair may be split into four hands, aces into two with one
# card each; any two cards may be doubled, those of a split hand too. What the whole game is worth to the player.
ONE_DECK_GAME = Fraction("0.001839")


@pytest.mark.skipif(not os.environ.get("WHOLE_GAMES"), reason="it takes 15 s: `make soak` plays the whole game")
def test_the_whole_game_of_one_deck_is_worth_what_is_published() -> None:
    """Both play by the cards, and take the pair cards of other split hands out of the shoe, and no other of theirs.

    Each finds the play of a split hand in a way of its own, so the last two digits differ.
    """
    rules, aces = (PlayRules(RulesSubmission.default("blackjack", 1, resplits=more)) for more in (2, 0))
    total = sum(rules.shoe)
    worth = Fraction(0)
    for up in range(VALUES):
        shoe = without(rules.shoe, (up,))
        worth += Fraction(rules.shoe[up], total) * _by_the_cards(Against(rules, up, shoe), Against(aces, up, shoe))
    assert abs(worth - ONE_DECK_GAME) < Fraction(1, 10**5)


def _by_the_cards(against: Against, of_aces: Against) -> Fraction:
    """What the player wins on average; `of_aces` has the rules for a pair of aces."""
    rules, size, shoe = against.rules, against.size, against.shoe
    play = _ByTheCards(against)

    def one_card(cards: Counts, others: Counts, form: Form) -> int:
        return of_aces.stand(cards, others, form, True)

    def played(cards: Counts, others: Counts, form: Form) -> int:
        return play.worth(cards, others, True)

    won = Fraction(0)
    for first, second in combinations_with_replacement(range(VALUES), 2):
        ways, cards = ways_of_two(shoe, first, second), plus(plus(NOTHING, first), second)
        if not ways:
            continue
        best = Fraction(play.worth(cards, NOTHING, False), against.scale(size - 2))
        if first == second:
            one, worth = (of_aces, one_card) if first == ACE else (against, played)
            best = max(best, Fraction(one.split(first, worth, (REAL, REAL)), one.scale(size - 2)))
        best /= rules.unit
        hole = blackjack_hole(against.up)
        if hole is not None:
            count, _ = best_count(cards)
            best += Fraction(against.left(cards)[hole], size - 2) * rules.at_blackjack(count == 21, count)
        won += ways * best
    return won / (size * (size - 1))


class _ByTheCards:
    """The best play of every single hand, a pair not split again: the naive way, without cells."""

    def __init__(self, against: Against) -> None:
        self.against = against
        self.kept: dict[tuple[Counts, Counts, bool], int] = {}

    def worth(self, cards: Counts, others: Counts, split: bool) -> int:
        key = cards, others, split
        if key not in self.kept:
            against = self.against
            choices = [against.stand(cards, others, REAL, split)]
            if best_count(cards)[0] < 21:
                choices.append(against.after_draw(cards, others, REAL, lambda more: self.worth(more, others, split)))
                if sum(cards) == 2:
                    twice = Form(2, 2)
                    choices.append(
                        against.after_draw(cards, others, twice, lambda more: against.stand(more, others, twice, True))
                    )
            self.kept[key] = max(choices)
        return self.kept[key]


SHOE: Counts = (1, 0, 2, 0, 4, 0, 0, 6, 0, 8)
"""One ace, two 3s, four 5s, six 8s and eight tens: few enough to play out every sequence."""


def _naive(up: int, most: int, left_wager: int) -> Fraction:
    """What a pair of 8s wins, split and played card by card: each hand draws to 17, one after the other.

    The first hand has a real wager; the others lose `left_wager` when they lose. Rounds with a Blackjack count 0.
    """

    @cache
    def dealer(shoe: Counts, cards: Counts, hands: tuple[tuple[int, int], ...]) -> Fraction:
        total, _ = best_count(cards)
        if sum(cards) == 2 and total == 21:
            return Fraction(0)
        if sum(cards) >= 2 and total >= 17:
            won = 0
            for lose, mine in hands:
                over = mine > 21
                won += -lose if over or (mine < total <= 21) else 1 if total > 21 or mine > total else 0
            return Fraction(won)
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), hands))

    @cache
    def play(shoe: Counts, cards: Counts, waiting: int, hands: int, done: tuple[tuple[int, int], ...]) -> Fraction:
        total, _ = best_count(cards)
        if cards == plus(NOTHING, EIGHT, 2) and hands < most:
            return play(shoe, plus(NOTHING, EIGHT), waiting + 1, hands + 1, done)
        if sum(cards) >= 2 and total >= 17:
            lose = 1 if not done else left_wager
            ended = (done[:1] + tuple(sorted((*done[1:], (lose, total))))) if done else ((lose, total),)
            if not waiting:
                return dealer(shoe, plus(NOTHING, up), ended)
            return play(shoe, plus(NOTHING, EIGHT), waiting - 1, hands, ended)
        return drawn(shoe, lambda rest, value: play(rest, plus(cards, value), waiting, hands, done))

    return play(plus(SHOE, EIGHT, -2), plus(NOTHING, EIGHT), 1, 2, ())


@pytest.mark.parametrize(("resplits", "forms"), [(0, (REAL, REAL)), (1, (REAL, REAL)), (1, (REAL, LAMMER))])
@pytest.mark.parametrize("up", [SEVEN, TEN])
def test_a_split_is_worth_what_playing_its_hands_one_by_one_gives(
    up: int, resplits: int, forms: tuple[Form, Form]
) -> None:
    against = Against(PlayRules(RulesSubmission.default("blackjack", 1, resplits=resplits)), up, SHOE)

    def worth(cards: Counts, others: Counts, form: Form) -> int:
        if best_count(cards)[0] >= 17:
            return against.stand(cards, others, form, True)
        return against.after_draw(cards, others, form, lambda more: worth(more, others, form))

    found = against.split(EIGHT, worth, forms)
    scale = against.scale(against.size - 2) * against.rules.unit
    assert Fraction(found, scale) == _naive(up, resplits + 2, forms[1].lose)


def _naive_alike(up: int, most: int) -> Fraction:
    """The same at a hybrid table, 633c.5(q): each card goes to every hand that draws to 17, one for all of them."""
    eight = plus(NOTHING, EIGHT)

    @cache
    def dealer(shoe: Counts, cards: Counts, hands: tuple[int, ...]) -> Fraction:
        total, _ = best_count(cards)
        if sum(cards) == 2 and total == 21:
            return Fraction(0)
        if sum(cards) >= 2 and total >= 17:
            won = sum(-1 if mine > 21 or mine < total <= 21 else mine != total for mine in hands)
            return Fraction(won)
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), hands))

    def apart(hands: tuple[Counts, ...]) -> tuple[Counts, ...]:
        """Split the pairs, from the left, as long as the table allows."""
        found = list(hands)
        for at in range(len(hands)):
            if hands[at] == plus(eight, EIGHT) and len(found) < most:
                found[at] = eight
                found.append(eight)
        return tuple(found)

    @cache
    def play(shoe: Counts, hands: tuple[Counts, ...]) -> Fraction:
        wait = [sum(cards) == 1 or best_count(cards)[0] < 17 for cards in hands]
        if not any(wait):
            return dealer(shoe, plus(NOTHING, up), tuple(best_count(cards)[0] for cards in hands))

        def then(rest: Counts, value: int) -> Fraction:
            more = (plus(cards, value) if waits else cards for cards, waits in zip(hands, wait, strict=True))
            return play(rest, tuple(sorted(apart(tuple(more)))))

        return drawn(shoe, then)

    return play(plus(SHOE, EIGHT, -2), (eight, eight))


@pytest.mark.parametrize(("up", "resplits"), [(SEVEN, 0), (TEN, 0), (TEN, 1), (SEVEN, 2), (TEN, 5)])
def test_a_split_at_a_hybrid_table_is_worth_what_playing_its_hands_together_gives(up: int, resplits: int) -> None:
    against = Against(PlayRules(RulesSubmission.default("hybrid", 6, resplits=resplits)), up, SHOE)

    def worth(cards: Counts, others: Counts, form: Form) -> int:
        if best_count(cards)[0] >= 17:
            return against.stand(cards, others, form, True)
        return against.after_draw(cards, others, form, lambda more: worth(more, others, form))

    scale = against.scale(against.size - 2) * against.rules.unit
    assert Fraction(against.split_alike(EIGHT, worth), scale) == _naive_alike(up, resplits + 2)


@pytest.mark.parametrize("up", range(VALUES))
@pytest.mark.parametrize("h17", [False, True])
def test_the_ways_in_which_the_dealer_can_end_are_all_ways(up: int, h17: bool) -> None:
    """Their chances and that of a Blackjack make exactly 1."""
    against = _against(up, 2, h17)
    assert sum(against.dealer(NOTHING)) == against.alive(NOTHING)


@pytest.mark.skipif(not os.environ.get("WHOLE_GAMES"), reason="test_odds_best_play.py shows it on small shoes")
def test_no_other_choice_for_one_count_is_better() -> None:
    """Six decks against a 10 and a 6: each choice to draw, to double or to surrender, turned round, wins less."""
    for up in (SIX, TEN):
        play = best_play(_against(up, 6, resplits=0))
        best = won_by(play)
        turned = 0
        for made in ("hit", "double", "surrender"):
            for cell, choice in getattr(play.choices[REAL], made).items():
                if 12 <= cell[1] <= 17 or cell in {(False, 9), (False, 10), (False, 11), (True, 18)}:
                    other = deepcopy(play.choices)
                    getattr(other[REAL], made)[cell] = not choice
                    assert won_by(Play(play.against, other, play.pairs)) <= best, (up, made, cell)
                    turned += 1
        assert turned > 20


def test_the_play_of_blackjack_is_the_one_that_everybody_knows() -> None:
    play = best_play(_against(TEN, 6))
    hard = {total: play.choices[REAL].hit[False, total] for total in range(12, 18)}
    assert hard == {12: True, 13: True, 14: True, 15: True, 16: False, 17: False}
    assert {cell for cell, yes in play.choices[REAL].surrender.items() if yes} == {(False, 15), (False, 16)}
    assert [value for value in range(VALUES) if play.pairs.split[value]] == [ACE, EIGHT]


def test_the_command_says_edge_and_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The play against one up card stands for all of them; the edges themselves are tested above and below."""
    rules = PlayRules(RulesSubmission.default("from_the_hand", 1), False)
    play = best_play(Against(rules, SIX, without(rules.shoe, (SIX,))))
    found_odds = MainOdds(rules, Fraction(-688, 200_000), (play,) * VALUES)
    monkeypatch.setattr("shoetool.cli.odds_main.main_odds", lambda *words: found_odds)
    schema = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())
    found = CliRunner().invoke(build(), ["odds", "main", "--rules", "from-the-hand", "--json"])
    document = json.loads(found.stdout)
    Draft202012Validator(schema).validate(document)
    assert document["main"]["decks"] == 1
    assert Fraction(document["main"]["edge"]["fraction"]) == Fraction(-688, 200_000)
    shown = CliRunner().invoke(build(), ["odds", "main", "--rules", "from-the-hand"]).output
    assert "-0.344" in shown and "surrender" in shown
