"""The self-test: each part gives one bit of enum.self_test that is set when the part failed."""

from shoe.compat import const, ticks_diff
from shoe.journal.cursor import Cursor
from shoe.wire_table import (
    FAULT_SELF_TEST,
    REC_FAULT,
    REC_SELF_TEST,
    SELF_TEST_CONFIG,
    SELF_TEST_ENTROPY,
    SELF_TEST_JOURNAL,
    SELF_TEST_RAM,
    SELF_TEST_SIDE_A,
    SELF_TEST_STORE,
)

SCRATCH_PAGE = const(6)  # of the store
_SIZE = const(256)
_MOST_MS = const(3000)
_HALF_ENTROPY = const(40)  # bytes; a board keeps 64 ready


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


def _test_store(device):
    """Erase the scratch page, program a pattern into its first and last block, read it back."""
    try:
        device.erase(SCRATCH_PAGE)
        wrote = bytearray(_SIZE)
        for i in range(_SIZE):
            wrote[i] = i
        read = bytearray(_SIZE)
        for offset in (0, device.page_size - _SIZE):
            device.read(SCRATCH_PAGE, offset, memoryview(read))
            if read != b"\xff" * _SIZE:
                return False
            device.program(SCRATCH_PAGE, offset, memoryview(wrote))
            device.read(SCRATCH_PAGE, offset, memoryview(read))
            if read != wrote:
                return False
    except OSError:
        return False
    return True


def _test_journal(journal, ticks_ms):
    """Read the records of every page, the newest first; False when one is missing.

    What some seconds are not enough for stays unread, since the watchdog waits for no test: on an RP2040 that is the
    oldest part of a full journal.
    """
    cursor = Cursor(journal)
    page = journal.tail
    end = journal.next_record
    start = ticks_ms()
    while page >= max(0, journal.first_page) and ticks_diff(ticks_ms(), start) < _MOST_MS:
        if not cursor.open_page(page):
            return False
        first = number = cursor.upcoming
        while number < end and cursor.next():
            if cursor.number != number:
                return False
            number += 1
        if number != end:
            return False
        end = first
        page -= 1
    return True


def _test_entropy(entropy):
    """Two draws that differ and are not constant, and more bytes than lie ready, so that the source is asked now."""
    try:
        first = entropy(_HALF_ENTROPY)
        second = entropy(_HALF_ENTROPY)
    except OSError:
        return False
    return len(first) == _HALF_ENTROPY and first != second and len(set(first)) > 4


def run_self_test(board, journal, table, steps, lines):
    """Run the self-test, record it, latch its fault; return the mask of failed parts. `lines`: what of each is dark."""
    heads = board.heads if table.dealing.st.has_reader() else min(2, board.heads)
    failed = self_test(board, journal, table.config_valid, lines, heads)
    events = ((REC_SELF_TEST, 1 if failed else 0, failed),)
    dealing = table.dealing
    if failed and FAULT_SELF_TEST not in dealing.faults:
        fault = (REC_FAULT, FAULT_SELF_TEST, 0, failed & 0xFF)
        events += (fault,)
        steps.touched = True
        dealing.apply(fault)
    steps.commit(events)
    return failed


def self_test(board, journal, config_valid, lines, heads):
    """Run all parts; return the mask of failed ones. `lines` holds the last state of the lines of `heads` heads."""
    failed = 0
    if not _test_ram():
        failed |= 1 << SELF_TEST_RAM
    if not _test_store(board.store):
        failed |= 1 << SELF_TEST_STORE
    if not _test_journal(journal, board.ticks_ms):
        failed |= 1 << SELF_TEST_JOURNAL
    if not _test_entropy(board.entropy):
        failed |= 1 << SELF_TEST_ENTROPY
    if not config_valid:
        failed |= 1 << SELF_TEST_CONFIG
    for head in range(heads):
        if lines[head] & 1:  # something dark lies there although no card is being dealt
            failed |= 1 << SELF_TEST_SIDE_A + head
    return failed
