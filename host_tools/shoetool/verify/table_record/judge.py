"""Each round of a history beside the line of the table record that belongs to it."""

from __future__ import annotations

from collections.abc import Callable

from shoetool.judge import registry_table as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.model.records import Record
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.file import Entry
from shoetool.rules.games import game_of_shoe
from shoetool.rules.round import Settlement
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, countdown_refusal
from shoetool.rules.wagers.switch_hands import OFFERED, shoe_refusal
from shoetool.settle.engine import settle
from shoetool.settle.mystery_round import Won
from shoetool.table.round import Round
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS
from shoetool.verify.context import Context
from shoetool.verify.recorded import INSURANCE, SETTLED
from shoetool.verify.table_record.facts import Facts
from shoetool.verify.table_record.lines import Lines, Taken
from shoetool.verify.table_record.meters import Meters
from shoetool.verify.table_record.mysteries import Mysteries
from shoetool.verify.table_record.order import Order
from shoetool.verify.table_record.payments import check_payments
from shoetool.verify.table_record.places import CoverCard
from shoetool.verify.table_record.recorded import Evidence
from shoetool.verify.table_record.rules import (
    check_antes,
    check_insured,
    check_rules,
    check_said,
    check_seats,
    check_selected,
)
from shoetool.verify.table_record.session import Session
from shoetool.verify.table_record.tableless import Tableless


