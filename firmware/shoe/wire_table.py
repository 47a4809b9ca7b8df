"""Ids, formats and limits of PROTOCOL.md; generated from protocol.toml by generate_tables.py."""

from shoe.compat import const

MAJOR = const(1)
MINOR = const(4)
MAX_COVERED = const(371)
HEADER_FORMAT = "<BBHHH"
PAGE_SIZE = const(4096)
PAGE_HEADER_FORMAT = "<4sBBHIII8s32sI"
PAGE_MAGIC = b"SHOE"
PAGE_FORMAT = const(1)
RECORD_FORMAT = "<BBI"

# enum.game
GAME_BLACKJACK = const(0)
GAME_FREE_BET = const(1)
GAME_SPANISH_21 = const(2)
GAME_SWITCH = const(3)
GAME_FROM_THE_HAND = const(4)
GAME_HYBRID = const(5)
GAME_HYBRID_NO_HOLE = const(6)

# enum.shoe_kind
SHOE_KIND_SINGLE = const(0)
SHOE_KIND_DOUBLE = const(1)

# enum.head
HEAD_SIDE_A = const(0)
HEAD_SIDE_B = const(1)
HEAD_READER = const(2)

# enum.color
COLOR_RED_SUITS = const(0)
COLOR_BLACK_SUITS = const(1)

# enum.key
KEY_SEATS = const(1)
KEY_DEAL = const(2)
KEY_NEXT_HAND = const(3)
KEY_DOUBLE = const(4)
KEY_SPLIT = const(5)
KEY_SURRENDER = const(6)
KEY_REVEAL = const(7)
KEY_END_ROUND = const(8)
KEY_NEW_DEALER = const(9)
KEY_LOAD = const(10)
KEY_DISCARD = const(11)
KEY_SUPERVISOR = const(12)
KEY_RESHUFFLE = const(13)
KEY_COUNT = const(14)
KEY_TEST_DEAL = const(15)
KEY_MISSED = const(16)
KEY_NO_CARD = const(17)
KEY_MISSED_DEALER = const(18)
KEY_REFILL = const(19)
KEY_HOLD = const(20)
KEY_VOID_ROUND = const(21)
KEY_CLOSE_SHOE = const(22)
KEY_INSURANCE = const(23)
KEY_READER_TEST = const(24)
KEY_SWITCH = const(25)
KEY_TURN_UP = const(26)
KEY_ANTES = const(30)
KEY_HIT = const(32)
KEY_COUNTDOWN = const(33)
KEY_SELECT = const(34)

# enum.clear
CLEAR_RESUME = const(0)
CLEAR_CARD_UNKNOWN = const(1)
CLEAR_REREAD = const(2)
CLEAR_CARD_REMOVED = const(3)

# enum.role
ROLE_OPENING = const(0)
ROLE_DEALER_UP = const(1)
ROLE_HOLE = const(2)
ROLE_DRAW = const(3)
ROLE_DOUBLE_DRAW = const(4)
ROLE_SPLIT_SECOND = const(5)
ROLE_DEALER_DRAW = const(6)
ROLE_BURN = const(7)
ROLE_DETERMINANT_FIRST = const(8)
ROLE_DETERMINANT_ASIDE = const(9)
ROLE_LATE = const(10)
ROLE_HELD = const(11)
ROLE_DISCARDED = const(12)
ROLE_STOPPED = const(13)
ROLE_COUNTED = const(14)
ROLE_SWITCH_HAND = const(15)

# enum.position
POSITION_DEALER = const(0)
POSITION_PLAYER_1 = const(8)
POSITION_PLAYER_2 = const(9)
POSITION_PLAYER_3 = const(10)
POSITION_COMMUNITY = const(11)
POSITION_RACK = const(14)
POSITION_SEGREGATED = const(13)
POSITION_TABLE = const(12)
POSITION_NONE = const(15)

# enum.phase
PHASE_EMPTY = const(0)
PHASE_READY = const(1)
PHASE_BURNING = const(2)
PHASE_DETERMINANT = const(3)
PHASE_OPENING = const(4)
PHASE_PLAYERS = const(5)
PHASE_DEALER = const(6)
PHASE_SETTLING = const(7)
PHASE_FINISHED = const(8)
PHASE_COUNTING = const(9)
PHASE_TESTING = const(10)
PHASE_CHOOSING = const(11)

