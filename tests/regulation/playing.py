"""Rounds in short words, for the tests of the rules of play.

    played("blackjack", "1=25 3=10", "Kh 8s 6d 9d 8d 7c ...", "1:stand 3:split 3:stand 3:stand")

Stakes are `position=dollars`, optional wagers behind it as `+key=dollars`. Cards stand in the order they were drawn.
Decisions are `position:name`, `position.hand:name` and `position:name=dollars`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from shoetool.deal import Decision, Irregularity, RuleError, Stake, play
from shoetool.model.cards import card_name, parse_card
from shoetool.rules.round import Hand, TableRound
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from wagers_offered import offering

DECKS = {"blackjack": 6, "switch": 6, "from_the_hand": 2, "free_bet": 6, "spanish_21": 6}
CHAPTERS = ("blackjack", "free_bet", "spanish_21")
"""The games of which each has its chapter."""


def clauses(**ids: str | tuple[str, ...]) -> pytest.MarkDecorator:
    """Run a test for each game, marked with that game's clause; the test gets `game` and `clause` (the first)."""
    cases = []
    for game, given in ids.items():
        names = (given,) if isinstance(given, str) else given
        cases.append(pytest.param(game, names[0], marks=pytest.mark.clause(*names), id=game))
    return pytest.mark.parametrize(("game", "clause"), cases)


def cents(text: str) -> int:
    dollars, _, rest = text.partition(".")
    return int(dollars) * 100 + int((rest + "00")[:2])


def table(game: str, *wagers: str, decks: int | None = None, **options: object) -> RulesSubmission:
    """A table with every setting at its default, and these optional wagers from $1 to $100."""
    offers = {key: WagerOffer(minimum=100, maximum=10000) for key in wagers}
    return offering(RulesSubmission.default(game, decks or DECKS[game], **options), *wagers, **offers)


def cards(text: str) -> list[int]:
    return [63 if name == "??" else parse_card(name) for name in text.split()]


def names(ids: tuple[int, ...] | list[int]) -> str:
    return " ".join(card_name(card) for card in ids)


def stakes(text: str) -> list[Stake]:
    found = []
    for word in text.split():
        main, *side = word.split("+")
        position, wager = main.split("=")
        found.append(Stake(int(position), cents(wager), {s.split("=")[0]: cents(s.split("=")[1]) for s in side}))
    return found


def decisions(text: str) -> list[Decision]:
    found = []
    for word in text.split():
        where, choice = word.split(":")
        position, _, hand = where.partition(".")
        name, _, amount = choice.partition("=")
        found.append(Decision(int(position), int(hand) if hand else None, name, cents(amount) if amount else None))
    return found


def played(
    game: str | RulesSubmission,
    bets: str,
    drawn: str,
    chosen: str = "",
    *irregularities: Irregularity,
    **arguments: object,
) -> TableRound:
    """The round, with the cards of the text; see the head of the module."""
    submission = table(game) if isinstance(game, str) else game
    return play(submission, stakes(bets), cards(drawn), decisions(chosen), irregularities, **arguments)


def hands(round_: TableRound, position: int) -> tuple[Hand, ...]:
    return next(box.hands for box in round_.boxes if box.position == position)


def only(round_: TableRound, position: int = 1) -> Hand:
    (hand,) = hands(round_, position)
    return hand


def held(round_: TableRound, position: int = 1) -> list[str]:
    """The cards of each hand of the position, from the left."""
    return [names(hand.cards) for hand in hands(round_, position)]


@contextmanager
def refused(clause: str, *words: str) -> Iterator[None]:
    """The round inside is refused by this clause, in one line that has these words."""
    with pytest.raises(RuleError) as caught:
        yield
    text = str(caught.value)
    assert caught.value.clause == clause, text
    assert clause in text
    assert "\n" not in text
    for word in words:
        assert word in text, text
