"""A hybrid table dealt by the firmware, told by its records and settled by the host, as the same round from a file.

Random legal rounds are pressed and drawn at the firmware's own dealing. Its records must give the host the round that
was played: the same lines of a settlement, and no finding.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "firmware"), str(ROOT / "tests" / "regulation")]

from dealing_history import history  # noqa: E402
from dealing_table import Table, config  # noqa: E402
from random_rounds import Playout, random_round  # noqa: E402
from shoe import wire_table as t  # noqa: E402
from shoe.config import AUTO_HIT  # noqa: E402
from shoetool.deal import play  # noqa: E402
from shoetool.model.protocol_table import RecordKind, Role  # noqa: E402
from shoetool.model.records import Record  # noqa: E402
from shoetool.round_file.dealt_play import play_input  # noqa: E402
from shoetool.round_file.dealt_round import Actions, Missing, table_round  # noqa: E402
from shoetool.round_file.seats import BettingPosition  # noqa: E402
from shoetool.rules.submission.file import example, parse  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission  # noqa: E402
from shoetool.settle.engine import settle  # noqa: E402
from shoetool.table.round import Round as DealtRound  # noqa: E402
from shoetool.table.stream import Stream  # noqa: E402
from shoetool.verify import Report, verify  # noqa: E402
from table_case import judge  # noqa: E402

RULES = {game: parse(example(game.replace("_", "-"))) for game in ("hybrid", "hybrid_no_hole")}
KEYS = {
    "hit": t.KEY_HIT,
    "stand": t.KEY_NEXT_HAND,
    "double": t.KEY_DOUBLE,
    "split": t.KEY_SPLIT,
    "surrender": t.KEY_SURRENDER,
}
DEALER_DRAW = int(Role.DEALER_DRAW)
EARLY = ("insurance", "even_money")


def dollars(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def report_of(records: list[Record], lines: list[dict[str, Any]], rules: RulesSubmission) -> Report:
    """What `verify` says of the history with these lines of a table record."""
    return verify(records, judge(lines, rules))


def press(table: Table, left: dict[int, list[str]], last_first: bool) -> None:
    """Every hand that has still to choose chooses; who has no choice waits for the end of the countdown."""
    waits = False
    words = [
        (hand, left[hand.box].pop(0) if hand.ended < 0 and not hand.wants else "") for hand in table.dealing.st.hands
    ]
    for hand, word in reversed(words) if last_first else words:
        if word == "no_choice":
            waits = True
        elif word:
            table.keys((KEYS[word], hand.box + 16 * hand.number))
    if waits:
        table.keys(t.KEY_COUNTDOWN)


def dealt(one: Playout, last_first: bool = False, after: tuple[int, ...] = ()) -> Table:
    """The round at the firmware's dealing. last_first: the choices before each card are made from the right; after:
    cards that the dealer draws when the round has all its cards."""
    no_hole = one.submission.game == "hybrid_no_hole"
    options = one.submission.countdown_draws_to << AUTO_HIT
    game = t.GAME_HYBRID_NO_HOLE if no_hole else t.GAME_HYBRID
    table = Table(config(game=game, decks=one.submission.decks, options=options))
    table.keys((t.KEY_LOAD, 0))
    seats = 0
    for stake in one.stakes:
        seats |= 1 << stake.position - 1
        if not no_hole:
            table.keys((t.KEY_SELECT, stake.position + 16 * (stake.player_position or 0)))
    table.open_round(seats)
    cards = list(one.cards)
    opening = 3 if no_hole else 2 + 2 * len({stake.player_position for stake in one.stakes})
    table.draw(*cards[:opening])
    left: dict[int, list[str]] = {stake.position: [] for stake in one.stakes}
    for made in one.decisions:
        if made.name not in EARLY:
            left[made.position].append(made.name)
    insured = 0
    for made in one.decisions:
        insured |= (made.name == "insurance") << made.position - 1
    if insured:
        table.keys((t.KEY_INSURANCE, insured))
    for card in cards[opening:]:
        if any(left.values()):
            press(table, left, last_first)
        if not no_hole and not table.dealing.st.revealed and not any(hand.wants for hand in table.dealing.st.hands):
            table.keys(t.KEY_REVEAL)
        table.draw(card)
    if any(left.values()):
        press(table, left, last_first)
    if not no_hole and not table.dealing.st.revealed:
        table.keys(t.KEY_REVEAL)
    table.draw(*after)
    table.keys(t.KEY_END_ROUND)
    assert not any(left.values())
    return table


def rounds_of(game: str, end: int) -> Iterator[tuple[int, Playout]]:
    """Random rounds and their seeds. With a hole card where the dealer shows 2 to 9: else the card reader device comes
    before the choices (test_dealing_hybrid)."""
    for seed in range(1, end):
        one = random_round(RULES[game], seed)
        if game == "hybrid_no_hole" or 0 < one.table_round.dealer[0] % 13 < 9:
            yield seed, one


def closed_round(table: Table) -> DealtRound:
    """The round as the host reads it from the records."""
    replay = Stream()
    for record in history(table):
        state = replay.feed(record)
        if state.closed_round is not None:
            return state.closed_round
    raise AssertionError("the round was not closed")


def seats_of(one: Playout, closed: DealtRound) -> tuple[BettingPosition, ...]:
    """What the round's players staked, and what they chose by the history."""
    chosen = Actions(closed).by_box
    even = {made.position for made in one.decisions if made.name == "even_money"}
    insured = {made.position: made.amount or 0 for made in one.decisions if made.name == "insurance"}
    return tuple(
        BettingPosition(
            *(stake.position, stake.wager),
            side=stake.side,
            insurance=insured.get(stake.position, 0),
            even_money=stake.position in even,
            decisions=tuple((word, None) for word in chosen.get(stake.position, ())),
            player_position=stake.player_position,
        )
        for stake in one.stakes
    )


