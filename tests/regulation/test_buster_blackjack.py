"""Buster Blackjack, 633c.13: the dealer's bust by its cards, the cards that he owes the wager, and the cash bonus."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from naive_633c.buster_blackjack import bonus, buster, finished_hands
from playing import names, played
from shoetool.deal import RuleError, Stake
from shoetool.deal.stakes import verify_stakes
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import HandEnd, Role
from shoetool.rules.paytable import paytable, paytables
from shoetool.rules.round import Line, Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from short_shoe import Short
from table_case import event, findings, line, seat, usual_round
from wager_table import box_of, lines_of, one_line, rules_for

KEY = "buster_blackjack"
BET = f"1=10+{KEY}=5"
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\npaytable = "A"\n'
SEVEN = "2S 2D 2H 3C 3D 4S KD"


@pytest.mark.clause("633c.13(a)#2", "633c.13(g)", "633c.13(h)#1", "633c.13(i)#1")
def test_every_hand_that_a_dealer_can_end_with_pays_the_row_of_the_text() -> None:
    """A second opinion agrees on every order of values up to nine cards, and on the cash bonus (T88, T91)."""
    rules, seen = rules_for(KEY), Counter[str]()
    wager = WAGERS[KEY]
    pay = wager.bonuses[0]
    for ranks in finished_hands(9):
        dealer = tuple(rank - 1 for rank in ranks)
        found = wager.outcome(View(rules, (8, 9), dealer))
        name = buster(ranks)
        assert (found.key if found else "lost") == name, ranks
        seen[name] += 1
        if len(ranks) > 5:
            for first, second, staked in ((1, 13, 5), (10, 1, 4), (1, 1, 5), (11, 12, 5)):
                row = pay.row(View(rules, (first - 1, second - 1), dealer), staked * 100)
                assert row.removeprefix("bonus_b1_") == bonus(first, second, staked, ranks)
                seen["bonus"] += row != ""
    assert seen["lost"] > 0 and min(seen[row.key] for row in wager.outcomes) > 0 and seen["bonus"] > 0


@pytest.mark.clause("633c.13(h)#2", "633c.13(i)#1")
def test_every_cell_of_the_paytables_is_that_of_the_text() -> None:
    vectors = Path(__file__).parents[1] / "vectors" / "paytables_633c" / "13.json"
    frozen = json.loads(vectors.read_text(encoding="utf-8"))["tables"]
    prefix = "Dealer busts with: "
    printed = [one for one in frozen if "decks" in one]
    for one in printed:
        table = paytable(KEY, one["paytable"], one["decks"])
        rows = [[row.outcome.removeprefix(prefix), row.odds.text] for row in table.rows if not row.bonus]
        assert (table.clause, rows) == (one["clause"], one["rows"])
    assert {(one["paytable"], one["decks"]) for one in printed} == {
        (one.name, decks) for one in paytables(KEY) for decks in one.only
    }
    bonuses = [one for one in frozen if "bonus" in one]
    for table in paytables(KEY):
        for one in bonuses:
            name = one["bonus"]
            rows = [
                [row.outcome.removeprefix(f"Bonus Pay {name}, dealer busts with: "), row.odds.text]
                for row in table.rows
                if row.option == f"bonus_{name.lower()}"
            ]
            assert rows == one["rows"]
    assert (len(printed), len(bonuses)) == (19, 2)


@pytest.mark.clause("633c.13(c)", "633c.13(h)#2")
def test_it_is_offered_with_one_four_six_or_eight_decks() -> None:
    """T92: not with two. Four decks have one paytable, which has no letter."""
    for decks in range(1, 9):
        text = TABLE.replace("decks = 6", f"decks = {decks}")
        refused = [(one.where, one.clause) for one in judge(text, "table")[1]]
        fits = {1: [], 6: [], 8: [], 4: [(f"wagers.{KEY}.paytable", "633c.13(h)")]}
        assert refused == fits.get(decks, [(f"wagers.{KEY}", "633c.13(h)")]), decks
    plain = TABLE.replace('paytable = "A"\n', "")
    assert judge(plain.replace("= 6", "= 4"), "table")[1] == []
    assert [one.clause for one in judge(plain, "table")[1]] == ["633c.13(h)"]


def test_the_layout_has_an_area_and_the_payouts_with_the_chosen_bonus() -> None:
    """633c.13(b)."""
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.13(b)"] == "for each player an area for the Buster Blackjack Wager"
    (shown,) = [need for need in needs(parse(f"{TABLE}bonus_b2 = true\n")) if "Buster" in need.what and need.payouts]
    assert shown.payouts[-2:] == (
        ("Bonus Pay B2, dealer busts with: Eight or more cards", "$5,000"),
        ("Bonus Pay B2, dealer busts with: Seven cards", "$1,000"),
    )
    assert len(shown.payouts) == 8


@pytest.mark.clause("633c.13(a)#1", "633c.13(d)#2")
def test_it_lies_beside_a_main_wager_within_the_limits_of_the_table() -> None:
    verify_stakes(rules_for(KEY), [Stake(1, 10_00, {KEY: 100_00})])
    for rules, wager, side, clause in (
        (rules_for("hit_and_run"), 10_00, 5_00, "633a.6(e)"),
        (rules_for(KEY), 10_00, 100_50, "633a.6(e)"),
        (rules_for(KEY), 0, 5_00, "633a.6(e)"),
    ):
        with pytest.raises(RuleError) as refused:
            verify_stakes(rules, [Stake(1, wager, {KEY: side})])
        assert refused.value.clause == clause


# ------------------------------------------------------------------------------------------ the dealer's draw (T87)
@pytest.mark.clause("633c.13(e)", "633c.13(f)")
@pytest.mark.parametrize(
    ("dealt", "decisions"),
    [("Kc 6h Ad Ks", ""), ("Kc 6h 6d Ks Jh", "1:hit"), ("Kc 6h 5d Ks", "1:surrender"), ("Kc 6h 5d Ks", "1:stand")],
)
def test_the_dealer_draws_for_a_live_wager_whatever_became_of_the_player(dealt: str, decisions: str) -> None:
    rules = rules_for(KEY)
    round_ = played(rules, BET, f"{dealt} 9c", decisions)
    assert names(round_.dealer) == "6♥ K♠ 9♣"
    (found,) = [one for one in settle(round_, rules).lines if one.wager == KEY]
    assert (found.outcome, found.won, found.clause, found.stage) == (
        *("three_cards", 10_00, "633c.13(h)"),
        Stage.AFTER_ALL,
    )


@pytest.mark.clause("633c.13(f)")
def test_a_dealer_who_stops_is_named_by_the_wager_s_own_clause() -> None:
    """The general setting of 633a.7(n) does not speak of this wager, whose section has a word of its own."""
    for rules in (rules_for(KEY), rules_for(KEY, draw_for_side_wagers=False)):
        with pytest.raises(RuleError, match="must draw, and no card is left") as refused:
            played(rules, BET, "Kc 6h Ad Ks", "")
        assert refused.value.clause == "633c.13(f)"
        with pytest.raises(RuleError, match="stopped at 16, and Buster Blackjack waits") as refused:
            settle(played("blackjack", "1=10", "Kc 6h Ad Ks", "")._replace(boxes=(box_of("AD KC", {KEY: "5"}),)), rules)
        assert refused.value.clause == "633c.13(f)"
    with pytest.raises(RuleError) as refused:
        played(rules_for(KEY), f"{BET} 2=10", "Kc 9c 6h Ad 8d Ks", "2:stand")
    assert refused.value.clause == "633a.7(m)"  # another hand waits for him


@pytest.mark.clause("633c.13(f)", "633c.13(g)")
def test_a_house_may_read_that_633a_7_n_still_stops_him() -> None:
    literal = rules_for(KEY, buster_blackjack_dealer="stops")
    round_ = played(literal, BET, "Kc 6h Ad Ks", "")
    assert names(round_.dealer) == "6♥ K♠"
    (found,) = [one for one in settle(round_, literal).lines if one.wager == KEY]
    assert (found.outcome, found.net, found.clause) == ("lost", -5_00, "633c.13(g)")


@pytest.mark.clause("633c.13(g)")
def test_a_dealer_blackjack_loses_at_once() -> None:
    """T90."""
    for cards, held in (("AC KD", "10D 9C"), ("KD AC", "AS KS")):
        found = one_line(KEY, held, cards)
        assert (found.net, found.clause, found.stage) == (-5_00, "633c.13(g)", Stage.AFTER_READER)


# ------------------------------------------------------------------------------------------------ the cash bonus
def bonus_lines(held: str = "AS KS", dealer: str = SEVEN, staked: str = "5.00", **more: Any) -> list[Line]:
    choice = more.pop("bonus", "beside")
    rules = rules_for(KEY, buster_blackjack_bonus=choice, **more)
    return lines_of(rules, dealer, box_of(held, {KEY: staked}))


@pytest.mark.clause("633c.13(i)#1")
def test_the_bonus_is_paid_on_top_of_the_odds_unless_the_house_reads_in_their_place() -> None:
    """T91."""
    wager, pay = bonus_lines()
    assert (wager.won, wager.returned, pay.won, pay.staked, pay.clause) == (250_00, 5_00, 1_000_00, 0, "633c.13(i)")
    assert pay.source == "tray" and pay.wager == "bonus_b1"
    wager, pay = bonus_lines(bonus="instead")
    assert (wager.won, wager.returned, pay.won) == (0, 5_00, 1_000_00)
    assert "Bonus Pay B1 is paid in its place (633c.13(i))" in wager.words
    (wager,) = bonus_lines("AS 9S", bonus="instead")
    assert wager.won == 250_00


@pytest.mark.clause("633c.13(i)#1")
def test_the_bonus_needs_a_blackjack_five_dollars_and_seven_cards() -> None:
    for changes in ({"held": "AS 9S"}, {"staked": "4.50"}, {"dealer": "2S 2D 3H 4C 5D 9S"}, {"options": ()}):
        assert len(bonus_lines(**changes)) == 1, changes
    rules = rules_for(KEY)
    split = played(rules, f"1=10+{KEY}=5", "As 2h Ad 2s Kc Kd 2d 3c 3d 4s Kh", "1:split")
    assert [one.wager for one in settle(split, rules).lines if one.wager not in ("main", KEY)] == []  # T12


@pytest.mark.clause("633c.13(i)#1")
def test_the_house_offers_one_of_the_two_bonuses() -> None:
    for more in ("", "bonus_b1 = true\n", "bonus_b2 = true\n"):
        assert judge(TABLE + more, "table")[1] == []
    (refused,) = judge(f"{TABLE}bonus_b1 = true\nbonus_b2 = true\n", "table")[1]
    assert (refused.where, refused.clause) == (f"wagers.{KEY}.bonus_b2", "633c.13(i)")


# ---------------------------------------------------------------------------------------------- the table record
def bust_player(*drawn: str) -> Short:
    """The player goes over 21 against 7♣ 8♥, and the dealer draws these cards."""
    s = Short()
    s.start(1)
    s.opening({1: "KC"}, "7C", {1: "6D"}, "8H")
    s.give(1, "9H", Role.DRAW)
    s.end_hand(1, HandEnd.BUST)
    s.reveal()
    for card in drawn:
        s.card(Role.DEALER_DRAW, 0, card)
    s.close(15 + 9 * len(drawn))
    return s


def record_of(s: Short, *events: dict[str, Any], **side: str) -> list[tuple[str, str]]:
    told = line(1, seat(1, "hit", side=side), events=list(events)) if events else line(1, seat(1, "hit", side=side))
    return [(one.clause, one.check) for one in findings(s, [told], rules_for(KEY))]


@pytest.mark.clause("633c.13(f)")
def test_a_record_shows_whether_the_dealer_drew_for_the_wager() -> None:
    """The shoe sees no wagers: it gives him the card that he takes, and only a record tells that one was owed."""
    live = {KEY: "5.00"}
    assert record_of(bust_player("9D"), **live) == []
    assert record_of(bust_player(), **live) == [("633c.13(f)", reg.BY_THE_RULES)]
    assert record_of(bust_player("9D")) == [("633a.7(n)", reg.BY_THE_RULES)]
    assert record_of(bust_player()) == []


@pytest.mark.clause("633c.13(d)#1", "633c.13(h)#1")
def test_a_record_is_held_against_the_close_of_bets_and_the_last_card() -> None:
    def judged(*events: dict[str, Any]) -> list[tuple[str, str]]:
        s = Short()
        usual_round(s)
        s.end()
        seats = seat(1, "stand", side={KEY: "5.00"}), seat(2, "stand")
        found = findings(s, [line(1, *seats, events=list(events))], rules_for(KEY))
        return [(one.clause, one.check) for one in found if "Buster" in one.sentence]

    closed, placed = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    paid = event("settled", 1, KEY, after_card=6)
    assert judged(placed, closed, paid) == []
    assert judged(closed, placed, paid) == [("633a.6(c) timing", reg.CLOSED)]
    assert judged(placed, closed, event("settled", 1, KEY, after_card=5)) == [("633a.7(o)", reg.LATE)]
