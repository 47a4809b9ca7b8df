"""Dealt by the simulator: every scenario, every plant, every error of a table record, and 300 seeded sessions.

A plant is dealt on each table on which it can happen; the sessions mix plants, errors, rules and tables.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from golden_case import Case, Command
from golden_histories import UTC, deal, told_of, told_with, write_histories, write_record
from shoesim.plants import PLANTS, Plant
from shoesim.scenario import PRESETS, Scenario
from shoesim.wagers_plants import WAGER_PLANTS, WagerPlant
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.rules.submission.file import from_values, problems
from shoetool.rules.submission.wager_checks import offerable
from shoetool.rules.wagers import WAGERS
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS

SESSIONS = 300
SEARCHED = 12
"""How many seeds a plant gets to find its opportunity."""
DOUBLE = ShoeKind.DOUBLE
TABLES = {
    "blackjack": Scenario(decks=6),
    "one deck": Scenario(decks=1, players=(1, 4)),
    "double shoe": Scenario(shoe_kind=DOUBLE, decks=8),
    "small double shoe": Scenario(shoe_kind=DOUBLE, decks=2, players=(2, 4)),
    "double down card face down": Scenario(decks=4, options=1),
    "spanish 21": Scenario(game=Game.SPANISH_21, decks=6),
    "spanish 21 of eight decks": Scenario(game=Game.SPANISH_21, decks=8),
    "free bet": Scenario(game=Game.FREE_BET, decks=6, players=(2, 6)),
    "switch": Scenario(game=Game.SWITCH, decks=6, players=(1, 4)),
    "switch from a double shoe": Scenario(game=Game.SWITCH, shoe_kind=DOUBLE, decks=8, players=(2, 4)),
    "from the hand": Scenario(game=Game.FROM_THE_HAND, decks=1, players=(1, 3)),
    "switch hands": Scenario(decks=6, players=(2, 5), options=SWITCH_HANDS),
    "switch hands last": Scenario(shoe_kind=DOUBLE, decks=8, players=(2, 5), options=SWITCH_HANDS | HANDS_LAST),
    "blackjack premium": Scenario(decks=4, players=(2, 5), options=SWITCH_HANDS | PREMIUM),
    "no card reader device": Scenario(decks=6, reader=False),
}
HYBRIDS = {name: PRESETS[name] for name in ("hybrid", "hybrid-no-hole")}
"""Tables of the plants alone: the sessions were chosen before these could be dealt."""
METER: dict[str, Any] = {"meter": {"start": 5000, "reset": 5000, "rate": "10%"}}
CHANGES: tuple[dict[str, Any], ...] = (
    *({"surrender": word} for word in ("none", "way_1", "way_2")),
    *({"even_money": flag} for flag in (True, False)),
    *({"hold_blackjack": flag} for flag in (True, False)),
    *({"settlement_procedure": number} for number in (1, 2, 3)),
    *({"shuffler": word} for word in ("none", "automatic", "continuous")),
    *({"chip_unit": word} for word in ("0.25", "1.00", "5.00")),
    *({"resplits": number} for number in (0, 1, 2)),
)


# ------------------------------------------------------------------------------------------- scenarios and plants
def scenarios() -> list[Case]:
    """Every scenario of `simulate --list`, as a whole, with the table record of its table."""
    return [Case(name, partial(_scenario, name)) for name in PRESETS]


def _scenario(name: str) -> list[Command]:
    values = rules_values(None, PRESETS[name])
    scenario = at_the_table(PRESETS[name], from_values(values, name))
    histories = write_histories(deal(scenario)[0])
    record, _ = write_record(histories, values, scenario.seed)
    return [*told_of(histories), *told_with(record, histories)]


def plants() -> list[Case]:
    """Every irregularity of `simulate --list` on each table on which it can happen."""
    found = []
    for name in PLANTS:
        for table, scenario in {**TABLES, **HYBRIDS}.items():
            if able(name, scenario):
                found.append(Case(f"{name}, {table}", partial(_plant, name, scenario)))
    return found


def able(name: str, scenario: Scenario) -> bool:
    """Whether a plant can happen on this table."""
    try:
        replace(scenario, plants=(Plant(name),))
    except BadInput:
        return False
    return True


def _plant(name: str, scenario: Scenario) -> list[Command]:
    """Deal with the first seeds until it happens: a run whose fault never fired counts for nothing."""
    for seed in range(SEARCHED):
        records, truth = deal(replace(scenario, seed=seed, shoes=1, plants=(Plant(name),)))
        if any(one.name == name for one in truth.plants):
            histories = write_histories(records)
            return [("verify", *UTC, *histories), ("verify", *UTC, "--json", *histories)]
    raise AssertionError(f"{name} never happened with seeds 0 to {SEARCHED - 1}")


# ------------------------------------------------------------------------------------------- errors of a table record
def wager_errors() -> list[Case]:
    """Every error of wagers, payments and order, in Blackjack and wherever else it finds an opportunity."""
    tables = ("blackjack", "spanish 21", "free bet", "switch")
    return [
        Case(f"{name}, {table}", partial(_wager_error, name, TABLES[table]))
        for number, name in enumerate(WAGER_PLANTS)
        for table in (tables[0], tables[1 + number % 3])
        if (name, table) not in NEVER
    ]


BETWEEN = (
    *("backs_toward_dealer", "new_decks_face_down", "stacked_before_spread", "batches_opened_together"),
    *("idle_shoe_dealt_on", "idle_batch_dealt_on", "idle_cards_face_up", "shuffler_covered_late"),
)
"""Errors between the rounds. Sessions choose them apart: so what they chose before these were known stays."""
NEVER = frozenset(
    (
        ("meter_low", "free bet"),
        ("late_progressive_wager", "free bet"),
        ("side_wagers_clockwise", "free bet"),
        ("remaining_wagers_clockwise", "switch"),
        ("not_verified", "switch"),
        ("batches_opened_together", "spanish 21"),
        ("idle_batch_dealt_on", "switch"),
    )
)
"""Errors that a table gives no opportunity for: it has no such wager, or no shuffler."""


def _wager_error(name: str, table: Scenario) -> list[Command]:
    """Deal and pay with the first seeds until it happens; every second one two shoes to
    their cover cards, shuffled by hand and with an error in the first round already."""
    for seed in range(SEARCHED):
        values = offering_all(rules_values(None, table))
        if seed % 2:
            values |= {"shuffler": "none"}
        dealt = replace(table, seed=seed, rounds=None if seed % 2 else 12, shoes=1 + seed % 2)
        scenario = at_the_table(dealt, from_values(values, name))
        for path in Path().iterdir():
            path.unlink()
        histories = write_histories(deal(scenario)[0])
        first = 1 if name in BETWEEN else 2 - seed % 2  # between the rounds of one shoe there is little to do
        record, planted = write_record(histories, values, seed, (WagerPlant(name, first),))
        if planted:
            return [
                ("verify", *UTC, "--table-record", record, *histories),
                ("verify", *UTC, "--json", "--table-record", record, *histories),
            ]
    raise AssertionError(f"{name} never happened with seeds 0 to {SEARCHED - 1}")


def of_its_chapter(game: str) -> list[str]:
    """The optional wagers that the game's own chapter offers: those of ch. 633c came later, and change no corpus."""
    return [key for key in offerable(game) if WAGERS[key].chapter != "633c"]


