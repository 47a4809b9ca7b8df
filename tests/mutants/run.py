"""`make mutants`: how many small faults the tests beside the code find. cosmic-ray makes the faults, one at a time.

A seeded sample of the mutants of all targets (targets.toml) is tried in a copy of the tree, build/mutants/tree, by the
tests of its target that run the changed line (tests_of.py), quickest first, until one fails. Each mutant has a process
of its own: a fork of this one, which has imported what the tests need but nothing of the project.

What survives is printed with its line before and after; those that change nothing anybody could notice stand in
equivalent.toml with the reason. Exit code 1 when fewer than 95 % of the others are killed, 2 when a mutant could not be
tried (outcome.py).
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import difflib
import json
import os
import py_compile
import resource
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest
from cosmic_ray.work_item import MutationSpec
from outcome import KILLS, NOT_IMPORTED, Chosen
from sample import choose, mutated
from tests_of import Watched
from watch import Watch

Known = tuple[str, str, str, str]
ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutants" / "tree"
SURVIVORS = ROOT / "build" / "mutants" / "survivors.json"
LEAST = 0.95
MOST_BYTES = 4 << 30
# Assertions are plain: a comparison of long texts is not explained for minutes.
TESTER = ["-x", "-q", "--tb=no", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider"]
# What most tests import and is not of the project.
USUAL = ("click", "crcmod", "numpy", "rich.console", "rich.table", "rich.progress", "serial", "pyhsslms")


def copy_tree() -> None:
    """Lay a fresh copy of the files that git knows, as they are now."""
    shutil.rmtree(TREE, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)
    # tests/conftest.py compiles the firmware for MicroPython before the first test, which no test here needs.
    build = TREE / "firmware" / "tools" / "build.py"
    build.write_text(build.read_text(encoding="utf-8").partition("\nif __name__ ==")[0], encoding="utf-8")
    # Bytecode that goes by its source's hash: a mutant is never hidden by it, and the rest need not be compiled again.
    compileall.compile_dir(TREE, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)


def prepare() -> None:
    """What all forks have in common: the copy's own modules come first, and no bytecode is written."""
    os.chdir(TREE)
    os.environ["PYTHONPATH"] = str(TREE / "host_tools")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(TREE / "host_tools"))
    for name in USUAL:
        import_module(name)


def forked(work: Callable[[], int]) -> int:
    """Do `work` in a process of its own, and end all that it started: its exit code, negative by a signal."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        code = int(pytest.ExitCode.INTERNAL_ERROR)
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def run_tests(tests: list[str], plugin: object, output: Path) -> int:
    """Run pytest with a plugin of ours; what it prints goes to a file."""
    with output.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    return int(pytest.main([*TESTER, *tests], plugins=[plugin]))


def watch(name: str, modules: list[Path], patterns: list[str]) -> Watched:
    """Watch the tests of a target without a fault. They pass, in any order, or no mutant says anything."""
    files = list(dict.fromkeys(str(path) for pattern in patterns for path in sorted(Path().glob(pattern))))
    seen, output = Path(f"{name}.json"), Path(f"{name}.txt")

    def work() -> int:
        plugin = Watch(modules)
        code = run_tests(files, plugin, output)
        seen.write_text(json.dumps([plugin.seconds, list(plugin.lines().items())]), encoding="utf-8")
        return code

    if forked(work):
        sys.exit(f"the tests of {name} fail without any fault:\n{output.read_text(encoding='utf-8')[-2000:]}")
    seconds, lines = json.loads(seen.read_text(encoding="utf-8"))
    found = Watched(seconds, {file: {int(at): who for at, who in ran.items()} for file, ran in lines})
    if not lines:
        sys.exit(f"the tests of {name} run nothing of it")
    code = attempt(found.every_test(), output)
    if code:
        told = output.read_text(encoding="utf-8")[-2000:]
        sys.exit(f"the tests of {name} fail when the quickest come first (exit code {code}):\n{told}")
    return found


def attempt(tests: dict[str, float], output: Path) -> int:
    """Run these tests in their order in a process of its own: 0 when all pass."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))

    def work() -> int:
        chosen = Chosen(tests)
        return chosen.outcome(run_tests(files, chosen, output))

    return forked(work) if tests else 0


def equivalents() -> set[Known]:
    """Mutants that nobody could notice, from equivalent.toml."""
    listed = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8"))
    return {(one["file"], one["function"], one["was"], one["now"]) for one in listed["mutant"]}


def known_by(mutation: MutationSpec) -> Known:
    """File, function, and its line before and after: what stays when other lines of the file move."""
    source = mutation.module_path.read_text(encoding="utf-8")
    diff = list(difflib.unified_diff(source.splitlines(), mutated(mutation).splitlines(), n=0))[2:]
    was, now = (" ".join(" ".join(line[1:] for line in diff if line.startswith(sign)).split()) for sign in "-+")
    return mutation.module_path.as_posix(), mutation.definition_name or "", was, now


