"""`shoetool serve`: who watches gets every record; who has no token gets nothing; who stalls holds up nobody."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import logging
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import httpx2 as httpx
import live_server
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from live_server import serving
from pty_shoe import PtyShoe, short_shoe
from shoetool.cli import build
from shoetool.cli.serve import address, given_token, of_this_machine, tables_of
from shoetool.client.client import Client
from shoetool.history.start_clock import TICKS_PERIOD
from shoetool.model.errors import BadInput, LinkError
from shoetool.model.protocol_table import Game, RecordKind
from shoetool.model.records import Record
from shoetool.report.live import LAMPS
from shoetool.report.table_state import public, table_state
from shoetool.report.table_view import TableView
from shoetool.serve import door
from shoetool.serve import line as lines
from shoetool.serve.alerts import Alerts
from shoetool.serve.app import NO_TABLE, NO_TOKEN, TOKEN_S, TOO_MANY, Web
from shoetool.serve.hub import QUEUED, Hub, Table
from shoetool.serve.line import Line
from shoetool.serve.quiet import Quiet
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from table_session import session

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "host_tools" / "examples" / "watch_table.py"
TOKEN = "abcdefghijklmnop-1234"
SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "live.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
RECORDS = list(session(Game.BLACKJACK, 71))[:160]


def told(record: Record, view: TableView) -> dict[str, Any]:
    view.feed(record)
    return {"received": 1_760_000_000.0, "record": public(record), "sentence": view.sentence(record)}


def web(hub: Hub) -> TestClient:
    @contextlib.asynccontextmanager
    async def nothing() -> AsyncIterator[None]:
        yield

    return TestClient(Web(hub, TOKEN, nothing).app)


@pytest.fixture
def hub() -> Hub:
    """Two tables; at the first one a round was begun."""
    found = Hub({"7": Table("7"), "8": Table("8")})
    view = TableView()
    for record in RECORDS:
        found.record("7", told(record, view), table_state(view))
    return found


# -------------------------------------------------------------------------------------------------------- who may
def test_nothing_is_told_without_the_token(hub: Hub) -> None:
    client = web(hub)
    for path in ("/api/tables", "/api/tables/7", "/api/tables/9"):
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
            answer = client.get(path, headers=headers)
            assert answer.status_code == 401 and "♣" not in answer.text and '"state"' not in answer.text
    for first in ({"token": "wrong"}, {"token": None}, [], {"token": ["x"]}):
        with client.websocket_connect("/ws/7") as socket:
            socket.send_json(first)
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == NO_TOKEN
    page = client.get("/")
    assert page.status_code == 200 and TOKEN not in page.text and "Blackjack" not in page.text


def test_a_socket_that_says_nothing_is_closed(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.serve.app.TOKEN_S", 0.05)
    with web(hub).websocket_connect("/ws") as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == NO_TOKEN


def test_the_page_allows_no_script_but_its_own(hub: Hub) -> None:
    policy = web(hub).get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe-inline'; script" in policy, "style alone may be inline"


# ------------------------------------------------------------------------------------------------------ what is told
def test_the_page_calls_each_lamp_as_the_terminal_does() -> None:
    script = (resources.files("shoetool.serve") / "templates" / "live.js").read_text(encoding="utf-8")
    (own,) = re.findall(r"const WORDS = \{(.*)\};", script)
    words = dict(re.findall(r'(\w+): "([^"]+)"', own))
    for lamp, word, _ in LAMPS:
        assert words.get(lamp.name.lower(), lamp.name.lower().replace("_", " ")) == word


def test_the_state_comes_first_and_then_every_record(hub: Hub) -> None:
    client, view = web(hub), TableView()
    with client.websocket_connect("/ws/8") as socket:
        socket.send_json({"token": TOKEN})
        first = socket.receive_json()
        assert (first["type"], first["table"], first["state"]) == ("state", "8", None)
        for record in RECORDS[:40]:
            hub.record("8", told(record, view), table_state(view))
        got = [socket.receive_json() for _ in range(40)]
    for message in (first, *got):
        VALID.validate(message)
    assert [one["record"]["record"] for one in got] == [one.number for one in RECORDS[:40]]
    assert [one["seq"] for one in got] == list(range(1, 41)) and got[-1]["state"] == table_state(view)


def test_the_list_and_a_table_as_json(hub: Hub) -> None:
    client = web(hub)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    listing = client.get("/api/tables", headers=headers).json()
    VALID.validate(listing)
    assert [one["table"] for one in listing["tables"]] == ["7", "8"]
    one = client.get("/api/tables/7", headers=headers).json()
    VALID.validate(one)
    assert one["state"]["positions"] and client.get("/api/tables/9", headers=headers).status_code == 404
    with client.websocket_connect("/ws/9") as socket:
        socket.send_json({"token": TOKEN})
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == NO_TABLE


def test_no_face_of_a_face_down_card_and_no_count_of_what_remains_is_told() -> None:
    """Through whole sessions: a card is told only once a record tells its face, and nothing is told of the rest."""
    for game in (Game.BLACKJACK, Game.SPANISH_21):
        view, seen = TableView(), set()
        for record in session(game, 71):
            view.feed(record)
            if record.kind == RecordKind.CARD:
                seen.add(record.number)
            elif record.kind == RecordKind.OPENED:
                seen.add(record.get("sealed", -1))
            state = table_state(view)
            cards = [
                *state["dealer"]["cards"],
                *(card for one in state["positions"] for hand in one["hands"] for card in hand["cards"]),
                *state["held"],
                *state["set_aside"],
                *state["shared"],
            ]
            assert all(card["card"] is None or card["record"] in seen for card in cards)
            assert set(state["sides"][0]) == {"side", "drawn", "loaded"}
        assert len(seen) > 100


# --------------------------------------------------------------------------------------------------------- who stalls
def test_who_stalls_loses_messages_and_gets_the_table_as_it_is(hub: Hub) -> None:
    view = TableView()

    async def watch() -> None:
        slow, quick = hub.watch("8"), hub.watch("8")
        got = [await quick.next()]
        for record in RECORDS:
            hub.record("8", told(record, view), table_state(view))
            got.append(await quick.next())
        assert [one["seq"] for one in got] == list(range(len(RECORDS) + 1)), "the other one gets all"
        first = await slow.next()
        assert first["type"] == "state" and first["missed"] == len(RECORDS) + 1
        assert first["state"] == table_state(view) and first["seq"] == len(RECORDS)
        hub.line("8", "lost", 5.0, "silent")
        assert (await slow.next())["line"] == "lost"
        for watcher in (slow, quick):
            hub.leave(watcher)
        assert not hub.watchers

    assert len(RECORDS) > QUEUED
    asyncio.run(watch())


def test_the_list_is_sent_once_however_much_happened(hub: Hub) -> None:
    async def watch() -> None:
        pit = hub.watch(None)
        assert (await pit.next())["type"] == "tables"
        view = TableView()
        for record in RECORDS[:30]:
            hub.record("8", told(record, view), table_state(view))
        assert (await pit.next())["tables"][1]["seq"] == 30
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pit.next(), 0.05)

    asyncio.run(watch())


# --------------------------------------------------------------------------------------------------------- the line
@pytest.fixture
def shoe() -> Iterator[PtyShoe]:
    with PtyShoe() as one:
        yield one


async def until(true: Any, seconds: float = 10.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it takes too long"
        await asyncio.sleep(0.02)


def test_a_shoe_is_read_from_its_start_and_its_records_are_told(shoe: PtyShoe) -> None:
    async def watch() -> None:
        hub = Hub({"7": Table("7")})
        line = Line(hub, asyncio.get_running_loop(), "7", lambda: Client.open(shoe.port))
        line.start()
        count = len(shoe.service.script.records)
        await until(lambda: hub.tables["7"].seq >= count)
        table = hub.tables["7"]
        assert table.line == "open" and table.device == b"SHOE0001".hex() and table.state is not None
        view = TableView()
        for record in shoe.service.script.records:
            view.feed(record)
        assert table.state == table_state(view)
        line.stop()
        await asyncio.to_thread(line.join, 5)
        assert not line.is_alive()

    asyncio.run(watch())


def test_a_line_that_is_lost_is_told_and_tried_again(shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "AGAIN_S", (0.05,))
    opened = threading.Event()

    def open_client() -> Client:
        if not opened.is_set():
            raise BadInput("nothing there yet")
        return Client.open(shoe.port)

    async def watch() -> None:
        hub = Hub({"7": Table("7")})
        line = Line(hub, asyncio.get_running_loop(), "7", open_client)
        line.start()
        await until(lambda: hub.tables["7"].line == "lost")
        assert hub.tables["7"].why == "nothing there yet"
        opened.set()
        await until(lambda: hub.tables["7"].line == "open" and hub.tables["7"].state is not None)
        line.stop()
        await asyncio.to_thread(line.join, 5)

    asyncio.run(watch())


# --------------------------------------------------------------------------------------------------------- alerts
def test_another_shoe_on_the_same_port_is_read_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "AGAIN_S", (0.05,))

    async def watch(first: PtyShoe, second: PtyShoe) -> None:
        hub = Hub({"7": Table("7")})
        told: list[str] = []
        hub.on_record = lambda message: told.append(str(hub.tables["7"].device))
        ports = iter((first.port, second.port))
        cut = threading.Event()

        def open_client() -> Client:
            client = Client.open(next(ports))
            if not cut.is_set():
                poll = client.transport.read
                monkeypatch.setattr(client.transport, "read", lambda *words: lost() if cut.is_set() else poll(*words))
            return client

        def lost() -> bytes:
            raise LinkError("unplugged")

        line = Line(hub, asyncio.get_running_loop(), "7", open_client)
        line.start()
        count = len(first.service.script.records)
        await until(lambda: len(told) == count)
        cut.set()
        await until(lambda: len(told) == 2 * count)
        assert told == [b"SHOE0001".hex()] * count + [b"SHOE0002".hex()] * count
        line.stop()
        await asyncio.to_thread(line.join, 5)

    with PtyShoe() as first, PtyShoe() as second:
        second.service.device = b"SHOE0002"
        asyncio.run(watch(first, second))


def test_a_shoe_whose_journal_was_erased_is_read_from_its_start(shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "AGAIN_S", (0.05,))

    told: list[int] = []
    lines_told: list[tuple[str, object]] = []

    class Watched(Hub):
        def line(self, name: str, line: str, since: float, why: str = "", device: str | None = None) -> None:
            super().line(name, line, since, why, device)
            lines_told.append((why, self.tables[name].state))

    async def watch() -> None:
        hub = Watched({"7": Table("7")}, on_record=lambda message: told.append(message["record"]["record"]))
        line = Line(hub, asyncio.get_running_loop(), "7", lambda: Client.open(shoe.port))
        line.start()
        before = len(shoe.service.script.records)
        await until(lambda: len(told) == before)
        erased = short_shoe()
        del erased.records[3:]
        shoe.service.script = erased
        await until(lambda: len(told) == before + 3)
        assert told[before:] == [1, 2, 3]
        assert any("the journal of this shoe was erased" in why for why, _ in lines_told)
        assert lines_told[-1] == ("", None), "an old state counts as that of an erased shoe"
        line.stop()
        await asyncio.to_thread(line.join, 5)

    asyncio.run(watch())


def test_a_fault_of_the_program_is_told_as_a_lost_line(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)

    def open_client() -> Client:
        raise RuntimeError("no such thing")

    async def watch() -> None:
        hub = Hub({"7": Table("7", line="open")})
        line = Line(hub, asyncio.get_running_loop(), "7", open_client)
        line.start()
        await until(lambda: hub.tables["7"].line == "lost")
        assert "no such thing" in hub.tables["7"].why and "start shoetool serve again" in hub.tables["7"].why
        await asyncio.to_thread(line.join, 5)

    asyncio.run(watch())
    assert len(failed) == 1


def alert_of(kind: str, table: str = "7", received: float = 0.0, **fields: object) -> dict[str, Any]:
    record = {"record": 5, "boot": 1, "ticks_ms": int(received * 1000), "kind": kind, **fields}
    return {"type": "record", "table": table, "seq": 1, "received": received, "record": record, "sentence": "so"}


def test_what_is_an_alert() -> None:
    alerts = Alerts((), b"", print)
    for message, why in (
        (alert_of("fault", code="foreign_batch"), "foreign_batch"),
        (alert_of("irregularity", code="extra_card"), "extra_card"),
        (alert_of("refilled"), "refill"),
        (alert_of("round_closed", outcome="void"), "void"),
        (alert_of("round_closed", outcome="settled"), None),
        (alert_of("irregularity", code="face_up_card"), None),
        (alert_of("card"), None),
    ):
        assert alerts.why(message) == why
    times = [alerts.why(alert_of("cleared", received=60.0 * at)) for at in range(3)]
    assert times == [None, None, "3 clears in 10 minutes"]
    assert alerts.why(alert_of("cleared", table="8", received=180.0)) is None, "of another table"
    assert alerts.why(alert_of("cleared", received=2000.0)) is None, "long after"


def test_clears_of_hours_that_come_at_once_are_no_alert() -> None:
    """As after a start of `serve` in mid-shoe: they lay apart at the table. The ticks start again from 0 meanwhile."""
    alerts = Alerts((), b"", print)
    hours = [(TICKS_PERIOD + 3_600_000 * at) % TICKS_PERIOD for at in (-2, -1, 0, 1)]
    assert [alerts.why(alert_of("cleared", received=5.0, ticks_ms=at)) for at in hours] == [None] * 4
    close = [TICKS_PERIOD - 60_000, 0, 60_000]
    told = [alerts.why(alert_of("cleared", table="8", received=5.0, ticks_ms=at)) for at in close]
    assert told == [None, None, "3 clears in 10 minutes"]
    told = [alerts.why(alert_of("cleared", table="9", received=60.0 * at, boot=at, ticks_ms=9)) for at in range(3)]
    assert told == [None, None, "3 clears in 10 minutes"], "a shoe that starts again and again"


def test_the_words_of_alerts_are_those_of_records() -> None:
    """A name that no record has would never be an alert."""
    kinds = {kind.name.lower() for kind in RecordKind}
    assert {"fault", "irregularity", "refilled", "round_closed", "cleared"} <= kinds
    closing = next(one for one in session(Game.BLACKJACK, 71) if one.kind == RecordKind.ROUND_CLOSED)
    assert public(closing)["outcome"] == "settled"


async def posted(
    answer: Callable[[httpx.Request], httpx.Response],
    addresses: tuple[str, ...],
    number: int,
    enough: Callable[[], bool],
) -> tuple[Alerts, list[str]]:
    """Post so many alerts until it is enough; what was told meanwhile."""
    told: list[str] = []
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        alerts = Alerts(addresses, b"secret", told.append, client)
        running = asyncio.create_task(alerts.run())
        begun = time.monotonic()
        for _ in range(number):
            alerts.take(alert_of("refilled"))
        assert time.monotonic() - begun < 5, "taking waits for no answer"
        await until(enough)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    return alerts, told


def test_alerts_are_posted_signed_and_a_receiver_that_fails_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.serve.alerts.PAUSE_S", 30.0)
    got: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        got.append(request)
        return httpx.Response(500 if request.url.host == "down" else 204)

    def up() -> list[httpx.Request]:
        return [one for one in got if one.url.host == "up"]

    alerts, told = asyncio.run(posted(answer, ("http://down/", "http://up/hook"), 20, lambda: len(up()) == 20))
    body = up()[0].content
    assert json.loads(body)["why"] == "refill" and json.loads(body)["table"] == "7"
    said = up()[0].headers
    text = f"{said['webhook-id']}.{said['webhook-timestamp']}.".encode() + body
    signed = base64.b64encode(hmac.new(b"secret", text, hashlib.sha256).digest()).decode()
    assert said["webhook-signature"] == f"v1,{signed}" and abs(int(said["webhook-timestamp"]) - time.time()) < 60
    assert len({one.headers["webhook-id"] for one in up()}) == 20
    assert [one.missed for one in alerts.receivers] == [20, 0]
    assert told == ["the webhook at down: 20 alerts were not posted"], "also those that still waited for their turn"


def test_an_alert_that_was_not_posted_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it begins, when it is over, and in sum; the path of the address may hold a secret."""
    monkeypatch.setattr("shoetool.serve.alerts.PAUSE_S", 0.0)
    tries = 0

    def answer(request: httpx.Request) -> httpx.Response:
        nonlocal tries
        tries += 1
        if tries <= 3:
            raise httpx.ConnectError("Connection refused")
        return httpx.Response(404 if tries <= 6 else 204)

    missed = 400 - 256 + 2
    _, told = asyncio.run(posted(answer, ("https://alerts:8080/a-secret",), 400, lambda: tries == 6 + 256 - 2))
    assert told == [
        "the webhook at alerts:8080 did not take an alert (256 wait for it). Each further one is tried",
        f"the webhook at alerts:8080 takes alerts again; {missed} were not posted",
        f"the webhook at alerts:8080: {missed} alerts were not posted",
    ]
    tries = 0
    _, told = asyncio.run(posted(answer, ("https://alerts/",), 2, lambda: tries == 6))
    assert told == [
        "the webhook at alerts did not take an alert (Connection refused). Each further one is tried",
        "the webhook at alerts: 2 alerts were not posted",
    ]


