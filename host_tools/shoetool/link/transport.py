"""What every byte transport can do, and how a line can fail."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from shoetool.model.errors import LinkError


class PortMissing(LinkError):
    """There is no such port, or it may not be opened."""


class PromptPort(LinkError):
    """The port is a MicroPython board's prompt: the bytes of a request would act as Ctrl-C and stop its program."""


class PortBusy(LinkError):
    """Another program has the port open."""


class Disconnected(LinkError):
    """The line went away while it was open; `reopen` may bring it back."""


class EndOfRecording(LinkError):
    """A recording has no more traffic."""


class Transport(Protocol):
    """A line to one device. It also owns the clock, so that tests and recordings need not wait in real time."""

    @property
    def name(self) -> str:
        """Port or file, as the user named it."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of `data`. Disconnected when the line is gone."""
        ...

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as some have come. Empty when none come within `timeout_s` seconds.

        Disconnected when the line is gone, EndOfRecording when a recording ends.
        """
        ...

    def reopen(self, without: Collection[str] = ()) -> None:
        """Open the line again after Disconnected. LinkError when that fails; then try it again.

        `without`: the names of ports that were tried and are not the line. They are not opened.
        """
        ...

    def close(self) -> None:
        """Close the line; closing twice is fine."""
        ...

    def now(self) -> float:
        """Seconds of a steady clock."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait on that clock."""
        ...
