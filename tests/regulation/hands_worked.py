"""Hands of every kind against dealer's hands of every kind, at tables of every game, and what becomes of them.

`test_hands_worked` holds them against hands_worked.txt. Random rounds seldom have a suited 7-7-7 or a rescue; here each
line is a box, and after `|` stand the outcome and net (cents) of each of its wagers, for one dealer's hand after the
other. A refused box names the clause. Under the boxes of a table stand the sentences that were told, once each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from settle_cases import box, hand, rules, table_round
from shoetool.rules.round import Box, Hand, Line
from shoetool.rules.rule_error import RuleError
from shoetool.settle.engine import settle

DEALERS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((text, {}) for text in ("9H 8C", "9H 9C", "5H 9C", "6H 6C KD", "6H KC 8D", "7H 4C KD", "7C KH", "KC 7D")),
    *((text, {}) for text in ("AC 7D", "KC AD", "AC KD", "9H 8C 2D", "AC KD 5H", "AC 5H 2C", "9H", "2H 4C")),
    *((text, {"reader": None}) for text in ("KC AD", "AC KD")),
    ("9H 8C", {"reader": "blackjack"}),
    ("AC 7D", {"void": "633a.14(j)(1)"}),
    ("KC 7D", {"void": "633a.14(k) void"}),
)
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "blackjack": ("blackjack", {}),
    "blackjack, other choices": (
        "blackjack",
        {"surrender": "way_1", "even_money": True, "hold_blackjack": True, "double_face_down": True, "chip_unit": 100},
    ),
    "blackjack, no surrender": ("blackjack", {"surrender": "none", "settlement_procedure": 2}),
    "switch": ("switch", {}),
    "switch, other choices": ("switch", {"switch_hold_blackjack": False, "switch_insurance": "initial"}),
    "free bet": ("free_bet", {}),
    "free bet, other choices": ("free_bet", {"tucked_wager": "returned", "surrender": "way_1", "hold_blackjack": True}),
    "spanish 21": ("spanish_21", {}),
    "spanish 21, other choices": ("spanish_21", {"fixed_sum_others": "winners_too", "surrender": "none"}),
}
# What differs in sentences that are alike: counts.
_VARIES = re.compile(r"\b[0-9]+\b(?![.a-z])")
ENDS = ("bust", "blackjack", "dealer_blackjack", "dead", "even_money", "surrendered", "rescued", "twenty_one")


def boxes() -> Iterator[tuple[str, Box]]:
    """(in words, the box)."""
    for text in ("JH 7C", "8H 8C 8D", "AH KC", "2H"):
        for end in ("stand", *ENDS):
            yield f"{text} {end}", box(hand(text, end, stake=10_01))
    for text in ("JH 8C", "JH 9C", "5H 6C 3D", "AH 5C", "6H 5C KH"):
        yield f"{text} stand", box(hand(text, stake=10_01))
    twenty_one = ("6S 7S 8S", "8D 6D 7D", "7H 6C 8D", "7S 7S 7S", "7D 7D 7D", "7H 7H 7D", "9H 6H 6C")
    for text in (*twenty_one, "6H 5C 2D 2C 6S", "2H 2C 3D 3C 5H 6S", "2H 2C 2D 3C 3H 3D 6S"):
        for end, fields in (("twenty_one", {}), ("doubled", {"double": 10_00}), ("twenty_one", {"from_split": True})):
            yield f"{text} {end} {fields}", box(hand(text, end, **fields))
    for text in ("5H 6C 3D", "5H 6C KD", "JH 9C", "8H 8C 8D"):
        for end in ("doubled", "rescued", "dead"):
            yield f"{text} {end} for less", box(hand(text, end, double=7_01))
        yield f"{text} doubled free", box(hand(text, "doubled", free_double=10_00))
        yield f"{text} on a lammer", box(hand(text, stake=0, lammer=10_00, from_split=True))
    yield "AH KC switched to", box(hand("AH KC", "twenty_one", switched=True), hand("8C 9D", switched=True))
    pairs = ("8H 8C 8D", "8H 3C KD", "8H KC", "8H AC KD 2D")
    for first in pairs:
        for second in pairs:
            told: list[Hand] = []
            for text in (first, second):
                over = text in ("8H 8C 8D", "8H AC KD 2D") and text != "8H AC KD 2D"
                told.append(hand(text, "bust" if over else "stand", from_split=True))
            yield f"split into {first} and {second}", box(*told, initial=("8H 8C",))
    yield "insured", box(hand("JH 9C"), insurance=5_00)
    yield "insured for part of a chip", box(hand("JH 9C", stake=10_25), wager=10_25, insurance=5_50)
    yield "insured too high", box(hand("JH 9C"), insurance=5_01)
    yield "two hands insured", box(hand("JH 9C"), hand("8H 9C"), initial=("JH 9C", "8H 9C"), insurance=7_50)
    yield "even money and insured", box(hand("AH KC", "even_money"), insurance=5_00)
    yield "no hand", Box(1, 10_00, (), ())


def told(table: str) -> Iterator[str]:
    """The lines of a table."""
    game, settings = TABLES[table]
    submission = rules(game, **settings)
    yield f"## {table}"
    sentences: dict[str, str] = {}
    for words, one in boxes():
        cells = []
        for dealer, fields in DEALERS:
            try:
                lines = settle(table_round(game, dealer, one, **fields), submission).lines
                cells.append(" ".join(f"{line.outcome}{line.net:+d}" for line in lines) or "nothing")
                found = [told_line(line) for line in lines]
            except RuleError as error:
                cells.append(error.clause)
                found = [str(error)]
            sentences.update({_VARIES.sub("", sentence): sentence for sentence in found})
        yield f"{words} | {', '.join(_counted(cells))}"
    yield from sorted(f"! {one}" for one in sentences.values())


def told_line(line: Line) -> str:
    """What a line says beside its sums."""
    notes = "".join(f" [{clause}: {text}]" for clause, text in line.notes)
    odds = line.odds.text if line.odds is not None else "-"
    return f"{line.wager} {line.outcome}: {line.words} | {line.clause} | {odds} | {line.stage.value}{notes}"


def _counted(cells: list[str]) -> Iterator[str]:
    """Each cell, with how often it stands there one after the other."""
    for cell, same in groupby(cells):
        count = len(list(same))
        yield cell if count == 1 else f"{count} x {cell}"


def answers() -> Iterator[str]:
    """All tables."""
    for table in TABLES:
        yield from told(table)
