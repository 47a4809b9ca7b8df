"""LMS on the device code: the RFC's own vectors, byte by byte and from their seeds, and what must not verify."""

import binascii
import hashlib
import json
import struct
import sys
import unittest

from rng import Rng
from shoe.trust import lms_chain
from shoe.trust.lms import (
    Chains,
    digits,
    inner,
    inner_nodes,
    leaf,
    leaves,
    public_key,
    sign,
    signature_size,
    types,
    verify,
)

SEED = bytes(range(7, 39))
NAME = bytes(range(100, 116))


def vectors():
    """Test cases of RFC 8554, appendix F."""
    path = __file__[: __file__.rindex("/")] if "/" in __file__ else "."
    with open(path + "/../vectors/rfc8554.json") as file:
        return json.load(file)["cases"]


def levels(case):
    """(public key, signature, message, height, width) of each LMS signature in an HSS signature, the top one first."""
    public = binascii.unhexlify(case["public"])
    signature = binascii.unhexlify(case["signature"])
    count = struct.unpack(">I", public[:4])[0]
    key = public[4:]
    at = 4
    out = []
    for level in range(count):
        height, width = case["keys"][level]["height"], case["keys"][level]["width"]
        one = signature[at : at + signature_size(height, width)]
        at += len(one)
        last = level == count - 1
        message = binascii.unhexlify(case["message"]) if last else signature[at : at + 56]
        out.append((key, one, message, height, width))
        if not last:
            key = message
            at += 56
    if at != len(signature) or struct.unpack(">I", signature[:4])[0] != count - 1:
        raise AssertionError("vector")
    return out


def finish(work):
    """Run a generator to its end; return the most hashes between two of its yields."""
    most = 0
    for done in work:
        most = max(most, done)
    return most


def tree_of(identifier, seed, height, width, first=0):
    """All nodes of a tree by number."""
    tree = {}
    finish(leaves(identifier, seed, height, width, first, tree.__setitem__))
    finish(inner_nodes(identifier, height, tree.__getitem__, tree.__setitem__))
    return tree


def signed(tree, identifier, seed, height, width, q, c, message):
    """A whole signature."""
    out = bytearray()
    finish(sign(identifier, seed, height, width, q, c, message, tree.__getitem__, lambda data: out.extend(bytes(data))))
    return bytes(out)