# enum.hand_end
HAND_END_STAND = const(0)
HAND_END_TWENTY_ONE = const(1)
HAND_END_BUST = const(2)
HAND_END_BLACKJACK = const(3)
HAND_END_DOUBLED = const(4)
HAND_END_SURRENDERED = const(5)
HAND_END_DEAD = const(6)
HAND_END_DEALER_BLACKJACK = const(7)

# enum.round_end
ROUND_END_SETTLED = const(0)
ROUND_END_VOID = const(1)

# enum.finish
FINISH_COVER_CARD = const(0)
FINISH_ORDERED = const(1)
FINISH_EXHAUSTED = const(2)
FINISH_DAY_END = const(3)

# enum.peek
PEEK_NO_BLACKJACK = const(0)
PEEK_BLACKJACK = const(1)
PEEK_READ_AGAIN = const(2)
PEEK_REFUSED = const(3)

# enum.inspection
INSPECTION_BEGIN = const(0)
INSPECTION_FAIL = const(1)

# enum.reader_step
READER_STEP_BEGUN = const(0)
READER_STEP_CARD_1 = const(1)
READER_STEP_CARD_2 = const(2)
READER_STEP_CARD_3 = const(3)
READER_STEP_CARD_4 = const(4)
READER_STEP_PASSED = const(5)
READER_STEP_FAILED = const(6)
READER_STEP_AGAIN = const(7)
READER_STEP_CARRIED = const(8)

# enum.misuse
MISUSE_NO_ROUND = const(0)
MISUSE_DEAL_NOT_OVER = const(1)
MISUSE_BEFORE_INSURANCE = const(2)
MISUSE_AFTER_DECISION = const(3)
MISUSE_ANSWERED = const(4)
MISUSE_NO_HOLE_CARD = const(5)
MISUSE_STOPPED = const(6)
MISUSE_NOT_CONFIGURED = const(7)
MISUSE_UP_CARD_UNKNOWN = const(8)
MISUSE_BEFORE_CHOICE = const(9)

# enum.pass
PASS_CARD = const(0)
PASS_COVER_CARD = const(1)
PASS_BLANK = const(2)
PASS_PULL_BACK = const(3)
PASS_DOUBLE_FEED = const(4)
PASS_FOREIGN_BATCH = const(5)
PASS_UNREADABLE = const(6)
PASS_BLOCKED = const(7)
PASS_TEST_CARD = const(8)

# enum.unreadable
UNREADABLE_NONE = const(0)
UNREADABLE_SHORT = const(1)
UNREADABLE_LONG = const(2)
UNREADABLE_CODE = const(3)
UNREADABLE_FRAME = const(4)
UNREADABLE_UNASSIGNED = const(5)
UNREADABLE_AMBIGUOUS = const(6)
UNREADABLE_SPEED = const(7)
UNREADABLE_DIRTY = const(8)
UNREADABLE_STUCK = const(9)
UNREADABLE_SATURATED = const(10)
UNREADABLE_REVERSED = const(11)

# enum.boot_cause
BOOT_CAUSE_POWER_ON = const(0)
BOOT_CAUSE_WATCHDOG = const(1)
BOOT_CAUSE_SOFT = const(2)
BOOT_CAUSE_UPDATE = const(3)
BOOT_CAUSE_CRASH = const(4)

# enum.lamp
LAMP_READY = const(0)
LAMP_DEAL_A = const(1)
LAMP_DEAL_B = const(2)
LAMP_STOP = const(3)
LAMP_COVER = const(4)
LAMP_READER_BLACKJACK = const(5)
LAMP_READER_NO_BLACKJACK = const(6)
LAMP_READER_AGAIN = const(7)
LAMP_CLEAN = const(8)

# enum.count_verdict
COUNT_VERDICT_COMPLETE = const(0)
COUNT_VERDICT_SHORT = const(1)
COUNT_VERDICT_OVER = const(2)
COUNT_VERDICT_WRONG = const(3)

# enum.authority
AUTHORITY_OPEN = const(0)
AUTHORITY_PROVISIONED = const(1)
AUTHORITY_DAMAGED = const(2)

# enum.attempt
ATTEMPT_ACCEPTED = const(0)
ATTEMPT_WRONG_KEY = const(1)
ATTEMPT_NO_CHALLENGE = const(2)
ATTEMPT_EXPIRED = const(3)
ATTEMPT_WITHOUT_KEY = const(4)
ATTEMPT_TOO_EARLY = const(5)

# enum.provisioned
PROVISIONED_MADE = const(0)
PROVISIONED_RENEWED = const(1)
PROVISIONED_IN_FORCE = const(2)

