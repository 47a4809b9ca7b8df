"""Records: every kind goes through its payload and back, and what does not fit is refused in one line."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from made_record import KINDS, encode_payload, make_record
from shoetool.model import records
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import FAULTS, IRREGULARITYS, RECORDS

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


def event_schema() -> Draft202012Validator:
    schema = json.loads((resources.files("shoetool") / "schemas" / "event.schema.json").read_text())
    return Draft202012Validator({"$defs": schema["$defs"], **schema["properties"]["record"]})


EVENT = event_schema()


@given(any_record)
def test_a_record_goes_through_its_payload_and_back(pair: tuple[int, tuple[int | bytes, ...]]) -> None:
    kind, values = pair
    payload = encode_payload(kind, values)
    record = records.decode_record(7, 1, 99, kind, payload)
    assert record.values == values
    assert list(record.fields().values()) == list(values)
    json.dumps(record.to_json())


@given(any_record, st.binary(min_size=1, max_size=5))
def test_a_longer_payload_of_a_newer_minor_version_is_read(
    pair: tuple[int, tuple[int | bytes, ...]], more: bytes
) -> None:
    kind, values = pair
    assert records.decode_payload(kind, encode_payload(kind, values) + more) == values


def test_fields_are_read_by_name() -> None:
    record = make_record(5, "card", 3, 2, 0, 1, 35, 2, 400, 200)
    assert (record.name, record.role, record.box, record.head, record.card) == ("card", 3, 2, 1, 35)
    assert record.get("batch") == 2
    assert record.get("sealed") is None
    with pytest.raises(AttributeError, match="card record has no field 'sealed'"):
        _ = record.sealed


def test_dealer_changed_count_is_read_with_get() -> None:
    assert make_record(5, "dealer_changed", 3).get("count") == 3


def test_moved_keeps_both_record_numbers_in_json() -> None:
    out = make_record(9, "moved", 5, 3, 2, 0).to_json()
    assert (out["record"], out["of_record"]) == (9, 5)


def test_a_kind_of_a_newer_version_keeps_its_raw_payload() -> None:
    record = records.decode_record(1, 1, 0, 99, b"abc")
    assert (record.name, record.known, record.values) == ("kind_99", False, (b"abc",))
    assert record.to_json()["payload"] == "616263"
    assert encode_payload(99, record.values) == b"abc"


@pytest.mark.parametrize(("kind", "payload"), [(KINDS["card"], b"\x00" * 8), (KINDS["sealed"], b""), (1, b"\x00")])
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
    ],
)
def test_values_that_do_not_fit_are_refused(name: str, values: tuple[int | bytes, ...]) -> None:
    with pytest.raises(BadInput):
        make_record(1, name, *values)


@given(any_record)
def test_every_field_of_every_kind_is_in_the_schema_of_events_whatever_its_value(
    pair: tuple[int, tuple[int | bytes, ...]],
) -> None:
    document = records.Record(7, 1, 99, *pair).to_json()
    if "dealt" in document:
        document["drawn"] = 0
        del document["dealt"]  # as live output has it
    EVENT.validate(document)


@pytest.mark.parametrize("name", ["event", "replay"])
def test_the_schemas_name_every_irregularity_and_fault_of_the_protocol(name: str) -> None:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    for kind, table in (("irregularity", IRREGULARITYS), ("fault", FAULTS)):
        if kind in schema["$defs"]:
            assert schema["$defs"][kind]["anyOf"][0]["enum"] == [entry["name"] for entry in table.values()]


@pytest.mark.parametrize("kind", ["irregularity", "fault", "cleared"])
def test_an_event_of_every_code_of_the_protocol_keeps_to_its_schema(kind: str) -> None:
    table = IRREGULARITYS if kind == "irregularity" else FAULTS
    for code in table:
        values = (code, *(0 for _ in RECORDS[KINDS[kind]]["fields"][1:]))
        EVENT.validate(records.Record(7, 1, 99, KINDS[kind], values).to_json())


@pytest.mark.parametrize(
    ("kind", "values", "named"),
    [
        (
            "opened",
            (5, 7, 14, 0, 35, 1, bytes(16)),
            {"role": "burn", "position": "rack", "card": "10♥", "sealed": 5},
        ),
        ("card", (3, 2, 1, 1, 63, 2, 400, 200), {"position": 2, "hand": 1, "side": "B", "card": "unknown"}),
        ("card", (99, 20, 0, 7, 63, 2, 400, 200), {"role": "role_99", "position": "position_20", "side": None}),
        ("card", (0, 8, 0, 0, 35, 1, 400, 200), {"role": "opening", "position": "player_1"}),
        ("selected", (0b1101,), {"positions": [1, 3, 0, 0, 0, 0, 0]}),
        (
            "shoe_opened",
            (2, 1, 8, 1, 2, 1, 7, 0b100010, 12),
            {
                "game": "spanish_21",
                "shoe_kind": "double",
                "side_a_color": "black_suits",
                "options": ["continuous_shuffler", "no_burn_owed"],
            },
        ),
        ("round_opened", (3, 0b101), {"seats": [1, 3]}),
        ("hand_ended", (1, 0, 2), {"why": "bust"}),
        ("finished", (1, 0, 99), {"why": "cover_card", "side": "B"}),
        ("counted", (0, 1, 10, 9, 63), {"verdict": "short", "first_card": None}),
        ("irregularity", (11, 3, 0, 1, 0), {"code": "wrong_side", "position": 3}),
        ("fault", (1, 0, 0), {"code": "unreadable"}),
        ("self_test", (1, 0b1000001), {"result": "failed", "failed": ["ram", "side_b"]}),
        ("boot", (0, b"\0\1\2", 0, 7), {"cause": "power_on", "version": "0.1.2"}),
    ],
)
def test_numbers_have_the_names_that_people_know(kind: str, values: tuple[int | bytes, ...], named: object) -> None:
    document = make_record(1, kind, *values).to_json()
    assert isinstance(named, dict)
    assert {name: document.get(name) for name in named} == named
