"""Attacks on a log and on proofs: each is found, and told in one clear line with what and where."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from histories import DEVICE
from log_commands import Casino, document, one_line, run
from log_entries import ORIGIN, made
from shoetool.cli import build
from shoetool.transparency.check import LogCheck
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import NOTE, Note
from shoetool.transparency.note_key import read_key
from shoetool.transparency.shoes import Hole, Logged
from shoetool.transparency.submitted import Held
from shoetool.transparency.tiles import bundle, needed
from shoetool.transparency.tree import Tree, leaf_hash
from shoetool.trust import lms
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement
from signed_histories import Key, key, read, sign_pages, write

BUNDLE, TILE = "tile/entries/000.p/5", "tile/0/000.p/5"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Casino:
    """A casino whose night of five shoes is logged in two appends. Nobody changes it: attacks have copies."""
    casino = Casino(tmp_path_factory.mktemp("night"), 5)
    assert casino.append(*casino.files[:2]).exit_code == 0
    shutil.copy(casino.log / "checkpoint", casino.folder / "old")
    assert casino.append(*casino.files).exit_code == 0
    for number, file in enumerate(casino.files, 1):
        assert (
            run("prove", casino.log, file, "--keys", casino.pins, "--out", casino.folder / f"{number}.proof").exit_code
            == 0
        )
    return casino


@pytest.fixture
def log(night: Casino, tmp_path: Path) -> Path:
    """A copy of the log, to attack."""
    return Path(shutil.copytree(night.log, tmp_path / "log"))


def entries_of(log: Path) -> list[bytes]:
    return [data for _, data in LogFolder(log).load()]


def rewritten(log: Path, entries: list[bytes], by: Path | None = None) -> None:
    """What a keeper without scruples can do: all files written anew, and signed when he has the key `by`."""
    checkpoint = LogFolder(log).checkpoint
    shutil.rmtree(log / "tile")
    tree = Tree([])
    for entry in entries:
        tree.add(leaf_hash(entry))
    for tile in needed(len(entries)):
        path = log / tile.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bundle(entries) if tile.level is None else b"".join(tile.hashes(tree)))
    if by is not None:
        own = read_key(by, NOTE)
        text = replace(checkpoint, size=len(entries), root=tree.root()).text
        (log / "checkpoint").write_bytes(Note(text, (own.sign(text),)).pack())


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_an_honest_log_is_verified(night: Casino) -> None:
    result = night.check(*night.files, "--since", night.folder / "old")
    assert result.exit_code == 0 and "verified" in result.stdout and "none missing" in result.stdout
    assert "no witness was named" in result.stdout
    assert night.findings(*night.files) == []


def swap(log: Path) -> None:
    entries = entries_of(log)
    entries[1], entries[3] = entries[3], entries[1]
    (log / BUNDLE).write_bytes(bundle(entries))


def swap_with_tiles(log: Path) -> None:
    entries = entries_of(log)
    entries[1], entries[3] = entries[3], entries[1]
    rewritten(log, entries)


FILES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "an entry edited": (lambda log: flip(log / BUNDLE, 3000), "edited", "entry 1 is not the one that was logged"),
    "entries swapped": (swap, "edited", "entry 1 is not the one that was logged"),
    "entries and tiles swapped": (swap_with_tiles, "edited", "the log was written anew"),
    "a tile edited": (lambda log: flip(log / TILE, 40), "edited", f"{TILE} does not hold the hashes"),
    "a tile of a smaller log edited": (
        lambda log: flip(log / "tile/0/000.p/2", 5),
        "edited",
        "tile/0/000.p/2 does not hold what the log holds there",
    ),
    "a bundle of a smaller log edited": (
        lambda log: flip(log / "tile/entries/000.p/2", 500),
        "edited",
        "tile/entries/000.p/2 does not hold what",
    ),
    "a bundle cut within an entry": (lambda log: os.truncate(log / BUNDLE, 9000), "cut", "ends within entry 3"),
    "a bundle cut between entries": (lambda log: os.truncate(log / BUNDLE, 2540), "cut", "ends before entry 1"),
    "a bundle emptied": (lambda log: os.truncate(log / BUNDLE, 0), "cut", "ends before entry 0"),
    "a bundle longer": (
        lambda log: (log / BUNDLE).write_bytes((log / BUNDLE).read_bytes() + b"xx"),
        "cut",
        "2 bytes too many",
    ),
    "a bundle taken out": (lambda log: (log / BUNDLE).unlink(), "cut", f"{BUNDLE} is missing"),
    "a tile cut": (lambda log: os.truncate(log / TILE, 100), "cut", "has 100 bytes instead of 160"),
    "a tile taken out": (lambda log: (log / TILE).unlink(), "cut", f"{TILE} is missing"),
    "all taken out": (lambda log: shutil.rmtree(log / "tile"), "cut", f"{BUNDLE} is missing"),
}


@pytest.mark.parametrize("attack", FILES)
def test_files_that_were_changed_are_named(attack: str, night: Casino, log: Path) -> None:
    change, what, words = FILES[attack]
    change(log)
    result = night.check(log=log)
    assert result.exit_code == 1 and not result.stderr
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("FINDING")]
    assert line.startswith(f"FINDING  {what}: ") and words in line


def link_file(log: Path) -> None:
    shutil.move(log / BUNDLE, log.parent / "bundle")
    (log / BUNDLE).symlink_to(log.parent / "bundle")


def link_folder(log: Path) -> None:
    shutil.move(log / "tile", log.parent / "tile")
    (log / "tile").symlink_to(log.parent / "tile")


def pipe(log: Path) -> None:
    (log / TILE).unlink()
    os.mkfifo(log / TILE)


@pytest.mark.parametrize(
    ("change", "words"),
    [(link_file, f"{BUNDLE} is a link"), (link_folder, "tile is a link"), (pipe, f"{TILE} is no file")],
)
def test_what_is_no_plain_file_is_not_followed_and_never_waited_for(
    change: Callable[[Path], None], words: str, night: Casino, log: Path
) -> None:
    change(log)
    result = night.check(log=log)
    assert result.exit_code == 1 and f"FINDING  damaged: {words}" in result.stdout


def test_a_link_planted_in_a_log_leads_no_append_out_of_it(night: Casino, tmp_path: Path) -> None:
    assert run("init", tmp_path / "log", "--origin", ORIGIN).exit_code == 0
    (tmp_path / "outside").mkdir()
    (tmp_path / "log" / "tile").symlink_to(tmp_path / "outside")
    result = run("append", tmp_path / "log", night.files[0], "--keys", night.pins)
    assert result.exit_code == 1 and "tile is a link" in one_line(result)
    assert not list((tmp_path / "outside").iterdir()) and LogFolder(tmp_path / "log").size == 0


def test_a_withheld_shoe_is_missing_by_its_number(night: Casino, tmp_path: Path) -> None:
    assert run("init", tmp_path / "log", "--origin", ORIGIN).exit_code == 0
    keys = ("--keys", night.pins)
    run("append", tmp_path / "log", *night.files[:2], *night.files[3:], *keys)
    vkey = read_key(tmp_path / "log.logkey", NOTE).verifier.text
    found = document("check", tmp_path / "log", "--vkey", vkey, *keys, *night.files, code=1)
    assert [(one["what"], one["shoe"]) for one in found["findings"]] == [("missing", 3), ("not logged", 3)]
    assert "the key signed 1 time there" in found["findings"][0]["sentence"]
    assert found["devices"][0]["missing"] == [[3, 3]] and not found["verified"]


def test_an_entry_taken_out_by_the_keeper_contradicts_an_earlier_checkpoint(night: Casino, log: Path) -> None:
    """He has the key, and signs the shorter log; who kept an earlier checkpoint finds it."""
    entries = entries_of(log)
    key_file = night.folder / "log.logkey"
    shutil.copy(log / "checkpoint", log.parent / "five")
    rewritten(log, entries[:4], key_file)
    assert night.findings(log=log) == [], "alone, a shorter log is a log"
    assert night.findings("--since", log.parent / "five", log=log) == [("rolled back", None)]
    rewritten(log, [*entries[:3], *entries[4:]], key_file)
    assert night.findings("--since", night.folder / "old", log=log) == [("missing", 4)]
    assert [what for what, _ in night.findings("--since", log.parent / "five", log=log)] == ["rolled back", "missing"]
    rewritten(log, [entries[1], entries[0], *entries[2:]], key_file)
    assert night.findings("--since", night.folder / "old", log=log) == [("split view", None)]


def test_two_checkpoints_of_one_size_are_a_split_view(night: Casino, log: Path) -> None:
    entries = entries_of(log)
    shutil.copy(log / "checkpoint", log.parent / "theirs")
    rewritten(log, [*entries[:3], entries[4], entries[3]], night.folder / "log.logkey")
    assert night.findings(log=log) == []
    result = night.check("--since", log.parent / "theirs", log=log)
    assert result.exit_code == 1 and "split view" in result.stdout
    assert "two checkpoints of 5 entries" in result.stdout and "keep both as proof" in result.stdout
    assert ("split view", None) in night.findings("--since", night.folder / "3.proof", log=log), "a proof has one too"


def test_an_entry_that_the_keeper_made_up_is_forged(night: Casino, log: Path) -> None:
    """He has his own key, not the shoe's."""
    entries = entries_of(log)
    made_up = Entry.unpack(entries[2])
    statement = replace(
        made_up.statement, shoe=6, first_page=12, last_page=12, first_record=100, last_record=101, index=9
    )
    signature = (9).to_bytes(4) + made_up.signature[4:]
    rewritten(
        log, [*entries, replace(made_up, statement=statement, signature=signature).pack()], night.folder / "log.logkey"
    )
    assert night.findings(log=log) == [("forged", 5)]
    thief = Key("thief")
    own = replace(statement, key=thief.identifier, index=thief.next)
    entry = Entry(own, made_up.previous, PublicKey(thief.public), thief.sign(own.pack()))
    rewritten(log, [*entries, entry.pack()], night.folder / "log.logkey")
    assert night.findings(log=log) == [("other key", 5)]
    rewritten(log, [*entries, b"SHOEENT\x01 and nothing more"], night.folder / "log.logkey")
    assert night.findings(log=log) == [("damaged", 5)]


