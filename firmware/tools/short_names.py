"""Short names for what nobody outside of a slot can name: all names of a slot lie in RAM, about 20 bytes for each.

`python firmware/tools/short_names.py LOG` puts the names of the source back into the tracebacks of a log.

A name that begins with `_` gets a short one when it occurs only in one module, or in modules that inherit from each
other, is given something there, and is in no string. It is replaced wherever it occurs there, so every name still
stands for what it stood for. Modules that share no objects share the short names, so there are few of them.
A parameter gets the name of its place where its own stands for nothing else and is never a keyword. Lines stay where
they are, and so do the names of modules and of public functions.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import io
import keyword
import re
import string
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Change = tuple[int, int, str, str]
"""Line, byte in the line, the old name, the new one."""
_IN_TRACEBACK = re.compile(r'(  File "([^"]+)", line \d+, in )(\w+)')


class Names:
    """The short names of a slot. sources: text by dotted module name; beside: other sources that name what is there."""

    def __init__(self, sources: dict[str, str], beside: list[str]) -> None:
        self._sources = sources
        self._trees = {name: ast.parse(text) for name, text in sources.items()}
        others = [ast.parse(text) for text in beside]
        self._said = {text for tree in (*self._trees.values(), *others) for text in _strings(tree)}
        self._outside = {name for text in beside for _, _, name in _words(text)}
        self._taken = {word for text in (*sources.values(), *beside) for _, _, word in _words(text)}
        self._taken |= {*dir(builtins), *keyword.kwlist, *self._said}
        self.private = self._private()
        """Module -> the name in its source -> the short one."""

    def shortened(self) -> dict[str, str]:
        """Return the sources with the short names."""
        alone = self._parameters()
        short = _new("", self._taken)
        places = [next(short) for _ in range(max((len(_by_place(one)) for one in self._functions()), default=0))]
        found = {}
        for name, text in self._sources.items():
            private = self.private[name]
            changes = [(row, at, word, private[word]) for row, at, word in _words(text) if word in private]
            found[name] = _put(text, [*changes, *_places(self._trees[name], alone, places)])
        return found

    # -------------------------------------------------------------------------------------------- private names
    def _private(self) -> dict[str, dict[str, str]]:
        family = _families(self._trees)
        users = defaultdict(set)
        for name, text in self._sources.items():
            for _, _, word in _words(text):
                users[word].add(family[name])
        given = {word for tree in self._trees.values() for word in _given(tree)}
        own = defaultdict(list)
        for word in sorted(given - self._said - self._outside):
            if word.startswith("_") and not word.startswith("__") and len(users[word]) == 1:
                own[next(iter(users[word]))].append(word)
        short = {head: dict(zip(mine, _new("_", self._taken), strict=False)) for head, mine in own.items()}
        return {name: short.get(head, {}) for name, head in family.items()}

    # -------------------------------------------------------------------------------------------- parameters
    def _functions(self) -> Iterator[Function]:
        for tree in self._trees.values():
            yield from (node for node in ast.walk(tree) if isinstance(node, Function))

    def _parameters(self) -> set[str]:
        """Those whose names stand for nothing else in any module."""
        found = {one.arg for function in self._functions() for one in _by_place(function)}
        others = {*self._said, *self._outside, "self", *(name for own in self.private.values() for name in own)}
        for tree in self._trees.values():
            others |= _free(tree, frozenset())
            for node in ast.walk(tree):
                others |= set(_other_words(node))
        return found - others


def _given(tree: ast.AST) -> Iterator[str]:
    """What is defined or assigned in a module. A constant that the compiler folds is no name any more."""
    folded = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name) and node.value.func.id == "const"
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in folded:
            yield node.id


def _other_words(node: ast.AST) -> Iterator[str]:
    """What a node names that is neither a variable nor a parameter."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.alias):
        yield from (*node.name.split("."), node.asname or "")
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names


def _families(trees: dict[str, ast.Module]) -> dict[str, str]:
    """By module, one that stands for all that inherit from each other: their objects have the names of both."""
    head = {name: name for name in trees}

    def find(name: str) -> str:
        return name if head[name] == name else find(head[name])

    for name, tree in trees.items():
        came = {
            alias.asname or alias.name: node.module
            for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
        }  # fmt: skip
        for node in ast.walk(tree):
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                assert isinstance(base, ast.Name), f"{name}: a base class that is not named by one word"
                if (there := came.get(base.id)) in trees:
                    head[find(name)] = find(there)
    return {name: find(name) for name in trees}


def _by_place(node: Function) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args]


def _places(tree: ast.Module, alone: set[str], places: list[str]) -> Iterator[Change]:
    """Each parameter gets the name of its place. One that a function within, or a default, uses keeps its own."""
    for function in (node for node in ast.walk(tree) if isinstance(node, Function)):
        within = [node for node in ast.walk(function) if isinstance(node, Function) and node is not function]
        seen = {name for node in within for name in (*_free(node, frozenset()), *(one.arg for one in _by_place(node)))}
        seen |= {node.id for one in function.args.defaults for node in ast.walk(one) if isinstance(node, ast.Name)}
        for place, parameter in zip(places, _by_place(function), strict=False):
            name = parameter.arg
            if name not in alone or name in seen:
                continue
            yield parameter.lineno, parameter.col_offset, name, place
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id == name:
                    yield node.lineno, node.col_offset, name, place


def _free(tree: ast.AST, bound: frozenset[str]) -> set[str]:
    """The names that stand for something else than a parameter of a function around them."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        inner = bound
        if isinstance(node, Function):
            inner = bound | {one.arg for one in _by_place(node)}
        elif isinstance(node, ast.arg) and node.arg not in bound:
            found.add(node.arg)  # of `*rest`, or given by keyword alone
        elif isinstance(node, ast.Name) and node.id not in bound:
            found.add(node.id)
        found |= _free(node, inner)
    return found


# ------------------------------------------------------------------------------------------------ text
def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, byte in the line, and name of each name and keyword."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], len(token.line[: token.start[1]].encode()), token.string


def _new(before: str, taken: set[str]) -> Iterator[str]:
    """Short names that nothing has: a, b, ..., then a0, b0, ..."""
    for number in count(-1):
        for letter in string.ascii_lowercase:
            name = f"{before}{letter}{number if number >= 0 else ''}"
            if name not in taken:
                yield name


def _put(source: str, changes: list[Change]) -> str:
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for row, column, old, new in sorted(set(changes), reverse=True):
        line = lines[row - 1]
        assert line[column : column + len(old)] == old.encode(), f"line {row}: {old} is not at {column}"
        lines[row - 1] = line[:column] + new.encode() + line[column + len(old) :]
    return b"".join(lines).decode()


def restored(log: str, private: dict[str, dict[str, str]]) -> str:
    """A log with the names of the source in its tracebacks."""
    full = {module: {short: name for name, short in own.items()} for module, own in private.items()}
    return _IN_TRACEBACK.sub(lambda found: found[1] + full.get(found[2], {}).get(found[3], found[3]), log)


def main(arguments: list[str]) -> int:
    """Print a log with the names of the source."""
    from build_pico import slot_names  # which builds with this module

    parser = argparse.ArgumentParser(
        "short_names.py", description="Put the source's names into the tracebacks of a log."
    )
    parser.add_argument("log", nargs="?", type=Path, help="default: standard input")
    log = parser.parse_args(arguments).log
    sys.stdout.write(restored(log.read_text() if log else sys.stdin.read(), slot_names().private))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
