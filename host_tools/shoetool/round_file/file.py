"""Read round files and table records: from JSON text to wagers, cards, decisions and payments. See ROUND_FORMAT.md.

Only the form is checked here, by the same rules as in `schemas/round.schema.json`. Rounds that the game does not allow
are rejected when they are played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from shoetool.deal.inputs import Irregularity
from shoetool.model.file_kinds import ROUND_FORMAT
from shoetool.round_file.events import Event, read_event, remembered
from shoetool.round_file.faults import all_faults
from shoetool.round_file.fields import (
    MOST_POSITIONS,
    NO_AMOUNTS,
    Fault,
    Fields,
    cards,
    hint,
    integer,
    key_field,
    lying,
    money,
    one_of,
    text_field,
    wagers,
    written,
)
from shoetool.round_file.hidden import Committed, Opened, read_committed, read_opened
from shoetool.round_file.irregular import read_irregular
from shoetool.round_file.json_place import Path, find, path_text
from shoetool.round_file.json_text import RoundFileError, load
from shoetool.round_file.seats import BettingPosition, read_seats, verify_by_hand
from shoetool.rules.round import TableRound
from shoetool.rules.wagers.catalogue import BONUSES, WAGERS
from shoetool.rules.wagers.mystery import MYSTERIES

FORMAT: Final = ROUND_FORMAT
LARGEST_FILE: Final = 4_194_304
_MOST_ITEMS: Final = 1000

_ROUND_KEYS: Final = frozenset(("history", "cards", "decisions", "events", "irregularities", "paid", "opened"))
_OF_A_ROUND: Final = re.compile(rf'"(?:{"|".join(sorted(_ROUND_KEYS))})"\s*:|"positions"\s*:\s*\[')
"""What a line shows of a round. The `positions` of a table are a number."""


@dataclass(frozen=True, slots=True)
class Paid:
    """What a player won (+) or lost (-) by the table record, in cents: on a wager, on a hand, or in all."""

    position: int
    amount: int
    wager: str | None = None
    hand: int | None = None


class Entry(NamedTuple):
    """One round as its file or line tells it. `line` is where it begins; `table` the rules submission: a path or the
    name of an example, the settings themselves, or None. `cards` are None when the history holds them, or the hands do;
    `burned` is how many of them went to the rack first, `determinant_from` the side that the determinant card was drawn
    from. `dealer` is the dealer's hand where the file has hands in place of the cards, see `by_hand`."""

    line: int
    seats: tuple[BettingPosition, ...]
    cards: tuple[int, ...] | None = None
    name: str = ""
    table: str | Mapping[str, Any] | None = None
    shoe: int | None = None
    round: int | None = None
    irregularities: tuple[Irregularity, ...] = ()
    events: tuple[Event, ...] = ()
    lucky_player: int | None = None
    magic_card: int | None = None
    meters: Mapping[str, int] = NO_AMOUNTS
    paid: tuple[Paid, ...] | None = None
    burned: int | None = None
    determinant_from: str | None = None
    committed: tuple[Committed, ...] = ()
    opened: tuple[Opened, ...] = ()
    dealer: tuple[int, ...] | None = None

    def with_system(self, played: TableRound) -> TableRound:
        """The round with what the table game system picked and opened, in which order it accepted the wagers, and what
        its meters showed when the round began."""
        return played._replace(
            lucky_player=self.lucky_player,
            magic_card=self.magic_card,
            meters=self.meters,
            opened=tuple((one.mystery, one.opening.value) for one in self.opened),
            accepted=self.accepted,
        )

    @property
    def accepted(self) -> tuple[tuple[str, int], ...]:
        """(wager, position) in the order in which the record has the wagers placed."""
        return tuple(
            [
                (event.wager or "main", event.position)
                for event in self.events
                if event.event == "bet_placed" and event.position is not None
            ]
        )


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no round: its number and what is wrong. `entry` is set when only its table is not known, because
    line `lost` cannot be read."""

    line: int
    error: RoundFileError
    entry: Entry | None = None
    lost: int = 0


def parse(text: str, where: str) -> tuple[Entry, ...]:
    """Read a round file: one JSON object, or JSON Lines with a round each. RoundFileError names line, column and path.

    `where` names the text in messages.
    """
    return tuple(map(_whole, parse_each(text, where)))


def parse_each(text: str, where: str) -> Iterator[Entry | BadLine]:
    """As `parse`, but a line of JSON Lines that cannot be read does not stop those after it."""
    text = text.removeprefix("\ufeff")
    if _is_lines(text):
        yield from each_record(_lines(text), where)
        return
    document = load(text, where, 0)
    entry = _entry(document, text, where, 0, need_format=True)
    if not entry.seats:
        raise RoundFileError(f"{where}: $: no positions; a round needs at least one with a main wager (633a.6(d))")
    yield entry


def each_record(lines: Iterable[str | RoundFileError], where: str) -> Iterator[Entry | BadLine]:
    """Read a table record line by line. A line that cannot be read gives a BadLine in its place.

    A line that is already an error is one that was no text. A line with `table` and without `positions` sets the table
    for the lines after it. An unreadable line may have set the table too, unless it shows that it was a round or
    nothing of the kind. Then the rounds after it that need a table are bad lines, until the next line with one.
    """
    table: str | Mapping[str, Any] | None = None
    lost = 0
    first = True
    for number, line in enumerate(lines):
        if isinstance(line, RoundFileError):
            yield BadLine(number + 1, line)
            lost, first = number + 1, False
            continue
        line = line.rstrip("\r\n")  # else an error at its end would be reported on the next line
        if not line.strip():
            continue
        document = None
        try:
            document = load(line, where, number)
            entry = _entry(document, line, where, number, need_format=first)
        except RoundFileError as error:
            yield BadLine(number + 1, error)
            if _may_set_table(line, document):
                lost = number + 1
            continue
        finally:
            first = False
        if not entry.seats:
            table, lost = entry.table, 0
            continue
        if entry.table is None and lost:
            text = f"its table is not known: line {lost} cannot be read, and may have set it; name it with --table"
            yield BadLine(number + 1, RoundFileError(f"{where}: line {number + 1}: {text}"), entry, lost)
            continue
        if entry.table is None and table is not None:
            entry = entry._replace(table=table)
        yield entry


def _may_set_table(line: str, document: Any) -> bool:
    """Whether a bad line may have been one that sets the table. `document`: its JSON value; None when it has none."""
    if document is None:
        if "{" not in line and line.isprintable():
            return False  # such as a comment: nothing of an object is left
        return _OF_A_ROUND.search(line, line.rfind('"table"') + 1) is None  # the settings have none of these keys
    if not isinstance(document, dict) or not document:
        return False
    return _ROUND_KEYS.isdisjoint(document) and not isinstance(document.get("positions"), list)


def _whole(one: Entry | BadLine) -> Entry:
    if isinstance(one, BadLine):
        raise one.error
    return one


def _lines(text: str) -> list[str]:
    """Return the lines of a text as in a file. `splitlines` would also cut a JSON string at U+2028 and the like."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_lines(text: str) -> bool:
    """Whether there are several lines, and the first that holds anything is a whole JSON value or another one a round.

    No line of an object that is written on several has its positions and is whole.
    """
    lines = [line for line in _lines(text) if line.strip()]
    return len(lines) > 1 and (_is_json(lines[0]) or any('"positions"' in line and _is_json(line) for line in lines))


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _entry(document: Any, text: str, where: str, above: int, need_format: bool) -> Entry:
    """Read one round. RoundFileError says all that is wrong with it."""
    line = above + 1
    try:
        return _read(document, line, need_format)
    except Fault:
        faults = all_faults(document, lambda values: _read(values, line, need_format))
    placed = sorted(((*find(text, fault.path), fault) for fault in faults), key=lambda one: one[:2])
    said = [
        f"{where}: line {above + at}, column {column}: {path_text(fault.path)}: {fault.what}"
        for at, column, fault in placed
    ]
    raise RoundFileError(said[0], tuple(said[1:]))


