"""The key of the alerts, and their signature, as Standard Webhooks 1.0 has it (standardwebhooks.com).

The signature covers an id, the time of the post and the body, so a receiver can refuse one that comes late or twice.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.text_file import read_text

PREFIX: Final = "whsec_"
LABEL: Final = b"shoetool webhook key 1"
"""What the derived key is for. Another use of the token has another label, and so another key."""
_LEAST, _MOST = 24, 64


def derived_key(token: str) -> bytes:
    """Return the key of the alerts that follows from the token. The token does not follow from it."""
    return hmac.digest(token.encode(), LABEL, "sha256")


def read_alert_key(path: Path) -> bytes:
    """Return the key in a file, written as `whsec_` and base64. BadInput when it is none."""
    text = read_text(path, 4096, "a key of alerts is one short line").strip()
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not text.startswith(PREFIX) or not _LEAST <= len(key) <= _MOST:
        raise BadInput(f"{path}: a key of alerts is {PREFIX} and {_LEAST} to {_MOST} random bytes in base64")
    return key


def new_id() -> str:
    """Return the id of a new alert."""
    return f"alert_{secrets.token_urlsafe(16)}"


def signed_headers(key: bytes, alert_id: str, time: int, body: bytes) -> dict[str, str]:
    """Return the headers of a post at `time` (Unix seconds)."""
    signed = hmac.digest(key, b".".join((alert_id.encode(), str(time).encode(), body)), "sha256")
    return {
        "Content-Type": "application/json",
        "webhook-id": alert_id,
        "webhook-timestamp": str(time),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
