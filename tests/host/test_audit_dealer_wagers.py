"""`shoetool audit --wagers`: the dealer's hands as the optional wagers on them count them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from audit_files import dealers_hands, history
from dealer_script import Table
from shoetool.audit.dealer_law import COUNTS, NUMBERS, count_place, number_place
from shoetool.audit.dealer_wagers import dealer_wager_lines, hand, outcome, places
from shoetool.audit.line import Line
from shoetool.audit.read import read_all, settle
from shoetool.audit.told import Dealt
from shoetool.model.cards import total
from shoetool.model.protocol_table import Game
from shoetool.odds.draws import dealer_draws, drawn_values
from shoetool.odds.wager import ON_THE_DEALER
from shoetool.rules.wagers import WAGERS

ON_HIM = [(key, game) for key, one in WAGERS.items() if one.cards == ON_THE_DEALER for game in one.games]
BUST_WITH_FIVE = (1, 15, 2, 16, 12)  # 2 3 3 4 K, 22 in five cards


def line_of(dealt: Dealt) -> Line:
    settle([dealt], wagers=True)
    (line,) = dealer_wager_lines(dealt)
    return line


@pytest.mark.parametrize(("key", "game"), ON_HIM)
def test_count_and_number_of_cards_alone_decide_the_outcome_but_for_suits(key: str, game: str) -> None:
    """Of every set of cards with which the dealer can end, whatever his up card is."""
    loses = len(WAGERS[key].outcomes)
    for up in range(10):
        for drawn in dealer_draws(up).ends:
            values = (up, *drawn_values(up, drawn))
            dealer = hand(values)
            told = places(key, game)[count_place(total(dealer)[0]) * len(NUMBERS) + number_place(len(dealer))]
            assert outcome(key, game, dealer) == told
            one_suit = outcome(key, game, tuple(values))
            assert one_suit == told or (key == "push_22" and max(one_suit, told) < loses), "it wins in any suits"


def test_the_rows_are_those_of_the_paytables() -> None:
    """Written out here once more: the place of each row, and 22 in any suits."""
    of = {
        "hit_and_run": lambda count, cards: {8: 0, 7: 1, 6: 2, 5: 3}.get(cards, 5),
        "buster_blackjack": lambda count, cards: {8: 0, 7: 1, 6: 2, 5: 3, 4: 4, 3: 5}[cards] if count > 21 else 6,
        "push_22": lambda count, cards: 2 if count == 22 else 3,
    }
    assert {key for key, _ in ON_HIM} == set(of)
    possible = {
        (min(dealer_draws(up).final_of(drawn), 23), min(1 + sum(drawn), 8))
        for up in range(10)
        for drawn in dealer_draws(up).ends
    }
    assert len(possible) > 40
    for key, game in ON_HIM:
        told = np.array(places(key, game)).reshape(len(COUNTS), len(NUMBERS))
        for count, cards in possible:
            assert told[count_place(count), number_place(cards)] == of[key](count, cards), (key, count, cards)


def test_a_dealer_who_goes_over_21_with_five_cards_again_and_again_is_found() -> None:
    line = line_of(dealers_hands("blackjack", *[BUST_WITH_FIVE] * 20))
    assert line.p is not None and line.p < 1e-9 and line.of == 4
    found = {one.name: one for one in line.members}
    for name in ("Buster Blackjack", "Hit and Run Progressive"):
        assert (found[name].outcome, found[name].observed) == ("five_cards", 20) and 1 < found[name].expected < 3


def test_a_dealer_who_counts_22_again_and_again_is_found_by_push_22() -> None:
    member, suits = line_of(dealers_hands("free_bet", *[(5, 22, 18)] * 20)).members  # 6 10 6
    assert suits.name == "Push 22 (suits)" and suits.p > 0.01
    assert (member.name, member.observed) == ("Push 22", 20) and member.p < 1e-9


def test_the_dealers_blackjack_is_no_hand_of_these() -> None:
    """It is counted by itself, `dealer naturals`."""
    line = line_of(dealers_hands("blackjack", *[(5, 22, 18)] * 30))
    hit_and_run = next(one for one in line.members if one.name == "Hit and Run Progressive")
    assert hit_and_run.observed == 0 and 0 < hit_and_run.expected < 3


def test_no_hand_of_the_dealer_is_told_as_not_tested() -> None:
    line = line_of(Dealt())
    assert line.p is None and line.verdict == "not tested" and line.note.startswith("no hand of the dealer is known")
    of_no_wager = line_of(dealers_hands("hybrid", BUST_WITH_FIVE))
    assert of_no_wager.p is None and of_no_wager.note == line.note


@pytest.mark.parametrize("game", [Game.BLACKJACK, Game.FREE_BET], ids=lambda game: game.name)
def test_his_hands_in_a_history_are_those_that_are_counted(tmp_path: Path, game: Game) -> None:
    path = history(tmp_path, b"DEVICE-1", 1, seed=4, table=Table(game, decks=6, seats=0b111))
    (told,) = read_all([path])
    ((name, cells),) = told.dealt.endings.items()
    assert name == game.name.lower() and cells.seen.sum() == told.dealt.busts.trials > 5
    assert cells.mean.sum() == pytest.approx(cells.seen.sum())
    seen, mean = (one.reshape(len(COUNTS), len(NUMBERS))[COUNTS.index(22) :].sum() for one in (cells.seen, cells.mean))
    assert seen == told.dealt.busts.seen and mean == pytest.approx(told.dealt.busts.mean)
