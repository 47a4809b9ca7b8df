"""Seeded inputs for a Dealing: mostly what a dealer does, now and then anything at all; and what must always hold."""

from dealing_table import UNKNOWN, Pass, config, double_shoe
from shoe import wire_table as t
from shoe.config import AUTO_HIT, OPTION_HANDS_LAST, OPTION_PREMIUM, OPTION_READER, OPTION_SWITCH_HANDS

_GOOD = {
    t.PHASE_EMPTY: ((t.KEY_LOAD, 0), (t.KEY_LOAD, 1)),
    t.PHASE_FINISHED: (
        (t.KEY_LOAD, 0),
        (t.KEY_LOAD, 1),
        (t.KEY_COUNT, 0),
        (t.KEY_CLOSE_SHOE, 0),
        (t.KEY_NEW_DEALER, 0),
    ),
    t.PHASE_COUNTING: ((t.KEY_COUNT, 0), (t.KEY_COUNT, 1)),
    t.PHASE_TESTING: ((t.KEY_TEST_DEAL, 0), (t.KEY_TEST_DEAL, 1)),
    t.PHASE_PLAYERS: (
        (t.KEY_NEXT_HAND, 0),
        (t.KEY_NEXT_HAND, 0),
        (t.KEY_DOUBLE, 0),
        (t.KEY_SPLIT, 0),
        (t.KEY_SPLIT, 0),
        (t.KEY_SURRENDER, 0),
        (t.KEY_HOLD, 1),
        (t.KEY_HOLD, 0),
        (t.KEY_DEAL, 0),
        (t.KEY_DISCARD, 1),
        (t.KEY_DISCARD, 0),
        (t.KEY_MISSED, 1),
        (t.KEY_NO_CARD, 2),
        (t.KEY_MISSED_DEALER, 0),
        (t.KEY_SWITCH, 0),
        (t.KEY_TURN_UP, 0),
    ),
    t.PHASE_OPENING: (
        (t.KEY_NO_CARD, 1),
        (t.KEY_NO_CARD, 18),
        (t.KEY_NO_CARD, 33),
        (t.KEY_NO_CARD, 65),
        (t.KEY_MISSED_DEALER, 0),
    ),
    t.PHASE_CHOOSING: (
        (t.KEY_NEXT_HAND, 0),
        (t.KEY_SWITCH, 0),
        (t.KEY_SWITCH, 1),
        (t.KEY_NO_CARD, 1),
        (t.KEY_HOLD, 1),
        (t.KEY_DISCARD, 0),
    ),
    t.PHASE_DEALER: (
        (t.KEY_TURN_UP, 1),
        (t.KEY_SWITCH, 1),
        (t.KEY_REVEAL, 0),
        (t.KEY_REVEAL, 0),
        (t.KEY_REVEAL, 0),
        (t.KEY_MISSED, 1),
        (t.KEY_END_ROUND, 0),
    ),
    t.PHASE_SETTLING: ((t.KEY_END_ROUND, 0), (t.KEY_END_ROUND, 0), (t.KEY_REVEAL, 0)),
}
_LONG = (t.PHASE_OPENING, t.PHASE_COUNTING, t.PHASE_TESTING)
_CHOICES = (  # of a hybrid table
    (t.KEY_COUNTDOWN, 0),
    (t.KEY_COUNTDOWN, 0),
    (t.KEY_HIT, 1),
    (t.KEY_HIT, 2),
    (t.KEY_DOUBLE, 1),
    (t.KEY_SPLIT, 2),
    (t.KEY_SPLIT, 1),
    (t.KEY_SURRENDER, 3),
    (t.KEY_NEXT_HAND, 1),
    (t.KEY_HIT, 17),
    (t.KEY_INSURANCE, 1),
    (t.KEY_REVEAL, 0),
)
_PASSES = (
    t.PASS_COVER_CARD,
    t.PASS_BLANK,
    t.PASS_PULL_BACK,
    t.PASS_DOUBLE_FEED,
    t.PASS_FOREIGN_BATCH,
    t.PASS_UNREADABLE,
    t.PASS_BLOCKED,
    t.PASS_TEST_CARD,
)


