"""A progressive meter as a paytable prints it: seed, reseed and the rates at which wagers raise it, exact."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.money import cents

_PERCENT: Final = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,2}))?%")
_TIMES: Final = re.compile(r"([0-9][0-9,]*)×")
_KEYS: Final = frozenset(("name", "seed", "reseed", "primary", "secondary", "total"))
_NAME: Final = re.compile(r"[a-z]+|")


@dataclass(frozen=True, slots=True)
class PrintedMeter:
    """One meter of a paytable, with its figures as printed.

    name: in small letters, "" for a wager's only meter. seed: "$50,000", or "1,000×" the wager that the house offers.
    reseed: as the seed, "" where the text prints none. primary, secondary, total: the increment rates, "" where one is
    not printed. A rate without either word stands as the primary one.
    """

    name: str
    seed: str
    reseed: str
    primary: str
    secondary: str
    total: str

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> PrintedMeter:
        """Read one meter of a paytable's TOML. BadInput for a figure that is none, or a meter without seed or rate."""
        if set(values) - _KEYS or not all(isinstance(value, str) for value in values.values()):
            raise BadInput(f"a meter has {', '.join(sorted(_KEYS))} as text, not {dict(values)}")
        name, seed, primary = values.get("name", ""), values.get("seed", ""), values.get("primary", "")
        if not _NAME.fullmatch(name):
            raise BadInput(f"{name!r} is no name of a meter: write it in small letters")
        found = cls(name, seed, values.get("reseed", ""), primary, values.get("secondary", ""), values.get("total", ""))
        if bool(found.primary) == bool(found.total):
            raise BadInput(f"meter {name!r} needs its primary or its total rate, and not both")
        for figure in (found.seed, found.reseed or found.seed):
            _amount(figure, 0)
        for figure in filter(None, (found.primary, found.secondary, found.total)):
            _rate(figure)
        return found

    def start(self, wager: int) -> int:
        """Cents that the meter starts with; `wager` is the wager in cents that the house offers."""
        return _amount(self.seed, wager)

    def reset(self, wager: int) -> int:
        """Cents that the meter is set to after all of it was won: the seed where no reseed is printed (633c T9)."""
        return _amount(self.reseed or self.seed, wager)

    @property
    def shown(self) -> Fraction:
        """The share of each wager that moves the displayed meter: the primary rate, or a total that is not parted."""
        return _rate(self.primary or self.total)

    @property
    def hidden(self) -> Fraction:
        """The share of each wager that the text keeps apart from the displayed meter: the secondary rate (633c T8)."""
        return _rate(self.secondary) if self.secondary else Fraction(0)

    def to_json(self) -> dict[str, str | None]:
        """JSON types only: the figures as printed, null where there is none."""
        return {
            "name": self.name,
            "seed": self.seed,
            "reseed": self.reseed or None,
            "primary": self.primary or None,
            "secondary": self.secondary or None,
            "total": self.total or None,
        }


def meter_key(wager: str, name: str) -> str:
    """The key of a meter in round files, table records and settlements: `hit_and_run`, `jackpot_party.mega`."""
    return f"{wager}.{name}" if name else wager


def wager_of_meter(key: str) -> str:
    """The key of the wager that a meter's key belongs to."""
    return key.partition(".")[0]


def _amount(text: str, wager: int) -> int:
    if match := _TIMES.fullmatch(text):
        return int(match[1].replace(",", "")) * wager
    if not text.startswith("$"):
        raise BadInput(f"{text!r} is no amount of a meter: write it as '$5,000' or '1,000×'")
    return cents(text)


def _rate(text: str) -> Fraction:
    match = _PERCENT.fullmatch(text)
    rate = Fraction(f"{match[1]}.{match[2] or 0}") / 100 if match else Fraction(0)
    if not 0 < rate <= 1:
        raise BadInput(f"{text!r} is no rate of a meter: write it as '3.75%'")
    return rate
