# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The emulator's instruction loop and memory, compiled: PIO at its own due times beside a busy processor, and faster.

Built at need by loop.py against the declarations that rp2040py brings; loop.py has the slow stand-in too.
"""

from cpython.ref cimport Py_INCREF
from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._gpio_pin cimport GPIOPin
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock

cdef double CYCLE_NS = 8.0
cdef long long NEVER = <long long>1 << 62
cdef unsigned int SETS = 1024  # of two lines of 8 bytes: 16 KiB
cdef unsigned int NO_LINE = 0xFFFFFFFF
cdef unsigned int RAM = 0x20000000
cdef unsigned int RAM_SIZE = 264 * 1024
cdef unsigned int INPUT_ENABLED = 0x40
cdef unsigned int PROCESSOR = 0xD0000000  # which one asks: there is but one
cdef unsigned int TIME = 0x40054028  # low word of the timer, in µs
cdef unsigned int CHAIN = 0x4003C00C  # state of the SPI to which the panel's chain is connected
cdef unsigned int DIVIDER = 0xD0000060  # dividend and divisor, the same with signs, quotient, remainder, state
cdef unsigned int QUOTIENT = 4
cdef unsigned int STATE = 6
cdef unsigned int READY = 1
cdef unsigned int DIRTY = 2  # written since the quotient was read: an interrupt that divides has to save it


cdef class FastRP2040(RP2040):
    """The chip with a short way to its memory, and with its flash cache.

    The emulator's methods look for a Python method of the same name at each call, which takes longer than the read or
    the write itself. These do so only for what is neither memory nor a register that the firmware looks at all the
    time: the divider, the timer's low word and the state of an SPI. `timer_from_ns` is when the timer was 0; with
    `timer_asked` it is asked itself each time. `chain_state` is what the SPI would tell.

    Each miss of a read from flash stalls the processor for `miss_cycles`; with 0 there is no cache, and flash is as
    fast as RAM. Of the two lines of a set the one that was not read last goes. What is read past the cache, at
    0x12000000 and 0x13000000, always waits; 0x11000000 is served by the cache and leaves it as it is. `looked` and
    `missed` count.
    """

    cdef list pins
    cdef unsigned char *ram
    cdef unsigned char *rom
    cdef unsigned int divider[7]
    cdef unsigned int lines[2048]
    cdef unsigned char older[1024]
    cdef public double timer_from_ns
    cdef public bint timer_asked
    cdef public unsigned int chain_state
    cdef public int miss_cycles
    cdef public long long looked, missed
    cdef public int waits  # cycles that the instruction under way has to wait

    def __cinit__(self, clock):
        Py_INCREF(FastRP2040)  # the emulator's classes live on the heap: the end of an object gives one back

    def __init__(self, clock):
        self.ram = &self._sram[0]
        self.rom = &self._flash[0]
        self.divider[:] = [0, 0, 0, 0, 0, 0, READY]
        self.timer_from_ns = 0.0
        self.timer_asked = False
        self.chain_state = 0
        self.miss_cycles = 0
        self.looked = self.missed = 0
        self.waits = 0
        self.flush_cache()
        super().__init__(clock)
        self.pins = self.gpio

    @property
    def gpio_values(self):
        """The level of each pin as the chip sees it, which a PIO program looks at many times a microsecond."""
        cdef unsigned int levels = 0
        cdef unsigned int number, override
        cdef GPIOPin pin
        cdef bint level
        for number in range(len(self.pins)):
            pin = <GPIOPin>self.pins[number]
            level = pin.pad_value & INPUT_ENABLED and pin._eff_raw_input()
            override = pin.ctrl >> 16 & 3
            if override == 1:
                level = not level
            elif override:
                level = override == 3
            if level:
                levels |= 1 << number
        return levels

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

    cdef unsigned int _read_divider(self, unsigned int register) noexcept:
        if register == QUOTIENT:
            self.divider[STATE] = READY
        return self.divider[register]

    cdef void _write_divider(self, unsigned int register, unsigned int value) noexcept:
        """Take an operand, and have the results at once; or take a result that an interrupt had saved."""
        cdef long long dividend, divisor
        cdef bint signs = register & 2
        if register >= STATE:
            return
        self.divider[STATE] = READY | DIRTY
        if register >= QUOTIENT:
            self.divider[register] = value
            return
        self.divider[register & 1] = self.divider[register & 1 | 2] = value
        dividend = <int>self.divider[0] if signs else <long long>self.divider[0]
        divisor = <int>self.divider[1] if signs else <long long>self.divider[1]
        if divisor:
            self.divider[QUOTIENT] = <unsigned int>(dividend // divisor)
            self.divider[QUOTIENT + 1] = <unsigned int>(dividend % divisor)
        else:
            self.divider[QUOTIENT] = 1 if dividend < 0 else 0xFFFFFFFF
            self.divider[QUOTIENT + 1] = <unsigned int>dividend

    cpdef unsigned int read_uint32(self, long long address) except? 0:
        cdef unsigned int at = <unsigned int>address
        if not at & 3:
            if at - RAM < RAM_SIZE:
                return (<unsigned int *>&self.ram[at - RAM])[0]
            if at >> 26 == 4:
                self._look(at)
                return (<unsigned int *>&self.rom[at & 0xFFFFFF])[0]
            if (at - DIVIDER) >> 2 <= STATE:
                return self._read_divider((at - DIVIDER) >> 2)
            if at == CHAIN:
                return self.chain_state
            if at == PROCESSOR:
                return 0
            if at == TIME and not self.timer_asked:
                return <unsigned int><long long>((self.clock._nanos_counter - self.timer_from_ns) / 1000)
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
        elif (at - DIVIDER) >> 2 <= STATE:
            self._write_divider((at - DIVIDER) >> 2, <unsigned int>value)
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

    def run(self, FastRP2040 rp2040, SimulationClock clock):
        """Run until `stopped`."""
        cdef CortexM0Core core = rp2040.core
        cdef RPPIO first = rp2040.pio[0]
        cdef RPPIO second = rp2040.pio[1]
        cdef double delta, target
        cdef long long cycles
        cdef bint jump
        cdef ClockAlarm alarm
        cdef FastRP2040 cached = rp2040 if rp2040.miss_cycles else None
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
                cycles = 0 if cached is not None or core.interrupts_updated else _branch(core, rp2040)
                if not cycles:
                    cycles = CortexM0Core.execute_instruction(core)  # named so, it is called at once, as others are
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


cdef int _branch(CortexM0Core core, FastRP2040 rp2040):
    """Run a conditional branch, for which the emulator would look up a method by name. 0 where there is none."""
    cdef unsigned int place = core.registers[15]
    cdef unsigned int opcode = FastRP2040.read_uint16(rp2040, place & ~1)
    cdef unsigned int kind = opcode >> 9 & 7
    cdef bint taken
    if opcode >> 12 != 0b1101 or kind == 7:
        return 0
    if kind == 0:
        taken = core.z
    elif kind == 1:
        taken = core.c
    elif kind == 2:
        taken = core.n
    elif kind == 3:
        taken = core.v
    elif kind == 4:
        taken = core.c and not core.z
    elif kind == 5:
        taken = core.n == core.v
    else:
        taken = core.n == core.v and not core.z
    if bool(taken) == bool(opcode & 0x100):
        core.registers[15] = place + 2
        return 1
    core.registers[15] = place + 4 + 2 * <int><signed char>(opcode & 0xFF)
    return 2


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
