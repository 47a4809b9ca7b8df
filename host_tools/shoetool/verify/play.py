"""A round played again from its records: opening deal, players' cards, hand by hand, against the procedure.

One pass over the steps with plain integers, because every record of a history comes through here.
"""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import VALUES, card_name, is_ten
from shoetool.model.protocol_table import Game, HandEnd, IrregularityCode, Peek, RecordKind, Role
from shoetool.table.round import SWITCH_HAND, DrawnCard, Round
from shoetool.verify import registry as reg
from shoetool.verify.context import Context, faces, place
from shoetool.verify.findings import BREACH
from shoetool.verify.from_the_hand import check_from_the_hand
from shoetool.verify.seat import DEAD, Seat
from shoetool.verify.switch import NO_SURRENDER, check_switch

_OPENING: Final = int(Role.OPENING)
_DISCARDED: Final = int(Role.DISCARDED)
_UP: Final = int(Role.DEALER_UP)
_HOLE: Final = int(Role.HOLE)
_DRAW: Final = int(Role.DRAW)
_DOUBLE: Final = int(Role.DOUBLE_DRAW)
_SECOND: Final = int(Role.SPLIT_SECOND)
_FIRST: Final = int(Role.DETERMINANT_FIRST)
_LATE: Final = int(Role.LATE)
_STOOD: Final = int(HandEnd.STAND)
_SWITCH_HAND: Final = int(Role.SWITCH_HAND)
_HAND_ENDED: Final = int(RecordKind.HAND_ENDED)
_DOUBLED: Final = int(RecordKind.DOUBLED)
_SPLIT: Final = int(RecordKind.SPLIT)
_SWITCHED: Final = int(RecordKind.SWITCHED)
_CHOICE: Final = int(RecordKind.SWITCH_HAND)
_IRREGULARITY: Final = int(RecordKind.IRREGULARITY)
_MOVES: Final = frozenset((int(RecordKind.MOVED), int(RecordKind.OPENED)))
_FIRST_CARDS: Final = frozenset((_OPENING, _FIRST))
_DEALERS: Final = frozenset((_UP, _HOLE))
_OPENING_DEAL: Final = _FIRST_CARDS | _DEALERS
_PLAYS: Final = frozenset((_DRAW, _DOUBLE, _SECOND))
_TO_PLAYERS: Final = _FIRST_CARDS | _PLAYS | {_LATE}
_BY_CARDS: Final = frozenset(int(end) for end in (HandEnd.BUST, HandEnd.TWENTY_ONE, HandEnd.BLACKJACK, HandEnd.DOUBLED))
_NO_BLACKJACK: Final = (HandEnd.STAND, HandEnd.TWENTY_ONE, HandEnd.DOUBLED, HandEnd.SURRENDERED)
_FREE_BET_HANDS: Final = 4


