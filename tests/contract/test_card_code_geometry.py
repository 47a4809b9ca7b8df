"""The lengths that the firmware and the host have for the printed code are those that CARD_CODE.md specifies."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from shoe.reading import card_code as device
from shoetool.model import card_code as host

TEXT = (Path(__file__).resolve().parents[2] / "firmware" / "CARD_CODE.md").read_text(encoding="utf-8")


def lengths(begin: str) -> list[float]:
    """The lengths in the one line of the specification that begins so, in their order."""
    (line,) = [line for line in TEXT.splitlines() if line.startswith(begin)]
    return [float(number) for number in re.findall(r"([+-]?\d+(?:\.\d+)?) mm", line)]


def specified() -> dict[str, float]:
    """Each length, by the name of its constant without the unit."""
    cell, code = lengths("| cell |")
    mark, clock_track, clock_width = lengths("| clock track |")
    data_track, data_width = lengths("| data track |")
    (present,) = lengths("| PRESENT |")
    (a, a_across), (b, b_across) = lengths("| CLOCK_A |"), lengths("| CLOCK_B |")
    poker, bridge = lengths("The pull runs along the short edge:")
    return {
        "CELL": cell,
        "CODE": code,
        "MARK": mark,
        "QUARTER": b - a,
        "PRESENT": present,
        "POKER": poker,
        "BRIDGE": bridge,
        "DATA_TRACK": data_track,
        "DATA_WIDTH": data_width,
        "CLOCK_TRACK": clock_track,
        "CLOCK_WIDTH": clock_width,
        "CLOCK_APART": b_across - a_across,
    }


@pytest.mark.parametrize(("module", "unit", "millimetre"), [(device, "_UM", 1000), (host, "_MM", 1)])
def test_the_lengths_are_those_of_the_specification(module: ModuleType, unit: str, millimetre: int) -> None:
    there = {name[: -len(unit)]: value / millimetre for name, value in vars(module).items() if name.endswith(unit)}
    there.pop("POKER_LENGTH", None)  # the specification of the code says nothing of the card's length
    assert there == specified()
