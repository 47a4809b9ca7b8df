"""Rounds, findings and records as text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from made_record import make_record
from shoetool.model.protocol_table import FAULTS, IRREGULARITYS, RECORDS, HandEnd, Role
from shoetool.model.records import Record, decode_record
from shoetool.report.findings import VERIFIED, finding_lines, numbers, verdict_line
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
    means = IRREGULARITYS[code]["means"]
    assert irregularity_sentence(code, 0) == means
    assert irregularity_sentence(code, 3) == f"Position 3: {means[0].lower()}{means[1:]}"


@pytest.mark.parametrize("code", FAULTS)
def test_every_fault_says_what_it_means_and_what_to_do(code: int) -> None:
    assert FAULTS[code]["act"] in fault_sentence(code, 0)
    assert FAULTS[code]["means"].rstrip(".") in fault_sentence(code)


def test_a_sealed_record_says_no_face() -> None:
    record = make_record(1, "sealed", Role.HOLE, 0, 0, 0, bytes(32))
    assert sentence(record) == "░░ face down to the dealer: hole card, side A."


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (("opened", 452, Role.HOLE, 0, 0, 30, 1, bytes(16)), "Record 452 (dealer's hole card) is opened: 5♥."),
        (("opened", 9, Role.BURN, 14, 0, 35, 1, bytes(16)), "Record 9 (burn card) is opened: 10♥."),
        (
            ("opened", 9, Role.DOUBLE_DRAW, 3, 1, 35, 1, bytes(16)),
            "Record 9 (double, position 3 hand 2) is opened: 10♥.",
        ),
        (("revealed", 452), "The dealer turns the hole card."),
        (("finished", 0, 0, 1), "Side A is finished (cover card) after 1 card."),
        (("loaded", 0, 1), "1 card was loaded on side A."),
        (("refilled", 1, 1), "1 card was shuffled back into side B."),
        (("refilled", 1, 2), "2 cards were shuffled back into side B."),
        (("shoe_closed", 0, 1, 6), "The history ends (cover card): 1 round, 6 cards."),
        (("finished", 1, 0, 200), "Side B is finished (cover card) after 200 cards."),
        (("carried", 0, 0, bytes(26)), "Side A was not reshuffled and goes on."),
        (("hand_ended", 2, 1, HandEnd.TWENTY_ONE), "Position 2 hand 2: 21."),
        (("sealed", Role.HELD, 12, 0, 0, bytes(32)), "░░ face down to the table, held: drawn in error, side A."),
    ],
)
def test_what_a_record_says(record: tuple[str | int | bytes, ...], said: str) -> None:
    name, *values = record
    assert sentence(make_record(1, str(name), *values)) == said  # type: ignore[arg-type]


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
    dealer = "dealer 10♣ K♠ 20 hole card opened at the end of the round, not turned"
    assert any(" ".join(line.split()) == dealer for line in text)
    assert any("Position 3: a requested card was missed" in line and "(record 9)" in line for line in text)


def test_a_card_drawn_in_error_is_held_and_a_count_of_21_is_not_said_twice() -> None:
    made = [
        make_record(1, "round_opened", 1, 0b1),
        make_record(2, "card", Role.OPENING, 1, 0, 0, 8, 1, 100, 200),
        make_record(3, "card", Role.OPENING, 1, 0, 0, 11, 1, 100, 200),
        make_record(4, "card", Role.DRAW, 1, 0, 0, 1, 1, 100, 200),
        make_record(5, "hand_ended", 1, 0, HandEnd.TWENTY_ONE),
        make_record(6, "sealed", Role.HELD, 12, 0, 0, bytes(32)),
    ]
    (block,) = [part for part in blocks(made) if isinstance(part, RoundBlock)]
    lines = [line.plain.split() for line in block.lines()]
    assert ["position", "1", "9♣", "Q♣", "2♣", "21"] in lines
    assert ["held", "░░"] in lines


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


def test_a_finding_without_records_has_no_line_of_proof() -> None:
    assert len(finding_lines(Found(records=(), cards=()), 120)) == 2
    assert "record 7 · card 10♥" in finding_lines(Found(records=(7,), cards=(35,)), 120)[-1].plain


def test_the_verdict_line_is_green_for_what_is_verified_and_nothing_else() -> None:
    clean = verdict_line("a.shoelog", "verified", "verified, 0 findings", "2 rounds")
    assert clean.plain == "a.shoelog: verified, 0 findings (2 rounds)"
    part = verdict_line("a.shoelog", "part", "0 findings in a part of a shoe")
    assert part.plain == "a.shoelog: 0 findings in a part of a shoe"
    assert VERIFIED in [span.style for span in clean.spans] and VERIFIED not in [span.style for span in part.spans]


def test_many_record_numbers_are_cut_short() -> None:
    assert numbers([1, 2, 5]) == "1, 2, 5"
    assert numbers(range(0, 100, 2)).endswith("and 38 more")
