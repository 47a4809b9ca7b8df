"""A hybrid gaming table, 633c.5: what it has and offers, and its wagers beside the Blackjack wager."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from playing import refused
from shoetool.deal import Decision, Stake, play
from shoetool.deal.engine import open_round
from shoetool.deal.hybrid import choose_as_told
from shoetool.deal.stakes import verify_stakes
from shoetool.deal.turns import begin_turns
from shoetool.model.cards import parse_card
from shoetool.model.naming import OPTION_BITS
from shoetool.model.protocol_table import Game
from shoetool.rules.round import Stage
from shoetool.rules.submission.file import example, judge, parse
from shoetool.rules.submission.layout import Need, needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.table.actions import CountdownOver
from short_shoe import Short
from wagers_offered import offering

GAMES = ("hybrid", "hybrid_no_hole")
HOLE = parse(example("hybrid"))
NO_HOLE = parse(example("hybrid-no-hole"))


def asked(rules: RulesSubmission, clause: str) -> list[Need]:
    return [need for need in needs(rules) if need.clause == clause]


def refusals(game: str, text: str) -> set[tuple[str, str | None]]:
    head = f'game = "{game}"\n' + ("" if "decks" in text else "decks = 6\n")
    return {(one.where, one.clause) for one in judge(head + text, "table")[1]}


@pytest.mark.clause(
    *("633c.5(a)", "633c.5(b)(2)", "633c.5(b)(3)", "633c.5(b)(4)", "633c.5(d)#1", "633c.5(e)", "633c.5(g)"),
    *("633c.5(j)#2", "633c.5(k)#1", "633c.5(w)#2"),
)
def test_the_table_and_its_terminals_have_what_the_text_asks_for() -> None:
    for rules, boxes in ((HOLE, 1), (NO_HOLE, 0)):
        assert "7 electronic wagering terminals" in asked(rules, "633c.5(a)")[0].what
        assert [len(asked(rules, f"633c.5(b)({row})")) for row in (2, 3, 4)] == [boxes] * 3
        assert "Blackjack Wager" in asked(rules, "633c.5(k)")[0].what
        assert "card reader device" in asked(rules, "633c.5(d)")[0].what
        assert "dealing shoe that reads" in asked(rules, "633c.5(j)")[0].what
        assert "24 hours" in asked(rules, "633c.5(g)")[0].what
        assert f"{rules.decks} decks" in asked(rules, "633c.5(e)")[0].what


@pytest.mark.clause("633c.5(c)(2)#1", "633c.5(c)(2)#2", "633c.5(c)(3)")
def test_the_rules_icon_says_the_odds_and_what_becomes_of_a_hand_without_a_choice() -> None:
    for rules, does in ((HOLE, "stands"), (NO_HOLE, "draws up to 11 and stands above")):
        said = " / ".join(need.what for need in asked(rules, "633c.5(c)(2)"))
        for words in ("Blackjack pays 3 to 2", "stands on all soft 17s", "Insurance pays 2 to 1", does):
            assert words in said
    (buzzer,) = asked(HOLE, "633c.5(c)(3)")
    assert dict(buzzer.payouts)["20 against 21 or Blackjack"] == "30 to 1" and len(buzzer.payouts) == 6
    assert asked(RulesSubmission.default("hybrid", 6), "633c.5(c)(3)") == []


@pytest.mark.clause("633c.5(f)", "633c.5(j)#1", "633c.5(m)", "633c.5(w)#1", "633c.5(x)#2")
def test_a_table_that_the_text_does_not_know_is_refused() -> None:
    for game in GAMES:
        for decks in range(1, 9):
            wrong = set() if decks in (6, 8) else {("decks", "633c.5(f)")}
            assert refusals(game, f"decks = {decks}\n") == wrong
        assert ("shuffler", "633c.5(f)") in refusals(game, 'shuffler = "none"\n')
        assert ("shoe", "633c.5(j)") in refusals(game, 'shoe = "double"\n')
        assert ("wagers.perfect_pairs", "633c.1(b)") in refusals(game, "[wagers.perfect_pairs]\nmin = 1\n")
    assert ("surrender", "633c.5(p)(2)") in refusals("hybrid", 'surrender = "way_2"\n')
    assert ("countdown_draws_to", "633c.5(p)(2)") in refusals("hybrid", "countdown_draws_to = 11\n")
    assert refusals("hybrid", "[wagers.buzzer_beater]\nmin = 1\n") == set()
    assert refusals("hybrid_no_hole", "[wagers.buzzer_beater]\nmin = 1\n") == {("wagers.buzzer_beater", "633c.5(m)")}
    for key in ("royal_match_21", "bet_the_set_21", "kings_bounty"):
        wager = f"[wagers.{key}]\nmin = 1\n" + ("" if key == "kings_bounty" else 'paytable = "C"\n')
        assert refusals("hybrid_no_hole", wager) == set()
        assert f"wagers.{key}" in {where for where, _ in refusals("hybrid", wager)}


@pytest.mark.clause("633c.5(l)#1", "633c.5(l)#2", "633c.5(m)")
def test_a_terminal_needs_a_player_position_and_a_blackjack_wager() -> None:
    verify_stakes(HOLE, [Stake(1, 10_00, {"buzzer_beater": 5_00}, player_position=3)])
    for place in (None, 0, 4):
        with refused("633c.5(l)"):
            verify_stakes(HOLE, [Stake(1, 10_00, player_position=place)])
    with refused("633c.5(m)"):
        verify_stakes(HOLE, [Stake(1, 0, {"buzzer_beater": 5_00}, player_position=1)])


@pytest.mark.clause("633c.5(d)#2")
def test_the_reader_is_inspected_each_gaming_day() -> None:
    shoe = Short(Game.HYBRID, options=1 << OPTION_BITS["card_reader"], burn=False)
    shoe.add("selected", 1)
    shoe.start(1)
    for box, card in ((8, "10C"), (0, "6D"), (8, "9S")):
        shoe.up(card) if box == 0 else shoe.give(box, card)
    shoe.hole("KH")
    shoe.stand(1)
    shoe.reveal()
    shoe.close()
    shoe.end()
    assert "633c.5(d)" in {finding.clause for finding in shoe.findings()}


@pytest.mark.clause("633c.5(p)(1)#1", "633c.5(p)(1)#2")
def test_a_blackjack_against_2_to_9_is_paid_and_its_buzzer_beater_cleared_at_once() -> None:
    for up in range(1, 13):
        his = [up + 13, 8]
        while _count(his) < 17:
            his.append(7)
        cards = [parse_card("AS"), his[0], parse_card("KS"), *his[1:]]
        stakes = [Stake(1, 10_00, {"buzzer_beater": 5_00}, player_position=1)]
        settled = settle(play(HOLE, stakes, cards, []), HOLE)
        found = {line.wager: (line.net, line.clause, line.stage) for line in settled.lines}
        assert found["main"][0] == 15_00 and found["buzzer_beater"][0] == -5_00
        low = up < 9
        assert (found["main"][2] == Stage.IN_TURN) == low and (found["buzzer_beater"][2] == Stage.IN_TURN) == low
        assert (found["buzzer_beater"][1] == "633c.5(p)(1)") == low


@pytest.mark.clause("633c.5(dd)", "633c.5(ee)(3)", "633c.5(ee)(4)", "633c.5(ee)(5)", "633c.5(x)#2")
def test_the_optional_wagers_without_a_hole_card_are_those_of_633a_by_the_terminals_own_dealer() -> None:
    """T53: King's Bounty and Crown Treasure go by the second card that the terminal's own dealer has."""
    keys = ("royal_match_21", "bet_the_set_21", "kings_bounty")
    plain = replace(offering(RulesSubmission.default("blackjack", 8)), wagers=NO_HOLE.wagers)
    side = dict.fromkeys(keys, 5_00)
    random = Random(633)
    kings = [parse_card("KS"), parse_card("KH"), parse_card("QH"), parse_card("AS")]
    deals = [tuple(random.randrange(52) for _ in range(4)) for _ in range(150)]
    deals += [(a, up, b, down) for a, b, up, down in product(kings, repeat=4) if (up + down) % 3 == 0]
    seen = set()
    for first, up, second, down in deals:
        more = [7, 7, 7]  # 8s, of which the dealer takes what he needs
        hand, his = [first, second], [up, down]
        if _count(hand) == 21 or _count(his) == 21:
            more = []
        drawn = []
        while more and _count(his + drawn) < 17:
            drawn.append(more.pop())
        natural = _count(hand) == 21
        stand = [] if natural else [Decision(1, 0, "stand")]
        mine = settle(play(NO_HOLE, [Stake(1, 10_00, side)], [first, up, second, down, *drawn], stand), NO_HOLE)
        reader = _count(his) == 21
        other = settle(
            play(plain, [Stake(1, 10_00, side)], [first, up, second, down, *drawn], [] if reader else stand), plain
        )
        for key in (*keys, "crown_treasure"):
            nets = [[line.net for line in one.lines if line.wager == key] for one in (mine, other)]
            assert nets[0] == nets[1], (key, first, up, second, down)
            seen.update((key, net > 0) for net in nets[0])
    assert {(key, won) for key in keys for won in (True, False)} <= seen


def _count(cards: list[int]) -> int:
    total = sum(min(card % 13 + 1, 10) for card in cards)
    return total + 10 if total <= 11 and any(card % 13 == 0 for card in cards) else total


def test_a_countdown_that_ends_without_a_choice_is_told_of_its_terminal() -> None:
    """As a shoe records it, a bit for each terminal."""
    state = open_round(NO_HOLE, [Stake(3, 10_00)], [parse_card(card) for card in ("10C", "7D", "8C", "10H")])
    begin_turns(state)
    choose_as_told(state, [Decision(3, None, "no_choice")])
    assert [one.boxes for one in state.round.actions if isinstance(one, CountdownOver)] == [0b100]
