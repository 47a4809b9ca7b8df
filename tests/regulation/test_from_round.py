"""The same settlement from a history, from a round file and from the engine, over simulated sessions of every game."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from shoetool.deal import play
from shoetool.model.cards import UNKNOWN, card_name
from shoetool.model.protocol_table import Game, HandEnd, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.round_file.dealt_play import play_input
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.file import Entry, each_record, parse
from shoetool.round_file.play import play_entry
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import game as game_of
from shoetool.rules.round import TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.table import replay
from shoetool.table.round import Round
from short_shoe import TABLE, Short, face
from table_session import recorded, rules_of, session
from verify_cases_errors import refused_in_a_split
from verify_cases_switch_hands import Hands
from wager_table import rules_for

TABLES = [
    pytest.param(Game.BLACKJACK, ShoeKind.SINGLE, {"even_money": True}, id="blackjack"),
    pytest.param(Game.BLACKJACK, ShoeKind.SINGLE, {"surrender": "way_1", "settlement_procedure": 2}, id="procedure-2"),
    pytest.param(Game.BLACKJACK, ShoeKind.DOUBLE, {"shoe": "double", "red_side": "A"}, id="double-shoe"),
    pytest.param(Game.FREE_BET, ShoeKind.SINGLE, {}, id="free-bet"),
    pytest.param(Game.SPANISH_21, ShoeKind.SINGLE, {}, id="spanish-21"),
    pytest.param(Game.SWITCH, ShoeKind.SINGLE, {}, id="switch"),
    pytest.param(Game.FROM_THE_HAND, ShoeKind.SINGLE, {}, id="from-the-hand"),
]


def dealt(history: object, rules: RulesSubmission, seed: int) -> list[tuple[Round, Entry, TableRound]]:
    """Each round of a session, its entry in the table record, and the round as it is settled."""
    _, lines = recorded(history, rules, seed)  # type: ignore[arg-type]
    told = each_record([json.dumps(line) for line in lines], "record")
    entries = {entry.round: entry for entry in told if isinstance(entry, Entry)}
    found = []
    for round_ in replay.rounds(history):  # type: ignore[arg-type]
        entry = entries[round_.number]
        made = table_round(round_, entry.seats, rules)
        assert not isinstance(made, Missing)
        found.append((round_, entry, entry.with_system(made)))
    return found


@pytest.mark.parametrize(("game", "kind", "changes"), TABLES)
@pytest.mark.parametrize("seed", [11, 12])
def test_a_history_a_round_file_and_the_engine_settle_alike(
    game: Game, kind: ShoeKind, changes: dict[str, object], seed: int
) -> None:
    decks = 8 if kind == ShoeKind.DOUBLE else 1 if game == Game.FROM_THE_HAND else 6
    rules = rules_of(game, decks, **changes)
    history = session(game, seed, kind, decks)
    decided = 0
    for round_, entry, of_history in dealt(history, rules, seed):
        burns = game_of(rules.game).deal.burns
        given = play_input(round_, entry.seats, burns)
        assert given is not None
        of_engine = play(
            rules,
            given.stakes,
            given.cards,
            given.decisions,
            given.irregularities,
            determinant_from=given.determinant_from,
        )
        if given.irregularities:
            continue  # a round file tells them in words of its own
        side = {} if given.determinant_from is None else {"determinant_from": given.determinant_from}
        file = {
            "format": "shoetool-round/1",
            "cards": [card_name(card) for card in given.cards[burns:]],
            "positions": json.loads(json.dumps(_positions(entry))),
            **side,
            **({} if entry.lucky_player is None else {"lucky_player": entry.lucky_player}),
            **({} if entry.magic_card is None else {"magic_card": card_name(entry.magic_card)}),
            "meters": {key: f"{amount // 100}.{amount % 100:02d}" for key, amount in entry.meters.items()},
        }
        of_file = play_entry(parse(json.dumps(file), "file")[0], rules)
        first = settle(of_history, rules)
        for other in (entry.with_system(of_engine), of_file):
            second = settle(other, rules)
            assert first.nets == second.nets, f"seed {seed}, round {round_.number}"
            assert [line.to_json() for line in first.lines] == [line.to_json() for line in second.lines]
            assert (first.tray, first.house, first.meters) == (second.tray, second.house, second.meters)
        decided += sum(net != 0 for net in first.nets)
    assert decided > 5, "the session decided something"


def _positions(entry: Entry) -> list[dict[str, object]]:
    def money(amount: int) -> str:
        return f"{amount // 100}.{amount % 100:02d}"

    return [
        {
            "position": seat.position,
            **({} if seat.player is None else {"player": seat.player}),
            "wager": money(seat.wager),
            "side": {key: money(amount) for key, amount in seat.side.items()},
            "insurance": money(seat.insurance),
            "even_money": seat.even_money,
            "decisions": [word if amount is None else {word: money(amount)} for word, amount in seat.decisions],
        }
        for seat in entry.seats
    ]


def one_round(s: Short) -> Round:
    return next(iter(replay.rounds(s.s.records)))


def split_round(game: Game = Game.BLACKJACK) -> Short:
    """Position 1 splits eights, and the second of them again; the third hand doubles."""
    s = Short(game)
    s.start(1)
    s.opening({1: "8C"}, "6C", {1: "8D"}, "KH")
    s.add("split", 1, 0, 1)
    s.give(1, "3H", Role.SPLIT_SECOND)
    s.give(1, "9H", Role.DRAW)
    s.end_hand(1)
    s.give(1, "8H", Role.SPLIT_SECOND, 1)
    s.add("split", 1, 1, 2)
    s.give(1, "10H", Role.SPLIT_SECOND, 1)
    s.end_hand(1, HandEnd.STAND, 1)
    s.give(1, "2H", Role.SPLIT_SECOND, 2)
    s.add("doubled", 1, 2)
    s.give(1, "9S", Role.DOUBLE_DRAW, 2)
    s.end_hand(1, HandEnd.DOUBLED, 2)
    s.reveal()
    s.card(Role.DEALER_DRAW, 0, "5S")
    s.close(21)
    return s


@pytest.mark.clause("633a.11(b)", "633a.11(c) decisions")
def test_the_words_of_split_hands_stand_in_the_order_of_the_hands() -> None:
    words = Actions(one_round(split_round())).by_box[1]
    assert words == ["split", "hit", "stand", "split", "stand", "double"]


@pytest.mark.clause("633a.14(c) refusal")
def test_who_refuses_a_card_is_not_taken_to_stand_in_any_hand_that_the_shoe_ends() -> None:
    assert Actions(one_round(refused_in_a_split(False))).by_box[1] == ["split", "refuse_card"]


@pytest.mark.clause("633a.11(a)", "633a.10(a)")
def test_each_split_hand_has_a_wager_of_its_own() -> None:
    seats = (BettingPosition(1, 20_00, decisions=(("split", None), ("hit", None))),)
    found = table_round(one_round(split_round()), seats, RulesSubmission.default("blackjack", 6))
    assert isinstance(found, TableRound)
    box = found.boxes[0]
    assert [card_name(card) for card in box.initial[0]] == ["8♣", "8♦"]
    assert [hand.stake for hand in box.hands] == [20_00] * 3 and [hand.double for hand in box.hands] == [0, 0, 20_00]
    assert [hand.end for hand in box.hands] == ["stand", "stand", "doubled"]
    assert all(hand.from_split for hand in box.hands)


@pytest.mark.clause("633c.4(f)(2)#1", "633a.11(a)")
def test_a_hand_that_was_switched_keeps_what_it_gave_up_apart_also_when_it_is_split() -> None:
    """The cards of the deal are those that were face up (T21), and those that it took stand beside them."""
    s = Hands()
    for box, card in ((1, "8S"), (2, "10H"), (1, "8H"), (2, "5H")):
        s.aside(box, card)
    s.hands().keep(2).switch(1)
    s.add("split", 1, 0, 1)
    s.give(1, "3H", Role.SPLIT_SECOND)
    s.end_hand(1)
    s.give(1, "9H", Role.SPLIT_SECOND, 1)
    s.end_hand(1, hand=1)
    s.stand(2)
    s.reveal()
    s.close()
    found = table_round(
        one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)), RulesSubmission.default("blackjack", 6)
    )
    assert isinstance(found, TableRound)
    assert [[card_name(card) for card in box.initial[0]] for box in found.boxes] == [["10♣", "8♣"], ["9♣", "K♦"]]
    assert [[card_name(card) for card in box.aside] for box in found.boxes] == [["8♠", "8♥"], []]
    assert [card_name(hand.cards[0]) for hand in found.boxes[0].hands] == ["8♠", "8♥"]


@pytest.mark.clause("590.11(b)(2)(i)-(ii)", "590.10(a)(1)")
def test_free_splits_and_doubles_stand_on_lammers() -> None:
    seats = (BettingPosition(1, 20_00, decisions=(("free_split", None),)),)
    found = table_round(one_round(split_round(Game.FREE_BET)), seats, RulesSubmission.default("free_bet", 6))
    assert isinstance(found, TableRound)
    hands = found.boxes[0].hands
    assert [hand.stake for hand in hands] == [20_00, 0, 0] and [hand.lammer for hand in hands] == [0, 20_00, 20_00]
    assert [(hand.double, hand.free_double) for hand in hands] == [(0, 0), (0, 0), (0, 20_00)]


@pytest.mark.clause("590.11(b)(1)")
def test_tens_of_a_free_bet_table_are_split_with_wagers() -> None:
    s = Short(Game.FREE_BET)
    s.start(1)
    s.opening({1: "QC"}, "6C", {1: "KD"}, "KH")
    s.add("split", 1, 0, 1)
    s.give(1, "3H", Role.SPLIT_SECOND)
    s.end_hand(1)
    s.give(1, "8H", Role.SPLIT_SECOND, 1)
    s.end_hand(1, HandEnd.STAND, 1)
    s.reveal()
    s.close(16)
    found = table_round(one_round(s), (BettingPosition(1, 20_00),), RulesSubmission.default("free_bet", 6))
    assert isinstance(found, TableRound)
    assert [(hand.stake, hand.lammer) for hand in found.boxes[0].hands] == [(20_00, 0), (20_00, 0)]


def test_a_double_for_less_takes_the_amount_of_the_record() -> None:
    seats = (BettingPosition(1, 20_00, decisions=(("split", None), ("split", None), ("double", 7_00))),)
    found = table_round(one_round(split_round()), seats, RulesSubmission.default("blackjack", 6))
    assert isinstance(found, TableRound) and found.boxes[0].hands[2].double == 7_00


@pytest.mark.clause("635a.10(d)")
def test_a_double_that_ends_in_a_surrender_was_rescued() -> None:
    s = Short(Game.SPANISH_21)
    s.start(1)
    s.opening({1: "5C"}, "6C", {1: "6D"}, "KH")
    s.add("doubled", 1, 0)
    s.give(1, "2H", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.end_hand(1, HandEnd.SURRENDERED)
    s.reveal()
    s.close(16)
    round_ = one_round(s)
    assert Actions(round_).by_box[1] == ["double", "rescue"]
    found = table_round(round_, (BettingPosition(1, 10_00),), RulesSubmission.default("spanish_21", 6))
    assert isinstance(found, TableRound) and found.boxes[0].hands[0].end == "rescued"


@pytest.mark.clause("633a.14(i)")
def test_a_missed_card_is_a_word_of_its_own_and_only_the_stand_after_it_is_said() -> None:
    s = Short()
    s.usual()
    s.end_hand(1)
    s.stand(2)
    s.irr(Irr.MISSED_CARD, 1)
    s.give(1, "2D", Role.LATE)
    s.end_hand(1)
    s.reveal()
    s.close(17)
    assert Actions(one_round(s)).by_box == {1: ["late_card", "stand"], 2: ["stand"]}


@pytest.mark.clause("633a.7(k)", "633a.14(i)")
def test_hands_that_draw_on_after_their_late_cards_are_played_again_as_they_were() -> None:
    """Position 1 is missed twice: its second late card comes after position 2's, and then it goes on."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "4C"}, "7C", {1: "3C", 2: "5D"}, "KH")
    s.irr(Irr.MISSED_CARD, 1)
    s.irr(Irr.MISSED_CARD, 2)
    s.give(1, "2D", Role.LATE)
    s.give(1, "3D", Role.DRAW)
    s.irr(Irr.MISSED_CARD, 1)
    s.give(2, "2S", Role.LATE)
    s.give(2, "3S", Role.DRAW)
    s.end_hand(2)
    s.give(1, "4S", Role.LATE)
    s.give(1, "2H", Role.DRAW)
    s.end_hand(1)
    s.reveal()
    s.close(17)
    round_ = one_round(s)
    words = Actions(round_).by_box
    assert words == {
        1: ["late_card", "hit", "late_card", "hit", "stand"],
        2: ["late_card", "hit", "stand"],
    }
    assert played_again(round_) == [[card.card for card in round_.boxes[box][0].cards] for box in (1, 2)]


