"""Envy bonuses: what players get for another player's hand, one line for each player who gets something.

A hand counts by its first two cards, whoever bet on it (633c T74). Each player with the wager gets the amount that the
paytable prints for it; nobody gets one for a hand of his own, and two boxes of one player are both his own. Where the
paytable prints a most, the best amount of the round is all that a player gets (633c T22). Where the text counts players
and not hands, the first of another player's hands is paid (633c.10(h)(5)). `Envy` has what a house may read otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shoetool.model.money import money_words
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Row
from shoetool.rules.round import Box, Line, Stage, TableRound
from shoetool.rules.wagers import View
from shoetool.rules.wagers.choice import word_of
from shoetool.rules.wagers.progressive import ENVY, Envy
from shoetool.settle.bonus import player_of
from shoetool.settle.offer import Offer
from shoetool.settle.terms import Terms


@dataclass(frozen=True, slots=True)
class _Holder:
    """A hand with an outcome that pays an envy bonus."""

    box: Box
    row: Row
    stage: Stage


def envy_lines(terms: Terms, table_round: TableRound) -> list[Line]:
    """Return a line for each player who gets an envy bonus, from the dealer's right; none in nearly every round."""
    lines: list[Line] = []
    views: list[tuple[Box, View]] = []
    for offer in terms.offers():
        envy = offer.wager.envy
        if envy is not None and offer.pays_envy and any(offer.key in box.side for box in table_round.boxes):
            views = views or list(_views(terms, table_round))
            lines += _of_wager(terms, table_round, offer, envy, views)
    return lines


def _views(terms: Terms, table_round: TableRound) -> Iterator[tuple[Box, View]]:
    """Every hand that has its first two cards, from the dealer's right."""
    for box in reversed(table_round.boxes):
        if box.initial and all(len(cards) > 1 for cards in box.initial):
            yield box, View.of(terms.rules, table_round, box)


def _of_wager(
    terms: Terms, table_round: TableRound, offer: Offer, envy: Envy, views: list[tuple[Box, View]]
) -> Iterator[Line]:
    bet = [box for box in reversed(table_round.boxes) if offer.key in box.side and box.initial]
    only_bet = word_of(envy.holder, terms.rules) == "wager"
    row = word_of(envy.rows, terms.rules)
    holders = [one for one in _holders(offer, only_bet, views) if row in ("", "all", one.row.key)]
    if not holders:
        return
    by_box = word_of(envy.boxes, terms.rules) == "box"
    own = word_of(envy.goes_to, terms.rules) == "own"
    served: set[str | int] = set()
    for box in bet:
        who = _who(box, by_box)
        found = [one for one in holders if (_who(one.box, by_box) == who) == own]
        if own:
            found = [one for one in found if one.box is box]
        elif envy.once:
            found = list({_who(one.box, by_box): one for one in found}.values())
        if not found or (who in served and not own):
            continue
        served.add(who)
        yield _line(terms, box, offer, envy, found)


def _holders(offer: Offer, only_bet: bool, views: list[tuple[Box, View]]) -> Iterator[_Holder]:
    for box, view in views:
        if only_bet and offer.key not in box.side:
            continue
        outcome = offer.outcome(view)
        row = None if outcome is None else offer.envy(outcome)
        if row is not None:
            yield _Holder(box, row, offer.result(view).stage)


def _line(terms: Terms, box: Box, offer: Offer, envy: Envy, holders: list[_Holder]) -> Line:
    staked = box.side[offer.key]
    amounts = [_amount(terms, envy, one.row, staked) for one in holders]
    limited = offer.most_envy and word_of(envy.most, terms.rules) != "hand"
    won = max(amounts) if limited else sum(amounts)
    hands = " and ".join(f"position {one.box.position} has {one.row.outcome}" for one in holders)
    most = ", of which the largest is paid" if limited and len(holders) > 1 else ""
    odds = Odds(money_words(won).removesuffix(".00"), "sum", sum=won)
    notes = tuple((envy.amounts or one.row.clause, f"envy bonus of {one.row.outcome}") for one in holders)
    return Line(
        *(box.position, None, offer.key, 0, ENVY, f"{hands}: envy bonus{most}", envy.clause, odds, 0, won),
        *("tray", holders[0].stage, tuple(dict.fromkeys(notes))),
    )


def _amount(terms: Terms, envy: Envy, row: Row, staked: int) -> int:
    amount = row.envy_for(staked)
    if word_of(envy.amount, terms.rules) == "scaled" and staked < envy.scaled_from:
        return amount * staked // envy.scaled_from
    return amount


def _who(box: Box, by_box: bool) -> str | int:
    return box.position if by_box else player_of(box)
