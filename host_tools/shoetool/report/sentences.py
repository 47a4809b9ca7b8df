"""One plain sentence for each record, for a log, a pipe or the live table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final

from shoetool.model.naming import key_name, message_name
from shoetool.model.naming import many as many
from shoetool.model.protocol_table import (
    FAULTS,
    IRREGULARITYS,
    Attempt,
    BootCause,
    Clear,
    CountVerdict,
    Finish,
    Firmware,
    Game,
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
from shoetool.report.faces import name
from shoetool.report.heads import calibrated_sentence, margin_sentence

PLACES: Final[dict[int, str]] = {
    Position.DEALER: "the dealer",
    Position.RACK: "the rack",
    Position.SEGREGATED: "the segregated area",
    Position.TABLE: "the table, held",
}
Values = Mapping[str, int | bytes]

GAMES: Final = {
    Game.BLACKJACK: "Blackjack",
    Game.FREE_BET: "Free Bet Blackjack",
    Game.SPANISH_21: "Spanish 21",
    Game.SWITCH: "Blackjack Switch",
    Game.FROM_THE_HAND: "Blackjack from the hand",
}
SIDES: Final = ("side A", "side B", "the card reader device")
ROLES: Final = {
    Role.OPENING: "opening deal",
    Role.DEALER_UP: "up card",
    Role.HOLE: "hole card",
    Role.DRAW: "draw",
    Role.DOUBLE_DRAW: "double",
    Role.SPLIT_SECOND: "second card of a split hand",
    Role.DEALER_DRAW: "dealer's draw",
    Role.BURN: "burn card",
    Role.DETERMINANT_FIRST: "determinant card, the first card of its player",
    Role.DETERMINANT_ASIDE: "determinant card, segregated",
    Role.LATE: "late card",
    Role.HELD: "drawn in error",
    Role.DISCARDED: "discarded unused",
    Role.STOPPED: "drawn while the game was stopped",
    Role.COUNTED: "counted",
    Role.SWITCH_HAND: "switch hands card",
}


def words(kind: type[IntEnum], value: int) -> str:
    """Return an enumeration's value in words. An unknown value is shown as its number."""
    try:
        return kind(value).name.lower().replace("_", " ")
    except ValueError:
        return f"{kind.__name__.lower()} {value}"


def opening_letter(text: str, upper: bool = True) -> str:
    """Return the text with a capital first letter, or a small one for use after a colon. Other letters stay."""
    return (text[:1].upper() if upper else text[:1].lower()) + text[1:]


def hand_end(why: int) -> str:
    """Return why a hand gets no more cards, as people say it at a table: `stand`, `21`, `bust`..."""
    return "21" if why == HandEnd.TWENTY_ONE else words(HandEnd, why)


def game_name(game: int) -> str:
    """Return the name of a game as the regulation writes it."""
    return GAMES[Game(game)] if game in set(Game) else f"game {game}"


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


def _boot(v: Values) -> str:
    version = v["version"]
    number = ".".join(str(byte) for byte in version) if isinstance(version, bytes) else "?"
    return f"The shoe started ({words(BootCause, _n(v, 'cause'))}), firmware {number}."


def _shoe_opened(v: Values) -> str:
    kind = words(ShoeKind, _n(v, "shoe_kind"))
    decks = many(_n(v, "decks"), "deck")
    return f"A new history: {game_name(_n(v, 'game'))}, {decks}, {kind} shoe, table {_n(v, 'table')}."


def _cards_were(v: Values) -> str:
    cards = _n(v, "cards")
    return f"{many(cards, 'card')} {'was' if cards == 1 else 'were'}"


def _carried(v: Values) -> str:
    return f"{opening_letter(side_name(_n(v, 'side')))} was not reshuffled and goes on."


def _seats(seats: int) -> str:
    boxes = [str(box) for box in range(1, 8) if seats >> (box - 1) & 1]
    return f"wagers on {', '.join(boxes) or 'no position'}"


