"""The version of shoetool, as the installed package names it."""

from __future__ import annotations

import importlib.metadata


def version() -> str:
    """Return the installed version; a tree that was never installed has none and says so."""
    try:
        return importlib.metadata.version("shoetool")
    except importlib.metadata.PackageNotFoundError:
        return "0+not-installed"
