"""What limits and shares payouts: the aggregate limit, the progressive meters, verification, the tray."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shoetool.rules.round import Hand, Settlement, Stage
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import Meter
from shoetool.settle.meters import contribution
from wager_table import box_of, cards, lines_of, one_line, round_of, rules_for, settled_optional

QUEENS, KINGS, DEALER = "QH QH", "KS KS", "AS KD"
CAP = 25_000_00


def capped(*placed: tuple[str, str, str], cap: int | None = CAP) -> list[int]:
    """What these (wager, cards, dollars) are paid against a dealer Blackjack, in the order of the boxes."""
    rules = rules_for("lucky_ladies", "kings_bounty", aggregate_cap=cap)
    boxes = [box_of(held, {wager: staked}, place) for place, (wager, held, staked) in enumerate(placed, 1)]
    paid = {line.position: line.won for line in lines_of(rules, DEALER, *boxes)}
    return [paid[place] for place in range(1, len(placed) + 1)]


@pytest.mark.clause("633a.13(o) option")
def test_without_a_limit_every_winner_is_paid_in_full() -> None:
    placed = (("lucky_ladies", QUEENS, "25.00"), ("kings_bounty", KINGS, "25.00"))
    assert capped(*placed, cap=None) == [25_000_00, 25_000_00]


@pytest.mark.clause("633a.13(o) option")
def test_payouts_up_to_the_limit_are_not_cut() -> None:
    assert capped(("lucky_ladies", QUEENS, "10.00"), ("kings_bounty", KINGS, "15.00")) == [10_000_00, 15_000_00]
    assert capped(("lucky_ladies", QUEENS, "25.00")) == [25_000_00]


@pytest.mark.clause("633a.13(o) share")
def test_several_winners_share_the_limit_in_proportion_to_their_wagers() -> None:
    """Reading 70: queens of hearts in Lucky Ladies and kings of spades in King's Bounty share one limit."""
    assert capped(("lucky_ladies", QUEENS, "20.00"), ("kings_bounty", KINGS, "30.00")) == [10_000_00, 15_000_00]
    assert capped(("lucky_ladies", QUEENS, "10.00"), ("lucky_ladies", QUEENS, "20.00")) == [8_333_33, 16_666_66]
    assert capped(*[("lucky_ladies", QUEENS, "25.00")] * 3) == [8_333_33] * 3


def test_the_limit_is_for_the_two_best_rows_only() -> None:
    """633a.13(o): queen of hearts pair or king of spades pair, with dealer Blackjack."""
    found = capped(
        ("lucky_ladies", QUEENS, "25.00"),
        ("lucky_ladies", "QS QS", "100.00"),
        ("kings_bounty", "KD KD", "100.00"),
        ("kings_bounty", KINGS, "25.00"),
    )
    assert found == [12_500_00, 2_500_00, 5_000_00, 12_500_00]


def test_a_cut_payout_says_so_and_returns_the_stake() -> None:
    rules = rules_for("lucky_ladies", aggregate_cap=CAP)
    boxes = [box_of(QUEENS, {"lucky_ladies": "20.00"}, place) for place in (2, 6)]
    for line in lines_of(rules, DEALER, *boxes):
        assert (line.returned, line.won, line.stage) == (20_00, 12_500_00, Stage.AFTER_READER)
        assert "limited to $25,000.00 a round, shared by 2 winners" in line.words
        assert "633a.13(o) share" in {clause for clause, _ in line.notes}


def test_the_limit_is_shared_with_nobody_when_one_alone_has_won() -> None:
    rules = rules_for("lucky_ladies", aggregate_cap=CAP)
    (line,) = lines_of(rules, DEALER, box_of(QUEENS, {"lucky_ladies": "30.00"}, 2))
    assert line.won == CAP
    assert "limited to $25,000.00 a round" in line.words
    assert "shared" not in line.words + " ".join(text for _, text in line.notes)


def resets(settled: Settlement) -> dict[str, int]:
    """What the house put into meters that were won."""
    return {line.wager: line.won for line in settled.lines if line.outcome == "meter_reset"}


