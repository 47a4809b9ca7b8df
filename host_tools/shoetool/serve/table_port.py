"""The port of one table: opened by its name, and later wherever it is, and never taken for that of another table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.client.client import Client
from shoetool.link.serial_port import whereabouts_of
from shoetool.link.system_ports import Whereabouts
from shoetool.model.errors import LinkError, ShoetoolError


class TablePort:
    """Call it to open the line, again and again. `open_client` opens a port by name, LinkError or DeviceError."""

    def __init__(self, port: str, open_client: Callable[[str], Client]) -> None:
        self._port: Final = port
        self._open_client = open_client
        self._first: Whereabouts | None = None
        self._device = b""

    def __call__(self) -> Client:
        """Return the client of the table's shoe. The error of the likeliest port when it answers on none."""
        failure: ShoetoolError | None = None
        for name in [self._port] if self._first is None else self._first.names_now():
            try:
                client = self._open_client(name)
            except ShoetoolError as error:
                failure = failure or error
                continue
            if self._is_of_the_table(client):
                return client
            client.close()
            failure = LinkError(
                f"{name}: this is the port of another shoe ({client.identify().device.hex()} instead of "
                f"{self._device.hex()}, in another USB socket); it is not taken for this table"
            )
        assert failure is not None
        raise failure

    def _is_of_the_table(self, client: Client) -> bool:
        """Whether it is the shoe of the table, or one that was put in its place.

        In the same USB socket any shoe is the table's. Where no socket is known, the name decides.
        """
        here, device = whereabouts_of(client.transport), client.identify().device
        known = None if self._first is None else self._first.usb
        if known is not None and device != self._device and (here is None or here.usb != known):
            return False
        self._first, self._device = self._first or here, device
        return True
