"""What holds for every optional wager in any round: one outcome or none, the best row, money conserved."""

from __future__ import annotations

import dataclasses
import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shoetool.model.cards import is_blackjack, total
from shoetool.rules.paytable import Paytable, paytable, paytables
from shoetool.rules.round import Box, Hand, Stage, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, Outcome, View, Wager
from wager_table import rules_for, settled_optional

DEAL_WAGERS = [wager for wager in WAGERS.values() if wager.stage is Stage.AFTER_DEAL and wager.subject != "four_cards"]
"""Those that a hand's two cards and the up card mostly decide."""


def offered(game: str, decks: int) -> list[str]:
    return [key for key in WAGERS if any(game in table.games and table.covers(decks) for table in paytables(key))]


TABLES = {
    "blackjack": rules_for(*offered("blackjack", 6), aggregate_cap=25_000_00),
    "from_the_hand": rules_for(*offered("from_the_hand", 1), game="from_the_hand", decks=1),
    "switch": rules_for("super_match", game="switch"),
    "free_bet": rules_for("push_22", game="free_bet"),
    "spanish_21": rules_for("spanish_match_the_dealer", game="spanish_21"),
}


def pays(table: Paytable, outcome: Outcome) -> tuple[Fraction, Fraction]:
    """How good an outcome is: its share of a meter, then its odds; nothing where the table has no row for it."""
    rows = [table.row(key) for key in outcome.rows if table.has(key)]
    return sum((row.odds.meter_share for row in rows), Fraction(0)), sum((row.odds.ratio for row in rows), Fraction(0))


@pytest.mark.parametrize("wager", DEAL_WAGERS, ids=lambda wager: wager.key)
def test_the_one_outcome_is_the_best_paid_of_those_that_hold(wager: Wager) -> None:
    """Readings 1 to 4 and 14; over every pair of cards, a few up cards, with and without a dealer Blackjack."""
    rules = TABLES[wager.games[0]]
    tables = paytables(wager.key)
    for (first, second), up in itertools.product(itertools.product(range(52), repeat=2), (0, 12, 22, 41)):
        hands = (Hand(1, (first, second), 25_00),)
        hole = next((card for card in (0, 9) if is_blackjack((up, card))), 1) if first % 2 == 0 else 1
        view = View(rules, (first, second), (up, hole), hands)
        holding = [outcome for outcome in wager.outcomes if outcome.predicate(view)]
        chosen = wager.outcome(view)
        if chosen is None:
            assert not holding
        else:
            for table in tables:
                assert pays(table, chosen) == max(pays(table, one) for one in holding)


def random_round(rng: random.Random, game: str, rules: RulesSubmission) -> TableRound:
    """A round of random cards in which every box placed random wagers; hands are played to 16 or split."""
    deck = [card for card in range(52) if game != "spanish_21" or card % 13 != 9]

    def drawn(hand: list[int], until: int) -> tuple[int, ...]:
        while total(hand)[0] < until:
            hand.append(rng.choice(deck))
        return tuple(hand)

    dealer = drawn([rng.choice(deck), rng.choice(deck)], 17)
    until = 0 if is_blackjack(dealer) else rng.choice((12, 16, 18, 20))
    boxes = []
    for place in sorted(rng.sample(range(1, 8), rng.randrange(1, 8))):
        initial = tuple((rng.choice(deck), rng.choice(deck)) for _ in range(2 if game == "switch" else 1))
        hands = [Hand(number, drawn(list(held), until), 25_00) for number, held in enumerate(initial, 1)]
        first, second = initial[0]
        if game != "switch" and min(first % 13, 9) == min(second % 13, 9) and rng.random() < 0.5 and until:
            hands = [
                Hand(number, drawn([card, rng.choice(deck)], until), 25_00, from_split=True)
                for number, card in enumerate((first, second), 1)
            ]
        if rng.random() < 0.1:
            hands[0] = hands[0]._replace(end="surrendered", cards=hands[0].cards[:2])
        keys = rng.sample(sorted(rules.wagers), rng.randrange(len(rules.wagers) + 1))
        side = {key: rng.choice((25, 1_00, 5_00, 7_77, 100_00)) for key in keys}
        boxes.append(Box(place, 25_00, initial, tuple(hands), side=side))
    return TableRound(
        game,
        rules.decks,
        tuple(boxes),
        dealer,
        lucky_player=rng.choice((None, *range(1, 8))),
        magic_card=rng.choice((None, *range(52))),
        meters={key: rng.randrange(1_000_00, 20_000_00) for key in rules.meters},
    )