@pytest.mark.clause("633c.5(n)(1)", "633c.5(q)#2", "633c.5(y)(4)", "633c.5(aa)#1", "633c.5(bb)#1", "633c.5(s)#2")
@pytest.mark.parametrize("last_first", (False, True))
@pytest.mark.parametrize("game", RULES)
def test_what_the_firmware_dealt_is_settled_as_the_same_round_from_a_file(game: str, last_first: bool) -> None:
    """In whichever order the hands of a terminal choose before a card."""
    seen = 0
    for seed, one in rounds_of(game, 120):
        table = dealt(one, last_first)
        closed = closed_round(table)
        seats = seats_of(one, closed)
        found = table_round(closed, seats, one.submission)
        assert not isinstance(found, Missing), (seed, found)
        plain = play_input(closed, seats)
        assert plain is not None, seed
        again = play(one.submission, plain.stakes, plain.cards, plain.decisions, plain.irregularities)
        lines = settle(one.table_round, one.submission).lines
        assert settle(found, one.submission).lines == lines == settle(again, one.submission).lines, seed
        report = verify(history(table))
        assert [finding.sentence for finding in report.findings if finding.verdict == "breach"] == [], seed
        seen += 1
    assert seen > 50


def line_of(one: Playout, more: int = 0) -> dict[str, Any]:
    """The round as a line of a table record, each terminal paid what is due, the first one `more` cents."""
    won: dict[int, int] = {}
    for each in settle(one.table_round, one.submission).lines:
        if each.position is not None:
            won[each.position] = won.get(each.position, 0) + each.net
    seats = []
    for stake in one.stakes:
        mine = [made for made in one.decisions if made.position == stake.position]
        seat: dict[str, Any] = {
            "position": stake.position,
            "wager": dollars(stake.wager),
            "side": {key: dollars(cents) for key, cents in stake.side.items()},
            "decisions": [made.name for made in mine if made.name not in EARLY],
        }
        if stake.player_position:
            seat["player_position"] = stake.player_position
        for made in mine:
            if made.name == "insurance":
                seat["insurance"] = dollars(made.amount or 0)
            elif made.name == "even_money":
                seat["even_money"] = True
        seats.append(seat)
    first = one.stakes[0].position
    paid = [{"position": at, "amount": dollars(cents + (more if at == first else 0))} for at, cents in won.items()]
    return {"history": {"round": 1}, "positions": seats, "paid": paid}


@pytest.mark.clause("633c.5(k)#1", "633c.5(t)(1)(ii)", "633c.5(cc)")
@pytest.mark.parametrize("game", RULES)
def test_a_table_record_of_a_hybrid_table_is_held_against_what_is_due(game: str) -> None:
    """Paid as due: nothing is found. A cent too much at one terminal: that is found, and nothing else."""
    seen = 0
    for seed, one in rounds_of(game, 40):
        table = dealt(one)
        for more in (0, 1):
            found = report_of(history(table), [line_of(one, more)], one.submission).findings
            wrong = [finding.sentence for finding in found if finding.check.startswith("table ")]
            assert len(wrong) == more, (seed, more, wrong)
        seen += 1
    assert seen > 15


@pytest.mark.clause("633c.5(k)#2", "633c.5(w)#2")
@pytest.mark.parametrize("game", RULES)
def test_wagers_are_placed_before_the_first_card(game: str) -> None:
    _, one = next(rounds_of(game, 40))
    table = dealt(one)
    for event, wanted in (({}, []), ({"after_card": 1}, ["633c.5(k)"])):
        line = {**line_of(one), "events": [{"event": "bets_closed", **event}]}
        found = report_of(history(table), [line], one.submission).findings
        assert [finding.clause for finding in found if finding.check.startswith("table ")] == wanted


