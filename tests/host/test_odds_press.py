"""`shoetool odds WAGER --press`: what winnings win that a player adds to his main wager where that is worth it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from sampled import some
from shoetool.cli import build, odds_wager
from shoetool.odds.against import Against
from shoetool.odds.by_the_cards import ByTheCards
from shoetool.odds.play_rules import REAL, PlayRules
from shoetool.odds.press import PressOdds, _Apart, _won, press_odds
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS

SIX = 5


def _rules(key: str, decks: int = 1, **changes: object) -> RulesSubmission:
    name = next(one.name for one in paytables(key) if one.covers(decks))
    return RulesSubmission.default("blackjack", decks, wagers={key: WagerOffer(name, 100, 100)}, **changes)


@cache
def _pressed(key: str, *settings: tuple[str, object]) -> PressOdds:
    """Against a 6, with one deck."""
    table = next(one for one in paytables(key) if one.covers(1))
    return press_odds(_rules(key, **dict(settings)), table, ups=(SIX,))


def _run(*words: str) -> Result:
    return CliRunner().invoke(build(), ["odds", *words])


# ------------------------------------------------------------------------------- one hand, every decision of it tried
SHOE: Counts = (2, 1, 1, 1, 2, 2, 1, 3, 1, 5)
"""What is left of few cards: the naive way is quick, and they last for any hand."""


class _Naive:
    """What a hand wins of the main wager and of winnings beside it, in fractions; a pair is not split."""

    def __init__(self, up: int, double_of_press: int) -> None:
        self.up = up
        self.double_of_press = double_of_press
        self.hole = {ACE: TEN, TEN: ACE}.get(up)

    @cache  # noqa: B019
    def finals(self, left: Counts, cards: Counts) -> dict[int, Fraction]:
        """How the dealer ends; 22 for any count over 21."""
        count, _ = best_count(cards)
        if sum(cards) > 1 and count >= 17:
            return {min(count, 22): Fraction(1)}
        found: dict[int, Fraction] = {}
        may = [value for value in range(VALUES) if left[value] and not (sum(cards) == 1 and value == self.hole)]
        total = sum(left[value] for value in may)
        for value in may:
            for final, chance in self.finals(plus(left, value, -1), plus(cards, value)).items():
                found[final] = found.get(final, Fraction(0)) + chance * Fraction(left[value], total)
        return found

    def stood(self, left: Counts, cards: Counts) -> tuple[Fraction, Fraction]:
        count, _ = best_count(cards)
        if count > 21:
            return Fraction(-1), Fraction(-1)
        even = Fraction(0)
        for final, chance in self.finals(left, plus(NOTHING, self.up)).items():
            even += chance * (1 if final == 22 or count > final else -1 if count < final else 0)
        if count == 21 and sum(cards) == 2:
            return Fraction(3, 2), Fraction(1)
        return even, even

    def best(self, left: Counts, cards: Counts, key: Callable[[tuple[Fraction, Fraction]], Fraction]) -> list[Fraction]:
        """Main wager and winnings, with the decision that is best by `key`."""
        options = [self.stood(left, cards)]
        if best_count(cards)[0] < 21:
            options.append(self.drawn(left, cards, lambda rest, more: self.best(rest, more, key), (1, 1)))
            options.append(self.drawn(left, cards, self.stood, (2, self.double_of_press)))
            if sum(cards) == 2:
                options.append((Fraction(-1, 2), Fraction(-1, 2)))
        return list(max(options, key=key))

    def drawn(
        self, left: Counts, cards: Counts, then: Callable[..., object], times: tuple[int, int]
    ) -> tuple[Fraction, Fraction]:
        """The next card, the dealer having no Blackjack in what is left."""
        total = sum(left)
        won = [Fraction(0), Fraction(0)]
        for value, number in enumerate(left):
            if number:
                rest, more = plus(left, value, -1), plus(cards, value)
                chance = Fraction(number, total)
                if self.hole is not None:
                    chance *= Fraction(total - left[self.hole], total) ** -1
                    chance *= Fraction(total - 1 - rest[self.hole], total - 1)
                found = then(rest, more) if best_count(more)[0] <= 21 else (Fraction(-1), Fraction(-1))
                for place in (0, 1):
                    won[place] += chance * times[place] * found[place]  # type: ignore[index]
        return won[0], won[1]


HANDS = ((ACE, 6), (8, 7), (4, 5), (9, 5), (ACE, 9), (7, 2))
"""Soft 18, 17, 11, 16, a Blackjack, and 11 again."""


@pytest.mark.parametrize("up", some([SIX, TEN]))
@pytest.mark.parametrize("doubles", ["wager", "wager_and_press"])
def test_every_decision_is_the_best_for_the_press_or_for_the_main_wager(up: int, doubles: str) -> None:
    submission = _rules("trilux_deluxe", trilux_deluxe_double=doubles)
    press = WAGERS["trilux_deluxe"].press
    assert press is not None and press.apart is not None
    main = ByTheCards(Against(PlayRules(submission), up, SHOE))
    of_it = main.against.at_odds_of(_Apart(submission, False, press.apart))
    plays = main, ByTheCards(of_it, main), ByTheCards(of_it)
    unit = of_it.scale(sum(SHOE) - 2) * of_it.rules.unit
    naive = _Naive(up, 2 if doubles == "wager_and_press" else 1)
    for first, second in HANDS:
        cards = plus(plus(NOTHING, first), second)
        left = plus(plus(SHOE, first, -1), second, -1)
        alive = 1 - (Fraction(left[naive.hole], sum(left)) if naive.hole is not None else 0)
        for_main = naive.best(left, cards, lambda won: won[0])
        for_it = naive.best(left, cards, lambda won: won[1])
        told = [Fraction(play.of_two(cards), unit) for play in plays]
        assert told == [alive * won for won in (for_main[0], for_main[1], for_it[1])], cards


def test_a_pair_is_split_where_its_hands_win_more() -> None:
    """Two 8s against a 6 win split, and lose as 16; both hands are played on as any hand is."""
    plays = [ByTheCards(Against(PlayRules(_rules("trilux_deluxe", resplits=more)), SIX, SHOE)) for more in (2, 0)]
    pair = plus(NOTHING, 7, 2)
    worth = []
    for play in plays:
        against = play.against
        stands = against.stand(pair, NOTHING, REAL, False)
        split = against.split(7, lambda own, beside, form: play._worth(own, beside, True)[1], (REAL, REAL))  # noqa: B023
        assert play.of_two(pair) == split > 0 > stands
        worth.append(Fraction(split, against.scale(against.size)))
    assert worth[0] > worth[1]


# ----------------------------------------------------------------------------------------------------------- the press
@pytest.mark.clause("633c.11(e)", "633c.11(f)")
def test_winnings_apart_are_worth_a_range_and_are_never_added_at_a_loss() -> None:
    odds = _pressed("trilux_deluxe")
    assert 0 < odds.least < odds.most
    assert all(hand.least <= hand.most for hand in odds.hands)
    assert odds.most == sum(hand.won * hand.most for hand in odds.hands if hand.most > 0)
    assert odds.least == sum(hand.won * hand.least for hand in odds.hands if hand.least > 0)
    assert {hand.most > 0 for hand in odds.hands} == {True, False}


@pytest.mark.clause("633c.11(f)")
def test_a_blackjack_wins_even_money_on_the_press() -> None:
    worth = {(hand.first, hand.second): hand for hand in _pressed("trilux_deluxe").hands}
    assert worth[ACE, TEN].most == worth[ACE, TEN].least == 1
    main = {(hand.first, hand.second): hand for hand in _pressed("house_money").hands}
    assert main[ACE, TEN].most == main[ACE, TEN].least == Fraction(3, 2)


@pytest.mark.clause("633c.11(g)")
def test_where_a_double_matches_the_press_too_both_are_played_alike() -> None:
    odds = _pressed("trilux_deluxe", ("trilux_deluxe_double", "wager_and_press"))
    assert odds.least == odds.most > _pressed("trilux_deluxe").most


@pytest.mark.clause("633a.7(g)(10)(ii)(A)", "633a.7(g)(10)(ii)(C)")
def test_winnings_in_the_main_wager_are_worth_one_figure() -> None:
    whole = _pressed("house_money")
    assert whole.least == whole.most > 0
    table = paytables("house_money")[0]
    halves = _won(_rules("house_money", house_money_portion=Fraction(1, 2)), table)
    assert {values: (chance, 2 * won) for values, (chance, won) in halves.items()} == _won(_rules("house_money"), table)


def test_the_winnings_of_every_deal_are_counted() -> None:
    """Each deal with a 6 up from one deck, dealt out; three of a kind of one rank, and the straight that ends at 6."""
    pays = {"straight_flush": 20, "three_of_a_kind": 15, "straight": 9, "flush": 6}
    chance: dict[tuple[int, int], Fraction] = {}
    won: dict[tuple[int, int], Fraction] = {}
    sixes = [13 * suit + SIX for suit in range(4)]
    for up in sixes:
        for two in permutations([card for card in range(52) if card != up], 2):
            ranks = sorted(card % 13 for card in (*two, up))
            suited = len({card // 13 for card in (*two, up)}) == 1
            row = ranks[1] - ranks[0] == ranks[2] - ranks[1] == 1
            alike = len(set(ranks)) == 1
            if suited or row or alike:
                name = "three_of_a_kind" if alike else "straight_flush" if suited and row else "straight"
                name = "flush" if suited and not row else name
                key = tuple(sorted(min(card % 13, 9) for card in two))
                chance[key] = chance.get(key, Fraction(0)) + Fraction(1, 52 * 51 * 50)
                won[key] = won.get(key, Fraction(0)) + Fraction(pays[name], 52 * 51 * 50)
    hands = _pressed("trilux_deluxe").hands
    assert {(hand.first, hand.second): hand.chance for hand in hands} == chance
    assert {(hand.first, hand.second): hand.won for hand in hands} == won


# Michael Shackleford, "Trifecta" (Wizard of Odds, 2011): of the 5,013,320 sets of two cards and an up card of six
# decks, his three of a kind of one suit being one here.
TRIFECTA = {"straight_flush": 10_368, "three_of_a_kind": 2_024 + 24_288, "straight": 155_520, "flush": 292_896}


@pytest.mark.clause("633c.11(h)")
def test_the_four_hands_come_as_often_as_is_published() -> None:
    document = json.loads(_run("trilux_deluxe", "--decks", "6", "--json").stdout)
    told = {one["outcome"]: Fraction(one["chance"]["fraction"]) for one in document["wagers"][0]["outcomes"]}
    assert {name: told[name] * 5_013_320 for name in TRIFECTA} == TRIFECTA


# --------------------------------------------------------------------------------------------------------- the command
@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The press against a 6 alone, since all of it takes some seconds; whether the dealer draws to a soft 17."""
    found: list[bool] = []

    def against_a_6(submission: RulesSubmission, table: Paytable, h17: bool) -> PressOdds:
        found.append(h17)
        return _pressed(table.wager)

    monkeypatch.setattr(odds_wager, "press_odds", against_a_6)
    return found


