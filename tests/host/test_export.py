"""`export` writes what `replay`, `settle` and `verify` say, loses nothing when it is stopped, shows no hidden face."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import exported
import pytest
from click.testing import CliRunner, Result
from dealer_script import shoe
from exported import DAY_MS, FIRST_MS, dealt
from shoetool.casino import run as run_module
from shoetool.casino.play_rows import PlayRows
from shoetool.casino.results import Results
from shoetool.casino.state import State
from shoetool.casino.tables import PLAY, SCHEMAS
from shoetool.cli import build
from shoetool.history.start_clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import Game, RecordKind, Role
from shoetool.model.records import Record
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.verify import verify
from stopped_at import stopped_at
from table_session import judge_of, recorded, rules_of, session
from test_cli_files import validated

sys.path.append(str(Path(__file__).resolve().parents[1] / "regulation"))
from sampled import some
from short_shoe import Short
from table_case import line, seat
from table_case import rules_of as offering_rules

RULES = rules_of()


@pytest.fixture(scope="session")
def casino(made_once: Any) -> Path:
    return Path(made_once("export", exported.make))


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), [*map(str, words)])


def document(*words: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    return found


def rows(out: Path, name: str, more: str = "") -> list[dict[str, Any]]:
    with duckdb.connect() as database:
        database.execute("SET TimeZone='UTC'")
        found = database.execute(f"SELECT * FROM '{out}/{name}/*.parquet' {more}")
        names = [one[0] for one in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def of(casino: Path, name: str, more: str = "") -> dict[str, list[dict[str, Any]]]:
    """The rows of a table by the history, as that is named in this copy of the casino."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(casino / "tables", name, more):
        tail = Path(row.pop("path")).parts[-3:]
        found.setdefault("/".join(tail[tail.index("histories") + 1 :] if "histories" in tail else tail), []).append(row)
    return found


def files(casino: Path) -> dict[str, Path]:
    return {
        "/".join(path.relative_to(casino / "histories").parts[-3:]): path for path in sorted(casino.rglob("*.shoelog"))
    }


def faces(cards: list[dict[str, Any]]) -> list[str | None]:
    return [card["card"] for card in cards]


def utc(moment: dict[str, Any] | None) -> datetime | None:
    return None if moment is None else datetime.fromisoformat(moment["time"])


# ------------------------------------------------------------------------------------------------ what stands in it
def test_rounds_and_hands_are_those_of_replay(casino: Path) -> None:
    written, hands = of(casino, "rounds", "ORDER BY first_record"), of(casino, "hands")
    assert written.keys() == files(casino).keys()
    kinds: Counter[str] = Counter()
    for name, path in files(casino).items():
        told = document("replay", path, "--timezone", "UTC")["rounds"]
        assert len(told) == len(written[name])
        for one, row in zip(told, written[name], strict=True):
            dealer = one["dealer"]
            assert {key: row[key] for key in ("round", "first_record", "last_record", "seats", "side", "outcome")} == {
                key: one[key] for key in ("round", "first_record", "last_record", "seats", "side", "outcome")
            }
            assert (row["dealer_cards"], row["dealer_total"], row["revealed"], row["peek"]) == (
                faces(dealer["cards"]), dealer["total"], dealer["revealed"], dealer["peek"]
            )  # fmt: skip
            same = ("insurance", "cover_card", "irregularities")
            assert [row[key] for key in same] == [one[key] for key in same]
            assert (row["began"], row["ended"]) == (utc(one["began_at"]), utc(one["ended_at"]))
            own = [hand for hand in hands[name] if hand["first_record"] == row["first_record"]]
            assert row["hands"] == len(one["hands"])
            assert [
                (hand["position"], hand["hand_in_records"], hand["cards"], hand["total"], hand["soft"], hand["doubled"],
                 hand["from_split"], hand["switched"], hand["ended"])
                for hand in own if hand["who"] == "player"
            ] == [
                (hand["position"], hand["hand"], faces(hand["cards"]), hand["total"], hand["soft"], hand["doubled"],
                 hand["from_split"], hand["switched"], hand["ended"])
                for hand in one["hands"]
            ]  # fmt: skip
            kinds.update(hand["who"] for hand in own)
            kinds[row["settlement"]] += 1
    assert kinds["dealer"] == kinds["settled"] + kinds["no line"] + kinds["no table record"] and kinds["settled"] > 5
    assert kinds["no line"] == 1


