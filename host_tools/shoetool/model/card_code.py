"""The printed card code on the host, computed from the generator polynomial. CARD_CODE.md specifies it.

It does not share the firmware's generator matrix, so the golden vectors compare two implementations.
"""

from __future__ import annotations

from typing import Final

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
LAST_BATCH: Final = 4
# The six bits of a message for batch 1, 2, ... Batches 1 and 2 are one design in two back colors, 3 and 4 another.
BATCH_CODES: Final = (9, 60, 29, 51)

GENERATOR: Final = 0b110001110101  # x^11 + x^10 + x^6 + x^5 + x^4 + x^2 + 1
PARITY: Final = 23  # name of the coordinate that makes the weight even

# Coordinate (power of x, or PARITY) that each code cell carries, first cell after the start cell first.
CELL_ORDER: Final = (0, 6, 16, 23, 20, 7, 13, 22, 19, 18, 17, 14, 21, 5, 8, 15, 3, 1, 2, 4, 9, 11, 12, 10)
# Cells that are printed inverted, so that no symmetry of the code maps printed words onto printed words.
MASKED_CELLS: Final = (0, 9, 13, 18)


def golay(message: int) -> int:
    """Return the systematic extended Golay word of a 12-bit message: bits 11..22 message, bit 23 parity."""
    remainder = message << 11
    for power in range(22, 10, -1):
        if remainder >> power & 1:
            remainder ^= GENERATOR << (power - 11)
    word = message << 11 | remainder
    return word | (word.bit_count() & 1) << PARITY


def code_cells(card: int, batch: int) -> tuple[int, ...]:
    """Return the 24 code cells (1 dark) of `card` (0..56) of `batch` (1..4) in printed order; ValueError outside."""
    if not 0 <= card <= LAST_CARD or not FIRST_BATCH <= batch <= LAST_BATCH:
        raise ValueError(f"no card {card} of batch {batch} is ever printed")
    word = golay(card << 6 | BATCH_CODES[batch - 1])
    return tuple((word >> name & 1) ^ (place in MASKED_CELLS) for place, name in enumerate(CELL_ORDER))


def frame_cells(card: int, batch: int) -> tuple[int, ...]:
    """Return all 26 cells, start first."""
    return (START, *code_cells(card, batch), STOP)


def encode(card: int, batch: int) -> int:
    """Return the 24 code cells as a number, first cell in bit 23."""
    word = 0
    for cell in code_cells(card, batch):
        word = word << 1 | cell
    return word


def same_design(batch: int, other: int) -> bool:
    """Whether two batches are one design: equal, or its two back colors."""
    return (batch - 1) // 2 == (other - 1) // 2
