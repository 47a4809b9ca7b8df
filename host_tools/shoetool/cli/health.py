"""What `shoetool doctor` looks at, part by part. Each part gets a plain verdict and what to do about it."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from shoetool.cli.calibration import EMPTY, NotNow, Run, begin, reads
from shoetool.cli.info import authority_sentence, heads_of, lit
from shoetool.cli.selftest import failed_parts
from shoetool.client.authority import DAMAGED_ACT, KeyDamaged, NotAuthorised
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import DeviceError, LinkError, ShoetoolError
from shoetool.model.margin import percent
from shoetool.model.naming import VIRTUAL_BOARD
from shoetool.model.protocol_table import MINOR, Authority, Calibration, Error, Head, MessageKind, ShoeKind, Signing
from shoetool.model.version import version
from shoetool.report.sentences import fault_sentence, many, opening_letter, side_name
from shoetool.trust.pins import PinStore
from shoetool.wire.answers import Levels, ShoeEntry, Status

GOOD: Final = "good"
LOOK: Final = "look"
BAD: Final = "bad"
UNKNOWN: Final = "not known"
VERDICTS: Final = (GOOD, LOOK, BAD, UNKNOWN)
ASKED: Final = 40
"""Requests that measure the line."""
CLOCK_S: Final = 2.0
"""How long the shoe's clock is watched."""
_CLOCK_OFF: Final = 0.005
_ROOM: Final = 90
"""So many histories in a journal leave little room: it has room for 100 shoes."""
_FEW_INDICES: Final = 50


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the shoe: its name, the verdict, what was seen, and what to do about it ("" where nothing)."""

    name: str
    verdict: str
    said: str
    act: str = ""


@dataclass(slots=True)
class Examination:
    """Looks at a shoe. facts: what a support file has; no card, no record, no trace of light is among it."""

    client: Client
    pins: PinStore
    facts: dict[str, Any]

    def parts(self) -> Iterator[Part]:
        """Look at one part after the other. LinkError when the line is lost meanwhile."""
        status = self.client.status()
        self.facts["status"] = {**_plain(status), "lamps": lit(status.lamps)}
        yield self._line()
        yield self._clock()
        yield self._firmware()
        yield _fault(status)
        shoes = self.client.history_list()  # before the self-test, whose record makes a fetched history grow
        self.facts["histories"] = [_plain(shoe) for shoe in shoes]
        yield self._self_test()
        yield self._journal(shoes)
        yield self._settings()
        yield self._commands()
        yield self._signing()
        yield from self._heads()

    def _line(self) -> Part:
        counters = self.client.session.counters
        before = counters.damaged, counters.retries
        times = []
        for _ in range(ASKED):
            begun = time.monotonic()
            self.client.ticks()
            times.append(1000 * (time.monotonic() - begun))
        damaged, retries = counters.damaged - before[0], counters.retries - before[1]
        middle, worst = statistics.median(times), max(times)
        self.facts["line"] = {
            "port": self.client.transport.name,
            "requests": ASKED,
            "median_ms": round(middle, 2),
            "worst_ms": round(worst, 2),
            "damaged": damaged,
            "retries": retries,
        }
        said = f"{ASKED} requests, {middle:.0f} ms in the middle, {worst:.0f} ms at most"
        if not damaged and not retries:
            return Part("line", GOOD, said)
        bad = f"{many(damaged, 'damaged frame')}, {many(retries, 'request')} sent again"
        act = "check the cable, its plugs and its ground; keep it away from motors and lamps"
        return Part("line", BAD if damaged + retries > ASKED // 10 else LOOK, f"{said}; {bad}", act)

    def _clock(self) -> Part:
        """Whether the shoe's milliseconds are as long as this computer's."""
        begun, first = time.monotonic(), self.client.ticks()
        self.client.transport.sleep(CLOCK_S)
        ended, last = time.monotonic(), self.client.ticks()
        host_ms, shoe_ms = 1000 * (ended - begun), (last.ticks_ms - first.ticks_ms) & 0x3FFFFFFF
        self.facts["clock"] = {"boot": last.boot, "shoe_ms": shoe_ms, "host_ms": round(host_ms)}
        if first.boot != last.boot:
            act = "look at its power supply; shoetool replay --records shows its starts"
            return Part("clock", BAD, "the shoe started anew while it was watched", act)
        off = shoe_ms - host_ms
        if abs(off) <= 100 + _CLOCK_OFF * host_ms:
            return Part("clock", GOOD, f"{shoe_ms} ms passed there while {host_ms:.0f} ms passed here")
        said = f"{shoe_ms} ms passed there while {host_ms:.0f} ms passed here"
        identity = self.client.session.identity
        if identity is not None and identity.board == VIRTUAL_BOARD:
            return Part("clock", UNKNOWN, said, "nothing: a virtual shoe has the time of its simulation")
        return Part("clock", BAD, said, "replace the board: its crystal is wrong, so no time of day can be trusted")

    def _firmware(self) -> Part:
        identity = self.client.session.identity
        assert identity is not None, "the client has identified the shoe"
        said = f"{identity.firmware_text}, protocol {identity.major}.{identity.minor}"
        self.facts["identity"] = {
            "device": identity.device.hex(),
            "board": identity.board,
            "firmware": identity.firmware_text,
            "protocol": f"{identity.major}.{identity.minor}",
            "boot": identity.boot,
        }
        if identity.minor < MINOR:
            act = f"update it: this shoetool ({version()}) knows messages that it does not"
            return Part("firmware", LOOK, said, act)
        if identity.minor > MINOR:
            return Part("firmware", LOOK, said, "update shoetool: this firmware has messages that it does not know")
        return Part("firmware", GOOD, said)

    def _self_test(self) -> Part:
        try:
            result = self.client.self_test()
        except Refused as refused:
            if refused.code != Error.NOT_ALLOWED_NOW:
                raise
            said = "the shoe refuses it while a round is under way"
            return Part("self-test", UNKNOWN, said, "close the round, then ask again")
        except DeviceError as error:
            return Part("self-test", UNKNOWN, str(error), "ask again then")
        failed = failed_parts(result.failed)
        self.facts["self_test"] = {"result": result.result, "failed": failed}
        if not failed and not result.result:
            return Part("self-test", GOOD, "passed")
        said = f"failed: {', '.join(failed) or f'result {result.result}'}"
        return Part("self-test", BAD, said, "firmware/FAULTS.md says what each part needs; do not deal")

    def _journal(self, shoes: list[ShoeEntry]) -> Part:
        waiting = [shoe for shoe in shoes if shoe.closed and not shoe.fetched]
        said = f"{len(shoes)} {'history' if len(shoes) == 1 else 'histories'}, {len(waiting)} not fetched"
        if not waiting:
            return Part("journal", GOOD, said)
        authority = self.client.authority
        full = len(shoes) >= _ROOM
        act = "fetch them: shoetool pull --all"
        if authority.needs_key() and not authority.is_damaged():  # without it they are fetched and not marked
            act += " --key FILE"
        return Part("journal", BAD if full else LOOK, said, act + ("; the journal is nearly full" if full else ""))

    def _settings(self) -> Part:
        values = self.client.config_read()
        self.facts["settings"] = values
        if not {"shoe_kind", "decks", "positions"} <= set(values):
            return Part("settings", UNKNOWN, "this firmware does not tell which shoe it was set for", "update it")
        kind = "double" if values["shoe_kind"] == ShoeKind.DOUBLE else "single"
        said = f"{kind} shoe, {many(values['decks'], 'deck')}, {many(values['positions'], 'position')}"
        return Part("settings", GOOD, said)

    def _commands(self) -> Part:
        try:
            state = self.client.authority.state()
        except LinkError:
            return Part("commands", UNKNOWN, "this firmware is too old to tell who may give commands", "update it")
        self.facts["commands"] = state.state_name
        said = authority_sentence(state)
        if state.state == Authority.OPEN:
            said = "not provisioned: anyone on the line may change this shoe"
            return Part("commands", LOOK, said, "shoetool provision, on the workbench")
        if state.state == Authority.DAMAGED:
            return Part("commands", BAD, said, DAMAGED_ACT)
        if state.failures:
            return Part("commands", LOOK, said, "somebody tried wrong keys: see the attempts in its history")
        return Part("commands", GOOD, said)

    def _signing(self) -> Part:
        key = self.client.signing_key()
        if key is None:
            return Part("signing", UNKNOWN, "this firmware does not sign", "update it")
        left = (1 << key.height) - key.next_index
        self.facts["signing"] = {"state": key.state, "left": left, "made": key.made, "of": key.of}
        if key.state == Signing.NO_KEY:
            return Part("signing", LOOK, "no key: its histories are not signed", "shoetool provision, on the workbench")
        if key.state == Signing.MAKING:
            return Part("signing", LOOK, f"the key is being made, {key.made} of {key.of}", "leave it switched on")
        if key.state != Signing.READY:
            why = "every index is used" if key.state == Signing.USED_UP else "the stored key is damaged"
            return Part("signing", BAD, why, "fetch its histories, then provision it anew")
        identity = self.client.session.identity
        pinned = None if identity is None else self.pins.get(identity.device)
        said = f"ready, {many(left, 'signature')} left"
        if pinned is None:
            return Part(
                "signing", LOOK, f"{said}; its key is not pinned here", "compare it: shoetool keys --device --pin"
            )
        if pinned.raw != key.public:
            return Part(
                "signing", BAD, "it signs with another key than the pinned one", "do not deal; ask who changed it"
            )
        if left < _FEW_INDICES:
            return Part("signing", LOOK, said, "provision it anew soon, after its histories are fetched")
        return Part("signing", GOOD, f"{said}; its key is the pinned one")

    def _heads(self) -> Iterator[Part]:
        heads = self.there()
        self.facts["heads"] = [_head_facts(one) for one in heads]
        for one in heads:
            said = f"margin {percent(one.margin)}"
            if one.clean_soon:
                yield Part(side_name(one.head), LOOK, said, "clean it; then shoetool calibrate --show")
            elif one.margin is None:
                act = "calibrate it: shoetool calibrate, with test card T1"
                yield Part(side_name(one.head), LOOK, "it was never calibrated", act)
            else:
                yield Part(side_name(one.head), GOOD, said)
        if not heads:
            yield Part("heads", UNKNOWN, "this firmware is too old to tell their margins", "update it")

    def there(self) -> list[Levels]:
        """Return the levels of the heads that this shoe has."""
        double = self.client.config_read().get("shoe_kind") != ShoeKind.SINGLE
        return [head for head in heads_of(self.client) if double or head.head != Head.SIDE_B]

    # ---------------------------------------------------------------------------------------- with a person's help
    def lamps(self, ask: Callable[[str], bool]) -> Part:
        """Have a person look at the lamps."""
        lamps = lit(self.client.status().lamps)
        shown = ", ".join(lamps) if lamps else "no lamp"
        if ask(f"Is exactly this lit on the panel: {shown}?"):
            return Part("lamps", GOOD, f"as told: {shown}")
        return Part("lamps", BAD, f"told {shown}, seen otherwise", "look at the panel's plug and at that lamp")

    def test_cards(self, ask: Callable[[str], bool], tell: Callable[[str], None]) -> Iterator[Part]:
        """Have a person pull test card T1 through each head."""
        try:
            self.client.authority.require(MessageKind.CALIBRATE)
        except NotAuthorised as error:
            yield not_authorised("test cards", error, "ask again")
            return
        for head in self.there():
            yield self._read_test_card(head.head, ask, tell)

    def batches(self) -> tuple[int, int]:
        """Return the batches that belong on side A and on side B by the settings. DeviceError when not told."""
        values = self.client.config_read()
        if not {"batch_a", "batch_b"} <= set(values):
            raise DeviceError("this firmware does not tell its batches")
        return values["batch_a"], values["batch_b"]

    def _read_test_card(self, head: int, ask: Callable[[str], bool], tell: Callable[[str], None]) -> Part:
        """Read a test card with the threshold that is set; nothing is changed."""
        name = f"test card, {side_name(head)}"
        try:
            run = begin(self.client, head)
        except NotNow as refused:
            return Part(name, UNKNOWN, refused.why, f"{refused.first}; then ask again")
        except DeviceError as error:
            return Part(name, UNKNOWN, str(error), "then ask again")
        try:
            return self._pulled(run, name, head, ask, tell)
        except DeviceError as error:
            return Part(name, BAD, str(error), "pull the card slowly, strip first; then clean the head")
        finally:
            with contextlib.suppress(ShoetoolError):  # when the line is lost, the shoe ends it by itself
                self.client.calibrate(head, Calibration.END)

    def _pulled(self, run: Run, name: str, head: int, ask: Callable[[str], bool], tell: Callable[[str], None]) -> Part:
        side = opening_letter(side_name(head))
        with run.kept_alive():
            empty = ask(f"{side}: {EMPTY}")
        if not empty:
            return Part(name, UNKNOWN, "its throat is not empty", "take everything out, then ask again")
        run.step(Calibration.EMPTY)
        if reads(run, side, tell):
            return Part(name, GOOD, "read")
        return Part(name, BAD, "not read in three tries", "clean the head; then shoetool calibrate")


def not_authorised(name: str, error: NotAuthorised, again: str) -> Part:
    """Return a part that was not looked at. `again`: what to do with the key file, where one helps."""
    if isinstance(error, KeyDamaged):
        return Part(name, UNKNOWN, error.why, DAMAGED_ACT)
    return Part(name, UNKNOWN, str(error), f"{again} with the shoe's key file (--key)")


def _fault(status: Status) -> Part:
    if not status.fault:
        return Part("faults", GOOD, f"none; it waits for {status.phase_name.replace('_', ' ')}")
    return Part("faults", BAD, fault_sentence(status.fault, status.fault_head), "clear it once that is done")


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def _head_facts(one: Levels) -> dict[str, Any]:
    """Levels of the lines when nothing is in front of them; not what the last pass was."""
    return {
        "head": side_name(one.head),
        "threshold": one.threshold,
        "margin": one.margin,
        "clean_soon": one.clean_soon,
        "light": [line.light for line in one.lines],
    }
