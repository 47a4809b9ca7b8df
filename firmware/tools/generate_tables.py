"""Write what is generated: the tables of both sides from protocol.toml, games.toml and card_words.toml, the dissector
for Wireshark, the tables in PROTOCOL.md, FAULTS.md, and package.json. `--check` only says whether they are current.

Runs on the host's CPython. The firmware gets constants and struct formats (shoe/wire_table.py), the host the same plus
names, clauses and sentences (host_tools/shoetool/model/protocol_table.py). Exit code 0: current or written; 2: stale.
"""

from __future__ import annotations

import argparse
import json
import os
import pprint
import re
import struct
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import card_tables
import dissector
import game_tables
from build_pico import file_name, slot_sources, version

FIRMWARE = Path(__file__).resolve().parents[1]
SOURCE = FIRMWARE / "protocol.toml"
DEVICE_TABLE = FIRMWARE / "shoe" / "wire_table.py"
HOST_TABLE = FIRMWARE.parent / "host_tools" / "shoetool" / "model" / "protocol_table.py"

GAMES = FIRMWARE / "games.toml"
DEVICE_GAMES = FIRMWARE / "shoe" / "game_table.py"
HOST_GAMES = FIRMWARE.parent / "host_tools" / "shoetool" / "rules" / "games" / "game_table.py"
CARD_WORDS = FIRMWARE / "card_words.toml"
DEVICE_WORDS = FIRMWARE / "shoe" / "reading" / "card_words.py"
HOST_WORDS = FIRMWARE.parent / "host_tools" / "shoetool" / "model" / "card_words.py"
DISSECTOR = FIRMWARE.parent / "host_tools" / "shoetool" / "wireshark" / "shoe.lua"
DOCUMENT = FIRMWARE / "PROTOCOL.md"
FAULTS = FIRMWARE / "FAULTS.md"
PACKAGE = FIRMWARE / "package.json"
FAULTS_HEAD = """# Faults

Each way the shoe can fail has a named fault. It is recorded, latched over a restart and shown; one that stops the game
lights the stop lamp and engages the card stop. The supervisor key clears it once its cause is gone; what the key's
argument says is in the last column. `shoetool info` names the fault that is latched. Made from `protocol.toml` by
`make tables`.

| code | name | stops the game | what it means | what to do |
|---|---|---|---|---|
"""

LONGEST_CELL = 130
"""Longer meanings of records stand below the table of PROTOCOL.md."""
CODES = {"u8": "B", "u16": "H", "u32": "I"}


def struct_format(fields: list[str]) -> str:
    """Return the little-endian struct format of a field list; a closing `rest` field is left out."""
    out = "<"
    for field in fields:
        _, kind = field.split(":")
        if kind == "rest":
            assert field is fields[-1], f"rest must come last: {fields}"
        elif kind in CODES:
            out += CODES[kind]
        else:
            assert kind[0] == "b", f"unknown field type in {field}"
            out += kind[1:] + "s"
    return out


def check_unique(source: dict[str, Any]) -> None:
    """Ids are unique in each table, and a record fits the length byte of the journal."""
    for table in ID_TABLES:
        ids = [entry["id"] for entry in source[table].values()]
        assert len(ids) == len(set(ids)), f"{table}: an id stands twice"
    for name, values in source["enum"].items():
        assert len(values) == len(set(values.values())), f"enum.{name}: a value stands twice"
    games = max(source["enum"]["game"].values())
    assert source["config"]["game"]["max"] == games, f"config.game: max is {games}, the last of enum.game"


CARD = "card"
"""In place of a table that names values: a card's id."""
PARTS = ("fields", "request", "answer", "unasked")


