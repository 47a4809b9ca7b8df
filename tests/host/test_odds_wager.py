"""`shoetool odds WAGER`: exact odds of optional wagers, against published figures and counts that share no code."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from math import perm
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from sampled import SOAK
from shoetool.cli import build
from shoetool.model.cards import is_blackjack, total
from shoetool.model.errors import BadInput
from shoetool.model.money import dollars
from shoetool.odds.deals import ON_THE_DEAL, Deals
from shoetool.odds.finished import FinishedHands
from shoetool.odds.holding import WatchedRules, holding
from shoetool.odds.wager import WagerCounts, WagerOdds
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS, View

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

import odds_campaign

NO_DEALER = (-1, -1)


counts_of = cache(WagerCounts)


def odds_of(key: str, name: str, decks: int, h17: bool = False) -> WagerOdds:
    wager = WAGERS[key]
    tables = [one for one in paytables(key) if one.covers(decks) and one.name == name]
    asked = {choice.key: choice.words[0] for choice in wager.every_choice if choice.asked}
    stake = wager.amounts[-1] if wager.amounts else 1_00
    rules = RulesSubmission(wager.games[0], decks, wagers={key: WagerOffer(name, stake, stake)}, choices=asked)
    return counts_of(h17).odds(rules, tables[0], stake, tables)


def chances(odds: WagerOdds, places: int) -> list[str]:
    return [f"{float(one.chance):.{places}f}" for one in odds.chances]


def run(*words: str) -> Result:
    return CliRunner().invoke(build(), ["odds", *words])


# ------------------------------------------------------------------------------------------------ published figures
def test_push_22_with_six_decks_is_as_published() -> None:
    """Stephen How, "Push 22 Side Bet" (discountgambling.net, 2013), where the dealer draws to a soft 17."""
    odds = odds_of("push_22", "A", 6, h17=True)
    assert chances(odds, 6) == ["0.003327", "0.011659", "0.058551", "0.926464"]
    assert f"{float(odds.edge()):.6f}" == "0.058539" and f"{float(odds.edge()):.4f}" == "0.0585"


def test_perfect_pairs_is_as_published() -> None:
    """ "Mathematical Analysis of Blackjack Side Bets" (onlinecasinositeinfo.com): 25, 12 and 6 to 1."""
    found = [f"{float(odds_of('perfect_pairs', 'A', decks).edge() * 100):.2f}" for decks in (2, 4, 6, 8)]
    assert found == ["22.33", "10.14", "6.11", "4.10"]


def test_lucky_ladies_is_as_published() -> None:
    """Michael Shackleford's page on it counts six decks; Gaming Today of 2006-01-23 has what this table gives back.

    The dealer's Blackjack is one of four cards: of the player's two alone the best row would never come.
    """
    odds = odds_of("lucky_ladies", "", 6)
    ways = [135_360, 2_738_340, 43_105_500, 193_112_640, 744_863_040, 8_310_740_400]
    assert [one.chance * perm(312, 4) for one in odds.chances] == ways
    back = [f"{float(1 - odds_of('lucky_ladies', '', decks).edge()) * 100:.2f}" for decks in (2, 4, 6)]
    assert back == ["75.06", "80.54", "82.36"]


def test_a_wager_that_looks_at_more_cards_than_it_declares_has_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what it looks at would seem never to come."""
    for key, depends_on in (("lucky_ladies", None), ("upcard_luck", "two_cards"), ("super_4", "two_cards_and_up")):
        with monkeypatch.context() as patch:
            patch.setitem(globals(), "counts_of", WagerCounts)  # nothing that was counted before
            patch.setitem(WAGERS, key, replace(WAGERS[key], depends_on=depends_on))  # type: ignore[arg-type]
            with pytest.raises(AttributeError):
                odds_of(key, paytables(key)[0].name, 6)


def test_royal_match_with_six_decks_is_as_published() -> None:
    """Michael Shackleford, GAM 470, "Royal Match version 1": 144 and 11,868 of 48,516 hands, and 3,234 units lost."""
    odds = odds_of("royal_match_21", "D", 6)
    assert [one.chance * 48_516 for one in odds.chances] == [144, 11_868, 36_504]
    assert odds.edge() == Fraction(3_234, 48_516)


@pytest.mark.skipif(not SOAK, reason="it takes 3 s: `make soak` counts five decks")
def test_the_best_hands_of_super_4_with_five_decks_are_as_published() -> None:
    """Michael Shackleford's page on Super 4, as internetradiomercedes.com has it: five decks, which 633c.6(b) lacks."""
    rules = RulesSubmission("blackjack", 6, choices={"super_4_suit": "diamonds"})
    held = holding(WAGERS["super_4"], paytables("super_4")[:1])
    counted = Deals("two_cards_and_dealer", range(52), WatchedRules(rules), held).of(5)
    published = ["0.000001680", "0.000005039", "0.000490208"]
    assert [f"{counted[4][place,] / perm(260, 4):.9f}" for place in range(3)] == published
    assert set(counted[2]) == {(), (9,)}, "the dealer's cards alone decide what lies below his Blackjack"


