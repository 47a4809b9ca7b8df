"""What CPython lacks of MicroPython, so that every other module of `shoe` imports the same names on both."""

try:
    import micropython  # pyright: ignore[reportAssignmentType]
    from micropython import const, heap_lock, heap_unlock  # pyright: ignore[reportAssignmentType]

    MICROPYTHON = MACHINE_CODE = True  # decided already where a module is compiled, see inline_constants.py
except ImportError:
    MICROPYTHON = MACHINE_CODE = False

    class micropython:
        """Code that MicroPython compiles to machine code where it can stays as it is."""

        native = staticmethod(lambda function: function)
        viper = native

    def const(value):
        """Return `value`; MicroPython's compiler folds it instead."""
        return value

    def heap_lock():
        """Do nothing: CPython has no heap lock."""

    def heap_unlock():
        """Do nothing: CPython has no heap lock."""


try:
    import time

    ticks_add = time.ticks_add  # pyright: ignore[reportAttributeAccessIssue]
    ticks_diff = time.ticks_diff  # pyright: ignore[reportAttributeAccessIssue]
    if ticks_add(0, -1) != 0x3FFFFFFF:  # a 64-bit MicroPython wraps elsewhere; ours wrap at 2^30 on every board
        raise AttributeError
except AttributeError:
    _PERIOD = 1 << 30
    _HALF = _PERIOD >> 1

    def ticks_add(ticks, delta):
        """Return `ticks` + `delta` in the wrapping 30-bit tick domain."""
        return (ticks + delta) & (_PERIOD - 1)

    def ticks_diff(end, start):
        """Return the signed distance from `start` to `end`, right while it is below 2^29."""
        return ((end - start + _HALF) & (_PERIOD - 1)) - _HALF


def ptr32(buf):
    """Return `buf`: machine code has pointers of this name instead."""
    return buf


ptr8 = ptr32


def uint(value):
    """Return `value`; machine code computes in words."""
    return value