def play_again(ctx: Context, round_: Round) -> list[Seat]:
    """Check opening deal, turns and hands of a round; return its hands as they stood at the end."""
    seats: dict[int, Seat] = {}
    row: list[Seat] | None = None
    current = 0
    dealt: list[int] = []
    cards: list[DrawnCard] = []
    chosen: set[int] = set()
    for record, drawn, role, box, hand in round_.steps:
        kind = record[3]
        if drawn is not None:
            if kind in _MOVES:
                for other in seats.values():
                    if drawn in other.cards:
                        other.give(drawn)
                        other.after_double = max(0, other.after_double - 1)
                        if other.ended in _BY_CARDS:
                            other.ended = -1  # the card that ended it was not its own
                if role == _DISCARDED and drawn in cards and dealt[cards.index(drawn)] & 15 in chosen:
                    pass  # switch hands: it was dealt as it should be, and the position plays its other cards
                elif drawn in cards and not (
                    ctx.table.spanish and is_ten(drawn.card)
                ):  # a 10 was dealt, then taken out
                    _moved_in_opening(dealt, cards, drawn, role, box | hand << 4)
                elif role in _OPENING_DEAL:
                    dealt.append(box | hand << 4)
                    cards.append(drawn)
            elif role in _OPENING_DEAL:
                dealt.append(box | hand << 4)
                cards.append(drawn)
            if role in _DEALERS:
                continue
            if role not in _TO_PLAYERS and (role != _SWITCH_HAND or hand == SWITCH_HAND):
                continue
            if not 0 < box < 9:
                continue
            key = box << 8 | hand
            seat = seats.get(key)
            if seat is None:
                seat = seats[key] = Seat(box, hand)
                if row is not None:
                    row.append(seat)
            if role in _PLAYS:
                if row is None:
                    row = sorted(seats.values(), key=_box)
                while current < len(row) and (row[current].ended >= 0 or row[current].waits):
                    current += 1
                if current < len(row) and row[current] is not seat and seat.ended < 0:
                    _out_of_turn(ctx, round_, drawn, seat, row[current])
                _may_draw(ctx, round_, drawn, seat, record[0])
                if seat.doubled >= 0:
                    seat.after_double += 1
            elif role == _LATE:
                if seat.waits and seat.ended == _STOOD:
                    seat.ended = -1  # it goes on while it counts less than 21
                seat.waits = False
                current = 0
            seat.take(drawn)
        elif kind == _HAND_ENDED:
            values = record[4]
            found = seats.get(values[0] << 8 | values[1])
            if found is not None:
                _ended(ctx, round_, record[0], found, values[2])
        elif kind == _DOUBLED:
            values = record[4]
            found = seats.get(values[0] << 8 | values[1])
            if found is not None:
                _may_double(ctx, round_, record[0], found)
                found.doubled = record[0]
        elif kind == _SWITCHED:
            row = row or sorted(seats.values(), key=_box)
            check_switch(ctx, round_, record, seats, row)
            current = 0
        elif kind == _CHOICE:
            chosen.add(record[4][0])
        elif kind == _SPLIT:
            if row is None:
                row = sorted(seats.values(), key=_box)
            _do_split(ctx, round_, record[0], record[4], seats, row)
            current = 0
        elif kind == _IRREGULARITY and record[4][0] in _WAITING:
            values = record[4]
            found = seats.get(values[1] << 8 | values[2])
            if found is None and values[2] != SWITCH_HAND and ctx.table.game != Game.SWITCH:
                found = seats.get(values[1] << 8)
            if found is not None:
                found.waits = found.again = True
    _opening(ctx, round_, dealt)
    if round_.settled:
        _finished_hands(ctx, round_, seats)
    if ctx.table.game == Game.FROM_THE_HAND:
        check_from_the_hand(ctx, round_, list(seats.values()))
    return list(seats.values())


_WAITING: Final = (
    IrregularityCode.MISSED_CARD,
    IrregularityCode.HAND_WITHOUT_CARDS,
    IrregularityCode.HAND_WITH_ONE_CARD,
)


def _moved_in_opening(dealt: list[int], cards: list[DrawnCard], drawn: DrawnCard, role: int, box: int) -> None:
    """A card of the opening deal got another place (633a.14(g)): the order is that in which the cards were drawn."""
    at = cards.index(drawn)
    if role in _OPENING_DEAL:
        dealt[at] = box
    else:
        del dealt[at], cards[at]


def _box(seat: Seat) -> int:
    return seat.box << 4 | seat.hand


def _out_of_turn(ctx: Context, round_: Round, drawn: DrawnCard, seat: Seat, due: Seat) -> None:
    same = seat.box == due.box
    ctx.add(
        reg.SPLIT_ORDER if same else reg.TURN,
        BREACH,
        (drawn.record, drawn.placed),
        f"{seat.name()} got a card while {due.name()} had not ended its hand.",
        faces((drawn,)),
        round_,
    )


def _may_draw(ctx: Context, round_: Round, drawn: DrawnCard, seat: Seat, at: int) -> None:
    """633a.7(k), (k)(1), (k)(2): who may get one more card."""
    if seat.doubled >= 0:
        if seat.after_double:
            ctx.add(
                reg.ONE_CARD,
                BREACH,
                (seat.doubled, drawn.record),
                f"{seat.name()} doubled and got more than one card.",
                faces((drawn,)),
                round_,
            )
        return
    # A card of the hand that was turned only later told nobody its total now; dealt from the hand it told the player.
    seen = not seat.unknown and not any(card.opened > at for card in seat.cards)
    known = seen or (not seat.unknown and ctx.table.game == Game.FROM_THE_HAND)
    if known and len(seat.cards) > 1 and seat.total() == 21:
        ctx.add(
            reg.NO_DRAW,
            BREACH,
            (drawn.record, drawn.placed),
            f"{seat.name()} had 21 and got a further card.",
            faces((*seat.cards, drawn)),
            round_,
        )
    elif (seat.ended >= 0 and not seat.waits) or (seen and seat.total() > 21):
        ctx.add(
            reg.HAND_OVER,
            BREACH,
            (seat.end_record, drawn.record, drawn.placed),
            f"{seat.name()} had ended its hand and got a further card.",
            faces((*seat.cards, drawn)),
            round_,
        )


