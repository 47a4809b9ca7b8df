"""Wrong payments, wagers and decisions: each changes the draft of a line in place and says whether it could."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shoetool.model.money import cents
from shoetool.round_file.fields import MISSED
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.hands import STANDS_ON, best_total
from shoetool.rules.paytable import paytable
from shoetool.rules.round import Line
from shoetool.rules.submission.rules import draw_for
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.pressing import PRESS_WORDS
from shoetool.rules.wagers.progressive import ENVY

from shoesim.wagers_draft import Draft, money


def _pay(draft: Draft, wanted: Callable[[Line], bool], amount: Callable[[Line], int | None]) -> bool:
    """Write another amount for the first wager that fits; None leaves its entry out."""
    if draft.settlement is None:
        return False
    for line in draft.settlement.lines:
        if line.position is None or not wanted(line):
            continue
        paid = draft.line.get("paid", [])
        for entry in paid:
            if (entry["position"], entry.get("wager"), entry.get("hand")) != (line.position, line.wager, line.hand):
                continue
            if entry["amount"] != money(line.net):
                break  # two lines of one wager were paid in one sum
            other = amount(line)
            if other is None:
                paid.remove(entry)
            else:
                entry["amount"] = money(other)
            return True
    return False


def _pays(wanted: Callable[[Line], bool], amount: Callable[[Line], int | None]) -> Callable[[Draft], bool]:
    return partial(_pay, wanted=wanted, amount=amount)


overpaid = _pays(lambda line: line.net > 0, lambda line: line.net + 5_00)
underpaid = _pays(lambda line: line.net > 0, lambda line: line.net - 1)
loser_not_collected = _pays(lambda line: line.net < 0, lambda line: 0)
winner_not_paid = _pays(lambda line: line.net > 0, lambda line: None)
blackjack_6_to_5 = _pays(
    lambda line: line.wager == "main" and line.odds is not None and line.odds.text == "3 to 2",
    lambda line: line.staked * 6 // 5,
)
press_paid_3_to_2 = _pays(lambda line: line.wager == "press" and line.won > 0, lambda line: line.staked * 3 // 2)
push_paid = _pays(lambda line: line.wager == "main" and line.net == 0 and line.staked > 0, lambda line: line.staked)


def multiplier_left_out(draft: Draft) -> bool:
    """A winner is paid by the row alone, although the player's cards multiply its odds."""
    rules = draft.rules

    def by_the_row(line: Line) -> int:
        table = paytable(line.wager, rules.wagers[line.wager].paytable, rules.decks, rules.paytable_game(line.wager))
        return int(table.row(line.outcome).odds.paid(line.staked))

    def multiplied(line: Line) -> bool:
        wager = WAGERS.get(line.wager)
        return wager is not None and wager.multiplier is not None and line.net > by_the_row(line)

    return _pay(draft, lambda line: line.net > 0 and multiplied(line), by_the_row)


def envy_left_out(draft: Draft) -> bool:
    """A player gets what his wager won, and not the envy bonus beside it."""
    lines = [] if draft.settlement is None else draft.settlement.lines
    for envy in [line for line in lines if line.outcome == ENVY]:
        own = [line for line in lines if (line.position, line.wager) == (envy.position, envy.wager)]
        for entry in draft.line.get("paid", []):
            if (entry["position"], entry.get("wager")) == (envy.position, envy.wager):
                entry["amount"] = money(sum(line.net for line in own if line.outcome != ENVY))
                return True
    return False


def paid_without_wager(draft: Draft) -> bool:
    """A wager that nobody placed is paid."""
    if draft.settlement is None or not draft.seats:
        return False
    position = draft.seats[0].position
    wager = next(key for key in WAGERS if key not in draft.seats[0].side)
    if any(line.position == position and line.wager == wager for line in draft.settlement.lines):
        return False
    draft.line["paid"].append({"position": position, "wager": wager, "amount": "5.00"})
    return True


def press_too_big(draft: Draft) -> bool:
    """More winnings are added to the main wager than there are."""
    for seat in draft.line["positions"]:
        for decision in seat["decisions"]:
            if isinstance(decision, dict) and (word := next(iter(decision))) in PRESS_WORDS:
                decision[word] = money(cents(decision[word]) + draft.rules.chip_unit)
                return True
    return False


def press_after_hit(draft: Draft) -> bool:
    """Winnings are added after the player drew a card."""
    for seat in draft.line["positions"]:
        words = seat["decisions"]
        for at, decision in enumerate(words):
            if isinstance(decision, dict) and next(iter(decision)) in PRESS_WORDS and words[at + 1 : at + 2] == ["hit"]:
                words[at], words[at + 1] = words[at + 1], words[at]
                return True
    return False


