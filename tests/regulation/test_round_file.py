"""Round files and table records: what is read, and what no hostile file can do."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
from hypothesis import example as given_example
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from random_rounds import Playout, random_round
from shoetool.deal.inputs import IRREGULARITIES
from shoetool.model.cards import card_name
from shoetool.model.errors import ShoetoolError
from shoetool.round_file.events import EVENTS
from shoetool.round_file.fields import CHOICES
from shoetool.round_file.fields import written as shown
from shoetool.round_file.file import BadLine, Entry, each_record, parse
from shoetool.round_file.json_place import find, path_text
from shoetool.round_file.json_text import RoundFileError, load
from shoetool.round_file.play import play_entry
from shoetool.rules.games import GAMES
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.submission.wager_checks import offerable
from shoetool.settle.engine import settle
from wagers_offered import offering

SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "round.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)


def one(**changes: Any) -> dict[str, Any]:
    return {"format": "shoetool-round/1", "positions": [{"position": 3, "wager": "25.00"}], **changes}


def read(document: Any) -> Entry:
    return parse(json.dumps(document), "r.json")[0]


def test_a_round_is_read_whole() -> None:
    entry = read(
        {
            "format": "shoetool-round/1",
            "name": "a",
            "table": "blackjack",
            "cards": ["10♥", "TS", "as"],
            "burned": 1,
            "positions": [
                {
                    "position": 2,
                    "player": "b",
                    "wager": "$1,250.50",
                    "side": {"lucky_ladies": 5},
                    "insurance": "12.5",
                    "even_money": True,
                    "decisions": ["split", {"double": "10"}, {"press": "2.50"}],
                }
            ],
            "irregularities": [{"kind": "exposed", "card": 3}],
            "events": [{"event": "reader_used", "reading": "blackjack", "after_card": 4}],
            "lucky_player": 2,
            "magic_card": "7♠",
            "meters": {"bad_beat": "7312.50"},
            "paid": [{"position": 2, "amount": "-12.50"}, {"position": 2, "hand": 1, "wager": "main", "amount": "+1"}],
        }
    )
    (seat,) = entry.seats
    assert (entry.cards, entry.burned, entry.table) == ((35, 48, 39), 1, "blackjack")
    assert (seat.wager, seat.side, seat.insurance, seat.even_money) == (1250_50, {"lucky_ladies": 5_00}, 12_50, True)
    assert seat.decisions == (("split", None), ("double", 10_00), ("press", 2_50))
    assert (entry.lucky_player, entry.magic_card, entry.meters) == (2, 45, {"bad_beat": 7312_50})
    assert [paid.amount for paid in entry.paid or ()] == [-12_50, 1_00]


def test_a_table_record_gives_its_table_to_the_lines_that_follow() -> None:
    lines = [
        json.dumps({"format": "shoetool-round/1", "table": "a.toml"}),
        "",
        json.dumps({"history": {"shoe": 3, "round": 1}, "positions": [{"position": 1, "wager": 5}]}),
        json.dumps({"table": "b.toml"}),
        json.dumps({"history": {"round": 2}, "positions": [{"position": 1, "wager": 5}]}),
        json.dumps({"history": {"round": 3}, "table": "c.toml", "positions": [{"position": 1, "wager": 5}]}),
    ]
    found = [one for one in each_record(lines, "r") if isinstance(one, Entry)]
    assert [(entry.line, entry.table, entry.shoe, entry.round) for entry in found] == [
        (3, "a.toml", 3, 1),
        (5, "b.toml", None, 2),
        (6, "c.toml", None, 3),
    ]
    assert [entry.line for entry in parse("\n".join(lines), "r")] == [3, 5, 6]


@pytest.mark.parametrize("at", [0, 1, 4])
def test_after_a_line_that_was_no_text_the_table_is_not_known(at: int) -> None:
    lines: list[str | RoundFileError] = [json.dumps(one(table="blackjack")) for _ in range(6)]
    lines[at] = RoundFileError("not UTF-8 text")
    lines[at + 1] = json.dumps(one())
    found = list(each_record(lines, "r"))
    assert [line.line for line in found if isinstance(line, BadLine)] == [at + 1, at + 2]
    after = found[at + 1]
    assert isinstance(after, BadLine) and f"line {at + 1} cannot be read, and may have set it" in str(after.error)


def test_the_first_line_of_a_record_says_its_format() -> None:
    (bad,) = each_record(['{"positions": [{"position": 1, "wager": 5}]}'], "r")
    assert isinstance(bad, BadLine) and str(bad.error).startswith('r: line 1, column 1: $: "format" is missing')


@pytest.mark.parametrize(
    ("document", "path", "words"),
    [
        (one(positions=[]), "$.positions", "at least one position"),
        (one(positions=[{"position": 1, "wager": 1}] * 8), "$.positions", "7 at most (633a.2(a))"),
        (one(positions=[{"position": 8, "wager": 1}]), "$.positions[0].position", "out of range: 1 to 7"),
        (one(positions=[{"wager": 1}]), "$.positions[0]", '"position" is missing'),
        (one(positions=[{"position": 1}]), "$.positions[0]", "(633a.6(d))"),
        (one(positions=[{"position": 1, "wager": -5}]), "$.positions[0].wager", "-5 is not an amount"),
        (one(positions=[{"position": 1, "wager": "5.001"}]), "$.positions[0].wager", "'5.001' is not an amount"),
        (one(positions=[{"position": 1, "wager": None}]), "$.positions[0].wager", "null is not an amount"),
        (one(positions=[{"position": 1, "wager": True}]), "$.positions[0].wager", "true is not an amount"),
        (one(positions=[{"position": 1, "wager": "٥"}]), "$.positions[0].wager", "'٥' is not an amount"),
        (one(positions=[{"position": 1, "wager": 5, "even_money": 1}]), "$.positions[0].even_money", "true or false"),
        (one(positions=[{"position": 1, "wager": 5, "side": []}]), "$.positions[0].side", "a list is not an object"),
        (one(positions=[{"position": 1, "wager": 5, "side": {"x": "y"}}]), "$.positions[0].side.x", "'y' is no"),
        (
            one(positions=[{"position": 1, "wager": 5, "decisions": [{"hit": 5}]}]),
            "$.positions[0].decisions[0].hit",
            "only double and press",
        ),
        (one(cards="10H"), "$.cards", "is not a list of cards"),
        (one(cards=["10H", None]), "$.cards[1]", "null is not a card"),
        (one(cards=["1ſ"]), "$.cards[0]", "is not a card"),
        (one(cards=["AS"] * 1001), "$.cards", "1001 cards"),
        (one(magic_card="joker"), "$.magic_card", "'joker' is not a card"),
        (one(lucky_player=0), "$.lucky_player", "out of range"),
        (one(history={}), "$.history", '"round" is missing'),
        (one(history={"round": 1, "shoe": "3"}), "$.history.shoe", "'3' is not a whole number"),
        (one(table=5), "$.table", "takes a path"),
        (one(name="x" * 201), "$.name", "200 at most"),
        (one(name="\ud800"), "$.name", "half a character"),
        (one(events=[{"event": "reader_usd"}]), "$.events[0].event", "did you mean reader_used?"),
        (one(irregularities=[{"kind": "exposed"}]), "$.irregularities[0]", '"card" is missing'),
        (one(irregularities=[{"kind": "wrong_side", "choice": "up"}]), "$.irregularities[0].choice", "no choice"),
        (one(paid=[{"position": 1}]), "$.paid[0]", '"amount" is missing'),
        (one(paid=[{"position": 1, "amount": "--5"}]), "$.paid[0].amount", "'--5' is not an amount"),
        (one(determinant_from="C"), "$.determinant_from", "'C' is none of the words"),
    ],
)
def test_a_fault_is_named_with_its_path_and_the_schema_refuses_it_too(
    document: dict[str, Any], path: str, words: str
) -> None:
    with pytest.raises(RoundFileError) as caught:
        read(document)
    assert f": {path}: " in str(caught.value) and words in str(caught.value)
    if "\ud800" not in str(document.get("name")) and document.get("irregularities") is None:
        assert not VALID.is_valid(document)


def at_first(key: str, value: Any, **beside: Any) -> dict[str, Any]:
    """A round whose first position has this, too."""
    return one(positions=[{"position": 3, "wager": 5, **beside, key: value}])


NUMBERS: dict[str, tuple[Callable[[int], dict[str, Any]], int, int]] = {
    "burned": (lambda value: one(burned=value), 0, 1000),
    "lucky_player": (lambda value: one(lucky_player=value), 1, 7),
    "history.shoe": (lambda value: one(history={"round": 1, "shoe": value}), 0, 2**32 - 1),
    "history.round": (lambda value: one(history={"round": value}), 1, 10**9),
    "positions.position": (lambda value: at_first("position", value), 1, 7),
    "positions.wager": (lambda value: at_first("wager", value), 0, 999_999_999),
    "events.position": (lambda value: one(events=[{"event": "verified", "position": value}]), 1, 7),
    "events.hand": (lambda value: one(events=[{"event": "verified", "hand": value}]), 1, 100),
    "events.after_record": (lambda value: one(events=[{"event": "verified", "after_record": value}]), 0, 2**32 - 1),
    "events.after_card": (lambda value: one(events=[{"event": "verified", "after_card": value}]), 0, 1000),
    "events.cards": (lambda value: one(events=[{"event": "verified", "cards": value}]), 0, 1000),
    "irregularities.card": (lambda value: one(irregularities=[{"kind": "exposed", "card": value}]), 1, 1000),
    "irregularities.position": (lambda value: one(irregularities=[{"kind": "no_cards", "position": value}]), 1, 7),
    "irregularities.hand": (
        lambda value: one(irregularities=[{"kind": "no_cards", "position": 1, "hand": value}]),
        *(1, 2),
    ),
    "irregularities.missed": (
        lambda value: one(irregularities=[{"kind": "one_card", "position": 1, "choice": "accept", "missed": value}]),
        *(1, 2),
    ),
    "paid.position": (lambda value: one(paid=[{"position": value, "amount": 1}]), 1, 7),
    "paid.hand": (lambda value: one(paid=[{"position": 1, "hand": value, "amount": 1}]), 1, 100),
    "paid.amount": (lambda value: one(paid=[{"position": 1, "amount": value}]), -999_999_999, 999_999_999),
}
MYSTERY = "must_hit_by"
LENGTHS: dict[str, tuple[Callable[[int], dict[str, Any]], int, int]] = {
    "name": (lambda count: one(name="x" * count), 0, 200),
    "cards": (lambda count: one(cards=["AS"] * count), 0, 1000),
    "positions": (lambda count: one(positions=[{"position": at + 1, "wager": 5} for at in range(count)]), 1, 7),
    "positions.player": (lambda count: at_first("player", "x" * count), 0, 200),
    "positions.decisions": (lambda count: at_first("decisions", ["hit"] * count), 0, 200),
    "positions.side": (lambda count: at_first("side", {f"w{at}": 1 for at in range(count)}), 0, 200),
    "meters": (lambda count: one(meters={f"w{at}": 1 for at in range(count)}), 0, 200),
    "positions.even_money": (lambda count: at_first("even_money", [True] * count), 1, 2),
    "events": (lambda count: one(events=[{"event": "verified"}] * count), 0, 1000),
    "events.wager": (lambda count: one(events=[{"event": "verified", "wager": "x" * count}]), 1, 60),
    "irregularities": (lambda count: one(irregularities=[{"kind": "wrong_side"}] * count), 0, 1000),
    "paid": (lambda count: one(paid=[{"position": 1, "amount": 1}] * count), 0, 1000),
    "committed": (lambda count: one(committed=[{"mystery": MYSTERY, "commitment": "0a" * 32}] * count), 0, 1000),
    "opened": (lambda count: one(opened=[{"mystery": MYSTERY, "value": 1, "nonce": "0A" * 32}] * count), 0, 1000),
    "committed.commitment": (lambda count: one(committed=[{"mystery": MYSTERY, "commitment": "0" * count}]), 64, 64),
    "opened.nonce": (lambda count: one(opened=[{"mystery": MYSTERY, "value": 1, "nonce": "f" * count}]), 64, 64),
}


@pytest.mark.parametrize("place", [*NUMBERS, *LENGTHS])
def test_a_value_is_read_to_its_bounds_and_no_further_and_the_schema_has_the_same(place: str) -> None:
    made, low, high = {**NUMBERS, **LENGTHS}[place]
    for value in (low, high):
        assert VALID.is_valid(made(value))
        read(made(value))
    for value in (low - 1, high + 1):
        if value < 0 and place in LENGTHS:
            continue
        assert not VALID.is_valid(made(value)), value
        with pytest.raises(RoundFileError):
            read(made(value))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 100_000, "not a round: nested too deeply"),
        ('{"format": 1, "format": 1}', "the key 'format' stands twice in one object"),
        ('{"burned": ' + "1" * 5000 + "}", "not a round: a number of too many digits"),
        ('{"burned": ', "column 12: not JSON: expecting value"),
    ],
)
def test_a_line_of_a_record_that_is_no_json_is_named_by_its_number(line: str, words: str) -> None:
    for above in (1, 2):
        *_, bad = each_record([*[json.dumps(one())] * above, line], "r")
        assert isinstance(bad, BadLine) and words in str(bad.error)
        assert str(bad.error).startswith(f"r: line {above + 1}")


def test_what_a_file_has_is_named_in_60_characters_at_most_and_a_long_number_by_its_bits() -> None:
    for value, told in (
        ("x" * 58, f"'{'x' * 58}'"),
        ("x" * 59, f"'{'x' * 59}..."),
        ("x" * 60, f"'{'x' * 59}..."),
        (2**128 - 1, f"{2**128 - 1}"),
        (2**128, "a number of 129 bits"),
        (-(2**128) + 1, f"{-(2**128) + 1}"),
    ):
        assert shown(value) == told


def test_a_number_of_too_many_digits_is_named_by_the_line_behind_those_above() -> None:
    for above in (0, 1, 2, 3):
        with pytest.raises(RoundFileError, match=f"r: line {above + 1}: not a round: a number of too many digits"):
            load("1" * 5000, "r", above)


def test_the_place_of_a_value_is_its_line_and_column() -> None:
    text = '{\n  "a": [1, {"b\\u0063": "x"}],\n  "d": 2\n}'
    assert find(text, ("a", 1, "bc")) == (2, 24)
    assert find(text, ("d",)) == (3, 8)
    assert find(text, ("a", 1, "none")) == (2, 12), "what holds it"
    assert path_text(("a", 1, "x" * 60)) == f"$.a[1].{'x' * 60}"
    assert path_text(("x" * 61,)) == f"$.{'x' * 60}", "a long key is cut short"


def test_schema_and_reader_know_the_same_words() -> None:
    definitions = SCHEMA["$defs"]
    assert definitions["choice"]["enum"] == list(CHOICES)
    assert sorted(definitions["irregularity"]["properties"]["kind"]["enum"]) == sorted(IRREGULARITIES)
    assert sorted(definitions["event"]["properties"]["event"]["enum"]) == sorted(EVENTS)


WORDS = st.sampled_from(
    [
        *SCHEMA["properties"],
        *SCHEMA["$defs"]["position"]["properties"],
        *CHOICES,
        "10H",
        "A♠",
        "25.00",
        "-1",
        "blackjack",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | WORDS | st.text(max_size=5)
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4))
IRREGULAR = st.fixed_dictionaries(
    {"kind": st.sampled_from(IRREGULARITIES)},
    optional={
        "card": st.integers(1, 20),
        "position": st.integers(1, 7),
        "hand": st.integers(1, 2),
        "choice": st.sampled_from(["up", "hole", "accept", "refuse", "repaired", "stopped"]),
        "missed": st.integers(1, 2),
    },
)


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
@given_example(b"[" * 20000)
@given_example(b"1" * 5000)
@given_example(b'{"format": "shoetool-round/1", "table": {"a": 1e999}, "positions": [{"position": 1, "wager": 1}]}')
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for text in (data.decode("utf-8", "replace"), data.decode("latin-1")):
        try:
            parse(text, "r")
        except ShoetoolError as error:
            assert len(str(error)) < 600


@given(st.dictionaries(WORDS, JSON, max_size=6))
def test_any_object_is_read_or_refused_and_what_is_read_keeps_to_the_schema(document: dict[str, Any]) -> None:
    try:
        entry = parse(json.dumps({"format": "shoetool-round/1", **document}), "r")
    except ShoetoolError:
        return
    assert entry
    VALID.validate({"format": "shoetool-round/1", **document})


TABLES = {
    "blackjack": RulesSubmission.default("blackjack", 6, even_money=True),
    "double shoe": RulesSubmission.default("blackjack", 8, shoe="double", red_side="A"),
    "switch": RulesSubmission.default("switch", 6),
    "from_the_hand": RulesSubmission.default("from_the_hand", 1),
    "free_bet": RulesSubmission.default("free_bet", 6),
    "spanish_21": RulesSubmission.default("spanish_21", 6),
}
NOT_WITH_ONE_DECK = {"match_the_dealer"}
PLAYED = {
    name: offering(table, *(key for key in offerable(table.game) if table.decks > 1 or key not in NOT_WITH_ONE_DECK))
    for name, table in TABLES.items()
}


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def written(playout: Playout) -> dict[str, Any]:
    """A random round as a round file."""
    seats: dict[int, dict[str, Any]] = {}
    for stake in playout.stakes:
        side = {key: money(amount) for key, amount in stake.side.items()}
        seats[stake.position] = {"position": stake.position, "wager": money(stake.wager), "side": side, "decisions": []}
    for one in playout.decisions:
        seat = seats[one.position]
        if one.name == "insurance":
            seat["insurance"] = money(one.amount or 0)
        elif one.name == "even_money":
            seat["even_money"] = True
        else:
            seat["decisions"].append(one.name if one.amount is None else {one.name: money(one.amount)})
    return {
        "format": "shoetool-round/1",
        "cards": [card_name(card) for card in playout.cards],
        "burned": GAMES[playout.submission.game].deal.burns,
        "positions": list(seats.values()),
        "lucky_player": playout.lucky_player,
        "magic_card": card_name(playout.magic_card),
        "meters": {key: money(amount) for key, amount in playout.meters.items()},
    }


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_a_round_file_settles_as_the_round_that_it_was_written_from(name: str) -> None:
    """And its positions stand in the order of the table."""
    table = PLAYED[name]
    for seed in range(60):
        playout = random_round(table, seed)
        document = written(playout)
        VALID.validate(document)
        played = play_entry(read(document), table)
        assert played == playout.table_round, f"seed {seed}"
        assert settle(played, table) == settle(playout.table_round, table), f"seed {seed}"
        if len(document["positions"]) > 1:
            document["positions"].reverse()
            with pytest.raises(RoundFileError, match="ascending from the dealer's far left"):
                play_entry(read(document), table)


@given(st.sampled_from(sorted(PLAYED)), st.integers(0, 10**6), st.data())
def test_a_round_with_anything_changed_is_settled_with_its_money_kept_or_refused(
    name: str, seed: int, data: st.DataObject
) -> None:
    table = PLAYED[name]
    document = written(random_round(table, seed))
    holder: Any = document
    while isinstance(holder, dict | list) and holder:
        key = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else list(range(len(holder)))))
        if isinstance(holder[key], dict | list) and data.draw(st.booleans()):
            holder = holder[key]
            continue
        action = data.draw(st.sampled_from(["change", "remove", "add", "take"]))
        if action == "change":
            holder[key] = data.draw(JSON)
        elif action == "remove":
            del holder[key]
        elif isinstance(holder, list):
            likes = data.draw(st.sampled_from([holder[key], "hit", "stand", "double", "split", "A♠", "9♥"]))
            holder[key : key + (action == "take")] = [likes]
        break
    if data.draw(st.booleans()):
        document["irregularities"] = data.draw(st.lists(IRREGULAR, max_size=2))
    try:
        played = play_entry(read(document), table)
        VALID.validate(document)
        settlement = settle(played, table)
        lines = settlement.lines
    except ShoetoolError as error:
        assert "\n" not in str(error)
        return
    players = sum(line.net for line in lines if line.position is not None)  # a meter that is set back has none
    assert players + settlement.tray + settlement.house + sum(settlement.meters.values()) == 0


@pytest.mark.clause("633a.14(a)", "633a.12(b)(5)")
@pytest.mark.parametrize(("at", "held"), [(1, ["9♥", "Q♠"]), (2, ["2♣", "Q♠"]), (4, ["2♣", "8♦"])])
def test_the_card_of_an_irregularity_is_counted_without_the_burned_one(at: int, held: list[str]) -> None:
    document = one(
        positions=[{"position": 1, "wager": 10, "decisions": ["stand"]}],
        cards=["2C", "9H", "8D", "QS", "KC"],
        irregularities=[{"kind": "face_up", "card": at}],
    )
    played = play_entry(read(document), RulesSubmission.default("from_the_hand", 1))
    assert [card_name(card) for card in played.boxes[0].hands[0].cards] == held


def test_a_name_may_have_letters_of_any_script() -> None:
    for name in ("Zo\u00eb", "\ud7ff", "\ue000", "\uff21", "\U0001f0a1"):
        assert read(one(name=name)).name == name
    for half in ("\ud800", "\udfff"):
        with pytest.raises(ShoetoolError, match="half a character"):
            read(one(name=f"a{half}"))


def test_the_line_of_what_is_no_json_counts_those_before_it() -> None:
    with pytest.raises(RoundFileError, match=r"^x: line 2, column 2: not JSON"):
        load("{", "x", 1)
