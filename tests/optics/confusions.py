"""How near a printed code comes to another card once a mark of it is gone: where an adversary would aim.

Only the code counts here, no print and no reading: 26 cells, of which the one under the lost mark is not seen, so that
those behind it seem to lie a cell earlier.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from shoetool.model import card_code

_KEPT = 40
_LAST = card_code.CELLS - 1


class Confusion(NamedTuple):
    """A way to take one card for another: mark `gone` is lost, mark `seems` looks lost instead, `flips` are wrong.

    Where `seems` is the last one, a mark too many behind the code does the same.
    """

    gone: int
    seems: int
    flips: tuple[int, ...]
    card: int
    batch: int


@cache
def confusions(card: int, batch: int, batches: tuple[int, ...]) -> list[Confusion]:
    """Return in which ways `card` comes nearest to others of `batches`, the nearest first."""
    own = card_code.frame_cells(card, batch)
    others = [(one, deck) for deck in batches for one in range(52) if (one, deck) != (card, batch)]
    read = np.array([own[:gone] + own[gone + 1 :] for gone in range(card_code.CELLS)])
    cells = np.array([card_code.frame_cells(*other) for other in others])[:, None, :]
    # How many cells differ up to each, where both lie side by side and where the other is one behind.
    none = np.zeros((len(others), card_code.CELLS, 1), dtype=np.int64)
    same = np.concatenate((none, np.cumsum(read != cells[..., :_LAST], axis=2)), axis=2)
    late = np.concatenate((none, np.cumsum(read != cells[..., 1:], axis=2)), axis=2)
    wrong = same + late[..., _LAST:] - late
    nearest = np.argsort(wrong, axis=None, kind="stable")[:_KEPT]
    found = []
    for number, gone, seems in zip(*(row.tolist() for row in np.unravel_index(nearest, wrong.shape)), strict=True):
        other = card_code.frame_cells(*others[number])
        left = other[:seems] + other[seems + 1 :]
        places = [place for place, (one, two) in enumerate(zip(read[gone].tolist(), left, strict=True)) if one != two]
        flips = tuple(place if place < gone else place + 1 for place in places)
        found.append(Confusion(gone, seems, flips, *others[number]))
    return found
