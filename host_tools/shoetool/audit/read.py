"""Read one history into its summary: the work of a worker. It writes nothing and knows no other file."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from shoetool.audit.chances import look, seen_of, settle_plays
from shoetool.audit.cuts import read_cuts
from shoetool.audit.dealer_poker import settle_poker
from shoetool.audit.dealer_suits import settle_suits
from shoetool.audit.deck import UNREAD, Deck
from shoetool.audit.told import Array, Dealt, Load, Told, Wanted
from shoetool.casino.judged import Asked, Worker
from shoetool.model.cards import UNKNOWN
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import FaultCode, IrregularityCode, Phase, Position, RecordKind, Role
from shoetool.model.records import Record
from shoetool.rules.games import Game, game_of_shoe
from shoetool.table.card import DrawnCard
from shoetool.table.inventory import is_of_batch
from shoetool.table.stream import Stream
from shoetool.table.table import CONTINUOUS, Table
from shoetool.verify.timed_reader import TimedReader

_OF_HEADS: Final = (
    *(FaultCode.UNREADABLE, FaultCode.DOUBLE_FEED, FaultCode.HEAD_DIRTY),
    *(FaultCode.HEAD_STUCK, FaultCode.HEAD_SATURATED, FaultCode.EDGES_LOST),
)
_UNCOUNTED: Final = _OF_HEADS[1:]
_BLANKS: Final = (IrregularityCode.FACE_UP_CARD, IrregularityCode.SECOND_FACE_UP_CARD)
TWO_SIDES: Final = "which side of a double shoe comes to its cover card depends on the cards"
"""Low cards use up a side sooner. Batches that came to their end would show more of them than chance gives."""
NOTHING_MORE: Final = Wanted()
_PLACELESS: Final = (Phase.EMPTY, Phase.COUNTING, Phase.TESTING)


class _Batch:
    """A batch while its cards come out."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.cards: list[DrawnCard | None] = []
        self.over = False
        self.counting = False
        self.round_at = 0
        self.round_seen: Array | None = None

    def no_order(self, why: str) -> None:
        """From here on the places of its cards are not known."""
        self.load.why_not = self.load.why_not or why

    def done(self) -> Load:
        """The summary."""
        load = self.load
        load.faces = bytes(UNREAD if card is None or not card.known else card.card for card in self.cards)
        load.unopened = sum(card is not None and card.face is None for card in self.cards)
        if len(load.faces) > load.deck.size:
            self.no_order("more cards came out than were loaded")
        if load.why_not:
            load.fixed = 0
        elif not load.fixed:
            load.why_not = "no cover card came, and the batch was not counted"
        return load


