"""Which printed word the cells of a pass are: whole, or without the cell of one hidden clock mark.

Times have no part in it. All words are compared with what was read, so this is machine code on the chip.
"""

from array import array

from shoe.compat import const, micropython, ptr8, ptr32
from shoe.reading.card_words import WORDS

CARDS = const(57)
BATCHES = const(4)
NOBODY = const(-1)
PLACES = array("i", [0])  # what `shortened` found: bit j is set where the cells are the word without its cell j
_START = const(25)  # the start cell's bit in 26 cells


@micropython.viper
def _named(words: ptr8, frame: int) -> int:  # pyright: ignore
    found = NOBODY
    start = 1 << _START
    batch = 0
    at = 0
    while batch < BATCHES:
        card = 0
        while card < CARDS:
            word = int(words[at]) << 16 | int(words[at + 1]) << 8 | int(words[at + 2])
            at += 3
            rest = word << 1 ^ start ^ frame
            if rest & rest - 1 == 0:
                found = card << 6 | batch + 1
                if rest != 0:
                    found |= 4096
            card += 1
        batch += 1
    return found


def named(frame):
    """Return wrong cells << 12 | card << 6 | batch of the one word that 26 cells differ from in one cell at most.

    NOBODY when there is none. No other word can be as near: any two differ in eight cells.
    """
    return _named(WORDS, frame)


@micropython.viper
def _shortened(words: ptr8, in_play: ptr8, cells: int, found: ptr32) -> int:  # pyright: ignore
    name = NOBODY
    start = 1 << _START
    batch = 0
    at = 0
    while batch < BATCHES:
        card = 0
        while card < CARDS:
            word = int(words[at]) << 16 | int(words[at + 1]) << 8 | int(words[at + 2])
            word = word << 1 | start
            at += 3
            # Bit 24 - i: cell i of those read differs, with the hidden cell behind it, and with it before.
            behind = word >> 1 ^ cells
            before = (word ^ cells) & start - 1
            if behind & before == 0 and in_play[batch + 1] != 0:
                # No cell before the hidden one may differ in `behind`, and none from there on in `before`.
                place = 0
                places = 0
                while place < 26:
                    low = 25 - place
                    if behind >> low == 0 and before & (1 << low) - 1 == 0:
                        places |= 1 << place
                    place += 1
                if places != 0:
                    found[0] = places
                    name = card << 6 | batch + 1
            card += 1
        batch += 1
    return name


def shortened(in_play, cells):
    """Return card << 6 | batch of the one word that is exactly these 25 `cells` without one of its own; fill PLACES.

    NOBODY when there is none. Of the batches b with `in_play`[b]; any two words of a design are four cells apart then.
    """
    return _shortened(WORDS, in_play, cells, PLACES)
