"""Which mutants are tried: a seeded sample of all that cosmic-ray can make, without those that say nothing (draw.py).

Left out are mutants in annotations, which are not run; those that do not compile, or not without a warning, which any
test kills; and those that compare by identity in place of equality or the other way round: on small numbers,
enumerations and the constants of a module both give the same answer, so what survives there would say nothing about the
tests. Of a negative number ~ makes the same as one more does, which another operator makes already: it is drawn once.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec
from draw import Mark, ranks

Place = tuple[int, int]
IDENTITY = {f"core/ReplaceComparisonOperator_{pair}" for pair in ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")}
INVERT = "core/ReplaceUnaryOperator_USub_Invert"


def annotations(source: str) -> Iterator[tuple[Place, Place]]:
    """Begin and end, as (line, column), of every annotation: with `from __future__ import annotations` none is run."""
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if found is not None:
                yield (found.lineno, found.col_offset), (found.end_lineno, found.end_col_offset)


@cache
def operators() -> dict[str, Operator]:
    """Each of cosmic-ray's ways to change a program that needs no arguments, by its name."""
    kinds = {name: get_operator(name) for name in operator_names()}
    return {name: kind() for name, kind in sorted(kinds.items()) if not kind.arguments() and name not in IDENTITY}


def mutants(path: Path) -> Iterator[MutationSpec]:
    """Every mutant of a module. cosmic-ray's own `init` walks the tree once for each operator, which takes minutes."""
    nodes = list(ast_nodes(get_ast_from_path(path)))
    unused = list(annotations(path.read_text(encoding="utf-8")))
    for name, operator in operators().items():
        places = ((node, *place) for node in nodes for place in operator.mutation_positions(node))
        for occurrence, (node, begin, end) in enumerate(places):
            twice = name == INVERT and node.children[-1].type == "number"
            if not twice and not any(first <= begin < last for first, last in unused):
                yield MutationSpec(path, name, occurrence, begin, end, {}, ASTQuery(node).get_definition_name())


def mutated(mutation: MutationSpec) -> str:
    """The source of a mutant."""
    source = mutation.module_path.read_text(encoding="utf-8")
    changed = mutate_code(source, operators()[mutation.operator_name], mutation.occurrence)
    if changed is None:
        raise LookupError(f"no such mutant: {mutation}")
    return changed


def compiles(mutation: MutationSpec) -> bool:
    """Whether it compiles without a warning: the compiler itself finds `is` beside a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", SyntaxWarning)
        try:
            compile(mutated(mutation), str(mutation.module_path), "exec")
        except SyntaxError:
            return False
    return True


@cache
def lines_of(path: Path) -> list[str]:
    """The lines of a module."""
    return path.read_text(encoding="utf-8").splitlines()


def mark_of(mutation: MutationSpec) -> Mark:
    """What a mutant is drawn by."""
    row, column = mutation.start_pos
    line = lines_of(mutation.module_path)[row - 1]
    text = line.strip()
    where = column - len(line) + len(line.lstrip())
    return mutation.module_path.as_posix(), mutation.definition_name or "", mutation.operator_name, text, where


def choose(targets: Mapping[str, list[Path]], size: int, seed: int) -> list[tuple[str, MutationSpec]]:
    """Draw `size` mutants by the seed from the modules of all targets: (target, mutant)."""
    every = [
        (target, mutation)
        for target, modules in sorted(targets.items())
        for path in sorted(modules)
        for mutation in mutants(path)
    ]
    drawn = dict(zip(ranks(map(mark_of, (mutation for _, mutation in every)), seed), every, strict=True))
    chosen: list[tuple[str, MutationSpec]] = []
    for _, (target, mutation) in sorted(drawn.items()):
        if len(chosen) == size:
            break
        if compiles(mutation):
            chosen.append((target, mutation))
    return chosen
