"""The power fails at a call of one function: what a test of power cuts puts in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class Stopped(BaseException):
    """The power fails."""


@contextmanager
def stopped_at(owner: Any, name: str, at: int, late: bool) -> Iterator[list[None]]:
    """Let call number `at` of `owner.name` stop everything: before its work is done, or with `late` after it.

    Yields a list with a place for each call that came: the fault fired when it has `at` of them.
    """
    right, calls = getattr(owner, name), []

    def step(*arguments: Any) -> Any:
        calls.append(None)
        if len(calls) != at:
            return right(*arguments)
        if late:
            right(*arguments)
        raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, step)
        yield calls
