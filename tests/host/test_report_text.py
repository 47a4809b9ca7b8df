"""Rounds, findings and records as text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from shoetool.model.protocol_table import FAULTS, IRREGULARITYS, RECORDS, HandEnd, Role
from shoetool.model.records import Record, decode_record, make_record
from shoetool.report.findings import finding_lines, numbers, verdict_line
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.report.sentences import fault_sentence, irregularity_sentence, sentence


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: RECORDS[kind]["name"])
@pytest.mark.parametrize("fill", [0, 1, 0xFF])
def test_every_record_has_a_sentence_whatever_its_values(kind: int, fill: int) -> None:
    record = decode_record(7, 1, 0, kind, bytes([fill]) * 64)
    line = sentence(record)
    assert line and "\n" not in line and not line.startswith("Record of kind")


@pytest.mark.parametrize("code", IRREGULARITYS)
def test_every_irregularity_is_said_as_protocol_toml_says_it(code: int) -> None:
    assert IRREGULARITYS[code]["means"] in irregularity_sentence(code, 3)


@pytest.mark.parametrize("code", FAULTS)
def test_every_fault_says_what_it_means_and_what_to_do(code: int) -> None:
    assert FAULTS[code]["act"] in fault_sentence(code, 0)
    assert FAULTS[code]["means"].rstrip(".") in fault_sentence(code)


def test_a_sealed_record_says_no_face() -> None:
    record = make_record(1, "sealed", Role.HOLE, 0, 0, 0, bytes(32))
    assert sentence(record) == "░░ face down to the dealer: hole card, side A."


def history() -> list[Record]:
    made: list[Record] = []

    def add(name: str, *values: int | bytes) -> int:
        made.append(make_record(len(made) + 1, name, *values))
        return len(made)

    add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    add("loaded", 0, 312)
    add("sealed", Role.BURN, 14, 0, 0, bytes(32))
    add("round_opened", 1, 0b100)
    add("card", Role.OPENING, 3, 0, 0, 7, 1, 100, 200)
    add("card", Role.DEALER_UP, 0, 0, 0, 9, 1, 100, 200)
    add("card", Role.OPENING, 3, 0, 0, 12, 1, 100, 200)
    hole = add("sealed", Role.HOLE, 0, 0, 0, bytes(32))
    add("irregularity", 12, 3, 0, 0, 0)
    add("hand_ended", 3, 0, HandEnd.STAND)
    add("opened", hole, Role.HOLE, 0, 0, 51, 1, bytes(16))
    add("round_closed", 1, 0, 20)
    add("round_opened", 2, 0b1)
    add("card", Role.OPENING, 1, 0, 0, 20, 1, 100, 200)
    return made


def test_a_history_reads_as_rounds_with_what_happened_in_between() -> None:
    text = []
    for part in blocks(history()):
        text += [line.plain for line in part.lines()] if isinstance(part, RoundBlock) else [part.plain]
    assert text[0].startswith("· A new history: Blackjack, 6 decks")
    first = next(line for line in text if line.startswith("Round 1"))
    assert "records 4 to 12" in first
    assert any(line.split() == ["position", "3", "8♣", "K♣", "18", "stand"] for line in text)
    assert any(line.split() == ["dealer", "10♣", "K♠", "20"] for line in text)
    assert any("A requested card was missed" in line and "(record 9)" in line for line in text)


def test_a_round_that_the_file_cuts_off_is_shown_as_not_closed() -> None:
    last = [part for part in blocks(history()) if isinstance(part, RoundBlock)][-1]
    assert last.number == 2 and not last.closed
    assert "not closed" in last.lines()[0].plain


@dataclass
class Found:
    """Stands in for a finding."""

    clause: str = "633a.7(c) batch"
    verdict: str = "breach"
    records: tuple[int, ...] = (3, 4, 5, 9)
    cards: tuple[int, ...] = (35, 63)
    sentence: str = "No card was burned after the batch was loaded on side A, although the clause asks for one."
    reading: str = "one burn after each load of a full batch"


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_finding_shows_verdict_clause_sentence_and_proof(width: int) -> None:
    lines = [line.plain for line in finding_lines(Found(), width, with_reading=True)]
    assert "BREACH" in lines[0] and "633a.7(c) batch" in lines[0]
    assert any("records 3 to 5, 9" in line and "10♥" in line for line in lines)
    assert any("reading taken" in line for line in lines)
    assert max(len(line) for line in lines) <= width


def test_the_verdict_line_of_a_clean_file() -> None:
    assert "verified, 0 findings" in verdict_line("a.shoelog", 0).plain
    assert "1 finding" in verdict_line("a.shoelog", 1).plain and "findings" not in verdict_line("a.shoelog", 1).plain


def test_many_record_numbers_are_cut_short() -> None:
    assert numbers([1, 2, 5]) == "1, 2, 5"
    assert numbers(range(0, 100, 2)).endswith("and 38 more")
