"""A meter that was won, and a record that does not tell what it stood at: the amount is not guessed."""

from __future__ import annotations

from typing import Any

import pytest
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Game, Role
from shoetool.verify import CANNOT_TELL
from shoetool.verify.findings import Finding
from short_shoe import Short
from table_case import findings, line, rules_of, seat


def against_seven_cards(**more: Any) -> list[Finding]:
    """Position 1 has a 20 and a Bad Beat wager of 5.00, the dealer a 21 with seven cards."""
    s = Short()
    s.start(1)
    s.opening({1: "KC"}, "2D", {1: "QD"}, "2H")
    s.stand(1)
    s.reveal()
    for card in ("2C", "3S", "3D", "4D", "5D"):
        s.card(Role.DEALER_DRAW, 0, card)
    s.close(21)
    s.end()
    one = line(1, seat(1, "stand", side={"bad_beat": "5.00"}), **more)
    return [one for one in findings(s, [one], rules_of(Game.BLACKJACK, "bad_beat")) if one.check != reg.READER]


@pytest.mark.clause("633a.13(j)(1)")
def test_the_whole_meter_is_judged_by_what_the_record_says_it_stood_at() -> None:
    paid = [
        {"position": 1, "wager": "main", "amount": "-10.00"},
        {"position": 1, "wager": "bad_beat", "amount": "6995"},
    ]
    assert against_seven_cards(paid=paid, meters={"bad_beat": "7000.00"}) == []
    (wrong,) = against_seven_cards(paid=paid, meters={"bad_beat": "7100.00"})
    assert wrong.check == reg.PAID and wrong.payment is not None and wrong.payment.due - wrong.payment.paid == 100_00


@pytest.mark.clause("633a.13(j)(1)")
def test_without_it_the_payments_are_not_judged_which_is_said() -> None:
    paid = [
        {"position": 1, "wager": "main", "amount": "-10.00"},
        {"position": 1, "wager": "bad_beat", "amount": "6995"},
    ]
    (told,) = against_seven_cards(paid=paid)
    assert (told.check, told.verdict) == (reg.UNSETTLED, CANNOT_TELL)
    assert "Bad Beat Progressive won from its meter, and the record does not give the meter" in told.sentence