@pytest.mark.clause("635a.10(d)", "635a.11(a)")
def test_a_rescue_of_a_second_hand_is_told_from_a_surrender() -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    s.opening({1: "8C", 2: "9C"}, "7C", {1: "8D", 2: "KD"}, "KH")
    s.add("split", 1, 0, 1)
    s.give(1, "KC", Role.SPLIT_SECOND)
    s.end_hand(1)
    s.give(1, "3C", Role.SPLIT_SECOND, 1)
    s.add("doubled", 1, 1)
    s.give(1, "4C", Role.DOUBLE_DRAW, 1)
    s.end_hand(1, HandEnd.DOUBLED, 1)
    s.end_hand(1, HandEnd.SURRENDERED, 1)
    s.stand(2)
    s.reveal()
    s.close(17)
    assert Actions(one_round(s)).by_box == {1: ["split", "stand", "double", "rescue"], 2: ["stand"]}


@pytest.mark.clause("633a.14(i)")
def test_late_cards_are_played_again_in_the_order_the_dealer_dealt_them() -> None:
    """No clause says who of two waiting players is first: position 1's missed card was seen after 2 had his."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "4C"}, "7C", {1: "3C", 2: "5D"}, "KH")
    s.stand(1, 2)
    for box, late, drawn in ((2, "2S", "3S"), (1, "8S", "4S")):
        s.irr(Irr.MISSED_CARD, box)
        s.give(box, late, Role.LATE)
        s.give(box, drawn, Role.DRAW)
        s.end_hand(box)
    s.reveal()
    s.close(17)
    round_ = one_round(s)
    assert played_again(round_) == [[card.card for card in round_.boxes[box][0].cards] for box in (1, 2)]


@pytest.mark.clause("633a.14(i)", "633a.14(b)")
def test_a_card_drawn_in_error_is_no_late_card() -> None:
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "4C"}, "7C", {1: "3C", 2: "5D"}, "KH")
    ref = s.card(Role.HELD, TABLE, "6S")
    s.add("moved", ref, Role.DRAW, 1, 0)
    s.stand(1, 2)
    for box, late in ((2, "2S"), (1, "8S")):
        s.irr(Irr.MISSED_CARD, box)
        s.give(box, late, Role.LATE)
        s.end_hand(box)
    s.reveal()
    s.close(17)
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert given is not None and given.late == (2, 1)


@pytest.mark.clause("633a.7(g)(10)(ii)(A)")
@pytest.mark.parametrize(
    ("word", "pressed"), [("press", 15_00), ("press.house_money", 15_00), ("press.trilux_deluxe", 0)]
)
@pytest.mark.parametrize("told", [5_00, None])
def test_a_press_without_an_amount_adds_all_that_may_be_added(word: str, pressed: int, told: int | None) -> None:
    """A pair pays 3 to 1 on $5. Of a wager that was not placed nothing may be added."""
    rules = rules_for("house_money", game="from_the_hand", decks=2)
    s = Short(Game.FROM_THE_HAND)
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "5D"}, "KH")
    s.finish_usual()
    seat = BettingPosition(1, 10_00, side={"house_money": 5_00}, decisions=((word, told),))
    made = table_round(one_round(s), [seat], rules)
    assert not isinstance(made, Missing)
    added = pressed if told is None else told * (word != "press.trilux_deluxe")
    assert [hand.stake for hand in made.boxes[0].hands] == [10_00 + added]


@pytest.mark.clause("633a.10(a)")
def test_a_hand_that_doubled_with_its_only_card_is_converted_with_a_wager_of_the_same_amount() -> None:
    """It is a breach, which the judge names."""
    for game, name in ((Game.BLACKJACK, "blackjack"), (Game.FREE_BET, "free_bet")):
        s = Short(game)
        s.start(1)
        s.give(1, "9C")
        s.up("7C")
        s.hole("KH")
        s.add("doubled", 1, 0)
        s.end_hand(1, HandEnd.DOUBLED)
        s.reveal()
        s.close(17)
        made = table_round(one_round(s), [BettingPosition(1, 10_00)], RulesSubmission.default(name, 6))
        assert not isinstance(made, Missing)
        (hand,) = made.boxes[0].hands
        assert (hand.cards, hand.stake, hand.double, hand.free_double) == ((face("9C"),), 10_00, 10_00, 0)


@pytest.mark.clause("633a.14(f) burn")
@pytest.mark.parametrize("more", [0, 1])
def test_a_card_that_is_burned_without_a_new_shuffle_is_none_of_the_round_even_as_the_last_of_a_history(
    more: int,
) -> None:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    for _ in range(more):
        s.irr(Irr.PULLED_BACK)
    s.burn("3C")
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert given is not None and not given.irregularities
    assert [card_name(card) for card in given.cards] == ["10♣", "9♣", "7♣", "8♣", "K♦", "K♥"]


def played_again(round_: Round) -> list[list[int]]:
    """The cards of each position as the engine deals them, in the order drawn, for what the hands did."""
    seats = tuple(
        BettingPosition(box, 10_00, decisions=tuple((word, None) for word in words))
        for box, words in Actions(round_).by_box.items()
    )
    given = play_input(round_, seats)
    assert given is not None
    rules = RulesSubmission.default("blackjack", 6)
    again = play(rules, given.stakes, given.cards, given.decisions, given.irregularities, late=given.late)
    return [list(box.hands[0].cards) for box in again.boxes]


@pytest.mark.clause("633a.14(g) one")
def test_which_card_a_hand_missed_is_the_history_s() -> None:
    """Position 1 missed its first card: the first one drawn is position 2's."""
    for detail, drawn in ((1, (2, 1, 2)), (2, (1, 2, 2))):
        s = Short()
        s.start(1, 2)
        names = iter(("10C", "9C", "8C"))
        first = [box for box in drawn[:2] if detail == 2 or box == 2]
        s.irr(Irr.HAND_WITH_ONE_CARD, 1, detail=detail)
        for box in first:
            s.give(box, next(names))
        s.up("7C")
        for box in drawn[len(first) :]:
            s.give(box, next(names))
        s.give(1, "2C", Role.LATE)
        s.hole("KH")
        s.finish_usual()
        given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
        assert given is not None
        assert [(note.kind, note.missed) for note in given.irregularities] == [("one_card", detail)]


