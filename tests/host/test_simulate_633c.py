"""A simulated table with single wagers of ch. 633c: the card of Blazing 7's, and the errors that are planted."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from click.testing import CliRunner
from in_process_shoe import InProcessShoe
from shoesim.scenario import Scenario, run_scenario
from shoesim.wagers_plants import MYSTERY_PLANTS, PLANTS_633C, WAGER_PLANTS, WagerPlant
from shoetool.cli import build
from shoetool.model.protocol_table import HandEnd, Peek
from shoetool.model.records import Record
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.table.table import EXTRA_CARD
from shoetool.verify import verify
from table_session import judged, recorded
from test_axman import multiplied
from test_blackjack_match import matched
from test_press_recorded import straight
from wagers_offered import offering

SEVENS = {242: (3, 2), 323: (2, 1)}
"""By seed: the round in which the dealer has Blackjack, and the position that has two 7s."""


@cache
def dealt(seed: int, options: int = EXTRA_CARD) -> tuple[Record, ...]:
    scenario = Scenario(options=options, seed=seed, players=(7, 7), rounds=3)
    print("seed", seed)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    return tuple(shoe.history())


def rounds_of(history: tuple[Record, ...]) -> dict[int, Round]:
    replay, found = Stream(), {}
    for record in history:
        closed = replay.feed(record).closed_round
        if closed is not None and closed.closed >= 0:
            found[closed.number] = closed
    return found


def table(*more: str) -> RulesSubmission:
    return offering(RulesSubmission.default("blackjack", 6), "blazing_7s", *more)


@pytest.mark.clause("633c.9(d)(4)#2")
@pytest.mark.parametrize("seed", SEVENS)
def test_the_dealer_gives_two_sevens_their_card_and_verify_has_nothing_to_say(seed: int) -> None:
    number, position = SEVENS[seed]
    round_ = rounds_of(dealt(seed))[number]
    assert round_.peek == Peek.BLACKJACK
    (hand,) = round_.boxes[position]
    assert [card.card % 13 for card in hand.cards[:2]] == [6, 6]
    assert (len(hand.cards), hand.ended) == (3, HandEnd.DEALER_BLACKJACK)
    assert verify(dealt(seed)).findings == []
    for wagers in range(6):
        _, lines = recorded(dealt(seed), table("hit_and_run"), wagers)
        assert judged(dealt(seed), lines, table("hit_and_run")).findings == []


@pytest.mark.clause("633c.9(d)(4)#2")
def test_where_the_shoe_is_not_set_up_for_it_no_such_wager_is_placed() -> None:
    for seed, (number, position) in SEVENS.items():
        history = dealt(seed, 0)
        assert len(rounds_of(history)[number].boxes[position][0].cards) == 2
        for wagers in range(6):
            _, lines = recorded(history, table(), wagers)
            (seat,) = [one for one in lines[number - 1]["positions"] if one["position"] == position]
            assert "side" not in seat
            assert judged(history, lines, table()).findings == []


@pytest.mark.clause("633c.9(d)#1")
def test_a_planted_wager_before_the_last_one_is_named() -> None:
    recorder, lines = recorded(dealt(242), table("hit_and_run"), 1, [WagerPlant("last_before_others")])
    (planted,) = recorder.planted
    (found,) = judged(dealt(242), lines, table("hit_and_run")).findings
    assert (found.clause, found.round) == ("633c.9(d)", planted.round)


@pytest.mark.clause("633c.10(h)(5)#2")
def test_a_planted_envy_bonus_that_was_left_out_is_named() -> None:
    """Two positions have the dealer's A♠ 10♠."""
    rules = offering(RulesSubmission.default("blackjack", 6), "blackjack_match")
    rules = replace(rules, wagers={key: replace(one, options=frozenset({"envy"})) for key, one in rules.wagers.items()})
    history = tuple(matched().s.records)
    for plants, clauses in (([], []), ([WagerPlant("envy_left_out")], ["633c.10(h)(5)"])):
        recorder, lines = recorded(history, rules, 1, plants)
        assert len(recorder.planted) == len(plants)
        found = judged(history, lines, rules).findings
        assert [one.clause for one in found if "Blackjack Match" in one.sentence] == clauses


