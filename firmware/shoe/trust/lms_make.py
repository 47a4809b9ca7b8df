"""Making an LMS key: generators that do a few hashes between two `yield`s, each of which gives how many they were."""

from shoe.compat import const
from shoe.trust.lms import Chains, inner, leaf

_INNER = const(3)  # hashes of one inner node


def leaves(identifier, seed, height, width, first, put):
    """Make the leaves of the one-time keys from `first` on; `put(node, hash)` keeps each."""
    chains = Chains(identifier, width)
    for q in range(first, 1 << height):
        digest = chains.begin(q)
        for chain in range(chains.count):
            chains.secret(chain, seed)
            chains.walk(chain, 0, chains.last)
            digest.update(chains.value)
            yield chains.last + 1
        node = (1 << height) + q
        put(node, leaf(identifier, node, digest.digest()))


def inner_nodes(identifier, height, get, put):
    """Make all nodes above the leaves, the root last; `get(node)` gives 32 bytes, `put(node, hash)` keeps them."""
    for node in range((1 << height) - 1, 0, -1):
        left = bytes(get(2 * node))
        put(node, inner(identifier, node, left, get(2 * node + 1)))
        yield _INNER
