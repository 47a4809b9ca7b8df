-- How Wireshark and tshark read the line between a smart shoe and its host. The protocol is firmware/PROTOCOL.md.
--
-- A packet holds the bytes between two zeros of the line, as `shoetool dump RECORDING --pcapng FILE` writes them. Put
-- this file into the folder of personal Lua plugins (Help, About Wireshark, Folders), or name it:
-- tshark -X lua_script:shoe.lua
--
-- It runs on Lua 5.2 (Wireshark up to 4.2) and on 5.3 and 5.4 (from 4.4 on).

-- Made by `make tables`: tables from firmware/protocol.toml, the rest from firmware/tools/dissector.lua.
local MAJOR = 1
local MAX_COVERED = 371
local ENUMS = {
    game = {
        [0] = "blackjack",
        [1] = "free_bet",
        [2] = "spanish_21",
        [3] = "switch",
        [4] = "from_the_hand",
        [5] = "hybrid",
        [6] = "hybrid_no_hole",
    },
    shoe_kind = {
        [0] = "single",
        [1] = "double",
    },
    head = {
        [0] = "side_a",
        [1] = "side_b",
        [2] = "reader",
    },
    color = {
        [0] = "red_suits",
        [1] = "black_suits",
    },
    key = {
        [1] = "seats",
        [2] = "deal",
        [3] = "next_hand",
        [4] = "double",
        [5] = "split",
        [6] = "surrender",
        [7] = "reveal",
        [8] = "end_round",
        [9] = "new_dealer",
        [10] = "load",
        [11] = "discard",
        [12] = "supervisor",
        [13] = "reshuffle",
        [14] = "count",
        [15] = "test_deal",
        [16] = "missed",
        [17] = "no_card",
        [18] = "missed_dealer",
        [19] = "refill",
        [20] = "hold",
        [21] = "void_round",
        [22] = "close_shoe",
        [23] = "insurance",
        [24] = "reader_test",
        [25] = "switch",
        [26] = "turn_up",
        [30] = "antes",
        [32] = "hit",
        [33] = "countdown",
        [34] = "select",
    },
    clear = {
        [0] = "resume",
        [1] = "card_unknown",
        [2] = "reread",
        [3] = "card_removed",
    },
    role = {
        [0] = "opening",
        [1] = "dealer_up",
        [2] = "hole",
        [3] = "draw",
        [4] = "double_draw",
        [5] = "split_second",
        [6] = "dealer_draw",
        [7] = "burn",
        [8] = "determinant_first",
        [9] = "determinant_aside",
        [10] = "late",
        [11] = "held",
        [12] = "discarded",
        [13] = "stopped",
        [14] = "counted",
        [15] = "switch_hand",
    },
    position = {
        [0] = "dealer",
        [8] = "player_1",
        [9] = "player_2",
        [10] = "player_3",
        [11] = "community",
        [14] = "rack",
        [13] = "segregated",
        [12] = "table",
        [15] = "none",
        [1] = "position 1",
        [2] = "position 2",
        [3] = "position 3",
        [4] = "position 4",
        [5] = "position 5",
        [6] = "position 6",
        [7] = "position 7",
    },
    phase = {
        [0] = "empty",
        [1] = "ready",
        [2] = "burning",
        [3] = "determinant",
        [4] = "opening",
        [5] = "players",
        [6] = "dealer",
        [7] = "settling",
        [8] = "finished",
        [9] = "counting",
        [10] = "testing",
        [11] = "choosing",
    },
    hand_end = {
        [0] = "stand",
        [1] = "twenty_one",
        [2] = "bust",
        [3] = "blackjack",
        [4] = "doubled",
        [5] = "surrendered",
        [6] = "dead",
        [7] = "dealer_blackjack",
    },
    round_end = {
        [0] = "settled",
        [1] = "void",
    },
    finish = {
        [0] = "cover_card",
        [1] = "ordered",
        [2] = "exhausted",
        [3] = "day_end",
    },
    peek = {
        [0] = "no_blackjack",
        [1] = "blackjack",
        [2] = "read_again",
        [3] = "refused",
    },
    inspection = {
        [0] = "begin",
        [1] = "fail",
    },
    reader_step = {
        [0] = "begun",
        [1] = "card_1",
        [2] = "card_2",
        [3] = "card_3",
        [4] = "card_4",
        [5] = "passed",
        [6] = "failed",
        [7] = "again",
        [8] = "carried",
    },
    misuse = {
        [0] = "no_round",
        [1] = "deal_not_over",
        [2] = "before_insurance",
        [3] = "after_decision",
        [4] = "answered",
        [5] = "no_hole_card",
        [6] = "stopped",
        [7] = "not_configured",
        [8] = "up_card_unknown",
        [9] = "before_choice",
    },
    pass = {
        [0] = "card",
        [1] = "cover_card",
        [2] = "blank",
        [3] = "pull_back",
        [4] = "double_feed",
        [5] = "foreign_batch",
        [6] = "unreadable",
        [7] = "blocked",
        [8] = "test_card",
    },
    unreadable = {
        [0] = "none",
        [1] = "short",
        [2] = "long",
        [3] = "code",
        [4] = "frame",
        [5] = "unassigned",
        [6] = "ambiguous",
        [7] = "speed",
        [8] = "dirty",
        [9] = "stuck",
        [10] = "saturated",
        [11] = "reversed",
    },
    boot_cause = {
        [0] = "power_on",
        [1] = "watchdog",
        [2] = "soft",
        [3] = "update",
        [4] = "crash",
    },
    lamp = {
        [0] = "ready",
        [1] = "deal_a",
        [2] = "deal_b",
        [3] = "stop",
        [4] = "cover",
        [5] = "reader_blackjack",
        [6] = "reader_no_blackjack",
        [7] = "reader_again",
        [8] = "clean",
    },
    count_verdict = {
        [0] = "complete",
        [1] = "short",
        [2] = "over",
        [3] = "wrong",
    },
    authority = {
        [0] = "open",
        [1] = "provisioned",
        [2] = "damaged",
    },
    attempt = {
        [0] = "accepted",
        [1] = "wrong_key",
        [2] = "no_challenge",
        [3] = "expired",
        [4] = "without_key",
        [5] = "too_early",
    },
    provisioned = {
        [0] = "made",
        [1] = "renewed",
        [2] = "in_force",
    },
    firmware = {
        [0] = "recorded",
        [1] = "as_announced",
        [2] = "not_announced",
    },
    signing = {
        [0] = "no_key",
        [1] = "making",
        [2] = "ready",
        [3] = "used_up",
        [4] = "damaged",
    },
    signature = {
        [0] = "none",
        [1] = "pending",
        [2] = "signed",
        [3] = "no_key",
        [4] = "used_up",
        [5] = "failed",
    },
    calibration = {
        [0] = "begin",
        [1] = "empty",
        [2] = "card",
        [3] = "set",
        [4] = "end",
        [255] = "none",
    },
    margin = {
        [0] = "shoe_closed",
        [1] = "clean_soon",
        [2] = "clean",
    },
    self_test = {
        [0] = "ram",
        [1] = "store",
        [2] = "journal",
        [3] = "entropy",
        [4] = "config",
        [5] = "side_a",
        [6] = "side_b",
        [7] = "reader",
    },
    error = {
        [1] = "unknown_message",
        [2] = "bad_length",
        [3] = "bad_value",
        [4] = "busy",
        [5] = "no_such_page",
        [6] = "no_such_record",
        [7] = "no_such_shoe",
        [8] = "not_allowed_now",
        [9] = "version",
        [10] = "stale_epoch",
        [20] = "not_authorised",
        [21] = "wrong_key",
        [22] = "no_challenge",
        [23] = "wait",
        [24] = "not_provisioned",
        [25] = "no_entropy",
        [26] = "no_memory",
        [27] = "failed",
    },
    record = {
        [1] = "boot",
        [2] = "shoe_opened",
        [3] = "loaded",
        [4] = "carried",
        [5] = "dealer_changed",
        [6] = "round_opened",
        [7] = "card",
        [8] = "sealed",
        [9] = "opened",
        [10] = "moved",
        [11] = "cover_card",
        [12] = "side_chosen",
        [13] = "peek",
        [14] = "hand_ended",
        [15] = "doubled",
        [16] = "split",
        [17] = "revealed",
        [18] = "round_closed",
        [19] = "finished",
        [20] = "counted",
        [21] = "irregularity",
        [22] = "fault",
        [23] = "cleared",
        [24] = "configured",
        [25] = "self_test",
        [26] = "shoe_closed",
        [27] = "refilled",
        [28] = "count_started",
        [29] = "seats",
        [30] = "insurance",
        [31] = "reader_test",
        [32] = "switched",
        [70] = "antes",
        [71] = "switch_hand",
        [72] = "hit",
        [73] = "countdown",
        [74] = "selected",
        [80] = "host_clock",
        [40] = "attempt",
        [41] = "provisioned",
        [42] = "update_announced",
        [43] = "firmware",
        [50] = "signing_key",
        [51] = "signed",
        [60] = "calibrated",
        [61] = "margin",
    },
    irregularity = {
        [1] = "face_up_card",
        [2] = "drawn_in_error",
        [3] = "drawn_in_error_exposed",
        [4] = "card_refused",
        [5] = "card_discarded",
        [6] = "dealer_drew_on_17",
        [7] = "dealer_missed_card",
        [8] = "too_few_cards",
        [9] = "hand_without_cards",
        [10] = "hand_with_one_card",
        [11] = "wrong_side",
        [12] = "missed_card",
        [13] = "second_face_up_card",
        [14] = "ten_found",
        [15] = "second_ten_found",
        [16] = "extra_card",
        [17] = "foreign_batch",
        [18] = "drawn_while_finished",
        [19] = "burn_missing",
        [20] = "drawn_while_stopped",
        [21] = "dealer_short",
        [22] = "hole_not_revealed",
        [23] = "ordered_reshuffle",
        [24] = "second_cover_card",
        [25] = "card_unknown",
        [26] = "pulled_back",
        [27] = "seat_changed",
        [28] = "wrong_key",
        [29] = "reader_wrong_up_card",
        [30] = "reader_misused",
        [31] = "peek_missed",
        [32] = "reader_not_inspected",
    },
    fault = {
        [1] = "unreadable",
        [2] = "double_feed",
        [3] = "foreign_batch",
        [4] = "head_dirty",
        [5] = "head_stuck",
        [6] = "head_saturated",
        [7] = "extra_card",
        [8] = "journal_full",
        [9] = "journal_write",
        [10] = "journal_damaged",
        [11] = "sealed_card_lost",
        [12] = "config_invalid",
        [13] = "edges_lost",
        [14] = "self_test",
        [15] = "reader",
        [16] = "internal",
        [17] = "watchdog",
        [18] = "count_wrong",
        [19] = "decks_retired",
        [20] = "entropy",
        [21] = "hole_card",
        [40] = "command_key",
        [41] = "firmware",
        [50] = "signing_key_used_up",
        [51] = "signing_key_damaged",
        [60] = "thresholds_lost",
        [0] = "none",
    },
    config = {
        [1] = "game",
        [2] = "shoe_kind",
        [3] = "decks",
        [4] = "batch_a",
        [5] = "batch_b",
        [6] = "side_a_color",
        [7] = "positions",
        [8] = "table",
        [9] = "options",
        [10] = "max_splits",
        [11] = "blocked_s",
    },
    message = {
        [1] = "identify",
        [2] = "status",
        [3] = "config_read",
        [4] = "config_write",
        [5] = "history_list",
        [6] = "history_read",
        [7] = "history_fetched",
        [8] = "subscribe",
        [64] = "event",
        [9] = "event_read",
        [10] = "self_test",
        [11] = "trace",
        [12] = "key",
        [13] = "ticks",
        [30] = "signing_key",
        [31] = "signature",
        [32] = "levels",
        [33] = "calibrate",
        [34] = "host_clock",
        [127] = "error",
        [65] = "log",
        [20] = "authority",
        [21] = "challenge",
        [22] = "privileged",
        [23] = "key_offer",
        [24] = "provision",
        [25] = "update",
        [26] = "play_open",
        [27] = "play",
    },
    card = {
        [0] = "A♣",
        [1] = "2♣",
        [2] = "3♣",
        [3] = "4♣",
        [4] = "5♣",
        [5] = "6♣",
        [6] = "7♣",
        [7] = "8♣",
        [8] = "9♣",
        [9] = "10♣",
        [10] = "J♣",
        [11] = "Q♣",
        [12] = "K♣",
        [13] = "A♦",
        [14] = "2♦",
        [15] = "3♦",
        [16] = "4♦",
        [17] = "5♦",
        [18] = "6♦",
        [19] = "7♦",
        [20] = "8♦",
        [21] = "9♦",
        [22] = "10♦",
        [23] = "J♦",
        [24] = "Q♦",
        [25] = "K♦",
        [26] = "A♥",
        [27] = "2♥",
        [28] = "3♥",
        [29] = "4♥",
        [30] = "5♥",
        [31] = "6♥",
        [32] = "7♥",
        [33] = "8♥",
        [34] = "9♥",
        [35] = "10♥",
        [36] = "J♥",
        [37] = "Q♥",
        [38] = "K♥",
        [39] = "A♠",
        [40] = "2♠",
        [41] = "3♠",
        [42] = "4♠",
        [43] = "5♠",
        [44] = "6♠",
        [45] = "7♠",
        [46] = "8♠",
        [47] = "9♠",
        [48] = "10♠",
        [49] = "J♠",
        [50] = "Q♠",
        [51] = "K♠",
        [52] = "cover card",
        [53] = "T1",
        [54] = "T2",
        [55] = "T3",
        [56] = "T4",
        [63] = "unknown",
    },
}
local NAMES = {
    phase = "phase",
    role = "role",
    box = "position",
    head = "head",
    fault_head = "head",
    side = "head",
    fault = "fault",
    game = "game",
    shoe_kind = "shoe_kind",
    side_a_color = "color",
    cause = "boot_cause",
    outcome = "round_end",
    verdict = "count_verdict",
    how = "clear",
    request = "message",
    card = "card",
    first_card = "card",
    ["fault.code"] = "fault",
    ["cleared.code"] = "fault",
    ["irregularity.code"] = "irregularity",
    ["error.code"] = "error",
    ["event.kind"] = "record",
    ["trace.kind"] = "pass",
    ["levels.kind"] = "pass",
    ["levels.step"] = "calibration",
    ["calibrate.step"] = "calibration",
    ["reader_test.step"] = "reader_step",
    ["key.key"] = "key",
    ["play.key"] = "key",
    ["peek.result"] = "peek",
    ["attempt.result"] = "attempt",
    ["firmware.result"] = "firmware",
    ["signed.result"] = "signature",
    ["hand_ended.why"] = "hand_end",
    ["finished.why"] = "finish",
    ["shoe_closed.why"] = "finish",
    ["provisioned.why"] = "provisioned",
    ["margin.why"] = "margin",
    ["authority.state"] = "authority",
    ["signing_key.state"] = "signing",
    ["signature.state"] = "signature",
    ["config_read.pairs.id"] = "config",
    ["config_write.pairs.id"] = "config",
}
local BITS = {
    lamps = "lamp",
    failed = "self_test",
}
local RESTS = {
    ["identify.board"] = "text",
    ["log.text"] = "text",
    ["event.payload"] = "record",
    ["privileged.body"] = "message",
    ["config_read.pairs"] = { { "id", "u8" }, { "value", "u32" } },
    ["config_write.pairs"] = { { "id", "u8" }, { "value", "u32" } },
    ["history_list.shoes"] = { { "shoe", "u32" }, { "first_page", "u32" }, { "pages", "u16" }, { "first_record", "u32" }, { "records", "u32" }, { "closed", "u8" }, { "fetched", "u8" } },
    ["trace.data"] = { { "delta_us", "u16" }, { "lines", "u8" } },
    ["levels.lines"] = { { "now", "u16" }, { "light", "u16" }, { "dark", "u16" } },
}
local LATER = {
    ["ticks.turns"] = true,
}
local MESSAGES = {
    [1] = {
        name = "identify",
        request = { { "session", "u32" } },
        answer = { { "major", "u8" }, { "minor", "u8" }, { "device", "b8" }, { "firmware", "b3" }, { "boot", "u16" }, { "epoch", "u16" }, { "board", "rest" } },
    },
    [2] = {
        name = "status",
        request = {},
        answer = { { "phase", "u8" }, { "fault", "u8" }, { "fault_head", "u8" }, { "lamps", "u16" }, { "round", "u16" }, { "shoe", "u32" }, { "next_record", "u32" }, { "durable_record", "u32" }, { "ticks_ms", "u32" }, { "drawn_a", "u16" }, { "drawn_b", "u16" }, { "heap_free", "u32" } },
    },
    [3] = {
        name = "config_read",
        request = {},
        answer = { { "crc", "u32" }, { "pairs", "rest" } },
    },
    [4] = {
        name = "config_write",
        request = { { "pairs", "rest" } },
        answer = { { "crc", "u32" } },
    },
    [5] = {
        name = "history_list",
        request = { { "from_shoe", "u32" }, { "most", "u8" } },
        answer = { { "more", "u8" }, { "shoes", "rest" } },
    },
    [6] = {
        name = "history_read",
        request = { { "page", "u32" }, { "offset", "u16" }, { "length", "u16" } },
        answer = { { "page", "u32" }, { "offset", "u16" }, { "used", "u16" }, { "data", "rest" } },
    },
    [7] = {
        name = "history_fetched",
        request = { { "shoe", "u32" } },
        answer = {},
    },
    [8] = {
        name = "subscribe",
        request = { { "on", "u8" }, { "from_record", "u32" } },
        answer = { { "next_record", "u32" } },
    },
    [64] = {
        name = "event",
        unasked = { { "record", "u32" }, { "boot", "u16" }, { "ticks_ms", "u32" }, { "kind", "u8" }, { "payload", "rest" } },
    },
    [9] = {
        name = "event_read",
        request = { { "from_record", "u32" }, { "count", "u8" } },
        answer = { { "first", "u32" }, { "count", "u8" } },
    },
    [10] = {
        name = "self_test",
        request = {},
        answer = { { "result", "u8" }, { "failed", "u32" } },
    },
    [11] = {
        name = "trace",
        request = { { "index", "u8" }, { "offset", "u16" }, { "most", "u16" } },
        answer = { { "passes", "u8" }, { "head", "u8" }, { "kind", "u8" }, { "edges", "u16" }, { "offset", "u16" }, { "data", "rest" } },
    },
    [12] = {
        name = "key",
        request = { { "key", "u8" }, { "argument", "u8" } },
        answer = { { "accepted", "u8" }, { "phase", "u8" } },
    },
    [13] = {
        name = "ticks",
        request = {},
        answer = { { "boot", "u16" }, { "ticks_ms", "u32" }, { "ticks_us", "u32" }, { "turns", "u16" } },
    },
    [30] = {
        name = "signing_key",
        request = {},
        answer = { { "state", "u8" }, { "height", "u8" }, { "next_index", "u32" }, { "made", "u32" }, { "of", "u32" }, { "public", "rest" } },
    },
    [31] = {
        name = "signature",
        request = { { "shoe", "u32" }, { "offset", "u16" } },
        answer = { { "state", "u8" }, { "shoe", "u32" }, { "size", "u16" }, { "offset", "u16" }, { "data", "rest" } },
    },
    [32] = {
        name = "levels",
        request = { { "head", "u8" } },
        answer = { { "head", "u8" }, { "step", "u8" }, { "threshold", "u16" }, { "margin", "u8" }, { "clean_soon", "u8" }, { "passes", "u8" }, { "kind", "u8" }, { "card", "u8" }, { "lines", "rest" } },
    },
    [33] = {
        name = "calibrate",
        request = { { "head", "u8" }, { "step", "u8" }, { "threshold", "u16" } },
        answer = { { "step", "u8" }, { "threshold", "u16" }, { "margin", "u8" } },
    },
    [34] = {
        name = "host_clock",
        request = { { "ticks_ms", "u32" }, { "wall_s", "u32" }, { "wall_ms", "u16" }, { "uncertainty_ms", "u16" } },
        answer = { { "record", "u32" } },
    },
    [127] = {
        name = "error",
        unasked = { { "request", "u8" }, { "code", "u8" }, { "detail", "u32" } },
    },
    [65] = {
        name = "log",
        unasked = { { "text", "rest" } },
    },
    [20] = {
        name = "authority",
        request = {},
        answer = { { "state", "u8" }, { "fingerprint", "b8" }, { "wait_ms", "u32" }, { "failures", "u16" }, { "announced", "u8" }, { "signing_done", "u32" }, { "signing_total", "u32" } },
    },
    [21] = {
        name = "challenge",
        request = { { "request", "u8" } },
        answer = { { "nonce", "b32" }, { "expires_ms", "u32" } },
    },
    [22] = {
        name = "privileged",
        request = { { "request", "u8" }, { "tag", "b32" }, { "body", "rest" } },
        answer = { { "body", "rest" } },
    },
    [23] = {
        name = "key_offer",
        request = { { "secret", "b32" } },
        answer = { { "share", "b32" } },
    },
    [24] = {
        name = "provision",
        request = { { "height", "u8" }, { "tag", "b32" } },
        answer = { { "fingerprint", "b8" } },
    },
    [25] = {
        name = "update",
        request = { { "version", "b3" }, { "digest", "b32" } },
        answer = {},
    },
    [26] = {
        name = "play_open",
        request = {},
        answer = {},
    },
    [27] = {
        name = "play",
        request = { { "counter", "u32" }, { "record", "u32" }, { "phase", "u8" }, { "key", "u8" }, { "argument", "u8" }, { "tag", "b32" } },
        answer = { { "accepted", "u8" }, { "phase", "u8" } },
    },
}
local RECORDS = {
    [1] = {
        name = "boot",
        fields = { { "cause", "u8" }, { "version", "b3" }, { "config_crc", "u32" }, { "epoch", "u16" } },
    },
    [2] = {
        name = "shoe_opened",
        fields = { { "game", "u8" }, { "shoe_kind", "u8" }, { "decks", "u8" }, { "batch_a", "u8" }, { "batch_b", "u8" }, { "side_a_color", "u8" }, { "positions", "u8" }, { "options", "u16" }, { "table", "u32" } },
    },
    [3] = {
        name = "loaded",
        fields = { { "side", "u8" }, { "cards", "u16" } },
    },
    [4] = {
        name = "carried",
        fields = { { "side", "u8" }, { "unknown", "u8" }, { "dealt", "b26" } },
    },
    [5] = {
        name = "dealer_changed",
        fields = { { "count", "u8" } },
    },
    [6] = {
        name = "round_opened",
        fields = { { "round", "u16" }, { "seats", "u8" } },
    },
    [7] = {
        name = "card",
        fields = { { "role", "u8" }, { "box", "u8" }, { "hand", "u8" }, { "head", "u8" }, { "card", "u8" }, { "batch", "u8" }, { "duration_ms", "u16" }, { "margin", "u8" } },
    },
    [8] = {
        name = "sealed",
        fields = { { "role", "u8" }, { "box", "u8" }, { "hand", "u8" }, { "head", "u8" }, { "commitment", "b32" } },
    },
    [9] = {
        name = "opened",
        fields = { { "sealed", "u32" }, { "role", "u8" }, { "box", "u8" }, { "hand", "u8" }, { "card", "u8" }, { "batch", "u8" }, { "nonce", "b16" } },
    },
    [10] = {
        name = "moved",
        fields = { { "record", "u32" }, { "role", "u8" }, { "box", "u8" }, { "hand", "u8" } },
    },
    [11] = {
        name = "cover_card",
        fields = { { "head", "u8" }, { "phase", "u8" }, { "box", "u8" }, { "batch", "u8" } },
    },
    [12] = {
        name = "side_chosen",
        fields = { { "side", "u8" } },
    },
    [13] = {
        name = "peek",
        fields = { { "result", "u8" } },
    },
    [14] = {
        name = "hand_ended",
        fields = { { "box", "u8" }, { "hand", "u8" }, { "why", "u8" } },
    },
    [15] = {
        name = "doubled",
        fields = { { "box", "u8" }, { "hand", "u8" } },
    },
    [16] = {
        name = "split",
        fields = { { "box", "u8" }, { "hand", "u8" }, { "new_hand", "u8" } },
    },
    [17] = {
        name = "revealed",
        fields = { { "sealed", "u32" } },
    },
    [18] = {
        name = "round_closed",
        fields = { { "round", "u16" }, { "outcome", "u8" }, { "dealer_total", "u8" } },
    },
    [19] = {
        name = "finished",
        fields = { { "side", "u8" }, { "why", "u8" }, { "cards_out", "u16" } },
    },
    [20] = {
        name = "counted",
        fields = { { "side", "u8" }, { "verdict", "u8" }, { "expected", "u16" }, { "seen", "u16" }, { "first_card", "u8" } },
    },
    [21] = {
        name = "irregularity",
        fields = { { "code", "u8" }, { "box", "u8" }, { "hand", "u8" }, { "head", "u8" }, { "detail", "u8" } },
    },
    [22] = {
        name = "fault",
        fields = { { "code", "u8" }, { "head", "u8" }, { "detail", "u8" } },
    },
    [23] = {
        name = "cleared",
        fields = { { "code", "u8" }, { "how", "u8" } },
    },
    [24] = {
        name = "configured",
        fields = { { "crc", "u32" } },
    },
    [25] = {
        name = "self_test",
        fields = { { "result", "u8" }, { "failed", "u32" } },
    },
    [26] = {
        name = "shoe_closed",
        fields = { { "why", "u8" }, { "rounds", "u16" }, { "cards", "u16" } },
    },
    [27] = {
        name = "refilled",
        fields = { { "side", "u8" }, { "cards", "u16" } },
    },
    [28] = {
        name = "count_started",
        fields = { { "side", "u8" }, { "test", "u8" } },
    },
    [29] = {
        name = "seats",
        fields = { { "seats", "u8" } },
    },
    [30] = {
        name = "insurance",
        fields = { { "boxes", "u8" } },
    },
    [31] = {
        name = "reader_test",
        fields = { { "step", "u8" } },
    },
    [32] = {
        name = "switched",
        fields = { { "box", "u8" } },
    },
    [70] = {
        name = "antes",
        fields = { { "boxes", "u8" } },
    },
    [71] = {
        name = "switch_hand",
        fields = { { "box", "u8" }, { "switched", "u8" } },
    },
    [72] = {
        name = "hit",
        fields = { { "box", "u8" }, { "hand", "u8" } },
    },
    [73] = {
        name = "countdown",
        fields = { { "boxes", "u8" } },
    },
    [74] = {
        name = "selected",
        fields = { { "positions", "u16" } },
    },
    [80] = {
        name = "host_clock",
        fields = { { "at_ms", "u32" }, { "at_turns", "u16" }, { "wall_s", "u32" }, { "wall_ms", "u16" }, { "uncertainty_ms", "u16" }, { "authenticated", "u8" } },
    },
    [40] = {
        name = "attempt",
        fields = { { "request", "u8" }, { "result", "u8" }, { "failures", "u16" }, { "unrecorded", "u16" }, { "arguments", "b8" } },
    },
    [41] = {
        name = "provisioned",
        fields = { { "fingerprint", "b8" }, { "why", "u8" } },
    },
    [42] = {
        name = "update_announced",
        fields = { { "version", "b3" }, { "digest", "b32" } },
    },
    [43] = {
        name = "firmware",
        fields = { { "digest", "b32" }, { "result", "u8" } },
    },
    [50] = {
        name = "signing_key",
        fields = { { "key", "b16" }, { "height", "u8" }, { "root", "b32" } },
    },
    [51] = {
        name = "signed",
        fields = { { "shoe", "u32" }, { "result", "u8" }, { "index", "u32" }, { "key", "b16" } },
    },
    [60] = {
        name = "calibrated",
        fields = { { "head", "u8" }, { "threshold", "u16" }, { "before", "u8" }, { "margin", "u8" }, { "light", "u16" }, { "dark", "u16" } },
    },
    [61] = {
        name = "margin",
        fields = { { "head", "u8" }, { "why", "u8" }, { "margin", "u8" }, { "threshold", "u16" }, { "light", "u16" }, { "dark", "u16" } },
    },
}

