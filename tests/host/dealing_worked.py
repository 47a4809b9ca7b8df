"""Worked examples: inputs in words, and all that the table answers. `test_dealing_worked` plays them.

A line that begins with `>` is an input; behind its bar stand the phase and the lamps that follow, and ! says that a key
was refused. The lines under it are its events, in their order and with every field. Lines that begin with `=` are what
`verify` finds in the history: check, verdict, clause, round, records, cards, sentence. `answers` writes all of it, for
whoever adds an example or changes what the table says: print it, and read it against the clause.
"""

import json

from dealing_history import history
from dealing_table import UNKNOWN, Table
from shoe import wire_table as t
from shoetool.verify import verify

_RANKS = "A23456789TJQK"
_SUITS = "cdhs"


def _names(prefix):
    return {getattr(t, name): name[len(prefix) :].lower() for name in dir(t) if name.startswith(prefix)}


_KINDS, _PHASES, _LAMPS = _names("REC_"), _names("PHASE_"), _names("LAMP_")
_KEYS = {name: key for key, name in _names("KEY_").items()}
_PASSES = {name: kind for kind, name in _names("PASS_").items()}
_REASONS = {name: reason for reason, name in _names("UNREADABLE_").items()}
_PLACES = {0: "dealer", 12: "table", 13: "segregated", 14: "rack", 15: "none"}
# The first field of these events is a name; those behind it are numbers, cards and places.
_FIRST = {
    t.REC_CARD: _names("ROLE_"),
    t.REC_SEALED: _names("ROLE_"),
    t.REC_IRREGULARITY: _names("IRR_"),
    t.REC_FAULT: _names("FAULT_"),
    t.REC_CLEARED: _names("FAULT_"),
    t.REC_PEEK: _names("PEEK_"),
    t.REC_READER_TEST: _names("READER_STEP_"),
    t.REC_SHOE_CLOSED: _names("FINISH_"),
}
_ROLES = {t.REC_OPENED: 2, t.REC_MOVED: 2}
_BOXES = {t.REC_CARD: 2, t.REC_SEALED: 2, t.REC_IRREGULARITY: 2, t.REC_OPENED: 3, t.REC_MOVED: 3, t.REC_COVER_CARD: 3}
_FACES = {t.REC_CARD: 5, t.REC_SEALED: 5, t.REC_OPENED: 5}
_LAST = {
    t.REC_HAND_ENDED: (3, _names("HAND_END_")),
    t.REC_FINISHED: (2, _names("FINISH_")),
    t.REC_COUNTED: (2, _names("COUNT_VERDICT_")),
    t.REC_ROUND_CLOSED: (2, _names("ROUND_END_")),
    t.REC_COVER_CARD: (2, _PHASES),
    t.REC_CLEARED: (2, _names("CLEAR_")),
}


def card_of(word):
    """8s is the eight of spades; ? is a card that nobody could read, cover and T1 to T4 are what they are."""
    if word == "?":
        return UNKNOWN
    if word == "cover":
        return 52
    if word[0] == "T" and word[1] in "1234":
        return 52 + int(word[1])
    return _SUITS.index(word[1]) * 13 + _RANKS.index(word[0])


def _face(card):
    return _RANKS[card % 13] + _SUITS[card // 13] if card < 52 else "cover" if card == 52 else f"T{card - 52}"


def told(event):
    """An event in words."""
    kind = event[0]
    words = [_KINDS[kind]]
    for at in range(1, len(event)):
        value = event[at]
        if at == 1 and kind in _FIRST:
            value = _FIRST[kind][value]
        elif _ROLES.get(kind) == at:
            value = _FIRST[t.REC_CARD][value]
        elif _BOXES.get(kind) == at:
            value = _PLACES.get(value, value)
        elif _FACES.get(kind) == at:
            value = "?" if value == UNKNOWN else _face(value)
        elif _LAST.get(kind, (0,))[0] == at:
            value = _LAST[kind][1][value]
        elif isinstance(value, bytes):
            value = "".join(f"{byte:02x}" for byte in value)
        words.append(str(value))
    return " ".join(words)


def press(table, words):
    """Do what an input says; False when a key was refused."""
    what, rest = words[0], words[1:]
    if what in _PASSES and what not in ("card", "cover_card"):
        # head, reason or card, batch
        head = int(rest[0]) if rest else 0
        reason = _REASONS.get(rest[1], 0) if len(rest) > 1 else 0
        face = card_of(rest[1]) if len(rest) > 1 and rest[1] not in _REASONS else UNKNOWN
        table.send(_PASSES[what], face, head, int(rest[2]) if len(rest) > 2 else -1, reason)
    elif what == "card":
        for face in rest:
            side, _, word = face.rpartition("/")  # b/8s comes from side B
            table.draw(card_of(word), head=int(side == "b"))
    elif what == "cover":
        table.cover(int(rest[0]) if rest else 0)
    elif what == "peek":
        table.peek(card_of(rest[0]))
    elif what == "fault":  # of the application
        event = (t.REC_FAULT, getattr(t, "FAULT_" + rest[0].upper()), 0, 0)
        table.dealing.apply(event)
        table._take([event])
    else:
        return table.key(_KEYS[what], int(rest[0]) if rest else 0)
    return True


def answers(settings, inputs):
    """All that a table with these settings says to the inputs, in words."""
    table = Table(settings, 1)
    out = []
    for line in inputs:
        before = len(table.records)
        accepted = press(table, line.split())
        lamps = [_LAMPS[lamp] for lamp in range(len(_LAMPS)) if table.lamp(lamp)]
        out.append("> {} | {}{}".format(line, " ".join([_PHASES[table.phase], *lamps]), "" if accepted else " !"))
        out += [f"{number} {told(event)}" for number, event in table.records[before:]]
    return table, out + findings(table)


def findings(table):
    """What `verify` finds in the table's history, alike ones in one line."""
    report = verify(history(table))
    found = {}
    for one in report.findings:
        words = (one.check, one.verdict, one.clause, one.round, one.sentence)
        found.setdefault(words, []).append(f"{list(one.records)} {list(one.cards)}")
    told = {name: value for name, value in report.summary.to_json().items() if value}
    return [
        *(
            f"= {check} | {verdict} | {clause} | round {number} | {' '.join(records)} | {sentence}"
            for (check, verdict, clause, number, sentence), records in found.items()
        ),
        f"= {report.headline()} {json.dumps(told)}",
    ]


def inputs_of(text):
    """The inputs in a worked example."""
    return [line.strip()[2:].split(" | ")[0] for line in text.split("\n") if line.strip().startswith(">")]
