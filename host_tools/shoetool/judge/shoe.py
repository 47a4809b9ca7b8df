"""The shoe from load to load: full batch, burns, cover card, last round, which side is loaded again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Objection
from shoetool.judge.registry_variations import HAND_DECKS, ROUND_BURN
from shoetool.model.naming import many
from shoetool.model.protocol_table import Finish, Role
from shoetool.rules.games import Game, game_of
from shoetool.table import actions as act
from shoetool.table.round import Round
from shoetool.table.table import CONTINUOUS, Table

_LATER_LOAD: Final = 2 | 32
"""Continuous shuffler, and it was loaded before: both bits of the options in shoe_opened."""
_BURN_WITH_DOUBLE: Final = 4


class Burns:
    """633a.7(c): one card after each full batch and one by each new dealer, before the next round."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.owed: list[tuple[str, int]] = []
        self.told: list[int] = []

    def loaded(self, load: act.Loaded) -> None:
        """A full batch is in; refills during a round are another clause's."""
        table = self.table
        if not game_of(table.game).facts.burn_card:
            return  # reading 79
        if game_of(table.game).deal.burns:
            self.owed.append((ROUND_BURN, load.record))
        elif not table.double and table.options & _LATER_LOAD != _LATER_LOAD:
            self.owed.append((reg.BATCH_BURN, load.record))

    def round_closed(self, closed: act.RoundClosed) -> None:
        """633a.12(b)(5): from the hand the next round owes a burn card of its own."""
        if game_of(self.table.game).deal.burns and self.table.closed_round is not None:
            self.owed.append((ROUND_BURN, closed.record))

    def dealer_changed(self, change: act.DealerChanged) -> None:
        """One burn for each record: the count in it is the dealer's number."""
        table = self.table
        if game_of(table.game).deal.burns or not game_of(table.game).facts.burn_card:
            return  # reading 73: the card before each round is all that is burned; reading 79
        if not table.double or table.options & _BURN_WITH_DOUBLE:
            self.owed.append((reg.DEALER_BURN, change.record))

    def burned(self) -> None:
        """A card went to the rack between rounds: it settles the duty that came last."""
        if self.owed and self.table.round is None:
            self.owed.pop()

    def told_missing(self, report: act.Reported) -> None:
        """The shoe itself reported that a burn is owed, just before it opened the round."""
        if self.table.round is None:
            self.told.append(report.record)

    def round_opened(self, round_: Round) -> Iterator[Objection]:
        """Whatever is owed now is missing."""
        for check, origin in self.owed:
            what = "after a full batch was loaded" if check == reg.BATCH_BURN else "after a new dealer came"
            text = f"the round was opened and no card was burned {'before it' if check == ROUND_BURN else what}."
            yield Objection(check, text, (origin, *self.told, round_.record))
        if self.told and not self.owed:
            text = "the shoe reported a missing burn card; its records show that none was due."
            yield Objection(reg.UNEXPLAINED, text, tuple(self.told), verdict=CANNOT_TELL)
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

    def __init__(self, table: Table) -> None:
        self.table = table
        self.due: dict[int, Due] = {}

    def _now(self) -> int:
        """The open round may be finished; without one none may be opened."""
        round_ = self.table.round
        return -2 if round_ is None else round_.record

    def cover_card(self, cover: act.CoverCame) -> None:
        """It came: in a round that one is the last, before a round the next one."""
        side = cover.head
        if side not in self.due:
            round_ = self.table.round
            allowed = -1 if round_ is None else round_.record
            self.due[side] = Due(reg.LAST_ROUND, "the cover card came", [cover.record], allowed)

    def ordered(self, report: act.Reported) -> Iterator[Objection]:
        """The floorperson's order stands after the round at hand."""
        text = "the floorperson ordered a reshuffle; there was no further round before it."
        yield Objection(reg.ORDERED, text, (report.record,), verdict=HANDLED)
        self.require(reg.ORDERED, "the floorperson ordered a reshuffle", report.record, report.head & 1)

    def require(self, check: str, why: str, record: int, side: int) -> None:
        """No round any more before this side is loaded."""
        if side not in self.due:
            self.due[side] = Due(check, why, [record], self._now())

    def finished(self, finished: act.Finished) -> None:
        """The shoe says that the side is finished."""
        side, why, _, record = finished
        held = self.due.get(side)
        if held is None:
            check = reg.ORDERED if why == Finish.ORDERED else reg.LAST_ROUND
            self.due[side] = Due(check, "the side was finished", [record], self._now())
        else:
            held.records.append(record)
            held.allowed = self._now()

    def round_opened(self, round_: Round) -> Iterator[Objection]:
        """One more round is allowed after a cover card that came between rounds, and no other."""
        for due in self.due.values():
            if due.allowed == -1:
                due.allowed = round_.record
            else:
                yield _not_loaded(due, (round_.record,), f"the round was opened although {due.why} before")

    def drawn_while_finished(self, report: act.Reported) -> Iterator[Objection]:
        """The shoe's own report of cards that were drawn after its last round."""
        due = self.due.get(report.head) or next(iter(self.due.values()), None)
        if due is None:
            due = self.due[report.head] = Due(reg.LAST_ROUND, "the shoe was finished", [])
        drawn = self.table.face_down.get(report.record - 1)  # its record is the one before
        records = (report.record,) if drawn is None else (drawn.record, report.record)
        yield _not_loaded(due, records, f"a card was drawn although {due.why} and the last round was over")

    def loaded(self, load: act.Loaded | act.Refilled) -> None:
        """The side is fresh again: loaded, or refilled in a round with another cover card (633a.14(f))."""
        self.due.pop(load.side, None)


