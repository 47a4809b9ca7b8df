"""How long a record takes through `shoetool serve` to each who watches: 20 tables at 12 records a second, 100 watchers.

`python tests/bench/serve_rate.py [--tables 20] [--watchers 100] [--seconds 10] [--stalled 5]`. The tables are fed with
the records of a simulated session, so what is measured begins where a record has come over the line. The watchers are a
process of their own. Some of them take nothing at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/host", "tests/firmware", "firmware", "host_tools"):
    sys.path.insert(0, str(ROOT / folder))

from live_server import TOKEN, LiveServer, serving  # noqa: E402
from shoetool.model.protocol_table import Game  # noqa: E402
from shoetool.report.table_state import public, table_state  # noqa: E402
from shoetool.report.table_view import TableView  # noqa: E402
from table_session import session  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

RATE = 12
"""Records a second at each table."""


async def watch(address: str, table: str, until: float, late: list[float]) -> None:
    async with connect(f"{address}/ws/{table}", compression=None) as socket:
        await socket.send(json.dumps({"token": TOKEN}))
        while (left := until - time.time()) > 0:
            try:
                text = await asyncio.wait_for(socket.recv(), left)
            except TimeoutError:
                return
            message = json.loads(text)
            if message["type"] == "record":
                late.append(time.time() - message["received"])


async def stall(address: str, table: str, until: float) -> None:
    async with connect(f"{address}/ws/{table}", compression=None, max_queue=1) as socket:
        await socket.send(json.dumps({"token": TOKEN}))
        await asyncio.sleep(max(0.0, until - time.time()))


def watchers(
    port: int, tables: int, count: int, stalled: int, until: float, out: multiprocessing.Queue[list[float]]
) -> None:
    async def run() -> list[float]:
        late: list[float] = []
        address = f"ws://127.0.0.1:{port}"
        tasks = [watch(address, str(at % tables), until, late) for at in range(count)]
        tasks += [stall(address, str(at % tables), until) for at in range(stalled)]
        await asyncio.gather(*tasks)
        return late

    out.put(asyncio.run(run()))


def feed(server: LiveServer, tables: int, until: float) -> int:
    """Feed every table RATE records a second; return how many."""
    records = list(session(Game.BLACKJACK, 71))
    views = [TableView() for _ in range(tables)]
    count, begun = 0, time.time()
    assert server.loop is not None
    while time.time() < until:
        table, at = count % tables, count // tables
        view, record = views[table], records[at % len(records)]
        view.feed(record)
        message = {"received": time.time(), "record": public(record), "sentence": view.sentence(record)}
        server.loop.call_soon_threadsafe(server.hub.record, str(table), message, table_state(view))
        count += 1
        time.sleep(max(0.0, begun + count / (RATE * tables) - time.time()))
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=100)
    parser.add_argument("--stalled", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with serving(*map(str, range(options.tables))) as server:
        until = time.time() + 3 + options.seconds
        out: multiprocessing.Queue[list[float]] = multiprocessing.get_context("spawn").Queue()
        words = (server.port, options.tables, options.watchers, options.stalled, until, out)
        process = multiprocessing.get_context("spawn").Process(target=watchers, args=words)
        process.start()
        time.sleep(3)
        fed: list[int] = []
        feeding = threading.Thread(target=lambda: fed.append(feed(server, options.tables, until - 0.5)))
        feeding.start()
        late = sorted(out.get())
        feeding.join()
        process.join()
    due = fed[0] * options.watchers // options.tables
    print(f"{fed[0]} records at {options.tables} tables, {len(late)} of {due} messages at {options.watchers} watchers")
    for part in (0.5, 0.99, 1.0):
        print(f"record to watcher, {100 * part:g} %: {1000 * late[min(int(part * len(late)), len(late) - 1)]:.1f} ms")
    return 0 if len(late) >= 0.99 * due else 1


if __name__ == "__main__":
    sys.exit(main())
