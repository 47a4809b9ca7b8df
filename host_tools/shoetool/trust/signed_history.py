"""What the signatures of a history prove, and the findings when they do not fit the history.

Call `examine` after a reader's records were read: then the chain has a fact for each page, and the reader has its SIGN
chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from shoetool.history.chain import PageFact, gap
from shoetool.history.chunks import SIGNATURE, Scan, SignatureChunk
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Signature
from shoetool.trust import lms
from shoetool.trust.findings import (
    CUT,
    EDITED,
    FORGED,
    OTHER_KEY,
    REORDERED,
    REPLAYED,
    REUSED,
    SPLICED,
    UNSIGNED,
    SignedShoe,
    TrustFinding,
)
from shoetool.trust.keys import PublicKey
from shoetool.trust.pages import Pages
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust

_SHOE_AT: Final = 8
"""Offset of the shoe's number (u32) in a SIGN chunk."""


def torn_signature(scan: Scan, bare: Sequence[int]) -> int | None:
    """Return the closed shoe without a signature (one of `bare`) in whose signature the file was cut off, or None.

    The chunk tells the shoe's number. When the file ends before the number, it is the last of `bare`.
    """
    if not scan.torn or not bare or not SIGNATURE.startswith(scan.torn[: len(SIGNATURE)]):
        return None
    named = scan.torn[_SHOE_AT : _SHOE_AT + 4]
    shoe = int.from_bytes(named, "little") if len(named) == 4 else bare[-1]
    return shoe if shoe in bare else None


def torn_words(shoe: int, bytes_left: int) -> str:
    """Return the sentence about a cut-off signature."""
    left = f"{bytes_left} byte{'s' if bytes_left != 1 else ''}"
    return f"the file is cut off within its signature, that of shoe {shoe}, {left} of which are there: fetch it again."


_NAME: Final = re.compile(r"([0-9a-f]{16})-(\d{5,10})(?!\d)")
_WHY: Final = {
    Signature.NO_KEY: "the shoe had no signing key when it was closed",
    Signature.USED_UP: "the signing key was used up",
    Signature.FAILED: "the signing key or its flash did not work",
    Signature.PENDING: "it was fetched before it was signed",
}


def reused_sentence(key: PublicKey, statement: Statement, where: str) -> str:
    """Return the sentence about an index that signed this statement and the one that is `where`."""
    return (
        f"index {statement.index} of key {key.fingerprint} signed two statements: this one of shoe {statement.shoe} "
        f"and {where}; a shoe never does that: the key was copied, or an old image of the shoe's flash was put back."
    )


