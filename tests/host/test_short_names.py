"""A slot with short names is the firmware of its sources: the same code, and each name stands for what it stood for."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import CodeType

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402
from short_names import Names  # noqa: E402
from source_names import restored  # noqa: E402


@pytest.fixture(scope="module")
def names() -> Names:
    return build_pico.slot_names()


def same(before: CodeType, after: CodeType, private: dict[str, str], where: str) -> None:
    """The same instructions and constants; other names only where a private one got its short one."""
    assert before.co_code == after.co_code, where
    assert private.get(before.co_name, before.co_name) == after.co_name
    for names in ("co_names", "co_varnames", "co_freevars", "co_cellvars"):
        assert [private.get(name, name) for name in getattr(before, names)] == list(getattr(after, names)), where
    assert len(before.co_consts) == len(after.co_consts)
    for old, new in zip(before.co_consts, after.co_consts, strict=True):
        if isinstance(old, CodeType):
            assert isinstance(new, CodeType)
            same(old, new, private, f"{where}.{old.co_name}")
        else:
            assert new == (private.get(old, old) if isinstance(old, str) else old), where


def test_a_slot_is_the_code_of_its_sources(names: Names) -> None:
    renamed, sources = 0, build_pico.inlined()
    for module, text in names.shortened().items():
        before, private = sources[module], names.private[module]
        assert len(set(private.values())) == len(private), "no two names of a module become one"
        same(compile(before, module, "exec"), compile(text, module, "exec"), private, module)
        renamed += len(private)
    assert renamed > 300


def test_the_names_of_private_functions_come_back_in_a_log(names: Names) -> None:
    module, name = "shoe.app.signer", "_say_state"
    short = names.private[module][name]
    log = f'Traceback (most recent call last):\n  File "{module}", line 1, in {short}\nMemoryError: {short}\n'
    assert restored(log, names.private) == log.replace(f"in {short}\n", f"in {name}\n")


def shortened(*texts: str, beside: str = "") -> list[str]:
    """These modules, shoe.a, shoe.b, ..., with short names."""
    sources = {f"shoe.{chr(97 + at)}": text for at, text in enumerate(texts)}
    return list(Names(sources, [beside]).shortened().values())


HEAD = "class Head:\n    def __init__(self):\n        self._lines = 0\n"


@pytest.mark.parametrize(
    ("kept", "texts", "beside"),
    [
        ("_lines", [HEAD, "def look(head):\n    return head._lines\n"], ""),  # another module looks at it
        ("_lines", [HEAD + "NAME = '_lines'\n"], ""),  # getattr could ask for it
        ("_lines", [HEAD], "import shoe\nshoe.head._lines\n"),  # what lies on the root asks for it
        ("_queue", ["import asyncio\nasyncio.core._queue.peek()\n"], ""),  # MicroPython's own
    ],
)
def test_a_name_that_somebody_else_may_use_stays(kept: str, texts: list[str], beside: str) -> None:
    for before, after in zip(texts, shortened(*texts, beside=beside), strict=True):
        assert re.findall(rf"\b{kept}\b", before) == re.findall(rf"\b{kept}\b", after)


def test_what_inherits_has_its_own_names_and_those_of_its_base() -> None:
    base, inherits, other = shortened(
        "class Base:\n    def __init__(self):\n        self._all = 1\n",
        "from shoe.a import Base\n\n\nclass Own(Base):\n    def use(self):\n        self._own = self._all\n",
        "class Other:\n    def __init__(self):\n        self._else = 1\n",
    )
    assert "self._a = 1" in base and "self._b = self._a" in inherits and "self._a = 1" in other