@given(st.integers(0, 2**32), st.sampled_from(sorted(TABLES)))
def test_any_round_settles_each_wager_once_and_loses_no_cent(seed: int, game: str) -> None:
    rules = TABLES[game]
    table_round = random_round(random.Random(seed), game, rules)
    settled = settled_optional(table_round, rules)
    lines = settled.lines
    for box in table_round.boxes:
        own = [line for line in lines if line.position == box.position]
        assert {line.wager: line.staked for line in own if line.staked} == dict(box.side)
        assert sum(line.net for line in own) == settled.nets[box.position]
        for key, staked in box.side.items():
            of_wager = [line for line in own if line.wager == key]
            assert sum(line.staked for line in of_wager) == staked
            assert len({line.outcome for line in of_wager}) == 1
    assert sum(settled.nets) + settled.tray + settled.house + sum(settled.meters.values()) == 0
    order = [tuple(Stage).index(line.stage) for line in lines if line.position is not None]
    assert order == sorted(order)


@given(st.integers(0, 2**32), st.sampled_from(sorted(TABLES)))
def test_every_outcome_stage_and_clause_is_what_the_predicates_say(seed: int, game: str) -> None:
    rules = TABLES[game]
    table_round = random_round(random.Random(seed), game, rules)
    lines = settled_optional(table_round, rules).lines
    for box in table_round.boxes:
        view = View.of(rules, table_round, box)
        for key in box.side:
            wager = WAGERS[key]
            outcome = wager.outcome(view)
            found = next(line for line in lines if line.position == box.position and line.wager == key)
            table = paytable(key, rules.wagers[key].paytable, rules.decks, game)
            paid = outcome is not None and all(table.has(row) for row in outcome.rows)
            assert found.outcome == (outcome.key if outcome is not None and paid else "lost")
            wait = wager.waits(view, outcome) if wager.waits else None
            if wait is not None and game != "from_the_hand":
                assert (found.stage.value, found.clause) == (
                    wait.stage,
                    (outcome.clause if outcome else "") or wait.clause,
                )


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_a_box_wins_the_same_at_any_position_and_beside_any_other(seed: int) -> None:
    """But for the Lucky Player, the aggregate limit and the sharing of a meter, which go by the other boxes."""
    rng = random.Random(seed)
    rules = dataclasses.replace(TABLES["blackjack"], aggregate_cap=None)
    table_round = random_round(rng, "blackjack", rules)._replace(lucky_player=None)
    if settled_optional(table_round, rules).meters:
        return
    settled = settled_optional(table_round, rules)
    places = [box.position for box in table_round.boxes]
    shuffled = rng.sample(places, len(places))
    moved = sorted(
        (
            box._replace(position=place, side=dict(rng.sample(sorted(box.side.items()), len(box.side))))
            for box, place in zip(table_round.boxes, shuffled, strict=True)
        ),
        key=lambda box: box.position,
    )
    again = settled_optional(table_round._replace(boxes=tuple(moved)), rules)
    assert [settled.nets[place] for place in places] == [again.nets[place] for place in shuffled]
    for box, place in zip(table_round.boxes, places, strict=True):
        alone = settled_optional(table_round._replace(boxes=(box,)), rules)
        assert alone.nets[place] == settled.nets[place]


def test_the_first_two_cards_may_come_in_either_order() -> None:
    """No clause orders the initial two cards."""
    for wager in DEAL_WAGERS:
        rules = TABLES[wager.games[0]]
        for first, second in itertools.combinations(range(52), 2):
            both = []
            for held in ((first, second), (second, first)):
                view = View(rules, held, (11, 1), (Hand(1, held, 25_00),))
                outcome = wager.outcome(view)
                both.append(outcome and outcome.key)
            assert both[0] == both[1], (wager.key, first, second)