class _Reading:
    def __init__(self, told: Told) -> None:
        self.told = told
        self.stream = Stream()
        self.batches: list[_Batch | None] = [None, None]
        self.game: Game | None = None
        self.shoe = 0
        self.tables: dict[int, None] = {}

    def feed(self, record: Record) -> None:
        """Take one record."""
        kind, values = record.kind, record.values
        table = self.stream.feed(record)
        if kind in (RecordKind.CARD, RecordKind.SEALED):
            self._card(table)
        elif kind == RecordKind.SHOE_OPENED:
            self._end_all()
            self.game = game_of_shoe(table.game)
            self.tables[table.number] = None
        elif kind == RecordKind.LOADED:
            self._loaded(table, *values)
        elif kind == RecordKind.CARRIED and values[0] < 2:
            self._loaded(table, values[0], table.batch_size())
            self._not_once(values[0], "it was carried over from the shoe before")
        elif kind == RecordKind.ROUND_OPENED:
            self._round_opened()
        elif kind == RecordKind.COVER_CARD:
            self._cover(table, values)
        elif kind == RecordKind.COUNT_STARTED and values[0] < 2:
            self._count_started(*values)
        elif kind == RecordKind.COUNTED and values[0] < 2:
            self._counted(values[0])
        elif kind == RecordKind.IRREGULARITY:
            self._irregularity(table, values)
        elif kind == RecordKind.FAULT:
            self._fault(table, values)
        elif kind == RecordKind.CLEARED and values[0] in _OF_HEADS:
            self.told.heads[-1, 0, "cleared"] += 1
        elif kind == RecordKind.REFILLED:
            self._not_once(values[0], "it was refilled")
        elif kind == RecordKind.MOVED and values[1] == Role.DISCARDED and values[2] == Position.NONE:
            for head in (0, 1):
                self._no_order(head, "a card was taken out of it for good")
        elif kind == RecordKind.SHOE_CLOSED:
            self._end_all()
        if table.closed_round is not None:
            self._round_closed(table)

    def end(self) -> None:
        """The history ends."""
        self._end_all()
        self.told.tables = tuple(self.tables)

    # ------------------------------------------------------------------------------------------------ the cards
    def _loaded(self, table: Table, side: int, cards: int) -> None:
        if side > 1:
            return
        self._end(side)
        deck = Deck(max(table.side_decks, 1), table.spanish)
        one = _Batch(Load(self.shoe, side, table.batches[side], deck))
        self.batches[side] = one
        one.load.not_once = self.game is None or bool(table.options & CONTINUOUS)
        if self.game is None:
            one.no_order("its game is not known")
        elif cards != deck.size:
            one.no_order("it was loaded with another number of cards than its decks have")
        elif table.options & CONTINUOUS:
            one.no_order("its shuffler is a continuous one")
        elif table.double:
            one.no_order(TWO_SIDES)

    def _card(self, table: Table) -> None:
        drawn = table.card
        if drawn is None or drawn.head > 1:
            return
        batch = table.batches[drawn.head]
        self.told.heads[drawn.head, batch, "cards"] += 1
        if drawn.card == UNKNOWN:
            self.told.heads[drawn.head, batch, "unread"] += 1
        one = self.batches[drawn.head]
        if one is None or one.over or (52 <= drawn.card < UNKNOWN):
            return
        if drawn.sealed or drawn.card == UNKNOWN:
            if drawn.batch or not drawn.sealed:  # a sealed card of another batch has none yet
                one.cards.append(drawn)
        elif is_of_batch(table, drawn.card, drawn.batch, drawn.head):
            one.cards.append(drawn)
        elif drawn.batch == batch:
            one.load.strangers += 1

    def _cover(self, table: Table, values: Any) -> None:
        head, phase = values[0], values[1]
        one = self.batches[head] if head < 2 else None
        if one is None or one.over or one.load.fixed or phase in _PLACELESS:
            return
        one.load.fixed = len(one.cards)
        one.load.behind = table.sides[head].cover_behind

    def _count_started(self, side: int, test: int) -> None:
        one = self.batches[side]
        if one is None:
            return
        if test:
            one.over = True  # its cards come in a known order
        else:
            one.counting = True

    def _counted(self, side: int) -> None:
        one = self.batches[side]
        if one is None or one.over:
            return
        one.over = True
        one.load.whole = one.load.why_not in ("", TWO_SIDES)
        if one.load.whole and len(one.cards) == one.load.deck.size:
            one.load.fixed = len(one.cards)

    def _no_order(self, side: int, why: str) -> None:
        one = self.batches[side] if side < 2 else None
        if one is not None:
            one.no_order(why)

    def _not_once(self, side: int, why: str) -> None:
        one = self.batches[side] if side < 2 else None
        if one is not None:
            one.no_order(why)
            one.load.not_once = True

    def _end(self, side: int) -> None:
        one, self.batches[side] = self.batches[side], None
        if one is not None:
            self.told.loads.append(one.done())

    def _end_all(self) -> None:
        for side in (0, 1):
            self._end(side)

    # ------------------------------------------------------------------------------------------------ the rounds
    def _round_opened(self) -> None:
        for one in self.batches:
            if one is not None:
                one.round_at, one.round_seen = len(one.cards), seen_of(one.cards)

    def _round_closed(self, table: Table) -> None:
        round_ = table.closed_round
        assert round_ is not None
        self.told.rounds += 1
        side = max(round_.side, 0)
        one = self.batches[side] if side < 2 else None
        lost = one is None or self.game is None or one.load.why_not not in ("", TWO_SIDES)
        if one is None or self.game is None or lost or one.round_seen is None:
            self.told.dealt.left_out += 1
            return
        look(round_, self.game, one.load.deck, one.round_seen, one.cards[one.round_at :], self.told.dealt)

    # ------------------------------------------------------------------------------------------------ what went wrong
    def _irregularity(self, table: Table, values: Any) -> None:
        self.told.irregularities += 1
        if values[0] in _BLANKS and values[3] < 2:
            one = self.batches[values[3]]
            if one is not None and not one.over:
                one.cards.append(None)

    def _fault(self, table: Table, values: Any) -> None:
        code, head = values[0], values[1]
        if code not in _OF_HEADS:
            return
        batch = table.batches[head] if head < 2 else 0
        self.told.heads[head, batch, "faults"] += 1
        if code == FaultCode.UNREADABLE:
            self.told.heads[head, batch, "unreadable"] += 1
        if code in _UNCOUNTED:
            self._no_order(head, "a card may have passed uncounted")


