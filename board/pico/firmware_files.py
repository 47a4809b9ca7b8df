"""The digest of the firmware that runs: SHA-256 over the name and the SHA-256 of each file, as board/README.md says.

What runs from a slot is the slot's files by their names there (`main.mpy`, `shoe/app/app.mpy`) and the root's
`boot.py`, `main.py`, `root.py` and `start.py`. A file or folder on the root or in the slot that would be imported in
place of one of these or of a module of MicroPython counts too: nobody announced one. An image brings the digest it was
built with.
"""

import hashlib
import os
import sys

_ROOT = ("boot.py", "main.py", "root.py", "start.py")
_PACKAGES = ("pico", "shoe")
# What a file, or a folder before a file, would be imported in place of: what the firmware and its start import.
_IMPORTED = (
    "array", "asyncio", "binascii", "errno", "gc", "hashlib", "io", "json", "machine", "main", "micropython", "os",
    "root", "rp2", "select", "start", "struct", "sys", "time", "uctypes", "usb", "vfs",
)  # fmt: skip


def _names(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _add(found, name, path):
    """Add a file, or a folder, which has no dot in its name, and all in it."""
    found.append((name, path))
    if "." not in name:
        for inner in _names(path):
            _add(found, name + "/" + inner, path + "/" + inner)


def _add_package(found, name, path):
    """Add the files of a package and of those in it, whose names have no dot."""
    for inner in _names(path):
        if "." in inner:
            found.append((name + "/" + inner, path + "/" + inner))
        else:
            _add_package(found, name + "/" + inner, path + "/" + inner)


def files(slot=None, top="/"):
    """(name, path) of each file that slot `slot` runs from, in the order of the names; None for an image.

    Without a slot: of what runs, from the last place of `sys.path`.
    """
    if slot is None:
        slot = sys.path[-1][1:]
        if slot == "frozen":
            return None
    place = top + slot
    found = []
    for name in _names(top):
        if name in _ROOT or name.split(".")[0] in _IMPORTED:
            _add(found, name, top + name)
    for name in _names(place):
        if name[-3:] == ".py" or name[-4:] == ".mpy" or name.split(".")[0] in _IMPORTED:
            _add(found, name, place + "/" + name)
    for package in _PACKAGES:
        _add_package(found, package, place + "/" + package)
    return sorted(found)


def digest(listed):
    """SHA-256 of `listed`, what `files` returned: 32 bytes. A file that cannot be read counts as an empty one."""
    if listed is None:
        import shoe_image  # pyright: ignore[reportMissingImports]

        return shoe_image.DIGEST
    whole = hashlib.sha256()
    piece = bytearray(512)
    view = memoryview(piece)
    for name, path in listed:
        whole.update(name.encode() + b"\0")
        one = hashlib.sha256()
        try:
            with open(path, "rb") as file:
                n = file.readinto(piece)
                while n:
                    one.update(view[:n])
                    n = file.readinto(piece)
        except OSError:
            pass
        whole.update(one.digest())
    return whole.digest()
