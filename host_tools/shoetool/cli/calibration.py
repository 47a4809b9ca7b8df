"""The guided calibration of one read head: measure bright, slide a card, set the threshold, read the card again."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import DeviceError, ShoetoolError
from shoetool.model.protocol_table import Calibration, Error, Head, Pass
from shoetool.report.sentences import opening_letter, side_name
from shoetool.wire.answers import LINE_NAMES, Levels, LineLevels, volts

PATIENCE_S: Final = 120.0
POLL_S: Final = 0.05
ALIVE_S: Final = 0.25  # between requests while a person thinks; the shoe waits 60 s for one
LEAST_DISTANCE: Final = 8000  # from the threshold to the nearest level: 0.4 V; a clean head has about 1 V
SWING: Final = 8000  # the least difference between bright and dark of a line that shows a card
SETTLED: Final = 0.25  # how far from bright a line may be when the card has gone, as a part of its swing
TRIES: Final = 3
READ: Final = (Pass.CARD, Pass.COVER_CARD, Pass.FOREIGN_BATCH, Pass.TEST_CARD)
EMPTY: Final = "is its throat empty, with no card in it or before it?"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the calibration of one head ended: `calibrated`, `weak` (too little light), `unread` (the test card was not
    read with the new threshold) or `declined`. Margins in percent; lines as measured."""

    head: int
    result: str
    before: Levels
    threshold: int
    margin: int | None
    lines: tuple[LineLevels, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with the head."""
        return self.result in ("calibrated", "declined")


def calibrate_head(
    client: Client, head: int, ask: Callable[[str], bool], tell: Callable[[str], None], agree: Callable[[str], bool]
) -> Outcome:
    """Guide a person through the calibration of one head.

    `ask` asks a question, `tell` says what to do next, `agree` asks before the threshold is written. DeviceError when
    the shoe refuses it, or when no card comes for `PATIENCE_S`.
    """
    before = client.levels(head)
    name = opening_letter(side_name(head))
    if before is None:
        raise DeviceError(
            f"{client.transport.name}: the shoe has no {side_name(head)}, or its protocol is older than 1.2"
        )
    run = begin(client, head)
    try:
        with run.kept_alive():  # cleaning may take long
            empty = ask(f"{name}: {EMPTY}")
        if not empty:
            raise DeviceError(f"{name}: take everything out of its throat, then calibrate again")
        run.step(Calibration.EMPTY)
        run.step(Calibration.CARD)
        tell(f"{name}: {how_to_slide(head)}")
        seen = measured(run)
        bright, dark = extremes(seen)
        threshold = (bright + dark) // 2
        if min(threshold - bright, dark - threshold) < LEAST_DISTANCE:
            return Outcome(head, "weak", before, before.threshold, before.margin, seen)
        change = f"{volts(before.threshold):.2f} V to {volts(threshold):.2f} V"
        with run.kept_alive():
            agreed = agree(f"{name}: change its threshold from {change}?")
        if not agreed:
            return Outcome(head, "declined", before, before.threshold, before.margin, seen)
        margin = run.step(Calibration.SET, threshold)
        result = "calibrated" if reads(run, name, tell) else "unread"
        return Outcome(head, result, before, threshold, margin, seen)
    finally:
        with contextlib.suppress(ShoetoolError):  # when the line is lost, the shoe ends it by itself
            client.calibrate(head, Calibration.END)


class Run:
    """A calibration that the shoe has begun. `shoe` is the number of its latest shoe at that time."""

    def __init__(self, client: Client, head: int, shoe: int) -> None:
        self.client = client
        self.head = head
        self._shoe = shoe
        self._restarts = client.session.counters.restarts
        self._written = False

    def step(self, step: Calibration, threshold: int = 0) -> int:
        """Carry out a step; return the margin. DeviceError when the calibration has ended meanwhile."""
        try:
            margin = self.client.calibrate(self.head, step, threshold)
        except Refused as refused:
            if refused.code == Error.NOT_ALLOWED_NOW:
                raise self.ended() from None
            raise
        self._written = self._written or step == Calibration.SET
        return margin

    def look(self) -> Levels:
        """Return the levels of the head. DeviceError when the calibration has ended meanwhile."""
        levels = self.client.levels(self.head)
        if levels is None or not levels.calibrating:
            raise self.ended()
        return levels

    def ended(self) -> DeviceError:
        """Return why the shoe has ended it, and what to do. The shoe itself does not say why."""
        shoe = self.client.status().shoe
        if self.client.session.counters.restarts != self._restarts:
            why, act = "it restarted", "calibrate this head again"
        elif shoe != self._shoe:
            why, act = "a shoe was loaded", "close that shoe, then calibrate this head again"
        else:
            why, act = "it got no request for a minute", "calibrate this head again"
        left = "its new threshold stays, not tried by reading" if self._written else "nothing was changed"
        return DeviceError(
            f"{self.client.transport.name}: the shoe ended the calibration of {side_name(self.head)}, since {why}; "
            f"{left}: {act}"
        )

    @contextlib.contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Ask for the levels again and again while the caller waits for a person, so that the shoe does not end it.

        A thread does this, because a question cannot be interrupted. Only the thread uses the client meanwhile.
        """
        answered = threading.Event()

        def ask() -> None:
            with contextlib.suppress(ShoetoolError):  # the next step reports a bad line too
                while True:
                    self.client.transport.sleep(ALIVE_S)
                    if answered.is_set():
                        return
                    self.client.levels(self.head)

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        try:
            yield
        finally:
            answered.set()
            asking.join()


class NotNow(DeviceError):
    """The shoe begins no calibration now, for one of two reasons: it does not say for which."""

    why: Final = "the shoe refuses while a shoe is open or another head is being calibrated"
    first: Final = "close the shoe first (panel key close shoe), or wait a minute if a calibration was broken off"

    def __init__(self, port: str) -> None:
        """Say why the shoe on `port` refuses, and what to do first."""
        super().__init__(f"{port}: {self.why}: {self.first}")


def begin(client: Client, head: int) -> Run:
    """Begin a calibration. NotNow, NotAuthorised: the error says what to do."""
    shoe = client.status().shoe
    try:
        client.calibrate(head, Calibration.BEGIN)
    except Refused as refused:
        if refused.code == Error.NOT_ALLOWED_NOW:
            raise NotNow(client.transport.name) from None
        raise
    return Run(client, head, shoe)


def how_to_slide(head: int, what: str = "test card T1") -> str:
    """Return what the person must do with a card."""
    if head == Head.READER:
        return f"slide {what} face down and slowly to the stop of the groove, and pull it out again."
    return f"pull {what} face down and slowly all the way out."


def measured(run: Run) -> tuple[LineLevels, ...]:
    """Wait until all four lines saw a card and the card has gone. Return what was measured on each line.

    This also ends when a card came and one line did not see it: the calibration must find that line.
    """
    client = run.client
    waited = calm = 0.0
    while True:
        levels = run.look()
        swings = [
            0 if line.light is None or line.dark is None else max(0, line.dark - line.light) for line in levels.lines
        ]
        some = max(swings) >= SWING
        gone = all(
            swing < SWING or line.now is None or line.light is None or line.now < line.light + SETTLED * swing
            for swing, line in zip(swings, levels.lines, strict=True)
        )
        calm = calm + POLL_S if some and gone else 0.0
        if calm >= (0.3 if min(swings) >= SWING else 0.8):
            return levels.lines
        waited = 0.0 if some and not gone else waited + POLL_S
        if waited > PATIENCE_S:
            raise DeviceError(f"{client.transport.name}: no card came for {PATIENCE_S:.0f} s; nothing was changed")
        client.transport.sleep(POLL_S)


def extremes(lines: Sequence[LineLevels]) -> tuple[int, int]:
    """Return the highest bright and the lowest dark level."""
    return max(line.light or 0 for line in lines), min(line.dark or 0 for line in lines)


def weakest(lines: Sequence[LineLevels]) -> str:
    """Return the name of the line with the least difference between bright and dark."""
    swings = [(line.dark or 0) - (line.light or 0) for line in lines]
    return LINE_NAMES[swings.index(min(swings))]


def reads(run: Run, name: str, tell: Callable[[str], None]) -> bool:
    """Whether a card is read with the new threshold, within a few tries."""
    client, head = run.client, run.head
    for _ in range(TRIES):
        run.step(Calibration.CARD)
        tell(f"{name}: once more, to read it: {how_to_slide(head)}")
        waited = 0.0
        passes = 0
        while passes < (2 if head == Head.READER else 1):  # in and out
            levels = run.look()
            passes = levels.passes
            if passes and levels.kind in READ:
                return True
            waited += POLL_S
            if waited > PATIENCE_S:
                raise DeviceError(f"{client.transport.name}: no card came for {PATIENCE_S:.0f} s; not tried by reading")
            client.transport.sleep(POLL_S)
    return False
