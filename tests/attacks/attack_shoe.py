"""A shoe under attack: its rig, its owner's key, and a line on which the attacker says what he likes."""

from __future__ import annotations

import struct
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from power_rig import PowerRig
from shoesim.piles import Item
from shoetool.client.authority import CommandKey, fresh_secret, tag
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.link.recording import Direction, read_recording
from shoetool.link.serial_port import SerialTransport
from shoetool.link.transport import PortBusy
from shoetool.model.protocol_table import Attempt, Error, Key, MessageKind, RecordKind
from shoetool.model.records import Record
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame, encode_frame
from shoetool.wire.messages import pack_request, unpack

BATCH = 1
DECKS = struct.pack("<BI", 3, 8)


def _line(path: str) -> SerialTransport:
    """Open the line; a client of another test may be looking whether its own lost line is back under this name."""
    for _ in range(20):
        try:
            return SerialTransport(path)
        except PortBusy:
            time.sleep(0.1)
    return SerialTransport(path)


class Victim:
    """One shoe. `key` is its owner's; whoever attacks must not use it."""

    def __init__(self, folder: Path, interpreter: str = "amd64") -> None:
        self.folder = folder
        self.rig = PowerRig(folder / "state", interpreter=interpreter)
        self.key: CommandKey | None = None
        self._client: Client | None = None

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rig.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hang_up()
        log = self.rig.log_path.read_text() if self.rig.log_path.exists() else ""
        self.rig.close()
        if kind is None:
            assert "Error" not in log and "Traceback" not in log, log

    # ------------------------------------------------------------------------------------------- the owner

    def table(self) -> dict[str, int]:
        """The next record and the phase: the table that a press of a play is for."""
        now = self.client.status()
        return {"record": now.next_record, "phase": now.phase}

    @property
    def client(self) -> Client:
        """A client without a key: what anybody with a laptop has."""
        if self._client is None:
            self._client = Client(_line(self.rig.link_path))
            self._client.identify()
        return self._client

    def hang_up(self) -> None:
        """Give the line to somebody else; `client` opens it again, in a new session."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def provision(self) -> CommandKey:
        """Give the shoe its key."""
        authority = self.client.authority
        key = authority.offer(fresh_secret())
        authority.provision(key, 0)
        authority.key = None
        self.key = key
        return key

    def owner(self) -> Client:
        """The client with the owner's key; `client` has none again after `leave`."""
        self.client.authority.key = self.key
        return self.client

    def leave(self) -> None:
        """The owner takes his key away."""
        self.client.authority.key = None

    # ------------------------------------------------------------------------------------------- the attacker

    def ask(self, kind: int, payload: bytes = b"") -> bytes:
        """A request as it is, past everything that the client would check first. Raises Refused."""
        return self.client.session.call(kind, payload, repeatable=False)

    def refused(self, kind: int, payload: bytes = b"") -> int:
        """The error code with which the shoe refuses a request; it must."""
        try:
            self.ask(kind, payload)
        except Refused as refused:
            return refused.code
        raise AssertionError(f"the shoe took request {kind}")

    def challenge(self, request: int) -> bytes:
        """A challenge, which anybody may ask for."""
        raw = self.ask(MessageKind.CHALLENGE, pack_request(MessageKind.CHALLENGE, request=request))
        return bytes(unpack(MessageKind.CHALLENGE, "answer", raw)["nonce"])

    def proof(self, secret: bytes, request: int, body: bytes, nonce: bytes, **other: bytes) -> bytes:
        """The tag for a command, as the holder of `secret` computes it; `device`, `epoch`, `session` may be others."""
        identity = self.client.identify()
        return tag(
            secret,
            b"shoe command 1",
            other.get("device", identity.device),
            other.get("epoch", struct.pack("<H", identity.epoch)),
            other.get("session", self.client.session.number),
            struct.pack("<BH", request, len(body)),
            nonce,
            body,
        )

    def wrapped(self, request: int, proof: bytes, body: bytes) -> bytes:
        """The payload of `privileged`."""
        return pack_request(MessageKind.PRIVILEGED, request=request, tag=proof, body=body)

    def records(self, kind: RecordKind | None = None) -> list[Record]:
        """Every record of the journal, or those of one kind."""
        self.client.live = None
        end = self.client.status().next_record
        live = self.client.subscribe(0)
        found: list[Record] = []
        while (live.next_number or 0) < end:
            found += live.poll(1.0)
        live.close()
        self.client.live = None
        return [one for one in found if kind is None or one.kind == kind]

    def attempts(self) -> list[tuple[str, str]]:
        """(request, result) of every recorded attempt."""
        kinds = {int(kind): kind.name.lower() for kind in MessageKind}
        return [
            (kinds[int(one.get("request"))], Attempt(int(one.get("result"))).name.lower())
            for one in self.records(RecordKind.ATTEMPT)
        ]

    def settings(self) -> dict[str, int]:
        """The settings in force."""
        return self.client.config_read()

    # ------------------------------------------------------------------------------------------- the table

    def deal_a_round(self, hole: int) -> None:
        """Deal the opening of a round with one player: his cards, the up card, the hole card."""
        self.rig.key(Key.LOAD, 0)
        self.rig.draw(0, Item(20, BATCH))
        self.rig.key(Key.SEATS, 1)
        self.rig.key(Key.DEAL)
        for card in (1, 25, 2, hole):
            self.rig.draw(0, Item(card, BATCH))
        self.rig.sync()


def sent_frames(recording: Path) -> list[Frame]:
    """The frames that a host sent, out of a recording of its line."""
    data = b"".join(part for direction, _, part in read_recording(recording) if direction == Direction.SENT)
    return [item for item in FrameDecoder().feed(data) if isinstance(item, Frame)]


def came(recording: Path) -> bytes:
    """All that a shoe sent, out of a recording: the bytes on the line, then the payloads that were stuffed there."""
    line = b"".join(part for direction, _, part in read_recording(recording) if direction == Direction.CAME)
    return line + b"".join(item.payload for item in FrameDecoder().feed(line) if isinstance(item, Frame))


def replay(victim: Victim, frames: list[Frame]) -> list[Any]:
    """Put frames on the line again, byte by byte; return what the shoe answers within a moment."""
    transport = victim.client.transport
    decoder = FrameDecoder()
    out: list[Any] = []
    for one in frames:
        transport.write(encode_frame(one.kind, one.epoch, one.sequence, one.payload))
        deadline = transport.now() + 0.3
        while transport.now() < deadline:
            out += decoder.feed(transport.read(0.05))
    return [item for item in out if isinstance(item, Frame)]


__all__ = ["DECKS", "Error", "Victim", "came", "replay", "sent_frames"]
