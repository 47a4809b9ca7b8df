"""`shoetool settle --history`: the round is played by the rules first; what the file says and cannot be is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from histories import Script
from in_process_shoe import InProcessShoe
from shoesim.scenario import Scenario, run_scenario
from shoetool.cli import build
from shoetool.model.protocol_table import Game, HandEnd, Role
from shoetool.round_file.dealt_round import Actions
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.table.table import SWITCH_HANDS
from test_cli_settle import HISTORY, IN_HISTORY, in_history

sys.path.append(str(Path(__file__).resolve().parents[1] / "regulation"))

from short_shoe import Short


def settled(folder: Path, line: dict[str, Any], history: Path, *options: str) -> Result:
    (folder / "r.json").write_text(json.dumps(line))
    return CliRunner().invoke(build(), ["settle", str(folder / "r.json"), "--history", str(history), *options])


def round_1(**changes: Any) -> dict[str, Any]:
    """Round 1 of the history, in which position 4 doubles; `changes` are those of position 4, or `meters`."""
    meters = changes.pop("meters", None)
    line = in_history(1) if meters is None else in_history(1, meters=meters)
    line["positions"][1].update(changes)
    return line


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"wager": "100000.00"}, ("position 4: Blackjack Wager of $100,000.00", "633a.6(d)")),
        ({"wager": "0.50"}, ("position 4: Blackjack Wager of $0.50", "633a.6(d)")),
        ({"side": {"push_22": "5.00"}}, ("Push 22 is not offered at this table", "633a.6(e)")),
        ({"insurance": "10.00"}, ("insurance", "633a.8(a)")),
        ({"even_money": True}, ("even money", "633a.8(e)")),
        ({"decisions": [{"double": "20.01"}]}, ("a double of $20.01 on a wager of $20.00", "633a.10(a)")),
        ({"decisions": [{"press": "5.00"}, "double"]}, ("position 4", "633a.7(g)(10)(ii)")),
        ({"meters": {"push_22": "100.00"}}, ("a meter of 'push_22' is given", "this table does not have")),
    ],
)
def test_what_the_rules_do_not_allow_of_the_file_is_refused(
    changes: dict[str, Any], words: tuple[str, str], tmp_path: Path
) -> None:
    result = settled(tmp_path, round_1(**changes), HISTORY)
    assert result.exit_code == 2 and not result.stdout
    assert all(word in result.stderr for word in words), result.stderr


@pytest.mark.parametrize("number", IN_HISTORY)
def test_a_round_by_the_rules_has_no_breach(number: int, tmp_path: Path) -> None:
    for positions in ((1, 4), (4,), (1,)):  # those who are left out were dealt to all the same
        result = settled(tmp_path, in_history(number, *positions), HISTORY)
        assert result.exit_code == 0 and "BREACH" not in result.stdout, result.output


@pytest.mark.parametrize("amount", ["10.00", "20.00"])
def test_a_double_for_less_is_allowed(amount: str, tmp_path: Path) -> None:
    result = settled(tmp_path, round_1(decisions=[{"double": amount}]), HISTORY)
    assert result.exit_code == 0, result.output


def on_18(short: Short) -> None:
    """The dealer takes a card on 18."""
    short.start(1)
    short.opening({1: "10C"}, "8C", {1: "9C"}, "KH")
    short.stand(1)
    short.reveal()
    short.card(Role.DEALER_DRAW, 0, "2D")
    short.close(20)


def no_pair(short: Short) -> None:
    """The player splits a 9 and an 8."""
    short.start(1)
    short.opening({1: "9C"}, "8C", {1: "8D"}, "KH")
    short.add("split", 1, 0, 1)
    short.give(1, "10D", Role.SPLIT_SECOND, 0)
    short.end_hand(1, HandEnd.STAND, 0)
    short.give(1, "10H", Role.SPLIT_SECOND, 1)
    short.end_hand(1, HandEnd.STAND, 1)
    short.reveal()
    short.close(18)


def seventh(short: Short) -> None:
    """A seventh 10 of clubs of six decks."""
    short.start(1, 2, 3)
    same = dict.fromkeys((1, 2, 3), "10C")
    short.opening(same, "10C", same, "KH")
    short.stand(1, 2, 3)
    short.reveal()
    short.close(20)


@pytest.mark.parametrize(
    ("deal", "words"),
    [(no_pair, "(633a.11(a))"), (seventh, "10♣")],
)
def test_a_rule_that_was_broken_at_the_table_stands_beside_the_settlement(
    deal: Any, words: str, tmp_path: Path
) -> None:
    short = Short()
    deal(short)
    short.end()
    history = tmp_path / "h.shoelog"
    short.s.write(history)
    line = in_history(1, *((1, 2, 3) if deal is seventh else (1,)))
    del line["history"]["shoe"]
    result = settled(tmp_path, line, history)
    assert result.exit_code == 1, result.output
    told = " ".join(result.stdout.split())
    assert "tray " in told and "BREACH the rules do not allow this; settled as dealt" in told
    assert words in told, told
    document = json.loads(settled(tmp_path, line, history, "--json").stdout)["files"][0]["rounds"][0]
    assert document["settled"] is not None and any(words in note for note in document["notes"])


def test_a_dealer_who_drew_on_18_leaves_nothing_to_settle(tmp_path: Path) -> None:
    short = Short()
    on_18(short)
    short.end()
    line = in_history(1, 1)
    del line["history"]["shoe"]
    result = settled(tmp_path, line, short.s.write(tmp_path / "h.shoelog"))
    assert result.exit_code == 2 and "the dealer had 18 and drew 2♦ (633a.7(m))" in result.stderr


def dealt_by_the_firmware(folder: Path, scenario: Scenario) -> tuple[Path, list[Round]]:
    """A history of the firmware's own dealing, and its rounds."""
    print("seed", scenario.seed)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    records = shoe.history()
    replay = Stream()
    rounds = [state.closed_round for state in map(replay.feed, records) if state.closed_round is not None]
    script = Script()
    script.records = records
    return script.write(folder / "dealt.shoelog"), rounds


