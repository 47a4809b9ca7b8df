"""Composition root: the board and the application, on the virtual board or an RP2040.

    main.py --virtual <state folder> [--link-fd N] [--compiled]

On an RP2040 start.py imports this module from the slot that it chose and calls `run_pico`.

On the virtual board MicroPython takes the modules that build.py compiled when they are there and current, else the
sources; with --compiled it asks no times of files, which say nothing where both were unpacked. Names and paths stay in
its RAM, so there are few of them here, and the paths of modules are short.
"""

import gc
import os
import sys


def _compiled(path, folder):
    """Whether the modules compiled by build.py of `path` + `folder` are there, and none is older than its source."""
    try:
        for name in os.listdir(path + folder):
            if name.endswith(".py"):
                compiled = path + "build/" + folder + name[:-3] + ".mpy"
                if os.stat(compiled)[8] < os.stat(path + folder + name)[8]:
                    return False
            elif "." not in name and name != "__pycache__" and not _compiled(path, folder + name + "/"):
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
        if "--compiled" in sys.argv or (_compiled(path, "firmware/shoe/") and _compiled(path, "board/virtual/")):
            os.chdir(path + "build")
            path = ""
        else:
            sys.stderr.write("running from source, which takes more heap: python firmware/tools/build.py compiles it\n")
    sys.path[0:0] = [path + "firmware", path + "board"]
    import asyncio

    from shoe.app.app import App
    from shoe.app.recovery import crashed
    from virtual.board import VirtualBoard

    board = VirtualBoard(name, link)
    try:
        asyncio.run(App(board).run())
    except Exception as error:
        crashed(board, error)
        return 1
    return 0


def _forget(*names):
    """Let go of modules of which nothing more is needed: a slot has all modules in RAM. CPython keeps them."""
    for name in names if sys.implementation.name == "micropython" else ():
        package, _, last = name.rpartition(".")
        delattr(sys.modules[package], last)
        del sys.modules[name]


def run_pico(slot, said):
    """Run the shoe on an RP2040 until something ends it; `slot` and `said` as in start.py.

    A Ctrl-C on the USB port ends in the prompt, with card stop and chip at rest, unless board.json forbids it. All else
    that ends it restarts the board. What is raised was raised before the shoe was ready.
    """
    # A collection takes up to 40 ms with all modules loaded: those in the board's wait() do. But modules of a slot
    # leave garbage when they are loaded. A heap full of it has holes everywhere, none large enough for the next module.
    gc.threshold(131072 if slot else -1)  # pyright: ignore[reportAttributeAccessIssue]
    import asyncio
    import time

    import micropython
    from pico import chip, settings

    chosen = settings.load()
    if not chosen.repl:
        micropython.kbd_intr(-1)
    board = None
    cause = chip.SOFT
    try:
        if chosen.wrong:
            print(chosen.wrong)
        from pico.board import PicoBoard

        board = PicoBoard(chosen)  # before the heap is full of modules: the optics want 10 kB in one piece
        from shoe.app.app import App
        from shoe.app.recovery import crashed, lost, where

        if slot:  # the partitions are open
            _forget("pico.partitions", "pico.root")
        if hasattr(asyncio, "core"):  # MicroPython's
            asyncio.core.Loop.set_exception_handler(lost)  # pyright: ignore[reportAttributeAccessIssue]
        try:
            asyncio.run(App(board).run())
        except Exception as error:
            if not board.started:
                # start.py shows what is raised: not the text of an error that may have come upon a sealed card.
                sys.stderr.write(where(error))
                raise RuntimeError("shoe: " + type(error).__name__) from None
            cause = chip.CRASH
            crashed(board, error)
        board.close()
        if chosen.repl:  # so that a Ctrl-C finds a shoe that ends again and again
            time.sleep_ms(1000)  # pyright: ignore[reportAttributeAccessIssue]
    except KeyboardInterrupt:
        micropython.kbd_intr(-1)  # not while the parts are being stopped
        if board is not None:
            board.close()
        chip.note_boot_cause(cause)
        micropython.kbd_intr(3)
        print("shoe stopped, the card stop holds; this is the prompt, Ctrl-D starts the shoe again")
        return 0
    except BaseException:
        if board is not None:
            board.close()
            chip.note_boot_cause(board.boot_cause())  # the other slot's start has the same cause
        raise
    chip.note_boot_cause(cause)
    chip.restart()
    return 1


if __name__ == "__main__" and sys.platform == "rp2":  # frozen into an image
    sys.path[:] = [".frozen"]
    __import__("start").main()
elif __name__ == "__main__":
    if "--virtual" not in sys.argv[:-1]:
        sys.stderr.write("usage: main.py --virtual <state folder> [--link-fd N] [--compiled]\n")
        sys.exit(2)
    sys.exit(
        main(
            (__file__[: __file__.rindex("/")] if "/" in __file__ else ".") + "/../",
            sys.argv[sys.argv.index("--virtual") + 1],
            int(sys.argv[sys.argv.index("--link-fd") + 1]) if "--link-fd" in sys.argv else -1,
        )
    )
