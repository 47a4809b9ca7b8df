"""From hands as they lie at the end to the order in which their cards were drawn: what an analyst sees, played by the
rules.

Where a card went is known, so each card is taken from the list of the hand that needs one. Which hand a pair was split
off is not in the lists. Every way is tried, and the one that the decisions allow is the round; there may be no other
that puts the cards in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from shoetool.deal.engine import close_round, deal_on, decide_all
from shoetool.deal.inputs import Decision, Stake
from shoetool.deal.state import HandState, PlayPhase, PlayState
from shoetool.deal.turns import begin_turns
from shoetool.model.cards import UNKNOWN, card_name
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Role
from shoetool.rules.games import game
from shoetool.rules.submission.rules import RulesSubmission

_MOST_WAYS: Final = 500
_IN_ORDER: Final = 'write "cards" in the order drawn'

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Hands that one hand became: itself, or what lies left and right of its split."""

    cards: Cards = ()
    left: _Part | None = None
    right: _Part | None = None

    def card(self, at: int) -> int | None:
        """The card that it gets at this place, from 0, before it is split; None where the lists have none."""
        if self.left is None or self.right is None:
            return self.cards[at] if at < len(self.cards) else None
        return (self.left, self.right)[at].card(0) if at < 2 else None


def drawn_order(
    submission: RulesSubmission,
    stakes: Sequence[Stake],
    hands: Mapping[int, Sequence[Cards]],
    dealer: Cards,
    decisions: Sequence[Decision],
) -> Cards:
    """Return the cards in the order drawn, without burned ones.

    hands: by position, those at the end, left to right, each with its cards in the order it got them. dealer: his,
    up card first. BadInput (a RuleError with its clause, where there is one) when no order gives these hands, when
    several do, and for games whose hands do not tell the order: a hybrid table, and switch hands.
    """
    if game(submission.game).facts.community or any(stake.ante for stake in stakes):
        raise BadInput(f"at this table the hands do not tell in which order their cards came; {_IN_ORDER}")
    dealt = game(submission.game).deal.hands
    ways = [list(_ways(list(hands[position]), dealt)) for position in sorted(hands)]
    several = list(islice(product(*ways), _MOST_WAYS + 1))
    if len(several) > _MOST_WAYS:
        raise BadInput(f"so many splits can have come in too many orders; {_IN_ORDER}")
    found: set[Cards] = set()
    refused: BadInput | None = None
    for parts in several:
        try:
            found.add(_played(submission, stakes, dict(zip(sorted(hands), parts, strict=True)), dealer, decisions))
        except BadInput as error:
            refused = refused or error
    if len(found) > 1:
        raise BadInput(f"these hands can have come in {len(found)} orders; {_IN_ORDER}")
    if not found:
        assert refused is not None, "there is at least one way"
        raise refused
    return found.pop()


def _ways(hands: list[Cards], dealt: int) -> Iterator[tuple[_Part, ...]]:
    """Every way in which so many hands as dealt became these."""
    if dealt == 1:
        yield from ((part,) for part in _trees(hands))
        return
    for count in range(1, len(hands) - dealt + 2):
        for first in _trees(hands[:count]):
            yield from ((first, *rest) for rest in _ways(hands[count:], dealt - 1))


def _trees(hands: list[Cards]) -> Iterator[_Part]:
    if len(hands) == 1:
        yield _Part(hands[0])
    for at in range(1, len(hands)):
        for left in _trees(hands[:at]):
            yield from (_Part(left=left, right=right) for right in _trees(hands[at:]))


@dataclass(slots=True, eq=False)
class _Listed(PlayState):
    """A round whose next card is the one that the hand in need has on its list."""

    roots: Mapping[int, tuple[_Part, ...]] = field(default_factory=dict)
    of_dealer: Cards = ()
    switches: frozenset[int] = frozenset()
    """Positions that exchange the second cards of their two hands."""
    part_of: dict[int, _Part] = field(default_factory=dict)
    """What each hand is, by its identity."""
    all_listed: bool = False
    """The players have all their cards: what follows is the dealer's, and lies in `cards`."""

    def draw(self, clause: str, role: Role, hand: HandState | None = None) -> None:
        """Lay the next card of its list on this hand or the dealer's."""
        if self.all_listed:
            PlayState.draw(self, clause, role, hand)
            return
        if hand is None:
            lying, listed = len(self.dealer), self.of_dealer
            card = listed[lying] if lying < len(listed) else None
        else:
            card = self._card(hand)
        if card is None:
            who = "the dealer" if hand is None else hand.words() if hand.hand.cards else hand.place()
            raise BadInput(f"{who} needs a card more than is listed ({clause})")
        self.cards.append(card)
        PlayState.draw(self, clause, role, hand)

    def _card(self, hand: HandState) -> int | None:
        box = hand.box
        for at, one in enumerate(box.hands):
            if id(one) in self.part_of:
                continue
            if not one.hand.split:
                self.part_of[id(one)] = self.roots[box.position][one.number]
                continue
            whole = self.part_of[id(box.hands[at - 1])]
            if whole.left is None or whole.right is None:
                raise BadInput(f"position {box.position} splits into more hands than are listed")
            self.part_of[id(box.hands[at - 1])], self.part_of[id(one)] = whole.left, whole.right
        part, lying = self.part_of[id(hand)], len(hand.hand.cards)
        if lying == 1 and box.position in self.switches and not hand.hand.split:
            part = self.roots[box.position][1 - hand.number]
        return part.card(lying)


def _played(
    submission: RulesSubmission,
    stakes: Sequence[Stake],
    roots: Mapping[int, tuple[_Part, ...]],
    dealer: Cards,
    decisions: Sequence[Decision],
) -> Cards:
    """Play one way. BadInput when the rules do not allow it, or when it does not end with the listed hands."""
    burned = game(submission.game).deal.burns
    switches = frozenset(one.position for one in decisions if one.name == "switch")
    state = _Listed(submission, [UNKNOWN] * burned, True, roots=roots, of_dealer=dealer, switches=switches)
    deal_on(state, stakes, burned=burned)
    decide_all(state, decisions)
    if state.void is None and state.phase in (PlayPhase.BEFORE_READER, PlayPhase.TURNS) and state.turn is None:
        begin_turns(state)
    state.cards += dealer[len(state.dealer) :]
    state.all_listed = True
    close_round(state)
    for box in state.boxes:
        for hand in box.hands:
            part = state.part_of[id(hand)]
            if part.left is not None:
                raise BadInput(f"{hand.place()} has more hands listed than it splits into")
            if len(part.cards) > len(hand.hand.cards):
                left = " ".join(map(card_name, part.cards[len(hand.hand.cards) :]))
                raise BadInput(f"{hand.words()} has {left} listed too, which it would not have got")
    return tuple(state.cards[burned:])
