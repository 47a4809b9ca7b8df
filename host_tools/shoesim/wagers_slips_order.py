"""Things done in the wrong order or not at all, in a round or between rounds.

Each changes a draft's events and says whether it could.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from shoetool.rules.games import game
from shoetool.rules.round import Stage
from shoetool.rules.wagers import WAGERS

from shoesim.wagers_draft import Draft, events_of, index_of, set_event

Event = dict[str, Any]
MAIN: Final = frozenset({"main", "double", "press", "lammer"})


def _remove(draft: Draft, at: int) -> bool:
    if at >= 0:
        del events_of(draft)[at]
    return at >= 0


def _insert_after(draft: Draft, name: str, event: Event) -> bool:
    at = index_of(draft, name)
    if at >= 0:
        events_of(draft).insert(at + 1, event)
    return at >= 0


def _cards(draft: Draft) -> int:
    return len({placed.card.record for placed in draft.round.placed})


def bets_closed_late(draft: Draft) -> bool:
    """Bets are closed when three cards lie on the table."""
    return _cards(draft) >= 4 and set_event(draft, "bets_closed", after_card=3)


def _after_close(draft: Draft, name: str, position: int, wager: str) -> bool:
    return _insert_after(draft, "bets_closed", {"event": name, "position": position, "wager": wager})


def late_wager(draft: Draft) -> bool:
    """A main wager is put down after the close of bets."""
    return _after_close(draft, "bet_placed", draft.seats[0].position, "main")


def late_progressive(draft: Draft) -> bool:
    """A progressive wager is taken after the deal has begun."""
    for seat in draft.seats:
        for key, wager in sorted(WAGERS.items()):
            if wager.meter is not None and key in seat.side:
                return _after_close(draft, "bet_placed", seat.position, key)
    return False


def wager_moved(draft: Draft) -> bool:
    """A player touches his wager while the cards are dealt."""
    return _after_close(draft, "bet_moved", draft.seats[-1].position, "main")


def _settling(draft: Draft, stage: Stage, side: bool) -> list[int]:
    """Indexes of the events that settle wagers of a stage."""
    if draft.settlement is None:
        return []
    keys = {
        (line.position, line.wager)
        for line in draft.settlement.lines
        if line.stage is stage and (line.wager not in MAIN) == side and line.wager != "bonus"
    }
    return [
        at
        for at, event in enumerate(events_of(draft))
        if event["event"] == "settled" and (event["position"], event["wager"]) in keys
    ]


def _to_the_end(draft: Draft, found: list[int]) -> bool:
    """Settle the first of these wagers only after all cards, where further cards were dealt after the opening deal."""
    if not found or _cards(draft) <= 2 * len(draft.round.seat_list()) + 2:
        return False
    events = events_of(draft)
    events.append(dict(events.pop(found[0]), after_card=_cards(draft)))
    return True


def side_settled_late(draft: Draft) -> bool:
    """An optional wager is settled only after all cards."""
    return _to_the_end(draft, _settling(draft, Stage.AFTER_DEAL, True))


def _has_order(draft: Draft) -> bool:
    """Whether wagers are settled from seat to seat: where they are electronic there is no such order, 633c.5."""
    return not game(draft.rules.game).electronic


def _swap(draft: Draft, found: list[int]) -> bool:
    """Exchange the wagers of two positions among the events that settle them."""
    events = events_of(draft)
    if not _has_order(draft):
        return False
    for first, second in pairwise(found):
        if events[first]["position"] > events[second]["position"]:
            events[first], events[second] = events[second], events[first]
            return True
    return False


def side_clockwise(draft: Draft) -> bool:
    """Optional wagers are settled clockwise."""
    return _swap(draft, _settling(draft, Stage.AFTER_DEAL, True))


def remaining_clockwise(draft: Draft) -> bool:
    """The remaining optional wagers are settled clockwise. The event of a winner's verification stays in front."""
    return _swap(draft, _settling(draft, Stage.AFTER_ALL, True))


def settled_after_draw(draft: Draft) -> bool:
    """A wager that is settled when the hole card is turned is settled after the dealer has drawn."""
    events = events_of(draft)
    found = [at for at in _settling(draft, Stage.HOLE_CARD, True) if WAGERS[events[at]["wager"]].timing]
    if not found or len(draft.round.dealer) < 3:
        return False
    events[found[-1]]["after_card"] = _cards(draft)
    return True


def last_before_others(draft: Draft) -> bool:
    """The wager that comes after all other optional ones is settled before one of them, 633c.9(d)."""
    others, last = _settling(draft, Stage.AFTER_ALL, True), _settling(draft, Stage.LAST, True)
    if not others or not last:
        return False
    events = events_of(draft)
    events.append(events.pop(others[-1]))
    return True


def insurance_after_reader(draft: Draft) -> bool:
    """Insurance is offered after the reader was used."""
    offer, used = index_of(draft, "insurance_offered"), index_of(draft, "reader_used")
    if not 0 <= offer < used:
        return False
    events = events_of(draft)
    events.insert(used, events.pop(offer))
    return True


def insurance_not_offered(draft: Draft) -> bool:
    """With an ace up nobody is offered insurance."""
    asked = index_of(draft, "reader_used") >= 0 or game(draft.rules.game).no_hole
    if not asked or any(seat.insurance for seat in draft.seats):
        return False
    return _remove(draft, index_of(draft, "insurance_offered"))


