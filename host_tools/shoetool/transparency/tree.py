"""The Merkle tree of RFC 6962, section 2.1: hashes, roots, proofs of inclusion and of consistency, and their checks.

It is our own code because the kept Python library for it (pymerkle) is under the GPL. The tests hold it to the vectors
of the reference implementations and to the recursive definitions of the RFC.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

HASH: Final = 32
MOST: Final = (1 << 63) - 1
"""No tree is larger: the formats count in 63 bits."""
EMPTY: Final = sha256().digest()


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees beside each other."""
    return sha256(b"\1" + left + right).digest()


def _split(size: int) -> int:
    """The largest power of two below `size` (which is at least 2): where the RFC splits a tree."""
    return 1 << ((size - 1).bit_length() - 1)


class Tree:
    """A tree that grows. It keeps the hashes of all complete subtrees: 64 bytes an entry."""

    def __init__(self, leaves: Sequence[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.add(leaf)

    @property
    def size(self) -> int:
        """How many entries it has."""
        return len(self._levels[0])

    def add(self, leaf: bytes) -> None:
        """Add the hash of an entry."""
        value = leaf
        for height in range(len(self._levels) + 1):
            if height == len(self._levels):
                self._levels.append([])
            row = self._levels[height]
            row.append(value)
            if len(row) % 2:
                return
            value = node_hash(row[-2], row[-1])

    def row(self, height: int) -> Sequence[bytes]:
        """Return the hashes of the complete subtrees of 2^height entries, in order."""
        return self._levels[height] if height < len(self._levels) else []

    def _hash(self, first: int, end: int) -> bytes:
        """Return the hash over the entries from `first`, a place at which the RFC splits, up to `end`."""
        size = end - first
        height = size.bit_length() - 1
        if size == 1 << height:
            return self._levels[height][first >> height]
        middle = first + _split(size)
        return node_hash(self._hash(first, middle), self._hash(middle, end))

    def root(self, size: int | None = None) -> bytes:
        """Return the root over the first `size` entries (of all without it). ValueError when there are not so many."""
        end = self.size if size is None else size
        self._within(0, end)
        return self._hash(0, end) if end else EMPTY

    def _within(self, low: int, size: int) -> None:
        if not 0 <= low <= size <= self.size:
            raise ValueError(f"{low} and {size} are not in order in a tree of {self.size} entries")

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """Return the proof that entry `index` is in the tree of the first `size`, from the leaf's sibling up."""
        end = self.size if size is None else size
        self._within(index + 1, end)
        first, proof = 0, []
        while end - first > 1:
            middle = first + _split(end - first)
            if index < middle:
                proof.append(self._hash(middle, end))
                end = middle
            else:
                proof.append(self._hash(first, middle))
                first = middle
        return proof[::-1]

    def consistency(self, old: int, size: int | None = None) -> list[bytes]:
        """Return the proof that the tree of the first `size` entries grew from that of the first `old`. Empty for 0."""
        end = self.size if size is None else size
        self._within(old, end)
        if old in (0, end):
            return []
        first, proof, whole = 0, [], True
        while old != end:
            middle = first + _split(end - first)
            if old <= middle:
                proof.append(self._hash(middle, end))
                end = middle
            else:
                proof.append(self._hash(first, middle))
                first, whole = middle, False
        if not whole:
            proof.append(self._hash(first, end))
        return proof[::-1]


def _hashes(*values: bytes) -> bool:
    return all(len(value) == HASH for value in values)


def is_included(proof: Sequence[bytes], index: int, leaf: bytes, size: int, root: bytes) -> bool:
    """Whether the proof shows that `leaf` is entry `index` of the tree with this size and root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or not _hashes(leaf, root, *proof):
        return False
    at, last, value = index, size - 1, leaf
    for other in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            value = node_hash(other, value)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            value = node_hash(value, other)
        at, last = at >> 1, last >> 1
    return last == 0 and value == root


def is_grown(proof: Sequence[bytes], old: int, old_root: bytes, size: int, root: bytes) -> bool:
    """Whether the proof shows that the tree with `size` and `root` grew from that with `old` (RFC 9162, 2.1.4.2).

    An empty tree grows into any. Trees of the same size have the same root. Both have an empty proof.
    """
    if not _hashes(old_root, root, *proof):
        return False
    if old == 0:
        return not proof and old_root == EMPTY and (size > 0 or root == EMPTY)
    if old == size:
        return not proof and old_root == root
    if not 0 < old < size or not proof:
        return False
    path = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = path[0]
    for other in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = node_hash(other, before), node_hash(other, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = node_hash(after, other)
        at, last = at >> 1, last >> 1
    return last == 0 and before == old_root and after == root
