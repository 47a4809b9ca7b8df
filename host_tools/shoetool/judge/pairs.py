"""The shoe's reports of single cards, each with its own card: paired once for a round, and each used once."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import IrregularityCode, Role
from shoetool.table.actions import DRAWN, TURNED, CardPlaced, CardTurned, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

_DISCARDS: Final = frozenset((int(IrregularityCode.CARD_DISCARDED), int(IrregularityCode.DEALER_DREW_ON_17)))
_IN_ERROR: Final = frozenset((int(IrregularityCode.DRAWN_IN_ERROR), int(IrregularityCode.DRAWN_IN_ERROR_EXPOSED)))
_NAMED: Final = frozenset(
    int(code) for code in (IrregularityCode.EXTRA_CARD, IrregularityCode.TEN_FOUND, IrregularityCode.SECOND_TEN_FOUND)
)


class Pairs:
    """Which card a report of the round is about, and which move of a card a report explains."""

    def __init__(self, round_: Round) -> None:
        self._actions = round_.actions
        self._cards: dict[int, DrawnCard] = {}
        self._explained: set[int] = set()
        self._named: dict[int, int] = {}
        """The report that names a card, by the record that drew the card."""
        if round_.irregularities:
            # The shoe reports a discarded card just before it is laid down, and one drawn in error just after. Going
            # through the reports from the other end leaves no card over that a report stands beside.
            self._beside(_DISCARDS, Role.DISCARDED, 1)
            self._beside(_IN_ERROR, Role.HELD, -1)
            self._name()

    def card(self, report: Reported) -> DrawnCard | None:
        """The discarded card, or the one set aside, that the report is about."""
        return self._cards.get(report.record)

    def explains(self, move: CardPlaced) -> bool:
        """Whether a report of the card is the reason for the move."""
        return move.record in self._explained or 0 <= self._named.get(move.card.record, -1) < move.record

    def _beside(self, codes: frozenset[int], role: Role, way: int) -> None:
        """Pair reports with the cards next to them, first `way` (1: after the report) and then on its other side."""
        actions = self._actions
        for at in range(len(actions))[::-way]:
            report = actions[at]
            if not isinstance(report, Reported) or report.code not in codes:
                continue
            for near in (at + way, at - way):
                placed = actions[near] if 0 <= near < len(actions) else None
                if isinstance(placed, CardPlaced) and placed.role == role and placed.record not in self._explained:
                    self._explained.add(placed.record)
                    self._cards[report.record] = placed.card
                    break

    def _name(self) -> None:
        """A copy too many and a 10 of Spanish 21 are reported by face, of the card that showed it last. When the batch
        was over the report names none, and means the card drawn last."""
        for at, report in enumerate(self._actions):
            if not isinstance(report, Reported) or report.code not in _NAMED:
                continue
            for action in reversed(self._actions[:at]):
                if not isinstance(action, CardPlaced | CardTurned):
                    continue
                card = action.card
                if card.head != report.head or card.record in self._named:
                    continue
                drawn = isinstance(action, CardPlaced) and action.how == DRAWN
                if drawn if report.detail == UNKNOWN else card.card == report.detail and _shows(action):
                    self._named[card.record] = report.record
                    break


def _shows(action: CardPlaced | CardTurned) -> bool:
    """Whether the face of the card shows by this action."""
    return isinstance(action, CardTurned) or action.how == TURNED or not action.card.sealed
