"""`shoetool audit`: how often it is wrong about honest shoes, and which planted defects it finds.

    python tests/bench/audit_power.py --seed 1               false alarms over 10,000 honest shoes, then the defects
    python tests/bench/audit_power.py --seed 1 --honest 0    the defects alone
    python tests/bench/audit_power.py --wagers free_bet      the same, the optional wagers on the dealer's hand too

Shoes are orders of cards from numpy's shuffle. A simple dealer deals them: five positions that draw to 15, a cover
card at a random place, a card in 5,000 that is accepted unread. Only what the audit keeps of a history is made, so no
file is written. Then come honest histories as files, dealt by the tests' own dealer at four sorts of tables: one audit
of each sort.

The first line has the false alarms: of audits of 50 shoes each, and of one audit of all of them. Then, for each test of
one number, how often its p was below 0.1 and 0.01 (a tenth and a hundredth of the audits when it is exact; fewer where
the law is a bound, or a count is small). With `--wagers` the same is told of the optional wagers on the dealer's hand,
of which the farthest counts. The last lines say how often a defect of some size was found at alpha 0.001.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "host"), str(HERE.parents[2] / "host_tools")]

from audit_files import shoes as shoes_of  # noqa: E402
from dealer_script import Table  # noqa: E402
from shoetool.audit.book import Book  # noqa: E402
from shoetool.audit.chances import note_final, note_opening, note_up_card  # noqa: E402
from shoetool.audit.deck import FACES, UNREAD, Deck, by_rank  # noqa: E402
from shoetool.audit.read import read_all, settle  # noqa: E402
from shoetool.audit.told import Dealt, Load, Told  # noqa: E402
from shoetool.model.cards import total  # noqa: E402
from shoetool.model.protocol_table import Game, ShoeKind  # noqa: E402

ALPHA = 0.001
ON_HIM = "wagers on the dealer"
SEATS = 5
DECK = Deck(6, False)
PLAIN = np.repeat(np.arange(52), 6)
UNREAD_CHANCE = 0.0002
UNREADABLE_CHANCE = 0.0005
IRREGULAR_CHANCE = 0.01


@dataclass(frozen=True)
class Plant:
    """A defect: its kind and its size. It is in the third shoe, or in every shoe of the first device."""

    kind: str = ""
    size: float = 0


def order(rng: np.random.Generator, plant: Plant, device: int, shoe: int, before: list[int] | None) -> list[int]:
    """The cards of a shoe in their order."""
    cards: list[int] = rng.permutation(PLAIN).tolist()
    if device:
        return cards
    size = int(plant.size)
    if shoe == 3 and plant.kind in ("segment", "sorted"):
        assert before is not None
        start = int(rng.integers(0, 150 - size))
        kept = before[start : start + size] if plant.kind == "segment" else list(range(size))
        for card in kept:
            cards.remove(card)
        at = int(rng.integers(2, 150 - size))
        cards[at:at] = kept
    if plant.kind == "missing ten":
        cards.remove(9)
    return cards


def stacked(rng: np.random.Generator, cards: list[int], at: int, share: float) -> None:
    """Now and then lay an ace from farther back where the dealer's up card comes from."""
    if cards[at] % 13 and rng.random() < share:
        aces = [place for place in range(at + 1, len(cards)) if not cards[place] % 13]
        if aces:
            cards[at], cards[aces[0]] = cards[aces[0]], cards[at]


