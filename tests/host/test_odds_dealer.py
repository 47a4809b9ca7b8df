"""`shoetool odds dealer`: the dealer's final hand, against published figures and against every sequence of cards."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from importlib import resources

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.odds.dealer import after_reader, any_up_card, dealer_by_up_card, dealer_results
from shoetool.odds.figures import decimal
from shoetool.odds.shoe import Shoe, without

SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "odds.schema.json").read_text())

# Michael Shackleford, "Dealer Probabilities in Blackjack" (Wizard of Odds, blackjack appendix 2B, 2004): one deck, the
# dealer stands on soft 17 and has not looked for Blackjack. Six significant digits: 17 to 21, Blackjack, bust.
# He prints 0.313726 for the Blackjack with an ace up, which is 16/51.
ONE_DECK = """
A   0.126128 0.131003 0.129486 0.131553 0.0515646 0.313725 0.11654
2   0.138976 0.131762 0.131815 0.123948 0.120526 0 0.352973
3   0.130313 0.130946 0.123761 0.123345 0.116047 0 0.375588
4   0.130973 0.114163 0.120679 0.116286 0.115096 0 0.402803
5   0.119687 0.123483 0.116909 0.104694 0.106321 0 0.428905
6   0.166948 0.106454 0.107192 0.100705 0.0978785 0 0.420823
7   0.372345 0.138583 0.0773344 0.0788967 0.072987 0 0.259854
8   0.130857 0.362989 0.129445 0.0682898 0.0697914 0 0.238627
9   0.121886 0.103921 0.357391 0.12225 0.0611088 0 0.233442
10  0.114418 0.112879 0.114662 0.328879 0.0364661 0.0784314 0.214264
any 0.14583 0.138063 0.13482 0.175806 0.0736296 0.0482655 0.283585
"""
# The same author, "Blackjack Appendix 2: Dealer Probabilities" (2007): two decks, no Blackjack. 17 to 21, bust.
TWO_DECKS_AFTER_THE_READER = {
    "A": "0.186367 0.189883 0.188851 0.190272 0.076531 0.168096",
    "10": "0.122412 0.1216 0.122524 0.36387 0.038449 0.231144",
}
# Ken Smith, "Blackjack Dealer Outcome Probabilities" (BlackjackInfo): one deck, the dealer draws to a soft 17, and has
# no Blackjack. Percent: bust, 17 to 21.
ONE_DECK_H17 = {
    "6": "43.78 11.61 11.38 11.61 10.96 10.67",
    "A": "20.46 8.18 20.54 20.62 20.95 9.26",
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(), ["odds", "dealer", *arguments])


def document(*arguments: str) -> dict:
    found = json.loads(run(*arguments, "--json").stdout)
    Draft202012Validator(SCHEMA).validate(found)
    return found["dealer"]


def value(number: dict[str, str]) -> Fraction:
    assert abs(Fraction(number["decimal"]) - Fraction(number["fraction"])) <= Fraction(1, 2 * 10**12)
    return Fraction(number["fraction"])


def agrees(published: str, exact: Fraction) -> bool:
    """Whether the published figure is the exact one, rounded or cut at its last digit."""
    return abs(Fraction(published) - exact) <= Fraction(1, 10 ** len(published.partition(".")[2])) and (
        f"{float(exact):.6g}" == published or decimal(exact, len(published.partition(".")[2])) == published
    )


@pytest.mark.parametrize("line", ONE_DECK.strip().splitlines(), ids=lambda line: line.split()[0])
def test_the_published_table_of_one_deck_is_met_to_its_last_digit(line: str) -> None:
    up, *published = line.split()
    told = document("--decks", "1")
    results = (
        told["any_up_card"]
        if up == "any"
        else next(one for one in told["up_cards"] if one["up"] == up)["before_reader"]
    )
    for name, figure in zip(("17", "18", "19", "20", "21", "blackjack", "bust"), published, strict=True):
        assert agrees(figure, value(results[name])), (up, name)


@pytest.mark.parametrize("up", TWO_DECKS_AFTER_THE_READER)
def test_the_published_table_after_the_reader_is_met_to_its_last_digit(up: str) -> None:
    told = next(one for one in document("--decks", "2")["up_cards"] if one["up"] == up)["after_reader"]
    published = TWO_DECKS_AFTER_THE_READER[up].split()
    for name, figure in zip(("17", "18", "19", "20", "21", "bust"), published, strict=True):
        assert agrees(figure, value(told[name])), name


@pytest.mark.parametrize("up", ONE_DECK_H17)
def test_a_dealer_who_draws_to_a_soft_17_meets_the_published_figures(up: str) -> None:
    told = next(one for one in document("--decks", "1", "--h17")["up_cards"] if one["up"] == up)["after_reader"]
    for name, figure in zip(("bust", "17", "18", "19", "20", "21"), ONE_DECK_H17[up].split(), strict=True):
        assert decimal(100 * value(told[name]), 2) == figure, name


def every_sequence(left: Counter[int], up: int, h17: bool) -> dict[str, Fraction]:
    """The same by naive play, one card after the other: by the rules in words, with nothing of the tool."""
    found: Counter[str] = Counter()

    def play(cards: list[int], chance: Fraction) -> None:
        count, soft = sum(cards), False
        if 1 in cards and count <= 11:
            count, soft = count + 10, True
        if len(cards) == 2 and count == 21:
            found["blackjack"] += chance
        elif count > 21:
            found["bust"] += chance
        elif len(cards) > 1 and (count > 17 or (count == 17 and not (soft and h17))):
            found[str(count)] += chance
        else:
            together = left.total()
            for one in [value for value in left if left[value]]:
                part = chance * left[one] / together
                left[one] -= 1
                play([*cards, one], part)
                left[one] += 1

    left[up] -= 1
    play([up], Fraction(1))
    left[up] += 1
    return dict(found)


@pytest.mark.parametrize("h17", [False, True])
@pytest.mark.parametrize("up", [1, 9, 10])
def test_naive_play_of_every_sequence_agrees(up: int, h17: bool) -> None:
    deck = Counter({**dict.fromkeys(range(1, 10), 4), 10: 12})  # Spanish 21: no 10s
    told = document("--decks", "6", "--game", "spanish_21", *(["--h17"] if h17 else []))
    shoe = Counter({one: 6 * count for one, count in deck.items()})
    naive = every_sequence(shoe, up, h17)
    results = next(one for one in told["up_cards"] if one["up"] == {1: "A"}.get(up, str(up)))["before_reader"]
    assert {name: value(number) for name, number in results.items() if value(number)} == naive


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_the_chances_of_every_up_card_add_up_to_exactly_1(decks: int) -> None:
    shoe = Shoe.of("blackjack", decks)
    by_up = dealer_by_up_card(shoe.counts)
    for results in [*by_up.values(), *map(after_reader, by_up.values()), any_up_card(shoe.counts, by_up)]:
        assert sum(results.values()) == 1


def test_cards_that_are_known_elsewhere_are_not_drawn() -> None:
    left = without(Shoe.of("blackjack", 1).counts, [0, 0, 0, 9])
    results = dealer_results(left, 9)
    assert results[0] == Fraction(1, 48), "one ace is left of 48 cards"
    with pytest.raises(ValueError, match="no card that counts 1 is left"):
        without(left, [0, 0])
    with pytest.raises(ValueError, match="too few"):
        dealer_results((0, 0, 3, 0, 0, 0, 0, 0, 0, 0), 1)


def test_a_table_for_people_names_its_assumptions() -> None:
    text = run("--decks", "6").stdout
    assert text.startswith("Blackjack, 6 decks, full shoe; the dealer stands on all 17s\n")
    assert "No card but the dealer's own is known." in text
    assert "any      0.1452" in text and "After the reader: no Blackjack" in text
    assert "draws to a soft 17" in run("--decks", "6", "--h17").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--decks'"),
        (["--decks", "0"], "0 is not in the range 1<=x<=64"),
        (["--decks", "x"], "'x' is not a valid integer range"),
        (["--decks", "6", "--game", "whist"], "there is no game 'whist'; there are blackjack, "),
        (["--decks", "3", "--game", "from_the_hand"], "is dealt with 1 to 2 decks, not 3"),
        (["--decks", "5", "--game", "spanish_21"], "is dealt with 6 or 8 decks, not 5"),
    ],
)
def test_what_cannot_be_dealt_is_one_line(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert said in result.stderr


def test_a_mistyped_command_of_the_group_is_told_which_one_may_be_meant() -> None:
    result = CliRunner().invoke(build(), ["odds", "deeler"])
    assert result.exit_code == 2
    said = "no such wager or command 'deeler' (did you mean dealer?); see 'shoetool odds --help'"
    assert result.stderr == f"shoetool: {said}\n"


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (Fraction(1, 3), 4, "0.3333"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(25), 2, "25.00"),
        (Fraction(5, 2), 0, "3"),
    ],
)
def test_a_decimal_is_rounded_once_at_its_last_digit(number: Fraction, places: int, text: str) -> None:
    assert decimal(number, places) == text
