"""Every optional wager of 633a.6(e), 590.6(e) and 635a.6(e): declarations, and their settlement at a table."""

from .catalogue import BONUSES, PRESSES, WAGERS
from .view import View
from .wager import Bonus, Outcome, Wager

__all__ = ["BONUSES", "PRESSES", "WAGERS", "Bonus", "Outcome", "View", "Wager"]
