"""Private names that get names of the ROM: programs do the same, and no name ever stands for two things."""

from __future__ import annotations

import ast
import builtins
import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402
from inline_constants import inline  # noqa: E402
from inline_constants import survey as survey_constants  # noqa: E402
from private_names import FIXED, ROM, WORD, rename, survey, table  # noqa: E402

import build  # noqa: E402

# Two modules with every way of using a private name that could go wrong.
FIRST = '''
"""Names `_told` in prose only."""
const = int
_KEPT = const(3)
_START = _PLAIN = 40
_told = 5

def _double(_value, _times=2):
    return _value * _times

class Base:
    _shared = _START
    def __init__(self):
        self._acos = 1
        self._list = [_told]
        self.__hidden = 2
    def _step(self, _by=_PLAIN, acos=1):
        _local = [_told * _x for _x in self._list]
        return _local[0] + _by + self._shared + _KEPT + acos
    def _by_name(self):
        return "by name"
    @property
    def _prop(self):
        return self._acos + self.__hidden
    class _Inner:
        _shared = "inner"

def _count():
    global _told
    _told += 1
    def _add():
        nonlocal_value = _double(_told, _times=3)
        return nonlocal_value
    return _add()
'''
SECOND = """
import first
from first import Base, _double as _twice

class Derived(Base):
    def _step(self, _by=1):
        return super()._step(_by) + 1000

_start = 7
one = Derived()
out = [one._step(), one._step(_by=2), one._shared, one._prop, one._acos, Base._Inner._shared]
out += [_twice(4), _twice(_value=5), first._count(), first._told, _start, getattr(one, "_by_name")()]
out += [f"{one._acos + _start}", hasattr(one, "_missing")]
"""
PROGRAM = {"first": FIRST, "second": SECOND}


def run(texts: dict[str, str], folder: Path) -> str:
    """What the second module has found, in a Python of its own."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-c", "import second; print(second.out)"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def renamed(texts: dict[str, str]) -> dict[str, str]:
    plans = survey(texts)
    return {name: rename(text, plans[name]) for name, text in texts.items()}


def test_a_program_does_the_same_under_other_names(tmp_path: Path) -> None:
    after = renamed(PROGRAM)
    told = run(PROGRAM, tmp_path / "before")
    assert run(after, tmp_path / "after") == told
    assert ", 'inner', " in told and "'by name'" in told
    whole = after["first"] + after["second"]
    for gone in ("_shared", "_step", "_double", "_START", "_prop", "_Inner", "_local", "_count", "_value"):
        assert gone not in WORD.findall(whole), gone
    for kept in ("_KEPT", "_twice", "_by_name", "_acos", "_start", "__hidden", "acos"):
        assert kept in WORD.findall(whole), kept
    assert [text.count("\n") for text in after.values()] == [text.count("\n") for text in PROGRAM.values()]


def test_modules_share_names_for_what_is_their_own_only() -> None:
    plans = survey({"one": "_first = 1\n", "two": "_second = 2\n_third = 3\n"})
    assert plans["one"]["_first"] == plans["two"]["_second"] != plans["two"]["_third"]
    plans = survey({"one": "_first = 1\n", "two": "import one\n_second = one._first\n"})
    assert plans["one"]["_first"] == plans["two"]["_first"]


def test_when_the_rom_has_no_more_names_short_ones_follow() -> None:
    names = [f"_private{i}" for i in range(400)]
    source = "_0 = 1\n" + "".join(f"x.{name} = {i}\n" for i, name in enumerate(names))
    plan = survey({"one": source})["one"]
    assert len(set(plan.values())) == len(names)
    assert "_0" not in plan.values() and "_1" in plan.values()


def test_only_what_an_owner_defines_gets_another_name() -> None:
    sources = {"shoe": "_own = 1\n", "test": "import shoe\n_mine = shoe._own\n"}
    plans = survey(sources, {"shoe"})
    assert set(plans["test"]) == {"_own"} and plans["test"] == plans["shoe"]


def test_the_names_that_most_modules_use_get_those_that_need_no_search() -> None:
    plans = survey({name: f"x._seldom_{name} = 1\ny._often = 2\n" for name in "abc"})
    assert {plan["_often"] for plan in plans.values()} == {WORD.findall(FIXED)[0]}


@functools.cache
def slot_program() -> dict[str, str]:
    return build_pico.inlined()


@functools.cache
def virtual_program() -> dict[str, str]:
    texts = {name: path.read_text() for name, path in build.modules().items()}
    plan = survey_constants(texts, machine_code=False)
    return {name: inline(name, text, plan) for name, text in texts.items()}


def test_the_order_of_the_modules_plays_no_part() -> None:
    texts = slot_program()
    assert survey(dict(reversed(list(texts.items())))) == survey(texts)


@pytest.mark.parametrize("program", [slot_program, virtual_program], ids=["slot_program", "virtual_program"])
def test_no_name_of_the_firmware_stands_for_two_things(program: object) -> None:
    """What is renamed is told apart by it as before: taking the names back gives the same syntax tree."""
    texts = program()  # type: ignore[operator]
    owners = {name for name in texts if name.startswith(("main", "shoe", "pico", "virtual"))}
    plans = survey(texts, owners)
    nodes = [node for text in texts.values() for node in ast.walk(ast.parse(text))]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert len({old for plan in plans.values() for old in plan}) >= 250
    assert not used & {new for plan in plans.values() for new in plan.values()}
    backs = table(plans)
    for name, text in texts.items():
        assert len(set(plans[name].values())) == len(plans[name])
        if name not in owners:
            continue  # a unit test, which runs under its new names
        after = rename(text, plans[name])
        back = rename(after, backs[name])
        assert ast.dump(ast.parse(back)) == ast.dump(ast.parse(text)), name
        compile(after, name, "exec")


def test_names_of_the_rom_mean_nothing_to_micropython() -> None:
    """None is a keyword, is looked up in a program's objects, or is treated by the compiler in a way of its own."""
    names = WORD.findall(FIXED + ROM)
    assert len(names) == len(set(names)) >= 200
    looked_up = "read readinto readline write close ioctl send throw keys errno args value readblocks writeblocks"
    compiled = "super const micropython native viper asm_thumb ptr ptr8 ptr16 ptr32 int uint bool object"
    assert not set(names) & set((looked_up + " " + compiled).split())
    assert not any(name.startswith("_") for name in names)
    errors = {name for name in dir(builtins) if name[0].isupper()}
    assert not set(names) & errors
