"""Check one proof offline, without the log: that a shoe is in it, or that it only grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shoetool.model.errors import BadInput
from shoetool.transparency.checked import Checked, Trusted, begin, unsigned
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import FORGED, NOT_PROVED, OTHER_KEY, OTHER_LOG
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.note import Note
from shoetool.transparency.proof import ConsistencyProof, InclusionProof, parse_proof
from shoetool.transparency.submitted import Submitted


def check_proof(
    data: bytes,
    where: str,
    trusted: Trusted,
    older: Sequence[tuple[str, Note]],
    histories: Sequence[Submitted],
    keys: KnownKeys,
    now: float,
    unreadable: Sequence[dict[str, str]] = (),
) -> Checked:
    """Return what a proof shows. `older`: earlier checkpoints with their files, for a proof of consistency.

    BadInput: it is no proof, or what it needs was not given. `now`: Unix seconds. `unreadable`: file and error of a
    history that was named and could not be read.
    """
    proof = parse_proof(data, where)
    checkpoint = Checkpoint.parse(proof.note.text, where)
    out = begin(proof.note, checkpoint, trusted, now)
    out.unreadable = list(unreadable)
    if isinstance(proof, InclusionProof):
        if older:
            raise BadInput(f"{where}: is a proof of inclusion; an earlier checkpoint goes with one of consistency")
        _included(proof, checkpoint, where, histories, keys, out)
    else:
        if histories or unreadable:
            raise BadInput(f"{where}: is a proof of consistency, which is about no single history")
        _grown(proof, checkpoint, where, older, trusted, out)
    return out


def _included(
    proof: InclusionProof,
    checkpoint: Checkpoint,
    where: str,
    histories: Sequence[Submitted],
    keys: KnownKeys,
    out: Checked,
) -> None:
    entries = [(one.file, entry) for one in histories for entry in (*one.entries, *one.unpinned)]
    for history in histories:
        out.findings += [replace(one, sentence=f"{history.file}: {one.sentence}") for one in history.refused]
    if not histories:
        if proof.entry is None:
            raise BadInput(f"{where}: does not hold the entry that it is about; name the history too")
        try:
            entries = [(where, Entry.unpack(proof.entry))]
        except BadInput as error:
            raise BadInput(f"{where}: the entry in its line `extra` is none: {error}") from None
        named = "the history could not be read" if out.unreadable else "no history was named"
        out.notes.append(f"{named}: the proof is about what a shoe signed, and no file was compared with it")
    shown = [(file, entry) for file, entry in entries if proof.shows(entry.pack(), checkpoint)]
    if not shown:
        named = ", ".join(dict.fromkeys(entry.shoe for _, entry in entries)) or "no shoe"
        text = f"{where}: does not show that {named} is entry {proof.index} of the {checkpoint.size} in the log"
        out.find(NOT_PROVED, text)
    for file, entry in shown:
        said, device = entry.statement, entry.statement.device.hex()
        pinned = keys.pinned(said.device)
        if not entry.verifies:
            out.find(FORGED, f"{where}: the signature of {entry.shoe} does not verify", device=device, shoe=said.shoe)
        if keys.unknown(said.device):
            out.unpinned.append(device)
        elif entry.key != pinned and not keys.is_former(said.device, entry.key):
            text = f"{where}: {entry.shoe} is signed by key {entry.key.fingerprint}, which is not the pinned one"
            out.find(OTHER_KEY, text, device=device, shoe=said.shoe)
        out.present.append({"file": file, "entry": proof.index, **entry.to_json()})


def _grown(
    proof: ConsistencyProof,
    checkpoint: Checkpoint,
    where: str,
    older: Sequence[tuple[str, Note]],
    trusted: Trusted,
    out: Checked,
) -> None:
    if not older:
        raise BadInput(f"{where}: is a proof of consistency; name the earlier checkpoint with --since")
    for file, note in older:
        before = Checkpoint.parse(note.text, file)
        wrong = "" if trusted.log is None else unsigned(note, before, trusted.log)
        if not wrong and before.origin != checkpoint.origin:
            wrong = f"is that of {before.origin}, not of {checkpoint.origin}"
        if wrong:
            out.find(OTHER_LOG, f"{file}: this checkpoint {wrong}; it proves nothing about this log")
        elif before.size != proof.old:
            raise BadInput(f"{where}: begins with {proof.old} entries, the checkpoint in {file} has {before.size}")
        elif not proof.shows(before.root, checkpoint):
            text = (
                f"{where}: does not show that the {checkpoint.size} entries of {checkpoint.origin} grew from the "
                f"{before.size} of {file}: the proof is wrong, or entries were changed or taken out"
            )
            out.find(NOT_PROVED, text)
        else:
            out.notes.append(f"the {checkpoint.size} entries grew from the {before.size} of {file}")
