"""A decision by its name: why it is not allowed, whether it is, and the state after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoetool.deal.irregular import make_void
from shoetool.deal.state import HandState, PlayState, RoundVoid
from shoetool.deal.turns import in_turn
from shoetool.rules.rule_error import RuleError

Verify = Callable[..., Any]
"""verify_x(state, position, hand=None, amount=None): what the decision concerns, or RuleError."""

Change = Callable[[PlayState, Any, int | None], None]
"""do_x(state, found, amount): what the decision changes; `found` is what `verify_x` returned."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A decision. `verify` raises the reason against it and changes nothing; `change` makes it, unverified."""

    name: str
    verify: Verify
    change: Change

    def act(self, state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> None:
        """Make the decision in place; RuleError as `verify`."""
        self.change(state, self.verify(state, position, hand, amount), amount)

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


def of_a_turn(words: str) -> Verify:
    """The `verify_x` of a decision that only asks whether the hand is in turn; `words` name it."""

    def verify(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
        return in_turn(state, position, hand, words)

    return verify
