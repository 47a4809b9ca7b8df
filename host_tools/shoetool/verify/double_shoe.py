"""Rounds of a double shoe: the determinant card, the side it names, and the side that was really dealt from."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.verdicts import BREACH, CANNOT_TELL, HANDLED
from shoetool.model.cards import card_name, is_red
from shoetool.model.protocol_table import Color, IrregularityCode, RecordKind, Role
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.verify.context import Context, faces

_FIRST: Final = int(Role.DETERMINANT_FIRST)
_ASIDE: Final = int(Role.DETERMINANT_ASIDE)
_SKIPS: Final = (IrregularityCode.HAND_WITHOUT_CARDS, IrregularityCode.HAND_WITH_ONE_CARD)
_DETERMINANTS: Final = frozenset((int(Role.DETERMINANT_FIRST), int(Role.DETERMINANT_ASIDE)))
_DEALT: Final = frozenset(
    int(role)
    for role in (
        *(Role.OPENING, Role.DEALER_UP, Role.HOLE, Role.DRAW, Role.DOUBLE_DRAW),
        *(Role.SPLIT_SECOND, Role.DEALER_DRAW, Role.LATE, Role.SWITCH_HAND),
    )
)
_MOVES: Final = (int(RecordKind.MOVED), int(RecordKind.OPENED))


def side_named(ctx: Context, card: int) -> int:
    """Side that a determinant card names: 0 for A, 1 for B (633a.7(d)(1) mapping)."""
    reds_to_a = ctx.table.side_a_color == Color.RED_SUITS
    return 0 if is_red(card) == reds_to_a else 1


def check_double(ctx: Context, round_: Round) -> None:
    """633a.7(d) and 633a.14(h) on one round of a double shoe."""
    card = round_.determinant
    dealt = [step for step in round_.steps if step[1] is not None and step[2] in _DEALT]
    if card is None:
        if dealt:
            ctx.add(
                reg.DETERMINANT,
                BREACH,
                (round_.record, dealt[0][0].number),
                "cards were dealt without a determinant card.",
                (),
                round_,
            )
        return
    first_use = next((step for step in round_.steps if step[2] in _DETERMINANTS), None)
    if dealt and first_use is not None and dealt[0][0].number < first_use[0].number:
        text = "the determinant card was not the first card of the round."
        ctx.add(reg.DETERMINANT, BREACH, (dealt[0][0].number, card.record), text, faces((card,)), round_)
    named = _named_side(ctx, round_)
    if named is None:
        return
    _from_wrong_side(ctx, round_, named)


def _named_side(ctx: Context, round_: Round) -> int | None:
    """Check what became of the determinant card; the side that deals, None when it cannot be told."""
    card = round_.determinant
    assert card is not None
    records = (card.record, card.placed, round_.side_record)
    if not card.known:
        text = "the determinant card is unknown, so the side of this round cannot be checked."
        ctx.add(reg.MAPPING, CANNOT_TELL, records, text, (), round_)
        return None
    named = side_named(ctx, card.card)
    name = card_name(card.card)
    if round_.side >= 0 and round_.side != named:
        text = f"the determinant card {name} names side {'AB'[named]}, the shoe chose side {_letter(round_.side)}."
        ctx.add(reg.MAPPING, BREACH, records, text, faces((card,)), round_)
    if round_.side < 0 and round_.settled:
        text = f"the determinant card {name} names side {'AB'[named]}; the shoe did not say which side it chose."
        ctx.add(reg.MAPPING, CANNOT_TELL, records, text, faces((card,)), round_)
    seats = round_.seat_list()
    if card.role == _FIRST:
        if card.head != named:
            text = f"the determinant card {name} came from side {_letter(card.head)}, names the other and was dealt."
            ctx.add(reg.MISMATCH, BREACH, records, text, faces((card,)), round_)
        elif seats and card.box != seats[0]:
            text = f"the determinant card {name} went to {place(card.box)}, not to position {seats[0]}."
            ctx.add(reg.MATCH, BREACH, records, text, faces((card,)), round_)
    elif card.role != _ASIDE:  # the first position was skipped, 633a.14(g), and the cards behind moved up
        if 0 < card.box < 9 and not any(
            record.values[0] in _SKIPS and record.values[1] in seats[:1] for record in round_.irregularities
        ):
            text = f"the determinant card {name} went to {place(card.box)}, not to position {seats[0] if seats else 1}."
            ctx.add(reg.MATCH, BREACH, records, text, faces((card,)), round_)
    elif card.head == named:
        text = f"the determinant card {name} came from the side it names and was set aside; it was the first card."
        ctx.add(reg.MATCH, BREACH, records, text, faces((card,)), round_)
    return named


def _from_wrong_side(ctx: Context, round_: Round, named: int) -> None:
    """633a.14(h): one finding for all cards of the round that came from the other side."""
    told = [record for record in round_.irregularities if record.values[0] == IrregularityCode.WRONG_SIDE]
    wrong = [
        step[1]
        for step in round_.steps
        # A card drawn in error before the side was known came from no wrong side, unless the shoe says so.
        if step[1] is not None and step[2] in _DEALT and step[1].head != named and (told or step[0].kind not in _MOVES)
    ]
    records = [card.record for card in wrong] + [record.number for record in told]
    if wrong:
        number = f"{len(wrong)} cards" if len(wrong) > 1 else "a card"
        text = f"{number} came from side {'AB'[1 - named]} although the determinant card named side {'AB'[named]}; "
        if round_.void:
            ctx.add(reg.WRONG_SIDE, BREACH, records, text + "the round was voided.", faces(wrong), round_)
        else:
            text += "the round was finished as if they were right."
            ctx.add(reg.WRONG_SIDE, HANDLED, records, text, faces(wrong), round_)
    elif told:
        text = "the shoe reported a card from the wrong side; its records show none that was dealt."
        ctx.add(reg.UNEXPLAINED, CANNOT_TELL, records, text, (), round_)


def _letter(head: int) -> str:
    return "AB"[head] if head < 2 else "?"
