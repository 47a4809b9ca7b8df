"""Mystery bonuses in one round: round files, who won by what the round tells, its lines, and what is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from naive_633c.mystery import results
from shoetool.cli import build
from shoetool.model.money import dollars as written
from shoetool.round_file.file import Entry, parse
from shoetool.round_file.json_text import RoundFileError
from shoetool.round_file.play import settle_round
from shoetool.rules.round import Line, Settlement, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.rules.wagers.mystery import MYSTERIES, configuration, configurations
from shoetool.settle.engine import settle
from shoetool.settle.mystery import Hit
from shoetool.settle.mystery_lines import bonus_lines
from shoetool.settle.mystery_round import contributions, won_in
from test_round_file import VALID
from wager_table import box_of, round_of, rules_for

KEY = "must_hit_by"
WAGER = "straight_jack"
NONCE = "0f" * 32


def table(name: str = "A1", wager: str = WAGER, paid_from: str = "slip", key: str = KEY, **choices: str) -> Any:
    rules = rules_for(wager)
    offer = MysteryOffer(wager, name, paid_from)
    return replace(rules, mysteries={key: offer}, choices={**rules.choices, **choices})


def dealt(
    rules: RulesSubmission, shown: str, bets: dict[int, str], *values: str, order: str = "", key: str = KEY
) -> TableRound:
    """A round with these wagers in dollars by position; `order` has the positions as the system accepted them."""
    wager = rules.mysteries[key].wager if key in rules.mysteries else WAGER
    boxes = [box_of("10S 9C", {wager: amount}, position) for position, amount in sorted(bets.items())]
    meters = {**{name: written(meter.start) for name, meter in rules.meters.items()}, **({key: shown} if shown else {})}
    return round_of(
        *(rules, "10D 7C", *boxes),
        meters=meters,
        opened=tuple((key, int(Fraction(value) * 100)) for value in values),
        accepted=tuple((wager, int(position)) for position in order),
    )


def bonus(settlement: Settlement, key: str = KEY) -> list[Line]:
    return [line for line in settlement.lines if line.wager == key]


def paid(rules: RulesSubmission, one: TableRound, key: str = KEY) -> dict[int | None, int]:
    """Cents by position; those of None went into the meter from the house."""
    return {line.position: line.won for line in bonus(settle(one, rules), key)}


def refusal(rules: RulesSubmission, one: TableRound) -> tuple[str, str]:
    with pytest.raises(RuleError) as caught:
        settle(one, rules)
    return caught.value.clause, str(caught.value)


# ------------------------------------------------------------------------------------------------ lines and purses
@pytest.mark.clause("633c.14(c)(5)(iii)", "633c.14(c)(5)(iv)", "633c.14(c)(7)", "633c.14(c)(3)#2")
def test_the_winner_gets_the_whole_meter_and_the_house_sets_it_back_to_the_minimum() -> None:
    rules = table()
    found = settle(dealt(rules, "149.99", {2: "1", 5: "1"}, "150", order="52"), rules)
    won, reset = bonus(found)
    assert (won.position, won.won, won.staked, won.source, won.clause) == (5, 150_01, 0, "meter", "633c.14(c)(3)")
    assert won.stage is Stage.ANY_TIME and won.odds is not None and won.odds.text == "100% of meter"
    assert (reset.position, reset.staked, reset.won, reset.clause) == (None, 0, 100_00, "633c.14(c)(5)(iv)")
    assert found.meters[KEY] == 100_00 - 150_01
    without = settle(dealt(rules, "149.99", {2: "1", 5: "1"}, order="52"), rules)
    assert found.net(5) - without.net(5) == 150_01
    assert (found.house - without.house, found.tray - without.tray) == (-100_00, 0)


@pytest.mark.clause("633c.14(c)(6)")
def test_paid_from_the_table_inventory_the_tray_pays_and_the_meter_s_money_goes_to_the_house() -> None:
    rules = table(paid_from="tray")
    found = settle(dealt(rules, "149.99", {2: "1"}, "150"), rules)
    without = settle(dealt(rules, "149.99", {2: "1"}), rules)
    won, reset = bonus(found)
    assert (won.source, won.won, reset.won) == ("tray", 150_01, -50_01)
    assert found.tray - without.tray == -150_01
    assert (found.meters[KEY], found.house - without.house) == (-50_01, 50_01)
    assert ("633c.14(c)(6)", "paid from the table inventory") in won.notes
    shared = table(paid_from="tray", mystery_order="shared")
    found = settle(dealt(shared, "149.99", {2: "1", 4: "1"}, "150"), shared)
    assert [(line.position, line.won) for line in bonus(found)] == [(2, 75_01), (4, 75_01), (None, 100_00 - 150_02)]
    by_slip = bonus(settle(dealt(table(), "149.99", {2: "1"}, "150"), table()))[0]
    assert ("633c.14(c)(6)", "paid by a progressive jackpot slip") in by_slip.notes


@pytest.mark.clause("633c.14(c)(5)(i)", "633c.14(c)(5)(ii)", "633c.6(h)(2)", "633c.6(h)(3)", "633c.6(h)(4)#3")
def test_the_lines_name_what_dealer_and_floorperson_do_before_a_payout() -> None:
    rules = table()
    notes = [clause for clause, _ in bonus(settle(dealt(rules, "149.99", {2: "1"}, "150"), rules))[0].notes]
    assert notes == ["633c.14(c)(5)(i)", "633c.14(c)(5)(ii)", "633c.14(c)(6)"]
    key = "super_4_mystery"
    rules = table("3", "super_4", key=key)
    notes = [
        clause for clause, _ in bonus(settle(dealt(rules, "149.95", {2: "5"}, "150", key=key), rules), key)[0].notes
    ]
    assert notes == ["633c.6(h)(2)", "633c.6(h)(3)", "633c.6(h)(4)", "633c.6(h)(4)"]


@pytest.mark.clause("633c.6(j)", "633c.6(h)(4)#2")
def test_the_super_4_mystery_is_won_by_the_wager_that_takes_its_meter_past_the_hidden_value() -> None:
    """T57. Configuration 3: 2% of $5 is ten cents."""
    key = "super_4_mystery"
    rules = table("3", "super_4", key=key)
    one = dealt(rules, "149.85", {1: "5", 4: "5"}, "150", order="41", key=key)
    assert paid(rules, one, key) == {1: 150_05, None: 100_00}
    assert bonus(settle(one, rules), key)[0].source == "meter"


def test_a_bonus_whose_winner_or_amount_is_not_known_has_no_lines() -> None:
    for hit in (Hit((), 150_00, "order"), Hit((1,), None, "part")):
        with pytest.raises(ValueError):
            bonus_lines(KEY, hit, table().mysteries[KEY])


@pytest.mark.clause("633c.14(a)", "633c.14(c)(1)", "633c.14(c)(2)")
@pytest.mark.parametrize("wager", MYSTERIES[KEY].wagers)
def test_each_of_the_four_wagers_may_win_it(wager: str) -> None:
    rules = rules_for(wager)
    rules = replace(rules, mysteries={KEY: MysteryOffer(wager, "B1", "slip")})
    assert [one.where for one in refusals(rules) if one.where.startswith("mysteries")] == []
    least = rules.wagers[wager].minimum
    one = dealt(rules, "149.99", {4: written(least)}, "150")
    assert paid(rules, one) == {4: 149_99 + least * 5 // 100, None: 100_00}


# ------------------------------------------------------------------------------------------------ order and readings
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2")
def test_the_order_of_acceptance_decides_and_is_asked_for_where_it_must() -> None:
    rules, bets = table(), {1: "1", 3: "1", 6: "1"}
    for order, winner in (("136", 3), ("613", 1), ("361", 6)):
        assert paid(rules, dealt(rules, "149.97", bets, "150", order=order)) == {winner: 150_01, None: 100_00}
    for order in ("", "13", "1361"):  # none, not of all, and one that stands twice
        clause, text = refusal(rules, dealt(rules, "149.97", bets, "150", order=order))
        assert clause == "633c.14(c)(3)" and 'write a "bet_placed" event for each of them' in text
    by_position = table(mystery_order="position")
    assert paid(by_position, dealt(by_position, "149.97", bets, "150")) == {3: 150_01, None: 100_00}
    shared = table(mystery_order="shared")
    assert paid(shared, dealt(shared, "149.97", bets, "150")) == {1: 50_01, 3: 50_01, 6: 50_01, None: 100_00}
    assert bonus(settle(dealt(shared, "149.97", bets, "150"), shared))[0].notes[-1][0] == "633c.14(c)(7)"


@pytest.mark.clause("633c.14(c)(2)")
def test_no_order_is_asked_for_where_it_decides_nothing() -> None:
    """One contributor; or one whose wager alone can take the meter there, last of all in whichever order."""
    rules = table()
    assert paid(rules, dealt(rules, "149.99", {3: "1"}, "150")) == {3: 150_01, None: 100_00}
    apart = {1: "5", 3: "0.50"}
    rules = table("A1", wager="straight_jack")
    assert paid(rules, dealt(rules, "149.99", apart, "150.08")) == {1: 150_09, None: 100_00}


@pytest.mark.clause("633c.14(c)(1)", "633c.14(c)(4)")
def test_only_the_wager_of_the_submission_contributes_and_only_from_the_printed_amount_on() -> None:
    rules = table("A5")
    for amount, won in (("5", {1: 150_04, None: 100_00}), ("4", None)):
        one = dealt(rules, "149.99", {1: amount}, "150")
        if won is None:
            assert refusal(rules, one)[0] == "633c.14(c)(3)"
        else:
            assert paid(rules, one) == won
    other = replace(
        rules_for("straight_jack", "hit_and_run"), mysteries={KEY: MysteryOffer("hit_and_run", "A1", "slip")}
    )
    assert refusal(other, replace_side(dealt(other, "149.99", {1: "5"}, "150")))[0] == "633c.14(c)(3)"


def replace_side(one: TableRound) -> TableRound:
    """The same round with the wager that does not qualify."""
    boxes = tuple(box._replace(side={"straight_jack": 5_00}) for box in one.boxes)
    return one._replace(boxes=boxes)


@pytest.mark.clause("633c.14(c)(3)#2", "633c.14(c)(5)(iv)")
def test_two_values_may_be_hit_in_one_round() -> None:
    rules = table("B1")  # 5%
    one = dealt(rules, "199.98", {1: "1", 2: "1", 5: "2"}, "200", "100.08", order="215")
    assert [(line.position, line.won) for line in bonus(settle(one, rules))] == [
        *((2, 200_03), (None, 100_00)),
        *((5, 100_15), (None, 100_00)),
    ]
    assert settle(one, rules).meters[KEY] == 200_00 - 200_03 - 100_15
    assert "bet_placed" in refusal(rules, one._replace(accepted=()))[1]


@pytest.mark.clause("633c.14(c)(3)#2")
def test_a_void_round_does_not_take_back_what_was_won_before_its_cards() -> None:
    rules = table()
    one = dealt(rules, "149.99", {2: "1"}, "150")._replace(void="633a.14(j)")
    found = settle(one, rules)
    assert [(line.position, line.won) for line in bonus(found)] == [(2, 150_01), (None, 100_00)]
    assert found.net(2) == 150_01


# ------------------------------------------------------------------------------------------------ what is refused
@pytest.mark.clause("633c.14(c)(3)#1", "633c.14(c)(3)#2", "633c.14(c)(5)(iv)", "633c.14(a)")
def test_what_the_meter_cannot_have_done_is_refused_with_its_clause() -> None:
    rules = table()
    for shown, values, clause, words in (
        ("140", ("150",), "633c.14(c)(3)", "no contribution of this round passed $150.00; the meter stands at $140.02"),
        ("149.98", ("150",), "633c.14(c)(3)", "a part of a cent that the meter does not show decides it"),
        ("149.99", ("149.98",), "633c.14(c)(3)", "no contribution of this round passed $149.98"),
        ("200.01", ("200.02",), "633c.14(c)(3)", "$200.02 does not lie between $100.00 and $200.00"),
        ("199.99", (), "633c.14(c)(3)", "passed the maximum of $200.00, and no hidden value was opened"),
        ("99.99", (), "633c.14(c)(5)(iv)", "it never stands below $100.00"),
        ("", ("150",), "633c.14(c)(3)", 'write "meters": {"must_hit_by": "153.40"}'),
    ):
        found = refusal(rules, dealt(rules, shown, {2: "1"}, *values))
        assert found[0] == clause and words in found[1], (shown, values)
    assert bonus(settle(dealt(rules, "100", {2: "1"}), rules)) == []  # the least that it may show
    none = rules_for(WAGER)
    clause, text = refusal(none, dealt(none, "", {2: "1"}, "150"))
    assert clause == "633c.14(a)" and "(none)" in text
    assert "(Must-Hit-By Mystery bonus)" in refusal(rules, dealt(rules, "", {2: "1"}, "1", key="super_4_mystery"))[1]
    assert refusal(none, dealt(none, "", {2: "1"})._replace(opened=(("another", 1),)))[0] == "633c.14(a)"


@pytest.mark.clause("633c.14(c)(7)")
def test_a_part_of_a_cent_that_decides_the_amount_is_refused() -> None:
    """C for $5: half a cent a dollar. $1.01 more or less is not known from a display without the half cents."""
    rules = table("C5")
    assert "a part of a cent" in refusal(rules, dealt(rules, "299.99", {2: "5"}, "300"))[1]
    assert paid(rules, dealt(rules, "299.99", {2: "10"}, "300")) == {2: 300_04, None: 250_00}


@pytest.mark.clause("633c.14(c)(7)", "633c.14(c)(3)#2")
def test_the_readings_of_the_house_decide() -> None:
    """T93, T95."""
    one = {"shown": "149.98", "bets": {2: "1"}}
    rules = table(mystery_passed="at_or_above")
    assert paid(rules, dealt(rules, one["shown"], one["bets"], "150")) == {2: 150_00, None: 100_00}  # type: ignore[arg-type]
    for word, won in (("paid", 200_01), ("capped", 200_00)):
        rules = table(mystery_maximum=word)
        assert paid(rules, dealt(rules, "199.99", {2: "1"}, "200")) == {2: won, None: 100_00}


# ------------------------------------------------------------------------------------------------ a second opinion
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2", "633c.14(c)(4)", "633c.14(c)(5)(iv)", "633c.14(c)(7)")
@pytest.mark.parametrize("order", ["known", "unknown", "shared"])
def test_a_naive_evaluator_that_tries_every_part_of_a_cent_and_every_order_agrees(order: str) -> None:
    """One sure result is settled; several, or none, are refused."""
    rng = random.Random(f"mystery round {order}")
    names = sorted(configurations(KEY))
    seen, two = {"sure": 0, "doubt": 0, "never": 0}, 0
    for _ in range(300):
        name = rng.choice(names)
        printed = configuration(KEY, name)
        reached, capped = rng.random() < 0.3, rng.random() < 0.3
        rules = table(
            name,
            mystery_passed="at_or_above" if reached else "above",
            mystery_maximum="capped" if capped else "paid",
            mystery_order="shared" if order == "shared" else "accepted",
        )
        seats = rng.sample(range(1, 8), rng.randint(1, 3))
        wagers = [(seat, printed.wager // 100 + rng.choice((0, 0, 1, 3))) for seat in seats]
        cut = int(printed.rate * 1000)
        value = rng.choice((printed.maximum, rng.randint(printed.minimum + 50, printed.maximum)))
        shown = value - rng.randint(0, 1 + sum(bet for _, bet in wagers) * cut // 10)
        values = [value] if rng.random() < 0.9 else []
        if values and order == "known" and rng.random() < 0.3:
            values.append(printed.minimum + rng.randint(0, 5))
        limits = (printed.minimum, printed.maximum)
        expected = results(shown, wagers, cut, limits, values, order, reached, capped)
        bets = {seat: str(bet) for seat, bet in wagers}
        told = "".join(str(seat) for seat, _ in wagers) if order == "known" else ""
        one = dealt(rules, written(shown), bets, *(f"{value / 100:.2f}" for value in values), order=told)
        only = next(iter(expected)) if len(expected) == 1 else None
        try:
            found = won_in(one, rules)
        except RuleError:
            # What the first hit tells of the part of a cent is not used for the second one.
            assert only is None or len(values) > 1, (name, shown, wagers, values)
            seen["doubt" if len(expected) > 1 else "never"] += 1
        else:
            assert only is not None and found == {KEY: [Hit(*won) for won in only]}, (name, shown, wagers, values)
            seen["sure"] += 1
            two += len(only) > 1
    print(seen, two)
    assert min(seen.values()) >= 5 and (two >= 3 or order != "known")


# ------------------------------------------------------------------------------------------------ files
POSITIONS = [{"position": 2, "wager": "25", "side": {WAGER: "1"}, "decisions": ["stand"]}]
DEAL = ["10S", "10D", "9C", "7C"]


def file(**changes: Any) -> dict[str, Any]:
    return {"format": "shoetool-round/1", "cards": DEAL, "positions": POSITIONS, **changes}


def read(document: dict[str, Any]) -> Entry:
    return parse(json.dumps(document), "r.json")[0]


OPENED = {"mystery": KEY, "value": "150.00", "nonce": NONCE}
COMMITTED = {"mystery": KEY, "commitment": "ab" * 32}


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_round_file_tells_commitments_openings_and_the_order_of_acceptance() -> None:
    events = [
        {"event": "bet_placed", "position": 2},
        {"event": "bet_placed", "position": 5, "wager": WAGER},
        {"event": "bet_placed", "wager": WAGER},
        {"event": "bets_closed"},
    ]
    document = file(committed=[COMMITTED], opened=[OPENED, {**OPENED, "value": 151}], events=events)
    assert VALID.is_valid(document)
    entry = read(document)
    assert [(one.mystery, one.commitment) for one in entry.committed] == [(KEY, bytes.fromhex("ab" * 32))]
    assert [(one.opening.value, one.opening.nonce) for one in entry.opened] == [
        (150_00, bytes.fromhex(NONCE)),
        (151_00, bytes.fromhex(NONCE)),
    ]
    assert entry.accepted == (("main", 2), (WAGER, 5))


@pytest.mark.parametrize(
    ("key", "value", "path", "words"),
    [
        ("committed", {}, "$.committed", "takes a list"),
        ("committed", [3], "$.committed[0]", "is not an object"),
        ("committed", [{"mystery": KEY}], "$.committed[0]", '"commitment" is missing'),
        ("committed", [{**COMMITTED, "commitment": "ab" * 31}], "$.committed[0].commitment", "64 hexadecimal digits"),
        ("committed", [{**COMMITTED, "commitment": 5}], "$.committed[0].commitment", "5 is not 64"),
        ("committed", [{**COMMITTED, "mystery": "must_hit_bye"}], "$.committed[0].mystery", "did you mean must_hit_by"),
        ("committed", [{"commitment": "ab" * 32}], "$.committed[0]", '"mystery" is missing'),
        ("committed", [COMMITTED] * 1001, "$.committed", "1000 at most"),
        ("opened", [{**OPENED, "value": "150.005"}], "$.opened[0].value", "is not an amount"),
        ("opened", [{"mystery": KEY, "nonce": NONCE}], "$.opened[0]", '"value" is missing'),
        ("opened", [{"mystery": KEY, "value": "150"}], "$.opened[0]", '"nonce" is missing'),
        ("opened", [{**OPENED, "nonce": "xy" * 32}], "$.opened[0].nonce", "64 hexadecimal digits"),
        ("opened", [{**OPENED, "commitment": "ab" * 32}], "$.opened[0].commitment", "there is no such key"),
    ],
)
def test_reader_and_schema_refuse_the_same(key: str, value: Any, path: str, words: str) -> None:
    document = file(**{key: value})
    assert not VALID.is_valid(document)
    with pytest.raises(RoundFileError) as caught:
        read(document)
    assert f": {path}: " in str(caught.value) and words in str(caught.value)


def test_the_schema_names_the_bonuses_that_there_are() -> None:
    assert VALID.schema["$defs"]["mystery"]["enum"] == list(MYSTERIES)


def settled(tmp_path: Path, *arguments: str, **changes: Any) -> Result:
    values = {
        "game": "blackjack",
        "decks": 6,
        "wagers": {WAGER: {"min": 1, "meter": {"start": 5000, "reset": 5000, "rate": "10%"}}},
        "mysteries": {KEY: {"wager": WAGER, "configuration": "A1", "paid_from": "tray"}},
    }
    path = tmp_path / "r.json"
    path.write_text(json.dumps(file(table=values, meters={KEY: "149.99"}, opened=[OPENED], **changes)))
    return CliRunner().invoke(build(), ["settle", str(path), *arguments])


def test_settle_shows_the_bonus_and_compares_what_was_paid(tmp_path: Path) -> None:
    done = settled(tmp_path, paid=[{"position": 2, "wager": KEY, "amount": "150.01"}])
    assert done.exit_code == 0, done.output
    assert "Must-Hit-By Mystery bonus" in done.output and "meter of Must-Hit-By Mystery bonus -50.01" in done.output
    done = settled(tmp_path, "--json", paid=[{"position": 2, "wager": KEY, "amount": "150"}])
    (one,) = json.loads(done.stdout)["files"][0]["rounds"][0]["settled"]["differences"]
    assert (done.exit_code, one["paid"], one["due"]) == (1, 150_00, 150_01)
    assert one["clauses"] == ["633c.14(c)(3)"]


def test_a_file_of_a_table_without_the_bonus_may_not_have_its_meter() -> None:
    entry = read(file(meters={KEY: "150"}))
    with pytest.raises(RoundFileError, match="a meter of 'must_hit_by' is given, which this table does not have"):
        settle_round(entry, rules_for(WAGER))


@pytest.mark.clause("633c.14(c)(2)")
@pytest.mark.parametrize(
    ("bets", "accepted", "places", "known"),
    [
        ((2, 5), (5, 2), [5, 2], True),
        ((2, 5), (5,), [2, 5], False),  # the other one has no place
        ((2, 5), (5, 2, 5), [2, 5], False),
        ((2, 5), (), [2, 5], False),
        ((5,), (), [5], True),  # one alone needs none
    ],
)
def test_contributions_have_an_order_where_each_was_accepted_once(
    bets: tuple[int, ...], accepted: tuple[int, ...], places: list[int], known: bool
) -> None:
    rules = table(mystery_order="accepted")
    boxes = dealt(rules, "149.99", dict.fromkeys(bets, "1")).boxes
    made, ordered = contributions(KEY, boxes, [(WAGER, position) for position in accepted], rules)
    assert ([one.position for one in made], ordered) == (places, known)