def test_events_are_the_records_with_their_times_and_faces(casino: Path) -> None:
    written = of(casino, "events", "ORDER BY record")
    for name, path in list(files(casino).items())[::4]:
        with ShoelogReader(path) as reader:
            told = [(record.to_json(), reader.moment(record)) for record in reader.records()]
        assert len(told) == len(written[name])
        for (one, moment), row in zip(told, written[name], strict=True):
            assert moment is not None
            time = datetime.fromtimestamp(moment.middle_ms / 1000, UTC)
            assert (row["record"], row["kind"], row["time"]) == (one["record"], one["kind"], time)
            if one["kind"] in ("card", "opened"):
                assert (row["card"], row["role"], row["face_down"]) == (one["card"], one["role"], False)
            if one["kind"] == "card":
                assert (row["margin"], row["duration_ms"], row["head"], row["batch"]) == (
                    one["margin"], one["duration_ms"], one["side"], one["batch"]
                )  # fmt: skip
                assert row["position"] == (one["position"] if isinstance(one["position"], int) else None)
            if one["kind"] == "sealed":
                assert row["card"] is None and row["face_down"] is True and row["margin"] is None
            if one["kind"] in ("irregularity", "fault"):
                assert row["what"] == one["code"]
            if row["more"] is not None:
                more = json.loads(row["more"])
                assert {key: more[key] for key in more if key not in ("loaded", "behind")}.items() <= one.items()


def test_a_settlement_is_that_of_settle_and_a_difference_is_a_finding_of_verify(casino: Path) -> None:
    written, dealt_rounds = of(casino, "settlements"), of(casino, "rounds")
    recorded = [name for name, path in files(casino).items() if path.with_suffix(".jsonl").exists()]
    assert sorted(written) == recorded and len(recorded) == 2
    told_wrong = 0
    for name in recorded:
        history = files(casino)[name]
        record = history.with_suffix(".jsonl")
        (settled,) = document("settle", record, "--history", history)["files"]
        by_round = {one["round"]: one["settled"] for one in settled["rounds"]}
        lines = Counter(
            (number, line["position"], line["hand"], line["wager"], line["staked"], line["net"], line["odds"],
             line["clause"], line["outcome"])
            for number, one in by_round.items()
            for line in one["lines"]
            if line["position"] is not None
        )  # fmt: skip
        assert lines == Counter(
            (row["round"], row["position"], row["hand"], row["wager"], row["staked_cents"], row["due_cents"],
             row["odds"], row["clause"], row["outcome"])
            for row in written[name]
        )  # fmt: skip
        rounds = {row["round"]: row["settlement"] for row in dealt_rounds[name]}
        assert {number for number, word in rounds.items() if word == "settled"} == set(by_round)
        wrong = {
            (row["round"], row["position"], row["paid_for_cents"], row["paid_cents"])
            for row in written[name]
            if row["paid_cents"] != row["paid_for_cents"]
        }
        (report,) = document("verify", history, "--table-record", record, "--no-remember")["files"]
        assert wrong == {
            (one["round"], one["payment"]["position"], one["payment"]["due"], one["payment"]["paid"])
            for one in report["report"]["findings"]
            if "payment" in one
        }
        told_wrong += len(wrong)
    assert told_wrong == 3


def test_hands_are_counted_as_they_lie() -> None:
    """The first hand is split twice: the records' hand 2 lies between hands 0 and 1, and is the second one."""
    shoe = Short()
    shoe.start(1)
    shoe.opening({1: "8C"}, "9D", {1: "8D"}, "7H")
    shoe.add("split", 1, 0, 1)
    shoe.give(1, "8S", Role.SPLIT_SECOND, 0)
    shoe.add("split", 1, 0, 2)
    for number, card in ((0, "KC"), (2, "QC"), (1, "JC")):
        shoe.give(1, card, Role.DRAW, number)
    shoe.close()
    play = PlayRows(lambda: 1, lambda record: None)
    for record in shoe.s.records:
        play.feed(record)
    hands = [one for one in play.batches(None, False)["hands"].to_pylist() if one["who"] == "player"]
    assert [(one["hand"], one["hand_in_records"], one["cards"][-1]) for one in hands] == [
        (1, 0, "K♣"),
        (2, 2, "Q♣"),
        (3, 1, "J♣"),
    ]


def test_hands_settlements_and_findings_join_exactly(casino: Path) -> None:
    """A hand has the same number in both tables, and a finding names the record that opened its round."""
    settled, rounds = of(casino, "settlements"), of(casino, "rounds")
    for name, hands in of(casino, "hands").items():
        dealt = {(one["first_record"], one["position"], one["hand"]): one for one in hands if one["who"] == "player"}
        main = [row for row in settled.get(name, []) if row["wager"] == "main" and row["hand"] is not None]
        for row in main:
            hand = dealt[row["first_record"], row["position"], row["hand"]]
            assert row["outcome"] != "won" or hand["total"] <= 21
        assert min(hand for _, _, hand in dealt) == 1
    assert any(settled.values())
    for name, findings in of(casino, "findings").items():
        opened = {(row["first_record"], row["round"]) for row in rounds[name]}
        named = [(row["round_record"], row["round"]) for row in findings]
        assert {one for one in named if one != (None, None)} <= opened