def test_a_shoe_logged_twice_and_two_heads_of_one_shoe_are_found(night: Casino, log: Path, tmp_path: Path) -> None:
    entries = entries_of(log)
    key_file = night.folder / "log.logkey"
    rewritten(log, [*entries, entries[0]], key_file)
    assert night.findings(log=log) == [("fork", 5)]
    pages, _ = read(night.files[2])
    signed = sign_pages(pages, key(), 20)
    forged = Entry(Statement.unpack(signed.statement), bytes(32), PublicKey(signed.public), signed.signature)
    rewritten(log, [*entries, forged.pack()], key_file)
    assert night.findings(log=log) == [("fork", 5)]
    file = write(tmp_path / night.files[2].name, pages, [signed])
    assert [what for what, _ in night.findings(file)] == ["fork"], (
        "and so is a history with another head than the log's"
    )


def test_a_log_of_another_key_is_not_verified(night: Casino, log: Path, tmp_path: Path) -> None:
    run("init", tmp_path / "thief", "--origin", ORIGIN)
    rewritten(log, entries_of(log), tmp_path / "thief.logkey")
    result = night.check(log=log)
    assert (
        result.exit_code == 1 and "FINDING  other log: the checkpoint is not signed by casino.example" in result.stdout
    )
    note = Note.parse((night.log / "checkpoint").read_bytes(), "it")
    (log / "checkpoint").write_bytes(replace(note, text=note.text.replace("\n5\n", "\n4\n")).pack())
    result = night.check(log=log)
    assert result.exit_code == 1 and "does not verify: the text was changed" in result.stdout
    run("init", tmp_path / "other", "--origin", "another.example/log")
    result = run("check", night.log, "--vkey", read_key(tmp_path / "other.logkey", NOTE).verifier.text)
    assert result.exit_code == 1 and "other log" in result.stdout


