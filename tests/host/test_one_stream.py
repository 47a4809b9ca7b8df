"""One round, three tellers: the simulated dealer, the firmware's records and the play of a round file make the same
actions of it.

None of them sees another's: the dealer keeps his own round, the firmware knows only passes and keys, and the play gets
the cards and the decisions that were read from the history.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from in_process_shoe import InProcessShoe
from shoesim.plants import Plant
from shoesim.scenario import Scenario, run_scenario
from shoetool.deal.engine import close_round, decide_all, open_round
from shoetool.model.protocol_table import Game, Position, Role, ShoeKind
from shoetool.round_file.dealt_play import play_input
from shoetool.round_file.dealt_round import Actions
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import game as game_of
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table import replay
from shoetool.table.actions import CardPlaced, Doubled, Hit, Peeked, SideChosen, Split, Switched
from shoetool.table.hand import Hand
from shoetool.table.round import Round
from table_session import rules_of

TABLES = {
    "blackjack": (Game.BLACKJACK, ShoeKind.SINGLE, 6, {}),
    "double shoe": (Game.BLACKJACK, ShoeKind.DOUBLE, 8, {"shoe": "double", "red_side": "A"}),
    "free bet": (Game.FREE_BET, ShoeKind.SINGLE, 6, {}),
    "spanish 21": (Game.SPANISH_21, ShoeKind.SINGLE, 6, {}),
    "switch": (Game.SWITCH, ShoeKind.SINGLE, 6, {}),
    "from the hand": (Game.FROM_THE_HAND, ShoeKind.SINGLE, 1, {}),
}
SLIPS = ("missed_card", "hand_without_cards", "hand_with_one_card", "dealer_misses_card")
HYBRIDS = {"hybrid": (Game.HYBRID, 6), "hybrid without a hole card": (Game.HYBRID_NO_HOLE, 8)}
PLAYS = (Hit, Doubled, Split, Switched, Peeked)


def plays(round_: Round) -> Iterator[tuple[object, ...]]:
    """Cards and decisions in order, without record numbers. Burned cards are no part of the round."""
    for action in round_.actions:
        if isinstance(action, CardPlaced):
            if action.box != Position.RACK:
                yield action.card.card, int(action.role), int(action.box), int(action.hand)
        elif isinstance(action, PLAYS):
            yield (type(action).__name__, *map(int, action[:-1]))


def told(round_: Round) -> list[str]:
    """Cards and decisions in no order, but for a card that waits: the play has it only where it is used."""
    return sorted(str(one) for one in plays(round_) if one[1] != Role.HELD)


def lies(round_: Round) -> list[tuple[object, ...]]:
    """What lies on the table in the end, and how each hand ended."""
    hands = [(hand.box, hand.hand, hand.ids, end_of(hand), hand.split, hand.switched) for hand in round_.in_order()]
    chosen = [side.side for side in round_.of(SideChosen)]
    return [*hands, ("dealer", [card.card for card in round_.dealer]), ("side", chosen), ("peek", round_.peek)]


def own(round_: Round) -> dict[int, list[int]]:
    """Without a hole card: the dealer's hand of each terminal."""
    return {box: [card.card for card in round_.dealer_of(box)] for box in round_.own}


def end_of(hand: Hand) -> str:
    """A 21 that was laid down unseen, in a deal from the hand, is recorded as a stand: 633a.12(b)(9)."""
    unseen = hand.end_name == "stand" and hand.cards[0].sealed and hand.count() == 21
    return hand.end_name if not unseen else "blackjack" if len(hand.cards) == 2 and not hand.split else "twenty_one"


def as_played(round_: Round, rules: RulesSubmission) -> Round:
    """The round once more, by the rules, from the cards and decisions that the history shows."""
    words = Actions(round_).by_box
    seats = tuple(
        BettingPosition(
            box,
            10_00,
            decisions=tuple((word, None) for word in words.get(box, ())),
            player_position=round_.selection(box) or None,
        )
        for box in round_.seat_list()
    )
    given = play_input(round_, seats, game_of(rules.game).deal.burns)
    assert given is not None
    told = (given.stakes, given.cards, given.irregularities)
    state = open_round(rules, *told, determinant_from=given.determinant_from)
    state.late_order = list(given.late)
    decide_all(state, given.decisions)
    close_round(state)
    return state.round


@pytest.mark.parametrize(
    "slips", [(), *((slip,) for slip in SLIPS), SLIPS], ids=lambda slips: "+".join(slips) or "none"
)
@pytest.mark.parametrize("name", TABLES)
def test_dealer_shoe_and_round_file_tell_the_same_round(name: str, slips: tuple[str, ...]) -> None:
    game, kind, decks, changes = TABLES[name]
    rules = rules_of(game, decks, **changes)
    players = (3, 6) if game == Game.FREE_BET else (3, 7)
    scenario = Scenario(game, kind, decks, 7, tuple(map(Plant, slips)), players=players, rounds=8)
    shoe = InProcessShoe(scenario)
    truth = run_scenario(scenario, shoe)
    dealt = list(replay.rounds(shoe.history()))
    assert [round_.number for round_ in dealt] == [round_.number for round_ in truth.played] and dealt
    for recorded, dealer in zip(dealt, truth.played, strict=True):
        played = as_played(recorded, rules)
        for other in (dealer, played):
            assert lies(other) == lies(recorded), recorded.number
            assert list(plays(other)) == list(plays(recorded)), recorded.number


@pytest.mark.clause("633c.5(n)(1)", "633c.5(q)#2", "633c.5(y)(4)", "633c.5(aa)#1")
@pytest.mark.parametrize("slips", [(), ("drawn_before_choices",)], ids=["none", "drawn before the choices"])
@pytest.mark.parametrize("name", HYBRIDS)
def test_dealer_shoe_and_round_file_tell_the_same_round_of_a_hybrid_table(name: str, slips: tuple[str, ...]) -> None:
    """Terminals choose in any order, so the choices of a round are compared hand by hand."""
    game, decks = HYBRIDS[name]
    rules = RulesSubmission.default(game.name.lower(), decks)
    for seed in (7, 8):
        scenario = Scenario(
            game, ShoeKind.SINGLE, decks, seed, tuple(map(Plant, slips)), players=(2, 6), reader=game == Game.HYBRID
        )
        shoe = InProcessShoe(scenario)
        truth = run_scenario(scenario, shoe)
        dealt = list(replay.rounds(shoe.history()))
        assert [round_.number for round_ in dealt] == [round_.number for round_ in truth.played] and dealt
        for recorded, dealer in zip(dealt, truth.played, strict=True):
            for other in (dealer, as_played(recorded, rules)):
                where = (seed, recorded.number)
                assert lies(other) == lies(recorded), where
                assert own(other) == own(recorded), where
                assert told(other) == told(recorded), where
