"""Blazing 7's Progressive, 633c.9: its outcomes, the card after a dealer's Blackjack, its meter."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from naive_633c import blazing_7s as naive
from playing import played
from shoetool.cli import build
from shoetool.judge import registry_reader
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Key, Peek, ReaderStep, Role
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
from wager_table import box_of, cards, hand_of, one_line, round_of, rules_for, settled_optional

KEY = "blazing_7s"
SIDE = {KEY: "5.00"}
METER = {KEY: "12345.67"}
EXTRA = 1024
TABLE = """
game = "blackjack"
decks = 6

[wagers.blazing_7s]
paytable = "A"
min = 5
max = 5
meter = { start = 10000, reset = 12000, rate = "17.5%" }
"""


def table(name: str = "A", **settings: Any) -> RulesSubmission:
    return rules_for(KEY, paytable=name, **settings)


def of(held: str, drawn: str = "", name: str = "A", dealer: str = "KD 9C", **settings: Any) -> Line:
    return one_line(KEY, held, dealer, paytable=name, drawn=drawn, **settings)


def refused(text: str) -> list[tuple[str, str]]:
    return [(one.where, one.clause) for one in judge(text, "table")[1]]


# ------------------------------------------------------------------------------------------------ outcomes, paytables
@pytest.mark.clause("633c.9(b)#2", "633c.9(d)(3)#1", "633c.9(d)(3)#2", "633c.9(d)(4)#1", "633c.9(f)")
@pytest.mark.parametrize("name", ["A", "B"])
def test_the_first_two_cards_and_the_next_one_pay_what_the_text_says(name: str) -> None:
    """Every two cards with every third one and none: a second opinion agrees."""
    rules, wager, seen = table(name), WAGERS[KEY], Counter[str]()
    (printed,) = (one for one in paytables(KEY) if one.name == name)
    faces = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for first, second in combinations_with_replacement(range(52), 2):
        for third in (None, *range(52)):
            view = View(rules, (second, first), (12, 8), third=third)
            found = next((one for one in wager.outcomes if printed.has(one.key) and one.predicate(view)), None)
            pays = naive.pays(faces[second], faces[first], None if third is None else faces[third], name)
            assert (printed.row(found.key).odds.text if found else "") == pays, (first, second, third)
            seen[pays] += 1
    whole = 4 if name == "A" else 1
    assert (seen["100% of meter"], seen["2 to 1"], seen["25 to 1"]) == (whole, 4 * 48 * 53, 10 * 49)


@pytest.mark.clause("633c.9(f)")
def test_every_cell_of_both_paytables_is_that_of_the_text() -> None:
    """As a parser of the source text alone froze them: what is marked N/A has no row."""
    frozen = json.loads((Path(__file__).parents[1] / "vectors" / "paytables_633c" / "9.json").read_text())["tables"]
    printed = {one["paytable"]: [cell for cell in one["rows"] if cell[1] != "N/A"] for one in frozen}
    assert printed == {one.name: [[row.outcome, row.odds.text] for row in one.rows] for one in paytables(KEY)}
    assert refused(TABLE.replace('"A"', '"C"')) == [("wagers.blazing_7s.paytable", "633c.9(f)")]


@pytest.mark.clause("633c.9(d)(2)", "633c.9(d)(4)#1")
def test_only_the_next_card_can_be_the_third_seven() -> None:
    """T60, T61: a later one takes the hand over 21, and the card that does so is left out."""
    for held, drawn, row in (
        ("7S 7H", "AC 7D", "two_7s"),
        ("7S 7H", "KC", "two_7s"),
        ("7S 7H", "7D", "three_7s"),
        ("7S 4D", "7C 7D", "one_7"),
        ("KS 4D", "7C", "lost"),
    ):
        assert of(held, drawn).outcome == row, (held, drawn)
    assert of("7S 7H", "AC 7D").clause == "633c.9(d)(3)"
    assert of("7S 7H", "7D").clause == "633c.9(d)(4)"
    assert of("KS 4D").clause == "633c.9(d)(3)"


@pytest.mark.clause("633c.9(f)")
def test_three_sevens_of_clubs_spades_and_hearts_may_be_one_of_each() -> None:
    """T66: the middle row of paytable B."""
    assert (of("7C 7C", "7C", "B").outcome, of("7C 7S", "7H", "B").outcome) == ("three_7s_other_suit", "three_7s")
    each = {"blazing_7s_suits": "each_suit"}
    assert (of("7C 7C", "7C", "B", **each).outcome, of("7C 7S", "7H", "B", **each).outcome) == (
        "three_7s_same_color",
        "three_7s_other_suit",
    )
    assert of("7D 7S", "7H", "B", **each).outcome == "three_7s"
    assert of("7D 7D", "7D", "B", **each).outcome == "three_7s_diamonds"


def split_sevens(third: str, **settings: Any) -> str:
    """7♠ 7♥ split: the first hand gets `third` and a 4, the second one 7♣ and a 5."""
    hands = (
        hand_of(f"7S {third} 4C", 1, from_split=True),
        hand_of("7H 7C 5C", 2, from_split=True),
    )
    return one_line(KEY, "7S 7H", "7D 10C", hands=hands, third=cards(third)[0], **settings).outcome


@pytest.mark.clause("633c.9(d)(1)", "633c.9(h)#1")
def test_after_a_split_the_third_card_is_the_first_one_that_was_dealt() -> None:
    """T62, T65: of the first hand, or of any; or the up card decides, for a split hand too or not."""
    assert (split_sevens("7D"), split_sevens("9D")) == ("three_7s", "two_7s")
    assert split_sevens("9D", blazing_7s_split="any") == "three_7s"
    assert of("7S 7H", "7D", blazing_7s_split="any").outcome == "three_7s"
    assert split_sevens("9D", blazing_7s_third="up_card") == "three_7s"
    assert split_sevens("9D", blazing_7s_third="up_card_unless_split") == "two_7s"


@pytest.mark.clause("633c.9(d)(1)")
def test_a_round_that_is_played_says_which_card_came_third_however_often_its_hands_were_split() -> None:
    """The first hand gets 7♦ and is split again: 7♦ then lies in another hand."""
    rules = table()
    deal = "7s 10h 7h 9c 7d 10c 10d 9s"
    done = played(rules, "1=25+blazing_7s=5", deal, "1:split 1:split 1:stand 1:stand 1:stand")
    assert (done.boxes[0].third, [hand.cards[0] for hand in done.boxes[0].hands]) == (
        cards("7D")[0],
        [*cards("7S 7D 7H")],
    )
    assert [one.outcome for one in settle(done, rules).lines if one.wager == KEY] == ["three_7s"]
    deal = "7s 10h 7h 9c 4d 10c 9s"
    done = played(rules, "1=25+blazing_7s=5", deal, "1:split 1:hit 1:stand")
    assert (done.boxes[0].third, done.boxes[0].hands[0].cards) == (cards("4D")[0], cards("7S 4D 10C"))


@pytest.mark.clause("633c.9(d)(4)#1")
def test_the_card_of_a_double_counts_as_a_hit_unless_the_house_reads_it_otherwise() -> None:
    """T63."""
    doubled = (hand_of("7S 7H 7D", 1, double=25_00, end="doubled"),)
    more: dict[str, Any] = {"hands": doubled, "third": cards("7D")[0]}
    assert one_line(KEY, "7S 7H", "KD 9C", **more).outcome == "three_7s"
    assert one_line(KEY, "7S 7H", "KD 9C", **more, blazing_7s_double="no_hit").outcome == "two_7s"
    assert of("7S 7H", "7D", blazing_7s_double="no_hit").outcome == "three_7s"
    split = (hand_of("7S 7D 4C", 1, from_split=True, double=25_00, end="doubled"), hand_of("7H KC", 2, from_split=True))
    of_split: dict[str, Any] = {"hands": split, "third": cards("7D")[0], "blazing_7s_double": "no_hit"}
    assert one_line(KEY, "7S 7H", "KD 9C", **of_split).outcome == "three_7s"  # 633c.9(d)(1) counts it as dealt


@pytest.mark.clause("633c.9(h)#1", "633c.9(h)#2")
def test_the_up_card_decides_where_the_submission_says_so() -> None:
    """T65: drawn cards are then ignored."""
    up = parse(TABLE.replace("[wagers", 'blazing_7s_third = "up_card"\n[wagers')).choices["blazing_7s_third"]
    for word, drawn_row, up_row in (("drawn", "three_7s_same_suit", "two_7s"), (up, "two_7s", "three_7s_same_suit")):
        assert of("7S 7S", "7S", dealer="9D 10C", blazing_7s_third=word).outcome == drawn_row
        assert of("7S 7S", "4S", dealer="7S 10C", blazing_7s_third=word).outcome == up_row
    assert of("7S 4D", "5C", dealer="7S 10C", blazing_7s_third=up).outcome == "one_7"


# ------------------------------------------------------------------------------------------------ what is offered
@pytest.mark.clause("633c.9(b)#1", "633c.9(g)#2")
def test_start_and_reset_are_at_least_2000_times_the_wager_of_1_or_5_dollars() -> None:
    assert refused(TABLE) == []
    for dollars, least in ((1, 2_000), (5, 10_000)):
        for start, reset in ((least, least), (least - 1, least), (least, least - 1)):
            text = TABLE.replace("min = 5\nmax = 5", f"min = {dollars}\nmax = {dollars}")
            text = text.replace("10000", str(start)).replace("12000", str(reset))
            low = [name for name, amount in (("start", start), ("reset", reset)) if amount < least]
            assert refused(text) == [(f"wagers.blazing_7s.meter.{name}", "633c.9(g)") for name in low]
    assert refused(TABLE.replace("min = 5\nmax = 5", "min = 1\nmax = 5")) == [("wagers.blazing_7s.min", "633c.9(g)")]


@pytest.mark.clause("633c.9(g)#1")
def test_the_meter_grows_by_the_rate_of_the_submission() -> None:
    assert contribution(KEY, 5_00, parse(TABLE)) * 2 == 175
    assert refused(TABLE.replace(', rate = "17.5%"', "")) == [("wagers.blazing_7s.meter.rate", "633c.9(g)")]
    assert refused(TABLE[: TABLE.index("meter")]) == [("wagers.blazing_7s.meter", "633c.9(g)")]


@pytest.mark.clause("633c.9(a)#1", "633c.9(a)(1)", "633c.9(a)(2)")
def test_the_table_needs_a_progressive_system_with_a_lock_out_and_an_area_for_the_wager() -> None:
    found = [(need.where, need.what, need.clause) for need in needs(parse(TABLE)) if need.clause.startswith("633c.9")]
    assert [(where, clause) for where, _, clause in found] == [
        ("layout", "633c.9(a)"),
        ("device", "633c.9(a)"),
        ("device", "633c.9(a)(1)"),
        ("device", "633c.9(a)(2)"),
    ]
    assert "605a.7" in found[1][1] and "begun to deal" in found[3][1]


# ------------------------------------------------------------------------------------------------ settling
@pytest.mark.clause("633c.9(c)", "633c.9(d)#1", "633c.9(d)(4)#1")
def test_it_is_settled_after_all_other_optional_wagers() -> None:
    rules = rules_for(KEY, "hit_and_run", paytable="A")
    bets = "1=25+blazing_7s=5+hit_and_run=5 2=25+blazing_7s=5+hit_and_run=5"
    settled = settle(played(rules, bets, "7s 8c 10d 7h 9c 7c 7d", "1:hit 2:stand"), rules)
    optional = [(one.wager, one.position) for one in settled.lines if one.wager in (KEY, "hit_and_run")]
    assert optional == [("hit_and_run", 2), ("hit_and_run", 1), (KEY, 2), (KEY, 1)]
    last = [one for one in settled.lines if one.wager == KEY]
    assert {one.stage for one in last} == {Stage.LAST}
    assert [(one.outcome, one.won, one.returned) for one in last] == [("lost", 0, 0), ("three_7s", 1_000_00, 5_00)]
    assert [one.wager for one in settled.lines[-2:]] == ["main", "main"]


@pytest.mark.clause("633c.9(e)(1)", "633c.9(e)(2)", "633c.9(e)(3)#1")
def test_the_dealer_verifies_each_winner_and_a_floorperson_above_200_for_1() -> None:
    """T68: 200 to 1 is 201 for 1."""
    for held, drawn, floorperson in (("7S 4D", "", False), ("7S 7D", "", False), ("7S 7D", "7C", True)):
        found = [clause for clause, _ in of(held, drawn, staked="1.00").notes]
        assert found[:1] == ["633c.9(e)(1)"]
        assert ("633c.9(e)(2)" in found) == floorperson


@pytest.mark.clause("633c.9(e)(3)#2", "633c.9(e)(3)#3")
def test_a_payout_of_a_tenth_of_the_meter_or_more_is_not_paid_from_the_tray_and_the_cards_remain() -> None:
    """$1,000 for three 7s at 200 to 1."""
    rules = table()
    for meter, source, kept in (("10000.00", "house", 2), ("10000.01", "tray", 0)):
        box = box_of("7S 7H", SIDE, drawn="7C")
        (won,) = settled_optional(round_of(rules, "KD 9C", box, meters={KEY: meter}), rules).lines
        assert (won.won, won.source, [clause for clause, _ in won.notes].count("633c.9(e)(3)")) == (
            1_000_00,
            source,
            kept,
        )
    paid = settled_optional(round_of(rules, "KD 9C", box_of("7S 7S", SIDE, drawn="7S"), meters=METER), rules)
    assert [(one.won, one.source, one.stage) for one in paid.lines] == [
        (12_345_67, "meter", Stage.LAST),
        (10_000_00, "house", Stage.LAST),
    ]
    assert (paid.tray, paid.meters) == (5_00, {KEY: 10_000_00 - 12_345_67})


# ------------------------------------------------------------------------------------------------ sharing
def shared(*hands: tuple[str, str], **settings: Any) -> Settlement:
    """Position 1 and on hold these hands; the meter shows $12,345.67 and is set back to $10,000."""
    rules = table(**settings)
    boxes = [box_of(held, SIDE, place, drawn=drawn) for place, (held, drawn) in enumerate(hands, 1)]
    return settled_optional(round_of(rules, "KD 9C", *boxes, meters=METER), rules)


def from_meter(settled: Settlement) -> dict[int | None, tuple[int, str]]:
    return {one.position: (one.won, one.source) for one in settled.lines if one.won and one.position}


WHOLE, TENTH = ("7S 7S", "7S"), ("7S 7C", "7S")


@pytest.mark.clause("633c.9(e)(3)#4")
def test_winners_of_the_whole_share_it_equally_and_each_winner_of_a_tenth_gets_a_tenth() -> None:
    """T5."""
    whole = shared(WHOLE, WHOLE)
    assert from_meter(whole) == {1: (6_172_83, "meter"), 2: (6_172_83, "meter")}
    assert whole.meters == {KEY: 10_000_00 - 12_345_66}
    assert ("633c.9(e)(3)", "2 winners share the meter's $12,345.67 equally") in whole.lines[0].notes
    tenths = shared(TENTH, TENTH)
    assert from_meter(tenths) == {1: (1_234_56, "meter"), 2: (1_234_56, "meter")}
    assert tenths.meters == {KEY: -2_469_12}


@pytest.mark.clause("633c.9(e)(3)#4")
@pytest.mark.parametrize(
    ("word", "tenths", "source", "whole"),
    [
        ("as_it_stood", (1_234_56, 1_234_56), "house", 12_345_67),
        ("of_reset", (1_000_00, 1_000_00), "house", 12_345_67),
        ("in_turn", (1_000_00, 1_234_56), "meter", 11_111_11),
    ],
)
def test_a_tenth_beside_the_whole_is_paid_as_the_house_reads_it(
    word: str, tenths: tuple[int, int], source: str, whole: int
) -> None:
    """T6: position 2 has the whole, and 1 and 3 a tenth; position 3 is settled first."""
    settled = shared(TENTH, WHOLE, TENTH, blazing_7s_together=word)
    assert from_meter(settled) == {1: (tenths[0], source), 2: (whole, "meter"), 3: (tenths[1], source)}
    paid = whole + (sum(tenths) if source == "meter" else 0)
    assert settled.meters == {KEY: 10_000_00 - paid}
    assert settled.house == -10_000_00 - (sum(tenths) if source == "house" else 0)


# ------------------------------------------------------------------------------------------------ the extra card
SEVENS_AGAINST_BLACKJACK = "7s 7d 9h Ah 7h 7c 4c Kd"
"""Positions 1 and 2 have two 7s, position 3 has 9♥ 4♣, and the dealer A♥ K♦."""


def extra(bets: str, more: str, **settings: Any) -> list[int | None]:
    """The card that each position gets after the dealer's Blackjack."""
    done = played(table(**settings), bets, f"{SEVENS_AGAINST_BLACKJACK} {more}")
    assert all(hand.end == "dealer_blackjack" and len(hand.cards) == 2 for box in done.boxes for hand in box.hands)
    return [box.third for box in done.boxes]


