"""The reader's end of a head's two rings in RAM, which DMA fills and nobody else reads.

For each change one DMA channel puts the lines' state into a ring of bytes, then a second one the microseconds into a
ring of words. What was read is overwritten with FREE, which is no state. So the place that DMA writes next holds FREE
unless it has come round to what nobody has read: that is how a lap shows, whatever its length.

On the chip `take` is machine code that allocates nothing; elsewhere it is plain Python, and `ptr8` and `ptr32` are
whatever the test puts in their places.
"""

from shoe.compat import MICROPYTHON, const, micropython

ENTRIES = const(512)  # of each ring; a power of two, and both lie at a multiple of their size
FREE = const(0xFF)
LOST = const(-1)
FLOODED = const(-2)
_INDEX = const(511)
_TICKS_BITS = const(30)
_FLOOD = const(448)  # so many changes: what else is in the ring may be overwritten while it is looked at
_FLOOD_US = const(25000)  # two cards at once at 3.3 m/s, each with five changes in 2 mm, take 27 ms

# Places in the control block of a head, `array("i")`.
NEXT = const(0)  # entry to read next
LAST = const(1)  # state that was handed out last
STATES = const(2)  # address of the ring of states
STAMPS = const(3)  # and of times
STATES_WRITTEN = const(4)  # address of the register that holds where DMA writes the next state
STAMPS_WRITTEN = const(5)  # and the next time
STALLS = const(6)  # address of PIO's FDEBUG
STALLED = const(7)  # its bit that says that the program had to wait for DMA
CONTROL = const(8)

if not MICROPYTHON:

    def ptr32(address):
        """Return what lies at `address`, which the machine code gets at by itself."""
        return address

    ptr8 = ptr32


@micropython.viper
def take(control: ptr32, times: ptr32, lines: ptr8, room: int) -> int:  # pyright: ignore
    """Move up to `room` changes into `times` (µs, 30 bit) and `lines`; return their number, or LOST.

    After LOST the rings are of no use until they have been set up anew. A state that is the one handed out last, as
    after a new start, is no change.
    """
    read = int(control[NEXT])
    last = int(control[LAST])
    states = ptr8(control[STATES])
    stamps = ptr32(control[STAMPS])
    written = ptr32(control[STATES_WRITTEN])
    stalls = ptr32(control[STALLS])
    if int(stalls[0]) & int(control[STALLED]):
        return LOST
    front = int(written[0]) & _INDEX
    while int(states[front]) != FREE:  # DMA may have put it there just now: then it has gone on
        again = int(written[0]) & _INDEX
        if again == front:
            return LOST
        front = again
    stamped = ptr32(control[STAMPS_WRITTEN])
    end = int(stamped[0]) >> 2 & _INDEX  # times are written after states: up to here an entry has both
    ahead = (front - read) & _INDEX
    n = 0
    bits = _TICKS_BITS
    mask = (1 << bits) - 1
    while read != end and n < room:
        state = int(states[read])
        if state == FREE:
            return LOST
        states[read] = FREE
        if state != last:
            last = state
            times[n] = int(stamps[read]) & mask
            lines[n] = state
            n += 1
        read = (read + 1) & _INDEX
    control[NEXT] = read
    control[LAST] = last
    if ahead + ((int(written[0]) - front) & _INDEX) > _INDEX:  # DMA came round while this read
        return LOST
    return n


@micropython.viper
def unread(control: ptr32) -> int:  # pyright: ignore
    """Say what there is for `take`: 0 nothing, 1 changes of a card on its way, 2 what should be taken at once.

    At once: no card is under the card sensor any more, a quarter of the ring is unread, or changes were lost.
    """
    written = ptr32(control[STATES_WRITTEN])
    stamped = ptr32(control[STAMPS_WRITTEN])
    states = ptr8(control[STATES])
    stalls = ptr32(control[STALLS])
    if int(states[int(written[0]) & _INDEX]) != FREE or int(stalls[0]) & int(control[STALLED]) != 0:
        return 2
    end = int(stamped[0]) >> 2 & _INDEX
    read = int(control[NEXT])
    if end == read:
        return 0
    if (end - read & _INDEX) >= ENTRIES // 4 or int(states[end - 1 & _INDEX]) & 1 == 0:
        return 2
    return 1


@micropython.viper
def flooded(control: ptr32) -> int:  # pyright: ignore
    """Say, after LOST, whether changes came faster than any card makes them: 1, else 0."""
    stamps = ptr32(control[STAMPS])
    stamped = ptr32(control[STAMPS_WRITTEN])
    stalls = ptr32(control[STALLS])
    if int(stalls[0]) & int(control[STALLED]) != 0:
        return 0  # the ring may hold times of long ago
    end = int(stamped[0]) >> 2
    bits = _TICKS_BITS
    took = int(stamps[end - 1 & _INDEX]) - int(stamps[end - _FLOOD & _INDEX]) & (1 << bits) - 1
    return 1 if took < _FLOOD_US else 0
