"""Cards that left a hand again: the records must say why, of each card by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import Objection
from shoetool.judge.pairs import Pairs
from shoetool.model.protocol_table import IrregularityCode, Role
from shoetool.table.actions import DEALT_ROLES, DRAWN, SKIPS, Action, CardPlaced, CardTurned, Reported
from shoetool.table.hand import place
from shoetool.table.round import Round

_PLACE_SKIPPED: Final = (IrregularityCode.DEALER_MISSED_CARD, *SKIPS)


def moved_without_reason(round_: Round, pairs: Pairs) -> Iterator[Objection]:
    """633a.7(s) on a round: no card leaves a hand but for an irregularity that the shoe reported of that card."""
    if not any(placed.how for placed in round_.placed):
        return
    where: dict[int, tuple[int, int, int]] = {}
    for at, action in enumerate(round_.actions):
        if not isinstance(action, CardPlaced):
            continue
        drawn, role, box, hand, record, _ = action
        before = where.get(drawn.record)
        where[drawn.record] = (role, box, hand)
        if before is None or before[0] not in DEALT_ROLES or before[1:] == (box, hand):
            continue
        if role == Role.DISCARDED and round_.chosen.get(before[1]):
            continue  # switch hands: the face-up cards of a position that played the others
        if not (pairs.explains(action) or _skipped(round_.actions, at)):
            text = f"a card of {place(before[1])} was removed without a reported reason."
            yield Objection(reg.MOVED, text, (drawn.record, record), (drawn,))


def _skipped(actions: Sequence[Action], at: int) -> bool:
    """Whether a place was skipped before action `at`: the cards behind it move up, one straight after the other."""
    near = next((actions[near] for near in reversed(range(at)) if not _moves(actions[near])), None)
    return isinstance(near, Reported) and near.code in _PLACE_SKIPPED


def _moves(action: Action) -> bool:
    return isinstance(action, CardTurned) or (isinstance(action, CardPlaced) and action.how != DRAWN)
