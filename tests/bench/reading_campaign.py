"""Read millions of simulated passes with the firmware's own read head and count what it named wrong or not at all.

    python tests/bench/reading_campaign.py --passes 3000000 --model harsh --seed 1 --jobs 2 --state build/harsh.jsonl

    python tests/bench/reading_campaign.py --classes --passes 20000 --model harsh --seed 1 --jobs 2
    python tests/bench/reading_campaign.py --classes lost,forged --passes 100000

With --classes, so many passes of each class of trouble (reading_classes.py), each class told by itself.
Each chunk of 5,000 passes has its own seed, so the figures do not depend on the number of jobs. With --state, finished
chunks are kept in a file: stop it with Ctrl-C and the same command goes on where it stopped. What was read by other
code is not counted.
Exit code 0: the targets hold; 1: they do not; 130: interrupted.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "host_tools", "tests/optics"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from shoe.reading.read_head import ReadHead  # noqa: E402
from shoesim.pull import PRESETS  # noqa: E402
from shoetool.model import protocol_table  # noqa: E402
from stimuli import stimuli  # noqa: E402
from trouble import CLASSES  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))
import reading_classes  # noqa: E402

CHUNK = 5000
CLASS_CHUNK = 500
LOOK_AFTER_US = (30_000, 220_000)  # the firmware polls its heads all the time
BATCHES = (1, 2)
# Harsh hands brake at 100 m/s2. A stop can look like dirt, or like ink that somebody added: no wrong cell is put right
# then (CARD_CODE.md).
TARGETS = {"ideal": 0.0, "nominal": 1e-5, "harsh": 6e-3}
PASS_NAMES = {kind.value: kind.name.lower() for kind in protocol_table.Pass}
REASON_NAMES = {reason.value: reason.name.lower() for reason in protocol_table.Unreadable}
OPTICS = ("model", "paint", "printing", "hand", "course", "sensors", "pull")
TROUBLE = ("trouble", "trouble_ink", "ink_changes", "confusions")
CODED = ("card", "cover", "foreign")
EXPECTED = {
    "card": "card",
    "cover": "cover_card",
    "foreign": "foreign_batch",
    "blank": "blank",
    "pull_back": "pull_back",
    "double_feed": "double_feed",
    "reversed": "unreadable reversed",
}


def name_of(result: Any) -> str:
    """Return how a pass is named in the counts: its kind, with the reason where it has one."""
    name = PASS_NAMES[result.kind]
    return f"{name} {REASON_NAMES[result.reason]}" if result.reason else name


def run_chunk(task: tuple[str, int, int, int]) -> dict[str, Any]:
    """Read one chunk; return its counts, with the places of wrong cards."""
    model, seed, chunk, count = task
    head = ReadHead(0, BATCHES)
    names: Counter[str] = Counter()
    wrong: list[list[int]] = []
    corrected: Counter[int] = Counter()
    edges = 0
    for number, stimulus in enumerate(stimuli(seed, chunk, count, PRESETS[model], BATCHES)):
        found = []
        edges += len(stimulus.edges)
        looks = ((head.feed, edge) for edge in stimulus.edges)
        after = ((head.poll, (stimulus.end_us + wait & 0x3FFFFFFF,)) for wait in LOOK_AFTER_US)
        for look, arguments in itertools.chain(looks, after):
            result = look(*arguments)
            if result is not None:
                found.append(name_of(result))
                if found[-1] in ("card", "cover_card", "foreign_batch", "test_card"):
                    corrected[result.corrected] += 1
                    card = 52 if stimulus.kind == "cover" else stimulus.card
                    coded = stimulus.kind in (*CODED, "double_feed")
                    if not coded or (result.card, result.batch) != (card, stimulus.batch):
                        wrong.append([chunk, number, result.card, result.batch])
        names[f"{stimulus.kind}: {' + '.join(found) or 'nothing'}"] += 1
    return {"chunk": chunk, "passes": count, "names": names, "wrong": wrong, "corrected": corrected, "edges": edges}


def upper_bound(events: int, trials: int, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson upper bound of a rate, by bisection on the binomial tail."""
    if trials == 0 or events >= trials:
        return 1.0

    def tail(rate: float) -> float:
        logs = (
            math.lgamma(trials + 1)
            - math.lgamma(k + 1)
            - math.lgamma(trials - k + 1)
            + k * math.log(rate)
            + (trials - k) * math.log1p(-rate)
            for k in range(events + 1)
        )
        return math.fsum(math.exp(value) for value in logs)

    low, high = events / trials, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        if tail(middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


class Tally:
    """Sum of the chunks."""

    def __init__(self) -> None:
        self.passes = 0
        self.edges = 0
        self.names: Counter[str] = Counter()
        self.corrected: Counter[str] = Counter()
        self.wrong: list[list[int]] = []

    def add(self, chunk: dict[str, Any]) -> None:
        """Add one chunk's counts."""
        self.passes += chunk["passes"]
        self.edges += chunk["edges"]
        self.names.update(chunk["names"])
        self.corrected.update({str(cells): count for cells, count in chunk["corrected"].items()})
        self.wrong += chunk["wrong"]

    @property
    def coded(self) -> int:
        """Passes of cards, cover cards and foreign cards: what must be readable."""
        return sum(count for name, count in self.names.items() if name.split(":")[0] in CODED)

    @property
    def unread(self) -> int:
        """Coded passes that were named unreadable, and nothing else."""
        return sum(
            count
            for name, count in self.names.items()
            if name.split(":")[0] in CODED and name.split(": ")[1].startswith("unreadable")
        )

    @property
    def misnamed(self) -> int:
        """Passes named neither as what they were nor unreadable."""
        total = 0
        for name, count in self.names.items():
            kind, found = name.split(": ")
            if found != EXPECTED[kind] and not found.startswith("unreadable"):
                total += count
        return total


def report(tally: Tally, model: str, seed: int, seconds: float, fresh: int) -> bool:
    """Print the figures; return whether the targets hold."""
    target = TARGETS[model]
    coded, unread = tally.coded, tally.unread
    rate = unread / coded if coded else 0.0
    print(f"model {model}, seed {seed}: {tally.passes:,} passes, {tally.edges:,} edges")
    print(f"  wrong cards  {len(tally.wrong)}   (95 % upper bound {upper_bound(len(tally.wrong), tally.passes):.2e})")
    print(f"  unreadable   {unread} of {coded:,} = {rate:.2e}   (95 % upper bound {upper_bound(unread, coded):.2e})")
    print(f"  target       no wrong card, unreadable at most {target:g}")
    print(f"  misnamed     {tally.misnamed} of {tally.passes:,}")
    print(f"  corrected    {dict(sorted(tally.corrected.items()))} (damaged cells put right: passes)")
    for name, count in sorted(tally.names.items(), key=lambda item: (item[0].split(":")[0], -item[1])):
        print(f"    {count:>10,}  {name}")
    for chunk, number, card, batch in tally.wrong[:20]:
        print(f"  WRONG: chunk {chunk} pass {number} read as card {card} of batch {batch}")
    if fresh:
        print(f"  {fresh / seconds:,.0f} passes a second ({fresh:,} in {seconds:.0f} s)")
    return not tally.wrong and rate <= target


def tasks(passes: int, model: str, seed: int, done: Iterable[int]) -> list[tuple[str, int, int, int]]:
    """Return the chunks still to be read."""
    finished = set(done)
    count = -(-passes // CHUNK)
    return [(model, seed, chunk, min(CHUNK, passes - chunk * CHUNK)) for chunk in range(count) if chunk not in finished]


def code_digest() -> str:
    """Return a digest of the code that a campaign's figures depend on."""
    folders = (ROOT / "firmware/shoe/reading", ROOT / "host_tools/shoesim", ROOT / "tests/optics")
    device = ("card_code", "read_head", "decode", "passes", "track", "widths", "words")
    patterns = [f"{name}.py" for name in (*device, "stimuli", *OPTICS, *TROUBLE)]
    found = sorted({path for folder in folders for pattern in patterns for path in folder.glob(pattern)})
    return hashlib.sha256(b"".join(path.read_bytes() for path in found)).hexdigest()[:16]


def begin_worker(batches: tuple[int, ...]) -> None:
    """Leave Ctrl-C to the parent, and take the batches in play."""
    global BATCHES
    BATCHES = batches
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def load(state: Path | None, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return finished chunks of what is `asked` from the state file; a torn last line is left out."""
    done: list[dict[str, Any]] = []
    if state is None or not state.exists():
        return done
    for line in state.read_text().splitlines():
        try:
            chunk = json.loads(line)
        except ValueError:
            continue
        if {key: chunk.get(key) for key in asked} == asked:
            done.append(chunk)
    return done


def run_class_chunk(task: tuple[str, int, str, int, int]) -> dict[str, Any]:
    """Read one chunk of one class of trouble."""
    model, seed, name, chunk, count = task
    return reading_classes.run_chunk(name, seed, chunk, count, PRESETS[model], BATCHES)


def work(options: argparse.Namespace, run: Any, todo: list[Any], asked: dict[str, Any], tally: Any) -> tuple[int, bool]:
    """Read what is to be done with `run`, add it to `tally`, keep it; return the passes, and whether Ctrl-C came."""
    fresh = 0
    interrupted = False
    output = options.state.open("a") if options.state else None
    with multiprocessing.Pool(options.jobs, begin_worker, (tuple(options.batches),)) as pool:
        try:
            for chunk in pool.imap_unordered(run, todo):
                tally.add(chunk)
                fresh += chunk["passes"]
                if output:
                    output.write(json.dumps({**asked, **chunk}) + "\n")
                    output.flush()
                if sys.stderr.isatty():
                    print(f"\r{tally.passes:,}", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            interrupted = True
            pool.terminate()
    if output:
        output.close()
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    return fresh, interrupted


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passes", type=int, default=200_000, help="in all, with --classes of each class")
    parser.add_argument("--model", choices=sorted(PRESETS), default="harsh")
    parser.add_argument("--classes", nargs="?", const=",".join(CLASSES), help="classes of trouble, all or these")
    parser.add_argument("--batches", type=int, nargs="+", default=list(BATCHES), help="batches of the head's own cards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path, help="file that keeps finished chunks, to go on after an interruption")
    options = parser.parse_args()
    names = options.classes.split(",") if options.classes else []
    if set(names) - set(CLASSES):
        parser.error(f"no such class: {', '.join(sorted(set(names) - set(CLASSES)))}; there are {', '.join(CLASSES)}")
    asked = {"passes_asked": options.passes, "model": options.model, "seed": options.seed, "batches": options.batches}
    asked["code"] = code_digest()
    if names:
        asked["kind"] = "classes"
    done = load(options.state, asked)
    tally: Any
    todo: list[Any]
    if names:
        done = [chunk for chunk in done if chunk["class"] in names]
        tally, run, tell = reading_classes.ClassTally(), run_class_chunk, reading_classes.report
        finished = {(chunk["class"], chunk["chunk"]) for chunk in done}
        parts = reading_classes.tasks(names, options.passes, CLASS_CHUNK, finished)
        todo = [(options.model, options.seed, *part) for part in parts]
    else:
        done = [chunk for chunk in done if "class" not in chunk]
        tally, run, tell = Tally(), run_chunk, report
        todo = tasks(options.passes, options.model, options.seed, (chunk["chunk"] for chunk in done))
    for chunk in done:
        tally.add(chunk)
    started = time.perf_counter()
    fresh, interrupted = work(options, run, todo, asked, tally)
    good = tell(tally, options.model, options.seed, time.perf_counter() - started, fresh)
    if interrupted:
        print("interrupted; the same command goes on" if options.state else "interrupted")
        return 130
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
