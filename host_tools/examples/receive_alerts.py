"""Take the alerts of `shoetool serve --webhook`, and print each one once.

    python receive_alerts.py KEYFILE [HOST:PORT]

KEYFILE holds the key of the alerts, `whsec_...`, as `serve --webhook-key-file` has it. Without that option the key
follows from the token; this prints it, to be kept in KEYFILE:

    python receive_alerts.py --key-of TOKENFILE

It takes Python alone. The signature is that of Standard Webhooks (standardwebhooks.com), which has packages for many
languages. A post counts when its signature is right, its time is within five minutes of the clock here, and its id was
not seen before. TLS is the business of a proxy in front of it.
"""

import base64
import hmac
import json
import sys
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

PREFIX = "whsec_"
LABEL = b"shoetool webhook key 1"
TOLERANCE_S = 300
LARGEST = 65536


class Refused(Exception):
    """A post that does not count, and why."""


class Receiver:
    """Checks posts with a key. It remembers ids as long as a post with them could come again."""

    def __init__(self, key: bytes, begun: float) -> None:
        """Begin at a time, in Unix seconds. What was posted before may have been taken before, so it is refused."""
        self.key = key
        self.begun = begun
        self.seen: dict[str, float] = {}

    def take(self, headers: Mapping[str, str], body: bytes, now: float) -> dict | None:
        """Return the alert of a post, None when it was taken before. Refused says why a post does not count."""
        names = ("webhook-id", "webhook-timestamp", "webhook-signature")
        post_id, posted, signatures = (headers.get(name, "") for name in names)
        signed = hmac.digest(self.key, b".".join((post_id.encode(), posted.encode(), body)), "sha256")
        wanted = b"v1," + base64.b64encode(signed)
        if not any(hmac.compare_digest(one.encode(), wanted) for one in signatures.split()):
            raise Refused("its signature is not right")
        if abs(now - int(posted)) > TOLERANCE_S or int(posted) < int(self.begun):
            raise Refused("it is of another time")
        self.seen = {one: at for one, at in self.seen.items() if now - at <= 2 * TOLERANCE_S}
        if post_id in self.seen:
            return None
        self.seen[post_id] = now
        return json.loads(body)


class Handler(BaseHTTPRequestHandler):
    """Answers 204 to an alert, also when it comes again, and 401 to anything else."""

    receiver: Receiver
    timeout = 10

    def do_POST(self) -> None:
        """Take one post."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            self.send_error(413)
            return
        try:
            alert = self.receiver.take(self.headers, self.rfile.read(int(length)), time.time())
        except Refused as error:
            self.send_error(401, str(error))
            return
        if alert is not None:
            print(alert["table"], alert["why"], alert["sentence"], flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing of requests."""


def key_in(path: str) -> bytes:
    """Return the key in a file."""
    return base64.b64decode(Path(path).read_text(encoding="ascii").strip().removeprefix(PREFIX), validate=True)


def key_of(path: str) -> str:
    """Return the text of the key that follows from the token in a file."""
    token = Path(path).read_text(encoding="ascii").strip()
    return PREFIX + base64.b64encode(hmac.digest(token.encode(), LABEL, "sha256")).decode()


def main(words: list[str]) -> None:
    """Print a key, or take alerts for ever."""
    if len(words) == 2 and words[0] == "--key-of":
        print(key_of(words[1]))
        return
    if not 1 <= len(words) <= 2:
        sys.exit(__doc__)  # leaves: it is a program of its own
    host, _, port = (words[1] if len(words) == 2 else "127.0.0.1:8634").rpartition(":")
    Handler.receiver = Receiver(key_in(words[0]), time.time())
    with HTTPServer((host, int(port)), Handler) as server:
        print(f"http://{host}:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