@pytest.mark.parametrize("size", ["9223372036854775807", "1000000000", "256"])
def test_a_checkpoint_of_a_huge_size_ends_at_the_first_missing_file(size: str, night: Casino, log: Path) -> None:
    own = read_key(night.folder / "log.logkey", NOTE)
    text = replace(LogFolder(log).checkpoint, size=int(size)).text
    (log / "checkpoint").write_bytes(Note(text, (own.sign(text),)).pack())
    result = night.check(log=log)
    assert result.exit_code == 1 and "FINDING  cut: tile/entries/000 is missing" in result.stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no signed note"),
        (b"\xff\xfe", "not UTF-8"),
        (b"casino\n5\n", "is no signed note"),
        (b"evil\x1b[31m\n5\nx\n\n\xe2\x80\x94 a AAAAAAAA\n", "control characters"),
        ("a\u202eb\n5\nx\n\n\u2014 a AAAAAAAA\n".encode(), "root hash is not 32 bytes"),
        ("a\n05\nx\n\n\u2014 a AAAAAAAA\n".encode(), "its size is no whole number"),
        (b"x" * (2 << 20), "longer than such a file can be"),
    ],
)
def test_a_checkpoint_that_is_none_is_bad_input_in_one_line(
    content: bytes, words: str, night: Casino, log: Path
) -> None:
    (log / "checkpoint").write_bytes(content)
    for result in (night.check(log=log), run("show", log), night.append(night.files[0], log=log)):
        assert result.exit_code in (1, 2) and words in one_line(result) and one_line(result).strip().isprintable()


