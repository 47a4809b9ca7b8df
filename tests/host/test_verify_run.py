"""`verify` of folders says of each history what it says of it alone, whoever does the work, however often it stops."""

from __future__ import annotations

import gc
import json
import multiprocessing.synchronize
import os
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result
from histories import DEVICE
from sampled import SOAK
from shoe_row import Row
from shoetool.casino import pieces as pieces_module
from shoetool.casino import results as results_module
from shoetool.casino import run as run_module
from shoetool.casino import workers as workers_module
from shoetool.casino.judged import Asked
from shoetool.casino.paths import histories
from shoetool.casino.results import Results
from shoetool.casino.state import State
from shoetool.casino.tables import SCHEMAS, VERSION
from shoetool.casino.workers import Alone
from shoetool.cli import build
from shoetool.history.chunks import Identity
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import Key, file_name, flip, key, read, sign_pages, signed_file, with_header, write
from stopped_at import stopped_at
from test_cli_files import closed_shoe, validated

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
import casino_month  # noqa: E402


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    PinStore(tmp_path / "keys").pin(DEVICE, PublicKey(key().public))
    return tmp_path / "keys"


def run(keys: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(build(), ["verify", "--keys", str(keys), "--jobs", "1", *map(str, words)])


def document(keys: Path, *words: str | Path) -> dict[str, Any]:
    return validated("verify_run", run(keys, *words, "--json").stdout)


def table(out: Path, name: str, columns: str = "*") -> list[tuple[Any, ...]]:
    return duckdb.sql(f"SELECT {columns} FROM '{out}/{name}/*.parquet'").fetchall()


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder of all kinds of histories: whole, unsigned, damaged, cut off, none at all; some deeper down."""
    folder = tmp_path / "night"
    Row(folder / "a").night(3)
    signed_file(folder / "b", seed=2, shoe=9)
    damaged = signed_file(folder / "c", seed=1, shoe=11)
    damaged.write_bytes(flip(damaged.read_bytes(), 3000))
    closed_shoe().write(folder / "unsigned.shoelog")
    cut = signed_file(folder / "d", seed=2, shoe=13)
    cut.write_bytes(cut.read_bytes()[:-700])
    (folder / "foreign.shoelog").write_bytes(b"PK\x03\x04 and so on")
    (folder / "empty.shoelog").touch()
    (folder / "notes.txt").write_text("not a history")
    return folder


def test_each_history_comes_to_what_verify_says_of_it_alone(night: Path, keys: Path, tmp_path: Path) -> None:
    alone = {}
    for path in sorted(night.rglob("*.shoelog")):
        words = ["verify", "--keys", str(keys), "--no-remember", "--json", str(path)]
        (alone[str(path)],) = json.loads(CliRunner().invoke(build(), words).stdout)["files"]
    told = document(keys, night, "--no-remember", "--out", tmp_path / "out")
    bad = {path for path, one in alone.items() if one["report"] is None or one["report"]["findings"]}
    assert {one["file"]: one for one in told["files"]} == {path: alone[path] for path in bad}
    assert 3 < len(bad) < len(alone)
    verdicts = dict(table(tmp_path / "out", "histories", "path, verdict"))
    assert verdicts == {
        path: "unreadable" if one["report"] is None else one["report"]["verdict"] for path, one in alone.items()
    }
    assert told["totals"]["verdicts"] == dict(Counter(verdicts.values()))
    rows = table(tmp_path / "out", "findings", "path, clause, sentence")
    assert sorted(rows) == sorted(
        (path, finding["clause"], finding["sentence"])
        for path, one in alone.items()
        for finding in (one["report"] or {"findings": []})["findings"]
    )


def test_two_processes_say_the_same_as_one_in_the_same_order(night: Path, keys: Path) -> None:
    one = run(keys, night, "--no-remember")
    two = CliRunner().invoke(build(), ["verify", "--keys", str(keys), "--jobs", "2", str(night), "--no-remember"])
    assert (two.exit_code, two.output) == (one.exit_code, one.output)
    assert one.exit_code == 2 and "foreign.shoelog" in one.stderr and "Traceback" not in one.output


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_list_of_names_is_taken_and_a_history_that_is_named_twice_counts_once(
    tmp_path: Path, keys: Path, ending: str
) -> None:
    files = Row(tmp_path / "night").night(3)
    listed = tmp_path / "list"
    listed.write_bytes(ending.join(map(str, [*files, files[0], ""])).encode())
    told = document(keys, "--files-from", listed, tmp_path / "night")
    assert (told["totals"]["histories"] == 3 and told["totals"]["verdicts"] == {"part": 3}) or told["totals"][
        "pinned"
    ] == 3
    result = CliRunner().invoke(
        build(), ["verify", "--keys", str(keys), "--jobs", "1", "--files-from", "-"], input=f"{files[1]}\n"
    )
    assert result.exit_code == 0 and result.output.startswith("1 history:")


def test_a_folder_without_a_history_and_one_that_cannot_be_read_are_told(tmp_path: Path, keys: Path) -> None:
    (tmp_path / "none").mkdir()
    result = run(keys, tmp_path / "none")
    assert result.exit_code == 2 and "ends with .shoelog" in result.stderr
    assert "no such file" in run(keys, tmp_path / "nowhere").stderr
    assert run(keys, "--files-from", tmp_path / "nowhere").exit_code == 2


def test_a_folder_that_may_not_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Any, onerror: Callable[[OSError], None]) -> Iterator[Any]:
        onerror(PermissionError(13, "Permission denied", str(path / "closed")))
        yield str(path), [], []

    monkeypatch.setattr(os, "walk", refused)
    (told,) = list(histories([tmp_path]))
    assert "closed: this folder cannot be read: Permission denied" in told.why  # type: ignore[union-attr]


def test_a_list_that_names_nothing_is_no_success(tmp_path: Path, keys: Path) -> None:
    (tmp_path / "empty").touch()
    result = run(keys, "--files-from", tmp_path / "empty")
    assert result.exit_code == 2 and "no history is named there" in result.stderr and not result.stdout


def test_a_history_that_is_named_twice_was_verified_once_before(tmp_path: Path, keys: Path) -> None:
    (one,) = Row(tmp_path / "night").night(1)
    words = (one, one, "--out", tmp_path / "out")
    assert "earlier start" not in run(keys, *words).stderr
    assert "an earlier start of this run verified 1 history;" in run(keys, *words).stderr


# ------------------------------------------------------------------------------------------------ between histories
def test_a_withheld_shoe_is_found_across_the_files_of_a_folder(tmp_path: Path, keys: Path) -> None:
    _, two, _ = Row(tmp_path / "night").night(3)
    assert run(keys, tmp_path / "night", "--require-signature", "--no-remember").exit_code == 0
    two.unlink()
    told = document(keys, tmp_path / "night", "--require-signature", "--no-remember")
    (row,) = told["devices"]
    assert "shoe 2 of device" in row["findings"][0]["sentence"]
    assert run(keys, tmp_path / "night", "--require-signature", "--no-remember").exit_code == 1
    noted = run(keys, tmp_path / "night", "--no-remember")
    assert noted.exit_code == 0 and "note: withheld" in " ".join(noted.output.split())


def test_what_pinned_keys_signed_is_remembered_and_missed_the_next_night(tmp_path: Path, keys: Path) -> None:
    one, two, three = Row(tmp_path / "night").night(3)
    assert run(keys, one, "--require-signature").exit_code == 0
    two.unlink()
    result = run(keys, three, "--require-signature")
    assert result.exit_code == 1 and "shoe 2 of device" in " ".join(result.output.split())


def test_an_index_that_signed_two_shoes_is_found_in_whichever_files_and_devices(tmp_path: Path, keys: Path) -> None:
    """One of them is of another device with a copy of the key."""
    first = signed_file(tmp_path / "a", seed=1, shoe=4)
    pages, signatures = read(first)
    other = b"COPYSHOE"
    made = [with_header(page, device=other) for page in pages]
    by = Key("shoe")
    for at in range(1, len(made)):
        made[at] = with_header(made[at], previous=sha256(made[at - 1]).digest())
    index = int.from_bytes(signatures[0].signature[:4], "big")
    (tmp_path / "b").mkdir()
    identity = Identity(other, 1, 0, b"\x00\x01\x00", "virtual")
    write(tmp_path / "b" / file_name(other, 4), made, [sign_pages(made, by, index, other)], identity)
    told = document(keys, tmp_path / "a", tmp_path / "b", "--no-remember")
    sentences = [finding["sentence"] for row in told["devices"] for finding in row["findings"]]
    assert len(sentences) == 1 and f"index {index} of key" in sentences[0] and "signed two statements" in sentences[0]


# ------------------------------------------------------------------------------------------------ stopped
def test_a_run_that_is_stopped_at_any_step_goes_on_and_nothing_is_lost_or_doubled(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two parts of the results; every write of tables and state fails once, before it and after it."""
    night = tmp_path / "night"
    Row(night / "a").night(2)
    changed = signed_file(night / "b", seed=1, shoe=11)
    changed.write_bytes(flip(changed.read_bytes(), 3000))
    (night / "foreign.shoelog").write_bytes(b"PK\x03\x04 and so on")
    monkeypatch.setenv("SHOETOOL_CRASH_DIR", str(tmp_path / "crashes"))
    monkeypatch.setattr(run_module, "PART_FILES", 2)
    whole = document(keys, night, "--no-remember", "--out", tmp_path / "whole")
    steps = [(Results, "_write"), (State, "commit")]
    stopped = 0
    for owner, name in steps:
        for late in (False, True):
            at = 0
            while True:
                at += 1
                out = tmp_path / f"{name}-{late}-{at}"
                with stopped_at(owner, name, at, late) as calls:
                    failed = run(keys, night, "--no-remember", "--out", out)
                if len(calls) < at:
                    break
                assert failed.exit_code == 70 and "Stopped" in failed.stderr
                stopped += 1
                again = json.loads(run(keys, night, "--no-remember", "--out", out, "--json").stdout)
                assert again["totals"] == whole["totals"] and again["devices"] == whole["devices"]
                for one in ("histories", "findings", "signatures", "devices"):
                    assert sorted(map(repr, table(out, one))) == sorted(map(repr, table(tmp_path / "whole", one))), one
                shutil.rmtree(out)
    assert stopped == 2 * (2 * 3 + 1 + 2)


def test_a_history_that_changed_since_it_was_verified_is_told_and_the_run_is_not_mixed(
    tmp_path: Path, keys: Path
) -> None:
    one, _, _ = Row(tmp_path / "night").night(3)
    out = tmp_path / "out"
    assert run(keys, tmp_path / "night", "--out", out).exit_code == 0
    one.write_bytes(one.read_bytes()[:-1])
    result = run(keys, tmp_path / "night", "--out", out)
    assert result.exit_code == 2 and f"{one}: has changed since this run verified it" in result.stderr
    assert len(table(out, "histories")) == 3


def test_a_folder_holds_one_run(tmp_path: Path, keys: Path) -> None:
    Row(tmp_path / "night").night(2)
    out = tmp_path / "out"
    assert run(keys, tmp_path / "night", "--out", out).exit_code == 0
    result = run(keys, tmp_path / "night", "--out", out, "--require-signature")
    assert result.exit_code == 2 and "required: False, now True" in result.stderr
    with closing(sqlite3.connect(out / "run.sqlite")) as database:
        (settings,) = database.execute("SELECT settings FROM run").fetchone()
    state = State(out, json.loads(settings))
    try:
        result = run(keys, tmp_path / "night", "--out", out)
    finally:
        state.close()
    assert result.exit_code == 2 and "another run has it open" in result.stderr
    (out / "run.sqlite").write_bytes(b"no database at all" * 300)
    result = run(keys, tmp_path / "night", "--out", out)
    assert result.exit_code == 2 and "run.sqlite: is a file of another kind, not a database" in result.stderr


# ------------------------------------------------------------------------------------------------ workers
def test_work_of_a_process_that_was_killed_is_done_by_another(tmp_path: Path) -> None:
    program = [sys.executable, str(Path(__file__).with_name("dying_work.py")), str(tmp_path / "flag")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    results, told = done.stdout.splitlines()
    assert results == "[0, 1, 2, 3, 4, 5] killed"
    assert "a worker process ended 2 times over the same work" in told and "Traceback" not in done.stderr


def test_a_pool_whose_processes_are_killed_while_they_start_names_one_job(night: Path, keys: Path) -> None:
    started = []

    def killed(pool: Any) -> Any:
        started.append(None)
        raise workers_module.BrokenProcessPool("A child process terminated abruptly")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers_module.Pool, "_started", killed)
        result = CliRunner().invoke(build(), ["verify", "--keys", str(keys), "--jobs", "2", str(night)])
    assert len(started) == workers_module.RETRIES + 1
    assert result.exit_code == 2 and result.stderr.count("\n") == 1 and "--jobs 1" in result.stderr


@pytest.mark.parametrize(
    "error",
    [
        PermissionError(13, "Permission denied"),
        OSError(30, "Read-only file system"),
        OSError(11, "Resource temporarily unavailable"),
        NotImplementedError("system provides too few semaphores"),
        ImportError("This platform lacks a functioning sem_open implementation"),
    ],
    ids=str,
)
def test_a_system_without_semaphores_or_processes_names_one_job(night: Path, keys: Path, error: Exception) -> None:
    """/dev/shm cannot be used, or no more processes may be started."""
    asked = []

    def refused(*words: Any, **more: Any) -> Any:
        asked.append(None)
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing.synchronize.SemLock, "__init__", refused)
        result = CliRunner().invoke(build(), ["verify", "--keys", str(keys), "--jobs", "2", str(night)])
    assert len(asked) == 1
    assert result.exit_code == 2 and result.stderr.count("\n") == 1, result.stderr
    assert "--jobs 1" in result.stderr and str(getattr(error, "strerror", None) or error) in result.stderr


