"""Client against the real firmware link over a line that loses bytes: nothing that is durable is ever lost."""

from __future__ import annotations

import pytest
from bad_line import BadLine, Shoe
from shoetool.client.client import Client
from shoetool.client.requests import NotAShoe, Timeouts
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import Key

# At 5 % of lost bytes one frame in twenty-five comes through: many tries, each of 50 ms of made-up time.
PATIENT = Timeouts(
    answer_s=0.05, tries=5000, noisy_tries=5000, identify_tries=5000, request_s=1e6, reconnect_s=1e6, poll_s=0.2
)


def lines(seed: int, **rates: float) -> dict[str, BadLine]:
    return {"to_device": BadLine(seed, **rates), "to_host": BadLine(seed + 1, **rates)}


def check_fired(shoe: Shoe, *names: str) -> None:
    """A run whose faults never fired does not count."""
    for name in names:
        assert shoe.counts[name] > 20, f"{name} fired {shoe.counts[name]} times"
    if "lost" in names:
        assert 0.03 < shoe.counts["lost"] / shoe.counts["bytes"] < 0.07


BAD_LINES = {
    "5 % of bytes lost one by one": ({"loss": 0.05}, ("lost",)),
    "5 % of bytes lost in runs of 20": ({"loss": 0.05, "run": 20.0}, ("lost",)),
    "bits flipped": ({"flips": 0.01}, ("flipped",)),
    "stretches repeated": ({"repeats": 0.01}, ("repeated",)),
    "tracebacks printed between and inside frames": ({"text": 0.01}, ("texts",)),
    "all at once": ({"loss": 0.01, "flips": 0.005, "repeats": 0.005, "text": 0.006}, ("flipped", "repeated", "texts")),
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", BAD_LINES)
def test_no_live_record_is_lost(name: str, seed: int) -> None:
    rates, fired = BAD_LINES[name]
    print("seed", seed)
    shoe = Shoe(records=20, **lines(seed, **rates))
    client = Client(shoe.transport, PATIENT, seed=seed)
    live = client.subscribe(1)
    got = []
    for _ in range(300):
        shoe.deal()
        got += live.poll(0.0)
    while len(got) < 320:
        found = live.poll(1000.0)
        assert found, "the stream dried up"
        got += found
    assert [record.number for record in got] == list(range(1, 321))
    for record, (boot, ticks, kind, _) in zip(got, shoe.service.records, strict=True):
        assert (record.boot, record.ticks_ms, record.kind) == (boot, ticks, kind)
        assert record.card == record.number % 52
    assert live.gone == [] and live.unreadable == []
    check_fired(shoe, *fired)
    assert live.requested_again > 0


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_pulled_history_is_identical(name: str) -> None:
    rates, fired = BAD_LINES[name]
    shoe = Shoe(records=5, pages=3, **lines(7, **rates))
    client = Client(shoe.transport, PATIENT, seed=7)
    pages = list(client.pull_shoe(1))
    assert [page.data for page in pages] == [bytes(page) for page in shoe.service.pages]
    assert [page.used for page in pages] == [4096, 4096, 1000]
    check_fired(shoe, *fired)


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_key_is_pressed_exactly_once_however_often_it_is_asked_for(name: str) -> None:
    rates, fired = BAD_LINES[name]
    shoe = Shoe(**lines(11, **rates))
    client = Client(shoe.transport, PATIENT, seed=11)
    wanted = [(int(Key.SEATS), n % 128) for n in range(150)]
    for key, argument in wanted:
        assert client.key(key, argument) == (True, 2)
    assert shoe.service.keys == wanted
    check_fired(shoe, *fired)
    assert shoe.line.link.duplicates > 0 or name == "stretches repeated"


def test_a_crash_in_the_middle_of_everything_loses_nothing() -> None:
    shoe = Shoe(records=40, pages=3, **lines(5, loss=0.01))
    shoe.crash_at = {60, 150, 400, 700}
    client = Client(shoe.transport, PATIENT, seed=5)
    live = client.subscribe(1)
    got = live.poll(1.0)
    pages = []
    for page in client.pull_shoe(1):
        pages.append(page.data)
        shoe.deal()
        got += live.poll(0.0)
    while len(got) < 43:
        shoe_before = len(got)
        got += live.poll(1000.0)
        assert len(got) > shoe_before
    for _ in range(300):
        shoe.deal()
        got += live.poll(0.0)
    while len(got) < 343:
        got += live.poll(1000.0)
    assert pages == [bytes(page) for page in shoe.service.pages]
    assert [record.number for record in got] == list(range(1, 344))
    assert shoe.service.boot == 5, "a crash did not happen"
    assert client.session.counters.restarts >= 3
    assert client.identify().epoch == shoe.service.epoch


def test_a_cable_that_is_pulled_in_the_middle_of_everything_loses_nothing() -> None:
    shoe = Shoe(records=40, pages=2)
    shoe.unplug_at = {9, 25, 40}
    client = Client(shoe.transport, PATIENT, seed=5)
    pages = [page.data for page in client.pull_shoe(1)]
    live = client.subscribe(1)
    got = []
    for _ in range(60):
        shoe.deal()
        got += live.poll(0.0)
    while len(got) < 100:
        got += live.poll(1000.0)
    assert pages == [bytes(page) for page in shoe.service.pages]
    assert [record.number for record in got] == list(range(1, 101))
    assert client.session.counters.reconnects == 3


def test_a_key_under_way_when_the_shoe_restarts_is_not_repeated() -> None:
    shoe = Shoe()
    client = Client(shoe.transport, Timeouts(answer_s=0.1, reconnect_s=5), seed=1)
    client.identify()
    assert not client.authority.needs_key()  # is asked once a connection, before the first key
    lost = shoe.line.write
    # The key reaches the device and is carried out, its answer is lost, and then the device starts again.
    shoe.line.link._write = lambda buf, n: n
    shoe.crash_at = {shoe.exchanges + 3}
    with pytest.raises(LinkError, match="restarted while key was under way"):
        client.key(Key.DEAL)
    assert shoe.service.keys == [(int(Key.DEAL), 0)]
    assert client.key(Key.DEAL) == (True, 2)
    assert lost is not None


def test_a_host_that_falls_asleep_wakes_up_to_every_record() -> None:
    shoe = Shoe()
    client = Client(shoe.transport, PATIENT, seed=1)
    live = client.subscribe(1)
    assert live.poll(0.0) == []
    for _ in range(1000):
        shoe.line.room = 0
        shoe.deal()
    shoe.line.room = None
    assert shoe.line.link.dropped_events > 900
    got = []
    while len(got) < 1000:
        got += live.poll(10.0)
    assert [record.number for record in got] == list(range(1, 1001))


def test_records_that_the_journal_overwrote_are_named_and_the_stream_goes_on() -> None:
    shoe = Shoe(records=50)
    shoe.service.oldest = 31
    client = Client(shoe.transport, PATIENT, seed=1)
    live = client.subscribe(1)
    got = []
    while len(got) < 20:
        got += live.poll(10.0)
    assert [record.number for record in got] == list(range(31, 51))
    assert live.gone == [(1, 31)]


@pytest.mark.parametrize("seed", range(1, 11))
def test_the_usual_patience_copes_with_2_percent_of_lost_bytes(seed: int) -> None:
    print("seed", seed)
    shoe = Shoe(records=30, pages=1, **lines(seed, loss=0.02))
    client = Client(shoe.transport, seed=seed)
    live = client.subscribe(1)
    got = []
    while len(got) < 30:
        got += live.poll(10.0)
    assert [page.data for page in client.pull_shoe(1)] == [bytes(page) for page in shoe.service.pages]
    assert shoe.counts["lost"] > 20


def test_a_line_on_which_nothing_comes_through_whole_is_told_from_a_device_that_is_no_shoe() -> None:
    shoe = Shoe(to_host=BadLine(3, loss=0.3))
    with pytest.raises(NotAShoe, match="check the cable"):
        Client(shoe.transport, Timeouts(reconnect_s=0), seed=3).identify()
