"""One round and its line of a table record for each clause of the procedure: order of things, decisions, payments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playing import played
from shoetool.judge import registry
from shoetool.judge import registry_table as reg
from shoetool.model.naming import OPTION_BITS
from shoetool.model.protocol_table import Game, HandEnd, ReaderStep, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED, context
from shoetool.verify.recorded import SETTLED
from shoetool.verify.table_record.rules import differs
from short_shoe import Short
from table_case import GAMES, READER, event, findings, line, report, rules_of, seat, usual_round
from verify_cases_errors import held_before_the_round


def peeked(
    first: dict[int, str],
    up: str,
    second: dict[int, str],
    hole: str,
    *,
    blackjack: bool = False,
    insured: int | None = None,
    game: Game = Game.BLACKJACK,
) -> Short:
    """The opening deal of a table with a card reader device, up to its answer where the up card asks for one."""
    s = Short(game, options=READER)
    s.add("reader_test", ReaderStep.PASSED)
    s.start(*first)
    s.opening(first, up, second, hole)
    if up[0] == "A":
        s.add("insurance", insured or 0)
    if up[:-1] in ("A", "10", "J", "Q", "K"):
        s.add("peek", int(blackjack))
    return s


def settled(position: int, wager: str, after: int, hand: int | None = None) -> dict[str, Any]:
    return event("settled", position, wager, after_card=after, **({} if hand is None else {"hand": hand}))


def found(s: Short, one: dict[str, Any], *sides: str, **changes: Any) -> list[tuple[str, str]]:
    """(clause, check) of what the line is held against."""
    s.end()
    game = s.game
    told = findings(s, [one], rules_of(game, *sides, **changes))
    print([finding.sentence for finding in told])
    return [(finding.clause, finding.check) for finding in told]


def stand_all(s: Short, *boxes: int, total: int) -> None:
    s.stand(*boxes)
    s.reveal()
    s.close(total)


# ------------------------------------------------------------------------------------------------- wagers that wait
QUEENS = ({1: "QH", 2: "9C"}, "KC", {1: "QH", 2: "5D"}, "7H")


def queens(*events: dict[str, Any], key: str = "lucky_ladies", cards: Any = QUEENS) -> list[tuple[str, str]]:
    """Position 1 has the pair of queens of hearts (or other cards) against a king."""
    s = peeked(*cards)
    s.give(2, "2C", Role.DRAW)
    stand_all(s, 1, 2, total=17)
    seats = seat(1, "stand", side={key: "5.00"}), seat(2, "hit", "stand")
    return found(s, line(1, *seats, events=list(events)), key)


@pytest.mark.clause("633a.7(g)(1)(i)")
def test_a_pair_of_queens_of_hearts_waits_for_the_reader_and_is_paid_before_other_cards() -> None:
    read = event("reader_used", reading="no_blackjack", after_card=6)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    assert queens(read, settled(1, "lucky_ladies", 6), *rest) == []
    early = queens(settled(1, "lucky_ladies", 6), read, *rest)
    assert early == [("633a.7(g)(1)(i)", reg.WAITED)]
    late = queens(read, settled(1, "lucky_ladies", 7), *rest)
    assert late == [("633a.7(g)(1)(i)", reg.WAITED)]


def test_places_that_contradict_the_order_of_the_events_are_named() -> None:
    """The hole card stands behind an event of the seventh card, and is said to have been turned after the sixth."""
    read, paid = event("reader_used", reading="no_blackjack", after_card=6), settled(1, "lucky_ladies", 6)
    seen = event("verified", 2, "main", after_card=7)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    assert queens(read, paid, seen, event("hole_card_revealed", after_card=7), *rest) == []
    early = queens(read, paid, seen, event("hole_card_revealed", after_card=6), *rest)
    assert early == [("633a.7(s)", reg.PLACES)]


@pytest.mark.clause("633a.7(g)(6)(i)")
def test_a_pair_of_kings_of_spades_waits_for_the_reader() -> None:
    kings = ({1: "KS", 2: "9C"}, "KC", {1: "KS", 2: "5D"}, "7H")
    read = event("reader_used", reading="no_blackjack", after_card=6)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    assert queens(read, settled(1, "kings_bounty", 6), *rest, key="kings_bounty", cards=kings) == []
    early = queens(settled(1, "kings_bounty", 6), read, *rest, key="kings_bounty", cards=kings)
    assert early == [("633a.7(g)(6)(i)", reg.WAITED)]


@pytest.mark.clause("633a.7(g)(4) defer")
def test_a_royal_match_against_a_king_waits_until_the_hole_card_shows() -> None:
    royal = ({1: "KS", 2: "9C"}, "KC", {1: "QS", 2: "5D"}, "7H")
    read = event("reader_used", reading="no_blackjack", after_card=6)
    shown = event("hole_card_revealed", after_card=7)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    after = [read, shown, settled(1, "royal_match_21", 7), *rest]
    assert queens(*after, key="royal_match_21", cards=royal) == []
    early = [settled(1, "royal_match_21", 6), read, shown, *rest]
    assert queens(*early, key="royal_match_21", cards=royal) == [("633a.7(g)(4) defer", reg.WAITED)]


@pytest.mark.clause("633a.7(g)(10)(i)")
def test_house_money_against_a_king_waits_for_the_reader() -> None:
    pair = ({1: "8S", 2: "9C"}, "KC", {1: "8D", 2: "5D"}, "7H")
    read = event("reader_used", reading="no_blackjack", after_card=6)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    assert queens(read, settled(1, "house_money", 6), *rest, key="house_money", cards=pair) == []
    early = queens(settled(1, "house_money", 6), read, *rest, key="house_money", cards=pair)
    assert early == [("633a.7(g)(10)(i)", reg.WAITED)]


@pytest.mark.clause("633a.7(g)")
def test_a_wager_that_does_not_wait_is_settled_before_the_reader() -> None:
    cards = ({1: "KS", 2: "9C"}, "KC", {1: "5D", 2: "5H"}, "7H")
    read = event("reader_used", reading="no_blackjack", after_card=6)
    rest = [settled(2, "main", 7), settled(1, "main", 7)]
    assert queens(settled(1, "lucky_ladies", 6), read, *rest, cards=cards) == []
    assert queens(read, settled(1, "lucky_ladies", 6), *rest, cards=cards) == [("633a.7(g)", reg.EARLY)]


@pytest.mark.clause("635a.7(f)")
def test_match_the_dealer_of_spanish_21_is_settled_before_the_reader_and_counterclockwise() -> None:
    def judged(*events: dict[str, Any]) -> list[tuple[str, str]]:
        s = peeked({1: "QH", 2: "9C"}, "KC", {1: "8H", 2: "KD"}, "7H", game=Game.SPANISH_21)
        stand_all(s, 1, 2, total=17)
        key = "spanish_match_the_dealer"
        seats = seat(1, "stand", side={key: "5.00"}), seat(2, "stand", side={key: "5.00"})
        return found(s, line(1, *seats, events=list(events)), key)

    first, second = (settled(box, "spanish_match_the_dealer", 6) for box in (2, 1))
    read = event("reader_used", reading="no_blackjack", after_card=6)
    rest = [settled(2, "main", 6), settled(1, "main", 6)]
    rest = [event("hole_card_revealed", after_card=6), *rest]
    assert judged(first, second, read, *rest) == []
    assert judged(second, first, read, *rest) == [("635a.7(f)", reg.EARLY)]
    assert judged(first, read, second, *rest) == [("635a.7(f)", reg.EARLY)]


# ------------------------------------------------------------------------------------------------- reader, insurance
def ace_up(
    *events: dict[str, Any], hole: str = "7H", reading: bool = False, game: Game = Game.BLACKJACK, **more: Any
) -> list[tuple[str, str]]:
    """Position 1 insures against an ace, if `insurance` is given; position 2 has Blackjack."""
    insured = 1 if "insurance" in more else 0
    s = peeked({1: "9H", 2: "AC"}, "AD", {1: "8H", 2: "KD"}, hole, blackjack=reading, insured=insured, game=game)
    s.end_hand(2, HandEnd.BLACKJACK)
    if reading:
        s.end_hand(1, HandEnd.DEALER_BLACKJACK)
    else:
        s.end_hand(1)
    s.reveal()
    s.close(21 if reading else 18)
    words = () if reading else ("stand",)
    even = {"even_money": True} if more.pop("even", False) else {}
    seats = seat(1, *words, **more), seat(2, **even)
    return found(s, line(1, *seats, events=list(events)), even_money=game == Game.BLACKJACK)


@pytest.mark.clause("633a.8(a)", "633a.8(b) timing", "633a.7(h) eligibility")
def test_insurance_is_offered_before_the_reader_is_used() -> None:
    offer = event("insurance_offered", after_card=6)
    read = event("reader_used", reading="no_blackjack", after_card=6)
    assert ace_up(offer, read) == []
    assert ace_up(read, offer) == [("633a.8(b) timing", reg.INSURED)]
    assert ace_up(read) == [("633a.8(a)", reg.OFFERED)]


@pytest.mark.clause("633a.8(a)", "633a.7(h) eligibility", "633a.14(j)")
def test_neither_insurance_nor_the_reader_belongs_to_a_seven() -> None:
    s = Short()
    usual_round(s)
    events = [event("insurance_offered", after_card=6), event("reader_used", reading="no_blackjack", after_card=6)]
    assert sorted(found(s, line(1, events=events))) == [
        ("633a.7(h) eligibility", reg.READER),
        ("633a.8(a)", reg.OFFERED),
    ]


@pytest.mark.clause("633a.8(a)", "633a.8(b) timing")
@pytest.mark.parametrize(
    ("after", "clauses"),
    [(0, [reg.OFFERED]), (2, [reg.OFFERED]), (3, []), (6, []), (7, [reg.INSURED]), (8, [reg.INSURED])],
)
def test_insurance_is_offered_once_the_ace_lies_and_before_any_further_card(after: int, clauses: list[str]) -> None:
    s = peeked({1: "9H", 2: "8C"}, "AD", {1: "2H", 2: "KD"}, "7H")
    s.give(1, "2C", Role.DRAW)
    s.give(1, "3C", Role.DRAW)
    s.end_hand(1)
    s.end_hand(2)
    s.reveal()
    s.close(18)
    one = line(
        1, seat(1, "hit", "hit", "stand"), seat(2, "stand"), events=[event("insurance_offered", after_card=after)]
    )
    assert [check for _, check in found(s, one)] == clauses


@pytest.mark.clause("633a.7(h) eligibility")
@pytest.mark.parametrize(
    ("place", "after", "checks"),
    [
        ("after_card", 6, []),
        ("after_card", 7, [reg.READER]),
        ("after_card", 5, [reg.READER]),
        ("after_record", 0, []),
        ("after_record", -1, [reg.READER]),
    ],
)
def test_the_reader_is_used_after_the_deal_and_before_further_cards(place: str, after: int, checks: list[str]) -> None:
    s = peeked({1: "9H", 2: "5C"}, "KD", {1: "8H", 2: "KD"}, "7H")
    after += s.hole_ref if place == "after_record" else 0
    s.end_hand(1)
    s.give(2, "2C", Role.DRAW)
    s.end_hand(2)
    s.reveal()
    s.close(17)
    one = line(1, seat(1, "stand"), seat(2, "hit", "stand"), events=[event("reader_used", **{place: after})])
    assert [check for _, check in found(s, one)] == checks


@pytest.mark.clause("633a.1 Card reader device", "590.1 Card reader device", "635a.1 Card reader device")
@pytest.mark.clause("633a.7(h) result", "590.7(g)", "635a.7(g)")
@pytest.mark.parametrize("game", GAMES)
def test_the_answer_of_the_record_is_the_one_of_the_shoe_and_of_the_cards(game: Game) -> None:
    offer = event("insurance_offered", after_card=6)
    right, wrong = (event("reader_used", reading=told, after_card=6) for told in ("blackjack", "no_blackjack"))
    assert ace_up(offer, right, hole="KH", reading=True, game=game) == []
    clause = {Game.BLACKJACK: "633a.7(h) result", Game.FREE_BET: "590.7(g)", Game.SPANISH_21: "635a.7(g)"}[game]
    assert ace_up(offer, wrong, hole="KH", reading=True, game=game) == [(clause, reg.READER_SAID)] * 2


@pytest.mark.clause("633a.8(d)")
def test_a_lost_insurance_wager_is_collected_after_the_reader_and_before_further_cards() -> None:
    offer = event("insurance_offered", after_card=6)
    read = event("reader_used", reading="no_blackjack", after_card=6)
    lost = settled(1, "insurance", 6)
    rest = [settled(2, "main", 6), event("hole_card_revealed", after_card=6), settled(1, "main", 6)]
    assert ace_up(offer, read, lost, *rest, insurance="5.00") == []
    assert ace_up(offer, lost, read, *rest, insurance="5.00") == [("633a.8(d)", reg.INSURANCE_LOST)]


@pytest.mark.clause("633a.8(e)")
def test_even_money_is_paid_before_the_reader() -> None:
    offer = event("insurance_offered", after_card=6)
    read = event("reader_used", reading="no_blackjack", after_card=6)
    paid = event("even_money_paid", 2, after_card=6)
    assert ace_up(offer, paid, read, even=True) == []
    assert ace_up(offer, read, paid, even=True) == [("633a.8(e)", reg.INSURED)]


@pytest.mark.clause("633a.8(b) amount", "633a.8(a)")
def test_insurance_in_the_record_is_what_the_shoe_recorded() -> None:
    s = peeked({1: "9H", 2: "AC"}, "AD", {1: "8H", 2: "KD"}, "7H", insured=2)
    s.end_hand(2, HandEnd.BLACKJACK)
    s.end_hand(1)
    s.reveal()
    s.close(18)
    assert found(s, line(1, seat(1, "stand", insurance="5.00"), seat(2))) == [("633a.8(a)", reg.INSURANCE_TOLD)] * 2


# ------------------------------------------------------------------------------------------------- settled at once
@pytest.mark.clause("633a.7(i)(1)(i)")
def test_a_blackjack_against_a_seven_is_paid_at_once() -> None:
    def judged(after: int) -> list[tuple[str, str]]:
        s = Short()
        s.start(1, 2)
        s.opening({1: "AC", 2: "9C"}, "7C", {1: "KC", 2: "KD"}, "KH")
        s.end_hand(1, HandEnd.BLACKJACK)
        s.stand(2)
        s.reveal()
        s.close(17)
        reveal = s.s.records[-2].number
        paid = event("settled", 1, "main", after_record=reveal + after)
        rest = [event("hole_card_revealed", after_record=reveal), event("settled", 2, "main", after_record=reveal + 1)]
        return found(s, line(1, seat(1), seat(2, "stand"), events=[*(rest if after > 0 else [paid, *rest]), paid][:3]))

    assert judged(-2) == []
    assert judged(1) == [("633a.7(i)(1)(i)", reg.IN_TURN)]


@pytest.mark.clause("633a.7(r)(1)", "633a.7(r)(2)")
@pytest.mark.parametrize(("procedure", "first"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_main_wagers_are_settled_by_the_procedure_of_the_rules_submission(procedure: int, first: int) -> None:
    """Position 1 loses with 16, 2 wins with 19: procedure 1 collects first, procedure 2 begins at the right."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "KC", 2: "9C"}, "7C", {1: "6C", 2: "KD"}, "KH")
    stand_all(s, 1, 2, total=17)
    second = 3 - first
    events = [settled(first, "main", 6), settled(second, "main", 6)]
    wrong = (procedure, first) in ((1, 2), (2, 1))
    clause = f"633a.7(r)({procedure})"
    expected = [(clause, reg.MAIN_ORDER)] if wrong else []
    assert found(s, line(1, events=events), settlement_procedure=procedure) == expected