def insurance_settled_late(draft: Draft) -> bool:
    """A lost insurance wager lies until the end of the round."""
    events = enumerate(events_of(draft))
    return _to_the_end(draft, [at for at, one in events if one["event"] == "settled" and one["wager"] == "insurance"])


def reader_answer_changed(draft: Draft) -> bool:
    """The record has the other answer of the reader."""
    at = index_of(draft, "reader_used")
    if at < 0 or draft.table_round is None:
        return False
    event = events_of(draft)[at]
    event["reading"] = "blackjack" if event["reading"] == "no_blackjack" else "no_blackjack"
    return True


def main_settled_early(draft: Draft) -> bool:
    """A main wager is settled before the dealer has his last card."""
    found = _settling(draft, Stage.MAIN, False)
    if not found or draft.round.revealed < 0:
        return False
    events = events_of(draft)
    event = events.pop(found[0])
    at = index_of(draft, "hole_card_revealed")
    if at < 0:
        events.insert(found[0], event)
        return False
    event["after_card"] = max(0, events[at]["after_card"] - 1)
    events.insert(at, event)
    return True


def main_out_of_order(draft: Draft) -> bool:
    """A loser is collected after a winner was paid."""
    if draft.settlement is None or draft.rules.settlement_procedure != 1 or not _has_order(draft):
        return False
    found = _settling(draft, Stage.MAIN, False)
    nets: dict[tuple[Any, Any], int] = {}
    for line in draft.settlement.lines:
        if line.wager in MAIN:
            key = (line.position, line.hand)
            nets[key] = nets.get(key, 0) + line.net
    events = events_of(draft)
    lost = [at for at in found if nets.get((events[at]["position"], events[at].get("hand")), 0) < 0]
    won = [at for at in found if nets.get((events[at]["position"], events[at].get("hand")), 0) > 0]
    if not lost or not won or lost[0] > won[-1]:
        return False
    events.insert(won[-1], events.pop(lost[0]))
    return True


def _main_wagers(draft: Draft) -> list[int]:
    """Indexes of the events that settle main wagers at the end; without a hole card at any time."""
    no_hole = game(draft.rules.game).no_hole
    return _settling(draft, Stage.ANY_TIME if no_hole else Stage.MAIN, False)


def never_settled(draft: Draft) -> bool:
    """A wager is left lying."""
    found = _main_wagers(draft)
    return len(found) >= 2 and _remove(draft, found[0])


def settled_twice(draft: Draft) -> bool:
    """A wager is paid or collected a second time."""
    found = _main_wagers(draft)
    if not found:
        return False
    events_of(draft).append(dict(events_of(draft)[found[0]], after_card=_cards(draft)))
    return draft.rules.settlement_procedure == 1


def not_verified(draft: Draft) -> bool:
    """A progressive winner is paid unverified."""
    return _remove(draft, max(index_of(draft, "floorperson"), index_of(draft, "verified")))


def shallow_cut(draft: Draft) -> bool:
    """Nine cards are cut."""
    return set_event(draft, "cut", cards=9)


def cover_card_low(draft: Draft) -> bool:
    """The cover card lies too near the bottom."""
    return set_event(draft, "cover_card_placed", cards=draft.batch_size // 4 - 1)


def wrong_cut_offer(draft: Draft) -> bool:
    """Another player than the one in turn is offered the cut."""
    at = index_of(draft, "cut_offered")
    if draft.shoes < 2 or at < 0 or draft.cover_due is None:
        return False
    event = events_of(draft)[at]
    event["position"] = 1 if event["position"] != 1 else 2
    return True


def recut_not_made(draft: Draft) -> bool:
    """A recut is ordered and nobody cuts."""
    return _insert_after(draft, "cut", {"event": "recut_ordered"})


def not_shuffled(draft: Draft) -> bool:
    """The cards come back without a shuffle."""
    return draft.rules.shuffler != "continuous" and _remove(draft, index_of(draft, "shuffled"))


def shuffler_failed(draft: Draft) -> bool:
    """The shuffler jams, and the round is dealt."""
    if not events_of(draft) or index_of(draft, "shuffled") >= 0:
        return False
    events_of(draft).insert(0, {"event": "shuffler_failed"})
    return True


def old_decks(draft: Draft) -> bool:
    """The table plays on with the decks of the day before."""
    if draft.first_of_shoe or index_of(draft, "bets_closed") < 0:
        return False
    at = index_of(draft, "bets_closed")
    del events_of(draft)[at]
    events_of(draft).insert(0, {"event": "bets_closed", "time": "2026-11-21T12:30:00Z", "after_card": 0})
    return True


def barred_player(draft: Draft) -> bool:
    """A player who sat out is barred, and bets."""
    new = [seat for seat in draft.seats if seat.position not in draft.last_seats]
    if not new or not draft.last_seats or not events_of(draft):
        return False
    who: dict[str, Any] = {"player": new[0].player} if new[0].player is not None else {"position": new[0].position}
    events_of(draft).insert(0, {"event": "barred", **who})
    return True


def round_left_out(draft: Draft) -> bool:
    """The record lacks a round."""
    draft.line["_left_out"] = not draft.first_of_shoe
    return not draft.first_of_shoe


def round_invented(draft: Draft) -> bool:
    """The record has a round twice."""
    extra = {key: value for key, value in draft.line.items() if key not in ("events", "format")}
    draft.line["_extra"] = extra
    return True


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
