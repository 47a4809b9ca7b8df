"""The USB end of the emulated chip: a host that holds the port open, for the log, the REPL and mpremote."""

from __future__ import annotations

from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.fifo import FIFO

_GATHER_NS = 1000.0


class Usb(USBCDC):
    """As the emulator's, but a host that has nothing to send keeps silent.

    The emulator's answers each poll with an empty packet every 10 µs, which never lets the processor sleep. `output`
    holds what the device has written and nobody has taken.
    """

    def __init__(self, usb) -> None:
        super().__init__(usb)
        self.tx_fifo = FIFO(1 << 17)
        self.output = bytearray()
        self.on_serial_data = self.output.extend
        self._asked = 0
        self._answer = usb.on_endpoint_read

        def asked(endpoint: int, size: int) -> None:
            if endpoint == self._out_endpoint and endpoint > 0 and self.tx_fifo.empty:
                self._asked = size
            else:
                self._answer(endpoint, size)

        usb.on_endpoint_read = asked

    def write(self, data: bytes) -> None:
        """Send bytes to the device; OSError when more than 128 KiB wait."""
        if len(data) > self.tx_fifo.size - self.tx_fifo.item_count:
            raise OSError("the device takes nothing over USB")
        for byte in data:
            self.tx_fifo.push(byte)
        if self._asked and data:
            size, self._asked = self._asked, 0
            clock = self.usb.rp2040.clock
            clock.create_alarm(lambda: self._answer(self._out_endpoint, size)).schedule(_GATHER_NS)

    def send_serial_byte(self, data: int) -> None:
        self.write(bytes((data,)))

    def take(self) -> bytes:
        """Return and forget what the device has written."""
        data = bytes(self.output)
        del self.output[:]
        return data

    def _on_controller_reset(self) -> None:
        super()._on_controller_reset()
        self._asked = 0
