"""Stand-ins for a shoe in tests of the simulated dealer: the firmware's dealing itself, or one that only listens.

`InProcessShoe` drives `shoe.dealing.machine` with passes instead of edges and keeps the events as a journal would
number them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any

from shoesim.dealer_draw import Lamps, Rules
from shoesim.dealer_truth import TrueCard, Truth
from shoesim.piles import Item
from shoesim.scenario import Scenario
from shoetool.model.cards import COVER_CARD, UNKNOWN, is_red
from shoetool.model.protocol_table import FAULTS, Color, FaultCode, Head, Key, Lamp, Pass, RecordKind
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard

STOPS = {int(code) for code in FaultCode if FAULTS[code]["stop"]}


def all_of(truth: Truth) -> tuple[Truth, list[tuple[object, ...]]]:
    """The truth, to compare: cards and rounds are not equal to those of another deal."""
    fields = (*DrawnCard.__slots__, *TrueCard.__slots__)
    return replace(truth, cards=[], played=[]), [tuple(getattr(card, name) for name in fields) for card in truth.cards]


@dataclass(slots=True)
class PassStandIn:
    """What a read head reports of one thing that went through it."""

    kind: int
    card: int
    batch: int
    head: int
    reason: int = 0
    duration_ms: int = 120
    peak_mm_s: int = 900
    corrected: int = 0
    margin: int = 200
    edges: int = 130


def pass_of(head: int, item: Item, batch: int) -> PassStandIn:
    """Return the pass of a thing through a head that is loaded with `batch`."""
    if item.face_up:
        return PassStandIn(Pass.BLANK, UNKNOWN, 0, head)
    if item.damaged:
        return PassStandIn(Pass.UNREADABLE, UNKNOWN, 0, head, reason=3)
    kind = Pass.COVER_CARD if item.is_cover else Pass.CARD
    if item.batch != batch:
        kind = Pass.FOREIGN_BATCH
    return PassStandIn(kind, item.card, item.batch, head)


class InProcessShoe:
    """The firmware's dealing under the dealer's hands; `records` grow as (number, kind, values).

    `restarts`: how likely a power cut is after each step.
    """

    def __init__(self, scenario: Scenario, restarts: float = 0.0) -> None:
        from shoe.config import Config
        from shoe.dealing.machine import Dealing

        self._restarts = restarts
        self._rng = Random(f"restarts {scenario.seed}")
        self._make = Dealing

        self.rules: Rules = scenario.rules
        config = Config()
        for name, value in scenario.settings().items():
            setattr(config, name, value)
        assert config.validate() == 0
        self.config = config
        self.dealing: Any = Dealing(config)
        self.records: list[tuple[int, int, tuple[Any, ...]]] = []
        self.refused: list[tuple[Key, int, int]] = []
        self.inputs: list[tuple[Any, ...]] = []

    def key(self, key: Key, argument: int = 0) -> None:
        """Press a panel key; a refusal is remembered with the phase it came in."""
        phase = self.dealing.phase
        self.inputs.append(("key", key.name, argument))
        accepted, events = self.dealing.input_key(int(key), argument)
        if not accepted:
            self.refused.append((key, argument, phase))
        self._record(events)

    def draw(self, head: int, item: Item) -> None:
        """Send a thing through a read head."""
        self.inputs.append(("draw", head, item.card, item.batch))
        self._record(self.dealing.input_pass(pass_of(head, item, self.rules.batches[head])))

    def peek(self, item: Item) -> None:
        """Slide a card into the card reader device and out."""
        self.inputs.append(("peek", item.card, item.batch))
        seen = pass_of(Head.READER, item, item.batch)
        if seen.card > COVER_CARD and not item.damaged:
            seen.kind = Pass.TEST_CARD
        self._record(self.dealing.input_pass(seen))

    def lamps(self) -> Lamps:
        """Return the panel; the card stop is engaged while a fault is latched that stops the game."""
        return Lamps(self.dealing.lamps, any(code in STOPS for code in self.dealing.faults))

    def wait(self, seconds: float) -> None:
        """Dealing knows no time."""

    def restart(self) -> None:
        """Lose everything but the records and fold them into a new dealing, as a power cut between two steps does."""
        self.dealing = self._make(self.config)
        for number, kind, values in self.records:
            event = (kind, *values)
            self.dealing.restore(event, number)

    def _record(self, events: list[tuple[Any, ...]]) -> None:
        for event in list(events):
            number = len(self.records)
            self.records.append((number, event[0], tuple(event[1:])))
            self.dealing.recorded(event, number)
        if self._restarts and self._rng.random() < self._restarts:
            self.restart()

    def history(self) -> list[Record]:
        """Return the records as a host gets them: sealed cards as commitments, openings with their nonces."""
        boot = Record(0, 1, 0, RecordKind.BOOT, (0, b"\1\0\0", 0, 7))
        return [
            boot,
            *(
                Record(number + 1, 1, 40 * number, kind, self._sealed(number, kind, values))
                for number, kind, values in self.records
            ),
        ]

    def _sealed(self, number: int, kind: int, values: tuple[Any, ...]) -> tuple[Any, ...]:
        if kind == RecordKind.SEALED:
            *where, card, batch = values
            return (*where, sha256(_nonce(number) + bytes((card, batch))).digest())
        if kind == RecordKind.OPENED:
            return (values[0] + 1, *values[1:], _nonce(values[0]))
        if kind in (RecordKind.MOVED, RecordKind.REVEALED):
            return (values[0] + 1, *values[1:])
        return values


def _nonce(number: int) -> bytes:
    return sha256(b"nonce" + number.to_bytes(4, "little")).digest()[:16]


@dataclass(slots=True)
class ListeningShoe:
    """Accepts everything and lights the side lamp that the last card asks for: for tests of the dealer alone."""

    rules: Rules
    keys: list[tuple[Key, int]] = field(default_factory=list)
    drawn: list[tuple[int, Item]] = field(default_factory=list)
    actions: list[tuple[str, int, int]] = field(default_factory=list)
    waiting_for_determinant: bool = False
    stop: bool = False
    side: int | None = None

    def key(self, key: Key, argument: int = 0) -> None:
        """Press a panel key."""
        self.keys.append((key, argument))
        self.actions.append((key.name.lower(), argument, 0))
        if key == Key.SUPERVISOR:
            self.stop = False
        if key == Key.DEAL:
            self.waiting_for_determinant = True

    def draw(self, head: int, item: Item) -> None:
        """Take note of a thing."""
        self.drawn.append((head, item))
        self.actions.append(("draw", head, item.card))
        if item.damaged or (not item.face_up and item.batch != self.rules.batches[head]):
            self.stop = True
        elif self.waiting_for_determinant and not item.is_cover and not item.face_up:
            self.waiting_for_determinant = False
            color = Color.RED_SUITS if is_red(item.card) else Color.BLACK_SUITS
            self.side = 0 if color == self.rules.side_a_color else 1

    def peek(self, item: Item) -> None:
        """Take note of a card in the reader; it never answers."""
        self.actions.append(("peek", 2, item.card))

    def lamps(self) -> Lamps:
        """Return the panel."""
        mask = 0 if self.side is None else 1 << (Lamp.DEAL_A if self.side == 0 else Lamp.DEAL_B)
        return Lamps(mask, self.stop)

    def wait(self, seconds: float) -> None:
        """Time means nothing here."""
