"""One plain sentence for each record, for a log, a pipe or the live table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import partial
from typing import Final

from shoetool.model.naming import key_name, message_name, player_position
from shoetool.model.naming import many as many
from shoetool.model.protocol_table import (
    FAULTS,
    IRREGULARITYS,
    WORDS,
    Attempt,
    BootCause,
    Clear,
    CountVerdict,
    Finish,
    Firmware,
    HandEnd,
    IrregularityCode,
    Peek,
    Phase,
    Position,
    Provisioned,
    ReaderStep,
    RecordKind,
    Role,
    RoundEnd,
    ShoeKind,
    Signature,
)
from shoetool.model.records import Record
from shoetool.model.times import Zone
from shoetool.report.faces import name
from shoetool.report.heads import calibrated_sentence, margin_sentence
from shoetool.rules.games import game_of_shoe

PLACES: Final[dict[int, str]] = {
    Position.DEALER: "the dealer",
    Position.RACK: "the rack",
    Position.SEGREGATED: "the segregated area",
    Position.TABLE: "the table, held",
    Position.COMMUNITY: "the community cards",
    **{Position.PLAYER_1 + at: f"player position {at + 1}" for at in range(3)},
}
Values = Mapping[str, int | bytes]
SIDES: Final = ("side A", "side B", "the card reader device")


_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def words(kind: type[IntEnum], value: int) -> str:
    """Return an enumeration's value in words. An unknown value is named by its number."""
    try:
        return WORDS.get(kind.__name__, {}).get(value) or kind(value).name.lower().replace("_", " ")
    except ValueError:
        return f"unknown {' '.join(_CAPITAL.split(kind.__name__)).lower()} {value}"


def opening_letter(text: str, upper: bool = True) -> str:
    """Return the text with a capital first letter, or a small one for use after a colon. Other letters stay."""
    return (text[:1].upper() if upper else text[:1].lower()) + text[1:]


def hand_end(why: int) -> str:
    """Return why a hand gets no more cards, as people say it at a table: `stand`, `21`, `bust`..."""
    return words(HandEnd, why)


def game_name(game: int) -> str:
    """Return the name of a game as the regulation writes it."""
    declared = game_of_shoe(game)
    return declared.title if declared is not None else f"game {game}"


def side_name(head: int) -> str:
    """Return `side A`, `side B` or the reader."""
    return SIDES[head] if 0 <= head < len(SIDES) else f"head {head}"


def place(box: int, hand: int = 0) -> str:
    """Return where a card lies: a betting position (and hand, once split), the dealer, the rack..."""
    if 1 <= box <= 7:
        return f"position {box}" + (f" hand {hand + 1}" if hand else "")
    return PLACES.get(box, "nobody")


def irregularity_sentence(code: int, box: int, detail: int = -1) -> str:
    """Return what an irregularity means, with its betting position if it has one; `detail` names a refused key."""
    if code == IrregularityCode.WRONG_KEY and detail >= 0:
        return f'The shoe refused the key "{key_name(detail)}". Nothing changed.'
    entry = IRREGULARITYS.get(code)
    means = str(entry["means"]) if entry else f"Irregularity {code}, which this version of shoetool does not know."
    return f"Position {box}: {opening_letter(means, upper=False)}" if 1 <= box <= 7 else means


def fault_sentence(code: int, head: int | None = None) -> str:
    """Return what a fault means and what to do."""
    entry = FAULTS.get(code)
    if entry is None:
        return f"Fault {code}, which this version of shoetool does not know."
    where = f" ({side_name(head)})" if head is not None and 0 <= head < len(SIDES) else ""
    return f"{str(entry['means']).rstrip('.')}{where}. {entry['act']}"


def _seats(seats: int) -> str:
    boxes = [str(box) for box in range(1, 8) if seats >> (box - 1) & 1]
    return f"wagers on {', '.join(boxes) or 'no position'}"


def _opened(v: Values) -> str:
    box = _n(v, "box")
    what = ("dealer's " if _n(v, "role") == Role.HOLE else "") + words(Role, _n(v, "role"))
    where = "" if box in (Position.DEALER, Position.RACK) else f", {place(box, _n(v, 'hand'))}"
    return f"Record {_n(v, 'sealed')} ({what}{where}) is opened: {name(_n(v, 'card'))}."


def _switch_hand(v: Values) -> str:
    what = "plays its two face-down cards" if _n(v, "switched") else "keeps its face-up cards"
    return f"Position {_n(v, 'box')} {what}."


