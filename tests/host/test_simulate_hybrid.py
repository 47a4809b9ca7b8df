"""Errors of wagers, payments and order at simulated hybrid tables: each that is planted is found under its clause."""

from __future__ import annotations

from dataclasses import replace

import pytest
from in_process_shoe import InProcessShoe
from sampled import some
from shoesim.scenario import PRESETS, run_scenario
from shoesim.wagers_plants import WAGER_PLANTS, WagerPlant
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import Peek
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.rules.games import clause_in
from shoetool.rules.submission.file import from_values
from shoetool.table import replay
from shoetool.table.actions import CountdownOver
from shoetool.verify import BREACH, verify
from table_session import judge_of, recorded

ROUNDS = 25
NOT_JUDGED = ("round_left_out", "round_invented")
"""What only the history or only the record has is named and not judged."""
LEAST = {"hybrid": 35, "hybrid-no-hole": 24}
"""Errors that find an opportunity in these rounds, at least. None is of an order from seat to seat: 633c.5 has none."""


@pytest.mark.clause("633c.5(k)#2", "633c.5(l)", "633c.5(x)#1", "633c.5(t)(2)", "633c.5(g)")
@pytest.mark.parametrize("name", some(LEAST))
def test_each_error_at_a_hybrid_table_is_found_under_its_clause(name: str) -> None:
    values = rules_values(None, PRESETS[name])
    rules = from_values(values, name)
    scenario = at_the_table(replace(PRESETS[name], rounds=ROUNDS), rules)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    history = tuple(shoe.history())
    fired = 0
    for plant in WAGER_PLANTS:
        recorder, lines = recorded(history, rules, 1, (WagerPlant(plant),))
        found = verify(history, judge_of(lines, rules, required=True)).findings
        fired += len(recorder.planted)
        for planted in recorder.planted:
            clause = clause_in(scenario.game, planted.clause) if planted.clause else None
            if planted.clause == "633a.6(e)":  # which optional wagers, and of what size
                clause = scenario.declared.clauses.side_wagers
            breaches = {one.clause for one in found if one.verdict == BREACH or plant in NOT_JUDGED}
            assert breaches and clause in (None, *breaches), (plant, found)
        assert bool(found) == bool(recorder.planted), (plant, found)
    assert fired >= LEAST[name]


@pytest.mark.clause("633c.5(o)#1", "633c.5(o)#4", "633c.5(p)(2)", "633c.5(z)#1")
def test_simulated_hybrid_tables_meet_what_their_section_tells() -> None:
    """A campaign that never meets a case shows nothing of it: dealer's Blackjack, splits, doubles, countdowns."""
    seen = {"blackjack": 0, "split": 0, "doubled": 0, "countdown": 0, "own": 0}
    for name in LEAST:
        for seed in range(1, 6):
            scenario = replace(PRESETS[name], seed=seed)
            shoe = InProcessShoe(scenario)
            run_scenario(scenario, shoe)
            for round_ in replay.rounds(shoe.history()):
                seen["blackjack"] += round_.peek == Peek.BLACKJACK
                seen["split"] += any(hand.split for hand in round_.hands.values())
                seen["doubled"] += any(hand.doubled for hand in round_.hands.values())
                seen["countdown"] += bool(round_.of(CountdownOver))
                seen["own"] += len({tuple(card.record for card in own) for own in round_.own.values()}) > 1
    assert all(count >= 3 for count in seen.values()), seen


@pytest.mark.clause("633c.5(aa)#1", "633c.5(bb)#1")
def test_replay_shows_the_dealers_hand_of_each_terminal() -> None:
    """Without a hole card two terminals may play against other cards of the same dealer."""
    scenario = replace(PRESETS["hybrid-no-hole"], seed=3)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    several = 0
    for block in blocks(shoe.history()):
        if not isinstance(block, RoundBlock):
            continue
        rows = [line.plain for line in block.lines()]
        shown = [row for row in rows if row.startswith("  dealer")]
        hands = {" ".join(card_name(card.card) for card in block.round.dealer_of(box)) for box in block.round.own}
        assert len(shown) == len(hands)
        assert {hand for hand in hands if any(f" {hand} " in row for row in shown)} == hands
        assert not any("not played out" in row for row in rows)
        several += any("against position" in row for row in shown)
    assert several
