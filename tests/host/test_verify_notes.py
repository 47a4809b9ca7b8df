"""What `verify` notes beside its findings: who could change the shoe, and how its read heads stood."""

from __future__ import annotations

from shoetool.model.protocol_table import Attempt, FaultCode, Firmware, Head, Margin, Provisioned, RecordKind
from shoetool.model.records import Record
from shoetool.verify.commands import OPEN_NOTE, Commands
from shoetool.verify.heads import Heads

KEY, OTHER = b"\x12" * 8, b"\xab" * 8


def record(number: int, kind: RecordKind, *values: object) -> Record:
    return Record(number, 1, 0, kind, values)


def provisioned(number: int, why: Provisioned, key: bytes = KEY) -> Record:
    return record(number, RecordKind.PROVISIONED, key, why)


def attempt(number: int, request: int, result: Attempt = Attempt.ACCEPTED, unrecorded: int = 0) -> Record:
    return record(number, RecordKind.ATTEMPT, request, result, 0, unrecorded, bytes(8))


def test_a_file_without_a_shoe_says_nothing_of_keys() -> None:
    assert Commands().notes() == []


def test_a_shoe_that_names_no_key_was_open_and_of_several_it_is_said_how_many() -> None:
    commands = Commands()
    commands.shoe_opened()
    assert commands.notes() == [OPEN_NOTE]
    commands.shoe_opened()
    assert commands.notes() == [OPEN_NOTE]
    commands.shoe_opened()
    commands.provisioned(provisioned(7, Provisioned.IN_FORCE))
    assert commands.notes() == [
        f"{OPEN_NOTE}, for 2 of 3 shoes",
        "commands to the shoe needed its key (1212121212121212)",
    ]


def test_a_key_that_was_made_later_leaves_the_shoe_before_it_open() -> None:
    commands = Commands()
    commands.shoe_opened()
    commands.provisioned(provisioned(7, Provisioned.MADE))
    assert commands.notes() == [OPEN_NOTE, "it was provisioned while this history was written"]
    commands.shoe_opened()
    commands.provisioned(provisioned(9, Provisioned.IN_FORCE))
    commands.provisioned(provisioned(12, Provisioned.RENEWED, OTHER))
    assert commands.notes() == [
        f"{OPEN_NOTE}, for 1 of 2 shoes",
        "commands to the shoe needed its key (1212121212121212, abababababababab)",
        "it was provisioned while this history was written",
        "its command key was replaced",
    ]


def test_a_shoe_whose_key_is_damaged_was_not_open() -> None:
    """It names the fault in each history, and refuses commands with any key."""
    commands = Commands()
    commands.shoe_opened()
    commands.fault(record(7, RecordKind.FAULT, FaultCode.HEAD_DIRTY, 0, 0))
    assert commands.notes() == [OPEN_NOTE]
    commands.shoe_opened()
    commands.fault(record(9, RecordKind.FAULT, FaultCode.COMMAND_KEY, 0, 0))
    assert commands.notes() == [
        f"{OPEN_NOTE}, for 1 of 2 shoes",
        "its stored command key was damaged: it took no privileged command",
    ]


def test_each_attempt_is_counted_and_those_without_a_record_too() -> None:
    commands = Commands()
    for number, request in enumerate((0x10, 0x10, 0x11), 1):
        commands.attempt(attempt(number, request))
    commands.attempt(attempt(4, 0x10, Attempt.WRONG_KEY, 3))
    commands.attempt(attempt(5, 0x10, Attempt.ACCEPTED, 2))
    commands.firmware(record(6, RecordKind.FIRMWARE, bytes(32), Firmware.AS_ANNOUNCED))
    given, refused = commands.notes()
    assert given.startswith("privileged commands given with the key: ")
    assert sorted(word[-1] for word in given.split(": ")[1].split(", ")) == ["1", "3"]
    assert refused == "privileged commands refused: 6"
    commands.firmware(record(7, RecordKind.FIRMWARE, bytes(32), Firmware.NOT_ANNOUNCED))
    assert commands.notes()[2] == "the shoe started with firmware that was not announced"


def test_what_no_signature_covers_is_said_of_the_records_it_concerns() -> None:
    commands = Commands()
    asked: list[list[int]] = []

    def unsigned(records: object) -> str:
        asked.append(list(records))  # type: ignore[call-overload]
        return "not signed" if asked[-1] else ""

    commands.shoe_opened()
    commands.provisioned(provisioned(3, Provisioned.IN_FORCE))
    commands.provisioned(provisioned(4, Provisioned.MADE, OTHER))
    commands.provisioned(provisioned(5, Provisioned.RENEWED))
    commands.attempt(attempt(6, 0x10))
    commands.attempt(attempt(7, 0x10, Attempt.EXPIRED))
    commands.configured(record(8, RecordKind.CONFIGURED, 1))
    commands.firmware(record(9, RecordKind.FIRMWARE, bytes(32), Firmware.NOT_ANNOUNCED))
    assert "settings were written" not in commands.notes()  # a signed one is an attempt that was noted
    commands.unsigned = unsigned
    notes = commands.notes()
    assert all(note.endswith("; not signed") for note in notes)
    assert "settings were written; not signed" in notes
    assert [one for one in asked if one] == [[3, 4], [4], [5], [6], [8], [8], [7], [9]]


def margin(number: int, head: int, why: Margin, share: int) -> Record:
    return record(number, RecordKind.MARGIN, head, why, share, 100, 10, 200)


def test_margins_at_the_end_warnings_and_calibrations_of_each_head() -> None:
    heads = Heads()
    assert heads.notes() == []
    heads.margin(margin(4, Head.SIDE_B, Margin.CLEAN_SOON, 30))
    heads.margin(margin(5, Head.SIDE_B, Margin.CLEAN, 60))
    heads.calibrated(record(6, RecordKind.CALIBRATED, Head.READER, 100, 30, 60, 10, 200))
    heads.margin(margin(7, Head.SIDE_A, Margin.SHOE_CLOSED, 255))
    assert heads.notes() == [
        "side B was to be cleaned soon: margin 30 % (record 4)",
        "side B was clean again: margin 60 % (record 5)",
        "the card reader device was calibrated (record 6)",
        "margins of the read heads at the end: side B 60 %",
    ]
    heads.margin(margin(8, Head.SIDE_A, Margin.SHOE_CLOSED, 70))
    heads.margin(margin(9, 7, Margin.SHOE_CLOSED, 80))
    assert heads.notes()[-1] == "margins of the read heads at the end: side A 70 %, side B 60 %, head 7 80 %"


def test_a_reason_for_a_margin_that_this_program_does_not_know_says_nothing_about_dirt() -> None:
    heads = Heads()
    heads.margin(record(4, RecordKind.MARGIN, Head.SIDE_A, max(Margin) + 1, 70, 100, 10, 200))
    assert heads.notes() == ["margins of the read heads at the end: side A 70 %"]
