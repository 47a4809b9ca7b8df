"""What this version does not know is told as not known: never verified, and never judged by rules that may not hold."""

from __future__ import annotations

import pytest
from dealer_script import Dealer, Table, shoe
from histories import Script
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.model.naming import enumeration
from shoetool.model.protocol_table import RECORDS, Finish, Game, RecordKind, ShoeKind
from shoetool.model.records import Record, decode_payload
from shoetool.verify.engine import Verifier
from shoetool.verify.findings import VERIFIED, Report

TABLES = (Table(), Table(kind=ShoeKind.DOUBLE, decks=8), Table(game=Game.SPANISH_21))
CHECK = "7(s): known to this version"
NEW = 250
OF_HYBRID = (RecordKind.HIT, RecordKind.COUNTDOWN, RecordKind.SELECTED)
"""Kinds that mean nothing at these tables."""
ENUMERATED = [
    (kind, index)
    for kind, row in RECORDS.items()
    for index, (name, _) in enumerate(row["fields"])
    if name == "box" or enumeration(row["name"], name) is not None
]


def verified(records: list[Record]) -> Report:
    verifier = Verifier()
    verifier.feed_all(records)
    return verifier.report()


def changed(record: Record, index: int, value: int) -> Record:
    values = list(record.values)
    values[index] = value
    return record._replace(values=tuple(values))


def with_one_more(records: list[Record], kind: int, values: tuple[object, ...]) -> list[Record]:
    """The records with one of that kind before the last, which closes the shoe."""
    last = records[-1]
    return [*records[:-1], last._replace(kind=kind, values=values), last._replace(number=last.number + 1)]


@pytest.fixture(scope="module", params=TABLES, ids=["single", "double", "spanish"])
def records(request: pytest.FixtureRequest) -> list[Record]:
    found = shoe(request.param, seed=3, most=3).records
    assert verified(found).verdict == VERIFIED
    return found


@pytest.mark.parametrize(("kind", "index"), ENUMERATED, ids=[f"{RECORDS[k]['name']}-{i}" for k, i in ENUMERATED])
def test_a_value_that_this_version_does_not_know_is_never_verified(
    records: list[Record], kind: int, index: int
) -> None:
    at = next((place for place, record in enumerate(records) if record.kind == kind), None)
    if at is None:
        values = decode_payload(kind, bytes(64))
        told = with_one_more(records, kind, changed(records[-1]._replace(values=values), index, NEW).values)
    else:
        told = [*records[:at], changed(records[at], index, NEW), *records[at + 1 :]]
    report = verified(told)
    assert report.verdict != VERIFIED
    name = RECORDS[kind]["fields"][index][0]
    said = f"a record of kind {kind} " if kind in OF_HYBRID else f"{name} {NEW}".lower()
    assert any(one.check == CHECK and said in one.sentence.lower() for one in report.findings)


def test_a_kind_of_record_that_this_version_does_not_know_is_never_verified(records: list[Record]) -> None:
    report = verified(with_one_more(records, 222, (b"new",)))
    assert [(one.check, one.verdict) for one in report.findings] == [(CHECK, CANNOT_TELL)]
    assert report.findings[0].sentence.startswith("A record of kind 222 is not known to this version of shoetool;")


def test_a_kind_that_is_not_known_behind_a_closed_shoe_leaves_the_shoe_as_it_is(records: list[Record]) -> None:
    last = records[-1]
    assert verified([*records, Record(last.number + 1, 1, 0, 222, (b"new",))]).verdict == VERIFIED


@pytest.mark.parametrize(("field", "value"), [(0, 9), (1, 9), (5, 9), (7, 31 << 11)])
def test_a_shoe_opened_for_what_is_not_known_is_not_judged_by_the_rules_of_another_game(
    records: list[Record], field: int, value: int
) -> None:
    at = next(place for place, record in enumerate(records) if record.name == "shoe_opened")
    opened = changed(records[at], field, value)
    # Cards in an order that no game deals, and a shoe that is not full: with known rules these are breaches.
    rest = [one for one in records[at + 1 :] if one.name != "loaded"]
    rest = [one._replace(number=at + 1 + place) for place, one in enumerate(rest)]
    report = verified([*records[:at], opened, *rest])
    assert {one.verdict for one in report.findings} == {CANNOT_TELL}
    assert CHECK in {one.check for one in report.findings}
    assert report.summary.rounds == 3


def test_the_shoe_after_an_unknown_one_is_judged_again() -> None:
    first = shoe(TABLES[0], seed=3, most=2).records
    at = next(place for place, record in enumerate(first) if record.name == "shoe_opened")
    first[at] = changed(first[at], 0, 9)
    dealer = Dealer(TABLES[0], 4, "dealer_stops_short", Script(len(first), boot=1))
    records = first + dealer.play_shoe(boot=False).records
    found = {(one.check, one.verdict) for one in verified(records).findings}
    assert (CHECK, CANNOT_TELL) in found and ("7(m): dealer draws to 17", BREACH) in found


def test_an_unknown_value_is_told_once_with_its_records(records: list[Record]) -> None:
    told = [changed(one, 2, 77) if one.name == "hand_ended" else one for one in records]
    rows = [one for one in verified(told).findings if one.check == CHECK]
    number = sum(one.name == "hand_ended" for one in records)
    assert len(rows) == 1 and f"and in {number - 1} more" in rows[0].sentence
    assert rows[0].records[0] == next(one.number for one in records if one.name == "hand_ended")


@pytest.mark.parametrize("more", [-1, 1])
def test_633a_7_e_a_count_that_is_complete_with_other_cards_than_expected_is_a_breach(more: int) -> None:
    records = shoe(TABLES[0], seed=3).records
    told = [changed(one, 3, one.values[2] + more) if one.name == "counted" else one for one in records]
    counted = [one for one in verified(told).findings if "as complete with" in one.sentence]
    assert counted and {one.verdict for one in counted} == {BREACH}


def test_a_missing_load_is_no_copy_too_many() -> None:
    """A gap may hide that the side was loaded again: what came before it is not counted with what comes after."""
    first, second = (shoe(TABLES[0], seed=seed).records for seed in (3, 4))
    cut = next(place for place, one in enumerate(second) if one.name == "round_opened")
    number = first[-1].number + 10
    records = first[:-1] + [one._replace(number=number + place) for place, one in enumerate(second[cut:])]
    report = verified(records)
    assert not any("once more than its" in one.sentence for one in report.findings)
    assert first[-1].values[0] == Finish.COVER_CARD and report.verdict != VERIFIED