@pytest.mark.clause("633c.12(j)#2", "633c.12(j)#3")
@pytest.mark.parametrize(("second", "paid"), [("9S", "50.00"), ("KD", "125.00")])
def test_a_planted_payment_without_its_multiplier_is_named(second: str, paid: str) -> None:
    """Position 1 has K♦, and position 2 none; the dealer has a pair of jacks."""
    rules = offering(RulesSubmission.default("blackjack", 6), "axman")
    rules = replace(rules, wagers={"axman": WagerOffer("", 5_00, 5_00)})
    history = tuple(multiplied(second).s.records)
    for plants in ([], [WagerPlant("multiplier_left_out")]):
        told = (recorded(history, rules, seed)[1][0]["positions"] for seed in range(40))
        seed = next(seed for seed, seats in enumerate(told) if all("side" in seat for seat in seats))
        recorder, lines = recorded(history, rules, seed, plants)
        (amount,) = [one["amount"] for one in lines[0]["paid"] if (one["position"], one["wager"]) == (1, "axman")]
        assert amount == ("25.00" if plants else paid) and len(recorder.planted) == len(plants)
        found = judged(history, lines, rules).findings
        assert [one.clause for one in found if "AxMan" in one.sentence] == (["633c.12(g)"] if plants else [])


@pytest.mark.clause("633c.7(c)", "633c.8(d)#2", "633c.11(c)#2", "633c.15(d)")
@pytest.mark.parametrize(
    "plant, keys, clause",
    [
        ("wager_alone", ("three_card_poker", "top_3"), "633c.7(c)"),
        ("settled_after_draw", ("lucky_aces",), "633c.8(d)"),
        ("side_above_main", ("upcard_luck",), "633c.15(d)"),
        ("side_above_main", ("trilux_deluxe",), "633c.11(c)"),
    ],
)
def test_a_planted_error_of_one_wager_is_named_in_its_round_and_nothing_else_is(
    plant: str, keys: tuple[str, ...], clause: str
) -> None:
    rules = offering(RulesSubmission.default("blackjack", 6), *keys)
    _, lines = recorded(dealt(242, 0), rules, 2)
    assert judged(dealt(242, 0), lines, rules).findings == []
    recorder, lines = recorded(dealt(242, 0), rules, 2, [WagerPlant(plant)])
    (planted,) = recorder.planted
    (found,) = judged(dealt(242, 0), lines, rules).findings
    assert (found.clause, found.round) == (clause, planted.round)


@pytest.mark.clause("633c.11(e)#1", "633c.11(f)#1")
@pytest.mark.parametrize(
    ("plant", "clause"),
    [
        ("press_too_big", "633c.11(e)"),
        ("press_after_hit", "633c.11(e)"),
        ("press_paid_3_to_2", "633c.11(f)"),
    ],
)
def test_a_planted_error_of_a_press_is_named_and_nothing_else_is(plant: str, clause: str) -> None:
    rules = offering(RulesSubmission.default("blackjack", 6), "trilux_deluxe")
    history = tuple(straight().s.records)
    for plants in ([], [WagerPlant(plant)]):
        recorder, lines = recorded(history, rules, 4, plants)
        assert len(recorder.planted) == len(plants)
        assert [one.clause for one in judged(history, lines, rules).findings] == [clause] * len(plants)


@pytest.mark.clause("633c.11(e)#2")
def test_a_hand_that_was_pressed_and_given_up_is_settled_once() -> None:
    """The press goes with the main wager, which is settled in the player's turn."""
    rules = offering(RulesSubmission.default("blackjack", 6), "trilux_deluxe", "house_money")
    found = 0
    for wagers in range(1, 4):
        _, lines = recorded(dealt(323, 0), rules, wagers)
        found += '"surrender"' in (text := json.dumps(lines)) and '"wager": "press"' in text
        assert judged(dealt(323, 0), lines, rules).findings == []
    assert found


def test_the_errors_of_single_wagers_are_listed_with_the_others() -> None:
    shown = CliRunner().invoke(build(), ["simulate", "--list"]).output
    assert all(name in shown for name in (*WAGER_PLANTS, *MYSTERY_PLANTS, *PLANTS_633C))
