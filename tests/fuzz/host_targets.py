"""Fuzz targets of the host: frames, answers, history files, recordings, pages, signatures, files that people write."""

from __future__ import annotations

import contextlib
import os
import struct
import tempfile
from binascii import crc32
from pathlib import Path

from made_record import encode_payload
from shoetool.cli import settings
from shoetool.client.key_file import read_key
from shoetool.history.chain import PageChain, PageHeader
from shoetool.history.chunks import ClockPoint, Configuration, Identity, SignatureChunk
from shoetool.history.store import ShoelogReader
from shoetool.link.recording import read_recording
from shoetool.model.errors import ShoetoolError
from shoetool.model.protocol_table import MESSAGES, PAGE_SIZE, RECORDS
from shoetool.model.records import decode_record
from shoetool.report.sentences import sentence
from shoetool.round_file import file as round_file
from shoetool.rules.submission import file as submission_file
from shoetool.table.replay import replay
from shoetool.transparency.check import LogCheck
from shoetool.transparency.checked import Trusted
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.note import NOTE, Note, SigningKey, VerifierKey
from shoetool.transparency.proof import parse_proof
from shoetool.transparency.tiles import Tile, unbundle
from shoetool.transparency.tree import Tree, leaf_hash
from shoetool.trust import lms
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement
from shoetool.verify import verify
from shoetool.wire.answers import Identity as WireIdentity
from shoetool.wire.answers import Status, unpack_edges, unpack_pairs, unpack_shoes
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame, encode_frame
from shoetool.wire.messages import unpack
from trust_target import judge

_FOLDER = Path(tempfile.mkdtemp(prefix="shoetool-fuzz-"))
_FILE = _FOLDER / f"{os.getpid()}"
_LOG_KEY = SigningKey("log", NOTE, bytes(32))
_CONTRADICT = ("fork", "reused index", "contradicted")


def _file(data: bytes) -> Path:
    """A file with this content, the same one each time."""
    _FILE.write_bytes(data)
    return _FILE


def host_frames(data: bytes) -> None:
    """Any bytes in pieces of any size: what is found does not depend on the pieces, and frames can be made again."""
    piece = data[0] % 61 + 1 if data else 1
    body = data[1:]
    whole = FrameDecoder()
    expected = [*whole.feed(body), *whole.flush()]
    parts = FrameDecoder()
    found = []
    for start in range(0, len(body), piece):
        found += parts.feed(body[start : start + piece])
    found += parts.flush()
    assert [one for one in found if isinstance(one, Frame)] == [one for one in expected if isinstance(one, Frame)]
    for one in found:
        if isinstance(one, Frame):
            again = FrameDecoder().feed(encode_frame(one.kind, one.epoch, one.sequence, one.payload, one.version))
            assert again == [one]


def host_answers(data: bytes) -> None:
    """Any payload of any message and any record: fields, or one clear error."""
    if not data:
        return
    body = data[1:]
    kinds = sorted(MESSAGES)
    kind = kinds[data[0] % len(kinds)]
    for part in ("request", "answer", "unasked"):
        if part in MESSAGES[kind]:
            with contextlib.suppress(ShoetoolError):
                unpack(kind, part, body)
    for call in (Status.unpack, WireIdentity.unpack, unpack_shoes, unpack_pairs, unpack_edges):
        with contextlib.suppress(ShoetoolError):
            call(body)
    records = sorted(RECORDS)
    number = records[data[0] % len(records)]
    try:
        record = decode_record(7, 1, 99, number, body)
    except ShoetoolError:
        return
    record.to_json()
    assert sentence(record)
    assert decode_record(7, 1, 99, number, encode_payload(number, record.values)) == record


def host_shoelog(data: bytes) -> None:
    """Any file: read, replayed and verified, or refused in one line."""
    if data[:1] == b"\1":  # let the damage get past the CRCs of the chunks
        data = _chunks_fit(data[1:])
    try:
        with ShoelogReader(_file(data)) as reader:
            for record in reader.records():
                record.to_json()
        with ShoelogReader(_FILE) as reader:
            list(replay(reader.records()))
        with ShoelogReader(_FILE) as reader:
            verify(reader)
    except ShoetoolError as error:
        assert "\n" not in str(error)


def _chunks_fit(data: bytes) -> bytes:
    """The file with the CRCs of its pages' headers and records made to fit, and then those of its chunks."""
    out = bytearray(data)
    at = 16
    while at + 8 <= len(out):
        (size,) = struct.unpack_from("<I", out, at + 4)
        end = at + 8 + size
        if end + 4 > len(out):
            break
        if size == PAGE_SIZE:
            out[at + 8 : end] = _page_fits(bytes(out[at + 8 : end]))
        struct.pack_into("<I", out, end, crc32(out[at:end]))
        at = end + 4
    return bytes(out)


