"""shoe.net, imported by KiCad's PCB editor itself: every part with its footprint and every net with its pads arrives.

It needs KiCad, Xvfb and xdotool. Tried with KiCad 6.0.11 and 9.0.2.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kicad_netlist import Board, Netlist, differences
from kicad_window import Editor, screen, version, why_not
from wiring.data import HERE

TEXT = (HERE / "shoe.net").read_text(encoding="utf-8")
LIBRARIES = {name.partition(":")[0] for name in Netlist.read(TEXT).footprints().values()}
# KiCad does not place a part whose footprint it does not have yet.
SINCE_9 = {"Module:RaspberryPi_Pico_Common_THT"}


def read(text: str) -> Netlist:
    """What KiCad must make of this netlist."""
    netlist = Netlist.read(text)
    if version() == "6.0":
        later = {ref for ref, name in netlist.footprints().items() if name in SINCE_9}
        assert later == {"U1"}
        del netlist.parts["U1"]
    return netlist


def imported(text: str, folder: Path) -> Board:
    """The board that KiCad makes of this netlist."""
    with screen(folder) as display:
        editor = Editor(folder, display, text, LIBRARIES)
        try:
            return Board.read(editor.import_netlist())
        finally:
            editor.close()


# Errors of a netlist: what to find, what to put in its place, and whom it concerns.
FAULTS = (
    (r'\(net \(code "\d+"\)\s+\(name "KEY_40"\)(\s+\(node .*\))+', "", "S40/1"),
    (r'\(node \(ref "U2"\) \(pin "14"\) \(pinfunction "VCC"\)\)', "", "U2/14"),
    (r'\(node \(ref "J4"\) \(pin "1"\)', '(node (ref "J4") (pin "99")', "J4/99"),
    (r'(\(comp \(ref "D1"\)\s+\(value "SM712.TCT"\)\s+\(footprint ")[^"]*', r"\1Package_TO_SOT_SMD:SOT-32", "D1 is"),
    (r'(\(comp \(ref "R1"\)\s+\(value ")120', r"\g<1>12", "R1 is"),
    ("71603e0c-a81c-574d-81a6-10f13e5e95e5", "71603e0c-a81c-574d-81a6-10f13e5e95e6", "U2 is"),
    (r'\(comp \(ref "R2"\)', '(comp (ref "R2x")', "R2x"),
)


@pytest.mark.begins_first
def test_kicad_imports_the_netlist(tmp_path: Path) -> None:
    if why := why_not(LIBRARIES):
        pytest.skip(why)
    board = imported(TEXT, tmp_path)
    netlist = read(TEXT)
    assert differences(netlist, board) == []
    assert board.parts.keys() == netlist.footprints().keys()
    # Each of these errors would have been seen on that board.
    for pattern, replacement, concerned in FAULTS:
        faulty, count = re.subn(pattern, replacement, TEXT)
        assert count == 1, pattern
        assert any(line.startswith(concerned) for line in differences(read(faulty), board)), pattern