@pytest.mark.parametrize("code", [Irr.CARD_UNKNOWN, Irr.SECOND_TEN_FOUND, 99])
def test_a_round_with_an_irregularity_that_the_rules_of_play_do_not_cover_is_not_played_again(code: int) -> None:
    for irregular in (False, True):
        s = Short()
        s.usual()
        if irregular:
            s.irr(code)  # type: ignore[arg-type]
        s.stand(1, 2)
        s.reveal()
        s.close(17)
        given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
        assert (given is None) == irregular


@pytest.mark.parametrize("card", [0, 51, 52, 53, 63])
def test_a_round_with_a_card_that_no_deck_has_is_not_played_again(card: int) -> None:
    s = Short()
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "3C"}, "KH")
    s.give(1, card, Role.DRAW)
    s.finish_usual()
    assert (play_input(one_round(s), (BettingPosition(1, 10_00),)) is None) == (card > 51)


@pytest.mark.clause("633a.14(b)")
@pytest.mark.clause("633a.14(c) use")
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("seen", ["as it was drawn", "when it lay there", "never"])
def test_a_round_with_a_card_exposed_before_the_opening_deal_was_over_is_not_played_again(
    early: bool, seen: str
) -> None:
    """The clause has no rule for such a card; one that is exposed later, or never, is the next card."""
    s = Short()

    def held(name: str) -> int:
        if seen == "as it was drawn":
            return s.card(Role.HELD, TABLE, name)
        ref = s.s.seal(Role.HELD, TABLE, 0, 0, face(name), 1)
        if seen == "when it lay there":
            s.s.open(ref, Role.HELD, TABLE, 0)
        return ref

    def used(ref: int, role: Role, box: int) -> None:
        if seen == "never":
            s.s.open(ref, role, box, 0)
        else:
            s.add("moved", ref, role, box, 0)

    if early:
        ref = held("10C")
        s.start(1, 2)
        used(ref, Role.OPENING, 1)
    else:
        s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "2D"}, "KH", skip=early)
    s.stand(1)
    if not early:
        used(held("5D"), Role.DRAW, 2)
    s.stand(2)
    s.reveal()
    s.close()
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert (given is None) == (early and seen != "never")
    kind, at = "unexposed" if seen == "never" else "exposed", 0 if early else 6
    assert given is None or [(note.kind, note.at) for note in given.irregularities] == [(kind, at)]


