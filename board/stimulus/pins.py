"""Every pin of the stimulus: the one source. Each goes to the pin of the same number of the shoe, but RESET to its RUN.

Names say what the stimulus does there: what it sends as keys is the shoe's PANEL_IN. README.md has them as a table.
"""

HEADS = (3, 7, 11)  # lowest of the four lines in a row of side A, side B and the card reader device
HEAD_LINES = 4
KEYS_OUT = 16
LATCH = 17
CLOCK = 18
LAMPS_IN = 19
CARD_STOP = 22
RESET = 2
