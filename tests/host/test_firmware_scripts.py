"""The scripts of firmware/tools from the command line: help is help, what they do not know is refused."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("build.py", "build_image.py", "build_pico.py", "compiled_wheel.py", "generate_tables.py", "source_names.py")
TOOLS = ROOT / "firmware" / "tools"
sys.path.insert(0, str(TOOLS))

import build_pico  # noqa: E402
import game_tables  # noqa: E402
import generate_tables  # noqa: E402


def run(script: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a script of firmware/tools in `folder`."""
    command = [sys.executable, str(TOOLS / script), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_script_is_here() -> None:
    with_a_front = {p.name for p in TOOLS.glob("*.py") if "\nif __name__ ==" in p.read_text()}
    assert with_a_front == set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_is_printed_and_nothing_is_built(script: str, tmp_path: Path) -> None:
    done = run(script, tmp_path, "--help")
    assert done.returncode == 0 and not done.stderr
    assert done.stdout.startswith(f"usage: {script} ") and "options:" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_not_known_is_refused_and_nothing_is_built(script: str, tmp_path: Path) -> None:
    done = run(script, tmp_path, "--out", "folder")
    assert done.returncode == 2 and "unrecognized arguments: --out" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_log_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = run("source_names.py", tmp_path, "gone.log")
    assert (
        done.returncode == 2 and "gone.log: cannot be read: No such file or directory" in done.stderr.splitlines()[-1]
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [[], ["out"]])
def test_build_pico_fills_its_own_folder_or_the_one_that_is_named(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = []

    def build(folder: Path) -> Path:
        filled.append(folder)
        (tmp_path / "slot" / "shoe").mkdir(parents=True)
        (tmp_path / "slot" / "shoe" / "app.mpy").write_bytes(bytes(70))
        (tmp_path / "slot" / "main.mpy").write_bytes(bytes(7))
        return tmp_path

    monkeypatch.setattr(build_pico, "build_pico", build)
    monkeypatch.chdir(tmp_path)
    assert build_pico.main(words) == 0
    assert filled == [tmp_path / "out" if words else ROOT / "build" / "pico"]
    assert capsys.readouterr().err == f"{tmp_path}: version {build_pico.version()}, 77 bytes in a slot\n"


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("DEVICE_TABLE", "shoe/wire_table.py"),
        ("DEVICE_GAMES", "shoe/game_table.py"),
        ("DEVICE_WORDS", "shoe/reading/card_words.py"),
        ("FAULTS", "FAULTS.md"),
        ("PACKAGE", "package.json"),
    ],
)
def test_a_stale_table_is_named_by_check_and_written_without(
    table: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / Path(name).name
    monkeypatch.setattr(generate_tables, table, path)
    assert generate_tables.main(["--check"]) == 2
    assert not path.exists()
    assert generate_tables.main([]) == 0
    assert path.read_bytes() == (ROOT / "firmware" / name).read_bytes()
    assert generate_tables.main(["--check"]) == 0


def games() -> tuple[dict[str, dict[str, object]], dict[str, int]]:
    protocol = tomllib.loads((ROOT / "firmware" / "protocol.toml").read_text())
    return tomllib.loads((ROOT / "firmware" / "games.toml").read_text()), protocol["enum"]["game"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hands": None}, "switch: hands: missing"),
        ({"colour": 1}, "switch: colour: missing, or no fact"),
        ({"deal": ["dealer up", "players up"]}, "switch: the dealing machine has no such deal"),
        ({"reader_ranks": ["9"]}, "switch: no rank that makes a Blackjack"),
    ],
)
def test_a_game_that_lacks_a_fact_or_has_one_that_the_shoe_cannot_follow_is_refused(
    change: dict[str, object], said: str
) -> None:
    facts, numbers = games()
    game_tables.check(facts, numbers)
    facts["switch"] = {key: value for key, value in (facts["switch"] | change).items() if value is not None}
    with pytest.raises(AssertionError, match=said):
        game_tables.check(facts, numbers)


def test_a_fact_changes_both_tables() -> None:
    facts, numbers = games()
    before = game_tables.device_table(facts, numbers), game_tables.host_table(facts, numbers)
    for key, value in (("hands", 2), ("tens", False), ("decks", {"exactly": [2]}), ("reader_ranks", ["A"])):
        changed = facts | {"blackjack": facts["blackjack"] | {key: value}}
        assert game_tables.device_table(changed, numbers) != before[0], key
        assert game_tables.host_table(changed, numbers) != before[1], key
