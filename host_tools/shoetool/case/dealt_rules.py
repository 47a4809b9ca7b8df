"""Play a round of a history, with the wagers of a round file, again by the rules before it is settled.

A statement of the file that cannot be true is rejected. A rule that was broken at the table is named beside the
settlement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shoetool.deal.stakes import nearest_stake, verify_stakes
from shoetool.round_file.dealt_play import PlayInput, play_input
from shoetool.round_file.dealt_round import Actions
from shoetool.round_file.file import Entry
from shoetool.round_file.play import stakes_of
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import game
from shoetool.rules.round import TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.pressing import PRESS_WORDS
from shoetool.table.round import Round
from shoetool.verify.table_record.rules import differs

_DOUBLES: Final = frozenset({"double", "free_double"})


def breach(dealt: Round, settled: TableRound, entry: Entry, actions: Actions, rules: RulesSubmission) -> str | None:
    """Return the first rule that was broken at the table, with its clause. None when there is none, or it is not known.

    RuleError when the rules do not allow a wager, an amount, insurance, even money or a press of the file.
    `settled` is the round as it is settled.
    """
    verify_stakes(rules, stakes_of(entry.seats, dealt))
    named = {seat.position for seat in entry.seats}
    seats = _seats(dealt, entry, rules)
    burns = game(rules.game).deal.burns
    given = play_input(dealt, tuple(_as_dealt(seat, actions) for seat in seats), burns)
    if given is None:
        return None
    try:
        played = given.play(rules)
    except RuleError as error:
        bare = play_input(dealt, tuple(_without_money(seat, actions) for seat in seats), burns)
        assert bare is not None
        try:
            bare.play(rules)
        except RuleError as again:
            if str(again) != str(error):
                raise error from None
            unread = actions.read is None and error.clause == game(rules.game).clauses.dealer_blackjack
            return None if unread else str(error)
        raise
    kept = tuple(box for box in played.boxes if box.position in named)
    found = differs(played._replace(boxes=kept), settled)
    return None if found is None else found[0].removesuffix(".") + (f" ({found[1]})" if found[1] else "")


def as_played(
    dealt: Round,
    entry: Entry,
    rules: RulesSubmission,
    otherwise: Callable[[BettingPosition], BettingPosition] | None = None,
) -> PlayInput | None:
    """Return a round of a history as input of `play`, `otherwise` had it decided so. None as `play_input`."""
    actions = Actions(dealt)
    seats = [_as_dealt(seat, actions) for seat in _seats(dealt, entry, rules)]
    if otherwise is not None:
        seats = [otherwise(seat) for seat in seats]
    return play_input(dealt, tuple(seats), game(rules.game).deal.burns)


def _seats(dealt: Round, entry: Entry, rules: RulesSubmission) -> list[BettingPosition]:
    """Return the positions of the file, and somebody on each other one that was dealt to."""
    named = {seat.position for seat in entry.seats}
    others = [_somebody(rules, dealt, position) for position in dealt.boxes if position not in named]
    return sorted((*entry.seats, *others), key=lambda seat: seat.position)


def _somebody(rules: RulesSubmission, dealt: Round, position: int) -> BettingPosition:
    """A position of which the file says nothing: the least wager, with an ante where the shoe dealt for one."""
    wager, ante = nearest_stake(rules, rules.minimum, dealt.antes >> (position - 1) & 1)
    return BettingPosition(position, wager, ante=ante)


def _as_dealt(seat: BettingPosition, actions: Actions) -> BettingPosition:
    """Return the seat with the history's decisions, and the amounts that the file gives for them."""
    amounts = [(word, amount) for word, amount in seat.decisions if word in _DOUBLES]
    words: list[tuple[str, int | None]] = [one for one in seat.decisions if one[0] in PRESS_WORDS]
    for word in actions.by_box.get(seat.position, ()):
        words.append(amounts.pop(0) if word == "double" and amounts else (word, None))
    return seat._replace(decisions=tuple(words))


def _without_money(seat: BettingPosition, actions: Actions) -> BettingPosition:
    """Return the seat with the history's decisions. From the file it keeps only what lay there before the deal."""
    words: Sequence[str] = actions.by_box.get(seat.position, ())
    return seat._replace(insurance=0, even_money=False, decisions=tuple((word, None) for word in words))
