"""Golden vectors: for every row of every optional wager's paytable a round and its amount, worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from shoetool.model.cards import parse_card
from shoetool.model.money import cents
from shoetool.rules.paytable import Paytable, paytable, paytables
from shoetool.rules.printed_meter import meter_key
from shoetool.rules.wagers import WAGERS
from wager_table import box_of, lines_of, rules_for

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "wagers.json").read_text())[
    "vectors"
]


def name_of(vector: Mapping[str, Any]) -> str:
    return f"{vector['wager']}-{vector.get('paytable', '')}{vector['decks']}-{vector['row']}-{vector['dealer']}"


def marked(vector: dict[str, Any]) -> Any:
    return pytest.param(vector, marks=pytest.mark.clause(vector.get("duty", vector["clause"])), id=name_of(vector))


@pytest.mark.parametrize("vector", [marked(vector) for vector in VECTORS])
def test_a_wager_pays_what_the_text_says(vector: Mapping[str, Any]) -> None:
    wager = vector["wager"]
    game, settings = vector.get("game", "blackjack"), vector.get("settings", {})
    rules = rules_for(
        wager,
        game=game,
        decks=vector["decks"],
        paytable=vector.get("paytable"),
        options=vector.get("options"),
        **settings,
    )
    box = box_of(
        vector["cards"],
        {wager: vector["staked"]},
        drawn=vector.get("drawn", ""),
        second=vector.get("second", ""),
    )
    fields: dict[str, Any] = {}
    if "meter" in vector:
        fields["meters"] = {wager: vector["meter"]}
    if "meters" in vector:
        fields["meters"] = {meter_key(wager, name): amount for name, amount in vector["meters"].items()}
    if "magic" in vector:
        fields["magic_card"] = parse_card(vector["magic"])
    if "lucky" in vector:
        fields["lucky_player"] = vector["lucky"]
    lines = lines_of(rules, vector["dealer"], box, **fields)
    own = [line for line in lines if line.wager == wager and line.position is not None]
    assert {line.outcome for line in own} == {vector["row"]}
    assert sum(line.net for line in own) == cents_signed(vector["net"])
    bonuses = {line.wager: line.net for line in lines if line.wager != wager}
    assert bonuses == {key: cents(amount) for key, amount in vector.get("also", {}).items()}
    if vector["row"] != "lost":
        assert paytable(wager, vector.get("paytable", ""), vector["decks"], rules.game).clause == vector["clause"]


def cents_signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


def _as_printed_first(table: Paytable) -> tuple[str, str]:
    """Name and decks of the first paytable with all of these rows: 633c.2(i) prints the same ones for many decks.

    633c.3(i) has the same names for six and for eight decks.
    """
    same = (one for one in paytables(table.wager) if one.clause == table.clause and one.rows == table.rows)
    return next((one.name, one.conditions()) for one in same)


def test_every_row_of_every_optional_paytable_has_a_vector() -> None:
    seen = set()
    for vector in VECTORS:
        table = paytable(vector["wager"], vector.get("paytable", ""), vector["decks"])
        outcome = next((one for one in WAGERS[vector["wager"]].outcomes if one.key == vector["row"]), None)
        keys = [*(outcome.rows if outcome else ()), *vector.get("also_rows", vector.get("also", ()))]
        seen |= {(table.wager, table.clause, _as_printed_first(table), key) for key in keys}
    rows = {
        (table.wager, table.clause, _as_printed_first(table), row.key)
        for table in paytables()
        if table.wager in WAGERS
        for row in table.rows
        if row.odds.kind != "loss"
    }
    assert rows - seen == set()
    assert seen - rows == set()
