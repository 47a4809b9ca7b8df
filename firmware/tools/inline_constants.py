"""Put public constants into the code that uses them before it is compiled: the same behaviour, fewer names in RAM.

MicroPython's `const` folds a private `_NAME` within its module; a public one stays a global of its module and a name in
each that imports it. So before compiling, a module's public integer constants (`NAME = const(1)`) go into the code that
uses them, in whatever module, and so do `MICROPYTHON`, which leaves out what only CPython runs, and `MACHINE_CODE`.
Where a build is for more than one kind of processor, functions marked as machine code become ordinary ones. Nothing
else changes, and lines stay where they are, so that a traceback that has them names the right one.

`survey` looks at all modules that are compiled together; `inline` rewrites one of them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field

MARKED = re.compile(r"^ *@micropython\.(viper|native)$", re.MULTILINE)
DECIDES = "shoe.compat"  # the module of what a build decides: MICROPYTHON, MACHINE_CODE


@dataclass(slots=True)
class Module:
    """The public integer constants that one source defines, and what it imports from its siblings."""

    constants: dict[str, int] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # local name -> module, name there


@dataclass(slots=True)
class Plan:
    """What `inline` does to each module."""

    constants: dict[str, dict[str, int]]  # module -> all public integer constants that it offers
    defined: dict[str, dict[str, int]]  # module -> those that it defines
    machine_code: bool


def _constant(node: ast.stmt) -> tuple[str, int] | None:
    """(name, value) of `NAME = const(integer)`, else None."""
    if not (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    ):
        return None
    if not (isinstance(node.value.func, ast.Name) and node.value.func.id == "const"):
        return None
    try:
        value = ast.literal_eval(node.value.args[0])
    except ValueError:
        return None
    return (node.targets[0].id, value) if isinstance(value, int) else None


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Every statement below `tree`, whatever block it stands in; a tenth of what ast.walk visits."""
    for block in ("body", "handlers", "cases", "orelse", "finalbody"):
        inner = getattr(tree, block, None)
        for node in inner if isinstance(inner, list) else ():
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


def _read(source: str, known: set[str]) -> Module:
    module = Module()
    tree = ast.parse(source)
    for statement in tree.body:
        found = _constant(statement)
        if found and not found[0].startswith("_"):
            module.constants[found[0]] = found[1]
    for node in statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module in known:
            module.imports |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    return module


def _offered(modules: dict[str, Module]) -> dict[str, dict[str, int]]:
    """Module -> constants that can be had from it, with those that it imported itself."""
    offered = {name: dict(module.constants) for name, module in modules.items()}
    for _ in modules:
        before = sum(map(len, offered.values()))
        for name, module in modules.items():
            for local, (source, there) in module.imports.items():
                if there in offered[source]:
                    offered[name][local] = offered[source][there]
        if sum(map(len, offered.values())) == before:
            break
    return offered


def survey(sources: dict[str, str], machine_code: bool = True) -> Plan:
    """Plan for `sources` (dotted module name -> text), with or without machine code."""
    modules = {name: _read(source, set(sources)) for name, source in sources.items()}
    defined = {name: dict(module.constants) for name, module in modules.items()}
    if DECIDES in modules:  # after `defined`: its definitions stay
        modules[DECIDES].constants |= {"MICROPYTHON": 1, "MACHINE_CODE": int(machine_code)}
    return Plan(_offered(modules), defined, machine_code)


def inline(name: str, source: str, plan: Plan) -> str:
    """The source of module `name` as it is compiled; line numbers stay as they are."""
    if not plan.machine_code:
        source = MARKED.sub("", source)
    lines = source.splitlines(keepends=True)
    values = dict(plan.defined[name])  # local name -> value
    modules: dict[str, str] = {}
    tree = ast.parse(source)
    for node in tree.body:
        if (found := _constant(node)) and found[0] in plan.defined[name]:
            _blank(lines, node, "")
    for node in statements(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        for alias in node.names:
            if f"{node.module}.{alias.name}" in plan.constants:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        offered = plan.constants.get(node.module, {})
        taken = [alias for alias in node.names if alias.name in offered]
        if not taken:
            continue
        values.update({alias.asname or alias.name: offered[alias.name] for alias in taken})
        rest = [a.name + (f" as {a.asname}" if a.asname else "") for a in node.names if a not in taken]
        left = f"from {node.module} import {', '.join(rest)}" if rest else "pass" if node.col_offset else ""
        _blank(lines, node, left)
    return _replace("".join(lines), values, modules, plan.constants)


def _blank(lines: list[str], node: ast.stmt, left: str) -> None:
    """Put `left` in place of a statement that has its lines for itself."""
    assert node.end_lineno is not None
    for i in range(node.lineno - 1, node.end_lineno):
        lines[i] = "\n"
    if left:
        lines[node.lineno - 1] = f"{' ' * node.col_offset}{left}\n"


def _replace(source: str, values: dict[str, int], modules: dict[str, str], constants: dict[str, dict[str, int]]) -> str:
    """Put the number in place of each `NAME` of `values` and each `alias.NAME` of a module in `modules`."""
    lines = source.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for i in range(len(tokens) - 1, -1, -1):
        token = tokens[i]
        if token.type != tokenize.NAME:
            continue
        value = None
        start = token.start[1]
        if i and tokens[i - 1].string == ".":
            owner = modules.get(tokens[i - 2].string) if tokens[i - 2].start[0] == token.start[0] else None
            if owner and token.string in constants[owner]:
                start, value = tokens[i - 2].start[1], constants[owner][token.string]
        else:
            value = values.get(token.string)
        if value is not None:
            row = token.start[0] - 1
            lines[row] = lines[row][:start] + (f"({value})" if value < 0 else str(value)) + lines[row][token.end[1] :]
    return "".join(lines)
