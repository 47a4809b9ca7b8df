"""The opening deal: burned cards, the determinant card, two cards to every hand and to the dealer."""

from __future__ import annotations

from typing import Final

from shoetool.deal.hybrid import deal_shared
from shoetool.deal.inputs import Irregularity
from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState
from shoetool.model.cards import is_red
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Position, Role
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers.switch_hands import ORDER
from shoetool.table.actions import Reported, SideChosen
from shoetool.table.fold import take
from shoetool.table.hand import SWITCH_HAND

OTHER: Final = {"A": "B", "B": "A"}
_OPENING: Final = Role.OPENING


def deal_opening(state: PlayState) -> None:
    """Deal the two cards of every hand and the dealer's, as the game's plan says, and find the Blackjacks.

    From the dealer's far left, clockwise: 633a.7(f). Two hands a box in Switch, 633a.12(a)(3). The dealer's second
    card is the hole card: 633a.1 Hole card, 590.1 Hole card, 635a.1 Hole card.
    """
    hands = state.game.deal.hands
    for box in state.boxes:
        at = box.position
        box.hands = [HandState(box, state.round.hand(at, number), box.wager, box.wager) for number in range(hands)]
    missed = {(note.position, note.hand): note for note in state.irregular if note.kind in {"no_cards", "one_card"}}
    last_of_all = ORDER.of(state.submission) == "last"
    if state.round.antes and not last_of_all:
        deal_asides(state, missed)
    up_missed = any(note.kind == "dealer_missed" and note.choice in ("", "up") for note in state.irregular)
    players = 0
    *_, last = state.game.deal.steps
    for step in state.game.deal.steps:
        if step.to == "dealer":
            if step is last:
                _late_seconds(state, missed)
            elif up_missed:
                continue  # .14(e): taken after the players' two cards
            while (lying := len(state.round.dealer)) < players:
                state.draw(step.clause, Role.HOLE if lying else Role.DEALER_UP)
            continue
        players += 1
        if step.to != "players":
            deal_shared(state, step)
            continue
        for hand in state.hands():
            if missed:
                note = missed.get((hand.box.position, hand.number))
                if note is not None and (note.kind == "no_cards" or note.missed == players):
                    continue
            first = state.round.side >= 0 and state.round.determinant is None
            state.draw(step.clause, Role.DETERMINANT_FIRST if first else _OPENING, hand)
    if state.round.antes and last_of_all:
        deal_asides(state, missed)
    for box in state.boxes:
        box.initial = tuple([tuple(hand.cards) for hand in box.hands])
    if state.round.antes and chooser(state) is not None:
        state.phase = PlayPhase.CHOOSING
    else:
        begin(state)


def deal_asides(state: PlayState, missed: dict[tuple[int | None, int], Irregularity]) -> None:
    """Deal the switch hands cards in two passes, 633c.4(d)(1)-(2); who was skipped gets the card after them, reading
    78."""
    boxes = [box for box in state.boxes if box.ante]
    late: list[BoxState] = []
    for number, clause in ((1, "633c.4(d)(1)"), (2, "633c.4(d)(2)")):
        for box in boxes:
            note = missed.get((box.position, SWITCH_HAND))
            if note is None or (note.kind == "one_card" and note.missed != number):
                state.draw_aside(clause, box)
            elif note.kind == "one_card" and note.choice != "refuse":
                late.append(box)
    for box in late:
        state.draw_aside(state.clauses.one_card, box)


def chooser(state: PlayState) -> BoxState | None:
    """The position that is asked next whether it keeps or switches, from the dealer's far right, 633c.4(f).

    None when all have chosen. Who has not two cards in both hands, or a dead one, has no choice.
    """
    round_ = state.round
    for box in reversed(state.boxes):
        asides = round_.switch_cards.get(box.position, ())
        if len(asides) < 2 or box.position in round_.chosen or any(hand.end == "dead" for hand in box.hands):
            continue
        return box
    return None


def _late_seconds(state: PlayState, missed: dict[tuple[int | None, int], Irregularity]) -> None:
    """.14(g): the second card of a hand that got one, after the other players' and before the dealer's hole card."""
    for hand in state.hands() if missed else ():
        note = missed.get((hand.box.position, hand.number))
        if note is None:
            continue
        code = IrregularityCode.HAND_WITH_ONE_CARD if note.kind == "one_card" else IrregularityCode.HAND_WITHOUT_CARDS
        take(state.round, Reported, code, hand.box.position, hand.number, 0, note.missed)
        if note.kind == "one_card" and note.choice != "refuse":
            state.draw(state.clauses.one_card, Role.LATE, hand)
        else:
            state.end(hand, HandEnd.DEAD)


def begin(state: PlayState) -> None:
    """End the hands that their cards end, and set the next phase: the reader's step or the turns, 633a.7(h)
    eligibility."""
    for hand in state.hands():
        if not hand.end:
            state.end_by_cards(hand)
    state.phase = PlayPhase.BEFORE_READER if state.game.asks_reader(state.dealer[0]) else PlayPhase.TURNS


def take_determinant(state: PlayState, drawn_from: str) -> None:
    """Let the first card, drawn from side `drawn_from`, choose the side of the round: 633a.1 Determinant card.

    When it came from the chosen side, it stays the first player's card, 633a.7(d)(2) match. Else it is segregated,
    633a.7(d)(2) mismatch.
    """
    submission = state.submission
    clause = "633a.7(d)(1) mapping"
    if submission.shoe != "double":
        raise RuleError("633a.7(d)", "a determinant card is drawn from a double shoe only")
    red = submission.red_side
    if red not in OTHER or drawn_from not in OTHER:
        text = "the rules submission must name the side of the red suits, and the round the side drawn from"
        raise RuleError(clause, text)
    if state.at >= len(state.cards) or not 0 <= state.cards[state.at] < 52:
        raise RuleError("633a.7(d)(1) draw", "no known determinant card was drawn before the round")
    card = state.cards[state.at]
    side = red if is_red(card) else OTHER[red]
    if side != drawn_from:
        state.lay(card, Role.DETERMINANT_ASIDE, Position.SEGREGATED)
        state.at += 1
        state.fresh = state.at
    take(state.round, SideChosen, "AB".index(side))


def burn(state: PlayState, count: int) -> None:
    """Put burned cards into the rack before the round, 633a.7(c), 633a.12(b)(5). Their faces may be unknown."""
    least = state.game.deal.burns
    if count < least:
        text = f"{state.game.title}: one card goes to the rack before every round, and {count} were burned"
        raise RuleError(state.game.deal.burn_clause, text)
    if count > len(state.cards):
        text = f"{count} cards are burned before the round, and {len(state.cards)} cards were drawn"
        raise RuleError(state.game.deal.burn_clause or state.clauses.burn, text)
    for card in state.cards[:count]:
        state.lay(card, Role.BURN, Position.RACK)
    state.at = count
