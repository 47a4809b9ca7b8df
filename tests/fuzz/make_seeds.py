"""Write the seeds of the fuzz targets from contract vectors and examples: `python tests/fuzz/make_seeds.py`."""

from __future__ import annotations

import json
import struct
import sys
from binascii import crc32
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "host")]

import targets  # noqa: E402 # sets the paths of firmware and host
from device_targets import GIVE, PROVE, Life  # noqa: E402
from log_entries import made  # noqa: E402
from shoe import wire_table as t  # noqa: E402
from shoe.config import Config  # noqa: E402
from shoetool.client.authority import CommandKey  # noqa: E402
from shoetool.client.key_file import write_new  # noqa: E402
from shoetool.rules.submission import file as submission_file  # noqa: E402
from shoetool.transparency.checkpoint import Checkpoint  # noqa: E402
from shoetool.transparency.note import NOTE, Note, SigningKey  # noqa: E402
from shoetool.transparency.proof import ConsistencyProof, InclusionProof  # noqa: E402
from shoetool.transparency.tiles import bundle  # noqa: E402
from shoetool.transparency.tree import Tree  # noqa: E402

ROUND = json.dumps(
    {
        "format": "shoetool-round/1",
        "table": {"game": "blackjack", "decks": 6},
        "cards": ["8h", "Kc", "9d", "5s", "7c"],
        "positions": [
            {"position": 3, "wager": "25.00", "side": {"lucky_ladies": "5.00"}, "decisions": [["hit"], ["stand"]]}
        ],
    }
).encode()
LMS_TYPES = ((5, 265, 1), (6, 133, 2), (5, 67, 3), (7, 34, 4), (8, 34, 4), (9, 34, 4))
"""LMS type, chains of its LMOTS type, LMOTS type."""
LMS_HEIGHTS = {5: 5, 6: 10, 7: 15, 8: 20, 9: 25}
KEPT = 6_000  # bytes of the largest seed


def steps(*pairs: tuple[int, bytes]) -> bytes:
    """Input of the request targets."""
    return b"".join(bytes((len(payload), kind)) + payload for kind, payload in pairs)


def every_request() -> list[bytes]:
    """One input per request, with a payload of zeros and one of ones."""
    out = []
    for kind, layout in t.REQUEST_FORMATS.items():
        size = struct.calcsize(layout)
        out.append(steps((kind, bytes(size)), (kind, b"\1" * size), (kind, bytes(max(0, size - 1)))))
    challenge = [(t.MSG_CHALLENGE, bytes((kind,))) for kind in t.PRIVILEGED_REQUESTS]
    wrapped = [(t.MSG_PRIVILEGED, bytes((kind,)) + bytes(40)) for kind in t.PRIVILEGED_REQUESTS]
    out.append(steps(*[step for pair in zip(challenge, wrapped, strict=True) for step in pair]))
    out.append(steps((t.MSG_KEY, b"\x0a\0"), (t.MSG_KEY, b"\1\3"), (t.MSG_KEY, b"\2\0"), (254, b"\x10\x27\0\0")))
    return out


def owner() -> list[bytes]:
    """What who has the key does: announce this firmware and another, renew the key with a signing key and without."""
    update = bytes((t.MSG_UPDATE,)) + b"\0\2\0"
    offer = (GIVE, bytes((t.MSG_KEY_OFFER,)) + bytes(range(32)))
    return [
        steps((GIVE, update + bytes(range(32)))),
        steps((GIVE, update + b"\7" * 32), (GIVE, bytes((t.MSG_PLAY_OPEN,)))),
        steps(offer, (PROVE, b"\0"), (t.MSG_AUTHORITY, b"")),
        steps(offer, (PROVE, b"\5"), (254, b"\xe8\3\0\0"), (254, b"\xe8\3\0\0"), (t.MSG_AUTHORITY, b"")),
    ]


def signatures() -> list[bytes]:
    """Key, statement and a signature of the right length for each type, and two whose lengths or types do not fit."""
    out = []
    for lms, chains, ots in LMS_TYPES:
        size = 32 * (chains + 1)
        tail = struct.pack(">I", lms) + bytes(32 * LMS_HEIGHTS[lms])
        start = struct.pack(">II", lms, ots) + bytes(48) + b"SHOESIG\1" + bytes(86)
        if size < KEPT - 1000:
            out.append(start + struct.pack(">II", 1, ots) + bytes(size) + tail)
    short = out[-1]
    out.append(short[:-32])
    out.append(struct.pack(">II", 5, 4) + short[8:])
    return out