# enum.firmware
FIRMWARE_RECORDED = const(0)
FIRMWARE_AS_ANNOUNCED = const(1)
FIRMWARE_NOT_ANNOUNCED = const(2)

# enum.signing
SIGNING_NO_KEY = const(0)
SIGNING_MAKING = const(1)
SIGNING_READY = const(2)
SIGNING_USED_UP = const(3)
SIGNING_DAMAGED = const(4)

# enum.signature
SIGNATURE_NONE = const(0)
SIGNATURE_PENDING = const(1)
SIGNATURE_SIGNED = const(2)
SIGNATURE_NO_KEY = const(3)
SIGNATURE_USED_UP = const(4)
SIGNATURE_FAILED = const(5)

# enum.calibration
CALIBRATION_BEGIN = const(0)
CALIBRATION_EMPTY = const(1)
CALIBRATION_CARD = const(2)
CALIBRATION_SET = const(3)
CALIBRATION_END = const(4)
CALIBRATION_NONE = const(255)

# enum.margin
MARGIN_SHOE_CLOSED = const(0)
MARGIN_CLEAN_SOON = const(1)
MARGIN_CLEAN = const(2)

# enum.self_test
SELF_TEST_RAM = const(0)
SELF_TEST_STORE = const(1)
SELF_TEST_JOURNAL = const(2)
SELF_TEST_ENTROPY = const(3)
SELF_TEST_CONFIG = const(4)
SELF_TEST_SIDE_A = const(5)
SELF_TEST_SIDE_B = const(6)
SELF_TEST_READER = const(7)

# enum.error
ERROR_UNKNOWN_MESSAGE = const(1)
ERROR_BAD_LENGTH = const(2)
ERROR_BAD_VALUE = const(3)
ERROR_BUSY = const(4)
ERROR_NO_SUCH_PAGE = const(5)
ERROR_NO_SUCH_RECORD = const(6)
ERROR_NO_SUCH_SHOE = const(7)
ERROR_NOT_ALLOWED_NOW = const(8)
ERROR_VERSION = const(9)
ERROR_STALE_EPOCH = const(10)
ERROR_NOT_AUTHORISED = const(20)
ERROR_WRONG_KEY = const(21)
ERROR_NO_CHALLENGE = const(22)
ERROR_WAIT = const(23)
ERROR_NOT_PROVISIONED = const(24)
ERROR_NO_ENTROPY = const(25)
ERROR_NO_MEMORY = const(26)
ERROR_FAILED = const(27)

# records
REC_BOOT = const(1)
REC_SHOE_OPENED = const(2)
REC_LOADED = const(3)
REC_CARRIED = const(4)
REC_DEALER_CHANGED = const(5)
REC_ROUND_OPENED = const(6)
REC_CARD = const(7)
REC_SEALED = const(8)
REC_OPENED = const(9)
REC_MOVED = const(10)
REC_COVER_CARD = const(11)
REC_SIDE_CHOSEN = const(12)
REC_PEEK = const(13)
REC_HAND_ENDED = const(14)
REC_DOUBLED = const(15)
REC_SPLIT = const(16)
REC_REVEALED = const(17)
REC_ROUND_CLOSED = const(18)
REC_FINISHED = const(19)
REC_COUNTED = const(20)
REC_IRREGULARITY = const(21)
REC_FAULT = const(22)
REC_CLEARED = const(23)
REC_CONFIGURED = const(24)
REC_SELF_TEST = const(25)
REC_SHOE_CLOSED = const(26)
REC_REFILLED = const(27)
REC_COUNT_STARTED = const(28)
REC_SEATS = const(29)
REC_INSURANCE = const(30)
REC_READER_TEST = const(31)
REC_SWITCHED = const(32)
REC_ANTES = const(70)
REC_SWITCH_HAND = const(71)
REC_HIT = const(72)
REC_COUNTDOWN = const(73)
REC_SELECTED = const(74)
REC_HOST_CLOCK = const(80)
REC_ATTEMPT = const(40)
REC_PROVISIONED = const(41)
REC_UPDATE_ANNOUNCED = const(42)
REC_FIRMWARE = const(43)
REC_SIGNING_KEY = const(50)
REC_SIGNED = const(51)
REC_CALIBRATED = const(60)
REC_MARGIN = const(61)

