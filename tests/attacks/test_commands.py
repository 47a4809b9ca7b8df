"""A technician with a laptop on the port, a partner at the table: commands without the key, forged, replayed, moved.

Each test is a row of firmware/SECURITY.md: the attack is carried out on the whole firmware and must fail.
"""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import pytest
from attack_shoe import DECKS, Victim, came, replay, sent_frames
from power_rig import PowerCutError
from shoesim.piles import Item
from shoetool.client.authority import CommandKey, NotAuthorised, fresh_secret, tag
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import ShoetoolError
from shoetool.model.protocol_table import (
    MESSAGES,
    Authority,
    Calibration,
    Error,
    FaultCode,
    Key,
    MessageKind,
    RecordKind,
)
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame, encode_frame
from shoetool.wire.messages import pack_request

PRIVILEGED = {int(kind): row for kind, row in MESSAGES.items() if row.get("privileged") and not row.get("keyless")}
BODIES = {
    int(MessageKind.CONFIG_WRITE): DECKS,
    int(MessageKind.HISTORY_FETCHED): bytes(4),
    int(MessageKind.KEY): bytes((Key.SUPERVISOR, 0)),
    int(MessageKind.KEY_OFFER): bytes(32),
    int(MessageKind.UPDATE): bytes(35),
    int(MessageKind.PLAY_OPEN): b"",
    int(MessageKind.CALIBRATE): bytes((0, Calibration.BEGIN, 0, 0)),
}


def test_attack_plain_command(victim: Victim) -> None:
    """Every privileged request as an old host would send it: refused, nothing changed, recorded."""
    assert set(BODIES) == set(PRIVILEGED)
    before = victim.settings()
    for kind, body in BODIES.items():
        assert victim.refused(kind, body) == Error.NOT_AUTHORISED
        victim.rig.wait(11)
        victim.rig.sync()
    assert victim.settings() == before
    assert victim.attempts() == [(PRIVILEGED[kind]["name"], "without_key") for kind in BODIES]


def test_attack_guessed_key(victim: Victim) -> None:
    """Wrong keys: each makes the next try wait longer, also when the shoe is switched off and on in between."""
    assert victim.key is not None
    waits = []
    for number in range(5):
        nonce = victim.challenge(MessageKind.CONFIG_WRITE)
        guess = victim.proof(bytes((number,)) * 32, MessageKind.CONFIG_WRITE, DECKS, nonce)
        body = victim.wrapped(MessageKind.CONFIG_WRITE, guess, DECKS)
        assert victim.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
        waits.append(victim.client.authority.state().wait_ms)
        victim.rig.restart()
        victim.client.session.connect()
        assert victim.client.authority.state().wait_ms == waits[-1], "switching it off and on skipped the delay"
        ask = pack_request(MessageKind.CHALLENGE, request=MessageKind.CONFIG_WRITE)
        assert victim.refused(MessageKind.CHALLENGE, ask) == Error.WAIT
        victim.rig.wait(waits[-1] / 1000)
        victim.rig.sync()
    assert waits == [1000, 2000, 4000, 8000, 16000]
    assert [result for _, result in victim.attempts() if result != "too_early"] == ["wrong_key"] * 5
    victim.owner().config_write({"decks": 8})


def test_attack_power_cut_guess(victim: Victim) -> None:
    """The power is cut while a guess is judged, at every moment: no guess is judged without having counted."""
    judged = cut = hidden = 0
    for budget in (0, 1, 3, 5, 7, 8, 20, 60, 400):
        before = victim.client.authority.state().failures
        victim.rig.wait(3600)
        victim.rig.sync()
        arm(victim, budget)
        answered = say(victim, victim.wrapped(MessageKind.CONFIG_WRITE, bytes(32), DECKS))
        try:
            victim.rig.sync()
            victim.rig.spare_power()
        except PowerCutError:
            cut += 1
        victim.rig.restart()
        victim.client.session.connect()
        counted = victim.client.authority.state().failures - before
        assert counted in (0, 1)
        if answered:
            assert counted == 1, "a guess was judged and is not remembered"
            judged += 1
        elif not counted:
            hidden += 1
    assert cut >= 5 and judged >= 1 and hidden >= 3


