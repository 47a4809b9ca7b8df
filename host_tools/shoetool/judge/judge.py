"""The judge of a shoe: which rule is asked about which action, and what is asked of a round that is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final

from shoetool.judge.dealer import owed_by_dealer
from shoetool.judge.double_shoe import double_shoe
from shoetool.judge.finding import Objection
from shoetool.judge.from_the_hand import from_the_hand
from shoetool.judge.hands import PLAYED, owed_to_hands, why_not
from shoetool.judge.held import HELD, HELD_CODES, HeldCards
from shoetool.judge.hybrid import not_in_hybrid, owed_in_hybrid
from shoetool.judge.inventory import Inventory
from shoetool.judge.irregular import Handled
from shoetool.judge.moves import moved_without_reason
from shoetool.judge.opening import Opening
from shoetool.judge.pairs import Pairs
from shoetool.judge.reader import Reader, answers_in_round
from shoetool.judge.shoe import BURN, Burns, LastRound, Loads
from shoetool.judge.stops import Stops
from shoetool.judge.switch_hands import switch_hands
from shoetool.judge.voided import BLANKS, PLAIN, Voided, plain
from shoetool.model.protocol_table import IrregularityCode, RecordKind
from shoetool.model.records import Record
from shoetool.rules.games import game_of
from shoetool.table import actions as act
from shoetool.table.fold import apply
from shoetool.table.round import Round
from shoetool.table.table import Table

_CARD: Final = int(RecordKind.CARD)
_SEALED: Final = int(RecordKind.SEALED)
_OPENED: Final = int(RecordKind.OPENED)
_SPECIAL: Final = frozenset((BURN, HELD))

JUDGED: Final = frozenset(
    {
        *(act.Loaded, act.Refilled, act.Carried, act.CountStarted, act.DealerChanged, act.CoverCame, act.Finished),
        *(act.Reported, act.Faulted, act.Cleared, act.ReaderTested, act.RoundClosed, act.ShoeClosed),
    }
)
"""Actions that lay no card, of which `Judge.why_not` is asked."""

Rule = Callable[[Any], "Iterable[Objection] | None"]
"""Judges an action; one that only takes note of it returns nothing."""


class Judge:
    """Asked after each action, with the table as it is then. He keeps what is due: burn cards, a last round, the use of
    a card drawn in error."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.burns = Burns(table)
        self.last_round = LastRound(table)
        self.loads = Loads(table, self.last_round)
        self.inventory = Inventory(table, self.last_round)
        self.voided = Voided(table, self.last_round)
        self.stops = Stops(table)
        self.reader = Reader(table)
        self.held = HeldCards(table)
        self.rules: dict[Callable[..., act.Recorded], tuple[Rule, ...]] = {
            act.Loaded: (self.loads.loaded, self.last_round.loaded, self.burns.loaded),
            act.Refilled: (self.last_round.loaded,),
            act.Carried: (self.loads.carried,),
            act.CountStarted: (self.inventory.count_started,),
            act.DealerChanged: (self.burns.dealer_changed,),
            act.CoverCame: (self.loads.cover_card, self.last_round.cover_card),
            act.Finished: (self.last_round.finished,),
            act.Reported: (),  # it goes by the code
            act.Faulted: (self.reader.fault, self.stops.fault),
            act.Cleared: (self.reader.cleared, self.stops.cleared),
            act.ReaderTested: (self.reader.tested,),
            act.RoundClosed: (self.burns.round_closed,),
            act.ShoeClosed: (self.loads.shoe_closed,),
        }
        """None of these is a method of the judge: so nothing refers in a circle, and all is freed with him."""
        assert self.rules.keys() == JUDGED
        reports: dict[int, Rule] = {
            **dict.fromkeys(PLAIN, plain),
            **dict.fromkeys(HELD_CODES, self.held.irregularity),
            **dict.fromkeys(BLANKS, self.voided.blank),
            IrregularityCode.EXTRA_CARD: self.inventory.extra_told,
            IrregularityCode.FOREIGN_BATCH: self.inventory.foreign_told,
            IrregularityCode.CARD_UNKNOWN: self.inventory.unknown_told,
            **dict.fromkeys((IrregularityCode.TEN_FOUND, IrregularityCode.SECOND_TEN_FOUND), self.inventory.ten_told),
            IrregularityCode.BURN_MISSING: self.burns.told_missing,
            IrregularityCode.DRAWN_WHILE_FINISHED: self.last_round.drawn_while_finished,
            IrregularityCode.ORDERED_RESHUFFLE: self.last_round.ordered,
            IrregularityCode.SECOND_COVER_CARD: self.loads.second,
            IrregularityCode.DRAWN_WHILE_STOPPED: self.stops.told,
            IrregularityCode.READER_MISUSED: self.reader.misused,
            IrregularityCode.WRONG_KEY: self.stops.refused_key,
        }
        self._reports = {int(code): rule for code, rule in reports.items()}

    def why_not(self, action: act.Recorded) -> Iterator[Objection]:
        """Objections to an action that laid no card."""
        if isinstance(action, act.Reported):
            yield from self._reported(action)
        elif isinstance(action, act.ShoeClosed):
            yield from self._shoe_closed()
        for rule in self.rules[type(action)]:
            yield from rule(action) or ()

    def card(self, record: Record) -> Iterable[Objection]:
        """Objections to the card that a record drew, opened or moved; mostly there are none, so it is no generator."""
        table, drawn, kind = self.table, self.table.card, record[3]
        if drawn is None:
            return ()
        found = self.inventory.card(drawn, record[0]) if kind in (_CARD, _OPENED) else ()
        if table.faults and kind in (_CARD, _SEALED):
            found = chain(found, self.stops.card(drawn, record[0]))
        if drawn.role in _SPECIAL or self.held.waiting:
            if drawn.role == BURN and kind != _OPENED:
                self.burns.burned()
            found = chain(found, self.held.card(drawn, record[0]))
        return found

    def shoe_opened(self) -> Iterator[Objection]:
        """Objections to the house's set-up of a shoe; what was due before is no longer."""
        yield from self.loads.shoe_opened()
        self.reader.shoe_opened()
        self.burns.reset()
        if not self.table.double:
            self.last_round.due.clear()

    def side_over(self, *sides: int) -> Iterator[Objection]:
        """What is owed of a side from which no more cards come."""
        for side in sides:
            yield from self.loads.side_over(side)
            yield from self.inventory.count(side)

    def round_opened(self, round_: Round) -> Iterator[Objection]:
        """What is owed before a round, and why it may not be opened."""
        yield from self.inventory.flush()
        yield from self.inventory.settle_tens(None)
        for judge in (self.burns, self.last_round, self.loads, self.reader):
            yield from judge.round_opened(round_)

    def owed(self, round_: Round) -> Iterator[Objection]:
        """What is owed in a round that is over, and objections to what was done in it.

        It is folded once more, now that the faces of its cards are known: before each action its rules are asked.
        """
        table, rules = self.table, game_of(self.table.game)
        again = Round(round_.number, round_.seats, round_.record, round_.antes, round_.selected)
        opening = Opening(rules)
        hybrid = rules.facts.community
        for action in round_.actions:
            if not isinstance(action, act.CardPlaced):
                yield from why_not(rules, again, action)
            else:
                opening.watch(again, action)
                if action.role in PLAYED:  # few cards are
                    yield from why_not(rules, again, action)
            if hybrid:
                yield from not_in_hybrid(rules, table.options, again, action)
            apply(again, action)
        yield from opening.owed(round_)
        if round_.settled:
            yield from owed_to_hands(round_)
            yield from owed_by_dealer(rules, round_)
        if rules.facts.community:
            yield from owed_in_hybrid(rules, round_)
        if rules.cards_face_down:
            yield from from_the_hand(round_)
        pairs = Pairs(round_)
        yield from moved_without_reason(round_, pairs)
        yield from switch_hands(table.options, round_)
        yield from answers_in_round(table, round_)
        if table.double:
            yield from double_shoe(table, round_)
        yield from self.voided.voided(round_)
        if round_.irregularities or round_.refills:
            yield from Handled(table, round_, pairs, self.held.done).objections()
            yield from self.voided.second_blank(round_)
        yield from self.held.round_closed()
        yield from self.inventory.settle_tens(round_)

    def lost(self) -> Iterator[Objection]:
        """Records are missing: nothing is known to be due."""
        self.burns.reset()
        self.last_round.due.clear()
        yield from self.held.lost()

    def end(self, closed: bool, over: bool) -> Iterator[Objection]:
        """The history ends; `over`: no round is open."""
        if over:
            yield from self.inventory.settle_tens(None)
        if not closed:
            yield from self.side_over(0, 1)
        yield from self.held.end(closed or over)

    def _shoe_closed(self) -> Iterator[Objection]:
        yield from self.inventory.flush()
        yield from self.inventory.settle_tens(None)
        yield from self.held.end(True)
        yield from self.side_over(0, 1)

    def _reported(self, report: act.Reported) -> Iterator[Objection]:
        rule = self._reports.get(report.code)
        if report.code == IrregularityCode.FOREIGN_BATCH and self.loads.other_batch == report.record - 1:
            rule = None  # a cover card's finding stands there
        yield from (rule(report) or ()) if rule is not None else ()