def offering_all(values: dict[str, Any]) -> dict[str, Any]:
    """The rules submission with every optional wager that its game can have, each as the first paytable allows it."""
    for key in of_its_chapter(values["game"]):
        if key not in values.get("wagers", {}):
            values = offering(values, key)
    return values


def offering(values: dict[str, Any], key: str) -> dict[str, Any]:
    """The rules submission with one more optional wager; as it was when none of its paytables fits."""
    least = {"min": 5, "max": 25}
    letters = [{"paytable": letter} for letter in "ABCDE"]
    for more in ({}, *letters, METER, *({**letter, **METER} for letter in letters)):
        changed = {**values, "wagers": {**values.get("wagers", {}), key: {**least, **more}}}
        if not problems(changed):
            return changed
    return values


# ------------------------------------------------------------------------------------------- sessions
def sessions(table: str) -> list[Case]:
    """The seeded sessions that are dealt on this table."""
    tables = list(TABLES)
    return [
        Case(f"session {seed}, {table}", partial(_session, seed, TABLES[table]))
        for seed in range(SESSIONS)
        if tables[seed % len(tables)] == table
    ]


def _session(seed: int, table: Scenario) -> list[Command]:
    """A session with plants, a table record of rules that the seed chooses, and errors in it."""
    random = Random(f"session {seed}")
    values = _rules(rules_values(None, table), random)
    able_plants = [name for name in PLANTS if able(name, table) and name not in ("extra_card", "missing_card")]
    chosen = random.sample(able_plants, random.choice((0, 0, 1, 2, 3)))
    shoes = 2 if random.random() < 0.1 else 1
    rounds = None if random.random() < 0.06 else random.randint(2, 4)
    scenario = replace(
        table, seed=seed, rounds=rounds, shoes=shoes, dealer_every=4, plants=tuple(Plant(name) for name in chosen)
    )
    histories = write_histories(deal(at_the_table(scenario, from_values(values, "the table")))[0])
    errors = random.sample(sorted(WAGER_PLANTS.keys() - BETWEEN), random.choice((0, 0, 1, 2, 3)))
    chance = Random(f"between {seed}")
    errors += [chance.choice(BETWEEN)] if chance.random() < 0.3 else []
    record, _ = write_record(
        histories,
        values,
        seed,
        [WagerPlant(name, random.randint(1, 3)) for name in errors],
        events=random.random() < 0.8,
        whole=random.random() < 0.25,
    )
    return [*told_of(histories, records=False), *told_with(record, histories)]


def _rules(values: dict[str, Any], random: Random) -> dict[str, Any]:
    """The rules submission with other options and other wagers, as far as the regulation allows them."""
    if problems(values):  # the example's wagers are those of six decks
        values = {key: value for key, value in values.items() if key not in ("wagers", "aggregate_cap")}
    for change in random.sample(CHANGES, 6):
        if not problems({**values, **change}):
            values = {**values, **change}
    kept = {key: offer for key, offer in values.get("wagers", {}).items() if random.random() < 0.7}
    if not problems({**values, "wagers": kept}):
        values = {**values, "wagers": kept}
    for key in of_its_chapter(values["game"]):
        if key not in kept and random.random() < 0.4:
            values = offering(values, key)
    return values
