"""--ports: which ports a search for shoes and boards asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from shoetool.cli.completion import beginning
from shoetool.link.port_filter import KEYS, PortFilter
from shoetool.model.errors import BadInput

F = TypeVar("F", bound=Callable[..., Any])
FILTER_VARIABLE: Final = "SHOETOOL_PORTS"
_FILTER: Final = "shoetool.ports"


def ports_option(command: F) -> F:
    """Add --ports to a command that may search for a shoe or a board: which ports are asked."""
    return click.option(
        "--ports",
        multiple=True,
        metavar="FILTER",
        envvar=FILTER_VARIABLE,
        expose_value=False,
        callback=_keep_filter,
        shell_complete=lambda *words: beginning([f"{key}{sign}" for key in KEYS for sign in ("=", "!=")], words[2]),
        help="Search these ports only: vid=HEX, pid=HEX, name=TEXT or serial=TEXT; with != all but these. "
        "May be repeated.",
    )(command)


def _keep_filter(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> None:
    try:
        context.find_root().meta[_FILTER] = PortFilter.parse(texts)
    except BadInput as error:
        raise click.BadParameter(str(error), context, option) from None


def port_filter() -> PortFilter:
    """Return what --ports of the running command chooses; without it every port."""
    context = click.get_current_context(silent=True)
    chosen: PortFilter | None = None if context is None else context.find_root().meta.get(_FILTER)
    return chosen or PortFilter()
