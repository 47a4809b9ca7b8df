"""What `verify --table-record` says of two rounds by the rules when one thing in the record is not as it was.

`test_table_worked` holds it against table_worked.txt: the record's first two rounds, then a line for each change of a
field, which is named by its path, and what `verify` says then: verdict, clause and sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, RecordKind, ShoeKind
from shoetool.model.records import Record
from shoetool.rules.submission.rules import RulesSubmission
from table_session import judged, recorded, rules_of, session

TABLES: dict[str, tuple[Game, ShoeKind, int, dict[str, Any]]] = {
    "blackjack": (Game.BLACKJACK, ShoeKind.SINGLE, 6, {"even_money": True}),
    "double shoe": (Game.BLACKJACK, ShoeKind.DOUBLE, 8, {"shoe": "double", "red_side": "A", "surrender": "way_1"}),
    "spanish 21": (Game.SPANISH_21, ShoeKind.SINGLE, 6, {}),
    "switch": (Game.SWITCH, ShoeKind.SINGLE, 6, {}),
    "free bet": (Game.FREE_BET, ShoeKind.SINGLE, 6, {}),
}
ROUNDS = 2
OTHER_WORDS = {
    "stand": "hit",
    "hit": "stand",
    "double": "hit",
    "blackjack": "no_blackjack",
    "no_blackjack": "blackjack",
    "hand": "device",
    "device": "hand",
}

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of each value that holds no others, and of each item of a list."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield (*path, at)
            yield from leaves(one, (*path, at))
    else:
        yield path


def others(value: Any) -> Iterator[Any]:
    """Values that may stand where this one does."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (one for one in (value + 1, value - 1) if one >= 0)
    elif isinstance(value, str) and value.endswith("Z"):
        at = datetime.fromisoformat(value)
        yield from ((at + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ") for hours in (-1, 25))
    elif isinstance(value, str) and value.lstrip("-").replace(".", "").isdigit():
        yield from (f"{float(value) + more:.2f}" for more in (1, -1, 500))
    elif isinstance(value, str) and value in OTHER_WORDS:
        yield OTHER_WORDS[value]


def changes(lines: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(what was done, the lines): each sort of place once, items of lists left out, doubled and exchanged."""
    seen = set()
    for path in leaves(lines):
        sort = tuple("*" if isinstance(step, int) else step for step in path)
        holder: Any = lines
        for step in path[:-1]:
            holder = holder[step]
        value = holder[path[-1]]
        if isinstance(value, dict):
            sort += (value.get("event", ""), value.get("wager", "") if "event" in value else "")
        elif "events" in path and isinstance(holder, dict):
            sort += (holder["event"],)
        if len(path) < 2 or sort in seen or path[-1] == "event":
            continue
        seen.add(sort)
        name = ".".join(map(str, path))

        def changed(what: str, path: Path = path, name: str = name) -> tuple[str, Any, list[dict[str, Any]]]:
            new: Any = deepcopy(lines)
            inner = new
            for step in path[:-1]:
                inner = inner[step]
            return f"{name} {what}", inner, new

        words, inner, new = changed("is missing")
        del inner[path[-1]]
        yield words, new
        if isinstance(path[-1], int):
            words, inner, new = changed("comes twice")
            inner.insert(path[-1], deepcopy(inner[path[-1]]))
            yield words, new
            if path[-1] + 1 < len(holder):
                words, inner, new = changed("comes one later")
                inner.insert(path[-1] + 1, inner.pop(path[-1]))
                yield words, new
        for other in others(value):
            words, inner, new = changed(f"is {other}")
            inner[path[-1]] = other
            yield words, new


def inserted(lines: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(what was done, the lines): one event more in the first round, before the cards, after them, and at the end."""
    seat = next((one for one in lines[0]["positions"] if "side" in one), lines[0]["positions"][0])
    where = {"position": seat["position"]}
    wager = {"wager": next(iter(seat.get("side", {"main": ""})))}
    more: list[dict[str, Any]] = [
        *({"event": name, **where, **one} for name in ("bet_placed", "bet_moved") for one in ({}, wager)),
        *({"event": name, **where} for name in ("even_money_offered", "even_money_paid", "verified", "floorperson")),
        *({"event": "reader_used", "reading": word} for word in ("blackjack", "no_blackjack")),
        *({"event": name, "player": seat["player"]} for name in ("barred", "admitted")),
        *({"event": name} for name in ("insurance_offered", "hole_card_revealed", "bets_closed", "shuffled")),
        *({"event": name} for name in ("reshuffle_ordered", "recut_ordered", "shuffler_failed", "reader_inspected")),
        *({"event": name} for name in ("table_idle", "cards_stacked", "shuffler_out_of_use", "shuffler_covered")),
        *({"event": "cards_spread", "face_up": up, "requested": False} for up in (False, True)),
    ]
    events = lines[0]["events"]
    settled = next(at for at, event in enumerate(events) if event["event"] == "settled")
    for event in more:
        for at in (0, settled, len(events)):
            card = {"after_card": events[at - 1]["after_card"]} if at and "after_card" in events[at - 1] else {}
            changed = deepcopy(lines)
            changed[0]["events"].insert(at, {**event, **card})
            yield f"{at}: {json.dumps(event)} more", changed


def beginning(name: str, rounds: int = ROUNDS) -> tuple[list[Record], list[dict[str, Any]], RulesSubmission]:
    """The first rounds of a session, their lines, and the table's rules."""
    game, kind, decks, options = TABLES[name]
    rules = rules_of(game, decks, **options)
    history = session(game, 21, kind, decks)
    _, lines = recorded(history, rules, 21, whole=True)
    closed = [at for at, record in enumerate(history) if record.kind == RecordKind.ROUND_CLOSED]
    return list(history[: closed[rounds - 1] + 1]), lines[:rounds], rules


def said(history: list[Record], lines: list[dict[str, Any]], rules: RulesSubmission) -> str:
    """What `verify` says, in a line."""
    try:
        report = judged(history, lines, rules)
    except BadInput as error:
        return f"refused: {error}"
    found = [f"{one.verdict} {one.clause} {one.sentence}" for one in report.findings]
    return " / ".join([*found, *(f"[{told.words}]" for told in report.summary.left_out)]) or "nothing"


def answers(name: str) -> Iterator[str]:
    """The record of a table, and what is said to each change of it, and to each kind of record that the shoe lost."""
    history, lines, rules = beginning(name)
    yield f"## {name}"
    for line in lines:
        yield json.dumps(line, ensure_ascii=False)
    for what, changed in changes(lines):
        yield f"{what}: {said(history, changed, rules)}"
    for what, changed in inserted(lines) if name in ("blackjack", "double shoe") else ():
        yield f"{what}: {said(history, changed, rules)}"
    for at in sorted({record.kind: at for at, record in reversed(list(enumerate(history)))}.values()):
        lost = history[:at] + history[at + 1 :]
        yield f"without record {history[at].number} ({history[at].name}): {said(lost, lines, rules)}"
