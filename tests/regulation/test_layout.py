"""What a rules submission asks of its table: areas, inscriptions, signs, devices and cards, each by its clause."""

from __future__ import annotations

import pytest
from shoetool.rules.games import GAMES as DECLARED
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.file import example, example_names, parse
from shoetool.rules.submission.layout import Need, needs
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.submission.wager_checks import offerable
from shoetool.rules.wagers import PRESSES, WAGERS
from wagers_offered import offering

GAMES = {"blackjack": "633a", "free_bet": "590", "spanish_21": "635a"}


def asked(table: RulesSubmission, clause: str) -> list[Need]:
    return [need for need in needs(table) if need.clause == clause]


def default(game: str, **changes: object) -> RulesSubmission:
    return RulesSubmission.default(game, 6, **changes)


@pytest.mark.clause("633a.2(a)", "590.2(a)", "635a.2(a)")
def test_the_layout_has_the_submissions_positions() -> None:
    for game, clause in (("blackjack", "633a.2(a)"), ("free_bet", "590.2(a)"), ("spanish_21", "635a.2(a)")):
        (need,) = asked(default(game, positions=5), clause)
        assert (need.where, need.what) == ("layout", "betting positions for 5 players")


@pytest.mark.clause("633a.2(b)(2)", "590.2(b)(2)", "635a.2(b)(2)")
def test_each_player_has_one_area_for_the_main_wager() -> None:
    for game, chapter in GAMES.items():
        (need,) = asked(default(game), f"{chapter}.2(b)(2)")
        assert need.what.startswith("for each player an area for the ")


@pytest.mark.clause("633a.2(b)(10)", "633a.12(a)(2)")
def test_a_switch_table_has_two_main_areas_and_one_for_super_match() -> None:
    table = offering(default("switch"), "super_match")
    assert [need.what for need in asked(table, "633a.2(b)(10)")] == [
        "designated as a Blackjack Switch table",
        "for each player two areas for the two equal Blackjack Wagers",
        "for each player an area for the Super Match Wager",
    ]
    assert asked(table, "633a.2(b)(2)") == [] and asked(default("blackjack"), "633a.2(b)(10)") == []


@pytest.mark.clause("633a.2(b)(3)", "590.2(b)(3)(i)-(iii)", "635a.2(b)(3)(i)-(iii)")
def test_the_layout_states_the_three_rules() -> None:
    for game, clause in (
        ("blackjack", "633a.2(b)(3)"),
        ("free_bet", "590.2(b)(3)(i)-(iii)"),
        ("spanish_21", "635a.2(b)(3)(i)-(iii)"),
    ):
        stated = [need.what for need in asked(default(game), clause)]
        assert len(stated) == 3 and ["3 to 2" in stated[0], "2 to 1" in stated[1], "16" in stated[2]] == [True] * 3


@pytest.mark.clause("590.2(b)(3)(iv)")
def test_free_bet_states_that_22_is_a_push() -> None:
    (need,) = asked(default("free_bet"), "590.2(b)(3)(iv)")
    assert "22 is a push" in need.what


@pytest.mark.clause("635a.2(b)(4)")
def test_spanish_21_has_a_sign_about_doubled_hands() -> None:
    (need,) = asked(default("spanish_21"), "635a.2(b)(4)")
    assert need.where == "sign"


@pytest.mark.clause("633a.2(b)(4)-(9), (11)-(14)", "590.2(b)(4)", "635a.2(b)(5)")
@pytest.mark.parametrize("game", GAMES)
def test_every_optional_wager_on_the_layout_has_an_area_when_it_is_offered(game: str) -> None:
    clause = {"blackjack": "633a.2(b)(4)-(9), (11)-(14)", "free_bet": "590.2(b)(4)", "spanish_21": "635a.2(b)(5)"}[game]
    assert asked(default(game), clause) == []
    for key in offerable(game):
        needed = asked(offering(default(game), key), WAGERS[key].area or clause)
        areas = [need for need in needed if need.where == "layout"]
        # Bad Beat lies in the electronic wagering system and not on the layout, 633a.2(c). A press may have its own.
        assert len(areas) == (key != "bad_beat") + (key in PRESSES and PRESSES[key].apart is not None), key


@pytest.mark.clause("633a.2(b)(15)", "590.2(b)(5)", "635a.2(b)(6)")
@pytest.mark.parametrize(("game", "name"), [(parse(example(name)).game, name) for name in example_names()])
def test_the_payouts_of_every_wager_that_is_offered_are_shown_and_no_others(game: str, name: str) -> None:
    table = parse(example(name))
    clause = {"633a": "633a.2(b)(15)", "590": "590.2(b)(5)", "635a": "635a.2(b)(6)"}[table.chapter]
    shown = asked(table, clause)
    if DECLARED[table.game].electronic:  # the terminals show them, 633c.5(c)(2), (3)
        shown = [need for need in needs(table) if need.payouts]
    titles = {need.what.removeprefix("payouts: ").split(", paytable")[0] for need in shown}
    for key in offerable(table.game):
        assert (paytables(key)[0].title in titles) == (key in table.wagers)
    assert shown[0].payouts[-1][1] == "1 to 1" and all(need.payouts for need in shown)


