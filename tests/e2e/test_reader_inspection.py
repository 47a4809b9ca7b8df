"""The guided inspection of the card reader device against the whole firmware: the questions, the cards, the records."""

from __future__ import annotations

from pathlib import Path

import pytest
from deal_table import Table, records_of, table
from shoesim.piles import Item
from shoesim.scenario import Scenario
from shoetool.cli.reader_test import LAMPS, TAMPERING, inspect
from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import FaultCode, Key, Phase, RecordKind

CLAUSE = "633a.2(f) second sentence"


class Floorperson:
    """Answers the questions and slides the test card that is asked for, or another one."""

    def __init__(self, shoe: Table, no: str = "", wrong: int = 0) -> None:
        self.shoe, self.no, self.wrong = shoe, no, wrong
        self.asked: list[str] = []
        self.told: list[str] = []

    def ask(self, question: str) -> bool:
        self.asked.append(question)
        return question != self.no

    def tell(self, text: str) -> None:
        self.told.append(text)
        if text.startswith("Slide test card T"):
            number = int(text[len("Slide test card T")])
            card = 52 + number
            if self.wrong:
                self.wrong -= 1
                card = 53 + number % 4
            self.shoe.rig.peek(Item(card, 1))


def inspection(shoe: Table, **slips: object) -> tuple[list[str], Floorperson]:
    person = Floorperson(shoe, **slips)  # type: ignore[arg-type]
    return inspect(shoe.client, person.ask, person.tell, patience_s=5.0), person


@pytest.mark.clause(CLAUSE)
def test_four_test_cards_pass_and_are_recorded(tmp_path: Path) -> None:
    with table(Scenario(decks=1, players=(2, 3)), tmp_path) as shoe:
        steps, person = inspection(shoe)
        records = records_of(shoe.pull())
    assert steps == ["begun", "card_1", "card_2", "card_3", "card_4", "passed"]
    assert person.asked == [TAMPERING, LAMPS]
    assert sum(text.startswith("Slide") for text in person.told) == 4
    assert [record.values[0] for record in records if record.kind == RecordKind.READER_TEST] == [0, 1, 2, 3, 4, 5]


@pytest.mark.clause(CLAUSE)
def test_a_wrong_card_is_asked_for_again_and_three_fail_it(tmp_path: Path) -> None:
    with table(Scenario(decks=1, players=(2, 3)), tmp_path) as shoe:
        assert inspection(shoe, wrong=2)[0] == [
            "begun",
            "again",
            "again",
            "card_1",
            "card_2",
            "card_3",
            "card_4",
            "passed",
        ]
        assert inspection(shoe, wrong=9)[0] == ["begun", "again", "again", "again", "failed"]
        assert shoe.client.status().fault == FaultCode.READER


@pytest.mark.clause("633a.14(k)")
@pytest.mark.parametrize("no", [TAMPERING, LAMPS])
def test_a_no_stops_the_table_until_an_inspection_passes(no: str, tmp_path: Path) -> None:
    with table(Scenario(decks=1, players=(2, 3)), tmp_path) as shoe:
        assert inspection(shoe, no=no)[0] == ["failed"]
        assert shoe.client.status().fault == FaultCode.READER and shoe.rig.lamps().card_stop
        assert not shoe.client.key(Key.SUPERVISOR, 0)[0]
        assert inspection(shoe)[0][-1] == "passed"
        assert shoe.client.status().fault == 0 and not shoe.rig.lamps().card_stop


def test_without_a_reader_the_shoe_refuses_in_one_line(tmp_path: Path) -> None:
    with table(Scenario(decks=1, players=(2, 3), reader=False), tmp_path) as shoe:
        with pytest.raises(DeviceError, match="no card reader device"):
            inspection(shoe)
        assert shoe.client.status().phase == Phase.EMPTY
