"""The checks of signatures: what was done to a history that does not fit what its shoe signed."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_table  # noqa: F401  its checks come before those of this module
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.judge.registry import CHECKS, check
from shoetool.trust import findings as trust

_BEFORE: Final = frozenset(CHECKS)

EDITED: Final = check(
    "7(s): signed history edited", "633a.7(s)", (BREACH,),
    """The pages of a signed shoe are the pages that it signed. If a page does not continue the one before it (SHA-256),
    or if the pages do not fit the signed head, a page was changed after it was written. New CRCs and a new chain do not
    hide a change: the signature still shows it.""",
)  # fmt: skip
CUT: Final = check(
    "7(s): signed history cut", "633a.7(s)", (CANNOT_TELL,),
    """The signed statement names the first and the last page and record. Pages that are not in the file were taken out
    or never fetched. A signature that the `signed` record names and that is missing is reported too.""",
)  # fmt: skip
SPLICED: Final = check(
    "7(s): signed history spliced", "633a.7(s)", (BREACH,),
    "All pages between the first and the last of a signed shoe are pages of that shoe and of that device.",
)  # fmt: skip
REORDERED: Final = check(
    "7(s): signed history reordered", "633a.7(s)", (BREACH,),
    "The pages of a signed shoe stand in the order of their numbers, and each continues the one before it.",
)  # fmt: skip
REPLAYED: Final = check(
    "7(s): history of another shoe", "633a.7(s)", (BREACH,),
    """The signed statement names the same shoe and device as the pages, the file and the file's name
    (`DEVICE-NUMBER.shoelog`). If not, one history was put in the place of another. Without a signature, pages, file and
    file name are compared with each other.""",
)  # fmt: skip
REUSED: Final = check(
    "7(s): one-time index used twice", "633a.7(s)", (BREACH,),
    """No two statements are signed with the same index of one key. The files that are given together are compared; for
    pinned keys also all that were verified here before. A shoe marks an index as used before it signs. So the second
    signature comes from a copy of its key.""",
)  # fmt: skip
FORGED: Final = check(
    "7(s): signature does not verify", "633a.7(s)", (BREACH,),
    "The LMS signature (RFC 8554) fits the statement and the key that lies beside it.",
)  # fmt: skip
OTHER_KEY: Final = check(
    "7(s): signed by another key", "633a.7(s)", (BREACH,),
    """The key is the one that is pinned for the device. Without a pin, a good signature only shows that some key
    signed.""",
)  # fmt: skip
UNSIGNED: Final = check(
    "7(s): not signed", "633a.7(s)", (CANNOT_TELL,),
    """A closed shoe of a device with a pinned key has a signature. Without one, nothing proves that nobody rewrote the
    history. With --require-signature every history has a signature, and the signature covers all of its play.""",
)  # fmt: skip
UNPINNED: Final = check(
    "7(s): key not pinned", "633a.7(s)", (CANNOT_TELL,),
    """Only with --require-signature: the key of a good signature is pinned. Who pins a key compares it with the
    shoe's.""",
)  # fmt: skip
WITHHELD: Final = check(
    "7(s): history withheld", "633a.7(s)", (CANNOT_TELL,),
    """Only with --require-signature, else a note: the shoes of one device and key have numbers without a gap. A shoe
    between two known ones is missing if it is not among the files and, for pinned keys, was not verified here before.
    The finding names its pages, records and signatures. A missing newest shoe leaves no gap: compare the heads
    (`shoetool keys --heads`).""",
)  # fmt: skip
CONTRADICTED: Final = check(
    "7(s): histories contradict each other", "633a.7(s)", (BREACH,),
    """Good signatures of one key fit one journal. Each shoe number has one history. Later shoes have later pages,
    records and indices. The first page of a shoe holds the SHA-256 of the page before it. The files that are given
    together are compared; for pinned keys also what was verified here before.""",
)  # fmt: skip

CLOCK: Final = check(
    "7(s): time of day contradicted", "633a.7(s)", (CANNOT_TELL,),
    """The shoe does not know the time of day. A reading of the host's clock that it recorded is chained and signed with
    the rest. The readings that a file has beside its records are not, and anybody may change them. When both differ by
    more than 2 s beyond what is uncertain, one of them is wrong. Times follow the recorded ones, and of these the
    ones that came with the command key.""",
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
