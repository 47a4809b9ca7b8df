"""`shoetool selftest`: run a shoe's self-test, or inspect its card reader device."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, say
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.reader_test import inspect

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
    with connected(port, record, key_file=key_file) as client:
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
