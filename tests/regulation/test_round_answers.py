"""Rounds as an analyst writes them from ROUND_FORMAT.md alone, settled by hand beside the tool.

The comments count the hands; no expected figure was taken from the program.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from shoetool.model.errors import BadInput
from shoetool.regulation.round import Line
from shoetool.regulation.round_file.file import parse
from shoetool.regulation.round_file.play import play_entry
from shoetool.regulation.settle.engine import settle
from shoetool.regulation.submission.file import example, from_values
from shoetool.regulation.submission.file import parse as parse_rules


def settled(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> list[Line]:
    """The lines of a round file with these cards; `table` is an example's name or the settings."""
    document = {"format": "shoetool-round/1", "cards": cards.split(), "positions": list(positions), **more}
    (entry,) = parse(json.dumps(document), "r.json")
    rules = parse_rules(example(table)) if isinstance(table, str) else from_values(table, "table")
    return list(settle(play_entry(entry, rules), rules).lines)


def nets(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> dict[int, int]:
    """By position, by how many cents its player is better off."""
    found: dict[int, int] = {}
    for line in settled(table, cards, *positions, **more):
        if line.position is not None:
            found[line.position] = found.get(line.position, 0) + line.won + line.returned - line.staked
    return found


def seat(position: int, wager: str, *decisions: Any, **more: Any) -> dict[str, Any]:
    return {"position": position, "wager": wager, "decisions": list(decisions), **more}


def refused(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> str:
    """The one line with which the round is refused."""
    with pytest.raises(BadInput) as caught:
        settled(table, cards, *positions, **more)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.clause("633a.14(i)", "633a.7(k)")
def test_a_missed_hit_takes_no_card_of_the_players_after_it() -> None:
    # 1: 10♥ 6♦ = 16, his hit is missed; 2: 9♥ 3♦ = 12, draws 9♣ = 21. Then the late 4♠ makes 20, and he stands.
    # Dealer 10♠ 7♦ = 17. Both win. With the cards taken in turn 1 would have 25, and lose.
    won = nets(
        "blackjack",
        "10♥ 9♥ 10♠ 6♦ 3♦ 7♦ 9♣ 4♠",
        seat(1, "25.00", "hit", "late_card", "stand"),
        seat(2, "40.00", "hit"),
    )
    assert won == {1: 25_00, 2: 40_00}


@pytest.mark.clause("633a.14(i)")
def test_a_late_card_without_the_hit_that_was_missed_is_refused_with_what_to_write() -> None:
    for word in ("late_card", "dead_hand"):
        text = refused("blackjack", "10♥ 10♠ 6♦ 7♦ 5♣", seat(1, "25.00", word))
        assert "$.positions[0].decisions[0]" in text and 'write "hit" before it' in text
        assert 'write "hit"' in refused("blackjack", "10♥ 10♠ 6♦ 7♦ 5♣", seat(1, "25.00", "hit", "stand", word))


@pytest.mark.clause("633a.14(i)")
def test_a_card_that_was_served_and_one_that_was_missed_are_two_hits() -> None:
    # 2♥ 3♦, served 4♣ = 9, missed, late 5♣ = 14, then 6♠ = 20; dealer 10♠ 9♦.
    cards = "2♥ 10♠ 3♦ 9♦ 4♣ 5♣ 6♠"
    assert nets("blackjack", cards, seat(1, "15", "hit", "hit", "late_card", "hit", "stand")) == {1: 15_00}
    assert nets("blackjack", "2♥ 10♠ 3♦ 9♦ 4♣", seat(1, "15", "hit", "hit", "dead_hand")) == {1: 0}


@pytest.mark.clause("590.10(a)(1)", "590.10(a)(2)", "590.11(b)(2)")
def test_a_paid_double_or_split_is_never_turned_into_a_free_one_without_a_word() -> None:
    # 6 and 5 are a hard 11, which doubles free; 8 and 8 split free. What was put down must be told by its right word.
    nine = "6♥ 10♠ 5♦ 8♦ 9♣"
    assert "doubles free, write free_double (590.10(a)(2))" in refused("free-bet", nine, seat(1, "15.00", "double"))
    assert nets("free-bet", nine, seat(1, "15.00", "free_double")) == {1: 30_00}
    pair = "8♥ 10♠ 8♦ 8♣ 10♥ K♥"
    assert "8s splits free, write free_split" in refused("free-bet", pair, seat(1, "15", "split", "stand", "stand"))
    # Two 18s against 18: both push.
    assert nets("free-bet", pair, seat(1, "15", "free_split", "stand", "stand")) == {1: 0}
    # A ten-count pair takes an equal wager; soft 9 and a hard 12 double with one.
    tens = "10♥ 10♠ K♦ 7♣ 9♥ 8♥"
    assert nets("free-bet", tens, seat(1, "15", "split", "stand", "stand")) == {1: 30_00}
