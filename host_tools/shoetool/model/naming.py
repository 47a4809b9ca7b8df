"""The names of the numbers in records, for every JSON document: cards, roles, positions, sides, reasons, settings.

They are all in this one place, so that a thing has the same name everywhere. A value that this version does not know is
named by its number, such as `role_99`: a newer firmware must not stop an older reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import Any, Final

from .cards import UNKNOWN, card_name
from .protocol_table import (
    FAULTS,
    IRREGULARITYS,
    MESSAGES,
    Attempt,
    BootCause,
    Clear,
    Color,
    CountVerdict,
    FaultCode,
    Finish,
    Firmware,
    Game,
    HandEnd,
    Head,
    IrregularityCode,
    Key,
    Margin,
    Peek,
    Phase,
    Position,
    Provisioned,
    ReaderStep,
    Role,
    RoundEnd,
    SelfTest,
    ShoeKind,
    Signature,
)

Value = int | bytes

SETTING_ENUMS: Final[dict[str, type[IntEnum]]] = {"game": Game, "shoe_kind": ShoeKind, "side_a_color": Color}
_ENUMS: Final[dict[str, type[IntEnum]]] = {
    "role": Role,
    "phase": Phase,
    "cause": BootCause,
    "outcome": RoundEnd,
    "verdict": CountVerdict,
    "how": Clear,
}
# Fields whose numbers have another meaning in each kind of record.
_ENUMS_OF_KIND: Final[dict[tuple[str, str], type[IntEnum]]] = {
    **{("shoe_opened", name): kind for name, kind in SETTING_ENUMS.items()},
    ("hand_ended", "why"): HandEnd,
    ("finished", "why"): Finish,
    ("shoe_closed", "why"): Finish,
    ("peek", "result"): Peek,
    ("reader_test", "step"): ReaderStep,
    ("irregularity", "code"): IrregularityCode,
    ("fault", "code"): FaultCode,
    ("cleared", "code"): FaultCode,
    ("signed", "result"): Signature,
    ("attempt", "result"): Attempt,
    ("provisioned", "why"): Provisioned,
    ("firmware", "result"): Firmware,
    ("margin", "why"): Margin,
}
_MOST_RUNS: Final = 8
VIRTUAL_BOARD: Final = "virtual"
"""How the virtual board names itself. Its time is that of its simulation."""
OPTION_BITS: Final = {
    "face_down_double": 0,
    "continuous_shuffler": 1,
    "new_dealer_burns": 2,
    "two_batches": 3,
    "overwrite_unfetched": 4,
    "card_reader": 6,
    "switch_hands": 7,
    "switch_hands_last": 8,
    "blackjack_premium": 9,
    "extra_card": 10,
}
DRAWS_TO: Final = "draws_to_"
"""Before a count of 1 to 20: without a hole card, a hand without a choice draws up to it, 633c.5(z)."""
DRAWS_TO_BIT: Final = 11
"""The bits of `options` from here on are that count, 0 for a hand that stands."""
MOST_DRAWS_TO: Final = 20
# A bit only of `shoe_opened.options`, not a setting: no burn card is due (633a.7(c) with .5(h)).
NO_BURN_OWED_BIT: Final = 5
_SIDES: Final[dict[int, str]] = {Head.SIDE_A: "A", Head.SIDE_B: "B", Head.READER: "reader"}


def enum_name(kind: type[IntEnum], value: int) -> str:
    """Return the lower-case name of an enumeration's value. An unknown value is named such as `role_99`."""
    try:
        return kind(value).name.lower()
    except ValueError:
        return f"{kind.__name__.lower()}_{value}"


def side_letter(head: int) -> str | None:
    """Return `A`, `B`, or `reader` for the card reader device; None for no head."""
    return _SIDES.get(head)


def position_name(box: int) -> int | str:
    """Return a betting position's number 1..7, else `dealer`, `rack`, `segregated`, `table` or `none`."""
    return box if 1 <= box <= 7 else enum_name(Position, box)


def player_position(selected: int, box: int) -> int:
    """The player position of 1 to 3 that a terminal selected, 0 for none: two bits for each terminal, 633c.5(l)."""
    return selected >> 2 * box - 2 & 3


def option_names(bits: int) -> list[str]:
    """Return the options whose bits are set; a count to which a hand draws is one of them."""
    names = {**{bit: name for name, bit in OPTION_BITS.items()}, NO_BURN_OWED_BIT: "no_burn_owed"}
    count = bits >> DRAWS_TO_BIT
    known = bits & (1 << DRAWS_TO_BIT) - 1 if count <= MOST_DRAWS_TO else bits
    found = [names.get(bit, f"bit_{bit}") for bit in range(known.bit_length()) if known >> bit & 1]
    return [*found, f"{DRAWS_TO}{count}"] if known != bits else found


