"""Pull simulated things past a read head whose card sensor stays bright, and count what is named.

    python tests/bench/unseen_campaign.py --passes 20000 --model harsh --seed 1

Exit code 0: each card was named stuck, itself or with the next card, and nothing else ever was; 1: not so.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "host_tools", "tests/optics"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from shoe.reading.read_head import PRESENT, ReadHead  # noqa: E402
from shoesim.pull import PRESETS  # noqa: E402
from shoetool.model.protocol_table import Pass, Unreadable  # noqa: E402
from stimuli import stimuli  # noqa: E402

BATCHES = (1, 2)
CARDS = ("card", "cover", "foreign", "double_feed")
STILL_US = 2_000_000  # until the next one
STUCK = (Pass.BLOCKED, Unreadable.STUCK)


def count(model: str, passes: int, seed: int) -> Counter[str]:
    """How often each kind of thing was named what."""
    head = ReadHead(0, BATCHES)
    names: Counter[str] = Counter()
    for stimulus in stimuli(seed, 0, passes, PRESETS[model], BATCHES):
        found = [head.feed(ticks, lines & ~PRESENT) for ticks, lines in stimulus.edges]
        last = stimulus.edges[-1][0]
        found += [head.poll(last + still & 0x3FFFFFFF) for still in range(50_000, STILL_US, 50_000)]
        # The Pass is one object, which nothing but its last naming has written.
        named = [(one.kind, one.reason) for one in found if one is not None]
        names[f"{stimulus.kind}: {'stuck' if named == [STUCK] else named or 'nothing'}"] += 1
    return names


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passes", type=int, default=20_000)
    parser.add_argument("--model", choices=sorted(PRESETS), default="harsh")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = count(options.model, options.passes, options.seed)
    for name, times in sorted(names.items()):
        print(f"{times:>9,}  {name}")
    cards = sum(times for name, times in names.items() if name.split(":")[0] in CARDS)
    named = sum(times for name, times in names.items() if name.split(": ") == [name.split(":")[0], "stuck"])
    wrong = [name for name in names if name.split(": ")[1] not in ("nothing", "stuck")]
    wrong += [name for name in names if name.endswith(": stuck") and name.split(":")[0] not in CARDS]
    print(f"model {options.model}, seed {options.seed}: {named:,} of {cards:,} cards named, {len(wrong)} wrong names")
    return 0 if not wrong and named else 1


if __name__ == "__main__":
    sys.exit(main())
