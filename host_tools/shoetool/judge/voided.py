"""What the shoe put right by itself, cards that lay face up in it, and why a round was voided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Objection
from shoetool.judge.refused import STOPPING
from shoetool.judge.shoe import LastRound
from shoetool.model.protocol_table import FAULTS, FaultCode, IrregularityCode
from shoetool.rules.games import game_of
from shoetool.table.actions import Faulted, Reported
from shoetool.table.round import Round
from shoetool.table.table import Table

BLANKS: Final = (IrregularityCode.FACE_UP_CARD, IrregularityCode.SECOND_FACE_UP_CARD)
_VOIDS: Final = (IrregularityCode.SECOND_FACE_UP_CARD, IrregularityCode.SECOND_TEN_FOUND)
_BEFORE_A_VOID: Final[dict[int, str]] = {
    IrregularityCode.FOREIGN_BATCH: "a card of another batch had come out",
    IrregularityCode.EXTRA_CARD: "a card had come out more often than the decks hold it",
    IrregularityCode.CARD_UNKNOWN: "a card had been accepted as unknown",
    IrregularityCode.FACE_UP_CARD: "a card had lain face up",
    IrregularityCode.WRONG_SIDE: "a card had come from the wrong side",
    IrregularityCode.DRAWN_IN_ERROR_EXPOSED: "a card drawn in error had been seen",
    IrregularityCode.MISSED_CARD: "a card had been missed",
    IrregularityCode.READER_WRONG_UP_CARD: "the card reader device had been used with a wrong up card",
}
_REPORTED_WITH: Final[dict[int, int]] = {
    FaultCode.FOREIGN_BATCH: IrregularityCode.FOREIGN_BATCH,
    FaultCode.EXTRA_CARD: IrregularityCode.EXTRA_CARD,
    **dict.fromkeys((FaultCode.UNREADABLE, FaultCode.DOUBLE_FEED, FaultCode.EDGES_LOST), IrregularityCode.CARD_UNKNOWN),
}
"""The report that tells of the same thing as a fault."""
_EMPTY: Final = ((-1, "after the last card of the batch had come out"), "633a.14(f) reshuffle")


class Voided:
    """Asked of cards that lay face up, and of each round that is over."""

    def __init__(self, table: Table, last_round: LastRound) -> None:
        self.table = table
        self.last_round = last_round

    def _second_voids(self) -> bool:
        return bool(game_of(self.table.game).clauses.second_face_up_card)

    def blank(self, report: Reported) -> Iterator[Objection]:
        """633a.14(a): it has no card record, so it was used by nobody."""
        round_ = self.table.round
        if round_ is not None and self._second_voids() and len(_blanks(round_)) > 1:
            return  # 635a.13(a) more, at the end of the round
        text = "a card lay face up in the shoe; it was set aside and the next card was used."
        yield Objection(reg.FACE_UP, text, (report.record,), verdict=HANDLED)

    def voided(self, round_: Round) -> Iterator[Objection]:
        """635a.13(a) and (b) more give reasons of their own; else what stopped the game then may be one."""
        told = {report.code: report.record for report in round_.irregularities}
        if not round_.void or any(code in told for code in _VOIDS):
            return
        stops = {code: record.number for code, record in self.table.faults.items() if code in STOPPING}
        records = [round_.record, round_.closed, *stops.values()]
        if FaultCode.READER in stops:
            text = "the round was voided while the card reader device had failed."
            yield Objection(reg.VOIDED, text, records, (), "633a.14(k)", HANDLED)
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
        yield Objection(reg.VOIDED, text, records, (), clause, CANNOT_TELL)

    def _before_the_void(self, round_: Round) -> list[tuple[int, str]]:
        """What happened in the round and may have been the reason: each with its record."""
        found: list[tuple[int, str]] = []
        told = {report.code for report in round_.irregularities}
        past = STOPPING.difference(self.table.faults)
        for action in round_.actions:
            if isinstance(action, Reported) and action.code in _BEFORE_A_VOID:
                found.append((action.record, f"after {_BEFORE_A_VOID[action.code]}"))
            elif isinstance(action, Faulted) and action.code in past and _REPORTED_WITH.get(action.code) not in told:
                means = str(FAULTS[action.code]["means"]).rstrip(".")
                found.append((action.record, f"after a fault had stopped the game ({means})"))
        return found + [_EMPTY[0] for side in self.table.sides if side.loaded and side.drawn >= side.loaded]

    def second_blank(self, round_: Round) -> Iterator[Objection]:
        """635a.13(a) more: the second face-up card in one round voids it, and the cards are reshuffled."""
        blanks = _blanks(round_)
        if not self._second_voids() or len(blanks) < 2:
            return
        records = [report.record for report in blanks]
        text = f"{len(blanks)} cards lay face up in one round, which was {'voided' if round_.void else 'not voided'}."
        verdict = HANDLED if round_.void else BREACH
        yield Objection(reg.SECOND_FACE_UP, text, [*records, round_.closed], verdict=verdict)
        side = blanks[1].head & 1
        self.last_round.require(reg.SECOND_FACE_UP, "a second card lay face up", blanks[1].record, side)


def _blanks(round_: Round) -> list[Reported]:
    return [report for report in round_.irregularities if report.code in BLANKS]


def plain(report: Reported) -> Iterator[Objection]:
    """What the shoe put right by itself."""
    check, text = PLAIN[report.code]
    yield Objection(check, text, (report.record,), verdict=HANDLED)


PLAIN: Final[dict[int, tuple[str, str]]] = {
    IrregularityCode.PULLED_BACK: (reg.PUSHED_BACK, "a card was pushed back into the shoe before it was fully drawn."),
    IrregularityCode.SEAT_CHANGED: (
        reg.SEATS,
        "positions were changed after the round had opened; the shoe refused it.",
    ),
}
