"""The printed card code on the host: geometry, and the word of each card. CARD_CODE.md specifies it."""

from __future__ import annotations

from typing import Final

from shoetool.model.card_words import WORDS

CELLS: Final = 26
CODE_CELLS: Final = 24
CELL_MM: Final = 2.0
MARK_MM: Final = 1.0
CODE_MM: Final = CELLS * CELL_MM
QUARTER_MM: Final = 0.5
PRESENT_MM: Final = 8.0
POKER_MM: Final = 63.0
BRIDGE_MM: Final = 57.0
POKER_LENGTH_MM: Final = 88.0
# Across the pull: centres from the card's edge, and widths.
DATA_TRACK_MM: Final = 2.0
DATA_WIDTH_MM: Final = 2.0
CLOCK_TRACK_MM: Final = 5.0
CLOCK_WIDTH_MM: Final = 3.0
CLOCK_APART_MM: Final = (
    1.0  # clock sensor A lies half of this nearer to the card's edge than the track's centre, B farther
)

START: Final = 1
STOP: Final = 0
COVER_CARD: Final = 52
LAST_CARD: Final = 56
FIRST_BATCH: Final = 1
LAST_BATCH: Final = 4  # 1 and 2 are one design in two back colors, 3 and 4 another


def code_cells(card: int, batch: int) -> tuple[int, ...]:
    """Return the 24 code cells (1 dark) of `card` (0..56) of `batch` (1..4) in printed order; ValueError outside."""
    word = encode(card, batch)
    return tuple(word >> CODE_CELLS - 1 - cell & 1 for cell in range(CODE_CELLS))


def frame_cells(card: int, batch: int) -> tuple[int, ...]:
    """Return all 26 cells, start first."""
    return (START, *code_cells(card, batch), STOP)


def encode(card: int, batch: int) -> int:
    """Return the 24 code cells as a number, first cell in bit 23; ValueError for what is never printed."""
    if not 0 <= card <= LAST_CARD or not FIRST_BATCH <= batch <= LAST_BATCH:
        raise ValueError(f"no card {card} of batch {batch} is ever printed")
    return WORDS[batch][card]


def same_design(batch: int, other: int) -> bool:
    """Whether two batches are one design: equal, or its two back colors."""
    return (batch - 1) // 2 == (other - 1) // 2