@pytest.mark.parametrize("address", ["alerts", "ftp://alerts/", "http://", "http://☃/", "https:///path"])
def test_what_is_no_address_of_a_webhook_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="write an address such as"):
        Alerts((address,), b"", print)


# --------------------------------------------------------------------------------------------------------- the command
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--listen", "8633"), "write HOST:PORT"),
        (("--listen", "0.0.0.0:8633"), "give --cert and --cert-key"),
        (("--listen", "[::]:8633"), "give --cert and --cert-key"),
        (("--cert", "c.pem"), "go together"),
        (("--cert", "c.pem", "--cert-key", "k.pem"), "c.pem: no such file"),
        (("--cert", __file__, "--cert-key", __file__), "no certificate with its key"),
        (("--table", "7"), "write NAME=PORT"),
        (("--table", "7=/dev/a", "--table", "7=/dev/b"), "stands there twice"),
        (("--table", "a/b=/dev/a"), "write NAME=PORT"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str) -> None:
    named = () if "--table" in words else ("--table", "7=/dev/nowhere")
    found = CliRunner().invoke(build(), ["serve", *named, *words])
    assert found.exit_code == 2 and said in found.output and found.output.count("shoetool:") == 1


def test_an_address_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        found = CliRunner().invoke(build(), ["serve", "--table", "7=/dev/nowhere", "--listen", where])
    assert found.exit_code == 2 and "cannot be listened on" in found.output and "token" not in found.output