class TableJudge:
    """Judges rounds as the history closes them. Memory does not grow with the history.

    One judge serves the histories of one session in their order: `last` is set before the last of them, after which
    lines of the record that belong to no round are named. `rules` is the rules submission of the table, or finds that
    of an entry. With `required`, what a line leaves out of its round is a finding.
    """

    def __init__(
        self,
        lines: Lines,
        rules: RulesSubmission | Callable[[Entry], RulesSubmission],
        last: bool = True,
        required: bool = False,
    ) -> None:
        self.lines = lines
        self._rules = rules
        self.last = last
        self._required = required
        self.shoe_number: Callable[[], int | None] = lambda: None
        self.on_lines: Callable[[Round, list[Entry]], None] = lambda round_, entries: None
        """Called with each round that has lines in the record, and with these."""
        self.on_settled: Callable[[Facts, Settlement], None] = lambda facts, settlement: None
        """Called with each round that is settled, after `on_lines`."""
        self.matched = 0
        """Rounds of this history that have a line in the record."""
        self.evidence = Evidence()
        """What the record has of the rounds of this history."""
        self.settles_antes = isinstance(rules, RulesSubmission) and OFFERED.of(rules) != "none"
        """Whether the rules submission offers switch hands, so that rounds with antes are settled."""
        self._index = -1
        self._since = -1
        self._cover = CoverCard()
        self._session = Session()
        self._meters = Meters()
        self._mysteries = Mysteries()
        self._missing: list[Round] = []
        self._missing_count = 0
        self._surplus: list[Entry] = []
        self._surplus_count = 0
        self._refused: RulesSubmission | None = None

    def begin(self, ctx: Context) -> None:
        """Take the findings of one history."""
        self.ctx = ctx
        self.matched = 0
        self.evidence = Evidence()
        self._since = -1

    def shoe_opened(self, record: Record) -> None:
        """A shoe was opened: its rounds are counted from 1."""
        self._name_missing()
        self._index += 1
        self._session.shoe_opened()
        self._cover.shoe_opened()

    def finished(self, record: Record) -> None:
        """A side of the shoe was finished."""
        self._session.finished(record)

    def round_closed(self, round_: Round, tainted: bool) -> None:
        """Judge a round; `tainted`: records are missing in it."""
        taken = self._take(round_)
        entry = taken.entry
        if entry is None:
            if not self._missing:
                self._missing = [round_, round_]
            self._missing[1] = round_
            self._forget()
            self._missing_count += 1
        else:
            self.on_lines(round_, [entry, *taken.twins])
            self._name_missing()
            self.matched += not taken.tableless
            if self._name_twins(taken, entry, round_) or taken.tableless:
                self._forget()
            else:
                self._judge(round_, entry, tainted)
        if round_.covers:
            self._session.round_closed(round_.covers)
            wrong = "" if tainted else self._cover.came(round_, self.ctx.table)
            if wrong:
                self.ctx.add(reg.COVER_TOLD, CANNOT_TELL, (round_.covers[0].record,), wrong, (), round_)
        self._since = round_.last

    def end(self, left: Round | None) -> None:
        """The history is over; `left` is a round that was never closed."""
        if left is not None and self._take(left).entry is not None:
            text = "the history ends within this round; its wagers are not settled."
            self._add(reg.UNSETTLED, text, left)
        self._name_missing()
        if self.last:
            self._mysteries.end(self.evidence)
        number = self.shoe_number()
        for entry in self.lines.rest(number, max(self._index, 0), self.last):
            self._count_surplus(entry)
        self._name_surplus()
        self._name_unread()
        tableless, self.lines.tableless = self.lines.tableless, Tableless()  # of each round once, in one of the files
        if text := tableless.sentence():
            self.ctx.add(reg.UNREAD, CANNOT_TELL, (), text, of_file=True)
        more, line = self.lines.take_uncounted()
        if more:
            text = f"{more} more lines of the table record cannot be read, the last of them line {line}."
            self.ctx.add(reg.UNREAD, CANNOT_TELL, (), text, of_file=True)

    # ------------------------------------------------------------------------------------------------ which rounds
    def _take(self, round_: Round) -> Taken:
        number = self.shoe_number()
        if number is None:
            number = max(self.ctx.table.shoes, 1)
        taken = self.lines.take(number, max(self._index, 0), round_.number)
        self._name_unread()
        for one in taken.skipped:
            self._count_surplus(one)
        if taken.skipped:
            self._name_surplus()
        return taken

    def _name_unread(self) -> None:
        for wrong in self.lines.take_unread():
            text = f"the table record cannot be read at {wrong}. This line does not count for its round."
            self.ctx.add(reg.UNREAD, CANNOT_TELL, (), text, of_file=True)

    def _name_twins(self, taken: Taken, entry: Entry, round_: Round) -> bool:
        """Name the lines that are for the same round; True when they differ, so that nobody can tell which holds."""
        if not taken.twins:
            return False
        numbers = [str(one.line) for one in (entry, *taken.twins)]
        text = f"lines {', '.join(numbers[:-1])} and {numbers[-1]} of the table record are all for this round "
        text = text.replace(" all ", " both ") if len(numbers) == 2 else text
        differ = any(one._replace(line=entry.line) != entry for one in taken.twins)
        text += "and differ; the round is not judged." if differ else "and say the same."
        self._add(reg.ROUNDS, text, round_)
        return differ

    def _count_surplus(self, entry: Entry) -> None:
        if not self._surplus:
            self._surplus = [entry, entry]
        self._surplus[1] = entry
        self._surplus_count += 1

    def _name_surplus(self) -> None:
        if not self._surplus:
            return
        first, last = self._surplus
        shoe = f" of shoe {first.shoe}" if first.shoe is not None else ""
        if self._surplus_count == 1:
            text = f"line {first.line} of the table record is for round {first.round}{shoe}: the history has no such "
            text += "round, or the line is out of order, or another line was for this round."
        else:
            text = f"{self._surplus_count} lines of the table record (lines {first.line} to {last.line}, from round "
            text += f"{first.round}{shoe} to {last.round}) belong to no round of the history, or are out of order."
        self._surplus, self._surplus_count = [], 0
        self._add(reg.ROUNDS, text, None)

    def _name_missing(self) -> None:
        if not self._missing:
            return
        first, last = self._missing
        if first is last:
            text = "this round is in the history and not in the table record."
        else:
            text = f"rounds {first.number} to {last.number} of the history ({self._missing_count}) "
            text += "are not in the table record."
        self._missing, self._missing_count = [], 0
        self.ctx.add(reg.ROUNDS, CANNOT_TELL, (first.record, last.last), text, (), first)

    def _add(self, check: str, text: str, round_: Round | None) -> None:
        """A finding of no record, or of a whole round, that nobody can judge."""
        records = () if round_ is None else (round_.record, round_.last)
        self.ctx.add(check, CANNOT_TELL, records, text, (), round_)

    def _forget(self) -> None:
        """A round is not known, and what it did to the meters is not either."""
        self._meters.forget()
        self._mysteries.forget()

    # ------------------------------------------------------------------------------------------------ one round
    def _judge(self, round_: Round, entry: Entry, tainted: bool) -> None:
        rules = self._rules if isinstance(self._rules, RulesSubmission) else self._rules(entry)
        self.settles_antes = OFFERED.of(rules) != "none"
        actions = Actions(round_)
        facts = Facts(self.ctx, round_, entry, rules, actions)
        first = self._session.fresh_shoe
        self._session.judge(facts, self.ctx.table)
        self._cover.placed(entry.events, -(-self.ctx.table.batch_size() // 4))
        if not tainted and not self._submitted(facts):
            self._forget()
            return
        won = self._mysteries.judge(facts, self.evidence)
        if tainted:
            self._meters.forget()
            self._add(reg.UNSETTLED, "records are missing in this round; its wagers are not settled.", round_)
            return
        if round_.antes and not self.settles_antes:
            self._meters.forget()
            self._tell(facts, None, first)
            return
        found = len(self.ctx.findings) + self.ctx.dropped
        if entry.meters:
            self._meters.verify_offered(facts)
        self._convert(facts)
        agreed = check_seats(facts)
        agreed = check_antes(facts) and agreed
        if not round_.void:
            agreed = check_said(facts) and agreed
            check_selected(facts)
            check_insured(facts)
        if agreed:
            check_rules(facts)
        settlement = self._settle(facts, won, len(self.ctx.findings) + self.ctx.dropped > found)
        if settlement is None:
            self._meters.forget()
        elif rules.meters:
            self._meters.judge(facts, settlement)
        self._tell(facts, settlement, first)
        if settlement is not None:
            self.on_settled(facts, settlement)
        if settlement is not None and entry.paid is not None:
            check_payments(facts, settlement, entry.paid)
        if entry.events:
            if settlement is not None:
                facts.lines = tuple(settlement.lines)
            Order(facts).judge(self._since)

    def _tell(self, facts: Facts, settlement: Settlement | None, first: bool) -> None:
        """Count what the record has of the round. What it leaves out, and what is not settled, cannot be checked."""
        round_ = facts.round
        if self.ctx.table.options & SWITCH_HANDS:
            self.evidence.count(SETTLED, round_.number, settlement is not None)
        left_unsettled = bool(round_.antes) and not self.settles_antes
        if left_unsettled and self._required:
            text = "it was dealt with switch hands (633c.4); its wagers are not settled."
            self._add(reg.LEFT_OUT, text, round_)
        between = list(self._session.stacks.recorded)
        if facts.insurable and not round_.void and not left_unsettled:
            between.append((INSURANCE, any(event.event == "insurance_offered" for event in facts.entry.events)))
        left = self.evidence.take(round_.number, facts.entry, facts.rules, settlement, round_.void, first, between)
        if left and self._required:
            text = f"the table record leaves out: {', '.join(left)}."
            facts.add(reg.LEFT_OUT, text, verdict=CANNOT_TELL)

    def _convert(self, facts: Facts) -> None:
        """Put the round together as it is settled."""
        entry = facts.entry
        found = table_round(facts.round, entry.seats, facts.rules, actions=facts.actions)
        if isinstance(found, Missing):
            text = f"the wagers of this round are not settled: {found.text}."
            self._add(reg.UNSETTLED, text, facts.round)
        else:
            facts.table_round = entry.with_system(found)

    def _settle(self, facts: Facts, won: Won, named: bool) -> Settlement | None:
        """The round's settlement; None when it cannot be. `named`: what is wrong with the round was reported."""
        if facts.table_round is None:
            return None
        try:
            return settle(facts.table_round, facts.rules, won)
        except RuleError as error:
            number = facts.round.number
            if not named and not any(one.round == number and one.verdict == BREACH for one in self.ctx.findings[-20:]):
                text = str(error).removesuffix(f" ({error.clause})")
                facts.add(reg.BY_THE_RULES, f"{text}.", error.clause)
            return None

    def _submitted(self, facts: Facts) -> bool:
        """633a.2(b)(3): whether the shoe is that of the rules submission; said once for each submission."""
        rules, state = facts.rules, self.ctx.table
        if self._refused is rules:
            return False
        if not state.shoes:
            return True
        wrong = ""
        game = game_of_shoe(state.game)
        if game is None or game.name != rules.game:
            dealt = "another game" if game is None else game.name
            wrong = f"the shoe was set up for {dealt}, the rules submission is for {rules.game}"
        elif state.decks != rules.decks:
            wrong = f"the shoe holds {state.decks} decks, the rules submission says {rules.decks}"
        elif state.double != (rules.shoe == "double"):
            kind = "double" if state.double else "single"
            wrong = f"the shoe is a {kind} one, the rules submission says {rules.shoe}"
        elif state.double and rules.red_side is not None and (state.side_a_color == 0) != (rules.red_side == "A"):
            wrong = f"the red suits' side of the shoe is not side {rules.red_side} of the rules submission"
        options = state.options
        aside = (bool(options & bit) for bit in (SWITCH_HANDS, PREMIUM, HANDS_LAST))
        wrong = wrong or shoe_refusal(rules, *aside) or countdown_refusal(rules, options)
        if wrong:
            self._refused = rules
            self._add(reg.SUBMITTED, f"{wrong.replace('_', ' ')}; rounds are not settled.", facts.round)
            return False
        return True
