"""The sealed part of the demo: one hole card of a history, first a commitment, then opened and checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from shoetool.model.cards import VALUES, card_name
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import RecordKind, Role
from shoetool.model.records import Record
from shoetool.report.faces import name
from shoetool.report.findings import VERIFIED
from shoetool.verify.evidence import opens

_FACES: Final = len(VALUES)


@dataclass(frozen=True, slots=True)
class SealedHole:
    """A hole card as the history holds it: sealed in one record, opened in a later one."""

    round: int
    sealed: int
    commitment: bytes
    opened: int
    card: int
    batch: int
    nonce: bytes

    @property
    def agrees(self) -> bool:
        """Whether the commitment is to this nonce and face, and to no other face of the batch."""
        faces = [card for card in range(_FACES) if opens(self.commitment, self.nonce, card, self.batch)]
        return faces == [self.card]

    def document(self) -> dict[str, Any]:
        """Return the hole card, with JSON types only."""
        return {
            "round": self.round,
            "sealed": self.sealed,
            "commitment": self.commitment.hex(),
            "opened": self.opened,
            "card": card_name(self.card),
            "batch": self.batch,
            "nonce": self.nonce.hex(),
            "agrees": self.agrees,
        }


def first_hole(records: Iterable[Record]) -> SealedHole:
    """Return the first hole card of a history that was sealed and opened. BadInput when there is none."""
    round_ = 0
    waiting: dict[int, bytes] = {}
    for record in records:
        values = record.values
        if record.kind == RecordKind.ROUND_OPENED:
            round_ = values[0]
        elif record.kind == RecordKind.SEALED and values[0] == Role.HOLE:
            waiting[record.number] = values[4]
        elif record.kind == RecordKind.OPENED and values[0] in waiting:
            number, _, _, _, card, batch, nonce = values
            return SealedHole(round_, number, waiting[number], record.number, card, batch, nonce)
    raise BadInput("no hole card of this history was sealed and opened")


def show(screen: Console, hole: SealedHole, number: int) -> None:
    """Print what lay on the table before and after, and that both agree. No line is longer than 80 columns."""
    screen.print(
        f"{number} of {number + 1} · the hole card of round {hole.round} in the first history, sealed and opened"
    )
    screen.print(f"  before: record {hole.sealed}, face down {name(None)}, commitment")
    screen.print(f"          {hole.commitment.hex()}")
    screen.print(f"  after:  record {hole.opened}, opened: {card_name(hole.card)} of batch {hole.batch}, nonce")
    screen.print(f"          {hole.nonce.hex()}")
    if hole.agrees:
        text = f"  nonce and face agree with the commitment; none of the other {_FACES - 1} faces agrees"
        screen.print(Text(text, VERIFIED))
    else:
        screen.print(Text("  NONCE AND FACE DO NOT AGREE WITH THE COMMITMENT", "bright_red"))
    screen.print()