def settings(random, hybrids=False):
    """One of the games and shoes, small so that shoes end; a hybrid table only where they are asked for."""
    pick = random.below(10 if hybrids else 8)
    if pick > 7:
        return hybrid(random)
    if pick > 5:
        return variation(random)
    if pick < 2:
        return config(decks=1, options=random.of((0, 0, 1, 2, 8)), positions=random.of((1, 3, 7)))
    if pick == 2:
        return config(game=t.GAME_FREE_BET, decks=2, positions=6)
    if pick == 3:
        return config(game=t.GAME_SPANISH_21, decks=6, positions=3)
    out = double_shoe(options=random.of((0, 4, 1)), side_a_color=random.below(2))
    out.decks = 2
    return out


def variation(random):
    """Blackjack Switch or from the hand, 633a.12, or switch hands, 633c.4."""
    if random.chance(40):
        return switch_hands(random)
    if random.chance(50):
        return config(game=t.GAME_SWITCH, decks=2, options=random.of((0, 0, 1)), positions=random.of((1, 3, 7)))
    return config(game=t.GAME_FROM_THE_HAND, decks=random.of((1, 2)), positions=random.of((1, 3, 7)))


def switch_hands(random):
    """Switch hands in each order, premium or not, from a single or a double shoe."""
    options = OPTION_SWITCH_HANDS | random.of((0, OPTION_PREMIUM))
    if random.chance(25):
        out = double_shoe(options=options | OPTION_HANDS_LAST)
        out.decks = 2
        return out
    options |= random.of((0, 0, OPTION_HANDS_LAST)) | random.of((0, 0, 1, 2))
    return config(decks=2, options=options, positions=random.of((1, 3, 7)))


def hybrid(random):
    """A hybrid table with or without a hole card, 633c.5."""
    if random.chance(50):
        return config(game=t.GAME_HYBRID, decks=6, positions=random.of((1, 3, 7)))
    options = random.of((0, 2, 11 << AUTO_HIT, 16 << AUTO_HIT))
    return config(game=t.GAME_HYBRID_NO_HOLE, decks=6, options=options, positions=random.of((1, 3, 7)))


def with_reader(settings):
    """The same table with a card reader device."""
    settings.options |= OPTION_READER
    return settings


