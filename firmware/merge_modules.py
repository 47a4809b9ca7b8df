"""Make one module of several before they are compiled: the same behaviour, and each name is looked up but once.

MicroPython looks up every name of a module when it loads it, each time through all names that it has, so a dozen
modules that share most of their names take a dozen times as long as one. A family is a module and those of its name
(`shoe.dealing`, `shoe.dealing_fold`) that it loads at once. Their sources follow each other in one, in the order in
which they are loaded; what each defines goes by a private name with the module's own, and what they import from each
other is simply there. Classes keep their names, which an error's text may tell, unless two have the same.

What cannot be kept apart so is refused: a name of a module that is also a local one of its own functions, one that a
function binds again and another module imports, a module that is handed around as an object, one name for two things
from elsewhere. Names in strings are not seen: nothing of a family is asked for by `getattr` on its module.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inline_constants import statements

WORD = re.compile(r"\w+")
VIPER = ("ptr8", "ptr16", "ptr32", "uint")  # types to MicroPython's compiler by these names alone
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OWN = (*_SCOPES, ast.comprehension)  # what is bound there is no name of the module
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(slots=True)
class _Module:
    """What one module of a family binds at its top."""

    tree: ast.Module
    defined: dict[str, str] = field(default_factory=dict)  # name -> new name
    modules: dict[str, str] = field(default_factory=dict)  # alias -> module of the family
    taken: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> module of the family, its name there
    foreign: dict[str, str] = field(default_factory=dict)  # name -> what it is imported from
    bound_again: set[str] = field(default_factory=set)  # by a function of the module


def family(first: str, also: Iterable[str], texts: dict[str, str], apart: Iterable[str] = ()) -> list[str]:
    """Module `first`, those of its name that it loads at once, and `also`; each after those that it loads itself.

    None of `apart`, whatever its name.
    """
    order: list[str] = []
    entered: set[str] = set()
    room = first.rpartition(".")[0] if first.count(".") > 1 else ""

    def enter(name: str) -> None:
        alike = name.startswith(room + "." if room else first + "_")
        ours = name in (first, *also) or (alike and name not in apart)
        if name in entered or name not in texts or not ours:
            return
        entered.add(name)
        for node in ast.parse(texts[name]).body:
            if isinstance(node, ast.ImportFrom):
                enter(str(node.module))
                for alias in node.names:
                    enter(f"{node.module}.{alias.name}")
        order.append(name)

    for name in (*also, first):
        enter(name)
    return order


def merge(texts: dict[str, str], families: dict[str, tuple[str, ...]], apart: Iterable[str] = ()) -> dict[str, str]:
    """`texts` (dotted module name -> source) with each of `families` (first module -> others) as one module.

    Modules `apart` stay what they are.
    """
    out = dict(texts)
    beside: dict[str, _Beside] = {}  # modules that were read for an earlier family
    for first, also in families.items():
        members = family(first, also, out, apart)
        found = {name: _read(name, ast.parse(out.pop(name)), set(members)) for name in members}
        _refuse(found)
        _name(found, out.values())
        body: list[ast.stmt] = []
        seen: set[str] = set()
        for name, module in found.items():
            for node in _Rewriter(name, module, found).visit(module.tree).body:
                text = ast.unparse(node) if isinstance(node, _IMPORTS) else ""
                if not text or text not in seen:
                    body.append(node)
                    seen.add(text)
        for name, text in out.items():
            if name not in beside or beside[name].text != text:
                beside[name] = _Beside(text)
            out[name] = _outside(name, beside[name], first, found)
        out[first] = ast.unparse(ast.Module(body, [])) + "\n"
    return out


def _read(name: str, tree: ast.Module, members: set[str]) -> _Module:
    module = _Module(tree)
    inside = _locals(tree)
    for node in _top(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                module.foreign[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                local = alias.asname or alias.name
                if f"{node.module}.{alias.name}" in members:
                    module.modules[local] = f"{node.module}.{alias.name}"
                elif node.module in members:
                    module.taken[local] = (node.module, alias.name)
                else:
                    module.foreign[local] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.defined[node.name] = ""
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            module.defined[node.id] = ""
    module.bound_again = {n for node in statements(tree) if isinstance(node, ast.Global) for n in node.names}
    module.defined |= dict.fromkeys(module.bound_again, "")
    clash = sorted((set(module.defined) | set(module.modules) | set(module.taken)) & inside)
    if clash:
        raise SystemExit(f"{name}: {', '.join(clash)}: a name of the module and a local one; rename one of them")
    return module


def _refuse(found: dict[str, _Module]) -> None:
    """What a module would see of another one now, and did not before."""
    for name, module in found.items():
        for local, (source, there) in module.taken.items():
            if there == "*" or there in found[source].modules or there in found[source].bound_again:
                raise SystemExit(f"{name}: from {source} import {there}: {local} would not be the same any more")


def _top(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs when the module is loaded, without what stands in its functions and classes."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, _OWN):
            yield from _top(node)


def _locals(tree: ast.Module) -> set[str]:
    """Names that are bound anywhere in a function, a class or a comprehension."""
    found: set[str] = set()
    for scope in ast.walk(tree):
        if isinstance(scope, ast.comprehension):
            found |= {node.id for node in ast.walk(scope.target) if isinstance(node, ast.Name)}
        if not isinstance(scope, _SCOPES):
            continue
        nodes = list(ast.walk(scope))
        told = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        for node in nodes:
            match node:
                case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()) if name not in told:
                    found.add(name)
                case ast.alias(name=name, asname=new) if not isinstance(scope, ast.ClassDef):
                    found.add(new or name)
                case _:
                    pass
        named = {node.name for node in ast.iter_child_nodes(scope) if isinstance(node, _NAMED)}
        if isinstance(scope, ast.ClassDef):  # a method is seen by its class's own statements alone
            named &= {node.id for node in _top(scope) if isinstance(node, ast.Name)}
        else:
            named = {node.name for node in nodes if isinstance(node, _NAMED) and node is not scope}
            named -= {node.name for owner in nodes if isinstance(owner, ast.ClassDef) for node in owner.body
                      if isinstance(node, _NAMED)}  # fmt: skip
        found |= named
    return found


def _name(found: dict[str, _Module], outside: Iterable[str]) -> None:
    """Give each definition of a family its new name; what comes from elsewhere has the same in all its modules."""
    classes = [node.name for module in found.values() for node in module.tree.body if isinstance(node, ast.ClassDef)]
    words = {word for text in outside for word in WORD.findall(text)}
    words |= {word for module in found.values() for word in WORD.findall(ast.unparse(module.tree))}
    theirs: dict[str, str] = {}
    for name, module in found.items():
        for local, source in module.foreign.items():
            if theirs.setdefault(local, source) != source or local in classes or hasattr(builtins, local):
                raise SystemExit(f"{name}: {local} is {source} here and something else in its family")
        for old in module.defined:
            if classes.count(old) == 1 or old in VIPER:
                module.defined[old] = old
                continue
            new = f"_{name.rpartition('.')[2]}_{old.strip('_')}"
            while new in words:  # `_a` beside `a`
                new += "0"
            module.defined[old] = new
            words.add(new)


def _resolve(found: dict[str, _Module], module: str, name: str) -> str:
    """New name of what a module of the family calls `name`; the name itself when it comes from elsewhere."""
    held = found[module]
    if name in held.taken:
        return _resolve(found, *held.taken[name])
    return held.defined.get(name, name)


class _Rewriter(ast.NodeTransformer):
    """One module of a family under its new names."""

    def __init__(self, name: str, module: _Module, found: dict[str, _Module]) -> None:
        self._name = name
        self._module = module
        self._found = found
        self._depth = 0

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        """What comes from the family is there already."""
        left = []
        for alias in node.names:
            if f"{node.module}.{alias.name}" not in self._found and node.module not in self._found:
                left.append(alias)
            elif self._depth:
                raise SystemExit(f"{self._name}: line {node.lineno}: imports a module of its own family in a function")
        return ast.ImportFrom(node.module, left, node.level) if left else None

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name of the module's own."""
        if node.id in self._module.modules:
            raise SystemExit(f"{self._name}: line {node.lineno}: {node.id} is a module, and goes with others into one")
        return ast.Name(_resolve(self._found, self._name, node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A function of another module of the family."""
        if isinstance(node.value, ast.Name) and node.value.id in self._module.modules:
            return ast.Name(_resolve(self._found, self._module.modules[node.value.id], node.attr), node.ctx)
        return self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """The same."""
        return ast.Global([_resolve(self._found, self._name, name) for name in node.names])

    def _scope(self, node: ast.AST) -> ast.AST:
        top = not self._depth
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        if top and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.name = self._module.defined[node.name]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope


class _Beside:
    """A module that is in no family so far: its text, and what that says, read once for all families."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.imports = [node for node in statements(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]

    def names(self, found: dict[str, _Module]) -> bool:
        """Whether it imports a module of the family, or something of one."""
        return any(
            name in found
            for node in self.imports
            for alias in node.names
            for name in (
                (alias.name,) if isinstance(node, ast.Import) else (str(node.module), f"{node.module}.{alias.name}")
            )
        )


def _outside(name: str, beside: _Beside, first: str, found: dict[str, _Module]) -> str:
    """Text of `name`, a module beside the family, with what it imports of it by its new names."""
    if not beside.names(found):
        return beside.text
    for scope in ast.walk(beside.tree):
        if isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            aliases: dict[str, str] = {}
            for node in _top(scope):
                _import(name, node, first, found, aliases)
            if aliases:
                _rename(name, scope, aliases, found)
    beside.text = ast.unparse(beside.tree) + "\n"
    return beside.text


def _import(name: str, node: ast.AST, first: str, found: dict[str, _Module], aliases: dict[str, str]) -> None:
    """Rewrite an import of a family's module or of something in it; put its modules into `aliases`."""
    if isinstance(node, ast.Import) and not found.keys().isdisjoint(alias.name for alias in node.names):
        raise SystemExit(f"{name}: line {node.lineno}: import {node.names[0].name}: write it as from ... import ...")
    if not isinstance(node, ast.ImportFrom):
        return
    whole = node.module in found
    if whole and node.names[0].name == "*":
        raise SystemExit(f"{name}: line {node.lineno}: from {node.module} import *: name what is imported")
    for alias in node.names:
        local = alias.asname or alias.name
        module = f"{node.module}.{alias.name}"
        if module in found:
            aliases[local] = module
            alias.name = first.rpartition(".")[2]
        elif whole:
            alias.name = _resolve(found, str(node.module), alias.name)
        else:
            continue
        alias.asname = local if local != alias.name else None
    if whole:
        node.module = first


def _rename(name: str, scope: ast.AST, aliases: dict[str, str], found: dict[str, _Module]) -> None:
    """What `scope` asks of the modules that it calls by `aliases`, by its new names."""
    owners = {id(node.value): node for node in ast.walk(scope) if isinstance(node, ast.Attribute)}
    for node in ast.walk(scope):
        if not isinstance(node, ast.arg | ast.Name):
            continue
        local = node.arg if isinstance(node, ast.arg) else node.id
        if local not in aliases:
            continue
        if id(node) not in owners:
            raise SystemExit(f"{name}: line {node.lineno}: {local} is a module, and goes with others into one")
        owners[id(node)].attr = _resolve(found, aliases[local], owners[id(node)].attr)
