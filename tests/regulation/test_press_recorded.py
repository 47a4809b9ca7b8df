"""A press in a table record: what is said of it, what was paid for it, and when its wager was settled."""

from __future__ import annotations

from typing import Any

import pytest
from shoetool.judge import registry_table as reg
from shoetool.judge.finding import Finding
from shoetool.model.protocol_table import Peek, Role
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.pressing import press_word
from short_shoe import Short
from table_case import READER, event, findings, line
from wager_table import rules_for

KEY, HOUSE = "trilux_deluxe", "house_money"
RULES, BOTH = rules_for(KEY), rules_for(KEY, HOUSE)


def straight() -> Short:
    """Position 1 has 4♣ 5♦ against 6♥, draws K♣ to 19 and stands; the dealer goes over 21."""
    s = Short()
    s.start(1)
    s.opening({1: "4C"}, "6H", {1: "5D"}, "KS")
    s.give(1, "KC", Role.DRAW)
    s.stand(1)
    s.reveal()
    s.card(Role.DEALER_DRAW, 0, "9H")
    s.close(25)
    s.end()
    return s


def sevens() -> Short:
    """Position 1 stands on 7♣ 7♦ against 7♥; the dealer makes 18."""
    s = Short()
    s.start(1)
    s.opening({1: "7C"}, "7H", {1: "7D"}, "6C")
    s.stand(1)
    s.reveal()
    s.card(Role.DEALER_DRAW, 0, "5H")
    s.close(18)
    s.end()
    return s