@pytest.mark.usefixtures("asked")
def test_the_command_tells_the_range_and_which_hands_are_added() -> None:
    shown = _run("trilux_deluxe", "--decks", "1", "--press").stdout
    document = json.loads(_run("trilux_deluxe", "--decks", "1", "--press", "--json").stdout)
    schema = resources.files("shoetool") / "schemas" / "odds.schema.json"
    Draft202012Validator(json.loads(schema.read_text())).validate(document)
    odds, told = _pressed("trilux_deluxe"), document["wagers"][0]["press"]
    edge = Fraction(document["wagers"][0]["edge"]["fraction"])
    exact = {name: Fraction(told[name]["fraction"]) for name in told if name != "hands"}
    assert exact == {
        "wins_at_least": odds.least,
        "wins_at_most": odds.most,
        "edge_at_most": edge - odds.least,
        "edge_at_least": edge - odds.most,
    }
    low, high = told["edge_at_least"]["decimal"], told["edge_at_most"]["decimal"]
    assert f"{float(low) * 100:.6f} % to {float(high) * 100:.6f} % of the wager" in shown
    adds = {tuple(one["cards"]): one["add"] for one in told["hands"]}
    assert adds["10", "10"] == adds["A", "10"] == "always" and adds["7", "9"] == "never"
    rows = {line.split("  ")[0]: line.split()[-1] for line in shown.splitlines() if line}
    assert (rows["10,10"], rows["16"], rows["Blackjack"], rows["11"]) == ("A", "C", "A", "A")
    assert "Each hand is played by its own cards" in shown.replace("\n", " ")


