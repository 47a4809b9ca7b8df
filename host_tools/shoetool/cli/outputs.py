"""Options that name an output: a file or a folder that a command writes. One decorator guards them all.

The guard looks at every output before the command begins: nobody waits for an hour and is then refused. The writer
looks again (`model/output_file.py`), since files come and go meanwhile.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import Kind
from shoetool.model.output_file import check_output, run_with

F = TypeVar("F", bound=Callable[..., Any])
_FORCE: Final = "force"
_GUARDED: Final = "guards_outputs"


class Output(click.Path):
    """The type of a parameter that names an output. `kinds`: what is written there."""

    noun = "file"

    def __init__(self, *kinds: Kind, **settings: Any) -> None:
        """Keep the kinds. Everything else is click's own."""
        super().__init__(path_type=Path, **settings)
        self.kinds = kinds

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. A usage error when none is named: an empty path would be the current folder."""
        if value == "":
            self.fail(f"no {self.noun} is named.", param, ctx)
        return super().convert(value, param, ctx)


class OutputFile(Output):
    """The type of a parameter that names a file to write.

    `resumes`: the command takes up a file of this kind that a run before it left, so the guard lets it see one.
    """

    def __init__(self, *kinds: Kind, resumes: bool = False) -> None:
        """Take everything but a folder."""
        super().__init__(*kinds, dir_okay=False)
        self.resumes = resumes


class OutputFolder(Output):
    """The type of a parameter that names a folder to write files into."""

    noun = "folder"

    def __init__(self, *kinds: Kind) -> None:
        """Take a folder."""
        super().__init__(*kinds, file_okay=False)


def output_option(*names: str, type: Output, **settings: Any) -> Callable[[F], F]:
    """Add an option that names an output, and --force where a file may be replaced with it.

    The command does not see --force: the writer of files knows it.
    """

    def add(command: F) -> F:
        command = _guarded(command)
        if not all(kind.is_evidence for kind in type.kinds) and _FORCE not in _names(command):
            told = "Replace a file that is there, unless it is evidence or a key."
            command = click.option("--force", _FORCE, is_flag=True, help=told)(command)
        return click.option(*names, type=type, **settings)(command)

    return add


def _names(command: Callable[..., Any]) -> set[str | None]:
    return {param.name for param in getattr(command, "__click_params__", ())}


def _guarded(command: F) -> F:
    """Return the command with a guard around it, which looks at its outputs first."""
    if getattr(command, _GUARDED, False):
        return command

    @functools.wraps(command)
    def run(*words: Any, **values: Any) -> Any:
        context = click.get_current_context()
        force = bool(values.pop(_FORCE, False))
        with run_with(inputs_of(context), force):
            _check(context)
            return command(*words, **values)

    setattr(run, _GUARDED, True)
    return run  # type: ignore[return-value]


def _check(context: click.Context) -> None:
    """Raise BadInput when one of the outputs may not be written, or two of them are one file."""
    named: set[str] = set()
    for param in context.command.params:
        path = context.params.get(param.name or "")
        if not isinstance(param.type, OutputFile) or path is None:
            continue
        check_output(path, *param.type.kinds, resumes=param.type.resumes)
        place = os.path.realpath(path)
        if place in named:
            raise BadInput(f"{path}: is named for two outputs; name a file for each")
        named.add(place)


def inputs_of(context: click.Context) -> Iterator[str]:
    """Yield every word of the command line that may name an input: all values of parameters that are no outputs.

    A word such as `table=FILE` or `recording:FILE` may name one behind its sign too.
    """
    one: click.Context | None = context
    while one is not None:
        for param in one.command.params:
            if not isinstance(param.type, Output):
                yield from _words(one.params.get(param.name or ""))
        one = one.parent


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, tuple | list):
        for one in value:
            yield from _words(one)
    elif isinstance(value, str | Path):
        text = os.fspath(value)
        yield text
        yield from (text[sign.end() :] for sign in re.finditer("[=:]", text[:200]))