def test_addresses_and_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert address("127.0.0.1:80") == ("127.0.0.1", 80) and address("[::1]:8633") == ("::1", 8633)
    assert all(map(of_this_machine, ("127.0.0.1", "::1", "localhost"))) and not of_this_machine("192.168.0.7")
    assert tables_of(("7=/dev/a", "8=/dev/b")) == {"7": "/dev/a", "8": "/dev/b"}
    monkeypatch.delenv("SHOETOOL_TOKEN", raising=False)
    assert given_token(None) is None
    short = tmp_path / "token"
    for text in ("short", "with a space in it....", ""):
        short.write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match="16 or more"):
            given_token(short)
    short.write_text(TOKEN + "\n", encoding="utf-8")
    assert given_token(short) == TOKEN


# --------------------------------------------------------------------------------------------------------- the door
def test_errors_are_told_once_a_minute() -> None:
    told: list[str] = []
    now = 1000.0
    quiet = Quiet(told.append, lambda: now)
    for number in range(50):
        quiet.tell(f"error {number}")
    assert told == ["error 0"]
    now += 59
    quiet.due()
    assert told == ["error 0"]
    now += 1
    quiet.due()
    assert told[1:] == ["error 49 (49 such lines; this is the last)"]
    now += 600
    quiet.due()
    with quiet.of_everything():
        try:
            raise ValueError("a text\nof two lines")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
        logging.getLogger("asyncio").error("x" * 5000)
        assert len(told) == 3 and told[2].startswith("Exception in ASGI application: ValueError in test_serve.py:")
    assert len(told) == 4 and len(told[3]) < 300, "what was left out is told at the end"


