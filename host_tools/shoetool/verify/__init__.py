"""Shoe-level checks of a history, each named after its clause: `verify(history) -> Report`."""

from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Finding
from shoetool.judge.registry import CHECKS, Check
from shoetool.verify.findings import Report, Summary
from shoetool.verify.verify_history import verify

__all__ = ["BREACH", "CANNOT_TELL", "CHECKS", "HANDLED", "Check", "Finding", "Report", "Summary", "verify"]