class Rfc8554Test(unittest.TestCase):
    def test_signatures_of_appendix_f_verify_and_each_changed_one_does_not(self):
        checked = 0
        for case in vectors():
            for key, one, message, _, _ in levels(case):
                self.assertTrue(verify(message, one, key))
                for at in (3, 7, 11, 40, len(one) // 2, len(one) - 100, len(one) - 1):
                    wrong = bytearray(one)
                    wrong[at] ^= 1
                    self.assertFalse(verify(message, bytes(wrong), key))
                self.assertFalse(verify(message + b"x", one, key))
                self.assertFalse(verify(message, one[:-1], key))
                self.assertFalse(verify(message, one, key[:-1] + bytes((key[-1] ^ 1,))))
                checked += 1
        self.assertEqual(checked, 4)

    def test_keys_of_test_case_2_sign_byte_by_byte_as_the_rfc_does(self):
        case = vectors()[1]
        done = 0
        for level, (key, one, message, height, width) in enumerate(levels(case)):
            seed = binascii.unhexlify(case["keys"][level]["seed"])
            if height > 5 and sys.implementation.name == "micropython":
                continue  # a million hashes: CPython makes the whole tree, here its path is taken from the signature
            identifier = key[8:24]
            tree = tree_of(identifier, seed, height, width)
            self.assertEqual(tree[1], key[24:])
            self.assertEqual(public_key(height, width, identifier, tree[1]), key)
            q = struct.unpack(">I", one[:4])[0]
            self.assertEqual(signed(tree, identifier, seed, height, width, q, one[8:40], message), one)
            done += 1
        self.assertGreaterEqual(done, 1)

    def test_the_one_time_key_of_test_case_2_gives_its_leaf_and_signature(self):
        case = vectors()[1]
        key, one, message, height, width = levels(case)[0]
        self.assertEqual((height, width), (10, 4))
        seed = binascii.unhexlify(case["keys"][0]["seed"])
        q = struct.unpack(">I", one[:4])[0]
        made = {}
        work = leaves(key[8:24], seed, height, width, q, made.__setitem__)
        while not made:
            next(work)
        node = 1024 + q
        path = len(one) - 32 * height
        value = made[node]
        tree = {}
        for level in range(height):
            other = one[path + 32 * level : path + 32 * level + 32]
            tree[node ^ 1] = other
            left, right = (other, value) if node & 1 else (value, other)
            node >>= 1
            value = inner(key[8:24], node, left, right)
        self.assertEqual(value, key[24:])
        self.assertEqual(signed(tree, key[8:24], seed, height, width, q, one[8:40], message), one)


class LmsTest(unittest.TestCase):
    def test_every_index_of_a_small_tree_signs(self):
        tree = tree_of(NAME, SEED, 5, 4)
        key = public_key(5, 4, NAME, tree[1])
        for q in range(0, 32, 5):
            one = signed(tree, NAME, SEED, 5, 4, q, bytes([q] * 32), b"statement %d" % q)
            self.assertEqual(len(one), signature_size(5, 4))
            self.assertTrue(verify(b"statement %d" % q, one, key))
            other = bytearray(one)
            other[3] ^= 1
            self.assertFalse(verify(b"statement %d" % q, bytes(other), key))

    def test_no_step_of_making_or_signing_is_longer_than_a_chain(self):
        tree = {}
        self.assertEqual(finish(leaves(NAME, SEED, 5, 4, 30, tree.__setitem__)), 16)
        self.assertEqual(sorted(tree), [62, 63])
        for node in range(32, 64):
            tree[node] = bytes((node,)) * 32
        self.assertLessEqual(finish(inner_nodes(NAME, 5, tree.__getitem__, tree.__setitem__)), 16)
        self.assertLessEqual(
            finish(sign(NAME, SEED, 5, 4, 0, bytes(32), b"m", tree.__getitem__, lambda data: None)), 16
        )

    def test_the_chains_of_machine_code_are_those_of_hashlib(self):
        """FIPS 180-4 over the one block that a step of a chain hashes; here it may run as Python."""
        rng = Rng(4)
        words = lms_chain.words()
        for _ in range(6):
            block = lms_chain.block()
            block[:55] = rng.data(55)
            first = rng.below(254)
            right = bytearray(block[:55])
            for step in (first, first + 1):
                right[22] = step
                right[23:] = hashlib.sha256(right).digest()
            lms_chain.walk(words, block, first, first + 2)
            self.assertEqual(block[:55], right)
            self.assertEqual(bytes(block[55:]), b"\x80" + bytes(6) + b"\x01\xb8")

    def test_the_constants_of_sha256_are_roots_of_primes(self):
        """FIPS 180-4, 4.2.2 and 5.3.3: the first 32 bits behind the point of cube and square roots."""
        words = lms_chain.words()
        primes = [n for n in range(2, 312) if all(n % p for p in range(2, n))]
        self.assertEqual(len(primes), 64)
        for number, power, at in [(p, 3, 64 + i) for i, p in enumerate(primes)] + [
            (p, 2, 128 + i) for i, p in enumerate(primes[:8])
        ]:
            low, high = 0, number << 32
            while high - low > 1:  # the largest integer whose power is no more
                middle = (low + high) // 2
                low, high = (middle, high) if middle**power <= number << 32 * power else (low, middle)
            self.assertEqual(words[at], low & 0xFFFFFFFF)

    def test_digits_and_checksum_of_w4(self):
        """Section 4.4: 64 digits of the hash, three of the checksum; what the digits lack to 15 is the checksum."""
        steps = digits(NAME, 1, bytes(32), b"message", 4)
        self.assertEqual(len(steps), 67)
        missing = 0
        for digit in steps[:64]:
            missing += 15 - digit
        self.assertEqual(steps[64] * 256 + steps[65] * 16 + steps[66], missing)

    def test_leaf_chain_and_type_numbers_are_those_of_the_rfc(self):
        self.assertEqual(types(10, 4), (6, 3))
        self.assertEqual(types(5, 4), (5, 3))
        self.assertEqual(signature_size(10, 4), 2508)
        self.assertEqual(len(leaf(NAME, 32, bytes(32))), 32)
        self.assertEqual(Chains(NAME, 4).last, 15)


if __name__ == "__main__":
    unittest.main()
