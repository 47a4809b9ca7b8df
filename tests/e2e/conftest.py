"""Some end-to-end tests use the board in memory and the drawn cards of the firmware's own tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "firmware"))
