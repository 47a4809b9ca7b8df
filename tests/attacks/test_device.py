"""A thief with a spare shoe, a technician with a flash programmer, and the clocks and random numbers of a shoe.

Each test is a row of firmware/SECURITY.md.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from attack_shoe import DECKS, Victim, came
from shoesim import places
from shoesim.rig import ROOT
from shoetool.client.authority import CommandKey, NotAuthorised
from shoetool.client.client import Client
from shoetool.client.history import PageReader
from shoetool.client.requests import Refused
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_SIZE, Authority, Error, FaultCode, Key, MessageKind, RecordKind

KEY_PAGES = (8, 9)  # of the store


def flash(victim: Victim, name: str) -> Path:
    """A flash of the virtual board, which a programmer can read and write while the shoe is off."""
    return victim.rig.state / name


def test_attack_key_readout(victim: Victim, tmp_path: Path) -> None:
    """Everything that can be asked is asked, every byte of every page read: no part of the key is in it."""
    assert victim.key is not None
    victim.owner().config_write({"decks": 8})
    victim.leave()
    recording = tmp_path / "line.shoelink"
    victim.hang_up()
    with Client.open(victim.rig.link_path, record=recording) as client:
        for kind in range(1, 64):
            if kind in (MessageKind.IDENTIFY, MessageKind.KEY):
                continue
            for size in (0, 4, 8, 33, 40):
                with_zeros = bytes(size)
                with contextlib.suppress(Refused):
                    client.session.call(kind, with_zeros, repeatable=False)
        for entry in client.history_list():
            for page in range(entry.first_page, entry.first_page + entry.pages):
                PageReader(client.session).read(page)
        client.subscribe(0).poll(0.5)
    heard = came(recording) + victim.rig.log_path.read_bytes()
    secret, play = victim.key.secret, victim.key.play_key()
    assert victim.key.fingerprint in heard, "what was heard is not everything"
    for whole in (secret, play):
        for part in (whole, whole[::-1], whole[:6], whole[-6:], whole.hex().encode()):
            assert part not in heard
    stored = flash(victim, "store.bin").read_bytes()
    assert secret in stored, "the key is looked for where it is"


def test_attack_repl(victim: Victim) -> None:
    """What makes a MicroPython board hand out its REPL, on the line of the shoe."""
    transport = victim.client.transport
    for text in (
        b"\x03\x03",
        b"\r\x03\x03\r\x01",
        b"\x04",
        b"import os; os.listdir()\r\n",
        b"\x05A\x01",
        b"\x01print(1)\x04",
    ):
        transport.write(text)
    heard = b""
    while data := transport.read(0.3):
        heard += data
    assert not heard
    before = victim.client.identify().epoch
    assert victim.client.status().fault == 0 and victim.client.session.connect().epoch == before


def test_attack_erased_key(victim: Victim) -> None:
    """The flash pages of the key are erased, or damaged, to make the shoe open again: it says so and stays closed."""
    for blank in (b"\xff" * PAGE_SIZE, b"\x00" * PAGE_SIZE):
        victim.rig.stop()
        path = flash(victim, "store.bin")
        before = path.read_bytes()
        data = bytearray(before)
        for page in KEY_PAGES:
            data[page * PAGE_SIZE : (page + 1) * PAGE_SIZE] = blank
        assert bytes(data) != before
        path.write_bytes(data)
        for new_shoe in (False, True):  # its history begins without the records of the key
            if new_shoe:
                opened = len(victim.records(RecordKind.SHOE_OPENED))
                victim.rig.key(Key.LOAD, 0)
                victim.rig.sync()
                assert len(victim.records(RecordKind.SHOE_OPENED)) == opened + 1
                victim.rig.stop()
            victim.rig.start()
            victim.client.session.connect()
            assert victim.client.authority.state().state == Authority.DAMAGED
            assert victim.client.status().fault == FaultCode.COMMAND_KEY
            assert victim.refused(MessageKind.CONFIG_WRITE, DECKS) == Error.NOT_AUTHORISED
            assert victim.refused(MessageKind.KEY_OFFER, bytes(32)) == Error.NOT_AUTHORISED
        victim.rig.key(Key.CLOSE_SHOE, 0)
        victim.rig.stop()
        path.write_bytes(before)
        victim.rig.start()
        victim.client.session.connect()


def test_attack_copied_key(victim: Victim, spare: Victim) -> None:
    """The key's flash is copied into a spare shoe, so that it takes what is meant for the victim."""
    assert victim.key is not None
    spare.provision()
    for shoe in (victim, spare):
        shoe.rig.stop()
    data = bytearray(flash(spare, "store.bin").read_bytes())
    for page in KEY_PAGES:
        part = slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
        data[part] = flash(victim, "store.bin").read_bytes()[part]
    flash(spare, "store.bin").write_bytes(data)
    for shoe in (victim, spare):
        shoe.rig.start()
        shoe.client.session.connect()
    nonce = spare.challenge(MessageKind.CONFIG_WRITE)
    meant_for_victim = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
    body = spare.wrapped(MessageKind.CONFIG_WRITE, meant_for_victim, DECKS)
    assert spare.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
    spare.client.authority.key = victim.key
    with pytest.raises(BadInput, match="the key file is of shoe"):
        spare.client.config_write({"decks": 8})


