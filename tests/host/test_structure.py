"""The borders between the parts: who may import whom, how long a module may be, what stands at the top level."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from shoetool.rules.games import GAMES
from shoetool.rules.wagers import WAGERS

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
BOARD = ROOT / "board"
HOST = ROOT / "host_tools" / "shoetool"
SIMULATOR = ROOT / "host_tools" / "shoesim"
SIMULATED = {"demo", "demo_signed", "simulate", "virtual", "wager_record"}  # the commands that run the simulator

# Firmware: a module may import those of its own room, of the rooms before it in the way of the data, and these.
DEVICE_ROOMS = ["reading", "dealing", "journal", "trust", "line", "app"]
DEVICE_SHARED = {"compat", "config", "game_table", "service_error", "version", "wire_table"}
DEVICE_LIBRARY = {"array", "struct", "binascii", "hashlib"}

# Host: a folder may import the folders of the layers below it, and itself.
HOST_LAYERS = [
    {"endings"},
    {"model"},
    {"wire", "rules"},
    {"history", "link", "odds"},
    {"table", "trust"},
    {"judge"},
    {"deal", "settle"},
    {"round_file"},
    {"report", "verify", "client"},
    {"case", "casino", "flash", "transparency"},
    {"archive", "audit"},
    {"serve"},
    {"cli"},
    {"start"},
]


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Every node of a module's tree. Several tests look at each module."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path) -> list[tuple[int, str]]:
    """Return (line, dotted module) of every import in a file, relative ones made absolute under their package."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = path.relative_to(HOST.parent if HOST in path.parents else FIRMWARE).with_suffix("").parts
                base = ".".join([*parents[: -node.level], *([base] if base else [])])
            if base in {"shoetool", "shoe", *(f"shoe.{room}" for room in DEVICE_ROOMS)} or node.module is None:
                found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
            else:
                found.append((node.lineno, base))
    return found


def device_rank(module: str) -> int:
    """The place in the way of the data of a firmware module, `dealing.fold`; what all rooms share comes first."""
    room, _, name = module.partition(".")
    if not name:
        assert room in DEVICE_SHARED, f"shoe.{module} belongs into a room"
        return -1
    return DEVICE_ROOMS.index(room)


def device_modules() -> list[Path]:
    return sorted(p for p in (FIRMWARE / "shoe").glob("**/*.py") if p.name != "__init__.py")


def test_a_firmware_module_imports_only_its_room_and_those_before_it() -> None:
    for path in device_modules():
        module = ".".join(path.relative_to(FIRMWARE / "shoe").with_suffix("").parts)
        own = device_rank(module)
        is_app = module.startswith("app.")
        for line, name in imported(path):
            where = f"{path.name}:{line} imports {name}"
            top = name.split(".")[0]
            if top == "shoe":
                assert device_rank(name.removeprefix("shoe.")) <= own, f"{where}: against the way of the data"
            elif module == "compat":
                assert top in {"micropython", "time", "asyncio", "sys"}, where
            elif is_app:
                assert top in DEVICE_LIBRARY | {"asyncio", "gc", "io", "sys"}, where
            else:
                assert top in DEVICE_LIBRARY, f"{where}: shoe modules do no I/O and know no board"


def test_only_main_imports_both_board_and_app() -> None:
    main = {name for _, name in imported(FIRMWARE / "main.py")}
    assert any(name.startswith("shoe.app.") for name in main)
    for path in BOARD.glob("**/*.py"):
        for line, name in imported(path):
            if name.split(".")[0] == "shoe":
                assert name == "shoe.compat", (
                    f"{path.name}:{line}: a board knows shoe.compat and nothing else of the shoe"
                )


def test_no_part_of_the_firmware_is_handed_the_application() -> None:
    """`App` makes the parts, and hands each of them what it uses."""
    handed = []
    for path in device_modules():
        for node in nodes(path):
            found = False
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                found = "app" in {argument.arg for argument in node.args.args}
            elif isinstance(node, ast.Call) and path.name == "app.py":
                found = any(isinstance(argument, ast.Name) and argument.id == "self" for argument in node.args)
            if found:
                handed.append(f"{path.name}:{node.lineno}")
    assert handed == []


