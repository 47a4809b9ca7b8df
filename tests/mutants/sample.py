"""Which mutants of a cosmic-ray session are tried: a seeded sample, without those in annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, WorkItem

Place = tuple[int, int]


def annotations(source: str) -> Iterator[tuple[Place, Place]]:
    """Begin and end, as (line, column), of every annotation: with `from __future__ import annotations` none is run."""
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if found is not None:
                yield (found.lineno, found.col_offset), (found.end_lineno, found.end_col_offset)


def place(mutation: MutationSpec) -> tuple[str, Place, str, int]:
    """What a mutant is known by from run to run: file, place, operator and the number of the mutation there."""
    return str(mutation.module_path), mutation.start_pos, mutation.operator_name, mutation.occurrence


def candidates(sessions: Mapping[str, Path]) -> list[tuple[str, WorkItem]]:
    """(target, mutant) of all sessions that can change what the program does, in an order that does not change."""
    found = []
    known: dict[Path, list[tuple[Place, Place]]] = {}
    for target, session in sessions.items():
        with use_db(str(session), WorkDB.Mode.open) as db:
            for item in db.work_items:
                (mutation,) = item.mutations
                path = mutation.module_path
                ranges = known.setdefault(path, [])
                if not ranges:
                    ranges += [((0, 0), (0, 0)), *annotations(path.read_text(encoding="utf-8"))]
                if not any(begin <= mutation.start_pos < end for begin, end in ranges):
                    found.append((target, item))
    return sorted(found, key=lambda one: (one[0], place(one[1].mutations[0])))


def choose(sessions: Mapping[str, Path], size: int, seed: int) -> list[tuple[str, WorkItem]]:
    """Draw `size` mutants by the seed, and leave only them in the sessions."""
    every = candidates(sessions)
    chosen = Random(seed).sample(every, min(size, len(every)))
    for name, session in sessions.items():
        with use_db(str(session), WorkDB.Mode.open) as db:
            db.clear()
            db.add_work_items([item for target, item in chosen if target == name])
    return chosen
