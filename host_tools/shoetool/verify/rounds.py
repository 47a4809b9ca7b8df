"""Rounds as a row: their numbers, the ones that were voided, the second face-up card of Spanish 21."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.judge.refused import STOPPING
from shoetool.judge.shoe import LastRound
from shoetool.model.protocol_table import FAULTS, FaultCode, IrregularityCode
from shoetool.model.records import Record
from shoetool.table.actions import Faulted, Reported
from shoetool.table.round import Round
from shoetool.verify.context import Context

BLANKS: Final = (IrregularityCode.FACE_UP_CARD, IrregularityCode.SECOND_FACE_UP_CARD)
_VOIDS: Final = (IrregularityCode.SECOND_FACE_UP_CARD, IrregularityCode.SECOND_TEN_FOUND)
_WRAP: Final = 0x10000
_BEFORE_A_VOID: Final[dict[int, str]] = {
    IrregularityCode.FOREIGN_BATCH: "a card of another batch had come out",
    IrregularityCode.EXTRA_CARD: "a card had come out more often than the decks hold it",
    IrregularityCode.CARD_UNKNOWN: "a card had been accepted as unknown",
    IrregularityCode.READER_WRONG_UP_CARD: "the card reader device had been used with a wrong up card",
}
_REPORTED_WITH: Final[dict[int, int]] = {
    FaultCode.FOREIGN_BATCH: IrregularityCode.FOREIGN_BATCH,
    FaultCode.EXTRA_CARD: IrregularityCode.EXTRA_CARD,
    **dict.fromkeys((FaultCode.UNREADABLE, FaultCode.DOUBLE_FEED, FaultCode.EDGES_LOST), IrregularityCode.CARD_UNKNOWN),
}
"""The report that tells of the same thing as a fault."""
_EMPTY: Final = ((-1, "after the last card of the batch had come out"), "633a.14(f) reshuffle")


class RoundRow:
    """One shoe's rounds after the other."""

    def __init__(self, ctx: Context, last_round: LastRound) -> None:
        self.ctx = ctx
        self.last_round = last_round
        self._number = -1
        self._blanks = 0

    def shoe_opened(self) -> None:
        """The next round is number 1."""
        self._number = 0

    def opened(self, record: Record) -> None:
        """Round numbers run on within a shoe."""
        self._blanks = 0
        before, self._number = self._number, record.values[0]
        if before >= 0 and self._number != (before + 1) % _WRAP and not self.ctx.table.gap:
            text = f"round {self._number} follows round {before}; their numbers do not run on."
            self.ctx.add(reg.SEQUENCE, CANNOT_TELL, (record.number,), text)

    def blank(self, record: Record) -> None:
        """633a.14(a): it has no card record, so it was used by nobody."""
        self._blanks += 1
        if self.ctx.rules.clauses.second_face_up_card and self.ctx.table.round is not None and self._blanks > 1:
            return  # 635a.13(a) more, at the end of the round
        text = "a card lay face up in the shoe; it was set aside and the next card was used."
        self.ctx.add(reg.FACE_UP, HANDLED, (record.number,), text)

    def plain(self, record: Record) -> None:
        """What the shoe put right by itself."""
        check, text = PLAIN[record.values[0]]
        self.ctx.add(check, HANDLED, (record.number,), text)

    def voided(self, round_: Round) -> None:
        """635a.13(a) and (b) more give reasons of their own; else what stopped the game then may be one."""
        told = {report.code: report.record for report in round_.irregularities}
        if not round_.void or any(code in told for code in _VOIDS):
            return
        stops = {code: record.number for code, record in self.ctx.table.faults.items() if code in STOPPING}
        records = [round_.record, round_.closed, *stops.values()]
        if FaultCode.READER in stops:
            text = "the round was voided while the card reader device had failed."
            self.ctx.add(reg.VOIDED, HANDLED, records, text, (), round_, "633a.14(k)")
            return
        text = "the round was voided; the records do not show why."
        before = self._before_the_void(round_)
        clause = _EMPTY[1] if before == [_EMPTY[0]] else None
        if stops:
            means = [str(FAULTS[code]["means"]).rstrip(".") for code in stops]
            before.insert(0, (-1, f"while the game was stopped ({'; '.join(means)})"))
        if before:
            text = f"the round was voided {', '.join(dict.fromkeys(what for _, what in before))}."
            records += [record for record, _ in before]
        self.ctx.add(reg.VOIDED, CANNOT_TELL, records, text, (), round_, clause)

    def _before_the_void(self, round_: Round) -> list[tuple[int, str]]:
        """What happened in the round and may have been the reason: each with its record."""
        found: list[tuple[int, str]] = []
        told = {report.code for report in round_.irregularities}
        past = STOPPING - self.ctx.table.faults.keys()
        for action in round_.actions:
            if isinstance(action, Reported) and action.code in _BEFORE_A_VOID:
                found.append((action.record, f"after {_BEFORE_A_VOID[action.code]}"))
            elif isinstance(action, Faulted) and action.code in past and _REPORTED_WITH.get(action.code) not in told:
                means = str(FAULTS[action.code]["means"]).rstrip(".")
                found.append((action.record, f"after a fault had stopped the game ({means})"))
        for side in self.ctx.table.sides:
            if side.loaded and side.drawn >= side.loaded:
                found.append(_EMPTY[0])
        return found

    def second_blank(self, round_: Round) -> None:
        """635a.13(a) more: the second face-up card in one round voids it, and the cards are reshuffled."""
        blanks = [report for report in round_.irregularities if report.code in BLANKS]
        if not self.ctx.rules.clauses.second_face_up_card or len(blanks) < 2:
            return
        records = [report.record for report in blanks]
        text = f"{len(blanks)} cards lay face up in one round, which was {'voided' if round_.void else 'not voided'}."
        verdict = HANDLED if round_.void else BREACH
        self.ctx.add(reg.SECOND_FACE_UP, verdict, [*records, round_.closed], text, (), round_)
        side = blanks[1].head & 1
        self.last_round.require(reg.SECOND_FACE_UP, "a second card lay face up", blanks[1].record, side)


PLAIN: Final = {
    IrregularityCode.PULLED_BACK: (reg.PUSHED_BACK, "a card was pushed back into the shoe before it was fully drawn."),
    IrregularityCode.SEAT_CHANGED: (
        reg.SEATS,
        "positions were changed after the round had opened; the shoe refused it.",
    ),
}
