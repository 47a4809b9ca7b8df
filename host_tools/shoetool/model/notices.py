"""What the user should know beside the result. The command line prints it when a command is done: each text once."""

from __future__ import annotations

_kept: dict[str, None] = {}


def note(text: str) -> None:
    """Keep a text for the end of the command. One that is kept already is not kept again."""
    _kept[text] = None


def take_notices() -> list[str]:
    """Return the texts in the order in which they came, and forget them."""
    texts = list(_kept)
    _kept.clear()
    return texts
