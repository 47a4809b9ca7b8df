"""What the dealer did at a simulated table, in the order in which the procedure has it: events of a table record."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from shoetool.judge.allowed import no_insurance
from shoetool.model.protocol_table import Role
from shoetool.model.times import utc_stamp
from shoetool.rules.games import game
from shoetool.rules.round import Line, Stage
from shoetool.rules.wagers.catalogue import verified_by
from shoetool.table.actions import OPENING_ROLES

from shoesim.wagers_draft import Draft

OPENED: Final = 1_795_176_000_000  # 2026-11-20 12:00 UTC
"""When the simulated table opens; a shoe takes three quarters of an hour."""
_SHOES_A_DECK: Final = 24
_SHOES_TO_AN_IDLE_HOUR: Final = 2
_SHOES_TO_A_BREAKDOWN: Final = 5
_MAIN: Final = frozenset({"main", "double", "press", "lammer"})
_OPENING: Final = OPENING_ROLES | {int(Role.DETERMINANT_ASIDE)}
_DEALERS: Final = frozenset((int(Role.DEALER_DRAW), int(Role.DISCARDED)))


def shoe_events(draft: Draft) -> list[dict[str, Any]]:
    """What stands before the first round of a shoe: decks, an idle hour, shuffle, cut, cover card."""
    rng, rules = draft.rng, draft.rules
    now = OPENED + 45 * 60_000 * (draft.shoes - 1)
    time = utc_stamp(now)
    found: list[dict[str, Any]] = []
    if draft.shoes == 1:
        found.append({"event": "table_opened", "time": time})
    if (draft.shoes - 1) % _SHOES_A_DECK == 0:  # within the 24 hours of 633a.3(d)
        found.append({"event": "decks_opened", "time": time, "preshuffled": False})
        for batch in draft.batches if rules.shoe == "double" or rules.shuffler == "automatic" else (None,):
            found += _spread(batch, face_up=True)
    elif draft.shoes % _SHOES_TO_AN_IDLE_HOUR == 0 and rules.shuffler != "continuous":
        found.append({"event": "table_idle"})
        found += _spread(draft.batches[1] if rules.shuffler == "automatic" else None, face_up=False)
    by = "hand" if rules.shuffler == "none" else "device"
    if rules.shuffler == "automatic" and draft.shoes % _SHOES_TO_A_BREAKDOWN == 0:
        found += [{"event": "shuffler_out_of_use"}, {"event": "shuffler_covered"}]
        by = "hand"
    found.append({"event": "shuffled", "time": time, "by": by})
    if rules.shuffler == "continuous":
        return found
    if draft.cover_due is not None and 0 < draft.cover_due < 9:
        offers = [draft.cover_due]
    else:
        seats = draft.last_seats or tuple(seat.position for seat in draft.seats)
        offers = sorted(seats, reverse=True)[: rng.randint(1, 2)]
    for at, position in enumerate(offers):
        accepted = at == len(offers) - 1
        found.append({"event": "cut_offered", "position": position, "accepted": accepted, "backs_away": True})
    cards = draft.batch_size
    found.append({"event": "cut", "position": offers[-1], "cards": rng.randint(10, max(10, cards - 10))})
    least = -(-cards // 4)
    placed = draft.cover_behind if draft.cover_behind is not None else least + rng.randint(0, 10)
    # Where it lay too deep the shoe says so itself, and this dealer did not count.
    found.append({"event": "cover_card_placed", **({"cards": placed} if placed >= least else {})})
    return found


def _spread(batch: int | None, *, face_up: bool) -> list[dict[str, Any]]:
    """Cards lie on the table for the first player to look at, then they are mixed and stacked."""
    which = {} if batch is None else {"batch": batch}
    spread = {"event": "cards_spread", **which, "face_up": face_up, "requested": False}
    return [spread, {"event": "cards_stacked", **which}]


class _Timed:
    """Events with their places, put in order at the end."""

    def __init__(self) -> None:
        self.items: list[tuple[int, int, dict[str, Any]]] = []

    def add(self, after: int, **event: Any) -> None:
        """One event after so many cards of the round; those of the same place keep the order in which they came."""
        self.items.append((after, len(self.items), {**event, "after_card": after}))

    def ordered(self) -> list[dict[str, Any]]:
        """All of them."""
        return [event for _, _, event in sorted(self.items, key=lambda item: item[:2])]


def round_events(draft: Draft) -> list[dict[str, Any]]:
    """The events of one round, from the close of bets to the last wager that was settled."""
    timed = _Timed()
    for wager, position in draft.hidden.accepted:
        timed.add(0, event="bet_placed", position=position, wager=wager)
    timed.add(0, event="bets_closed")
    settlement = draft.settlement
    round_ = draft.round
    cards = sorted({placed.card.record for placed in round_.placed})
    opening = max((placed.record for placed in round_.placed if placed.role in _OPENING), default=round_.record)
    dealt = sum(number <= opening for number in cards)
    if settlement is None or draft.table_round is None:
        if not round_.void:
            _insurance(draft, timed, dealt)
        return timed.ordered()
    if draft.table_round.void is not None:
        return timed.ordered()
    own = [card.record for card in (*round_.dealer, *round_.shared) if card.role in _DEALERS]
    before_dealer = sum(number < min(own) for number in cards) if own else len(cards)
    lines = [line for line in settlement.lines if line.position is not None]
    stages: dict[Stage, list[Line]] = {stage: [] for stage in Stage}
    for line in lines:
        stages[_stage(line, lines)].append(line)
    _settle(timed, dealt, stages[Stage.ANY_TIME])
    _early(draft, timed, dealt, stages[Stage.AFTER_DEAL])
    _before_reader(draft, timed, dealt)
    _settle(timed, dealt, stages[Stage.AFTER_READER])
    for (position, _), of_hand in groupby(stages[Stage.IN_TURN], lambda line: (line.position, line.hand)):
        hands = [hand for hand in round_.boxes.get(position or 0, []) if hand.cards]
        last = max((card.placed for hand in hands for card in hand.cards), default=opening)
        after = max(dealt, sum(number <= last for number in cards))
        _settle(timed, min(after, before_dealer), list(of_hand))
    if round_.revealed >= 0:
        timed.add(sum(number < round_.revealed for number in cards), event="hole_card_revealed")
    _settle(timed, before_dealer if round_.revealed >= 0 else len(cards), stages[Stage.HOLE_CARD])
    for stage in (Stage.AFTER_ALL, Stage.LAST):
        _settle(timed, len(cards), sorted(stages[stage], key=_from_the_right))
    _main(draft, timed, len(cards), stages[Stage.MAIN])
    return timed.ordered()


def _stage(line: Line, lines: list[Line]) -> Stage:
    """When a line is settled: all that lies with a main wager together, at the latest time."""
    if line.wager not in _MAIN:
        return line.stage
    order = list(Stage)
    return max(
        (one.stage for one in lines if one.wager in _MAIN and (one.position, one.hand) == (line.position, line.hand)),
        key=order.index,
    )


def _from_the_right(line: Line) -> int:
    return -(line.position or 0)


def _early(draft: Draft, timed: _Timed, dealt: int, lines: list[Line]) -> None:
    """Optional wagers after the deal, and hands that are dead already."""
    even = {seat.position for seat in draft.seats if seat.even_money}
    lines = [line for line in lines if not (line.wager in _MAIN and line.position in even)]
    _settle(timed, dealt, sorted(lines, key=_from_the_right))


def _before_reader(draft: Draft, timed: _Timed, dealt: int) -> None:
    _insurance(draft, timed, dealt)
    if draft.actions.read is not None:
        reading = "blackjack" if draft.actions.read == 1 else "no_blackjack"
        timed.add(dealt, event="reader_used", reading=reading)


def _insurance(draft: Draft, timed: _Timed, dealt: int) -> None:
    up = draft.round.dealer[0].card if draft.round.dealer else 63
    if 0 <= up < 52 and not no_insurance(game(draft.rules.game), up) and draft.round.insured >= 0:
        timed.add(dealt, event="insurance_offered")
        if draft.rules.even_money:
            timed.add(dealt, event="even_money_offered")
        for seat in draft.seats:
            if seat.even_money:
                timed.add(dealt, event="even_money_paid", position=seat.position)


def _settle(timed: _Timed, after: int, lines: list[Line]) -> None:
    """One event for each wager; double and lammer go with their main wager, verified winners are verified first."""
    done: set[tuple[int | None, str, int | None]] = set()
    for line in lines:
        wager = "main" if line.wager in _MAIN or (line.wager == "bonus" and line.hand is not None) else line.wager
        key = (line.position, wager, line.hand)
        if key in done:
            continue
        done.add(key)
        asked = verified_by(line.wager)
        for clause, _ in line.notes:
            if line.won > 0 and clause in asked:
                timed.add(after, event=asked[clause], position=line.position, wager=line.wager)
        hand = {} if line.hand is None else {"hand": line.hand}
        timed.add(after, event="settled", position=line.position, wager=wager, **hand)


def _main(draft: Draft, timed: _Timed, after: int, lines: list[Line]) -> None:
    """Main wagers by the procedure of the rules submission."""
    around = sorted(lines, key=_from_the_right)
    if draft.rules.settlement_procedure == 2:
        _settle(timed, after, around)
        return
    hands = {(line.position, line.hand) for line in around if line.net > 0}
    losers = [line for line in around if (line.position, line.hand) not in hands]
    _settle(timed, after, losers)
    _settle(timed, after, [line for line in around if (line.position, line.hand) in hands])
