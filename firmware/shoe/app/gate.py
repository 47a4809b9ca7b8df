"""The gate before privileged commands: who may, every attempt recorded, what a hybrid table may press.

The link asks it before it carries out a privileged request. A shoe that is not provisioned lets everybody pass, and
keeps nothing of it in RAM. What the gate carries out itself are its methods with the names of requests.
"""

import hashlib
import struct

from shoe.compat import const, ticks_diff
from shoe.journal.journal import SPARE_PAGES
from shoe.service_error import ServiceError
from shoe.trust import authority as rules
from shoe.trust.authority import EXPIRES_MS, Authority, hmac_sha256, same
from shoe.wire_table import (
    ATTEMPT_ACCEPTED,
    ATTEMPT_NO_CHALLENGE,
    ATTEMPT_TOO_EARLY,
    ATTEMPT_WITHOUT_KEY,
    ATTEMPT_WRONG_KEY,
    AUTHORITY_OPEN,
    ERROR_BAD_VALUE,
    ERROR_BUSY,
    ERROR_NOT_ALLOWED_NOW,
    ERROR_NOT_AUTHORISED,
    ERROR_NOT_PROVISIONED,
    ERROR_WAIT,
    FAULT_COMMAND_KEY,
    FAULT_FIRMWARE,
    KEY_RESHUFFLE,
    KEY_SUPERVISOR,
    KEY_VOID_ROUND,
    KEYLESS_REQUESTS,
    MSG_PLAY,
    PHASE_EMPTY,
    PHASE_FINISHED,
    PHASE_READY,
    PRIVILEGED_REQUESTS,
    PROVISIONED_IN_FORCE,
    REC_ATTEMPT,
    REC_HOST_CLOCK,
    REC_PROVISIONED,
    REC_SHOE_OPENED,
    SIGNING_MAKING,
)

AUTHORITY_PAGE = const(8)  # of the store
_QUIET_MS = const(10000)  # attempts that test no key get one record in so long, so that they cannot fill the journal
# What a host says of the time of day is always taken with the command key. Without it whoever is on the line may say
# it: one is taken in a shoe, another one an hour later, and one that does not fit the last one ten minutes later. So
# nobody fills the journal with them.
RECENT_MS = const(60000)  # the tick that it belongs to is at most this old
AGAIN_MS = const(3600000)
CHANGED_MS = const(600000)
_CUT_MS = const(10)  # both clocks are cut off to whole milliseconds, each time
_DRIFT = const(4096)  # parts in which two crystals may drift apart by one, several times over
_TICKS_BITS = const(30)
_FLOORPERSON = (KEY_SUPERVISOR, KEY_RESHUFFLE, KEY_VOID_ROUND)


class Keys(Authority):
    """The command key of the shoe on `board`, and what stands between its requests."""

    proved = b""  # challenge of the command that is being carried out
    offered = offered_to = b""  # a key that was offered and is not in force, and the session that it was offered in
    play = playing = b""  # key of the play that is open, and its session
    counter = 0  # of the last key that was played
    unrecorded = noted = 0  # attempts without a record of their own, and when the last one got one
    quiet = False
    unsaid = None  # events of a key or an update that is stored, their first record, and what was stored
    found = b""  # digest of the firmware that runs, once it was needed

    def __init__(self, board, silence):
        # How long is still to wait is told to the host, so the time is the one that may be told.
        Authority.__init__(self, board.store, AUTHORITY_PAGE, board.entropy, silence.ticks_ms)

    def is_open(self):
        """True when the shoe is not provisioned."""
        return self.state == AUTHORITY_OPEN

    @property
    def firmware_fits(self):
        """False when the firmware that runs is not the one that belongs here."""
        return not (self.key and self.found) or self.found == self.firmware

    def say(self, steps):
        """Record which key is in force."""
        steps.commit([(REC_PROVISIONED, self.fingerprint, PROVISIONED_IN_FORCE)])

    def follow(self, steps, events):
        """Each history says of itself that commands need a key; what no supervisor key clears is latched again."""
        for event in events:
            if event[0] == REC_SHOE_OPENED:
                if self.key:
                    self.say(steps)
                elif self.damaged:
                    steps.record_fault(FAULT_COMMAND_KEY)
        if self.damaged:
            steps.raise_fault(FAULT_COMMAND_KEY)
        if not self.firmware_fits:
            steps.raise_fault(FAULT_FIRMWARE)


