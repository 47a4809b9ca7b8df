"""A shoe in this process with a clock, an entropy and a host of its own, and all that anybody can observe of it.

The clock moves in windows of 5 ms whatever the heads see, and of 25 ms once a card is gone for 100 ms; the entropy is
the same in every run, and a commitment hides its card completely here (SHA-256 over the nonce alone): so two runs that
differ in a sealed face must show the same bytes, frame times, lamp times and errors, with no allowance for hashes or
CRCs.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import shoe.trust.sealing
from board_fake import FakeBoard
from board_fake import run as run_app
from card_pulls import TICKS, move, strip
from card_pulls import frame as cells_of
from flash_memory import MemoryFlash
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app import recovery
from shoe.app.app import App
from shoe.config import OPTION_READER, Config
from shoe.reading import card_code

WINDOW_US = 5000
QUIET_US = 100_000
QUIET_WINDOW_US = 25_000  # between two cards is most of the time
Step = tuple[Any, ...]
Observed = tuple[Any, ...]
ACE, TWO, FIVE, SIX, SEVEN, NINE, KING = 0, 14, 30, 31, 32, 8, 12


class WatchedBoard(FakeBoard):
    """Notes with its time everything that leaves the shoe."""

    heads = 3
    cards = "poker"

    def __init__(self) -> None:
        super().__init__(start_ms=TICKS - 3)
        self.us = TICKS - 3000
        self.journal, self.vault, self.store, self.keys = (
            MemoryFlash(pages, self.power) for pages in (16, 2, 12, 3)
        )  # pages of real size
        self.seen: list[Observed] = []

    def read_edges(self, head: int, times: Any, lines: Any) -> int:
        now = self.us
        taken: int = super().read_edges(head, times, lines)
        self.us = now  # the window's end, not the last edge
        return taken

    def levels(self, head: int, into: Any, lines: int = 15) -> None:
        """As real ones: what the analogue levels are depends on the face as the lines do, and when they are measured
        is seen by whoever watches the multiplexer."""
        self.seen.append(("measured", self.us, (head, lines)))
        super().levels(head, into, lines)

    def lamp_mask(self, mask: int) -> None:
        if mask != self.lamps:
            self.seen.append(("lamps", self.us, mask))
        super().lamp_mask(mask)

    def card_stop(self, on: bool) -> None:
        if on != self.stop:
            self.seen.append(("card stop", self.us, on))
        super().card_stop(on)

    def link_write(self, buf: Any, n: int) -> int:
        self.seen.append(("line", self.us, bytes(memoryview(buf)[:n])))
        return n

    def until(self, ticks_us: int, heads: int, tidies: bool = False, lamps: int = -1, stop: int = -1) -> bool:
        if self.edges_wait(heads):
            return False
        self.show(lamps, stop)
        return True  # the windows alone move the time

    def wait(self, most_ms: int = 50, tidies: bool = True) -> None:
        if self.script and self.script[0][0] == "window":
            _, head, edges = self.script[0]
            self.script[0] = ("edges", head, edges)
            self._pass_time(WINDOW_US)
        elif self.script and self.script[0][0] == "wait":
            _, whole, left = self.script[0]
            window = min(left, WINDOW_US if whole - left < QUIET_US else QUIET_WINDOW_US)
            self.script[0] = ("wait", whole, left - window) if left > window else ("call", lambda: None)
            self.script.insert(0, ("call", lambda: self._pass_time(window)))
        super().wait(most_ms, tidies)

    def _pass_time(self, us: int) -> None:
        before = self.us
        self.us = (self.us + us) % TICKS
        self.ms = (self.ms + us // 1000) % TICKS
        assert before != self.us


def windows(board: WatchedBoard, head: int, edges: Sequence[tuple[int, int]], whole_us: int) -> list[Step]:
    """Script steps that show `edges` (times from 0) in windows of 5 ms; as many windows whatever the edges are."""
    begin = board.us
    parts: list[list[tuple[int, int]]] = [[] for _ in range(whole_us // WINDOW_US + 1)]
    for us, lines in edges:
        if 0 <= us < len(parts) * WINDOW_US:
            parts[us // WINDOW_US].append(((begin + us) % TICKS, lines))
    return [("window", head, part) for part in parts]


class Watch:
    """One run: a script of the dealer with a host that asks for everything now and then."""

    def __init__(self, reader: bool = True, options: int = 0, decks: int = 6, game: int = t.GAME_BLACKJACK) -> None:
        self.board = WatchedBoard()
        self.reader = reader
        self.decks = decks
        self.game = game
        self.options = options | (OPTION_READER if reader else 0)
        self.app = App(self.board)
        self.sequence = 0
        self.steps: list[Step] = []
        self.then(self._configure)

    def _configure(self) -> None:
        config = Config()
        config.options = self.options
        config.decks = self.decks
        config.game = self.game
        self.app.table.configure(config)

    # ------------------------------------------------------------------------------------------- the dealer
    def then(self, act: Callable[[], object]) -> Watch:
        """Do something in its turn."""
        self.steps.append(("call", act))
        return self

    def key(self, key: int, argument: int = 0) -> Watch:
        """Press a panel key."""
        self.steps.append(("key", key, argument))
        return self

    def wait(self, ms: int) -> Watch:
        """Let time pass."""
        self.steps.append(("wait", ms * 1000, ms * 1000))
        return self

    def draw(
        self, face: int, *, batch: int = 1, head: int = 0, dead: int = 0, behind: int | None = None, **damage: Any
    ) -> Watch:
        """Pull a card at 0.8 m/s, a quarter of a second after what came before, with `behind` at its heels."""
        goal = card_code.POKER_UM + card_code.PRESENT_UM + 3000
        whole_us = (goal + 3000) * 1000 // 800
        edges = move(strip(cells_of(face, batch), **damage), [(goal, 800)], 0, dead)
        if behind is not None:
            edges += move(strip(cells_of(behind, batch)), [(goal, 800)], whole_us, dead)
            whole_us *= 2
        return self._show(head, edges, whole_us).wait(250)

    def draw_in_two(self, face: int, act: Callable[[], object], rest_ms: int) -> Watch:
        """Pull a card half way, let it lie there for `rest_ms`, do what `act` adds, pull it out."""
        middle, goal = card_code.POKER_UM // 2, card_code.POKER_UM + card_code.PRESENT_UM + 3000
        changes = strip(cells_of(face, 1))
        first = move(changes, [(middle, 800)])
        self._show(0, first, (middle + 3000) * 1000 // 800).wait(rest_ms)
        act()
        way = [(middle, 800), (middle, -10000), (goal, 800)]
        begun = (middle + 3000) * 1000 // 800
        edges = [(us - begun, lines) for us, lines in move(changes, way)[len(first) :]]
        return self._show(0, edges, (goal - middle) * 1000 // 800 + 20000).wait(250)

    def slide(self, face: int, *, batch: int = 1, **damage: Any) -> Watch:
        """Slide a card into the reader and out, and wait until its answer is long over."""
        outside = card_code.POKER_UM + card_code.PRESENT_UM + 3000
        changes = strip(cells_of(face, batch), **damage)
        before = len(move(changes, [(outside, 2000)]))
        came = (outside + 3000) * 1000 // 2000
        way = [(outside, 2000), (-3000, 600), (-3000, -200000), (outside, 600)]
        edges = [(us - came, lines) for us, lines in move(changes, way)[before:]]
        return self._show(t.HEAD_READER, edges, 2 * (outside + 3000) * 1000 // 600 + 200000).wait(400)

    def _show(self, head: int, edges: Sequence[tuple[int, int]], whole_us: int) -> Watch:
        def put() -> None:
            self.board.script[0:0] = windows(self.board, head, edges, whole_us)

        return self.then(put)

    def restart(self) -> Watch:
        """The power fails and comes back."""
        self._run()
        self.app = App(self.board)
        return self

    # ------------------------------------------------------------------------------------------- the host
    def ask(self, kind: int, payload: bytes = b"") -> Watch:
        """One request over the line."""

        def put() -> None:
            self.sequence += 1
            self.board.script.insert(0, ("link", frame(kind, payload, self.sequence & 0xFFFF, self.app.link.epoch)))

        return self.then(put)

    def ask_everything(self) -> Watch:
        """Every request that tells something, the page and the trace behind the last one too."""
        for kind in (t.MSG_IDENTIFY, t.MSG_SUBSCRIBE):
            self.ask(kind, b"\x05\0\0\0" if kind == t.MSG_IDENTIFY else struct.pack("<BI", 1, 0))
        for kind in (t.MSG_STATUS, t.MSG_TICKS, t.MSG_CONFIG_READ, t.MSG_SELF_TEST, t.MSG_AUTHORITY, t.MSG_SIGNING_KEY):
            self.ask(kind)
        for head in range(3):
            self.ask(t.MSG_LEVELS, bytes((head,)))
        self.ask(t.MSG_CALIBRATE, struct.pack("<BBH", 0, t.CALIBRATION_BEGIN, 0))
        self.ask(t.MSG_HISTORY_LIST, struct.pack("<IB", 0, 0))
        for page, offsets in ((0, (0,)), (1, range(0, 1760, 352)), (2, (0,))):
            for offset in offsets:
                self.ask(t.MSG_HISTORY_READ, struct.pack("<IHH", page, offset, 352))
        for index in range(4):
            for offset in (0, 300):
                self.ask(t.MSG_TRACE, struct.pack("<BHH", index, offset, 0))
        return self.ask(t.MSG_EVENT_READ, struct.pack("<IB", 0, 250)).ask(t.MSG_SIGNATURE, struct.pack("<IH", 1, 0))

    # ------------------------------------------------------------------------------------------- the run
    def _run(self) -> None:
        self.board.script = self.steps
        self.steps = []
        run_app(self.app)

    def observed(self) -> list[Observed]:
        """Play what is left of the script; all that was seen, with what the firmware said of defects."""
        said = recovery.sys.text  # type: ignore[attr-defined]
        self._run()
        assert recovery.sys.text == said, recovery.sys.text  # type: ignore[attr-defined]
        return self.board.seen

    def frames(self) -> list[tuple[int, int, int, bytes]]:
        """All frames on the line."""
        return list(frames(b"".join(one[2] for one in self.board.seen if one[0] == "line")))


@contextmanager
def hiding() -> Iterator[None]:
    """Commitments that hide their card completely, so that nothing at all may differ."""
    right = shoe.trust.sealing.commitment
    shoe.trust.sealing.commitment = lambda nonce, card, batch: hashlib.sha256(nonce).digest()
    try:
        yield
    finally:
        shoe.trust.sealing.commitment = right


def inspected(watch: Watch) -> Watch:
    """The reader's inspection, quickly: the test cards at the table's own door."""
    watch.key(t.KEY_READER_TEST, t.INSPECTION_BEGIN)
    for face in (53, 54, 55, 56):
        watch.slide(face)
    return watch


def to_the_hole_card(watch: Watch, up: int, burn: int = TWO, last: int = NINE) -> Watch:
    """Load, burn, two boxes, all cards of the opening deal but the hole card."""
    watch.key(t.KEY_LOAD, 0).draw(burn).key(t.KEY_SEATS, 3).key(t.KEY_DEAL)
    for face in (FIVE, SIX, up, SEVEN, last):
        watch.draw(face)
    return watch


def first_difference(one: Sequence[Observed], other: Sequence[Observed]) -> str | None:
    """What differs first, in words; None when nothing does."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return f"observation {index}: {left!r} and {right!r}"[:600]
    return None if len(one) == len(other) else f"{len(one)} and {len(other)} observations"
