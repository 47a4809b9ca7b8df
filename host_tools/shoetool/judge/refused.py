"""Why the shoe refused a key, deduced from the table as it stood: the record has only the key's number.

`why_refused` answers for one key and the table as it stands. The argument of the key (a position, a side) is not
recorded, so the answer is the rule that stands in the key's way whatever its argument was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from shoetool.judge.allowed import No, Standing, no_double, no_insurance, no_split, no_surrender, no_switch, standing_of
from shoetool.judge.reader import READER
from shoetool.judge.refused_hybrid import why_at_another_table, why_in_hybrid
from shoetool.model.cards import card_name
from shoetool.model.naming import many
from shoetool.model.protocol_table import FAULTS, FaultCode, Finish, Key, Peek, Role
from shoetool.rules.games import clause_in, game_of
from shoetool.table.actions import CardPlaced, Refilled
from shoetool.table.hand import Hand
from shoetool.table.play import first_play
from shoetool.table.round import Round
from shoetool.table.table import PREMIUM, Table

STOPPING: Final = frozenset(code for code, row in FAULTS.items() if row["stop"])
"""Faults that stop the game."""
_UNREAD: Final = (FaultCode.UNREADABLE, FaultCode.DOUBLE_FEED, FaultCode.EDGES_LOST)
"""Faults under which a card lies somewhere and was not read."""
_AT_ALL_TIMES: Final = (Key.SUPERVISOR, Key.VOID_ROUND, Key.CLOSE_SHOE, Key.LOAD, Key.COUNT, Key.READER_TEST)


_PLAY: Final = "633a.7(i)"
"""The order of play: the clause of a key that no rule of its own forbids."""


class Refusal(NamedTuple):
    """`why` completes "the key was refused: ..."; `clause` is the rule that stood in its way."""

    why: str
    clause: str = _PLAY


Why = Callable[[Table], Refusal | None]
_NO_SWITCH: Final = {No.SWITCHED: "had switched already", No.CARDS: "did not have two cards in each of its two hands"}
NO_MEANING: Final = Refusal("it does nothing at that time")
_NOT_DEALT: Final = "the opening deal was not over"
_TURNED: Final = "the hole card had been turned"
_ALL_ENDED: Final = "every hand had ended"
_COUNTING: Final = Refusal("cards were being counted")


def why_refused(table: Table, key: int) -> Refusal:
    """What stood in the way of a key (enum.key) that the shoe refused at this table, by the game's chapter."""
    why, clause = _why(table, key)
    return Refusal(why, clause_in(table.game, clause))


def _why(table: Table, key: int) -> Refusal:
    stops = [code for code in table.faults if code in STOPPING]
    if stops and key not in _AT_ALL_TIMES:
        return Refusal("the game was stopped", "633a.14(k)" if FaultCode.READER in stops else "633a.7(a)")
    if table.round is not None and key in _KEYS_OF_A_ROUND and key != Key.VOID_ROUND and _burn_owed(table):
        return Refusal("a card had to be burned first", "633a.14(f) burn")
    game = game_of(table.game)
    own = why_in_hybrid(game, table, key) if game.facts.community else why_at_another_table(game, key)
    if own is not None:
        return Refusal(*own)
    answer = (_BETWEEN_ROUNDS if table.round is None else _IN_ROUND).get(key)
    return (answer(table) if answer is not None else None) or NO_MEANING


def _always(why: str, clause: str = _PLAY) -> Why:
    refusal = Refusal(why, clause)
    return lambda table: refusal


def _if(true: Callable[[Table], object], why: str, clause: str = _PLAY) -> Why:
    refusal = Refusal(why, clause)
    return lambda table: refusal if true(table) else None


def _first(*reasons: Why) -> Why:
    """The first of several reasons that holds."""
    return lambda table: next((found for why in reasons if (found := why(table)) is not None), None)


# ----------------------------------------------------------------------------------------------- between two rounds
def _counts(table: Table) -> bool:
    return any(side.counting for side in table.sides)


def _deal(table: Table) -> Refusal | None:
    if _counts(table):
        return _COUNTING
    for side in table.sides[: 2 if table.double else 1]:
        if side.finish_why == Finish.ORDERED:
            return Refusal("a reshuffle had been ordered", "633a.5(f)")
        if side.finished >= 0:
            over = "the cover card had come" if side.cover_record >= 0 else "the last card had come out"
            return Refusal(f"{over}, and no cards were shuffled and loaded since", "633a.7(e)")
        if not side.loaded:
            return Refusal("no cards were loaded", "633a.7(a)")
    if not table.seats:
        return Refusal("no position had a wager", "633a.6(d)")
    return _NOT_INSPECTED(table)


