"""What the tests of the suite do again and again: connect, configure, deal, fetch, compare with what was dealt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from live_records import records
from shoesim.dealer_truth import Truth, first_difference
from shoesim.scenario import Scenario, run_scenario
from shoetool.client.client import Client
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.verify import verify
from shoetool.wire.answers import ShoeEntry

QUIET_S = 2.0  # without a record, after which those that are still due will not come


def connect(shoe: Any, scenario: Scenario | None = None) -> Client:
    """Return a client to the shoe, which is configured for the scenario."""
    client = Client(shoe.transport())
    client.identify()
    if scenario is not None:
        client.config_write(scenario.settings())
    return client


def histories(shoe: Any, client: Client) -> list[ShoeEntry]:
    """Return those that the shoe has made in this test: a real one still holds those of the tests before."""
    return client.history_list(shoe.first_history)


def fetch(shoe: Any, client: Client, path: Path) -> list[Record]:
    """Fetch the histories of this test into one file; return its records."""
    with ShoelogWriter(path, sync=False) as writer:
        for entry in histories(shoe, client):
            for page in client.pull_shoe(entry):
                writer.append_page(page.data, page.number)
    return records_of(path)


def records_since(client: Client, number: int) -> list[Record]:
    """Return the records from this number on, to the last one there is now."""
    last = client.status().next_record - 1
    found: list[Record] = []
    if number <= last:
        done = lambda: bool(found) and found[-1].number >= last  # noqa: E731
        for record in records(client, number, idle_s=QUIET_S, stop=done):
            found.append(record)
    return found


def records_of(path: Path) -> list[Record]:
    """Read all records of a file."""
    with ShoelogReader(path) as reader:
        return list(reader.records())


def check(truth: Truth, path: Path, *, findings: bool = False) -> list[Record]:
    """Replay and verify what was fetched against what was dealt; return the records."""
    records = records_of(path)
    numbers = [record.number for record in records]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "records are missing"
    assert first_difference(truth, records) is None
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
    fetch(shoe, client, path)
    return truth, check(truth, path)
