"""Bad Beat with its bonuses, Hit and Run and Straight Jack: what wins, and when."""

from __future__ import annotations

import pytest
from playing import played
from shoetool.model.cards import card_name, parse_card
from shoetool.rules.round import Stage
from shoetool.rules.submission.rules import WagerOffer
from shoetool.rules.wagers.straight_jack import run_length
from shoetool.settle.engine import settle
from wager_table import box_of, cards, hand_of, lines_of, one_line, rules_for
from wagers_offered import offering

DEALER_21 = [
    ("6C 8D 7S", "dealer_21_three_cards"),
    ("2C 4D 8S 7S", "dealer_21_four_cards"),
    ("2C 4D 3S 7S 5D", "dealer_21_five_cards"),
    ("2C 2D 3S 4S 4D 6C", "dealer_21_six_cards"),
    ("AC 4D KS 2S AD 3C", "dealer_21_six_cards"),
]


def bad_beat(held: str, dealer: str, **more: object) -> str:
    """The outcome without the optional row for any 20."""
    rules = offering(rules_for("bad_beat"), bad_beat=WagerOffer())
    return lines_of(rules, dealer, box_of(held, {"bad_beat": "5.00"}, **more))[0].outcome  # type: ignore[arg-type]


@pytest.mark.clause("633a.6(e)(8)", "633a.7(o)(1)(i)", "633a.13(j)(1)")
@pytest.mark.parametrize(("dealer", "outcome"), DEALER_21)
def test_a_20_beaten_by_a_dealers_21_wins_by_the_dealers_number_of_cards(dealer: str, outcome: str) -> None:
    assert bad_beat("KC QS", dealer) == outcome
    assert bad_beat("KC 9S", dealer) == "lost"
    assert bad_beat("KC AS", dealer) == "lost"


def test_any_number_of_cards_makes_the_20() -> None:
    """Reading 22."""
    assert bad_beat("5C 5S", "6C 8D 7S", drawn="6C 4D") == "dealer_21_three_cards"
    assert bad_beat("AC 4S", "6C 8D 7S", drawn="5C") == "dealer_21_three_cards"
    assert bad_beat("AC 9S", "6C 8D 7S", drawn="KC") == "dealer_21_three_cards"


@pytest.mark.clause("633a.7(o)(1)(i)")
def test_the_row_for_any_20_pays_only_if_it_was_selected_and_no_dealer_row_does() -> None:
    assert bad_beat("KC QS", "KC 9S") == "lost"
    assert one_line("bad_beat", "KC QS", "KC 9S").outcome == "player_20"
    assert one_line("bad_beat", "KC QS", "KC QD").outcome == "player_20"
    assert one_line("bad_beat", "KC QS", "6C 8D 7S").outcome == "dealer_21_three_cards"


@pytest.mark.clause("633a.7(h) result")
def test_at_a_dealer_blackjack_bad_beat_and_hit_and_run_settle_with_the_main_wager() -> None:
    for wager in ("bad_beat", "hit_and_run"):
        line = one_line(wager, "KC QS", "AC KD")
        assert (line.outcome, line.stage, line.clause) == (
            "dealer_blackjack",
            Stage.AFTER_READER,
            "633a.7(h) result",
        )
        lost = one_line(wager, "KC QS", "AC 6D")
        assert lost.stage is Stage.AFTER_ALL


@pytest.mark.clause("633a.7(o)", "633a.7(o)(1)(i)", "633a.7(o)(2)(i)", "633a.7(o)(3)(i)")
def test_remaining_wagers_settle_after_all_cards_from_the_dealers_right() -> None:
    rules = rules_for("bad_beat", "hit_and_run", "straight_jack")
    side = {"straight_jack": "5.00", "hit_and_run": "5.00", "bad_beat": "5.00"}
    lines = lines_of(rules, "KC 9S", *(box_of("7C 8S", side, place) for place in (1, 4, 7)))
    assert {line.stage for line in lines} == {Stage.AFTER_ALL}
    assert [line.position for line in lines] == [7, 7, 7, 4, 4, 4, 1, 1, 1]
    assert [line.wager for line in lines[:3]] == ["straight_jack", "bad_beat", "hit_and_run"]


def test_after_a_split_any_hand_may_have_the_20() -> None:
    """Reading 22, and its alternative: the first hand only."""
    hands = (hand_of("KC 5S", 1, from_split=True), hand_of("QS KD", 2, from_split=True))
    for setting, outcome in (("any", "dealer_21_three_cards"), ("first", "lost")):
        line = one_line("bad_beat", "KC QS", "6C 8D 7S", hands=hands, bad_beat_split=setting, decks=6)
        assert line.outcome == outcome


@pytest.mark.parametrize("end", ["surrendered", "dead"])
def test_a_hand_that_never_reaches_settlement_has_no_20(end: str) -> None:
    """Reading 22."""
    assert one_line("bad_beat", "KC QS", "6C 8D 7S", hands=(hand_of("KC QS", end=end),)).outcome == "lost"


