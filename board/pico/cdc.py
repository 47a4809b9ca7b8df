"""The line to the table's computer as a second serial interface on USB, for a desk without a UART: `"link": "cdc"`.

Needs the package usb-device-cdc of micropython-lib, frozen into the image or in the folder of the slot that runs. An
update writes the other slot, without it: there it is installed anew.
The prompt stays on the first interface. The port appears anew on the computer when the shoe starts.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from shoe.compat import const

_POLL = const(3)  # request of a stream's ioctl
_CAN_READ = const(1)
_CAN_WRITE = const(4)
_BUFFER = const(1024)


class CdcLine:
    """The line. OSError, which says what is missing, without that package or before MicroPython 1.23."""

    def __init__(self):
        try:
            import usb.device
            from usb.device.cdc import CDCInterface
        except ImportError:
            how = "freeze it into the image"
            if sys.path[-1] != ".frozen":  # the folder of a slot
                how = "mpremote mip install --target " + sys.path[-1] + " usb-device-cdc, after each update"
            raise OSError('board.json: "link": "cdc" needs the package usb-device-cdc: ' + how)
        self._cdc = CDCInterface()
        self._cdc.init(timeout=0, txbuf=_BUFFER, rxbuf=_BUFFER)
        self._refused = False
        self.hold = 0  # as of the UART; nothing here begins by itself
        self.begins = ()
        self._usb = usb.device.get()
        self._usb.init(self._cdc, builtin_driver=True)

    def read(self, buf, most=_BUFFER):
        """Move received bytes, `most` at most, into `buf`; return their number."""
        if most < len(buf):
            buf = memoryview(buf)[:most]
        return self._cdc.readinto(buf) or 0

    def write(self, buf, n):
        """Offer n bytes of `buf`; return how many were taken, 0 when there is no room."""
        if not self._cdc.ioctl(_POLL, _CAN_WRITE) & _CAN_WRITE:
            self._refused = True
            return 0
        return self._cdc.write(memoryview(buf)[:n]) or 0

    def load(self, buf, n):
        """Take nothing: USB begins with each packet at a moment of the host's own."""
        return 0

    def arm(self):
        """There is nothing that a store to a register would begin."""
        return False

    def busy(self):
        """USB is so fast that nothing waits for what is on its way."""
        return False

    def ready(self, card=None):
        """True when there are bytes to read, or room again for bytes that `write` refused."""
        can = self._cdc.ioctl(_POLL, _CAN_READ | _CAN_WRITE)
        if can & _CAN_WRITE and self._refused:
            self._refused = False
            return True
        return bool(can & _CAN_READ)

    def close(self):
        """The prompt's interface alone."""
        self._usb.init(builtin_driver=True)
