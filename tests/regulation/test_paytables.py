"""The paytables: complete, in the regulation's words and figures, and chosen by letter and decks."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from shoetool.model.errors import BadInput
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import GAMES, deck_words, parse_paytables, paytable, paytables
from shoetool.rules.wagers import BONUSES, WAGERS

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "host_tools" / "shoetool"


@pytest.mark.clause("633a.13(a)", "633a.13(b)")
def test_main_wager_and_insurance_of_every_game_have_a_paytable() -> None:
    for game in GAMES:
        main = paytable("main", "", 6, game)
        assert main.row("win").odds.text == "1 to 1"
        assert main.row("blackjack").odds.text == "3 to 2"
        assert paytable("insurance", "", 6, game).row("win").odds.text == "2 to 1"
    assert paytable("main", "", 6, "free_bet").row("lammer").odds.text == "1 to 1"


@pytest.mark.clause("633a.12(a)(5)(i)")
def test_only_switch_has_a_row_for_a_blackjack_against_a_dealers_21() -> None:
    assert [game for game in GAMES if paytable("main", "", 6, game).has("blackjack_dealer_21")] == ["switch"]
    assert paytable("main", "", 6, "switch").row("blackjack_dealer_21").clause == "633a.12(a)(5)(i)"


SPANISH = {
    "six_seven_eight_mixed": ("635a.12(b)(1)", "3 to 2"),
    "six_seven_eight_suited": ("635a.12(b)(2)", "2 to 1"),
    "six_seven_eight_spades": ("635a.12(b)(2)", "3 to 1"),
    "three_sevens_mixed": ("635a.12(b)(3)", "3 to 2"),
    "three_sevens_suited": ("635a.12(b)(4)", "2 to 1"),
    "three_sevens_spades": ("635a.12(b)(4)", "3 to 1"),
    "five_card_21": ("635a.12(b)(5)", "3 to 2"),
    "six_card_21": ("635a.12(b)(6)", "2 to 1"),
    "seven_or_more_card_21": ("635a.12(b)(7)", "3 to 1"),
}


@pytest.mark.clause(
    *(),
    *(),
)
def test_the_additional_payouts_of_spanish_21() -> None:
    assert {row.key: (row.clause, row.odds.text) for row in paytable("card_bonus", "", 6).rows} == SPANISH


def test_the_fixed_sums_of_spanish_21() -> None:
    found = {row.key: (row.clause, row.odds.sum) for row in paytable("bonus", "", 8).rows}
    assert found == {
        "from_5_below_25": ("635a.12(c)(1)", 100_000),
        "from_25": ("635a.12(c)(2)", 500_000),
        "other_players": ("635a.12(c)(3)", 5_000),
    }


@pytest.mark.parametrize(
    ("wager", "name", "decks", "clause"),
    [
        ("match_the_dealer", "", 6, "633a.13(d)(1)"),
        ("match_the_dealer", "", 8, "633a.13(d)(2)"),
        ("royal_match_21", "B", 1, "633a.13(f)(1)"),
        ("royal_match_21", "E", 2, "633a.13(f)(2)"),
        ("bet_the_set_21", "", 1, "633a.13(g)(1)"),
        ("bet_the_set_21", "", 2, "633a.13(g)(2)"),
        ("bet_the_set_21", "D", 4, "633a.13(g)(3)"),
        ("super_match", "", 6, "633a.13(i)(1)"),
        ("super_match", "", 8, "633a.13(i)(2)"),
        ("house_money", "", 1, "633a.13(n)(1)"),
        ("house_money", "", 2, "633a.13(n)(2)"),
        ("spanish_match_the_dealer", "", 6, "635a.12(e)(1)"),
        ("spanish_match_the_dealer", "", 8, "635a.12(e)(2)"),
        ("push_22", "B", 6, "590.12(c)"),
    ],
)
def test_letter_and_decks_choose_the_paytable(wager: str, name: str, decks: int, clause: str) -> None:
    assert paytable(wager, name, decks).clause == clause


@pytest.mark.parametrize(
    ("wager", "name", "decks", "game", "words"),
    [
        ("match_the_dealer", "", 7, None, "no paytable for seven decks, only for six decks, eight decks"),
        ("super_match", "", 5, None, "633a.13(i)(1)"),
        ("bet_the_set_21", "", 3, None, "no paytable for three decks"),
        ("bet_the_set_21", "A", 6, None, "paytable A of Bet the Set 21 Wager is for one deck"),
        ("bet_the_set_21", "Z", 6, None, "no paytable 'Z'"),
        ("royal_match_21", "", 6, None, "name a paytable"),
        ("royal_match_21", "A", 6, None, "choose C, D, E"),
        ("push_22", "A", 6, "blackjack", "not offered in the game 'blackjack'"),
        ("lucky_ladies", "A", 6, None, "leave the name out"),
        ("main", "", 6, None, "name the game"),
        ("lucky_lady", "", 6, None, "no paytable for a wager 'lucky_lady'"),
    ],
)
def test_a_choice_that_the_text_does_not_have_is_refused(
    wager: str, name: str, decks: int, game: str | None, words: str
) -> None:
    """Readings 6 and 11: no table is made up for other deck counts."""
    with pytest.raises(BadInput, match=None) as caught:
        paytable(wager, name, decks, game)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["0", "a", "Z"])
def test_a_letter_before_or_behind_those_of_the_text_is_none_of_them(name: str) -> None:
    with pytest.raises(BadInput, match=f"has no paytable {name!r}; its paytables: "):
        paytable("royal_match_21", name, 6)


def test_every_row_has_a_predicate_and_every_predicate_a_row() -> None:
    for key, wager in WAGERS.items():
        rows = {row.key: row for table in paytables(key) for row in table.rows}
        bonuses = {row for bonus in wager.bonuses for row in bonus.keys}
        assert {row for outcome in wager.outcomes if not outcome.unpaid for row in outcome.rows} | bonuses == set(rows)
        assert {row.key for row in rows.values() if row.bonus} == bonuses
        assert [outcome.key for outcome in wager.outcomes] == list(dict.fromkeys(o.key for o in wager.outcomes))


def test_every_optional_wager_has_paytables_and_games_that_agree() -> None:
    for key, wager in WAGERS.items():
        for table in paytables(key):
            assert table.games == wager.games
            assert table.clause.startswith(wager.pays.removesuffix("(1)"))
    assert {bonus.of for bonus in BONUSES.values()} <= set(WAGERS)


@pytest.mark.parametrize("key", [key for key in WAGERS if "match_the_dealer" not in key and key != "buzzer_beater"])
def test_the_text_prints_a_better_outcome_before_a_worse(key: str) -> None:
    """Where outcomes overlap the best one is paid; House Money and the others print it first."""
    for table in paytables(key):
        ratios = [
            (row.odds.meter_share, row.odds.for_one) for row in table.rows if not row.bonus and key != "royal_match_21"
        ]
        assert ratios == sorted(ratios, reverse=True)


def test_two_suited_pairs_of_one_deck_do_not_exist_so_that_table_has_no_row_for_them() -> None:
    assert [row.key for row in paytable("bet_the_set_21", "A", 1).rows] == ["pair"]


def test_paytable_names_are_unique_for_each_number_of_decks() -> None:
    for key in WAGERS:
        for decks in range(1, 13):
            names = [table.name for table in paytables(key) if table.covers(decks)]
            assert len(names) == len(set(names))


def test_deck_conditions_in_words() -> None:
    assert [deck_words(one) for one in ((1, None), (2, None), (1, 1), (6, 6), (2, 4))] == [
        "any number of decks",
        "two or more decks",
        "one deck",
        "six decks",
        "2 to 4 decks",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no [[paytable]]"),
        ('wager="x"\ntitle="X"\ngames=["blackjack"]\n[[paytable]]\nclause="c"\n', "paytable 1"),
        ('wager="x"\ntitle="X"\ngames=["poker"]\n[[paytable]]\nclause="c"\nrows=[]\n', "poker"),
        (
            'wager="x"\ntitle="X"\ngames=["blackjack"]\n[[paytable]]\nclause="c"\n'
            'rows=[{key="a", outcome="A", odds="3 too 2"}]\n',
            "'3 too 2' is not a payout",
        ),
        (
            'wager="x"\ntitle="X"\ngames=["blackjack"]\n[[paytable]]\nclause="c"\n'
            'rows=[{key="a", outcome="A", odds="3 to 2"}, {key="a", outcome="B", odds="3 to 2"}]\n',
            "doubled",
        ),
    ],
)
def test_a_faulty_paytable_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_paytables(tomllib.loads(text), "x.toml")
    assert words in str(caught.value)
    assert str(caught.value).startswith("x.toml")


def test_json_has_the_words_and_figures_of_the_regulation() -> None:
    found = paytable("straight_jack", "", 6).to_json()
    assert found["decks"] == {"min": 1, "max": None}
    assert found["rows"][0]["odds"] == "100% of meter and 200 to 1"
    assert found["rows"][0]["outcome"] == "Player has: Six-card straight with an ace of spades"
    assert all(Odds.parse(row["odds"]).text == row["odds"] for table in paytables() for row in table.to_json()["rows"])


def test_the_paytables_ship_with_the_package() -> None:
    """Package data is declared by pattern, and every paytable matches it."""
    declared = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    shipped = {path for pattern in declared["shoetool"] for path in PACKAGE.glob(pattern)}
    assert set((PACKAGE / "rules" / "paytables").glob("*.toml")) <= shipped
