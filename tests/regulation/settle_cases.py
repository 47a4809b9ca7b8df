"""Rounds to settle, written in few words: cards by name, money in dollars' cents, one box or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoetool.model.cards import parse_card
from shoetool.rules.round import Box, Hand, Line, Settlement, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle

DECKS = {
    "blackjack": 6,
    "switch": 6,
    "from_the_hand": 2,
    "free_bet": 6,
    "spanish_21": 6,
    "hybrid": 6,
    "hybrid_no_hole": 6,
}


def cards(text: str) -> tuple[int, ...]:
    """Card ids of names between blanks, such as `10H 6C`."""
    return tuple(parse_card(name) for name in text.split())


def hand(text: str, end: str = "stand", *, stake: int = 10_00, number: int = 1, **fields: Any) -> Hand:
    """A hand of these cards with $10 at risk."""
    return Hand(number, cards(text), stake, end=end, **fields)  # type: ignore[arg-type]


def box(
    *hands: Hand,
    position: int = 1,
    wager: int = 10_00,
    initial: tuple[str, ...] | None = None,
    side: Mapping[str, int] | None = None,
    **fields: Any,
) -> Box:
    """A box with these hands, numbered from the left; the first two cards of the first are the initial ones."""
    numbered = tuple(
        Hand(number, *(getattr(one, name) for name in _FIELDS)) for number, one in enumerate(hands, start=1)
    )
    dealt = (hands[0].cards[:2],) if initial is None else tuple(cards(text) for text in initial)
    return Box(position, wager, dealt, numbered, side=side or {}, **fields)


_FIELDS = ("cards", "stake", "lammer", "double", "free_double", "from_split", "end", "switched")


def table_round(game: str, dealer: str, *boxes: Box, **fields: Any) -> TableRound:
    """A round; the reader said what it must with an ace or ten-count card up, unless `reader` is given."""
    held = cards(dealer)
    if "reader" not in fields and len(held) > 1 and (held[0] % 13 == 0 or held[0] % 13 > 8):
        ranks = sorted(card % 13 for card in held[:2])
        fields["reader"] = "blackjack" if ranks[0] == 0 and ranks[1] > 8 else "no_blackjack"
    return TableRound(game, DECKS[game], tuple(boxes), held, **fields)


def rules(game: str, **settings: Any) -> RulesSubmission:
    """The default table of a game."""
    return RulesSubmission.default(game, DECKS[game], **settings)


def settled(game: str, dealer: str, *boxes: Box, **settings: Any) -> Settlement:
    """Settle these boxes against these cards of the dealer at the default table; `settings` are the submission's."""
    return settle(table_round(game, dealer, *boxes), rules(game, **settings))


def settled_unread(game: str, dealer: str, *boxes: Box, **settings: Any) -> Settlement:
    """The same where no reader was used, so that the players' turns came before a dealer's Blackjack was known."""
    return settle(table_round(game, dealer, *boxes, reader=None), rules(game, **settings))


def one(settlement: Settlement, wager: str = "main", hand: int | None = None, position: int = 1) -> Line:
    """The only line of this wager (of this hand) at the position."""
    found = [
        line
        for line in settlement.lines
        if line.wager == wager and line.position == position and (hand is None or line.hand == hand)
    ]
    assert len(found) == 1, found
    return found[0]


def paid(line: Line) -> tuple[str, str, int]:
    """Outcome, clause and net of a line."""
    return line.outcome, line.clause, line.net
