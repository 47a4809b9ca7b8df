"""Who signed a history: LMS verification, statements, keys, pins, and the names of the findings about it."""

from shoetool.trust.continuity import Followed
from shoetool.trust.findings import SignedShoe, TrustFinding
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.reach import Reach, Stretch, required
from shoetool.trust.signed_history import examine
from shoetool.trust.trust import Trust

__all__ = [
    "Followed",
    "PinStore",
    "PublicKey",
    "Reach",
    "SignedShoe",
    "Stretch",
    "Trust",
    "TrustFinding",
    "examine",
    "required",
]
