"""`shoetool trace`: show the raw edges of the last passes, as text, drawn, or for a viewer of waveforms."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PNG, SVG, WAVES
from shoetool.model.output_file import write_whole
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Error, Pass
from shoetool.model.version import version
from shoetool.report.sentences import side_name, words
from shoetool.report.waveform import duration_us, waveform
from shoetool.wire.answers import TracePass

PICTURES: Final = {".svg": SVG, ".png": PNG}


@click.command(
    "trace",
    epilog=examples(
        ("trace --last 3 --json", "edges as numbers"),
        ("trace --plot pass.svg", "lines, bits, speed, margins"),
        ("trace --last 6 --plot pass.png", "pass-0.png is the newest"),
        ("trace --last 6 --vcd passes.vcd", "for PulseView or GTKWave"),
    ),
)
@click.option(
    "--last", type=click.IntRange(1, 255), default=1, show_default=True, help="How many passes, newest first."
)
@output_option(
    "--plot", type=OutputFile(*PICTURES.values()), metavar="FILE", help="Draw each pass in a *.svg or *.png file."
)
@output_option(
    "--vcd", type=OutputFile(WAVES), metavar="FILE", help="Write the edges of all passes as a value change dump."
)
@port_options
@json_option
def command(
    last: int, plot: Path | None, vcd: Path | None, port: str | None, record: Path | None, as_json: bool
) -> None:
    """Show what the read heads saw in the last passes, edge by edge, as on an oscilloscope.

    A drawing has the four lines of the head over time with the bits that they give, and over the place on the card its
    speed and the margins: how far clock lines and DATA were from a misreading. With --last 2 or more each pass has a
    file of its own, which ends in the number of the pass: 0 is the newest. A value change dump (IEEE 1364) has the same
    edges in µs, with a scope for each pass, which begins at 0.

    The shoe keeps no trace of a card that lies face down.
    """
    if plot is not None:
        if plot.suffix.lower() not in PICTURES:
            raise BadInput(f"{plot}: a drawing is a {' or '.join(PICTURES)} file")
        from shoetool.report.pass_plot import pass_picture  # an extra installs what draws, and it is slow to load
    if vcd is not None:
        from shoetool.report.pass_vcd import passes_vcd  # as above

    passes: list[TracePass] = []
    with connected(port, record) as client, progress("reading traces", "passes") as advance:
        for index in range(last):
            one = read_pass(client, index)
            if one is None:
                break
            passes.append(one)
            advance(len(passes), last)
    files: list[Path] = []
    if plot is not None:
        for one in passes:
            files.append(plot if last == 1 else plot.with_stem(f"{plot.stem}-{one.index}"))
            form = plot.suffix.lower()
            write_whole(files[-1], pass_picture(one, form[1:]), PICTURES[form])
    if vcd is not None and passes:
        files.append(vcd)
        write_whole(vcd, passes_vcd(passes, f"shoetool {version()}"), WAVES)
    if as_json:
        emit("trace", {"passes": [pass_document(one) for one in passes], "files": [str(path) for path in files]})
        return
    out = console()
    if not passes:
        out.print("the shoe holds no traces")
    for one in passes:
        kind = words(Pass, one.kind)
        time_ms = duration_us(one.edges) / 1000
        out.print(f"pass {one.index} · {side_name(one.head)} · {kind} · {len(one.edges)} edges in {time_ms:.1f} ms")
        for row in [] if files else waveform(one.edges, min(out.width, 120)):
            out.print(row)
    for path in files:
        out.print(clean(str(path)))


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
