"""What dealer and floorperson did, from a round file or table record: events in the order of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from marshal import dumps
from typing import Any, Final, TypeVar

from shoetool.round_file.fields import Fault, Fields, integer, key_field, one_of, text_field, written
from shoetool.round_file.json_place import Path

EVENTS: Final = (
    *("bets_closed", "insurance_offered", "even_money_offered", "even_money_paid", "reader_used"),
    *("hole_card_revealed", "settled", "verified", "floorperson"),
    *("bet_placed", "bet_moved", "barred", "admitted"),
    *("decks_opened", "shuffled", "reshuffle_ordered", "cut_offered", "cut", "recut_ordered", "cover_card_placed"),
    *("shuffler_failed", "reader_inspected", "table_opened"),
    *("cards_spread", "cards_stacked", "table_idle", "shuffler_out_of_use", "shuffler_covered"),
)
"""The first line happens in a round, the second concerns wagers, the others come before a round's first card."""
SHUFFLED_BY: Final = ("hand", "device")
READINGS: Final = ("blackjack", "no_blackjack", "read_again")
MOST_KEPT: Final = 20_000
_MOST_CARDS: Final = 1000
_MOST_BATCHES: Final = 63
_T = TypeVar("_T")
_EVENT: Final = (
    *("event", "position", "hand", "wager", "reading", "after_record", "after_card"),
    *("player", "cards", "time", "accepted", "preshuffled"),
    *("backs_away", "batch", "face_up", "requested", "by"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the dealer or floorperson did, for the checks of the procedure.

    `after_record` and `after_card` say where among the records of the history, or the cards of the round, it stands.
    `cards` is how deep a cut was, or how many cards lie behind the cover card; `time` seconds since 1970 in UTC;
    `accepted` whether a cut that was offered was made, `backs_away` whether the stack was held as 633a.5(b) says;
    `preshuffled` whether opened decks came so (603a.16(u), (v)); `batch` which batch was spread, stacked or shuffled;
    `face_up` how it was spread, `requested` whether a player had asked for that; `by` how the cards were shuffled.
    """

    event: str
    position: int | None = None
    hand: int | None = None
    wager: str | None = None
    reading: str | None = None
    after_record: int | None = None
    after_card: int | None = None
    player: str | None = None
    cards: int | None = None
    time: int | None = None
    accepted: bool | None = None
    preshuffled: bool | None = None
    backs_away: bool | None = None
    batch: int | None = None
    face_up: bool | None = None
    requested: bool | None = None
    by: str | None = None


def remembered(read: Callable[[Any, Path], _T]) -> Callable[[Any, Path], _T]:
    """A reader of small objects that keeps its results, because the lines of a record repeat the same objects.

    The result depends only on the object and its types. The place matters only to faults, which are not kept.
    """
    kept: dict[bytes, _T] = {}

    def quick(value: Any, path: Path) -> _T:
        try:
            key = dumps(value, 2)  # tells types apart, and rejects numbers that are not exact
        except ValueError:
            return read(value, path)
        found = kept.get(key)
        if found is None:
            found = read(value, path)
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = found
        return found

    return quick


@remembered
def read_event(value: Any, path: Path) -> Event:
    """Read one event of a file. Fault says what is wrong with it and where."""
    fields = Fields(value, path, _EVENT)
    event = one_of(fields, "event", EVENTS)
    if event is None:
        raise Fault(path, '"event" is missing')
    return Event(
        event,
        integer(fields, "position", 1, 7),
        integer(fields, "hand", 1, 100),
        key_field(fields, "wager"),
        one_of(fields, "reading", READINGS),
        integer(fields, "after_record", 0, 2**32 - 1),
        integer(fields, "after_card", 0, _MOST_CARDS),
        text_field(fields, "player"),
        integer(fields, "cards", 0, _MOST_CARDS),
        _time(fields),
        _flag(fields, "accepted"),
        _flag(fields, "preshuffled"),
        _flag(fields, "backs_away"),
        integer(fields, "batch", 0, _MOST_BATCHES),
        _flag(fields, "face_up"),
        _flag(fields, "requested"),
        one_of(fields, "by", SHUFFLED_BY),
    )


def _time(fields: Fields) -> int | None:
    text = text_field(fields, "time")
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        told = f"{written(text)} is no time; write it as 2026-11-20T21:30:00Z"
        raise Fault((*fields.path, "time"), told) from None


def _flag(fields: Fields, key: str) -> bool | None:
    value = fields.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise Fault((*fields.path, key), f"{written(value)} is neither true nor false")
