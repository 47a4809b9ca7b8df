"""The chain of pages: every change, gap and damage is named with its page and record."""

from __future__ import annotations

import hashlib
import struct
from binascii import crc32

import pytest
from histories import Script, cut_pages, pack_page, pack_record
from hypothesis import given
from hypothesis import strategies as st
from shoetool.history import torn_step
from shoetool.history.chain import PageChain
from shoetool.model.records import Record


def some_script(count: int = 450) -> Script:
    script = Script(first_record=100)
    script.add("boot", 0, b"\x00\x01\x00", 0x1234, 7)
    for index in range(count):
        script.add("card", 3, 1 + index % 7, 0, 0, index % 52, 1, 300, 200)
    return script


def read(pages: list[bytes]) -> tuple[list[Record], PageChain]:
    chain = PageChain()
    records = [record for page in pages for record in chain.feed(page)]
    records += chain.end()
    return records, chain


def test_a_whole_chain_has_no_problem() -> None:
    script = some_script()
    records, chain = read(script.pages(first_page=17))
    assert records == script.records
    assert chain.ok and chain.problems == []
    assert (chain.pages, chain.records, chain.first_record, chain.last_record) == (3, 451, 100, 550)


def test_a_changed_record_is_named_even_when_its_crc_was_made_to_fit() -> None:
    script = some_script()
    pages = script.pages()
    forged = list(script.records)
    forged[10] = forged[10]._replace(values=(3, 1, 0, 0, 51, 1, 300, 200))
    pages[0] = cut_pages(forged)[0]
    records, chain = read(pages)
    assert records == forged
    assert [(p.kind, p.page, p.record) for p in chain.problems] == [("chain", 1, pages_first(pages[1]))]
    assert not chain.ok


def pages_first(page: bytes) -> int:
    return int(struct.unpack_from("<I", page, 16)[0])


@pytest.mark.parametrize("place", [1, 2, 7, 20])
def test_a_damaged_record_is_named_and_its_neighbours_are_kept(place: int) -> None:
    script = some_script()
    pages = script.pages()
    offset = 64 + sum(len(pack_record(record)) for record in script.records[:place])
    page = bytearray(pages[0])
    page[offset + 6] ^= 1
    pages[0] = bytes(page)
    records, chain = read(pages)
    assert records == script.records[:place] + script.records[place + 1 :]
    assert next((p.kind, p.record) for p in chain.problems) == ("record", 100 + place)
    assert not chain.ok


def test_the_damaged_last_record_of_a_full_page_is_not_taken_for_a_torn_one() -> None:
    script = some_script()
    pages = script.pages()
    page = bytearray(pages[0])
    page[len(pages[0].rstrip(b"\xff")) - 1] ^= 1
    pages[0] = bytes(page)
    _, chain = read(pages)
    last = pages_first(pages[1]) - 1
    assert ("record", last, False) in [(p.kind, p.record, p.harmless) for p in chain.problems]


def test_a_missing_page_and_its_records_are_named() -> None:
    pages = some_script().pages()
    _, chain = read([pages[0], pages[2]])
    assert [p.kind for p in chain.problems] == ["page gap", "record gap"]
    assert "Page 1 is missing before page 2" in chain.problems[0].text
    assert f"Records {pages_first(pages[1])} to {pages_first(pages[2]) - 1} are missing" in chain.problems[1].text


def test_pages_out_of_order_are_named() -> None:
    pages = some_script().pages()
    _, chain = read([pages[1], pages[0], pages[2]])
    assert "page order" in [p.kind for p in chain.problems]


@pytest.mark.parametrize("offset", [0, 4, 6, 8, 12, 16, 20, 28, 60])
def test_a_damaged_page_header_is_named(offset: int) -> None:
    pages = some_script().pages()
    page = bytearray(pages[1])
    page[offset] ^= 0x10
    _, chain = read([pages[0], bytes(page), pages[2]])
    assert chain.problems[0].kind == "page header"
    assert not chain.ok


def test_a_page_of_another_device_is_named() -> None:
    script = some_script(10)
    page = script.pages()[0]
    header = page[:20] + b"OTHERDEV" + page[28:60]
    other = header + struct.pack("<I", crc32(header)) + page[64:]
    _, chain = read([page, other])
    assert "device" in [p.kind for p in chain.problems]