_ROUND: Final = (
    *("format", "name", "table", "history", "cards", "dealer", "burned", "determinant_from", "positions"),
    "irregularities",
    *("events", "lucky_player", "magic_card", "meters", "paid", "committed", "opened"),
)


def _read(document: Any, line: int, need_format: bool) -> Entry:
    fields = Fields(document, (), _ROUND)
    if "format" in fields or need_format:
        if "format" not in fields:
            raise Fault((), f'"format" is missing; write "format": "{FORMAT}"')
        if fields["format"] != FORMAT:
            raise Fault(("format",), f'is not "{FORMAT}", the format that this shoetool reads')
    table = fields.get("table")
    if table is not None and not (type(table) is str and table) and not isinstance(table, dict):
        raise Fault(("table",), "takes a path, the name of an example, or the settings as an object")
    if "positions" not in fields:
        if table is None or "cards" in fields or "history" in fields:
            raise Fault((), '"positions" is missing: who bet what')
        return Entry(line, (), table=table)
    if "cards" in fields and "history" in fields:
        raise Fault(("history",), "the round has cards too; keep one of them")
    seats = read_seats(fields["positions"])
    verify_by_hand(fields, seats)
    shoe, number = _history(fields)
    entry_cards = cards(fields["cards"], ("cards",)) if "cards" in fields else None
    return Entry(
        line,
        seats,
        entry_cards,
        text_field(fields, "name") or "",
        table,
        shoe,
        number,
        tuple(read_irregular(value, path) for value, path in _items(fields, "irregularities")),
        tuple([read_event(value, path) for value, path in _items(fields, "events")]),
        integer(fields, "lucky_player", 1, MOST_POSITIONS),
        cards([fields["magic_card"]], (), ("magic_card",))[0] if "magic_card" in fields else None,
        wagers(fields, "meters"),
        tuple([_paid(value, path) for value, path in _items(fields, "paid")]) if "paid" in fields else None,
        integer(fields, "burned", 0, _MOST_ITEMS),
        one_of(fields, "determinant_from", ("A", "B")),
        tuple([read_committed(value, path) for value, path in _items(fields, "committed")]),
        tuple([read_opened(value, path) for value, path in _items(fields, "opened")]),
        lying(fields["dealer"], ("dealer",)) if "dealer" in fields else None,
    )