def _ended(ctx: Context, round_: Round, record: int, seat: Seat, why: int) -> None:
    """633a.7(k): the hand ended for the reason that its cards show."""
    before, seat.ended, seat.end_record = seat.ended, why, record
    again, seat.again = seat.again, False
    reports = [report.values for report in round_.irregularities if report.number < record]
    wrong = None
    before_turn = round_.revealed < 0 or record < round_.revealed
    rescued = ctx.table.spanish and before == HandEnd.DOUBLED and why == HandEnd.SURRENDERED and before_turn
    if before >= 0 and not again and not rescued:
        wrong = "ended twice"
    elif why == HandEnd.DEAD and not any(code in _WAITING and box == seat.box for code, box, *_ in reports):
        wrong = "was ended as dead and no irregularity says why"
    elif why == HandEnd.DEALER_BLACKJACK and not any(
        step[0].kind == RecordKind.PEEK and step[0].values[0] == Peek.BLACKJACK for step in round_.steps
    ):
        wrong = "was ended by a dealer's Blackjack that nobody had told"
    elif why == HandEnd.DOUBLED and seat.doubled < 0:
        wrong = "was ended as doubled and never was"
    if wrong:
        ctx.add(reg.HAND_OVER, BREACH, (record,), f"{seat.name()} {wrong}.", faces(seat.cards), round_)
        return
    # A card that lay face down tells the total only later.
    if seat.unknown or any(card.opened > record for card in seat.cards):
        return
    count = seat.total()
    two = len(seat.cards) == 2
    if why == HandEnd.BUST and count <= 21:
        wrong = f"was ended as over 21 with {count}"
    elif why == HandEnd.TWENTY_ONE and count != 21:
        wrong = f"was ended as 21 with {count}"
    elif why == HandEnd.BLACKJACK and not (two and count == 21 and not seat.split and not seat.switched):
        wrong = "was ended as Blackjack and is none"
    elif why in (HandEnd.STAND, HandEnd.DOUBLED) and count > 21:
        wrong = f"stood with {count}"
    elif two and count == 21 and not seat.split and not seat.switched and why in _NO_BLACKJACK:
        wrong = "had Blackjack and was ended otherwise"
    if wrong:
        ctx.add(reg.HAND_OVER, BREACH, (record,), f"{seat.name()} {wrong}.", faces(seat.cards), round_)
    if why == HandEnd.SURRENDERED and ctx.table.game == Game.SWITCH:
        text = f"{seat.name()} surrendered; Blackjack Switch has no surrender."
        ctx.add(reg.SURRENDER, BREACH, (record,), text, faces(seat.cards), round_, NO_SURRENDER)
        return
    rescue = ctx.table.game == Game.SPANISH_21 and seat.doubled >= 0 and count <= 21  # 635a.10(d)
    if why == HandEnd.SURRENDERED and not rescue and (not two or seat.split or seat.doubled >= 0):
        ctx.add(
            reg.SURRENDER,
            BREACH,
            (record,),
            f"{seat.name()} surrendered after another decision.",
            faces(seat.cards),
            round_,
        )


def _may_double(ctx: Context, round_: Round, record: int, seat: Seat) -> None:
    count = len(seat.cards)
    wrong = None
    if seat.doubled >= 0:
        wrong = "doubled twice"
    elif seat.ended >= 0:
        wrong = "doubled after its hand had ended"
    elif ctx.table.game == Game.SPANISH_21:
        wrong = "doubled on one card" if count < 2 else None
    elif count != 2:
        wrong = f"doubled on {count} cards"
    if (
        wrong is None
        and count == 2
        and not seat.unknown
        and not seat.split
        and seat.total() == 21
        and not seat.switched
    ):
        wrong = "doubled on Blackjack"
    if wrong:
        ctx.add(reg.DOUBLE_HAND, BREACH, (record,), f"{seat.name()} {wrong}.", faces(seat.cards), round_)


