"""What the tests of the suite do again and again: connect, configure, deal, fetch, compare with what was dealt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoetool.client import Client
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.simulate.dealer_truth import Truth, first_difference, shown_cards
from shoetool.simulate.scenario import Scenario, run_scenario
from shoetool.verify import verify


def connect(shoe: Any, scenario: Scenario | None = None) -> Client:
    """Return a client to the shoe, which is configured for the scenario."""
    client = Client(shoe.transport())
    client.identify()
    if scenario is not None:
        client.config_write(scenario.settings())
    return client


def fetch(client: Client, path: Path) -> list[Record]:
    """Fetch every history into one file; return its records."""
    with ShoelogWriter(path, sync=False) as writer:
        for entry in client.history_list():
            for page in client.pull_shoe(entry):
                writer.append_page(page.data)
    return records_of(path)


def records_of(path: Path) -> list[Record]:
    """Read all records of a file."""
    with ShoelogReader(path) as reader:
        return list(reader.records())


def check(truth: Truth, path: Path, *, findings: bool = False) -> list[Record]:
    """Replay and verify what was fetched against what was dealt; return the records."""
    records = records_of(path)
    assert [record.number for record in records] == list(range(len(records))), "records are missing"
    cards = shown_cards((record.number, record.kind, record.values) for record in records)
    assert first_difference(truth, cards) is None
    assert sum(record.kind == RecordKind.ROUND_CLOSED for record in records) == truth.rounds
    with ShoelogReader(path) as reader:
        report = verify(reader)
    if not findings:
        assert not report.findings, [finding.sentence for finding in report.findings]
    return records


def deal(shoe: Any, scenario: Scenario, path: Path) -> tuple[Truth, list[Record]]:
    """Configure, deal, fetch and check one scenario."""
    client = connect(shoe, scenario)
    truth = run_scenario(scenario, shoe)
    fetch(client, path)
    return truth, check(truth, path)
