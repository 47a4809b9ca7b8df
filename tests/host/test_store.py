"""History files: append-safe, read up to the last whole page, one clear line for what is no history."""

from __future__ import annotations

from pathlib import Path

import pytest
from histories import DEVICE, IDENTITY, Script, pack_page, pack_record
from hypothesis import given, settings
from hypothesis import strategies as st
from made_record import make_record
from shoetool.history import chunks
from shoetool.history.chain import PageChain
from shoetool.history.chunks import ClockPoint, Configuration, Identity
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.errors import BadInput
from shoetool.model.records import Record


def some_script(count: int = 700) -> Script:
    script = Script(first_record=5)
    script.add("boot", 0, b"\x00\x01\x00", 0x1234, 7)
    for index in range(count):
        script.add("card", 3, 1 + index % 7, 0, 0, index % 52, 1, 300, 200)
    return script


@pytest.fixture
def shoelog(tmp_path: Path) -> Path:
    return some_script().write(tmp_path / "one.shoelog")


def test_what_was_written_is_read(shoelog: Path) -> None:
    script = some_script()
    with ShoelogReader(shoelog) as reader:
        assert reader.identity == IDENTITY
        assert reader.configuration == Configuration(0x1234, ((1, 0), (3, 6)))
        assert list(reader.records()) == script.records
        assert reader.chain.ok and reader.chain.problems == []
        assert reader.notes() == []
        found = reader.moment(Record(0, 1, script.ticks, 0, ()))
        assert found is not None and found.middle_ms == 1_760_000_000_000
        assert reader.chain.device == DEVICE


def test_a_file_can_be_read_twice_through_one_reader(shoelog: Path) -> None:
    with ShoelogReader(shoelog) as reader:
        assert list(reader.pages()) == list(reader.pages())


def test_a_pull_goes_on_where_it_stopped_and_a_grown_page_replaces(tmp_path: Path) -> None:
    script = some_script()
    whole = script.pages()
    early = Script(first_record=5)
    early.records = script.records[:150]
    path = tmp_path / "two.shoelog"
    with ShoelogWriter(path) as writer:
        assert writer.next_page is None
        for page in early.pages():
            assert writer.append_page(page)
    with ShoelogWriter(path) as writer:
        assert writer.next_page == len(early.pages()) - 1
        assert writer.append_page(whole[writer.next_page])
        assert not writer.append_page(whole[writer.next_page])
        for page in whole[writer.next_page + 1 :]:
            writer.append_page(page)
    with ShoelogReader(path) as reader:
        assert list(reader.records()) == script.records
        assert reader.chain.ok


def test_a_page_may_be_given_up_to_its_written_end(tmp_path: Path) -> None:
    script = some_script(10)
    page = script.pages()[0]
    with ShoelogWriter(tmp_path / "x.shoelog") as writer:
        writer.append_page(page.rstrip(b"\xff"))
    with ShoelogReader(tmp_path / "x.shoelog") as reader:
        assert list(reader.pages()) == [page]


def test_a_page_that_contradicts_the_file_is_refused(tmp_path: Path) -> None:
    path = some_script(10).write(tmp_path / "x.shoelog")
    other = Script(first_record=5)
    other.add("boot", 0, b"\x00\x01\x00", 0x9999, 7)
    with ShoelogWriter(path) as writer, pytest.raises(BadInput, match="contradicts"):
        writer.append_page(other.pages()[0])


def test_an_older_page_and_an_oversized_page_are_refused(shoelog: Path) -> None:
    with ShoelogWriter(shoelog) as writer:
        with pytest.raises(BadInput, match="older"):
            writer.append_page(some_script().pages()[0])
        with pytest.raises(BadInput, match="does not fit"):
            writer.append_page(bytes(5000))


def test_another_device_is_refused(shoelog: Path) -> None:
    with ShoelogWriter(shoelog) as writer, pytest.raises(BadInput, match="device"):
        writer.set_identity(Identity(b"OTHERONE", 1, 0, b"\x00\x01\x00", "virtual"))


