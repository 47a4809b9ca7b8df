"""Seeded random rounds that the rules allow, for tests and benchmarks: any game, any submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from shoetool.deal.dealer import play_dealer
from shoetool.deal.decide_early import insurance_limit
from shoetool.deal.decide_press import press_limit_of
from shoetool.deal.engine import DECISIONS, decide, open_round, table_round
from shoetool.deal.hybrid import choose_all
from shoetool.deal.inputs import Decision, Stake
from shoetool.deal.state import HandState, PlayPhase, PlayState
from shoetool.deal.turns import begin_turns
from shoetool.model.cards import is_ten
from shoetool.rules.round import TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import PRESSES
from shoetool.rules.wagers.catalogue import not_placeable
from shoetool.rules.wagers.pressing import press_word


@dataclass(frozen=True, slots=True)
class Playout:
    """A round with its inputs: `play(submission, stakes, cards, decisions, ...)` gives `table_round` again.

    cards: exactly those that the round used, in drawn order.
    """

    submission: RulesSubmission
    stakes: tuple[Stake, ...]
    cards: tuple[int, ...]
    decisions: tuple[Decision, ...]
    table_round: TableRound
    lucky_player: int | None
    magic_card: int | None
    meters: Mapping[str, int]


def shuffled_shoe(submission: RulesSubmission, random: Random) -> list[int]:
    """All the cards of the decks in play, of one side of a double shoe, in random order."""
    decks = submission.decks // 2 if submission.shoe == "double" else submission.decks
    cards = [card for card in range(52) if not (submission.spanish and is_ten(card))] * decks
    random.shuffle(cards)
    return cards


def random_stakes(submission: RulesSubmission, random: Random, positions: Sequence[int] | None = None) -> list[Stake]:
    """Wagers within the table's limits: a main wager and some of the offered optional ones on each position."""
    if positions is None:
        count = random.randint(1, submission.positions)
        positions = sorted(random.sample(range(1, submission.positions + 1), count))
    unit = submission.chip_unit
    stakes = []
    for position in positions:
        side = {}
        for key, offer in submission.wagers.items():
            if random.random() < 0.6:
                side[key] = offer.minimum + unit * random.randint(0, max(0, (offer.maximum - offer.minimum) // unit))
        most = max(0, (submission.maximum - submission.minimum) // unit)
        wager = submission.minimum + unit * random.randint(0, most)
        selected = random.randint(1, 3) if submission.game == "hybrid" else None
        stakes.append(Stake(position, wager, placeable(side, wager), player_position=selected))
    return stakes


def placeable(side: Mapping[str, int], wager: int) -> dict[str, int]:
    """Those optional wagers that may lie beside a main wager of so many cents and beside each other."""
    return {key: amount for key, amount in side.items() if not_placeable(key, amount, wager, side) is None}


def random_round(
    submission: RulesSubmission,
    seed: int,
    *,
    positions: Sequence[int] | None = None,
    stakes: Sequence[Stake] | None = None,
    shoe: Sequence[int] | None = None,
) -> Playout:
    """Return a random legal round. The same seed and submission give the same round.

    positions: those that bet (None: some). stakes: the wagers (None: random within the limits). shoe: the cards the
    round is dealt from (None: a fresh shuffle). Every kind of decision that the game offers occurs.
    """
    random = Random(seed)
    if stakes is None:
        stakes = random_stakes(submission, random, positions)
    cards = shuffled_shoe(submission, random) if shoe is None else shoe
    state = open_round(submission, stakes, cards)
    decisions: list[Decision] = []
    if state.phase == PlayPhase.BEFORE_READER:
        _before_the_reader(state, random, decisions)
    elif state.game.no_hole:
        _insure(state, random, decisions)
    begin_turns(state)
    _press(state, random, decisions)
    if state.game.facts.community and state.phase == PlayPhase.TURNS:
        choose_all(state, lambda hand: _choice(state, hand, random, decisions))
    while state.turn is not None:
        _one_decision(state, random, decisions)
    lucky = random.randint(1, submission.positions)
    magic = random.randrange(52)
    meters = {key: meter.start + random.randrange(0, 100_000) for key, meter in submission.meters.items()}
    play_dealer(state)
    result = table_round(state, ())._replace(lucky_player=lucky, magic_card=magic, meters=meters)
    used = tuple(cards[: state.at])
    return Playout(submission, tuple(stakes), used, tuple(decisions), result, lucky, magic, meters)


def _before_the_reader(state: PlayState, random: Random, decisions: list[Decision]) -> None:
    for box in state.boxes:
        for hand in box.hands:
            if random.random() < 0.5 and DECISIONS["even_money"].can(state, box.position, hand.number):
                _decide(state, decisions, Decision(box.position, hand.number, "even_money"))
        if random.random() < 0.4 and (limit := insurance_limit(state, box)):
            amount = random.choice((limit, random.randint(1, limit)))
            if not box.even_money and DECISIONS["insurance"].can(state, box.position, None, amount):
                _decide(state, decisions, Decision(box.position, None, "insurance", amount))
        if (
            random.random() < 0.03
            and not state.game.facts.community
            and DECISIONS["surrender"].can(state, box.position)
        ):
            _decide(state, decisions, Decision(box.position, None, "surrender"))


def _insure(state: PlayState, random: Random, decisions: list[Decision]) -> None:
    for box in state.boxes:
        limit = insurance_limit(state, box)
        if random.random() < 0.4 and DECISIONS["insurance"].can(state, box.position, None, limit):
            _decide(state, decisions, Decision(box.position, None, "insurance", limit))


def _choice(state: PlayState, hand: HandState, random: Random, decisions: list[Decision]) -> Decision:
    """What a terminal of a hybrid table chooses for one of its hands."""
    position, number = hand.box.position, hand.number
    state.turn = hand
    names = ["hit"] * (8 if hand.hand.count() < 17 else 1) + ["stand"] * 3 + ["no_choice"]
    names += [name for name in ("double", "split", "surrender") if DECISIONS[name].can(state, position, number)] * 3
    decisions.append(Decision(position, number, random.choice(names)))
    return decisions[-1]


def _press(state: PlayState, random: Random, decisions: list[Decision]) -> None:
    for box in state.boxes:
        for key in [key for key in PRESSES if key in box.side]:
            word = press_word(key, box.side)
            if random.random() < 0.7 and DECISIONS[word].can(state, box.position):
                amount = random.choice((None, random.randint(1, press_limit_of(state, box, key))))
                _decide(state, decisions, Decision(box.position, None, word, amount))


def _one_decision(state: PlayState, random: Random, decisions: list[Decision]) -> None:
    hand = state.turn
    assert hand is not None
    position = hand.box.position
    number = hand.number
    amount: int | None = None
    name = "stand"
    total = hand.hand.count()
    chance = random.random()
    if chance < 0.15 and state.game.facts.switch and DECISIONS["switch"].can(state, position):
        name = "switch"
    elif len(hand.cards) == 2 and chance < 0.75 and DECISIONS["split"].can(state, position, number):
        name = "free_split" if DECISIONS["free_split"].can(state, position, number) else "split"
    elif chance < 0.2 and DECISIONS["double"].can(state, position, number):
        name = "double"
        if DECISIONS["free_double"].can(state, position, number):
            name = "free_double"
        elif chance < 0.08 and hand.base == hand.box.wager:
            amount = random.randint(1, hand.base)
    elif chance > 0.95 and DECISIONS["surrender"].can(state, position, number):
        name = "surrender"
    elif total < 12 or chance > (0.35 if total < 17 else 0.85):
        name = "hit"
    _decide(state, decisions, Decision(position, number, name, amount))
    if name == "double" and random.random() < 0.3 and DECISIONS["rescue"].can(state, position, number):
        _decide(state, decisions, Decision(position, number, "rescue"))


def _decide(state: PlayState, decisions: list[Decision], decision: Decision) -> None:
    decide(state, decision)
    decisions.append(decision)
