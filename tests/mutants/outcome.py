"""How the tests of a mutant end: a plugin of pytest that runs them, and what its exit code says.

Killed is a mutant that a test failed on, that a test hung on, or whose module cannot be imported any more. Everything
else that is no success (a broken collection, wrong options, an error of pytest, no test found, the end of the process)
says nothing of the tests: it is an error of the run.
"""

from __future__ import annotations

import signal
import traceback
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

# A test that takes this many times as long as without a fault, and these seconds more, hangs: the mutant is killed.
LATE = 10
LATE_S = 15
COLLECTED_S = 120
NOT_IMPORTED: Final = 64
"""Exit code: a module of the project cannot be imported. Pytest has none for it."""
PROJECT: Final = ("host_tools", "firmware", "board")
VALUES: Final = (TypeError, ValueError, LookupError, AttributeError, AssertionError)
KILLS: Final = frozenset((int(pytest.ExitCode.TESTS_FAILED), NOT_IMPORTED, -signal.SIGALRM))


class Chosen:
    """A plugin of pytest that runs these tests alone, in their order, and ends the process when one hangs."""

    def __init__(self, tests: dict[str, float]) -> None:
        self._tests = tests
        self._code = [Path.cwd() / folder for folder in PROJECT]
        self._failed = self._imported_not = False
        self._order = {test: at for at, test in enumerate(tests)}
        signal.alarm(COLLECTED_S)

    def pytest_collection(self) -> None:
        # An example that fails is enough. tests/conftest.py has chosen the profile by now.
        settings.register_profile("mutants", settings(), phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(LATE_S + int(LATE * self._tests[nodeid]))

    def pytest_sessionfinish(self) -> None:
        signal.alarm(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def pytest_exception_interact(self, call: pytest.CallInfo[Any], report: Any) -> None:
        if isinstance(report, pytest.CollectReport) and call.excinfo is not None:
            self._imported_not = self._imported_not or self._of_the_project(call.excinfo.value)

    def _of_the_project(self, error: BaseException | None) -> bool:
        """Whether the error of a collection came out of a module of the project, or is a name that one lacks, or a
        value that does not fit: without a fault the tests were collected."""
        while error is not None:
            if isinstance(error, VALUES):
                return True
            files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
            lacking = error.path if isinstance(error, ImportError) else None
            if any(Path(one).is_relative_to(folder) for one in (*files, lacking) if one for folder in self._code):
                return True
            error = error.__cause__ or error.__context__
        return False

    def outcome(self, code: int) -> int:
        """The exit code for what happened: pytest's own does not tell a failed test from a failed collection."""
        if self._failed:
            return int(pytest.ExitCode.TESTS_FAILED)
        if self._imported_not:
            return NOT_IMPORTED
        return int(pytest.ExitCode.INTERRUPTED if code == pytest.ExitCode.TESTS_FAILED else code)
