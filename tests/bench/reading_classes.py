"""How the firmware's read head fares with each class of trouble: right, refused, misnamed or a wrong card.

Part of tests/bench/reading_campaign.py: `--classes` runs these in place of its even mixture.

right: everything was named as a perfect head names it. unreadable: something was refused (unreadable or blocked), which
stops the game, and nothing false was said beside. wrong: a card was named that was not there. misnamed: all else, such
as a card that went out named a pull-back, a blank that nobody drew, a thing that left without a word, a card named
twice, a double feed of one card. Each trial has a head of its own, so that no trial answers for another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from shoe.reading.read_head import ReadHead
from shoesim.model import Model
from shoetool.model import protocol_table
from trouble import CLASSES, Trial, trials

RIGHT, UNREADABLE, WRONG, MISNAMED = "right", "unreadable", "wrong", "misnamed"
# Five changes of ink make no other card where the hand moves evenly (CARD_CODE.md). These hands do not: now and
# then one changes its speed just where the forger has hidden a mark.
FORGED_MOST = 0.01
NAMES = {kind.value: kind.name.lower() for kind in protocol_table.Pass}
REASONS = {reason.value: reason.name.lower() for reason in protocol_table.Unreadable}
_CODED = ("card", "cover_card", "foreign_batch", "test_card")
_FALSE = ("pull_back", "blank", "double_feed")  # the worst first
_REFUSED = ("unreadable", "blocked")
_LOOK_AFTER_US = (20_000, 60_000, 110_000, 300_000, 1_200_000, 2_300_000)  # the firmware polls its heads all the time


class Named(NamedTuple):
    """One thing that the read head named."""

    name: str
    card: int
    batch: int


def read(head: ReadHead, trial: Trial) -> list[Named]:
    """Return what a head names of a trial, while it lasts and in the silence after it."""
    found = []
    for ticks, lines in trial.edges:
        result = head.feed(ticks, lines)
        if result is not None:
            found.append(_named(result))
    if trial.edges:
        last = trial.edges[-1][0]
        for still in _LOOK_AFTER_US:
            result = head.poll(last + still & 0x3FFFFFFF)
            if result is not None:
                found.append(_named(result))
    return found


def _named(result: Any) -> Named:
    name = NAMES[result.kind]
    return Named(f"{name} {REASONS[result.reason]}" if result.reason else name, result.card, result.batch)


def judge(trial: Trial, found: Sequence[Named]) -> tuple[str, str]:
    """Return RIGHT, UNREADABLE, WRONG or MISNAMED, and in what way."""
    there = Counter(trial.cards)
    named = Counter((one.card, one.batch) for one in found if one.name in _CODED)
    if set(named) - set(there):
        return WRONG, "another card"
    if any(named[card] > count for card, count in there.items() if card in named):
        return MISNAMED, "one card named twice"
    names = [one.name for one in found]
    if tuple(names) == trial.expected:
        return RIGHT, ""
    said = Counter(name for name in names if not name.startswith(_REFUSED))
    expected = Counter(trial.expected)
    extra = said - expected
    refused = len(names) > said.total()
    if not extra:
        if refused:
            return UNREADABLE, ""
        return MISNAMED, "named in another order" if said == expected else "left without a word"
    false = next(name for name in (*_FALSE, *extra) if name in extra)
    if not expected - said:
        return MISNAMED, f"beside what was there a phantom {false}"
    if "double_feed" in expected:
        return (
            MISNAMED,
            "two things at once named as one" if said.total() == 1 else "two things at once named otherwise",
        )
    return MISNAMED, f"named {false} instead"


def brief(names: Iterable[str]) -> str:
    """Return names in a row, many of them only once each."""
    row = list(names)
    if len(row) > 3:
        row = ["again and again", *dict.fromkeys(row)]
    return " + ".join(row) or "nothing"


def run_chunk(name: str, seed: int, chunk: int, count: int, model: Model, batches: tuple[int, ...]) -> dict[str, Any]:
    """Read one chunk of a class; return its counts, and for each wrong card its number and what was named."""
    counts: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    wrong: list[list[Any]] = []
    for number, trial in enumerate(trials(name, seed, chunk, count, model, batches)):
        found = read(ReadHead(0, batches), trial)
        verdict, way = judge(trial, found)
        counts[verdict] += 1
        if way:
            ways[f"{way}{trial.detail}: {brief(one.name for one in found)}"] += 1
        if verdict == WRONG:
            wrong.append([name, chunk, number, list(trial.cards), found])
    return {"class": name, "chunk": chunk, "passes": count, "counts": counts, "ways": ways, "wrong": wrong}


class ClassTally:
    """Sum of the chunks of each class."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        self.ways: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        self.wrong: list[list[Any]] = []
        self.passes = 0

    def add(self, chunk: dict[str, Any]) -> None:
        """Add one chunk's counts."""
        self.passes += chunk["passes"]
        self.counts[chunk["class"]].update(chunk["counts"])
        self.ways[chunk["class"]].update(chunk["ways"])
        self.wrong += chunk["wrong"]


def tasks(names: Iterable[str], passes: int, chunk: int, done: set[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """Return (class, chunk, passes) of what is still to be read, `passes` of each class."""
    count = -(-passes // chunk)
    return [
        (name, number, min(chunk, passes - number * chunk))
        for number in range(count)
        for name in names
        if (name, number) not in done
    ]


def report(tally: ClassTally, model: str, seed: int, seconds: float, fresh: int) -> bool:
    """Print the figures of each class; return whether no card was wrong, forger's luck aside."""
    print(f"model {model}, seed {seed}: {tally.passes:,} passes")
    print(f"  {'class':22}{'passes':>9}{'right':>9}{'unreadable':>12}{'misnamed':>10}{'wrong':>7}")
    for name, counts in tally.counts.items():
        if counts:
            cells = (counts[RIGHT], counts[UNREADABLE], counts[MISNAMED], counts[WRONG])
            print(f"  {name:22}{counts.total():>9,}{cells[0]:>9,}{cells[1]:>12,}{cells[2]:>10,}{cells[3]:>7,}")
    for name, ways in tally.ways.items():
        for way, count in ways.most_common(8):
            print(f"    {count:>9,}  {name}: {way}")
    for name, chunk, number, cards, found in tally.wrong[:20]:
        print(f"  WRONG: {name} chunk {chunk} pass {number}: {cards} read as {[tuple(one) for one in found]}")
    if fresh:
        print(f"  {fresh / seconds:,.0f} passes a second ({fresh:,} in {seconds:.0f} s)")
    return all(
        not counts[WRONG] or is_forgers_luck(name, counts[WRONG], counts.total())
        for name, counts in tally.counts.items()
    )


def is_forgers_luck(name: str, wrong: int, passes: int) -> bool:
    """Whether so many wrong cards are what a forger gets by a hand that helps him without knowing."""
    return name == "forged" and wrong <= FORGED_MOST * passes
