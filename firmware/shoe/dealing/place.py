"""What a card sets off when it comes out: events with the alarms of its face, whose card it is, where it is laid."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_DOUBLE_DOWN
from shoe.dealing import dealer, fold, opening, players
from shoe.dealing.inventory import UNKNOWN, strange_ten
from shoe.dealing.state import State
from shoe.dealing.variations import hybrid
from shoe.game_table import GAMES, PLAYERS_DOWN

_CARDS = const(52)
_RED = (1, 2)


class Placing:
    """The state and the events of one step; the part of Dealing that lays cards."""

    unknown = UNKNOWN

    def __init__(self, config):
        self.config = config
        self.st = State(config)
        self._out = []

    def follow(self):
        """Emit what follows from the state alone; Dealing says what that is."""

    # ------------------------------------------------------------------------------------------------ emitting
    def emit(self, event):
        """Fold an event and add it to this step."""
        fold.apply(self.st, event)
        self._out.append(event)

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
        if strange_ten(self.st.game, card) and role not in (t.ROLE_COUNTED, t.ROLE_STOPPED):
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
        if strange_ten(st.game, card):
            self.ten(box, hand, head, card)
            if role == t.ROLE_HOLE:  # it is in no hand
                self.emit((t.REC_MOVED, ref, t.ROLE_DISCARDED, t.POSITION_NONE, 0))
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

    def stray(self, head, card, batch):
        """A card came while the game was stopped: it belongs to no hand. It may lie face down, so it is sealed."""
        self.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card & 63, batch & 63))
        self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_STOPPED, t.POSITION_TABLE, 0, head, 0))
        self.alarms()

    # ------------------------------------------------------------------------------------------------ whose card
    def head(self):
        """Side that the next card should come from."""
        return self.st.chosen if self.st.double and self.st.chosen >= 0 else 0

    def turn(self):
        """The player's hand in turn, None before and after the players' turn."""
        st = self.st
        return players.turn(st) if st.in_round and st.dealt and not st.choosing() else None

    def due(self):
        """((role, box, hand), owed) of the next card, (None, False) when nobody is due one; owed: it comes unasked."""
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
        if st.choosing():
            return None, False  # 633c.4(f): the choice comes before any other card
        if st.own or (st.community() and self.turn() is not None):
            return hybrid().due(st)
        hand = players.turn(st)
        if hand is not None:
            role, owed = players.due_role(hand)
            return (role, hand.box, hand.number), owed
        if dealer.standing(st):
            return None, False
        return (t.ROLE_DEALER_DRAW, t.POSITION_DEALER, 0), dealer.draws_on(st)

    def face_down(self, role):
        """True when a card of this role is dealt face down."""
        st = self.st
        if role in (t.ROLE_BURN, t.ROLE_HOLE, t.ROLE_SWITCH_HAND):
            return True
        if GAMES[st.game][PLAYERS_DOWN]:  # 633a.12(b)(5)(i)-(iv); a late card after the deal is an extra one, (b)(7)
            return not st.dealt and role in (t.ROLE_OPENING, t.ROLE_LATE)
        return role == t.ROLE_DOUBLE_DRAW and bool(st.options & OPTION_DOUBLE_DOWN)

    def determinant(self, head, card, box):
        """(role, box) of a determinant card: its suit picks the side, 633a.7(d)(1)-(2)."""
        red = card // 13 in _RED
        side = 0 if red == (self.st.color == t.COLOR_RED_SUITS) else 1
        if side == head:
            return t.ROLE_DETERMINANT_FIRST, box
        return t.ROLE_DETERMINANT_ASIDE, t.POSITION_SEGREGATED

    def _may_take(self, role):
        """True when a card of this role, owed to nobody, may be the held one: a player's, or the dealer's before his
        hole card was turned."""
        return role == t.ROLE_DRAW or (role == t.ROLE_DEALER_DRAW and not self.st.revealed)

    def use_held(self, asked):
        """Deal the first held card to whom the next card is due; True when it was dealt. asked: by the deal key."""
        st = self.st
        if not st.held.refs:
            return False
        place, owed = self.due()
        if place is None or not (owed or (asked and self._may_take(place[0]))):
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
            if strange_ten(st.game, card):  # the place stays due
                role, box, hand = t.ROLE_DISCARDED, t.POSITION_NONE, 0
            self.emit((t.REC_OPENED, ref, role, box, hand, card, batch))
            if box == t.POSITION_NONE:
                self.ten(place[1], place[2], head, card)
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
        place, owed = self.due()
        while st.held.refs and place is not None and not owed and self._may_take(place[0]):
            self.use_held(True)  # the held card was the next one; this is the one after it
            self.follow()
            place, owed = self.due()
            if st.stopped():  # by the held card's face: whose this one is must wait
                self.stray(head, card, batch)
                return
        if not st.in_round and (side.finished >= 0 or st.any_finished()):
            self.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch))
            self.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_FINISHED, t.POSITION_TABLE, 0, head, 0))
            return
        if (place is None and (not st.in_round or st.choosing())) or st.counting >= 0:
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
        elif strange_ten(st.game, card):
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
        if wrong and not st.wrong_side and role not in (t.ROLE_BURN, t.ROLE_DETERMINANT_ASIDE, t.ROLE_DISCARDED):
            self.emit((t.REC_IRREGULARITY, t.IRR_WRONG_SIDE, box, hand, head, st.chosen))
