"""What the measurements on an emulated RP2040 have in common: a shoe at hand, frames read back, a table of figures.

All times are simulated: what a chip at 125 MHz would take, but for the waits of its flash cache, which RIG_CACHE=50
adds (tests/hil/README.md).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / folder) for folder in ("tests/hil", "host_tools", "firmware", "board")]

from bench import connect  # noqa: E402
from rig import files, uf2  # noqa: E402
from rig.emulated import EmulatedShoe  # noqa: E402
from shoesim.scenario import Scenario  # noqa: E402
from shoetool.client.client import Client  # noqa: E402
from shoetool.model.errors import BadInput  # noqa: E402
from shoetool.model.protocol_table import MessageKind  # noqa: E402
from shoetool.model.records import Record, decode_record  # noqa: E402
from shoetool.wire.frames import Frame, decode_body  # noqa: E402
from shoetool.wire.messages import unpack  # noqa: E402


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `good` is None where there is nothing to reach."""

    what: str
    reach: str
    measured: str
    good: bool | None = None


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as a Markdown table."""
    verdict = {True: "yes", False: "NO", None: ""}
    rows = ["| what | reach | measured | reached |", "|---|---|---|---|"]
    rows += [f"| {f.what} | {f.reach} | {f.measured} | {verdict[f.good]} |" for f in figures]
    return "\n".join(rows)


def form() -> str:
    """Return "image", the form for a table, or "slot", the one for the workbench: what RP2_UF2 is measured as."""
    return "image" if uf2.find().frozen else "slot"


def switched_on(seed: int, scenario: Scenario | None = None, **more: object) -> tuple[EmulatedShoe, Client]:
    """Return a shoe that is ready and configured, and a client to it. NoFirmwareError without RP2_UF2."""
    shoe = EmulatedShoe(files.flash_of(uf2.find()), seed=seed, **more)  # type: ignore[arg-type]
    shoe.power_on()
    return shoe, connect(shoe, scenario)


def events(shoe: EmulatedShoe, first_frame: int = 0) -> list[tuple[float, Record]]:
    """Return (µs at the end of the last byte, record) of each event frame that the shoe has put on the wire."""
    found = []
    for at, raw in shoe.frames[first_frame:]:
        frame = decode_body(raw[:-1])
        if isinstance(frame, Frame) and frame.kind == MessageKind.EVENT:
            fields = unpack(MessageKind.EVENT, "unasked", frame.payload)
            number, boot, ticks_ms, kind = (int(fields[name]) for name in ("record", "boot", "ticks_ms", "kind"))
            body = fields["payload"]
            assert isinstance(body, bytes)
            try:
                found.append((at, decode_record(number, boot, ticks_ms, kind, body)))
            except BadInput:
                continue
    return found


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that at least `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-len(ordered) * share // 1) - 1))]


def run_alone(main) -> int:
    """Run `main`; say in one line why when there is no UF2."""
    try:
        return main()
    except uf2.NoFirmwareError as error:
        print(error, file=sys.stderr)
        return 2