def test_workers_end_with_the_process_that_started_them() -> None:
    """It is killed, so that it cannot end them itself. Each of them keeps the pipe open until it has ended."""
    program = [sys.executable, str(Path(__file__).with_name("dying_work.py")), "--orphans"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        workers = [int(word) for word in process.stdout.readline().split()]
        process.kill()
        ended = select.select([process.stdout], [], [], 60)[0] and process.stdout.read() == ""
        try:
            assert len(set(workers)) == 2 and ended
        finally:
            for one in workers if not ended else []:
                os.kill(one, signal.SIGKILL)


def test_what_a_run_keeps_in_memory_does_not_grow_with_the_histories(tmp_path: Path) -> None:
    """Bytes that Python has given out after so many small histories, with results, in the same part."""
    one = closed_shoe().write(tmp_path / "one.shoelog").read_bytes()
    for number in range(4 * 96):
        (tmp_path / f"{number:04}.shoelog").write_bytes(one)
    (tmp_path / "out").mkdir()
    taken = []
    with (
        closing(Results(tmp_path / "out")) as results,
        closing(State(tmp_path / "out", {})) as state,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(results_module, "RESULT_ROWS", 32)
        done = run_module.Run(Asked(), state, results, lambda size: None).verify(histories([tmp_path]), Alone())
        tracemalloc.start()
        try:
            for number, _ in enumerate(done, 1):
                if number % 96 == 1:
                    gc.collect()
                    taken.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        assert state.histories == 4 * 96 + 1 and state.parts == 1
    assert len(taken) == 5
    assert (taken[-1] - taken[1]) / (3 * 96) < 100, taken


def test_a_worker_with_another_version_does_nothing(
    night: Path, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces_module, "_version", lambda: "0.0.9+compiled")
    monkeypatch.setattr(pieces_module, "version", lambda: "0.0.9")
    result = run(keys, night, "--out", tmp_path / "out")
    assert result.exit_code == 2 and not result.stdout
    told = "a worker has shoetool 0.0.9+compiled, this is 0.0.9: install the same on all machines"
    assert result.stderr == f"shoetool: {told}\n"


@pytest.mark.skipif(not SOAK, reason="it takes 3 s: `make soak` kills a worker of a cluster")
def test_a_cluster_does_the_work_though_one_of_its_workers_is_killed(night: Path, keys: Path, tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    whole = document(keys, night, "--no-remember")
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        with Client(address, set_as_default=False) as client:
            victims = list(client.run(os.getpid).values())
        hands = workers_module.Cluster(address)
        killed = []

        def submit(function: Any, *arguments: Any, right: Any = hands.submit) -> Any:
            if len(killed) < 1 and submit.calls >= 2:  # type: ignore[attr-defined]
                os.kill(victims[0], signal.SIGKILL)
                killed.append(victims[0])
            submit.calls += 1  # type: ignore[attr-defined]
            return right(function, *arguments)

        submit.calls = 0  # type: ignore[attr-defined]
        hands.submit = submit  # type: ignore[method-assign]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(workers_module, "Cluster", lambda _: hands)
            patch.setattr(pieces_module, "PIECE_FILES", 1)
            words = ["verify", "--keys", str(keys), "--scheduler", address, str(night), "--no-remember", "--json"]
            told = validated("verify_run", CliRunner().invoke(build(), [*words, "--out", str(tmp_path / "out")]).stdout)
    assert killed
    assert told["totals"] == whole["totals"] and told["files"] == whole["files"]
    assert len(table(tmp_path / "out", "histories")) == whole["totals"]["histories"]


def test_a_scheduler_that_does_not_answer_is_one_line(
    tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "ANSWERS_S", 0.2)
    Row(tmp_path / "night").night(1)
    words = ["verify", "--keys", str(keys), "--scheduler", "tcp://127.0.0.1:9", str(tmp_path / "night")]
    result = CliRunner().invoke(build(), words)
    assert result.exit_code == 2 and result.stderr.startswith(
        "shoetool: no Dask scheduler answers at tcp://127.0.0.1:9"
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("defect", [RuntimeError, ValueError])
def test_a_defect_over_one_history_leaves_the_others_verified(
    night: Path, keys: Path, monkeypatch: pytest.MonkeyPatch, defect: type[Exception]
) -> None:
    from shoetool.casino import judged

    right = judged.verify

    def verify(reader: Any, *more: Any) -> Any:
        if reader.path.name == "unsigned.shoelog":
            raise defect("planted")
        return right(reader, *more)

    before = document(keys, night, "--no-remember")["totals"]
    monkeypatch.setattr(judged, "verify", verify)
    result = run(keys, night, "--no-remember")
    assert (
        result.exit_code == 70
        and f"unsigned.shoelog: a defect of shoetool: {defect.__name__}: planted" in result.stderr
    )
    assert f"{before['verdicts']['verified']} verified" in result.output


# ------------------------------------------------------------------------------------------------ options, format
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--table-record", "x.jsonl"], "takes --table-records"),
        (["--at", "21:14"], "not with a run over many"),
        (["--require-payments"], "go with --table-records"),
        (["--scheduler", "tcp://x:1"], "--jobs is for this machine"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, keys: Path, words: list[str], told: str) -> None:
    result = run(keys, tmp_path, *words)
    assert result.exit_code == 2 and told in result.stderr


def test_the_format_of_the_results_is_the_documented_one() -> None:
    text = (ROOT / "host_tools" / "RESULTS_FORMAT.md").read_text(encoding="utf-8")
    sections = re.split(r"^## `(\w+)`.*$", text, flags=re.MULTILINE)
    documented = {
        name: [
            column for row in re.findall(r"^\| (`.*?) \|", body, re.MULTILINE) for column in re.findall(r"`(\w+)`", row)
        ]
        for name, body in zip(sections[1::2], sections[2::2], strict=True)
    }
    assert {name: sorted(columns) for name, columns in documented.items()} == {
        name: sorted(schema.names) for name, schema in SCHEMAS.items()
    }
    assert VERSION == 2


# ------------------------------------------------------------------------------------------------ table records
def test_each_history_is_verified_with_the_table_record_beside_it(
    tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a sample of the synthetic month: signed shoes of one device that follow one another."""
    monkeypatch.setattr(casino_month, "TEMPLATES", 1)
    casino_month.make_device(tmp_path / "month", 7, 0, 3, seed=3, records=True)
    words = [tmp_path / "month", "--table-records", "--no-remember"]
    told = document(keys, *words)
    assert told["files"] == [] and told["devices"] == [] and told["totals"]["verdicts"] == {"verified": 3}
    assert told["totals"]["table_rounds"] == told["totals"]["rounds"] > 0 and told["totals"]["table_records"] == 3
    one, two, three = sorted((tmp_path / "month").rglob("*.jsonl"))
    one.unlink()
    line, *others = two.read_text().splitlines()
    entry = json.loads(others[0])
    entry["paid"][0]["amount"] = "999.00"
    two.write_text("\n".join([line, json.dumps(entry), *others[1:]]))
    three.write_text("\n".join([line, *others[1:]]))
    result = run(keys, *words, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "table records: beside 2 of 3 histories" in result.output
    assert table(tmp_path / "out", "histories", "table_record, table_rounds IS NULL")[0] == (False, True)
    paid = table(tmp_path / "out", "findings", "path, paid_cents, due_cents")
    assert [row for row in paid if row[0] == str(two.with_suffix(".shoelog")) and row[1] is not None]
    assert any(path == str(three.with_suffix(".shoelog")) for path, _, _ in paid), "a round is missing in its record"


def test_what_is_done_when_somebody_presses_ctrl_c_is_kept(
    tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Row(tmp_path / "night").night(4)
    right, done = run_module.judge_all, 0

    def judge(*arguments: Any) -> Any:
        nonlocal done
        done += 1
        if done == 3:
            raise KeyboardInterrupt
        return right(*arguments)

    monkeypatch.setattr(pieces_module, "PIECE_FILES", 1)
    monkeypatch.setattr(run_module, "judge_all", judge)
    out = tmp_path / "out"
    stopped = run(keys, tmp_path / "night", "--out", out)
    assert stopped.exit_code == 130 and "Traceback" not in stopped.output
    again = run(keys, tmp_path / "night", "--out", out)
    assert again.exit_code == 0 and "4 histories: 4 verified" in again.output
    assert "an earlier start of this run verified 2 histories" in again.stderr
