"""The shoe's own irregularity records within a round: was each handled as its clause asks?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from shoetool.judge import registry as reg
from shoetool.judge.dealer import drawn_before_the_turn
from shoetool.judge.objection import Objection
from shoetool.judge.verdicts import BREACH, CANNOT_TELL, HANDLED
from shoetool.model.naming import many
from shoetool.model.protocol_table import IRREGULARITYS, Game, HandEnd, IrregularityCode, RecordKind, Role
from shoetool.model.records import Record
from shoetool.rules.games import game_of
from shoetool.table.actions import DEALT_ROLES, PLAYER_ROLES
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND
from shoetool.table.play import dealt_after_blackjack
from shoetool.table.round import Round, Step
from shoetool.table.table import Table

_OPENING: Final = frozenset((int(Role.OPENING), int(Role.DETERMINANT_FIRST)))
_HOLE_WAS_A_PLAYERS: Final = 2
"""Detail of the dealer's missed card: the one taken for the hole card went to the first player."""
_OF_A_CARD: Final = (IrregularityCode.DEALER_DREW_ON_17,)
_OF_A_HAND: Final = (IrregularityCode.MISSED_CARD,)


class Handled:
    """Judges the irregularities of one round; `objections` goes through them in order."""

    def __init__(self, table: Table, round_: Round, held: set[int]) -> None:
        """`held`: records of cards drawn in error that became of use or were discarded in this round."""
        self.table = table
        self.rules = game_of(table.game)
        self.held = held
        self.round = round_
        self.hands = list(round_.hands.values())
        self.judges: dict[int, Callable[[Record], Iterator[Objection]]] = {
            IrregularityCode.CARD_REFUSED: self._refused,
            IrregularityCode.CARD_DISCARDED: self._discarded,
            IrregularityCode.DEALER_DREW_ON_17: self._drew_on_17,
            IrregularityCode.DEALER_MISSED_CARD: self._dealer_missed,
            IrregularityCode.TOO_FEW_CARDS: self._too_few,
            IrregularityCode.HAND_WITHOUT_CARDS: self._no_cards,
            IrregularityCode.HAND_WITH_ONE_CARD: self._one_card,
            IrregularityCode.MISSED_CARD: self._missed,
            IrregularityCode.DEALER_SHORT: self._dealer_short,
            IrregularityCode.HOLE_NOT_REVEALED: self._not_revealed,
        }

    def objections(self) -> Iterator[Objection]:
        """Every irregularity that this class knows: each position once, each missed hand, each card of the dealer's."""
        done: set[tuple[int, int, int]] = set()
        for record in self.round.irregularities:
            code, box, hand = record.values[:3]
            judge = self.judges.get(code)
            where = record.number if code in _OF_A_CARD else self._place(box, hand)
            key = (code, where, hand if code in _OF_A_HAND else 0)
            if judge is not None and key not in done:
                done.add(key)
                yield from judge(record)

    def _of(self, check: str, verdict: str, record: Record, text: str, cards: Sequence[DrawnCard] = ()) -> Objection:
        records = [record.number, *(card.record for card in cards), *(card.placed for card in cards)]
        return Objection(check, text, records, cards, verdict=verdict)

    def _after(self, record: Record) -> list[Step]:
        return [step for step in self.round.steps if step[0].number > record.number]

    def _dealt(self) -> list[tuple[DrawnCard, int]]:
        """Cards of hands in the order they were dealt, each with the record that first dealt it: a later one may say
        only that it lies elsewhere (633a.14(g))."""
        found: dict[int, tuple[DrawnCard, int]] = {}
        for step in self.round.steps:
            if step[1] is not None and step[2] in DEALT_ROLES:
                found.setdefault(step[1].record, (step[1], step[0].number))
        return list(found.values())

    def _place(self, box: int, hand: int) -> int:
        """Whose card was skipped: a betting position; in Switch one of the two hands it is dealt, 633a.12(a)(3), and
        with switch hands its two face-down cards, 633c.4(d)."""
        return box | hand << 4 if self.rules.deal.hands > 1 or hand == SWITCH_HAND else box

    def _hand_cards(self, place: int) -> list[DrawnCard]:
        return [card for hand in self.hands if self._place(hand.box, hand.hand) == place for card in hand.cards]

    # ------------------------------------------------------------------------------------------------ players
    def _refused(self, record: Record) -> Iterator[Objection]:
        box = record.values[1]
        later = [s[1] for s in self._after(record) if s[1] is not None and s[2] in PLAYER_ROLES and s[3] == box]
        if later:
            text = f"position {box} refused a card drawn in error and got another one later."
            yield self._of(reg.REFUSED, BREACH, record, text, later)
        else:
            yield self._of(
                reg.REFUSED, HANDLED, record, f"position {box} refused a card drawn in error and got no more cards."
            )

    def _discarded(self, record: Record) -> Iterator[Objection]:
        gone = [s[1] for s in self.round.steps if s[1] is not None and s[1].role == Role.DISCARDED]
        if any(card.record in self.held for card in gone):
            return  # the check of held cards tells of it
        if gone:
            text = "a card drawn in error could be used by nobody and was discarded."
            yield self._of(reg.DISCARDED, HANDLED, record, text, gone[-1:])
        else:
            yield self._of(
                reg.DISCARDED, CANNOT_TELL, record, "the shoe reported a discarded card; its records show none."
            )

    def _aside(self, record: Record) -> Iterator[Objection]:
        """633a.14(g) on switch hands cards: none leaves no choice; of one the second comes after the others'."""
        box = record.values[1]
        aside = self.round.asides.get(box, [])
        if record.values[0] == IrregularityCode.HAND_WITHOUT_CARDS:
            switched = self.round.chosen.get(box)
            check, text = reg.NO_CARDS, f"position {box} was dealt too few switch hands cards; it keeps its hand."
        else:
            switched = len(aside) < 2 and not self.round.void and self.round.settled
            check, text = reg.ONE_CARD_HAND, f"position {box} was dealt one switch hands card, and its second one late."
        yield self._of(check, BREACH if switched else HANDLED, record, text, aside)

    def _no_cards(self, record: Record) -> Iterator[Objection]:
        box, hand = record.values[1:3]
        if hand == SWITCH_HAND:
            yield from self._aside(record)
            return
        place = self._place(box, hand)
        after = self._after(record)
        later = {s[1].record for s in after if s[1] is not None and self._place(s[3], s[4]) == place}
        cards = [card for card in self._hand_cards(place) if card.record in later]
        if not cards:
            yield self._of(reg.NO_CARDS, HANDLED, record, f"position {box} was dealt no card; its hand is dead.")
        elif not any(
            r.values[:3] == (IrregularityCode.HAND_WITH_ONE_CARD, box, hand) for r in self.round.irregularities
        ):
            text = f"position {box} was dealt no card in time and got cards later; its hand was dead."
            yield self._of(reg.NO_CARDS, BREACH, record, text, cards)

    def _one_card(self, record: Record) -> Iterator[Objection]:
        """633a.14(g) one: after everybody else's second card and before the hole card."""
        box, hand = record.values[1:3]
        if hand == SWITCH_HAND:
            yield from self._aside(record)
            return
        mine = self._place(box, hand)
        dealt = self._dealt()
        shown = [card for card, _ in dealt if self._place(card.box, card.hand) == mine and card.role in PLAYER_ROLES]
        if self.round.chosen.get(box):  # they went to the rack when it switched, 633c.4(f)(2)
            laid = [
                s[1] for s in self.round.steps if s[1] is not None and s[2] in PLAYER_ROLES and (s[3], s[4]) == (box, 0)
            ]
            shown = list({card.record: card for card in laid}.values())
        if len(shown) < 2:
            dead = any(self._place(hand.box, hand.hand) == mine and hand.ended == HandEnd.DEAD for hand in self.hands)
            none = (IrregularityCode.HAND_WITHOUT_CARDS, box, hand)
            dead = dead or any(told.values[:3] == none for told in self.round.irregularities)
            if dead or self.round.void or not self.round.settled:
                yield self._of(
                    reg.ONE_CARD_HAND, HANDLED, record, f"position {box} had one card and its hand is dead.", shown
                )
            else:
                yield self._of(reg.ONE_CARD_HAND, BREACH, record, f"position {box} never got its second card.", shown)
            return
        second = next(number for card, number in dealt if card is shown[1])
        others = [
            number for card, number in dealt if self._place(card.box, card.hand) != mine and card.role in _OPENING
        ]
        hole = self.round.hole
        if any(number > second for number in others):
            text = f"position {box} got its late second card before everybody else had two cards."
            yield self._of(reg.ONE_CARD_HAND, BREACH, record, text, shown[:2])
        elif hole is not None and hole.record < second:
            text = f"position {box} got its late second card after the dealer's hole card."
            yield self._of(reg.ONE_CARD_HAND, BREACH, record, text, shown[:2])
        else:
            text = f"position {box} was dealt one card and got its second after everybody else's second."
            yield self._of(reg.ONE_CARD_HAND, HANDLED, record, text, shown[:2])

    def _missed(self, record: Record) -> Iterator[Objection]:
        """633a.14(i): late card after the other players and before the hole card is turned, or a dead hand."""
        box, hand = record.values[1:3]
        mine = next((one for one in self.hands if (one.box, one.hand) == (box, hand)), None)
        who = mine.name if mine is not None else f"position {box}"
        deal_over = self.round.hole.record if self.round.hole is not None else -1
        dealt = [s for s in self.round.steps if s[1] is not None and s[0].number > deal_over]
        late = [s for s in dealt if s[2] == Role.LATE and s[3:] == (box, hand)]
        if not late:
            if mine is not None and mine.ended == HandEnd.DEAD:
                yield self._of(reg.MISSED, HANDLED, record, f"a card for {who} was missed; its hand is dead.")
            else:
                text = f"a card for {who} was missed; it got no late card and its hand was not declared dead."
                yield self._of(reg.MISSED, BREACH if self.round.settled else CANNOT_TELL, record, text)
            return
        number = late[0][0].number
        shown = [s[1] for s in late if s[1] is not None]
        # What another hand drew on after its own late card came in its turn, 633a.7(k).
        waited = {(s[3], s[4]): s[0].number for s in reversed(dealt) if s[2] == Role.LATE}
        players = [
            s
            for s in dealt
            if s[2] in PLAYER_ROLES and s[3] != box and s[0].number < waited.get((s[3], s[4]), s[0].number + 1)
        ]
        if 0 <= self.round.revealed < number:
            text = f"{who} got its late card after the hole card was turned."
            yield self._of(reg.MISSED, BREACH, record, text, shown)
        elif any(step[0].number > number for step in players):
            text = f"{who} got its late card before the other players were done."
            yield self._of(reg.MISSED, BREACH, record, text, shown)
        else:
            text = f"a card for {who} was missed; it came late, after the others and before the hole card turned."
            yield self._of(reg.MISSED, HANDLED, record, text, shown)

    # ------------------------------------------------------------------------------------------------ dealer
    def _dealer_missed(self, record: Record) -> Iterator[Objection]:
        if len(self.round.dealer) < 2 and self.round.revealed < 0:
            if self.round.settled:
                text = "the dealer skipped his own card and never took it."
                yield self._of(reg.DEALER_MISSED, BREACH, record, text, self.round.dealer)
            else:
                text = "the dealer skipped his own card and the round was not played to its end."
                yield self._of(reg.DEALER_MISSED, CANNOT_TELL, record, text, self.round.dealer)
            return
        dealt = self._dealt()
        second = next((number for card, number in dealt if card in self.round.dealer[:1]), 0)
        later = [card for card, number in dealt if card.role in _OPENING and number > second]
        if later and record.number < second:
            text = "the dealer took his late card before the players had two cards."
            yield self._of(reg.DEALER_MISSED, BREACH, record, text, self.round.dealer[:1])
        else:
            text = "the dealer skipped his own card, finished the players' two cards and took it late."
            if record.values[4] == _HOLE_WAS_A_PLAYERS:
                text = "the card taken for the hole card was the first player's, and the dealer took his own late."
            yield self._of(reg.DEALER_MISSED, HANDLED, record, text, self.round.dealer[:1])

    def _drew_on_17(self, record: Record) -> Iterator[Objection]:
        """633a.14(d); a card that he should not have drawn at all is told under that clause."""
        gone = [s[1] for s in self.round.steps if s[1] is not None and s[1].role == Role.DISCARDED]
        near = [card for card in gone if abs(card.placed - record.number) <= 1] or gone
        early = drawn_before_the_turn(self.round).values() if self.round.settled else ()
        elsewhere = [*early, *dealt_after_blackjack(self.round)]
        count = self.round.dealer_count()
        if near and near[0] not in elsewhere:
            had = f" with {count[0]}" if count is not None else ""
            text = f"the dealer stood{had} and drew a card by accident; it was discarded."
            yield self._of(reg.DEALER_17, HANDLED, record, text, near[:1])

    def _dealer_short(self, record: Record) -> Iterator[Objection]:
        # A card that lay face down may have put the hand over 21, and the dealer did not know it.
        waited = any(
            hand.live(self.rules.blackjack_waits) or not hand.known or any(card.sealed for card in hand.cards)
            for hand in self.hands
        )
        if not waited and self.table.game != Game.SPANISH_21:
            yield from self._unexplained(record)

    def _not_revealed(self, record: Record) -> Iterator[Objection]:
        if self.round.revealed >= 0:
            yield from self._unexplained(record)

    def _unexplained(self, record: Record) -> Iterator[Objection]:
        means: Any = IRREGULARITYS[record.values[0]]
        text = f'the shoe reported "{means["means"]}" and its own records do not show it.'
        yield self._of(reg.UNEXPLAINED, CANNOT_TELL, record, text)

    # ------------------------------------------------------------------------------------------------ too few cards
    def _too_few(self, record: Record) -> Iterator[Objection]:
        """633a.14(f): reshuffled cards come in, one is burned, the round goes on."""
        refills = [step[0] for step in self.round.steps if step[0].kind == RecordKind.REFILLED]
        refill = next((step for step in refills if step.number >= record.number - 8), None)
        if refill is None:
            text = "the shoe ran out during the round and no cards came back in."
            yield self._of(reg.TOO_FEW, CANNOT_TELL, record, text)
            return
        following = next(
            (s for s in self._after(refill) if s[1] is not None and (s[2] in DEALT_ROLES or s[2] == Role.BURN)), None
        )
        left = self.round.refills.get(refill.number, 0)
        if left:
            quarter = -(-self.table.batch_size() // 4)
            text = f"the rack's cards were shuffled and loaded with {many(left, 'card')} left in the shoe."
            verdict = BREACH if left >= quarter else CANNOT_TELL
            yield Objection(reg.TOO_FEW, text, (record.number, refill.number), verdict=verdict)
            yield from self._burned(refill, following)
            return
        text = f"the shoe ran out during the round; {refill.values[1]} cards of the rack were shuffled and loaded"
        if following is not None and following[2] == Role.BURN:
            text += ", one was burned and the round went on."
            yield Objection(reg.TOO_FEW, text, (record.number, refill.number, following[0].number), verdict=HANDLED)
            return
        yield Objection(reg.TOO_FEW, text + ".", (record.number, refill.number), verdict=HANDLED)
        yield from self._burned(refill, following)

    def _burned(self, refill: Record, following: Step | None) -> Iterator[Objection]:
        """633a.14(f) burn: the first card after the refill goes to the rack."""
        if following is not None and following[2] != Role.BURN:
            text = "no card was burned after the rack's cards were shuffled and loaded."
            yield Objection(reg.REFILL_BURN, text, (refill.number, following[0].number))
