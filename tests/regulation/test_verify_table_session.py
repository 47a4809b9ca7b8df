"""Decks, batches, shuffle, cut and barred players, from what a table record says between the rounds; every chapter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from shoetool.judge import registry as shoe_checks
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Finish, Game, ShoeKind
from shoetool.verify import BREACH, HANDLED, context
from short_shoe import Short
from table_case import (
    GAMES,
    event,
    findings,
    line,
    next_shoe,
    of_each_game,
    report,
    rules_of,
    seat,
    shoe_with,
    usual_round,
)


# ------------------------------------------------------------------------------------------------- decks
@of_each_game("633a.3(d) 24 h", "590.3(c)", "635a.3(b)")
def test_decks_are_replaced_within_24_hours(game: Game, clause: str) -> None:
    opened = event("decks_opened", time="2026-11-20T12:00:00Z", preshuffled=True)
    assert shoe_with(game, opened, event("bets_closed", time="2026-11-21T12:00:00Z")) == []
    (found,) = shoe_with(game, opened, event("bets_closed", time="2026-11-21T12:00:01Z"))
    assert (found.clause, found.check, found.verdict) == (clause, reg.DECK_AGE, BREACH)
    late = [event("bets_closed", time=f"2026-11-21T{hour}:30:00Z") for hour in (15, 16)]
    (found,) = shoe_with(game, opened, *late)  # once for the same decks
    assert "the decks were opened 27.5 hours ago and not replaced; they last 24 hours." in found.sentence
    new = event("decks_opened", time="2026-11-21T11:00:00+00:00", preshuffled=True)
    assert shoe_with(game, opened, new, event("bets_closed", time="2026-11-21T13:00:00Z")) == []


@pytest.mark.clause("633a.3(b)(3)", "633a.3(b)(4)", "590.3(b)(3)", "590.3(b)(4)", "635a.3(d)(3)", "635a.3(d)(4)")
@pytest.mark.parametrize("game", GAMES)
def test_with_an_automatic_shuffler_no_batch_comes_twice_in_a_row(game: Game) -> None:
    """633a.3(b)(3)-(4): one batch waits shuffled in the machine while the other is in play."""

    def shoes(*batches: int, shuffler: str = "automatic") -> list[Any]:
        s = Short(game, opened=False)
        lines = []
        for at, batch in enumerate(batches):
            if at:
                s.end()
            s.round = 0
            s.add("shoe_opened", s.game, s.kind, s.decks, batch, 9, 0, 7, 0, 1)
            s.add("loaded", 0, s.batch)
            s.burns.append(s.s.seal(7, 14, 0, 0, 1, batch))
            usual_round(s, batch)
            lines.append(line(1))
        s.end()
        return findings(s, lines, rules_of(game, shuffler=shuffler))

    assert shoes(1, 2, 1, 2) == []
    (found,) = shoes(1, 2, 2, 1)
    clause = {"blackjack": "633a.3(b)(4)", "free_bet": "590.3(b)(4)", "spanish_21": "635a.3(d)(4)"}[game.name.lower()]
    assert (found.clause, found.check) == (clause, reg.BATCHES) and "batch 2" in found.sentence
    assert shoes(1, 1, shuffler="none") == [], "without a shuffler one batch is enough"


@of_each_game("633a.5(a) when", "590.5(a)", "635a.5(a)")
def test_the_cards_are_shuffled_before_each_shoe(game: Game, clause: str) -> None:
    assert shoe_with(game, event("shuffled"), second=[event("shuffled")]) == []
    (found,) = shoe_with(game, event("shuffled"), second=[])
    assert (found.clause, found.check) == (clause, reg.SHUFFLED)
    assert shoe_with(game, second=[]) == [], "a record without a word on shuffles is not held against them"


@of_each_game("633a.4(f)", "590.4(e)", "635a.4(e)")
def test_preshuffled_decks_need_no_shuffle_when_they_are_opened(game: Game, clause: str) -> None:
    assert shoe_with(game, event("decks_opened", preshuffled=True)) == [], clause
    (found,) = shoe_with(game, event("decks_opened", preshuffled=False))
    assert found.check == reg.SHUFFLED
    (again,) = shoe_with(game, event("decks_opened", preshuffled=True), second=[])
    assert again.check == reg.SHUFFLED, "only the first time"


@of_each_game("633a.14(l)", "590.13(k)", "635a.13(l)")
def test_after_the_shuffler_failed_the_cards_are_shuffled_again(game: Game, clause: str) -> None:
    (found,) = shoe_with(game, event("shuffler_failed"))
    assert (found.clause, found.check, found.verdict) == (clause, reg.SHUFFLER, BREACH)
    (found,) = shoe_with(game, event("shuffler_failed"), event("shuffled"))
    assert (found.clause, found.verdict) == (clause, HANDLED)


# ------------------------------------------------------------------------------------------------- the cut
@of_each_game("633a.5(d) cut", "590.5(d) cut", "635a.5(d) cut")
def test_a_cut_leaves_ten_cards_on_either_side(game: Game, clause: str) -> None:
    cards = 6 * (48 if game == Game.SPANISH_21 else 52)
    for depth, wrong in ((10, False), (9, True), (cards - 10, False), (cards - 9, True)):
        found = shoe_with(game, event("cut", 1, cards=depth))
        assert [(one.clause, one.check) for one in found] == ([(clause, reg.CUT_DEPTH)] if wrong else []), depth


@of_each_game("633a.5(d) place", "590.5(d) place", "635a.5(d) place")
def test_a_quarter_of_the_stack_lies_behind_the_cover_card(game: Game, clause: str) -> None:
    least = 6 * (48 if game == Game.SPANISH_21 else 52) // 4
    for behind in (least, least - 1):
        s = Short(game)
        usual_round(s)
        s.end()
        lines = [line(1, events=[event("cover_card_placed", cards=behind)])]
        found = [(one.clause, one.check) for one in report(s, lines, rules_of(game)).findings]
        assert found == ([] if behind == least else [(clause, shoe_checks.COVER_PLACE)])


@of_each_game("633a.5(e)", "590.5(e)", "635a.5(e)")
def test_a_recut_is_made_after_the_cut_by_who_is_entitled_to_it(game: Game, clause: str) -> None:
    offer, cut = event("cut_offered", 1, accepted=True), event("cut", 1, cards=40)
    assert shoe_with(game, offer, cut, event("recut_ordered"), event("cut", 1, cards=60)) == []
    for events in (
        [offer, cut, event("recut_ordered")],
        [event("recut_ordered"), offer, cut],
        [offer, cut, event("recut_ordered"), event("cut", 2, cards=60)],
    ):
        (found,) = shoe_with(game, *events)
        assert (found.clause, found.check) == (clause, reg.RECUT)


@of_each_game("633a.5(h)", "590.5(h)", "635a.5(h)")
def test_a_shuffler_that_reshuffles_by_itself_needs_no_cut(game: Game, clause: str) -> None:
    events = [event("cut", 1, cards=3), event("recut_ordered")]
    assert shoe_with(game, *events, shuffler="continuous") == [], clause
    assert shoe_with(game, *events) != []


@of_each_game("633a.5(c)(1)", "590.5(c)(1)", "635a.5(c)(1)")
def test_at_the_start_who_cuts_is_who_was_offered_the_cut_and_took_it(game: Game, clause: str) -> None:
    """Who came to the table first no record tells; any player may be offered the cut."""
    took, refused = event("cut_offered", 2, accepted=True), event("cut_offered", 2, accepted=False)
    assert shoe_with(game, took, event("cut", 2, cards=40)) == []
    assert shoe_with(game, refused, event("cut", cards=40)) == [], "the dealer cuts when nobody does"
    (found,) = shoe_with(game, took, event("cut", 1, cards=40))
    assert (found.clause, found.check) == (clause, reg.CUT_OFFER)


def second_shoe(game: Game, due: int | None, why: Finish, *events: dict[str, Any]) -> list[Any]:
    """A cover card that came before a card for `due` in the first shoe's only round, then these events."""
    s = Short(game)
    s.start(1, 2, 5)
    for box, card in ((1, "KC"), (2, "9C"), (5, "8S")):
        s.give(box, card)
    s.up("7C")
    for box, card in ((1, "8C"), (2, "KD"), (5, "KS")):
        s.give(box, card)
    s.hole("KH")
    if due is not None:
        s.add("cover_card", 0, 5, due, 1)
    s.stand(1, 2, 5)
    s.reveal()
    s.close(17)
    next_shoe(s, why)
    usual_round(s)
    s.end()
    three = [seat(box, "stand") for box in (1, 2, 5)]
    lines = [line(1, *three), line(1, events=[*events])]
    return findings(s, lines, rules_of(game))


