"""A rules submission as text and as JSON, and its refusals as text."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from shoetool.model.money import dollars
from shoetool.report.text_tables import headed
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import paytable
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.submission.need import Need
from shoetool.rules.submission.refusal import Refusal
from shoetool.rules.submission.rules import Meter, RulesSubmission
from shoetool.rules.submission.settings import SETTINGS, Setting
from shoetool.rules.w2g import FORM, may_be_won
from shoetool.rules.wagers.catalogue import CHOICES, WAGERS
from shoetool.rules.wagers.hybrid_table import HYBRID_CHOICES
from shoetool.rules.wagers.mystery import CHOICES as MYSTERY_CHOICES
from shoetool.rules.wagers.mystery import MYSTERIES, configuration
from shoetool.rules.wagers.switch_hands import OFFERED as SWITCH_HANDS
from shoetool.rules.wagers.switch_hands import SWITCH_HANDS_CHOICES

REFUSED = Style(color="bright_red", bold=True)
_MONEY = frozenset({"chip_unit", "minimum", "maximum", "aggregate_cap", "w2g_from"})

# Settings whose value decides which of two clauses applies.
_BY_VALUE: dict[tuple[str, object], dict[str, str]] = {
    ("shoe", "double"): {"633a": "633a.3(c) decks"},
    ("shoe", "hand"): {"633a": "633a.12(b)(3)"},
    ("surrender", "way_2"): {"633a": "633a.9(a)(2)(ii)"},
    ("surrender", "none"): {"633a": "633a.12(a)(4)"},
    ("hold_blackjack", False): {"633a": "633a.7(i)(1)(ii)(A)"},
    ("settlement_procedure", 2): {"633a": "633a.7(r)(2)"},
    ("leaking_reader", False): {"633a": "633a.14(j)(2)", "635a": "635a.13(j)(2)"},
}


def refusal_lines(refusal: Refusal, width: int) -> Iterator[Text]:
    """Yield a refusal as lines no wider than `width`: key, line and clause, then what is wrong and what to do."""
    line = Text("  REFUSED  ", REFUSED).append(refusal.where, Style(bold=True))
    if refusal.line is not None:
        line.append(f"  line {refusal.line}", Style(dim=True))
    if refusal.clause:
        line.append(f"  {refusal.clause}", Style(dim=True))
    yield line
    for sentence in (refusal.what, refusal.do):
        for part in textwrap.wrap(sentence[0].upper() + sentence[1:], max(30, width - 4)):
            yield Text(f"    {part}")


def submission_table(table: RulesSubmission) -> Iterator[Table]:
    """Yield the settings that matter at this table, then its optional wagers and its mystery bonuses."""
    drawn = headed("setting", "value", "clause")
    for setting in SETTINGS:
        if matters(setting, table):
            drawn.add_row(setting.key, value_text(setting, table), clause_text(setting, table))
    yield drawn
    if table.wagers:
        yield _wagers_table(table)
    if table.mysteries:
        yield _mysteries_table(table)


def _wagers_table(table: RulesSubmission) -> Table:
    drawn = headed("wager", "paytable", "limits", "with", "clause")
    for key, offer in table.wagers.items():
        more = sorted(offer.options)
        for name, meter in _meters(table, key).items():
            more.append(f"{name + ' ' if name else ''}meter ${dollars(meter.start)}")
            more.append(f"reset ${dollars(meter.reset)}")
            more.append(f"rate {percent(meter.rate)}")
            if meter.reserve:
                more.append(f"for the next reset {percent(meter.reserve)}")
        if offer.linked:
            more.append("meters linked with other tables")
        chosen = paytable(key, offer.paytable, table.decks, table.paytable_game(key))
        limits = f"${dollars(offer.minimum)} to ${dollars(offer.maximum)}"
        drawn.add_row(key, offer.paytable or "-", limits, "\n".join(more), chosen.clause)
    return drawn


def _mysteries_table(table: RulesSubmission) -> Table:
    drawn = headed("mystery bonus", "won by", "configuration", "with", "clause")
    for key, offer in table.mysteries.items():
        found, mystery = configuration(key, offer.configuration), MYSTERIES[key]
        more = (
            f"minimum ${dollars(found.minimum)}",
            f"maximum ${dollars(found.maximum)}",
            f"contribution {percent(found.rate)}",
            "paid from the table inventory" if offer.paid_from == "tray" else "paid by a progressive jackpot slip",
            "before a payout:",
            f"the right light is lit ({mystery.light})",
            f"a floorperson validates it ({mystery.validates})",
        )
        drawn.add_row(key, offer.wager, offer.configuration, "\n".join(more), found.clause)
    return drawn


def layout_table(found: Sequence[Need]) -> Iterator[Table]:
    """Yield one table with what a table must have and show, then one with the payouts that it must show."""
    drawn = headed("where", "what", "clause")
    for need in found:
        if not need.payouts:
            drawn.add_row(need.where, need.what, need.clause)
    yield drawn
    for need in found:
        if need.payouts:
            drawn = Table(box=None, header_style="", padding=(0, 2, 0, 0))
            drawn.add_column(need.what, max_width=56)
            drawn.add_column(Text(need.clause, Style(dim=True)))
            for outcome, odds in need.payouts:
                drawn.add_row(f"  {outcome}", odds)
            yield drawn


def matters(setting: Setting, table: RulesSubmission) -> bool:
    """Whether a setting changes anything at this table."""
    if setting.key == "red_side":
        return table.shoe == "double"
    key, game = setting.key, GAMES[table.game]
    offered = [WAGERS[wager] for wager in table.wagers]
    if key == "even_money":
        return game.offers_even_money
    if key == "aggregate_cap":
        return any(wager.capped for wager in offered)
    if key == "w2g_from":
        return may_be_won(table)
    if key == "meter_counts_round":
        return any(wager.meter is not None for wager in offered)
    if key == "electronic_table":
        return any(wager.electronic_table for wager in offered)
    if CHOICES.get(key) in MYSTERY_CHOICES:
        return bool(table.mysteries)
    if CHOICES.get(key) in SWITCH_HANDS_CHOICES:
        return game.facts.switch_hands and SWITCH_HANDS.of(table) != "none" and CHOICES[key].matters(table)
    if CHOICES.get(key) in HYBRID_CHOICES:
        return key in game.settings
    if key in CHOICES:
        return any(CHOICES[key] in wager.every_choice for wager in offered)
    return key in game.settings or not any(key in other.settings for other in GAMES.values())


def clause_text(setting: Setting, table: RulesSubmission) -> str:
    """Return the clause for a setting's value, or what else asks for it; empty when the chapter has none."""
    if setting.key == "game" and GAMES[table.game].clause:
        return GAMES[table.game].clause
    if setting.key == "w2g_from":
        return FORM
    by_value = _BY_VALUE.get((setting.key, table.setting(setting.field)), {})
    clause = by_value.get(table.chapter, setting.clause(table.chapter))
    return GAMES[table.game].counterparts.get(clause, clause)


