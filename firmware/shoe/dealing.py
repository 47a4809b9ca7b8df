"""The dealing machine: passes and keys in, events out. Pure: no clock, no I/O; the state is what the events say.

Each step decides, folds what it decided, and then lets follow what follows from the state alone (`follow`), so that a
step that the power cut in half goes on at the next input. DEALING.md has the transitions with their clauses.
"""

from shoe import dealing_dealer as dealer
from shoe import dealing_errors as errors
from shoe import dealing_fold as fold
from shoe import dealing_opening as opening
from shoe import dealing_players as players
from shoe import dealing_shoe as shoe
from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_DOUBLE_DOWN
from shoe.dealing_fold_cards import recorded
from shoe.dealing_state import NO_HAND, State
from shoe.inventory import UNKNOWN, is_ten

_CARDS = const(52)
_RED = (1, 2)
_MOST_STEPS = const(600)  # consequences of one input; far above any legal number
_BLOCKED = {
    t.UNREADABLE_STUCK: t.FAULT_HEAD_STUCK,
    t.UNREADABLE_SATURATED: t.FAULT_HEAD_SATURATED,
}


class Dealing:
    """Table, shoe and faults of one game; see the module."""

    unknown = UNKNOWN

    def __init__(self, config):
        self.config = config
        self.st = State(config)
        self._out = []

    # ------------------------------------------------------------------------------------------------ what others see
    @property
    def phase(self):
        """enum.phase, from the state alone; never from a card that lies face down."""
        st = self.st
        if st.counting >= 0:
            return t.PHASE_TESTING if st.testing else t.PHASE_COUNTING
        if not st.all_loaded():
            return t.PHASE_EMPTY
        if not st.in_round and st.any_finished():
            return t.PHASE_FINISHED
        if st.burns():
            return t.PHASE_BURNING
        if not st.in_round:
            return t.PHASE_READY
        if st.double and st.chosen < 0:
            return t.PHASE_DETERMINANT
        if not st.dealt:
            return t.PHASE_OPENING
        if players.turn(st) is not None:
            return t.PHASE_PLAYERS
        return dealer.phase(st)

    @property
    def round(self):
        """Number of the round, 0 before a shoe's first."""
        return self.st.round

    @property
    def shoe_open(self):
        """True while a history is open."""
        return self.st.shoe_open

    @property
    def faults(self):
        """Codes of the latched faults, oldest first."""
        return [fault[0] for fault in self.st.faults]

    def drawn(self, side):
        """Cards that came out of a side since it was loaded."""
        found = self.st.side(side)
        return found.passed + found.tens if found is not None else 0

    def batches(self, head):
        """Batches that belong on this head now, as a tuple."""
        st = self.st
        if not st.shoe_open:
            return (self.config.batch_a,) if head == 0 else (self.config.batch_b,)
        return (st.batch_in_play,) if head == 0 else (st.batch_waiting,)

    @property
    def lamps(self):
        """Mask of enum.lamp."""
        st = self.st
        phase = self.phase
        mask = 0
        if st.stopped():
            return 1 << t.LAMP_STOP
        if phase == t.PHASE_READY:
            mask |= 1 << t.LAMP_READY
        for head in range(st.heads()):
            if st.sides[head].cover and st.sides[head].finished < 0:
                mask |= 1 << t.LAMP_COVER
        if phase == t.PHASE_DETERMINANT or (phase == t.PHASE_BURNING and st.double):
            mask |= 1 << t.LAMP_DEAL_A | 1 << t.LAMP_DEAL_B
        elif phase in (t.PHASE_COUNTING, t.PHASE_TESTING):
            mask |= 1 << (t.LAMP_DEAL_A + st.counting)
        elif phase in (t.PHASE_BURNING, t.PHASE_OPENING, t.PHASE_PLAYERS) or (dealer.draws_on(st) and st.in_round):
            mask |= 1 << (t.LAMP_DEAL_B if self.head() else t.LAMP_DEAL_A)
        return mask

    # ------------------------------------------------------------------------------------------------ emitting
    def emit(self, event):
        """Fold an event and add it to this step."""
        fold.apply(self.st, event)
        self._out.append(event)

    def apply(self, event):
        """Fold an event that somebody else made (a fault of the application, say)."""
        fold.apply(self.st, event)

    def restore(self, event):
        """Fold one record at start-up; call `recorded` with its number after it."""
        fold.apply(self.st, event)

    def recorded(self, event, number):
        """The journal gave `event` this record number."""
        recorded(self.st, event, number)

    def irregularity(self, code, box, hand, detail):
        """Emit an irregularity of the side that is dealt from."""
        self.emit((t.REC_IRREGULARITY, code, box, hand, self.head(), detail))

    def fault(self, code, head, detail):
        """Latch a fault unless it is latched already."""
        if not self.st.latched(code):
            self.emit((t.REC_FAULT, code, head, detail))

    def card(self, role, box, hand, head, card, batch, duration_ms, margin):
        """Emit a face-up card and what its face sets off."""
        self.emit((t.REC_CARD, role, box, hand, head, card, batch, duration_ms, margin))
        if card == UNKNOWN:
            self.emit((t.REC_IRREGULARITY, t.IRR_CARD_UNKNOWN, box, hand, head, 0))
        if self.st.game == t.GAME_SPANISH_21 and is_ten(card) and role not in (t.ROLE_COUNTED, t.ROLE_STOPPED):
            self.ten(box, hand, head, card)
        self.alarms()

    def open(self, ref):
        """Emit the opening of the sealed record `ref` where it lies, and what its face sets off."""
        st = self.st
        index = st.sealed.find(ref)
        if index < 0:
            return
        role, box, hand, head, card, batch, _ = st.sealed.get(index)
        self.emit((t.REC_OPENED, ref, role, box, hand, card, batch))
        if st.game == t.GAME_SPANISH_21 and is_ten(card):
            self.ten(box, hand, head, card)
        self.alarms()

    def open_table(self):
        """Open the sealed cards of players' hands (a double's card, 633a.10(c))."""
        for hand in self.st.hands + [self.st.dealer]:
            for ref in list(hand.refs):
                self.open(ref)

    def ten(self, box, hand, head, card):
        """A 10 showed up in Spanish 21, 635a.13(b)."""
        second = self.st.in_round and self.st.tens > 0
        code = t.IRR_SECOND_TEN_FOUND if second else t.IRR_TEN_FOUND
        self.emit((t.REC_IRREGULARITY, code, box, hand, head, card))
        if second:
            self.fault(t.FAULT_DECKS_RETIRED, head, card)

    def alarms(self):
        """Name a card that came out too often, at once."""
        st = self.st
        for head in range(2):
            side = st.side(head)
            if side is not None and side.over >= 0:
                over = side.over
                self.fault(t.FAULT_EXTRA_CARD, head, over)
                self.emit((t.REC_IRREGULARITY, t.IRR_EXTRA_CARD, t.POSITION_NONE, 0, head, over))

    # ------------------------------------------------------------------------------------------------ whose card
    def head(self):
        """Side that the next card should come from."""
        return self.st.chosen if self.st.double and self.st.chosen >= 0 else 0

    def turn(self):
        """The player's hand in turn, None before and after the players' turn."""
        st = self.st
        return players.turn(st) if st.in_round and st.dealt else None

    def due(self):
        """((role, box, hand), owed) of the next card; (None, False) when nobody is due one. owed: without being asked."""
        st = self.st
        if st.burns() and st.counting < 0 and (st.in_round or not st.any_finished()) and st.all_loaded():
            return (t.ROLE_BURN, t.POSITION_RACK, 0), True
        if not st.in_round:
            return None, False
        if st.double and st.chosen < 0:
            return (t.ROLE_DETERMINANT_FIRST, st.first_box(), 0), True
        place = opening.due(st)
        if place is not None:
            return place, True
        hand = players.turn(st)
        if hand is not None:
            role, owed = players.due_role(hand)
            return (role, hand.box, hand.number), owed
        if dealer.standing(st):
            return None, False
        return (t.ROLE_DEALER_DRAW, t.POSITION_DEALER, 0), dealer.draws_on(st)

    def face_down(self, role):
        """True when a card of this role is dealt face down."""
        if role in (t.ROLE_BURN, t.ROLE_HOLE):
            return True
        return role == t.ROLE_DOUBLE_DRAW and bool(self.st.options & OPTION_DOUBLE_DOWN)

    def determinant(self, head, card, box):
        """(role, box) of a determinant card: its suit picks the side, 633a.7(d)(1)-(2)."""
        red = card // 13 in _RED
        side = 0 if red == (self.st.color == t.COLOR_RED_SUITS) else 1
        if side == head:
            return t.ROLE_DETERMINANT_FIRST, box
        return t.ROLE_DETERMINANT_ASIDE, t.POSITION_SEGREGATED

    def use_held(self, asked):
        """Deal the first held card to whom the next card is due; True when it was dealt. asked: by the deal key."""
        st = self.st
        if not st.held.refs:
            return False
        place, owed = self.due()
        if place is None or not (owed or (asked and place[0] == t.ROLE_DRAW)):
            return False
        role, box, hand = place
        ref = st.held.refs[0]
        head = st.held.heads[0]
        index = st.sealed.find(ref)
        if role == t.ROLE_DETERMINANT_FIRST:
            card = st.held.cards[0] if index < 0 else st.sealed.get(index)[4]
            if card >= _CARDS:  # its suit picks no side: it goes to the rack
                self.emit((t.REC_MOVED, ref, t.ROLE_DISCARDED, t.POSITION_RACK, 0))
                return True
            role, box = self.determinant(head, card, box)
        if index < 0 or self.face_down(role):
            self.emit((t.REC_MOVED, ref, role, box, hand))
        else:
            _, _, _, _, card, batch, _ = st.sealed.get(index)
            self.emit((t.REC_OPENED, ref, role, box, hand, card, batch))
            if st.game == t.GAME_SPANISH_21 and is_ten(card):
                self.ten(box, hand, head, card)
            self.alarms()
        self._check_side(head, role, box, hand)
        return True

    def place(self, head, card, batch, duration_ms, margin):
        """A card came out of `head` while the game runs: give it its role."""
        st = self.st
        side = st.sides[head]
        if st.counting == head:
            self.card(t.ROLE_COUNTED, t.POSITION_RACK, 0, head, card, batch, duration_ms, margin)
            return
        if not st.in_round and side.finished >= 0:
            self.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch))
            self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_FINISHED, t.POSITION_TABLE, 0, head, 0))
            return
        place, owed = self.due()
        if st.held.refs and place is not None and not owed and place[0] == t.ROLE_DRAW:
            self.use_held(True)  # the held card was the next one; this is the one after it
            self.follow()
            place, owed = self.due()
        if (place is None and not st.in_round) or st.counting >= 0:
            self.emit((t.REC_SEALED, t.ROLE_HELD, t.POSITION_TABLE, 0, head, card, batch))
            self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_IN_ERROR, t.POSITION_TABLE, 0, head, 0))
            self.alarms()
            return
        if place is None:
            self.emit(
                (t.REC_IRREGULARITY, t.IRR_DEALER_DREW_ON_17, t.POSITION_DEALER, 0, head, st.dealer.total() & 255)
            )
            self.card(t.ROLE_DISCARDED, t.POSITION_RACK, 0, head, card, batch, duration_ms, margin)
            return
        role, box, hand = place
        if self.face_down(role):
            self.emit((t.REC_SEALED, role, box, hand, head, card, batch))
            if card == UNKNOWN:
                self.emit((t.REC_IRREGULARITY, t.IRR_CARD_UNKNOWN, box, hand, head, 0))
            self.alarms()
        elif st.game == t.GAME_SPANISH_21 and is_ten(card):
            self.card(t.ROLE_DISCARDED, t.POSITION_NONE, 0, head, card, batch, duration_ms, margin)
        else:
            if role == t.ROLE_DETERMINANT_FIRST:
                role, box = self.determinant(head, card, box)
            self.card(role, box, hand, head, card, batch, duration_ms, margin)
        self._check_side(head, role, box, hand)

    def _check_side(self, head, role, box, hand):
        """Flag the first card of a round that came from the wrong side; the round goes on, 633a.14(h)."""
        st = self.st
        wrong = st.double and st.in_round and st.chosen >= 0 and head != st.chosen
        if wrong and not st.wrong_side and role not in (t.ROLE_BURN, t.ROLE_DETERMINANT_ASIDE):
            self.emit((t.REC_IRREGULARITY, t.IRR_WRONG_SIDE, box, hand, head, st.chosen))

    # ------------------------------------------------------------------------------------------------ inputs
    def follow(self):
        """Emit what follows from the state alone until nothing does."""
        for _ in range(_MOST_STEPS):
            if not self._one():
                return

    def resume(self):
        """After a restart: events that the power cut off. Inputs do the same before they decide."""
        self._out = []
        self.follow()
        return self._out

    def _one(self):
        st = self.st
        if st.void and st.in_round:
            dealer.void(self)
            return True
        if st.double and st.in_round and st.chosen >= 0 and not st.side_told:
            self.emit((t.REC_SIDE_CHOSEN, st.chosen))
            return True
        if shoe.retell(self) or shoe.finish(self):
            return True
        if st.stopped():
            return False
        if st.in_round and st.dealt:
            for hand in st.hands:
                if hand.ended == NO_HAND:
                    end = players.automatic_end(hand)
                    if end != NO_HAND:
                        self.emit((t.REC_HAND_ENDED, hand.box, hand.number, end))
                        return True
            if dealer.surplus(self):
                return True
        return self.use_held(False)

    def input_key(self, key, argument):
        """A panel key: (accepted, events). A key without meaning here changes nothing and is recorded, three at most
        in a row."""
        self._out = []
        self.follow()
        done = self._press(key, argument)
        if done is False and self.st.wrong_keys < shoe.MOST_WRONG_KEYS:
            self.emit((t.REC_IRREGULARITY, t.IRR_WRONG_KEY, t.POSITION_NONE, 0, self.head(), key & 0xFF))
        self.follow()
        return bool(done), self._out

    def _press(self, key, argument):
        st = self.st
        if key == t.KEY_SUPERVISOR:
            return errors.supervisor(self, argument)
        if key == t.KEY_LOAD:
            return shoe.load(self, argument)
        if key == t.KEY_COUNT or key == t.KEY_TEST_DEAL:
            if st.stopped() and not errors.may_load_stopped(st):
                return False
            return shoe.count(self, argument, 1 if key == t.KEY_TEST_DEAL else 0)
        if key == t.KEY_CLOSE_SHOE:
            return shoe.close_shoe(self)
        if key == t.KEY_VOID_ROUND:
            if not st.in_round or any(st.latched(code) for code in errors.OPEN_PASS):
                return False
            dealer.void(self)
            return True
        if st.stopped():
            return False
        if key == t.KEY_SEATS:
            return shoe.seats(self, argument)
        if key == t.KEY_DEAL:
            return shoe.deal(self)
        if key == t.KEY_NEW_DEALER:
            return shoe.new_dealer(self)
        if key == t.KEY_RESHUFFLE:
            return shoe.reshuffle(self, argument)
        if key == t.KEY_HOLD:
            return errors.hold(self, argument)
        if key == t.KEY_REFILL:
            return shoe.refill(self, argument)
        if not st.in_round or st.burn_refill:
            return key == t.KEY_DISCARD and errors.discard(self, argument)
        return self._press_in_round(key, argument)

    def _press_in_round(self, key, argument):
        if key == t.KEY_DISCARD:
            return errors.discard(self, argument)
        if key == t.KEY_NO_CARD:
            return opening.no_card(self, argument)
        if key == t.KEY_MISSED_DEALER:
            return opening.missed_dealer(self)
        if key == t.KEY_END_ROUND:
            return dealer.end_round(self)
        if key == t.KEY_REVEAL:
            return dealer.reveal(self)
        if not self.st.dealt:
            return False
        if key == t.KEY_NEXT_HAND:
            return players.next_hand(self)
        if key == t.KEY_DOUBLE:
            return players.double(self)
        if key == t.KEY_SPLIT:
            return players.split(self)
        if key == t.KEY_SURRENDER:
            return players.surrender(self, argument)
        if key == t.KEY_MISSED:
            return players.missed(self, argument)
        return False

    def input_peek(self, result):
        """The card reader device answered, 633a.7(h): events. After a Blackjack no further card is dealt."""
        self._out = []
        self.follow()
        st = self.st
        hand = self.turn()
        legal = st.in_round and st.dealt and not st.revealed and not st.decided and 0 <= result < 4 and bool(st.hole)
        if legal and not st.stopped():
            self.emit((t.REC_PEEK, result))
            if result == t.PEEK_BLACKJACK:
                while hand is not None:
                    self.emit((t.REC_HAND_ENDED, hand.box, hand.number, t.HAND_END_DEALER_BLACKJACK))
                    hand = self.turn()
                dealer.turn_hole(self)
        self.follow()
        return self._out

    def input_pass(self, p):
        """One thing went through a read head (a Pass): events."""
        self._out = []
        self.follow()
        if p.head in (0, 1):
            self._passed(p)
        elif p.kind == t.PASS_BLOCKED and p.head == t.HEAD_READER:
            self.fault(t.FAULT_READER, p.head, p.reason)
        self.follow()
        return self._out

    def _passed(self, p):
        st = self.st
        kind = p.kind
        head = p.head
        if kind == t.PASS_BLOCKED:
            self.fault(_BLOCKED.get(p.reason, t.FAULT_HEAD_DIRTY), head, p.reason)
            return
        side = st.side(head)
        if not st.shoe_open or side is None:
            if kind != t.PASS_PULL_BACK and not st.stray and not st.shoe_open:
                self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_STOPPED, t.POSITION_NONE, 0, head, t.PHASE_EMPTY))
            elif st.shoe_open and kind in (t.PASS_CARD, t.PASS_TEST_CARD, t.PASS_FOREIGN_BATCH, t.PASS_UNREADABLE):
                self._stray(head, p.card if kind != t.PASS_UNREADABLE else UNKNOWN, p.batch)
            return
        if kind == t.PASS_PULL_BACK:
            if not st.stopped():
                self.emit((t.REC_IRREGULARITY, t.IRR_PULLED_BACK, t.POSITION_NONE, 0, head, 0))
        elif kind == t.PASS_COVER_CARD or (kind == t.PASS_FOREIGN_BATCH and p.card == _CARDS):
            self._cover(side, head, p.batch)
        elif kind == t.PASS_BLANK:
            self._blank(head)
        elif kind == t.PASS_UNREADABLE or kind == t.PASS_DOUBLE_FEED:
            if st.stopped():
                self._stray(head, UNKNOWN, UNKNOWN)
            elif kind == t.PASS_UNREADABLE:
                self.fault(t.FAULT_UNREADABLE, head, p.reason)
            else:
                self.fault(t.FAULT_DOUBLE_FEED, head, p.reason)
        elif kind in (t.PASS_CARD, t.PASS_TEST_CARD, t.PASS_FOREIGN_BATCH):
            self._card(side, p)

    def _card(self, side, p):
        st = self.st
        head, card, batch = p.head, p.card & 63, p.batch & 63
        duration = min(0xFFFF, max(0, p.duration_ms))
        margin = p.margin & 0xFF
        test = _CARDS < card < UNKNOWN
        if st.stopped():
            self._stray(head, card, batch)
        elif card == UNKNOWN or card == _CARDS:
            self.fault(t.FAULT_UNREADABLE, head, t.UNREADABLE_UNASSIGNED)
        elif st.counting == head and (test or batch == side.batch):
            self.card(t.ROLE_COUNTED, t.POSITION_RACK, 0, head, card, batch, duration, margin)
        elif test or batch != side.batch:
            self.fault(t.FAULT_FOREIGN_BATCH, head, batch)
            self.emit((t.REC_IRREGULARITY, t.IRR_FOREIGN_BATCH, t.POSITION_NONE, 0, head, batch))
            place, _ = self.due()
            if not test and (place is None or self.face_down(place[0])):
                self.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch))
            else:
                self.card(t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch, duration, margin)
        else:
            self.place(head, card, batch, duration, margin)

    def _stray(self, head, card, batch):
        """A card came while the game was stopped: it belongs to no hand. It may lie face down, so it is sealed."""
        self.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card & 63, batch & 63))
        self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_STOPPED, t.POSITION_TABLE, 0, head, 0))
        self.alarms()

    def _cover(self, side, head, batch):
        st = self.st
        if side.cover:
            self.emit((t.REC_IRREGULARITY, t.IRR_SECOND_COVER_CARD, t.POSITION_NONE, 0, head, batch))
            return
        place, _ = self.due()
        box = place[1] if place is not None else st.first_box()
        if box == t.POSITION_RACK and st.first_box() != t.POSITION_NONE:
            box = st.first_box()  # reading 33: whoever was to receive the next card
        self.emit((t.REC_COVER_CARD, head, self.phase, box, batch & 63))
        if batch != side.batch:
            self.emit((t.REC_IRREGULARITY, t.IRR_FOREIGN_BATCH, t.POSITION_NONE, 0, head, batch & 63))

    def _blank(self, head):
        """A card lay face up in the shoe, 633a.14(a), 635a.13(a)."""
        st = self.st
        place, _ = self.due()
        box, hand = (place[1], place[2]) if place is not None else (t.POSITION_NONE, 0)
        second = st.game == t.GAME_SPANISH_21 and st.in_round and st.face_ups > 0
        code = t.IRR_SECOND_FACE_UP_CARD if second else t.IRR_FACE_UP_CARD
        self.emit((t.REC_IRREGULARITY, code, box, hand, head, min(255, st.face_ups + 1)))
        self.alarms()
