"""Lucky Aces, 633c.8: the aces of player and dealer, settled when the hole card is turned; electronic tables alone."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from naive_633c.two_and_up import lucky_aces
from playing import played
from printed_633c import assert_printed
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import RecordKind
from shoetool.rules.round import Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import one_line, rules_for

KEY = "lucky_aces"
SIDE = {KEY: "5.00"}
TABLE = f'game = "blackjack"\ndecks = 6\nelectronic_table = true\n\n[wagers.{KEY}]\npaytable = "A"\n'


@pytest.mark.clause("633c.8(a)#2", "633c.8(d)(1)", "633c.8(d)(2)", "633c.8(e)")
def test_the_four_cards_are_the_aces_of_the_text() -> None:
    """Each suit of ace, and two cards that are none, at each of the four places: a second opinion agrees."""
    rules, seen = rules_for(KEY), set()
    cards = [(1, "c"), (1, "d"), (1, "h"), (1, "s"), (5, "d"), (13, "s")]
    ids = ["cdhs".index(suit) * 13 + rank - 1 for rank, suit in cards]
    pairs = list(combinations_with_replacement(range(6), 2))
    for (first, second), (up, hole) in product(pairs, [*pairs, *((two, one) for one, two in pairs)]):
        view = View(rules, (ids[second], ids[first]), (ids[up], ids[hole]))
        found = WAGERS[KEY].outcome(view)
        name = lucky_aces(cards[first], cards[second], cards[up], cards[hole])
        assert (found.key if found else "lost") == name
        seen.add(name)
    assert len(seen) == 8


@pytest.mark.clause("633c.8(e)")
def test_aces_are_counted_before_their_suits_are_looked_at() -> None:
    """T59."""
    held = (("AS AS", "AS AD"), ("AS AS", "AD 9C"), ("AS AS", "AS 9C"), ("AD AC", "9S AH"))
    won = [one_line(KEY, *cards, paytable="A").won for cards in held]
    assert won == [2_500_00, 100_00, 1_250_00, 100_00]


@pytest.mark.clause("633c.8(e)")
def test_every_cell_of_the_four_paytables_is_that_of_the_text() -> None:
    assert assert_printed(8, KEY) == 28


@pytest.mark.clause("633c.8(a)#1", "633c.8(c)")
def test_it_is_offered_at_an_electronic_table_alone_with_an_area_there() -> None:
    assert judge(TABLE, "table")[1] == []
    refused = judge(TABLE.replace("electronic_table = true\n", ""), "table")[1]
    assert [(one.where, one.clause) for one in refused] == [(f"wagers.{KEY}", "633c.8(a)")]
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.8(b)"] == "for each player an area for the Lucky Aces Wager"
    won = one_line(KEY, "AS 5C", "9H KD")
    assert (won.source, [clause for clause, _ in won.notes]) == ("house", ["633c.8(c)"])


@pytest.mark.clause("633c.8(d)#1", "633c.8(d)(1)", "633c.8(d)(2)", "633c.8(f)")
def test_it_is_settled_when_the_hole_card_is_turned_and_the_main_wagers_after_it() -> None:
    """T10, T11: position 1 splits its aces, and a hand over 21 has its wager still; what is drawn does not count."""
    rules = rules_for(KEY, paytable="A")
    bets = f"1=25+{KEY}=5 2=25+{KEY}=5"
    settled = settle(played(rules, bets, "Ad 10c 9s Ac 6c Ah 9c Kc Ks", "1:split 1:stand 2:hit"), rules)
    side = [(at, one) for at, one in enumerate(settled.lines) if one.wager == KEY]
    assert [(one.position, one.outcome, one.net, one.clause) for _, one in side] == [
        (2, "one_ace", 5_00, "633c.8(d)(2)"),
        (1, "three_aces", 100_00, "633c.8(d)(2)"),
    ]
    assert {one.stage for _, one in side} == {Stage.HOLE_CARD}
    main = [at for at, one in enumerate(settled.lines) if one.stage is Stage.MAIN]
    assert main and max(at for at, _ in side) < min(main)


@pytest.mark.clause("633c.8(a)#2", "633c.8(d)(1)")
def test_an_ace_that_the_dealer_draws_is_none_of_the_four_cards() -> None:
    rules = rules_for(KEY, paytable="A")
    settled = settle(played(rules, f"1=25+{KEY}=5", "10c 6s 9c 10d Ah", "1:stand"), rules)
    (found,) = [one for one in settled.lines if one.wager == KEY]
    assert (found.outcome, found.net, found.clause) == ("lost", -5_00, "633c.8(d)(1)")


@pytest.mark.clause("633c.8(d)(1)", "633c.8(d)(2)")
def test_with_a_dealers_blackjack_it_is_settled_after_the_reader() -> None:
    rules = rules_for(KEY, paytable="A")
    settled = settle(played(rules, f"1=25+{KEY}=5", "5d As 9c Kd", ""), rules)
    (found,) = [one for one in settled.lines if one.wager == KEY]
    assert (found.outcome, found.stage, found.clause) == ("one_ace", Stage.AFTER_READER, "633c.8(d)(2)")
    assert [one.wager for one in settled.lines] == [KEY, "main"]  # straight after the turn: before the lost main wager
    lost = one_line(KEY, "5C 6C", "9H KD")
    assert (lost.clause, lost.net, lost.stage) == ("633c.8(d)(1)", -5_00, Stage.HOLE_CARD)


def six_up() -> Short:
    """Position 1 has A♠ 7♣ and position 2 9♣ K♦; the dealer has 6 and 10 and draws a 5."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "AS", 2: "9C"}, "6C", {1: "7C", 2: "KD"}, "10H")
    s.stand(1, 2)
    s.reveal()
    s.card(6, 0, "5D")  # type: ignore[arg-type]
    s.close(21)
    s.end()
    return s


def judged(*events: dict[str, object], **more: Any) -> list[tuple[str, str]]:
    seats = [seat(at, "stand", side=SIDE) for at in (1, 2)]
    rules = rules_for(KEY, paytable="A")
    found = findings(six_up(), [line(1, *seats, events=list(events), **more)], rules)
    return [(one.clause, one.check) for one in found if "Lucky Aces" in one.sentence]


@pytest.mark.clause("633c.8(d)#2")
def test_a_record_is_held_against_the_turn_of_the_hole_card_and_the_dealers_draw() -> None:
    history = six_up().s.records
    turned = next(at for at, one in enumerate(history) if one.kind == RecordKind.REVEALED)
    drawn = next(at for at, one in enumerate(history) if one.kind == RecordKind.CARD and at > turned)
    for after, expected in (
        (turned, []),
        (turned - 1, [("633c.8(d)", reg.WAITED)] * 2),
        (drawn, [("633c.8(d)", reg.WAITED)] * 2),
    ):
        assert judged(*(event("settled", at, KEY, after_record=after) for at in (2, 1))) == expected


@pytest.mark.clause("633c.8(d)(1)", "633c.8(d)(2)")
def test_a_record_that_pays_another_row_is_found() -> None:
    for amount, expected in (("5.00", []), ("10.00", [("633c.8(d)(2)", reg.PAID)])):
        paid = [{"position": 1, "wager": KEY, "amount": amount}, {"position": 2, "wager": KEY, "amount": "-5.00"}]
        assert judged(paid=paid) == expected
