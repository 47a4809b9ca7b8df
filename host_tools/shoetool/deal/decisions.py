"""Every decision that a player may make, by its name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from shoetool.deal.decide_double import double, free_double, rescue
from shoetool.deal.decide_draw import dead_hand, hit, late_card, refuse_card, stand
from shoetool.deal.decide_early import even_money, insurance, press, surrender
from shoetool.deal.decide_split import free_split, split, switch
from shoetool.deal.verbs import Verb

_VERBS: Final = (
    *(hit, stand, double, split, surrender, insurance, even_money, switch, free_double, free_split, rescue, press),
    *(refuse_card, late_card, dead_hand),
)
DECISIONS: Final[MappingProxyType[str, Verb]] = MappingProxyType({verb.name: verb for verb in _VERBS})

BEFORE_THE_READER: Final = frozenset({"insurance", "even_money", "surrender"})
"""Decisions that are made before the reader is used, where the up card asks for it."""
