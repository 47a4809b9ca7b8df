"""No byte of a signed history can be changed unseen, but for those that HISTORY_FORMAT.md says nothing covers.

The forger knows everything but the secret key: he makes every CRC fit.
"""

from __future__ import annotations

import json
import random
from binascii import crc32
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import pack, pack_into, unpack_from

import pytest
from histories import IDENTITY, Script, cut_pages, pack_page, pack_record
from sampled import some
from shoe_row import opened
from shoetool.history import chunks
from shoetool.history.chunks import ClockPoint, Configuration, SignatureChunk
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import PAGE_SIZE, Signature
from shoetool.trust import lms
from shoetool.verify import verify
from signed_histories import SETTINGS, end_of_shoe, key, sign_pages

NONE = 0xFFFFFFFF


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature over the same bytes is verified once."""
    monkeypatch.setattr(lms, "verify", cache(lms.verify))


def a_shoe(*behind: tuple[str, tuple[int | bytes, ...]]) -> tuple[list[bytes], SignatureChunk]:
    """The pages of a small shoe, and its signature. The first record behind its end is in its page, the others in one
    of their own."""
    script = Script()
    opened(script)
    script.add("loaded", 0, 312)
    script.add("shoe_closed", 3, 0, 0)
    for name, values in behind:
        script.add(name, *values)
    pages, last = cut_pages(script.records[:4], flags=1), script.records[4:]
    signature = sign_pages(pages, key(), 3)
    if last:
        body = b"".join(map(pack_record, last))
        pages.append(pack_page(1, 1, 0, last[0].number, sha256(pages[0]).digest(), body, 2))
    return pages, signature


def write(path: Path, pages: list[bytes], signature: SignatureChunk) -> Path:
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        writer.set_configuration(Configuration(1, ((1, 7),)))
        writer.add_clock(ClockPoint(0, 5000, 1_760_000_000_000, 3, 1))
        end = end_of_shoe(pages[0])
        assert end is not None
        writer.append_page(pages[0][: end[0]])  # it grew until the next fetch
        writer.add_signature(SignatureChunk(1, Signature.PENDING))
        writer.set_configuration(SETTINGS)
        writer.add_clock(ClockPoint(0, 9000, 1_760_000_004_000, 3, 1))
        for page in pages:
            writer.append_page(page)
        writer.add_signature(signature)
    return path


def honest(signature: SignatureChunk) -> tuple[str, tuple[int | bytes, ...]]:
    """What the shoe says of its own signature."""
    return "signed", (1, int(Signature.SIGNED), 3, signature.public[8:24])


def told(path: Path) -> str:
    return json.dumps(verify(path).to_json(), default=str)


def parts(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Tag, begin and end of the body of each chunk."""
    at = chunks.HEADER_SIZE
    while at < len(data):
        size = unpack_from("<I", data, at + 4)[0]
        yield data[at : at + 4], at + 8, at + 8 + size
        at += size + 12


def records(data: bytes, begin: int) -> Iterator[tuple[int, int, int]]:
    """Number, begin and end of each record of a page, its CRC left out."""
    number, at = unpack_from("<I", data, begin + 16)[0], begin + 64
    while at + 10 <= begin + PAGE_SIZE and data[at] != 0xFF:
        end = at + 6 + data[at]
        yield number, at, end
        number, at = number + 1, end + 4


def sums(data: bytes) -> list[tuple[int, int, int | None]]:
    """Begin and end of all that has a CRC behind it, inner ones first; for a record its number, which counts too."""
    out: list[tuple[int, int, int | None]] = [(0, 12, None)]
    for tag, begin, end in parts(data):
        if tag == chunks.PAGE:
            out.append((begin, begin + 60, None))
            out += [(at, until, number) for number, at, until in records(data, begin)]
        out.append((begin - 8, end, None))
    return out


def mended(data: bytes, places: list[tuple[int, int, int | None]]) -> bytes:
    """The file with every CRC made to fit."""
    out = bytearray(data)
    for begin, end, number in places:
        seed = 0 if number is None else crc32(pack("<I", number))
        pack_into("<I", out, end, crc32(out[begin:end], seed))
    return bytes(out)


