"""The code printed along both short edges of a card: CARD_CODE.md has the specification and the proofs.

A word is 24 bits, the first code cell after the start cell in bit 23; 1 is a dark cell. It is a word of the extended
Golay code [24,12,8] in the cell order of the specification, XORed with a fixed mask.
"""

from array import array

from shoe.compat import const

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
TRACK_WIDTH_UM = const(2000)  # across the pull, either track
DATA_TRACK_UM = const(2000)  # centre of the data track from the card's edge, across the pull
CLOCK_TRACK_UM = const(4500)  # centre of the clock track from the card's edge, across the pull

START = const(1)
STOP = const(0)
MASK = const(0x804420)

COVER_CARD = const(52)
FIRST_TEST_CARD = const(53)
LAST_CARD = const(56)
FIRST_BATCH = const(1)
LAST_BATCH = const(62)

NO_CODEWORD = const(-1)
UNASSIGNED = const(-2)

# Printed word, before the mask, of each single bit of the message card << 6 | batch; bit 0 first.
_ROWS = (
    0xD00435,
    0x8400F3,
    0xD202C1,
    0xC41449,
    0x940750,
    0x700668,
    0x5420A9,
    0xC446A0,
    0x4482D8,
    0x0C0639,
    0x900AB8,
    0x1104D9,
)
# Cell of the word that carries each bit of the message; the other twelve are checks.
_MESSAGE_CELLS = (2, 1, 17, 12, 8, 21, 13, 14, 15, 19, 11, 16)


def _encode_message(message):
    """Return the printed word of a 12-bit message, without the mask."""
    word = 0
    for bit in range(12):
        if message >> bit & 1:
            word ^= _ROWS[bit]
    return word


def _cell_values():
    """Return for each cell of a word what it adds to syndrome << 12 | message."""
    checks = [cell for cell in range(CODE_CELLS) if cell not in _MESSAGE_CELLS]
    values = []
    for cell in range(CODE_CELLS):
        message = 0
        rest = 1 << cell
        if cell in _MESSAGE_CELLS:
            message = 1 << _MESSAGE_CELLS.index(cell)
            rest = _encode_message(message)
        syndrome = 0
        for place, check in enumerate(checks):
            syndrome |= (rest >> check & 1) << place
        values.append(syndrome << 12 | message)
    return values


def _tables():
    """Return the sums of `_cell_values` for each value of each 6 cells, and the value of a wrong cell by syndrome."""
    values = _cell_values()
    sums = array("i", [0] * 256)
    for chunk in range(4):
        for cells in range(64):
            total = 0
            for bit in range(6):
                if cells >> bit & 1:
                    total ^= values[6 * chunk + bit]
            sums[64 * chunk + cells] = total
    return sums, {value >> 12: value for value in values}


_SUMS, _WRONG_CELL = _tables()


def encode(card, batch):
    """Return the 24-bit word of `card` (0..56) on a card of `batch` (1..62); ValueError outside."""
    if not 0 <= card <= LAST_CARD or not FIRST_BATCH <= batch <= LAST_BATCH:
        raise ValueError("card or batch out of range")
    return _encode_message(card << 6 | batch) ^ MASK


def decode_packed(word):
    """Return corrected << 12 | card << 6 | batch of a read word with at most one wrong cell, allocating nothing.

    NO_CODEWORD when more cells are wrong, UNASSIGNED for a codeword that no card carries.
    """
    word ^= MASK
    total = _SUMS[word & 63] ^ _SUMS[64 + (word >> 6 & 63)] ^ _SUMS[128 + (word >> 12 & 63)] ^ _SUMS[192 + (word >> 18)]
    corrected = 0
    if total > 4095:
        wrong = _WRONG_CELL.get(total >> 12)
        if wrong is None:
            return NO_CODEWORD
        total ^= wrong
        corrected = 4096
    if total >> 6 > LAST_CARD or not FIRST_BATCH <= total & 63 <= LAST_BATCH:
        return UNASSIGNED
    return corrected | total


def decode(word):
    """Return (card, batch, corrected cells) of a read word with at most one wrong cell, or None."""
    packed = decode_packed(word)
    if packed < 0:
        return None
    return packed >> 6 & 63, packed & 63, packed >> 12