def test_the_firmware_knows_a_game_by_its_facts_alone() -> None:
    """They stand once for both sides, in firmware/games.toml."""
    named = [path.name for path in device_modules() if path.name != "wire_table.py" and "GAME_" in path.read_text()]
    assert named == []


def host_modules() -> list[Path]:
    return sorted(HOST.glob("**/*.py"))


def host_part(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 else None


def host_layer(part: str) -> int:
    for rank, parts in enumerate(HOST_LAYERS):
        if part in parts:
            return rank
    raise AssertionError(f"shoetool.{part} has no layer")


def test_a_host_part_imports_only_layers_below_it() -> None:
    for path in host_modules():
        own = path.relative_to(HOST).with_suffix("").parts[0]
        if own in {"__init__", "__main__"}:
            continue
        for line, name in imported(path):
            where = f"{path.relative_to(ROOT)}:{line} imports {name}"
            assert name.split(".")[0] not in {"shoe", "board", "virtual", "pico"}, (
                f"{where}: host and firmware meet only in protocol.toml"
            )
            if name.split(".")[0] == "shoesim":
                assert own == "cli" and path.stem in SIMULATED, f"{where}: the simulator is for its commands alone"
            if name.split(".")[0] != "shoetool":
                continue
            part = host_part(name)
            if part is None or part == own or part.startswith("__"):
                continue
            assert host_layer(part) < host_layer(own), f"{where}: against the layers"


def test_the_simulator_knows_no_command_and_runs_the_firmware_as_a_process() -> None:
    for path in sorted(SIMULATOR.glob("*.py")):
        for line, name in imported(path):
            assert name.split(".")[0] not in {"shoe", "board", "virtual", "pico"}, f"{path.name}:{line} imports {name}"
            assert not name.startswith("shoetool.cli"), f"{path.name}:{line} imports {name}"


def modules_imported(path: Path, modules: dict[str, Path], top: Path) -> set[str]:
    """Which of `modules`, whose packages lie in `top`, a module imports, those for its types included."""
    package = path.parent.relative_to(top).parts
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join((*above, *((node.module,) if node.module else ())))
            for name in node.names:
                full = f"{base}.{name.name}"
                found.add(full if full in modules else base)
    return found & set(modules)


@pytest.mark.parametrize(
    "folders", [(HOST, SIMULATOR), (FIRMWARE / "shoe",)], ids=["the host's modules", "the firmware's"]
)
def test_no_modules_import_each_other_in_a_circle(folders: tuple[Path, ...]) -> None:
    top = folders[0].parent
    modules = {}
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        parts = path.relative_to(top).with_suffix("").parts
        modules[".".join(parts[:-1] if path.stem == "__init__" else parts)] = path
    left = {name: modules_imported(path, modules, top) - {name} for name, path in modules.items()}
    while leaves := {name for name, imports in left.items() if not imports & set(left)}:
        left = {name: imports for name, imports in left.items() if name not in leaves}
    assert sorted(left) == []


def test_only_the_server_with_the_door_runs_a_web_server() -> None:
    """Another one would not count what comes before the token."""
    servers = {"uvicorn", "http.server", "socketserver", "wsgiref", "websockets"}
    for path in host_modules():
        listens = {
            node.attr
            for node in nodes(path)
            if isinstance(node, ast.Attribute) and node.attr in ("create_server", "start_server")
        }
        place = path.relative_to(HOST).as_posix()
        if {name.split(".")[0] if name != "http.server" else name for _, name in imported(path)} & servers:
            assert place in ("serve/server.py", "cli/serve.py"), place
        assert not listens or place in ("serve/door.py", "cli/serve.py"), f"{place}: {listens}"


# Words that are also the key of a wager or the name of a game: what a hand or a reader came to, a decision, a setting.
OTHER_WORDS = {"blackjack", "switch", "super_match"}


def test_no_wager_and_no_game_is_named_outside_its_declaration() -> None:
    """Whoever decides something by a name has a fact that belongs in `rules/wagers` or `rules/games`."""
    named = {*WAGERS, *GAMES} - OTHER_WORDS
    for path in HOST.rglob("*.py"):
        place = path.relative_to(HOST).as_posix()
        if place.startswith(("rules/wagers/", "rules/games/")):
            continue
        words = {node.value for node in nodes(path) if isinstance(node, ast.Constant)}
        assert sorted(words & named) == [], place


def spoken(path: Path) -> set[str]:
    """Every name and every text of a module, but for docstrings."""
    found: set[str] = set()
    documents = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            found.add(str(node.value))
        for field in ("id", "attr", "arg", "name", "module"):
            found.add(str(getattr(node, field, "")))
    return found


@pytest.mark.parametrize("room", ["table", "judge", "deal", "settle", "verify"])
def test_no_engine_knows_a_wager_by_its_key_or_title(room: str) -> None:
    """What a wager does is a fact of its declaration, and so are its words in a sentence."""
    told = {word.lower() for key, wager in WAGERS.items() for word in (key, wager.title)}
    for path in sorted((HOST / room).rglob("*.py")):
        if path.stem.startswith("registry"):
            continue  # the texts of clauses, for people
        said = {text for text in spoken(path) if any(word in text.lower() for word in told)}
        assert said == set(), path.relative_to(HOST)


def test_no_module_is_longer_than_its_job() -> None:
    generated = {"protocol_table.py", "wire_table.py", "game_table.py", "card_words.py"}
    too_long = {
        str(path.relative_to(ROOT)): count
        for folder in (FIRMWARE, BOARD, ROOT / "host_tools")
        for path in folder.glob("**/*.py")
        if path.name not in generated and (count := len(path.read_text().splitlines())) > 400
    }
    assert not too_long


def test_no_module_is_named_utils() -> None:
    assert not [p for folder in (FIRMWARE, BOARD, ROOT / "host_tools") for p in folder.glob("**/util*.py")]


def test_every_reading_that_is_named_stands_in_the_table_of_readings() -> None:
    """ "reading 32" in code, tests and documents leads to a row of firmware/READINGS.md."""
    table = set(re.findall(r"^\| (\d+) \|", (FIRMWARE / "READINGS.md").read_text(), re.MULTILINE))
    named: dict[str, str] = {}
    for folder in (FIRMWARE, BOARD, ROOT / "host_tools", ROOT / "tests"):
        for path in [*folder.glob("**/*.py"), *folder.glob("**/*.md")]:
            for numbers in re.findall(r"\breadings? (\d+(?:(?:-| and |, )\d+\b)*)", path.read_text(), re.IGNORECASE):
                named |= dict.fromkeys(re.findall(r"\d+", numbers), str(path.relative_to(ROOT)))
    assert len(named) > 10
    assert {number: where for number, where in named.items() if number not in table} == {}


def test_whoever_asks_a_history_for_a_time_of_day_knows_which_readings_are_signed() -> None:
    """A TimedReader looks at the signatures itself; any other reader is told by the report of the same file."""
    asking = 0
    for path in sorted(HOST.glob("**/*.py")):
        asked = [
            node.lineno
            for node in nodes(path)
            if isinstance(node, ast.Attribute)
            and node.attr in ("moment", "span")
            and isinstance(node.value, ast.Name)
            and node.value.id == "reader"
        ]
        if not asked or path.name == "store.py":
            continue
        asking += 1
        called = {name for node in nodes(path) if isinstance(node, ast.Call) and (name := _called(node))}
        named = {alias for _, name in imported(path) for alias in name.split(".")}
        where = f"{path.relative_to(HOST)}:{asked[0]}"
        assert "ShoelogReader" not in called or "vouch" in called, f"{where}: open a TimedReader, or let a report vouch"
        assert "vouch" in called or {"timed_reader", "reading"} & named, f"{where}: no reader that knows signatures"
    assert asking >= 6


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
