"""Play a round by the rules: `play` makes a `TableRound` from stakes, cards and decisions, or names the broken clause.

    table = RulesSubmission.default("blackjack", 6)
    play(table, [Stake(3, 25_00)], cards, [Decision(3, None, "double"), ...])

`open_round`, `decide` and `close_round` do the same step by step. `decide_*` has the decisions one by one: `verify_x`,
`can_x`, and `x`, which returns a new state; `decisions` has them by name. A game is data: `games/`.
"""

from shoetool.deal.engine import close_round, decide, open_round, play
from shoetool.deal.inputs import Decision, Irregularity, Stake
from shoetool.deal.state import PlayState
from shoetool.rules.rule_error import RuleError

__all__ = ["Decision", "Irregularity", "PlayState", "RuleError", "Stake", "close_round", "decide", "open_round", "play"]