def test_an_origin_with_hidden_signs_is_printed_with_escapes(night: Casino, log: Path) -> None:
    text = Checkpoint("a\u202eb", 0, Tree([]).root()).text
    own = read_key(night.folder / "log.logkey", NOTE)
    (log / "checkpoint").write_bytes(Note(text, (own.sign(text),)).pack())
    for result in (night.check(log=log), run("show", log)):
        assert "\u202e" not in result.output and r"a\u202eb" in result.output


def test_what_is_not_there_is_not_called_verified(night: Casino, tmp_path: Path) -> None:
    for words, why in (
        ((), "whose it is was not checked"),
        (("--vkey", night.vkey, "--keys", tmp_path / "none"), "a key is not pinned"),
    ):
        result = run("check", night.log, *words)
        assert result.exit_code == 0 and f"nothing wrong, not verified: {why}" in result.stdout
    found = document("check", night.log, "--vkey", night.vkey, "--keys", tmp_path / "none")
    assert found["unpinned"] == [DEVICE.hex()] and not found["verified"] and found["signed"]


def test_a_shoe_that_nobody_signed_is_told_and_its_history_answers(tmp_path: Path) -> None:
    """Shoe 2 was never signed. Its pages are covered by the next signature, if they are the true ones."""
    casino = Casino(tmp_path, 1)
    unsigned = casino.row.deal(signed=False)
    third = casino.row.deal()
    assert casino.append(*casino.files, third).exit_code == 0
    assert casino.findings(*casino.files, third) == [("missing", 2)]
    assert casino.findings(unsigned) == []
    result = casino.check(unsigned)
    assert "nobody signed it" in result.stdout and "the signature of shoe 3 covers them" in result.stdout
    pages, _ = read(unsigned)
    changed = bytearray(pages[0])
    changed[70] ^= 1
    forged = write(tmp_path / "forged.shoelog", [bytes(changed)], [])
    assert ("missing", 2) in casino.findings(forged)
    late = write(tmp_path / "late.shoelog", read(casino.files[0])[0], [])
    assert [what for what, _ in casino.findings(late)] == ["missing", "unsigned"]


@pytest.mark.parametrize("attack", ["dropped", "edited"])
def test_a_history_without_one_of_its_middle_pages_answers_no_gap(attack: str, tmp_path: Path) -> None:
    """The next signature covers the last page alone; that names the one before, and so on to the first."""
    casino = Casino(tmp_path, 1)
    unsigned = casino.row.deal(behind=700, signed=False)
    assert casino.append(*casino.files, casino.row.deal()).exit_code == 0
    pages, _ = read(unsigned)
    assert len(pages) > 2 and casino.findings(unsigned) == []
    if attack == "dropped":
        del pages[1]
    else:
        data = bytearray(pages[1])
        data[-1] ^= 1  # behind its last record: each record still has its check sum
        pages[1] = bytes(data)
    forged = write(tmp_path / "forged.shoelog", pages, [])
    assert [what for what, _ in casino.findings(forged)] == ["missing", "unsigned"]


