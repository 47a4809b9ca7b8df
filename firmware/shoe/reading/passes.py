"""What a read head says of one thing that went through it."""

from shoe.compat import const
from shoe.wire_table import PASS_BLANK, UNREADABLE_NONE

UNKNOWN_CARD = const(63)
UNKNOWN_BATCH = const(0)


class Pass:
    """What one thing did while it went through one head.

    kind PASS_*; card 0..56 or 63 unknown; batch 1..4 or 0 unknown; reason UNREADABLE_*; duration_ms under the card
    sensor, at most 65535; peak_mm_s; corrected damaged cells put right; margin 255 clean .. 0 on the brink; head;
    edges seen.
    """

    def __init__(self, head):
        self.head = head
        self.begin(PASS_BLANK, 0, UNREADABLE_NONE, 0)

    def begin(self, kind, duration_us, reason, edges):
        """Fill in what every pass has, with no card in it, and return it."""
        self.kind = kind
        self.card = UNKNOWN_CARD
        self.batch = UNKNOWN_BATCH
        self.reason = reason
        self.duration_ms = min(duration_us // 1000, 65535)
        self.peak_mm_s = 0
        self.corrected = 0
        self.margin = 0
        self.edges = edges
        return self