@of_each_game("633a.5(c)(2)", "590.5(c)(2)", "635a.5(c)(2)")
def test_the_cut_is_offered_to_the_player_at_whose_area_the_cover_card_came(game: Game, clause: str) -> None:
    cut = event("cut", 2, cards=40)
    assert second_shoe(game, 2, Finish.COVER_CARD, event("cut_offered", 2, accepted=True), cut) == []
    (found,) = second_shoe(game, 1, Finish.COVER_CARD, event("cut_offered", 2, accepted=True), cut)
    assert (found.clause, found.check) == (clause, reg.CUT_OFFER) and "position 1 was due" in found.sentence


@of_each_game("633a.5(c)(3)", "590.5(c)(3)", "635a.5(c)(3)")
def test_the_cut_goes_counterclockwise_from_the_right_when_the_cover_card_came_to_the_dealer(
    game: Game, clause: str
) -> None:
    offers = [event("cut_offered", 5, accepted=False), event("cut_offered", 2, accepted=True)]
    assert second_shoe(game, 0, Finish.COVER_CARD, *offers, event("cut", 2, cards=40)) == []
    wrong = [event("cut_offered", 5, accepted=False), event("cut_offered", 1, accepted=True)]
    (found,) = second_shoe(game, 0, Finish.COVER_CARD, *wrong, event("cut", 1, cards=40))
    assert (found.clause, found.check) == (clause, reg.CUT_OFFER) and "counterclockwise" in found.sentence


