"""`make mutants`: how many small faults the tests beside the code find. cosmic-ray makes the faults, one at a time.

A seeded sample of the mutants of all targets (targets.toml) is tried in a copy of the tree, build/mutants/tree. What
survives is printed with its line before and after; those that change nothing anybody could notice stand in
equivalent.toml with the reason. Exit code 1 when fewer than 95 % of the others are killed.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import py_compile
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
import uuid
from collections import Counter
from pathlib import Path

import attrs
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem
from sample import choose

Known = tuple[str, str, str, str]
ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutants" / "tree"
SURVIVORS = ROOT / "build" / "mutants" / "survivors.json"
LEAST = 0.95
# A mutant whose tests take this many times as long as without a fault hangs, and is killed. On a busy machine tests can
# take two or three times as long, so it stays above that.
TIMEOUT = 5
LEAST_TIMEOUT_S = 20
TESTER = ["python", "-m", "pytest", "-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]


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
    (TREE / "firmware" / "tools" / "build.py").write_text("", encoding="utf-8")
    # Bytecode that goes by its source's hash: a mutant is never hidden by it, and the rest need not be compiled again.
    compileall.compile_dir(TREE, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)


def environment() -> dict[str, str]:
    """The tree's own modules first, and no more bytecode: it would hide a mutant of the same second and size."""
    found = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(TREE / "host_tools")}
    found["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{found.get('PATH', '')}"
    return found


def test_command(patterns: list[str]) -> str:
    files = dict.fromkeys(path for pattern in patterns for path in sorted(Path().glob(pattern)))
    return shlex.join([*TESTER, *map(str, files)])


def session(name: str, tests: str, timeout_s: float, items: list[WorkItem]) -> Path:
    """Make the session of a target, with the mutants that were drawn and no others, and try them."""
    config = TREE / f"{name}.toml"
    config.write_text(
        f"[cosmic-ray]\nmodule-path = []\ntimeout = {timeout_s}\nexcluded-modules = []\n"
        f'test-command = {json.dumps(tests)}\n[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    found = TREE / f"{name}.sqlite"
    with use_db(str(found), WorkDB.Mode.create) as db:
        db.add_work_items(items)
    command = [sys.executable, "-m", "cosmic_ray.cli", "exec", config.name, found.name]
    subprocess.run(command, cwd=TREE, check=True, env=environment())
    return found


def baseline(tests: str) -> float:
    """Seconds that the tests take without a fault. They pass, or no mutant says anything."""
    began = time.monotonic()
    usual = {**environment(), "PYTHONDONTWRITEBYTECODE": ""}  # pytest keeps the tests as it compiled them
    done = subprocess.run(shlex.split(tests), cwd=TREE, env=usual, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the tests fail without any fault: {tests}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - began


def equivalents() -> set[Known]:
    """Mutants that nobody could notice, from equivalent.toml."""
    listed = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8"))
    return {(one["file"], one["function"], one["was"], one["now"]) for one in listed["mutant"]}


def known_by(mutation: MutationSpec, diff: str) -> Known:
    """File, function, and its line before and after: what stays when other lines of the file move."""
    lines = [line for line in diff.splitlines() if not line.startswith(("+++", "---"))]
    was, now = (" ".join(" ".join(line[1:] for line in lines if line.startswith(sign)).split()) for sign in "-+")
    return mutation.module_path.as_posix(), mutation.definition_name or "", was, now


def again(survivors: Path) -> list[tuple[str, WorkItem]]:
    """(target, mutant) of those that survived the last run."""
    return [
        (one["target"], WorkItem.single(uuid.uuid4().hex, MutationSpec(**one["mutation"])))
        for one in json.loads(survivors.read_text(encoding="utf-8"))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="How many small faults the tests find.")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only this one of targets.toml; may be repeated")
    parser.add_argument("--again", action="store_true", help="only those that survived the last run")
    asked = parser.parse_args()
    targets = tomllib.loads((Path(__file__).parent / "targets.toml").read_text(encoding="utf-8"))
    targets = {name: one for name, one in targets.items() if not asked.target or name in asked.target}
    known = equivalents()
    copy_tree()
    os.chdir(TREE)
    if asked.again:
        chosen = again(SURVIVORS)
    else:
        modules = {
            name: [path for pattern in one["modules"] for path in Path().glob(pattern)] for name, one in targets.items()
        }
        chosen = choose(modules, asked.sample, asked.seed)
    print(f"seed {asked.seed}: {len(chosen)} mutants {dict(Counter(name for name, _ in chosen))}", flush=True)
    killed: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    late = same = 0
    left = []
    for name in dict.fromkeys(name for name, _ in chosen):
        items = {item.job_id: item for target, item in chosen if target == name}
        tests = test_command(targets[name]["tests"])
        usual_s = baseline(tests)
        found = session(name, tests, max(LEAST_TIMEOUT_S, TIMEOUT * usual_s), list(items.values()))
        with use_db(str(found), WorkDB.Mode.open) as db:
            for job, result in db.results:
                (mutation,) = items[job].mutations
                if result.worker_outcome is not WorkerOutcome.NORMAL:
                    sys.exit(f"{mutation} was not tried: {result.output}")
                if result.test_outcome is TestOutcome.KILLED:
                    killed[name] += 1
                    late += result.output == "timeout"
                elif (known_as := known_by(mutation, result.diff)) in known:
                    same += 1
                else:
                    survived[name] += 1
                    left.append({"target": name, "mutation": {**attrs.asdict(mutation), "module_path": known_as[0]}})
                    file, function, was, now = known_as
                    print(f"SURVIVED {file}:{mutation.start_pos[0]} {function}\n    {was}\n    {now}", flush=True)
    SURVIVORS.write_text(json.dumps(left, indent=1), encoding="utf-8")
    for name in targets:
        if every := killed[name] + survived[name]:
            print(f"{name}: {killed[name]} of {every} killed")
    every = killed.total() + survived.total()
    share = killed.total() / every if every else 0.0
    told = f"seed {asked.seed}: {killed.total()} of {every} killed, {share:.1%}"
    print(f"{told}; {late} of them by time; {same} equivalent")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
