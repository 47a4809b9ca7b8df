"""`shoetool settle --what-if`: the same round otherwise, in figures worked by hand; nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shoesim.scenario import Scenario
from shoetool.model.cards import card_name
from shoetool.table.table import SWITCH_HANDS
from test_cli_settle import documents, run, settle
from test_cli_settle_dealt import dealt_by_the_firmware

TABLE: dict[str, Any] = {"game": "blackjack", "decks": 6, "min_wager": 5, "max_wager": 1000, "chip_unit": "0.50"}


def two_players(**changes: Any) -> dict[str, Any]:
    """10 5 draws 6 to 21, and 9 7 draws 2 to 18, against the dealer's 8 9."""
    drawn = ["10H", "9S", "8D", "5H", "7C", "9D", "6C", "2S"]
    first = {"position": 1, "wager": "20.00", "decisions": ["hit"]}
    second = {"position": 2, "wager": "20.00", "decisions": ["hit", "stand"]}
    return {"format": "shoetool-round/1", "table": TABLE, "cards": drawn, "positions": [first, second], **changes}


def chosen(**settings: str) -> dict[str, Any]:
    """A switch to A K of clubs, against the dealer's 8 9."""
    seat = {"position": 1, "wager": "10.00", "ante": "2.00", "decisions": ["switch"]}
    drawn = ["AC", "KC", "10S", "8D", "9S", "9D"]
    table = {**TABLE, "switch_hands": "all", **settings}
    return two_players(table=table, cards=drawn, positions=[seat])


def capped(*decisions: Any) -> dict[str, Any]:
    """7 7 against 7 wins $15 of House Money and $75 of TriLux Deluxe; 14 loses against the dealer's 18."""
    seat = {"position": 1, "wager": "10.00", "side": {"house_money": "5", "trilux_deluxe": "5"}}
    table = {**TABLE, "wagers": {"house_money": {}, "trilux_deluxe": {}}}
    drawn = ["7C", "7H", "7D", "6C", "5H"]
    return two_players(table=table, cards=drawn, positions=[{**seat, "decisions": [*decisions, "stand"]}])


def compared(tmp_path: Path, one: dict[str, Any], *changes: str) -> dict[str, Any]:
    """The part `what_if` of the document."""
    options = [word for change in changes for word in ("--what-if", change)]
    result = settle(tmp_path, one, options=("--json", *options))
    assert "Traceback" not in result.stderr and result.exit_code in (0, 2), result.stderr
    found: dict[str, Any] = documents(result)[0]["what_if"]
    assert (result.exit_code == 2) == (found["error"] is not None)
    return found


def differing(found: dict[str, Any]) -> dict[tuple[int, str], tuple[int | None, int | None, int]]:
    """The wagers of which the money differs."""
    assert found["error"] is None, found["error"]
    return {
        (one["position"], one["wager"]): (one["actual"], one["what_if"], one["difference"])
        for one in found["compared"]["wagers"]
        if one["difference"]
    }


@pytest.mark.parametrize(
    ("changes", "money"),
    [
        (["2=stand"], {(2, "main"): (20_00, -20_00, -40_00)}),  # 16 against 17; the 2 stays in the shoe
        (["2=double"], {(2, "double"): (None, 20_00, 20_00)}),
        (["2=double:10.00"], {(2, "double"): (None, 10_00, 10_00)}),
        (["2=surrender"], {(2, "main"): (20_00, -10_00, -30_00)}),
        (["1=hit", "2=stand"], {(2, "main"): (20_00, -20_00, -40_00)}),
    ],
)
def test_another_decision_is_settled_with_the_same_cards(
    tmp_path: Path, changes: list[str], money: dict[Any, Any]
) -> None:
    found = compared(tmp_path, two_players(), *changes)
    assert differing(found) == money
    assert found["compared"]["tray"]["difference"] == -sum(difference for *_, difference in money.values())


