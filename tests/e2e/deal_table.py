"""A table for end-to-end tests: firmware under MicroPython on the virtual board, simulated dealer, client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from power_rig import PowerRig
from shoesim.dealer_truth import Truth, first_difference
from shoesim.scenario import Scenario, run_scenario
from shoetool.client.client import Client
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.link.serial_port import SerialTransport
from shoetool.model.records import Record
from shoetool.rules.games import clause_in
from shoetool.verify import Report, verify


@dataclass(slots=True)
class Table:
    """A rig, the client at its port, and the scenario it is configured for."""

    rig: PowerRig
    client: Client
    scenario: Scenario
    folder: Path

    def deal(self) -> Truth:
        """Let the dealer work; return what really happened."""
        return run_scenario(self.scenario, self.rig)

    def pull(self, name: str = "shoe.shoelog") -> Path:
        """Fetch every history of the journal into one file, without gaps between them; return the file."""
        path = self.folder / name
        with ShoelogWriter(path, sync=False) as writer:
            for entry in self.client.history_list():
                for page in self.client.pull_shoe(entry):
                    writer.append_page(page.data)
        return path


@contextmanager
def table(scenario: Scenario, folder: Path, interpreter: str = "amd64") -> Iterator[Table]:
    """Switch a shoe on, connect, configure it; all is closed at the end, also after an error."""
    print("seed", scenario.seed, "interpreter", interpreter)
    with PowerRig(folder / "state", interpreter=interpreter, seed=scenario.seed) as rig:
        transport = SerialTransport(rig.link_path)
        try:
            client = Client(transport)
            client.identify()
            client.config_write(scenario.settings())
            yield Table(rig, client, scenario, folder)
        finally:
            transport.close()


def records_of(path: Path) -> list[Record]:
    """Read all records of a file."""
    with ShoelogReader(path) as reader:
        return list(reader.records())


def report_of(path: Path) -> Report:
    """Verify a file."""
    with ShoelogReader(path) as reader:
        return verify(reader)


def difference(truth: Truth, records: Sequence[Record]) -> str | None:
    """Return the first card in which the history differs from the truth; None when every card agrees."""
    return first_difference(truth, records)


def expected_findings(scenario: Scenario, truth: Truth) -> set[tuple[str, str]]:
    """Return (clause of the game's chapter, verdict) of every plant that happened."""
    return {(clause_in(scenario.game, plant.clause), plant.verdict) for plant in truth.plants}


def findings(report: Report) -> set[tuple[str, str]]:
    """Return (clause, verdict) of every finding."""
    return {(finding.clause, finding.verdict) for finding in report.findings}