def queens(result: Peek = Peek.NO_BLACKJACK, hole: str = "9S") -> Short:
    """Position 1 has J♣ K♦ against Q♥ and stands."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1)
    s.opening({1: "JC"}, "QH", {1: "KD"}, hole)
    s.add("peek", result)
    if result == Peek.NO_BLACKJACK:
        s.stand(1)
    s.reveal()
    s.close(19 if result == Peek.NO_BLACKJACK else 21)
    s.end()
    return s


def told(*decisions: Any, side: tuple[str, ...] = (KEY,), **more: Any) -> dict[str, Any]:
    """The line of position 1 with $10 and these optional wagers of $5."""
    one = {"position": 1, "wager": "10.00", "side": dict.fromkeys(side, "5.00"), "decisions": list(decisions)}
    return line(1, one, **more)


def paid(**amounts: str) -> list[dict[str, Any]]:
    return [
        {"position": 1, "wager": key, **({"hand": 1} if key in ("main", "press") else {}), "amount": amount}
        for key, amount in amounts.items()
    ]


def found(s: Short, one: dict[str, Any], rules: RulesSubmission = RULES) -> list[Finding]:
    return findings(s, [one], rules)


def judged(s: Short, one: dict[str, Any], rules: RulesSubmission = RULES) -> list[tuple[str | None, str]]:
    return [(each.clause, each.check) for each in found(s, one, rules)]


@pytest.mark.clause("633c.11(e)#1", "633c.11(e)#2", "633c.11(f)#1")
@pytest.mark.parametrize("press", [{"press": "40"}, "press", {f"press.{KEY}": "40.00"}, f"press.{KEY}"])
def test_a_press_that_was_paid_even_money_is_in_order(press: Any) -> None:
    assert judged(straight(), told(press, "hit", "stand", paid=paid(trilux_deluxe="40", main="10", press="40"))) == []
    whole = [{"position": 1, "amount": "90.00"}]
    assert judged(straight(), told(press, "hit", "stand", paid=whole)) == []


@pytest.mark.clause("633c.11(f)#1")
def test_a_press_that_was_paid_wrongly_or_not_at_all_is_named() -> None:
    for press, words in (
        ({"press": "60"}, "position 1, hand 1, press: +40.00 was due (19; the dealer has 25, over 21, pays even money"),
        ({}, "position 1, hand 1, press: +40.00 was due (19; the dealer has 25, over 21, pays even money"),
    ):
        payments = paid(trilux_deluxe="40", main="10", **press)
        (one,) = found(straight(), told("press", "hit", "stand", paid=payments))
        assert (one.clause, one.check) == ("633c.11(f)", reg.PAID)
        assert words in one.sentence
    payments = paid(trilux_deluxe="40", main="10", press="40")
    (one,) = found(straight(), told("hit", "stand", paid=payments))  # nobody capped
    assert "press: 0.00 was due (no such wager was placed)" in one.sentence


@pytest.mark.clause("633c.11(e)#1")
def test_a_press_of_too_much_or_after_a_card_is_named() -> None:
    for decisions, words in (
        (({"press": "40.50"}, "hit", "stand"), "at most $40.00"),
        (("hit", {"press": "40"}, "stand"), "after the reader and before the turn"),
        ((f"press.{HOUSE}", "hit", "stand"), "no House Money Wager"),
    ):
        (one,) = found(straight(), told(*decisions))
        assert one.check == reg.BY_THE_RULES and words in one.sentence
        assert one.clause == ("633a.7(g)(10)(ii)" if HOUSE in words or "House" in words else "633c.11(e)")


@pytest.mark.clause("633c.11(e)#2", "633a.7(g)(10)(ii)(C)")
def test_two_presses_of_one_position_are_told_apart_in_a_record() -> None:
    """$15 of House Money lie on the main wager, $50 in the area of the press."""
    pressed = ({f"press.{HOUSE}": "15"}, {f"press.{KEY}": "50"})
    payments = paid(house_money="15", trilux_deluxe="75", main="-25", press="-50")
    both = (KEY, HOUSE)
    assert judged(sevens(), told(*pressed, "stand", side=both, paid=payments), BOTH) == []
    (one,) = found(sevens(), told({f"press.{HOUSE}": "15"}, "stand", side=both, paid=payments), BOTH)
    assert "press: 0.00 was due" in one.sentence
    unsure = found(sevens(), told("press", "stand", side=both, paid=payments), BOTH)
    assert [one.check for one in unsure] == [reg.UNSETTLED, reg.BY_THE_RULES]
    assert all(f"write press.{HOUSE} or press.{KEY}" in one.sentence for one in unsure)


@pytest.mark.clause("633c.11(d)#2", "633c.11(f)#2")
@pytest.mark.parametrize(
    ("settled", "after", "before"),
    [
        (("settled", "reader_used"), [("633c.11(f)", reg.WAITED)], []),
        (("reader_used", "settled"), [], [("633c.11(d)", reg.EARLY)]),
    ],
)
def test_a_winner_against_a_ten_is_settled_after_the_reader_or_before_it_by_the_setting(
    settled: tuple[str, ...], after: list[tuple[str, str]], before: list[tuple[str, str]]
) -> None:
    """T76."""
    events = [
        event("settled", 1, KEY, after_card=4) if name == "settled" else event(name, reading="no_blackjack")
        for name in settled
    ]
    one = told("press", "stand", events=[*events, event("settled", 1, "main", after_card=4)])
    assert judged(queens(), one) == after
    assert judged(queens(), one, rules_for(KEY, trilux_deluxe_press="before_reader")) == before


@pytest.mark.clause("633c.11(c)#1", "633c.11(d)#2")
def test_a_record_is_held_against_the_close_of_bets_and_the_time_of_settling() -> None:
    closed, placed = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    main = event("settled", 1, "main", after_card=6)  # stands for the press beside it too

    def judged_with(*events: dict[str, Any]) -> list[tuple[str | None, str]]:
        return judged(straight(), told("press", "hit", "stand", events=[*events, main]))

    paid_then, late = event("settled", 1, KEY, after_card=4), event("settled", 1, KEY, after_card=5)
    assert judged_with(placed, closed, paid_then) == []
    assert judged_with(closed, placed, paid_then) == [("633a.6(c) timing", reg.CLOSED)]
    assert judged_with(placed, closed, late) == [("633c.11(d)", reg.EARLY)]
    moved = event("bet_placed", 1, "press", after_card=4)  # winnings are added after the deal
    assert judged_with(placed, closed, paid_then, moved) == []


@pytest.mark.clause("633c.11(f)#2")
def test_a_press_against_the_dealers_blackjack_is_named_and_its_money_is_the_players() -> None:
    s = queens(Peek.BLACKJACK, "AS")
    payments = paid(trilux_deluxe="40", main="-10", press="0")
    assert judged(s, told(paid=payments[:2])) == []
    assert judged(s, told({"press": "40"}, paid=payments)) == [("633c.11(f)", reg.BY_THE_RULES)]
    before = rules_for(KEY, trilux_deluxe_press="before_reader")
    assert judged(s, told({"press": "40"}, paid=payments), before) == []
    lost = paid(trilux_deluxe="40", main="-10", press="-40")
    assert judged(s, told({"press": "40"}, paid=lost), before) == [("633c.11(f)", reg.PAID)]


@pytest.mark.clause("633c.11(e)")
def test_a_press_is_named_by_its_wager_only_beside_another_that_has_one() -> None:
    alone = {"trilux_deluxe", "perfect_pairs"}
    assert press_word("trilux_deluxe", alone) == "press"
    assert press_word("trilux_deluxe", alone | {"house_money"}) == "press.trilux_deluxe"
    assert press_word("house_money", alone | {"house_money"}) == "press.house_money"
