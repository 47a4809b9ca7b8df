"""A table for tests of `dealing`: presses keys, sends passes, numbers the events as a journal would, remembers them."""

from shoe import wire_table as t
from shoe.config import Config
from shoe.dealing.machine import Dealing

CLUBS, DIAMONDS, HEARTS, SPADES = 0, 13, 26, 39
ACE, TEN, JACK, QUEEN, KING = 0, 9, 10, 11, 12
UNKNOWN = 63


def card(rank, suit=SPADES):
    """Card id: rank 2 to 10 by its pips, or ACE, JACK, QUEEN, KING by their constants."""
    if rank in (ACE, JACK, QUEEN, KING):
        return suit + rank
    return suit + rank - 1


def ten(suit=SPADES):
    """Card id of a 10."""
    return suit + TEN


class Pass:
    """What a read head reports."""

    def __init__(self, kind, card=UNKNOWN, batch=1, head=0, reason=0):
        self.kind = kind
        self.card = card
        self.batch = batch
        self.head = head
        self.reason = reason
        self.duration_ms = 80
        self.peak_mm_s = 900
        self.corrected = 0
        self.margin = 200
        self.edges = 130


class Random:
    """The same small generator on every Python."""

    def __init__(self, seed):
        self.state = seed & 0x3FFFFFFF or 1
        for _ in range(4):
            self.below(2)

    def below(self, n):
        """A number from 0 to n - 1."""
        self.state = (self.state * 1103515 + 12345) % 1073741789
        return (self.state >> 7) % n

    def chance(self, percent):
        """True so many times in a hundred."""
        return self.below(100) < percent

    def of(self, things):
        """One of them."""
        return things[self.below(len(things))]


def config(**settings):
    """A valid Config with these settings."""
    out = Config()
    for name in settings:
        setattr(out, name, settings[name])
    assert out.validate() == 0, out.validate()
    return out


def double_shoe(**settings):
    """Configuration of a double shoe: 8 decks, batch 1 on side A for red suits, batch 2 on side B."""
    return config(shoe_kind=t.SHOE_KIND_DOUBLE, decks=8, **settings)


class Table:
    """A Dealing with its records. `step` holds the events of the last input."""

    def __init__(self, settings=None, first_record=100):
        self.config = settings or config()
        self.dealing = Dealing(self.config)
        self.number = first_record
        self.records = []  # (number, event)
        self.step = []
        self.accepted = True

    def _take(self, events):
        self.step = list(events)
        for event in self.step:
            self.dealing.recorded(event, self.number)
            self.records.append((self.number, event))
            self.number += 1
        return self.step

    def forget(self):
        """Let the records go, but for those of the last step: for long runs on a small heap."""
        self.records = self.records[len(self.records) - len(self.step) :]

    def key(self, key, argument=0):
        """Press a key; True when it was accepted."""
        self.accepted, events = self.dealing.input_key(key, argument)
        self._take(events)
        return self.accepted

    def keys(self, *keys):
        """Press keys that must all be accepted; a pair is (key, argument)."""
        for key in keys:
            pressed = self.key(*key) if isinstance(key, tuple) else self.key(key)
            assert pressed, key

    def send(self, kind, card=UNKNOWN, head=0, batch=-1, reason=0):
        """Send one thing through a head; the events."""
        if batch < 0:
            batch = self.config.batch_b if head == 1 else self.config.batch_a
        return self._take(self.dealing.input_pass(Pass(kind, card, batch, head, reason)))

    def draw(self, *cards, head=0):
        """Draw cards; the events of the last."""
        for each in cards:
            self.send(t.PASS_CARD, each, head)
        return self.step

    def peek(self, card, batch=-1, kind=t.PASS_CARD):
        """Slide a card into the card reader device and out; the events of its answer."""
        return self.send(kind, card, t.HEAD_READER, batch)

    def cover(self, head=0):
        """The cover card comes out."""
        return self.send(t.PASS_COVER_CARD, 52, head)

    def blank(self, head=0):
        """A card that lay face up comes out."""
        return self.send(t.PASS_BLANK, UNKNOWN, head, 0)

    def start(self, seats=1, burn=None):
        """Load every side, burn if that is owed, set the seats, open the round."""
        for head in range(2 if self.config.shoe_kind == t.SHOE_KIND_DOUBLE else 1):
            self.keys((t.KEY_LOAD, head))
        if self.dealing.phase == t.PHASE_BURNING:
            self.draw(card(2, DIAMONDS) if burn is None else burn)
        self.open_round(seats)

    def open_round(self, seats=1):
        """Set the seats and press deal."""
        self.keys((t.KEY_SEATS, seats), t.KEY_DEAL)

    def play_round(self, cards, seats=1, stands=1):
        """A whole round with these opening cards, all hands standing, the dealer's cards enough."""
        self.open_round(seats)
        self.draw(*cards)
        for _ in range(stands):
            self.keys(t.KEY_NEXT_HAND)
        self.keys(t.KEY_REVEAL, t.KEY_END_ROUND)

    def kinds(self):
        """Kinds of the last step's events."""
        return [event[0] for event in self.step]

    def codes(self, events=None):
        """Irregularity codes of these events, else of all records."""
        if events is None:
            events = [event for _, event in self.records]
        return [event[1] for event in events if event[0] == t.REC_IRREGULARITY]

    def of_kind(self, kind):
        """All events of a kind so far."""
        return [event for _, event in self.records if event[0] == kind]

    def found(self, code):
        """All irregularities of this code so far."""
        return [event for event in self.of_kind(t.REC_IRREGULARITY) if event[1] == code]

    def where(self):
        """(role, box, hand, card) of each face-up card record so far."""
        return [(event[1], event[2], event[3], event[5]) for event in self.of_kind(t.REC_CARD)]

    @property
    def phase(self):
        """enum.phase."""
        return self.dealing.phase

    def lamp(self, lamp):
        """True when a lamp is lit."""
        return bool(self.dealing.lamps >> lamp & 1)