@pytest.mark.clause("633a.1 Magic Card bonus")
@pytest.mark.parametrize(
    ("magic", "setting", "won"),
    [("QS", "card", True), ("KC", "card", True), ("QC", "card", False), ("QC", "rank", True), ("5C", "rank", False)],
)
def test_the_magic_card_matches_one_of_the_first_two_cards(magic: str, setting: str, won: bool) -> None:
    """Reading 23: by rank and suit, or by rank."""
    rules = rules_for("bad_beat", magic_card_match=setting)
    box = box_of("KC QS", {"bad_beat": "5.00"}, drawn="AH")
    lines = lines_of(rules, "KC 9S", box, magic_card=parse_card(magic))
    assert [line.wager for line in lines] == ["bad_beat", "magic_card"][: 1 + won]
    if won:
        bonus = lines[1]
        assert (bonus.staked, bonus.won, bonus.source) == (0, 100_00, "house")


def test_any_card_of_the_deck_may_be_the_magic_card() -> None:
    rules = rules_for("bad_beat")
    for magic in range(52):
        dealt = played(rules, "1=25+bad_beat=1", f"{card_name(magic)} 9h 5c 8d", "1:stand")
        settled = settle(dealt._replace(magic_card=magic, meters={"bad_beat": 5_000_00}), rules)
        assert [line.won for line in settled.lines if line.wager == "magic_card"] == [20_00], card_name(magic)


def test_a_drawn_card_is_no_magic_card() -> None:
    """633a.1 Magic Card bonus: one of the first two cards."""
    box = box_of("5C QS", {"bad_beat": "5.00"}, drawn="2H")
    assert len(lines_of(rules_for("bad_beat"), "KC 9S", box, magic_card=parse_card("2H"))) == 1


@pytest.mark.clause("633a.1 Lucky Player bonus")
def test_the_lucky_player_sits_where_the_system_picked_and_has_bet() -> None:
    rules = rules_for("bad_beat", "lucky_ladies")
    boxes = [
        box_of("5C 9S", {"bad_beat": "2.00"}, 2),
        box_of("5C 9S", {"bad_beat": "5.00"}, 4),
        box_of("5C 9S", {"lucky_ladies": "5.00"}, 6),
    ]
    for picked, won in ((4, 25_00), (2, 10_00), (6, 0), (7, 0), (None, 0)):
        lines = lines_of(rules, "KC 9S", *boxes, lucky_player=picked)
        bonuses = [line for line in lines if line.wager == "lucky_player"]
        assert sum(line.won for line in bonuses) == won
        assert {line.position for line in bonuses} <= {picked}


def test_bonuses_are_paid_only_where_they_are_offered() -> None:
    """633a.13(j)(1): both are optional."""
    rules = offering(rules_for("bad_beat"), bad_beat=WagerOffer(options=frozenset({"magic_card"})))
    box = box_of("5C 9S", {"bad_beat": "5.00"})
    lines = lines_of(rules, "KC 9S", box, lucky_player=3, magic_card=parse_card("9S"))
    assert [line.wager for line in lines] == ["bad_beat", "magic_card"]


@pytest.mark.clause("633a.7(o)(2)(i)")
def test_the_card_that_busts_the_dealer_counts_as_his_sixth() -> None:
    """The example of the text: 14 with five cards, and a sixth that makes 23."""
    line = one_line("hit_and_run", "KC 9S", "2C 2D 3S 4S 3D 9C", "1.00")
    assert (line.outcome, line.won, line.net, line.stage) == ("six_cards", 25_00, 24_00, Stage.AFTER_ALL)


@pytest.mark.clause("633a.6(e)(10)", "633a.7(o)(2)(i)", "633a.13(l)(1)")
@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [
        ("AC QD", "dealer_blackjack"),
        ("QC AD", "dealer_blackjack"),
        ("2C 4D 8S 7S", "lost"),
        ("2C KD 4S 5S", "lost"),
        ("2C 4D 3S 7S 2D", "five_cards"),
        ("2C 4D 3S 7S 9D", "five_cards"),
        ("2C 2D 2S 3S 3D 4H 5C", "seven_cards"),
        ("2C 2D 2S 2H 2C 3S 3D 5C", "eight_or_more_cards"),
        ("2C 2D 2S 2H 2C 2S 2D 2H 7C", "eight_or_more_cards"),
        ("6C 5D KS", "lost"),
    ],
)
def test_hit_and_run_counts_the_dealers_cards(dealer: str, outcome: str) -> None:
    assert one_line("hit_and_run", "KC 9S", dealer, meters={"hit_and_run": "1000.00"}).outcome == outcome


def test_a_card_the_dealer_drew_in_error_does_not_count() -> None:
    """Reading 20, 633a.14(d): it goes to the rack."""
    line = one_line("hit_and_run", "KC 9S", "2C 4D 8S 3S", draws_discarded=cards("4D"))
    assert line.outcome == "lost"


