"""Every printed cell of 633c.2(i) and 633c.6(i), (j), as a parser of the source text alone froze it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.printed_meter import PrintedMeter

FROZEN = Path(__file__).parents[1] / "vectors" / "paytables_633c"
DECKS = {"Single": 1, "One": 1, "Two": 2, "Four": 4, "Six": 6, "Eight": 8}


def frozen(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FROZEN / name).read_text())["paytables"]
    return found


PARTY = frozen("jackpot_party.json")
SUPER = frozen("super_4.json")


def named(wager: str, name: str) -> Paytable:
    (table,) = (one for one in paytables(wager) if one.name == name)
    return table


def dollars(cents: int | None) -> str | None:
    return None if cents is None else f"${cents // 100:,}"


def party_name(printed: dict[str, Any]) -> str:
    number, option = printed["title"].split("—")[1], printed["option"].removeprefix("Option ")
    return f"{number}-{option}" if option else number


def printed_rows(meter: PrintedMeter) -> dict[str, str]:
    """The rows of the text for the figures of one meter: (label, cell)."""
    name = f"{meter.name.capitalize()} " if meter.name else ""
    seed = f"{name}meter seed/reseed" if meter.reseed else f"{name}meter seed"
    rates = {"Primary": meter.primary, "Secondary": meter.secondary, "Total": meter.total}
    if meter.name:
        rates = {meter.name.capitalize(): meter.primary}
    assert meter.reseed in ("", meter.seed)
    return {
        seed[0].upper() + seed[1:]: meter.seed,
        **{f"{key} increment rate": rate for key, rate in rates.items() if rate},
    }


def test_no_paytable_is_left_out_and_none_is_made_up() -> None:
    assert [party_name(one) for one in PARTY] == [table.name for table in paytables("jackpot_party")]
    assert [one["title"] for one in SUPER] == [
        f"Paytable {table.name.replace('-', '—Option ')}" for table in paytables("super_4")
    ]
    assert (len(PARTY), len(SUPER)) == (76, 8)


@pytest.mark.clause("633c.2(i)#2", "633c.2(i)#3", "633c.2(i)#4", "633c.2(i)#5", "633c.2(i)#6", "633c.2(b)")
@pytest.mark.parametrize("printed", PARTY, ids=party_name)
def test_every_cell_of_a_jackpot_party_paytable_is_that_of_the_text(printed: dict[str, Any]) -> None:
    table = named("jackpot_party", party_name(printed))
    decks = DECKS[printed["title"].split()[0]]
    assert [count for count in range(1, 17) if table.covers(count)] == [decks]
    cells = [(row["row"], row["pays"]) for row in printed["rows"]]
    envy = {row["row"]: cell for row in printed["rows"] for key, cell in row.items() if "Envy" in key}
    headings = {key for row in printed["rows"] for key in row if "Envy" in key}
    assert cells[: len(table.rows)] == [(row.outcome, row.odds.text) for row in table.rows]
    figures = {label: cell for meter in table.meters for label, cell in printed_rows(meter).items()}
    stake = {} if table.stake is None else {"Wager": dollars(table.stake)}
    assert dict(cells[len(table.rows) :]) == {**stake, **figures}
    assert envy == {row.outcome: dollars(row.envy_for(5_00)) for row in table.rows if row.envy}
    assert headings == ({"w/Max Envy" if table.most_envy else "w/Envy"} if envy else set())


@pytest.mark.clause("633c.6(i)#2", "633c.6(i)#3", "633c.6(i)#4")
@pytest.mark.parametrize("printed", SUPER, ids=lambda one: one["title"])
def test_every_cell_of_a_super_4_paytable_is_that_of_the_text(printed: dict[str, Any]) -> None:
    table = named("super_4", printed["title"].removeprefix("Paytable ").replace("—Option ", "-"))
    meters = {meter.name: meter for meter in table.meters}
    rows = []
    for row in table.rows:
        meter = meters.get(row.odds.meter) if row.odds.progressive else None
        assert meter is None or (meter.seed, meter.secondary, meter.total) == (meter.reseed, "", "")
        rows.append([row.outcome, row.odds.text, meter.seed if meter else "", meter.primary if meter else ""])
    assert rows == printed["rows"]
