"""A program: give every parameter that names a file or folder to read what is no such file, and tell what came of it.

The parameters are those of click's own command tree. `python hostile_inputs.py FOLDER PART OF` does each `OF`-th
command, from the `PART`-th. It prints a JSON line for each case. A case that does not end is broken off, and told.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from as_nobody import NOBODY
from click.testing import CliRunner
from shoetool.cli import build
from shoetool.cli.options import FileOr, FolderPath, InputPath
from shoetool.cli.outputs import Output

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors" / "history"
ROUND = ROOT / "host_tools" / "shoetool" / "round_file" / "rounds" / "blackjack.json"
LIMIT_S = 60
"""Far above what a case takes: it is there to end one that hangs."""
HOLE = 2 << 40


class Endless(BaseException):
    """A case did not end."""


def words_of(program: click.Command, name: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with the words that call it; of the many optional wagers one."""
    if not isinstance(program, click.Group):
        yield name, program
        return
    context = click.Context(program)
    for word in (*program.list_commands(context), *(("lucky_ladies",) if name == ("odds",) else ())):
        command = program.get_command(context, word)
        assert command is not None, word
        yield from words_of(command, (*name, word))


def is_input(parameter: click.Parameter) -> bool:
    """Whether a parameter names a file or folder to read."""
    return isinstance(parameter.type, InputPath | FolderPath | FileOr)