def arm(victim: Victim, budget: int) -> None:
    """Have a challenge open, and the power supply know, before the guess comes, that it cuts in the middle of it.

    Now and then the shoe erases a page ahead just then, and is cut in that: then again.
    """
    for _ in range(5):
        victim.challenge(MessageKind.CONFIG_WRITE)
        victim.rig.cut_power_after(budget)
        try:
            victim.rig.sync()
        except PowerCutError:
            victim.rig.restart()
            victim.client.session.connect()
        else:
            return
    pytest.fail("it was cut before each guess")


def say(victim: Victim, payload: bytes) -> bool:
    """Put one `privileged` on the line; whether its refusal came back within a moment."""
    session = victim.client.session
    frame = encode_frame(MessageKind.PRIVILEGED, session.epoch, session._next_sequence(), payload)
    session.transport.write(frame)
    decoder = FrameDecoder()
    deadline = session.transport.now() + 0.5
    while session.transport.now() < deadline:
        for item in decoder.feed(session.transport.read(0.1)):
            if isinstance(item, Frame) and item.kind == MessageKind.ERROR:
                assert item.payload[1] == Error.WRONG_KEY
                return True
    return False


def test_attack_replayed_command(victim: Victim, tmp_path: Path) -> None:
    """A recording of the owner's own command is played back: now, in another session, after a restart."""
    recording = tmp_path / "line.shoelink"
    victim.hang_up()
    with Client.open(victim.rig.link_path, record=recording) as owner:
        owner.authority.key = victim.key
        owner.config_write({"decks": 8})
        owner.config_write({"decks": 6})
    frames = [one for one in sent_frames(recording) if one.kind in (MessageKind.PRIVILEGED, MessageKind.CHALLENGE)]
    identify = [one for one in sent_frames(recording) if one.kind == MessageKind.IDENTIFY]
    assert len([one for one in frames if one.kind == MessageKind.PRIVILEGED]) == 2
    eights = [one for one in frames if one.kind == MessageKind.PRIVILEGED][:1]
    written = len(victim.records(RecordKind.CONFIGURED))
    shown = replay(victim, eights)  # in this session
    shown += replay(victim, identify + eights)  # as the owner's session
    shown += replay(victim, identify + frames)  # with the owner's own questions
    victim.rig.restart()
    shown += replay(victim, identify + eights)  # after a restart
    assert shown and not [one for one in shown if one.kind == MessageKind.PRIVILEGED + 128]
    victim.client.session.connect()
    assert victim.settings()["decks"] == 6
    assert len(victim.records(RecordKind.CONFIGURED)) == written
    # The same tag in a fresh frame of the same session, so that nothing but the challenge stands against it.
    assert victim.key is not None
    victim.rig.wait(3600)  # the old tags were wrong keys to the shoe
    victim.rig.sync()
    nonce = victim.challenge(MessageKind.CONFIG_WRITE)
    proof = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
    once = victim.wrapped(MessageKind.CONFIG_WRITE, proof, DECKS)
    victim.ask(MessageKind.PRIVILEGED, once)
    assert len(victim.records(RecordKind.CONFIGURED)) == written + 1
    assert victim.refused(MessageKind.PRIVILEGED, once) == Error.NO_CHALLENGE
    assert len(victim.records(RecordKind.CONFIGURED)) == written + 1


