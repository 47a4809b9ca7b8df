"""The programs that run on the board, as text for MicroPython 1.24 or newer. `{...}` is replaced with literals.

A module that is not yet a file on the board is imported from RAM: `keep` puts it into a file system that holds nothing
else. Files go over the raw REPL as lines of base64. The board computes digests over what it reads from its flash.
"""

from __future__ import annotations

from typing import Final

WHO: Final = (
    "(sys.platform, sys.implementation.name, tuple(sys.implementation.version)[:3], "
    "getattr(sys.implementation, '_machine', ''), getattr(sys.implementation, '_mpy', 0))"
)

# A watchdog of firmware that was stopped badly would restart the board in the middle: its enable bit is cleared.
STOP_WATCHDOG: Final = "import machine\nmachine.mem32[0x4005b000] = 1 << 30\n"

TOOLS: Final = """\
import gc, io, os, sys, vfs
from binascii import a2b_base64, hexlify
from hashlib import sha256

class _Ram:
    held = {}
    def mount(self, readonly, make): pass
    def umount(self): pass
    def stat(self, path):
        path = path.strip('/')
        if path in self.held:
            return (0x8000, 0, 0, 0, 0, 0, len(self.held[path]), 0, 0, 0)
        for name in self.held:
            if name.startswith(path + '/'):
                return (0x4000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        raise OSError(2)
    def open(self, path, mode):
        return io.BytesIO(self.held[path.strip('/')])

vfs.mount(_Ram(), '/ram')
sys.path[:] = ['.frozen', '/ram']

def keep(name):
    global w
    w = io.BytesIO()
    _Ram.held[name] = w

def kept(name):
    _Ram.held[name] = _Ram.held[name].getvalue()

def forget():
    _Ram.held.clear()
    sys.path[:] = ['.frozen']
    for name in list(sys.modules):
        if name in ('shoe', 'pico') or name[:5] in ('shoe.', 'pico.'):
            del sys.modules[name]
    gc.collect()

def digest(path):
    h = sha256()
    b = bytearray(512)
    v = memoryview(b)
    size = 0
    with open(path, 'rb') as f:
        n = f.readinto(b)
        while n:
            h.update(v[:n])
            size += n
            n = f.readinto(b)
    return size, hexlify(h.digest()).decode()

def digest_or_none(path):
    try:
        return digest(path)
    except OSError:
        return None

def files(top, below=''):
    try:
        inside = list(os.ilistdir(top + '/' + below))
    except OSError:
        return
    for one in inside:
        name = below + one[0]
        if one[1] & 0x4000:
            print(repr((name + '/', 0, '')))
            files(top, name + '/')
        else:
            print(repr((name,) + (digest_or_none(top + '/' + name) or (0, ''))))

def folder(path):
    try:
        os.mkdir(path)
    except OSError as error:
        if error.errno != 17:
            raise

def remove(path):
    try:
        if os.stat(path)[0] & 0x4000:
            for name in os.listdir(path):
                remove(path + '/' + name)
            os.rmdir(path)
        else:
            os.remove(path)
    except OSError as error:
        if error.errno != 2:
            raise

def begin(path):
    global w
    w = open(path, 'wb')

def copy(source, path):
    begin(path)
    b = bytearray(512)
    v = memoryview(b)
    with open(source, 'rb') as f:
        n = f.readinto(b)
        while n:
            w.write(v[:n])
            n = f.readinto(b)

def end(path):
    w.close()
    return digest(path)
"""

# The flash behind the root file system, without a board around it.
STORAGE: Final = """\
from pico import partitions
from shoe.app import commission

class Storage:
    journal, vault, store, keys = partitions.open_all()
"""

# The line to the table's computer stays UART0 here: a second USB interface would take this one away for a moment.
BOARD: Final = """\
import sys, time
sys.path[:] = ['.frozen', '/{slot}']
from pico import settings
from pico.board import PicoBoard
_settings = settings.load()
_settings.link = 'uart'
board = PicoBoard(_settings)
from shoe.app import commission
from shoe.version import VERSION
commission.thresholds(board)
time.sleep_ms(50)
"""
# Each by itself, so that none is silent for long.
READ_BACK: Final = "('.'.join(map(str, VERSION)), bytes(board.firmware_digest()))"
SELF_TEST: Final = "commission.self_test(board)"