def test_a_card_drawn_in_error_that_was_seen_and_never_used_is_an_exposed_one() -> None:
    s = Short()
    s.start(1)
    s.opening({1: "10C"}, "7C", {1: "8C"}, "KH")
    s.card(Role.HELD, TABLE, "5D")
    s.stand(1)
    s.reveal()
    s.close()
    given = play_input(one_round(s), (BettingPosition(1, 10_00),))
    assert given is not None
    assert [(note.kind, note.at) for note in given.irregularities] == [("exposed", 4)]


def test_a_card_that_is_burned_in_a_round_is_no_card_of_it_without_a_refill() -> None:
    s = Short()
    s.usual()
    s.burn("3C")
    s.finish_usual()
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert given is not None
    assert [card_name(card) for card in given.cards] == ["10♣", "9♣", "7♣", "8♣", "K♦", "K♥"]
    assert given.irregularities == ()


@pytest.mark.parametrize("card", [0, 51, 52, 53, 63])
def test_a_burned_card_that_no_deck_has_is_an_unknown_one(card: int) -> None:
    """It is in nobody's hand: the round is played again without its face."""
    s = Short()
    s.usual()
    s.add("refilled", 0, 40)
    ref = s.burn(card)
    s.s.open(ref, Role.BURN, RACK_BOX, 0)
    s.give(1, "2S", Role.DRAW)
    s.finish_usual()
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert given is not None
    assert [note.kind for note in given.irregularities] == ["too_few"]
    assert given.cards[given.irregularities[0].at] == (card if card < 52 else UNKNOWN)


