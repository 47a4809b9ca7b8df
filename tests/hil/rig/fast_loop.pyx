# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The emulator's instruction loop, compiled: PIO at its own due times also beside a busy processor, and twice as fast.

Built at need by compiled.py against the declarations that rp2040py brings; loop.py has the slow stand-in.
"""

from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock

cdef double CYCLE_NS = 8.0
cdef long long NEVER = <long long>1 << 62


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
                cycles = core.execute_instruction()
                delta = cycles * CYCLE_NS
            if not first.stopped:
                _step(first, cycles, jump, clock)
            if not second.stopped:
                _step(second, cycles, jump, clock)
            target = clock._nanos_counter + delta
            alarm = clock._next_alarm
            if alarm is not None and alarm.nanos <= target:
                clock.tick(delta)
            else:
                clock._nanos_counter = target


cdef int _step(RPPIO pio, long long cycles, bint jump, SimulationClock clock) except -1:
    """Give a PIO block its cycles; over a jump one step for all, since it has nothing to see there."""
    cdef long long end
    cdef ClockAlarm alarm
    if jump:
        pio.advance(cycles)
        return 0
    end = pio.cycle_fp + (cycles << 8)
    while pio.next_due_fp <= end and not pio.stopped:
        if pio.next_due_fp > pio.cycle_fp:
            pio.cycle_fp = pio.next_due_fp
        pio.advance(0)
        alarm = clock._next_alarm
        if alarm is not None and alarm.nanos <= clock._nanos_counter:
            clock.tick(0)  # DMA moves data between two PIO instructions
    pio.cycle_fp = end
    return 0
