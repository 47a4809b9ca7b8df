"""Hit and Run Progressive: a dealer Blackjack or a dealer's hand of five or more cards, the busting card included."""

from __future__ import annotations

from typing import Final

from shoetool.rules.round import Stage

from .progressive import AT_EACH_POSITION, MeterRule
from .wager import ON_THE_FIRST_HAND, Outcome, Predicate, Wager, at_dealer_blackjack


def _dealer_cards(count: int) -> Predicate:
    """Whether the dealer took so many cards or more; one drawn in error on a standing total is none (reading 20).

    The rows for more cards come first.
    """
    return lambda view: len(view.dealer) >= count


HIT_AND_RUN: Final = Wager(
    key="hit_and_run",
    title="Hit and Run Progressive",
    offered="633a.6(e)(10)",
    settles="633a.7(o)(2)(i)",
    collects="633a.7(o)",
    pays="633a.13(l)(1)",
    stage=Stage.AFTER_ALL,
    subject="dealer",
    nothing="fewer than five cards and no Blackjack",
    outcomes=(
        Outcome("eight_or_more_cards", _dealer_cards(8)),
        Outcome("seven_cards", _dealer_cards(7)),
        Outcome("six_cards", _dealer_cards(6)),
        Outcome("five_cards", _dealer_cards(5)),
        Outcome("dealer_blackjack", lambda view: view.dealer_blackjack),
    ),
    waits=at_dealer_blackjack,
    needs_dealer_draw=True,
    meter=MeterRule(
        least=1_000_00,
        clause="633a.13(l)(2)",
        shared="633a.7(o)(2)(ii)(C)",
        locked_out="633a.2(d)(2)",
        devices=AT_EACH_POSITION,
    ),
    verify_from=200,
    verify_clause="633a.7(o)(2)(ii)(B)",
    dealer_verifies="633a.7(o)(2)(ii)(A)",
    switch=ON_THE_FIRST_HAND,
)
