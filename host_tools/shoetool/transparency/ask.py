"""Ask a witness for its cosignature over HTTP (c2sp.org/tlog-witness, add-checkpoint), and take its answer."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Final

from shoetool.model.errors import BadInput, LinkError
from shoetool.model.printable import clean
from shoetool.transparency.checkpoint import tree_size
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import Note, Signature, VerifierKey, signed_by
from shoetool.transparency.proof import ConsistencyProof

_MOST_ANSWER: Final = 1 << 20
_TIMEOUT_S: Final = 30.0
_SIZE_TYPE: Final = "text/x.tlog.size"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A witness is where its prefix says; a redirect would send the request elsewhere."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


def request_of(log: LogFolder, old: int) -> ConsistencyProof:
    """Return the request for a log that was loaded, from the size that the witness saw last. BadInput: too large."""
    if old > log.size:
        raise BadInput(f"{log.path}: has {log.size} entries, not {old}: was it put back to an older state?")
    return ConsistencyProof(old, tuple(log.tree.consistency(old)), log.note)


def cosignatures(answer: bytes, note: Note, keys: Sequence[VerifierKey], where: str) -> list[Signature]:
    """Return the cosignatures of known witnesses in an answer. BadInput: it has none, or one that does not verify."""
    lines = Note.parse(note.text.encode() + b"\n" + answer, where)
    found = [one for one in (signed_by(lines, key) for key in keys) if one is not None]
    if not found:
        raise BadInput(f"{where}: holds no cosignature by a witness that is named")
    return found


def ask(url: str, log: LogFolder) -> bytes:
    """Return what the witness with this submission prefix answers about a log that was loaded.

    LinkError: it gave no cosignature, or did not answer. A witness says where it stands when a request does not begin
    there; then it is asked once more from there.
    """
    status, kind, answer = _post(url, request_of(log, 0).pack())
    if status == http.client.CONFLICT:
        text = answer.decode("ascii", "replace")
        size = tree_size(text.removesuffix("\n")) if kind.startswith(_SIZE_TYPE) else None
        if size is None:
            raise LinkError(f"{url}: says that it stands elsewhere, and not where")
        if size > log.size:
            raise BadInput(
                f"{url}: this witness cosigned {size} entries of {log.checkpoint.origin}, and here are {log.size}: the "
                "log was put back to an older state; bring the newest copy back"
            )
        status, _, answer = _post(url, request_of(log, size).pack())
    if status != http.client.OK:
        meaning = {
            http.client.NOT_FOUND: "it does not know this log: its keeper must be told the log's verifier key",
            http.client.FORBIDDEN: "it does not trust the key of this log",
            http.client.UNPROCESSABLE_ENTITY: "it saw another log by this name: compare the checkpoints",
        }.get(status, clean(answer[:100].decode("utf-8", "replace").strip()))
        raise LinkError(f"{url}: the witness refused with {status}: {meaning}")
    return answer


def _post(url: str, body: bytes) -> tuple[int, str, bytes]:
    """Return (status, content type, body) of the answer. LinkError when there is none."""
    if not url.startswith(("http://", "https://")):
        raise BadInput(f"{clean(url)[:60]!r} is no web address of a witness")
    try:
        request = urllib.request.Request(
            f"{url.rstrip('/')}/add-checkpoint", body, {"Content-Type": "text/plain; charset=utf-8"}, method="POST"
        )
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(request, timeout=_TIMEOUT_S) as answer:  # reads: from the network
            return answer.status, answer.headers.get("Content-Type", ""), answer.read(_MOST_ANSWER)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers.get("Content-Type", ""), error.read(_MOST_ANSWER)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise LinkError(f"{url}: the witness does not answer: {reason}") from None
