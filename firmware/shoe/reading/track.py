"""Quadrature: from edges to a place along the code, with the times of the clock marks and the cells at their centres.

This is what runs for every edge, so on the chip it is machine code; read_head does what is left, which is a few edges a
card. All of it is 32-bit numbers in two arrays, none of them below 0.
"""

from shoe.compat import const, micropython, ptr8, ptr32

# Places in the state of a head, `array("i")`.
LINES = const(0)
LAST_US = const(1)
PLACE = const(2)  # quarter cells, from ORIGIN on
BASE = const(3)  # the least place of this pass
TOP = const(4)  # the highest before it turned round
AHEAD = const(5)  # 1 when the last step was forwards
EDGES = const(6)
SEEN = const(7)  # lines that moved
SKIPS = const(8)  # how often both clock lines moved at once
OFF_CENTRE = const(9)  # how often data moved while a clock line was dark
STORM = const(10)
EVENT = const(11)
CALM = const(12)  # EDGES at the last silence without a card
STILL_US = const(13)  # as LAST_US, of an edge of a line that is printed alike on all cards, or the first that is dark
CLOCK_US = const(14)  # as LAST_US, of an edge of a clock line
STATE = const(15)

# EVENT: why `track` came back.
ALL_TAKEN = const(0)
ENTERED = const(1)  # PRESENT went dark with the last edge taken
LEFT = const(2)
FLOODED = const(3)
PASSED = const(4)  # the storm was over before the next edge

# In the marks, `array("i")`: rings of 64 of the times of the last forward step into each clock mark, and from DOWN on
# out of it. `cells` is a ring of 64 bytes: the data at the centre of each; + 2 where data moved near the centre.
DOWN = const(64)
MARKS = const(128)
CELLS_KEPT = const(64)

_HALF_BITS = const(29)  # half of the ticks: see CONTRIBUTING.md
ORIGIN = const(0x100000)  # a multiple of 256, far from what any card moves back
STORM_EDGES = const(3000)  # a card makes about 130, a stuttering one a few hundred
CALM_US = const(100000)  # silence: after so much of it a storm is over, and what is touched and slid back counts anew
_CALM_32_US = const(CALM_US // 32)  # in steps of 32 µs, which machine code can hold


@micropython.viper
def track(state: ptr32, marks: ptr32, cells: ptr8, times: ptr32, lines: ptr8, at: int, end: int) -> int:  # pyright: ignore
    """Take the edges `at`..`end` - 1 of `times` and `lines` as far as the next EVENT; return the index behind."""
    old = int(state[LINES])
    last = int(state[LAST_US])
    place = int(state[PLACE])
    edges = int(state[EDGES])
    storm = int(state[STORM])
    most = int(state[CALM]) + STORM_EDGES
    bits = _HALF_BITS
    half = 1 << bits
    mask = half - 1 + half
    calm_us = _CALM_32_US
    calm_us <<= 5
    event = ALL_TAKEN
    while at < end and event == ALL_TAKEN:
        new = int(lines[at])
        now = int(times[at])
        changed = old ^ new
        at += 1
        if changed == 0:
            pass
        elif storm != 0:
            if (now - last & mask) > calm_us:
                at -= 1
                event = PASSED
            else:
                old = new
                last = now
        else:
            last = now
            edges += 1
            if changed & 7 != 0 or old == 0:
                state[STILL_US] = now
            state[SEEN] = int(state[SEEN]) | changed
            if changed & 6 != 0:
                state[CLOCK_US] = now
                # A clock pair is B << 1 | A; its phase within a cell is 0, 1, 3, 2 in the order of the pair.
                was = old >> 1 & 3
                clocks = new >> 1 & 3
                step = (clocks ^ clocks >> 1) - (was ^ was >> 1) & 3
                if step == 2:
                    state[SKIPS] = int(state[SKIPS]) + 1
                if step == 3 or (step == 2 and int(state[AHEAD]) == 0):
                    if place > int(state[TOP]):
                        state[TOP] = place
                    place -= 2 if step == 2 else 1
                    if place < int(state[BASE]):
                        state[BASE] = place
                    state[AHEAD] = 0
                else:
                    left = step
                    while left != 0:
                        left -= 1
                        place += 1
                        phase = place & 3
                        mark = place >> 2 & 63
                        if phase == 2:
                            cells[mark] = new >> 3
                        elif phase == 1:
                            marks[mark] = now
                        elif phase == 0:
                            marks[DOWN + (mark - 1 & 63)] = now
                        elif step == 1 and new >> 3 != int(cells[mark]):
                            cells[mark] = int(cells[mark]) | 2
                    state[AHEAD] = 1
            if changed & 8 != 0 and new & 6 != 0:
                state[OFF_CENTRE] = int(state[OFF_CENTRE]) + 1
            old = new
            if changed & 1 != 0:
                event = ENTERED if new & 1 != 0 else LEFT
            elif edges > most:
                event = FLOODED
    state[LINES] = old
    state[LAST_US] = last
    state[PLACE] = place
    state[EDGES] = edges
    state[EVENT] = event
    return at
