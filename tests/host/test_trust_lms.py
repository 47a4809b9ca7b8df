"""LMS on the host: our verification and pyhsslms agree on what the RFC gives, what was signed and what was changed."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoetool.model.errors import BadInput
from shoetool.trust import lms
from shoetool.trust.keys import PublicKey
from signed_histories import Key, key

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "rfc8554.json"


def levels(case: dict[str, Any]) -> list[tuple[bytes, bytes, bytes]]:
    """(public key, message, signature) of each LMS signature in an HSS signature of the RFC."""
    public, rest = bytes.fromhex(case["public"])[4:], bytes.fromhex(case["signature"])[4:]
    out = []
    while rest:
        size = lms.signature_size(public)
        assert size is not None
        signature, rest = rest[:size], rest[size:]
        message = rest[:56] if rest else bytes.fromhex(case["message"])
        out.append((public, message, signature))
        public, rest = message, rest[56:]
    return out


ALL = [level for case in json.loads(VECTORS.read_text())["cases"] for level in levels(case)]


@pytest.mark.parametrize("level", range(len(ALL)))
def test_the_vectors_of_rfc_8554_verify_twice(level: int) -> None:
    public, message, signature = ALL[level]
    assert lms.verify_own(public, message, signature) and lms.verify_library(public, message, signature)
    assert lms.key_of(public[8:24], message, signature) == public


def test_there_are_two_test_cases_of_two_levels_each() -> None:
    assert len(ALL) == 4
    assert {struct.unpack(">II", public[:8]) for public, _, _ in ALL} == {(5, 4), (6, 3)}


@given(st.data())
def test_both_verifications_agree_on_mutated_signatures_messages_and_keys(data: st.DataObject) -> None:
    signer = key("mutations")
    index = data.draw(st.integers(0, 31), "index")
    message = data.draw(st.binary(max_size=40), "message")
    public, signature = signer.public, signer.sign(message, index)
    assert lms.verify(public, message, signature)
    what = data.draw(st.sampled_from(("bit", "bytes", "length", "types", "index", "message", "key")), "what")
    changed = bytearray(signature)
    if what == "bit":
        at = data.draw(st.integers(0, 8 * len(signature) - 1))
        changed[at // 8] ^= 1 << at % 8
    elif what == "bytes":
        at = data.draw(st.integers(0, len(signature) - 1))
        piece = data.draw(st.binary(min_size=1, max_size=64))
        changed[at : at + len(piece)] = piece[: len(signature) - at]
    elif what == "length":
        cut = data.draw(st.integers(-70, 70).filter(bool))
        changed = changed[:cut] if cut < 0 else changed + bytes(cut)
    elif what == "types":
        place = data.draw(st.sampled_from((4, 8 + 32 * 68)))
        changed[place : place + 4] = struct.pack(">I", data.draw(st.integers(0, 20)))
    elif what == "index":
        changed[:4] = struct.pack(">I", data.draw(st.sampled_from((31, 32, 33, 63, 1 << 31, (1 << 32) - 1))))
    elif what == "message":
        message += b"x"
    else:
        spoiled = bytearray(public)
        spoiled[data.draw(st.integers(0, 55))] ^= 1 << data.draw(st.integers(0, 7))
        public = bytes(spoiled)
    same = bytes(changed) == signature and what not in ("message", "key")
    assert lms.verify(public, message, bytes(changed)) == same


@pytest.mark.parametrize("public", [b"", bytes(56), bytes(60), b"\0\0\0\5\0\0\0\11" + bytes(48)])
def test_what_is_no_key_verifies_nothing_and_is_refused(public: bytes) -> None:
    assert not lms.verify(public, b"m", key().sign(b"m", 1))
    with pytest.raises(BadInput):
        PublicKey(public)


def test_verifiers_that_disagree_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = key().sign(b"m", 2)
    monkeypatch.setattr(lms, "verify_library", lambda *words: False)
    with pytest.raises(lms.VerifiersDisagree):
        lms.verify(key().public, b"m", signature)


def test_a_fingerprint_is_eight_groups_and_differs_for_another_key() -> None:
    first, second = PublicKey(key().public), PublicKey(Key("another").public)
    assert len(first.fingerprint.split()) == 8 and all(len(group) == 4 for group in first.fingerprint.split())
    assert first.fingerprint != second.fingerprint and first.height == 5
    assert PublicKey.from_hex(first.raw.hex()) == first
