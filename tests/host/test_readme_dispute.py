"""README's way from a night to the file of its disputed round, command after command as the page has them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from shoetool.cli import build

README = Path(__file__).resolve().parents[2] / "README.md"


def commands(holding: str) -> list[str]:
    """The lines of README's only block of commands that holds a text."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    (block,) = [one for one in blocks if holding in one]
    return block.splitlines()


def matching(word: str) -> list[str]:
    return [str(path) for path in sorted(Path().glob(word))] if "*" in word else [word]


def ran(line: str) -> Result:
    """Run a line as a shell would, with its patterns for files."""
    words = [name for word in shlex.split(line) for name in matching(word)]
    assert words[0] == "shoetool"
    return CliRunner().invoke(build(), words[1:])


def test_the_disputed_round_that_readme_opens_is_the_one_with_the_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    simulated, verified, reported, opened = map(ran, commands("--wager-error"))
    assert simulated.exit_code == 0, simulated.output
    (planted,) = re.findall(r"blackjack_paid_6_to_5 in round (\d+)", simulated.output)
    assert verified.exit_code == 1 and f"Round {planted}: position 1, hand 1, main wager" in verified.output
    assert reported.exit_code == 1 and ", 1 finding," in reported.output
    assert opened.exit_code == 1, opened.output
    assert opened.output.startswith(f"Round {planted} of shoe 1: 1 finding, 1 payment not as due"), opened.output
    page = README.read_text(encoding="utf-8")
    assert f"`verify` finds it in round {planted}." in page
    assert {one.name for one in tmp_path.iterdir()} >= {f"case-shoe-1-round-{planted}.pdf", "report.html"}
