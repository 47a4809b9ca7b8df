"""`shoetool doctor`: what it says of a shoe, part by part, and that it makes nothing good that it did not see."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from evidence_files import kind_at
from jsonschema import Draft202012Validator
from pty_shoe import PtyShoe, short_shoe
from shoe.service_error import ServiceError
from shoetool.cli import build, health
from shoetool.client.authority import AuthorityClient, CommandKey
from shoetool.client.key_file import write_new
from shoetool.model.cards import card_name
from shoetool.model.file_kinds import SUPPORT
from shoetool.model.protocol_table import MINOR, Error, FaultCode, Setting, Signing


@pytest.fixture
def shoe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PtyShoe]:
    """A shoe that was never asked before, in good order: closed, fetched, with a clock that runs as this one."""
    monkeypatch.setattr(health, "CLOCK_S", 0.05)
    monkeypatch.setenv("SHOETOOL_KEYS", str(tmp_path / "keys"))
    with PtyShoe() as one:
        one.service.protocol = (1, MINOR)
        one.service.closed = True
        one.service.fetched = {1}
        one.service.ticks = lambda: (1, int(time.monotonic() * 1000) & 0x3FFFFFFF, 0, 0)  # type: ignore[method-assign]
        yield one


def doctor(shoe: PtyShoe, *more: str) -> Result:
    return CliRunner().invoke(build(), ["doctor", "--port", shoe.port, *more])


def parts(shoe: PtyShoe, *more: str) -> dict[str, dict[str, str]]:
    found = doctor(shoe, "--json", *more)
    document: dict[str, Any] = json.loads(found.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "doctor.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert (found.exit_code == 0) == (document["verdict"] == "good")
    return {one["part"]: one for one in document["parts"]}


def test_each_part_is_looked_at(shoe: PtyShoe) -> None:
    found = parts(shoe)
    good = {name for name, one in found.items() if one["verdict"] == "good"}
    assert {"line", "clock", "firmware", "faults", "self-test", "journal", "settings", "side A"} <= good
    assert all(one["act"] for one in found.values() if one["verdict"] != "good"), "what is not good says what to do"


@pytest.mark.parametrize(
    ("part", "verdict", "change"),
    [
        ("self-test", "bad", {"self_test_result": (1, 0b100)}),
        ("journal", "look", {"fetched": set()}),
        ("firmware", "look", {"protocol": (1, 0)}),
        ("firmware", "look", {"protocol": (1, MINOR + 1)}),
    ],
)
def test_what_is_wrong_is_named(shoe: PtyShoe, part: str, verdict: str, change: dict[str, object]) -> None:
    for name, value in change.items():
        setattr(shoe.service, name, value)
    found = parts(shoe)[part]
    assert found["verdict"] == verdict and found["act"]
    shown = doctor(shoe).stdout
    assert (found["act"] in shown and part in shown.splitlines()[-1]) or verdict == "look"


def test_a_fault_says_what_to_do(shoe: PtyShoe) -> None:
    status = list(shoe.service.status())
    status[1] = int(FaultCode.HEAD_DIRTY)
    shoe.service.status = lambda: tuple(status)  # type: ignore[method-assign]
    found = parts(shoe)["faults"]
    assert found["verdict"] == "bad" and "lean" in found["said"]
    assert doctor(shoe).stdout.splitlines()[-1].startswith("Do not deal with it: faults")


def test_a_self_test_that_is_refused_is_not_passed(shoe: PtyShoe) -> None:
    def refuse() -> tuple[object, ...]:
        raise ServiceError(Error.NOT_ALLOWED_NOW)

    shoe.service.self_test = refuse  # type: ignore[method-assign]
    found = parts(shoe)["self-test"]
    assert found["verdict"] == "not known" and "round" in found["said"]
    last = doctor(shoe).stdout.splitlines()[-1]
    assert last.startswith("It deals, but look at: ") and last.endswith(" Not known: self-test.")


def test_what_its_own_self_test_recorded_is_no_history_to_fetch(shoe: PtyShoe) -> None:
    """Else nobody could ever make the journal good: each look at a fetched history makes it grow."""

    def recorded() -> tuple[object, ...]:
        shoe.service.fetched = set()
        return (0, 0)

    shoe.service.self_test = recorded  # type: ignore[method-assign]
    found = parts(shoe)
    assert found["self-test"]["verdict"] == "good" and not shoe.service.fetched
    assert found["journal"]["verdict"] == "good"


@pytest.mark.parametrize(("needs_key", "damaged"), [(False, False), (True, False), (True, True)])
def test_what_fetches_the_histories_of_a_provisioned_shoe_names_its_key_file(
    shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch, needs_key: bool, damaged: bool
) -> None:
    monkeypatch.setattr(AuthorityClient, "needs_key", lambda _: needs_key)
    monkeypatch.setattr(AuthorityClient, "is_damaged", lambda _: damaged)
    shoe.service.fetched = set()
    assert ("--key" in parts(shoe)["journal"]["act"]) == (needs_key and not damaged)


def test_settings_that_are_not_told_are_not_good(shoe: PtyShoe) -> None:
    del shoe.service.config[Setting.DECKS]
    assert parts(shoe)["settings"]["verdict"] == "not known"


@pytest.mark.parametrize("batch", [Setting.BATCH_A, Setting.BATCH_B])
def test_without_the_batches_of_the_shoe_no_card_is_asked_for(shoe: PtyShoe, batch: Setting) -> None:
    """A guess would call the right card one of another batch, or a wrong one right."""
    del shoe.service.config[batch]
    found = parts(shoe, "--deal")["test deal"]
    assert found["verdict"] == "not known" and "does not tell its batches" in found["said"]
    assert found["act"] == "update it"


@pytest.mark.parametrize(("option", "part"), [("--deal", "test deal"), ("--hands-on", "test cards")])
def test_without_the_key_of_a_provisioned_shoe_no_card_is_asked_for(
    shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch, option: str, part: str
) -> None:
    monkeypatch.setattr(AuthorityClient, "needs_key", lambda _: True)
    done = CliRunner().invoke(build(), ["doctor", "--json", "--port", shoe.port, option], input="y\ny\n")
    found = {one["part"]: one for one in json.loads(done.stdout)["parts"]}
    assert found[part]["verdict"] == "not known" and "this shoe is provisioned" in found[part]["said"]
    assert "--key" in found[part]["act"] and not any(name.startswith(f"{part[:9]}, ") for name in found)
    assert "throat" not in done.stderr and " pull " not in done.stderr


@pytest.mark.parametrize("with_key", [False, True])
@pytest.mark.parametrize(("option", "part"), [("--deal", "test deal"), ("--hands-on", "test cards")])
def test_where_the_stored_key_is_damaged_nobody_is_told_to_look_for_the_key_file(
    shoe: PtyShoe, tmp_path: Path, option: str, part: str, with_key: bool
) -> None:
    """No key file helps: the flash must be erased, and before that the histories fetched."""
    shoe.damage_key()
    write_new(tmp_path / "one.shoekey", CommandKey(shoe.service.device, bytes(range(32))))
    key = ["--key", str(tmp_path / "one.shoekey")] if with_key else []
    done = CliRunner().invoke(build(), ["doctor", "--json", "--port", shoe.port, option, *key], input="y\ny\n")
    found = {one["part"]: one for one in json.loads(done.stdout)["parts"]}
    assert found[part]["verdict"] == "not known" and "stored key is damaged" in found[part]["said"]
    assert found["commands"]["verdict"] == "bad"
    for one in (part, "commands"):
        assert found[one]["act"].startswith("fetch the histories, then erase the shoe's flash"), found[one]
        assert "--key" not in found[one]["act"] + found[one]["said"]
    assert not any(name.startswith(f"{part[:9]}, ") for name in found)
    assert "throat" not in done.stderr and " pull " not in done.stderr


@pytest.mark.parametrize(("option", "part"), [("--deal", "test deal, side A"), ("--hands-on", "test card, side A")])
def test_where_a_shoe_is_open_it_is_to_be_closed_first(shoe: PtyShoe, option: str, part: str) -> None:
    done = CliRunner().invoke(build(), ["doctor", "--json", "--port", shoe.port, option], input="y\ny\n")
    found = {one["part"]: one for one in json.loads(done.stdout)["parts"]}[part]
    assert found["verdict"] == "not known" and "while a shoe is open" in found["said"]
    assert found["act"].startswith("close the shoe first (panel key close shoe)")


@pytest.mark.parametrize("faster", [0.5, 2.0])
def test_a_clock_that_runs_wrong_is_found(shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch, faster: float) -> None:
    monkeypatch.setattr(health, "CLOCK_S", 0.4)
    ticks = lambda: (1, int(time.monotonic() * 1000 * faster) & 0x3FFFFFFF, 0, 0)  # noqa: E731
    shoe.service.ticks = ticks  # type: ignore[method-assign]
    assert parts(shoe)["clock"]["verdict"] == "bad"
    shoe.service.board = b"virtual"
    found = parts(shoe)["clock"]
    assert found["verdict"] == "not known" and "simulation" in found["act"], "nobody replaces a board that is none"


def test_a_start_while_it_is_watched_is_found(shoe: PtyShoe) -> None:
    asked = iter(range(1000))
    shoe.service.ticks = lambda: (next(asked), 5, 5, 0)  # type: ignore[method-assign]
    found = parts(shoe)["clock"]
    assert found["verdict"] == "bad" and "started anew" in found["said"]


def test_a_bad_line_is_measured(shoe: PtyShoe) -> None:
    shoe.noise = b"\x00\x11\x22\x00"
    assert parts(shoe)["line"]["verdict"] in ("look", "bad")


@pytest.mark.parametrize(
    ("state", "verdict"),
    [(Signing.MAKING, "look"), (Signing.READY, "look"), (Signing.USED_UP, "bad"), (Signing.DAMAGED, "bad")],
)
def test_signing_is_good_only_with_a_pinned_key(shoe: PtyShoe, state: int, verdict: str) -> None:
    shoe.service.signing_key = lambda: (state, 10, 3, 1024, 1024, bytes(56))  # type: ignore[method-assign]
    assert parts(shoe)["signing"]["verdict"] == verdict


def test_a_head_that_was_never_calibrated_or_must_be_cleaned_is_no_good_head(shoe: PtyShoe) -> None:
    line = 4 * struct.pack("<HHH", 65535, 12000, 52000)
    for margin, soon in ((255, 0), (30, 1)):
        levels = lambda head, margin=margin, soon=soon: (head, 255, 32000, margin, soon, 0, 0, 63, line)  # noqa: E731
        shoe.service.levels = levels  # type: ignore[method-assign]
        found = parts(shoe)["side A"]
        assert found["verdict"] == "look" and ("clean" in found["act"] or "calibrate" in found["act"])


def test_the_support_file_holds_no_card(shoe: PtyShoe, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    found = doctor(shoe, "--support", str(file))
    text = file.read_text(encoding="utf-8")
    document = json.loads(text)
    assert kind_at(file) is SUPPORT and doctor(shoe, "--support", str(file)).exit_code == found.exit_code
    assert "support file" in found.stdout and document["facts"]["identity"]["device"] == b"SHOE0001".hex()
    assert document["facts"]["line"]["requests"] == health.ASKED
    drawn = [record.values for record in short_shoe().records if record.name in ("card", "opened")]
    assert drawn and not any(card_name(card) in text for card in range(52))
    assert not {"records", "trace", "edges", "card", "pages"} & set(document["facts"])
