"""Upcard Luck, 633c.15: the count of two cards against an up card of 2 to 7; never more than the main wager."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest
from naive_633c.two_and_up import upcard_luck
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

KEY = "upcard_luck"
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\nmin = 1\n'


@pytest.mark.clause("633c.15(a)", "633c.15(f)(1)", "633c.15(f)(2)", "633c.15(f)(3)")
@pytest.mark.parametrize("soft", ["19_and_20", "9_and_10"])
def test_two_cards_and_the_up_card_pay_the_row_of_the_text(soft: str) -> None:
    """Every two cards with an up card of each rank: a second opinion agrees, in both readings (T96)."""
    rules, seen = rules_for(KEY, upcard_luck_soft=soft), Counter[str]()
    cards = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for first, second in combinations_with_replacement(range(52), 2):
        for up in range(13):
            found = WAGERS[KEY].outcome(View(rules, (second, first), (up, 7)))
            name = upcard_luck(cards[first], cards[second], cards[up], soft == "9_and_10")
            assert (found.key if found else "lost") == name
            seen[name] += 1
    assert (seen["ace_and_jack_of_spades"], seen["blackjack"]) == (6, 6 * 63)


@pytest.mark.clause("633c.15(g)")
def test_every_cell_of_the_paytable_is_that_of_the_text() -> None:
    assert assert_printed(15, KEY) == 4


@pytest.mark.clause("633c.15(g)", "633c.15(f)(1)", "633c.15(f)(3)")
def test_ace_and_jack_of_spades_have_a_row_of_their_own_and_lose_against_an_8() -> None:
    """T97."""
    assert [one_line(KEY, "AS JS", f"{up} 9D").net for up in ("7H", "2H", "8H", "AH")] == [400_00, 400_00, -5_00, -5_00]


@pytest.mark.clause("633c.15(g)", "633c.15(f)(2)")
def test_soft_counts_take_the_ace_as_11_unless_the_house_reads_9_and_10() -> None:
    """T96: ace-ace is 12 and loses."""
    for word, won in (("19_and_20", (15_00, 15_00, 15_00)), ("9_and_10", (15_00, 20_00, 20_00))):
        found = [one_line(KEY, f"AD {rank}C", "4S 9D", upcard_luck_soft=word).won for rank in (7, 8, 9)]
        assert tuple(found) == won
    lost = one_line(KEY, "AD AC", "4S 9D")
    assert (lost.net, lost.clause) == (-5_00, "633c.15(f)(2)")


@pytest.mark.clause("633c.15(b)")
def test_it_is_offered_with_four_six_or_eight_decks() -> None:
    for decks in (1, 2, 4, 5, 6, 8):
        refused = [(one.where, one.clause) for one in judge(TABLE.replace("= 6", f"= {decks}"), "table")[1]]
        assert refused == ([] if decks in (4, 6, 8) else [(f"wagers.{KEY}", "633c.15(g)")]), decks
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.15(c)"] == "for each player an area for the Upcard Luck Wager"


@pytest.mark.clause("633c.15(d)")
def test_it_is_no_larger_than_the_main_wager() -> None:
    rules = rules_for(KEY)
    verify_stakes(rules, [Stake(2, 25_00, {KEY: 25_00})])
    text = r"position 2: Upcard Luck of \$25\.01, more than the main wager of \$25"
    with pytest.raises(RuleError, match=text) as refused:
        verify_stakes(rules, [Stake(2, 25_00, {KEY: 25_01})])
    assert refused.value.clause == "633c.15(d)"


@pytest.mark.clause("633c.15(f)#1", "633c.15(f)(1)", "633c.15(f)(3)")
def test_it_is_settled_straight_after_the_deal_on_the_cards_as_dealt() -> None:
    """T10, T11: position 1 doubles 11, and position 2 goes over 21."""
    rules = rules_for(KEY)
    bets = f"1=25+{KEY}=5 2=25+{KEY}=5"
    settled = settle(played(rules, bets, "6h 10c 4s 5h 6c Kd 9h Kh 7d", "1:double=25 2:hit"), rules)
    lost, won = [one for one in settled.lines if one.wager == KEY]
    assert (lost.position, lost.clause, lost.stage) == (2, "633c.15(f)(2)", Stage.AFTER_DEAL)
    assert (won.position, won.outcome, won.won, won.clause) == (1, "count_9_to_11", 20_00, "633c.15(f)(3)")
    assert one_line(KEY, "6H 5H", "8S 9D").clause == "633c.15(f)(1)"


def four_up() -> Short:
    """Positions 1 and 2 have 6♥ 5♥ and 9♣ K♦ against 4♠; the dealer's hole card is K♥, and he draws a 7."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "6H", 2: "9C"}, "4S", {1: "5H", 2: "KD"}, "KH")
    s.stand(1, 2)
    s.reveal()
    s.card(6, 0, "7D")  # type: ignore[arg-type]
    s.close(21)
    s.end()
    return s


def judged(first: str = "5.00", **more: Any) -> list[tuple[str, str]]:
    seats = [seat(at, "stand", side={KEY: amount}) for at, amount in ((1, first), (2, "5.00"))]
    found = findings(four_up(), [line(1, *seats, **more)], rules_for(KEY))
    return [(one.clause, one.check) for one in found if "Upcard Luck" in one.sentence]


@pytest.mark.clause("633c.15(d)")
def test_a_record_with_more_than_the_main_wager_is_found() -> None:
    """The main wagers are $10."""
    assert judged("10.00") == []
    assert judged("10.50") == [("633c.15(d)", reg.SIDE_WAGER)]


@pytest.mark.clause("633c.15(e)", "633c.15(f)#2")
def test_a_record_is_held_against_the_close_of_bets_and_the_time_of_settling() -> None:
    closed = event("bets_closed", after_card=0)
    paid = [event("settled", at, KEY, after_card=6) for at in (2, 1)]
    assert judged(events=[closed, *paid]) == []
    late = event("bet_placed", 1, KEY, after_card=0)
    assert judged(events=[closed, late, *paid]) == [("633a.6(c) timing", reg.CLOSED)]
    early = [event("settled", at, KEY, after_card=5) for at in (2, 1)]
    assert judged(events=[closed, *early]) == [("633c.15(f)", reg.EARLY)] * 2