@pytest.mark.usefixtures("asked")
def test_one_figure_is_told_where_the_winnings_become_part_of_the_main_wager(tmp_path: Path) -> None:
    shown = _run("house_money", "--decks", "1", "--press").stdout
    assert "with the best press, house edge " in shown and " to " not in shown.split("with the best press")[1][:60]
    own = tmp_path / "own.toml"
    row = 'rows = [{ key = "pair", outcome = "Pair", odds = "5 to 1" }]\n'
    own.write_text(f'[[paytable]]\nname = "X"\n{row}[[paytable]]\nname = "Y"\n{row}', encoding="utf-8")
    both = _run("house_money", "--decks", "1", "--press", "--paytable-file", str(own)).stdout
    assert both.count("with the best press") == 2


def test_the_dealer_may_draw_to_a_soft_17_there(asked: list[bool]) -> None:
    shown = _run("trilux_deluxe", "--decks", "1", "--press", "--h17").stdout
    assert asked == [True] and "and the dealer draws to a soft 17" in shown.replace("\n", " ")


def test_a_wager_without_a_press_is_refused() -> None:
    result = _run("perfect_pairs", "--decks", "6", "--press")
    assert result.exit_code != 0
    assert result.output.endswith("winnings of Perfect Pairs are not added to the main wager: take --press out\n")
