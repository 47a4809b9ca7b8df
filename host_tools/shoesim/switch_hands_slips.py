"""Wagers beside a switch hands ante that the table should not have taken, 633c.4(b) and (c)."""

from __future__ import annotations

from shoetool.rules.wagers.switch_hands import ANTE_A_STEP

from shoesim.wagers_draft import Draft


def ante_too_small(draft: Draft) -> bool:
    """One dollar less than is due."""
    return _change(draft, ante=-ANTE_A_STEP)


def off_the_steps(draft: Draft) -> bool:
    """A main wager that is a dollar above a multiple of five."""
    return _change(draft, wager=ANTE_A_STEP)


def ante_left_out(draft: Draft) -> bool:
    """A position was dealt switch hands cards, and the record has no ante."""
    for at, seat in enumerate(draft.seats):
        if seat.ante:
            draft.seats[at] = seat._replace(ante=0)
            return True
    return False


def _change(draft: Draft, ante: int = 0, wager: int = 0) -> bool:
    for at, seat in enumerate(draft.seats):
        if seat.ante > ANTE_A_STEP and seat.wager + wager <= draft.rules.maximum:
            draft.seats[at] = seat._replace(ante=seat.ante + ante, wager=seat.wager + wager)
            return True
    return False
