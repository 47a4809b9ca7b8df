"""In place of pico/board.py on the stand-in of tests/host/flash_stand_in.py: no pins, the real partitions.

MicroPython code; `firmware_files`, `chip` and `partitions` are the firmware's own.
"""

import os
import time

from pico import chip


class PicoBoard:
    """The verbs of board/README.md without anything outside."""

    name = "pico"

    def __init__(self, settings):
        from pico import partitions

        self.heads = settings.heads
        self.cards = settings.cards
        self.journal, self.vault, self.store, self.keys = partitions.open_all()
        self.started = False
        self.ticks_ms = time.ticks_ms
        self.ticks_us = time.ticks_us
        self.note_boot_cause = chip.note_boot_cause

    def unique_id(self):
        return b"STAND IN"

    def boot_cause(self):
        return chip.take_boot_cause()

    def entropy(self, n):
        return os.urandom(n)

    def entropy_ready(self, n):
        return True

    def edges_wait(self, heads=-1):
        return False

    def until(self, ticks_us, heads, tidies=False, lamps=-1, stop=-1):
        return True

    def ms_at(self, ticks_us):
        return time.ticks_ms()

    def firmware_digest(self):
        from pico import firmware_files

        return firmware_files.digest()

    def read_edges(self, head, times, lines):
        return 0

    def read_key(self):
        return -1

    def lamp_mask(self, mask):
        pass

    def card_stop(self, on):
        pass

    def levels(self, head, into):
        for i in range(4):
            into[i] = 0

    def threshold(self, head, value):
        pass

    def link_read(self, buf):
        return 0

    def link_write(self, buf, n):
        return n

    def link_load(self, buf, n):
        return 0  # all of it begins with `link_write`

    def ready(self, boot):
        self.started = True
        print("shoe ready, boot %d, %d ms after reset" % (boot, time.ticks_ms()))

    def feed_watchdog(self):
        pass

    def collect(self):
        pass

    def wait(self, most_ms=50, tidies=True):
        time.sleep_ms(most_ms)

    def close(self):
        pass
