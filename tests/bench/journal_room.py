"""Flash that a shoe takes: deals six- and eight-deck shoes with few and many players and measures their pages.

`python tests/bench/journal_room.py`. From it follow SHOE_PAGES of shoe/journal.py (the most that one shoe may take) and
the pages that 100 shoes of 416 cards need.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "e2e"), str(ROOT / "firmware")]

from deal_table import table  # noqa: E402
from shoetool.model.protocol_table import PAGE_SIZE  # noqa: E402
from shoetool.simulate.scenario import Scenario  # noqa: E402

from build import build  # noqa: E402


def main() -> int:
    build()
    for players in ((1, 1), (4, 7), (7, 7)):
        with tempfile.TemporaryDirectory() as folder:
            scenario = Scenario(decks=8, seed=3, players=players, shoes=2)
            with table(scenario, Path(folder), "amd64") as shoe:
                shoe.deal()
                rows = [row for row in shoe.client.history_list() if row.shoe > 0]
        for row in rows:
            pages = row.pages
            print(
                f"8 decks, {players[0]} to {players[1]} players: shoe {row.shoe}: {row.records} records, "
                f"{pages} pages of {PAGE_SIZE} bytes; 100 such shoes take {100 * pages} pages"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
