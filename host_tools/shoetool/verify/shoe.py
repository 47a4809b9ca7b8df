"""The shoe from load to load: full batch, burns, cover card, last round, which side is loaded again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.judge.registry_variations import HAND_DECKS, ROUND_BURN
from shoetool.model.naming import many
from shoetool.model.protocol_table import Finish, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.round import Round
from shoetool.table.table import CONTINUOUS
from shoetool.verify.context import Context

_LATER_LOAD: Final = 2 | 32
"""Continuous shuffler, and it was loaded before: both bits of the options in shoe_opened."""
_BURN_WITH_DOUBLE: Final = 4


class Burns:
    """633a.7(c): one card after each full batch and one by each new dealer, before the next round."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.owed: list[tuple[str, int]] = []
        self.told: list[int] = []

    def loaded(self, record: Record) -> None:
        """A full batch is in; refills during a round are another clause's."""
        table = self.ctx.table
        if self.ctx.rules.deal.burns:
            self.owed.append((ROUND_BURN, record.number))
        elif not table.double and table.options & _LATER_LOAD != _LATER_LOAD:
            self.owed.append((reg.BATCH_BURN, record.number))

    def round_closed(self, round_: Round) -> None:
        """633a.12(b)(5): from the hand the next round owes a burn card of its own."""
        if self.ctx.rules.deal.burns:
            self.owed.append((ROUND_BURN, round_.last))

    def dealer_changed(self, record: Record) -> None:
        """One burn for each record: the count in it is the dealer's number."""
        table = self.ctx.table
        if self.ctx.rules.deal.burns:
            return  # reading 73: the card before each round is all that is burned
        if not table.double or table.options & _BURN_WITH_DOUBLE:
            self.owed.append((reg.DEALER_BURN, record.number))

    def burned(self) -> None:
        """A card went to the rack between rounds: it settles the duty that came last."""
        if self.owed and self.ctx.table.round is None:
            self.owed.pop()

    def told_missing(self, record: Record) -> None:
        """The shoe itself reported that a burn is owed, just before it opened the round."""
        if self.ctx.table.round is None:
            self.told.append(record.number)

    def round_opened(self, record: Record) -> None:
        """Whatever is owed now is missing."""
        for check, origin in self.owed:
            what = "after a full batch was loaded" if check == reg.BATCH_BURN else "after a new dealer came"
            text = f"the round was opened and no card was burned {'before it' if check == ROUND_BURN else what}."
            self.ctx.add(check, BREACH, (origin, *self.told, record.number), text)
        if self.told and not self.owed:
            text = "the shoe reported a missing burn card; its records show that none was due."
            self.ctx.add(reg.UNEXPLAINED, CANNOT_TELL, self.told, text)
        self.reset()

    def reset(self) -> None:
        """Nothing is known to be owed."""
        self.owed.clear()
        self.told.clear()


@dataclass(slots=True)
class Due:
    """Why a side must be shuffled and loaded before a further round, and which round is still allowed (its record)."""

    check: str
    why: str
    records: list[int] = field(default_factory=list)
    allowed: int = -1
    """Record of the round that may still be dealt; -1: the next one to be opened; -2: none."""


