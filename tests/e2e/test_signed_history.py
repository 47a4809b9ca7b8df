"""A shoe with a signing key, from provisioning to a verified file: signed beside dealing, and over a restart."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from deal_table import Table, difference, records_of, report_of, table
from shoesim.dealer_draw import Lamps
from shoesim.piles import Item
from shoesim.rig import PATIENCE_S
from shoesim.scenario import Scenario, run_scenario
from shoetool.cli.pulling import Pulled, pull_one
from shoetool.model.protocol_table import Key, RecordKind, Signature, Signing
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import verify
from word_sizes import AS_ON_THE_CHIP

SECRET = bytes(range(32))


def provision(shoe: Table, height: int = 5) -> PublicKey:
    """Provision a shoe and wait for its signing key."""
    authority = shoe.client.authority
    key = authority.offer(SECRET)
    authority.provision(key, height)
    authority.key = key
    while (answer := shoe.client.signing_key()) is not None and answer.state == Signing.MAKING:
        assert answer.made <= answer.of == 1 << height
    assert answer is not None and answer.state == Signing.READY
    return PublicKey(answer.public)


def fetch(shoe: Table, index: int = -1) -> Pulled:
    """Fetch one history as `shoetool pull` does."""
    entry = shoe.client.history_list()[index]
    name = f"{shoe.client.identify().device.hex()}-{entry.shoe:05d}.shoelog"
    return pull_one(shoe.client, entry, shoe.folder / name, mark=True)


@pytest.mark.parametrize("interpreter", AS_ON_THE_CHIP)
def test_a_shoe_that_was_provisioned_signs_what_it_deals(interpreter: str, tmp_path: Path) -> None:
    scenario = Scenario(seed=71, players=(3, 3), rounds=3)
    with table(scenario, tmp_path, interpreter) as shoe:
        key = provision(shoe)
        truth = shoe.deal()
        shoe.rig.wait(1)
        pulled = fetch(shoe)
        assert pulled.signature == Signature.SIGNED and pulled.marked
        shoe.rig.restart()
        shoe.client.identify()
        again = shoe.client.signing_key()
        assert again is not None and again.public == key.raw and again.next_index == 1
        log = shoe.rig.log_path.read_text()
    assert not log
    assert difference(truth, records_of(pulled.path)) is None
    report = report_of(pulled.path)
    assert report.ok and report.verdict == "verified", report.to_json()
    (signed,) = report.summary.signatures
    assert signed.good and signed.key == key and signed.pinned is None and signed.index == 0
    store = PinStore(tmp_path / "keys")
    assert signed.device is not None and store.pin(signed.device, key)
    report = verify(pulled.path, trust=Trust(store, remember=True, required=True))
    (signed,) = report.summary.signatures
    assert report.ok and signed.good and signed.pinned
    assert not any("the settings in this file" in note for note in report.summary.notes), "the shoe's CRC is the host's"
    (behind,) = report.summary.behind_signed_end
    assert signed.records is not None and behind.first == signed.records[1] + 1, "its record `signed` stands there"
    kinds = [record.kind for record in records_of(pulled.path)]
    assert kinds.count(RecordKind.SIGNED) == 1


class WatchedShoe:
    """A shoe whose signature of the history before is asked for after every card that is drawn."""

    def __init__(self, shoe: Table, closed: int) -> None:
        self.shoe = shoe
        self.closed = closed
        self.states: list[int] = []

    def key(self, key: Key, argument: int = 0) -> None:
        self.shoe.rig.key(key, argument)

    def draw(self, head: int, item: Item) -> None:
        self.shoe.rig.draw(head, item)
        self.states.append(self.shoe.client.signature(self.closed)[0])

    def peek(self, item: Item) -> None:
        self.shoe.rig.peek(item)

    def lamps(self) -> Lamps:
        return self.shoe.rig.lamps()

    def wait(self, seconds: float) -> None:
        self.shoe.rig.wait(seconds)


def test_cards_are_dealt_while_the_shoe_before_is_signed(tmp_path: Path) -> None:
    """The next shoe goes on at once: its cards are all read, and the signature comes between its rounds or behind.

    A machine that is busy elsewhere may let the shoe sign before the first card is drawn: then one more shoe is dealt.
    """
    scenario = Scenario(seed=72, players=(4, 4), rounds=4, reader=False)
    with table(scenario, tmp_path) as shoe:
        provision(shoe)
        truths = [shoe.deal()]
        pending = 0
        while pending < 2 and len(truths) < 5:
            closed = shoe.client.status().shoe
            watched = WatchedShoe(shoe, closed)
            truths.append(run_scenario(scenario, watched))
            pending = watched.states.count(Signature.PENDING)
            print(f"{pending} of {len(watched.states)} cards were drawn while the shoe before was being signed")
            deadline = time.monotonic() + PATIENCE_S  # a busy machine answers many times before it has signed
            while shoe.client.signature(closed)[0] != Signature.SIGNED:
                assert time.monotonic() < deadline, "it was never signed"
                shoe.rig.wait(1)
        shoe.rig.wait(1)
        paths = [fetch(shoe, index).path for index in range(-len(truths), 0)]
        log = shoe.rig.log_path.read_text()
    assert not log
    assert pending >= 2, "nothing was dealt while signing"
    for truth, path in zip(truths, paths, strict=True):
        assert difference(truth, records_of(path)) is None
    trust = Trust()
    reports = [verify(path, trust=trust) for path in paths]
    assert [report.summary.signatures[0].index for report in reports] == list(range(len(truths)))
    assert all(report.ok and report.summary.signatures[0].good for report in reports)
