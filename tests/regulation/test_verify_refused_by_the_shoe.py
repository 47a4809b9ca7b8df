"""Every key that the firmware's own dealing refuses, in many states of a table, is named with the reason.

verify, replay and monitor say the same: the key, what stood in its way, and the rule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / part) for part in ("host", "goldens")]

import pytest
from golden_driver import Driven
from shoetool.judge import registry as reg
from shoetool.model.naming import key_name
from shoetool.model.protocol_table import Clear, Game, Inspection, Key, ShoeKind
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.report.sentences import sentence
from shoetool.report.table_view import TableView
from shoetool.verify import HANDLED, Finding, verify

ARGUMENTS = (0, 1, 3, 0x88)
"""Positions, sides and answers, and one that no key has."""


def ace_up() -> Driven:
    return Driven(reader=True).start().open(1, 2).draw("10C", "9C", "AC", "8C", "KD", "KH")


def failed_reader() -> Driven:
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "KC", "8C", "KD", "9H")
    for _ in range(3):
        d.peek("9H", damaged=True)
    return d


def covered() -> Driven:
    return Driven().start().deal().cover().stand().finish()


def from_the_hand(first: str, second: str, *drawn: str) -> Driven:
    return Driven(Game.FROM_THE_HAND, decks=2).start().open(1).draw(first, "7C", second, "KH", *drawn)


STATES: dict[str, Callable[[], Driven]] = {
    "loaded": lambda: Driven().start(),
    "not burned": lambda: Driven().key(Key.LOAD),
    "one side loaded": lambda: Driven(kind=ShoeKind.DOUBLE, decks=8).key(Key.LOAD, 0),
    "opening deal": lambda: Driven().start().open(1, 2).draw("10C"),
    "determinant due": lambda: Driven(kind=ShoeKind.DOUBLE, decks=8).start().open(1),
    "a hand in turn": lambda: Driven().start().deal(),
    "a hand of three cards": lambda: Driven().start().open(1).draw("2C", "7C", "3C", "KH", "4C"),
    "a double's card is due": lambda: Driven().start().open(1).draw("6C", "7C", "5C", "KH").key(Key.DOUBLE),
    "a split's card is due": lambda: Driven().start().open(1).draw("8C", "7C", "8D", "KH").key(Key.SPLIT),
    "a late card is due": lambda: Driven().start().open(1).draw("2C", "7C", "3C", "KH").stand(1).key(Key.MISSED, 1),
    "all stand": lambda: Driven().start().deal().stand(),
    "hole card turned": lambda: Driven().start().deal().stand().key(Key.REVEAL),
    "an ace up": ace_up,
    "reader said Blackjack": lambda: ace_up().key(Key.INSURANCE, 0).peek("KH"),
    "reader failed": failed_reader,
    "reader inspected": lambda: Driven(reader=True).start().key(Key.READER_TEST, Inspection.BEGIN),
    "cover card out": covered,
    "counting": lambda: covered().key(Key.COUNT, 0).draw("2D"),
    "a card unread": lambda: Driven().start().open(1, 2).draw("10C").draw("9C", damaged=True),
    "a head dirty": lambda: Driven().start().open(1, 2).draw("10C").dirty(),
    "a card held": lambda: Driven().start().deal().draw("2D").key(Key.HOLD, 1),
    "a card held before the deal": lambda: Driven().start().draw("2D"),
    "a burn owed after a refill": lambda: Driven().start().deal().key(Key.REFILL),
    "a reshuffle ordered": lambda: Driven().start().deal().key(Key.RESHUFFLE, 0),
    "a Blackjack from the hand": lambda: from_the_hand("AC", "KC"),
    "a hand from the hand": lambda: from_the_hand("9C", "KC", "2D"),
    "Switch": lambda: Driven(Game.SWITCH).start().open(1).draw("10C", "6C", "7C", "5D", "9D", "KH").key(Key.SWITCH),
    "Spanish 21": lambda: Driven(Game.SPANISH_21).start().open(1).draw("9C", "7C", "8C", "KH"),
    "Free Bet": lambda: Driven(Game.FREE_BET).start().open(1).draw("9C", "7C", "8C", "KH"),
}


def refused(state: str, key: Key) -> list[Driven]:
    """The tables on which the shoe refuses the key in this state, one for each argument."""
    found = []
    for argument in ARGUMENTS:
        d = STATES[state]()
        before = len(d.records())
        d.key(key, argument)
        last = d.records()[before:]
        if [one.values[0] for one in last if one.name == "irregularity"] == [28] and len(last) == 1:
            found.append(d)
    return found


def told(d: Driven) -> Finding:
    return [one for one in verify(d.records()).findings if one.check == reg.KEYS][-1]


@pytest.mark.clause("633a.7(i)")
@pytest.mark.parametrize("state", STATES)
def test_633a_7_i_each_key_that_the_shoe_refuses_is_named_with_a_reason(state: str) -> None:
    many = 0
    for key in Key:
        for d in refused(state, key):
            finding = told(d)
            many += 1
            assert finding.verdict == HANDLED
            assert finding.records == (d.records()[-1].number,)
            assert f'the key "{key_name(key)}" was refused: ' in finding.sentence.replace("The key", "the key")
            assert "it does nothing at that time" not in finding.sentence, (key, finding.sentence)
    assert many > 10


@pytest.mark.clause("633a.10(a)", "633a.11(a)")
def test_633a_10_a_what_a_hand_from_the_hand_had_is_named_as_far_as_it_was_shown() -> None:
    assert "position 1 had a Blackjack" in told(from_the_hand("AC", "KC").key(Key.DOUBLE)).sentence
    assert "position 1 had 3 cards" in told(from_the_hand("9C", "KC", "2D").key(Key.DOUBLE)).sentence
    assert "no pair of equal value (2♦)" in told(from_the_hand("9C", "KC", "2D").key(Key.SPLIT)).sentence


def test_the_same_reason_stands_in_replay_and_in_the_live_view() -> None:
    for state in STATES:
        for key in (Key.DOUBLE, Key.VOID_ROUND, Key.HOLD):
            for d in refused(state, key)[:1]:
                finding, last = told(d), d.records()[-1]
                reason = finding.sentence.split("was refused: ")[1].removesuffix("; nothing changed.")
                view = TableView()
                for record in d.records():
                    view.feed(record)
                said = f'The key "{key_name(key)}" was refused: {reason} ({finding.clause}). Nothing changed.'
                assert view.sentence(last) == said
                assert view.notes[-1] == f'{finding.clause} · the key "{key_name(key)}" was refused: {reason}'
                drawn = [block.lines() if isinstance(block, RoundBlock) else [block] for block in blocks(d.records())]
                assert [line.plain for lines in drawn for line in lines if said in line.plain]


def test_a_refused_key_is_named_where_no_table_is_known() -> None:
    record = Driven().start().key(Key.NEXT_HAND).records()[-1]
    assert sentence(record) == 'The shoe refused the key "next hand". Nothing changed.'


@pytest.mark.clause("633a.7(h) result", "590.7(g)", "635a.7(g)")
@pytest.mark.parametrize(
    ("game", "clause"),
    [(Game.BLACKJACK, "633a.7(h) result"), (Game.FREE_BET, "590.7(g)"), (Game.SPANISH_21, "635a.7(g)")],
)
@pytest.mark.parametrize("key", [Key.DOUBLE, Key.SPLIT, Key.NEXT_HAND, Key.SURRENDER])
def test_633a_7_h_after_blackjack_a_decision_is_refused_by_that_clause(game: Game, clause: str, key: Key) -> None:
    d = Driven(game, reader=True).start().open(1, 2).draw("9C", "9D", "AC", "9H", "KD", "KH")
    d.key(Key.INSURANCE, 0).peek("KH").key(key)
    assert told(d).clause == clause
    assert "had said Blackjack" in told(d).sentence


@pytest.mark.clause("633a.7(a)")
def test_633a_7_a_a_round_is_not_voided_while_a_card_is_unread() -> None:
    d = Driven().start().open(1, 2).draw("10C").draw("9C", damaged=True).key(Key.VOID_ROUND)
    assert told(d).clause == "633a.7(a)" and "was not read" in told(d).sentence
    d.key(Key.SUPERVISOR, Clear.CARD_UNKNOWN).key(Key.VOID_ROUND)
    assert d.records()[-1].name == "round_closed"