local ANSWER = 128
local HEADER_SIZE, CRC_SIZE = 8, 4
local MAX_DECODED = MAX_COVERED + CRC_SIZE
local MAX_BODY = MAX_DECODED + math.floor(MAX_DECODED / 254) + 1
local SIZES = { u8 = 1, u16 = 2, u32 = 4 }
local SENT, CAME = 0, 1 -- directions of a packet: to the shoe, from it

-- ------------------------------------------------------------------------------------------------------------ frames

local xor = bit32 and bit32.bxor or load("return function(a, b) return a ~ b end")()

local CRC_TABLE = {}
for value = 0, 255 do
    local crc = value
    for _ = 1, 8 do
        local odd = crc % 2 == 1
        crc = math.floor(crc / 2)
        if odd then
            crc = xor(crc, 0xEDB88320)
        end
    end
    CRC_TABLE[value] = crc
end

-- CRC-32 (IEEE 802.3) of a string.
local function crc32(text)
    local crc = 0xFFFFFFFF
    for at = 1, #text do
        crc = xor(math.floor(crc / 256), CRC_TABLE[xor(crc % 256, text:byte(at))])
    end
    return xor(crc, 0xFFFFFFFF)
end

-- The string that COBS bytes stand for; nil when the last block ends too early.
local function unstuff(body)
    local out, at = {}, 1
    while at <= #body do
        local code = body:byte(at)
        local behind = at + code
        if code == 0 or behind > #body + 1 or body:sub(at + 1, behind - 1):find("\0", 1, true) then
            return nil
        end
        out[#out + 1] = body:sub(at + 1, behind - 1)
        if code < 255 and behind <= #body then
            out[#out + 1] = "\0"
        end
        at = behind
    end
    return table.concat(out)
end

local function number(text, at, size)
    local value = 0
    for place = at + size - 1, at, -1 do
        value = value * 256 + text:byte(place)
    end
    return value
end

-- Whether a string is UTF-8: no overlong form, no surrogate.
local function is_utf8(text)
    local at = 1
    while at <= #text do
        local lead = text:byte(at)
        local more, least, most = 0, 0x80, 0xBF
        if lead >= 0xC2 and lead <= 0xDF then
            more = 1
        elseif lead >= 0xE0 and lead <= 0xEF then
            more = 2
            least, most = lead == 0xE0 and 0xA0 or 0x80, lead == 0xED and 0x9F or 0xBF
        elseif lead >= 0xF0 and lead <= 0xF4 then
            more = 3
            least, most = lead == 0xF0 and 0x90 or 0x80, lead == 0xF4 and 0x8F or 0xBF
        elseif lead >= 0x80 then
            return false
        end
        for place = at + 1, at + more do
            local byte = text:byte(place)
            if not byte or byte < least or byte > most then
                return false
            end
            least, most = 0x80, 0xBF
        end
        at = at + 1 + more
    end
    return true
end

-- Whether bytes may be meant for a person: what a terminal shows, and white space, bell, backspace and escape.
local function is_text(raw)
    return not raw:find("[\0-\6\14-\26\28-\31\127]") and is_utf8(raw)
end

-- The status of the bytes between two zeros, by PROTOCOL.md, section 3, or `text`; and what they stand for.
local function judge(body)
    local status, decoded = "long", nil
    if #body <= MAX_BODY then
        decoded = unstuff(body)
        local size = decoded and #decoded or 0
        if not decoded then
            status = "truncated"
        elseif size < HEADER_SIZE + CRC_SIZE then
            status = "short"
        elseif size <= MAX_DECODED then
            local covered = decoded:sub(1, size - CRC_SIZE)
            if number(decoded, 7, 2) ~= #covered - HEADER_SIZE then
                status = "length"
            elseif number(decoded, size - CRC_SIZE + 1, CRC_SIZE) ~= crc32(covered) then
                status = "crc"
            else
                status = "ok"
            end
        end
    end
    if status ~= "ok" and is_text(body) then
        return "text", nil
    end
    return status, decoded
end

-- ------------------------------------------------------------------------------------------------------------ fields

local shoe = Proto("shoe", "Smart shoe")
local notes = Proto("shoe_note", "Recorder of a shoe's line")

local kinds = {}
for id, row in pairs(MESSAGES) do
    kinds[id] = row.name
    if row.answer then
        kinds[id + ANSWER] = row.name .. " answered"
    end
end

local F = {
    status = ProtoField.string("shoe.status", "status"),
    message = ProtoField.string("shoe.message", "message"),
    part = ProtoField.string("shoe.part", "part"),
    version = ProtoField.uint8("shoe.version", "version", base.HEX),
    kind = ProtoField.uint8("shoe.kind", "kind", base.DEC, kinds),
    epoch = ProtoField.uint16("shoe.epoch", "epoch", base.DEC_HEX),
    sequence = ProtoField.uint16("shoe.sequence", "sequence", base.DEC),
    length = ProtoField.uint16("shoe.length", "length", base.DEC),
    crc = ProtoField.uint32("shoe.crc", "crc", base.HEX),
    text = ProtoField.string("shoe.text", "text"),
    damaged = ProtoField.bytes("shoe.damaged", "damaged"),
    cut = ProtoField.bytes("shoe.cut", "part of an item"),
    rest = ProtoField.bytes("shoe.rest", "of a newer version"),
    answer_in = ProtoField.framenum("shoe.answer_in", "answered in", base.NONE, frametype.RESPONSE),
    request_in = ProtoField.framenum("shoe.request_in", "request in", base.NONE, frametype.REQUEST),
    took = ProtoField.relative_time("shoe.took", "time from the request"),
}
local E = {
    damaged = ProtoExpert.new("shoe.expert.damaged", "No frame", expert.group.MALFORMED, expert.severity.ERROR),
    text = ProtoExpert.new("shoe.expert.text", "Text between frames", expert.group.PROTOCOL, expert.severity.NOTE),
    short = ProtoExpert.new("shoe.expert.short", "A field is missing", expert.group.MALFORMED, expert.severity.ERROR),
    refused = ProtoExpert.new("shoe.expert.refused", "Refused", expert.group.RESPONSE_CODE, expert.severity.WARN),
}

-- The table that names the values of a field, by `message.field` or by its own name.
local function named(which, place)
    return ENUMS[which[place] or which[place:match("[^.]+$")]]
end

local MAKERS = { u8 = ProtoField.uint8, u16 = ProtoField.uint16, u32 = ProtoField.uint32 }
local shown = {} -- by `message.field`, `record.name.field`

-- Make the field of Wireshark for a field of the protocol.
local function declare(prefix, owner, name, form)
    local key, place = prefix .. owner .. "." .. name, owner .. "." .. name
    local rest = form == "rest" and RESTS[place]
    if type(rest) == "table" then
        for _, item in ipairs(rest) do
            declare(prefix, place, item[1], item[2])
        end
    elseif not shown[key] then
        local abbreviation = "shoe." .. key
        if MAKERS[form] then
            shown[key] = MAKERS[form](abbreviation, name, base.DEC, named(NAMES, place))
        elseif rest == "text" then
            shown[key] = ProtoField.string(abbreviation, name)
        else
            shown[key] = ProtoField.bytes(abbreviation, name)
        end
    end
end

for _, row in pairs(MESSAGES) do
    for _, part in ipairs({ "request", "answer", "unasked" }) do
        for _, field in ipairs(row[part] or {}) do
            declare("", row.name, field[1], field[2])
        end
    end
end
for _, row in pairs(RECORDS) do
    for _, field in ipairs(row.fields) do
        declare("record.", row.name, field[1], field[2])
    end
end
for key, field in pairs(F) do
    shown["\0" .. key] = field
end
shoe.fields = shown
shoe.experts = E
local note_text = ProtoField.string("shoe_note.text", "note")
notes.fields = { note_text }

-- ---------------------------------------------------------------------------------------------------------- messages

-- The names of the bits that are set, with commas between them.
local function bit_names(names, value)
    local found = {}
    for bit = 0, 31 do
        if math.floor(value / 2 ^ bit) % 2 == 1 then
            found[#found + 1] = names[bit] or ("bit_" .. bit)
        end
    end
    return table.concat(found, ", ")
end

-- Show one field of a fixed size. Return its value, and how it is told in the column of the list.
local function show(tree, prefix, place, form, range)
    local field = shown[prefix .. place]
    if not SIZES[form] then
        local item = tree:add(field, range)
        if form == "b3" then
            item:append_text(string.format(" (%d.%d.%d)", range:raw():byte(1, 3)))
        end
        return nil, nil
    end
    local value = range:le_uint()
    local item = tree:add_le(field, range)
    local bits = named(BITS, place)
    local words = bits and value > 0 and bit_names(bits, value) or (named(NAMES, place) or {})[value]
    if bits and words then
        item:append_text(" (" .. words .. ")")
    end
    return value, place:match("[^.]+$") .. "=" .. (words or value)
end

-- Show the items of a list. They are counted from offset 0, so the first one may have begun before.
local function show_items(tree, prefix, place, layout, range, offset)
    local size = 0
    for _, field in ipairs(layout) do
        size = size + SIZES[field[2]]
    end
    local at = math.min(-offset % size, range:len())
    if at > 0 then
        tree:add(F.cut, range(0, at))
    end
    local number = 0
    while at < range:len() do
        if range:len() - at < size then
            tree:add(F.cut, range(at))
            return
        end
        local item = tree:add(shoe, range(at, size), place:match("[^.]+$") .. " [" .. number .. "]")
        for _, field in ipairs(layout) do
            local width = SIZES[field[2]]
            local _, told = show(item, prefix, place .. "." .. field[1], field[2], range(at, width))
            item:append_text(" " .. told)
            at = at + width
        end
        number = number + 1
    end
end

-- Text of a device in one line: control characters, and bytes that are no UTF-8, as escapes.
local function plain(raw)
    return (raw:gsub(is_utf8(raw) and "[\0-\31\127]" or "[\0-\31\127-\255]", function(one)
        return string.format("\\x%02x", one:byte())
    end))
end

local show_message, show_fields

-- Show what a closing `rest` holds, `range` or nothing: text, a record, a message, items, or bytes.
local function show_rest(tree, prefix, place, range, seen, context)
    local form, field, name = RESTS[place], shown[prefix .. place], place:match("[^.]+$")
    local carried = seen.request or context.carried
    if form == "record" and RECORDS[seen.kind] then
        local row = RECORDS[seen.kind]
        local title = "record " .. row.name
        local branch = range and tree:add(shoe, range, title) or tree:add(shoe, title)
        context.told = { "event " .. seen.record, row.name }
        show_fields(branch, "record.", row.name, row.fields, range, {}, context)
    elseif form == "message" and carried then
        context.carried = nil
        show_message(tree, carried, MESSAGES[carried], context.part, range, context)
    elseif form == "text" then
        if range then
            tree:add_packet_field(field, range, ENC_UTF_8)
        else
            tree:add(field, "")
        end
        context.told[#context.told + 1] = name .. "=" .. (range and plain(range:raw()) or "")
    elseif range and type(form) == "table" then
        show_items(tree, prefix, place, form, range, seen.offset or 0)
    elseif range then
        tree:add(field, range)
    end
end

-- Show the fields of a layout, as far as they go. `seen` collects values by name, `context.told` the list's column.
show_fields = function(tree, prefix, owner, layout, range, seen, context)
    local at = 0
    for _, field in ipairs(layout) do
        local name, form = field[1], field[2]
        local place = owner .. "." .. name
        local left = range and range:len() - at or 0
        if form == "rest" then
            show_rest(tree, prefix, place, left > 0 and range(at) or nil, seen, context)
            return
        end
        local size = SIZES[form] or tonumber(form:sub(2))
        if left < size then
            if left > 0 or not LATER[place] then
                local what = name .. (left > 0 and " is cut off" or " is missing")
                tree:add_proto_expert_info(E.short, what)
                context.told[#context.told + 1] = "[" .. what .. "]"
            end
            return
        end
        local value, told = show(tree, prefix, place, form, range(at, size))
        seen[name] = value
        context.told[#context.told + 1] = told
        at = at + size
    end
    if range and at < range:len() then
        tree:add(F.rest, range(at))
    end
end

-- Show a message: its name, its part, and its fields. `row` is that of its kind, if it is known.
show_message = function(tree, kind, row, part, range, context)
    local name = row and row[part] and row.name or ("message_" .. kind)
    local title = name .. (part == "answer" and " answered" or "")
    context.told[#context.told + 1] = title
    local branch = range and tree:add(shoe, range, title) or tree:add(shoe, title)
    branch:add(F.message, name):set_generated()
    branch:add(F.part, part):set_generated()
    if row and row[part] then
        local seen = {}
        show_fields(branch, "", name, row[part], range, seen, context)
        return seen, branch
    elseif range then
        branch:add(F.rest, range)
    end
    return {}, branch
end

-- ----------------------------------------------------------------------------------------- requests and their answers

local asked = {} -- by sequence, while packets are read for the first time: number and time of the request
local requests, answers = {}, {} -- by the number of a packet: what it answers, what answers it

function shoe.init()
    asked, requests, answers = {}, {}, {}
end

-- Remember what belongs together. `carried`: the message that a privileged request carries.
local function pair(pinfo, sequence, is_request, is_answer, carried)
    if pinfo.visited then
        return
    elseif is_request then
        asked[sequence] = { number = pinfo.number, time = pinfo.rel_ts, carried = carried }
    elseif is_answer and asked[sequence] then
        local one = asked[sequence]
        requests[pinfo.number] = { number = one.number, took = pinfo.rel_ts - one.time, carried = one.carried }
        answers[one.number] = answers[one.number] or pinfo.number
    end
end

-- -------------------------------------------------------------------------------------------------------- dissectors

local function show_frame(tvb, pinfo, tree, from_host)
    local header = tvb:len() - CRC_SIZE
    local version, kind, sequence = tvb(0, 1):uint(), tvb(1, 1):uint(), tvb(4, 2):le_uint()
    local major = math.floor(version / 16)
    tree:add(F.version, tvb(0, 1)):append_text(string.format(" (%d.%d)", major, version % 16))
    tree:add(F.kind, tvb(1, 1))
    tree:add_le(F.epoch, tvb(2, 2))
    tree:add_le(F.sequence, tvb(4, 2))
    tree:add_le(F.length, tvb(6, 2))

    local id = kind >= ANSWER and kind - ANSWER or kind
    local row = MESSAGES[id]
    if row and major ~= MAJOR and row.name ~= "identify" and row.name ~= "error" then
        row = nil -- of another major version all others may be another message
    end
    local part = kind >= ANSWER and "answer" or row and row.unasked and "unasked" or "request"
    local payload = header > HEADER_SIZE and tvb(HEADER_SIZE, header - HEADER_SIZE) or nil
    local carried = part == "request" and row and row.name == "privileged" and payload and payload(0, 1):uint() or nil
    pair(pinfo, sequence, part == "request", part == "answer" or (row and row.name == "error"), carried)

    local request = requests[pinfo.number]
    local context = { told = {}, part = part, carried = request and request.carried }
    local seen, branch = show_message(tree, id, row, part, payload, context)
    if row and row.name == "error" then
        branch:add_proto_expert_info(E.refused, "Refused: " .. tostring(ENUMS.error[seen.code] or seen.code))
    end
    tree:add_le(F.crc, tvb(header, CRC_SIZE))
    if request then
        tree:add(F.request_in, request.number):set_generated()
        local whole = math.floor(request.took)
        tree:add(F.took, NSTime.new(whole, math.floor((request.took - whole) * 1e9 + 0.5))):set_generated()
    elseif answers[pinfo.number] then
        tree:add(F.answer_in, answers[pinfo.number]):set_generated()
    end
    tree:append_text(", " .. context.told[1] .. ", sequence " .. sequence)
    pinfo.cols.info = table.concat(context.told, " ")
    if from_host == nil then
        return part == "request"
    end
    return from_host
end

function shoe.dissector(tvb, pinfo, tree)
    local raw = tvb():raw()
    local status, decoded = judge(raw)
    local branch = tree:add(shoe, tvb())
    pinfo.cols.protocol = "SHOE"
    branch:add(F.status, status):set_generated()
    local from_host
    if pinfo.p2p_dir == SENT or pinfo.p2p_dir == CAME then
        from_host = pinfo.p2p_dir == SENT
    end
    if status == "ok" then
        from_host = show_frame(ByteArray.new(decoded, true):tvb("Frame"), pinfo, branch, from_host)
    elseif status == "text" then
        branch:add_packet_field(F.text, tvb(), ENC_UTF_8)
        branch:add_proto_expert_info(E.text)
        pinfo.cols.info = "text: " .. plain(raw)
    else
        branch:add(F.damaged, tvb())
        branch:add_proto_expert_info(E.damaged, "No frame: " .. status)
        pinfo.cols.info = "damaged (" .. status .. "), " .. #raw .. " bytes"
    end
    if from_host ~= nil then
        pinfo.cols.src = from_host and "host" or "shoe"
        pinfo.cols.dst = from_host and "shoe" or "host"
    end
end

function notes.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "NOTE"
    pinfo.cols.info = plain(tvb():raw())
    tree:add(notes, tvb()):add_packet_field(note_text, tvb(), ENC_UTF_8)
end

local encapsulations = DissectorTable.get("wtap_encap")
encapsulations:add((wtap_encaps or wtap).USER0, shoe)
encapsulations:add((wtap_encaps or wtap).USER1, notes)

return { judge = judge }
