"""The virtual board: the board interface on the MicroPython unix port and on CPython, fed by a simulator over pipes."""
