"""Protocol tables of the host. Generated from firmware/protocol.toml by `make tables`: do not edit."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

MAJOR: Final = 1
MINOR: Final = 4
MAX_COVERED: Final = 371
HEADER_FORMAT: Final = "<BBHHH"
PAGE_SIZE: Final = 4096
PAGE_HEADER_FORMAT: Final = "<4sBBHIII8s32sI"
PAGE_MAGIC: Final = b"SHOE"
PAGE_FORMAT: Final = 1
RECORD_FORMAT: Final = "<BBI"


class Game(IntEnum):
    BLACKJACK = 0
    FREE_BET = 1
    SPANISH_21 = 2
    SWITCH = 3
    FROM_THE_HAND = 4
    HYBRID = 5
    HYBRID_NO_HOLE = 6


class ShoeKind(IntEnum):
    SINGLE = 0
    DOUBLE = 1


class Head(IntEnum):
    SIDE_A = 0
    SIDE_B = 1
    READER = 2


class Color(IntEnum):
    RED_SUITS = 0
    BLACK_SUITS = 1


class Key(IntEnum):
    SEATS = 1
    DEAL = 2
    NEXT_HAND = 3
    DOUBLE = 4
    SPLIT = 5
    SURRENDER = 6
    REVEAL = 7
    END_ROUND = 8
    NEW_DEALER = 9
    LOAD = 10
    DISCARD = 11
    SUPERVISOR = 12
    RESHUFFLE = 13
    COUNT = 14
    TEST_DEAL = 15
    MISSED = 16
    NO_CARD = 17
    MISSED_DEALER = 18
    REFILL = 19
    HOLD = 20
    VOID_ROUND = 21
    CLOSE_SHOE = 22
    INSURANCE = 23
    READER_TEST = 24
    SWITCH = 25
    TURN_UP = 26
    ANTES = 30
    HIT = 32
    COUNTDOWN = 33
    SELECT = 34


class Clear(IntEnum):
    RESUME = 0
    CARD_UNKNOWN = 1
    REREAD = 2
    CARD_REMOVED = 3


class Role(IntEnum):
    OPENING = 0
    DEALER_UP = 1
    HOLE = 2
    DRAW = 3
    DOUBLE_DRAW = 4
    SPLIT_SECOND = 5
    DEALER_DRAW = 6
    BURN = 7
    DETERMINANT_FIRST = 8
    DETERMINANT_ASIDE = 9
    LATE = 10
    HELD = 11
    DISCARDED = 12
    STOPPED = 13
    COUNTED = 14
    SWITCH_HAND = 15


class Position(IntEnum):
    DEALER = 0
    PLAYER_1 = 8
    PLAYER_2 = 9
    PLAYER_3 = 10
    COMMUNITY = 11
    RACK = 14
    SEGREGATED = 13
    TABLE = 12
    NONE = 15


class Phase(IntEnum):
    EMPTY = 0
    READY = 1
    BURNING = 2
    DETERMINANT = 3
    OPENING = 4
    PLAYERS = 5
    DEALER = 6
    SETTLING = 7
    FINISHED = 8
    COUNTING = 9
    TESTING = 10
    CHOOSING = 11


class HandEnd(IntEnum):
    STAND = 0
    TWENTY_ONE = 1
    BUST = 2
    BLACKJACK = 3
    DOUBLED = 4
    SURRENDERED = 5
    DEAD = 6
    DEALER_BLACKJACK = 7


class RoundEnd(IntEnum):
    SETTLED = 0
    VOID = 1


class Finish(IntEnum):
    COVER_CARD = 0
    ORDERED = 1
    EXHAUSTED = 2
    DAY_END = 3


class Peek(IntEnum):
    NO_BLACKJACK = 0
    BLACKJACK = 1
    READ_AGAIN = 2
    REFUSED = 3


class Inspection(IntEnum):
    BEGIN = 0
    FAIL = 1


class ReaderStep(IntEnum):
    BEGUN = 0
    CARD_1 = 1
    CARD_2 = 2
    CARD_3 = 3
    CARD_4 = 4
    PASSED = 5
    FAILED = 6
    AGAIN = 7
    CARRIED = 8


class Misuse(IntEnum):
    NO_ROUND = 0
    DEAL_NOT_OVER = 1
    BEFORE_INSURANCE = 2
    AFTER_DECISION = 3
    ANSWERED = 4
    NO_HOLE_CARD = 5
    STOPPED = 6
    NOT_CONFIGURED = 7
    UP_CARD_UNKNOWN = 8
    BEFORE_CHOICE = 9


class Pass(IntEnum):
    CARD = 0
    COVER_CARD = 1
    BLANK = 2
    PULL_BACK = 3
    DOUBLE_FEED = 4
    FOREIGN_BATCH = 5
    UNREADABLE = 6
    BLOCKED = 7
    TEST_CARD = 8


class Unreadable(IntEnum):
    NONE = 0
    SHORT = 1
    LONG = 2
    CODE = 3
    FRAME = 4
    UNASSIGNED = 5
    AMBIGUOUS = 6
    SPEED = 7
    DIRTY = 8
    STUCK = 9
    SATURATED = 10
    REVERSED = 11


class BootCause(IntEnum):
    POWER_ON = 0
    WATCHDOG = 1
    SOFT = 2
    UPDATE = 3
    CRASH = 4


class Lamp(IntEnum):
    READY = 0
    DEAL_A = 1
    DEAL_B = 2
    STOP = 3
    COVER = 4
    READER_BLACKJACK = 5
    READER_NO_BLACKJACK = 6
    READER_AGAIN = 7
    CLEAN = 8


class CountVerdict(IntEnum):
    COMPLETE = 0
    SHORT = 1
    OVER = 2
    WRONG = 3


class Authority(IntEnum):
    OPEN = 0
    PROVISIONED = 1
    DAMAGED = 2


class Attempt(IntEnum):
    ACCEPTED = 0
    WRONG_KEY = 1
    NO_CHALLENGE = 2
    EXPIRED = 3
    WITHOUT_KEY = 4
    TOO_EARLY = 5


class Provisioned(IntEnum):
    MADE = 0
    RENEWED = 1
    IN_FORCE = 2


class Firmware(IntEnum):
    RECORDED = 0
    AS_ANNOUNCED = 1
    NOT_ANNOUNCED = 2


class Signing(IntEnum):
    NO_KEY = 0
    MAKING = 1
    READY = 2
    USED_UP = 3
    DAMAGED = 4


class Signature(IntEnum):
    NONE = 0
    PENDING = 1
    SIGNED = 2
    NO_KEY = 3
    USED_UP = 4
    FAILED = 5


class Calibration(IntEnum):
    BEGIN = 0
    EMPTY = 1
    CARD = 2
    SET = 3
    END = 4
    NONE = 255


class Margin(IntEnum):
    SHOE_CLOSED = 0
    CLEAN_SOON = 1
    CLEAN = 2


class SelfTest(IntEnum):
    RAM = 0
    STORE = 1
    JOURNAL = 2
    ENTROPY = 3
    CONFIG = 4
    SIDE_A = 5
    SIDE_B = 6
    READER = 7


class Error(IntEnum):
    UNKNOWN_MESSAGE = 1
    BAD_LENGTH = 2
    BAD_VALUE = 3
    BUSY = 4
    NO_SUCH_PAGE = 5
    NO_SUCH_RECORD = 6
    NO_SUCH_SHOE = 7
    NOT_ALLOWED_NOW = 8
    VERSION = 9
    STALE_EPOCH = 10
    NOT_AUTHORISED = 20
    WRONG_KEY = 21
    NO_CHALLENGE = 22
    WAIT = 23
    NOT_PROVISIONED = 24
    NO_ENTROPY = 25
    NO_MEMORY = 26
    FAILED = 27


class RecordKind(IntEnum):
    BOOT = 1
    SHOE_OPENED = 2
    LOADED = 3
    CARRIED = 4
    DEALER_CHANGED = 5
    ROUND_OPENED = 6
    CARD = 7
    SEALED = 8
    OPENED = 9
    MOVED = 10
    COVER_CARD = 11
    SIDE_CHOSEN = 12
    PEEK = 13
    HAND_ENDED = 14
    DOUBLED = 15
    SPLIT = 16
    REVEALED = 17
    ROUND_CLOSED = 18
    FINISHED = 19
    COUNTED = 20
    IRREGULARITY = 21
    FAULT = 22
    CLEARED = 23
    CONFIGURED = 24
    SELF_TEST = 25
    SHOE_CLOSED = 26
    REFILLED = 27
    COUNT_STARTED = 28
    SEATS = 29
    INSURANCE = 30
    READER_TEST = 31
    SWITCHED = 32
    ANTES = 70
    SWITCH_HAND = 71
    HIT = 72
    COUNTDOWN = 73
    SELECTED = 74
    HOST_CLOCK = 80
    ATTEMPT = 40
    PROVISIONED = 41
    UPDATE_ANNOUNCED = 42
    FIRMWARE = 43
    SIGNING_KEY = 50
    SIGNED = 51
    CALIBRATED = 60
    MARGIN = 61


class IrregularityCode(IntEnum):
    FACE_UP_CARD = 1
    DRAWN_IN_ERROR = 2
    DRAWN_IN_ERROR_EXPOSED = 3
    CARD_REFUSED = 4
    CARD_DISCARDED = 5
    DEALER_DREW_ON_17 = 6
    DEALER_MISSED_CARD = 7
    TOO_FEW_CARDS = 8
    HAND_WITHOUT_CARDS = 9
    HAND_WITH_ONE_CARD = 10
    WRONG_SIDE = 11
    MISSED_CARD = 12
    SECOND_FACE_UP_CARD = 13
    TEN_FOUND = 14
    SECOND_TEN_FOUND = 15
    EXTRA_CARD = 16
    FOREIGN_BATCH = 17
    DRAWN_WHILE_FINISHED = 18
    BURN_MISSING = 19
    DRAWN_WHILE_STOPPED = 20
    DEALER_SHORT = 21
    HOLE_NOT_REVEALED = 22
    ORDERED_RESHUFFLE = 23
    SECOND_COVER_CARD = 24
    CARD_UNKNOWN = 25
    PULLED_BACK = 26
    SEAT_CHANGED = 27
    WRONG_KEY = 28
    READER_WRONG_UP_CARD = 29
    READER_MISUSED = 30
    PEEK_MISSED = 31
    READER_NOT_INSPECTED = 32


class FaultCode(IntEnum):
    UNREADABLE = 1
    DOUBLE_FEED = 2
    FOREIGN_BATCH = 3
    HEAD_DIRTY = 4
    HEAD_STUCK = 5
    HEAD_SATURATED = 6
    EXTRA_CARD = 7
    JOURNAL_FULL = 8
    JOURNAL_WRITE = 9
    JOURNAL_DAMAGED = 10
    SEALED_CARD_LOST = 11
    CONFIG_INVALID = 12
    EDGES_LOST = 13
    SELF_TEST = 14
    READER = 15
    INTERNAL = 16
    WATCHDOG = 17
    COUNT_WRONG = 18
    DECKS_RETIRED = 19
    ENTROPY = 20
    HOLE_CARD = 21
    COMMAND_KEY = 40
    FIRMWARE = 41
    SIGNING_KEY_USED_UP = 50
    SIGNING_KEY_DAMAGED = 51
    THRESHOLDS_LOST = 60


class Setting(IntEnum):
    GAME = 1
    SHOE_KIND = 2
    DECKS = 3
    BATCH_A = 4
    BATCH_B = 5
    SIDE_A_COLOR = 6
    POSITIONS = 7
    TABLE = 8
    OPTIONS = 9
    MAX_SPLITS = 10
    BLOCKED_S = 11


class MessageKind(IntEnum):
    IDENTIFY = 1
    STATUS = 2
    CONFIG_READ = 3
    CONFIG_WRITE = 4
    HISTORY_LIST = 5
    HISTORY_READ = 6
    HISTORY_FETCHED = 7
    SUBSCRIBE = 8
    EVENT = 64
    EVENT_READ = 9
    SELF_TEST = 10
    TRACE = 11
    KEY = 12
    TICKS = 13
    SIGNING_KEY = 30
    SIGNATURE = 31
    LEVELS = 32
    CALIBRATE = 33
    HOST_CLOCK = 34
    ERROR = 127
    LOG = 65
    AUTHORITY = 20
    CHALLENGE = 21
    PRIVILEGED = 22
    KEY_OFFER = 23
    PROVISION = 24
    UPDATE = 25
    PLAY_OPEN = 26
    PLAY = 27

RECORDS: Final[dict[int, dict[str, Any]]] = {1: {'name': 'boot',
     'since': '1.0',
     'fields': (('cause', 'u8'), ('version', 'b3'), ('config_crc', 'u32'), ('epoch', 'u16')),
     'means': 'The device started: why, firmware version, CRC of its configuration, epoch of the link. From here '
              'on the boot counter is one higher.',
     'fields_format': '<B3sIH'},
 2: {'name': 'shoe_opened',
     'since': '1.0',
     'fields': (('game', 'u8'),
                ('shoe_kind', 'u8'),
                ('decks', 'u8'),
                ('batch_a', 'u8'),
                ('batch_b', 'u8'),
                ('side_a_color', 'u8'),
                ('positions', 'u8'),
                ('options', 'u16'),
                ('table', 'u32')),
     'means': 'A history begins, under these settings. Bit 5 of options is not a setting: a continuous shuffler '
              'was loaded before, so no burn card is due (633a.7(c) with .5(h)).',
     'fields_format': '<BBBBBBBHI'},
 3: {'name': 'loaded',
     'since': '1.0',
     'fields': (('side', 'u8'), ('cards', 'u16')),
     'means': 'A full batch was shuffled, cut and loaded on a side: the number of cards in it.',
     'fields_format': '<BH'},
 4: {'name': 'carried',
     'since': '1.0',
     'fields': (('side', 'u8'), ('unknown', 'u8'), ('dealt', 'b26')),
     'means': 'What the other side of a double shoe had already dealt when the history opened: 52 four-bit counts '
              'by card id, low nibble first, and the number of unknown cards.',
     'fields_format': '<BB26s'},
 5: {'name': 'dealer_changed',
     'since': '1.0',
     'fields': (('count', 'u8'),),
     'means': 'A new dealer took over: how many dealers this shoe has had.',
     'fields_format': '<B'},
 6: {'name': 'round_opened',
     'since': '1.0',
     'fields': (('round', 'u16'), ('seats', 'u8')),
     'means': 'Bets are closed; the positions in play, bit i-1 for position i.',
     'fields_format': '<HB'},
 7: {'name': 'card',
     'since': '1.0',
     'fields': (('role', 'u8'),
                ('box', 'u8'),
                ('hand', 'u8'),
                ('head', 'u8'),
                ('card', 'u8'),
                ('batch', 'u8'),
                ('duration_ms', 'u16'),
                ('margin', 'u8')),
     'means': 'A card whose face the table sees: what it is for, where it goes, which head read it, how long it '
              'took, and its margin to a misreading.',
     'fields_format': '<BBBBBBHB'},
 8: {'name': 'sealed',
     'since': '1.0',
     'fields': (('role', 'u8'), ('box', 'u8'), ('hand', 'u8'), ('head', 'u8'), ('commitment', 'b32')),
     'means': 'A card that lies face down: a commitment instead of its face.',
     'fields_format': '<BBBB32s'},
 9: {'name': 'opened',
     'since': '1.0',
     'fields': (('sealed', 'u32'),
                ('role', 'u8'),
                ('box', 'u8'),
                ('hand', 'u8'),
                ('card', 'u8'),
                ('batch', 'u8'),
                ('nonce', 'b16')),
     'means': 'A sealed card was turned, or its shoe ended: its face, and the nonce that proves the commitment in '
              'record `sealed`.',
     'fields_format': '<IBBBBB16s'},
 10: {'name': 'moved',
      'since': '1.0',
      'fields': (('record', 'u32'), ('role', 'u8'), ('box', 'u8'), ('hand', 'u8')),
      'means': 'A card of an earlier record that was held or set aside gets another use.',
      'fields_format': '<IBBB'},
 11: {'name': 'cover_card',
      'since': '1.0',
      'fields': (('head', 'u8'), ('phase', 'u8'), ('box', 'u8'), ('batch', 'u8')),
      'means': 'The cover card came: the phase, and who was to receive the next card.',
      'fields_format': '<BBBB'},
 12: {'name': 'side_chosen',
      'since': '1.0',
      'fields': (('side', 'u8'),),
      'means': 'The determinant card chose the side of this round.',
      'fields_format': '<B'},
 13: {'name': 'peek',
      'since': '1.0',
      'fields': (('result', 'u8'),),
      'means': 'The card reader device answered. Its answer never names a card.',
      'fields_format': '<B'},
 14: {'name': 'hand_ended',
      'since': '1.0',
      'fields': (('box', 'u8'), ('hand', 'u8'), ('why', 'u8')),
      'means': 'A hand gets no more cards, and why.',
      'fields_format': '<BBB'},
 15: {'name': 'doubled',
      'since': '1.0',
      'fields': (('box', 'u8'), ('hand', 'u8')),
      'means': 'A hand was doubled and gets one more card.',
      'fields_format': '<BB'},
 16: {'name': 'split',
      'since': '1.0',
      'fields': (('box', 'u8'), ('hand', 'u8'), ('new_hand', 'u8')),
      'means': 'A pair was split: `hand` becomes `hand` and `new_hand`.',
      'fields_format': '<BBB'},
 17: {'name': 'revealed',
      'since': '1.0',
      'fields': (('sealed', 'u32'),),
      'means': 'The dealer turned the hole card; its `opened` record follows.',
      'fields_format': '<I'},
 18: {'name': 'round_closed',
      'since': '1.0',
      'fields': (('round', 'u16'), ('outcome', 'u8'), ('dealer_total', 'u8')),
      'means': "The round ended; dealer_total 0 when the dealer's hand was not played.",
      'fields_format': '<HBB'},
 19: {'name': 'finished',
      'since': '1.0',
      'fields': (('side', 'u8'), ('why', 'u8'), ('cards_out', 'u16')),
      'means': 'No further round until the side is shuffled and loaded.',
      'fields_format': '<BBH'},
 20: {'name': 'counted',
      'since': '1.0',
      'fields': (('side', 'u8'), ('verdict', 'u8'), ('expected', 'u16'), ('seen', 'u16'), ('first_card', 'u8')),
      'means': 'Result of a guided count or a test deal; first_card is the first that is missing or too many, 63 '
               'when none.',
      'fields_format': '<BBHHB'},
 21: {'name': 'irregularity',
      'since': '1.0',
      'fields': (('code', 'u8'), ('box', 'u8'), ('hand', 'u8'), ('head', 'u8'), ('detail', 'u8')),
      'means': 'Something went wrong for which the regulation has a rule; codes below.',
      'fields_format': '<BBBBB'},
 22: {'name': 'fault',
      'since': '1.0',
      'fields': (('code', 'u8'), ('head', 'u8'), ('detail', 'u8')),
      'means': 'A fault was latched; codes below. command_key (40) is said again in each history while it stands.',
      'fields_format': '<BBB'},
 23: {'name': 'cleared',
      'since': '1.0',
      'fields': (('code', 'u8'), ('how', 'u8')),
      'means': 'The supervisor cleared a fault, and how.',
      'fields_format': '<BB'},
 24: {'name': 'configured',
      'since': '1.0',
      'fields': (('crc', 'u32'),),
      'means': 'The configuration was written.',
      'fields_format': '<I'},
 25: {'name': 'self_test',
      'since': '1.0',
      'fields': (('result', 'u8'), ('failed', 'u32')),
      'means': 'A self-test ran; one bit per failed part.',
      'fields_format': '<BI'},
 26: {'name': 'shoe_closed',
      'since': '1.0',
      'fields': (('why', 'u8'), ('rounds', 'u16'), ('cards', 'u16')),
      'means': 'The history ends. All its sealed cards were opened before.',
      'fields_format': '<BHH'},
 27: {'name': 'refilled',
      'since': '1.0',
      'fields': (('side', 'u8'), ('cards', 'u16')),
      'means': 'Rack and segregated cards came back into a side, 633a.14(f).',
      'fields_format': '<BH'},
 28: {'name': 'count_started',
      'since': '1.0',
      'fields': (('side', 'u8'), ('test', 'u8')),
      'means': 'A guided count (test 0) or a test deal (test 1) began; the side leaves play until it is loaded '
               'again.',
      'fields_format': '<BB'},
 29: {'name': 'seats',
      'since': '1.0',
      'fields': (('seats', 'u8'),),
      'means': 'The seats key: betting positions with a main wager for the rounds to come.',
      'fields_format': '<B'},
 30: {'name': 'insurance',
      'since': '1.1',
      'fields': (('boxes', 'u8'),),
      'means': 'Ace up: insurance (and even money, where the table has it) was offered and is closed; bit i-1: '
               'position i placed insurance.',
      'fields_format': '<B'},
 31: {'name': 'reader_test',
      'since': '1.1',
      'fields': (('step', 'u8'),),
      'means': 'The card reader device is inspected with test cards (enum.reader_step), 633a.2(f).',
      'fields_format': '<B'},
 32: {'name': 'switched',
      'since': '1.1',
      'fields': (('box', 'u8'),),
      'means': 'Blackjack Switch: the second cards of hands 0 and 1 of the position changed places, 633a.12(a)(4); '
               'a Blackjack that this makes is a plain 21.',
      'fields_format': '<B'},
 70: {'name': 'antes',
      'since': '1.2',
      'fields': (('boxes', 'u8'),),
      'means': 'Blackjack premium: the betting positions with a switch hands ante for the rounds to come, bit i-1 '
               'for position i, 633c.4(k).',
      'fields_format': '<B'},
 71: {'name': 'switch_hand',
      'since': '1.2',
      'fields': (('box', 'u8'), ('switched', 'u8')),
      'means': 'Switch hands: the position plays its two face-down cards (switched 1), which are turned, and its '
               'face-up cards go to the rack; or keeps those (0), and the face-down ones go to the rack unexposed. '
               '633c.4(f).',
      'fields_format': '<BB'},
 72: {'name': 'hit',
      'since': '1.3',
      'fields': (('box', 'u8'), ('hand', 'u8')),
      'means': 'Hybrid table: the hand takes the next community card, 633c.5(r), (z).',
      'fields_format': '<BB'},
 73: {'name': 'countdown',
      'since': '1.3',
      'fields': (('boxes', 'u8'),),
      'means': 'Hybrid table: the countdown ended without a choice of these terminals, bit i-1 for terminal i, '
               '633c.5(p)(2), (z). What follows for each of their hands has a record of its own.',
      'fields_format': '<B'},
 74: {'name': 'selected',
      'since': '1.3',
      'fields': (('positions', 'u16'),),
      'means': 'Hybrid table with a hole card: the player position that each terminal selected for the rounds to '
               'come, in bits 2*i-2 and 2*i-1 for terminal i; 0 none. 633c.5(l).',
      'fields_format': '<H'},
 80: {'name': 'host_clock',
      'since': '1.4',
      'fields': (('at_ms', 'u32'),
                 ('at_turns', 'u16'),
                 ('wall_s', 'u32'),
                 ('wall_ms', 'u16'),
                 ('uncertainty_ms', 'u16'),
                 ('authenticated', 'u8')),
      'means': "The host's wall clock (Unix time, UTC) at the moment at which the device had counted at_turns * "
               '2^30 + at_ms ms since this start, and how far the two may be apart. Authenticated 1: given with '
               'the command key.',
      'fields_format': '<IHIHHB'},
 40: {'name': 'attempt',
      'since': '1.1',
      'fields': (('request', 'u8'),
                 ('result', 'u8'),
                 ('failures', 'u16'),
                 ('unrecorded', 'u16'),
                 ('arguments', 'b8')),
      'means': 'Somebody tried a privileged command: its message, the result (enum.attempt), wrong keys in a row, '
               'attempts since the last such record that have no record of their own, first 8 bytes of SHA-256 '
               'over the arguments.',
      'fields_format': '<BBHH8s'},
 41: {'name': 'provisioned',
      'since': '1.1',
      'fields': (('fingerprint', 'b8'), ('why', 'u8')),
      'means': 'Commands need the key of this fingerprint (enum.provisioned). A shoe with neither this record nor '
               'the fault command_key in its history is open: anyone on the line may change it.',
      'fields_format': '<8sB'},
 42: {'name': 'update_announced',
      'since': '1.1',
      'fields': (('version', 'b3'), ('digest', 'b32')),
      'means': 'The holder of the command key announced the firmware to come: its version and SHA-256.',
      'fields_format': '<3s32s'},
 43: {'name': 'firmware',
      'since': '1.1',
      'fields': (('digest', 'b32'), ('result', 'u8')),
      'means': 'SHA-256 over the files of the firmware as this start found them (enum.firmware).',
      'fields_format': '<32sB'},
 50: {'name': 'signing_key',
      'since': '1.1',
      'fields': (('key', 'b16'), ('height', 'u8'), ('root', 'b32')),
      'means': 'A signing key was made: its identifier, the height of its tree, and the root, which is the public '
               'key.',
      'fields_format': '<16sB32s'},
 51: {'name': 'signed',
      'since': '1.1',
      'fields': (('shoe', 'u32'), ('result', 'u8'), ('index', 'u32'), ('key', 'b16')),
      'means': 'The signature of a closed shoe: its result (enum.signature), and the one-time index that it used, '
               '0xFFFFFFFF for none.',
      'fields_format': '<IBI16s'},
 60: {'name': 'calibrated',
      'since': '1.2',
      'fields': (('head', 'u8'),
                 ('threshold', 'u16'),
                 ('before', 'u8'),
                 ('margin', 'u8'),
                 ('light', 'u16'),
                 ('dark', 'u16')),
      'means': 'A read head was calibrated: its threshold, its margin before and after (255: not known), the '
               'highest bright and the lowest dark level of its four lines.',
      'fields_format': '<BHBBHH'},
 61: {'name': 'margin',
      'since': '1.2',
      'fields': (('head', 'u8'),
                 ('why', 'u8'),
                 ('margin', 'u8'),
                 ('threshold', 'u16'),
                 ('light', 'u16'),
                 ('dark', 'u16')),
      'means': 'How far a read head is from misreading (enum.margin), with the levels it comes from. Cards that '
               'lie face down are not measured.',
      'fields_format': '<BBBHHH'}}

IRREGULARITYS: Final[dict[int, dict[str, Any]]] = {1: {'name': 'face_up_card',
     'clause': '633a.14(a)',
     'means': 'A card lay face up in the shoe; it is not used in this round.'},
 2: {'name': 'drawn_in_error',
     'clause': '633a.14(b)',
     'means': 'A card was drawn although none was due. Nobody saw it; it is dealt as the next card.'},
 3: {'name': 'drawn_in_error_exposed',
     'clause': '633a.14(c) use',
     'means': 'A card was drawn in error and seen. It is dealt as the next card.'},
 4: {'name': 'card_refused',
     'clause': '633a.14(c) refusal',
     'means': 'A player refused a card drawn in error; he gets no more cards in this round.'},
 5: {'name': 'card_discarded',
     'clause': '633a.14(c) discard',
     'means': 'Nobody could use a card drawn in error. It was discarded.'},
 6: {'name': 'dealer_drew_on_17',
     'clause': '633a.14(d)',
     'means': 'The dealer stood at 17 or more and drew; the card is discarded.'},
 7: {'name': 'dealer_missed_card',
     'clause': '633a.14(e)',
     'means': 'The dealer skipped his own card and takes it late.'},
 8: {'name': 'too_few_cards',
     'clause': '633a.14(f) reshuffle',
     'means': 'The shoe ran out during a round; rack cards are shuffled and the round goes on.'},
 9: {'name': 'hand_without_cards',
     'clause': '633a.14(g) none',
     'means': 'A betting position was dealt no card; its hand is dead.'},
 10: {'name': 'hand_with_one_card',
      'clause': '633a.14(g) one',
      'means': 'A betting position was dealt one card. It gets its second card after all other second cards.'},
 11: {'name': 'wrong_side',
      'clause': '633a.14(h)',
      'means': 'A card came from the other side than the determinant card chose; the round stands.'},
 12: {'name': 'missed_card', 'clause': '633a.14(i)', 'means': 'A requested card was missed; it comes late.'},
 13: {'name': 'second_face_up_card',
      'clause': '635a.13(a) more',
      'means': 'A second card lay face up in one deal of Spanish 21; the round is void.'},
 14: {'name': 'ten_found',
      'clause': '635a.13(b) one',
      'means': 'A 10 was found in a Spanish 21 shoe; it is removed.'},
 15: {'name': 'second_ten_found',
      'clause': '635a.13(b) more',
      'means': 'A second 10 was found in one deal of Spanish 21; the round is void and the decks leave play.'},
 16: {'name': 'extra_card', 'clause': '633a.3(a)', 'means': 'More copies of a card came out than the decks hold.'},
 17: {'name': 'foreign_batch',
      'clause': '633a.3(c) backs',
      'means': 'A card of another batch was in this side of the shoe.'},
 18: {'name': 'drawn_while_finished',
      'clause': '633a.7(e)',
      'means': 'A card was drawn after the last round of the shoe, before it was shuffled and loaded.'},
 19: {'name': 'burn_missing',
      'clause': '633a.7(c) batch',
      'means': 'A round was opened although a burn card was owed.'},
 20: {'name': 'drawn_while_stopped',
      'clause': '633a.7(a)',
      'means': 'A card was drawn while the game was stopped.'},
 21: {'name': 'dealer_short',
      'clause': '633a.7(m)',
      'means': 'The round was closed although the dealer had to draw.'},
 22: {'name': 'hole_not_revealed',
      'clause': '633a.7(l)',
      'means': 'The round was closed and the hole card was never turned.'},
 23: {'name': 'ordered_reshuffle',
      'clause': '633a.5(f)',
      'means': 'The floorperson ordered a reshuffle after this round.'},
 24: {'name': 'second_cover_card',
      'clause': '633a.3(c) cover cards',
      'means': 'A second cover card came from the same side.'},
 25: {'name': 'card_unknown', 'clause': '633a.7(a)', 'means': 'The card was not read. It stays where it lies.'},
 26: {'name': 'pulled_back',
      'clause': '633a.7(b)',
      'means': 'A card was pushed back into the shoe before it was fully drawn.'},
 27: {'name': 'seat_changed',
      'clause': '633a.6(c) timing',
      'means': 'The shoe refused a change of betting positions: the round had opened.'},
 28: {'name': 'wrong_key', 'clause': '633a.7(i)', 'means': 'The shoe refused a key. Nothing changed.'},
 29: {'name': 'reader_wrong_up_card',
      'clause': '633a.14(j)',
      'means': 'The card reader device was used with an up card that is neither an ace nor a ten-value card. It '
               'showed nothing, and play goes on.'},
 30: {'name': 'reader_misused',
      'clause': '633a.7(h) eligibility',
      'means': 'The card reader device was used at a time when it may not be used. It showed nothing.'},
 31: {'name': 'peek_missed',
      'clause': '633a.7(h) eligibility',
      'means': 'The up card is an ace or a ten-value card and the card reader device was not used before play went '
               'on.'},
 32: {'name': 'reader_not_inspected',
      'clause': '633a.2(f) second sentence',
      'means': 'A round was opened although the card reader device was not inspected on this gaming day.'}}

FAULTS: Final[dict[int, dict[str, Any]]] = {1: {'name': 'unreadable',
     'stop': True,
     'means': 'A card went through a read head and could not be read.',
     'act': 'Put the card back and draw it again (supervisor: reread), or leave it and accept it as unknown '
            '(supervisor: card unknown).'},
 2: {'name': 'double_feed',
     'stop': True,
     'means': 'Two cards went through a read head together.',
     'act': 'Put both back and draw them one by one (supervisor: reread).'},
 3: {'name': 'foreign_batch',
     'stop': True,
     'means': 'A card of a batch that is not loaded on this side was drawn.',
     'act': 'Take the card out of play (supervisor: card removed) and count the batch.'},
 4: {'name': 'head_dirty',
     'stop': True,
     'means': 'A read head is covered or dirty.',
     'act': 'Clean the head, then supervisor: resume.'},
 5: {'name': 'head_stuck',
     'stop': True,
     'means': 'A line of a read head does not move while the others do.',
     'act': 'Put back a card that went by. Clean or replace the head, run the self-test, then supervisor: resume.'},
 6: {'name': 'head_saturated',
     'stop': True,
     'means': 'A read head is flooded by light or noise.',
     'act': 'Shade the head, run the self-test, then supervisor: resume.'},
 7: {'name': 'extra_card',
     'stop': True,
     'means': 'More copies of a card came out than the decks hold.',
     'act': 'Stop the table and count the whole batch (key count).'},
 8: {'name': 'journal_full',
     'stop': True,
     'means': 'The journal is full of histories that were not fetched.',
     'act': 'Fetch the histories with shoetool pull.'},
 9: {'name': 'journal_write',
     'stop': True,
     'means': 'The journal could not be written.',
     'act': 'Do not deal. Fetch the histories and replace the shoe.'},
 10: {'name': 'journal_damaged',
      'stop': False,
      'means': 'A journal page, or a record of the open shoe, was damaged and was left out.',
      'act': 'Fetch the histories. They name the damaged page.'},
 11: {'name': 'sealed_card_lost',
      'stop': True,
      'means': 'The opening of a face-down card was lost.',
      'act': 'Turn the card on the table and enter it by hand in the incident report; supervisor: card unknown.'},
 12: {'name': 'config_invalid',
      'stop': True,
      'means': 'The stored configuration is damaged or out of range.',
      'act': 'Write a valid configuration with shoetool configure.'},
 13: {'name': 'edges_lost',
      'stop': True,
      'means': 'Edges of a read head were lost before they were decoded.',
      'act': 'Put the card back and draw it again (supervisor: reread); report the case.'},
 14: {'name': 'self_test',
      'stop': True,
      'means': 'The self-test failed.',
      'act': 'See shoetool selftest for the failed part; repair it and run the self-test again.'},
 15: {'name': 'reader',
      'stop': True,
      'means': 'The card reader device does not work; 633a.14(k).',
      'act': 'Clean, repair or replace the reader and run its inspection with the test cards (shoetool selftest '
             '--reader): passing it clears the fault. A round that cannot wait is voided.'},
 16: {'name': 'internal',
      'stop': True,
      'means': 'The firmware had an unexpected error, such as no memory left. The journal shows the table.',
      'act': 'Compare the last record with the table: a card or a key may lack its record. Fetch the histories and '
             'the log, then supervisor: resume; report the case.'},
 17: {'name': 'watchdog',
      'stop': True,
      'means': 'The watchdog restarted the shoe.',
      'act': 'Check the last card against the table, then supervisor: resume.'},
 18: {'name': 'count_wrong',
      'stop': True,
      'means': 'A guided count found cards missing or too many.',
      'act': 'Replace the batch; see shoetool replay for the cards.'},
 19: {'name': 'decks_retired',
      'stop': True,
      'means': 'More than one 10 was found in a deal of Spanish 21; 635a.13(b).',
      'act': 'Take the decks out of play and load another batch.'},
 20: {'name': 'entropy',
      'stop': True,
      'means': 'There is no entropy to seal a face-down card.',
      'act': 'Restart the shoe. If the fault comes again, replace the shoe.'},
 21: {'name': 'hole_card',
      'stop': True,
      'means': 'The card in the card reader device is not the card that the shoe dealt as the hole card.',
      'act': 'Hold the table and call the floorperson and surveillance. Put the hole card in, or void the round; '
             'then supervisor: resume.'},
 40: {'name': 'command_key',
      'stop': False,
      'means': 'The stored command key is damaged: the shoe rejects privileged commands.',
      'act': "Fetch the histories, then erase the shoe's flash and provision it again; see SECURITY.md."},
 41: {'name': 'firmware',
      'stop': True,
      'means': 'The firmware is not the one that was announced.',
      'act': 'Do not deal. Fetch the histories, install the firmware that was announced, or have the holder of the '
             'command key announce this one with shoetool update.'},
 50: {'name': 'signing_key_used_up',
      'stop': False,
      'means': 'The last one-time index of the signing key is used up: shoes close unsigned from now on.',
      'act': 'Fetch the histories, then make a new key with shoetool provision and pin it with shoetool keys.'},
 51: {'name': 'signing_key_damaged',
      'stop': False,
      'means': 'The signing key or the flash that it lies in does not work: shoes close unsigned.',
      'act': 'Fetch the histories, then make a new key with shoetool provision. If the fault comes again, replace '
             'the shoe.'},
 60: {'name': 'thresholds_lost',
      'stop': True,
      'means': 'The stored thresholds of the read heads are damaged; the middle of the range is in force.',
      'act': 'Close the shoe, calibrate all heads with shoetool calibrate, then supervisor: resume.'}}

CONFIGS: Final[dict[int, dict[str, Any]]] = {1: {'name': 'game', 'min': 0, 'max': 6, 'default': 0, 'means': 'enum.game'},
 2: {'name': 'shoe_kind',
     'min': 0,
     'max': 1,
     'default': 0,
     'means': 'enum.shoe_kind; a double shoe is for Blackjack and Blackjack Switch only (633a.3(c))'},
 3: {'name': 'decks',
     'min': 1,
     'max': 8,
     'default': 6,
     'means': '52-card decks, both sides together; even for a double shoe; 6 or 8 for Spanish 21 (635a.3(a)) and a '
              'hybrid table (633c.5(f)); 1 or 2 from the hand (633a.12(b)(1))'},
 4: {'name': 'batch_a',
     'min': 1,
     'max': 8,
     'default': 1,
     'means': 'batch (design and back color) loaded on side A; 1 and 2 are the two back colors of one design, 3 '
              'and 4 of the next'},
 5: {'name': 'batch_b',
     'min': 1,
     'max': 8,
     'default': 2,
     'means': 'batch loaded on side B, or alternating with that of side A; of the same design where both are used'},
 6: {'name': 'side_a_color',
     'min': 0,
     'max': 1,
     'default': 0,
     'means': 'enum.color that sends the round to side A (633a.7(d)(1))'},
 7: {'name': 'positions',
     'min': 1,
     'max': 7,
     'default': 7,
     'means': 'betting positions (633a.2(a) seven, 590.2(a) six, 635a.2(a) seven, 633c.5 seven terminals)'},
 8: {'name': 'table', 'min': 0, 'max': 4294967295, 'default': 0, 'means': 'table number'},
 9: {'name': 'options',
     'min': 0,
     'max': 65535,
     'default': 0,
     'means': 'bit 0: the card on a double lies face down (633a.10(c)); bit 1: continuous shuffler, no burn after '
              'later loads (633a.7(c) with .5(h)); bit 2: a new dealer burns with a double shoe too; bit 3: two '
              'batches alternate (633a.3(b)); bit 4: overwrite histories that nobody fetched; bit 6: the table has '
              'a card reader device (633a.2(f)); bit 7: switch hands (633c.4), Blackjack only; bit 8: its cards '
              'come after the Blackjack hands (633c.4(j)), which a double shoe needs; bit 9: Blackjack premium '
              "(633c.4(k)); bit 10: two 7s may get one more card after the dealer's Blackjack (633c.9(d)(4)), "
              'Blackjack with a card reader device only; bits 11 to 15: hybrid without a hole card, the highest '
              'count on which a hand without a choice draws, 0: it stands (633c.5(z)); bit 5 is no setting'},
 10: {'name': 'max_splits',
      'min': 0,
      'max': 3,
      'default': 3,
      'means': 'splits per betting position (633a.11(c) resplits, 590.11(d) limit); in Switch of each of its two '
               'hands'},
 11: {'name': 'blocked_s',
      'min': 11,
      'max': 60,
      'default': 15,
      'means': 'seconds without movement after which a head counts as blocked'}}

MESSAGES: Final[dict[int, dict[str, Any]]] = {1: {'name': 'identify',
     'since': '1.0',
     'request': (('session', 'u32'),),
     'answer': (('major', 'u8'),
                ('minor', 'u8'),
                ('device', 'b8'),
                ('firmware', 'b3'),
                ('boot', 'u16'),
                ('epoch', 'u16'),
                ('board', 'rest')),
     'request_format': '<I',
     'answer_format': '<BB8s3sHH'},
 2: {'name': 'status',
     'since': '1.0',
     'request': (),
     'answer': (('phase', 'u8'),
                ('fault', 'u8'),
                ('fault_head', 'u8'),
                ('lamps', 'u16'),
                ('round', 'u16'),
                ('shoe', 'u32'),
                ('next_record', 'u32'),
                ('durable_record', 'u32'),
                ('ticks_ms', 'u32'),
                ('drawn_a', 'u16'),
                ('drawn_b', 'u16'),
                ('heap_free', 'u32')),
     'request_format': '<',
     'answer_format': '<BBBHHIIIIHHI'},
 3: {'name': 'config_read',
     'since': '1.0',
     'request': (),
     'answer': (('crc', 'u32'), ('pairs', 'rest')),
     'request_format': '<',
     'answer_format': '<I'},
 4: {'name': 'config_write',
     'since': '1.0',
     'privileged': True,
     'request': (('pairs', 'rest'),),
     'answer': (('crc', 'u32'),),
     'request_format': '<',
     'answer_format': '<I'},
 5: {'name': 'history_list',
     'since': '1.0',
     'request': (('from_shoe', 'u32'), ('most', 'u8')),
     'answer': (('more', 'u8'), ('shoes', 'rest')),
     'request_format': '<IB',
     'answer_format': '<B'},
 6: {'name': 'history_read',
     'since': '1.0',
     'request': (('page', 'u32'), ('offset', 'u16'), ('length', 'u16')),
     'answer': (('page', 'u32'), ('offset', 'u16'), ('used', 'u16'), ('data', 'rest')),
     'request_format': '<IHH',
     'answer_format': '<IHH'},
 7: {'name': 'history_fetched',
     'since': '1.0',
     'privileged': True,
     'request': (('shoe', 'u32'),),
     'answer': (),
     'request_format': '<I',
     'answer_format': '<'},
 8: {'name': 'subscribe',
     'since': '1.0',
     'request': (('on', 'u8'), ('from_record', 'u32')),
     'answer': (('next_record', 'u32'),),
     'request_format': '<BI',
     'answer_format': '<I'},
 64: {'name': 'event',
      'since': '1.0',
      'unasked': (('record', 'u32'), ('boot', 'u16'), ('ticks_ms', 'u32'), ('kind', 'u8'), ('payload', 'rest')),
      'unasked_format': '<IHIB'},
 9: {'name': 'event_read',
     'since': '1.0',
     'request': (('from_record', 'u32'), ('count', 'u8')),
     'answer': (('first', 'u32'), ('count', 'u8')),
     'request_format': '<IB',
     'answer_format': '<IB'},
 10: {'name': 'self_test',
      'since': '1.0',
      'request': (),
      'answer': (('result', 'u8'), ('failed', 'u32')),
      'request_format': '<',
      'answer_format': '<BI'},
 11: {'name': 'trace',
      'since': '1.0',
      'request': (('index', 'u8'), ('offset', 'u16'), ('most', 'u16')),
      'answer': (('passes', 'u8'),
                 ('head', 'u8'),
                 ('kind', 'u8'),
                 ('edges', 'u16'),
                 ('offset', 'u16'),
                 ('data', 'rest')),
      'request_format': '<BHH',
      'answer_format': '<BBBHH'},
 12: {'name': 'key',
      'since': '1.0',
      'privileged': True,
      'request': (('key', 'u8'), ('argument', 'u8')),
      'answer': (('accepted', 'u8'), ('phase', 'u8')),
      'request_format': '<BB',
      'answer_format': '<BB'},
 13: {'name': 'ticks',
      'since': '1.0',
      'request': (),
      'answer': (('boot', 'u16'), ('ticks_ms', 'u32'), ('ticks_us', 'u32'), ('turns', 'u16')),
      'later': ['turns'],
      'request_format': '<',
      'answer_format': '<HIIH'},
 30: {'name': 'signing_key',
      'since': '1.1',
      'request': (),
      'answer': (('state', 'u8'),
                 ('height', 'u8'),
                 ('next_index', 'u32'),
                 ('made', 'u32'),
                 ('of', 'u32'),
                 ('public', 'rest')),
      'request_format': '<',
      'answer_format': '<BBIII'},
 31: {'name': 'signature',
      'since': '1.1',
      'request': (('shoe', 'u32'), ('offset', 'u16')),
      'answer': (('state', 'u8'), ('shoe', 'u32'), ('size', 'u16'), ('offset', 'u16'), ('data', 'rest')),
      'request_format': '<IH',
      'answer_format': '<BIHH'},
 32: {'name': 'levels',
      'since': '1.2',
      'request': (('head', 'u8'),),
      'answer': (('head', 'u8'),
                 ('step', 'u8'),
                 ('threshold', 'u16'),
                 ('margin', 'u8'),
                 ('clean_soon', 'u8'),
                 ('passes', 'u8'),
                 ('kind', 'u8'),
                 ('card', 'u8'),
                 ('lines', 'rest')),
      'request_format': '<B',
      'answer_format': '<BBHBBBBB'},
 33: {'name': 'calibrate',
      'since': '1.2',
      'privileged': True,
      'request': (('head', 'u8'), ('step', 'u8'), ('threshold', 'u16')),
      'answer': (('step', 'u8'), ('threshold', 'u16'), ('margin', 'u8')),
      'request_format': '<BBH',
      'answer_format': '<BHB'},
 34: {'name': 'host_clock',
      'since': '1.4',
      'gate': True,
      'privileged': True,
      'keyless': True,
      'request': (('ticks_ms', 'u32'), ('wall_s', 'u32'), ('wall_ms', 'u16'), ('uncertainty_ms', 'u16')),
      'answer': (('record', 'u32'),),
      'request_format': '<IIHH',
      'answer_format': '<I'},
 127: {'name': 'error',
       'since': '1.0',
       'unasked': (('request', 'u8'), ('code', 'u8'), ('detail', 'u32')),
       'unasked_format': '<BBI'},
 65: {'name': 'log', 'since': '1.0', 'unasked': (('text', 'rest'),), 'unasked_format': '<'},
 20: {'name': 'authority',
      'since': '1.1',
      'gate': True,
      'request': (),
      'answer': (('state', 'u8'),
                 ('fingerprint', 'b8'),
                 ('wait_ms', 'u32'),
                 ('failures', 'u16'),
                 ('announced', 'u8'),
                 ('signing_done', 'u32'),
                 ('signing_total', 'u32')),
      'request_format': '<',
      'answer_format': '<B8sIHBII'},
 21: {'name': 'challenge',
      'since': '1.1',
      'gate': True,
      'request': (('request', 'u8'),),
      'answer': (('nonce', 'b32'), ('expires_ms', 'u32')),
      'request_format': '<B',
      'answer_format': '<32sI'},
 22: {'name': 'privileged',
      'since': '1.1',
      'gate': True,
      'request': (('request', 'u8'), ('tag', 'b32'), ('body', 'rest')),
      'answer': (('body', 'rest'),),
      'request_format': '<B32s',
      'answer_format': '<'},
 23: {'name': 'key_offer',
      'since': '1.1',
      'gate': True,
      'privileged': True,
      'request': (('secret', 'b32'),),
      'answer': (('share', 'b32'),),
      'request_format': '<32s',
      'answer_format': '<32s'},
 24: {'name': 'provision',
      'since': '1.1',
      'gate': True,
      'request': (('height', 'u8'), ('tag', 'b32')),
      'answer': (('fingerprint', 'b8'),),
      'request_format': '<B32s',
      'answer_format': '<8s'},
 25: {'name': 'update',
      'since': '1.1',
      'gate': True,
      'privileged': True,
      'request': (('version', 'b3'), ('digest', 'b32')),
      'answer': (),
      'request_format': '<3s32s',
      'answer_format': '<'},
 26: {'name': 'play_open',
      'since': '1.1',
      'gate': True,
      'privileged': True,
      'request': (),
      'answer': (),
      'request_format': '<',
      'answer_format': '<'},
 27: {'name': 'play',
      'since': '1.1',
      'gate': True,
      'request': (('counter', 'u32'),
                  ('record', 'u32'),
                  ('phase', 'u8'),
                  ('key', 'u8'),
                  ('argument', 'u8'),
                  ('tag', 'b32')),
      'answer': (('accepted', 'u8'), ('phase', 'u8')),
      'request_format': '<IIBBB32s',
      'answer_format': '<BB'}}

WORDS: Final[dict[str, dict[int, str]]] = {'Role': {0: 'opening deal',
          1: 'up card',
          2: 'hole card',
          4: 'double',
          5: 'second card of a split hand',
          6: "dealer's draw",
          7: 'burn card',
          8: 'determinant card, the first card of its player',
          9: 'determinant card, segregated',
          10: 'late card',
          11: 'drawn in error',
          12: 'discarded unused',
          13: 'drawn while the game was stopped',
          15: 'switch hands card'},
 'HandEnd': {1: '21'},
 'Peek': {0: 'says: no Blackjack',
          1: 'says: Blackjack',
          2: 'could not read the card: read again',
          3: 'refuses and shows nothing'},
 'ReaderStep': {0: 'Inspection of the card reader device begins: no sign of tampering',
                1: 'Inspection of the card reader device: test card T1 read',
                2: 'Inspection of the card reader device: test card T2 read',
                3: 'Inspection of the card reader device: test card T3 read',
                4: 'Inspection of the card reader device: test card T4 read',
                5: 'The card reader device passed its inspection',
                6: 'The card reader device FAILED its inspection',
                7: 'Inspection of the card reader device: not the test card that was due, once more',
                8: 'The card reader device was inspected earlier on this gaming day'},
 'Attempt': {0: 'with the command key',
             1: 'REFUSED, wrong key',
             2: 'REFUSED, no challenge in force',
             3: 'REFUSED, the challenge had expired',
             4: 'REFUSED, without the command key',
             5: 'REFUSED, too soon after a wrong key'},
 'Provisioned': {0: 'The shoe was provisioned', 1: 'The command key was replaced', 2: 'Commands need the key'},
 'Firmware': {0: 'noted', 1: 'as announced', 2: 'NOT what was announced'}}

FIELD_NAMES: Final[dict[str, str]] = {'phase': 'Phase',
 'role': 'Role',
 'box': 'Position',
 'head': 'Head',
 'fault_head': 'Head',
 'side': 'Head',
 'fault': 'FaultCode',
 'game': 'Game',
 'shoe_kind': 'ShoeKind',
 'side_a_color': 'Color',
 'cause': 'BootCause',
 'outcome': 'RoundEnd',
 'verdict': 'CountVerdict',
 'how': 'Clear',
 'request': 'MessageKind',
 'card': 'Card',
 'first_card': 'Card',
 'fault.code': 'FaultCode',
 'cleared.code': 'FaultCode',
 'irregularity.code': 'IrregularityCode',
 'error.code': 'Error',
 'event.kind': 'RecordKind',
 'trace.kind': 'Pass',
 'levels.kind': 'Pass',
 'levels.step': 'Calibration',
 'calibrate.step': 'Calibration',
 'reader_test.step': 'ReaderStep',
 'key.key': 'Key',
 'play.key': 'Key',
 'peek.result': 'Peek',
 'attempt.result': 'Attempt',
 'firmware.result': 'Firmware',
 'signed.result': 'Signature',
 'hand_ended.why': 'HandEnd',
 'finished.why': 'Finish',
 'shoe_closed.why': 'Finish',
 'provisioned.why': 'Provisioned',
 'margin.why': 'Margin',
 'authority.state': 'Authority',
 'signing_key.state': 'Signing',
 'signature.state': 'Signature',
 'config_read.pairs.id': 'Setting',
 'config_write.pairs.id': 'Setting'}

FIELD_BITS: Final[dict[str, str]] = {'lamps': 'Lamp', 'failed': 'SelfTest'}

RESTS: Final[dict[str, str | tuple[tuple[str, str], ...]]] = {'identify.board': 'text',
 'log.text': 'text',
 'event.payload': 'record',
 'privileged.body': 'message',
 'config_read.pairs': (('id', 'u8'), ('value', 'u32')),
 'config_write.pairs': (('id', 'u8'), ('value', 'u32')),
 'history_list.shoes': (('shoe', 'u32'),
                        ('first_page', 'u32'),
                        ('pages', 'u16'),
                        ('first_record', 'u32'),
                        ('records', 'u32'),
                        ('closed', 'u8'),
                        ('fetched', 'u8')),
 'trace.data': (('delta_us', 'u16'), ('lines', 'u8')),
 'levels.lines': (('now', 'u16'), ('light', 'u16'), ('dark', 'u16'))}
