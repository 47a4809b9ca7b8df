"""Settling: rounds a second on one core, with every wager that the game can have on every position.

    python tests/bench/settle_rounds.py --rounds 40000 --seed 1
    python tests/bench/settle_rounds.py --chapter 633c --wagers 10    the first ten wagers of that chapter alone

Every round is another one: fresh shuffle, random legal decisions, random amounts. They are made and settled in small
batches, as a table or a simulation would have them; only settling is timed. Rates are by processor time, which the
load of others does not blur, with the rate by the clock on the wall beside it. A settlement has a line for every
wager, with its reason in words, and its amounts are their sums.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "regulation")]

from random_rounds import random_round  # noqa: E402
from shoetool.deal import Stake  # noqa: E402
from shoetool.rules.games import GAMES  # noqa: E402
from shoetool.rules.paytable import paytables  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission  # noqa: E402
from shoetool.rules.wagers import WAGERS  # noqa: E402
from shoetool.settle.engine import settle  # noqa: E402
from wagers_offered import offering  # noqa: E402

BATCH = 250
MAIN = (5_00, 10_00, 15_00, 25_00, 50_00, 100_00, 250_00)
SIDE = (1_00, 2_00, 5_00, 10_00, 25_00)


def table_of(game: str, chapter: str = "", most: int | None = None) -> RulesSubmission:
    """A table of the game that offers every wager it can, with six decks, or two from the hand.

    chapter: only those of this one; most: only so many of them, the first ones.
    """
    decks = 2 if game == "from_the_hand" else 6
    printed = [key for key, wager in WAGERS.items() if game in wager.games and chapter in ("", wager.chapter)]
    keys = [key for key in printed if any(table.covers(decks) for table in paytables(key))]
    return offering(RulesSubmission.default(game, decks), *keys[:most])


def stake(position: int, table: RulesSubmission, random: Random) -> Stake:
    """A main wager with every optional one, in amounts that they take."""
    main = random.choice(MAIN)
    side = {}
    for key, offer in table.wagers.items():
        most = min(offer.maximum, main) if WAGERS[key].up_to_main else offer.maximum
        side[key] = random.choice([cents for cents in SIDE if offer.minimum <= cents <= most] or [offer.minimum])
    selected = 1 + position % 3 if table.game == "hybrid" else None
    return Stake(position, main, side, player_position=selected)


@dataclass(slots=True)
class Rates:
    """Rounds a second by processor time and by the clock on the wall; lines in a round."""

    sustained: float
    wall: float
    lines: float


def measure(table: RulesSubmission, rounds: int, seed: int) -> Rates:
    """Settle so many different rounds of one table."""
    random = Random(seed)
    spent = passed = 0.0
    lines = 0
    size = min(rounds, BATCH)
    batches = rounds // size
    for number in range(batches):
        made = []
        for index in range(size):
            stakes = [stake(position, table, random) for position in range(1, table.positions + 1)]
            made.append(random_round(table, seed * 10**9 + number * size + index, stakes=stakes).table_round)
        gc.collect()
        clock, start = time.perf_counter(), time.process_time()
        lines += sum(len(settle(table_round, table).lines) for table_round in made)
        spent += time.process_time() - start
        passed += time.perf_counter() - clock
    settled = batches * size
    return Rates(settled / spent, settled / passed, lines / settled)


def main() -> int:
    """Measure the games that were asked for; 1 when one is slower than asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=40_000, help="different rounds for each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=tuple(GAMES), default=["blackjack"])
    parser.add_argument("--least", type=float, default=0, help="fail below so many rounds a second")
    parser.add_argument("--chapter", default="", help="only the optional wagers of this chapter, such as 633c")
    parser.add_argument("--wagers", type=int, help="only so many of them")
    options = parser.parse_args()
    slow = False
    for game in options.games:
        table = table_of(game, options.chapter, options.wagers)
        rates = measure(table, options.rounds, options.seed)
        print(
            f"{game}: {table.positions} positions with {1 + len(table.wagers)} wagers each, seed {options.seed}: "
            f"{rates.sustained:,.0f} rounds/s of processor time, {rates.wall:,.0f} by the wall clock, "
            f"{rates.lines:.0f} lines a round"
        )
        slow = slow or rates.sustained < options.least
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
