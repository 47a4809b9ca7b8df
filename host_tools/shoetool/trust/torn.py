"""A file that ends inside the signature of a shoe: it was cut off there, and nobody removed the signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.history.chunks import SIGNATURE, Scan

_SHOE_AT: Final = 8
"""Offset of the shoe's number (u32) in a SIGN chunk."""


def torn_signature(scan: Scan, bare: Sequence[int]) -> int | None:
    """Return the closed shoe without a signature (one of `bare`) in whose signature the file was cut off, or None.

    The chunk tells the shoe's number. When the file ends before the number, it is the last of `bare`.
    """
    if not scan.torn or not bare or not SIGNATURE.startswith(scan.torn[: len(SIGNATURE)]):
        return None
    named = scan.torn[_SHOE_AT : _SHOE_AT + 4]
    shoe = int.from_bytes(named, "little") if len(named) == 4 else bare[-1]
    return shoe if shoe in bare else None


def torn_words(shoe: int, bytes_left: int) -> str:
    """Return the sentence about a cut-off signature."""
    left = f"{bytes_left} byte{'s' if bytes_left != 1 else ''}"
    return f"the file is cut off within its signature, that of shoe {shoe}, {left} of which are there: fetch it again."
