"""The margin of a read head: how far its light is from failing, in percent of the margin at the last calibration."""

from __future__ import annotations

from typing import Final

UNKNOWN_MARGIN: Final = 255


def percent(margin: int | None) -> str:
    """Return a margin in words. More than at the last calibration, for example after a cleaning, is shown as 100 %."""
    return "not known" if margin is None or margin == UNKNOWN_MARGIN else f"{min(margin, 100)} %"
