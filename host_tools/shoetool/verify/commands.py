"""Who could change the shoe while this history was written: provisioned or open, and what became of every attempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from shoetool.model.naming import message_name
from shoetool.model.protocol_table import Attempt, FaultCode, Firmware, Provisioned
from shoetool.model.records import Record

OPEN_NOTE: Final = "the shoe was not provisioned: anyone on its line could change it"


class Commands:
    """Folds the records of privileged commands into notes. A shoe with no record of its key, in force or damaged, was
    open."""

    def __init__(self) -> None:
        self._shoes = 0
        self._open = 0  # shoes that said nothing of a key when they were opened
        self._said = True
        self._fingerprints: dict[str, int] = {}  # and the record that told it first
        self._damaged: list[int] = []  # records, each of a start or of a shoe that was opened
        self._made: list[int] = []  # records, here and below: they are few, each was a request by hand
        self._renewed: list[int] = []
        self._given: Counter[str] = Counter()
        self._accepted: list[int] = []
        self._refusals: list[int] = []
        self._refused = 0
        self._unannounced: list[int] = []
        self._configured: list[int] = []
        self.unsigned: Callable[[Sequence[int]], str] = lambda records: ""
        """Words about those of these records that are not signed although the shoe before them is; or nothing."""

    def shoe_opened(self) -> None:
        """A shoe begins; the record of the key in force follows when there is one."""
        self._settle()
        self._shoes += 1
        self._said = False

    def _settle(self) -> None:
        self._open += not self._said
        self._said = True

    def provisioned(self, record: Record) -> None:
        """Commands need the key of this fingerprint."""
        self._fingerprints.setdefault(record.fingerprint.hex(), record.number)
        if record.get("why") == Provisioned.RENEWED:
            self._renewed.append(record.number)
        if record.get("why") == Provisioned.MADE:
            self._made.append(record.number)
        self._said |= record.get("why") != Provisioned.MADE

    def fault(self, record: Record) -> None:
        """The stored key was damaged: the shoe took no privileged command, with a key or without."""
        if record.get("code") == FaultCode.COMMAND_KEY:
            self._damaged.append(record.number)
            self._said = True

    def attempt(self, record: Record) -> None:
        """Somebody tried a privileged command."""
        if record.get("result") == Attempt.ACCEPTED:
            self._given[message_name(record.request)] += 1
            self._accepted.append(record.number)
        else:
            self._refused += 1
            self._refusals.append(record.number)
        self._refused += record.unrecorded

    def firmware(self, record: Record) -> None:
        """The firmware was compared with what was announced."""
        if record.get("result") == Firmware.NOT_ANNOUNCED:
            self._unannounced.append(record.number)

    def configured(self, record: Record) -> None:
        """Settings were written."""
        self._configured.append(record.number)

    def notes(self) -> list[str]:
        """What a reader of the report should know; nothing about a file without a shoe."""
        self._settle()
        out: list[str] = []

        def say(text: str, records: Sequence[int]) -> None:
            if records:
                words = self.unsigned(records)
                out.append(f"{text}; {words}" if words else text)

        if self._shoes and self._open == self._shoes:
            out.append(OPEN_NOTE)
        elif self._open:
            out.append(f"{OPEN_NOTE}, for {self._open} of {self._shoes} shoes")
        if self._open < self._shoes:
            told = list(self._fingerprints.values())
            say(f"commands to the shoe needed its key ({', '.join(self._fingerprints)})", told)
        say("its stored command key was damaged: it took no privileged command", self._damaged)
        say("it was provisioned while this history was written", self._made)
        say("its command key was replaced", self._renewed)
        given = ", ".join(f"{name} {count}" for name, count in sorted(self._given.items()))
        say(f"privileged commands given with the key: {given}", self._accepted)
        if self.unsigned(self._configured):
            say("settings were written", self._configured)
        if self._refused:
            say(f"privileged commands refused: {self._refused}", self._refusals or self._accepted)
        say("the shoe started with firmware that was not announced", self._unannounced)
        return out
