"""A file that ends within the signature of a shoe: it was cut off there, nobody took the signature out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.history.chunks import SIGNATURE, Scan

_SHOE_AT: Final = 8
"""Offset of the shoe's number (u32) in a SIGN chunk."""


def torn_signature(scan: Scan, bare: Sequence[int]) -> int | None:
    """Which of the closed shoes without a signature (`bare`) the file is cut off within the signature of, or None.

    The chunk says it, unless the file ends before its number; then it is the last of them.
    """
    if not scan.torn or not bare or not SIGNATURE.startswith(scan.torn[: len(SIGNATURE)]):
        return None
    named = scan.torn[_SHOE_AT : _SHOE_AT + 4]
    shoe = int.from_bytes(named, "little") if len(named) == 4 else bare[-1]
    return shoe if shoe in bare else None


def torn_words(shoe: int, bytes_left: int) -> str:
    """The sentence about it."""
    left = f"{bytes_left} byte{'s' if bytes_left != 1 else ''}"
    return f"the file is cut off within its signature, that of shoe {shoe}, {left} of which are there: fetch it again."
