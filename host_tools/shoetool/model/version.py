"""The version of shoetool, as the installed package names it."""

from __future__ import annotations


def version() -> str:
    """Return the installed version, or a text that says that the package was never installed."""
    import importlib.metadata  # here, because it takes a while and most commands print no version

    try:
        return importlib.metadata.version("shoetool")
    except importlib.metadata.PackageNotFoundError:
        return "0+not-installed"
