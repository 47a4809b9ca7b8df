"""Hold the best press of House Money against the edge that another has published.

    python tests/bench/odds_press.py

Stephen How, "House Money BJ Side Bet @ Pala Casino" (Discount Gambling, 2012): with six decks, "good rules" and the
right presses the house keeps 2.6 % of the wager. There a winner may add the wager too, not the payout alone, and split
aces get one card each. Both are put in here; by the chapter neither is so. It takes a minute; another edge: exit 1.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools")]

from shoetool.odds.against import Against  # noqa: E402
from shoetool.odds.figures import decimal  # noqa: E402
from shoetool.odds.play_rules import REAL, PlayRules  # noqa: E402
from shoetool.odds.press import Pressed, press_odds  # noqa: E402
from shoetool.odds.shoe import ACE, without  # noqa: E402
from shoetool.odds.wager import WagerCounts  # noqa: E402
from shoetool.rules.paytable import paytable  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer  # noqa: E402

PUBLISHED = Fraction("0.026")
KEY = "house_money"


def main() -> int:
    """Return 0 where the figures agree to their last digit."""
    rules = RulesSubmission.default("blackjack", 6, wagers={KEY: WagerOffer("", 100, 100)})
    table = paytable(KEY, "", 6, "blackjack")
    edge = WagerCounts().odds(rules, table, 100, [table]).edge()
    for hand in press_odds(rules, table).hands:
        worth = _of_split_aces(hand) if hand.first == hand.second == ACE else hand.most
        edge -= (hand.won + hand.chance) * max(worth, Fraction(0))
    print(f"House Money, six decks, its wager added too: house edge {decimal(edge * 100, 4)} %, published 2.6 %")
    return abs(edge - PUBLISHED) > Fraction(5, 10**4)


def _of_split_aces(hand: Pressed) -> Fraction:
    """What a pair of aces wins when it is split once, and each of them gets one card."""
    rules = PlayRules(RulesSubmission.default("blackjack", 6, resplits=0))
    against = Against(rules, hand.up, without(rules.shoe, (hand.up,)))
    worth = against.split(ACE, lambda own, beside, form: against.stand(own, beside, form, True), (REAL, REAL))
    return Fraction(worth, against.scale(against.size - 2) * rules.unit)


if __name__ == "__main__":
    sys.exit(main())
