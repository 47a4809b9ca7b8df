"""Composition root: the board and the application. `main.py --virtual <state folder> [--link-fd N]`.

MicroPython takes the modules that build.py compiled when they are there and current, else the sources. Names and paths
stay in its RAM, so there are few of them here, and the paths of modules are short.
"""

import gc
import os
import sys


def _compiled(path):
    """Whether the modules compiled by build.py below `path` are there, and none is older than its source."""
    for folder in ("firmware/shoe/", "board/virtual/"):
        try:
            for name in os.listdir(path + folder):
                if name.endswith(".py"):
                    compiled = path + "build/" + folder + name[:-3] + ".mpy"
                    if os.stat(compiled)[8] < os.stat(path + folder + name)[8]:
                        return False
        except OSError:
            return False
    return True


def main(path, name, link):
    """Run the shoe on the virtual board that keeps its state in folder `name` until the board ends it."""
    if name[:1] != "/":
        name = os.getcwd() + "/" + name
    if sys.implementation.name == "micropython":
        # Modules leave holes, which the next one fills if they are found at once.
        gc.threshold(4096)  # pyright: ignore[reportAttributeAccessIssue]
        if _compiled(path):
            os.chdir(path + "build")
            path = ""
        else:
            sys.stderr.write("running from source, which takes more heap: python firmware/build.py compiles it\n")
    sys.path[0:0] = [path + "firmware", path + "board"]
    import asyncio

    from shoe.app import App
    from shoe.app_defect import crashed
    from virtual.board import VirtualBoard

    board = VirtualBoard(name, link)
    try:
        asyncio.run(App(board).run())
    except Exception as error:
        crashed(board, error)
        return 1
    return 0


if __name__ == "__main__":
    if "--virtual" not in sys.argv[:-1]:
        sys.stderr.write("usage: main.py --virtual <state folder> [--link-fd N]\n")
        sys.exit(2)
    sys.exit(
        main(
            (__file__[: __file__.rindex("/")] if "/" in __file__ else ".") + "/../",
            sys.argv[sys.argv.index("--virtual") + 1],
            int(sys.argv[sys.argv.index("--link-fd") + 1]) if "--link-fd" in sys.argv else -1,
        )
    )
