"""What one part of the host tool hands to another is a value: it has its declared fields and does not change."""

from __future__ import annotations

import dataclasses
import pkgutil
from importlib import import_module
from typing import Any

import pytest

PACKAGES = ("rules", "deal", "settle", "round_file", "judge", "verify")
# What a loop fills while it reads, and nobody else keeps; the round that is being played.
CHANGES = {"Due", "Report", "Summary", "Recorded", "Waiting", "BoxState", "HandState", "PlayState", "_Listed"}


def classes(package: str) -> list[type[Any]]:
    """The dataclasses of a package."""
    root = import_module(f"shoetool.{package}")
    modules = [import_module(one.name) for one in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")]
    return [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and dataclasses.is_dataclass(one) and one.__module__ == module.__name__
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_value_cannot_be_changed(package: str) -> None:
    found = [one for one in classes(package) if one.__name__ not in CHANGES]
    assert found
    assert [one.__name__ for one in found if not one.__dataclass_params__.frozen] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_value_takes_no_field_that_it_does_not_declare(package: str) -> None:
    assert [one.__name__ for one in classes(package) if "__slots__" not in vars(one)] == []
