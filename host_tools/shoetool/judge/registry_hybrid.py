"""The checks of a hybrid gaming table, 633c.5."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_variations  # noqa: F401  its checks come before those of this module
from shoetool.judge.finding import BREACH
from shoetool.judge.registry import check

SELECTED: Final = check(
    "633c.5(l): a player position for each terminal", "633c.5(l)", (BREACH,),
    """On a hybrid table with a hole card each terminal with a wager has selected one of the three player positions
    before the round. Terminals at one position share its cards, and each goes on as it likes (reading 80).""",
)  # fmt: skip
CHOICES: Final = check(
    "633c.5(q): choices before a community card", "633c.5(q)", (BREACH,),
    """A community card is dealt when every hand has chosen. It serves every hand that asked for it, and without a hole
    card the dealer of every terminal that has made all its choices.""",
    "633c.5(aa)",
)  # fmt: skip
NOBODY: Final = check(
    "633c.5(q): a community card that nobody asked for", "633c.5(q)", (BREACH,),
    """With a hole card the dealer draws community cards only while a hand hits, doubles or has split. His own cards
    come after the hole card was turned.""",
)  # fmt: skip
COUNTDOWN: Final = check(
    "633c.5(p)(2): no choice is a stand", "633c.5(p)(2)", (BREACH,),
    """A hand without a choice at the end of the countdown stands. Without a hole card the house may let it draw up to a
    count that it chose; the shoe is set up with it.""",
    "633c.5(z)",
)  # fmt: skip
SPLIT_ACES: Final = check(
    "633c.5(aa)(3)(i): split aces complete with one card", "633c.5(aa)(3)(i)", (BREACH,),
    "Without a hole card a hand of split aces gets one community card and no other.",
)  # fmt: skip
INSURANCE: Final = check(
    "633c.5(z): insurance before the community cards", "633c.5(z)", (BREACH,),
    "Without a hole card insurance is placed with the choices, and closed before the first community card.",
)  # fmt: skip
