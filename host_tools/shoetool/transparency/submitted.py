"""From a history to entries: which of its shoes can be logged, and why others are refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from shoetool.history.chain import PageFact
from shoetool.history.chunks import SignatureChunk
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import Signature
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import UNSIGNED, LogFinding
from shoetool.trust.findings import SignedShoe
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.signed_history import examine
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify.signatures import Closings


@dataclass(frozen=True, slots=True)
class Held:
    """The pages of one shoe in a file: the first and the last, and the SHA-256 of the page before and of the last.

    `signed`: whether the file has a signature of that shoe, a good one or not. `unbroken`: each page between is there,
    and is the one that the next page names; only then the last page's SHA-256 answers for all of them.
    """

    device: bytes
    shoe: int
    first_page: int
    last_page: int
    previous: bytes
    digest: bytes
    signed: bool
    unbroken: bool


@dataclass(slots=True)
class Submitted:
    """What a history holds for the log.

    `entries`: its shoes that pinned keys signed, whole and unchanged. `refused`: what is wrong with the others.
    `unpinned`: signed shoes of devices for which nobody pinned a key. `held`: the pages of each shoe.
    """

    file: str
    entries: list[Entry] = field(default_factory=list)
    unpinned: list[Entry] = field(default_factory=list)
    refused: list[LogFinding] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)


def submitted(path: Path, pins: PinStore) -> Submitted:
    """Read a history and judge its signatures, as `verify` does. BadInput when it cannot be read."""
    with ShoelogReader(path) as reader:
        closings = Closings(reader)
        closings.read_all()
        shoes, found = examine(reader, Trust(pins), closings.closed, closings.told, closings.rounds_behind)
        facts, chunks = reader.chain.facts, reader.signatures
    signatures = [one for one in chunks if one.state == Signature.SIGNED]
    out = Submitted(str(path), held=list(_held(facts, {one.shoe for one in signatures})))
    said = {(finding.shoe, finding.what): finding.sentence for finding in found}
    for shoe in shoes:
        device = None if shoe.device is None else shoe.device.hex()
        if not shoe.signed and not shoe.found:
            text = f"shoe {shoe.shoe} is not signed ({shoe.why})" if shoe.why else f"shoe {shoe.shoe} is not signed"
            out.refused.append(LogFinding(UNSIGNED, text, device, shoe.shoe))
        elif not shoe.good:
            for what in shoe.found:
                out.refused.append(LogFinding(what, _plain(said[shoe.shoe, what]), device, shoe.shoe))
        else:
            entry = _entry(shoe, facts, signatures)
            (out.entries if shoe.pinned else out.unpinned).append(entry)
    if not shoes:
        out.refused.append(LogFinding(UNSIGNED, "no shoe was closed in it, so none is signed"))
    return out


def _plain(sentence: str) -> str:
    return sentence.rstrip(".")


def _entry(shoe: SignedShoe, facts: list[PageFact], chunks: list[SignatureChunk]) -> Entry:
    for chunk in chunks:
        statement = Statement.unpack(chunk.statement)
        if (statement.device, statement.shoe, statement.index) == (shoe.device, shoe.shoe, shoe.index):
            whose = (statement.device, statement.shoe, statement.first_page)
            first = next(fact for fact in facts if (fact.device, fact.shoe, fact.page) == whose)
            return Entry(statement, first.previous, PublicKey(chunk.public), chunk.signature)
    raise AssertionError("a good shoe has its signature in the file")


def _held(facts: list[PageFact], signed: set[int]) -> Iterator[Held]:
    rows: dict[tuple[bytes, int], list[PageFact]] = {}
    for fact in facts:
        rows.setdefault((fact.device, fact.shoe), []).append(fact)
    for (device, shoe), row in rows.items():
        unbroken = all(b.page == a.page + 1 and b.previous == a.digest for a, b in pairwise(row))
        yield Held(device, shoe, row[0].page, row[-1].page, row[0].previous, row[-1].digest, shoe in signed, unbroken)
