"""What lies between the rounds: decks, batches, shuffle, cut, and who is barred; 633a.3 to 633a.6.

A session is judged by what its record keeps: where it has no word on shuffles and cuts, none is missed.
"""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry as shoe_checks
from shoetool.judge import registry_table as reg
from shoetool.judge.finding import BREACH, HANDLED
from shoetool.model.protocol_table import Finish
from shoetool.model.records import Record
from shoetool.round_file.events import Event
from shoetool.round_file.file import Entry
from shoetool.rules.games import game
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import CoverCame
from shoetool.table.table import Table
from shoetool.verify.recorded import OPENED
from shoetool.verify.table_record.facts import Facts
from shoetool.verify.table_record.stacks import Stacks

HOUR: Final = 3600
LEAST_CUT: Final = 10
_KEPT: Final = frozenset({"decks_opened", "shuffled"})
"""A record with one of these says when cards are shuffled."""
_HERE: Final = _KEPT | {"barred", "admitted", "reshuffle_ordered", "shuffler_failed"}
"""What happens between the rounds, but for cuts and stacks."""


class Session:
    """One table's session, over all its shoes. Memory: who is barred, who played last, and when decks were opened."""

    def __init__(self) -> None:
        self.opened: int | None = None
        self.told_age = False
        self.keeps = False
        self.offers = False
        """Whether the record says who was offered the cut."""
        self.preshuffled = False
        self.fresh_shoe = False
        self.shoes = 0
        self.batch: int | None = None
        self.before: tuple[int, ...] = ()
        """Positions that played the last round."""
        self.players: frozenset[str | int] = frozenset()
        self.barred: dict[str | int, int] = {}
        self.cover_due: int | None = None
        """Who was to receive the card that the cover card came before, in the last shoe; None: it did not come."""
        self.ordered = False
        self.stacks = Stacks()

    def shoe_opened(self) -> None:
        """A shoe is opened: what was barred until a reshuffle is free again, 633a.6(b)."""
        self.shoes += 1
        self.fresh_shoe = True
        self.barred.clear()

    def round_closed(self, covers: list[CoverCame]) -> None:
        """Note before whose card a cover card came."""
        if covers:
            self.cover_due = covers[0].box

    def finished(self, record: Record) -> None:
        """A side was finished: by the cover card, or on the floorperson's order."""
        self.ordered = record.values[1] == Finish.ORDERED

    def judge(self, facts: Facts, state: Table) -> None:
        """Check what the record of a round says of the time before its first card, then who bets; 633a.3 to 633a.6."""
        entry, rules = facts.entry, facts.rules
        if entry.events:
            self._events(facts, entry.events, rules)
        self.stacks.judge(facts, state, self.fresh_shoe)
        if self.fresh_shoe:
            known = self.opened is not None and any(event.time is not None for event in entry.events)
            self.stacks.recorded.append((OPENED, known))
            self._shoe(facts, state, rules)
            self.fresh_shoe = False
        if entry.events:
            self._cut(facts, entry.events, state, rules)
        self._bettors(facts, entry)

    # ------------------------------------------------------------------------------------------------ decks
    def _events(self, facts: Facts, events: tuple[Event, ...], rules: RulesSubmission) -> None:
        for at, event in enumerate(events):
            name = event.event
            if name not in _HERE and event.time is None:
                continue  # nearly all of them
            if name in _KEPT:
                self.keeps = True
            if name == "decks_opened":
                self.opened = event.time
                self.told_age = False
                self.preshuffled = bool(event.preshuffled)
            elif name == "barred":
                self._bar(facts, event)
            elif name == "admitted":
                self.barred.pop(_who(event), None)
            elif name == "reshuffle_ordered":
                self.ordered = True
            elif name == "shuffler_failed":
                again = any(later.event == "shuffled" for later in events[at:])
                text = "the shuffler jammed, stopped or left its cycle; the cards were "
                text += "shuffled again." if again else "not shuffled again before the round."
                facts.add(reg.SHUFFLER, text, verdict=HANDLED if again else BREACH)
            if event.time is not None:
                self._age(facts, event.time, rules)

    def _age(self, facts: Facts, now: int, rules: RulesSubmission) -> None:
        """633a.3(d): 24 hours, from the hand 4."""
        table = game(rules.game).table
        hours = table.deck_hours
        if self.opened is None or self.told_age or now - self.opened <= hours * HOUR:
            return
        self.told_age = True
        spent = (now - self.opened) / HOUR
        text = f"the decks were opened {spent:.1f} hours ago and not replaced; they last {hours} hours."
        facts.add(reg.DECK_AGE, text, table.changed)

    def _shoe(self, facts: Facts, state: Table, rules: RulesSubmission) -> None:
        """The first round of a shoe: which batch it is, and that it was shuffled.

        633a.3(b)(3), 633a.3(b)(4): while one batch is in play the other is shuffled, so none comes twice in a row.
        """
        batch = state.batches[0]
        alternate = rules.shuffler == "automatic" and rules.shoe == "single"
        if alternate and self.batch is not None and batch == self.batch:
            text = f"batch {batch} was in the shoe before and came again; with this shuffler two batches alternate."
            if self.stacks.idle:
                facts.add(reg.IDLE, text, "633a.5(g)(2)")
            else:
                facts.add(reg.BATCHES, text)
        self.batch = batch
        if not self.keeps or rules.shuffler == "continuous":
            return
        events = facts.entry.events
        shuffled = any(event.event == "shuffled" for event in events)
        # 633a.4(f): decks that came preshuffled need no shuffle before they are used for the first time.
        if not shuffled and not (self.preshuffled and any(event.event == "decks_opened" for event in events)):
            facts.add(reg.SHUFFLED, "the shoe was dealt from cards that were not shuffled since the last one.")

    # ------------------------------------------------------------------------------------------------ cut
    def _cut(self, facts: Facts, events: tuple[Event, ...], state: Table, rules: RulesSubmission) -> None:
        if rules.shuffler == "continuous":
            return  # 633a.5(h): (b) to (g) do not apply
        offers = [event for event in events if event.event == "cut_offered"]
        cuts = [event for event in events if event.event == "cut"]
        cards = state.batch_size()
        for cut in cuts:
            depth = cut.cards
            if depth is not None and not LEAST_CUT <= depth <= cards - LEAST_CUT:
                text = f"the cut was {depth} cards deep; at least {LEAST_CUT} of {cards} cards lie on either side."
                facts.add(reg.CUT_DEPTH, text)
        for event in events:
            if event.event == "cover_card_placed" and event.cards is not None and event.cards < -(-cards // 4):
                text = f"the cover card was placed with {event.cards} of {cards} cards behind it; at least a quarter."
                facts.add(shoe_checks.COVER_PLACE, text)
        if offers:
            self.offers = True
            self._offers(facts, offers)
        if cuts and self.offers:
            self._cutter(facts, offers, cuts[0])
            if offers and events.index(cuts[0]) < events.index(offers[0]):
                facts.add(reg.STACK_OFFERED, "the cards were cut before the cut was offered to a player.")
        self._recuts(facts, events, offers)
        if offers or cuts:
            self.cover_due = None
            self.ordered = False

    def _reason(self) -> tuple[str, list[int] | None]:
        """633a.5(c): the clause that says to whom the cut is offered, and to whom; None: the record cannot tell."""
        around = sorted(self.before, reverse=True)
        if self.ordered:
            return "633a.5(c)(4)", around
        if self.cover_due is None:
            return "633a.5(c)(1)", None  # who came to the table first
        if 0 < self.cover_due < 9:
            return "633a.5(c)(2)", [self.cover_due]
        return "633a.5(c)(3)", around

    def _offers(self, facts: Facts, offers: list[Event]) -> None:
        """633a.5(c): whose turn it was, and counterclockwise from there."""
        positions = [event.position for event in offers]
        clause, due = self._reason()
        if not due:
            return
        if positions[0] != due[0]:
            text = f"the cut was offered to position {positions[0]} first; position {due[0]} was due."
            facts.add(reg.CUT_OFFER, text, clause)
        elif len(due) > 1 and positions != due[: len(positions)]:
            text = "the cut was not offered counterclockwise from the dealer's right."
            facts.add(reg.CUT_OFFER, text, clause)

    def _cutter(self, facts: Facts, offers: list[Event], cut: Event) -> None:
        """Who cut is who accepted the offer; the dealer cuts only when it was offered and nobody did, 633a.5(b)."""
        accepted = [event.position for event in offers if event.accepted]
        if not offers:
            facts.add(reg.STACK_OFFERED, "the cards were cut, but the cut was not offered to a player.")
        elif cut.position is None and accepted:
            text = f"the dealer cut the cards although position {accepted[0]} had accepted the cut."
            facts.add(reg.STACK_OFFERED, text)
        elif cut.position is not None and not accepted:
            text = f"position {cut.position} cut the cards, but nobody had accepted the cut; then the dealer cuts."
            facts.add(reg.STACK_OFFERED, text)
        elif cut.position is not None and cut.position not in accepted:
            text = f"position {cut.position} cut the cards without having accepted the cut."
            facts.add(reg.CUT_OFFER, text, self._reason()[0])

    def _recuts(self, facts: Facts, events: tuple[Event, ...], offers: list[Event]) -> None:
        """633a.5(e): by the player who cut last, or by the next one who is entitled to."""
        last: Event | None = None
        ordered = False
        for event in events:
            if event.event == "recut_ordered":
                if last is None or ordered:
                    facts.add(reg.RECUT, "a recut was ordered before the cards had been cut.")
                    return
                ordered = True
            elif event.event == "cut":
                entitled = {None, *(offer.position for offer in offers), *((last.position,) if last else ())}
                if ordered and event.position not in entitled:
                    text = f"position {event.position} made the recut and had no right to."
                    facts.add(reg.RECUT, text)
                last, ordered = event, False
        if ordered:
            facts.add(reg.RECUT, "a recut was ordered, but it was not made before the cards were loaded.")

    # ------------------------------------------------------------------------------------------------ who may bet
    def _bar(self, facts: Facts, event: Event) -> None:
        who = _who(event)
        if who in self.players:
            text = f"{_name(who)} was barred although it had wagered in the last round."
            facts.add(reg.BARRED, text)
        self.barred[who] = facts.round.number

    def _bettors(self, facts: Facts, entry: Entry) -> None:
        here = frozenset([seat.position if seat.player is None else seat.player for seat in entry.seats])
        if self.barred:
            for who in sorted(here.intersection(self.barred), key=str):
                text = f"{_name(who)} wagered although barred since round {self.barred.pop(who)}."
                facts.add(reg.BARRED, text)
        self.players = here
        self.before = tuple([seat.position for seat in entry.seats])


def _who(event: Event) -> str | int:
    return event.player if event.player is not None else event.position or 0


def _name(who: str | int) -> str:
    return f"position {who}" if isinstance(who, int) else who