@dataclass(slots=True)
class _Case:
    """One signature of one file, and what was found about it."""

    reader: ShoelogReader
    pages: Pages
    names: Names
    trust: Trust
    chunk: SignatureChunk
    findings: list[TrustFinding]
    rounds_behind: Mapping[int, int]

    def say(self, what: str, sentence: str, record: int | None = None) -> None:
        self.findings.append(TrustFinding(what, sentence, self.chunk.shoe, record))

    # ------------------------------------------------------------------------------------------------ one signature
    def judge(self) -> SignedShoe:
        """Check the signature: the key, the statement, then the pages."""
        before = len(self.findings)
        device = self.reader.chain.device
        if self.chunk.state != Signature.SIGNED or not self.chunk.signature:
            why = _WHY.get(Signature(self.chunk.state), "") if self.chunk.state in set(Signature) else ""
            if self.trust.wanted(self.names.devices):
                self.say(UNSIGNED, f"shoe {self.chunk.shoe} is not signed ({why or 'no reason is given'}).")
            found = self._names(before)
            return SignedShoe(self.chunk.shoe, device, False, False, None, None, None, None, None, why, found)
        try:
            key = PublicKey(self.chunk.public)
            statement = Statement.unpack(self.chunk.statement)
        except BadInput as error:
            self.say(FORGED, f"the signature of shoe {self.chunk.shoe} is not valid: {error}.")
            found = self._names(before)
            return SignedShoe(self.chunk.shoe, device, True, False, None, None, None, None, None, "", found)
        held = self.trust.pinned(statement.device)
        pinned = None if held is None else held == key
        verifies = self._signature(key, statement, held)
        if verifies:
            self._index(key, statement)
            if pinned and self.trust.remember and self.trust.pins is not None:  # whatever happened to the pages
                self.trust.pins.remember(statement.device, key, statement.index, statement.pack())
            if self._belongs(statement):
                self._pages(statement)
        found = self._names(before)
        if verifies and not found:
            self.trust.continuity.signed(key, statement, str(self.reader.path))
        return SignedShoe(
            statement.shoe,
            statement.device,
            True,
            not found,
            key,
            pinned,
            statement.index,
            (statement.first_page, statement.last_page),
            (statement.first_record, statement.last_record),
            "",
            found,
            statement.config_crc if verifies else None,
        )

    def _names(self, before: int) -> tuple[str, ...]:
        """Return the names of the findings after the first `before`, each once."""
        return tuple(dict.fromkeys(finding.what for finding in self.findings[before:]))

    def _signature(self, key: PublicKey, statement: Statement, held: PublicKey | None) -> bool:
        """Whether the key signed the statement. A key that is not the pinned one is reported too."""
        index = int.from_bytes(self.chunk.signature[:4], "big")
        verifies = lms.verify(key.raw, self.chunk.statement, self.chunk.signature)
        if not verifies or key.identifier != statement.key or index != statement.index:
            self.say(
                FORGED,
                f"the signature of shoe {statement.shoe} does not verify: the statement, the signature or the key was "
                "changed.",
            )
            return False
        if not statement.possible:
            self.say(
                FORGED,
                f"what was signed cannot be a shoe: pages {statement.first_page} to {statement.last_page}, records "
                f"{statement.first_record} to {statement.last_record}, {statement.end} bytes of the last page; no shoe "
                "makes such a statement.",
            )
            return False
        if held is not None and held != key:
            self.say(
                OTHER_KEY,
                f"shoe {statement.shoe} is signed by key {key.fingerprint}; the one that is pinned for device "
                f"{statement.device.hex()} is {held.fingerprint}: whoever signed this is not that shoe, or it was "
                "provisioned anew.",
            )
        return True

    def _index(self, key: PublicKey, statement: Statement) -> None:
        where = self.trust.reused(statement, key, str(self.reader.path))
        if where is not None:
            self.say(REUSED, reused_sentence(key, statement, where))

    # ------------------------------------------------------------------------------------------------ whose pages
    def _belongs(self, statement: Statement) -> bool:
        """Whether the signature belongs to the pages beside it, and to the name of the file."""
        own = f"shoe {statement.shoe} of device {statement.device.hex()}"
        claims = self.names.others(statement.device, statement.shoe)
        first = self.pages.first
        mine = self.pages.of(statement.device, statement.shoe)
        if first is not None and not mine:
            claims.append(f"the pages are those of shoe {first.shoe} of device {first.device.hex()}")
        if self.chunk.shoe != statement.shoe:
            claims.append(f"it stands in the place of the signature of shoe {self.chunk.shoe}")
        for claim in claims:
            self.say(REPLAYED, f"what was signed is {own}, but {claim}.")
        return bool(mine) or first is None

    # ------------------------------------------------------------------------------------------------ the pages
    def _pages(self, statement: Statement) -> None:
        """Compare the present pages with the statement, from their numbers to the last byte."""
        first, last = statement.first_page, statement.last_page
        missing = list(self.pages.missing(first, last))
        for low, high in missing:
            self.say(
                CUT,
                f"shoe {statement.shoe} was signed with pages {first} to {last} and records {statement.first_record} "
                f"to {statement.last_record}; {gap('page', low, high)} in this file.",
            )
        whose = (statement.device, statement.shoe)
        here = self.pages.between(first, last)
        mine = [fact for fact in here if (fact.device, fact.shoe) == whose]
        strange = [fact for fact in here if (fact.device, fact.shoe) != whose]
        for fact in strange:
            self.say(
                SPLICED,
                f"page {fact.page} is one of shoe {fact.shoe} of device {fact.device.hex()}; it stands among the pages "
                f"of shoe {statement.shoe} of device {statement.device.hex()}.",
                fact.first_record,
            )
        early = [fact for fact in self.pages.of(*whose) if fact.page < first]
        for fact in early:
            self.say(
                SPLICED,
                f"page {fact.page} says that it is one of shoe {statement.shoe}, which was signed with pages {first} "
                f"to {last}: it was put before them.",
                fact.first_record,
            )
        disordered = [after for before, after in pairwise(mine) if after.page <= before.page]
        for fact in disordered:
            self.say(REORDERED, f"page {fact.page} stands behind a later page of the same shoe.", fact.first_record)
        if missing or strange or disordered or early:
            return
        if statement.shoe in self.rounds_behind:
            record = self.rounds_behind[statement.shoe]
            self.say(
                SPLICED,
                f"a round stands in record {record}, behind record {statement.last_record} with which shoe "
                f"{statement.shoe} ended and was signed: nobody vouches for it.",
                record,
            )
        self._content(statement, mine)

    def _content(self, statement: Statement, mine: list[PageFact]) -> None:
        """Check that each page is the one that was signed, when all pages are here and in order."""
        for before, after in pairwise(mine):
            if after.first_record < before.first_record:  # exchanged, then given new numbers, perhaps a new chain
                self.say(
                    REORDERED,
                    f"page {after.page} begins with record {after.first_record}, page {before.page} before it with "
                    f"record {before.first_record}: they were exchanged and numbered anew.",
                    after.first_record,
                )
                return
        by_digest = {fact.digest: fact.page for fact in mine}
        for before, after in pairwise(mine):
            if after.previous == before.digest:
                continue
            other = by_digest.get(after.previous)
            if other is not None:
                self.say(
                    REORDERED,
                    f"page {after.page} continues what stands here as page {other}, not page {before.page}.",
                    after.first_record,
                )
            else:
                self.say(
                    EDITED,
                    f"page {before.page} is not the one that page {after.page} continues: it was changed after it was "
                    "written (SHA-256).",
                    before.first_record,
                )
            return
        head = self.pages.head(statement)
        if head != statement.head or mine[0].first_record != statement.first_record:
            self.say(
                EDITED,
                f"the pages of shoe {statement.shoe} fit each other but not what the shoe signed: they were written "
                f"anew afterwards, CRCs and chain included (the head is {head.hex()[:16]}, signed was "
                f"{statement.head.hex()[:16]}).",
                mine[-1].first_record,
            )


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a history: those in its pages, in its identity, and in its file name.

    `pages`: the devices in the headers of its pages. `wrote`: the devices that the file names as its writer. `file`:
    device and shoe from a file name `DEVICE-NUMBER.shoelog`; such a file holds at most one shoe.
    """

    pages: tuple[bytes, ...]
    wrote: tuple[bytes, ...]
    file: tuple[bytes, int] | None

    @classmethod
    def of(cls, reader: ShoelogReader) -> Names:
        """Return the names of a history whose records were read."""
        named = _NAME.search(reader.name.lower())
        file = (bytes.fromhex(named[1]), int(named[2])) if named is not None and reader.chain.shoes <= 1 else None
        pages = tuple(dict.fromkeys(fact.device for fact in reader.chain.facts))
        return cls(pages, tuple(reader.devices), file)

    @property
    def devices(self) -> tuple[bytes, ...]:
        """Every device that is named."""
        return tuple(dict.fromkeys((*self.pages, *self.wrote, *((self.file[0],) if self.file else ()))))

    def others(self, device: bytes, shoe: int) -> list[str]:
        """Return in words the names that do not fit this shoe of this device."""
        claims = []
        if self.file is not None and self.file != (device, shoe):
            claims.append(f"the file is named as shoe {self.file[1]} of device {self.file[0].hex()}")
        claims += [f"the file says that device {one.hex()} wrote it" for one in self.wrote if one != device]
        return claims

    def contradictions(self, first: PageFact | None) -> Iterable[TrustFinding]:
        """Return what is wrong with the names of a history without a signature."""
        if first is None:
            return
        for claim in self.others(first.device, first.shoe):
            text = f"the pages are those of shoe {first.shoe} of device {first.device.hex()}, but {claim}."
            yield TrustFinding(REPLAYED, text, first.shoe)


def _statements(chunks: Iterable[SignatureChunk]) -> Iterable[Statement]:
    for chunk in chunks:
        try:
            yield Statement.unpack(chunk.statement)
        except BadInput:
            continue  # `judge` reports it


def examine(
    reader: ShoelogReader, trust: Trust, closed: dict[int, int], told: dict[int, int], rounds_behind: Mapping[int, int]
) -> tuple[list[SignedShoe], list[TrustFinding]]:
    """Return what is known about each closed shoe of a file that was read, and what was done to it.

    `closed`: the shoes that were closed in it, each with its closing record. `told`: the shoes with a `signed` record,
    each with that record. `rounds_behind`: the first round that begins in pages of a shoe after it was closed; no shoe
    does that. BadInput when a pin cannot be read.
    """
    findings: list[TrustFinding] = []
    names = Names.of(reader)
    pages = Pages(reader, _statements(reader.signatures))
    trust.continuity.pages(str(reader.path), reader.chain.facts, reader.chain.last_record)
    signed = {chunk.shoe for chunk in reader.signatures if chunk.state == Signature.SIGNED}
    shoes = [
        _Case(reader, pages, names, trust, chunk, findings, rounds_behind).judge()
        for chunk in list(reader.signatures)
        if chunk.state == Signature.SIGNED or chunk.shoe not in signed  # it was fetched again after it was signed
    ]
    with_one = {shoe.shoe for shoe in shoes} | {chunk.shoe for chunk in reader.signatures}
    device = reader.chain.device
    if not any(shoe.signed for shoe in shoes):
        findings += names.contradictions(pages.first)
    wanted = trust.wanted(names.devices)
    pinned = any(trust.pinned(one) for one in names.devices)
    bare = [shoe for shoe in closed if shoe not in with_one]
    torn = torn_signature(reader.scan, bare)
    for shoe in bare:
        found: tuple[str, ...] = ()
        if shoe == torn:
            found = (CUT,)
            findings.append(TrustFinding(CUT, torn_words(shoe, reader.scan.truncated), shoe, closed[shoe]))
        elif shoe in told:
            found = (CUT,)
            text = f"the shoe says in record {told[shoe]} that shoe {shoe} was signed, but the signature was taken out."
            findings.append(TrustFinding(CUT, text, shoe, told[shoe]))
        elif wanted:
            found = (UNSIGNED,)
            why = ", although a key is pinned for its device" if pinned else ""
            text = f"shoe {shoe} is not signed{why}: taken out, or never made, as before the shoe had a key."
            findings.append(TrustFinding(UNSIGNED, text, shoe, closed[shoe]))
        shoes.append(SignedShoe(shoe, device, False, False, None, None, None, None, None, "", found))
    return shoes, findings
