"""What the host's codec promises: which errors it finds for certain, what text is, how much it keeps."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoetool.model.protocol_table import MAX_COVERED, MESSAGES, Error, MessageKind, Setting
from shoetool.wire.answers import Identity, Status, pack_pairs, unpack_edges, unpack_pairs, unpack_shoes
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import MAX_BODY, MAX_PAYLOAD, BadFrame, Frame, FrameStatus, StrayText, crc32, encode_frame
from shoetool.wire.messages import MessageError, error_text, pack_request, request_words, unpack

SHORT = encode_frame(12, 0x1203, 0x0300, b"\x0c\x00\x03\xff\x00\x00\x10\x7f")


def frames_of(line: bytes) -> list[Frame]:
    return [item for item in FrameDecoder().feed(line) if isinstance(item, Frame)]


# ------------------------------------------------------------------------------------------- errors found for certain


def syndromes(size: int) -> np.ndarray:
    """CRC-32 difference that one wrong bit makes, for every bit of `size` covered bytes and of the CRC behind them."""
    zeros = bytes(size)
    base = crc32(zeros)
    out = []
    for bit in range(8 * size):
        wrong = bytearray(zeros)
        wrong[bit >> 3] ^= 1 << (bit & 7)
        out.append(crc32(bytes(wrong)) ^ base)
    # A wrong bit of the CRC itself.
    return np.array(out + [1 << bit for bit in range(32)], dtype=np.uint64)


def test_hamming_distance_five_up_to_the_longest_frame() -> None:
    """Every pattern of one to four wrong bits under the CRC is found: no two single-bit differences, no two pairs,
    and no pair and a single one, cancel each other. One byte more and this is no longer so."""
    assert MAX_COVERED == 371
    for size, holds in ((MAX_COVERED, True), (MAX_COVERED + 1, False)):
        single = syndromes(size)
        assert len(np.unique(single)) == len(single) and single.min() > 0
        i, j = np.triu_indices(len(single), 1)
        pairs = np.sort(single[i] ^ single[j])
        assert not (pairs[np.searchsorted(pairs, single).clip(max=len(pairs) - 1)] == single).any()
        assert bool((pairs[1:] != pairs[:-1]).all()) is holds


@pytest.mark.parametrize("size", [8, 60, MAX_COVERED])
def test_every_burst_up_to_32_bits_is_found(size: int) -> None:
    """The CRC is linear, so all 2^32 patterns inside a window of 32 bits are found if and only if the 32 single-bit
    differences are independent: checked for every window by elimination."""
    values = [int(value) for value in syndromes(size)]
    # Bits of a byte go least significant first through this CRC, so neighbours in time are neighbours here.
    for start in range(len(values) - 31):
        basis: dict[int, int] = {}
        for value in values[start : start + 32]:
            while value and (top := value.bit_length()) in basis:
                value ^= basis[top]
            assert value, f"bits {start} to {start + 31} of {size} bytes"
            basis[value.bit_length()] = value


def test_every_one_and_two_bit_error_on_the_line_is_found() -> None:
    """On the coded bytes, delimiters too: the damaged frame never comes out, and the next one always does."""
    follower = encode_frame(64, 1, 1, b"next")
    wanted = frames_of(follower)
    bits = 8 * len(SHORT)
    value = int.from_bytes(SHORT, "little")
    for i in range(bits):
        for j in range(i, bits):
            wrong = value ^ 1 << i ^ (1 << j if j != i else 0)
            assert frames_of(wrong.to_bytes(len(SHORT), "little") + follower) == wanted


def test_bursts_on_the_line_are_found() -> None:
    """All bursts up to 10 bits, and a seeded sample of those up to 32 bits, anywhere on the line."""
    bits = 8 * len(SHORT)
    value = int.from_bytes(SHORT, "little")
    for width in range(3, 11):
        for inner in range(1 << (width - 2)):
            pattern = 1 | inner << 1 | 1 << (width - 1)
            for start in range(0, bits - width, 5):
                assert not frames_of((value ^ pattern << start).to_bytes(len(SHORT), "little"))
    rng = random.Random(1)
    for _ in range(20_000):
        width = rng.randint(11, 32)
        pattern = rng.getrandbits(width) | 1 | 1 << (width - 1)
        start = rng.randrange(bits - width)
        assert not frames_of((value ^ pattern << start).to_bytes(len(SHORT), "little"))


def test_the_crc_is_the_common_one() -> None:
    assert crc32(b"123456789") == 0xCBF43926 == zlib.crc32(b"123456789")


# --------------------------------------------------------------------------------------------------------- the decoder


def test_text_of_any_length_comes_out_as_text_and_leaves_the_frames_alone() -> None:
    text = b"".join(b"line %d of a long traceback\r\n" % n for n in range(200))
    items = FrameDecoder().feed(SHORT + text + SHORT)
    assert [type(item) for item in items if not isinstance(item, StrayText)] == [Frame, Frame]
    assert b"".join(item.raw for item in items if isinstance(item, StrayText)) == text


def test_long_text_that_trickles_in_is_not_kept_back_for_ever() -> None:
    decoder = FrameDecoder()
    items = []
    for _ in range(100):
        items += decoder.feed(b"a prompt without any zero >>> ")
        assert len(decoder._buffer) <= MAX_BODY
    assert sum(len(item.raw) for item in items if isinstance(item, StrayText)) > 2600


def test_text_inside_a_damaged_frame_can_be_seen() -> None:
    line = SHORT[:8] + b"hello world\n" + SHORT[8:]
    (item,) = FrameDecoder().feed(line)
    assert isinstance(item, BadFrame)
    assert any("hello world" in text for text in item.texts)


def test_endless_noise_takes_no_memory() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        decoder.feed(b"\xfe" * 1000)
    assert len(decoder._buffer) <= MAX_BODY
    assert decoder.damaged == 1
    assert frames_of(b"\xfe" * 5000 + SHORT)


def test_flush_hands_out_what_waits() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b">>> ") == []
    assert decoder.flush() == [StrayText(">>> ", b">>> ")]
    decoder.feed(SHORT[:-3])
    (item,) = decoder.flush()
    assert isinstance(item, BadFrame) and item.status is FrameStatus.TRUNCATED
    assert decoder.flush() == []


def test_a_payload_that_does_not_fit_is_refused() -> None:
    assert len(frames_of(encode_frame(64, 1, 1, bytes(MAX_PAYLOAD)))) == 1
    with pytest.raises(ValueError, match="364"):
        encode_frame(64, 1, 1, bytes(MAX_PAYLOAD + 1))


# ------------------------------------------------------------------------------------------------------------ messages


@given(st.sampled_from(sorted(k for k, row in MESSAGES.items() if "request" in row)), st.data())
def test_every_request_comes_back_from_its_payload(kind: int, data: st.DataObject) -> None:
    top = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}
    values = {
        name: data.draw(
            st.integers(0, top[type_])
            if type_ in top
            else st.binary(max_size=50)
            if type_ == "rest"
            else st.binary(min_size=int(type_[1:]), max_size=int(type_[1:]))
        )
        for name, type_ in MESSAGES[kind]["request"]
    }
    assert unpack(kind, "request", pack_request(kind, **values)) == values


def test_trailing_bytes_of_a_newer_minor_version_are_left_out() -> None:
    assert unpack(MessageKind.KEY, "answer", b"\1\2newer") == {"accepted": 1, "phase": 2}
    with pytest.raises(MessageError, match="key: the answer needs 2 bytes and has 1"):
        unpack(MessageKind.KEY, "answer", b"\1")


def test_typed_answers() -> None:
    identity = Identity.unpack(bytes((1, 0)) + b"ABCDEFGH" + bytes((1, 2, 3, 4, 0, 5, 0)) + b"virtual")
    assert identity == Identity(1, 0, b"ABCDEFGH", (1, 2, 3), 4, 5, "virtual")
    assert identity.firmware_text == "1.2.3"
    status = Status.unpack(bytes((5, 2)) + bytes(30))
    assert status.phase_name == "players" and status.fault_name == "double_feed"
    assert Status.unpack(bytes((99, 99)) + bytes(30)).phase_name == "phase 99"
    assert unpack_pairs(pack_pairs({3: 8, 1: 0xFFFFFFFF}) + b"x") == {1: 0xFFFFFFFF, 3: 8}
    assert unpack_shoes(bytes(20) + bytes(3))[0].closed is False


def test_long_steps_of_a_trace_add_up() -> None:
    data = b"\x0a\0\x01" + b"\xff\xff\x01" * 2 + b"\x05\0\x03" + b"\xff"
    assert unpack_edges(data) == [(10, 1), (2 * 65535 + 5, 3)]


def test_a_refusal_reads_as_one_line() -> None:
    assert error_text(MessageKind.CONFIG_WRITE, Error.BAD_VALUE, Setting.DECKS) == (
        "the shoe refused the settings: decks is out of range or does not fit the other settings"
    )
    assert "(it holds no such page)" in error_text(MessageKind.HISTORY_READ, Error.NO_SUCH_PAGE, 9)
    assert "error 200" in error_text(99, 200, 0) and "message 99" in error_text(99, 200, 0)
    for code in Error:
        assert "\n" not in error_text(MessageKind.STATUS, code, 0)


def test_a_refusal_names_no_message_of_the_protocol() -> None:
    assert error_text(MessageKind.KEY_OFFER, Error.BUSY, 0) == (
        "the shoe refused the new command key (it is busy; try again)"
    )
    asked = [kind for kind, row in MESSAGES.items() if "request" in row]
    assert len({request_words(kind) for kind in asked}) == len(asked)
    for kind in asked:
        assert "_" not in error_text(kind, Error.BUSY, 0) and request_words(kind) != MESSAGES[kind]["name"]
