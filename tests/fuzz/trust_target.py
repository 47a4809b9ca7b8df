"""Fuzz target of the judgement of signatures: any statement over any few pages, as if its key had signed it.

Input: a byte of flags; a byte, the number of pages; each page as number, shoe, first record, flags, length of its
records, and these; then settings' CRC (4) and the statement (94) with what is left as signature. Pages are short here
and filled up.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from shoetool.history import chunks
from shoetool.history.chunks import Configuration, Identity, SignatureChunk
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import ShoetoolError
from shoetool.model.protocol_table import PAGE_SIZE, Signature
from shoetool.trust import lms
from shoetool.trust.statement import SIZE, Statement
from shoetool.trust.trust import Trust
from shoetool.verify import verify

PUBLIC = struct.pack(">II", 5, 3) + bytes(range(48))
DEVICES = (b"fuzzshoe", b"fuzzothe")
MOST_PAGES = 5
# flags of the input: what is made to fit, so that what lies behind a comparison is reached
MAGIC_FITS, KEY_FITS, HEAD_FITS, NAME_FITS, NO_PAIRS = 1, 2, 4, 8, 16
# flags of a page
OTHER_DEVICE, NOT_LINKED = 1, 2


@contextmanager
def everything_signed() -> Iterator[None]:
    """Every signature verifies: a fuzzer makes no good one, and would never come behind that check."""
    real = lms.verify
    lms.verify = lambda public, message, signature: True  # type: ignore[assignment]
    try:
        yield
    finally:
        lms.verify = real


def pages_of(data: bytes, fits: object) -> tuple[list[bytes], int]:
    """The pages of an input, each continuing the one before unless it says otherwise; where they end."""
    pages: list[bytes] = []
    at = 2
    previous = bytes(32)
    for _ in range(data[1] % (MOST_PAGES + 1)):
        if at + 5 > len(data):
            break
        number, shoe, first, flags, size = data[at : at + 5]
        body = data[at + 5 : at + 5 + size]
        at += 5 + size
        device = DEVICES[flags & OTHER_DEVICE]
        link = bytes(32) if flags & NOT_LINKED else previous
        header = struct.pack("<4sBBHIII8s32sI", b"SHOE", 1, 0, 1, number, shoe, first, device, link, 0)
        assert callable(fits)
        pages.append(fits(header + body))
        previous = sha256(pages[-1]).digest()
    return pages, at


def statement_of(data: bytes, flags: int, pages: list[bytes]) -> bytes:
    """The statement, made to fit as far as the flags say."""
    out = bytearray(data[:SIZE].ljust(SIZE, b"\0"))
    if flags & MAGIC_FITS:
        out[:8] = b"SHOESIG\1"
        out[8:16] = DEVICES[0]
    if flags & KEY_FITS:
        out[16:32] = PUBLIC[8:24]
    last, end = struct.unpack_from("<I", out, 44)[0], struct.unpack_from("<H", out, 56)[0]
    for page in pages:
        if flags & HEAD_FITS and struct.unpack_from("<I", page, 8)[0] == last:
            out[62:] = sha256(page[:end]).digest()
    return bytes(out)


def judge(data: bytes, folder: Path, fits: object) -> None:
    """The promises: one line of refusal or a report; a shoe whose signature is called good is all there."""
    if len(data) < 2:
        return
    flags = data[0]
    pages, at = pages_of(data, fits)
    crc = int.from_bytes(data[at : at + 4], "little")
    statement = statement_of(data[at + 4 : at + 4 + SIZE], flags, pages)
    signature = statement[32:36][::-1] + data[at + 4 + SIZE :]
    shoe = struct.unpack_from("<I", statement, 36)[0]
    pairs = () if flags & NO_PAIRS else ((1, 0), (3, 6))
    bodies = [
        (chunks.IDENTITY, Identity(DEVICES[0], 1, 1, b"\0\1\0", "fuzz").pack()),
        (chunks.CONFIGURATION, Configuration(crc, pairs).pack()),
        *((chunks.PAGE, page) for page in pages),
        (chunks.SIGNATURE, SignatureChunk(shoe, Signature.SIGNED, PUBLIC, statement, signature).pack()),
    ]
    path = folder / (f"{DEVICES[0].hex()}-{shoe:05d}.shoelog" if flags & NAME_FITS else "trust.shoelog")
    path.write_bytes(chunks.pack_header() + b"".join(chunks.pack_chunk(tag, body) for tag, body in bodies))
    try:
        with everything_signed(), ShoelogReader(path) as reader:
            report = verify(reader, trust=Trust(required=True))
    except ShoetoolError as error:
        assert "\n" not in str(error)
        return
    finally:
        path.unlink()
    report.to_json()
    for known in report.summary.signatures:
        assert known.good == (known.signed and not known.found)
        if known.good:
            all_there(Statement.unpack(statement), pages)
    covered = [shoe for shoe in report.summary.signatures if shoe.good]
    assert covered or not report.summary.behind_signed_end
    assert not report.ok, "a signature was required, and nobody pinned this key"


def all_there(said: Statement, pages: list[bytes]) -> None:
    """What was signed is in these pages: asked in another way than the code under test does."""
    mine = {struct.unpack_from("<I", page, 8)[0]: page for page in pages}
    row = [mine[number] for number in range(said.first_page, said.last_page + 1)]
    for before, after in pairwise(row):
        assert after[28:60] == sha256(before).digest()
    assert all(page[20:28] == said.device and struct.unpack_from("<I", page, 12)[0] == said.shoe for page in row)
    assert sha256(row[-1][: said.end]).digest() == said.head and said.end <= PAGE_SIZE
