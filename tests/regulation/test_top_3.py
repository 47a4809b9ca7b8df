"""Top 3, 633c.7: three cards, its paytables, and the Three Card Poker wager that must lie beside it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest
from naive_633c.two_and_up import top_3
from playing import played
from printed_633c import assert_printed
from shoetool.deal import RuleError, Stake
from shoetool.deal.stakes import verify_stakes
from shoetool.judge import registry_table as reg
from shoetool.rules.round import Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import one_line, rules_for

KEY, POKER = "top_3", "three_card_poker"
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\npaytable = "A"\n\n[wagers.{POKER}]\npaytable = "A"\n'


@pytest.mark.clause("633c.7(a)#2", "633c.7(d)(1)", "633c.7(d)(2)", "633c.7(e)#1")
def test_the_three_cards_are_the_hand_of_the_text() -> None:
    """Every two cards with every up card: a second opinion agrees. The best row is paid, and only that (T58)."""
    rules, seen = rules_for(KEY), Counter[str]()
    cards = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for first, second in combinations_with_replacement(range(52), 2):
        for up in range(52):
            found = WAGERS[KEY].outcome(View(rules, (second, first), (up, 7)))
            name = top_3(cards[first], cards[second], cards[up])
            assert (found.key if found else "lost") == name
            seen[name] += 1
    assert [seen[name] for name in ("three_of_a_kind_suited", "straight_flush", "three_of_a_kind")] == [52, 144, 468]


@pytest.mark.clause("633c.7(d)(1)", "633c.7(d)(2)")
def test_the_ace_ends_a_sequence_and_does_not_lie_within_it() -> None:
    """T14."""
    held = (("QS KS", "AS 5D"), ("2S 3S", "AS 5D"), ("KS 2S", "AS 5D"))
    assert [one_line(KEY, *cards).outcome for cards in held] == ["straight_flush", "straight_flush", "lost"]


@pytest.mark.clause("633c.7(e)#2")
def test_every_cell_of_the_two_paytables_is_that_of_the_text() -> None:
    assert assert_printed(7, KEY) == 6


@pytest.mark.clause("633c.7(a)#1")
def test_it_is_offered_only_where_three_card_poker_is() -> None:
    assert judge(TABLE, "table")[1] == []
    alone = judge(TABLE[: TABLE.index(f"\n[wagers.{POKER}]")], "table")[1]
    assert [(one.where, one.clause) for one in alone] == [(f"wagers.{KEY}", "633c.7(a)")]
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.7(b)"] == "for each player an area for the Top 3 Wager"


@pytest.mark.clause("633c.7(c)")
def test_a_player_places_it_beside_three_card_poker_alone() -> None:
    rules = rules_for(KEY)
    verify_stakes(rules, [Stake(1, 25_00, {KEY: 5_00, POKER: 5_00})])
    with pytest.raises(RuleError, match=r"position 1: Top 3 without Three Card Poker") as refused:
        verify_stakes(rules, [Stake(1, 25_00, {KEY: 5_00})])
    assert refused.value.clause == "633c.7(c)"


@pytest.mark.clause("633c.7(d)#1", "633c.7(d)(1)", "633c.7(d)(2)", "633c.7(e)#1", "633c.7(f)")
def test_it_is_settled_with_three_card_poker_straight_after_the_deal() -> None:
    """9♠ 9♦ against 9♠ are three of a kind: 90 to 1 beside the 9 to 1 of Three Card Poker. Then play goes on."""
    rules = rules_for(KEY)
    bets = f"1=25+{KEY}=5+{POKER}=10 2=25+{KEY}=5+{POKER}=10"
    settled = settle(played(rules, bets, "9s 10c 9s 9d 7c Kd", "1:stand 2:stand"), rules)
    side = [one for one in settled.lines if one.wager in (KEY, POKER)]
    assert [(one.position, one.wager, one.net) for one in side] == [
        *((2, POKER, -10_00), (2, KEY, -5_00), (1, POKER, 90_00), (1, KEY, 450_00)),
    ]
    assert {one.stage for one in side} == {Stage.AFTER_DEAL}
    assert [one.clause for one in side if one.wager == KEY] == ["633c.7(d)(1)", "633c.7(d)(2)"]
    assert settled.lines[-1].wager == "main"


def nines() -> Short:
    """Positions 1 and 2 have 9♠ 9♦ and 10♣ 7♣ against 9♠."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "9S", 2: "10C"}, "9S", {1: "9D", 2: "7C"}, "KD")
    s.finish_usual(19)
    s.end()
    return s


def judged(*sides: dict[str, str], **more: Any) -> list[tuple[str, str]]:
    seats = [seat(at, "stand", side=side) for at, side in zip((1, 2), sides, strict=True)]
    found = findings(nines(), [line(1, *seats, **more)], rules_for(KEY))
    return [(one.clause, one.check) for one in found if "Top 3" in one.sentence]


BOTH = {KEY: "5.00", POKER: "10.00"}


@pytest.mark.clause("633c.7(c)")
def test_a_record_with_top_3_alone_is_found_at_that_position() -> None:
    """A wager that is not offered, or too large, is named by itself, and Top 3 beside it is not."""
    assert judged(BOTH, BOTH) == []
    assert judged(BOTH, {KEY: "5.00"}) == [("633c.7(c)", reg.SIDE_WAGER)]
    assert judged({KEY: "5.00", POKER: "5000.00"}, BOTH) == []


@pytest.mark.clause("633c.7(d)#2")
def test_a_record_is_held_against_the_time_of_settling() -> None:
    paid = [event("settled", at, key, after_card=6) for at in (2, 1) for key in (POKER, KEY)]
    early = [event("settled", at, key, after_card=5) for at in (2, 1) for key in (POKER, KEY)]
    assert judged(BOTH, BOTH, events=paid) == []
    assert judged(BOTH, BOTH, events=early) == [("633c.7(d)", reg.EARLY)] * 2
