"""Deal records over a line that loses bytes and count what the host is missing in the end: it must be nothing.

    python tests/bench/lossy_line.py --records 20000 --loss 0.05 --seed 1
    python tests/bench/lossy_line.py --records 300 --loss 0.05 --firmware amd64

Without --firmware the device's own link code runs in this process, behind a line with a made-up clock; with it the
whole firmware runs under MicroPython on the virtual board, behind a pseudo-terminal in real time. Exit code 1 when a
record or a byte of a page is missing or wrong, or when the line lost less than it should have.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("host_tools", "firmware", "tests/contract")]

from bad_line import BadLine, Shoe  # noqa: E402
from bad_transport import BadTransport  # noqa: E402
from shoesim.rig import Rig  # noqa: E402
from shoetool.client.client import Client  # noqa: E402
from shoetool.client.history import PageReader  # noqa: E402
from shoetool.client.requests import Timeouts  # noqa: E402
from shoetool.model.protocol_table import Key, RecordKind  # noqa: E402

NEVER = 1_000_000


def in_process(records: int, pages: int, to_device: BadLine, to_host: BadLine, seed: int) -> tuple[int, int, Client]:
    """Return (missing records, wrong pages, client) with the link in this process."""
    shoe = Shoe(to_device=to_device, to_host=to_host, pages=pages)
    timeouts = Timeouts(
        0.05, tries=NEVER, noisy_tries=NEVER, identify_tries=NEVER, request_s=1e9, reconnect_s=1e9, poll_s=0.2
    )
    client = Client(shoe.transport, timeouts, seed=seed)
    live = client.subscribe(1)
    got = []
    for _ in range(records):
        shoe.deal()
        got += live.poll(0.0)
    while live.next_number is None or live.next_number <= records:
        got += live.poll(100.0)
    right = [(number, *record[:3]) for number, record in enumerate(shoe.service.records, 1)]
    missing = len(set(right) - {(r.number, r.boot, r.ticks_ms, r.kind) for r in got}) + abs(len(got) - len(right))
    fetched = [page.data for page in client.pull_shoe(1)] if pages else []
    return missing, sum(a != bytes(b) for a, b in zip(fetched, shoe.service.pages, strict=True)), client


def on_firmware(
    interpreter: str, records: int, to_device: BadLine, to_host: BadLine, seed: int
) -> tuple[int, int, Client]:
    """Return (missing records, wrong pages, client) with the firmware in a process of its own."""
    timeouts = Timeouts(
        0.01, tries=NEVER, noisy_tries=NEVER, identify_tries=NEVER, request_s=1e9, reconnect_s=1e9, poll_s=0.1
    )
    with tempfile.TemporaryDirectory() as folder, Rig(Path(folder), interpreter=interpreter) as rig:
        with Client.open(rig.link_path) as clean:
            clean.key(Key.LOAD, 0)
        client = Client(BadTransport(rig.link_path, to_device, to_host), timeouts, seed=seed)
        live = client.subscribe(0)
        got = []
        for number in range(records):
            rig.key(Key.SEATS, 1 + number % 127)
            got += live.poll(0.0)
        end = client.status().durable_record
        while live.next_number is None or live.next_number < end:
            got += live.poll(10.0)
        seats = [r.seats for r in got if r.kind == RecordKind.SEATS]
        missing = abs(end - len(got)) + sum(r.number != n for n, r in enumerate(got))
        missing += sum(a != b for a, b in zip(seats, [1 + n % 127 for n in range(records)], strict=True))
        pages = [page for shoe in client.history_list() for page in client.pull_shoe(shoe)]
        client.close()
        with Client.open(rig.link_path) as clean:
            wrong = sum(PageReader(clean.session).read(page.number) != page for page in pages)
        return missing, wrong, client


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=4, help="pages to pull (in process)")
    parser.add_argument("--loss", type=float, default=0.05, help="share of bytes that are lost, each way")
    parser.add_argument("--run", type=float, default=1.0, help="bytes lost in a row, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--firmware", choices=("amd64", "i386"), help="use the firmware under this MicroPython")
    options = parser.parse_args()
    lines = (
        BadLine(options.seed, loss=options.loss, run=options.run),
        BadLine(options.seed + 1, loss=options.loss, run=options.run),
    )
    start = time.monotonic()
    if options.firmware:
        missing, wrong, client = on_firmware(options.firmware, options.records, *lines, options.seed)
    else:
        missing, wrong, client = in_process(options.records, options.pages, *lines, options.seed)
    counts = lines[0].counts + lines[1].counts
    share = counts["lost"] / counts["bytes"]
    print(f"seed {options.seed}, {options.records} records, {options.firmware or 'in process'}")
    print(f"bytes on the line {counts['bytes']}, lost {counts['lost']} ({share:.2%})")
    print(f"frames received {client.session.counters.frames}, damaged {client.session.counters.damaged}")
    print(f"requests repeated {client.session.counters.retries}")
    print(f"records missing or wrong {missing}, pages wrong {wrong}")
    print(f"took {time.monotonic() - start:.1f} s")
    return 1 if missing or wrong or not 0.8 * options.loss < share < 1.2 * options.loss else 0


if __name__ == "__main__":
    sys.exit(main())
