"""What no signature covers is said; with a signature required, its want is a finding."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from dealer_script import Dealer, Table
from histories import DEVICE, Script, cut_pages
from shoetool.cli import build
from shoetool.history.chunks import Configuration, SignatureChunk
from shoetool.judge import registry_trust
from shoetool.model.protocol_table import Attempt, FaultCode, MessageKind, RecordKind, Signature
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from signed_histories import SETTINGS, Key, dealt, file_name, flip, key, read, sign_pages, signed_file, write

NOT_SIGNED = "not signed (after the signed end of shoe 1)"
CONFIGURE = int(MessageKind.CONFIG_WRITE)


def added(*more: tuple[str, Sequence[int | bytes]]) -> Script:
    """A closed shoe with records behind its end."""
    script = dealt()
    out = Script(script.first_record, script.boot)
    out.records, out.ticks = list(script.records), script.ticks
    for name, values in more:
        out.add(name, *values)
    return out


def commanded(first_crc: int = 77) -> Script:
    """A closed shoe, and behind its end an accepted command to configure and what it wrote."""
    attempt = (CONFIGURE, int(Attempt.ACCEPTED), 0, 0, bytes(8))
    return added(("attempt", attempt), ("configured", (first_crc,)))


@pytest.fixture
def pins(tmp_path: Path) -> PinStore:
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    return store


def behind(path: Path, trust: Trust | None = None) -> list[str]:
    """Notes that say that records are not signed."""
    return [note for note in verify(path, trust=trust).summary.notes if "not signed (after" in note]


# ------------------------------------------------------------------------------------------------ behind the end


def test_commands_and_settings_behind_the_signed_end_are_marked_not_signed(tmp_path: Path) -> None:
    script = commanded()
    command, settings = script.next - 2, script.next - 1
    path = write(tmp_path / "x.shoelog", script.pages(), [sign_pages(script.pages(), key(), 5)])
    assert behind(path) == [
        f"privileged commands given with the key: config_write 1; {NOT_SIGNED}: record {command}",
        f"settings were written; {NOT_SIGNED}: record {settings}",
    ]
    report = verify(path)
    assert report.ok and report.to_json()["summary"]["behind_signed_end"] == [
        {"shoe": 1, "first": command, "last": settings}
    ]
    shown = CliRunner().invoke(build(), ["verify", str(path)])
    assert shown.exit_code == 0 and shown.output.replace("\n", " ").count("not signed (after") == 2


def test_a_forged_command_behind_the_signed_end_is_believed_by_nobody(tmp_path: Path) -> None:
    """The casino adds or exchanges what stands behind the end, CRCs made anew: it verifies, and is marked."""
    for number, crc in enumerate((77, 78)):
        script = commanded(crc)
        path = write(tmp_path / f"{number}.shoelog", script.pages(), [sign_pages(dealt().pages(), key(), 5)])
        assert verify(path).summary.signatures[0].good and len(behind(path)) == 2


def test_commands_before_the_signed_end_are_not_marked(tmp_path: Path) -> None:
    first = dealt().records[0].number
    table = Dealer(Table(decks=8, seats=0b11), 1)
    table.play_shoe()
    before = Script(first, 0)
    before.add("attempt", CONFIGURE, int(Attempt.ACCEPTED), 0, 0, bytes(8))
    before.add("configured", 77)
    kept = [record for record in dealt().records if not _refers(record.kind)]
    records = [record._replace(number=before.next + place) for place, record in enumerate(kept)]
    pages = cut_pages([*before.records, *records])
    path = write(tmp_path / "x.shoelog", pages, [sign_pages(pages, key(), 5)])
    report = verify(path)
    assert report.summary.signatures[0].good and not behind(path)
    assert report.to_json()["summary"]["behind_signed_end"] == []
    assert any("config_write 1" in note for note in report.summary.notes)


def _refers(kind: int) -> bool:
    return kind in (RecordKind.OPENED, RecordKind.MOVED)


def two_shoes(links: bool = True) -> tuple[list[bytes], list[bytes]]:
    """Pages of a shoe with a command behind its end, and of the shoe that follows on the same device."""
    script = commanded()
    first = script.pages()
    last = sha256(first[-1]).digest() if links else bytes(32)
    shift = script.next - dealt(2).records[0].number
    records = [
        record._replace(
            number=record.number + shift,
            values=(record.values[0] + shift, *record.values[1:]) if _refers(record.kind) else record.values,
        )
        for record in dealt(2).records
    ]
    return first, cut_pages(records, len(first), 2, last)


def test_the_signature_of_a_following_shoe_covers_them(tmp_path: Path) -> None:
    first, second = two_shoes()
    signatures = [sign_pages(first, key(), 5), sign_pages(second, key(), 6)]
    path = write(tmp_path / "x.shoelog", [*first, *second], signatures)
    report = verify(path)
    assert [shoe.good for shoe in report.summary.signatures] == [True, True]
    assert not behind(path) and report.summary.behind_signed_end == []


@pytest.mark.parametrize("how", ["unsigned", "does not continue", "does not hold"])
def test_a_following_shoe_covers_nothing_unless_its_signature_and_its_chain_hold(how: str, tmp_path: Path) -> None:
    first, second = two_shoes(links=how != "does not continue")
    signatures = [sign_pages(first, key(), 5), sign_pages(second, key(), 6)]
    if how == "unsigned":
        del signatures[1]
    if how == "does not hold":
        signatures[1] = SignatureChunk(
            2, Signature.SIGNED, key().public, signatures[1].statement, flip(signatures[1].signature, 90)
        )
    path = write(tmp_path / "x.shoelog", [*first, *second], signatures)
    assert len(behind(path)) == 2, how


def test_a_finding_that_rests_on_records_behind_the_end_says_so(tmp_path: Path) -> None:
    script = added(("fault", (int(FaultCode.JOURNAL_DAMAGED), 0, 0)))
    path = write(tmp_path / "x.shoelog", script.pages(), [sign_pages(script.pages(), key(), 5)])
    marked = [finding for finding in verify(path).findings if NOT_SIGNED[1:] in finding.sentence]
    assert marked and marked[0].sentence.endswith(
        f"Not signed (after the signed end of shoe 1): record {script.next - 1}."
    )


# ------------------------------------------------------------------------------------------------ a stray round


def test_a_finding_about_the_file_carries_no_round(tmp_path: Path) -> None:
    opened = next(record for record in dealt().records if record.kind == RecordKind.ROUND_OPENED)
    script = added(("round_opened", opened.values))
    path = write(tmp_path / "x.shoelog", script.pages(), [sign_pages(dealt().pages(), key(), 5)])
    found = [finding for finding in verify(path).findings if finding.check == registry_trust.SPLICED]
    assert [finding.sentence[:8] for finding in found] == ["Spliced:"] and found[0].round is None


# ------------------------------------------------------------------------------------------------ required


def required(path: Path, pins: PinStore | None) -> Report:
    """The report with a signature required; without it the exit code must stay what it was."""
    return verify(path, trust=Trust(pins, required=True))


def test_a_history_that_a_pinned_key_signed_is_enough(tmp_path: Path, pins: PinStore) -> None:
    assert required(signed_file(tmp_path / "good"), pins).ok
    script = commanded()
    grown = write(tmp_path / "x.shoelog", script.pages(), [sign_pages(script.pages(), key(), 5)])
    assert required(grown, pins).ok, "what stands behind the end is told, and is no play"


def test_an_unsigned_history_is_a_finding(tmp_path: Path) -> None:
    path = write(tmp_path / "x.shoelog", dealt().pages(), [])
    report = required(path, PinStore(tmp_path / "none"))
    assert verify(path).ok and [finding.check for finding in report.findings] == [registry_trust.UNSIGNED]
    assert report.findings[0].sentence.startswith("Unsigned: shoe 1 is not signed")
    state = write(tmp_path / "y.shoelog", dealt().pages(), [SignatureChunk(1, Signature.FAILED)])
    assert [finding.check for finding in required(state, None).findings] == [registry_trust.UNSIGNED]


def test_a_key_that_nobody_pinned_is_a_finding(tmp_path: Path) -> None:
    report = required(signed_file(tmp_path / "good"), PinStore(tmp_path / "none"))
    assert [finding.check for finding in report.findings] == [registry_trust.UNPINNED]
    assert report.findings[0].sentence.startswith("Unpinned: shoe 1 is signed by key ")


def test_a_history_that_is_signed_in_part_is_a_finding(tmp_path: Path, pins: PinStore) -> None:
    first, second = two_shoes()
    under_way = write(tmp_path / "x.shoelog", [*first, *second[:-1]], [sign_pages(first, key(), 5)])
    closed = write(tmp_path / "y.shoelog", [*first, *second], [sign_pages(first, key(), 5)])
    for path in (under_way, closed):
        report = required(path, pins)
        assert registry_trust.UNSIGNED in {finding.check for finding in report.findings}, path
    checks = {finding.check for finding in verify(under_way).findings}
    assert not checks & set(registry_trust.TRUST_CHECKS), "nobody asked for signatures"
    assert any("history 2 (pages " in f.sentence and "under no signature" in f.sentence for f in
               required(under_way, pins).findings)  # fmt: skip


def test_a_mere_start_is_a_finding(tmp_path: Path, pins: PinStore) -> None:
    script = Script(0, 0)
    script.add("boot", 0, b"\0\1\0", 0, 2)
    path = write(tmp_path / "x.shoelog", script.pages(shoe=0), [])
    assert verify(path).ok and [f.check for f in required(path, pins).findings] == [registry_trust.UNSIGNED]


def test_a_signature_that_does_not_hold_or_is_of_another_key_is_a_finding_as_ever(
    tmp_path: Path, pins: PinStore
) -> None:
    pages, _ = read(signed_file(tmp_path / "good"))
    other = write(tmp_path / "x.shoelog", pages, [sign_pages(pages, Key("forger"), 0)])
    assert [finding.check for finding in required(other, pins).findings] == [registry_trust.OTHER_KEY]


def test_the_command_leaves_with_1_and_says_why(tmp_path: Path) -> None:
    path = signed_file(tmp_path / "good")
    call = ["verify", str(path), "--keys", str(tmp_path / "none")]
    assert CliRunner().invoke(build(), call).exit_code == 0, "the default is what it was"
    shown = CliRunner().invoke(build(), [*call, "--require-signature"])
    assert shown.exit_code == 1 and "Unpinned: shoe 1" in shown.output
    document = json.loads(CliRunner().invoke(build(), [*call, "--require-signature", "--json"]).stdout)
    assert document["files"][0]["report"]["findings"][0]["check"] == registry_trust.UNPINNED


# ------------------------------------------------------------------------------------------------ settings


def test_settings_in_the_file_that_are_not_the_signed_ones_are_named(tmp_path: Path) -> None:
    """Both the CRC that stands beside them and the one that they have count: a forger changes the values alone."""
    pages, signatures = read(signed_file(tmp_path / "good"))
    forged = (Configuration(SETTINGS.crc, ((1, 0), (3, 8))), Configuration(7, SETTINGS.pairs))
    for number, settings in enumerate(forged):
        path = write(tmp_path / f"{number}.shoelog", pages, signatures, settings=settings)
        notes = verify(path).summary.notes
        assert sum("the settings in this file are not those" in note for note in notes) == 1
    good = write(tmp_path / file_name(), pages, signatures)
    assert not any("the settings in this file" in note for note in verify(good).summary.notes)
    assert verify(good).to_json()["summary"]["signatures"][0]["config_crc"] == SETTINGS.crc
