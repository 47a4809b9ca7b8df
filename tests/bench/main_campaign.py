"""Settle rounds that are played by `odds main`, and hold what the main wager won on average against its exact edge.

    python tests/bench/main_campaign.py --tables hybrid_no_hole switch_hands --rounds 200000 --seed 1

The play is looked up for every decision: nothing of how the odds are counted is used here, and nothing of how a round
is settled is used there. A mean more than five standard errors off is a failure: exit 1. The odds alone take up to
some minutes for each table; `switch` is left out, where the exchange is found anew for each four cards.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "regulation"), str(ROOT / "tests" / "bench")]

from odds_campaign import counts_of  # noqa: E402
from random_rounds import shuffled_shoe  # noqa: E402
from shoetool.deal import Decision, Stake  # noqa: E402
from shoetool.deal.dealer import play_dealer  # noqa: E402
from shoetool.deal.engine import DECISIONS, decide, open_round, table_round  # noqa: E402
from shoetool.deal.hybrid import choose_all  # noqa: E402
from shoetool.deal.state import HandState, PlayPhase, PlayState  # noqa: E402
from shoetool.deal.turns import begin_turns  # noqa: E402
from shoetool.model.cards import VALUES as VALUE_OF  # noqa: E402
from shoetool.odds.exchange_play import exchanged  # noqa: E402
from shoetool.odds.main_wager import MainOdds, main_odds  # noqa: E402
from shoetool.odds.play import Play, pair_of  # noqa: E402
from shoetool.odds.play_rules import LAMMER, REAL  # noqa: E402
from shoetool.odds.shoe import best_count  # noqa: E402
from shoetool.odds.tucked import Tucked  # noqa: E402
from shoetool.rules.round import Line  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission  # noqa: E402
from shoetool.rules.wagers.switch_hands import ante_due  # noqa: E402
from shoetool.settle.engine import settle  # noqa: E402

MAIN = 25_00
ENOUGH = 80
TABLES = {
    "blackjack": RulesSubmission.default("blackjack", 6),
    "free_bet": RulesSubmission.default("free_bet", 6),
    "free_bet_returned": RulesSubmission.default("free_bet", 6, tucked_wager="returned"),
    "spanish_21": RulesSubmission.default("spanish_21", 6),
    "hybrid": RulesSubmission.default("hybrid", 6),
    "hybrid_push": RulesSubmission.default("hybrid", 6, hybrid_both_over_21="push", hybrid_equal_21="push"),
    "hybrid_no_hole": RulesSubmission.default("hybrid_no_hole", 6),
    "hybrid_no_hole_both": RulesSubmission.default("hybrid_no_hole", 6, hybrid_double_back="both"),
    "hybrid_no_hole_push": RulesSubmission.default("hybrid_no_hole", 6, hybrid_equal_21="push"),
    "switch_hands": RulesSubmission.default("blackjack", 6, switch_hands="all", switch_hands_ante="returned"),
    "premium": RulesSubmission.default("blackjack", 6, switch_hands="premium"),
}
TUCKED = ((7, 12, 20), (1, 6, 14))
"""Deals, as cards: two 8s against a king, and two 2s against a 7."""


def _choice(state: PlayState, play: Play, hand: HandState) -> str:
    """What the play does with a hand that has still to choose."""
    state.turn = hand  # at a hybrid table none is in turn, and what a hand may do is asked of the one that is
    place = 1, hand.number
    cards, form = counts_of(hand.cards), LAMMER if hand.lammer and LAMMER in play.choices else REAL
    choices, value = play.choices[form], pair_of(cards)
    count, soft = best_count(cards)
    fresh = len(hand.cards) == 2 and not hand.hand.split
    if value is not None and (not fresh or play.pairs.split[value]) and DECISIONS["split"].can(state, *place):
        return "free_split" if DECISIONS["free_split"].can(state, *place) else "split"
    gives_up = play.pairs.given_up[value] if value is not None else choices.surrender.get((soft, count), False)
    if fresh and gives_up:
        return "surrender"
    if choices.double.get((soft, count)) and play.rules.may_double(len(hand.cards)):
        return "free_double" if DECISIONS["free_double"].can(state, *place) else "double"
    return "hit" if choices.hit[soft, count] else "stand"


def _round(rules: RulesSubmission, odds: MainOdds, shoe: list[int]) -> tuple[int, int]:
    """What the main wager and the ante won of one round, in cents."""
    main = beside = 0
    for line in _lines(rules, odds, shoe):
        if line.wager == "ante":
            beside += line.net
        elif line.wager in ("main", "double", "lammer"):
            main += line.net
    return main, beside


def _lines(rules: RulesSubmission, odds: MainOdds, shoe: list[int]) -> tuple[Line, ...]:
    """A round that is played by these choices, settled."""
    ante = ante_due(MAIN) if odds.ante is not None else 0
    selected = 1 if rules.game == "hybrid" else None
    state = open_round(rules, [Stake(1, MAIN, {}, player_position=selected, ante=ante)], shoe)
    play = odds.plays[VALUE_OF[state.dealer[0]] - 1]
    if state.phase == PlayPhase.CHOOSING:
        hand = state.boxes[0].hands[0]
        decide(state, Decision(1, None, "switch" if exchanged(play, counts_of(hand.cards)) else "keep"))
    begin_turns(state)
    if state.game.facts.community and state.phase == PlayPhase.TURNS:
        choose_all(state, lambda hand: Decision(1, hand.number, _choice(state, play, hand)))
    while state.turn is not None:
        hand = state.turn
        name = _choice(state, play, hand)
        decide(state, Decision(1, hand.number, name))
        count, soft = best_count(counts_of(hand.cards))
        if name == "double" and count <= 21 and play.choices[REAL].rescue.get((soft, count)):
            decide(state, Decision(1, hand.number, "rescue"))
    play_dealer(state)
    return settle(table_round(state, ()), rules).lines


def _far(name: str, rounds: int, seed: int) -> bool:
    rules = TABLES[name]
    odds = main_odds(rules)
    random = Random(seed)
    every = shuffled_shoe(rules, random)
    won = squares = beside = 0
    for _ in range(rounds):
        main, ante = _round(rules, odds, random.sample(every, ENOUGH))
        won += main
        squares += main * main
        beside += ante
    mean = won / rounds
    error = math.sqrt((squares / rounds - mean**2) / rounds)
    # Two bounds lie far closer together than a standard error.
    edge = odds.edge if odds.least is None else (odds.edge + odds.least) / 2
    off = (mean + float(edge) * MAIN) / error
    about = f"{name}: {rounds:,} rounds, seed {seed}: won {mean / MAIN:+.5f} of the wager"
    print(f"{about}, exactly {-float(edge):+.5f}: {off:+.2f} standard errors", flush=True)
    if odds.ante is not None:
        print(f"    the house kept {-beside / rounds / MAIN:.5f} of it as the ante, exactly {float(odds.ante):.5f}")
    deals = TUCKED if name == "free_bet_returned" else ()
    tucked = [_tucked_far(rules, odds, *dealt, rounds, seed) for dealt in deals]
    return abs(off) > 5 or any(tucked)


def _tucked_far(rules: RulesSubmission, odds: MainOdds, one: int, up: int, other: int, rounds: int, seed: int) -> bool:
    """What comes back of the tucked wager of one pair: too little to be seen among all rounds."""
    play = odds.plays[VALUE_OF[up] - 1]
    tucked = Tucked(play, VALUE_OF[one] - 1)
    exact, every = tucked.comes_back(), float(tucked.whatever_the_others())
    random = Random(seed)
    rest = shuffled_shoe(rules, random)
    for card in (one, up, other):
        rest.remove(card)
    back = squares = 0.0
    for _ in range(rounds):
        lines = _lines(rules, odds, [one, up, other, *random.sample(rest, ENOUGH)])
        came = sum(line.returned for line in lines if "tucked" in line.words) / MAIN
        back += came
        squares += came * came
    mean = back / rounds
    error = math.sqrt((squares / rounds - mean**2) / rounds)
    off = min((mean - float(bound) for bound in exact), key=abs) / error
    print(f"    {VALUE_OF[one]},{VALUE_OF[one]} against {VALUE_OF[up]}: {mean:.5f} of the wager came back, ", end="")
    print(f"exactly {float(exact.least):.5f} to {float(exact.most):.5f}: {off:+.2f} standard errors; ", end="")
    print(f"{(mean - every) / error:+.2f} off what would come back against each 22", flush=True)
    return abs(off) > 5


def main() -> int:
    """Print how far off each table is; 1 when one is too far."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", nargs="+", choices=tuple(TABLES), default=list(TABLES))
    options = parser.parse_args()
    far = [_far(name, options.rounds, options.seed) for name in options.tables]
    return int(any(far))


if __name__ == "__main__":
    sys.exit(main())
