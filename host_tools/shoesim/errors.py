"""Errors of the simulator."""

from __future__ import annotations

from shoetool.model.errors import DeviceError


class SimulationError(DeviceError):
    """The simulated dealer and the shoe do not agree on what comes next, or the firmware process has ended."""
