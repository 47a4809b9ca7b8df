"""What `verify` says of the worked examples of the dealing machine when one record is not as it was.

`test_verify_worked` holds it against verify_worked.txt. Under a record stands a line for each change of it: what verify
finds that it did not find before (+), and what it finds no more (-): verdict, check, records, and the sentence of the
first three that are new. Not all that is changed can be seen in a history, and none of these is signed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dealing_history import BOOT, record
from dealing_worked import _FACES, _FIRST, _ROLES, told
from shoe import wire_table as t
from shoetool.verify import verify

Event = tuple[Any, ...]
MOST = 3
LONG = 120  # records; what a longer example shows is in the others too, and each change of it takes as long as it is
REFERS = (t.REC_OPENED, t.REC_MOVED, t.REC_REVEALED)


def sort_of(event: Event) -> tuple[Any, ...]:
    """What makes two records alike: their kind, and role, code or reason where they have one."""
    kind = event[0]
    at = _ROLES.get(kind, 1)
    return (kind, event[at]) if kind in _FIRST or kind in _ROLES else (kind,)


def findings(events: list[tuple[int, Event]]) -> Counter[str]:
    """Each finding as verdict, check, records and sentence; the records by the numbers that they had before."""
    numbers = {old: new for new, (old, _) in enumerate(events, 1)}
    before = {new: old for old, new in numbers.items()}
    history = [BOOT]
    for new, (_, event) in enumerate(events, 1):
        if event[0] in REFERS:
            event = (event[0], numbers.get(event[1], event[1]), *event[2:])
        history.append(record(new, event))
    return Counter(
        f"{one.verdict} {one.check} {[before.get(number, number) for number in one.records]} {one.sentence}"
        for one in verify(history).findings
    )


def changes(events: list[tuple[int, Event]], at: int, fields: bool) -> Iterator[tuple[str, list[tuple[int, Event]]]]:
    """Ways in which record `at` may not be as it was: (what was done, the events)."""
    number, event = events[at]
    yield "is missing", events[:at] + events[at + 1 :]
    if at + 1 < len(events):
        yield "comes one later", [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
    if not fields:
        return
    yield "comes twice", [*events[: at + 1], (number + 1000, event), *events[at + 1 :]]
    for field in range(1, len(event)):
        if isinstance(event[field], int) and not (event[0] in (t.REC_CARD,) and field > 6):
            for step in (1, -1):
                value = event[field] + step
                most = 52 if _FACES.get(event[0]) == field else 15 if field < 4 else 255
                if 0 <= value <= most:
                    other = (*event[:field], value, *event[field + 1 :])
                    yield f"has {value} in field {field}", [*events[:at], (number, other), *events[at + 1 :]]


def answers(examples: dict[str, tuple[str, list[tuple[int, Event]]]]) -> Iterator[str]:
    """The lines of each example, of (its table, its events): the first record of each sort at this table, and under it
    a line for each change. Fields are changed where the sort is the first at any table."""
    seen = set()
    for name, (table, events) in examples.items():
        yield f"## {name}"
        if len(events) > LONG:
            continue
        usual = findings(events)
        for at, (number, event) in enumerate(events):
            sort = sort_of(event)
            if (table, *sort) in seen:
                continue
            yield f"{number} {told(event)}"
            for what, changed in changes(events, at, ("", *sort) not in seen):
                found = findings(changed)
                more = [f"+ {one}" for one in (found - usual).elements()]
                less = [f"- {one.partition(']')[0]}]" for one in (usual - found).elements()]
                if len(more) > MOST:
                    more[MOST:] = [f"{len(more) - MOST} more"]
                yield f"  {what}: {'; '.join(more + less) or 'nothing'}"
            seen |= {(table, *sort), ("", *sort)}
