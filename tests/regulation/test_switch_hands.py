"""Switch hands and Blackjack premium, 633c.4: rounds worked by hand, and a naive evaluator beside the settlement."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from naive_633c import switch_hands as naive
from playing import cards, decisions, names
from settle_cases import box, hand, one, paid, settled
from shoetool.deal import RuleError, Stake, play
from shoetool.rules.round import Box, Settlement, TableRound
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.layout import Need, needs
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers.switch_hands import ante_refusal, shoe_refusal
from shoetool.settle.engine import settle
from wagers_offered import offering

ANTE = 2_00


def table(offered: str = "all", **settings: Any) -> RulesSubmission:
    return RulesSubmission.default("blackjack", 6, switch_hands=offered, **settings)


def dealt(
    rules: RulesSubmission, drawn: str, chosen: str, *stakes: Stake, irregular: tuple[Any, ...] = ()
) -> TableRound:
    """The round of these wagers, one of $10 with its ante at position 1 unless others are given."""
    return play(rules, stakes or [Stake(1, 10_00, ante=ANTE)], cards(drawn), decisions(chosen), irregular)


def money(settlement: Settlement, position: int = 1) -> dict[str, int]:
    """Net of each wager of a position in cents."""
    return {line.wager: line.net for line in settlement.lines if line.position == position}


# ---------------------------------------------------------------------------------------------- the deal and the choice
@pytest.mark.clause("633c.4(d)#1", "633c.4(d)(1)", "633c.4(d)(2)", "633c.4(e)", "633c.4(f)#3")
def test_two_switch_hands_cards_a_player_come_in_two_passes_before_the_blackjack_hands() -> None:
    """T28: switch hands cards 1 to 2 and 3 to 4, hands 5 to 6, dealer 7, hands 8 to 9, dealer 10."""
    drawn = "2C 3C 4C 5C | TS 9S 8D TH 9H 9D".replace("|", "")
    both = [Stake(1, 10_00, ante=ANTE), Stake(3, 10_00, ante=ANTE)]
    found = dealt(table(), drawn.replace("T", "10"), "3:keep 1:keep 1:stand 3:stand", *both)
    assert [names(one.hands[0].cards) for one in found.boxes] == ["10♠ 10♥", "9♠ 9♥"]
    assert names(found.dealer) == "8♦ 9♦"


@pytest.mark.clause("633c.4(j)")
def test_by_the_submission_they_come_after_the_blackjack_hands() -> None:
    rules = table(switch_hands_order="last")
    found = dealt(rules, "10S 8D 9S 9D 10H KC", "1:switch 1:stand")
    assert (names(found.boxes[0].hands[0].cards), names(found.boxes[0].initial[0])) == ("10♥ K♣", "10♠ 9♠")


@pytest.mark.clause("633c.4(f)#3", "633c.4(f)(2)#1", "633c.4(f)(2)#2", "633c.4(l)#2")
@pytest.mark.parametrize("offered", ["all", "premium"])
def test_a_switch_exchanges_both_cards_of_the_hand(offered: str) -> None:
    found = dealt(table(offered), "AS 9C 10S 8D 6S 9D", "1:switch 1:stand")
    (only,) = found.boxes
    assert (only.switched, names(only.aside), names(only.hands[0].cards)) == (True, "A♠ 9♣", "A♠ 9♣")
    assert names(only.initial[0]) == "10♠ 6♠"


@pytest.mark.clause("633c.4(f)(1)")
def test_cards_that_are_kept_aside_may_stay_unknown_and_those_that_are_played_may_not() -> None:
    assert dealt(table(), "?? ?? 10S 8D 9S 9D", "1:keep 1:stand").boxes[0].switched is False
    with pytest.raises(RuleError, match=r"write its face \(633c\.4\(f\)\(2\)\)"):
        dealt(table(), "?? AS 10S 8D 9S 9D", "1:switch 1:stand")


@pytest.mark.clause("633c.4(f)#1")
@pytest.mark.parametrize("chosen", ["1:stand", "1:hit 1:keep", "1:insurance=5 1:keep", ""])
def test_the_choice_comes_before_every_other_decision_and_card(chosen: str) -> None:
    with pytest.raises(RuleError) as refused:
        dealt(table(), "2C 3C 10S AD 6S 9D 5C", chosen)
    assert refused.value.clause == "633c.4(f)"


@pytest.mark.clause("633c.4(f)#2")
def test_the_player_at_the_dealers_right_is_asked_first() -> None:
    both = [Stake(1, 10_00, ante=ANTE), Stake(3, 10_00, ante=ANTE)]
    with pytest.raises(RuleError, match="position 3 is asked before it"):
        dealt(table(), "2C 3C 4C 5C 10S 9S 8D 10H 9H 9D", "1:keep 3:keep 1:stand 3:stand", *both)


@pytest.mark.clause("633c.4(k)#1", "633c.4(l)#1")
def test_premium_deals_no_switch_hands_cards_to_a_player_without_an_ante() -> None:
    """T32."""
    both = [Stake(1, 12_50), Stake(3, 10_00, ante=ANTE)]
    found = dealt(table("premium"), "AC KC 10S 9S 8D 10H 5H 9D", "3:switch 1:stand", *both)
    assert [one.switched for one in found.boxes] == [None, True]
    assert names(found.boxes[1].hands[0].cards) == "A♣ K♣"
    lines = settle(found, table("premium"))
    assert money(lines) == {"main": 12_50} and money(lines, 3) == {"ante": -ANTE, "main": 20_00}


@pytest.mark.clause("633c.4(k)#2")
@pytest.mark.parametrize("word", ["keep", "switch"])
def test_a_player_without_an_ante_has_no_choice_between_hands(word: str) -> None:
    with pytest.raises(RuleError) as refused:
        dealt(table("premium"), "10S 8D 9S 9D", f"1:{word} 1:stand", Stake(1, 10_00))
    assert refused.value.clause == "633c.4(k)"


@pytest.mark.clause("633c.4(h)", "633c.4(n)")
@pytest.mark.parametrize("offered", ["all", "premium"])
@pytest.mark.parametrize(
    ("drawn", "chosen", "ends"),
    [
        ("10C 6C 9S 8D 9H 10D", "1:{} 1:surrender", -5_00),
        ("10C 6C 10S 8D 5S 10D", "1:{} 1:surrender", -5_00),
        ("5C 6C 5S 8D 6S 9D 10H", "1:{} 1:double", 20_00),
        ("9C 9H 9S 7D 9D 10D 10C 10H", "1:{} 1:split 1:stand 1:stand", 20_00),
    ],
)
@pytest.mark.parametrize("word", ["keep", "switch"])
def test_either_hand_may_be_surrendered_doubled_and_split(
    offered: str, drawn: str, chosen: str, ends: int, word: str
) -> None:
    found = settle(dealt(table(offered), drawn, chosen.format(word)), table(offered))
    assert sum(line.net for line in found.lines if line.wager != "ante") == ends


@pytest.mark.clause("633c.4(g)", "633c.4(m)")
@pytest.mark.parametrize("offered", ["all", "premium"])
def test_the_round_goes_on_as_in_blackjack(offered: str) -> None:
    """Insurance, the reader and the dealer's draws come after the choice."""
    drawn = "10C 9C 10S AD 2S 5D 10H 4H"
    found = dealt(table(offered), drawn, "1:switch 1:insurance=5 1:stand")
    assert (found.reader, names(found.dealer)) == ("no_blackjack", "A♦ 5♦ 10♥ 4♥")
    drawn = "10C 9C 10S 6D 2S 10D 10H"
    settled_ = settle(dealt(table(offered), drawn, "1:switch 1:stand"), table(offered))
    assert money(settled_) == {"ante": -ANTE, "main": 10_00}


