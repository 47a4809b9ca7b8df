"""The dissector for Wireshark: dissector.lua with the tables of protocol.toml. generate_tables.py writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).resolve().with_name("dissector.lua")
MARK = "-- @tables@\n"
NAMELESS = ("record", "irregularity", "fault", "config", "message")
"""The tables of ids that name values beside the enumerations."""
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SUITS = "♣♦♥♠"
BETTING_POSITIONS = range(1, 8)
COVER_CARD, TEST_CARDS, UNKNOWN_CARD = 52, 4, 63


def dissector(source: dict[str, Any]) -> str:
    """Return the text of the dissector."""
    before, mark, behind = TEMPLATE.read_text(encoding="utf-8").partition(MARK)
    assert mark, "dissector.lua has no place for the tables"
    fields = source["field"]
    enums = {name: {number: key for key, number in row.items()} for name, row in source["enum"].items()}
    enums |= {name: {row["id"]: key for key, row in source[name].items()} for name in NAMELESS}
    enums["card"] = card_names()
    enums["fault"][0] = "none"
    enums["position"] |= {box: f"position {box}" for box in BETTING_POSITIONS}
    later = {f"{name}.{field}": True for name, row in source["message"].items() for field in row.get("later", ())}
    tables = {
        "MAJOR": source["protocol"]["major"],
        "MAX_COVERED": source["protocol"]["max_covered"],
        "ENUMS": enums,
        "NAMES": fields["names"],
        "BITS": fields["bits"],
        "RESTS": {place: form if isinstance(form, str) else split(form) for place, form in fields["rest"].items()},
        "LATER": later,
        "MESSAGES": {row["id"]: {"name": name} | parts(row) for name, row in source["message"].items()},
        "RECORDS": {row["id"]: {"name": name} | parts(row) for name, row in source["record"].items()},
    }
    told = "-- Made by `make tables`: tables from firmware/protocol.toml, the rest from firmware/tools/dissector.lua.\n"
    return before + told + "".join(f"local {name} = {lua(value)}\n" for name, value in tables.items()) + behind


def split(fields: list[str]) -> list[list[str]]:
    """Return the fields as [name, type]."""
    return [field.split(":") for field in fields]


def parts(row: dict[str, Any]) -> dict[str, Any]:
    """Return the layouts of a message or a record."""
    return {part: split(row[part]) for part in ("fields", "request", "answer", "unasked") if part in row}


def card_names() -> dict[int, str]:
    """Return the names of cards by their ids (CARD_CODE.md)."""
    names = {13 * suit + rank: RANKS[rank] + SUITS[suit] for suit in range(4) for rank in range(13)}
    tests = {COVER_CARD + number: f"T{number}" for number in range(1, TEST_CARDS + 1)}
    return names | {COVER_CARD: "cover card"} | tests | {UNKNOWN_CARD: "unknown"}


def lua(value: Any, indent: str = "") -> str:
    """Return a value as Lua: tables in lines, lists of what is short in one."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return "{ " + ", ".join(lua(one) for one in value) + " }" if value else "{}"
    deeper = indent + "    "
    rows = [f"{deeper}{key(name)} = {lua(one, deeper)},\n" for name, one in value.items()]
    return "{\n" + "".join(rows) + indent + "}"


def key(name: int | str) -> str:
    """Return the key of a table in Lua."""
    return name if isinstance(name, str) and name.isidentifier() else f"[{lua(name)}]"
