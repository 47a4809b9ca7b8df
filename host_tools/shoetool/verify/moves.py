"""Cards that left a hand again: the records must say why."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import IrregularityCode, RecordKind, Role
from shoetool.model.rounds import Round
from shoetool.verify import registry as reg
from shoetool.verify.context import Context, faces, place
from shoetool.verify.findings import BREACH

_MOVES: Final = (int(RecordKind.MOVED), int(RecordKind.OPENED))
_IN_HAND: Final = frozenset(
    int(role)
    for role in (
        *(Role.OPENING, Role.DEALER_UP, Role.HOLE, Role.DRAW, Role.DOUBLE_DRAW, Role.SPLIT_SECOND),
        *(Role.DEALER_DRAW, Role.DETERMINANT_FIRST, Role.LATE),
    )
)
_REASONS: Final = frozenset(
    (
        IrregularityCode.DRAWN_IN_ERROR,
        IrregularityCode.DRAWN_IN_ERROR_EXPOSED,
        IrregularityCode.CARD_DISCARDED,
        IrregularityCode.DEALER_DREW_ON_17,
        IrregularityCode.DEALER_MISSED_CARD,
        IrregularityCode.HAND_WITHOUT_CARDS,
        IrregularityCode.HAND_WITH_ONE_CARD,
        IrregularityCode.EXTRA_CARD,
        IrregularityCode.TEN_FOUND,
        IrregularityCode.SECOND_TEN_FOUND,
    )
)


def check_moves(ctx: Context, round_: Round) -> None:
    """633a.7(s) on a round: no card leaves a hand but for an irregularity that the shoe reported."""
    if not any(step[1] is not None and step[0].kind in _MOVES for step in round_.steps):
        return
    if any(record.values[0] in _REASONS for record in round_.irregularities):
        return
    where: dict[int, tuple[int, int, int]] = {}
    for record, drawn, role, box, hand in round_.steps:
        if drawn is None:
            continue
        before = where.get(drawn.record)
        where[drawn.record] = (role, box, hand)
        if before is None or before[0] not in _IN_HAND or before[1:] == (box, hand):
            continue
        if role == Role.DISCARDED and round_.chosen.get(before[1]):
            continue  # switch hands: the face-up cards of a position that played the others
        text = f"a card of {place(before[1])} was taken away and no irregularity says why."
        ctx.add(reg.MOVED, BREACH, (drawn.record, record.number), text, faces((drawn,)), round_)
