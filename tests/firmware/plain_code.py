"""The rules of CARD_CODE.md in plain words, for tests that hold the decoder against them: slow, no code shared.

Cells are tuples of 0 and 1, first one first. A name is card << 6 | batch.
"""

from shoe.reading import card_code
from shoe.reading.widths import ALIKE, LONG, LONGER, LONGEST, SURE

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


def looks_as_space(width, before, after):
    """3/4 of the shorter mark beside it; no hand stops at 0.21 m/s; 5/8 to 2 of both is as long as with a lost mark.

    5/4 to 13/4 of both is as long as with two to four.
    """
    if 4 * width <= 3 * min(before, after) and width < LONGEST:
        return 0
    both = before + after
    several = LONG * (5 * both < 4 * width <= 13 * both)
    return several | LONGER | SURE * (max(before, after) < 7000) | ALIKE * (5 * both <= 8 * width <= 16 * both)


def looks_as_mark(width, before, after, inner=True):
    """13/8 of the longer neighbour; 0.33 m/s; 7/8 to 5/2 of both; 13/8 to 7/2 as well.

    At an end a single neighbour proves nothing.
    """
    if 8 * width <= 13 * max(before, after) and width < LONGEST:
        return 0
    both = before + after
    several = LONG * (13 * both < 8 * width <= 28 * both)
    sure = SURE * (inner and max(before, after) < 4500)
    return several | LONGER | sure | ALIKE * (7 * both <= 8 * width <= 20 * both)


def looks(marks, spaces):
    """(cell that it would hide, look) of each space and mark in the order of the pull; spaces[0] is before mark 1."""
    found = []
    last = len(marks) - 1
    for number in range(last + 1):
        if number:
            found.append((number, looks_as_space(spaces[number - 1], marks[number - 1], marks[number])))
        before = marks[number - 1] if number else marks[1]
        after = marks[number + 1] if number < last else marks[number - 1]
        found.append((number + 1, looks_as_mark(marks[number], before, after, 0 < number < last)))
    return found


def fewest_wrong(own, cells, count, first, second=None):
    """Fewest wrong cells of any word but `own` that lost its marks before `first` (and `second`) of those read.

    What is read too many stood before its cells or behind them.
    """
    kept = 25 if second is None else 24
    least = 26
    for ahead in range(count - kept + 1):
        part = cells >> count - kept - ahead & (1 << kept) - 1
        at = max(first - ahead, 0)
        if at <= kept:
            for name, word in zip(NAMES, WORDS):
                if name != own:
                    if second is not None:
                        word = without(word, 26, min(second - ahead + 1, 25))
                    least = min(least, ones(without(word, kept + 1, at) ^ part))
    return least
