"""Signatures of the closed shoes of a history as findings and as part of the summary."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from shoetool.history.store import ShoelogReader
from shoetool.judge import registry_trust
from shoetool.judge.finding import Finding
from shoetool.judge.registry import CHECKS
from shoetool.model.protocol_table import RecordKind, Signature
from shoetool.model.records import NAMES, Record
from shoetool.trust.findings import SignedShoe
from shoetool.trust.reach import Reach, required
from shoetool.trust.signed_history import examine
from shoetool.trust.trust import Trust
from shoetool.verify.context import Context

_MOST_NAMED: Final = 12
_CLOSED: Final = int(RecordKind.SHOE_CLOSED)
_ROUND: Final = int(RecordKind.ROUND_OPENED)
_SIGNED: Final = int(RecordKind.SIGNED)
NOTHING_NOTED: Final = frozenset(NAMES) - {_CLOSED, _ROUND, _SIGNED}
"""Kinds of which `Closings` notes nothing: it need not be asked."""


class Closings:
    """Notes which shoes were closed and which the shoe says that it signed: `note` each record as the reader gives it,
    or let `read_all` do so."""

    def __init__(self, reader: ShoelogReader) -> None:
        self.reader = reader
        self.closed: dict[int, int] = {}
        self.told: dict[int, int] = {}
        self.rounds_behind: dict[int, int] = {}
        self._unknown: dict[int, list[int]] = {}
        self._claims: list[Record] = []
        """The records `signed`."""
        self.reach = Reach((), (), None)
        """What the signatures cover, once `report` looked at them."""

    def read_all(self) -> None:
        """Read the records, and note each."""
        for record in self.reader.records():
            self.note(record)

    def note(self, record: Record) -> None:
        """Take the record that the reader gave last."""
        if record.kind in NOTHING_NOTED:
            return
        facts = self.reader.chain.facts
        if record.kind == _CLOSED:
            if facts:
                self.closed.setdefault(facts[-1].shoe, record.number)
        elif record.kind == _ROUND:
            if facts and facts[-1].shoe in self.closed:
                self.rounds_behind.setdefault(facts[-1].shoe, record.number)
        elif record.kind == _SIGNED:
            self._claims.append(record)
            if record.values[1] == Signature.SIGNED:
                self.told.setdefault(record.values[0], record.number)
        else:
            self._unknown.setdefault(record.kind, []).append(record.number)

    def report(self, ctx: Context, trust: Trust | None) -> list[SignedShoe]:
        """Findings about the signatures into `ctx`; what is known of each closed shoe. For after the last record."""
        trust = trust or Trust()
        shoes, findings = examine(self.reader, trust, self.closed, self.told, self.rounds_behind)
        facts = self.reader.chain.facts
        self.reach = Reach(facts, shoes, self.reader.chain.last_record)
        for finding in [*findings, *required(facts, shoes, self.reach, trust)]:
            check = registry_trust.BY_NAME[finding.what]
            records = () if finding.record is None else (finding.record,)
            ctx.add(check, CHECKS[check].verdicts[0], records, f"{finding.what}: {finding.sentence}", of_file=True)
        return shoes

    def marked(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings; those that rest on records behind the signed end of a shoe say so."""
        out = []
        for finding in findings:
            words = "" if finding.check in registry_trust.TRUST_CHECKS else unsigned(finding.records, self.reach)
            out.append(
                replace(finding, sentence=f"{finding.sentence} {words[:1].upper()}{words[1:]}.") if words else finding
            )
        return out

    def unknown(self) -> list[str]:
        """Notes about records of kinds that this host does not know, and whether they are signed."""
        notes = []
        for kind, records in self._unknown.items():
            plural = "s" if len(records) > 1 else ""
            text = f"{len(records)} record{plural} of a kind that this shoetool does not know ({kind}): "
            text += numbers(records)
            words = unsigned(records, self.reach)
            notes.append(f"{text}; {words}" if words else text)
        return notes

    def unsigned(self, shoes: Sequence[SignedShoe]) -> list[str]:
        """Notes about the records behind a signed end, but for the shoe's own word on its signature; and about such
        words that the signatures do not bear out."""
        notes, borne_out = [], set()
        own = {shoe.shoe: shoe for shoe in shoes if shoe.good and shoe.key is not None}
        for record in self._claims:
            shoe, result, index, key = record.values
            signed = own.get(shoe)
            if signed is None or signed.key is None:
                continue
            if (result, index, key) == (Signature.SIGNED, signed.index, signed.key.identifier):
                borne_out.add(record.number)
                del own[shoe]
                continue
            notes.append(
                f"record {record.number} says of the signature of shoe {shoe}: {_result(result)}, index {index}, key "
                f"{key.hex()}; nothing in this file bears that out"
            )
        for stretch in self.reach.stretches:
            runs = _runs(stretch.first, stretch.last, borne_out)
            if runs:
                said = " and ".join(f"record {one}" if one == two else f"records {one} to {two}" for one, two in runs)
                which = "it" if runs == [(runs[0][0], runs[0][0])] else "them"
                notes.append(f"after the signed end of shoe {stretch.shoe} follow: {said}; no signature covers {which}")
        return notes

    def settings(self, shoes: Sequence[SignedShoe]) -> list[str]:
        """A note when the settings in the file are not those in force when its last shoe was signed."""
        held = self.reader.configuration
        signed = next((shoe for shoe in reversed(shoes) if shoe.good and shoe.config_crc is not None), None)
        if held is None or signed is None or signed.config_crc is None:
            return []
        of_pairs = crc32(held.pack()[4:])
        if signed.config_crc == held.crc == of_pairs:
            return []
        what = f"their CRC is {of_pairs:08x}"
        what += "" if held.crc == of_pairs else f", the file names {held.crc:08x}"
        return [
            f"the settings in this file are not those that were signed with shoe {signed.shoe} ({what}, signed is "
            f"{signed.config_crc:08x}): the shoe was configured between its signature and the fetching, or the file "
            "was changed; they are not signed"
        ]


def _result(result: int) -> str:
    return Signature(result).name.lower() if result in set(Signature) else f"result {result}"


def _runs(first: int, last: int, without: set[int]) -> list[tuple[int, int]]:
    """Return the runs of numbers from `first` to `last` that are left without some."""
    runs, begin = [], first
    for number in sorted(one for one in without if first <= one <= last):
        if number > begin:
            runs.append((begin, number - 1))
        begin = number + 1
    return [*runs, (begin, last)] if begin <= last else runs


def unsigned(records: Iterable[int], reach: Reach) -> str:
    """Words about those of the records that stand behind a signed end, or nothing."""
    places: dict[int, list[int]] = {}
    for record in records:
        shoe = reach.behind(record)
        if shoe is not None:
            places.setdefault(shoe, []).append(record)
    return "; ".join(f"not signed (after the signed end of shoe {shoe}): {numbers(at)}" for shoe, at in places.items())


def numbers(records: Sequence[int]) -> str:
    """Numbers of records in words: `records 5, 6`; of many the first ones."""
    more = f" and {len(records) - _MOST_NAMED} more" if len(records) > _MOST_NAMED else ""
    named = ", ".join(str(record) for record in records[:_MOST_NAMED]) + more
    return f"record{'s' if len(records) > 1 else ''} {named}"
