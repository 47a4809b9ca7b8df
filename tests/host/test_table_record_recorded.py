"""What a table record leaves out is reported, and what it says of the history is compared with the history."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from histories import cut_pages
from jsonschema import Draft202012Validator
from shoesim.scenario import Scenario
from shoetool.cli import build
from shoetool.cli.wager_record import from_values, rules_values
from shoetool.judge import registry_table as reg
from shoetool.model.records import Record
from shoetool.round_file.events import Event
from shoetool.table.side import Side
from shoetool.verify import CANNOT_TELL, Report, verify
from shoetool.verify.table_record.places import CoverCard
from signed_histories import write
from table_session import judge_of, recorded, rules_of, session

Line = dict[str, Any]


@cache
def night() -> tuple[tuple[Record, ...], tuple[Line, ...]]:
    """A history and the lines of its record, whole."""
    history = session(seed=66)
    return history, tuple(recorded(history, rules_of(), 66)[1])


def lines() -> list[Line]:
    return deepcopy(list(night()[1]))


def judged(changed: list[Line], required: bool = False) -> Report:
    judge = judge_of(changed, rules_of())
    judge._required = required
    return verify(night()[0], judge)


def without_event(*names: str) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        line["events"] = [event for event in line["events"] if event["event"] not in names]

    return change


def without_key(name: str) -> Callable[[Line], None]:
    return lambda line: line.pop(name, None)


def without_players(line: Line) -> None:
    for seat in line["positions"]:
        seat.pop("player", None)


def without(field: str, *names: str) -> Callable[[Line], None]:
    """The events of these names stay and do not tell this any more."""

    def change(line: Line) -> None:
        for event in line["events"]:
            if event["event"] in names:
                event.pop(field, None)

    return change


def without_insurance(line: Line) -> None:
    without_event("insurance_offered", "reader_used")(line)


def without_lucky_player(line: Line) -> None:
    line.pop("lucky_player", None)


DECKS = "when decks were opened"
LEFT_OUT: dict[str, tuple[str, Callable[[Line], None]]] = {
    "payments": ("payments", without_key("paid")),
    "settled": (
        "when wagers were settled",
        without_event("settled", "verified", "floorperson", "even_money_paid"),
    ),
    "settled without a place": ("when wagers were settled", without("after_card", "settled")),
    "close of bets": ("close of bets", without_event("bets_closed")),
    "close of bets without a place": ("close of bets", without("after_card", "bets_closed")),
    "shuffle": ("shuffle", without_event("shuffled")),
    "cut": ("cut", without_event("cut")),
    "cut without its depth": ("cut", without("cards", "cut")),
    "cover card": ("cut", without_event("cover_card_placed")),
    "cover card without its place": ("cut", without("cards", "cover_card_placed")),
    "offer of the cut": ("offer of the cut", without_event("cut_offered")),
    "new decks": (DECKS, without_event("decks_opened")),
    "new decks without their time": (DECKS, without("time", "decks_opened")),
    "opening of new decks": ("opening of new decks", without_event("cards_spread", "cards_stacked")),
    "offer of insurance": ("offer of insurance", without_insurance),
    "meters": ("meters", without_key("meters")),
    "players": ("players", without_players),
    "magic card": ("magic card", without_key("magic_card")),
    "lucky player": ("lucky player", without_lucky_player),
}
ALONE = [what for what in LEFT_OUT if what != "shuffle"]
"""What may be left out and is then no breach."""


def test_a_whole_record_is_verified_and_its_rounds_are_counted() -> None:
    report = judged(lines(), required=True)
    assert report.headline() == "verified, 0 findings"
    rows = {row.what: (row.count, row.of) for row in report.summary.evidence}
    rounds = report.summary.rounds
    assert rows["payments"] == rows["meters"] == rows["players"] == (rounds, rounds)
    assert rows["cut"] == rows[DECKS] == (1, 1) and rows["offer of insurance"][1] and rows["magic card"][1]
    assert not report.summary.left_out


@pytest.mark.parametrize("what", ALONE)
def test_what_is_deleted_from_every_round_is_not_verified_and_is_counted(what: str) -> None:
    changed = lines()
    name, change = LEFT_OUT[what]
    for line in changed:
        change(line)
    report = judged(changed)
    (row,) = report.summary.left_out
    assert (row.what, row.count) == (name, 0) and row.words.startswith(f"{name} in 0 of ")
    assert len(row.missing) == min(row.of, 12)
    assert report.ok and report.verdict == "part", [one.sentence for one in report.findings]
    assert report.headline() == "0 findings in the table record's entries"


@pytest.mark.parametrize("what", ALONE)
def test_with_payments_required_it_is_a_finding_in_each_round(what: str) -> None:
    changed = lines()
    name, change = LEFT_OUT[what]
    for line in changed:
        change(line)
    report = judged(changed, required=True)
    assert {(finding.check, finding.verdict) for finding in report.findings} == {(reg.LEFT_OUT, CANNOT_TELL)}
    assert all(f"leaves out: {name}." in finding.sentence for finding in report.findings)
    assert len(report.findings) == report.summary.left_out[0].of


def test_one_round_that_tells_nothing_is_named_with_its_number() -> None:
    changed = lines()
    del changed[4]["paid"]
    report = judged(changed)
    assert [(row.what, row.missing) for row in report.summary.left_out] == [("payments", [5])]
    assert [finding.round for finding in judged(changed, required=True).findings] == [5]


def test_a_record_with_new_decks_and_without_a_shuffle_leaves_it_out_too() -> None:
    changed = lines()
    for line in changed:
        LEFT_OUT["shuffle"][1](line)
    report = judged(changed)
    assert [finding.clause for finding in report.findings] == ["633a.5(a) when"]
    assert [row.words for row in report.summary.left_out] == ["shuffle in 0 of 1 first round of a shoe"]


@pytest.mark.parametrize("what", ["lucky player", "magic card"])
def test_what_the_system_picked_is_missed_where_somebody_bets_on_it(what: str) -> None:
    changed = lines()
    counts = [
        line["history"]["round"] for line in changed if any("bad_beat" in s.get("side", ()) for s in line["positions"])
    ]
    assert counts, "nobody bet on Bad Beat"
    for line in changed:
        LEFT_OUT[what][1](line)
    (row,) = judged(changed).summary.left_out
    assert (row.what, row.of, row.missing) == (what, len(counts), counts[:12])


def test_a_bonus_that_was_paid_accuses_nobody_when_the_record_does_not_tell_whom_the_system_picked() -> None:
    changed = lines()
    paid = [line for line in changed if any(one.get("wager") == "lucky_player" for one in line["paid"])]
    assert paid, "nobody was picked"
    for line in changed:
        del line["lucky_player"]
    assert judged(changed).ok, "what was paid as this bonus is not judged"
    other = next(one for line in paid for one in line["paid"] if one["wager"] == "main" and one["amount"][0] != "-")
    other["amount"] = str(float(other["amount"]) + 100)
    assert [finding.payment.wager for finding in judged(changed).findings if finding.payment] == ["main"]


def test_sums_are_not_judged_when_the_record_does_not_tell_whom_the_system_picked() -> None:
    changed = lines()
    line = next(line for line in changed if any(one.get("wager") == "lucky_player" for one in line["paid"]))
    sums = dict.fromkeys({one["position"] for one in line["paid"]}, 0.0)
    for one in line["paid"]:
        sums[one["position"]] += float(one["amount"])
    line["paid"] = [{"position": position, "amount": f"{amount:.2f}"} for position, amount in sums.items()]
    assert judged(changed).ok
    del line["lucky_player"]
    (finding,) = judged(changed).findings
    assert (finding.check, finding.verdict) == (reg.UNSETTLED, CANNOT_TELL)
    assert "not what the progressive system picked; the payments of this round are not judged" in finding.sentence


def test_a_breach_cannot_be_hidden_by_leaving_out_when_it_was_done() -> None:
    """Bets that were closed late: a record that only says that they were closed does not verify."""
    changed = lines()
    closed = next(event for event in changed[2]["events"] if event["event"] == "bets_closed")
    closed["after_card"] = 2
    assert [finding.clause for finding in judged(changed).findings] == ["633a.6(c) timing"]
    del closed["after_card"]
    changed[2]["events"] = [closed, *(one for one in changed[2]["events"] if one is not closed)]
    report = judged(changed)
    assert (report.verdict, [row.missing for row in report.summary.left_out]) == ("part", [[3]])


# ------------------------------------------------------------------------------------------------ as a user sees it


def test_the_command_says_what_is_left_out_and_fails_when_payments_are_required(tmp_path: Path) -> None:
    history = write(tmp_path / "night.shoelog", cut_pages(list(night()[0])), [])
    record = tmp_path / "night.jsonl"
    values = rules_values(None, Scenario())
    table = recorded(night()[0], from_values(values, "the table"), 66, table=values)[1]
    record.write_text("".join(json.dumps({k: v for k, v in line.items() if k != "paid"}) + "\n" for line in table))
    words = ("verify", str(history), "--table-record", str(record))
    shown = CliRunner().invoke(build(), words)
    flat = " ".join(shown.output.split())
    rounds = len(table) - 1
    assert shown.exit_code == 0 and "verified" not in flat.replace("not verified", "")
    assert f"cannot tell: payments in 0 of {rounds} rounds (not in rounds 1 to 12" in flat
    assert "0 findings in the table record's entries" in flat
    required = CliRunner().invoke(build(), [*words, "--require-payments", "--json"])
    document = json.loads(required.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "verify.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    summary = document["files"][0]["report"]["summary"]
    assert required.exit_code == 1 and summary["evidence"][0]["what"] == "payments"
    assert CliRunner().invoke(build(), ["verify", str(history), "--require-payments"]).exit_code == 2


# ------------------------------------------------------------------------------------------------ held against it


def event_of(changed: list[Line], name: str) -> tuple[Line, Line]:
    """The first line with an event of this name, and the event."""
    return next((line, event) for line in changed for event in line["events"] if event["event"] == name)


def sentences(changed: list[Line], check: str) -> list[str]:
    report = judged(changed)
    assert {finding.check for finding in report.findings} <= {check}, [one.sentence for one in report.findings]
    return [finding.sentence for finding in report.findings]


@pytest.mark.clause("633a.7(l)")
def test_a_hole_card_turned_between_other_cards_than_the_shoe_recorded_is_named() -> None:
    changed = lines()
    line, event = next(
        (line, event)
        for line in changed
        for event in line["events"]
        if event["event"] == "hole_card_revealed" and not any(one["event"] == "reader_used" for one in line["events"])
    )
    line["events"] = [{**event, "after_card": event["after_card"] - 1}]
    (sentence,) = sentences(changed, reg.HOLE_TOLD)
    assert f"the hole card turned after card {event['after_card'] - 1}; the shoe recorded it in record" in sentence


@pytest.mark.clause("633a.5(d) place")
def test_a_cover_card_placed_elsewhere_than_where_it_came_out_is_named() -> None:
    changed = lines()
    _, event = event_of(changed, "cover_card_placed")
    event["cards"] += 1
    (sentence,) = sentences(changed, reg.COVER_TOLD)
    assert f"placed with {event['cards']} cards behind it; by the shoe's count {event['cards'] - 1} lay" in sentence


@pytest.mark.clause("633a.5(d) place")
@pytest.mark.parametrize(
    ("behind", "doubt", "named"), [(80, 0, False), (79, 1, False), (79, 0, True), (0, 0, True), (-1, 0, False)]
)
def test_a_cover_card_is_where_it_was_placed_unless_nobody_counted_it(behind: int, doubt: int, named: bool) -> None:
    """-1: it was told again in a later history, or came while cards were counted."""
    cover = CoverCard()
    cover.placed((Event("cover_card_placed", cards=80),), 78)
    side = Side(loaded=312, cover_record=50, cover_behind=behind, uncertain=doubt)
    came: Any = SimpleNamespace(covers=[SimpleNamespace(record=50, head=0)])
    table: Any = SimpleNamespace(sides=[side])
    assert bool(cover.came(came, table)) == named


@pytest.mark.clause("633a.7(s)")
def test_an_event_after_a_record_of_another_round_is_named() -> None:
    changed = lines()
    opened = [record.number for record in night()[0] if record.name == "round_opened"]
    line, event = event_of(changed[3:], "bets_closed")
    number = line["history"]["round"]
    event.pop("after_card", None)
    event["after_record"] = opened[number + 1]
    (sentence,) = sentences(changed, reg.PLACES)
    assert f"Round {number}: the record has 'bets closed' after record {opened[number + 1]}; this round is" in sentence


@pytest.mark.clause("633a.7(s)")
def test_an_event_after_more_cards_than_the_round_has_is_named() -> None:
    changed = lines()
    line = changed[2]
    line["events"].append({"event": "bet_moved", "position": line["positions"][0]["position"], "after_card": 60})
    found = [finding for finding in judged(changed).findings if finding.check == reg.PLACES]
    assert len(found) == 1 and "'bet moved' after card 60; the round has " in found[0].sentence
