"""The portable part of the smart shoe's firmware: runs on MicroPython 1.24+ and, for tests, on CPython 3.11+."""
