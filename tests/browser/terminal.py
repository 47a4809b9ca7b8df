"""A command on a terminal of its own, and what a person sees of it then, as a drawing."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text
from shoetool.cli.monitor_theme import DARK_COLOURS, LIGHT_COLOURS

PATIENCE_S = 120.0


def shown(
    words: Sequence[str],
    size: tuple[int, int],
    answer: Callable[[str], str] = lambda seen: "",
    errors: bool = True,
) -> str:
    """Run `shoetool` with these words on a terminal of (columns, rows). Returns all that came, with its colours.

    answer: is called with all that has come so far whenever something comes, and gives what a person types then.
    errors: whether standard error is the terminal too.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment |= {"TERM": "xterm-256color", "COLORTERM": ""}
    command = [sys.executable, "-m", "shoetool", *words]
    seen = ""
    to = slave if errors else subprocess.DEVNULL
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=to, env=environment) as program:
        os.close(slave)
        ends = time.monotonic() + PATIENCE_S
        while True:
            if time.monotonic() > ends:
                program.kill()
                raise TimeoutError(f"{' '.join(words)} goes on: {seen[-500:]}")
            if not select.select([master], [], [], 0.1)[0]:
                continue
            try:
                seen += os.read(master, 65536).decode(errors="replace").replace("\r\n", "\n")
            except OSError:  # the program has closed it
                break
            if typed := answer(seen):
                os.write(master, typed.encode())
    os.close(master)
    return seen


def drawing(seen: str, title: str, size: tuple[int, int], light: bool = False) -> str:
    """The terminal as SVG: the last lines of what came."""
    lines = Text.from_ansi(seen).split("\n", allow_blank=False)
    out = Console(
        width=size[0],
        file=io.StringIO(),
        record=True,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
    )
    wrapped = [row for line in lines for row in line.wrap(out, size[0])]
    for row in wrapped[-size[1] :]:
        out.print(row)
    out.print()  # the drawing cuts into its last line
    return out.export_svg(title=title, theme=LIGHT_COLOURS if light else DARK_COLOURS)
