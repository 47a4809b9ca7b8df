"""Who signed a history, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from shoetool.report.faces import DIM
from shoetool.report.findings import VERIFIED
from shoetool.trust.findings import SignedShoe

_DOUBTFUL: Final = Style(color="yellow", bold=True)


def doubt(shoes: Sequence[SignedShoe]) -> str:
    """Return the text on signatures for the last line about a file; empty when all are good and their keys pinned."""
    if not all(shoe.signed for shoe in shoes):
        return "not signed"
    return "" if all(shoe.pinned for shoe in shoes) else "signed by a key that is not pinned"


def signed_lines(shoes: Sequence[SignedShoe]) -> list[Text]:
    """Return a few lines of 80 columns for each closed shoe: who signed it, whether it is complete, and whether the key
    is pinned."""
    lines: list[Text] = []
    for shoe in shoes:
        line = Text(f"  shoe {shoe.shoe}: ")
        if not shoe.signed:
            lines.append(line.append("not signed").append(f" ({shoe.why})" if shoe.why else "", DIM))
            continue
        if not shoe.good or shoe.key is None:
            bad = Style(color="bright_red", bold=True)
            named = f": {', '.join(shoe.found)}" if shoe.found else ""
            lines.append(line.append(f"SIGNATURE DOES NOT HOLD{named}", bad).append(", see above", DIM))
            continue
        device = "" if shoe.device is None else f" by device {shoe.device.hex()}"
        first, last = shoe.pages or (0, 0)
        begin, end = shoe.records or (0, 0)
        who = ("signed, but nobody knows by whom", _DOUBTFUL) if not shoe.pinned else (f"signed{device}", VERIFIED)
        lines.append(line.append(*who).append(f", complete, pages {first} to {last}"))
        lines.append(Text(f"    records {begin} to {end}"))
        if shoe.pinned:
            lines.append(Text(f"    key {shoe.key.fingerprint} ").append("(pinned)", DIM))
            continue
        lines.append(Text(f"    key {shoe.key.fingerprint} ").append("(not pinned)", DIM))
        lines.append(Text(f"    any key can call itself that{device.replace(' by', ' of')}: compare it with the", DIM))
        lines.append(Text("    shoe's own, then shoetool keys FILE --pin", DIM))
    return lines
