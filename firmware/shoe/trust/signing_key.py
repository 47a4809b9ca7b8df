"""The stored signing key: its secret seed above all."""

import struct

from shoe.compat import const
from shoe.journal.durable_notes import DAMAGED, Notes
from shoe.trust.signing import KEY_PAGE

_KEY = const(1)
_FORM = "<BBI16s32s32s"  # height, made, first shoe that this key signs, identifier, seed, root


class KeyNote:
    """What the pages of the key hold."""

    def __init__(self, device):
        self.height = 0
        self.made = 0
        self.first_shoe = 0
        self.identifier = self.seed = self.root = b""
        self._notes = Notes(device, KEY_PAGE, self._live)

    def load(self):
        """True when there is a key; `damaged` says whether there was one that cannot be read."""
        self._notes.start(self._take)
        self.damaged = self._notes.state == DAMAGED
        return bool(self.height) and not self.damaged

    def _take(self, kind, payload):
        if kind == _KEY:
            values = struct.unpack(_FORM, payload)
            self.height, self.made, self.first_shoe, self.identifier, self.seed, self.root = values

    def _live(self):
        if self.height:
            values = (self.height, self.made, self.first_shoe, self.identifier, self.seed, self.root)
            yield _KEY, struct.pack(_FORM, *values)

    def save(self):
        """Make it durable; no page but this keeps an older key."""
        self._notes.rewrite()
        self._notes.idle()
