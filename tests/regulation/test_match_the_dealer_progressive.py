"""Match the Dealer Progressive, 633c.3: its outcomes and paytables, its meter, and who shares it."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from naive_633c import match_the_dealer_progressive as naive
from playing import played
from shoetool.cli import build
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Peek
from shoetool.rules.paytable import paytables
from shoetool.rules.round import Line, Settlement, Stage
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from shoetool.settle.meters import contribution
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import box_of, one_line, round_of, rules_for, settled_optional

KEY = "match_the_dealer_progressive"
SIDE = {KEY: "5.00"}
METER = {KEY: "6543.21"}
ACES = "AS AS", "AS 9D"
EIGHTS = "8S 8S", "8S 9D"
ROWS = (
    *("two_suited_aces_of_spades", "two_suited", "one_suited_one_non_suited"),
    *("one_suited", "two_non_suited", "one_non_suited"),
)
TABLE = f"""
game = "blackjack"
decks = 6
{KEY}_sharing = "equally"
{KEY}_sharing_parts = "each"

[wagers.{KEY}]
paytable = 4
min = 5
max = 5
"""


def table(name: str = "4", decks: int = 6, **settings: Any) -> RulesSubmission:
    return rules_for(KEY, decks=decks, paytable=name, **settings)


def of(held: str, dealer: str, name: str = "4", staked: str = "5.00", decks: int = 6, **settings: Any) -> Line:
    return one_line(KEY, held, dealer, staked, paytable=name, decks=decks, **settings)


def refused(text: str) -> list[tuple[str, str]]:
    return [(one.where, one.clause) for one in judge(text, "table")[1]]


# ------------------------------------------------------------------------------------------------ outcomes, paytables
@pytest.mark.clause("633c.3(a)#1", *(f"633c.3(a)({number})" for number in range(1, 7)), "633c.3(g)(1)")
def test_the_two_cards_and_the_up_card_make_the_combination_of_the_text() -> None:
    """Every two cards, repeated ones too, with every up card: a second opinion agrees."""
    rules, wager, seen = table(), WAGERS[KEY], Counter[int]()
    cards = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for first, second in combinations_with_replacement(range(52), 2):
        for up in range(52):
            found = wager.outcome(View(rules, (second, first), (up, 7)))
            number = naive.combination(cards[first], cards[second], cards[up])
            assert (ROWS.index(found.key) + 1 if found else 0) == number, (first, second, up)
            seen[number] += 1
    assert [seen[number] for number in range(1, 7)] == [1, 51, 156, 2_496, 312, 7_488]


@pytest.mark.clause("633c.3(i)#1", "633c.3(i)#2", "633c.3(b)")
def test_every_cell_of_the_twenty_paytables_is_that_of_the_text() -> None:
    """As a parser of the source text alone froze them; the second opinion has the same figures."""
    frozen = json.loads((Path(__file__).parents[1] / "vectors" / "paytables_633c" / "3.json").read_text())["tables"]
    tables = paytables(KEY)
    assert [[one.name, one.decks] for one in tables] == [[one["paytable"], (one["decks"],) * 2] for one in frozen]
    for printed, found in zip(frozen, tables, strict=True):
        assert printed["rows"] == [[row.outcome, row.odds.text] for row in found.rows]
        assert tuple(row.key for row in found.rows) == ROWS
        decks, name = printed["decks"], int(printed["paytable"])
        assert [cell for _, cell in printed["rows"]] == [naive.pays(number, decks, name) for number in range(1, 7)]
        assert [count for count in range(1, 17) if found.covers(count)] == [decks]
    assert len(tables) == 20


@pytest.mark.clause("633c.3(a)(4)", "633c.3(a)(5)", "633c.3(i)#1")
def test_two_non_suited_matches_pay_more_than_a_suited_one_where_the_paytable_says_so() -> None:
    """T26: six decks 4; the rows part the hands, and none is a least one."""
    assert (of("8D 8H", "8S 9D").won, of("8S 9H", "8S 9D").won, of("8H 9H", "8S 9D").won) == (75_00, 20_00, 15_00)


@pytest.mark.clause("633c.3(a)(1)", "633c.3(a)(4)")
def test_one_ace_of_spades_is_no_pair_of_them_whichever_card_it_is() -> None:
    for other in ("2C", "2D", "2H", "2S"):
        assert of(f"AS {other}", "AS 9D").outcome == of(f"{other} AS", "AS 9D").outcome == "one_suited"


@pytest.mark.clause("633c.3(a)#1")
def test_ten_count_cards_match_by_rank_alone() -> None:
    """T13."""
    assert of("KH QH", "JH 9D").outcome == "lost"
    assert of("JD QH", "JH 9D").outcome == "one_non_suited"


@pytest.mark.clause("633c.3(b)", "633c.3(i)#2")
def test_it_is_offered_with_six_or_eight_decks_of_which_each_has_its_own_paytables() -> None:
    assert refused(TABLE) == []
    assert refused(TABLE.replace("decks = 6", "decks = 8")) == []
    for decks in (1, 2, 4, 5, 7):
        assert refused(TABLE.replace("decks = 6", f"decks = {decks}")) == [(f"wagers.{KEY}", "633c.3(i)")]
    assert refused(TABLE.replace("paytable = 4", "paytable = 11")) == [(f"wagers.{KEY}.paytable", "633c.3(i)")]
    assert refused(TABLE.replace("paytable = 4\n", "")) == [(f"wagers.{KEY}", "633c.3(i)")]
    assert [of("8S 9H", "8S 9D", "1", decks=decks).won for decks in (6, 8)] == [50_00, 30_00]


# ------------------------------------------------------------------------------------------------ what is offered
@pytest.mark.clause("633c.3(e)")
def test_the_wager_is_1_or_5_dollars() -> None:
    place = [(f"wagers.{KEY}.min", "633c.3(e)")]
    for low, high, wrong in ((1, 1, False), (5, 5, False), (1, 5, True), (2, 2, True)):
        text = TABLE.replace("min = 5\nmax = 5", f"min = {low}\nmax = {high}")
        assert refused(text) == (place if wrong else []), (low, high)


@pytest.mark.clause("633c.3(d)#1", "633c.3(d)#2", "633c.3(d)(1)", "633c.3(d)(2)")
def test_the_table_needs_a_progressive_system_with_a_lock_out_and_an_area_for_the_wager() -> None:
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert "605a.7" in found["633c.3(d)"] and "605a.8" in found["633c.3(d)"]
    assert "at each position" in found["633c.3(d)(1)"]
    assert "no more bets" in found["633c.3(d)(2)"]
    assert found["633c.3(c)"] == "for each player an area for the Match the Dealer Progressive Wager"


# ------------------------------------------------------------------------------------------------ settling
@pytest.mark.clause("633c.3(g)#1", "633c.3(g)#2", "633c.3(g)(1)", "633c.3(g)(2)", "633c.3(h)(4)#1")
def test_it_is_settled_straight_after_the_deal_whatever_the_hole_card_is() -> None:
    """T27: a dealer's Blackjack changes nothing."""
    rules = table()
    bets = f"1=25+{KEY}=5 2=25+{KEY}=5"
    for hole, decisions in (("9d", "1:stand 2:stand"), ("Kd", "")):
        settled = settle(played(rules, bets, f"Ah 10c As 8c 7c {hole}", decisions), rules)
        lost, won = [one for one in settled.lines if one.wager == KEY]
        assert (lost.position, lost.outcome, lost.net, lost.clause, lost.notes) == (
            *(2, "lost", -5_00),
            *("633c.3(g)(1)", ()),
        )
        assert (won.position, won.outcome, won.won, won.returned) == (1, "one_non_suited", 15_00, 5_00)
        assert (won.clause, {lost.stage, won.stage}) == ("633c.3(g)(2)", {Stage.AFTER_DEAL})


