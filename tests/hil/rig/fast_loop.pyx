# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The emulator's instruction loop and memory, compiled: PIO at its own due times beside a busy processor, and faster.

Built at need by loop.py against the declarations that rp2040py brings; loop.py has the slow stand-in too.
"""

from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock

cdef double CYCLE_NS = 8.0
cdef long long NEVER = <long long>1 << 62
cdef unsigned int SETS = 1024  # of two lines of 8 bytes: 16 KiB
cdef unsigned int NO_LINE = 0xFFFFFFFF
cdef unsigned int RAM = 0x20000000
cdef unsigned int RAM_SIZE = 264 * 1024


cdef class FastRP2040(RP2040):
    """The chip with a short way to its memory, and with its flash cache.

    The emulator's methods look for a Python method of the same name at each call, which takes longer than the read or
    the write itself. These do so only for what is not memory.

    Each miss of a read from flash stalls the processor for `miss_cycles`; with 0 there is no cache, and flash is as
    fast as RAM. Of the two lines of a set the one that was not read last goes. What is read past the cache, at
    0x12000000 and 0x13000000, always waits; 0x11000000 is served by the cache and leaves it as it is. `looked` and
    `missed` count.
    """

    cdef unsigned char *ram
    cdef unsigned char *rom
    cdef unsigned int lines[2048]
    cdef unsigned char older[1024]
    cdef public int miss_cycles
    cdef public long long looked, missed
    cdef public int waits  # cycles that the instruction under way has to wait

    def __init__(self, clock):
        self.ram = &self._sram[0]
        self.rom = &self._flash[0]
        self.miss_cycles = 0
        self.looked = self.missed = 0
        self.waits = 0
        self.flush_cache()
        super().__init__(clock)

    cpdef flush_cache(self):
        """Forget all lines, as the boot ROM does behind each erase and program."""
        cdef unsigned int i
        for i in range(2 * SETS):
            self.lines[i] = NO_LINE

    cdef inline void _look(self, unsigned int address) noexcept:
        cdef unsigned int line = (address & 0xFFFFFF) >> 3
        cdef unsigned int place = 2 * (line & (SETS - 1))
        cdef unsigned int kind = (address >> 24) & 3
        if not self.miss_cycles:
            return
        self.looked += 1
        if kind < 2:
            if self.lines[place] == line:
                self.older[place >> 1] = 1
                return
            if self.lines[place + 1] == line:
                self.older[place >> 1] = 0
                return
        if kind == 0:
            self.lines[place + self.older[place >> 1]] = line
            self.older[place >> 1] ^= 1
        self.missed += 1
        self.waits += self.miss_cycles

    cpdef unsigned int read_uint32(self, long long address) except? 0:
        cdef unsigned int at = <unsigned int>address
        if not at & 3:
            if at - RAM < RAM_SIZE:
                return (<unsigned int *>&self.ram[at - RAM])[0]
            if at >> 26 == 4:
                self._look(at)
                return (<unsigned int *>&self.rom[at & 0xFFFFFF])[0]
        return RP2040.read_uint32(self, address)

    cpdef unsigned int read_uint16(self, long long address):
        cdef unsigned int at = <unsigned int>address
        if at - RAM < RAM_SIZE - 1:
            return (<unsigned short *>&self.ram[at - RAM])[0]
        if at >> 24 == 0x10:  # the emulator reads the other three mirrors by words
            self._look(at)
            return (<unsigned short *>&self.rom[at & 0xFFFFFF])[0]
        return RP2040.read_uint16(self, address)

    cpdef unsigned int read_uint8(self, long long address):
        cdef unsigned int at = <unsigned int>address
        if at - RAM < RAM_SIZE:
            return self.ram[at - RAM]
        if at >> 24 == 0x10:
            self._look(at)
            return self.rom[at & 0xFFFFFF]
        return RP2040.read_uint8(self, address)

    cpdef write_uint32(self, long long address, long long value):
        cdef unsigned int at = <unsigned int>address
        if at - RAM < RAM_SIZE - 3:
            (<unsigned int *>&self.ram[at - RAM])[0] = <unsigned int>value
        else:
            RP2040.write_uint32(self, address, value)

    cpdef write_uint16(self, long long address, long long value):
        cdef unsigned int at = <unsigned int>address
        if at - RAM < RAM_SIZE - 1:
            (<unsigned short *>&self.ram[at - RAM])[0] = <unsigned short>value
        else:
            RP2040.write_uint16(self, address, value)

    cpdef write_uint8(self, long long address, long long value):
        cdef unsigned int at = <unsigned int>address
        if at - RAM < RAM_SIZE:
            self.ram[at - RAM] = <unsigned char>value
        else:
            RP2040.write_uint8(self, address, value)


cdef class Loop:
    """`stopped` ends `run` after the instruction under way; see clock.py for `watched_until` and `exact`."""

    cdef public bint stopped
    cdef public bint exact
    cdef public double watched_until
    cdef double left_over  # part of a cycle, from idle jumps

    def __init__(self):
        self.stopped = False
        self.exact = False
        self.watched_until = 0.0
        self.left_over = 0.0

    cdef double _until_pio(self, RPPIO pio, double nanos):
        """Nanoseconds to the next PIO instruction if that is sooner than `nanos`; negative is never."""
        cdef double due
        if pio.stopped or pio.next_due_fp >= NEVER:
            return nanos
        due = (pio.next_due_fp - pio.cycle_fp) / 256.0 * CYCLE_NS
        if due < CYCLE_NS:
            due = CYCLE_NS
        return due if nanos < 0 or due < nanos else nanos

    def run(self, RP2040 rp2040, SimulationClock clock):
        """Run until `stopped`."""
        cdef CortexM0Core core = rp2040.core
        cdef RPPIO first = rp2040.pio[0]
        cdef RPPIO second = rp2040.pio[1]
        cdef double delta, target
        cdef long long cycles
        cdef bint jump
        cdef ClockAlarm alarm
        cdef FastRP2040 cached = rp2040 if isinstance(rp2040, FastRP2040) and rp2040.miss_cycles else None
        while not self.stopped:
            jump = core.waiting
            if jump:
                alarm = clock._next_alarm
                delta = alarm.nanos - clock._nanos_counter if alarm is not None else -1.0
                if self.exact or clock._nanos_counter < self.watched_until:
                    delta = self._until_pio(second, self._until_pio(first, delta))
                    jump = False
                if delta < 0:
                    delta = CYCLE_NS
                self.left_over += delta / CYCLE_NS
                cycles = <long long>self.left_over
                self.left_over -= cycles
            else:
                if cached is not None:
                    cached.waits = 0  # DMA may have read too
                cycles = CortexM0Core.execute_instruction(core)  # named so, it is called at once, as are the others
                if cached is not None:
                    cycles += cached.waits
                delta = cycles * CYCLE_NS
            if not first.stopped:
                _step(first, cycles, jump, clock)
            if not second.stopped:
                _step(second, cycles, jump, clock)
            target = clock._nanos_counter + delta
            alarm = clock._next_alarm
            if alarm is not None and alarm.nanos <= target:
                SimulationClock.tick(clock, delta)
            else:
                clock._nanos_counter = target


cdef int _step(RPPIO pio, long long cycles, bint jump, SimulationClock clock) except -1:
    """Give a PIO block its cycles; over a jump one step for all, since it has nothing to see there."""
    cdef long long end
    cdef ClockAlarm alarm
    if jump:
        RPPIO.advance(pio, cycles)
        return 0
    end = pio.cycle_fp + (cycles << 8)
    while pio.next_due_fp <= end and not pio.stopped:
        if pio.next_due_fp > pio.cycle_fp:
            pio.cycle_fp = pio.next_due_fp
        RPPIO.advance(pio, 0)
        alarm = clock._next_alarm
        if alarm is not None and alarm.nanos <= clock._nanos_counter:
            SimulationClock.tick(clock, 0)  # DMA moves data between two PIO instructions
    pio.cycle_fp = end
    return 0
