"""Make a decision's three functions: `verify_x` raises the reason, `can_x` returns a bool, `x` returns a new state."""

from __future__ import annotations

from collections.abc import Callable

from shoetool.deal.irregular import make_void
from shoetool.deal.state import PlayState, RoundVoid
from shoetool.rules.rule_error import RuleError

Verify = Callable[..., object]
"""verify_x(state, position, hand=None, amount=None): what the decision concerns, or RuleError."""

Act = Callable[[PlayState, int, int | None, int | None], None]
"""The decision in place: verifies, then changes the state."""

Can = Callable[..., bool]
Make = Callable[..., PlayState]


def can(verify: Verify, name: str) -> Can:
    """`can_x` of a `verify_x`: whether the decision is allowed."""

    def can_decide(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> bool:
        try:
            verify(state, position, hand, amount)
        except RuleError:
            return False
        return True

    can_decide.__name__ = f"can_{name}"
    can_decide.__doc__ = f"Whether `verify_{name}` lets the decision pass."
    return can_decide


def make(act: Act, name: str) -> Make:
    """`x` of an act in place: the state after the decision, the given one unchanged; RuleError as `verify_x`."""

    def decide(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> PlayState:
        new = state.copy()
        try:
            act(new, position, hand, amount)
        except RoundVoid as found:
            make_void(new, found.clause)
        return new

    decide.__name__ = name
    decide.__doc__ = f"The state after `{name}`, the given one unchanged; RuleError as `verify_{name}`."
    return decide
