"""What the flashing tool asks a shoe whose application does not run: loaded over the REPL only, never by the shoe.

`board` is anything with `journal` and `store`; `self_test` needs a whole board. Nothing but `configure` and `self_test`
writes to the flash.
"""

from shoe.app.app import CONFIG_PAGE, FETCHED_PAGE
from shoe.app.gate import AUTHORITY_PAGE
from shoe.compat import const
from shoe.journal.durable_notes import DAMAGED, Notes
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal
from shoe.trust.authority import ANNOUNCED, FIRMWARE, KEY

_EDGES = const(64)
_DAMAGED_KEY = const(2)


class _Marks(Fetched):
    """A closed history that was fetched once stays fetched: only starts and settings are written behind its end."""

    def names(self, shoe):
        if shoe <= self._upto:
            return True
        for mark in self._marks:
            if mark[0] == shoe:
                return True
        return False


def _never(shoe, last_record):
    return False


def standing(board):
    """(boot, shoe, open, shoes whose histories nobody fetched) from the journal; an open shoe is one of them."""
    marks = _Marks(board.store, FETCHED_PAGE)
    marks.start()
    journal = Journal(board.journal, bytes(8), _never)
    journal.start()
    missing = []
    for shoe, _, _, _, _, closed in journal.shoes():
        if shoe and not (closed and marks.names(shoe)):  # 0 holds what was before the first shoe: no card
            missing.append(shoe)
    return journal.boot, journal.shoe, bool(journal.shoe and not journal.closed), missing


def provisioned(board):
    """(0 open, 1 provisioned or 2 damaged, digest of the firmware that belongs here, announced digest), as stored."""
    found = {KEY: b"", FIRMWARE: b"", ANNOUNCED: b""}

    def take(kind, payload):
        if kind in found:
            found[kind] = bytes(payload)

    notes = Notes(board.store, AUTHORITY_PAGE, None)
    notes.start(take)
    state = _DAMAGED_KEY if notes.state == DAMAGED else 1 if found[KEY] else 0
    return state, found[FIRMWARE], found[ANNOUNCED]


def settings(board):
    """(whether a good configuration is stored, the configuration in force as pairs of id:u8 value:u32)."""
    from shoe.app.config_store import ConfigStore

    config, valid, written = ConfigStore(board.store, CONFIG_PAGE).load()
    return valid and written, config.pack()


def configure(board, pairs):
    """Store the settings of `pairs`, all or none; 0, or the id of the setting that does not fit.

    The next start writes the record of it. Raises ValueError for an unknown setting and OSError when the shoe is
    provisioned, which takes settings by authorised command alone, or a shoe is open.
    """
    from shoe.app.config_store import ConfigStore
    from shoe.config import Config

    if provisioned(board)[0] or standing(board)[2]:
        raise OSError(1)
    store = ConfigStore(board.store, CONFIG_PAGE)
    old = store.load()
    config = Config.unpack(old[0].pack() + pairs)
    wrong = config.validate()
    if not wrong and not (old[1] and old[2] and config.pack() == old[0].pack()):
        store.save(config)
    return wrong


def thresholds(board):
    """Set the heads' thresholds as a start would, before `self_test`; the comparators follow within 50 ms."""
    from shoe.reading.head_margins import Margins

    Margins(board, Notes).start()


def self_test(board):
    """Run the self-test of the parts on a board that was just started; mask of enum.self_test of what failed."""
    from array import array

    from shoe.app.config_store import ConfigStore
    from shoe.app.self_test import self_test
    from shoe.config import OPTION_READER

    journal = Journal(board.journal, bytes(8), _never)
    journal.start()
    config, valid, _ = ConfigStore(board.store, CONFIG_PAGE).load()
    heads = board.heads if config.options & OPTION_READER else min(2, board.heads)
    times = array("i", [0] * _EDGES)
    states = bytearray(_EDGES)
    lines = bytearray(board.heads)
    for head in range(heads):
        while True:
            n = board.read_edges(head, times, states)
            if n <= 0:
                break
            lines[head] = states[n - 1]
    return self_test(board, journal, valid, lines, heads)
