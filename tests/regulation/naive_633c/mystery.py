"""633c.14(c)(2), (3), (7) with plain ifs: every part of a cent that a display hides is tried, and every order.

Money is in fortieths of a cent. `cut` is the rate in tenths of a percent, so a dollar adds 4 * cut of these.
"""

from __future__ import annotations

from itertools import permutations

CENT = 40
Result = tuple[tuple[tuple[int, ...], int], ...]
"""(seats, cents of each) of every hidden value that was hit, in this order."""


def results(
    shown: int,
    wagers: list[tuple[int, int]],
    cut: int,
    limits: tuple[int, int],
    hidden: list[int],
    order: str,
    reached: bool,
    capped: bool,
) -> set[Result | None]:
    """What may have happened in a round; empty when nothing may. None: not each of the hidden values was hit.

    shown: cents on the meter before it. wagers: (seat, dollars) as accepted. limits: least and largest hidden value.
    order: "known", "unknown" or "shared".
    """
    found: set[Result | None] = set()
    for part in range(CENT):
        for row in permutations(wagers) if order == "unknown" else [tuple(wagers)]:
            meter = shown * CENT + part
            left = list(hidden)
            if left and shown > limits[0] and (meter > left[0] * CENT or (reached and meter == left[0] * CENT)):
                continue  # it was passed before this round, and would have been opened there
            won: list[tuple[tuple[int, ...], int]] = []
            groups = [row] if order == "shared" else [(one,) for one in row]
            for group in groups:
                for _, dollars in group:
                    meter += dollars * 4 * cut
                if left and (meter > left[0] * CENT or (reached and meter == left[0] * CENT)):
                    left.pop(0)
                    cents = meter // CENT
                    if capped and cents > limits[1]:
                        cents = limits[1]
                    each = cents // len(group)
                    won.append((tuple(sorted(seat for seat, _ in group)), each))
                    meter = meter - each * len(group) * CENT + limits[0] * CENT
            if meter > limits[1] * CENT or (reached and meter == limits[1] * CENT):
                continue  # whatever the hidden value is, it was passed: a meter does not stand there
            found.add(None if left else tuple(won))
    return found
