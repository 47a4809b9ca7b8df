"""The drawn table: what the records say lies there, in the columns that a terminal has, and no face too many."""

from __future__ import annotations

import io

import pytest
from made_record import make_record
from rich.console import Console
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Lamp, Role
from shoetool.model.records import Record
from shoetool.report import faces
from shoetool.report.live import TableDrawing, draw
from shoetool.report.sentences import sentence
from shoetool.report.table_view import TableView

COMMITMENT = bytes(range(32))
KING_OF_SPADES = 51
TEN_OF_HEARTS = 35
ACE_OF_CLUBS = 0


class Shoe:
    """Records in their order, folded into a view as they are made."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.view = TableView()

    def add(self, name: str, *values: int | bytes) -> int:
        record = make_record(len(self.records) + 1, name, *values)
        self.records.append(record)
        self.view.feed(record)
        return record.number

    def card(self, role: Role, box: int, card: int, head: int = 0, hand: int = 0) -> int:
        return self.add("card", role, box, hand, head, card, 1 + head, 120, 200)

    def sealed(self, role: Role, box: int, head: int = 0, hand: int = 0) -> int:
        return self.add("sealed", role, box, hand, head, COMMITMENT)

    def opened(self, sealed: int, role: Role, box: int, card: int, hand: int = 0) -> int:
        return self.add("opened", sealed, role, box, hand, card, 1, bytes(16))

    def text(self, width: int = 80, height: int = 24) -> str:
        return "\n".join(line.plain for line in draw(self.view, width, height))


@pytest.fixture
def single() -> Shoe:
    shoe = Shoe()
    shoe.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    shoe.add("loaded", 0, 312)
    return shoe


@pytest.fixture
def double() -> Shoe:
    shoe = Shoe()
    shoe.add("shoe_opened", 0, 1, 8, 1, 2, 0, 7, 0, 12)
    shoe.add("loaded", 0, 208)
    shoe.add("loaded", 1, 208)
    return shoe


def test_a_hole_card_is_a_back_until_it_is_turned(single: Shoe) -> None:
    single.add("round_opened", 1, 1)
    single.card(Role.DEALER_UP, 0, TEN_OF_HEARTS)
    hole = single.sealed(Role.HOLE, 0)
    assert faces.BACK in single.text() and "K♠" not in single.text()
    assert "10 shown" in single.text()
    single.add("revealed", hole)
    assert "K♠" not in single.text()
    single.opened(hole, Role.HOLE, 0, KING_OF_SPADES)
    assert "K♠" in single.text() and "DEALER  20" in single.text()


def test_a_burn_card_is_counted_and_marked_and_never_drawn_face_up(single: Shoe) -> None:
    burn = single.sealed(Role.BURN, 14)
    assert "BURN" in single.text() and "burned 1" in single.text()
    single.opened(burn, Role.BURN, 14, KING_OF_SPADES)
    assert "K♠" not in single.text()


def test_the_determinant_names_its_side_and_the_side_it_chose(double: Shoe) -> None:
    double.add("round_opened", 1, 0b11)
    double.card(Role.DETERMINANT_ASIDE, 13, ACE_OF_CLUBS, head=0)
    double.add("side_chosen", 1)
    text = double.text()
    assert "DETERMINANT" in text and "╭───╮ side A" in text and "│ segregated" in text
    assert "dealt from side B" in text
    assert "segregated 1" in text
    assert {Lamp.DEAL_B} == double.view.lamps


def test_a_matching_determinant_is_the_first_card_of_its_player_and_no_second_card(double: Shoe) -> None:
    double.add("round_opened", 1, 0b10)
    double.card(Role.DETERMINANT_FIRST, 2, TEN_OF_HEARTS)
    double.add("side_chosen", 0)
    assert [hand.faces for hand in double.view.hands_of(2)] == [[TEN_OF_HEARTS]]
    assert "│ first card of" in double.text() and "╯ position 2" in double.text()


def test_a_card_drawn_in_error_moves_to_the_place_it_is_used_at(single: Shoe) -> None:
    held = single.sealed(Role.HELD, 12)
    assert "HELD" in single.text()
    single.add("round_opened", 2, 1)
    assert "HELD" in single.text()
    single.opened(held, Role.OPENING, 1, KING_OF_SPADES)
    assert "HELD" not in single.text()
    assert single.view.hands_of(1)[0].faces == [KING_OF_SPADES]


def test_a_split_moves_the_second_card_to_the_new_hand(single: Shoe) -> None:
    single.add("round_opened", 1, 0b100)
    single.card(Role.OPENING, 3, 7)
    single.card(Role.OPENING, 3, 20)
    single.add("split", 3, 0, 1)
    single.card(Role.SPLIT_SECOND, 3, 9)
    assert [hand.faces for hand in single.view.hands_of(3)] == [[7, 9], [20]]


def test_the_bar_shows_how_many_are_out_and_nothing_of_what_remains(single: Shoe) -> None:
    single.add("round_opened", 1, 1)
    single.card(Role.OPENING, 1, KING_OF_SPADES)
    assert "1 of 312 drawn" in single.text()
    assert "left" not in single.text() and "remain" not in single.text()


def test_of_a_carried_side_only_the_number_of_cards_is_shown(double: Shoe) -> None:
    dealt = bytes([0x21]) + bytes(25)
    number = double.add("carried", 1, 1, dealt)
    assert "4 of 208 drawn" in double.text()
    assert dealt.hex() not in sentence(double.records[number - 1])


def test_a_fault_is_named_with_what_to_do_until_it_is_cleared(single: Shoe) -> None:
    single.add("fault", 1, 0, 3)
    assert Lamp.STOP in single.view.lamps and "● STOP" in single.text()
    assert "could not be read (side A)" in single.text() and "supervisor: card unknown" in " ".join(
        single.text().split()
    )
    single.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    assert single.view.stopped, "a fault stays latched over a new shoe"
    single.add("cleared", 1, 2)
    assert not single.view.stopped and "○ STOP" in single.text()


def test_the_cover_card_lights_the_last_round(single: Shoe) -> None:
    single.add("cover_card", 0, 5, 3, 1)
    assert Lamp.COVER in single.view.lamps
    single.add("finished", 0, 0, 240)
    assert Lamp.COVER not in single.view.lamps and "finished" in single.text()


def test_an_irregularity_is_shown_with_its_clause(double: Shoe) -> None:
    double.add("round_opened", 1, 1)
    double.add("irregularity", IrregularityCode.WRONG_SIDE, 3, 0, 0, 0)
    assert "633a.14(h) · position 3: a card came" in double.text()


def test_a_foreign_card_is_counted_apart_even_when_it_lay_face_down(double: Shoe) -> None:
    double.card(Role.OPENING, 1, KING_OF_SPADES)
    double.add("card", Role.DISCARDED, 14, 0, 0, KING_OF_SPADES, 2, 120, 200)
    burn = double.sealed(Role.BURN, 14)
    assert "2 of 208 drawn + 1 foreign" in double.text()
    double.add("opened", burn, Role.BURN, 14, 0, KING_OF_SPADES, 2, bytes(16))
    assert "1 of 208 drawn + 2 foreign" in double.text()


def test_more_cards_than_were_loaded_are_too_many(single: Shoe) -> None:
    for _ in range(313):
        single.card(Role.COUNTED, 14, KING_OF_SPADES)
    assert "312 of 312 drawn + 1 too many" in single.text()


def test_the_heading_of_a_closed_double_shoe_fits_80_columns(double: Shoe) -> None:
    double.add("round_opened", 115, 1)
    double.add("side_chosen", 1)
    double.add("round_closed", 115, 0, 20)
    heading = double.text().splitlines()[0]
    assert heading.endswith("round 115 · side B · round closed")
    double.add("shoe_closed", 0, 115, 415)
    heading = double.text().splitlines()[0]
    assert heading.endswith("round 115 · side B · shoe closed") and len(heading) <= 80


def crowded(shoe: Shoe) -> None:
    """Seven positions, each split three times, each hand with seven cards: more than any table holds."""
    shoe.add("round_opened", 99, 0x7F)
    for box in range(1, 8):
        for hand in range(4):
            for card in range(7):
                shoe.card(Role.DRAW, box, (box * 7 + card) % 52, hand=hand)
            shoe.add("hand_ended", box, hand, HandEnd.BUST)
    for _ in range(12):
        shoe.card(Role.DEALER_DRAW, 0, ACE_OF_CLUBS)
    for code in IrregularityCode:
        shoe.add("irregularity", code, 7, 0, 0, 0)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("height", [24, 30, 50])
def test_the_drawing_fits_the_terminal_and_keeps_its_height(double: Shoe, width: int, height: int) -> None:
    quiet = draw(double.view, width, height)
    crowded(double)
    full = draw(double.view, width, height)
    assert len(quiet) == len(full) <= height
    assert max(line.cell_len for line in full) <= width


def test_the_drawing_prints_without_colour_and_inside_a_small_terminal(double: Shoe) -> None:
    crowded(double)
    out = io.StringIO()
    Console(file=out, width=40, height=10, color_system=None).print(TableDrawing(double.view))
    assert "DEALER" in out.getvalue() and "\x1b" not in out.getvalue()


def test_records_of_a_newer_shoe_are_passed_over() -> None:
    view = TableView()
    record = Record(1, 1, 0, 120, (b"\x01\x02",))
    view.feed(record)
    assert "does not know" in sentence(record)


@pytest.mark.parametrize(
    ("cards", "shown"),
    [([0, 12], (21, True)), ([0, 0, 9], (12, False)), ([4, None], (5, False)), ([None], None), ([63, 4], None)],
)
def test_the_count_of_what_lies_face_up(cards: list[int | None], shown: tuple[int, bool] | None) -> None:
    """633a.3(e)(1)-(3)."""
    assert faces.total(cards) == shown


def test_a_tall_hand_gives_up_edges_first_and_old_cards_next() -> None:
    assert len(faces.column([1, 2, 3], rows=7)) == 7
    tight = faces.column([1, 2, 3, 4], rows=7)
    assert len(tight) == 6 and "├" not in "".join(line.plain for line in tight)
    most = faces.column(list(range(9)), rows=7)
    assert len(most) == 7 and "+5" in most[1].plain and faces.middle(8) in most[-2].plain
