"""A round judged from its actions, now that it is over."""

from __future__ import annotations

from shoetool.judge.from_the_hand import from_the_hand
from shoetool.judge.hands import owed_to_hands, why_not
from shoetool.judge.opening import Opening
from shoetool.table.fold import apply
from shoetool.table.round import Round
from shoetool.verify.context import Context


def play_again(ctx: Context, round_: Round) -> None:
    """Check opening deal, turns and hands of a round.

    The round is folded once more, now that the faces of its cards are known: before each action the judge is asked.
    """
    rules = ctx.rules
    again = Round(round_.number, round_.seats, round_.record, round_.antes)
    opening = Opening(rules)
    for action in round_.actions:
        opening.watch(again, action)
        ctx.object(why_not(rules, again, action), round_)
        apply(again, action)
    ctx.object(opening.owed(round_), round_)
    if round_.settled:
        ctx.object(owed_to_hands(round_), round_)
    if rules.cards_face_down:
        ctx.object(from_the_hand(round_), round_)
