"""The writer guards by itself: here the look at the outputs before a command begins is taken away.

Each command that needs no shoe really writes. What it wrote is of the kinds that it declares. Where evidence lies in
the place of one of its files, the command says so and leaves it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from case_files import history, table_record
from click.testing import CliRunner, Result
from evidence_files import EVIDENCE, evidence, kind_at
from log_commands import Casino
from shoetool.cli import build, outputs
from shoetool.cli.outputs import Output
from shoetool.link.recording import FORMAT, HEAD, MAGIC
from shoetool.model.file_kinds import DATABASE, RECORDING, TABLE_RECORD, Kind
from signed_histories import signed_file
from test_outputs_guarded import outputs as named_outputs

NEEDS_A_SHOE: Final = {
    *("pull --out", "doctor --support", "trace --plot", "trace --vcd", "provision --out", "provision --play-key"),
    *("simulate --out", "simulate --table-record", "demo --out"),
}
ASKS_A_PERSON: Final = {"enter --out"}


def _report(folder: Path) -> list[str]:
    return ["report", str(history(folder / "n.shoelog"))]


def _case(folder: Path) -> list[str]:
    return ["case", str(history(folder / "n.shoelog")), "--round", "1"]


def _night(folder: Path) -> list[str]:
    history(folder / "n.shoelog")
    assert kind_at(table_record(folder / "n.jsonl")[0]) is TABLE_RECORD
    return [str(folder), "--jobs", "1"]


def _dump(folder: Path) -> list[str]:
    (folder / "line.shoelink").write_bytes(HEAD.pack(MAGIC, FORMAT, 0))
    return ["dump", str(folder / "line.shoelink")]


def _prove(folder: Path) -> list[str]:
    casino = Casino(folder, 1)
    assert casino.append(*casino.files).exit_code == 0
    return ["log", "prove", str(casino.log), str(casino.files[0]), "--keys", str(casino.pins)]


RUNS: Final[dict[str, Callable[[Path], list[str]]]] = {
    "report --out": _report,
    "report --csv": lambda folder: [*_report(folder), "--out", str(folder / "page.html")],
    "case --out": _case,
    "verify --out": lambda folder: ["verify", *_night(folder), "--no-remember"],
    "export --out": lambda folder: ["export", *_night(folder), "--no-remember"],
    "audit --daily": lambda folder: ["audit", *_night(folder)],
    "strip --svg": lambda folder: ["strip", "AS", "10H"],
    "strip --sheet": lambda folder: ["strip", "AS"],
    "strip --gauge": lambda folder: ["strip"],
    "dump --pcapng": _dump,
    "dump --dissector": lambda folder: ["dump"],
    "log prove --out": _prove,
    "log init --key": lambda folder: ["log", "init", str(folder / "log"), "--origin", "casino.example/shoes"],
    "keys --export": lambda folder: ["keys", str(signed_file(folder))],
}
IDS: Final = sorted(RUNS)


def declared(name: str) -> Output:
    return next(one.type for one in named_outputs(Output) if one.id == name)


def run(name: str, words: list[str], out: Path, *more: str) -> Result:
    return CliRunner().invoke(build(), [*words, name.split()[-1], str(out), *more])


def files_in(place: Path) -> list[Path]:
    return sorted(path for path in ([place] if place.is_file() else place.rglob("*")) if path.is_file())


@pytest.fixture(autouse=True)
def no_look_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outputs, "_check", lambda context: None)
    monkeypatch.setenv("SHOETOOL_KEYS", str(tmp_path / "pins"))


def test_every_output_is_tried_or_needs_more_than_files() -> None:
    found = {one.id for one in named_outputs(Output)}
    recordings = {one.id for one in named_outputs(Output) if one.type.kinds == (RECORDING,)}
    assert found - recordings == {*RUNS, *NEEDS_A_SHOE, *ASKS_A_PERSON}


@pytest.mark.parametrize("name", IDS)
def test_what_a_command_writes_is_of_the_kinds_that_it_declares(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    words, out, kinds = RUNS[name](tmp_path / "in"), tmp_path / "out", declared(name).kinds
    first = run(name, words, out)
    assert first.exit_code in {0, 1}, first.output
    made = files_in(out)
    assert made and {kind_at(path) for path in made} - {DATABASE} <= set(kinds), [
        (path, kind_at(path)) for path in made
    ]
    again = run(name, words, out)
    assert again.exit_code == (2 if all(kind.is_evidence for kind in kinds) else first.exit_code), again.output
    assert files_in(out) == made


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("kind", [EVIDENCE[0], TABLE_RECORD], ids=["history", "table record"])
def test_evidence_in_the_place_of_a_file_stays(name: str, kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    words, out = RUNS[name](tmp_path / "in"), tmp_path / "out"
    assert run(name, words, out).exit_code in {0, 1}
    places = [path.relative_to(out) for path in files_in(out)]
    source = evidence(kind, tmp_path / "evidence")
    more = ["--force"] if not all(one.is_evidence for one in declared(name).kinds) else []
    for place in places:
        shutil.rmtree(out) if out.is_dir() else out.unlink()
        target = out / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        result = run(name, words, out, *more)
        assert result.exit_code == 2 and str(target) in result.stderr, (place, result.output)
        assert target.read_bytes() == source.read_bytes(), place
        assert not list(tmp_path.rglob("*.tmp")), "nothing is left behind"
