"""`shoetool dump`: the frames of a recorded line, for people, for programs and for Wireshark."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any, Final

import click

from shoetool.cli.examples import examples
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit_line
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.link.pcapng import PcapngWriter
from shoetool.link.pieces import LinePiece, line_pieces
from shoetool.link.recording import Direction, Recording
from shoetool.model.file_kinds import CAPTURE, DISSECTOR
from shoetool.model.naming import many
from shoetool.model.output_file import write_whole, writing_whole
from shoetool.model.printable import clean
from shoetool.model.times import utc_iso_us
from shoetool.model.version import version
from shoetool.wire.frames import BadFrame, Frame, StrayText
from shoetool.wire.messages import error_text
from shoetool.wire.told import Told, carried, tell

SIGNS: Final = {Direction.SENT: ">", Direction.CAME: "<", Direction.NOTE: "*"}
DIRECTIONS: Final = {Direction.SENT: "sent", Direction.CAME: "came"}
KINDS: Final = {"frame": "frame", "damaged": "damaged piece", "text": "text", "note": "note"}


@click.command(
    "dump",
    epilog=examples(
        ("dump night.shoelink", "a line for each frame"),
        ("dump night.shoelink --json | jq .message", "for programs"),
        ("dump night.shoelink --pcapng night.pcapng", "for Wireshark"),
        ("dump --dissector shoe.lua", "its dissector"),
    ),
)
@click.argument("recording", type=FILE, required=False)
@output_option("--pcapng", type=OutputFile(CAPTURE), metavar="FILE", help="Write a capture for Wireshark instead.")
@output_option(
    "--dissector", type=OutputFile(DISSECTOR), metavar="FILE", help="Write the dissector for Wireshark, in Lua."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document for each frame, one a line.")
def command(recording: Path | None, pcapng: Path | None, dissector: Path | None, as_json: bool) -> None:
    """Print what went over a line: each frame of a RECORDING (--record, *.shoelink) with its time and direction.

    Messages and fields have the names of firmware/PROTOCOL.md. What came between the frames and is none is told too:
    damaged frames, text, and what the recorder noted. > was sent to the shoe, < came from it, * is a note.

    Wireshark reads a capture with the same names once the dissector lies in its folder of personal Lua plugins (Help,
    About Wireshark, Folders). For tshark name it: tshark -X lua_script:shoe.lua -r night.pcapng
    """
    if as_json and (pcapng is not None or dissector is not None):
        raise click.UsageError("--json prints the frames; it does not go with a file to write")
    if dissector is not None:
        write_whole(dissector, (resources.files("shoetool") / "wireshark" / "shoe.lua").read_bytes(), DISSECTOR)
        console().print(f"{clean(str(dissector))}: put it into Wireshark's folder of personal Lua plugins")
        if recording is None:
            return
    if recording is None:
        raise click.UsageError("name a RECORDING to print, or --dissector FILE")
    source = Recording(recording)
    if pcapng is None:
        _print(source, as_json)
    else:
        _write(source, pcapng)


def _write(source: Recording, path: Path) -> None:
    """Write a capture, and say what it holds."""
    counts = Counter[str]()
    with writing_whole(path, CAPTURE) as file:
        name = clean(source.path.name)
        writer = PcapngWriter(file, source.began_us, f"shoetool {version()}", f"{name}, a recording of a shoe's line")
        for piece in line_pieces(source):
            writer.write(piece)
            counts[what(piece)] += 1
    told = [many(counts[kind], thing) for kind, thing in KINDS.items() if counts[kind]]
    console().print(f"{clean(str(path))}: {', '.join(told) or 'no packet'}")


def _print(source: Recording, as_json: bool) -> None:
    """Print each piece on a line."""
    reader = PieceReader()
    if as_json:
        for piece in line_pieces(source):
            emit_line("dump", {"time": time_of_day(source.began_us + piece.time_us), **reader.document(piece)})
        return
    began = time_of_day(source.began_us)
    click.echo(f"recording begun {began or 'at a time that is none'} by the computer's clock; times in seconds")
    for piece in line_pieces(source):
        click.echo(clean(f"{piece.time_us / 1e6:12.6f} {SIGNS[piece.direction]} {reader.text(piece)}"))


def what(piece: LinePiece) -> str:
    """Return what a piece is: frame, damaged, text or note."""
    match piece.item:
        case Frame():
            return "frame"
        case BadFrame():
            return "damaged"
        case StrayText():
            return "text"
        case _:
            return "note"


def time_of_day(us: int) -> str | None:
    """Return µs since 1970 as ISO 8601 in UTC; None where that is no time."""
    try:
        return utc_iso_us(us)
    except OverflowError:
        return None


class PieceReader:
    """Tells the pieces of a line, in their order: what `privileged` carried names its answer."""

    def __init__(self) -> None:
        self._carried: dict[int, int] = {}

    def text(self, piece: LinePiece) -> str:
        """Return one line about a piece."""
        match piece.item:
            case Frame() as frame:
                told = self._tell(frame)
                refused = f": {refusal(told)}" if told.name == "error" and not told.problem else ""
                return f"{told.text()}{refused}  [epoch {frame.epoch}, sequence {frame.sequence}]"
            case BadFrame() as bad:
                return f"damaged ({bad.status.value}{', goes on' if piece.more else ''}) {bad.raw.hex(' ')}"
            case StrayText() as stray:
                return f"text {stray.text!r}"
            case note:
                return note

    def document(self, piece: LinePiece) -> dict[str, Any]:
        """Return a piece with JSON types only."""
        kind = what(piece)
        out: dict[str, Any] = {"time_us": piece.time_us, "direction": DIRECTIONS.get(piece.direction), "what": kind}
        match piece.item:
            case Frame() as frame:
                told = self._tell(frame).to_json()
                header = {"protocol": f"{frame.major}.{frame.version & 15}", "kind": frame.kind, "epoch": frame.epoch}
                return out | header | {"sequence": frame.sequence, "message": told.pop("name"), **told}
            case BadFrame() as bad:
                damage = {"status": bad.status.value, "bytes": bad.raw.hex(), "more": piece.more}
                return out | damage | {"texts": list(bad.texts)}
            case StrayText() as stray:
                return out | {"text": stray.text}
            case note:
                return out | {"text": note}

    def _tell(self, frame: Frame) -> Told:
        told = tell(frame, self._carried.get(frame.sequence))
        if (kind := carried(frame)) is not None:
            self._carried[frame.sequence] = kind
        return told


def refusal(told: Told) -> str:
    """Return an error in a sentence."""
    return error_text(*(told.fields[name] for name in ("request", "code", "detail")))
