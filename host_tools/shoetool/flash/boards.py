"""The boards on this computer's USB: the only one with a MicroPython prompt, and what to do when there is none."""

from __future__ import annotations

from typing import Final

from shoetool.link.boot_loader import boot_loaders
from shoetool.link.port_filter import PortFilter
from shoetool.link.system_ports import system_ports
from shoetool.model.errors import LinkError

_UF2: Final = "a MicroPython UF2 (1.24 or newer, micropython.org/download)"
INSTALL: Final = f"hold BOOTSEL while plugging the board in and copy {_UF2} onto the drive RPI-RP2"


def find_board(only: PortFilter) -> tuple[str, str]:
    """Return port and USB serial number of the only board with a MicroPython prompt, among the ports that `only` takes.

    Nothing is sent to it. LinkError, one line, when there is none, or more than one.
    """
    boards = [
        (port.name, (port.usb.unit.serial_number or "none").lower())
        for port in system_ports()
        if port.usb is not None and port.usb.is_prompt and only.takes(port)
    ]
    if len(boards) == 1:
        return boards[0]
    if boards:
        listed = ", ".join(f"{port} (id {number})" for port, number in boards)
        raise LinkError(
            f"{len(boards)} MicroPython boards are plugged in: {listed}; name one: shoetool flash {boards[0][0]}"
        )
    raise LinkError(
        in_boot_loader()
        or "no MicroPython board is plugged in. Is the cable in, and does it carry data, not power alone? "
        f"A new board: {INSTALL}. On Linux you need the group dialout: sudo usermod -aG dialout $USER, and log in again"
    )


def in_boot_loader() -> str | None:
    """Return the next step for a board that is plugged in in its boot loader; None when there is no such board."""
    for board in boot_loaders():
        if board.chip != "RP2040":
            return (
                f"a board with an {board.chip} is in its boot loader; the firmware needs an RP2040: take another board"
            )
        where = "" if board.drive is None else f", {board.drive}"
        return (
            f"a board in its boot loader (BOOTSEL) is plugged in: copy {_UF2} onto its drive {board.label}{where}; "
            "it restarts by itself, then run shoetool flash"
        )
    return None