def torn_pages(script: Script, keep: int, cut: int) -> list[bytes]:
    """Page 0 ends in a record of which only `cut` bytes were programmed; it is written again in page 1."""
    body = b"".join(pack_record(record) for record in script.records[:keep])
    torn = pack_record(script.records[keep])[:cut]
    first = pack_page(0, 1, 0, 100, bytes(32), body + torn)
    rest = script.records[keep:]
    return [first, *cut_pages(rest, 1, 1, hashlib.sha256(first).digest())]


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 10, 15, 18])
def test_a_record_torn_by_a_power_cut_is_a_harmless_note(cut: int) -> None:
    script = some_script(100)
    records, chain = read(torn_pages(script, 30, cut))
    assert records == script.records
    assert [(p.kind, p.page, p.record, p.harmless) for p in chain.problems] == [("torn record", 0, 130, True)]
    assert chain.ok


@pytest.mark.parametrize("missing", [1, 2])
def test_a_step_cut_off_before_its_first_records_is_a_harmless_note(missing: int) -> None:
    """A step is written last record first, so what a power cut leaves may be its end without its start."""
    script = some_script(100)
    step = [record._replace(ticks_ms=5) for record in script.records[30:33]]
    body = b"".join(pack_record(record) for record in script.records[:30])
    size = len(pack_record(step[0]))
    left = b"\xff" * (size * missing) + b"".join(pack_record(record) for record in step[missing:])
    for start in (left, pack_record(step[0])[:9] + left[9:]):
        first = pack_page(0, 1, 0, 100, bytes(32), body + start)
        rest = cut_pages(script.records[30:], 1, 1, hashlib.sha256(first).digest())
        records, chain = read([first, *rest])
        assert records == script.records
        assert [(p.kind, p.record, p.harmless) for p in chain.problems] == [("torn record", 130, True)]
        records, chain = read([first])
        assert records == script.records[:30] and chain.ok


def test_records_behind_a_damaged_one_count_when_the_next_page_says_so() -> None:
    script = some_script(300)
    pages = script.pages()
    last = pages_first(pages[1]) - 1
    page = bytearray(pages[0])
    written = len(pages[0].rstrip(b"\xff"))
    page[written - 19 - 10] ^= 1
    records, chain = read([bytes(page), *pages[1:]])
    assert [record.number for record in records] == [n for n in range(100, 401) if n != last - 1]
    assert ("record", last - 1, False) in [(p.kind, p.record, p.harmless) for p in chain.problems]


def test_a_record_torn_at_the_very_end_is_a_harmless_note() -> None:
    script = some_script(100)
    records, chain = read(torn_pages(script, 30, 9)[:1])
    assert records == script.records[:30]
    assert [p.kind for p in chain.problems] == ["torn record"] and chain.ok


def test_a_boot_record_inside_a_page_counts_the_boot_up() -> None:
    script = some_script(5)
    script.add("boot", 1, b"\x00\x01\x00", 0x1234, 8)
    script.add("dealer_changed", 1)
    records, chain = read(script.pages())
    assert [record.boot for record in records] == [1] * 6 + [2, 2]
    assert chain.ok


def test_a_record_kind_of_a_newer_version_is_kept_raw() -> None:
    body = struct.pack("<BBI", 3, 120, 5) + b"abc"
    body += struct.pack("<I", crc32(struct.pack("<I", 100) + body))
    records, chain = read([pack_page(0, 1, 1, 100, bytes(32), body)])
    assert [(r.kind, r.values) for r in records] == [(120, (b"abc",))]
    assert chain.ok


def test_data_after_the_last_record_is_noted() -> None:
    page = bytearray(some_script(10).pages()[0])
    page[4000] = 0
    _, chain = read([bytes(page)])
    assert [(p.kind, p.record) for p in chain.problems] == [("torn record", 111)]


# ------------------------------------------------------------------------------ damage that looks like a power cut


def one_page(count: int = 120) -> tuple[Script, bytes, list[int]]:
    """A script of one page, the page, and where each record of it begins."""
    script = some_script(count)
    (page,) = script.pages()
    sizes = [len(pack_record(record)) for record in script.records]
    return script, page, [64 + sum(sizes[:place]) for place in range(len(sizes))]


def changed(page: bytes, at: int, data: bytes) -> bytes:
    return page[:at] + data + page[at + len(data) :]


@pytest.mark.parametrize("bit", range(8))
def test_a_flipped_bit_in_a_length_byte_of_the_last_page_loses_one_record_and_is_named(bit: int) -> None:
    script, page, places = one_page()
    for at in (1, 60, 70, 119):
        records, chain = read([changed(page, places[at], bytes((page[places[at]] ^ 1 << bit,)))])
        assert records == script.records[:at] + script.records[at + 1 :]
        assert [(p.kind, p.record, p.harmless) for p in chain.problems] == [("record", 100 + at, False)]


