"""Playing: rounds a second on one core, seven positions (six in Free Bet Blackjack), from cards and decisions.

    python tests/bench/play_rounds.py --rounds 3000 --seed 1

The rounds are random legal ones, each another; the rate is the best of three passes over them, by processor time.
Checking wagers, cards against the decks and every decision is inside the measured time.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "regulation")]

from random_rounds import random_round  # noqa: E402
from shoetool.deal import play  # noqa: E402
from shoetool.rules.games import GAMES  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission  # noqa: E402


def measure(game: str, rounds: int, seed: int) -> tuple[float, float, float]:
    """Rounds a second, cards and decisions in a round."""
    table = RulesSubmission.default(game, 2 if game == "from_the_hand" else 6)
    boxes = range(1, table.positions + 1)
    made = [random_round(table, seed * 10**9 + number, positions=boxes) for number in range(rounds)]
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for one in made:
            play(table, one.stakes, one.cards, one.decisions)
        best = min(best, time.process_time() - start)
    cards = sum(len(one.cards) for one in made) / rounds
    return rounds / best, cards, sum(len(one.decisions) for one in made) / rounds


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.rounds} rounds of each game")
    for name, game in GAMES.items():
        rate, cards, decisions = measure(name, options.rounds, options.seed)
        print(f"{game.title:30} {rate:8,.0f} rounds/s   {cards:4.1f} cards, {decisions:4.1f} decisions a round")


if __name__ == "__main__":
    main()