@pytest.mark.clause("633a.7(a)")
@pytest.mark.parametrize("racked", [False, True])
def test_a_card_drawn_while_the_game_was_stopped_is_no_card_of_the_round(racked: bool) -> None:
    s = Short()
    s.usual()
    ref = s.card(Role.STOPPED, RACK_BOX, "4D")
    s.irr(Irr.DRAWN_WHILE_STOPPED)
    if racked:
        s.add("moved", ref, Role.DISCARDED, RACK_BOX, 0)
    s.finish_usual()
    given = play_input(one_round(s), (BettingPosition(1, 10_00), BettingPosition(2, 10_00)))
    assert given is not None
    assert [card_name(card) for card in given.cards] == ["10♣", "9♣", "7♣", "8♣", "K♦", "K♥"]


@pytest.mark.clause("633a.14(g) one", "633a.12(a)(3)")
def test_the_second_hand_of_switch_can_be_the_one_that_missed_a_card() -> None:
    s = Short(Game.SWITCH)
    s.start(1)
    s.irr(Irr.HAND_WITH_ONE_CARD, 1, 1, detail=2)
    for hand, name in enumerate(("10C", "9C")):
        s.give(1, name, hand=hand)
    s.up("7C")
    s.give(1, "8C")
    s.give(1, "2C", Role.LATE, 1)
    s.hole("KH")
    for hand in range(2):
        s.end_hand(1, hand=hand)
    s.reveal()
    s.close(17)
    given = play_input(one_round(s), (BettingPosition(1, 10_00),))
    assert given is not None
    (note,) = given.irregularities
    assert (note.kind, note.position, note.hand, note.choice, note.missed) == ("one_card", 1, 1, "accept", 2)


