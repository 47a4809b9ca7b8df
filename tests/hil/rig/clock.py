"""The simulated clock: exact PIO while the processor sleeps near a change of light, cheap jumps otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rp2040py.clock.simulation_clock import SimulationClock

if TYPE_CHECKING:
    from collections.abc import Sequence

CYCLE_NS = 8.0  # the emulator runs at 125 MHz always
WATCH_NS = 60_000.0  # how long after a change of an input the PIO is stepped exactly: many rounds of a polling program
_NEVER = 1 << 62


class Clock(SimulationClock):
    """Nanoseconds since the emulator was made.

    The emulator lets a sleeping processor jump to the next alarm, and gives a PIO block one step for the whole jump.
    So, for `WATCH_NS` after `watch()`, the time is never moved past the next instruction of a state machine. Outside of
    that a polling program has nothing to see, and its steps are left out. `loop.exact` keeps every step, for programs
    that measure or make time by themselves.
    """

    def __init__(self, loop: Any) -> None:
        super().__init__()
        self.pios: Sequence = ()
        self.loop = loop
        self._released = False

    def watch(self, longer_ns: float = WATCH_NS) -> None:
        """An input has changed: step the PIO exactly for a while."""
        self.loop.watched_until = max(self.loop.watched_until, self.nanos + longer_ns)

    @property
    def nanos_to_next_alarm(self) -> float:
        """Time to the next alarm, or to the next step of a PIO that is watched."""
        alarm = SimulationClock.nanos_to_next_alarm.__get__(self)
        if not self.loop.exact and self.nanos >= self.loop.watched_until:
            return alarm
        have = self.has_scheduled_alarm
        for pio in self.pios:
            if not pio.stopped and pio.next_due_fp < _NEVER:
                due = max(pio.next_due_fp - pio.cycle_fp, 256) / 256 * CYCLE_NS
                if not have or due < alarm:
                    alarm, have = due, True
        return alarm

    def release(self) -> None:
        """End a stall that is under way: the processor was reset."""
        self._released = True

    def stall(self, nanos: float) -> None:
        """Let time pass with the processor stuck in one instruction, as while flash is busy.

        Alarms, DMA and PIO go on, interrupts pend. Only from within an instruction, never from an alarm.
        """
        end = self.nanos + nanos
        self._released = False
        while self.nanos < end and not self._released:
            step = self.nanos_to_next_alarm if self.has_scheduled_alarm else end - self.nanos
            step = min(max(step, 0.0), end - self.nanos)
            self.tick(step)
            for pio in self.pios:
                if not pio.stopped:
                    pio.advance(int(step / CYCLE_NS) or 1)
