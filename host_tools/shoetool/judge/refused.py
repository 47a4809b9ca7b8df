"""Why the shoe refused a key, deduced from the table as it stood: the record has only the key's number.

`why_refused` answers for one key and the table as it stands. The argument of the key (a position, a side) is not
recorded, so the answer is the rule that stands in the key's way whatever its argument was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from shoetool.judge.allowed import No, no_double, no_insurance, no_split, no_surrender
from shoetool.judge.hands import standing_of
from shoetool.model.cards import card_name
from shoetool.model.naming import many
from shoetool.model.protocol_table import FAULTS, FaultCode, Finish, Key, Role
from shoetool.rules.games import game_of
from shoetool.table.hand import Hand
from shoetool.table.play import first_play
from shoetool.table.round import Round
from shoetool.table.table import Table
from shoetool.table.turn import hand_in_turn, waits_for_a_late_card

STOPPING: Final = frozenset(code for code, row in FAULTS.items() if row["stop"])
"""Faults that stop the game."""
_AT_ALL_TIMES: Final = (Key.SUPERVISOR, Key.VOID_ROUND, Key.CLOSE_SHOE, Key.LOAD, Key.COUNT, Key.READER_TEST)


class Refusal(NamedTuple):
    """`why` completes "the key was refused: ..."; `clause` is the rule that stood in its way, None: no rule did."""

    why: str
    clause: str | None = None


Why = Callable[[Table], Refusal | None]
NO_MEANING: Final = Refusal("it had no meaning")
_NOT_DEALT: Final = "the opening deal was not over"
_TURNED: Final = "the hole card had been turned"
_ALL_ENDED: Final = "every hand had ended"
_SWITCH: Final = "633a.12(a)(4)"


def why_refused(table: Table, key: int) -> Refusal:
    """What stood in the way of a key (enum.key) that the shoe refused at this table."""
    stops = [code for code in table.faults if code in STOPPING]
    if stops and key not in _AT_ALL_TIMES:
        return Refusal("the game was stopped", "633a.14(k)" if FaultCode.READER in stops else "633a.7(a)")
    answer = (_BETWEEN_ROUNDS if table.round is None else _IN_ROUND).get(key)
    return (answer(table) if answer is not None else None) or NO_MEANING


def _always(why: str, clause: str | None = None) -> Why:
    return lambda table: Refusal(why, clause)


# ----------------------------------------------------------------------------------------------- between two rounds
def _deal(table: Table) -> Refusal | None:
    for side in table.sides[: 2 if table.double else 1]:
        if side.finish_why == Finish.ORDERED:
            return Refusal("a reshuffle had been ordered", "633a.5(f)")
        if side.finished >= 0:
            over = "the cover card had come" if side.cover_record >= 0 else "the last card had come out"
            return Refusal(f"{over}, and no cards were shuffled and loaded since", "633a.7(e)")
        if not side.loaded:
            return Refusal("no cards were loaded", "633a.7(a)")
    return None


def _load(table: Table) -> Refusal:
    if table.double:
        return Refusal("that side was not finished", "633a.7(e)(3)")
    return Refusal("the shoe was not finished", "633a.5(a) when")


# ------------------------------------------------------------------------------------------------------- in a round
def _round(table: Table) -> Round:
    assert table.round is not None
    return table.round


def _dealt(round_: Round) -> bool:
    return round_.hole is not None


def _insurance(table: Table) -> Refusal | None:
    round_ = _round(table)
    up = next((card for card in round_.dealer if card.role == Role.DEALER_UP), None)
    if up is not None and up.known and no_insurance(game_of(table.game), up.card):
        return Refusal(f"{card_name(up.card)} was up, and insurance is offered with an ace up alone", "633a.8(a)")
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, "633a.8(a)")
    if round_.peek >= 0:
        return Refusal("the hole card had been in the card reader device", "633a.8(b) timing")
    if round_.insured >= 0:
        return Refusal("insurance was closed already", "633a.8(b) timing")
    return Refusal("play had begun", "633a.8(b) timing") if first_play(round_) >= 0 else None


def _reveal(table: Table) -> Refusal | None:
    round_ = _round(table)
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, "633a.7(l)")
    if round_.revealed >= 0:
        return Refusal(_TURNED)
    hand = hand_in_turn(round_)
    if hand is None or _choice(table):
        return _choice(table)
    if waits_for_a_late_card(hand):
        return Refusal(f"{hand.name} waited for its late card", "633a.14(i)")
    return Refusal(f"{hand.name} had not ended its hand", "633a.7(l)")


def _end_round(table: Table) -> Refusal | None:
    hand = hand_in_turn(_round(table))
    if not _dealt(_round(table)):
        return Refusal(_NOT_DEALT)
    return None if hand is None else Refusal(f"{hand.name} had not ended its hand")


def _choice(table: Table) -> Refusal | None:
    """633c.4(f): nothing goes on before everybody has chosen between his two hands."""
    round_ = _round(table)
    left = [box for box in round_.seat_list() if round_.antes >> (box - 1) & 1 and box not in round_.chosen]
    return Refusal(f"position {left[-1]} had not chosen between its two hands", "633c.4(f)") if left else None


def _missed(table: Table) -> Refusal | None:
    return Refusal(_TURNED, "633a.14(i)") if _round(table).revealed >= 0 else None


# ------------------------------------------------------------------------------------------ what the hand in turn does
def _decision(clause: str, decide: Callable[[Table, Hand], Refusal | None]) -> Why:
    """A key of the hand in turn: what stands in the way of every decision comes first."""

    def why(table: Table) -> Refusal | None:
        round_ = _round(table)
        if not _dealt(round_):
            return Refusal(_NOT_DEALT, clause)
        hand = hand_in_turn(round_)
        if hand is None:
            return Refusal(_ALL_ENDED, clause)
        return _choice(table) or _owed(round_, hand) or decide(table, hand)

    return why


def _owed(round_: Round, hand: Hand) -> Refusal | None:
    """A card that comes whether the player asks or not."""
    who = hand.name
    if waits_for_a_late_card(hand):
        return Refusal(f"{who} waited for its late card", "633a.14(i)")
    if hand.doubled:
        return Refusal(f"{who} had doubled and waited for its card", "633a.7(k)(2)")
    if hand.split and len(hand.cards) < 2:
        return Refusal(f"{who} waited for its second card", "633a.11(b)")
    return None


def _double(table: Table, hand: Hand) -> Refusal | None:
    if no_double(game_of(table.game), standing_of(hand)) is not No.CARDS:
        return None
    return Refusal(f"{hand.name} had {many(len(hand.cards), 'card')}", "633a.10(a)")


def _split(table: Table, hand: Hand) -> Refusal | None:
    if no_split(standing_of(hand)) in (No.CARDS, No.UNEQUAL):
        cards = ", ".join(card_name(card.card) for card in hand.cards if card.known)
        return Refusal(f"{hand.name} had no pair of equal value ({cards})", "633a.11(a)")
    if not all(card.known for card in hand.cards):
        return None
    hands = many(len(_round(table).boxes[hand.box]), "hand")
    return Refusal(f"position {hand.box} had {hands} and may have no more by splits", "633a.11(c) resplits")


def _surrender(table: Table, hand: Hand) -> Refusal | None:
    rules = game_of(table.game)
    wrong = no_surrender(rules, standing_of(hand))
    if wrong is No.NOT_OFFERED:
        return Refusal(f"{rules.title} has no surrender", rules.clauses.surrender)
    return None if wrong is None else Refusal(f"{hand.name} had decided before", "633a.9(a) option")


def _surrender_or_rescue(table: Table) -> Refusal | None:
    """In Spanish 21 the key rescues a double too, as long as the hole card lies face down."""
    round_ = _round(table)
    if (
        game_of(table.game).offers_rescue
        and round_.revealed >= 0
        and any(hand.doubled for hand in round_.hands.values())
    ):
        return Refusal(_TURNED, "635a.10(d)")
    return _decision("633a.9(a) option", _surrender)(table)


def _switch(table: Table) -> Refusal | None:
    if not game_of(table.game).offers_switch:
        return _choice(table)
    round_ = _round(table)
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, _SWITCH)
    hand = hand_in_turn(round_)
    if hand is None:
        return Refusal(_ALL_ENDED, _SWITCH)
    if hand.switched:
        return Refusal(f"position {hand.box} had switched already", _SWITCH)
    return Refusal(f"position {hand.box} was in turn, and its first decision was over or not asked for", _SWITCH)


_BETWEEN_ROUNDS: Final[dict[int, Why]] = {
    Key.DEAL: _deal,
    Key.LOAD: _load,
    Key.REFILL: _always("no round was open", "633a.14(f) reshuffle"),
}
_OPEN: Final = _always("a round was open")
_IN_ROUND: Final[dict[int, Why]] = {
    **dict.fromkeys((Key.NEW_DEALER, Key.COUNT, Key.TEST_DEAL, Key.CLOSE_SHOE, Key.READER_TEST, Key.ANTES), _OPEN),
    Key.INSURANCE: _insurance,
    Key.REVEAL: _reveal,
    Key.END_ROUND: _end_round,
    Key.NEXT_HAND: _decision("633a.7(i)", lambda table, hand: None),
    Key.DOUBLE: _decision("633a.10(a)", _double),
    Key.SPLIT: _decision("633a.11(a)", _split),
    Key.SURRENDER: _surrender_or_rescue,
    Key.SWITCH: _switch,
    Key.MISSED: _missed,
    Key.LOAD: _always("a round was open", "633a.5(a) when"),
}
