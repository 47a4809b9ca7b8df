"""The shoe's table and the host's replay of its records, side by side, through random and unpleasant inputs.

Two implementations that share no code: after every input each hand has the same cards in the same order, and each side
the same number of cards out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampled import some

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "firmware")]

from dealing_chaos import Chaos, hybrid, settings  # noqa: E402
from dealing_history import BOOT, history, record  # noqa: E402
from dealing_table import HEARTS, SPADES, Random, Table, card, config, double_shoe, ten  # noqa: E402
from shoe import wire_table as t  # noqa: E402
from shoetool.judge import registry as reg  # noqa: E402
from shoetool.model.protocol_table import Role  # noqa: E402
from shoetool.table.stream import Stream  # noqa: E402
from shoetool.verify import BREACH, HANDLED, verify  # noqa: E402

UNKNOWN = 63


def differs(table: Table, replay: Stream) -> str:
    """Where the two tables differ, empty when they do not."""
    st, state = table.dealing.st, replay.table
    if st.in_round and state.round is not None:
        for hand in [*st.hands, *st.own, st.stream, st.dealer]:
            cards = state.round.dealer if hand is st.dealer else state.round.shared
            if hand in st.own:
                cards = state.round.own.get(hand.box, [])
            elif hand in st.hands:
                found = state.round.hands.get(hand.box << 8 | hand.number)
                cards = found.cards if found is not None else []
            have = [(drawn.record, drawn.card if drawn.known else UNKNOWN) for drawn in cards]
            refs = hand.refs
            if hand is not st.stream and st.community():  # a shared card has its record in the stream alone
                shared = {at + 8: ref for at, ref in enumerate(st.stream.refs)}
                refs = [ref or shared[head] for ref, head in zip(hand.refs, hand.heads, strict=True)]
            if have != list(zip(refs, hand.cards, strict=True)):
                return f"box {hand.box} hand {hand.number}: {hand.refs} {hand.cards}, replay {have}"
    for head in range(st.heads()):
        one, other = st.sides[head], state.sides[head]
        stray = sum(d.head == head and d.role == Role.STOPPED for d in state.face_down.values())
        if st.shoe_open and one.loaded and not other.refilled and not 0 <= other.drawn - one.passed <= stray:
            return f"side {head}: {one.passed} cards out, replay {other.drawn}"
    return ""


@pytest.mark.parametrize("seed", some(range(1, 81)))
def test_the_replay_lays_every_card_where_the_shoe_did(seed: int) -> None:
    random = Random(seed)
    chaos = Chaos(random, settings(random) if seed <= 60 else hybrid(random), 5)
    table = Table(chaos.config, 1)
    replay = Stream()
    replay.feed(BOOT)
    at = 0
    for _ in range(300):
        kind, *values = chaos.next(table.dealing)
        if kind == "key":
            table.key(*values)
        elif values[0].kind == t.PASS_TEST_CARD:
            continue
        else:
            table._take(table.dealing.input_pass(values[0]))
        for number, event in table.records[at:]:
            state = replay.feed(record(number, event))
            assert state.anomaly is None, f"seed {seed}: {state.anomaly}"
        at = len(table.records)
        assert not differs(table, replay), f"seed {seed}, record {at}: {differs(table, replay)}"
    found = {finding.check for finding in verify(history(table)).findings}
    never = {reg.TOTALS, reg.MOVED, reg.COMMITMENT, reg.SEQUENCE, reg.HAND_OVER, reg.NO_DRAW}
    if chaos.config.game == t.GAME_FROM_THE_HAND:
        never.remove(reg.NO_DRAW)  # the shoe may not stop a player who draws on a 21 that lies face down
    assert not found & never, f"seed {seed}"


def found_in(table: Table) -> list[tuple[str, str]]:
    return [(finding.check, finding.verdict) for finding in verify(history(table)).findings]


def test_635a_13_b_one_a_10_drawn_in_error_or_in_the_hole_is_a_card_too_many_for_nobody() -> None:
    table = Table(config(game=t.GAME_SPANISH_21), 1)
    table.start(1)
    table.draw(card(9), card(7), card(9, HEARTS), SPADES + 12)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    table.draw(ten())
    table.keys(t.KEY_DEAL)
    table.draw(card(8), card(7), card(8, HEARTS), SPADES + 11)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    table.open_round(1)
    table.draw(card(8), card(7), card(8, HEARTS), ten(HEARTS))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    table.draw(card(6), card(7, HEARTS))
    table.keys(t.KEY_END_ROUND, t.KEY_CLOSE_SHOE)
    assert set(found_in(table)) <= {(reg.TEN_FOUND, HANDLED), (reg.DRAWN_IN_ERROR, HANDLED)}, found_in(table)
    assert [check for check, _ in found_in(table)].count(reg.TEN_FOUND) == 2


def test_635a_10_d_a_double_that_is_rescued_before_the_dealer_turned_is_no_hand_that_ended_twice() -> None:
    table = Table(config(game=t.GAME_SPANISH_21), 1)
    table.start(1)
    table.draw(card(8), card(9, HEARTS), card(3), card(8, HEARTS))
    table.keys(t.KEY_DOUBLE)
    table.draw(card(6))
    table.keys((t.KEY_SURRENDER, 1), t.KEY_REVEAL, t.KEY_END_ROUND)
    assert not found_in(table)


def test_635a_13_b_a_10_that_lay_face_down_is_named_by_its_suit() -> None:
    table = Table(config(game=t.GAME_SPANISH_21), 1)
    table.start(1, burn=ten(HEARTS))
    table.keys(t.KEY_VOID_ROUND, t.KEY_CLOSE_SHOE)
    said = [finding.sentence for finding in verify(history(table)).findings if finding.check == reg.TEN_FOUND]
    assert said == ["A 10 (10♥) was found and was taken out."]


def test_633a_14_b_of_two_cards_drawn_in_error_the_one_that_was_shown_last_is_the_exposed_one() -> None:
    table = Table(config(), 1)
    table.keys((t.KEY_LOAD, 0))
    table.draw(card(2), card(5), card(6))
    table.keys((t.KEY_HOLD, 1), t.KEY_DISCARD, t.KEY_DISCARD)
    # The unseen one had to be the next card; the one that was seen may go to the rack.
    found = {(finding.check, finding.verdict): finding.records for finding in verify(history(table)).findings}
    first, second = (number for number, event in table.records if event[:2] == (t.REC_SEALED, t.ROLE_HELD))
    assert found[reg.DRAWN_IN_ERROR, BREACH][0] == first
    assert found[reg.DISCARDED, HANDLED][0] == second
    assert (reg.EXPOSED, HANDLED) not in found, "one event is told once"


def test_633a_14_g_a_hand_said_to_have_one_card_and_then_none_is_dead_and_no_breach() -> None:
    table = Table(config(), 1)
    table.start(3)
    table.keys((t.KEY_NO_CARD, 2 + 16), (t.KEY_NO_CARD, 2 + 48))
    table.draw(card(9), card(7), card(8), card(9, HEARTS))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    table.draw(card(5))
    table.keys(t.KEY_END_ROUND)
    assert BREACH not in {verdict for _, verdict in found_in(table)}


def test_633a_7_e_3_cards_on_the_table_at_a_refill_are_carried_with_their_side() -> None:
    table = Table(double_shoe(), 1)
    table.start(1)
    table.draw(card(5, HEARTS), card(6), card(7), card(8))
    table.keys((t.KEY_REFILL, 0), t.KEY_DEAL)  # no burn card: one that lies face down would hide it
    table.draw(card(8, HEARTS))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    table.draw(card(9, HEARTS))
    table.keys(t.KEY_END_ROUND, (t.KEY_RESHUFFLE, 1), (t.KEY_LOAD, 1))
    assert reg.ONLY_THAT_SIDE not in {check for check, _ in found_in(table)}


def test_633a_5_d_place_a_cover_card_told_again_after_a_reload_is_not_judged() -> None:
    """Side B's cover card came between rounds; its history ends when side A is loaded, and the next repeats it."""
    table = Table(double_shoe(), 1)
    table.start(1)
    table.keys(t.KEY_VOID_ROUND)
    table.cover(1)
    table.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
    again = [event for event in table.step if event[0] == t.REC_COVER_CARD]
    assert [event[1:3] for event in again] == [(1, t.PHASE_EMPTY)]
    table.open_round(1)
    table.draw(SPADES + 8, head=1)
    table.draw(card(9), card(9, HEARTS), card(8), head=1)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, t.KEY_CLOSE_SHOE)
    opened = [n for n, (_, event) in enumerate(table.records) if event[0] == t.REC_SHOE_OPENED]
    alone = [BOOT] + [record(n, e)._replace(number=i) for i, (n, e) in enumerate(table.records[opened[-1] :], 1)]
    checks = {finding.check for finding in verify(alone).findings} | {check for check, _ in found_in(table)}
    assert not checks & {reg.COVER_PLACE, reg.COVER_CARDS, reg.LAST_ROUND, reg.ONLY_THAT_SIDE, reg.TOTALS}, checks
