"""Run tests/firmware on MicroPython: `micropython tests/firmware/run_micropython.py [module ...]`.

Each named module (default: every test_*.py here) is imported and its TestCases are run. The last line of output is
`ran N, failed F, skipped S`; exit code 0 when nothing failed and something ran, else 1. Where build.py compiled the
firmware, what it compiled is run; when a source is newer than that, nothing is (exit code 2).
"""

import gc
import os
import sys


def _folder():
    path = __file__
    return path[: path.rindex("/")] if "/" in path else "."


def _modules(root, here):
    """The folders of firmware, board and unit tests as build.py compiled them, else their sources."""
    try:
        os.stat(root + "/build/firmware/shoe")
        return [root + "/build/firmware", root + "/build/board", root + "/build/tests/firmware"]
    except OSError:
        return [root + "/firmware", root + "/board", here]


def _newer(root):
    """A source that was changed after build.py compiled it, or None."""
    for part in ("firmware/shoe", "board/virtual", "tests/firmware"):
        found = _newer_in(root, part)
        if found:
            return found
    return None


def _newer_in(root, part):
    for name in sorted(os.listdir(root + "/" + part)):
        path = part + "/" + name
        if "." not in name and name != "__pycache__":
            found = _newer_in(root, path)
            if found:
                return found
        if name[-3:] != ".py" or name == "run_micropython.py":
            continue
        try:
            compiled = os.stat(root + "/build/" + path[:-3] + ".mpy")
        except OSError:
            return path
        if compiled[8] < os.stat(root + "/" + path)[8]:
            return path
    return None


def _run(case, name, totals):
    """Run one test; totals is [ran, failed, skipped]."""
    import unittest

    totals[0] += 1
    test = case()
    try:
        test.setUp()
        try:
            getattr(test, name)()
        finally:
            test.tearDown()
    except unittest.SkipTest as reason:
        totals[2] += 1
        print("skipped", case.__name__, name, reason)
    except Exception as error:
        totals[1] += 1
        print("FAILED", case.__name__, name)
        if hasattr(sys, "print_exception"):
            sys.print_exception(error)
        else:
            print(repr(error))
    gc.collect()


def _run_module(name, totals):
    import unittest

    module = __import__(name)
    for item in sorted(dir(module)):
        case = getattr(module, item)
        if isinstance(case, type) and issubclass(case, unittest.TestCase) and case is not unittest.TestCase:
            for method in sorted(dir(case)):
                if method.startswith("test"):
                    _run(case, method, totals)
    del sys.modules[name]


def main(names):
    """Run the modules `names`; return the exit code."""
    here = _folder()
    root = here + "/../.."
    folders = _modules(root, here)
    stale = _newer(root) if folders[-1] != here else None
    gc.collect()
    if stale:
        print("build/ is older than %s: run .venv/bin/python firmware/tools/build.py first" % stale)
        return 2
    sys.path[:] = folders + [here + "/micropython_unittest"] + sys.path
    if not names:
        names = sorted(file[:-3] for file in os.listdir(here) if file.startswith("test_") and file.endswith(".py"))
    totals = [0, 0, 0]
    for name in names:
        try:
            _run_module(name, totals)
        except Exception as error:
            totals[0] += 1
            totals[1] += 1
            print("FAILED to load", name)
            if hasattr(sys, "print_exception"):
                sys.print_exception(error)
            else:
                print(repr(error))
        gc.collect()
    print("ran %d, failed %d, skipped %d" % tuple(totals))
    return 0 if totals[0] and not totals[1] else 1


sys.exit(main(sys.argv[1:]))