BOTH = "1=25+blazing_7s=5 2=25+blazing_7s=5 3=25+blazing_7s=5"


@pytest.mark.clause("633c.9(d)(4)#2", "633c.9(h)#1")
def test_two_sevens_with_the_wager_get_one_more_card_after_the_dealers_blackjack() -> None:
    """T64, T65: from the dealer's left; not with the up card's procedure."""
    seven, king = cards("7D KC")
    assert extra(BOTH, "7d Kc") == [seven, king, None]
    assert extra("1=25 2=25+blazing_7s=5 3=25+blazing_7s=5", "7d") == [None, seven, None]
    assert extra("1=25 2=25+blazing_7s=5 3=25", "Kc 7d", blazing_7s_extra="all") == [king, seven, None]
    assert extra(BOTH, "", blazing_7s_third="up_card") == [None] * 3
    for cards_left in ("7d", "7d Kc 2c"):
        with pytest.raises(RuleError) as caught:
            extra(BOTH, cards_left)
        assert caught.value.clause == ("633c.9(d)(4)" if cards_left == "7d" else "633a.7(h) result")


@pytest.mark.clause("633c.9(d)(4)#2")
def test_the_extra_card_decides_this_wager_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE)
    told = {
        "format": "shoetool-round/1",
        "cards": ["7S", "9H", "AH", "7S", "4C", "KD", "7S"],
        "positions": [{"position": place, "wager": "10.00", "side": SIDE} for place in (1, 2)],
        "meters": METER,
    }
    (tmp_path / "round.json").write_text(json.dumps(told))
    run = ["settle", str(tmp_path / "round.json"), "--table", str(tmp_path / "table.toml")]
    found = CliRunner().invoke(build(), [*run, "--json"])
    assert found.exit_code == 0, found.output
    settled = json.loads(found.output)["files"][0]["rounds"][0]["settled"]
    lines = [(one["wager"], one["position"], one["outcome"], one["won"]) for one in settled["lines"]]
    assert lines[:2] == [("main", 2, "dealer_blackjack", 0), ("main", 1, "dealer_blackjack", 0)]
    assert lines[2:] == [
        (KEY, 2, "lost", 0),
        (KEY, 1, "three_7s_same_suit", 12_345_67),
        (KEY, None, "meter_reset", 12_000_00),
    ]
    text = CliRunner().invoke(build(), run).output
    assert "first two cards 7♠ 7♠, then 7♠" in " ".join(text.split())


