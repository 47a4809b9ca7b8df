"""Read the betting positions of a round file: wagers, decisions, and the hands where it has them in place of cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from shoetool.round_file.fields import (
    MOST_POSITIONS,
    MOST_SELECTED,
    NO_AMOUNTS,
    Fault,
    Fields,
    decisions,
    integer,
    lying,
    money,
    text_field,
    wagers,
)
from shoetool.round_file.json_place import Path

_MOST_HANDS: Final = 16
_MOST_DEALT: Final = 2
"""Hands that a position is dealt, in Switch."""


class BettingPosition(NamedTuple):
    """One position of a round file. Money in cents; `decisions` are (word, cents or None) in the order of the turn.

    `even_money` is true for the first Blackjack of the position, or a list for the hands as dealt, from the left.
    `ante` is the switch hands ante, 0 without one. `player_position` is what a terminal of a hybrid table selected.
    `hands` are its hands at the end, left to right, in a file that has them in place of the cards.
    """

    position: int
    wager: int
    player: str | None = None
    side: Mapping[str, int] = NO_AMOUNTS
    insurance: int = 0
    even_money: bool | tuple[bool, ...] = False
    decisions: tuple[tuple[str, int | None], ...] = ()
    ante: int = 0
    player_position: int | None = None
    hands: tuple[tuple[int, ...], ...] = ()


_SEAT: Final = (
    *("position", "player", "player_position", "wager", "ante", "side", "insurance", "even_money", "decisions"),
    "hands",
)


def read_seats(values: Any) -> tuple[BettingPosition, ...]:
    """The positions of a round. Fault for none, or for too many."""
    if not isinstance(values, list) or not values:
        raise Fault(("positions",), "takes a list with at least one position that has a main wager (633a.6(d))")
    if len(values) > MOST_POSITIONS:
        raise Fault(("positions",), f"has {len(values)} positions; a table has {MOST_POSITIONS} at most (633a.2(a))")
    return tuple([_seat(value, ("positions", index)) for index, value in enumerate(values)])


def _seat(value: Any, path: Path) -> BettingPosition:
    fields = Fields(value, path, _SEAT)
    position = integer(fields, "position", 1, MOST_POSITIONS)
    if position is None:
        raise Fault(path, '"position" is missing: 1, at the dealer\'s far left, to 7')
    if "wager" not in fields:
        raise Fault(path, '"wager" is missing: a main wager is needed to take part (633a.6(d))')
    return BettingPosition(
        position,
        money(fields["wager"], (*path, "wager")),
        text_field(fields, "player"),
        wagers(fields, "side"),
        money(fields["insurance"], (*path, "insurance")) if "insurance" in fields else 0,
        _even_money(fields) if "even_money" in fields else False,
        decisions(fields["decisions"], (*path, "decisions")) if "decisions" in fields else (),
        money(fields["ante"], (*path, "ante")) if "ante" in fields else 0,
        integer(fields, "player_position", 1, MOST_SELECTED) if "player_position" in fields else None,
        _hands(fields) if "hands" in fields else (),
    )


def _even_money(fields: Fields) -> bool | tuple[bool, ...]:
    value = fields["even_money"]
    if isinstance(value, bool):
        return value
    if isinstance(value, list) and 0 < len(value) <= _MOST_DEALT and all(isinstance(one, bool) for one in value):
        return any(value) and tuple(value)
    raise Fault((*fields.path, "even_money"), "takes true or false, in Blackjack Switch of each hand: [true, false]")


def verify_by_hand(fields: Fields, seats: tuple[BettingPosition, ...]) -> None:
    """Hands stand in place of cards: for every position and the dealer, or for none."""
    for index, seat in enumerate(seats):
        if seat.hands and "dealer" not in fields:
            raise Fault(("positions", index, "hands"), 'write the dealer\'s hand too, "dealer": "9♠ 7♦ K♣"')
        if "dealer" in fields and not seat.hands:
            raise Fault(("positions", index), '"hands" is missing: the round has hands in place of cards')
    for other in ("cards", "history", "burned", "determinant_from", "irregularities"):
        if "dealer" in fields and other in fields:
            raise Fault((other,), "goes with the cards in the order drawn; this round has hands in place of them")


def _hands(fields: Fields) -> tuple[tuple[int, ...], ...]:
    value, path = fields["hands"], (*fields.path, "hands")
    if isinstance(value, str):
        return (lying(value, path),)
    if not isinstance(value, list) or not value or len(value) > _MOST_HANDS:
        raise Fault(path, f'takes a hand such as "K♥ 6♦", or a list of 1 to {_MOST_HANDS} hands, left to right')
    return tuple([lying(one, (*path, index)) for index, one in enumerate(value)])