def _not_loaded(due: Due, records: tuple[int, ...], text: str) -> Objection:
    text += ", and the side was not shuffled and loaded since."
    return Objection(due.check, text, (*due.records, *records))


class Loads:
    """What is loaded, where the cover card was, and that only the finished side of a double shoe is loaded again."""

    def __init__(self, table: Table, last_round: LastRound) -> None:
        self.table = table
        self.last_round = last_round
        self.closed_why = -1
        self.was_due: frozenset[int] = frozenset()
        self.second_cover = -1
        """The last record of a further cover card: the shoe's report of the same one comes straight after it."""
        self.other_batch = -1
        """Record of the last cover card of another batch that has its finding."""
        self._played: set[int] = set()
        """Sides that a round was opened with since they were loaded, until it was asked where their cover card was."""

    @property
    def _rules(self) -> Game:
        return game_of(self.table.game)

    def shoe_closed(self, closed: act.ShoeClosed) -> None:
        """Remember why: at the end of the day everything is shuffled."""
        self.closed_why = closed.why

    def shoe_opened(self) -> Iterator[Objection]:
        """The house's set-up of the shoe."""
        table, rules = self.table, self._rules
        opened = (table.shoe_record,)
        self.was_due = frozenset(self.last_round.due)
        if rules.deal.from_the_hand and not rules.decks.allows(table.decks):
            text = f"the shoe was opened with {table.decks} decks to be dealt from the hand."
            yield Objection(HAND_DECKS, text, opened)
        if table.double and ("double" not in rules.deal.shoes or table.decks < 2 or table.decks % 2):
            text = f"a double shoe was opened with {table.decks} decks for game {table.game}."
            yield Objection(reg.DOUBLE_DECKS, text, opened)
        if table.spanish and not rules.decks.allows(table.decks):
            yield Objection(reg.SPANISH_DECKS, f"the shoe was opened with {table.decks} decks.", opened)

    def _follows(self) -> bool:
        """Whether the shoe before this one is known and was closed because a side was loaded."""
        table = self.table
        return table.shoes > 1 and self.closed_why in (Finish.COVER_CARD, Finish.ORDERED) and not table.gap

    def loaded(self, load: act.Loaded) -> Iterator[Objection]:
        """What was loaded, and whether it was due."""
        table = self.table
        side, cards, record = load
        self._played.discard(side)
        want = table.batch_size()
        if table.shoes and cards != want:
            text = f"{many(cards, 'card')} {'was' if cards == 1 else 'were'} loaded, a full batch has {want}."
            yield Objection(reg.FULL_BATCH, text, (record,))
        if not table.double:
            return
        before = table.previous_sides
        lay_there = before is None or side > 1 or bool(before[side].loaded)
        again = self._follows() and side not in self.was_due and lay_there
        drawn = side < 2 and table.sides[side].drawn_before
        if again or (drawn and side not in self.last_round.due):
            text = f"{table.side_name(side)} was shuffled and loaded although its cover card had not come."
            yield Objection(reg.ONLY_THAT_SIDE, text, (record,))

    def carried(self, carry: act.Carried) -> Iterator[Objection]:
        """What is carried over equals what had come out of that side; after a refill with the cards on the table."""
        table = self.table
        side = carry.side
        if side > 1 or not self._follows() or table.previous_sides is None:
            return
        before, now = table.previous_sides[side], table.sides[side]
        if before.refilled:
            return
        if before.sealed == 0 and (before.counts != now.counts or before.unknown != now.unknown):
            text = f"the counts carried over for side {'AB'[side]} are not those of the cards that had come out of it."
            yield Objection(reg.ONLY_THAT_SIDE, text, (carry.record,))

    def cover_card(self, cover: act.CoverCame) -> Iterator[Objection]:
        """633a.5(d) place and 633a.3(c) cover cards."""
        head, _, _, batch, record = cover
        table = self.table
        if head > 1:
            return
        side = table.sides[head]
        yield from self._of_other_batch(head, batch, (record,))
        round_ = table.round
        if round_ is not None and 0 <= round_.side != head:
            mine, others = "AB"[round_.side], "AB"[head]
            text = f"the cover card of side {others} was drawn in a round of side {mine}; it was set aside."
            yield Objection(reg.WRONG_SIDE, text, (round_.side_record, record), verdict=HANDLED)
        if side.cover_record != record:
            yield from self.second(cover)
            return
        if not side.loaded or table.gap or side.cover_behind < 0:
            return
        need = -(-side.loaded // 4)
        if side.cover_behind < need:
            verdict = CANNOT_TELL if side.cover_behind + side.uncertain >= need else BREACH
            text = f"{many(side.cover_behind, 'card')} lay behind the cover card; a quarter of {side.loaded} is {need}."
            yield Objection(reg.COVER_PLACE, text, (side.load_record, record), verdict=verdict)

    def _of_other_batch(self, head: int, batch: int, records: tuple[int, ...]) -> Iterator[Objection]:
        """633a.3(c) cover cards: each side has its own."""
        table = self.table
        if table.shoes and head < 2 and 0 < batch < 63 and batch != table.batches[head]:
            self.other_batch = records[-1]
            text = f"a cover card of batch {batch} came out of {table.side_name(head)}, which holds batch"
            check = reg.COVER_CARDS if table.double else reg.BACKS
            yield Objection(check, f"{text} {table.batches[head]}.", records)

    def second(self, told: act.CoverCame | act.Reported) -> Iterator[Objection]:
        """A further cover card, from its own record or from the shoe's report; the two are one finding."""
        table = self.table
        head, record = told.head, told.record
        first = table.sides[head].cover_record if head < 2 else -1
        if isinstance(told, act.CoverCame):
            self.second_cover = record
        elif self.second_cover == record - 1:
            return
        else:
            yield from self._of_other_batch(head, told.detail, (first, record))
        if self.other_batch == record:
            return
        if table.double:
            text = "a second cover card came out of the same side."
            yield Objection(reg.COVER_CARDS, text, (first, record))
        else:
            text = "a second cover card came out of the shoe; it is not known which of them marked the last round."
            yield Objection(reg.COVER_PLACE, text, (first, record), verdict=CANNOT_TELL)

    def side_over(self, index: int) -> Iterator[Objection]:
        """633a.5(d) place of a side from which no more cards come: under a quarter were left and its cover card had
        not come. A card that was not read may have been it."""
        table = self.table
        side = table.sides[index]
        if index not in self._played:
            return
        self._played.discard(index)
        need = -(-side.loaded // 4)
        left = side.loaded - side.drawn
        exempt = table.options & CONTINUOUS or self._rules.deal.from_the_hand or side.refilled or table.gap
        if exempt or side.cover_record >= 0 or left >= need:
            return
        where = table.side_name(index)
        text = f"the whole batch came out of {where}" if left <= 0 else f"{many(left, 'card')} were left in {where}"
        text += f" and no cover card had come; a quarter of {side.loaded} is {need}."
        if not side.loaded:
            text = f"no cover card came out of {where}; it is not known how many cards were loaded."
        verdict = CANNOT_TELL if side.unknown or side.uncertain or not side.loaded else BREACH
        last = max(side.finished, side.counted.number if side.counted is not None else -1)
        yield Objection(reg.COVER_PLACE, text, (side.load_record, last), verdict=verdict)

    def round_opened(self, round_: Round) -> Iterator[Objection]:
        """633a.2(a): no more positions than the layout may have."""
        table = self.table
        self._played.update((0, 1) if table.double else (0,))
        most = self._rules.facts.positions
        seats = round_.seats
        if seats >> most or bin(seats).count("1") > most:
            text = f"positions {round_.seat_list()} played; the layout may have {most}."
            yield Objection(reg.POSITIONS, text, (round_.record,))


BURN: Final = int(Role.BURN)
