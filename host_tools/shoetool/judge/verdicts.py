"""What a check can say."""

from __future__ import annotations

from typing import Final

BREACH: Final = "breach"
HANDLED: Final = "irregularity handled"
CANNOT_TELL: Final = "cannot tell"
VERDICTS: Final = (BREACH, HANDLED, CANNOT_TELL)