@pytest.mark.clause("633a.14(j)(1)")
@pytest.mark.parametrize(("misused", "clause", "net"), [(True, "633a.14(j)(1)", -5_00), (False, "633a.14(j)", 0)])
def test_only_a_round_that_the_reader_voided_keeps_what_was_settled_after_the_deal(
    misused: bool, clause: str, net: int
) -> None:
    """Match-the-Dealer lost against the up card: collected before the reader was used; else nobody knows."""
    s = Short()
    s.start(1)
    s.opening({1: "10C"}, "6C", {1: "9D"}, "KH")
    if misused:
        s.irr(Irr.READER_WRONG_UP_CARD)
    s.close(0, 1)
    rules = rules_of(Game.BLACKJACK)
    found = table_round(
        one_round(s),
        (BettingPosition(1, 10_00, side={"match_the_dealer": 5_00}),),
        RulesSubmission.default("blackjack", 6),
    )
    assert isinstance(found, TableRound)
    if len(found.dealer) < 2:  # the hole card stayed sealed
        found = found._replace(dealer=(found.dealer[0], 51))
    assert found.void == clause
    assert settle(found, rules).net(1) == net


def test_a_round_with_an_unknown_card_is_not_settled() -> None:
    s = Short()
    s.start(1)
    s.opening({1: 63}, "6C", {1: "6D"}, "KH")  # type: ignore[dict-item]
    s.stand(1)
    s.reveal()
    s.close(16)
    found = table_round(one_round(s), (BettingPosition(1, 10_00),), RulesSubmission.default("blackjack", 6))
    assert isinstance(found, Missing) and found.text.startswith("a card of position 1 (record ")
    assert found.text.endswith("is not known; 'shoetool settle' takes a round file that names its cards")
    assert play_input(one_round(s), (BettingPosition(1, 10_00),)) is None


