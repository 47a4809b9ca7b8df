"""PROTOCOL.md says what protocol.toml says and what the codecs do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from shoetool.client.session import WIDE_WINDOW, WINDOW
from shoetool.model.protocol_table import Error
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import MAX_BODY, MAX_DECODED, MAX_PAYLOAD, VERSION, Frame, encode_frame

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "firmware" / "PROTOCOL.md").read_text(encoding="utf-8")
SOURCE = tomllib.loads((ROOT / "firmware" / "protocol.toml").read_text(encoding="utf-8"))


def test_every_message_stands_there_with_its_id_and_all_its_fields_in_order() -> None:
    sections = dict(re.findall(r"^### (\w+ · \d+)\n(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL))
    expected = {f"{name} · {entry['id']}" for name, entry in SOURCE["message"].items()}
    assert set(sections) == expected
    for name, entry in SOURCE["message"].items():
        body = sections[f"{name} · {entry['id']}"]
        for part in ("request", "answer", "unasked"):
            text = body
            if part != "unasked":
                found = re.search(rf"^- {part}: (.*?)(?=^- |\Z)", body, re.MULTILINE | re.DOTALL)
                assert found or not entry.get(part), f"{name} has no line for its {part}"
                text = found.group(1) if found else ""
            named = re.findall(r"`(\w+:(?:u8|u16|u32|b\d+|rest))`", text)
            if part in entry:
                assert named == entry[part], f"{name}: {part}"
        if "request" in entry:
            errors = re.search(r"^- errors: (.*)", body, re.MULTILINE)
            assert errors, f"{name} names no errors"
            words = re.findall(r"\b[a-z]+(?:_[a-z]+)+\b|\bbusy\b|\bversion\b", errors.group(1))
            assert set(words) <= {error.name.lower() for error in Error}, words


def test_all_messages_are_as_old_as_the_document_says() -> None:
    for entry in SOURCE["message"].values():
        old = "1.0" if entry["id"] <= 13 or entry["id"] >= 64 else "1.1"
        assert entry["since"] == {32: "1.2", 33: "1.2", 34: "1.4"}.get(entry["id"], old)


def test_the_worked_example_is_what_the_codec_makes() -> None:
    section = TEXT[TEXT.index("### A worked example") : TEXT.index("## 4.")]
    rows = re.findall(r"^\| `([0-9a-f ]+)` \|", section, re.MULTILINE)
    assert " ".join(rows) == encode_frame(12, 0x1234, 0x0300, b"\x02\x00").hex(" ")


def test_the_version_in_the_frame_is_that_of_the_codec() -> None:
    told = re.search(r"^\| version \| u8 \| (0x[0-9a-f]+)\b", TEXT, re.MULTILINE)
    frame = next(item for item in FrameDecoder().feed(encode_frame(12, 1, 1)) if isinstance(item, Frame))
    assert told and int(told.group(1), 16) == frame.version == VERSION


def test_the_sizes_are_those_of_the_codec() -> None:
    assert f"| longest payload | {MAX_PAYLOAD} bytes |" in TEXT
    assert f"| longest frame on the line | {MAX_BODY + 2} bytes |" in TEXT
    assert f"more than {MAX_BODY} bytes between the zeros, or more than {MAX_DECODED} decoded" in TEXT
    assert f"| longest part under the CRC | {SOURCE['protocol']['max_covered']} bytes |" in TEXT


def test_every_record_has_a_meaning() -> None:
    assert not [name for name, entry in SOURCE["record"].items() if not entry.get("means")]


def test_windows_and_caches_are_as_the_document_says() -> None:
    source = (ROOT / "firmware" / "shoe" / "line" / "link.py").read_text(encoding="utf-8")
    values = {name: int(value) for name, value in re.findall(r"^(_\w+) = const\((\d+)\)", source, re.MULTILINE)}
    assert f"The device keeps its last {values['_CACHED']} answers" in TEXT
    assert f"It remembers the last {values['_WINDOW']} sequence numbers" in TEXT
    assert f"keeps at most {WINDOW} requests under way" in TEXT
    # Whatever the host may have under way, the device can still tell and answer.
    assert f"of those for pieces of pages {WIDE_WINDOW}" in TEXT
    assert WINDOW <= WIDE_WINDOW <= values["_CACHED"] <= values["_WINDOW"]
    assert (WINDOW + 1) * (MAX_BODY + 2) <= 2048