class Place:
    """A folder with good files of each kind, and with what is no file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        os.chdir(folder)
        os.environ |= {"SHOETOOL_KEYS": str(folder / "pins"), "HOME": str(folder), "XDG_STATE_HOME": str(folder)}
        shutil.copy(VECTORS / "clean_single.shoelog", "good.shoelog")
        shutil.copy(ROUND, "round.json")
        Path("history.json").write_text(RECORD)
        Path("good.jsonl").write_text(RECORD + "\n")
        made = (
            ("archive", "add", "vault", "good.shoelog", "--by", "me"),
            ("log", "init", "log", "--origin", "a.b/c", "--json"),
            ("log", "witness", "--new", "a.b/w", "--key", "witness.key"),
        )
        archive, log, witness = (call(list(words)) for words in made)
        assert archive["code"] in (0, 1) and log["code"] == witness["code"] == 0, (archive, log, witness)
        Path("vkey").write_text(json.loads(log["stdout"])["vkey"] + "\n")
        Path("witness").write_text(witness["stdout"])
        self._fresh = 0
        self.kinds = dict(self._made())

    def _made(self) -> Iterator[tuple[str, str]]:
        yield "empty name", ""
        yield "missing", "no-such-file"
        os.mkfifo("pipe")
        yield "pipe", "pipe"
        yield "zero", "/dev/zero"
        Path("directory").mkdir()
        yield "directory", "directory"
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("socket")
        yield "socket", "socket"
        Path("dangling").symlink_to("nowhere")
        yield "dangling", "dangling"
        yield "NUL", "a\0b"
        yield "long", "x" * 5000
        Path("hole").touch()
        try:
            os.truncate("hole", HOLE)
            yield "hole", "hole"
        except OSError:
            print("this file system has no holes", file=sys.stderr)
        Path("forbidden").touch(0o000)
        Path("forbidden").chmod(0o000)
        yield "forbidden", "forbidden"  # the last one: for it the program becomes nobody

    def needed(self, name: str, command: click.Command, given: click.Parameter) -> list[str]:
        """The words that a command needs beside the parameter that is tried."""
        words = list(BESIDE.get((name, given.name), BESIDE.get((name, None), ())))
        if any(one.name == "port" for one in command.params if isinstance(one, click.Option)):
            words += ["--port", "/dev/no-such-port"]
        for one in command.params:
            if one is given or not one.required or one.opts[0] in words:
                continue
            if isinstance(one.type, Output | FolderPath) and isinstance(one, click.Option):
                self._fresh += 1
                value = f"new{self._fresh}"
            else:
                value = REQUIRED[one.metavar or one.human_readable_name]
                if value in words:
                    continue
            words += [value] if isinstance(one, click.Argument) else [one.opts[0], value]
        return words


HISTORY = "good.shoelog"
RECORD = """{"format": "shoetool-round/1", "history": {"round": 1}, "positions": [{"position": 1, "wager": "10.00"}]}"""
REQUIRED = {
    "HISTORY...": HISTORY, "HISTORY": HISTORY, "FILE": HISTORY, "PATH...": HISTORY, "ARCHIVE": "vault", "LOG": "log",
    "NAME": "a.b/c", "N": "6",
}  # fmt: skip
"""What is given for a parameter that click asks for and that is not tried, by what its help calls it."""
BESIDE: dict[tuple[str, str | None], tuple[str, ...]] = {
    ("verify", None): (HISTORY,),
    ("verify", "table"): (HISTORY, "--table-record", "good.jsonl"),
    ("verify", "out"): (HISTORY, "--jobs", "1"),
    ("export", None): (HISTORY, "--jobs", "1"),
    ("export", "files"): ("--jobs", "1"),
    ("export", "table"): (HISTORY, "--jobs", "1", "--table-records"),
    ("archive add", None): ("--jobs", "1"),
    ("archive add", "table"): ("--jobs", "1", "--table-records"),
    ("archive check", "head"): ("--vkey", "vkey"),
    ("archive check", "vkey"): ("--head", "no.head"),
    ("archive check", "key"): ("--head", "no.head"),
    ("audit", None): (HISTORY, "--jobs", "1"),
    ("audit", "paths"): ("--jobs", "1"),
    ("audit", "sign"): (HISTORY, "--jobs", "1", "--daily", "daily"),
    ("keys", "compare"): ("--heads",),
    ("report", "table"): ("--table-record", "good.jsonl"),
    ("case", None): ("--round", "1"),
    ("case", "table"): ("--round", "1", "--table-record", "good.jsonl"),
    ("settle", "table"): ("round.json",),
    ("settle", "histories"): ("history.json",),
    ("simulate", None): ("six-deck",),
    ("simulate", "table"): ("six-deck", "--table-record", "new.jsonl"),
    ("serve", "cert"): ("--cert-key", "round.json"),
    ("serve", "cert_key"): ("--cert", "round.json"),
    ("update", "files"): ("--to", "1.2.3"),
    ("log prove", None): ("log", HISTORY),
    ("log prove", "log"): (HISTORY,),
    ("log prove", "history"): ("log",),
    ("log prove", "since"): ("log",),
    ("log witness", None): ("log", "--vkey", "vkey", "--key", "witness.key"),
    ("log witness", "source"): ("--vkey", "vkey", "--key", "witness.key"),
    ("log witness", "vkey"): ("log", "--key", "witness.key"),
    ("log witness", "key"): ("log", "--vkey", "vkey"),
    ("log cosign", None): ("--witness", "witness", "answer"),
    ("log cosign", "answers"): ("--witness", "witness"),
    ("log cosign", "witnesses"): ("answer",),
    ("log check", None): ("log",),
    ("log check", "paths"): (),
    ("log check", "proof"): (),
    ("log check", "quorum"): (),
}
"""What a command needs beside a parameter; None: beside the others."""


def tried(name: str, place: Place, parameter: click.Parameter, value: str, command: click.Command) -> list[str]:
    """The words of one case. Positions keep their order."""
    others = place.needed(name, command, parameter)
    if isinstance(parameter, click.Option):
        return [*name.split(), parameter.opts[0], value, *others]
    first = next(one for one in command.params if isinstance(one, click.Argument))
    return [*name.split(), value, *others] if first is parameter else [*name.split(), *others, value]


def call(words: list[str]) -> dict[str, Any]:
    """Run a command, and tell what came of it."""
    signal.alarm(LIMIT_S)
    try:
        result = CliRunner().invoke(build(), words, catch_exceptions=True)
    except Endless:
        return {"words": words, "code": None, "stdout": "", "stderr": "it did not end"}
    finally:
        signal.alarm(0)
    trace = "" if result.exc_info is None else "".join(traceback.format_exception(*result.exc_info))
    ended = isinstance(result.exception, SystemExit | None)
    return {"words": words, "code": result.exit_code, "stdout": result.stdout[-500:], "stderr": result.stderr,
            "trace": "" if ended else trace}  # fmt: skip


def become_nobody(folder: Path) -> None:
    """Go on as somebody whom permissions bind, and who owns the folder."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def end(*_: object) -> None:
    raise Endless


def main(folder: str, part: str, of: str) -> None:
    """Do a part of the commands."""
    signal.signal(signal.SIGALRM, end)
    place = Place(Path(folder))
    cases = [
        (" ".join(name), command, one)
        for name, command in list(words_of(build()))[int(part) :: int(of)]
        for one in command.params
        if is_input(one)
    ]
    for kind, value in place.kinds.items():
        if kind == "forbidden" and os.geteuid() == 0:
            become_nobody(place.folder)
        for name, command, one in cases:
            if isinstance(one.type, FolderPath) and kind in ("missing", "directory"):
                continue  # there is nothing wrong with it
            done = call(tried(name, place, one, value, command))
            about = {"command": name, "name": one.name, "folder": isinstance(one.type, FolderPath)}
            print(json.dumps(about | {"kind": kind, "value": value} | done), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
