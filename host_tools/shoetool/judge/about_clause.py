"""Everything that the project knows of a clause: what it asks, who does it, what checks it, what names it, how it is
read. The answer to `shoetool clause`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from shoetool.judge import registry_hybrid  # noqa: F401  it loads those before it
from shoetool.judge import registry_table as reg
from shoetool.judge.registry import CHECKS, Check
from shoetool.model.protocol_table import IRREGULARITYS, Game
from shoetool.rules.citations import Citations, citations, named_in, own_section, with_paytable
from shoetool.rules.clauses import BY, Clause, cited, clauses, look_up, reasons
from shoetool.rules.games import GAMES, clause_in
from shoetool.rules.readings import Reading, readings
from shoetool.rules.submission.defaults import defaults
from shoetool.rules.wagers.catalogue import WAGERS
from shoetool.rules.wagers.mystery import MYSTERIES
from shoetool.rules.wagers.wager import Wager

_BY_WAGER: Final = {
    reg.METER: ("meter.clause", "meter.shared"),
    reg.LOCKED: ("meter.locked_out",),
    reg.VERIFIED: ("verify_clause", "dealer_verifies"),
    reg.WAITED: ("waiting",),
    reg.EARLY: ("timing",),
    reg.SIDE_WAGER: ("offered", "amounts_by", "beside", "up_to_main"),
}
"""Checks whose findings name the clause of the wager: the parts of its declaration that these come from."""
_BY_MYSTERY: Final = {
    reg.VERIFIED: ("light", "validates"),
    reg.SIDE_WAGER: ("offered",),
    reg.MYSTERY_METER: ("grows", "resets"),
    reg.HIDDEN: ("hidden",),
    reg.PASSED: ("hidden",),
}
_SETTLES: Final = (
    *("settles", "collects", "pays", "outcomes", "waits", "bonuses", "press", "multiplier", "envy", "hidden"),
)
"""The parts of a declaration that a settlement goes by, of a wager or a mystery bonus."""
_SETTLING_KINDS: Final = {"settlement", "outcome-definition", "precedence", "envy", "sharing"}
"""The same in a section that is about one wager: what a clause is about."""
_BY_RULES: Final = (
    *("choices", "draw", "no_draw_21", "one_card_double", "double_card", "dealer_draw", "no_dealer_draw", "insurance"),
    *("insurance_amount", "insurance_timing", "even_money", "surrender", "surrender_early", "double", "free_double"),
    *("paid_double", "split", "free_split", "paid_split", "split_order", "split_limit", "rescue", "switch"),
)
"""What of a game's clauses the round by the rules follows."""


@dataclass(frozen=True, slots=True)
class AboutClause:
    """One clause with all that is known of it.

    checks: those of `verify` whose findings name it. reported: what the shoe itself records of it, as (name, sentence).
    cited: the games, wagers, paytables and settings that name it. readings: how the text is read where it is silent.
    unproved: why no code and test of its own is behind it, "" for most.
    """

    clause: Clause
    checks: tuple[Check, ...]
    reported: tuple[tuple[str, str], ...]
    cited: Citations
    readings: tuple[Reading, ...]
    unproved: str

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "clause": self.clause.id,
            "kind": self.clause.kind,
            "by": [BY[one] for one in self.clause.by],
            "asks": self.clause.asks,
            "unproved": self.unproved or None,
            "checks": [
                {"check": one.name, "verdicts": list(one.verdicts), "reading": one.reading} for one in self.checks
            ],
            "reported": [{"irregularity": name, "means": means} for name, means in self.reported],
            "games": [{"game": one.name, "title": one.title} for one in self.cited.games],
            "wagers": [{"wager": one.key, "title": one.title} for one in self.cited.wagers],
            "paytables": [
                {"wager": one.wager, "title": one.title, "paytable": one.name, "decks": one.conditions()}
                for one in self.cited.paytables
            ],
            "settings": [
                {"key": one.key, "takes": one.takes, "default": dict(defaults(one)) or None, "meaning": one.meaning}
                for one in self.cited.settings
            ],
            "needed": self.cited.needed,
            "readings": [{"reading": one.name, "point": one.point, "text": one.text} for one in self.readings],
        }


def about(row: Clause) -> AboutClause:
    """Everything that is known of one row."""
    return AboutClause(
        row,
        tuple(CHECKS[name] for name in CHECKS if name in _checks()[row.id]),
        tuple((one["name"], one["means"]) for one in IRREGULARITYS.values() if row.id in _reported()[one["name"]]),
        citations(row),
        tuple(one for one in readings() if one.is_for(row)),
        reasons().get(row.id, ""),
    )


def about_clauses(text: str) -> tuple[AboutClause, ...]:
    """Look clauses up by id: `633a.9(a)(2)`, `58 Pa. Code § 633a.9`, or a whole chapter, `633c`.

    Returns what the project knows of each row of these clauses and of those below them. BadInput, with the nearest ids,
    for one that does not exist.
    """
    return tuple(map(about, dict.fromkeys(row for found in look_up(text) for row in (*found.own, *found.below))))


@cache
def _checks() -> Mapping[str, set[str]]:
    """The checks of each row."""
    found: dict[str, set[str]] = {name: set() for name in clauses()}
    for check in CHECKS.values():
        for name in _in_games((check.clause, *check.also)):
            for row in cited(name):
                found[row.id].add(check.name)
    for one in (*WAGERS.values(), *MYSTERIES.values()):
        for name, parts in (_BY_WAGER if isinstance(one, Wager) else _BY_MYSTERY).items():
            for clause in named_in(tuple(_part(one, part) for part in parts)):
                found[clause].add(name)
    for game in GAMES.values():
        for clause in named_in(tuple(getattr(game.clauses, name) for name in _BY_RULES)):
            found[clause].add(reg.BY_THE_RULES)
    for clause in _settled():
        found[clause] |= {reg.PAID, reg.NEVER_SETTLED}
    return found


def _settled() -> set[str]:
    """The rows by which a settlement pays or collects."""
    found = {clause for game in GAMES.values() for clause in named_in(game.settling)}
    found |= with_paytable()
    for one in (*WAGERS.values(), *MYSTERIES.values()):
        found |= named_in(tuple(_part(one, name) for name in _SETTLES))
        found |= {row.id for row in own_section(one) if row.kind in _SETTLING_KINDS}
    return found


def _part(declared: Any, path: str) -> Any:
    """A part of a declaration by its path; None where it, or what it is a part of, is not declared."""
    for name in path.split("."):
        declared = getattr(declared, name, None)
    return declared


@cache
def _reported() -> Mapping[str, set[str]]:
    """The rows of each irregularity that a shoe records."""
    return {
        one["name"]: {row.id for name in _in_games((one["clause"],)) for row in cited(name)}
        for one in IRREGULARITYS.values()
    }


def _in_games(names: Iterable[str]) -> set[str]:
    """These clauses with those that the games have in their places."""
    return {clause for name in names for clause in (name, *(clause_in(game, name) for game in Game))}
