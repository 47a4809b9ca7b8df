"""Signed notes, verifier keys, checkpoints, cosignatures: published vectors, and what must be refused."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from log_entries import ORIGIN, made
from shoetool.model.errors import BadInput
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.note import (
    COSIGNATURE,
    COSIGNATURE_ML_DSA,
    NOTE,
    Note,
    Signature,
    SigningKey,
    VerifierKey,
    cosigned,
    from_base64,
    signed_by,
    time_of,
)
from shoetool.transparency.note_key import verifier_keys
from shoetool.transparency.proof import ConsistencyProof, InclusionProof, parse_proof
from shoetool.transparency.tree import Tree, leaf_hash

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "log"

# golang.org/x/mod, sumdb/note/note_test.go
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SEED = "YEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETER_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCH_LINE = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
)

# c2sp.org/signed-note, section Example
C2SP = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
C2SP_NOTE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)

# A checkpoint of Go's checksum database: transparency-dev/formats, log/note_test.go
SUMDB = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
SUMDB_NOTE = (
    "go.sum database tree\n6476701\nmb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=\n\n— sum.golang.org "
    "Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=\n"
)


def note(text: str) -> Note:
    return Note.parse(text.encode(), "it")


@pytest.mark.parametrize(("key", "text"), [(C2SP, C2SP_NOTE), (SUMDB, SUMDB_NOTE), (PETER, TEXT + "\n" + PETER_LINE)])
def test_published_notes_verify_and_no_changed_one_does(key: str, text: str) -> None:
    verifier = VerifierKey.parse(key)
    assert verifier.text == key
    assert signed_by(note(text), verifier) is not None and note(text).pack().decode() == text
    with pytest.raises(BadInput, match="does not verify"):
        signed_by(note(text[0].swapcase() + text[1:]), verifier)


def test_a_note_is_signed_as_go_signs_it() -> None:
    key = SigningKey("PeterNeumann", NOTE, from_base64("A" + PETER_SEED)[1:])
    assert key.verifier.text == PETER
    assert key.sign(TEXT).line == PETER_LINE


def test_each_known_signature_counts_and_unknown_ones_are_ignored() -> None:
    both = note(TEXT + "\n" + PETER_LINE + ENOCH_LINE)
    assert [signed_by(both, VerifierKey.parse(key)) is None for key in (PETER, ENOCH, C2SP)] == [False, False, True]
    twice = note(TEXT + "\n" + PETER_LINE + PETER_LINE + ENOCH_LINE)
    assert len(twice.signatures) == 2
    forged = note(TEXT + "\n" + PETER_LINE + PETER_LINE[:60] + "ABCD" + PETER_LINE[64:])
    with pytest.raises(BadInput, match="does not verify"):
        signed_by(forged, VerifierKey.parse(PETER))


@pytest.mark.parametrize(
    "text",
    [  # Go's list of malformed notes, and the limits
        TEXT,
        TEXT + "\n",
        TEXT + "\n" + PETER_LINE[:-1],
        "\x01" + TEXT + "\n" + PETER_LINE,
        TEXT + "\n— Bad Name x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6Ry=\n",
        TEXT + "\n" + PETER_LINE + "Unexpected line.\n",
        TEXT + "\n— PeterNeumann x08g\n",
        TEXT + "\n— PeterNeumann x08go/ZJ kuBS\n",
        TEXT + "\n— Peter+Neumann x08go/ZJkuBS\n",
        TEXT + "\n— \u3000 x08go/ZJkuBS\n",
        TEXT + "\n- PeterNeumann x08go/ZJkuBS\n",
        TEXT + "\n" + "".join(f"— k{n} x08go/ZJkuBS\n" for n in range(101)),
        "a" * (1 << 20) + "\n\n" + PETER_LINE,
        "",
    ],
)
def test_what_is_no_note_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput) as error:
        note(text)
    assert str(error.value).startswith("it: ") and "\n" not in str(error.value) and len(str(error.value)) < 200
    with pytest.raises(BadInput):
        Note.parse(b"\xff" + text.encode(), "it")


def test_sixteen_signatures_are_read_as_the_format_asks() -> None:
    assert len(note(TEXT + "\n" + "".join(f"— k{n} x08go/ZJkuBS\n" for n in range(100))).signatures) == 100


def test_every_mangled_verifier_key_is_refused() -> None:
    """As in Go's TestNewVerifier: every part of the text, and every letter changed."""
    parts = {PETER[begin:end] for begin in range(len(PETER)) for end in range(begin + 1, len(PETER) + 1)} - {PETER}
    changed = {PETER[:at] + chr(ord(one) + 1) + PETER[at + 1 :] for at, one in enumerate(PETER)}
    bad = ["PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=="]
    bad += ["PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]
    for text in [*parts, *changed, *bad]:
        with pytest.raises(BadInput):
            VerifierKey.parse(text)
    # a key whose base64 has a plus sign: transparency-dev/formats, note/note_cosigv1_test.go
    assert VerifierKey.parse("TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6").name == "TEST"


@pytest.mark.parametrize(
    ("name", "kind", "times"),
    [("arche2025h1", COSIGNATURE, [1779573024] * 4), ("coachandhorses2026h1", COSIGNATURE_ML_DSA, [1785704691])],
)
def test_cosignatures_of_witnesses_in_use_verify(name: str, kind: int, times: list[int]) -> None:
    """Checkpoints of two public logs as they were served, with the witnesses' published keys: Ed25519 and ML-DSA-44."""
    held = Note.parse((VECTORS / f"{name}.checkpoint").read_bytes(), name)
    keys = [key for key in verifier_keys(str(VECTORS / f"{name}.vkeys")) if key.witness]
    assert {key.kind for key in keys} == {kind}
    found = [signed_by(held, key) for key in keys]
    assert [None if one is None else time_of(one) for one in found] == times
    checkpoint = Checkpoint.parse(held.text, name)
    for changed in (
        replace(checkpoint, size=checkpoint.size - 1),
        replace(checkpoint, root=leaf_hash(b"")),
        replace(checkpoint, origin="another.example/log"),
    ):
        for key in keys:
            with pytest.raises(BadInput, match="does not verify"):
                signed_by(Note(changed.text, held.signatures), key)
    for key, one in zip(keys, found, strict=True):
        assert one is not None
        later = replace(one, value=(time_of(one) + 1).to_bytes(8) + one.value[8:])
        assert key.verifies(held.text, one) and not key.verifies(held.text, later)


def test_the_cosigned_message_is_that_of_the_specification() -> None:
    """The message of c2sp.org/tlog-cosignature, section Ed25519 signed message."""
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    wanted = b"cosignature/v1\ntime 1679315147\n" + text.encode()
    assert cosigned(COSIGNATURE, "witness.example.com/w1", text, 1679315147) == wanted
    assert Checkpoint.parse(text, "it").text == text
    key = SigningKey("lab.example/w1", COSIGNATURE, sha256(b"seed").digest())
    signature = key.cosign(text, 1679315147)
    assert key.verifier.verifies(text, signature) and time_of(signature) == 1679315147
    assert not key.verifier.verifies(text + "extended\n", signature), "extension lines are cosigned too"
    assert not replace(key, kind=NOTE).verifier.verifies(text, signature)


def test_a_cosignature_of_ml_dsa_needs_a_checkpoint_and_a_time() -> None:
    private = MLDSA44PrivateKey.from_seed_bytes(bytes(32))
    key = VerifierKey("w", COSIGNATURE_ML_DSA, private.public_key().public_bytes_raw())
    text = "log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"

    def by(time: int, text: str) -> Signature:
        message = cosigned(key.kind, key.name, text, time) or b""
        return Signature(key.name, key.key_id, time.to_bytes(8) + private.sign(message))

    assert key.verifies(text, by(5, text))
    assert not key.verifies(text, by(0, text)) and not key.verifies("no checkpoint\n", by(5, "no checkpoint\n"))
    assert not key.verifies(text, by(1 << 63, text))
    assert VerifierKey.parse(key.text) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log\n1\n",
        "log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n+1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n1 \n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n0x1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n\u0661\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n9223372036854775808\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n99999999999999999999\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=\n",
        "log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hS\n",
        "l" * 1025 + "\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="it: is no checkpoint"):
        Checkpoint.parse(text, "it")


def test_a_checkpoint_of_go_is_read() -> None:
    """golang.org/x/mod, sumdb/tlog/note_test.go: FormatTree."""
    text = "go.sum database tree\n123456789012\nTszzRgjTG6xce+z2AG31kAXYKBgQVtCSCE40HmuwBb0=\n"
    found = Checkpoint.parse(text, "it")
    assert (found.size, found.root) == (123456789012, leaf_hash(b"hello world")) and found.text == text
    assert Checkpoint.parse(text + "extension\n", "it").extension == ("extension",)


def test_a_request_and_a_proof_are_read_as_the_specifications_write_them() -> None:
    """The example bodies of c2sp.org/tlog-witness (add-checkpoint), and the form of c2sp.org/tlog-proof."""
    rest = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa "
        "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    )
    request = (
        "old 20852014\nPlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\njrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n"
        "5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\n" + rest
    )
    found = parse_proof(request.encode(), "it")
    assert isinstance(found, ConsistencyProof) and (found.old, len(found.hashes)) == (20852014, 4)
    assert found.pack().decode() == request
    hashes = "\n".join(b64encode(sha256(one).digest()).decode() for one in (b"hash1", b"hash2"))
    for extra in ("", "extra ZXh0cmEgaW5mb3JtYXRpb24=\n"):
        text = f"c2sp.org/tlog-proof@v1\n{extra}index 5\n{hashes}\n\n{rest}"
        proof = parse_proof(text.encode(), "it")
        assert isinstance(proof, InclusionProof) and (proof.index, len(proof.hashes)) == (5, 2)
        assert proof.entry == (b"extra information" if extra else None) and proof.pack().decode() == text
    for bad in (
        "index 0\n\n" + rest,
        "c2sp.org/tlog-proof@v1\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nindex -5\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nindex 05\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nextra !\nindex 0\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nindex 0\n!!notbase64!!\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nindex 0\n" + b64encode(bytes(64)).decode() + "\n\n" + rest,
        "c2sp.org/tlog-proof@v1\nindex 0\n" + f"{b64encode(bytes(32)).decode()}\n" * 64 + "\n" + rest,
        "old 1",
        "old 1\n\n" + rest[:-1],
        "old x\n\n" + rest,
    ):
        with pytest.raises(BadInput, match=r"^it: "):
            parse_proof(bad.encode(), "it")


def test_the_example_of_the_document_is_what_is_written() -> None:
    """LOG_FORMAT.md, with keys from fixed seeds: a checkpoint of five made entries, cosigned at a fixed time."""
    log = SigningKey(ORIGIN, NOTE, sha256(ORIGIN.encode()).digest())
    witness = SigningKey("lab/w1", COSIGNATURE, sha256(b"lab/w1").digest())
    tree = Tree([made(shoe).leaf for shoe in range(1, 6)])
    text = Checkpoint(ORIGIN, tree.size, tree.root()).text
    whole = Note(text, (log.sign(text), witness.cosign(text, 1795802400)))
    document = (VECTORS.parents[2] / "host_tools" / "LOG_FORMAT.md").read_text()
    assert f"```\n{whole.pack().decode()}```\n" in document
    assert f"```\n{log.verifier.text}\n{witness.verifier.text}\n```\n" in document


@given(
    st.binary(max_size=300),
    st.sampled_from([C2SP_NOTE, SUMDB_NOTE, "c2sp.org/tlog-proof@v1\nindex 0\n\n" + SUMDB_NOTE]),
)
def test_any_bytes_are_read_or_refused(noise: bytes, base: str) -> None:
    for data in (noise, base.encode() + noise, noise + base.encode(), base.encode()[: len(noise)] + noise):
        for parse in (Note.parse, parse_proof):
            try:
                assert parse(data, "it").pack()
            except BadInput as error:
                assert "\n" not in str(error)
        with suppress(BadInput):
            VerifierKey.parse(data.decode("latin-1"))
