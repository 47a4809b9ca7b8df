"""What a Blackjack Wager wins beside a switch hands ante, 633c.4(i), 633c.4(o)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from shoetool.odds.play_rules import PlayRules
from shoetool.rules.games.settling import MainOutcome, Showdown
from shoetool.rules.paytable import paytable
from shoetool.rules.round import Box
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import switch_hands

ANTE: Final = Fraction(switch_hands.ANTE_A_STEP, switch_hands.STEP)
"""The ante beside each unit of the wager, 633c.4(c)."""
_ACE_AND_TENS: Final = ((0, 12), (0, 25))
"""An ace of spades and a king, of its color and of the other one."""


class BesideAnte(PlayRules):
    """The play of a position where 633c.4 settles its main wager.

    placed: whether an ante lies beside it; without one that is so only by a reading of 633c.4(o). exchanged: whether
    the two face-down cards are played in place of those of the deal.
    """

    def __init__(self, submission: RulesSubmission, h17: bool, *, placed: bool = True, exchanged: bool = False) -> None:
        super().__init__(submission, h17)
        offered = switch_hands.OFFERED.of(submission)
        self._main = paytable(switch_hands.PAYTABLES[offered], "", submission.decks, submission.game)
        self._beside = switch_hands.OUTCOMES[offered]
        step = switch_hands.STEP
        self._box = Box(1, step, (), (), ante=switch_hands.ante_due(step) if placed else 0, switched=exchanged)

    @property
    def unit(self) -> int:
        """Every payoff becomes whole, that of a Blackjack too, which is a mean of two."""
        return 2 * super().unit

    def _wins(self, show: Showdown) -> Fraction:
        """A Blackjack is of one color as often as not, whatever other values are known."""
        if not show.natural:
            return super()._wins(show)
        rules, box, dealers = self.submission, self._box, show.dealer_blackjack
        tie = dealers and switch_hands.tie_pays(rules, box)
        of_each = (
            super(BesideAnte, self)._wins(
                show._replace(colored=switch_hands.colored(rules, box, cards, dealers), tie_pays=tie)
            )
            for cards in _ACE_AND_TENS
        )
        return sum(of_each, Fraction(0)) / 2

    @property
    def _outcomes(self) -> tuple[MainOutcome, ...]:
        return self._beside


def without_ante(submission: RulesSubmission, h17: bool) -> PlayRules:
    """The play of a position without an ante in Blackjack premium: that of ch. 633a, 633c.4(k), but for one reading."""
    beside = BesideAnte(submission, h17, placed=False)
    return beside if switch_hands.settles(submission, beside._box) else PlayRules(submission, h17)
