"""Money in whole cents. It is read and written as dollars, exactly, never through a float."""

from __future__ import annotations

import re
from typing import Final

from shoetool.model.errors import BadInput

_DOLLARS: Final = re.compile(r"^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$", re.ASCII)
_DIGITS: Final = 13
"""No table holds ten trillion dollars: a longer figure is a typing mistake."""
_SHOWN: Final = 40


def cents(text: str) -> int:
    """Return the cents of an amount in dollars such as `25`, `25.00`, `$1,234.5`. BadInput for other text or a sign."""
    match = _DOLLARS.match(text.strip())
    if match is None:
        raise BadInput(f"{_shown(text)} is not an amount of money: write dollars and cents, such as 25.00")
    whole = match[1].replace(",", "").lstrip("0")
    if len(whole) > _DIGITS:
        raise BadInput(f"{_shown(text)} is more money than a table holds: write dollars and cents, such as 25.00")
    return int(whole or "0") * 100 + int((match[2] or "0").ljust(2, "0"))


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def dollars(amount: int) -> str:
    """Return an amount of cents in dollars, with thousands separated, such as `1,234.50` or `-12.50`."""
    sign = "-" if amount < 0 else ""
    whole, part = divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{part:02d}"


def money_words(amount: int) -> str:
    """Return an amount of cents for a sentence, such as `$1,234.50`."""
    return f"${dollars(amount)}"


def signed(amount: int) -> str:
    """Return cents won or lost, such as `+37.50`, `-25.00` or `0.00`."""
    return f"+{dollars(amount)}" if amount > 0 else dollars(amount)
