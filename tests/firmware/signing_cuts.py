"""Power cuts at any moment of making a key and of signing: no index is used twice, what was emitted stays and verifies.

Used by test_signing_cuts.py (a sample, on CPython and MicroPython) and tests/bench/signing_power_cuts.py (thousands).
Every call of `sign` is watched, also of signatures that a cut ended before anybody got them.
"""

import hashlib

from flash_memory import PowerCut
from rng import Rng
from shoe.trust import sign_shoe
from shoe.trust.lms import verify
from shoe.wire_table import SIGNING_DAMAGED, SIGNING_MAKING, SIGNING_NO_KEY, SIGNING_READY, SIGNING_USED_UP
from signing_bench import Bench


class Watch:
    """What was signed with which index of which key, whatever became of it."""

    def __init__(self):
        self.used = {}  # (key, index) -> message
        self._real = sign_shoe.sign

    def __enter__(self):
        sign_shoe.sign = self._sign
        return self

    def __exit__(self, kind, error, trace):
        sign_shoe.sign = self._real

    def _sign(self, identifier, seed, height, width, q, c, message, node, put):
        place = (bytes(identifier), q)
        if place in self.used:
            raise AssertionError("index %d was used a second time" % q)
        self.used[place] = bytes(message)
        return self._real(identifier, seed, height, width, q, c, message, node, put)


class Life:
    """A device over many power cuts, and beside it what it emitted."""

    def __init__(self, seed):
        self.rng = Rng(seed)
        self.bench = Bench(seed=seed + 1)
        self.emitted = {}  # shoe -> (index of the signature, of the statement, SHA-256 of both)
        self.fetched = set()  # with those whose mark was cut off
        self.keyed = False
        self.cuts = 0
        self.in_making = 0
        self.in_signing = 0

    def act(self):
        """Something that a shoe does: work, mostly; deal when nothing is due; erase ahead; fetch."""
        bench = self.bench
        signing = bench.signing
        if signing.state == SIGNING_READY:
            self.keyed = True
        if signing.state == SIGNING_NO_KEY or (signing.state == SIGNING_DAMAGED and not self.keyed):
            signing.begin(5)  # torn within the header of the first key ever: named as damaged, and made again
        elif signing.busy:
            event = signing.step(1 + self.rng.below(400))
            if event is not None:
                bench.journal.append(event, 5)
        elif self.rng.below(4):
            bench.journal.idle() or signing.idle() or bench.fetched.idle()
            if signing.state == SIGNING_READY and bench.journal.room() > 4 and signing.room():
                bench.deal(self.rng.below(30))
        else:
            self.fetch()

    def fetch(self):
        """The host takes all there is, and tells the shoe of the oldest history that it is safe."""
        bench = self.bench
        self.take()
        for row in bench.journal.shoes():
            if row[5] and not bench.fetched.is_fetched(row[0], row[3] + row[4] - 1):
                self.fetched.add(row[0])
                bench.fetched.mark(row[0], row[3] + row[4] - 1, bench.journal.shoe, 0)
                break

    def take(self):
        """The host takes every signature that there is; it must verify, and be the one that it was before."""
        bench = self.bench
        public = bench.signing.public_key()
        for row in bench.journal.shoes():
            shoe = row[0]
            found = bench.emitted(shoe)
            if found is None:
                if shoe in self.emitted and shoe not in self.fetched:
                    raise AssertionError("the signature of shoe %d is gone" % shoe)
                continue
            if not verify(found[0], found[1], public):
                raise AssertionError("the signature of shoe %d does not verify" % shoe)
            kept = (bytes(found[1][:4]), bytes(found[0][32:36]), hashlib.sha256(found[0] + found[1]).digest())
            if self.emitted.get(shoe, kept) != kept:
                raise AssertionError("the signature of shoe %d changed" % shoe)
            self.emitted[shoe] = kept

    def check(self):
        """All that was emitted so far has indices of its own."""
        seen = set()
        for q, stated, _ in self.emitted.values():
            if q in seen or q != bytes(reversed(stated)):
                raise AssertionError("index %r stands twice" % q)
            seen.add(q)


def run(seed, lives=12, acts=300):
    """Live through `lives` power cuts; return (cuts in making a key, cuts in signing, other cuts, signatures emitted).

    Raises AssertionError naming the seed.
    """
    try:
        with Watch():
            life = Life(seed)
            for _ in range(lives):
                signing = life.bench.signing
                making = signing.state in (SIGNING_MAKING, SIGNING_NO_KEY)
                if not making:
                    life.bench.power.arm(life.rng.below(9000))
                elif life.in_making < 3:
                    life.bench.power.arm(life.rng.below(1500))
                try:
                    for _ in range(acts):
                        was_making = making
                        making = signing.state in (SIGNING_MAKING, SIGNING_NO_KEY)
                        if was_making and not making:
                            break
                        life.act()
                except PowerCut:
                    life.cuts += 1
                    if making:
                        life.in_making += 1
                    elif signing._work is not None:
                        life.in_signing += 1
                life.bench.power.arm(None)
                life.bench.start()
                life.take()
            while life.bench.signing.busy or not life.keyed:
                life.act()
            life.take()
            life.check()
            if life.bench.power.misuse:
                raise AssertionError("the flash was misused")
            if life.bench.signing.state not in (SIGNING_READY, SIGNING_USED_UP):
                raise AssertionError("the key is lost")
    except Exception as error:
        raise AssertionError("seed %d: %r" % (seed, error))  # noqa: B904 - MicroPython has no `from`
    return life.in_making, life.in_signing, life.cuts - life.in_making - life.in_signing, len(life.emitted)
