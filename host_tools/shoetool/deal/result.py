"""The frozen round that play ends with."""

from __future__ import annotations

from shoetool.deal.state import PlayState
from shoetool.rules.round import Box, Hand, TableRound


def table_round(state: PlayState, discarded: tuple[int, ...]) -> TableRound:
    """The `TableRound` of a state whose dealer has finished."""
    boxes = []
    for box in state.boxes:
        hands = []
        for number, hand in enumerate(box.hands, 1):
            hands.append(
                Hand(
                    number,
                    tuple(hand.cards),
                    hand.stake,
                    hand.lammer,
                    hand.double,
                    hand.free_double,
                    hand.from_split,
                    hand.end,  # type: ignore[arg-type]
                    hand.switched,
                )
            )
        boxes.append(
            Box(
                box.position,
                box.wager,
                box.initial,
                tuple(hands),
                box.insurance,
                box.even_money,
                box.side,
                box.pressed,
                box.player or "",
            )
        )
    return TableRound(
        state.table.submission.game,
        state.table.submission.decks,
        tuple(boxes),
        tuple(state.dealer),
        state.revealed,
        state.reader,  # type: ignore[arg-type]
        discarded,
        void=state.void,
    )