def trusted() -> list[bytes]:
    """Few pages under a statement: all there, one missing, one strange, one behind the end, and no statement."""
    closed = struct.pack("<BBI", 5, t.REC_SHOE_CLOSED, 1000) + bytes(9)
    behind = struct.pack("<BBI", 4, t.REC_CONFIGURED, 1001) + bytes(8)
    boot = struct.pack("<BBI", 10, t.REC_BOOT, 999) + bytes(14)
    crc = crc32(bytes((1, 0, 0, 0, 0, 3, 6, 0, 0, 0)))

    def page(number: int, first: int, body: bytes, shoe: int = 1, flags: int = 0) -> bytes:
        return bytes((number, shoe, first, flags, len(body))) + body

    def made(flags: int, *pages: bytes, end: int = 64 + len(closed), last: int = 1) -> bytes:
        said = bytes(32) + struct.pack("<IIIIIIHI", 3, 1, 0, last, 0, 1, end, crc) + bytes(32)
        return bytes((flags, len(pages))) + b"".join(pages) + struct.pack("<I", crc) + said + b"\0\0\0\3"

    return [
        made(15, page(0, 0, boot), page(1, 1, closed)),
        made(15, page(0, 0, boot), page(1, 1, closed + behind)),
        made(15, page(1, 1, closed)),
        made(15, page(0, 0, boot, shoe=2), page(1, 1, closed)),
        made(15, page(0, 0, boot), page(1, 1, closed, flags=1)),
        made(15, page(1, 1, closed), page(0, 0, boot)),
        made(15, page(0, 0, boot), page(1, 1, closed, flags=2)),
        made(11, page(0, 0, boot), page(1, 1, closed)),
        made(31, page(0, 0, boot), page(1, 1, closed), end=0),
        made(0),
    ]


def logged() -> list[bytes]:
    """A checkpoint, both proofs, a verifier key, an entry, and a log of two entries; each behind a byte."""
    seed = SigningKey("log", NOTE, bytes(32))
    tree = Tree([made(shoe).leaf for shoe in (1, 2)])
    text = Checkpoint("log", 2, tree.root()).text
    note = Note(text, (seed.sign(text),))
    inclusion = InclusionProof(0, tuple(tree.inclusion(0)), note, b"extra")
    return [
        b"\0" + note.pack(),
        b"\1" + inclusion.pack(),
        b"\1" + ConsistencyProof(1, tuple(tree.consistency(1)), note).pack(),
        b"\2" + seed.verifier.text.encode(),
        b"\3" + made(1).pack(),
        b"\4" + bundle([made(1).pack(), made(3).pack()]),
    ]


def seeds() -> dict[str, list[bytes]]:
    """Seeds by target."""
    wire = json.loads((ROOT / "tests" / "vectors" / "wire.json").read_text())
    cases = [bytes.fromhex(case["line"]) for case in wire["cases"] if 0 < len(case["line"]) < 900]
    life = Life(True)
    app = life.app()
    journal = bytes(app.journal.device.data).rstrip(b"\xff")
    store = bytes(life.board.store.data)
    page = len(store) // life.board.store.pages
    config = Config().pack()
    logs = sorted((ROOT / "tests" / "vectors" / "history").glob("*.shoelog"), key=lambda path: path.stat().st_size)
    history = logs[0].read_bytes()[:KEPT]
    first = history.index(b"SHOE", 8)
    key = HERE / "seed.shoekey"
    write_new(key, CommandKey(bytes(range(8)), bytes(range(32))))
    key_file = key.read_bytes()
    key.unlink()
    requests = every_request()
    return {
        "device_frames": [b"\7" + case for case in cases[::4]],
        "host_frames": [b"\7" + case for case in cases[::4]],
        "device_provisioned": requests + owner(),
        "device_open": requests,
        "device_config": [config, config[:5], config[:-1], b"\x03" + struct.pack("<I", 8)],
        "device_journal": [b"\0" + journal, b"\1" + journal],
        "device_notes": [store[2 * page : 4 * page].rstrip(b"\xff"), store[8 * page :].rstrip(b"\xff")],
        "device_keys": [store[8 * page :].rstrip(b"\xff")],
        "device_boot": [b"", bytes.fromhex("00400000"), bytes.fromhex("0010000002200100"), bytes.fromhex("02000800")],
        "host_answers": [bytes((n,)) + bytes(range(60)) for n in range(0, 60, 6)],
        "host_shoelog": [history, b"\1" + history[:3000]],
        "host_pages": [b"\0" + history[first : first + 1200], b"\1" + history[first : first + 1200]],
        "host_recording": [b"SHOELINK\1" + bytes(8) + b"\1" + bytes(8) + b"\2\0ab" + b"\2" + bytes(8) + b"\1\0c"],
        "host_signature": [
            struct.pack(">II", 6, 3) + bytes(48) + b"SHOESIG\1" + bytes(86) + struct.pack(">II", 0, 3) + bytes(2500),
            *signatures(),
        ],
        "host_trust": trusted(),
        "host_key_file": [key_file, key_file[:100]],
        "host_log": logged(),
        "host_settings": [b'decks = 8\nshoe_kind = "double"\noptions = ["two_batches"]\n'],
        "host_rounds": [ROUND, ROUND.replace(b"25.00", b"1e9"), b"[" + ROUND + b"]"],
        "host_submission": [submission_file.example(name).encode()[:KEPT] for name in submission_file.example_names()],
    }


if __name__ == "__main__":
    for name, found in seeds().items():
        assert name in targets.TARGETS
        folder = HERE / "seeds" / name
        folder.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(dict.fromkeys(found)):
            (folder / f"{number:02d}").write_bytes(seed)
