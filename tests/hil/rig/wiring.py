"""The wiring of the shoe, stated once more by hand, from the diagram and from board/pico/PANEL.md.

The firmware takes its pins from board/pico/pins.py and its keys from board/pico/panel_keys.py. A rig that took them
from there too would be wired wrong in the same way, and a wrong table could not show. So the rig imports nothing of
them; tests/pico/test_rig_wiring.py compares.
"""

from __future__ import annotations

from shoetool.model.protocol_table import Key

# GPIO numbers. A head's lines: PRESENT, CLOCK_A, CLOCK_B, DATA.
HEADS = ((3, 4, 5, 6), (7, 8, 9, 10), (11, 12, 13, 14))
THRESHOLDS = (15, 20, 21)
LEVELS = (26, 27, 28)
LINK_TX, LINK_RX, LINK_DRIVER_ENABLE = 0, 1, 2
PANEL_IN, PANEL_LATCH, PANEL_CLOCK, PANEL_OUT = 16, 17, 18, 19
CARD_STOP = 22

LINK_BAUD = 921_600

# The panel: a row a 74HC165, the one next to the Pico first, inputs A to H. Functions have the names of enum.key.
PANEL = """
position-1   position-2   position-3  position-4  position-5  position-6  position-7  cancel
side-a       side-b       exposed     first       second      second-hand -           key-switch
seats        deal         next_hand   double      split       surrender   reveal      end_round
insurance    switch       turn_up     hold        discard     no_card     missed      missed_dealer
new_dealer   load         refill      antes       -           -           -           -
supervisor   reader_test  reshuffle   count       test_deal   void_round  close_shoe  -
"""
REGISTERS = 6
_NAMES = PANEL.split()
PLACES = {name: place for place, name in enumerate(_NAMES) if name != "-"}
KEY_SWITCH = PLACES["key-switch"]
LOCKED = range(40, 48)  # the sixth register: heard only while the key switch is turned

# What PANEL.md has to be entered before a function.
_POSITIONS = ("seats", "insurance", "antes")  # a bit for each
_POSITION = ("surrender", "switch", "turn_up", "supervisor", "reader_test")  # its number, or 0
_SKIPPED = ("missed", "no_card")  # its number, + 16 first, + 32 second, + 64 second hand
_SIDE = ("load", "refill", "reshuffle", "count", "test_deal")
_EXPOSED = ("hold", "discard")


def strokes(key: Key, argument: int) -> list[int]:
    """Return the places to press one after the other for a function with its argument, the function last.

    ValueError when no keys of the panel say that.
    """
    name = key.name.lower()
    if name not in PLACES:
        raise ValueError(f"{key.name} has no key of the panel: a hybrid table sends it over the line")
    entered: list[str] = []
    rest = argument
    if name in _POSITIONS:
        entered = [f"position-{i + 1}" for i in range(7) if argument >> i & 1]
        rest = argument >> 7
    elif name in _POSITION:
        entered, rest = ([f"position-{argument}"] if argument else []), argument >> 3
    elif name in _SKIPPED:
        entered = [f"position-{argument & 7}"] if argument & 7 else []
        entered += [more for i, more in enumerate(("first", "second", "second-hand")) if argument >> 4 + i & 1]
        rest = argument >> 7 or argument & 8
    elif name in _SIDE:
        entered, rest = ["side-b" if argument else "side-a"], argument >> 1
    elif name in _EXPOSED:
        entered, rest = (["exposed"] if argument else []), argument >> 1
    if rest:
        raise ValueError(f"no keys of the panel say {key.name} {argument}")
    return [PLACES[word] for word in (*entered, name)]
