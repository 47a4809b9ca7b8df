"""New decks, an idle table, the stack offered for the cut and an unusable shuffler, from a table record; every chapter.

What the record tells in another order than the clause has it is a breach. What it leaves out is never verified.
"""

from __future__ import annotations

from typing import Any

import pytest
from shoetool.judge import registry_table as reg
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.verify import BREACH, CANNOT_TELL, verify
from short_shoe import Short
from table_case import event, findings, judge, line, next_shoe, of_each_game, report, rules_of, shoe_with, usual_round

Event = dict[str, Any]
NEW = event("decks_opened", preshuffled=False)
SHUFFLED = event("shuffled", by="hand")


def spread(batch: int | None = None, face_up: bool | None = True, **more: Any) -> Event:
    return event("cards_spread", **{} if batch is None else {"batch": batch}, face_up=face_up, **more)


def stacked(batch: int | None = None) -> Event:
    return event("cards_stacked", **{} if batch is None else {"batch": batch})


def told(found: list[Any]) -> list[tuple[str, str, str]]:
    return [(one.clause, one.check, one.verdict) for one in found]


def not_recorded(game: Game, *events: Event, shoes: int = 1, batches: bool = False, **changes: Any) -> list[str]:
    """What a record with these events before the last shoe's only round leaves out, and the findings it makes."""
    s = Short(game)
    usual_round(s)
    lines = [line(1)]
    for at in range(1, shoes):
        next_shoe(s, batch=1 + at % 2 if batches else 1)
        usual_round(s, 1 + at % 2 if batches else 1)
        lines.append(line(1))
    lines[-1]["events"] = list(events)
    s.end()
    rules = rules_of(game, **changes)
    required = judge(lines, rules)
    required._required = True
    left = [row.what for row in report(s, lines, rules).summary.left_out]
    found = [one for one in verify(s.s.records, required).findings if one.check.startswith("table ")]
    assert {one.verdict for one in found} == {CANNOT_TELL} and {one.check for one in found} == {reg.LEFT_OUT}
    assert all(any(what in one.sentence for one in found) for what in left)
    return left


# ------------------------------------------------------------------------------------------------- new decks
@of_each_game("633a.4(b)", "590.4(b)", "635a.4(c)")
def test_new_decks_are_spread_face_up(game: Game, clause: str) -> None:
    assert shoe_with(game, NEW, spread(), stacked(), SHUFFLED) == []
    assert told(shoe_with(game, NEW, spread(face_up=False), stacked(), SHUFFLED)) == [(clause, reg.SPREAD, BREACH)]
    ready = event("decks_opened", preshuffled=True)
    assert shoe_with(game, ready, spread(face_up=False), stacked(), SHUFFLED) == [], "633a.4(f): none of it applies"


@of_each_game("633a.4(c)", "590.4(c)", "635a.4(d)")
def test_new_decks_are_spread_then_stacked_then_shuffled(game: Game, clause: str) -> None:
    for events in (
        [stacked(), spread(), SHUFFLED],
        [spread(), SHUFFLED, stacked()],
        [SHUFFLED, spread(), stacked()],
    ):
        (found,) = shoe_with(game, NEW, *events)
        assert told([found]) == [(clause, reg.OPENED, BREACH)]
    assert "the cards were spread after they had been shuffled." in found.sentence


@of_each_game("633a.4(e)", "590.4(d)", "635a.4(f)")
def test_with_an_automatic_shuffler_each_batch_is_opened_apart(game: Game, clause: str) -> None:
    apart = [NEW, spread(1), stacked(1), spread(2), stacked(2), SHUFFLED]
    assert shoe_with(game, *apart, shuffler="automatic") == []
    together = [NEW, spread(1), spread(2), stacked(1), stacked(2), SHUFFLED]
    (found,) = shoe_with(game, *together, shuffler="automatic")
    assert told([found]) == [(clause, reg.APART, BREACH)]
    assert "batch 2 was spread while batch 1 lay on the table" in found.sentence
    assert shoe_with(game, *together, shuffler="continuous") == [], "not with a continuous shuffler"
    left_out = [NEW, spread(1), spread(2), stacked(2), SHUFFLED]
    assert shoe_with(game, *left_out, shuffler="automatic") == [], "when batch 1 was stacked, nobody can tell"
    (found,) = shoe_with(game, NEW, stacked(2), spread(1), stacked(1), spread(2), SHUFFLED, shuffler="automatic")
    assert found.check == reg.OPENED and "the cards of batch 2 were spread after" in found.sentence


@pytest.mark.clause("633a.4(d)")
def test_the_sides_of_a_double_shoe_are_opened_apart() -> None:
    def opened(*events: Event) -> list[Any]:
        s = Short(kind=ShoeKind.DOUBLE)
        s.start(1)
        s.opening({1: "KC"}, "7C", {1: "8C"}, "KH")
        s.stand(1)
        s.reveal()
        s.close(17)
        s.end()
        one = {"position": 1, "wager": "10.00", "decisions": ["stand"]}
        found = findings(s, [line(1, one, events=[NEW, *events])], rules_of(decks=8, shoe="double", red_side="A"))
        return [one for one in found if one.check in (reg.APART, reg.OPENED)]

    assert opened(spread(1), stacked(1), spread(2), stacked(2), SHUFFLED) == []
    assert told(opened(spread(2), spread(1), stacked(1), stacked(2))) == [("633a.4(d)", reg.APART, BREACH)]