class LastRound:
    """633a.7(e), .5(f): after the last round nothing is dealt until the side is loaded."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.due: dict[int, Due] = {}

    def _now(self) -> int:
        """The open round may be finished; without one none may be opened."""
        round_ = self.ctx.table.round
        return -2 if round_ is None else round_.record

    def cover_card(self, record: Record) -> None:
        """It came: in a round that one is the last, before a round the next one."""
        side = record.values[0]
        if side not in self.due:
            round_ = self.ctx.table.round
            allowed = -1 if round_ is None else round_.record
            self.due[side] = Due(reg.LAST_ROUND, "the cover card came", [record.number], allowed)

    def ordered(self, record: Record) -> None:
        """The floorperson's order stands after the round at hand."""
        self.ctx.add(
            reg.ORDERED,
            HANDLED,
            (record.number,),
            "the floorperson ordered a reshuffle; there was no further round before it.",
        )
        self.require(reg.ORDERED, "the floorperson ordered a reshuffle", record.number, record.values[3] & 1)

    def require(self, check: str, why: str, record: int, side: int) -> None:
        """No round any more before this side is loaded."""
        if side not in self.due:
            self.due[side] = Due(check, why, [record], self._now())

    def finished(self, record: Record) -> None:
        """The shoe says that the side is finished."""
        side, why, _ = record.values
        held = self.due.get(side)
        if held is None:
            check = reg.ORDERED if why == Finish.ORDERED else reg.LAST_ROUND
            self.due[side] = Due(check, "the side was finished", [record.number], self._now())
        else:
            held.records.append(record.number)
            held.allowed = self._now()

    def round_opened(self, record: Record) -> None:
        """One more round is allowed after a cover card that came between rounds, and no other."""
        for due in self.due.values():
            if due.allowed == -1:
                due.allowed = record.number
            else:
                self._breach(due, (record.number,), f"the round was opened although {due.why} before")

    def drawn_while_finished(self, record: Record) -> None:
        """The shoe's own report of cards that were drawn after its last round."""
        due = self.due.get(record.values[3]) or next(iter(self.due.values()), None)
        if due is None:
            due = self.due[record.values[3]] = Due(reg.LAST_ROUND, "the shoe was finished", [])
        drawn = self.ctx.table.face_down.get(record.number - 1)  # its record is the one before
        records = (record.number,) if drawn is None else (drawn.record, record.number)
        self._breach(due, records, f"a card was drawn although {due.why} and the last round was over")

    def _breach(self, due: Due, records: tuple[int, ...], text: str) -> None:
        text += ", and the side was not shuffled and loaded since."
        self.ctx.add(due.check, BREACH, (*due.records, *records), text)

    def loaded(self, record: Record) -> None:
        """The side is fresh again: loaded, or refilled in a round with another cover card (633a.14(f))."""
        self.due.pop(record.values[0], None)