@pytest.mark.clause("633c.3(h)(1)", "633c.3(h)(2)", "633c.3(h)(3)")
def test_every_payout_is_verified_by_the_dealer_the_light_and_a_floorperson() -> None:
    assert [clause for clause, _ in of("8H 9H", "8S 9D").notes] == ["633c.3(h)(1)", "633c.3(h)(2)", "633c.3(h)(3)"]


@pytest.mark.clause("633c.3(f)#3", "633c.3(h)(4)#1")
def test_odds_to_one_return_the_wager_from_the_tray_unless_the_house_reads_it_otherwise() -> None:
    """T4."""
    for word, returned in (("back", 5_00), ("kept", 0)):
        found = of("8S 8H", "8S 9D", **{f"{KEY}_to_one": word})
        assert (found.won, found.returned) == (375_00, returned)
        assert ("633c.3(f)" in [clause for clause, _ in found.notes]) == (word == "kept")


@pytest.mark.clause("633c.3(h)(4)#2", "633c.3(h)(4)#3")
def test_a_percentage_of_the_meter_is_paid_by_the_meter_and_the_cards_remain() -> None:
    rules = table()
    for (held, dealer), won, meter in ((ACES, 6_543_21, 5_000_00 - 6_543_21), (EIGHTS, 654_32, -654_32)):
        settled = settled_optional(round_of(rules, dealer, box_of(held, SIDE), meters=METER), rules)
        first = settled.lines[0]
        assert (first.won, first.source, first.returned) == (won, "meter", 0)
        assert [clause for clause, _ in first.notes[-2:]] == ["633c.3(h)(4)"] * 2
        assert (settled.tray, settled.meters) == (5_00, {KEY: meter})
    cash = of("8H 9H", "8S 9D")
    assert (cash.source, "633c.3(h)(4)" in [clause for clause, _ in cash.notes]) == ("tray", False)


