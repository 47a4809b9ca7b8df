"""Mystery bonuses over a whole table record: meters, commitments, openings, who won and what was paid."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from shoetool.judge import registry_table as reg
from shoetool.model.money import cents
from shoetool.model.money import dollars as written
from shoetool.model.protocol_table import Game
from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.trust.hidden_value import Opening
from shoetool.verify import BREACH, CANNOT_TELL, Finding, Report, verify
from shoetool.verify.recorded import HIDDEN_VALUES
from shoetool.verify.table_record import TableJudge
from short_shoe import Short
from table_case import event, judge, line, next_shoe, report, rules_of, seat, usual_round

KEY, WAGER = "must_hit_by", "straight_jack"
Row = tuple[str, str, str]


def nonce(number: int = 0) -> bytes:
    return hashlib.sha256(bytes([number])).digest()


def opening(value: str, number: int = 0) -> Opening:
    return Opening(cents(value), nonce(number))


def committed(*openings: Opening, key: str = KEY) -> list[dict[str, str]]:
    return [{"mystery": key, "commitment": one.commitment().hex()} for one in openings]


def opened(*openings: Opening, key: str = KEY) -> list[dict[str, str]]:
    return [{"mystery": key, "value": written(one.value), "nonce": one.nonce.hex()} for one in openings]


def table(name: str = "A1", paid_from: str = "slip", **choices: str) -> RulesSubmission:
    rules = rules_of(Game.BLACKJACK, WAGER)
    return replace(rules, mysteries={KEY: MysteryOffer(WAGER, name, paid_from)}, choices=choices)


def round_line(number: int, meter: str | None, *bets: str, order: str = "12", **more: Any) -> dict[str, Any]:
    """A round in which positions 1 and 2 bet so much on Straight Jack ("" for nothing), accepted in this order."""
    seats = [
        seat(at, "stand", side={WAGER: bet} if bet else {}) for at, bet in zip((1, 2), (*bets, "", "")[:2], strict=True)
    ]
    placed = [event("bet_placed", int(at), WAGER) for at in order if bets[int(at) - 1 : int(at)] not in ((), ("",))]
    meters = {} if meter is None else {"meters": {KEY: meter}}
    return line(number, *seats, **meters, **{"events": [*placed, *more.pop("events", [])], **more})


def rounds(count: int) -> Short:
    s = Short()
    for _ in range(count):
        usual_round(s)
    return s


def told(lines: list[dict[str, Any]], rules: RulesSubmission | None = None, s: Short | None = None) -> Report:
    if s is None:
        s = rounds(len(lines))
    s.end()
    return report(s, lines, rules or table())


def rows(found: Report) -> list[Row]:
    """(verdict, check, clause) of what the record is held against, but for what belongs to the shoe alone."""
    of_record = [one for one in found.findings if one.check.startswith("table ")]
    print([one.sentence for one in of_record])
    return [(one.verdict, one.check, one.clause) for one in of_record]


def sentences(found: Report, check: str) -> list[str]:
    return [one.sentence for one in found.findings if one.check == check]


def evidence(found: Report) -> tuple[int, int, list[int]]:
    (row,) = [one for one in found.summary.evidence if one.what == HIDDEN_VALUES]
    assert row.words == f"hidden values checked in {row.count} of {row.of} commitment{'' if row.of == 1 else 's'}"
    return row.count, row.of, row.missing


BONUS_150_01 = [{"position": 2, "wager": KEY, "amount": "150.01"}]
FIRST, SECOND = opening("150.00"), opening("120.00", 1)


def honest(**changes: Any) -> list[dict[str, Any]]:
    """149.97, two contributions; then 149.99 and 150.01 by position 2, which is accepted first; then the next cycle."""
    hit = {"opened": opened(FIRST), "committed": committed(SECOND), "order": "21"}
    return [
        round_line(1, "149.95", "1.00", "1.00", committed=committed(FIRST)),
        round_line(2, "149.99", "1.00", "1.00", **{**hit, **changes}),
        round_line(3, "100.02", "1.00", "1.00"),
        round_line(4, "100.06", "1.00"),
    ]


# ------------------------------------------------------------------------------------------------ honest records
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#1", "633c.14(c)(3)#2", "633c.14(c)(5)(iv)")
def test_an_honest_record_is_followed_to_the_cent_and_its_hidden_value_checked() -> None:
    found = told(honest())
    assert rows(found) == []
    assert evidence(found) == (1, 2, [2])  # the second commitment, of round 2, is not opened


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_commitment_that_is_not_opened_is_told_as_not_checked() -> None:
    found = told([round_line(1, "120", "1.00", committed=committed(FIRST, SECOND))])
    assert rows(found) == [] and evidence(found) == (0, 2, [1, 1])
    assert "hidden values checked in 0 of 2 commitments" in [one.words for one in found.summary.left_out]


@pytest.mark.clause("633c.14(c)(5)(iii)", "633c.14(c)(7)")
def test_the_payment_of_the_bonus_is_judged_with_the_others() -> None:
    def paid(*payments: dict[str, Any], at: int = 1) -> list[tuple[str, str, int, int]]:
        lines = honest()
        others = [{"position": at_, "wager": WAGER, "amount": "-1.00"} for at_ in (1, 2)]
        others += [{"position": at_, "wager": "main", "amount": "10.00"} for at_ in (1, 2)]
        lines[at]["paid"] = [*others, *payments]
        report_ = told(lines)
        rows(report_)
        return [(one.check, one.clause, one.payment.due, one.payment.paid) for one in report_.findings if one.payment]

    assert paid(*BONUS_150_01) == []
    assert paid() == [(reg.PAID, "633c.14(c)(3)", 150_01, 0)]
    short = [{"position": 2, "wager": KEY, "amount": "150.00"}]
    assert paid(*short) == [(reg.PAID, "633c.14(c)(3)", 150_01, 150_00)]
    wrong_seat = [{"position": 1, "wager": KEY, "amount": "150.01"}]
    assert paid(*wrong_seat) == [
        (reg.PAID, "633c.14(c)(3)", 0, 150_01),
        (reg.PAID, "633c.14(c)(3)", 150_01, 0),
    ]
    assert paid(*BONUS_150_01, at=2) == [(reg.PAID, "633c.14(c)(3)", 0, 150_01)]


@pytest.mark.clause("633c.14(c)(5)(i)", "633c.14(c)(5)(ii)")
def test_dealer_and_floorperson_verify_a_winner_before_he_is_paid() -> None:
    def judged(*names: str) -> list[Row]:
        before = [event(name, 2, KEY) for name in names]
        settled = [event("settled", at, wager, after_card=6) for wager in (WAGER, "main") for at in (2, 1)]
        events = [*before, event("settled", 2, KEY, after_card=0), *settled]
        lines = honest()
        lines[1]["events"] += events
        return rows(told(lines))

    assert judged("verified", "floorperson") == []
    assert judged("floorperson") == [(BREACH, reg.VERIFIED, "633c.14(c)(5)(i)")]
    assert judged("verified") == [(BREACH, reg.VERIFIED, "633c.14(c)(5)(ii)")]


def test_a_bonus_that_was_won_is_settled_once() -> None:
    lines = honest()
    lines[1]["events"] += [event("settled", at, wager, after_card=6) for wager in (WAGER, "main") for at in (2, 1)]
    assert rows(told(lines)) == [(BREACH, reg.NEVER_SETTLED, "633c.14(c)(3)")]


@pytest.mark.clause("633c.14(c)(2)")
def test_the_meter_is_followed_over_shoes_and_through_rounds_that_cannot_be_settled() -> None:
    """The second round has insurance without an ace up: it is not settled, and its contribution counts."""
    s = rounds(2)
    next_shoe(s)
    usual_round(s)
    bad = round_line(2, "120.04", "1.00")
    bad["positions"][0]["insurance"] = "5.00"
    lines = [round_line(1, "120.00", "1.00", "1.00", committed=committed(FIRST)), bad, round_line(1, "120.06", "1.00")]
    assert not [one for one in rows(told(lines, s=s)) if one[1] in (reg.MYSTERY_METER, reg.PASSED, reg.HIDDEN)]
    lines[2]["meters"][KEY] = "120.05"
    s = rounds(2)
    next_shoe(s)
    usual_round(s)
    found = told(lines, s=s)
    assert (BREACH, reg.MYSTERY_METER, "633c.14(c)(2)") in rows(found)
    assert sentences(found, reg.MYSTERY_METER) == [
        "Round 1: the meter of the Must-Hit-By Mystery bonus shows $120.05; it must show $120.06, by the wagers and "
        "wins since it showed $120.04."
    ]


# ------------------------------------------------------------------------------------------------ what is wrong
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(5)(iv)")
def test_a_meter_that_is_not_set_back_or_stands_below_the_minimum_is_named() -> None:
    lines = honest()
    lines[2]["meters"][KEY] = "100.00"
    assert rows(told(lines)) == [(BREACH, reg.MYSTERY_METER, "633c.14(c)(2)")]
    lines = [round_line(1, "99.99", "1.00", committed=committed(FIRST)), round_line(2, "100.77", "1.00")]
    assert rows(told(lines)) == [(BREACH, reg.MYSTERY_METER, "633c.14(c)(5)(iv)")]


@pytest.mark.clause("633c.14(c)(3)#1")
@pytest.mark.parametrize("shown", [opening("149.99"), Opening(150_00, nonce(9))])
def test_a_value_that_was_exchanged_after_the_commitment_is_named(shown: Opening) -> None:
    found = told(honest(opened=opened(shown)))
    assert rows(found) == [(BREACH, reg.HIDDEN, "633c.14(c)(3)")]
    assert "does not open the commitment" in sentences(found, reg.HIDDEN)[0]
    assert evidence(found) == (0, 2, [2, 2])
    again = [*honest()[:3], round_line(4, "119.99", "1.00", opened=opened(shown))]
    assert evidence(told(again)) == (1, 2, [4])


@pytest.mark.clause("633c.14(c)(3)#2")
def test_a_value_opened_a_round_late_is_named_with_who_passed_it() -> None:
    lines = [
        round_line(1, "149.99", "1.00", "1.00", order="21", committed=committed(FIRST)),
        round_line(2, "150.03", "1.00", opened=opened(FIRST)),
    ]
    found = told(lines)
    assert rows(found) == [(BREACH, reg.PASSED, "633c.14(c)(3)")]
    assert "$150.00 was opened in this round; position 2 passed it in round 1" in sentences(found, reg.PASSED)[0]


@pytest.mark.clause("633c.14(c)(3)#2")
def test_a_value_that_nobody_passed_and_one_past_the_maximum_are_named() -> None:
    early = [round_line(1, "149.90", "1.00", opened=opened(FIRST), committed=committed(FIRST))]
    assert rows(told(early)) == [(BREACH, reg.PASSED, "633c.14(c)(3)")]
    above = opening("200.01")
    late = [
        round_line(1, "199.98", "1.00", "1.00", committed=committed(above)),
        round_line(2, "200.02", "1.00", opened=opened(above)),
    ]
    found = told(late)
    assert rows(found) == [(BREACH, check, "633c.14(c)(3)") for check in (reg.PASSED, reg.PASSED, reg.HIDDEN)]
    assert "passed the maximum of $200.00, and no hidden value was opened" in sentences(found, reg.PASSED)[0]
    assert "position 2 passed it in round 1, and contributions ran on" in sentences(found, reg.PASSED)[1]
    assert "$200.01 does not lie between $100.00 and $200.00" in sentences(found, reg.HIDDEN)[0]


@pytest.mark.clause("633c.14(c)(3)#1")
def test_contributions_before_a_commitment_cannot_be_told() -> None:
    lines = honest()
    del lines[0]["committed"]
    lines[1]["committed"] = []
    found = told(lines)
    assert rows(found) == [(CANNOT_TELL, reg.HIDDEN, "633c.14(c)(3)")] * 2  # one for each cycle
    assert evidence(found) == (0, 1, [2])


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_commitment_that_was_opened_is_not_used_again() -> None:
    found = told(honest(committed=committed(SECOND, SECOND)))
    assert rows(found) == []  # one that waits may be named again
    lines = honest(committed=[])
    lines[2]["committed"] = committed(FIRST)
    found = told(lines)
    assert (BREACH, reg.HIDDEN, "633c.14(c)(3)") in rows(found)
    assert "was opened before: its value is known" in sentences(found, reg.HIDDEN)[-1] + sentences(found, reg.HIDDEN)[0]


@pytest.mark.clause("633c.14(a)")
def test_hidden_values_and_a_meter_of_a_bonus_that_is_not_offered_are_named_once() -> None:
    found = told(honest(), rules_of(Game.BLACKJACK, WAGER))
    of_bonus = [one for one in rows(found) if one[1] == reg.SIDE_WAGER]
    assert of_bonus == [(BREACH, reg.SIDE_WAGER, "633a.6(e)"), (BREACH, reg.SIDE_WAGER, "633c.14(a)")]


# ------------------------------------------------------------------------------------------------ what is missing
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2")
def test_without_the_order_of_acceptance_who_won_cannot_be_told_and_no_payment_of_it_is_judged() -> None:
    lines = honest(order="")
    lines[1]["paid"] = [
        *({"position": at, "wager": wager, "amount": won} for at in (1, 2) for wager, won in PAID_OTHERS),
        {"position": 1, "wager": KEY, "amount": "150.01"},
    ]
    found = told(lines)
    assert rows(found) == [(CANNOT_TELL, reg.PASSED, "633c.14(c)(3)")]
    assert 'write a "bet_placed" event' in sentences(found, reg.PASSED)[0]
    lines[1]["paid"] = [{"position": at, "amount": "9.00"} for at in (1, 2)]  # sums: the bonus would be in one of them
    assert sorted(rows(told(lines))) == [
        (CANNOT_TELL, reg.PASSED, "633c.14(c)(3)"),
        (CANNOT_TELL, reg.UNSETTLED, "633a.7(a)"),
    ]


PAID_OTHERS = ((WAGER, "-1.00"), ("main", "10.00"))


@pytest.mark.clause("633c.14(c)(7)")
def test_a_part_of_a_cent_that_the_displays_showed_decides_the_amount() -> None:
    """C for $5: half a cent a dollar. From one display alone the half cents are not known."""
    hit = opening("300.00")
    last = round_line(2, "299.99", "5.00", opened=opened(hit))
    alone = [round_line(1, "299.99", "", committed=committed(hit)), last]
    assert rows(told(alone, table("C5"))) == [(CANNOT_TELL, reg.PASSED, "633c.14(c)(3)")]
    before = [round_line(1, "299.97", "5.00", committed=committed(hit)), last]
    due = [{"position": 1, "wager": KEY, "amount": "300.02"}]
    before[1]["paid"] = [*due, *({"position": 1, "wager": w, "amount": p} for w, p in (("straight_jack", "-5.00"),))]
    before[1]["paid"] += [{"position": at, "wager": "main", "amount": "10.00"} for at in (1, 2)]
    assert rows(told(before, table("C5"))) == []  # 299.97 and less than half a cent, so 300.02 and as much


@pytest.mark.clause("633c.14(c)(3)#1")
def test_after_rounds_that_are_missing_an_opening_may_be_for_any_commitment() -> None:
    lines = honest()
    del lines[1]
    found = told(lines, s=rounds(4))
    assert rows(found) == [(CANNOT_TELL, reg.ROUNDS, "633a.7(s)")]
    third = opening("130.00", 2)
    lines = [
        round_line(1, "120.00", "1.00", committed=committed(FIRST, SECOND)),
        round_line(3, "119.99", "1.00", opened=opened(SECOND), committed=committed(third)),
    ]
    found = told(lines, s=rounds(3))
    assert [one for one in rows(found) if one[1] != reg.ROUNDS] == []
    assert evidence(found) == (1, 3, [1, 3])  # the first one was opened in the missing round, if it was
    lines[1]["opened"] = opened(opening("119.99", 5))
    found = told(lines, s=rounds(3))
    assert (CANNOT_TELL, reg.HIDDEN, "633c.14(c)(3)") in rows(found) and not breaches(found)


@pytest.mark.clause("633c.14(c)(3)#1", "633c.14(c)(2)")
def test_where_a_meter_fell_without_an_opening_later_ones_are_not_held_against_the_wrong_commitment() -> None:
    """The record leaves out what was opened in round 2: that is named once, by the meter."""
    lines = honest(opened=[])
    third = opening("100.07", 2)
    lines[2]["committed"] = committed(third)
    lines[3] |= {"opened": opened(SECOND), "meters": {KEY: "119.99"}}
    found = told(lines)
    assert rows(found) == [(BREACH, reg.MYSTERY_METER, "633c.14(c)(2)")] * 2  # it fell to 100.02, and rose to 119.99
    assert evidence(found) == (1, 3, [1, 3])


def breaches(found: Report) -> list[Finding]:
    return [one for one in found.findings if one.verdict == BREACH]


def test_lines_of_one_round_that_differ_leave_the_cycle_open() -> None:
    lines = honest()
    twin = {**lines[1], "opened": [], "committed": []}
    found = told([lines[0], lines[1], twin, *lines[2:]], s=rounds(4))
    assert not breaches(found)


def test_without_the_meter_the_amount_of_a_bonus_is_followed_or_not_told() -> None:
    lines = honest()
    del lines[1]["meters"]
    lines[1]["paid"] = [
        *({"position": at, "wager": wager, "amount": won} for at in (1, 2) for wager, won in PAID_OTHERS),
        *BONUS_150_01,
    ]
    assert rows(told(lines)) == []  # the displays before and the wagers say it
    lines[1]["paid"][-1] = {**BONUS_150_01[0], "amount": "150.00"}
    assert rows(told(lines)) == [(BREACH, reg.PAID, "633c.14(c)(3)")]
    for one in lines[:2]:
        one.pop("meters", None)
    found = told(lines)
    assert rows(found) == [(CANNOT_TELL, reg.PASSED, "633c.14(c)(3)")]
    assert 'write it into "meters"' in sentences(found, reg.PASSED)[0]


def test_a_meter_that_a_line_leaves_out_is_counted() -> None:
    lines = honest()
    for one in lines:
        one["meters"][WAGER] = "5000.00"
    del lines[2]["meters"][KEY]
    (row,) = [one for one in told(lines).summary.evidence if one.what == "meters"]
    assert (row.count, row.of, row.missing) == (3, 4, [3])


def test_a_session_of_several_histories_counts_what_is_not_opened_at_its_end() -> None:
    first, second = rounds(1), rounds(1)
    lines = [round_line(1, "120.00", "1.00", committed=committed(FIRST)), round_line(1, "120.02", "1.00")]
    one = judge(lines, table())
    one.last = False
    counted = []
    for s in (first, second):
        s.end()
        counted.append([row for row in verify_with(s, one).summary.evidence if row.what == HIDDEN_VALUES])
        one.last = True
    assert counted[0] == [] and (counted[1][0].count, counted[1][0].of) == (0, 1)


def verify_with(s: Short, one: TableJudge) -> Report:
    return verify(s.s.records, one)