def test_margins_are_summed_over_the_readings_of_each_card(casino: Path) -> None:
    written = of(casino, "margins")
    for name, path in list(files(casino).items())[::5]:
        told: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
        with ShoelogReader(path) as reader:
            for record in reader.records():
                if record.name == "card":
                    one = record.to_json()
                    told.setdefault((one["side"], one["card"], one["batch"]), []).append(
                        (one["margin"], one["duration_ms"])
                    )
        assert {
            (row["head"], row["card"], row["batch"]): (
                row["readings"], row["margin_least"], row["margin_sum"], row["ms_least"], row["ms_sum"]
            )
            for row in written[name]
        } == {
            key: (len(read), min(m for m, _ in read), sum(m for m, _ in read), min(d for _, d in read),
                  sum(d for _, d in read))
            for key, read in told.items()
        }  # fmt: skip


def test_the_document_tells_rows_and_columns_of_every_table(casino: Path, tmp_path: Path) -> None:
    words = ["export", casino / "histories", "--out", tmp_path / "out", "--table-records", "--no-remember"]
    result = run(*words, "--jobs", "2", "--json")
    told = validated("export", result.stdout)
    assert result.exit_code == 1 and told["totals"]["histories"] == len(files(casino)) and told["files"] == []
    for table in told["tables"]:
        here = rows(tmp_path / "out", table["name"])
        assert len(here) == table["rows"], table["name"]
        assert [one["name"] for one in table["columns"]] == SCHEMAS[table["name"]].names
    for name in PLAY:  # two processes say what one says
        one, two = (
            Counter(str({**row, "path": Path(row["path"]).name}) for row in rows(out, name))
            for out in (casino / "tables", tmp_path / "out")
        )
        assert one == two, name
    again = json.loads(run(*words, "--jobs", "1", "--json").stdout)
    assert again["totals"] == told["totals"] and again["tables"] == told["tables"]


