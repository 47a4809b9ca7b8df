"""The modules of a slot as they are compiled: what they ask of each other is there, and what the flashing tool asks."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402
from shoetool.flash import flasher, snippets  # noqa: E402

COMPILER = {"ptr8", "ptr16", "ptr32", "uint", "const", "micropython", "__name__", "__file__"}


@pytest.fixture(scope="module")
def slot() -> dict[str, str]:
    """Text of each module by its dotted name, as mpy-cross gets it."""
    return build_pico.slot_names().shortened()


def bound(text: str) -> set[str]:
    """Names that a module has."""
    found: set[str] = set()

    def look(table: symtable.SymbolTable) -> None:
        for symbol in table.get_symbols():
            top = table.get_type() == "module" and (symbol.is_assigned() or symbol.is_imported())
            if top or (symbol.is_declared_global() and symbol.is_assigned()):
                found.add(symbol.get_name())
        for inner in table.get_children():
            look(inner)

    look(symtable.symtable(text, "", "exec"))
    return found


def test_every_name_that_a_module_uses_is_there(slot: dict[str, str]) -> None:
    missing = []
    programs = {  # of a state machine: its instructions are no names
        (name, node.name)
        for name, text in slot.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and any("asm_pio" in ast.unparse(one) for one in node.decorator_list)
    }
    assert len(programs) == 1

    def look(name: str, table: symtable.SymbolTable, has: set[str]) -> None:
        if (name, table.get_name()) in programs:
            return
        for symbol in table.get_symbols():
            told = symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
            if told and symbol.get_name() not in has:
                missing.append(f"{name}: {table.get_name()}: {symbol.get_name()}")
        for inner in table.get_children():
            look(name, inner, has)

    for name, text in slot.items():
        look(name, symtable.symtable(text, name, "exec"), bound(text) | set(dir(builtins)) | COMPILER)
    assert not missing


def test_every_import_of_a_slots_module_finds_what_it_names(slot: dict[str, str]) -> None:
    names = {name: bound(text) for name, text in slot.items()}
    seen = 0
    for name, text in slot.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("shoe", "pico"):
                for alias in node.names:
                    seen += 1
                    there = f"{node.module}.{alias.name}" in slot or alias.name in names.get(str(node.module), ())
                    assert there, f"{name}: from {node.module} import {alias.name}"
    assert seen > 150


def test_what_the_flashing_tool_loads_and_asks_is_in_a_slot_under_that_name(slot: dict[str, str]) -> None:
    files = {build_pico.file_name(name, ".mpy") for name in slot}
    assert set(flasher._LAYOUT + flasher._JOURNAL) <= files
    programs = [text for text in vars(snippets).values() if isinstance(text, str)]
    asked = [found for text in programs for found in re.findall(r"^from (\S+) import (.+)$", text, re.MULTILINE)]
    asked = [(module, name) for module, names in asked if module[:4] in ("shoe", "pico") for name in names.split(", ")]
    assert ("shoe.version", "VERSION") in asked and len(asked) >= 6
    for module, name in asked:
        assert f"{module}.{name}" in slot or name in bound(slot[module]), (module, name)
    functions = set(re.findall(r"\bcommission\.(\w+)\(", " ".join(programs) + Path(flasher.__file__).read_text()))
    assert len(functions) >= 4 and functions <= bound(slot["shoe.app.commission"])


def test_what_the_flashing_tool_asks_before_a_start_does_not_load_the_application(slot: dict[str, str]) -> None:
    """A board holds it beside the tool's own program."""
    entered: set[str] = set()

    def load(name: str) -> None:
        if name in slot and name not in entered:
            entered.add(name)
            for node in ast.walk(ast.parse(slot[name])):
                if isinstance(node, ast.ImportFrom):
                    load(str(node.module))
                    for alias in node.names:
                        load(f"{node.module}.{alias.name}")

    load("shoe.app.commission")
    assert "shoe.config" in entered and "shoe.reading.head_margins" in entered
    assert not entered & {"shoe.app.app", "shoe.dealing.machine", "shoe.reading.read_head", "shoe.line.link"}


def test_what_the_flashing_tool_sends_into_the_ram_of_a_board_finds_there_what_it_imports(slot: dict[str, str]) -> None:
    """A blank board has no files: each module that is sent, all that it loads at once, and the packages of both."""
    sent = set(flasher._LAYOUT + flasher._JOURNAL)
    wanted = {name for name in slot if build_pico.file_name(name, ".mpy") in sent}
    for name in sorted(wanted):
        for node in ast.parse(slot[name]).body:
            if isinstance(node, ast.ImportFrom):
                found = {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
                wanted |= found & set(slot)
    wanted |= {name.rpartition(".")[0] for name in wanted} - {""}
    assert {build_pico.file_name(name, ".mpy") for name in wanted} == sent