@of_each_game("633a.4(e)", "590.4(d)", "635a.4(f)")
def test_how_new_decks_were_opened_is_not_verified_when_the_record_leaves_it_out(game: Game, clause: str) -> None:
    apart = [NEW, spread(1), stacked(1), spread(2), stacked(2), SHUFFLED]
    assert "opening of new decks" not in not_recorded(game, *apart, shuffler="automatic"), clause
    for left_out in (1, 2, 3, 4):
        events = apart[:left_out] + apart[left_out + 1 :]
        assert "opening of new decks" in not_recorded(game, *events, shuffler="automatic")
    for events in ([spread(), stacked()], [spread(1, None), stacked(1), spread(2), stacked(2)]):
        left = not_recorded(game, NEW, *events, SHUFFLED, shuffler="automatic")
        assert "opening of new decks" in left, "which batch, or how it lay"
    assert "opening of new decks" not in not_recorded(game, SHUFFLED, shuffler="automatic"), "no decks were opened"


# ------------------------------------------------------------------------------------------------- the cut
@of_each_game("633a.5(b)", "590.5(b)", "635a.5(b)")
def test_the_stack_is_offered_for_the_cut_with_its_backs_away_from_the_dealer(game: Game, clause: str) -> None:
    def offered(position: int, backs_away: bool, accepted: bool = True) -> Event:
        return event("cut_offered", position, accepted=accepted, backs_away=backs_away)

    cut = event("cut", 2, cards=40)
    assert shoe_with(game, offered(2, True), cut) == []
    found = shoe_with(game, offered(1, False, False), offered(2, False), cut)
    assert told(found) == [(clause, reg.STACK_OFFERED, BREACH)], "one stack is one finding"
    assert "with its backs toward the dealer" in found[0].sentence
    assert shoe_with(game, offered(2, False), cut, shuffler="continuous") == [], "633a.5(h)"


@of_each_game("633a.5(b)", "590.5(b)", "635a.5(b)")
def test_the_dealer_cuts_when_nobody_accepts_and_only_then(game: Game, clause: str) -> None:
    took, refused = event("cut_offered", 2, accepted=True), event("cut_offered", 2, accepted=False)
    dealer, player = event("cut", cards=40), event("cut", 2, cards=40)
    assert shoe_with(game, took, player) == shoe_with(game, refused, dealer) == []
    for events, words in (
        ([took, dealer], "the dealer cut the cards although position 2 had accepted the cut."),
        ([refused, player], "position 2 cut the cards, but nobody had accepted the cut; then the dealer cuts."),
    ):
        (found,) = shoe_with(game, *events)
        assert told([found]) == [(clause, reg.STACK_OFFERED, BREACH)] and words in found.sentence
    (found,) = shoe_with(game, took, player, second=[dealer])
    assert told([found]) == [(clause, reg.STACK_OFFERED, BREACH)] and "was not offered to a player" in found.sentence


@of_each_game("633a.5(b)", "590.5(b)", "635a.5(b)")
def test_the_cards_are_cut_after_the_cut_was_offered(game: Game, clause: str) -> None:
    took, cut = event("cut_offered", 2, accepted=True), event("cut", 2, cards=40)
    assert shoe_with(game, took, cut) == []
    (found,) = shoe_with(game, cut, took)
    assert told([found]) == [(clause, reg.STACK_OFFERED, BREACH)]
    assert "the cards were cut before the cut was offered" in found.sentence


@of_each_game("633a.5(b)", "590.5(b)", "635a.5(b)")
def test_how_the_stack_was_offered_is_not_verified_when_the_record_leaves_it_out(game: Game, clause: str) -> None:
    whole = event("cut_offered", 2, accepted=True, backs_away=True)
    assert "offer of the cut" not in not_recorded(game, whole), clause
    for offers in ([], [event("cut_offered", 2, accepted=True)], [whole, event("cut_offered", 1, backs_away=True)]):
        assert "offer of the cut" in not_recorded(game, *offers)
    assert "offer of the cut" not in not_recorded(game, shuffler="continuous")


# ------------------------------------------------------------------------------------------------- an idle table
def idle(game: Game, *events: Event, same: bool = False, fresh: bool = True, **changes: Any) -> list[Any]:
    """Findings of a second round before which the table was idle, the first of a shoe (of the `same` batch) or not."""
    s = Short(game)
    usual_round(s)
    batch = 1 if same else 2
    if fresh:
        next_shoe(s, batch=batch)
    usual_round(s, batch if fresh else None)
    s.end()
    lines = [line(1), line(1 if fresh else 2, events=[event("table_idle"), *events])]
    return findings(s, lines, rules_of(game, **changes))


