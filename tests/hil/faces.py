"""One card that lies face down, pulled in forks of one shoe with one face after the other, and all that leaves it.

A scene is a deal up to just before that card. Every face gets the same pull: one constant speed, a clean strip, the
same times of every edge but those of DATA, which lie where they are printed. A host may ask meanwhile, and asks again
in the very moment in which it has its answer.
"""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from rig.emulated import EmulatedShoe
from rig.transcript import (
    ANSWER,
    CHANNELS,
    FRAMES,
    INSIDE,
    Difference,
    Recorder,
    Transcript,
    apart_ns,
    first_difference,
)
from shoesim.scenario import Scenario
from shoetool.client.client import Client
from shoetool.model import card_code
from shoetool.model.protocol_table import Game, Head, Key, MessageKind, RecordKind
from shoetool.wire.frames import Frame, decode_body, encode_frame
from shoetool.wire.messages import pack_request

BATCH = 1
FACES = tuple(range(52))
ACES = (0, 13, 26, 39)
FIVE, SIX, NINE, KING = 30, 31, 8, 12
SPEEDS = (0.03, 0.1, 0.3, 0.8, 3.0)  # m/s
PRESENT, CLOCK_A, CLOCK_B, DATA = 1, 2, 4, 8
LEAD_MM = 3.0  # before and behind everything that a head can see
AFTER_US = 400_000  # what a pass causes has left by then
# Where the device's clock is in its steps when the card leaves: somewhere, and just before the end of one: a card
# that is seen to leave 4 µs later is seen in the next there. A step is a whole number of ms, and of 4096 µs.
LEAVES_US = (237_000, -3)
_STEP_US = 512_000
SLACK_NS = 1_000  # times no farther apart count as equal: one look at the clock, by machine code, takes 0.2 µs
_HOST_FIRST_US = 60_000  # so that a host is well under way when the card comes
_SETTLED_S = 0.7  # after the last key or card: erases ahead are done
_AT_STOP_US = 300_000  # how long a card rests in the reader
_ASK_ANEW_US = 50_000
_TICKS = (1 << 30) - 1

Edges = list[tuple[float, int]]  # µs from the start of the pull, all lines


# ------------------------------------------------------------------------------------------------- the pull
@dataclass(frozen=True, slots=True)
class Damage:
    """Clock marks of a strip that cannot be seen, and data cells that look like the other colour, by cell number."""

    hidden: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()


CLEAN = Damage()


def printed(face: int, damage: Damage = CLEAN) -> list[tuple[float, int]]:
    """(travel in mm, line that changes) for each edge of a card, in order; all lines are bright before."""
    cells = [cell ^ (i in damage.wrong) for i, cell in enumerate(card_code.frame_cells(face, BATCH))]
    edge = (card_code.POKER_MM - card_code.CODE_MM) / 2
    found = [(card_code.PRESENT_MM, PRESENT), (card_code.PRESENT_MM + card_code.POKER_MM, PRESENT)]
    for i in sorted(set(range(card_code.CELLS)) - set(damage.hidden)):
        centre = edge + (i + 0.5) * card_code.CELL_MM
        for side in (-card_code.MARK_MM / 2, card_code.MARK_MM / 2):
            found.append((centre + side - card_code.QUARTER_MM / 2, CLOCK_A))
            found.append((centre + side + card_code.QUARTER_MM / 2, CLOCK_B))
    for i, (before, now) in enumerate(pairwise((0, *cells, 0))):
        if before != now:
            found.append((edge + i * card_code.CELL_MM, DATA))
    return sorted(found)


def turns(face: int) -> int:
    """How often DATA changes while this face goes by: each costs the shoe time."""
    return sum(line == DATA for _, line in printed(face))


