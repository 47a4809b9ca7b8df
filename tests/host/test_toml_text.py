"""TOML of a hostile hand: it costs no memory, wherever it is read."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from click.testing import CliRunner
from shoetool.cli import build
from shoetool.model.toml_text import parse_toml

DEEP = ".".join(["a"] * 20_000)


@pytest.mark.parametrize("text", [f"{DEEP} = 1", f"[{DEEP}]", f"x = {{{DEEP} = 1}}", f"x = [1,\n{{{DEEP} = 1}}]"])
def test_a_key_of_twenty_thousand_parts_takes_no_memory(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"line \d has more than 100 dots"):
            parse_toml(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000


def test_dots_in_a_comment_are_no_keys() -> None:
    assert parse_toml(f"  # {'.' * 500}\ndecks = 6") == {"decks": 6}


@pytest.mark.parametrize(
    "command", [["configure", "--dry-run"], ["table"], ["simulate", "six-deck", "--table-record", "x", "--table"]]
)
def test_no_command_reads_such_a_file(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep.toml").write_text(f"{DEEP} = 1")
    result = CliRunner().invoke(build(), [*command, "deep.toml"])
    assert result.exit_code == 2, result.output
    assert "deep.toml" in result.stderr and "more than 100 dots" in result.stderr and result.stderr.count("\n") == 1