def test_attack_open_shoe(spare: Victim) -> None:
    """An open shoe is passed off as a provisioned one: it says what it is, live and in its history."""
    assert spare.client.authority.state().state == Authority.OPEN
    spare.rig.key(Key.LOAD, 0)
    spare.rig.sync()
    assert not spare.records(RecordKind.PROVISIONED)
    spare.client.authority.key = CommandKey(spare.client.identify().device, bytes(32))
    with pytest.raises(NotAuthorised, match="not provisioned"):
        spare.client.config_write({"table": 9})


def test_attack_replayed_clock(victim: Victim) -> None:
    """An old challenge is used when the shoe's clock shows the same time again, and half a turn later."""
    assert victim.key is not None
    for waited in (31, (1 << 30) / 1000 - 5, (1 << 29) / 1000 + 40):
        nonce = victim.challenge(MessageKind.CONFIG_WRITE)
        proof = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
        left = waited
        while left > 0:  # the shoe is awake meanwhile
            victim.rig.wait(min(left, 100_000))
            victim.rig.sync()
            left -= 100_000
        body = victim.wrapped(MessageKind.CONFIG_WRITE, proof, DECKS)
        assert victim.refused(MessageKind.PRIVILEGED, body) == Error.NO_CHALLENGE
    assert victim.settings()["decks"] == 6


def test_attack_weak_generator(victim: Victim) -> None:
    """The same start at the same tick, again and again: no number comes twice, so none was seeded by a timer."""
    seen: set[bytes] = set()
    epochs: set[int] = set()
    start = victim.rig.now_us
    for _ in range(4):
        victim.rig.stop()
        victim.rig.now_us = start
        victim.rig.start()
        epochs.add(victim.client.session.connect().epoch)
        for _ in range(8):
            nonce = victim.challenge(MessageKind.KEY)
            assert len(set(nonce)) > 8
            seen |= {nonce, nonce[:16], nonce[16:]}
    assert len(seen) == 4 * 8 * 3 and len(epochs) > 1


def test_attack_swapped_firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the firmware is exchanged that nobody announced: the shoe stops, records it, and no key clears it."""
    copy = tmp_path / "tree"
    for folder in ("firmware", "board"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("SHOETOOL_FIRMWARE", str(copy / "firmware"))
    assert places.find_firmware(ROOT) == copy / "firmware"
    with Victim(tmp_path / "shoe", interpreter="python") as victim:
        victim.provision()
        victim.rig.restart()
        victim.client.session.connect()
        assert victim.client.status().fault == 0
        victim.rig.stop()
        changed = copy / "firmware" / "shoe" / "reading" / "trace.py"
        changed.write_text(changed.read_text() + "# served to anybody\n")
        victim.rig.start()
        victim.client.session.connect()
        assert victim.client.status().fault == FaultCode.FIRMWARE and victim.rig.lamps().card_stop
        assert victim.records(RecordKind.FIRMWARE)[-1].get("result") == 2
        victim.rig.key(Key.SUPERVISOR, 0)
        victim.rig.sync()
        assert victim.client.status().fault == FaultCode.FIRMWARE
        assert victim.refused(MessageKind.UPDATE, bytes(35)) == Error.NOT_AUTHORISED


def test_attack_added_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is put beside the firmware that its own import takes for a module of MicroPython: the shoe stops."""
    copy = tmp_path / "tree"
    for folder in ("firmware", "board"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("SHOETOOL_FIRMWARE", str(copy / "firmware"))
    with Victim(tmp_path / "shoe", interpreter="python") as victim:
        victim.provision()
        victim.rig.stop()
        ran = tmp_path / "ran"
        # No Python has this module built in, as Debian's has binascii: a file of that name would not be looked for.
        added = copy / "firmware" / "struct.py"
        added.write_text(f"open({str(ran)!r}, 'w').close()\nfrom _struct import *\n")
        victim.rig.start()
        victim.client.session.connect()
        assert ran.exists(), "the added module was not taken: nothing is tested"
        assert victim.client.status().fault == FaultCode.FIRMWARE and victim.rig.lamps().card_stop
        assert victim.records(RecordKind.FIRMWARE)[-1].get("result") == 2
