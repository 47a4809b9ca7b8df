"""Entries and logs for tests, made without histories: the signature of such an entry has the right length only."""

from __future__ import annotations

import struct
from hashlib import sha256
from pathlib import Path

from histories import DEVICE
from shoetool.transparency.entry import Entry
from shoetool.transparency.keeper import Keeper, begin
from shoetool.trust.keys import PublicKey
from shoetool.trust.lms import signature_size
from shoetool.trust.statement import Statement

ORIGIN = "casino.example/shoes"


def public(name: str = "shoe") -> PublicKey:
    """A public key that nobody can sign with."""
    digest = sha256(name.encode()).digest()
    return PublicKey(struct.pack(">II", 5, 3) + digest[:16] + digest)


def made(shoe: int, index: int | None = None, device: bytes = DEVICE, key: str = "shoe", head: bytes = b"") -> Entry:
    """The entry of a shoe: pages 2n and 2n + 1, records 10n to 10n + 9, index n if no other is asked for."""
    by = public(key)
    used = shoe if index is None else index
    statement = Statement(
        device, by.identifier, used, shoe, 2 * shoe, 2 * shoe + 1, 10 * shoe, 10 * shoe + 9, 100, 7,
        sha256(head + device + struct.pack("<I", shoe)).digest(),
    )  # fmt: skip
    size = signature_size(by.raw)
    assert size is not None
    return Entry(statement, sha256(b"before %d" % shoe).digest(), by, struct.pack(">I", used) + bytes(size - 4))


def log_of(folder: Path, *appends: range) -> tuple[Path, Path]:
    """A log of made entries, one append for each range of shoes. Returns its folder and its key file."""
    log, key = folder / "log", folder / "log.logkey"
    begin(log, ORIGIN, key)
    for shoes in appends:
        Keeper(log, key).append([made(shoe) for shoe in shoes])
    return log, key


# ----------------------------------------------------------------------------- RFC 6962, section 2.1, word for word


def mth(entries: list[bytes]) -> bytes:
    """MTH(D[n])."""
    if not entries:
        return sha256(b"").digest()
    if len(entries) == 1:
        return sha256(b"\0" + entries[0]).digest()
    k = largest_power(len(entries))
    return sha256(b"\1" + mth(entries[:k]) + mth(entries[k:])).digest()


def largest_power(n: int) -> int:
    """The largest power of two smaller than n."""
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def path(m: int, entries: list[bytes]) -> list[bytes]:
    """PATH(m, D[n])."""
    n = len(entries)
    if n == 1:
        return []
    k = largest_power(n)
    if m < k:
        return [*path(m, entries[:k]), mth(entries[k:])]
    return [*path(m - k, entries[k:]), mth(entries[:k])]


def proof(m: int, entries: list[bytes]) -> list[bytes]:
    """PROOF(m, D[n])."""
    return subproof(m, entries, True)


def subproof(m: int, entries: list[bytes], b: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b)."""
    n = len(entries)
    if m == n:
        return [] if b else [mth(entries)]
    k = largest_power(n)
    if m <= k:
        return [*subproof(m, entries[:k], b), mth(entries[k:])]
    return [*subproof(m - k, entries[k:], False), mth(entries[:k])]
