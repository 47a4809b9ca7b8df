"""The firmware's version: alone, since a tool asks for it where no application runs."""

VERSION = b"\x00\x01\x00"  # major, minor, patch
