"""Cards against decks: copies, backs, unknown cards, 10s of Spanish 21, and the count of a finished side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Objection
from shoetool.judge.shoe import LastRound
from shoetool.model.cards import UNKNOWN, card_name, copies_per_deck, is_ten
from shoetool.model.naming import many
from shoetool.model.protocol_table import CountVerdict, IrregularityCode, Position, Role
from shoetool.table.actions import CountStarted, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.table.side import Side
from shoetool.table.table import Table

Report = Callable[[Table, list[int], DrawnCard | None, Reported | None], Objection]
"""Asked with the table, the records, and with the card and the shoe's report where they are known."""


class Reports:
    """Pairs cards and the shoe's reports of one irregularity. Both sides name the card by the same key."""

    def __init__(self, table: Table, report: Report) -> None:
        self._table = table
        self._report = report
        self._told: dict[Hashable, list[tuple[Reported, Round | None]]] = {}
        self._shown: Counter[Hashable] = Counter()

    def card(self, key: Hashable, drawn: DrawnCard, record: int) -> Objection:
        """Record `record` shows it: the objection is made here, with the report and its round if that came first."""
        waiting = self._told.get(key)
        if not waiting:
            self._shown[key] += 1
            return self._report(self._table, [drawn.record, record], drawn, None)
        told, round_ = waiting.pop(0)
        return self._report(self._table, [drawn.record, record, told.record], drawn, told)._replace(round=round_)

    def told(self, key: Hashable, report: Reported, round_: Round | None) -> None:
        """The shoe reports it: of a card that was there before, or of one that is still to come."""
        if self._shown[key]:
            self._shown[key] -= 1
        else:
            self._told.setdefault(key, []).append((report, round_))

    def flush(self, still_to_come: Container[Hashable] = ()) -> Iterator[Objection]:
        """The other cards will not come any more: the shoe's reports of them stand alone."""
        for key in [key for key in self._told if key not in still_to_come]:
            for told, round_ in self._told.pop(key):
                yield self._report(self._table, [told.record], None, told)._replace(round=round_)
        self._shown.clear()


_NO_HAND: Final = frozenset(
    int(role) for role in (Role.DISCARDED, Role.STOPPED, Role.HELD, Role.BURN, Role.COUNTED, Role.DETERMINANT_ASIDE)
)


