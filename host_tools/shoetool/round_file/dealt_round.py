"""Convert a round of a history, with the wagers of its table record, into a `TableRound` and the players' choices.

The cards and the course of each hand come from the history, the stakes from the record. Nothing is judged here: a hand
that broke a rule is converted as it lies on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from shoetool.model.cards import VALUES
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Peek, Role, RoundEnd
from shoetool.round_file.dealt_hybrid import choices
from shoetool.round_file.dealt_switch_hands import asides, choice_of, given_up
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import Game
from shoetool.rules.games import game as game_named
from shoetool.rules.round import Box, Hand, TableRound, own_cards
from shoetool.rules.round import HandEnd as EndName
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import PRESSES
from shoetool.rules.wagers.pressing import PRESS_WORDS, largest_double, pressed_wager
from shoetool.rules.wagers.switch_hands import first_two
from shoetool.table.actions import CardPlaced, Doubled, HandEnded, Peeked, Reported, Split, Switched
from shoetool.table.card import DrawnCard
from shoetool.table.hand import ENDS, card_after
from shoetool.table.hand import Hand as DealtHand
from shoetool.table.round import ANSWERS
from shoetool.table.round import Round as DealtRound

_FIRST_TWO: Final = frozenset(int(role) for role in (Role.OPENING, Role.DETERMINANT_FIRST, Role.LATE, Role.SWITCH_HAND))
_DRAWN: Final = attrgetter("record")
_DRAW: Final = int(Role.DRAW)
_LATE: Final = int(Role.LATE)
_DISCARDED: Final = int(Role.DISCARDED)
_MISSED: Final = int(IrregularityCode.MISSED_CARD)
_SAID_IN_TURN: Final = frozenset((_MISSED, int(IrregularityCode.CARD_REFUSED)))
_STAND: Final = int(HandEnd.STAND)
_SURRENDERED: Final = int(HandEnd.SURRENDERED)
_READ_BLACKJACK: Final = int(Peek.BLACKJACK)
_OUTCOMES: Final = frozenset(int(outcome) for outcome in RoundEnd)
_VOIDS: Final[dict[int, str]] = {
    IrregularityCode.SECOND_FACE_UP_CARD: "635a.13(a) more",
    IrregularityCode.SECOND_TEN_FOUND: "635a.13(b) more",
}
_MISUSED: Final = frozenset((int(IrregularityCode.READER_WRONG_UP_CARD), int(IrregularityCode.READER_MISUSED)))


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a round cannot be settled from its history, such as a card whose face is not known."""

    text: str


class Actions:
    """The decisions of each hand of a round, as the history shows them, in the order in which a player makes them.

    `by_box` has the words of each position: first of all keep or switch (633c.4(f)); then hit, stand, double, split,
    surrender, rescue, late_card (in place of a hit whose card was missed, 633a.14(i), taken late or not), refuse_card.
    Lammers and chips press the same keys. A hand without a choice has no word. Decisions after a late card come after
    the position's other words.
    """

    __slots__ = ("by_box", "read", "read_record")

    def __init__(self, round_: DealtRound) -> None:
        self.read: int | None = None
        """The card reader device's answer; None when the history has none."""
        self.read_record = -1
        self.by_box = _actions(round_, self)
        if round_.shared:
            self.by_box = choices(round_, bool(round_.own))


