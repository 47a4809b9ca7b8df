"""Fetch histories off a shoe into `*.shoelog` files, from where an earlier fetch stopped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from shoetool.cli.exits import say
from shoetool.cli.output import progress
from shoetool.client.client import Client
from shoetool.client.host_clock import read_clock, record_reading
from shoetool.client.requests import Refused
from shoetool.history.chunks import Configuration, Identity, SignatureChunk
from shoetool.history.store import ShoelogWriter
from shoetool.link.replay import recording_of
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.naming import enum_name
from shoetool.model.output_file import output_folder
from shoetool.model.protocol_table import MessageKind, Signature
from shoetool.report.sentences import many
from shoetool.trust.last_said import LastSaid, keep_said, last_said
from shoetool.trust.lms import key_of
from shoetool.trust.statement import SIZE, Statement
from shoetool.wire.answers import ShoeEntry, unpack_pairs
from shoetool.wire.messages import unpack

PATIENCE_S: Final = 10.0
"""How long to wait for the signature of a shoe: it takes a second or two without a moving card."""
_GROWN: Final = 3
"""How often a history is fetched again when it grew before it was marked: a record or two may follow a closed shoe."""
_TRIES: Final = 5
_SOON_S: Final = 0.2
_SIGNED: Final[dict[int | None, str]] = {
    Signature.SIGNED: "signed",
    Signature.PENDING: "not signed yet (pull it again; the shoe was not told that it is safe)",
    Signature.USED_UP: "NOT signed: the signing key is used up",
    Signature.FAILED: "NOT signed: the signing key does not work",
}


@dataclass(frozen=True, slots=True)
class Pulled:
    """One history that is now in a file: all its pages, the new ones of this run, and whether the shoe marked it."""

    shoe: int
    path: Path
    pages: int
    new_pages: int
    closed: bool
    resumed: bool
    marked: bool
    signature: int | None = None
    """A value of enum.signature; None for a history that is not closed."""

    def label(self) -> str:
        """Return in words what the file holds. History 0 is what a device wrote before its first shoe."""
        if self.shoe == 0:
            return f"history 0: start of the device, no cards, {many(self.pages, 'page')} ({self.new_pages} new)"
        state = "closed" if self.closed else "still open"
        if self.signature in _SIGNED:
            state += f", {_SIGNED[self.signature]}"
        return f"history {self.shoe}, {many(self.pages, 'page')} ({self.new_pages} new), {state}"

    def document(self) -> dict[str, Any]:
        """Return the fetched history, with JSON types only."""
        return {
            "shoe": self.shoe,
            "file": str(self.path),
            "pages": self.pages,
            "new_pages": self.new_pages,
            "closed": self.closed,
            "resumed": self.resumed,
            "marked": self.marked,
            "signature": None if self.signature is None else enum_name(Signature, self.signature),
        }


def compare_with_last(client: Client, entries: Sequence[ShoeEntry], folder: Path | None, erased: bool = False) -> None:
    """Compare what the shoe lists with what it listed last time, and keep the new list. DeviceError: it was put back.

    With `erased` the earlier list does not count. When the new list cannot be kept, a line says so and the fetch goes
    on. Without a folder nothing is compared, nor with a recording: it does not show the shoe as it is now.
    """
    if folder is None or recording_of(client.transport) is not None:
        return
    device = client.identify().device
    before = None if erased else last_said(folder, device)
    wrong = "" if before is None else before.contradicted(entries)
    if wrong:
        raise DeviceError(
            f"{client.transport.name}: shoe {device.hex()} was put back to an older state, or erased: {wrong}. "
            "Nothing was fetched. Keep the shoe as it is; if its flash was erased on purpose, pull with --erased"
        )
    if entries:
        try:
            keep_said(folder, device, LastSaid.of(entries))
        except BadInput as error:
            say(f"{error}; the next pull cannot tell whether the shoe was put back")


def choose(entries: Iterable[ShoeEntry], everything: bool, shoes: Iterable[int]) -> list[ShoeEntry]:
    """Return the histories to fetch: those named, else all, else those that nobody fetched. BadInput: none such."""
    by_number = {entry.shoe: entry for entry in entries}
    if wanted := list(dict.fromkeys(shoes)):
        missing = [shoe for shoe in wanted if shoe not in by_number]
        if missing:
            held = ", ".join(map(str, by_number)) or "none"
            raise BadInput(f"the shoe holds no history {missing[0]}; it holds {held}")
        return [by_number[shoe] for shoe in wanted]
    return [entry for entry in by_number.values() if everything or not entry.fetched]


def recorded_first(client: Client, entries: Sequence[ShoeEntry], chosen: Sequence[ShoeEntry]) -> list[ShoeEntry]:
    """Let the shoe record the time of day before its newest history is fetched. Return `chosen` as then listed.

    A history that is not fetched now gets no record: it would have to be fetched again.
    """
    if not chosen or entries[-1] not in chosen or recording_of(client.transport) is not None:
        return list(chosen)
    for _ in range(_TRIES):
        try:
            if (point := read_clock(client)) is not None:
                record_reading(client, point)
            break
        except Refused:  # a card lies in a throat
            time.sleep(_SOON_S)
    fresh = {entry.shoe: entry for entry in client.history_list(entries[-1].shoe)}
    return [fresh.get(entry.shoe, entry) for entry in chosen]


def pull_histories(client: Client, entries: Iterable[ShoeEntry], out: Path, mark: bool = True) -> list[Pulled]:
    """Fetch histories into `out`, one file each. With `mark`, tell the shoe that the closed ones were fetched.

    A file that is already there is continued. LinkError when the line is lost for good: the files keep what they hold.
    """
    output_folder(out)
    wanted = list(entries)
    pulled = []
    for entry, following in zip_longest(wanted, wanted[1:]):
        # A file that is already there is continued, and nobody knows from which page.
        begun = following is not None and (out / file_name(client, following)).exists()
        path = out / file_name(client, entry)
        pulled.append(pull_one(client, entry, path, mark, None if begun else following))
    return pulled


def file_name(client: Client, entry: ShoeEntry) -> str:
    """Return the name of a history's file: the same for each fetch of the same history."""
    return f"{client.identify().device.hex()}-{entry.shoe:05d}.shoelog"


