"""Why the shoe refused a key at a hybrid gaming table, 633c.5, or one that only such a table has."""

from __future__ import annotations

from typing import Final

from shoetool.judge.allowed import no_insurance
from shoetool.model.cards import card_name
from shoetool.model.naming import player_position
from shoetool.model.protocol_table import Key, Peek
from shoetool.rules.games import Game
from shoetool.table.actions import Doubled, HandEnded, Hit, Split
from shoetool.table.round import Round
from shoetool.table.table import Table

_CHOICES: Final = frozenset((Key.HIT, Key.COUNTDOWN, Key.NEXT_HAND, Key.DOUBLE, Key.SPLIT, Key.SURRENDER))
_NOT_HERE: Final = frozenset((Key.MISSED, Key.NO_CARD, Key.MISSED_DEALER, Key.SWITCH, Key.TURN_UP, Key.HOLD))
_OWN: Final = frozenset((Key.HIT, Key.COUNTDOWN, Key.SELECT))
_NOT_DEALT: Final = "the opening deal was not over"

Why = tuple[str, str]
"""Why, and the clause."""


def why_at_another_table(game: Game, key: int) -> Why | None:
    """A key of a hybrid table at one that is none."""
    if key not in _OWN:
        return None
    clause = {Key.HIT: "633c.5(r)", Key.COUNTDOWN: "633c.5(p)(2)", Key.SELECT: "633c.5(l)"}[Key(key)]
    return f"{game.title} is not played on a hybrid table", clause


def why_in_hybrid(game: Game, table: Table, key: int) -> Why | None:
    """What stood in the way of a key at a hybrid table; None where it is no key of its own."""
    if key == Key.SELECT:
        return _select(game, table)
    round_ = table.round
    if round_ is None:
        left = [box for box in range(1, 8) if table.seats >> (box - 1) & 1 and not player_position(table.selected, box)]
        if key == Key.DEAL and left and game.facts.player_positions:
            return f"terminal {left[0]} had selected no player position", "633c.5(l)"
        return ("no round was open", "633a.7(i)") if key in _CHOICES | _NOT_HERE else None
    if key in _NOT_HERE:
        return "a hybrid table has no such key", "633c.5(q)"
    if key == Key.INSURANCE and game.no_hole:
        return _insurance(game, round_)
    if key == Key.REVEAL and game.no_hole:
        return "the dealer has no hole card", "633c.5(w)"
    if key in _CHOICES:
        return _choice(game, round_, key)
    if key in (Key.REVEAL, Key.END_ROUND):
        return _too_soon(game, round_)
    return None


def _dealt(game: Game, round_: Round) -> bool:
    return len(round_.shared) > 1 and bool(round_.dealer) if game.no_hole else round_.hole is not None


def _select(game: Game, table: Table) -> Why:
    clause = "633c.5(l)"
    if not game.facts.player_positions:
        return f"{game.title} has no player positions to select", clause
    if table.round is not None:
        return "a round was open", clause
    return ("there is no such terminal or player position" if table.shoe_open else "no shoe was open"), clause


def _insurance(game: Game, round_: Round) -> Why:
    clause = "633c.5(z)"
    up = round_.up_card
    if not _dealt(game, round_):
        return _NOT_DEALT, clause
    if up is not None and up.known and no_insurance(game, up.card):
        return f"{card_name(up.card)} was up, and insurance is offered only with an ace up", clause
    if round_.insured >= 0:
        return "insurance was closed already", clause
    return ("a community card had come" if len(round_.shared) > 2 else "a terminal without a wager was named"), clause


def _choice(game: Game, round_: Round, key: int) -> Why:
    clause = game.clauses.choices
    if not _dealt(game, round_):
        return _NOT_DEALT, clause
    if round_.peek == Peek.BLACKJACK:
        return "the card reader device had said Blackjack", "633a.7(h) result"
    hands = list(round_.hands.values())
    if all(hand.ended >= 0 for hand in hands):
        return "every hand had ended", clause
    if all(hand.ended >= 0 or hand.wants for hand in hands):
        return "every hand had chosen, and a community card was due", game.clauses.draw
    if key == Key.SURRENDER and not game.facts.surrender:
        return f"{game.title} has no surrender", game.clauses.surrender
    if key == Key.COUNTDOWN:
        return "an argument was given that it does not take", clause
    chosen = any(isinstance(one, Hit | Doubled | Split | HandEnded) for one in round_.actions)
    return f"no hand of that name {'had still to choose, or ' if chosen else ''}could choose it", clause


def _too_soon(game: Game, round_: Round) -> Why | None:
    if not _dealt(game, round_):
        return _NOT_DEALT, game.clauses.reveal
    late = next((hand for hand in round_.hands.values() if hand.ended < 0), None)
    return None if late is None else (f"{late.name} had not ended its hand", game.clauses.reveal)
