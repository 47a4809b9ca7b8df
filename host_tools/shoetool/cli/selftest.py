"""`shoetool selftest`: run a shoe's self-test, or inspect its card reader device.

The floorperson makes the guided inspection each gaming day (633a.2(f)).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, say
from shoetool.cli.output import console, emit, json_option
from shoetool.client.client import Client
from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import Inspection, Key, ReaderStep, RecordKind
from shoetool.report.sentences import sentence

PARTS: Final = (
    "memory",
    "store",
    "journal",
    "entropy",
    "stored settings",
    "read head of side A",
    "read head of side B",
    "card reader device",
)


def failed_parts(mask: int) -> list[str]:
    """Return the names of the parts whose bit is set in a self-test's answer."""
    return [PARTS[bit] if bit < len(PARTS) else f"part {bit}" for bit in range(32) if mask >> bit & 1]


@click.command("selftest", epilog=examples("selftest --port /dev/ttyUSB0", ("selftest --reader", "each gaming day")))
@click.option("--reader", is_flag=True, help="Inspect the card reader device with the test cards T1 to T4.")
@key_option
@port_options
@json_option
def command(port: str | None, record: Path | None, key_file: Path | None, reader: bool, as_json: bool) -> int:
    """Run the shoe's self-test and name the parts that failed.

    Exits with code 1 when a part failed. The shoe refuses while a round is under way.

    With --reader the command guides the floorperson through the inspection of the card reader device. 58 Pa. Code
    633a.2(f) requires it at the start of each gaming day. Questions and instructions go to standard error.
    """
    if reader:
        with connected(port, record, key_file=key_file) as client:
            steps = inspect(client, asked, say)
        return report_reader(steps, as_json)
    with connected(port, record) as client:
        result = client.self_test()
    failed = failed_parts(result.failed)
    passed = result.result == 0 and not failed
    if as_json:
        emit("selftest", {"passed": passed, "result": result.result, "failed": failed})
    elif passed:
        console().print("self-test passed")
    else:
        console().print(f"self-test FAILED: {', '.join(failed) or f'result {result.result}'}")
    return 0 if passed else FINDINGS


def asked(question: str) -> bool:
    """Ask a question. Without an answer, report that the inspection was broken off, and end the command."""
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        click.echo(err=True)  # without an answer the line of the question is still open
        say("the inspection of the card reader device was broken off; begin it again")
        raise


def report_reader(steps: list[str], as_json: bool) -> int:
    """Print how an inspection of the card reader device ended, and return the exit code."""
    passed = steps[-1] == "passed"
    if as_json:
        failed = [] if passed else [PARTS[-1]]
        emit("selftest", {"passed": passed, "result": 0 if passed else 1, "failed": failed, "reader": steps})
    else:
        console().print(f"card reader device: inspection {'passed' if passed else 'FAILED; the table is stopped'}")
    return 0 if passed else FINDINGS


PATIENCE_S: Final = 120.0
TAMPERING: Final = "Look at the card reader device. Is its seal whole, its groove empty, and nothing attached to it?"
LAMPS: Final = "Do all three of its lamps light?"
_CARDS: Final = ("T1", "T2", "T3", "T4")
_OVER: Final = (ReaderStep.PASSED, ReaderStep.FAILED)


def inspect(
    client: Client, ask: Callable[[str], bool], tell: Callable[[str], None], patience_s: float = PATIENCE_S
) -> list[str]:
    """Guide a person through the inspection; return the names of its steps, the last one `passed` or `failed`.

    `ask` asks a question that is answered yes or no, `tell` says what to do next. DeviceError when the shoe refuses the
    inspection, or when no test card comes for `patience_s`.
    """
    live = client.subscribe(client.status().next_record)
    if not ask(TAMPERING):
        return _fail(client)
    if not client.key(Key.READER_TEST, Inspection.BEGIN)[0]:
        raise DeviceError(
            "the shoe refuses the inspection: a round is open, or the table has no card reader device "
            "(option card_reader, see shoetool configure)"
        )
    if not ask(LAMPS):
        return _fail(client)
    steps: list[str] = []
    waited = 0.0
    while True:
        records = [record for record in live.poll(1.0) if record.kind == RecordKind.READER_TEST]
        waited = 0.0 if records else waited + 1.0
        if waited > patience_s:
            raise DeviceError(f"no test card came for {patience_s:.0f} s; begin the inspection again")
        for record in records:
            step = ReaderStep(record.values[0])
            steps.append(step.name.lower())
            tell(sentence(record))
            if step in _OVER:
                return steps
        if records and steps.count("again") < len(_CARDS):
            read = sum(step.startswith("card_") for step in steps)
            if read < len(_CARDS):
                tell(f"Slide test card {_CARDS[read]} face down into the reader to the stop, and pull it out again.")


def _fail(client: Client) -> list[str]:
    """Tell the shoe that the reader does not work: the table stops until it passes an inspection, 633a.14(k)."""
    if not client.key(Key.READER_TEST, Inspection.FAIL)[0]:
        raise DeviceError("the shoe did not record that its card reader device failed")
    return ["failed"]
