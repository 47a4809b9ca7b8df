"""The client of one shoe: every request of PROTOCOL.md as a method. It reconnects by itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Self

from shoetool.link.ports import is_recording, open_transport
from shoetool.link.serial_port import BAUD
from shoetool.link.transport import Transport
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.naming import enum_name
from shoetool.model.protocol_table import CONFIGS, Error, MessageKind, Setting, Signature
from shoetool.wire.answers import (
    Identity,
    Levels,
    SelfTest,
    ShoeEntry,
    SigningKey,
    Status,
    Ticks,
    TracePass,
    pack_pairs,
    unpack_pairs,
)
from shoetool.wire.messages import pack_request, unpack

from .authority import AuthorityClient
from .history import Page, PageReader, Progress, list_shoes, pull, read_trace
from .live import Live
from .requests import Refused, Timeouts
from .session import Session

_LONGEST_SIGNATURE: Final = 0x2000


class Client:
    """One shoe at the end of one transport. Every method raises LinkError or DeviceError with one clear line.

    The device is identified by the first call. After an unplugged cable, a crash or a restart the client connects
    again by itself within `timeouts.reconnect_s` and goes on. `on_text(source, text)` gets stray text on the line
    ("text") and the log lines of the device ("log").
    """

    def __init__(
        self,
        transport: Transport,
        timeouts: Timeouts | None = None,
        *,
        seed: int | None = None,
        on_text: Callable[[str, str], None] | None = None,
    ) -> None:
        self.transport = transport
        self.session = Session(transport, timeouts or Timeouts(), seed, on_text)
        self.authority = AuthorityClient(self.session)
        self.live: Live | None = None
        self._reader: PageReader | None = None  # holds pieces of the history that is pulled next

    @classmethod
    def open(
        cls,
        port: str,
        timeouts: Timeouts | None = None,
        *,
        baud: int = BAUD,
        record: Path | None = None,
        on_text: Callable[[str, str], None] | None = None,
    ) -> Client:
        """Open a port by name, path or URL, or a recording, and identify the shoe; see link.open_transport."""
        transport = open_transport(port, baud=baud, record=record)
        if timeouts is None and is_recording(port):
            # No time limits: a recording ends by itself, and its answer may come hours of its clock after the request.
            timeouts = Timeouts(request_s=math.inf)
        client = cls(transport, timeouts, on_text=on_text)
        try:
            client.identify()
        except BaseException:
            client.close()
            raise
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the live stream if there is one, and close the port."""
        if self.live is not None and self.session.identity is not None:
            # The device need not hear this. When the line is gone, nothing has to be done.
            hasty = Timeouts(answer_s=0.1, tries=1, noisy_tries=1, reconnect_s=0)
            self.session.timeouts, before = hasty, self.session.timeouts
            try:
                self.live.close()
            except LinkError:
                pass
            finally:
                self.session.timeouts = before
        self.live = None
        self.transport.close()

    # ------------------------------------------------------------------------------------------- who and how

    def identify(self) -> Identity:
        """Return the identity of the device. Asked once per connection."""
        return self.session.identity or self.session.connect()

    def status(self) -> Status:
        """Return what the shoe does right now."""
        return Status.unpack(self.session.call(MessageKind.STATUS))

    def ticks(self) -> Ticks:
        """Return the device's clocks as they are right now."""
        return Ticks(**unpack(MessageKind.TICKS, "answer", self.session.call(MessageKind.TICKS)))

    def self_test(self) -> SelfTest:
        """Run the self-test and wait for its result. DeviceError: a provisioned shoe runs only one in half a minute."""
        slow = self.session.timeouts.slow_answer_s
        try:
            raw = self.session.call(MessageKind.SELF_TEST, repeatable=True, timeout_s=slow)
        except Refused as refused:
            if refused.code != Error.WAIT:
                raise
            seconds = -(-refused.detail // 1000)
            raise DeviceError(
                f"{self.transport.name}: a self-test ran not long ago: the shoe takes the next one in {seconds} s"
            ) from None
        return SelfTest(**unpack(MessageKind.SELF_TEST, "answer", raw))

    def trace(self, index: int = 0) -> TracePass | None:
        """Return the raw edges of a recent pass; 0 is the newest. None when there is no such pass."""
        return read_trace(self.session, index)

    def key(self, key: int, argument: int = 0) -> tuple[bool, int]:
        """Press a key of the dealer panel: (accepted, phase after it). Never carried out twice.

        Privileged; a hybrid table uses `authority.open_play`. LinkError when the shoe restarted before it could answer.
        Then its history shows whether the key counted.
        """
        payload = pack_request(MessageKind.KEY, key=key, argument=argument)
        answer = unpack(MessageKind.KEY, "answer", self.authority.call(MessageKind.KEY, payload, repeatable=False))
        return bool(answer["accepted"]), answer["phase"]

    # ----------------------------------------------------------------------------------------- configuration

    def config_read(self) -> dict[str, int]:
        """Return the settings by name. A setting that this shoetool does not know is named `setting_<id>`."""
        answer = unpack(MessageKind.CONFIG_READ, "answer", self.session.call(MessageKind.CONFIG_READ))
        return {enum_name(Setting, setting): value for setting, value in unpack_pairs(answer["pairs"]).items()}

    def config_write(self, values: Mapping[str, int] | Mapping[int, int]) -> int:
        """Write settings by name or id, all or nothing. Return the CRC of the whole configuration. Privileged.

        BadInput when a name or a range is wrong. Refused when they do not fit together, or cannot be written now.
        """
        pairs = {}
        for name, value in values.items():
            try:
                setting = Setting[name.upper()] if isinstance(name, str) else Setting(name)
            except (KeyError, ValueError):
                raise BadInput(f"there is no setting {name!r}") from None
            row = CONFIGS[setting]
            if not row["min"] <= value <= row["max"]:
                raise BadInput(f"{setting.name.lower()} = {value} is out of range ({row['min']} to {row['max']})")
            pairs[int(setting)] = value
        raw = self.authority.call(
            MessageKind.CONFIG_WRITE, pack_request(MessageKind.CONFIG_WRITE, pairs=pack_pairs(pairs))
        )
        return int(unpack(MessageKind.CONFIG_WRITE, "answer", raw)["crc"])

    # --------------------------------------------------------------------------------------------- read heads

    def levels(self, head: int) -> Levels | None:
        """Return the light levels of one head. None from firmware before protocol 1.2, or without such a head."""
        try:
            return Levels.unpack(self.session.call(MessageKind.LEVELS, pack_request(MessageKind.LEVELS, head=head)))
        except Refused as refused:
            if refused.code in (Error.UNKNOWN_MESSAGE, Error.BAD_VALUE):
                return None
            raise

    def calibrate(self, head: int, step: int, threshold: int = 0) -> int:
        """Carry out one step of a head's calibration (enum.calibration). Return its margin. Privileged."""
        request = pack_request(MessageKind.CALIBRATE, head=head, step=step, threshold=threshold)
        answer = unpack(MessageKind.CALIBRATE, "answer", self.authority.call(MessageKind.CALIBRATE, request))
        return int(answer["margin"])

    # ----------------------------------------------------------------------------------------------- histories

    def history_list(self, from_shoe: int = 0) -> list[ShoeEntry]:
        """Return the histories in the journal, oldest first, from shoe number `from_shoe` on."""
        return list_shoes(self.session, from_shoe)

    def pull_shoe(
        self,
        shoe: int | ShoeEntry,
        progress: Progress | None = None,
        *,
        skip_pages: int = 0,
        then: ShoeEntry | None = None,
    ) -> Iterator[Page]:
        """Yield the pages of one history in order, as they come. Calls `progress(done_bytes, total_bytes)` in between.

        To resume, pass in `skip_pages` how many whole pages are already kept. The history `then` is pulled next, from
        its start. Its first pieces are requested before the last ones of this history are here, so the line is never
        idle in between. BadInput when there is no such shoe.
        """
        entry = shoe
        if isinstance(entry, int):
            entry = next((e for e in self.history_list(entry) if e.shoe == shoe), entry)
        if isinstance(entry, int):
            raise BadInput(f"{self.transport.name}: this shoe holds no history number {entry}")
        return self._pull(entry, progress, skip_pages, then)

    def _pull(self, entry: ShoeEntry, progress: Progress | None, skip: int, then: ShoeEntry | None) -> Iterator[Page]:
        """Pull with the reader of the history before this one, and keep it for the next history."""
        reader, self._reader = self._reader or PageReader(self.session), None
        # A history's only page may be the one that the device still writes: pieces that came early would be old.
        following = then.first_page if then is not None and then.pages > 1 else None
        try:
            yield from pull(reader, entry, skip, progress, following)
        except BaseException:
            reader.close()
            raise
        if following is None:
            reader.close()
        else:
            self._reader = reader

    def history_fetched(self, shoe: int) -> None:
        """Tell the device that a history was fetched, so that it may overwrite it. Privileged."""
        self.authority.call(MessageKind.HISTORY_FETCHED, pack_request(MessageKind.HISTORY_FETCHED, shoe=shoe))

    def signing_key(self) -> SigningKey | None:
        """Return the public half of the shoe's signing key, and how much of it is made. None: older firmware."""
        try:
            return SigningKey.unpack(self.session.call(MessageKind.SIGNING_KEY, b""))
        except Refused as refused:
            if refused.code == Error.UNKNOWN_MESSAGE:
                return None
            raise

    def signature(self, shoe: int) -> tuple[int, bytes]:
        """Return (value of enum.signature, statement and signature) of a closed shoe. No bytes unless it is signed.

        NO_KEY from firmware without signing.
        """
        data = b""
        while True:
            try:
                raw = self.session.call(
                    MessageKind.SIGNATURE, pack_request(MessageKind.SIGNATURE, shoe=shoe, offset=len(data))
                )
            except Refused as refused:
                if refused.code == Error.UNKNOWN_MESSAGE:
                    return int(Signature.NO_KEY), b""
                raise
            answer = unpack(MessageKind.SIGNATURE, "answer", raw)
            state, size, offset, piece = answer["state"], answer["size"], answer["offset"], answer["data"]
            if state != Signature.SIGNED:
                return state, b""
            if (
                offset != len(data)
                or size > _LONGEST_SIGNATURE
                or answer["shoe"] != shoe
                or (not piece and len(data) < size)
            ):
                raise DeviceError(f"{self.transport.name}: the shoe sends the signature of shoe {shoe} in disorder")
            data += piece
            if len(data) >= size:
                return state, data[:size]

    # ---------------------------------------------------------------------------------------------------- live

    def subscribe(self, from_record: int | None = None) -> Live:
        """Begin a live stream of records from a number on (None: from the next one), for `poll`."""
        self.live = Live(self.session, from_record)
        return self.live