def test_attack_altered_command(victim: Victim) -> None:
    """Somebody between host and shoe changes what the owner asks for, in every byte of it, and leaves his tag."""
    assert victim.key is not None
    for at in range(len(DECKS)):
        nonce = victim.challenge(MessageKind.CONFIG_WRITE)
        honest = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
        altered = bytearray(DECKS)
        altered[at] ^= 1
        body = victim.wrapped(MessageKind.CONFIG_WRITE, honest, bytes(altered))
        assert victim.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
        victim.rig.wait(3600)
        victim.rig.sync()
    nonce = victim.challenge(MessageKind.CONFIG_WRITE)
    honest = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
    body = victim.wrapped(MessageKind.KEY, honest, bytes((Key.SUPERVISOR, 0)))
    assert victim.refused(MessageKind.PRIVILEGED, body) == Error.NO_CHALLENGE
    assert victim.settings()["decks"] == 6


def test_attack_moved_command(victim: Victim) -> None:
    """A tag that is right for another shoe, another life of this one, or another session."""
    assert victim.key is not None
    for other in ({"device": b"elsewher"}, {"epoch": b"\0\0"}, {"session": b"\1\2\3\4"}):
        nonce = victim.challenge(MessageKind.CONFIG_WRITE)
        moved = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce, **other)
        body = victim.wrapped(MessageKind.CONFIG_WRITE, moved, DECKS)
        assert victim.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
        victim.rig.wait(3600)
        victim.rig.sync()
    assert victim.settings()["decks"] == 6


def test_attack_truncated_tag(victim: Victim) -> None:
    """The first bytes of the right tag, as short as other makers' tags are, with wrong bytes or nothing behind them."""
    assert victim.key is not None
    for kept in (4, 8, 16, 31):
        nonce = victim.challenge(MessageKind.CONFIG_WRITE)
        right = victim.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
        wrong = bytes(byte ^ 0xFF for byte in right[kept:])  # zeros would be right once in 256 tags
        body = victim.wrapped(MessageKind.CONFIG_WRITE, right[:kept] + wrong, DECKS)
        assert victim.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
        victim.rig.wait(3600)
        victim.rig.sync()
    short = bytes((MessageKind.CONFIG_WRITE,)) + bytes(16)
    assert victim.refused(MessageKind.PRIVILEGED, short) == Error.BAD_LENGTH


def test_attack_one_key_for_all(victim: Victim, spare: Victim) -> None:
    """The key of one shoe at another; and two shoes whose keys were made from the same secret of a lazy host."""
    assert victim.key is not None
    secret = bytes(range(32))
    other = spare.client.authority.offer(secret)
    spare.client.authority.provision(other, 0)
    victim.owner()
    again = victim.client.authority.offer(secret)
    assert again.secret != other.secret
    victim.leave()
    nonce = spare.challenge(MessageKind.CONFIG_WRITE)
    forged = spare.proof(victim.key.secret, MessageKind.CONFIG_WRITE, DECKS, nonce)
    body = spare.wrapped(MessageKind.CONFIG_WRITE, forged, DECKS)
    assert spare.refused(MessageKind.PRIVILEGED, body) == Error.WRONG_KEY
    spare.client.authority.key = victim.key
    with pytest.raises(ShoetoolError, match="the key file is of shoe"):
        spare.client.config_write({"decks": 8})


def test_attack_taken_over(victim: Victim, tmp_path: Path) -> None:
    """A provisioned shoe is provisioned once more: by somebody without its key, and by one who listens to the owner."""
    assert victim.key is not None
    assert victim.refused(MessageKind.KEY_OFFER, bytes(32)) == Error.NOT_AUTHORISED
    assert victim.refused(MessageKind.PROVISION, bytes(33)) == Error.NO_CHALLENGE
    recording = tmp_path / "line.shoelink"
    victim.hang_up()
    with Client.open(victim.rig.link_path, record=recording) as owner:
        owner.authority.key = victim.key
        new = owner.authority.offer(fresh_secret())
        owner.authority.provision(new, 0)
    heard = next(one for one in sent_frames(recording) if one.kind == MessageKind.PRIVILEGED).payload
    hidden, answered = heard[33:65], came(recording)
    assert len(hidden) == 32
    for at in range(len(answered) - 31):  # whatever the listener takes for the shoe's half
        assert tag(hidden, b"shoe command key 1", new.device, answered[at : at + 32]) != new.secret
    for part in (new.secret, new.secret[:12], victim.key.secret[:12]):
        assert part not in answered and part not in recording.read_bytes()