def against_a_blackjack(
    *drawn: tuple[int, str], options: int = READER | EXTRA, role: Role = Role.DRAW, key: Key | None = None
) -> Short:
    """The same cards in a history; `drawn`: position and face of each card after the reader's answer, and a `key` that
    the shoe refused before it."""
    s = Short(options=options)
    s.add("reader_test", ReaderStep.PASSED)
    s.start(1, 2, 3)
    s.opening({1: "7S", 2: "7D", 3: "9H"}, "AH", {1: "7H", 2: "7C", 3: "4C"}, "KD")
    s.add("insurance", 0)
    s.add("peek", Peek.BLACKJACK)
    s.end_hand(3, HandEnd.DEALER_BLACKJACK)
    if key is not None:
        s.irr(IrregularityCode.WRONG_KEY, detail=key)
    for box in (1, 2):
        for face in [face for place, face in drawn if place == box]:
            s.give(box, face, role)
        s.end_hand(box, HandEnd.DEALER_BLACKJACK)
    for face in [face for place, face in drawn if place == 3]:
        s.give(3, face, Role.DRAW)
    s.reveal()
    s.close(21)
    s.end()
    return s


def told(*events: dict[str, object], sides: tuple[int, ...] = (1, 2, 3), **more: Any) -> dict[str, Any]:
    seats = [seat(place, **({"side": SIDE} if place in sides else {})) for place in (1, 2, 3)]
    return line(1, *seats, events=list(events), meters=METER, **more)


