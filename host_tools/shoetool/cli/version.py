"""The version of shoetool, as the installed package names it."""

from __future__ import annotations

import importlib.metadata


def version() -> str:
    """Return the installed version, or a text that says that the package was never installed."""
    try:
        return importlib.metadata.version("shoetool")
    except importlib.metadata.PackageNotFoundError:
        return "0+not-installed"
