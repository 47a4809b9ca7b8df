"""Records: every kind goes through its payload and back, and what does not fit is refused in one line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoetool.model import records
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import RECORDS

LIMITS = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}


def values_of(kind: int) -> st.SearchStrategy[tuple[int | bytes, ...]]:
    """Values that a record of this kind can carry."""
    parts: list[st.SearchStrategy[int | bytes]] = []
    for _, field_type in RECORDS[kind]["fields"]:
        if field_type in LIMITS:
            parts.append(st.integers(0, LIMITS[field_type]))
        else:
            size = int(field_type[1:])
            parts.append(st.binary(min_size=size, max_size=size))
    return st.tuples(*parts)


any_record = st.sampled_from(sorted(RECORDS)).flatmap(lambda kind: st.tuples(st.just(kind), values_of(kind)))


@given(any_record)
def test_a_record_goes_through_its_payload_and_back(pair: tuple[int, tuple[int | bytes, ...]]) -> None:
    kind, values = pair
    payload = records.encode_payload(kind, values)
    record = records.decode_record(7, 1, 99, kind, payload)
    assert record.values == values
    assert list(record.fields().values()) == list(values)
    json.dumps(record.to_json())


@given(any_record, st.binary(min_size=1, max_size=5))
def test_a_longer_payload_of_a_newer_minor_version_is_read(
    pair: tuple[int, tuple[int | bytes, ...]], more: bytes
) -> None:
    kind, values = pair
    assert records.decode_payload(kind, records.encode_payload(kind, values) + more) == values


def test_fields_are_read_by_name() -> None:
    record = records.make_record(5, "card", 3, 2, 0, 1, 35, 2, 400, 200)
    assert (record.name, record.role, record.box, record.head, record.card) == ("card", 3, 2, 1, 35)
    assert record.get("batch") == 2
    assert record.get("sealed") is None
    with pytest.raises(AttributeError, match="card record has no field 'sealed'"):
        _ = record.sealed


def test_dealer_changed_count_is_read_with_get() -> None:
    assert records.make_record(5, "dealer_changed", 3).get("count") == 3


def test_moved_keeps_both_record_numbers_in_json() -> None:
    out = records.make_record(9, "moved", 5, 3, 2, 0).to_json()
    assert (out["record"], out["of_record"]) == (9, 5)


def test_a_kind_of_a_newer_version_keeps_its_raw_payload() -> None:
    record = records.decode_record(1, 1, 0, 99, b"abc")
    assert (record.name, record.known, record.values) == ("kind_99", False, (b"abc",))
    assert record.to_json()["payload"] == "616263"
    assert records.encode_payload(99, record.values) == b"abc"


@pytest.mark.parametrize(
    ("kind", "payload"), [(records.KINDS["card"], b"\x00" * 8), (records.KINDS["sealed"], b""), (1, b"\x00")]
)
def test_a_short_payload_is_refused_in_one_line(kind: int, payload: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        records.decode_payload(kind, payload)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("card", (1,)),
        ("dealer_changed", (256,)),
        ("sealed", (1, 1, 1, 1, b"short")),
        ("peek", (b"x",)),
        ("no such", ()),
    ],
)
def test_values_that_do_not_fit_are_refused(name: str, values: tuple[int | bytes, ...]) -> None:
    with pytest.raises(BadInput):
        records.make_record(1, name, *values)
