"""A legal playout replays to the same round; what breaks a rule is refused with its clause; nothing else is raised."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive_player import of_round, play_plainly
from playing import table
from random_rounds import Playout, random_round
from shoetool.deal import Decision, Irregularity, RuleError, Stake, play
from shoetool.deal.engine import DECISIONS, close_round, decide, open_round
from shoetool.deal.inputs import IRREGULARITIES
from shoetool.deal.state import HandState, PlayPhase
from shoetool.deal.turns import begin_turns
from shoetool.model.cards import total
from shoetool.rules.games import GAMES
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import PRESSES
from shoetool.table.actions import CardPlaced

TABLES: dict[str, RulesSubmission] = {
    "blackjack": table("blackjack", "hit_and_run", "bad_beat", "lucky_ladies", "house_money", even_money=True),
    "one deck": table("blackjack", decks=1, surrender="none"),
    "double shoe": table("blackjack", shoe="double", decks=8, red_side="A"),
    "switch": table("switch", even_money=True),
    "from the hand": table("from_the_hand"),
    "free bet": table("free_bet", "push_22"),
    "spanish 21": table("spanish_21"),
}
ROUNDS = st.tuples(st.sampled_from(sorted(TABLES)), st.integers(0, 2**32))
MODEST = settings(suppress_health_check=[HealthCheck.too_slow])


def again(playout: Playout, **changes: object):
    given = {"stakes": playout.stakes, "cards": playout.cards, "decisions": playout.decisions, **changes}
    round_ = play(playout.submission, given.pop("stakes"), given.pop("cards"), given.pop("decisions"), **given)
    return round_._replace(lucky_player=playout.lucky_player, magic_card=playout.magic_card, meters=playout.meters)


@MODEST
@given(ROUNDS)
def test_a_legal_playout_replays_from_its_own_cards_and_decisions(which: tuple[str, int]) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    assert again(playout) == playout.table_round
    assert again(playout, decisions=[d._replace(hand=None) if _alone(d, playout) else d for d in playout.decisions])
    assert random_round(TABLES[which[0]], which[1]) == playout


def _alone(decision: Decision, playout: Playout) -> bool:
    """Whether leaving the hand out means the hand in turn."""
    return decision.name not in ("rescue", "even_money", "surrender")


@pytest.mark.clause("633a.6(c) freeze", "633a.6(c) timing", "590.6(c)", "635a.6(c)")
@MODEST
@given(ROUNDS)
def test_every_drawn_card_lies_somewhere_and_hands_and_wagers_keep_the_rules(which: tuple[str, int]) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    round_ = playout.table_round
    placed = [(s.position, s.wager, dict(s.side)) for s in playout.stakes]
    assert [(box.position, box.wager, dict(box.side)) for box in round_.boxes] == placed
    game = GAMES[round_.game]
    used = list(round_.dealer)
    for box in round_.boxes:
        assert [hand.number for hand in box.hands] == list(range(1, len(box.hands) + 1))
        for hand in box.hands:
            used += hand.cards
            count = total(hand.cards)[0]
            assert (hand.end == "bust") == (count > 21)
            assert hand.end != "twenty_one" or count == 21
            wager = box.wager + sum(cents for key, cents in box.pressed.items() if PRESSES[key].apart is None)
            assert hand.stake + hand.lammer == wager
            assert hand.double <= wager and not (hand.double and hand.free_double)
            if hand.double or hand.free_double:
                assert hand.end in ("doubled", "bust", "rescued")
                assert len(hand.cards) == 3 or not game.facts.double_cards
    assert sorted(used) == sorted(playout.cards[game.deal.burns :])
    dealer = total(round_.dealer)[0]
    assert len(round_.dealer) == 2 or dealer >= 17
    waiting = [h for b in round_.boxes for h in b.hands if h.end in ("stand", "doubled")]
    if waiting and not (game.name == "spanish_21" and all(total(h.cards)[0] == 21 for h in waiting)):
        assert round_.reader == "blackjack" or dealer >= 17


@MODEST
@given(ROUNDS, st.data())
def test_an_extra_or_a_missing_card_is_refused_with_a_clause(which: tuple[str, int], data: st.DataObject) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    for cards in ((*playout.cards, 0), playout.cards[:-1]):
        with pytest.raises(RuleError) as caught:
            again(playout, cards=cards)
        assert caught.value.clause
    seen = data.draw(st.integers(0, 51))
    copies = playout.submission.decks // (2 if playout.submission.shoe == "double" else 1)
    with pytest.raises(RuleError):
        again(playout, cards=(*playout.cards, *[seen] * (copies + 1)))


@MODEST
@given(ROUNDS)
def test_a_forbidden_decision_in_any_place_is_refused_with_a_clause(which: tuple[str, int]) -> None:
    """At every step of a playout, what `can_x` forbids is refused when it is put in the place of the decision taken."""
    playout = random_round(TABLES[which[0]], which[1])
    state = open_round(playout.submission, playout.stakes, playout.cards)
    for index, decision in enumerate(playout.decisions):
        for name, verb in DECISIONS.items():
            if state.turn is None or state.turn.box.position != decision.position:
                continue
            hand = state.turn.number
            if not verb.can(state, decision.position, hand):
                wrong = Decision(decision.position, hand, name)
                with pytest.raises(RuleError) as caught:
                    again(playout, decisions=(*playout.decisions[:index], wrong, *playout.decisions[index + 1 :]))
                assert caught.value.clause
        decide(state, decision)


@MODEST
@given(ROUNDS)
def test_can_verify_and_act_agree_and_can_changes_nothing(which: tuple[str, int]) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    state = open_round(playout.submission, playout.stakes, playout.cards)
    for decision in playout.decisions:
        before = state.copy()
        for verb in DECISIONS.values():
            for position in (decision.position, 8 - decision.position):
                allowed = verb.can(state, position)
                try:
                    verb.verify(state, position)
                except RuleError:
                    assert not allowed
                else:
                    assert allowed
        assert _shape(before) == _shape(state)
        decide(state, decision)


def _shape(state) -> list[object]:
    wagers = [
        [getattr(hand, one.name) for one in fields(HandState) if one.name not in ("box", "hand")]
        for box in state.boxes
        for hand in box.hands
    ]
    boxes = [(box.insurance, box.even_money, box.pressed, box.initial, box.refused) for box in state.boxes]
    return [
        wagers,
        boxes,
        [tuple(one)[isinstance(one, CardPlaced) :] for one in state.round.actions],
        state.round.to_json(),
        [(hand.queued, hand.ended, hand.missed, hand.late) for hand in state.round.in_order()],
        state.acted,
        state.at,
        state.void,
        state.phase,
        state.turn and state.turn.number,
    ]


ANY_DECISION = st.builds(
    Decision,
    st.integers(-1, 9),
    st.none() | st.integers(-1, 5),
    st.sampled_from([*DECISIONS, "nonsense"]),
    st.none() | st.integers(-100, 3000),
)
NOTES = st.builds(
    Irregularity,
    st.sampled_from([*IRREGULARITIES, "nonsense"]),
    st.none() | st.integers(-2, 20),
    st.none() | st.integers(0, 8),
    st.integers(-1, 2),
    st.sampled_from(["", "up", "hole", "accept", "refuse", "repaired", "stopped", "x"]),
    st.integers(0, 3),
)
STAKES = st.builds(
    Stake,
    st.integers(-1, 9),
    st.integers(-5, 3000),
    st.dictionaries(st.sampled_from(["hit_and_run", "push_22", "house_money", "x"]), st.integers(-5, 900), max_size=2),
    st.none() | st.integers(0, 3000),
    st.none() | st.sampled_from(["ann", "bob"]),
)


@settings(MODEST)
@given(
    st.sampled_from(sorted(TABLES)),
    st.lists(STAKES | st.builds(Stake, st.integers(1, 6), st.just(1000)), max_size=4),
    st.lists(st.integers(0, 51) | st.sampled_from([-1, 52, 63, 99]), max_size=30),
    st.lists(ANY_DECISION, max_size=12),
    st.lists(NOTES, max_size=3),
    st.none() | st.integers(0, 3),
    st.sampled_from([None, None, None, "A", "B", "C"]),
)
def test_random_input_raises_nothing_but_a_refusal_with_a_clause(
    which: str, stakes, cards, decisions, notes, burned, side
) -> None:
    arguments = {"burned": burned, "determinant_from": side}
    try:
        play(TABLES[which], stakes, cards, decisions, notes, **arguments)
    except RuleError as refusal:
        assert refusal.clause and "\n" not in str(refusal)


@settings(MODEST)
@given(ROUNDS, st.data())
def test_a_playout_with_random_changes_raises_nothing_but_a_refusal(
    which: tuple[str, int], data: st.DataObject
) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    decisions = list(playout.decisions)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(decisions)))
        decisions[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(ANY_DECISION, max_size=1))
    notes = data.draw(st.lists(NOTES, max_size=2))
    cards = list(playout.cards)
    if cards and data.draw(st.booleans()):
        cards[data.draw(st.integers(0, len(cards) - 1))] = data.draw(st.integers(0, 51) | st.just(63))
    try:
        play(playout.submission, playout.stakes, cards, decisions, notes)
    except RuleError as refusal:
        assert refusal.clause and "\n" not in str(refusal)


def test_random_rounds_have_every_decision_and_every_end_that_their_games_offer() -> None:
    ends: dict[str, set[str]] = {name: set() for name in TABLES}
    chosen: dict[str, set[str]] = {name: set() for name in TABLES}
    for name, submission in TABLES.items():
        for seed in range(400):
            playout = random_round(submission, seed)
            ends[name] |= {hand.end for box in playout.table_round.boxes for hand in box.hands}
            chosen[name] |= {decision.name for decision in playout.decisions}
    usual = {"stand", "twenty_one", "bust", "blackjack", "doubled", "dealer_blackjack"}
    assert {"press", "insurance", "even_money", "surrender"} <= chosen["blackjack"]
    assert ends["blackjack"] == usual | {"surrendered", "even_money"}
    assert ends["spanish 21"] == usual | {"surrendered", "rescued"}
    assert chosen["switch"] == {"hit", "stand", "double", "split", "switch", "insurance", "even_money"}
    assert {"free_double", "free_split", "double", "split", "surrender"} <= chosen["free bet"]


@pytest.mark.clause("633a.14(a)", "633a.14(b)", "633a.14(f) burn", "633a.14(d)", "590.13(a)", "635a.13(a) one")
@MODEST
@given(ROUNDS, st.data())
def test_cards_that_section_14_sets_aside_change_nothing(which: tuple[str, int], data: st.DataObject) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    burned = GAMES[playout.table_round.game].deal.burns
    last = len(playout.cards)
    at = data.draw(st.integers(burned, last - 1))
    aside = (*playout.cards[:at], 63, *playout.cards[at:])
    for kind in ("face_up", "too_few"):
        assert again(playout, cards=aside, irregularities=[Irregularity(kind, at)]) == playout.table_round
    assert again(playout, irregularities=[Irregularity("unexposed", at)]) == playout.table_round
    assert again(playout, irregularities=[Irregularity("dealer_missed", choice="hole")]) == playout.table_round
    dealer = playout.table_round.dealer
    if total(dealer)[0] >= 17 and playout.table_round.reader != "blackjack":
        card = next(card for card in range(9, 52) if card % 13 != 9 and card not in playout.cards)
        extra = again(playout, cards=(*playout.cards, card), irregularities=[Irregularity("dealer_extra", last)])
        assert extra == playout.table_round._replace(draws_discarded=(card,))


@pytest.mark.clause("633a.7(d)(2) match", "633a.7(d)(2) mismatch")
@MODEST
@given(st.integers(0, 2**32), st.integers(0, 51))
def test_a_determinant_changes_only_who_gets_the_first_card(seed: int, card: int) -> None:
    """Set aside it changes nothing; matching it is the first card that the round has anyway."""
    playout = random_round(TABLES["double shoe"], seed)
    own = "A" if 13 <= playout.cards[0] < 39 else "B"
    assert again(playout, determinant_from=own) == playout.table_round
    other = "B" if 13 <= card < 39 else "A"
    assert again(playout, cards=(card, *playout.cards), determinant_from=other) == playout.table_round


@MODEST
@given(ROUNDS, st.data())
def test_a_second_face_up_card_voids_a_round_of_spanish_21_and_of_no_other(
    which: tuple[str, int], data: st.DataObject
) -> None:
    """635a.13(a) more: whatever was decided before, every hand is dead."""
    playout = random_round(TABLES[which[0]], which[1])
    burned = GAMES[playout.table_round.game].deal.burns
    one = data.draw(st.integers(burned, len(playout.cards) - 1))
    two = data.draw(st.integers(one + 1, len(playout.cards)))
    cards = [*playout.cards[:one], 63, *playout.cards[one:]]
    notes = [Irregularity("face_up", one), Irregularity("face_up", two)]
    if playout.table_round.game != "spanish_21":
        cards.insert(two, 63)
        if two < len(cards) - 1:
            assert again(playout, cards=cards, irregularities=notes) == playout.table_round
        return
    given = iter(playout.decisions)
    state = open_round(playout.submission, playout.stakes, [*cards[:two], 63], notes)
    while (
        state.void is None
        and state.phase not in (PlayPhase.DEALER, PlayPhase.OVER)
        and (decision := next(given, None)) is not None
    ):
        decide(state, decision)
    round_ = close_round(state)
    if round_.void is None:
        assert two >= len(cards)
        return
    assert round_.void == "635a.13(a) more"
    assert {hand.end for box in round_.boxes for hand in box.hands} == {"dead"}


@MODEST
@given(ROUNDS, st.data())
def test_can_changes_nothing_in_irregular_rounds_and_the_verbs_refuse_or_return(
    which: tuple[str, int], data: st.DataObject
) -> None:
    """The public verbs leave the given state alone and raise nothing but refusals, whatever section 14 did."""
    playout = random_round(TABLES[which[0]], which[1])
    at = data.draw(st.integers(1, len(playout.cards) - 1))
    two = data.draw(st.integers(at + 1, len(playout.cards)))
    kinds = st.sampled_from(["face_up", "exposed", "unexposed", "dealer_extra"])
    notes = [Irregularity(data.draw(kinds), at), Irregularity(data.draw(kinds), two)]
    cards = [*playout.cards[:at], playout.cards[at], *playout.cards[at:]][: two + 1]
    try:
        state = open_round(playout.submission, playout.stakes, cards, notes)
        begin_turns(state)
    except RuleError:
        return
    for _ in range(12):
        hand = state.turn
        before = _shape(state)
        position = 1 if hand is None else hand.box.position
        allowed = [name for name, verb in sorted(DECISIONS.items()) if verb.can(state, position)]
        assert _shape(state) == before
        if hand is None or not allowed:
            break
        try:
            after = DECISIONS[data.draw(st.sampled_from(allowed))](state, position)
        except RuleError as refusal:
            assert refusal.clause
            assert _shape(state) == before
            return
        assert _shape(state) == before
        state = after


@settings(MODEST)
@given(ROUNDS)
def test_a_plain_player_written_apart_deals_the_same_round(which: tuple[str, int]) -> None:
    playout = random_round(TABLES[which[0]], which[1])
    round_ = playout.table_round
    plan = GAMES[round_.game].deal
    dealt = playout.cards[plan.burns :]
    assert play_plainly(round_.game, playout.stakes, plan.hands, dealt, playout.decisions) == of_round(round_)