def value_text(setting: Setting, table: RulesSubmission) -> str:
    """Return a setting's value as text for people."""
    value = table.setting(setting.field)
    if value is None:
        return "none"
    if setting.key == "game":
        return f"{value} ({GAMES[value].title})" if GAMES[value].title.lower() != value else str(value)
    if setting.field in _MONEY:
        return f"${dollars(value)}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return percent(value) if isinstance(value, Fraction) else str(value)


def percent(part: Fraction) -> str:
    """Return a share as a percentage when two decimals are exact, else as a fraction."""
    whole, rest = divmod(part * 10_000, 100)
    if rest.denominator != 1:
        return str(part)
    return f"{whole}.{int(rest):02}".rstrip("0").rstrip(".") + "%"


def submission_document(table: RulesSubmission) -> dict[str, Any]:
    """Return the submission with JSON types only: the keys of the TOML, money in cents.

    How the house reads a wager of a chapter of side wagers (633c) is there where one of them is offered.
    """
    body: dict[str, Any] = {}
    chapters = {game.chapter for game in GAMES.values()}
    for setting in SETTINGS:
        if not matters(setting, table) and chapters.isdisjoint(clause.partition(".")[0] for clause in setting.clauses):
            continue
        value = table.setting(setting.field)
        body[setting.key] = str(value) if isinstance(value, Fraction) else value
    body["wagers"] = {
        key: {
            "paytable": offer.paytable,
            "min": offer.minimum,
            "max": offer.maximum,
            "options": sorted(offer.options),
            "meter": _meter(table.meters.get(key)),
            **_named_meters(table, key),
            **({"linked": True} if offer.linked else {}),
        }
        for key, offer in table.wagers.items()
    }
    if table.mysteries:
        body["mysteries"] = {key: dataclasses.asdict(offer) for key, offer in table.mysteries.items()}
    return body


def _meters(table: RulesSubmission, wager: str) -> dict[str, Meter]:
    """The meters of a wager by their names, "" for a single one."""
    return {key.partition(".")[2]: meter for key, meter in table.meters.items() if wager_of_meter(key) == wager}


def _named_meters(table: RulesSubmission, wager: str) -> dict[str, Any]:
    named = {name: _meter(meter) for name, meter in _meters(table, wager).items() if name}
    return {"meters": named} if named else {}


def _meter(meter: Meter | None) -> dict[str, Any] | None:
    if meter is None:
        return None
    reserve = {"reserve": str(meter.reserve)} if meter.reserve else {}
    return {"start": meter.start, "reset": meter.reset, "rate": str(meter.rate), **reserve}
