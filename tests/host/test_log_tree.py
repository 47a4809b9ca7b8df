"""The Merkle tree: published vectors, and the recursive definitions of RFC 6962, written down once more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_entries import mth, path, proof
from shoetool.transparency.tree import EMPTY, MOST, Tree, is_grown, is_included, leaf_hash

# The inputs and roots that the implementations of RFC 6962 share: transparency-dev/merkle, testonly/constants.go.
LEAVES = [bytes.fromhex(one) for one in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
LEAVES.append(bytes.fromhex("606162636465666768696a6b6c6d6e6f"))
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def tree_of(entries: list[bytes]) -> Tree:
    return Tree([leaf_hash(entry) for entry in entries])


def test_the_roots_are_those_of_the_reference_implementations() -> None:
    tree = tree_of(LEAVES)
    assert [tree.root(size).hex() for size in range(9)] == ROOTS
    assert [tree_of(LEAVES[:size]).root().hex() for size in range(9)] == ROOTS


@pytest.mark.parametrize(
    ("index", "size", "hashes"),
    [  # the same file's node hashes, in the order of RFC 6962, 2.1.3
        (0, 8, ["96a296d2", "5f083f0a", "6b47aaf2"]),
        (5, 8, ["bc1a0643", "ca854ea1", "d37ee418"]),
        (2, 3, ["fac54203"]),
        (1, 5, ["6e340b9c", "5f083f0a", "bc1a0643"]),
    ],
)
def test_proofs_of_inclusion_are_those_of_the_reference(index: int, size: int, hashes: list[str]) -> None:
    assert [one.hex()[:8] for one in tree_of(LEAVES).inclusion(index, size)] == hashes


@pytest.mark.parametrize(
    ("old", "size", "hashes"),
    [
        (1, 1, []),
        (1, 8, ["96a296d2", "5f083f0a", "6b47aaf2"]),
        (6, 8, ["0ebc5d34", "ca854ea1", "d37ee418"]),
        (2, 5, ["5f083f0a", "bc1a0643"]),
    ],
)
def test_proofs_of_consistency_are_those_of_the_reference(old: int, size: int, hashes: list[str]) -> None:
    assert [one.hex()[:8] for one in tree_of(LEAVES).consistency(old, size)] == hashes


def test_every_proof_of_every_small_tree_is_that_of_the_rfc_and_holds() -> None:
    entries = [b"entry %d" % index for index in range(24)]
    tree = tree_of(entries)
    for size in range(25):
        held, root = entries[:size], tree.root(size)
        assert root == mth(held)
        for index in range(size):
            found = tree.inclusion(index, size)
            assert found == path(index, held)
            assert is_included(found, index, leaf_hash(entries[index]), size, root)
        for old in range(1, size + 1):
            found = tree.consistency(old, size)
            assert found == proof(old, held)
            assert is_grown(found, old, tree.root(old), size, root)
        assert tree.consistency(0, size) == [] and is_grown([], 0, EMPTY, size, root)


def test_no_proof_holds_for_anything_else() -> None:
    """Index, leaf, tree and hashes of each proof exchanged for others, in all trees of up to 9 entries."""
    entries = [b"entry %d" % index for index in range(10)]
    tree = tree_of(entries)
    leaves, roots = [leaf_hash(one) for one in entries], [tree.root(size) for size in range(11)]
    for size in range(1, 10):
        for index in range(size):
            good = tree.inclusion(index, size)
            for claimed in range(-1, 11):
                for total in range(11):
                    for leaf in range(10):
                        holds = is_included(good, claimed, leaves[leaf], total, roots[total])
                        assert holds == ((claimed, leaf, total) == (index, index, size)), (size, claimed, total, leaf)
            for bad in ([*good, roots[1]], good[:-1] if good else [roots[1]], [roots[0], *good]):
                assert not is_included(bad, index, leaves[index], size, roots[size])
        for old in range(1, size):
            good = tree.consistency(old, size)
            for before in range(11):
                for after in range(11):
                    if (before, after) != (old, size):
                        assert not is_grown(good, before, roots[before], after, roots[after]), (
                            old,
                            size,
                            before,
                            after,
                        )
            for place in range(len(good)):
                bad = [*good[:place], roots[0], *good[place + 1 :]]
                assert not is_grown(bad, old, roots[old], size, roots[size])
                assert not is_grown(good[:place] + good[place + 1 :], old, roots[old], size, roots[size])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 700), st.data())
def test_trees_of_any_size_agree_with_the_rfc(size: int, data: st.DataObject) -> None:
    entries = [index.to_bytes(2) for index in range(size)]
    tree = tree_of(entries)
    assert tree.root() == mth(entries)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    assert tree.inclusion(index) == path(index, entries)
    assert tree.consistency(old) == proof(old, entries)
    assert is_included(tree.inclusion(index), index, leaf_hash(entries[index]), size, tree.root())
    assert is_grown(tree.consistency(old), old, tree.root(old), size, tree.root())


@pytest.mark.parametrize("size", [MOST, 1 << 62, (1 << 63) + 5])
def test_a_proof_about_a_huge_tree_is_refused_at_once(size: int) -> None:
    leaf = leaf_hash(b"")
    assert not is_included([leaf] * 63, 0, leaf, size, leaf)
    assert not is_grown([leaf] * 63, 5, leaf, size, leaf)


def test_a_hash_of_another_length_proves_nothing() -> None:
    assert not is_included([], 0, b"", 1, b"")
    assert not is_grown([], 0, EMPTY, 1, b"root")
    assert not is_grown([], 1, b"root", 1, b"root")
    with pytest.raises(ValueError):
        tree_of(LEAVES).root(9)
    with pytest.raises(ValueError):
        tree_of(LEAVES).inclusion(8)
