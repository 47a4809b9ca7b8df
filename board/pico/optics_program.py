"""The PIO program of a read head: one word into the FIFO for each change of the head's four lines.

A sample takes SAMPLE_CYCLES of the state machine, 4 µs, whether it found a change or not: so the time at which one line
is seen to change says nothing about how often another one did, and no edge of DATA moves the time at which a card has
left. Two changes never share a word unless they fell between the same two samples. What is darker for less than one
sample may go unseen: a card at 3 m/s leaves 41 samples to a quarter pitch at CLOCK_HZ.
The first word is the state found at the start, since x begins as 31, which no four lines can be. A full FIFO holds the
program up and raises FDEBUG.RXSTALL; what was pushed is not lost, and the next sample is the state of its own time.
"""

# ruff: noqa: F821
# pyright: reportUndefinedVariable=false, reportMissingImports=false, reportCallIssue=false
import rp2
from shoe.compat import const

CLOCK_HZ = const(1500000)
SAMPLE_CYCLES = const(6)


@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, fifo_join=rp2.PIO.JOIN_RX)
def watch():
    set(x, 31)
    jmp("sample")
    label("changed")
    mov(x, isr)
    push(block)
    wrap_target()
    label("sample")
    mov(isr, null)
    in_(pins, 4)
    mov(y, isr)
    jmp(x_not_y, "changed")
    mov(y, y)  # as long as it takes to note a change
    mov(y, y)
    wrap()
