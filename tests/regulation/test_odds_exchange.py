"""`shoetool odds main` beside a switch hands ante, 633c.4: a hand that may be given up for two cards face down."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from naive_draw import drawn
from shoetool.cli import build
from shoetool.odds.against import Against
from shoetool.odds.beside_ante import ANTE, without_ante
from shoetool.odds.best_play import Search
from shoetool.odds.exchange_play import Exchange, ExchangePlay
from shoetool.odds.main_wager import main_odds
from shoetool.odds.play import Cell, Choices, Pairs, Play
from shoetool.odds.play_rules import REAL, Standing
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus
from shoetool.rules.submission.rules import RulesSubmission

THREE, FIVE, SEVEN, EIGHT = 2, 4, 6, 7
SHOE: Counts = (2, 0, 3, 0, 3, 0, 0, 5, 0, 8)
"""Two aces, three 3s, three 5s, five 8s and eight tens: few enough to play out every sequence."""
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}
CHOICES = Choices(
    hit=DRAWS, double={(False, 11): True}, surrender={(False, 15): True}, exchange={(False, 13): True, (True, 16): True}
)
PAIRS = Pairs({EIGHT: True}, {FIVE: True}, {EIGHT: True})


class Odds(NamedTuple):
    """What a Blackjack wins: (of one color, of two) of a hand that was kept, and of one that was exchanged; and against
    the dealer's Blackjack, likewise."""

    kept: tuple[str, str] = ("3/2", "3/2")
    exchanged: tuple[str, str] = ("2", "3/2")
    kept_tie: tuple[str, str] = ("0", "0")
    exchanged_tie: tuple[str, str] = ("0", "0")

    def of(self, exchanged: bool, tie: bool) -> Fraction:
        both = (self.kept_tie, self.exchanged_tie) if tie else (self.kept, self.exchanged)
        return sum(map(Fraction, both[exchanged]), Fraction(0)) / 2


def _naive(up: int, odds: Odds) -> Fraction:
    """What a player wins by these choices, card by card, the dealer's Blackjack included.

    He gives up 13, a soft 16 and a pair of 8s for two other cards. He surrenders a pair of 5s and 15, doubles 11,
    splits 8s once and draws to 17 else.
    """

    @cache
    def dealer(shoe: Counts, cards: Counts, hands: tuple[tuple[int, int], ...]) -> Fraction:
        """The hole card is no Blackjack. hands: (wager, count), a count of 0 for a player's Blackjack."""
        his, _ = best_count(cards)
        if sum(cards) >= 2 and his >= 17:
            won = 0
            for wager, mine in hands:
                won += wager * (-1 if mine > 21 or mine < his <= 21 else 0 if mine == his else 1)
            return Fraction(won)
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), hands))

    @cache
    def play(
        shoe: Counts, hole: int, cards: Counts, wager: int, waiting: int, done: tuple[tuple[int, int], ...]
    ) -> Fraction:
        """One hand after the other. waiting: those of one 8 that come after this one."""
        count, soft = best_count(cards)
        if sum(cards) == 2 and (count, soft, wager) == (11, False, 1):
            return drawn(shoe, lambda rest, value: play(rest, hole, plus(cards, value), 2, waiting, done))
        if wager == 2 or (sum(cards) >= 2 and count >= 17):
            ended = (*done, (wager, count))
            if waiting:
                return play(shoe, hole, plus(NOTHING, EIGHT), 1, waiting - 1, ended)
            return dealer(shoe, plus(plus(NOTHING, up), hole), ended)
        return drawn(shoe, lambda rest, value: play(rest, hole, plus(cards, value), wager, waiting, done))

    def first(shoe: Counts, hole: int, cards: Counts) -> Fraction:
        if cards == plus(NOTHING, EIGHT, 2):
            return play(shoe, hole, plus(NOTHING, EIGHT), 1, 1, ())
        if cards == plus(NOTHING, FIVE, 2) or best_count(cards) == (15, False):
            return Fraction(-1, 2)
        return play(shoe, hole, cards, 1, 0, ())

    def two(shoe: Counts, cards: Counts, exchanged: bool) -> Fraction:
        """The hole card comes first: no choice looks at it, and the reader ends the round with a Blackjack."""

        def then(rest: Counts, hole: int) -> Fraction:
            natural = best_count(cards)[0] == 21
            if {up, hole} == {ACE, TEN}:
                return odds.of(exchanged, True) if natural else Fraction(-1)
            return odds.of(exchanged, False) if natural else first(rest, hole, cards)

        return drawn(shoe, then)

    def dealt(shoe: Counts, first: int, second: int) -> Fraction:
        cards = plus(plus(NOTHING, first), second)
        if cards == plus(NOTHING, EIGHT, 2) or best_count(cards) in ((13, False), (16, True)):
            return drawn(shoe, lambda one, a: drawn(one, lambda rest, b: two(rest, plus(plus(NOTHING, a), b), True)))
        return two(shoe, cards, False)

    return drawn(SHOE, lambda one, first: drawn(one, lambda rest, second: dealt(rest, first, second)))


