"""A plugin for pytest: tests/hil finds a stand-in where it looks for the ports of a real bench, and keeps its time."""

from __future__ import annotations

import os
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import serial
from rig.real import RealShoe
from stand_in_bench import StandInBench, compiled_once

STIMULUS = "stand-in"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory()
    early_config.add_cleanup(folder.cleanup)
    os.environ.update(compiled_once(folder.name))
    stand_in = StandInBench(Path(folder.name)).__enter__()
    early_config.add_cleanup(lambda: stand_in.__exit__(None, None, None))
    opened = serial.Serial

    def port(name: str | None = None, *rest: Any, **more: Any) -> Any:
        return nullcontext(stand_in) if name == STIMULUS else opened(name, *rest, **more)

    serial.Serial = port
    assert RealShoe.__init__.__kwdefaults__ is not None
    RealShoe.__init__.__kwdefaults__["clock"] = stand_in
    os.environ.update(HIL_PORT=str(stand_in.link), HIL_STIMULUS=STIMULUS)
