"""Jackpot Party Progressive, 633c.2: its outcomes, its meters, and the envy bonus that another player's hand pays."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from playing import played
from shoetool.cli import build
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Peek
from shoetool.rules.round import Box, Line, Settlement, Stage
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.settle.meters import contribution
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import box_of, one_line, round_of, rules_for, settled_optional

KEY = "jackpot_party"
SIDE = {KEY: "5.00"}
METER = {KEY: "50312.50"}
DIAMONDS = "QD JD", "AD KD"
SPADES = "QS JS", "AS KS"
ROYAL = "Royal flush (ace—jack)—diamonds"
TABLE = """
game = "blackjack"
decks = 6
jackpot_party_sharing = "equally"
jackpot_party_sharing_parts = "each"

[wagers.jackpot_party]
paytable = "P1"
"""
DECKS = {"P1": 6, "P3": 6, "P8": 2, "P10": 6, "P15": 6, "P20-A": 6, "P34-A": 4}


def table(name: str = "P1", **settings: str) -> RulesSubmission:
    return rules_for(KEY, decks=DECKS[name], paytable=name, **settings)


def of(held: str, dealer: str, name: str = "P1", staked: str = "5.00", **settings: str) -> Line:
    return one_line(KEY, held, dealer, staked, paytable=name, decks=DECKS[name], **settings)


def refused(text: str) -> list[tuple[str, str]]:
    return [(one.where, one.clause) for one in judge(text, "table")[1]]


# ------------------------------------------------------------------------------------------------ outcomes
@pytest.mark.clause("633c.2(a)(6)", "633c.2(a)(8)", "633c.2(i)#1")
def test_two_pair_needs_both_blackjacks_of_the_same_ranks_and_any_other_pair_is_a_pair() -> None:
    """T25, T54: suits do not matter."""
    assert of("AD KC", "AS KD").outcome == "two_pair"
    assert of("AD QC", "AS KD").outcome == "pair"
    assert of("7C 7H", "AS KD").outcome == "pair"
    assert of("AS KS", "AS KS").outcome == "flush"
    assert of("AD KH", "AH KD").outcome == "two_pair"  # all red too, which stands below


@pytest.mark.clause("633c.2(a)(4)")
def test_only_a_k_q_j_is_a_straight() -> None:
    """T14: an ace and a ten-count card leave no other, without a wrap."""
    assert of("QH JS", "AS KD").outcome == "straight"
    assert of("2H QS", "AS KD").outcome == "dealer_blackjack"
    assert of("QH JS", "AS 10D").outcome == "dealer_blackjack"


@pytest.mark.clause("633c.2(a)(9)", "633c.2(a)(10)", "633c.2(g)(1)")
def test_a_dealer_blackjack_counts_with_either_card_up_and_an_ace_up_without_one() -> None:
    """T15, T16."""
    found = [of("9H 4C", dealer) for dealer in ("AS KD", "KD AS", "AS 9D", "KD 9S", "9S AS")]
    assert [one.outcome for one in found] == ["dealer_blackjack"] * 2 + ["dealer_ace_up", "lost", "lost"]
    assert [one.clause for one in found[2:4]] == ["633c.2(g)(2)", "633c.2(g)(1)"]


# ------------------------------------------------------------------------------------------------ what is offered
@pytest.mark.clause("633c.2(b)", "633c.2(i)#2", "633c.2(i)#3")
def test_a_paytable_is_for_its_own_number_of_decks() -> None:
    assert refused(TABLE) == []
    for decks in range(1, 9):
        if decks != 6:
            where = "wagers.jackpot_party" if decks in (3, 5, 7) else "wagers.jackpot_party.paytable"
            assert refused(TABLE.replace("decks = 6", f"decks = {decks}")) == [(where, "633c.2(i)")]
    assert refused(TABLE.replace("P1", "P37")) == [("wagers.jackpot_party.paytable", "633c.2(i)")]
    unnamed = TABLE.replace('paytable = "P1"', "min = 5\nmax = 5")
    assert refused(unnamed) == [("wagers.jackpot_party", "633c.2(i)")]


@pytest.mark.clause("633c.2(e)")
def test_the_wager_is_1_or_5_dollars_as_the_paytable_prints_it_or_as_the_house_says() -> None:
    """T24: P10, P11 and P17 to P36 print none."""
    limits = ("", "min = 1\nmax = 1", "min = 5\nmax = 5", "min = 1\nmax = 5", "min = 2\nmax = 2")
    place = "wagers.jackpot_party.min"
    for name, wrong in (("P1", (1, 3, 4)), ("P3", (2, 3, 4)), ("P10", (0, 3, 4)), ("P20-B", (0, 3, 4))):
        clause = "633c.2(i)" if name in ("P1", "P3") else "633c.2(e)"
        for number, more in enumerate(limits):
            expected = [(place, clause)] if number in wrong else []
            assert refused(TABLE.replace("P1", name) + more) == expected, (name, more)
    assert parse(TABLE.replace("P1", "P3")).wagers[KEY].minimum == 1_00


@pytest.mark.clause("633c.2(d)#1", "633c.2(d)#2", "633c.2(d)(1)", "633c.2(d)(2)")
def test_the_table_needs_a_progressive_system_with_a_lock_out_and_an_area_for_the_wager() -> None:
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert "605a.7" in found["633c.2(d)"] and "605a.8" in found["633c.2(d)"]
    assert "at each position" in found["633c.2(d)(1)"]
    assert "no more bets" in found["633c.2(d)(2)"]
    assert found["633c.2(c)"] == "for each player an area for the Jackpot Party Progressive Wager"


# ------------------------------------------------------------------------------------------------ settling
@pytest.mark.clause("633c.2(g)#1", "633c.2(g)#2", "633c.2(g)(2)", "633c.2(h)(4)#1")
def test_it_is_settled_once_the_reader_has_answered_in_a_round_dealt_as_any_other() -> None:
    rules = table()
    settled = settle(played(rules, "1=25+jackpot_party=5", "10h As 8c 9d", "1:stand"), rules)
    (won,) = [one for one in settled.lines if one.wager == KEY]
    assert (won.outcome, won.won, won.returned, won.stage) == ("dealer_ace_up", 10_00, 5_00, Stage.AFTER_READER)
    blackjack = settle(played(rules, "1=25+jackpot_party=5", "10h As 8c Kd", ""), rules)
    assert [one.wager for one in blackjack.lines] == [KEY, "main"]


@pytest.mark.clause("633c.2(h)(1)", "633c.2(h)(2)", "633c.2(h)(3)")
def test_every_payout_is_verified_by_the_dealer_the_light_and_a_floorperson() -> None:
    assert [clause for clause, _ in of("9H 4C", "AS 9D").notes] == ["633c.2(h)(1)", "633c.2(h)(2)", "633c.2(h)(3)"]
    assert of("9H 4C", "KS 9D").notes == ()


@pytest.mark.clause("633c.2(f)#3", "633c.2(h)(4)#1")
def test_odds_to_one_return_the_wager_from_the_tray_unless_the_house_reads_it_otherwise() -> None:
    """T4: P1, $5, flush 60 to 1."""
    for word, returned in (("back", 5_00), ("kept", 0)):
        found = of("9S 4S", "AS KS", jackpot_party_to_one=word)
        assert (found.won, found.returned) == (300_00, returned)
        assert ("633c.2(f)" in [clause for clause, _ in found.notes]) == (word == "kept")


@pytest.mark.clause("633c.2(h)(4)#2", "633c.2(h)(4)#3", "633c.2(i)#5")
def test_a_percentage_of_the_meter_is_paid_by_the_meter_and_the_cards_remain() -> None:
    rules = table()
    for (held, dealer), won, meter in ((DIAMONDS, 50_312_50, -312_50), (SPADES, 5_031_25, -5_031_25)):
        settled = settled_optional(round_of(rules, dealer, box_of(held, SIDE), meters=METER), rules)
        first = settled.lines[0]
        assert (first.won, first.source, first.returned) == (won, "meter", 0)
        assert [clause for clause, _ in first.notes[-2:]] == ["633c.2(h)(4)"] * 2
        assert (settled.tray, settled.meters) == (5_00, {KEY: meter})


# ------------------------------------------------------------------------------------------------ meters
@pytest.mark.clause("633c.2(i)#4")
def test_the_primary_rate_moves_the_meter_and_the_secondary_one_builds_a_reserve() -> None:
    """T7, T8: one $5 wager in P1 is 80 cents and 18.75 cents, exactly."""
    rules = parse(TABLE)
    meter = rules.meters[KEY]
    assert (meter.start, meter.reset) == (50_000_00, 50_000_00)
    assert (contribution(KEY, 5_00, rules), meter.reserve * 5_00) == (80, Fraction(75, 4))
    both = parse(TABLE.replace("[wagers", 'jackpot_party_secondary = "display"\n[wagers'))
    assert contribution(KEY, 5_00, both) == 80 + Fraction(75, 4)
    assert both.meters[KEY].reserve == 0


@pytest.mark.clause("633c.2(i)#4")
def test_each_meter_has_its_own_seed_and_rate() -> None:
    rules = parse(TABLE.replace("P1", "P35-C") + "min = 1\nmax = 1")
    assert {key.removeprefix(f"{KEY}."): (meter.start, meter.rate) for key, meter in rules.meters.items()} == {
        "mega": (10_000_00, Fraction(75, 1000)),
        "major": (5_000_00, Fraction(2, 100)),
        "minor": (500_00, Fraction(3, 100)),
        "mini": (300_00, Fraction(3, 100)),
        "micro": (250_00, Fraction(3, 100)),
    }
    total = parse(TABLE.replace("P1", "P15")).meters[KEY]
    assert (total.rate, total.reserve) == (Fraction(2325, 10_000), 0)


@pytest.mark.clause("633c.2(i)#1", "633c.2(i)#5")
def test_three_of_a_kind_takes_its_own_meter_though_a_lower_one_stands_higher() -> None:
    """T2: P34 option A, minor at $510 and micro at $900."""
    rules = table("P34-A")
    meters = {f"{KEY}.minor": "510.00", f"{KEY}.micro": "900.00"}
    settled = settled_optional(round_of(rules, "AS KS", box_of("AS AS", SIDE), meters=meters), rules)
    assert (settled.lines[0].won, settled.lines[0].meter) == (510_00, "minor")
    assert settled.lines[1].words == "the minor meter was won: the house sets it back to $500.00"
    assert settled.meters == {f"{KEY}.minor": 500_00 - 510_00}


def two_royals(**settings: str) -> Settlement:
    """A royal flush of diamonds at positions 1 and 4."""
    boxes = [box_of(DIAMONDS[0], SIDE, place) for place in (1, 4)]
    rules = table(**settings)
    return settled_optional(round_of(rules, DIAMONDS[1], *boxes, meters=METER), rules)


@pytest.mark.clause("633c.2(i)#5")
def test_two_winners_of_the_whole_share_it_as_the_submission_says() -> None:
    """T5: the section does not say."""
    settled = two_royals(jackpot_party_sharing="equally")
    assert [one.won for one in settled.lines if one.source == "meter"] == [25_156_25] * 2
    in_turn = two_royals(jackpot_party_sharing="in_turn")
    assert [(one.position, one.won) for one in in_turn.lines if one.source == "meter"] == [
        (4, 50_312_50),
        (1, 50_000_00),
    ]
    assert [one.won for one in in_turn.lines if one.outcome == "meter_reset"] == [50_000_00] * 2
    with pytest.raises(RuleError, match="jackpot_party_sharing"):
        two_royals(jackpot_party_sharing="")
    silent = TABLE.replace('jackpot_party_sharing = "equally"\n', "")
    assert refused(silent) == [("jackpot_party_sharing", "633c.2(i)")]


@pytest.mark.clause("633c.2(i)#5")
def test_several_winners_of_a_tenth_share_it_as_the_submission_says() -> None:
    """T5: the section does not say; a tenth of $50,312.50 is $5,031.25, and of the $45,281.25 left $4,528.12."""
    boxes = [box_of(SPADES[0], SIDE, at) for at in (1, 4)]
    expected = {
        "equally": {4: 2_515_62, 1: 2_515_62},
        "each": {4: 5_031_25, 1: 5_031_25},
        "in_turn": {4: 5_031_25, 1: 4_528_12},
    }
    for word, won in expected.items():
        rules = table(jackpot_party_sharing_parts=word)
        settled = settled_optional(round_of(rules, SPADES[1], *boxes, meters=METER), rules)
        assert {one.position: one.won for one in settled.lines} == won
        assert settled.meters == {KEY: -sum(won.values())}
    rules = table(jackpot_party_sharing_parts="")
    with pytest.raises(RuleError, match=r'write jackpot_party_sharing_parts = "equally" or "each" or "in_turn"'):
        settled_optional(round_of(rules, SPADES[1], *boxes, meters=METER), rules)


@pytest.mark.clause("633c.2(i)#5")
def test_how_parts_are_shared_is_asked_only_where_the_paytable_pays_a_part() -> None:
    """T5: P20 option A pays whole meters alone."""
    key = "jackpot_party_sharing_parts"
    silent = TABLE.replace(f'{key} = "each"\n', "")
    assert refused(silent) == [(key, "633c.2(i)")]
    assert refused(silent.replace("P1", "P20-A") + "min = 5\nmax = 5") == []
    assert refused(silent.replace("P1", "P99")) == [(key, "633c.2(i)"), ("wagers.jackpot_party.paytable", "633c.2(i)")]


# ------------------------------------------------------------------------------------------------ envy
def envied(name: str, *boxes: Box, dealer: str = DIAMONDS[1], **settings: str) -> dict[int | None, int]:
    """What each position gets of envy bonuses."""
    rules = table(name, **settings)
    settled = settled_optional(round_of(rules, dealer, *boxes), rules)
    envy = [one for one in settled.lines if one.outcome == "envy"]
    assert all((one.staked, one.returned, one.source, one.clause) == (0, 0, "tray", "633c.2(i)") for one in envy)
    assert all(one.odds is not None and one.odds.sum == one.won for one in envy)
    return {one.position: one.won for one in envy}


def at(position: int, held: str = "9H 4C", side: dict[str, str] | None = None, player: str = "") -> Box:
    return box_of(held, SIDE if side is None else side, position, player=player)


@pytest.mark.clause("633c.2(i)#6")
def test_every_other_player_with_the_wager_gets_the_envy_amount_of_a_royal_flush() -> None:
    """T22: P8, seat 2 has the royal flush of diamonds; seat 4 has no wager."""
    boxes = at(1), at(2, DIAMONDS[0]), at(3), at(4, side={})
    assert envied("P8", *boxes) == {3: 3_000_00, 1: 3_000_00}
    spades = at(1), at(2, SPADES[0]), at(3)
    assert envied("P8", *spades, dealer=SPADES[1]) == {3: 1_000_00, 1: 1_000_00}
    assert envied("P1", *boxes) == {}  # P1 prints no envy amount


@pytest.mark.clause("633c.2(i)#6")
def test_the_envy_line_names_whose_hand_it_was() -> None:
    rules = table("P8")
    settled = settled_optional(round_of(rules, DIAMONDS[1], at(1), at(2, DIAMONDS[0])), rules)
    (line_,) = [one for one in settled.lines if one.outcome == "envy"]
    assert line_.words == f"position 2 has {ROYAL}: envy bonus"
    assert line_.notes == (("633c.2(i)", f"envy bonus of {ROYAL}"),)
    assert (line_.odds and line_.odds.text, line_.stage) == ("$3,000", Stage.AFTER_READER)


@pytest.mark.clause("633c.2(i)#6")
def test_nobody_envies_his_own_hand_and_a_hand_without_the_wager_is_envied_too() -> None:
    """T22, T74."""
    one = at(1, player="Ann"), at(2, DIAMONDS[0], player="Ann"), at(3, player="Bob"), at(4, player="Bob")
    assert envied("P8", *one) == {4: 3_000_00}
    assert envied("P8", *one, jackpot_party_envy_boxes="box") == {4: 3_000_00, 3: 3_000_00, 1: 3_000_00}
    bare = at(1), at(2, DIAMONDS[0], side={})
    assert envied("P8", *bare) == {1: 3_000_00}
    assert envied("P8", *bare, jackpot_party_envy_holder="wager") == {}


@pytest.mark.clause("633c.2(i)#6")
def test_where_a_most_is_printed_it_is_all_that_a_player_gets_in_a_round() -> None:
    """T22, T23: two royal flushes of diamonds beside each other; each winner envies the other."""
    boxes = at(1), at(2, DIAMONDS[0]), at(3, DIAMONDS[0])
    assert envied("P10", *boxes) == {3: 3_000_00, 2: 3_000_00, 1: 3_000_00}
    assert envied("P10", *boxes, jackpot_party_envy_most="hand") == {3: 3_000_00, 2: 3_000_00, 1: 6_000_00}


@pytest.mark.clause("633c.2(i)#6")
def test_the_envy_amount_may_be_the_winners_own_or_a_fifth_beside_one_dollar() -> None:
    """T22: the other readings of the column."""
    boxes = at(1), at(2, DIAMONDS[0])
    assert envied("P8", *boxes, jackpot_party_envy="own") == {2: 3_000_00}
    assert envied("P8", at(1), at(2, DIAMONDS[0], side={}), jackpot_party_envy="own") == {}
    anns = *(at(1, player="Ann"), at(2, DIAMONDS[0], player="Ann")), at(3, player="Ann")  # beside the hand itself
    assert envied("P8", *anns, jackpot_party_envy="own") == {2: 3_000_00}
    ones = at(1, side={KEY: "1.00"}), at(2, DIAMONDS[0])
    assert envied("P10", *ones) == {1: 3_000_00}
    assert envied("P10", *ones, jackpot_party_envy_amount="scaled") == {1: 600_00}
    assert envied("P10", *boxes, jackpot_party_envy_amount="scaled") == {1: 3_000_00}


# ------------------------------------------------------------------------------------------------ files and records
def test_a_round_file_tells_each_meter_by_its_name_and_the_settlement_does_too(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE.replace("P1", "P20-A") + "min = 5\nmax = 5\n")
    told = {
        "format": "shoetool-round/1",
        "cards": ["QD", "9H", "AD", "JD", "4C", "KD"],
        "positions": [
            {"position": 1, "wager": "10.00", "side": SIDE},
            {"position": 2, "wager": "10.00", "side": SIDE},
        ],
        "meters": {f"{KEY}.mega": "51234.56"},
    }
    path = tmp_path / "round.json"
    path.write_text(json.dumps(told))
    run = ["settle", str(path), "--table", str(tmp_path / "table.toml")]
    found = CliRunner().invoke(build(), [*run, "--json"])
    assert found.exit_code == 0, found.output
    settled = json.loads(found.output)["files"][0]["rounds"][0]["settled"]
    assert settled["meters"] == {f"{KEY}.mega": 50_000_00 - 51_234_56}
    lines = [one for one in settled["lines"] if one["wager"] == KEY]
    assert [(one["position"], one["outcome"], one["won"], one.get("meter")) for one in lines] == [
        (2, "dealer_blackjack", 25_00, None),
        (2, "envy", 3_000_00, None),
        (1, "royal_flush_diamonds", 51_234_56, "mega"),
        (None, "meter_reset", 50_000_00, "mega"),
    ]
    assert "mega meter of Jackpot Party Progressive" in CliRunner().invoke(build(), run).output
    del told["meters"]
    path.write_text(json.dumps(told))
    missing = CliRunner().invoke(build(), run)
    assert f'write "meters": {{"{KEY}.mega": "7312.50"}}' in missing.output.replace("\n", " ")
    told["meters"] = {f"{KEY}.mega": "49999.99"}
    path.write_text(json.dumps(told))
    low = CliRunner().invoke(build(), run)
    assert "the mega meter of Jackpot Party Progressive is given as $49,999.99" in low.output.replace("\n", " ")


def against_a_blackjack() -> Short:
    """Position 1 has Q♦ J♦ and position 2 9♥ 4♣ against A♦ K♦."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    s.start(1, 2)
    s.opening({1: "QD", 2: "9H"}, "AD", {1: "JD", 2: "4C"}, "KD")
    s.add("insurance", 0)
    s.add("peek", Peek.BLACKJACK)
    s.reveal()
    s.close(21)
    s.end()
    return s


