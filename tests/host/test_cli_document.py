"""CLI.md and the README say what the command table says, and every JSON schema is a schema."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from importlib import resources
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from shoetool.cli import build, exits
from shoetool.cli.commands import COMMANDS
from shoetool.cli.odds_wager import wager_command
from shoetool.history.clock import ASSUMED
from shoetool.round_file.examples import round_example

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "host_tools" / "CLI.md").read_text()
README = (ROOT / "README.md").read_text()
NAMES = [entry.name for entry in COMMANDS]


def section(name: str) -> str:
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)
    assert found, f"CLI.md has no section {name}"
    return found.group(1)


def load(name: str) -> click.Command:
    command = build().get_command(click.Context(build()), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_a_command_is_documented_and_no_other(name: str) -> None:
    command = load(name)
    below = []
    if isinstance(command, click.Group):
        found = (
            command.get_command(click.Context(command), one) for one in command.list_commands(click.Context(command))
        )
        below = [one for one in found if one is not None]
    if name == "odds":
        below.append(wager_command("push_22"))  # one like it for each wager
    real = {
        option
        for one in (command, *below)
        for parameter in one.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if option.startswith("--")
    }
    told = set()
    for row in re.findall(r"^\| (`--[^|]*) \|", section(name), re.M):
        told |= set(re.findall(r"--[a-z0-9-]+", row))
    assert told == real


def test_the_sections_are_the_commands_of_the_table_in_any_order() -> None:
    general = {"Exit codes", "What all commands share", "Times of day", "No face of a face-down card"}
    assert set(re.findall(r"^## (.*)$", DOCUMENT, re.M)) - general == set(NAMES)


def test_the_exit_codes_are_those_of_the_program() -> None:
    told = dict(re.findall(r"^\| (\d+) \| (.*) \|$", section("Exit codes"), re.M))
    assert told == {str(code): meaning for code, meaning in exits.MEANINGS.items()}


def test_the_readme_lists_every_command_with_its_line() -> None:
    told = dict(re.findall(r"^\| `shoetool ([a-z]+)` \| (.*) \|$", README, re.M))
    assert told == {entry.name: entry.line for entry in COMMANDS}


def test_the_readme_names_files_that_are_there() -> None:
    missing = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if not (ROOT / link).is_file()]
    assert not missing


def schemas() -> list[str]:
    return sorted(
        path.name for path in (resources.files("shoetool") / "schemas").iterdir() if path.name != "__pycache__"
    )


@pytest.mark.parametrize("name", schemas())
def test_every_schema_is_a_schema_and_has_a_title(name: str) -> None:
    schema = json.loads((resources.files("shoetool") / "schemas" / name).read_text())
    Draft202012Validator.check_schema(schema)
    assert schema["title"]


@pytest.mark.parametrize("name", NAMES)
def test_every_document_that_a_command_prints_has_a_schema(name: str) -> None:
    for document in re.findall(r"documents? `([a-z]+)`", section(name)):
        assert f"{document}.schema.json" in schemas()


SHELL_LINES = [
    line.split("#")[0].strip()
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.M | re.S)
    for line in block.splitlines()
    if line.startswith("shoetool ") and "night" not in line  # test_readme_dispute.py runs these in order
]
NEED_A_SHOE = {"configure", "flash", "info", "monitor", "provision", "pull", "simulate"}


def arguments(line: str) -> list[str]:
    """The words of a command line as a shell gives them, patterns matched against the files that are there; without
    the file that its output goes to."""
    words: list[str] = []
    for word in shlex.split(line.split(" > ")[0])[1:]:
        words += sorted(str(path) for path in Path().glob(word)) if "*" in word else [word]
    return words


@pytest.mark.parametrize("line", SHELL_LINES)
def test_every_command_of_the_readme_works_as_it_stands(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On histories of the same names; what needs a shoe or deals one is parsed only."""
    monkeypatch.chdir(tmp_path)
    for name, stored in (
        ("build/demo/six-deck.shoelog", "clean_single"),
        ("build/demo/double-planted.shoelog", "planted_wrong_side"),
        ("histories/shoe-00001.shoelog", "clean_single"),
        ("night/shoe-00001.shoelog", "clean_single"),
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests" / "vectors" / "history" / f"{stored}.shoelog", name)
    Path("dispute.json").write_text(round_example("dispute"))
    Path("night.jsonl").write_text('{"format": "shoetool-round/1", "table": "blackjack"}\n')
    name, *rest = arguments(line)
    if name == "archive" and rest[0] != "add":
        CliRunner().invoke(build(), ["archive", "add", "vault", "histories", "--by", "somebody", "--jobs", "1"])
    if name == "log" and rest[0] != "init":
        CliRunner().invoke(build(), ["log", "init", "shoes-log", "--origin", "casino.example/shoes"])
    load(name).make_context(name, list(rest)).close()
    if name not in NEED_A_SHOE or "--list" in rest:
        result = CliRunner().invoke(build(), [name, *rest])
        said = [one for one in result.stderr.splitlines() if ASSUMED not in one]  # these are of an older firmware
        assert result.exit_code in (0, 1) and not said, result.output