class Chaos:
    """Chooses the next input for a table; remembers what is still in the shoe, so that cards are mostly possible."""

    def __init__(self, random, settings, wild=10):
        self.random = random
        self.config = settings
        self.wild = wild  # percent of inputs that are anything at all
        self.stock = (bytearray(416), bytearray(416))
        self.left = [0, 0]

    def _fresh(self, head):
        """A full batch on a side."""
        per_side = self.config.decks // 2 if self.config.shoe_kind == t.SHOE_KIND_DOUBLE else self.config.decks
        spanish = self.config.game == t.GAME_SPANISH_21
        stock = self.stock[head & 1]
        left = 0
        for _ in range(per_side):
            for each in range(52):
                if not (spanish and each % 13 == 9):
                    stock[left] = each
                    left += 1
        self.left[head & 1] = left

    def _a_card(self, head):
        if not self.left[head & 1]:
            self._fresh(head)
        stock = self.stock[head & 1]
        self.left[head & 1] -= 1
        last = self.left[head & 1]
        at = self.random.below(last + 1)
        out = stock[at]
        stock[at] = stock[last]
        if self.config.game == t.GAME_SPANISH_21 and self.random.chance(4):
            return 9 + 13 * self.random.below(4)  # a 10 that nobody took out
        return out

    def next(self, dealing):
        """("key", key, argument) or ("pass", Pass)."""
        random = self.random
        if random.chance(self.wild):
            return self._anything()
        if dealing.faults and random.chance(60):
            return "key", t.KEY_SUPERVISOR, random.below(4)
        if self.config.options & OPTION_READER:
            st = dealing.st
            if random.chance(60 if st.hole and st.peek < 0 and not st.decided else 12):
                return self._reader(dealing)
        phase = dealing.phase
        if phase == t.PHASE_READY:
            if random.chance(85):
                if not dealing.st.seats or random.chance(15):
                    return "key", t.KEY_SEATS, 1 + random.below((1 << self.config.positions) - 1)
                if self.config.options & OPTION_PREMIUM and random.chance(40):
                    return "key", t.KEY_ANTES, dealing.st.seats & random.below(128)
                for box in range(1, 8) if self.config.game == t.GAME_HYBRID else ():
                    if dealing.st.seats >> box - 1 & 1 and not dealing.st.selection(box):
                        return "key", t.KEY_SELECT, box + 16 * (1 + random.below(3))
                return "key", t.KEY_DEAL, 0
            return ("key",) + random.of(
                ((t.KEY_NEW_DEALER, 0), (t.KEY_RESHUFFLE, 0), (t.KEY_CLOSE_SHOE, 0), (t.KEY_COUNT, 0), (t.KEY_HOLD, 1))
            )
        if phase == t.PHASE_BURNING and random.chance(5):
            return "key", t.KEY_TEST_DEAL, 0
        keys = _GOOD.get(phase, ())
        if phase == t.PHASE_CHOOSING and self._hybrid():
            keys = _CHOICES
        share = (
            35
            if phase == t.PHASE_PLAYERS
            else 6
            if phase in (t.PHASE_OPENING, t.PHASE_COUNTING, t.PHASE_TESTING)
            else 90
        )
        if keys and random.chance(share):
            key, argument = random.of(keys)
            if key == t.KEY_LOAD:
                self._fresh(argument)
            return "key", key, argument
        double = self.config.shoe_kind == t.SHOE_KIND_DOUBLE
        head = random.below(2) if double and random.chance(20) else dealing.head() & 1
        if random.chance(4):
            return "pass", self._odd(head)
        if dealing.drawn(head) > 30 and random.chance(8):
            return "pass", Pass(t.PASS_COVER_CARD, 52, self._batch(dealing, head), head)
        return "pass", Pass(t.PASS_CARD, self._a_card(head), self._batch(dealing, head), head)

    def _batch(self, dealing, head):
        return dealing.batches(head)[0]

    def _odd(self, head):
        random = self.random
        kind = random.of(_PASSES)
        face = random.below(52) if kind != t.PASS_TEST_CARD else 53 + random.below(4)
        return Pass(kind, face, 1 + random.below(3), head, random.below(12))

    def _reader(self, dealing):
        """Something in the card reader device: its inspection, the hole card, another card, nothing readable."""
        random = self.random
        st = dealing.st
        if 0 <= st.reader_step < 4:
            return "pass", Pass(t.PASS_TEST_CARD, 53 + st.reader_step, 1, t.HEAD_READER)
        if st.latched(t.FAULT_READER) or (not st.in_round and random.chance(30)):
            return "key", t.KEY_READER_TEST, 0
        if not st.hole or random.chance(20):
            return "pass", self._odd(t.HEAD_READER)
        if not st.insured and random.chance(50):
            return "key", t.KEY_INSURANCE, 0
        _, _, _, _, face, batch, _ = st.sealed.get(st.sealed.find(st.hole))
        return "pass", Pass(t.PASS_CARD, face, batch, t.HEAD_READER)

    def _hybrid(self):
        return self.config.game in (t.GAME_HYBRID, t.GAME_HYBRID_NO_HOLE)

    def _anything(self):
        random = self.random
        if random.chance(60):
            key = random.below(35 if self._hybrid() else 32)
            return "key", key, random.of((0, 0, 1, 2, 3, 7, 17, 33, 127, 255, random.below(256)))
        kind = random.below(9)
        return "pass", Pass(kind, random.below(64), random.below(64), random.below(4), random.below(13))


def press(table, step):
    """Give an input to a Table."""
    if step[0] == "key":
        table.key(step[1], step[2])
    else:
        p = step[1]
        table.send(p.kind, p.card, p.head, p.batch, p.reason)


