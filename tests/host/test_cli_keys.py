"""`shoetool keys` and what `shoetool verify` says of signatures, as a user runs them."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from histories import DEVICE, cut_pages
from jsonschema import Draft202012Validator
from shoesim.forger import forge
from shoetool.cli import build
from shoetool.model.places import KEYS_VARIABLE, keys_folder
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import Key, dealt, edited_records, key, read, sign_pages, signed_file, write

FINGERPRINT = PublicKey(key().public).fingerprint


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))
    return tmp_path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(word) for word in words])


def document(*words: str | Path) -> dict[str, object]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{words[0]}.schema.json").read_text())
    Draft202012Validator(schema).validate(found)
    return found


def test_a_key_goes_from_a_history_into_the_pins_and_a_file_and_back(folder: Path) -> None:
    history = signed_file(folder)
    assert "no key is pinned" in run("keys").output
    seen = run("keys", history)
    assert seen.exit_code == 0 and FINGERPRINT in seen.output and "not pinned" in seen.output
    assert PinStore().get(DEVICE) is None, "to look at a key is not to trust it"
    assert "pinned now" in run("keys", history, "--pin").output
    assert PinStore().get(DEVICE) == PublicKey(key().public)
    listed = run("keys")
    assert FINGERPRINT in listed.output and DEVICE.hex() in listed.output
    exported = folder / "shoe.key.json"
    assert run("keys", history, "--export", exported).exit_code == 0
    elsewhere = folder / "other"
    assert "pinned now" in run("keys", exported, "--pin", "--keys", elsewhere).output
    assert PinStore(elsewhere).get(DEVICE) == PublicKey(key().public)
    assert run("keys", "--unpin", DEVICE.hex()).exit_code == 0
    assert PinStore().get(DEVICE) is None


def test_keys_as_json(folder: Path) -> None:
    history = signed_file(folder)
    found = document("keys", history)
    assert found["keys"] and json.dumps(found).count(FINGERPRINT) == 1


def test_another_key_of_a_pinned_device_is_pinned_only_on_purpose(folder: Path) -> None:
    history = signed_file(folder)
    run("keys", history, "--pin")
    pages, _ = read(history)
    other = write(folder / "other.shoelog", pages, [sign_pages(pages, Key("other"), 0)])
    refused = run("keys", other, "--pin")
    assert refused.exit_code == 2 and FINGERPRINT in refused.output and "--replace" in refused.output
    assert PinStore().get(DEVICE) == PublicKey(key().public)
    assert run("keys", other, "--pin", "--replace").exit_code == 0
    assert PinStore().get(DEVICE) == PublicKey(Key("other").public)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("keys", "--pin"), "no key to pin"),
        (("keys", "nothing.shoelog"), "no such file"),
        (("keys", "--unpin", "zz"), "not a device id"),
        (("keys", "--unpin", "0011223344556677"), "no key is pinned"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(words: tuple[str, ...], said: str, folder: Path) -> None:
    result = run(*words)
    assert result.exit_code == 2 and said in result.output.lower() and result.stderr.count("\n") == 1


def test_files_without_a_good_key_are_refused(folder: Path) -> None:
    pages = cut_pages(dealt().records)
    bare = write(folder / "bare.shoelog", pages, [])
    assert "holds no signature" in run("keys", bare).output
    (folder / "odd.json").write_text('{"device": "00"}')
    assert run("keys", folder / "odd.json").exit_code == 2
    exported = folder / "is there"
    exported.write_text("{}")
    assert run("keys", signed_file(folder), "--export", exported).exit_code == 2
    assert exported.read_text() == "{}"


def test_a_history_that_does_not_fit_its_signature_says_so_and_gives_no_key(folder: Path) -> None:
    history = signed_file(folder)
    forged = folder / "forged.shoelog"
    forge(history, forged)
    shown = run("keys", forged)
    said = [line for line in shown.output.splitlines() if "DOES NOT HOLD" in line]
    assert shown.exit_code == 0 and len(said) == 1 and "edited" in said[0]
    assert document("keys", forged)["keys"][0]["doubt"]  # type: ignore[index]
    assert document("keys", history)["keys"][0]["doubt"] is None  # type: ignore[index]
    exported = folder / "shoe.key.json"
    for words in (("--pin",), ("--pin", "--replace"), ("--export", exported), (history, "--pin")):
        refused = run("keys", forged, *words)
        assert refused.exit_code == 2 and refused.stderr.count("\n") == 1 and "edited" in refused.stderr
    assert PinStore().get(DEVICE) is None and not exported.exists()
    assert "DOES NOT HOLD" not in run("keys", history, "--pin").output, "the genuine one is pinned still"


def test_a_damaged_pin_is_named_and_never_taken_for_none(folder: Path) -> None:
    history = signed_file(folder)
    run("keys", history, "--pin")
    pin = Path(str(keys_folder())) / f"{DEVICE.hex()}.json"
    pin.write_text("{")
    result = run("verify", history)
    assert result.exit_code == 2 and str(pin) in result.output


def test_verify_says_who_signed_which_shoe_all_of_it_and_whether_the_key_is_pinned(folder: Path) -> None:
    history = signed_file(folder)
    result = run("verify", history)
    assert result.exit_code == 0, result.output
    assert "shoe 1: signed, but nobody knows by whom, complete, pages 0 to" in result.output
    assert FINGERPRINT in result.output and "(not pinned)" in result.output
    assert "signed by a key that is not pinned)" in " ".join(result.output.split()), "the last line says it too"
    run("keys", history, "--pin")
    result = run("verify", history)
    assert f"shoe 1: signed by device {DEVICE.hex()}, complete, pages 0 to" in result.output
    assert "(pinned)" in result.output and "nobody knows" not in result.output
    found = document("verify", history)
    report = found["files"][0]["report"]  # type: ignore[index]
    (signed,) = report["summary"]["signatures"]
    assert signed["good"] and signed["pinned"] and signed["fingerprint"] == FINGERPRINT
    unsigned = write(folder / "bare.shoelog", read(history)[0], [])
    PinStore().remove(DEVICE)
    bare = run("verify", unsigned).output
    assert "shoe 1: not signed" in bare and "records, not signed)" in " ".join(bare.split())


def test_verify_of_a_forged_history_names_it_and_leaves_with_1(folder: Path) -> None:
    history = signed_file(folder)
    run("keys", history, "--pin")
    forged = write(folder / "forged.shoelog", cut_pages(edited_records(dealt())), read(history)[1])
    result = run("verify", history, forged)
    assert result.exit_code == 1
    assert "SIGNATURE DOES NOT HOLD: edited" in result.output and "written anew" in " ".join(result.output.split())


def test_an_index_used_twice_is_remembered_from_one_run_to_the_next(folder: Path) -> None:
    history = signed_file(folder, shoe=1)
    run("keys", history, "--pin")
    assert run("verify", history, "--no-remember").exit_code == 0
    pages = cut_pages(dealt(3).records)
    copy = write(folder / "copy.shoelog", pages, [sign_pages(pages, key(), 2)])
    assert run("verify", copy, "--no-remember").exit_code == 0
    assert run("verify", history).exit_code == 0
    result = run("verify", copy)
    assert result.exit_code == 1 and "signed two statements" in " ".join(result.output.split())
