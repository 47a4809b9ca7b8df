"""Witnesses: what one cosigns and what not, by files and over HTTP; and an exchange of another implementation."""

from __future__ import annotations

import shutil
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from log_commands import Casino, document, one_line, run
from log_entries import ORIGIN, log_of, made
from log_witness_server import answer, served
from shoetool.cli import log_options
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import Kind
from shoetool.model.output_file import write_state
from shoetool.transparency.checked import CLOCK_TOLERANCE_S
from shoetool.transparency.keeper import Keeper, alone
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import COSIGNATURE, NOTE, Note, SigningKey, VerifierKey, signed_by, time_of
from shoetool.transparency.note_key import read_key
from shoetool.transparency.proof import ConsistencyProof
from shoetool.transparency.witness import Witness

NOW = 1_795_802_400


def small(number: int) -> str:
    """A hash of the exchange: 2a, a number, zeros."""
    return b64encode(bytes((0x2A, number, *bytes(30)))).decode()


# FiloSottile/torchwood, cmd/litewitness/testdata/litewitness.txt: requests to a witness, and its status codes. That one
# answered 403 for a log that it does not know; the specification now asks for 404.
TREE = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
PUBLIC = bytes.fromhex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f")
SEED = bytes.fromhex("31ffc2116ecbe003acaa800ab70757bd7d53206e3febef6a6d0796d95530b34f")
ONE = (1, small(0), "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=")
THREE = (
    3, "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
    "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=",
)  # fmt: skip
FORGED = (*THREE[:2], THREE[2].replace("6go=", "6gx="))
FIVE = (
    5, "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=",
    "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=",
)  # fmt: skip
EXCHANGE: list[tuple[int, list[str], tuple[int, str, str], str, int, str]] = [
    (0, [], ONE, TREE, 200, ""),
    (1, [small(1), small(2)], FORGED, TREE, 403, ""),
    (1, [small(1), small(2)], THREE, TREE[:-1] + "3", 404, ""),
    (1, [], THREE, TREE, 422, ""),
    (1, [small(1), small(2).replace("AAAA=", "AABA=")], THREE, TREE, 422, ""),
    (1, [small(1), small(2)], THREE, TREE, 200, ""),
    (1, [small(1), "+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=", small(4)], FIVE, TREE, 409, "3\n"),
    (3, [small(2), small(3), "wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE=", small(4)], FIVE, TREE, 200, ""),
    (0, [], FIVE, TREE, 409, "5\n"),
]


def test_an_exchange_of_another_implementation_ends_in_the_same_answers(tmp_path: Path) -> None:
    key = SigningKey("example.com/witness", COSIGNATURE, SEED)
    witness = Witness(key, tmp_path, [VerifierKey(TREE, NOTE, PUBLIC)])
    for old, hashes, (size, root, signature), origin, status, wanted in EXCHANGE:
        lines = "".join(f"{one}\n" for one in hashes)
        body = f"old {old}\n{lines}\n{origin}\n{size}\n{root}\n\n\u2014 {origin} {signature}\n"
        found, kind, said = answer(witness, body.encode(), NOW)
        if signature == FORGED[2]:  # its base64 is no longer that of any bytes
            status = 400
        assert found == status, (old, size, said)
        if status == 200:
            note = Note.parse(f"{origin}\n{size}\n{root}\n\n".encode() + said, "it")
            cosignature = signed_by(note, key.verifier)
            assert cosignature is not None and time_of(cosignature) == NOW
        if status == 409:
            assert (kind, said.decode()) == ("text/x.tlog.size", wanted)
    last = witness.last(TREE)
    assert last is not None and last.root.hex() == "42bb57ad06420afa4882c4a63ac6a1ec77480b330b2f20dfc53a0caa5f564e36"