class Loads:
    """What is loaded, where the cover card was, and that only the finished side of a double shoe is loaded again."""

    def __init__(self, ctx: Context, last_round: LastRound) -> None:
        self.ctx = ctx
        self.last_round = last_round
        self.closed_why = -1
        self.was_due: frozenset[int] = frozenset()
        self.second_cover = -1
        """The last record of a further cover card: the shoe's report of the same one comes straight after it."""
        self.other_batch = -1
        """Record of the last cover card of another batch that has its finding."""
        self._played: set[int] = set()
        """Sides that a round was opened with since they were loaded, until it was asked where their cover card was."""

    def shoe_closed(self, record: Record) -> None:
        """Remember why: at the end of the day everything is shuffled."""
        self.closed_why = record.values[0]

    def shoe_opened(self, record: Record) -> None:
        """The house's set-up of the shoe."""
        table, rules = self.ctx.table, self.ctx.rules
        self.was_due = frozenset(self.last_round.due)
        if rules.deal.from_the_hand and not rules.decks.allows(table.decks):
            text = f"the shoe was opened with {table.decks} decks to be dealt from the hand."
            self.ctx.add(HAND_DECKS, BREACH, (record.number,), text)
        if table.double and ("double" not in rules.deal.shoes or table.decks < 2 or table.decks % 2):
            text = f"a double shoe was opened with {table.decks} decks for game {table.game}."
            self.ctx.add(reg.DOUBLE_DECKS, BREACH, (record.number,), text)
        if table.spanish and not rules.decks.allows(table.decks):
            self.ctx.add(reg.SPANISH_DECKS, BREACH, (record.number,), f"the shoe was opened with {table.decks} decks.")

    def _follows(self) -> bool:
        """Whether the shoe before this one is known and was closed because a side was loaded."""
        table = self.ctx.table
        return table.shoes > 1 and self.closed_why in (Finish.COVER_CARD, Finish.ORDERED) and not self.ctx.tainted

    def loaded(self, record: Record, drawn_before: int) -> None:
        """`drawn_before`: cards that had come out of this side in the same history before it was loaded again."""
        table = self.ctx.table
        self._played.discard(record.values[0])
        side, cards = record.values
        want = table.batch_size()
        if table.shoes and cards != want:
            text = f"{many(cards, 'card')} {'was' if cards == 1 else 'were'} loaded, a full batch has {want}."
            self.ctx.add(reg.FULL_BATCH, BREACH, (record.number,), text)
        if not table.double:
            return
        before = table.previous_sides
        lay_there = before is None or side > 1 or bool(before[side].loaded)
        again = self._follows() and side not in self.was_due and lay_there
        if again or (drawn_before and side not in self.last_round.due):
            text = f"{self.ctx.side(side & 1)} was shuffled and loaded although its cover card had not come."
            self.ctx.add(reg.ONLY_THAT_SIDE, BREACH, (record.number,), text)

    def carried(self, record: Record) -> None:
        """What is carried over equals what had come out of that side; after a refill with the cards on the table."""
        table = self.ctx.table
        side = record.values[0]
        if side > 1 or not self._follows() or table.previous_sides is None:
            return
        before, now = table.previous_sides[side], table.sides[side]
        if before.refilled:
            return
        if before.sealed == 0 and (before.counts != now.counts or before.unknown != now.unknown):
            text = f"the counts carried over for side {'AB'[side]} are not those of the cards that had come out of it."
            self.ctx.add(reg.ONLY_THAT_SIDE, BREACH, (record.number,), text)

    def cover_card(self, record: Record) -> None:
        """633a.5(d) place and 633a.3(c) cover cards."""
        head, _, _, batch = record.values
        table = self.ctx.table
        if head > 1:
            return
        side = table.sides[head]
        if table.double and 0 < batch < 63 and batch != table.batches[head]:
            text = f"a cover card of batch {batch} came out of side {'AB'[head]}."
            self.ctx.add(reg.COVER_CARDS, BREACH, (record.number,), text)
            self.other_batch = record.number
        round_ = table.round
        if round_ is not None and 0 <= round_.side != head:
            mine, others = "AB"[round_.side], "AB"[head]
            text = f"the cover card of side {others} was drawn in a round of side {mine}; it was set aside."
            self.ctx.add(reg.WRONG_SIDE, HANDLED, (round_.side_record, record.number), text)
        if side.cover_record != record.number:
            self.second(record)
            return
        if not side.loaded or self.ctx.tainted or side.cover_behind < 0:
            return
        need = -(-side.loaded // 4)
        if side.cover_behind < need:
            verdict = CANNOT_TELL if side.cover_behind + side.uncertain >= need else BREACH
            text = f"{many(side.cover_behind, 'card')} lay behind the cover card; a quarter of {side.loaded} is {need}."
            self.ctx.add(reg.COVER_PLACE, verdict, (side.load_record, record.number), text)

    def second(self, record: Record) -> None:
        """A further cover card, from its own record or from the shoe's report; the two are one finding."""
        table = self.ctx.table
        if record.kind == RecordKind.IRREGULARITY:
            if self.second_cover == record.number - 1:
                return
            head = record.values[3]
        else:
            self.second_cover = record.number
            head = record.values[0]
        first = table.sides[head].cover_record if head < 2 else -1
        if table.double:
            text = "a second cover card came out of the same side."
            self.ctx.add(reg.COVER_CARDS, BREACH, (first, record.number), text)
        else:
            text = "a second cover card came out of the shoe; it is not known which of them marked the last round."
            self.ctx.add(reg.COVER_PLACE, CANNOT_TELL, (first, record.number), text)

    def side_over(self, index: int) -> None:
        """633a.5(d) place of a side from which no more cards come: under a quarter were left and its cover card had
        not come. A card that was not read may have been it."""
        table = self.ctx.table
        side = table.sides[index]
        if index not in self._played:
            return
        self._played.discard(index)
        need = -(-side.loaded // 4)
        left = side.loaded - side.drawn
        exempt = table.options & CONTINUOUS or self.ctx.rules.deal.from_the_hand or side.refilled or self.ctx.tainted
        if exempt or side.cover_record >= 0 or left >= need:
            return
        where = self.ctx.side(index)
        text = f"the whole batch came out of {where}" if left <= 0 else f"{many(left, 'card')} were left in {where}"
        text += f" and no cover card had come; a quarter of {side.loaded} is {need}."
        if not side.loaded:
            text = f"no cover card came out of {where}; it is not known how many cards were loaded."
        verdict = CANNOT_TELL if side.unknown or side.uncertain or not side.loaded else BREACH
        last = max(side.finished, side.counted.number if side.counted is not None else -1)
        self.ctx.add(reg.COVER_PLACE, verdict, (side.load_record, last), text)

    def round_opened(self, record: Record) -> None:
        """633a.2(a): no more positions than the layout may have."""
        table = self.ctx.table
        self._played.update((0, 1) if table.double else (0,))
        most = self.ctx.rules.facts.positions
        seats = record.values[1]
        if seats >> most or bin(seats).count("1") > most:
            text = f"positions {table.round.seat_list() if table.round else ''} played; the layout may have {most}."
            self.ctx.add(reg.POSITIONS, BREACH, (record.number,), text)


BURN: Final = int(Role.BURN)