SEVEN = "2C 2D 2S 3S 3D 4H 5C"
EIGHT = "2C 2D 2S 2H 2C 3S 3D 5C"


@pytest.mark.clause("633a.7(o)(1)(ii)(C)")
def test_bad_beat_winners_share_the_meter_by_their_wagers() -> None:
    rules = rules_for("bad_beat")
    boxes = [box_of("KC QS", {"bad_beat": staked}, place) for place, staked in ((1, "1.00"), (4, "2.00"), (7, "4.00"))]
    table_round = round_of(rules, SEVEN, *boxes, meters={"bad_beat": "10000.00"})
    settled = settled_optional(table_round, rules)
    shares = {line.position: line.won for line in settled.lines if line.source == "meter"}
    assert shares == {1: 1_428_57, 4: 2_857_14, 7: 5_714_28}
    # One cent stays in the meter, which the house sets back to the reset amount.
    assert settled.meters == {"bad_beat": 5_000_00 - 9_999_99}
    assert resets(settled) == {"bad_beat": 5_000_00}
    assert settled.tray == 0


@pytest.mark.clause("633a.7(o)(2)(ii)(C)", "633a.7(o)(3)(ii)(C)")
def test_hit_and_run_and_straight_jack_winners_share_the_meter_equally() -> None:
    rules = rules_for("hit_and_run")
    boxes = [
        box_of("KC 9S", {"hit_and_run": staked}, place) for place, staked in ((1, "1.00"), (4, "2.00"), (7, "5.00"))
    ]
    settled = settled_optional(round_of(rules, EIGHT, *boxes, meters={"hit_and_run": "1000.00"}), rules)
    assert [line.won for line in settled.lines] == [333_33, 333_33, 333_33, 1_000_00]
    assert settled.meters == {"hit_and_run": 1_000_00 - 999_99}
    rules = rules_for("straight_jack")
    six = {"drawn": "4C 5D 6S AS"}
    boxes = [box_of("2C 3D", {"straight_jack": staked}, place, **six) for place, staked in ((2, "1.00"), (3, "5.00"))]
    settled = settled_optional(round_of(rules, "KC 9S", *boxes, meters={"straight_jack": "7000.00"}), rules)
    assert [line.won for line in settled.lines if line.source == "meter"] == [3_500_00, 3_500_00]
    assert [line.won for line in settled.lines if line.source == "house"] == [1_000_00, 200_00, 5_000_00]


def test_a_tenth_of_the_meter_is_a_tenth_whoever_else_wins() -> None:
    """633a.13(m)(1): no winner's payout depends on the order in which positions are settled."""
    rules = rules_for("straight_jack")
    tenth = [box_of("2C 3D", {"straight_jack": "1.00"}, place, drawn="4C 5D 6S AH") for place in (1, 2)]
    settled = settled_optional(round_of(rules, "KC 9S", *tenth, meters={"straight_jack": "7000.00"}), rules)
    assert settled.nets[1:3] == (900_00, 900_00)
    assert (settled.meters, resets(settled)) == ({"straight_jack": -1_400_00}, {})
    whole = box_of("2C 3D", {"straight_jack": "1.00"}, 3, drawn="4C 5D 6S AS")
    both = settled_optional(round_of(rules, "KC 9S", *tenth, whole, meters={"straight_jack": "7000.00"}), rules)
    assert both.nets[1:4] == (900_00, 900_00, 7_200_00)
    assert both.meters == {"straight_jack": 5_000_00 - 7_000_00}
    assert both.house == -(5_000_00 + 2 * 700_00 + 3 * 200_00)


def notes_of(wager: str, held: str, dealer: str, staked: str = "1.00", drawn: str = "") -> set[str]:
    rules = rules_for(wager)
    lines = lines_of(rules, dealer, box_of(held, {wager: staked}, drawn=drawn))
    return {clause for clause, _ in lines[0].notes}


