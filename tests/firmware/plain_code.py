"""The rules of CARD_CODE.md in plain words, for tests that hold the decoder against them: slow, no code shared.

Cells are tuples of 0 and 1, first one first. A name is card << 6 | batch.
"""

from shoe.reading import card_code
from shoe.reading.widths import LONGEST

BATCHES = range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1)
NAMES = [card << 6 | batch for batch in BATCHES for card in range(card_code.LAST_CARD + 1)]


def printed(name):
    """The 26 cells of a word as a number, first cell highest."""
    return 1 << 25 | card_code.encode(name >> 6, name & 63) << 1


WORDS = [printed(name) for name in NAMES]


def without(cells, count, place):
    """`count` cells, as a number, without cell number `place`."""
    behind = count - 1 - place
    return cells >> behind + 1 << behind | cells & (1 << behind) - 1


_ONES = bytes(bin(number).count("1") for number in range(256))


def ones(number):
    """How many cells of 32 are dark."""
    return _ONES[number & 255] + _ONES[number >> 8 & 255] + _ONES[number >> 16 & 255] + _ONES[number >> 24]


def is_long_space(width, before, after):
    """Longer than 3/4 of the shorter mark beside it."""
    return 4 * width > 3 * min(before, after) or width >= LONGEST


def is_long_mark(width, before, after):
    """Longer than 13/8 of the longer neighbour."""
    return 8 * width > 13 * max(before, after) or width >= LONGEST


def long_places(marks, spaces):
    """The cells that each long space or mark would hide, in the order of the pull; spaces[0] is before mark 1."""
    found = []
    last = len(marks) - 1
    for number in range(last + 1):
        if number and is_long_space(spaces[number - 1], marks[number - 1], marks[number]):
            found.append(number)
        before = marks[number - 1] if number else marks[1]
        after = marks[number + 1] if number < last else marks[number - 1]
        if is_long_mark(marks[number], before, after):
            found.append(number + 1)
    return found


def uneven_cells(marks, spaces):
    """Numbers of the cells that take over 13/8, or less than 3/5, of the median of the five in a row around them."""
    times = [marks[number] + spaces[number] for number in range(len(spaces))]
    found = []
    for number, time in enumerate(times):
        first = min(max(number - 2, 0), max(len(times) - 5, 0))
        median = sorted(times[first : first + 5])[2]
        if 8 * time > 13 * median or 5 * time < 3 * median:
            found.append(number)
    return found