def read(path: Path) -> Told:
    """Return what an audit needs of a history. Whatever is wrong with the file is in `error`: one line."""
    told = Told(str(path))
    try:
        with TimedReader(path) as reader:
            told.sha256 = reader.digest()
            reading = _Reading(told)
            shoes: dict[int, None] = {}
            first = True
            for record in reader.records():
                facts = reader.chain.facts
                reading.shoe = facts[-1].shoe if facts else 0
                shoes[reading.shoe] = None
                if first:
                    moment, first = reader.moment(record), False
                    told.began = None if moment is None else moment.low_ms
                reading.feed(record)
            reading.end()
            told.shoes = tuple(shoes)
            told.device = reader.chain.device or (b"" if reader.identity is None else reader.identity.device)
            if any(not problem.harmless for problem in reader.chain.problems) or reader.scan.damaged:
                _distrust(told)
    except BadInput as error:
        return Told(str(path), error=str(error))
    except (OSError, ValueError) as error:
        return Told(str(path), error=f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")
    except Exception as error:  # the other histories of a long run are read all the same
        what = traceback.format_exception_only(error)[-1].strip()
        return Told(str(path), defect=True, error=f"{path}: a defect of shoetool: {what}")
    return told


def _distrust(told: Told) -> None:
    """Records are missing or were changed: neither an order of cards nor an expectation rests on them."""
    told.why_not = "records of its history are missing or damaged"
    told.dealt = type(told.dealt)()
    told.dealt.left_out = told.rounds
    for load in told.loads:
        load.why_not, load.fixed, load.whole, load.not_once, load.behind = told.why_not, 0, False, True, -1


def read_all(paths: Sequence[Path], wanted: Wanted = NOTHING_MORE) -> list[Told]:
    """Read a few histories, one after the other: one piece of a worker's work."""
    told = [read(path) for path in paths]
    for path, one in zip(paths, told, strict=True):
        if wanted.records and one.error is None:
            read_cuts(one, path)
        if wanted.findings and one.error is None:
            _findings(one, path)
    settle([one.dealt for one in told], wanted.wagers)
    return told


def settle(many: list[Dealt], wagers: bool) -> None:
    """Add the dealer's hands that were noted to what the histories were dealt. wagers: as those on him ask, too."""
    if wagers:
        noted = [(dealt, play) for dealt in many for play in dealt.plays if play.there]
        settle_suits(noted)
        settle_poker(noted)
    settle_plays(many)


def _findings(told: Told, path: Path) -> None:
    judged = Worker(Asked()).judge(path)
    if judged.report is None:
        told.error, told.defect = judged.error, judged.defect
        return
    told.findings = len(judged.report.findings) + judged.report.summary.dropped
