"""The simulated dealer alone: what he presses and pulls, on a shoe that only listens."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from in_process_shoe import ListeningShoe, all_of
from shoesim.dealer_truth import Truth
from shoesim.piles import full_batch, least_behind, shuffle_and_cut
from shoesim.plants import PLANTS, Plant, PlantBook, parse_plant
from shoesim.scenario import PRESETS, Scenario, run_scenario
from shoesim.strategy import Choice, allowed, decide
from shoetool.judge.hands import why_not
from shoetool.model.cards import COVER_CARD, is_ten, parse_card, total
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, HandEnd, Key, Role, ShoeKind
from shoetool.rules.games import GAMES
from shoetool.rules.games import Game as GameRules
from shoetool.table.actions import Action, Doubled, HandEnded, Split
from shoetool.table.card import DrawnCard
from shoetool.table.hand import Hand
from shoetool.table.round import Round
from shoetool.table.table import PREMIUM, SWITCH_HANDS

# An extra card is noticed only by a shoe that counts cards: the campaign has it.
SINGLE_SHOE_PLANTS = [
    name
    for name, kind in PLANTS.items()
    if ShoeKind.SINGLE in kind.shoes and name != "extra_card" and not kind.reader and not kind.switch_hands
]


EVERY = set(Choice)
NO_SPLIT = EVERY - {Choice.SPLIT}


def cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def deal(scenario: Scenario) -> tuple[ListeningShoe, Truth]:
    print("seed", scenario.seed)
    plants = tuple(plant for plant in scenario.plants if not plant.kind.reader)  # it gives no answers
    scenario = replace(scenario, reader=False, plants=plants)
    shoe = ListeningShoe(scenario.rules)
    return shoe, run_scenario(scenario, shoe)


@pytest.mark.parametrize(("cards", "behind"), [(52, 13), (312, 78), (416, 104), (288, 72), (384, 96), (53, 14)])
def test_a_quarter_of_the_cards_lies_behind_the_cover_card_633a_5_d_place(cards: int, behind: int) -> None:
    assert least_behind(cards) == behind


def test_a_shuffled_batch_holds_every_card_and_one_cover_card() -> None:
    stack = shuffle_and_cut(full_batch(GAMES["blackjack"], 6, 9), 9, 80, Random(1))
    counts = Counter(item.card for item in stack)
    assert counts.pop(COVER_CARD) == 1
    assert set(counts.values()) == {6} and len(counts) == 52
    assert [item.card for item in stack].index(COVER_CARD) == 312 - 80
    assert {item.batch for item in stack} == {9}


def test_a_spanish_batch_holds_no_ten_635a_3_a() -> None:
    batch = full_batch(GAMES["spanish_21"], 6, 1)
    assert len(batch) == 288 and not [item for item in batch if is_ten(item.card)]


@pytest.mark.parametrize(
    ("game", "hand", "of_a_split", "splits_left", "clauses"),
    [
        ("blackjack", "9H 2C", False, 3, {"double": "633a.10(a)", "surrender": "633a.9(a) option"}),
        ("blackjack", "9H 2C", True, 3, {"double": "633a.10(a)"}),
        ("blackjack", "2H 3C 4D", False, 3, {}),
        (
            "blackjack",
            *("KH 10C", False, 1),
            {"double": "633a.10(a)", "split": "633a.11(a)", "surrender": "633a.9(a) option"},
        ),
        ("blackjack", "KH 10C", True, 0, {"double": "633a.10(a)"}),
        ("spanish_21", "2H 3C 4D", False, 3, {"double": "635a.10(a) cards"}),
        ("spanish_21", "8H 8C", True, 1, {"double": "635a.10(a) cards", "split": "635a.11(a)"}),
        ("free_bet", "9H 2C", False, 3, {"double": "590.10(a)", "surrender": "590.9(a)"}),
        ("switch", "9H 2C", False, 3, {"double": "633a.10(a)"}),  # 633a.12(a)(4) names no surrender
    ],
)
def test_what_a_player_may_do_beside_drawing_and_standing_stands_in_the_game(
    game: str, hand: str, of_a_split: bool, splits_left: int, clauses: dict[str, str]
) -> None:
    may = allowed(GAMES[game], cards(hand), from_split=of_a_split, splits_left=splits_left)
    assert {Choice.STAND, Choice.DRAW} <= set(may)
    assert {choice.value: may[choice] for choice in may if choice not in (Choice.STAND, Choice.DRAW)} == clauses


def objected(game: GameRules, hand: Hand, decision: Action) -> bool:
    """Whether the judge objects to a decision on the only hand of a round."""
    round_ = Round(1, 1, 1)
    round_.hands[hand.box << 8] = hand
    round_.boxes[hand.box] = [hand]
    return bool(list(why_not(game, round_, decision)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("of_a_split", [False, True])
def test_the_players_may_do_what_the_judge_does_not_object_to(game: str, of_a_split: bool) -> None:
    rules = GAMES[game]
    for ids in (*product(range(13), repeat=2), *product(range(0, 13, 2), repeat=3)):
        if total(ids)[0] >= 21:
            continue
        hand = Hand(1, 0, of_a_split)
        hand.cards = [DrawnCard(2 + n, Role.OPENING, 1, 0, 0, card, 1, False) for n, card in enumerate(ids)]
        may = allowed(rules, list(ids), from_split=of_a_split, splits_left=1)
        judged = {
            Choice.DOUBLE: objected(rules, hand, Doubled(1, 0, 9)),
            Choice.SPLIT: objected(rules, hand, Split(1, 0, 1, 9)),
            Choice.SURRENDER: objected(rules, hand, HandEnded(1, 0, HandEnd.SURRENDERED, 9)),
        }
        assert {choice: choice not in may for choice in judged} == judged, ids


def test_every_decision_is_made_in_a_campaign() -> None:
    rng = Random(5)
    made = Counter(
        decide(rng.sample(range(52), 2), rng.randrange(52), EVERY if rng.random() < 0.2 else NO_SPLIT, rng)
        for _ in range(2000)
    )
    assert set(made) == set(Choice)


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_seed_deals_the_same_shoe(name: str) -> None:
    first, truth = deal(PRESETS[name])
    second, again = deal(PRESETS[name])
    assert first.actions == second.actions
    assert all_of(truth) == all_of(again)
    assert truth.rounds > 5


@pytest.mark.parametrize("name", ["six-deck", "double", "spanish-21", "free-bet"])
def test_no_card_is_lost_or_drawn_twice(name: str) -> None:
    scenario = PRESETS[name]
    shoe, truth = deal(scenario)
    assert [(head, item.card) for head, item in shoe.drawn if not item.is_cover] == [
        (card.head, card.card) for card in truth.cards
    ]
    most = Counter((card.head, card.card) for card in truth.cards)
    assert max(most.values()) <= scenario.rules.decks_a_side


def test_a_single_shoe_burns_after_the_load_and_for_each_new_dealer_633a_7_c() -> None:
    shoe, truth = deal(Scenario(dealer_every=3, players=(4, 4)))
    changes = sum(key == Key.NEW_DEALER for key, _ in shoe.keys)
    assert changes > 2
    assert sum(card.role == Role.BURN for card in truth.cards) == 1 + changes
    after = [shoe.actions[i + 1][0] for i, action in enumerate(shoe.actions) if action[0] in ("load", "new_dealer")]
    assert set(after) == {"draw"}


def test_a_double_shoe_draws_a_determinant_each_round_and_no_burn_633a_7_d() -> None:
    _, truth = deal(PRESETS["double"])
    roles = Counter(card.role for card in truth.cards)
    assert roles[Role.BURN] == 0
    assert roles[Role.DETERMINANT_FIRST] + roles[Role.DETERMINANT_ASIDE] == truth.rounds
    assert roles[Role.DETERMINANT_FIRST] and roles[Role.DETERMINANT_ASIDE]


def test_the_opening_deal_goes_round_twice_from_the_dealers_far_left_633a_7_f() -> None:
    _, truth = deal(Scenario(rounds=1, players=(3, 3)))
    opening = [card for card in truth.cards if card.role in (Role.OPENING, Role.DEALER_UP, Role.HOLE)]
    boxes = [card.box for card in opening]
    assert boxes[:3] == sorted(boxes[:3]) == boxes[4:7] and boxes[3] == boxes[7] == 0
    assert [card.face_down for card in opening] == [False] * 7 + [True]


@pytest.mark.parametrize("name", SINGLE_SHOE_PLANTS)
def test_a_plant_happens_on_request(name: str) -> None:
    game = next(iter(sorted(PLANTS[name].games)))
    decks = 6 if game in (Game.SPANISH_21, Game.HYBRID) else 1 if name == "too_few_cards" else 2
    scenario = Scenario(game=game, decks=decks, plants=(Plant(name),), seed=8)
    _, truth = deal(scenario)
    happened = [plant for plant in truth.plants if plant.name == name]
    assert happened, f"{name} did not happen"
    assert (happened[0].clause, happened[0].verdict) == (PLANTS[name].clause, PLANTS[name].verdict)


def test_a_plant_that_cannot_happen_is_refused() -> None:
    with pytest.raises(BadInput, match="wrong_side cannot happen"):
        Scenario(plants=(Plant("wrong_side"),))
    with pytest.raises(BadInput, match="no irregularity"):
        Plant("sleight_of_hand")


@pytest.mark.parametrize("text", ["no_burn@x", "no_burn@0", "nothing", "face_up_card@-1"])
def test_a_plant_is_read_from_text_or_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_plant(text)


def test_a_plant_is_read_from_text() -> None:
    assert parse_plant("no_burn") == parse_plant("no_burn@random") == Plant("no_burn")
    assert parse_plant("face_up_card@12") == Plant("face_up_card", 12)


def test_plants_without_a_round_get_different_ones() -> None:
    book = PlantBook.plan([Plant(name) for name in list(PLANTS)[:10]], Random(3), 20)
    rounds = [planned for planned, _ in book.waiting]
    assert len(set(rounds)) == len(rounds) == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"decks": 9},
        {"decks": 3, "shoe_kind": ShoeKind.DOUBLE},
        {"game": Game.SPANISH_21, "decks": 4},
        {"game": Game.FREE_BET, "shoe_kind": ShoeKind.DOUBLE},
        {"players": (0, 3)},
        {"players": (5, 8)},
        {"game": Game.FREE_BET, "players": (5, 7)},
        {"speed": -1.0},
        {"game": Game.SWITCH, "options": SWITCH_HANDS},
        {"options": PREMIUM},
        {"decks": 8, "shoe_kind": ShoeKind.DOUBLE, "options": SWITCH_HANDS},
    ],
)
def test_an_impossible_scenario_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Scenario(**wrong)  # type: ignore[arg-type]
