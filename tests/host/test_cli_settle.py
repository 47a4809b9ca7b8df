"""`shoetool settle`: every example against a settlement computed by hand, what was paid, histories, and bad files."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.model.errors import BadInput
from shoetool.round_file.examples import round_example, round_example_names
from shoetool.rules.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = resources.files("shoetool") / "schemas"
ROUND = Draft202012Validator(json.loads((SCHEMAS / "round.schema.json").read_text()))
DOCUMENT = Draft202012Validator(json.loads((SCHEMAS / "settle.schema.json").read_text()))


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments], input=stdin)


def settle(tmp_path: Path, *rounds: str | dict[str, Any], options: tuple[str, ...] = ()) -> Result:
    """Run `settle` on a file of these rounds."""
    path = tmp_path / "r.json"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rounds))
    return run("settle", path, *options)


def documents(result: Result) -> list[dict[str, Any]]:
    """The rounds of the one file of a JSON result, which keeps to its schema."""
    document = json.loads(result.stdout)
    DOCUMENT.validate(document)
    rounds: list[dict[str, Any]] = document["files"][0]["rounds"]
    return rounds


def only(tmp_path: Path, one: str | dict[str, Any]) -> dict[str, Any]:
    result = settle(tmp_path, one, options=("--json",))
    assert result.exit_code in (0, 1), result.stderr
    return documents(result)[0]["settled"]  # type: ignore[no-any-return]


def said(result: Result) -> str:
    """The one line of a refusal."""
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("shoetool: ")
    return line.removeprefix("shoetool: ")


Expected = dict[tuple[int, int | None, str], tuple[str, int]]
# Computed by hand from the paytables of the regulation: (position, hand, wager) -> (clause, cents won or lost); then
# what the tray and the house won or lost.
BY_HAND: dict[str, tuple[Expected, int, int]] = {
    # The dealer's A-6 is a soft 17 and stands. 25.00 x 1/1; half of 25.00 insured and lost; 15.00 x 1/1 at once; 8-3-10
    # doubled beats 17, 8-9 ties it; half of 25.00 surrendered.
    "blackjack": (
        {
            (1, None, "insurance"): ("633a.8(d)", -12_50),
            (1, 1, "main"): ("633a.7(p)(2)", 25_00),
            (2, 1, "main"): ("633a.8(e)", 15_00),
            (4, 1, "main"): ("633a.7(p)(2)", 20_00),
            (4, 1, "double"): ("633a.13(a)", 20_00),
            (4, 2, "main"): ("633a.7(q) tie", 0),
            (6, 1, "main"): ("633a.9(a)(2)(ii)", -12_50),
        },
        -55_00,
        0,
    ),
    # Two queens of hearts: Suited Match 4.00 x 2.5, Suited Pairs in table D 3.00 x 12, with Q Q 10 no three-card poker
    # hand, and 5.00 x 1,000 against the dealer's Blackjack. K-Q of spades: Royal Match in table C 10.00 x 30, with the
    # 10 of spades a flush 10.00 x 9, no card of the up card's rank.
    "side-wagers": (
        {
            (2, None, "royal_match_21"): ("633a.7(g)(4) pay", 10_00),
            (2, None, "bet_the_set_21"): ("633a.7(g)(5)", 36_00),
            (2, None, "three_card_poker"): ("633a.7(g)", -2_00),
            (2, None, "lucky_ladies"): ("633a.7(g)(1)(ii)", 5_000_00),
            (2, 1, "main"): ("633a.7(h) result", -15_00),
            (5, None, "match_the_dealer"): ("633a.7(g)", -5_00),
            (5, None, "royal_match_21"): ("633a.7(g)(4) pay", 300_00),
            (5, None, "three_card_poker"): ("633a.7(g)(8)", 90_00),
            (5, 1, "main"): ("633a.7(h) result", -50_00),
        },
        -5_364_00,
        0,
    ),
    # 5-2-4-3-7 is a 21 in five cards: 5.00 x 100 for 1 keeps the stake; the Magic Card 5.00 x 20, the Lucky Player
    # 1.00 x 5, in game accounts and not from the tray.
    "bad-beat": (
        {
            (3, None, "bad_beat"): ("633a.7(o)(1)(i)", 495_00),
            (3, None, "magic_card"): ("633a.1 Magic Card bonus", 100_00),
            (3, 1, "main"): ("633a.7(p)(2)", -25_00),
            (6, None, "bad_beat"): ("633a.7(o)", -1_00),
            (6, None, "lucky_player"): ("633a.1 Lucky Player bonus", 5_00),
            (6, 1, "main"): ("633a.7(p)(2)", -15_00),
        },
        40_00,
        -599_00,
    ),
    # 25.00 x 3/2 against a 9; 21 against 9-7-K.
    "dispute": (
        {(3, 1, "main"): ("633a.7(i)(1)(i)", 37_50), (5, 1, "main"): ("633a.7(p)(1)", 40_00)},
        -77_50,
        0,
    ),
    # 8 lies alone between 7 and 9: 5.00 x 10; between 3 and queen lie eight ranks: 5.00 x 1. The dealer's 8-4-2-A-2 has
    # five cards: 5.00 x 8 for 1.
    "double-shoe": (
        {
            (1, None, "in_between"): ("633a.7(g)(3)(i)", 50_00),
            (1, None, "hit_and_run"): ("633a.7(o)(2)(i)", 35_00),
            (1, 1, "main"): ("633a.7(p)(2)", 25_00),
            (4, None, "match_the_dealer"): ("633a.7(g)", -5_00),
            (4, None, "in_between"): ("633a.7(g)(3)(i)", 5_00),
            (4, 1, "main"): ("633a.7(p)(2)", -25_00),
        },
        -85_00,
        0,
    ),
    # 19 ties the dealer's 19, 5.00 x 5; 19-2 has 21. Both hands of 8-8 take the 2, one goes on and has 17, the other
    # stands on 10 without a choice. No chips: the house pays.
    "hybrid": (
        {
            (1, None, "buzzer_beater"): ("633c.5(u)(1)", 25_00),
            (1, 1, "main"): ("633c.5(t)(2)", 0),
            (2, 1, "main"): ("633c.5(t)(1)(ii)", 10_00),
            (5, 1, "main"): ("633c.5(t)(3)(ii)", -20_00),
            (5, 2, "main"): ("633c.5(t)(3)(ii)", -20_00),
        },
        0,
        5_00,
    ),
    # 6-5: who stands meets A-4-10-9, 24; who takes the 4 meets A-10. The surrender meets A-4, no Blackjack: half of
    # 10.00 and the insurance are lost. 11 draws by itself, 15 stands. Suited cards with table C 5.00 x 5/2.
    "hybrid-no-hole": (
        {
            (1, None, "royal_match_21"): ("633a.7(g)(4) pay", 12_50),
            (1, 1, "main"): ("633c.5(t)(1)(i)", 10_00),
            (2, 1, "main"): ("633c.5(bb)(1)", -10_00),
            (3, None, "insurance"): ("633c.5(aa)(2)(ii)", -5_00),
            (3, 1, "main"): ("633a.9(a)(2)(i)", -5_00),
            (4, 1, "main"): ("633c.5(bb)(1)", -10_00),
        },
        0,
        7_50,
    ),
    # 22 returns every main wager; A-6-9-K match nothing; three 10s 10.00 x 5 with six decks.
    "switch": (
        {
            (2, None, "super_match"): ("633a.7(g)", -5_00),
            (2, 1, "main"): ("633a.12(a)(5)(iv)", 0),
            (2, 2, "main"): ("633a.12(a)(5)(v)", 0),
            (5, None, "super_match"): ("633a.7(g)(7)", 50_00),
            (5, 1, "main"): ("633a.12(a)(5)(v)", 0),
            (5, 2, "main"): ("633a.12(a)(5)(v)", 0),
        },
        -45_00,
        0,
    ),
    # K-Q of hearts in table A 5.00 x 10, the dealer's K-Q of spades 5.00 x 1,000; 20 ties 20. A-K of clubs with one
    # deck 10.00 x 9, 50.00 of it beside 10.00 on a Blackjack: 60.00 x 3/2.
    "from-the-hand": (
        {
            (2, None, "royal_match_21"): ("633a.7(g)(4) defer", 50_00),
            (2, None, "crown_treasure"): ("633a.7(g)(4) bonus", 5_000_00),
            (2, 1, "main"): ("633a.7(q) tie", 0),
            (4, None, "house_money"): ("633a.7(g)(10)(i)(B)", 90_00),
            (4, 1, "main"): ("633a.7(i)(1)(ii)(A)", 90_00),
        },
        -5_230_00,
        0,
    ),
    # 8-8 splits free: 8-3-9 doubled free wins 20.00 twice, 8-10 wins what its lammer stands for. 5-5 doubled free loses
    # the real 30.00 only. The dealer has 17, not 22.
    "free-bet": (
        {
            (1, 1, "main"): ("590.7(o)(2)", 20_00),
            (1, 1, "lammer"): ("590.7(o)(2)", 20_00),
            (1, 2, "lammer"): ("590.7(o)(2)", 20_00),
            (3, None, "push_22"): ("590.7(n)(2)", -5_00),
            (3, 1, "main"): ("590.7(q)(2)", -30_00),
            (3, 1, "lammer"): ("590.7(q)(2)", 0),
        },
        -25_00,
        0,
    ),
    # A Blackjack against a 6 is paid at once, 20.00 x 3/2; hearts and diamonds are one color, 10.00 x 20; 22 returns
    # the other wager and takes its lammer.
    "free-bet-push-22": (
        {
            (2, 1, "main"): ("590.7(h)(1)", 30_00),
            (2, None, "push_22"): ("590.7(n)(1)", 200_00),
            (4, 1, "main"): ("590.7(n)(1)", 0),
            (4, 1, "lammer"): ("590.7(n)(1)", 0),
        },
        -230_00,
        0,
    ),
    # 5-6-2 doubled, 7: 20 beats 17 twice at 20.00; J-2-3 rescued: 40.00 forfeited, the double back; 6-7-8 of mixed
    # suits 20.00 x 3/2; the 7 of diamonds matches the 7 of clubs 5.00 x 4 with six decks.
    "spanish-21": (
        {
            (1, 1, "main"): ("635a.7(n)(2)", 20_00),
            (1, 1, "double"): ("635a.10(c)", 20_00),
            (3, 1, "main"): ("635a.10(d)", -40_00),
            (3, 1, "double"): ("635a.10(d)", 0),
            (5, None, "spanish_match_the_dealer"): ("635a.7(f)(1)", 20_00),
            (5, 1, "main"): ("635a.12(b)(1)", 30_00),
        },
        -50_00,
        0,
    ),
    # Three 7s of hearts 25.00 x 2/1 and $5,000; $50 for the one other player, once for his two boxes.
    "super-bonus": (
        {
            (2, 1, "main"): ("635a.12(b)(4)", 50_00),
            (2, 1, "bonus"): ("635a.12(c)(2)", 5_000_00),
            (4, 1, "main"): ("635a.7(n)(2)", 10_00),
            (6, 1, "main"): ("635a.7(n)(2)", 10_00),
            (6, None, "bonus"): ("635a.12(c)(3)", 50_00),
        },
        -5_120_00,
        0,
    ),
}


@pytest.mark.parametrize("name", round_example_names())
def test_every_example_settles_as_computed_by_hand(name: str, tmp_path: Path) -> None:
    expected, tray, house = BY_HAND[name]
    settled = only(tmp_path, round_example(name))
    lines = {(one["position"], one["hand"], one["wager"]): (one["clause"], one["net"]) for one in settled["lines"]}
    # The hand number of a bonus of the main wager is the settlement's to choose.
    lines = {(p, None if w == "bonus" else h, w): value for (p, h, w), value in lines.items()}
    assert lines == {(p, None if w == "bonus" else h, w): value for (p, h, w), value in expected.items()}
    assert (settled["tray"], settled["house"], settled["meters"]) == (tray, house, {})
    assert sum(one["net"] for one in settled["positions"]) + tray + house == 0, "money is conserved"


def test_an_example_that_is_not_there_is_named_with_60_characters_at_most() -> None:
    with pytest.raises(BadInput) as caught:
        round_example("q" * 61)
    assert f"no example {'q' * 60!r}; there are " in str(caught.value)
    with pytest.raises(BadInput, match="did you mean dispute"):
        round_example("disputes")


def test_the_examples_cover_every_game_and_keep_to_the_schema(tmp_path: Path) -> None:
    games = set()
    for name in round_example_names():
        ROUND.validate(json.loads(round_example(name)))
        games.add(only(tmp_path, round_example(name))["game"])
    assert games == set(GAMES) and len(round_example_names()) >= 8


def test_the_example_of_a_dispute_is_the_one_in_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dispute.json").write_text(run("settle", "--example", "dispute").stdout)
    result = run("settle", "dispute.json")
    assert result.exit_code == 1
    assert f"```\n{result.stdout}```\n" in (ROOT / "README.md").read_text()


def test_the_first_round_of_the_format_document_can_be_settled(tmp_path: Path) -> None:
    blocks = re.findall(r"^```json\n(.*?)^```", (ROOT / "host_tools" / "ROUND_FORMAT.md").read_text(), re.M | re.S)
    ROUND.validate(json.loads(blocks[0]))
    assert only(tmp_path, blocks[0])["tray"] == -12_50
    ROUND.validate(json.loads(blocks[1]))
    assert only(tmp_path, blocks[1])["tray"] == -117_50, "by hand"
    for line in blocks[2].splitlines():
        ROUND.validate(json.loads(line))


ROUND_1: dict[str, Any] = {
    "format": "shoetool-round/1",
    "table": "blackjack",
    "cards": ["10H", "9S", "9H", "8C"],
    "positions": [{"position": 3, "wager": "25.00", "decisions": ["stand"]}],
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**ROUND_1, **changes}


def seat(**changes: Any) -> dict[str, Any]:
    return changed(positions=[{**ROUND_1["positions"][0], **changes}])


@pytest.mark.parametrize(
    ("paid", "code", "differ"),
    [
        ([{"position": 3, "amount": "25.00"}], 0, []),
        ([{"position": 3, "wager": "main", "hand": 1, "amount": 25}], 0, []),
        ([{"position": 3, "amount": "-25.00"}], 1, [(-25_00, 25_00)]),
        ([{"position": 3, "amount": "+24.99"}], 1, [(24_99, 25_00)]),
        ([{"position": 3, "wager": "insurance", "amount": "0"}], 0, []),
        ([{"position": 5, "amount": "10"}], 1, [(10_00, 0)]),
        ([{"position": 3, "wager": "main", "amount": 0}, {"position": 3, "amount": 25}], 1, [(0, 25_00)]),
        ([{"position": 3, "wager": "main", "amount": 25}] * 2, 1, [(50_00, 25_00)]),
        ([{"position": 3, "amount": "12.50"}] * 2, 0, []),
    ],
)
def test_what_was_paid_is_compared_to_the_cent(
    paid: list[dict[str, Any]], code: int, differ: list[tuple[int, int]], tmp_path: Path
) -> None:
    result = settle(tmp_path, changed(paid=paid), options=("--json",))
    assert result.exit_code == code
    found = documents(result)[0]["settled"]["differences"]
    assert [(one["paid"], one["due"]) for one in found] == differ
    text = settle(tmp_path, changed(paid=paid))
    assert text.exit_code == code and text.stdout.count("DIFFERS") == len(differ)


def test_several_rounds_are_settled_and_summed_up(tmp_path: Path) -> None:
    head = {"format": "shoetool-round/1", "table": "blackjack"}
    plain = {key: value for key, value in ROUND_1.items() if key not in head}
    result = settle(tmp_path, head, plain, plain)
    assert result.exit_code == 0
    assert result.stdout.endswith("\n2 rounds\ntray -50.00\n")


def test_a_refused_round_does_not_keep_the_others_from_being_settled(tmp_path: Path) -> None:
    result = settle(tmp_path, ROUND_1, seat(wager="2000.00"), ROUND_1)
    assert "r.json: line 2: position 3: Blackjack Wager of $2,000.00" in said(result)
    assert result.stdout.endswith("2 rounds\ntray -50.00\n")


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (changed(cards=["AS"] * 7), "633a.3(a)"),
        (changed(cards=["10H", "9S", "9H"]), "633a.7(f)(4)"),
        (changed(cards=[*ROUND_1["cards"], "2C"]), "633a.7(m)"),
        (seat(decisions=["hit", "stand"]), "a card, and none is left of the 4 drawn (633a.7(k))"),
        (seat(decisions=["split"]), "633a.11(a)"),
        (seat(side={"lucky_ladies": "500.00"}), "633a.6(e)"),
        (seat(side={"in_between": "5.00"}), "not offered at this table"),
        (seat(wager="1.00"), "633a.6(d)"),
        (seat(insurance="5.00"), "633a.8(a)"),
        (seat(position=7, decisions=["stand", "stand"]), "position 7"),
    ],
)
def test_an_impossible_round_is_refused_with_the_clause(one: dict[str, Any], words: str, tmp_path: Path) -> None:
    line = said(settle(tmp_path, one))
    assert words in line and "r.json" in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: not JSON: nothing to read"),
        ("{", "line 1, column 2: not JSON"),
        ("[]", "line 1, column 1: $: a list is not an object"),
        ('{"format": "shoetool-round/2"}', '$.format: is not "shoetool-round/1"'),
        ('{"positions": []}', '"format" is missing'),
        (json.dumps(changed(postions=[])), "$.postions: there is no such key; did you mean positions?"),
        (json.dumps(seat(wager=12.5)), "$.positions[0].wager: 12.5 is not exact"),
        (json.dumps(changed(cards=["10H", "1S"])), "$.cards[1]: '1S' is not a card"),
        (
            json.dumps(seat(decisions=["hti"])),
            "$.positions[0].decisions[0]: 'hti' is not a decision; did you mean",
        ),
        (json.dumps(ROUND_1, indent=1).replace('"25.00"', "NaN"), "line 13, column 13: $.positions[0].wager: NaN"),
        (json.dumps(changed(history={"round": 1})), "$.history: the round has cards too"),
        ('{"format": "shoetool-round/1", "table": "a", "table": "b"}', "the key 'table' stands twice"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    assert words in said(settle(tmp_path, text))


def test_a_table_is_a_file_beside_the_round_an_example_or_settings(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('game = "blackjack"\ndecks = 8\n')
    assert only(tmp_path, changed(table="mine.toml"))["decks"] == 8
    assert only(tmp_path, changed(table="double-shoe"))["decks"] == 8
    assert only(tmp_path, changed(table={"game": "blackjack", "decks": 1}))["decks"] == 1
    given = settle(tmp_path, changed(table="switch"), options=("--table", str(tmp_path / "mine.toml"), "--json"))
    assert documents(given)[0]["settled"]["decks"] == 8


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("blakjack", "'blakjack' is neither a file nor an example"),
        ({"game": "blackjack"}, "$.table: decks: is missing"),
        ({"game": "spanish_21", "decks": 4}, "635a.3(a) count"),
        ({"game": "blackjack", "decks": 6, "min_wager": 2.5}, "is not exact money"),
    ],
)
def test_a_bad_table_is_refused(table: Any, words: str, tmp_path: Path) -> None:
    assert words in said(settle(tmp_path, changed(table=table)))


def test_a_round_without_a_table_asks_for_one(tmp_path: Path) -> None:
    one = {key: value for key, value in ROUND_1.items() if key != "table"}
    assert "give one with --table" in said(settle(tmp_path, one))


def test_standard_input_is_read(tmp_path: Path) -> None:
    result = run("settle", "-", stdin=json.dumps(ROUND_1))
    assert result.exit_code == 0 and "position 3  10♥ 9♥  19  +25.00" in result.stdout


def test_a_file_that_is_no_file_or_no_text_is_refused(tmp_path: Path) -> None:
    assert "no such file" in said(run("settle", tmp_path / "none.json"))
    assert "is a directory" in said(run("settle", tmp_path))
    (tmp_path / "b.json").write_bytes(b"\xff\xfe")
    assert "line 1: not UTF-8 text" in said(run("settle", tmp_path / "b.json"))
    assert "there is no example 'free'" in said(run("settle", "--example", "free"))
    assert "name a file, or one of" in said(run("settle"))


HISTORY = ROOT / "tests" / "vectors" / "history" / "clean_single.shoelog"
# Its first rounds, dealt to positions 1 and 4, with 20.00 on each: 5-A (16) and 5-9-8 (22) of a split lose to 2-8-A, a
# doubled 6-5-J ties it; a surrender gives half, A-10 wins 20.00 x 3/2 against a 4; 18 ties 7-A, 19 beats it.
IN_HISTORY = {1: {1: -40_00, 4: 0}, 2: {1: -10_00, 4: 30_00}, 3: {1: 0, 4: 20_00}}


def in_history(number: int, *positions: int, **changes: Any) -> dict[str, Any]:
    seats = [{"position": position, "wager": "20.00"} for position in positions or (1, 4)]
    history = {"shoe": 1, "round": number}
    return {"format": "shoetool-round/1", "table": "blackjack", "history": history, "positions": seats, **changes}


def test_cards_and_decisions_come_out_of_a_history(tmp_path: Path) -> None:
    lines = [in_history(number) for number in IN_HISTORY]
    result = settle(tmp_path, *lines, options=("--history", str(HISTORY), "--json"))
    assert result.exit_code == 0, result.stderr
    found = {one["round"]: {p["position"]: p["net"] for p in one["settled"]["positions"]} for one in documents(result)}
    assert found == IN_HISTORY


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (in_history(99), "there is no round 99 of shoe 1 in"),
        (in_history(1, history={"shoe": 2, "round": 1}), "there is no round 1 of shoe 2 in"),
        (in_history(1, 1, 4, 6), "position 6 has a wager but no hand in round 1 of the history"),
    ],
)
def test_what_a_history_does_not_hold_is_refused(one: dict[str, Any], words: str, tmp_path: Path) -> None:
    assert words in said(settle(tmp_path, one, options=("--history", str(HISTORY))))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"game": "free_bet", "decks": 1}, "dealt with game blackjack, the rules submission has free_bet"),
        ({"game": "blackjack", "decks": 8}, "dealt with decks 6, the rules submission has 8"),
        ("double-shoe", "dealt with shoe single, the rules submission has double"),
    ],
)
def test_a_history_of_another_game_is_not_settled_by_these_rules(table: Any, words: str, tmp_path: Path) -> None:
    assert words in said(settle(tmp_path, in_history(1, table=table), options=("--history", str(HISTORY))))


def test_two_histories_with_the_same_round_are_told_apart_or_refused(tmp_path: Path) -> None:
    twice = ("--history", str(HISTORY), "--history", str(HISTORY))
    assert "round 1 of shoe 1 is there 2 times" in said(settle(tmp_path, in_history(1), options=twice))


def test_a_round_in_a_history_needs_the_history(tmp_path: Path) -> None:
    assert "its cards are in a history (round 1 of shoe 1); give it with --history" in said(
        settle(tmp_path, in_history(1))
    )


def test_a_position_of_the_history_without_a_wager_is_named(tmp_path: Path) -> None:
    result = settle(tmp_path, in_history(3, 4), options=("--history", str(HISTORY)))
    assert result.exit_code == 0 and "no wager is given for position 1, which the history dealt to" in result.stderr
    assert "\ntray -20.00\n" in result.stdout


def test_decisions_that_the_history_has_otherwise_are_named(tmp_path: Path) -> None:
    """A record beside the history of another night is not settled without a word."""
    one = in_history(1)
    one["positions"][0]["decisions"] = ["hit", "hit", "hit", "double"]
    words = "position 1 has hit, hit, hit, double here and "
    result = settle(tmp_path, one, options=("--history", str(HISTORY)))
    assert result.exit_code == 0 and words in result.stderr and "settled as dealt" in result.stderr
    (note,) = documents(settle(tmp_path, one, options=("--history", str(HISTORY), "--json")))[0]["notes"]
    assert note.startswith(words)


@pytest.mark.parametrize("depth", [100, 600, 900, 100_000])
def test_a_table_that_is_nested_deeply_is_refused(depth: int, tmp_path: Path) -> None:
    """At some depths `json` still reads what is too deep for those who come after it."""
    nested = '{"a": ' * depth + "1" + "}" * depth
    text = json.dumps(changed(table="@")).replace('"@"', nested)
    line = said(settle(tmp_path, text))
    assert ("there is no such key" if depth == 100 else "nested too deeply") in line


def test_what_was_collected_too_little_is_called_so(tmp_path: Path) -> None:
    lost = {
        "cards": ["10♥", "9♣", "6♦", "8♦"],
        "positions": [{"position": 3, "wager": "25.00", "decisions": ["stand"]}],
    }
    for amount, words in (("-20.00", "5.00 too little collected"), ("-30.00", "5.00 too much collected")):
        result = settle(tmp_path, changed(**lost, paid=[{"position": 3, "amount": amount}]))
        assert result.exit_code == 1 and f"due -25.00, {words}" in result.stdout


def test_a_meter_that_was_won_is_not_guessed(tmp_path: Path) -> None:
    """633a.13(j)(1): all of the meter for a 21 with seven cards; how much that is the round must tell."""
    cards = ["K♣", "2♦", "Q♦", "2♥", "2♣", "3♠", "3♦", "4♦", "5♦"]
    seats = [{"position": 2, "wager": "15.00", "side": {"bad_beat": "5.00"}, "decisions": ["stand"]}]
    one = changed(table="blackjack", cards=cards, positions=seats, magic_card="7♠", lucky_player=4)
    assert 'write "meters": {"bad_beat": "7312.50"}' in said(settle(tmp_path, one))
    found = only(tmp_path, {**one, "meters": {"bad_beat": "9000.00"}})
    assert found["positions"][0]["net"] == 9000_00 - 5_00 - 15_00


def test_a_file_that_is_not_there_does_not_keep_the_others_from_being_settled(tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text(json.dumps(changed()))
    result = run("settle", tmp_path / "missing.json", tmp_path / "there.json", "--json")
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    document = json.loads(result.stdout)
    DOCUMENT.validate(document)
    missing, there = document["files"]
    assert "no such file" in missing["error"] and there["error"] is None and len(there["rounds"]) == 1


def test_a_table_that_cannot_be_found_is_named_with_the_round_that_names_it(tmp_path: Path) -> None:
    result = settle(tmp_path, changed(), changed(table="nowhere.toml"))
    assert result.exit_code == 2 and "r.json: line 2: $.table: " in result.stderr


def test_a_line_ends_where_the_file_has_a_line_end_and_nowhere_else(tmp_path: Path) -> None:
    """U+2028 may stand in a JSON string; it ends no line."""
    named = json.dumps(changed(name="a\u2028b"), ensure_ascii=False)
    for end in ("\n", "\r\n", "\r"):
        path = tmp_path / "r.jsonl"
        path.write_bytes(end.join([named, json.dumps(changed()), ""]).encode())
        result = run("settle", path, "--json")
        assert result.exit_code == 0 and len(documents(result)) == 2, result.stderr


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    result = settle(tmp_path, changed(name="\x1b[31mred\n"))
    assert "\x1b" not in result.stdout and "\\x1b[31mred\\x0a" in result.stdout


def test_it_is_readable_at_80_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.cli.output.PIPE_WIDTH", 80)
    for name in round_example_names():
        lines = settle(tmp_path, round_example(name)).stdout.splitlines()
        assert max(len(line) for line in lines[1:]) <= 80, name


def test_the_list_names_every_example() -> None:
    assert [line.split()[0] for line in run("settle", "--list").stdout.splitlines()] == list(round_example_names())
    document = json.loads(run("settle", "--list", "--json").stdout)
    DOCUMENT.validate(document)
    assert [one["name"] for one in document["examples"]] == list(round_example_names())
