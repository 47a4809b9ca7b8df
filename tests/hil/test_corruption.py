"""What lies in flash is damaged while the shoe is off: settings, firmware, a page of the journal, the configuration."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bench import connect, fetch, records_since
from pico import root
from rig import files, image, uf2
from rig.emulated import EmulatedShoe
from shoesim.scenario import Scenario, run_scenario
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import FaultCode, Key, Lamp, RecordKind

SHORT = Scenario(decks=1, players=(2, 2), rounds=1, seed=101, reader=False, count=False)
PAGE = root.PAGE


def pages_of(firmware: uf2.Firmware, name: str) -> range:
    """Addresses of the pages of a partition in flash."""
    plan = root.plan(firmware.pages)
    at = root.NAMES.index(name)
    first = firmware.storage + PAGE * sum(plan[:at])
    return range(first, first + PAGE * plan[at], PAGE)


def spoiled(flash: bytes, start: int, size: int, seed: int) -> bytes:
    """Flash with bytes replaced by noise."""
    return flash[:start] + Random(f"damage {seed}").randbytes(size) + flash[start + size :]


def on_root(firmware: uf2.Firmware, flash: bytes, changes: dict[str, bytes | None]) -> bytes:
    """Flash with files of the root changed."""
    end = firmware.storage + firmware.pages * PAGE
    return flash[: firmware.storage] + image.change(flash[firmware.storage : end], changes) + flash[end:]


def test_damaged_settings_start_with_the_defaults_without_a_prompt_and_say_so(
    emulated: EmulatedShoe, firmware: uf2.Firmware
) -> None:
    emulated.power_off()
    emulated.flash = on_root(firmware, emulated.flash, {"board.json": b'{"heads": 2, "link"'})
    emulated.power_on()
    assert b"/board.json: not JSON" in emulated.log
    assert connect(emulated).status().fault == 0


@pytest.mark.parametrize("damage", ["a module", "the list", "nothing is whole"])
def test_a_damaged_firmware_file_starts_the_other_slot_and_says_why(
    emulated: EmulatedShoe, slots: uf2.Firmware, damage: str
) -> None:
    slot = {f"b/{name[2:]}": data for name, data in files.built().items() if name.startswith("a/")}
    changes: dict[str, bytes | None] = {} if damage == "nothing is whole" else dict(slot)
    module = bytearray(files.built()["a/shoe/journal/journal.mpy"])
    module[len(module) // 2] ^= 0x10
    changes["a/files.json" if damage == "the list" else "a/shoe/journal/journal.mpy"] = (
        b"{" if damage == "the list" else bytes(module)
    )
    emulated.power_off()
    storage = image.build(slots.pages, {**files.built(), **{k: v for k, v in changes.items() if v is not None}})
    gap = b"\xff" * (slots.storage - len(slots.flash))
    emulated.flash = slots.flash + gap + storage
    if damage == "nothing is whole":
        emulated.power_on(wait=False)
        emulated.run_until(lambda: b"start: no firmware runs: " in emulated.log and emulated.log.endswith(b"\n"))
        assert b"a: shoe/journal/journal.mpy has the wrong content" in emulated.log
        assert emulated.panel.card_stop
        return
    emulated.power_on()
    assert b"start: slot b, since slot a: " in emulated.log
    assert connect(emulated).status().fault == 0


@pytest.mark.parametrize("what", ["header", "records"])
def test_a_damaged_page_of_the_journal_is_named_and_the_rest_is_read(
    emulated: EmulatedShoe, firmware: uf2.Firmware, tmp_path: Path, what: str
) -> None:
    """Of a closed shoe a start reads the headers alone: it names the pages that have none, the host every damage."""
    client = connect(emulated, SHORT)
    run_scenario(SHORT, emulated)
    emulated.key(Key.LOAD, 0)  # the next shoe begins a page of its own
    emulated.wait(0.3)
    whole = fetch(emulated, client, tmp_path / "whole.shoelog")
    emulated.power_off()
    # One that was only erased ahead has the mark of that and no more.
    written = [at for at in pages_of(firmware, "journal") if emulated.flash[at + 4 : at + 64] != b"\xff" * 60]
    assert len(written) == 3, "a page before the shoe, one of it, one of the next"
    offset, problem = {"header": (10, "page header"), "records": (200, "record")}[what]
    emulated.flash = spoiled(emulated.flash, written[1] + offset, 40, SHORT.seed)
    emulated.power_on()
    client = connect(emulated)
    status = client.status()
    assert status.fault == (FaultCode.JOURNAL_DAMAGED if what == "header" else 0)
    assert status.next_record > len(whole), "the shoe goes on behind the damaged page"
    rest = records_since(client, 0)
    damaged = {record.number for record in whole} - {record.number for record in rest}
    assert damaged, "the damage was not noticed"
    assert [record for record in rest if record.number < len(whole)] == [r for r in whole if r.number not in damaged]
    told = [(record.kind, *record.values) for record in rest if record.number > len(whole)]  # after the boot record
    assert told == ([(RecordKind.FAULT, FaultCode.JOURNAL_DAMAGED, 0, 1)] if what == "header" else [])
    assert rest[len(whole) - len(damaged)].kind == RecordKind.BOOT
    assert not emulated.panel.card_stop, "nothing of the open shoe was lost"
    path = tmp_path / "rest.shoelog"
    fetch(emulated, client, path)
    with ShoelogReader(path) as reader:
        list(reader.records())
        problems = {(found.kind, found.page) for found in reader.chain.problems}
    # A header that is no header cannot say its number: its page is named by the one before it.
    assert (problem, 0 if what == "header" else 1) in problems


def test_a_damaged_configuration_is_named_and_no_shoe_is_loaded_until_there_is_another(
    emulated: EmulatedShoe, firmware: uf2.Firmware
) -> None:
    client = connect(emulated)
    before = client.config_read()
    client.config_write({"table": 7})
    client.config_write({"table": 8})
    emulated.power_off()
    pages = pages_of(firmware, "store")[:2]
    held = [at for at in pages if emulated.flash[at : at + 64] != b"\xff" * 64]
    assert held, "no configuration was written"
    flash = emulated.flash
    for at in held:
        flash = spoiled(flash, at + 8, 24, at)
    emulated.flash = flash
    emulated.power_on()
    client = connect(emulated)
    assert client.config_read() == before, "the defaults are in force"
    assert client.status().fault == FaultCode.CONFIG_INVALID
    assert emulated.panel.card_stop and emulated.panel.lamps >> Lamp.STOP & 1
    emulated.key(Key.LOAD, 0)
    assert client.status().shoe == 0, "a shoe was loaded by a configuration that nobody wrote"
    client.config_write({"table": 9})
    emulated.wait(0.1)
    assert client.status().fault == 0 and not emulated.panel.card_stop
    emulated.key(Key.LOAD, 0)
    assert client.status().shoe == 1
