"""`shoetool trace`: show the raw edges of the last passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.protocol_table import Error, Pass
from shoetool.report.sentences import side_name, words
from shoetool.report.waveform import duration_us, waveform
from shoetool.wire.answers import TracePass


@click.command("trace", epilog=examples("trace --last 3 --json"))
@click.option(
    "--last", type=click.IntRange(1, 255), default=1, show_default=True, help="How many passes, newest first."
)
@port_options
@json_option
def command(last: int, port: str | None, record: Path | None, as_json: bool) -> None:
    """Show what the read heads saw in the last passes, edge by edge, as on an oscilloscope.

    The shoe keeps no trace of a card that lies face down.
    """
    passes: list[TracePass] = []
    with connected(port, record) as client, progress("reading traces", "passes") as advance:
        for index in range(last):
            one = read_pass(client, index)
            if one is None:
                break
            passes.append(one)
            advance(len(passes), last)
    if as_json:
        emit("trace", {"passes": [pass_document(one) for one in passes]})
        return
    out = console()
    if not passes:
        out.print("the shoe holds no traces")
    for one in passes:
        kind = words(Pass, one.kind)
        time_ms = duration_us(one.edges) / 1000
        out.print(f"pass {one.index} · {side_name(one.head)} · {kind} · {len(one.edges)} edges in {time_ms:.1f} ms")
        for row in waveform(one.edges, min(out.width, 120)):
            out.print(row)


def read_pass(client: Client, index: int) -> TracePass | None:
    """Return one pass; 0 is the newest. None when the shoe has no such pass, however it reports that."""
    try:
        return client.trace(index)
    except Refused as refused:
        if refused.code == Error.BAD_VALUE:
            return None
        raise


def pass_document(one: TracePass) -> dict[str, Any]:
    """Return a trace, with JSON types only. Each edge is [µs since the edge before, lines after it]."""
    return {
        "index": one.index,
        "head": one.head,
        "kind": words(Pass, one.kind),
        "edges": [list(edge) for edge in one.edges],
    }
