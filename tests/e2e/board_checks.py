"""Checks of the board interface (board/README.md), run on the board itself: CPython or MicroPython.

`board_checks.py <project root> <state folder>` makes a virtual board and checks every verb; another board's suite calls
`check(board)` with its own. Says `checked N` on standard error; an AssertionError names what does not hold.
"""

import sys
from array import array

BLOCK = 256


def check_identity(board):
    """Name, id, entropy, cause."""
    assert isinstance(board.name, str) and 1 <= board.heads <= 3
    assert len(board.unique_id()) == 8 and board.unique_id() == board.unique_id()
    first = board.entropy(16)
    assert len(first) == 16 and first != board.entropy(16)
    assert 0 <= board.boot_cause() <= 4


def check_inputs_are_empty(board):
    """Nothing was pulled or pressed: reading returns at once."""
    times = array("i", [0] * 8)
    lines = bytearray(8)
    for head in range(board.heads):
        assert board.read_edges(head, times, lines) == 0
    assert not board.edges_wait()
    assert board.read_key() == -1
    assert board.link_read(bytearray(16)) == 0
    assert 0 <= board.link_write(b"", 0) <= 0


def check_time(board):
    """Ticks are wrapped at 2^30 and do not go back."""
    for ticks in (board.ticks_us, board.ticks_ms):
        first = ticks()
        assert 0 <= first < 1 << 30
        assert (ticks() - first) & 0x3FFFFFFF < 1 << 29


def check_levels(board):
    """Only the lines that were asked for are measured; every threshold is taken."""
    for head in range(board.heads):
        into = array("H", [7] * 4)
        board.levels(head, into, 0)
        assert list(into) == [7] * 4
        board.levels(head, into, 1)
        assert list(into[1:]) == [7] * 3
        for value in (0, 65535, 32768):
            board.threshold(head, value)


def check_flash(device, page):
    """Erase, program in pieces, read back; 1 to 0 only."""
    assert device.page_size == 4096 and device.pages >= 2
    view = memoryview(bytearray(BLOCK))
    device.erase(page)
    for offset in range(0, device.page_size, BLOCK):
        device.read(page, offset, view)
        assert bytes(view) == b"\xff" * BLOCK
    device.program(page, 0, memoryview(b"\xf0\x0f"))
    device.program(page, 2, memoryview(b"\x55"))
    device.program(page, 0, memoryview(b"\x70"))
    device.program(page, device.page_size - 3, memoryview(b"end"))
    device.read(page, 0, view)
    assert bytes(view[:4]) == b"\x70\x0f\x55\xff"
    device.read(page, device.page_size - 3, view[:3])
    assert bytes(view[:3]) == b"end"
    device.erase(page)
    device.read(page, 0, view[:2])
    assert bytes(view[:2]) == b"\xff\xff"


def check_outputs(board):
    """Lamps, card stop, watchdog take every value."""
    for mask in (0, 1, 0x7F, 0):
        board.lamp_mask(mask)
        board.card_stop(bool(mask))
    board.feed_watchdog()


def check(board):
    """Run all checks on `board`; its flash is overwritten. Returns their number."""
    check_identity(board)
    check_inputs_are_empty(board)
    check_time(board)
    check_levels(board)
    check_flash(board.journal, board.journal.pages - 1)
    check_flash(board.vault, 0)
    check_flash(board.store, 6)
    check_flash(board.keys, board.keys.pages - 1)
    check_outputs(board)
    return 9


if __name__ == "__main__":
    sys.path[0:0] = [sys.argv[1] + "/firmware", sys.argv[1] + "/board"]
    from virtual.board import VirtualBoard

    sys.stderr.write("checked " + str(check(VirtualBoard(sys.argv[2]))) + "\n")
