"""Irregularities of a round: which cards are set aside, which hands miss cards, what voids the round.

633a.14, 590.13, 635a.13. An irregularity of a hand in its turn (a refused card, a missed card) is a decision:
`decide_irregular.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shoetool.deal.inputs import IN_A_DOUBT, OF_A_CARD, Irregularity
from shoetool.deal.state import PlayPhase, PlayState
from shoetool.model.cards import card_name, is_ten
from shoetool.model.protocol_table import HandEnd, RoundEnd
from shoetool.rules.rule_error import RuleError
from shoetool.table.actions import RoundClosed
from shoetool.table.fold import take
from shoetool.table.hand import SWITCH_HAND


def take_note(state: PlayState, irregularities: Sequence[Irregularity]) -> None:
    """Check the irregularities against the game and the drawn cards, and keep those that change what is dealt."""
    state.irregular = tuple(irregularities)
    for note in irregularities:
        clause = clause_of(state, note)
        if not clause:
            text = f"{note.kind}: no clause of {state.game.title} knows this irregularity"
            raise RuleError(f"{state.game.chapter}.{_SECTION[state.game.chapter]}", text)
        choices = IN_A_DOUBT.get(note.kind)
        if note.choice and (choices is None or note.choice not in choices):
            text = f"{note.kind}: {note.choice!r} is not a choice here; there is {' or '.join(choices or ('none',))}"
            raise RuleError(clause, text)
        if note.kind in OF_A_CARD:
            _verify_card(state, note, clause)
            assert note.at is not None
            state.aside[note.at] = note
        elif note.kind in {"no_cards", "one_card"}:
            box = state.by_position.get(note.position or 0)
            aside = box is not None and box.ante > 0 and note.hand == SWITCH_HAND
            if box is None or not (aside or 0 <= note.hand < state.game.deal.hands):
                raise RuleError(clause, f"{note.kind}: no hand {note.hand} at position {note.position}")
            if note.missed not in (1, 2):
                raise RuleError(clause, f"{note.kind}: pass {note.missed}; the opening deal has passes 1 and 2")
        elif note.kind == "wrong_side" and state.submission.shoe != "double":
            raise RuleError(clause, "wrong side: the table has no double shoe")


_SECTION = {"633a": "14", "590": "13", "635a": "13"}


def clause_of(state: PlayState, note: Irregularity) -> str:
    """Return the clause that says what follows from the irregularity; "" when this game has none."""
    c = state.clauses
    found = {
        "face_up": c.face_up_card,
        "ten_found": c.ten_found,
        "unexposed": c.unexposed_error,
        "exposed": c.exposed_error,
        "dealer_extra": c.dealer_17,
        "too_few": c.too_few,
        "dealer_missed": c.dealer_missed,
        "no_cards": c.no_cards,
        "one_card": c.one_card,
        "wrong_side": c.wrong_side,
        "reader_misused": c.reader_misused,
        "reader_failed": c.reader_failed,
    }
    return found.get(note.kind, "")


def _verify_card(state: PlayState, note: Irregularity, clause: str) -> None:
    at = note.at
    if at is None or not 0 <= at < len(state.cards):
        text = f"{note.kind}: card {'?' if at is None else at + 1} of {len(state.cards)} drawn cards"
        raise RuleError(clause, text)
    if at in state.aside:
        raise RuleError(clause, f"{state.card_words(at)} has two irregularities: {state.aside[at].kind}, {note.kind}")
    if note.kind == "ten_found" and not is_ten(state.cards[at]):
        raise RuleError(clause, f"{state.card_words(at)} is marked as a 10 that was found in the shoe")


def verify_composition(state: PlayState, cards: Sequence[int]) -> None:
    """Reject cards that the decks in the shoe cannot hold: a card too often, a 10 in Spanish 21, an unknown id.

    The first `state.fresh` cards came from the other side of a double shoe and do not count.
    """
    copies = state.submission.copies
    spanish = not state.game.facts.tens
    kinds = set(cards)
    state.known = kinds <= _PLAYING
    if (
        state.known
        and (len(cards) - len(kinds) < copies or max(Counter(cards).values()) <= copies)
        and not (spanish and kinds & _TENS)
    ):
        return
    aside = state.aside
    # Cards in the rack at a new shuffle may come a second time: .14(f).
    again = any(note.kind == "too_few" for note in aside.values())
    counts: dict[int, int] = {}
    for at, card in enumerate(cards):
        note = aside.get(at)
        if not 0 <= card < 52 or at < state.fresh or (again and note is not None):
            continue
        if spanish and card in _TENS and (note is None or note.kind != "ten_found"):
            text = f"card {at + 1} is the {card_name(card)}: Spanish 21 decks have no 10s"
            raise RuleError(state.clauses.composition, text)
        counts[card] = count = counts.get(card, 0) + 1
        if count > copies:
            where = "side in use has" if state.submission.shoe == "double" else "shoe has"
            decks = f"{copies} deck{'s' if copies > 1 else ''}"
            nth = _NTH.get(count, f"{count}th")
            text = f"card {at + 1} is the {card_name(card)} for the {nth} time: the {where} {decks}"
            raise RuleError(state.clauses.composition, text)


_NTH = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth"}
_TENS = frozenset({9, 22, 35, 48})
_PLAYING = frozenset(range(52))


def find_voiding_card(state: PlayState) -> None:
    """635a.13(a), (b): a second face-up card or a second 10 voids the round; no card may follow it."""
    c = state.clauses
    for kind, clause in (("face_up", c.second_face_up_card), ("ten_found", c.second_ten)):
        places = sorted(at for at, note in state.aside.items() if note.kind == kind)
        if not clause or len(places) < 2:
            continue
        last = places[1]
        if last + 1 < len(state.cards):
            text = f"{state.card_words(last + 1)} was drawn after {state.card_words(last)} had voided the round"
            raise RuleError(clause, text)
        state.voids = (last, clause)


def make_void(state: PlayState, clause: str) -> None:
    """End the round without a decision: every hand is dead, except one that was paid even money and cleared before."""
    state.void = clause
    state.phase = PlayPhase.OVER
    state.turn = None
    for hand in state.hands():
        if not hand.even_money or state.submission.reader_void_returns == "all":
            hand.even_money = False
            state.end(hand, HandEnd.DEAD)
    take(state.round, RoundClosed, state.round.number, RoundEnd.VOID, 0)


def after_the_deal(state: PlayState) -> None:
    """Cards exposed too early, and what the reader did wrong: .14(c), (j), (k).

    A reader that shows the value to nobody does no harm, and play goes on: 633a.14(j)(2), 590.13(i), 635a.13(j)(2).
    """
    for at, note in state.aside.items():
        if note.kind == "exposed" and at < state.at:
            text = f"{state.card_words(at)} was exposed before the opening deal was done: the floorperson decides"
            raise RuleError(state.clauses.exposed_error, text)
    for note in state.irregular:
        if note.kind == "reader_misused":
            if state.game.asks_reader(state.dealer[0]):
                text = f"the reader may be used with the {card_name(state.dealer[0])} up: that is not an irregularity"
                raise RuleError(state.clauses.reader, text)
            if state.game.leaking_reader_voids and state.submission.leaking_reader:
                make_void(state, state.clauses.reader_misused)
        elif note.kind == "reader_failed" and note.choice != "repaired":
            # When it must be used, insurance and even money come before it fails.
            if state.game.asks_reader(state.dealer[0]):
                state.failed = note.choice
            elif note.choice == "voided":
                make_void(state, state.clauses.reader_failed)
