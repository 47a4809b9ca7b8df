"""What a provisioned shoe keeps in RAM of its command key, its challenges and the play that is open."""

from shoe.app.gate import AUTHORITY_PAGE
from shoe.trust.authority_state import Authority
from shoe.wire_table import (
    AUTHORITY_OPEN,
    FAULT_COMMAND_KEY,
    FAULT_FIRMWARE,
    PROVISIONED_IN_FORCE,
    REC_PROVISIONED,
    REC_SHOE_OPENED,
)


class Keys(Authority):
    """The command key of `app`'s shoe, and what stands between its requests."""

    proved = b""  # challenge of the command that is being carried out
    offered = offered_to = b""  # a key that was offered and is not in force, and the session that it was offered in
    play = playing = b""  # key of the play that is open, and its session
    counter = 0  # of the last key that was played
    unrecorded = noted = 0  # attempts without a record of their own, and when the last one got one
    quiet = False
    firmware_fits = True

    def __init__(self, app):
        board = app.board
        # How long is still to wait is told to the host, so the time is the one that may be told.
        Authority.__init__(self, board.store, AUTHORITY_PAGE, board.entropy, app.silence.ticks_ms)

    def is_open(self):
        """True when the shoe is not provisioned."""
        return self.state == AUTHORITY_OPEN

    def say(self, app):
        """Record which key is in force."""
        app.steps.commit([(REC_PROVISIONED, self.fingerprint, PROVISIONED_IN_FORCE)])

    def follow(self, app, events):
        """Each history says of itself that commands need a key; what no supervisor key clears is latched again."""
        if self.key:
            for event in events:
                if event[0] == REC_SHOE_OPENED:
                    self.say(app)
        if self.damaged:
            app.steps.raise_fault(FAULT_COMMAND_KEY)
        if not self.firmware_fits:
            app.steps.raise_fault(FAULT_FIRMWARE)
