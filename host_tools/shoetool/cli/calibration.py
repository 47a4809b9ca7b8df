"""The guided calibration of one read head: measure bright, slide a card, set the threshold, read the card again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from shoetool.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import DeviceError, ShoetoolError
from shoetool.model.protocol_table import Calibration, Error, Head, Pass
from shoetool.report.sentences import opening_letter, side_name
from shoetool.wire.levels import LINE_NAMES, Levels, LineLevels, volts

PATIENCE_S: Final = 120.0
POLL_S: Final = 0.05
LEAST_DISTANCE: Final = 8000  # of the threshold from the nearest level: 0.4 V; a clean head has about 1 V
SWING: Final = 8000  # between bright and dark of a line from which a card was there
SETTLED: Final = 0.25  # of its swing a line may be away from bright when the card has gone
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
    client: Client,
    head: int,
    ask: Callable[[str], bool],
    tell: Callable[[str], None],
    agree: Callable[[str], bool],
    patience_s: float = PATIENCE_S,
) -> Outcome:
    """Guide a person through the calibration of one head. `ask` puts a question, `tell` says what to do next, `agree`
    asks before the threshold is written. DeviceError when the shoe refuses it or no card comes for `patience_s`."""
    before = client.levels(head)
    name = opening_letter(side_name(head))
    if before is None:
        raise DeviceError(
            f"{client.transport.name}: the shoe has no {side_name(head)}, or its protocol is older than 1.2"
        )
    begin(client, head)
    try:
        if not ask(f"{name}: {EMPTY}"):
            raise DeviceError(f"{name}: take everything out of its throat, then calibrate again")
        client.calibrate(head, Calibration.EMPTY)
        client.calibrate(head, Calibration.CARD)
        tell(f"{name}: {how_to_slide(head)}")
        seen = measured(client, head, patience_s)
        bright, dark = extremes(seen)
        threshold = (bright + dark) // 2
        if min(threshold - bright, dark - threshold) < LEAST_DISTANCE:
            return Outcome(head, "weak", before, before.threshold, before.margin, seen)
        change = f"{volts(before.threshold):.2f} V to {volts(threshold):.2f} V"
        if not agree(f"{name}: change its threshold from {change}?"):
            return Outcome(head, "declined", before, before.threshold, before.margin, seen)
        margin = client.calibrate(head, Calibration.SET, threshold)
        result = "calibrated" if reads(client, head, name, tell, patience_s) else "unread"
        return Outcome(head, result, before, threshold, margin, seen)
    finally:
        with contextlib.suppress(ShoetoolError):  # without a line it ends by itself
            client.calibrate(head, Calibration.END)


def begin(client: Client, head: int) -> None:
    """Begin; a refusal is said in words that tell what to do."""
    try:
        client.calibrate(head, Calibration.BEGIN)
    except Refused as refused:
        if refused.code == Error.NOT_ALLOWED_NOW:
            raise DeviceError(
                f"{client.transport.name}: the shoe refuses while a shoe is open or another head is being calibrated: "
                "close the shoe first (panel key close shoe), or wait a minute if a calibration was broken off"
            ) from None
        raise


def how_to_slide(head: int) -> str:
    """Return what to do with the test card."""
    if head == Head.READER:
        return "slide test card T1 face down and slowly to the stop of the groove, and pull it out again."
    return "pull test card T1 face down and slowly all the way out through it."


def measured(client: Client, head: int, patience_s: float) -> tuple[LineLevels, ...]:
    """Wait until a card was there on all four lines and has gone; return what was measured of each line.

    When a card came and one line saw nothing of it, this ends too: that line is what is to be found.
    """
    waited = calm = 0.0
    while True:
        levels = look(client, head)
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
        if waited > patience_s:
            raise DeviceError(f"{client.transport.name}: no card came for {patience_s:.0f} s; nothing was changed")
        client.transport.sleep(POLL_S)


def look(client: Client, head: int) -> Levels:
    """Return the levels of a head under calibration. DeviceError when the calibration has ended meanwhile."""
    levels = client.levels(head)
    if levels is None or not levels.calibrating:
        raise DeviceError(f"{client.transport.name}: the shoe ended the calibration (a batch was loaded?); begin again")
    return levels


def extremes(lines: Sequence[LineLevels]) -> tuple[int, int]:
    """Return the highest bright and the lowest dark level."""
    return max(line.light or 0 for line in lines), min(line.dark or 0 for line in lines)


def weakest(lines: Sequence[LineLevels]) -> str:
    """Return the name of the line with the least difference between bright and dark."""
    swings = [(line.dark or 0) - (line.light or 0) for line in lines]
    return LINE_NAMES[swings.index(min(swings))]


def reads(client: Client, head: int, name: str, tell: Callable[[str], None], patience_s: float) -> bool:
    """Whether a card is read with the new threshold, within a few tries."""
    for _ in range(TRIES):
        client.calibrate(head, Calibration.CARD)
        tell(f"{name}: once more, to read it: {how_to_slide(head)}")
        waited = 0.0
        passes = 0
        while passes < (2 if head == Head.READER else 1):  # in and out
            levels = look(client, head)
            passes = levels.passes
            if passes and levels.kind in READ:
                return True
            waited += POLL_S
            if waited > patience_s:
                raise DeviceError(f"{client.transport.name}: no card came for {patience_s:.0f} s; not tried by reading")
            client.transport.sleep(POLL_S)
    return False
