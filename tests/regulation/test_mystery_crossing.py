"""Who took a meter past a value, with each part of a cent tried by itself."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import permutations

import pytest
from shoetool.settle.crossing import Contribution, Round, Way, surely_passes, ways
from shoetool.settle.meter_ledger import Span

EIGHTHS = [Fraction(part, 8) for part in range(8)]
Key = tuple[tuple[int, ...], frozenset[int]]


def brute(
    start: Fraction, parts: list[Fraction], round_: Round, value: int, reached: bool, fresh: bool
) -> dict[Key, set[int]]:
    """Whole cents that the meter may show, by who passed the value and whose contributions came after."""

    def past(cents: Fraction) -> bool:
        return cents > value or (reached and cents == value)

    found: dict[Key, set[int]] = {}
    for row in [round_.made] if round_.ordered or round_.shared else list(permutations(round_.made)):
        for part in parts:
            meter = start + part
            groups = [row] if round_.shared and row else [(one,) for one in row]
            for at, group in enumerate(groups):
                before, meter = meter, meter + sum(one.cents for one in group)
                if past(meter) and (not past(before) or (fresh and not at)):
                    after = frozenset(one.position for later in groups[at + 1 :] for one in later)
                    found.setdefault((tuple(sorted(one.position for one in group)), after), set()).add(
                        math.floor(meter)
                    )
                    break
                if past(meter):
                    break
    return found


def keyed(found: list[Way]) -> dict[Key, set[int]]:
    """The same of the ways; each of them names the least and the most, between which is nothing."""
    made: dict[Key, set[int]] = {}
    for way in found:
        assert 0 <= way.most - way.least <= 1
        made[way.winners, frozenset(one.position for one in way.after)] = {way.least, way.most}
    return made


@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2", "633c.14(c)(7)")
def test_every_way_in_which_a_value_may_be_passed_is_found_with_what_the_meter_then_shows() -> None:
    rng = random.Random("crossing")
    several = 0
    for _ in range(1500):
        made = tuple(
            Contribution(seat, Fraction(rng.randint(1, 6), 2)) for seat in rng.sample(range(1, 8), rng.randint(0, 3))
        )
        round_ = Round(made, rng.random() < 0.4, rng.random() < 0.3)
        reached, fresh = rng.random() < 0.5, rng.random() < 0.3
        least = Fraction(rng.randint(0, 8), 2)
        wide = rng.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
        parts = [part for part in EIGHTHS if part < wide] or [Fraction(0)]
        value = rng.randint(0, 8)
        span = Span(least, least + wide)
        expected = brute(least, parts, round_, value, reached, fresh)
        told = (least, wide, round_, value, reached, fresh)
        assert keyed(ways(span, round_, value, reached, fresh)) == expected, told
        ends = [least + part + round_.cents for part in parts]
        sure = all(end > value or (reached and end == value) for end in ends)
        assert surely_passes(span, round_, value, reached) == sure, told
        several += len(expected) > 1
    assert several > 100
