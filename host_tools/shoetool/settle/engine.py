"""Settle a round: every wager of every player, by the clauses of the game's chapter.

There is one engine for all games. The differences are in the declarations of games (`games/settling*.py`) and wagers
(`wagers/`), and in the paytables. Each wager becomes lines; the amounts are the sums of the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoetool.model.cards import VALUES
from shoetool.rules.hands import best_total
from shoetool.rules.round import Box, Hand, Line, Settlement, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.hybrid_table import BUST_INSURANCE, SPLIT_OVER
from shoetool.rules.wagers.pressing import area_of
from shoetool.settle.ante import ante_lines
from shoetool.settle.bonus import fixed_bonus_lines
from shoetool.settle.check import check_hand, check_insurance, check_undrawn
from shoetool.settle.dealer import DealerHand, dealer_hand
from shoetool.settle.hand import Apart, hand_lines
from shoetool.settle.ledger import in_order
from shoetool.settle.mystery_round import Won, mystery_lines
from shoetool.settle.optional import optional_lines
from shoetool.settle.payout import odds_words, payout
from shoetool.settle.terms import Terms, terms_of
from shoetool.settle.w2g import with_w2g_notes


def settle(table_round: TableRound, submission: RulesSubmission, won: Won | None = None) -> Settlement:
    """Return the settlement of the round at this table.

    won: who won a mystery bonus, where the meter is followed from round to round; None for what the round itself tells.
    RuleError, with the clause, when the round cannot have ended so: a wager is not offered, the dealer stopped below 17
    while a hand waits for his total, or a hand is not what the round calls it.
    """
    terms = terms_of(submission)
    if table_round.game != submission.game:
        text = f"a round of {table_round.game} cannot be settled at a table of {submission.game}"
        raise RuleError(terms.game.clauses.main_wager, text)
    mystery = mystery_lines(table_round, submission, won)
    optional = [*ante_lines(terms, table_round), *optional_lines(terms, table_round)]
    if table_round.void is not None:
        optional.sort(key=_stage)
        void = [*mystery, *optional, *_returned(terms, table_round, table_round.void)]
        return Settlement.of(with_w2g_notes(void, table_round, submission))
    shared = None if terms.game.no_hole else dealer_hand(terms.game, table_round)
    hands: list[list[Line]] = []
    insurance: list[Line] = []
    for box in table_round.boxes:
        dealer = shared or dealer_hand(terms.game, table_round, box)
        hands += _hands(terms, dealer, box)
        if box.insurance:
            check_insurance(terms, dealer, box)
            insurance.append(_insurance(terms, dealer, box))
        if box.side:
            check_undrawn(terms, dealer, box)
    procedure = submission.settlement_procedure
    ordered = in_order(terms.settling, procedure, hands, insurance, optional, shared is not None and shared.peeked)
    lines = [*mystery, *ordered, *fixed_bonus_lines(terms, table_round)]
    return Settlement.of(with_w2g_notes(lines, table_round, submission))


def _stage(line: Line) -> int:
    return tuple(Stage).index(line.stage)


def _hands(terms: Terms, dealer: DealerHand, box: Box) -> Iterator[list[Line]]:
    """Return the lines of each hand of a box. RuleError for a hand that cannot have ended so."""
    for hand, apart in zip(box.hands, _apart(terms, dealer, box), strict=True):
        check_hand(terms, dealer, box.position, hand, best_total(hand.cards))
        yield hand_lines(terms, dealer, box, hand, apart)


def _apart(terms: Terms, dealer: DealerHand, box: Box) -> Sequence[Apart]:
    """Return which hands of a split box are treated apart: see `Apart`."""
    hands = box.hands
    treated: list[Apart] = [""] * len(hands)
    if len(hands) < 2:
        return treated
    over = [sum(VALUES[card] for card in hand.cards) > 21 for hand in hands]
    if dealer.blackjack and terms.game.no_hole:
        # 633c.5(bb)(1): the first wager is lost, and the split wager comes back unless its hand is over 21.
        kept = not any(over) or SPLIT_OVER.of(terms.rules) == "own"
        return ["additional" if number and kept and not bust else "" for number, bust in enumerate(over)]
    if dealer.blackjack:
        # The dealer takes as many wagers as were placed before the deal. A hand over 21 has already lost one.
        left = len(box.initial) - sum(over)
        for number, bust in enumerate(over):
            if not bust and left <= 0:
                treated[number] = "additional"
            left -= not bust
        return treated
    # The first hand has the original wager; its cards are tucked under it. The others are collected as they go over.
    first = hands[0]
    if terms.settling.tucked and over[0] and not all(over) and first.stake and first.from_split:
        treated[0] = "tucked"
    return treated


def _insurance(terms: Terms, dealer: DealerHand, box: Box) -> Line:
    """Return the line of a box's Insurance Wager: 633a.8(c)-(d), 590.8(c)-(d), 635a.8(c)-(d)."""
    settling = terms.settling
    stake = box.insurance
    when = Stage.ANY_TIME if terms.game.no_hole else Stage.AFTER_READER
    gone = terms.game.no_hole and BUST_INSURANCE.of(terms.rules) == "lost" and all(map(_over_21, box.hands))
    if not dealer.blackjack or gone:
        words = "lost with the hand, which is over 21" if gone else "the dealer has no Blackjack, loses"
        clause = _by_second_card(box, False) if terms.game.no_hole else settling.insurance_lost
        lost = (box.position, None, "insurance", stake, "lost", words, clause, None, 0, 0)
        return Line(*lost, source=terms.source, stage=when)
    row = terms.insurance
    clause = _by_second_card(box, True) if terms.game.no_hole else settling.insurance_won
    won, notes = payout(row, stake)
    words = f"the dealer has Blackjack, {odds_words(row, clause)}"
    paid = (box.position, None, "insurance", stake, "win", words, clause, row.odds, stake, won)
    return Line(*paid, source=terms.source, stage=when, notes=notes)


