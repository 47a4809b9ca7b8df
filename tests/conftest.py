"""Before the first test: compile the firmware for MicroPython, so that no test runs modules older than their source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[1] / "firmware" / "build.py"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, not in every worker
        subprocess.run([sys.executable, str(BUILD)], check=True, capture_output=True)
