"""Several modules as one: programs do the same, and what could not is refused."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402
from merge_modules import family, merge  # noqa: E402

# A family with every way of using a name of another module, and a module beside it that uses all of it.
PROGRAM = {
    "pkg": "",
    "pkg.table": "LIMIT = 7\nNAMES = ('a', 'b')\n",
    "pkg.deal_state": '''
"""State."""
import struct
from pkg import table as t
from pkg.table import LIMIT
_count = 0
made = []

class Hand:
    """A hand."""
    most = LIMIT
    def __init__(self, cards=made):
        self.cards = cards
    def value(self):
        return sum(self.cards) + size(self)

class Twice:
    kind = "state"

def size(hand):
    """Its own `value` is a local name elsewhere."""
    return struct.calcsize("<H") * len(hand.cards)

def counted():
    global _count
    _count += 1
    return _count, t.NAMES[_count % 2]

if LIMIT > 3:
    bound = [first for first in range(LIMIT)]
''',
    "pkg.deal_fold": """
from pkg import deal_state as state, table as t
from pkg.deal_state import Hand, size as measure, counted

class Twice(state.Twice):
    kind = "fold" + state.Twice.kind

class Best(Hand):
    def value(self):
        return super().value() + measure(self)

def fold(hand, value=t.LIMIT):
    size = value + state.size(hand)
    return [size, hand.value(), counted(), state.bound[1]]

HANDLERS = {1: fold, 2: lambda hand: state.counted()}
""",
    "pkg.deal": """
from pkg import deal_fold as fold
from pkg.deal_fold import HANDLERS, Best
from pkg.deal_state import Twice

def size(hand):
    return -1

def run():
    hand = Best([1, 2, 3])
    return [HANDLERS[1](hand), HANDLERS[2](hand), size(hand), fold.fold(hand, value=5), Twice.kind, fold.Twice.kind]
""",
    "pkg.late": """
from pkg import deal_state as how
from pkg.deal_fold import fold
from pkg.deal import size

def look(hand):
    from pkg.deal_state import counted as tell
    return [how.size(hand), fold(hand), size(hand), tell(), isinstance(hand, how.Hand)]
""",
    "main": """
from pkg.deal import Best, run

def out():
    from pkg import late
    return run() + late.look(Best([9]))
