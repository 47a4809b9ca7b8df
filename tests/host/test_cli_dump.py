"""`shoetool dump`: every frame of a recording by its names, and all that is none; a hostile recording is no error."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result
from every_frame import BEGAN_US, CAME, EPOCH, NOTE, SENT, every_frame, write_recording
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.link.pieces import line_pieces
from shoetool.link.recording import Recording
from shoetool.model.protocol_table import RECORDS, RESTS, MessageKind
from shoetool.model.records import decode_payload
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import BadFrame, encode_frame
from shoetool.wire.messages import unpack

SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "dump.schema.json").read_text())
KEY = encode_frame(12, EPOCH, 7, b"\x02\x00")
DAMAGED = KEY[:-2] + b"\x01\0"
HOSTILE = "boot \x1b[2J\x07 \u202e"


def dump(path: Path, *options: str) -> Result:
    done = CliRunner().invoke(build(), ["dump", str(path), *options])
    assert "Traceback" not in done.output
    return done


def documents(path: Path) -> list[dict[str, Any]]:
    done = dump(path, "--json")
    assert done.exit_code == 0, done.output
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for one in found:
        Draft202012Validator(SCHEMA).validate(one)
    return found


def lines(path: Path) -> list[str]:
    done = dump(path)
    assert done.exit_code == 0 and not done.stderr, done.output
    return done.stdout.splitlines()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "line.shoelink"


# ----------------------------------------------------------------------------------------------------------- frames


def packed(items: list[dict[str, Any]], layout: Any) -> bytes:
    """The bytes of the items of a list, packed from their fields in the order of the protocol."""
    sizes = {"u8": 1, "u16": 2, "u32": 4}
    out = b""
    for item in items:
        assert "cut" in item or list(item) == [name for name, _ in layout]
        out += bytes.fromhex(item.get("cut", ""))
        out += b"".join(item[name].to_bytes(sizes[form], "little") for name, form in layout if name in item)
    return out


def test_each_message_and_record_is_told_with_the_names_and_values_of_the_codec(path: Path) -> None:
    samples = every_frame(path)
    found = documents(path)
    assert len(found) == len(samples) > 90
    for sample, told in zip(samples, found, strict=True):
        assert (told["message"], told["part"], told["kind"]) == (sample.name, sample.part, sample.kind)
        assert (told["epoch"], told["sequence"], told["protocol"]) == (EPOCH, sample.sequence, "1.4")
        assert told["direction"] == {SENT: "sent", CAME: "came"}[sample.direction]
        assert "problem" not in told and "rest" not in told
        kind = sample.kind & 127 if sample.part == "answer" else sample.kind
        for name, value in unpack(kind, sample.part, sample.payload).items():  # type: ignore[arg-type]
            if name not in told["fields"]:
                assert told["inner"], f"{name} of {sample.name} is not told"
            elif isinstance(told["fields"][name], list):
                assert packed(told["fields"][name], RESTS[f"{sample.name}.{name}"]) == value
            else:
                is_text = (sample.name, name) in (("identify", "board"), ("log", "text"))
                plain = value.decode() if is_text else value.hex() if isinstance(value, bytes) else value
                assert told["fields"][name] == plain, (sample.name, name)
        if sample.name == "event":
            row = RECORDS[told["fields"]["kind"]]
            values = decode_payload(told["fields"]["kind"], sample.payload[11:])
            plain_values = [value.hex() if isinstance(value, bytes) else value for value in values]
            assert told["inner"]["name"] == row["name"]
            assert list(told["inner"]["fields"].items()) == list(
                zip((name for name, _ in row["fields"]), plain_values, strict=True)
            )


def test_values_have_the_names_of_the_protocol(path: Path) -> None:
    status = bytes([5, 2, 1]) + struct.pack("<H", 0b100001010) + bytes(27)
    card = struct.pack("<IHIB", 9, 1, 5, 7) + bytes([2, 0, 0, 1, 25, 1, 0, 0, 255])
    pairs = bytes([1, 3, 0, 0, 0, 99, 1, 0, 0, 0, 7])
    write_recording(
        path,
        [
            (CAME, 1, encode_frame(130, EPOCH, 1, status)),
            (CAME, 2, encode_frame(MessageKind.EVENT, EPOCH, 2, card)),
            (SENT, 3, encode_frame(4, EPOCH, 3, pairs)),
            (CAME, 4, encode_frame(MessageKind.ERROR, EPOCH, 3, bytes([4, 3, 9, 0, 0, 0]))),
        ],
    )
    first, second, third, fourth = documents(path)
    assert first["names"] == {
        "phase": "players",
        "fault": "double_feed",
        "fault_head": "side_b",
        "lamps": ["deal_a", "stop", "clean"],
    }
    assert second["inner"]["names"] == {"role": "hole", "box": "dealer", "head": "side_b", "card": "K♦"}
    assert third["fields"]["pairs"] == [{"id": 1, "value": 3}, {"id": 99, "value": 1}, {"cut": "07"}]
    assert third["names"] == {"pairs": [{"id": "game"}, {}, {}]}
    assert fourth["names"] == {"request": "config_write", "code": "bad_value"}
    text = lines(path)
    assert "< status answered phase=5 (players) fault=2 (double_feed)" in text[1]
    assert "lamps=266 (deal_a, stop, clean)" in text[1]
    assert "kind=7 (card) card role=2 (hole) box=0 (dealer)" in text[2] and "card=25 (K♦)" in text[2]
    assert "> config_write pairs=[id=1 (game) value=3; id=99 value=1; cut=07]  [epoch 4660, sequence 3]" in text[3]
    assert "the shoe refused the settings: options is out of range" in text[4]


def test_a_privileged_command_and_its_answer_are_told_with_what_they_carry(path: Path) -> None:
    tag = bytes(range(32))
    write_recording(
        path,
        [
            (SENT, 1, encode_frame(22, EPOCH, 7, bytes([12]) + tag + b"\x02\x01")),
            (CAME, 2, encode_frame(150, EPOCH, 7, b"\x01\x05")),
            (CAME, 3, encode_frame(150, EPOCH, 8, b"\x01\x05")),
        ],
    )
    asked, answered, stray = documents(path)
    assert asked["inner"] == {
        "name": "key",
        "part": "request",
        "fields": {"key": 2, "argument": 1},
        "names": {"key": "deal"},
    }
    assert answered["inner"]["fields"] == {"accepted": 1, "phase": 5}
    assert stray["fields"] == {"body": "0105"}, "nobody knows what this is the answer to"


def test_what_another_version_sends_is_told_as_it_is(path: Path) -> None:
    write_recording(
        path,
        [
            (CAME, 1, encode_frame(70, EPOCH, 1, b"\x01\x02", version=0x2F)),  # no message of this version
            (CAME, 2, encode_frame(141, EPOCH, 1, bytes(10))),  # `ticks` before 1.2 had no `turns`
            (CAME, 3, encode_frame(141, EPOCH, 1, bytes(13))),  # and a later one may have more
            (CAME, 4, encode_frame(141, EPOCH, 1, bytes(5))),
        ],
    )
    unknown, older, newer, short = documents(path)
    assert (unknown["message"], unknown["rest"], unknown["protocol"]) == ("message_70", "0102", "2.15")
    assert "turns" not in older["fields"] and "problem" not in older
    assert newer["fields"]["turns"] == 0 and newer["rest"] == "00"
    assert short["problem"] == "ticks_ms is cut off" and "[ticks_ms is cut off]" in lines(path)[4]


# ---------------------------------------------------------------------------------------------------------- garbage


@given(st.lists(st.one_of(st.binary(max_size=500), st.just(KEY), st.just(b"\x00"), st.just(b"a" * 700)), max_size=6))
def test_no_byte_of_a_line_is_left_out(parts: list[bytes]) -> None:
    """However it is cut: all bytes but the zeros come back in their order, and frames are those of the live line."""
    decoder, live = FrameDecoder(), FrameDecoder()
    stream = b"".join(parts)
    pieces = [piece for part in parts for piece in decoder.pieces(part)] + decoder.rest()
    assert b"".join(piece.raw for piece in pieces) == stream.replace(b"\0", b"")
    told = [one.item for one in pieces if not (one.more and isinstance(one.item, BadFrame))]
    assert told == [item for part in parts for item in live.feed(part)] + live.flush()


def test_garbage_and_text_are_told_with_all_their_bytes_and_memory_is_bounded(path: Path) -> None:
    flood = b"\xff\xfe" * 30_000
    write_recording(
        path, [(CAME, 5, DAMAGED + b"\r\nMPY: soft reboot\r\n" + KEY), *((CAME, 9, flood),) * 3, (CAME, 10, KEY)]
    )
    found = documents(path)
    assert [one["what"] for one in found] == ["damaged", "text", "frame", "damaged", "damaged", "damaged", "frame"]
    assert (found[0]["status"], found[0]["bytes"]) == ("crc", DAMAGED[1:-1].hex())
    assert found[1]["text"] == "\r\nMPY: soft reboot\r\n"
    assert [(one["status"], one["more"], len(one["bytes"])) for one in found[3:6]] == [
        ("long", False, 120_000),
        ("long", True, 120_000),
        ("long", True, 120_000),
    ]
    text = lines(path)
    assert "< damaged (crc) " in text[1] and "< damaged (long, goes on) ff fe" in text[5]


def test_what_waits_for_its_end_when_the_recording_ends_is_told(path: Path) -> None:
    write_recording(path, [(SENT, 1, KEY[:-1]), (CAME, 2, KEY[:5])])
    assert [(one["direction"], one["status"], one["bytes"]) for one in documents(path)] == [
        ("sent", "truncated", KEY[1:-1].hex()),
        ("came", "truncated", KEY[1:5].hex()),
    ]


def test_a_recording_cut_off_anywhere_is_told_up_to_there(path: Path) -> None:
    whole = write_recording(path, [(NOTE, 0, b"opened"), (SENT, 1, KEY), (CAME, 2, KEY)]).read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        done = dump(path)
        if end < 17:
            assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "not a recording" in done.stderr
            continue
        assert done.exit_code == 0 and not done.stderr
        ends = (17, 17 + 11 + 6, 17 + 11 + 6 + 11 + len(KEY))
        assert ("bytes behind it are no whole entry" in done.stdout) is (end not in ends)


def test_blank_bytes_behind_the_last_entry_are_counted_and_not_read(path: Path) -> None:
    write_recording(path, [(SENT, 1, KEY)])
    with path.open("ab") as file:
        file.truncate(1 << 40)  # a sparse file
    assert f"{(1 << 40) - 17 - 11 - len(KEY)} bytes behind it" in lines(path)[-1]


def test_hostile_text_reaches_the_terminal_as_plain_text(path: Path) -> None:
    """In a note, in text on the line, in a board's name and in a log line."""
    text = HOSTILE.encode()
    write_recording(
        path,
        [
            (NOTE, 0, text + b"\xff\nnext"),
            (CAME, 1, text + b"\0"),
            (CAME, 2, encode_frame(MessageKind.LOG, EPOCH, 1, text)),
            (CAME, 3, encode_frame(129, EPOCH, 1, bytes(19) + text)),
            (9, 4, text),
        ],
    )
    shown = lines(path)
    assert len(shown) == 6 and all(line.isprintable() for line in shown)
    assert [one["what"] for one in documents(path)] == ["note", "text", "frame", "frame", "note"]
    assert dump(path, "--json").stdout.replace("\n", "").isprintable()
    assert f"unknown kind 9: {text.hex()}" in shown[5]


