"""Exact numbers as decimal text: rounded once, at the last digit, and never through a float."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt


def decimal(number: Fraction, places: int) -> str:
    """The number with so many places behind the point, a half rounded away from 0. A tiny negative one is no -0."""
    scaled = abs(number) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = f"{whole:0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if number < 0 and whole else text


def bounds(least: Fraction, most: Fraction, places: int) -> tuple[str, str]:
    """Two bounds with so many places: the lower one rounded down and the upper one up, so they still are bounds."""
    unit = 10**places
    down, up = floor(least * unit), ceil(most * unit)
    return decimal(Fraction(down, unit), places), decimal(Fraction(up, unit), places)


def square_root(number: Fraction, places: int) -> str:
    """The square root of a number that is not negative, with so many places, rounded; the digits are exact."""
    scaled = number * 100**places * 4
    twice = isqrt(scaled.numerator // scaled.denominator)  # twice the root, so that its last bit rounds
    return decimal(Fraction((twice + 1) // 2, 10**places), places)