@pytest.mark.clause("633a.7(o)(1)(ii)(A)", "633a.7(o)(1)(ii)(B)")
@pytest.mark.parametrize(
    ("dealer", "verified"),
    [
        ("AC KD", False),
        ("6C 8D 7S", False),
        ("2C 4D 8S 7S", False),
        ("2C 4D 3S 7S 5D", True),
        ("2C 2D 3S 4S 4D 6C", True),
        (SEVEN, True),
    ],
)
def test_a_floorperson_verifies_bad_beat_payouts_from_100_for_1(dealer: str, verified: bool) -> None:
    """Reading 24: from the five-card row up."""
    notes = notes_of("bad_beat", "KC QS", dealer)
    assert ("633a.7(o)(1)(ii)(B)" in notes) is verified
    assert {"633a.7(o)(1)(ii)(A)", "633a.7(o)(1)(ii)(C)"} <= notes
    assert notes_of("bad_beat", "KC 9S", dealer) == set()


@pytest.mark.clause("633a.7(o)(2)(ii)(A)", "633a.7(o)(2)(ii)(B)")
@pytest.mark.parametrize(
    ("dealer", "verified"),
    [("AC KD", False), ("2C 4D 3S 7S 2D", False), ("2C 2D 3S 4S 3D 9C", False), (SEVEN, True), (EIGHT, True)],
)
def test_a_floorperson_verifies_hit_and_run_payouts_from_200_for_1(dealer: str, verified: bool) -> None:
    notes = notes_of("hit_and_run", "KC 9S", dealer)
    assert ("633a.7(o)(2)(ii)(B)" in notes) is verified
    assert "633a.7(o)(2)(ii)(A)" in notes


@pytest.mark.clause("633a.7(o)(3)(ii)(A)", "633a.7(o)(3)(ii)(B)")
@pytest.mark.parametrize(
    ("held", "drawn", "verified"),
    [
        ("4C 5D", "", False),
        ("4C 5D", "6H", False),
        ("4C 5D", "6H 3C", False),
        ("4C 5D", "6H 3C 2D", True),
        ("4C 5D", "3C 2D AH 6H", True),
        ("4C 5D", "3C 2D AS 6H", True),
    ],
)
def test_a_floorperson_verifies_straight_jack_payouts_from_100_for_1(held: str, drawn: str, verified: bool) -> None:
    """Reading 24: 50 to 1 is 51 for 1, 200 to 1 is 201 for 1."""
    notes = notes_of("straight_jack", held, "KC 9S", drawn=drawn)
    assert ("633a.7(o)(3)(ii)(B)" in notes) is verified
    assert "633a.7(o)(3)(ii)(A)" in notes


@pytest.mark.clause("633a.7(o)(2)(ii)(C)")
def test_the_whole_hit_and_run_meter_is_not_paid_from_the_tray_and_the_cards_stay() -> None:
    rules = rules_for("hit_and_run")
    table_round = round_of(rules, EIGHT, box_of("KC 9S", {"hit_and_run": "5.00"}), meters={"hit_and_run": "1500.00"})
    settled = settled_optional(table_round, rules)
    line = settled.lines[0]
    assert (line.source, line.won, line.staked, line.returned) == ("meter", 1_500_00, 5_00, 0)
    assert settled.tray == 5_00
    said = [words for clause, words in line.notes if clause == "633a.7(o)(2)(ii)(C)"]
    assert said == [
        "not paid from the table inventory container",
        "the player's cards remain on the table until the documentation is complete",
    ]
    assert one_line("hit_and_run", "KC 9S", SEVEN).source == "tray"


@pytest.mark.clause("633a.7(o)(3)(ii)(C)")
def test_straight_jack_payouts_of_a_tenth_of_the_meter_stay_out_of_the_tray() -> None:
    def source(staked: str, drawn: str, meter: str = "5000.00") -> str:
        return one_line("straight_jack", "4C 5D", "KC 9S", staked, drawn=drawn, meters={"straight_jack": meter}).source

    assert source("1.00", "6H 3C 2D") == "tray"
    assert source("2.49", "6H 3C 2D") == "tray"
    assert source("2.50", "6H 3C 2D") == "house"
    assert source("2.50", "6H 3C 2D", "5000.10") == "tray"
    rules = rules_for("straight_jack")
    lines = lines_of(rules, "KC 9S", box_of("4C 5D", {"straight_jack": "1.00"}, drawn="3C 2D AH 6H"))
    assert [(line.source, line.won, line.staked) for line in lines] == [("house", 200_00, 1_00), ("meter", 500_00, 0)]


