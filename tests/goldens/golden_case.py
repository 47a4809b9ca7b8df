"""What a golden is made of: a case that writes files and names commands, and the output of each command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Command = tuple[str, ...]
"""The words behind `shoetool`; files by their name alone."""


@dataclass(frozen=True, slots=True)
class Due:
    """What `verify` says wrongly today, and what it should say: the mark of a golden that the redesign changes.

    `told`: for each clause how many findings there should be, 0 for none; a clause stands for all that begin with it.
    `names`: words that must stand in the findings, such as the card. `why`: one sentence for people.
    """

    why: str
    told: Mapping[str, int]
    names: tuple[str, ...] = ()

    def text(self) -> str:
        """The mark for people."""
        told = [f"{number} of {clause.strip() or 'all findings'}" for clause, number in self.told.items()]
        return f"{self.why}\nshould be told: {', '.join([*told, *self.names])}\n"


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the corpus. `make` writes its files into the current folder and returns the commands to run."""

    name: str
    make: Callable[[], list[Command]]
    due: Due | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Cases under one name. Of a `plain` group what people read lies in a text file, all else is compressed."""

    name: str
    cases: Callable[[], list[Case]]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Golden:
    """What a case gave: the digest of each file that it wrote, the text of those that are kept (round files, table
    records, rules submissions), each command's output, and the files that were replaced by their frozen ones before."""

    case: str
    files: Mapping[str, str]
    outputs: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()


def write_text(name: str, text: str) -> str:
    """Write a file of the corpus; its name."""
    Path(name).write_text(text, encoding="utf-8")
    return name
