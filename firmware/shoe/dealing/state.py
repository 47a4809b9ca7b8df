"""The table as the shoe sees it: sides, hands, the dealer's hand, held and sealed cards, latched faults.

Nothing here decides. Faces of cards that lie face down live in `Sealed` alone: hands and counts see UNKNOWN, so no
decision can depend on them.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_CONTINUOUS, OPTION_PREMIUM, OPTION_READER
from shoe.dealing.inventory import UNKNOWN, Side
from shoe.game_table import COMMUNITY, GAMES

_CARDS = const(52)
_ROOM = const(32)
OPENED_AGAIN = const(32)  # in shoe_opened's options: a continuous shuffler was loaded before, 633a.7(c) with .5(h)
NO_HAND = const(-1)  # Hand.ended of a hand that goes on
SWITCH_HAND = const(4)  # hand number of a position's two switch hands cards, 633c.4(d): splits make 3 at most


def value(card):
    """Count of one card: ace 1, face cards 10; 633a.3(e)."""
    rank = card % 13
    return 10 if rank > 8 else rank + 1


def count(cards, n):
    """Count of the first `n` of `cards`, an ace 11 unless that passes 21; -1 when one of them is unknown."""
    total = 0
    ace = False
    for i in range(n):
        card = cards[i]
        if card >= _CARDS:
            return -1
        total += value(card)
        if card % 13 == 0:
            ace = True
    return total + 10 if ace and total <= 11 else total


class Hand:
    """Cards of one hand in the order they came: faces (UNKNOWN when face down), record numbers and heads."""

    def __init__(self, box, number):
        self.box = box
        self.number = number  # within its box
        self.cards = []
        self.refs = []
        self.heads = []
        self.ended = NO_HAND  # enum.hand_end
        self.doubled = False
        self.owes_double = False
        self.split = False
        self.skips = 0  # bit 0: its first card was skipped, bit 1: its second; 633a.14(g)
        self.refused = False  # its player refused a card: no more cards in this round, 633a.14(c) refusal
        self.late = 0  # over 0: it waits for a late card, lowest first; -1: that was its last card; 633a.14(i)
        self.wants = False  # hybrid: it takes the next community card, 633c.5(r), (z)
        self.switched = False  # it exchanged its second card, 633a.12(a)(4); switch hands: its two cards are played

    def minimum(self):
        """Hard count with every unknown card as an ace."""
        total = 0
        for card in self.cards:
            total += value(card) if card < _CARDS else 1
        return total

    def total(self):
        """Count of the hand, an ace 11 unless that passes 21; -1 when a card is unknown."""
        return count(self.cards, len(self.cards))

    def blackjack(self):
        """True for an ace with a ten-count card as the first two cards, dealt so: 633a.1, .12(a)(5)(iii)."""
        return len(self.cards) == 2 and not self.split and not self.switched and self.total() == 21

    def acted(self):
        """True when its player has decided, or got a card beside his first two."""
        if len(self.cards) > 2 or self.doubled or self.split or self.late or self.switched or self.wants:
            return True
        return self.ended in (t.HAND_END_STAND, t.HAND_END_SURRENDERED, t.HAND_END_DOUBLED)

    def add(self, card, ref, head):
        """Lay a card on the hand."""
        self.cards.append(card)
        self.refs.append(ref)
        self.heads.append(head)

    def take(self, index):
        """Take the card at `index` away; return (card, head)."""
        self.refs.pop(index)
        return self.cards.pop(index), self.heads.pop(index)


class Sealed:
    """Cards that lie face down, by record number; role, place, head, face and batch packed into one small integer.

    `many` of `refs` are in use; behind them is room. A list of MicroPython that grows or shrinks leaves its old block,
    and the next search for a larger one begins there: 15 ms more for that card where the heap is full so far up.
    """

    def __init__(self):
        self.many = 0
        self.refs = [None] * _ROOM
        self._packed = [0] * _ROOM

    def add(self, ref, role, box, hand, head, card, batch):
        """Keep a card; fields as in its record."""
        index = self.many
        if index == len(self.refs):
            self.refs.extend([None] * _ROOM)
            self._packed.extend([0] * _ROOM)
        self.refs[index] = ref
        self._packed[index] = (
            role | box << 4 | (hand & 7) << 8 | (head & 3) << 11 | (card & 63) << 13 | (batch & 63) << 19
        )
        self.many = index + 1

    def place(self, index, role, box, hand):
        """The card at `index` became something else and stays face down."""
        self._packed[index] = self._packed[index] & ~0x7FF | role & 15 | (box & 15) << 4 | (hand & 7) << 8

    def back(self, index):
        """The card went back into the shoe: it no longer counts as out."""
        self._packed[index] |= 1 << 25

    def get(self, index):
        """(role, box, hand, head, card, batch, back) of the card at `index`."""
        p = self._packed[index]
        return p & 15, p >> 4 & 15, p >> 8 & 7, p >> 11 & 3, p >> 13 & 63, p >> 19 & 63, p >> 25 & 1

    def head(self, index):
        """Head of the card at `index`."""
        return self._packed[index] >> 11 & 3

    def find(self, ref):
        """Index of record `ref`, -1 when it is none."""
        return self.refs.index(ref) if ref in self.refs else -1

    def drop(self, index):
        """Forget the card at `index`; those behind it move up."""
        last = self.many - 1
        for at in range(index, last):
            self.refs[at] = self.refs[at + 1]
            self._packed[at] = self._packed[at + 1]
        self.refs[last] = None
        self.many = last


class State:
    """All that the events say. `fold.apply` alone changes it."""

    def __init__(self, config):
        self.configure(config)
        self.batch_in_play = config.batch_a
        self.batch_waiting = config.batch_b  # side B, or the batch in the shuffler, 633a.3(b)(3)
        self.shoe_open = False
        self.closed_once = False  # a shoe was closed by a load since the day began
        self.sides = (Side(), Side())
        self.round = 0
        self.in_round = False
        self.rounds_closed = 0
        self.cards_out = 0
        self.seats = 0
        self.round_seats = 0
        self.burn_batch = 0
        self.burn_dealer = 0
        self.burn_refill = 0
        self.dealers = 0
        self.antes = 0  # positions with a switch hands ante, 633c.4(k)
        self.told_seats = 0  # to be repeated in the history that was just opened
        self.told_antes = 0
        self.selected = 0  # player position of each terminal, two bits each; 633c.5(l)
        self.told_selected = 0
        self.told_burns = 0
        self.sealed = Sealed()
        self.held = Hand(t.POSITION_TABLE, 0)  # cards drawn in error, first one next
        self.held_shown = 0  # bit per index: seen by the players; 633a.14(c)
        self.pending = []  # provisional numbers of records that `recorded` has not named yet
        self.serial = 0
        self.restored = -1  # number of the record that a start folds, -1 while the table is in play
        self.faults = []  # [code, head, detail] in the order they came
        self.counting = -1  # side
        self.testing = False
        self.count_base = 0  # cards and 10s out when the count began
        self.count_tens = 0
        self.test_wrong = UNKNOWN
        self.wrong_keys = 0
        self.stray = False  # a card came while no shoe was open, and that was said
        self.reader_step = -1  # enum.reader_step of the last inspection in this history, -1 none
        self.reader_ok = False  # the card reader device was inspected on this gaming day, 633a.2(f)
        self.told_reader = False  # and the history that was just opened must say so
        self.inspection_told = False  # a round was opened without an inspection, and that was said
        self.clear_round()

    def configure(self, config):
        """Take the settings of the next shoe."""
        self.game = config.game
        self.double = config.shoe_kind == t.SHOE_KIND_DOUBLE
        self.decks = config.decks
        self.color = config.side_a_color
        self.positions = config.positions
        self.options = config.options

    def clear_round(self):
        """Nothing lies on the table."""
        self.round_seats = 0
        self.hands = []
        self.asides = []  # switch hands cards, a Hand for each position with an ante
        self.dealer = Hand(t.POSITION_DEALER, 0)
        self.stream = Hand(t.POSITION_COMMUNITY, 0)  # hybrid: community cards, 633c.5(q), (y)
        self.own = []  # without a hole card: the dealer's cards of each terminal but his first, 633c.5(bb)
        self.timed = False  # the countdown ended, and no card came since
        self.chosen = -1  # side of this round
        self.side_told = False
        self.missed_up = False
        self.dealt = False  # the opening deal is over
        self.hole = 0  # record number of the hole card while it lies face down, 0 when none
        self.revealed = False
        self.peek = -1  # the reader's answer, 0 or 1; 633a.7(h)
        self.peek_last = -1  # enum.peek of what it showed last
        self.peek_told = False  # it was left out, and that was said
        self.insured = False  # insurance was offered and is closed, 633a.8(b)
        self.reads = 0  # without an answer, in a row
        self.refusals = 0
        self.wrong_side = False
        self.face_ups = 0
        self.tens = 0
        self.void = False  # the round must be voided; 635a.13(a), (b) more
        self.decided = False  # a player has decided or drawn
        self.lates = 0  # late cards that were dealt, 633a.14(i)
        self.last_ref = 0  # record number of the card drawn last, 0 when a key came since

    def side(self, head):
        """Side of a head, or None."""
        return self.sides[head] if 0 <= head < 2 and self.sides[head].loaded else None

    def heads(self):
        """Number of sides of this shoe."""
        return 2 if self.double else 1

    def find(self, ref):
        """(hand, index) of record `ref` among hands, dealer's hand and held cards; (None, -1) when it is none."""
        for hands in (self.hands, (self.dealer, self.held, self.stream), self.asides):
            for hand in hands:
                if ref in hand.refs:
                    return hand, hand.refs.index(ref)
        return None, -1

    def hand(self, box, number):
        """The player's hand `number` of `box`, or None; number SWITCH_HAND: its switch hands cards."""
        for hand in self.asides if number == SWITCH_HAND and self.asides else self.hands:
            if hand.box == box and hand.number == number:
                return hand
        return None

    def first_box(self):
        """First betting position with a main wager, 15 when none."""
        seats = self.round_seats if self.in_round else self.seats
        for box in range(1, 8):
            if seats >> (box - 1) & 1:
                return box
        return t.POSITION_NONE

    def burns(self):
        """Burn cards owed now."""
        return self.burn_refill + self.burn_batch + self.burn_dealer

    def continuous(self):
        """True with a continuous shuffler, 633a.5(h)."""
        return bool(self.options & OPTION_CONTINUOUS)

    def community(self):
        """True at a hybrid gaming table, 633c.5."""
        return bool(GAMES[self.game][COMMUNITY])

    def selection(self, box):
        """The player position of 1 to 3 that a terminal selected, 0 none; 633c.5(l)."""
        return self.selected >> 2 * box - 2 & 3

    def lying(self):
        """All hands in which a card may lie."""
        return self.hands + self.asides + [self.dealer, self.held, self.stream]

    def choosing(self):
        """True while a position has not chosen between its face-up and its switch hands cards, 633c.4(f); at a hybrid
        table while a hand has not chosen, 633c.5(p)(2), (z)."""
        if self.dealt and self.community():
            return any(hand.ended == NO_HAND and not hand.wants for hand in self.hands)
        for aside in self.asides:
            if aside.ended == NO_HAND:
                return self.dealt
        return False

    def premium(self):
        """True when the switch hands ante is each player's choice, 633c.4(k)."""
        return bool(self.options & OPTION_PREMIUM)

    def has_reader(self):
        """True when the table has a card reader device."""
        return bool(self.options & OPTION_READER)

    def any_finished(self):
        """True when a side must be shuffled and loaded first."""
        return any(self.sides[i].loaded and self.sides[i].finished >= 0 for i in range(self.heads()))

    def all_loaded(self):
        """True when every side of the open shoe is loaded."""
        return self.shoe_open and all(self.sides[i].loaded for i in range(self.heads()))

    def latched(self, code):
        """The latched fault of this code as [code, head, detail], or None."""
        for fault in self.faults:
            if fault[0] == code:
                return fault
        return None

    def stopped(self):
        """True while a latched fault stops the game; a count goes on under what only a count can settle."""
        for fault in self.faults:
            code = fault[0]
            if code in t.STOPPING_FAULTS and (
                self.counting < 0 or code not in (t.FAULT_EXTRA_CARD, t.FAULT_COUNT_WRONG, t.FAULT_DECKS_RETIRED)
            ):
                return True
        return False
