"""Write WIRING.md, wiring.svg and shoe.net, or with --check compare them with what would be written.

Exit code 1: something is wrong, and a line on standard error says what.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from wiring.checks import findings
from wiring.data import HERE, Wiring, WiringError, load
from wiring.diagram import svg
from wiring.kicad import netlist
from wiring.page import page


def written(wiring: Wiring) -> dict[Path, str]:
    """The files that are written, and their text."""
    return {HERE / "WIRING.md": page(wiring), HERE / "wiring.svg": svg(wiring), HERE / "shoe.net": netlist(wiring)}


def main(check: bool) -> int:
    """Do it; print one line for everything that is wrong."""
    try:
        wiring = load()
        wrong = findings(wiring)
        if not wrong:
            for path, text in written(wiring).items():
                if not check:
                    path.write_text(text, encoding="utf-8")
                elif not path.exists() or path.read_text(encoding="utf-8") != text:
                    wrong.append(f"board/wiring/{path.name} is behind pins.py or parts.toml: run make wiring")
    except WiringError as error:
        wrong = [str(error)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m wiring", description="Write WIRING.md, wiring.svg and shoe.net.")
    parser.add_argument("--check", action="store_true", help="compare them with what would be written")
    sys.exit(main(parser.parse_args().check))
