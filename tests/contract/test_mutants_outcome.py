"""`make mutants`: a test that fails or hangs kills, and so does a failed import; any other end is an error."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "mutants"
sys.path.append(str(FOLDER))

from outcome import KILLS, NOT_IMPORTED  # noqa: E402

RUN = """\
import sys
sys.path[:0] = [{folder!r}, "host_tools"]
import pytest
from outcome import Chosen
chosen = Chosen({{"test_it.py::test_it": 0.1}})
code = pytest.main(["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "test_it.py", *{more!r}], [chosen])
sys.exit(chosen.outcome(code))
"""
TEST = "from module import answer\ndef test_it(): assert answer() == 42\n"
GOOD = "def answer(): return 42\n"


def ended(tmp_path: Path, module: str, test: str = TEST, *more: str) -> int:
    (tmp_path / "host_tools").mkdir()
    (tmp_path / "host_tools" / "module.py").write_text(module)
    (tmp_path / "test_it.py").write_text(test)
    program = RUN.format(folder=str(FOLDER), more=more)
    return subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False).returncode


@pytest.mark.parametrize(
    ("module", "code"),
    [
        (GOOD, 0),
        ("def answer(): return 41\n", 1),
        ("def answer(): raise MemoryError\n", 1),
        ("raise ValueError\n", NOT_IMPORTED),
        ("import nothing_of_this_name\n", NOT_IMPORTED),
        ("def answers(): return 42\n", NOT_IMPORTED),  # the test misses a name of it
    ],
)
def test_a_failing_test_and_a_module_that_cannot_be_imported_kill(tmp_path: Path, module: str, code: int) -> None:
    assert ended(tmp_path, module) == code
    assert (code in KILLS) == (code != 0)


def test_a_value_that_a_test_cannot_use_when_it_is_collected_kills(tmp_path: Path) -> None:
    at_once = "import module\nmodule.answer()\n" + TEST
    assert ended(tmp_path, "def answer(of_it): return 42\n", at_once) == NOT_IMPORTED


@pytest.mark.parametrize(
    ("test", "more", "code"),
    [
        ("import nothing_of_this_name\n", (), 2),  # as in a copy of the tree that lacks a file
        ("raise OSError(28, 'no space left on device')\n", (), 2),
        (TEST + "import os; os.kill(os.getpid(), 9)\n", (), -signal.SIGKILL),
        (TEST, ("--no-such-option",), 4),
        (TEST, ("no_such_test.py",), 4),
        ("def test_other(): pass\n", (), 5),
    ],
)
def test_what_is_no_failed_test_is_an_error_of_the_run(
    tmp_path: Path, test: str, more: tuple[str, ...], code: int
) -> None:
    assert ended(tmp_path, GOOD, test, *more) == code
    assert code not in KILLS


def test_a_test_that_hangs_kills() -> None:
    assert -signal.SIGALRM in KILLS