@pytest.mark.clause("633a.7(r)(1)")
def test_a_losing_wager_of_a_cent_is_collected_first_too() -> None:
    s = Short()
    s.start(1, 2)
    s.opening({1: "KC", 2: "9C"}, "7C", {1: "6C", 2: "KD"}, "KH")
    stand_all(s, 1, 2, total=17)
    seats = seat(1, "stand", wager="0.01"), seat(2, "stand")
    events = [settled(2, "main", 6), settled(1, "main", 6)]
    assert ("633a.7(r)(1)", reg.MAIN_ORDER) in found(s, line(1, *seats, events=events), settlement_procedure=1)


@pytest.mark.parametrize("bit", range(16))
def test_rounds_are_told_as_not_settled_for_switch_hands_and_for_no_other_option(bit: int) -> None:
    s = Short(options=1 << bit)
    usual_round(s)
    s.end()
    told = report(s, [line(1)], rules_of()).summary.evidence
    assert (SETTLED in [row.what for row in told]) == (bit == OPTION_BITS["switch_hands"])


@pytest.mark.clause("633a.7(o)")
def test_hit_and_run_is_settled_after_all_cards() -> None:
    def judged(after: int) -> list[tuple[str, str]]:
        s = Short()
        usual_round(s)
        one = [settled(2, "hit_and_run", after)]
        events = [*one, settled(2, "main", 6), settled(1, "main", 6)]
        seats = seat(1, "stand"), seat(2, "stand", side={"hit_and_run": "5.00"})
        return found(s, line(1, *seats, events=events), "hit_and_run")

    assert judged(6) == [] and judged(4) == [("633a.7(o)", reg.LATE)]