# ------------------------------------------------------------------------------------------------ the meter
@pytest.mark.clause("633c.3(j)#1")
def test_the_meter_starts_at_a_thousand_times_the_wager_that_the_house_offers() -> None:
    """T9: no reseed is printed, so it is set back to the same amount."""
    for dollars in (1, 5):
        meter = parse(TABLE.replace("min = 5\nmax = 5", f"min = {dollars}\nmax = {dollars}")).meters[KEY]
        assert (meter.start, meter.reset) == (dollars * 1_000_00, dollars * 1_000_00)
    assert refused(TABLE + 'meter = { start = 1, reset = 1, rate = "1%" }\n') == [(f"wagers.{KEY}.meter", "633c.3(i)")]


@pytest.mark.clause("633c.3(j)#2")
def test_the_primary_rate_moves_the_meter_and_the_secondary_one_builds_a_reserve() -> None:
    """T7, T8: 15% and 6%."""
    rules = parse(TABLE)
    assert (contribution(KEY, 5_00, rules), rules.meters[KEY].reserve * 5_00) == (75, 30)
    assert contribution(KEY, 1, rules) == Fraction(15, 100)
    both = parse(TABLE.replace("[wagers", f'{KEY}_secondary = "display"\n[wagers'))
    assert (contribution(KEY, 5_00, both), both.meters[KEY].reserve) == (105, 0)


def two_winners(cards: tuple[str, str], **words: str) -> Settlement:
    """Positions 2 and 5 hold the same cards."""
    boxes = [box_of(cards[0], SIDE, place) for place in (2, 5)]
    rules = table(**{f"{KEY}_{name}": word for name, word in words.items()})
    return settled_optional(round_of(rules, cards[1], *boxes, meters=METER), rules)


