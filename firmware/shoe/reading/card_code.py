"""The code printed along both short edges of a card: CARD_CODE.md has the specification and the proofs.

A word is 24 bits, the first code cell after the start cell in bit 23; 1 is a dark cell.
"""

from shoe.compat import const
from shoe.reading.card_words import WORDS

# Geometry, micrometres, along the pull unless said otherwise. The head's reference line is its data sensor.
CELLS = const(26)  # start, 24 code cells, stop
CODE_CELLS = const(24)
CELL_UM = const(2000)
CODE_UM = const(52000)
MARK_UM = const(1000)  # clock mark, in the middle of its cell
QUARTER_UM = const(500)  # clock sensor A lies half of this before the reference line, B half of it behind
PRESENT_UM = const(8000)  # the card sensor lies this far behind the reference line, where the card comes out
POKER_UM = const(63000)
BRIDGE_UM = const(57000)
# Across the pull: centres from the card's edge, and widths.
DATA_TRACK_UM = const(2000)
DATA_WIDTH_UM = const(2000)
CLOCK_TRACK_UM = const(5000)
CLOCK_WIDTH_UM = const(3000)  # the two clock sensors do not fit side by side: one lies half of CLOCK_APART to each side
CLOCK_APART_UM = const(1000)

START = const(1)
STOP = const(0)

COVER_CARD = const(52)
FIRST_TEST_CARD = const(53)
LAST_CARD = const(56)
FIRST_BATCH = const(1)
LAST_BATCH = const(4)  # batches 1 and 2 are the two back colors of one design, 3 and 4 of the other one


def encode(card, batch):
    """Return the 24-bit word of `card` (0..56) on a card of `batch` (1..4); ValueError outside."""
    if not 0 <= card <= LAST_CARD or not FIRST_BATCH <= batch <= LAST_BATCH:
        raise ValueError("card or batch out of range")
    at = 3 * ((batch - FIRST_BATCH) * (LAST_CARD + 1) + card)
    return WORDS[at] << 16 | WORDS[at + 1] << 8 | WORDS[at + 2]
