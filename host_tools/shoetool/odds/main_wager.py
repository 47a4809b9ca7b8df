"""What the main wager is worth under a rules submission, with the best play by count: an exact fraction."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from shoetool.model.errors import BadInput
from shoetool.odds.against import Against
from shoetool.odds.draws import NOTHING, VALUES, best_count, blackjack_hole, plus
from shoetool.odds.play_rules import PlayRules
from shoetool.odds.strategy import Play
from shoetool.rules.submission.rules import RulesSubmission


@dataclass(frozen=True)
class MainOdds:
    """edge: what the house keeps of each unit of the original wager, on average. plays: by up card, 0 to 9."""

    rules: PlayRules
    edge: Fraction
    plays: tuple[Play, ...]


def main_odds(submission: RulesSubmission, h17: bool = False) -> MainOdds:
    """The odds of the main wager of a table, insurance and optional wagers left out. BadInput for Blackjack Switch."""
    rules = PlayRules(submission, h17)
    if rules.game.facts.hands > 1:
        raise BadInput(f"the main wager of {rules.game.title} is not computed yet: two hands may exchange cards")
    plays = tuple(Play(Against(rules, up)) for up in range(VALUES))
    total = sum(rules.shoe)
    won = sum((Fraction(rules.shoe[play.against.up], total) * against_up(play) for play in plays), Fraction(0))
    return MainOdds(rules, -won, plays)


def against_up(play: Play) -> Fraction:
    """What a unit wagered wins against this up card, on average."""
    against, rules = play.against, play.rules
    shoe, size = against.shoe, against.size
    hole = blackjack_hole(against.up)
    alive = 0
    lost = Fraction(0)
    for first, second in combinations_with_replacement(range(VALUES), 2):
        ways = shoe[first] * (shoe[first] - 1) if first == second else 2 * shoe[first] * shoe[second]
        if ways <= 0:
            continue
        cards = plus(plus(NOTHING, first), second)
        alive += ways * play.of_two(cards)
        if hole is not None:
            count, _ = best_count(cards)
            holes = shoe[hole] - cards[hole]
            lost += ways * holes * rules.at_blackjack(count == 21, count)
    won = Fraction(alive, against.scale(size) * rules.unit)
    return won + lost / (size * (size - 1) * (size - 2))
