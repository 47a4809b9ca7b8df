"""The chip itself: its id, why it started, its watchdog, its supply.

Why it started is kept in a register that outlives every reset but a power cut: what was noted before the restart, or
that a shoe was running, which the chip's own reason tells apart further. Written by hand it is 0x1C0DE500 | cause; a
tool that has changed the firmware notes 3, update, before it restarts the board.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import machine
from machine import mem32
from shoe.compat import const

# enum.boot_cause
POWER_ON = const(0)
WATCHDOG = const(1)
SOFT = const(2)
UPDATE = const(3)
CRASH = const(4)

SCRATCH = const(0x4005800C)  # SCRATCH0; boot ROM and SDK use SCRATCH4 to SCRATCH7
MARK = const(0x1C0DE500)
_RUNNING = const(0xFF)
_REASON = const(0x40058008)
_TIMED_OUT = const(1)
_CONTROL_CLEAR = const(0x4005B000)
_ENABLE = const(1 << 30)
_SUPPLY_PIN = const(29)
_TIMER_HIGH = const(0x40054024)
_TIMER_LOW = const(0x40054028)
_TICKS_MASK = const(0x3FFFFFFF)


def unique_id():
    """Eight bytes that name this chip's flash, and so this shoe."""
    return machine.unique_id()


def ms_at(ticks_us):
    """What `ticks_ms()` was when `ticks_us()` was that, at most 17 minutes ago."""
    high = low = -1
    while high != mem32[_TIMER_HIGH]:
        high = mem32[_TIMER_HIGH]
        low = mem32[_TIMER_LOW]
    now = high << 32 | low
    return (now - (now - ticks_us & _TICKS_MASK)) // 1000 & _TICKS_MASK


def note_boot_cause(cause):
    """What the next start says as its cause, unless the power goes before."""
    mem32[SCRATCH] = MARK | cause


def take_boot_cause():
    """enum.boot_cause of this start; from now on a shoe is running."""
    kept = mem32[SCRATCH]
    mem32[SCRATCH] = MARK | _RUNNING
    if kept & ~0xFF != MARK:
        return POWER_ON
    kept &= 0xFF
    if kept != _RUNNING:
        return kept if kept <= CRASH else SOFT
    return WATCHDOG if mem32[_REASON] & _TIMED_OUT else SOFT


def start_watchdog(ms):
    """Reset the chip when `feed()` of what is returned is not called for `ms` ms, 8388 at most."""
    return machine.WDT(timeout=ms)


def stop_watchdog():
    """The RP2040 allows what MicroPython does not offer."""
    mem32[_CONTROL_CLEAR] = _ENABLE


def restart():
    """Reset the chip. Does not return."""
    machine.reset()


def supply_mv():
    """What the board is fed with, in mV."""
    return machine.ADC(_SUPPLY_PIN).read_u16() * 9900 // 65535
