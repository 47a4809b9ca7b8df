"""What reaches a terminal: no name of a file acts on it, nor text of a device; one without Unicode gets letters."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from histories import Script
from pty_shoe import PtyShoe, Service, short_shoe
from rich.table import Table
from rich.text import Text
from shoetool.cli import build, exits, output
from shoetool.cli.letters import ERRORS
from shoetool.model.places import CRASH_VARIABLE
from shoetool.model.printable import clean

FORGED = "shoe.shoelog: verified, 0 findings"
HOSTILE = f"x\x1b[2J\n{FORGED}\n\u202e\ufeff\u200b.shoelog"
# A format character of each kind: what turns the direction, joins, marks an order of bytes, tags, or takes no room.
UNSEEN = [
    0x00,
    0x07,
    0x0A,
    0x1B,
    0x7F,
    0x9B,
    0xAD,
    0x034F,
    0x061C,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    0x2060,
]
UNSEEN += [*range(0x2066, 0x206A), 0x3164, 0xFE0F, 0xFEFF, 0xD800, 0xE0001, *range(0xE0020, 0xE0080), 0xE0100]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def closed_shoe() -> Script:
    script = short_shoe()
    script.add("shoe_closed", 0, 1, 6)
    return script


def harmless(result: Result) -> None:
    """Nothing printed acts on a terminal, and no line is what the name of a file wants it to be."""
    for text in (result.stdout, result.stderr):
        assert all(one == "\n" or unicodedata.category(one)[0] not in "C" for one in text), ascii(text)
        assert FORGED not in text.splitlines() and not any(line.startswith(FORGED) for line in text.splitlines())


@pytest.mark.parametrize("code", UNSEEN, ids=hex)
def test_what_cannot_be_seen_is_shown_as_an_escape(code: int) -> None:
    shown = clean(f"a{chr(code)}b")
    assert shown.isascii() and shown.isprintable() and f"{code:x}" in shown.lower()


def test_what_can_be_seen_stays() -> None:
    assert clean("10♥ Zürich 7 東京 é µ ░│") == "10♥ Zürich 7 東京 é µ ░│"


@pytest.mark.parametrize("command", [["verify"], ["replay"], ["replay", "--records"], ["keys"], ["settle"], ["table"]])
def test_the_name_of_a_file_forges_no_verdict(command: list[str], tmp_path: Path) -> None:
    file = closed_shoe().write(tmp_path / HOSTILE)
    harmless(run(*command, file))
    harmless(run(*command, file.with_name("missing" + HOSTILE)))


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_name_in_a_document_acts_on_no_terminal_and_is_whole(command: str, tmp_path: Path) -> None:
    file = closed_shoe().write(tmp_path / f"\x9b2J\x7f{HOSTILE}")
    result = run(command, file, "--json")
    harmless(result)
    document = json.loads(result.stdout)
    assert str(file) == (document["file"] if command == "replay" else document["files"][0]["file"])


def test_the_name_of_a_folder_forges_no_line_of_a_fetch(tmp_path: Path) -> None:
    with PtyShoe(Service(closed_shoe())) as shoe:
        result = run("pull", "--all", "--port", shoe.port, "--out", tmp_path / HOSTILE)
    assert result.exit_code == 0 and "\\x1b[2J" in result.stdout
    harmless(result)


def test_the_name_of_a_sheet_of_strips_forges_no_line(tmp_path: Path) -> None:
    result = run("strip", "KS", "--svg", tmp_path / HOSTILE)
    assert result.exit_code == 0, result.output
    harmless(result)


def test_no_text_acts_on_a_console(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    table = Table("head\x1b[2J")
    table.add_row("cell\x9b\u202e")
    for thing in ("text\x1b]0;title\x07", Text("styled\u061c", "red"), table):
        output.console().print(thing)
    assert all(one.isprintable() or one == "\n" for one in written.getvalue())
    assert "text\\x1b]0;title" in written.getvalue() and "styled\\u061c" in written.getvalue()


@pytest.mark.parametrize(("encoding", "shown"), [("cp1252", "10H 9C·"), ("ascii", "10H 9C-"), ("utf-8", "10♥ 9♣·")])
def test_a_stream_without_suits_gets_letters(encoding: str, shown: str) -> None:
    assert "10♥ 9♣·".encode(encoding, ERRORS).decode(encoding) == shown


def printed(encoding: str, *words: str | Path) -> str:
    """Standard output of the program on a terminal of that encoding."""
    command = [sys.executable, "-X", "utf8=0", "-m", "shoetool", *map(str, words)]
    environment = {
        "PYTHONIOENCODING": encoding,
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(filter(None, sys.path)),
    }
    return subprocess.run(command, capture_output=True, env=environment, check=True).stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_round_on_a_terminal_without_suits_can_be_read(encoding: str, tmp_path: Path) -> None:
    history = closed_shoe().write(tmp_path / "night.shoelog")
    shown = printed(encoding, "replay", history, "--round", "1")
    assert "|10C|##" in shown and "9C 5H" in shown and "?" not in shown
    document = json.loads(printed(encoding, "replay", history, "--json"))
    assert document == json.loads(printed("utf-8", "replay", history, "--json"))
    assert "♣" in json.dumps(document, ensure_ascii=False)


def test_every_sign_that_the_tool_prints_has_a_letter() -> None:
    package = Path(exits.__file__).parents[1]
    sources = [path for folder in ("cli", "report", "model") for path in (package / folder).glob("*.py")]
    signs = {one for path in sources for one in path.read_text() if not one.isascii()}
    assert len(signs) > 15
    assert not {one for one in signs if one.encode("ascii", ERRORS) == b"?"}


def test_a_crash_report_takes_names_that_are_no_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CRASH_VARIABLE, str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["shoetool", "verify", "night\udcff.shoelog"])
    assert exits.report(ZeroDivisionError("night\udcff.shoelog")) == exits.INTERNAL
    (report,) = tmp_path.glob("crash-*.txt")
    assert "ZeroDivisionError" in report.read_text() and "udcff" in report.read_text()