def deal(rng: np.random.Generator, cards: list[int], cover: int, stack: float, game: str) -> tuple[Dealt, int]:
    """Deal the shoe to the cover card; what came, and how many rounds. game: whose wagers the dealer's hands settle."""
    dealt, left, at, rounds = Dealt(), DECK.copies.copy(), 1, 0  # a burn card is not seen in time
    while at < cover and at + 60 < len(cards):
        rounds += 1
        up = at + SEATS
        if stack:
            stacked(rng, cards, up, stack)
        hands = [[cards[at + seat], cards[up + 1 + seat]] for seat in range(SEATS)]
        dealer = [cards[up], cards[up + 1 + SEATS]]
        naturals = [total(hand)[0] == 21 for hand in hands]
        own = total(dealer)[0] == 21
        note_opening(dealt, by_rank(left), naturals, own)
        now = left - np.bincount(cards[at:up], minlength=FACES)
        note_up_card(dealt, by_rank(now), dealer[0] % 13)
        first, at = at, up + 2 + SEATS
        for hand in hands:
            while total(hand)[0] < 15:
                hand.append(cards[at])
                at += 1
        seen = np.bincount(cards[first:at], minlength=FACES)
        seen[dealer[1]] -= 1
        live = any(total(hand)[0] <= 21 and not natural for hand, natural in zip(hands, naturals, strict=True))
        if live and not own:
            before = left - seen
            while total(dealer)[0] < 17:
                dealer.append(cards[at])
                at += 1
            note_final(dealt, before, game, dealer)
        left = left - np.bincount(cards[first:at], minlength=FACES)
    return dealt, rounds


def told_of(
    rng: np.random.Generator, plant: Plant, device: int, shoe: int, cards: list[int], deals: bool, name: str, game: str
) -> Told:
    """What the audit keeps of the history of this shoe."""
    behind = int(rng.integers(78, 157))
    cover = len(cards) - behind
    dealt, rounds = Dealt(), 12
    if deals:
        stack = plant.size if plant.kind == "stacked dealer" and not device else 0.0
        dealt, rounds = deal(rng, cards, cover, stack, game or "blackjack")
    faces = np.array(cards[: cover + 12], np.uint8)
    faces[rng.random(len(faces)) < UNREAD_CHANCE] = UNREAD
    weak = plant.size if plant.kind == "weak head" and not device else 1.0
    told = Told("", device=f"{name}{device}".encode(), tables=(device,), shoes=(shoe,), dealt=dealt, rounds=rounds)
    told.heads[0, 1, "cards"] = len(faces)
    told.heads[0, 1, "unreadable"] = int(rng.binomial(len(faces), UNREADABLE_CHANCE * weak))
    told.irregularities = int(rng.poisson(IRREGULAR_CHANCE * rounds))
    told.loads = [Load(shoe, 0, 1, DECK, faces.tobytes(), cover, behind)]
    return told


def shoes(
    rng: np.random.Generator, plant: Plant, devices: int, each: int, deals: bool, name: str = "", game: str = ""
) -> Iterator[Told]:
    """The shoes of some devices, one device after the other. game: that of which the wagers are looked at, too."""
    for device in range(devices):
        before: list[int] | None = None
        made = []
        for shoe in range(1, each + 1):
            before = order(rng, plant, device, shoe, before)
            made.append(told_of(rng, plant, device, shoe, before, deals, name, game))
        settle([one.dealt for one in made], wagers=bool(game))
        yield from made


def failed(seed: int, plant: Plant, devices: int = 5, each: int = 10, deals: bool = True) -> list[str]:
    """The tests of one audit that are not as expected."""
    book = Book()
    for told in shoes(np.random.default_rng(seed), plant, devices, each, deals):
        book.add(told)
    return [line.key for line in book.lines(ALPHA) if line.expected_so is False]


def honest(seed: int, number: int, game: str) -> dict[str, Any]:
    """Audits of honest shoes."""
    begun, whole = time.perf_counter(), Book(bool(game))
    alarms: Counter[str] = Counter()
    often: dict[str, list[float]] = {}
    audits = number // 50
    for audit in range(audits):
        book = Book(bool(game))
        for told in shoes(np.random.default_rng([seed, audit]), Plant(), 5, 10, True, f"{audit}-", game):
            book.add(told)
            whole.add(told)
        lines = book.lines(ALPHA)
        least = min(line.adjusted for line in lines if line.adjusted is not None)
        for alpha in (0.001, 0.01, 0.05):
            alarms[f"audits below {alpha}"] += least <= alpha
        for line in lines:
            if line.p is not None and (not line.of or line.key == ON_HIM):
                often.setdefault(line.key, []).append(line.p)
    told = whole.lines(ALPHA)
    return {
        "honest shoes": number, "audits": audits, **alarms,
        "audit of all": [line.key for line in told if line.expected_so is False] or "as expected",
        "its least adjusted p": min(line.adjusted for line in told if line.adjusted is not None),
        "p below 0.1, 0.01": {
            key: [round(sum(p < level for p in values) / len(values), 3) for level in (0.1, 0.01)]
            for key, values in often.items()
        },
        "pooled p over all": {line.key: round(line.p, 4) for line in told if line.p is not None and not line.of},
        "s": round(time.perf_counter() - begun),
    }  # fmt: skip


