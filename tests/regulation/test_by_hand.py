"""A round written down as its hands lie: the order of its cards is found, or it is said that it cannot be."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from random_rounds import random_round
from shoetool.deal.listed import drawn_order
from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput
from shoetool.round_file.examples import round_example, round_example_names
from shoetool.round_file.file import Entry, parse
from shoetool.round_file.json_text import RoundFileError
from shoetool.round_file.play import play_entry, with_cards
from shoetool.rules.submission.file import example
from shoetool.rules.submission.file import parse as parse_rules
from shoetool.rules.submission.rules import RulesSubmission
from test_play_property import TABLES

_HANDS = [name for name, table in TABLES.items() if not table.game.startswith("hybrid") and table.shoe != "double"]


@pytest.mark.parametrize("name", _HANDS)
def test_the_hands_of_random_rounds_give_the_order_in_which_they_were_drawn(name: str) -> None:
    """Rounds with splits, doubles, switches and surrenders. Where the hands fit several orders it says so."""
    table, told = TABLES[name], Counter[str]()
    for seed in range(150):
        one = random_round(table, seed)
        hands = {box.position: [hand.cards for hand in box.hands] for box in one.table_round.boxes}
        if one.table_round.reader == "blackjack" and any("blazing_7s" in box.side for box in one.table_round.boxes):
            continue  # its extra card lies in no hand
        decisions = list(one.decisions)
        try:
            found = drawn_order(table, one.stakes, hands, one.table_round.dealer, decisions)
        except BadInput as error:
            assert "can have come in" in str(error), (seed, error)
            told["several"] += 1
            continue
        burned = len(one.cards) - len(found)
        assert found == one.cards[burned:], (seed, list(map(card_name, found)))
        told["found"] += 1
        told["split"] += any(len(box.hands) > len(box.initial) for box in one.table_round.boxes)
    assert told["found"] > 10 * told["several"] and told["split"]


@pytest.mark.parametrize("name", round_example_names())
def test_an_example_written_by_hand_is_the_same_round(name: str) -> None:
    text = round_example(name)
    (entry,) = parse(text, name)
    rules = parse_rules(example(str(entry.table)), name)
    played = play_entry(entry, rules)
    document = json.loads(text)
    for key in ("cards", "burned", "determinant_from"):
        document.pop(key, None)
    document["dealer"] = " ".join(map(card_name, played.dealer))
    for seat, box in zip(document["positions"], played.boxes, strict=True):
        seat["hands"] = [" ".join(map(card_name, hand.cards)) for hand in box.hands]
    (by_hand,) = parse(json.dumps(document), name)
    if rules.game.startswith("hybrid"):
        with pytest.raises(BadInput, match="do not tell in which order"):
            with_cards(by_hand, rules)
        return
    assert play_entry(by_hand, rules) == played._replace(draws_discarded=())


def by_hand(dealer: str, *hands: str, decisions: tuple[str, ...] = ()) -> Entry:
    """A round of Blackjack with one position, its hands from the left."""
    seat = {"position": 3, "wager": "10.00", "hands": list(hands), "decisions": list(decisions)}
    document = {"format": "shoetool-round/1", "dealer": dealer, "positions": [seat]}
    return parse(json.dumps(document), "r.json")[0]


RULES = RulesSubmission.default("blackjack", 6)


def test_which_pair_was_split_off_which_follows_from_the_decisions() -> None:
    """The same three hands: the left one was split twice, or the right one was split."""
    hands = ("8♣ K♣", "8♥ K♥", "8♠ K♠")
    left = with_cards(by_hand("10♦ 7♦", *hands, decisions=("split", "split", "stand", "stand", "stand")), RULES)
    right = with_cards(by_hand("10♦ 7♦", *hands, decisions=("split", "stand", "split", "stand", "stand")), RULES)
    names = [" ".join(map(card_name, one.cards or ())) for one in (left, right)]
    assert names == ["8♣ 10♦ 8♠ 7♦ 8♥ K♣ K♥ K♠", "8♣ 10♦ 8♥ 7♦ K♣ 8♠ K♥ K♠"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (by_hand("10♦ 7♦", "8♣ K♣ 5♥", decisions=("stand",)), "has 5♥ listed too"),
        (by_hand("10♦ 7♦", "8♣ K♣", decisions=("hit",)), "needs a card more than is listed"),
        (by_hand("10♦ 7♦ 5♣", "8♣ K♣", decisions=("stand",)), "5♣"),
        (by_hand("10♦ 2♦", "8♣ K♣", decisions=("stand",)), "must draw, and no card is left"),
        (by_hand("10♦ 7♦", "8♣ K♣", "8♥ K♥", decisions=("stand",)), "has more hands listed than it splits into"),
        (by_hand("10♦ 7♦", "8♣ K♣", decisions=("split", "stand", "stand")), "not of equal value"),
        (by_hand("10♦", "8♣ K♣", decisions=("stand",)), "the dealer needs a card"),
    ],
)
def test_hands_that_cannot_be_are_refused_with_the_hand(entry: Entry, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        with_cards(entry, RULES)


def test_all_that_is_wrong_is_said_at_once_each_with_its_place() -> None:
    text = """{
 "format": "shoetool-round/1",
 "cards": ["A♣", "10X", "9♠", "11♠"],
 "positions": [
  {"position": 9, "wager": "25.0.0"},
  {"position": 5, "wager": "40.00", "decisions": ["hti", "stand", "hitt"], "sied": {}},
  {"position": 6}
 ],
 "paid": [{"position": 3, "amount": 1.5}, {"position": 0, "amount": "x"}]
}"""
    with pytest.raises(RoundFileError) as caught:
        parse(text, "r.json")
    lines = [str(caught.value), *caught.value.others]
    places = [line.removeprefix("r.json: ").split(": ")[:2] for line in lines]
    assert places == [
        ["line 3, column 18", "$.cards[1]"],
        ["line 3, column 31", "$.cards[3]"],
        ["line 5, column 16", "$.positions[0].position"],
        ["line 5, column 28", "$.positions[0].wager"],
        ["line 6, column 51", "$.positions[1].decisions[0]"],
        ["line 6, column 67", "$.positions[1].decisions[2]"],
        ["line 6, column 84", "$.positions[1].sied"],
        ["line 7, column 3", "$.positions[2]"],
        ["line 9, column 37", "$.paid[0].amount"],
        ["line 9, column 56", "$.paid[1].position"],
        ["line 9, column 69", "$.paid[1].amount"],
    ], "in the order of the file"


def test_what_only_follows_from_a_misspelt_key_is_not_told() -> None:
    with pytest.raises(RoundFileError) as caught:
        parse('{"format": "shoetool-round/1", "positons": []}', "r.json")
    assert "did you mean positions?" in str(caught.value) and caught.value.others == ()


@pytest.mark.parametrize("other", ["cards", "history", "burned", "determinant_from", "irregularities"])
def test_hands_stand_in_place_of_cards(other: str) -> None:
    value = {"cards": [], "history": {"round": 1}, "burned": 1, "determinant_from": "A", "irregularities": []}[other]
    seat = {"position": 3, "wager": "10.00", "hands": "8♣ K♣"}
    document = {"format": "shoetool-round/1", "dealer": "10♦ 7♦", "positions": [seat], other: value}
    with pytest.raises(RoundFileError, match="this round has hands in place of them"):
        parse(json.dumps(document), "r.json")
    seat.pop("hands")
    del document[other]
    with pytest.raises(RoundFileError, match='"hands" is missing'):
        parse(json.dumps(document), "r.json")
