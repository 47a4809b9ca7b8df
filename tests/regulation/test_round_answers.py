"""Rounds as an analyst writes them from ROUND_FORMAT.md alone, settled by hand beside the tool.

The comments count the hands; no expected figure was taken from the program.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from shoetool.deal import Decision, RuleError, Stake, decide, open_round
from shoetool.model.cards import parse_card
from shoetool.model.errors import BadInput
from shoetool.round_file.file import parse
from shoetool.round_file.play import play_entry
from shoetool.rules.round import Line
from shoetool.rules.submission.file import example, from_values, problems
from shoetool.rules.submission.file import parse as parse_rules
from shoetool.settle.engine import settle


def settled(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> list[Line]:
    """The lines of a round file with these cards; `table` is an example's name or the settings."""
    document = {"format": "shoetool-round/1", "cards": cards.split(), "positions": list(positions), **more}
    (entry,) = parse(json.dumps(document), "r.json")
    rules = parse_rules(example(table)) if isinstance(table, str) else from_values(table, "table")
    return list(settle(play_entry(entry, rules), rules).lines)


def nets(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> dict[int, int]:
    """By position, by how many cents its player is better off."""
    found: dict[int, int] = {}
    for line in settled(table, cards, *positions, **more):
        if line.position is not None:
            found[line.position] = found.get(line.position, 0) + line.won + line.returned - line.staked
    return found


def seat(position: int, wager: str, *decisions: Any, **more: Any) -> dict[str, Any]:
    return {"position": position, "wager": wager, "decisions": list(decisions), **more}


def refused(table: str | dict[str, Any], cards: str, *positions: dict[str, Any], **more: Any) -> str:
    """The one line with which the round is refused."""
    with pytest.raises(BadInput) as caught:
        settled(table, cards, *positions, **more)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.clause("633a.14(i)", "633a.7(k)")
def test_a_missed_hit_takes_no_card_of_the_players_after_it() -> None:
    # 1: 10♥ 6♦ = 16, his hit is missed; 2: 9♥ 3♦ = 12, draws 9♣ = 21. Then the late 4♠ makes 20, and he stands.
    # Dealer 10♠ 7♦ = 17. Both win. With the cards taken in turn 1 would have 25, and lose.
    won = nets(
        "blackjack",
        "10♥ 9♥ 10♠ 6♦ 3♦ 7♦ 9♣ 4♠",
        seat(1, "25.00", "hit", "late_card", "stand"),
        seat(2, "40.00", "hit"),
    )
    assert won == {1: 25_00, 2: 40_00}


@pytest.mark.clause("633a.14(i)")
def test_a_late_card_without_the_hit_that_was_missed_is_refused_with_what_to_write() -> None:
    for word in ("late_card", "dead_hand"):
        text = refused("blackjack", "10♥ 10♠ 6♦ 7♦ 5♣", seat(1, "25.00", word))
        assert "$.positions[0].decisions[0]" in text and 'write "hit" before it' in text
        assert 'write "hit"' in refused("blackjack", "10♥ 10♠ 6♦ 7♦ 5♣", seat(1, "25.00", "hit", "stand", word))


@pytest.mark.clause("633a.14(i)")
def test_a_card_that_was_served_and_one_that_was_missed_are_two_hits() -> None:
    # 2♥ 3♦, served 4♣ = 9, missed, late 5♣ = 14, then 6♠ = 20; dealer 10♠ 9♦.
    cards = "2♥ 10♠ 3♦ 9♦ 4♣ 5♣ 6♠"
    assert nets("blackjack", cards, seat(1, "15", "hit", "hit", "late_card", "hit", "stand")) == {1: 15_00}
    assert nets("blackjack", "2♥ 10♠ 3♦ 9♦ 4♣", seat(1, "15", "hit", "hit", "dead_hand")) == {1: 0}


@pytest.mark.clause("590.10(a)(1)", "590.10(a)(2)", "590.11(b)(2)")
def test_a_paid_double_or_split_is_never_turned_into_a_free_one_without_a_word() -> None:
    # 6 and 5 are a hard 11, which doubles free; 8 and 8 split free. What was put down must be told by its right word.
    nine = "6♥ 10♠ 5♦ 8♦ 9♣"
    assert "doubles free, write free_double (590.10(a)(2))" in refused("free-bet", nine, seat(1, "15.00", "double"))
    assert nets("free-bet", nine, seat(1, "15.00", "free_double")) == {1: 30_00}
    pair = "8♥ 10♠ 8♦ 8♣ 10♥ K♥"
    assert "8s splits free, write free_split" in refused("free-bet", pair, seat(1, "15", "split", "stand", "stand"))
    # Two 18s against 18: both push.
    assert nets("free-bet", pair, seat(1, "15", "free_split", "stand", "stand")) == {1: 0}
    # A ten-count pair takes an equal wager; soft 9 and a hard 12 double with one.
    tens = "10♥ 10♠ K♦ 7♣ 9♥ 8♥"
    assert nets("free-bet", tens, seat(1, "15", "split", "stand", "stand")) == {1: 30_00}


@pytest.mark.clause("633a.7(f)")
def test_positions_out_of_order_are_refused() -> None:
    cards = "10♥ 9♥ 10♠ 9♦ 9♣ 7♦"
    assert nets("blackjack", cards, seat(1, "15", "stand"), seat(5, "15", "stand")) == {1: 15_00, 5: 15_00}
    text = refused("blackjack", cards, seat(5, "15", "stand"), seat(1, "15", "stand"))
    assert "position 1 stands after position 5; write positions once each, ascending" in text
    assert "position 1 stands twice" in refused("blackjack", cards, seat(1, "15"), seat(1, "15"))


@pytest.mark.clause("633a.13(j)(2)", "633a.13(l)(2)", "633a.13(m)(2)")
def test_a_meter_below_what_it_starts_with_is_refused_unless_a_part_of_it_can_be_won() -> None:
    table = {"game": "blackjack", "decks": 6, "wagers": {}}
    for key, least in (("bad_beat", 5000), ("hit_and_run", 1000), ("straight_jack", 5000)):
        table["wagers"][key] = {"meter": {"start": least, "reset": least + 500, "rate": "10%"}}
    cards = "10♥ 9♠ 9♦ 8♦"
    for key, low in (("bad_beat", "4999.99"), ("hit_and_run", "999.99")):
        text = refused(table, cards, seat(1, "15", "stand"), meters={key: low})
        assert f"given as ${float(low):,.2f}" in text and "never stands below" in text and "633a.13(" in text
        assert nets(table, cards, seat(1, "15", "stand"), meters={key: "5000"}) == {1: 15_00}
    assert nets(table, cards, seat(1, "15", "stand"), meters={"straight_jack": "4500"}) == {1: 15_00}
    text = refused("blackjack", cards, seat(1, "15", "stand"), meters={"hit_and_run": "5000"})
    assert "a meter of 'hit_and_run' is given, which this table does not have" in text


@pytest.mark.clause("633a.1 Magic Card bonus", "633a.1 Lucky Player bonus")
def test_a_bonus_that_hangs_on_a_card_nobody_told_is_not_settled_as_lost() -> None:
    table = {"game": "blackjack", "decks": 6, "wagers": {"bad_beat": {"magic_card": True, "lucky_player": True}}}
    table["wagers"]["bad_beat"]["meter"] = {"start": 5000, "reset": 5000, "rate": "10%"}  # type: ignore[index]
    cards, bets = "10♥ 9♠ 9♦ 8♦", seat(1, "15", "stand", side={"bad_beat": "5"})
    text = refused(table, cards, bets, lucky_player=2)
    assert 'write "magic_card": "7♠"' in text and "633a.1 Magic Card bonus" in text
    text = refused(table, cards, bets, magic_card="2♠")
    assert 'write "lucky_player": the position' in text and "633a.1 Lucky Player bonus" in text
    # 19 against 17 wins 15; no 20, so the wager of 5 is lost. Neither bonus is won, then each of them: 20 and 5 for 1.
    assert nets(table, cards, bets, magic_card="2♠", lucky_player=2) == {1: 10_00}
    assert nets(table, cards, bets, magic_card="9♦", lucky_player=2) == {1: 110_00}
    assert nets(table, cards, bets, magic_card="2♠", lucky_player=1) == {1: 35_00}
    assert nets(table, cards, seat(1, "15", "stand")) == {1: 15_00}  # without the wager nobody needs them


@pytest.mark.clause("633a.14(g) one")
def test_which_card_a_hand_missed_is_told_and_not_guessed() -> None:
    # 1 misses its first card: 9♥ goes to 2, 10♠ to the dealer, then 2♥ to 1 and 8♥ to 2, and the late 9♣ to 1.
    cards = "9♥ 10♠ 2♥ 8♥ 9♣ 7♦ K♣"
    one = {"kind": "one_card", "position": 1, "choice": "accept"}
    bets = seat(1, "15", "hit", "stand"), seat(2, "15", "stand")
    text = refused("blackjack", cards, *bets, irregularities=[one])
    assert '"missed" is missing: 1 or 2' in text
    # 2♥ 9♣ K♣ = 21 wins, 9♥ 8♥ = 17 pushes.
    bets = seat(1, "15", "hit"), seat(2, "15", "stand")
    assert nets("blackjack", cards, *bets, irregularities=[{**one, "missed": 1}]) == {1: 15_00, 2: 0}
    for more, words in (
        ({"kind": "one_card", "position": 1, "missed": 1}, '"choice" is missing: one of accept, refuse'),
        ({"kind": "no_cards"}, '"position" is missing'),
        ({"kind": "no_cards", "position": 1, "missed": 1}, "no_cards has no missed; take it out"),
        ({"kind": "face_up", "card": 1, "position": 1}, "face_up has no position; take it out"),
        ({"kind": "dealer_missed"}, '"choice" is missing: one of up, hole'),
        ({"kind": "reader_failed"}, '"choice" is missing'),
        ({"kind": "wrong_side", "hand": 1}, "wrong_side has no hand; take it out"),
    ):
        assert words in refused("blackjack", cards, *bets, irregularities=[more])


SWITCH = {"game": "switch", "decks": 6}
READER = {"game": "blackjack", "decks": 6, "leaking_reader": True, "even_money": True}
READER["wagers"] = {"royal_match_21": {"paytable": "C"}, "match_the_dealer": {}, "house_money": {}}  # type: ignore[assignment]


@pytest.mark.clause("633a.14(j)(1)", "633a.7(g)")
def test_a_reader_that_leaks_returns_live_wagers_only() -> None:
    # K♥ Q♥ against an up 7: the Royal Match was paid 30 to 1 after the deal, Match-the-Dealer was collected then, and
    # the House Money straight flush paid 4 to 1. The main wager is live and goes back.
    side = {"royal_match_21": "2", "match_the_dealer": "5", "house_money": "3"}
    misused = [{"kind": "reader_misused"}]
    cards = "K♥ 7♠ Q♥ 9♦"
    won = nets(READER, cards, seat(1, "15", side=side), irregularities=misused)
    assert won == {1: 60_00 - 5_00 + 12_00}
    lines = settled(READER, cards, seat(1, "15", side=side), irregularities=misused)
    assert [(line.wager, line.outcome, line.clause) for line in lines if line.outcome == "returned"] == [
        ("main", "returned", "633a.14(j)(1)")
    ]
    everything = {**READER, "reader_void_returns": "all"}
    assert nets(everything, cards, seat(1, "15", side=side), irregularities=misused) == {1: 0}


@pytest.mark.clause("633a.14(k)", "633a.7(g)(10)(i)", "633a.8(e)")
def test_what_waits_for_the_reader_is_live_when_it_fails() -> None:
    # An ace is up: the House Money pair and the insurance wait for the reader and go back; the Match-the-Dealer wager
    # was collected after the deal. Position 2 took even money, which was paid before.
    note = [{"kind": "reader_failed", "choice": "voided"}]
    one = seat(1, "20", side={"house_money": "3", "match_the_dealer": "5"}, insurance="10")
    two = seat(2, "20", even_money=True)
    assert nets(READER, "K♥ A♣ A♠ K♦ Q♥ 9♦", one, two, irregularities=note) == {1: -5_00, 2: 20_00}
    # By the other reading everything goes back, the even money too.
    everything = {**READER, "reader_void_returns": "all"}
    assert nets(everything, "K♥ A♣ A♠ K♦ Q♥ 9♦", one, two, irregularities=note) == {1: 0, 2: 0}


@pytest.mark.clause("633a.14(k)", "633a.10(b)", "633a.8(c)")
def test_a_round_played_on_without_a_reader_takes_only_the_first_wager_for_a_blackjack() -> None:
    # 6 and 5, doubled to 21 in three cards; the ace is turned to a Blackjack: 20 are lost, the double goes back, and
    # insurance of 10 wins 20.
    stopped = [{"kind": "reader_failed", "choice": "stopped"}]  # it voided every such round, which no clause says
    assert "'stopped'" in refused("blackjack", "6♥ A♣ 5♥ K♦", seat(1, "20"), irregularities=stopped)
    note = [{"kind": "reader_failed", "choice": "played_on"}]
    bets = seat(1, "20", "double", insurance="10")
    assert nets("blackjack", "6♥ A♣ 5♥ K♦ 10♠", bets, irregularities=note) == {1: -20_00 + 20_00}


@pytest.mark.clause("635a.12(c)(3)")
@pytest.mark.parametrize(
    ("reading", "extra"), [("players", (0, 50, 0)), ("winners_too", (50, 50, 0)), ("boxes", (0, 50, 50))]
)
def test_the_fixed_sum_of_the_others_by_each_reading(reading: str, extra: tuple[int, ...]) -> None:
    # Ann and Cid have three 7s of hearts against a 7, Bob stands on 20 in two boxes. The dealer has 7 and king: 17.
    table = {"game": "spanish_21", "decks": 8, "fixed_sum_others": reading}
    cards = "7♥ K♥ Q♥ 7♥ 7♠ 7♥ Q♦ K♦ 7♥ K♠ 7♥ 7♥"
    bets = (
        seat(1, "25", "hit", player="Ann"),
        seat(2, "25", "stand", player="Bob"),
        seat(3, "25", "stand", player="Bob"),
        seat(4, "25", "hit", player="Cid"),
    )
    won = nets(table, cards, *bets)
    # 2 to 1 for the suited 7s and 5,000 fixed; 20 against 17 pays 25.
    assert won == {
        1: 50_00 + 5000_00 + extra[0] * 100,
        2: 25_00 + (extra[2] if reading == "boxes" else 0) * 100,
        3: 25_00 + extra[1] * 100,
        4: 50_00 + 5000_00 + extra[0] * 100,
    }


@pytest.mark.clause("635a.12(c)(3)")
@pytest.mark.parametrize("reading", ["players", "winners_too", "boxes"])
def test_a_winner_alone_is_no_other_player_by_any_reading(reading: str) -> None:
    # Ann has three 7s of hearts against a 7, Bob stands on 20 beside her. The dealer has 7 and king.
    table = {"game": "spanish_21", "decks": 8, "fixed_sum_others": reading}
    bets = seat(1, "25", "hit", player="Ann"), seat(2, "25", "stand", player="Bob")
    won = nets(table, "7♥ K♥ 7♠ 7♥ Q♦ K♠ 7♥", *bets)
    assert won == {1: 50_00 + 5000_00, 2: 25_00 + 50_00}


@pytest.mark.clause("633a.13(l)(1)", "633a.13(l)(2)")
def test_a_meter_that_is_won_counts_this_round_s_wagers_if_the_table_says_so() -> None:
    # The dealer has eight cards, which win all of the meter. Two bet 5 each at 10%: one dollar of growth.
    table: dict[str, Any] = {"game": "blackjack", "decks": 6, "draw_for_side_wagers": True}
    table["wagers"] = {"hit_and_run": {"meter": {"start": 1000, "reset": 1000, "rate": "10%"}}}
    cards = "10♥ 9♥ 2♠ 10♦ 9♦ 2♦ 2♥ 2♣ 2♠ 2♦ 2♥ 3♣"
    bets = [seat(at, "15", "stand", side={"hit_and_run": "5"}) for at in (1, 2)]
    # The dealer: seven 2s and a 3 are 17 in eight cards. 20 and 18 win 15 each; the meter is shared equally.
    for counts, meter in ((False, 1200_00), (True, 1201_00)):
        won = nets({**table, "meter_counts_round": counts}, cards, *bets, meters={"hit_and_run": "1200"})
        assert won == {1: 15_00 - 5_00 + meter // 2, 2: 15_00 - 5_00 + meter // 2}


@pytest.mark.clause("633a.8(b) amount", "633a.12(a)(1)")
def test_insurance_in_switch_is_half_of_each_wager_or_of_the_initial_one() -> None:
    cards = "10♥ 9♥ A♠ 10♦ 9♦ 7♠"
    bets = seat(1, "20", "stand", "stand", insurance="20")
    # Ace and 7 are 18: 20 and 18 against it, +20, a push; the insurance is lost.
    assert nets(SWITCH, cards, bets) == {1: 20_00 - 20_00}
    one = {**SWITCH, "switch_insurance": "initial"}
    text = refused(one, cards, bets)
    assert "insurance of $20.00; at most $10.00" in text and "633a.8(b) amount" in text
    assert nets(one, cards, seat(1, "20", "stand", "stand", insurance="10")) == {1: 20_00 - 10_00}


@pytest.mark.clause("633a.8(b) amount")
def test_too_much_insurance_in_switch_is_refused_where_it_is_played_and_where_it_is_settled() -> None:
    """A history's round is settled without being played; so each of the two looks."""
    bets = seat(1, "20", "stand", "stand", insurance="20")
    cards = ["10♥", "9♥", "A♠", "10♦", "9♦", "7♠"]
    document = {"format": "shoetool-round/1", "cards": cards, "positions": [bets]}
    (entry,) = parse(json.dumps(document), "r.json")
    one = from_values({**SWITCH, "switch_insurance": "initial"}, "table")
    with pytest.raises(RuleError, match=r"at most \$10\.00"):
        settle(play_entry(entry, from_values(SWITCH, "table")), one)
    with pytest.raises(RuleError, match=r"at most \$10\.00"):
        decide(open_round(one, [Stake(1, 20_00)], map(parse_card, cards)), Decision(1, None, "insurance", 20_00))


@pytest.mark.clause("590.11(c) bust", "590.7(n)(1)")
def test_a_tucked_wager_meets_a_dealer_s_22_by_each_reading() -> None:
    # Eights split free: the left hand goes over 21 and is tucked, the right one stands on 18 and pushes the 22.
    cards = "8♥ 6♠ 8♦ 6♦ 6♥ K♥ 10♦ 10♣"
    bets = seat(1, "15", "free_split", "hit", "stand")
    assert nets("free-bet", cards, bets) == {1: -15_00}
    table = {"game": "free_bet", "decks": 6, "tucked_wager": "returned"}
    assert nets(table, cards, bets) == {1: 0}
    # Against 23 it is lost by both readings, and the lammer of the 18 wins as much.
    cards = "8♥ 6♠ 8♦ 7♦ 6♥ K♥ 10♦ 10♣"
    assert nets(table, cards, bets) == nets("free-bet", cards, bets) == {1: 0}


@pytest.mark.clause("633a.12(a)(2)", "633a.6(e)", "633a.7(g)(1)", "633a.7(o)(1)(i)")
def test_switch_offers_the_other_wagers_where_its_rules_submission_says_so() -> None:
    wagers = {"lucky_ladies": {}, "super_match": {}, "bad_beat": {}}
    wagers["bad_beat"] = {"meter": {"start": 5000, "reset": 5000, "rate": "10%"}}  # type: ignore[dict-item]
    table = {**SWITCH, "switch_side_wagers": "first_hand", "wagers": wagers}
    # First hand 10♥ K♥, a suited 20: 10 to 1. Second hand 5♠ 9♣. The four cards make no pair. The dealer has 7 and 10.
    cards = "10♥ 5♠ 7♠ K♥ 9♣ 10♣"
    side = {"lucky_ladies": "2", "super_match": "3", "bad_beat": "1"}
    # 20 wins 15, 14 loses 15; Lucky Ladies wins 20, Super Match and Bad Beat are lost.
    assert nets(table, cards, seat(1, "15", "stand", "stand", side=side)) == {1: 20_00 - 3_00 - 1_00}
    # After a switch the hands are 10 9 and 5 K: Lucky Ladies was settled before it. 19 wins, 15 loses.
    assert nets(table, cards, seat(1, "15", "switch", "stand", "stand", side=side)) == {1: 20_00 - 3_00 - 1_00}
    found = problems({**SWITCH, "wagers": {"lucky_ladies": {}}})
    assert [(one.where, one.clause) for one in found] == [("wagers.lucky_ladies", "633a.6(e)(1)")]
    assert 'switch_side_wagers = "first_hand"' in found[0].do
    (found,) = problems({**table, "wagers": {"house_money": {}}})
    assert 'switch_side_wagers = "all"' in found.do


ALL = {**SWITCH, "switch_side_wagers": "all", "wagers": {"house_money": {}, "straight_jack": {}}}
ALL["wagers"]["straight_jack"] = {"meter": {"start": 5000, "reset": 5000, "rate": "10%"}}  # type: ignore[index]


@pytest.mark.clause("633a.12(a)(2)", "633a.6(e)(11)", "633a.7(o)(3)(i)", "633a.7(g)(9)")
def test_straight_jack_in_switch_goes_by_the_first_hand_until_it_is_switched() -> None:
    """First hand 4♥ 5♣, second 9♠ K♣, dealer 7 and 10: a two-card straight pays 3 to 1, a three-card one 15 to 1."""
    cards = "4♥ 9♠ 7♠ 5♣ K♣ 10♣"
    bets = {"straight_jack": "1"}
    # 4 5 and a 6: 15 loses 15, 19 wins 15.
    assert nets(ALL, f"{cards} 6♣", seat(1, "15", "hit", "stand", "stand", side=bets)) == {1: 15_00}
    # Switched: 4 K and 9 5. The 6 joins the second hand, 20, and the first hand's sequence is two cards long for good.
    switched = seat(1, "15", "switch", "stand", "hit", "stand", side=bets)
    assert nets(ALL, f"{cards} 6♣", switched) == {1: 3_00}
    # The second hand's cards never count: first hand 9♠ K♣, second 4♥ 5♣.
    assert nets(ALL, "9♠ 4♥ 7♠ K♣ 5♣ 10♣ 6♣", seat(1, "15", "stand", "hit", "stand", side=bets)) == {1: -1_00}


@pytest.mark.clause("633a.12(a)(2)", "633a.7(g)(10)(ii)(A)", "633a.12(a)(1)")
def test_house_money_in_switch_is_paid_out_and_added_to_no_main_wager() -> None:
    cards = "4♥ 9♠ 7♠ 5♥ K♣ 10♣"
    bets = {"house_money": "2"}
    # A two-card straight flush pays 4 to 1 with six decks; 9 loses 15 and 19 wins 15, by two hits to 19: 4 5 K.
    assert nets(ALL, f"{cards} K♠", seat(1, "15", "hit", "stand", "stand", side=bets)) == {1: 8_00 + 30_00}
    text = refused(ALL, f"{cards} K♠", seat(1, "15", {"press": "8"}, "hit", "stand", "stand", side=bets))
    assert "House Money is paid out in Blackjack Switch" in text and "633a.12(a)(1)" in text


@pytest.mark.clause("633a.12(a)(2)", "633a.6(e)(11)")
def test_cards_after_a_split_count_for_no_straight_jack_in_switch() -> None:
    (found,) = problems({**ALL, "straight_jack_split": "each"})
    assert (found.where, found.clause) == ("straight_jack_split", "633a.7(o)(3)(i)")
    # 10♥ J♣ split, and a Q for the first of them; the hands 20, 20 and K♣ 9♠ 19 win 45, the straight 3.
    cards = "10♥ K♣ 7♠ J♣ 9♠ 10♣ Q♣ Q♠"
    assert nets(ALL, cards, seat(1, "15", "split", "stand", "stand", "stand", side={"straight_jack": "1"})) == {
        1: 48_00
    }