TABLES = {
    "single": Table(decks=6, seats=0b11111),
    "double": Table(decks=8, kind=ShoeKind.DOUBLE, seats=0b1111111),
    "spanish": Table(Game.SPANISH_21, decks=6, seats=0b111),
    "free bet": Table(Game.FREE_BET, decks=6, seats=0b111111),
}


def from_files(seed: int, number: int) -> Iterator[dict[str, Any]]:
    """One audit of honest histories from the tests' own dealer for each sort of table: files, read and added up."""
    for sort, (kind, table) in enumerate(TABLES.items()):
        book = Book()
        with tempfile.TemporaryDirectory() as place:
            shoes_of(Path(place), number, b"%-8s" % kind.encode()[:8], seed + 1000 * sort, table=table)
            paths = sorted(Path(place).iterdir())
            for at in range(0, len(paths), 32):
                for told in read_all(paths[at : at + 32]):
                    book.add(told)
        lines = book.lines(ALPHA)
        yield {
            "histories": number, "table": kind, "orders": book.within.shoes, "pairs": book.between.pairs,
            "rounds": book.rounds, "rounds left out": book.dealt.left_out, "left out": dict(book.left_out),
            "not as expected": [line.key for line in lines if line.expected_so is False],
            "pooled p": {line.key: round(line.p, 4) for line in lines if line.p is not None and not line.of},
        }  # fmt: skip


POWER: list[tuple[str, list[float], int, int, bool]] = [
    ("segment", [4, 5, 6, 7, 8, 10], 5, 10, False),
    ("sorted", [6, 8, 10, 13, 26], 5, 10, False),
    ("missing ten", [25, 50, 100, 200], 1, 0, False),
    ("stacked dealer", [0.01, 0.02, 0.05, 0.1], 1, 50, True),
    ("weak head", [2, 3, 5, 10], 10, 20, False),
]
"""Kind, sizes, devices, shoes of each, whether rounds are dealt. Missing ten: the size is the number of shoes."""


def power(seed: int, trials: int) -> Iterator[dict[str, Any]]:
    """How often each defect is found."""
    for kind, sizes, devices, each, deals in POWER:
        found = {}
        for size in sizes:
            wrong: Counter[str] = Counter()
            hits = 0
            for trial in range(trials):
                keys = failed(seed * 1000 + trial, Plant(kind, size), devices, each or int(size), deals)
                hits += bool(keys)
                wrong.update(keys)
            found[f"{size:g}"] = {"found": f"{hits} of {trials}", "by": dict(wrong.most_common(3))}
        yield {"defect": kind, "devices": devices, "shoes of each": each or "the size", **found}


def main() -> None:
    """Print the figures, a line of JSON each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--honest", type=int, default=10_000, help="honest shoes; 0: none")
    parser.add_argument("--files", type=int, default=500, help="honest histories of each sort of table; 0: none")
    parser.add_argument("--trials", type=int, default=20, help="audits of each size of a defect; 0: none")
    parser.add_argument(
        "--wagers", metavar="GAME", default="", help="look at the wagers on the dealer of this game, too"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps({"seed": options.seed}), flush=True)
    if options.honest:
        print(json.dumps(honest(options.seed, options.honest, options.wagers)), flush=True)
    if options.files:
        for line in from_files(options.seed, options.files):
            print(json.dumps(line), flush=True)
    if options.trials:
        for line in power(options.seed, options.trials):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
