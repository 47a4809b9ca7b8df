"""What follows an unexpected error, want of memory above all: the game stops, and the table is what the journal says.

Nothing acknowledged is lost, since it is durable; what a step that was cut off had done to the state in RAM is undone.
When even that fails, the error leaves the task: the application ends, and the board starts it again as a crash.
"""

import gc
import io
import sys

from shoe.compat import MICROPYTHON
from shoe.wire_table import FAULT_INTERNAL


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