def _round_opened(v: Values) -> str:
    return f"Round {_n(v, 'round')} opens; {_seats(_n(v, 'seats'))}."


def _count_started(v: Values) -> str:
    what = "A test deal" if _n(v, "test") else "A count"
    return f"{what} of {side_name(_n(v, 'side'))} begins; the side is out of play until it is loaded again."


def _card(v: Values) -> str:
    return f"{name(_n(v, 'card'))} to {place(_n(v, 'box'), _n(v, 'hand'))}: {_role(v)}, {side_name(_n(v, 'head'))}."


def _sealed(v: Values) -> str:
    back = name(None)
    return f"{back} face down to {place(_n(v, 'box'), _n(v, 'hand'))}: {_role(v)}, {side_name(_n(v, 'head'))}."


def _opened(v: Values) -> str:
    box = _n(v, "box")
    what = f"dealer's {_role(v)}" if _n(v, "role") == Role.HOLE else _role(v)
    where = "" if box in (Position.DEALER, Position.RACK) else f", {place(box, _n(v, 'hand'))}"
    return f"Record {_n(v, 'sealed')} ({what}{where}) is opened: {name(_n(v, 'card'))}."


def _moved(v: Values) -> str:
    where = place(_n(v, "box"), _n(v, "hand"))
    return f"The card of record {_n(v, 'record')} goes to {where}: {_role(v)}."


def _cover_card(v: Values) -> str:
    due = place(_n(v, "box"))
    return f"The cover card came out of {side_name(_n(v, 'head'))} ({words(Phase, _n(v, 'phase'))}); next was {due}."


def _switch_hand(v: Values) -> str:
    what = "plays its two face-down cards" if _n(v, "switched") else "keeps its face-up cards"
    return f"Position {_n(v, 'box')} {what}."


def _antes(v: Values) -> str:
    boxes = [str(box) for box in range(1, 9) if _n(v, "boxes") >> (box - 1) & 1]
    if not boxes:
        return "No position placed a switch hands ante."
    return f"Position{'s' if len(boxes) > 1 else ''} {', '.join(boxes)} placed a switch hands ante."


def _hand_ended(v: Values) -> str:
    return f"{opening_letter(place(_n(v, 'box'), _n(v, 'hand')))}: {hand_end(_n(v, 'why'))}."


def _split(v: Values) -> str:
    return f"{opening_letter(place(_n(v, 'box'), _n(v, 'hand')))} splits into hand {_n(v, 'new_hand') + 1}."


def _round_closed(v: Values) -> str:
    total = _n(v, "dealer_total")
    dealer = f"dealer {total}" if total else "dealer's hand not played"
    return f"Round {_n(v, 'round')} closes: {words(RoundEnd, _n(v, 'outcome'))}, {dealer}."


def _finished(v: Values) -> str:
    why = words(Finish, _n(v, "why"))
    return f"{opening_letter(side_name(_n(v, 'side')))} is finished ({why}) after {many(_n(v, 'cards_out'), 'card')}."


def _counted(v: Values) -> str:
    verdict = words(CountVerdict, _n(v, "verdict"))
    return f"Count of {side_name(_n(v, 'side'))}: {verdict}, {_n(v, 'seen')} seen of {_n(v, 'expected')} expected."


def _shoe_closed(v: Values) -> str:
    why = words(Finish, _n(v, "why"))
    return f"The history ends ({why}): {many(_n(v, 'rounds'), 'round')}, {many(_n(v, 'cards'), 'card')}."


ATTEMPTS: Final = {
    Attempt.ACCEPTED: "with the command key",
    Attempt.WRONG_KEY: "REFUSED, wrong key",
    Attempt.NO_CHALLENGE: "REFUSED, no challenge in force",
    Attempt.EXPIRED: "REFUSED, the challenge had expired",
    Attempt.WITHOUT_KEY: "REFUSED, without the command key",
    Attempt.TOO_EARLY: "REFUSED, too soon after a wrong key",
}
PROVISIONED: Final = {
    Provisioned.MADE: "The shoe was provisioned",
    Provisioned.RENEWED: "The command key was replaced",
    Provisioned.IN_FORCE: "Commands need the key",
}
FIRMWARES: Final = {
    Firmware.RECORDED: "noted",
    Firmware.AS_ANNOUNCED: "as announced",
    Firmware.NOT_ANNOUNCED: "NOT what was announced",
}


