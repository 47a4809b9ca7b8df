"""Progressive meters from round to round: 633a.13(j)(2), (l)(2), (m)(2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.model.money import dollars
from shoetool.rules.games import game
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.round import Settlement
from shoetool.rules.wagers.catalogue import meter_rule, meter_title, partly_won, titles_of
from shoetool.verify.table_record.facts import Facts

_NONE: Final[Mapping[str, Fraction]] = {}


class Meters:
    """What each meter must show at least when the next round begins; forgotten where a round was not settled."""

    def __init__(self) -> None:
        self._least: dict[str, Fraction] = {}
        self._growth: Mapping[str, Fraction] = _NONE
        self._strange: set[str] = set()

    def forget(self) -> None:
        """A round in between is not known."""
        self._least.clear()
        self._growth = _NONE

    def verify_offered(self, facts: Facts) -> None:
        """633a.6(e), 590.6(e), 635a.6(e): name a meter of a wager that the table does not offer, once."""
        for key in facts.entry.meters:
            if key not in facts.rules.meters and key not in self._strange:
                self._strange.add(key)
                there = titles_of(dict.fromkeys(map(wager_of_meter, facts.rules.meters)))
                text = f"the record has a {meter_title(key)}, which this table does not offer (it has: {there})."
                facts.add(reg.SIDE_WAGER, text, game(facts.rules.game).clauses.side_wagers)

    def judge(self, facts: Facts, settlement: Settlement) -> None:
        """A meter falls only by what was won from it, and grows by its share of each wager.

        It may show more: other tables may play for it. Whether it has this round's wagers in it when the round begins
        depends on the system, so the lesser of two rounds' shares is asked for.
        """
        shown = facts.entry.meters
        rules = facts.rules.meters
        if not rules or not shown:
            self.forget()
            return
        growth = {
            key: meter.rate * sum(seat.side.get(wager_of_meter(key), 0) for seat in facts.entry.seats)
            for key, meter in rules.items()
        }
        for key, amount in shown.items():
            if key not in rules:
                continue
            before = self._least.get(key)
            lowest = min(rules[key].start, rules[key].reset)
            clause = meter_rule(key).clause
            if amount < lowest and not partly_won(key):
                text = f"the {meter_title(key)} shows ${dollars(amount)}; it starts and resets at no less than "
                facts.add(reg.METER, f"{text}${dollars(lowest)}.", clause)
            elif before is not None:
                due = int(before + min(growth[key], self._growth.get(key, Fraction(0))))
                if amount < due:
                    text = f"the {meter_title(key)} shows ${dollars(amount)}; after the last round it stood at "
                    facts.add(reg.METER, f"{text}no less than ${dollars(due)}.", clause)
            self._least[key] = Fraction(amount + settlement.meters.get(key, 0))
        self._growth = growth
