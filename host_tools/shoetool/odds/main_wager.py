"""What the main wager is worth under a rules submission, with the best play by count: an exact fraction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from shoetool.odds.against import Against
from shoetool.odds.beside_ante import ANTE, BesideAnte, without_ante
from shoetool.odds.best_play import best_play, two_of
from shoetool.odds.draws import blackjack_hole
from shoetool.odds.exchange_play import ExchangePlay
from shoetool.odds.no_hole import AgainstNoHole
from shoetool.odds.play import Play
from shoetool.odds.play_rules import PlayRules
from shoetool.odds.shoe import VALUES, best_count, without
from shoetool.odds.switch_play import best_switch_play, worth_of_two
from shoetool.odds.tucked import comes_back, may_be_split
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import switch_hands
from shoetool.rules.wagers.switch_hands import OFFERED

Told = Callable[[int, int], None]
"""(how many up cards are done, of how many)."""


@dataclass(frozen=True)
class MainOdds:
    """edge: what the house keeps of each unit of the original wager, or of the two equal ones of 633a.12(a)(1), on
    average. least: where that is known within two bounds, the lower one, and `edge` is the higher; None where `edge` is
    exact. plays: by up card, 0 to 9. may_be_split: (up card, pair) where splitting may win more than the play here.
    ante: what the house keeps beside of a switch hands ante, of each unit of the wager; without_ante: the edge for a
    player without one in Blackjack premium. None where there is none."""

    rules: PlayRules
    edge: Fraction
    plays: tuple[Play, ...]
    ante: Fraction | None = None
    without_ante: Fraction | None = None
    least: Fraction | None = None
    may_be_split: tuple[tuple[int, int], ...] = ()


def main_odds(submission: RulesSubmission, h17: bool = False, told: Told = lambda done, total: None) -> MainOdds:
    """The odds of the main wager of a table, insurance and optional wagers left out. told: after each up card."""
    if OFFERED.of(submission) != "none":
        return odds_beside_ante(submission, h17, told)
    rules = PlayRules(submission, h17)
    if rules.game.settling.tucked_returned and submission.tucked_wager == "returned":
        return _odds_with_tucked(rules, told)
    return odds_under(rules, told)


def odds_under(rules: PlayRules, told: Told) -> MainOdds:
    """The odds of the main wager where the player's hand, or his two hands, are played by these rules."""
    plays, edge = [], Fraction(0)
    for up in range(VALUES):
        against = (AgainstNoHole if rules.game.no_hole else Against)(rules, up, without(rules.shoe, (up,)))
        two = rules.game.facts.switch
        play = best_switch_play(against) if two else best_play(against)
        edge -= Fraction(rules.shoe[up], sum(rules.shoe)) * (won_by_two(play) if two else won_by(play))
        plays.append(play)
        told(up + 1, VALUES)
    return MainOdds(rules, edge, tuple(plays))


def _odds_with_tucked(rules: PlayRules, told: Told) -> MainOdds:
    """The odds where a tucked wager comes back against the dealer's 22, 590.7(n)(1).

    The play is the one that is best where it does not: its choices are made for hands as they are dealt, and for those
    of a lammer, and neither has a tucked wager. A pair that is split there is worth no less here. `may_be_split` has
    the others that might be worth more apart.
    """
    plays, edge, least, unsure = [], Fraction(0), Fraction(0), []
    for up in range(VALUES):
        play = best_play(Against(rules, up, without(rules.shoe, (up,))))
        comes, won, back = Fraction(rules.shoe[up], sum(rules.shoe)), won_by(play), comes_back(play)
        edge -= comes * (won + back.least)
        least -= comes * (won + back.most)
        unsure += [(up, value) for value in may_be_split(play)]
        plays.append(play)
        told(up + 1, VALUES)
    return MainOdds(rules, edge, tuple(plays), least=least if least < edge else None, may_be_split=tuple(unsure))


def odds_beside_ante(submission: RulesSubmission, h17: bool, told: Told) -> MainOdds:
    """The odds of the main wager beside a switch hands ante, 633c.4, and in Blackjack premium also without one."""
    rules, plain = BesideAnte(submission, h17), without_ante(submission, h17)
    premium = OFFERED.of(submission) == "premium"
    plays, edge, alone, given_up = [], Fraction(0), Fraction(0), Fraction(0)
    for up in range(VALUES):
        hands = ExchangePlay(submission, h17, up, without(rules.shoe, (up,)))
        best = hands.best()
        comes = Fraction(rules.shoe[up], sum(rules.shoe))
        edge -= comes * best.won
        given_up += comes * best.given_up
        if premium:
            alone -= comes * won_by(best_play(hands.kept.at_odds_of(plain)))
        plays.append(best.play)
        told(up + 1, VALUES)
    kept = ANTE * (given_up if switch_hands.ANTE.of(submission) == "returned" else 1)
    return MainOdds(rules, edge, tuple(plays), kept, alone if premium else None)


def won_by(play: Play) -> Fraction:
    """What a unit wagered wins on average against the up card of this play."""
    against = play.against
    alive = sum(ways * play.of_two(cards) for cards, ways in two_of(against.shoe))
    won = Fraction(alive, against.scale(against.size) * against.rules.unit)
    return won if against.rules.game.no_hole else won + _won_at_blackjack(against)


def won_by_two(play: Play) -> Fraction:
    """What each unit of two equal wagers wins on average, when the second cards of the hands may change places.

    The card reader device is used before anybody switches. So a hand meets the dealer's Blackjack as it was dealt.
    """
    against = play.against
    alive = Fraction(worth_of_two(play), against.scale(against.size) * against.rules.unit)
    return alive / 2 + _won_at_blackjack(against)


def _won_at_blackjack(against: Against) -> Fraction:
    """What a unit wagered wins on average in rounds in which the dealer has a Blackjack: it loses, or ties."""
    shoe, size = against.shoe, against.size
    hole = blackjack_hole(against.up)
    if hole is None:
        return Fraction(0)
    won = Fraction(0)
    for cards, ways in two_of(shoe):
        count, _ = best_count(cards)
        won += ways * (shoe[hole] - cards[hole]) * against.rules.at_blackjack(count == 21, count)
    return won / (size * (size - 1) * (size - 2))
