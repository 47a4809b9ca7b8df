"""Super 4 Progressive, 633c.6: what it needs, when it is settled, and who pays."""

from __future__ import annotations

from fractions import Fraction

import pytest
from playing import played
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Peek
from shoetool.rules.round import Line, Settlement, Stage
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.settle.meters import contribution
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import box_of, lines_of, one_line, round_of, rules_for, settled_optional

KEY = "super_4"
SIDE = {KEY: "5.00"}
METERS = {"super_4.star": "50312.50", "super_4.heart": "5100.00", "super_4.spade": "512.25"}
TABLE = """
game = "blackjack"
decks = 6
super_4_suit = "spades"
super_4_sharing = "equally"

[wagers.super_4]
paytable = "1-1"
"""


def table(name: str = "1-1", decks: int = 6, **settings: str) -> RulesSubmission:
    return rules_for(KEY, decks=decks, paytable=name, **{"super_4_suit": "spades", **settings})


def of(held: str, dealer: str, name: str = "1-1", **settings: str) -> Line:
    return one_line(KEY, held, dealer, paytable=name, **{"super_4_suit": "spades", **settings})


def refused(text: str) -> list[tuple[str, str]]:
    return [(one.where, one.clause) for one in judge(text, "table")[1]]


@pytest.mark.clause("633c.6(a)(6)", "633c.6(a)(8)")
@pytest.mark.parametrize(
    ("held", "outcome", "by_rank"),
    [
        ("AD KC", "dealer_blackjack", "two_pair"),
        ("AS KH", "two_pair", "two_pair"),
        ("7C 7H", "dealer_blackjack", "pair"),
        ("7C 7C", "pair", "pair"),
        ("AS 9C", "pair", "pair"),
    ],
)
def test_cards_pair_by_suit_and_rank_or_by_rank_where_the_house_reads_it_so(
    held: str, outcome: str, by_rank: str
) -> None:
    """T54: in one deck neither can happen."""
    assert of(held, "AS KH").outcome == outcome
    assert of(held, "AS KH", super_4_pair="rank").outcome == by_rank


@pytest.mark.clause("633c.6(a)(5)", "633c.6(i)#1")
def test_two_suited_blackjacks_alike_are_a_flush() -> None:
    """T54, T1: flush stands above two pair."""
    assert of("AS KS", "AS KS").outcome == "flush"


@pytest.mark.clause("633c.6(i)#1")
def test_the_higher_row_is_paid_even_where_a_lower_ones_meter_stands_higher() -> None:
    """T2: three of a kind and flush; the spade meter is paid, whatever the club meter shows."""
    rules = table("3-1")
    meters = {"super_4.spade": "510.00", "super_4.club": "900.00"}
    (won, _) = lines_of(rules, "AS KS", box_of("AS AS", SIDE), meters=meters)
    assert (won.outcome, won.won, won.meter) == ("three_of_a_kind", 510_00, "spade")


@pytest.mark.clause("633c.6(a)(1)", "633c.6(a)(2)")
def test_the_house_chooses_the_suit_of_the_best_royal_flush() -> None:
    for suit, letter in (("spades", "S"), ("hearts", "H"), ("clubs", "C")):
        held, dealer = f"Q{letter} J{letter}", f"K{letter} A{letter}"
        for chosen in ("spades", "hearts", "clubs", "diamonds"):
            expected = "royal_flush_chosen_suit" if chosen == suit else "royal_flush_other_suit"
            assert of(held, dealer, super_4_suit=chosen).outcome == expected
    assert of("AD KD", "QD JD").outcome == "lost"  # T55: the ace must be the dealer's
    assert refused(TABLE.replace('super_4_suit = "spades"\n', "")) == [("super_4_suit", "633c.6(a)(1)")]


@pytest.mark.clause("633c.6(a)(9)", "633c.6(a)(10)", "633c.6(i)#4")
def test_a_blackjack_with_the_ten_up_counts_unless_paytable_3_1_is_read_by_its_last_row() -> None:
    """T15."""
    for name in ("1-1", "3-1", "3-2"):
        assert of("7D 2C", "KS AS", name).won == 25_00
        assert of("7D 2C", "KS AS", name, super_4_ten_up="loses").won == (0 if name == "3-1" else 25_00)
        assert of("7D 2C", "AS KS", name, super_4_ten_up="loses").won == 25_00
        assert of("7D 2C", "AS 9S", name, super_4_ten_up="loses").won == 10_00
        assert of("7D 2C", "KS 9S", name).outcome == "lost"


