"""Convert a round of a history into the input of `play`: stakes, cards in the order drawn, decisions, irregularities.

Playing it again under the rules shows which clause the round breaks, if any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shoetool.deal import Decision, Irregularity, Stake, play
from shoetool.model.cards import UNKNOWN, is_ten
from shoetool.model.protocol_table import IrregularityCode, Role
from shoetool.round_file.dealt_switch_hands import laid_aside
from shoetool.round_file.play import decisions_of, stakes_of
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.round import TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import DEALT_ROLES, DETERMINANTS, TURNED, Refilled
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND
from shoetool.table.round import Round as DealtRound

_FIRST: Final = 1
"""Detail of a hand that got one card: it missed its first."""
_HELD: Final = int(Role.HELD)
_STOPPED: Final = int(Role.STOPPED)
_BURN: Final = int(Role.BURN)
_DISCARDED: Final = int(Role.DISCARDED)
_LATE: Final = int(Role.LATE)
_ASIDE: Final = int(Role.DETERMINANT_ASIDE)
_DEALT: Final = DEALT_ROLES | set(DETERMINANTS)
_NOTHING_CHANGES: Final = frozenset(
    int(code)
    for code in (
        *(IrregularityCode.FACE_UP_CARD, IrregularityCode.CARD_DISCARDED, IrregularityCode.TEN_FOUND),
        *(IrregularityCode.FOREIGN_BATCH, IrregularityCode.EXTRA_CARD, IrregularityCode.DRAWN_WHILE_STOPPED),
        *(IrregularityCode.PULLED_BACK, IrregularityCode.SEAT_CHANGED, IrregularityCode.WRONG_KEY),
        *(IrregularityCode.BURN_MISSING, IrregularityCode.ORDERED_RESHUFFLE, IrregularityCode.SECOND_COVER_CARD),
        *(IrregularityCode.DRAWN_IN_ERROR, IrregularityCode.DRAWN_IN_ERROR_EXPOSED, IrregularityCode.CARD_REFUSED),
        *(IrregularityCode.MISSED_CARD, IrregularityCode.DEALER_DREW_ON_17, IrregularityCode.TOO_FEW_CARDS),
        *(IrregularityCode.READER_WRONG_UP_CARD, IrregularityCode.READER_MISUSED, IrregularityCode.PEEK_MISSED),
        *(IrregularityCode.READER_NOT_INSPECTED, IrregularityCode.DEALER_SHORT, IrregularityCode.HOLE_NOT_REVEALED),
        *(IrregularityCode.DRAWN_WHILE_FINISHED,),
    )
)
"""Irregularities that their cards or a decision show, or that do not change how the round is played."""


@dataclass(frozen=True, slots=True)
class PlayInput:
    """What `play` takes, without the submission. `determinant_from`: side of the determinant card, if there is one.
    `late`: positions in the order of their late cards."""

    stakes: tuple[Stake, ...]
    cards: tuple[int, ...]
    decisions: tuple[Decision, ...]
    irregularities: tuple[Irregularity, ...]
    determinant_from: str | None
    late: tuple[int, ...] = ()

    def play(self, rules: RulesSubmission) -> TableRound:
        """Play it by the rules of a table. RuleError where they forbid it."""
        given = (self.stakes, self.cards, self.decisions, self.irregularities)
        return play(rules, *given, determinant_from=self.determinant_from, late=self.late)


def play_input(round_: DealtRound, seats: tuple[BettingPosition, ...], burns: int = 0) -> PlayInput | None:
    """Return the round as input of `play`. None when the rules do not cover what happened in it.

    `burns`: how many cards the game burns before every round. They come first, as unknown cards. The checks of the shoe
    judge whether they were burned.

    None: a void round, an unknown or sealed card, a card that was taken out of a hand again, a card that was shown
    before the opening deal was over.
    """
    if round_.void:
        return None
    notes: list[Irregularity] = []
    cards = [UNKNOWN] * burns
    aside = laid_aside(round_) if round_.antes else set()
    dealt = _in_drawn_order(round_, aside)
    if dealt is None or not _note(round_, dealt, cards, notes, aside):
        return None
    first = round_.determinant
    side = None if first is None else "AB"[first.head & 1]
    late = _late_order(round_) if round_.irregularities else ()
    return PlayInput(
        tuple(stakes_of(seats, round_)), tuple(cards), tuple(decisions_of(seats)), tuple(notes), side, late
    )


def _late_order(round_: DealtRound) -> tuple[int, ...]:
    """Return the positions in the order of the late cards that they got after the hole card, 633a.14(i)."""
    hole = round_.hole.record if round_.hole is not None else round_.last
    return tuple(placed.box for placed in round_.placed if placed.role == _LATE and placed.record > hole)


def _in_drawn_order(round_: DealtRound, aside: set[int]) -> list[tuple[DrawnCard, int]] | None:
    """Return (card, role when it was drawn) of every card of the round; None when one was taken out of a hand again.

    aside: records of the cards that switch hands lays aside.
    """
    first: dict[int, tuple[DrawnCard, int]] = {}
    for drawn, role, _, _, record, how in round_.placed:
        known = first.get(drawn.record)
        if known is None:
            first[drawn.record] = (drawn, role if drawn.record == record else _HELD)
        elif known[1] in _DEALT and role != known[1] and how != TURNED and role != _ASIDE and drawn.record not in aside:
            return None
    return [first[number] for number in sorted(first)]


def _note(
    round_: DealtRound,
    dealt: list[tuple[DrawnCard, int]],
    cards: list[int],
    notes: list[Irregularity],
    aside: set[int],
) -> bool:
    """Fill cards and irregularities. False when the rules do not cover one."""
    extra = any(report.code == IrregularityCode.DEALER_DREW_ON_17 for report in round_.irregularities)
    refilled = next((refill.record for refill in round_.of(Refilled)), round_.last + 1)
    deal_over = round_.hole.record if round_.hole is not None else round_.last
    used = {one.card.record: one.record for one in reversed(round_.placed) if one.role != _HELD}  # by its first use
    for drawn, role in dealt:
        if drawn.role == _STOPPED or role == _STOPPED:
            continue
        at = len(cards)
        if drawn.role == _BURN:
            if drawn.record < refilled:
                continue  # burned before the round
            notes.append(Irregularity("too_few", at))
            cards.append(drawn.card if 0 <= drawn.card < 52 else UNKNOWN)
            continue
        known = 0 <= drawn.card < 52
        if not known and drawn.record not in aside:
            return False
        cards.append(drawn.card if known else UNKNOWN)
        if role == _HELD:
            seen = drawn.opened if drawn.sealed else drawn.record
            exposed = seen < used.get(drawn.record, seen + 1)
            if exposed and seen < deal_over:
                return False
            notes.append(Irregularity("exposed" if exposed else "unexposed", at))
        elif drawn.role == _DISCARDED and drawn.record not in aside:
            if not (extra or is_ten(drawn.card)):
                return False
            notes.append(Irregularity("dealer_extra" if extra else "ten_found", at))
    for code, box, hand, _, detail, _ in round_.irregularities:
        if code in _NOTHING_CHANGES:
            continue
        if code == IrregularityCode.HAND_WITHOUT_CARDS:
            notes.append(Irregularity("no_cards", None, box, hand))
        elif code == IrregularityCode.HAND_WITH_ONE_CARD:
            found = round_.hands.get(box << 8 | hand)
            got = 0 if found is None else len(found.cards)
            if hand == SWITCH_HAND:
                got = len(round_.switch_cards.get(box, ()))
            accepted = got > 1
            choice = "accept" if accepted else "refuse"
            notes.append(Irregularity("one_card", None, box, hand, choice, 1 if detail == _FIRST else 2))
        elif code == IrregularityCode.DEALER_MISSED_CARD:
            notes.append(Irregularity("dealer_missed", choice="up"))
        elif code == IrregularityCode.WRONG_SIDE:
            if not any(note.kind == "wrong_side" for note in notes):
                notes.append(Irregularity("wrong_side"))
        else:
            return False
    return True
