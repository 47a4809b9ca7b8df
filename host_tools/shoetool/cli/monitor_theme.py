"""The colours of the live view, for dark and for light terminals, and which of both a terminal is.

All texts stand out from their ground by 4.5 to 1 or more (WCAG 2.2, 1.4.3), also those that are dimmed. A test measures
it on every screen.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import Final

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

try:
    import termios
    import tty
except ImportError:  # Windows, whose terminals are dark unless somebody chose otherwise
    termios = None  # type: ignore[assignment]

DARK: Final = "dark"
LIGHT: Final = "light"
AUTO: Final = "auto"
ANSWER_S: Final = 1.0
"""How long a terminal has to say its ground. Nearly every one answers at once that it does or does not know."""
_HALF: Final = 0.5
# The colour of the ground, and behind it what the terminal is (DA1), which all of them answer: then nothing more comes.
_ASK: Final = b"\x1b]11;?\x1b\\\x1b[c"
_END: Final = re.compile(rb"\x1b\[\?[\d;]*c")
_GROUND: Final = re.compile(rb"\x1b\]11;rgba?:([\da-fA-F]{1,4})/([\da-fA-F]{1,4})/([\da-fA-F]{1,4})")

_DARK_GROUND, _DARK_INK = (18, 18, 18), (232, 232, 232)
_LIGHT_GROUND, _LIGHT_INK = (252, 252, 252), (22, 22, 22)
_LIGHT_HUES: Final = ((140, 0, 0), (0, 75, 20), (85, 50, 0), (0, 50, 130), (105, 0, 100), (0, 70, 85))

# What the drawings call black, red, green, yellow, blue, magenta, cyan and white, and the bright ones.
DARK_COLOURS: Final = TerminalTheme(
    _DARK_GROUND,
    _DARK_INK,
    [
        (90, 90, 90),
        (255, 160, 155),
        (120, 220, 130),
        (240, 190, 90),
        (160, 190, 255),
        (240, 160, 240),
        (110, 215, 230),
        (210, 210, 210),
    ],
    [
        (130, 130, 130),
        (255, 160, 155),
        (140, 235, 150),
        (255, 215, 110),
        (175, 200, 255),
        (250, 175, 250),
        (130, 230, 240),
        (250, 250, 250),
    ],
)
LIGHT_COLOURS: Final = TerminalTheme(
    _LIGHT_GROUND,
    _LIGHT_INK,
    [(22, 22, 22), *_LIGHT_HUES, (90, 90, 90)],
    [(70, 70, 70), *_LIGHT_HUES, (22, 22, 22)],
)
THEMES: Final = {
    DARK: Theme(
        "shoe-dark",
        primary="#5aa9ff",
        warning="#ffc35c",
        foreground=DARK_COLOURS.foreground_color.hex,
        background=DARK_COLOURS.background_color.hex,
        surface=DARK_COLOURS.background_color.hex,
        panel="#262a30",
        dark=True,
        variables={"footer-key-foreground": "#ffc35c", "block-cursor-foreground": "#101418"},
    ),
    LIGHT: Theme(
        "shoe-light",
        primary="#0b4f9e",
        warning="#7a3e00",
        foreground=LIGHT_COLOURS.foreground_color.hex,
        background=LIGHT_COLOURS.background_color.hex,
        surface=LIGHT_COLOURS.background_color.hex,
        panel="#e4e7eb",
        dark=False,
        variables={"footer-key-foreground": "#0b4f9e", "block-cursor-foreground": "#ffffff"},
    ),
}


def theme_of(asked: str) -> str:
    """Return DARK or LIGHT: what was asked for, or with AUTO what the terminal of this process is; DARK when that
    cannot be known."""
    if asked != AUTO:
        return asked
    ground = _answered()
    if ground is None:
        ground = _told()
    return LIGHT if ground is not None and ground > _HALF else DARK


def _answered() -> float | None:
    """How bright the terminal says its ground is, 0 to 1 (OSC 11); None when it does not say."""
    if termios is None:
        return None
    try:
        inward, outward = sys.stdin.fileno(), sys.stdout.fileno()
        before = termios.tcgetattr(inward)
    except (OSError, ValueError, termios.error):
        return None
    try:
        tty.setcbreak(inward, termios.TCSANOW)
        os.write(outward, _ASK)
        said = _until(_END, inward)
    finally:
        termios.tcsetattr(inward, termios.TCSAFLUSH, before)  # and an answer that comes late is no key
    found = _GROUND.search(said)
    if found is None:
        return None
    red, green, blue = (int(one, 16) / (16 ** len(one) - 1) for one in found.groups())
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _until(end: re.Pattern[bytes], inward: int) -> bytes:
    """Read what the terminal sends, until it matches `end` or no more comes in time."""
    said, ends = b"", time.monotonic() + ANSWER_S
    while not end.search(said) and (left := ends - time.monotonic()) > 0:
        if select.select([inward], [], [], left)[0]:
            came = os.read(inward, 1024)
            if not came:
                break
            said += came
    return said


def _told() -> float | None:
    """What the environment says: COLORFGBG, as `0;15`, holds the number of the ground's colour last."""
    last = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    if not last.isdigit():
        return None
    return 1.0 if int(last) in (7, 15) else 0.0