# ---------------------------------------------------------------------------------------------- wager and ante
@pytest.mark.clause("633c.4(b)", "633c.4(c)")
@pytest.mark.parametrize(
    ("offered", "stake", "clause"),
    [
        ("all", Stake(1, 12_00, ante=2_40), "633c.4(b)"),
        ("premium", Stake(1, 12_00, ante=2_00), "633c.4(b)"),
        ("all", Stake(1, 10_00), "633c.4(c)"),
        ("all", Stake(1, 10_00, ante=1_00), "633c.4(c)"),
        ("premium", Stake(1, 10_00, ante=3_00), "633c.4(c)"),
        ("none", Stake(1, 10_00, ante=2_00), "633c.4(k)"),
    ],
)
def test_the_wager_comes_in_steps_of_5_dollars_with_1_dollar_for_each(offered: str, stake: Stake, clause: str) -> None:
    with pytest.raises(RuleError) as refused:
        dealt(table(offered), "2C 3C 10S 8D 9S 9D", "1:keep 1:stand", stake)
    assert refused.value.clause == clause


@pytest.mark.clause("633c.4(c)", "633c.4(l)#1")
@pytest.mark.parametrize(
    ("reading", "word", "back"),
    [("kept", "keep", 0), ("kept", "switch", 0), ("returned", "keep", ANTE), ("returned", "switch", 0)],
)
def test_what_becomes_of_the_ante_is_for_the_submission_to_say(reading: str, word: str, back: int) -> None:
    """T29."""
    rules = table(switch_hands_ante=reading)
    line = one(settle(dealt(rules, "10C 9C 10S 8D 9S 9D", f"1:{word} 1:stand"), rules), "ante")
    assert (line.returned, line.staked, line.clause) == (back, ANTE, "633c.4(c)")
    assert "no clause says what becomes of the ante" in line.notes[0][1]


