"""Each wager as it is settled by the rules, against what was paid: 633a.13, 590.12, 635a.12.

Progressive meters are compared from round to round: 633a.13(j)(2), (l)(2), (m)(2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.judge.finding import CANNOT_TELL, Payment
from shoetool.model.money import dollars, signed
from shoetool.round_file.file import Paid
from shoetool.round_file.paid import differences, unknown_meters
from shoetool.rules.games import game
from shoetool.rules.round import Line, Settlement
from shoetool.rules.wagers.catalogue import meter_rule, partly_won, title_of, titles_of
from shoetool.verify.table_record.facts import Facts


def check_payments(facts: Facts, settlement: Settlement, paid: tuple[Paid, ...]) -> None:
    """Name every wager that was paid or collected otherwise than it is due, and every one that was left out."""
    unknown = unknown_meters(settlement, facts.entry.meters)
    if unknown:
        text = f"{title_of(unknown[0])} won from its meter, and the record does not give the meter; "
        facts.add(reg.UNSETTLED, text + "the payments of this round are not judged.", verdict=CANNOT_TELL)
        return
    wagers = {(one.position, one.wager, one.hand) for one in paid}
    _name_differences(facts, settlement, paid)
    whole = {one.position for one in paid if one.wager is None and one.hand is None}
    for line in settlement.lines:
        position = line.position
        if not line.net or position is None or position in whole:
            continue
        if (
            (position, line.wager, line.hand) not in wagers
            and (position, line.wager, None) not in wagers
            and (position, None, line.hand) not in wagers
        ):
            text = f"{_where(position, line.hand, line.wager)}: {signed(line.net)} was due"
            text += f"{reasons((line,))}, and nothing was paid or collected."
            facts.add(reg.PAID, text, line.clause, payment=Payment(position, line.wager, line.hand, line.net, 0))


def _name_differences(facts: Facts, settlement: Settlement, paid: tuple[Paid, ...]) -> None:
    for one in differences(settlement, paid):
        where = _where(one.position, one.hand, one.wager)
        due, paid_out = signed(one.due), signed(one.paid)
        text = f"{where}: {due} was due{reasons(one.lines)}, {paid_out} paid."
        facts.add(
            reg.PAID,
            text,
            clause_of(one.lines),
            payment=Payment(one.position, one.wager, one.hand, one.due, one.paid),
        )


def _where(position: int, hand: int | None, wager: str | None) -> str:
    which = f", hand {hand}" if hand is not None else ""
    return f"position {position}{which}, {title_of(wager) if wager is not None else 'all wagers'}"


def reasons(lines: tuple[Line, ...]) -> str:
    """Why the amount is due, in brackets."""
    words = list(dict.fromkeys(line.words for line in lines if line.words))
    return f" ({'; '.join(words[:3])})" if words else " (no such wager was placed)" if not lines else ""


def clause_of(lines: tuple[Line, ...]) -> str | None:
    """The clause by which most of the amount is due."""
    best = max(lines, key=lambda line: abs(line.net), default=None)
    return None if best is None else best.clause


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
                text = f"the record has a meter of {title_of(key)}, which this table does not offer "
                text += f"(it has: {titles_of(facts.rules.meters)})."
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
            key: meter.rate * sum(seat.side.get(key, 0) for seat in facts.entry.seats) for key, meter in rules.items()
        }
        for key, amount in shown.items():
            if key not in rules:
                continue
            before = self._least.get(key)
            lowest = min(rules[key].start, rules[key].reset)
            clause = meter_rule(key).clause
            if amount < lowest and not partly_won(key):
                text = f"the meter of {title_of(key)} shows ${dollars(amount)}; it starts and resets at no less than "
                facts.add(reg.METER, f"{text}${dollars(lowest)}.", clause)
            elif before is not None:
                due = int(before + min(growth[key], self._growth.get(key, Fraction(0))))
                if amount < due:
                    text = (
                        f"the meter of {title_of(key)} shows ${dollars(amount)}; after the last round it stood at no "
                    )
                    facts.add(reg.METER, f"{text}less than ${dollars(due)}.", clause)
            self._least[key] = Fraction(amount + settlement.meters.get(key, 0))
        self._growth = growth
