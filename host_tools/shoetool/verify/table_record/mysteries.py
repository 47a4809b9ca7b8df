"""Mystery bonuses from round to round: their meters to the cent, their hidden values, and who won: 633c.14, 633c.6(j).

A bonus does not depend on the cards. So its meter is followed through rounds that cannot be settled, too.
"""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.model.money import dollars
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import titles_of
from shoetool.rules.wagers.mystery import CHOICES, MYSTERIES, configuration
from shoetool.settle.mystery import Hit, MysteryLedger, Objection, Wrong
from shoetool.settle.mystery_round import contributions
from shoetool.verify.recorded import HIDDEN_VALUES
from shoetool.verify.table_record.facts import Facts
from shoetool.verify.table_record.meters import due
from shoetool.verify.table_record.recorded import Evidence

_CHECKS: Final[dict[Wrong, str]] = {
    "uncommitted": reg.HIDDEN,
    "reused": reg.HIDDEN,
    "opening": reg.HIDDEN,
    "range": reg.HIDDEN,
    "not_passed": reg.PASSED,
    "ran_on": reg.PASSED,
    "unopened": reg.PASSED,
}


class Mysteries:
    """The ledgers of a table's mystery bonuses, over all its shoes."""

    def __init__(self) -> None:
        self._ledgers: dict[tuple[object, ...], MysteryLedger] = {}
        self._showed: dict[str, int] = {}
        self._strange: set[str] = set()

    def forget(self) -> None:
        """Rounds in between are not known."""
        for ledger in self._ledgers.values():
            ledger.forget()

    def judge(self, facts: Facts, evidence: Evidence) -> dict[str, list[Hit]]:
        """Follow each bonus through a round, and name what is wrong. Returns who won what."""
        self._verify_offered(facts)
        return {key: self._follow(key, facts, evidence) for key in facts.rules.mysteries}

    def end(self, evidence: Evidence) -> None:
        """The record is over: a commitment that was not opened cannot be checked, and is never verified."""
        for ledger in self._ledgers.values():
            for number in ledger.unopened:
                evidence.count(HIDDEN_VALUES, number, False)

    def _verify_offered(self, facts: Facts) -> None:
        """Name hidden values of a bonus that the table does not offer, once."""
        told = [one.mystery for one in facts.entry.committed] + [one.mystery for one in facts.entry.opened]
        for key in dict.fromkeys(told):
            if key not in facts.rules.mysteries and key not in self._strange:
                self._strange.add(key)
                there = titles_of(facts.rules.mysteries)
                text = f"the record has hidden values of {MYSTERIES[key].title}, which this table does not offer "
                facts.add(reg.SIDE_WAGER, f"{text}(it has: {there}).", MYSTERIES[key].offered)

    def _follow(self, key: str, facts: Facts, evidence: Evidence) -> list[Hit]:
        ledger = self._ledger(key, facts.rules)
        wrong: list[Objection] = []
        for one in facts.entry.committed:
            if one.mystery == key:
                wrong += ledger.commit(one.commitment, facts.round.number)
        shown = facts.entry.meters.get(key)
        if shown is not None:
            self._show(key, ledger, shown, facts)
        openings = [one.opening for one in facts.entry.opened if one.mystery == key]
        made, ordered = contributions(key, facts.entry.seats, facts.entry.accepted, facts.rules)
        checked = ledger.checked
        hits, objections = ledger.play(_name(facts), made, openings, ordered)
        for objection in (*wrong, *objections):
            verdict = BREACH if objection.sure else CANNOT_TELL
            facts.add(_CHECKS[objection.wrong], objection.sentence, objection.clause, verdict=verdict)
        checked = ledger.checked - checked
        for number in range(len(openings)):
            evidence.count(HIDDEN_VALUES, facts.round.number, number < checked)
        for hit in hits:
            if hit.missing:
                text = f"{MYSTERIES[key].title}: who won it, or what, cannot be told: {hit.missing}."
                facts.add(reg.PASSED, text, MYSTERIES[key].hidden, verdict=CANNOT_TELL)
                facts.unsure.add(key)
        return hits

    def _ledger(self, key: str, rules: RulesSubmission) -> MysteryLedger:
        """The ledger of a bonus as this table offers and reads it."""
        offer = rules.mysteries[key]
        name = (key, offer, *(choice.of(rules) for choice in CHOICES))
        found = self._ledgers.get(name)
        if found is None:
            found = self._ledgers[name] = MysteryLedger(configuration(key, offer.configuration), rules)
        return found

    def _show(self, key: str, ledger: MysteryLedger, shown: int, facts: Facts) -> None:
        """Take what the meter shows before a round. Name it once when it is too low at all, or not what it must be."""
        wrong = ledger.show(shown)
        title, least = MYSTERIES[key].title, ledger.configuration.minimum
        if shown < least:
            text = f"the meter of the {title} shows ${dollars(shown)}; it never stands below ${dollars(least)}."
            facts.add(reg.MYSTERY_METER, text, MYSTERIES[key].resets)
            ledger.meter.forget()  # no meter stands there, so the next display is not judged by this one
        elif wrong is not None:
            since = f"by the wagers and wins since it showed ${dollars(self._showed[key])}"
            text = f"the meter of the {title} shows ${dollars(shown)}; it must show {due(wrong)}, {since}."
            facts.add(reg.MYSTERY_METER, text, MYSTERIES[key].grows)
        self._showed[key] = shown


def _name(facts: Facts) -> str:
    shoe = "" if facts.entry.shoe is None else f" of shoe {facts.entry.shoe}"
    return f"round {facts.round.number}{shoe}"
