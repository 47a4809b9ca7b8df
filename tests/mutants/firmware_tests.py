"""Runs firmware unit tests by pattern, such as `test_dealing*`, and ends at the first that fails."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "firmware"


def main(patterns: list[str]) -> int:
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(FOLDER), str(ROOT / "firmware"), str(ROOT / "board")]
    names = [path.stem for pattern in patterns for path in sorted(FOLDER.glob(f"{pattern}.py"))]
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=0, failfast=True).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
