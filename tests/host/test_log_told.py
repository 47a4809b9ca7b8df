"""What a log's commands tell beside findings: where it begins, what is left over, whose keys, which files are none."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from histories import DEVICE, Script, cut_pages
from log_commands import Casino, document, one_line, run
from log_entries import ORIGIN, log_of, made
from shoe_row import Row, opened
from shoetool.history.chunks import SignatureChunk
from shoetool.model.protocol_table import Signature
from shoetool.transparency.check import LogCheck
from shoetool.transparency.checked import Trusted, utc
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import LogFinding
from shoetool.transparency.keeper import Keeper
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import NOTE, Note
from shoetool.transparency.note_key import read_key
from shoetool.transparency.proof import InclusionProof
from shoetool.trust import lms
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import Key, read, write


@pytest.fixture
def casino(tmp_path: Path) -> Casino:
    casino = Casino(tmp_path, 3)
    assert casino.append(*casino.files[1:]).exit_code == 0
    return casino


def checked(log: Path, monkeypatch: pytest.MonkeyPatch) -> list[LogFinding]:
    """The findings about a log of made entries, whose signatures are not looked at."""
    monkeypatch.setattr(lms, "verify", lambda *_: True)
    return LogCheck(log, Trusted(), KnownKeys(PinStore(log / "none")), 0.0).run([], []).findings


def test_where_a_device_begins_is_told(casino: Casino) -> None:
    assert f"device {DEVICE.hex()} begins with shoe 2: earlier ones are not logged" in casino.check().stdout
    assert casino.findings() == []


def test_what_else_lies_in_the_folder_is_told_and_is_no_finding(casino: Casino) -> None:
    (casino.log / "notes.txt").write_text("mine")
    (casino.log / "tile" / "0" / "000.p" / "9").write_bytes(bytes(32 * 9))
    (casino.log / "tile" / "entries" / "001").write_bytes(b"")
    result = casino.check()
    assert result.exit_code == 0 and "notes.txt is no file of a log; it was not looked at" in result.stdout
    assert "2 files are left from an append that did not end" in result.stdout
    assert casino.append(casino.files[0]).exit_code == 0
    assert "did not end" not in casino.check().stdout, "the next append takes them away"
    assert (casino.log / "notes.txt").read_text() == "mine"


def test_several_missing_shoes_are_one_line_with_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, key_file = log_of(tmp_path, range(1, 3))
    keeper = Keeper(log, key_file)
    keeper.append([made(4_000_000), replace(made(9), previous=bytes(32)), made(20, key="new")])
    found = checked(log, monkeypatch)
    assert [(one.what, one.shoe) for one in found] == [("missing", 3), ("missing", 10), ("missing", 21)]
    assert "6 shoes of device" in found[0].sentence and "(3 to 8) are not in the log" in found[0].sentence
    assert "the key signed 6 times there" in found[0].sentence
    assert "the key was changed between them" in found[1].sentence
    assert "(21 to 3999999)" in found[2].sentence


def test_entries_that_contradict_each_other_are_found_in_a_log_that_took_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keeper without our checks: his log has them all, and each is named at the entry that came later."""
    log, key_file = log_of(tmp_path, range(1, 3))
    late = replace(made(5, 1), statement=replace(made(5, 1).statement, first_page=90, last_page=91))
    back = replace(made(6), statement=replace(made(6).statement, first_record=5))
    other = made(2, 7, head=b"another")
    keeper = Keeper(log, key_file)
    for entry in (late, back, other):
        keeper.log.tree.add(entry.leaf)
    keeper._write([*keeper.log.last, *(entry.pack() for entry in (late, back, other))], 2)
    found = [(one.what, one.shoe, one.entry) for one in checked(log, monkeypatch) if one.what != "missing"]
    assert found == [("reused index", 5, 2), ("contradicted", 6, 3), ("fork", 2, 4)]


def test_an_index_used_twice_in_one_append_is_refused_for_both(tmp_path: Path) -> None:
    log, key_file = log_of(tmp_path)
    done = Keeper(log, key_file).append([made(2, 7), made(1), made(3, 7), made(2, 7)])
    assert sorted(entry.statement.shoe for entry, _ in done.refused) == [2, 2, 3], "each file is named"
    assert {one.what for _, one in done.refused} == {"reused index"} and done.size == 1
    assert all("another of these histories" in one.sentence for _, one in done.refused)


def test_a_shoe_without_a_signature_says_why(casino: Casino, tmp_path: Path) -> None:
    pages, _ = read(casino.row.deal())
    used_up = write(tmp_path / "used.shoelog", pages, [SignatureChunk(4, Signature.USED_UP)])
    script = Script(0, 0)
    opened(script)
    never = write(tmp_path / "never.shoelog", cut_pages(script.records, 0, 1), [])
    found = document("append", casino.log, used_up, never, "--keys", casino.pins, code=1)
    said = [one["sentence"] for one in found["findings"]]
    assert "shoe 4 is not signed" in said[0] and "used up" in said[0]
    assert said[1].endswith("no shoe was closed in it, so none is signed")


