"""What lies on the table, folded from records for drawing: hands, dealer, rack, sides, lamps and fault.

It judges nothing (the checks do) and never fails: a record that does not fit what came before is drawn as well as it
can be. A card that lies face down has no face here at all, because its record carries none.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import (
    FAULTS,
    IRREGULARITYS,
    Finish,
    HandEnd,
    Lamp,
    Margin,
    Position,
    Role,
    ShoeKind,
)
from shoetool.model.records import NAMES, Record
from shoetool.report.sentences import hand_end, irregularity_sentence, opening_letter, side_name

DETERMINANTS: Final = (Role.DETERMINANT_FIRST, Role.DETERMINANT_ASIDE)
NOTES_KEPT: Final = 4


@dataclass(slots=True)
class CardView:
    """One card on the table; `card` is None while it lies face down."""

    record: int
    role: int
    box: int
    hand: int
    head: int
    card: int | None
    side: SideView


@dataclass(slots=True)
class HandView:
    """One hand of a betting position, or the dealer's."""

    cards: list[CardView] = field(default_factory=list)
    ended: int | None = None
    doubled: bool = False
    opened_late: bool = False
    """The dealer's hole card was opened and he never turned it."""

    @property
    def faces(self) -> list[int | None]:
        """The cards in the order they came; None is a back."""
        return [card.card for card in self.cards]


@dataclass(slots=True)
class SideView:
    """One side of the shoe: how many cards were loaded and how many of them have been drawn; `foreign` cards, which
    are of another batch than `batch`, are none of them."""

    loaded: int = 0
    drawn: int = 0
    foreign: int = 0
    batch: int = 0
    cover_out: bool = False
    finished: bool = False
    counting: bool = False