""",
}


def run(texts: dict[str, str], folder: Path) -> str:
    """What the program finds, in a Python of its own."""
    for name, text in texts.items():
        path = folder / ("pkg/__init__.py" if name == "pkg" else name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = [sys.executable, "-c", "import main; print(main.out(), type(main.Best([])).__name__)"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "families", [{"pkg.deal": ()}, {"pkg.deal": ("pkg.table",)}, {"pkg.deal_fold": ("pkg.deal_state",)}]
)
def test_a_program_does_the_same_in_fewer_modules(tmp_path: Path, families: dict[str, tuple[str, ...]]) -> None:
    after = merge(PROGRAM, families)
    assert run(after, tmp_path / "after") == run(PROGRAM, tmp_path / "before")
    assert len(after) < len(PROGRAM) and set(after) < set(PROGRAM)


def test_a_family_is_what_a_module_loads_at_once_of_its_name_each_after_what_it_loads() -> None:
    assert family("pkg.deal", (), PROGRAM) == ["pkg.deal_state", "pkg.deal_fold", "pkg.deal"]
    late = PROGRAM | {"pkg.deal_late": "", "pkg.deal": "def f():\n    from pkg import deal_late\n"}
    assert family("pkg.deal", (), late) == ["pkg.deal"]


def test_each_name_is_there_once_and_says_whose_it_was() -> None:
    text = merge(PROGRAM, {"pkg.deal": ()})["pkg.deal"]
    defined = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(defined) == len(set(defined))
    assert {"_deal_size", "_deal_state_size", "_deal_fold_fold", "Hand", "Best"} <= set(defined)
    assert "Twice" not in defined, "two have that name"
    assert text.count("import table") == 1 and "pkg.deal" not in text


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"pkg.deal": "from pkg.deal_state import size\ndef f(size):\n    return size\n"}, "pkg.deal: size: a name"),
        ({"pkg.deal": "from pkg import deal_state\nx = deal_state\n"}, "pkg.deal: line 2: deal_state is a module"),
        ({"pkg.deal": "from pkg.deal_state import size\nimport pkg.x as t\n"}, "t is pkg.x here and something else"),
        ({"pkg.deal": "from pkg.deal_state import size\nfrom pkg.x import sum\n"}, "sum is pkg.x.sum here"),
        ({"pkg.deal": "from pkg.deal_state import size\ndef f():\n    from pkg.deal_state import made\n"},
         "pkg.deal: line 3: imports a module of its own family in a function"),
        ({"pkg.deal": "from pkg.deal_state import *\n"}, "pkg.deal: from pkg.deal_state import *"),
        ({"pkg.deal": "from pkg.deal_state import _count\n"}, "_count would not be the same any more"),
        ({"pkg.deal": "from pkg.deal_fold import state\n"}, "state would not be the same any more"),
        ({"pkg.deal": "from pkg.deal_state import size\ndef f():\n    def size():\n        pass\n"},
         "pkg.deal: size: a name"),
        ({"pkg.deal": "def go():\n    pass\nclass A:\n    def go(self):\n        pass\n    way = go\n"},
         "pkg.deal: go: a name"),
        ({"pkg.late": "from pkg.deal_state import *\n"}, "pkg.late: line 1: from pkg.deal_state import *: name what"),
        ({"pkg.late": "from pkg import deal_state as how\nx = getattr(how, 'size')\n"}, "line 2: how is a mod"),
        ({"pkg.late": "from pkg import deal_state as how\ndef f(how):\n    return how.x\n"}, "line 2: how is a module"),
        ({"pkg.late": "x = 1\nimport pkg.deal_state\n"}, "pkg.late: line 2: import pkg.deal_state: write it as from"),
    ],
)  # fmt: skip
def test_what_would_not_do_the_same_is_refused(broken: dict[str, str], said: str) -> None:
    with pytest.raises(SystemExit, match=r"^[^\n]*$") as refused:
        merge(PROGRAM | broken, {"pkg.deal": ()})
    assert said in str(refused.value)


FIRMWARE_TESTS = (
    "test_app", "test_app_authority", "test_app_defects", "test_app_link", "test_app_secrecy",
    "test_app_signing", "test_app_steps", "test_authority", "test_bring_back", "test_card_code", "test_card_reader",
    "test_config", "test_dealing_fold", "test_dealing_peek", "test_dealing_rounds", "test_dealing_switch_hands",
    "test_dealing_unpleasant", "test_dealing_variations", "test_faults", "test_inventory", "test_journal",
    "test_lms", "test_margins", "test_read_head", "test_read_head_unseen", "test_sealing", "test_signing",
    "test_supervisor", "test_wire",
)  # fmt: skip


@pytest.fixture(scope="session")
def merged_firmware(made_once: Any) -> Path:
    """The firmware merged as in a slot, and its unit tests, which are modules beside the families."""
    return Path(made_once("merged", merge_firmware) / "firmware")


def merge_firmware(whole: Path) -> None:
    shutil.copytree(ROOT / "tests" / "vectors", whole / "vectors")
    folder = whole / "firmware"
    texts = {path.stem: path.read_text() for path in (ROOT / "tests" / "firmware").glob("*.py")}
    del texts["test_link"]  # it changes a constant of a module
    for place in (ROOT / "firmware" / "shoe", ROOT / "board" / "virtual"):
        texts |= {f"{place.name}.{path.stem}": path.read_text() for path in place.glob("*.py")}
    ours = {first: also for first, also in build_pico.FAMILIES.items() if first.startswith("shoe.")}
    for name, text in merge(texts, ours, build_pico.APART).items():
        path = folder / (name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert not (folder / "shoe" / "dealing" / "fold.py").exists()


@pytest.mark.parametrize("module", FIRMWARE_TESTS if os.environ.get("ALL_MERGED") else FIRMWARE_TESTS[::3])
def test_the_firmware_does_the_same_in_fewer_modules(merged_firmware: Path, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unittest", module], cwd=merged_firmware, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "\nRan " in done.stderr and "\nRan 0 " not in done.stderr, done.stderr[-3000:]
