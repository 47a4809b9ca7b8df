"""Before the first test: compile the firmware for MicroPython, so that no test runs modules older than their source."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from chapters_played import Played
from hypothesis import settings
from started_programs import watch

# The same examples in every run of the suite; `make soak` looks for ten times as many, from a seed that it prints.
settings.register_profile("suite", derandomize=True, database=None, deadline=None, max_examples=30)
settings.register_profile("soak", database=None, deadline=None, print_blob=True, max_examples=300)
settings.load_profile("suite")

# jsonschema would build the grammars of formats that no schema of ours has, for seconds in each worker.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # an import of it fails, which jsonschema expects

BUILD = Path(__file__).resolve().parents[1] / "firmware" / "tools" / "build.py"


def pytest_configure(config: pytest.Config) -> None:
    watch(config)
    if not hasattr(config, "workerinput"):  # once, not in every worker
        subprocess.run([sys.executable, str(BUILD)], check=True, capture_output=True)
    config.pluginmanager.register(Played(), "played")  # `-p no:played` leaves it out: it watches only the sources


MadeOnce = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """`made_once(name, make)`: a folder that `make(folder)` fills, once for all test processes of this run."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def once(name: str, make: Callable[[Path], object]) -> Path:
        done = shared / f"once-{name}" / "done"
        done.parent.mkdir(exist_ok=True)
        with (done.parent / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                begun = done.with_name("begun")
                shutil.rmtree(begun, ignore_errors=True)
                begun.mkdir()
                make(begun)
                begun.rename(done)
        return done

    return once


@pytest.fixture(autouse=True, scope="session")
def _a_state_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The virtual shoes of other processes, and the keys that somebody pinned here, are none of the tests' business."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("SHOETOOL_KEYS", str(tmp_path_factory.mktemp("keys")))
        yield


@pytest.fixture(scope="session")
def _keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(autouse=True)
def _keys_of_their_own(_keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pins, and what was verified or fetched before, are those of one test."""
    monkeypatch.setenv("SHOETOOL_KEYS", str(_keys / uuid4().hex))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("begins_first") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected lives to the end: looking through it for garbage, again and again as it grows, finds none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def _only_a_modules_own_garbage() -> Iterator[None]:
    """Keep what was there before out of garbage collections.

    The firmware collects at each start and before rare work, as a small heap asks for; in the process of a test run
    that would look through everything ever imported, hundreds of times.
    """
    gc.freeze()
    yield
    gc.collect()  # what was there before stays frozen, so that this looks at what the module leaves
