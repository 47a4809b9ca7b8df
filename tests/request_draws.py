"""Every request of the protocol, asked with arguments that are drawn: one method for each, named as in protocol.toml.

The list of requests is the protocol's. A request without a method here fails `every`, and the tests with it.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from shoetool.model.protocol_table import MESSAGES, Calibration, Error, Key, MessageKind, Setting

SECRET = bytes(range(1, 33))
HEIGHTS = (0, 5)


class Answer(NamedTuple):
    """What a shoe answered: `error` is None when it carried the request out."""

    error: int | None
    detail: int
    body: bytes


def names() -> list[str]:
    """The requests of the protocol."""
    return [str(row["name"]) for row in MESSAGES.values() if "request" in row]


def privileged() -> list[int]:
    """The kinds that a provisioned shoe takes only with its key."""
    return [kind for kind, row in MESSAGES.items() if row.get("privileged")]


class Requests:
    """Asks a shoe. `ask(kind, payload)` sends one request; `named()` tells epoch and session of the line.

    With `good` a method asks for what a shoe between two rounds does. Otherwise arguments are drawn, wrong ones too.
    `pressed` is the key that is pressed then; SURRENDER is refused by the table between two rounds. `calm`: nothing
    that is drawn changes what a dealer does who deals meanwhile.
    """

    def __init__(
        self,
        ask: Callable[[int, bytes], Answer],
        named: Callable[[], tuple[int, bytes]],
        device: bytes,
        seed: object,
        wait: Callable[[], object] = lambda: None,
        height: int | None = None,
        pressed: Key = Key.SURRENDER,
    ) -> None:
        self.rng = Random(f"requests {seed}")
        self.ask = ask
        self.secret = b""
        self.calm = False
        self.asked: list[tuple[str, Answer]] = []
        self._named = named
        self._device = device
        self._wait = wait
        self._height = height
        self._pressed = (pressed, 0 if pressed == Key.LOAD else 99)
        self._play = b""
        self._counter = 0

    def one(self, name: str, good: bool = False) -> Answer:
        """Ask for what is called `name`. AttributeError when nobody wrote how."""
        answer: Answer = getattr(self, name)(good)
        self.asked.append((name, answer))
        return answer

    def every(self) -> dict[str, Answer]:
        """Ask for everything, as a shoe between two rounds takes it."""
        self._wait()
        return {name: self.one(name, True) for name in names()}

    def some(self, count: int) -> None:
        """Ask for `count` things in any order."""
        for _ in range(count):
            self.one(self.rng.choice(names()))
            self._wait()

    # ------------------------------------------------------------------------------------------------ as a host does

    def _tag(self, key: bytes, *parts: bytes) -> bytes:
        return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

    def _context(self) -> bytes:
        epoch, session = self._named()
        return self._device + struct.pack("<H", epoch) + session

    def _command(self, kind: int, payload: bytes = b"", key: bytes | None = None, nonce: bytes = b"") -> Answer:
        """Give a privileged command, with the key where there is one."""
        if not self.secret:
            return self.ask(kind, payload)
        if not nonce:
            given = self.ask(MessageKind.CHALLENGE, bytes((kind,)))
            if given.error is not None:
                return given
            nonce = given.body[:32]
        said = b"shoe command 1" + self._context() + struct.pack("<BH", kind, len(payload)) + nonce
        proof = self._tag(self.secret if key is None else key, said, payload)
        return self.ask(MessageKind.PRIVILEGED, bytes((kind,)) + proof + payload)

    def _sometimes(self, good: bool) -> bool:
        return not good and self.rng.random() < 0.3

    # ------------------------------------------------------------------------------------------------ the requests

    def identify(self, good: bool) -> Answer:
        return self.ask(MessageKind.IDENTIFY, self._named()[1])

    def status(self, good: bool) -> Answer:
        return self.ask(MessageKind.STATUS, b"")

    def config_read(self, good: bool) -> Answer:
        return self.ask(MessageKind.CONFIG_READ, b"")

    def config_write(self, good: bool) -> Answer:
        if self._sometimes(good):
            return self._command(MessageKind.CONFIG_WRITE, self.rng.randbytes(self.rng.randrange(40)))
        pairs = struct.pack("<BI", Setting.TABLE, self.rng.randrange(1000))
        if not self.calm:
            pairs += struct.pack("<BI", Setting.DECKS, self.rng.choice((6, 8)))
        return self._command(MessageKind.CONFIG_WRITE, pairs)

    def history_list(self, good: bool) -> Answer:
        return self.ask(MessageKind.HISTORY_LIST, struct.pack("<IB", 0, 0 if good else self.rng.randrange(4)))

    def _row(self) -> tuple[int, int]:
        """Shoe and first page of one history in the ring."""
        rows = self.ask(MessageKind.HISTORY_LIST, bytes(5)).body[1:]
        at = 20 * self.rng.randrange(max(1, len(rows) // 20))
        return struct.unpack_from("<II", rows, at) if rows else (0, 0)

    def history_read(self, good: bool) -> Answer:
        page = self.rng.randrange(1 << 16) if self._sometimes(good) else self._row()[1]
        return self.ask(MessageKind.HISTORY_READ, struct.pack("<IHH", page, 0, self.rng.randrange(400)))

    def history_fetched(self, good: bool) -> Answer:
        shoe = (
            self.rng.randrange(9) if self._sometimes(good) else 0
        )  # what was before the first shoe is closed, in time
        return self._command(MessageKind.HISTORY_FETCHED, struct.pack("<I", shoe))

    def subscribe(self, good: bool) -> Answer:
        return self.ask(MessageKind.SUBSCRIBE, struct.pack("<BI", self.rng.randrange(2), self.rng.randrange(9)))

    def event_read(self, good: bool) -> Answer:
        record = self.rng.randrange(1 << 16) if self._sometimes(good) else 0
        return self.ask(MessageKind.EVENT_READ, struct.pack("<IB", record, self.rng.randrange(9)))

    def self_test(self, good: bool) -> Answer:
        return self.ask(MessageKind.SELF_TEST, b"")

    def trace(self, good: bool) -> Answer:
        return self.ask(MessageKind.TRACE, struct.pack("<BHH", 0 if good else self.rng.randrange(4), 0, 0))

    def key(self, good: bool) -> Answer:
        """Press a key; one that means something only where no dealer deals."""
        chosen, argument = self._pressed
        if not (good or self.calm):
            chosen = self.rng.choice(list(Key))
            argument = self.rng.choice((0, 0, 1, 2, self.rng.randrange(256)))
        return self._command(MessageKind.KEY, bytes((chosen, argument)))

    def ticks(self, good: bool) -> Answer:
        return self.ask(MessageKind.TICKS, b"")

    def host_clock(self, good: bool) -> Answer:
        """Give a time of day; without the key too, which a provisioned shoe takes."""
        ticks = self.ask(MessageKind.TICKS, b"")
        if ticks.error is not None:
            return ticks
        (now,) = struct.unpack_from("<I", ticks.body, 2)
        if self._sometimes(good):
            now = self.rng.randrange(1 << 32)
        given = struct.pack(
            "<IIHH", now, 1_800_000_000 + self.rng.randrange(99), self.rng.randrange(1000 if good else 1100), 30
        )
        if good or self.rng.random() < 0.5:
            return self.ask(MessageKind.HOST_CLOCK, given)
        return self._command(MessageKind.HOST_CLOCK, given)

    def signing_key(self, good: bool) -> Answer:
        return self.ask(MessageKind.SIGNING_KEY, b"")

    def signature(self, good: bool) -> Answer:
        return self.ask(MessageKind.SIGNATURE, struct.pack("<IH", self.rng.randrange(3), 0))

    def levels(self, good: bool) -> Answer:
        return self.ask(MessageKind.LEVELS, bytes((0 if good else self.rng.randrange(4),)))

    def calibrate(self, good: bool) -> Answer:
        step = Calibration.END if good else self.rng.choice(list(Calibration))
        head = 0 if good else self.rng.randrange(4)
        answer = self._command(MessageKind.CALIBRATE, struct.pack("<BBH", head, step, 0))
        if not good:
            self._command(MessageKind.CALIBRATE, struct.pack("<BBH", head, Calibration.END, 0))
        return answer

    def authority(self, good: bool) -> Answer:
        return self.ask(MessageKind.AUTHORITY, b"")

    def challenge(self, good: bool) -> Answer:
        kind = self.rng.randrange(256) if self._sometimes(good) else self.rng.choice(privileged())
        return self.ask(MessageKind.CHALLENGE, bytes((kind,)))

    def privileged(self, good: bool) -> Answer:
        pairs = struct.pack("<BI", Setting.TABLE, 7)
        if not self.secret:
            return self.ask(MessageKind.PRIVILEGED, bytes((MessageKind.CONFIG_WRITE,)) + bytes(32) + pairs)
        wrong = bytes(32) if self._sometimes(good) else None
        return self._command(MessageKind.CONFIG_WRITE, pairs, wrong)

    def key_offer(self, good: bool) -> Answer:
        return self._offer()[0]

    def _offer(self) -> tuple[Answer, bytes]:
        """Answer, and the key that both halves make."""
        nonce, secret = b"", SECRET
        if self.secret:
            given = self.ask(MessageKind.CHALLENGE, bytes((MessageKind.KEY_OFFER,)))
            if given.error is not None:
                return given, b""
            nonce = given.body[:32]
            mask = self._tag(self.secret, b"shoe key wrap 1", nonce)
            secret = bytes(a ^ b for a, b in zip(SECRET, mask, strict=True))
        answer = self._command(MessageKind.KEY_OFFER, secret, nonce=nonce)
        if answer.error is not None:
            return answer, b""
        return answer, self._tag(SECRET, b"shoe command key 1", self._device, answer.body)

    def provision(self, good: bool) -> Answer:
        offered, new = self._offer()
        if offered.error is not None:
            return offered
        height = self.rng.choice(HEIGHTS) if self._height is None else self._height
        said = b"shoe provision 1" + self._context() + bytes((height,))
        key = bytes(32) if self._sometimes(good) else new
        answer = self.ask(MessageKind.PROVISION, bytes((height,)) + self._tag(key, said))
        if answer.error is None:
            self.secret = new
        return answer

    def update(self, good: bool) -> Answer:
        return self._command(MessageKind.UPDATE, bytes(3) + self.rng.randbytes(32))

    def play_open(self, good: bool) -> Answer:
        if not self.secret:
            return self._command(MessageKind.PLAY_OPEN)
        given = self.ask(MessageKind.CHALLENGE, bytes((MessageKind.PLAY_OPEN,)))
        if given.error is not None:
            return given
        play_key = self._tag(self.secret, b"shoe play key 1")
        answer = self._command(MessageKind.PLAY_OPEN, b"", play_key, given.body[:32])
        if answer.error is None:
            self._play = self._tag(play_key, b"shoe play 1", given.body[:32])
            self._counter = 0
        return answer

    def play(self, good: bool) -> Answer:
        if good:
            self.play_open(True)
        status = self.ask(MessageKind.STATUS, b"")
        if status.error is not None:
            return status
        (phase,) = status.body[:1]
        (record,) = struct.unpack_from("<I", status.body, 11)
        self._counter += 1
        pressed = struct.pack("<IIBBB", self._counter, record, phase, *self._pressed)
        return self.ask(MessageKind.PLAY, pressed + self._tag(self._play, pressed))


# No card went by; without the key the time is taken once an hour.
MAY_REFUSE = {"trace": (Error.BAD_VALUE,), "host_clock": (Error.WAIT,)}
