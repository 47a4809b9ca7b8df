"""A shoe on the virtual board, for commands that need one. The firmware is a process, the dealer a thread."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click
from shoesim.dealer import Progress
from shoesim.dealer_truth import Truth
from shoesim.places import MICROPYTHON, choose_interpreter
from shoesim.rig import INTERPRETERS, ROOT, Rig
from shoesim.scenario import Scenario, run_scenario

from shoetool.cli.device import open_client
from shoetool.cli.exits import say
from shoetool.link.transport import PortBusy
from shoetool.model.errors import BadInput, ShoetoolError
from shoetool.model.file_kinds import NOTE
from shoetool.model.output_file import write_state
from shoetool.model.places import virtual_folder

F = TypeVar("F", bound=Callable[..., Any])


def interpreter_option(command: F) -> F:
    """Add --interpreter to a command that runs the firmware."""
    return click.option(
        "--interpreter",
        type=click.Choice(INTERPRETERS),
        help="What the firmware runs on: MicroPython with words of 64 or 32 bits, or this Python. By default "
        "MicroPython, if it is installed.",
    )(command)


def interpreter_of(asked: str | None) -> str:
    """Return what the firmware runs on. Warns when it is not MicroPython and nobody asked for that. BadInput."""
    chosen = choose_interpreter(ROOT, asked)
    if asked is None and chosen == "python":
        say(f"no MicroPython is here, so the firmware runs on Python; ${MICROPYTHON} names one, 1.24 or newer")
    return chosen


class DealerThread(threading.Thread):
    """Deals a scenario on a rig while another thread watches it. `progress` is the latest report of the dealer."""

    def __init__(self, scenario: Scenario, rig: Rig) -> None:
        """Prepare to deal; `start` begins."""
        super().__init__(name="dealer", daemon=True)
        self.scenario = scenario
        self.rig = rig
        self.progress: Progress | None = None
        self.truth: Truth | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Deal. An error is kept for `result`."""
        try:
            self.truth = run_scenario(self.scenario, self.rig, self._take)
        except Exception as error:
            self.error = error

    def _take(self, progress: Progress) -> None:
        self.progress = progress

    def result(self) -> Truth:
        """Wait for the end of the deal and return what really happened. Raises the error that stopped the dealer."""
        self.join()
        if self.error is not None:
            raise self.error
        if self.truth is None:
            raise ShoetoolError("the simulated dealer ended without a result")
        return self.truth


def set_up(rig: Rig, scenario: Scenario) -> None:
    """Write a scenario's settings into the shoe, over the link as every client does."""
    with open_client(rig.link_path) as client:
        client.config_write(scenario.settings())


def as_configured(rig: Rig, scenario: Scenario) -> Scenario:
    """Return the scenario with the settings that the shoe has now. BadInput: it cannot be dealt with them.

    When another program watches, the line is busy. Then the scenario's own settings are used, and a warning says so.
    """
    try:
        with open_client(rig.link_path) as client:
            settings = client.config_read()
    except PortBusy:
        say("another program has the line, so the dealer takes the shoe's settings to be those of the scenario")
        return scenario
    try:
        return scenario.configured(settings)
    except BadInput as error:
        raise BadInput(f"the scenario cannot be dealt with the settings that the shoe has now: {error}") from None


@contextlib.contextmanager
def announced(port: str) -> Iterator[None]:
    """Let `shoetool devices` and automatic discovery find a virtual shoe's pseudo-terminal while this lasts."""
    folder = virtual_folder()
    if folder is None:  # discovery is only a convenience: the path is printed anyway
        yield
        return
    note = folder / f"{os.getpid()}.port"
    try:
        with contextlib.suppress(BadInput):  # discovery is only a convenience: the path is printed anyway
            write_state(note, port, NOTE)
        yield
    finally:  # also when the program ends while the file is being written
        with contextlib.suppress(OSError):
            note.unlink()