ROYAL_AND_ENVY = ("51229.56", "3025.00")


def judged(*events: dict[str, object], paid: tuple[str, str] = ROYAL_AND_ENVY) -> list[tuple[str, str]]:
    """(clause, check) of what a record with these events and net payments is held against."""
    payments = [{"position": at, "wager": KEY, "amount": won} for at, won in enumerate(paid, 1)]
    told = line(
        1,
        seat(1, side=SIDE),
        seat(2, side=SIDE),
        events=list(events),
        paid=payments,
        meters={f"{KEY}.mega": "51234.56"},
    )
    found = findings(against_a_blackjack(), [told], table("P20-A"))
    return [(one.clause, one.check) for one in found if "Jackpot Party" in one.sentence]


@pytest.mark.clause("633c.2(h)(4)#1", "633c.2(i)#6")
def test_a_record_is_held_against_the_meters_share_and_the_envy_bonus() -> None:
    assert judged() == []
    assert judged(paid=("51229.56", "25.00")) == [("633c.2(i)", reg.PAID)]
    assert judged(paid=("51224.56", "3025.00")) == [("633c.2(g)(2)", reg.PAID)]


@pytest.mark.clause("633c.2(f)#1", "633c.2(d)(2)", "633c.2(h)(1)", "633c.2(h)(3)")
def test_a_record_is_held_against_the_lock_out_and_the_verification() -> None:
    read = event("reader_used", reading="blackjack", after_card=6)
    closed, late = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    checks = [event(name, at_, KEY) for at_ in (2, 1) for name in ("verified", "floorperson")]
    paid = [event("settled", at_, KEY, after_card=6) for at_ in (2, 1)]
    assert judged(closed, read, *checks, *paid) == []
    assert judged(closed, late, read, *checks, *paid) == [("633c.2(d)(2)", reg.LOCKED)]
    assert judged(closed, read, *checks[1:], *paid) == [("633c.2(h)(1)", reg.VERIFIED)]
    assert judged(closed, read, *checks[:3], *paid) == [("633c.2(h)(3)", reg.VERIFIED)]
    assert judged(closed, *checks, *paid, read) == [("633c.2(g)", reg.WAITED)] * 3  # position 2 has the envy bonus too