def test_each_unsigned_shoe_of_a_file_is_answered_for_itself(tmp_path: Path) -> None:
    """Shoe 2 lies between two logged ones. Shoe 4 is the newest: no signature covers it."""
    casino = Casino(tmp_path, 1)
    second = casino.row.deal(signed=False)
    assert casino.append(*casino.files, casino.row.deal()).exit_code == 0
    fourth = casino.row.deal(signed=False)
    both = write(tmp_path / "both.shoelog", read(second)[0] + read(fourth)[0], [])
    found = casino.check(both, "--json")
    said = [(one["what"], one["shoe"]) for one in json.loads(found.stdout)["findings"]]
    assert said == [("unsigned", 4)]


def test_an_entry_that_is_forged_stands_for_no_shoe(night: Casino, log: Path) -> None:
    entries = entries_of(log)
    entries[2] = entries[2][:-1] + bytes((entries[2][-1] ^ 1,))
    rewritten(log, entries, night.folder / "log.logkey")
    assert night.findings(log=log) == [("forged", 2), ("missing", 3)]


# ----------------------------------------------------------------------------------------- what was not looked at


def test_a_history_that_cannot_be_read_leaves_the_log_unverified(night: Casino, tmp_path: Path) -> None:
    none = tmp_path / "none.shoelog"
    result = night.check(none)
    assert result.exit_code == 2 and "none.shoelog" in one_line(result)
    assert "nothing wrong, not verified: a history could not be read" in result.stdout
    words = ("--vkey", night.vkey, "--keys", night.pins)
    found = document("check", night.log, none, *words, code=2)
    assert not found["verified"] and [one["file"] for one in found["unreadable"]] == [str(none)]
    found = document("check", "--proof", night.folder / "4.proof", none, *words, code=2)
    assert not found["verified"] and [one["file"] for one in found["unreadable"]] == [str(none)]
    assert any("the history could not be read" in note for note in found["notes"])
    code, said = proof_check(night, night.folder / "4.proof", none)
    assert code == 2 and "not verified: a history could not be read" in said


def test_a_log_without_a_shoe_is_not_called_verified(tmp_path: Path) -> None:
    casino = Casino(tmp_path, 0)
    result = casino.check()
    assert result.exit_code == 0 and "not verified: nothing is logged yet" in result.stdout
    assert not document("check", casino.log, "--vkey", casino.vkey, "--keys", casino.pins)["verified"]


def test_where_only_new_signatures_were_verified_the_verdict_says_since_when(night: Casino) -> None:
    words = (night.log, "--vkey", night.vkey, "--keys", night.pins, "--new-only", "--since")
    result = run("check", *words, night.folder / "old")
    assert result.exit_code == 0 and "verified since entry 2" in result.stdout
    found = document("check", *words, night.folder / "old")
    assert found["unchecked"] == 2 and not found["verified"] and not found["findings"]
    result = run("check", *words, night.log / "checkpoint")
    assert "not verified: no entry is new since that checkpoint" in result.stdout
    found = document("check", night.log, "--vkey", night.vkey, "--keys", night.pins)
    assert found["unchecked"] == 0 and found["verified"]


# --------------------------------------------------------------------------------------------------------- proofs


def proof_check(night: Casino, proof: Path, *words: str | Path) -> tuple[int, str]:
    result = run("check", "--proof", proof, "--vkey", night.vkey, "--keys", night.pins, *words)
    return result.exit_code, result.stdout + result.stderr


def test_a_proof_holds_for_its_history_and_for_no_other(night: Casino) -> None:
    for number in range(1, 6):
        for other in range(1, 6):
            code, said = proof_check(night, night.folder / f"{number}.proof", night.files[other - 1])
            assert code == (0 if number == other else 1), said
            assert ("verified" if number == other else "FINDING  not proved") in said


def test_a_proof_alone_says_which_shoe_it_is_about(night: Casino) -> None:
    found = document("check", "--proof", night.folder / "4.proof", "--vkey", night.vkey, "--keys", night.pins)
    assert [(one["shoe"], one["entry"]) for one in found["present"]] == [(4, 3)] and found["verified"]
    assert any("no history was named" in note for note in found["notes"])