def test_the_dealer_draws_what_the_last_player_leaves(tmp_path: Path) -> None:
    """9 7 stands on 16; the dealer has 8 4, draws the 2 and then the 10 that was his, and is over 21."""
    drawn = ["9S", "8D", "7C", "4D", "2S", "10C"]
    seat = {"position": 1, "wager": "20.00", "decisions": ["hit", "stand"]}
    found = compared(tmp_path, two_players(cards=drawn, positions=[seat]), "1=stand")
    assert differing(found) == {} and found["settled"]["dealer"] == ["8♦", "4♦", "2♠", "10♣"]
    assert found["notes"] == ["the dealer's hand would have been 8♦ 4♦ 2♠ 10♣ in place of 8♦ 4♦ 10♣"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["2=hit,hit"], "needs a card, and none is left"),
        (["1=stand"], "changes who gets which card"),
        (["1=stand", "2=hit"], ""),
        (["2=split"], "not allowed"),
        (["5=stand"], "position 5 has no wager in this round"),
        (["table=switch"], "the round was dealt as blackjack, the rules submission is for switch"),
        (["min_wager=50"], "the table takes $50.00"),
        (["no_such=1"], "no_such"),
        (["table=nowhere.toml"], "nowhere.toml"),
        (["decks.x=1"], "decks is no table"),
    ],
)
def test_what_the_cards_do_not_decide_is_said_and_not_guessed(tmp_path: Path, changes: list[str], words: str) -> None:
    found = compared(tmp_path, two_players(), *changes)
    if words:
        assert words in found["error"] and found["compared"] is None
    else:  # 9 7 gets the 6, which is given: 22
        assert differing(found) == {(1, "main"): (20_00, -20_00, -40_00), (2, "main"): (20_00, -20_00, -40_00)}


def test_another_player_with_other_cards_is_not_played_on(tmp_path: Path) -> None:
    """Position 1 stands: position 2 would draw 3 to 15 and hit again, as it did after the 4."""
    drawn = ["10H", "9S", "8D", "5H", "3C", "9D", "3H", "4S", "2S"]
    first = {"position": 1, "wager": "20.00", "decisions": ["hit", "stand"]}
    second = {"position": 2, "wager": "20.00", "decisions": ["hit", "stand"]}
    drawn = drawn[:8]
    found = compared(tmp_path, two_players(cards=drawn, positions=[first, second]), "1=stand")
    assert "position 2 would have got 9♠ 3♣ 3♥ in place of 9♠ 3♣ 4♠" in found["error"]


def test_a_round_in_which_something_went_wrong_with_the_cards_is_not_played_otherwise(tmp_path: Path) -> None:
    wrong = two_players(irregularities=[{"kind": "unexposed", "card": 8}])
    assert "something went wrong with its cards" in compared(tmp_path, wrong, "2=stand")["error"]


@pytest.mark.clause("633c.4(i)(2)(i)", "633c.4(o)#3")
@pytest.mark.parametrize(
    ("changes", "money"),
    [
        (["1=keep,stand"], {(1, "main"): (20_00, 10_00, -10_00)}),
        (["switch_hands_ante=returned"], {}),
        (["switch_hands_ante=returned", "1=keep,stand"], {(1, "ante"): (-2_00, 0, 2_00),
                                                          (1, "main"): (20_00, 10_00, -10_00)}),
        (["switch_hands=premium"], {}),
    ],
)  # fmt: skip
def test_another_choice_and_another_reading(tmp_path: Path, changes: list[str], money: dict[Any, Any]) -> None:
    assert differing(compared(tmp_path, chosen(), *changes)) == money


def test_another_order_of_the_deal_would_change_who_gets_which_card(tmp_path: Path) -> None:
    assert compared(tmp_path, chosen(), "switch_hands_order=last")["error"] is not None


def test_another_paytable_is_named_by_its_path(tmp_path: Path) -> None:
    """Royal Match of K Q of hearts, $2: paytable C pays 30 to 1, D pays 25 to 1."""
    table = {**TABLE, "wagers": {"royal_match_21": {"paytable": "C"}}}
    seat = {"position": 1, "wager": "20.00", "side": {"royal_match_21": "2.00"}, "decisions": ["stand"]}
    one = two_players(table=table, cards=["KH", "8D", "QH", "9D"], positions=[seat])
    found = compared(tmp_path, one, "wagers.royal_match_21.paytable=D")
    assert differing(found) == {(1, "royal_match_21"): (60_00, 50_00, -10_00)}


