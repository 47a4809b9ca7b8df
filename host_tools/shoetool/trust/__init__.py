"""Who signed a history: LMS verification, statements, keys, pins, and the names of the findings about it."""

from typing import Final

VARIABLE: Final = "SHOETOOL_KEYS"
"""The environment variable that names the folder of the pins. Here a command has it without loading the pins."""
