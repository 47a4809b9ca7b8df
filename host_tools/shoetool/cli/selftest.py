"""`shoetool selftest`: run a shoe's self-test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS
from shoetool.cli.output import console, emit, json_option

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


@click.command("selftest", epilog=examples("selftest --port /dev/ttyACM0"))
@port_options
@json_option
def command(port: str | None, record: Path | None, as_json: bool) -> int:
    """Run the shoe's self-test and name the parts that failed.

    Leaves with exit code 1 when a part failed. The shoe refuses while a round is under way.
    """
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
