"""A decision by its name: why it is not allowed, whether it is, and the state after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoetool.deal.irregular import make_void
from shoetool.deal.state import PlayState, RoundVoid
from shoetool.rules.rule_error import RuleError

Verify = Callable[..., object]
"""verify_x(state, position, hand=None, amount=None): what the decision concerns, or RuleError."""

Act = Callable[[PlayState, int, int | None, int | None], None]
"""The decision in place: verifies, then changes the state."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A decision. `verify` raises the reason against it and changes nothing; `act` makes it in place."""

    name: str
    verify: Verify
    act: Act

    def can(self, state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> bool:
        """Whether `verify` lets the decision pass."""
        try:
            self.verify(state, position, hand, amount)
        except RuleError:
            return False
        return True

    def __call__(
        self, state: PlayState, position: int, hand: int | None = None, amount: int | None = None
    ) -> PlayState:
        """The state after the decision, the given one unchanged; RuleError as `verify`."""
        new = state.copy()
        try:
            self.act(new, position, hand, amount)
        except RoundVoid as found:
            make_void(new, found.clause)
        return new