def covered_by_nothing(data: bytes, behind: range) -> set[int]:
    """The bytes that HISTORY_FORMAT.md lists: the rows of its section on what nothing covers."""
    out: set[int] = set()
    settings = [place for place in parts(data) if place[0] == chunks.CONFIGURATION]
    for tag, begin, end in parts(data):
        if tag == chunks.IDENTITY:
            out |= set(range(begin + 8, end))
        elif tag == chunks.CLOCK or (tag == chunks.CONFIGURATION and begin != settings[-1][1]):
            out |= set(range(begin, end))
        elif tag == chunks.PAGE:
            found = list(records(data, begin))
            if found[0][0] in behind:
                out |= set(range(begin, begin + 60))
            for number, at, until in found:
                if number in behind:
                    out |= set(range(at, until))
    return out


def history(folder: Path) -> Path:
    """A history with all that a file can hold: a page that grew, records behind the end, and a page of such."""
    _, signature = a_shoe()
    pages, signature = a_shoe(honest(signature), ("configured", (SETTINGS.crc,)), ("dealer_changed", (2,)))
    return write(folder / "a.shoelog", pages, signature)


def test_the_history_is_verified_and_says_what_no_signature_covers(tmp_path: Path) -> None:
    report = verify(history(tmp_path))
    assert report.verdict == "verified" and [shoe.good for shoe in report.summary.signatures] == [True]
    notes = " ".join(report.summary.notes)
    assert "after the signed end of shoe 1 follow: records 4 to 5; no signature covers them" in notes
    assert "flags" not in notes and "bytes" not in notes


def test_a_byte_that_is_changed_is_told(tmp_path: Path) -> None:
    """A changed record behind the signed end is not told by its content: the report names the record as not signed."""
    path = history(tmp_path)
    data, before = path.read_bytes(), told(path)
    (stretch,) = verify(path).summary.behind_signed_end
    free = covered_by_nothing(data, range(stretch.first, stretch.last + 1))
    places = sums(data)
    assert mended(data, places) == data
    checked = {end + at for _, end, _ in places for at in range(4)}
    rng = random.Random(47)
    seen = set()
    for at in some([one for one in range(len(data)) if one not in checked], 19):
        changed = bytearray(data)
        changed[at] ^= rng.randrange(1, 256)
        path.write_bytes(mended(bytes(changed), places))
        try:
            silent = told(path) == before
        except chunks.BadInput:
            silent = False
        assert not silent or at in free, f"byte {at} of {len(data)}"
        seen.add(silent)
    assert seen == {False, True}, "there is something that nothing covers, or the list above is not needed"


def test_a_byte_that_is_changed_without_its_crc_is_told(tmp_path: Path) -> None:
    path = history(tmp_path)
    data, before = path.read_bytes(), told(path)
    for at in some(range(len(data)), 37):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        path.write_bytes(changed)
        try:
            assert told(path) != before, at
        except chunks.BadInput:
            continue


@pytest.mark.parametrize("tag", chunks.KNOWN_TAGS)
def test_bytes_that_are_added_to_a_chunk_are_told(tag: bytes, tmp_path: Path) -> None:
    path = history(tmp_path)
    data, before = path.read_bytes(), told(path)
    for kind, begin, end in parts(data):
        if kind == tag:
            longer = chunks.pack_chunk(kind, data[begin:end] + b"\x80\xff")
            path.write_bytes(data[: begin - 8] + longer + data[end + 4 :])
            assert told(path) != before, begin


def test_bytes_and_chunks_that_are_added_are_told(tmp_path: Path) -> None:
    path = history(tmp_path)
    data, before = path.read_bytes(), told(path)
    ends = [chunks.HEADER_SIZE, *(end + 4 for _, _, end in parts(data))]
    for added in (b"\0", b"PAGE", chunks.pack_chunk(b"MINE", b"x"), chunks.pack_chunk(b"SIGN", b"x")):
        for at in ends:
            path.write_bytes(data[:at] + added + data[at:])
            assert told(path) != before, (added, at)


