"""MemoryError at each line of the firmware that a request runs: it is refused, and did all or nothing.

CPython can raise it at any line, so this shows more places than those that take memory. That a shoe in a small heap
comes into this seldom is shown in tests/e2e/test_request_sequences.py.
"""

from __future__ import annotations

import ast
import struct
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from board_fake import FakeBoard
from flash_memory import MemoryFlash, Power
from link_fake import frame, frames
from request_draws import MAY_REFUSE, Answer, Requests, names
from sampled import SOAK
from shoe import wire_table as t
from shoetool.model.protocol_table import Error, Key, MessageKind
from test_gate import Host

KEYS_PAGES = 16  # of 4096 bytes: room for a key of height 5 and its signatures
SEED = 1
FIRMWARE = "/firmware/shoe/"
NOT_A_REQUEST = ("/recovery.py", "/settle.py")
SAID = {t.REC_ATTEMPT, t.REC_PROVISIONED}  # records that also stand where nothing was done
EVERY = 1 if SOAK else 15
Place = tuple[CodeType, int]


@cache
def stores(path: str) -> frozenset[int]:
    """The lines of a module that only store what is there, or only ask for it: they take no memory."""
    found = set()
    there = (ast.Name, ast.Constant, ast.Attribute)
    for node in ast.walk(ast.parse(Path(path).read_text())):
        value = node.test if isinstance(node, ast.If) else getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.If | ast.Return) and isinstance(value, there):
            found.add(node.lineno)
    return frozenset(found)


class Tracer:
    """Counts the lines of the firmware that run and may take memory, or raises MemoryError at the `at`-th one."""

    def __init__(self, at: int = 0) -> None:
        self.at = at
        self.count = 0
        self.fired = ""
        self.firsts: dict[Place, list[int]] = {}

    def __enter__(self) -> Tracer:
        self._before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        name = frame.f_code.co_filename
        return self._line if FIRMWARE in name and not name.endswith(NOT_A_REQUEST) else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event != "line" or frame.f_lineno in stores(frame.f_code.co_filename):
            return self._line
        self.count += 1
        if self.at == self.count:
            self.fired = f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}"
            raise MemoryError
        if not self.at:
            self.firsts.setdefault((frame.f_code, frame.f_lineno), []).append(self.count)
        return self._line

    def places(self) -> list[int]:
        """The first and the last time of each line."""
        return sorted({at for found in self.firsts.values() for at in (found[0], found[-1])})


class Board(FakeBoard):
    """With room for a signing key, and flash that begins as it is handed over."""

    def __init__(self, chips: list[bytes] | None = None) -> None:
        super().__init__()
        self.power = Power(seed=SEED)
        pages = [(chip.pages, chip.page_size) for chip in self.chips()[:3]] + [(KEYS_PAGES, 4096)]
        self.journal, self.vault, self.store, self.keys = [MemoryFlash(n, self.power, size) for n, size in pages]
        for chip, data in zip(self.chips(), chips or [], strict=False):
            chip.data[:] = data

    def chips(self) -> list[MemoryFlash]:
        return [self.journal, self.vault, self.store, self.keys]

    def image(self) -> list[bytes]:
        return [bytes(chip.data) for chip in self.chips()]


class Shoe:
    """A booted shoe and who asks it. Asking for `kind` runs under `tracer`."""

    def __init__(self, board: Board, secret: bytes = b"", tracer: Tracer | None = None, kind: int = -1) -> None:
        self.board = board
        self.host = Host(board)
        self.tracer = tracer
        self.kind = kind
        self.requests = Requests(self.ask, self.named, b"fakeshoe", SEED, self.wait, 5, Key.LOAD)
        self.requests.secret = secret
        self.before: dict[str, Any] = {}

    def named(self) -> tuple[int, bytes]:
        return self.host.app.link.epoch, self.host.session

    def wait(self) -> None:
        self.board.ms = (self.board.ms + 31_000) & 0x3FFFFFFF

    def ask(self, kind: int, payload: bytes) -> Answer:
        inner = payload[0] if kind == MessageKind.PRIVILEGED and self.kind != MessageKind.PRIVILEGED else kind
        if self.tracer is None or inner != self.kind:
            answer, body = self.host.ask(kind, payload)
        else:
            self.before = self.state()
            link, tracer, carry_out = self.host.app.link, self.tracer, self.host.app.link.answer

            def traced() -> None:
                with tracer:
                    carry_out()

            link.answer = traced
            answer, body = self.host.ask(kind, payload)
            link.answer = carry_out
            self.tracer = None
        if answer == t.MSG_ERROR:
            _, code, detail = struct.unpack("<BBI", body)
            return Answer(code, detail, b"")
        return Answer(None, 0, bytes(body))

    def state(self) -> dict[str, Any]:
        """What a request may change for good, as RAM has it."""
        app = self.host.app
        keys = app.gate.keys
        dealing = app.table.dealing
        return {
            "config": app.table.config.pack(),
            "key": (keys.key, keys.firmware, keys.announced, keys.ordered, keys.state) if keys else (b"",) * 3 + (0, 0),
            "fingerprint": keys.fingerprint if keys and keys.key else bytes(8),
            "fetched": (app.fetched._upto, sorted(app.fetched._marks)),
            "thresholds": list(app.margins.thresholds),
            "faults": (sorted(app.faults.codes()), sorted(dealing.faults)),
            "table": (dealing.phase, dealing.round, dealing.shoe_open, dealing.drawn(0)),
            "signing": (app.signing.state, app.signing.height, app.signing.total, app.signing.public_key()),
        }

    def kinds(self) -> Counter[int]:
        """How many records there are of each kind."""
        return Counter({kind: len(self.host.records(kind)) for kind in t.RECORD_FORMATS})


