"""The table record that `shoetool simulate --table-record` writes beside its histories."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoesim.scenario import Scenario
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import EVERY_PLANT, WagerPlant, parse_wager_plant

from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import TABLE_RECORD
from shoetool.model.naming import DRAWS_TO_BIT
from shoetool.model.output_file import check_output, writing_whole
from shoetool.model.protocol_table import ShoeKind
from shoetool.model.toml_text import parse_toml
from shoetool.rules.submission.file import example, example_names, from_values, read_submission
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS


@dataclasses.dataclass(slots=True)
class Wagers:
    """What to write: where, by which rules (as values and as a submission), and with which errors."""

    path: Path
    values: dict[str, Any]
    recorder: TableRecorder
    plants: tuple[WagerPlant, ...]

    def write(self, histories: Sequence[Path]) -> list[str]:
        """Write the record of these histories. Returns the errors that found no opportunity, as the user wrote them."""
        with writing_whole(self.path, TABLE_RECORD) as file:
            for history in histories:
                with ShoelogReader(history) as reader:
                    for line in self.recorder.lines(reader):
                        file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())
        return [
            f"{plant.name}@{plant.round}" if plant.round > 1 else plant.name for plant in self.recorder.book.waiting
        ]


def plan_wagers(path: Path | None, table: str | None, errors: Sequence[str], scenario: Scenario) -> Wagers | None:
    """Return what the options ask for, checked before the deal. None when no record is wanted. BadInput."""
    if path is None:
        if table is not None or errors:
            raise BadInput("--table and --wager-error go with --table-record FILE")
        return None
    check_output(path, TABLE_RECORD)
    if not path.parent.is_dir():
        raise BadInput(f"{path.parent}: no such folder for the table record")
    values = rules_values(table, scenario)
    rules = from_values(values, table or "the table")
    if rules.game != scenario.declared.name:
        text = f"the scenario deals {scenario.declared.name}, the rules submission is for {rules.game}"
        raise BadInput(f"{table}: {text}".replace("_", " "))
    if (rules.decks, rules.shoe == "double") != (scenario.decks, scenario.shoe_kind == ShoeKind.DOUBLE):
        kind = scenario.shoe_kind.name.lower()
        text = f"the scenario deals {scenario.decks} decks from a {kind} shoe"
        raise BadInput(f"{table}: {rules.decks} decks from a {rules.shoe} shoe; {text}")
    plants = tuple(parse_wager_plant(text) for text in errors)
    return Wagers(path, values, TableRecorder(rules, scenario.seed, plants, table=values), plants)


def at_the_table(scenario: Scenario, rules: RulesSubmission) -> Scenario:
    """Return the scenario for this table, with no more betting positions and splits than the table has."""
    seated = scenario.seated(rules.positions)
    options = scenario.options & (1 << DRAWS_TO_BIT) - 1 | rules.countdown_draws_to << DRAWS_TO_BIT
    return dataclasses.replace(seated, max_splits=min(scenario.max_splits, rules.resplits + 1), options=options)


def rules_values(table: str | None, scenario: Scenario) -> dict[str, Any]:
    """Return the rules submission as values: the named one, or the game's example with the scenario's decks."""
    if table is not None and (table.endswith(".toml") or table not in example_names()):
        text = read_submission(Path(table))
    else:
        double = scenario.shoe_kind == ShoeKind.DOUBLE
        text = example(table or ("double-shoe" if double else scenario.declared.name.replace("_", "-")))
    try:
        values = parse_toml(text)
    except ValueError as error:
        raise BadInput(f"{table}: not TOML: {error}") from None
    return values if table is not None else {**values, "decks": scenario.decks, **_switch_hands(scenario.options)}


def _switch_hands(options: int) -> dict[str, str]:
    """Return the settings of a table whose shoe deals switch hands, 633c.4; none for another."""
    if not options & SWITCH_HANDS:
        return {}
    order = {"switch_hands_order": "last"} if options & HANDS_LAST else {}
    return {"switch_hands": "premium" if options & PREMIUM else "all", **order, "chip_unit": "0.50"}


def error_rows() -> list[dict[str, str]]:
    """Return the errors that can be planted, each with the clause that `verify` names."""
    return [{"name": kind.name, "clause": kind.clause or "that of the wager"} for kind in EVERY_PLANT.values()]
