"""A small stand-in for `unittest` on MicroPython: what tests/firmware uses of it, and nothing else."""

import sys


class SkipTest(Exception):
    """Raised by a test that cannot run here; its text says why."""


class _Raises:
    """Context manager of assertRaises; the exception is in `exception` afterwards."""

    def __init__(self, expected):
        self._expected = expected
        self.exception = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            raise AssertionError("%r was not raised" % (self._expected,))
        if not issubclass(kind, self._expected):
            return False
        self.exception = error
        return True


class _SubTest:
    """Context manager of subTest: names the case in which an assertion failed."""

    def __init__(self, message, parameters):
        self._name = (message, parameters)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            sys.stderr.write("in sub test %r %r\n" % self._name)
        return False


class TestCase:
    """Assertions; the runner makes one object per test."""

    def setUp(self):
        """Run before each test."""

    def tearDown(self):
        """Run after each test."""

    def fail(self, message="failed"):
        raise AssertionError(message)

    def _check(self, right, form, values, message):
        if not right:
            text = form % values
            raise AssertionError(text if message is None else "%s: %s" % (text, message))

    def assertEqual(self, first, second, msg=None):
        self._check(first == second, "%r != %r", (first, second), msg)

    def assertNotEqual(self, first, second, msg=None):
        self._check(first != second, "%r == %r", (first, second), msg)

    def assertTrue(self, value, msg=None):
        self._check(value, "%r is not true", (value,), msg)

    def assertFalse(self, value, msg=None):
        self._check(not value, "%r is not false", (value,), msg)

    def assertIs(self, first, second, msg=None):
        self._check(first is second, "%r is not %r", (first, second), msg)

    def assertIsNot(self, first, second, msg=None):
        self._check(first is not second, "%r is %r", (first, second), msg)

    def assertIsNone(self, value, msg=None):
        self._check(value is None, "%r is not None", (value,), msg)

    def assertIsNotNone(self, value, msg=None):
        self._check(value is not None, "it is None", (), msg)

    def assertIn(self, member, container, msg=None):
        self._check(member in container, "%r not in %r", (member, container), msg)

    def assertNotIn(self, member, container, msg=None):
        self._check(member not in container, "%r in %r", (member, container), msg)

    def assertLess(self, first, second, msg=None):
        self._check(first < second, "%r >= %r", (first, second), msg)

    def assertLessEqual(self, first, second, msg=None):
        self._check(first <= second, "%r > %r", (first, second), msg)

    def assertGreater(self, first, second, msg=None):
        self._check(first > second, "%r <= %r", (first, second), msg)

    def assertGreaterEqual(self, first, second, msg=None):
        self._check(first >= second, "%r < %r", (first, second), msg)

    def assertIsInstance(self, value, kind, msg=None):
        self._check(isinstance(value, kind), "%r is no %r", (value, kind), msg)

    def assertRaises(self, expected):
        return _Raises(expected)

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **parameters):
        return _SubTest(msg, parameters)


def main():
    """Nothing: run_micropython.py runs the tests."""
