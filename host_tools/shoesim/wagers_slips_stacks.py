"""Errors between the rounds: new decks, an idle table, the stack offered for the cut, a shuffler that cannot be used.

Each changes a draft's events and says whether it could.
"""

from __future__ import annotations

from shoesim.wagers_draft import Draft, index_of, set_event


def _exchange(draft: Draft, first: int, second: int) -> bool:
    events = draft.line["events"]
    events[first], events[second] = events[second], events[first]
    return True


def backs_toward_dealer(draft: Draft) -> bool:
    """The stack is offered for the cut with its backs toward the dealer."""
    return set_event(draft, "cut_offered", backs_away=False)


def new_decks_face_down(draft: Draft) -> bool:
    """New decks are spread face down."""
    return set_event(draft, "cards_spread", "decks_opened", face_up=False)


def stacked_before_spread(draft: Draft) -> bool:
    """New decks are stacked, and spread only then."""
    if index_of(draft, "decks_opened") < 0:
        return False
    return _exchange(draft, index_of(draft, "cards_spread"), index_of(draft, "cards_stacked"))


def batches_opened_together(draft: Draft) -> bool:
    """The second batch is spread while the first one lies on the table."""
    stacked = index_of(draft, "cards_stacked")
    if index_of(draft, "decks_opened") < 0 or draft.line["events"][stacked + 1]["event"] != "cards_spread":
        return False
    return _exchange(draft, stacked, stacked + 1)


def _dealt_on(draft: Draft, shuffler: str) -> bool:
    """An idle hour within a shoe, after which its next round is dealt."""
    events = draft.line.get("events")
    if draft.first_of_shoe or draft.rules.shuffler != shuffler or not events:
        return False
    idle = [{"event": "table_idle"}, {"event": "cards_spread", "face_up": False}, {"event": "cards_stacked"}]
    draft.line["events"] = idle + events
    return True


def idle_shoe_dealt_on(draft: Draft) -> bool:
    """After an idle hour the cards of the shoe are dealt, neither shuffled nor cut."""
    return _dealt_on(draft, "none")


def idle_batch_dealt_on(draft: Draft) -> bool:
    """After an idle hour the batch of the shoe is dealt, and not the one in the shuffler."""
    return _dealt_on(draft, "automatic")


def idle_cards_face_up(draft: Draft) -> bool:
    """The cards of an idle table are spread face up, and no player asked for that."""
    return set_event(draft, "cards_spread", "table_idle", face_up=True)


def shuffler_covered_late(draft: Draft) -> bool:
    """A shuffler that cannot be used is covered only after the cards were shuffled by hand."""
    at = index_of(draft, "shuffled")
    if at < 0 or draft.rules.shuffler != "automatic" or index_of(draft, "shuffler_out_of_use") >= 0:
        return False
    events = draft.line["events"]
    by_hand = {**events[at], "by": "hand"}
    events[at : at + 1] = [{"event": "shuffler_out_of_use"}, by_hand, {"event": "shuffler_covered"}]
    return True
