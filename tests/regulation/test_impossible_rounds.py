"""Rounds that cannot have been: refused with the clause and one line that names position, hand or card."""

from __future__ import annotations

import pytest
from playing import cards, clauses, decisions, played, refused, stakes, table
from shoetool.deal import Decision, Irregularity, RuleError, Stake, play
from shoetool.model.errors import ShoetoolError


def test_a_refusal_is_bad_input_with_exit_code_2() -> None:
    with pytest.raises(ShoetoolError) as caught:
        played("blackjack", "1=10", "2c 7h 8d Ks", "1:double=11")
    assert isinstance(caught.value, RuleError) and caught.value.exit_code == 2
    assert str(caught.value) == "position 1 (2♣ 8♦, 10): a double of $11.00 on a wager of $10.00 (633a.10(a))"


TITLE = "Lucky Ladies Twenty Point Bonus"


@pytest.mark.clause("633a.3(a)")
def test_a_second_ace_of_spades_of_one_deck_is_refused() -> None:
    with refused("633a.3(a)", "card 4 is the A♠ for the second time", "1 deck"):
        played(table("blackjack", decks=1), "1=10", "As 9h Kd As", "")
    assert played(table("blackjack", decks=2), "1=10", "As 9h Kd As", "").decks == 2


@clauses(blackjack="633a.3(a)", free_bet="590.3(a)", spanish_21="635a.3(a) composition")
def test_a_card_may_come_once_for_each_deck(game: str, clause: str) -> None:
    six = "2s 2s 9h 2s 2s Kd 2s 2s"
    assert played(game, "1=10 2=10", six, "1:hit 1:hit 1:stand 2:stand").decks == 6
    with refused(clause, "card 9 is the 2♠ for the seventh time", "6 decks"):
        played(game, "1=10 2=10", f"{six} 2s", "1:hit 1:hit 1:hit 1:stand 2:stand")


@pytest.mark.clause("633a.12(b)(1)", "633a.3(a)")
@pytest.mark.parametrize(
    ("drawn", "chosen", "at"),
    [("?? 2s 7h 2s Ks 2s", "1:hit 1:stand", 6), ("?? 2s 7h 2s 7h 7h", "1:stand", 6)],
    ids=["nothing else came twice", "few faces"],
)
def test_two_decks_hold_no_third_copy_whatever_else_came(drawn: str, chosen: str, at: int) -> None:
    with refused("633a.3(a)", f"card {at} is the", "for the third time", "2 decks"):
        played("from_the_hand", "1=10", drawn, chosen)


@pytest.mark.clause("633a.3(c) decks")
def test_one_side_of_a_double_shoe_has_half_the_decks() -> None:
    double = table("blackjack", shoe="double", decks=2, red_side="A")
    with refused("633a.3(a)", "A♠ for the second time", "the side in use has 1 deck"):
        played(double, "1=10", "As 9h Kd As", "")
    aside = played(double, "1=10", "As As 9h Kd 8c", "", determinant_from="A")
    assert aside.boxes[0].initial == ((39, 25),)


@pytest.mark.clause("635a.3(a) composition")
def test_a_ten_in_spanish_21_is_refused() -> None:
    with refused("635a.3(a) composition", "card 3 is the 10♦", "no 10s"):
        played("spanish_21", "1=10", "2c 7h 10d Ks", "1:stand")


@pytest.mark.parametrize("name", ["??", "cover"])
def test_a_hand_needs_known_playing_cards(name: str) -> None:
    ids = [1, 52 if name == "cover" else 63, 20, 50]
    with refused("633a.7(f)(2)", "card 2, for the dealer"):
        play(table("blackjack"), stakes("1=10"), ids, decisions("1:stand"))
    for bad in (-1, 99):
        with pytest.raises(RuleError):
            play(table("blackjack"), stakes("1=10"), [1, bad, 20, 50], decisions("1:stand"))
    with refused("633a.7(k)", "card 5, for position 1"):
        play(table("blackjack"), stakes("1=10"), [1, 33, 20, 50, ids[1]], decisions("1:hit 1:stand"))


@clauses(blackjack="633a.7(k)", free_bet="590.7(j)", spanish_21="635a.7(j)")
def test_a_drawn_card_that_is_missing_is_refused(game: str, clause: str) -> None:
    with refused(clause, "position 1 (2♣ 8♦, 10) needs a card", "none is left of the 4"):
        played(game, "1=10", "2c 7h 8d Ks", "1:hit 1:stand")


@clauses(blackjack="633a.6(d)", free_bet="590.6(d)", spanish_21="635a.6(d)")
def test_nobody_plays_without_a_main_wager(game: str, clause: str) -> None:
    with refused(clause, "no round is dealt"):
        played(game, "", "2c 7h 8d Ks", "")
    with refused(clause, "position 1: no"):
        played(game, "1=0", "2c 7h 8d Ks", "1:stand")
    with refused(clause, "position 4 has no", "takes no part"):
        played(game, "1=10", "2c 7h 8d Ks", "4:stand")


