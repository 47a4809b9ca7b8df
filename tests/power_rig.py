"""A shoe on the virtual board whose power can be cut, and on whose line stray text can come."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from shoesim import stimulus
from shoesim.errors import SimulationError
from shoesim.rig import Rig


class PowerCutError(SimulationError):
    """The simulated power was cut, as asked for: the firmware process is gone, its flash files stay."""


class PowerRig(Rig):
    """A Rig that tells a power cut from a firmware that ends by itself."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.cut_armed = False

    def start(self) -> None:
        self.cut_armed = False
        super().start()

    def cut_power_after(self, programmed_bytes: int) -> None:
        """Cut the power after that many more bytes programmed into flash; a later call raises PowerCutError."""
        self.cut_armed = True
        self._send(stimulus.power_cut(programmed_bytes))

    def spare_power(self) -> None:
        """Take a power cut back that has not happened."""
        self.cut_armed = False
        self._send(stimulus.power_cut(stimulus.DISARM))

    def send_raw_link(self, data: bytes) -> bool:
        """Put bytes on the line to the host as if the device had sent them: stray text. False when it takes none."""
        try:
            return os.write(self._master, data) == len(data)
        except BlockingIOError:
            return False

    def _gone(self) -> NoReturn:
        try:
            super()._gone()
        except SimulationError as error:
            if self.cut_armed:
                self.cut_armed = False
                raise PowerCutError("the power was cut") from error
            raise