@of_each_game("633a.5(c)(4)", "590.5(c)(4)", "635a.5(c)(4)")
def test_the_cut_goes_counterclockwise_from_the_right_after_an_ordered_reshuffle(game: Game, clause: str) -> None:
    assert second_shoe(game, None, Finish.ORDERED, event("cut_offered", 5, accepted=True)) == []
    (found,) = second_shoe(game, None, Finish.ORDERED, event("cut_offered", 1, accepted=True))
    assert (found.clause, found.check) == (clause, reg.CUT_OFFER) and "position 5 was due" in found.sentence
    told = [event("reshuffle_ordered"), event("cut_offered", 1, accepted=True)]
    (found,) = second_shoe(game, None, Finish.DAY_END, *told)
    assert found.clause == clause


# ------------------------------------------------------------------------------------------------- who may bet
def rounds(game: Game, *lines: dict[str, Any], shoes: bool = False) -> list[Any]:
    """Findings of usual rounds with these lines; with `shoes` each is of a shoe of its own."""
    s = Short(game)
    for at in range(len(lines)):
        if at and shoes:
            next_shoe(s)
        usual_round(s)
    s.end()
    return findings(s, lines, rules_of(game))


@of_each_game("633a.6(b)", "590.6(b)", "635a.6(b)")
def test_a_barred_player_bets_again_only_when_admitted_or_after_a_reshuffle(game: Game, clause: str) -> None:
    ann, bob = seat(1, "stand", player="Ann"), seat(2, "stand", player="Bob")
    new = seat(2, "stand", player="Cid")
    bar = event("barred", player="Bob")
    assert rounds(game, line(1, ann, new), line(2, ann, new, events=[bar])) == []
    (found,) = rounds(game, line(1, ann, new), line(2, ann, bob, events=[bar]))
    assert (found.clause, found.check) == (clause, reg.BARRED) and "Bob" in found.sentence
    admitted = [event("admitted", player="Bob")]
    barred = line(2, ann, new, events=[bar])
    assert rounds(game, line(1, ann, new), barred, line(3, ann, bob, events=admitted)) == []
    again = line(1, ann, bob)
    assert rounds(game, line(1, ann, new, events=[bar]), again, shoes=True) == [], "a reshuffle frees him"