def _actions(round_: DealtRound, out: Actions) -> dict[int, list[str]]:
    of_hand: dict[int, list[str]] = {}
    doubled: set[int] = set()
    over: set[int] = set()
    late: dict[int, int] = {}
    switched: list[int] = []
    for action in round_.actions:
        if isinstance(action, CardPlaced):
            role = action.role
            if role == _DRAW and out.read != _READ_BLACKJACK:  # after it a card is a wager's own, 633c.9(d)(4)
                of_hand.setdefault(action.box << 8 | action.hand, []).append("hit")
            elif role == _LATE and (key := action.box << 8 | action.hand) in over:
                late[key] = len(of_hand[key])
                over.discard(key)
        elif isinstance(action, HandEnded):
            box, hand, why, _ = action
            key = box << 8 | hand
            if why == _STAND:
                if over and (key in over or box in over):
                    continue
                if _tucked(round_.hands.get(key)):
                    continue  # a hand of 21 has no choice, so no word
                of_hand.setdefault(key, []).append("stand")
            elif why == _SURRENDERED:
                of_hand.setdefault(key, []).append("rescue" if key in doubled else "surrender")
        elif isinstance(action, Doubled):
            key = action.box << 8 | action.hand
            doubled.add(key)
            of_hand.setdefault(key, []).append("double")
        elif isinstance(action, Split):
            of_hand.setdefault(action.box << 8 | action.hand, []).append("split")
        elif isinstance(action, Switched):
            switched.append(action.box)
        elif isinstance(action, Peeked):
            if action.result in ANSWERS:
                out.read, out.read_record = action
        elif isinstance(action, Reported) and action.code in _SAID_IN_TURN:
            # The player did not say the "stand" that the shoe adds before or after it.
            key = action.box << 8 | action.hand
            words = of_hand.setdefault(key, [])
            if words and words[-1] == "stand":
                words.pop()
            words.append("late_card" if action.code == _MISSED else "refuse_card")
            over.add(key if action.code == _MISSED else action.box)
    found: dict[int, list[str]] = {}
    for box, hands in round_.boxes.items():
        keys = [box << 8 | hand.hand for hand in hands]
        found[box] = [word for key in keys for word in of_hand.get(key, [])[: late.get(key)]]
        found[box] += [word for key in keys if key in late for word in of_hand[key][late[key] :]]
    for box in switched:
        found[box] = ["switch", *found.get(box, ())]
    for box in round_.chosen:
        choice = choice_of(round_, box)
        if choice is not None:
            found[box] = ["switch" if choice else "keep", *found.get(box, ())]
    return found


def table_round(
    round_: DealtRound, seats: Sequence[BettingPosition], table: RulesSubmission, *, actions: Actions | None = None
) -> TableRound | Missing:
    """Return the round to settle: the history's cards and hands, with the record's wagers at this table.

    Boxes of the history without a wager in the record are left out. So are wagers on boxes without a hand, except in a
    void round, which returns them. The caller must report both. `Missing` when a card that counts, how a hand or the
    round ended, or whose winnings were added is not known.
    """
    if actions is None:
        actions = Actions(round_)
    if round_.closed >= 0 and round_.outcome not in _OUTCOMES:
        return Missing("how the round ended is not known to this version of shoetool")
    boxes: list[Box] = []
    for bet in seats:
        hands = round_.boxes.get(bet.position)
        if hands is None:
            if round_.void:
                boxes.append(_made(bet, (), (), {}, round_))
            continue
        if any(hand.ended >= 0 and hand.ended not in ENDS for hand in hands):
            return Missing(f"how a hand of position {bet.position} ended is not known to this version of shoetool")
        try:
            box = _box(table, bet, hands, actions, round_)
        except RuleError as error:
            return Missing(str(error))
        if box is None:
            shown = [*given_up(round_, bet.position), *(card for hand in hands for card in hand.cards)]
            return _face_missing(f"position {bet.position}", shown)
        if bet.position in round_.own:
            own = round_.dealer_of(bet.position)
            if not round_.void and not all(card.known for card in own):
                return _face_missing(f"the dealer of position {bet.position}", own)
            box = box._replace(dealer=tuple([card.card for card in own if card.known]))
        boxes.append(box)
    dealer = tuple([card.card for card in round_.dealer])
    void = _void(round_) if round_.void else None
    revealed = round_.revealed >= 0
    if void is None and not all(0 <= face < 52 for face in dealer):
        return _face_missing("the dealer", round_.dealer)
    return TableRound(
        table.game,
        table.decks,
        tuple(boxes),
        dealer if void is None else tuple([face for face in dealer if 0 <= face < 52]),
        revealed,
        None if actions.read is None else ANSWERS[actions.read],
        _discarded(round_) if round_.irregularities else (),
        void=void,
        community=tuple([card.card for card in round_.shared if card.role != Role.OPENING and card.known]),
    )


