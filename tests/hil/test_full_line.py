"""Cards while a history fills the line to the table's computer, and while USB is full."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from bench import connect, fetch, records_since
from rig.emulated import EmulatedShoe
from shoesim.pull import NOMINAL, pull
from shoesim.scenario import Scenario, run_scenario
from shoetool.model.protocol_table import FaultCode, Key, RecordKind
from shoetool.model.records import Record

BEFORE = Scenario(decks=1, players=(3, 3), rounds=2, seed=93, reader=False, count=False)
QUICK = replace(NOMINAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)
CARDS = 26
TYPED = 512  # characters, as many as MicroPython keeps
RATE = 12.0
FULL = 0.05  # of the line's 92,160 bytes a second, since nothing leaves beside a card; 0.060 to 0.084 were measured
OFTEN = 6  # times that USB is filled anew; 10 to 13 with a slot's firmware and 15 to 16 with an image were measured


def lay_cards(shoe: EmulatedShoe, seed: int) -> tuple[list[int], int]:
    """Put one card after the other on its way past head A; return them, and when the last one is through."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(52)[:CARDS].tolist()
    last = shoe.now_us
    for i, card in enumerate(order):
        start = shoe.now_us + 100_000 + int(i * 1e6 / RATE)
        changes, _ = pull(card, BEFORE.batches[0], 0, start, rng, NOMINAL, QUICK)
        shoe.play(0, changes)
        last = max(last, start + (changes[-1][0] - start) % (1 << 30))
    return order, last


def cards_of(records: list[Record]) -> list[int]:
    """Faces of the cards among the records."""
    return [int(record.get("card")) for record in records if record.kind == RecordKind.CARD]


def test_no_card_is_lost_while_a_history_fills_the_line(emulated: EmulatedShoe, tmp_path: Path) -> None:
    """A shoe is counted at 12 cards a second while the one before is fetched again and again."""
    print("seed", BEFORE.seed)
    client = connect(emulated, BEFORE)
    run_scenario(BEFORE, emulated)
    live = client.subscribe()
    live.poll(0.0)
    emulated.key(Key.LOAD, 0)
    emulated.key(Key.COUNT, 0)
    order, last = lay_cards(emulated, BEFORE.seed)
    began, sent = emulated.now_us, emulated.chip.uart.sent
    heard = []
    while emulated.now_us < last:
        for entry in client.history_list():
            for _ in client.pull_shoe(entry):
                heard += live.poll(0.0)
    filled = (emulated.chip.uart.sent - sent) / ((emulated.now_us - began) * 92_160 / 1e6)
    assert filled > FULL, f"the line was only {filled:.0%} full"
    emulated.wait(0.6)
    while more := live.poll(0.3):
        heard += more
    assert cards_of(heard) == order
    records = fetch(emulated, client, tmp_path / "shoe.shoelog")
    assert cards_of(records)[-CARDS:] == order
    faults = {record.get("code") for record in records if record.kind == RecordKind.FAULT}
    assert faults <= {FaultCode.COUNT_WRONG}
    assert emulated.chip.uart.overruns == 0


def test_no_card_is_lost_while_usb_is_full(emulated: EmulatedShoe) -> None:
    """Somebody types into the prompt as fast as the shoe takes it; in play it prints nothing."""
    print("seed", BEFORE.seed)
    client = connect(emulated, BEFORE)
    usb = emulated.chip.usb
    emulated.key(Key.LOAD, 0)
    emulated.key(Key.COUNT, 0)
    before = client.status().next_record
    order, last = lay_cards(emulated, BEFORE.seed)
    filled = 0
    while emulated.now_us < last + 600_000:
        if usb.tx_fifo.item_count < TYPED:
            usb.write(b"?" * TYPED)
            filled += 1
        emulated.advance(1_000)
    assert filled > OFTEN, "the shoe took next to nothing"
    assert cards_of(records_since(client, before)) == order
    assert client.status().fault in (0, FaultCode.COUNT_WRONG)
