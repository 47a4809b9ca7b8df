"""`shoetool audit --wagers`: ranks and suits of the dealer's hands, for AxMan and Push 22."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import perm, prod
from pathlib import Path

import numpy as np
import pytest
from audit_files import SIX_DECKS, dealers_hands, history
from dealer_script import Table
from sampled import SOAK
from shoetool.audit.chances import drawn_by_the_rule, note_final
from shoetool.audit.dealer_law import COUNTS, NUMBERS, value_of
from shoetool.audit.dealer_poker import poker_hands
from shoetool.audit.dealer_suits import by_suits, suit_chances, suits_of
from shoetool.audit.dealer_wagers import dealer_wager_lines, outcome, places
from shoetool.audit.line import Line
from shoetool.audit.read import read_all, settle
from shoetool.audit.told import Dealt, Wanted
from shoetool.model.cards import is_blackjack, is_red, parse_card, total
from shoetool.model.protocol_table import Game
from shoetool.odds.wager import ON_THE_DEALER, WagerCounts
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS

AXMAN = poker_hands("axman", "blackjack")
ROWS = [one.key for one in WAGERS["axman"].outcomes]
KING_OF_DIAMONDS = parse_card("KD")


def cards(words: str) -> tuple[int, ...]:
    return tuple(parse_card(word) for word in words.split())


def line_of(dealt: Dealt) -> Line:
    settle([dealt], wagers=True)
    (line,) = dealer_wager_lines(dealt)
    return line


def some_hand(rng: random.Random, at_least: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A dealer's hand of so many cards or more, from an uneven remainder of a shoe that favours small cards; and that
    remainder before his hole card."""
    while True:
        shoe = [face for face in range(52) for _ in range(rng.choice((0, 1, 2, 4)) + (face % 13 < 4) * 6)]
        rng.shuffle(shoe)
        dealer = [shoe.pop()]
        left = tuple(Counter(shoe)[face] for face in range(52))
        while total(dealer)[0] < 17:
            dealer.append(shoe.pop())
        if len(dealer) >= at_least and not is_blackjack(dealer):
            return tuple(dealer), left


def face_by_face(
    dealer: tuple[int, ...], left: tuple[int, ...], alike: list[list[int]]
) -> dict[tuple[int, ...], Fraction]:
    """The chance of each hand that has the same up card and, in each place, a card that is alike. alike: by face."""
    found = {}
    for drawn in product(*(alike[card] for card in dealer[1:])):
        ways = prod(left[card] - drawn[:place].count(card) for place, card in enumerate(drawn))
        if ways > 0:
            found[dealer[0], *drawn] = Fraction(ways)
    of_all = sum(found.values())
    return {one: ways / of_all for one, ways in found.items()}


OF_RANK = [[face for face in range(52) if AXMAN.kind(face) == AXMAN.kind(card)] for card in range(52)]
OF_VALUE = [[face for face in range(52) if value_of(face % 13) == value_of(card % 13)] for card in range(52)]


