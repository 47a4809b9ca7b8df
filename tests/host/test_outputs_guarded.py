"""No command overwrites evidence, an input, or what it does not write. The commands and their outputs are found in
the command tree, so a new command is held to this without being named here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner, Result
from command_tree import Leaf, leaves
from evidence_files import EVIDENCE, evidence
from sampled import some
from shoetool.cli import build
from shoetool.cli.outputs import Output, OutputFile, OutputFolder
from shoetool.model.file_kinds import HISTORY, Guard, Kind


class Named(NamedTuple):
    """One parameter that names an output, of one command."""

    leaf: Leaf
    param: click.Parameter
    type: Output

    @property
    def id(self) -> str:
        """How the test is called."""
        return f"{' '.join(self.leaf.words)} {self.param.opts[0]}"


def outputs(kind: type[Output]) -> list[Named]:
    """Every parameter of every command that names such an output."""
    return [
        Named(leaf, param, param.type)
        for leaf in leaves()
        for param in leaf.command.params
        if isinstance(param.type, kind)
    ]


def forces(named: Named) -> Iterator[list[str]]:
    """The command lines with and without --force, where there is one."""
    yield []
    if any("--force" in param.opts for param in named.leaf.command.params):
        yield ["--force"]


def run(named: Named, out: str | Path, folder: Path, *more: str, given: set[str | None] = frozenset()) -> Result:
    """Run a command with this output. What else it must have is an argument that names a history."""
    history = folder / "given.shoelog"
    if not history.exists():
        evidence(HISTORY, folder / "made").rename(history)
    words = [*named.leaf.words]
    for param in named.leaf.command.params:
        if param.required and param is not named.param and param.name not in given:
            value = str(folder) if isinstance(param.type, click.Path) and not param.type.file_okay else str(history)
            words += [value] if isinstance(param, click.Argument) else [param.opts[0], value]
    return CliRunner().invoke(build(), [*words, *more, named.param.opts[0], str(out)])


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2, (result.exit_code, result.output)
    assert result.stderr.count("\n") == 1 and "Traceback" not in result.stderr, result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


FILES = outputs(OutputFile)
ALL = outputs(Output)
EACH_FILE = pytest.mark.parametrize("named", FILES, ids=[one.id for one in FILES])


def test_the_outputs_are_found() -> None:
    found = {one.id for one in ALL}
    assert {"report --out", "report --csv", "log prove --out", "info --record", "strip --gauge"} <= found
    assert len(found) >= 30


def test_an_option_that_says_it_writes_is_declared_as_an_output() -> None:
    says = re.compile(r"(Write|Draw|Record|Save|Keep|Where to write|Folder for) ")
    undeclared = [
        f"{' '.join(leaf.words)} {param.opts[0]}"
        for leaf in leaves()
        for param in leaf.command.params
        if isinstance(param, click.Option) and isinstance(param.type, click.Path | click.types.StringParamType)
        if says.match(param.help or "") and not isinstance(param.type, Output)
    ]
    assert undeclared == ["report --mark"], "it adds a line to a register"


@EACH_FILE
@pytest.mark.parametrize("kind", some(EVIDENCE, 4), ids=lambda kind: kind.name)
def test_evidence_is_never_overwritten(named: Named, kind: Kind, tmp_path: Path) -> None:
    path = evidence(kind, tmp_path / "evidence")
    before = path.read_bytes()
    twin = tmp_path / "twin"
    twin.hardlink_to(path)
    link = tmp_path / "link"
    link.symlink_to(path)
    for force in forces(named):
        refused(run(named, link, tmp_path, *force), "links are not followed")
        if getattr(named.type, "resumes", False) and kind in named.type.kinds:
            assert run(named, path, tmp_path, *force).exit_code in (2, 3)  # the command looks at it itself
            continue
        refused(run(named, path, tmp_path, *force), str(path))
        if kind.fits is not None:
            refused(run(named, twin, tmp_path, *force), str(twin))
    assert path.read_bytes() == before and link.is_symlink()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["evidence", "given.shoelog", "link", "made", "twin"]


@EACH_FILE
def test_a_damaged_history_is_known_by_its_name(named: Named, tmp_path: Path) -> None:
    path = tmp_path / "night.shoelog"
    path.write_bytes(b"\0damaged")
    for force in forces(named):
        refused(run(named, path, tmp_path, *force), "night.shoelog")
    assert path.read_bytes() == b"\0damaged"


@EACH_FILE
def test_a_file_of_another_kind_is_not_overwritten(named: Named, tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("dear diary\n")
    refused(run(named, path, tmp_path), "diary.txt")
    assert path.read_text() == "dear diary\n"


@EACH_FILE
def test_a_link_a_pipe_a_device_and_standard_output_are_refused(named: Named, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for force in forces(named):
        refused(run(named, tmp_path / "pipe", tmp_path, *force), "is a pipe")
        refused(run(named, tmp_path / "dangling", tmp_path, *force), "is a link to")
        refused(run(named, "/dev/null", tmp_path, *force), "is a device")
        refused(run(named, "-", tmp_path, *force), "name a file")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("named", ALL, ids=[one.id for one in ALL])
def test_an_empty_name_is_no_file(named: Named, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    refused(run(named, "", tmp_path), "is named")
    assert list((tmp_path / "here").iterdir()) == []


def path_params(leaf: Leaf) -> list[click.Parameter]:
    """The parameters of a command whose value may be the path of an input."""
    return [
        param
        for param in leaf.command.params
        if not isinstance(param.type, Output)
        and isinstance(param.type, click.Path | click.types.StringParamType)
        and getattr(param.type, "file_okay", True)
        and param.name is not None
    ]


INPUTS = some([(one, param) for one in FILES for param in path_params(one.leaf)], 4)


@pytest.mark.parametrize(("named", "param"), INPUTS, ids=[f"{one.id} and {param.name}" for one, param in INPUTS])
def test_an_input_of_the_same_command_is_not_overwritten(named: Named, param: click.Parameter, tmp_path: Path) -> None:
    """Not even by another name, and not with --force, before the command has opened anything."""
    path = tmp_path / "rules.toml"
    path.write_text("a = 1\n")
    twin = tmp_path / "twin.toml"
    twin.hardlink_to(path)
    said = "is an input of this command" if param.callback is None else "Invalid value"  # a word such as a time zone
    for force in forces(named):
        words = [str(path)] if isinstance(param, click.Argument) else [param.opts[0], str(path)]
        refused(run(named, twin, tmp_path, *force, *words, given={param.name}), said)
    assert path.read_text() == "a = 1\n"


PAIRS = [
    (one, other) for one in FILES for other in FILES if one.leaf == other.leaf and one.param.name != other.param.name
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[f"{one.id} {other.param.opts[0]}" for one, other in PAIRS])
def test_two_outputs_are_not_one_file(one: Named, other: Named, tmp_path: Path) -> None:
    path = tmp_path / "out"
    refused(run(one, path, tmp_path, other.param.opts[0], str(path)), "is named for two outputs")
    assert not path.exists()


def test_only_what_may_be_replaced_has_a_force() -> None:
    """An output that is evidence itself goes into a new file, so there is nothing to force."""
    for leaf in leaves():
        kinds = [kind for one in ALL if one.leaf == leaf for kind in one.type.kinds]
        has = any("--force" in param.opts for param in leaf.command.params)
        assert has == any(kind.guard is not Guard.EVIDENCE for kind in kinds), leaf.words
    assert all(one.type.kinds for one in ALL if isinstance(one.type, OutputFile | OutputFolder))
