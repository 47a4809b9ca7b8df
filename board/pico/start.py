"""Which firmware a shoe starts: the slot that `/slot` names, else the other one. Writes nothing, whatever it finds.

On the root lie `main.py`, `boot.py`, `root.py`, this file, `slot` and two slots, folders `a` and `b`. A slot holds
`main.mpy`, modules in the folders `shoe` and `pico`, and `files.json`, written last: JSON with a line for each file.

    {"version": "0.1.0", "files": [
    ["main.mpy", 1234, "<SHA-256 in hexadecimal>"],
    ["shoe/app/app.mpy", 12345, "<SHA-256 in hexadecimal>"]
    ]}

A slot is whole when every file that the list names is there with that size and content. An update goes into the slot
that is not running: its `files.json` goes first, then the files are copied, then the list, then `slot.new` is renamed
to `slot`. Cut off anywhere, the next start finds a whole slot, old or new, and says which and why.

An image with the firmware frozen into it, and with `shoe_image`, which says so, starts that and looks at no file.
Installed as /start.py, and frozen; it imports nothing but MicroPython's own.
"""

import gc
import sys

SLOTS = ("a", "b")
FROZEN = ".frozen"


def check(slot, top="/"):
    """None when slot `slot` is whole, else what is wrong with it, in words. `start.check("b")` serves tools too."""
    import binascii
    import hashlib
    import json

    folder = top + slot + "/"
    piece = bytearray(4096)
    view = memoryview(piece)
    try:
        with open(folder + "files.json") as listed:
            if not listed.readline().startswith("{"):
                return "files.json is not a list of files"
            names = 0
            while True:
                line = listed.readline(256).strip()
                if line == "]}":
                    break
                name, size, digest = json.loads(line.rstrip(","))
                names += 1
                held = hashlib.sha256()
                try:
                    with open(folder + name, "rb") as file:
                        n = file.readinto(piece)
                        while n:
                            held.update(view[:n])
                            size -= n
                            n = file.readinto(piece)
                except OSError:
                    return name + " is missing"
                if size:
                    return name + " has the wrong size"
                if binascii.hexlify(held.digest()).decode() != digest:
                    return name + " has the wrong content"
            return None if names else "files.json names no file"
    except OSError:
        return "files.json is missing"
    except Exception:  # anything can lie there
        return "files.json is damaged"


def named(top="/"):
    """The slot that `/slot` names, "" when it names none."""
    try:
        with open(top + "slot") as file:
            slot = file.read(8).strip()
    except (OSError, ValueError):  # ValueError: not UTF-8
        return ""
    return slot if slot in SLOTS else ""


def _load(place):
    """Import `main` from `place`, with nothing of another slot left over."""
    for name in list(sys.modules):
        if name in ("main", "shoe", "pico") or name[:5] in ("shoe.", "pico."):
            del sys.modules[name]
    gc.collect()
    # Frozen modules first, so that no file stands in for one of MicroPython's.
    sys.path[:] = [FROZEN, place]
    __import__("main")
    return sys.modules["main"]


def prompt(top="/"):
    """Whether board.json leaves the prompt on USB open. A file that is there and cannot be read does not."""
    import json

    try:
        with open(top + "board.json") as file:
            return json.load(file).get("repl", True) is True
    except OSError as error:
        return error.errno == 2  # ENOENT: no such file
    except Exception:
        return False


def _shut():
    """From here on Ctrl-C is a character like any other."""
    try:
        import micropython

        micropython.kbd_intr(-1)  # pyright: ignore[reportAttributeAccessIssue]
    except (ImportError, AttributeError):  # the unix port, and CPython
        pass


def _show(error):
    """The traceback of `error`, for people."""
    if hasattr(sys, "print_exception"):
        sys.print_exception(error)  # pyright: ignore[reportAttributeAccessIssue]


def run(top="/", say=print):
    """Start the firmware. True when it ran and has come to its end, False when there is none that starts.

    `main.run_pico(slot, said)` gets the slot that runs ("" for an image) and None or, in words, why it is not the one
    that was wanted. It raises only before it was ready: then the other slot is tried. KeyboardInterrupt goes through.
    """
    if not prompt(top):
        _shut()
    sys.path[:] = [FROZEN]
    try:
        __import__("shoe_image")
    except ImportError:
        pass
    else:
        try:
            _load(FROZEN).run_pico("", None)
            return True
        except Exception as error:
            _show(error)
            say("start: the image's firmware does not start: %s: %s" % (type(error).__name__, error))
            return False
    wanted = named(top)
    said = None if wanted else "/slot names no slot"
    for slot in SLOTS if wanted != SLOTS[1] else (SLOTS[1], SLOTS[0]):
        wrong = check(slot, top)
        if not wrong:
            try:
                loaded = _load(top + slot)
                if said:
                    say("start: slot %s, since %s" % (slot, said))
                loaded.run_pico(slot, said)
                return True
            except Exception as error:
                wrong = "%s: %s" % (type(error).__name__, error)
                _show(error)
        said = (said + "; " if said else "") + "slot %s: %s" % (slot, wrong)
    say("start: no firmware runs: %s. Install it with `shoetool flash`." % said)
    return False


def main():
    """What /main.py does."""
    if not (run() or prompt()):
        import time

        import machine

        time.sleep(10)  # a unit without a prompt tries again, and writes nothing
        machine.reset()
