"""Print a recording for people, with the same decoder as the live line: `python -m shoetool.link.dump FILE`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from shoetool.model.errors import BadInput, DeviceError, ShoetoolError
from shoetool.model.protocol_table import MessageKind
from shoetool.model.records import decode_record
from shoetool.wire.decoder import FrameDecoder, Item
from shoetool.wire.frames import BadFrame, Frame, StrayText
from shoetool.wire.messages import ANSWER, error_text, request_name, unpack

from .recording import Direction, read_recording

_SIGNS = {Direction.SENT: ">", Direction.CAME: "<"}


def describe(item: Item) -> str:
    """Return one line about a frame, a damaged frame or a piece of text."""
    match item:
        case StrayText():
            return f"text {item.text!r}"
        case BadFrame():
            return f"damaged ({item.status.value}) {item.raw.hex(' ')}"
        case Frame():
            return f"{_message(item)}  [epoch {item.epoch}, sequence {item.sequence}]"


def _message(frame: Frame) -> str:
    try:
        if frame.kind == MessageKind.LOG:
            return f"log {frame.payload.decode('utf-8', 'replace')!r}"
        if frame.kind == MessageKind.ERROR:
            return "error: " + error_text(*unpack(MessageKind.ERROR, "unasked", frame.payload).values())
        if frame.kind == MessageKind.EVENT:
            record = decode_record(*unpack(MessageKind.EVENT, "unasked", frame.payload).values())
            return f"event {record.number} {record.name} " + _fields(record.fields())
        if frame.kind >= ANSWER:
            kind = frame.kind - ANSWER
            return f"{request_name(kind)} answered " + _fields(unpack(kind, "answer", frame.payload))
        return f"{request_name(frame.kind)} " + _fields(unpack(frame.kind, "request", frame.payload))
    except (KeyError, DeviceError, BadInput):
        # From a newer minor version, or from a device that is no shoe.
        return f"kind {frame.kind} {frame.payload.hex(' ')}"


def _fields(fields: dict[str, int | bytes]) -> str:
    shown = (f"{name}={value.hex() if isinstance(value, bytes) else value}" for name, value in fields.items())
    return " ".join(shown)


def dump(path: Path) -> Iterator[str]:
    """Yield lines about a recording. BadInput when it is no recording."""
    decoders = {Direction.SENT: FrameDecoder(), Direction.CAME: FrameDecoder()}
    for direction, time_us, data in read_recording(path):
        when = f"{time_us / 1e6:12.6f}"
        if direction == Direction.NOTE:
            yield f"{when} * {data.decode('utf-8', 'replace')}"
        elif direction in decoders:
            way = Direction(direction)
            for item in decoders[way].feed(data):
                yield f"{when} {_SIGNS[way]} {describe(item)}"


def main(arguments: list[str]) -> int:
    """Print the named recordings. Return the exit code."""
    try:
        for name in arguments:
            for line in dump(Path(name)):
                print(line)
    except ShoetoolError as error:
        print(f"shoetool: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # Nobody reads the output now, so print no error, not even when the interpreter exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
