"""Every kind of pass through the whole firmware under MicroPython: its records, its fault, lamps, over a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from live_records import records
from shoesim.piles import Item
from shoesim.pull import NOMINAL, pull
from shoesim.rig import HAND, Rig
from shoetool.client.client import Client
from shoetool.link.serial_port import SerialTransport
from shoetool.model.protocol_table import Clear, FaultCode, IrregularityCode, Key, Lamp, RecordKind, Role, Unreadable
from shoetool.model.records import Record
from word_sizes import AS_ON_THE_CHIP

BATCH, FOREIGN, TEST_CARD, UNKNOWN = 1, 3, 53, 63
TWOS = (1, 14, 27, 40)  # ids; a hand takes many of them
SEED = 41


class Hands:
    """A dealer who pulls what a test wants, and looks what the shoe made of it."""

    def __init__(self, rig: Rig, client: Client) -> None:
        self.rig = rig
        self.client = client
        self.rng = np.random.default_rng(SEED)
        self.seen = 0

    def start(self) -> None:
        """Load, burn and deal one hand up to its first decision: box 1 has 2 and 3, the dealer a 9 up."""
        self.rig.key(Key.LOAD, 0)
        self.rig.draw(0, Item(30, BATCH))
        self.rig.key(Key.SEATS, 1)
        self.rig.key(Key.DEAL)
        for card in (1, 8, 2, 12):
            self.rig.draw(0, Item(card, BATCH))
        self.news()

    def pull(self, kind: str = "card", card: int = TWOS[0], batch: int = BATCH) -> None:
        rig = self.rig
        start = rig.now_us + rig.gap_us
        changes, end = pull(card, batch, 0, start, self.rng, NOMINAL, HAND, rotated=True, kind=kind)
        rig.feed(0, changes, end)

    def spoiled(self) -> None:
        self.rig.draw(0, Item(TWOS[0], BATCH, damaged=True))

    def flood(self) -> None:
        """Noise on clocks and data under a dark card sensor: more edges than any card makes."""
        time, lines = self.rig.now_us, 1
        changes = [(time & 0x3FFFFFFF, lines)]
        for line in self.rng.integers(1, 4, 3500).tolist():
            time += int(self.rng.integers(5, 40))
            lines ^= 1 << line
            changes.append((time & 0x3FFFFFFF, lines))
        changes.append((time + 20 & 0x3FFFFFFF, 0))
        self.rig.feed(0, changes, time + 20)

    def bright(self) -> None:
        """All lines of the head are bright again."""
        self.rig.feed(0, [(self.rig.now_us & 0x3FFFFFFF, 0)], self.rig.now_us)

    def news(self) -> list[Record]:
        """Records since the last call."""
        self.rig.sync()
        found = [record for record in records(self.client, self.seen, idle_s=0.05) if record.number >= self.seen]
        self.seen = self.client.status().next_record
        return found

    def stopped(self) -> bool:
        """Whether card stop and stop lamp say that the game is stopped; they always agree."""
        lamps = self.rig.lamps()
        assert lamps.card_stop == bool(lamps.mask >> Lamp.STOP & 1)
        return lamps.card_stop

    def latched(self, code: FaultCode) -> None:
        """The fault `code` stops the game, also after a restart, and drawing does not clear it."""
        assert self.stopped()
        assert self.client.status().fault == code
        self.rig.restart()
        self.client.identify()
        assert self.stopped(), "the fault is latched over a restart"
        assert self.client.status().fault == code
        assert [record.kind for record in self.news()] == [RecordKind.BOOT]

    def clear(self, how: Clear) -> list[Record]:
        self.rig.key(Key.SUPERVISOR, int(how))
        assert not self.stopped()
        assert self.client.status().fault == 0
        return self.news()


@contextmanager
def at_play(folder: Path, interpreter: str) -> Iterator[Hands]:
    print("seed", SEED, "interpreter", interpreter)
    with Rig(folder / "state", interpreter=interpreter, seed=SEED) as rig:
        transport = SerialTransport(rig.link_path)
        try:
            client = Client(transport)
            client.identify()
            hands = Hands(rig, client)
            hands.start()
            yield hands
            assert not rig.log_path.read_text()
        finally:
            transport.close()


@pytest.fixture(params=AS_ON_THE_CHIP)
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hands]:
    with at_play(tmp_path, request.param) as found:
        yield found


def brief(records: list[Record]) -> list[tuple[RecordKind, int]]:
    """(kind, what it says): the code of an irregularity or fault, the card of a card, the role of a sealed one."""
    field = {
        RecordKind.IRREGULARITY: "code", RecordKind.FAULT: "code", RecordKind.CLEARED: "code", RecordKind.CARD: "card",
        RecordKind.SEALED: "role",
    }  # fmt: skip
    return [(RecordKind(r.kind), int(r.get(field[RecordKind(r.kind)]))) for r in records]


def drawn(hands: Hands, card: int) -> None:
    """The next readable pass is the player's card."""
    hands.pull(card=card)
    (record,) = hands.news()
    assert (record.kind, record.get("role"), record.get("box"), record.get("card"), record.get("batch")) == (
        RecordKind.CARD, Role.DRAW, 1, card, BATCH,
    )  # fmt: skip


