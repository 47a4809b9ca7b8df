"""A refused key is named with what stood in its way, under the clause of that rule: deduced from the table's state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.judge import registry as reg
from shoetool.judge.reader import READER
from shoetool.judge.refused import why_refused
from shoetool.model.protocol_table import FaultCode, Finish, Game, HandEnd, Key, Peek, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.report.rounds import with_refused_keys
from shoetool.rules.games import clause_in
from shoetool.table.replay import replay
from shoetool.table.table import PREMIUM
from shoetool.verify import HANDLED
from short_shoe import Short
from test_verify_cover_card import side_a_is_dealt
from verify_cases_switch_hands import Hands

Table = Callable[[], Short]


def dealt(up: str = "7C", first: str = "10C", second: str = "8C", game: Game = Game.BLACKJACK) -> Short:
    """Positions 1 and 2 after the opening deal; position 1 is in turn."""
    s = Short(game)
    s.start(1, 2)
    s.opening({1: first, 2: "9C"}, up, {1: second, 2: "KD"}, "9H")
    return s


def with_records(s: Short, *records: tuple[object, ...]) -> Short:
    for kind, *values in records:
        s.add(str(kind), *values)
    return s


def after_a_hit() -> Short:
    s = dealt(first="2C", second="3C")
    s.give(1, "4C", Role.DRAW)
    return s


def split(hands: int, game: Game = Game.BLACKJACK, second: str | None = "8S") -> Short:
    """Position 1 splits its eights into so many hands; the first one gets its second card, if any."""
    s = dealt(first="8C", second="8D", game=game)
    for number in range(1, hands):
        s.add("split", 1, 0, number)
        if second is not None:
            s.give(1, second, Role.SPLIT_SECOND)
    return s


def switch(*times: int) -> Short:
    s = Short(Game.SWITCH)
    s.start(1)
    for hand, card in ((0, "10C"), (1, "6C")):
        s.give(1, card, hand=hand)
    s.up("7C")
    for hand, card in ((0, "5D"), (1, "9D")):
        s.give(1, card, hand=hand)
    s.hole("KH")
    for _ in times:
        s.add("switched", 1)
    return s


def second_hand() -> Short:
    s = switch()
    s.end_hand(1, HandEnd.STAND)
    return s


def all_stand(s: Short) -> Short:
    s.stand(1, 2)
    return s


def missed() -> Short:
    s = all_stand(dealt(second="2C"))
    s.irr(Irr.MISSED_CARD, 1)
    return s


def turned(s: Short) -> Short:
    s.reveal()
    return s


def between(*records: tuple[object, ...], kind: ShoeKind = ShoeKind.SINGLE) -> Short:
    return with_records(Short(kind=kind), *records)


def late() -> Short:
    """The late card came, and its hand counts less than 21: it goes on, 633a.7(k)."""
    s = missed()
    s.give(1, "2D", Role.LATE)
    return s


def missed_again() -> Short:
    """Both were missed; position 1 got its late card, drew on and was missed again: position 2 is first now."""
    s = missed()
    s.irr(Irr.MISSED_CARD, 2)
    s.give(1, "2D", Role.LATE)
    s.irr(Irr.MISSED_CARD, 1)
    return s


def rescued_too_late() -> Short:
    s = dealt(first="5C", second="6C", game=Game.SPANISH_21)
    s.add("doubled", 1, 0)
    s.give(1, "2D", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.stand(2)
    return turned(s)


COVER = ("cover_card", 0, 1, 15, 1)
INSURED = ("insurance", 0)
PEEKED = ("peek", Peek.NO_BLACKJACK)

CASES: list[tuple[str, Table, Key, str, str]] = [
    ("with a king up", lambda: dealt("KC"), Key.INSURANCE, "633a.8(a)", "K♣ was up"),
    (
        "insurance after the reader",
        lambda: with_records(dealt("AC"), INSURED, PEEKED),
        Key.INSURANCE,
        "633a.8(b) timing",
        "card reader device",
    ),
    ("insurance twice", lambda: with_records(dealt("AC"), INSURED), Key.INSURANCE, "633a.8(b) timing", "closed"),
    (
        "insurance after a player stood",
        lambda: with_records(dealt("AC"), ("hand_ended", 1, 0, HandEnd.STAND)),
        Key.INSURANCE,
        "633a.8(b) timing",
        "play had begun",
    ),
    ("a hand of three cards doubles", after_a_hit, Key.DOUBLE, "633a.10(a)", "position 1 had 3 cards"),
    ("no pair is split", dealt, Key.SPLIT, "633a.11(a)", "10♣, 8♣"),
    ("three cards are split", after_a_hit, Key.SPLIT, "633a.11(a)", "no pair"),
    ("a fifth hand", lambda: split(4, Game.FREE_BET), Key.SPLIT, "590.11(d) limit", "4 hands"),
    ("more splits than the house allows", lambda: split(3), Key.SPLIT, "633a.11(c) resplits", "3 hands"),
    ("the same in Spanish 21", lambda: split(3, Game.SPANISH_21), Key.SPLIT, "635a.11(c) resplits", "3 hands"),
    ("stand on one card of a split", lambda: split(2, second=None), Key.NEXT_HAND, "633a.11(b)", "second card"),
    (
        "stand before a double's card",
        lambda: with_records(dealt(), ("doubled", 1, 0)),
        Key.NEXT_HAND,
        "633a.7(k)(2)",
        "had doubled",
    ),
    ("surrender after a draw", after_a_hit, Key.SURRENDER, "633a.9(a) option", "had decided before"),
    ("surrender in Switch", switch, Key.SURRENDER, "633a.12(a)(4)", "no surrender"),
    ("a rescue once the hole card shows", rescued_too_late, Key.SURRENDER, "635a.10(d)", "had been turned"),
    ("a second switch", lambda: switch(1), Key.SWITCH, "633a.12(a)(4)", "switched already"),
    ("a switch that was another position's", switch, Key.SWITCH, "633a.12(a)(4)", "it was the turn of position 1"),
    ("a switch at the second hand", second_hand, Key.SWITCH, "633a.12(a)(4)", "position 1 had already decided"),
    ("reveal with a hand to play", dealt, Key.REVEAL, "633a.7(l)", "position 1 had not ended its hand"),
    ("reveal before a late card", missed, Key.REVEAL, "633a.14(i)", "position 1 was waiting for its late card"),
    ("reveal after a late card", late, Key.REVEAL, "633a.7(l)", "position 1 had not ended its hand"),
    ("reveal when one was missed again", missed_again, Key.REVEAL, "633a.14(i)", "position 2 was waiting"),
    ("reveal in the opening deal", lambda: opening(), Key.REVEAL, "633a.7(l)", "opening deal was not over"),
    ("missed once the hole card shows", lambda: turned(all_stand(dealt())), Key.MISSED, "633a.14(i)", "been turned"),
    (
        "deal after the cover card",
        lambda: between(COVER, ("finished", 0, Finish.COVER_CARD, 7)),
        Key.DEAL,
        "633a.7(e)",
        "the cover card had come",
    ),
    ("deal after an order", lambda: between(("finished", 0, Finish.ORDERED, 7)), Key.DEAL, "633a.5(f)", "ordered"),
    ("load before the end", between, Key.LOAD, "633a.5(a) when", "the shoe was not finished"),
    ("load of a side", lambda: between(kind=ShoeKind.DOUBLE), Key.LOAD, "633a.7(e)(3)", "side was not finished"),
    ("load in a round", dealt, Key.LOAD, "633a.5(a) when", "a round was open"),
    ("refill between rounds", between, Key.REFILL, "633a.14(f) reshuffle", "no round was open"),
    (
        "a key while stopped",
        lambda: with_records(dealt(), ("fault", FaultCode.INTERNAL, 0, 0)),
        Key.NEXT_HAND,
        "633a.7(a)",
        "stopped",
    ),
    (
        "a key while the reader has failed",
        lambda: with_records(dealt(), ("fault", FaultCode.READER, 2, 0)),
        Key.NEXT_HAND,
        "633a.14(k)",
        "stopped",
    ),
    ("no rule at all", dealt, Key.TURN_UP, "633a.7(i)", "is dealt face up"),
    ("the same in Free Bet", lambda: dealt(game=Game.FREE_BET), Key.TURN_UP, "590.7(h)(2)", "is dealt face up"),
    ("the end of a shoe in a round", side_a_is_dealt, Key.CLOSE_SHOE, "633a.7(i)", "a round was open"),
    ("a choice is owed", lambda: Hands().asides().hands(), Key.REVEAL, "633c.4(f)", "had not chosen"),
]


def opening() -> Short:
    s = Short()
    s.start(1, 2)
    s.give(1, "10C")
    return s


@pytest.mark.parametrize(
    ("make", "key", "clause", "why"),
    [pytest.param(*case[1:], id=case[0], marks=pytest.mark.clause(case[3])) for case in CASES],
)
def test_633a_7_i_a_refused_key_is_named_with_what_stood_in_its_way(
    make: Table, key: Key, clause: str, why: str
) -> None:
    s = make()
    s.irr(Irr.WRONG_KEY, detail=key)
    found = [finding for finding in s.findings() if finding.check == reg.KEYS]
    assert [(one.clause, one.verdict) for one in found] == [(clause, HANDLED)]
    assert f'"{key.name.lower().replace("_", " ")}"' in found[0].sentence
    assert why in found[0].sentence


@pytest.mark.parametrize(
    ("make", "key", "clause", "why"),
    [pytest.param(*case[1:], id=case[0], marks=pytest.mark.clause(case[3])) for case in CASES],
)
def test_replay_names_a_refused_key_as_verify_does(make: Table, key: Key, clause: str, why: str) -> None:
    s = make()
    number = len(s.s.records)
    s.irr(Irr.WRONG_KEY, detail=key)
    told = [(one, round_) for round_, keys in with_refused_keys(s.s.records) for one in keys]
    assert [(one["record"], one["key"], one["clause"]) for one, _ in told] == [(number, key.name.lower(), clause)]
    assert why in told[0][0]["why"]
    state = [state.round for state, _ in replay(s.s.records)][number]
    assert (told[0][1] is None) == (state is None)


@pytest.mark.parametrize("key", list(Key))
def test_every_key_has_an_answer_in_every_state_that_these_histories_come_through(key: Key) -> None:
    for _, make, *_ in CASES:
        for state, _ in replay(make().s.records):
            refusal = why_refused(state, key)
            assert refusal.why
            assert refusal.clause == clause_in(state.game, refusal.clause)


def test_a_table_without_a_reader_and_with_other_options_has_none_to_inspect() -> None:
    for options, why in ((PREMIUM, "the table has no card reader device"), (READER, "an inspection has no such step")):
        (state, _) = list(replay(Short(options=options).s.records))[-1]
        assert why_refused(state, Key.READER_TEST).why == why


def test_a_key_that_the_tool_does_not_know_is_told_by_its_number() -> None:
    s = dealt()
    s.irr(Irr.WRONG_KEY, detail=99)
    assert any("unknown (99)" in finding.sentence for finding in s.findings())
