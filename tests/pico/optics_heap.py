"""Read a card's edges through `pico.optics` on MicroPython and print how many bytes that took of the heap.

    micropython-i386 optics_heap.py <board folder> <firmware folder>

On 32 bits, as the chip: the reader's machine code takes addresses from an array of 32-bit numbers. PIO and DMA are
stood in for: this program writes the rings and moves the registers, which lie in its own memory.
"""

import gc
import sys
from array import array

import uctypes

for folder in sys.argv[2:0:-1]:
    sys.path.insert(0, folder)


class Registers:
    """`mem32`: RAM is RAM, and a register keeps what was written."""

    def __init__(self):
        self.ram = (0, 0)
        self._kept = {}

    def __getitem__(self, address):
        return self._kept.get(address, 0)

    def __setitem__(self, address, value):
        if self.ram[0] <= address < self.ram[1]:
            uctypes.bytearray_at(address, 4)[:] = value.to_bytes(4, "little")
        else:
            self._kept[address] = value


class Machine:
    def __init__(self, number):
        pass

    def active(self, on):
        pass

    def rx_fifo(self):
        return 0

    def init(self, program, freq, in_base):
        pass


class Dma:
    taken = 0

    def __init__(self):
        self.channel = Dma.taken
        Dma.taken += 1

    def pack_ctrl(self, **fields):
        return 0

    def config(self, **fields):
        pass

    def active(self, on):
        pass


class Module:
    pass


def stand_in(name, **content):
    """Put a module of this name in the place of the chip's."""
    module = Module()
    for key in content:
        setattr(module, key, content[key])
    sys.modules[name] = module


class Pin:
    IN = PULL_DOWN = 0

    def __init__(self, number, *how):
        pass


class Pio:
    SHIFT_LEFT = JOIN_RX = 0


registers = Registers()
stand_in("machine", Pin=Pin, mem32=registers)
stand_in("rp2", StateMachine=Machine, DMA=Dma, PIO=Pio, asm_pio=lambda **how: lambda program: program)

from pico import optics, optics_ring  # noqa: E402

right = optics._address


def address(buf):
    """Where the rings lie is RAM from now on."""
    found = right(buf)
    registers.ram = (found, found + len(buf))
    return found


optics._address = address
watch = optics.Optics((3, 7, 11))
registers_of = [array("I", [0, 0, 0]) for _ in range(3)]  # where the next state and time go; nothing has stalled
for head in range(3):
    control = watch._control[head]
    registers_of[head][0] = control[optics_ring.STATES] & 0xFFFFFFFF
    registers_of[head][1] = control[optics_ring.STAMPS] & 0xFFFFFFFF
    for number, place in enumerate((optics_ring.STATES_WRITTEN, optics_ring.STAMPS_WRITTEN, optics_ring.STALLS)):
        low = uctypes.addressof(registers_of[head]) + 4 * number
        control[place] = low - (1 << 32 if low >> 31 else 0)
written = registers_of[1]
states_at, stamps_at = written[0], written[1]
states = uctypes.bytearray_at(states_at, optics_ring.ENTRIES)
stamps = uctypes.bytearray_at(stamps_at, 4 * optics_ring.ENTRIES)
times = array("i", [0] * 64)
lines = bytearray(64)


def change(number):
    """What DMA does for one change."""
    place = number % optics_ring.ENTRIES
    states[place] = 1 + number % 15
    stamps[4 * place] = number & 0xFF
    stamps[4 * place + 1] = number >> 8 & 0xFF
    stamps[4 * place + 2] = stamps[4 * place + 3] = 0
    written[0] = states_at + (place + 1) % optics_ring.ENTRIES
    written[1] = stamps_at + 4 * ((place + 1) % optics_ring.ENTRIES)


# The first look is not counted, in which names are made; then heads with edges and without, over some laps.
number = looks = read = wrong = most = 0
while looks < 200:
    for _ in range(7 + looks % 90):
        change(number)
        number += 1
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    n = watch.read(1, times, lines)
    if n > 0:
        read += n
        if times[n - 1] != read - 1 or lines[n - 1] != 1 + (read - 1) % 15:
            wrong += 1
    watch.waiting()
    took = gc.mem_alloc() - before
    gc.enable()
    if looks:
        most = max(most, took)
    while n > 0:
        n = watch.read(1, times, lines)
        read += max(n, 0)
    looks += 1
print("edges", number, "read", read, "wrong", wrong, "bytes", most)
