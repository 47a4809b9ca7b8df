"""Double, split, surrender and rescue of one hand: the answer that judge, round files and simulated dealer share."""

from __future__ import annotations

import pytest
from shoetool.judge.allowed import No, Standing, ends_by_cards, no_double, no_rescue, no_split, no_surrender, no_switch
from shoetool.model.cards import parse_card
from shoetool.model.protocol_table import HandEnd
from shoetool.rules.games import GAMES

COVER, UNKNOWN = 52, 63


def hand(text: str, **more: bool) -> Standing:
    """A hand of these cards; `cover` and `??` are no faces."""
    faces = {"cover": COVER, "??": UNKNOWN}
    return Standing([faces[name] if name in faces else parse_card(name) for name in text.split()], **more)


@pytest.mark.parametrize(
    ("held", "blackjack"),
    [
        (hand("AS KD"), True),
        (hand("10S AD"), True),
        (hand("AS 9D"), False),
        (hand("AS KD", from_split=True), False),
        (hand("AS KD", switched=True), False),
        (hand("7S 7D 7C"), False),
        (hand("AS ??"), False),
        (hand("KS cover"), False),
        (hand("KS 2C"), False),
    ],
)
def test_a_blackjack_is_two_known_cards_that_were_dealt_to_the_hand(held: Standing, blackjack: bool) -> None:
    assert held.blackjack == blackjack
    assert no_double(GAMES["blackjack"], held) == (
        No.BLACKJACK if blackjack else No.CARDS if len(held.cards) != 2 else None
    )


@pytest.mark.parametrize(
    ("held", "end"),
    [
        (hand("AS KD"), HandEnd.BLACKJACK),
        (hand("AS KD", from_split=True), HandEnd.TWENTY_ONE),
        (hand("AS KD", switched=True), HandEnd.TWENTY_ONE),
        (hand("AS 9D AC"), HandEnd.TWENTY_ONE),
        (hand("AS 9D"), None),
        (hand("KS QD 2C"), HandEnd.BUST),
        (hand("KS ?? 2C"), None),
        (hand("KS ?? AC"), None),
        (hand("AS ??"), None),
        (hand("KS QD ??"), None),
        (hand("KS ?? QD AC"), HandEnd.BUST),
        (hand("KS cover QD AC"), HandEnd.BUST),
    ],
)
def test_a_hand_ends_by_its_cards_only_where_all_that_they_can_be_ends_it(held: Standing, end: HandEnd | None) -> None:
    """633a.7(k)(1): at 21, and over 21 with an ace for each card that is not known."""
    assert ends_by_cards(held) == end


@pytest.mark.clause("633a.10(a)")
def test_which_hands_may_double() -> None:
    two, three = hand("5S 6D"), hand("5S 2D 4C")
    assert (no_double(GAMES["blackjack"], two), no_double(GAMES["blackjack"], three)) == (None, No.CARDS)
    assert (no_double(GAMES["spanish_21"], two), no_double(GAMES["spanish_21"], three)) == (None, None)
    for game in GAMES.values():
        assert no_double(game, hand("5S")) == No.CARDS
        assert no_double(game, hand("5S 6D", doubled=True, ended=True)) == No.DOUBLED
        assert no_double(game, hand("5S 6D", ended=True)) == No.ENDED


@pytest.mark.clause("633a.11(a)")
def test_which_hands_may_split() -> None:
    assert no_split(hand("8S 8D")) is None and no_split(hand("10S KD")) is None
    assert no_split(hand("8S 9D")) == No.UNEQUAL
    assert no_split(hand("8S ??")) is None and no_split(hand("8S cover")) is None  # nobody can tell
    assert no_split(hand("8S 8D 8C")) == No.CARDS and no_split(hand("8S")) == No.CARDS
    assert no_split(hand("8S 8D", ended=True)) == No.ENDED == no_split(hand("8S 8D", doubled=True))


@pytest.mark.clause("633a.9(a) option")
def test_which_hands_may_be_surrendered_or_rescued() -> None:
    for game in GAMES.values():
        first = None if game.facts.surrender else No.NOT_OFFERED
        assert no_surrender(game, hand("10S 6D")) == first
        for held, why in (
            (hand("10S 6D", ended=True), No.ENDED),
            (hand("10S 6D", from_split=True), No.FROM_SPLIT),
            (hand("10S 6D", doubled=True), No.DOUBLED),
            (hand("10S 2D 4C"), No.CARDS),
            (hand("10S"), No.CARDS),
        ):
            assert no_surrender(game, held) == (first or why)
        offered = None if game.facts.rescue else No.NOT_OFFERED
        assert no_rescue(game, hand("5S 6D 10C", doubled=True)) == offered
        assert no_rescue(game, hand("5S 6D 10C")) == (offered or No.NOT_DOUBLED)
        assert no_rescue(game, hand("6S 6D 10C", doubled=True)) == (offered or No.OVER_21)
        assert no_rescue(game, hand("6S ?? 10C", doubled=True)) == offered


@pytest.mark.clause("633a.12(a)(4)")
def test_which_hands_may_switch_their_second_card() -> None:
    for game in GAMES.values():
        offered = None if game.facts.switch else No.NOT_OFFERED
        assert no_switch(game, hand("10S 6D")) == offered == no_switch(game, hand("AS KD", ended=True))
        for held, why in (
            (hand(""), No.CARDS),
            (hand("10S"), No.CARDS),
            (hand("10S 2D 4C"), No.CARDS),
            (hand("10S 6D", switched=True), No.SWITCHED),
            (hand("10S 6D", doubled=True), No.ENDED),
            (hand("10S 6D", from_split=True), No.ENDED),
            (hand("10S 6D", ended=True), No.ENDED),
        ):
            assert no_switch(game, held) == (offered or why)


def test_both_kinds_of_game_are_among_them() -> None:
    assert (
        {game.facts.rescue for game in GAMES.values()}
        == {game.facts.surrender for game in GAMES.values()}
        == {
            True,
            False,
        }
    )
