"""The checks of signatures: what was done to a history that does not fit what its shoe signed."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_table  # noqa: F401  its checks come before those of this module
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.judge.registry import CHECKS, check
from shoetool.trust import findings as trust

_B: Final = (BREACH,)
_T: Final = (CANNOT_TELL,)
_BEFORE: Final = frozenset(CHECKS)

EDITED: Final = check(
    "7(s): signed history edited", "633a.7(s)", _B,
    """The pages of a signed shoe are those that it signed. A page that the next one does not continue (SHA-256), or
    pages that fit each other but not the signed head, were changed after they were written; who computes CRCs and chain
    anew is caught by the signature.""",
)  # fmt: skip
CUT: Final = check(
    "7(s): signed history cut", "633a.7(s)", _T,
    """The signed statement names first and last page and record; pages that are not in the file were taken out or never
    fetched. So is a signature that the shoe's own `signed` record tells of and that is not there.""",
)  # fmt: skip
SPLICED: Final = check(
    "7(s): signed history spliced", "633a.7(s)", _B,
    "All pages between the first and the last of a signed shoe are pages of that shoe and of that device.",
)  # fmt: skip
REORDERED: Final = check(
    "7(s): signed history reordered", "633a.7(s)", _B,
    "The pages of a signed shoe stand in the order of their numbers, and each continues the one before it.",
)  # fmt: skip
REPLAYED: Final = check(
    "7(s): history of another shoe", "633a.7(s)", _B,
    """The shoe and device of the signed statement are those of the pages, of the file's identity and of its name
    (`DEVICE-NUMBER.shoelog`); else the history of one shoe was put in the place of another's. Without a signature the
    names that pages, file and file name have are compared.""",
)  # fmt: skip
REUSED: Final = check(
    "7(s): one-time index used twice", "633a.7(s)", _B,
    """No two statements are signed with the same index of one key: compared are the files given together and, for
    pinned keys, all that were verified here before. A shoe spends an index before it uses it, so the second signature
    comes from a copy of its key.""",
)  # fmt: skip
FORGED: Final = check(
    "7(s): signature does not verify", "633a.7(s)", _B,
    "The LMS signature (RFC 8554) is one of the statement by the key that stands beside it.",
)  # fmt: skip
OTHER_KEY: Final = check(
    "7(s): signed by another key", "633a.7(s)", _B,
    "The key is the one that is pinned for the device. Without a pin a good signature only says that one key signed.",
)  # fmt: skip
UNSIGNED: Final = check(
    "7(s): not signed", "633a.7(s)", _T,
    """A closed shoe of a device with a pinned key has a signature; without one nothing says that nobody rewrote it.
    With --require-signature every history has one, and all of its play is under one.""",
)  # fmt: skip
UNPINNED: Final = check(
    "7(s): key not pinned", "633a.7(s)", _T,
    """Only with --require-signature: the key of a good signature is one that somebody compared with the shoe's own and
    pinned.""",
)  # fmt: skip
WITHHELD: Final = check(
    "7(s): history withheld", "633a.7(s)", _T,
    """Only with --require-signature, else a note: the shoes of one device and key follow one another by their numbers.
    One that is neither in the files given together nor among what was verified here before (for pinned keys), between
    two that are, is named with its pages, records and signatures. The newest shoe leaves no hole: compare the heads
    (`shoetool keys --heads`).""",
)  # fmt: skip
CONTRADICTED: Final = check(
    "7(s): histories contradict each other", "633a.7(s)", _B,
    """Good signatures of one key can be those of one journal: one history for each shoe number, later shoes with later
    pages, records and indices, and the first page of a shoe holds the SHA-256 of the page before it. Compared are the
    files given together and, for pinned keys, what was verified here before.""",
)  # fmt: skip

BY_NAME: Final = {
    trust.EDITED: EDITED,
    trust.CUT: CUT,
    trust.SPLICED: SPLICED,
    trust.REORDERED: REORDERED,
    trust.REPLAYED: REPLAYED,
    trust.REUSED: REUSED,
    trust.FORGED: FORGED,
    trust.OTHER_KEY: OTHER_KEY,
    trust.UNSIGNED: UNSIGNED,
    trust.UNPINNED: UNPINNED,
    trust.WITHHELD: WITHHELD,
    trust.CONTRADICTED: CONTRADICTED,
}
"""Check by the name that `shoetool.trust` gives a finding."""
ACTS: Final = frozenset((EDITED, CUT, SPLICED, REORDERED, REPLAYED, REUSED, FORGED, OTHER_KEY, CONTRADICTED))
"""The checks that name what was done to a file; what else is found in that file may be a mere consequence."""
TRUST_CHECKS: Final = tuple(name for name in CHECKS if name not in _BEFORE)