def settlements(
    records: Sequence[Record], lines: list[dict[str, Any]], rules: RulesSubmission | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of settlements and of rounds, with these lines of a table record."""
    play = PlayRows(lambda: 1, lambda record: None)
    judge = judge_of(lines, rules or RULES)
    judge.on_lines, judge.on_settled = play.wagers.lines, play.wagers.settled

    def watched() -> Iterator[Record]:
        for record in records:
            play.feed(record)
            yield record

    verify(watched(), judge)
    play.end()
    batches = play.batches("00", True)
    return batches["settlements"].to_pylist(), batches["rounds"].to_pylist()


WAGER = ("round", "position", "wager", "hand")


@pytest.mark.parametrize("left_out", [("magic_card", "lucky_player"), ("meters", "magic_card")])
def test_what_is_due_is_known_or_told_as_missing(left_out: tuple[str, ...]) -> None:
    """Beside the whole record: each wager is due the same, or the row says what is missing."""
    told: Counter[str] = Counter()
    for seed in (1, 3, 8, 12):
        records = session(seed=seed)
        _, lines = recorded(records, RULES, seed)
        whole, _ = settlements(records, lines)
        assert not any(row["missing"] for row in whole)
        assert all(row["due_cents"] is not None and row["paid_cents"] == row["paid_for_cents"] for row in whole)
        less, rounds = settlements(records, [{k: v for k, v in line.items() if k not in left_out} for line in lines])
        assert {row["settlement"] for row in rounds} == {"settled"}
        found = {tuple(row[name] for name in WAGER): row for row in less if row["outcome"] is not None}
        missing = {(row["round"], row["wager"]): row["missing"] for row in less if row["missing"]}
        for row in whole:
            other = found.get(tuple(row[name] for name in WAGER))
            if other is None or other["due_cents"] is None:
                told[missing[row["round"], row["wager"]]] += 1
            else:
                assert other["due_cents"] == row["due_cents"] and other["missing"] is None
        for row in less:
            if row["paid_for_cents"] is not None:
                assert row["paid_for_cents"] == row["paid_cents"]
    assert told["pick"] > 3


def test_what_a_meter_pays_is_not_guessed() -> None:
    """Position 1 has a 20 and a Bad Beat wager of 5.00, the dealer a 21 with seven cards: the whole meter is won."""
    script = Short()
    script.start(1)
    script.opening({1: "KC"}, "2D", {1: "QD"}, "2H")
    script.stand(1)
    script.reveal()
    for card in ("2C", "3S", "3D", "4D", "5D"):
        script.card(Role.DEALER_DRAW, 0, card)
    script.close(21)
    script.end()
    paid = [{"position": 1, "amount": "6985"}]
    one = line(1, seat(1, "stand", side={"bad_beat": "5.00"}), paid=paid, magic_card="AS", lucky_player=7)
    rules = offering_rules(Game.BLACKJACK, "bad_beat")
    known, _ = settlements(script.s.records, [{**one, "meters": {"bad_beat": "7000.00"}}], rules)
    columns = ("wager", "source", "due_cents", "paid_for_cents", "missing")
    assert {tuple(row[name] for name in columns) for row in known} == {
        ("main", "tray", -1000, 698_500, None),
        ("bad_beat", "house", -500, 698_500, None),
        ("bad_beat", "meter", 700_000, 698_500, None),
    }
    told, _ = settlements(script.s.records, [one], rules)
    assert {tuple(row[name] for name in columns) for row in told} == {
        ("main", "tray", -1000, None, None),
        ("bad_beat", "house", -500, None, None),
        ("bad_beat", "meter", None, None, "meter"),
    }
    assert {row["paid_cents"] for row in [*known, *told]} == {698_500}


def test_a_round_that_the_record_tells_wrongly_is_not_settled() -> None:
    """Two lines for one round that differ, and one whose cards cannot be: the rows say that they are not settled."""
    records = session(seed=2)
    _, lines = recorded(records, RULES, 2)
    twin = json.loads(json.dumps(lines[3]))
    twin["positions"][0]["wager"] = "17.00"
    told, rounds = settlements(records, [*lines[:4], twin, *lines[4:6], *lines[7:]])
    words = [row["settlement"] for row in rounds]
    assert words[3] == "not settled" and words[6] == "no line"
    assert set(words) == {"settled", "not settled", "no line"} and words.count("settled") == len(words) - 2
    assert {row["round"] for row in told} == {row["round"] for row in rounds if row["settlement"] == "settled"}


# ------------------------------------------------------------------------------------------------ face down
def tables_of(records: list[Record]) -> dict[str, list[dict[str, Any]]]:
    play = PlayRows(lambda: 1, lambda record: Moment(record.ticks_ms, record.ticks_ms))
    for record in records:
        play.feed(record)
    play.end()
    return {name: batch.to_pylist() for name, batch in play.batches("00", False).items()}


@pytest.mark.parametrize("game", ["blackjack", "double shoe", "reader", "held", "hybrid"])
def test_no_row_depends_on_a_face_before_the_record_that_opens_it(game: str) -> None:
    """Each card that was dealt face down is given another face: nothing changes but what comes after it is opened."""
    made = {
        "blackjack": lambda: dealt(0, 0, ""),
        "double shoe": lambda: dealt(1, 1, ""),
        "reader": lambda: list(session(seed=5)),
        "hybrid": lambda: list(session(Game.HYBRID, seed=2)),
        "held": lambda: shoe(seed=3, plant="drawn_in_error").records,
    }
    records = made[game]()
    whole = tables_of(records)
    openings = [at for at, record in enumerate(records) if record.kind == RecordKind.OPENED]
    assert len(openings) >= 5
    for at in openings:
        record = records[at]
        values = list(record.values)
        values[4] = (values[4] + 5) % 52
        other = tables_of([*records[:at], record._replace(values=tuple(values)), *records[at + 1 :]])
        assert len(other["events"]) == len(whole["events"])
        changed = [two["record"] for one, two in zip(whole["events"], other["events"], strict=True) if one != two]
        assert changed and min(changed) == record.number
        for name in ("rounds", "hands"):
            for one, two in zip(whole[name], other[name], strict=True):
                last = next(row["last_record"] for row in whole["rounds"] if row["first_record"] == one["first_record"])
                assert one == two or last >= record.number, name
        assert whole["margins"] == other["margins"]


def test_a_history_that_ends_with_cards_face_down_names_none_of_them() -> None:
    records = dealt(0, 0, "")
    down: dict[int, int] = {}
    most = 0
    for end, record in enumerate(records, 1):
        if record.kind == RecordKind.SEALED:
            down[record.number] = end
        elif record.kind == RecordKind.OPENED:
            del down[record.values[0]]
        if end % 40 and record.kind != RecordKind.SEALED:
            continue
        told = tables_of(records[:end])
        hidden = [row for row in told["events"] if row["kind"] == "sealed" and row["record"] in down]
        assert len(hidden) == len(down) and all(row["card"] is None and row["face_down"] for row in hidden)
        most = max(most, len(down))
        for row in told.get("hands", []):
            assert row["face_down"] == row["cards"].count(None)
    assert most >= 2


# ------------------------------------------------------------------------------------------------ stopped, refused
def test_an_export_that_is_stopped_at_any_step_goes_on_and_nothing_is_lost_or_doubled(
    casino: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two parts of five histories. Some of the steps at which tables get their names fail, and commits after them. That
    each step may fail is shown of the same run in test_verify_run.py."""
    night = tmp_path / "night"
    night.mkdir()
    for path in [*sorted((casino / "histories" / "table-21").glob("*.shoelog"))[:3], *casino.rglob("*0001.jsonl")]:
        shutil.copy(path, night)
        if path.suffix == ".jsonl":
            shutil.copy(path.with_suffix(".shoelog"), night)
            shutil.copy(path.with_name("rules.toml"), night)
    (night / "foreign.shoelog").write_bytes(b"PK")
    monkeypatch.setenv("SHOETOOL_CRASH_DIR", str(tmp_path / "crashes"))
    monkeypatch.setattr(run_module, "PLAY_PART_FILES", 3)
    monkeypatch.setattr(os, "fsync", lambda file: None)  # it takes its time, and nothing loses power here
    words = ("export", night, "--table-records", "--no-remember", "--jobs", "1", "--json", "--out")
    whole = validated("export", run(*words, tmp_path / "whole").stdout)
    assert len(list((tmp_path / "whole" / "events").iterdir())) == 2
    for owner, name, late, at in (
        *((Results, "_write", False, at) for at in some([13, 4])),
        *((Results, "add", True, at) for at in some([2, 4])),
        *((State, "commit", late, at) for late, at in ((False, 1), (True, 2))),
    ):
        out = tmp_path / f"{name}-{late}-{at}"
        with stopped_at(owner, name, at, late) as calls:
            failed = run(*words, out)
        assert failed.exit_code == 70 and len(calls) == at
        assert not list(out.rglob("*.unfinished"))
        again = json.loads(run(*words, out).stdout)
        assert again["totals"] == whole["totals"] and again["tables"] == whole["tables"]
        for table in PLAY:
            assert Counter(map(str, rows(out, table))) == Counter(map(str, rows(tmp_path / "whole", table)))


def test_a_file_that_cannot_be_read_is_one_line_and_the_others_are_exported(casino: Path, tmp_path: Path) -> None:
    (tmp_path / "night").mkdir()
    shutil.copy(next((casino / "histories" / "table-20").glob("*.shoelog")), tmp_path / "night" / "good.shoelog")
    (tmp_path / "night" / "bad.shoelog").write_bytes(b"PK\x03\x04")
    result = run("export", tmp_path / "night", "--out", tmp_path / "out", "--no-remember", "--jobs", "1")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1 and "bad.shoelog" in result.stderr
    assert "settlements: none without --table-records" in result.stdout
    assert {Path(row["path"]).name for row in rows(tmp_path / "out", "events")} == {"good.shoelog"}
    assert rows(tmp_path / "out", "settlements") == []
    told = [(row["verdict"], row["error"] is None) for row in rows(tmp_path / "out", "histories", "ORDER BY path")]
    assert told[0] == ("unreadable", False) and told[1][1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name histories or folders"),
        (("x", "--table", "blackjack"), "go with --table-records"),
        (("x", "--jobs", "2", "--scheduler", "tcp://x:1"), "--jobs is for this machine"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    result = run("export", *words, "--out", tmp_path / "out")
    assert result.exit_code == 2 and told in result.stderr and not (tmp_path / "out").exists()


def test_a_folder_with_a_run_of_verify_is_refused(casino: Path, tmp_path: Path) -> None:
    history = next((casino / "histories" / "table-20").glob("*.shoelog"))
    run("verify", history, "--out", tmp_path / "out", "--no-remember", "--jobs", "1")
    result = run("export", history, "--out", tmp_path / "out", "--no-remember", "--jobs", "1")
    assert result.exit_code == 2 and "play: False, now True" in result.stderr


def test_the_casino_of_these_tests_has_its_times_and_a_reshuffle(casino: Path) -> None:
    """What the questions rest on: several weeks, double shoes, a second dealer."""
    began = [row["began"].timestamp() * 1000 for row in rows(casino / "tables", "rounds", 'WHERE "table" = 20')]
    assert min(began) < FIRST_MS < max(began) < FIRST_MS + 27 * DAY_MS
