"""The link under trouble: noise on the wire, a host that stops reading, programs of their own at a serial port."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench import check, connect, fetch, histories
from rig import files, uf2, wiring
from rig.emulated import EmulatedShoe
from shoesim.scenario import Scenario, run_scenario
from shoetool.client.client import Client
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import MessageKind
from shoetool.wire.frames import Frame, decode_body, encode_frame
from shoetool.wire.messages import ANSWER, unpack

SHORT = Scenario(decks=1, players=(2, 2), rounds=1, seed=91, reader=False, count=False)
REQUESTS, NOISE = 10, b"U" * 330 + b"\0"  # that are sent into an erase, and what comes before each: 37 ms in all
NEARLY_ERASED_US = 44_900
MOST_FETCHES = 20  # until a piece was spoiled: a fast line brings few of them


class NoisyShoe:
    """A shoe on whose wire somebody lets off bursts of noise with every step of the dealer."""

    def __init__(self, shoe: Any, seed: int) -> None:
        self._shoe = shoe
        self._rng = Random(f"noise {seed}")
        self.bursts = 0

    def __getattr__(self, name: str) -> Any:
        if name in ("key", "draw", "peek"):
            self._shoe.send(self._rng.randbytes(self._rng.randrange(1, 80)))
            self.bursts += 1
        return getattr(self._shoe, name)


class SpoilingLine:
    """A transport on which every twentieth piece that comes from the shoe has a wrong bit."""

    def __init__(self, transport: Any, seed: int) -> None:
        self._transport = transport
        self._rng = Random(f"spoil {seed}")
        self.spoiled = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def read(self, timeout_s: float) -> bytes:
        data: bytes = self._transport.read(timeout_s)
        if not data or self._rng.random() >= 0.05:
            return data
        self.spoiled += 1
        at = self._rng.randrange(len(data))
        return data[:at] + bytes((data[at] ^ 1 << self._rng.randrange(8),)) + data[at + 1 :]


def test_noise_on_the_wire_costs_time_and_no_record(shoe: Any, tmp_path: Path) -> None:
    print("seed", SHORT.seed)
    connect(shoe, SHORT)
    noisy = NoisyShoe(shoe, SHORT.seed)
    truth = run_scenario(SHORT, noisy)
    line = SpoilingLine(shoe.transport(), SHORT.seed)
    client = Client(line)
    path = tmp_path / "shoe.shoelog"
    for _ in range(MOST_FETCHES):
        fetch(shoe, client, path)
        if line.spoiled:
            break
        path.unlink()
    assert noisy.bursts > 5 and line.spoiled, "there was no noise"
    check(truth, path)


class GoneHost:
    """A shoe whose host is gone: what comes over the wire is lost at once, and nothing is ever said to it."""

    def __init__(self, shoe: Any) -> None:
        self._shoe = shoe
        self.lost = 0

    def __getattr__(self, name: str) -> Any:
        if name in ("key", "draw", "peek", "lamps"):
            self.lost += self._shoe.lose()
        return getattr(self._shoe, name)


def events_sent(shoe: EmulatedShoe, first: int) -> list[int]:
    """Numbers of the records that went out as events, in that order, of the frames from `first` on."""
    found = []
    for _, raw in shoe.frames[first:]:
        frame = decode_body(raw[:-1])
        if isinstance(frame, Frame) and frame.kind == MessageKind.EVENT:
            found.append(int(unpack(MessageKind.EVENT, "unasked", frame.payload)["record"]))
    return found


def test_a_host_that_is_gone_holds_nothing_up_and_gets_everything_later(shoe: Any, tmp_path: Path) -> None:
    """A UART has no flow control, so the shoe cannot know: each event leaves once, whoever hears it.

    Nothing is repeated or kept back for a host that never says a word. Back again, it asks for what it has missed, by
    its numbers. Where the line can refuse bytes, as USB does: tests/firmware/test_service.py.
    """
    client = connect(shoe, SHORT)
    live = client.subscribe()
    while live.poll(0.2):
        pass
    due = live.next_number
    assert due is not None
    frames = len(shoe.frames) if isinstance(shoe, EmulatedShoe) else 0
    gone = GoneHost(shoe)
    truth = run_scenario(SHORT, gone)
    gone.lost += shoe.lose()
    assert gone.lost > 500, "nothing was sent to the host that did not listen"
    if isinstance(shoe, EmulatedShoe):
        sent = events_sent(shoe, frames)
        assert sent == list(range(due, due + len(sent))) and len(sent) > 15, "each event leaves once, in its order"
        frames = len(shoe.frames)
    heard: list[Any] = []
    while more := live.poll(1.5):
        heard += more
    assert live.requested_again, "nothing was missed"
    assert [record.number for record in heard] == list(range(due, due + len(heard)))
    if isinstance(shoe, EmulatedShoe):
        assert set(sent) <= set(events_sent(shoe, frames)), "what was missed came when it was asked for"
    path = tmp_path / "shoe.shoelog"
    records = fetch(shoe, client, path)
    check(truth, path)
    assert heard[-len(records) :] == records[-len(heard) :]


class FedWhileErasing:
    """Sends requests to a shoe the moment its flash begins to erase; `during` counts bytes that came in meanwhile.

    As many as its line keeps in mind: so none before those of the last time have their answers.
    """

    def __init__(self, shoe: EmulatedShoe, client: Client, most: int) -> None:
        self.shoe, self.client, self.most = shoe, client, most
        self.asked: list[int] = []
        self.during: list[int] = []
        shoe.chip.flash.on_operation = self._operation

    def _operation(self, name: str, address: int, size: int) -> None:
        if name != "erase" or len(self.during) >= self.most or self.answered() != self.asked:
            return
        uart, before = self.shoe.chip.uart, self.shoe.chip.uart.received
        wire = b""
        for _ in range(REQUESTS):
            self.asked.append(self.client.session._next_sequence())
            wire += NOISE + encode_frame(MessageKind.TICKS, self.client.session.epoch, self.asked[-1])
        self.shoe.send(wire)
        end = self.shoe.chip.now + NEARLY_ERASED_US
        self.shoe.chip.at(end, lambda: self.during.append(uart.received - before))

    def answered(self) -> list[int]:
        """Sequences of the requests of these that have an answer."""
        found = [decode_body(raw[:-1]) for _, raw in self.shoe.frames]
        return [
            frame.sequence
            for frame in found
            if isinstance(frame, Frame) and frame.kind == MessageKind.TICKS + ANSWER and frame.sequence in self.asked
        ]


def test_no_byte_is_lost_while_flash_is_erased(emulated: EmulatedShoe) -> None:
    """The UART's bytes come by DMA: requests that come in during 45 ms of erasing are all answered."""
    client = connect(emulated)
    uart = emulated.chip.uart
    fed = FedWhileErasing(emulated, client, 3)
    for table in range(3):
        client.config_write({"table": table + 1})
        assert client.config_read()["table"] == table + 1
        emulated.wait(0.4)
    assert len(fed.during) == 3, "nothing was erased"
    assert min(fed.during) > 3000, f"{fed.during} bytes came in while the flash was erased"
    assert fed.answered() == fed.asked
    assert uart.overruns == 0
    assert client.session.counters.damaged == client.session.counters.retries == 0


