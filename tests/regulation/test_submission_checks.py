"""What a rules submission may not say: each refusal has its clause, its key and what to do."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from shoetool.rules.games import GAMES
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.file import example, example_names, judge, parse, problems
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.submission.settings import METER_SETTINGS, SETTINGS, WAGER_SETTINGS, wager_options
from shoetool.rules.submission.wager_checks import cap_floor, offerable
from shoetool.rules.wagers.catalogue import CHOICES, WAGERS
from wagers_offered import offering

LEAST: dict[str, dict[str, Any]] = {
    "blackjack": {"game": "blackjack", "decks": 6},
    "switch": {"game": "switch", "decks": 6},
    "from_the_hand": {"game": "from_the_hand", "decks": 1},
    "free_bet": {"game": "free_bet", "decks": 6},
    "spanish_21": {"game": "spanish_21", "decks": 6},
    "hybrid": {"game": "hybrid", "decks": 6},
    "hybrid_no_hole": {"game": "hybrid_no_hole", "decks": 6},
}
BAD_BEAT = {"meter": {"start": 5000, "reset": 5000, "rate": "10%"}}


def refused(game: str, **changes: Any) -> list[tuple[str, str]]:
    """(key, clause) of every refusal of the smallest submission of a game with changes."""
    return [(one.where, one.clause) for one in problems({**LEAST[game], **changes})]


@cache
def catalogue() -> frozenset[str]:
    """The clauses as the chapters number them: of one with several duties, `633c.1(b)#1`, without the number."""
    document = tomllib.loads((files("shoetool.rules") / "clauses.toml").read_text(encoding="utf-8"))
    return frozenset(clause.partition("#")[0] for chapter in document.values() for clause in chapter)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_and_its_decks_are_enough(game: str) -> None:
    assert refused(game) == []


@pytest.mark.parametrize("name", example_names())
def test_every_example_can_be_used(name: str) -> None:
    table, found = judge(example(name), name)
    assert table is not None and found == []


def test_there_is_an_example_of_every_game() -> None:
    tables = [parse(example(name)) for name in example_names()]
    assert {table.game for table in tables} == set(GAMES)
    assert any(table.shoe == "double" for table in tables)


@pytest.mark.parametrize("game", GAMES)
def test_the_defaults_of_the_dataclass_are_allowed(game: str) -> None:
    table = RulesSubmission.default(game, LEAST[game]["decks"])
    assert refusals(table) == []
    assert (
        refusals(offering(table, *(key for key in offerable(game) if game != "from_the_hand" or "match" not in key)))
        == []
    )


@pytest.mark.clause("633a.3(a)")
@pytest.mark.parametrize("game", ["blackjack", "switch", "free_bet"])
def test_at_least_one_deck(game: str) -> None:
    assert refused(game, decks=1) == []
    clause = "590.3(a)" if game == "free_bet" else "633a.3(a)"
    assert refused(game, decks=0) == [("decks", clause)]


@pytest.mark.parametrize("game", GAMES)
def test_a_layout_has_one_position_at_least_and_a_player_one_box(game: str) -> None:
    table = RulesSubmission.default(game, LEAST[game]["decks"])
    most = GAMES[game].facts.positions
    for positions, boxes, wrong in ((1, 1, []), (most, most, []), (0, 0, ["positions"]), (most + 1, 1, ["positions"])):
        found = refusals(replace(table, positions=positions, adjacent_boxes=boxes))
        assert [one.where for one in found] == wrong
    for boxes in (0, 4):
        assert [one.where for one in refusals(replace(table, positions=3, adjacent_boxes=boxes))] == ["adjacent_boxes"]


@pytest.mark.parametrize("decks", range(1, 10))
def test_spanish_21_with_six_or_eight_decks(decks: int) -> None:
    assert refused("spanish_21", decks=decks) == ([] if decks in (6, 8) else [("decks", "635a.3(a) count")])


@pytest.mark.clause("633a.3(c) decks")
@pytest.mark.parametrize("decks", range(1, 10))
def test_a_double_shoe_has_as_many_decks_on_each_side(decks: int) -> None:
    found = refused("blackjack", decks=decks, shoe="double", red_side="A")
    assert found == ([("decks", "633a.3(c) decks")] if decks % 2 else [])


@pytest.mark.clause("633a.7(d)(1) mapping")
def test_a_double_shoe_says_which_side_red_suits_stand_for_and_no_other_shoe_does() -> None:
    assert refused("blackjack", shoe="double") == [("red_side", "633a.7(d)(1) mapping")]
    assert refused("blackjack", red_side="B") == [("red_side", "633a.7(d)(1) mapping")]
    assert refused("blackjack", shoe="double", red_side="B") == []


@pytest.mark.clause("633a.7(a)")
def test_each_game_is_dealt_from_its_kinds_of_shoe() -> None:
    for game, shoe, clause in (
        ("free_bet", "double", "590.7(a)"),
        ("spanish_21", "double", "635a.7(a)"),
        ("blackjack", "hand", "633a.12(b)"),
        ("free_bet", "hand", "633a.12(b)"),
    ):
        red_side = {"red_side": "A"} if shoe == "double" else {}
        assert refused(game, shoe=shoe, **red_side) == [("shoe", clause)]
    assert refused("switch", shoe="double", red_side="A") == []


@pytest.mark.clause("633a.12(b)(3)")
def test_a_game_from_the_hand_has_no_shoe() -> None:
    assert refused("from_the_hand", shoe="single") == [("shoe", "633a.12(b)(3)")]
    assert [game for game in GAMES if GAMES[game].deal.from_the_hand] == ["from_the_hand"]


def test_who_deals_a_game_from_the_hand_is_told_which_game_that_is() -> None:
    for game in GAMES:
        hints = [one.do for one in problems({**LEAST[game], "shoe": "hand"}) if one.where == "shoe"]
        told = [hint.partition(", or game = ")[2] for hint in hints]
        assert told == {"blackjack": ['"from_the_hand"'], "from_the_hand": []}.get(game, [""])


def test_a_key_that_no_wager_has_is_refused_whichever_letter_it_begins_with() -> None:
    for key in ("a", "metes", "z"):
        (found,) = problems({**LEAST["blackjack"], "wagers": {"lucky_ladies": {key: 1}}})
        assert found.where == f"wagers.lucky_ladies.{key}"


@pytest.mark.clause("633a.12(b)(1)")
def test_from_the_hand_two_decks_at_most_in_both_batches_together() -> None:
    """Reading 49: two decks in the game, one in play; `hand_decks` takes the other reading."""
    assert refused("from_the_hand", decks=2) == [("decks", "633a.12(b)(1)")]
    assert refused("from_the_hand", decks=2, hand_decks="in_play") == []
    assert refused("from_the_hand", decks=2, shuffler="continuous") == []
    assert refused("from_the_hand", decks=3, hand_decks="in_play") == [("decks", "633a.12(b)(1)")]


@pytest.mark.clause("633a.12(b)(2)")
def test_from_the_hand_needs_an_automated_shuffling_device() -> None:
    assert refused("from_the_hand", shuffler="none") == [("shuffler", "633a.12(b)(2)")]


@pytest.mark.clause("633a.2(a)")
def test_no_more_betting_positions_than_the_layout_may_have() -> None:
    assert refused("free_bet", positions=6) == []
    assert refused("free_bet", positions=7) == [("positions", "590.2(a)")]
    assert refused("blackjack", positions=8) == [("positions", "633a.2(a)")]
    assert refused("spanish_21", positions=8) == [("positions", "635a.2(a)")]
    assert refused("blackjack", positions=0) == [("positions", "633a.2(a)")]


@pytest.mark.clause("633a.6(f)")
def test_adjacent_boxes_are_boxes_of_the_table() -> None:
    for game, clause in (("blackjack", "633a.6(f)"), ("free_bet", "590.6(f)"), ("spanish_21", "635a.6(f)")):
        assert refused(game, positions=4, adjacent_boxes=4) == []
        assert refused(game, positions=4, adjacent_boxes=5) == [("adjacent_boxes", clause)]
        assert refused(game, positions=4) == [], "without a number it is the whole table"


@pytest.mark.clause("633a.9(a)(2)(i)", "633a.9(a)(2)(ii)")
def test_surrender_settles_in_a_way_that_the_chapter_has() -> None:
    assert refused("blackjack", surrender="way_1") == refused("blackjack", surrender="way_2") == []
    assert refused("free_bet", surrender="way_1") == [("surrender", "590.9(a)(2)")]
    assert refused("spanish_21", surrender="way_2") == [("surrender", "635a.9(a)(2)")]


@pytest.mark.clause("633a.9(a) option")
def test_every_player_may_surrender_but_in_switch() -> None:
    for game in GAMES:
        found = [where for where, _ in refused(game, surrender="none")]
        assert found == ([] if game in ("switch", "hybrid") else ["surrender"])
    assert refused("switch", surrender="way_1") == [("surrender", "633a.12(a)(4)")]


@pytest.mark.clause("633a.8(e)")
def test_even_money_is_of_chapter_633a() -> None:
    assert refused("blackjack", even_money=True) == []
    assert (
        refused("free_bet", even_money=True) == refused("spanish_21", even_money=True) == [("even_money", "633a.8(e)")]
    )


@pytest.mark.clause("633a.11(c) resplits")
def test_the_house_sets_resplits_but_in_free_bet() -> None:
    for resplits in (0, 1, 2, 5):
        assert refused("blackjack", resplits=resplits) == refused("spanish_21", resplits=resplits) == []
        assert refused("free_bet", resplits=resplits) == ([] if resplits == 2 else [("resplits", "590.11(d) limit")])


@pytest.mark.clause("633a.10(c)")
def test_only_chapter_633a_lets_a_double_lie_face_down() -> None:
    assert refused("blackjack", double_face_down=True) == []
    assert refused("free_bet", double_face_down=True) == [("double_face_down", "590.10(c)")]
    assert refused("spanish_21", double_face_down=True) == [("double_face_down", "635a.10(a) one card")]
    assert refused("from_the_hand", double_face_down=True) == [("double_face_down", "633a.12(b)(7)")]


@pytest.mark.clause("633a.7(i)(1)(ii)(A)", "633a.7(i)(1)(ii)(B)")
def test_a_blackjack_is_held_where_the_chapter_says_so() -> None:
    assert refused("blackjack", hold_blackjack=True) == refused("blackjack", hold_blackjack=False) == []
    assert refused("free_bet", hold_blackjack=True) == [("hold_blackjack", "590.7(h)(1)")]
    assert refused("spanish_21", hold_blackjack=False) == [("hold_blackjack", "635a.7(h)(1)(ii)")]


@pytest.mark.clause("633a.7(r)(1)", "633a.7(r)(2)")
def test_there_are_two_settlement_procedures() -> None:
    for game, clause in (
        ("blackjack", "633a.7(r)(1)"),
        ("free_bet", "590.7(r)(1)-(2)"),
        ("spanish_21", "635a.7(p)(1)-(2)"),
    ):
        assert refused(game, settlement_procedure=1) == refused(game, settlement_procedure=2) == []
        assert refused(game, settlement_procedure=3) == [("settlement_procedure", clause)]


@pytest.mark.clause("633a.6(d)")
def test_limits_of_the_main_wager_fit_each_other_and_the_chips() -> None:
    for game, clause in (("blackjack", "633a.6(d)"), ("free_bet", "590.6(d)"), ("spanish_21", "635a.6(d)")):
        assert refused(game, min_wager=100, max_wager=50) == [("min_wager", clause)]
        assert refused(game, min_wager="10.25") == [("min_wager", clause)]
        assert refused(game, min_wager="10.25", chip_unit="0.25") == []


@pytest.mark.clause("633a.6(e)")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("key", offerable())
def test_a_wager_is_offered_only_in_its_games(game: str, key: str) -> None:
    decks = 1 if game == "from_the_hand" else 6
    found = refusals(offering(RulesSubmission.default(game, decks), key))
    if key not in offerable(game):
        own = [(one.where, one.clause) for one in found if one.where == f"wagers.{key}"]
        assert own == [(f"wagers.{key}", WAGERS[key].offered)]
    elif key in ("match_the_dealer", "super_match") and decks == 1:
        assert [one.where for one in found] == [f"wagers.{key}"]
    else:
        assert found == []


@pytest.mark.clause("633c.1(b)#1", "633c.7(c)", "633c.8(a)#1", "633c.15(d)")
def test_perfect_pairs_top_3_lucky_aces_and_upcard_luck_are_offered_in_blackjack_alone() -> None:
    for key in ("perfect_pairs", "top_3", "lucky_aces", "upcard_luck"):
        assert WAGERS[key].games == ("blackjack",), key


@pytest.mark.clause("633a.13(d)(1)", "633a.13(d)(2)", "633a.13(i)(1)", "633a.13(i)(2)")
@pytest.mark.parametrize("decks", range(1, 10))
def test_match_the_dealer_and_super_match_with_six_or_eight_decks_only(decks: int) -> None:
    """Reading 6."""
    for game, key, clauses in (
        ("blackjack", "match_the_dealer", "633a.13(d)(1), 633a.13(d)(2)"),
        ("switch", "super_match", "633a.13(i)(1), 633a.13(i)(2)"),
    ):
        found = refused(game, decks=decks, wagers={key: {}})
        assert found == ([] if decks in (6, 8) else [(f"wagers.{key}", clauses)])


@pytest.mark.clause("633a.13(f)(1)", "633a.13(f)(2)")
@pytest.mark.parametrize("letter", "ABCDE")
def test_royal_match_paytables_follow_the_decks(letter: str) -> None:
    one = refused("blackjack", decks=1, wagers={"royal_match_21": {"paytable": letter}})
    six = refused("blackjack", decks=6, wagers={"royal_match_21": {"paytable": letter}})
    where = "wagers.royal_match_21.paytable"
    assert one == ([] if letter in "AB" else [(where, "633a.13(f)(2)")])
    assert six == ([] if letter in "CDE" else [(where, "633a.13(f)(1)")])


@pytest.mark.parametrize("letter", ["0", "Z"])
def test_a_letter_that_no_paytable_has_is_not_said_to_be_for_other_decks(letter: str) -> None:
    offer = WagerOffer(letter, 1_00, 100_00, frozenset())
    (one,) = refusals(offering(RulesSubmission.default("blackjack", 6), royal_match_21=offer))
    assert one.what == f"there is no paytable {letter}"


@pytest.mark.clause("633a.13(g)(1)", "633a.13(g)(2)", "633a.13(g)(3)")
def test_bet_the_set_paytables_follow_the_decks_and_there_is_none_for_three() -> None:
    """Reading 11."""
    allowed = {1: "A", 2: "B", 3: "", 4: "CD", 6: "CD", 8: "CD"}
    for decks, letters in allowed.items():
        for letter in "ABCD":
            found = refused("blackjack", decks=decks, wagers={"bet_the_set_21": {"paytable": letter}})
            assert (found == []) == (letter in letters), (decks, letter, found)
    three = problems({"game": "blackjack", "decks": 3, "wagers": {"bet_the_set_21": {"paytable": "C"}}})
    assert [(one.where, one.clause) for one in three] == [
        ("wagers.bet_the_set_21", "633a.13(g)(1), 633a.13(g)(2), 633a.13(g)(3)")
    ]
    assert "four or more decks" in three[0].do


@pytest.mark.clause("633a.13(k)")
def test_three_card_poker_and_push_22_need_one_of_two_paytables() -> None:
    for game, key, clause in (("blackjack", "three_card_poker", "633a.13(k)"), ("free_bet", "push_22", "590.12(c)")):
        assert refused(game, wagers={key: {"paytable": "A"}}) == refused(game, wagers={key: {"paytable": "B"}}) == []
        assert refused(game, wagers={key: {}}) == [(f"wagers.{key}", clause)]
        assert refused(game, wagers={key: {"paytable": "C"}}) == [(f"wagers.{key}.paytable", clause)]


@pytest.mark.clause("633a.2(b)(15)")
def test_a_paytable_is_not_named_where_the_text_has_only_one() -> None:
    assert refused("blackjack", wagers={"lucky_ladies": {"paytable": "A"}}) == [
        ("wagers.lucky_ladies.paytable", "633a.13(c)")
    ]


@pytest.mark.clause("633a.13(j)(2)", "633a.13(l)(2)", "633a.13(m)(2)")
@pytest.mark.parametrize(
    ("key", "least", "clause"),
    [
        ("bad_beat", 5000, "633a.13(j)(2)"),
        ("hit_and_run", 1000, "633a.13(l)(2)"),
        ("straight_jack", 5000, "633a.13(m)(2)"),
    ],
)
def test_a_meter_starts_with_and_is_reset_to_its_least_amount_or_more(key: str, least: int, clause: str) -> None:
    def meter(**changes: Any) -> list[tuple[str, str]]:
        values = {"start": least, "reset": least, "rate": "10%", **changes}
        return refused("blackjack", wagers={key: {"meter": {k: v for k, v in values.items() if v is not None}}})

    place = f"wagers.{key}.meter"
    assert meter() == meter(start=least * 2, rate="100%") == []
    assert meter(start=f"{least - 1}.99") == [(f"{place}.start", clause)]
    assert meter(reset=f"{least - 1}.99") == [(f"{place}.reset", clause)]
    assert meter(start=1, reset=1) == [(f"{place}.start", clause), (f"{place}.reset", clause)]
    assert meter(rate=None) == [(f"{place}.rate", clause)]
    assert meter(rate="0%") == meter(rate="101%") == meter(rate=10) == [(f"{place}.rate", clause)]
    assert refused("blackjack", wagers={key: {}}) == [(place, clause)]
    assert refused("blackjack", wagers={key: {"meter": 5000}}) == [(place, clause)]


def test_only_a_progressive_wager_has_a_meter() -> None:
    found = refused("blackjack", wagers={"lucky_ladies": BAD_BEAT})
    assert found == [("wagers.lucky_ladies.meter", "633a.6(e)(1)")]


@pytest.mark.clause("633a.7(g)(4) bonus", "633a.1 Magic Card bonus", "633a.1 Lucky Player bonus", "633a.13(j)(1)")
def test_bonuses_belong_to_their_wager() -> None:
    royal = {"paytable": "C", "crown_treasure": True}
    beat = {**BAD_BEAT, "player_20": True, "magic_card": True, "lucky_player": True}
    assert refused("blackjack", wagers={"royal_match_21": royal, "bad_beat": beat}) == []
    assert refused("blackjack", wagers={"royal_match_21": {**royal, "magic_card": True}}) == [
        ("wagers.royal_match_21.magic_card", "633a.13(f)(1)")
    ]
    assert refused("blackjack", wagers={"lucky_ladies": {"crown_treasure": False}}) == [], "not offered anyway"


@pytest.mark.clause("633a.13(o) option")
def test_a_cap_limits_lucky_ladies_and_kings_bounty_only() -> None:
    assert refused("blackjack", aggregate_cap=25000) == [("aggregate_cap", "633a.13(o) option")]
    assert refused("blackjack", aggregate_cap=25000, wagers={"in_between": {}}) == [
        ("aggregate_cap", "633a.13(o) option")
    ]


@pytest.mark.clause("633a.13(o) floor")
def test_a_cap_is_25000_or_what_one_patron_can_win_if_that_is_more() -> None:
    def cap(amount: int | str, boxes: int = 1, decks: int = 6, **most: int) -> list[tuple[str, str]]:
        wagers = {key: {"max": largest} for key, largest in most.items()}
        return refused("blackjack", decks=decks, aggregate_cap=amount, adjacent_boxes=boxes, wagers=wagers)

    below = [("aggregate_cap", "633a.13(o) floor")]
    assert cap("24999.99", lucky_ladies=5) == below
    assert cap(25000, lucky_ladies=5) == cap(25000, lucky_ladies=25) == []
    assert cap("25999.99", lucky_ladies=26) == below and cap(26000, lucky_ladies=26) == []
    assert cap(50000, boxes=2, kings_bounty=25) == [] and cap(49999, boxes=2, kings_bounty=25) == below
    # Two decks hold one pair of each card: with three boxes the third cannot win.
    assert cap(35000, boxes=3, decks=2, lucky_ladies=25, kings_bounty=10) == []
    assert cap(34999, boxes=3, decks=2, lucky_ladies=25, kings_bounty=10) == below
    # One box wins the better of the two.
    assert cap(25000, boxes=1, lucky_ladies=25, kings_bounty=10) == []
    for best in ({"lucky_ladies": 50, "kings_bounty": 10}, {"lucky_ladies": 10, "kings_bounty": 50}):
        assert cap(50000, boxes=1, **best) == [] and cap(49999, boxes=1, **best) == below


@pytest.mark.clause("633a.13(o) floor")
def test_the_floor_of_the_cap_counts_the_pairs_of_one_side_of_a_double_shoe() -> None:
    offered = "adjacent_boxes = 7\n[wagers.lucky_ladies]\nmax = 25\n"
    one_side = parse(f'game = "blackjack"\ndecks = 4\n{offered}')
    both = parse(f'game = "blackjack"\ndecks = 8\nshoe = "double"\nred_side = "A"\n{offered}')
    assert cap_floor(both) == cap_floor(one_side) == 2 * 25_000_00


@pytest.mark.clause("633a.13(o) floor")
def test_the_floor_of_the_cap_is_exact() -> None:
    table = parse('game = "blackjack"\ndecks = 8\nadjacent_boxes = 7\n[wagers.lucky_ladies]\nmax = "12.50"\n')
    assert cap_floor(table) == 4 * 12_500_00


def test_every_refusal_is_named_and_not_only_the_first() -> None:
    text = (
        'game = "free_bet"\ndecks = 6\nshoe = "double"\npositions = 7\neven_money = true\n'
        'resplits = 1\nsurrender = "way_1"\n[wagers.push_22]\npaytable = "D"\n[wagers.lucky_ladies]\n'
    )
    table, found = judge(text, "x")
    assert table is not None
    assert {(one.where, one.line) for one in found} == {
        ("shoe", 3),
        ("red_side", None),
        ("positions", 4),
        ("even_money", 5),
        ("resplits", 6),
        ("surrender", 7),
        ("wagers.push_22.paytable", 9),
        ("wagers.lucky_ladies", 10),
    }
    assert all(one.what and one.do and one.clause for one in found)


def test_every_clause_of_a_setting_or_refusal_is_one_of_the_catalogue() -> None:
    settings = (*SETTINGS, *WAGER_SETTINGS, *wager_options(), *METER_SETTINGS)
    cited = {clause for setting in settings for clause in setting.clauses} | {
        wager.offered for wager in WAGERS.values()
    }
    assert not cited - catalogue()


def test_every_field_of_the_submission_has_a_setting() -> None:
    """The dataclass, the TOML and the documented table cannot drift apart."""
    own = {setting.field for setting in SETTINGS} - CHOICES.keys()
    named = own | {"wagers", "meters", "mysteries", "choices"}
    assert named == set(RulesSubmission.__slots__)
