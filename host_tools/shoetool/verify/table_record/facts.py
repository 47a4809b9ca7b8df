"""What the checks of one round with its table record look at, put together once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from shoetool.judge.allowed import no_insurance
from shoetool.judge.finding import BREACH, Payment
from shoetool.model.protocol_table import Role
from shoetool.round_file.dealt_round import Actions
from shoetool.round_file.file import Entry
from shoetool.round_file.left_out import picks_due
from shoetool.rules.games import game
from shoetool.rules.round import Line, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import FURTHER_ROLES, OPENING_ROLES
from shoetool.table.round import Round
from shoetool.verify.context import Context

_OPENING: Final = OPENING_ROLES | {int(Role.DETERMINANT_ASIDE)}
_DEALER_DRAW: Final = int(Role.DEALER_DRAW)
NEVER: Final = 1 << 62


class Facts:
    """One round: the history's `round_`, the record's `entry`, the `rules` of the table, and how it was settled."""

    def __init__(self, ctx: Context, round_: Round, entry: Entry, rules: RulesSubmission, actions: Actions) -> None:
        self.ctx = ctx
        self.round = round_
        self.entry = entry
        self.rules = rules
        self.actions = actions
        self.table_round: TableRound | None = None
        self.unsure: set[str] = set()
        """The mystery bonuses of which it is not known who won them in this round, or what."""
        self.lines: tuple[Line, ...] = ()
        """How the round is settled, line by line; empty when it could not be."""
        dealer = round_.dealer
        self.up = dealer[0].card if dealer and dealer[0].known else None
        """The dealer's up card, when it is known."""
        self.insurable = self.up is not None and not no_insurance(game(rules.game), self.up)
        """Whether insurance is to be offered, 633a.8(a)."""
        placed = round_.placed
        self.cards = sorted({one.card.record for one in placed})
        """Record numbers of the cards of the round, in the order drawn."""
        self.deal_over = max([one.record for one in placed if one.role in _OPENING], default=round_.record)
        """Record of the last card of the opening deal."""
        further = [one for one in placed if one.role in FURTHER_ROLES]
        self.further = next((one.record for one in further if one.record > self.deal_over), NEVER)
        """Record of the first card after the opening deal; NEVER when there was none."""
        self.dealer_draw = next((one.record for one in further if one.role == _DEALER_DRAW), NEVER)
        """Record of the first card that the dealer drew; NEVER when he drew none."""
        cards = [*dealer, *round_.shared, *[card for hand in round_.hands.values() for card in hand.cards]]
        turned = round_.revealed if cards else -1
        self.last_card = max([round_.record, turned, *[card.placed for card in cards]])
        """Record of the last card that came to a hand, and of the hole card's turn if that is later."""

    def add(
        self,
        check: str,
        sentence: str,
        clause: str | None = None,
        records: Iterable[int] = (),
        verdict: str = BREACH,
        payment: Payment | None = None,
    ) -> None:
        """Add a finding; it stands with the records of the round unless others are named."""
        proof = tuple(records) or (self.round.record, self.round.last)
        self.ctx.add(check, verdict, proof, sentence, (), self.round, clause, payment)

    @cached_property
    def unpicked(self) -> set[str]:
        """The bonuses of which the record does not say what the system picked, or who won."""
        due = picks_due(self.entry, self.rules)
        return self.unsure | {bonus.key for _, bonus in due if getattr(self.entry, bonus.key) is None}

    @property
    def revealed(self) -> int:
        """Record in which the hole card was turned; NEVER when it was not."""
        return self.round.revealed if self.round.revealed >= 0 else NEVER
