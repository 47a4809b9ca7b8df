from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from board_parts import Parts


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    made = Parts(monkeypatch)
    yield made
    sys.modules.pop("pico.board", None)