def _load(table: Table) -> Refusal:
    if _counts(table):
        return _COUNTING
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
    up = round_.up_card
    if up is not None and up.known and no_insurance(game_of(table.game), up.card):
        return Refusal(f"{card_name(up.card)} was up, and insurance is offered only with an ace up", "633a.8(a)")
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, "633a.8(a)")
    if round_.peek >= 0:
        return Refusal("the hole card had been in the card reader device", "633a.8(b) timing")
    if round_.insured >= 0:
        return Refusal("insurance was closed already", "633a.8(b) timing")
    if first_play(round_) >= 0:
        return Refusal("play had begun", "633a.8(b) timing")
    return Refusal("a position without a hand was named", "633a.8(a)")


def _reveal(table: Table) -> Refusal | None:
    round_ = _round(table)
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, "633a.7(l)")
    if round_.revealed >= 0:
        return Refusal(_TURNED)
    hand = round_.in_turn()
    if hand is None or _choice(table):
        return _choice(table)
    if hand.queued:
        return Refusal(f"{hand.name} was waiting for its late card", "633a.14(i)")
    return Refusal(f"{hand.name} had not ended its hand", "633a.7(l)")


def _end_round(table: Table) -> Refusal | None:
    hand = _round(table).in_turn()
    if not _dealt(_round(table)):
        return Refusal(_NOT_DEALT)
    if _choice(table):
        return _choice(table)
    return None if hand is None else Refusal(f"{hand.name} had not ended its hand")


def _choice(table: Table) -> Refusal | None:
    """633c.4(f): nothing goes on before everybody has chosen between his two hands."""
    round_ = _round(table)
    left = [box for box in round_.seat_list() if round_.antes >> (box - 1) & 1 and box not in round_.chosen]
    return Refusal(f"position {left[-1]} had not chosen between its two hands", "633c.4(f)") if left else None


def _missed(table: Table) -> Refusal | None:
    round_ = _round(table)
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, "633a.14(i)")
    if round_.revealed >= 0:
        return Refusal(_TURNED, "633a.14(i)")
    return Refusal("no hand of that position could have missed a card", "633a.14(i)")


# ------------------------------------------------------------------------------------------ what the hand in turn does
def _decision(clause: str, decide: Callable[[Table, Hand], Refusal | None]) -> Why:
    """A key of the hand in turn: what stands in the way of every decision comes first."""

    def why(table: Table) -> Refusal | None:
        round_ = _round(table)
        if not _dealt(round_):
            return Refusal(_NOT_DEALT, clause)
        hand = round_.in_turn()
        if hand is None or round_.peek == Peek.BLACKJACK:
            return _all_ended(round_, clause)
        return _choice(table) or _owed(round_, hand) or decide(table, hand)

    return why


def _all_ended(round_: Round, clause: str) -> Refusal:
    if round_.peek == Peek.BLACKJACK:
        return Refusal("the card reader device had said Blackjack", "633a.7(h) result")
    return Refusal(_ALL_ENDED, clause)


def _owed(round_: Round, hand: Hand) -> Refusal | None:
    """A card that comes whether the player asks or not."""
    who = hand.name
    if hand.queued:
        return Refusal(f"{who} was waiting for its late card", "633a.14(i)")
    if hand.doubled:
        return Refusal(f"{who} had doubled and was waiting for its card", "633a.7(k)(2)")
    if hand.split and len(hand.cards) < 2:
        return Refusal(f"{who} waited for its second card", "633a.11(b)")
    return None


def _double(table: Table, hand: Hand) -> Refusal | None:
    wrong = no_double(game_of(table.game), standing_of(hand))
    had = {No.CARDS: many(len(hand.cards), "card"), No.BLACKJACK: "a Blackjack"}
    return Refusal(f"{hand.name} had {had[wrong]}", "633a.10(a)") if wrong in had else None