def test_the_text_has_both_amounts_and_the_difference(tmp_path: Path) -> None:
    result = settle(tmp_path, two_players(), options=("--what-if", "2=stand"))
    assert result.exit_code == 0
    assert result.stdout.split("what if 2=stand\n")[1].splitlines() == [
        "position  wager               as it was  what if  difference",
        "2         main wager, hand 1     +20.00   -20.00      -40.00",
        "1         main wager, hand 1     +20.00   +20.00        0.00",
        "          tray                   -40.00     0.00      +40.00",
    ]


def test_nothing_is_written(tmp_path: Path) -> None:
    settle(tmp_path, two_players(), options=("--what-if", "2=stand"))
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    assert json.loads((tmp_path / "r.json").read_text()) == two_players()


@pytest.mark.parametrize(
    "text", ["2", "2=jump", "8=stand", "2=hit:5", "=1", "2.even_money=yes", "2.insurance=x", "A=1"]
)
def test_a_change_that_cannot_be_read_is_bad_input(tmp_path: Path, text: str) -> None:
    result = settle(tmp_path, two_players(), options=("--what-if", text))
    assert result.exit_code == 2 and "Traceback" not in result.stderr and len(result.stderr.splitlines()) == 1


def test_what_if_needs_a_file() -> None:
    assert run("settle", "--list", "--what-if", "2=stand").exit_code == 2


@pytest.mark.clause("633c.4(g)")
def test_a_recorded_round_with_switch_hands_is_settled_and_compared(tmp_path: Path) -> None:
    """The history is of the firmware's own dealing."""
    path, rounds = dealt_by_the_firmware(tmp_path, Scenario(seed=3, players=(1, 1), rounds=6, options=SWITCH_HANDS))
    kept = 0
    for one in rounds:
        (position,) = one.seat_list()
        line = {
            "format": "shoetool-round/1",
            "history": {"round": one.number},
            "table": {**TABLE, "switch_hands": "all"},
            "positions": [{"position": position, "wager": "10.00", "ante": "2.00"}],
        }
        changes = ("--what-if", "switch_hands_ante=returned", "--history", str(path), "--json")
        (found,) = documents(settle(tmp_path, line, options=changes))
        assert found["error"] is None and not found["notes"], found
        dealer = [card_name(card.card) for card in one.dealer]
        assert found["settled"]["dealer"] == dealer
        back = 0 if one.chosen[position] else 2_00
        kept += back
        tray = found["what_if"]["compared"]["tray"]
        assert tray["difference"] == -back
    assert kept


@pytest.mark.parametrize("decisions", ["surrender"])
def test_a_recorded_round_is_played_otherwise(tmp_path: Path, decisions: str) -> None:
    path, rounds = dealt_by_the_firmware(tmp_path, Scenario(seed=3, players=(1, 1), rounds=8))
    seen = 0
    for one in rounds:
        (position,) = one.seat_list()
        line = {
            "format": "shoetool-round/1",
            "history": {"round": one.number},
            "table": TABLE,
            "positions": [{"position": position, "wager": "10.00"}],
        }
        options = ("--what-if", f"{position}={decisions}", "--history", str(path), "--json")
        (found,) = documents(settle(tmp_path, line, options=options))
        what = found["what_if"]
        if what["error"] is None:
            seen += 1
            (main,) = [row for row in what["compared"]["wagers"] if row["wager"] == "main"]
            assert main["what_if"] in (-5_00, -10_00)
    assert seen


@pytest.mark.clause("633c.11(e)#1", "633a.7(g)(10)(ii)(A)")
def test_winnings_of_one_wager_or_the_other_may_have_been_added(tmp_path: Path) -> None:
    for said, money in (
        ("press.trilux_deluxe:50", {(1, "press"): (None, -50_00, -50_00)}),
        ("press.house_money", {(1, "main"): (-10_00, -25_00, -15_00)}),
        (
            "press.house_money,press.trilux_deluxe",
            {(1, "main"): (-10_00, -25_00, -15_00), (1, "press"): (None, -75_00, -75_00)},
        ),
    ):
        assert differing(compared(tmp_path, capped(), f"1={said},stand")) == money
    assert "write press.house_money or press.trilux_deluxe" in compared(tmp_path, capped(), "1=press,stand")["error"]
    undone = compared(tmp_path, capped("press.trilux_deluxe"), "1=stand")
    assert differing(undone) == {(1, "press"): (-75_00, None, 75_00)}