@pytest.mark.clause("633a.6(c) freeze", "590.6(c)", "635a.6(c)")
@pytest.mark.parametrize("game", GAMES)
def test_a_wager_may_be_touched_before_the_close_and_after_its_decision(game: Game) -> None:
    def judged(*events: dict[str, Any]) -> list[tuple[str, str]]:
        s = Short(game)
        usual_round(s)
        return found(s, line(1, events=list(events)))

    moved = event("bet_moved", 1, "main")
    closed = event("bets_closed", after_card=0)
    others, own = settled(2, "main", 6), settled(1, "main", 6)
    rest = [others, own]
    assert judged(moved, closed, *rest) == [] and judged(closed, *rest, moved) == []
    clause = {"blackjack": "633a.6(c) freeze", "free_bet": "590.6(c)", "spanish_21": "635a.6(c)"}[game.name.lower()]
    assert judged(closed, moved, *rest) == judged(closed, others, moved, own) == [(clause, reg.FROZEN)]


@pytest.mark.clause("633a.6(c) timing", "633a.8(b) timing")
def test_insurance_and_doubles_are_no_late_wagers() -> None:
    s = Short()
    usual_round(s)
    closed = event("bets_closed", after_card=0)
    placed = [event("bet_placed", 1, wager, after_card=6) for wager in ("insurance", "double", "split")]
    assert found(s, line(1, events=[event("bet_placed", 1), closed, *placed])) == []


