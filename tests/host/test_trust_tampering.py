"""Each way of tampering with a signed history is named; each tampered copy differs, and the untampered one passes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from histories import DEVICE, IDENTITY, cut_pages
from shoetool.history.chunks import SignatureChunk
from shoetool.judge import registry_trust
from shoetool.model.protocol_table import RecordKind, Signature
from shoetool.report.trust import doubt, signed_lines
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify import BREACH, Report, context, verify
from signed_histories import (
    Key,
    chained,
    dealt,
    edited_records,
    file_name,
    flip,
    key,
    read,
    sign_pages,
    signed_file,
    with_header,
    write,
)

OTHER = b"OTHERSHO"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = signed_file(tmp_path / "good")
    report = verify(path)
    assert report.ok and report.summary.signatures[0].good, [finding.sentence for finding in report.findings]
    return path


def names(report: Report) -> set[str]:
    """Checks of signatures that found something."""
    return {finding.check for finding in report.findings} & set(registry_trust.TRUST_CHECKS)


def tampered(good: Path, folder: Path, how: Callable[[list[bytes], list[SignatureChunk]], object]) -> Path:
    """A copy under the same name with its pages and signatures changed in place; it must differ."""
    pages, signatures = read(good)
    how(pages, signatures)
    folder.mkdir()
    path = write(folder / good.name, pages, signatures)
    assert path.read_bytes() != good.read_bytes(), "nothing was tampered with"
    return path


def judge(good: Path, folder: Path, how: Callable[[list[bytes], list[SignatureChunk]], object]) -> Report:
    """Report of a tampered copy; its signature must not be called good, and the original must pass still."""
    report = verify(tampered(good, folder, how))
    assert not report.ok and not any(shoe.good for shoe in report.summary.signatures)
    assert verify(good).ok
    return report


def test_each_name_is_in_the_words_that_an_analyst_reads(good: Path, tmp_path: Path) -> None:
    """In the sentence, in the line about the signature and in the document: not in the name of a check alone."""

    def swap(pages: list[bytes], _: list[SignatureChunk]) -> None:
        pages[0], pages[1] = pages[1], pages[0]

    for number, (name, how) in enumerate(
        {
            "edited": lambda pages, _: pages.__setitem__(1, flip(pages[1], 900)),
            "cut": lambda pages, _: pages.pop(1),
            "spliced": lambda pages, _: pages.__setitem__(1, cut_pages(dealt(2).records, 0, 7)[1]),
            "reordered": swap,
            "replayed": lambda pages, _: pages.__setitem__(
                slice(None), chained([with_header(page, shoe=2) for page in pages])
            ),
        }.items()
    ):
        report = judge(good, tmp_path / str(number), how)
        assert any(f.sentence.startswith(f"{name.capitalize()}: ") for f in report.findings), name
        assert report.summary.signatures[0].found == (name,)
        shown = "\n".join(line.plain for line in signed_lines(report.summary.signatures))
        assert f"SIGNATURE DOES NOT HOLD: {name}" in shown
        assert report.to_json()["summary"]["signatures"][0]["found"] == [name]


def test_what_was_done_stands_before_its_consequences(good: Path, tmp_path: Path) -> None:
    """In the list of findings, which text and document share; the others keep the order of their records."""
    foreign = with_header(cut_pages(dealt(2).records)[1], device=OTHER)
    report = judge(good, tmp_path / "bad", lambda pages, _: pages.__setitem__(1, foreign))
    acts = [finding.check in registry_trust.ACTS for finding in report.findings]
    assert acts.count(False) >= 2 and acts[0], "no consequence before which it could stand"
    assert acts == sorted(acts, reverse=True) and report.findings[0].check == registry_trust.SPLICED
    others = [finding.order for finding in report.findings if finding.check not in registry_trust.ACTS]
    assert others == sorted(others) and others[0] < report.findings[0].order, "by its record alone it would be later"
    assert report.to_json()["findings"][0]["check"] == registry_trust.SPLICED


def test_what_was_done_is_not_lost_among_too_many_consequences(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "MOST_FINDINGS", 2)
    foreign = cut_pages(dealt(2).records, 0, 7)[1]
    report = judge(good, tmp_path / "bad", lambda pages, _: pages.__setitem__(1, foreign))
    assert report.summary.dropped > 0 and report.findings[0].check == registry_trust.SPLICED


# -------------------------------------------------------------------------------------------------------- edited


def test_a_flipped_bit_in_a_page_is_named_edited_with_the_page(good: Path, tmp_path: Path) -> None:
    report = judge(good, tmp_path / "bad", lambda pages, _: pages.__setitem__(1, flip(pages[1], 900)))
    assert names(report) == {registry_trust.EDITED}
    assert "Edited: page 1 " in next(f.sentence for f in report.findings if f.check == registry_trust.EDITED)


def test_a_card_edited_by_a_forger_who_computes_crcs_and_chain_anew_is_caught_by_the_signature(
    good: Path, tmp_path: Path
) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[:] = cut_pages(edited_records(dealt()))

    report = judge(good, tmp_path / "bad", forge)
    assert report.summary.chain_ok, "the forger's chain must be perfect, or the signature catches nothing of its own"
    assert names(report) == {registry_trust.EDITED}
    finding = next(f for f in report.findings if f.check == registry_trust.EDITED)
    assert finding.verdict == BREACH and "CRCs and chain included" in finding.sentence


def test_the_last_page_alone_edited_is_caught_by_the_head(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[:] = [*pages[:-1], *cut_pages(edited_records(dealt(), late=True))[len(pages) - 1 :]]
        pages[:] = chained(pages)

    assert registry_trust.EDITED in names(judge(good, tmp_path / "bad", forge))


def test_a_first_record_renumbered_is_edited(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[0] = with_header(pages[0], first_record=1)
        pages[:] = chained(pages)

    assert registry_trust.EDITED in names(judge(good, tmp_path / "bad", forge))


# ----------------------------------------------------------------------------------------------------------- cut


@pytest.mark.parametrize(("which", "words"), [(0, "page 0 is missing"), (1, "page 1 is missing"), (-1, "is missing")])
def test_a_page_that_was_taken_out_is_named_cut_with_its_number(
    which: int, words: str, good: Path, tmp_path: Path
) -> None:
    report = judge(good, tmp_path / "bad", lambda pages, _: pages.pop(which))
    assert names(report) == {registry_trust.CUT}
    assert words in next(f.sentence for f in report.findings if f.check == registry_trust.CUT)


def test_a_middle_cut_out_and_the_rest_renumbered_and_chained_is_cut(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        del pages[1]
        pages[:] = chained([with_header(page, page=number) for number, page in enumerate(pages)])

    assert names(judge(good, tmp_path / "bad", forge)) == {registry_trust.CUT}


def test_a_signature_taken_out_shows_against_a_pin(good: Path, tmp_path: Path) -> None:
    path = tampered(good, tmp_path / "bad", lambda _, signatures: signatures.clear())
    assert names(verify(path)) == set(), "without a pin nobody can know that there was one"
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    assert names(verify(path, trust=Trust(store))) == {registry_trust.UNSIGNED}


def test_a_signature_taken_out_shows_by_the_shoes_own_record(tmp_path: Path) -> None:
    script = dealt()
    shoe = type(script)(script.first_record, script.boot)
    shoe.records, shoe.ticks = list(script.records), script.ticks
    shoe.add("signed", 1, Signature.SIGNED, 0, key().identifier)
    pages = shoe.pages()
    with_signature = write(tmp_path / "whole.shoelog", pages, [sign_pages(pages, key(), 3)])
    assert verify(with_signature).ok
    assert names(verify(write(tmp_path / "bare.shoelog", pages, []))) == {registry_trust.CUT}


@pytest.mark.parametrize("left", [1, 3, 7, 11, 12, 500, -1])
def test_a_file_that_ends_within_its_signature_is_cut_off_and_nothing_was_taken_out(left: int, tmp_path: Path) -> None:
    """`left` bytes of the chunk are there, from its first to all but its last."""
    script = dealt()
    shoe = type(script)(script.first_record, script.boot)
    shoe.records, shoe.ticks = list(script.records), script.ticks
    shoe.add("signed", 1, Signature.SIGNED, 0, key().identifier)
    for name, pages in (("told", shoe.pages()), ("untold", script.pages())):
        bare = write(tmp_path / f"{name}.shoelog", pages, []).stat().st_size
        path = write(tmp_path / f"{name}.shoelog", pages, [sign_pages(pages, key(), 3)])
        assert verify(path).ok
        data = path.read_bytes()
        path.write_bytes(data[: bare + left] if left > 0 else data[:left])
        report = verify(path)
        assert names(report) == {registry_trust.CUT}
        sentence = next(f.sentence for f in report.findings if f.check == registry_trust.CUT)
        assert "cut off within its signature" in sentence and "taken out" not in sentence


def test_a_signature_whose_bytes_are_damaged_is_not_called_cut_off(tmp_path: Path) -> None:
    pages = dealt().pages()
    path = write(tmp_path / "bent.shoelog", pages, [sign_pages(pages, key(), 3)])
    path.write_bytes(flip(path.read_bytes(), -100))
    assert not any("cut off" in finding.sentence for finding in verify(path).findings)


# ------------------------------------------------------------------------------------------------------- spliced


def test_a_page_of_another_shoe_in_between_is_named_spliced(good: Path, tmp_path: Path) -> None:
    foreign = cut_pages(dealt(2).records, 0, 7)

    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[1] = foreign[1]

    report = judge(good, tmp_path / "bad", forge)
    assert names(report) == {registry_trust.SPLICED}
    assert "shoe 7" in next(f.sentence for f in report.findings if f.check == registry_trust.SPLICED)


def test_a_page_of_another_device_chained_in_is_named_spliced(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[1] = with_header(cut_pages(dealt(2).records)[1], device=OTHER)
        pages[:] = chained(pages)

    report = judge(good, tmp_path / "bad", forge)
    assert names(report) == {registry_trust.SPLICED}
    assert OTHER.hex() in next(f.sentence for f in report.findings if f.check == registry_trust.SPLICED)


# ----------------------------------------------------------------------------------------------------- reordered


def test_two_pages_exchanged_are_named_reordered(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[1], pages[2] = pages[2], pages[1]

    assert names(judge(good, tmp_path / "bad", forge)) == {registry_trust.REORDERED}


def test_two_pages_exchanged_and_renumbered_are_named_reordered(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[0], pages[1] = with_header(pages[1], page=0), with_header(pages[0], page=1)

    def forge_chain(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        forge(pages, signatures)
        pages[:] = chained(pages)

    for folder, how in (("bad", forge), ("worse", forge_chain)):
        report = judge(good, tmp_path / folder, how)
        assert report.summary.signatures[0].found == ("reordered",)
        assert registry_trust.REORDERED in names(report)


# ------------------------------------------------------------------------------------------------------ replayed


def test_a_history_under_the_name_of_another_shoe_is_named(good: Path, tmp_path: Path) -> None:
    path = tmp_path / file_name(shoe=2)
    path.write_bytes(good.read_bytes())
    report = verify(path)
    assert names(report) == {registry_trust.REPLAYED} and "named as shoe 2" in report.findings[0].sentence
    copy = tmp_path / "last night.shoelog"
    copy.write_bytes(good.read_bytes())
    assert verify(copy).ok, "a file may have any other name"


def test_a_signature_of_another_shoe_is_named(good: Path, tmp_path: Path) -> None:
    _, foreign = read(signed_file(tmp_path / "other", seed=2, shoe=2))
    report = judge(good, tmp_path / "bad", lambda _, signatures: signatures.__setitem__(0, foreign[0]))
    assert names(report) == {registry_trust.REPLAYED}


def test_a_shoe_renumbered_as_another_one_is_named(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[:] = chained([with_header(page, shoe=2) for page in pages])
        signatures[0] = dataclasses.replace(signatures[0], shoe=2)

    assert names(judge(good, tmp_path / "bad", forge)) == {registry_trust.REPLAYED}


def test_a_history_of_another_device_is_named(good: Path, tmp_path: Path) -> None:
    pages, signatures = read(good)
    path = write(tmp_path / "x.shoelog", pages, signatures, dataclasses.replace(IDENTITY, device=OTHER))
    report = verify(path)
    assert names(report) == {registry_trust.REPLAYED} and OTHER.hex() in report.findings[0].sentence


# ------------------------------------------------------------------------------------------------ keys and indices


def test_a_forger_with_a_key_of_his_own_is_caught_by_the_pin(good: Path, tmp_path: Path) -> None:
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))

    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        pages[:] = cut_pages(edited_records(dealt()))
        signatures[:] = [sign_pages(pages, Key("forger"), 0)]

    path = tampered(good, tmp_path / "bad", forge)
    unpinned = verify(path)
    assert unpinned.summary.signatures[0].good and unpinned.summary.signatures[0].pinned is None
    report = verify(path, trust=Trust(store))
    assert names(report) == {registry_trust.OTHER_KEY}
    assert report.summary.signatures[0].pinned is False and not report.summary.signatures[0].good
    assert verify(good, trust=Trust(store)).summary.signatures[0].pinned


def test_a_statement_or_signature_that_was_changed_does_not_verify(good: Path, tmp_path: Path) -> None:
    def more_pages(_: list[bytes], signatures: list[SignatureChunk]) -> None:
        statement = Statement.unpack(signatures[0].statement)
        signatures[0] = dataclasses.replace(signatures[0], statement=dataclasses.replace(statement, shoe=9).pack())

    def bent(_: list[bytes], signatures: list[SignatureChunk]) -> None:
        signatures[0] = dataclasses.replace(signatures[0], signature=flip(signatures[0].signature, 500))

    for number, how in enumerate((more_pages, bent)):
        assert names(judge(good, tmp_path / str(number), how)) == {registry_trust.FORGED}


def test_a_statement_that_is_none_does_not_verify(good: Path, tmp_path: Path) -> None:
    def spoil(_: list[bytes], signatures: list[SignatureChunk]) -> None:
        signatures[0] = dataclasses.replace(signatures[0], statement=bytes(94))

    assert names(judge(good, tmp_path / "bad", spoil)) == {registry_trust.FORGED}


def test_an_index_used_twice_is_named_across_files_given_together(good: Path, tmp_path: Path) -> None:
    """A thief with a copy of the key signs an edited history with an index that the shoe has used."""
    index = Statement.unpack(read(good)[1][0].statement).index
    pages = cut_pages(dealt(3).records)
    copy = write(tmp_path / "copy.shoelog", pages, [sign_pages(pages, key(), index)])
    assert verify(copy).ok, "alone it looks genuine"
    trust = Trust()
    assert verify(good, trust=trust).ok
    report = verify(copy, trust=trust)
    assert names(report) == {registry_trust.REUSED} and str(good) in report.findings[-1].sentence


def test_an_index_used_twice_is_named_from_the_memory_of_the_pins(good: Path, tmp_path: Path) -> None:
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    assert verify(good, trust=Trust(store, remember=True)).ok
    index = Statement.unpack(read(good)[1][0].statement).index
    pages = cut_pages(dealt(3).records)
    copy = write(tmp_path / "copy.shoelog", pages, [sign_pages(pages, key(), index)])
    fresh = Trust(PinStore(tmp_path / "keys"), remember=True)
    assert names(verify(copy, trust=fresh)) == {registry_trust.REUSED}
    assert verify(good, trust=Trust(PinStore(tmp_path / "keys"), remember=True)).ok, "the first one stays right"


def test_an_index_is_remembered_although_the_pages_beside_it_were_edited(good: Path, tmp_path: Path) -> None:
    """A forger spoils the genuine history first, so that its index is not known when his own comes."""
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    spoilt = tampered(good, tmp_path / "bad", lambda pages, _: pages.__setitem__(1, flip(pages[1], 900)))
    assert not verify(spoilt, trust=Trust(store, remember=True)).ok
    index = Statement.unpack(read(good)[1][0].statement).index
    pages = cut_pages(dealt(3).records)
    copy = write(tmp_path / "copy.shoelog", pages, [sign_pages(pages, key(), index)])
    assert names(verify(copy, trust=Trust(PinStore(tmp_path / "keys")))) == {registry_trust.REUSED}


@pytest.mark.parametrize(
    "changes",
    [
        {"first_page": 9, "last_page": 2},
        {"first_record": 99_999},
        {"end": 0, "head": sha256(b"").digest()},
        {"end": 60_000},
    ],
)
def test_a_statement_that_cannot_be_of_a_shoe_is_forged_whoever_signed_it(
    changes: dict[str, Any], good: Path, tmp_path: Path
) -> None:
    forger = Key("forger")

    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        own = Statement.unpack(sign_pages(pages, forger, 0).statement)
        statement = dataclasses.replace(own, **changes).pack()
        signatures[:] = [
            SignatureChunk(own.shoe, Signature.SIGNED, forger.public, statement, forger.sign(statement, 0))
        ]

    assert names(judge(good, tmp_path / "bad", forge)) == {registry_trust.FORGED}


def test_a_page_of_the_shoe_before_those_that_were_signed_is_named_spliced(good: Path, tmp_path: Path) -> None:
    def forge(pages: list[bytes], signatures: list[SignatureChunk]) -> None:
        signatures[:] = [sign_pages(pages[1:], Key("forger"), 0)]

    assert names(judge(good, tmp_path / "bad", forge)) == {registry_trust.SPLICED}


def test_a_key_that_nobody_pinned_is_not_called_the_shoes(good: Path, tmp_path: Path) -> None:
    """A forger signs with his own key: without a pin nothing that is printed says that the device signed."""
    shown = "\n".join(line.plain for line in signed_lines(verify(good).summary.signatures))
    assert "signed, but nobody knows by whom" in shown and "signed by device" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert doubt(verify(good).summary.signatures) == "signed by a key that is not pinned"
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    signatures = verify(good, trust=Trust(store)).summary.signatures
    assert f"signed by device {DEVICE.hex()}" in "\n".join(line.plain for line in signed_lines(signatures))
    assert not doubt(signatures)
    bare = tampered(good, tmp_path / "bad", lambda _, signatures: signatures.clear())
    assert doubt(verify(bare).summary.signatures) == "not signed"


def test_the_same_history_twice_is_no_reuse(good: Path, tmp_path: Path) -> None:
    trust = Trust()
    assert verify(good, trust=trust).ok and verify(good, trust=trust).ok


# ------------------------------------------------------------------------------------------------------- unsigned


@pytest.mark.parametrize("state", [Signature.USED_UP, Signature.FAILED])
def test_a_shoe_that_closed_unsigned_says_why(state: Signature, tmp_path: Path) -> None:
    pages = dealt().pages()
    path = write(tmp_path / "unsigned.shoelog", pages, [SignatureChunk(1, state)])
    report = verify(path)
    assert report.ok and not report.summary.signatures[0].signed and report.summary.signatures[0].why
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    assert names(verify(path, trust=Trust(store))) == {registry_trust.UNSIGNED}


def test_a_shoe_that_was_fetched_before_it_was_signed_and_again_afterwards_is_signed(
    good: Path, tmp_path: Path
) -> None:
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    pages, signatures = read(good)
    both = write(tmp_path / "twice.shoelog", pages, [SignatureChunk(1, Signature.PENDING), *signatures])
    report = verify(both, trust=Trust(store))
    assert report.ok and [shoe.good for shoe in report.summary.signatures] == [True]


def test_a_round_behind_the_end_of_a_signed_shoe_is_named_spliced(tmp_path: Path) -> None:
    """The forger leaves all that was signed as it is and adds a round that nobody signed."""
    script = dealt()
    shoe = type(script)(script.first_record, script.boot)
    shoe.records, shoe.ticks = list(script.records), script.ticks
    signature = sign_pages(script.pages(), key(), 4)
    opened = next(record for record in script.records if record.kind == RecordKind.ROUND_OPENED)
    shoe.add("round_opened", *opened.values)
    store = PinStore(tmp_path / "keys")
    store.pin(DEVICE, PublicKey(key().public))
    report = verify(write(tmp_path / "grown.shoelog", shoe.pages(), [signature]), trust=Trust(store))
    assert registry_trust.SPLICED in names(report) and not report.summary.signatures[0].good


def test_records_behind_the_end_of_a_shoe_are_not_signed_and_change_nothing(tmp_path: Path) -> None:
    script = dealt()
    shoe = type(script)(script.first_record, script.boot)
    shoe.records, shoe.ticks = list(script.records), script.ticks
    signature = sign_pages(script.pages(), key(), 4)
    shoe.add("boot", 0, b"\0\1\0", 0, 2)
    path = write(tmp_path / "grown.shoelog", shoe.pages(), [signature])
    assert sha256(path.read_bytes()) and verify(path).summary.signatures[0].good


def test_a_round_behind_the_end_of_the_second_shoe_of_a_file_is_that_shoe_s(tmp_path: Path) -> None:
    first, script = dealt(), dealt(2)
    before = cut_pages(first.records, 0, 1)
    numbers = [record._replace(number=first.next + at) for at, record in enumerate(script.records)]
    opened = next(record for record in script.records if record.kind == RecordKind.ROUND_OPENED)
    behind = opened._replace(number=first.next + len(numbers))
    previous = sha256(before[-1]).digest()
    pages = cut_pages(numbers, len(before), 2, previous)
    grown = cut_pages([*numbers, behind], len(before), 2, previous)
    signatures = [sign_pages(before, key(), 6), sign_pages(pages, key(), 7)]
    report = verify(write(tmp_path / "grown.shoelog", [*before, *grown], signatures))
    assert [shoe.good for shoe in report.summary.signatures] == [True, False]
    (told,) = [finding.sentence for finding in report.findings if finding.check == registry_trust.SPLICED]
    assert f"a round stands in record {behind.number}, " in told and "shoe 2 ended" in told
