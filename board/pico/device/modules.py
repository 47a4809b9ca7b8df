"""`main.mpy` of a slot: mounts the modules in `modules.bin`, which lies beside it, at `/m`, and hands over to main.

littlefs reads a folder anew at each look for a file in it, four times for a module: of 80 modules that were files, a
second of the start. In one file they are found by a list at its beginning. It stays in RAM, and the file open, until
`rest()`; a module that is loaded later is looked for in the list in flash and read from there.

    modules.bin     b"SHOEMOD1", number of modules u32, a record for each, the modules themselves; little-endian
    record          name (shoe/app, filled up with spaces), offset in the file u32, size u32
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportArgumentType=false
# pyright: reportOptionalMemberAccess=false, reportGeneralTypeIssues=false
import gc
import io
import struct
import sys
from asyncio import sleep

import vfs
from micropython import const

_PLACE = "/m"
_HEAD = const(12)
_RECORD = const(40)
_NAME = const(32)
_AT_ONCE = const(480)  # bytes of the list, when it is not in RAM
_PIECE = const(1024)
_MUCH = const(114688)
_PACKAGES = ("/shoe/", "/pico/")
_FOLDERS = (
    "/shoe", "/pico", "/shoe/reading", "/shoe/dealing", "/shoe/journal", "/shoe/trust", "/shoe/line", "/shoe/app",
)  # fmt: skip
_FILE = (0x8000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
_FOLDER = (0x4000, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def _most():
    """An object that takes most of the heap; None where it lies in pieces."""
    try:
        return bytearray(_MUCH)  # to ask how much is free takes as long as 8 ms
    except MemoryError:
        return None


class Modules:
    """File system that is read to import from it. OSError when there is no modules.bin at `path`."""

    def __init__(self, path):
        self.path = path
        # What `rest` gives back lies behind all that stays: each larger object would else be looked for in its holes.
        behind = _most()
        self.file = open(path, "rb")
        self.size = struct.unpack("<8sI", self.file.read(_HEAD))[1] * _RECORD
        self.list = self.file.read(self.size)
        self.piece = bytearray(_PIECE)
        self.found = self.late = None
        self.next = 0
        del behind
        gc.collect()

    def find(self, path):
        """(offset, size) of the module at `path` of this file system, None when there is none."""
        name = path[1:-4].encode() + b" "
        if self.list:
            at = self.list.find(name, self.next)  # mostly right there: they lie in the order of their loading
            if at < 0:
                at = self.list.find(name)
                if at < 0:
                    return None
            self.next = at + _RECORD
            return struct.unpack_from("<II", self.list, at + _NAME)
        file = open(self.path, "rb")
        file.seek(_HEAD)
        left = self.size
        while left > 0:
            some = file.read(min(left, _AT_ONCE))
            at = some.find(name)
            if at >= 0:
                self.late = file
                return struct.unpack_from("<II", some, at + _NAME)
            left -= _AT_ONCE
        file.close()
        return None

    def mount(self, readonly, make):
        """Nothing to be done."""

    def umount(self):
        """Nothing to be done."""

    def stat(self, path):
        """What `import` asks before it opens a file. What is not there is what it does not look for at that place.

        It looks for the folder `name`, the file `name.py`, the file `name.mpy`, and an OSError costs it as much again.
        """
        if path[-4:] == ".mpy":
            self.found = self.find(path) if path[:6] in _PACKAGES or path == "/main.mpy" else None
            return _FILE if self.found else _FOLDER
        return _FOLDER if path[-3:] == ".py" or path in _FOLDERS else _FILE

    def open(self, path, mode):
        """The module at `path`, which `stat` was asked for last, as a stream that ends with it or later."""
        at, left = self.found
        if self.late:
            file = self.late
            self.late = None
            file.seek(at)
            return file
        self.file.seek(at)
        # Closing it gives its bytes back at once.
        stream = io.BytesIO((left + _PIECE - 1) // _PIECE * _PIECE)
        while left > 0:
            self.file.readinto(self.piece)
            stream.write(self.piece)
            left -= _PIECE
        stream.seek(0)
        return stream

    async def rest(self):
        """Give back what the loading of many modules takes of the heap, once the task made after this one waits."""
        await sleep(0)
        if self.file:
            self.file.close()
            self.file = self.list = self.piece = None
        start = sys.modules.get("start")
        if start:
            start.checked = None
        # What only the virtual board runs, and only a start. Tools begin with a start of their own.
        for module, kept in (("main", "run_pico"), ("root", "Root")):
            held = sys.modules.get(module)
            for name in list(held.__dict__) if held else ():
                if name != kept and name[:2] != "__" and callable(getattr(held, name)):
                    delattr(held, name)


def _take_over():
    """In place of this module, which `sys.modules` has as `modules` from here on, `main` is the firmware's own."""
    made = Modules(sys.path[-1] + "/modules.bin")
    try:
        vfs.umount(_PLACE)
    except OSError:
        pass
    vfs.mount(made, _PLACE)
    # Without the slot: at each import of a module like `time` MicroPython looks for files first, slowly in littlefs.
    sys.path[:] = [".frozen", _PLACE]
    sys.modules["modules"] = sys.modules.pop("main")
    __import__("main")
    return made


_made = _take_over()
rest = _made.rest
slot = _made.path[: _made.path.rindex("/")]
del _take_over, const