@pytest.mark.clause("633a.2(c)", "633a.2(d)(2)")
@pytest.mark.parametrize(
    ("key", "clause"),
    [("bad_beat", "633a.2(c)"), ("hit_and_run", "633a.2(d)(2)"), ("straight_jack", "633a.2(d)(2)")],
)
def test_a_progressive_wager_is_locked_out_once_the_deal_has_begun(key: str, clause: str) -> None:
    s = Short()
    usual_round(s)
    late = [event("bet_placed", 1, key, after_card=1)]
    seats = seat(1, "stand", side={key: "5.00"}), seat(2, "stand")
    assert found(s, line(1, *seats, events=late), key) == [(clause, reg.LOCKED)]


# ------------------------------------------------------------------------------------------------- who is dealt to
@pytest.mark.clause("633a.6(d)", "590.6(d)", "635a.6(d)")
@pytest.mark.parametrize("game", GAMES)
def test_cards_without_a_wager_and_a_wager_without_cards_are_named(game: Game) -> None:
    def judged(*positions: int) -> list[str]:
        s = Short(game)
        usual_round(s)
        return [check for _, check in found(s, line(1, *(seat(box, "stand") for box in positions)))]

    assert judged(1, 2) == []
    assert judged(1) == [reg.MAIN_WAGER]
    assert judged(1, 2, 3) == [reg.MAIN_WAGER]
    assert judged(2, 1) == [reg.MAIN_WAGER]