@pytest.mark.clause("633a.6(e)")
def test_an_optional_wager_needs_a_main_wager_and_must_be_offered() -> None:
    offering = table("blackjack", "lucky_ladies")
    with refused("633a.6(e)", f"position 1: {TITLE} without a Blackjack Wager"):
        played(offering, "1=0+lucky_ladies=5", "2c 7h 8d Ks", "1:stand")
    with refused("633a.6(e)", "King's Bounty is not offered", f"offered: {TITLE}"):
        played(offering, "1=10+kings_bounty=5", "2c 7h 8d Ks", "1:stand")
    with refused("633a.6(e)", f"position 1: {TITLE} of $0.50", "$1.00 to $100.00"):
        played(offering, "1=10+lucky_ladies=0.5", "2c 7h 8d Ks", "1:stand")
    with refused("633a.6(e)", "$100.01"):
        played(offering, "1=10+lucky_ladies=100.01", "2c 7h 8d Ks", "1:stand")


@clauses(free_bet="590.6(e)", spanish_21="635a.6(e)")
def test_wagers_of_other_chapters_are_not_offered(game: str, clause: str) -> None:
    with refused(clause, f"{TITLE} is not offered", "offered: none"):
        played(game, "1=10+lucky_ladies=5", "2c 7h 8d Ks", "1:stand")


def test_a_main_wager_outside_the_tables_limits_is_refused() -> None:
    for amount in ("4.99", "1000.01"):
        with refused("633a.6(d)", f"${amount}" if len(amount) < 6 else "$1,000.01", "$5.00 to $1,000.00"):
            played("blackjack", f"1={amount}", "2c 7h 8d Ks", "1:stand")


@clauses(blackjack="633a.2(a)", free_bet="590.2(a)", spanish_21="635a.2(a)")
def test_a_position_that_the_table_does_not_have_or_twice_is_refused(game: str, clause: str) -> None:
    most = 6 if game == "free_bet" else 7
    for position in (0, most + 1, -1):
        with refused(clause, f"position {position}", f"1 to {most}"):
            play(table(game), [Stake(position, 1000)], cards("2c 7h 8d Ks"), [])
    with refused(clause, "position 3 is named twice"):
        played(game, "3=10 3=10", "2c 7h 8d Ks", "")
    with refused(clause, "1 to 5"):
        played(table(game, positions=5), "6=10", "2c 7h 8d Ks", "6:stand")


@clauses(blackjack="633a.6(f)", free_bet="590.6(f)", spanish_21="635a.6(f)")
def test_one_player_bets_on_no_more_adjacent_boxes_than_the_table_allows(game: str, clause: str) -> None:
    two = table(game, adjacent_boxes=2)

    def bets(*players: str | None) -> list[Stake]:
        return [Stake(position, 1000, player=player) for position, player in enumerate(players, 1) if player]

    deal = "2c 2d 2h 7h 8d 8c 8h Ks"
    stand = "1:stand 2:stand 3:stand"
    assert len(play(two, bets("ann", "ann", "bob"), cards(deal), decisions(stand)).boxes) == 3
    apart = decisions("1:stand 2:stand 4:stand")
    assert len(play(two, bets("ann", "ann", None, "ann"), cards(deal), apart).boxes) == 3
    with refused(clause, "position 3", "ann bets on 3 adjacent boxes"):
        play(two, bets("ann", "ann", "ann"), cards(deal), decisions(stand))
    most = two.positions
    with refused(clause, f"position {most}", "ann bets on 3 adjacent boxes"):
        play(two, bets(*[None] * (most - 3), "ann", "ann", "ann"), cards(deal), [])


@pytest.mark.clause("633a.12(a)(1)")
def test_the_two_wagers_of_switch_are_equal() -> None:
    ids = cards("2c 3c 7h 8d 9d Ks")
    stand = decisions("1:stand 1:stand")
    assert play(table("switch"), [Stake(1, 1000, second=1000)], ids, stand).boxes[0].wager == 1000
    with refused("633a.12(a)(1)", "position 1", "$10.00 and $15.00"):
        play(table("switch"), [Stake(1, 1000, second=1500)], ids, stand)
    with refused("633a.6(d)", "only Blackjack Switch"):
        play(table("blackjack"), [Stake(1, 1000, second=1500)], ids, stand)


@clauses(
    blackjack=("633a.7(i)(2)", "633a.6(c) timing"),
    free_bet=("590.7(h)(2)", "590.6(c)"),
    spanish_21=("635a.7(h)(2)", "635a.6(c)"),
)
def test_a_hand_that_is_done_decides_nothing_more(game: str, clause: str) -> None:
    with refused(clause, "position 1 (2♣ 8♦, 10) has stood already: no card"):
        played(game, "1=10", "2c 7h 8d Ks 3c", "1:stand 1:hit")
    with refused(clause, "was surrendered: no stand"):
        played(game, "1=10", "2c 7h 8d Ks", "1:surrender 1:stand")


def test_stakes_may_come_in_any_order_and_the_round_is_the_same() -> None:
    drawn = "2c 3c 7h 8d 9d Ks"
    chosen = "1:stand 4:stand"
    assert played("blackjack", "4=20 1=10", drawn, chosen) == played("blackjack", "1=10 4=20", drawn, chosen)


def test_an_irregularity_that_is_none_of_the_chapters_is_refused() -> None:
    with pytest.raises(RuleError) as caught:
        played("free_bet", "1=10", "2c 7h 8d Ks", "1:stand", Irregularity("wrong_side"))
    assert caught.value.clause == "590.13"
    with refused("633a.7(i)(2)", "'dance' is not a decision"):
        play(table("blackjack"), stakes("1=10"), cards("2c 7h 8d Ks"), [Decision(1, None, "dance")])