_STATE = (
    "game double decks color positions options batch_in_play batch_waiting shoe_open round in_round rounds_closed "
    "cards_out seats round_seats burn_batch burn_dealer burn_refill dealers told_seats told_burns held_shown faults "
    "antes told_antes selected told_selected "
    "counting testing count_base count_tens test_wrong wrong_keys stray chosen side_told missed_up dealt hole revealed "
    "peek peek_last peek_told insured reads refusals reader_step reader_ok told_reader inspection_told "
    "wrong_side face_ups tens void decided last_ref timed"
).split()
_SIDE = (
    "loaded game decks batch cards cover last_round ordered finished carry finish_told dealt unknown passed tens over"
).split()
_HAND = "box number cards refs heads ended doubled owes_double split skips refused late switched wants".split()


def _fields(thing, names):
    return [getattr(thing, name) for name in names]


def snapshot(dealing):
    """All that decides what a Dealing does next, comparable."""
    st = dealing.st
    out = [_fields(st, _STATE)]
    for side in st.sides:
        out.append(_fields(side, _SIDE) if side.loaded else None)
    for hand in st.lying() + st.own:
        out.append(_fields(hand, _HAND))
    out.append([(st.sealed.refs[i],) + st.sealed.get(i) for i in range(st.sealed.many)])
    return out


def difference(one, two):
    """The first field in which two snapshots differ, as text; empty when they are the same."""
    if len(one) != len(two):
        return "hands %d %d" % (len(one), len(two))
    names = [_STATE, _SIDE, _SIDE] + [_HAND] * (len(one) - 4) + [["sealed"]]
    for i in range(len(one)):
        if one[i] != two[i]:
            if one[i] is None or two[i] is None or names[i] == ["sealed"]:
                return "%d: %r %r" % (i, one[i], two[i])
            for j in range(len(one[i])):
                if one[i][j] != two[i][j]:
                    return "%s: %r %r" % (names[i][j], one[i][j], two[i][j])
    return ""


def folded(config, records):
    """A fresh Dealing that folded (number, event) records."""
    out = Dealing(config)
    for number, event in records:
        out.restore(event, number)
    return out
