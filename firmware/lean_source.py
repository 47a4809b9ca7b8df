"""Make sources lean before they are compiled: the same behaviour with fewer names in the device's RAM.

MicroPython keeps every name of a compiled module that is not a local variable in RAM, once for all modules, in tables
that double when they are full. So before compiling

- a module's public integer constants (`NAME = const(1)`) go into the code that uses them, in whatever module, as
  `const` by itself does with private ones, and so does `MICROPYTHON`, which leaves out what only CPython runs;
- private names (`_x`) and names that are only ever parameters or local variables become `_0`, `_1` ... in their group
  of modules, a group being a module with those its classes inherit from. Different groups share the same short names.

Lines stay where they are, so a traceback names the right file and line, with a short name for a private function.
A name that any string holds, that is passed by keyword or that would meet another one under its short name stays as it
is. `survey` looks at all modules that are compiled together; `lean` rewrites one of them.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import re
import tokenize
from collections import Counter
from dataclasses import dataclass, field

DECIDED = ("shoe.compat", "MICROPYTHON")  # module and name of what is true of every compiled module
_PRIVATE = re.compile(r"_[A-Za-z]\w*[A-Za-z0-9]|_[A-Za-z]")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Module:
    """What one source says about its names."""

    tree: ast.Module
    device: bool  # part of the device, not only of its tests
    constants: dict[str, int] = field(default_factory=dict)  # public, defined here
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # local name -> module, name there
    modules: dict[str, str] = field(default_factory=dict)  # alias -> module
    names: set[str] = field(default_factory=set)  # all identifiers
    private: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)  # attributes, functions, classes, globals, imported names
    reached: set[str] = field(default_factory=set)  # private names of other objects than self, or imported
    fixed: set[str] = field(default_factory=set)  # keywords of calls and words in strings
    bases: set[str] = field(default_factory=set)  # modules that classes here inherit from


@dataclass(slots=True)
class Plan:
    """What `lean` does to each module."""

    constants: dict[str, dict[str, int]]  # module -> all public integer constants that it offers
    defined: dict[str, dict[str, int]]  # module -> those that it defines
    short: dict[str, dict[str, str]]  # module -> name -> short name


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


def _stored(body: list[ast.stmt]) -> set[str]:
    """Names that the statements of a module or class bind, but not those of functions within."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return found


def _read(source: str, known: set[str], device: bool) -> Module:
    module = Module(ast.parse(source), device)
    folded = set()
    for node in module.tree.body:
        if found := _constant(node):
            folded.add(found[0])
            if not found[0].startswith("_"):
                module.constants[found[0]] = found[1]
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            module.public |= _stored(node.body)
        if isinstance(node, ast.Attribute):
            module.public.add(node.attr)
            if not (isinstance(node.value, ast.Name) and node.value.id == "self"):
                module.reached.add(node.attr)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            module.public.add(node.name)
        elif isinstance(node, ast.Global):
            module.public |= set(node.names)
        elif isinstance(node, ast.arg):
            module.parameters.add(node.arg)
        elif isinstance(node, ast.keyword) and node.arg:
            module.fixed.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _IDENTIFIER.fullmatch(node.value):
            module.fixed.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            module.fixed |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            module.fixed |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
        elif isinstance(node, ast.Import):
            module.public |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = alias.asname or alias.name
                module.public |= {name, alias.name}
                module.reached.add(alias.name)
                if f"{node.module}.{alias.name}" in known:
                    module.modules[name] = f"{node.module}.{alias.name}"
                elif node.module in known:
                    module.imports[name] = (node.module, alias.name)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in module.imports:
                    module.bases.add(module.imports[base.id][0])
                elif isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
                    module.bases |= {module.modules[base.value.id]} if base.value.id in module.modules else set()
    module.names = {token.string for token in _tokens(source) if token.type == tokenize.NAME}
    module.private = {name for name in module.names if _PRIVATE.fullmatch(name)} - folded
    return module


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(source).readline))


def _groups(modules: dict[str, Module]) -> dict[str, str]:
    """Module -> name of its group: modules whose classes inherit from each other share one."""
    group = {name: name for name in modules}
    for name, module in modules.items():
        for base in module.bases:
            old, new = group[name], group[base]
            group = {each: new if at == old else at for each, at in group.items()}
    return group


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