class Invariants:
    """What must hold after every step of a Table; `problem` is empty or says what does not."""

    def __init__(self):
        self.sealed = {}  # record number -> face, while it is face down
        self.opened = set()
        self.problem = ""
        self.seen = set()  # (phase) reached and kinds emitted, for coverage

    def check(self, table, step):
        """Look at the last step of `table`, which answered `step`."""
        records = table.records[len(table.records) - len(table.step) :]
        cards = 0
        for number, event in records:
            kind = event[0]
            self.seen.add(kind)
            if len(event) != len(fields(kind)) + 1:
                self.problem = "fields of %r" % (event,)
            for value in event[1:]:
                if isinstance(value, int) and value < 0:
                    self.problem = "negative in %r" % (event,)
            if kind == t.REC_CARD:
                cards += 1
                if event[1] in (t.ROLE_BURN, t.ROLE_HOLE) and event[5] != UNKNOWN:
                    self.problem = "face of a card that lies face down: %r" % (event,)
            elif kind == t.REC_SEALED:
                cards += 1
                self.sealed[number] = event[5]
            elif kind == t.REC_OPENED:
                if event[1] not in self.sealed or self.sealed.pop(event[1]) != event[5]:
                    self.problem = "opened what was not sealed: %r" % (event,)
            elif kind == t.REC_ROUND_OPENED:
                for side in table.dealing.st.sides[: table.dealing.st.heads()]:
                    if side.finished >= 0 or not side.loaded:
                        self.problem = "a round from a finished side"
            elif kind == t.REC_MOVED and event[1] in self.sealed and event[2] in (t.ROLE_OPENING,):
                if table.dealing.st.game != t.GAME_FROM_THE_HAND and not table.dealing.st.asides:
                    self.problem = "a face-down card dealt face up without its face"
        if step[0] == "pass":
            self._pass(table, step[1], cards)
        elif cards and step[1] != t.KEY_SUPERVISOR:
            self.problem = "a key made %d cards" % cards
        self._state(table)

    def _pass(self, table, p, cards):
        readable = p.kind in (t.PASS_CARD, t.PASS_TEST_CARD)
        side = table.dealing.st.side(p.head)
        if cards > 1:
            self.problem = "one pass, %d cards" % cards
        if readable and side is not None and p.card < 52 and p.batch == side.batch and cards != 1:
            self.problem = "a card went by unrecorded"

    def _state(self, table):
        dealing = table.dealing
        st = dealing.st
        phase = dealing.phase
        self.seen.add(100 + phase)
        if not 0 <= phase <= t.PHASE_CHOOSING or not 0 <= dealing.lamps < 256:
            self.problem = "phase %d" % phase
        if st.pending:
            self.problem = "a card without its record number"
        for side in st.sides:
            if side.loaded and side.passed != sum(side.dealt) + side.unknown:
                self.problem = "inventory: %d passed, %d known, %d unknown" % (
                    side.passed,
                    sum(side.dealt),
                    side.unknown,
                )
        for ref in st.sealed.refs[: st.sealed.many]:
            if ref not in self.sealed:
                self.problem = "sealed %d in the state alone" % ref
        laid = []
        for hand in st.lying():
            laid += [ref for ref in hand.refs if ref]  # 0: a community card, which lies in the stream alone
            if not len(hand.cards) == len(hand.refs) == len(hand.heads):
                self.problem = "a torn hand"
            for i in range(len(hand.refs)):
                if hand.refs[i] in st.sealed.refs and hand.cards[i] != UNKNOWN:
                    self.problem = "the face of a sealed card in a hand"
        if len(set(laid)) != len(laid):
            self.problem = "a card lies in two places"


def fields(kind):
    """Values of an event of this kind: its format's, a commitment as card and batch, an opening without its nonce."""
    text = t.RECORD_FORMATS[kind][1:]
    if kind == t.REC_SEALED:
        return "BBBBBB"
    if kind == t.REC_OPENED:
        return "IBBBBB"
    out = ""
    for letter in text:
        out += "" if letter in "0123456789" else letter
    return out
