"""Pages of HTML that need no network: a case and a night, drawn from their words."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shoetool.case.told import Told
from shoetool.case.told_night import NightTold


def case_page(told: Told, made: str, version: str) -> str:
    """Return the page of a case. made: when, with its zone; version: of the tool that made it."""
    return _draw("case.html", made, version, case=told)


def night_page(told: NightTold, made: str, version: str) -> str:
    """Return the page of a night. It has one script of its own, and allows no other by its hash."""
    script = resources.files("shoetool.case").joinpath("templates", "night.js").read_text(encoding="utf-8")
    allowed = f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"
    return _draw("night.html", made, version, night=told, script=Markup(script), script_hash=Markup(allowed))


def _draw(name: str, made: str, version: str, **words: object) -> str:
    page = _environment().get_template(name)
    return page.render(made=made, version=version, **words)


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
