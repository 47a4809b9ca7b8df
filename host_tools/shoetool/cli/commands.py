"""The command table: every command of shoetool, its module, and its line in `shoetool --help`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """One command: its name, the module of `shoetool.cli` whose `command` it is, and its line in the help."""

    name: str
    module: str
    line: str


COMMANDS: Final = (
    Entry("devices", "devices", "list the shoes on this machine's serial ports"),
    Entry("info", "info", "show a shoe's identity, state and histories"),
    Entry("doctor", "doctor", "look at a shoe part by part, and say what to do"),
    Entry("monitor", "monitor", "watch the table live"),
    Entry("serve", "serve", "serve the live tables to browsers and programs"),
    Entry("pull", "pull", "fetch histories off a shoe into files"),
    Entry("replay", "replay", "show a history round by round"),
    Entry("verify", "verify", "check histories clause by clause"),
    Entry("export", "export", "write histories as tables for DuckDB, Polars and others"),
    Entry("archive", "archive", "keep histories, and find every round again"),
    Entry("audit", "audit", "test shuffle, deal and equipment of many shoes against chance"),
    Entry("keys", "keys", "show, pin and export the public keys of shoes"),
    Entry("log", "log", "log what shoes signed, so that none can be withheld or exchanged"),
    Entry("settle", "settle", "settle rounds by the rules, to the cent"),
    Entry("enter", "enter", "ask for a round hand by hand, and write its round file"),
    Entry("report", "report", "write a night as one page, with the register of its findings"),
    Entry("case", "case", "write the file of a dispute: one round as a page and a sheet"),
    Entry("table", "table", "check a table's rules submission"),
    Entry("clause", "clause", "say what a clause asks, and what checks it"),
    Entry("paytables", "paytables", "print what each wager pays"),
    Entry("odds", "odds", "exact odds of dealer's hand, main wager and optional wagers"),
    Entry("simulate", "simulate", "deal a named scenario on the virtual board"),
    Entry("configure", "configure", "show or change a shoe's settings"),
    Entry("calibrate", "calibrate", "set the thresholds of the read heads, step by step"),
    Entry("provision", "provision", "give a shoe the key that its commands need"),
    Entry("flash", "flash", "put the firmware onto a board over USB"),
    Entry("update", "update", "announce new firmware to a shoe"),
    Entry("selftest", "selftest", "run a shoe's self-test"),
    Entry("trace", "trace", "show the raw edges of the last passes"),
    Entry("dump", "dump", "print the frames of a recorded line, or write them for Wireshark"),
    Entry("strip", "strip", "draw the printed code strips of cards"),
    Entry("demo", "demo", "deal, watch, fetch, replay and verify two shoes"),
    Entry("completion", "completion", "print the shell completion for bash, zsh or fish"),
)