class Inventory:
    """What came out of each side, card by card."""

    def __init__(self, table: Table, last_round: LastRound) -> None:
        self.table = table
        self.last_round = last_round
        self.extra = Reports(table, _extra)
        self.foreign = Reports(table, _foreign)
        self.unknown = Reports(table, _unknown)
        self.tens: list[tuple[DrawnCard | None, Reported | None]] = []
        self.tests: set[int] = set()
        """Sides whose count is a test deal of a known order."""

    def flush(self) -> Iterator[Objection]:
        """Reports that waited for a card; one that lies face down is still to be opened."""
        yield from self.extra.flush()
        yield from self.foreign.flush(self.table.face_down)
        yield from self.unknown.flush(self.table.face_down)

    def end(self) -> Iterator[Objection]:
        """The history ends: no card comes any more."""
        yield from self.flush()
        yield from self.foreign.flush()
        yield from self.unknown.flush()

    def extra_told(self, report: Reported) -> None:
        """The shoe's report of a card too many: it names the face, or none when the batch had no more cards."""
        head, face = report.head, report.detail
        if face == UNKNOWN and head < 2:
            side = self.table.sides[head]
            if side.drawn - side.loaded <= self._surplus(side):
                return  # the copies too many have their findings
        self.extra.told((head, face), report, self.table.round)

    def foreign_told(self, report: Reported) -> None:
        """The shoe's report of a card of another batch, whose record is the next one."""
        self.foreign.told(report.record + 1, report, self.table.round)

    def unknown_told(self, report: Reported) -> None:
        """The shoe's report of a card that was accepted unread, whose record is the one before."""
        self.unknown.told(report.record - 1, report, self.table.round)

    def card(self, drawn: DrawnCard, record: int) -> Iterable[Objection]:
        """Record `record` shows a card that came out face up, or one that was opened."""
        table = self.table
        card, head = drawn.card, drawn.head
        if card == UNKNOWN:
            return (self.unknown.card(drawn.record, drawn, record),)
        if head > 1:
            return ()
        if card >= 52 or drawn.batch != table.batches[head]:
            counted = card >= 52 and drawn.role == Role.COUNTED  # a test card or cover card is counted apart
            return () if counted else (self.foreign.card(drawn.record, drawn, record),)
        if table.sides[head].counts[card] > table.side_decks or (table.spanish and is_ten(card)):
            return self._too_many(drawn, record)
        return ()

    def _too_many(self, drawn: DrawnCard, record: int) -> Iterator[Objection]:
        if self.table.spanish and is_ten(drawn.card) and drawn.role != Role.COUNTED:
            for index, (card, told) in enumerate(self.tens):
                if card is None and told is not None and (told.head, told.detail) == (drawn.head, drawn.card):
                    self.tens[index] = (drawn, told)
                    return
            self.tens.append((drawn, None))
        elif not self.table.gap:  # a load may be among the records that are missing
            yield self.extra.card((drawn.head, drawn.card), drawn, record)

    def ten_told(self, report: Reported) -> None:
        """The shoe's report of a 10: of the one with this face that showed last."""
        for index, (card, told) in reversed(list(enumerate(self.tens))):
            if told is None and card is not None and (report.head, report.detail) == (card.head, card.card):
                self.tens[index] = (card, report)
                return
        self.tens.append((None, report))

    def settle_tens(self, round_: Round | None) -> Iterator[Objection]:
        """635a.13(b) at the end of a round (None: between rounds). A second 10 in one round retires the decks."""
        tens, self.tens = self.tens, []
        retired = None
        for index, (card, told) in enumerate(tens):
            records = [*([card.record] if card else []), *([told.record] if told else [])]
            shown = [card] if card is not None else []
            # One that lay face down is found only when it is turned.
            kept = card is not None and card.role not in _NO_HAND and not card.sealed
            name = card_name(card.card if card is not None else told.detail if told is not None else UNKNOWN)
            # Between rounds there is no second one of a round.
            first = index == 0 or (round_ is None and (told is None or told.code == IrregularityCode.TEN_FOUND))
            if first:
                where = f"and stayed with {place(card.box)}" if kept and card is not None else "and was taken out"
                verdict = BREACH if kept and not (round_ is not None and round_.void) else HANDLED
                yield Objection(reg.TEN_FOUND, f"a 10 ({name}) was found {where}.", records, shown, verdict=verdict)
                continue
            void = round_ is None or round_.void
            text = f"a further 10 ({name}) was found in the same round, which was {'voided' if void else 'not voided'}."
            yield Objection(reg.SECOND_TEN, text, records, shown, verdict=HANDLED if void else BREACH)
            retired = told
        if retired is not None:
            self.last_round.require(reg.SECOND_TEN, "a second 10 retired the decks", retired.record, retired.head & 1)

    # ------------------------------------------------------------------------------------------------ count
    def count_started(self, started: CountStarted) -> None:
        """A guided count or a test deal begins."""
        (self.tests.add if started.test else self.tests.discard)(started.side)

    def count(self, index: int) -> Iterator[Objection]:
        """633a.7(e)(1), (2): dealt and counted cards together are the batch. Called when no more of it can come."""
        table = self.table
        side = table.sides[index]
        where = table.side_name(index)
        counted, side.counted = side.counted, None
        if counted is None or table.gap:
            return
        clause = "633a.7(e)(2)" if table.double else None
        missing = self._missing(side)
        number = sum(missing.values())
        verdict, expected, seen = counted.values[1:4]
        if index in self.tests:
            self.tests.discard(index)
            if verdict != CountVerdict.COMPLETE:
                read = many(seen, "card")
                text = f"the test deal of {where} did not come out in the known order ({read} read)."
                yield Objection(reg.COUNT, text, (counted.number,), (), clause, CANNOT_TELL)
            return
        records = (side.load_record, counted.number)
        names = self._names(side, missing)
        hidden = side.refilled or number <= side.sealed + side.unknown
        if verdict == CountVerdict.OVER and 0 < seen - expected <= self._surplus(side) and hidden:
            return  # the cards that came out too often were named one by one, and none is missing
        if verdict != CountVerdict.COMPLETE:
            cards = many(seen, "card")
            text = f"the count of {where} gave {cards} where {expected} were expected{names}."
            if seen == expected:
                text = f"the count of {where} gave {cards}, but not those of a whole batch{names}."
            unseen = expected - seen
            open_ = 0 < number <= side.unknown + side.uncertain and 0 <= unseen <= side.uncertain
            if open_ and unseen:
                text = f"{text[:-1]}; {'it' if unseen == 1 else 'they'} may have come out while a head could not read."
            yield Objection(reg.COUNT, text, records, (), clause, CANNOT_TELL if open_ else BREACH)
        elif seen != expected:
            text = f"the count reported {where} as complete with {many(seen, 'card')} of {expected}."
            yield Objection(reg.COUNT, text, records, (), clause)
        elif not side.refilled and not side.sealed and number > side.unknown:
            short = f"{many(number, 'card')} {_be(number)} missing"
            text = f"the count gave {where} as complete; by its records {short}{names}."
            yield Objection(reg.COUNT, text, records, (), clause)

    def _surplus(self, side: Side) -> int:
        """Copies that came out beyond those of the decks."""
        return sum(max(0, came - _copies(self.table, card)) for card, came in enumerate(side.counts))

    def _missing(self, side: Side) -> dict[int, int]:
        short = {card: _copies(self.table, card) - came for card, came in enumerate(side.counts)}
        return {card: number for card, number in short.items() if number > 0}

    def _names(self, side: Side, missing: dict[int, int]) -> str:
        """Which cards are missing: only when every card of the side was shown, so no hidden one is given away."""
        if not missing or side.refilled:
            return ""
        if hidden := side.sealed + side.unknown:
            return (
                f"; it is not known which ones are missing: {many(hidden, 'card')} of that side {_be(hidden)} not known"
            )
        cards = (f"{short} × {card_name(card)}" if short > 1 else card_name(card) for card, short in missing.items())
        return "; missing: " + ", ".join(cards)


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _extra(table: Table, records: list[int], drawn: DrawnCard | None, told: Reported | None) -> Objection:
    if drawn is None:
        text = "the shoe reported more copies of a card than the decks hold."
        if told is not None and told.detail == UNKNOWN:
            text = f"more cards came out of {table.side_name(told.head)} than were loaded."
        return Objection(reg.COMPOSITION, text, records)
    copies = _copies(table, drawn.card)
    side = table.side_name(drawn.head)
    named = "1 copy" if copies == 1 else f"{copies} copies"
    text = f"{card_name(drawn.card)} came out of {side} once more than its decks have it ({named})."
    return Objection(reg.COMPOSITION, text, records, [drawn])


def _foreign(table: Table, records: list[int], drawn: DrawnCard | None, told: Reported | None) -> Objection:
    if drawn is None:
        where = table.side_name(told.head) if told is not None else "the shoe"
        return Objection(reg.BACKS, f"a card of another batch was in {where}.", records)
    side, want = table.side_name(drawn.head), table.batches[drawn.head]
    text = f"{card_name(drawn.card)} of batch {drawn.batch} came out of {side}, which holds batch {want}."
    return Objection(reg.BACKS, text, records, [drawn])


def _unknown(table: Table, records: list[int], drawn: DrawnCard | None, told: Reported | None) -> Objection:
    box = told.box if told is not None else drawn.box if drawn is not None else 15
    where = f"the card for {place(box)}" if box <= Position.COMMUNITY else "a card"
    text = f"{where} could not be read and was accepted as unknown; what depends on it cannot be checked."
    return Objection(reg.UNKNOWN_CARD, text, records, verdict=CANNOT_TELL)


def _copies(table: Table, card: int) -> int:
    """How often the decks of a side hold the card."""
    return table.side_decks * copies_per_deck(card, table.spanish)
