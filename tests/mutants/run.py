"""`make mutants`: how many small faults the tests beside the code find. cosmic-ray makes the faults, one at a time.

A seeded sample of the mutants of all targets (targets.toml) is tried in a copy of the tree, build/mutants/tree. What
survives is printed with its difference; those that change nothing anybody could notice stand in equivalent.txt with the
reason. Exit code 1 when fewer than 95 % of the others are killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutants" / "tree"
LEAST = 0.95


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
    build = ROOT / "build" / "micropython"
    if build.exists():
        (TREE / "build").mkdir(exist_ok=True)
        (TREE / "build" / "micropython").symlink_to(build)


def environment() -> dict[str, str]:
    """The tree's own modules first, and no bytecode: it would hide a mutant of the same second and size."""
    found = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(TREE / "host_tools")}
    found["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{found.get('PATH', '')}"
    return found


def cosmic_ray(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "cosmic_ray.cli", *arguments], cwd=TREE, check=True, env=environment())


def begin(name: str, target: dict[str, object]) -> Path:
    """Make the session of a target: every mutant there is."""
    modules = sorted(str(path.relative_to(TREE)) for path in TREE.glob(str(target["modules"])))
    config = TREE / f"{name}.toml"
    config.write_text(
        "[cosmic-ray]\n"
        f"module-path = {modules!r}\n"
        f"timeout = {target['timeout_s']}\n"
        "excluded-modules = []\n"
        f'test-command = "{target["tests"]}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    session = TREE / f"{name}.sqlite"
    cosmic_ray("init", config.name, session.name)
    return session


def baseline(target: dict[str, object]) -> None:
    """The tests pass without a fault, or no mutant says anything."""
    done = subprocess.run(str(target["tests"]), shell=True, cwd=TREE, env=environment(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the tests fail without any fault: {target['tests']}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def equivalents() -> set[str]:
    """Mutants that nobody could notice: `file:line operator number: reason`."""
    lines = (Path(__file__).parent / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    return {line.partition(": ")[0] for line in lines if line and not line.startswith("#")}


def main() -> int:
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import TestOutcome
    from sample import choose

    parser = argparse.ArgumentParser(description="How many small faults the tests find.")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only this one of targets.toml; may be repeated")
    asked = parser.parse_args()
    targets = tomllib.loads((Path(__file__).parent / "targets.toml").read_text(encoding="utf-8"))
    targets = {name: one for name, one in targets.items() if not asked.target or name in asked.target}
    copy_tree()
    os.chdir(TREE)
    sessions = {name: begin(name, one) for name, one in targets.items()}
    chosen = choose(sessions, asked.sample, asked.seed)
    print(f"seed {asked.seed}: {len(chosen)} mutants {dict(Counter(name for name, _ in chosen))}", flush=True)
    known = equivalents()
    killed: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    same = 0
    for name, session in sessions.items():
        if not any(target == name for target, _ in chosen):
            continue
        baseline(targets[name])
        cosmic_ray("exec", f"{name}.toml", session.name)
        items = {item.job_id: item.mutations[0] for target, item in chosen if target == name}
        with use_db(str(session), WorkDB.Mode.open) as db:
            for job, result in db.results:
                if job not in items:
                    continue
                mutation = items[job]
                told = f"{mutation.module_path}:{mutation.start_pos[0]} {mutation.operator_name.removeprefix('core/')}"
                told += f" {mutation.occurrence}"
                if result.test_outcome is not TestOutcome.SURVIVED:
                    killed[name] += 1
                elif told in known:
                    same += 1
                else:
                    survived[name] += 1
                    print(f"SURVIVED {told}\n{result.diff}", flush=True)
    for name in targets:
        if every := killed[name] + survived[name]:
            print(f"{name}: {killed[name]} of {every} killed")
    every = killed.total() + survived.total()
    share = killed.total() / every if every else 0.0
    print(f"seed {asked.seed}: {killed.total()} of {every} killed, {share:.1%}; {same} equivalent")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