@pytest.mark.clause("633c.6(b)", "633c.6(i)#2")
def test_it_is_offered_with_one_two_four_six_or_eight_decks_by_any_of_its_paytables() -> None:
    for decks in range(1, 9):
        for name in ("1-1", "2-2", "3-3"):
            text = TABLE.replace("decks = 6", f"decks = {decks}").replace("1-1", name)
            allowed = decks in (1, 2, 4, 6, 8)
            assert refused(text) == ([] if allowed else [("wagers.super_4", "633c.6(i)")])
    assert refused(TABLE.replace("1-1", "2-3")) == [("wagers.super_4.paytable", "633c.6(i)")]
    assert refused(TABLE.replace('paytable = "1-1"\n', "")) == [("wagers.super_4", "633c.6(i)")]


@pytest.mark.clause("633c.6(e)")
def test_the_wager_is_5_dollars_and_nothing_else() -> None:
    offer = parse(TABLE).wagers[KEY]
    assert (offer.minimum, offer.maximum) == (5_00, 5_00)
    for limits in ("min = 1\nmax = 5", "min = 10\nmax = 10", "min = 5\nmax = 10"):
        assert refused(TABLE + limits) == [("wagers.super_4.min", "633c.6(e)")]
    assert refused(TABLE + "min = 5\nmax = 5") == []
    assert refused(TABLE.replace("blackjack", "spanish_21")) == [("wagers.super_4", "633c.6(e)")]


@pytest.mark.clause("633c.6(d)#1", "633c.6(d)#2", "633c.6(d)(1)", "633c.6(d)(2)")
def test_the_table_needs_a_progressive_system_with_a_lock_out_and_an_area_for_the_wager() -> None:
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert "605a.7" in found["633c.6(d)"] and "605a.8" in found["633c.6(d)"]
    assert "at each position" in found["633c.6(d)(1)"]
    assert "no more bets" in found["633c.6(d)(2)"]
    assert found["633c.6(c)"] == "for each player an area for the Super 4 Progressive Wager"


@pytest.mark.clause("633c.6(i)#3")
def test_the_paytable_fixes_the_meters_and_the_submission_does_not_repeat_them() -> None:
    meters = parse(TABLE.replace("1-1", "1-3")).meters
    assert {key: (meter.start, meter.reset, meter.rate) for key, meter in meters.items()} == {
        "super_4.star": (10_000_00, 10_000_00, Fraction(75, 1000)),
        "super_4.heart": (5_000_00, 5_000_00, Fraction(7, 100)),
        "super_4.spade": (500_00, 500_00, Fraction(7, 100)),
    }
    told = TABLE + 'meter = { start = 5000, reset = 5000, rate = "10%" }'
    assert refused(told) == [("wagers.super_4.meter", "633c.6(i)")]


@pytest.mark.clause("633c.6(i)#3")
def test_a_contribution_is_exact_and_goes_to_each_meter_at_its_own_rate() -> None:
    """T7: 7.5% of $5 is 37.5 cents."""
    rules = table("1-3")
    assert contribution("super_4.star", 5_00, rules) == Fraction(75, 2)
    assert contribution("super_4.spade", 5_00, rules) == 35


@pytest.mark.clause("633c.6(g)#1", "633c.6(g)#2", "633c.6(g)(1)", "633c.6(g)(2)", "633c.6(h)(4)#1")
def test_it_is_settled_once_the_reader_has_answered_and_before_all_other_cards() -> None:
    """T16: an ace up pays only when there is no Blackjack. The deal is that of any round of Blackjack."""
    rules = table()
    ace_up = settle(played(rules, "1=25+super_4=5", "10h As 8c 9d", "1:stand"), rules)
    (won,) = [one for one in ace_up.lines if one.wager == KEY]
    assert (won.outcome, won.won, won.stage, won.clause) == (
        *("dealer_ace_up", 10_00),
        *(Stage.AFTER_READER, "633c.6(g)(2)"),
    )
    low = settle(played(rules, "1=25+super_4=5", "10h 7s 8c 10d", "1:stand"), rules)
    (lost,) = [one for one in low.lines if one.wager == KEY]
    assert (lost.outcome, lost.net, lost.stage, lost.clause, lost.notes) == (
        *("lost", -5_00),
        *(Stage.AFTER_READER, "633c.6(g)(1)", ()),
    )


