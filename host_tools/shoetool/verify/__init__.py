"""Shoe-level checks of a history, each named after its clause: `verify(history) -> Report`."""

from shoetool.verify.engine import verify
from shoetool.verify.findings import BREACH, CANNOT_TELL, HANDLED, Finding, Report, Summary
from shoetool.verify.registry import CHECKS, Check

__all__ = ["BREACH", "CANNOT_TELL", "CHECKS", "HANDLED", "Check", "Finding", "Report", "Summary", "verify"]
