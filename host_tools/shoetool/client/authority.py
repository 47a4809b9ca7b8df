"""Privileged commands with the command key: challenge, tag, and the shoe's answers. SECURITY.md, PROTOCOL.md 12.

Once a shoe is provisioned, the key never goes over the line. Only tags do. Each tag is valid for one command, once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.protocol_table import FAULTS, Authority, Error, FaultCode, MessageKind
from shoetool.wire.messages import pack_request, request_words, unpack

from .requests import Refused
from .session import Session

KEY_BYTES: Final = 32
FINGERPRINT_BYTES: Final = 8
_TOO_LATE: Final = (Error.BUSY, Error.NO_CHALLENGE)
_TRIES: Final = 5
_ACT: Final = str(FAULTS[FaultCode.COMMAND_KEY]["act"]).rstrip(".")
DAMAGED_ACT: Final = _ACT[0].lower() + _ACT[1:]
"""What to do about a damaged command key, as the fault has it."""


class NotAuthorised(DeviceError):
    """The shoe refused a privileged command: the key was missing or wrong, or there were too many wrong tries."""


class KeyDamaged(NotAuthorised):
    """The shoe's stored command key is damaged: it refuses every privileged command, whatever key is given."""

    def __init__(self, why: str) -> None:
        """`why`: the message without what to do, which is DAMAGED_ACT."""
        self.why = why
        super().__init__(f"{why}: {DAMAGED_ACT}")


def tag(key: bytes, *parts: bytes) -> bytes:
    """Return the HMAC-SHA-256 of the parts in a row: 32 bytes, never cut."""
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


@dataclass(frozen=True, slots=True)
class CommandKey:
    """The command key of one shoe. `device` is its id, 8 bytes."""

    device: bytes
    secret: bytes

    @property
    def fingerprint(self) -> bytes:
        """Eight bytes that identify the key and reveal nothing of it."""
        return hashlib.sha256(b"shoe key fingerprint 1" + self.secret).digest()[:FINGERPRINT_BYTES]

    def play_key(self) -> bytes:
        """The key for a hybrid table's controller. It can press play keys and do nothing else."""
        return tag(self.secret, b"shoe play key 1")

    def __repr__(self) -> str:
        """Identify the key without showing it, also in logs and crash reports."""
        return f"CommandKey(device={self.device.hex()}, fingerprint={self.fingerprint.hex()})"


@dataclass(frozen=True, slots=True)
class AuthorityState:
    """The state of a shoe's privileged commands. PROTOCOL.md explains the fields."""

    state: int
    fingerprint: bytes
    wait_ms: int
    failures: int
    announced: bool
    signing_done: int
    signing_total: int

    @property
    def provisioned(self) -> bool:
        """Whether commands need a key."""
        return self.state != Authority.OPEN

    @property
    def state_name(self) -> str:
        """`open`, `provisioned`, `damaged`, or a number of a newer firmware."""
        return Authority(self.state).name.lower() if self.state in set(Authority) else f"authority_{self.state}"