@pytest.mark.clause("633a.7(i)(2)", "590.7(h)(2)", "635a.7(h)(2)")
@pytest.mark.parametrize("game", GAMES)
def test_a_decision_that_the_shoe_did_not_deal_is_named(game: Game) -> None:
    s = Short(game)
    usual_round(s)
    (one,) = found(s, line(1, seat(1, "hit", "stand"), seat(2, "stand")))
    chapter = {"blackjack": "633a.7(i)(2)", "free_bet": "590.7(h)(2)", "spanish_21": "635a.7(h)(2)"}
    assert one == (chapter[game.name.lower()], reg.DECISIONS)


@pytest.mark.clause("633a.7(n)")
def test_a_draw_without_a_live_wager_is_none_of_the_dealer_s() -> None:
    """The shoe sees no wagers: only a record tells that nothing waited for the dealer's cards (reading 21)."""

    def judged(*sides: str) -> list[tuple[str, str]]:
        s = Short()
        s.start(1)
        s.opening({1: "KC"}, "7C", {1: "6D"}, "8H")
        s.give(1, "9H", Role.DRAW)
        s.end_hand(1, HandEnd.BUST)
        s.reveal()
        s.card(Role.DEALER_DRAW, 0, "5C")
        s.close(20)
        return found(s, line(1, seat(1, "hit", side=dict.fromkeys(sides, "5.00"))), "hit_and_run")

    assert judged() == [("633a.7(n)", reg.BY_THE_RULES)]
    assert judged("hit_and_run") == []


@pytest.mark.clause("633a.7(n)", "633a.7(m)")
def test_a_live_optional_wager_keeps_the_dealer_drawing() -> None:
    s = Short()
    s.start(1)
    s.opening({1: "KC"}, "7C", {1: "6D"}, "8H")
    s.give(1, "9H", Role.DRAW)
    s.end_hand(1, HandEnd.BUST)
    s.reveal()
    s.close(15)
    told = found(s, line(1, seat(1, "hit", side={"hit_and_run": "5.00"})), "hit_and_run")
    assert told == [("633a.7(m)", reg.BY_THE_RULES)]


