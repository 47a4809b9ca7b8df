"""`shoetool odds buzzer_beater`: the best and the worst play for a wager that several counts win, 633c.5(u), (v)(3).

Small shoes are played out here. In a soak tests/regulation/test_odds_hands.py draws every hand from full ones.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from io import StringIO
from math import perm

import pytest
from rich.console import Console
from sampled import SOAK
from shoetool.odds.holding import Held, WatchedRules, holding
from shoetool.odds.played_counts import PlayedCounts
from shoetool.odds.plays import BEST, WORST
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, Shoe, best_count, plus
from shoetool.odds.wager import WagerCounts
from shoetool.report.odds_wager import wager_parts
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS

WAGER = WAGERS["buzzer_beater"]
FACES = (0, 2, 15, 4, 17, 30, 43, 7, 20, 33, 46, *range(9, 13), *range(22, 26))
"""One ace, two 3s, four 5s, four 8s and eight tens: few enough to play out every hand."""
PAYS = {
    "blackjack_blackjack": 5,
    "twenty_twenty": 5,
    "twenty_21": 30,
    "nineteen_nineteen": 5,
    "nineteen_twenty": 10,
    "nineteen_21": 10,
    "twenty_one_as_tie": 5,
    "twenty_one": 0,
    "push": 0,
}
"""633c.5(v)(3), to 1; a 21 that it has no row for (T39) and a push (T40) give the wager back."""


def _naive(play: str, below: str, tie: str, unpaid: str, blackjacks: str) -> dict[str, Fraction]:
    """The chance of each outcome, by the text: each hand and each of the dealer's draws one by one."""
    pick = max if play == BEST else min
    full: Counts = tuple(Counter(min(face % 13, TEN) for face in FACES)[value] for value in range(VALUES))

    def outcome(mine: int, natural: bool, dealer: int, blackjack: bool) -> str:
        if natural and blackjack:
            return "blackjack_blackjack" if tie == "wins" else ""
        if natural and blackjacks == "blackjack":
            return ""
        if below == "push" and ((mine == dealer < 19) or (mine > 21 and dealer > 21)):
            return "push"
        if mine < 19 or mine > dealer or dealer > 21 or (mine == dealer and tie == "loses" and not blackjack):
            return ""
        names = {19: "nineteen", 20: "twenty", 21: "21"}
        if mine == 21:
            return {"no_row": "twenty_one", "5_to_1": "twenty_one_as_tie", "loses": ""}[unpaid]
        return f"{names[mine]}_{'21' if dealer == 21 else names[dealer]}"

    def draws(shoe: Counts):  # type: ignore[no-untyped-def]
        size = sum(shoe)
        return [(Fraction(have, size), plus(shoe, value, -1), value) for value, have in enumerate(shoe) if have]

    @cache
    def dealer(shoe: Counts, cards: Counts, mine: int, natural: bool) -> Counter[str]:
        """The chances, of rounds without his Blackjack."""
        total, _ = best_count(cards)
        if sum(cards) == 2 and total == 21:
            return Counter()
        if sum(cards) > 1 and total >= 17:
            return Counter({outcome(mine, natural, total, False): Fraction(1)})  # type: ignore[dict-item]
        found: Counter[str] = Counter()
        for chance, rest, value in draws(shoe):
            for name, part in dealer(rest, plus(cards, value), mine, natural).items():
                found[name] += chance * part  # type: ignore[assignment]
        return found

    def worth(chances: Counter[str]) -> Fraction:
        return sum((part * (1 + PAYS[name]) for name, part in chances.items() if name), Fraction(0))

    @cache
    def played(shoe: Counts, cards: Counts, up: int) -> Counter[str]:
        total, _ = best_count(cards)
        stood = dealer(shoe, plus(NOTHING, up), total, total == 21 and sum(cards) == 2)
        if total >= 21:
            return stood
        drawn: Counter[str] = Counter()
        for chance, rest, value in draws(shoe):
            for name, part in played(rest, plus(cards, value), up).items():
                drawn[name] += chance * part  # type: ignore[assignment]
        return pick(stood, drawn, key=worth)

    found: Counter[str] = Counter()
    for one, first, a in draws(full):
        for two, second, up in draws(first):
            for three, third, b in draws(second):
                cards = plus(plus(NOTHING, a), b)
                for name, part in played(third, cards, up).items():
                    found[name] += one * two * three * part  # type: ignore[assignment]
                total, _ = best_count(cards)
                for chance, _, hole in draws(third):
                    if {up, hole} == {ACE, TEN}:
                        name = outcome(total, total == 21, 21, True)
                        found[name] += one * two * three * chance  # type: ignore[assignment]
    return {name: Fraction(part) for name, part in found.items() if name and part}