class AuthorityClient:
    """The privileged commands of one session. `key` is None until a key is given."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: tuple[int, int] | None = None
        """The connection in which the shoe was asked, and Authority: what it answered."""
        self.key: CommandKey | None = None

    # ------------------------------------------------------------------------------------------------ how it stands

    def state(self) -> AuthorityState:
        """Ask the shoe who may give commands. Firmware before protocol 1.1 knows no keys: it is open."""
        try:
            answer = self._session.call(MessageKind.AUTHORITY)
        except Refused as refused:
            if refused.code != Error.UNKNOWN_MESSAGE:
                raise
            return AuthorityState(Authority.OPEN, bytes(FINGERPRINT_BYTES), 0, 0, False, 0, 0)
        fields = unpack(MessageKind.AUTHORITY, "answer", answer)
        return AuthorityState(**{**fields, "announced": bool(fields["announced"])})

    def needs_key(self) -> bool:
        """Whether the shoe refuses privileged commands without a key. False for a recording that does not tell it.

        A shoe whose key is damaged refuses them with a key too: `require` tells the two apart.
        """
        return self._standing() != Authority.OPEN

    def is_damaged(self) -> bool:
        """Whether the shoe's stored key is damaged, so that no key helps. False for a recording that does not tell."""
        return self._standing() == Authority.DAMAGED

    def _standing(self) -> int:
        """Authority, asked once a connection. OPEN for a recording that does not tell it."""
        generation = self._session.generation
        if self._asked is None or self._asked[0] != generation:
            try:
                state = self.state().state
            except LinkError:
                return Authority.OPEN
            self._asked = (generation, state)
        return self._asked[1]

    # ------------------------------------------------------------------------------------------------ commands

    def call(self, kind: int, payload: bytes = b"", *, repeatable: bool = True) -> bytes:
        """Carry out a privileged request, with the key if there is one. Returns its answer.

        NotAuthorised, in words for people, when the shoe does not accept the key or its absence. Refused when the shoe
        refuses the command itself.
        """
        if self.key is not None:  # the shoe says itself when no key helps
            self._check_device(self.key)
            return self._with_key(self.key.secret, kind, payload)
        self.require(kind)
        try:
            return self._session.call(kind, payload, repeatable=repeatable)
        except Refused as refused:
            raise self._explained(kind, refused) from None

    def require(self, kind: int) -> None:
        """Refuse a privileged request that the shoe will not carry out, before a person does anything for it.

        NotAuthorised: the shoe is provisioned and there is no key. KeyDamaged: no key helps. BadInput: the key is that
        of another shoe.
        """
        if self.key is not None:
            self._check_device(self.key)
        if self.is_damaged():
            raise self._damaged(kind)
        if self.key is None and self.needs_key():  # the shoe would record a try without a tag as a wrong one
            raise self._explained(kind, Refused(kind, Error.NOT_AUTHORISED, 0))

    def _with_key(self, secret: bytes, kind: int, payload: bytes) -> bytes:
        for attempt in range(_TRIES):
            try:
                return self._tagged(secret, kind, lambda nonce: payload)
            except Refused as refused:
                # A card was in a throat, or another challenge came between: nothing was carried out.
                if refused.code not in _TOO_LATE or attempt == _TRIES - 1:
                    raise self._explained(kind, refused) from None
                self._session.transport.sleep(0.1)
        raise AssertionError("unreachable")

    def _tagged(self, secret: bytes, kind: int, payload_of: Callable[[bytes], bytes]) -> bytes:
        session = self._session
        request = pack_request(MessageKind.CHALLENGE, request=kind)
        nonce = unpack(MessageKind.CHALLENGE, "answer", session.call(MessageKind.CHALLENGE, request))["nonce"]
        payload = payload_of(nonce)
        identity = session.identity
        assert identity is not None
        proof = tag(
            secret,
            b"shoe command 1",
            identity.device,
            struct.pack("<H", identity.epoch),
            session.number,
            struct.pack("<BH", kind, len(payload)),
            nonce,
            payload,
        )
        envelope = pack_request(MessageKind.PRIVILEGED, request=kind, tag=proof, body=payload)
        # Not sent again after a restart of the shoe: the tag would not be valid there.
        answer = session.call(MessageKind.PRIVILEGED, envelope, repeatable=False)
        return bytes(unpack(MessageKind.PRIVILEGED, "answer", answer)["body"])

    def _check_device(self, key: CommandKey) -> None:
        identity = self._session.identity or self._session.connect()
        if key.device != identity.device:
            raise BadInput(
                f"the key file is of shoe {key.device.hex()}, and the shoe on {self._session.transport.name} is "
                f"{identity.device.hex()}; name its own key file with --key"
            )

    def _explained(self, kind: int, refused: Refused) -> DeviceError:
        """Return the refusal as an error that says what to do."""
        name = self._session.transport.name
        what = request_words(kind)
        seconds = -(-refused.detail // 1000)
        match refused.code:
            case Error.NOT_AUTHORISED if self.key is None:
                text = f"{name}: this shoe is provisioned and refused {what}: it needs its command key: "
                text += "name the key file with --key"
            case Error.NOT_AUTHORISED:
                return self._damaged(kind)
            case Error.WRONG_KEY:
                text = f"{name}: the shoe refused {what}: wrong key; it takes the next try in {seconds} s"
            case Error.WAIT:
                text = f"{name}: a wrong key was tried not long ago: the shoe takes the next try in {seconds} s"
            case Error.NOT_PROVISIONED:
                text = f"{name}: this shoe is not provisioned and has no key; run without --key, or provision it first"
            case Error.NO_CHALLENGE:
                text = f"{name}: the shoe refused {what}: its challenge was not in force any more; try again"
            case Error.NO_ENTROPY:
                text = f"{name}: the shoe has no random numbers; restart it. If this happens again, replace it"
            case _:
                return Refused(kind, refused.code, refused.detail)
        return NotAuthorised(text)

    def _damaged(self, kind: int) -> KeyDamaged:
        return KeyDamaged(
            f"{self._session.transport.name}: the shoe's stored key is damaged, so it refuses "
            f"{request_words(kind)} with any key"
        )

    # ------------------------------------------------------------------------------------------------ provisioning

    def offer(self, secret: bytes) -> CommandKey:
        """Send the host's half of a new key, 32 random bytes. Return the key that both halves make.

        It is not in force yet: first save it, then call `provision`. A provisioned shoe needs the old key in `key`.
        """
        old = self.key
        if old is None:
            raw = self.call(MessageKind.KEY_OFFER, pack_request(MessageKind.KEY_OFFER, secret=secret))
        else:
            self._check_device(old)

            def wrapped(nonce: bytes) -> bytes:
                mask = tag(old.secret, b"shoe key wrap 1", nonce)
                hidden = bytes(a ^ b for a, b in zip(secret, mask, strict=True))
                return pack_request(MessageKind.KEY_OFFER, secret=hidden)

            try:
                raw = self._tagged(old.secret, MessageKind.KEY_OFFER, wrapped)
            except Refused as refused:
                raise self._explained(MessageKind.KEY_OFFER, refused) from None
        share = unpack(MessageKind.KEY_OFFER, "answer", raw)["share"]
        identity = self._session.identity
        assert identity is not None
        return CommandKey(identity.device, tag(secret, b"shoe command key 1", identity.device, share))

    def provision(self, key: CommandKey, height: int) -> bytes:
        """Put an offered key in force, and begin a signing key with a tree of `height` (0: keep the present one).

        Returns the fingerprint that the shoe reports. DeviceError when it is not the fingerprint of the key.
        """
        identity = self._session.identity
        assert identity is not None
        context = identity.device + struct.pack("<H", identity.epoch) + self._session.number
        proof = tag(key.secret, b"shoe provision 1", context, bytes((height,)))
        payload = pack_request(MessageKind.PROVISION, height=height, tag=proof)
        try:
            raw = self._session.call(MessageKind.PROVISION, payload, repeatable=False)
        except Refused as refused:
            raise self._explained(MessageKind.PROVISION, refused) from None
        self._asked = None
        named: bytes = unpack(MessageKind.PROVISION, "answer", raw)["fingerprint"]
        if named != key.fingerprint:
            raise DeviceError(
                f"{self._session.transport.name}: the shoe names key {named.hex()}, not {key.fingerprint.hex()}"
            )
        return named

    def announce(self, version: tuple[int, int, int], digest: bytes) -> None:
        """Announce the firmware for the next start: its version and the SHA-256 over its files."""
        self.call(MessageKind.UPDATE, pack_request(MessageKind.UPDATE, version=bytes(version), digest=digest))

    # ------------------------------------------------------------------------------------------------ hybrid tables

    def open_play(self, play_key: bytes) -> Play:
        """Open play over the wire with the play key of this shoe. It ends with the session or a restart."""
        last = b""

        def nothing(nonce: bytes) -> bytes:
            nonlocal last
            last = nonce
            return b""

        try:
            self._tagged(play_key, MessageKind.PLAY_OPEN, nothing)
        except Refused as refused:
            raise self._explained(MessageKind.PLAY_OPEN, refused) from None
        return Play(self._session, tag(play_key, b"shoe play 1", last))


class Play:
    """An open play: panel keys from a hybrid table's controller, each tagged and counted."""

    def __init__(self, session: Session, key: bytes) -> None:
        self._session = session
        self._key = key
        self._counter = 0

    def press(self, key: int, argument: int = 0, *, record: int, phase: int) -> tuple[bool, int]:
        """Press a key of the dealer panel: (accepted, phase after it). Never carried out twice.

        `record` and `phase` are the next record and the phase after the last event that the controller has. The press
        counts only for the table in that state. Refused (not_allowed_now) when something was recorded since: look at
        the table again. NotAuthorised when play is no longer open. The keys supervisor, reshuffle and void_round are
        refused.
        """
        self._counter += 1
        pressed = struct.pack("<IIBBB", self._counter, record, phase, key, argument)
        payload = pressed + tag(self._key, pressed)
        try:
            raw = self._session.call(MessageKind.PLAY, payload, repeatable=False)
        except Refused as refused:
            if refused.code == Error.NOT_AUTHORISED:
                name = self._session.transport.name
                raise NotAuthorised(f"{name}: play over the wire is closed; open it again") from None
            raise
        answer = unpack(MessageKind.PLAY, "answer", raw)
        return bool(answer["accepted"]), answer["phase"]


def fresh_secret() -> bytes:
    """Return 32 random bytes from the operating system: the host's half of a new key."""
    return secrets.token_bytes(KEY_BYTES)
