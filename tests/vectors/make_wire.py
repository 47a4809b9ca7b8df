"""Write wire.json: one table of cases that drives the codec of the device and that of the host.

Frames are built here with `zlib.crc32` and a COBS of three lines, so that the table leans on neither codec under test.
Run `python tests/vectors/make_wire.py` after a change; a test says when wire.json is older than this file.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("wire.json")
VERSION = 0x14
MOST = 363

Expect = dict[str, Any]


def cobs(data: bytes) -> bytes:
    """COBS as its paper has it: every run up to a zero, or of 254 bytes, behind its length plus one."""
    out = b""
    runs = data.split(b"\0")
    for number, run in enumerate(runs):
        while len(run) > 254 or (len(run) == 254 and number == len(runs) - 1):
            out += b"\xff" + run[:254]
            run = run[254:]
            if not run and number == len(runs) - 1:
                return out
        if len(run) == 254:
            out += b"\xff" + run + b"\1"
        else:
            out += bytes([len(run) + 1]) + run
    return out


def covered(kind: int, epoch: int, sequence: int, payload: bytes, version: int = VERSION, length: int = -1) -> bytes:
    """Header, payload and CRC; `length` lies when it is given."""
    head = struct.pack("<BBHHH", version, kind, epoch, sequence, len(payload) if length < 0 else length)
    return head + payload + struct.pack("<I", zlib.crc32(head + payload))


def line(kind: int, epoch: int, sequence: int, payload: bytes = b"", **lies: int) -> bytes:
    """One frame as it stands on the line."""
    return b"\0" + cobs(covered(kind, epoch, sequence, payload, **lies)) + b"\0"


def frame(kind: int, epoch: int, sequence: int, payload: bytes = b"", version: int = VERSION) -> Expect:
    """What a codec makes of a good frame."""
    values = {"version": version, "kind": kind, "epoch": epoch, "sequence": sequence, "payload": payload.hex()}
    return {"status": "ok", **values}


def bad(status: str) -> Expect:
    """What a codec makes of a damaged one."""
    return {"status": status}


def text(value: str, status: str) -> Expect:
    """Text; the device, which has no notion of text, gives `status`."""
    return {"status": status, "text": value}


def sequence_with(wanted: str) -> int:
    """Smallest sequence number with which the CRC of an empty status request is as `wanted` says."""
    tests = {
        "zero": lambda crc: 0 in crc,
        "zeros": lambda crc: crc.count(0) >= 2,
        "last": lambda crc: crc[3] == 0,
        "three": lambda crc: 3 in crc,
    }
    for sequence in range(1 << 16):
        if tests[wanted](covered(2, 1, sequence, b"")[-4:]):
            return sequence
    raise AssertionError(wanted)


def cases() -> list[tuple[str, bytes, list[Expect]]]:
    """(name, bytes on the line, what comes out)."""
    status = line(2, 0x1234, 7)
    status_frame = frame(2, 0x1234, 7)
    ramp = bytes(range(256))
    full = (ramp * 2)[:MOST]
    dense = bytes([1 + i % 255 for i in range(MOST)])
    out: list[tuple[str, bytes, list[Expect]]] = [
        ("empty payload", status, [status_frame]),
        ("nothing at all", b"", []),
        ("delimiters only", b"\0" * 9, []),
        ("a request with a payload", line(12, 0xFFFF, 0xFFFF, b"\x0c\x00"), [frame(12, 0xFFFF, 0xFFFF, b"\x0c\x00")]),
        ("0x03 in header and payload", line(3, 3, 0x0303, b"\x03\x03"), [frame(3, 3, 0x0303, b"\x03\x03")]),
        ("zeros only in the payload", line(64, 1, 2, bytes(40)), [frame(64, 1, 2, bytes(40))]),
        ("every byte value", line(64, 1, 2, ramp), [frame(64, 1, 2, ramp)]),
        ("the longest payload", line(134, 1, 2, full), [frame(134, 1, 2, full)]),
        ("the longest payload without a zero", line(134, 1, 2, dense), [frame(134, 1, 2, dense)]),
    ]
    for size in (241, 242, 243, 244, 245, 246, 247, 253, 254, 255):
        # The CRC and header shift where the 254-byte blocks end, so all neighbours are tried.
        payload = dense[:size]
        out.append(
            (
                f"{size} bytes without a zero",
                line(0x55, 0x1111, 0x1111, payload),
                [frame(0x55, 0x1111, 0x1111, payload)],
            )
        )
    for wanted in ("zero", "zeros", "last", "three"):
        sequence = sequence_with(wanted)
        out.append((f"CRC with {wanted}", line(2, 1, sequence), [frame(2, 1, sequence)]))
    out += [
        ("noise first", b"\xff\xfe\x81\x42\x90" + status, [bad("truncated"), status_frame]),
        (
            "noise with zeros first",
            b"\x05\0\xe1\0\0\x02\x91" + status,
            [bad("truncated"), bad("truncated"), bad("short"), status_frame],
        ),
        ("text first", b"MPY: soft reboot\r\n" + status, [text("MPY: soft reboot\r\n", "truncated"), status_frame]),
        (
            "text between",
            status + b"Traceback:\n" + status,
            [status_frame, text("Traceback:\n", "truncated"), status_frame],
        ),
        (
            "text in another language",
            "Gerät bereit\n".encode() + status,
            [text("Gerät bereit\n", "truncated"), status_frame],
        ),
        ("text inside a frame", status[:6] + b"hello\n" + status[6:] + status, [bad("truncated"), status_frame]),
        (
            "a zero inside a frame",
            status[:8] + b"\0" + status[8:] + status,
            [bad("short"), bad("short"), status_frame],
        ),
        ("truncated in the CRC", status[:-3] + b"\0" + status, [bad("truncated"), status_frame]),
        ("cut off after the header", status[:9] + status, [bad("short"), status_frame]),
        (
            "whole blocks but too short",
            b"\0" + cobs(b"\x10\x02\x01\x00\x01") + b"\0" + status,
            [bad("short"), status_frame],
        ),
        ("an empty block", b"\0\x01\0" + status, [bad("short"), status_frame]),
        ("two frames glued by one delimiter", status + status[1:], [status_frame, status_frame]),
        ("two frames without a delimiter between", status[:-1] + status[1:] + status, [bad("length"), status_frame]),
        ("without a leading delimiter", status[1:], [status_frame]),
        ("length field too small", line(12, 1, 1, b"\x01\x02", length=1), [bad("length")]),
        ("length field too large", line(12, 1, 1, b"\x01\x02", length=3), [bad("length")]),
        ("length field huge", line(12, 1, 1, b"\x01\x02", length=0xFFFF) + status, [bad("length"), status_frame]),
        (
            "another major version is a frame",
            line(1, 0, 1, b"abcd", version=0x20),
            [frame(1, 0, 1, b"abcd", version=0x20)],
        ),
        (
            "a newer minor version is a frame",
            line(1, 0, 1, b"abcd", version=0x1F),
            [frame(1, 0, 1, b"abcd", version=0x1F)],
        ),
        ("an unknown kind is a frame", line(63, 9, 1, b"??"), [frame(63, 9, 1, b"??")]),
        ("one byte too long", line(64, 1, 2, full + b"x") + status, [bad("long"), status_frame]),
        ("a thousand bytes without a zero", b"\0" + b"\xfe" * 1000 + b"\0" + status, [bad("long"), status_frame]),
    ]
    for position, name in (
        (0, "version"),
        (1, "kind"),
        (2, "epoch"),
        (4, "sequence"),
        (8, "payload"),
        (-4, "CRC"),
        (-1, "end of the CRC"),
    ):
        damaged = bytearray(covered(12, 0x0101, 0x0202, b"\x11\x22\x33"))
        damaged[position] ^= 0x40
        out.append(
            (f"one bit wrong in the {name}", b"\0" + cobs(bytes(damaged)) + b"\0" + status, [bad("crc"), status_frame])
        )
    return out


def document() -> str:
    """Text of wire.json."""
    rows = [{"name": name, "line": data.hex(), "expect": expect} for name, data, expect in cases()]
    return json.dumps({"version": 1, "cases": rows}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if TABLE.read_text(encoding="utf-8") == document() else "wire.json is older than make_wire.py")
    TABLE.write_text(document(), encoding="utf-8")