def check_fields(source: dict[str, Any]) -> None:
    """What the table `field` names is there, and so are the tables that it names it with."""
    plain, whole = set(), set()
    for table in ("record", "message"):
        for name, entry in source[table].items():
            found = {field.split(":")[0]: field for part in PARTS for field in entry.get(part, ())}
            plain |= found.keys()
            whole |= {f"{name}.{field}" for field in found}
            assert found.keys() >= set(entry.get("later", ())), f"{table}.{name}: what came later is no field of it"
    rests = source["field"]["rest"]
    items = {f"{place}.{one.split(':')[0]}" for place, form in rests.items() if isinstance(form, list) for one in form}
    named = source["field"]["names"] | source["field"]["bits"]
    for place in named | rests:
        assert place in plain | whole | items, f"field: there is no field {place}"
    for place, table in named.items():
        assert table in {*source["enum"], *ID_TABLES, CARD}, f"field: {place} names no table"


def formats(source: dict[str, Any]) -> list[tuple[str, int | str]]:
    """Names and values of the constants that both tables begin with: numbers, or literals of formats."""
    protocol, page = source["protocol"], source["page"]
    return [
        *[(name.upper(), protocol[name]) for name in ("major", "minor", "max_covered")],
        ("HEADER_FORMAT", f'"{struct_format(protocol["header"])}"'),
        ("PAGE_SIZE", page["size"]),
        ("PAGE_HEADER_FORMAT", f'"{struct_format(page["header"])}"'),
        ("PAGE_MAGIC", f'b"{page["magic"]}"'),
        ("PAGE_FORMAT", page["format"]),
        ("RECORD_FORMAT", f'"{struct_format(page["record"])}"'),
    ]


ID_TABLES = {
    "record": "RecordKind",
    "irregularity": "IrregularityCode",
    "fault": "FaultCode",
    "config": "Setting",
    "message": "MessageKind",
}
"""The tables of ids, and the class of each on the host."""


def device_table(source: dict[str, Any]) -> str:
    lines = [
        '"""Ids, formats and limits of PROTOCOL.md; generated from protocol.toml by generate_tables.py."""',
        "",
        "from shoe.compat import const",
        "",
        *[f"{name} = {f'const({value})' if isinstance(value, int) else value}" for name, value in formats(source)],
    ]
    for name, values in source["enum"].items():
        lines += ["", f"# enum.{name}"]
        lines += [f"{name.upper()}_{key.upper()} = const({value})" for key, value in values.items()]
    lines += ["", "# records"]
    lines += [f"REC_{name.upper()} = const({entry['id']})" for name, entry in source["record"].items()]
    lines += ["", "# payload formats by record kind", "RECORD_FORMATS = {"]
    lines += [f'    {e["id"]}: "{struct_format(e["fields"])}",' for e in source["record"].values()]
    lines += ["}", "", "# irregularities"]
    lines += [f"IRR_{name.upper()} = const({entry['id']})" for name, entry in source["irregularity"].items()]
    lines += ["", "# faults"]
    lines += [f"FAULT_{name.upper()} = const({entry['id']})" for name, entry in source["fault"].items()]
    stops = tuple(e["id"] for e in source["fault"].values() if e["stop"])
    lines += [f"STOPPING_FAULTS = {stops}", "", "# settings: id -> (min, max, default)"]
    lines += [f"CFG_{name.upper()} = const({entry['id']})" for name, entry in source["config"].items()]
    lines += ["SETTINGS = {"]
    lines += [f"    {e['id']}: ({e['min']}, {e['max']}, {e['default']})," for e in source["config"].values()]
    lines += ["}", "", "# messages"]
    lines += [f"MSG_{name.upper()} = const({entry['id']})" for name, entry in source["message"].items()]
    lines += [
        "ANSWER = const(128)",
        "",
        "# fixed parts of requests, answers and unasked messages by id",
        "REQUEST_FORMATS = {",
    ]
    messages = source["message"].values()
    lines += [f'    {e["id"]}: "{struct_format(e["request"])}",' for e in messages if "request" in e]
    lines += ["}", "ANSWER_FORMATS = {"]
    lines += [f'    {e["id"]}: "{struct_format(e["answer"])}",' for e in messages if "answer" in e]
    lines += ["}", "UNASKED_FORMATS = {"]
    lines += [f'    {e["id"]}: "{struct_format(e["unasked"])}",' for e in messages if "unasked" in e]
    lines += ["}", "# service methods that carry out the requests", "REQUEST_NAMES = {"]
    lines += [f'    {e["id"]}: "{name}",' for name, e in source["message"].items() if "request" in e]
    lines += [
        "}",
        "REST_REQUESTS = " + repr(tuple(e["id"] for e in messages if "rest" in "".join(e.get("request", [])))),
        "# what the gate carries out and not the service",
        "GATE_REQUESTS = " + repr(tuple(e["id"] for e in messages if e.get("gate"))),
        "# what a provisioned shoe takes only with the command key",
        "PRIVILEGED_REQUESTS = " + repr(tuple(e["id"] for e in messages if e.get("privileged"))),
        "# and of those what it takes without the key too",
        "KEYLESS_REQUESTS = " + repr(tuple(e["id"] for e in messages if e.get("keyless"))),
    ]
    return "\n".join(lines) + "\n"


