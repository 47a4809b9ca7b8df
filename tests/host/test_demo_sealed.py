"""The sealed hole card that the demo shows: found in the records, checked against its commitment, said in words."""

from __future__ import annotations

import dataclasses
import hashlib
import io

import pytest
from rich.console import Console
from shoetool.cli.demo_sealed import SealedHole, first_hole, show
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Position, RecordKind, Role
from shoetool.model.records import Record

NONCE = bytes(range(16))
KING, BATCH = 38, 3
COMMITMENT = hashlib.sha256(NONCE + bytes((KING, BATCH))).digest()


def record(number: int, kind: int, *values: object) -> Record:
    return Record(number, 1, 0, kind, values)


def sealed(number: int, role: int) -> Record:
    return record(number, RecordKind.SEALED, role, Position.DEALER, 0, 0, COMMITMENT)


def opened(number: int, of: int, role: int) -> Record:
    return record(number, RecordKind.OPENED, of, role, Position.DEALER, 0, KING, BATCH, NONCE)


HISTORY = [
    sealed(9, Role.BURN),
    record(10, RecordKind.ROUND_OPENED, 4, 0b1),
    opened(11, 9, Role.BURN),
    sealed(12, Role.HOLE),
    opened(15, 12, Role.HOLE),
]
HOLE = SealedHole(4, 12, COMMITMENT, 15, KING, BATCH, NONCE)


def shown(hole: SealedHole) -> str:
    out = io.StringIO()
    show(Console(file=out, width=80), hole, 3)
    return out.getvalue()


def test_the_first_hole_card_that_was_sealed_and_opened_is_found_and_no_burn_card() -> None:
    assert first_hole(HISTORY) == HOLE and HOLE.agrees


def test_a_history_without_an_opened_hole_card_is_refused() -> None:
    with pytest.raises(BadInput, match="no hole card"):
        first_hole(HISTORY[:-1])


@pytest.mark.parametrize(
    "wrong", [{"card": KING - 13}, {"batch": BATCH + 1}, {"nonce": bytes(16)}, {"commitment": bytes(32)}]
)
def test_another_face_batch_nonce_or_commitment_does_not_agree(wrong: dict[str, object]) -> None:
    hole = dataclasses.replace(HOLE, **wrong)  # type: ignore[arg-type]
    assert not hole.agrees and "DO NOT AGREE" in shown(hole)


def test_before_and_after_are_said_in_80_columns_and_the_face_only_after() -> None:
    text = shown(HOLE)
    before, after = text.split("after:")
    assert COMMITMENT.hex() in before and "face down" in before and "K♥" not in before
    assert "K♥" in after and NONCE.hex() in after and "agree with the commitment" in after
    assert max(map(len, text.splitlines())) <= 80