@pytest.mark.clause("633c.3(i)#1")
def test_several_winners_of_the_meter_or_of_a_tenth_of_it_share_as_the_submission_says() -> None:
    """T5: the section has no sharing clause. A tenth of $6,543.21 is $654.32, and of the $5,888.89 left $588.88."""
    for cards, words, won, change in (
        (ACES, {"sharing": "equally"}, {5: 3_271_60, 2: 3_271_60}, 5_000_00 - 6_543_20),
        (ACES, {"sharing": "in_turn"}, {5: 6_543_21, 2: 5_000_00}, 5_000_00 - 6_543_21),
        (EIGHTS, {"sharing_parts": "equally"}, {5: 327_16, 2: 327_16}, -654_32),
        (EIGHTS, {"sharing_parts": "each"}, {5: 654_32, 2: 654_32}, -1_308_64),
        (EIGHTS, {"sharing_parts": "in_turn"}, {5: 654_32, 2: 588_88}, -1_243_20),
    ):
        settled = two_winners(cards, **words)
        assert {one.position: one.won for one in settled.lines if one.position} == won, words
        assert settled.meters == {KEY: change}
    for cards, name in ((ACES, "sharing"), (EIGHTS, "sharing_parts")):
        with pytest.raises(RuleError, match=f"write {KEY}_{name} = ") as caught:
            two_winners(cards, **{name: ""})
        assert caught.value.clause == "633c.3(i)"
    text = TABLE.replace(f'{KEY}_sharing = "equally"\n', "").replace(f'{KEY}_sharing_parts = "each"\n', "")
    assert refused(text) == [(f"{KEY}_sharing", "633c.3(i)"), (f"{KEY}_sharing_parts", "633c.3(i)")]


# ------------------------------------------------------------------------------------------------ files and records
def test_a_round_file_is_settled_with_its_meter(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE)
    told = {
        "format": "shoetool-round/1",
        "cards": ["8S", "9H", "8S", "8S", "8C", "KD"],
        "positions": [
            {"position": 1, "wager": "10.00", "side": SIDE, "decisions": ["stand"]},
            {"position": 2, "wager": "10.00", "side": SIDE, "decisions": ["stand"]},
        ],
        "meters": METER,
    }
    (tmp_path / "round.json").write_text(json.dumps(told))
    run = ["settle", str(tmp_path / "round.json"), "--table", str(tmp_path / "table.toml")]
    found = CliRunner().invoke(build(), [*run, "--json"])
    assert found.exit_code == 0, found.output
    settled = json.loads(found.output)["files"][0]["rounds"][0]["settled"]
    lines = [one for one in settled["lines"] if one["wager"] == KEY]
    assert [(one["position"], one["outcome"], one["won"]) for one in lines] == [
        (2, "one_non_suited", 15_00),
        (1, "two_suited", 654_32),
    ]
    assert settled["meters"] == {KEY: -654_32}


