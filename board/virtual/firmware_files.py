"""The digest of the firmware: SHA-256 over the name and the SHA-256 of each file that it runs from.

A file or folder beside the packages that stands in for a module of MicroPython counts too: nobody announced one.
In the order of their names: name, 0x00, SHA-256 of the content. Names are `main.py` and `shoe/app/app.mpy`.
"""

import hashlib
import os
import sys

_PACKAGES = ("shoe", "virtual")
# What a file beside the packages would be taken for in place of MicroPython's own.
_BUILT_IN = (
    "array", "asyncio", "binascii", "errno", "ffi", "gc", "hashlib", "io", "micropython", "os", "select", "struct",
    "sys", "time",
)  # fmt: skip


def _package(found, name, folder):
    """Add the modules of package `name`, which lies in `folder`, and of its packages, whose names have no dot."""
    for one in os.listdir(folder):
        if one[-3:] == ".py" or one[-4:] == ".mpy":
            found.append((name + "/" + one, folder + "/" + one))
        elif "." not in one and one != "__pycache__":
            _package(found, name + "/" + one, folder + "/" + one)


def files():
    """(name, path) of each file, in the order of the names."""
    found = [("main.py", sys.argv[0])]
    beside = []
    for package in _PACKAGES:
        for root in sys.path:  # the first place is the one that it is imported from
            try:
                os.stat(root + "/" + package)
            except OSError:
                continue
            beside.append(root)
            _package(found, package, root + "/" + package)
            break
    for root in beside:
        for name in os.listdir(root):
            if name.split(".")[0] in _BUILT_IN:
                found.append((name, root + "/" + name))
    return sorted(found)


def digest(listed):
    """SHA-256 of `listed`, 32 bytes."""
    whole = hashlib.sha256()
    piece = bytearray(256)
    view = memoryview(piece)
    for name, path in listed:
        whole.update(name.encode() + b"\0")
        one = hashlib.sha256()
        try:
            with open(path, "rb") as file:
                while True:
                    n = file.readinto(piece)
                    if not n:
                        break
                    one.update(view[:n])
        except OSError:
            pass  # a file that cannot be read does not count as the one that was announced
        whole.update(one.digest())
    return whole.digest()