# ------------------------------------------------------------------------------------------------ each kind by itself
def notes(path: Path) -> str:
    report = verify(path)
    assert report.ok and all(shoe.good for shoe in report.summary.signatures)
    return " ".join(report.summary.notes)


def test_what_the_shoe_says_of_its_own_signature_needs_no_note(tmp_path: Path) -> None:
    _, signature = a_shoe()
    pages, signature = a_shoe(honest(signature))
    assert "no signature covers" not in notes(write(tmp_path / "a.shoelog", pages, signature))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((1, int(Signature.SIGNED), 4, key().public[8:24]), "signed, index 4"),
        ((1, int(Signature.SIGNED), 3, bytes(16)), f"signed, index 3, key {bytes(16).hex()}"),
        ((1, int(Signature.FAILED), NONE, bytes(16)), "failed"),
        ((9, int(Signature.SIGNED), 3, key().public[8:24]), ""),
    ],
    ids=["another index", "another key", "it failed", "another shoe"],
)
def test_a_forged_record_on_a_signature_is_told(values: tuple[int | bytes, ...], said: str, tmp_path: Path) -> None:
    pages, signature = a_shoe(("signed", values))
    shown = notes(write(tmp_path / "a.shoelog", pages, signature))
    assert "after the signed end of shoe 1 follow: record 3; no signature covers it" in shown
    assert not said or ("record 3 says of the signature of shoe 1: " + said in shown and "bears that out" in shown)


def test_a_second_word_on_the_same_signature_is_told(tmp_path: Path) -> None:
    _, signature = a_shoe()
    pages, signature = a_shoe(honest(signature), honest(signature))
    assert "follow: record 4; no signature covers it" in notes(write(tmp_path / "a.shoelog", pages, signature))


def test_flags_of_the_file_are_told(tmp_path: Path) -> None:
    path = history(tmp_path)
    data = bytearray(path.read_bytes())
    data[11] = 0x20
    path.write_bytes(mended(bytes(data), sums(bytes(data))))
    assert "the header of the file has the flags 0x2000" in notes(path)


@pytest.mark.parametrize(
    ("flags", "boots", "said"),
    [
        ((1, 2), (0, 0), ""),
        ((255, 0), (0, 0), ""),
        ((0, 0), (0, 0), ""),
        ((3, 1), (0, 0), "page 1 has the flags 1, page 0 of the same start before it 3"),
        ((3, 0), (0, 0), "page 1 has the flags 0, page 0 of the same start before it 3"),
        ((0, 3), (0, 0), "page 1 has the flags 3, page 0 of the same start before it none"),
        ((1, 1), (0, 5), "page 1 says that the shoe had started 5 times, page 0 before it 0"),
    ],
)
def test_a_header_that_does_not_follow_the_one_before_is_told(
    flags: tuple[int, int], boots: tuple[int, int], said: str, tmp_path: Path
) -> None:
    (page,), _ = a_shoe(honest(a_shoe()[1]))
    script = Script(4)
    script.add("dealer_changed", 2)
    first = pack_page(0, 1, boots[0], 0, bytes(32), page[64:].rstrip(b"\xff"), flags[0])
    second = pack_page(1, 1, boots[1], 4, sha256(first).digest(), pack_record(script.records[0]), flags[1])
    shown = notes(write(tmp_path / "a.shoelog", [first, second], sign_pages([first], key(), 3)))
    assert (said in shown) if said else ("flags" not in shown and "started" not in shown)


def test_a_start_in_a_page_whose_flags_are_of_a_later_time_is_told(tmp_path: Path) -> None:
    script = Script()
    script.add("boot", 0, b"\x00\x01\x00", 1, 7)
    pages = cut_pages(script.records, flags=4)
    with ShoelogWriter(tmp_path / "a.shoelog", sync=False) as writer:
        writer.set_identity(IDENTITY)
        writer.append_page(pages[0])
    assert "page 0 has the flags 4, and a start of the shoe in it" in " ".join(
        verify(tmp_path / "a.shoelog").summary.notes
    )
