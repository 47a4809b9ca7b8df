"""What a start needs before all else: the stored configuration, and the epoch of the link."""

from shoe.compat import const
from shoe.config import Config
from shoe.journal.durable_notes import BLANK, GOOD, Notes

_CONFIG = const(1)


class ConfigStore:
    """The configuration in two pages of `device` from `first` on: the new one is whole before the old one goes."""

    def __init__(self, device, first):
        self._packed = b""
        self._notes = Notes(device, first, self._live)

    def _live(self):
        yield _CONFIG, self._packed

    def load(self):
        """(config, valid, written): the stored configuration, or the defaults with valid False when it is damaged."""
        self._notes.start(self._take)
        packed = self._packed
        self._packed = b""
        if self._notes.state == BLANK:
            return Config(), True, False
        if self._notes.state == GOOD and packed:
            try:
                config = Config.unpack(packed)
                if config.validate() == 0:
                    self._packed = packed
                    return config, True, True
            except (ValueError, IndexError, KeyError):
                pass
        return Config(), False, True

    def _take(self, kind, payload):
        self._packed = bytes(payload)

    def save(self, config):
        """Make `config` the stored one, durably."""
        before = self._packed
        try:
            self._packed = config.pack()
            self._notes.rewrite()
        except Exception:
            self._packed = before
            raise


def new_epoch(board, last):
    """An epoch for this start: another one than `last`, and none that can be foretold."""
    try:
        drawn = board.entropy(2)
        epoch = drawn[0] | drawn[1] << 8
    except OSError:
        epoch = last + 1
    if epoch in (0, last):
        epoch = (last + 1) & 0xFFFF or 1
    return epoch
