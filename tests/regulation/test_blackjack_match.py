"""Blackjack Match Progressive, 633c.10: its outcomes and paytables, its meter, and the envy bonus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from naive_633c import blackjack_match as naive
from playing import played
from shoetool.cli import build
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Peek
from shoetool.rules.paytable import paytables
from shoetool.rules.round import Box, Line, Settlement, Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from shoetool.settle.meters import contribution
from short_shoe import Short
from table_case import READER, event, findings, line, seat
from wager_table import box_of, one_line, round_of, rules_for, settled_optional

KEY = "blackjack_match"
SIDE = {KEY: "5.00"}
METER = {KEY: "12000.05"}
KINGS = "AS KS", "KS AS"
TENS = "AS 10S", "AS 10S"
ROWS = (
    *("ace_king_matching_suited", "matching_suited", "both_suited", "both_blackjacks"),
    *("player_suited_blackjack", "player_blackjack", "any_ace"),
)
TABLE = """
game = "blackjack"
decks = 6

[wagers.blackjack_match]
paytable = "A"
min = 5
max = 5
"""


def table(name: str = "A", **settings: Any) -> RulesSubmission:
    return rules_for(KEY, paytable=name, **settings)


def of(held: str, dealer: str, name: str = "A", staked: str = "5.00", **settings: Any) -> Line:
    return one_line(KEY, held, dealer, staked, paytable=name, **settings)


def refused(text: str) -> list[tuple[str, str]]:
    return [(one.where, one.clause) for one in judge(text, "table")[1]]


# ------------------------------------------------------------------------------------------------ outcomes, paytables
def dealers() -> Iterator[tuple[int, int]]:
    """Every Blackjack, with the ace or the ten-count card up in turns, and a few hands that are none."""
    for number, (ace, ten) in enumerate((a * 13, s * 13 + r) for a in range(4) for s in range(4) for r in range(9, 13)):
        yield (ace, ten) if number % 2 else (ten, ace)
    yield from ((0, 13), (12, 25), (0, 8), (9, 4), (5, 0), (20, 33))


@pytest.mark.clause("633c.10(a)#1", *(f"633c.10(a)({number})" for number in range(1, 8)), "633c.10(g)(1)")
def test_the_two_hands_make_the_combination_of_the_text() -> None:
    """Every two cards of the player, repeated ones too, against every Blackjack: a second opinion agrees."""
    rules, wager, seen = table(), WAGERS[KEY], Counter[int]()
    cards = [(number % 13 + 1, "cdhs"[number // 13]) for number in range(52)]
    for dealer in dealers():
        his = [cards[card] for card in dealer]
        for first, second in combinations_with_replacement(range(52), 2):
            found = wager.outcome(View(rules, (second, first), dealer))
            number = naive.combination(his, [cards[second], cards[first]])
            assert (ROWS.index(found.key) + 1 if found else 0) == number, (first, second, dealer)
            seen[number] += 1
    # 4 suits have an ace and king, and 12 an ace and another ten-count card; each of 64 Blackjacks meets 64 of 1,378.
    assert [seen[number] for number in range(1, 5)] == [4, 12, 48, 64 * 64 - 64]
    assert [seen[number] for number in range(5, 8)] == [6 * 16, 6 * 48, 70 * (4 * 48 + 10 - 64)]


@pytest.mark.clause("633c.10(i)#1", "633c.10(i)#2", "633c.10(i)#3", "633c.10(h)(5)#5", "633c.10(k)")
def test_every_cell_of_the_four_paytables_and_of_the_envy_bonus_is_that_of_the_text() -> None:
    """As a parser of the source text alone froze them; the second opinion has the same odds."""
    frozen = json.loads((Path(__file__).parents[1] / "vectors" / "paytables_633c" / "10.json").read_text())["tables"]
    tables = paytables(KEY)
    assert [one.name for one in tables] == [one.get("paytable") for one in frozen[:4]] == list("ABCD")
    for printed, found in zip(frozen, tables, strict=False):
        (meter,) = found.meters
        figures = [["Seed amount", meter.seed], ["Increment rate", meter.primary], ["Secondary seed", meter.secondary]]
        assert printed["rows"] == [[row.outcome, row.odds.text] for row in found.rows] + figures
        assert tuple(row.key for row in found.rows) == ROWS
        assert [cell for _, cell in printed["rows"][:7]] == [naive.pays(number, found.name) for number in range(1, 8)]
        for envy in frozen[4:]:
            wager = int(envy["wager"].removeprefix("$")) * 100
            amounts = [[row.outcome, f"${row.envy_for(wager) // 100:,}"] for row in found.rows if row.envy]
            assert amounts == envy["rows"]
    assert len(frozen) == 6


@pytest.mark.clause("633c.10(a)(1)", "633c.10(a)(2)")
def test_two_blackjacks_alike_card_by_card_match_only_where_the_house_reads_it_so() -> None:
    """T70."""
    for held, dealer, outcome in (("AS KH", "AS KH", 0), ("AS QH", "QH AS", 1)):
        assert of(held, dealer).outcome == "both_blackjacks"
        assert of(held, dealer, blackjack_match_suits="card_by_card").outcome == ROWS[outcome]
        assert of("AS KS", "AS KS", blackjack_match_suits="card_by_card").outcome == ROWS[0]
    assert of("AS QH", "AH QS", blackjack_match_suits="card_by_card").outcome == "both_blackjacks"


@pytest.mark.clause("633c.10(a)(3)", "633c.10(a)(4)")
@pytest.mark.parametrize(
    ("held", "dealer", "nothing", "both_suited"),
    [
        ("AS KS", "AH KH", "lost", "both_suited"),
        ("AS 10S", "AH QH", "both_blackjacks", "both_suited"),
        ("AS KH", "AD KC", "lost", "both_blackjacks"),
        ("AS 10H", "AS QH", "lost", "both_blackjacks"),
        ("AS 10H", "AD QC", "both_blackjacks", "both_blackjacks"),
        ("AS 10S", "AD QC", "both_blackjacks", "both_blackjacks"),
        ("AS 10S", "AC QD", "both_blackjacks", "both_blackjacks"),
        ("AS 10H", "AD QD", "both_blackjacks", "both_blackjacks"),
    ],
)
def test_two_blackjacks_that_fit_no_row_by_its_words(held: str, dealer: str, nothing: str, both_suited: str) -> None:
    """T71: the fourth row has what is left; or the house reads the words."""
    assert of(held, dealer).outcome == "both_blackjacks"
    assert of(held, dealer, blackjack_match_rest="nothing").outcome == nothing
    assert of(held, dealer, blackjack_match_rest="both_suited").outcome == both_suited


@pytest.mark.clause("633c.10(a)(7)", "633c.10(g)(2)")
def test_an_ace_without_blackjack_wins_against_a_dealers_blackjack_too_and_two_aces_win_once() -> None:
    """T72."""
    for held, dealer in (("AS 5D", "AS KD"), ("5D AS", "7S 9D"), ("AS AD", "7S 9D")):
        assert (of(held, dealer).outcome, of(held, dealer).won) == ("any_ace", 15_00)
    assert [of(*cards).outcome for cards in (("KS QD", "AS KD"), ("9S 2D", "7S 9D"))] == ["lost", "lost"]


# ------------------------------------------------------------------------------------------------ what is offered
@pytest.mark.clause("633c.10(b)", "633c.10(i)#1")
def test_it_is_offered_with_six_or_eight_decks_by_one_of_four_paytables() -> None:
    for decks in range(1, 9):
        expected = [] if decks in (6, 8) else [("wagers.blackjack_match", "633c.10(i)")]
        assert refused(TABLE.replace("decks = 6", f"decks = {decks}")) == expected
    assert refused(TABLE.replace('"A"', '"E"')) == [("wagers.blackjack_match.paytable", "633c.10(i)")]
    assert refused(TABLE.replace('paytable = "A"\n', "")) == [("wagers.blackjack_match", "633c.10(i)")]


@pytest.mark.clause("633c.10(e)")
def test_the_wager_is_1_or_5_dollars_beside_any_paytable() -> None:
    """T75."""
    for name in "ABCD":
        for low, high, wrong in ((1, 1, False), (5, 5, False), (1, 5, True), (2, 2, True)):
            text = TABLE.replace('"A"', f'"{name}"').replace("min = 5\nmax = 5", f"min = {low}\nmax = {high}")
            assert refused(text) == ([("wagers.blackjack_match.min", "633c.10(e)")] if wrong else [])


@pytest.mark.clause("633c.10(d)#1", "633c.10(d)#2", "633c.10(d)(1)", "633c.10(d)(2)")
def test_the_table_needs_a_progressive_system_with_a_lock_out_and_an_area_for_the_wager() -> None:
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert "605a.7" in found["633c.10(d)"] and "605a.8" in found["633c.10(d)"]
    assert "at each position" in found["633c.10(d)(1)"]
    assert "no more bets" in found["633c.10(d)(2)"]
    assert found["633c.10(c)"] == "for each player an area for the Blackjack Match Progressive Wager"


# ------------------------------------------------------------------------------------------------ settling
@pytest.mark.clause("633c.10(g)#1", "633c.10(g)#3", "633c.10(g)(1)", "633c.10(g)(2)", "633c.10(h)(4)#1", "633c.10(l)")
def test_it_is_settled_once_the_reader_has_answered_and_the_hand_goes_on() -> None:
    rules = table()
    bets = "1=25+blackjack_match=5 2=25+blackjack_match=5"
    settled = settle(played(rules, bets, "Ah 10c As 5c 7c 9d 3c", "1:hit 1:stand 2:stand"), rules)
    lost, won = [one for one in settled.lines if one.wager == KEY]
    assert (lost.position, lost.outcome, lost.net, lost.clause, lost.notes) == (2, "lost", -5_00, "633c.10(g)(1)", ())
    assert (won.position, won.outcome, won.won, won.returned) == (1, "any_ace", 15_00, 5_00)
    assert (won.clause, {lost.stage, won.stage}) == ("633c.10(g)(2)", {Stage.AFTER_READER})
    assert [one.wager for one in settled.lines].count("main") == 2
    blackjack = settle(played(rules, "1=25+blackjack_match=5", "As As Ks Ks", ""), rules)
    assert [one.wager for one in blackjack.lines] == [KEY, "main", KEY]  # the last one sets the meter back


@pytest.mark.clause("633c.10(a)(1)", "633c.10(g)#2")
def test_a_blackjack_that_was_paid_even_money_still_counts_with_its_cards() -> None:
    """T10."""
    rules = table(even_money=True)
    settled = settle(played(rules, "1=25+blackjack_match=5", "As As Ks Ks", "1:even_money"), rules)
    assert [one.outcome for one in settled.lines if one.wager == KEY and one.position] == ["ace_king_matching_suited"]


@pytest.mark.clause("633c.10(h)(1)", "633c.10(h)(2)", "633c.10(h)(3)")
def test_every_payout_is_verified_by_the_dealer_the_light_and_a_floorperson() -> None:
    expected = [f"633c.10(h)({number})" for number in (1, 2, 3)]
    assert [clause for clause, _ in of("AS 5D", "7S 9D").notes] == expected
    assert [clause for clause, _ in of(*TENS).notes][:3] == expected


@pytest.mark.clause("633c.10(f)#3", "633c.10(h)(4)#1")
def test_odds_to_one_return_the_wager_from_the_tray_unless_the_house_reads_it_otherwise() -> None:
    """T4."""
    for word, returned in (("back", 5_00), ("kept", 0)):
        found = of("AS 10S", "QS AS", blackjack_match_to_one=word)
        assert (found.won, found.returned) == (1_000_00, returned)
        assert ("633c.10(f)" in [clause for clause, _ in found.notes]) == (word == "kept")


@pytest.mark.clause("633c.10(h)(4)#2", "633c.10(h)(4)#3", "633c.10(i)#3")
def test_a_percentage_of_the_meter_is_paid_by_the_meter_and_the_cards_remain() -> None:
    rules = table()
    for (held, dealer), won, meter in ((KINGS, 12_000_05, 10_000_00 - 12_000_05), (TENS, 1_200_00, -1_200_00)):
        settled = settled_optional(round_of(rules, dealer, box_of(held, SIDE), meters=METER), rules)
        first = settled.lines[0]
        assert (first.won, first.source, first.returned) == (won, "meter", 0)
        assert [clause for clause, _ in first.notes[-2:]] == ["633c.10(h)(4)"] * 2
        assert (settled.tray, settled.meters) == (5_00, {KEY: meter})
    cash = of("AS 5D", "7S 9D")
    assert (cash.source, "633c.10(h)(4)" in [clause for clause, _ in cash.notes]) == ("tray", False)


# ------------------------------------------------------------------------------------------------ the meter
@pytest.mark.clause("633c.10(i)#2")
def test_the_meter_has_the_seed_and_the_rates_of_its_paytable() -> None:
    """T8, T9, T73: what is called a secondary seed is a rate, and the meter is set back to the seed."""
    for name, seed, secondary in (("A", 10_000_00, "0.025"), ("B", 5_000_00, "0.0325"), ("D", 5_000_00, "0.0325")):
        rules = parse(TABLE.replace('"A"', f'"{name}"'))
        meter = rules.meters[KEY]
        assert (meter.start, meter.reset, meter.reserve) == (seed, seed, Fraction(secondary))
        assert contribution(KEY, 5_00, rules) == 65
    both = parse(TABLE.replace("[wagers", 'blackjack_match_secondary = "display"\n[wagers'))
    assert (contribution(KEY, 5_00, both), both.meters[KEY].reserve) == (Fraction(155, 2), 0)


def two_winners(cards: tuple[str, str], **words: str) -> Settlement:
    """Positions 2 and 5 hold the same cards."""
    boxes = [box_of(cards[0], SIDE, place) for place in (2, 5)]
    rules = table(**words)
    return settled_optional(round_of(rules, cards[1], *boxes, meters=METER), rules)


@pytest.mark.clause("633c.10(j)")
def test_winners_of_the_same_amount_split_it_equally_the_whole_and_the_tenth() -> None:
    """T5: $12,000.05, of which half a cent a winner stays in the meter; $1,200 each where only the whole is split."""
    for cards, words, won, change in (
        (KINGS, {}, 6_000_02, 10_000_00 - 12_000_04),
        (TENS, {}, 600_00, -1_200_00),
        (TENS, {"blackjack_match_sharing_parts": "each"}, 1_200_00, -2_400_00),
    ):
        settled = two_winners(cards, **words)
        assert {one.position: one.won for one in settled.lines if one.position} == {5: won, 2: won}
        assert settled.meters == {KEY: change}
        notes = [clause for clause, words in settled.lines[0].notes if "2 winners share" in words]
        assert notes == ([] if won == 1_200_00 else ["633c.10(j)"])


# ------------------------------------------------------------------------------------------------ envy
def envied(*boxes: Box, dealer: str = KINGS[1], offered: bool = True, **settings: Any) -> dict[int | None, int]:
    """What each position gets of envy bonuses."""
    rules = table(**settings)
    if offered:
        rules = replace(rules, wagers={KEY: replace(rules.wagers[KEY], options=frozenset({"envy"}))})
    settled = settled_optional(round_of(rules, dealer, *boxes), rules)
    envy = [one for one in settled.lines if one.outcome == "envy"]
    assert all((one.staked, one.returned, one.source, one.clause) == (0, 0, "tray", "633c.10(h)(5)") for one in envy)
    assert all({clause for clause, _ in one.notes} == {"633c.10(k)"} for one in envy)
    assert settled.tray == -sum(one.net for one in settled.lines if one.source == "tray" and one.position) + sum(
        one.staked - one.returned for one in settled.lines if one.source == "meter"
    )
    return {one.position: one.won for one in envy}


def at(position: int, held: str = "9H 4C", staked: str = "5.00", player: str = "") -> Box:
    return box_of(held, {KEY: staked} if staked else {}, position, player=player)


@pytest.mark.clause("633c.10(h)(5)#2", "633c.10(h)(5)#3", "633c.10(h)(5)#4", "633c.10(h)(5)#5", "633c.10(k)")
def test_each_player_gets_a_bonus_for_each_other_player_who_matches_the_dealer_and_none_for_himself() -> None:
    """T74: seats 1 and 2 match; a second opinion has the same amounts."""
    for held, dealer, number in ((*KINGS, 1), (*TENS, 2)):
        for dollars in (1, 5):
            staked = f"{dollars}.00"
            found = envied(at(1, held, staked), at(2, held, staked), at(3, "9H 4C", staked), dealer=dealer)
            expected = [naive.envy(dollars, others) for others in ([number, 0], [number, 0], [number, number])]
            assert [found[place] for place in (1, 2, 3)] == [one * 100 for one in expected]
    assert envied(at(1, KINGS[0]), at(2, KINGS[0]), at(3)) == {3: 6_000_00, 2: 3_000_00, 1: 3_000_00}
    assert envied(at(1, KINGS[0])) == {}


@pytest.mark.clause("633c.10(h)(5)#1")
def test_the_envy_bonus_is_paid_only_where_the_submission_offers_it() -> None:
    assert envied(at(1, KINGS[0]), at(2), offered=False) == {}
    offers = parse(TABLE + "envy = true\n").wagers[KEY].options
    assert (offers, parse(TABLE).wagers[KEY].options) == (frozenset({"envy"}), frozenset())
    bad_beat = refused('game = "blackjack"\ndecks = 6\n[wagers.bad_beat]\nenvy = true\n')
    assert "wagers.bad_beat.envy" in [where for where, _ in bad_beat]


@pytest.mark.clause("633c.10(h)(5)#2")
def test_the_receiver_needs_the_wager_and_the_holder_does_not() -> None:
    """T74."""
    bare = at(1, KINGS[0], staked=""), at(2), at(3, staked="")
    assert envied(*bare) == {2: 3_000_00}
    assert envied(*bare, blackjack_match_envy_holder="wager") == {}
    for held, dealer in (("AS 10S", "QS AS"), ("AS KH", "AS KH"), ("AS KS", "9S KS")):
        assert envied(at(1, held), at(2), dealer=dealer) == {}


@pytest.mark.clause("633c.10(h)(5)#3", "633c.10(h)(5)#4")
def test_two_positions_of_one_player_are_both_his_own_and_pay_one_bonus_to_another() -> None:
    """T74: the text counts the other players and not their hands."""
    boxes = at(1, KINGS[0], player="Ann"), at(2, KINGS[0], player="Ann"), at(3, player="Bob"), at(4, player="Bob")
    assert envied(*boxes) == {4: 3_000_00}
    apart = {1: 3_000_00, 2: 3_000_00, 3: 6_000_00, 4: 6_000_00}
    assert envied(*boxes, blackjack_match_envy_boxes="box") == apart


@pytest.mark.clause("633c.10(h)(5)#2", "633c.10(k)")
def test_only_the_combination_of_the_clauses_name_pays_where_the_house_reads_it_so() -> None:
    """T74."""
    only = {"blackjack_match_envy_rows": "matching_suited"}
    assert envied(at(1, KINGS[0]), at(2), **only) == {}
    assert envied(at(1, TENS[0]), at(2), dealer=TENS[1], **only) == {2: 1_000_00}


# ------------------------------------------------------------------------------------------------ files and records
def test_a_round_file_is_settled_with_its_meter_and_its_envy_bonus(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE + "envy = true\n")
    told = {
        "format": "shoetool-round/1",
        "cards": ["AS", "9H", "AS", "KS", "4C", "KS"],
        "positions": [
            {"position": 1, "wager": "10.00", "side": SIDE},
            {"position": 2, "wager": "10.00", "side": SIDE},
        ],
        "meters": METER,
    }
    (tmp_path / "round.json").write_text(json.dumps(told))
    run = ["settle", str(tmp_path / "round.json"), "--table", str(tmp_path / "table.toml")]
    found = CliRunner().invoke(build(), [*run, "--json"])
    assert found.exit_code == 0, found.output
    settled = json.loads(found.output)["files"][0]["rounds"][0]["settled"]
    assert [(one["position"], one["outcome"], one["won"]) for one in settled["lines"] if one["wager"] == KEY] == [
        (2, "lost", 0),
        (2, "envy", 3_000_00),
        (1, "ace_king_matching_suited", 12_000_05),
        (None, "meter_reset", 10_000_00),
    ]
    assert settled["meters"] == {KEY: 10_000_00 - 12_000_05}


def matched(rounds: int = 1) -> Short:
    """In each round positions 1 and 2 have A♠ 10♠ against A♠ 10♠, and position 3 has 9♥ 4♣."""
    s = Short(options=READER)
    s.add("reader_test", 0)
    for _ in range(rounds):
        s.start(1, 2, 3)
        s.opening({1: "AS", 2: "AS", 3: "9H"}, "AS", {1: "10S", 2: "10S", 3: "4C"}, "10S")
        s.add("insurance", 0)
        s.add("peek", Peek.BLACKJACK)
        s.reveal()
        s.close(21)
    s.end()
    return s


def told(*events: dict[str, object], shown: str = "12000.05", **more: Any) -> dict[str, Any]:
    seats = [seat(at, side=SIDE) for at in (1, 2, 3)]
    return line(more.pop("number", 1), *seats, events=list(events), meters={KEY: shown}, **more)


def judged(*lines: dict[str, Any], **settings: Any) -> list[tuple[str, str]]:
    """(clause, check) of what a record with these lines is held against; the envy bonus is offered."""
    rules = table(**settings)
    rules = replace(rules, wagers={KEY: replace(rules.wagers[KEY], options=frozenset({"envy"}))})
    found = findings(matched(len(lines)), lines, rules)
    return [(one.clause, one.check) for one in found if "Blackjack Match" in one.sentence]


def payments(*amounts: str) -> list[dict[str, Any]]:
    return [{"position": place, "wager": KEY, "amount": won} for place, won in enumerate(amounts, 1)]


ENVY_AND_TENTH = payments("1595.00", "1595.00", "1995.00")
"""$600 of the meter and $1,000 of envy less the wager; two envy bonuses of $1,000."""


@pytest.mark.clause("633c.10(h)(4)#1", "633c.10(h)(5)#2", "633c.10(j)")
def test_a_record_is_held_against_the_split_and_the_envy_bonuses() -> None:
    assert judged(told(paid=ENVY_AND_TENTH)) == []
    each = payments("2195.00", "2195.00", "1995.00")
    assert judged(told(paid=each)) == [("633c.10(h)(5)", reg.PAID)] * 2
    assert judged(told(paid=each), blackjack_match_sharing_parts="each") == []
    assert judged(told(paid=[*ENVY_AND_TENTH[:2], *payments("-5.00", "-5.00", "995.00")[2:]])) == [
        ("633c.10(h)(5)", reg.PAID)
    ]


@pytest.mark.clause("633c.10(i)#2", "633c.10(i)#3")
def test_the_meter_is_followed_to_the_cent_over_the_rounds_of_a_record() -> None:
    """$12,000.05 and $1.95 of three wagers less $1,200.00 that two winners split, then less $1,080.20."""
    second = payments("1535.10", "1535.10", "1995.00")
    lines = [told(paid=ENVY_AND_TENTH), told(number=2, shown="10802.00", paid=second)]
    third = told(number=3, shown="9723.75")
    assert judged(*lines, third) == []
    assert judged(*lines, {**third, "meters": {KEY: "9723.76"}}) == [("633c.10(i)", reg.METER)]


@pytest.mark.clause("633c.10(f)#1", "633c.10(d)(2)", "633c.10(g)#2", "633c.10(g)#3", "633c.10(h)(1)", "633c.10(h)(3)")
def test_a_record_is_held_against_the_lock_out_the_reader_and_the_verification() -> None:
    closed, late = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    read = event("reader_used", reading="blackjack", after_card=8)
    checks = [event(name, place, KEY) for place in (2, 1) for name in ("verified", "floorperson")]
    paid = [event("settled", place, KEY, after_card=8) for place in (3, 2, 1)]
    assert judged(told(closed, read, *checks, *paid)) == []
    assert judged(told(closed, late, read, *checks, *paid)) == [("633c.10(d)(2)", reg.LOCKED)]
    assert judged(told(closed, read, *checks[1:], *paid)) == [("633c.10(h)(1)", reg.VERIFIED)]
    assert judged(told(closed, read, *checks[:3], *paid)) == [("633c.10(h)(3)", reg.VERIFIED)]
    early = judged(told(closed, *checks, *paid, read))
    assert set(early) == {("633c.10(g)", reg.WAITED)}
