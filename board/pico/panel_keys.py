"""What each place in the panel's chain of keys means: PANEL.md in numbers, which a test compares with both.

A place is 8 * register + input, registers counted from the Pico on, inputs A to H of a 74HC165 from 0 to 7.
"""

from shoe.compat import const

REGISTERS = const(6)
LOCK = const(15)  # place of the key switch, closed while it is turned to "supervisor"
LOCKED = const(40)  # from this place on keys are heard only while it is

# Below BOX: a function, as numbered by enum.key. From there on: what is entered before a function.
NOTHING = const(0)
BOX = const(64)  # + betting position 1 to 7
SIDE_A = const(72)
SIDE_B = const(73)
EXPOSED = const(74)
FIRST = const(75)
SECOND = const(76)
SECOND_HAND = const(77)
CANCEL = const(78)
SWITCH_LOCK = const(79)

MEANINGS = bytes(
    (
        BOX + 1, BOX + 2, BOX + 3, BOX + 4, BOX + 5, BOX + 6, BOX + 7, CANCEL,
        SIDE_A, SIDE_B, EXPOSED, FIRST, SECOND, SECOND_HAND, NOTHING, SWITCH_LOCK,
        1, 2, 3, 4, 5, 6, 7, 8,  # seats, deal, next_hand, double, split, surrender, reveal, end_round
        23, 25, 26, 20, 11, 17, 16, 18,  # insurance, switch, turn_up, hold, discard, no_card, missed, missed_dealer
        9, 10, 19, 30, NOTHING, NOTHING, NOTHING, NOTHING,  # new_dealer, load, refill, antes
        12, 24, 13, 14, 15, 21, 22, NOTHING,  # supervisor, reader_test, reshuffle, count, test_deal, void_round and
        # close_shoe
    )
)  # fmt: skip

# What becomes of the entered as the function's argument; a function that is not named here has argument 0.
BOXES = b"\x01\x17\x1e"  # seats, insurance, antes: bit i-1 for each betting position i that was entered
NUMBER = b"\x06\x19\x1a\x0c\x18"  # surrender, switch, turn_up, supervisor, reader_test: the position entered last, or 0
BOX_AND_MORE = b"\x11\x10"  # no_card, missed: that + 16 FIRST + 32 SECOND + 64 SECOND_HAND
SIDES = b"\x0a\x13\x0d\x0e\x0f"  # load, refill, reshuffle, count, test_deal: 0 side A, 1 side B
SHOWN = b"\x14\x0b"  # hold, discard: 1 after EXPOSED