@pytest.mark.parametrize("seed", range(60 if SOAK else 12))
def test_chances_by_suits_agree_with_a_look_at_every_face(seed: int) -> None:
    """AxMan of five cards and more, once the ranks are known: each card in each suit that it can have."""
    dealer, left = some_hand(random.Random(seed), 5 if seed % 3 else 6)
    found = np.zeros(len(ROWS) + 1)
    for one, chance in face_by_face(dealer, left, OF_RANK).items():
        found[AXMAN.outcome(one)] += chance
    assert np.allclose(AXMAN.chances(dealer, left), found, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_sets_of_suits_agree_with_a_look_at_every_face(seed: int) -> None:
    """Once the values are known: all faces of each value."""
    dealer, left = some_hand(random.Random(seed), 2)
    found = np.zeros(16)
    for one, chance in face_by_face(dealer[:4], left, OF_VALUE).items():
        found[suits_of(one)] += chance
    assert np.allclose(suit_chances(dealer[:4], left), found[1:], atol=1e-12)
    assert found[1:].sum() == pytest.approx(1)


@pytest.mark.parametrize("up", ["6S", "KD", "AH", "2C"])
def test_ranks_and_suits_together_have_the_chances_of_every_hand_drawn_card_by_card(up: str) -> None:
    """From few cards, so that every hand with every face can be drawn: what the two steps come to is the chance of each
    outcome."""
    left = np.zeros(52, np.int64)
    left[list(cards("2C 2H 3C 3D 4C 4S 5C 6C 8D TS JD QD KD KS"))] = 1
    up_card = parse_card(up)
    begun: list[tuple[tuple[int, ...], Fraction]] = [((up_card,), Fraction(1))]
    exact = np.zeros(len(ROWS) + 1)
    steps = np.zeros(len(ROWS) + 1)
    to_draw = tuple(left.tolist())
    law = AXMAN.law(AXMAN.kind(up_card)).chances(AXMAN.kinds(left[None]))[0]
    no_blackjack, with_suits = Fraction(0), 0
    while begun:
        dealer, chance = begun.pop()
        if total(dealer)[0] >= 17:
            if not is_blackjack(dealer):
                no_blackjack += chance
                exact[AXMAN.outcome(dealer)] += chance
                chances = AXMAN.chances(dealer, to_draw)
                steps += float(chance) * chances
                steps[AXMAN.plain(AXMAN.hand(dealer))] -= chance
                with_suits += chances[AXMAN.plain(AXMAN.hand(dealer))] < 0.999
            continue
        still = [face for face in np.flatnonzero(left).tolist() if face not in dealer[1:]]
        begun += [((*dealer, face), chance / len(still)) for face in still]
    assert np.allclose(law + steps / float(no_blackjack), exact / float(no_blackjack), atol=1e-12)
    assert (exact > 0).sum() > 3 and (with_suits > 20) == (up == "2C")


@pytest.mark.skipif(not SOAK, reason="it takes 13 s: `make soak` looks at all hands")
def test_from_a_whole_shoe_they_are_those_of_odds() -> None:
    """Of all up cards and all ranks, the Blackjacks of the dealer beside them: what `shoetool odds` tells of AxMan with
    six decks."""
    rules = RulesSubmission("blackjack", 6, wagers={"axman": WagerOffer()})
    (table,) = paytables("axman")
    told = np.zeros(len(ROWS) + 1)
    for one in WagerCounts().odds(rules, table, 1_00, [table]).chances:
        told[len(ROWS) if one.outcome is None else ROWS.index(one.outcome.key)] += one.chance
    found = np.zeros(len(ROWS) + 1)
    for up in range(26):  # clubs stand for hearts and spades too
        weight = (3 if up < 13 else 1) / 52
        left = SIX_DECKS.copy()
        left[up] -= 1
        size, to_draw = int(left.sum()), tuple(left.tolist())
        kinds = AXMAN.kinds(left[None])[0].tolist()
        for hole in range(52):
            if is_blackjack((up, hole)):
                found[AXMAN.outcome((up, hole))] += weight * to_draw[hole] / size
        for drawn, orders in AXMAN.drawn(AXMAN.kind(up)):
            chance = orders * prod(map(perm, kinds, drawn)) / perm(size, sum(drawn))
            faces = [
                KING_OF_DIAMONDS if kind == 13 else kind for kind, number in enumerate(drawn) for _ in range(number)
            ]
            found += weight * chance * AXMAN.chances((up, *faces), to_draw)
    assert np.allclose(found, told, atol=1e-12) and found.sum() == pytest.approx(1)


def test_push_22_asks_for_suits_at_22_alone() -> None:
    """Its rows once more: all cards of one suit, of one color, or neither."""
    for at, of_sets in by_suits("push_22", "free_bet").items():
        assert places("push_22", "free_bet")[at] == 2
        for suits, place in of_sets.items():
            colors = {is_red(13 * suit) for suit in range(4) if suits >> suit & 1}
            assert place == (0 if suits.bit_count() == 1 else 1 if len(colors) == 1 else 2)
    asked = {
        key for key, one in WAGERS.items() for game in one.games if one.cards == ON_THE_DEALER and by_suits(key, game)
    }
    assert asked == {"push_22"}


@pytest.mark.parametrize(
    ("hand", "row"), [("6H TH 6H", 0), ("6H TD 6H", 1), ("6H TC 6H", 2), ("6H 2D TH 4D", 1), ("6H TH 5H", 3)]
)
def test_a_hand_of_22_is_counted_as_what_its_suits_make_of_it(hand: str, row: int) -> None:
    """row: its place in the paytable, 3 for a hand that loses. 22 in any suits is nothing more: the last cell."""
    assert outcome("push_22", "free_bet", cards(hand)) == row
    dealt = dealers_hands("free_bet", cards(hand))
    line_of(dealt)
    if row == 3:
        assert not dealt.of_suits
        return
    cells = dealt.of_suits["push_22"]
    assert cells.seen.tolist() == np.eye(4)[row if row < 2 else 3].tolist()
    assert cells.mean[2] == 0 and cells.mean[0] < cells.mean[1] < cells.mean[3] and cells.mean.sum() == pytest.approx(1)


def test_a_dealer_whose_22s_are_of_one_suit_is_found() -> None:
    """By their suits alone: as many hands count 22 as chance gives."""
    others = [cards("6H TC 2S"), cards("6H TC 3S"), cards("6H TC 4S"), cards("6H TC 5S"), cards("6H TC 7S")] * 20
    for hand, of_one_suit in (cards("6H TH 6H"), True), (cards("6H TC 6S"), False):
        line = line_of(dealers_hands("free_bet", *others, *[hand] * 8))
        members = {one.name: one for one in line.members}
        assert members["Push 22"].observed == 8 and 5 < members["Push 22"].expected < 12
        assert members["Push 22 (suits)"].observed == (8 if of_one_suit else 0)
        assert (members["Push 22 (suits)"].p < 1e-4) == of_one_suit


@pytest.mark.parametrize(
    ("hand", "ranks_make", "suits_make"),
    [
        ("KD 2D 3D 4D 5D", "straight", "straight_flush"),
        ("KD 2C 3C 4C 5C", "straight", None),  # a wild king stays a diamond by the house's first choice
        ("2C 3C 4C 5C 6C", "straight", "straight_flush"),
        ("2C 3C 4C 4C 7C", None, "flush"),
        ("2C 3C 4C 5C 6D", "straight", None),
        ("7C 7D 7S", "three_of_a_kind", None),
        ("2C 2D 2S 2H 9C", "four_of_a_kind", None),
        ("TC 6D KS", None, None),
        ("JC 5D JS", "jacks_or_better_pair", None),
    ],
)
def test_what_a_hand_makes_of_axman_is_counted_by_ranks_and_then_by_suits(
    hand: str, ranks_make: str | None, suits_make: str | None
) -> None:
    """Twenty of a kind are found, by the one or by the other."""
    dealt = dealers_hands("blackjack", *[cards(hand)] * 20)
    members = {one.name: one for one in line_of(dealt).members}
    ranks, suits = dealt.of_ranks["axman"], dealt.of_suits.get("axman")
    nothing = len(ROWS)
    assert ranks.seen[nothing if ranks_make is None else ROWS.index(ranks_make)] == ranks.seen.sum() == 20
    assert ranks.mean.sum() == pytest.approx(20) and (ranks.mean > 0).sum() > 5
    assert (members["AxMan (ranks)"].p < 1e-9) == (ranks_make is not None)
    if suits is None:
        assert len(cards(hand)) < 5 and suits_make is None
        return
    assert suits.seen[nothing if suits_make is None else ROWS.index(suits_make)] == suits.seen.sum() == 20
    assert suits.mean.sum() == pytest.approx(20) and 0 < suits.mean[:-1].sum() < 1
    assert (members["AxMan (suits)"].p < 1e-9) == (suits_make is not None)


def test_a_card_that_came_oftener_than_the_batch_holds_it_has_no_chance_by_its_suit() -> None:
    """As when another one was read as it. By its value the hand is counted all the same."""
    left = SIX_DECKS.copy()
    left[parse_card("8C")] = 1
    dealt = Dealt()
    note_final(dealt, left, "blackjack", list(cards("2D 8C 8C")))
    settle([dealt], wagers=True)
    assert dealt.of_ranks == dealt.of_suits == {} and dealt.busts.trials == 1


@pytest.mark.parametrize(
    ("hand", "by_the_rule"),
    [
        *(("TC 7D", True), ("AC 6D", True), ("2C 3D 4H 7S TC", True), ("AC 2D 3H 5S", True)),
        *(("TC 6D", False), ("TC 7D 2H", False), ("AC 6D 5H KS", False), ("TC 6D 4H AS", False)),
    ],
)
def test_the_dealer_draws_to_16_and_stands_on_each_17(hand: str, by_the_rule: bool) -> None:
    """A soft 17 too: that he counts less than 17 again later does not mend it."""
    assert drawn_by_the_rule(list(cards(hand))) == by_the_rule


def test_a_hand_to_which_the_dealer_drew_against_the_rule_is_left_out_and_counted(tmp_path: Path) -> None:
    """He keeps a card that he drew on 17 or more, and no irregularity was told: such a hand has no chance."""
    kept, rule = (
        history(tmp_path, b"DEVICE-1", shoe, seed=4, plant=plant, table=Table(decks=6, seats=0b111))
        for shoe, plant in ((1, "dealer_keeps_card_on_17"), (2, ""))
    )
    told = read_all([kept, rule], Wanted(wagers=True))
    assert [one.dealt.left_out for one in told] == [1, 0] and told[0].irregularities == 0


@pytest.mark.parametrize(
    ("game", "key"), [(Game.BLACKJACK, "axman"), (Game.FREE_BET, "push_22")], ids=["axman", "push_22"]
)
def test_the_hands_of_a_history_are_those_that_are_counted(tmp_path: Path, game: Game, key: str) -> None:
    path = history(tmp_path, b"DEVICE-1", 1, seed=10, table=Table(game, decks=6, seats=0b111))
    (told,) = read_all([path], Wanted(wagers=True))
    (plain,) = read_all([path])
    hands, dealt = plain.dealt.busts.trials, told.dealt
    assert dealt.busts.trials == hands > 5 and plain.dealt.of_ranks == plain.dealt.of_suits == {}
    by_number = dealt.endings[game.name.lower()].seen.reshape(len(COUNTS), len(NUMBERS))
    (suits,) = dealt.of_suits.values()
    assert list(dealt.of_suits) == [key] and suits.mean.sum() == pytest.approx(suits.seen.sum())
    if key == "push_22":
        assert suits.seen.sum() == by_number[COUNTS.index(22)].sum() > 0 and not dealt.of_ranks
    else:
        assert 0 < suits.seen.sum() <= by_number[:, NUMBERS.index(4) :].sum()
        assert dealt.of_ranks[key].seen.sum() == hands == pytest.approx(dealt.of_ranks[key].mean.sum())
