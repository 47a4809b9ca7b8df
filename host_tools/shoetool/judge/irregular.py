"""The shoe's own irregularity records within a round: was each handled as its clause asks?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from shoetool.judge import registry as reg
from shoetool.judge.dealer import drawn_before_the_turn
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Objection
from shoetool.judge.pairs import Pairs
from shoetool.model.cards import total
from shoetool.model.naming import many
from shoetool.model.protocol_table import IRREGULARITYS, HandEnd, IrregularityCode, Role
from shoetool.rules.games import game_of
from shoetool.rules.hands import STANDS_ON
from shoetool.table.actions import DEALT_ROLES, PLAYER_ROLES, Action, CardPlaced, Refilled, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.community import dealer_owes
from shoetool.table.hand import SWITCH_HAND
from shoetool.table.play import dealt_after_blackjack
from shoetool.table.round import Round
from shoetool.table.table import Table

_OPENING: Final = frozenset((int(Role.OPENING), int(Role.DETERMINANT_FIRST)))
_HOLE_WAS_A_PLAYERS: Final = 2
"""Detail of the dealer's missed card: the one taken for the hole card went to the first player."""


class Handled:
    """Judges the irregularities of one round; `objections` goes through them in order."""

    def __init__(self, table: Table, round_: Round, pairs: Pairs, held: set[int]) -> None:
        """`pairs`: the reports of the round with their cards. `held`: records of cards drawn in error that became of
        use or were discarded in this round."""
        self.table = table
        self.pairs = pairs
        self.rules = game_of(table.game)
        self.held = held
        self.round = round_
        self.hands = list(round_.hands.values())
        self.judges: dict[int, Callable[[Reported], Iterator[Objection]]] = {
            IrregularityCode.CARD_REFUSED: self._refused,
            IrregularityCode.CARD_DISCARDED: self._discarded,
            IrregularityCode.DEALER_DREW_ON_17: self._drew_on_17,
            IrregularityCode.DEALER_MISSED_CARD: self._dealer_missed,
            IrregularityCode.HAND_WITHOUT_CARDS: self._no_cards,
            IrregularityCode.HAND_WITH_ONE_CARD: self._one_card,
            IrregularityCode.MISSED_CARD: self._missed,
            IrregularityCode.DEALER_SHORT: self._dealer_short,
            IrregularityCode.HOLE_NOT_REVEALED: self._not_revealed,
        }

    def objections(self) -> Iterator[Objection]:
        """Every irregularity that this class knows, each report by itself."""
        for report in self.round.irregularities:
            judge = self.judges.get(report.code)
            if judge is not None:
                yield from judge(report)
        yield from self._too_few()

    def _of(self, check: str, verdict: str, report: Reported, text: str, cards: Sequence[DrawnCard] = ()) -> Objection:
        records = [report.record, *(card.record for card in cards), *(card.placed for card in cards)]
        return Objection(check, text, records, cards, verdict=verdict)

    def _after(self, action: Action) -> list[CardPlaced]:
        return [placed for placed in self.round.placed if placed.record > action.record]

    def _dealt(self) -> list[tuple[DrawnCard, int]]:
        """Cards of hands in the order they were dealt, each with the record that first dealt it: a later one may say
        only that it lies elsewhere (633a.14(g))."""
        found: dict[int, tuple[DrawnCard, int]] = {}
        for placed in self.round.placed:
            if placed.role in DEALT_ROLES:
                found.setdefault(placed.card.record, (placed.card, placed.record))
        return list(found.values())

    def _place(self, box: int, hand: int) -> int:
        """Whose card was skipped: a betting position; in Switch one of the two hands it is dealt, 633a.12(a)(3), and
        with switch hands its two face-down cards, 633c.4(d)."""
        return box | hand << 4 if self.rules.deal.hands > 1 or hand == SWITCH_HAND else box

    def _hand_cards(self, place: int) -> list[DrawnCard]:
        return [card for hand in self.hands if self._place(hand.box, hand.hand) == place for card in hand.cards]

    # ------------------------------------------------------------------------------------------------ players
    def _refused(self, report: Reported) -> Iterator[Objection]:
        box = report.box
        later = [s.card for s in self._after(report) if s.role in PLAYER_ROLES and s.box == box]
        got = "another one later" if later else "no more cards"
        text = f"position {box} refused a card drawn in error and got {got}."
        yield self._of(reg.REFUSED, BREACH if later else HANDLED, report, text, later)

    def _discarded(self, report: Reported) -> Iterator[Objection]:
        card = self.pairs.card(report)
        if card is None:
            text = "the shoe reported a discarded card; the records beside the report show none."
            yield self._of(reg.DISCARDED, CANNOT_TELL, report, text)
        elif card.record not in self.held:  # of those the check of held cards tells
            text = "nobody could use a card drawn in error; it was discarded."
            yield self._of(reg.DISCARDED, HANDLED, report, text, (card,))

    def _aside(self, report: Reported) -> Iterator[Objection]:
        """633a.14(g) on switch hands cards: none leaves no choice; of one the second comes after the others'."""
        box = report.box
        aside = self.round.switch_cards.get(box, [])
        if report.code == IrregularityCode.HAND_WITHOUT_CARDS:
            check, switched = reg.NO_CARDS, self.round.chosen.get(box)
            text = f"position {box} was dealt too few switch hands cards; it keeps its hand."
        else:
            check, switched = reg.ONE_CARD_HAND, len(aside) < 2 and not self.round.void and self.round.settled
            text = f"position {box} was dealt one switch hands card, and its second card came late."
        yield self._of(check, BREACH if switched else HANDLED, report, text, aside)

    def _no_cards(self, report: Reported) -> Iterator[Objection]:
        box, hand = report[1:3]
        if hand == SWITCH_HAND:
            yield from self._aside(report)
            return
        place = self._place(box, hand)
        later = {s.card.record for s in self._after(report) if self._place(s.box, s.hand) == place}
        cards = [card for card in self._hand_cards(place) if card.record in later]
        if not cards:
            yield self._of(reg.NO_CARDS, HANDLED, report, f"position {box} was dealt no card; its hand is dead.")
        elif not any(
            told[:3] == (IrregularityCode.HAND_WITH_ONE_CARD, box, hand) for told in self.round.irregularities
        ):
            text = f"position {box} was dealt no card in time and got cards later; its hand was dead."
            yield self._of(reg.NO_CARDS, BREACH, report, text, cards)

    def _one_card(self, report: Reported) -> Iterator[Objection]:
        """633a.14(g) one: after everybody else's second card and before the hole card."""
        box, hand = report[1:3]
        if hand == SWITCH_HAND:
            yield from self._aside(report)
            return
        mine = self._place(box, hand)
        dealt = self._dealt()
        shown = [card for card, _ in dealt if self._place(card.box, card.hand) == mine and card.role in PLAYER_ROLES]
        if self.round.chosen.get(box):  # they went to the rack when it switched, 633c.4(f)(2)
            laid = [s.card for s in self.round.placed if s.role in PLAYER_ROLES and (s.box, s.hand) == (box, 0)]
            shown = list({card.record: card for card in laid}.values())
        if len(shown) < 2:
            dead = any(self._place(hand.box, hand.hand) == mine and hand.ended == HandEnd.DEAD for hand in self.hands)
            none = (IrregularityCode.HAND_WITHOUT_CARDS, box, hand)
            dead = dead or any(told[:3] == none for told in self.round.irregularities)
            if dead or self.round.void or not self.round.settled:
                verdict, text = HANDLED, f"position {box} had one card and its hand is dead."
            else:
                verdict, text = BREACH, f"position {box} never got its second card."
            yield self._of(reg.ONE_CARD_HAND, verdict, report, text, shown)
            return
        second = next(number for card, number in dealt if card is shown[1])
        others = [
            number for card, number in dealt if self._place(card.box, card.hand) != mine and card.role in _OPENING
        ]
        hole = self.round.hole
        verdict = BREACH
        if any(number > second for number in others):
            text = f"position {box} got its late second card before everybody else had two cards."
        elif hole is not None and hole.record < second:
            text = f"position {box} got its late second card after the dealer's hole card."
        else:
            verdict = HANDLED
            text = f"position {box} was dealt one card and got its second after all other second cards."
        yield self._of(reg.ONE_CARD_HAND, verdict, report, text, shown[:2])

    @staticmethod
    def _misses_again(later: Reported, report: Reported) -> bool:
        """Whether a card for the same hand was missed once more."""
        return later.record > report.record and later[:3] == report[:3]

    def _missed(self, report: Reported) -> Iterator[Objection]:
        """633a.14(i): late card after the other players and before the hole card is turned, or a dead hand."""
        box, hand = report[1:3]
        mine = next((one for one in self.hands if (one.box, one.hand) == (box, hand)), None)
        who = mine.name if mine is not None else f"position {box}"
        dealt = self._after(report)
        late = [s for s in dealt if s.role == Role.LATE and (s.box, s.hand) == (box, hand)]
        if again := next((told for told in self.round.irregularities if self._misses_again(told, report)), None):
            late = [s for s in late if s.record < again.record]
        if not late:
            if mine is not None and mine.ended == HandEnd.DEAD:
                yield self._of(reg.MISSED, HANDLED, report, f"a card for {who} was missed; its hand is dead.")
            else:
                text = f"a card for {who} was missed; it got no late card and its hand was not declared dead."
                yield self._of(reg.MISSED, BREACH if self.round.settled else CANNOT_TELL, report, text)
            return
        number = late[0].record
        shown = [s.card for s in late]
        # What another hand drew on after its own late card came in its turn, 633a.7(k).
        waited = {(s.box, s.hand): s.record for s in reversed(dealt) if s.role == Role.LATE}
        players = [
            s
            for s in dealt
            if s.role in PLAYER_ROLES and s.box != box and s.record < waited.get((s.box, s.hand), s.record + 1)
        ]
        verdict = BREACH
        if 0 <= self.round.revealed < number:
            text = f"{who} got its late card after the hole card was turned."
        elif any(s.record > number for s in players):
            text = f"{who} got its late card before the other players were done."
        else:
            verdict = HANDLED
            text = (
                f"a card for {who} was missed; it came late, after the other players' cards and before the hole card "
                "was turned."
            )
        yield self._of(reg.MISSED, verdict, report, text, shown)

    # ------------------------------------------------------------------------------------------------ dealer
    def _dealer_missed(self, report: Reported) -> Iterator[Objection]:
        if len(self.round.dealer) < 2 and self.round.revealed < 0:
            if self.round.settled:
                verdict, text = BREACH, "the dealer skipped his own card and never took it."
            else:
                verdict = CANNOT_TELL
                text = "the dealer skipped his own card and the round was not played to its end."
            yield self._of(reg.DEALER_MISSED, verdict, report, text, self.round.dealer)
            return
        dealt = self._dealt()
        second = next((number for card, number in dealt if card in self.round.dealer[:1]), 0)
        later = [card for card, number in dealt if card.role in _OPENING and number > second]
        if later and report.record < second:
            text = "the dealer took his late card before the players had two cards."
            yield self._of(reg.DEALER_MISSED, BREACH, report, text, self.round.dealer[:1])
        else:
            text = "the dealer skipped his own card, finished the players' two cards and took it late."
            if report.detail == _HOLE_WAS_A_PLAYERS:
                text = "the card taken for the hole card was the first player's, and the dealer took his own late."
            yield self._of(reg.DEALER_MISSED, HANDLED, report, text, self.round.dealer[:1])

    def _drew_on_17(self, report: Reported) -> Iterator[Objection]:
        """633a.14(d); a card that he should not have drawn at all is reported under that clause."""
        card = self.pairs.card(report)
        if card is None:
            yield from self._unexplained(report)
            return
        early = drawn_before_the_turn(self.round).values() if self.round.settled else ()
        if card in early or card in dealt_after_blackjack(self.round):
            return
        if not self._stood(card):
            waits = self.rules.facts.community or any(hand.needs_total(self.rules) for hand in self.hands)
            if not waits:
                yield from self._unexplained(report)
                return
            text = "the dealer drew a card that he needed, and it was discarded as if drawn by accident."
            yield self._of(reg.DEALER_17, BREACH, report, text, (card,))
        elif self.rules.no_hole:
            text = "the dealer needed no further card at any terminal and drew one by accident; it was discarded."
            yield self._of(reg.DEALER_17, HANDLED, report, text, (card,))
        else:
            count = self.round.dealer_count()
            had = f" with {count[0]}" if count is not None else ""
            text = f"the dealer stood{had} and drew a card by accident; it was discarded."
            yield self._of(reg.DEALER_17, HANDLED, report, text, (card,))

    def _stood(self, discarded: DrawnCard) -> bool:
        """Whether the dealer had 17 when the card came, as far as his cards are known. Without a hole card, whether no
        hand and no terminal's dealer went on after it: then all stood as they stand now."""
        at = discarded.record
        if not self.rules.no_hole:
            before = [card for card in self.round.dealer if card.placed < at]
            told = len(before) > 1 and all(card.known for card in before)
            return not told or total([card.card for card in before])[0] >= STANDS_ON
        later = any(placed.role in DEALT_ROLES and placed.record > at for placed in self.round.placed)
        chose = any(hand.end_record > at for hand in self.hands)
        return not (later or chose or any(dealer_owes(self.round, box) for box in self.round.own))

    def _dealer_short(self, report: Reported) -> Iterator[Objection]:
        if self.rules.no_hole:
            if not dealer_owes(self.round, report.box):
                yield from self._unexplained(report)
            return
        # A card that lay face down may have put the hand over 21, and the dealer did not know it.
        waited = any(
            hand.live(self.rules) or not hand.known or any(card.sealed for card in hand.cards) for hand in self.hands
        )
        # At a hybrid table he draws for nobody too, 633c.5(s).
        if not waited and not self.rules.facts.long_21_wins and not self.rules.facts.community:
            yield from self._unexplained(report)

    def _not_revealed(self, report: Reported) -> Iterator[Objection]:
        if self.round.revealed >= 0:
            yield from self._unexplained(report)

    def _unexplained(self, report: Reported) -> Iterator[Objection]:
        means: Any = IRREGULARITYS[report.code]
        text = f'the shoe reported "{means["means"]}" but its records do not show it.'
        yield self._of(reg.UNEXPLAINED, CANNOT_TELL, report, text)

    # ------------------------------------------------------------------------------------------------ too few cards
    def _too_few(self) -> Iterator[Objection]:
        """633a.14(f): reshuffled cards come in, one is burned, the round goes on. Each refill follows its report."""
        told: tuple[int, ...] = ()
        for action in self.round.actions:
            if isinstance(action, Refilled):
                yield from self._refilled(told, action)
            elif told:
                text = "the shoe ran out during the round and no cards came back in."
                yield Objection(reg.TOO_FEW, text, told, verdict=CANNOT_TELL)
            too_few = isinstance(action, Reported) and action.code == IrregularityCode.TOO_FEW_CARDS
            told = (action.record,) if too_few else ()

    def _refilled(self, told: tuple[int, ...], refill: Refilled) -> Iterator[Objection]:
        """`told`: the record of its report, if there is one."""
        following = next((s for s in self._after(refill) if s.role in DEALT_ROLES or s.role == Role.BURN), None)
        left = self.round.refills.get(refill.record, 0)
        if left:
            quarter = -(-self.table.batch_size() // 4)
            text = f"the rack's cards were shuffled and loaded with {many(left, 'card')} left in the shoe."
            verdict = BREACH if left >= quarter else CANNOT_TELL
            yield Objection(reg.TOO_FEW, text, (*told, refill.record), verdict=verdict)
            yield from self._burned(refill, following)
            return
        were = "was" if refill.cards == 1 else "were"
        text = f"the shoe ran out during the round; {many(refill.cards, 'card')} of the rack {were} shuffled and loaded"
        if following is not None and following.role == Role.BURN:
            text += ", one was burned and the round went on."
            yield Objection(reg.TOO_FEW, text, (*told, refill.record, following.record), verdict=HANDLED)
            return
        yield Objection(reg.TOO_FEW, text + ".", (*told, refill.record), verdict=HANDLED)
        yield from self._burned(refill, following)

    def _burned(self, refill: Refilled, following: CardPlaced | None) -> Iterator[Objection]:
        """633a.14(f) burn: the first card after the refill goes to the rack."""
        if following is not None and following.role != Role.BURN:
            text = "no card was burned after the rack's cards were shuffled and loaded."
            yield Objection(reg.REFILL_BURN, text, (refill.record, following.record))
