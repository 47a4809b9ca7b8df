"""Text from a device or a file, made safe to print."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode calls printable but no terminal shows: fillers and selectors of variants."""


def clean(text: str) -> str:
    """Make text from a device or a file safe to print: every invisible character becomes a visible escape.

    So a hostile device or file name cannot move the cursor, colour the terminal, turn the direction or end the line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one.isprintable() and not _UNSEEN.match(one) else _escape(ord(one)) for one in text)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