def _split(table: Table, hand: Hand) -> Refusal | None:
    if no_split(standing_of(hand)) in (No.CARDS, No.UNEQUAL):
        cards = ", ".join(card_name(card.card) for card in hand.cards if card.known) or many(len(hand.cards), "card")
        return Refusal(f"{hand.name} had no pair of equal value ({cards})", "633a.11(a)")
    if not all(card.known for card in hand.cards):
        return None
    hands = many(len(_round(table).boxes[hand.box]), "hand")
    return Refusal(f"position {hand.box} had {hands} and may not split again", "633a.11(c) resplits")


def _surrender(table: Table, hand: Hand) -> Refusal | None:
    rules = game_of(table.game)
    wrong = no_surrender(rules, standing_of(hand))
    if wrong is No.NOT_OFFERED:
        return Refusal(f"{rules.title} has no surrender", rules.clauses.surrender)
    if wrong is not None:
        return Refusal(f"{hand.name} had decided before", "633a.9(a) option")
    if rules.facts.rescue:
        return Refusal("the position that was named had no double to rescue", "635a.10(d)")
    return Refusal(f"a position was named, and {rules.title} has no rescue of a double")


def _surrender_or_rescue(table: Table) -> Refusal | None:
    """In Spanish 21 the key rescues a double too, as long as the hole card lies face down."""
    round_ = _round(table)
    if (
        game_of(table.game).facts.rescue
        and round_.revealed >= 0
        and any(hand.doubled for hand in round_.hands.values())
    ):
        return Refusal(_TURNED, "635a.10(d)")
    return _decision("633a.9(a) option", _surrender)(table)


def _switch(table: Table) -> Refusal | None:
    rules = game_of(table.game)
    clause = rules.clauses.switch
    round_ = _round(table)
    hand = round_.in_turn()
    if no_switch(rules, Standing(())) is No.NOT_OFFERED:
        return _choice(table) or Refusal(f"{rules.title} has no switch")
    if not _dealt(round_):
        return Refusal(_NOT_DEALT, clause)
    if hand is None:
        return _all_ended(round_, clause)
    both = [one for one in round_.hands.values() if one.box == hand.box and one.hand < 2]
    wrong = next(filter(None, (no_switch(rules, standing_of(one)) for one in both)), None)
    if wrong is None:
        return Refusal(f"it was the turn of position {hand.box}", clause)
    return Refusal(f"position {hand.box} {_NO_SWITCH.get(wrong, 'had already decided')}", clause)


def _held(table: Table) -> Refusal | None:
    if table.held:
        return Refusal("the card that was drawn in error was already waiting", "633a.14(b)")
    return Refusal("no card had been drawn in error just before", "633a.14(b)")


def _discard(table: Table) -> Refusal | None:
    if table.held:
        return Refusal("no player in turn could refuse the waiting card", "633a.14(c) refusal")
    return Refusal("no card that was drawn in error was waiting", "633a.14(c) discard")


def _deal_in_round(table: Table) -> Refusal | None:
    if table.held:
        return Refusal("a round was open, and no player was to get the card that was drawn in error yet", "633a.14(b)")
    return Refusal("a round was open")


def _reshuffle(table: Table) -> Refusal | None:
    if _counts(table):
        return _COUNTING
    if any(side.finished >= 0 for side in table.sides):
        return Refusal("the side was finished already", "633a.5(f)")
    return Refusal("a reshuffle had been ordered already, or the shoe has no such side", "633a.5(f)")


def _supervisor(table: Table) -> Refusal | None:
    if FaultCode.READER in table.faults:
        return Refusal("the card reader device had failed and had to pass an inspection", "633a.14(k)")
    return Refusal("no fault was latched that this clears" if table.faults else "no fault was latched")


def _missed_dealer(table: Table) -> Refusal | None:
    if _round(table).revealed >= 0:
        return Refusal(_TURNED, "633a.14(e)")
    return Refusal("the dealer's card was not due or had been missed already", "633a.14(e)")


def _no_card(table: Table) -> Refusal | None:
    if _round(table).revealed >= 0:
        return Refusal(_TURNED, "633a.14(g) none")
    return Refusal("that position had its cards, or none was due to it", "633a.14(g) none")


def _turn_up(table: Table) -> Refusal | None:
    rules = game_of(table.game)
    if not rules.cards_face_down:
        return Refusal(f"{rules.title} is dealt face up")
    if not _dealt(_round(table)):
        return Refusal(_NOT_DEALT)
    return Refusal("no cards of that position lay face down in its turn")