# ---------------------------------------------------------------------------------------------- payouts worked by hand
@pytest.mark.parametrize(
    ("settings", "drawn", "chosen", "outcome", "clause", "net"),
    [
        pytest.param({}, "AS KC 10S 9D 5S 10D", "1:switch", "colored_blackjack", "633c.4(i)(2)(i)", 20_00,
                     marks=pytest.mark.clause("633c.4(i)(2)(i)"), id="switched to one color"),
        pytest.param({}, "AS KS 10S 9D 5S 10D", "1:switch", "colored_blackjack", "633c.4(i)(2)(i)", 20_00,
                     marks=pytest.mark.clause("633c.4(i)(2)(i)"), id="switched to one suit"),
        pytest.param({}, "2S 3C AS 9D KC 10D", "1:keep", "blackjack", "633a.7(k)(1)", 15_00,
                     marks=pytest.mark.clause("633c.4(i)(1)"), id="not switched"),
        pytest.param({}, "AS KH 10S 9D 5S 10D", "1:switch", "blackjack", "633a.7(k)(1)", 15_00,
                     marks=pytest.mark.clause("633c.4(i)(2)"), id="switched to two colors"),
        pytest.param({}, "10C 9C 10S 9D 5S 9H", "1:switch 1:stand", "higher", "633a.7(p)(2)", 10_00,
                     marks=pytest.mark.clause("633c.4(i)(2)"), id="a switched hand pays 1 to 1"),
        pytest.param({}, "2S 3C 10S 9D 9S 9H", "1:keep 1:stand", "higher", "633a.7(p)(2)", 10_00,
                     marks=pytest.mark.clause("633c.4(i)(1)"), id="a kept hand pays 1 to 1"),
        pytest.param({}, "AS KS 10S AD 5S KD", "1:switch", "blackjack_tie", "633a.7(n)(3)", 0,
                     marks=pytest.mark.clause("633c.4(i)(2)(ii)"), id="a tie goes back"),
        pytest.param({"switch_hands_tie": "1_to_2"}, "AS KS 10S AD 5S KD", "1:switch", "blackjack_tie_paid",
                     "633c.4(i)(2)(ii)", 5_00,
                     marks=pytest.mark.clause("633c.4(i)(2)(ii)"), id="with the option it pays 1 to 2"),
        pytest.param({"switch_hands_tie": "1_to_2"}, "2S 3C AS AD KS KD", "1:keep", "blackjack_tie", "633a.7(n)(3)", 0,
                     marks=pytest.mark.clause("633c.4(i)(2)(ii)"), id="not to who kept"),
    ],
)  # fmt: skip
def test_switch_hands_worked_by_hand(
    settings: dict[str, Any], drawn: str, chosen: str, outcome: str, clause: str, net: int
) -> None:
    rules = table(**settings)
    line = one(settle(dealt(rules, drawn, chosen), rules))
    assert (line.outcome, line.net) == (outcome, net)


