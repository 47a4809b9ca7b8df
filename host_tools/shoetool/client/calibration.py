"""The light levels of a shoe's read heads, and the steps of a calibration. PROTOCOL.md 6 and 13."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import Error, MessageKind
from shoetool.wire.levels import Levels
from shoetool.wire.messages import pack_request, unpack

from .authority import AuthorityClient
from .requests import Refused
from .session import Session

_NOT_THERE: Final = (Error.UNKNOWN_MESSAGE, Error.BAD_VALUE)


def read_levels(session: Session, head: int) -> Levels | None:
    """Return the light levels of one head. None from firmware before protocol 1.2, or when there is no such head."""
    try:
        return Levels.unpack(session.call(MessageKind.LEVELS, pack_request(MessageKind.LEVELS, head=head)))
    except Refused as refused:
        if refused.code in _NOT_THERE:
            return None
        raise


def calibrate(authority: AuthorityClient, head: int, step: int, threshold: int = 0) -> int:
    """Carry out one step (enum.calibration); return the margin after it. Privileged."""
    request = pack_request(MessageKind.CALIBRATE, head=head, step=step, threshold=threshold)
    answer = unpack(MessageKind.CALIBRATE, "answer", authority.call(MessageKind.CALIBRATE, request))
    return int(answer["margin"])
