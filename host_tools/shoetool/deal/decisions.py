"""Every decision a player may make, by name: `verify_x` raises the reason, `can_x` tells, `x` returns a new state."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from shoetool.deal.decide_double import (
    can_double,
    can_free_double,
    can_rescue,
    do_double,
    do_free_double,
    do_rescue,
    double,
    free_double,
    rescue,
    verify_double,
    verify_free_double,
    verify_rescue,
)
from shoetool.deal.decide_draw import (
    can_hit,
    can_stand,
    do_hit,
    do_stand,
    hit,
    stand,
    verify_hit,
    verify_stand,
)
from shoetool.deal.decide_early import (
    can_even_money,
    can_insurance,
    can_press,
    can_surrender,
    do_even_money,
    do_insurance,
    do_press,
    do_surrender,
    even_money,
    insurance,
    insurance_limit,
    press,
    press_limit_of,
    surrender,
    verify_even_money,
    verify_insurance,
    verify_press,
    verify_surrender,
)
from shoetool.deal.decide_irregular import (
    can_dead_hand,
    can_late_card,
    can_refuse_card,
    dead_hand,
    do_dead_hand,
    do_late_card,
    do_refuse_card,
    late_card,
    refuse_card,
    verify_dead_hand,
    verify_late_card,
    verify_refuse_card,
)
from shoetool.deal.decide_split import (
    can_free_split,
    can_split,
    can_switch,
    do_free_split,
    do_split,
    do_switch,
    free_split,
    split,
    switch,
    verify_free_split,
    verify_split,
    verify_switch,
)
from shoetool.deal.verbs import Act, Can, Verify

BEFORE_THE_READER: Final = frozenset({"insurance", "even_money", "surrender"})
"""Decisions that are made before the reader is used, where the up card asks for it."""

ACTS: Final[MappingProxyType[str, Act]] = MappingProxyType(
    {
        "hit": do_hit,
        "stand": do_stand,
        "double": do_double,
        "split": do_split,
        "surrender": do_surrender,
        "insurance": do_insurance,
        "even_money": do_even_money,
        "switch": do_switch,
        "free_double": do_free_double,
        "free_split": do_free_split,
        "rescue": do_rescue,
        "press": do_press,
        "refuse_card": do_refuse_card,
        "late_card": do_late_card,
        "dead_hand": do_dead_hand,
    }
)
"""Every decision in place: (state, position, hand or None, amount or None)."""

VERIFIES: Final[MappingProxyType[str, Verify]] = MappingProxyType(
    {
        "hit": verify_hit,
        "stand": verify_stand,
        "double": verify_double,
        "split": verify_split,
        "surrender": verify_surrender,
        "insurance": verify_insurance,
        "even_money": verify_even_money,
        "switch": verify_switch,
        "free_double": verify_free_double,
        "free_split": verify_free_split,
        "rescue": verify_rescue,
        "press": verify_press,
        "refuse_card": verify_refuse_card,
        "late_card": verify_late_card,
        "dead_hand": verify_dead_hand,
    }
)
"""Every decision's check, which changes nothing."""

CANS: Final[MappingProxyType[str, Can]] = MappingProxyType(
    {
        "hit": can_hit,
        "stand": can_stand,
        "double": can_double,
        "split": can_split,
        "surrender": can_surrender,
        "insurance": can_insurance,
        "even_money": can_even_money,
        "switch": can_switch,
        "free_double": can_free_double,
        "free_split": can_free_split,
        "rescue": can_rescue,
        "press": can_press,
        "refuse_card": can_refuse_card,
        "late_card": can_late_card,
        "dead_hand": can_dead_hand,
    }
)
"""Whether each decision is allowed."""

__all__ = [
    "ACTS",
    "BEFORE_THE_READER",
    "CANS",
    "VERIFIES",
    "can_dead_hand",
    "can_double",
    "can_even_money",
    "can_free_double",
    "can_free_split",
    "can_hit",
    "can_insurance",
    "can_late_card",
    "can_press",
    "can_refuse_card",
    "can_rescue",
    "can_split",
    "can_stand",
    "can_surrender",
    "can_switch",
    "dead_hand",
    "double",
    "even_money",
    "free_double",
    "free_split",
    "hit",
    "insurance",
    "insurance_limit",
    "late_card",
    "press",
    "press_limit_of",
    "refuse_card",
    "rescue",
    "split",
    "stand",
    "surrender",
    "switch",
    "verify_dead_hand",
    "verify_double",
    "verify_even_money",
    "verify_free_double",
    "verify_free_split",
    "verify_hit",
    "verify_insurance",
    "verify_late_card",
    "verify_press",
    "verify_refuse_card",
    "verify_rescue",
    "verify_split",
    "verify_stand",
    "verify_surrender",
    "verify_switch",
]