@of_each_game("633a.6(b)", "590.6(b)", "635a.6(b)")
def test_only_who_sat_out_a_round_may_be_barred(game: Game, clause: str) -> None:
    ann, bob = seat(1, "stand", player="Ann"), seat(2, "stand", player="Bob")
    found = rounds(game, line(1, ann, bob), line(2, ann, bob, events=[event("barred", player="Bob")]))
    assert found[0].clause == clause and "had wagered in the last round" in found[0].sentence


@pytest.mark.clause("633a.2(b)(3)")
@pytest.mark.parametrize(
    ("kind", "color", "rules", "words"),
    [
        (ShoeKind.SINGLE, 0, {"game": "free_bet"}, "set up for blackjack, the rules submission is for free bet"),
        (ShoeKind.SINGLE, 0, {"decks": 8}, "the shoe holds 6 decks, the rules submission says 8"),
        (ShoeKind.SINGLE, 0, {"shoe": "double", "red_side": "A"}, "is a single one, the rules submission says double"),
        (ShoeKind.DOUBLE, 0, {"decks": 8}, "is a double one, the rules submission says single"),
        (
            ShoeKind.DOUBLE,
            1,
            {"decks": 8, "shoe": "double", "red_side": "A"},
            "of the shoe is not side A of the rules",
        ),
        (
            ShoeKind.DOUBLE,
            0,
            {"decks": 8, "shoe": "double", "red_side": "B"},
            "of the shoe is not side B of the rules",
        ),
        (ShoeKind.DOUBLE, 1, {"decks": 8, "shoe": "double", "red_side": "B"}, ""),
        (ShoeKind.DOUBLE, 0, {"decks": 8, "shoe": "double", "red_side": "A"}, ""),
    ],
)
def test_a_shoe_that_is_not_the_submission_s_is_told_once_and_its_rounds_are_not_settled(
    kind: ShoeKind, color: int, rules: dict[str, Any], words: str
) -> None:
    s = Short(kind=kind, color=color)
    for _ in range(2):
        usual_round(s)
    s.end()
    seats = (seat(1, "hit", wager="10.00"), seat(2, "stand"))  # position 1 stood
    found = findings(s, [line(1, *seats), line(2, *seats)], replace(rules_of(), **rules))
    told = [one for one in found if one.check == reg.SUBMITTED]
    if not words:
        assert not told
        return
    (one,) = told
    assert words in one.sentence and one.sentence.endswith("; rounds are not settled.")
    assert found == told, "by the rules of another table nothing is said of either round"


def test_a_history_that_begins_after_the_opening_is_taken_as_that_of_the_first_shoe() -> None:
    s = Short(opened=False)
    usual_round(s)
    for shoe, checks in ((1, [reg.UNSETTLED]), (0, [reg.ROUNDS, reg.ROUNDS]), (2, [reg.ROUNDS, reg.ROUNDS])):
        found = findings(s, [{**line(1), "history": {"shoe": shoe, "round": 1}}], rules_of())
        assert [one.check for one in found] == checks, shoe


def test_lines_that_belong_to_no_round_are_named_where_they_stand() -> None:
    s = Short()
    for _ in range(2):
        usual_round(s)
    s.end()
    told = report(s, [line(number) for number in (7, 1, 8, 2)], rules_of())
    found = [one.sentence for one in told.findings if one.check == reg.ROUNDS]
    end = "the history has no such round, or the line is out of order, or another line was for this round."
    assert found == [
        f"Line {number} of the table record is for round {round_}: {end}" for number, round_ in ((1, 7), (3, 8))
    ]
    assert not any("switch hands" in note for note in told.summary.notes), "no round has an ante"


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 10])
def test_what_a_report_has_no_room_for_is_counted_once(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wager that is not offered, in three rounds: why none of them can be settled was said already."""
    monkeypatch.setattr(context, "MOST_FINDINGS", kept)
    s = Short()
    for _ in range(3):
        usual_round(s)
    s.end()
    seats = (seat(1, "stand", side={"lucky_ladies": "5.00"}), seat(2, "stand"))
    told = report(s, [line(number, *seats) for number in (1, 2, 3)], rules_of())
    assert (len(told.findings), told.summary.dropped) == (min(kept, 3), max(0, 3 - kept))
    assert {one.check for one in told.findings} <= {reg.SIDE_WAGER}
