"""What the unix port and CPython do differently with the process: raw files, non-blocking descriptors, sudden death."""

import gc

from shoe.compat import MICROPYTHON


def raw_file(descriptor, mode):
    """Open `descriptor` unbuffered: one read or write is one system call."""
    if MICROPYTHON:
        return open(descriptor, mode)
    return open(descriptor, mode, buffering=0, closefd=False)


def set_nonblocking(descriptor):
    """Reads and writes of `descriptor` return at once from now on."""
    if MICROPYTHON:
        import ffi  # the unix port has no fcntl

        fcntl = ffi.open("libc.so.6").func("i", "fcntl", "iii")
        fcntl(descriptor, 4, fcntl(descriptor, 3, 0) | 0x800)  # F_SETFL, F_GETFL, O_NONBLOCK of Linux
    else:
        import os

        os.set_blocking(descriptor, False)


def collect_after(used):
    """Memory is collected when that many bytes were used since the last time; CPython has its own way."""
    if MICROPYTHON:
        gc.threshold(used)  # pyright: ignore[reportAttributeAccessIssue]


def names(folder):
    """Generator: the names in `folder`; none when it is no folder. On MicroPython it takes one of them at a time."""
    import os

    try:
        if MICROPYTHON:
            for entry in os.ilistdir(folder):  # pyright: ignore[reportAttributeAccessIssue]
                yield entry[0]
        else:
            yield from os.listdir(folder)
    except OSError:
        return


def die():
    """End the process at once, as a power cut does: nothing is flushed, no handler runs."""
    if MICROPYTHON:
        import ffi

        ffi.open("libc.so.6").func("v", "_exit", "i")(137)
    else:
        import os

        os._exit(137)