def test_a_history_of_several_shoes_is_logged_shoe_by_shoe_and_proved_by_its_number(tmp_path: Path) -> None:
    casino = Casino(tmp_path, 0)
    row = Row(tmp_path / "row")
    parts = [read(row.deal()) for _ in range(2)]
    both = write(tmp_path / "both.shoelog", parts[0][0] + parts[1][0], parts[0][1] + parts[1][1])
    found = document("append", casino.log, both, "--keys", casino.pins)
    assert [one["shoe"] for one in found["new"]] == [1, 2]
    result = run("prove", casino.log, both, "--keys", casino.pins)
    assert result.exit_code == 2 and "holds the signed shoes 1, 2" in one_line(result)
    proof = tmp_path / "p"
    assert run("prove", casino.log, both, "--shoe", "2", "--keys", casino.pins, "--out", proof).exit_code == 0
    found = document("check", "--proof", proof, both, "--vkey", casino.vkey, "--keys", casino.pins)
    assert [one["shoe"] for one in found["present"]] == [2] and found["verified"]


# ------------------------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", "is no key of a log or a witness"),
        ("not JSON", "is no key of a log or a witness"),
        ("x" * 5000, "longer than 4096 bytes"),
        ('{"format": "shoetool-command-key/1"}', "is no key of a log or a witness"),
        ("seed", "does not fit its verifier key"),
        ("name", "cannot be a name"),
        ("kind", "is no key of a log or a witness"),
        ("hex", "is no key of a log or a witness"),
    ],
)
def test_what_is_no_key_file_is_refused_in_one_line(content: str, words: str, casino: Casino) -> None:
    path = casino.folder / "log.logkey"
    fields = json.loads(path.read_text())
    changed = {"seed": {"key": "00" * 32}, "name": {"name": "a b"}, "kind": {"kind": "car"}, "hex": {"key": "zz"}}
    path.write_text(json.dumps(fields | changed[content]) if content in changed else content)
    result = casino.append(casino.files[0])
    assert result.exit_code == 2 and words in one_line(result)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no signed note"),
        (b"old", "is no signed note"),
        (None, "is no checkpoint that key"),
        (b"dir", "is a directory"),
    ],
)
def test_a_memory_of_what_was_signed_that_is_none_stops_the_append(
    content: bytes | None, words: str, casino: Casino
) -> None:
    memory = casino.folder / "log.logkey.signed"
    if content == b"dir":
        memory.unlink()
        memory.mkdir()
    elif content is None:
        other, key_file = log_of(casino.folder / "other")
        shutil.copy(key_file.with_name("log.logkey.signed"), memory)
        assert other.is_dir()
    else:
        memory.write_bytes(content)
    result = casino.append(casino.files[0])
    assert result.exit_code == 2 and words in one_line(result) and LogFolder(casino.log).size == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--vkey", "nothing"), "no such file"),
        (("--vkey", "a+b+c"), "is no verifier key"),
        (("--vkey", "empty"), "holds no verifier key"),
        (("--vkey", "two"), "one verifier key of a log is wanted"),
        (("--since", "nothing"), "no such file"),
        (("--since", "."), "is a directory"),
        (("--since", "empty"), "is no signed note"),
        (("--former-key", "nothing"), "no such file"),
    ],
)
def test_options_that_name_no_key_and_no_checkpoint_are_refused_in_one_line(
    words: tuple[str, str], said: str, casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(casino.folder)
    Path("empty").write_text("# nobody\n")
    Path("two").write_text(f"{casino.vkey}\nPeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n")
    result = run("check", casino.log, *words)
    assert result.exit_code == 2 and said in one_line(result)


def test_a_proof_about_a_shoe_of_an_unknown_or_another_key_says_so(casino: Casino, tmp_path: Path) -> None:
    proof = tmp_path / "p"
    assert run("prove", casino.log, casino.files[1], "--keys", casino.pins, "--out", proof).exit_code == 0
    words = ("check", "--proof", proof, "--vkey", casino.vkey, "--keys", tmp_path / "pins2")
    result = run(*words)
    assert result.exit_code == 0 and "not verified: a key is not pinned" in result.stdout
    PinStore(tmp_path / "pins2").pin(DEVICE, PublicKey(Key("another").public))
    result = run(*words)
    assert result.exit_code == 1 and "which is not the pinned one" in result.stdout


def test_a_proof_of_an_entry_that_no_shoe_made_is_forged(tmp_path: Path) -> None:
    """The keeper logged it, so the proof holds; the signature does not."""
    log, key_file = log_of(tmp_path, range(1, 3))
    held = LogFolder(log)
    (_, data), *_ = held.load()
    proof = InclusionProof(0, tuple(held.tree.inclusion(0)), held.note, data)
    (tmp_path / "p").write_bytes(proof.pack())
    vkey = read_key(key_file, NOTE).verifier.text
    found = document("check", "--proof", tmp_path / "p", "--vkey", vkey, "--keys", tmp_path / "none", code=1)
    assert [one["what"] for one in found["findings"]] == ["forged"] and not found["verified"]


def test_an_earlier_checkpoint_of_another_log_or_key_proves_nothing(casino: Casino, tmp_path: Path) -> None:
    _, key_file = log_of(tmp_path / "other")
    own = read_key(key_file, NOTE)
    old = tmp_path / "old"
    shutil.copy(casino.log / "checkpoint", old)
    grown = tmp_path / "grown"
    assert casino.append(casino.files[0]).exit_code == 0
    assert run("prove", casino.log, "--since", old, "--out", grown).exit_code == 0
    text = LogFolder(casino.log).checkpoint.text
    forged = tmp_path / "forged"
    forged.write_bytes(Note(text, (own.sign(text),)).pack())
    named = text.replace(ORIGIN, "another.example/log")
    strange = tmp_path / "strange"
    strange.write_bytes(Note(named, (own.sign(named),)).pack())
    for path in (forged, strange):
        assert casino.findings("--since", path) == [("other log", None)]
        result = run("check", "--proof", grown, "--vkey", casino.vkey, "--since", path)
        assert result.exit_code == 1 and "it proves nothing about this log" in result.stdout
        result = run("check", casino.log, "--since", strange)
        assert result.exit_code == 1 and "is that of another.example/log" in result.stdout
    assert "is a checkpoint of another.example/log" in one_line(run("prove", casino.log, "--since", strange))


def test_a_cosignature_that_does_not_verify_is_forged(casino: Casino) -> None:
    witness = casino.folder / "w"
    vkey = run("witness", "--new", "w.example", "--key", witness).output.strip()
    line = run("witness", casino.log, "--key", witness, "--vkey", casino.vkey).output
    assert casino.append(casino.files[0]).exit_code == 0
    path = casino.log / "checkpoint"
    path.write_text(path.read_text() + line)
    found = document("check", casino.log, "--witness", vkey, code=1)
    assert [one["what"] for one in found["findings"]] == ["forged", "not witnessed"]


def test_times_that_no_calendar_has_are_told_as_numbers() -> None:
    assert utc(0) == "1970-01-01T00:00:00Z" and utc((1 << 63) - 1) == f"{(1 << 63) - 1} s"


def test_another_history_of_the_same_head_is_the_same_shoe(casino: Casino, tmp_path: Path) -> None:
    """A shoe whose history was fetched again after its end grew by what followed: the entry stays."""
    row = Row(tmp_path / "again")
    short, grown = row.deal(behind=2, fetched=0), tmp_path / "grown"
    shutil.copy(short, tmp_path / "short.shoelog")
    pages, signatures = read(short)
    longer = Row(grown).deal(behind=2)
    assert read(longer)[0] != pages and read(longer)[1][0].statement == signatures[0].statement
    first = document("append", casino.log, tmp_path / "short.shoelog", "--keys", casino.pins)
    again = document("append", casino.log, longer, "--keys", casino.pins)
    assert len(first["new"]) == 1 and [one["shoe"] for one in again["known"]] == [1] and not again["findings"]


def test_a_log_whose_entries_are_none_is_not_appended_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, key_file = log_of(tmp_path, range(1, 3))
    with monkeypatch.context() as patch:
        patch.setattr(Entry, "pack", lambda self: b"SHOEENT\x01 and nothing else")
        Keeper(log, key_file).append([made(3)])
    with pytest.raises(Exception, match="entry 2: ") as error:
        Keeper(log, key_file)
    assert getattr(error.value, "exit_code", None) == 1
    assert [(one.what, one.entry) for one in checked(log, monkeypatch)] == [("damaged", 2)]
    assert run("show", log).exit_code == 1


def test_a_witness_refuses_what_is_no_request(casino: Casino, tmp_path: Path) -> None:
    key = tmp_path / "w"
    run("witness", "--new", "w.example", "--key", key)
    request = tmp_path / "request"
    run("prove", casino.log, "--old", "0", "--out", request)
    other, other_key = log_of(tmp_path / "other")
    vkey = read_key(other_key, NOTE).verifier.text
    result = run("witness", request, "--key", key, "--vkey", vkey)
    assert result.exit_code == 1 and "is not signed by" in one_line(result)
    renamed = replace(read_key(other_key, NOTE), name="another.example/log").verifier.text
    result = run("witness", request, "--key", key, "--vkey", renamed)
    assert result.exit_code == 1 and "whose key was not named" in one_line(result)
    request.write_text(request.read_text().replace("old 0", "old 5"))
    result = run("witness", request, "--key", key, "--vkey", casino.vkey)
    assert result.exit_code == 2 and "begins with 5 entries, more than the 2" in one_line(result)
    (tmp_path / "file").write_text("")
    result = run("witness", casino.log, "--key", key, "--vkey", casino.vkey, "--state", tmp_path / "file")
    assert result.exit_code == 2 and one_line(result)
    assert other.is_dir()
