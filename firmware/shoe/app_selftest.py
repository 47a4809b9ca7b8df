"""The self-test: each part gives one bit of enum.self_test that is set when the part failed."""

from shoe.compat import const
from shoe.journal_read import Cursor
from shoe.wire_table import (
    SELF_TEST_CONFIG,
    SELF_TEST_ENTROPY,
    SELF_TEST_JOURNAL,
    SELF_TEST_RAM,
    SELF_TEST_SIDE_A,
    SELF_TEST_STORE,
)

_SIZE = const(256)


def _test_ram():
    """Write and read patterns in a fresh piece of RAM."""
    buf = bytearray(1024)
    for pattern in (0x55, 0xAA, 0x00, 0xFF):
        for i in range(len(buf)):
            buf[i] = pattern ^ (i & 0xFF)
        for i in range(len(buf)):
            if buf[i] != pattern ^ (i & 0xFF):
                return False
    return True


def _test_store(device, page):
    """Erase the scratch page, program a pattern into its first and last block, read it back."""
    try:
        device.erase(page)
        wrote = bytearray(_SIZE)
        for i in range(_SIZE):
            wrote[i] = i
        read = bytearray(_SIZE)
        for offset in (0, device.page_size - _SIZE):
            device.read(page, offset, memoryview(read))
            if read != b"\xff" * _SIZE:
                return False
            device.program(page, offset, memoryview(wrote))
            device.read(page, offset, memoryview(read))
            if read != wrote:
                return False
    except OSError:
        return False
    return True


def _test_journal(journal):
    """Read every record of every page; False when one is missing between the first and the last."""
    if journal.tail < 0:
        return True
    cursor = Cursor(journal)
    if not cursor.open_page(journal.first_page):
        return False
    expected = cursor.upcoming
    while cursor.next():
        if cursor.number != expected:
            return False
        expected += 1
    return expected == journal.next_record


def _test_entropy(entropy):
    """Two draws that differ and are not constant."""
    try:
        first = entropy(16)
        second = entropy(16)
    except OSError:
        return False
    return len(first) == 16 and first != second and len(set(first)) > 4


def self_test(board, journal, scratch_page, config_valid, lines):
    """Run all parts; return the mask of failed ones. `lines` holds the last state of each head's lines."""
    failed = 0
    if not _test_ram():
        failed |= 1 << SELF_TEST_RAM
    if not _test_store(board.store, scratch_page):
        failed |= 1 << SELF_TEST_STORE
    if not _test_journal(journal):
        failed |= 1 << SELF_TEST_JOURNAL
    if not _test_entropy(board.entropy):
        failed |= 1 << SELF_TEST_ENTROPY
    if not config_valid:
        failed |= 1 << SELF_TEST_CONFIG
    for head in range(len(lines)):
        if lines[head] & 1:  # something dark lies there although no card is being dealt
            failed |= 1 << SELF_TEST_SIDE_A + head
    return failed
