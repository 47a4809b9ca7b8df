"""What the regulation does not allow in a rules submission: every refusal with its clause and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from shoetool.model.naming import many
from shoetool.rules.games import GAMES as DECLARATIONS
from shoetool.rules.games import Game
from shoetool.rules.submission.mystery_checks import mystery_refusals
from shoetool.rules.submission.refusal import Refusal, limits
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.submission.switch_hands_checks import switch_hands_refusals
from shoetool.rules.submission.wager_checks import cap_refusals, wager_refusals

Check = Callable[[RulesSubmission, Game], Iterator[Refusal]]


def refusals(table: RulesSubmission) -> list[Refusal]:
    """Return everything that the regulation does not allow in this submission; empty when it can be used."""
    game = DECLARATIONS[table.game]
    return [refusal for check in _CHECKS for refusal in check(table, game)]


def _decks(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    if not game.decks.allows(table.decks):
        yield Refusal(
            "decks",
            f"{game.title} is not played with {many(table.decks, 'deck')}",
            game.decks.clause,
            f"use {game.decks.words()}",
        )
    if table.shoe == "double" and table.decks % 2:
        yield Refusal(
            "decks",
            f"{many(table.decks, 'deck')} cannot lie in equal parts on both sides of a double shoe",
            "633a.3(c) decks",
            f"use {table.decks - 1 or 2} or {table.decks + 1}, counting both sides together",
        )


def _from_the_hand(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    if "hand" not in game.deal.shoes:
        return
    if table.shuffler == "none":
        yield Refusal(
            "shuffler",
            "cards dealt from the hand are shuffled by an automated shuffling device",
            "633a.12(b)(2)",
            'write shuffler = "automatic" or "continuous"',
        )
    if table.decks == 2 and table.shuffler == "automatic" and table.hand_decks == "total":
        yield Refusal(
            "decks",
            "a game dealt from the hand uses at most two decks: 2 decks in each of the shuffler's two batches",
            "633a.12(b)(1)",
            "use 1, so that both batches have two together",
        )


def _shoe(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    kinds: tuple[str, ...] = game.deal.shoes
    if table.shoe not in kinds:
        only = " or ".join(f'"{kind}"' for kind in kinds)
        what, clause = {
            "hand": (f"{game.title} is not dealt from the hand", "633a.12(b)"),
            "double": (
                f"{game.title} has no double shoe",
                "633a.12(b)(3)" if "hand" in kinds else game.clauses.from_shoe,
            ),
        }.get(table.shoe, (f"{game.title} is not dealt from a shoe", "633a.12(b)(3)"))
        hint = "".join(f', or game = "{name}"' for name in _variations(game) if table.shoe == "hand")
        yield Refusal("shoe", what, clause, f"write shoe = {only}{hint}")
    if table.shoe == "double" and table.red_side is None:
        yield Refusal(
            "red_side",
            "a double shoe needs the side that hearts and diamonds stand for",
            "633a.7(d)(1) mapping",
            'write red_side = "A" or "B"; clubs and spades stand for the other',
        )
    if table.shoe != "double" and table.red_side is not None:
        yield Refusal(
            "red_side", "only a double shoe has sides", "633a.7(d)(1) mapping", 'leave it out, or write shoe = "double"'
        )


def _variations(game: Game) -> Iterator[str]:
    """Return the names of the variations of this game that are dealt from the hand."""
    for other in DECLARATIONS.values():
        if other.clause and not game.clause and other.chapter == game.chapter and "hand" in other.deal.shoes:
            yield other.name


def _seats(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    if not 1 <= table.positions <= game.facts.positions:
        yield Refusal(
            "positions",
            f"{game.title} has at most {game.facts.positions} betting positions",
            game.clauses.positions,
            f"write {game.facts.positions} or less",
        )
    elif not 1 <= table.adjacent_boxes <= table.positions:
        yield Refusal(
            "adjacent_boxes",
            f"a player cannot bet on {table.adjacent_boxes} boxes of {table.positions}",
            game.clauses.adjacent,
            f"write {table.positions} or less",
        )


def _limits(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    yield from limits("", "min_wager", "max_wager", table.minimum, table.maximum, table, game.clauses.main_wager)


def _surrender(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    clause = game.clauses.surrender
    if not game.facts.surrender:
        if table.surrender != "none":
            yield Refusal("surrender", f"{game.title} has no surrender", clause, 'write surrender = "none"')
        return
    only = game.one_surrender
    if table.surrender == "none":
        way = f'"{only.way}"' if only else '"way_1" or "way_2"'
        yield Refusal("surrender", f"every player of {game.title} may surrender", clause, f"write surrender = {way}")
    elif only and table.surrender != only.way:
        what = f"{game.title} settles a surrender {only.when}"
        yield Refusal("surrender", what, only.clause, f'write surrender = "{only.way}"')


def _play(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    if table.even_money and not game.offers_even_money:
        yield Refusal("even_money", f"{game.title} has no even money", "633a.8(e)", "write even_money = false")
    if game.max_hands is not None and table.resplits != game.max_hands - 2:
        yield Refusal(
            "resplits",
            f"{game.title} lets a player split up to {game.max_hands} hands",
            game.clauses.split_limit,
            f"write resplits = {game.max_hands - 2}, or leave it out",
        )
    if table.double_face_down and not game.facts.double_face_down:
        yield Refusal(
            "double_face_down",
            f"{game.title} deals the card on a double face up",
            game.clauses.double_card,
            "write double_face_down = false",
        )
    if table.hold_blackjack and not game.settling.blackjack_held:
        yield Refusal(
            "hold_blackjack",
            f"{game.title} pays a player's Blackjack at once",
            game.settling.blackjack_once,
            "write hold_blackjack = false",
        )
    if not table.hold_blackjack and not game.settling.blackjack_once:
        yield Refusal(
            "hold_blackjack",
            f"{game.title} pays a player's Blackjack against an ace or ten-count card when the hole card is revealed",
            game.settling.blackjack_held,
            "write hold_blackjack = true",
        )


def _hybrid(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    if game.electronic and table.shuffler == "none":
        yield Refusal(
            "shuffler",
            "cards at a hybrid table are shuffled by a card shuffling device",
            "633c.5(f)",
            'write shuffler = "automatic" or "continuous"',
        )
    if table.countdown_draws_to and not game.no_hole:
        what, clause = "a hand without a choice at the end of the countdown stands", "633c.5(p)(2)"
        if not game.electronic:
            what, clause = f"{game.title} has no countdown", "633c.5(z)"
        yield Refusal("countdown_draws_to", what, clause, "write countdown_draws_to = 0, or leave it out")


_CHECKS: Final[tuple[Check, ...]] = (
    _decks,
    _from_the_hand,
    _shoe,
    _seats,
    _limits,
    _surrender,
    _play,
    _hybrid,
    switch_hands_refusals,
    wager_refusals,
    mystery_refusals,
    cap_refusals,
)
