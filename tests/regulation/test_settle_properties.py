"""What holds of every settled round: money is conserved, each wager has one outcome, the seat makes no difference."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from random_rounds import random_round
from shoetool.rules.games import GAMES
from shoetool.rules.games.settling import Showdown
from shoetool.rules.paytable import paytables
from shoetool.rules.round import Box, Line, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import PRESSES, WAGERS
from shoetool.settle.engine import settle
from wagers_offered import offering

NAMES = tuple(GAMES)
GAME = st.sampled_from(NAMES)
SEED = st.integers(min_value=0, max_value=10**9)
FEW = hypothesis_settings(max_examples=60)


@cache
def table(game: str, **changes: object) -> RulesSubmission:
    """A table with every wager the game can have, odd cents, even money where there is."""
    decks = 2 if game == "from_the_hand" else 6
    keys = [
        key for key, wager in WAGERS.items() if game in wager.games and any(t.covers(decks) for t in paytables(key))
    ]
    own = {"even_money": True} if GAMES[game].offers_even_money else {}
    return offering(RulesSubmission.default(game, decks, minimum=5_01, chip_unit=1, **own, **changes), *keys)


def played(game: str, seed: int) -> TableRound:
    return random_round(table(game), seed).table_round


def apart(box: Box) -> int:
    """Cents of winnings that lie beside each hand of the box."""
    return sum(cents for key, cents in box.pressed.items() if PRESSES[key].apart is not None)


def at_risk(box: Box) -> int:
    return sum(box.side.values()) + box.insurance + sum(hand.stake + hand.double + apart(box) for hand in box.hands)


@given(GAME, SEED)
@FEW
def test_money_is_conserved_between_players_tray_meters_and_house(game: str, seed: int) -> None:
    settlement = settle(played(game, seed), table(game))
    nets, tray, house, meters = [0] * 8, 0, 0, 0
    for line in settlement.lines:
        lost = line.staked - line.returned
        if line.position is None:
            house, meters = house - line.won, meters + line.won
            continue
        nets[line.position] += line.won - lost
        if line.source == "house":
            house += lost - line.won
        elif line.source == "meter":
            tray, meters = tray + lost, meters - line.won
        else:
            tray += lost - line.won
    assert sum(nets) + tray + house + meters == 0
    assert list(settlement.nets) == nets
    assert settlement.tray + settlement.house + sum(settlement.meters.values()) == tray + house + meters


@given(GAME, SEED)
@FEW
def test_every_cent_at_risk_stands_in_one_line(game: str, seed: int) -> None:
    table_round = played(game, seed)
    staked: Counter[int | None] = Counter()
    for line in settle(table_round, table(game)).lines:
        if line.wager not in ("magic_card", "lucky_player"):
            staked[line.position] += line.staked
        assert 0 <= line.returned <= line.staked
        assert line.won >= 0
    assert {box.position: staked[box.position] for box in table_round.boxes} == {
        box.position: at_risk(box) for box in table_round.boxes
    }


@given(GAME, SEED)
@FEW
def test_every_hand_has_exactly_one_outcome_for_each_of_its_wagers(game: str, seed: int) -> None:
    table_round = played(game, seed)
    lines = Counter((line.position, line.hand, line.wager) for line in settle(table_round, table(game)).lines)
    for box in table_round.boxes:
        for hand in box.hands:
            place = (box.position, hand.number)
            assert lines[(*place, "main")] == (hand.stake > 0)
            assert lines[(*place, "double")] == (hand.double > 0)
            assert lines[(*place, "press")] == (apart(box) > 0)
            assert lines[(*place, "lammer")] == (hand.lammer > 0) + (hand.free_double > 0)
        assert lines[(box.position, None, "insurance")] == (box.insurance > 0)


@given(GAME, SEED)
@FEW
def test_every_line_names_clause_reason_and_what_it_paid(game: str, seed: int) -> None:
    chapter = GAMES[game].chapter
    for line in settle(played(game, seed), table(game)).lines:
        assert line.clause.startswith((f"{chapter}.", "633c."))
        assert line.words
        assert (line.won > 0) <= (line.odds is not None or line.outcome == "meter_reset")
        assert line.net == line.returned + line.won - line.staked


@given(GAME, SEED, st.randoms(use_true_random=False))
@FEW
def test_the_seat_makes_no_difference_to_what_a_box_wins(game: str, seed: int, random) -> None:  # type: ignore[no-untyped-def]
    """Wagers that share a meter, a cap or a bonus apart: those are left out here."""
    table_round = played(game, seed)
    shared = {"bad_beat", "hit_and_run", "straight_jack"}
    boxes = [
        box._replace(side={key: amount for key, amount in box.side.items() if key not in shared}, player=f"{number}")
        for number, box in enumerate(table_round.boxes)
    ]
    seats = sorted(random.sample(range(1, GAMES[game].facts.positions + 1), len(boxes)))
    random.shuffle(boxes)
    moved = [box._replace(position=seat) for seat, box in zip(seats, boxes, strict=True)]
    before = settle(table_round._replace(boxes=tuple(sorted(boxes, key=lambda box: box.position))), table(game))
    after = settle(table_round._replace(boxes=tuple(moved)), table(game))
    assert [before.net(box.position) for box in boxes] == [after.net(box.position) for box in moved]
    assert (before.tray, before.house) == (after.tray, after.house)


def in_any_order(lines: tuple[Line, ...]) -> Counter[str]:
    return Counter(map(repr, lines))


@given(GAME, SEED)
@FEW
def test_the_procedure_changes_the_order_and_nothing_else(game: str, seed: int) -> None:
    table_round = played(game, seed)
    first = settle(table_round, table(game))
    second = settle(table_round, table(game, settlement_procedure=2))
    assert in_any_order(first.lines) == in_any_order(second.lines)


@given(st.sampled_from(["blackjack", "from_the_hand"]), SEED)
@FEW
def test_holding_a_blackjack_and_the_way_of_surrender_change_no_amount(game: str, seed: int) -> None:
    table_round = played(game, seed)
    other = table(game, hold_blackjack=True, surrender="way_1")
    assert list(settle(table_round, table(game)).nets) == list(settle(table_round, other).nets)


@given(GAME, SEED)
@FEW
def test_results_that_were_kept_are_those_of_a_table_that_saw_nothing_before(game: str, seed: int) -> None:
    table_round = played(game, seed)
    known = settle(table_round, table(game))
    fresh = settle(table_round, replace(table(game)))
    assert known.lines == fresh.lines
    assert list(known.nets) == list(fresh.nets)


# The main wager once more, deliberately naive, from the texts alone: what a win pays as (numerator, denominator).


def naive(game: str, show: Showdown) -> tuple[int, int] | None:
    """None when the wager is lost, (0, 1) when it is returned, else what it pays."""
    if show.total > 21:
        return None
    even, three_to_two, back = (1, 1), (3, 2), (0, 1)
    dealer_21_long = show.dealer_total == 21 and show.dealer_cards > 2
    if game == "spanish_21" and show.natural and show.dealer_total == 21:
        return three_to_two
    if show.dealer_blackjack:
        if game == "switch" and show.switched_21:
            return None
        if show.natural:
            return back
        if show.total == 21 and show.cards == 2 and game not in ("free_bet", "hybrid_no_hole"):
            return back
        return None
    if game == "switch":
        if show.natural and dealer_21_long:
            return even
        if show.switched_21 and show.dealer_total in (21, 22):
            return back
        if show.dealer_total == 22:
            return back
    if show.natural:  # 633c.5(t)(1)(iii), (aa)(1)(ii) too
        return three_to_two
    if game == "free_bet" and show.dealer_total == 22:
        return back
    if game == "spanish_21" and show.total == 21 and show.cards > 2 and dealer_21_long:
        return even
    if show.dealer_total > 21 or show.total > show.dealer_total:
        return even
    return back if show.total == show.dealer_total else None


def showdowns() -> list[Showdown]:
    """Every kind of hand against every kind of dealer's hand."""
    dealers = [(total, count, False) for total, count in product(range(17, 27), (2, 3, 5)) if total < 21 or count > 2]
    dealers.append((21, 2, True))
    players = [
        (total, count, False, False) for total, count in product(range(4, 28), (2, 3, 6)) if total < 22 or count > 2
    ]
    players += [(21, 2, True, False), (21, 2, False, True)]
    return [Showdown(*player, *dealer) for player, dealer in product(players, dealers)]


@pytest.mark.parametrize("game", NAMES)
def test_the_outcomes_agree_with_a_naive_reading_of_the_texts(game: str) -> None:
    settling = GAMES[game].settling
    decks = 2 if game == "from_the_hand" else 6
    rows = {row.key: row for t in paytables("main") if game in t.games and t.covers(decks) for row in t.rows}
    cases = showdowns()
    assert len(cases) > 1000
    for show in cases:
        if show.switched_21 and game != "switch":
            continue
        outcome = next(outcome for outcome in settling.outcomes if outcome.predicate(show))
        ratio = None
        if outcome.result == "win":
            ratio = rows[outcome.row].odds.ratio.as_integer_ratio()
        elif outcome.result == "push":
            ratio = (0, 1)
        assert ratio == naive(game, show), (show, outcome.key)
