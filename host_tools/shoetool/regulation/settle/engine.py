"""Settles a round: every wager of every player, by the clauses of the game's chapter.

One engine for all games: what differs is in the game's declaration (`games/settling*.py`), the wagers' (`wagers/`) and
the paytables. Hands that are alike against dealers that are alike are settled once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from shoetool.model.cards import VALUES
from shoetool.regulation.hands import best_total
from shoetool.regulation.round import Box, Line, Settlement, Stage, TableRound
from shoetool.regulation.rule_error import RuleError
from shoetool.regulation.settle.bonus import bonus_of, fixed_bonus_lines
from shoetool.regulation.settle.check import check_hand, check_insurance, check_undrawn
from shoetool.regulation.settle.hand import Apart, hand_lines
from shoetool.regulation.settle.ledger import in_order
from shoetool.regulation.settle.payout import odds_words, payout
from shoetool.regulation.settle.rule import HandRule
from shoetool.regulation.settle.table import DEALER_STANDS, DealerHand, SettleTable, settle_table
from shoetool.regulation.submission.rules import RulesSubmission
from shoetool.regulation.wagers.settle_optional import OptionalSettlement

_NO_METERS: Final[Mapping[str, int]] = {}
_OVER_21: Final = 22
_LONG: Final = 3
"""What stands for every count over 21 and for every hand of three or more cards: the rules tell them not apart."""


def settle(table_round: TableRound, submission: RulesSubmission) -> Settlement:
    """What every wager of the round became at this table.

    RuleError, with the clause, for a round that cannot have ended so: a wager that is not offered, a dealer who
    stopped below 17 while a hand waits for his total, a hand that is not what it is called.
    """
    table = settle_table(submission)
    if table_round.game != submission.game:
        text = f"a round of {table_round.game} cannot be settled at a table of {submission.game}"
        raise RuleError(table.game.clauses.main_wager, text)
    optional: OptionalSettlement | None = None
    for box in table_round.boxes:
        if box.side:
            optional = OptionalSettlement(table_round, submission)
            break
    if table_round.void is not None:
        return _void(table, table_round, table_round.void, optional)
    return _Settling(table, table_round, optional).settlement()


class _Settling:
    """One round while it is settled; afterwards it makes the lines when they are asked for."""

    __slots__ = ("dealer", "optional", "round", "rules", "table")

    def __init__(self, table: SettleTable, table_round: TableRound, optional: OptionalSettlement | None) -> None:
        self.table = table
        self.round = table_round
        self.optional = optional
        self.dealer = table.dealer(table_round)
        self.rules: list[HandRule] = []

    def settlement(self) -> Settlement:
        optional = self.optional
        if optional is None:
            nets = [0, 0, 0, 0, 0, 0, 0, 0]
            tray = house = 0
            meters = _NO_METERS
        else:
            nets, tray, house, meters = optional.nets[:], optional.tray, optional.house, optional.meters
        for box in self.round.boxes:
            net = self._box(box)
            if box.insurance:
                net += insurance_net(self.table, self.dealer, box)
            if box.side and self.dealer.total < DEALER_STANDS:
                check_undrawn(self.table, self.dealer, box)
            nets[box.position] += net
            tray -= net
        if self.table.settling.fixed_bonus is not None:
            for line in fixed_bonus_lines(self.table, self.round):
                nets[line.position or 0] += line.won
                tray -= line.won
        return Settlement(nets, tray, house, meters, self.lines)

    def _box(self, box: Box) -> int:
        """Settle every hand of a box; net in cents."""
        table = self.table
        dealer = self.dealer
        kept = dealer.rules
        hands = box.hands
        apart: Sequence[Apart] | None = None
        if len(hands) > 1 and (dealer.blackjack or table.settling.tucked):
            apart = wagers_apart(table, dealer, box)
        net = 0
        for number, hand in enumerate(hands):
            cards = hand.cards
            double = hand.double
            total = 0
            for card in cards:
                total += VALUES[card]
            if total <= 11 and (0 in cards or 13 in cards or 26 in cards or 39 in cards):
                total += 10
            elif total > 21:
                total = _OVER_21
            bonus = bonus_of(table, hand) if total == 21 and table.bonus else ""
            treated: Apart = "" if apart is None else apart[number]
            stake, lammer, free_double = hand.stake, hand.lammer, hand.free_double
            wagers = (stake > 0) | (double > 0) << 1 | (lammer > 0) << 2 | (free_double > 0) << 3
            count = len(cards) if len(cards) < 3 else _LONG
            key = (hand.end, total, count, wagers, hand.from_split, hand.switched, bonus, treated)
            rule = kept.get(key)
            if rule is None:
                check_hand(table, dealer, box.position, hand, best_total(cards))
                rule = kept[key] = HandRule(table, dealer, hand, bonus, treated)
            self.rules.append(rule)
            net += rule.main[stake]
            if wagers > 1:
                net += rule.double[double] + rule.lammer[lammer] + rule.lammer[free_double]
        return net

    def lines(self) -> list[Line]:
        """Every line in settling order."""
        table = self.table
        rules = iter(self.rules)
        boxes = self.round.boxes
        ordered = in_order(
            table.settling,
            table.rules.settlement_procedure,
            [[next(rules).lines(box.position, hand) for hand in box.hands] for box in boxes],
            [insurance_line(table, self.dealer, box) for box in boxes if box.insurance],
            self.optional.lines() if self.optional is not None else (),
            self.dealer.blackjack and self.dealer.peeked,
        )
        return ordered + fixed_bonus_lines(table, self.round)


def wagers_apart(table: SettleTable, dealer: DealerHand, box: Box) -> list[Apart]:
    """Which hands of a split box are treated apart: see `Apart`."""
    hands = box.hands
    over = [sum(VALUES[card] for card in hand.cards) > 21 for hand in hands]
    if dealer.blackjack:
        # As many wagers as were placed before the deal are the dealer's; a hand over 21 has already lost one.
        left = len(box.initial) - sum(over)
        found: list[Apart] = []
        for bust in over:
            found.append("" if bust or left > 0 else "additional")
            left -= not bust
        return found
    # The first hand has the original wager, on which its cards are tucked; the others are collected as they go over.
    first = hands[0]
    waits = table.settling.tucked and over[0] and not all(over) and first.stake and first.from_split
    treated: list[Apart] = [""] * len(hands)
    if waits:
        treated[0] = "tucked"
    return treated


def insurance_net(table: SettleTable, dealer: DealerHand, box: Box) -> int:
    """Cents by which an Insurance Wager leaves the player better off; RuleError when there can be none."""
    check_insurance(table, dealer, box)
    return payout(table.insurance, box.insurance)[0] if dealer.blackjack else -box.insurance


def insurance_line(table: SettleTable, dealer: DealerHand, box: Box) -> Line:
    """What the Insurance Wager of a box became: 633a.8(c)-(d), 590.8(c)-(d), 635a.8(c)-(d)."""
    settling = table.settling
    stake = box.insurance
    stage = Stage.AFTER_READER
    if dealer.blackjack:
        row = table.insurance
        won, notes = payout(row, stake)
        words = f"the dealer has Blackjack, {odds_words(row, settling.insurance_won)}"
        return Line(
            *(box.position, None, "insurance", stake, "win", words, settling.insurance_won, row.odds, stake, won),
            source="tray",
            stage=stage,
            notes=notes,
        )
    words = "the dealer has no Blackjack, loses"
    return Line(
        *(box.position, None, "insurance", stake, "lost", words, settling.insurance_lost, None, 0, 0),
        source="tray",
        stage=stage,
    )


def _void(table: SettleTable, table_round: TableRound, clause: str, optional: OptionalSettlement | None) -> Settlement:
    """A void round: every wager goes back that was not settled before."""

    def lines() -> Iterable[Line]:
        made: list[Line] = []
        for box in reversed(table_round.boxes):
            placed = [(None, "insurance", box.insurance)] if box.insurance else []
            hands: list[tuple[int | None, str, int]] = [*placed]
            for hand in box.hands:
                if hand.end == "even_money":
                    made += hand_lines(table, table.dealer(table_round), box.position, hand, "", "")[1]
                    continue
                hands += [(hand.number, "main", hand.stake), (hand.number, "double", hand.double)]
            if not box.hands:
                hands += [(number + 1, "main", box.wager) for number in range(table.game.deal.hands)]
            made += [
                Line(
                    *(box.position, number, wager, staked, "returned", "the round is void: the wager is returned"),
                    *(clause, None, staked, 0),
                    source="tray",
                    stage=Stage.AFTER_DEAL,
                )
                for number, wager, staked in hands
                if staked
            ]
        return [*(optional.lines() if optional is not None else ()), *made]

    nets, tray = ([0] * 8, 0) if optional is None else (optional.nets[:], optional.tray)
    for box in table_round.boxes:
        won = sum(hand.stake for hand in box.hands if hand.end == "even_money")
        nets[box.position] += won
        tray -= won
    return Settlement(nets, tray, 0, _NO_METERS, lines)
