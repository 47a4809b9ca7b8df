"""A shoe at the other end of a pseudo-terminal, for tests of the commands: the firmware's own link, a scripted service.

It answers from a thread. `hang_up_after` closes the line after so many bytes of answers, as a pulled cable does;
`noise` comes before every answer.
"""

from __future__ import annotations

import os
import select
import struct
import threading
import tty
from types import TracebackType
from typing import Self

from histories import Script
from made_record import encode_payload
from shoe.line.link import Link
from shoe.service_error import ServiceError
from shoetool.model.protocol_table import CONFIGS, PAGE_SIZE, Authority, Error, Role


def short_shoe() -> Script:
    """One round from a six-deck shoe, its hole card never turned."""
    script = Script(first_record=1)
    script.add("boot", 0, b"\0\1\0", 0, 1)
    script.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    script.add("loaded", 0, 312)
    script.seal(Role.BURN, 14, 0, 0, 50, 1)
    script.add("round_opened", 1, 0b101)
    for role, box, card in ((0, 1, 8), (0, 3, 21), (1, 0, 9), (0, 1, 30), (0, 3, 12)):
        script.add("card", role, box, 0, 0, card, 1, 120, 200)
    script.seal(Role.HOLE, 0, 0, 0, 51, 1)
    script.add("hand_ended", 1, 0, 0)
    return script


class Service:
    """What the link asks for; answers from a script and a dictionary of settings."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.pages = script.pages(first_page=3)
        self.config = {setting: row["default"] for setting, row in CONFIGS.items()}
        self.protocol = (1, 0)
        self.device = b"SHOE0001"
        self.board = b"pty"
        self.closed = False
        self.fetched: set[int] = set()
        self.self_test_result = (0, 0)
        self.refuse: int | None = None
        self.link: Link | None = None

    def identify(self) -> tuple[object, ...]:
        return (*self.protocol, self.device, bytes((0, 1, 0)), 1, 7, self.board)

    def status(self) -> tuple[object, ...]:
        count = self.script.next
        return (5, 0, 0, 1, 1, 1, count, count, 99, 6, 0, 100_000)

    def config_read(self) -> tuple[object, ...]:
        return (0x1234, b"".join(struct.pack("<BI", *pair) for pair in sorted(self.config.items())))

    def config_write(self, pairs: bytes) -> tuple[object, ...]:
        if self.refuse is not None:
            raise ServiceError(self.refuse, 3)
        self.config.update(struct.iter_unpack("<BI", bytes(pairs)))
        return (0x1234,)

    def history_list(self, from_shoe: int) -> tuple[object, ...]:
        if from_shoe > 1:
            return (0, b"")
        records = self.script.records
        row = (1, 3, len(self.pages), records[0].number, len(records), self.closed, 1 in self.fetched)
        return (0, struct.pack("<IIHIIBB", *row))

    def signing_key(self) -> tuple[object, ...]:
        return (0, 0, 0, 0, 0, b"")

    def signature(self, shoe: int, offset: int) -> tuple[object, ...]:
        return (3, shoe, 0, offset, b"")

    def history_read(self, page: int, offset: int, into: memoryview) -> tuple[int, int]:
        if not 3 <= page < 3 + len(self.pages):
            raise ServiceError(Error.NO_SUCH_PAGE)
        data = self.pages[page - 3]
        used = len(data.rstrip(b"\xff")) if page == 2 + len(self.pages) else PAGE_SIZE
        n = max(0, min(len(into), used - offset))
        into[:n] = data[offset : offset + n]
        return (n, used)

    def history_fetched(self, shoe: int) -> None:
        self.fetched.add(shoe)

    def subscribe(self, on: int, from_record: int) -> tuple[object, ...]:
        return (self.script.next,)

    def event_read(self, from_record: int, count: int) -> tuple[object, ...]:
        assert self.link is not None
        sent = 0
        for record in self.script.records[from_record - self.script.first_record :][:count]:
            payload = encode_payload(record.kind, record.values)
            if not self.link.send_event(record.number, record.boot, record.ticks_ms, record.kind, payload):
                break
            sent += 1
        return (from_record, sent)

    def self_test(self) -> tuple[object, ...]:
        return self.self_test_result

    def trace(self, index: int, offset: int) -> tuple[object, ...]:
        if index > 1:
            return (2, 0, 0, 0, offset, b"")
        edges = b"".join(struct.pack("<HB", 10 * i, (i * 5) & 15 | 1) for i in range(100))
        return (2, index, 0, 100, offset, edges[offset : offset + 300])

    def levels(self, head: int) -> tuple[object, ...]:
        if head > 1:
            raise ServiceError(Error.BAD_VALUE, head)
        line = struct.pack("<HHH", 65535, 12000 + 9000 * head, 52000)
        return (head, 255, 32000, 100 - 45 * head, head, 0, 0, 63, 4 * line)

    def calibrate(self, head: int, step: int, threshold: int) -> tuple[object, ...]:
        raise ServiceError(Error.NOT_ALLOWED_NOW)

    def key(self, key: int, argument: int) -> tuple[object, ...]:
        return (1, 1)

    def ticks(self) -> tuple[object, ...]:
        return (1, 1234, 1_234_000, 0)


class DamagedKey:
    """The firmware's gate where the stored command key is damaged: it lets no privileged request in."""

    def authority(self) -> tuple[object, ...]:
        return (Authority.DAMAGED, bytes(8), 0, 0, 0, 0, 0)

    def challenge(self, request: int) -> tuple[object, ...]:
        raise ServiceError(Error.NOT_AUTHORISED)

    def plain(self, kind: int, payload: bytes) -> None:
        raise ServiceError(Error.NOT_AUTHORISED)

    def tagged(self, kind: int, tag: bytes, body: bytes) -> None:
        raise ServiceError(Error.NOT_AUTHORISED)


class PtyShoe:
    """Runs a service behind a pseudo-terminal; `port` is what a command is given."""

    def __init__(self, service: Service | None = None) -> None:
        self.service = service or Service(short_shoe())
        self.hang_up_after: int | None = None
        self.noise = b""
        self.silent = False
        self.answered = 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._link = Link(self._write)
        self._link.serve((self.service,))
        self._link.epoch = 7
        self.service.link = self._link

    def damage_key(self) -> None:
        """From now on its command key is one that cannot be read."""
        gate = DamagedKey()
        self._link.serve((self.service, gate), gate)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        for fd in {self._master, self._slave} - {-1}:
            os.close(fd)

    def _run(self) -> None:
        while not self._stop.is_set() and self._master >= 0:
            ready, _, _ = select.select([self._master], [], [], 0.02)
            if ready:
                data = os.read(self._master, 4096)
                if not self.silent:
                    self._link.receive(data, len(data))
            elif not self.silent:
                self._link.pump()

    def _hang_up(self) -> None:
        # The slave stays open, so that no other test's pseudo-terminal gets this name while the client tries again.
        os.close(self._master)
        self._master = -1

    def _write(self, buffer: bytes, n: int) -> int:
        if self._master < 0:
            return n
        os.write(self._master, self.noise + bytes(buffer[:n]))
        self.answered += n
        # Here and not later: what answers the next requests must find the line gone already.
        if self.hang_up_after is not None and self.answered >= self.hang_up_after:
            self._hang_up()
        return n
