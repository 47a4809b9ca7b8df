"""The dissector for Wireshark says of every frame what the host's codec says, and of garbage what is wrong with it.

It runs on each Lua that Wireshark brings, on a stand-in for Wireshark; and in tshark itself where that is installed.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from shoetool.cli import build
from shoetool.link.pieces import LinePiece, line_pieces
from shoetool.link.recording import Direction, Recording
from shoetool.wire.frames import BadFrame, Frame, StrayText, as_text, decode_body, encode_frame
from shoetool.wire.told import Told, carried, tell

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "host")]

from every_frame import CAME, EPOCH, NOTE, SENT, every_message, write_recording  # noqa: E402

SCRIPT = ROOT / "host_tools" / "shoetool" / "wireshark" / "shoe.lua"
STUB = Path(__file__).with_name("wireshark_stub.lua")
VECTORS = json.loads((ROOT / "tests" / "vectors" / "wire.json").read_text(encoding="utf-8"))["cases"]
USER0, USER1 = 45, 46
LUAS = ("lua52", "lua53", "lua54")


class Field(NamedTuple):
    """A field as it is shown: its name to filter by, its bytes or else its text, and its value with its name."""

    name: str
    value: bytes | str
    label: str


class Packet(NamedTuple):
    """What is shown of a packet, and the columns of the list: where it came from, what it is."""

    fields: list[Field]
    source: str
    info: str


def expected(told: Told, prefix: str = "shoe.") -> Iterator[tuple[str, Any, Any]]:
    """The fields of a message in their order, as (name to filter by, value, name of the value)."""
    owner = f"{prefix}{told.name}"
    if told.part != "record":
        yield "shoe.message", told.name, None
        yield "shoe.part", told.part, None
    for name, value in told.fields.items():
        called = told.names.get(name)
        if not isinstance(value, list):
            yield f"{owner}.{name}", value, called
            continue
        for at, item in enumerate(value):
            for one, number in item.items():
                place = "shoe.cut" if one == "cut" else f"{owner}.{name}.{one}"
                yield place, number, called[at].get(one) if called else None
    if told.problem:
        yield "shoe.expert.short", told.problem, None
    if told.rest:
        yield "shoe.rest", told.rest, None
    if told.inner is not None:
        yield from expected(told.inner, "shoe.record." if told.inner.part == "record" else prefix)


def check_frame(packet: Packet, frame: Frame, told: Told) -> None:
    """The header, and every field of the message with its value and name, in order; then what follows from it."""
    shown = {field.name: field for field in packet.fields}
    assert shown["shoe.status"].value == "ok"
    assert shown["shoe.version"].value == bytes([frame.version]) and shown["shoe.kind"].value == bytes([frame.kind])
    for name in ("epoch", "sequence"):
        assert shown[f"shoe.{name}"].value == getattr(frame, name).to_bytes(2, "little")
    assert shown["shoe.length"].value == len(frame.payload).to_bytes(2, "little")
    header = ("shoe.status", "shoe.version", "shoe.kind", "shoe.epoch", "shoe.sequence", "shoe.length", "shoe.crc")
    behind = ("shoe.answer_in", "shoe.request_in", "shoe.took", "shoe.expert.refused")
    fields = [field for field in packet.fields if field.name not in header + behind]
    for field, (name, value, called) in zip(fields, expected(told), strict=True):
        assert field.name == name, (told.name, fields)
        if isinstance(value, int):
            assert isinstance(field.value, bytes) and int.from_bytes(field.value, "little") == value, field
        elif isinstance(field.value, bytes):
            assert field.value.hex() == value, field
        else:
            assert field.value == value, field
        for word in [called] if isinstance(called, str) else called or ():
            assert re.search(rf"(^|[ (]){re.escape(word)}($|[ ,)])", field.label), (field, called)
    assert f"({frame.major}.{frame.version & 15})" in shown["shoe.version"].label
    assert ("shoe.expert.refused" in shown) is (told.name == "error")


def frame_of(kind: int, payload: bytes, sequence: int = 1) -> bytes:
    return encode_frame(kind, EPOCH, sequence, payload)


def pieces_of(path: Path, entries: Sequence[tuple[int, int, bytes]]) -> list[LinePiece]:
    return list(line_pieces(Recording(write_recording(path, entries))))


# ------------------------------------------------------------------------------------------- two ways to run the Lua


def by_lua(version: str) -> Callable[[Path, list[LinePiece]], list[Packet]]:
    """Run the dissector on a Lua of its own, on the stand-in."""
    lua = importlib.import_module(f"lupa.{version}").LuaRuntime(encoding=None)
    dissect = lua.execute(STUB.read_bytes())
    lua.execute(SCRIPT.read_bytes())

    def text(value: Any) -> str:
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def run(path: Path, pieces: list[LinePiece]) -> list[Packet]:
        given = []
        for one in pieces:
            note = one.direction == Direction.NOTE
            way = {SENT: 0, CAME: 1}.get(one.direction, -1)
            given.append(lua.table(USER1 if note else USER0, one.raw, way, one.time_us / 1e6))
        found = []
        for shown, columns in (row.values() for row in dissect(lua.table(*given)).values()):
            fields = []
            for name, raw, value, label in (field.values() for field in shown.values()):
                fields.append(Field(text(name), text(value) if value is not False else raw, text(label)))
            found.append(Packet(fields, text(columns[b"src"] or ""), text(columns[b"info"] or "")))
        return found

    return run


def by_tshark(path: Path, pieces: list[LinePiece]) -> list[Packet]:
    """Run it in tshark, on the capture that `shoetool dump` makes."""
    capture = path.with_suffix(".pcapng")
    assert CliRunner().invoke(build(), ["dump", str(path), "--pcapng", str(capture)]).exit_code == 0
    tree, rows = (tshark(capture, form) for form in ("pdml", "tabs"))
    found = []
    for packet, row in zip(ElementTree.fromstring(tree).iter("packet"), rows.splitlines(), strict=True):
        _, _, source, *_, info = row.split("\t")
        fields = []
        for top in packet.findall("proto"):
            if top.get("name", "").startswith("shoe"):
                fields += [field for one in top.iter() if (field := _field(one)) is not None]
        found.append(Packet(fields, source.strip(), info))
    return found


def tshark(capture: Path, form: str) -> str:
    """What tshark prints of a capture, in two passes as Wireshark's window has it, without what the user set up.

    Wireshark 4.4 runs no script for root, and says nothing of it. So root runs it as a user that owns nothing.
    """
    user = 65534 if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        script, copy = (Path(shutil.copyfile(one, home / one.name)) for one in (SCRIPT, capture))
        script.chmod(0o644)
        copy.chmod(0o644)
        command = ["tshark", "-2", "-X", f"lua_script:{script}", "-r", str(copy), "-T", form]
        environment = {**os.environ, "HOME": name, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=name, env=environment, user=user, group=user
        )
    assert done.returncode == 0 and "Lua Error" not in done.stdout + done.stderr, done.stderr
    return done.stdout


def _field(one: ElementTree.Element) -> Field | None:
    """A field of PDML; None for a branch."""
    name, value = one.get("name", ""), one.get("value")
    if not name.startswith("shoe.") and name != "shoe_note.text":
        return None
    shown = one.get("showname", "")
    is_text = name in ("shoe.identify.board", "shoe.log.text", "shoe.text", "shoe_note.text")
    if name.startswith("shoe.expert."):
        return Field(name, shown, shown)
    return Field(name, bytes.fromhex(value) if value is not None and not is_text else one.get("show", ""), shown)


RUNS = [
    *(pytest.param(version, id=version) for version in LUAS),
    pytest.param(
        "tshark",
        marks=pytest.mark.skipif(
            shutil.which("tshark") is None,
            reason="tshark is not on the PATH: `make tshark`, or Wireshark's own package",
        ),
    ),
]


@pytest.fixture(params=RUNS)
def dissect(request: pytest.FixtureRequest) -> Callable[[Path, list[LinePiece]], list[Packet]]:
    return by_tshark if request.param == "tshark" else by_lua(request.param)


Dissect = Callable[[Path, list[LinePiece]], list[Packet]]


# ------------------------------------------------------------------------------------------------------------ frames


def test_every_message_and_record_has_its_names_and_values(dissect: Dissect, tmp_path: Path) -> None:
    samples = list(every_message())
    path = tmp_path / "line.shoelink"
    pieces = pieces_of(path, [(one.direction, 1000 * at, one.line) for at, one in enumerate(samples)])
    packets = dissect(path, pieces)
    asked: dict[int, tuple[int, int | None]] = {}
    for number, (sample, piece, packet) in enumerate(zip(samples, pieces, packets, strict=True), 1):
        assert isinstance(piece.item, Frame)
        told = tell(piece.item, asked.get(sample.sequence, (0, None))[1])
        check_frame(packet, piece.item, told)
        assert packet.source == ("host" if sample.direction == SENT else "shoe")
        assert packet.info.startswith(told.name)
        shown = {field.name: field.value for field in packet.fields}
        if sample.part == "request":
            asked[sample.sequence] = number, carried(piece.item)
        elif sample.part == "answer":
            assert shown["shoe.request_in"] == str(asked[sample.sequence][0])
            assert float(str(shown["shoe.took"])) == pytest.approx(0.001)
        if number > 1 and sample.part == "answer":
            before = {field.name: field.value for field in packets[asked[sample.sequence][0] - 1].fields}
            assert before["shoe.answer_in"] == str(number)


def test_a_message_of_any_length_is_read_as_far_as_it_goes(dissect: Dissect, tmp_path: Path) -> None:
    """Cut off after each byte, with a byte of a newer version behind it, or of another major version."""
    payloads = [(one.kind, one.payload[:end]) for one in every_message() for end in range(len(one.payload))]
    payloads += [(one.kind, one.payload + b"7") for one in every_message()] + [(63, b"\x01"), (191, b""), (63, b"")]
    rng = random.Random(3)
    chosen = payloads if len(payloads) < 500 else rng.sample(payloads, 500)
    path = tmp_path / "line.shoelink"
    lines = [frame_of(kind, payload) for kind, payload in chosen]
    lines += [encode_frame(one.kind, EPOCH, 1, one.payload, version=0x2F) for one in every_message()]
    pieces = pieces_of(path, [(CAME, at, line) for at, line in enumerate(lines)])
    asked = None
    for piece, packet in zip(pieces, dissect(path, pieces), strict=True):
        assert isinstance(piece.item, Frame)
        check_frame(packet, piece.item, tell(piece.item, asked))
        asked = carried(piece.item) if piece.item.kind < 64 else asked


@pytest.mark.parametrize(("kind", "source"), [(2, "host"), (130, "shoe"), (64, "shoe"), (127, "shoe")])
def test_without_a_direction_the_message_says_where_a_frame_came_from(kind: int, source: str) -> None:
    lua = importlib.import_module("lupa.lua54").LuaRuntime(encoding=None)
    dissect = lua.execute(STUB.read_bytes())
    lua.execute(SCRIPT.read_bytes())
    found = dissect(lua.table(lua.table(USER0, frame_of(kind, bytes(40))[1:-1], -1, 0.0)))
    assert found[1][2][b"src"] == source.encode()


def test_what_is_no_frame_is_named_as_the_codec_names_it(dissect: Dissect, tmp_path: Path) -> None:
    """The vectors of both codecs, damaged frames, text, and noise; and the recorder's notes."""
    rng = random.Random(11)
    entries = [(CAME, at, bytes.fromhex(case["line"])) for at, case in enumerate(VECTORS)]
    frames = [one.line for one in every_message()]
    for line in rng.sample(frames, 60):
        wrong = bytearray(line)
        wrong[rng.randrange(1, len(line) - 1)] ^= 1 << rng.randrange(8)
        entries.append((CAME, 1000, bytes(wrong)))
        entries.append((CAME, 1001, rng.randbytes(rng.randrange(1, 700)) + b"\0"))
    entries += [
        (CAME, 1002, text + b"\0") for text in ("Straße\r\n\x1b[2J".encode(), b"\xed\xa0\x80abc", b"\xc0\xaf", b"\x7f")
    ]
    entries.append((NOTE, 1003, "geöffnet\x07".encode()))
    path = tmp_path / "line.shoelink"
    pieces = pieces_of(path, entries)
    told = set()
    for piece, packet in zip(pieces, dissect(path, pieces), strict=True):
        shown = {field.name: field.value for field in packet.fields}
        assert packet.info.isprintable()
        match piece.item:
            case Frame():
                assert shown["shoe.status"] == "ok"
            case BadFrame():
                assert (shown["shoe.status"], shown["shoe.damaged"]) == (piece.item.status.value, piece.raw)
                assert "shoe.expert.damaged" in shown
            case StrayText():
                assert shown["shoe.status"] == "text" and "shoe.text" in shown and "shoe.expert.text" in shown
            case note:
                assert "shoe_note.text" in shown and note == "geöffnet\x07"
        told.add(str(shown.get("shoe.status", "note")))
    assert told == {"ok", "long", "truncated", "short", "length", "crc", "text", "note"}