def _face_missing(who: str, cards: Iterable[DrawnCard]) -> Missing:
    """The first card of unknown face, and how the round is settled by somebody who knows it."""
    record = next(card.record for card in cards if not 0 <= card.card < 52)
    text = f"a card of {who} (record {record}) is not known; 'shoetool settle' takes a round file that names its cards"
    return Missing(text)


def _box(
    table: RulesSubmission, bet: BettingPosition, hands: list[DealtHand], actions: Actions, round_: DealtRound
) -> Box | None:
    """Return one betting position; None when one of its cards is not known. RuleError for a press of either of two.

    590.11(b) tells which hands of a split play with a lammer.
    """
    rules = game_named(table.game)
    initial = _initial(hands, rules.deal.hands)
    if gone := given_up(round_, bet.position):
        initial = (tuple([card.card for card in gone]),)
        if any(not 0 <= face < 52 for face in initial[0]):
            return None
    doubles = [amount for word, amount in bet.decisions if word in ("double", "free_double")]
    pressed = _pressed(table, bet, initial, round_)
    base = bet.wager + sum(cents for key, cents in pressed.items() if PRESSES[key].apart is None)
    made: list[Hand] = []
    first = _even_money(bet, hands)
    told = bet.even_money
    for number, dealt in enumerate(hands, 1):
        end = _end(dealt, dealt is first if isinstance(told, bool) else dealt.hand < len(told) and told[dealt.hand])
        cards = own_cards(tuple(dealt.ids), end)
        if not (dealt.known or all(0 <= face < 52 for face in cards)):
            return None
        # Tens are split with real wagers. For any other pair only the first hand has one.
        free_split = rules.free_split and number > 1 and bool(cards) and VALUES[cards[0]] != 10
        double = free = 0
        if dealt.doubled:
            double, free = _doubled(rules, cards, base, largest_double(base, pressed, table), doubles)
        stake = 0 if free_split else base
        made.append(Hand(number, cards, stake, base - stake, double, free, dealt.split, end, dealt.switched))
    third = card_after(hands, sum(map(len, initial)))
    if third is not None and not 0 <= third.card < 52:
        return None
    return _made(bet, initial, tuple(made), pressed, round_, None if third is None else third.card)


def _pressed(
    table: RulesSubmission, bet: BettingPosition, initial: tuple[tuple[int, ...], ...], round_: DealtRound
) -> dict[str, int]:
    """Return the cents of winnings that were added to the main wager, by the wager that won them.

    Without an amount it is all that may be added. RuleError when the word may be that of two wagers.
    """
    found: dict[str, int] = {}
    for word, amount in bet.decisions:
        if word not in PRESS_WORDS:
            continue
        key = pressed_wager(word, bet.side, table.wagers, bet.position)
        if amount is None:
            amount = _whole_press(table, key, bet, _made(bet, initial, (), {}, round_), round_)
        if amount:
            found[key] = amount
    return found


def _whole_press(table: RulesSubmission, key: str, bet: BettingPosition, box: Box, round_: DealtRound) -> int:
    """Return all the cents of a wager's winnings that may be added; 0 where its cards are not known."""
    dealer = tuple([card.card for card in round_.dealer[:2]])
    first = first_two(table, box)
    known = len(dealer) == 2 and all(0 <= face < 52 for face in (*dealer, *(first[0] if first else ())))
    if key not in bet.side or key not in table.wagers or not known or len(first) != 1 or len(first[0]) != 2:
        return 0
    return table.press_limit(key, bet.side[key], first[0], dealer)


