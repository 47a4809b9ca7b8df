"""Payout odds as the regulation writes them, exact: "25 to 1", "1,000 for 1", "100% of meter and 200 to 1", "$50".

"N to 1" pays N for each unit and returns the stake. "N for 1" pays N and keeps the stake. A share of a meter keeps the
stake unless "to" odds come with it (reading 24). A wager with several meters names the one that pays: "100% mega",
"Star progressive" (the whole of it, 633c T56). "Loss" pays nothing. Money in cents, odds in `Fraction`, never float.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from shoetool.model.errors import BadInput

OddsKind = Literal["to", "for", "meter", "sum", "loss"]

_NUMBER: Final = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+"
_RATIO: Final = re.compile(rf"((?:{_NUMBER})(?:\.[0-9]+)?) (to|for) ([1-9][0-9]*)")
_METER: Final = re.compile(r"([0-9]{1,3})% (?:of )?([a-z]+)")
_WHOLE: Final = re.compile(r"([A-Z][a-z]+) progressive")
_UNNAMED: Final = frozenset({"meter", "progressive"})
_NOTHING: Final = Fraction(0)
_LOSS: Final = "Loss"
_SUM: Final = re.compile(rf"\$({_NUMBER})")


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of one row of a paytable.

    kind: "to" or "for" with `ratio` units paid for each unit staked; "meter" with `meter_share` of a progressive meter;
    "sum" with a fixed `sum` in cents, whatever the stake; "loss" for a row that pays nothing. Odds that join a share of
    a meter to a ratio have the kind of the ratio and a `meter_share` above 0. meter: the name of that meter in small
    letters, "" for a wager's only one. `text` is the regulation's own wording.
    """

    text: str
    kind: OddsKind
    ratio: Fraction = Fraction(0)
    meter_share: Fraction = Fraction(0)
    sum: int = 0
    meter: str = ""

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Return the odds from the regulation's words. BadInput when they have none of its forms."""
        meter, joined, rest = text.partition(" and ")
        if joined:
            first, second = cls._single(meter, text), cls._single(rest, text)
            if first.kind != "meter" or second.kind not in ("to", "for"):
                raise _unreadable(text)
            return cls(text, second.kind, second.ratio, first.meter_share, meter=first.meter)
        return cls._single(text, text)

    @classmethod
    def _single(cls, text: str, whole: str) -> Odds:
        if match := _RATIO.fullmatch(text):
            ratio = Fraction(match[1].replace(",", "")) / int(match[3])
            if ratio > 0:
                return cls(text, "to" if match[2] == "to" else "for", ratio)
        elif match := _METER.fullmatch(text):
            if 0 < int(match[1]) <= 100:
                name = "" if match[2] in _UNNAMED else match[2]
                return cls(text, "meter", meter_share=Fraction(int(match[1]), 100), meter=name)
        elif match := _WHOLE.fullmatch(text):
            return cls(text, "meter", meter_share=Fraction(1), meter=match[1].lower())
        elif text == _LOSS:
            return cls(text, "loss")
        elif (match := _SUM.fullmatch(text)) and (cents := int(match[1].replace(",", "")) * 100):
            return cls(text, "sum", sum=cents)
        raise _unreadable(whole)

    @property
    def returns_stake(self) -> bool:
        """Whether a winner gets his stake back with the payout: yes for odds "to", no for "for" and a bare meter."""
        return self.kind == "to"

    @property
    def progressive(self) -> bool:
        """Whether part of the payout is a share of a progressive meter."""
        return self.meter_share > 0

    @property
    def for_one(self) -> Fraction:
        """Units paid for each unit staked, stake included: 200 to 1 is 201 for 1 (verification thresholds)."""
        return self.ratio + 1 if self.kind == "to" else self.ratio

    def paid(self, staked: int) -> Fraction:
        """Return the payout in cents on `staked` cents: a returned stake and what comes from a meter not included."""
        return Fraction(self.sum) if self.kind == "sum" else self.ratio * staked

    def whole_cents(self, staked: int) -> tuple[int, Fraction]:
        """Split this payout into the whole cents that can be paid and the part of a cent left."""
        if self.kind == "sum":
            return self.sum, _NOTHING
        paid, rest = divmod(self.ratio.numerator * staked, self.ratio.denominator)
        return paid, Fraction(rest, self.ratio.denominator) if rest else _NOTHING

    def times(self, factor: int, with_stake: bool) -> Odds:
        """So many times these odds or this sum; with_stake: what comes back with odds "to" is counted in.

        A share of a meter stays as it is.
        """
        if self.progressive:
            return self
        if self.kind == "sum":
            return replace(self, text=f"{self.text} times {factor}", sum=self.sum * factor)
        stake = 1 if with_stake and self.returns_stake else 0
        ratio = (self.ratio + stake) * factor - stake
        return replace(self, text=f"{ratio} {self.kind} 1", ratio=ratio)

    def __str__(self) -> str:
        return self.text


def _unreadable(text: str) -> BadInput:
    return BadInput(f"{text!r} is not a payout: write it as '25 to 1', '1,000 for 1', '100% of meter' or '$50'")
