"""Write files onto a board, and read each back by its digest. What an interrupted run wrote is not sent again."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from shoetool.flash.device_files import LIST, digest_of
from shoetool.flash.repl import BoardError, Repl

_FULL: Final = re.compile(r"OSError: (\[Errno )?(28|36)\b")  # 36: no room for a name; no name here is too long

Advance = Callable[[int], None]
"""A function that is called with the number of written bytes."""


class Writing:
    """Writes over the raw REPL `repl`. snippets.TOOLS must have run there."""

    def __init__(self, repl: Repl) -> None:
        self.repl = repl

    def stale(self, target: str, wanted: Mapping[str, bytes]) -> list[str]:
        """Return the names of the files that slot `target` lacks. Removes what is not wanted there, the list first."""
        folders = {f"{parent}/" for name in wanted for parent in PurePosixPath(name).parents} - {"./"}
        with self._room_for(f"slot {target}", "to clear"):
            self.repl.run(f"remove('/{target}/{LIST}')\nfolder('/{target}')")
            there = self._inside(target)
            for name in sorted(there):  # a folder before what lies in it, which goes with it
                if name not in wanted and name not in folders:
                    self.repl.run(f"remove({f'/{target}/{name}'.rstrip('/')!r})")
            for name in sorted(folders):
                self.repl.run(f"folder({f'/{target}/{name}'.rstrip('/')!r})")
        return [name for name, content in wanted.items() if there.get(name) != digest_of(content)]

    def _inside(self, slot: str) -> dict[str, tuple[int, str]]:
        """Size and digest of each file in a slot by its name there; a folder's name ends with a slash."""
        lines = self.repl.run(f"files('/{slot}')").decode().splitlines()
        return {name: (size, digest) for name, size, digest in map(ast.literal_eval, lines)}

    def file(self, path: str, content: bytes, advance: Advance) -> None:
        """Write one file and read its digest back."""
        with self.writing(path, content):
            self.repl.run(f"begin({path!r})")
            self.repl.send("w.write", content, advance)

    @contextlib.contextmanager
    def writing(self, path: str, content: bytes) -> Iterator[None]:
        """Begin a file at `path`, let the caller write `content`, then end the file and read its digest back."""
        with self._room_for(path):
            yield
            found = self.repl.ask(f"end({path!r})")
        if found != digest_of(content):
            raise self.repl.refuse(f"{path}: the board read back other bytes than were written; run it again")

    def files(self, slot: str, running: str, wanted: Mapping[str, bytes], advance: Advance) -> int:
        """Write files of slot `slot`. A file that slot `running` has too ("" for none) is copied on the board.

        Returns the bytes that so were not sent.
        """
        held = self._inside(running) if running else {}
        copied = 0
        for name, content in wanted.items():
            path = f"/{slot}/{name}"
            if held.get(name) == digest_of(content):
                with self.writing(path, content):
                    self.repl.run(f"copy({f'/{running}/{name}'!r}, {path!r})")
                copied += len(content)
                advance(len(content))
            else:
                self.file(path, content, advance)
        return copied

    @contextlib.contextmanager
    def _room_for(self, path: str, to: str = "for") -> Iterator[None]:
        """Turn errors of the board's file system into DeviceError. `to`: the action that may find no room."""
        try:
            yield
        except BoardError as error:
            if _FULL.search(str(error)):
                raise self.repl.refuse(f"no room {to} {path}: remove files of your own from the board") from None
            raise self.repl.refuse(f"{path}: {plain(error)}") from None

    def replace(self, path: str, content: bytes, advance: Advance) -> None:
        """Replace a file in one step."""
        self.file(f"{path}.new", content, advance)
        self.repl.run(f"os.rename({path + '.new'!r}, {path!r})")


def plain(error: BoardError) -> str:
    """Return the text of a board's exception, without its class."""
    return str(error).removeprefix("OSError: ")