PROOFS: dict[str, tuple[Callable[[str], str], int, str]] = {
    "of another index": (lambda text: text.replace("index 3", "index 2"), 1, "not proved"),
    "of an index beyond the log": (lambda text: text.replace("index 3", "index 99"), 1, "not proved"),
    "for another size": (lambda text: text.replace("\n5\n", "\n6\n"), 1, "does not verify"),
    "with a hash left out": (lambda text: "\n".join(text.split("\n")[:3] + text.split("\n")[4:]), 1, "not proved"),
    "with another entry": (lambda text: text.replace("extra U0hPRUVOVAFT", "extra U0hPRUVOVAFU"), 2, "is none"),
    "without its entry": (lambda text: "\n".join([text.split("\n")[0], *text.split("\n")[2:]]), 2, "name the history"),
    "cut": (lambda text: text[:-10], 2, "cut off"),
    "cut in its head": (lambda text: text[:500], 2, "is no proof"),
    "of nothing": (lambda text: "", 2, "is no proof"),
    "of a huge index": (lambda text: text.replace("index 3", "index 99999999999999999999"), 2, "index NUMBER"),
}


@pytest.mark.parametrize("attack", PROOFS)
def test_a_proof_that_was_changed_proves_nothing(attack: str, night: Casino, tmp_path: Path) -> None:
    change, wanted, words = PROOFS[attack]
    path = tmp_path / "bad"
    path.write_text(change((night.folder / "4.proof").read_text()))
    code, said = proof_check(night, path)
    assert code == wanted and words in said, said
    if wanted == 2:
        assert said.count("\n") == 1


def test_a_log_that_only_grew_is_proved_without_the_log(night: Casino, log: Path, tmp_path: Path) -> None:
    old, grown = night.folder / "old", tmp_path / "grown"
    assert run("prove", night.log, "--since", old, "--out", grown).exit_code == 0
    code, said = proof_check(night, grown, "--since", old)
    assert code == 0 and "the 5 entries grew from the 2" in said
    assert run("prove", night.log, "--old", "2").stdout_bytes == grown.read_bytes()
    entries = entries_of(log)
    shutil.copy(log / "checkpoint", tmp_path / "now")
    rewritten(log, [entries[1], entries[0], *entries[2:]], night.folder / "log.logkey")
    assert run("prove", log, "--since", old, "--out", tmp_path / "bad").exit_code == 0
    code, said = proof_check(night, tmp_path / "bad", "--since", old)
    assert code == 1 and "not proved" in said
    code, said = proof_check(night, grown, "--since", tmp_path / "now")
    assert code == 2 and "begins with 2 entries" in said
    assert proof_check(night, grown)[0] == 2 and proof_check(night, grown, night.files[0])[0] == 2
    assert run("prove", night.log, "--old", "9").exit_code == 2
    assert proof_check(night, night.folder / "1.proof", "--since", old)[0] == 2


def test_what_is_not_logged_has_no_proof(night: Casino, tmp_path: Path) -> None:
    pages, _ = read(night.files[1])
    forged = write(tmp_path / night.files[1].name, pages, [sign_pages(pages, key(), 21)])
    result = run("prove", night.log, forged, "--keys", night.pins)
    assert result.exit_code == 1 and "fork" in one_line(result) and not result.stdout
    run("init", tmp_path / "empty", "--origin", ORIGIN)
    result = run("prove", tmp_path / "empty", night.files[0], "--keys", night.pins)
    assert result.exit_code == 1 and "not logged" in one_line(result)
    unsigned = write(tmp_path / "unsigned.shoelog", pages, [])
    assert run("prove", night.log, unsigned, "--keys", night.pins).exit_code == 1


def test_an_append_by_hand_reads_the_log_first(night: Casino, log: Path) -> None:
    """An edited log is extended by nobody: the keeper would sign what he did not write."""
    flip(log / BUNDLE, 3000)
    result = night.append(night.files[0], log=log)
    assert result.exit_code == 1 and "edited" in one_line(result)