def test_places_follow_from_the_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    for most in (81, 256, 1024, 4096):
        monkeypatch.setattr(door, "descriptors", lambda most=most: most)
        found = door.places(48)
        assert 48 + door.BACKLOG + found.known + found.anonymous <= most and 0 < found.peer < found.anonymous
    monkeypatch.setattr(door, "descriptors", lambda: 79)
    with pytest.raises(BadInput, match=r"may open 79 files, and serve needs 80: ulimit -n"):
        door.places(48)


def test_who_is_one_peer() -> None:
    assert door.peer_of("::ffff:192.0.2.1") == door.peer_of("192.0.2.1") != door.peer_of("192.0.2.2")
    assert door.peer_of("2001:db8:0:1::5") == door.peer_of("2001:db8:0:1:ffff::9") != door.peer_of("2001:db8:0:2::5")
    assert door.peer_of("fe80::1%eth0") == door.peer_of("fe80::2%eth0")


# ------------------------------------------------------------------------------------------------------ the documents
def test_the_example_prints_what_happens_at_a_table() -> None:
    """Over a real socket, as an integrator runs it."""
    with serving("7") as server:
        server.line("7", "open")
        words = [sys.executable, str(EXAMPLE), f"ws://127.0.0.1:{server.port}", "7", live_server.TOKEN]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
            try:
                ends = time.monotonic() + 20
                while not server.hub.watchers:
                    assert time.monotonic() < ends and program.poll() is None
                    time.sleep(0.02)
                server.feed("7", RECORDS[:20])
                assert program.stdout is not None
                view = TableView()
                for record in RECORDS[:20]:
                    view.feed(record)
                    assert program.stdout.readline().strip() == f"{record.number} {view.sentence(record)}"
            finally:
                program.kill()


