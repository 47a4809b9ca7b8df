"""The tables of card_words.toml: the printed words as bytes for the firmware, as numbers for the host."""

from __future__ import annotations

from typing import Any

PER_LINE = {"device": 9, "host": 11}


def words(source: dict[str, Any]) -> dict[int, list[int]]:
    """Return the words of each batch, in the order of the cards."""
    return {int(batch): [int(word, 16) for word in text.split()] for batch, text in source["batches"].items()}


def check(source: dict[str, Any]) -> None:
    """Batches are 1, 2, ... with one word for each card, and no word stands twice."""
    batches = words(source)
    assert list(batches) == list(range(1, len(batches) + 1)), "card_words.toml: batches are not 1, 2, ..."
    assert {len(row) for row in batches.values()} == {57}, "card_words.toml: a batch has 57 words"
    every = [word for row in batches.values() for word in row]
    assert len(set(every)) == len(every) and max(every) < 1 << 24, "card_words.toml: a word stands twice or is too long"


def device_table(source: dict[str, Any]) -> str:
    """Return the firmware's module: three bytes a word, which are not on the heap in a frozen image."""
    lines = [
        '"""The printed words, generated from card_words.toml by generate_tables.py: three bytes each."""',
        "",
        "# Three bytes a word, the highest first; the words of a batch lie together.",
        "WORDS = (",
    ]
    for batch, row in words(source).items():
        lines.append(f"    # batch {batch}")
        for at in range(0, len(row), PER_LINE["device"]):
            packed = b"".join(word.to_bytes(3, "big") for word in row[at : at + PER_LINE["device"]])
            lines.append('    b"' + "".join(f"\\x{byte:02x}" for byte in packed) + '"')
    return "\n".join([*lines, ")"]) + "\n"


def host_table(source: dict[str, Any]) -> str:
    """Return the host's module: numbers by batch."""
    lines = [
        '"""The printed words. Generated from firmware/card_words.toml by `make tables`: do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "# fmt: off",
        "WORDS: Final[dict[int, tuple[int, ...]]] = {",
    ]
    for batch, row in words(source).items():
        lines.append(f"    {batch}: (")
        for at in range(0, len(row), PER_LINE["host"]):
            lines.append("        " + " ".join(f"0x{word:06x}," for word in row[at : at + PER_LINE["host"]]))
        lines.append("    ),")
    return "\n".join([*lines, "}"]) + "\n"
