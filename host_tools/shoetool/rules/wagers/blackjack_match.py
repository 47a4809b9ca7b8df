"""Blackjack Match Progressive, 633c.10(a): the player's two cards and the dealer's, two matching Blackjacks at best."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import is_blackjack
from shoetool.rules.round import Stage

from .choice import Choice
from .four_cards import both_blackjack, flush, player_cards, two_pair_by_card, two_pair_by_rank
from .progressive import Envy, MeterReadings, MeterRule, progressive_system, secondary, to_one
from .two_cards import ACE_RANK, KING_RANK, ranks, suited
from .view import View
from .wager import Outcome, Wager

_KEY: Final = "blackjack_match"
_PAYS: Final = "633c.10(i)"
_ENVY: Final = "633c.10(h)(5)"
_SUITS: Final = Choice(
    f"{_KEY}_suits",
    "633c.10(a)(1)",
    "Blackjacks of the same ranks match in suit where all four cards have one suit, or where they are alike card by "
    "card (T70)",
    ("one_suit", "card_by_card"),
)
_REST: Final = Choice(
    f"{_KEY}_rest",
    "633c.10(a)(4)",
    "two Blackjacks that fit no row by its words are player and dealer Blackjacks; or win nothing where all ranks or "
    "all suits agree; or are player and dealer suited Blackjacks where each is of one suit (T71)",
    ("both_blackjacks", "nothing", "both_suited"),
)


def _matching(view: View) -> bool:
    """633c.10(a)(2): of the ace and the king there is the row above."""
    if not both_blackjack(view):
        return False
    if _SUITS.of(view.rules) == "card_by_card":
        return two_pair_by_card(view)
    return two_pair_by_rank(view) and flush(view)


def _ace_king_matching(view: View) -> bool:
    """633c.10(a)(1)."""
    return _matching(view) and ranks(view) == {ACE_RANK, KING_RANK}


def _both_suited(view: View) -> bool:
    """633c.10(a)(3): of the same ranks there are the rows above."""
    if not both_blackjack(view):
        return False
    if _REST.of(view.rules) == "both_suited":
        return suited(view) and _suits(view.dealer)[0] == _suits(view.dealer)[1]
    return flush(view)


def _both_blackjacks(view: View) -> bool:
    """633c.10(a)(4): all that the rows above leave, unless the house takes it by its words."""
    if not both_blackjack(view):
        return False
    agree = two_pair_by_rank(view) or _suits(view.initial) == _suits(view.dealer)
    return not (agree and _REST.of(view.rules) == "nothing")


def _suits(cards: tuple[int, ...]) -> list[int]:
    return sorted(card // 13 for card in cards[:2])


def _player_alone(view: View) -> bool:
    """633c.10(a)(6): of one suit there is the row above."""
    return is_blackjack(player_cards(view)) and not view.dealer_blackjack


def _player_suited(view: View) -> bool:
    """633c.10(a)(5)."""
    return _player_alone(view) and suited(view)


def _any_ace(view: View) -> bool:
    """633c.10(a)(7), whatever the dealer has; two aces are paid once (T72)."""
    return ACE_RANK in ranks(view) and not is_blackjack(player_cards(view))


BLACKJACK_MATCH: Final = Wager(
    key=_KEY,
    title="Blackjack Match Progressive",
    offered="633c.10(e)",
    settles="633c.10(g)(2)",
    collects="633c.10(g)(1)",
    pays=_PAYS,
    # Also where no reader is used: before any further card, and then the hand goes on (633c.10(g), 633c.10(l)).
    stage=Stage.AFTER_READER,
    subject="two_cards_and_dealer",
    nothing="none of the winning combinations",
    outcomes=(
        Outcome("ace_king_matching_suited", _ace_king_matching),
        Outcome("matching_suited", _matching),
        Outcome("both_suited", _both_suited),
        Outcome("both_blackjacks", _both_blackjacks),
        Outcome("player_suited_blackjack", _player_suited),
        Outcome("player_blackjack", _player_alone),
        Outcome("any_ace", _any_ace),
    ),
    waiting="633c.10(g)",
    before_main=True,
    meter=MeterRule(
        least=0,
        clause=_PAYS,
        shared="633c.10(j)",
        locked_out="633c.10(d)(2)",
        devices=progressive_system("633c.10(d)", "633c.10(d)(1)", "633c.10(d)(2)"),
        apart="633c.10(h)(4)",
        # All match one dealer's hand: nobody wins a tenth of the meter while another wins all of it.
        readings=MeterReadings(
            sharing_parts=Choice(
                f"{_KEY}_sharing_parts",
                "633c.10(j)",
                "several who win a tenth of the meter in a round share it, as they do the whole, or each gets it (T5)",
                ("equally", "each"),
            ),
            secondary=secondary(_KEY, _PAYS),
        ),
    ),
    verify_from=0,
    verify_clause="633c.10(h)(3)",
    dealer_verifies="633c.10(h)(1)",
    light="633c.10(h)(2)",
    gathered="633c.10(f)",
    to_one=to_one(_KEY, "633c.10(f)"),
    area="633c.10(c)",
    amounts=(1_00, 5_00),
    choices=(_SUITS, _REST),
    envy=Envy(
        clause=_ENVY,
        amounts="633c.10(k)",
        option="Blackjack Match: the envy bonus is offered",
        once=True,
        boxes=Choice(
            f"{_KEY}_envy_boxes",
            _ENVY,
            "a player with several positions is one player, or each position is one (T74)",
            ("player", "box"),
        ),
        holder=Choice(
            f"{_KEY}_envy_holder",
            _ENVY,
            "any other player's hand pays an envy bonus, or only one beside the wager (T74)",
            ("any", "wager"),
        ),
        rows=Choice(
            f"{_KEY}_envy_rows",
            _ENVY,
            "an ace-king matching suited Blackjack pays an envy bonus too, as 633c.10(k) prints one, or only the "
            "combination that has the name of the clause (T74)",
            ("all", "matching_suited"),
        ),
    ),
)
