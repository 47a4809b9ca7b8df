"""Short names for what nobody outside of a slot can name: all names of a slot lie in RAM, about 20 bytes for each.

A name that begins with `_` gets a short one when it occurs only in one module, or in modules that inherit from each
other, is given something there, and is in no string. It is replaced wherever it occurs there, so every name still
stands for what it stood for. Modules that share no objects share the short names, so there are few of them. Lines stay
where they are, and so do all other names.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import string
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import count

Nodes = list[ast.AST]
Word = tuple[int, int, str]


class Names:
    """The short names of a slot. sources: text by dotted module name; beside: other sources that name what is there."""

    def __init__(self, sources: dict[str, str], beside: list[str]) -> None:
        self._sources = sources
        self._words = {name: [*_words(text)] for name, text in sources.items()}
        nodes = {name: [*ast.walk(ast.parse(text))] for name, text in sources.items()}
        others = [[*ast.walk(ast.parse(text))] for text in beside]
        said = {text for some in (*nodes.values(), *others) for text in _strings(some)}
        outside = {word for text in beside for _, _, word in _words(text)}
        family = _families(nodes)
        users = defaultdict(set)
        for name, words in self._words.items():
            for _, _, word in words:
                users[word].add(family[name])
        own = defaultdict(list)
        for word in sorted({word for some in nodes.values() for word in _given(some)} - said - outside):
            if word.startswith("_") and not word.startswith("__") and len(users[word]) == 1:
                own[next(iter(users[word]))].append(word)
        taken = {*users, *outside, *said, *dir(builtins), *keyword.kwlist}
        short = {head: dict(zip(mine, _new(taken), strict=False)) for head, mine in own.items()}
        self.private = {name: short.get(head, {}) for name, head in family.items()}
        """Module -> the name in its source -> the short one."""

    def shortened(self) -> dict[str, str]:
        """Return the sources with the short names."""
        return {name: _put(text, self._words[name], self.private[name]) for name, text in self._sources.items()}


def _given(nodes: Nodes) -> Iterator[str]:
    """What is defined or assigned in a module. A constant that the compiler folds is no name any more."""
    folded = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name) and node.value.func.id == "const"
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in folded:
            yield node.id


def _families(modules: dict[str, Nodes]) -> dict[str, str]:
    """By module, one that stands for all that inherit from each other: their objects have the names of both."""
    head = {name: name for name in modules}

    def find(name: str) -> str:
        return name if head[name] == name else find(head[name])

    for name, nodes in modules.items():
        came = {
            alias.asname or alias.name: node.module
            for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
        }  # fmt: skip
        for node in nodes:
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                assert isinstance(base, ast.Name), f"{name}: a base class that is not named by one word"
                if (there := came.get(base.id)) in modules:
                    head[find(name)] = find(there)
    return {name: find(name) for name in modules}


def _strings(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _words(text: str) -> Iterator[Word]:
    """Line, column, and name of each name and keyword."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield *token.start, token.string


def _new(taken: set[str]) -> Iterator[str]:
    """Short names that nothing has: _a, _b, ..., then _a0, _b0, ..."""
    for number in count(-1):
        for letter in string.ascii_lowercase:
            name = f"_{letter}{number if number >= 0 else ''}"
            if name not in taken:
                yield name


def _put(source: str, words: list[Word], short: dict[str, str]) -> str:
    """Put the short names in place of the others."""
    lines = source.splitlines(keepends=True)
    for row, column, word in reversed(words):
        if word in short:
            line = lines[row - 1]
            lines[row - 1] = line[:column] + short[word] + line[column + len(word) :]
    return "".join(lines)
