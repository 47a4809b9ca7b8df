"""Which printed words explain the cells of a pass, in which clock marks may be lost or added: by the code alone.

Times have no part in it. Each word of the batches in play is compared with what was read, at every place, so this is
machine code on the chip.
"""

from array import array

from shoe.compat import const, micropython, ptr8, ptr32
from shoe.reading.card_code import FIRST_BATCH, LAST_BATCH, LAST_CARD, encode

CARDS = const(57)
BATCHES = const(4)

# What `explain` found: the word with the fewest wrong cells as card << 6 | batch, that number, the places that have it
# (bit j: cell j is the hidden one), and the fewest wrong cells of any other word.
WORD = const(0)
WRONG = const(1)
PLACES = const(2)
OTHER = const(3)
FOUND = array("i", [0] * 4)
NOBODY = const(-1)
_FAR = const(26)

# The 26 cells of card c in batch 1, and what another batch changes in them.
_CARDS = array("i", [encode(card, FIRST_BATCH) << 1 | 1 << 25 for card in range(LAST_CARD + 1)])
_BATCHES = array(
    "i", [(encode(0, batch) ^ encode(0, FIRST_BATCH)) << 1 for batch in range(FIRST_BATCH, LAST_BATCH + 1)]
)

# What is looked for: cells read and their number; places of a hidden mark from LOW to HIGH; a cell that is left out of
# each word first, which lies behind them, or NONE; a word that does not count, or NONE; and whether foreign batches do.
_CELLS = const(0)
_COUNT = const(1)
_LOW = const(2)
_HIGH = const(3)
_OUT = const(4)
_OWN = const(5)
_ALL = const(6)
_ASKED = array("i", [0] * 7)
_NONE = const(0)


def named(frame):
    """Return wrong cells << 12 | card << 6 | batch of the one word that 26 cells differ from in one cell at most.

    NOBODY when there is none. No other word can be as near: any two differ in eight cells.
    """
    return _named(_CARDS, _BATCHES, frame)


@micropython.viper
def _named(cards: ptr32, batches: ptr32, frame: int) -> int:  # pyright: ignore
    found = NOBODY
    batch = 0
    while batch < BATCHES:
        card = 0
        while card < CARDS:
            rest = int(cards[card]) ^ int(batches[batch]) ^ frame
            if rest & rest - 1 == 0:
                found = card << 6 | batch + 1
                if rest != 0:
                    found |= 4096
            card += 1
        batch += 1
    return found


def explain(in_play, cells):
    """Fill FOUND for 25 `cells` of which one more is hidden, by the words of the batches b with `in_play`[b]."""
    _ask(cells, 25, 0, 25, _NONE, _NONE, 0)
    _search(_CARDS, _BATCHES, in_play, _ASKED, FOUND)


def near(in_play, own, cells, first, second, most):
    """Whether any word of any batch but `own` (card << 6 | batch) gives `cells` when cell `first` is hidden in it.

    And with it cell `second`, which lies behind, where that is not 0. With `most` wrong cells at most.
    """
    _ask(cells, 24 if second else 25, first, first, second, own, 1)
    _search(_CARDS, _BATCHES, in_play, _ASKED, FOUND)
    return FOUND[WRONG] <= most


def _ask(cells, count, low, high, out, own, every):
    _ASKED[_CELLS] = cells
    _ASKED[_COUNT] = count
    _ASKED[_LOW] = low
    _ASKED[_HIGH] = high
    _ASKED[_OUT] = out
    _ASKED[_OWN] = own
    _ASKED[_ALL] = every


@micropython.viper
def _search(cards: ptr32, batches: ptr32, in_play: ptr8, asked: ptr32, found: ptr32):  # pyright: ignore
    cells = int(asked[_CELLS])
    count = int(asked[_COUNT])
    best = _FAR
    other = _FAR
    batch = 0
    while batch < BATCHES:
        card = 0
        while card < CARDS and (in_play[batch + 1] != 0 or int(asked[_ALL]) != 0):
            name = card << 6 | batch + 1
            word = int(cards[card]) ^ int(batches[batch])
            card += 1
            if name == int(asked[_OWN]):
                continue
            if int(asked[_OUT]) != _NONE:
                low = 25 - int(asked[_OUT])
                word = word >> low + 1 << low | word & (1 << low) - 1
            # Bit count - 1 - j: cell j differs, with no cell hidden before it, and with one.
            before = word >> 1 ^ cells
            behind = word & (1 << count) - 1 ^ cells
            rest = before & behind  # wrong wherever the hidden cell is
            wrong = 0
            while rest != 0 and wrong < other:
                rest &= rest - 1
                wrong += 1
            if wrong == other:
                continue  # neither the best word nor the one that comes next
            place = int(asked[_LOW])
            wrong = 0
            rest = before >> count - place << count - place | behind & (1 << count - place) - 1
            while rest != 0:
                rest &= rest - 1
                wrong += 1
            least = wrong
            places = 1 << place
            while place < int(asked[_HIGH]):
                place += 1
                bit = count - place
                wrong += (before >> bit & 1) - (behind >> bit & 1)
                if wrong < least:
                    least = wrong
                    places = 0
                if wrong == least:
                    places |= 1 << place
            if least < best:
                other = best
                best = least
                found[WORD] = name
                found[PLACES] = places
            elif least < other:
                other = least
        batch += 1
    found[WRONG] = best
    found[OTHER] = other


@micropython.viper
def listed(numbers: ptr32, count: int, one: int) -> int:  # pyright: ignore
    """Return 1 when `one` is among the first `count` of `numbers`."""
    i = 0
    while i < count:
        if int(numbers[i]) == one:
            return 1
        i += 1
    return 0