@pytest.mark.parametrize(
    ("up", "settings", "odds"),
    [
        (TEN, {"switch_hands": "all"}, Odds()),
        (TEN, {"switch_hands": "all", "switch_hands_colored": "ante"}, Odds(kept=("2", "3/2"))),
        (ACE, {"switch_hands": "all", "switch_hands_tie": "1_to_2"}, Odds(exchanged_tie=("1/2", "1/2"))),
        (TEN, {"switch_hands": "premium"}, Odds(("2", "3/2"), ("2", "3/2"), ("1/2", "1/2"), ("1/2", "1/2"))),
        (
            ACE,
            {"switch_hands": "premium", "premium_colored": "switched", "premium_colored_tie": "2_to_1"},
            Odds(("3/2", "3/2"), ("2", "3/2"), ("1/2", "1/2"), ("2", "1/2")),
        ),
    ],
)
def test_a_hand_that_is_exchanged_wins_what_playing_card_by_card_gives(
    up: int, settings: dict[str, Any], odds: Odds
) -> None:
    """633c.4(f), (h), (i), (o): the exchange before the reader, and what a Blackjack of each kind pays."""
    hands = ExchangePlay(RulesSubmission.default("blackjack", 6, resplits=0, **settings), False, up, SHOE)
    found = hands.exchange(Play(hands.kept, {REAL: CHOICES}, PAIRS))
    assert found.won == _naive(up, odds)
    # 13 is 3 and 10 or 5 and 8; a soft 16 an ace and 5; a pair of 8s.
    assert found.given_up == Fraction(2 * (3 * 8 + 3 * 5 + 2 * 3) + 5 * 4, 21 * 20)


@pytest.mark.parametrize(("ante", "cost"), [("kept", 0), ("returned", 1)])
def test_two_cards_are_given_up_where_others_are_worth_more(ante: str, cost: int) -> None:
    """633c.4(c): all hands of one count together, pairs apart; more by the ante where it comes back to the others."""
    submission = RulesSubmission.default("blackjack", 6, switch_hands="all", switch_hands_ante=ante)
    hands = ExchangePlay(submission, False, SEVEN, SHOE)
    least = Fraction(cost, 5) * hands.kept.rules.unit * hands.kept.scale(hands.kept.size - 2)
    kept = dict.fromkeys(_two(), 7)
    # 13 is 3 and 10 in 48 ways or 5 and 8 in 30; 5s are a pair of 10, which nothing else counts here.
    other = {cards: 7 + int(least) - 50 for cards in kept}
    other[_of(THREE, TEN)] = 7 + int(least) + 10
    other[_of(FIVE, EIGHT)] = 7 + int(least) - 15
    other[_of(EIGHT, EIGHT)] = 7 + int(least) + 1
    cells, pairs = hands._to_give_up(kept, other)
    assert {cell for cell, yes in cells.items() if yes} == {(False, 13)}
    assert {value for value, yes in pairs.items() if yes} == {EIGHT}
    other[_of(FIVE, EIGHT)] -= 1
    assert not any(hands._to_give_up(kept, other)[0].values())


def _of(first: int, second: int) -> Counts:
    return plus(plus(NOTHING, first), second)


def _two() -> set[Counts]:
    return {_of(first, second) for first in range(VALUES) for second in range(VALUES)}


def test_a_choice_is_the_best_over_the_hands_that_then_come() -> None:
    """Those of the deal that are kept, and those that take the place of others, each as often as it comes."""
    hands = ExchangePlay(RulesSubmission.default("blackjack", 6, switch_hands="all"), False, SEVEN, SHOE)
    pairs = Pairs(
        dict.fromkeys(range(VALUES), False) | {EIGHT: True}, dict.fromkeys(range(VALUES), False), {FIVE: True}
    )
    pairs.given_up[THREE] = True
    naive: dict[Counts, int] = {}
    for first in range(VALUES):
        for second in range(VALUES):
            for third in range(VALUES):
                for fourth in range(VALUES):
                    left, ways = SHOE, 1
                    for value in (first, second, third, fourth):
                        ways *= max(left[value], 0)
                        left = plus(left, value, -1)
                    dealt = _of(first, second)
                    gone = dealt == _of(FIVE, FIVE) or best_count(dealt) == (13, False)
                    cards = _of(third, fourth) if gone else dealt
                    if ways and cards not in (_of(EIGHT, EIGHT), _of(THREE, THREE)) and best_count(cards)[0] < 21:
                        naive[cards] = naive.get(cards, 0) + ways
    play = Play(hands.kept, {REAL: Choices(exchange={(False, 13): True})}, pairs)
    assert hands._begun(play) == {(cards, NOTHING): ways for cards, ways in naive.items()}


