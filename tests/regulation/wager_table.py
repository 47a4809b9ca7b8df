"""Rounds for the tests of optional wagers, written with cards as words: `cards("QH 10S")`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shoetool.model.cards import parse_card, total
from shoetool.model.money import cents
from shoetool.rules.round import Box, Hand, Line, Settlement, Stage, TableRound
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.submission.wager_checks import wager_amounts
from shoetool.settle.optional import optional_lines
from shoetool.settle.terms import terms_of
from wagers_offered import offering


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(name) for name in text.split())


def rules_for(
    *keys: str,
    game: str = "blackjack",
    decks: int = 6,
    paytable: str | None = None,
    options: Iterable[str] | None = None,
    **changes: Any,
) -> RulesSubmission:
    """A table that offers these wagers with all their bonuses; `paytable` is the letter of the first one's, `options`
    its own."""
    rules = offering(RulesSubmission.default(game, decks, **changes), *keys)
    if paytable is None and options is None:
        return rules
    first = rules.wagers[keys[0]]
    letter = first.paytable if paytable is None else paytable
    limits = wager_amounts(rules, keys[0], letter)[-1:] * 2 or (first.minimum, first.maximum)
    chosen = first.options if options is None else frozenset(options)
    return offering(rules, **{keys[0]: WagerOffer(letter, *limits, chosen)})


def hand_of(text: str, number: int = 1, **fields: Any) -> Hand:
    held = cards(text)
    end = "bust" if total(held)[0] > 21 else "stand"
    return Hand(number, held, 25_00, **{"end": end, **fields})


def box_of(
    text: str,
    side: Mapping[str, str],
    position: int = 3,
    drawn: str = "",
    hands: tuple[Hand, ...] | None = None,
    second: str = "",
    **fields: Any,
) -> Box:
    """A box with these first two cards, drawn cards or split hands, and wagers in dollars."""
    initial = (cards(text), cards(second)) if second else (cards(text),)
    if hands is None:
        played = (f"{text} {drawn}", second) if second else (f"{text} {drawn}",)
        hands = tuple(hand_of(one, number) for number, one in enumerate(played, 1))
    placed = {key: cents(amount) for key, amount in side.items()}
    if drawn and "third" not in fields:
        fields["third"] = cards(drawn)[0]
    return Box(position, 25_00, initial, hands, side=placed, **fields)


def round_of(rules: RulesSubmission, dealer: str, *boxes: Box, **fields: Any) -> TableRound:
    meters = {key: cents(amount) for key, amount in fields.pop("meters", {}).items()}
    return TableRound(rules.game, rules.decks, boxes, cards(dealer), meters=meters, **fields)


def lines_of(rules: RulesSubmission, dealer: str, *boxes: Box, **fields: Any) -> list[Line]:
    """The lines of the optional wagers of a round."""
    return list(settled_optional(round_of(rules, dealer, *boxes, **fields), rules).lines)


def settled_optional(table_round: TableRound, rules: RulesSubmission) -> Settlement:
    """The optional wagers of a round alone, in the order of the stages."""
    lines = optional_lines(terms_of(rules), table_round)
    return Settlement.of(sorted(lines, key=lambda line: tuple(Stage).index(line.stage)))


def one_line(wager: str, text: str, dealer: str, staked: str = "5.00", **more: Any) -> Line:
    """The only line of one wager in one box; further arguments go to `rules_for`, `box_of` or the round."""
    to_rules = {key: more.pop(key) for key in tuple(more) if key not in _OF_BOX | _OF_ROUND}
    to_box = {key: more.pop(key) for key in tuple(more) if key in _OF_BOX}
    rules = rules_for(wager, **to_rules)
    lines = lines_of(rules, dealer, box_of(text, {wager: staked}, **to_box), **more)
    found = [line for line in lines if line.wager == wager and line.position is not None]
    assert len(found) == 1
    return found[0]


_OF_BOX = frozenset({"position", "drawn", "hands", "second", "pressed", "third"})
_OF_ROUND = frozenset({"meters", "lucky_player", "magic_card", "draws_discarded"})
