"""How long the marks and spaces of one pass took, which of them may hide a mark, and how even the pull was.

Each is looked at beside others, so on the chip this is machine code, which knows 32 bits only: what took longer than
LONGEST (67 s, where the head has long been named blocked) counts as that long, and as odd.
"""

from array import array

from shoe.compat import const, micropython, ptr8, ptr32

_HALF_BITS = const(29)  # half of the ticks: see CONTRIBUTING.md
_DOWN = const(64)  # as DOWN of track
LONGEST = const(0x4000000)
# A mark takes 1.5 mm from A up to B down, the space after it 0.5 mm, with a lost mark 2.5 mm: the bound between
# 0.33 and 1.67 of a mark is their geometric mean, in quarters of the shorter neighbour.
_GAP_QUARTERS = const(3)
# Two marks that dirt joined take 3.5 mm instead of 1.5: the bound is 13/8 of the longer neighbour.
_JOINED_EIGHTHS = const(13)
# The trend of the pull is the median of so many cells in a row, of which the one that is looked at is one. A hidden
# mark makes a cell twice as long: the bound is 13/8. A mark too many makes one half as long: the bound is 3/5.
_TREND = const(5)
_HALF_OF_TREND = const(2)

# Of the pass that is being read: how long mark i took, µs, and from SPACES on the space before it.
SPACES = const(32)
WIDTHS = array("i", [0] * 64)


@micropython.viper
def measure(marks: ptr32, widths: ptr32, first: int, count: int):  # pyright: ignore
    """Fill `widths` from the `count` marks of track from number `first` on."""
    bits = _HALF_BITS
    half = 1 << bits
    mask = half - 1 + half
    i = 0
    left = 0
    while i < count:
        place = first + i & 63
        entered = int(marks[place])
        width = entered - left & mask
        widths[SPACES + i] = width if width < LONGEST else LONGEST
        left = int(marks[_DOWN + place])
        width = left - entered & mask
        widths[i] = width if width < LONGEST else LONGEST
        i += 1


@micropython.viper
def shortest_cell(marks: ptr32, first: int, count: int) -> int:  # pyright: ignore
    """Return the shortest time from mark to mark that is not 0, µs."""
    bits = _HALF_BITS
    half = 1 << bits
    mask = half - 1 + half
    shortest = mask
    i = first
    while i < first + count - 1:
        cell_us = int(marks[i + 1 & 63]) - int(marks[i & 63]) & mask
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
def long_space(widths: ptr32, space: int) -> int:  # pyright: ignore
    """Return 1 when the space before mark `space` is so long that a mark may be lost in it, or the hand stopped."""
    if space == 0:
        return 0
    width = int(widths[SPACES + space])
    before = int(widths[space - 1])
    after = int(widths[space])
    least = before if before < after else after
    return 0 if width <= least * _GAP_QUARTERS >> 2 and width < LONGEST else 1


@micropython.viper
def long_mark(widths: ptr32, mark: int, last: int) -> int:  # pyright: ignore
    """Return 1 when mark `mark` of 0..`last` is so long that it may be two joined by dirt, or the hand stopped."""
    length = int(widths[mark])
    before = int(widths[mark - 1 if mark != 0 else 1])
    after = int(widths[mark + 1 if mark < last else last - 1])
    most = before if before > after else after
    return 0 if length <= most * _JOINED_EIGHTHS >> 3 and length < LONGEST else 1


@micropython.viper
def long_places(widths: ptr32, count: int) -> int:  # pyright: ignore
    """Return how many of `count` marks, and of the spaces between them, are long."""
    long = 0
    mark = 0
    while mark < count:
        long += int(long_space(widths, mark)) + int(long_mark(widths, mark, count - 1))
        mark += 1
    return long


@micropython.viper
def uneven_cells(widths: ptr32, count: int) -> int:  # pyright: ignore
    """Return how many of the cells between `count` marks take longer or shorter than the trend of those around them.

    A cell is a mark with the space behind it.
    """
    uneven = 0
    cell = 0
    while cell < count - 1:
        time = int(widths[cell]) + int(widths[SPACES + cell + 1])
        at = cell - _HALF_OF_TREND
        if at > count - 1 - _TREND:
            at = count - 1 - _TREND
        if at < 0:
            at = 0
        end = at + _TREND
        faster = 0
        slower = 0
        while at < end:
            other = int(widths[at]) + int(widths[SPACES + at + 1])
            if 13 * other < time << 3:
                faster += 1
            if 3 * other > 5 * time:
                slower += 1
            at += 1
        if faster > _HALF_OF_TREND or slower > _HALF_OF_TREND:
            uneven += 1
        cell += 1
    return uneven
