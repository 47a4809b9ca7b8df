"""Who runs which line, and how long each test takes: a plugin of pytest for a run without a fault."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage
from tests_of import Lines


class Watch:
    """A plugin of pytest that notes who runs each line: a test, or a file when it makes a fixture for its tests."""

    def __init__(self, modules: list[Path]) -> None:
        self._coverage = Coverage(data_file=None, config_file=False, include=[str(one.resolve()) for one in modules])
        self._coverage.start()
        self._who = ""
        self.seconds: Counter[str] = Counter()  # by who

    @contextmanager
    def _as(self, who: str) -> Iterator[None]:
        before, self._who = self._who, who
        self._coverage.switch_context(who)
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[who] += time.perf_counter() - began
            self._who = before
            self._coverage.switch_context(before)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        with self._as(item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        with self._as(self._who if fixturedef.scope == "function" else request.node.nodeid):
            return (yield)

    def lines(self) -> Lines:
        """Who ran each line of each module, the modules by their path from the project's folder."""
        self._coverage.stop()
        data = self._coverage.get_data()
        here = Path().resolve()
        return {
            Path(file).relative_to(here).as_posix(): data.contexts_by_lineno(file) for file in data.measured_files()
        }