class Made:
    """A log of made entries, and a witness for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log, self.key_file = log_of(folder, range(1, 4))
        self.vkey = read_key(self.key_file, NOTE).verifier
        self.key = SigningKey("lab.example/w1", COSIGNATURE, sha256(b"w1").digest())
        self.witness = Witness(self.key, folder / "seen", [self.vkey])

    def request(self, old: int) -> ConsistencyProof:
        held = LogFolder(self.log)
        for _ in held.load():
            pass
        return ConsistencyProof(old, tuple(held.tree.consistency(old)), held.note)

    def append(self, *shoes: int) -> None:
        Keeper(self.log, self.key_file).append([made(shoe) for shoe in shoes])


@pytest.fixture
def lab(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_what_was_cosigned_is_remembered_where_monitors_look_for_it(lab: Made) -> None:
    cosignature = lab.witness.add(lab.request(0), NOW, "it")
    path = lab.folder / "seen" / sha256(ORIGIN.encode()).hexdigest() / "checkpoint"
    note = Note.parse(path.read_bytes(), "it")
    assert signed_by(note, lab.key.verifier) == cosignature and signed_by(note, lab.vkey) is not None
    again = lab.witness.add(lab.request(3), NOW + 5, "it")
    assert time_of(again) == NOW + 5, "the same checkpoint is cosigned anew: it is still the newest"


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        ("rolled back", "has 2 entries, and had 3 before"),
        ("another entry", "two checkpoints of 3 entries"),
        ("grown from another", "not shown to have grown"),
    ],
)
def test_a_log_that_was_changed_is_not_cosigned(attack: str, words: str, lab: Made, tmp_path: Path) -> None:
    lab.witness.add(lab.request(0), NOW, "it")
    before = lab.witness.last(ORIGIN)
    shutil.rmtree(lab.log)
    shoes = {"rolled back": (1, 2), "another entry": (1, 2, 4), "grown from another": (1, 2, 4, 5)}[attack]
    other, other_key = log_of(tmp_path / "forger", range(0))
    shutil.copy(lab.key_file, other_key)
    own = read_key(other_key, NOTE)
    empty = replace(LogFolder(other).checkpoint)
    note = Note(empty.text, (own.sign(empty.text),))
    for path in (other / "checkpoint", other.with_name("log.logkey.signed")):
        path.write_bytes(note.pack())
    lab.log, lab.key_file = other, other_key
    lab.append(*shoes)
    with pytest.raises(Exception, match=words) as error:
        lab.witness.add(lab.request(min(3, len(shoes))), NOW, "it")
    assert getattr(error.value, "exit_code", None) == 1 and lab.witness.last(ORIGIN) == before


def test_two_requests_at_once_never_take_a_witness_back(lab: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """The race of the specification: between the check of a request and its being kept, another one is not answered."""
    smaller = lab.request(0)
    lab.append(4, 5)
    larger = lab.request(0)
    said: list[str] = []
    other = Witness(lab.key, lab.folder / "seen", [lab.vkey])

    def between(path: Path, content: bytes, kind: Kind) -> None:
        monkeypatch.undo()
        with pytest.raises(BadInput) as error:
            other.add(larger, NOW, "it")
        said.append(str(error.value))
        write_state(path, content, kind)

    monkeypatch.setattr("shoetool.transparency.witness.write_state", between)
    lab.witness.add(smaller, NOW, "it")
    assert len(said) == 1 and "another shoetool is writing to the memory of this witness" in said[0]
    with pytest.raises(BadInput, match="3 were cosigned last"):
        other.add(larger, NOW, "it")
    assert other.add(lab.request(3), NOW, "it") and lab.witness.last(ORIGIN) == other.last(ORIGIN)


def test_a_witness_whose_memory_was_changed_cosigns_nothing(lab: Made) -> None:
    lab.witness.add(lab.request(0), NOW, "it")
    path = lab.folder / "seen" / sha256(ORIGIN.encode()).hexdigest() / "checkpoint"
    lab.append(4)
    note = Note.parse(path.read_bytes(), "it")
    for content in (
        path.read_bytes().replace(b"\n3\n", b"\n1\n"),
        replace(note, signatures=note.signatures[:1]).pack(),
    ):
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"does not verify|memory was changed"):
            lab.witness.add(lab.request(3), NOW, "it")


# ------------------------------------------------------------------------------------------------------ by commands


@pytest.fixture
def casino(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Casino:
    monkeypatch.setattr(log_options, "now", lambda: NOW)
    monkeypatch.setattr("shoetool.cli.log_witness.now", lambda: NOW)
    monkeypatch.setattr("shoetool.cli.log_check.now", lambda: NOW)
    casino = Casino(tmp_path, 4)
    casino.append(*casino.files[:2])
    return casino


def witness_key(casino: Casino, name: str) -> str:
    result = run("witness", "--new", f"lab.example/{name}", "--key", casino.folder / name)
    assert result.exit_code == 0 and (casino.folder / name).stat().st_mode & 0o777 == 0o600
    (casino.folder / f"{name}.vkey").write_text(f"# witness {name}\n{result.output}")
    return str(casino.folder / f"{name}.vkey")


def test_a_log_is_cosigned_by_files_and_checked(casino: Casino) -> None:
    one, two = witness_key(casino, "w1"), witness_key(casino, "w2")
    answers = casino.folder / "answer"
    result = run("witness", casino.log, "--key", casino.folder / "w1", "--vkey", casino.vkey)
    assert result.exit_code == 0 and result.output.startswith("\u2014 lab.example/w1 ")
    answers.write_text(result.output)
    assert run("cosign", casino.log, answers, "--witness", one).exit_code == 0
    both = ("--witness", one, "--witness", two)
    assert casino.findings("--witness", one) == []
    assert casino.findings(*both) == [("not witnessed", None)]
    assert casino.findings(*both, "--quorum", "1") == []
    assert "cosigned it at 2026-11-27T18:00:00Z" in casino.check(*both, "--quorum", "1").stdout
    found = document("check", casino.log, *both, code=1)
    assert [(one["name"], one["time"]) for one in found["witnesses"]] == [
        ("lab.example/w1", "2026-11-27T18:00:00Z"),
        ("lab.example/w2", None),
    ]
    assert casino.check(*both, "--quorum", "3").exit_code == 2
    casino.append(casino.files[2])
    assert casino.findings("--witness", one) == [("not witnessed", None)], "each checkpoint is cosigned anew"
    stale = run("cosign", casino.log, answers, "--witness", one)
    assert stale.exit_code == 2 and "does not verify" in one_line(stale)


def test_a_request_in_a_file_is_cosigned_as_a_log_in_a_folder_is(casino: Casino) -> None:
    one = witness_key(casino, "w1")
    request = casino.folder / "request"
    keys = ("--key", casino.folder / "w1", "--vkey", casino.vkey)
    backup = Path(shutil.copytree(casino.log, casino.folder / "backup"))
    for old in (0, 2):
        assert run("prove", casino.log, "--old", str(old), "--out", request).exit_code == 0
        result = run("witness", request, *keys)
        assert result.exit_code == 0
        casino.append(*casino.files)
    late = run("witness", request, *keys)
    assert late.exit_code == 2 and "2 entries, and 4 were cosigned last" in one_line(late)
    put_back = run("witness", backup, *keys)
    assert put_back.exit_code == 1 and "rolled back" in one_line(put_back) and "had 4 before" in put_back.stderr
    again = run("witness", casino.log, *keys)
    assert again.exit_code == 0 and VerifierKey.parse(Path(one).read_text().split("\n")[1]).witness
    run("prove", casino.log, "--old", "1", "--out", request)
    result = run("witness", request, *keys)
    assert result.exit_code == 2 and "shoetool log prove --old 4" in one_line(result)
    proof = casino.folder / "p"
    assert run("prove", casino.log, casino.files[0], "--keys", casino.pins, "--out", proof).exit_code == 0
    assert "is a proof about one shoe" in one_line(run("witness", proof, *keys))
    other = witness_key(casino, "w2")
    result = run("witness", casino.log, "--key", casino.folder / "w2", "--vkey", other)
    assert result.exit_code == 2 and "not that of a witness" in one_line(result)


def test_a_witness_is_asked_over_http_and_says_where_it_stands(casino: Casino) -> None:
    vkey = witness_key(casino, "w1")
    key = read_key(casino.folder / "w1", COSIGNATURE)
    witness = Witness(key, casino.folder / "seen", [VerifierKey.parse(casino.vkey)])
    with served(witness, NOW) as server:
        ask = ("cosign", casino.log, "--url", server.url, "--witness", vkey)
        assert [one["name"] for one in document(*ask)["witnesses"]] == ["lab.example/w1"]
        assert len(server.asked) == 1 and casino.findings("--witness", vkey) == []
        casino.append(*casino.files)
        assert run(*ask).exit_code == 0 and casino.findings("--witness", vkey) == []
        assert [body.split(b"\n")[0] for body in server.asked] == [b"old 0", b"old 0", b"old 2"]
        for fixed, code, words in (
            ((404, "text/plain", b""), 3, "does not know this log"),
            ((403, "text/plain", b""), 3, "does not trust the key"),
            ((422, "text/plain", b""), 3, "saw another log by this name"),
            ((500, "text/plain", b"oops\x1b[31m"), 3, r"oops\x1b[31m"),
            ((301, "text/plain", b""), 3, "refused with 301"),
            ((409, "text/plain", b"5\n"), 3, "and not where"),
            ((409, "text/x.tlog.size", b"9\n"), 2, "was put back to an older state"),
            ((409, "text/x.tlog.size", b"4\n"), 3, "refused with 409"),
            ((200, "text/plain", b"hello\n"), 2, "is no signed note"),
            ((200, "text/plain", b""), 2, "is no signed note"),
        ):
            server.fixed = fixed
            before = (casino.log / "checkpoint").read_bytes()
            result = run(*ask)
            assert result.exit_code == code and words in one_line(result), result.stderr
            assert (casino.log / "checkpoint").read_bytes() == before
    result = run(*ask)
    assert result.exit_code == 3 and "does not answer" in one_line(result)
    assert run("cosign", casino.log, "--url", "file:///etc/passwd", "--witness", vkey).exit_code == 2


def test_a_cosignature_of_nobody_named_is_not_taken(casino: Casino) -> None:
    witness_key(casino, "w1")
    two = witness_key(casino, "w2")
    answer_file = casino.folder / "answer"
    result = run("witness", casino.log, "--key", casino.folder / "w1", "--vkey", casino.vkey)
    answer_file.write_text(result.output)
    result = run("cosign", casino.log, answer_file, "--witness", two)
    assert result.exit_code == 2 and "by a witness that is named" in one_line(result)
    result = run("cosign", casino.log, answer_file, "--witness", casino.vkey)
    assert result.exit_code == 2 and "type 4 or 6" in one_line(result)
    key = read_key(casino.folder / "w1", COSIGNATURE)
    alias = replace(key, name="another.example/w").verifier.text
    both = ("--witness", str(casino.folder / "w1.vkey"), "--witness", alias)
    assert "they are one witness" in one_line(casino.check(*both))
    with alone(casino.log):
        one = casino.folder / "w1.vkey"
        assert "another shoetool is writing" in one_line(run("cosign", casino.log, answer_file, "--witness", one))


@pytest.mark.parametrize("moved", [0, CLOCK_TOLERANCE_S + 1, -NOW])
def test_a_cosignature_that_will_not_count_is_told_when_it_is_added(
    casino: Casino, moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoetool.cli.log_cosign.now", lambda: NOW)
    monkeypatch.setattr("shoetool.cli.log_witness.now", lambda: NOW + moved)
    one = witness_key(casino, "w1")
    result = run("witness", casino.log, "--key", casino.folder / "w1", "--vkey", casino.vkey)
    (casino.folder / "answer").write_text(result.stdout)
    told = run("cosign", casino.log, casino.folder / "answer", "--witness", one)
    assert told.exit_code == 0 and ("will not count" in told.stderr) == bool(moved)


@pytest.mark.parametrize(
    ("moved", "counts", "why"),
    [
        (-NOW, False, "names no time"),
        (-NOW + 1, True, ""),
        (0, True, ""),
        (CLOCK_TOLERANCE_S, True, ""),
        (CLOCK_TOLERANCE_S + 1, False, "which is in the future here"),
        (86_400, False, "which is in the future here"),
        ((1 << 63) - 1 - NOW, False, "which is in the future here"),
    ],
)
def test_a_cosignature_counts_only_with_a_time_that_can_be(
    casino: Casino, moved: int, counts: bool, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoetool.cli.log_check.now", lambda: NOW)
    one = witness_key(casino, "w1")
    key = read_key(casino.folder / "w1", COSIGNATURE)
    path = casino.log / "checkpoint"
    note = Note.parse(path.read_bytes(), "it")
    path.write_bytes(Note(note.text, (*note.signatures, key.cosign(note.text, NOW + moved))).pack())
    told = casino.check("--witness", one)
    assert (told.exit_code == 0) == counts and why in told.stdout
    assert ("1 of 1 witnesses" in told.stdout) == counts and ("not witnessed" in told.stdout) != counts
    words = ("--vkey", casino.vkey, "--keys", casino.pins, "--witness", one)
    found = document("check", casino.log, *words, code=told.exit_code)
    assert [row["counts"] for row in found["witnesses"]] == [counts] and found["verified"] == counts
    two = witness_key(casino, "w2")
    assert (casino.check("--witness", one, "--witness", two, "--quorum", "1").exit_code == 0) == counts


@pytest.mark.parametrize(
    "words",
    [
        ("witness", "--key", "k"),
        ("witness", "log", "--key", "k"),
        ("witness", "log", "--new", "w", "--key", "k"),
        ("witness", "--new", "w", "--vkey", "x", "--key", "k"),
        ("cosign", "log"),
        ("cosign", "log", "--witness", "x"),
        ("check",),
        ("check", "log", "--quorum", "1"),
        ("check", "--proof", "p", "a", "b"),
        ("prove", "log"),
        ("prove", "log", "a", "--old", "1"),
        ("prove", "log", "--old", "1", "--shoe", "1"),
    ],
)
def test_options_that_do_not_go_together_are_bad_usage_in_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*words)
    assert result.exit_code == 2 and one_line(result)