def test_a_blanked_length_byte_is_no_torn_step() -> None:
    script, page, places = one_page()
    records, chain = read([changed(page, places[60], b"\xff")])
    assert records == script.records[:60] + script.records[61:]
    assert [(p.kind, p.record, p.harmless) for p in chain.problems] == [("record", 160, False)]


def test_many_damaged_records_in_a_row_are_named_with_their_numbers() -> None:
    script, page, places = one_page()
    records, chain = read([changed(page, places[60], bytes(places[66] - places[60]))])
    assert records == script.records[:60] + script.records[66:]
    assert [p.text for p in chain.problems] == ["Records 160 to 165 in page 0 are damaged and were left out."]


def test_a_page_made_to_waste_time_costs_few_checksums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that look like the beginning of a record everywhere: each would be tried with each possible number."""
    _, page, places = one_page()
    calls = 0

    def counted(data: bytes, start: int = 0) -> int:
        nonlocal calls
        calls += 1
        return crc32(data, start)

    monkeypatch.setattr(torn_step, "crc32", counted)
    _, chain = read([changed(page, places[1], b"\x01\x05" * ((4096 - places[1]) // 2))])
    assert not chain.ok and 1000 < calls <= 10_000, "two for each number tried"


@pytest.mark.parametrize("first", [60, 110])
def test_more_programmed_bytes_than_a_step_leaves_torn_are_a_finding(first: int) -> None:
    script, page, places = one_page()
    end = places[-1] + len(pack_record(script.records[-1]))
    spoiled = changed(page, places[first], b"\x55" * (end - places[first]))
    records, chain = read([spoiled])
    assert records == script.records[:first]
    assert [(p.kind, p.record, p.harmless) for p in chain.problems] == [("record", 100 + first, False)]
    assert "cannot be read" in chain.problems[0].text and not chain.ok


def test_a_step_that_failed_and_was_spoiled_by_the_device_is_a_harmless_note() -> None:
    """Zeros over its beginning, a record that the flash did not take, and a whole one behind it."""
    script = some_script(100)
    step = [record._replace(ticks_ms=5) for record in script.records[30:33]]
    sizes = [len(pack_record(record)) for record in step]
    left = bytes(10).ljust(sizes[0], b"\xff") + b"\x41" * sizes[1] + pack_record(step[2])
    body = b"".join(pack_record(record) for record in script.records[:30])
    first = pack_page(0, 1, 0, 100, bytes(32), body + left)
    records, chain = read([first, *cut_pages(script.records[30:], 1, 1, hashlib.sha256(first).digest())])
    assert records == script.records and chain.ok
    assert [(p.kind, p.record, p.harmless) for p in chain.problems] == [("torn record", 130, True)]


def test_a_long_step_cut_off_at_any_byte_of_its_writing_is_a_harmless_note() -> None:
    """Thirty cards are opened at the end of a shoe: written last first, the cut comes anywhere."""
    script = Script(100)
    for index in range(40):
        script.add("opened", index, 3, 1, 0, index % 52, 1, bytes(16))
    step = [record._replace(ticks_ms=77) for record in script.records[5:]]
    packed = [pack_record(record) for record in step]
    body = b"".join(pack_record(record) for record in script.records[:5])
    blank = len(packed[0])
    for number in range(len(step)):
        for cut in (1, 2, 5, 20, blank - 1):
            left = b"\xff" * (blank * number) + packed[number][:cut].ljust(blank, b"\xff")
            left += b"".join(packed[number + 1 :])
            records, chain = read([pack_page(0, 1, 0, 100, bytes(32), body + left)])
            assert records == script.records[:5] and chain.ok, (number, cut)
            assert [p.kind for p in chain.problems] == ["torn record"]


@given(st.lists(st.binary(max_size=200), max_size=4), st.integers(0, 4095), st.integers(1, 255))
def test_any_bytes_give_problems_and_no_error(junk: list[bytes], place: int, flip: int) -> None:
    pages = some_script(300).pages()
    page = bytearray(pages[0])
    page[place] ^= flip
    _, chain = read([*(data.ljust(4096, b"\xff") for data in junk), bytes(page), *junk, pages[1]])
    assert chain.pages == 2 + 2 * len(junk)


@given(st.integers(64, 4095), st.integers(1, 255))
def test_no_single_change_of_a_page_goes_unnoticed(place: int, flip: int) -> None:
    pages = some_script().pages()
    page = bytearray(pages[0])
    page[place] ^= flip
    _, chain = read([bytes(page), *pages[1:]])
    assert not chain.ok
