"""What this version does not know in a history: kinds of records, and values of their enumerated fields."""

from __future__ import annotations

from collections.abc import Callable, Container
from operator import itemgetter
from typing import Any, Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import CANNOT_TELL
from shoetool.model.naming import DRAWS_TO_BIT, MOST_DRAWS_TO, NO_BURN_OWED_BIT, OPTION_BITS, enumeration
from shoetool.model.protocol_table import RECORDS, Position, RecordKind
from shoetool.model.records import Record
from shoetool.rules.games import game_of_shoe
from shoetool.verify.context import Context

_POSITIONS: Final = frozenset((*range(1, 8), *Position))
_OPTIONS: Final = sum(1 << bit for bit in OPTION_BITS.values()) | 1 << NO_BURN_OWED_BIT
_OF_HYBRID: Final = frozenset((RecordKind.HIT, RecordKind.COUNTDOWN, RecordKind.SELECTED))
"""Kinds of a hybrid table, 633c.5. At another table nothing is known of what they mean, nor of its places for cards."""
_SHARED: Final = frozenset(range(Position.PLAYER_1, Position.COMMUNITY + 1))
_APART: Final = frozenset(
    {
        *(RecordKind.BOOT, RecordKind.CONFIGURED, RecordKind.SELF_TEST, RecordKind.ATTEMPT, RecordKind.PROVISIONED),
        *(RecordKind.UPDATE_ANNOUNCED, RecordKind.FIRMWARE, RecordKind.SIGNING_KEY, RecordKind.SIGNED),
        *(RecordKind.CALIBRATED, RecordKind.MARGIN, RecordKind.HOST_CLOCK),
    }
)
"""Kinds that no card and no round depends on."""
WITHOUT_RULES: Final = _APART | {RecordKind.SHOE_OPENED, RecordKind.SHOE_CLOSED}
"""Kinds that are looked at in a shoe whose opening is not understood."""
_MOST_RECORDS: Final = 20
_MOST_KEPT: Final = 10_000
_KNOWN: Final[dict[bool, dict[int, set[Any]]]] = {False: {}, True: {}}
"""At a hybrid table and at others, for each kind: values of its enumerated fields that were found to be known. All
histories share it, since the same few come again."""


class _Options:
    """The known values of `shoe_opened.options`."""

    def __contains__(self, bits: object) -> bool:
        if not isinstance(bits, int) or bits >> DRAWS_TO_BIT > MOST_DRAWS_TO:
            return False
        return not bits & (1 << DRAWS_TO_BIT) - 1 & ~_OPTIONS


def _domains() -> dict[int, tuple[tuple[str, int, Container[int]], ...]]:
    """For each kind: name, index and known values of each enumerated field."""
    out: dict[int, tuple[tuple[str, int, Container[int]], ...]] = {}
    for kind, row in RECORDS.items():
        fields: list[tuple[str, int, Container[int]]] = []
        for index, (name, _) in enumerate(row["fields"]):
            values = enumeration(row["name"], name)
            if values is not None:
                fields.append((name, index, frozenset(int(value) for value in values)))
            elif name == "box":
                fields.append((name, index, _POSITIONS))
            elif (row["name"], name) == ("shoe_opened", "options"):
                fields.append((name, index, _Options()))
        out[kind] = tuple(fields)
    return out


_DOMAINS: Final = _domains()
_PICK: Final[dict[int, Callable[[Any], Any]]] = {
    kind: itemgetter(*(at for _, at, _ in fields)) if fields else len for kind, fields in _DOMAINS.items()
}
"""For each kind: the values of its enumerated fields; for one without any something that never changes."""


def _missing(record: Record, hybrid: bool) -> list[str]:
    """The values of a record that this version does not know at such a table."""
    return [
        f"a record of kind {record.name} with {name} {record[4][at]}"
        for name, at, values in _DOMAINS[record.kind]
        if record[4][at] not in values or (name == "box" and not hybrid and record[4][at] in _SHARED)
    ]


class Unknown:
    """Ask `known` of each record, and `report` when no more come: one finding for each unknown kind or value."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.shoe_opened()
        self._found: dict[str, list[int]] = {}

    def shoe_opened(self) -> None:
        """The table may have another game now."""
        game = game_of_shoe(self.ctx.table.game)
        self._hybrid = game is not None and game.facts.community
        self._known = _KNOWN[self._hybrid]

    def known(self, record: Record) -> bool:
        """Whether this version understands all of a record on which a card or a round depends."""
        kind = record[3]
        seen = self._known.get(kind)
        if seen is not None and _PICK[kind](record[4]) in seen:
            return True
        return self._look_at(record, kind)

    def _look_at(self, record: Record, kind: int) -> bool:
        hybrid = self._hybrid
        strange = kind not in _DOMAINS or (kind in _OF_HYBRID and not hybrid)
        if strange and not self.ctx.table.shoe_open:
            return True  # no play depends on a kind between shoes; the notes on signatures tell of it
        missing = [f"a record of kind {kind}"] if strange else _missing(record, hybrid)
        if not missing:
            known = self._known.setdefault(kind, set())
            if len(known) < _MOST_KEPT:
                known.add(_PICK[kind](record[4]))
        for what in missing:
            self._found.setdefault(what, []).append(record.number)
        return not missing or kind in _APART

    def report(self) -> None:
        """Tell each kind and value once, with its first records."""
        for what, records in self._found.items():
            more = f" and in {len(records) - 1} more" if len(records) > 1 else ""
            text = f"{what} is not known to this version of shoetool{more}; what depends on it is not judged."
            text += " A newer shoetool may know it."
            self.ctx.add(reg.UNKNOWN_VALUE, CANNOT_TELL, records[:_MOST_RECORDS], text, of_file=True)
