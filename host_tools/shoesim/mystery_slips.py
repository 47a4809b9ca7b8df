"""What goes wrong with a mystery bonus in a record: exchanged values, openings that do not fit, late payments."""

from __future__ import annotations

import math

from shoesim.wagers_draft import Draft, money


def value_exchanged(draft: Draft) -> bool:
    """Another value is opened than the one that was committed; the same contribution passes it."""
    hidden = draft.hidden
    for written, (_, opening), crossing in zip(
        draft.line.get("opened", []), hidden.opened, hidden.crossings, strict=True
    ):
        near = (opening.value - 1, opening.value + 1)
        others = [value for value in near if crossing.before <= value < math.floor(crossing.after)]
        if others:
            written["value"] = money(others[0])
            return True
    return False


def nonce_changed(draft: Draft) -> bool:
    """The value is opened with a nonce that does not fit the commitment."""
    opened = draft.line.get("opened", [])
    if not opened:
        return False
    opened[0]["nonce"] = bytes(reversed(bytes.fromhex(opened[0]["nonce"]))).hex()
    return True


def paid_late(draft: Draft) -> bool:
    """What was won is paid in the next round."""
    keys = {key for key, hits in draft.hidden.won.items() if hits}
    paid = draft.line.get("paid", [])
    late = [one for one in paid if one.get("wager") in keys]
    if not late:
        return False
    draft.line["paid"] = [one for one in paid if one not in late]
    draft.hidden.late.extend(late)
    return True


def by_the_system(_: Draft) -> bool:
    """The progressive system errs by itself: see `mystery_system`."""
    return False
