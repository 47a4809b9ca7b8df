"""When things were done in a round: close of bets, insurance, reader, each wager's settling, by the record's events.

An event stands at a place among the records of the history: `low` is a record that it surely follows, `high` one that
it surely does not follow. What is neither surely early nor surely late is let pass.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.model.cards import is_blackjack
from shoetool.round_file.events import Event
from shoetool.rules.games import game
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.catalogue import title_of
from shoetool.verify.table_record.facts import NEVER, Facts
from shoetool.verify.table_record.places import check_agree, check_places
from shoetool.verify.table_record.settling import SettlingOrder, where

PLACED_LATER: Final = frozenset({"insurance", "double", "press", "lammer", "split"})
"""Wagers that are placed during the round: 633a.6(c)."""
_WORDS: Final = {"blackjack": "Blackjack", "no_blackjack": "no Blackjack"}


class Order:
    """The events of one round, each with its place."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.events = facts.entry.events
        self.used: int | None = None
        """Index of the reader's answer, None when the record has none."""
        self._places()

    def _places(self) -> None:
        facts = self.facts
        cards = facts.cards
        between = [-1, *cards, NEVER + 1]  # a card has come behind `after` of them, and the next one not
        low, high = [], []
        for at, event in enumerate(self.events):
            if event.event == "reader_used" and event.reading != "read_again" and self.used is None:
                self.used = at
            if event.after_record is not None:
                low.append(event.after_record)
                high.append(event.after_record)
            elif event.after_card is None:
                low.append(-1)
                high.append(NEVER)
            else:
                after = min(event.after_card, len(cards))
                low.append(between[after])
                high.append(between[after + 1] - 1)
        self.low = list(accumulate(low, max))
        self.high = list(accumulate(reversed(high), min))
        self.high.reverse()

    def judge(self, since: int = -1) -> None:
        """Check every event, then the order in which wagers were settled. `since`: last record of the round before."""
        facts = self.facts
        if not check_places(facts, self.low, self.high, since):
            return
        found = len(facts.ctx.findings) + facts.ctx.dropped
        for at, event in enumerate(self.events):
            name = event.event
            if name == "settled":
                continue  # these come below
            if name == "bets_closed":
                self._closed(at)
            elif name == "bet_placed":
                self._placed(at, event)
            elif name == "bet_moved":
                self._moved(at, event)
            elif name == "insurance_offered":
                self._offered(at)
            elif name in ("even_money_offered", "even_money_paid"):
                self._even_money(at, event)
            elif name == "reader_used":
                self._reader(at, event)
        self._never_offered()
        if any(event.event == "settled" for event in self.events):
            SettlingOrder(facts, self.events, self.low, self.high, self.used).judge()
        if found == len(facts.ctx.findings) + facts.ctx.dropped:
            check_agree(facts, self.low, self.high)

    # ------------------------------------------------------------------------------------------------ wagers
    def _first_card(self) -> int:
        cards = self.facts.cards
        return cards[0] if cards else NEVER

    def _closed(self, at: int) -> None:
        if self.low[at] >= self._first_card():
            self.facts.add(reg.CLOSED, "bets were closed after the round's first card was drawn.")

    def _after_close(self, at: int) -> bool:
        return self.low[at] >= self._first_card() or any(event.event == "bets_closed" for event in self.events[:at])

    def _placed(self, at: int, event: Event) -> None:
        wager = event.wager or "main"
        if wager in PLACED_LATER or not self._after_close(at):
            return
        whose = where(event)
        declared = WAGERS.get(wager)
        if declared is not None and declared.meter is not None:
            text = f"{whose}: {title_of(wager)} was accepted after the deal had begun; the system must reject it."
            self.facts.add(reg.LOCKED, text, declared.meter.locked_out)
        else:
            self.facts.add(reg.CLOSED, f"{whose}: {title_of(wager)} was placed after bets were closed.")

    def _moved(self, at: int, event: Event) -> None:
        if not self._after_close(at):
            return
        wager = event.wager or "main"
        for other in self.events[:at]:
            if other.event == "settled" and other.position == event.position and (other.wager or "main") == wager:
                return
        text = f"{where(event)}: {title_of(wager)} was touched before it was decided."
        self.facts.add(reg.FROZEN, text)

    # ------------------------------------------------------------------------------------------------ before the reader
    def _offered(self, at: int) -> None:
        if self.facts.up is None:
            return
        if not self.facts.insurable or self.high[at] < self.facts.round.dealer[0].placed:
            self.facts.add(reg.OFFERED, "insurance was offered without an ace up.")
        elif self._after_reader(at) or self.low[at] >= self.facts.further:
            self.facts.add(reg.INSURED, "insurance was offered after the reader was used or a further card was dealt.")

    def _after_reader(self, at: int) -> bool:
        return self.used is not None and self.used < at

    def _even_money(self, at: int, event: Event) -> None:
        if self._after_reader(at) or self.low[at] >= self.facts.further:
            done = "paid" if event.event == "even_money_paid" else "offered"
            text = f"{where(event)}: even money was {done} after the reader was used or a further card was dealt."
            self.facts.add(reg.INSURED, text, "633a.8(e)")

    def _reader(self, at: int, event: Event) -> None:
        """What 633a.1 Card reader device (590.1 Card reader device, 635a.1 Card reader device) may tell, and when."""
        facts = self.facts
        up = facts.up
        if up is not None and not game(facts.rules.game).asks_reader(up):
            facts.add(reg.READER, "the card reader device was used without an ace or ten-count card up.")
        elif self.low[at] >= facts.further:
            facts.add(reg.READER, "the card reader device was used after a further card was dealt.")
        elif self.high[at] < facts.deal_over:
            facts.add(reg.READER, "the card reader device was used before the opening deal was over.")
        said = event.reading
        if said is None or said not in _WORDS:
            return
        dealt = facts.actions.read
        if dealt is not None and (dealt == 1) != (said == "blackjack"):
            told = "Blackjack" if dealt == 1 else "no Blackjack"
            text = f"the record has {_WORDS[said]} as the reader's answer; the shoe recorded {told}."
            facts.add(reg.READER_SAID, text, records=(facts.actions.read_record,))
        table_round = facts.table_round
        two = () if table_round is None else table_round.dealer[:2]
        if len(two) == 2 and is_blackjack(two) != (said == "blackjack"):
            text = f"the reader's answer was {_WORDS[said]}, and the dealer's first two cards say otherwise."
            facts.add(reg.READER_SAID, text)

    def _never_offered(self) -> None:
        """With an ace up a reader that was used asks for an offer before it."""
        if not self.facts.insurable or any(event.event == "insurance_offered" for event in self.events):
            return
        if self.used is not None:
            self.facts.add(reg.OFFERED, "an ace was up and insurance was not offered before the reader was used.")
        elif game(self.facts.rules.game).no_hole and self.facts.further < NEVER:
            self.facts.add(reg.OFFERED, "an ace was up and insurance was not offered before a community card.")
