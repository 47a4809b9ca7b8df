"""A history whose names contradict each other, and a file with many signatures."""

from __future__ import annotations

import struct
import sys
from binascii import crc32
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from histories import DEVICE, IDENTITY, Script, cut_pages
from shoetool.history import chunks
from shoetool.history.chunks import SignatureChunk
from shoetool.judge import registry_trust
from shoetool.model.protocol_table import Signature
from shoetool.trust import lms
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from signed_histories import dealt, end_of_shoe, file_name, key, read, sign_pages, signed_file, with_header, write

OTHER = b"OTHERSHO"


@pytest.fixture
def pins(tmp_path: Path) -> PinStore:
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    return store


def stripped(folder: Path, name: str, wrote: bytes, device: bytes = OTHER) -> Path:
    """A history without its signature and with another device in the headers of its pages, chained anew."""
    pages: list[bytes] = []
    previous = bytes(32)
    for page in cut_pages(dealt().records):
        pages.append(with_header(page, device=device, previous=previous))
        previous = sha256(pages[-1]).digest()
    folder.mkdir(parents=True, exist_ok=True)
    return write(folder / name, pages, [], chunks.Identity(wrote, 1, 0, b"\x00\x01\x00", "virtual"))


def found(report: Report) -> list[str]:
    return [finding.sentence for finding in report.findings if finding.check in registry_trust.TRUST_CHECKS]


@pytest.mark.parametrize(
    "name, wrote",
    [
        *((file_name(), OTHER), ("night.shoelog", DEVICE), (file_name(), DEVICE), (file_name(OTHER), DEVICE)),
        (file_name().upper(), OTHER),
    ],
)
def test_a_stripped_signature_is_missed_under_whatever_name_a_pinned_device_stands(
    name: str, wrote: bytes, tmp_path: Path, pins: PinStore
) -> None:
    report = verify(stripped(tmp_path, name, wrote), trust=Trust(pins))
    told = " ".join(found(report))
    assert "Unsigned: shoe 1 is not signed, although a key is pinned for its device" in told
    assert f"Replayed: the pages are those of shoe 1 of device {OTHER.hex()}, but the file " in told


def test_names_that_contradict_each_other_are_a_finding_without_any_pin(tmp_path: Path) -> None:
    report = verify(stripped(tmp_path, "night.shoelog", DEVICE))
    assert [finding.check for finding in report.findings] == [registry_trust.REPLAYED]
    assert verify(stripped(tmp_path / "fine", file_name(OTHER), OTHER)).ok


def test_an_identity_that_was_put_behind_the_first_does_not_hide_it(tmp_path: Path, pins: PinStore) -> None:
    path = stripped(tmp_path, "night.shoelog", DEVICE)
    with path.open("ab") as file:
        file.write(chunks.pack_chunk(chunks.IDENTITY, chunks.Identity(OTHER, 1, 0, b"\0\1\0", "virtual").pack()))
    assert any(sentence.startswith("Unsigned: shoe 1") for sentence in found(verify(path, trust=Trust(pins))))


# ------------------------------------------------------------------------------------------------ an unknown record


def test_a_record_of_an_unknown_kind_behind_the_signed_end_has_a_note(tmp_path: Path) -> None:
    """A newer firmware may say there what this host cannot read: it is told, and that nobody signed it."""
    script = dealt()
    body = struct.pack("<BBI", 3, 120, 5) + b"abc"
    body += struct.pack("<I", crc32(struct.pack("<I", script.next) + body))
    pages = list(script.pages())
    written = pages[-1].rstrip(b"\xff")
    grown = [*pages[:-1], (written + body).ljust(4096, b"\xff")]
    path = write(tmp_path / "x.shoelog", grown, [sign_pages(pages, key(), 5)])
    report = verify(path)
    assert report.ok and report.summary.signatures[0].good
    assert report.summary.notes.count(
        f"1 record of a kind that this shoetool does not know (120): record {script.next}; not signed (after the "
        f"signed end of shoe 1): record {script.next}"
    ) == 1  # fmt: skip
    assert not any("does not know" in note for note in verify(signed_file(tmp_path / "good")).summary.notes)


@pytest.mark.parametrize(("count", "said"), [(1, "1 record of"), (2, "2 records of"), (3, "3 records of")])
def test_records_of_an_unknown_kind_are_counted(tmp_path: Path, count: int, said: str) -> None:
    script = dealt()
    pages = list(script.pages())
    body = b""
    for number in range(script.next, script.next + count):
        one = struct.pack("<BBI", 3, 120, 5) + b"abc"
        body += one + struct.pack("<I", crc32(struct.pack("<I", number) + one))
    grown = [*pages[:-1], (pages[-1].rstrip(b"\xff") + body).ljust(4096, b"\xff")]
    report = verify(write(tmp_path / "x.shoelog", grown, [sign_pages(pages, key(), 5)]))
    (note,) = [note for note in report.summary.notes if "does not know" in note]
    assert note.startswith(f"{said} a kind that this shoetool does not know (120): record")


# ------------------------------------------------------------------------------------------------ many signatures


def many(path: Path, count: int) -> Path:
    """A file with this many signed shoes of one page each; the signatures only look like some."""
    pages: list[bytes] = []
    signatures: list[SignatureChunk] = []
    first = 0
    previous = bytes(32)
    for shoe in range(1, count + 1):
        script = Script(first, 0)
        script.add("shoe_opened", 0, 0, 6, 1, 2, 1, 6, 7, 42)
        script.add("shoe_closed", 0, 0, 0)
        (page,) = cut_pages(script.records, shoe, shoe, previous)
        previous = sha256(page).digest()
        pages.append(page)
        first = script.next
        end, record = end_of_shoe(page) or (0, 0)
        head = sha256(page[:end]).digest()
        statement = Statement(
            DEVICE, key().identifier, shoe, shoe, shoe, shoe, record - 1, record, end, 7, head
        )  # fmt: skip
        signature = shoe.to_bytes(4, "big") + bytes(2000)
        signatures.append(SignatureChunk(shoe, Signature.SIGNED, key().public, statement.pack(), signature))
    return write(path, pages, signatures, IDENTITY)


def steps(path: Path, trust: Trust) -> int:
    """Instructions of Python that verifying takes: no clock, and every loop counts, comprehensions too."""
    count = 0

    def watch(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return watch

    sys.settrace(watch)
    try:
        report = verify(path, trust=trust)
    finally:
        sys.settrace(None)
    assert len(report.summary.signatures) > 1 and all(shoe.good for shoe in report.summary.signatures)
    return count


@pytest.fixture
def believed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every signature verifies: what its check costs is the same for each."""
    monkeypatch.setattr(lms, "verify", lambda *_: True)
    yield


def test_four_times_the_signatures_take_four_times_the_work(tmp_path: Path, pins: PinStore, believed: None) -> None:
    few = steps(many(tmp_path / "few.shoelog", 30), Trust(pins, remember=True, required=True))
    lot = steps(many(tmp_path / "lot.shoelog", 120), Trust(pins, remember=True, required=True))
    assert lot < 4.4 * few, (few, lot)


def test_signatures_of_many_shoes_in_one_file_are_judged_as_ever(tmp_path: Path, believed: None) -> None:
    path = many(tmp_path / "many.shoelog", 9)
    assert verify(path).ok
    pages, signatures = read(path)
    cut = verify(write(path, [*pages[:4], *pages[5:]], signatures))
    assert [shoe.shoe for shoe in cut.summary.signatures if not shoe.good] == [5]