# ------------------------------------------------------------------------------------------------ other counts agree
@pytest.mark.parametrize("key", [key for key, one in WAGERS.items() if one.cards in ON_THE_DEAL])
def test_the_order_of_a_players_two_cards_changes_no_outcome(key: str) -> None:
    """Of 2,000 deals, seed 5, and of as many in which cards are alike more often than in a shoe."""
    wager = WAGERS[key]
    asked = {choice.key: choice.words[0] for choice in wager.every_choice if choice.asked}
    rules = RulesSubmission(wager.games[0], 6, wagers={key: WagerOffer(paytables(key)[0].name)}, choices=asked)
    random = Random(5)
    for deck in (range(52), (0, 39, 9, 48, 50, 51, 37, 11)):
        for _ in range(2_000):
            pair, dealer, more = (tuple(random.choices(deck, k=2)) for _ in range(3))
            second = more if wager.cards == "four_cards" else ()
            one, other = (View(rules, (*two, *second), dealer) for two in (pair, pair[::-1]))
            assert wager.outcome(one) == wager.outcome(other)


def test_a_count_of_every_hand_of_the_dealer_agrees() -> None:
    """Aces, 6s and kings alone, one of each suit: drawn card by card, by number, count, Blackjack and suits."""
    faces = [rank + 13 * suit for suit in range(4) for rank in (0, 5, 12)]

    def told(dealer: tuple[int, ...]) -> tuple[int, ...]:
        return len(dealer), total(dealer)[0], is_blackjack(dealer), *sorted({card // 13 for card in dealer})

    @cache
    def drawn(dealer: tuple[int, ...], left: tuple[int, ...]) -> Counter[tuple[int, ...]]:
        if len(dealer) > 1 and (total(dealer)[0] >= 17 or is_blackjack(dealer)):
            return Counter({told(dealer): 1})
        found = Counter[tuple[int, ...]]()
        for place, number in enumerate(left):
            if number:
                rest = (*left[:place], number - 1, *left[place + 1 :])
                for what, ways in drawn((*dealer, faces[place]), rest).items():
                    found[what] += ways * number
        return found

    naive = drawn((), (1,) * len(faces))
    rules = WatchedRules(RulesSubmission("blackjack", 6))

    def seen(view: View) -> tuple[int, ...]:
        number, count, _, *suits = told(view.dealer)
        return number, count, view.dealer_blackjack, *suits

    found = FinishedHands(faces, False, rules, seen).of(1)
    counted = Counter[tuple[int, ...]]()
    for ways in found.values():
        counted.update(ways)
    assert len(naive) > 50 and {what: number for what, number in counted.items() if number} == naive


@pytest.mark.begins_first
def test_settled_rounds_come_close_to_the_odds() -> None:
    """A sample of the campaign in `make soak`: each mean within five standard errors."""
    found = odds_campaign.campaign("blackjack", 200, 20261126, ("two_cards", "two_cards_and_up", "dealer"))
    assert found
    assert all(abs(met.errors) < 5 for met in found), [(met.odds.wager.key, met.errors) for met in found]


# ------------------------------------------------------------------------------------------------ meters, own paytables
def test_a_meter_at_its_break_even_leaves_the_house_nothing() -> None:
    """Hit and Run: its one meter starts at $1,000 at least, which the house sets."""
    odds = odds_of("hit_and_run", "", 6)
    even = odds.break_even("")
    assert even is not None and even > odds.meters[""] == 1_000_00 and odds.set_by_house
    assert odds.edge({"": even}) == 0  # type: ignore[dict-item]
    assert odds.edge({"": 2_000_00}) == odds.edge() - 1_000_00 * odds.gives_back("")
    shown = " ".join(run("hit_and_run", "--decks", "6").stdout.split())
    assert "meter: starts at $1,000.00 or more; each $1,000 on the meter gives back" in shown
    assert f"the house keeps nothing with ${dollars(round(even))} on it" in shown


OWN = '[[paytable]]\nname = "mine"\nrows = [{ key = "mixed_pair", outcome = "Any pair", odds = "11 to 1" }]\n'


def test_a_paytable_of_ones_own_is_judged_by_the_rows_that_it_has(tmp_path: Path) -> None:
    """A perfect pair has no row here, so it is paid as a pair: 12 pay-outs in 23 of 311 hands."""
    own = tmp_path / "own.toml"
    own.write_text(OWN)
    document = json.loads(run("perfect_pairs", "--decks", "6", "--paytable-file", str(own), "--json").stdout)
    found = document["wagers"][0]
    assert found["hit"]["fraction"] == "23/311" and found["edge"]["fraction"] == "35/311"
    assert (
        "nothing that this paytable pays  loses"
        in run("perfect_pairs", "--decks", "6", "--paytable-file", str(own)).stdout
    ), "a pair may lose where it has no row"
    for text, words in (
        (OWN.replace("mixed", "mixt"), "has no outcome 'mixt_pair'; it has colored_pair, mixed_pair, perfect_pair"),
        (OWN.replace("11 to 1", "eleven"), "'eleven' is not a payout"),
        ("rows", "Expected '='"),
        ("", "holds no [[paytable]]"),
        (
            OWN.replace("11 to 1", "10% of meter"),
            "'10% of meter' is a share of a meter that Perfect Pairs does not have",
        ),
        ('wager = "top_3"\n' + OWN, "its paytable is for 'top_3', not for perfect_pairs"),
    ):
        own.write_text(text)
        refused = run("perfect_pairs", "--decks", "6", "--paytable-file", str(own))
        assert refused.exit_code == 2 and words in refused.output and refused.output.count("\n") == 1, refused.output


def test_what_the_dealers_cards_decide_alone_is_counted_for_them_alone(tmp_path: Path) -> None:
    """A paytable with an ace up, no Blackjack beside it, as its only row."""
    own = tmp_path / "own.toml"
    own.write_text(
        '[[paytable]]\nname = "ace"\nrows = [{ key = "dealer_ace_up", outcome = "Ace up", odds = "10 to 1" }]\n'
    )
    document = json.loads(run("super_4", "--decks", "6", "--paytable-file", str(own), "--json").stdout)
    assert Fraction(document["wagers"][0]["hit"]["fraction"]) == Fraction(24 * (311 - 96), 312 * 311)


def test_the_command_tells_chances_edge_and_what_they_assume() -> None:
    schema = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())
    document = json.loads(run("push_22", "--decks", "6", "--json").stdout)
    Draft202012Validator(schema).validate(document)
    assert [one["paytable"] for one in document["wagers"]] == ["A", "B"]
    shown = run("in_between", "--decks", "6", "--set", "in_between_ace=low").stdout
    for words in ("Triple Match", "30 to 1", "house edge", "standard deviation", "Every deal from a full shoe"):
        assert words in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["lucky_ladis", "--decks", "6"], "did you mean lucky_ladies?"),
        (["must_hit_by", "--decks", "6"], "must_hit_by is a bonus and no wager: it has no odds of its own"),
        (["crown_treasure", "--decks", "6"], "crown_treasure is a bonus and no wager: it has no odds of its own"),
        (["perfect_pairs", "--decks", "6", "--h17"], "does not depend on the dealer's draw"),
        (["upcard_luck", "--decks", "2"], "has no paytable for 2 decks"),
        (["super_match", "--decks", "5"], "has no paytable for 5 decks, only for six decks, eight decks"),
        (["perfect_pairs", "--decks", "6", "--paytable", "Z"], "there are A, B"),
        (["in_between", "--decks", "6", "--paytable", "A"], "its only one has no name: take --paytable out"),
        (["perfect_pairs", "--decks", "6", "--game", "free_bet"], "it is in blackjack"),
        (["in_between", "--decks", "6", "--set", "in_between_ace=up"], "takes high or low"),
        (["top_3", "--decks", "6", "--set", "x=y"], "has no setting 'x'"),
        (["match_the_dealer_progressive", "--decks", "6", "--stake", "2"], "the wager is $1.00 or $5.00"),
        ([], "or write --all"),
    ],
)
def test_what_cannot_be_computed_is_told_in_one_line(words: list[str], told: str) -> None:
    refused = run(*words)
    assert refused.exit_code == 2 and told in refused.output, refused.output
    assert refused.output.count("\n") == 1


def test_all_wagers_are_computed_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the quick ones alone, and one that depends on something new; `make bench` runs the rest."""
    from shoetool.cli import odds_wager
    from shoetool.odds import wager as wager_odds

    quick = ("perfect_pairs", "upcard_luck")
    new = replace(WAGERS["bad_beat"], subject="the weather")  # type: ignore[arg-type]
    some = {key: WAGERS[key] for key in quick} | {"bad_beat": new}
    monkeypatch.setattr(odds_wager, "WAGERS", some)
    monkeypatch.setattr(wager_odds, "WAGERS", some)
    document = json.loads(run("--all", "--json").stdout)
    told = {one["wager"] for one in document["wagers"]}, {one["wager"] for one in document["not_computed"]}
    assert told == (set(quick), {"bad_beat"})
    shown = run("--all").stdout
    assert "perfect_pairs" in shown and "not computed: Bad Beat Progressive" in shown
    with pytest.raises(BadInput, match="they are not computed"):
        odds_of("bad_beat", "", 6)