def _made(
    bet: BettingPosition,
    initial: tuple[tuple[int, ...], ...],
    hands: tuple[Hand, ...],
    pressed: Mapping[str, int],
    round_: DealtRound,
    third: int | None = None,
) -> Box:
    """Return the position with its hands and its player's wagers."""
    even = bool(bet.even_money)
    wagers = bet.insurance, even, bet.side, pressed, bet.player or ""
    switched = choice_of(round_, bet.position)
    aside = tuple([card.card for card in asides(round_, bet.position)]) if switched else ()
    return Box(bet.position, bet.wager, initial, hands, *wagers, bet.ante, switched, aside, third)


def _initial(hands: list[DealtHand], dealt: int) -> tuple[tuple[int, ...], ...]:
    """Return the two cards of each of the `dealt` hands from the opening deal, before a switch or split.

    Every pass of the deal gives one card to each hand, so the cards of a hand are `dealt` places apart.
    """
    first: list[DrawnCard] = [card for hand in hands for card in hand.cards if card.role in _FIRST_TWO]
    first.sort(key=_DRAWN)
    cards = [card.card for card in first[: 2 * dealt]]
    return tuple([tuple(cards[hand::dealt]) for hand in range(dealt)])


def _tucked(hand: DealtHand | None) -> bool:
    """Whether a hand of 21 was laid down unseen, as in a deal from the hand. The shoe records that as a stand."""
    return hand is not None and bool(hand.cards) and hand.cards[0].sealed and _is_21(hand)


def _is_21(hand: DealtHand) -> bool:
    count = hand.total()
    return count is not None and count[0] == 21


def _natural(dealt: DealtHand) -> bool:
    """Whether the hand was laid down as a Blackjack, for which even money may be taken."""
    return len(dealt.cards) == 2 and (dealt.ended == HandEnd.BLACKJACK or _tucked(dealt))


def _even_money(bet: BettingPosition, hands: list[DealtHand]) -> DealtHand | None:
    """Return the first Blackjack of the position. A plain `true` of the record belongs to it."""
    return next((dealt for dealt in hands if _natural(dealt)), None) if bet.even_money is True else None


def _end(dealt: DealtHand, even_money: bool) -> EndName:
    """Return how play on the hand ended, in the words of the settling engine."""
    if even_money and _natural(dealt):
        return "even_money"
    if dealt.ended == _STAND and _tucked(dealt):
        return "blackjack" if len(dealt.cards) == 2 and not dealt.split else "twenty_one"
    return dealt.end_name or "stand"


def _doubled(rules: Game, cards: tuple[int, ...], base: int, most: int, doubles: list[int | None]) -> tuple[int, int]:
    """Return the cents put down for a double, `most` where no amount is given, and the cents that a free double's
    lammer stands for (590.10(a)(1))."""
    amount = doubles.pop(0) if doubles else None
    if amount is None and len(cards) > 1:
        two = VALUES[cards[0]] + VALUES[cards[1]]
        # An ace with a 2 .. 9 counts 11 here. That is a soft total, which does not double free.
        if two in rules.free_double_totals and (cards[0] % 13 and cards[1] % 13):
            return 0, base
    return most if amount is None else amount, 0


def _void(round_: DealtRound) -> str:
    """Return the clause that voids the round, as far as the records show it.

    A void round in which no reader was used at the wrong time is the floorperson's decision. Nobody knows what had been
    settled by then, so all its wagers go back.
    """
    codes = [report.code for report in round_.irregularities]
    for code in codes:
        if code in _VOIDS:
            return _VOIDS[code]
    misused = not _MISUSED.isdisjoint(codes)
    return "633a.14(j)(1)" if misused else "633a.14(j)"


def _discarded(round_: DealtRound) -> tuple[int, ...]:
    """Return the cards that the dealer drew on a standing total and discarded, 633a.14(d).

    Without a hole card his draws follow the end of the last hand.
    """
    turned = round_.revealed
    if round_.own:
        turned = max(hand.end_record for hand in round_.hands.values())
    if turned < 0:
        return ()
    found = [placed.card for placed in round_.placed if placed.card.role == _DISCARDED]
    return tuple(dict.fromkeys(card.card for card in found if card.record > turned and 0 <= card.card < 52))