@pytest.mark.parametrize(
    ("settings", "drawn", "chosen", "outcome", "net"),
    [
        pytest.param({}, "2S 3C AS 9D KC 10D", "1:keep", "colored_blackjack", 20_00,
                     marks=pytest.mark.clause("633c.4(o)#3"), id="one color with an ante, kept"),
        pytest.param({}, "AS KC 10S 9D 5S 10D", "1:switch", "colored_blackjack", 20_00,
                     marks=pytest.mark.clause("633c.4(o)#3"), id="one color, switched"),
        pytest.param({"premium_colored": "switched"}, "2S 3C AS 9D KC 10D", "1:keep", "blackjack", 15_00,
                     marks=pytest.mark.clause("633c.4(o)#3"), id="kept, where the house asks for a switch"),
        pytest.param({}, "2S 3C AS 9D KH 10D", "1:keep", "blackjack", 15_00,
                     marks=pytest.mark.clause("633c.4(o)#1"), id="two colors"),
        pytest.param({}, "2S 3C 10S 9D 9S 9H", "1:keep 1:stand", "higher", 10_00,
                     marks=pytest.mark.clause("633c.4(o)#1"), id="1 to 1"),
        pytest.param({}, "2S 3C AH AD QD KD", "1:keep", "blackjack_tie_paid", 5_00,
                     marks=pytest.mark.clause("633c.4(o)#2"), id="both have Blackjack"),
        pytest.param({"premium_colored_tie": "2_to_1"}, "2S 3C AH AD QD KD", "1:keep", "colored_blackjack", 20_00,
                     marks=pytest.mark.clause("633c.4(o)#2"), id="the proviso read last"),
    ],
)  # fmt: skip
def test_premium_worked_by_hand(settings: dict[str, Any], drawn: str, chosen: str, outcome: str, net: int) -> None:
    rules = table("premium", **settings)
    line = one(settle(dealt(rules, drawn, chosen), rules))
    assert (line.outcome, line.net) == (outcome, net)


@pytest.mark.clause("633c.4(o)#2", "633c.4(k)#1")
@pytest.mark.parametrize(("reading", "net"), [("ante", 0), ("all", 5_00)])
def test_a_premium_tie_without_an_ante_is_returned_or_paid_as_the_house_reads_it(reading: str, net: int) -> None:
    """T31."""
    rules = table("premium", premium_tie=reading)
    line = one(settle(dealt(rules, "AH AD QD KD", "", Stake(1, 10_00)), rules))
    assert line.net == net


@pytest.mark.clause("633c.4(k)#1", "633c.4(o)#2")
@pytest.mark.parametrize(("reading", "clause"), [("ante", "633a.13(a)"), ("all", "633c.4(o)")])
def test_without_an_ante_the_chapter_of_blackjack_pays_unless_premium_settles_all(reading: str, clause: str) -> None:
    """T31."""
    rules = table("premium", premium_tie=reading)
    line = one(settle(dealt(rules, "10H 9D QD KD", "1:stand", Stake(1, 10_00)), rules))
    assert (line.net, line.words) == (10_00, f"20 against the dealer's 19, pays 1 to 1 ({clause})")


