"""`shoetool odds`: the chance of each outcome of each wager on the deal, against all deals looked at one by one.

The other side is `naive_deals`, which shares no code with the odds, nor with what the wagers look at. With `SOAK=1`
every word of a setting is combined with every other; otherwise each word is tried once, of Super 4 the last alone, in
the first game that offers the wager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import naive_deals as naive
import pytest
from printed_odds import gives_back, share_of_meter
from sampled import SOAK
from shoetool.odds import deals, press
from shoetool.odds.deals import ON_THE_DEAL
from shoetool.odds.holding import Held, holding
from shoetool.odds.wager import WagerCounts, WagerOdds, decks_of
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.submission.wager_checks import wager_amounts
from shoetool.rules.wagers import WAGERS, View, Wager

Settings = dict[str, str]
OUTCOMES = {
    "in_between_ace": ("high", "low"),
    "house_money_ace": ("both", "high", "low"),
    "trilux_deluxe_ace": ("both", "high", "low"),
    "upcard_luck_soft": ("19_and_20", "9_and_10"),
    "super_4_suit": naive.SUITS,
    "super_4_pair": ("suit_and_rank", "rank"),
    "super_4_ten_up": ("wins", "loses"),
    "blackjack_match_suits": ("one_suit", "card_by_card"),
    "blackjack_match_rest": ("both_blackjacks", "nothing", "both_suited"),
}
"""The settings that change which deals win what."""
PAYMENTS = ("_sharing", "_parts", "_secondary", "_to_one", "_beside_sum", "_portion", "_press", "_double")
"""How the names of settings end that say what becomes of a payout; those of an envy bonus have the word within."""


@cache
def rows_of(ranks: tuple[int, ...], cards: int) -> naive.Rows:
    return naive.Rows(ranks, cards)


def settings_of(key: str) -> Iterator[Settings]:
    """Every combination of its settings in a soak; else the words of each side by side."""
    names = [choice.key for choice in WAGERS[key].every_choice if choice.key in OUTCOMES]
    words = [OUTCOMES[name] for name in names]
    if SOAK:
        found = list(product(*words))
    else:
        most = max(map(len, words), default=1) if key != "super_4" else 1
        found = [tuple(of[min(row, len(of) - 1)] if row < most - 1 else of[-1] for of in words) for row in range(most)]
    for row in found:
        yield dict(zip(names, row, strict=True))


def counted_by_hand(key: str, game: str, settings: Settings) -> tuple[naive.Rows, dict[str, dict[int, int]]]:
    cards, outcomes = naive.ON_THE_DEAL[key]
    rows = rows_of(tuple(naive.NO_TENS if game == "spanish_21" else naive.ALL_RANKS), cards)
    return rows, rows.counted(outcomes(rows, **settings))


def by_outcome(odds: WagerOdds) -> dict[str, Fraction]:
    """The chance of each outcome that can come; what loses is the last one."""
    return {one.outcome.key if one.outcome else "lost": one.chance for one in odds.chances if one.chance}


def assert_as_counted(key: str, game: str, settings: Settings) -> int:
    """All paytables and numbers of decks of one game; how many of them there were."""
    counts, compared = WagerCounts(), 0
    tables = [table for table in paytables(key) if game in table.games]
    if settings.get("super_4_ten_up") == "loses":  # each table is counted by itself then
        tables = [table for table in tables if SOAK or table.name == "3-1"]
    by_hand = {word: counted_by_hand(key, game, settings | word_of) for word, word_of in _readings(key, settings)}
    rules = RulesSubmission(game, 1, wagers={key: WagerOffer()}, choices=settings)
    for decks in decks_of(game):
        chances = {word: rows.chances(counted, decks) for word, (rows, counted) in by_hand.items()}
        for table in tables:
            if not table.covers(decks):
                continue
            rules = replace(rules, decks=decks)
            stake = table.stake or (wager_amounts(rules, key, table.name) or [1_00])[-1]
            offered = replace(rules, wagers={key: WagerOffer(table.name, stake, stake)})
            odds = counts.odds(offered, table, stake, tables, "")
            of_table = chances["loses" if table.name == "3-1" and "loses" in chances else "wins"]
            assert by_outcome(odds) == of_table, (key, game, decks, table.name, settings)
            assert_gives_back(odds, of_table)
            compared += 1
    return compared


def test_a_ten_up_matters_for_the_only_paytable_with_a_row_for_no_ace_up() -> None:
    """`super_4_ten_up` reads the last row of paytable 3-1, so it can change no paytable without this row.

    The predicates ask which paytable is offered. So each is asked here: every two cards of a player beside a Blackjack
    with the ten-count card up, and beside one with the ace up. A soak counts all deals for each paytable.
    """
    wager, tables = WAGERS["super_4"], paytables("super_4")
    with_row = {table.name for table in tables if any(row.key == "no_dealer_ace_up" for row in table.rows)}
    assert with_row == {"3-1"}

    def held(table: Paytable, word: str, dealer: tuple[int, int]) -> list[Held]:
        settings = {"super_4_suit": "spades", "super_4_ten_up": word}
        offer = {"super_4": WagerOffer(table.name, 5_00, 5_00)}
        rules = RulesSubmission("blackjack", 6, wagers=offer, choices=settings)
        asked = holding(wager, [table])
        return [asked(View(rules, two, dealer)) for two in combinations_with_replacement(range(52), 2)]

    ace_up, king_up = (39, 51), (51, 39)
    for table in tables:
        assert held(table, "loses", ace_up) == held(table, "wins", ace_up)
        wins, loses = held(table, "wins", king_up), held(table, "loses", king_up)
        assert (wins != loses) == (table.name == "3-1") and all(wins)


def _readings(key: str, settings: Settings) -> Iterator[tuple[str, Settings]]:
    """By the word for a ten up (T15): it is of one paytable of Super 4 alone."""
    yield "wins", {"super_4_ten_up": "wins"} if key == "super_4" else {}
    if settings.get("super_4_ten_up") == "loses":
        yield "loses", {}


def assert_gives_back(odds: WagerOdds, chances: dict[str, Fraction]) -> None:
    """Edge, variance, meters and envy bonus follow from the chances and the printed words alone."""
    words = {one.outcome.key: one.odds.text for one in odds.chances if one.outcome and one.odds}
    worth = {name: gives_back(text, odds.stake, odds.meters) for name, text in words.items()}
    back, squares = (
        sum((chances.get(name, Fraction(0)) * one**power for name, one in worth.items()), Fraction(0))
        for power in (1, 2)
    )
    assert (odds.edge(), odds.variance) == (1 - back, squares - back**2)
    shares = {name: share_of_meter(text) for name, text in words.items()}
    for meter in odds.meters:
        parts = (share[1] * chances.get(name, 0) for name, share in shares.items() if share and share[0] == meter)
        assert odds.gives_back(meter) == sum(parts, Fraction(0)) / odds.stake
    if odds.wager.envy is not None:
        table = odds.table
        parts = (chance * table.row(name).envy_for(odds.stake) for name, chance in chances.items() if name != "lost")
        assert odds.envy == sum(parts, Fraction(0)) / odds.stake


@pytest.mark.parametrize("key", [key for key, one in WAGERS.items() if one.cards in ON_THE_DEAL])
def test_each_outcome_comes_as_often_as_in_all_deals(key: str) -> None:
    for settings in settings_of(key):
        games = WAGERS[key].games if SOAK else WAGERS[key].games[:1]
        assert sum(assert_as_counted(key, game, settings) for game in games)


@pytest.mark.parametrize("key", ["house_money", "trilux_deluxe"])
def test_winnings_that_may_be_added_come_as_often_as_in_all_deals(key: str) -> None:
    """By the values of the two cards and the up card, as `--press` counts them: how often, and how much."""
    outcomes, rows = naive.ON_THE_DEAL[key][1], rows_of(tuple(naive.ALL_RANKS), 3)
    counted = rows.counted_by_values(outcomes(rows, **{f"{key}_ace": "both"}))
    for table in paytables(key):
        decks = next(decks for decks in (1, 2, 6) if table.covers(decks))
        won: dict[tuple[int, int, int], tuple[Fraction, Fraction]] = {}
        for (low, high, up), of_these in counted.items():
            chances = {name: chance for name, chance in rows.chances(of_these, decks).items() if name != "lost"}
            added = (chance * (gives_back(table.row(name).odds.text, 1, {}) - 1) for name, chance in chances.items())
            if chances:
                won[low - 1, high - 1, up - 1] = sum(chances.values(), Fraction(0)), sum(added, Fraction(0))
        rules = RulesSubmission.default("blackjack", decks, wagers={key: WagerOffer(table.name, 1_00, 1_00)})
        assert press._won(rules, table) == won, table.name


def test_no_wager_on_the_deal_and_no_setting_of_one_is_left_out() -> None:
    """A new wager needs a count of its own here; a setting changes outcomes or only what becomes of a payout."""
    assert {key for key, one in WAGERS.items() if one.cards in ON_THE_DEAL} == set(naive.ON_THE_DEAL)
    for key in naive.ON_THE_DEAL:
        for choice in WAGERS[key].every_choice:
            name = choice.key.removeprefix(key)
            payment = name.startswith("_envy") or any(name.endswith(end) for end in PAYMENTS)
            assert (choice.key in OUTCOMES) != payment, choice.key
            assert payment or choice.words == OUTCOMES[choice.key], choice.key


# ------------------------------------------------------------------------------------------------- it fails for a fault
def _never(view: View) -> bool:
    return False


def _best_row_never(key: str) -> Wager:
    """As Lucky Ladies was counted: the row that looks at the dealer's Blackjack never came."""
    wager = WAGERS[key]
    best, *others = wager.outcomes
    return replace(wager, outcomes=(replace(best, predicate=_never), *others))


FAULTS: dict[str, tuple[str, Callable[[str], Wager]]] = {
    "the best row never comes": ("lucky_ladies", _best_row_never),
    "aces of all suits count alike": ("lucky_aces", lambda key: replace(WAGERS[key], kind=lambda card: card % 13)),
    "a row above another is asked after it": (
        "royal_match_21",
        lambda key: replace(WAGERS[key], outcomes=WAGERS[key].outcomes[::-1]),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_row_or_in_the_count_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, planted = FAULTS[fault]
    monkeypatch.setitem(WAGERS, key, planted(key))
    with pytest.raises(AssertionError):
        assert_as_counted(key, "blackjack", {})


def test_a_pair_that_is_counted_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "combinations_with_replacement", lambda faces, _: product(faces, repeat=2))
    with pytest.raises(AssertionError):
        assert_as_counted("perfect_pairs", "blackjack", {})