@pytest.mark.clause(
    "633a.7(o)(3)(i)(A)", "633a.7(o)(3)(i)(B)", "633a.7(o)(3)(i)(C)", "633a.7(o)(3)(i)(D)", "633a.7(o)(3)(i)"
)
@pytest.mark.parametrize(
    ("letter", "held", "drawn", "outcome", "won"),
    [
        ("A", "4C 5D", "6H", "three_card_straight", 15_00),
        ("B", "4C 5D", "3H 6H", "four_card_straight", 50_00),
        ("C", "4C 5D", "2H 3H", "two_card_straight", 3_00),
        ("D", "4C 5D", "6H 7H", "three_card_straight", 15_00),
    ],
)
def test_the_four_draws_of_the_text(letter: str, held: str, drawn: str, outcome: str, won: int) -> None:
    line = one_line("straight_jack", held, "KC 9S", "1.00", drawn=drawn)
    assert (line.outcome, line.won) == (outcome, won), letter


@pytest.mark.clause("633a.6(e)(11)", "633a.7(g)(9)")
def test_straight_jack_without_a_two_card_straight_is_collected_after_the_deal() -> None:
    line = one_line("straight_jack", "4C 6D", "KC 9S", drawn="5H")
    assert (line.outcome, line.stage, line.clause) == ("lost", Stage.AFTER_DEAL, "633a.7(g)(9)")
    assert one_line("straight_jack", "4C 5D", "KC 9S").stage is Stage.AFTER_ALL


@pytest.mark.clause("633a.7(o)(3)(i)", "633a.13(m)(1)")
@pytest.mark.parametrize(
    ("held", "length"),
    [
        ("AC KD", 2),
        ("AC 2D", 2),
        ("KC QD", 2),
        ("QC AD", 0),
        ("KC 2D", 0),
        ("7C 7D", 0),
        ("QC KD AH", 3),
        ("KC AD QH", 3),
        ("KC AD JH", 2),
        ("KC AD 2H", 2),
        ("AC 2D KH", 2),
        ("AC 2D 3H 4C", 4),
        ("2C 3D AH 4C", 4),
        ("2C 3D AH KC", 3),
        ("2C 3D 4H 5C", 4),
        ("3C 4D 5H 6C", 4),
        ("4C 5D 6H 7C", 3),
        ("AC 2D 3H 4C 5D", 5),
        ("2C 3D 4H 5C 6D", 5),
        ("3C 2D 4H AC 5D", 5),
        ("AC 2D 3H 4C 5D 6S", 6),
        ("6C 5D 4H 3C 2D AS", 6),
        ("10C JD", 2),
        ("4C 5D 5H 6C", 2),
        ("4C 5D 6H 6C", 3),
    ],
)
def test_the_sequence_grows_at_either_end_until_a_card_breaks_it(held: str, length: int) -> None:
    """Readings 15 and 16: the ace stands at one end, and the card that busts does not count."""
    assert run_length(cards(held)) == length


@pytest.mark.clause("633a.13(m)(1)")
@pytest.mark.parametrize("ace", ["AC", "AD", "AH"])
def test_a_six_card_straight_pays_by_the_suit_of_its_ace(ace: str) -> None:
    def outcome(drawn: str) -> str:
        box = box_of("2C 3D", {"straight_jack": "5.00"}, drawn=drawn)
        return lines_of(rules_for("straight_jack"), "KC 9S", box, meters={"straight_jack": "6000.00"})[0].outcome

    assert outcome(f"4C 5D 6S {ace}") == "six_card_straight"
    assert outcome("4C 5D 6S AS") == "six_card_straight_ace_of_spades"


@pytest.mark.clause("633a.7(o)(3)(i)")
@pytest.mark.parametrize(
    ("setting", "outcome"),
    [("initial", "two_card_straight"), ("first", "three_card_straight"), ("each", "three_card_straight")],
)
def test_after_a_split_the_two_initial_cards_stay_won(setting: str, outcome: str) -> None:
    """Reading 17 and its alternatives: king and queen split, and the first hand becomes K-Q-A."""
    hands = (hand_of("KC QD AH", 1, from_split=True), hand_of("QS 5D", 2, from_split=True))
    assert one_line("straight_jack", "KC QS", "KC 9S", hands=hands, straight_jack_split=setting).outcome == outcome


def test_a_split_hand_of_one_card_has_no_straight_of_its_own() -> None:
    """Its player refused the next card (633a.14(c) refusal) and gets no second one."""
    hands = (hand_of("KC AH", 1, from_split=True), hand_of("QS", 2, from_split=True))
    line = one_line("straight_jack", "KC QS", "9C 9S", hands=hands, straight_jack_split="each")
    assert line.outcome == "two_card_straight"


def test_a_lost_or_bust_hand_keeps_its_straight() -> None:
    """Reading 15: the loss of the main wager does not cost the Straight Jack."""
    assert one_line("straight_jack", "9C 10D", "KC 9S", drawn="KH").outcome == "two_card_straight"
    surrendered = (hand_of("9C 10D", end="surrendered"),)
    assert one_line("straight_jack", "9C 10D", "KC 9S", hands=surrendered).outcome == "two_card_straight"


def test_at_a_dealer_blackjack_straight_jack_settles_by_its_own_clause() -> None:
    """Reading 25."""
    line = one_line("straight_jack", "4C 5D", "AC KS")
    assert (line.outcome, line.clause) == ("two_card_straight", "633a.7(o)(3)(i)")