@pytest.mark.clause("633a.11(c) resplits", "635a.11(c) resplits")
@pytest.mark.parametrize("game", [Game.BLACKJACK, Game.SPANISH_21])
def test_more_splits_than_the_rules_submission_allows_are_named(game: Game) -> None:
    def judged(resplits: int) -> list[tuple[str, str]]:
        s = Short(game)
        s.start(1)
        s.opening({1: "8C"}, "7C", {1: "8D"}, "KH")
        s.add("split", 1, 0, 1)
        s.give(1, "8H", Role.SPLIT_SECOND)
        s.add("split", 1, 0, 2)
        for hand in (0, 2, 1):
            s.give(1, "KS", Role.SPLIT_SECOND, hand)
            s.end_hand(1, hand=hand)
        s.reveal()
        s.close(17)
        words = ("split", "split", "stand", "stand", "stand")
        return found(s, line(1, seat(1, *words)), resplits=resplits)

    clause = "633a.11(c) resplits" if game == Game.BLACKJACK else "635a.11(c) resplits"
    assert judged(1) == [] and judged(0) == [(clause, reg.BY_THE_RULES)]


# ------------------------------------------------------------------------------------------------- irregular rounds
def paid(position: int, amount: str) -> dict[str, Any]:
    return {"position": position, "amount": amount}


@pytest.mark.clause("633a.14(g) none", "633a.14(i)")
def test_the_wager_of_a_dead_hand_is_returned() -> None:
    def judged(amount: str) -> list[tuple[str, str]]:
        s = Short()
        s.start(1, 2)
        s.give(1, "10C")
        s.irr(Irr.HAND_WITHOUT_CARDS, 2)
        s.up("7C")
        s.give(1, "8C")
        s.hole("KH")
        s.stand(1)
        s.end_hand(2, HandEnd.DEAD)
        s.reveal()
        s.close()
        return found(s, line(1, seat(1, "stand"), seat(2), paid=[paid(1, "10.00"), paid(2, amount)]))

    assert judged("0.00") == []
    assert judged("-10.00") == [("633a.14(g) none", reg.PAID)]


@pytest.mark.clause("635a.13(a) more", "633a.14(j)(1)")
@pytest.mark.parametrize("amount", ["0.00", "-10.00"])
def test_every_wager_of_a_void_round_is_returned(amount: str) -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    s.give(1, "KC")
    s.irr(Irr.FACE_UP_CARD)
    s.irr(Irr.SECOND_FACE_UP_CARD)
    s.close(0, 1)
    key = "spanish_match_the_dealer"
    seats = seat(1, side={key: "5.00"}), seat(2)
    one = line(1, *seats, paid=[paid(1, "0.00"), paid(2, amount)])
    told = found(s, one, key)
    assert told == ([] if amount == "0.00" else [("635a.13(a) more", reg.PAID)])


INSURED = seat(1, "stand", insurance="5.00"), seat(2, "stand")
"""Against the 7 of the usual round, 633a.8(a)."""


@pytest.mark.clause("633a.8(a)")
def test_an_irregularity_that_was_handled_hides_no_wager_that_cannot_be_settled() -> None:
    """The unknown card keeps the round from being played again, so that only its settlement finds the insurance."""
    s = Short()
    s.s.open(held_before_the_round(s), Role.OPENING, 1, 0)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH", skip=True)
    s.irr(Irr.CARD_UNKNOWN)
    s.finish_usual()
    s.end()
    told = report(s, [line(1, *INSURED)], rules_of()).findings
    assert [(one.check, one.verdict) for one in told] == [
        (registry.DRAWN_IN_ERROR, HANDLED),
        (registry.UNKNOWN_CARD, CANNOT_TELL),
        (reg.BY_THE_RULES, BREACH),
    ]
    assert told[-1].clause == "633a.8(a)"


