"""Cards that left a hand again: the records must say why, of each card by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.objection import Objection
from shoetool.model.cards import UNKNOWN, is_ten
from shoetool.model.protocol_table import IrregularityCode, Role
from shoetool.table.actions import DEALT_ROLES, SKIPS, CardPlaced, CardTurned, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round

_IN_ERROR: Final = (IrregularityCode.DRAWN_IN_ERROR, IrregularityCode.DRAWN_IN_ERROR_EXPOSED)
_DISCARDED: Final = (IrregularityCode.CARD_DISCARDED, IrregularityCode.DEALER_DREW_ON_17)
_PLACE_SKIPPED: Final = (IrregularityCode.DEALER_MISSED_CARD, *SKIPS)
_TENS: Final = (IrregularityCode.TEN_FOUND, IrregularityCode.SECOND_TEN_FOUND)


def moved_without_reason(spanish: bool, round_: Round) -> Iterator[Objection]:
    """633a.7(s) on a round: no card leaves a hand but for an irregularity that the shoe reported of that card."""
    if not any(placed.how for placed in round_.placed):
        return
    excuses = _Excuses(spanish, round_)
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
        if not excuses.cover(at, action):
            text = f"a card of {place(before[1])} was taken away and no irregularity says why."
            yield Objection(reg.MOVED, text, (drawn.record, record), (drawn,))


class _Excuses:
    """The irregularities of a round as reasons for moves: that of one card serves one move, beside which it stands."""

    def __init__(self, spanish: bool, round_: Round) -> None:
        self.spanish = spanish
        self.actions = round_.actions
        self.used: set[int] = set()

    def cover(self, at: int, move: CardPlaced) -> bool:
        """Whether an irregularity is the reason for the move of a card that action `at` is."""
        role = move.role
        if role != Role.DISCARDED:
            return self._skipped(at) or self._beside(at, _IN_ERROR if role == Role.HELD else ())
        return self._beside(at, _DISCARDED) or self._named(at, move.card) or self._skipped(at)

    def _beside(self, at: int, codes: tuple[IrregularityCode, ...]) -> bool:
        """A report of one card next to the move, before it or after it."""
        for near in (at - 1, at + 1):
            if 0 <= near < len(self.actions) and near not in self.used and self._code(near) in codes:
                self.used.add(near)
                return True
        return False

    def _skipped(self, at: int) -> bool:
        """A place that was skipped before: the cards behind it move up, one straight after the other."""
        near = next((near for near in reversed(range(at)) if not self._moves(near)), None)
        return near is not None and self._code(near) in _PLACE_SKIPPED

    def _named(self, at: int, drawn: DrawnCard) -> bool:
        """A report that names the face: a copy too many, a 10 in Spanish 21. When the batch was over it names none, and
        the card drawn last was taken out."""
        for near in range(len(self.actions)):
            code, face = self._report(near)
            if code == IrregularityCode.EXTRA_CARD and face == UNKNOWN and near < at and near not in self.used:
                self.used.add(near)
                return True
            if code == IrregularityCode.EXTRA_CARD and face == drawn.card:
                return True
            if code in _TENS and self.spanish and is_ten(drawn.card) and face == drawn.card:
                return True
        return False

    def _code(self, at: int) -> int:
        return self._report(at)[0]

    def _report(self, at: int) -> tuple[int, int]:
        action = self.actions[at]
        return (action.code, action.detail) if isinstance(action, Reported) else (-1, -1)

    def _moves(self, at: int) -> bool:
        action = self.actions[at]
        return isinstance(action, CardTurned) or (isinstance(action, CardPlaced) and action.how != 0)
