"""What the main wager is worth under a rules submission, with the best play by count: an exact fraction."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from shoetool.model.errors import BadInput
from shoetool.odds.against import Against
from shoetool.odds.best_play import best_play, ways_of_two
from shoetool.odds.draws import blackjack_hole
from shoetool.odds.play import Play
from shoetool.odds.play_rules import PlayRules
from shoetool.odds.shoe import NOTHING, VALUES, best_count, plus, without
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.switch_hands import OFFERED


@dataclass(frozen=True)
class MainOdds:
    """edge: what the house keeps of each unit of the original wager, on average. plays: by up card, 0 to 9."""

    rules: PlayRules
    edge: Fraction
    plays: tuple[Play, ...]


def main_odds(submission: RulesSubmission, h17: bool = False) -> MainOdds:
    """The odds of the main wager of a table, insurance and optional wagers left out. BadInput for Blackjack Switch,
    and where switch hands (633c.4) are offered."""
    rules = PlayRules(submission, h17)
    if rules.game.facts.hands > 1:
        raise BadInput(f"the main wager of {rules.game.title} is not computed yet: two hands may exchange cards")
    if rules.game.facts.community:
        raise BadInput(
            f"the main wager of {rules.game.title} is not computed yet: hands of a split take the same cards"
        )
    if OFFERED.of(submission) != "none":
        raise BadInput("the main wager of a table with switch hands (633c.4) is not computed: a hand may be exchanged")
    plays = tuple(best_play(Against(rules, up, without(rules.shoe, (up,)))) for up in range(VALUES))
    total = sum(rules.shoe)
    won = sum((Fraction(rules.shoe[play.against.up], total) * won_by(play) for play in plays), Fraction(0))
    return MainOdds(rules, -won, plays)


def won_by(play: Play) -> Fraction:
    """What a unit wagered wins on average against the up card of this play."""
    against, rules = play.against, play.rules
    shoe, size = against.shoe, against.size
    hole = blackjack_hole(against.up)
    alive = 0
    at_blackjack = Fraction(0)
    for first, second in combinations_with_replacement(range(VALUES), 2):
        ways = ways_of_two(shoe, first, second)
        if not ways:
            continue
        cards = plus(plus(NOTHING, first), second)
        alive += ways * play.of_two(cards)
        if hole is not None:
            count, _ = best_count(cards)
            at_blackjack += ways * (shoe[hole] - cards[hole]) * rules.at_blackjack(count == 21, count)
    return Fraction(alive, against.scale(size) * rules.unit) + at_blackjack / (size * (size - 1) * (size - 2))
