"""How long the marks and spaces of one pass took, and which of them may hide a mark: read_head_decode decides.

Each clock mark is looked at beside its neighbours, so on the chip this is machine code, which knows 32 bits only: what
took longer than LONGEST (67 s, where the head has long been named blocked) counts as that long, and as odd.
"""

from array import array

from shoe.compat import const, micropython, ptr8, ptr32

_TICKS_MASK = const(0x3FFFFFFF)
_DOWN = const(64)  # as DOWN of read_head_track
LONGEST = const(0x4000000)
# A mark takes 1.5 mm from A up to B down, the space after it 0.5 mm, with a lost mark 2.5 mm: the bound between
# 0.33 and 1.67 of a mark is their geometric mean, in quarters of the shorter neighbour.
_GAP_QUARTERS = const(3)
# Two marks that dirt joined take 3.5 mm instead of 1.5: the bound is 13/8 of the longer neighbour.
_JOINED_EIGHTHS = const(13)
# A hand that takes a mark in less than this (0.21 m/s) cannot stop in the space beside it at 20 m/s2.
_MOVING_US = const(7000)
# Nor in a mark when both neighbours take less than this (0.33 m/s).
_MOVING_MARK_US = const(4500)

# Of the pass that is being read: how long mark i took, µs, and from SPACES on the space before it.
SPACES = const(32)
# And what `scan` found: how many spaces and marks hide a mark for certain, may hide one, are as wide as if they did;
# and where the last certain one is.
CERTAIN = const(60)
POSSIBLE = const(61)
ALIKE = const(62)
PLACE = const(63)
WIDTHS = array("i", [0] * 64)


@micropython.viper
def measure(marks: ptr32, widths: ptr32, first: int, count: int):  # pyright: ignore
    """Fill `widths` from the `count` marks of read_head_track from number `first` on."""
    i = 0
    left = 0
    while i < count:
        place = first + i & 63
        entered = int(marks[place])
        width = entered - left & _TICKS_MASK
        widths[SPACES + i] = width if width < LONGEST else LONGEST
        left = int(marks[_DOWN + place])
        width = left - entered & _TICKS_MASK
        widths[i] = width if width < LONGEST else LONGEST
        i += 1


@micropython.viper
def shortest_cell(marks: ptr32, first: int, count: int) -> int:  # pyright: ignore
    """Return the shortest time from mark to mark that is not 0, µs."""
    shortest = int(_TICKS_MASK)
    i = first
    while i < first + count - 1:
        cell_us = int(marks[i + 1 & 63]) - int(marks[i & 63]) & _TICKS_MASK
        if cell_us > 0 and cell_us < shortest:
            shortest = cell_us
        i += 1
    return shortest


@micropython.viper
def gather(cells: ptr8, first: int, count: int) -> int:  # pyright: ignore
    """Return the data of up to 26 cells, the first one highest."""
    frame = 0
    i = 0
    while i < count and i < 26:
        frame = frame << 1 | int(cells[first + i & 63]) & 1
        i += 1
    return frame


@micropython.viper
def doubtful(cells: ptr8, first: int, count: int) -> int:  # pyright: ignore
    """Return in how many of these cells data moved near the centre."""
    n = 0
    i = 0
    while i < count and i < 26:
        n += int(cells[first + i & 63]) >> 1
        i += 1
    return n


@micropython.viper
def odd_space(widths: ptr32, space: int) -> int:  # pyright: ignore
    """Say whether a mark can be lost in the space before mark `space`.

    0 no; 1 it may, 3 and the space is just as wide as if it were; 2 it must be.
    """
    if space == 0:
        return 0
    width = int(widths[SPACES + space])
    before = int(widths[space - 1])
    after = int(widths[space])
    least = before if before < after else after
    if width <= least * _GAP_QUARTERS >> 2 and width < LONGEST:
        return 0
    if before < _MOVING_US and after < _MOVING_US:
        return 2
    # 1.67 marks, give or take ink and acceleration.
    both = before + after
    return 3 if 5 * both <= width << 3 and width << 3 <= 9 * both else 1


@micropython.viper
def odd_mark(widths: ptr32, mark: int, last: int) -> int:  # pyright: ignore
    """Say whether mark `mark` of 0..`last` can be two joined by dirt: 0 no, 1 it may, 2 it must be."""
    length = int(widths[mark])
    before = int(widths[mark - 1 if mark != 0 else 1])
    after = int(widths[mark + 1 if mark < last else last - 1])
    most = before if before > after else after
    if length <= most * _JOINED_EIGHTHS >> 3 and length < LONGEST:
        return 0
    if mark == 0 or mark == last:
        return 1  # a single neighbour proves nothing
    return 2 if before < _MOVING_MARK_US and after < _MOVING_MARK_US else 1


@micropython.viper
def scan(widths: ptr32, count: int):  # pyright: ignore
    """Look at each space and mark of `count` marks: CERTAIN, POSSIBLE, ALIKE, PLACE."""
    certain = 0
    possible = 0
    alike = 0
    mark = 0
    while mark < count:
        at_mark = int(odd_mark(widths, mark, count - 1))
        at_space = int(odd_space(widths, mark))
        if at_mark != 0:
            possible += 1
        if at_space != 0:
            possible += 1
        if at_mark == 2:
            certain += 1
            widths[PLACE] = mark + 1
        if at_space == 2:
            certain += 1
            widths[PLACE] = mark
        if at_space == 3:
            alike += 1
        mark += 1
    widths[CERTAIN] = certain
    widths[POSSIBLE] = possible
    widths[ALIKE] = alike
