"""The gate before privileged commands. The link asks it before it carries out a privileged request.

A shoe that is not provisioned lets everybody pass. It loads `authority`, which does the work, when somebody asks.
"""

from shoe.compat import const
from shoe.journal.durable_notes import BLANK, Notes

AUTHORITY_PAGE = const(8)  # of the store


class Gate:
    """Stands before the privileged requests of `app`; `keys` is what it knows of the command key, None when open."""

    def __init__(self, app):
        self.app = app
        self.keys = None

    def start(self, said):
        """After the boot record: look for a command key; say which is in force and whether the firmware fits.

        `said`: a record in the journal says that there is one. Where there is none, and never was, nothing is loaded.
        """
        notes = Notes(self.app.board.store, AUTHORITY_PAGE, None)
        notes.start()
        if said or notes.state != BLANK:
            self.serve("start", (said,))

    def follow(self, events):
        """After a step of the table."""
        if self.keys:
            self.keys.follow(self.app, events)

    def idle(self):
        """Let go of what is over, erase ahead; True when the flash was erased."""
        return self.keys and self.keys.idle()

    def plain(self, request, body):
        """A privileged request without a tag: for a shoe that is not provisioned."""
        if self.keys and not self.keys.is_open():
            self.serve("refuse", (request, body))

    def serve(self, name, arguments):
        """Carry out one of the functions of `authority`."""
        from shoe.app import authority

        return getattr(authority, name)(self, *arguments)
