"""Nothing that leaves a shoe depends on the face of a card that lies face down: not what, not when, not by a µs.

The emulated chip is deterministic, so forks of one shoe that get the same pull with one face after the other must leave
the same transcript: bytes on the line, USB, lamps, card stop, RS-485 driver, beginnings of flash operations, each with
its time. `make soak` takes every face, speed, scene and host (tests/bench/face_transcripts.py).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from faces import (
    BATCH,
    CLEAN,
    LEAVES_US,
    SLACK_NS,
    Damage,
    compare,
    dealt,
    in_forks,
    out,
    printed,
    sample,
    transcript,
    turns,
)
from rig import files, uf2
from rig.emulated import EmulatedShoe
from rig.pl011 import Pl011
from rig.transcript import CHANNELS, UART, Transcript, first_difference, masked
from shoesim.pull import IDEAL, Profile, pull
from shoetool.model.protocol_table import MessageKind, RecordKind
from shoetool.wire.frames import encode_frame

ROOT = Path(__file__).resolve().parents[2]
LEAK_NS = 10_000


# ------------------------------------------------------------------------------------------------- on the chip
@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize(
    ("scene", "host", "restart", "speed", "leaves_us", "faces"),
    [
        ("shoe", "polls", False, 0.1, LEAVES_US[0], 6),
        ("shoe", "polls", False, 0.8, LEAVES_US[1], 6),
        ("shoe", "polls", True, 0.8, LEAVES_US[1], 2),
        ("shoe", "fetches", False, 0.8, LEAVES_US[1], 2),
        ("shoe", "listens", False, 3.0, LEAVES_US[1], 2),
        ("reader", "polls", False, 0.8, LEAVES_US[0], 2),
        ("hand", "polls", False, 0.8, LEAVES_US[1], 2),
        ("burn", "polls", False, 0.8, LEAVES_US[0], 2),
    ],
)
def test_nothing_that_leaves_depends_on_the_face(
    emulated: EmulatedShoe, scene: str, host: str, restart: bool, speed: float, leaves_us: int, faces: int
) -> None:
    ready = dealt(emulated, scene, host, restart)
    alike = [face for face in range(52) if ready.scene.answer(face) == ready.scene.answer(1)]
    verdict = compare(ready, sample(faces, alike), speed, leaves_us)
    assert verdict.silent, str(verdict)


@pytest.mark.clause("633a.7(h) method")
def test_nothing_that_leaves_depends_on_damage_that_is_put_right(emulated: EmulatedShoe) -> None:
    """Reading past a hidden mark and a wrong cell takes longer; what is told leaves when that of a clean card does."""
    ready = dealt(emulated, "shoe", "polls")
    face = sample(2)[1]
    damages = (CLEAN, Damage(wrong=(5,)), Damage(hidden=(14,)), Damage(hidden=(21,), wrong=(10,)))
    tasks = [partial(transcript, ready, face, 0.8, LEAVES_US[1], damage) for damage in damages]
    clean, *damaged = in_forks(tasks)
    for damage, seen in zip(damages[1:], damaged, strict=True):
        assert first_difference(clean, seen, slack_ns=SLACK_NS) is None, damage


class _LatePl011(Pl011):
    """A UART that holds one byte back for LEAK_NS, the first one after `late_from` (ns)."""

    def _tx_start(self) -> None:
        idle = self._shifter < 0
        super()._tx_start()
        if idle and self._shifter >= 0 and self.rp2040.clock.nanos >= self.late_from:
            self.late_from = float("inf")
            self._tx_alarm.schedule(self.character_ns + LEAK_NS)


def with_a_late_byte(ready, face: int, speed: float) -> Transcript:
    """The transcript of a shoe that leaks: the first byte that goes out once the card has left is late."""
    uart = ready.shoe.chip.uart
    uart.__class__ = _LatePl011
    uart.late_from = ready.shoe.chip.clock.nanos + out(face, speed)[1] * 1000
    return transcript(ready, face, speed)


def test_a_leak_of_ten_microseconds_is_found(emulated: EmulatedShoe) -> None:
    """The same face twice is the same transcript; a byte that leaves 10 µs later is named with its time."""
    ready = dealt(emulated, "shoe", "listens")
    face, speed = sample(2)[1], 0.8
    tasks = [partial(transcript, ready, face, speed)] * 2 + [partial(with_a_late_byte, ready, face, speed)]
    plain, again, leaking = in_forks(tasks)
    assert first_difference(plain, again) is None and plain.digest() == again.digest()
    found = first_difference(plain, leaking)
    assert found is not None and found.channel == UART and "+10.000 µs" in found.how, str(found)


def test_a_shoe_that_answers_ten_microseconds_later_for_some_faces_is_found(
    only_emulated: None, slots: uf2.Firmware, tmp_path: Path
) -> None:
    """Planted in the firmware: a card with many edges leaves 10 µs behind the grid. Two faces are enough to tell."""
    few, *_, many = sample(6)
    middle = sum(len(out(face, 0.8)[0]) for face in (few, many)) // 2
    source = (ROOT / "firmware" / "shoe" / "line" / "silence.py").read_text()
    begin, end = source.index("        while n:\n"), source.index("    # ---", source.index("def _decided"))
    counts = "        self._read = n + (self._read if self._state == _DECIDED else 0)\n        while n:\n"
    grid = "& ~(GRID_US - 1) & _MASK"
    leaks = f"{grid}\n        self._due_us += {LEAK_NS // 1000} * (getattr(self, '_read', 0) > {middle})"
    plain = source[begin:end]
    wrong = plain.replace("        while n:\n", counts).replace(grid, leaks)
    shoe = EmulatedShoe(files.flash_of(slots, more=files.planted("shoe.line.silence", plain, wrong, tmp_path)), seed=1)
    shoe.power_on()
    verdict = compare(dealt(shoe, "shoe", "listens"), (few, many), 0.8)
    assert not verdict.silent and verdict.pair == (few, many)
    assert abs(verdict.apart[UART] - LEAK_NS) <= SLACK_NS, str(verdict)


# ------------------------------------------------------------------------------------------------- the comparison
def seen() -> Transcript:
    """Something on each channel."""
    one = Transcript()
    for at in range(1_000_000, 1_200_000, 10_850):
        one.bytes_at.append(at)
    for i, channel in enumerate(one.told):
        one.told[channel] += [(2_000_000 + 1000 * i, "this"), (3_000_000 + 1000 * i, "that")]
    return one


@pytest.mark.parametrize("channel", CHANNELS)
def test_ten_microseconds_on_any_channel_are_a_difference(channel: str) -> None:
    late = seen()
    if channel == UART:
        late.bytes_at[7] += LEAK_NS
    else:
        at, what = late.told[channel][1]
        late.told[channel][1] = (at + LEAK_NS, what)
    found = first_difference(seen(), late)
    assert found is not None and found.channel == channel and "+10.000 µs" in found.how
    assert first_difference(seen(), seen()) is None
    assert late.digest() != seen().digest()


@pytest.mark.parametrize("channel", CHANNELS)
def test_what_is_missing_or_says_something_else_is_a_difference(channel: str) -> None:
    short = seen()
    (short.bytes_at if channel == UART else short.told[channel]).pop()
    for one, other in ((seen(), short), (short, seen())):
        found = first_difference(one, other)
        assert found is not None and found.channel == channel
    if channel != UART:
        other = seen()
        other.told[channel][0] = (other.told[channel][0][0], "another")
        found = first_difference(seen(), other)
        assert found is not None and found.channel == channel


def event(commitment: bytes, ticks: int = 5, card: int = 9) -> str:
    """A sealed record's event frame as the transcript has it."""
    payload = (7).to_bytes(4, "little") + b"\1\0" + ticks.to_bytes(4, "little") + bytes((RecordKind.SEALED, 2, 0, 0, 0))
    return masked(encode_frame(MessageKind.EVENT, 1, card, payload + commitment).strip(b"\0"))


