"""Replay: rounds out of records, whatever the records are."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from dealer_script import Dealer, Table, shoe
from histories import Script
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import RECORDS, Game, IrregularityCode, Peek, Role, RoundEnd, ShoeKind
from shoetool.model.records import Record
from shoetool.table.card import FACE_DOWN, DrawnCard
from shoetool.table.inventory import removed
from shoetool.table.replay import Stream, replay, rounds
from shoetool.table.side import Side
from shoetool.table.table import Table as TableState

TABLES = {
    "single": Table(),
    "double": Table(kind=ShoeKind.DOUBLE, decks=8, seats=0b1011011),
    "free bet": Table(game=Game.FREE_BET, seats=0b111111),
    "spanish 21": Table(game=Game.SPANISH_21),
    "face-down doubles": Table(options=1, seats=0b10101),
}
LIMITS = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}


def schema(part: str) -> Draft202012Validator:
    text = (resources.files("shoetool") / "schemas" / "replay.schema.json").read_text()
    document = json.loads(text)
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": document["$defs"]})


@pytest.mark.parametrize("name", TABLES)
def test_every_card_that_was_dealt_is_in_a_round_in_its_order(name: str) -> None:
    records = shoe(TABLES[name], seed=3).records
    found = list(rounds(records))
    opened = [r for r in records if r.name == "round_opened"]
    assert [r.number for r in found] == [r.round for r in opened]
    for round_ in found:
        dealt = [r for r in records if round_.record < r.number <= round_.last and r.name in ("card", "sealed")]
        shown = {placed.card.record for placed in round_.placed}
        assert {r.number for r in dealt} <= shown
        assert [card.role for card in round_.dealer[:2]] == [Role.DEALER_UP, Role.HOLE]
        hands = [hand for row in round_.boxes.values() for hand in row]
        assert all(len(hand.cards) >= 2 for hand in hands)
        assert all(hand.total() is not None for hand in hands)
        schema("round").validate(round_.to_json())


def test_the_inventory_of_a_counted_shoe_is_the_whole_batch() -> None:
    machine = Stream()
    for record in shoe(Table(), seed=5).records:
        machine.feed(record)
    side = machine.table.sides[0]
    assert side.counts == [6] * 52
    assert (side.drawn, side.unknown, side.sealed) == (312, 0, 0)


def test_split_hands_stand_in_the_order_in_which_they_lie() -> None:
    script = Script()
    script.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 1)
    script.add("round_opened", 1, 1)
    for card in (7, 20):
        script.add("card", Role.OPENING, 1, 0, 0, card, 1, 300, 200)
    script.add("split", 1, 0, 1)
    script.add("card", Role.SPLIT_SECOND, 1, 0, 0, 33, 1, 300, 200)
    script.add("split", 1, 0, 2)
    (round_,) = rounds(script.records)
    assert [hand.hand for hand in round_.boxes[1]] == [0, 2, 1]
    assert [[card.card for card in hand.cards] for hand in round_.boxes[1]] == [[7], [33], [20]]


def test_a_card_that_lies_face_down_has_no_face_before_it_is_opened() -> None:
    script = shoe(Table(), seed=2)
    for state, record in replay(script.records):
        if record.name == "sealed":
            assert state.card is not None and state.card.card == FACE_DOWN
            assert state.card.to_json()["card"] is None
        if record.name == "opened":
            assert state.card is not None and state.card.known
    assert not state.face_down


def test_a_held_card_stands_where_it_was_used() -> None:
    dealer = Dealer(TABLES["single"], 4, "drawn_in_error")
    found = list(rounds(dealer.play_shoe().records))
    first = found[1].boxes[1][0].cards[0]
    assert dealer.planted
    assert first.sealed and first.record < found[1].record < first.placed
    assert first.role == Role.OPENING


def test_a_history_that_ends_within_a_round_gives_the_round_so_far() -> None:
    records = shoe(Table(), seed=1).records
    cut = next(i for i, r in enumerate(records) if r.name == "hand_ended") + 1
    *_, last = rounds(records[:cut])
    assert last.closed == -1 and last.outcome == -1 and last.last == cut - 1


def test_a_round_in_json_says_only_what_has_happened() -> None:
    script = Script()
    script.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 1)
    script.add("round_opened", 1, 0b100010)
    (round_,) = rounds(script.records)
    nothing = {"cards": [], "total": None, "revealed": False, "peek": None}
    started = {
        "round": 1,
        "first_record": 1,
        "last_record": 1,
        "seats": [2, 6],
        "side": None,
        "determinant": None,
        "hands": [],
        "dealer": nothing,
        "insurance": None,
        "switch_hands": [],
        "cover_card": False,
        "outcome": None,
        "irregularities": [],
    }
    assert round_.to_json() == started
    for box, card in ((2, 7), (6, 20)):
        script.add("card", Role.OPENING, box, 0, 0, card, 1, 300, 200)
    script.add("card", Role.DEALER_UP, 0, 0, 0, 9, 1, 300, 200)
    hole = script.seal(Role.HOLE, 0, 0, 0, 8, 1)
    script.add("cover_card", 0, 5, 2, 1)
    script.add("insurance", 0b10)
    script.add("peek", Peek.NO_BLACKJACK)
    script.add("irregularity", IrregularityCode.CARD_DISCARDED, 14, 0, 0, 0)
    (round_,) = rounds(script.records)
    dealer = round_.to_json()["dealer"]
    assert [card["card"] for card in dealer.pop("cards")] == ["10♣", None]
    assert dealer == {"total": None, "revealed": False, "peek": "no_blackjack"}
    script.add("revealed", hole)
    script.open(hole, Role.HOLE, 0, 0)
    script.add("round_closed", 1, RoundEnd.SETTLED, 19)
    (round_,) = rounds(script.records)
    told = round_.to_json()
    assert [card["card"] for card in told["dealer"].pop("cards")] == ["10♣", "9♣"]
    assert told["dealer"] == {"total": 19, "revealed": True, "peek": "no_blackjack"}
    first, second = told["hands"]
    card = {"record": 2, "role": "opening", "position": 2, "hand": 0, "side": "A", "card": "8♣"}
    assert first == {
        "position": 2,
        "hand": 0,
        "cards": [{**card, "face_down": False, "dealt_face_down": False}],
        "total": 8,
        "soft": False,
        "doubled": False,
        "from_split": False,
        "switched": False,
        "ended": None,
    }
    assert (second["position"], second["cards"][0]["card"]) == (6, "8♦")
    assert (told["insurance"], told["cover_card"], told["outcome"]) == ([2], True, "settled")
    assert told["irregularities"] == ["card_discarded"] and told["last_record"] == script.next - 1


def test_carried_counts_open_the_other_side(tmp_path: Path) -> None:
    script = Script()
    script.add("shoe_opened", 0, 1, 8, 1, 2, 0, 7, 0, 1)
    script.add("loaded", 0, 208)
    script.add("carried", 1, 2, bytes([0x21]) + bytes(25))
    machine = Stream()
    for record in script.records:
        machine.feed(record)
    side = machine.table.sides[1]
    assert (side.counts[0], side.counts[1], side.unknown, side.drawn) == (1, 2, 2, 5)


@pytest.mark.parametrize("name", TABLES)
def test_the_documents_of_all_rounds_follow_their_schema(name: str) -> None:
    for one in rounds(shoe(TABLES[name], seed=7, most=5).records):
        schema("round").validate(one.to_json())


def test_the_replay_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(
        json.loads((resources.files("shoetool") / "schemas" / "replay.schema.json").read_text())
    )


def small(field_type: str) -> st.SearchStrategy[int | bytes]:
    if field_type in LIMITS:
        return st.one_of(st.integers(0, 15), st.integers(0, LIMITS[field_type]))
    return st.just(bytes(int(field_type[1:])))


def any_record(kind: int) -> st.SearchStrategy[tuple[int, tuple[int | bytes, ...]]]:
    fields = [small(field_type) for _, field_type in RECORDS[kind]["fields"]]
    return st.tuples(st.just(kind), st.tuples(*fields))


nonsense = st.lists(st.sampled_from(sorted(RECORDS)).flatmap(any_record), max_size=60)


@given(nonsense, st.booleans())
@example([(1, (0, b"\x00\x00\x00", 0, 0)), (6, (0, 0)), (71, (0, 0))], False)  # a choice of no betting position
def test_any_sequence_of_records_replays_and_verifies_without_an_error(
    sequence: list[tuple[int, tuple[int | bytes, ...]]], in_round: bool
) -> None:
    from shoetool.verify import verify

    start = [(2, (0, 1, 8, 1, 2, 0, 7, 0, 1)), (3, (0, 208)), (3, (1, 208)), (6, (1, 0x7F))] if in_round else []
    records = [Record(number, 1, 0, kind, values) for number, (kind, values) in enumerate([*start, *sequence])]
    for round_ in rounds(records):
        json.dumps(round_.to_json())
    report = verify(records)
    json.dumps(report.to_json())


@given(st.integers(0, 1000), st.data())
def test_a_spoilt_history_replays_and_verifies_without_an_error(seed: int, data: st.DataObject) -> None:
    """Real records left out, doubled, swapped and changed: closer to the truth than nonsense, and deeper."""
    from shoetool.verify import verify

    name = data.draw(st.sampled_from(sorted(TABLES)))
    records = list(shoe(TABLES[name], seed=seed % 7, most=4).records)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(records) - 1))
        what = data.draw(st.sampled_from(["drop", "double", "swap", "change", "kind"]))
        if what == "drop" and len(records) > 5:
            del records[at]
        elif what == "double":
            records.insert(at, records[at])
        elif what == "swap":
            other = data.draw(st.integers(0, len(records) - 1))
            records[at], records[other] = records[other], records[at]
        elif what == "change":
            values = list(records[at].values)
            spot = data.draw(st.integers(0, len(values) - 1))
            if isinstance(values[spot], int):
                values[spot] = data.draw(st.integers(0, 63))
                records[at] = records[at]._replace(values=tuple(values))
        else:
            kind, values_ = data.draw(st.sampled_from(sorted(RECORDS)).flatmap(any_record))
            records[at] = records[at]._replace(kind=kind, values=values_)
    records = [record._replace(number=number) for number, record in enumerate(records)]
    json.dumps([round_.to_json() for round_ in rounds(records)])
    json.dumps(verify(records).to_json())


def test_an_unread_card_that_is_taken_out_of_play_counts_as_never_there() -> None:
    table = TableState()
    side = table.sides[0] = Side(loaded=52, load_record=1, drawn=3, unknown=2)
    removed(table, DrawnCard(5, Role.DRAW, 1, 0, 0, UNKNOWN, 1, False))
    assert (side.drawn, side.unknown) == (2, 1)


def test_a_history_with_more_face_down_cards_than_a_shoe_holds_takes_no_more_memory() -> None:
    replay = Stream()
    script = Script()
    for _ in range(4097):
        script.add("sealed", Role.HELD, 12, 0, 0, bytes(32))
    said = [state.anomaly.text for state in map(replay.feed, script.records) if state.anomaly is not None]
    assert said.count("more cards lie face down than a shoe holds") == 1
    assert len(replay.table.face_down) == 1


def test_a_side_that_is_loaded_again_forgets_what_lay_face_down_of_its_batch_before() -> None:
    replay = Stream()
    script = Script()
    script.add("boot", 0, b"\x00\x01\x00", 0, 1)
    left = []
    for _ in range(2):
        script.add("shoe_opened", 0, 1, 8, 1, 2, 0, 7, 0, 0)
        for side in range(2):
            script.add("loaded", side, 208)
        left = [script.add("sealed", Role.BURN, 14, 0, side, bytes(32)) for side in range(2)]
    for record in script.records:
        replay.feed(record)
    assert list(replay.table.face_down) == left


@pytest.mark.parametrize(("insured", "positions"), [(0, []), (1, [1]), (0x46, [2, 3, 7]), (0xFF, [*range(1, 9)])])
def test_the_insured_positions_of_a_round_are_those_of_the_bits(insured: int, positions: list[int]) -> None:
    replay = Stream()
    script = Script()
    script.add("round_opened", 1, 0x7F)
    script.add("insurance", insured)
    for record in script.records:
        replay.feed(record)
    assert replay.table.round is not None
    assert replay.table.round.to_json()["insurance"] == positions
