"""The values of a rules submission that the engine needs, looked up once for all rounds of a table."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.rules.games import Game, game
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, once_a_table


@dataclass(frozen=True, slots=True)
class PlayTable:
    """One table: its game, its submission, and the values that play needs again and again.

    `max_hands` is how many hands one may be split into. `draw_for` has the optional wagers that keep the dealer drawing
    by themselves (reading 21). `copies` is how often one card may appear in a round: the decks of the shoe or of its
    side in use.
    """

    submission: RulesSubmission
    game: Game
    positions: int
    max_hands: int
    surrender: bool
    even_money: bool
    draw_for: frozenset[str]
    copies: int


@once_a_table
def table_of(submission: RulesSubmission) -> PlayTable:
    """The play table of a submission. RuleError for decks or a shoe that the game is not dealt from."""
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
        positions=min(rules.facts.positions, submission.positions),
        max_hands=rules.max_hands or submission.resplits + 2,
        surrender=rules.facts.surrender and submission.surrender != "none",
        even_money=rules.offers_even_money and submission.even_money,
        draw_for=submission.draw_for,
        copies=decks // 2 if submission.shoe == "double" else decks,
    )
