"""The players' money at a simulated table: a table record written beside a history, round by round, from a seed.

The cards and decisions are the history's; wagers, insurance, the dealer's actions and what he paid are made for them,
as the rules submission and the regulation's engine have them. Wagers that would have kept the dealer drawing are placed
only in rounds in which he drew. Procedure errors and wrong payments are planted on request: `wagers_plants`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from shoetool.deal.stakes import nearest_stake
from shoetool.history.store import ShoelogReader
from shoetool.model.cards import VALUES, card_name, total
from shoetool.model.protocol_table import Peek, RecordKind
from shoetool.model.records import Record
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.fields import CHOICE_OF_HANDS, MISSED
from shoetool.round_file.file import FORMAT
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import GAMES, Game
from shoetool.rules.hands import STANDS_ON
from shoetool.rules.printed_meter import wager_of_meter
from shoetool.rules.round import Settlement
from shoetool.rules.submission.rules import RulesSubmission, draw_for
from shoetool.rules.wagers import PRESSES, WAGERS, View
from shoetool.rules.wagers.catalogue import not_placeable
from shoetool.rules.wagers.pressing import press_word
from shoetool.settle.engine import settle
from shoetool.table.hand import Hand
from shoetool.table.round import Round
from shoetool.table.stream import Stream

from shoesim.mystery_system import MysterySystem
from shoesim.wagers_draft import Draft, Hidden, money
from shoesim.wagers_events import round_events, shoe_events
from shoesim.wagers_plants import Planted, WagerBook, WagerPlant


class TableRecorder:
    """Makes the lines of a session's table record, one history after the other."""

    def __init__(
        self,
        rules: RulesSubmission,
        seed: int,
        plants: Iterable[WagerPlant] = (),
        *,
        table: str | dict[str, Any] | None = None,
        events: bool = True,
        whole: bool = False,
    ) -> None:
        """`table` names the rules in the first line; `events` keeps the dealer's actions, and `whole` pays each
        position's wagers in one sum instead of one by one."""
        self.rules = rules
        self.rng = Random(f"wagers {seed}")
        self.book = WagerBook(plants)
        self._mysteries = MysterySystem(rules, seed, self.book)
        self._late: list[dict[str, Any]] = []
        """What was won in the round before and is paid now."""
        self.table = table
        self.events = events
        self.whole = whole
        self._shoes = 0
        self._meters = {key: Fraction(meter.start) for key, meter in rules.meters.items()}
        self._last: tuple[int, ...] = ()
        self._cover_due: int | None = None
        self._wrote_format = False

    @property
    def planted(self) -> list[Planted]:
        """The plants that found an opportunity, with their rounds."""
        return self.book.planted

    def lines(self, history: ShoelogReader | Iterable[Record], shoe: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the line of each round of a history, as it closes; with `shoe`, each says which shoe it is of."""
        replay = Stream()
        reader = history if isinstance(history, ShoelogReader) else None
        records = [] if isinstance(history, ShoelogReader) else list(history)
        covers = _cover_cards(records if reader is None else reader.records())
        first = False
        opened = 0
        if self.table is not None and not self._wrote_format:
            self._wrote_format = True
            yield {"format": FORMAT, "table": self.table}
        for record in records if reader is None else reader.records():
            state = replay.feed(record)
            if record.kind == RecordKind.SHOE_OPENED:
                self._shoes += 1
                opened += 1
                first = True
            closed = state.closed_round
            if closed is None or closed.closed < 0:
                continue
            number = shoe if reader is None or shoe is not None else reader.chain.shoe
            draft = Draft(
                *(closed, self.rules, number, Actions(closed), self.rng, first, self._shoes, self._last),
                self._cover_due,
                batch_size=state.batch_size(),
                batches=state.batches,
                cover_behind=covers.get(opened),
            )
            first = False
            yield from self._line(draft)
            if closed.covers:
                self._cover_due = closed.covers[0].box
            self._last = tuple(seat.position for seat in draft.seats)

    def _line(self, draft: Draft) -> Iterator[dict[str, Any]]:
        """The line of one round, and what a plant makes of it: none, or one more."""
        self._place(draft)
        self.book.before(draft)
        self._mysteries.play(draft)
        self._settle(draft)
        draft.line = self._written(draft)
        if self.events:
            begin = shoe_events(draft) if draft.first_of_shoe else []
            draft.line["events"] = begin + round_events(draft)
        yield from self.book.after(draft)
        self._late = draft.hidden.late or (self._late if draft.settlement is None else [])

    # ------------------------------------------------------------------------------------------------ wagers
    def _place(self, draft: Draft) -> None:
        rules, rng = self.rules, self.rng
        draws = _dealer_finished(draft.round) or draft.actions.read == 1
        waiting = draw_for(rules)
        draft.meters = {key: int(value) for key, value in self._meters.items()}
        owner: str | None = None
        run = 0
        for position in draft.round.seat_list():
            side = {}
            for key, offer in rules.wagers.items():
                if rng.random() < 0.4 and (draws or not (key in waiting or WAGERS[key].needs_dealer_draw)):
                    side[key] = _amount(rng, offer.minimum, offer.maximum, rules.chip_unit)
            wager = _amount(rng, rules.minimum, rules.maximum, rules.chip_unit)
            wager, ante = nearest_stake(rules, wager, draft.round.antes >> (position - 1) & 1)
            side = {key: cents for key, cents in side.items() if not_placeable(key, cents, wager, side) is None}
            self._follow_extra_card(draft, position, side)
            # Now and then one player bets on two boxes beside each other.
            same = owner is not None and run < min(2, rules.adjacent_boxes) and rng.random() < 0.15
            run = run + 1 if same else 1
            owner = owner if same else f"player {position}"
            draft.seats.append(self._seat(draft, position, (wager, ante), side, owner))
        options = {option for offer in rules.wagers.values() for option in offer.options}
        draft.lucky_player = rng.randint(1, rules.positions) if "lucky_player" in options else None
        draft.magic_card = rng.randrange(52) if "magic_card" in options else None

    def _follow_extra_card(self, draft: Draft, position: int, side: dict[str, int]) -> None:
        """A wager that is due a card after the dealer's Blackjack lies just where the dealer dealt one."""
        round_ = draft.round
        for key, offer in self.rules.wagers.items():
            extra = WAGERS[key].extra
            if extra is None or draft.actions.read != Peek.BLACKJACK:
                continue
            hand = round_.boxes[position][0]
            if extra.due(View(self.rules, tuple(hand.ids[:2]), tuple(card.card for card in round_.dealer[:2]))):
                if len(hand.cards) > 2:
                    side.setdefault(key, offer.minimum)
                else:
                    side.pop(key, None)

    def _seat(
        self, draft: Draft, position: int, placed: tuple[int, int], side: dict[str, int], owner: str | None
    ) -> BettingPosition:
        wager, ante = placed
        rng, rules, round_ = self.rng, self.rules, draft.round
        hands = round_.boxes.get(position, [])
        insurance = 0
        even_money = False
        insured = round_.insured
        if insured >= 0 and insured >> (position - 1) & 1:
            insurance = rng.choice((wager // 2, -(-wager // (2 * rules.chip_unit)) * rules.chip_unit, wager // 4))
        elif rules.even_money and insured >= 0 and len(hands) == 1 and len(hands[0].cards) == 2:
            count = hands[0].total()
            even_money = count is not None and count[0] == 21 and rng.random() < 0.5
        said = draft.actions.by_box.get(position, [])
        game = GAMES[rules.game]
        words = tuple((word, None) for word in (free_words(game, said, hands) if game.free_split else said))
        at = round_.selection(position) or None
        return BettingPosition(
            position, wager, owner, side, max(insurance, 0), even_money, words, ante, player_position=at
        )

    def _settle(self, draft: Draft) -> None:
        self._convert(draft)
        if draft.settlement is not None and self._press(draft):
            self._convert(draft)
        if draft.settlement is None:
            return
        for key, change in draft.settlement.meters.items():
            if key in self._meters:
                self._meters[key] += change
        for key, meter in self.rules.meters.items():
            wager = wager_of_meter(key)
            self._meters[key] += sum(seat.side.get(wager, 0) for seat in draft.seats) * meter.rate

    def _convert(self, draft: Draft) -> None:
        found = table_round(draft.round, draft.seats, self.rules, actions=draft.actions)
        if not isinstance(found, Missing):
            hidden = draft.hidden
            found = found._replace(
                lucky_player=draft.lucky_player,
                magic_card=draft.magic_card,
                meters={**draft.meters, **hidden.shown},
                opened=tuple((key, opening.value) for key, opening in hidden.opened),
                accepted=tuple(hidden.accepted),
            )
        draft.table_round = None if isinstance(found, Missing) else found
        draft.settlement = None if draft.table_round is None else self.book.settled(draft, settle)

    def _press(self, draft: Draft) -> bool:
        """Let some players add winnings that may be to the main wager; True when one did."""
        assert draft.settlement is not None
        pressed = False
        for line in draft.settlement.lines:
            if line.wager not in PRESSES:
                continue
            at, seat = next((at, seat) for at, seat in enumerate(draft.seats) if seat.position == line.position)
            cents = WAGERS[line.wager].pressable(line.won, self.rules)
            hands = draft.round.boxes.get(seat.position, [])
            if cents <= 0 or draft.actions.read == 1 or seat.even_money or not hands or self.rng.random() < 0.5:
                continue
            if any(hand.ended == 6 for hand in hands):  # a dead hand has nothing to add to
                continue
            pressed = True
            said = seat.decisions
            chose = int(seat.ante > 0 and bool(said) and said[0][0] in CHOICE_OF_HANDS)
            words = (*said[:chose], (press_word(line.wager, seat.side), cents), *said[chose:])
            draft.seats[at] = seat._replace(even_money=False, decisions=words)
        return pressed

    # ------------------------------------------------------------------------------------------------ JSON
    def _written(self, draft: Draft) -> dict[str, Any]:
        where = {"round": draft.round.number}
        if draft.shoe is not None:
            where = {"shoe": draft.shoe, **where}
        line: dict[str, Any] = {"history": where}
        if not self._wrote_format:
            self._wrote_format = True
            line = {"format": FORMAT, **line}
        line["positions"] = [written_seat(seat) for seat in draft.seats]
        if draft.lucky_player is not None:
            line["lucky_player"] = draft.lucky_player
        if draft.magic_card is not None:
            line["magic_card"] = card_name(draft.magic_card)
        meters = {**draft.meters, **draft.hidden.shown}
        if meters:
            line["meters"] = {key: money(amount) for key, amount in meters.items()}
        line |= written_hidden(draft.hidden)
        if draft.settlement is not None:
            line["paid"] = written_payments(draft.settlement, self.whole) + self._late
        return line


def _cover_cards(records: Iterable[Record]) -> dict[int, int]:
    """How many cards lay behind the first cover card of each shoe, by how many shoes were opened before and with it."""
    found: dict[int, int] = {}
    replay = Stream()
    shoes = 0
    for record in records:
        state = replay.feed(record)
        shoes += record.kind == RecordKind.SHOE_OPENED
        if record.kind == RecordKind.COVER_CARD and record.values[0] < len(state.sides):
            side = state.sides[record.values[0]]
            if side.cover_record == record.number and side.cover_behind >= 0:
                found.setdefault(shoes, side.cover_behind)
    return found


def _dealer_finished(round_: Round) -> bool:
    """Whether the dealer stands, so that a wager on his cards kept him drawing long enough."""
    cards = [card.card for card in round_.dealer]
    return round_.revealed >= 0 and all(0 <= card < 52 for card in cards) and total(cards)[0] >= STANDS_ON


def _amount(rng: Random, low: int, high: int, unit: int) -> int:
    """A wager within the limits, mostly a low one: as a rule in chips of the least wager's size, else in any."""
    chip = unit if rng.random() < 0.1 else max(unit, low // unit * unit)
    return low + chip * min((high - low) // chip, int(rng.expovariate(1 / 3)))


def free_words(game: Game, words: list[str], hands: list[Hand]) -> list[str]:
    """The words of a position in Free Bet, where a key does not tell a lammer: 590.10(a)(1), 590.11(b)(2)."""
    doubled = iter([hand for hand in hands if hand.doubled])
    found = []
    for word in words:
        if word == "split" and hands[0].cards and VALUES[hands[0].cards[0].card] != 10:
            found.append("free_split")
        elif word == "double":
            count, soft = total([card.card for card in next(doubled).cards[:2]])
            found.append("free_double" if count in game.free_double_totals and not soft else "double")
        else:
            found.append(word)
    return found


def written_hidden(hidden: Hidden) -> dict[str, Any]:
    """Commitments and openings of mystery bonuses as a record writes them; nothing where there are none."""
    committed = [{"mystery": key, "commitment": one.commitment().hex()} for key, one in hidden.committed]
    opened = [{"mystery": key, "value": money(one.value), "nonce": one.nonce.hex()} for key, one in hidden.opened]
    return {**({"committed": committed} if committed else {}), **({"opened": opened} if opened else {})}


def written_seat(seat: BettingPosition) -> dict[str, Any]:
    """A position as a record writes it."""
    found: dict[str, Any] = {"position": seat.position, "wager": money(seat.wager)}
    if seat.ante:
        found["ante"] = money(seat.ante)
    if seat.player_position is not None:
        found["player_position"] = seat.player_position
    if seat.player is not None:
        found["player"] = seat.player
    if seat.side:
        found["side"] = {key: money(amount) for key, amount in seat.side.items()}
    if seat.insurance:
        found["insurance"] = money(seat.insurance)
    if seat.even_money:
        found["even_money"] = True
    words: list[Any] = []
    for word, cents in seat.decisions:
        if word in MISSED:
            words.append("hit")  # the one whose card was missed
        words.append(word if cents is None else {word: money(cents)})
    found["decisions"] = words
    return found


def written_payments(settlement: Settlement, whole: bool) -> list[dict[str, Any]]:
    """What was paid and collected: by position, or by position, wager and hand."""
    sums: dict[tuple[int, str | None, int | None], int] = {}
    for line in settlement.lines:
        if line.position is not None:
            key = (line.position, None, None) if whole else (line.position, line.wager, line.hand)
            sums[key] = sums.get(key, 0) + line.net
    return [
        {
            "position": position,
            **({} if wager is None else {"wager": wager}),
            **({} if hand is None else {"hand": hand}),
            "amount": money(amount),
        }
        for (position, wager, hand), amount in sums.items()
    ]