def _by_second_card(box: Box, won: bool) -> str:
    """The clause by which the dealer's second card decides insurance of a Blackjack, of two cards, of a hand that drew.

    633c.5(aa)(1)(i), 633c.5(aa)(1)(ii), 633c.5(aa)(2)(i), 633c.5(aa)(2)(ii), 633c.5(bb)(1), 633c.5(bb)(2).
    """
    if all(hand.end == "blackjack" for hand in box.hands):
        return f"633c.5(aa)(1){'(i)' if won else '(ii)'}"
    if all(len(hand.cards) == 2 and not hand.from_split for hand in box.hands):
        return f"633c.5(aa)(2){'(i)' if won else '(ii)'}"
    return f"633c.5(bb){'(1)' if won else '(2)'}"


def _over_21(hand: Hand) -> bool:
    return best_total(hand.cards) > 21


def _returned(terms: Terms, table_round: TableRound, clause: str) -> Iterator[Line]:
    """Return the lines of a void round: insurance and main wagers go back, unless they were settled before."""
    words = "the round is void: the wager is returned"
    for box in reversed(table_round.boxes):
        wagers: list[tuple[int | None, str, int]] = [(None, "insurance", box.insurance)]
        apart = area_of(box.pressed)
        for hand in box.hands:
            if hand.end == "even_money":
                dealer = dealer_hand(terms.game, table_round)
                check_hand(terms, dealer, box.position, hand, best_total(hand.cards))
                yield from hand_lines(terms, dealer, box, hand, "")
            else:
                wagers += [(hand.number, "main", hand.stake), (hand.number, "double", hand.double)]
                wagers.append((hand.number, "press", 0 if apart is None else apart.cents))
        if not box.hands:
            wagers += [(number + 1, "main", box.wager) for number in range(terms.game.deal.hands)]
        for number, wager, staked in wagers:
            if staked:
                back = (box.position, number, wager, staked, "returned", words, clause, None, staked, 0)
                yield Line(*back, source=terms.source, stage=Stage.AFTER_DEAL)
