"""What is in one side of the shoe and what came out of it: composition, impossible duplicates, counts, test deals.

A card that lies face down is counted as a card, never by its face, until it is opened.
"""

from shoe.compat import const
from shoe.game_table import GAMES, TENS
from shoe.wire_table import COUNT_VERDICT_COMPLETE, COUNT_VERDICT_OVER, COUNT_VERDICT_SHORT, COUNT_VERDICT_WRONG

UNKNOWN = const(63)
_TEN = const(9)  # rank of a 10
_RANKS = const(13)
_CARDS = const(52)
_MOST = const(0xFFFF)
# New-deck order as the test deal expects it: these suits one after the other, ace to king, then king to ace.
_NEW_DECK = ((3, 1), (1, 1), (0, -1), (2, -1))


def is_ten(card):
    """True for a 10 of any suit."""
    return card < _CARDS and card % _RANKS == _TEN


def strange_ten(game, card):
    """True for a 10 in a game whose decks have none, 635a.3(a) composition."""
    return not GAMES[game][TENS] and is_ten(card)


def deck_size(game):
    """Cards in one deck: 52, or 48 without the 10s (635a.3(a) composition)."""
    return _CARDS if GAMES[game][TENS] else _CARDS - 4


def copies(game, decks, card):
    """How often `card` is in `decks` decks of this game."""
    return 0 if strange_ten(game, card) else decks


def new_deck_card(index, game):
    """Card at `index` of the order a test deal expects: new decks one after the other, each spades A..K, diamonds A..K,
    clubs K..A, hearts K..A; Spanish 21 without the 10s."""
    size = deck_size(game) // 4
    suit, way = _NEW_DECK[index // size % 4]
    rank = index % size
    if way < 0:
        rank = size - 1 - rank
    if size < _RANKS and rank >= _TEN:
        rank += 1
    return suit * _RANKS + rank


class Side:
    """One side of the shoe: the batch loaded on it and all that came out since."""

    def __init__(self):
        self.dealt = bytearray(_CARDS)  # known cards by face
        self.load(0, 0, 0)
        self.loaded = False

    def load(self, game, decks, batch):
        """A full batch of `decks` decks is loaded: nothing came out yet."""
        self.loaded = True
        self.game = game
        self.decks = decks
        self.batch = batch
        self.cards = decks * deck_size(game)
        self.cover = False  # its cover card came out
        self.last_round = False  # and the last round was closed
        self.ordered = False  # the floorperson ordered a reshuffle
        self.finished = -1  # enum.finish, -1 while it may be dealt from
        self.carry = False  # its carried record is owed
        self.finish_told = True
        self.clear()

    def clear(self):
        """All cards are in the shoe again."""
        for i in range(_CARDS):
            self.dealt[i] = 0
        self.unknown = 0  # came out with a face that is not known (yet)
        self.passed = 0  # all that came out, 10s of Spanish 21 apart
        self.tens = 0
        self.over = -1  # a card that came out too often and was not yet named; UNKNOWN: too many cards

    def took(self, card):
        """A card came out: its face, or UNKNOWN."""
        if card < _CARDS:
            if strange_ten(self.game, card):
                self.tens += 1
                return
            self._add(card)
        else:
            self.unknown += 1
        if self.passed < _MOST:
            self.passed += 1
        if self.passed > self.cards and self.over < 0:
            self.over = UNKNOWN

    def _add(self, card):
        """A card shows its face, which a side can hold: a 10 of Spanish 21 is counted apart."""
        n = min(255, self.dealt[card] + 1)
        self.dealt[card] = n
        if n > self.decks:
            self.over = card

    def opened(self, card):
        """A card that was counted as unknown shows its face."""
        if card >= _CARDS or not self.unknown:
            return
        self.unknown -= 1
        if strange_ten(self.game, card):
            self.tens += 1
            self.passed -= 1
        else:
            self._add(card)

    def removed(self, card):
        """A card was taken out of play for good; it counts as if it had never been in the batch."""
        if card < _CARDS:
            if self.dealt[card]:
                self.dealt[card] -= 1
                self.passed -= 1
        elif self.unknown:
            self.unknown -= 1
            self.passed -= 1

    def left(self):
        """Cards still in the shoe, by count."""
        return max(0, self.cards - self.passed)

    def first_odd(self):
        """Lowest card that came out too often, else lowest that is missing beyond what unknown cards explain, else
        UNKNOWN. Right when the side is empty."""
        missing = 0
        first = UNKNOWN
        for card in range(_CARDS):
            gap = copies(self.game, self.decks, card) - self.dealt[card]
            if gap < 0:
                return card
            if gap and first == UNKNOWN:
                first = card
            missing += gap
        if not self.unknown and missing:
            return first
        return UNKNOWN

    def verdict(self, passed, tens):
        """(verdict, expected, seen, first_card) of a count that began when so many cards and 10s were out."""
        tens = self.tens - tens
        expected = max(0, self.cards - passed)
        seen = max(0, self.passed - passed + tens)
        first = self.first_odd()
        if seen > expected:
            verdict = COUNT_VERDICT_OVER
        elif seen < expected:
            verdict = COUNT_VERDICT_SHORT
        elif first != UNKNOWN or tens:
            verdict = COUNT_VERDICT_WRONG
        else:
            verdict = COUNT_VERDICT_COMPLETE
        return verdict, expected, seen, first

    def pack(self):
        """`dealt` as 26 bytes, four bits a card, low nibble first; 15 at most."""
        out = bytearray(_CARDS // 2)
        for card in range(_CARDS):
            out[card >> 1] |= min(15, self.dealt[card]) << (4 * (card & 1))
        return bytes(out)

    def unpack(self, unknown, dealt):
        """Take over what `pack` and `unknown` said in a carried record."""
        self.clear()
        self.unknown = self.passed = unknown
        for card in range(_CARDS):
            count = dealt[card >> 1] >> (4 * (card & 1)) & 15 if card >> 1 < len(dealt) else 0
            self.dealt[card] = count
            self.passed += count
