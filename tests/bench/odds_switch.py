"""Hold the edge of Blackjack Switch against those that others have published, and say what choices leave out.

    python tests/bench/odds_switch.py [--gains] [--decks N]

The published game has six decks, the dealer draws to a soft 17, and a pair may become four hands: the house keeps
0.58 % of the wagers (Blackjack Promotions, "Blackjack Switch"). A Blackjack wins even money there, against a dealer's
22 too, and each of two split aces gets one card. All this is put in here; by 633a.13(a) a Blackjack wins 3 to 2, and by
633a.11 aces are played on. The rest is what a player's best exchange and play win more than the published ones. It
takes about five minutes. An edge that is more than 0.05 % from the published one: exit 1.

--gains: for every choice by count, what the other one would win when each hand is counted with the other hand's two
cards out of the shoe, which the choice itself does not look at (shoetool.odds.switch_play).
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools")]

from shoetool.odds.against import Against, together  # noqa: E402
from shoetool.odds.best_play import Hand  # noqa: E402
from shoetool.odds.figures import decimal  # noqa: E402
from shoetool.odds.main_wager import odds_under  # noqa: E402
from shoetool.odds.play import Cell, Play, doubled, pair_of  # noqa: E402
from shoetool.odds.play_rules import REAL, PlayRules, Standing  # noqa: E402
from shoetool.odds.shoe import ACE, NOTHING, VALUES, Counts, best_count, plus, without  # noqa: E402
from shoetool.odds.switch_play import best_switch_play, kept_hands  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission  # noqa: E402

PUBLISHED = Fraction("0.0058")
NEAR = Fraction("0.0005")


class _EvenMoney(PlayRules):
    """The published game's odds for a Blackjack."""

    def payoffs(self, hand: Standing) -> tuple[int, ...]:
        return tuple(min(payoff, self.unit) for payoff in super().payoffs(hand))


def _published(decks: int) -> bool:
    submission = RulesSubmission.default("switch", decks, switch_hold_blackjack=False)
    once = PlayRules(RulesSubmission.default("switch", decks, resplits=0, switch_hold_blackjack=False), True)
    apart = Play.apart
    aces: dict[Against, Against] = {}

    def one_card_to_aces(play: Play, value: int, others: Counts = NOTHING) -> int:
        if value != ACE:
            return apart(play, value, others)
        whole = play.against
        part = aces.get(whole) or aces.setdefault(whole, Against(once, whole.up, whole.shoe))
        worth = part.split(ACE, lambda own, beside, form: part.stand(own, beside, form, True), (REAL, REAL), others)
        left = whole.size - 2 - sum(others)
        in_whole = Fraction(worth * whole.scale(left), part.scale(left))
        assert in_whole.denominator == 1
        return in_whole.numerator

    Play.apart = one_card_to_aces  # type: ignore[method-assign]
    found = odds_under(_EvenMoney(submission, True), lambda done, total: None).edge
    print(
        f"{decks} decks, the dealer draws to a soft 17, even money, one card to split aces:"
        f" house edge {decimal(found * 100, 4)} %, published for six decks {decimal(PUBLISHED * 100, 2)} %"
    )
    return decks != 6 or abs(found - PUBLISHED) < NEAR


def _gains(decks: int) -> Iterator[tuple[int, Cell, str, Fraction]]:
    """What each choice turned round would win, of a unit on each hand: (up card, count, which choice, gain).

    A positive gain is what the player loses by not looking at the other hand's cards.
    """
    rules = PlayRules(RulesSubmission.default("switch", decks))
    for up in range(VALUES):
        against = Against(rules, up, without(rules.shoe, (up,)))
        play = best_switch_play(against)
        choices = play.choices[REAL]
        whole = against.scale(against.size) * rules.unit * 2 * sum(rules.shoe)
        gain: dict[tuple[Cell, str], int] = defaultdict(int)
        for (cards, others), ways in _played(play).items():
            count, soft = best_count(cards)
            cell = soft, count
            stood = against.stand(cards, others, REAL, False)
            drawn = against.after_draw(cards, others, REAL, partial(_worth, play, others))
            hit = choices.hit[cell]
            twice = choices.double.get(cell) and sum(cards) == 2
            if not twice:
                gain[cell, "hit"] += ways * (stood - drawn if hit else drawn - stood)
            if sum(cards) == 2:
                both = doubled(against, cards, others, REAL, choices) - (drawn if hit else stood)
                gain[cell, "double"] += ways * (-both if twice else both)
        for (cell, which), won in gain.items():
            yield up, cell, which, Fraction(won * rules.shoe[up], whole)


def _worth(play: Play, others: Counts, cards: Counts) -> int:
    return play.worth(cards, others, REAL, False)


def _played(play: Play) -> dict[Hand, int]:
    """In how many ways each hand that is not split comes, with the other hand's two cards; only hands below 21."""
    against, choices = play.against, play.choices[REAL]
    ways: dict[Hand, int] = defaultdict(int)
    for kept in kept_hands(against.shoe, play.of_two):
        for cards, others in (kept.hands, kept.hands[::-1]):
            value = pair_of(cards)
            if best_count(cards)[0] < 21 and not (value is not None and play.pairs.split[value]):
                ways[cards, others] += kept.ways
    waiting = list(ways)
    for cards, others in waiting:  # grows: a longer hand stands behind all that lead to it
        count, soft = best_count(cards)
        if not choices.hit[soft, count] or (choices.double.get((soft, count)) and sum(cards) == 2):
            continue
        for value, left in enumerate(against.left(together(cards, others))):
            more = plus(cards, value)
            if left > 0 and best_count(more)[0] < 21:
                if (more, others) not in ways:
                    waiting.append((more, others))
                ways[more, others] += ways[cards, others] * left
    return ways


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gains", action="store_true")
    parser.add_argument("--decks", type=int, default=6)
    options = parser.parse_args()
    if not options.gains:
        return 0 if _published(options.decks) else 1
    found = sorted(_gains(options.decks), key=lambda one: -one[3])
    better = [one for one in found if one[3] > 0]
    print(f"{len(found)} choices, {len(better)} better turned round: {decimal(sum(b[3] for b in better) * 100, 7)} %")
    for up, (soft, count), which, won in found[:12]:
        hand = f"{'soft ' if soft else ''}{count}"
        print(f"  up card {up + 1}, {hand}, {which}: {decimal(won * 100, 7)} % of the wagers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