def pull_one(
    client: Client,
    entry: ShoeEntry,
    path: Path,
    mark: bool,
    then: ShoeEntry | None = None,
    again: int = _GROWN,
    clock: bool = True,
) -> Pulled:
    """Fetch one history into a file, or continue the file that is there. `then` is fetched next, from its start.

    The shoe marks a history as it is at that time. When it grew meanwhile, it is fetched again, at most `again` times.
    With `clock` both clocks are read and kept: once a fetch, because a simulated shoe's clock stands still in a fetch.
    """
    who = client.identify()
    state, signed = read_signature(client, entry)
    if state is not None:  # the record of the signature made the history grow
        entry = listed(client, entry)
    with ShoelogWriter(path) as writer:
        resumed = writer.next_page is not None
        skip = 0 if writer.next_page is None else writer.next_page - entry.first_page
        if not 0 <= skip <= entry.pages:
            raise BadInput(f"{path}: holds page {writer.next_page}, which is not a page of history {entry.shoe}")
        skip = min(skip, entry.pages - 1)
        writer.set_identity(Identity(who.device, who.major, who.minor, bytes(who.firmware), who.board))
        writer.set_configuration(read_configuration(client))
        if clock and (reading := read_clock(client)) is not None:
            writer.add_clock(reading)
        new = 0
        try:
            with progress(f"history {entry.shoe}", "bytes") as advance:
                for page in client.pull_shoe(entry, advance, skip_pages=skip, then=then):
                    new += writer.append_page(page.data, page.number)
        except LinkError as error:
            raise LinkError(f"{error}; {skip + new} of {entry.pages} pages are safe in {path}: run it again") from error
        if signed is not None:
            writer.add_signature(signed)
    marked = mark and entry.closed and state != Signature.PENDING
    if marked:
        client.history_fetched(entry.shoe)
        fresh = entry if then else listed(client, entry)  # with a history behind it, it cannot grow
        if fresh.records > entry.records and again:
            rest = pull_one(client, fresh, path, mark, again=again - 1, clock=False)
            return replace(rest, new_pages=new + rest.new_pages, resumed=resumed)
    return Pulled(entry.shoe, path, entry.pages, new, entry.closed, resumed, marked, state)


def listed(client: Client, entry: ShoeEntry) -> ShoeEntry:
    """Return the history as the shoe lists it now, or `entry` when it is no longer there."""
    return next((fresh for fresh in client.history_list(entry.shoe) if fresh.shoe == entry.shoe), entry)


def read_signature(client: Client, entry: ShoeEntry) -> tuple[int | None, SignatureChunk | None]:
    """Return (value of enum.signature, what a history file keeps of the signature). Waits while the shoe signs."""
    if not entry.closed or entry.shoe == 0:
        return None, None
    deadline = time.monotonic() + PATIENCE_S
    while True:
        state, data = client.signature(entry.shoe)
        if state != Signature.PENDING or time.monotonic() > deadline:
            break
        time.sleep(0.1)
    if state == Signature.SIGNED:
        return state, kept_signature(client, entry, data)
    if state in (Signature.USED_UP, Signature.FAILED):
        return state, SignatureChunk(entry.shoe, state)
    return state, None


def kept_signature(client: Client, entry: ShoeEntry, data: bytes) -> SignatureChunk:
    """Return a signature as a history file keeps it, with its public key, also when the key was renewed since."""
    key = client.signing_key()
    statement, signature = data[:SIZE], data[SIZE:]
    try:
        identifier = Statement.unpack(statement).key
    except BadInput as error:
        raise DeviceError(f"the signature of shoe {entry.shoe} is not valid: {error}") from None
    public = b"" if key is None else key.public
    if public[8:24] != identifier:
        public = key_of(identifier, statement, signature) or b""
    return SignatureChunk(entry.shoe, Signature.SIGNED, public, statement, signature)


def read_configuration(client: Client) -> Configuration:
    """Return the shoe's settings as a history file keeps them."""
    answer = unpack(MessageKind.CONFIG_READ, "answer", client.session.call(MessageKind.CONFIG_READ, b""))
    return Configuration(answer["crc"], tuple(sorted(unpack_pairs(answer["pairs"]).items())))