@pytest.mark.clause("633c.5(n)(1)", "633c.5(y)(1)", "633c.5(aa)(3)")
@pytest.mark.parametrize("game", RULES)
def test_a_shared_card_lies_where_it_lay_when_a_terminal_splits(game: str) -> None:
    split = 0
    for seed, one in rounds_of(game, 120):
        closed = closed_round(dealt(one))
        split += any(len(hands) > 1 for hands in closed.boxes.values())
        assert {card.hand for card in closed.shared} == {0}, seed
    assert split > 3


@pytest.mark.clause("633a.14(d)", "633c.5(aa)#1")
def test_a_card_that_no_dealer_needs_is_discarded_and_decides_nothing() -> None:
    """Without a hole card the dealer stands where every terminal's dealer has enough."""
    extra = 0
    for seed, one in rounds_of("hybrid_no_hole", 120):
        plain, more = dealt(one), dealt(one, after=(7,))
        told = [one for one in verify(history(more)).findings if one.clause != "633a.7(s)"]  # no dealer is known
        if not any(event[:2] == (t.REC_IRREGULARITY, t.IRR_DEALER_DREW_ON_17) for _, event in more.records):
            continue  # a terminal whose hands are all over 21 takes it
        extra += 1
        assert [(one.clause, one.verdict) for one in told] == [("633a.14(d)", "irregularity handled")], seed
        assert "needed no further card at any terminal" in told[0].sentence
        closed = closed_round(more)
        seats = seats_of(one, closed)
        found = table_round(closed, seats, one.submission)
        assert not isinstance(found, Missing)
        assert found.draws_discarded == (7,)
        before = table_round(closed_round(plain), seats, one.submission)
        assert not isinstance(before, Missing)
        assert settle(found, one.submission).lines == settle(before, one.submission).lines
        plainly = play_input(closed, seats)
        assert plainly is not None, seed
        again = play(one.submission, plainly.stakes, plainly.cards, plainly.decisions, plainly.irregularities)
        assert settle(again, one.submission).lines == settle(found, one.submission).lines
    assert extra > 30


@pytest.mark.clause("633a.14(d)", "633a.7(m)")
@pytest.mark.parametrize("game", RULES)
def test_a_card_that_the_dealer_needed_is_not_discarded(game: str) -> None:
    """A file that tells of an accident before the dealer's last draw: he throws a card away and draws another one."""
    changed = 0
    for seed, one in rounds_of(game, 60):
        records = list(history(dealt(one, after=(7,))))
        draws = [
            at for at, told in enumerate(records) if told.kind == RecordKind.CARD and told.values[0] == DEALER_DRAW
        ]
        accident = [at for at, told in enumerate(records) if told.kind == RecordKind.IRREGULARITY]
        if not draws or not accident:
            continue
        changed += 1
        to, at = draws[-1], accident[-1]
        order = [*records[:to], *records[at : at + 2], *records[to:at], *records[at + 2 :]]
        told = verify([one._replace(number=told.number) for one, told in zip(order, records, strict=True)]).findings
        found = [(finding.clause, finding.verdict) for finding in told if finding.clause != "633a.7(s)"]
        assert ("633a.14(d)", "breach") in found, (seed, found)
        assert ("633a.14(d)", "irregularity handled") not in found, (seed, found)
    assert changed > 5


@pytest.mark.clause("633c.5(s)#2", "633c.5(aa)#1", "633c.5(bb)#1")
@pytest.mark.parametrize(("game", "clause"), [("hybrid", "633c.5(s)"), ("hybrid_no_hole", "633c.5(bb)(2)")])
def test_a_dealer_who_stops_short_is_told_once(game: str, clause: str) -> None:
    """The shoe reports it and its records show it. With every hand over 21 he needs his cards all the same."""
    no_hole = game == "hybrid_no_hole"
    table = Table(config(game=t.GAME_HYBRID_NO_HOLE if no_hole else t.GAME_HYBRID, decks=8))
    table.keys((t.KEY_LOAD, 0))
    if not no_hole:
        table.keys((t.KEY_SELECT, 1 + 16))
    table.open_round(1)
    table.draw(9, 5, 22)  # 10 and 10 against a 6
    if not no_hole:
        table.draw(35)  # 16 for the dealer
    table.keys((t.KEY_HIT, 1))
    table.draw(8)  # 29
    if not no_hole:
        table.keys(t.KEY_REVEAL)
    table.keys(t.KEY_END_ROUND)
    assert any(event[:2] == (t.REC_IRREGULARITY, t.IRR_DEALER_SHORT) for _, event in table.records)
    found = [finding for finding in verify(history(table)).findings if finding.round]
    assert [(finding.clause, finding.verdict) for finding in found] == [(clause, "breach")], found