def test_the_same_identity_and_configuration_are_not_stored_twice(shoelog: Path) -> None:
    size = shoelog.stat().st_size
    with ShoelogWriter(shoelog) as writer:
        writer.set_identity(IDENTITY)
        writer.set_configuration(Configuration(0x1234, ((1, 0), (3, 6))))
    assert shoelog.stat().st_size == size


def test_a_file_cut_at_any_chunk_byte_is_read_up_to_its_last_whole_page(shoelog: Path, tmp_path: Path) -> None:
    data = shoelog.read_bytes()
    pages = some_script().pages()
    start = len(data) - len(pages) * (4096 + 12)
    for cut in [start + 1, start + 4107, start + 4108, start + 4109, start + 3 * 4108 - 1, len(data) - 1]:
        path = tmp_path / "cut.shoelog"
        path.write_bytes(data[:cut])
        whole = (cut - start) // 4108
        with ShoelogReader(path) as reader:
            assert list(reader.pages()) == pages[:whole]
            clean = (cut - start) % 4108 == 0
            assert bool(reader.notes()) is not clean
            if not clean:
                assert "half-written" in reader.notes()[0]


def test_a_half_written_file_is_repaired_when_the_pull_goes_on(shoelog: Path) -> None:
    data = shoelog.read_bytes()
    shoelog.write_bytes(data[:-1000])
    pages = some_script().pages()
    with ShoelogWriter(shoelog) as writer:
        assert writer.repaired == 4108 - 1000
        assert writer.next_page == len(pages) - 2
        writer.append_page(pages[-1])
    assert shoelog.read_bytes() == data


def test_one_flipped_bit_costs_one_chunk_and_is_named(shoelog: Path) -> None:
    data = bytearray(shoelog.read_bytes())
    pages = some_script().pages()
    start = len(data) - len(pages) * 4108
    data[start + 4108 + 500] ^= 4
    shoelog.write_bytes(data)
    with ShoelogReader(shoelog) as reader:
        records = list(reader.records())
        assert f"bytes {start + 4108} to {start + 2 * 4108 - 1} are damaged" in reader.notes()[0]
        assert [problem.kind for problem in reader.chain.problems] == ["page gap", "record gap"]
        assert not reader.chain.ok
        assert 0 < len(records) < len(some_script().records)


def test_chunks_of_a_newer_shoetool_are_left_out_and_counted(shoelog: Path) -> None:
    with shoelog.open("ab") as file:
        file.write(chunks.pack_chunk(b"NEWS", b"something"))
        file.write(chunks.pack_chunk(b"NEWS", b"what nobody knows yet"))
    with ShoelogReader(shoelog) as reader:
        assert len(list(reader.pages())) == len(some_script().pages())
        assert reader.notes() == ["2 chunks come from a newer shoetool and were left out"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "is empty"),
        (b"SHOE", "ends within its header"),
        (b"PK\x03\x04" + bytes(100), "not a shoe history"),
        (b"\xff" * 100_000, "not a shoe history"),
        (chunks.MAGIC + b"\x01\x00\x00\x00" + b"\x00\x00\x00\x00", "header of the history is damaged"),
        ((lambda head: head + chunks._CRC.pack(chunks.crc32(head)))(chunks.MAGIC + b"\x02\x00\x00\x00"), "is newer"),
    ],
    ids=["empty", "short", "foreign", "huge foreign", "damaged header", "newer"],
)
def test_what_is_no_history_gets_one_clear_line(tmp_path: Path, content: bytes, line: str) -> None:
    path = tmp_path / "x.shoelog"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=line) as caught:
        ShoelogReader(path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)
    assert caught.value.exit_code == 2
    if content:
        with pytest.raises(BadInput):
            ShoelogWriter(path)
        assert path.read_bytes() == content


def test_a_missing_file_and_a_directory_get_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        ShoelogReader(tmp_path / "none.shoelog")
    with pytest.raises(BadInput, match="directory"):
        ShoelogReader(tmp_path)


