"""What a table record says of the history: after which record something was done, the hole card, the cover card."""

from __future__ import annotations

from bisect import bisect_right

from shoetool.judge import registry_table as reg
from shoetool.judge.finding import CANNOT_TELL
from shoetool.round_file.events import Event
from shoetool.table.round import Round
from shoetool.table.table import Table
from shoetool.verify.table_record.facts import NEVER, Facts


def check_places(facts: Facts, low: list[int], high: list[int], since: int) -> bool:
    """Places that no event of this round can have, and a hole card turned at another time than the shoe recorded.

    False when a place cannot be: what was done when, nobody can tell then.

    `low` and `high`: the records between which each event stands; `since`: the last record of the round before.
    """
    events = facts.entry.events
    cards, last = len(facts.cards), facts.round.last
    for at, event in enumerate(events):
        if event.after_record is not None and not since <= event.after_record <= last:
            text = f"the record has {_quoted(event)} after record {event.after_record}; this round is records "
            return _say(facts, f"{text}{facts.round.record} to {last}.")
        if event.after_card is not None and event.after_card > cards:
            text = f"the record has {_quoted(event)} after card {event.after_card}; the round has {cards} cards."
            return _say(facts, text)
        if event.event == "hole_card_revealed":
            _hole(facts, event, low[at], high[at])
    return True


def check_agree(facts: Facts, low: list[int], high: list[int]) -> None:
    """Places in another order than the events: which of the two holds, nobody can tell."""
    for at, event in enumerate(facts.entry.events):
        if low[at] > high[at]:
            text = f"the record has {_quoted(event)} among events whose places are in another order than they are."
            _say(facts, text)
            return


def _quoted(event: Event) -> str:
    words = event.event.replace("_", " ")
    return f"'{words}'"


def _say(facts: Facts, text: str) -> bool:
    facts.add(reg.PLACES, text, verdict=CANNOT_TELL)
    return False


def _hole(facts: Facts, event: Event, low: int, high: int) -> None:
    turned = facts.revealed
    if turned == NEVER:
        text = "the record has the hole card turned; the shoe recorded no turn of it in this round."
        facts.add(reg.HOLE_TOLD, text, verdict=CANNOT_TELL)
    elif (
        (event.after_record is not None or event.after_card is not None)
        and not low > high
        and not (bisect_right(facts.cards, low) <= bisect_right(facts.cards, turned) <= bisect_right(facts.cards, high))
    ):
        where = f"record {event.after_record}" if event.after_record is not None else f"card {event.after_card}"
        text = f"the record has the hole card turned after {where}; the shoe recorded it in record {turned}."
        facts.add(reg.HOLE_TOLD, text, records=(turned,), verdict=CANNOT_TELL)


class CoverCard:
    """Where the record says that the cover card was placed, held against where it came out."""

    def __init__(self) -> None:
        self._placed: list[int] = []

    def shoe_opened(self) -> None:
        """Another shoe has another cover card."""
        self._placed.clear()

    def placed(self, events: tuple[Event, ...], least: int) -> None:
        """Take what the record says before a round, but for places with fewer than `least` cards: those are named."""
        told = [one.cards for one in events if one.event == "cover_card_placed" and one.cards is not None]
        self._placed = [*self._placed, *(cards for cards in told if cards >= least)][-2:]

    def came(self, round_: Round, state: Table) -> str:
        """How the place of a cover card that came in this round differs, in words; nothing when it does not."""
        if not round_.covers or not self._placed:
            return ""
        cover = round_.covers[0]
        head = cover.head
        side = state.sides[head] if head < len(state.sides) else None
        if side is None or side.cover_record != cover.record or side.cover_behind < 0:
            return ""
        behind, doubt = side.cover_behind, side.uncertain
        placed, self._placed = self._placed, []
        if any(abs(one - behind) <= doubt for one in placed):
            return ""
        return (
            f"the record has the cover card placed with {placed[-1]} cards behind it; by the shoe's count "
            f"{behind} lay there (record {cover.record})."
        )
