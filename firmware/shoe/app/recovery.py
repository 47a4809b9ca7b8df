"""What follows an unexpected error, want of memory above all: the game stops, and the table is what the journal says.

Nothing acknowledged is lost, since it is durable; what a step that was cut off had done to the state in RAM is undone.
When even that fails, the error leaves the task: the application ends, and the board starts it again as a crash.
"""

import gc
import io
import sys

from shoe.compat import MICROPYTHON
from shoe.journal.flash import programmed
from shoe.wire_table import ERROR_FAILED, ERROR_NO_MEMORY, FAULT_INTERNAL


def recover(board, link, table, steps, show, error):
    """Stop the game, say where `error` came from, go on from the journal with the fault `internal` latched.

    `show()` sets the lamps.
    """
    board.card_stop(True)  # before all that may fail
    gc.collect()
    try:
        text = where(error)
        sys.stderr.write(text)
        link.send_log(text)
    except Exception:  # the fault says enough
        gc.collect()
    table.rebuild()
    steps.raise_fault(FAULT_INTERNAL)
    show()


class Requests:
    """What surrounds each request, so that it does all or nothing when memory runs out in the middle of it.

    Before its first effect a request has done all that is likely to fail. When memory runs out none the less, what was
    stored counts, as after a power cut, and RAM is made to say the same. Nothing stops, and no fault is latched.
    """

    def __init__(self, steps, *parts):
        self._steps = steps
        self._parts = parts  # as `settle` takes them
        self._programmed = 0

    def carry_out(self, link):
        """Let `link` answer the request that came. One that finds no memory is refused, and any other error goes on."""
        try:
            self.begin()
            link.answer()
        except MemoryError:
            link.fail(ERROR_NO_MEMORY, 1 if self.settle() else 0)
        except Exception:
            link.fail(ERROR_FAILED, 0)
            raise

    def begin(self):
        """What is stored from here on is the request's."""
        self._steps.touched = False
        self._programmed = programmed[0]

    def stored(self):
        """True when anything was stored since `begin`."""
        return self._programmed != programmed[0]

    def settle(self):
        """A request found no memory: believe what is stored. True when it began to store something."""
        if self._steps.touched or self.stored():
            from shoe.app import settle

            settle.settle(self.stored, self._steps, *self._parts)
        return self.stored()


def crashed(board, error):
    """The application ended by `error`: stop the game until the next start, which latches `internal`."""
    board.card_stop(True)
    gc.collect()
    board.note_boot_cause(4)  # enum.boot_cause crash
    try:
        sys.stderr.write(where(error))
    except Exception:
        sys.stderr.write("crash\n")


def lost(loop, context):
    """Handler of asyncio for a task that an error ended, in place of its own, which prints the error's text."""
    sys.stderr.write(where(context["exception"]))


def where(error):
    """The lines of a traceback without the exception's own text, which may hold anything, a card included."""
    if MICROPYTHON:
        out = io.StringIO()
        sys.print_exception(error, out)  # pyright: ignore[reportAttributeAccessIssue]
        lines = out.getvalue().split("\n")
    else:
        lines = []
        at = error.__traceback__
        while at is not None:
            lines.append('  File "%s", line %d' % (at.tb_frame.f_code.co_filename, at.tb_lineno))
            at = at.tb_next
    kept = [line for line in lines if line.startswith("  File")]
    return "\n".join(kept[-6:]) + "\n" + type(error).__name__ + "\n"
