"""`shoetool info`: a shoe's identity, its state and its histories."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.client.authority import AuthorityState
from shoetool.client.client import Client
from shoetool.link.transport import EndOfRecording
from shoetool.model.margin import percent
from shoetool.model.naming import side_letter
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Authority, Head, Lamp, ShoeKind
from shoetool.report.sentences import fault_sentence, many, side_name
from shoetool.report.text_tables import headed
from shoetool.wire.answers import Identity, Levels, ShoeEntry, Status


@click.command("info", epilog=examples("info --port /dev/ttyUSB0"))
@port_options
@json_option
def command(port: str | None, record: Path | None, as_json: bool) -> None:
    """Show a shoe's identity, state and the histories in its journal.

    The state names what the shoe waits for, the latched fault and what to do about it, and how many cards were drawn
    from each side.
    """
    with connected(port, record) as client:
        identity, status, shoes = client.identify(), client.status(), client.history_list()
        try:
            double = client.config_read().get("shoe_kind") != ShoeKind.SINGLE
        except EndOfRecording:  # a recording in which nobody asked for it
            double = True
        try:
            authority = client.authority.state()
        except EndOfRecording:
            authority = None
        heads = [head for head in heads_of(client) if double or head.head != Head.SIDE_B]
    if as_json:
        emit(
            "info",
            {
                "identity": identity_document(identity),
                "status": status_document(status),
                "authority": None if authority is None else authority_document(authority),
                "heads": [head_document(head) for head in heads],
                "histories": [asdict(shoe) for shoe in shoes],
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
    if authority is not None:
        rows.add_row("commands", authority_sentence(authority))
    for head in heads:
        soon = ", CLEAN SOON: it fails at less (shoetool calibrate --show)" if head.clean_soon else ""
        rows.add_row(side_name(head.head), f"margin {percent(head.margin)}{soon}")
    both = f"side A {status.drawn_a}, side B {status.drawn_b}"
    rows.add_row("drawn", both if double else many(status.drawn_a, "card"))
    rows.add_row("journal", f"records up to {status.next_record - 1}" if status.next_record else "empty")
    print_table(out, rows)
    if shoes:
        print_table(out, histories_table(shoes))
    else:
        out.print("no histories yet")


def heads_of(client: Client) -> list[Levels]:
    """Return the levels of the heads that are there. Empty for an older firmware, or a recording without them."""
    found: list[Levels] = []
    try:
        for head in Head:
            levels = client.levels(head)
            if levels is None:
                break
            found.append(levels)
    except EndOfRecording:
        return []
    return found


def head_document(head: Levels) -> dict[str, Any]:
    """Return how far a read head is from a misreading, with JSON types only."""
    return {"side": side_letter(head.head), "margin": head.margin, "clean_soon": head.clean_soon}


def lit(mask: int) -> list[str]:
    """Return the names of the lamps that are on."""
    return [lamp.name.lower().replace("_", " ") for lamp in Lamp if mask >> lamp & 1]


def authority_sentence(authority: AuthorityState) -> str:
    """Return who may give commands, in words."""
    if authority.state == Authority.OPEN:
        return "OPEN: not provisioned, anyone on the line may change this shoe (shoetool provision)"
    if authority.state == Authority.DAMAGED:
        return "REFUSED: the stored key is damaged"
    said = f"need the key {authority.fingerprint.hex()}"
    if authority.failures:
        said += f"; {many(authority.failures, 'wrong key')} in a row"
    if authority.wait_ms:
        said += f", next try in {-(-authority.wait_ms // 1000)} s"
    return said + ("; an update is announced" if authority.announced else "")


def authority_document(authority: AuthorityState) -> dict[str, Any]:
    """Return who may give commands, with JSON types only."""
    return {
        "state": authority.state_name,
        "fingerprint": authority.fingerprint.hex() if authority.provisioned else None,
        "wait_ms": authority.wait_ms,
        "failures": authority.failures,
        "update_announced": authority.announced,
    }


def identity_document(identity: Identity) -> dict[str, Any]:
    """Return an identity, with JSON types only."""
    return {
        "device": identity.device.hex(),
        "board": clean(identity.board),
        "firmware": identity.firmware_text,
        "protocol": f"{identity.major}.{identity.minor}",
        "boot": identity.boot,
        "epoch": identity.epoch,
    }


def status_document(status: Status) -> dict[str, Any]:
    """Return a status, with JSON types only."""
    return {
        "phase": status.phase_name,
        "fault": status.fault_name,
        "fault_head": status.fault_head if status.fault else None,
        "lamps": lit(status.lamps),
        **{name: getattr(status, name) for name in ("round", "shoe", "next_record", "durable_record", "ticks_ms")},
        "drawn": [status.drawn_a, status.drawn_b],
        "heap_free": status.heap_free,
    }


def histories_table(shoes: list[ShoeEntry]) -> Table:
    """Return the histories of a journal as a table."""
    table = headed("shoe", "records", "pages", "state", "fetched")
    for column in table.columns[:3]:
        column.justify = "right"
    for shoe in shoes:
        state = "start, no cards" if shoe.shoe == 0 else "closed" if shoe.closed else "open"
        table.add_row(str(shoe.shoe), str(shoe.records), str(shoe.pages), state, "yes" if shoe.fetched else "no")
    return table
