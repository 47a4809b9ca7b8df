"""Campaigns of the simulated dealer against the firmware's own dealing, in process, and of the verifier after it.

Every card, irregularity and verdict is compared with the truth. SIMULATE_SEEDS (default 3) seeds a table are dealt; a
failure shows its seed.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from in_process_shoe import InProcessShoe, all_of
from shoesim.dealer_truth import Truth, first_difference
from shoesim.plants import PLANTS, Plant
from shoesim.scenario import PRESETS, Scenario, run_scenario
from shoetool.model.naming import DRAWS_TO_BIT
from shoetool.model.protocol_table import FaultCode, Game, IrregularityCode, RecordKind, ShoeKind
from shoetool.rules.games import clause_in
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS
from shoetool.verify import verify

SEEDS = int(os.environ.get("SIMULATE_SEEDS", "3"))

TABLES = {
    "single": Scenario(decks=6),
    "one deck": Scenario(decks=1, players=(2, 5)),
    "double": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=8),
    "small double": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=2, players=(2, 5)),
    "spanish 21": Scenario(game=Game.SPANISH_21, decks=6),
    "free bet": Scenario(game=Game.FREE_BET, decks=6, players=(3, 6)),
    "double card face down": Scenario(decks=4, options=1),
    "no splits": Scenario(decks=2, max_splits=0, players=(1, 7)),
    "switch": Scenario(game=Game.SWITCH, decks=4, players=(1, 4)),
    "switch, double shoe, card on a double down": Scenario(
        game=Game.SWITCH, shoe_kind=ShoeKind.DOUBLE, decks=8, players=(2, 4), options=1, max_splits=1
    ),
    "from the hand": Scenario(game=Game.FROM_THE_HAND, decks=2, players=(1, 4), shoes=3),
    "switch hands": Scenario(decks=6, players=(2, 7), options=SWITCH_HANDS),
    "switch hands last, card on a double down": Scenario(
        decks=2, players=(1, 4), options=SWITCH_HANDS | HANDS_LAST | 1
    ),
    "switch hands, double shoe": Scenario(
        shoe_kind=ShoeKind.DOUBLE, decks=8, players=(2, 5), options=SWITCH_HANDS | HANDS_LAST
    ),
    "Blackjack premium, three shoes": Scenario(decks=2, players=(2, 5), shoes=3, options=SWITCH_HANDS | PREMIUM),
    "hybrid": Scenario(Game.HYBRID, players=(1, 7)),
    "hybrid without a hole card": Scenario(Game.HYBRID_NO_HOLE, decks=8, players=(1, 7), reader=False),
    "hybrid that draws to 14 after the countdown": Scenario(
        Game.HYBRID_NO_HOLE, players=(2, 5), reader=False, options=14 << DRAWS_TO_BIT
    ),
    "three shoes": Scenario(decks=1, shoes=3, players=(2, 4)),
    "three double shoes": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=2, shoes=3, players=(2, 4), side_a_color=1),
}

CODES = {
    "no_burn": IrregularityCode.BURN_MISSING,
    "no_dealer_burn": IrregularityCode.BURN_MISSING,
    "face_up_card": IrregularityCode.FACE_UP_CARD,
    "drawn_in_error": IrregularityCode.DRAWN_IN_ERROR,
    "drawn_before_choices": IrregularityCode.DRAWN_IN_ERROR,
    "drawn_in_error_exposed": IrregularityCode.DRAWN_IN_ERROR_EXPOSED,
    "dealer_draws_on_17": IrregularityCode.DEALER_DREW_ON_17,
    "dealer_misses_card": IrregularityCode.DEALER_MISSED_CARD,
    "too_few_cards": IrregularityCode.TOO_FEW_CARDS,
    "hand_without_cards": IrregularityCode.HAND_WITHOUT_CARDS,
    "hand_with_one_card": IrregularityCode.HAND_WITH_ONE_CARD,
    "switch_hand_skipped": IrregularityCode.HAND_WITH_ONE_CARD,
    "wrong_side": IrregularityCode.WRONG_SIDE,
    "missed_card": IrregularityCode.MISSED_CARD,
    "round_after_cover": IrregularityCode.DRAWN_WHILE_FINISHED,
    "extra_card": IrregularityCode.EXTRA_CARD,
    "foreign_card": IrregularityCode.FOREIGN_BATCH,
    "dealer_stops_short": IrregularityCode.DEALER_SHORT,
    "hole_not_revealed": IrregularityCode.HOLE_NOT_REVEALED,
    "unreadable_card": IrregularityCode.CARD_UNKNOWN,
    "second_face_up": IrregularityCode.SECOND_FACE_UP_CARD,
    "ten_found": IrregularityCode.TEN_FOUND,
    "second_ten": IrregularityCode.SECOND_TEN_FOUND,
    "card_refused": IrregularityCode.CARD_REFUSED,
    "card_discarded": IrregularityCode.CARD_DISCARDED,
    "reader_wrong_up_card": IrregularityCode.READER_WRONG_UP_CARD,
    "peek_missed": IrregularityCode.PEEK_MISSED,
    "peek_before_insurance": IrregularityCode.READER_MISUSED,
    "no_inspection": IrregularityCode.READER_NOT_INSPECTED,
}


def deal(scenario: Scenario, restarts: float = 0.0) -> tuple[InProcessShoe, Truth]:
    print("seed", scenario.seed, "plants", [(p.name, p.round) for p in scenario.plants])
    shoe = InProcessShoe(scenario, restarts)
    truth = run_scenario(scenario, shoe)
    return shoe, truth


def codes(shoe: InProcessShoe, kind: RecordKind) -> Counter[int]:
    return Counter(values[0] for _, known, values in shoe.records if known == kind)


def check_cards(shoe: InProcessShoe, truth: Truth) -> None:
    difference = first_difference(truth, shoe.history())
    assert difference is None, difference


@pytest.mark.parametrize("table", TABLES)
def test_a_clean_shoe_shows_every_card_and_no_irregularity(table: str) -> None:
    for seed in range(SEEDS):
        shoe, truth = deal(replace(TABLES[table], seed=seed))
        check_cards(shoe, truth)
        natural = {plant.name for plant in truth.plants}
        assert natural <= {"too_few_cards"}
        seen = codes(shoe, RecordKind.IRREGULARITY)
        assert {IrregularityCode(code).name for code in seen} == {CODES[name].name for name in natural}
        assert not codes(shoe, RecordKind.FAULT)
        assert not shoe.refused
        closed = [values for _, kind, values in shoe.records if kind == RecordKind.ROUND_CLOSED]
        assert len(closed) == truth.rounds
        counted = [values for _, kind, values in shoe.records if kind == RecordKind.COUNTED]
        assert all(verdict == 0 for _, verdict, *_ in counted)
        check_verdicts(TABLES[table], shoe, truth)


def planted(name: str, seed: int) -> Scenario:
    """Return a table on which this plant can happen, another one for each seed."""
    kind = PLANTS[name]
    rng = Random(f"{name} {seed}")
    if kind.switch_hands:
        return Scenario(
            decks=rng.choice((2, 4)), seed=seed, players=(2, 6), plants=(Plant(name),), options=SWITCH_HANDS
        )
    game = rng.choice(sorted(kind.games if ShoeKind.SINGLE in kind.shoes else {Game.BLACKJACK}))
    shoe_kind = rng.choice(sorted(kind.shoes)) if game == Game.BLACKJACK else ShoeKind.SINGLE
    hybrid = game in (Game.HYBRID, Game.HYBRID_NO_HOLE)
    decks = rng.choice((6, 8)) if hybrid or game == Game.SPANISH_21 else rng.choice((2, 4))
    if game == Game.FROM_THE_HAND:
        return Scenario(game, shoe_kind, decks // 2, seed, players=(2, 3), plants=(Plant(name),))
    reader = game != Game.HYBRID_NO_HOLE
    return Scenario(game, shoe_kind, decks, seed, players=(2, 6), plants=(Plant(name),), reader=reader)


def mixed(seed: int) -> Scenario:
    """Return a table with several plants at once."""
    rng = Random(f"mixed {seed}")
    table = TABLES[rng.choice(list(TABLES))]
    able = [
        Plant(name)
        for name, kind in PLANTS.items()
        if table.game in kind.games and table.shoe_kind in kind.shoes and name not in ("extra_card", "missing_card")
        if table.options & SWITCH_HANDS or not kind.switch_hands
        if table.reader or not kind.reader
    ]
    return replace(table, seed=seed, plants=tuple(rng.sample(able, min(len(able), rng.randint(2, 8)))))


def check_verdicts(scenario: Scenario, shoe: InProcessShoe, truth: Truth) -> None:
    """The verifier finds every plant that happened under its clause and with its verdict, and nothing else."""
    found = {(finding.clause, finding.verdict) for finding in verify(shoe.history()).findings}
    assert found == {(clause_in(scenario.game, plant.clause), plant.verdict) for plant in truth.plants}


@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_leaves_its_trace_and_no_other(name: str) -> None:
    fired = 0
    for seed in range(SEEDS):
        scenario = planted(name, seed)
        shoe, truth = deal(scenario)
        fired += any(plant.name == name for plant in truth.plants)
        check_cards(shoe, truth)
        seen = {IrregularityCode(code).name for code in codes(shoe, RecordKind.IRREGULARITY)}
        if name == "unreadable_card" and scenario.declared.no_hole:
            seen.discard("DEALER_SHORT")  # by a card that the shoe does not know, the dealer may need another one
        assert seen == {CODES[plant.name].name for plant in truth.plants if plant.name in CODES}
        if name == "missing_card":
            assert FaultCode.COUNT_WRONG in codes(shoe, RecordKind.FAULT)
        assert not shoe.refused
        check_verdicts(scenario, shoe, truth)
    assert fired, f"{name} never happened"


def test_a_cover_card_behind_the_last_card_of_a_round_lay_too_deep() -> None:
    """No round runs out of cards then, and nobody sees the cover card."""
    met = 0
    for seed in range(12):
        decks = 6 if seed % 2 else 8
        scenario = Scenario(Game.HYBRID, ShoeKind.SINGLE, decks, seed, (Plant("too_few_cards"),), players=(1, 7))
        shoe, truth = deal(scenario)
        check_verdicts(scenario, shoe, truth)
        met += {plant.name for plant in truth.plants} == {"cover_card_too_deep"}
    assert met


def test_shoes_full_of_plants_still_show_every_card() -> None:
    for seed in range(2 * SEEDS):
        scenario = mixed(seed)
        shoe, truth = deal(scenario)
        check_cards(shoe, truth)
        seen = {IrregularityCode(code).name for code in codes(shoe, RecordKind.IRREGULARITY)}
        assert seen >= {CODES[plant.name].name for plant in truth.plants if plant.name in CODES}
        assert not shoe.refused
        check_verdicts(scenario, shoe, truth)


@pytest.mark.parametrize("table", TABLES)
def test_power_cuts_between_any_two_steps_change_nothing(table: str) -> None:
    for seed in range(max(2, SEEDS // 5)):
        second = "drawn_before_choices" if TABLES[table].declared.facts.community else "missed_card"
        scenario = replace(TABLES[table], seed=seed, rounds=8, plants=(Plant("face_up_card"), Plant(second)))
        whole, truth = deal(scenario)
        cut, same = deal(scenario, restarts=0.2)
        assert all_of(same) == all_of(truth)
        assert cut.records == whole.records


@pytest.mark.parametrize("name", PRESETS)
def test_a_named_scenario_ends_as_its_name_says(name: str) -> None:
    """Clean ones have no finding; of planted ones every plant happens and is found."""
    scenario = PRESETS[name]
    shoe, truth = deal(scenario)
    check_cards(shoe, truth)
    check_verdicts(scenario, shoe, truth)
    assert {plant.name for plant in scenario.plants} <= {plant.name for plant in truth.plants}
    assert bool(scenario.plants) == bool(truth.plants)