class Gate:
    """Stands before privileged requests; `keys` is what it knows of the command key, None when open.

    `press(key, argument) -> bool` presses a key of the panel.
    """

    def __init__(self, board, device_id, journal, link, silence, heads, steps, table, signing, press):
        self.keys = None
        self._proved = False  # the privileged request that is carried out came with the command key
        # The last time of day that was taken: its shoe, when, how far it is ahead of the ticks, and its uncertainty.
        self._clock = (-1, 0, 0, 0)
        self._journal = journal
        self._board = board
        self._device_id = device_id
        self._link = link
        self._silence = silence
        self._heads = heads
        self._steps = steps
        self._table = table
        self._signing = signing
        self._press = press

    def start(self, said):
        """After the boot record: look for a command key; say which is in force and whether the firmware fits.

        `said`: a record in the journal says that there is one. Each start and each history of a provisioned shoe says
        so, or that it is damaged: a key that is gone with no record of it was never in force (the power failed while
        the shoe was provisioned), and one that is gone with such a record is damaged. An open shoe keeps nothing.
        """
        keys = self.keys = Keys(self._board, self._silence)
        keys.start()
        if not keys.key or keys.damaged:
            keys.damaged = said
            keys.key = b""
        if keys.is_open():
            self.keys = None
            return
        if keys.key:
            keys.say(self._steps)
            from shoe.app import provision

            provision.check_firmware(keys, self._board, self._table, self._steps)
            self.order(keys)
        keys.follow(self._steps, ())

    def order(self, keys):
        """What was ordered with the command key and is not begun: the power or the memory failed before."""
        if keys.ordered:
            self._signing.order(keys.ordered, keys.begun)

    def follow(self, events):
        """After a step of the table."""
        if self.keys:
            self.keys.follow(self._steps, events)

    def idle(self):
        """Let go of what is over, erase ahead; True when the flash was erased."""
        return self.keys and self.keys.idle()

    def plain(self, request, body):
        """A privileged request without a tag: for a shoe that is not provisioned, or one that needs no key."""
        self._proved = False
        if request in KEYLESS_REQUESTS:
            return
        if self.keys and not self.keys.is_open():
            self.refuse(request, body)

    def _keys(self):
        if self.keys is None:
            self.keys = Keys(self._board, self._silence)
        return self.keys

    def authority(self):
        """Request authority."""
        of = self.keys
        signing = self._signing
        done, total = signing.progress() if signing.state == SIGNING_MAKING else (0, 0)
        if of is None:
            return AUTHORITY_OPEN, bytes(8), 0, 0, 0, done, total
        return of.state, of.fingerprint, of.wait_ms(), of.failures, 1 if of.announced else 0, done, total

    def challenge(self, request):
        """Request challenge: 32 bytes for one privileged request."""
        if request not in PRIVILEGED_REQUESTS:
            raise ServiceError(ERROR_BAD_VALUE)
        of = self._provisioned()
        if not self._board.entropy_ready(rules.CHALLENGE):
            raise ServiceError(ERROR_BUSY)  # it comes at a few ms a byte: nobody waits for it, least of all a table
        try:
            return rules.challenge(of, request, self._link.session), EXPIRES_MS
        except ServiceError as error:
            if error.code == ERROR_WAIT:
                self._note(of, request, ATTEMPT_TOO_EARLY, b"")
            raise

    def _provisioned(self):
        """The keys. ServiceError when the shoe is not provisioned."""
        keys = self.keys
        if keys is None or keys.is_open():
            raise ServiceError(ERROR_NOT_PROVISIONED)
        return keys

    def refuse(self, request, body):
        """A privileged request without a tag came to a shoe that is provisioned."""
        self._note(self.keys, request, ATTEMPT_WITHOUT_KEY, body)
        raise ServiceError(ERROR_NOT_AUTHORISED)

    def tagged(self, request, tag, body):
        """A privileged request with its tag: return when it may be carried out, now."""
        if request not in PRIVILEGED_REQUESTS:
            raise ServiceError(ERROR_BAD_VALUE)
        of = self._provisioned()
        self._proved = False
        steps = self._steps
        if self._heads.in_throat() or (steps.waiting() and not (steps.stuck and steps.room())):
            raise ServiceError(ERROR_BUSY)
        context = self._device_id + struct.pack("<H", self._link.epoch)
        try:
            of.proved = rules.check(of, request, tag, body, context, self._link.session)
        except ServiceError:
            self._note(of, request, of.verdict, body)
            raise
        self._note(of, request, ATTEMPT_ACCEPTED, body)
        self._proved = True

    def _note(self, of, request, result, body):
        """Record an attempt; those that test no key at most once in a while, and then how many there were."""
        if result > ATTEMPT_WRONG_KEY:
            now = self._silence.ticks_ms()
            if not 0 <= ticks_diff(now, of.noted) < _QUIET_MS:
                of.quiet = False
            if of.quiet or not self._steps.room():
                of.unrecorded = min(of.unrecorded + 1, 0xFFFF)
                return
            of.quiet = True
            of.noted = now
        arguments = hashlib.sha256(body).digest()[:8]
        self._steps.commit([(REC_ATTEMPT, request, result, of.failures, of.unrecorded, arguments)])
        of.unrecorded = 0

    def host_clock(self, ticks_ms, wall_s, wall_ms, uncertainty_ms):
        """Request host_clock: the wall clock of the host, as it was at `ticks_ms`, becomes a record."""
        silence = self._silence
        steps = self._steps
        now = silence.ticks_ms()
        turns = silence.turns(ticks_ms)
        if not 0 <= ticks_diff(now, ticks_ms) <= RECENT_MS or turns < 0 or wall_ms > 999:
            raise ServiceError(ERROR_BAD_VALUE)
        now += silence.turns(now) << _TICKS_BITS
        ahead = wall_s * 1000 + wall_ms - (turns << _TICKS_BITS) - ticks_ms
        shoe, taken, before, about = self._clock
        if shoe == self._journal.shoe and not self._proved:
            fits = abs(ahead - before) <= about + uncertainty_ms + (now - taken) // _DRIFT + _CUT_MS
            wait = taken + (AGAIN_MS if fits else CHANGED_MS) - now
            if wait > 0:
                raise ServiceError(ERROR_WAIT, wait)
        if self._heads.in_throat() or steps.waiting():
            raise ServiceError(ERROR_BUSY)
        if self._journal.room() < SPARE_PAGES:
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        number = steps.next_record
        then = (self._journal.shoe, now, ahead, uncertainty_ms)  # before the record: what fails comes first
        steps.commit(
            [(REC_HOST_CLOCK, ticks_ms, min(turns, 0xFFFF), wall_s, wall_ms, uncertainty_ms, 1 if self._proved else 0)]
        )
        self._clock = then
        return (number,)

    def play_open(self):
        """Request play_open: whoever has the play key presses keys from now on, until the next session."""
        of = self._provisioned()  # request `key` does the same at an open shoe
        of.playing = self._link.session
        of.counter = 0
        of.play = hmac_sha256(rules.play_key(of), b"shoe play 1" + of.proved)

    def play(self, counter, record, phase, key, argument, tag):
        """Request play: a panel key of a hybrid table, within an open play, for the table as its controller saw it."""
        of = self._provisioned()
        if key in _FLOORPERSON:
            raise ServiceError(ERROR_BAD_VALUE)
        if self._heads.in_throat() or self._steps.waiting():
            raise ServiceError(ERROR_BUSY)
        pressed = struct.pack("<IIBBB", counter, record, phase, key, argument)
        if not of.play or of.playing != self._link.session or counter <= of.counter:
            self._note(of, MSG_PLAY, ATTEMPT_NO_CHALLENGE, pressed)
            raise ServiceError(ERROR_NOT_AUTHORISED)
        if not same(hmac_sha256(of.play, pressed), tag):
            of.play = b""  # a second try needs the play key
            self._note(of, MSG_PLAY, ATTEMPT_WRONG_KEY, pressed)
            raise ServiceError(ERROR_NOT_AUTHORISED)
        of.counter = counter
        dealing = self._table.dealing
        if record != self._steps.next_record or phase != dealing.phase:
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)  # something happened since: it was held back, or came too late
        return (1 if self._press(key, argument) else 0), dealing.phase

    def key_offer(self, secret):
        """Request key_offer."""
        from shoe.app import provision

        keys = self._keys()
        self._between_rounds()
        return provision.offer(keys, secret, self._board, self._device_id, self._link)

    def provision(self, height, tag):
        """Request provision."""
        from shoe.app import provision

        keys = self._keys()
        self._between_rounds()
        return provision.provision(
            keys, height, tag, self._board, self._device_id, self._link, self._signing, self._table, self._steps
        )

    def update(self, version, digest):
        """Request update."""
        from shoe.app import provision

        provision.announce(self.keys, version, digest, self._board, self._table, self._steps)

    def _between_rounds(self):
        """Refuse while a round is open or a card is in a throat."""
        if self._table.dealing.phase not in (PHASE_EMPTY, PHASE_READY, PHASE_FINISHED) or self._heads.in_throat():
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