def _history(fields: Fields) -> tuple[int | None, int | None]:
    if "history" not in fields:
        return None, None
    history = Fields(fields["history"], ("history",), ("shoe", "round"))
    number = integer(history, "round", 1, 10**9)
    if number is None:
        raise Fault(("history",), '"round" is missing: the number of the round in the history')
    return integer(history, "shoe", 0, 2**32 - 1), number


def _items(fields: Fields, name: str) -> list[tuple[Any, Path]]:
    if name not in fields:
        return []
    values = fields[name]
    if not isinstance(values, list):
        raise Fault((name,), "takes a list")
    if len(values) > _MOST_ITEMS:
        raise Fault((name,), f"has {len(values)} items; {_MOST_ITEMS} at most")
    return [(value, (name, index)) for index, value in enumerate(values)]


_PAID: Final = ("position", "hand", "wager", "amount")


@remembered
def _paid(value: Any, path: Path) -> Paid:
    fields = Fields(value, path, _PAID)
    position = integer(fields, "position", 1, MOST_POSITIONS)
    if position is None or "amount" not in fields:
        raise Fault(path, f'"{"position" if position is None else "amount"}" is missing')
    return Paid(
        position,
        money(fields["amount"], (*path, "amount"), signed=True),
        _paid_wager(fields),
        integer(fields, "hand", 1, 100),
    )


def paid_keys() -> tuple[str, ...]:
    """Return the names that a payment may use: the wagers of a settlement."""
    return ("main", "double", "press", "lammer", "insurance", "ante", "bonus", *WAGERS, *BONUSES, *MYSTERIES)


def _paid_wager(fields: Fields) -> str | None:
    """Return the key of a wager that can be paid. A misspelt key would hide a payment."""
    key = key_field(fields, "wager")
    if key is not None and key not in paid_keys():
        raise Fault((*fields.path, "wager"), f"{written(key)} is no key of a wager{hint(key, paid_keys())}")
    return key
