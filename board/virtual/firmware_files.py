"""The digest of the firmware: SHA-256 over the name and the SHA-256 of each file that it runs from.

A file or folder beside the packages that stands in for a module of MicroPython counts too: nobody announced one.
In the order of their names: name, 0x00, SHA-256 of the content. Names are `main.py` and `shoe/app/app.mpy`.

It is computed in the heap of a shoe that has run for long. So nothing here grows with the number of files: each name is
the least one behind the one before, and is looked for in its folder again.
"""

import hashlib
import os
import sys

from virtual import process

_PACKAGES = ("shoe", "virtual")
# What a file beside the packages would be taken for in place of MicroPython's own.
_BUILT_IN = (
    "array", "asyncio", "binascii", "errno", "ffi", "gc", "hashlib", "io", "micropython", "os", "select", "struct",
    "sys", "time",
)  # fmt: skip


def _first():
    """Generator: (name, path, whether it is of a package) of the first names; that of a folder ends with a slash."""
    yield "main.py", sys.argv[0], False
    before = None
    for package in _PACKAGES:
        for root in sys.path:  # the first place is the one that it is imported from
            try:
                os.stat(root + "/" + package)
            except OSError:
                continue
            yield package + "/", root + "/" + package, True
            if root != before:
                for name in process.names(root):
                    if name.split(".")[0] in _BUILT_IN:
                        yield name, root + "/" + name, False
                        if "." not in name:
                            yield name + "/", root + "/" + name, False
            before = root
            break


def _inside(name, path, package):
    """Generator: the same of what lies in folder `path`, whose name is `name`."""
    for inner in process.names(path):
        if not package or inner[-3:] == ".py" or inner[-4:] == ".mpy":
            yield name + inner, path + "/" + inner, package
        if "." not in inner and inner != "__pycache__":
            yield name + inner + "/", path + "/" + inner, package


def _take(whole, listed, *folder):
    """Take in what `listed(*folder)` yields, in the order of the names."""
    piece = memoryview(bytearray(256))
    last = ("", "")
    while True:
        least = None
        for one in listed(*folder):
            if one[:2] > last and (least is None or one < least):
                least = one
        if least is None:
            return
        last = least[:2]
        if least[0][-1] == "/":
            _take(whole, _inside, *least)
            continue
        whole.update(least[0].encode() + b"\0")
        one = hashlib.sha256()
        try:
            with open(least[1], "rb") as file:
                n = file.readinto(piece)
                while n:
                    one.update(piece[:n])
                    n = file.readinto(piece)
        except OSError:
            pass  # a file that cannot be read does not count as the one that was announced
        whole.update(one.digest())


def digest():
    """SHA-256 over the files that the firmware runs from, 32 bytes."""
    whole = hashlib.sha256()
    _take(whole, _first)
    return whole.digest()
