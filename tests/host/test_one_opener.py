"""All that is read goes through one opener: `shoetool/model/input_file.py`, and `database.py` beside it for SQLite.

What has to stay outside has a mark in the code, with its reason: `# reads: why`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "host_tools"
OPENERS = {"shoetool/model/input_file.py", "shoetool/model/database.py"}
MARK = re.compile(r"# reads: \S")
METHODS = {"read_bytes", "read_text", "load_cert_chain"}
FUNCTIONS = {
    "io": {"open", "open_code", "FileIO"},
    "os": {"open", "sendfile", "copy_file_range"},
    "sqlite3": {"connect"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
    "codecs": {"open"},
    "mmap": {"mmap"},
}
"""What reads a file that is named."""
LIBRARIES = {"pq", "pa", "pyarrow", "parquet", "np", "numpy"}
READS = re.compile(r"read_\w+|ParquetFile|ParquetDataset|dataset|memory_map|OSFile|load|loadtxt|fromfile|genfromtxt")


def root_of(node: ast.expr) -> ast.expr:
    """What a chain such as `files("a").joinpath("b") / "c"` begins with."""
    while True:
        match node:
            case ast.Attribute(value=inner) | ast.BinOp(left=inner):
                node = inner
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="resources"), attr="files"))
                | ast.Call(func=ast.Name(id="files"))
            ):
                return node
            case ast.Call(func=inner):
                node = inner
            case _:
                return node


def writes_only(call: ast.Call, place: int) -> bool:
    """Whether the mode of an `open` stands there, and is one for writing alone: the writer's test looks at these."""
    modes = [one.value for one in call.keywords if one.arg == "mode"] + call.args[place : place + 1]
    mode = modes[0].value if modes and isinstance(modes[0], ast.Constant) else "r"
    return isinstance(mode, str) and "+" not in mode and mode[:1] in ("w", "a", "x")


def reads(call: ast.Call) -> bool:
    """Whether a call opens a file to read it, as far as its name tells."""
    match call.func:
        case ast.Name(id="open"):
            return not writes_only(call, 1)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in FUNCTIONS:
            flags = {one.attr for one in ast.walk(call) if isinstance(one, ast.Attribute)}
            return attribute in FUNCTIONS[name] and not ((name, attribute) == ("os", "open") and "O_WRONLY" in flags)
        case ast.Attribute(value=receiver, attr=attribute):
            if isinstance(root_of(receiver), ast.Call):
                return False  # a file of the package
            if isinstance(receiver, ast.Name) and receiver.id in LIBRARIES:
                return READS.fullmatch(attribute) is not None
            if attribute == "open":
                is_class = isinstance(receiver, ast.Name) and receiver.id[:1].isupper() and receiver.id != "Path"
                return not is_class and not writes_only(call, 0)
            return attribute in METHODS
    return False


def found(text: str) -> tuple[list[int], list[int]]:
    """The lines of calls that read and have no mark, and those of marks without such a call."""
    lines = text.splitlines()
    marked = {number for number, line in enumerate(lines, 1) if MARK.search(line)}
    unmarked, used = [], set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and reads(node):
            own = set(range(node.lineno, (node.end_lineno or node.lineno) + 1)) & marked
            used |= own
            if not own:
                unmarked.append(node.lineno)
    return sorted(unmarked), sorted(marked - used)


def test_nothing_is_read_but_by_the_opener() -> None:
    wrong = []
    for path in sorted([*(TOOLS / "shoetool").rglob("*.py"), *(TOOLS / "shoesim").rglob("*.py")]):
        name = path.relative_to(TOOLS).as_posix()
        if name in OPENERS:
            continue
        unmarked, stale = found(path.read_text(encoding="utf-8"))
        wrong += [f"{name}:{line}: reads a file and goes round the opener" for line in unmarked]
        wrong += [f"{name}:{line}: a mark where nothing is read" for line in stale]
    assert wrong == []


@pytest.mark.parametrize(
    "line",
    [
        "open(p)", "open(p, 'r+b')", "p.open()", "p.open('rb')", "p.open('a+b')", "Path(p).open(encoding='utf-8')",
        "p.read_bytes()", "p.read_text()", "os.open(p, 0)", "io.open(p)", "sqlite3.connect(p)", "pq.read_table(p)",
        "pq.ParquetFile(p)", "context.load_cert_chain(p)", "shutil.copyfile(p, q)", "(p / q).read_text()",
        "p.open(mode)",
    ],
)  # fmt: skip
def test_each_way_to_read_is_noticed(line: str) -> None:
    assert found(line) == ([1], [])
    assert found(f"{line}  # reads: a reason") == ([], [])


@pytest.mark.parametrize(
    "line",
    [
        "open(p, 'w')", "p.open('ab')", "p.open(mode='x')", "Client.open(port)", "os.open(p, os.O_WRONLY | os.O_CREAT)",
        "files('a').joinpath('b').read_text()",
        "(resources.files('a') / 'b').read_bytes()", "read_text(p, 1, '')", "open_input(p)", "pq.ParquetWriter(p)",
    ],
)  # fmt: skip
def test_what_reads_no_file_that_somebody_named_is_let_through(line: str) -> None:
    assert found(line) == ([], [])


def test_a_mark_where_nothing_is_read_is_noticed() -> None:
    assert found("x = 1  # reads: a reason") == ([], [1])