PEEKS: Final = {
    Peek.NO_BLACKJACK: "says: no Blackjack",
    Peek.BLACKJACK: "says: Blackjack",
    Peek.READ_AGAIN: "could not read the card: read again",
    Peek.REFUSED: "refuses and shows nothing",
}
READER_STEPS: Final = {
    ReaderStep.BEGUN: "Inspection of the card reader device begins: no sign of tampering",
    ReaderStep.CARD_1: "Inspection of the card reader device: test card T1 read",
    ReaderStep.CARD_2: "Inspection of the card reader device: test card T2 read",
    ReaderStep.CARD_3: "Inspection of the card reader device: test card T3 read",
    ReaderStep.CARD_4: "Inspection of the card reader device: test card T4 read",
    ReaderStep.PASSED: "The card reader device passed its inspection",
    ReaderStep.FAILED: "The card reader device FAILED its inspection",
    ReaderStep.AGAIN: "Inspection of the card reader device: not the test card that was due, once more",
    ReaderStep.CARRIED: "The card reader device was inspected earlier on this gaming day",
}


def _peek(v: Values) -> str:
    result = _n(v, "result")
    return f"The card reader device {PEEKS[Peek(result)] if result in set(Peek) else f'gives answer {result}'}."


def _insurance(v: Values) -> str:
    boxes = _n(v, "boxes")
    return f"Insurance was offered and is closed; {_seats(boxes) if boxes else 'nobody insured'}."


def _reader_test(v: Values) -> str:
    step = _n(v, "step")
    return f"{READER_STEPS[ReaderStep(step)] if step in set(ReaderStep) else f'Reader inspection, step {step}'}."


def _attempt(v: Values) -> str:
    result = _n(v, "result")
    what = ATTEMPTS[Attempt(result)] if result in set(Attempt) else f"result {result}"
    row = f", {many(_n(v, 'failures'), 'wrong key')} in a row" if _n(v, "failures") else ""
    more = f"; {many(_n(v, 'unrecorded'), 'further attempt')} before" if _n(v, "unrecorded") else ""
    return f"Privileged command {message_name(_n(v, 'request'))}: {what}{row}{more}."


def _provisioned(v: Values) -> str:
    why = _n(v, "why")
    what = PROVISIONED[Provisioned(why)] if why in set(Provisioned) else f"Provisioning {why}"
    return f"{what} (fingerprint {_hex(v, 'fingerprint')})."


def _announced(v: Values) -> str:
    version = v["version"]
    number = ".".join(map(str, version)) if isinstance(version, bytes) else "?"
    return f"Firmware {number} was announced, SHA-256 {_hex(v, 'digest')}."


def _firmware(v: Values) -> str:
    result = _n(v, "result")
    what = FIRMWARES[Firmware(result)] if result in set(Firmware) else f"result {result}"
    return f"The firmware's files are {what}, SHA-256 {_hex(v, 'digest')}."


def _signing_key(v: Values) -> str:
    return f"A signing key of height {_n(v, 'height')} was made (identifier {_hex(v, 'key')})."


def _signed(v: Values) -> str:
    result = _n(v, "result")
    if result == Signature.SIGNED:
        return f"The history of shoe {_n(v, 'shoe')} was signed with index {_n(v, 'index')}."
    why = words(Signature, result) if result in set(Signature) else f"result {result}"
    return f"The history of shoe {_n(v, 'shoe')} stays unsigned ({why})."


