"""`verify` with a table record over simulated sessions: nothing in clean ones, each planted error by its clause."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from in_process_shoe import InProcessShoe
from jsonschema import Draft202012Validator
from shoesim.plants import PLANTS
from shoesim.scenario import Scenario, run_scenario
from shoesim.wagers_plants import WAGER_PLANTS, WagerPlant, parse_wager_plant
from shoetool.judge import registry_table as reg
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, RecordKind, Role, ShoeKind
from shoetool.rules.games import clause_in
from shoetool.table.table import PREMIUM, SWITCH_HANDS
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED, Report, verify
from shoetool.verify.engine import Verifier
from shoetool.verify.table_record import TableFile
from table_session import judge_of, judged, recorded, rules_of, session

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "host_tools/shoetool/schemas/round.schema.json").read_text(encoding="utf-8")
)
TABLES = [
    pytest.param(Game.BLACKJACK, ShoeKind.SINGLE, {"even_money": True}, id="blackjack"),
    pytest.param(Game.BLACKJACK, ShoeKind.SINGLE, {"surrender": "way_1", "settlement_procedure": 2}, id="procedure-2"),
    pytest.param(Game.BLACKJACK, ShoeKind.SINGLE, {"hold_blackjack": True}, id="held-blackjack"),
    pytest.param(Game.BLACKJACK, ShoeKind.DOUBLE, {"shoe": "double", "red_side": "A"}, id="double-shoe"),
    pytest.param(Game.FREE_BET, ShoeKind.SINGLE, {}, id="free-bet"),
    pytest.param(Game.SPANISH_21, ShoeKind.SINGLE, {}, id="spanish-21"),
    pytest.param(Game.SWITCH, ShoeKind.SINGLE, {}, id="switch"),
    pytest.param(Game.FROM_THE_HAND, ShoeKind.SINGLE, {}, id="from-the-hand"),
]
# The plant's own clause stands in the finding; where it is that of a wager, it is the chapter's.
OF_A_SHUFFLER = {"batches_opened_together", "idle_batch_dealt_on", "shuffler_covered_late"}
IN_ANY_ROUND = {"wrong_cut_offer": "633a.5(c)"}


def told(report: Report) -> list[str]:
    return [f"{finding.clause} {finding.sentence}" for finding in report.findings]


@pytest.mark.clause("633a.7(g)", "633a.7(o)", "633a.7(r)(1)", "633a.7(r)(2)", "590.7(r)(1)-(2)", "635a.7(p)(1)-(2)")
@pytest.mark.parametrize(("game", "kind", "changes"), TABLES)
@pytest.mark.parametrize("seed", [21, 23])
def test_a_session_by_the_rules_has_no_finding(game: Game, kind: ShoeKind, changes: dict[str, Any], seed: int) -> None:
    decks = 8 if kind == ShoeKind.DOUBLE else 1 if game == Game.FROM_THE_HAND else 6
    rules = rules_of(game, decks, **changes)
    history = session(game, seed, kind, decks)
    _, lines = recorded(history, rules, seed, whole=seed == 23)
    validator = Draft202012Validator(SCHEMA)
    for line in lines:
        validator.validate(line)
    judge = judge_of(lines, rules)
    report = verify(history, judge)
    # A single deck may run out within a round, which is the shoe's own finding, handled as the clause asks.
    assert told(report) == (told(verify(history)) if game == Game.FROM_THE_HAND else [])
    assert report.count(BREACH) == 0
    assert report.summary.table_rounds == report.summary.rounds == len(lines)
    assert any(line["paid"] for line in lines)


@cache
def planted_session(name: str) -> tuple[Any, Report]:
    """A session with this error in it, and what verify says; the seed is the first that gives an opportunity."""
    shuffler = "automatic" if name in OF_A_SHUFFLER else "none"
    rules = rules_of(adjacent_boxes=3, shuffler=shuffler)
    for seed in range(31, 47):
        # These sessions are dealt from one batch, so one shoe is all that an automatic shuffler could give.
        history = session(seed=seed, shoes=1 if name in OF_A_SHUFFLER else 2)
        recorder, lines = recorded(history, rules, seed, [WagerPlant(name)])
        if recorder.planted:
            print("seed", seed, "planted", recorder.planted)
            return recorder.planted[0], judged(history, lines, rules)
    raise AssertionError(f"{name} found no opportunity in sixteen sessions")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.clause(*([kind.clause] if kind.clause not in ("", "633a.5(c)", "633a.13") else [])),
        )
        for name, kind in WAGER_PLANTS.items()
    ],
)
def test_a_planted_error_is_named_by_its_clause_and_nothing_else_is(name: str) -> None:
    planted, report = planted_session(name)
    assert report.findings, f"{name} in round {planted.round} was not found"
    rounds = {finding.round for finding in report.findings}
    assert rounds <= {planted.round, None}, told(report)
    clauses = {finding.clause for finding in report.findings}
    if planted.clause:
        assert any(clause.startswith(planted.clause) for clause in clauses), told(report)
    assert {finding.verdict for finding in report.findings} <= {BREACH, CANNOT_TELL}
    assert len(report.findings) <= 3, told(report)


@pytest.mark.parametrize("name", ["overpaid", "underpaid", "loser_not_collected", "winner_not_paid", "push_paid"])
@pytest.mark.clause("633a.13(a)", "633a.7(p)(2)")
def test_a_wrong_payment_names_position_wager_cents_due_and_cents_paid(name: str) -> None:
    planted, report = planted_session(name)
    (finding,) = report.findings
    assert finding.check == reg.PAID and finding.round == planted.round
    payment = finding.payment
    assert payment is not None and payment.due != payment.paid
    assert f"position {payment.position}" in finding.sentence
    difference = {
        "overpaid": payment.paid - payment.due == 500,
        "underpaid": payment.paid - payment.due == -1,
        "loser_not_collected": payment.due < 0 == payment.paid,
        "winner_not_paid": payment.paid == 0 < payment.due,
        "push_paid": payment.due == 0 < payment.paid,
    }
    assert difference[name], payment
    assert finding.to_json()["payment"]["due"] == payment.due


IRREGULAR_TABLES = (
    *((Game.BLACKJACK, ShoeKind.SINGLE), (Game.BLACKJACK, ShoeKind.DOUBLE), (Game.SPANISH_21, ShoeKind.SINGLE)),
)
IRREGULAR = [
    pytest.param(name, game, kind, id=f"{name}-{game.name.lower()}-{kind.name.lower()}")
    for name, plant in PLANTS.items()
    for game, kind in (
        (Game.BLACKJACK, ShoeKind.SINGLE),
        (Game.BLACKJACK, ShoeKind.DOUBLE),
        (Game.SPANISH_21, ShoeKind.SINGLE),
    )
    if game in plant.games
    and kind in plant.shoes
    and not plant.switch_hands  # such a round is not settled
    # One game is enough for what every game has; the third is for what is Spanish 21's own.
    and (game == Game.BLACKJACK or Game.BLACKJACK not in plant.games)
    and (kind == ShoeKind.SINGLE or ShoeKind.SINGLE not in plant.shoes or name in {"drawn_in_error", "missed_card"})
]


@pytest.mark.clause(
    *("633a.14(a)", "633a.14(b)", "633a.14(c) use", "633a.14(d)", "633a.14(e)", "633a.14(g) none", "633a.14(g) one"),
    *("633a.14(h)", "633a.14(i)", "633a.14(f) reshuffle", "635a.13(a) more", "635a.13(b) one", "635a.13(b) more"),
)
@pytest.mark.parametrize(("name", "game", "kind"), IRREGULAR)
def test_an_irregular_deal_that_was_paid_as_due_has_only_the_shoe_s_own_findings(
    name: str, game: Game, kind: ShoeKind
) -> None:
    """The record adds nothing but that a round with an unknown card cannot be settled."""
    decks = 8 if kind == ShoeKind.DOUBLE else 6
    changes = {"shoe": "double", "red_side": "A"} if kind == ShoeKind.DOUBLE else {}
    rules = rules_of(game, decks, **changes)
    for seed in range(51, 57):
        history = session(game, seed, kind, decks, plants=(name,))
        alone = {(finding.clause, finding.sentence) for finding in verify(history).findings}
        if alone:
            break
    else:
        raise AssertionError(f"{name} did not happen in six sessions")
    _, lines = recorded(history, rules, seed)
    more = [
        finding
        for finding in judged(history, lines, rules).findings
        if (finding.clause, finding.sentence) not in alone and finding.check != reg.UNSETTLED
    ]
    assert [finding.sentence for finding in more] == []
    assert any(line.get("paid") for line in lines)


@pytest.mark.clause("633a.7(k)", "633a.14(i)")
def test_hands_that_draw_on_after_late_cards_are_dealt_recorded_and_settled_alike() -> None:
    """Firmware, simulated dealer, replay and rules agree; a hand of this session drew on, and one ended at once."""
    history, rules = session(seed=51, plants=("missed_card",) * 8), rules_of()
    told = [record for record in history if record.kind in (RecordKind.CARD, RecordKind.HAND_ENDED)]
    after = {b.kind for a, b in pairwise(told) if a.kind == RecordKind.CARD and a.values[0] == Role.LATE}
    assert after == {RecordKind.CARD, RecordKind.HAND_ENDED}
    _, lines = recorded(history, rules, 51)
    assert {finding.verdict for finding in judged(history, lines, rules).findings} == {HANDLED}


def test_without_a_table_record_the_findings_are_the_same() -> None:
    history = session(seed=51, plants=("dealer_draws_on_17",))
    report = verify(history)
    assert report.summary.table_rounds is None
    assert not any(finding.check in reg.TABLE_CHECKS for finding in report.findings)


# ------------------------------------------------------------------------------------------------- rounds in both
@pytest.mark.clause("633a.7(s)")
def test_rounds_that_only_the_history_has_are_named_in_one_line() -> None:
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    (finding,) = judged(history, [lines[0], *lines[4:]], rules).findings
    assert finding.check == reg.ROUNDS and finding.verdict == CANNOT_TELL
    assert "rounds 2 to 4 of the history (3) are not in the table record" in finding.sentence
    assert judged(history, [], rules).findings[0].sentence.count("not in the table record") == 1


def test_lines_that_belong_to_no_round_are_named() -> None:
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    last = lines[-1]["history"]["round"]
    later = [{**lines[-1], "history": {"round": last + more}} for more in (1, 2)]
    findings = judged(history, [*lines, *later], rules).findings
    assert [finding.check for finding in findings] == [reg.ROUNDS]
    assert "2 lines of the table record" in findings[0].sentence and str(last + 1) in findings[0].sentence
    again = judged(history, [lines[0], lines[0], *lines[1:]], rules).findings
    assert [finding.check for finding in again] == [reg.ROUNDS] and "Line 2 " in again[0].sentence


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (1, "lines 2 and 3 of the table record are both for this round"),
        (2, "lines 2, 3 and 4 of the table record are all for this round"),
    ],
)
def test_lines_for_the_same_round_are_named_and_judged_when_they_say_the_same(more: int, told: str) -> None:
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    (finding,) = judged(history, [lines[0], *[lines[1]] * (more + 1), *lines[2:]], rules).findings
    assert finding.check == reg.ROUNDS and f"{told} and say the same." in finding.sentence
    other = {key: value for key, value in lines[1].items() if key != "paid"}
    (finding,) = judged(history, [lines[0], *[lines[1]] * more, other, *lines[2:]], rules).findings
    assert finding.check == reg.ROUNDS and f"{told} and differ; the round is not judged." in finding.sentence


def test_lines_out_of_order_are_named_and_the_rest_is_judged() -> None:
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    swapped = [lines[1], lines[0], *lines[2:]]
    findings = judged(history, swapped, rules).findings
    assert {finding.check for finding in findings} == {reg.ROUNDS}
    assert len(findings) <= 3


def test_two_shoes_of_one_history_are_told_apart_with_and_without_their_numbers() -> None:
    history, rules = session(seed=62, shoes=2), rules_of()
    _, lines = recorded(history, rules, 62)
    assert any(b["history"]["round"] < a["history"]["round"] for a, b in pairwise(lines))
    assert judged(history, lines, rules).ok
    shoe = 0
    before = 99
    for line in lines:
        shoe += line["history"]["round"] < before
        before = line["history"]["round"]
        line["history"] = {"shoe": shoe, **line["history"]}
    assert judged(history, lines, rules).ok
    first = [line for line in lines if line["history"]["shoe"] == 2]
    findings = judged(history, first, rules).findings
    assert [finding.check for finding in findings] == [reg.ROUNDS]


def test_one_record_serves_two_histories_in_their_order() -> None:
    rules = rules_of()
    histories = [session(seed=63), session(seed=64)]
    recorder, first = recorded(histories[0], rules, 63)
    lines = [*first, *recorder.lines(histories[1])]
    judge = judge_of(lines, rules, last=False)
    reports = []
    for history in histories:
        judge.last = history is histories[1]
        reports.append(verify(history, judge))
    assert [told(report) for report in reports] == [[], []]
    assert [report.summary.table_rounds for report in reports] == [report.summary.rounds for report in reports]


# ------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("text", ["", "no_such_plant", "overpaid@x", "overpaid@"])
def test_an_unknown_error_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        parse_wager_plant(text)


def test_a_table_file_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none", "no such file"), (tmp_path, "is a directory, not a table record")):
        with pytest.raises(BadInput, match=why):
            TableFile(path)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b'{"format": "shoetool-round/1", "table": "blackjack"}\n\xff\n')
    for _ in range(2):  # nothing of it is a round: it is no table record
        with TableFile(bad) as file, pytest.raises(BadInput, match=r"line 2: not UTF-8"):
            file.lines.take(None, 0, 1)


# ------------------------------------------------------------------------------------------------- the checks as a set
def test_each_check_of_a_table_record_is_found_by_a_test() -> None:
    """Simulated errors find most of them; those of test_verify_table_rounds.py and _session.py the rest."""
    by_hand = {
        *(
            reg.SUBMITTED,
            reg.UNSETTLED,
            reg.WAITED,
            reg.IN_TURN,
            reg.READER,
            reg.MAIN_TIME,
            reg.BATCHES,
            reg.INSURANCE_TOLD,
            *(reg.LEFT_OUT, reg.PLACES, reg.HOLE_TOLD, reg.COVER_TOLD),  # test_table_record_recorded.py
            reg.UNREAD,  # test_table_record_lines.py
            *(reg.MYSTERY_METER, reg.HIDDEN, reg.PASSED),  # test_verify_mystery.py
        ),
    }
    found = {finding.check for name in WAGER_PLANTS for finding in planted_session(name)[1].findings}
    assert set(reg.TABLE_CHECKS) - found - by_hand == set()


def test_every_clause_of_a_plant_has_a_counterpart_or_is_blackjack_s_own() -> None:
    for kind in WAGER_PLANTS.values():
        for game in Game:
            assert clause_in(game, kind.clause).split(".")[0] in ("633a", "590", "635a", "633c", "")


def test_memory_does_not_grow_with_the_history() -> None:
    """What judge and lines keep between rounds is the same after one shoe and after four."""
    rules = rules_of()

    def kept(shoes: int) -> int:
        history = session(seed=65, shoes=shoes)
        _, lines = recorded(history, rules, 65)
        judge = judge_of(lines, rules)
        verifier = Verifier(judge)
        verifier.feed_all(history)
        parts = [judge, judge.lines, judge._session]
        return sum(
            len(value) for part in parts for value in vars(part).values() if isinstance(value, (list, dict, set))
        )

    assert kept(4) == kept(1)


def test_a_round_with_switch_hands_is_not_settled_against_the_record_and_that_is_said() -> None:
    scenario = Scenario(seed=4, players=(3, 5), rounds=12, options=SWITCH_HANDS | PREMIUM)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    rules = rules_of()
    _, lines = recorded(shoe.history(), rules, 4)
    report = verify(shoe.history(), judge_of(lines, rules))
    assert "rounds with switch hands antes (633c.4) are not settled against the table record" in report.summary.notes
