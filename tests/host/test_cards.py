"""Cards: names, counts (633a.3(e)) and parsing."""

from __future__ import annotations

import pytest
from shoetool.model import cards
from shoetool.model.errors import BadInput


def test_every_card_has_its_own_name_and_parses_back() -> None:
    names = [cards.card_name(card) for card in range(52)]
    assert len(set(names)) == 52
    assert [cards.parse_card(name) for name in names] == list(range(52))


@pytest.mark.parametrize(("text", "card"), [("AC", 0), ("10h", 35), ("TH", 35), ("k♠", 51), (" 2d ", 14), ("A♣", 0)])
def test_names_are_read_with_letters_or_signs(text: str, card: int) -> None:
    assert cards.parse_card(text) == card


@pytest.mark.parametrize("text", ["", "1H", "11H", "AX", "H10", "cover card", "10"])
def test_what_is_no_card_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        cards.parse_card(text)
    assert "\n" not in str(caught.value)


def test_special_cards_are_named_as_what_they_are() -> None:
    assert cards.card_name(52) == "cover card"
    assert [cards.card_name(card) for card in cards.TEST_CARDS] == ["T1", "T2", "T3", "T4"]
    assert cards.card_name(63) == "unknown"
    assert cards.card_words(35) == "ten of hearts"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (["AC"], (11, True)),
        (["AC", "KD"], (21, True)),
        (["AC", "AD"], (12, True)),
        (["AC", "AD", "9H"], (21, True)),
        (["AC", "AD", "KH"], (12, False)),
        (["10C", "6D", "5H"], (21, False)),
        (["10C", "6D", "6H"], (22, False)),
        (["AC", "6D"], (17, True)),
    ],
)
def test_633a_3_e_counts(hand: list[str], expected: tuple[int, bool]) -> None:
    assert cards.total([cards.parse_card(name) for name in hand]) == expected


def test_blackjack_needs_two_cards() -> None:
    ace, king, ten, five, six = (cards.parse_card(name) for name in ("AC", "KD", "10D", "5D", "6D"))
    assert cards.is_blackjack([ace, king])
    assert cards.is_blackjack([ten, ace])
    assert not cards.is_blackjack([ten, five, six])
    assert not cards.is_blackjack([ten, king])


def test_635a_3_a_a_spanish_deck_has_no_tens() -> None:
    assert sum(cards.copies_per_deck(card, spanish=True) for card in range(52)) == 48
    assert sum(cards.copies_per_deck(card, spanish=False) for card in range(52)) == 52
    assert [card for card in range(52) if cards.copies_per_deck(card, True) == 0] == [9, 22, 35, 48]


def test_hearts_and_diamonds_are_red() -> None:
    assert [cards.is_red(card) for card in (0, 13, 26, 39)] == [False, True, True, False]