def test_the_document_names_every_address_and_shows_right_messages() -> None:
    text = (ROOT / "host_tools" / "LIVE.md").read_text(encoding="utf-8")
    for block in re.findall(r"```json\n(.*?)```", text, re.S):
        VALID.validate(json.loads(block))
    routes = [getattr(route, "path", "") for route in web(Hub()).app.routes]  # type: ignore[attr-defined]
    named = {path.replace("{name}", "NAME") for path in routes}
    assert named == set(re.findall(r"^\| `(?:GET|WS) (\S+)` \|", text, re.M))
    assert f"{QUEUED} messages wait" in text and str(NO_TOKEN) in text and str(NO_TABLE) in text
    assert f"{door.PATIENCE_S:.0f} s" in text and f"no token within {TOKEN_S:.0f} s" in text and str(TOO_MANY) in text
    share, more = door.MOST_BYTES // 1024, (door.MOST_BYTES + door.TLS_BYTES) // 1024
    assert f"| {share} kB in {door.PATIENCE_S:.0f} s, {more} kB with TLS" in text
    assert f"| {door.MOST_ANONYMOUS}, and {door.MOST_ANONYMOUS // 2} of them from one peer" in text
    assert f"| {door.MOST_KNOWN}, or as many" in text


def test_an_alert_is_as_the_schema_has_it() -> None:
    alert = {**alert_of("refilled"), "type": "alert", "why": "refill"}
    VALID.validate(alert)