def test_only_the_commitment_is_masked() -> None:
    """A commitment with zeros in it too: COBS moves them, and the frame is as long as before."""
    plain = event(bytes(range(100, 132)))
    assert plain == event(bytes(32)) == event(b"\0\1" * 16)
    assert plain != event(bytes(32), ticks=6) and plain != event(bytes(32), card=10) and plain != event(bytes(31))


def test_the_pull_is_that_of_the_simulator() -> None:
    """Edges stated anew here, against those that the simulated card and hand make at one constant speed."""
    import numpy as np

    for face in sample(6):
        profile = Profile(slowest=0.8, fastest=0.8, acceleration=1e-9)
        changes, _ = pull(face, BATCH, 0, 0, np.random.default_rng(1), IDEAL, profile)
        mine, _ = out(face, 0.8)
        assert [lines for _, lines in mine] == [lines for _, lines in changes]
        assert all(abs(at - ticks) <= 2 for (at, _), (ticks, _) in zip(mine, changes, strict=True))


def test_the_sample_has_the_face_with_the_fewest_edges_and_the_one_with_the_most() -> None:
    few, *_, many = sample(6)
    assert turns(few) == min(map(turns, range(52))) < max(map(turns, range(52))) == turns(many)
    assert [step for step in printed(few) if step[1] != 8] == [step for step in printed(many) if step[1] != 8]
