"""The judge: why an action was not allowed, what is owed by now, why a key was refused. He never stops the stream."""

from shoetool.judge.registry import CHECKS, Check
from shoetool.judge.registry_trust import TRUST_CHECKS

__all__ = ["CHECKS", "TRUST_CHECKS", "Check"]
