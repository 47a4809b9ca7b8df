"""The odds of an optional wager, as text and as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from shoetool.model.money import dollars
from shoetool.odds.deals import ON_THE_DEAL
from shoetool.odds.figures import decimal, square_root
from shoetool.odds.plays import BEST, WORST
from shoetool.odds.wager import BESIDE_A_COUNT, BESIDE_COUNTS, WagerOdds
from shoetool.report.odds_dealer import exact
from shoetool.report.odds_press import press_document, press_parts
from shoetool.report.text_tables import headed
from shoetool.rules.games import GAMES
from shoetool.rules.wagers import Wager

_PLACES: Final = 6
_PLAYS: Final[Mapping[str, Mapping[str, str]]] = {
    BESIDE_A_COUNT: {
        BEST: "he draws to the count that wins, stands on it, and splits no pair",
        WORST: "he keeps the count that wins only where the dealer's Blackjack ends the round",
    },
    BESIDE_COUNTS: {
        BEST: "he draws while that wins more, by his own cards and the up card, and splits no pair",
        WORST: "he draws while that wins less, and splits no pair",
    },
    "hands": {
        BEST: "he draws as long as a card may win him more, and splits no pair",
        WORST: "he does not draw, or only where that wins him less",
    },
    "two_cards_and_third": {
        BEST: "he takes the card that may win him more, and splits, once, where that is better",
        WORST: "he does without that card where he can",
    },
}
"""By subject, the plays for which the odds are computed."""


def wager_parts(plays: Sequence[WagerOdds]) -> Iterator[Text | Table]:
    """Yield for each play the outcomes with their chances, then the edge; at last what the figures assume."""
    yield Text(_heading(plays[0]), style="bold")
    for odds in plays:
        yield from _of_one_play(odds)
    yield Text(_assumes(plays[0]), style="dim")


def _of_one_play(odds: WagerOdds) -> Iterator[Text | Table]:
    if odds.play:
        yield Text()
        yield Text(f"{odds.play} play: {_PLAYS[odds.wager.cards][odds.play]}")
    drawn = headed("outcome", "pays", "chance", "one in")
    left_out = {row.key for row in odds.table.rows if row.optional and row.option not in odds.options}
    for one in odds.chances:
        if not one.chance and one.outcome is not None and (one.outcome.unpaid or one.outcome.pays):
            continue  # the house reads the clause otherwise: there is no such row
        pays = "loses" if one.odds is None else one.odds.text
        never = "not offered" if one.outcome is not None and one.outcome.key in left_out else "never"
        often = decimal(1 / one.chance, 1) if one.chance else never
        drawn.add_row(one.words, pays, decimal(one.chance, 8), often)
    yield drawn
    yield Text(f"wins {decimal(odds.hit * 100, 4)} % of the time")
    meters = (
        "" if not odds.meters else ", each meter at its start" if len(odds.meters) > 1 else ", the meter at its start"
    )
    yield Text(f"house edge {decimal(odds.edge() * 100, _PLACES)} % of the wager{meters}")
    if odds.bound is not None:
        yield Text(f"splits, which are left out here, bring it to no less than {decimal(odds.bound * 100, _PLACES)} %")
    yield Text(f"standard deviation {square_root(odds.variance, 4)} wagers")
    for name, start in odds.meters.items():
        yield Text(_meter(odds, name, start))
    if odds.envy:
        yield Text(
            f"each other player's hand gives back {decimal(odds.envy * 100, 4)} % by the envy bonus, not counted"
        )
    if odds.press is not None:
        yield from press_parts(odds.press, odds.edge())


def _heading(odds: WagerOdds) -> str:
    parts = [odds.wager.title]
    if odds.table.name:
        parts.append(f"paytable {odds.table.name}")
    parts += [odds.table.clause, GAMES[odds.game].title, f"{odds.decks} deck{'s' if odds.decks > 1 else ''}"]
    parts.append(f"wager ${dollars(odds.stake)}")
    return ", ".join(parts)


def _meter(odds: WagerOdds, name: str, start: int) -> str:
    title = f"{name} meter" if name else "meter"
    even = odds.break_even(name)
    back = f"each $1,000 on the {title} gives back {decimal(odds.gives_back(name) * 100_000_00, 4)} % of the wager"
    begins = f"starts at ${dollars(start)}{' or more' if odds.set_by_house else ''}"
    if even is None:
        return f"{title}: {begins}; nothing wins it here"
    least = "the house keeps nothing" + (", the other meters at their start," if len(odds.meters) > 1 else "")
    if even <= 0:
        return f"{title}: {begins}; {back}; {least} even with nothing on it"
    return f"{title}: {begins}; {back}; {least} with ${dollars(round(even))} on it"


def _assumes(odds: WagerOdds) -> str:
    """What the figures rest on, in one sentence or two."""
    draws = "draws to a soft 17" if odds.h17 else "stands on all 17s"
    if odds.wager.cards in ON_THE_DEAL:
        text = "Every deal from a full shoe is counted."
    elif odds.play:
        text = (
            "Every hand from a full shoe is counted. Cards of other players are not known. The player plays for this "
        )
        text += "wager alone."
        if odds.wager.cards in (BESIDE_A_COUNT, BESIDE_COUNTS):
            text += f" The dealer {draws}."
    else:
        known = "Of the players' cards only those that multiply the odds are looked at"
        known = known if odds.wager.multiplier is not None else "No player's card is known"
        text = (
            f"Every hand of the dealer from a full shoe is counted. {known}, and the dealer always draws: he {draws}."
        )
    if odds.stops:
        text += f" By {odds.stops} he does not where no hand waits for him, which depends on how the players play: the"
        text += " figures are as if he drew then too."
    if odds.press is not None:
        text += " The press: all is added or nothing, once it is known that the dealer has no Blackjack. Each hand is"
        text += f" played by its own cards, by the defaults of a rules submission, and the dealer {draws}."
    elif odds.wager.press is not None:
        text += " What a player adds to the main wager of his winnings is played at that wager's odds."
    if odds.wager.bonuses:
        text += " Bonuses beside the wager are left out."
    return text


def summary_parts(found: Sequence[WagerOdds], left: Iterable[Wager]) -> Iterator[Text | Table]:
    """Yield one table with a line for each paytable and number of decks, and what was not computed."""
    drawn = headed("wager", "game", "paytable", "decks", "play", "wins %", "edge %", "deviation")
    for one in found:
        drawn.add_row(
            *(one.wager.key, one.game, one.table.name or "-", str(one.decks), one.play or "any"),
            decimal(one.hit * 100, 4),
            *(decimal(one.edge() * 100, 4), square_root(one.variance, 2)),
        )
    yield drawn
    if any(one.meters for one in found):
        yield Text("Each meter at its start; at the least amount where the house sets it.", style="dim")
    if any(one.play for one in found):
        yield Text("best, worst: the player plays for or against this wager alone.", style="dim")
    for wager in left:
        yield Text(f"not computed: {wager.title}, whose outcome depends on how a hand is played")


def wager_document(odds: WagerOdds) -> dict[str, Any]:
    """JSON types only; money in cents, numbers as fractions and decimals."""
    return {
        "wager": odds.wager.key,
        "paytable": odds.table.name,
        "clause": odds.table.clause,
        "game": odds.game,
        "decks": odds.decks,
        "h17": odds.h17,
        "stake": odds.stake,
        "play": odds.play or "any",
        **({"dealer_stops": odds.stops} if odds.stops else {}),
        "outcomes": [
            {
                "outcome": "lost" if one.outcome is None else one.outcome.key,
                "words": one.words,
                "odds": None if one.odds is None else one.odds.text,
                "chance": exact(one.chance),
                **({"times": one.times} if odds.wager.multiplier is not None and one.outcome is not None else {}),
            }
            for one in odds.chances
        ],
        "hit": exact(odds.hit),
        "edge": exact(odds.edge()),
        "edge_with_splits_at_least": _exact_or_none(odds.bound),
        "variance": exact(odds.variance),
        "deviation": square_root(odds.variance, 12),
        "meters": [
            {
                "meter": name,
                "start": start,
                "set_by_house": odds.set_by_house,
                "gives_back_per_cent_on_it": exact(odds.gives_back(name)),
                "break_even": _exact_or_none(odds.break_even(name)),
            }
            for name, start in odds.meters.items()
        ],
        "envy_of_each_other_hand": exact(odds.envy),
        **({} if odds.press is None else {"press": press_document(odds.press, odds.edge())}),
    }


def _exact_or_none(number: Fraction | None) -> dict[str, str] | None:
    return None if number is None else exact(number)
