"""How long the marks and spaces of one pass took, and which of them may hide a mark: decode decides.

Each clock mark is looked at beside its neighbours, so on the chip this is machine code, which knows 32 bits only: what
took longer than LONGEST (67 s, where the head has long been named blocked) counts as that long, and as odd.
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
# A hand that takes a mark in less than this (0.21 m/s) cannot stop in the space beside it at 20 m/s2.
_MOVING_US = const(7000)
# Nor in a mark when both neighbours take less than this (0.33 m/s).
_MOVING_MARK_US = const(4500)

# How a space or mark looks beside its neighbours; 0 is regular. LONGER always stands with the others.
LONGER = const(1)  # it may hide a mark, or the hand stopped there
SURE = const(2)  # no hand stops there
ALIKE = const(4)  # as long as one that hides a mark or two is where the hand goes on evenly
LONG = const(8)  # as long as one that hides two to four

# Of the pass that is being read: how long mark i took, µs, and from SPACES on the space before it.
SPACES = const(32)
# And what `scan` found: which cell the last LONG space or mark would hide, 0 without one; how many are longer, sure and
# alike; and which cells the last of the alike and the one before it would hide.
LONG_PLACE = const(58)
ODD = const(59)
FAST = const(60)
EVEN = const(61)
PLACE = const(62)
BEFORE = const(63)
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
def odd_space(widths: ptr32, space: int) -> int:  # pyright: ignore
    """Say how the space before mark `space` looks, in which a mark may be lost: 0, or LONGER with SURE or ALIKE."""
    if space == 0:
        return 0
    width = int(widths[SPACES + space])
    before = int(widths[space - 1])
    after = int(widths[space])
    least = before if before < after else after
    if width <= least * _GAP_QUARTERS >> 2 and width < LONGEST:
        return 0
    odd = LONGER
    if before < _MOVING_US and after < _MOVING_US:
        odd |= SURE
    # 1.67 marks, or 3.0 where two are lost, give or take ink and acceleration.
    both = before + after
    if 5 * both <= width << 3 and width << 3 <= 16 * both:
        odd |= ALIKE
    # Of both marks beside it one lost mark makes 0.83, two make 1.5, four 2.83: in an even pull, give or take a sixth.
    if 5 * both < width << 2 and width << 2 <= 13 * both:
        odd |= LONG
    return odd


@micropython.viper
def odd_mark(widths: ptr32, mark: int, last: int) -> int:  # pyright: ignore
    """Say how mark `mark` of 0..`last` looks, which may be two joined by dirt: 0, or LONGER with SURE or ALIKE."""
    length = int(widths[mark])
    before = int(widths[mark - 1 if mark != 0 else 1])
    after = int(widths[mark + 1 if mark < last else last - 1])
    most = before if before > after else after
    if length <= most * _JOINED_EIGHTHS >> 3 and length < LONGEST:
        return 0
    odd = LONGER
    if before < _MOVING_MARK_US and after < _MOVING_MARK_US and mark != 0 and mark != last:
        odd |= SURE  # a single neighbour proves nothing
    # 2.33 marks, or 3.67 where three are joined, likewise.
    both = before + after
    if 7 * both <= length << 3 and length << 3 <= 20 * both:
        odd |= ALIKE
    # One joined mark makes 1.17 of both, two make 1.83, four 3.17.
    if 13 * both < length << 3 and length << 1 <= 7 * both:
        odd |= LONG
    return odd


@micropython.viper
def odd_place(widths: ptr32, place: int, last: int) -> int:  # pyright: ignore
    """Say likewise how the inner cell `place` looks, whose mark may be lost or joined with the one before.

    A hidden first or last mark leaves nothing to see.
    """
    at_space = int(odd_space(widths, place))
    return at_space if at_space != 0 else int(odd_mark(widths, place - 1, last))


@micropython.viper
def scan(widths: ptr32, count: int):  # pyright: ignore
    """Look at each space and mark of `count` marks: LONG_PLACE, ODD, FAST, EVEN, PLACE, BEFORE."""
    long_place = 0
    odd = 0
    fast = 0
    even = 0
    mark = 0
    while mark < count:
        place = mark
        while place <= mark + 1:
            kind = int(odd_space(widths, mark)) if place == mark else int(odd_mark(widths, mark, count - 1))
            if kind & LONG != 0:
                long_place = place
            if kind != 0:
                odd += 1
            if kind & SURE != 0:
                fast += 1
            if kind & ALIKE != 0:
                even += 1
                widths[BEFORE] = widths[PLACE]
                widths[PLACE] = place
            place += 1
        mark += 1
    widths[LONG_PLACE] = long_place
    widths[ODD] = odd
    widths[FAST] = fast
    widths[EVEN] = even