def test_times_that_are_none_are_no_error(path: Path, tmp_path: Path) -> None:
    write_recording(path, [(SENT, (1 << 64) - 1, KEY)], began_us=(1 << 64) - 1)
    assert "begun at a time that is none" in lines(path)[0]
    (one,) = documents(path)
    assert one["time"] is None and one["time_us"] == (1 << 64) - 1
    assert dump(path, "--pcapng", str(tmp_path / "x.pcapng")).exit_code == 0
    (packet,) = packets(tmp_path / "x.pcapng")
    assert packet.time_us == (1 << 64) - 1


@pytest.mark.parametrize("content", [b"", b"PK\3\4" + bytes(100), b"SHOELINK\x02" + bytes(8)])
def test_a_file_that_is_no_recording_is_one_line(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for options in ((), ("--json",), ("--pcapng", str(path.with_suffix(".pcapng")))):
        done = dump(path, *options)
        assert done.exit_code == 2 and not done.stdout and done.stderr.count("\n") == 1 and "recording" in done.stderr
    assert list(path.parent.iterdir()) == [path]
    assert dump(path.with_name("none")).exit_code == 2


# ----------------------------------------------------------------------------------------------------------- pcapng


class Packet(NamedTuple):
    """A packet of a capture, with the link type of its interface."""

    link_type: int
    time_us: int
    data: bytes
    flags: int


def blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The blocks of a capture, read as the draft says: type, total length, body, and the length again."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        assert size % 4 == 0 and struct.unpack_from("<I", data, at + size - 4) == (size,)
        yield kind, data[at + 8 : at + size - 4]
        at += size


def options(body: bytes) -> dict[int, bytes]:
    found = {}
    while body:
        code, size = struct.unpack_from("<HH", body)
        found[code] = body[4 : 4 + size]
        body = body[4 + (size + 3) // 4 * 4 :]
    assert not found or found.pop(0) == b"", "options end with opt_endofopt"
    return found


def packets(path: Path) -> list[Packet]:
    (section, begin), *rest = blocks(path.read_bytes())
    assert section == 0x0A0D0D0A and begin[:4] == b"\x4d\x3c\x2b\x1a" and begin[4:8] == b"\1\0\0\0"
    interfaces, found = [], []
    for kind, body in rest:
        if kind == 1:
            assert options(body[8:])[9] == b"\x06", "microseconds"
            interfaces.append(struct.unpack_from("<H", body)[0])
        elif kind == 6:
            interface, high, low, kept, size = struct.unpack_from("<IIIII", body)
            assert kept == size
            told = options(body[20 + (size + 3) // 4 * 4 :])
            flags = struct.unpack("<I", told.get(2, bytes(4)))[0]
            found.append(Packet(interfaces[interface], high << 32 | low, body[20 : 20 + size], flags))
    return found


def test_each_piece_is_a_packet_with_its_time_its_direction_and_what_is_wrong_with_it(
    path: Path, tmp_path: Path
) -> None:
    write_recording(
        path,
        [
            (NOTE, 0, b"opened /dev/ttyACM0"),
            (SENT, 10, KEY),
            (CAME, 20, KEY[:6]),
            (CAME, 31, KEY[6:]),
            (CAME, 40, b"boot banner\0" + DAMAGED),
            (CAME, 50, b"\x03\xff\xff\0"),
            (CAME, 60, b"\xfe" * 400),
        ],
    )
    capture = tmp_path / "new" / "line.pcapng"
    done = dump(path, "--pcapng", str(capture))
    assert done.exit_code == 0
    assert done.stdout == f"{capture}: 2 frames, 3 damaged pieces, 1 text, 1 note\n"
    body = KEY[1:-1]
    crc, long, short = 1 << 24, 1 << 25, 1 << 26
    assert packets(capture) == [
        Packet(148, BEGAN_US, b"opened /dev/ttyACM0", 0),
        Packet(147, BEGAN_US + 10, body, 2),
        Packet(147, BEGAN_US + 31, body, 1),
        Packet(147, BEGAN_US + 40, b"boot banner", 1),
        Packet(147, BEGAN_US + 40, DAMAGED[1:-1], 1 | crc),
        Packet(147, BEGAN_US + 50, b"\x03\xff\xff", 1 | short),
        Packet(147, BEGAN_US + 60, b"\xfe" * 400, 1 | long),
    ]


def test_a_capture_holds_every_piece_that_is_printed(path: Path, tmp_path: Path) -> None:
    every_frame(path)
    capture = tmp_path / "line.pcapng"
    dump(path, "--pcapng", str(capture))
    assert [packet.data for packet in packets(capture)] == [piece.raw for piece in line_pieces(Recording(path))]


def test_the_dissector_is_written_with_or_without_a_recording(path: Path, tmp_path: Path) -> None:
    script = tmp_path / "plugins" / "shoe.lua"
    done = CliRunner().invoke(build(), ["dump", "--dissector", str(script)])
    assert done.exit_code == 0 and done.stdout.startswith(f"{script}: ") and done.stdout.count("\n") == 1
    assert script.read_text(encoding="utf-8") == resources.files("shoetool").joinpath(
        "wireshark", "shoe.lua"
    ).read_text(encoding="utf-8")
    write_recording(path, [(SENT, 1, KEY)])
    assert "> key key=2 (deal)" in dump(path, "--dissector", str(script)).stdout
    assert CliRunner().invoke(build(), ["dump"]).exit_code == 2


def test_no_recording_is_overwritten_and_nothing_is_left_of_a_failed_capture(path: Path, tmp_path: Path) -> None:
    write_recording(path, [(SENT, 1, KEY)])
    before = path.read_bytes()
    done = dump(path, "--pcapng", str(path))
    assert done.exit_code == 2 and "is an input of this command" in done.stderr and path.read_bytes() == before
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = dump(path, "--pcapng", str(blocked / "x.pcapng"))
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "cannot be written" in done.stderr
    assert dump(path, "--pcapng", str(tmp_path / "x"), "--json").exit_code == 2
    assert sorted(tmp_path.iterdir()) == sorted([path, blocked])
