"""The flash chip behind the emulator's SSI, with the times that a real one takes and with power that may fail."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rp2040py.peripherals.ssi import CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM, CMD_SECTOR_ERASE, RPSSI
from virtual.flash import ERASE_COST, tear

PAGE = 256
SECTOR = 4096
# Typical times of a W25Q16JV, the Pico's flash chip.
ERASE_NS = {CMD_SECTOR_ERASE: 45e6, CMD_BLOCK_ERASE: 150e6}
ERASE_SIZE = {CMD_SECTOR_ERASE: SECTOR, CMD_BLOCK_ERASE: 65536}
PROGRAM_NS = 0.4e6
CMD_UNIQUE_ID = 0x4B  # which the emulator's flash leaves unanswered
_UNIQUE_ID_AT = 5  # after the command and four dummy bytes
_NEVER = float("inf")


class PowerCutError(Exception):
    """The supply failed, as asked for; the chip is gone, the flash keeps what it held."""


class _Bits(Random):
    """As `virtual.flash.tear` wants them."""

    def bits(self) -> int:
        return self.getrandbits(8)


class NorFlash(RPSSI):
    """Put in place of the emulator's SSI by `install`.

    The processor stands still while the flash is busy, since MicroPython waits for it with interrupts off. Power that
    fails in the middle leaves a page half programmed and a sector as `virtual.flash.tear` says. `on_operation(name,
    address, size)` is called before each operation, `data` is what is programmed then; `erases` and `programs` count
    them. `torn_sectors` are those whose erase was cut off, also by an earlier cut, and `misused` the addresses at which
    one was programmed all the same.
    """

    rp2040: object
    fails_at: float
    on_operation: Callable[[str, int, int], None] | None

    @classmethod
    def install(cls, mcu, seed: int, unique_id: bytes = b"EMULATED") -> NorFlash:
        """Turn the SSI of `mcu` into this one, in place, so that every reference to it stays good."""
        ssi = mcu.ssi
        ssi.__class__ = cls
        ssi.fails_at = _NEVER
        ssi.torn = ""
        ssi.unique_id = unique_id
        ssi.on_operation = None
        ssi.erases = ssi.programs = 0
        ssi.random = _Bits(f"flash {seed}")
        ssi.data = b""
        ssi.torn_sectors = set()
        ssi.misused = []
        return ssi

    def _shift_byte(self, byte_out: int) -> int:
        came = super()._shift_byte(byte_out)
        place = len(self._tx_buffer) - 1 - _UNIQUE_ID_AT
        if self._tx_buffer[0] == CMD_UNIQUE_ID and 0 <= place < len(self.unique_id):
            return self.unique_id[place]
        return came

    def _apply_command(self) -> None:
        sent = self._tx_buffer
        command = sent[0] if sent else 0
        if not self._write_enabled or len(sent) < 4 or command not in (*ERASE_SIZE, CMD_PAGE_PROGRAM):
            super()._apply_command()
            return
        self._write_enabled, self._tx_buffer = False, bytearray()
        address = sent[1] << 16 | sent[2] << 8 | sent[3]
        if command == CMD_PAGE_PROGRAM:
            self.programs += 1
            self._program(address, bytes(sent[4:]))
        else:
            self.erases += 1
            self._erase(address, ERASE_SIZE[command], ERASE_NS[command])

    def _program(self, address: int, data: bytes) -> None:
        self.data = data
        if self.on_operation:
            self.on_operation("program", address, len(data))
        if address // SECTOR in self.torn_sectors:
            self.misused.append(address)
        done = self._wait("program", PROGRAM_NS)
        flash, page = self.rp2040.flash, address & ~(PAGE - 1)
        whole = int(len(data) * done)
        for i, byte in enumerate(data):
            place = page | (address + i & PAGE - 1)  # past its end a page goes on at its beginning
            if i >= whole:
                byte |= self.random.getrandbits(8)  # any bit of the rest may have gone already
            flash[place] &= byte
        self._end(done)

    def _erase(self, address: int, size: int, nanos: float) -> None:
        address &= ~(size - 1)
        if self.on_operation:
            self.on_operation("erase", address, size)
        done = self._wait("erase", nanos)
        flash = self.rp2040.flash
        sectors = range(address // SECTOR, (address + size) // SECTOR)
        if done == 1:
            flash[address : address + size] = b"\xff" * size
            self.torn_sectors.difference_update(sectors)
        else:
            tear(memoryview(flash)[address : address + size], 0, size, int(ERASE_COST * done), self.random)
            self.torn_sectors.update(sectors)
        self._end(done)

    def _forget_cache(self) -> None:
        """The boot ROM flushes the cache behind an operation."""
        if flush := getattr(self.rp2040, "flush_cache", None):
            flush()

    def _wait(self, name: str, nanos: float) -> float:
        """Let the operation's time pass; return how much of it was done before the power failed, 0 to 1."""
        clock = self.rp2040.clock
        left = self.fails_at - clock.nanos
        if left >= nanos:
            clock.stall(nanos)
            return 1
        self.torn = name
        clock.stall(max(left, 0.0))
        return max(left, 0.0) / nanos

    def _end(self, done: float) -> None:
        self._forget_cache()
        if done < 1:
            raise PowerCutError(f"the power failed in the middle of a flash {self.torn}")
