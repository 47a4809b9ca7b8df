"""All of tests/firmware/test_lms.py on MicroPython from source, so that every chain of a hash is machine code.

micropython lms_vectors.py <firmware folder> <tests/firmware>
"""

import sys

for folder in (sys.argv[2] + "/micropython_unittest", sys.argv[2], sys.argv[1]):
    sys.path.insert(0, folder)

import unittest  # noqa: E402

import test_lms  # noqa: E402
from shoe import compat  # noqa: E402
from shoe.trust import lms_chain  # noqa: E402

calls = 0
ran = 0
walk = lms_chain.walk


def counted(words, block, start, stop):
    global calls
    calls += 1
    walk(words, block, start, stop)


lms_chain.walk = counted
for case in [getattr(test_lms, item) for item in dir(test_lms)]:
    if isinstance(case, type) and issubclass(case, unittest.TestCase):
        for name in dir(case):
            if name.startswith("test"):
                getattr(case(), name)()
                ran += 1
print("machine code", compat.MACHINE_CODE, "tests", ran, "chains", calls)