@pytest.mark.clause("633c.6(g)(2)")
def test_against_a_blackjack_it_goes_before_the_main_wager_even_where_losers_are_collected_first() -> None:
    rules = table()
    settled = settle(played(rules, "1=25+super_4=5", "10h As 8c Kd", ""), rules)
    assert [one.wager for one in settled.lines] == [KEY, "main"]


def test_a_blackjack_that_was_paid_even_money_still_counts_with_its_cards() -> None:
    """T10: A♠ K♠ against A♠ with K♠ in the hole is a flush."""
    rules = table(even_money=True)  # type: ignore[arg-type]
    settled = settle(played(rules, "1=25+super_4=5", "As As Ks Ks", "1:even_money"), rules)
    assert [(one.wager, one.outcome) for one in settled.lines if one.wager == KEY] == [(KEY, "flush")]


@pytest.mark.clause("633c.6(h)(1)", "633c.6(h)(2)", "633c.6(h)(3)")
def test_every_payout_is_verified_by_the_dealer_the_light_and_a_floorperson() -> None:
    for held, dealer in (("9H 4C", "AS 9D"), ("QS JS", "KS AS")):
        notes = [clause for clause, _ in of(held, dealer).notes]
        assert notes[:3] == ["633c.6(h)(1)", "633c.6(h)(2)", "633c.6(h)(3)"]


@pytest.mark.clause("633c.6(h)(4)#2", "633c.6(h)(4)#3", "633c.6(f)#3")
def test_a_share_of_a_meter_never_comes_from_the_tray_and_the_cards_remain() -> None:
    """The wager went into the tray before the deal, 633c.6(f), and stays there: a meter's award does not return it."""
    rules = table()
    settled = settled_optional(round_of(rules, "KS AS", box_of("QS JS", SIDE), meters=METERS), rules)
    won, reset = settled.lines
    assert (won.source, won.won, won.returned, won.odds and won.odds.text) == (
        *("meter", 50_312_50),
        *(0, "Star progressive"),
    )
    assert [clause for clause, _ in won.notes[-2:]] == ["633c.6(h)(4)"] * 2
    assert (reset.position, reset.meter, reset.won, reset.clause) == (None, "star", 50_000_00, "633c.6(i)")
    assert (settled.tray, settled.house) == (5_00, -50_000_00)
    assert settled.meters == {"super_4.star": 50_000_00 - 50_312_50}
    cash = settled_optional(round_of(rules, "AS KD", box_of("9H 4C", SIDE)), rules)
    assert (cash.tray, cash.lines[0].source, cash.meters) == (5_00 - 25_00, "tray", {})
    assert "633c.6(h)(4)" not in [clause for clause, _ in cash.lines[0].notes]


def test_a_fixed_award_returns_the_wager_only_where_the_house_reads_it_so() -> None:
    """T4: profit and return stand apart."""
    for word, returned in (("kept", 0), ("back", 5_00)):
        line = of("9H 4C", "AS KD", super_4_beside_sum=word)
        assert (line.won, line.returned, line.net) == (25_00, returned, 20_00 + returned)
        assert ("633c.6(f)" in [clause for clause, _ in line.notes]) == (word == "kept")


def shared(how: str) -> Settlement:
    boxes = [box_of("AH AC", SIDE, place) for place in (2, 5)]
    rules = table(super_4_sharing=how)
    return settled_optional(round_of(rules, "AS KD", *boxes, meters={"super_4.spade": "512.25"}), rules)


