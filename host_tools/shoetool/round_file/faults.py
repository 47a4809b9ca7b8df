"""All that is wrong with a round file at once: what is wrong is put right or left out, and the rest is read again."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from shoetool.round_file.fields import Fault
from shoetool.round_file.json_place import Path

MOST: Final = 20
"""So many are told."""
_STAND_INS: Final = {"position": 1, "wager": "1.00", "amount": "0", "round": 1}
"""What stands for a wrong value of a key that may not be missing, while the rest is read."""


def all_faults(document: Any, read: Callable[[Any], object]) -> list[Fault]:
    """Return the faults that `read` finds in a document, at least one; without those that follow from another one."""
    rest = deepcopy(document)
    gone: dict[Path, list[int]] = defaultdict(list)  # of each list, the places of the items that were left out
    left_out: list[Path] = []
    found: list[Fault] = []
    while len(found) < MOST:
        try:
            read(rest)
        except Fault as fault:
            path = _in_document(fault.path, gone)
            if not any(_follows(path, fault.what, one) for one in left_out):
                found.append(Fault(path, fault.what))
            if not fault.path:
                break  # the whole is no round
            if not _stand_in(rest, fault.path):
                _leave_out(rest, fault.path)
                left_out.append(path)
                if isinstance(path[-1], int):
                    insort(gone[path[:-1]], path[-1])
        else:
            break
    return found


def _in_document(path: Path, gone: dict[Path, list[int]]) -> Path:
    """A place in what is left, as a place in the whole document."""
    whole: tuple[str | int, ...] = ()
    for step in path:
        if isinstance(step, int):
            for other in gone.get(whole, ()):
                step += other <= step
        whole = (*whole, step)
    return whole


def _follows(path: Path, what: str, left_out: Path) -> bool:
    """Whether something is only missing because of what was left out: a misspelt key, the items of a list, or the only
    key of a decision."""
    inside = tuple(left_out[:-1]) == tuple(path)
    return inside and (isinstance(left_out[-1], int) or "is missing" in what or what.startswith("an object is not"))


def _stand_in(document: Any, path: Path) -> bool:
    """Put a right value in the place of a wrong one. False where there is none, or where it stands there already."""
    at = _parent(document, path)
    known = _STAND_INS.get(path[-1]) if isinstance(path[-1], str) else None
    if known is None or not isinstance(at, dict) or at.get(path[-1], known) == known:
        return False
    at[path[-1]] = known
    return True


def _leave_out(document: Any, path: Path) -> None:
    at = _parent(document, path)
    if isinstance(at, dict):
        at.pop(path[-1], None)
    else:
        del at[path[-1]]


def _parent(document: Any, path: Path) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document
