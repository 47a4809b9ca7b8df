"""Every pin of the RP2040 that the shoe uses, on the footprint of a Raspberry Pi Pico: the one source.

Firmware, wiring diagram, pin table and bill of materials all take them from here; the rig states them once more.
"""

from shoe.compat import const

# The link to the table's computer: UART0, 8N1, with the driver-enable line of an RS-485 transceiver.
UART_TX = const(0)
UART_RX = const(1)
UART_DRIVER_ENABLE = const(2)

# Each head's four lines lie on pins in a row, since one PIO `in` reads them: PRESENT, CLOCK_A, CLOCK_B, DATA.
# A comparator's output is high when its sensor sees dark.
HEAD_LINES = const(4)
HEAD_A = const(3)
HEAD_B = const(7)
HEAD_READER = const(11)

# The comparators' threshold of each head: PWM through a low-pass, 0 to 3.3 V.
THRESHOLD_A = const(15)
THRESHOLD_B = const(20)
THRESHOLD_READER = const(21)

# The sensors' analogue levels: one ADC input a head behind a multiplexer that picks one of its four lines.
LEVEL_A = const(26)
LEVEL_B = const(27)
LEVEL_READER = const(28)

# The panel: a chain of shift registers on SPI0. One pulse of LATCH takes in the keys and shows the lamps.
PANEL_IN = const(16)
PANEL_LATCH = const(17)
PANEL_CLOCK = const(18)
PANEL_OUT = const(19)

# High draws the spring-loaded card stop back: a board without power or program holds the cards back.
CARD_STOP = const(22)

# On the board itself: its lamp, and the supply behind a divider by three.
BOARD_LAMP = const(25)
SUPPLY_LEVEL = const(29)
