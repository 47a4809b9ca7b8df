"""Cards between the rounds: new decks are spread and stacked, an idle table's cards come back, a shuffler is unusable.

633a.4(b) to (e), 633a.5(b), 633a.5(g), 633a.14(m). Another order than that of the clause is a breach. What a
record leaves out is counted as left out.
"""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.round_file.events import Event
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.table import Table
from shoetool.verify.recorded import CUT_OFFER, IDLE, OPENING, UNUSABLE
from shoetool.verify.table_record.facts import Facts

_STEPS: Final = {"cards_spread": 0, "cards_stacked": 1, "shuffled": 2}
_DONE: Final = ("spread", "stacked", "shuffled")


class Stacks:
    """The stacks of one table over all its shoes. Memory: whether its shuffler may be used."""

    def __init__(self) -> None:
        self.idle = False
        """Whether the table was idle before the round that was judged last."""
        self.recorded: list[tuple[str, bool]] = []
        """What the record should have of the time before that round, and whether it does."""
        self._unusable = self._covered = self._went_on = False

    def judge(self, facts: Facts, state: Table, fresh: bool) -> None:
        """Check the events before a round; `fresh`: it is the first of its shoe."""
        events, rules = facts.entry.events, facts.rules
        names = {event.event for event in events}
        self.recorded = []
        self.idle = "table_idle" in names and rules.shuffler != "continuous"
        if "decks_opened" in names:
            self._opened(facts, _since(events, "decks_opened"), state)
        if self.idle:
            self._idle(facts, _since(events, "table_idle"), fresh)
        if self._unusable or "shuffler_out_of_use" in names:
            self._shuffler(facts, events)
        if rules.shuffler != "continuous" and (fresh or "cut_offered" in names):
            self._offer(facts, events)

    # ------------------------------------------------------------------------------------------------ new decks
    def _opened(self, facts: Facts, events: tuple[Event, ...], state: Table) -> None:
        """633a.4(b)-(e); decks that came preshuffled need none of it, 633a.4(f)."""
        if events[0].preshuffled:
            return
        apart = _apart(facts.rules)
        spread: list[int | None] = []
        stacked: set[int | None] = set()
        lying: int | None = None
        for at, event in enumerate(events):
            if event.event == "cards_spread":
                if event.face_up is False:
                    facts.add(reg.SPREAD, f"{_cards(event)} came new and were spread face down.")
                if apart and event.batch is not None and _stacked_later(events[at:], lying, event.batch):
                    text = f"batch {event.batch} was spread while batch {lying} lay on the table; each is opened apart."
                    facts.add(reg.APART, text, apart)
                spread.append(event.batch)
                lying = event.batch
            elif event.event == "cards_stacked":
                stacked.add(event.batch)
                lying = None if event.batch == lying else lying
        _in_order(facts, events, bool(apart), reg.OPENED, "")
        due = set(state.batches) if apart else {None}
        shown = [event.face_up is not None for event in events if event.event == "cards_spread"]
        self.recorded.append((OPENING, all(shown) and due <= set(spread) and due <= stacked))

    # ------------------------------------------------------------------------------------------------ an idle table
    def _idle(self, facts: Facts, events: tuple[Event, ...], fresh: bool) -> None:
        """633a.5(g): face down, but for a player's request; then shuffled, or exchanged for the shuffler's batch."""
        for event in events:
            if event.event == "cards_spread" and event.face_up and event.requested is False:
                facts.add(reg.IDLE, f"{_cards(event)} of an idle table were spread face up and no player had asked.")
        by_device = facts.rules.shuffler == "automatic"
        if not fresh:
            due = "the batch in the shuffler was due" if by_device else "they were to be shuffled and cut"
            text = f"the table was idle before this round, but the cards in the shoe were dealt on; {due}."
            facts.add(reg.IDLE, text, "633a.5(g)(2)" if by_device else "633a.5(g)(1)")
        elif not by_device:
            _in_order(facts, events, False, reg.IDLE, "633a.5(g)(1)")
        spread = [event for event in events if event.event == "cards_spread"]
        stacked = any(event.event == "cards_stacked" for event in events)
        how = all(event.face_up is not None and (event.requested is not None or not event.face_up) for event in spread)
        self.recorded.append((IDLE, not fresh or (bool(spread) and how and stacked)))

    # ------------------------------------------------------------------------------------------------ the shuffler
    def _shuffler(self, facts: Facts, events: tuple[Event, ...]) -> None:
        """633a.14(m): it is covered, or has a sign, before the cards are shuffled in another way."""
        for at, event in enumerate(events):
            if event.event == "shuffler_out_of_use":
                self._unusable, self._covered, self._went_on = True, False, False
            elif event.event == "shuffler_covered" and self._unusable:
                self._covered = True
                if self._went_on:
                    text = "the unusable shuffler was covered only after the cards had been shuffled in another way."
                    facts.add(reg.UNUSABLE, text)
                    self._went_on = False
            elif event.event == "shuffled" and self._unusable:
                if event.by == "device":
                    self._unusable = False  # it was repaired or replaced
                    continue
                later = any(one.event == "shuffler_covered" for one in events[at:])
                self.recorded.append((UNUSABLE, event.by is not None and (self._covered or later)))
                self._went_on = event.by == "hand" and not self._covered

    # ------------------------------------------------------------------------------------------------ the cut
    def _offer(self, facts: Facts, events: tuple[Event, ...]) -> None:
        """633a.5(b): the backs face away from the dealer; if nobody accepts, the dealer cuts."""
        offers = [event for event in events if event.event == "cut_offered"]
        for offer in offers:
            if offer.backs_away is False:
                text = "the stack was offered for the cut with its backs toward the dealer."
                facts.add(reg.STACK_OFFERED, text)
                break
        known = all(offer.backs_away is not None and offer.accepted is not None for offer in offers)
        self.recorded.append((CUT_OFFER, bool(offers) and known))


def _stacked_later(events: tuple[Event, ...], lying: int | None, batch: int) -> bool:
    """Whether the batch that lies on the table is another one, and stacked only later. Left out is not later."""
    if lying in (None, batch):
        return False
    return any(event.event == "cards_stacked" and event.batch == lying for event in events)


def _since(events: tuple[Event, ...], name: str) -> tuple[Event, ...]:
    """The events from the last one of this name on."""
    return events[max(at for at, event in enumerate(events) if event.event == name) :]


def _apart(rules: RulesSubmission) -> str:
    """The clause by which the cards of this table are opened in two parts; "" when they are one stack."""
    if rules.shoe == "double":
        return "633a.4(d)"
    return "633a.4(e)" if rules.shuffler == "automatic" else ""


def _cards(event: Event) -> str:
    return "the cards" if event.batch is None else f"the cards of batch {event.batch}"


def _in_order(facts: Facts, events: tuple[Event, ...], by_batch: bool, check: str, clause: str) -> None:
    """Cards are spread, then stacked, then shuffled. `by_batch`: each batch by itself, where the record names it."""
    done: dict[int | None, int] = {}
    for event in events:
        step = _STEPS.get(event.event)
        if step is None or (by_batch and event.batch is None):
            continue
        before = done.get(event.batch, 0)
        if step < before:
            text = f"{_cards(event)} were {_DONE[step]} after they had been {_DONE[before]}."
            facts.add(check, text, clause or None)
            return
        done[event.batch] = step