def _do_split(
    ctx: Context, round_: Round, record: int, values: tuple[int, ...], seats: dict[int, Seat], row: list[Seat]
) -> None:
    """633a.11(a), 590.11(d) limit: who may split; then the hand becomes two."""
    box, hand, new_hand = values
    seat = seats.get(box << 8 | hand)
    if seat is None or box << 8 | new_hand in seats:
        return
    new = seats[box << 8 | new_hand] = Seat(box, new_hand)
    row.insert(row.index(seat) + 1, new)
    pair = seat.cards
    if len(pair) != 2 or seat.ended >= 0 or seat.doubled >= 0:
        text = f"{seat.name()} split a hand of {len(pair)} cards" if len(pair) != 2 else f"{seat.name()} split late"
        ctx.add(reg.SPLIT_PAIR, BREACH, (record,), f"{text}.", faces(pair), round_)
    elif not seat.unknown and VALUES[pair[0].card] != VALUES[pair[1].card]:
        names = " and ".join(card_name(card.card) for card in pair)
        text = f"{seat.name()} split {names}, which differ in value."
        ctx.add(reg.SPLIT_PAIR, BREACH, (record,), text, faces(pair), round_)
    seat.split = new.split = True
    if len(pair) > 1:
        card = pair[-1]
        seat.give(card)
        new.take(card)
    hands = sum(1 for other in row if other.box == box)
    if ctx.table.game == Game.FREE_BET and hands > _FREE_BET_HANDS:
        ctx.add(reg.SPLIT_LIMIT, BREACH, (record,), f"position {box} has {hands} hands.", (), round_)


def _opening(ctx: Context, round_: Round, dealt: list[int]) -> None:
    """633a.7(f): two passes from the far left, the dealer's up card between them and his hole card at the end."""
    hands = (0, 16) if ctx.table.game == Game.SWITCH else (0,)  # 633a.12(a)(3): a box and, in the bits above, its hand
    boxes = [box | hand for box in round_.seat_list() for hand in hands]
    plan = [*boxes, 0, *boxes, 0]
    hole = round_.hole
    if hole is not None and not hole.sealed and hole.record == hole.placed:
        ctx.add(
            reg.HOLE_CARD, BREACH, (hole.record,), "the dealer's hole card was dealt face up.", faces((hole,)), round_
        )
    if dealt == plan:
        return
    skipped: set[int] = set()
    for record in round_.irregularities:
        code, box, hand = record.values[:3]
        if code in (IrregularityCode.HAND_WITHOUT_CARDS, IrregularityCode.HAND_WITH_ONE_CARD):
            skipped.add(box | hand << 4)
        elif code == IrregularityCode.DEALER_MISSED_CARD:
            skipped.add(0)
    steps = [(box, index) for index, box in enumerate(plan) if box not in skipped]
    seen = [box for box in dealt if box not in skipped]
    for at, (box, index) in enumerate(steps):
        if at < len(seen) and seen[at] == box:
            continue
        if at >= len(seen) and not round_.settled:
            return
        check = _plan_check(index, len(boxes))
        got = f"{place(seen[at] & 15)} got it" if at < len(seen) else "no card came"
        records = [step[0].number for step in round_.steps if step[2] in (_OPENING, _FIRST, _UP, _HOLE)]
        shown = [step[1] for step in round_.steps if step[1] is not None and step[2] in (_OPENING, _FIRST, _UP)]
        text = f"card {index + 1} of the opening deal was due to {place(box & 15)} and {got}."
        ctx.add(check, BREACH, [round_.record, *records], text, faces(shown), round_)
        return
    if len(seen) > len(steps):
        text = f"{place(seen[len(steps)] & 15)} got a card of the opening deal after it was over."
        ctx.add(reg.PASS_2, BREACH, (round_.record, round_.last), text, (), round_)


def _plan_check(index: int, count: int) -> str:
    """Which clause of 633a.7(f) the card at this place of the plan stands under."""
    if index < count:
        return reg.PASS_1
    if index == count:
        return reg.UP_CARD
    return reg.PASS_2 if index <= 2 * count else reg.HOLE_CARD


def _finished_hands(ctx: Context, round_: Round, seats: dict[int, Seat]) -> None:
    for seat in seats.values():
        if seat.ended in DEAD:
            continue
        if seat.ended < 0 and seat.cards and not seat.waits:
            text = f"the hand of {seat.name()} never ended."
            ctx.add(reg.HAND_OVER, BREACH, (round_.closed,), text, faces(seat.cards), round_)
            continue
        if seat.doubled >= 0 and not seat.after_double:
            ctx.add(reg.ONE_CARD, BREACH, (seat.doubled,), f"{seat.name()} doubled and got no card.", (), round_)
        elif seat.split and len(seat.cards) < 2:
            text = f"{seat.name()} was split off and never got its second card."
            ctx.add(reg.SPLIT_ORDER, BREACH, (round_.last,), text, faces(seat.cards), round_)