PAID = [
    *({"position": place, "wager": "main", "amount": "-10.00"} for place in (1, 2, 3)),
    *({"position": place, "wager": KEY, "amount": won} for place, won in enumerate(("1000.00", "125.00", "-5.00"), 1)),
]


@pytest.mark.clause("633c.9(d)(4)#2")
def test_a_shoe_that_is_set_up_for_it_may_deal_the_extra_cards_and_any_other_card_is_a_breach() -> None:
    """T64: a shoe must not flag them."""
    answer = ("633a.7(h) result", registry_reader.ANSWER)

    def breaches(s: Short) -> list[tuple[str, str]]:
        return [(one.clause, one.check) for one in s.findings()]

    assert breaches(against_a_blackjack((1, "7D"), (2, "KC"))) == []
    assert breaches(against_a_blackjack()) == []
    assert breaches(against_a_blackjack((1, "7D"), options=READER)) == [answer]
    assert answer in breaches(against_a_blackjack((3, "2C")))
    assert answer in breaches(against_a_blackjack((1, "2C"), role=Role.DOUBLE_DRAW))
    assert breaches(against_a_blackjack((1, "2C"), (1, "3C"))) == [answer]


def test_a_decision_between_the_reader_and_the_extra_card_is_refused_by_the_clause_of_the_reader() -> None:
    for key in (Key.DOUBLE, Key.SPLIT, Key.SURRENDER):
        (found,) = against_a_blackjack((1, "7D"), key=key).findings()
        assert (found.clause, "had said Blackjack" in found.sentence) == ("633a.7(h) result", True)