@pytest.mark.clause("633c.4(c)")
@pytest.mark.parametrize(("ante", "words"), [(0, "no switch hands ante"), (1_00, "a switch hands ante of $1.00")])
def test_what_was_placed_for_an_ante_is_named_where_it_is_not_the_ante(ante: int, words: str) -> None:
    wrong = ante_refusal(table(), 1, 10_00, ante)
    assert wrong is not None and words in str(wrong)


# ---------------------------------------------------------------------------------------------- the naive evaluator
HANDS = ("AS KS", "AS KC", "AS KH", "AD QH", "10S 9H", "10D 8C", "AC 9D")
DEALERS = ("KD AD", "AH JC", "10H 9C", "9C 9H", "6H 10C KC")
COUNTS = {"10S 9H": 19, "10D 8C": 18, "AC 9D": 20}


def naive_cards(text: str) -> list[str]:
    return [name.replace("10", "T") for name in text.split()]


def at(text: str, switched: bool | None, ante: int) -> Box:
    natural = text not in COUNTS
    aside = tuple(cards(text)) if switched else ()
    made = box(hand(text, "blackjack" if natural else "stand"), ante=ante, switched=switched, aside=aside)
    return made._replace(initial=(tuple(cards("5C 6D")),)) if switched else made


@pytest.mark.clause("633c.4(i)(1)", "633c.4(i)(2)", "633c.4(i)(2)(i)", "633c.4(i)(2)(ii)")
def test_the_naive_evaluator_agrees_on_switch_hands() -> None:
    seen = set()
    for text, dealer, switched, tie, color in product(
        HANDS, DEALERS, (False, True), ("returned", "1_to_2"), ("switched", "ante")
    ):
        has = naive.is_blackjack(naive_cards(dealer)[:2])
        if has and text in COUNTS:
            continue  # the reader ends the round before such a hand stands
        line = one(
            settled("blackjack", dealer, at(text, switched, ANTE), switch_hands="all", switch_hands_tie=tie,
                    switch_hands_colored=color)
        )  # fmt: skip
        mine = naive_cards(text)
        due = naive.switch_hands(
            10_00, mine, COUNTS.get(text, 21), _total(dealer), has, switched, tie == "1_to_2", color == "ante"
        )
        assert line.net == due, (text, dealer, switched, tie, color, paid(line))
        seen.add(line.outcome)
    assert {"colored_blackjack", "blackjack_tie_paid", "blackjack", "blackjack_tie"} <= seen


@pytest.mark.clause("633c.4(o)#1", "633c.4(o)#2", "633c.4(o)#3")
def test_the_naive_evaluator_agrees_on_premium() -> None:
    for text, dealer, switched, color, first, tie in product(
        HANDS, DEALERS, (None, False, True), ("ante", "switched"), ("1_to_2", "2_to_1"), ("ante", "all")
    ):
        has = naive.is_blackjack(naive_cards(dealer)[:2])
        if has and text in COUNTS:
            continue
        ante = 0 if switched is None else ANTE
        line = one(
            settled("blackjack", dealer, at(text, switched, ante), switch_hands="premium", premium_colored=color,
                    premium_colored_tie=first, premium_tie=tie)
        )  # fmt: skip
        due = naive.premium(
            *(10_00, naive_cards(text), COUNTS.get(text, 21), _total(dealer), has, ante > 0, bool(switched)),
            *(color == "switched", first == "2_to_1", tie == "all"),
        )
        assert line.net == due, (text, dealer, switched, color, first, tie, paid(line))


def _total(dealer: str) -> int:
    return {"KD AD": 21, "AH JC": 21, "10H 9C": 19, "9C 9H": 18, "6H 10C KC": 26}[dealer]


