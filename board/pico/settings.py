"""What one board is like, from `/board.json`: the line to the table's computer, the heads that are there, the prompt.

    {"link": "uart", "rs485": false, "heads": 3, "cards": "poker", "panel": true, "repl": true}

A setting that is missing has its default, and so has one that is wrong: the shoe starts all the same, since a card that
is read counts for more than a lamp that is not there. `wrong` then holds one line that says what to change. The
defaults are those of a table unit without a computer: nothing that they leave on lets anyone in from outside.
"""

import json
from errno import ENOENT

PATH = "/board.json"
LINKS = ("uart", "cdc")
CARDS = ("poker", "bridge")
_NAMES = ("link", "rs485", "heads", "cards", "panel", "repl")


class Settings:
    """`link` "uart" (UART0) or "cdc" (second USB interface); `rs485` whether pin 2 enables a transceiver's driver;
    `heads` 1 to 3 read heads, from side A on; `cards` their size, "poker" (63 mm) or "bridge" (57 mm); `panel` whether
    the chain of shift registers is there; `repl` whether the prompt may be had on the USB port inside the case, see
    firmware/SECURITY.md; `wrong` what is wrong with the file.
    """

    def __init__(self):
        self.link = "uart"
        self.rs485 = False
        self.heads = 3
        self.cards = "poker"
        self.panel = True
        self.repl = True
        self.wrong = ""


def load(path=PATH):
    """The settings in `path`; the defaults, and `wrong` said, for what it does not say or says wrongly."""
    settings = Settings()
    try:
        with open(path) as file:
            said = json.load(file)
    except OSError as error:
        if error.errno == ENOENT:
            return settings  # no file: the defaults, which is no error
        settings.repl = False
        settings.wrong = path + ": cannot be read; defaults are in force, without a prompt: write it anew"
        return settings
    except ValueError:
        settings.repl = False  # somebody meant to say something: not more than he may have taken away
        settings.wrong = path + ": not JSON; defaults are in force, without a prompt: write it anew"
        return settings
    if not isinstance(said, dict):
        settings.repl = False
        settings.wrong = path + ": not an object of settings; defaults are in force, without a prompt: write it anew"
        return settings
    for name in said:
        value = said[name]
        wanted = _wanted(name, value)
        if not wanted:
            setattr(settings, name, value)
        elif not settings.wrong:
            settings.wrong = path + ": " + name + ": " + wanted + "; correct it"
        if wanted and name == "repl":
            settings.repl = False
    return settings


def _wanted(name, value):
    """What `name` may be, when `value` is not one of it; else nothing."""
    if name not in _NAMES:
        return "no such setting, one of " + ", ".join(_NAMES)
    if name in ("link", "cards"):
        choices = LINKS if name == "link" else CARDS
        return "" if value in choices else "must be one of " + ", ".join(choices)
    if name == "heads":
        return "" if value.__class__ is int and 1 <= value <= 3 else "must be 1, 2 or 3"
    return "" if value is True or value is False else "must be true or false"