def decision_changed(draft: Draft) -> bool:
    """The record has another decision than the one that was dealt."""
    for seat in draft.line["positions"]:
        words = seat["decisions"]
        for at, word in enumerate(words):
            if word in ("hit", "stand") and words[at + 1 : at + 2] not in ([one] for one in MISSED):
                words[at] = "stand" if word == "hit" else "hit"
                return True
    return False


def _change(
    draft: Draft, wanted: Callable[[BettingPosition], bool], make: Callable[[BettingPosition], BettingPosition]
) -> bool:
    for at, seat in enumerate(draft.seats):
        if wanted(seat):
            draft.seats[at] = make(seat)
            return True
    return False


def over_the_limit(draft: Draft) -> bool:
    """A main wager above the table's limit."""
    return _change(draft, lambda seat: True, lambda seat: seat._replace(wager=draft.rules.maximum + 100))


def wager_not_offered(draft: Draft) -> bool:
    """An optional wager that the table does not offer."""
    key = next((key for key in WAGERS if key not in draft.rules.wagers), None)
    if key is None:
        return False
    return _change(draft, lambda seat: True, lambda seat: seat._replace(side={**seat.side, key: 5_00}))


def side_over_the_limit(draft: Draft) -> bool:
    """An optional wager above its limit."""

    def more(seat: BettingPosition) -> BettingPosition:
        key = next(iter(seat.side))
        return seat._replace(side={**seat.side, key: draft.rules.wagers[key].maximum + 100})

    return _change(draft, lambda seat: bool(seat.side), more)


def wager_alone(draft: Draft) -> bool:
    """An optional wager lies without the one that must lie beside it."""
    for at, seat in enumerate(draft.seats):
        for beside in [WAGERS[key].beside for key in seat.side]:
            if beside is not None and beside.wager in seat.side:
                side = {key: cents for key, cents in seat.side.items() if key != beside.wager}
                draft.seats[at] = seat._replace(side=side)
                return True
    return False


def side_above_main(draft: Draft) -> bool:
    """An optional wager that may be no larger than the main wager is larger, and within its own limits."""
    for at, seat in enumerate(draft.seats):
        for key in seat.side:
            more = seat.wager * WAGERS[key].times_main + draft.rules.chip_unit
            if WAGERS[key].up_to_main and more <= draft.rules.wagers[key].maximum:
                draft.seats[at] = seat._replace(side={**seat.side, key: more})
                return True
    return False


def dealer_not_drawn(draft: Draft) -> bool:
    """A wager that keeps the dealer drawing lies in a round in which he stopped below 17."""
    key = next((key for key in draft.rules.wagers if key in draw_for(draft.rules)), None)
    cards = [card.card for card in draft.round.dealer]
    stopped = len(cards) > 1 and all(0 <= card < 52 for card in cards) and best_total(cards) < STANDS_ON
    if key is None or not stopped:
        return False
    staked = draft.rules.wagers[key].minimum
    return _change(draft, lambda seat: True, lambda seat: seat._replace(side={**seat.side, key: staked}))


def position_left_out(draft: Draft) -> bool:
    """A position plays without a wager in the record."""
    if len(draft.seats) < 2:
        return False
    del draft.seats[-1]
    return True


def too_many_boxes(draft: Draft) -> bool:
    """One player bets on more adjacent boxes than allowed."""
    most = draft.rules.adjacent_boxes
    positions = {seat.position for seat in draft.seats}
    for first in sorted(positions):
        run = range(first, first + most + 1)
        if all(position in positions for position in run):
            draft.seats[:] = [seat._replace(player="one") if seat.position in run else seat for seat in draft.seats]
            return True
    return False


def insurance_too_big(draft: Draft) -> bool:
    """Insurance of the whole wager."""
    return _change(draft, lambda seat: seat.insurance > 0, lambda seat: seat._replace(insurance=seat.wager))


def double_too_big(draft: Draft) -> bool:
    """A double of more than the wager."""

    def more(seat: BettingPosition) -> BettingPosition:
        words = tuple((word, seat.wager * 2 if word == "double" else cents) for word, cents in seat.decisions)
        return seat._replace(decisions=words)

    return _change(draft, lambda seat: any(word == "double" for word, _ in seat.decisions), more)


def meter_low(draft: Draft) -> bool:
    """A progressive meter shows less than it must."""
    meters = draft.line.get("meters", {})
    for key, amount in draft.meters.items():
        if key in meters and amount > draft.rules.meters[key].start + 100:
            meters[key] = money(amount - 1_00)
            return True
    return False