def test_a_finding_that_is_only_counted_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with a wager is found when a round is played again, and else when it is settled."""
    s = Short()
    for unknown in (False, False, True, False, True):
        s.usual()
        if unknown:
            s.irr(Irr.CARD_UNKNOWN)
        s.finish_usual()
    s.end()
    lines = [line(number, *INSURED) for number in range(1, 6)]
    every = report(s, lines, rules_of()).findings
    assert [one.check for one in every].count(reg.BY_THE_RULES) == 5
    for most in range(len(every)):
        monkeypatch.setattr(context, "MOST_FINDINGS", most)
        kept = report(s, lines, rules_of())
        assert all(one in every for one in kept.findings)
        assert most == len(kept.findings) and most + kept.summary.dropped == len(every)


@pytest.mark.clause("633a.14(i)")
def test_a_card_taken_late_is_a_decision_of_the_record() -> None:
    s = Short()
    s.usual()
    s.end_hand(1)
    s.stand(2)
    s.irr(Irr.MISSED_CARD, 1)
    s.give(1, "2D", Role.LATE)
    s.end_hand(1)
    s.reveal()
    s.close(17)
    assert found(s, line(1, seat(1, "hit", "late_card", "stand"), seat(2, "stand"))) == []


# ------------------------------------------------------------------------------------------------- what cannot be told
@pytest.mark.clause("590.2(b)(3)(i)-(iii)", "635a.2(b)(3)(i)-(iii)")
@pytest.mark.parametrize(
    ("game", "clause"),
    [(Game.FREE_BET, "590.2(b)(3)(i)-(iii)"), (Game.SPANISH_21, "635a.2(b)(3)(i)-(iii)")],
)
def test_the_submission_of_another_chapter_is_named_by_its_own_clause(game: Game, clause: str) -> None:
    s = Short(game)
    usual_round(s)
    s.end()
    (one,) = findings(s, [line(1)], rules_of(game, decks=8))
    assert (one.check, one.clause) == (reg.SUBMITTED, clause)


@pytest.mark.clause("633a.2(b)(3)")
def test_a_shoe_that_is_not_the_submitted_one_is_not_settled() -> None:
    for changes in (
        {"game": Game.SPANISH_21},
        {"decks": 8},
        {"shoe": "double", "decks": 6, "red_side": "A"},
    ):
        s = Short()
        usual_round(s)
        s.end()
        game = changes.pop("game", Game.BLACKJACK)
        (one,) = findings(s, [line(1, paid=[paid(1, "99.00")])], rules_of(game, **changes))
        assert (one.check, one.verdict) == (reg.SUBMITTED, CANNOT_TELL)
    s = Short(kind=ShoeKind.DOUBLE)
    s.end()


@pytest.mark.clause("633a.7(d)(1) mapping", "633a.2(b)(3)")
def test_the_side_of_the_red_suits_is_the_submitted_one() -> None:
    s = Short(kind=ShoeKind.DOUBLE, color=1)
    s.start(1)
    s.card(Role.DETERMINANT_FIRST, 1, "KC")
    s.add("side_chosen", 0)
    s.opening({1: "KC"}, "7C", {1: "8C"}, "KH", skip=True)
    stand_all(s, 1, total=17)
    s.end()
    one = line(1, seat(1, "stand"))
    wrong = findings(s, [one], rules_of(Game.BLACKJACK, decks=8, shoe="double", red_side="A"))
    assert [found.check for found in wrong] == [reg.SUBMITTED]
    assert findings(s, [one], rules_of(Game.BLACKJACK, decks=8, shoe="double", red_side="B")) == []


def test_a_round_that_the_history_does_not_hold_to_its_end_is_not_settled() -> None:
    s = Short()
    s.usual()
    (one,) = findings(s, [line(1, paid=[paid(1, "99.00")])], rules_of())
    assert (one.check, one.verdict) == (reg.UNSETTLED, CANNOT_TELL)


def test_what_the_shoe_shows_by_itself_is_said_once() -> None:
    """A dealer who stops on 15 with a live hand is the shoe's finding; the record adds no second one."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "KC", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "8H")
    stand_all(s, 1, 2, total=15)
    s.end()
    told = report(s, [line(1)], rules_of()).findings
    assert [(one.clause, one.verdict) for one in told] == [("633a.7(m)", BREACH)]


@pytest.mark.clause("633a.7(q) loss", "633a.7(p)(2)")
def test_payments_may_be_told_by_hand_by_wager_or_in_one_sum() -> None:
    for one in (
        [paid(1, "10.00"), paid(2, "10.00")],
        [{**paid(1, "10.00"), "wager": "main"}, {**paid(2, "10.00"), "hand": 1}],
        [{**paid(1, "10.00"), "wager": "main", "hand": 1}, paid(2, "10.00")],
    ):
        s = Short()
        usual_round(s)
        assert found(s, line(1, paid=one)) == []
    s = Short()
    usual_round(s)
    assert found(s, line(1, paid=[{**paid(1, "10.00"), "hand": 2}, paid(2, "10.00")])) == [
        ("633a.13(a)", reg.PAID),
        ("633a.7(p)(2)", reg.PAID),
    ]


