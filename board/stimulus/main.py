"""A second Pico that is the world around a shoe: light for its heads, keys and lamps of its panel, its reset button.

It obeys a computer over USB, byte by byte; tests/hil/rig/stimulus.py holds the other end. pins.py has the pins, and
README.md says where they go.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import struct
import sys
import time

import micropython
from machine import Pin
from panel_chain import PanelChain
from pins import CARD_STOP, HEADS, RESET
from player import Player

NAME = b"shoe stimulus 1\n"
_RESET_MS = 20


class Stimulus:
    """Takes commands from `read(n)`, answers with `write(bytes)`; each command is one letter and its operands."""

    def __init__(self, read, write):
        self._read = read
        self._write = write
        self._reset = Pin(RESET, Pin.OPEN_DRAIN, value=1)
        self._stop = Pin(CARD_STOP, Pin.IN, Pin.PULL_DOWN)
        self._players = [Player(head, first) for head, first in enumerate(HEADS)]
        self._chain = PanelChain()

    def obey(self):
        """Do one command and answer it; an unknown letter is answered with `!`, so that both ends find together."""
        letter = self._read(1)
        if letter == b"?":
            self._write(NAME)
        elif letter == b"E":  # edges of one head: head u8, number u16, words as Player.load takes them
            head, count = struct.unpack("<BH", self._read(3))
            words = self._read(4 * count)
            ok = head < len(self._players) and self._players[head].load(words)
            self._write(b"e" if ok else b"!")
        elif letter == b"G":  # begin on all heads that have edges, at once
            self._write(b"g" if Player.begin(self._players) else b"!")
        elif letter == b"D":  # how many edges are still to come
            self._write(struct.pack("<I", sum(player.left() for player in self._players)))
        elif letter == b"K":  # place u8, down u8
            place, down = self._read(2)
            self._chain.press(place, down)
            self._write(b"k")
        elif letter == b"L":  # what the chain holds, and whether the card stop is engaged
            self._write(self._chain.outputs() + bytes((not self._stop.value(),)))
        elif letter == b"R":  # press the shoe's reset button
            self._reset.value(0)
            time.sleep_ms(_RESET_MS)
            self._reset.value(1)
            self._write(b"r")
        else:
            self._write(b"!")


def run():
    """Serve for ever. Ctrl-C is a byte like any other; a reset with the button brings the prompt back."""
    micropython.kbd_intr(-1)
    stimulus = Stimulus(sys.stdin.buffer.read, _write)
    while True:
        stimulus.obey()


def _write(data):
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    run()