def prepared(provisioned: bool) -> tuple[list[bytes], bytes]:
    """The flash of a shoe with a closed history, and its command key."""
    shoe = Shoe(Board())
    if provisioned:
        assert shoe.requests.one("provision", True).error is None
        while shoe.host.app.signing.state == t.SIGNING_MAKING:
            shoe.host.app.signing.step(100000)
    shoe.host.app.press(t.KEY_LOAD, 0)
    shoe.host.app.press(t.KEY_CLOSE_SHOE, 0)
    return shoe.board.image(), shoe.requests.secret


@pytest.fixture(scope="module", params=[False, True], ids=["open", "provisioned"])
def flash(request: pytest.FixtureRequest) -> tuple[list[bytes], bytes]:
    return prepared(request.param)


def restarted(shoe: Shoe) -> Shoe:
    """The same shoe after its power was off."""
    return Shoe(Board(shoe.board.image()), shoe.requests.secret)


@pytest.mark.parametrize("name", names())
def test_a_request_that_finds_no_memory_at_any_line_did_all_or_nothing(
    name: str, flash: tuple[list[bytes], bytes]
) -> None:
    chips, secret = flash
    kind = MessageKind[name.upper()]
    Shoe(Board(chips), secret).requests.one(name, True)  # which loads what is loaded when it is first needed
    whole = Tracer()
    clean = Shoe(Board(chips), secret, whole, kind)
    answer = clean.requests.one(name, True)
    before, after, written = clean.before, clean.state(), clean.kinds()
    places = whole.places()[::EVERY]
    assert places, f"{name}: no line of the firmware ran"
    fired = Counter[str]()
    for at in places:
        tracer = Tracer(at)
        shoe = Shoe(Board(chips), secret, tracer, kind)
        had = shoe.kinds()
        got = shoe.requests.one(name, True)
        where = f"{name}, line {at} of {whole.count}, {tracer.fired}"
        assert tracer.fired, where
        fired[tracer.fired] += 1
        if got.error != Error.NO_MEMORY:  # it was no part of it: the answer had been made
            assert got.error == answer.error, where
        new = shoe.kinds() - had
        if shoe.state() == before:
            assert set(new) <= SAID | (set(written - had) if before == after else set()), where
        else:
            assert shoe.state() == after, where
            assert not written - shoe.kinds(), where
            assert got.detail == 1, where
        assert t.FAULT_INTERNAL not in shoe.host.app.faults.codes(), where
        again = restarted(shoe)
        assert again.state() == shoe.state(), f"{where}: RAM and flash differ"
        if not (name == "provision" and shoe.state() == after):  # then the host has to take up its new key first
            shoe.wait()  # a tag that was not compared counts as a wrong one, and a self-test as one
            assert shoe.requests.one(name, True).error in (answer.error, *MAY_REFUSE.get(name, ())), where
    print(f"{name}: {len(places)} of {whole.count} lines, {len(fired)} places")


def test_a_request_that_fails_otherwise_is_answered_once_and_the_error_goes_on(
    flash: tuple[list[bytes], bytes],
) -> None:
    shoe = Shoe(Board(flash[0]), flash[1])

    def fail() -> None:
        raise KeyError

    link = shoe.host.app.link
    link._services[0].ticks = fail
    shoe.board.sent = bytearray()
    data = frame(MessageKind.TICKS, b"", 77, link.epoch)
    with pytest.raises(KeyError):
        link.receive(data, len(data))
    link.receive(data, len(data))  # the host has heard nothing and asks again
    errors = [one[3] for one in frames(shoe.board.sent) if one[0] == t.MSG_ERROR]
    assert errors == [struct.pack("<BBI", MessageKind.TICKS, Error.FAILED, 0)] * 2
