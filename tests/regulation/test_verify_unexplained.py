"""What the shoe reports and its own records do not show is told as not to be told, never passed over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Game, HandEnd, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import CANNOT_TELL
from short_shoe import Short


def not_turned() -> Short:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    s.irr(Irr.HOLE_NOT_REVEALED)
    s.close()
    return s


def too_short_for_nobody(game: Game = Game.BLACKJACK) -> Short:
    """Both hands are over 21: the dealer need not draw to 17."""
    s = Short(game)
    s.start(1, 2)
    s.opening({1: "JC", 2: "9C"}, "6C", {1: "6C", 2: "7D"}, "KH")
    for box in (1, 2):
        s.give(box, "KD", Role.DRAW)
        s.end_hand(box, HandEnd.BUST)
    s.reveal()
    s.irr(Irr.DEALER_SHORT)
    s.close(16)
    return s


def too_short_for_nobody_in_switch() -> Short:
    s = Short(Game.SWITCH)
    s.start(1)
    for hand, card in enumerate(("JC", "9C")):
        s.give(1, card, hand=hand)
    s.up("6C")
    for hand, card in enumerate(("6C", "7D")):
        s.give(1, card, hand=hand)
    s.hole("KH")
    for hand in (0, 1):
        s.give(1, "KD", Role.DRAW, hand=hand)
        s.end_hand(1, HandEnd.BUST, hand=hand)
    s.reveal()
    s.irr(Irr.DEALER_SHORT)
    s.close(16)
    return s


def from_the_wrong_side() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(1)
    s.card(Role.DETERMINANT_FIRST, 1, "10H")
    s.add("side_chosen", 0)
    s.opening({1: "10H"}, "7C", {1: "8C"}, "KH", skip=True)
    s.irr(Irr.WRONG_SIDE)
    s.stand(1)
    s.reveal()
    s.close()
    return s


def drawn_in_error() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.DRAWN_IN_ERROR, 1)
    s.finish_usual()
    return s


def test_in_spanish_21_a_long_hand_may_have_been_decided_so_a_dealer_who_did_not_draw_is_not_told() -> None:
    assert too_short_for_nobody(Game.SPANISH_21).findings() == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (not_turned, "Round 1: the shoe reported "),
        (too_short_for_nobody, "Round 1: the shoe reported "),
        (too_short_for_nobody_in_switch, "Round 1: the shoe reported "),
        (from_the_wrong_side, "Round 1: the shoe reported a card from the wrong side; its records show none that"),
        (drawn_in_error, "The shoe reported a card drawn in error; its records show none."),
    ],
)
def test_a_report_that_the_records_do_not_show_is_told(make: Callable[[], Short], words: str) -> None:
    s = make()
    s.end()
    report = next(record.number for record in s.s.records if record.name == "irregularity")
    (finding,) = s.findings()
    assert (finding.check, finding.verdict, finding.records) == (reg.UNEXPLAINED, CANNOT_TELL, (report,))
    assert finding.sentence.startswith(words)