@pytest.mark.clause("633c.9(d)(4)#2", "633c.9(e)(3)#1")
def test_a_record_is_held_against_the_extra_cards_that_its_wagers_are_due() -> None:
    rules = table()
    good = against_a_blackjack((1, "7D"), (2, "KC"))
    assert findings(good, [told(paid=PAID)], rules) == []
    wrong = findings(
        good, [told(paid=[{**one, "amount": one["amount"].replace("1000", "125")} for one in PAID])], rules
    )
    assert [(one.clause, one.check) for one in wrong] == [("633c.9(d)(4)", reg.PAID)]
    none = findings(against_a_blackjack((1, "7D")), [told()], rules)
    assert [one.clause for one in none] == ["633c.9(d)(4)"]
    other = findings(good, [told(sides=(2, 3))], rules)
    assert [one.clause for one in other] == ["633a.7(h) result"]
    swapped = findings(against_a_blackjack((1, "7D")), [told(sides=(2, 3))], rules)
    assert len(swapped) == 1 and "position 1 is due no card" in swapped[0].sentence


# ------------------------------------------------------------------------------------------------ table records
def three_sevens(rounds: int = 1) -> Short:
    """In each round position 1 draws 7♠ to 7♠ 7♣ (a tenth), position 2 has 9♥ 9♦, and the dealer 18."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    for _ in range(rounds):
        s.start(1, 2)
        s.opening({1: "7S", 2: "9H"}, "8S", {1: "7C", 2: "9D"}, "KD")
        s.give(1, "7S", Role.DRAW)
        s.end_hand(1, HandEnd.TWENTY_ONE)
        s.stand(2)
        s.reveal()
        s.close(18)
    s.end()
    return s


def recorded(*events: dict[str, object], number: int = 1, **more: Any) -> dict[str, Any]:
    seats = seat(1, "hit", side={**SIDE, "hit_and_run": "5.00"}), seat(2, "stand", side=SIDE)
    return line(number, *seats, events=list(events), **more)


def judged(*lines: dict[str, Any], **settings: Any) -> list[tuple[str, str]]:
    found = findings(three_sevens(len(lines)), lines, rules_for(KEY, "hit_and_run", paytable="A", **settings))
    return [(one.clause, one.check) for one in found if "Blazing" in one.sentence]


CLOSED, LATE = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
CHECKS = [event(name, 1, KEY) for name in ("verified", "floorperson")]
RUN = event("settled", 1, "hit_and_run", after_card=7)
PAYMENTS = [{"position": place, "wager": KEY, "amount": won} for place, won in ((1, "1229.56"), (2, "-5.00"))]
LAST = [event("settled", place, KEY, after_card=7) for place in (2, 1)]


@pytest.mark.clause("633c.9(a)(2)", "633c.9(e)(1)", "633c.9(e)(2)")
def test_a_record_is_held_against_the_lock_out_and_the_verification() -> None:
    assert judged(recorded(CLOSED, RUN, *CHECKS, *LAST)) == []
    assert judged(recorded(CLOSED, LATE, RUN, *CHECKS, *LAST)) == [("633c.9(a)(2)", reg.LOCKED)]
    assert judged(recorded(CLOSED, RUN, CHECKS[1], *LAST)) == [("633c.9(e)(1)", reg.VERIFIED)]
    assert judged(recorded(CLOSED, RUN, CHECKS[0], *LAST)) == [("633c.9(e)(2)", reg.VERIFIED)]


@pytest.mark.clause("633c.9(d)#1")
def test_a_record_is_held_against_the_order_after_all_other_optional_wagers() -> None:
    assert judged(recorded(CLOSED, *CHECKS, *LAST, RUN)) == [("633c.9(d)", reg.LATE)]
    assert judged(recorded(CLOSED, RUN, *CHECKS, *reversed(LAST)))[0][1] == reg.LATE
    early = event("settled", 1, KEY, after_card=6)
    assert judged(recorded(CLOSED, *CHECKS, early, RUN, LAST[0]))[0] == ("633c.9(d)", reg.LATE)


@pytest.mark.clause("633c.9(e)(3)#1", "633c.9(g)#1")
def test_the_meter_is_followed_to_the_cent_over_the_rounds_of_a_record() -> None:
    """Two $5 wagers at 10% add $1.00 a round, and a tenth is won: $12,345.67 less $1,234.56."""
    lines = [
        recorded(paid=PAYMENTS, meters=METER),
        recorded(number=2, meters={KEY: "11112.11"}),
    ]
    assert judged(*lines) == []
    assert judged(lines[0], {**lines[1], "meters": {KEY: "11112.12"}}) == [("633c.9(g)", reg.METER)]
    assert judged({**lines[0], "paid": [{**PAYMENTS[0], "amount": "1234.56"}, PAYMENTS[1]]}) == [
        ("633c.9(d)(4)", reg.PAID)
    ]


def with_the_whole() -> Short:
    """Position 1 draws 7♠ to 7♠ 7♠ (the whole), position 2 to 7♠ 7♣ (a tenth); then a round without a winner."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "7S", 2: "7S"}, "8S", {1: "7S", 2: "7C"}, "KD")
    for box in (1, 2):
        s.give(box, "7S", Role.DRAW)
        s.end_hand(box, HandEnd.TWENTY_ONE)
    s.reveal()
    s.close(18)
    s.start(1, 2)
    s.opening({1: "9S", 2: "9H"}, "8S", {1: "9C", 2: "9D"}, "KD")
    s.finish_usual(18)
    s.end()
    return s


