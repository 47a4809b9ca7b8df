"""How long the device's decoder takes per card: `micropython tests/bench/read_head_speed.py` or with python.

Prints µs per card and per edge, and how many cards a second that is; the shoe deals up to 12.
"""

import sys
import time

_HERE = __file__[: __file__.rindex("/")] if "/" in __file__ else "."
sys.path[0:0] = [_HERE + "/../../firmware", _HERE + "/../firmware"]

from card_pulls import frame, pulled  # noqa: E402
from shoe.reading.read_head import ReadHead  # noqa: E402

CARDS = 2000


def main():
    """Read one clean and one damaged card over and over."""
    head = ReadHead(0, (1,))
    for name, edges in (
        ("clean", pulled(frame(23, 1))),
        ("one cell wrong", pulled(frame(23, 1), flipped=(9,))),
        ("one mark lost", pulled(frame(23, 1), lost=(9,))),
    ):
        feed = head.feed
        read = 0
        started = time.time_ns()
        for _ in range(CARDS):
            for ticks, lines in edges:
                if feed(ticks, lines) is not None:
                    read += 1
        took = (time.time_ns() - started) // 1000
        print(
            "%s: %d of %d read, %d us a card, %.2f us an edge, %d cards/s"  # noqa: UP031
            % (name, read, CARDS, took // CARDS, took / CARDS / len(edges), CARDS * 1000000 // took)
        )


main()