def test_attack_wire_keys(victim: Victim) -> None:
    """A partner on the port ends the hands of a round that is being played and turns the hole card to learn it."""
    hole = 51
    victim.deal_a_round(hole)
    for key in (Key.NEXT_HAND, Key.REVEAL, Key.VOID_ROUND, Key.HOLD, Key.END_ROUND, Key.CLOSE_SHOE):
        assert victim.refused(MessageKind.KEY, bytes((key, 1))) == Error.NOT_AUTHORISED
    assert not victim.records(RecordKind.OPENED)
    assert not [one for one in victim.records(RecordKind.CARD) if one.get("card") == hole]
    for key in (Key.NEXT_HAND, Key.REVEAL):  # the dealer does it at the panel
        victim.rig.key(key)
    victim.rig.sync()
    assert [one.get("card") for one in victim.records(RecordKind.OPENED)] == [hole]


def test_attack_forgiven_fault(victim: Victim) -> None:
    """A fault that stops the game is cleared over the wire, with all that the supervisor key can say."""
    victim.deal_a_round(30)
    victim.rig.draw(0, Item(7, 3))  # a card of a foreign batch
    victim.rig.sync()
    fault = victim.client.status().fault
    assert fault == FaultCode.FOREIGN_BATCH
    for how in range(5):
        assert victim.refused(MessageKind.KEY, bytes((Key.SUPERVISOR, how))) == Error.NOT_AUTHORISED
    assert victim.client.status().fault == fault and victim.rig.lamps().card_stop
    victim.rig.key(Key.SUPERVISOR, 3)  # the floorperson, at the shoe
    victim.rig.sync()
    assert victim.client.status().fault == 0


def test_attack_false_fetch(victim: Victim) -> None:
    """Histories are marked as fetched, so that the shoe would overwrite them."""
    victim.rig.key(Key.LOAD, 0)
    victim.rig.key(Key.CLOSE_SHOE)
    victim.rig.sync()
    closed = [entry for entry in victim.client.history_list() if entry.closed]
    assert closed
    for entry in closed:
        assert victim.refused(MessageKind.HISTORY_FETCHED, struct.pack("<I", entry.shoe)) == Error.NOT_AUTHORISED
    assert not any(entry.fetched for entry in victim.client.history_list())


def test_attack_held_press(victim: Victim) -> None:
    """A press of the controller is caught on the line and let through when the table stands otherwise."""
    assert victim.key is not None
    play = victim.client.authority.open_play(victim.key.play_key())
    assert play.press(Key.LOAD, 0, **victim.table())[0]
    pressed = struct.pack("<IIBBB", 2, *victim.table().values(), Key.CLOSE_SHOE, 0)
    held = pressed + tag(play._key, pressed)
    victim.rig.key(Key.NEW_DEALER)
    victim.rig.sync()
    before = victim.table()
    assert victim.refused(MessageKind.PLAY, held) == Error.NOT_ALLOWED_NOW
    assert victim.table() == before
    assert victim.refused(MessageKind.PLAY, held) == Error.NOT_AUTHORISED, "it was used up"


def test_attack_play_injection(victim: Victim) -> None:
    """Keys are injected into the play of a hybrid table: without its key, counted again, and the floorperson's."""
    assert victim.key is not None
    play = victim.client.authority.open_play(victim.key.play_key())
    assert play.press(Key.LOAD, 0, **victim.table())[0]
    pressed = struct.pack("<IIBBB", 1, *victim.table().values(), Key.LOAD, 0)
    again = pressed + tag(play._key, pressed)
    assert victim.refused(MessageKind.PLAY, again) == Error.NOT_AUTHORISED
    for key in (Key.SUPERVISOR, Key.RESHUFFLE, Key.VOID_ROUND):
        body = struct.pack("<IIBBB", 9, *victim.table().values(), key, 0)
        assert victim.refused(MessageKind.PLAY, body + tag(play._key, body)) == Error.BAD_VALUE
    body = struct.pack("<IIBBB", 9, *victim.table().values(), Key.CLOSE_SHOE, 0)
    assert victim.refused(MessageKind.PLAY, body + bytes(32)) == Error.NOT_AUTHORISED
    with pytest.raises(NotAuthorised, match="over the wire is closed"):
        play.press(Key.CLOSE_SHOE, **victim.table())  # a forged key ended the play, which the controller notices
    victim.client.authority.key = CommandKey(victim.key.device, victim.key.play_key())
    with pytest.raises(NotAuthorised, match="wrong key"):
        victim.client.config_write({"decks": 8})
    assert victim.settings()["decks"] == 6