def test_a_card_that_is_pulled_back_is_not_dealt_and_then_is(hands: Hands) -> None:
    before = hands.client.status().drawn_a
    hands.pull("pull_back", TWOS[1])
    assert brief(hands.news()) == [(RecordKind.IRREGULARITY, IrregularityCode.PULLED_BACK)]
    assert not hands.stopped()
    assert hands.client.status().drawn_a == before
    drawn(hands, TWOS[1])
    assert hands.client.status().drawn_a == before + 1


def test_a_blank_is_a_card_that_lay_face_up_and_the_game_goes_on(hands: Hands) -> None:
    """633a.14(a)."""
    hands.pull("blank")
    assert brief(hands.news()) == [(RecordKind.IRREGULARITY, IrregularityCode.FACE_UP_CARD)]
    assert not hands.stopped()
    drawn(hands, TWOS[1])


def test_a_double_feed_stops_the_game_and_both_cards_are_drawn_again(hands: Hands) -> None:
    hands.pull("double_feed")
    assert brief(hands.news()) == [(RecordKind.FAULT, FaultCode.DOUBLE_FEED)]
    hands.latched(FaultCode.DOUBLE_FEED)
    assert brief(hands.clear(Clear.REREAD)) == [(RecordKind.CLEARED, FaultCode.DOUBLE_FEED)]
    drawn(hands, TWOS[1])
    drawn(hands, TWOS[2])


@pytest.mark.parametrize(("card", "batch"), [(TWOS[2], FOREIGN), (TEST_CARD, BATCH)])
def test_a_card_of_another_batch_and_a_test_card_are_taken_out(hands: Hands, card: int, batch: int) -> None:
    hands.pull(card=card, batch=batch)
    records = hands.news()
    assert brief(records) == [
        (RecordKind.FAULT, FaultCode.FOREIGN_BATCH), (RecordKind.IRREGULARITY, IrregularityCode.FOREIGN_BATCH),
        (RecordKind.CARD, card),
    ]  # fmt: skip
    assert (records[2].get("role"), records[2].get("batch")) == (Role.STOPPED, batch)
    hands.latched(FaultCode.FOREIGN_BATCH)
    hands.rig.key(Key.SUPERVISOR, int(Clear.RESUME))
    assert hands.stopped(), "the card must be taken out"
    hands.news()
    assert (RecordKind.CLEARED, FaultCode.FOREIGN_BATCH) in brief(hands.clear(Clear.CARD_REMOVED))
    drawn(hands, TWOS[1])


def test_an_unreadable_card_is_drawn_again(hands: Hands) -> None:
    hands.spoiled()
    assert brief(hands.news()) == [(RecordKind.FAULT, FaultCode.UNREADABLE)]
    hands.latched(FaultCode.UNREADABLE)
    hands.clear(Clear.REREAD)
    drawn(hands, TWOS[1])


def test_an_unreadable_card_is_accepted_as_unknown(hands: Hands) -> None:
    hands.spoiled()
    hands.news()
    hands.latched(FaultCode.UNREADABLE)
    records = hands.clear(Clear.CARD_UNKNOWN)
    assert brief(records) == [
        (RecordKind.CLEARED, FaultCode.UNREADABLE), (RecordKind.CARD, UNKNOWN),
        (RecordKind.IRREGULARITY, IrregularityCode.CARD_UNKNOWN),
    ]  # fmt: skip
    assert (records[1].get("role"), records[1].get("box")) == (Role.DRAW, 1)


def test_a_card_drawn_during_a_stop_is_nobodys(hands: Hands) -> None:
    hands.spoiled()
    hands.news()
    hands.pull(card=TWOS[3])
    assert brief(hands.news()) == [
        (RecordKind.SEALED, Role.STOPPED), (RecordKind.IRREGULARITY, IrregularityCode.DRAWN_WHILE_STOPPED),
    ]  # fmt: skip
    assert hands.stopped()
    hands.clear(Clear.REREAD)
    drawn(hands, TWOS[1])


@pytest.mark.parametrize(
    ("kind", "code", "reason"),
    [
        ("dirty", FaultCode.HEAD_DIRTY, Unreadable.DIRTY),
        ("stuck_present", FaultCode.HEAD_STUCK, Unreadable.STUCK),
        ("stuck_a", FaultCode.HEAD_STUCK, Unreadable.STUCK),
        ("stuck_b", FaultCode.HEAD_STUCK, Unreadable.STUCK),
        ("stuck_data", FaultCode.HEAD_STUCK, Unreadable.STUCK),
        ("saturated", FaultCode.HEAD_SATURATED, Unreadable.SATURATED),
    ],
)
def test_a_blocked_head_stops_the_game_until_the_supervisor_resumes_it(
    hands: Hands, kind: str, code: FaultCode, reason: Unreadable
) -> None:
    if kind == "saturated":
        hands.flood()
    else:
        hands.pull(kind)
    hands.rig.wait(1.0)
    (record,) = hands.news()
    assert (record.kind, record.get("code"), record.get("head"), record.get("detail")) == (
        RecordKind.FAULT, code, 0, reason,
    )  # fmt: skip
    if kind == "dirty":
        hands.bright()
    hands.latched(code)
    assert brief(hands.clear(Clear.RESUME)) == [(RecordKind.CLEARED, code)]
    drawn(hands, TWOS[1])
