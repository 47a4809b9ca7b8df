"""Options that several commands have: folders, table records, the speed of the deal."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from shoetool.cli.completion import beginning
from shoetool.model.input_file import shown, word_of
from shoetool.model.places import KEYS_VARIABLE

F = TypeVar("F", bound=Callable[..., Any])


class _Named(click.Path):
    """A path that was named. An empty one would be the current folder, and one with a NUL is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. A usage error for a name that no file can have."""
        _check_name(self, os.fspath(value), param, ctx)
        return super().convert(value, param, ctx)


class InputPath(_Named):
    """A file or folder that is read. Its reader tells what is wrong with it."""


class FolderPath(_Named):
    """A folder, which need not be there. A usage error for what is there and is no folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder's path."""
        path = super().convert(value, param, ctx)
        try:
            mode = Path(path).stat().st_mode
        except OSError:
            return path
        if not stat.S_ISDIR(mode):
            self.fail(f"{shown(path)}: is {word_of(mode) or 'a file'}, not a folder.", param, ctx)
        return path


class FileOr(click.ParamType[str, str]):
    """A file, or something else that is named, such as an example or a key. It stays as it was typed."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text. A usage error for a name that no file can have."""
        _check_name(self, value, param, ctx)
        return str(value)


def _check_name(
    kind: click.ParamType[Any, Any], name: str, param: click.Parameter | None, ctx: click.Context | None
) -> None:
    if not name:
        kind.fail("no file is named.", param, ctx)
    if "\0" in name:
        kind.fail(f"{shown(name)}: no file has such a name.", param, ctx)


FILE: Final = InputPath(path_type=Path)
STREAM: Final = InputPath(allow_dash=True)
"""As it was typed; `-` is standard input."""
KEY_FILE: Final = InputPath(dir_okay=False, path_type=Path)
FOLDER: Final = FolderPath(file_okay=False, path_type=Path)
FILE_OR_NAME: Final = FileOr()


def keys_option(command: F) -> F:
    """Add --keys, the folder with the pinned keys of shoes, to a command."""
    return click.option(
        "--keys",
        type=FOLDER,
        envvar=KEYS_VARIABLE,
        metavar="FOLDER",
        help="Folder of the pinned keys. By default it is in the user's configuration folder.",
    )(command)


def table_option(help_text: str) -> Callable[[F], F]:
    """Add --table, a rules submission or the name of an example, to a command."""
    return click.option(
        "--table",
        type=FILE_OR_NAME,
        metavar="FILE.toml",
        help=help_text,
        shell_complete=lambda *words: beginning(_example_names(), words[2]),
    )


def record_options(command: F) -> F:
    """Add --table-record and the --table that goes with it to a command; `rules_need_record` verifies that it does."""
    command = table_option(
        "With --table-record: the rules submission, or the name of an example. It overrides what the record names."
    )(command)
    return click.option(
        "--table-record",
        "record",
        type=FILE,
        metavar="FILE",
        help="Wagers, decisions and payments too: the table record, one round a line (ROUND_FORMAT.md).",
    )(command)


def rules_need_record(table: str | None, record: Path | None) -> None:
    """Raise a usage error for --table without --table-record."""
    if table is not None and record is None:
        raise click.UsageError("--table goes with --table-record FILE")


def _example_names() -> tuple[str, ...]:
    from shoetool.rules.submission.file import example_names  # only a completion asks for it here, and it takes a while

    return example_names()


SLOWEST: Final = 0.001


class Speed(click.FloatRange):
    """How fast to deal: 1 is real time, 0 as fast as the firmware reads. A speed that would never end is rejected."""

    def __init__(self) -> None:
        """Accept finite numbers that are not negative."""
        super().__init__(min=0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the speed. A usage error names a value that is no speed."""
        speed = float(super().convert(value, param, ctx))
        if not math.isfinite(speed) or 0 < speed < SLOWEST:
            self.fail(f"{value} is not a speed; 1 is real time, 0 as fast as possible.", param, ctx)
        return speed