# ---------------------------------------------------------------------------------------------- beside optional wagers
@pytest.mark.clause("633c.4(g)")
@pytest.mark.parametrize(("reading", "net"), [("dealt", 60_00), ("played", -2_00)])
def test_a_wager_on_the_first_two_cards_goes_by_those_that_the_submission_says(reading: str, net: int) -> None:
    """Royal Match: K and Q of hearts were dealt face up, 10 and 9 of two suits are played."""
    rules = offering(
        table(switch_hands_first_two=reading),
        "royal_match_21",
        royal_match_21=WagerOffer(paytable="C", minimum=100, maximum=10000),
    )
    stake = Stake(1, 10_00, {"royal_match_21": 2_00}, ante=ANTE)
    found = settle(dealt(rules, "10S 9D KH 8D QH 9S", "1:switch 1:stand", stake), rules)
    assert money(found)["royal_match_21"] == net


# ---------------------------------------------------------------------------------------------- submission and layout
def asked(rules: RulesSubmission, clause: str) -> list[Need]:
    return [need for need in needs(rules) if need.clause == clause]


@pytest.mark.clause("633c.4(a)(1)", "633c.4(a)(3)")
@pytest.mark.parametrize("offered", ["all", "premium"])
def test_the_layout_has_the_area_of_the_ante_and_says_what_colored_blackjacks_pay(offered: str) -> None:
    rules = table(offered)
    assert "ante $1 for every $5 bet" in asked(rules, "633c.4(a)(1)")[0].what
    assert "pay 2 to 1" in asked(rules, "633c.4(a)(3)")[0].what
    assert not asked(table("none"), "633c.4(a)(1)") and not asked(table("none"), "633c.4(a)(3)")


@pytest.mark.clause("633c.4(i)(2)(ii)")
def test_the_tie_is_among_the_payouts_where_the_submission_specifies_it() -> None:
    def shown(**settings: Any) -> bool:
        return any("Tie Blackjack" in row for need in needs(table(**settings)) for row, _ in need.payouts)

    assert shown(switch_hands_tie="1_to_2") and not shown()


@pytest.mark.parametrize(
    ("game", "settings", "clause"),
    [
        pytest.param("spanish_21", {}, "633c.4(c)"),
        pytest.param("blackjack", {"shoe": "double", "red_side": "A"}, "633c.4(j)",
                     marks=pytest.mark.clause("633c.4(j)")),
        pytest.param("blackjack", {"minimum": 7_00}, "633c.4(b)", marks=pytest.mark.clause("633c.4(b)")),
        pytest.param("blackjack", {"chip_unit": 2_50, "minimum": 5_00}, "633c.4(c)",
                     marks=pytest.mark.clause("633c.4(c)")),
    ],
)  # fmt: skip
def test_a_submission_that_no_ante_can_be_made_for_is_refused(game: str, settings: dict[str, Any], clause: str) -> None:
    rules = RulesSubmission.default(game, 6, switch_hands="all", **settings)
    assert clause in {refusal.clause for refusal in refusals(rules)}


# ------------------------------------------------------------------------------------------------------------ the shoe
@pytest.mark.parametrize(
    ("offered", "order", "fits"),
    [
        ("all", "first", (True, False, False)),
        ("all", "last", (True, False, True)),
        ("premium", "first", (True, True, False)),
        ("premium", "last", (True, True, True)),
    ],
)
def test_a_shoe_that_was_set_up_otherwise_is_named(offered: str, order: str, fits: tuple[bool, bool, bool]) -> None:
    """What differs first: whether it deals switch hands at all, Blackjack premium, and before or after the hands."""
    rules = table(offered, switch_hands_order=order)
    for shoe in product((False, True), repeat=3):
        told = shoe_refusal(rules, *shoe)
        if not shoe[0]:
            assert told == "the shoe was set up without switch hands, the rules submission offers them"
        elif shoe[1] != fits[1]:
            mine, other = ("with", "without") if shoe[1] else ("without", "with")
            assert told == f"the shoe was set up {mine} Blackjack premium, the rules submission is {other} it"
        elif shoe[2] != fits[2]:
            when = "after" if shoe[2] else "before"
            assert (
                told == f"the shoe deals switch hands cards {when} the Blackjack hands, the rules submission does not"
            )
        else:
            assert told == ""
    assert shoe_refusal(table("none"), False, False, False) == ""
