"""Cards against decks: copies, backs, unknown cards, 10s of Spanish 21, and the count of a finished side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.model.cards import UNKNOWN, card_name, copies_per_deck, is_ten
from shoetool.model.naming import many
from shoetool.model.protocol_table import CountVerdict, IrregularityCode, Role
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.table.side import Side
from shoetool.verify.context import Context

Report = Callable[[list[int], DrawnCard | None, Record | None, Round | None], None]
"""Called with the records, the card and the shoe's report where they are known, and the round of the report."""


class Reports:
    """Pairs cards and the shoe's reports of one irregularity. Both sides name the card by the same key."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told: dict[Hashable, list[tuple[Record, Round | None]]] = {}
        self._shown: Counter[Hashable] = Counter()

    def card(self, key: Hashable, drawn: DrawnCard, record: int) -> None:
        """Record `record` shows it: the finding is made here, with the report if that came first."""
        waiting = self._told.get(key)
        if not waiting:
            self._shown[key] += 1
            self._report([drawn.record, record], drawn, None, None)
            return
        told, round_ = waiting.pop(0)
        self._report([drawn.record, record, told.number], drawn, told, round_)

    def told(self, key: Hashable, record: Record, round_: Round | None) -> None:
        """The shoe reports it: of a card that was there before, or of one that is still to come."""
        if self._shown[key]:
            self._shown[key] -= 1
        else:
            self._told.setdefault(key, []).append((record, round_))

    def flush(self, still_to_come: Container[Hashable] = ()) -> None:
        """The other cards will not come any more: the shoe's reports of them stand alone."""
        for key in [key for key in self._told if key not in still_to_come]:
            for told, round_ in self._told.pop(key):
                self._report([told.number], None, told, round_)
        self._shown.clear()


_NO_HAND: Final = frozenset(
    int(role) for role in (Role.DISCARDED, Role.STOPPED, Role.HELD, Role.BURN, Role.COUNTED, Role.DETERMINANT_ASIDE)
)


