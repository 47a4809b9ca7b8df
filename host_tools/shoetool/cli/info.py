"""`shoetool info`: what a shoe is and how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import clean
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import Lamp, ShoeKind
from shoetool.report.sentences import fault_sentence, many
from shoetool.wire.answers import Identity, ShoeEntry, Status


@click.command("info", epilog=examples("info --port /dev/ttyACM0"))
@port_options
@json_option
def command(port: str | None, record: Path | None, as_json: bool) -> None:
    """Show a shoe's identity, state and the histories in its journal.

    The state names what the shoe waits for, the latched fault with what to do about it, and how many cards are out of
    each side.
    """
    with connected(port, record) as client:
        identity, status, shoes = client.identify(), client.status(), client.history_list()
        try:
            double = client.config_read().get("shoe_kind") != ShoeKind.SINGLE
        except LinkError:  # a recording of an info that did not ask
            double = True
    if as_json:
        emit(
            "info",
            {
                "identity": identity_document(identity),
                "status": status_document(status),
                "histories": [shoe_document(shoe) for shoe in shoes],
            },
        )
        return
    out = console()
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column()
    rows.add_row("device", f"{identity.device.hex()} ({clean(identity.board)})")
    rows.add_row("firmware", f"{identity.firmware_text}, protocol {identity.major}.{identity.minor}")
    rows.add_row("boot", f"{identity.boot}, epoch {identity.epoch}")
    rows.add_row("phase", status.phase_name.replace("_", " "))
    rows.add_row("round", str(status.round) if status.round else "none yet")
    lamps = [name.replace("deal a", "deal A").replace("deal b", "deal B") for name in lit(status.lamps)]
    rows.add_row("lamps", ", ".join(lamps) or "none")
    rows.add_row("fault", fault_sentence(status.fault, status.fault_head) if status.fault else "none")
    both = f"side A {status.drawn_a}, side B {status.drawn_b}"
    rows.add_row("drawn", both if double else many(status.drawn_a, "card"))
    rows.add_row("journal", f"records up to {status.next_record - 1}" if status.next_record else "empty")
    print_table(out, rows)
    if shoes:
        print_table(out, histories_table(shoes))
    else:
        out.print("no histories yet")


def lit(mask: int) -> list[str]:
    """Return the names of the lamps that are on."""
    return [lamp.name.lower().replace("_", " ") for lamp in Lamp if mask >> lamp & 1]


def identity_document(identity: Identity) -> dict[str, Any]:
    """Return an identity with JSON types only."""
    return {
        "device": identity.device.hex(),
        "board": clean(identity.board),
        "firmware": identity.firmware_text,
        "protocol": f"{identity.major}.{identity.minor}",
        "boot": identity.boot,
        "epoch": identity.epoch,
    }


def status_document(status: Status) -> dict[str, Any]:
    """Return a status with JSON types only."""
    return {
        "phase": status.phase_name,
        "fault": status.fault_name,
        "fault_head": status.fault_head if status.fault else None,
        "lamps": lit(status.lamps),
        "round": status.round,
        "shoe": status.shoe,
        "next_record": status.next_record,
        "durable_record": status.durable_record,
        "ticks_ms": status.ticks_ms,
        "drawn": [status.drawn_a, status.drawn_b],
        "heap_free": status.heap_free,
    }


def shoe_document(shoe: ShoeEntry) -> dict[str, Any]:
    """Return a history's line of the journal with JSON types only."""
    return {
        "shoe": shoe.shoe,
        "first_page": shoe.first_page,
        "pages": shoe.pages,
        "first_record": shoe.first_record,
        "records": shoe.records,
        "closed": shoe.closed,
        "fetched": shoe.fetched,
    }


def histories_table(shoes: list[ShoeEntry]) -> Table:
    """Return the histories of a journal as a table."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("shoe", "records", "pages"):
        table.add_column(heading, justify="right")
    table.add_column("state")
    table.add_column("fetched")
    for shoe in shoes:
        state = "start, no cards" if shoe.shoe == 0 else "closed" if shoe.closed else "open"
        table.add_row(str(shoe.shoe), str(shoe.records), str(shoe.pages), state, "yes" if shoe.fetched else "no")
    return table
