"""The two codecs against each other: every line of bytes means the same to the device and to the host."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "bench"), str(ROOT / "tests" / "firmware")]

import frame_campaign  # noqa: E402
from link_fake import frame as device_frame  # noqa: E402
from shoe.line.wire import CRC, LENGTH, LONG, NONE, OK, SHORT, TRUNCATED, FrameReader  # noqa: E402
from shoetool.wire.decoder import FrameDecoder  # noqa: E402
from shoetool.wire.frames import (  # noqa: E402
    BadFrame,
    Frame,
    StrayText,
    decode_body,
    encode_frame,
)

NAMES = {OK: "ok", SHORT: "short", LONG: "long", TRUNCATED: "truncated", LENGTH: "length", CRC: "crc"}
VECTORS = json.loads((ROOT / "tests" / "vectors" / "wire.json").read_text(encoding="utf-8"))["cases"]

FRAME = st.tuples(
    st.integers(0, 255),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFF),
    st.one_of(st.binary(max_size=363), st.binary(max_size=12), st.integers(0, 363).map(bytes)),
)
NOISE = st.one_of(st.binary(max_size=40), st.binary(min_size=360, max_size=800), st.just(b"Traceback:\r\n"))


def device_reading(data: bytes) -> list[str]:
    reader = FrameReader()
    found = []
    at = 0
    while at < len(data):
        at = reader.feed(data, at, len(data))
        if reader.status != NONE:
            found.append(NAMES[reader.status])
    return found


def host_reading(data: bytes) -> list[str]:
    """What the host makes of each piece that a zero ends; an overlong piece is one."""
    found = []
    for piece in data.split(b"\0")[:-1]:
        if piece:
            result = decode_body(piece)
            found.append("ok" if isinstance(result, Frame) else result.value)
    return found


@pytest.mark.parametrize("case", VECTORS, ids=[case["name"] for case in VECTORS])
@pytest.mark.parametrize("step", [1, 7, 5000])
def test_the_host_reads_the_vectors(case: dict, step: int) -> None:
    data = bytes.fromhex(case["line"])
    decoder = FrameDecoder()
    items = [item for start in range(0, len(data), step) for item in decoder.feed(data[start : start + step])]
    assert len(items) == len(case["expect"])
    for item, expect in zip(items, case["expect"], strict=True):
        if "text" in expect:
            assert isinstance(item, StrayText) and item.text == expect["text"]
        elif expect["status"] == "ok":
            payload = bytes.fromhex(expect["payload"])
            assert item == Frame(expect["version"], expect["kind"], expect["epoch"], expect["sequence"], payload)
        else:
            assert isinstance(item, BadFrame) and item.status.value == expect["status"] and item.raw


def test_the_vectors_are_as_their_maker_makes_them() -> None:
    subprocess.run([sys.executable, ROOT / "tests" / "vectors" / "make_wire.py", "--check"], check=True)


@given(FRAME)
def test_both_sides_encode_alike_and_read_each_other(values: tuple[int, int, int, bytes]) -> None:
    kind, epoch, sequence, payload = values
    line = encode_frame(kind, epoch, sequence, payload)
    assert device_frame(kind, payload, sequence, epoch) == line
    assert device_reading(line) == ["ok"] == host_reading(line)


@given(st.lists(st.one_of(FRAME.map(lambda f: encode_frame(*f)), NOISE), max_size=8), st.data())
def test_both_sides_judge_any_line_alike(parts: list[bytes], data: st.DataObject) -> None:
    line = bytearray(b"".join(parts) + b"\0")
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(line) - 1))
        line[at] = data.draw(st.integers(0, 255))
    line += b"\0"
    assert device_reading(bytes(line)) == host_reading(bytes(line))


@given(st.binary(max_size=2000), FRAME)
def test_after_any_garbage_the_next_whole_frame_is_read(noise: bytes, values: tuple[int, int, int, bytes]) -> None:
    line = encode_frame(*values)
    items = FrameDecoder().feed(noise + line)
    assert items and items[-1] == Frame(0x14, *values)
    assert device_reading(noise + line)[-1] == "ok"


@given(st.lists(st.binary(max_size=900), max_size=6))
def test_how_the_bytes_are_cut_makes_no_difference(parts: list[bytes]) -> None:
    whole, cut = FrameDecoder(), FrameDecoder()
    at_once = [item for item in whole.feed(b"".join(parts) + b"\0") if isinstance(item, Frame)]
    piecewise = [item for part in [*parts, b"\0"] for item in cut.feed(part) if isinstance(item, Frame)]
    assert at_once == piecewise
    assert len(cut._buffer) == 0


@pytest.mark.parametrize("codec", ["host", "device"])
def test_a_sample_of_the_campaign_of_damaged_frames(codec: str) -> None:
    seed, frames = 11, 20_000
    print("seed", seed)
    decode = frame_campaign.host_codec() if codec == "host" else frame_campaign.device_codec()
    counts = frame_campaign.campaign(decode, frames, seed)
    assert counts["false accepts"] == 0
    assert counts["resync failures"] == 0
    assert all(counts[name] > frames / 20 for name in frame_campaign.KINDS)
    assert counts["unharmed"] < frames / 10


def test_the_campaign_finds_a_codec_that_does_not_look_at_the_crc(monkeypatch: pytest.MonkeyPatch) -> None:
    class AnyCrc(int):
        def __eq__(self, other: object) -> bool:
            return True

        def __ne__(self, other: object) -> bool:
            return False

        __hash__ = int.__hash__

    monkeypatch.setattr("shoetool.wire.frames.crc32", lambda data: AnyCrc(0))
    # Followers are encoded with a real CRC by the frames made before the patch took hold; only decoding is blind.
    monkeypatch.setattr(frame_campaign, "encode_frame", lambda k, e, s, p: device_frame(k, p, s, e))
    monkeypatch.setattr("damage.encode_frame", lambda k, e, s, p: device_frame(k, p, s, e))
    counts = frame_campaign.campaign(frame_campaign.host_codec(), 5000, 1)
    assert counts["false accepts"] > 100


def test_the_campaign_finds_a_codec_that_loses_its_place() -> None:
    reader = frame_campaign.host_codec()

    def forgetful(data: bytes) -> list[frame_campaign.Fields]:
        return [fields for index, fields in enumerate(reader(data)) if index % 50]

    assert frame_campaign.campaign(forgetful, 5000, 1)["resync failures"] > 50