def _burn_owed(table: Table) -> bool:
    """633a.14(f) burn: a card is owed since the rack's cards came in."""
    for action in reversed(_round(table).actions):
        if isinstance(action, CardPlaced) and action.role == Role.BURN:
            return False
        if isinstance(action, Refilled):
            return True
    return False


_NO_ROUND: Final = _always("no round was open")
_OPEN: Final = _always("a round was open")
_WHILE_COUNTING: Final = _if(_counts, _COUNTING.why)
_NOT_INSPECTED: Final = _if(
    lambda table: table.inspecting, "the card reader device was being inspected", "633a.2(f) second sentence"
)
_NO_READER: Final = _if(lambda table: not table.options & READER, "the table has no card reader device")
_CLOSED: Final = _if(lambda table: not table.shoe_open, "no shoe was open")
_FINISHED: Final = _if(lambda table: any(side.finished >= 0 for side in table.sides), "the side was finished")
_NO_SUCH_SIDE: Final = _always("the shoe has no such side")
_NO_SUCH_POSITION: Final = _always("the table has no such position", "633a.2(a)")
_NO_PREMIUM: Final = _if(
    lambda table: not table.options & PREMIUM, "switch hands antes belong to Blackjack premium", "633c.4(k)"
)
_UNREAD_CARD: Final = _if(
    lambda table: any(code in table.faults for code in _UNREAD),
    "a card had come out that was not read, and the supervisor had not decided about it",
    "633a.7(a)",
)
_AT_ANY_TIME: Final[dict[int, Why]] = {
    Key.SEATS: _NO_SUCH_POSITION,
    Key.SUPERVISOR: _supervisor,
    Key.RESHUFFLE: _reshuffle,
    Key.HOLD: _held,
    Key.DISCARD: _discard,
}
_KEYS_OF_A_ROUND: Final = (
    *(Key.NEXT_HAND, Key.DOUBLE, Key.SPLIT, Key.SURRENDER, Key.REVEAL, Key.END_ROUND, Key.MISSED, Key.NO_CARD),
    *(Key.MISSED_DEALER, Key.VOID_ROUND, Key.INSURANCE, Key.SWITCH, Key.TURN_UP),
)
_BETWEEN_ROUNDS: Final[dict[int, Why]] = {
    **_AT_ANY_TIME,
    **dict.fromkeys(_KEYS_OF_A_ROUND, _NO_ROUND),
    Key.DEAL: _deal,
    Key.LOAD: _load,
    Key.REFILL: _always("no round was open", "633a.14(f) reshuffle"),
    Key.NEW_DEALER: _first(_WHILE_COUNTING, _CLOSED),
    Key.CLOSE_SHOE: _first(_WHILE_COUNTING, _CLOSED),
    Key.COUNT: _first(_WHILE_COUNTING, _CLOSED, _NO_SUCH_SIDE),
    Key.TEST_DEAL: _first(_WHILE_COUNTING, _CLOSED, _always("cards had been drawn from that side")),
    Key.READER_TEST: _first(_NO_READER, _WHILE_COUNTING, _always("an inspection has no such step")),
    Key.ANTES: _first(_CLOSED, _NO_PREMIUM, _always("a position without a main wager was named", "633c.4(k)")),
}
_IN_ROUND: Final[dict[int, Why]] = {
    **_AT_ANY_TIME,
    **dict.fromkeys((Key.NEW_DEALER, Key.COUNT, Key.TEST_DEAL, Key.CLOSE_SHOE, Key.ANTES), _OPEN),
    Key.DEAL: _deal_in_round,
    Key.VOID_ROUND: _UNREAD_CARD,
    Key.INSURANCE: _insurance,
    Key.REVEAL: _reveal,
    Key.END_ROUND: _end_round,
    Key.NEXT_HAND: _decision("633a.7(i)", lambda table, hand: None),
    Key.DOUBLE: _decision("633a.10(a)", _double),
    Key.SPLIT: _decision("633a.11(a)", _split),
    Key.SURRENDER: _surrender_or_rescue,
    Key.SWITCH: _switch,
    Key.MISSED: _missed,
    Key.NO_CARD: _no_card,
    Key.MISSED_DEALER: _missed_dealer,
    Key.TURN_UP: _turn_up,
    Key.READER_TEST: _first(_NO_READER, _OPEN),
    Key.LOAD: _always("a round was open", "633a.5(a) when"),
    Key.REFILL: _first(_FINISHED, _NO_SUCH_SIDE),
}
