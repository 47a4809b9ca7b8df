"""Wrong payments and procedure errors that a simulated table commits on request, each with the clause it breaks.

A plant happens once, in the first round from its own on that gives an opportunity; `verify` must name its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.rules.round import Settlement, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.mystery_round import Won

from shoesim import mystery_slips as mystery
from shoesim import switch_hands_slips as hands
from shoesim import wagers_slips as slips
from shoesim import wagers_slips_order as order
from shoesim.wagers_draft import Draft

Slip = Callable[[Draft], bool]
"""Changes a draft in place; True when it could."""
Settle = Callable[[TableRound, RulesSubmission, Won], Settlement]


@dataclass(frozen=True, slots=True)
class WagerPlantKind:
    """What is known of a plant: the clause that a verifier must name ("" for that of the wager concerned), and whether
    it changes wagers and decisions `before` the round is settled, or what was done and paid."""

    name: str
    clause: str
    slip: Slip
    before: bool = False


_KINDS: Final = (
    WagerPlantKind("overpaid", "", slips.overpaid),
    WagerPlantKind("underpaid", "", slips.underpaid),
    WagerPlantKind("loser_not_collected", "", slips.loser_not_collected),
    WagerPlantKind("winner_not_paid", "", slips.winner_not_paid),
    WagerPlantKind("blackjack_paid_6_to_5", "", slips.blackjack_6_to_5),
    WagerPlantKind("push_paid", "", slips.push_paid),
    WagerPlantKind("paid_without_wager", "633a.13(a)", slips.paid_without_wager),
    WagerPlantKind("meter_low", "633a.13", slips.meter_low),
    WagerPlantKind("bets_closed_late", "633a.6(c) timing", order.bets_closed_late),
    WagerPlantKind("late_wager", "633a.6(c) timing", order.late_wager),
    WagerPlantKind("late_progressive_wager", "", order.late_progressive),
    WagerPlantKind("wager_moved", "633a.6(c) freeze", order.wager_moved),
    WagerPlantKind("side_wager_settled_late", "633a.7(g)", order.side_settled_late),
    WagerPlantKind("side_wagers_clockwise", "633a.7(g)", order.side_clockwise),
    WagerPlantKind("remaining_wagers_clockwise", "633a.7(o)", order.remaining_clockwise),
    WagerPlantKind("insurance_after_reader", "633a.8(b) timing", order.insurance_after_reader),
    WagerPlantKind("insurance_not_offered", "633a.8(a)", order.insurance_not_offered),
    WagerPlantKind("insurance_settled_late", "633a.8(d)", order.insurance_settled_late),
    WagerPlantKind("reader_answer_changed", "633a.7(h) result", order.reader_answer_changed),
    WagerPlantKind("main_settled_early", "633a.7(r)(1)", order.main_settled_early),
    WagerPlantKind("main_out_of_order", "633a.7(r)(1)", order.main_out_of_order),
    WagerPlantKind("never_settled", "", order.never_settled),
    WagerPlantKind("settled_twice", "", order.settled_twice),
    WagerPlantKind("not_verified", "", order.not_verified),
    WagerPlantKind("shallow_cut", "633a.5(d) cut", order.shallow_cut),
    WagerPlantKind("cover_card_low", "633a.5(d) place", order.cover_card_low),
    WagerPlantKind("wrong_cut_offer", "633a.5(c)", order.wrong_cut_offer),
    WagerPlantKind("recut_not_made", "633a.5(e)", order.recut_not_made),
    WagerPlantKind("not_shuffled", "633a.5(a) when", order.not_shuffled),
    WagerPlantKind("shuffler_failed", "633a.14(l)", order.shuffler_failed),
    WagerPlantKind("old_decks", "633a.3(d) 24 h", order.old_decks),
    WagerPlantKind("barred_player", "633a.6(b)", order.barred_player),
    WagerPlantKind("decision_changed", "633a.7(i)(2)", slips.decision_changed),
    WagerPlantKind("over_the_limit", "633a.6(d)", slips.over_the_limit, before=True),
    WagerPlantKind("wager_not_offered", "633a.6(e)", slips.wager_not_offered, before=True),
    WagerPlantKind("side_over_the_limit", "633a.6(e)", slips.side_over_the_limit, before=True),
    WagerPlantKind("position_left_out", "633a.6(d)", slips.position_left_out, before=True),
    WagerPlantKind("too_many_boxes", "633a.6(f)", slips.too_many_boxes, before=True),
    WagerPlantKind("insurance_too_big", "633a.8(b) amount", slips.insurance_too_big, before=True),
    WagerPlantKind("double_too_big", "633a.10(a)", slips.double_too_big, before=True),
    WagerPlantKind("round_left_out", "633a.7(s)", order.round_left_out),
    WagerPlantKind("round_invented", "633a.7(s)", order.round_invented),
    WagerPlantKind("backs_toward_dealer", "633a.5(b)", order.backs_toward_dealer),
    WagerPlantKind("new_decks_face_down", "633a.4(b)", order.new_decks_face_down),
    WagerPlantKind("stacked_before_spread", "633a.4(c)", order.stacked_before_spread),
    WagerPlantKind("batches_opened_together", "633a.4(e)", order.batches_opened_together),
    WagerPlantKind("idle_shoe_dealt_on", "633a.5(g)(1)", order.idle_shoe_dealt_on),
    WagerPlantKind("idle_batch_dealt_on", "633a.5(g)(2)", order.idle_batch_dealt_on),
    WagerPlantKind("idle_cards_face_up", "633a.5(g)", order.idle_cards_face_up),
    WagerPlantKind("shuffler_covered_late", "633a.14(m)", order.shuffler_covered_late),
)
WAGER_PLANTS: Final = {kind.name: kind for kind in _KINDS}
_OF_MYSTERIES: Final = (
    WagerPlantKind("mystery_value_exchanged", "633c.14(c)(3)", mystery.value_exchanged),
    WagerPlantKind("mystery_nonce_changed", "633c.14(c)(3)", mystery.nonce_changed),
    WagerPlantKind("mystery_paid_late", "633c.14(c)(3)", mystery.paid_late),
    WagerPlantKind("mystery_ran_on", "633c.14(c)(3)", mystery.by_the_system),
    WagerPlantKind("mystery_past_maximum", "633c.14(c)(3)", mystery.by_the_system),
)
MYSTERY_PLANTS: Final = {kind.name: kind for kind in _OF_MYSTERIES}
"""Errors of a mystery bonus, at a table that offers one."""
_OF_633C: Final = (
    WagerPlantKind("last_before_others", "633c.9(d)", order.last_before_others),
    WagerPlantKind("envy_left_out", "", slips.envy_left_out),
    WagerPlantKind("multiplier_left_out", "", slips.multiplier_left_out),
    WagerPlantKind("wager_alone", "633c.7(c)", slips.wager_alone, before=True),
    WagerPlantKind("settled_after_draw", "633c.8(d)", order.settled_after_draw),
    WagerPlantKind("dealer_not_drawn", "", slips.dealer_not_drawn, before=True),
    WagerPlantKind("side_above_main", "", slips.side_above_main, before=True),
    WagerPlantKind("press_too_big", "", slips.press_too_big),
    WagerPlantKind("press_after_hit", "", slips.press_after_hit),
    WagerPlantKind("press_paid_3_to_2", "633c.11(f)", slips.press_paid_3_to_2),
)
PLANTS_633C: Final = {kind.name: kind for kind in _OF_633C}
"""Errors of single wagers of ch. 633c: when they are settled, what lies beside them, what they pay, and a press."""
_OF_SWITCH_HANDS: Final = (
    WagerPlantKind("ante_too_small", "633c.4(c)", hands.ante_too_small, before=True),
    WagerPlantKind("ante_left_out", "633c.4(c)", hands.ante_left_out, before=True),
    WagerPlantKind("wager_off_the_steps", "633c.4(b)", hands.off_the_steps, before=True),
)
SWITCH_HANDS_PLANTS: Final = {kind.name: kind for kind in _OF_SWITCH_HANDS}
"""Wrong antes, at a table with switch hands."""
EVERY_PLANT: Final = WAGER_PLANTS | MYSTERY_PLANTS | PLANTS_633C | SWITCH_HANDS_PLANTS


@dataclass(frozen=True, slots=True)
class WagerPlant:
    """One error on request, in the first round from `round` on that allows it."""

    name: str
    round: int = 1

    def __post_init__(self) -> None:
        if self.name not in EVERY_PLANT:
            raise BadInput(f"no error of wagers is called {self.name!r}; known: {', '.join(EVERY_PLANT)}")


def parse_wager_plant(text: str) -> WagerPlant:
    """Read `name` or `name@round`, as the command line has it."""
    name, at, where = text.partition("@")
    if at and not where.isdecimal():
        raise BadInput(f"{text!r}: after @ comes a round number")
    return WagerPlant(name, int(where or 1))


@dataclass(frozen=True, slots=True)
class Planted:
    """A plant that happened: its round, and the clause as far as it is known beforehand."""

    name: str
    round: int
    clause: str


@dataclass(slots=True)
class WagerBook:
    """The plants that are still to come, and those that happened."""

    waiting: list[WagerPlant] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)

    def __init__(self, plants: Iterable[WagerPlant] = ()) -> None:
        self.waiting = list(plants)
        self.planted = []

    def _try(self, draft: Draft, before: bool) -> None:
        for plant in list(self.waiting):
            kind = EVERY_PLANT[plant.name]
            if kind.before == before and draft.round.number >= plant.round and kind.slip(draft):
                self.waiting.remove(plant)
                self.planted.append(Planted(plant.name, draft.round.number, kind.clause))
                return

    def take(self, draft: Draft, name: str) -> bool:
        """Whether this error is due in this round; its caller carries it out."""
        for plant in self.waiting:
            if plant.name == name and draft.round.number >= plant.round:
                self.waiting.remove(plant)
                self.planted.append(Planted(name, draft.round.number, EVERY_PLANT[name].clause))
                return True
        return False

    def before(self, draft: Draft) -> None:
        """Plant what changes wagers and decisions, at most one thing a round."""
        self._try(draft, True)

    def settled(self, draft: Draft, settle: Settle) -> Settlement | None:
        """The round's settlement; None when a plant made one that no rule settles."""
        assert draft.table_round is not None
        try:
            return settle(draft.table_round, draft.rules, draft.hidden.won)
        except RuleError:
            return None

    def after(self, draft: Draft) -> Iterator[dict[str, Any]]:
        """Plant what changes the line, at most one thing a round; yield the lines that are written."""
        if not any(one.round == draft.round.number and one.name in _BEFORE for one in self.planted[-1:]):
            self._try(draft, False)
        extra = draft.line.pop("_extra", None)
        if not draft.line.pop("_left_out", False):
            yield draft.line
        if extra is not None:
            yield extra


_BEFORE: Final = frozenset(kind.name for kind in EVERY_PLANT.values() if kind.before)