_SENTENCES: Final[dict[int, Callable[[Values], str]]] = {
    RecordKind.BOOT: _boot,
    RecordKind.SHOE_OPENED: _shoe_opened,
    RecordKind.LOADED: lambda v: f"{_cards_were(v)} loaded on {side_name(_n(v, 'side'))}.",
    RecordKind.CARRIED: _carried,
    RecordKind.DEALER_CHANGED: lambda v: "A new dealer came to the table.",
    RecordKind.ROUND_OPENED: _round_opened,
    RecordKind.CARD: _card,
    RecordKind.SEALED: _sealed,
    RecordKind.OPENED: _opened,
    RecordKind.MOVED: _moved,
    RecordKind.COVER_CARD: _cover_card,
    RecordKind.SIDE_CHOSEN: lambda v: f"This round is dealt from {side_name(_n(v, 'side'))}.",
    RecordKind.PEEK: _peek,
    RecordKind.INSURANCE: _insurance,
    RecordKind.READER_TEST: _reader_test,
    RecordKind.HAND_ENDED: _hand_ended,
    RecordKind.DOUBLED: lambda v: f"{opening_letter(place(_n(v, 'box'), _n(v, 'hand')))} doubles.",
    RecordKind.SPLIT: _split,
    RecordKind.SWITCHED: lambda v: f"Position {_n(v, 'box')} switches the second cards of its two hands.",
    RecordKind.SWITCH_HAND: _switch_hand,
    RecordKind.ANTES: _antes,
    RecordKind.REVEALED: lambda v: "The dealer turns the hole card.",
    RecordKind.ROUND_CLOSED: _round_closed,
    RecordKind.FINISHED: _finished,
    RecordKind.COUNTED: _counted,
    RecordKind.IRREGULARITY: lambda v: irregularity_sentence(_n(v, "code"), _n(v, "box"), _n(v, "detail")),
    RecordKind.FAULT: lambda v: f"FAULT: {fault_sentence(_n(v, 'code'), _n(v, 'head'))}",
    RecordKind.CLEARED: lambda v: (
        f"Fault cleared ({words(Clear, _n(v, 'how'))}): {FAULTS.get(_n(v, 'code'), {}).get('means', '?')}"
    ),
    RecordKind.CONFIGURED: lambda v: f"A configuration was written (CRC {_n(v, 'crc'):08x}).",
    RecordKind.SELF_TEST: lambda v: f"Self-test: {'failed' if _n(v, 'result') else 'passed'}.",
    RecordKind.SHOE_CLOSED: _shoe_closed,
    RecordKind.COUNT_STARTED: _count_started,
    RecordKind.SEATS: lambda v: f"Seats: {_seats(_n(v, 'seats'))}.",
    RecordKind.SIGNING_KEY: _signing_key,
    RecordKind.SIGNED: _signed,
    RecordKind.ATTEMPT: _attempt,
    RecordKind.CALIBRATED: lambda v: calibrated_sentence(_head(v), _n(v, "before")),
    RecordKind.MARGIN: lambda v: margin_sentence(_head(v), _n(v, "why"), _n(v, "margin")),
    RecordKind.PROVISIONED: _provisioned,
    RecordKind.UPDATE_ANNOUNCED: _announced,
    RecordKind.FIRMWARE: _firmware,
    RecordKind.REFILLED: lambda v: f"{_cards_were(v)} shuffled back into {side_name(_n(v, 'side'))}.",
}


def sentence(record: Record) -> str:
    """Return one line for a record. It never shows the face of a face-down card, nor the counts of a carried side."""
    write = _SENTENCES.get(record.kind)
    if write is None:
        return f"Record of kind {record.kind}, which this version of shoetool does not know."
    return write(record.fields())


def _role(v: Values) -> str:
    role = _n(v, "role")
    return ROLES[Role(role)] if role in set(Role) else f"role {role}"


def _head(v: Values) -> str:
    return opening_letter(side_name(_n(v, "head")))


def _n(v: Values, key: str) -> int:
    value = v[key]
    return value if isinstance(value, int) else int.from_bytes(value, "little")


def _hex(v: Values, key: str) -> str:
    value = v[key]
    return value.hex() if isinstance(value, bytes) else f"{value:x}"
