"""Reject hands that no round can end with, each with its clause: a wrong payout is worse than none."""

from __future__ import annotations

from shoetool.judge.allowed import No, Standing, no_even_money, no_insurance, no_rescue, no_surrender
from shoetool.model.money import dollars
from shoetool.rules.hands import STANDS_ON, is_natural
from shoetool.rules.round import Box, Hand
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers.catalogue import WAGERS, title_of
from shoetool.settle.dealer import DealerHand
from shoetool.settle.terms import Terms


def check_hand(terms: Terms, dealer: DealerHand, position: int, hand: Hand, total: int) -> None:
    """Raise RuleError when the hand, which counts `total`, cannot have ended as stated against this dealer's hand."""
    refused = _refused(terms, dealer, hand, total)
    if refused is not None:
        clause, text = refused
        raise RuleError(clause, f"position {position}, hand {hand.number}: {text}")


def check_insurance(terms: Terms, dealer: DealerHand, box: Box) -> None:
    """Raise RuleError for insurance without an ace up, or above half the wagers not paid even money (.8(b))."""
    clauses = terms.game.clauses
    if no_insurance(terms.game, dealer.up):
        raise RuleError(clauses.insurance, f"position {box.position}: insurance without an ace up")
    insurable = max(len(box.initial), 1) - sum(hand.end == "even_money" for hand in box.hands)
    limit = terms.rules.insurance_limit(box.wager, insurable)
    if box.insurance > limit:
        placed, most = dollars(box.insurance), dollars(limit)
        raise RuleError(clauses.insurance_amount, f"position {box.position}: insurance of ${placed}; at most ${most}")


def check_undrawn(terms: Terms, dealer: DealerHand, box: Box) -> None:
    """Raise RuleError when the dealer stopped below 17 and an optional wager of the box waits for cards; reading 21."""
    if dealer.total >= STANDS_ON or terms.draw_for.isdisjoint(box.side):
        return
    if all(len(cards) > 1 for cards in box.initial):
        key = min(terms.draw_for.intersection(box.side))
        text = f"position {box.position}: the dealer stopped at {dealer.total}, and {title_of(key)} waits for his cards"
        own = WAGERS[key].draw
        raise RuleError(terms.game.clauses.dealer_draw if own is None else own.clause, text)


def _refused(terms: Terms, dealer: DealerHand, hand: Hand, total: int) -> tuple[str, str] | None:
    """Return clause and reason; None for a possible hand."""
    clauses = terms.game.clauses
    count = len(hand.cards)
    end = hand.end
    standing = Standing(hand.cards, hand.from_split, hand.double > 0, False, hand.switched)
    if (hand.lammer or hand.free_double) and "lammer" not in terms.main:
        only = "stands for a lammer, which only Free Bet Blackjack has"
        return (clauses.split, f"a free split {only}") if hand.lammer else (clauses.double, f"a free double {only}")
    if end == "dead":
        return None
    # A split hand keeps its one card when the player refused the next and gets no more: 633a.14(c) refusal.
    if count < 2 and not (count == 1 and hand.from_split and end == "stand"):
        return clauses.one_card, "a hand of fewer than two cards that is not dead"
    if end == "even_money":
        wrong = no_even_money(terms.game, standing, dealer.up)
        if wrong in (No.NOT_OFFERED, No.UP_CARD):
            return clauses.even_money or clauses.insurance, "even money without an ace up, or in a game that has none"
        if not terms.rules.even_money:
            return clauses.even_money, "even money, which is not offered at this table"
        return (clauses.even_money, "even money without a Blackjack") if wrong else None
    if end == "surrendered":
        if terms.game.facts.surrender and terms.rules.surrender == "none":
            return clauses.surrender, "surrendered, which is not offered at this table"
        if standing.blackjack:
            return clauses.choices, "a Blackjack is not surrendered"
        text = "only a hand of its first two cards can be surrendered"
        return (clauses.surrender, text) if no_surrender(terms.game, standing) else None
    if end == "rescued":
        wrong = no_rescue(terms.game, standing)
        if wrong is No.OVER_21:
            return clauses.rescue, f"{total} is over 21, so the double cannot be rescued"
        return (clauses.rescue or clauses.double, "no double that could be rescued") if wrong else None
    if end == "bust" and total <= 21:
        return clauses.draw, f"called over 21, but it counts {total}"
    if end == "blackjack" and not (total == 21 and count == 2):
        return clauses.no_draw_21, "called a Blackjack, but it is not one"
    if end == "dealer_blackjack" and not dealer.blackjack:
        return clauses.dealer_blackjack, "not played for a dealer's Blackjack, but the dealer has none"
    return _waits_in_vain(terms, dealer, hand, total)


def _waits_in_vain(terms: Terms, dealer: DealerHand, hand: Hand, total: int) -> tuple[str, str] | None:
    """Return the error for a hand that waits for the total of a dealer who stopped too early, 633a.7(m)."""
    if total > 21 or dealer.blackjack or dealer.total >= STANDS_ON:
        return None
    if not terms.game.waits_for_total(hand.cards, is_natural(hand, total)):
        return None
    text = f"the dealer stopped at {dealer.total}, and this hand of {total} waits for his total"
    return terms.game.clauses.dealer_draw, text
