"""The heap of the whole firmware in a long shoe: whatever the host asks, it is answered, and enough stays free."""

from __future__ import annotations

from pathlib import Path

import pytest
from deal_table import Table, difference, records_of, table
from sampled import SOAK
from shoesim.dealer_draw import Lamps
from shoesim.piles import Item
from shoesim.scenario import Scenario, run_scenario
from shoetool.model.protocol_table import Key, Phase, ShoeKind
from shoetool.table.table import SWITCH_HANDS

# Bytes that a status reports free after a collection; what is measured is a third more (board/README.md).
# The words of all cards, with which each card is compared, take 2.5 kB, the grid and the slots behind a card as much; a
# status tells whole kilobytes.
FLOOR = {"amd64": 14 * 1024, "i386": 30 * 1024}  # the least seen of some dozens of runs


class AskedShoe:
    """A shoe whose host asks for everything after every third round, in the middle of the shoe."""

    def __init__(self, shoe: Table) -> None:
        self.shoe = shoe
        self.rounds = 0
        self.asked = 0
        self.least = 1 << 30

    def ask(self) -> None:
        """Ask everything; every answer must come."""
        client = self.shoe.client
        if client.status().phase != Phase.READY:
            return
        for _ in range(2):
            assert client.trace(0) is not None
            self.self_test()
            client.identify()
            client.config_read()
            self.look()
        self.shoe.pull(f"{self.asked}.shoelog")
        self.look()
        self.asked += 1

    def look(self) -> None:
        """Take what is free, once the last card is long over: the shoe measures it then alone, and once a second."""
        self.shoe.rig.wait(1.1)
        self.shoe.rig.sync()
        free = self.shoe.client.status().heap_free
        assert free, "nothing was measured"
        self.least = min(self.least, free)

    def self_test(self) -> None:
        """Test the parts; all must be well."""
        assert self.shoe.client.self_test().failed == 0

    def key(self, key: Key, argument: int = 0) -> None:
        self.shoe.rig.key(key, argument)
        if key == Key.END_ROUND:
            self.rounds += 1
            if self.rounds % 3 == 0:
                self.shoe.rig.sync()
                self.ask()
                if self.rounds % 2:
                    self.shoe.rig.restart()
                    self.shoe.client.identify()

    def draw(self, head: int, item: Item) -> None:
        self.shoe.rig.draw(head, item)

    def peek(self, item: Item) -> None:
        self.shoe.rig.peek(item)

    def lamps(self) -> Lamps:
        return self.shoe.rig.lamps()

    def wait(self, seconds: float) -> None:
        self.shoe.rig.wait(seconds)


# Sealed cards in the rack take room, 633c.4: on the board's word size only.
TABLES = [
    pytest.param(
        "amd64", Scenario(decks=6, shoe_kind=ShoeKind.DOUBLE, seed=51, players=(7, 7), rounds=14), 0, id="amd64"
    ),
    pytest.param(
        "i386", Scenario(decks=6, shoe_kind=ShoeKind.DOUBLE, seed=51, players=(7, 7), rounds=14), 0, id="i386"
    ),
    pytest.param(
        "i386",
        Scenario(decks=8, seed=51, players=(7, 7), options=SWITCH_HANDS, behind=1),
        12_000,
        id="i386 switch hands",
        marks=pytest.mark.skipif(not SOAK, reason="it takes 6 s: `make soak` deals eight decks"),
    ),
]


@pytest.mark.parametrize(("interpreter", "scenario", "less"), TABLES)
def test_whatever_the_host_asks_in_mid_shoe_is_answered_and_the_heap_stays_free(
    interpreter: str, scenario: Scenario, less: int, tmp_path: Path
) -> None:
    with table(scenario, tmp_path, interpreter) as shoe:
        asked = AskedShoe(shoe)
        truth = run_scenario(scenario, asked)
        path = shoe.pull()
        log = shoe.rig.log_path.read_text()
    assert not log
    assert asked.asked >= 3, "the host hardly asked"
    assert difference(truth, records_of(path)) is None
    print(f"{interpreter}: heap free {asked.least} at the least")
    assert asked.least >= FLOOR[interpreter] - less
