"""Settle a round with the wagers of its file: its rules, its cards (also from a history), what was paid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shoetool.case.dealt_rules import breach
from shoetool.history.start_clock import Moment
from shoetool.model.errors import BadInput
from shoetool.model.naming import setting_value
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.file import Entry
from shoetool.round_file.left_out import odd_amounts, unnamed_players, verify_told
from shoetool.round_file.paid import Difference, differences, verify_meters
from shoetool.round_file.play import play_entry, with_cards
from shoetool.rules.round import Settlement, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, countdown_refusal
from shoetool.rules.wagers.pressing import PRESS_WORDS
from shoetool.rules.wagers.switch_hands import OFFERED, shoe_refusal
from shoetool.settle.engine import settle
from shoetool.table.round import Round
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS, Table
from shoetool.verify.table_record.rules import SAME_KEY, decision_words

UNSEEN: Final = frozenset(PRESS_WORDS)
"""Decisions that do not show in a history."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A round with its settlement, and the payments that differ from it.

    `notes` are for standard error. `breaches` are the rules that were broken at the table, as its history shows.
    """

    entry: Entry
    round: TableRound
    settlement: Settlement
    differences: list[Difference]
    notes: list[str] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round of a history: the number of its shoe, the settings of that shoe, and when it was dealt."""

    round: Round
    shoe: int | None
    game: str
    shoe_kind: str
    decks: int
    options: int
    began: Moment | None
    ended: Moment | None

    @classmethod
    def at(cls, state: Table, dealt: Round, shoe: int | None, began: Moment | None, ended: Moment | None) -> Dealt:
        """The round with what `state`, its table, was opened with."""
        game, kind = (str(setting_value(key, getattr(state, key))) for key in ("game", "shoe_kind"))
        return cls(dealt, shoe, game, kind, state.decks, state.options, began, ended)

    def verify_rules(self, table: RulesSubmission) -> None:
        """Raise BadInput when the shoe was not configured for this table: the settlement would be of another game."""
        for what, dealt, rules in (
            ("game", self.game, table.game),
            ("shoe", self.shoe_kind, table.shoe),
            ("decks", self.decks, table.decks),
        ):
            if dealt != rules:
                raise BadInput(f"the history was dealt with {what} {dealt}, the rules submission has {rules}")
        aside = (bool(self.options & bit) for bit in (SWITCH_HANDS, PREMIUM, HANDS_LAST))
        if wrong := shoe_refusal(table, *aside) or countdown_refusal(table, self.options):
            raise BadInput(wrong)


def settle_at(entry: Entry, table: RulesSubmission, find: Callable[[Entry], Dealt], where: str) -> Settled:
    """Settle one round at this table. find: the round of a history that an entry points to.

    BadInput, with the clause if there is one, when the rules do not allow the round.
    """
    notes: list[str] = []
    breaches: list[str] = []
    try:
        entry = with_cards(entry, table)
        if entry.round is not None:
            played = _from_history(entry, table, find(entry), notes, breaches)
        else:
            played = play_entry(entry, table)
        settlement = settle(played, table)
        verify_meters(settlement, entry.meters)  # the lines are made now, so errors in them come now too
        found = differences(settlement, entry.paid or ())
        notes += [*odd_amounts(entry, table), *unnamed_players(entry, settlement)]
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    return Settled(entry, played, settlement, found, notes, breaches)


def _from_history(
    entry: Entry, table: RulesSubmission, found: Dealt, notes: list[str], breaches: list[str]
) -> TableRound:
    """Return the round as the history shows it, with the history's decisions and the wagers of the entry."""
    found.verify_rules(table)
    verify_told(entry, table)
    dealt = found.round
    if dealt.antes and OFFERED.of(table) == "none":
        text = f"round {entry.round} was dealt with switch hands, which the rules submission does not offer"
        raise RuleError("633c.4(k)", text)
    for seat in entry.seats:
        if bool(seat.ante) != bool(dealt.antes >> (seat.position - 1) & 1):
            placed = "an ante here and none" if seat.ante else "no ante here and one"
            raise RuleError("633c.4(c)", f"position {seat.position} has {placed} in the history")
    for seat in entry.seats:
        if seat.position not in dealt.boxes:
            raise BadInput(f"position {seat.position} has a wager but no hand in round {entry.round} of the history")
    seats = {seat.position for seat in entry.seats}
    left = [str(position) for position in sorted(dealt.boxes) if position not in seats]
    if left:
        notes.append(f"no wager is given for position {', '.join(left)}, which the history dealt to: left out")
    actions = Actions(dealt)
    for seat in entry.seats:
        said = [SAME_KEY.get(word, word) for word, _ in seat.decisions if word not in UNSEEN]
        shown = [word for word in actions.by_box.get(seat.position) or () if word not in UNSEEN]
        if seat.decisions and said != shown:
            here, there = decision_words(said), decision_words(shown)
            notes.append(f"position {seat.position} has {here} here and {there} in the history: settled as dealt")
    played = table_round(dealt, entry.seats, table, actions=actions)
    if isinstance(played, Missing):
        raise BadInput(f"cannot be settled from the history: {played.text}")
    broken = breach(dealt, played, entry, actions, table)
    if broken is not None:
        breaches.append(f"the rules do not allow this; settled as dealt: {broken}")
    return entry.with_system(played)
