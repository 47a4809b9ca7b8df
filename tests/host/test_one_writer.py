"""Files are written in one place, `shoetool/model/output_file.py`: nothing of the host goes round it.

What has to go round it says so where it does, in a comment `past output_file: REASON` on the line or the one above.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST_TOOLS = ROOT / "host_tools"
THE_PLACE = HOST_TOOLS / "shoetool" / "model" / "output_file.py"
MARK = re.compile(r"# past output_file: \S+")

MODE = re.compile(r"[rwaxbtU]+\+?[bt]?")
WRITE_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}
# What writes a file, or gives one a new name, as a method of whatever.
METHODS = {"write_bytes", "write_text", "touch", "rename", "hardlink_to", "symlink_to", "link_to"}
OF_MODULES = {
    "os": {"rename", "renames", "replace", "link", "symlink", "truncate", "mknod", "mkfifo"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "make_archive", "unpack_archive"},
    "tempfile": {
        *("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "mkstemp", "mkdtemp"),
        "mktemp",
    },
    "sqlite3": {"connect"},
    "pq": {"write_table", "write_to_dataset"},
    "np": {"save", "savez", "savetxt"},
}
# Of libraries: they are handed a path, and write there.
LIBRARY = {
    *("savefig", "ParquetWriter", "write_feather", "write_dataset", "to_csv", "to_parquet"),
    *("Canvas", "BaseDocTemplate", "SimpleDocTemplate", "FileLock", "ZipFile", "TarFile", "FileHandler"),
    *("RotatingFileHandler", "GzipFile", "BZ2File", "LZMAFile", "FileIO"),
}


def imported_names(tree: ast.AST) -> dict[str, tuple[str, str]]:
    """Return (module, name) of each name that a module imports from another."""
    return {
        one.asname or one.name: (node.module or "", one.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }


def module_of(call: ast.Call) -> str:
    """Return the plain name before the dot of a call; an empty one when there is none."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.id if isinstance(owner, ast.Name) else ""


def opens_to_write(call: ast.Call) -> bool:
    """Whether a call of something named `open` or `fdopen` has a mode that writes, or one that nobody can tell."""
    builtin = isinstance(call.func, ast.Name)
    module = (
        call.func.value.id if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) else ""
    )
    takes_path = builtin or module in {"io", "gzip", "bz2", "lzma", "os", "codecs", "tarfile"}
    modes = [word.value for word in call.keywords if word.arg == "mode"] or call.args[1 if takes_path else 0 :][:1]
    for mode in modes:
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
            return MODE.fullmatch(mode.value) is not None and bool(set(mode.value) & set("wax+"))
        return builtin  # `Client.open(port)` has no mode at all
    return False


def written(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Yield each expression of a module that writes a file, with its word."""
    names = imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WRITE_FLAGS:
            yield node, node.attr
        if isinstance(node, ast.Constant) and node.value in WRITE_FLAGS:
            yield node, str(node.value)
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            module, name = names.get(node.func.id, ("", node.func.id))
            is_method = False
        elif isinstance(node.func, ast.Attribute):
            module, name, is_method = module_of(node), node.func.attr, True
        else:
            continue
        plain = len(node.args) == 1 and not node.keywords
        if name in {"open", "fdopen"} and (module, name) != ("os", "open"):
            found = opens_to_write(node)
        else:
            found = name in OF_MODULES.get(module, ()) or name in LIBRARY
            found = found or (is_method and (name in METHODS or (name == "replace" and plain)))  # a text's takes two
        if found:
            yield node, name


def marked(lines: list[str], node: ast.expr) -> int | None:
    """Return the number of the line that marks an expression; None when none does."""
    numbers = range(node.lineno - 1, (node.end_lineno or node.lineno) + 1)
    return next((number for number in numbers if MARK.search(lines[number - 1])), None)


def modules() -> list[Path]:
    found = [path for part in ("shoetool", "shoesim") for path in sorted((HOST_TOOLS / part).rglob("*.py"))]
    assert len(found) > 300
    return [path for path in found if path != THE_PLACE]


def test_no_module_writes_a_file_but_the_writer() -> None:
    wrong = []
    for path in modules():
        text = path.read_text(encoding="utf-8")
        for node, word in written(ast.parse(text)):
            if marked(text.splitlines(), node) is None:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {word}")
    assert wrong == []


def test_every_mark_marks_something() -> None:
    stale = []
    for path in modules():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        used = {marked(lines, node) for node, _ in written(ast.parse(text))}
        stale += [
            f"{path.relative_to(ROOT)}:{number}"
            for number, line in enumerate(lines, 1)
            if MARK.search(line) and number not in used
        ]
    assert stale == []


@pytest.mark.parametrize(
    "code",
    [
        'open(path, "w")',
        'open(path, mode="ab")',
        "open(path, mode)",
        'path.open("xb")',
        'path.open("r+b", buffering=0)',
        'path.open(mode="a")',
        'os.fdopen(3, "w")',
        'gzip.open(path, "wb")',
        "os.open(path, os.O_WRONLY)",
        'os.open(path, getattr(os, "O_RDWR"))',
        'path.write_text("")',
        'path.write_bytes(b"")',
        "path.touch()",
        "fresh.replace(path)",
        "fresh.rename(path)",
        "os.replace(fresh, path)",
        "from os import replace as put\nput(fresh, path)",
        "shutil.copyfile(one, other)",
        "from shutil import move\nmove(one, other)",
        "tempfile.NamedTemporaryFile()",
        "from tempfile import mkstemp\nmkstemp()",
        "figure.savefig(path)",
        "pq.ParquetWriter(path, schema)",
        "sqlite3.connect(path)",
        "Canvas(path)",
        "FileLock(path)",
    ],
)
def test_the_search_finds(code: str) -> None:
    assert list(written(ast.parse(code))), code


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        'open(path, "rb")',
        'path.open("rb")',
        "path.open(encoding='utf-8')",
        "os.open(path, os.O_RDONLY)",
        "Client.open(port)",
        'text.replace("a", "b")',
        "dataclasses.replace(one, seed=1)",
        "moment.replace(tzinfo=UTC)",
        "tempfile.gettempdir()",
        "shutil.which('x')",
    ],
)
def test_the_search_leaves_alone(code: str) -> None:
    found = [word for _, word in written(ast.parse(code))]
    assert found == []