@settings(max_examples=60)
@given(st.data())
def test_any_damage_gives_a_line_or_notes_and_never_another_error(data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = some_script(80).write(Path(folder) / "x.shoelog")
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(content) - 1))
            if data.draw(st.booleans()):
                content[place] ^= data.draw(st.integers(1, 255))
            else:
                del content[place : place + data.draw(st.integers(1, 5000))]
                if not content:
                    break
        path.write_bytes(content)
        try:
            with ShoelogReader(path) as reader:
                for record in reader.records():
                    assert record.number >= 5
                reader.notes()
        except BadInput as error:
            assert "\n" not in str(error)


def test_a_reading_of_a_later_fetch_counts_for_the_records_before_it(tmp_path: Path) -> None:
    """The second fetch narrows what the first one, an hour of round trip wide, left open."""
    script = some_script(80)
    path = tmp_path / "two.shoelog"
    with ShoelogWriter(path, sync=False) as writer:
        writer.add_clock(ClockPoint(1, 1000, 1_760_000_000_000, 1_800_000))
        for page in script.pages():
            writer.append_page(page)
        writer.add_clock(ClockPoint(1, 1_001_000, 1_760_000_000_000 + 1_000_000, 20))
    with ShoelogReader(path) as reader:
        for record in reader.records():
            found = reader.moment(record)
            assert found is not None and found.uncertainty_ms < 200
            assert abs(found.middle_ms - (1_760_000_000_000 + record.ticks_ms - 1000)) < 200


def test_records_of_a_fetch_two_weeks_after_another_have_no_time_and_those_before_keep_theirs(tmp_path: Path) -> None:
    day = 86_400_000
    script = some_script(400)
    pages = script.pages()
    assert len(pages) >= 2
    path = tmp_path / "weeks.shoelog"
    with ShoelogWriter(path, sync=False) as writer:
        writer.add_clock(ClockPoint(1, 1000, 1_760_000_000_000, 20))
        for page in pages[:-1]:
            writer.append_page(page)
        writer.add_clock(ClockPoint(1, (1000 + 14 * day) % (1 << 30), 1_760_000_000_000 + 14 * day, 20))
        writer.append_page(pages[-1])
    with ShoelogReader(path) as reader:
        told = [reader.moment(record) is not None for record in reader.records()]
    assert told[0] and not told[-1] and told == sorted(told, reverse=True)


def test_records_of_a_shoe_that_ran_for_weeks_have_their_times_from_what_its_pages_tell(tmp_path: Path) -> None:
    """A page a week, fetched after five: each page tells how often the ticks had begun anew for its records."""
    week, period = 7 * 86_400_000, 1 << 30
    path = tmp_path / "weeks.shoelog"
    ran = [1000 + at * week for at in range(5)]
    records = [make_record(at, "dealer_changed", 1, ticks_ms=ran[at] % period) for at in range(5)]
    for told in (True, False):
        with ShoelogWriter(path, sync=False) as writer:
            now = ran[-1] + 5000
            writer.add_clock(ClockPoint(1, now % period, 1_760_000_000_000 + now, 20, now // period))
            for at, record in enumerate(records):
                flags = 1 + ran[at] // period if told else 0
                writer.append_page(pack_page(at, 1, 1, at, bytes(32), pack_record(record), flags))
        with ShoelogReader(path) as reader:
            found = [reader.moment(record) for record in reader.records()]
        path.unlink()
        if not told:
            assert found == [None] * 5, "the shoe ran longer than the ticks can tell, and nobody can say when it was"
            continue
        for at, moment in enumerate(found):
            assert moment is not None and not moment.assumed
            assert abs(moment.middle_ms - 1_760_000_000_000 - ran[at]) <= moment.uncertainty_ms < 400_000


def test_pages_in_no_order_tell_nothing_of_the_ticks(tmp_path: Path) -> None:
    chain = PageChain()
    for number, flags in ((5, 1), (2, 2)):
        record = make_record(number, "dealer_changed", 1, ticks_ms=10)
        chain.feed(pack_page(number, 1, 1, number, bytes(32), pack_record(record), flags))
    assert chain.turns_of(5) is None and chain.turns_of(2) is None
