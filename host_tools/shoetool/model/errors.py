"""Errors that reach a user as one line and an exit code; the command line alone prints them."""

from __future__ import annotations

from typing import ClassVar


class ShoetoolError(Exception):
    """Base of every error that shoetool reports; its text says what, where and what to do."""

    exit_code: ClassVar[int] = 2


class BadInput(ShoetoolError):
    """A file, option or value that cannot be used: exit code 2."""

    exit_code = 2


class LinkError(ShoetoolError):
    """A port or the line to a device: exit code 3."""

    exit_code = 3


class DeviceError(ShoetoolError):
    """A device that answered with a refusal or in another protocol: exit code 3."""

    exit_code = 3