def split(fields: list[str]) -> tuple[tuple[str, ...], ...]:
    """Return the fields as (name, type)."""
    return tuple(tuple(field.split(":")) for field in fields)


def class_name(enum: str) -> str:
    """Return the name of an enumeration's class: `shoe_kind` is `ShoeKind`."""
    return "".join(part.capitalize() for part in enum.split("_"))


def host_table(source: dict[str, Any]) -> str:
    out = [
        '"""Protocol tables of the host. Generated from firmware/protocol.toml by `make tables`: do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from enum import IntEnum",
        "from typing import Any, Final",
        "",
        *[f"{name}: Final = {value}" for name, value in formats(source)],
    ]
    for name, values in source["enum"].items():
        out += ["", "", f"class {class_name(name)}(IntEnum):"]
        out += [f"    {key.upper()} = {value}" for key, value in values.items()]
    for table, kind in ID_TABLES.items():
        out += ["", "", f"class {kind}(IntEnum):"]
        out += [f"    {name.upper()} = {entry['id']}" for name, entry in source[table].items()]
    for table in ID_TABLES:
        rows = {}
        for name, entry in source[table].items():
            row = {"name": name} | {k: v for k, v in entry.items() if k != "id"}
            for part in PARTS:
                if part in entry:
                    row[part] = split(entry[part])
                    row[part + "_format"] = struct_format(entry[part])
            rows[entry["id"]] = row
        text = pprint.pformat(rows, width=116, sort_dicts=False)
        out += ["", f"{table.upper()}S: Final[dict[int, dict[str, Any]]] = {text}"]
    words = {
        class_name(enum): {source["enum"][enum][key]: text for key, text in texts.items()}
        for enum, texts in source["words"].items()
    }
    out += ["", f"WORDS: Final[dict[str, dict[int, str]]] = {pprint.pformat(words, width=116, sort_dicts=False)}"]
    fields = source["field"]
    for table in ("names", "bits"):
        kinds = {place: ID_TABLES.get(name) or class_name(name) for place, name in fields[table].items()}
        text = pprint.pformat(kinds, width=116, sort_dicts=False)
        out += ["", f"FIELD_{table.upper()}: Final[dict[str, str]] = {text}"]
    rests = {place: form if isinstance(form, str) else split(form) for place, form in fields["rest"].items()}
    text = pprint.pformat(rests, width=116, sort_dicts=False)
    out += ["", f"RESTS: Final[dict[str, str | tuple[tuple[str, str], ...]]] = {text}"]
    return "\n".join(out) + "\n"


def record_rows(source: dict[str, Any]) -> list[str]:
    """Markdown rows of the record kinds: id, name, payload size, fields, since, meaning. Long meanings come below."""
    rows = ["| id | record | bytes | fields | since | meaning |", "|---|---|---|---|---|---|"]
    below = [""]
    for name, entry in source["record"].items():
        fields = " ".join(f"`{field}`" for field in entry["fields"])
        size = struct.calcsize(struct_format(entry["fields"]))
        means = entry.get("means", "")
        if len(means) > LONGEST_CELL:
            below += listed(f"**{name}**: {means}")
            means = "see below"
        rows.append(f"| {entry['id']} | {name} | {size} | {fields} | {entry['since']} | {means} |")
    return rows + below


