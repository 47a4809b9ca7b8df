"""A case as one HTML page that needs no network: `case.html` with the words of `told`."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from shoetool.case.told import Told


def case_page(told: Told, made: datetime, version: str) -> str:
    """Return the page. made: when, with its zone; version: of the tool that made it."""
    page = _environment().get_template("case.html")
    return page.render(case=told, made=made.isoformat(sep=" ", timespec="seconds"), version=version)


@cache
def _environment() -> Environment:
    """Whatever comes from a file is escaped, and a name that the template gets wrong is an error."""
    return Environment(
        loader=PackageLoader("shoetool.case"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
