"""Each wager as it is settled by the rules, against what was paid: 633a.13, 590.12, 635a.12."""

from __future__ import annotations

from shoetool.judge import registry_table as reg
from shoetool.judge.finding import CANNOT_TELL, Payment
from shoetool.model.money import signed
from shoetool.round_file.file import Paid
from shoetool.round_file.paid import differences, unknown_meters
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.round import Line, Settlement
from shoetool.rules.wagers.catalogue import title_of
from shoetool.rules.wagers.mystery import MYSTERIES
from shoetool.verify.table_record.facts import Facts


def check_payments(facts: Facts, settlement: Settlement, paid: tuple[Paid, ...]) -> None:
    """Name every wager that was paid or collected otherwise than it is due, and every one that was left out."""
    meters = unknown_meters(settlement, facts.entry.meters)
    unknown = [key for key in meters if key not in facts.rules.mysteries]  # those are followed from round to round
    sums = facts.unpicked and any(one.wager is None for one in paid)
    if unknown or sums:
        picked = "who won a mystery bonus, or what" if facts.unsure else "what the progressive system picked"
        text = f"the record gives sums of what was paid, and not {picked}"
        if not sums:
            won = title_of(wager_of_meter(unknown[0]))
            text = f"{won} won from its meter, and the record does not give the meter"
        facts.add(reg.UNSETTLED, f"{text}; the payments of this round are not judged.", verdict=CANNOT_TELL)
        return
    if facts.unpicked:
        paid = tuple(one for one in paid if one.wager not in facts.unpicked)
    named = {(one.position, one.wager, one.hand) for one in paid}
    for one in differences(settlement, paid):
        hidden = "" if one.wager not in MYSTERIES or one.lines else " (no wager of this round won it)"
        why = hidden or reasons(one.lines)
        text = f"{_where(one.position, one.hand, one.wager)}: {signed(one.due)} was due{why}, "
        payment = Payment(one.position, one.wager, one.hand, one.due, one.paid)
        clause = MYSTERIES[one.wager].hidden if hidden and one.wager is not None else clause_of(one.lines)
        facts.add(reg.PAID, f"{text}{signed(one.paid)} paid.", clause, payment=payment)
    for line in settlement.lines:
        position, wager, hand = line.position, line.wager, line.hand
        if position is None or not line.net:
            continue
        covering = (position, wager, hand), (position, wager, None), (position, None, hand), (position, None, None)
        if named.isdisjoint(covering):
            text = f"{_where(position, hand, wager)}: {signed(line.net)} was due"
            text += f"{reasons((line,))}, and nothing was paid or collected."
            facts.add(reg.PAID, text, line.clause, payment=Payment(position, wager, hand, line.net, 0))


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