@pytest.mark.clause("633a.13(j)(2)", "633a.13(l)(2)", "633a.13(m)(2)")
@pytest.mark.parametrize(
    ("key", "start", "clause"),
    [
        ("bad_beat", 5000, "633a.13(j)(2)"),
        ("hit_and_run", 1000, "633a.13(l)(2)"),
        ("straight_jack", 5000, "633a.13(m)(2)"),
    ],
)
def test_a_meter_falls_only_by_what_was_won_and_grows_by_its_share(key: str, start: int, clause: str) -> None:
    """The rate is a tenth: after a wager of 50.00 the meter shows 5.00 more; a linked one at least."""

    def judged(first: int, second: int, linked: bool = False) -> list[tuple[str, str]]:
        s = Short()
        usual_round(s)
        usual_round(s)
        s.end()
        seats = seat(1, "stand", side={key: "50.00"}), seat(2, "stand")
        lines = [line(at, *seats, meters={key: str(amount)}) for at, amount in ((1, first), (2, second))]
        rules = rules_of(Game.BLACKJACK, key)
        offers = {key: replace(rules.wagers[key], linked=linked)}
        told = findings(s, lines, replace(rules, wagers=offers))
        return [(one.clause, one.check) for one in told]

    assert judged(start, start + 5) == [] and judged(start, start + 5, linked=True) == []
    assert judged(start, start + 500, linked=True) == []
    assert judged(start, start + 500) == judged(start, start + 6) == [(clause, reg.METER)]
    assert judged(start, start + 4) == judged(start, start + 4, linked=True) == [(clause, reg.METER)]
    assert judged(start + 900, start) == [(clause, reg.METER)]
    assert judged(start - 1, start - 2) == [(clause, reg.METER)] * (1 if key == "straight_jack" else 2)
    # A tenth of Straight Jack's meter can be won, so that it may stand below its start.
    assert judged(start - 1, start + 4) == ([] if key == "straight_jack" else [(clause, reg.METER)])
    assert judged(start - 1, start + 5) == [(clause, reg.METER)]


@pytest.mark.clause("633a.13(m)(2)")
@pytest.mark.parametrize(("after", "low"), [(4505, False), (4504, True), (4400, True), (500, True)])
def test_a_straight_jack_meter_that_was_lowered_by_more_than_was_won_is_named(after: int, low: bool) -> None:
    """A straight of six from an ace of diamonds wins a tenth of 5,000.00; a tenth of the next 50.00 is added."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "AD", 2: "9C"}, "7C", {1: "2C", 2: "KD"}, "KH")
    for card in ("3C", "4C", "5C", "6C"):
        s.give(1, card, Role.DRAW)
    s.end_hand(1, HandEnd.TWENTY_ONE)
    s.stand(2)
    s.reveal()
    s.close(17)
    usual_round(s)
    s.end()
    side = {"straight_jack": "50.00"}
    seats = [seat(1, *["hit"] * 4, side=side), seat(2, "stand")], [seat(1, "stand", side=side), seat(2, "stand")]
    lines = [line(at, *seats[at - 1], meters={"straight_jack": str(amount)}) for at, amount in ((1, 5000), (2, after))]
    told = findings(s, lines, rules_of(Game.BLACKJACK, "straight_jack"))
    assert [(one.clause, one.check, one.round) for one in told] == [("633a.13(m)(2)", reg.METER, 2)] * low
    due = "it must show $4,505.00, by the wagers and wins since it showed $5,000.00."
    assert not low or f"shows ${after:,}.00; {due}" in told[0].sentence


def test_a_round_by_the_rules_and_the_one_that_was_dealt_are_told_apart_by_hands_and_cards() -> None:
    one = played("blackjack", "1=10", "8c 7h 8d Ks", "1:stand")
    two = played("blackjack", "1=10", "8c 7h 8d Ks 2c 3c", "1:split 1:stand 1:stand")
    other = played("blackjack", "1=10", "8c 7h 9d Ks", "1:stand")
    assert differs(one, one) is None
    assert differs(one, two) == ("position 1 has 1 hand in the record, and the shoe dealt 2.", None)
    assert differs(two, one) == ("position 1 has 2 hands in the record, and the shoe dealt 1.", None)
    assert differs(one, other) == ("position 1, hand 1: the record gives it 8♣ 8♦, the shoe dealt 8♣ 9♦.", None)
    dealer = played("blackjack", "1=10", "8c 7h 8d Qs", "1:stand")
    assert differs(one, dealer) == ("the dealer's hand by the rules is 7♥ K♠; the shoe dealt 7♥ Q♠.", "633a.7(m)")
