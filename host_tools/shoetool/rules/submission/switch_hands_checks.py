"""Checks of switch hands and Blackjack premium in a rules submission: 633c.4."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.money import dollars
from shoetool.rules.games import GAMES, Game
from shoetool.rules.submission.refusal import Refusal
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import switch_hands


def switch_hands_refusals(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    """Yield what is wrong: the game, the order at a double shoe, limits and chips that no ante can be made for."""
    key = switch_hands.OFFERED.key
    offered = switch_hands.OFFERED.of(table)
    if offered == "none":
        return
    if not game.facts.switch_hands:
        titles = " and ".join(one.title for one in GAMES.values() if one.facts.switch_hands)
        yield Refusal(key, f"{game.title} has no switch hands, only {titles}", "633c.4(c)", f'write {key} = "none"')
        return
    if table.shoe == "double" and switch_hands.ORDER.of(table) != "last":
        yield Refusal(
            switch_hands.ORDER.key,
            "from a double shoe the switch hands cards come after the Blackjack hands",
            "633c.4(j)",
            f'write {switch_hands.ORDER.key} = "last"',
        )
    for name, amount in (("min_wager", table.minimum), ("max_wager", table.maximum)):
        if offered == "all" and amount % switch_hands.STEP:
            what = f"${dollars(amount)} cannot be bet beside a switch hands ante: the wager comes in steps of $5"
            yield Refusal(name, what, "633c.4(b)", "write a multiple of 5")
    if switch_hands.ANTE_A_STEP % table.chip_unit:
        what = f"an ante of $1 for each $5 cannot be made of chips of ${dollars(table.chip_unit)}"
        yield Refusal("chip_unit", what, "633c.4(c)", "write a chip_unit of which $1 can be made")
