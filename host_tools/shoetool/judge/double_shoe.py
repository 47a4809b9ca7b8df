"""Rounds of a double shoe: the determinant card, the side it names, and the side that was really dealt from."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import CANNOT_TELL, HANDLED, Objection
from shoetool.model.cards import card_name, is_red
from shoetool.model.protocol_table import Color, IrregularityCode, Role
from shoetool.table.actions import DEALT_ROLES, DETERMINANTS, SKIPS
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.table.table import Table

_DEALT: Final = (DEALT_ROLES | {int(Role.SWITCH_HAND)}) - {Role.DETERMINANT_FIRST}


def side_named(table: Table, card: int) -> int:
    """Side that a determinant card names: 0 for A, 1 for B (633a.7(d)(1) mapping)."""
    reds_to_a = table.side_a_color == Color.RED_SUITS
    return 0 if is_red(card) == reds_to_a else 1


def double_shoe(table: Table, round_: Round) -> Iterator[Objection]:
    """633a.7(d) and 633a.14(h) on one round of a double shoe."""
    card = round_.determinant
    dealt = [placed for placed in round_.placed if placed.role in _DEALT]
    if card is None:
        if dealt:
            text = "cards were dealt without a determinant card."
            yield Objection(reg.DETERMINANT, text, (round_.record, dealt[0].record))
        return
    first_use = next((placed for placed in round_.placed if placed.role in DETERMINANTS), None)
    if dealt and first_use is not None and dealt[0].record < first_use.record:
        text = "the determinant card was not the first card of the round."
        yield Objection(reg.DETERMINANT, text, (dealt[0].record, card.record), (card,))
    named = yield from _named_side(table, round_)
    if named is not None:
        yield from _from_wrong_side(round_, named)


def _named_side(table: Table, round_: Round) -> Generator[Objection, None, int | None]:
    """Check what became of the determinant card; the side that deals, None when it cannot be told."""
    card = round_.determinant
    assert card is not None
    records = (card.record, card.placed, round_.side_record)
    if not card.known:
        text = "the determinant card is unknown, so the side of this round cannot be checked."
        yield Objection(reg.MAPPING, text, records, verdict=CANNOT_TELL)
        return None
    named = side_named(table, card.card)
    name = card_name(card.card)
    if round_.side >= 0 and round_.side != named:
        text = f"the determinant card {name} names side {'AB'[named]}, the shoe chose side {_letter(round_.side)}."
        yield Objection(reg.MAPPING, text, records, (card,))
    if round_.side < 0 and round_.settled:
        text = f"the determinant card {name} names side {'AB'[named]}; the shoe did not record which side it chose."
        yield Objection(reg.MAPPING, text, records, (card,), verdict=CANNOT_TELL)
    seats = round_.seat_list()
    if card.role == Role.DETERMINANT_FIRST:
        if card.head != named:
            text = (
                f"the determinant card {name} came from side {_letter(card.head)}, names the other side and was dealt."
            )
            yield Objection(reg.MISMATCH, text, records, (card,))
        elif seats and card.box != seats[0]:
            text = f"the determinant card {name} went to {place(card.box)}, not to position {seats[0]}."
            yield Objection(reg.MATCH, text, records, (card,))
    elif card.role != Role.DETERMINANT_ASIDE:
        # When the first position was skipped, 633a.14(g), the cards behind moved up.
        if 0 < card.box < 8 and not any(told.code in SKIPS and told.box in seats[:1] for told in round_.irregularities):
            text = f"the determinant card {name} went to {place(card.box)}, not to position {seats[0] if seats else 1}."
            yield Objection(reg.MATCH, text, records, (card,))
    elif card.head == named:
        text = f"the determinant card {name} came from the side it names and was set aside; it was the first card."
        yield Objection(reg.MATCH, text, records, (card,))
    return named


def _from_wrong_side(round_: Round, named: int) -> Iterator[Objection]:
    """633a.14(h): one finding for all cards of the round that came from the other side."""
    told = [report for report in round_.irregularities if report.code == IrregularityCode.WRONG_SIDE]
    wrong = [
        placed.card
        for placed in round_.placed
        # A card drawn in error before the side was known came from no wrong side, unless the shoe says so.
        if placed.role in _DEALT and placed.card.head != named and (told or not placed.how)
    ]
    records = [card.record for card in wrong] + [report.record for report in told]
    if wrong:
        number = f"{len(wrong)} cards" if len(wrong) > 1 else "a card"
        text = f"{number} came from side {'AB'[1 - named]} although the determinant card named side {'AB'[named]}; "
        if round_.void:
            yield Objection(reg.WRONG_SIDE, text + "the round was voided.", records, wrong)
        else:
            text += "the round was finished as if they were right."
            yield Objection(reg.WRONG_SIDE, text, records, wrong, verdict=HANDLED)
    elif told:
        text = "the shoe reported a card from the wrong side; its records show none that was dealt."
        yield Objection(reg.UNEXPLAINED, text, records, verdict=CANNOT_TELL)


def _letter(head: int) -> str:
    return "AB"[head] if head < 2 else "?"