def test_bad_beat_never_touches_the_tray() -> None:
    """633a.7(o)(1)(ii)(C): the wager and its payouts lie in the player's game account."""
    rules = rules_for("bad_beat")
    for held, dealer in (("KC QS", "6C 8D 7S"), ("KC 9S", "6C 8D 7S"), ("KC QS", SEVEN)):
        settled = settled_optional(round_of(rules, dealer, box_of(held, {"bad_beat": "5.00"}), lucky_player=3), rules)
        assert settled.tray == 0
        assert {line.source for line in settled.lines} <= {"house", "meter"}


@pytest.mark.clause("633a.13(j)(2)", "633a.13(l)(2)", "633a.13(m)(2)")
def test_a_meter_that_was_won_is_set_back_to_its_reset_amount() -> None:
    meter = Meter(6_000_00, 5_500_00, Fraction(1, 20))
    rules = rules_for("bad_beat", meters={"bad_beat": meter})
    settled = settled_optional(round_of(rules, SEVEN, box_of("KC QS", {"bad_beat": "5.00"})), rules)
    assert settled.nets[3] == 6_000_00 - 5_00
    assert settled.meters == {"bad_beat": 5_500_00 - 6_000_00}
    assert settled.house == 5_00 - 5_500_00
    reset = settled.lines[-1]
    assert (reset.position, reset.outcome, reset.won, reset.clause) == (None, "meter_reset", 5_500_00, "633a.13(j)(2)")


def test_a_meter_grows_by_its_rate_of_the_wagers() -> None:
    rules = rules_for("hit_and_run", meters={"hit_and_run": Meter(1_000_00, 1_000_00, Fraction(1, 3))})
    assert contribution("hit_and_run", 1_00, rules) == Fraction(100, 3)


@pytest.mark.clause("633a.6(e)")
def test_a_wager_that_is_not_offered_is_refused() -> None:
    rules = rules_for("lucky_ladies")
    with pytest.raises(RuleError) as caught:
        lines_of(rules, "KC 9S", box_of("4C 5D", {"kings_bounty": "5.00"}))
    assert caught.value.clause == "633a.6(e)(6)"
    with pytest.raises(RuleError) as caught:
        lines_of(rules, "KC 9S", box_of("4C 5D", {"luckyladies": "5.00"}))
    assert caught.value.clause == "633a.6(e)"
    assert "it offers lucky_ladies" in str(caught.value)


def test_a_void_round_returns_every_optional_wager() -> None:
    rules = rules_for("lucky_ladies", "bad_beat")
    box = box_of("QH QH", {"lucky_ladies": "5.00", "bad_beat": "1.00"})
    lines = lines_of(rules, "", box, void="633a.14(j)(1)")
    assert [(line.outcome, line.net, line.clause) for line in lines] == [("returned", 0, "633a.14(j)(1)")] * 2


@pytest.mark.clause("633a.14(g) none")
def test_a_hand_without_its_two_cards_gets_its_optional_wagers_back() -> None:
    rules = rules_for("lucky_ladies")
    dead = box_of("QH", {"lucky_ladies": "5.00"}, hands=(Hand(1, cards("QH"), 25_00, end="dead"),))
    assert [line.outcome for line in lines_of(rules, "KC 9S", dead)] == ["returned"]
    none = dead._replace(initial=())
    assert [line.outcome for line in lines_of(rules, "KC 9S", none)] == ["returned"]
    switch = rules_for("super_match", game="switch")
    four = box_of("5C 5D", {"super_match": "5.00"}, second="9H 9S")
    three = four._replace(initial=(cards("5C 5D"), cards("9H")))
    assert [line.outcome for line in lines_of(switch, "KC 9S", three)] == ["returned"]


def test_part_of_a_cent_is_not_paid_and_is_named() -> None:
    line = one_line("royal_match_21", "2C 9C", "7S 10D", "0.25")
    assert line.won == 62
    assert ("633a.13(f)(2)", "1/2 of a cent is not paid") in line.notes
