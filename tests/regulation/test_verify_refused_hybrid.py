"""A key that a shoe refused at a hybrid table, 633c.5, or that only such a table has: why, and under which clause."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Game, HandEnd, Key
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import HANDLED
from short_shoe import Short
from verify_cases_hybrid import NoHole, Table


def hit(table: Short, *terminals: int) -> Short:
    for terminal in terminals:
        table.add("hit", terminal, 0)
    return table


def stood(table: Short, *terminals: int) -> Short:
    table.stand(*terminals)
    return table


def a_card_came() -> Short:
    table = NoHole()
    hit(table, 1, 2)
    table.shared("2C")
    return table


def plain() -> Short:
    table = Short()
    table.start(1)
    return table


def opening(game: Game) -> Short:
    table = Short(game, burn=False)
    if game == Game.HYBRID:
        table.add("selected", 1)
    table.start(1)
    return table


def seats(taken: int = 0b11, selected: int = 1) -> Short:
    table = Short(Game.HYBRID, burn=False)
    table.add("seats", taken)
    table.add("selected", selected)
    return table


CASES: list[tuple[Callable[[], Short], Key, str, str]] = [
    (plain, Key.HIT, "633c.5(r)", "not played on a hybrid table"),
    (plain, Key.COUNTDOWN, "633c.5(p)(2)", "not played on a hybrid table"),
    (seats, Key.DEAL, "633c.5(l)", "terminal 2 had selected no player position"),
    (lambda: seats(0b1100, 0b1000000), Key.DEAL, "633c.5(l)", "terminal 3 had selected no player position"),
    (Table, Key.SELECT, "633c.5(l)", "a round was open"),
    (NoHole, Key.SELECT, "633c.5(l)", "has no player positions to select"),
    (Table, Key.SWITCH, "633c.5(q)", "has no such key"),
    (NoHole, Key.MISSED, "633c.5(q)", "has no such key"),
    (NoHole, Key.INSURANCE, "633c.5(z)", "a terminal without a wager was named"),
    (lambda: NoHole(up="9H"), Key.INSURANCE, "633c.5(z)", "9♥ was up, and insurance is offered only with an ace up"),
    (a_card_came, Key.INSURANCE, "633c.5(z)", "a community card had come"),
    (lambda: opening(Game.HYBRID_NO_HOLE), Key.INSURANCE, "633c.5(z)", "the opening deal was not over"),
    (NoHole, Key.REVEAL, "633c.5(w)", "the dealer has no hole card"),
    (lambda: opening(Game.HYBRID), Key.DOUBLE, "633c.5(p)(2)", "the opening deal was not over"),
    (lambda: opening(Game.HYBRID), Key.REVEAL, "633c.5(s)", "the opening deal was not over"),
    (lambda: stood(Table(), 1, 2), Key.HIT, "633c.5(p)(2)", "every hand had ended"),
    (lambda: hit(Table(), 1, 2), Key.DOUBLE, "633c.5(r)", "a community card was due"),
    (lambda: hit(stood(NoHole(), 2), 1), Key.SPLIT, "633c.5(z)", "a community card was due"),
    (Table, Key.SURRENDER, "633c.5(p)(2)", "has no surrender"),
    (Table, Key.COUNTDOWN, "633c.5(p)(2)", "an argument was given"),
    (Table, Key.DOUBLE, "633c.5(p)(2)", "no hand of that name could choose it"),
    (
        lambda: stood(Table(), 1),
        Key.DOUBLE,
        "633c.5(p)(2)",
        "no hand of that name had still to choose, or could choose it",
    ),
    (lambda: stood(Table(), 1), Key.REVEAL, "633c.5(s)", "had not ended its hand"),
    (lambda: stood(Table(), 1, 2), Key.END_ROUND, "633c.5(p)(2)", "it does nothing at that time"),
    (lambda: stood(NoHole(), 1), Key.END_ROUND, "633c.5(bb)", "had not ended its hand"),
]


@pytest.mark.parametrize(("make", "key", "clause", "why"), CASES)
def test_a_refused_key_is_named_with_what_stood_in_its_way(
    make: Callable[[], Short], key: Key, clause: str, why: str
) -> None:
    table = make()
    table.irr(Irr.WRONG_KEY, detail=key)
    found = [finding for finding in table.findings() if finding.check == reg.KEYS]
    assert [(one.clause, one.verdict) for one in found] == [(clause, HANDLED)]
    assert why in found[0].sentence


def test_a_hand_that_went_over_may_be_the_last_to_end() -> None:
    """A hand that ended for any reason has ended: it is no longer waited for."""
    table = hit(stood(Table(), 2), 1)
    table.shared("KC")
    table.end_hand(1, HandEnd.BUST)
    table.irr(Irr.WRONG_KEY, detail=Key.HIT)
    (found,) = [finding for finding in table.findings() if finding.check == reg.KEYS]
    assert "every hand had ended" in found.sentence