class TableView:
    """The table as the records up to now describe it. `feed` takes records in order."""

    def __init__(self) -> None:
        """Start with an empty table: no shoe, no round, no fault."""
        self.faults: dict[int, int] = {}
        self.clean_soon: set[int] = set()
        """Read heads that are to be cleaned soon."""
        self._clear_shoe()

    def _clear_shoe(self) -> None:
        self.game = 0
        self.shoe_kind = int(ShoeKind.SINGLE)
        self.decks = 0
        self.positions = 7
        self.table = 0
        self.batches = (0, 0)
        self.sides: dict[int, SideView] = {}
        self.notes: deque[str] = deque(maxlen=NOTES_KEPT)
        self.rounds = 0
        self.burned = 0
        self.burn_shown = False
        self.segregated: list[CardView] = []
        self.shoe_closed = False
        self._by_record: dict[int, CardView] = {}
        self._clear_round()
        self.round = 0
        self.round_open = False

    def _clear_round(self) -> None:
        self.seats = 0
        self.hands: dict[tuple[int, int], HandView] = {}
        self.order: dict[int, list[int]] = {}
        self.dealer = HandView()
        self.held: list[CardView] = []
        self.determinant: CardView | None = None
        self.chosen: int | None = None
        self.dealer_total = 0
        self._revealed = False
        self.outcome: int | None = None
        self.peek: int | None = None
        self.insured: int | None = None

    # ------------------------------------------------------------------------------------------------ what is drawn
    @property
    def boxes(self) -> list[int]:
        """The betting positions to draw: those with a wager, and any that holds a card without one."""
        seated = {box for box in range(1, 8) if self.seats >> (box - 1) & 1}
        return sorted(seated | {box for box, _ in self.hands})

    def hands_of(self, box: int) -> list[HandView]:
        """The hands of one betting position, leftmost first."""
        return [self.hands[box, hand] for hand in self.order.get(box, [])]

    @property
    def hand_in_turn(self) -> HandView | None:
        """The hand that plays: the first that has not ended, once the opening deal is out; None at other times."""
        if not self.round_open or len(self.dealer.cards) != 2:
            return None
        hands = (hand for box in self.boxes for hand in self.hands_of(box))
        return next((hand for hand in hands if hand.ended is None), None)

    @property
    def stopped(self) -> bool:
        """Whether a latched fault engages the card stop."""
        return any(FAULTS.get(code, {}).get("stop", True) for code in self.faults)

    @property
    def last_round(self) -> bool:
        """Whether a cover card is out on a side that is not finished: this round is that side's last, 633a.7(e)."""
        return any(side.cover_out and not side.finished for side in self.sides.values())

    @property
    def lamps(self) -> set[int]:
        """The lamps that the records imply: enum.lamp."""
        lit: set[int] = set()
        if self.clean_soon:
            lit.add(Lamp.CLEAN)
        if self.shoe_closed:
            return lit | {int(Lamp.STOP)} if self.stopped else lit
        if self.stopped:
            lit.add(Lamp.STOP)
        if self.last_round:
            lit.add(Lamp.COVER)
        if self.round_open and self.chosen is not None:
            lit.add(Lamp.DEAL_A if self.chosen == 0 else Lamp.DEAL_B)
        if not self.round_open and not self.stopped and any(not side.finished for side in self.sides.values()):
            lit.add(Lamp.READY)
        return lit

    # ------------------------------------------------------------------------------------------------------ the fold
    def feed(self, record: Record) -> None:
        """Fold one record into the table."""
        fold = getattr(self, f"_on_{NAMES.get(record.kind)}", None)
        if fold is not None:
            fold(record)

    def _on_shoe_opened(self, record: Record) -> None:
        self._clear_shoe()  # faults stay: they are latched until the supervisor clears them
        self.game = _int(record, "game")
        self.shoe_kind = _int(record, "shoe_kind")
        self.decks = _int(record, "decks")
        self.positions = _int(record, "positions")
        self.table = _int(record, "table")
        self.batches = (_int(record, "batch_a"), _int(record, "batch_b"))

    def _on_loaded(self, record: Record) -> None:
        side = _int(record, "side")
        self.sides[side] = SideView(loaded=_int(record, "cards"), batch=self.batches[side & 1])

    def _on_carried(self, record: Record) -> None:
        dealt = record.get("dealt")
        out = sum((byte & 15) + (byte >> 4) for byte in dealt) if isinstance(dealt, bytes) else 0
        side = _int(record, "side")
        loaded = self.decks * 26
        self.sides[side] = SideView(loaded=loaded, drawn=out + _int(record, "unknown"), batch=self.batches[side & 1])

    def _on_refilled(self, record: Record) -> None:
        side = self._side(_int(record, "side"))
        side.loaded, side.drawn, side.foreign = _int(record, "cards"), 0, 0
        side.cover_out = side.finished = False

    def _on_round_opened(self, record: Record) -> None:
        held = [card for card in self.held if card.role == Role.HELD]
        self._clear_round()
        self.held = held
        self.round = _int(record, "round")
        self.seats = _int(record, "seats")
        self.round_open = True
        self.rounds += 1
        self.burn_shown = False
        self.notes.clear()

    def _on_peek(self, record: Record) -> None:
        self.peek = _int(record, "result")

    def _on_insurance(self, record: Record) -> None:
        self.insured = _int(record, "boxes")

    def _on_side_chosen(self, record: Record) -> None:
        self.chosen = _int(record, "side")

    def _on_card(self, record: Record) -> None:
        self._apart(self._draw(record, _int(record, "card")), record)

    def _on_sealed(self, record: Record) -> None:
        self._draw(record, None)

    def _draw(self, record: Record, face: int | None) -> SideView:
        head = _int(record, "head")
        side = self._side(head)
        side.drawn += 1
        place = (_int(record, "role"), _int(record, "box"), _int(record, "hand"))
        card = CardView(record.number, *place, head, face, side)
        self._by_record[record.number] = card
        self._place(card)
        return side

    def _apart(self, side: SideView, record: Record) -> None:
        """Count a card of another batch apart, as soon as its batch is known."""
        if side.batch and _int(record, "card") < UNKNOWN and _int(record, "batch") != side.batch and side.drawn:
            side.drawn -= 1
            side.foreign += 1

    def _place(self, card: CardView) -> None:
        if card.role in DETERMINANTS:
            self.determinant = card
        if card.role == Role.BURN:
            self.burned += 1
            self.burn_shown = True
        elif card.role == Role.COUNTED or card.box == Position.RACK:
            return  # counted, or gone to the rack unused
        elif card.box == Position.DEALER:
            self.dealer.cards.append(card)
        elif 1 <= card.box <= 7:
            self._hand(card.box, card.hand).cards.append(card)
        elif card.box == Position.SEGREGATED:
            self.segregated.append(card)
        else:
            self.held.append(card)

    def _take(self, card: CardView) -> None:
        """Take a card off the place it lay on."""
        places = [self.held, self.segregated, self.dealer.cards, *(hand.cards for hand in self.hands.values())]
        for cards in places:
            if card in cards:
                cards.remove(card)
                return

    def _on_opened(self, record: Record) -> None:
        card = self._by_record.get(_int(record, "sealed"))
        if card is None:
            return  # sealed before this view began
        if card.card is None:
            self._apart(card.side, record)
        card.card = _int(record, "card")
        self._move(card, record)
        if card.role == Role.HOLE and not self._revealed and card in self.dealer.cards:
            self.dealer.opened_late = True

    def _on_moved(self, record: Record) -> None:
        card = self._by_record.get(_int(record, "record"))
        if card is not None:
            self._move(card, record)

    def _move(self, card: CardView, record: Record) -> None:
        role, box, hand = _int(record, "role"), _int(record, "box"), _int(record, "hand")
        if (card.box, card.hand) == (box, hand):
            card.role = role
            return
        self._take(card)
        card.role, card.box, card.hand = role, box, hand
        self._place(card)

    def _on_cover_card(self, record: Record) -> None:
        self._side(_int(record, "head")).cover_out = True
        self.notes.append("The cover card is out: this round is the last of its side.")

    def _on_hand_ended(self, record: Record) -> None:
        self._hand(_int(record, "box"), _int(record, "hand")).ended = _int(record, "why")

    def _on_doubled(self, record: Record) -> None:
        self._hand(_int(record, "box"), _int(record, "hand")).doubled = True

    def _on_split(self, record: Record) -> None:
        box, hand, new_hand = _int(record, "box"), _int(record, "hand"), _int(record, "new_hand")
        source = self._hand(box, hand)
        if (box, new_hand) in self.hands:
            return
        self.hands[box, new_hand] = HandView()
        self.order[box].insert(self.order[box].index(hand) + 1, new_hand)  # to the right of its first half
        if source.cards:
            card = source.cards.pop()
            card.hand = new_hand
            self.hands[box, new_hand].cards.append(card)

    def _on_switched(self, record: Record) -> None:
        first, second = (self._hand(_int(record, "box"), number) for number in (0, 1))
        if min(len(first.cards), len(second.cards)) > 1:
            first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
            second.cards[1].hand, first.cards[1].hand = 1, 0
        first.ended = second.ended = None

    def _on_revealed(self, record: Record) -> None:
        self._revealed = True

    def _on_round_closed(self, record: Record) -> None:
        self.round_open = False
        self.outcome = _int(record, "outcome")
        self.dealer_total = _int(record, "dealer_total")

    def _on_finished(self, record: Record) -> None:
        side = self._side(_int(record, "side"))
        side.finished = True
        if _int(record, "why") != Finish.COVER_CARD:
            side.cover_out = False

    def _on_count_started(self, record: Record) -> None:
        self._side(_int(record, "side")).counting = True

    def _on_counted(self, record: Record) -> None:
        self._side(_int(record, "side")).counting = False

    def _on_shoe_closed(self, record: Record) -> None:
        self.shoe_closed = True

    def _on_irregularity(self, record: Record) -> None:
        code, box = _int(record, "code"), _int(record, "box")
        clause = IRREGULARITYS.get(code, {}).get("clause", "?")
        self.notes.append(f"{clause} · {opening_letter(irregularity_sentence(code, box), upper=False)}")

    def _on_fault(self, record: Record) -> None:
        self.faults[_int(record, "code")] = _int(record, "head")

    def _on_cleared(self, record: Record) -> None:
        self.faults.pop(_int(record, "code"), None)

    def _on_margin(self, record: Record) -> None:
        head, why = _int(record, "head"), _int(record, "why")
        if why == Margin.CLEAN_SOON:
            self.clean_soon.add(head)
            self.notes.append(f"clean {side_name(head)} soon, before it fails")
        elif why == Margin.CLEAN:
            self.clean_soon.discard(head)

    def _on_calibrated(self, record: Record) -> None:
        self.clean_soon.discard(_int(record, "head"))

    def _on_boot(self, record: Record) -> None:
        self.clean_soon.clear()  # what is still so is said again

    def _hand(self, box: int, hand: int) -> HandView:
        if (box, hand) not in self.hands:
            self.hands[box, hand] = HandView()
            self.order.setdefault(box, []).append(hand)
        return self.hands[box, hand]

    def _side(self, side: int) -> SideView:
        return self.sides.setdefault(side, SideView())


ENDINGS: Final[dict[int, str]] = {int(end): hand_end(end) for end in HandEnd}


def _int(record: Record, name: str) -> int:
    """Return an integer field; one that this record does not carry counts as zero."""
    value = record.get(name, 0)
    return value if isinstance(value, int) else 0
