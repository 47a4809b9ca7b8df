"""The digest of the firmware that runs: SHA-256 over the name and the SHA-256 of each file, as board/README.md says.

What runs from a slot is the slot's files by their names there (`main.mpy`, `shoe/app/app.mpy`) and the root's
`boot.py`, `main.py`, `root.py` and `start.py`. A file or folder on the root or in the slot that would be imported in
place of one of these or of a module of MicroPython counts too: nobody announced one. An image brings the digest it was
built with.

It is computed in the heap of a shoe that has run for long. So nothing here grows with the number of files: each name is
the least one behind the one before, and is looked for in its folder again.
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


def _listed(folder):
    """Generator: the names in `folder`; none when it is no folder."""
    try:
        listed = os.ilistdir(folder)  # pyright: ignore[reportAttributeAccessIssue]
    except OSError:
        return
    for entry in listed:
        yield entry[0]


def _first(place, top):
    """Generator: (name, path, whether it is of a package) of the first names; that of a folder ends with a slash."""
    for folder in (top, place):
        for name in _listed(folder):
            counts = name in _ROOT if folder == top else name[-3:] == ".py" or name[-4:] == ".mpy"
            if counts or name.split(".")[0] in _IMPORTED:
                yield name, folder + name, False
                if "." not in name:
                    yield name + "/", folder + name, False
    for package in _PACKAGES:
        yield package + "/", place + package, True


def _inside(name, path, package):
    """Generator: the same of what lies in folder `path`, whose name is `name`."""
    for inner in _listed(path):
        if "." in inner or not package:
            yield name + inner, path + "/" + inner, package
        if "." not in inner:
            yield name + inner + "/", path + "/" + inner, package


def _take(whole, listed, *folder):
    """Take in what `listed(*folder)` yields, in the order of the names."""
    piece = memoryview(bytearray(512))
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
            pass  # a file that cannot be read counts as an empty one
        whole.update(one.digest())


def digest(slot=None, top="/"):
    """SHA-256 over the files that slot `slot` runs from, 32 bytes; without one over what runs now, also an image."""
    if slot is None:
        slot = sys.path[-1][1:]
        if slot == "frozen":
            import shoe_image  # pyright: ignore[reportMissingImports]

            return shoe_image.DIGEST
    whole = hashlib.sha256()
    _take(whole, _first, top + slot + "/", top)
    return whole.digest()
