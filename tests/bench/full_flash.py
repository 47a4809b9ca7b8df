"""What lies in the flash of a shoe that was long at a table: a full journal, in the middle of a shoe, and full stores.

The simulated dealer plays at the firmware's own dealing, and the firmware's own journal, vault, faults, marks of
fetched histories and signatures write into the partitions, as they would on the board.
"""

from __future__ import annotations

import contextlib
import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / folder) for folder in ("firmware", "board", "host_tools", "tests/host")]

from in_process_shoe import InProcessShoe  # noqa: E402
from pico import root  # noqa: E402
from shoe.app.app import CONFIG_PAGE, FAULTS_PAGE, FETCHED_PAGE, VERSION  # noqa: E402
from shoe.app.config_store import ConfigStore  # noqa: E402
from shoe.app.faults import Faults  # noqa: E402
from shoe.app.steps import Steps  # noqa: E402
from shoe.journal.fetched import Fetched  # noqa: E402
from shoe.journal.journal import Journal  # noqa: E402
from shoe.trust.sealing import Sealer  # noqa: E402
from shoe.trust.signing import Signing  # noqa: E402
from shoe.wire_table import REC_BOOT  # noqa: E402
from shoesim.piles import Item  # noqa: E402
from shoesim.scenario import Scenario, run_scenario  # noqa: E402

DEVICE = b"EMULATED"
HEIGHT = 10
MID_SHOE = 200  # cards of the last shoe that are out
_PAST_THE_END = 24  # pages that the ring is written round, so that it has no seam at its beginning


class _Enough(Exception):
    """The flash is as it should be."""


class Partition:
    """Pages of `storage` from `first` on as a block device."""

    page_size = root.PAGE

    def __init__(self, storage: bytearray, first: int, pages: int) -> None:
        self._storage = storage
        self._first = first
        self.pages = pages

    def _at(self, page: int, offset: int) -> int:
        assert 0 <= page < self.pages and 0 <= offset < self.page_size
        return (self._first + page) * self.page_size + offset

    def read(self, page: int, offset: int, buf: Any) -> None:
        """Fill `buf`."""
        at = self._at(page, offset)
        buf[:] = self._storage[at : at + len(buf)]

    def program(self, page: int, offset: int, buf: Any) -> None:
        """Clear the bits that are 0 in `buf`."""
        at = self._at(page, offset)
        held = int.from_bytes(self._storage[at : at + len(buf)], "little") & int.from_bytes(buf, "little")
        self._storage[at : at + len(buf)] = held.to_bytes(len(buf), "little")

    def erase(self, page: int) -> None:
        """Set all bits of `page`."""
        at = self._at(page, 0)
        self._storage[at : at + self.page_size] = b"\xff" * self.page_size


class _Chip:
    """What steps need of a board; its entropy is any bytes that differ."""

    def __init__(self, seed: int) -> None:
        self.entropy = random.Random(f"full flash {seed}").randbytes
        self.ms = 0

    def ticks_ms(self) -> int:
        """Half a second later than the last time."""
        self.ms = self.ms + 500 & 0x3FFFFFFF
        return self.ms

    def card_stop(self, on: bool) -> None:
        """Nobody looks."""


class _Played(InProcessShoe):
    """The dealing at which the dealer plays, with a journal behind it."""

    def __init__(self, scenario: Scenario, chip: _Chip, parts: dict[str, Partition]) -> None:
        super().__init__(scenario)
        self.faults = Faults(parts["store"], FAULTS_PAGE)
        self.fetched = Fetched(parts["store"], FETCHED_PAGE)
        self.journal = Journal(parts["journal"], DEVICE, self.fetched.may_overwrite)
        sealer = Sealer(chip.entropy, parts["vault"])
        stored = ConfigStore(parts["store"], CONFIG_PAGE)
        self.faults.start()
        self.fetched.start()
        self.journal.start()
        stored.load()
        stored.save(self.config)
        sealer.start(set())
        self.fetched.overwrite = True  # the ring goes round, though only every second shoe was fetched
        crc = self.config.crc()
        self.signing = Signing(
            parts["keys"], DEVICE, self.journal, chip.entropy, self.fetched.may_overwrite, lambda: crc
        )
        self.signing.start()
        self.steps = Steps(
            chip.ticks_ms, self.journal, sealer, self.faults, lambda: False, lambda: None, lambda: None, self.dealing
        )
        self.steps.start(self.dealing)
        self.steps.commit([(REC_BOOT, 0, VERSION, crc, 1)])
        self.signing.begin(HEIGHT)
        self._sign()
        self._until = parts["journal"].pages + _PAST_THE_END
        self._cards = 0

    def _sign(self) -> None:
        while self.signing.busy:
            event = self.signing.step(1 << 20)
            if event is not None:
                self.steps.commit([event])

    def _record(self, events: list[tuple[Any, ...]]) -> None:
        before = self.journal.shoe
        self.steps.commit(list(events))
        assert not self.steps.waiting()
        if self.journal.shoe != before:
            self._cards = 0
            shoes = list(self.journal.shoes())
            self.fetched._marks = []  # written once, at the end
            for shoe, _, _, first, records, _ in shoes[:-1]:
                if shoe % 2:
                    self.fetched._marks.append((shoe, first + records - 1))
        self._sign()
        for _ in range(4):
            self.journal.idle()

    def draw(self, head: int, item: Item) -> None:
        """A card, unless the flash is full and a shoe half way out."""
        if self.journal.tail >= self._until and self._cards >= MID_SHOE:
            raise _Enough
        self._cards += 1
        super().draw(head, item)


def parts_of(storage: bytearray) -> dict[str, Partition]:
    """The partitions of a storage as a shoe lays it out."""
    pages = root.plan(len(storage) // root.PAGE)
    return {
        name: Partition(storage, sum(pages[:index]), pages[index]) for index, name in enumerate(root.NAMES) if index
    }


def fill(storage: bytes, seed: int = 1) -> tuple[bytes, str]:
    """Return the storage of a shoe with its partitions full and what is in them, in words."""
    content = bytearray(storage)
    parts = parts_of(content)
    scenario = Scenario(decks=8, seed=seed, players=(7, 7), shoes=10_000)
    shoe = _Played(scenario, _Chip(seed), parts)
    with contextlib.suppress(_Enough):
        run_scenario(scenario, shoe)
    journal = shoe.journal
    marks = len(shoe.fetched._marks)
    shoe.fetched._notes.rewrite()
    held = journal.tail - journal.first_page + 1
    number = len(list(journal.shoes()))
    assert journal.damaged == 0 and held >= parts["journal"].pages - 16 and shoe.dealing.shoe_open
    signed = sum(shoe.signing.read_slot(slot)[0] >= 0 for slot in range(shoe.signing.slots))
    return bytes(content), (
        f"{held} of {parts['journal'].pages} pages of the journal hold {number} shoes, {MID_SHOE} cards of the last "
        f"are out; {marks} marks of fetched histories, {signed} signatures"
    )
