"""Progressive meters from round to round, to the cent: 633a.13(j)(2), (l)(2), (m)(2) and the meters of ch. 633c."""

from __future__ import annotations

from shoetool.judge import registry_table as reg
from shoetool.model.money import dollars
from shoetool.rules.games import game
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.round import Settlement
from shoetool.rules.wagers.catalogue import meter_rule, meter_title, partly_won, titles_of
from shoetool.settle.meter_ledger import Break, MeterLedger
from shoetool.settle.meters import contribution
from shoetool.verify.table_record.facts import Facts


class Meters:
    """The ledgers of a table's meters, over all its shoes; one is begun anew where a round was not settled."""

    def __init__(self) -> None:
        self._ledgers: dict[tuple[str, bool], MeterLedger] = {}
        self._showed: dict[str, int] = {}
        self._strange: set[str] = set()

    def forget(self) -> None:
        """A round in between is not known."""
        for ledger in self._ledgers.values():
            ledger.forget()

    def verify_offered(self, facts: Facts) -> None:
        """633a.6(e), 590.6(e), 635a.6(e): name a meter of a wager that the table does not offer, once."""
        for key in facts.entry.meters:
            if key not in facts.rules.meters and key not in facts.rules.mysteries and key not in self._strange:
                self._strange.add(key)
                there = titles_of(dict.fromkeys(map(wager_of_meter, facts.rules.meters)))
                text = f"the record has a {meter_title(key)}, which this table does not offer (it has: {there})."
                facts.add(reg.SIDE_WAGER, text, game(facts.rules.game).clauses.side_wagers)

    def judge(self, facts: Facts, settlement: Settlement) -> None:
        """A meter grows by its share of each wager, falls by what was won from it, and is set back by the house.

        What a round names was shown before its own wagers. A round that does not tell a meter leaves the ledger
        running, unless that meter was won: then the amount is not known. A linked meter may show more.
        """
        rules = facts.rules
        for key in rules.meters:
            wager = wager_of_meter(key)
            linked = wager in rules.wagers and rules.wagers[wager].linked
            ledger = self._ledgers.get((key, linked))
            if ledger is None:
                ledger = self._ledgers[key, linked] = MeterLedger(linked=linked)
            grown = contribution(key, sum(seat.side.get(wager, 0) for seat in facts.entry.seats), rules)
            shown, won = facts.entry.meters.get(key), settlement.meters.get(key, 0)
            if shown is not None:
                self._show(facts, key, ledger, shown)
            elif won:
                ledger.forget()
            ledger.change(grown + won)

    def _show(self, facts: Facts, key: str, ledger: MeterLedger, shown: int) -> None:
        """Take what the meter shows before a round. Name it once when it is too low at all, or not what it must be."""
        meter = facts.rules.meters[key]
        lowest = min(meter.start, meter.reset)
        wrong = ledger.show(shown)
        title, clause = meter_title(key), meter_rule(key).clause
        if shown < lowest and not partly_won(key):
            text = f"the {title} shows ${dollars(shown)}; it starts and resets at no less than ${dollars(lowest)}."
            facts.add(reg.METER, text, clause)
            ledger.forget()  # no meter stands there, so the next display is not judged by this one
        elif wrong is not None:
            since = f"by the wagers and wins since it showed ${dollars(self._showed[key])}"
            facts.add(reg.METER, f"the {title} shows ${dollars(shown)}; it must show {due(wrong)}, {since}.", clause)
        self._showed[key] = shown


def due(wrong: Break) -> str:
    """What a meter must show, in words; two amounts where its fraction of a cent is not known."""
    if wrong.most is None:
        return f"no less than ${dollars(wrong.least)}"
    words = f"${dollars(wrong.least)}"
    return words if wrong.most == wrong.least else f"{words} or ${dollars(wrong.most)}"