def eights(rounds: int = 1) -> Short:
    """In each round positions 1 and 2 have 8♠ 8♠ and 8♦ 9♣ against 8♠, and stand; the dealer has 18."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    for _ in range(rounds):
        s.start(1, 2)
        s.opening({1: "8S", 2: "8D"}, "8S", {1: "8S", 2: "9C"}, "KD")
        s.finish_usual(18)
    s.end()
    return s


def told(*events: dict[str, object], **more: Any) -> dict[str, Any]:
    seats = [seat(at, "stand", side=SIDE) for at in (1, 2)]
    return line(more.pop("number", 1), *seats, events=list(events), **more)


def judged(*lines: dict[str, Any], **settings: Any) -> list[tuple[str, str]]:
    """(clause, check) of what a record with these lines is held against."""
    found = findings(eights(len(lines)), lines, table(**settings))
    return [(one.clause, one.check) for one in found if "Match the Dealer" in one.sentence]


CLOSED, LATE = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
CHECKS = [event(name, at, KEY) for at in (2, 1) for name in ("verified", "floorperson")]
PAID = [event("settled", at, KEY, after_card=6) for at in (2, 1)]


@pytest.mark.clause("633c.3(f)#1", "633c.3(d)(2)", "633c.3(h)(1)", "633c.3(h)(3)")
def test_a_record_is_held_against_the_lock_out_and_the_verification() -> None:
    assert judged(told(CLOSED, *CHECKS, *PAID)) == []
    assert judged(told(CLOSED, LATE, *CHECKS, *PAID)) == [("633c.3(d)(2)", reg.LOCKED)]
    assert judged(told(CLOSED, *CHECKS[1:], *PAID)) == [("633c.3(h)(1)", reg.VERIFIED)]
    assert judged(told(CLOSED, *CHECKS[:3], *PAID)) == [("633c.3(h)(3)", reg.VERIFIED)]


@pytest.mark.clause("633c.3(g)#2")
def test_a_record_is_held_against_the_time_of_settling() -> None:
    """After the second cards, and before the reader and any further card."""
    early = [event("settled", at, KEY, after_card=5) for at in (2, 1)]
    assert judged(told(CLOSED, *CHECKS, *early)) == [("633c.3(g)", reg.EARLY)] * 2
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "KC", 2: "9C"}, "AC", {1: "8C", 2: "KD"}, "9H")
    s.add("insurance", 0)
    s.add("peek", Peek.NO_BLACKJACK)
    s.finish_usual(20)
    s.end()
    read = event("reader_used", reading="no_blackjack", after_card=6)
    for events, expected in (([*PAID, read], []), ([read, *PAID], [("633c.3(g)", reg.EARLY)] * 2)):
        found = findings(s, [told(CLOSED, *events)], table())
        assert [(one.clause, one.check) for one in found if "Match the Dealer" in one.sentence] == expected


@pytest.mark.clause("633c.3(h)(4)#1", "633c.3(i)#1", "633c.3(j)#2")
def test_a_record_with_its_meter_is_followed_to_the_cent() -> None:
    """Two $5 wagers add $1.50 a round, and a tenth is won of each: $6,543.21, then $5,890.39, then $5,302.86."""
    shows, won = ("6543.21", "5890.39", "5302.86"), ("649.32", "584.03", "525.28")
    paid = [
        [{"position": 1, "wager": KEY, "amount": one}, {"position": 2, "wager": KEY, "amount": "15.00"}] for one in won
    ]
    lines = [told(number=at, meters={KEY: shows[at - 1]}, paid=paid[at - 1]) for at in (1, 2, 3)]
    assert judged(*lines) == []
    off = [dict(lines[0]), {**lines[1], "meters": {KEY: "5890.40"}}, lines[2]]
    off[1]["paid"] = [{**paid[1][0], "amount": "584.04"}, paid[1][1]]
    assert judged(*off) == [("633c.3(j)", reg.METER)]
    assert judged({**lines[0], "paid": [{**paid[0][0], "amount": "6538.21"}, paid[0][1]]}) == [
        ("633c.3(g)(2)", reg.PAID)
    ]


def both_eights() -> Short:
    """Two rounds in which positions 1 and 2 both have 8♠ 8♠ against 8♠."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    for _ in range(2):
        s.start(1, 2)
        s.opening({1: "8S", 2: "8S"}, "8S", {1: "8S", 2: "8S"}, "KD")
        s.finish_usual(18)
    s.end()
    return s


@pytest.mark.clause("633c.3(i)#1", "633c.3(j)#2")
@pytest.mark.parametrize(
    ("word", "won", "then"),
    [
        ("equally", ("322.16", "322.16"), "5890.39"),
        ("each", ("649.32", "649.32"), "5236.07"),
        ("in_turn", ("583.88", "649.32"), "5301.51"),
    ],
)
def test_a_record_with_two_winners_of_a_tenth_follows_what_the_submission_says(
    word: str, won: tuple[str, str], then: str
) -> None:
    """T5: the payments of the round, and the meter of the next one; $6,543.21 and $1.50 of the round's wagers."""
    paid = [{"position": at, "wager": KEY, "amount": won[at - 1]} for at in (1, 2)]
    first = told(meters={KEY: "6543.21"}, paid=paid)
    for shown, expected in ((then, []), ("6544.71", [("633c.3(j)", reg.METER)])):
        rounds = [first, told(number=2, meters={KEY: shown})]
        found = findings(both_eights(), rounds, table(**{f"{KEY}_sharing_parts": word}))
        assert [(one.clause, one.check) for one in found if "Match the Dealer" in one.sentence] == expected, shown
