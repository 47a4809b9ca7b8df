"""The hidden value of a mystery bonus: a commitment that binds, and a draw that anybody can repeat."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from shoetool.model.errors import BadInput
from shoetool.trust.hidden_value import Opening, draw

ENTROPY = bytes(range(32))


def test_a_commitment_is_the_hash_of_nonce_and_cents_as_the_document_says() -> None:
    nonce = bytes.fromhex("00112233445566778899aabbccddeeff" * 2)
    # 15,000 cents are 98 3A 00 00 00 00 00 00; the digest is that of sha256sum over these 40 bytes.
    digest = "875a082ed7cfb8c772d383c3493bfce638ea822b79fa85a6d76d42a0be4d8318"
    assert Opening(150_00, nonce).commitment().hex() == digest


def test_another_value_or_nonce_does_not_open_it() -> None:
    opening = Opening(150_00, ENTROPY)
    made = opening.commitment()
    assert opening.opens(made)
    assert not Opening(150_01, ENTROPY).opens(made)
    for at in range(32):
        changed = bytearray(ENTROPY)
        changed[at] ^= 1
        assert not Opening(150_00, bytes(changed)).opens(made)


def test_a_draw_is_repeated_from_its_entropy_and_tells_nothing_of_it() -> None:
    first = draw(100_00, 200_00, ENTROPY)
    assert first == draw(100_00, 200_00, ENTROPY)
    assert first.nonce == hashlib.sha256(b"mystery nonce" + ENTROPY).digest()
    assert draw(100_00, 200_00, bytes(32)).nonce != first.nonce


def test_every_cent_of_the_range_is_drawn_both_ends_included() -> None:
    """6,000 draws of six values: each is within five standard errors (29 for a sixth) of 1,000."""
    seen = Counter(draw(10, 15, hashlib.sha256(bytes([at % 256, at // 256])).digest()).value for at in range(6000))
    assert set(seen) == set(range(10, 16))
    assert all(abs(times - 1000) < 5 * 29 for times in seen.values())
    assert draw(7, 7, ENTROPY).value == 7


def test_a_draw_that_would_favour_some_values_is_made_again() -> None:
    """With one value more than half of all draws, about half of the first draws are passed over."""
    again = 0
    for at in range(64):
        entropy = hashlib.sha256(bytes([at])).digest()
        drawn = [
            int.from_bytes(
                hashlib.sha256(b"mystery value" + entropy + number.to_bytes(4, "little")).digest()[:8], "little"
            )
            for number in range(20)
        ]
        again += drawn[0] > 2**63
        assert draw(0, 2**63, entropy).value == next(value for value in drawn if value <= 2**63)
    assert 0 < again < 64


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: draw(1, 2, b"short"), "entropy has 32 bytes, not 5"),
        (lambda: draw(2, 1, ENTROPY), "no value between 2 and 1 cents"),
        (lambda: Opening(1, b"short").commitment(), "a nonce has 32 bytes, not 5"),
        (lambda: Opening(-1, ENTROPY).commitment(), "no value of a mystery bonus"),
        (lambda: Opening(2**64, ENTROPY).commitment(), "no value of a mystery bonus"),
    ],
)
def test_what_is_no_value_nonce_or_entropy_is_refused(make: object, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        make()  # type: ignore[operator]