def survey(sources: dict[str, str], tests: frozenset[str] = frozenset()) -> Plan:
    """Plan for `sources` (dotted module name -> text); `tests` names those that are no part of the device."""
    modules = {name: _read(source, set(sources), name not in tests) for name, source in sources.items()}
    group = _groups(modules)
    fixed = set().union(*(module.fixed for module in modules.values())) | set(dir(builtins)) | set(keyword.kwlist)
    device = [module for module in modules.values() if module.device]
    public = set().union(*(module.public for module in device))
    inside: dict[str, set[str]] = {}  # name -> groups of the device that use it
    for name, module in modules.items():
        if module.device:
            for each in module.private | module.parameters - {"self"} - public:
                inside.setdefault(each, set()).add(group[name])
    reached = set().union(*(module.reached for module in modules.values()))
    alone = {name for name, groups in inside.items() if name not in fixed and (len(groups) == 1 or name not in reached)}
    while True:
        short = _numbered(modules, group, alone, reached)
        clash = _clashes(modules, short)
        if not clash:
            break
        alone -= clash
    defined = {name: dict(module.constants) for name, module in modules.items()}
    if DECIDED[0] in modules:
        modules[DECIDED[0]].constants[DECIDED[1]] = 1  # after `defined`: its definition stays
    return Plan(_offered(modules), defined, short)


def _numbered(
    modules: dict[str, Module], group: dict[str, str], alone: set[str], reached: set[str]
) -> dict[str, dict[str, str]]:
    """Module -> name -> short name, counted within each group; parameters are known to nobody outside their module."""
    counts: Counter[str] = Counter()
    numbers: dict[tuple[str, str], str] = {}
    owner: dict[str, str] = {}
    short: dict[str, dict[str, str]] = {name: {} for name in modules}
    inner = {group[name] for name, module in modules.items() if module.device}
    for name, module in sorted(modules.items()):
        at = group[name]
        if at not in inner:
            continue
        for each in sorted(alone & (module.private | module.parameters if module.device else module.private)):
            if (at, each) not in numbers:
                numbers[at, each] = f"_{counts[at]}"
                counts[at] += 1
            short[name][each] = numbers[at, each]
            if each in reached:
                owner[each] = numbers[at, each]  # of one group alone, see `survey`
    for name, module in modules.items():  # tests and whoever else reaches for a private name
        short[name].update({each: owner[each] for each in module.private if each in owner})
    return short


def _clashes(modules: dict[str, Module], short: dict[str, dict[str, str]]) -> set[str]:
    """Names that would be the same as another one in some module."""
    clash: set[str] = set()
    for name, module in modules.items():
        seen: dict[str, str] = {}
        for each, number in short[name].items():
            if number in seen:
                clash |= {each, seen[number]}
            seen[number] = each
            if number in module.names:
                clash.add(each)
    return clash


def lean(name: str, source: str, plan: Plan) -> str:
    """The source of module `name` as it is compiled; line numbers stay as they are."""
    lines = source.splitlines(keepends=True)
    values = dict(plan.defined[name])  # local name -> value
    modules: dict[str, str] = {}
    tree = ast.parse(source)
    for node in tree.body:
        if (found := _constant(node)) and found[0] in plan.defined[name]:
            _blank(lines, node, "")
    for node in ast.walk(tree):
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
    return _replace("".join(lines), values, modules, plan.constants, plan.short[name])


def _blank(lines: list[str], node: ast.stmt, left: str) -> None:
    """Put `left` in place of a statement that has its lines for itself."""
    assert node.end_lineno is not None
    for i in range(node.lineno - 1, node.end_lineno):
        lines[i] = "\n"
    if left:
        lines[node.lineno - 1] = f"{' ' * node.col_offset}{left}\n"


def _replace(
    source: str, values: dict[str, int], modules: dict[str, str], constants: dict[str, dict[str, int]],
    short: dict[str, str],
) -> str:  # fmt: skip
    out = [list(line) for line in source.splitlines(keepends=True)]
    tokens = _tokens(source)
    for i in range(len(tokens) - 1, -1, -1):
        token = tokens[i]
        if token.type != tokenize.NAME:
            continue
        text = short.get(token.string)
        start = token.start[1]
        if i and tokens[i - 1].string == ".":
            owner = modules.get(tokens[i - 2].string) if tokens[i - 2].start[0] == token.start[0] else None
            if owner and token.string in constants[owner]:
                start, text = tokens[i - 2].start[1], str(constants[owner][token.string])
            elif not token.string.startswith("_"):
                continue
        elif token.string in values:
            text = str(values[token.string])
        if text is not None:
            out[token.start[0] - 1][start : token.end[1]] = list(f"({text})" if text.startswith("-") else text)
    return "".join("".join(row) for row in out)
