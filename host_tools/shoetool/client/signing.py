"""The signing key of a shoe, and the signatures of its closed histories, fetched in pieces."""

from __future__ import annotations

from typing import Final

from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import Error, MessageKind, Signature
from shoetool.wire.answers import SigningKey
from shoetool.wire.messages import pack_request, unpack

from .requests import Refused
from .session import Session

_LONGEST: Final = 0x2000


def read_signing_key(session: Session) -> SigningKey | None:
    """Return state and public key of the signing key. None from firmware without signing."""
    try:
        return SigningKey.unpack(session.call(MessageKind.SIGNING_KEY, b""))
    except Refused as refused:
        if refused.code == Error.UNKNOWN_MESSAGE:
            return None
        raise


def read_signature(session: Session, shoe: int) -> tuple[int, bytes]:
    """Return (value of enum.signature, statement and signature) of a shoe. The bytes are empty when there is none.

    NO_KEY from firmware without signing.
    """
    data = b""
    while True:
        try:
            raw = session.call(MessageKind.SIGNATURE, pack_request(MessageKind.SIGNATURE, shoe=shoe, offset=len(data)))
        except Refused as refused:
            if refused.code == Error.UNKNOWN_MESSAGE:
                return int(Signature.NO_KEY), b""
            raise
        answer = unpack(MessageKind.SIGNATURE, "answer", raw)
        state, size, offset, piece = answer["state"], answer["size"], answer["offset"], answer["data"]
        if state != Signature.SIGNED:
            return state, b""
        if offset != len(data) or size > _LONGEST or answer["shoe"] != shoe or (not piece and len(data) < size):
            raise DeviceError(f"{session.transport.name}: the shoe sends the signature of shoe {shoe} in disorder")
        data += piece
        if len(data) >= size:
            return state, data[:size]