@pytest.mark.parametrize(
    ("play", "below", "tie", "unpaid", "blackjacks"),
    [
        (BEST, "loses", "wins", "no_row", "blackjack"),
        (WORST, "loses", "wins", "no_row", "blackjack"),
        (BEST, "push", "wins", "5_to_1", "count"),
        (BEST, "loses", "loses", "no_row", "count"),
        (WORST, "push", "loses", "5_to_1", "blackjack"),
        (BEST, "push", "wins", "loses", "blackjack"),
    ],
)
def test_the_best_and_the_worst_play_of_a_small_shoe_agree_with_playing_every_hand(
    play: str, below: str, tie: str, unpaid: str, blackjacks: str
) -> None:
    offer = WagerOffer("", 100, 100)
    choices = {
        "buzzer_below_19": below,
        "buzzer_tie": tie,
        "buzzer_21": unpaid,
        "buzzer_blackjack": blackjacks,
    }
    rules = RulesSubmission("hybrid", 6, wagers={WAGER.key: offer}, choices=choices)
    watched = WatchedRules(rules)
    counts = PlayedCounts(rules, False, watched, holding(WAGER, paytables(WAGER.key)))

    def worth(held: Held) -> Fraction:
        return Fraction(1 + PAYS[WAGER.outcomes[held[0]].key]) if held else Fraction(0)

    found: dict[str, Fraction] = {}
    for cards, ways in counts.of(Shoe(1, FACES), play, worth).items():
        for held, number in ways.items():
            if held and number:
                name = WAGER.outcomes[held[0]].key
                found[name] = found.get(name, Fraction(0)) + Fraction(number, perm(len(FACES), cards))
    assert found == _naive(play, below, tie, unpaid, blackjacks)


@pytest.mark.skipif(not SOAK, reason="it takes 5 s: `make soak` counts six decks")
def test_both_plays_are_told_with_what_comes_back() -> None:
    rules = RulesSubmission("hybrid", 6, wagers={WAGER.key: WagerOffer("", 100, 100)})
    (table,), counts = paytables(WAGER.key), WagerCounts()
    best, worst = (counts.odds(rules, table, 100, [table], play) for play in (BEST, WORST))
    out = Console(file=StringIO(), width=200)
    for part in wager_parts([best, worst]):
        out.print(part)
    shown = out.file.getvalue()  # type: ignore[attr-defined]
    assert "best play: he draws while" in shown
    assert "the odds have no row for it; the wager comes back" in shown and "a push" not in shown
    chances = [{one.outcome.key: one.chance for one in odds.chances if one.outcome} for odds in (best, worst)]
    aces, nines, tens, all_rows = 24, 24, 96, perm(312, 4)
    blackjacks = 2 * aces * tens * 2 * (aces - 1) * (tens - 1)
    assert all(chance["blackjack_blackjack"] == Fraction(blackjacks, all_rows) for chance in chances)
    # Who plays against the wager draws to a 20, but the dealer's Blackjack ends the round before.
    two_tens = tens * (tens - 1) * 2 * aces * (tens - 2)
    ace_and_nine = 2 * aces * nines * 2 * (aces - 1) * tens
    chance = chances[1]
    assert chance["twenty_21"] == Fraction(two_tens + ace_and_nine, all_rows) and chance["twenty_twenty"] == 0
