"""The opening deal: burned cards, the determinant card, two cards to every hand and to the dealer."""

from __future__ import annotations

from typing import Final

from shoetool.deal.inputs import Irregularity
from shoetool.deal.state import BEFORE_READER, TURNS, HandState, PlayState
from shoetool.model.cards import VALUES, is_red
from shoetool.rules.rule_error import RuleError

OTHER: Final = {"A": "B", "B": "A"}


def deal_opening(state: PlayState) -> None:
    """Deal the two cards of every hand and the dealer's, as the game's plan says, and find the Blackjacks.

    From the dealer's far left, clockwise: 633a.7(f). Two hands a box in Switch, 633a.12(a)(3). The dealer's second
    card is the hole card: 633a.1 Hole card, 590.1 Hole card, 635a.1 Hole card.
    """
    hands = state.game.deal.hands
    row = state.row
    for box in state.boxes:
        wager = box.wager
        first = HandState(box, 0, 0, wager, [])
        box.hands.append(first)
        row.append(first)
        if hands > 1:
            for number in range(1, hands):
                hand = HandState(box, number, number, wager, [])
                box.hands.append(hand)
                row.append(hand)
            box.next_number = hands
            box.made = [1] * hands
    enough = state.at + 2 * len(row) + 2 <= len(state.cards)
    if state.irregular or not state.known or not enough or not state.table.regular_deal:
        _deal_by_steps(state)
    else:
        _deal_at_once(state)


def _deal_at_once(state: PlayState) -> None:
    """The regular deal: every pass is a slice of the drawn cards."""
    row = state.row
    cards = state.cards
    count = len(row)
    at = state.at
    end = at + 2 * count + 2
    up = at + count
    state.dealer = [cards[up], cards[end - 1]]
    second = up + 1
    single = state.game.deal.hands == 1
    for hand in row:
        one = cards[at]
        two = cards[second]
        at += 1
        second += 1
        hand.cards = [one, two]
        hand.hard = hard = VALUES[one] + VALUES[two]
        if not one % 13 or not two % 13:
            hand.ace = True
            if hard == 11:
                hand.end = "blackjack"
        if single:
            hand.box.initial = ((one, two),)
    state.at = end
    if not single:
        _keep_initial(state)
    _begin(state)


def _deal_by_steps(state: PlayState) -> None:
    """The deal card by card, for a round in which section 14 changes it."""
    missed = {(note.position, note.hand): note for note in state.irregular if note.kind in {"no_cards", "one_card"}}
    forgotten = [note for note in state.irregular if note.kind == "dealer_missed"]
    owed = 0
    players = 0
    steps = state.game.deal.steps
    for step in steps:
        if step.to == "dealer":
            if len(state.dealer) + owed == 0 and any(note.choice in ("", "up") for note in forgotten):
                owed += 1  # .14(e): taken after the players' two cards
                continue
            if len(state.dealer) + owed == 1:
                _late_seconds(state, missed, step.clause)
            for _ in range(owed + 1):
                state.dealer.append(state.draw(step.clause, None))
            owed = 0
            continue
        players += 1
        for hand in state.row:
            note = missed.get((hand.box.position, hand.number))
            if note is not None and (note.kind == "no_cards" or note.missed == players):
                continue
            hand.take(state.draw(step.clause, hand))
    _look(state)
    _keep_initial(state)
    _begin(state)


def _late_seconds(state: PlayState, missed: dict[tuple[int | None, int], Irregularity], clause: str) -> None:
    """.14(g): the second card of a hand that got one, after the other players' and before the dealer's hole card."""
    for hand in state.row:
        note = missed.get((hand.box.position, hand.number))
        if note is None:
            continue
        if note.kind == "one_card" and note.choice != "refuse":
            hand.take(state.draw(state.clauses.one_card, hand))
        else:
            hand.end = "dead"


def _look(state: PlayState) -> None:
    """Mark the Blackjacks. Only the first two cards make one: 633a.1 Blackjack, 590.1 Blackjack, 635a.1 Blackjack."""
    for hand in state.row:
        if hand.hard == 11 and hand.ace and len(hand.cards) == 2:
            hand.end = "blackjack"


def _keep_initial(state: PlayState) -> None:
    for box in state.boxes:
        box.initial = tuple([tuple(hand.cards) for hand in box.hands])


def _begin(state: PlayState) -> None:
    """Set the next phase: the reader's step or the turns, 633a.7(h) eligibility."""
    state.phase = BEFORE_READER if state.dealer[0] % 13 in state.game.reader_ranks else TURNS


def take_determinant(state: PlayState, drawn_from: str) -> None:
    """Let the first card, drawn from side `drawn_from`, choose the side of the round: 633a.1 Determinant card.

    When it came from the chosen side, it stays the first player's card, 633a.7(d)(2) match. Else it is segregated,
    633a.7(d)(2) mismatch.
    """
    submission = state.table.submission
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
        state.discards.append(card)
        state.at += 1
        state.fresh = state.at


def burn(state: PlayState, count: int) -> None:
    """Put burned cards into the rack before the round, 633a.7(c), 633a.12(b)(5). Their faces may be unknown."""
    least = state.game.deal.burns
    if count < least:
        text = f"{state.game.title}: one card goes to the rack before every round, and {count} were burned"
        raise RuleError(state.game.deal.burn_clause, text)
    if state.at + count > len(state.cards):
        text = f"{count} cards are burned before the round, and {len(state.cards)} cards were drawn"
        raise RuleError(state.game.deal.burn_clause or state.clauses.burn, text)
    for at in range(state.at, state.at + count):
        state.discards.append(state.cards[at])
    state.at += count
