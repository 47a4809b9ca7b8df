"""How long signatures of RFC 8554 are: what a start needs of them, without the hashes."""

from shoe.compat import const

HASH = const(32)
CHAINS = {4: 67, 8: 34}  # p, by the width in bits


def signature_size(height, width):
    """Bytes of an LMS signature."""
    return 12 + HASH * (CHAINS[width] + 1 + height)