def test_a_link_in_place_of_the_lock_is_not_followed(night: Casino, log: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    (log / ".lock").unlink()
    (log / ".lock").symlink_to(target)
    result = night.append(night.files[0], log=log)
    assert result.exit_code == 2 and ".lock: cannot be locked" in one_line(result)
    assert target.read_text() == "mine"


def test_a_checkpoint_of_another_log_by_the_same_key_is_not_this_log(night: Casino, log: Path) -> None:
    own = read_key(night.folder / "log.logkey", NOTE)
    text = (log / "checkpoint").read_text().split("\n\n")[0].replace(ORIGIN, "another.example/log") + "\n"
    (log / "checkpoint").write_bytes(Note(text, (own.sign(text),)).pack())
    result = night.check(log=log)
    assert result.exit_code == 1 and f"is that of another.example/log, not of {ORIGIN}" in result.stdout


def test_pages_that_the_shoe_before_signed_answer_no_gap() -> None:
    """The pages of an unsigned shoe begin behind those of the signed shoe before it."""
    before, after = Logged(0, made(1).statement, b""), Logged(1, made(3).statement, sha256(b"last").digest())
    hole = Hole(2, 2, before, after)
    first, last = before.statement.last_page + 1, after.statement.first_page - 1
    good = Held(DEVICE, 2, first, last, bytes(32), sha256(b"last").digest(), False, True)
    for held, covers in (
        (good, True),
        (replace(good, first_page=first - 1), False),
        (replace(good, last_page=last - 1), False),
        (replace(good, digest=bytes(32)), False),
        (replace(good, unbroken=False), False),
    ):
        assert LogCheck._covered(hole, {(DEVICE, 2): held}) == covers
    assert not LogCheck._covered(hole, {})


# ----------------------------------------------------------------------------------------------- keys that changed


def test_a_shoe_that_was_provisioned_anew_is_checked_with_its_former_key(tmp_path: Path) -> None:
    casino = Casino(tmp_path, 2)
    assert casino.append(*casino.files).exit_code == 0
    exported = tmp_path / "former.key.json"
    assert CliRunner().invoke(build(), ["keys", str(casino.files[0]), "--export", str(exported)]).exit_code == 0
    new = Key("anew")
    casino.row.by, casino.row.index = new, 0
    PinStore(casino.pins).pin(DEVICE, PublicKey(new.public), replace=True)
    files = [casino.row.deal(), casino.row.deal()]
    assert casino.append(*files).exit_code == 0
    assert casino.findings() == [("other key", 0)]
    assert casino.findings("--former-key", exported) == []
    assert "verified" in casino.check("--former-key", exported).stdout
    proof = tmp_path / "p"
    assert run("prove", casino.log, files[0], "--keys", casino.pins, "--out", proof).exit_code == 0
    casino.row.by, casino.row.index = key(), 9  # the former key was stolen, and signs on
    PinStore(casino.pins).pin(DEVICE, PublicKey(key().public), replace=True)
    assert casino.append(casino.row.deal()).exit_code == 0
    PinStore(casino.pins).pin(DEVICE, PublicKey(new.public), replace=True)
    result = casino.check("--former-key", exported)
    assert result.exit_code == 1 and "a former one, after the pinned key had signed" in result.stdout
    assert casino.findings("--former-key", exported) == [("other key", 4)]
    assert casino.check("--former-key", casino.files[0]).exit_code == 2


def test_only_new_signatures_are_verified_when_the_others_were_before(
    night: Casino, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    real = lms.verify
    monkeypatch.setattr(lms, "verify", lambda *words: asked.append(words[1]) or real(*words))
    assert night.findings() == [] and len(asked) == 5
    asked.clear()
    result = night.check("--since", night.folder / "old", "--new-only")
    assert result.exit_code == 0 and len(asked) == 3
    assert "the signatures of shoes in the first 2 entries were not checked again" in result.stdout
    assert night.check("--new-only").exit_code == 2
    entries = entries_of(log)
    rewritten(log, [entries[1], entries[0], *entries[2:]], night.folder / "log.logkey")
    assert night.findings("--since", night.folder / "old", "--new-only", log=log) == [("split view", None)]
