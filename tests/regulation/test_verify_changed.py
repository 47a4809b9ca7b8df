"""The cases of verify_cases_*.py with one record missing or one later: verdict, check and records of what is found.

What must be found of the cases themselves stands beside them; here are the paths that nobody would write a case for. A
line is a change, with what is found more (+) and less (-) than in the case as it is. After a change on purpose:
`python tests/regulation/test_verify_changed.py` writes what is found now; read the difference.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).resolve().parents[2] / part) for part in ("firmware", "tests/firmware")]

from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.verify import verify
from test_verify_cases import PARAMETERS
from verify_case import CASES, Case

FILE = Path(__file__).with_name("verify_changed.txt")
REFERS = (RecordKind.OPENED, RecordKind.MOVED, RecordKind.REVEALED)
ROLES = (RecordKind.CARD, RecordKind.IRREGULARITY, RecordKind.SEALED)
# Each case begins so, and a shoe without its opening is like any other.
PRELUDE = (RecordKind.BOOT, RecordKind.SHOE_OPENED, RecordKind.LOADED)


def found(records: list[Record]) -> Counter[str]:
    """What is found, with the numbers that the records had; they are numbered anew, so that no gap says it all."""
    numbers = {record.number: new for new, record in enumerate(records)}
    history = [
        one._replace(number=new, values=(numbers.get(one.values[0], one.values[0]), *one.values[1:]))
        if one.kind in REFERS
        else one._replace(number=new)
        for new, one in enumerate(records)
    ]
    return Counter(
        f"{one.verdict} {one.check} {[records[at].number for at in one.records if at < len(records)]}"
        for one in verify(history).findings
    )


def changes(records: list[Record], at: int) -> Iterator[tuple[str, list[Record]]]:
    yield "missing", records[:at] + records[at + 1 :]
    if at + 1 < len(records):
        yield "later", [*records[:at], records[at + 1], records[at], *records[at + 2 :]]


def sort_of(record: Record) -> tuple[object, ...]:
    """What makes two records alike: their kind, and the role or code where they have one."""
    return (record.kind, record.values[0]) if record.kind in ROLES else (record.kind,)


def told(make: Case) -> Iterator[str]:
    """The lines of a case: the first record of each sort that it has, and the last."""
    yield f"## {make.__name__}"
    records = make().s.records
    usual = found(records)
    places = {sort_of(record): at for at, record in reversed(list(enumerate(records)))}
    last = {sort_of(record): at for at, record in enumerate(records)}
    for at in sorted({*places.values(), *last.values()}):
        if records[at].kind in PRELUDE and at < 4:
            continue
        for what, changed in changes(records, at):
            now = found(changed)
            more = [f"+ {one}" for one in (now - usual).elements()]
            less = [f"- {one}" for one in (usual - now).elements()]
            yield f"{records[at].number} {records[at].name} {what}: {'; '.join(more + less) or 'nothing'}"


@cache
def kept() -> dict[str, list[str]]:
    """The lines of each case."""
    blocks = FILE.read_text(encoding="utf-8").split("## ")[1:]
    return {lines[0]: [f"## {lines[0]}", *lines[1:]] for lines in map(str.splitlines, blocks)}


@pytest.mark.parametrize("make", [pytest.param(make, id=make.__name__) for _, _, make in CASES])
def test_a_case_with_a_record_missing_or_one_later_has_the_findings_that_it_had(make: Case) -> None:
    assert list(told(make)) == kept()[make.__name__]


if __name__ == "__main__":
    assert PARAMETERS
    FILE.write_text("\n".join(line for _, _, make in CASES for line in told(make)) + "\n", encoding="utf-8")