@pytest.mark.parametrize("version", LUAS)
def test_the_bytes_between_two_zeros_are_judged_as_the_codec_judges_them(version: str) -> None:
    lua = importlib.import_module(f"lupa.{version}").LuaRuntime(encoding=None)
    lua.execute(STUB.read_bytes())
    judge = lua.execute(SCRIPT.read_bytes())[b"judge"]
    rng = random.Random(2)
    # Runs without a zero that are as long as a COBS block, shorter and longer.
    bodies = [frame_of(65, bytes([*b"z" * size, 0, *b"z" * 9]))[1:-1] for size in range(240, 350)]
    choices = (1, 2, 5, 13, 65, 195, 255, *range(1, 256))
    bodies += [bytes(rng.choices(choices, k=rng.randrange(1, 30))) for _ in range(1500)]
    for body in bodies:
        result = decode_body(body)
        status = "ok" if isinstance(result, Frame) else "text" if as_text(body) is not None else result.value
        found = judge(body)
        assert (found[0] if isinstance(found, tuple) else found) == status.encode(), body


def test_the_cards_have_the_names_that_the_host_gives_them() -> None:
    sys.path.insert(0, str(ROOT / "firmware" / "tools"))
    import dissector
    from shoetool.model.cards import card_name

    assert dissector.card_names() == {card: card_name(card) for card in (*range(57), 63)}