def attempt_mutant(mutation: MutationSpec, tests: dict[str, float], output: Path) -> int:
    """Put a mutant in its place, try it, and put the source back: 0 when it survives."""
    source = mutation.module_path.read_text(encoding="utf-8")
    mutation.module_path.write_text(mutated(mutation), encoding="utf-8")
    try:
        return attempt(tests, output)
    finally:
        mutation.module_path.write_text(source, encoding="utf-8")


class Tally:
    """What became of the mutants, by target."""

    def __init__(self) -> None:
        self.killed: Counter[str] = Counter()
        self.survived: Counter[str] = Counter()
        self.late = self.not_imported = self.broken = self.same = 0
        self.left: list[dict[str, Any]] = []
        self._equivalent = equivalents()

    def count(self, target: str, mutation: MutationSpec, code: int, tests: int) -> None:
        """Enter a mutant that so many tests tried; what survives is printed."""
        known_as = known_by(mutation)
        if code in KILLS:
            self.killed[target] += 1
            self.late += code == -signal.SIGALRM
            self.not_imported += code == NOT_IMPORTED
        elif code:
            self.broken += 1
            file, function, was, now = known_as
            print(
                f"BROKEN exit code {code}: {file}:{mutation.start_pos[0]} {function}\n    {was}\n    {now}", flush=True
            )
        elif known_as in self._equivalent:
            self.same += 1
        else:
            self.survived[target] += 1
            file, function, was, now = known_as
            self.left.append({"target": target, "mutation": {**attrs.asdict(mutation), "module_path": file}})
            print(
                f"SURVIVED {tests} tests: {file}:{mutation.start_pos[0]} {function}\n    {was}\n    {now}", flush=True
            )

    def told(self, target: str | None = None) -> str:
        """How many were killed, of this target or of all."""
        killed, survived = self.killed, self.survived
        if target is not None:
            return f"{target}: {killed[target]} of {killed[target] + survived[target]} killed"
        return f"{killed.total()} of {killed.total() + survived.total()} killed"

    def share(self) -> float:
        return self.killed.total() / max(self.killed.total() + self.survived.total(), 1)


def again(survivors: Path) -> list[tuple[str, MutationSpec]]:
    """(target, mutant) of those that survived the last run."""
    return [
        (one["target"], MutationSpec(**one["mutation"])) for one in json.loads(survivors.read_text(encoding="utf-8"))
    ]


def asked_for(module: Path, patterns: list[str] | None) -> bool:
    """Whether mutants of a module are drawn; without patterns those of all are."""
    return not patterns or any(module.match(pattern) for pattern in patterns)


def main() -> int:
    parser = argparse.ArgumentParser(description="How many small faults the tests find.")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only this one of targets.toml; may be repeated")
    parser.add_argument("--module", action="append", help="only modules of this pattern; may be repeated")
    parser.add_argument("--again", action="store_true", help="only those that survived the last run")
    asked = parser.parse_args()
    listed: dict[str, Any] = tomllib.loads((Path(__file__).parent / "targets.toml").read_text(encoding="utf-8"))
    targets = {name: one for name, one in listed.items() if not asked.target or name in asked.target}
    copy_tree()
    prepare()
    modules = {
        name: [path for pattern in one["modules"] for path in Path().glob(pattern)] for name, one in targets.items()
    }
    drawn_from = {name: [path for path in paths if asked_for(path, asked.module)] for name, paths in modules.items()}
    chosen = again(SURVIVORS) if asked.again else choose(drawn_from, asked.sample, asked.seed)
    print(f"seed {asked.seed}: {len(chosen)} mutants {dict(Counter(name for name, _ in chosen))}", flush=True)
    tally = Tally()
    whose = {name: name if isinstance(one["tests"], list) else one["tests"] for name, one in targets.items()}
    watched: dict[str, Watched] = {}
    for name in dict.fromkeys(name for name, _ in chosen):
        tests = whose[name]
        if tests not in watched:
            began = time.monotonic()
            run_by_them = [path for other in targets if whose[other] == tests for path in modules[other]]
            watched[tests] = watch(tests, run_by_them, listed[tests]["tests"])
            count = len(watched[tests].every_test())
            print(f"{count} tests of {tests} watched, {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
        for mutation in (mutation for target, mutation in chosen if target == name):
            tried_by = watched[tests].tests_of(mutation.module_path, mutation.start_pos[0])
            code = attempt_mutant(mutation, tried_by, Path(f"{tests}.txt"))
            tally.count(name, mutation, code, len(tried_by))
        print(f"{tally.told(name)}, {time.monotonic() - began:.0f} s", flush=True)
        SURVIVORS.write_text(json.dumps(tally.left, indent=1), encoding="utf-8")
    how = f"{tally.late} by time, {tally.not_imported} not to be imported; {tally.same} equivalent"
    print(f"seed {asked.seed}: {tally.told()}, {tally.share():.1%}; {how}")
    if tally.broken:
        print(f"{tally.broken} mutants could not be tried: no test failed, and none ran to its end")
        return 2
    return 0 if tally.share() >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
