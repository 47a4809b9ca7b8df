"""Exact numbers as decimal text: rounded once, at the last digit, and never through a float."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def decimal(number: Fraction, places: int) -> str:
    """The number with so many places behind the point, a half rounded away from 0. A tiny negative one is no -0."""
    scaled = abs(number) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return _text(whole, places, number < 0)


def square_root(number: Fraction, places: int) -> str:
    """The square root of a number of 0 or more, with so many places behind the point."""
    scaled = number * 10 ** (2 * places)
    whole = isqrt(scaled.numerator // scaled.denominator)
    if scaled > (whole + Fraction(1, 2)) ** 2:
        whole += 1
    return _text(whole, places, negative=False)


def _text(whole: int, places: int, negative: bool) -> str:
    digits = f"{whole:0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if negative and whole else text
