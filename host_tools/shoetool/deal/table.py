"""The values of a rules submission that the engine needs, looked up once for all rounds of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shoetool.rules.games import Game, game
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS


@dataclass(frozen=True, slots=True)
class PlayTable:
    """One table: its game, its submission, and the values that play needs again and again.

    `limits` maps an optional wager to its (minimum, maximum) in cents. `max_hands` is how many hands one may be split
    into. `draw_for` has the optional wagers that keep the dealer drawing by themselves (reading 21). `copies` is how
    often one card may appear in a round: the decks of the shoe or of its side in use.
    """

    submission: RulesSubmission
    game: Game
    positions: int
    limits: dict[str, tuple[int, int]]
    max_hands: int
    surrender: bool
    even_money: bool
    blackjack_waits: bool
    draw_for: frozenset[str]
    copies: int


_MOST: Final = 64
_tables: dict[int, PlayTable] = {}


def table_of(submission: RulesSubmission) -> PlayTable:
    """The play table of a submission; made once for each submission object and kept for the latest 64."""
    found = _tables.get(id(submission))
    if found is not None and found.submission is submission:
        return found
    table = _build(submission)
    if len(_tables) >= _MOST:
        _tables.clear()
    _tables[id(submission)] = table
    return table


def _build(submission: RulesSubmission) -> PlayTable:
    rules = game(submission.game)
    decks = submission.decks
    if not rules.decks.allows(decks):
        text = f"{rules.title} is dealt with {rules.decks.words()} decks, not with {decks}"
        raise RuleError(rules.decks.clause, text)
    if submission.shoe not in rules.deal.shoes:
        text = f"{rules.title} is not dealt from a {submission.shoe} shoe but {' or '.join(rules.deal.shoes)}"
        raise RuleError(rules.clauses.from_shoe, text)
    return PlayTable(
        submission=submission,
        game=rules,
        positions=min(rules.positions, submission.positions),
        limits={key: (offer.minimum, offer.maximum) for key, offer in submission.wagers.items()},
        max_hands=rules.max_hands or submission.resplits + 2,
        surrender=rules.offers_surrender and submission.surrender != "none",
        even_money=rules.offers_even_money and submission.even_money,
        blackjack_waits=rules.blackjack_waits,
        draw_for=_keeping_the_dealer_drawing(submission),
        copies=decks // 2 if submission.shoe == "double" else decks,
    )


def _keeping_the_dealer_drawing(submission: RulesSubmission) -> frozenset[str]:
    if not submission.draw_for_side_wagers:
        return frozenset()
    offered = {key: WAGERS[key] for key in submission.wagers if key in WAGERS}
    return frozenset(key for key, wager in offered.items() if wager.needs_dealer_draw and not wager.hand_decides)