class Inventory:
    """What came out of each side, card by card."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.extra = Reports(self._extra)
        self.foreign = Reports(self._foreign)
        self.unknown = Reports(self._unknown)
        self.tens: list[tuple[DrawnCard | None, Record | None]] = []
        self.tests: set[int] = set()
        """Sides whose count is a test deal of a known order."""

    def flush(self) -> None:
        """Findings that waited for a card; one that lies face down is still to be opened."""
        self.extra.flush()
        self.foreign.flush(self.ctx.table.face_down)
        self.unknown.flush(self.ctx.table.face_down)

    def end(self) -> None:
        """The history ends: no card comes any more."""
        self.flush()
        self.foreign.flush()
        self.unknown.flush()

    def extra_told(self, record: Record) -> None:
        """The shoe's report of a card too many: it names the face, or none when the batch had no more cards."""
        head, face = record.values[3:5]
        if face == UNKNOWN and head < 2:
            side = self.ctx.table.sides[head]
            if side.drawn - side.loaded <= self._surplus(side):
                return  # the copies too many have their findings
        self.extra.told((head, face), record, self.ctx.table.round)

    def foreign_told(self, record: Record) -> None:
        """The shoe's report of a card of another batch, whose record is the next one."""
        self.foreign.told(record.number + 1, record, self.ctx.table.round)

    def unknown_told(self, record: Record) -> None:
        """The shoe's report of a card that was accepted unread, whose record is the one before."""
        self.unknown.told(record.number - 1, record, self.ctx.table.round)

    def card(self, record: Record) -> None:
        """A card that came out face up, or one that was opened: called for every one of them."""
        table = self.ctx.table
        drawn = table.card
        if drawn is None:
            return
        card, head = drawn.card, drawn.head
        if card >= 52 or head > 1:
            if card == UNKNOWN:
                self.unknown.card(drawn.record, drawn, record.number)
            elif head < 2 and drawn.role != Role.COUNTED:
                self.foreign.card(drawn.record, drawn, record.number)  # a test card or cover card where cards lie
            return
        if drawn.batch != table.batches[head]:
            self.foreign.card(drawn.record, drawn, record.number)
        elif table.sides[head].counts[card] > table.side_decks or (table.spanish and is_ten(card)):
            self._too_many(drawn, record)

    def _too_many(self, drawn: DrawnCard, record: Record) -> None:
        if self.ctx.table.spanish and is_ten(drawn.card) and drawn.role != Role.COUNTED:
            for index, (card, told) in enumerate(self.tens):
                if card is None and told is not None and told.values[3:5] == (drawn.head, drawn.card):
                    self.tens[index] = (drawn, told)
                    return
            self.tens.append((drawn, None))
        elif not self.ctx.tainted:  # a load may be among the records that are missing
            self.extra.card((drawn.head, drawn.card), drawn, record.number)

    def ten_told(self, record: Record) -> None:
        """The shoe's report of a 10: of the one with this face that showed last."""
        for index, (card, told) in reversed(list(enumerate(self.tens))):
            if told is None and card is not None and record.values[3:5] == (card.head, card.card):
                self.tens[index] = (card, record)
                return
        self.tens.append((None, record))

    def settle_tens(self, round_: Round | None) -> Record | None:
        """635a.13(b) at the end of a round (None: between rounds); the record that retires the decks, if any."""
        tens, self.tens = self.tens, []
        retired = None
        for index, (card, told) in enumerate(tens):
            records = [*([card.record] if card else []), *([told.number] if told else [])]
            shown = [card.card] if card is not None else []
            # One that lay face down is found only when it is turned.
            kept = card is not None and card.role not in _NO_HAND and not card.sealed
            name = card_name(card.card if card is not None else told.values[4] if told is not None else UNKNOWN)
            # Between rounds there is no second one of a round.
            first = index == 0 or (round_ is None and (told is None or told.values[0] == IrregularityCode.TEN_FOUND))
            if first:
                where = f"and stayed with {place(card.box)}" if kept and card is not None else "and was taken out"
                verdict = BREACH if kept and not (round_ is not None and round_.void) else HANDLED
                self.ctx.add(reg.TEN_FOUND, verdict, records, f"a 10 ({name}) was found {where}.", shown, round_)
                continue
            void = round_ is None or round_.void
            text = f"a further 10 ({name}) was found in the same round, which was {'voided' if void else 'not voided'}."
            self.ctx.add(reg.SECOND_TEN, HANDLED if void else BREACH, records, text, shown, round_)
            retired = told
        return retired

    def _extra(self, records: list[int], drawn: DrawnCard | None, told: Record | None, round_: Round | None) -> None:
        table = self.ctx.table
        if drawn is None:
            text = "the shoe reported more copies of a card than the decks hold."
            if told is not None and told.values[4] == UNKNOWN:
                text = f"more cards came out of {self.ctx.side(told.values[3])} than were loaded."
            self.ctx.add(reg.COMPOSITION, BREACH, records, text, (), round_)
            return
        copies = table.side_decks * copies_per_deck(drawn.card, table.spanish)
        side = self.ctx.side(drawn.head)
        named = "1 copy" if copies == 1 else f"{copies} copies"
        text = f"{card_name(drawn.card)} came out of {side} once more than its decks have it ({named})."
        self.ctx.add(reg.COMPOSITION, BREACH, records, text, [drawn.card], round_)

    def _foreign(self, records: list[int], drawn: DrawnCard | None, told: Record | None, round_: Round | None) -> None:
        if drawn is None:
            side = self.ctx.side(told.values[3]) if told is not None else "the shoe"
            self.ctx.add(reg.BACKS, BREACH, records, f"a card of another batch was in {side}.", (), round_)
            return
        want = self.ctx.table.batches[drawn.head]
        text = (
            f"{card_name(drawn.card)} of batch {drawn.batch} came out of {self.ctx.side(drawn.head)}, "
            f"which holds batch {want}."
        )
        self.ctx.add(reg.BACKS, BREACH, records, text, [drawn.card], round_)

    def _unknown(self, records: list[int], drawn: DrawnCard | None, told: Record | None, round_: Round | None) -> None:
        box = told.values[1] if told is not None else drawn.box if drawn is not None else 15
        where = f"the card for {place(box)}" if box < 9 else "a card"
        text = f"{where} could not be read and was accepted as unknown; what depends on it cannot be checked."
        self.ctx.add(reg.UNKNOWN_CARD, CANNOT_TELL, records, text, (), round_)

    # ------------------------------------------------------------------------------------------------ count
    def count_started(self, record: Record) -> None:
        """A guided count or a test deal begins."""
        side, test = record.values
        (self.tests.add if test else self.tests.discard)(side)

    def count(self, index: int) -> None:
        """633a.7(e)(1), (2): dealt and counted cards together are the batch. Called when no more of it can come."""
        table = self.ctx.table
        side = table.sides[index]
        counted, side.counted = side.counted, None
        if counted is None or self.ctx.tainted:
            return
        clause = "633a.7(e)(2)" if table.double else None
        missing = self._missing(side)
        number = sum(missing.values())
        verdict, expected, seen = counted.values[1:4]
        if index in self.tests:
            self.tests.discard(index)
            if verdict != CountVerdict.COMPLETE:
                read = many(seen, "card")
                text = f"the test deal of {self.ctx.side(index)} did not come out in the known order ({read} read)."
                self.ctx.add(reg.COUNT, CANNOT_TELL, (counted.number,), text, (), None, clause)
            return
        records = (side.load_record, counted.number)
        names = self._names(side, missing)
        hidden = side.refilled or number <= side.sealed + side.unknown
        if verdict == CountVerdict.OVER and 0 < seen - expected <= self._surplus(side) and hidden:
            return  # the cards that came out too often were named one by one, and none is missing
        if verdict != CountVerdict.COMPLETE:
            cards = many(seen, "card")
            text = f"the count of {self.ctx.side(index)} gave {cards} where {expected} were expected{names}."
            if seen == expected:
                text = f"the count of {self.ctx.side(index)} gave {cards}, but not those of a whole batch{names}."
            open_ = 0 < number <= side.unknown and seen == expected
            self.ctx.add(reg.COUNT, CANNOT_TELL if open_ else BREACH, records, text, (), None, clause)
        elif seen != expected:
            text = f"the count reported {self.ctx.side(index)} as complete with {many(seen, 'card')} of {expected}."
            self.ctx.add(reg.COUNT, BREACH, records, text, (), None, clause)
        elif not side.refilled and not side.sealed and number > side.unknown:
            text = f"the count gave {self.ctx.side(index)} as complete; by its records {_missing(number)}{names}."
            self.ctx.add(reg.COUNT, BREACH, records, text, (), None, clause)

    def _surplus(self, side: Side) -> int:
        """Copies that came out beyond those of the decks."""
        table = self.ctx.table
        copies = (table.side_decks * copies_per_deck(card, table.spanish) for card in range(52))
        return sum(max(0, came - most) for came, most in zip(side.counts, copies, strict=True))

    def _missing(self, side: Side) -> dict[int, int]:
        table = self.ctx.table
        decks = table.side_decks
        return {
            card: short
            for card in range(52)
            if (short := decks * copies_per_deck(card, table.spanish) - side.counts[card]) > 0
        }

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


def _missing(number: int) -> str:
    return f"{many(number, 'card')} {_be(number)} missing"


def _be(number: int) -> str:
    return "is" if number == 1 else "are"
