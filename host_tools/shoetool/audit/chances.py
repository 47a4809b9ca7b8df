"""What was dealt in a round, beside what was to be expected from the cards that were still to come.

Every expectation is that of the moment before the cards came, from all that had been seen of the batch by then.
Whatever made the round begin or a player draw lies before that moment, so no choice of a player, and not where the
cover card lay, makes a sum lean to a side. Cards that could not be read, and burn cards, count as still to come. That
is exact where a card is unread for a reason that has nothing to do with its face.
"""

from __future__ import annotations

import numpy as np

from shoetool.audit.dealer_law import ENDINGS, NUMBERS, RESULTS, ending_chances, final_chances
from shoetool.audit.deck import FACES, Deck, by_rank, by_value
from shoetool.audit.moments import natural_law
from shoetool.audit.told import Array, Counted, Dealt, FirstHand, Play, of_each
from shoetool.model.cards import is_blackjack
from shoetool.model.protocol_table import Role
from shoetool.odds.shoe import VALUES
from shoetool.rules.games import Game
from shoetool.rules.hands import STANDS_ON, best_total
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

_HANDS = frozenset(int(role) for role in (Role.OPENING, Role.DEALER_UP, Role.HOLE))


def seen_of(cards: list[DrawnCard | None]) -> Array:
    """How many cards of each face are known among these."""
    return np.bincount([card.card for card in cards if card is not None and card.known], minlength=FACES)


def look(round_: Round, game: Game, deck: Deck, before: Array, cards: list[DrawnCard | None], dealt: Dealt) -> None:
    """Add one closed round.

    before: cards of each face that had been seen when it was opened. cards: those that came out of its side since. A
    round in which something irregular happened is left out: its cards went another way.
    """
    if not _regular(round_, cards):
        dealt.left_out += 1
        return
    first = next((at for at, card in enumerate(cards) if card is not None and card.role in _HANDS), None)
    if first is None or round_.dealer[0].role != Role.DEALER_UP:
        dealt.left_out += 1
        return
    left = deck.copies - before - seen_of(cards[:first])
    hands = _opening(round_, by_rank(left), dealt)
    if hands and (left == deck.copies).all():
        dealer = tuple(card.card for card in round_.dealer[:2])
        box, hand = min(hands)
        second = hands.get((box, hand + 1), ())
        dealt.first_hands.append(FirstHand(game.name, deck.decks, hands[box, hand], dealer, second))
    up_at = next(at for at, card in enumerate(cards) if card is round_.dealer[0])
    note_up_card(dealt, by_rank(deck.copies - before - seen_of(cards[:up_at])), round_.dealer[0].card % 13)
    _final(round_, game, deck.copies - before, cards, dealt)


def _regular(round_: Round, cards: list[DrawnCard | None]) -> bool:
    if not round_.settled or round_.irregularities or round_.shared or round_.own or round_.refills:
        return False
    if len(round_.dealer) < 2 or not round_.hands or any(card is None for card in cards):
        return False
    mine = {id(card) for card in cards}
    hands = [*round_.dealer, *(card for hand in round_.hands.values() for card in hand.cards)]
    return all(card.known and (id(card) in mine or card.role == Role.DETERMINANT_FIRST) for card in hands)


def _opening(round_: Round, left: Array, dealt: Dealt) -> dict[tuple[int, int], tuple[int, ...]]:
    """Two-card hands: the players' together, and the dealer's. Returns the players' by box and hand."""
    first_two: dict[tuple[int, int], list[int]] = {}
    for placed in round_.placed:
        if placed.role == Role.OPENING and placed.card.record == placed.record:
            first_two.setdefault((placed.box, placed.hand), []).append(placed.card.card)
    hands = {place: tuple(cards) for place, cards in first_two.items() if len(cards) == 2}
    naturals = [is_blackjack(cards) for cards in hands.values()]
    note_opening(dealt, left, naturals, is_blackjack([card.card for card in round_.dealer[:2]]))
    return hands


def note_opening(dealt: Dealt, left: Array, players: list[bool], dealer: bool) -> None:
    """Add the two-card hands of a round: which are naturals. left: cards of each rank before the first of them came."""
    size = int(left.sum())
    if left.min() < 0 or size < 4:
        return
    one, both = natural_law(int(left[0]), int(left[9:].sum()), size)
    chance, pair, number = float(one), float(both), len(players)
    variance = number * chance * (1 - chance) + number * (number - 1) * (pair - chance * chance)
    dealt.naturals.add(Counted(number, sum(players), number * chance, variance))
    dealt.dealer_naturals.add(Counted(1, int(dealer), chance, chance * (1 - chance)))


def note_up_card(dealt: Dealt, left: Array, rank: int) -> None:
    """Add an up card. left: cards of each rank before it came."""
    if left.min() >= 0 and left.sum() > 0:
        dealt.up_cards.trial(rank, left / left.sum())


def note_final(dealt: Dealt, left: Array, game: str, dealer: list[int]) -> None:
    """Add a dealer's hand that was played and is no natural. left: cards of each face that were still to come when he
    began to draw, his hole card among them. dealer: his cards in the end, the up card first."""
    if by_value(left).min() >= 0 and left.sum() >= 20:
        dealt.plays.append(Play(game, tuple(dealer), tuple(left.tolist())))


def _final(round_: Round, game: Game, left: Array, cards: list[DrawnCard | None], dealt: Dealt) -> None:
    """The dealer's hand, where some hand of the round made him play it: that his own cards did not decide."""
    dealer = [card.card for card in round_.dealer]
    if is_blackjack(dealer[:2]) or not any(hand.needs_total(game) for hand in round_.hands.values()):
        return
    if not drawn_by_the_rule(dealer):
        dealt.left_out += 1
        return
    drawn = {id(card) for card in round_.dealer[1:]}
    end = next((at for at, card in enumerate(cards) if card is not None and card.role == Role.DEALER_DRAW), len(cards))
    seen = seen_of([card for card in cards[:end] if id(card) not in drawn])
    note_final(dealt, left - seen, game.name, dealer)


def drawn_by_the_rule(dealer: list[int]) -> bool:
    """Whether the dealer drew as long as he counted less than 17, and no longer: 633a.7(m), 590.7(l), 635a.7(l)."""
    *before, count = (best_total(dealer[:cards]) for cards in range(2, len(dealer) + 1))
    return max(before, default=0) < STANDS_ON <= count


def settle_plays(many: list[Dealt]) -> None:
    """Add the dealer's hands that were noted: all of one up card at once, which is much quicker than one by one."""
    for up in range(VALUES):
        noted = [(dealt, play) for dealt in many for play in dealt.plays if play.up == up]
        if not noted:
            continue
        endings = ending_chances(up, by_value(np.array([play.left for _, play in noted])))
        chances = final_chances(endings)
        for dealt, part in of_each(noted):
            plays = [play for _, play in noted[part]]
            ended = np.array([play.ended for play in plays])
            results = np.minimum(ended // len(NUMBERS), len(RESULTS) - 1)
            own = chances[part]
            dealt.finals[up].trials(results, own)
            bust = own[:, -1]
            busts = int((results == len(RESULTS) - 1).sum())
            dealt.busts.add(Counted(len(plays), busts, float(bust.sum()), float((bust * (1 - bust)).sum())))
            for game in dict.fromkeys(play.game for play in plays):
                mine = [place for place, play in enumerate(plays) if play.game == game]
                dealt.endings_of(game).trials(ended[mine], endings[part][mine].reshape(-1, ENDINGS))
    for dealt in many:
        dealt.plays = []
