"""Composition root: the board and the application. `main.py --virtual <state folder> [--link-fd N]`."""

import gc
import sys


def _here():
    """Folder of this file, as given on the command line."""
    path = __file__
    return path[: path.rindex("/")] if "/" in path else "."


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
    sys.path[0:0] = [here, here + "/../board"]
    from shoe.app import App, where  # first: it compiles the most, while the heap is still in one piece

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