# payload formats by record kind
RECORD_FORMATS = {
    1: "<B3sIH",
    2: "<BBBBBBBHI",
    3: "<BH",
    4: "<BB26s",
    5: "<B",
    6: "<HB",
    7: "<BBBBBBHB",
    8: "<BBBB32s",
    9: "<IBBBBB16s",
    10: "<IBBB",
    11: "<BBBB",
    12: "<B",
    13: "<B",
    14: "<BBB",
    15: "<BB",
    16: "<BBB",
    17: "<I",
    18: "<HBB",
    19: "<BBH",
    20: "<BBHHB",
    21: "<BBBBB",
    22: "<BBB",
    23: "<BB",
    24: "<I",
    25: "<BI",
    26: "<BHH",
    27: "<BH",
    28: "<BB",
    29: "<B",
    30: "<B",
    31: "<B",
    32: "<B",
    70: "<B",
    71: "<BB",
    72: "<BB",
    73: "<B",
    74: "<H",
    80: "<IHIHHB",
    40: "<BBHH8s",
    41: "<8sB",
    42: "<3s32s",
    43: "<32sB",
    50: "<16sB32s",
    51: "<IBI16s",
    60: "<BHBBHH",
    61: "<BBBHHH",
}

# irregularities
IRR_FACE_UP_CARD = const(1)
IRR_DRAWN_IN_ERROR = const(2)
IRR_DRAWN_IN_ERROR_EXPOSED = const(3)
IRR_CARD_REFUSED = const(4)
IRR_CARD_DISCARDED = const(5)
IRR_DEALER_DREW_ON_17 = const(6)
IRR_DEALER_MISSED_CARD = const(7)
IRR_TOO_FEW_CARDS = const(8)
IRR_HAND_WITHOUT_CARDS = const(9)
IRR_HAND_WITH_ONE_CARD = const(10)
IRR_WRONG_SIDE = const(11)
IRR_MISSED_CARD = const(12)
IRR_SECOND_FACE_UP_CARD = const(13)
IRR_TEN_FOUND = const(14)
IRR_SECOND_TEN_FOUND = const(15)
IRR_EXTRA_CARD = const(16)
IRR_FOREIGN_BATCH = const(17)
IRR_DRAWN_WHILE_FINISHED = const(18)
IRR_BURN_MISSING = const(19)
IRR_DRAWN_WHILE_STOPPED = const(20)
IRR_DEALER_SHORT = const(21)
IRR_HOLE_NOT_REVEALED = const(22)
IRR_ORDERED_RESHUFFLE = const(23)
IRR_SECOND_COVER_CARD = const(24)
IRR_CARD_UNKNOWN = const(25)
IRR_PULLED_BACK = const(26)
IRR_SEAT_CHANGED = const(27)
IRR_WRONG_KEY = const(28)
IRR_READER_WRONG_UP_CARD = const(29)
IRR_READER_MISUSED = const(30)
IRR_PEEK_MISSED = const(31)
IRR_READER_NOT_INSPECTED = const(32)

# faults
FAULT_UNREADABLE = const(1)
FAULT_DOUBLE_FEED = const(2)
FAULT_FOREIGN_BATCH = const(3)
FAULT_HEAD_DIRTY = const(4)
FAULT_HEAD_STUCK = const(5)
FAULT_HEAD_SATURATED = const(6)
FAULT_EXTRA_CARD = const(7)
FAULT_JOURNAL_FULL = const(8)
FAULT_JOURNAL_WRITE = const(9)
FAULT_JOURNAL_DAMAGED = const(10)
FAULT_SEALED_CARD_LOST = const(11)
FAULT_CONFIG_INVALID = const(12)
FAULT_EDGES_LOST = const(13)
FAULT_SELF_TEST = const(14)
FAULT_READER = const(15)
FAULT_INTERNAL = const(16)
FAULT_WATCHDOG = const(17)
FAULT_COUNT_WRONG = const(18)
FAULT_DECKS_RETIRED = const(19)
FAULT_ENTROPY = const(20)
FAULT_HOLE_CARD = const(21)
FAULT_COMMAND_KEY = const(40)
FAULT_FIRMWARE = const(41)
FAULT_SIGNING_KEY_USED_UP = const(50)
FAULT_SIGNING_KEY_DAMAGED = const(51)
FAULT_THRESHOLDS_LOST = const(60)
STOPPING_FAULTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 41, 60)