@pytest.mark.parametrize(("up", "ante"), [(SEVEN, "kept"), (SEVEN, "returned"), (TEN, "kept")])
def test_no_other_exchange_is_better(up: int, ante: str) -> None:
    """Each choice to give up two cards, turned round, wins no more, with the ante where it comes back to the others."""
    submission = RulesSubmission.default("blackjack", 6, switch_hands="all", switch_hands_ante=ante)
    hands = ExchangePlay(submission, False, up, SHOE)
    best = hands.best()
    begun = hands._begun(best.play)
    assert Search(hands.kept, REAL, begun, plain=False).found().hit == best.play.choices[REAL].hit
    assert 0 < best.given_up < 1

    def with_ante(found: Exchange) -> Fraction:
        return found.won - (ANTE * found.given_up if ante == "returned" else 0)

    for cell, yes in best.play.choices[REAL].exchange.items():
        choices = deepcopy(best.play.choices)
        choices[REAL].exchange[cell] = not yes
        turned = hands.exchange(Play(hands.kept, choices, best.play.pairs))
        assert with_ante(turned) <= with_ante(best), cell
    for value, yes in best.play.pairs.exchange.items():
        pairs = deepcopy(best.play.pairs)
        pairs.exchange[value] = not yes
        turned = hands.exchange(Play(hands.kept, best.play.choices, pairs))
        assert with_ante(turned) <= with_ante(best), value


def _drawing(against: Against) -> Play:
    return Play(
        against, {REAL: Choices(hit=dict.fromkeys(DRAWS, False))}, Pairs(*(dict.fromkeys(range(VALUES), False),) * 2)
    )


@pytest.mark.parametrize(
    ("word", "ante", "paid"), [("all", "kept", None), ("all", "returned", None), ("premium", "kept", "all")]
)
def test_the_command_tells_the_edge_the_ante_and_the_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: str, ante: str, paid: str | None
) -> None:
    """633c.4(c), (k): the edge of the wager, what the ante costs beside, and in Blackjack premium that without one."""

    def best(hands: ExchangePlay) -> Exchange:
        play = _drawing(hands.kept)
        play.choices[REAL].exchange[False, 16] = play.pairs.exchange[EIGHT] = True
        return Exchange(play, Fraction(hands.kept.up, 100), Fraction(1, 2 + hands.kept.up))

    monkeypatch.setattr(ExchangePlay, "best", best)
    monkeypatch.setattr("shoetool.odds.main_wager.best_play", _drawing)
    table = tmp_path / "table.toml"
    tie = f'premium_tie = "{paid}"\n' if paid else ""
    table.write_text(f'game = "blackjack"\ndecks = 6\nswitch_hands = "{word}"\nswitch_hands_ante = "{ante}"\n{tie}')
    found = CliRunner().invoke(build(), ["odds", "main", "--rules", str(table), "--json"])
    document = json.loads(found.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    main = document["main"]
    comes = {up: Fraction(4 if up == TEN else 1, 13) for up in range(VALUES)}
    edge = -sum(chance * up / 100 for up, chance in comes.items())
    kept = Fraction(1, 5) * (sum(chance / (2 + up) for up, chance in comes.items()) if ante == "returned" else 1)
    assert (Fraction(main["edge"]["fraction"]), Fraction(main["ante"]["fraction"])) == (edge, kept)
    assert main["plays"][0]["pairs"]["8"] == "X-" and main["plays"][0]["hands"][0]["choices"]["16"] == "XS"
    shown = CliRunner().invoke(build(), ["odds", "main", "--rules", str(table)]).stdout
    assert f"house edge {float(100 * edge):.6f} % of the original wager" in shown
    assert f"{float(100 * (edge + kept)):.6f} % together" in shown and "X give up both cards" in shown
    if word == "all":
        assert "without_ante" not in main and "without an ante" not in shown
        return
    plain = main_odds(RulesSubmission.default("blackjack", 6)).edge
    # By reading (o) so, two Blackjacks that meet win half a wager where ch. 633a gives it back.
    met = Fraction(2 * 24 * 96 * 2 * 23 * 95, 312 * 311 * 310 * 309)
    assert Fraction(main["without_ante"]["fraction"]) == plain - met / 2
    assert f"without an ante (Blackjack premium): house edge {float(100 * (plain - met / 2)):.6f} %" in shown


def test_without_an_ante_633a_pays_but_for_one_reading() -> None:
    """633c.4(k), (o)."""
    for settings, tie in (({}, 0), ({"premium_tie": "all"}, Fraction(1, 2))):
        rules = without_ante(RulesSubmission.default("blackjack", 6, switch_hands="premium", **settings), False)
        assert rules.at_blackjack(True, 21) == tie
        assert rules.payoffs(Standing(21, 2, True)) == (rules.unit * 3 // 2,) * 10
