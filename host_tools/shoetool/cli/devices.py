"""`shoetool devices`: the shoes on this machine's serial ports."""

from __future__ import annotations

import itertools

import click

from shoetool.cli.device import no_shoe, scan
from shoetool.cli.examples import examples
from shoetool.cli.exits import DEVICE_OR_LINK, FINE, one_line, say
from shoetool.cli.info import identity_document
from shoetool.cli.output import console, emit, json_option, print_table, progress
from shoetool.cli.port_search import ports_option
from shoetool.model.printable import clean
from shoetool.report.text_tables import headed


@click.command("devices", epilog=examples(("devices --all", ""), ("devices --ports vid=0403", "one kind of adapter")))
@click.option("--all", "every_port", is_flag=True, help="Show ports without a shoe too, and what is wrong there.")
@ports_option
@json_option
def command(every_port: bool, as_json: bool) -> int:
    """List the shoes that answer on this machine's serial ports.

    Every port is asked for its identity. Virtual shoes that `shoetool simulate --serve` keeps open are found too.
    Exits with code 3 when no shoe answers.
    """
    with progress("asking the ports", "ports") as advance:
        tried = itertools.count(1)
        found = scan(lambda port: advance(next(tried), None))
    shoes = [one for one in found if one.identity is not None]
    others = [one for one in found if one.identity is None]
    if as_json:
        emit(
            "devices",
            {
                "devices": [{"port": one.port, **identity_document(one.identity)} for one in shoes if one.identity],
                "others": [{"port": one.port, "problem": one_line(one.problem or "")} for one in others],
            },
        )
    else:
        table = headed("port", "device", "board", "firmware", "protocol")
        for one in shoes:
            if (who := one.identity) is not None:
                version = f"{who.major}.{who.minor}"
                table.add_row(one.port, who.device.hex(), clean(who.board), who.firmware_text, version)
        out = console()
        if shoes:
            print_table(out, table)
        if every_port:
            for one in others:
                out.print(f"{one.port}: {one_line(one.problem or 'no shoe')}")
    if not shoes:
        say(no_shoe(others))
        return DEVICE_OR_LINK
    return FINE
