"""`shoetool odds` of a wager on the dealer's poker hand: counts of every hand, drawn card by card, agree."""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from fractions import Fraction
from importlib import resources
from math import perm
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from rich.text import Text
from shoetool.model.cards import total
from shoetool.odds.figures import decimal
from shoetool.odds.holding import WatchedRules, holding
from shoetool.odds.poker_hands import PokerHands
from shoetool.odds.wager import WagerCounts, stops_by
from shoetool.report.odds_wager import wager_document, wager_parts
from shoetool.rules.paytable import parse_paytables, paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS, View

sys.path.append(str(Path(__file__).resolve().parents[1] / "regulation"))

from naive_633c.axman import axman

KEY = "axman"
KING_OF_DIAMONDS = 25
DEFAULTS = {"five": "ace_high", "wild_place": "kept", "wild": "rank"}


def every_hand(faces: tuple[int, ...], decks: int) -> Counter[tuple[int, ...]]:
    """In how many orders the cards of each finished hand can be drawn, card by card and face by face."""
    ended = Counter[tuple[int, ...]]()
    still = Counter[tuple[int, ...]]({(): 1})
    while still:
        longer = Counter[tuple[int, ...]]()
        for hand, ways in still.items():
            for face in faces:
                left = decks - hand.count(face)
                if left:
                    longer[tuple(sorted((*hand, face)))] += ways * left
        done = {hand for hand in longer if len(hand) > 1 and total(hand)[0] >= 17}
        ended.update({hand: longer[hand] for hand in done})
        still = Counter({hand: ways for hand, ways in longer.items() if hand not in done})
    return ended


FLUSHES = """[[paytable]]
clause = "none"
rows = [
    { key = "straight_flush", outcome = "Straight flush", odds = "9 to 1" },
    { key = "flush", outcome = "Flush", odds = "5 to 1" },
]
"""
"""With these rows alone, suits matter to a hand of many aces: up to two suits may be shared by five cards."""


@pytest.mark.parametrize(
    ("ranks", "decks", "settings", "own"),
    [
        ((2, 3, 12), 2, {}, ""),
        ((0, 1, 12), 1, {}, ""),
        ((1, 2, 12), 1, {"axman_wild": "card", "axman_five": "best"}, ""),
        ((1, 3, 12), 1, {"axman_wild_place": "assigned"}, ""),
        ((0, 5), 6, {}, FLUSHES),
        ((0, 12), 6, {"axman_wild": "card"}, FLUSHES),
    ],
)
def test_a_count_of_every_hand_agrees(ranks: tuple[int, ...], decks: int, settings: dict[str, str], own: str) -> None:
    """A few ranks in all suits, with the wild card or without: by row, and by the player's own wild cards.

    What a hand makes by the printed rows says a second opinion, which is written from the text alone.
    """
    faces = tuple(rank + 13 * suit for suit in range(4) for rank in ranks)
    rules = RulesSubmission("blackjack", 6, choices=settings)
    wager, size = WAGERS[KEY], len(faces) * decks
    document = {"wager": KEY, "title": "Own", "games": ["blackjack"], **tomllib.loads(own)}
    tables = list(parse_paytables(document, "own")) if own else list(paytables(KEY))
    paid = {row.key for row in tables[0].rows}
    five, place, wild = (settings.get(f"axman_{name}", word) for name, word in DEFAULTS.items())
    reading = five, place, wild == "card", False
    naive = Counter[tuple[int, str, int]]()
    for hand, ways in every_hand(faces, decks).items():
        if own:
            view = View(rules, (8, 9), hand)
            row = next((one.key for one in wager.outcomes if one.key in paid and one.predicate(view)), "lost")
        else:
            row = axman([(face % 13 + 1, "cdhs"[face // 13]) for face in hand], *reading)
        left = [face for face in faces for _ in range(decks - hand.count(face))]
        wild = left.count(KING_OF_DIAMONDS)
        others = len(left) - wild
        for times, pairs in ((1, others * (others - 1)), (2, 2 * wild * others), (5, wild * (wild - 1))):
            if pairs:
                naive[len(hand) + 2, row, times] += ways * pairs
    assert wager.multiplier is not None
    held = holding(wager, tables)
    counted = Counter[tuple[int, str, int]]()
    for times, by_cards in PokerHands(wager.multiplier, faces, False, WatchedRules(rules), held).of(decks).items():
        for cards, ways_of in by_cards.items():
            for outcomes, ways in ways_of.items():
                counted[cards, wager.outcomes[outcomes[0]].key if outcomes else "lost", times] += ways
    assert {what: ways for what, ways in counted.items() if ways} == naive
    assert len({row for _, row, _ in naive}) > (1 if own else 3)
    assert sum(Fraction(ways, perm(size, cards)) for (cards, _, _), ways in naive.items()) == 1


def test_the_odds_tell_what_multiplies_them_and_that_the_dealer_may_stop() -> None:
    """With six decks. `make soak` holds settled rounds against this edge."""
    rules = RulesSubmission("blackjack", 6, wagers={KEY: WagerOffer()})
    (table,) = paytables(KEY)
    odds = WagerCounts().odds(rules, table, 1_00, [table])
    first = [(one.times, str(one.odds)) for one in odds.chances[:3]]
    assert first == [(1, "1000 to 1"), (2, "2000 to 1"), (5, "5000 to 1")] and len(odds.chances) == 28
    assert decimal(odds.edge(), 8) == "0.16732044"
    document: dict[str, Any] = {"document": "odds", "version": 1, "wagers": [wager_document(odds)], "not_computed": []}
    schema = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert document["wagers"][0]["dealer_stops"] == "633c.12(e)"
    assert [one.get("times") for one in document["wagers"][0]["outcomes"]][-2:] == [5, None]
    words = " ".join(part.plain for part in wager_parts([odds]) if isinstance(part, Text))
    assert "By 633c.12(e) he does not where no hand waits for him" in words and "multiply the odds" in words


def test_the_dealer_stops_by_the_clause_of_a_wager_that_does_not_keep_him_drawing() -> None:
    plain, draws = (RulesSubmission("blackjack", 6, choices=choices) for choices in ({}, {"axman_dealer": "draws"}))
    told = [(KEY, plain), (KEY, draws), ("buster_blackjack", plain), ("perfect_pairs", plain)]
    assert [stops_by(WAGERS[key], rules) for key, rules in told] == ["633c.12(e)", "", "", ""]