def sample(count: int, faces: Iterable[int] = FACES) -> tuple[int, ...]:
    """So many faces, from the one with the fewest edges to the one with the most."""
    ordered = sorted(faces, key=turns)
    return tuple(ordered[i * (len(ordered) - 1) // (count - 1)] for i in range(count))


def out(face: int, speed: float, damage: Damage = CLEAN) -> tuple[Edges, float]:
    """Pulled out of the shoe at so many m/s: edges, and when the last sensor is bright."""
    return _played([(travel + LEAD_MM, line) for travel, line in printed(face, damage)], speed)


def slid(face: int, speed: float) -> tuple[Edges, float]:
    """Slid into the reader to the stop, and out again after a while."""
    way = printed(face)
    goal = way[-1][0] + LEAD_MM
    rest = _AT_STOP_US * speed / 1000  # as if the card went on
    there = [(goal - travel, line) for travel, line in reversed(way)]
    back = [(goal + LEAD_MM + rest + LEAD_MM + travel, line) for travel, line in way]
    return _played(there + back, speed)


def _played(way: Sequence[tuple[float, int]], speed: float) -> tuple[Edges, float]:
    lines = 0
    edges: Edges = []
    for travel, line in way:
        lines ^= line
        edges.append((travel * 1000 / speed, lines))
    return edges, edges[-1][0]


# ------------------------------------------------------------------------------------------------- the host
class Host:
    """A program at the other end of the line that has `window` requests under way, always, and never sleeps."""

    def __init__(self, shoe: EmulatedShoe, client: Client, requests: Sequence[tuple[int, bytes]], window: int) -> None:
        self._chip = shoe.chip
        self._epoch = client.session.epoch
        self._requests = requests
        self._window = window
        self._sequence = client.session._sequence
        self._under_way: dict[int, float] = {}
        self._body = bytearray()
        self.answers = 0

    def begin(self) -> None:
        """Ask, and listen from now on."""
        uart = self._chip.uart
        before = uart.on_byte

        def hear(value: int) -> None:
            if before:
                before(value)
            self._hear(value)

        uart.on_byte = hear
        for _ in range(self._window):
            self._ask()

    def _ask(self) -> None:
        self._sequence = sequence = self._sequence + 1 & 0xFFFF
        kind, payload = self._requests[sequence % len(self._requests)]
        self._chip.uart.feed(encode_frame(kind, self._epoch, sequence, payload))
        self._under_way[sequence] = self._chip.now
        self._chip.at(self._chip.now + _ASK_ANEW_US, lambda: self._done(sequence))

    def _done(self, sequence: int) -> None:
        """It was answered, or will not be: the next one."""
        if self._under_way.pop(sequence, None) is not None:
            self._ask()

    def _hear(self, value: int) -> None:
        if value:
            self._body.append(value)
        elif self._body:
            frame = decode_body(bytes(self._body))
            self._body.clear()
            if isinstance(frame, Frame) and (frame.kind & ANSWER or frame.kind == MessageKind.ERROR):
                self.answers += 1
                self._done(frame.sequence)


def _polls(client: Client) -> tuple[Sequence[tuple[int, bytes]], int]:
    return [(MessageKind.TICKS, b""), (MessageKind.STATUS, b"")], 1


def _fetches(client: Client) -> tuple[Sequence[tuple[int, bytes]], int]:
    """The history that was closed before this deal, again and again: nothing in it changes any more."""
    entry = client.history_list()[0]
    assert entry.closed
    return [(MessageKind.HISTORY_READ, pack_request(MessageKind.HISTORY_READ, page=entry.first_page, offset=at,
            length=352)) for at in (0, 352)], 4  # fmt: skip


def _asks(client: Client) -> tuple[Sequence[tuple[int, bytes]], int]:
    """Whatever can be asked for at any time."""
    return [
        (MessageKind.STATUS, b""),
        (MessageKind.CHALLENGE, pack_request(MessageKind.CHALLENGE, request=MessageKind.CONFIG_WRITE)),
        (MessageKind.TRACE, pack_request(MessageKind.TRACE, index=0, offset=0, most=0)),
        (MessageKind.LEVELS, pack_request(MessageKind.LEVELS, head=Head.SIDE_A)),
        (MessageKind.HISTORY_LIST, pack_request(MessageKind.HISTORY_LIST, from_shoe=0, most=0)),
        (MessageKind.CONFIG_READ, b""),
        (MessageKind.AUTHORITY, b""),
    ], 2  # fmt: skip


HOSTS: dict[str, Callable[[Client], tuple[Sequence[tuple[int, bytes]], int]] | None] = {
    "listens": None,
    "polls": _polls,
    "fetches": _fetches,
    "asks": _asks,
}


# ------------------------------------------------------------------------------------------------- the deal
@dataclass(frozen=True, slots=True)
class Scene:
    """A deal up to the card that lies face down. `answer` tells the faces apart that may be told apart."""

    scenario: Scenario
    before: tuple[int, ...] = ()  # cards of the opening deal that come first
    reader: bool = False  # the card is drawn quietly, and slid into the reader by the pull that counts
    burn: bool = False  # the pull that counts is the burn card's
    answer: Callable[[int], int] = field(default=lambda face: 0)


_TABLE = Scenario(decks=2, reader=False)
SCENES: dict[str, Scene] = {
    "shoe": Scene(_TABLE, (FIVE, NINE, SIX)),
    "reader": Scene(Scenario(decks=2), (FIVE, KING, SIX), reader=True, answer=lambda face: int(face in ACES)),
    "hand": Scene(Scenario(game=Game.FROM_THE_HAND, decks=2, reader=False)),
    "burn": Scene(_TABLE, burn=True),
}


@dataclass(slots=True)
class Dealt:
    """A shoe just before the card, as `dealt` left it."""

    shoe: EmulatedShoe
    client: Client
    scene: Scene
    host: str


def dealt(shoe: EmulatedShoe, name: str, host: str, restart: bool = False) -> Dealt:
    """Deal a scene on a shoe that is ready; afterwards the power may fail and come back."""
    scene = SCENES[name]
    client = _connect(shoe)
    client.config_write(scene.scenario.settings())
    if host == "fetches":
        shoe.key(Key.LOAD, 0)
        if scene.scenario.game != Game.FROM_THE_HAND:
            _draw(shoe, FIVE)
        shoe.key(Key.CLOSE_SHOE)
        shoe.wait(_SETTLED_S)
    shoe.key(Key.LOAD, 0)
    if not scene.burn:
        if scene.scenario.game != Game.FROM_THE_HAND:
            _draw(shoe, FIVE)
        shoe.key(Key.SEATS, 1)
        shoe.key(Key.DEAL)
        for face in scene.before:
            _draw(shoe, face)
    if restart:
        shoe.restart()
        client = _connect(shoe)
    client.subscribe().poll(0.0)
    shoe.wait(_SETTLED_S)
    return Dealt(shoe, client, scene, host)


def _connect(shoe: EmulatedShoe) -> Client:
    client = Client(shoe.transport(), seed=1)  # which gives the same transcript in every run
    client.identify()
    return client


def _draw(shoe: EmulatedShoe, face: int) -> None:
    _pull(shoe, Head.SIDE_A, *out(face, 0.8))
    shoe.wait(0.3)


def _pull(shoe: EmulatedShoe, head: int, edges: Edges, last_us: float, after_us: float = 0.0) -> None:
    start = shoe.now_us
    shoe.play(head, [(int(start + at) & _TICKS, lines) for at, lines in edges])
    shoe.advance(last_us + after_us)


@dataclass(slots=True)
class Coming:
    """A shoe in the moment in which the card begins to come, with all that left it since the host began."""

    ready: Dealt
    recorder: Recorder
    host: Host | None


def coming(ready: Dealt, last_us: float, leaves_us: int) -> Coming:
    """Let the host begin, and wait until a card that is there for `last_us` would leave at `leaves_us`."""
    shoe = ready.shoe
    shoe.chip.clock.loop.exact = True  # PIO samples at its own times, however many edges came before
    shoe.advance((leaves_us - shoe.chip.ticks_us - _HOST_FIRST_US - int(last_us)) % _STEP_US)
    recorder = Recorder(shoe)
    asks = HOSTS[ready.host]
    host = None if asks is None else Host(shoe, ready.client, *asks(ready.client))
    if host is not None:
        host.begin()
    shoe.advance(_HOST_FIRST_US)
    return Coming(ready, recorder, host)


def transcript(
    ready: Dealt, face: int, speed: float, leaves_us: int = LEAVES_US[0], damage: Damage = CLEAN
) -> Transcript:
    """Pull this face, and listen until all that it causes has left. The shoe is used up then: call it in a fork."""
    if ready.scene.reader:
        ready.shoe.chip.clock.loop.exact = True
        _draw(ready.shoe, face)
        ready.shoe.wait(_SETTLED_S)
        head, pull = Head.READER, slid(face, speed)
    else:
        head, pull = Head.SIDE_A, out(face, speed, damage)
    return _pulled(coming(ready, pull[1], leaves_us), face, head, *pull)


def _pulled(now: Coming, face: int, head: int, edges: Edges, last_us: float) -> Transcript:
    _pull(now.ready.shoe, head, edges, last_us, AFTER_US)
    told = RecordKind.PEEK if now.ready.scene.reader else RecordKind.SEALED
    heard = now.recorder.transcript
    if not heard.says(f"event {told.name.lower()}"):
        events = [what for _, what in heard.told[FRAMES] if what.startswith("event")]
        raise AssertionError(f"face {face}: the shoe told of no {told.name.lower()} card, but {events}")
    if now.host is not None and not now.host.answers:
        raise AssertionError(f"face {face}: the host got no answer")
    return heard


def _transcripts(ready: Dealt, faces: Sequence[int], speed: float, leaves_us: int) -> list[Callable[[], Transcript]]:
    """What is to be done in a fork for each face. All faces have the same past, as far as they can."""
    if ready.scene.reader:  # the card was drawn before
        return [partial(transcript, ready, face, speed, leaves_us) for face in faces]
    pulls = [out(face, speed) for face in faces]
    (last_us,) = {last_us for _, last_us in pulls}
    now = coming(ready, last_us, leaves_us)
    return [partial(_pulled, now, face, Head.SIDE_A, *pull) for face, pull in zip(faces, pulls, strict=True)]


# ------------------------------------------------------------------------------------------------- forks
def in_forks(tasks: Sequence[Callable[[], Any]], jobs: int = 1) -> Iterator[Any]:
    """What each task returns, in order; each runs in a fork of this process, `jobs` at a time."""
    running: list[tuple[int, int]] = []
    waiting = iter(tasks)
    for _ in tasks:
        while len(running) < jobs and (task := next(waiting, None)) is not None:
            running.append(_fork(task))
        child, reader = running.pop(0)
        with os.fdopen(reader, "rb") as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        good, value = pickle.loads(told) if told else (False, "the fork died")
        if not good:
            for other, end in running:
                os.close(end)
                os.waitpid(other, 0)
            raise AssertionError(value)
        yield value


def _fork(task: Callable[[], Any]) -> tuple[int, int]:
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    status = 1
    try:
        os.close(reader)
        try:
            told = True, task()
        except BaseException:
            told = False, traceback.format_exc()
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(told, pipe)
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


# ------------------------------------------------------------------------------------------------- the verdict
@dataclass(frozen=True, slots=True)
class Verdict:
    """`kinds`: how many transcripts came of `faces`; `first`: the earliest difference, between which two faces."""

    faces: int
    kinds: int
    answers: int  # how many transcripts there must be: one for each answer that may be known
    first: Difference | None
    pair: tuple[int, int]
    inside: int  # faces told apart by the panel chain, which nobody sees without opening the shoe
    apart: Mapping[str, int]  # ns by which times differ at most on each channel, where as much was told

    @property
    def silent(self) -> bool:
        """Whether nothing that can be observed depends on the face."""
        return self.first is None

    def __str__(self) -> str:
        said = f"{self.faces} faces, {self.kinds} transcripts to the ns, {self.answers} due"
        if any(self.apart.values()):
            said += "; apart at most: " + ", ".join(f"{name} {ns} ns" for name, ns in self.apart.items() if ns)
        if self.first is not None:
            said += f"; faces {self.pair[0]} and {self.pair[1]} first differ on {self.first}"
        return said


def compare(
    ready: Dealt,
    faces: Sequence[int],
    speed: float,
    leaves_us: int = LEAVES_US[0],
    jobs: int = 1,
    slack_ns: int = SLACK_NS,
) -> Verdict:
    """Pull each face in a fork of the same shoe; say whether anything tells two of them apart."""
    (verdict,) = in_forks([partial(_compared, ready, faces, speed, leaves_us, jobs, slack_ns)])
    return verdict


def _compared(ready: Dealt, faces: Sequence[int], speed: float, leaves_us: int, jobs: int, slack_ns: int) -> Verdict:
    references: dict[int, tuple[int, Transcript]] = {}
    kinds: set[bytes] = set()
    first: Difference | None = None
    pair = (0, 0)
    inside = 0
    apart = dict.fromkeys(CHANNELS, 0)
    came = in_forks(_transcripts(ready, faces, speed, leaves_us), jobs)
    for face, seen in zip(faces, came, strict=True):
        kinds.add(seen.digest())
        other, reference = references.setdefault(ready.scene.answer(face), (face, seen))
        inside += first_difference(reference, seen, INSIDE) is not None
        for channel in CHANNELS:
            apart[channel] = max(apart[channel], apart_ns(reference, seen, channel))
        found = first_difference(reference, seen, slack_ns=slack_ns)
        if found is not None and (first is None or found.at_ns < first.at_ns):
            first, pair = found, (other, face)
    return Verdict(len(faces), len(kinds), len(references), first, pair, inside, apart)
