"""The edge of the main wager and the play behind it, as text and as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from shoetool.odds.figures import bounds, decimal
from shoetool.odds.main_wager import MainOdds
from shoetool.odds.play import Cell, Play
from shoetool.odds.play_rules import LAMMER, REAL, Form
from shoetool.odds.shoe import ACE, TEN
from shoetool.report.odds_dealer import exact, up_name
from shoetool.report.text_tables import headed

_UPS: Final = (*range(1, TEN + 1), ACE)
_HARD: Final = tuple((False, total) for total in range(20, 4, -1))
_SOFT: Final = tuple((True, total) for total in range(20, 12, -1))
_LETTERS: Final = "S stand, H draw, D double else draw, Ds double else stand, P split, R surrender else the rest"


def main_parts(odds: MainOdds) -> Iterator[Text | Table]:
    """Yield the edge, what it assumes, and the tables of the play."""
    rules = odds.rules
    count = rules.submission.decks
    stands = "draws to a soft 17" if rules.h17 else "stands on all 17s"
    heading = f"{rules.game.title}, {count} deck{'s' if count > 1 else ''}; the dealer {stands}"
    yield Text(heading, style="bold")
    wagers = "both wagers together" if rules.game.facts.switch else "the original wager"
    if odds.least is None:
        yield Text(f"house edge {decimal(odds.edge * 100, 6)} % of {wagers}")
    else:
        least, most = bounds(odds.least * 100, odds.edge * 100, 6)
        yield Text(f"house edge between {least} and {most} % of {wagers}")
        yield Text("Three and four hands of a pair are counted together within two exact bounds.", style="dim")
    if odds.ante is not None:
        both = decimal((odds.edge + odds.ante) * 100, 6)
        yield Text(f"and {decimal(odds.ante * 100, 6)} % of it as the switch hands ante: {both} % together")
    if odds.without_ante is not None:
        yield Text(f"without an ante (Blackjack premium): house edge {decimal(odds.without_ante * 100, 6)} %")
    yield Text("No insurance, no optional wager, no fixed sums; one choice for all hands of one count.", style="dim")
    if rules.game.facts.switch:
        yield Text("The second cards are exchanged whenever both hands are then worth more.", style="dim")
    if odds.ante is not None:
        yield Text("The two cards face down are unknown; the play is that beside an ante.", style="dim")
    for up, value in odds.may_be_split:
        pair = f"{up_name(value)},{up_name(value)} against {up_name(up)}"
        yield Text(f"{pair} may be worth more apart, where the edge is less; that is not known", style="dim")
    for form, plays in _forms(odds):
        yield Text()
        yield Text("A hand that stands for a lammer" if form == LAMMER else "A hand with a wager", style="bold")
        yield _table(plays, form, (*_HARD, *_SOFT))
    yield Text()
    yield Text("Pairs", style="bold")
    drawn = headed("", *map(up_name, _UPS))
    for value in (ACE, *range(1, TEN + 1)):
        name = up_name(value)
        drawn.add_row(f"{name},{name}", *(_pair(odds.plays[up], value) for up in _UPS))
    yield drawn
    exchange = "X give up both cards, else the rest; " if odds.ante is not None else ""
    yield Text(f"{exchange}{_LETTERS}; a pair with - is played by its count", style="dim")
    if any(play.choices[REAL].rescue for play in odds.plays):
        yield Text()
        yield Text("Doubles that are taken back (635a.10(d))", style="bold")
        drawn = headed("up card", "counts")
        for up in _UPS:
            cells = odds.plays[up].choices[REAL].rescue
            drawn.add_row(up_name(up), " ".join(sorted(map(_name, filter(cells.get, cells)), key=_by_total)) or "none")
        yield drawn


def _by_total(name: str) -> tuple[int, str]:
    return int(name.split()[-1]), name


def _forms(odds: MainOdds) -> Iterator[tuple[Form, tuple[Play, ...]]]:
    for form in (REAL, LAMMER):
        if any(form in play.choices for play in odds.plays):
            yield form, odds.plays


def _table(plays: tuple[Play, ...], form: Form, cells: tuple[Cell, ...]) -> Table:
    drawn = headed("", *map(up_name, _UPS))
    for cell in cells:
        drawn.add_row(_name(cell), *(_choice(plays[up], form, cell) for up in _UPS))
    return drawn


def _name(cell: Cell) -> str:
    soft, total = cell
    return f"soft {total}" if soft else str(total)


def _choice(play: Play, form: Form, cell: Cell) -> str:
    choices = play.choices.get(form)
    if choices is None or cell not in choices.hit:
        return ""
    hit = choices.hit[cell]
    double = ("D" if hit else "Ds") if choices.double.get(cell) else ("H" if hit else "S")
    first = "X" if choices.exchange.get(cell) else ""
    return f"{first}R{double}" if choices.surrender.get(cell) else f"{first}{double}"


def _pair(play: Play, value: int) -> str:
    first = "X" if play.pairs.exchange.get(value) else ""
    return first + ("P" if play.pairs.split[value] else "R" if play.pairs.given_up[value] else "-")


def main_document(odds: MainOdds) -> dict[str, Any]:
    """JSON types only. `plays`: by up card, then by count."""
    return {
        "game": odds.rules.submission.game,
        "decks": odds.rules.submission.decks,
        "h17": odds.rules.h17,
        "edge": exact(odds.edge),
        **{
            key: exact(worth)
            for key, worth in (("least", odds.least), ("ante", odds.ante), ("without_ante", odds.without_ante))
            if worth is not None
        },
        "plays": [
            {
                "up": up_name(up),
                "hands": [
                    {
                        "wager": "lammer" if form == LAMMER else "real",
                        "choices": {_name(cell): _choice(odds.plays[up], form, cell) for cell in (*_HARD, *_SOFT)},
                    }
                    for form, _ in _forms(odds)
                ],
                "pairs": {up_name(value): _pair(odds.plays[up], value) for value in range(TEN + 1)},
                "rescues": [_name(cell) for cell, yes in odds.plays[up].choices[REAL].rescue.items() if yes],
            }
            for up in _UPS
        ],
    }
