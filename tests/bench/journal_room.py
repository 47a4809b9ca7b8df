"""Flash that a shoe takes: deals six- and eight-deck shoes with few and many players and measures their pages.

`python tests/bench/journal_room.py`. From it follow SHOE_PAGES of shoe/journal/journal.py (the most that one shoe may
take), the pages that 100 shoes of 416 cards need, and how many shoes the flash of an RP2040 board holds as it is laid
out.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("host_tools", "tests", "tests/e2e", "firmware", "firmware/tools", "board")
sys.path[0:0] = [str(ROOT / name) for name in FOLDERS]

from deal_table import table  # noqa: E402
from pico.root import plan  # noqa: E402
from shoesim.scenario import Scenario  # noqa: E402
from shoetool.model.protocol_table import PAGE_SIZE  # noqa: E402

from build import build  # noqa: E402

STORAGES = {"2 MB": 352, "16 MB": 3840}  # pages that MicroPython leaves to files
KEPT_FREE = 8  # pages, SHOE_PAGES of shoe/journal/journal.py


def main() -> int:
    build()
    most = 0
    for players in ((1, 1), (4, 7), (7, 7)):
        with tempfile.TemporaryDirectory() as folder:
            scenario = Scenario(decks=8, seed=3, players=players, shoes=2)
            with table(scenario, Path(folder), "amd64") as shoe:
                shoe.deal()
                rows = [row for row in shoe.client.history_list() if row.shoe > 0]
        for row in rows:
            pages = row.pages
            most = max(most, pages)
            print(
                f"8 decks, {players[0]} to {players[1]} players: shoe {row.shoe}: {row.records} records, "
                f"{pages} pages of {PAGE_SIZE} bytes; 100 such shoes take {100 * pages} pages"
            )
    for name, storage in STORAGES.items():
        journal = plan(storage)[4]
        print(f"RP2040 with {name}: journal of {journal} pages, {(journal - KEPT_FREE) // most} shoes of {most} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
