"""The same round had a player decided otherwise, as far as the cards that were dealt decide it.

The shoe's order is fixed: the same cards come in the same order to whoever is next. The dealer has no choice, so his
hand follows from them. Another player's hand must stay as it was: what he would have decided with other cards, nobody
knows. A card that was not dealt is not known either.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput
from shoetool.rules.round import TableRound
from shoetool.rules.rule_error import RuleError


def play_otherwise(
    play: Callable[[tuple[int, ...]], TableRound], cards: Sequence[int], base: TableRound, changed: Collection[int]
) -> TableRound:
    """Return the round that the other decisions of the positions `changed` make; `base` is the round as it was.

    play: plays these cards, in the order drawn, with the other decisions. Cards at the end that nobody would have drawn
    stay in the shoe. BadInput when the rules do not allow the decisions, when a card is needed that was not dealt, or
    when another player would have got other cards.
    """
    refused: RuleError | None = None
    for count in range(len(cards), 0, -1):
        try:
            played = play(tuple(cards[:count]))
        except RuleError as error:
            refused = refused or error
            continue
        _verify_others(played, base, changed)
        return played
    told = "it needs a card that was not dealt, changes who gets which card, or is not allowed; with the same cards"
    raise BadInput(f"{told}: {refused}")


def _verify_others(played: TableRound, base: TableRound, changed: Collection[int]) -> None:
    for mine, other in zip(played.boxes, base.boxes, strict=True):
        if mine.position in changed:
            continue
        had = [hand.cards for hand in other.hands]
        gets = [hand.cards for hand in mine.hands]
        if had != gets:
            words = f"{_cards(gets)} in place of {_cards(had)}"
            raise BadInput(f"position {mine.position} would have got {words}; what it would have decided is not known")


def _cards(hands: list[tuple[int, ...]]) -> str:
    return " and ".join(" ".join(map(card_name, cards)) for cards in hands)