@pytest.mark.clause("633a.2(b)(15)", "633a.7(g)(4) bonus", "633a.13(j)(1)")
def test_a_row_or_bonus_that_is_not_offered_is_not_shown() -> None:
    for options, shown in ((frozenset(), False), (frozenset({"crown_treasure"}), True)):
        table = offering(default("blackjack"), royal_match_21=WagerOffer("D", options=options))
        rows = dict(asked(table, "633a.2(b)(15)")[-1].payouts)
        assert rows["Royal Match"] == "25 to 1" and ("Crown Treasure" in rows) == shown


@pytest.mark.clause("633a.8(e)")
def test_even_money_is_shown_where_it_is_offered() -> None:
    for offered in (False, True):
        rows = [row for need in needs(default("blackjack", even_money=offered)) for row in need.payouts]
        assert any("Even money" in outcome for outcome, _ in rows) == offered


@pytest.mark.clause("633a.2(b)(16)", "633a.13(o) option")
def test_a_payout_limit_is_shown() -> None:
    (need,) = asked(parse(example("blackjack")), "633a.2(b)(16)")
    assert "$75,000.00" in need.what
    assert asked(default("blackjack"), "633a.2(b)(16)") == []


@pytest.mark.clause("633a.2(c)", "633a.2(d)(1)", "633a.2(d)(2)")
def test_progressive_wagers_need_their_systems() -> None:
    for key, clauses in (
        ("bad_beat", ["633a.2(c)"]),
        ("hit_and_run", ["633a.2(d)(1)", "633a.2(d)(2)"]),
        ("straight_jack", ["633a.2(d)(1)", "633a.2(d)(2)"]),
    ):
        table = offering(default("blackjack"), key)
        found = [need.clause for need in needs(table) if need.clause.startswith(("633a.2(c)", "633a.2(d)"))]
        assert found == clauses


@pytest.mark.clause(
    *("633a.2(f) first sentence", "590.2(d) first sentence", "635a.2(d) first sentence"),
    *("633a.2(g)(1)-(2)", "590.2(e)(1)-(2)", "635a.2(e)(1)-(2)"),
)
def test_every_table_has_a_reader_and_a_rack_for_its_decks() -> None:
    for game, reader, rack in (
        ("blackjack", "633a.2(f) first sentence", "633a.2(g)(1)-(2)"),
        ("free_bet", "590.2(d) first sentence", "590.2(e)(1)-(2)"),
        ("spanish_21", "635a.2(d) first sentence", "635a.2(e)(1)-(2)"),
    ):
        assert len(asked(default(game), reader)) == 1
        assert "6 decks" in asked(default(game), rack)[0].what


@pytest.mark.clause("633a.2(h)", "633a.3(c) decks", "633a.3(c) backs", "633a.3(c) cover cards")
def test_a_double_shoe_halves_rack_and_decks_and_doubles_colors_and_cover_cards() -> None:
    table = parse(example("double-shoe"))
    assert "4 decks" in asked(table, "633a.2(g)(1)-(2)")[0].what and asked(table, "633a.2(h)")
    assert "4 decks for each side" in asked(table, "633a.3(c) decks")[0].what
    assert asked(table, "633a.3(c) backs") and asked(table, "633a.3(c) cover cards")


@pytest.mark.clause(*("633a.3(b)", "633a.3(b)(1)", "633a.3(b)(2)"))
@pytest.mark.parametrize("game", GAMES)
def test_an_automatic_shuffler_asks_for_two_equal_batches_of_two_back_colors(game: str) -> None:
    batches = {"blackjack": "633a.3(b)(1)", "free_bet": "590.3(b)(1)", "spanish_21": "635a.3(d)(1)"}[game]
    backs = {"blackjack": "633a.3(b)(2)", "free_bet": "590.3(b)(2)", "spanish_21": "635a.3(d)(2)"}[game]
    (need,) = asked(default(game, shuffler="automatic"), batches)
    assert need.what.startswith("two batches, each of 6 decks") and asked(default(game, shuffler="automatic"), backs)
    for shuffler in ("none", "continuous"):
        assert asked(default(game, shuffler=shuffler), batches) == []


@pytest.mark.clause("633a.3(d) 24 h", "633a.3(d) 4 h")
def test_cards_are_changed_in_time() -> None:
    for name, clause in (
        ("blackjack", "633a.3(d) 24 h"),
        ("from-the-hand", "633a.3(d) 4 h"),
        ("free-bet", "590.3(c)"),
        ("spanish-21", "635a.3(b)"),
    ):
        (need,) = asked(parse(example(name)), clause)
        assert need.where == "cards"