def test_633c_4_a_round_with_switch_hands_is_refused_and_not_settled_as_plain_blackjack(tmp_path: Path) -> None:
    scenario = Scenario(seed=3, players=(2, 2), rounds=1, options=SWITCH_HANDS)
    path, (one,) = dealt_by_the_firmware(tmp_path, scenario)
    line = in_history(1, history={"round": 1})
    line["positions"] = [{"position": one.seat_list()[0], "wager": "20.00"}]
    result = settled(tmp_path, line, path)
    assert result.exit_code == 2 and "Traceback" not in result.stderr
    assert "round 1 was dealt with switch hands, which the rules submission does not offer (633c.4(k))" in result.stderr


def test_633a_12_a_4_a_switch_that_the_file_has_and_the_history_has_not_is_named(tmp_path: Path) -> None:
    scenario = Scenario(game=Game.SWITCH, decks=6, seed=5, players=(2, 3), rounds=30)
    path, rounds = dealt_by_the_firmware(tmp_path, scenario)
    noted = {}
    for one in rounds:
        for box in one.seat_list():
            words = Actions(one).by_box.get(box, [])
            told = ["switch", *words] if "switch" not in words else words[1:]
            if one.void or not told or not all(word in {"switch", "stand", "hit"} for word in told):
                continue
            line = in_history(one.number, table={"game": "switch", "decks": 6}, history={"round": one.number})
            line["positions"] = [{"position": box, "wager": "20.00", "decisions": told}]
            result = settled(tmp_path, line, path)
            assert result.exit_code in (0, 3, 4), result.output
            assert f"position {box} has {', '.join(told)} here" in result.stderr, result.output
            noted["switch" in words] = True
    assert set(noted) == {False, True}
