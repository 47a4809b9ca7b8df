"""The dealing machine: passes and keys in, events out. Pure: no clock, no I/O; the state is what the events say.

Each step decides, folds what it decided, and then lets follow what follows from the state alone (`follow`), so that a
step that the power cut in half goes on at the next input. DEALING.md has the transitions with their clauses.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing import dealer, fold, opening, peek, players, shoe
from shoe.dealing import drawn_in_error as errors
from shoe.dealing.fold_cards import recorded
from shoe.dealing.passes import passed
from shoe.dealing.place import Placing
from shoe.dealing.state import NO_HAND
from shoe.dealing.variations import hybrid, switch_hands

_MOST_STEPS = const(600)  # consequences of one input; far above any legal number


class Dealing(Placing):
    """Table, shoe and faults of one game; see the module."""

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
        if st.choosing():
            return t.PHASE_CHOOSING
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
        if st.stopped():
            return 1 << t.LAMP_STOP | (peek.lamps(st) if peek.inspecting(st) else 0)
        mask = peek.lamps(st)
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

    # ------------------------------------------------------------------------------------------------ events of others
    def apply(self, event):
        """Fold an event that somebody else made (a fault of the application, say)."""
        fold.apply(self.st, event)

    def restore(self, event, number):
        """Fold record `number` of the journal at a start. When it raises, this table is of no use."""
        self.st.restored = number
        fold.apply(self.st, event)
        self.st.restored = -1

    def recorded(self, event, number):
        """The journal gave `event` this record number."""
        recorded(self.st, event, number)

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
        if shoe.retell(self) or shoe.finish(self) or peek.follow(self):
            return True
        if st.asides and st.in_round and switch_hands().follow(self):
            return True
        if st.stopped():
            return False
        if st.in_round and st.dealt and (st.community() or not st.choosing()):
            for hand in st.hands:
                if hand.ended == NO_HAND:
                    end = players.automatic_end(hand)
                    if end != NO_HAND:
                        self.emit((t.REC_HAND_ENDED, hand.box, hand.number, end))
                        return True
            if st.revealed and dealer.surplus(self):
                return True
            if st.community() and hybrid().follow(self):
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
        if key == t.KEY_READER_TEST:
            return peek.inspect(self, argument)
        if st.stopped():
            return False
        if key == t.KEY_SEATS:
            return shoe.seats(self, argument)
        if key == t.KEY_DEAL:
            return shoe.deal(self)
        if key == t.KEY_NEW_DEALER:
            return shoe.new_dealer(self)
        if key == t.KEY_ANTES:
            return st.premium() and switch_hands().antes(self, argument)
        if key == t.KEY_SELECT:
            return st.community() and hybrid().select(self, argument)
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
        if self.st.community():
            return self._press_at_hybrid(key, argument)
        if key == t.KEY_DISCARD:
            return errors.discard(self, argument)
        if key == t.KEY_NO_CARD:
            return opening.no_card(self, argument)
        if self.st.choosing():
            if key == t.KEY_SWITCH or key == t.KEY_NEXT_HAND:
                return switch_hands().choose(self, int(key == t.KEY_SWITCH), argument)
            return False
        if key == t.KEY_MISSED_DEALER:
            return opening.missed_dealer(self)
        if key == t.KEY_END_ROUND:
            return dealer.end_round(self)
        if key == t.KEY_REVEAL:
            return dealer.reveal(self)
        if not self.st.dealt:
            return False
        if key == t.KEY_INSURANCE:
            return peek.insurance(self, argument)
        if key == t.KEY_NEXT_HAND:
            return players.next_hand(self)
        if self.st.peek == t.PEEK_BLACKJACK and key != t.KEY_TURN_UP:
            return False  # 633a.7(h) result: nobody decides anything more
        if key == t.KEY_DOUBLE:
            return players.double(self)
        if key == t.KEY_SPLIT:
            return players.split(self)
        if key == t.KEY_SURRENDER:
            return players.surrender(self, argument)
        if key == t.KEY_MISSED:
            return players.missed(self, argument)
        if key == t.KEY_SWITCH:
            return players.switch(self, argument)
        if key == t.KEY_TURN_UP:
            return not (argument and dealer.draws_on(self.st)) and players.turn_up(self, argument)
        return False

    def _press_at_hybrid(self, key, argument):
        """A key in a round: what the players choose, and the dealer's keys once all have chosen."""
        st = self.st
        if key == t.KEY_REVEAL:
            return not st.choosing() and dealer.reveal(self)
        if key == t.KEY_END_ROUND:
            return not st.choosing() and dealer.end_round(self)
        if key == t.KEY_DISCARD:
            return not argument and bool(st.held.refs) and errors.discard(self, 0)
        if not st.dealt or st.revealed:
            return False
        if key == t.KEY_INSURANCE:
            return peek.insurance(self, argument)
        return hybrid().choose(self, key, argument)

    def input_pass(self, p):
        """One thing went through a read head (a Pass), or into the card reader device and out: events."""
        self._out = []
        self.follow()
        if p.head in (0, 1):
            passed(self, p)
        elif p.head == t.HEAD_READER:
            peek.used(self, p)
        self.follow()
        return self._out