SPREAD = (spread(face_up=False), stacked(), SHUFFLED)


@of_each_game("633a.5(g)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)")
def test_the_cards_of_an_idle_table_lie_face_down_unless_a_player_asks(game: Game, clause: str) -> None:
    assert idle(game, *SPREAD) == []
    assert idle(game, spread(face_up=True, requested=True), stacked(), SHUFFLED) == []
    asked = idle(game, spread(face_up=True, requested=False), stacked(), SHUFFLED)
    assert told(asked) == [(clause, reg.IDLE, BREACH)] and "no player had asked" in asked[0].sentence
    assert idle(game, spread(face_up=True, requested=False), shuffler="continuous") == [], "633a.5(h)"


@of_each_game("633a.5(g)(1)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)")
def test_without_a_shuffler_an_idle_table_s_cards_are_stacked_and_shuffled_again(game: Game, clause: str) -> None:
    dealt_on = idle(game, *SPREAD, fresh=False)
    assert told(dealt_on) == [(clause, reg.IDLE, BREACH)] and "they were to be shuffled and cut" in dealt_on[0].sentence
    wrong = idle(game, spread(face_up=False), SHUFFLED, stacked())
    assert told(wrong) == [(clause, reg.IDLE, BREACH)] and "stacked after they had been shuffled" in wrong[0].sentence
    assert idle(game, *SPREAD, same=True) == [], "there is one batch alone"


@of_each_game("633a.5(g)(2)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)")
def test_with_a_shuffler_the_batch_that_lay_in_it_is_dealt_after_an_idle_hour(game: Game, clause: str) -> None:
    assert idle(game, spread(1, False), stacked(1), shuffler="automatic") == []
    # A player may ask that the other batch be spread and shuffled too.
    asked = [spread(1, False), stacked(1), spread(2, True, requested=True), stacked(2), event("shuffled", by="hand")]
    assert idle(game, *asked, shuffler="automatic") == []
    for shoe, words in (
        ({"fresh": False}, "the batch in the shuffler was due"),
        ({"same": True}, "batch 1 was in the shoe before and came again"),
    ):
        found = idle(game, spread(1, False), shuffler="automatic", **shoe)
        assert told(found) == [(clause, reg.IDLE, BREACH)] and words in found[0].sentence


@of_each_game("633a.5(g)(2)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)")
def test_an_idle_hour_is_not_verified_when_the_record_leaves_out_what_became_of_the_cards(
    game: Game, clause: str
) -> None:
    def left(*events: Event) -> list[str]:
        return not_recorded(game, event("table_idle"), *events, shoes=2, batches=True, shuffler="automatic")

    assert "cards of an idle table" not in left(spread(1, False), stacked(1)), clause
    for events in ([], [stacked(1)], [spread(1, False)], [spread(1, None), stacked(1)], [spread(1, True), stacked(1)]):
        assert "cards of an idle table" in left(*events)
    assert "cards of an idle table" not in not_recorded(game, shoes=2, batches=True, shuffler="automatic")


# ------------------------------------------------------------------------------------------------- the shuffler
OUT, COVERED = event("shuffler_out_of_use"), event("shuffler_covered")
BY_DEVICE = event("shuffled", by="device")


@of_each_game("633a.14(m)", "590.13(l)", "635a.13(m)")
def test_an_unusable_shuffler_is_covered_before_the_cards_are_shuffled_in_another_way(game: Game, clause: str) -> None:
    assert shoe_with(game, OUT, COVERED, SHUFFLED) == []
    assert told(shoe_with(game, OUT, SHUFFLED, COVERED)) == [(clause, reg.UNUSABLE, BREACH)]
    assert told(shoe_with(game, OUT, SHUFFLED, second=[COVERED, SHUFFLED])) == [(clause, reg.UNUSABLE, BREACH)]
    assert shoe_with(game, OUT, BY_DEVICE, SHUFFLED, COVERED) == [], "it was repaired, and can be used"
    assert shoe_with(game, SHUFFLED, COVERED) == [], "it could be used"
    assert shoe_with(game, OUT, COVERED, SHUFFLED, second=[OUT, COVERED, SHUFFLED]) == []


@of_each_game("633a.14(m)", "590.13(l)", "635a.13(m)")
def test_an_unusable_shuffler_is_not_verified_when_the_record_leaves_out_its_cover(game: Game, clause: str) -> None:
    assert "unusable shuffler" not in not_recorded(game, OUT, COVERED, SHUFFLED), clause
    assert "unusable shuffler" in not_recorded(game, OUT, SHUFFLED)
    assert "unusable shuffler" in not_recorded(game, OUT, COVERED, event("shuffled")), "in which way, nobody can tell"
    assert "unusable shuffler" not in not_recorded(game, OUT, BY_DEVICE, SHUFFLED)
    assert "unusable shuffler" not in not_recorded(game, SHUFFLED)