def test_a_host_at_another_rate_hears_nothing_and_harms_nothing(emulated: EmulatedShoe) -> None:
    client = connect(emulated)
    before = client.status()
    uart = emulated.chip.uart
    uart.line_baud = 115_200
    with pytest.raises(LinkError):
        connect(emulated)
    assert uart.garbled > 10, "the rates did not differ"
    uart.line_baud = wiring.LINK_BAUD
    after = connect(emulated).status()
    assert (after.next_record, after.fault, after.phase) == (before.next_record, before.fault, before.phase)
    assert not emulated.panel.card_stop


@pytest.mark.parametrize("baud", [460_800, 1_000_000])
def test_a_shoe_with_a_wrong_rate_cannot_be_taken_for_a_right_one(
    only_emulated: None, slots: uf2.Firmware, baud: int, tmp_path: Path
) -> None:
    """The bug is planted in the firmware; the line's other end has the rate that the rig states for itself."""
    wrong = files.planted("pico.uart", "BAUD = const(921600)", f"BAUD = const({baud})", tmp_path)
    shoe = EmulatedShoe(files.flash_of(slots, more=wrong), seed=1)
    shoe.power_on()
    with pytest.raises(LinkError):
        connect(shoe)
    assert shoe.chip.uart.garbled, "the rates did not differ"


def test_shoetool_fetches_over_a_serial_port(shoe: Any, tmp_path: Path) -> None:
    """`shoetool pull` as a program of its own, at a pseudo-terminal or at the real port.

    It waits in real time, of which the emulated shoe needs a multiple: nothing that erases flash is asked of it here.
    """
    scenario = replace(SHORT, seed=92)
    client = connect(shoe, scenario)
    truth = run_scenario(scenario, shoe)
    program = [sys.executable, "-m", "shoetool"]
    told = shoe.link_terminal([*program, "info", "--port", "{port}"])
    assert told.returncode == 0 and client.identify().device.hex() in told.stdout.lower(), told.stdout
    wanted = [word for entry in histories(shoe, client) for word in ("--shoe", str(entry.shoe))]
    told = shoe.link_terminal([*program, "pull", "--port", "{port}", "--no-mark", *wanted, "--out", str(tmp_path)])
    assert told.returncode == 0, told.stdout
    pulled = sorted(tmp_path.glob("*.shoelog"))
    assert len(pulled) == len(wanted) // 2
    whole = tmp_path / "whole"
    with ShoelogWriter(whole, sync=False) as writer:
        for path in pulled:
            with ShoelogReader(path) as reader:
                for page in reader.pages():
                    writer.append_page(page)
    check(truth, whole)


@pytest.mark.parametrize("typed", [0, 3_000])
def test_mpremote_reaches_the_prompt_and_the_card_stop_holds(emulated: EmulatedShoe, typed: int) -> None:
    """Ctrl-C on the USB port ends the shoe with the card stop engaged, whatever somebody typed there before."""
    emulated.wait(0.1)  # a shoe that has just started shows its panel with the next turn
    assert not emulated.panel.card_stop
    emulated.chip.usb.write(b"?" * typed)
    emulated.wait(1.0)
    assert not emulated.panel.card_stop
    asked = "import sys; print(sys.platform, len(sys.modules) > 0)"  # whether the shoe lies in files or in the image
    told = emulated.usb_terminal([sys.executable, "-m", "mpremote", "connect", "{port}", "resume", "exec", asked])
    assert told.returncode == 0 and "rp2 True" in told.stdout, told.stdout
    assert emulated.panel.card_stop
