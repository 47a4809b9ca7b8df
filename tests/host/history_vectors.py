"""Write the history fixtures of tests/vectors/history anew: `python tests/host/history_vectors.py`.

Each is a small `*.shoelog` and, beside it, the report that verify must give. They pin format and verdicts: a change of
either shows as a changed fixture.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "host")]

from dealer_script import Dealer, Table  # noqa: E402
from shoetool.model.protocol_table import Game, ShoeKind  # noqa: E402
from shoetool.verify import verify  # noqa: E402

FOLDER = ROOT / "tests" / "vectors" / "history"
MADE: dict[str, tuple[Table, int, str, int]] = {
    "clean_single": (Table(seats=0b1001), 3, "", 3),
    "clean_double": (Table(kind=ShoeKind.DOUBLE, decks=8, seats=0b11), 4, "", 3),
    "planted_dealer_short": (Table(seats=0b111), 6, "dealer_stops_short", 4),
    "planted_wrong_side": (Table(kind=ShoeKind.DOUBLE, decks=8, seats=0b111), 5, "wrong_side", 3),
    "planted_second_ten": (Table(game=Game.SPANISH_21, seats=0b11), 1, "second_ten", 3),
}


def report_of(path: Path) -> dict[str, Any]:
    """The report as it is kept beside the file."""
    return verify(path).to_json()


def write(folder: Path) -> None:
    """Write every fixture into a folder."""
    for name, (table, seed, plant, most) in MADE.items():
        path = folder / f"{name}.shoelog"
        path.unlink(missing_ok=True)
        Dealer(table, seed, plant).play_shoe(most).write(path)
        text = json.dumps(report_of(path), indent=1, ensure_ascii=False)
        path.with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    write(FOLDER)
