"""The distribution of the dealer's final hand, as text and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from shoetool.odds.dealer import BLACKJACK, BUST, after_reader
from shoetool.odds.figures import decimal
from shoetool.odds.shoe import ACE, TEN
from shoetool.report.text_tables import headed
from shoetool.rules.games import GAMES

_SHOWN: Final = ("17", "18", "19", "20", "21", "Blackjack", "bust")
_PLACES: Final = 6
_JSON_PLACES: Final = 12

Results = Mapping[int, Fraction]


def up_name(up: int) -> str:
    """The name of an up card by its value: `A`, `2` .. `9`, or `10` for every card that counts 10."""
    return "A" if up == ACE else str(up + 1)


def named(results: Results) -> dict[str, Fraction]:
    """The results by their names: 17 to 21, Blackjack, and all that are over 21 as `bust`."""
    found = dict.fromkeys(_SHOWN, Fraction(0))
    for result, chance in results.items():
        found["Blackjack" if result == BLACKJACK else "bust" if result >= BUST else str(result)] += chance
    return found


def dealer_tables(
    game: str, decks: int, h17: bool, by_up: Mapping[int, Results], whole: Results
) -> Iterator[Text | Table]:
    """Yield a heading and a table before the reader, and the same after it."""
    stands = "draws to a soft 17" if h17 else "stands on all 17s"
    count = f"{decks} deck{'s' if decks > 1 else ''}"
    heading = f"{GAMES[game].title}, {count}, full shoe; the dealer {stands}"
    yield Text(heading, style="bold")
    yield Text("No card but the dealer's own is known.")
    yield Text()
    yield Text("Before the reader", style="bold")
    yield _table({**{up_name(up): results for up, results in by_up.items()}, "any": whole}, _SHOWN)
    yield Text()
    yield Text("After the reader: no Blackjack", style="bold")
    left = [one for one in _SHOWN if one != "Blackjack"]
    yield _table({up_name(up): after_reader(by_up[up]) for up in (TEN, ACE)}, left)
    yield Text("Other up cards have no Blackjack.", style="dim")


def _table(rows: Mapping[str, Results], shown: tuple[str, ...] | list[str]) -> Table:
    drawn = headed("up card", *shown)
    for name, results in rows.items():
        figures = named(results)
        drawn.add_row(name, *(decimal(figures[one], _PLACES) for one in shown))
    return drawn


def dealer_document(game: str, decks: int, h17: bool, by_up: Mapping[int, Results], whole: Results) -> dict[str, Any]:
    """JSON types only: each chance as a fraction of whole numbers and as a decimal."""
    return {
        "game": game,
        "decks": decks,
        "h17": h17,
        "up_cards": [
            {"up": up_name(up), "before_reader": _chances(results), "after_reader": _chances(after_reader(results))}
            for up, results in by_up.items()
        ],
        "any_up_card": _chances(whole),
    }


def _chances(results: Results) -> dict[str, dict[str, str]]:
    return {name.lower(): exact(chance) for name, chance in named(results).items()}


def exact(number: Fraction) -> dict[str, str]:
    """A number for a document: as a fraction in lowest terms, and as a decimal."""
    return {"fraction": f"{number.numerator}/{number.denominator}", "decimal": decimal(number, _JSON_PLACES)}