def _page_fits(page: bytes) -> bytes:
    """A page whose header and records have the right CRCs, as far as the lengths lead."""
    out = bytearray(page.ljust(PAGE_SIZE, b"\xff")[:PAGE_SIZE])
    struct.pack_into("<I", out, 60, crc32(out[:60]))
    (number,) = struct.unpack_from("<I", out, 16)
    at = 64
    while at + 10 <= PAGE_SIZE and out[at] != 0xFF and at + out[at] + 10 <= PAGE_SIZE:
        end = at + 6 + out[at]
        struct.pack_into("<I", out, end, crc32(out[at:end], crc32(struct.pack("<I", number))))
        number = (number + 1) & 0xFFFFFFFF
        at = end + 4
    return bytes(out)


def host_recording(data: bytes) -> None:
    """Any file as a recording: its entries, or one clear error."""
    try:
        for _ in read_recording(_file(data)):
            pass
    except ShoetoolError as error:
        assert "\n" not in str(error)


def host_pages(data: bytes) -> None:
    """Any pages in a row: records and problems, never an exception. With an odd first byte CRCs are made to fit."""
    chain = PageChain()
    body = data[1:]
    for start in range(0, min(len(body), 3 * 600), 600):
        page = body[start : start + 600].ljust(PAGE_SIZE, b"\xff")
        if data[:1] and data[0] & 1:
            page = _page_fits(page)
        with contextlib.suppress(ShoetoolError):
            PageHeader.unpack(page)
        for record in [*chain.feed(page)]:
            assert sentence(record)
    for record in chain.end():
        assert sentence(record)
    for problem in chain.problems:
        assert problem.text


def host_signature(data: bytes) -> None:
    """Any statement and signature: never verified by accident, and both verifiers agree."""
    public, rest = data[:56], data[56:]
    message, signature = rest[:94], rest[94:]
    for parse in (Statement.unpack, SignatureChunk.unpack, Identity.unpack, Configuration.unpack, ClockPoint.unpack):
        try:
            parse(message)
            parse(data)
        except ShoetoolError:
            pass
    lms.signature_size(public)
    lms.key_of(public[8:24], message, signature)
    lms.verify(public, message, signature)  # VerifiersDisagree is a find


def host_trust(data: bytes) -> None:
    """Any statement over any few pages, as if it were signed: judged, and never called good unless all is there."""
    judge(data, _FOLDER, _page_fits)


def host_key_file(data: bytes) -> None:
    """Any file as a key file: a key, or one clear error that does not show what is in the file."""
    try:
        key = read_key(_file(data))
    except ShoetoolError as error:
        text = str(error)
        assert "\n" not in text and len(text) < 400
    else:
        assert len(key.secret) == 32 and key.secret.hex() not in repr(key)


def host_log(data: bytes) -> None:
    """Any checkpoint, proof, verifier key, entry or log: read and checked, or refused in one line."""
    kind, body = data[:1] or b"\0", data[1:]
    try:
        if kind == b"\0":
            note = Note.parse(body, "it")
            assert Note.parse(note.pack(), "it") == note
            Checkpoint.parse(note.text, "it")
        elif kind == b"\1":
            proof = parse_proof(body, "it")
            assert parse_proof(proof.pack(), "it") == proof
        elif kind == b"\2":
            key = VerifierKey.parse(body.decode("utf-8", "replace"))
            assert VerifierKey.parse(key.text) == key
        elif kind == b"\3":
            assert Entry.unpack(body).pack() == body
        else:
            _log(body)
    except ShoetoolError as error:
        assert "\n" not in str(error)


def _log(body: bytes) -> None:
    """A log of two entries whose bundle is these bytes, under a checkpoint that fits them if they are entries."""
    tile = Tile(None, 0, 2)
    with contextlib.suppress(ValueError):
        tree = Tree([leaf_hash(entry) for entry in unbundle(body, tile)])
        log = _FOLDER / "log"
        for path, content in ((tile.path, body), (Tile(0, 0, 2).path, b"".join(tree.row(0)))):
            (log / path).parent.mkdir(parents=True, exist_ok=True)
            (log / path).write_bytes(content)
        text = Checkpoint("log", 2, tree.root()).text
        (log / "checkpoint").write_bytes(Note(text, (_LOG_KEY.sign(text),)).pack())
        check = LogCheck(log, Trusted(_LOG_KEY.verifier), KnownKeys(PinStore(_FOLDER / "pins")), 0.0)
        found = check.run([], []).findings
        assert check.out.signed and {one.what for one in found} <= {"damaged", "forged", "missing", *_CONTRADICT}


def host_settings(data: bytes) -> None:
    """Any file as settings: values in their ranges, or one clear error."""
    try:
        values = settings.read_toml(_file(data))
        settings.check_together(values)
    except ShoetoolError:
        return
    assert settings.read_toml(_file(settings.to_toml(values).encode())) == values


def host_rounds(data: bytes) -> None:
    """Any text as a round file: rounds, or one clear error."""
    with contextlib.suppress(ShoetoolError):
        round_file.parse(data.decode("utf-8", "replace"), "fuzz")


def host_submission(data: bytes) -> None:
    """Any text as a rules submission: a submission, or refusals."""
    text = data.decode("utf-8", "replace")
    try:
        found, refusals = submission_file.judge(text, "fuzz")
    except ShoetoolError:  # no TOML at all
        return
    assert found is not None or refusals
