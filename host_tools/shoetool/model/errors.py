"""Errors that a user sees as one line and an exit code. Only the command line prints them."""

from __future__ import annotations

from typing import ClassVar


class ShoetoolError(Exception):
    """Base of every error that shoetool reports; its text says what, where and what to do."""

    exit_code: ClassVar[int] = 2


class BadInput(ShoetoolError):
    """A file, option or value that cannot be used: exit code 2."""

    exit_code = 2


class LinkError(ShoetoolError):
    """A problem with a port, or with the line to a device: exit code 3."""

    exit_code = 3


class DeviceError(ShoetoolError):
    """A device refused, or answered in another protocol: exit code 3."""

    exit_code = 3