@pytest.mark.clause("633c.9(e)(3)#4", "633c.9(g)#2")
@pytest.mark.parametrize(
    ("word", "won", "then"),
    [
        ("as_it_stood", ("12340.67", "1229.56"), "10001.00"),
        ("of_reset", ("12340.67", "995.00"), "10001.00"),
        ("in_turn", ("11106.11", "1229.56"), "10001.00"),
    ],
)
def test_a_record_with_a_tenth_beside_the_whole_follows_what_the_submission_says(
    word: str, won: tuple[str, str], then: str
) -> None:
    """T6: the payments of the round, and the meter of the next one with $1.00 of the round's wagers."""
    paid = [{"position": place, "wager": KEY, "amount": won[place - 1]} for place in (1, 2)]
    seats = [seat(place, "hit", side=SIDE) for place in (1, 2)]
    first = line(1, *seats, meters=METER, paid=paid)
    second = line(2, *(seat(place, "stand", side=SIDE) for place in (1, 2)))
    rules = table(blazing_7s_together=word)
    for shown, expected in ((then, []), ("10000.99", [("633c.9(g)", reg.METER)])):
        found = findings(with_the_whole(), [first, {**second, "meters": {KEY: shown}}], rules)
        assert [(one.clause, one.check) for one in found if "Blazing" in one.sentence] == expected, shown
    off = [{**paid[0], "amount": "1.00"}, paid[1]]
    assert any(one.check == reg.PAID for one in findings(with_the_whole(), [{**first, "paid": off}, second], rules))
