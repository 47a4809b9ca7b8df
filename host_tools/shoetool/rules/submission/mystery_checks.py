"""What the regulation does not allow in a submission's mystery bonuses: games, wagers, configurations, payments."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.money import dollars
from shoetool.rules.games import Game
from shoetool.rules.submission.refusal import Refusal, either, plain
from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.rules.wagers.catalogue import title_of
from shoetool.rules.wagers.mystery import MYSTERIES, Mystery, configurations


def mystery_refusals(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    """Find bonuses of another chapter, wagers that do not qualify, and choices that the text does not have."""
    for key, offer in table.mysteries.items():
        mystery = MYSTERIES[key]
        if game.chapter != mystery.chapter:
            text = f"{game.title} has no {mystery.title}, only the games of ch. {mystery.chapter}"
            yield Refusal(f"mysteries.{key}", text, mystery.offered, "take it out")
            continue
        yield from _wager(table, mystery, offer)
        yield from _configuration(table, mystery, offer)
        if offer.paid_from not in mystery.paid_from:
            text = f"the {mystery.title} is not paid from the table inventory"
            do = f"write paid_from = {either(mystery.paid_from)}"
            yield Refusal(f"mysteries.{key}.paid_from", text, mystery.sources, do)


def _wager(table: RulesSubmission, mystery: Mystery, offer: MysteryOffer) -> Iterator[Refusal]:
    place = f"mysteries.{mystery.key}.wager"
    if offer.wager not in mystery.wagers:
        text = f"the {mystery.title} is not won by {title_of(offer.wager)}"
        yield Refusal(place, text, mystery.qualifies, f"write wager = {either(mystery.wagers)}")
    elif offer.wager not in table.wagers:
        text = f"this table does not offer {title_of(offer.wager)}, by which the {mystery.title} is won"
        yield Refusal(place, text, mystery.qualifies, f"write [wagers.{offer.wager}], or take the bonus out")


def _configuration(table: RulesSubmission, mystery: Mystery, offer: MysteryOffer) -> Iterator[Refusal]:
    place = f"mysteries.{mystery.key}.configuration"
    printed = configurations(mystery.key)
    clause = next(iter(printed.values())).clause
    found = printed.get(offer.configuration)
    if found is None:
        text = f"there is no configuration {offer.configuration}"
        yield Refusal(place, text, clause, f"write configuration = {either(printed)}")
    elif offer.wager in table.wagers and table.wagers[offer.wager].minimum < found.wager:
        text = f"configuration {found.name} is for wagers of ${dollars(found.wager)} or more"
        do = f"write min = {plain(found.wager)} or more in [wagers.{offer.wager}], or choose another configuration"
        yield Refusal(place, text, clause, do)