def test_attack_journal_flood(victim: Victim) -> None:
    """Thousands of attempts, to fill the journal and push out its histories: one record in ten seconds."""
    before = victim.client.status().next_record
    pages = sum(entry.pages for entry in victim.client.history_list())
    for _ in range(400):
        assert victim.refused(MessageKind.CONFIG_WRITE, DECKS) == Error.NOT_AUTHORISED
    assert victim.client.status().next_record == before + 1
    assert sum(entry.pages for entry in victim.client.history_list()) == pages
    victim.rig.wait(11)
    victim.rig.sync()
    victim.refused(MessageKind.CONFIG_WRITE, DECKS)
    assert victim.records(RecordKind.ATTEMPT)[-1].get("unrecorded") == 399


def test_attack_self_test_flood(victim: Victim) -> None:
    """Self-tests, which need no key, one after another: each would add a record and wear out a page of flash."""
    before = victim.client.status().next_record
    victim.ask(MessageKind.SELF_TEST)
    for _ in range(100):
        assert victim.refused(MessageKind.SELF_TEST) == Error.WAIT
    assert victim.client.status().next_record == before + 1
    with pytest.raises(ShoetoolError, match="takes the next one in 30 s"):
        victim.client.self_test()
    victim.rig.wait(31)
    victim.rig.sync()
    assert victim.client.self_test().failed == 0


def test_attack_clock_flood(victim: Victim) -> None:
    """Times of day for the journal one after another, each another one, which need no key: 144 records in a day."""
    before = victim.client.status().next_record
    taken = 0
    for at in range(100):
        ticks = victim.client.ticks().ticks_ms
        body = pack_request(
            MessageKind.HOST_CLOCK, ticks_ms=ticks, wall_s=1_795_723_200 + 977 * at, wall_ms=0, uncertainty_ms=1
        )
        try:
            victim.ask(MessageKind.HOST_CLOCK, body)
            taken += 1
        except Refused as refused:
            assert refused.code == Error.WAIT
        victim.rig.wait(30)
        victim.rig.sync()
    assert victim.client.status().next_record - before == taken
    assert 1 <= taken <= 6, "one in ten minutes"
    assert not any(one.get("authenticated") for one in victim.records(RecordKind.HOST_CLOCK))


def test_attack_malformed_frames(victim: Victim) -> None:
    """Garbage, half frames, wrong lengths and wrong CRCs on the line: the shoe goes on, and nothing changed."""
    chance = Random(5)
    transport = victim.client.transport
    epoch = victim.client.identify().epoch
    for number in range(300):
        body = chance.randbytes(chance.randrange(60))
        frame = bytearray(encode_frame(chance.randrange(1, 40), epoch, 40_000 + number, body))
        for _ in range(chance.randrange(3)):
            frame[chance.randrange(len(frame))] = chance.randrange(256)
        transport.write(bytes(frame[: chance.randrange(1, len(frame) + 1)]) + b"\0")
    while transport.read(0.2):
        pass
    victim.hang_up()  # the numbers of this session are spoiled, which is all that was reached
    assert victim.client.authority.state().state == Authority.PROVISIONED
    assert victim.settings()["decks"] == 6 and victim.client.status().fault in (0, FaultCode.SELF_TEST)
