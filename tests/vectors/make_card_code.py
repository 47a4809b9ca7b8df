"""Write tests/vectors/card_code.json and the tables of firmware/CARD_CODE.md from the host's encoder.

python tests/vectors/make_card_code.py          write both
python tests/vectors/make_card_code.py --check  exit code 1 when either is stale
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "host_tools") not in sys.path:
    sys.path.insert(0, str(ROOT / "host_tools"))

from shoetool.model import card_code  # noqa: E402

VECTORS = ROOT / "tests" / "vectors" / "card_code.json"
SPECIFICATION = ROOT / "firmware" / "CARD_CODE.md"
BEGIN = "<!-- code words: begin, written by tests/vectors/make_card_code.py -->"
END = "<!-- code words: end -->"

CARDS = range(card_code.LAST_CARD + 1)
BATCHES = range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1)
SUITS = "♣♦♥♠"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def name(card: int) -> str:
    """Return how a card is written."""
    if card == card_code.COVER_CARD:
        return "cover card"
    if card > card_code.COVER_CARD:
        return f"test card T{card - card_code.COVER_CARD}"
    return RANKS[card % 13] + SUITS[card // 13]


def vectors() -> str:
    """Return the golden vectors: for each batch the words of cards 0..56, six hexadecimal digits each."""
    words = {str(batch): " ".join(f"{card_code.encode(card, batch):06x}" for card in CARDS) for batch in BATCHES}
    return json.dumps({"cells": "first code cell in bit 23, 1 is dark", "words": words}, indent=0) + "\n"


def cells(card: int, batch: int) -> str:
    """Return the cells of a card, start to stop."""
    found = "".join(map(str, card_code.frame_cells(card, batch)))
    return f"`{found[0]} {found[1:25]} {found[25]}`"


def tables() -> str:
    """Return the Markdown tables of every card's code word: one for each design."""
    lines = []
    for design in (BATCHES[:2], BATCHES[2:]):
        lines += ["", f"| id | card | batch {design[0]} | batch {design[1]} |", "|---|---|---|---|"]
        lines += [f"| {card} | {name(card)} | " + " | ".join(cells(card, b) for b in design) + " |" for card in CARDS]
    return "\n".join(lines[1:])


def specification(text: str) -> str:
    """Return the specification with its tables written anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def main() -> int:
    """Write or check both files."""
    wanted = {VECTORS: vectors(), SPECIFICATION: specification(SPECIFICATION.read_text(encoding="utf-8"))}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale: run python tests/vectors/make_card_code.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
