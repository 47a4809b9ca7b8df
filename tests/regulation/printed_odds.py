"""What printed odds give back of a wager, from their words alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

_NUMBER = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?) (to|for) ([0-9]+)")
_SHARE = re.compile(r"([0-9]+)% (?:of )?([a-z]+)")


def share_of_meter(words: str) -> tuple[str, Fraction] | None:
    """The name of the meter that odds of these words pay from, "" for the only one, and how much of it."""
    if match := _SHARE.search(words):
        return "" if match[2] in ("meter", "progressive") else match[2], Fraction(int(match[1]), 100)
    if match := re.fullmatch(r"([A-Z][a-z]+) progressive", words):
        return match[1].lower(), Fraction(1)
    return None


def gives_back(words: str, stake: int, meters: Mapping[str, int]) -> Fraction:
    """What a winner gets for each unit wagered, the wager with it where it comes back: "1 to 1" gives back 2.

    stake and meters: cents. Two odds in a row are paid for one wager, which comes back once (two cards match).
    """
    back = Fraction(0)
    if share := share_of_meter(words):
        back += share[1] * meters[share[0]] / stake
    if match := re.fullmatch(r"\$([0-9,]+)", words):
        back += Fraction(int(match[1].replace(",", "")) * 100, stake)
    found = _NUMBER.findall(words) * (2 if words.endswith(" twice") else 1)
    for number, _, to in found:
        back += Fraction(number.replace(",", "")) / int(to)
    if words == "comes back" or any(kind == "to" for _, kind, _ in found):
        back += 1
    assert back or words == "Loss", words
    return back
