"""The configuration: one attribute per setting of protocol.toml, packed as pairs of id:u8 value:u32."""

import binascii
import struct

from shoe import wire_table as t
from shoe.compat import const
from shoe.game_table import DECKS, DOUBLE_FACE_DOWN, DOUBLE_SHOE, FROM_THE_HAND, GAMES, NO_HOLE, POSITIONS, SWITCH_HANDS

_PAIR = "<BI"
_PAIR_SIZE = const(5)
_NAMES = (
    (t.CFG_GAME, "game"),
    (t.CFG_SHOE_KIND, "shoe_kind"),
    (t.CFG_DECKS, "decks"),
    (t.CFG_BATCH_A, "batch_a"),
    (t.CFG_BATCH_B, "batch_b"),
    (t.CFG_SIDE_A_COLOR, "side_a_color"),
    (t.CFG_POSITIONS, "positions"),
    (t.CFG_TABLE, "table"),
    (t.CFG_OPTIONS, "options"),
    (t.CFG_MAX_SPLITS, "max_splits"),
    (t.CFG_BLOCKED_S, "blocked_s"),
)

OPTION_DOUBLE_DOWN = const(1)  # the card on a double lies face down, 633a.10(c)
OPTION_CONTINUOUS = const(2)  # continuous shuffler, 633a.5(h)
OPTION_BURN_DOUBLE = const(4)  # a new dealer burns with a double shoe too
OPTION_ALTERNATE = const(8)  # two batches alternate, 633a.3(b)(4)
OPTION_OVERWRITE = const(16)  # histories that nobody fetched may be overwritten
OPTION_READER = const(64)  # the table has a card reader device, 633a.2(f); bit 5 is no setting
OPTION_SWITCH_HANDS = const(128)  # 633c.4
OPTION_HANDS_LAST = const(256)  # its cards come after the Blackjack hands, 633c.4(j)
OPTION_PREMIUM = const(512)  # the switch hands ante is each player's choice, 633c.4(k)
OPTION_EXTRA_CARD = const(1024)  # two 7s may get one more card after the dealer's Blackjack, 633c.9(d)(4)
AUTO_HIT = const(11)  # the bits from here on: a hand without a choice draws up to this count, 633c.5(z)
_OPTIONS = const(0xFFDF)
_MOST_HIT = const(20)


class Config:
    """Settings, each with its default until set; integers all of them."""

    def __init__(self):
        self.game = t.SETTINGS[t.CFG_GAME][2]
        self.shoe_kind = t.SETTINGS[t.CFG_SHOE_KIND][2]
        self.decks = t.SETTINGS[t.CFG_DECKS][2]
        self.batch_a = t.SETTINGS[t.CFG_BATCH_A][2]
        self.batch_b = t.SETTINGS[t.CFG_BATCH_B][2]
        self.side_a_color = t.SETTINGS[t.CFG_SIDE_A_COLOR][2]
        self.positions = t.SETTINGS[t.CFG_POSITIONS][2]
        self.table = t.SETTINGS[t.CFG_TABLE][2]
        self.options = t.SETTINGS[t.CFG_OPTIONS][2]
        self.max_splits = t.SETTINGS[t.CFG_MAX_SPLITS][2]
        self.blocked_s = t.SETTINGS[t.CFG_BLOCKED_S][2]

    def pack(self):
        """All settings as pairs of id:u8 value:u32, in the order of their ids."""
        out = b""
        for number, name in _NAMES:
            out += struct.pack(_PAIR, number, getattr(self, name))
        return out

    @staticmethod
    def unpack(data):
        """A Config from `pack`'s bytes; settings left out keep their default.

        Raises ValueError for a length that is no number of pairs and for an unknown setting. Ranges are for `validate`.
        """
        if len(data) % _PAIR_SIZE:
            raise ValueError("length")
        config = Config()
        names = dict(_NAMES)
        for at in range(0, len(data), _PAIR_SIZE):
            number, value = struct.unpack_from(_PAIR, data, at)
            if number not in names:
                raise ValueError("setting")
            setattr(config, names[number], value)
        return config

    def crc(self):
        """CRC-32 over `pack`."""
        return binascii.crc32(self.pack()) & 0xFFFFFFFF

    def validate(self):
        """0 when every setting is in its range and all fit together, else the id of the setting to change."""
        for number, name in _NAMES:
            low, high, _ = t.SETTINGS[number]
            if not low <= getattr(self, name) <= high:
                return number
        double = self.shoe_kind == t.SHOE_KIND_DOUBLE
        facts = GAMES[self.game]
        if double and not facts[DOUBLE_SHOE]:
            return t.CFG_SHOE_KIND  # only 633a.3(c) has a double shoe; reading 38
        if not facts[DECKS] >> self.decks - 1 & 1:
            return t.CFG_DECKS  # 635a.3(a) count, 633a.12(b)(1)
        if double and self.decks & 1:
            return t.CFG_DECKS  # 633a.3(c) decks
        if self.positions > facts[POSITIONS]:
            return t.CFG_POSITIONS  # 590.2(a)
        if self.options & ~_OPTIONS:
            return t.CFG_OPTIONS
        if self.options & OPTION_DOUBLE_DOWN and not facts[DOUBLE_FACE_DOWN]:
            return t.CFG_OPTIONS  # face up in 590.10(c), 635a.10(a) one card and 633a.12(b)(7)
        if self.options & OPTION_CONTINUOUS and facts[FROM_THE_HAND]:
            return t.CFG_OPTIONS  # the deck lies in the dealer's hand, 633a.12(b)(3)
        hits = self.options >> AUTO_HIT
        if hits > _MOST_HIT or (hits and not facts[NO_HOLE]):
            return t.CFG_OPTIONS  # no draw on 21, 633c.5(z); with a hole card such a hand stands, 633c.5(p)(2)
        if not self._switch_hands():
            return t.CFG_OPTIONS
        if self.options & OPTION_EXTRA_CARD and not (facts[SWITCH_HANDS] and self.options & OPTION_READER):
            return t.CFG_OPTIONS  # 633c.9(b) is a wager of Blackjack; only the reader tells of his Blackjack in time
        alternate = self.options & OPTION_ALTERNATE
        if alternate and (double or self.options & OPTION_CONTINUOUS):
            return t.CFG_OPTIONS  # 633a.3(b) is for a shuffler that is not continuous
        if double and self.options & OPTION_CONTINUOUS:
            return t.CFG_OPTIONS
        if (double or alternate) and self.batch_b - 1 != (self.batch_a - 1) ^ 1:
            return t.CFG_BATCH_B  # 633a.3(b)(2), (c) backs: one design, two colors
        return 0

    def _switch_hands(self):
        """False when the options of 633c.4 do not fit together."""
        options = self.options
        if not options & OPTION_SWITCH_HANDS:
            return not options & (OPTION_HANDS_LAST | OPTION_PREMIUM)
        if not GAMES[self.game][SWITCH_HANDS]:
            return False
        return bool(options & OPTION_HANDS_LAST) or self.shoe_kind != t.SHOE_KIND_DOUBLE  # reading 76
