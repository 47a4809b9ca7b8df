"""While a card lies face down no answer of the shoe, nor all of them together, tells its face or opens its commitment.

The whole firmware under MicroPython; the test draws the cards and presses the keys itself, so that it can stop with the
hole card on the table, ask for everything that can be asked for, and only then let the dealer reveal it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from shoesim.piles import Item
from shoesim.rig import Rig
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.link.recording import Direction, read_recording
from shoetool.model.protocol_table import PAGE_SIZE, Error, Key, MessageKind, RecordKind, Role
from shoetool.model.records import Record
from shoetool.wire.answers import Status
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame
from shoetool.wire.messages import pack_request, unpack

SEED = 41
BATCH = 1
BURN, UP = 20, 38  # 8 of diamonds; king of hearts, which makes an ace in the hole a blackjack
PLAYERS = (1, 2, 6, 7)  # two small cards for each of two positions, in the order in which they are dealt around `UP`
HOLES = (39, 17, 51)  # ace of spades, 5 of diamonds, king of spades
PIECE = 355

Edges = list[tuple[int, int]]


class WatchedRig(Rig):
    """A rig that remembers the edges of every pass: (µs since the edge before, lines)."""

    def __init__(self, state: Path) -> None:
        """Prepare a shoe whose files lie in `state`."""
        super().__init__(state, seed=SEED)
        self.passes: list[Edges] = []

    def feed(self, head: int, changes: list[tuple[int, int]], end_us: int) -> None:
        """Remember, then pass on."""
        steps = pairwise([changes[0], *changes])
        self.passes.append([(now - before, lines) for (before, _), (now, lines) in steps])
        super().feed(head, changes, end_us)


@dataclass(slots=True)
class Seen:
    """What one shoe showed while the hole card lay face down, and how it was opened."""

    passes: list[Edges] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    status: Status | None = None
    settings: dict[str, int] = field(default_factory=dict)
    self_test: int = 0
    traces: list[Edges] = field(default_factory=list)
    pages: list[tuple[int, bytes]] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    lamps: tuple[int, bool] = (0, False)
    frames: list[Frame] = field(default_factory=list)
    raw: bytes = b""
    log: str = ""
    opened: Record | None = None
    traces_after: list[Edges] = field(default_factory=list)

    @property
    def sealed(self) -> Record:
        """The record of the hole card."""
        (found,) = (one for one in self.records if one.kind == RecordKind.SEALED and one.get("role") == Role.HOLE)
        return found


def traces(client: Client) -> list[Edges]:
    """Every trace that the shoe serves, the newest first; it must say that there is no further one."""
    found: list[Edges] = []
    for index in range(256):
        trace = client.trace(index)
        if trace is None:
            return found
        found.append(list(trace.edges))
    raise AssertionError("traces without end")


def raw_pages(client: Client, seen: Seen) -> None:
    """Read every byte of every page that can be read, and try for what lies behind."""
    last = 0
    for entry in client.history_list():
        for page in range(entry.first_page, entry.first_page + entry.pages):
            last = page
            for offset in range(0, PAGE_SIZE, PIECE):
                piece(client, seen, page, offset, PIECE)
    for page, offset, length in (
        (last, PAGE_SIZE, 16),
        (last, 0xFFFF, 0xFFFF),
        (last + 1, 0, PIECE),
        (0xFFFFFFFF, 0, 16),
    ):
        piece(client, seen, page, offset, length)


def piece(client: Client, seen: Seen, page: int, offset: int, length: int) -> None:
    """One raw request for a piece of a page."""
    request = pack_request(MessageKind.HISTORY_READ, page=page, offset=offset, length=length)
    try:
        answer = unpack(MessageKind.HISTORY_READ, "answer", client.session.call(MessageKind.HISTORY_READ, request))
    except Refused as refused:
        seen.refused.append(refused.code)
    else:
        seen.pages.append((int(answer["used"]), bytes(answer["data"])))


def gather(client: Client, rig: Rig, seen: Seen) -> None:
    """Ask for everything."""
    seen.status, seen.settings = client.status(), client.config_read()
    try:
        client.self_test()
    except Refused as refused:
        seen.self_test = refused.code
    seen.traces = traces(client)
    raw_pages(client, seen)
    live = client.subscribe(0)  # every record once more, with `event_read` where the line lost one
    while (live.next_number or 0) < seen.status.next_record:
        seen.records += live.poll(1.0)
    for first in range(seen.status.next_record + 1):
        request = pack_request(MessageKind.EVENT_READ, from_record=first, count=1)
        try:
            client.session.call(MessageKind.EVENT_READ, request)
        except Refused as refused:
            seen.refused.append(refused.code)
    lamps = rig.lamps()
    seen.lamps = lamps.mask, lamps.card_stop


@cache
def play(hole: int) -> Seen:
    """Deal one round with this hole card; gather while it lies face down; reveal it."""
    print("seed", SEED, "hole card", hole)
    seen = Seen()
    with TemporaryDirectory() as folder, WatchedRig(Path(folder) / "state") as rig:
        recording = Path(folder) / "line.shoelink"
        with Client.open(rig.link_path, record=recording) as client:
            client.subscribe(0).poll(0.1)
            rig.key(Key.LOAD, 0)
            rig.draw(0, Item(BURN, BATCH))
            rig.key(Key.SEATS, 0b11)
            rig.key(Key.DEAL)
            for card in (*PLAYERS[:2], UP, *PLAYERS[2:], hole):
                rig.draw(0, Item(card, BATCH))
                rig.sync()
            gather(client, rig, seen)
        seen.passes = rig.passes
        seen.raw = b"".join(data for direction, _, data in read_recording(recording) if direction == Direction.CAME)
        seen.frames = [item for item in FrameDecoder().feed(seen.raw) if isinstance(item, Frame)]
        seen.log = rig.log_path.read_text()
        with Client.open(rig.link_path) as client:
            live = client.subscribe(seen.status.next_record if seen.status else 0)
            for key in (Key.NEXT_HAND, Key.NEXT_HAND, Key.REVEAL):
                rig.key(key)
            rig.sync()
            while seen.opened is None and (found := live.poll(5.0)):
                seen.opened = next((one for one in found if one.kind == RecordKind.OPENED), None)
            seen.traces_after = traces(client)
    return seen


def windows(edges: Edges, length: int = 6) -> set[tuple[tuple[int, int], ...]]:
    """Every stretch of so many edges; the steps in µs make each one unmistakable."""
    return {tuple(edges[at : at + length]) for at in range(1, len(edges) - length + 1)}


@pytest.mark.parametrize("hole", HOLES)
def test_nothing_tells_the_hole_card_or_opens_its_commitment_before_it_is_revealed(hole: int) -> None:
    seen = play(hole)
    assert seen.self_test == Error.NOT_ALLOWED_NOW
    assert [one.get("role") for one in seen.records if one.kind == RecordKind.SEALED] == [Role.BURN, Role.HOLE]
    assert not [one for one in seen.records if one.kind == RecordKind.OPENED]
    assert seen.opened is not None and seen.opened.get("sealed") == seen.sealed.number
    nonce = bytes(seen.opened.get("nonce"))
    opening = nonce + bytes((seen.opened.get("card"), seen.opened.get("batch")))
    assert opening[-2:] == bytes((hole, BATCH))
    assert hashlib.sha256(opening).digest() == bytes(seen.sealed.get("commitment"))

    said = [seen.raw, seen.log.encode(), *(frame.payload for frame in seen.frames)]
    said += [b"".join(data for _, data in seen.pages)]
    assert any(bytes(seen.sealed.get("commitment")) in one for one in said), "what was gathered is not everything"
    for part in (nonce, nonce[::-1], nonce.hex().encode(), nonce[:6], nonce[-6:]):
        assert not any(part in one for one in said)


@pytest.mark.parametrize("hole", HOLES)
def test_the_traces_hold_the_passes_of_the_public_cards_and_of_no_other(hole: int) -> None:
    seen = play(hole)
    burn, *public, down = seen.passes
    assert seen.traces == public[::-1]
    secret = windows(burn) | windows(down)
    assert len(secret) > 100
    for trace in (*seen.traces, *seen.traces_after):
        assert not windows(trace) & secret
    packed = [b"".join(step.to_bytes(2, "little") + bytes((lines,)) for step, lines in part) for part in secret]
    assert not [part for part in packed for frame in seen.frames if part in frame.payload]


def outline(seen: Seen) -> dict[str, object]:
    """Return everything observable but what is random in every life of a shoe: commitments, and the epoch in `boot`."""
    random = {"commitment", "epoch"}
    records = [
        (
            one.number,
            one.ticks_ms,
            one.name,
            {name: value for name, value in one.fields().items() if name not in random},
        )
        for one in seen.records
    ]
    assert seen.status is not None
    return {
        "records": records,
        # How often the host has to ask is a matter of the clock on the wall.
        "frames": {(frame.kind, len(frame.payload)) for frame in seen.frames},
        "pages": [(used, len(data)) for used, data in seen.pages],
        "traces": seen.traces,
        "status": replace(seen.status, heap_free=0),  # goes up and down with every request
        "settings": seen.settings,
        "refused": seen.refused,
        "lamps": seen.lamps,
        "log": seen.log.count("\n"),
    }


@pytest.mark.parametrize("other", HOLES[1:])
def test_a_shoe_with_another_hole_card_looks_the_same_until_it_is_revealed(other: int) -> None:
    one, two = outline(play(HOLES[0])), outline(play(other))
    for what, value in one.items():
        assert two[what] == value, what
