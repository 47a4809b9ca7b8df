"""The judge by himself: why an action was not allowed, asked of a round as it stood before the action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from shoetool.judge.hands import owed_to_hands, why_not
from shoetool.model.cards import parse_card
from shoetool.model.protocol_table import Game, HandEnd, IrregularityCode, Role, RoundEnd
from shoetool.rules.games import game_of
from shoetool.table.actions import Action, CardPlaced, Doubled, HandEnded, Reported, Split
from shoetool.table.card import DrawnCard
from shoetool.table.fold import apply
from shoetool.table.round import Round


@dataclass
class Play:
    """A round in which each action is judged, and then happens anyway."""

    game: Game = Game.BLACKJACK
    round: Round = field(default_factory=lambda: Round(1, 0b11, 1))
    number: int = 1

    def _take(self, action: Action) -> list[str]:
        found = [objection.sentence for objection in why_not(game_of(self.game), self.round, action)]
        apply(self.round, action)
        return found

    def card(self, name: str, box: int, role: Role = Role.OPENING, hand: int = 0) -> list[str]:
        """A card comes to a hand."""
        self.number += 1
        drawn = DrawnCard(self.number, role, box, hand, 0, parse_card(name), 1, False)
        return self._take(CardPlaced(drawn, role, box, hand, self.number))

    def does(self, kind: Callable[..., Action], *values: int) -> list[str]:
        """A decision, an end of a hand, a report."""
        self.number += 1
        return self._take(kind(*values, self.number))

    def deal(self, *hands: str) -> Play:
        """Two cards to each position, from 1."""
        for box, cards in enumerate(hands, 1):
            for name in cards.split():
                assert not self.card(name, box)
        return self


def test_what_is_allowed_meets_no_objection() -> None:
    play = Play().deal("5♥ 6♣", "10♥ 9♣")
    assert not play.does(Doubled, 1, 0)
    assert not play.card("2♦", 1, Role.DOUBLE_DRAW)
    assert not play.does(HandEnded, 1, 0, HandEnd.DOUBLED)
    assert not play.does(HandEnded, 2, 0, HandEnd.STAND)
    play.round.outcome = RoundEnd.SETTLED
    assert not list(owed_to_hands(play.round))


def test_a_card_out_of_turn_names_whose_turn_it_is() -> None:
    """633a.7(i)."""
    play = Play().deal("5♥ 6♣", "10♥ 2♣")
    assert play.card("2♦", 2, Role.DRAW) == ["position 2 got a card while position 1 had not ended its hand."]


def test_a_hand_that_waits_for_a_late_card_is_passed_over() -> None:
    """633a.14(i)."""
    play = Play().deal("5♥ 6♣", "10♥ 2♣")
    play.does(Reported, IrregularityCode.MISSED_CARD, 1, 0, 0, 0)
    assert not play.card("2♦", 2, Role.DRAW)
    assert not play.does(HandEnded, 2, 0, HandEnd.STAND)
    assert not play.card("4♦", 1, Role.LATE)
    assert not play.card("5♦", 1, Role.DRAW), "it goes on while it counts less than 21"


@pytest.mark.parametrize("why", [None, *HandEnd])
def test_a_hand_that_ended_without_a_card_gets_none_in_play(why: HandEnd | None) -> None:
    """633a.14(g) none: it is dead."""
    play = Play().deal("10♥ 9♣")
    play.does(HandEnded, 1, 0, HandEnd.STAND)
    if why is not None:
        play.does(HandEnded, 2, 0, why)
    assert bool(play.card("2♦", 2, Role.DRAW)) == (why is not None)


@pytest.mark.parametrize(("box", "judged"), [(0, False), (7, True), (8, False), (11, False)])
def test_only_cards_to_betting_positions_are_judged_as_a_players(box: int, judged: bool) -> None:
    """633a.7(i): what lies with the dealer, in the rack or nowhere is no hand that may draw."""
    play = Play().deal("5♥ 6♣", "10♥ 2♣")
    play.does(HandEnded, 1, 0, HandEnd.STAND)
    assert bool(play.card("2♦", box, Role.DRAW)) == judged


@pytest.mark.parametrize(
    ("game", "cards", "objection"),
    [
        (Game.BLACKJACK, "5♥ 6♣", None),
        (Game.BLACKJACK, "5♥ 2♣ 3♦", "position 1 doubled on 3 cards."),
        (Game.BLACKJACK, "A♥ K♣", "position 1 doubled on Blackjack."),
        (Game.SPANISH_21, "5♥ 2♣ 3♦", None),
        (Game.SPANISH_21, "5♥", "position 1 doubled on 1 card."),
        (Game.BLACKJACK, "5♥", "position 1 doubled on 1 card."),
    ],
)
def test_who_may_double(game: Game, cards: str, objection: str | None) -> None:
    """633a.10(a)."""
    play = Play(game).deal(cards)
    assert play.does(Doubled, 1, 0) == ([] if objection is None else [objection])
    assert play.does(Doubled, 1, 0) == ["position 1 doubled twice."]


@pytest.mark.parametrize(
    ("game", "hands", "objects"), [(Game.FREE_BET, 4, False), (Game.FREE_BET, 5, True), (Game.BLACKJACK, 5, False)]
)
def test_how_many_hands_splits_may_make(game: Game, hands: int, objects: bool) -> None:
    """Free Bet has its own limit; elsewhere the table says it."""
    play = Play(game).deal("8♥ 8♣")
    found: list[str] = []
    for new in range(1, hands):
        found = play.does(Split, 1, 0, new)
        play.card("8♦", 1, Role.SPLIT_SECOND)
    assert found == ([f"position 1 has {hands} hands."] if objects else [])


def test_only_cards_of_equal_value_are_split() -> None:
    """633a.11(a)."""
    assert not Play().deal("K♥ 10♣").does(Split, 1, 0, 1)
    assert Play().deal("K♥ 9♣").does(Split, 1, 0, 1) == ["position 1 split K♥ and 9♣, which differ in value."]


@pytest.mark.parametrize(
    ("game", "objection"),
    [
        (Game.BLACKJACK, None),
        (Game.SWITCH, "position 1 surrendered; Blackjack Switch has no surrender."),
    ],
)
def test_surrender_is_for_games_that_have_it(game: Game, objection: str | None) -> None:
    """633a.9(a) option, 633a.12(a)(4)."""
    play = Play(game).deal("10♥ 6♣")
    assert play.does(HandEnded, 1, 0, HandEnd.SURRENDERED) == ([] if objection is None else [objection])


def test_a_double_is_taken_back_in_spanish_21_alone_and_before_the_hole_card_is_turned() -> None:
    for game, revealed, objects in (
        (Game.SPANISH_21, False, False),
        (Game.SPANISH_21, True, True),
        (Game.BLACKJACK, False, True),
    ):
        play = Play(game).deal("5♥ 6♣")
        play.does(Doubled, 1, 0)
        play.card("2♦", 1, Role.DOUBLE_DRAW)
        play.does(HandEnded, 1, 0, HandEnd.DOUBLED)
        if revealed:
            play.round.revealed = play.number
        assert bool(play.does(HandEnded, 1, 0, HandEnd.SURRENDERED)) == objects, (game, revealed)


@pytest.mark.parametrize(
    ("cards", "end", "objection"),
    [
        ("K♥ 9♣", HandEnd.BUST, "was ended as over 21 with 19"),
        ("K♥ 9♣", HandEnd.TWENTY_ONE, "was ended as 21 with 19"),
        ("K♥ 9♣ 2♦", HandEnd.BLACKJACK, "was ended as Blackjack and is not Blackjack"),
        ("K♥ 9♣ 5♦", HandEnd.STAND, "stood with 24"),
        ("K♥ A♣", HandEnd.STAND, "had Blackjack and was ended for another reason"),
        ("K♥ 9♣", HandEnd.DEAD, "was ended as dead without a reported reason"),
        ("K♥ 9♣", HandEnd.DEALER_BLACKJACK, "was ended by a dealer's Blackjack that was not known"),
        ("K♥ 9♣", HandEnd.DOUBLED, "was ended as doubled and was not doubled"),
    ],
)
def test_a_hand_ends_for_the_reason_that_its_cards_show(cards: str, end: HandEnd, objection: str) -> None:
    """633a.7(k)."""
    play = Play()
    for at, name in enumerate(cards.split()):
        play.card(name, 1, Role.OPENING if at < 2 else Role.DRAW)
    assert play.does(HandEnded, 1, 0, end) == [f"position 1 {objection}."]


def test_what_is_missing_at_the_end_of_a_round_is_owed() -> None:
    """633a.7(k), (k)(2), 633a.11(b)."""
    play = Play().deal("5♥ 6♣", "8♥ 8♣")
    play.does(Doubled, 1, 0)
    play.does(HandEnded, 1, 0, HandEnd.DOUBLED)
    play.does(Split, 2, 0, 1)
    play.does(HandEnded, 2, 0, HandEnd.STAND)
    assert [objection.sentence for objection in owed_to_hands(play.round)] == [
        "position 1 doubled and got no card.",
        "position 2, hand 1 was split off and never got its second card.",
        "the hand of position 2, hand 2 never ended.",
    ]


@pytest.mark.parametrize(
    "told",
    [
        *(IrregularityCode.FACE_UP_CARD, IrregularityCode.DRAWN_IN_ERROR, IrregularityCode.DRAWN_IN_ERROR_EXPOSED),
        *(IrregularityCode.CARD_REFUSED, IrregularityCode.CARD_DISCARDED),
    ],
)
def test_only_who_refused_a_card_is_owed_no_second_card_of_a_split_hand(told: IrregularityCode) -> None:
    """633a.14(c) refusal, 633a.11(b)."""
    play = Play().deal("8♥ 8♣")
    play.does(Split, 1, 0, 1)
    play.does(Reported, told, 1, 0, 0, 0)
    for hand in range(2):
        play.does(HandEnded, 1, hand, HandEnd.STAND)
    owed = [] if told == IrregularityCode.CARD_REFUSED else [1, 2]
    assert [objection.sentence for objection in owed_to_hands(play.round)] == [
        f"position 1, hand {hand} was split off and never got its second card." for hand in owed
    ]


def test_an_action_of_a_hand_that_is_not_there_does_not_fit() -> None:
    play = Play().deal("5♥ 6♣")
    assert apply(play.round, Doubled(2, 0)) == "position 2 has no hand 0 to double"
    assert apply(play.round, Split(1, 3, 4)) == "position 1 has no hand 3 to split"
    assert list(play.round.hands) == [1 << 8]
