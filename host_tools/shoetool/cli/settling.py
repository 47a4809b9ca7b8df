"""Settle the rounds of a file one by one: their rules, their cards (also from a history), what was paid."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shoetool.cli.reading import opened, widened
from shoetool.cli.rules import Rules
from shoetool.cli.settling_dealt import breach
from shoetool.history.clock import Moment
from shoetool.model.errors import BadInput
from shoetool.model.naming import setting_value
from shoetool.model.text_file import as_text, read_text
from shoetool.report.time_of_day import round_moments
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.file import LARGEST_FILE, BadLine, Entry, parse_each
from shoetool.round_file.left_out import odd_amounts, unnamed_players, verify_told
from shoetool.round_file.paid import Difference, differences, verify_meters
from shoetool.round_file.play import play_entry
from shoetool.rules.round import Settlement, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, countdown_refusal
from shoetool.rules.wagers.pressing import PRESS_WORDS
from shoetool.rules.wagers.switch_hands import OFFERED, shoe_refusal
from shoetool.settle.engine import settle
from shoetool.table.replay import rounds_at_tables
from shoetool.table.round import Round
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS
from shoetool.verify.table_record.rules import SAME_KEY, decision_words

STANDARD_INPUT: Final = "-"
_TOO_LONG: Final = "settle a table record in parts"
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


def read_rounds(file: str) -> tuple[Entry | BadLine, ...]:
    """Return the rounds of a file, or of standard input for `-`. A line that is no round is a BadLine in its place.

    BadInput names what cannot be read at all, and where.
    """
    if file == STANDARD_INPUT:
        name = "standard input"
        text = as_text(sys.stdin.buffer.read(LARGEST_FILE + 1), name, LARGEST_FILE, _TOO_LONG, "surrogateescape")
    else:
        name, text = file, read_text(Path(file), LARGEST_FILE, _TOO_LONG, "surrogateescape")
    entries = tuple(parse_each(text, name))
    if not entries:
        raise BadInput(f"{name}: holds no round")
    return entries


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


class HistoryRounds:
    """The rounds of histories that round files point to, by the device's number of the shoe and the round's number."""

    def __init__(self, files: Iterable[Path], wanted: Iterable[Entry]) -> None:
        """Read the histories and keep the wanted rounds. BadInput when a file is no history."""
        numbers = {entry.round for entry in wanted}
        self._found: list[Dealt] = []
        self.span: tuple[int, int] | None = None
        """The first and the last known time of all rounds of the histories, in Unix ms."""
        self._files = [str(file) for file in files]
        for file in self._files:
            with opened(Path(file)) as reader:
                for one, state in rounds_at_tables(reader.records()):
                    when = round_moments(one, reader.moment)
                    for moment in when:
                        self.span = widened(self.span, moment)
                    if one.number in numbers:
                        game = str(setting_value("game", state.game))
                        kind = str(setting_value("shoe_kind", state.shoe_kind))
                        self._found.append(Dealt(one, reader.chain.shoe, game, kind, state.decks, state.options, *when))

    def find(self, entry: Entry) -> Dealt:
        """Return the round that an entry points to. BadInput when there is none, or more than one."""
        asked = f"round {entry.round}" + (f" of shoe {entry.shoe}" if entry.shoe is not None else "")
        if not self._files:
            raise BadInput(f"its cards are in a history ({asked}); give it with --history")
        found = [
            one
            for one in self._found
            if one.round.number == entry.round and (entry.shoe is None or one.shoe == entry.shoe)
        ]
        if not found:
            raise BadInput(f"there is no {asked} in {', '.join(self._files)}")
        if len(found) > 1:
            how = "give one" if entry.shoe is not None else 'write "shoe" beside "round", or give one history'
            raise BadInput(f"{asked} is there {len(found)} times; {how}")
        return found[0]

    def when(self, entry: Entry) -> tuple[Moment | None, Moment | None]:
        """Return when the round of an entry began and ended. None for an unknown time, or without a history."""
        if entry.round is None:
            return None, None
        try:
            found = self.find(entry)
        except BadInput:
            return None, None
        return found.began, found.ended


def settle_entry(entry: Entry, rules: Rules, histories: HistoryRounds, where: str) -> Settled:
    """Settle one round. BadInput, with the clause if there is one, when the rules do not allow the round."""
    return settle_at(entry, rules.find(entry.table, where), histories, where)


def settle_at(entry: Entry, table: RulesSubmission, histories: HistoryRounds, where: str) -> Settled:
    """Settle one round at this table. BadInput as `settle_entry`."""
    notes: list[str] = []
    breaches: list[str] = []
    try:
        if entry.round is not None:
            played = _from_history(entry, table, histories.find(entry), notes, breaches)
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