def listed(text: str) -> list[str]:
    """Markdown lines of an item of a list; a line does not break at a tilde, which stands for a space."""
    lines = textwrap.wrap(text, 120, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("~", " ") for line in lines]


def enum_rows(source: dict[str, Any]) -> list[str]:
    """Markdown lines of the enumerations."""
    items = {name: ", ".join(f"{value}~{key}" for key, value in row.items()) for name, row in source["enum"].items()}
    return [line for name, values in items.items() for line in listed(f"**{name}**: {values}")]


def setting_rows(source: dict[str, Any]) -> list[str]:
    """Markdown rows of the settings; the bits of one come below."""
    rows, below = [], [""]
    for row in coded_rows(source, "config", ("min", "max", "default", "means")):
        cells, mark, rest = row.partition("bit 0: ")
        rows.append(f"{cells}one bit for each, see below |" if mark else row)
        below += [line for bit in re.split("; (?=bits? )", mark + rest.rstrip(" |")) if mark for line in listed(bit)]
    return rows + below


def coded_rows(source: dict[str, Any], table: str, columns: tuple[str, ...]) -> list[str]:
    """Markdown rows of a table of codes with some of its columns."""
    rows = [f"| id | {table} | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns)]
    for name, entry in source[table].items():
        values = entry | ({"stop": "yes" if entry["stop"] else "no"} if "stop" in entry else {})
        cells = " | ".join(str(values[column]) for column in columns)
        rows.append(f"| {entry['id']} | {name} | {cells} |")
    return rows


def document(source: dict[str, Any], text: str) -> str:
    """PROTOCOL.md with the tables between its `generated` marks written anew."""
    tables = {
        "records": record_rows(source),
        "enumerations": enum_rows(source),
        "irregularities": coded_rows(source, "irregularity", ("clause", "means")),
        "faults": coded_rows(source, "fault", ("stop", "means", "act")),
        "settings": setting_rows(source),
    }
    for name, rows in tables.items():
        begin, end = f"<!-- generated: {name} -->\n", "<!-- end of generated -->"
        before, mark, rest = text.partition(begin)
        assert mark, f"PROTOCOL.md has no place for the table of {name}"
        text = before + begin + "\n".join(rows) + "\n" + rest[rest.index(end) :]
    return text


def package() -> str:
    """Text of package.json, for mip: a slot's modules of shoe and pico, without its `main`, which starts a shoe."""
    urls = []
    for name, path in slot_sources().items():
        if path.parent != FIRMWARE:
            urls.append([file_name(name, ".py"), os.path.relpath(path, FIRMWARE)])
    return json.dumps({"urls": sorted(urls), "deps": [], "version": version()}, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check them."""
    parser = argparse.ArgumentParser("generate_tables.py", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 2 when something is stale")
    check = parser.parse_args(arguments).check
    with SOURCE.open("rb") as file:
        source = tomllib.load(file)
    check_unique(source)
    check_fields(source)
    games = tomllib.loads(GAMES.read_text(encoding="utf-8"))
    numbers = source["enum"]["game"]
    game_tables.check(games, numbers)
    card_words = tomllib.loads(CARD_WORDS.read_text(encoding="utf-8"))
    card_tables.check(card_words)
    stale = 0
    texts = (
        (DEVICE_TABLE, device_table(source)),
        (HOST_TABLE, host_table(source)),
        (DEVICE_GAMES, game_tables.device_table(games, numbers)),
        (HOST_GAMES, game_tables.host_table(games, numbers)),
        (DEVICE_WORDS, card_tables.device_table(card_words)),
        (HOST_WORDS, card_tables.host_table(card_words)),
        (DISSECTOR, dissector.dissector(source)),
        (DOCUMENT, document(source, DOCUMENT.read_text(encoding="utf-8"))),
        (FAULTS, FAULTS_HEAD + "\n".join(coded_rows(source, "fault", ("stop", "means", "act"))[2:]) + "\n"),
        (PACKAGE, package()),
    )
    for path, text in texts:
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if current == text:
            continue
        if check:
            print(f"{path.name} is older than its source: run `make tables`", file=sys.stderr)
            stale = 2
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
