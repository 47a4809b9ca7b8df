"""Edges of printed cards for the tests of the read head, in whole numbers, every fault exactly where a test wants it.

Lengths in µm, speeds in µm/ms (= mm/s), times in µs. Runs on MicroPython, where the simulator cannot.
"""

from shoe.reading import card_code

PRESENT = 1
CLOCK_A = 2
CLOCK_B = 4
DATA = 8
TICKS = 1 << 30


def frame(card, batch):
    """Return the 26 cells of a card as a list, start first."""
    word = card_code.encode(card, batch)
    return (
        [card_code.START]
        + [word >> (card_code.CODE_CELLS - 1 - place) & 1 for place in range(card_code.CODE_CELLS)]
        + [card_code.STOP]
    )


def strip(cells, lost=(), flipped=(), length=card_code.POKER_UM, added=()):
    """Return (travel, line) of each change as a card comes out, in order.

    `lost` clock marks and `flipped` data cells by number; `added`: more dark on the clock track as (from, to) in µm
    from the leading edge. `cells` None is a blank.
    """
    found = [(card_code.PRESENT_UM, PRESENT), (length + card_code.PRESENT_UM, PRESENT)]
    start = (length - card_code.CODE_UM) // 2
    marks = list(added)
    if cells is not None:
        for number in range(card_code.CELLS):
            if number not in lost:
                low = start + number * card_code.CELL_UM + (card_code.CELL_UM - card_code.MARK_UM) // 2
                marks.append((low, low + card_code.MARK_UM))
        before = 0
        for number, cell in enumerate(cells + [0]):
            shown = cell ^ (number in flipped)
            if shown != before:
                found.append((start + number * card_code.CELL_UM, DATA))
            before = shown
    half = card_code.QUARTER_UM // 2
    for low, high in marks:
        found += [(low - half, CLOCK_A), (high - half, CLOCK_A), (low + half, CLOCK_B), (high + half, CLOCK_B)]
    found.sort()
    return found


def move(changes, moves, start_us=0, dead=0):
    """Return the edges (ticks, lines) while a card moves as `moves` say: (travel, speed) one after another.

    It begins 3 mm before everything. A speed below 0 is a rest of so many µs at the place where it is. Lines in `dead`
    stay bright.
    """
    place = -3000
    time = start_us
    lines = 0
    edges = []
    for goal, speed in moves:
        if speed < 0:
            time -= speed
            continue
        if goal > place:
            crossed = [(travel, line) for travel, line in changes if place < travel <= goal]
        else:
            crossed = [(travel, line) for travel, line in changes if goal < travel <= place]
            crossed.reverse()
        for travel, line in crossed:
            if line & dead:
                continue
            lines ^= line
            edges.append(((time + abs(travel - place) * 1000 // speed) % TICKS, lines))
        time += abs(goal - place) * 1000 // speed
        place = goal
    return edges


def pulled(cells, speed=500, start_us=0, length=card_code.POKER_UM, lost=(), flipped=(), dead=0):
    """Return the edges of a card that is pulled through at one speed."""
    goal = length + card_code.PRESENT_UM + 3000
    return move(strip(cells, lost, flipped, length), [(goal, speed)], start_us, dead)


def feed_all(head, edges, polls=False):
    """Feed edges; return (kind, card, batch, reason, corrected) of every pass. `polls`: poll behind each edge too."""
    found = []
    for ticks, lines in edges:
        _name(found, head.feed(ticks, lines))
        if polls:
            _name(found, head.poll(ticks))
    return found


def _name(found, result):
    if result is not None:
        found.append((result.kind, result.card, result.batch, result.reason, result.corrected))
