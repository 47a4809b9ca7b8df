"""The table that the case modules fill: a check, a verdict, and the shortest history that gives just that."""

from __future__ import annotations

from collections.abc import Callable

from short_shoe import Short

Case = Callable[[], Short]
CASES: list[tuple[str, str, Case]] = []


def case(check: str, verdict: str) -> Callable[[Case], Case]:
    """Enter the decorated maker of a short history for `check` and `verdict`."""

    def note(function: Case) -> Case:
        CASES.append((check, verdict, function))
        return function

    return note
