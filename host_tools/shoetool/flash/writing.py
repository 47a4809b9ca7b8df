"""Write files onto a board, and read each back by its digest. What an interrupted run wrote is not sent again."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from shoetool.flash.bundle import BUNDLE, pieces_of
from shoetool.flash.device_files import LIST, digest_of
from shoetool.flash.repl import BoardError, Repl
from shoetool.model.errors import DeviceError

KEEP: Final = 16384
"""After so many bytes, the written part of a large file is made durable."""
_FULL: Final = re.compile(r"OSError: (\[Errno )?(28|36)\b")  # 36: no room for a name; no name here is too long

Advance = Callable[[int], None]
"""A function that is called with the number of written bytes."""


class Writing:
    """Writes over the raw REPL `repl`. snippets.TOOLS must have run there."""

    def __init__(self, repl: Repl) -> None:
        self.repl = repl
        self._there: dict[str, tuple[int, str]] = {}  # size and digest of the files in the slot to write

    def stale(self, target: str, wanted: Mapping[str, bytes]) -> list[str]:
        """Return the names of the files that slot `target` lacks. Removes files that do not belong, the list first."""
        with self._room_for(f"slot {target}", "to clear"):
            self.repl.run(f"remove('/{target}/{LIST}')\nfolder('/{target}')")
            for name in self.repl.ask(f"os.listdir('/{target}')"):
                if name not in wanted:  # the folders of a slot from before modules.bin too
                    self.repl.run(f"remove({f'/{target}/{name}'!r})")
            lines = self.repl.run(f"files('/{target}')").decode().splitlines()
        self._there = {name: (size, digest) for name, size, digest in map(ast.literal_eval, lines)}
        return [name for name, content in wanted.items() if self._there.get(name) != digest_of(content)]

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
            raise self._refuse(f"{path}: the board read back something else than was written; run it again")

    def modules(self, slot: str, running: str, content: bytes, advance: Advance) -> int:
        """Write the modules of slot `slot`: those that slot `running` has too ("" for none) are copied on the board.

        What a run that was cut off left of them stays. Returns the bytes that were sent.
        """
        path = f"/{slot}/{BUNDLE}"
        size, digest = self._there.get(BUNDLE, (0, ""))
        done = size if digest_of(content[:size]) == (size, digest) else 0
        source = f"/{running}/{BUNDLE}"
        lines: list[str] = []
        with contextlib.suppress(BoardError):  # what it cannot read of the slot that runs is sent
            lines = self.repl.run(f"pieces({source!r})").decode().splitlines() if running else []
        held = {(size, digest): at for at, size, digest in map(ast.literal_eval, lines)}
        sent = begin = kept = 0
        with self.writing(path, content):
            self.repl.run(f"begin({path!r}, {'ab' if done else 'wb'!r})")
            for piece in pieces_of(content):
                end = begin + len(piece)
                at = held.get(digest_of(piece))
                if done <= begin and at is not None:
                    self.repl.run(f"take({source!r}, {at}, {len(piece)})")
                elif done < end:
                    sent += end - max(begin, done)
                    self.repl.send("w.write", content[max(begin, done) : end])
                advance(len(piece))
                begin = end
                if begin - kept >= KEEP and begin > done:  # littlefs shows of a file what is flushed
                    self.repl.run("w.flush()")
                    kept = begin
        return sent

    @contextlib.contextmanager
    def _room_for(self, path: str, to: str = "for") -> Iterator[None]:
        """Turn errors of the board's file system into DeviceError. `to`: the action that may find no room."""
        try:
            yield
        except BoardError as error:
            if _FULL.search(str(error)):
                raise self._refuse(f"no room {to} {path}: remove files of your own from the board") from None
            raise self._refuse(f"{path}: {plain(error)}") from None

    def _refuse(self, text: str) -> DeviceError:
        """Return an error that names the port."""
        return DeviceError(f"{self.repl.port}: {text}")

    def replace(self, path: str, content: bytes, advance: Advance) -> None:
        """Replace a file in one step."""
        self.file(f"{path}.new", content, advance)
        self.repl.run(f"os.rename({path + '.new'!r}, {path!r})")


def plain(error: BoardError) -> str:
    """Return the text of a board's exception, without its class."""
    return str(error).removeprefix("OSError: ")
