"""Shoe-level checks of a history, each named after its clause: `verify(history) -> Report`."""

from shoetool.verify.findings import BREACH, CANNOT_TELL, HANDLED, Finding, Report, Summary
from shoetool.verify.registry import CHECKS, Check
from shoetool.verify.verify_history import verify

__all__ = ["BREACH", "CANNOT_TELL", "CHECKS", "HANDLED", "Check", "Finding", "Report", "Summary", "verify"]
