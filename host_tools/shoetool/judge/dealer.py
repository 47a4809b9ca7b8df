"""The dealer's part of a round: hole card turned, draws to 17, nothing drawn on 17 that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import Objection
from shoetool.model.cards import card_name, total
from shoetool.model.protocol_table import IrregularityCode, Peek, Role
from shoetool.rules.games import Game
from shoetool.rules.hands import STANDS_ON
from shoetool.table.actions import CardPlaced
from shoetool.table.card import DrawnCard
from shoetool.table.hand import Hand
from shoetool.table.play import dealt_after_blackjack
from shoetool.table.round import Round

_DEALER_DRAW: Final = int(Role.DEALER_DRAW)
_DISCARDED: Final = int(Role.DISCARDED)


def owed_by_dealer(rules: Game, round_: Round) -> Iterator[Objection]:
    """633a.7(l), (m), .14(d) on a round that was closed and counts."""
    if rules.no_hole:
        return  # each terminal has a dealer's hand of its own
    if round_.revealed >= 0:
        yield from _turned_early(round_)
    yield from _before_turn(round_)
    yield from _drew_on_17(round_)
    if round_.revealed < 0:
        yield from _not_turned(rules, round_)
    count = round_.dealer_count() if round_.dealer else None
    if count is None:
        return
    if round_.dealer_total and round_.dealer_total != count[0]:
        text = f"the round was closed with {round_.dealer_total} for the dealer; his cards count {count[0]}."
        yield Objection(reg.DEALER_COUNT, text, (round_.closed,), round_.dealer)
    if count[0] >= STANDS_ON:
        return
    live = _live(rules, round_)
    if live and (_for_all(rules, round_) or any(hand.needs_total(rules) for hand in live)):
        told = _reported(round_, IrregularityCode.DEALER_SHORT)
        names = ", ".join(card_name(card.card) for card in round_.dealer)
        text = (
            f"the dealer stopped on {'soft ' if count[1] else ''}{count[0]} ({names}) although {_hands(live)} "
            "had to be decided. He must draw to 17."
        )
        records = [*told, *(card.record for card in round_.dealer), round_.closed]
        yield Objection(reg.DEALER_SHORT, text, records, round_.dealer)


def _for_all(rules: Game, round_: Round) -> bool:
    """633c.5(s): whether he draws for nobody too."""
    return rules.facts.community and round_.peek != Peek.BLACKJACK


def _live(rules: Game, round_: Round) -> list[Hand]:
    """The hands that are decided against the dealer's."""
    for_all = _for_all(rules, round_)
    return [hand for hand in round_.hands.values() if for_all or hand.live(rules)]


def _not_turned(rules: Game, round_: Round) -> Iterator[Objection]:
    """633a.7(l): a hole card that was not turned."""
    live = _live(rules, round_)
    told = _reported(round_, IrregularityCode.HOLE_NOT_REVEALED)
    if told or (live and round_.hole is not None):
        who = _hands(live) if live else "a Blackjack or a surrendered hand"
        text = f"the hole card was not turned although {who} had to be decided."
        yield Objection(reg.REVEAL, text, (*told, round_.closed))


def _reported(round_: Round, code: IrregularityCode) -> list[int]:
    """Records in which the shoe reports it."""
    return [told.record for told in round_.irregularities if told.code == code]


def _hands(live: list[Hand]) -> str:
    first = live[0].name
    return f"the hand of {first}" if len(live) == 1 else f"{len(live)} hands ({first} and others)"


def drawn_before_the_turn(round_: Round) -> dict[int, DrawnCard]:
    """633a.7(l): cards that the dealer drew before he turned his hole card, whatever became of them, by the record that
    laid each. What was drawn after the reader had said Blackjack is a matter of 633a.7(h)."""
    return _before(round_, _draws(round_))


def _before(round_: Round, draws: list[CardPlaced]) -> dict[int, DrawnCard]:
    early = [placed for placed in draws if not 0 <= round_.revealed < placed.record]
    after = dealt_after_blackjack(round_) if early else []
    return {placed.record: placed.card for placed in early if placed.card not in after}


def _draws(round_: Round) -> list[CardPlaced]:
    """The cards that the dealer drew for himself, each time that one got a place."""
    return [
        placed
        for placed in round_.placed
        if placed.role == _DEALER_DRAW or (placed.role == _DISCARDED and _by_the_dealer(round_, placed))
    ]


def _by_the_dealer(round_: Round, placed: CardPlaced) -> bool:
    """Whether a card was for the dealer: a 10 of Spanish 21 goes out at once, and nobody else was to draw."""
    dealt = placed.taken_out and round_.hole is not None
    return dealt and all(0 <= hand.end_record < placed.record for hand in round_.hands.values())


def _before_turn(round_: Round) -> Iterator[Objection]:
    """633a.7(l): the dealer draws after all players have ended and after the hole card was turned."""
    draws = _draws(round_)
    early = _before(round_, draws)
    for drawn, laid in ((placed.card, placed.record) for placed in draws):
        late = [hand for hand in round_.hands.values() if hand.ended < 0 or hand.end_record > laid]
        if late and not any(hand.waits for hand in late):
            text = f"the dealer drew before {late[0].name} had ended its hand."
            yield Objection(reg.REVEAL, text, (drawn.record, laid), (drawn,))
        elif laid in early:
            text = "the dealer drew before the hole card was turned"
            if drawn.role == Role.DISCARDED:
                text += "; the card was discarded"
            yield Objection(reg.REVEAL, f"{text}.", (drawn.record, laid, drawn.placed), (drawn,))


def _turned_early(round_: Round) -> Iterator[Objection]:
    """633a.7(l): the hole card is turned after all players; a late card is judged by its own clause."""
    for hand in round_.hands.values():
        last = hand.end_record
        for card in hand.cards:
            if card.placed > last:
                last = card.placed
        if last <= round_.revealed or hand.waits:
            continue
        if not any(card.role == Role.LATE and card.placed > round_.revealed for card in hand.cards):
            text = f"the hole card was turned before {hand.name} had ended its hand."
            cards = [card.placed for card in hand.cards]
            yield Objection(reg.REVEAL, text, (round_.revealed, hand.end_record, max(cards, default=-1)))
            return


def _drew_on_17(round_: Round) -> Iterator[Objection]:
    """633a.14(d): a card drawn on 17 or more that stayed in the dealer's hand."""
    before: list[DrawnCard] = []
    for card in sorted(round_.dealer, key=lambda card: card.placed):
        if not card.known:
            return
        if card.role == _DEALER_DRAW and (count := total([one.card for one in before])[0]) >= STANDS_ON:
            text = f"the dealer had {count}, drew the {card_name(card.card)} and kept it."
            yield Objection(reg.DEALER_17, text, (card.record, card.placed), [*before, card])
        before.append(card)
