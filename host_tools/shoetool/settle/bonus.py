"""Bonuses of a 21 by its cards, 635a.12(b), and the fixed sums beside a suited 7-7-7 against a 7, 635a.12(c)."""

from __future__ import annotations

from typing import Final

from shoetool.rules.round import Box, Hand, Line, Stage, TableRound
from shoetool.settle.terms import Terms

_OUT: Final = frozenset({"dead", "rescued"})


def fixed_bonus_lines(terms: Terms, table_round: TableRound) -> list[Line]:
    """Lines of the fixed sums, none in nearly every round.

    The original wager decides the sum. Below the least wager nothing is paid, also not to the others. Every other
    player gets his sum once, whatever boxes he has and however many win. The rules submission may pay it by box, or
    also to each winner beside another winner, 635a.12(c)(3) (reading 68).
    """
    fixed = terms.settling.fixed_bonus
    if fixed is None or table_round.dealer[0] % 13 != fixed.up_rank:
        return []
    lines: list[Line] = []
    winners: set[str | int] = set()
    for box in reversed(table_round.boxes):
        key = next((key for least, key in fixed.sums if box.wager >= least), "")
        for hand in box.hands:
            # A hand that counts 21 in three cards wins whatever the dealer draws to a 7.
            if key and hand.end not in _OUT and bonus_of(terms, hand) in fixed.of:
                winners.add(player_of(box))
                lines.append(_line(terms, box, hand.number, key, "three 7s of one suit against the dealer's 7"))
    if not winners:
        return []
    others = terms.rules.fixed_sum_others
    # Beside another winner a winner is an "other player" himself, by one reading of the clause.
    none = winners if others != "winners_too" or len(winners) == 1 else set()
    paid: set[str | int] = set()
    for box in reversed(table_round.boxes):
        player = player_of(box)
        if player not in none and (player not in paid or others == "boxes"):
            paid.add(player)
            words = "another player has three 7s of one suit against the dealer's 7"
            lines.append(_line(terms, box, None, fixed.others, words))
    return lines


def bonus_of(terms: Terms, hand: Hand) -> str:
    """Return the key of the better odds that a hand of 21 has by its cards, "" for none.

    A doubled hand has none (635a.12(b), 635a.10(c)), nor has a split hand (635a.11(e)). So they get no fixed sum
    (635a.12(c)(4)).
    """
    cards = hand.cards
    if len(cards) < 3 or hand.double or hand.from_split:
        return ""
    for bonus in terms.settling.bonuses:
        if bonus.predicate(cards):
            return bonus.key
    return ""


def player_of(box: Box) -> str | int:
    """Return who bets on the box: the name of the player, else the position as a player of its own."""
    return box.player or box.position


def _line(terms: Terms, box: Box, hand: int | None, key: str, words: str) -> Line:
    row = terms.fixed[key]
    text = f"{words}, pays {row.odds.text}"
    return Line(
        *(box.position, hand, "bonus", 0, key, text, row.clause, row.odds, 0, row.odds.sum),
        source="tray",
        stage=Stage.MAIN,
    )
