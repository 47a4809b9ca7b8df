"""Even money in Blackjack Switch: a round file tells it of each of the two hands; 633a.8(e), reading 53."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, HandEnd, Peek
from shoetool.round_file.dealt_round import Missing, table_round
from shoetool.round_file.file import parse
from shoetool.round_file.play import play_entry
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.table import replay
from short_shoe import Short

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Draft202012Validator(
    json.loads((ROOT / "host_tools/shoetool/schemas/round.schema.json").read_text(encoding="utf-8"))
)
BOTH = ["AC", "KC", "AH", "KD", "AD", "9S"]
RULES = RulesSubmission.default("switch", 6, even_money=True)


def document(even_money: Any, cards: list[str] | None = None) -> dict[str, Any]:
    seat = {"position": 1, "wager": "10.00", "even_money": even_money, "decisions": []}
    return {"format": "shoetool-round/1", "table": "switch", "cards": cards or BOTH, "positions": [seat]}


@pytest.mark.clause("633a.8(e)")
@pytest.mark.parametrize(
    ("even_money", "ends"),
    [
        (False, ["blackjack", "blackjack"]),
        ([False, False], ["blackjack", "blackjack"]),
        (True, ["even_money", "blackjack"]),
        ([True], ["even_money", "blackjack"]),
        ([True, False], ["even_money", "blackjack"]),
        ([False, True], ["blackjack", "even_money"]),
        ([True, True], ["even_money", "even_money"]),
    ],
)
def test_each_hand_takes_even_money_or_not(even_money: Any, ends: list[str]) -> None:
    SCHEMA.validate(document(even_money))
    (entry,) = parse(json.dumps(document(even_money)), "x")
    played = play_entry(entry, RULES)
    assert [hand.end for hand in played.boxes[0].hands] == ends
    taken = [line for line in settle(played, RULES).lines if line.outcome == "even_money"]
    assert len(taken) == ends.count("even_money") and all(line.net == 10_00 for line in taken)


@pytest.mark.clause("633a.8(e)")
def test_even_money_of_a_hand_without_a_blackjack_or_a_hand_that_is_not_there_is_refused() -> None:
    (entry,) = parse(json.dumps(document([True, True], ["9C", "KC", "AH", "8D", "AD", "9S"])), "x")
    with pytest.raises(BadInput, match="even money without a Blackjack"):
        play_entry(entry, RULES)
    (entry,) = parse(json.dumps(document([False, True], ["AC", "AH", "KC", "9S"])), "x")
    with pytest.raises(BadInput, match="no hand number 1"):
        play_entry(entry, RulesSubmission.default("blackjack", 6, even_money=True))


@pytest.mark.parametrize("value", [[], [True, 1], [True, True, True], "yes", None, 1])
def test_anything_else_is_refused_with_its_place(value: Any) -> None:
    assert not SCHEMA.is_valid(document(value))
    with pytest.raises(BadInput, match=r"positions\[0\]\.even_money: takes true or false"):
        parse(json.dumps(document(value)), "x")


@pytest.mark.clause("633a.8(e)")
@pytest.mark.parametrize("even_money", [False, True, (True, False), (False, True), (True, True)])
def test_from_a_history_it_goes_to_the_same_hands(even_money: bool | tuple[bool, ...]) -> None:
    short = Short(Game.SWITCH)
    short.start(1)
    for hand, card in enumerate(BOTH[:2]):
        short.give(1, card, hand=hand)
    short.up(BOTH[2])
    for hand, card in enumerate(BOTH[3:5]):
        short.give(1, card, hand=hand)
    short.hole(BOTH[5])
    short.add("peek", Peek.NO_BLACKJACK)
    for hand in (0, 1):
        short.end_hand(1, HandEnd.BLACKJACK, hand)
    short.reveal()
    short.close(20)
    (dealt,) = replay.rounds(short.s.records)
    made = table_round(dealt, [BettingPosition(1, 10_00, even_money=even_money)], RulesSubmission.default("switch", 6))
    assert not isinstance(made, Missing)
    written = list(even_money) if isinstance(even_money, tuple) else even_money
    (entry,) = parse(json.dumps(document(written)), "x")
    played = play_entry(entry, RULES)
    assert [hand.end for hand in made.boxes[0].hands] == [hand.end for hand in played.boxes[0].hands]
    assert made.boxes[0].even_money == played.boxes[0].even_money == bool(even_money)