def setting_value(name: str, value: int) -> int | str | list[str]:
    """Return a setting as JSON documents show it: a word, a list of options, or the number itself."""
    if name in SETTING_ENUMS:
        return enum_name(SETTING_ENUMS[name], value)
    return option_names(value) if name == "options" else value


def key_name(key: int) -> str:
    """Return a key as people read it: `next hand`; a key that this version does not know as `unknown (99)`."""
    return Key(key).name.lower().replace("_", " ") if key in set(Key) else f"unknown ({key})"


def irregularity_name(code: int) -> str:
    """Name of an irregularity's code."""
    return str(IRREGULARITYS[code]["name"]) if code in IRREGULARITYS else f"irregularity_{code}"


def fault_name(code: int) -> str:
    """Name of a fault's code."""
    return str(FAULTS[code]["name"]) if code in FAULTS else f"fault_{code}"


def message_name(kind: int) -> str:
    """Name of a message's kind."""
    return str(MESSAGES[kind]["name"]) if kind in MESSAGES else f"message_{kind}"


def _seats(mask: int) -> list[int]:
    return [box for box in range(1, 8) if mask >> (box - 1) & 1]


def enumeration(kind: str, field: str) -> type[IntEnum] | None:
    """Return the enumeration of a record's field, such as HandEnd for `why` of `hand_ended`; None if it has none.

    A field `box` is not told here: it holds 1..7 besides the values of Position.
    """
    return _ENUMS_OF_KIND.get((kind, field)) or _ENUMS.get(field)


def _failed(bits: int) -> list[str]:
    return [enum_name(SelfTest, bit) for bit in range(bits.bit_length()) if bits >> bit & 1]


# The name of a field, and how its number is named, for every kind of record.
_FIELDS: Final[dict[str, tuple[str, Callable[[int], Any]]]] = {
    "card": ("card", card_name),
    "first_card": ("first_card", lambda card: None if card == UNKNOWN else card_name(card)),
    "box": ("position", position_name),
    "head": ("side", side_letter),
    "side": ("side", side_letter),
    "seats": ("seats", _seats),
    "failed": ("failed", _failed),
    "test": ("test", bool),
    # `moved.record` would hide the record's own number.
    "record": ("of_record", int),
}
# The same for fields that mean something else in each kind of record.
_OF_KIND: Final[dict[tuple[str, str], Callable[[int], Any]]] = {
    ("insurance", "boxes"): _seats,
    ("antes", "boxes"): _seats,
    ("countdown", "boxes"): _seats,
    ("selected", "positions"): lambda bits: [player_position(bits, box) for box in range(1, 8)],
    ("switch_hand", "switched"): bool,
    ("self_test", "result"): lambda result: "failed" if result else "passed",
    ("irregularity", "code"): irregularity_name,
    ("fault", "code"): fault_name,
    ("cleared", "code"): fault_name,
    ("attempt", "request"): message_name,
    ("margin", "margin"): lambda margin: None if margin == 255 else margin,
    ("calibrated", "before"): lambda margin: None if margin == 255 else margin,
    ("calibrated", "margin"): lambda margin: None if margin == 255 else margin,
}


def named_fields(kind: str, fields: Mapping[str, Value]) -> dict[str, Any]:
    """Return the fields of a record of this kind with JSON types only. Bytes but versions become hexadecimal text."""
    out: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, bytes):
            out[name] = ".".join(map(str, value)) if name == "version" else value.hex()
        elif (kind, name) in _OF_KIND:
            out[name] = _OF_KIND[kind, name](value)
        elif (meaning := enumeration(kind, name)) is not None:
            out[name] = enum_name(meaning, value)
        elif name in _FIELDS:
            key, call = _FIELDS[name]
            out[key] = call(value)
        elif (kind, name) == ("shoe_opened", "options"):
            out[name] = option_names(value)
        else:
            out[name] = value
    return out


def many(number: int, thing: str) -> str:
    """Return `1 page`, `2 pages`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def numbers_there(thing: str, numbers: Iterable[int]) -> str:
    """Return which numbers there are: `it has rounds 1 to 15, 17`; of very many gaps the first ones and the last."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    if not runs:
        return f"it has no {thing}"
    named = [str(first) if first == last else f"{first} to {last}" for first, last in runs]
    if len(named) > _MOST_RUNS:
        named[_MOST_RUNS - 1 :] = [f"... up to {runs[-1][1]}"]
    return f"it has {thing}{'s' if runs[0][0] != runs[-1][1] else ''} {', '.join(named)}"
