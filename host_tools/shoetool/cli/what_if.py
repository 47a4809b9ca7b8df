"""`shoetool settle --what-if`: the same round under another rules submission, or had a player decided otherwise."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from shoetool.case.dealt_rules import as_played
from shoetool.case.settled import Dealt, Settled, settle_at
from shoetool.cli.settling import HistoryRounds
from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput
from shoetool.model.money import cents
from shoetool.model.toml_text import parse_toml
from shoetool.round_file.fields import CHOICES, MISSED, WITH_AMOUNT
from shoetool.round_file.file import Entry
from shoetool.round_file.otherwise import play_otherwise
from shoetool.round_file.paid import verify_meters
from shoetool.round_file.play import play_entry
from shoetool.round_file.seats import BettingPosition
from shoetool.round_file.tables import Rules
from shoetool.rules.round import TableRound
from shoetool.rules.submission.file import from_values
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle

_POSITION: Final = re.compile(r"([1-7])(?:\.(insurance|even_money))?")
_SETTING: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_FLAGS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What was otherwise. `said`: as it was written. `table`: another rules submission. `values`: its settings by path.
    `seats`: fields of betting positions, by position."""

    said: tuple[str, ...]
    table: str | None = None
    values: Mapping[tuple[str, ...], Any] = field(default_factory=dict)
    seats: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    @staticmethod
    def read(texts: Iterable[str]) -> WhatIf:
        """Read KEY=VALUE texts. BadInput names the one that cannot be read, and what may be written."""
        said = tuple(texts)
        table: str | None = None
        values: dict[tuple[str, ...], Any] = {}
        seats: dict[int, dict[str, Any]] = {}
        for text in said:
            key, equals, value = (part.strip() for part in text.partition("="))
            place = _POSITION.fullmatch(key)
            if equals and key == "table" and value:
                table = value
            elif equals and place is not None:
                seats.setdefault(int(place[1]), {}).update(_seat_change(place[2] or "decisions", value, text))
            elif equals and value and _SETTING.fullmatch(key):
                values[tuple(key.split("."))] = _toml(value)
            else:
                told = (
                    "write KEY=VALUE as in the rules submission, table=FILE, or POSITION=DECISIONS such as 3=hit,stand"
                )
                raise BadInput(f"--what-if {text[:60]!r}: {told}")
        return WhatIf(said, table, values, seats)

    def changed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a rules submission with its settings changed. BadInput for a path through no table."""
        found: dict[str, Any] = dict(values)
        for path, value in self.values.items():
            at = found
            for key in path[:-1]:
                below = at.get(key, {})
                if not isinstance(below, Mapping):
                    raise BadInput(f"--what-if {'.'.join(path)}: {key} is no table of the rules submission")
                at[key] = dict(below)
                at = at[key]
            at[path[-1]] = value
        return found

    def seat(self, seat: BettingPosition) -> BettingPosition:
        """The position with what was otherwise."""
        changes: dict[str, Any] = dict(self.seats.get(seat.position, {}))
        return seat._replace(**changes) if changes else seat


def table_otherwise(entry: Entry, what: WhatIf, rules: Rules, where: str) -> RulesSubmission:
    """Return the rules submission as it would have been. BadInput when it is rejected, with what is wrong."""
    if what.table is not None:
        rules = Rules(what.table, None)
    if not what.values:
        return rules.find(entry.table, where)
    return from_values(what.changed(rules.values(entry.table)), "--what-if")


def settle_otherwise(
    settled: Settled, what: WhatIf, table: RulesSubmission, histories: HistoryRounds, where: str
) -> Settled:
    """Settle the round as it would have been at `table`, with the other decisions. BadInput when that is not known."""
    entry = settled.entry._replace(paid=None)
    if table.game != settled.round.game:
        raise BadInput(
            f"{where}: the round was dealt as {settled.round.game}, the rules submission is for {table.game}"
        )
    found = settle_at(entry, table, histories.find, where)
    if _dealt(found.round) != _dealt(settled.round):
        raise BadInput(f"{where}: at this table others would have got these cards; what they decided is not known")
    if not what.seats:
        return found
    known = {seat.position for seat in entry.seats}
    try:
        for position in what.seats:
            if position not in known:
                raise BadInput(f"position {position} has no wager in this round")
        if entry.irregularities:
            raise BadInput("something went wrong with its cards, so who would have got which card is not known")
        base = found.round
        if entry.round is not None:
            played = _recorded(entry, what, table, histories.find(entry))
        else:
            changed = entry._replace(seats=tuple(map(what.seat, entry.seats)))
            played = play_otherwise(
                lambda cards: play_entry(changed._replace(cards=cards), table),
                *(entry.cards or (), base, what.seats),
            )
        settlement = settle(played, table)
        verify_meters(settlement, entry.meters)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    notes = [] if played.dealer == base.dealer else [_dealer_note(played, base)]
    return Settled(entry, played, settlement, [], notes)


def _recorded(entry: Entry, what: WhatIf, table: RulesSubmission, found: Dealt) -> TableRound:
    """Play a round of a history with the other decisions; who has no wager in the file plays as dealt."""
    given = as_played(found.round, entry, table)
    if given is None or given.irregularities:
        raise BadInput("it was not dealt as the rules have it, so who would have got which card is not known")
    base = given.play(table)
    other = as_played(found.round, entry, table, what.seat)
    assert other is not None
    played = play_otherwise(
        lambda cards: dataclasses.replace(other, cards=cards).play(table), given.cards, base, what.seats
    )
    named = {seat.position for seat in entry.seats}
    return entry.with_system(played._replace(boxes=tuple(box for box in played.boxes if box.position in named)))


def _dealt(played: TableRound) -> tuple[Any, ...]:
    """Who got which cards."""
    boxes = [(box.initial, box.aside, [hand.cards for hand in box.hands]) for box in played.boxes]
    return boxes, played.dealer, played.draws_discarded


def _dealer_note(played: TableRound, base: TableRound) -> str:
    gets, had = (" ".join(map(card_name, cards)) for cards in (played.dealer, base.dealer))
    return f"the dealer's hand would have been {gets} in place of {had}"


def _seat_change(name: str, value: str, text: str) -> dict[str, Any]:
    if name == "insurance":
        return {name: cents(value)}
    if name == "even_money":
        if value not in _FLAGS:
            raise BadInput(f"--what-if {text[:60]!r}: even_money is true or false")
        return {name: _FLAGS[value]}
    words = [_decision(word.strip(), text) for word in value.split(",")] if value else []
    return {name: tuple(words)}


def _decision(word: str, text: str) -> tuple[str, int | None]:
    name, colon, amount = word.partition(":")
    if name not in CHOICES or name in MISSED or (colon and name not in WITH_AMOUNT):
        words = ", ".join(choice for choice in CHOICES if choice not in MISSED)
        told = f"{word[:20]!r} is not a decision; there are {words}; double:10.00 has an amount"
        raise BadInput(f"--what-if {text[:60]!r}: {told}")
    return name, cents(amount) if colon else None


def _toml(value: str) -> Any:
    """A value as TOML has it. A bare word, and an amount with a point, are text."""
    if re.fullmatch(r"[0-9]+\.[0-9]+", value):
        return value
    try:
        return parse_toml(f"value = {value}")["value"]
    except (ValueError, KeyError):
        return value
