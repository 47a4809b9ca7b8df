"""A table with optional wagers, as most tests want it: every choice that a wager leaves to the house is taken."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import Meter, RulesSubmission, WagerOffer
from shoetool.rules.submission.wager_checks import wager_amounts
from shoetool.rules.wagers import WAGERS


def offering(table: RulesSubmission, *keys: str, **offers: WagerOffer) -> RulesSubmission:
    """Return the table with these optional wagers added: by key with a default offer, or as given.

    A default offer has the first paytable that the clause gives for these decks, and all its optional rows, of bonuses
    that exclude each other the first; a progressive wager gets a meter with the least start and reset amounts, unless
    its paytable prints them. What a chapter leaves for the house to say is said by the first word. A wager that needs
    another one, or an electronic table, gets it.
    """
    wagers = dict(table.wagers)
    meters = dict(table.meters)
    needed = [needs.wager for key in keys if (needs := WAGERS[key].beside) is not None]
    for key in (*keys, *(key for key in needed if key not in keys and key not in wagers)):
        tables = [one for one in paytables(key) if one.covers(table.decks)] or list(paytables(key))
        options = frozenset(row.option for one in tables for row in one.rows if row.optional)
        if WAGERS[key].one_bonus:
            options -= {bonus.key for bonus in WAGERS[key].bonuses[1:]}
        amounts = wager_amounts(table, key, tables[0].name)
        limits = {"minimum": amounts[-1], "maximum": amounts[-1]} if amounts else {}
        wagers[key] = WagerOffer(tables[0].name, options=options, **limits)
    wagers |= offers
    for key in wagers:
        rule = WAGERS[key].meter
        if rule is not None and key not in meters and not WAGERS[key].prints_meters:
            least = rule.least_beside(wagers[key].minimum)
            meters[key] = Meter(least, least, Fraction(1, 10))
    asked = {one.key: one.words[0] for key in wagers for one in WAGERS[key].every_choice if one.asked}
    electronic = table.electronic_table or any(WAGERS[key].electronic_table for key in wagers)
    return replace(table, electronic_table=electronic, wagers=wagers, meters=meters, choices={**asked, **table.choices})
