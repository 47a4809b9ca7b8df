"""Composition root: the board and the application. `main.py --virtual <state folder> [--link-fd N]`.

MicroPython takes the modules that build.py compiled when they are there and current, else the sources.
"""

import gc
import sys


def _here():
    """Folder of this file, as given on the command line."""
    path = __file__
    return path[: path.rindex("/")] if "/" in path else "."


def _compiled(here):
    """Folders of the modules that build.py compiled, when MicroPython runs and none is older than its source."""
    import os

    if sys.implementation.name != "micropython":
        return None
    root = here + "/../"
    for folder in ("firmware/shoe", "board/virtual"):
        try:
            for name in os.listdir(root + folder):
                if name.endswith(".py"):
                    source = os.stat(root + folder + "/" + name)
                    if os.stat(root + "build/" + folder + "/" + name[:-3] + ".mpy")[8] < source[8]:
                        return None
        except OSError:
            return None
    return [root + "build/firmware", root + "build/board"]


def _virtual(arguments):
    """The virtual board as the command line describes it."""
    from virtual.board import VirtualBoard

    state = arguments[arguments.index("--virtual") + 1]
    link = -1
    if "--link-fd" in arguments:
        link = int(arguments[arguments.index("--link-fd") + 1])
    return VirtualBoard(state, link)


def main(arguments):
    """Run the shoe until the board ends it; returns only on wrong usage."""
    if "--virtual" not in arguments[:-1]:
        sys.stderr.write("usage: main.py --virtual <state folder> [--link-fd N]\n")
        return 2
    here = _here()
    compiled = _compiled(here)
    if compiled is None and sys.implementation.name == "micropython":
        sys.stderr.write("running from source, which takes more heap: python firmware/build.py compiles it\n")
    sys.path[0:0] = compiled or [here, here + "/../board"]
    gc.collect()
    from shoe.app import App, where  # first: it takes the most, while the heap is still in one piece

    gc.collect()
    import asyncio

    board = _virtual(arguments)
    app = App(board)
    try:
        asyncio.run(app.run())
    except Exception as error:
        board.note_boot_cause(4)  # enum.boot_cause crash
        sys.stderr.write(where(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