def _antes(v: Values) -> str:
    boxes = [str(box) for box in range(1, 9) if _n(v, "boxes") >> (box - 1) & 1]
    if not boxes:
        return "No position placed a switch hands ante."
    return f"Position{'s' if len(boxes) > 1 else ''} {', '.join(boxes)} placed a switch hands ante."


def _selected(v: Values) -> str:
    chosen = [(box, player_position(_n(v, "positions"), box)) for box in range(1, 8)]
    told = [f"terminal {box} at {position}" for box, position in chosen if position]
    return f"Player positions: {', '.join(told) or 'none is selected'}."


def _countdown(v: Values) -> str:
    boxes = [str(box) for box in range(1, 8) if _n(v, "boxes") >> (box - 1) & 1]
    return f"The countdown is over without a choice of terminal{'s' if len(boxes) > 1 else ''} {', '.join(boxes)}."


def _round_closed(v: Values) -> str:
    total = _n(v, "dealer_total")
    dealer = f"dealer {total}" if total else "dealer's hand not played"
    return f"Round {_n(v, 'round')} closes: {words(RoundEnd, _n(v, 'outcome'))}, {dealer}."


def _insurance(v: Values) -> str:
    boxes = _n(v, "boxes")
    return f"Insurance was offered and is closed; {_seats(boxes) if boxes else 'nobody insured'}."


def _attempt(v: Values) -> str:
    what = words(Attempt, _n(v, "result"))
    row = f", {many(_n(v, 'failures'), 'wrong key')} in a row" if _n(v, "failures") else ""
    more = f"; {many(_n(v, 'unrecorded'), 'further attempt')} before" if _n(v, "unrecorded") else ""
    return f"Privileged command {message_name(_n(v, 'request'))}: {what}{row}{more}."


def _host_clock(v: Values) -> str:
    wall = Zone("UTC").stamp(_n(v, "wall_s") * 1000 + _n(v, "wall_ms"))
    key = "with" if _n(v, "authenticated") else "without"
    return f"The host's clock showed {wall}, given {key} the command key."


def _signed(v: Values) -> str:
    result = _n(v, "result")
    if result == Signature.SIGNED:
        return f"The history of shoe {_n(v, 'shoe')} was signed with index {_n(v, 'index')}."
    return f"The history of shoe {_n(v, 'shoe')} stays unsigned ({words(Signature, result)})."


class _Number(int):
    """A number of a record; its format in a template says what it is: `{why:Finish}`, `{side:side}`, `{cards:card}`."""

    def __format__(self, form: str) -> str:
        write = _FORMS.get(form)
        return write(self) if write is not None else super().__format__(form)


