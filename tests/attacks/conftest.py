"""Shoes to attack: the whole firmware on the virtual board, provisioned through the client as a technician would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_shoe import Victim


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    """A provisioned shoe."""
    with Victim(tmp_path / "victim") as shoe:
        shoe.provision()
        yield shoe


@pytest.fixture
def spare(tmp_path: Path) -> Iterator[Victim]:
    """A second shoe that is not provisioned."""
    with Victim(tmp_path / "spare") as shoe:
        yield shoe