@pytest.mark.parametrize(
    ("kind", "at", "what"), [("hand_ended", 2, "a hand of position 1"), ("round_closed", 1, "the round")]
)
def test_a_round_that_ended_in_a_way_that_is_not_known_is_not_settled(kind: str, at: int, what: str) -> None:
    """It was paid as one that stood, or as one that counts."""
    s = Short()
    s.start(1)
    s.opening({1: "10S"}, "6C", {1: "10D"}, "KH")
    s.stand(1)
    s.reveal()
    s.give(0, "9C", Role.DEALER_DRAW)
    s.close(25)
    seats = (BettingPosition(1, 10_00),)
    assert not isinstance(table_round(one_round(s), seats, RulesSubmission.default("blackjack", 6)), Missing)
    place = next(index for index, record in enumerate(s.s.records) if record.name == kind)
    values = list(s.s.records[place].values)
    values[at] = 99
    s.s.records[place] = s.s.records[place]._replace(values=tuple(values))
    found = table_round(one_round(s), seats, RulesSubmission.default("blackjack", 6))
    assert isinstance(found, Missing) and found.text.startswith(f"how {what} ended is not known")


@pytest.mark.clause("635a.13(a) more", "635a.13(b) more")
@pytest.mark.parametrize(
    ("code", "clause"), [(Irr.SECOND_FACE_UP_CARD, "635a.13(a) more"), (Irr.SECOND_TEN_FOUND, "635a.13(b) more")]
)
def test_a_void_round_names_the_clause_that_voids_it_and_every_wager_is_returned(code: Irr, clause: str) -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    s.give(1, "5C")
    s.irr(code)
    s.close(0, 1)
    round_ = one_round(s)
    found = table_round(
        round_, (BettingPosition(1, 10_00), BettingPosition(2, 20_00)), RulesSubmission.default("spanish_21", 6)
    )
    assert isinstance(found, TableRound) and found.void == clause
    settlement = settle(found, RulesSubmission.default("spanish_21", 6))
    assert not any(settlement.nets) and settlement.tray == 0


@pytest.mark.clause("633a.14(d)")
def test_a_card_drawn_on_17_is_not_the_dealer_s() -> None:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    s.irr(Irr.DEALER_DREW_ON_17, 0)
    s.card(Role.DISCARDED, RACK_BOX, "4D")
    s.close(17)
    seats = (
        BettingPosition(1, 10_00, decisions=(("stand", None),)),
        BettingPosition(2, 10_00, decisions=(("stand", None),)),
    )
    round_ = one_round(s)
    found = table_round(round_, seats, RulesSubmission.default("blackjack", 6))
    assert isinstance(found, TableRound)
    assert len(found.dealer) == 2 and [card_name(card) for card in found.draws_discarded] == ["4♦"]
    given = play_input(round_, seats)
    assert given is not None and [note.kind for note in given.irregularities] == ["dealer_extra"]


RACK_BOX = 14