_KINDS: Final = (
    *(Attempt, BootCause, Clear, CountVerdict, Finish, Firmware, HandEnd, Peek, Phase),
    *(Provisioned, ReaderStep, Role, RoundEnd, ShoeKind),
)
_FORMS: Final[dict[str, Callable[[int], str]]] = {
    **{kind.__name__: partial(words, kind) for kind in _KINDS},
    **{thing: partial(many, thing=thing) for thing in ("card", "deck", "round")},
    "cards were": lambda cards: f"{many(cards, 'card')} {'was' if cards == 1 else 'were'}",
    "face": name,
    "game": game_name,
    "hand": lambda hand: str(hand + 1),
    "place": place,
    "seats": _seats,
    "side": side_name,
    "Side": lambda side: opening_letter(side_name(side)),
}
_SENTENCES: Final[dict[int, str | Callable[[Values], str]]] = {
    RecordKind.BOOT: "The shoe started ({cause:BootCause}), firmware {version}.",
    RecordKind.SHOE_OPENED: "A new history: {game:game}, {decks:deck}, {shoe_kind:ShoeKind} shoe, table {table}.",
    RecordKind.LOADED: "{cards:cards were} loaded on {side:side}.",
    RecordKind.CARRIED: "{side:Side} was not reshuffled and goes on.",
    RecordKind.DEALER_CHANGED: "A new dealer came to the table.",
    RecordKind.ROUND_OPENED: "Round {round} opens; {seats:seats}.",
    RecordKind.CARD: "{card:face} to {place}: {role:Role}, {head:side}.",
    RecordKind.SEALED: f"{name(None)} face down to {{place}}: {{role:Role}}, {{head:side}}.",
    RecordKind.OPENED: _opened,
    RecordKind.MOVED: "The card of record {record} goes to {place}: {role:Role}.",
    RecordKind.COVER_CARD: "The cover card came out of {head:side} ({phase:Phase}); next was {box:place}.",
    RecordKind.SIDE_CHOSEN: "This round is dealt from {side:side}.",
    RecordKind.PEEK: "The card reader device {result:Peek}.",
    RecordKind.INSURANCE: _insurance,
    RecordKind.READER_TEST: "{step:ReaderStep}.",
    RecordKind.HAND_ENDED: "{Place}: {why:HandEnd}.",
    RecordKind.DOUBLED: "{Place} doubles.",
    RecordKind.SPLIT: "{Place} splits into hand {new_hand:hand}.",
    RecordKind.SWITCHED: "Position {box} switches the second cards of its two hands.",
    RecordKind.SWITCH_HAND: _switch_hand,
    RecordKind.ANTES: _antes,
    RecordKind.REVEALED: "The dealer turns the hole card.",
    RecordKind.ROUND_CLOSED: _round_closed,
    RecordKind.FINISHED: "{side:Side} is finished ({why:Finish}) after {cards_out:card}.",
    RecordKind.COUNTED: "Count of {side:side}: {verdict:CountVerdict}, {seen} seen of {expected} expected.",
    RecordKind.IRREGULARITY: lambda v: irregularity_sentence(_n(v, "code"), _n(v, "box"), _n(v, "detail")),
    RecordKind.FAULT: lambda v: f"FAULT: {fault_sentence(_n(v, 'code'), _n(v, 'head'))}",
    RecordKind.CLEARED: lambda v: (
        f"Fault cleared ({words(Clear, _n(v, 'how'))}): {FAULTS.get(_n(v, 'code'), {}).get('means', '?')}"
    ),
    RecordKind.CONFIGURED: "A configuration was written (CRC {crc:08x}).",
    RecordKind.SELF_TEST: lambda v: f"Self-test: {'failed' if _n(v, 'result') else 'passed'}.",
    RecordKind.SHOE_CLOSED: "The history ends ({why:Finish}): {rounds:round}, {cards:card}.",
    RecordKind.COUNT_STARTED: lambda v: (
        f"{'A test deal' if _n(v, 'test') else 'A count'} of {side_name(_n(v, 'side'))} begins; "
        "the side is out of play until it is loaded again."
    ),
    RecordKind.SELECTED: _selected,
    RecordKind.HIT: "{Place} takes the next community card.",
    RecordKind.COUNTDOWN: _countdown,
    RecordKind.SEATS: "Seats: {seats:seats}.",
    RecordKind.SIGNING_KEY: "A signing key of height {height} was made (identifier {key}).",
    RecordKind.SIGNED: _signed,
    RecordKind.ATTEMPT: _attempt,
    RecordKind.HOST_CLOCK: _host_clock,
    RecordKind.CALIBRATED: lambda v: calibrated_sentence(_head(v), _n(v, "before")),
    RecordKind.MARGIN: lambda v: margin_sentence(_head(v), _n(v, "why"), _n(v, "margin")),
    RecordKind.PROVISIONED: "{why:Provisioned} (fingerprint {fingerprint}).",
    RecordKind.UPDATE_ANNOUNCED: "Firmware {version} was announced, SHA-256 {digest}.",
    RecordKind.FIRMWARE: "The firmware's files are {result:Firmware}, SHA-256 {digest}.",
    RecordKind.REFILLED: "{cards:cards were} shuffled back into {side:side}.",
}
"""A template with the fields of the record, or what writes the sentence. `place`, `Place`: where the card lies."""


def sentence(record: Record) -> str:
    """Return one line for a record. It never shows the face of a face-down card, nor the counts of a carried side."""
    write = _SENTENCES.get(record.kind)
    if write is None:
        return f"Record of kind {record.kind}, which this version of shoetool does not know."
    values = record.fields()
    if callable(write):
        return write(values)
    shown = {key: _Number(value) if isinstance(value, int) else value.hex() for key, value in values.items()}
    if isinstance(version := values.get("version"), bytes):
        shown["version"] = ".".join(map(str, version))
    if "box" in values:
        where = place(_n(values, "box"), _n(values, "hand") if "hand" in values else 0)
        shown |= {"place": where, "Place": opening_letter(where)}
    return opening_letter(write.format_map(shown))


def _head(v: Values) -> str:
    return opening_letter(side_name(_n(v, "head")))


def _n(v: Values, key: str) -> int:
    value = v[key]
    return value if isinstance(value, int) else int.from_bytes(value, "little")
