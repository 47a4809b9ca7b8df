"""Perfect Pairs, 633c.1: the pair of the first two cards, its paytables, and when it is settled."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest
from naive_633c.two_and_up import perfect_pairs
from playing import played
from printed_633c import assert_printed
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Peek
from shoetool.rules.round import Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import one_line, rules_for

KEY = "perfect_pairs"
SIDE = {KEY: "5.00"}
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\npaytable = "A"\n'


@pytest.mark.clause("633c.1(b)#2", "633c.1(d)(1)", "633c.1(d)(2)", "633c.1(f)#1", "633c.1(f)#2", "633c.1(f)#3")
def test_the_first_two_cards_are_the_pair_of_the_text() -> None:
    """Every two cards, alike ones too: a second opinion agrees. Ten-count cards pair by rank alone (T13)."""
    rules, seen = rules_for(KEY), Counter[str]()
    cards = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for first, second in combinations_with_replacement(range(52), 2):
        found = WAGERS[KEY].outcome(View(rules, (second, first), (7, 20)))
        name = perfect_pairs(cards[first], cards[second])
        assert (found.key if found else "lost") == name
        seen[name] += 1
    assert seen == {"perfect_pair": 52, "colored_pair": 26, "mixed_pair": 52, "lost": 1_248}


@pytest.mark.clause("633c.1(e)")
def test_every_cell_of_the_two_paytables_is_that_of_the_text() -> None:
    assert assert_printed(1, KEY) == 6


@pytest.mark.clause("633c.1(f)#3")
def test_with_one_deck_a_perfect_pair_is_a_row_that_nobody_can_hold() -> None:
    """T20: the wager is offered with any number of decks."""
    for decks in (1, 2, 4, 6, 8):
        assert judge(TABLE.replace("decks = 6", f"decks = {decks}"), "table")[1] == []


@pytest.mark.clause("633c.1(b)#1", "633c.1(e)")
def test_it_is_offered_as_the_submission_names_it_with_an_area_for_each_player() -> None:
    refused = judge(TABLE.replace('paytable = "A"\n', ""), "table")[1]
    assert [(one.where, one.clause) for one in refused] == [(f"wagers.{KEY}", "633c.1(e)")]
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.1(a)"] == "for each player an area for the Perfect Pairs Wager"
    assert one_line(KEY, "5S 5C", "9H KD", paytable="B").won == 50_00


@pytest.mark.clause("633c.1(c)", "633c.1(d)(1)", "633c.1(d)(2)")
def test_it_is_settled_straight_after_the_deal_on_the_cards_as_dealt() -> None:
    """T11: a pair of hearts that is split was a pair; the dealer's Blackjack changes nothing."""
    rules = rules_for(KEY, paytable="A")
    bets = f"1=25+{KEY}=5 2=25+{KEY}=5"
    shoes = ("8h 10c 7s 8h 7c Kd 3c 2d", "1:split 1:stand 1:stand 2:stand"), ("8h 10c As 8h 7c Kd", "")
    for shoe, decisions in shoes:
        settled = settle(played(rules, bets, shoe, decisions), rules)
        lost, won = [one for one in settled.lines if one.wager == KEY]
        assert (lost.position, lost.net, lost.clause, lost.stage) == (2, -5_00, "633c.1(d)(2)", Stage.AFTER_DEAL)
        assert (won.position, won.outcome, won.won, won.returned) == (1, "perfect_pair", 125_00, 5_00)
        assert (won.clause, won.stage, won.source) == ("633c.1(d)(1)", Stage.AFTER_DEAL, "tray")


def told(*events: dict[str, object], **more: Any) -> dict[str, Any]:
    return line(1, *[seat(at, "stand", side=SIDE) for at in (1, 2)], events=list(events), **more)


def ace_up() -> Short:
    """Positions 1 and 2 have 8♦ 8♥ and 9♣ K♦ against an ace; the reader says no Blackjack."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "8D", 2: "9C"}, "AC", {1: "8H", 2: "KD"}, "9H")
    s.add("insurance", 0)
    s.add("peek", Peek.NO_BLACKJACK)
    s.finish_usual(20)
    s.end()
    return s


@pytest.mark.clause("633c.1(d)#1", "633c.1(d)#2")
def test_a_record_is_held_against_the_time_and_the_row_of_settling() -> None:
    """Before the reader and after the second cards, counterclockwise from the dealer's right."""
    paid = [event("settled", at, KEY, after_card=6) for at in (2, 1)]
    read = event("reader_used", reading="no_blackjack", after_card=6)
    early = [event("settled", at, KEY, after_card=5) for at in (2, 1)]
    for events, expected in (
        ([*paid, read], []),
        ([read, *paid], [("633c.1(d)", reg.EARLY)] * 2),
        ([*early, read], [("633c.1(d)", reg.EARLY)] * 2),
        ([*reversed(paid), read], [("633a.7(g)", reg.EARLY)]),
    ):
        found = findings(ace_up(), [told(*events)], rules_for(KEY))
        assert [(one.clause, one.check) for one in found if "Perfect Pairs" in one.sentence] == expected


@pytest.mark.clause("633c.1(d)(1)")
def test_a_record_that_pays_another_row_is_found() -> None:
    """8♦ 8♥ is a colored pair: $60 of $5, and $125 would be a perfect one."""
    for amount, expected in (("60.00", []), ("125.00", [("633c.1(d)(1)", reg.PAID)])):
        paid = [{"position": 1, "wager": KEY, "amount": amount}, {"position": 2, "wager": KEY, "amount": "-5.00"}]
        found = findings(ace_up(), [told(paid=paid)], rules_for(KEY))
        assert [(one.clause, one.check) for one in found if "Perfect Pairs" in one.sentence] == expected