@pytest.mark.clause("633c.6(i)#3")
def test_who_shares_a_meter_is_for_the_submission_to_say() -> None:
    """T5: the section has no sharing clause. Both ways conserve money: one way resets the meter twice."""
    equally = shared("equally")
    assert {one.position: one.won for one in equally.lines if one.source == "meter"} == {2: 256_12, 5: 256_12}
    assert equally.meters == {"super_4.spade": 500_00 - 512_24}
    in_turn = shared("in_turn")
    assert {one.position: one.won for one in in_turn.lines if one.source == "meter"} == {5: 512_25, 2: 500_00}
    assert in_turn.meters == {"super_4.spade": -512_25 + 500_00 - 500_00 + 500_00}
    assert refused(TABLE.replace('super_4_sharing = "equally"\n', "")) == [("super_4_sharing", "633c.6(i)")]
    with pytest.raises(RuleError, match='write super_4_sharing = "equally" or "in_turn"') as caught:
        shared("")
    assert caught.value.clause == "633c.6(i)"


def test_one_winner_alone_needs_no_rule_on_sharing() -> None:
    assert of("AH AC", "AS KD", super_4_sharing="").won == 500_00


# ------------------------------------------------------------------------------------------------ table records
def against_an_ace(dealer: str = "AC", hole: str = "9H") -> Short:
    """Positions 1 and 2 stand on 18 and 19 against an ace up; the reader finds no Blackjack."""
    s = Short(options=READER)
    s.start(1, 2)
    for box, card in ((1, "KC"), (2, "9C")):
        s.card(0, box, card)
    s.card(1, 0, dealer)
    for box, card in ((1, "8C"), (2, "KD")):
        s.card(0, box, card)
    s.hole(hole)
    s.add("peek", Peek.NO_BLACKJACK)
    s.stand(1, 2)
    s.reveal()
    s.close(20)
    s.end()
    return s


def judged(*events: dict[str, object], **more: object) -> list[tuple[str, str]]:
    """(clause, check) of what the record of that round, with a Super 4 wager at position 1, is held against."""
    told = line(1, seat(1, "stand", side=SIDE), seat(2, "stand"), events=list(events), **more)
    found = findings(against_an_ace(), [told], table("1-1"))
    return [(one.clause, one.check) for one in found if "Super 4" in one.sentence]


READ = event("reader_used", reading="no_blackjack", after_card=6)
CHECKS = [event("verified", 1, KEY), event("floorperson", 1, KEY)]
PAID = event("settled", 1, KEY, after_card=6)


@pytest.mark.clause("633c.6(g)#2", "633c.6(h)(1)", "633c.6(h)(3)")
def test_a_record_is_held_against_the_reader_and_the_verification() -> None:
    assert judged(READ, *CHECKS, PAID) == []
    assert judged(*CHECKS, PAID, READ) == [("633c.6(g)", reg.WAITED)]
    assert judged(READ, CHECKS[1], PAID) == [("633c.6(h)(1)", reg.VERIFIED)]
    assert judged(READ, CHECKS[0], PAID) == [("633c.6(h)(3)", reg.VERIFIED)]


@pytest.mark.clause("633c.6(f)#1", "633c.6(d)(2)")
def test_a_wager_that_came_after_no_more_bets_should_have_been_locked_out() -> None:
    closed, late = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    assert judged(late, closed, READ, *CHECKS, PAID) == []
    assert judged(closed, late, READ, *CHECKS, PAID) == [("633c.6(d)(2)", reg.LOCKED)]


@pytest.mark.clause("633c.6(h)(4)#1", "633c.6(i)#3")
def test_a_record_is_held_against_the_payment_and_each_meter() -> None:
    good = [{"position": 1, "wager": KEY, "amount": "5.00"}]
    assert judged(paid=good, meters=METERS) == []
    assert judged(paid=[{**good[0], "amount": "15.00"}], meters=METERS) == [("633c.6(g)(2)", reg.PAID)]
    low = {**METERS, "super_4.heart": "4999.99"}
    assert judged(paid=good, meters=low) == [("633c.6(i)", reg.METER)]
    assert judged(paid=good, meters={"super_4.gold": "1.00"}) == [("633a.6(e)", reg.SIDE_WAGER)]
