"""Which mutants of a cosmic-ray session are tried: a seeded sample, without those in annotations.

The others are marked as skipped, as cosmic-ray's own filters do it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, WorkerOutcome, WorkItem, WorkResult

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
    """Draw `size` mutants by the seed, and skip all others in the sessions."""
    every = candidates(sessions)
    chosen = Random(seed).sample(every, min(size, len(every)))
    wanted = {item.job_id for _, item in chosen}
    skipped = WorkResult(worker_outcome=WorkerOutcome.SKIPPED, output="not in the sample")
    for session in sessions.values():
        with use_db(str(session), WorkDB.Mode.open) as db:
            others = [item.job_id for item in db.pending_work_items if item.job_id not in wanted]
            db.set_multiple_results(others, skipped)
    return chosen