# settings: id -> (min, max, default)
CFG_GAME = const(1)
CFG_SHOE_KIND = const(2)
CFG_DECKS = const(3)
CFG_BATCH_A = const(4)
CFG_BATCH_B = const(5)
CFG_SIDE_A_COLOR = const(6)
CFG_POSITIONS = const(7)
CFG_TABLE = const(8)
CFG_OPTIONS = const(9)
CFG_MAX_SPLITS = const(10)
CFG_BLOCKED_S = const(11)
SETTINGS = {
    1: (0, 6, 0),
    2: (0, 1, 0),
    3: (1, 8, 6),
    4: (1, 8, 1),
    5: (1, 8, 2),
    6: (0, 1, 0),
    7: (1, 7, 7),
    8: (0, 4294967295, 0),
    9: (0, 65535, 0),
    10: (0, 3, 3),
    11: (11, 60, 15),
}

# messages
MSG_IDENTIFY = const(1)
MSG_STATUS = const(2)
MSG_CONFIG_READ = const(3)
MSG_CONFIG_WRITE = const(4)
MSG_HISTORY_LIST = const(5)
MSG_HISTORY_READ = const(6)
MSG_HISTORY_FETCHED = const(7)
MSG_SUBSCRIBE = const(8)
MSG_EVENT = const(64)
MSG_EVENT_READ = const(9)
MSG_SELF_TEST = const(10)
MSG_TRACE = const(11)
MSG_KEY = const(12)
MSG_TICKS = const(13)
MSG_SIGNING_KEY = const(30)
MSG_SIGNATURE = const(31)
MSG_LEVELS = const(32)
MSG_CALIBRATE = const(33)
MSG_HOST_CLOCK = const(34)
MSG_ERROR = const(127)
MSG_LOG = const(65)
MSG_AUTHORITY = const(20)
MSG_CHALLENGE = const(21)
MSG_PRIVILEGED = const(22)
MSG_KEY_OFFER = const(23)
MSG_PROVISION = const(24)
MSG_UPDATE = const(25)
MSG_PLAY_OPEN = const(26)
MSG_PLAY = const(27)
ANSWER = const(128)

# fixed parts of requests, answers and unasked messages by id
REQUEST_FORMATS = {
    1: "<I",
    2: "<",
    3: "<",
    4: "<",
    5: "<IB",
    6: "<IHH",
    7: "<I",
    8: "<BI",
    9: "<IB",
    10: "<",
    11: "<BHH",
    12: "<BB",
    13: "<",
    30: "<",
    31: "<IH",
    32: "<B",
    33: "<BBH",
    34: "<IIHH",
    20: "<",
    21: "<B",
    22: "<B32s",
    23: "<32s",
    24: "<B32s",
    25: "<3s32s",
    26: "<",
    27: "<IIBBB32s",
}
ANSWER_FORMATS = {
    1: "<BB8s3sHH",
    2: "<BBBHHIIIIHHI",
    3: "<I",
    4: "<I",
    5: "<B",
    6: "<IHH",
    7: "<",
    8: "<I",
    9: "<IB",
    10: "<BI",
    11: "<BBBHH",
    12: "<BB",
    13: "<HIIH",
    30: "<BBIII",
    31: "<BIHH",
    32: "<BBHBBBBB",
    33: "<BHB",
    34: "<I",
    20: "<B8sIHBII",
    21: "<32sI",
    22: "<",
    23: "<32s",
    24: "<8s",
    25: "<",
    26: "<",
    27: "<BB",
}
UNASKED_FORMATS = {
    64: "<IHIB",
    127: "<BBI",
    65: "<",
}
# service methods that carry out the requests
REQUEST_NAMES = {
    1: "identify",
    2: "status",
    3: "config_read",
    4: "config_write",
    5: "history_list",
    6: "history_read",
    7: "history_fetched",
    8: "subscribe",
    9: "event_read",
    10: "self_test",
    11: "trace",
    12: "key",
    13: "ticks",
    30: "signing_key",
    31: "signature",
    32: "levels",
    33: "calibrate",
    34: "host_clock",
    20: "authority",
    21: "challenge",
    22: "privileged",
    23: "key_offer",
    24: "provision",
    25: "update",
    26: "play_open",
    27: "play",
}
REST_REQUESTS = (4, 22)
# what the gate carries out and not the service
GATE_REQUESTS = (34, 20, 21, 22, 23, 24, 25, 26, 27)
# what a provisioned shoe takes only with the command key
PRIVILEGED_REQUESTS = (4, 7, 12, 33, 34, 23, 25, 26)
# and of those what it takes without the key too
KEYLESS_REQUESTS = (34,)
