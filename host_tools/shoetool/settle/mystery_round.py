"""The mystery bonuses of one round: who contributed what, in which order, and who won by what the round tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from shoetool.model.money import dollars
from shoetool.rules.round import Line, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import title_of
from shoetool.rules.wagers.mystery import MYSTERIES, ORDER, configuration
from shoetool.settle.crossing import Contribution
from shoetool.settle.mystery import Hit, MysteryLedger
from shoetool.settle.mystery_lines import bonus_lines
from shoetool.trust.hidden_value import NONCE_SIZE, Opening

Won = Mapping[str, Sequence[Hit]]
"""What was won of each mystery bonus in a round, in that order."""

_NO_NONCE: Final = bytes(NONCE_SIZE)
"""A round by itself has no commitment that could be opened: `verify` checks that over a whole table record."""


class Bettor(Protocol):
    """A position with its wagers in cents, as a box of a round or as its file tells it."""

    @property
    def position(self) -> int: ...
    @property
    def wager(self) -> int: ...
    @property
    def side(self) -> Mapping[str, int]: ...


def contributions(
    key: str, bettors: Iterable[Bettor], accepted: Iterable[tuple[str, int]], rules: RulesSubmission
) -> tuple[list[Contribution], bool]:
    """Return what each position contributes to a bonus, 633c.14(c)(1), (2), and whether it is known in which order.

    accepted: (wager, position) as the system accepted the wagers. One that is there twice has no known place.
    """
    offer = rules.mysteries[key]
    printed = configuration(key, offer.configuration)
    made = [
        Contribution(one.position, printed.contribution(one.side[offer.wager]))
        for one in bettors
        if one.wager and one.side.get(offer.wager)
    ]
    made = [one for one in made if one.cents]
    if ORDER.of(rules) != "accepted" or len(made) < 2:
        return made, True
    made_by = {one.position: one for one in made}
    places = [position for wager, position in accepted if wager == offer.wager and position in made_by]
    if sorted(places) != sorted(made_by):
        return made, False
    return [made_by[position] for position in places], True


def won_in(table_round: TableRound, rules: RulesSubmission) -> dict[str, list[Hit]]:
    """Return who won which bonus by what the round itself tells: its meters, its wagers and the opened values.

    RuleError, with the clause, when an opened value cannot have been hit in this round, when one must have been and
    none is opened, and when a part of a cent or an order that the round does not tell decides.
    """
    for key, _ in table_round.opened:
        if key not in rules.mysteries:
            there = ", ".join(map(title_of, rules.mysteries)) or "none"
            clause = MYSTERIES[key].offered if key in MYSTERIES else "633c.14(a)"
            raise RuleError(clause, f"a hidden value of {title_of(key)} was opened, which is not offered ({there})")
    return {key: _won(key, table_round, rules) for key in rules.mysteries}


def _won(key: str, table_round: TableRound, rules: RulesSubmission) -> list[Hit]:
    mystery = MYSTERIES[key]
    openings = [Opening(value, _NO_NONCE) for of, value in table_round.opened if of == key]
    shown = table_round.meters.get(key)
    if shown is None:
        if openings:
            text = f"the {mystery.title} was won, and the round does not tell what its meter stood at; "
            raise RuleError(mystery.hidden, f'{text}write "meters": {{"{key}": "153.40"}} with the amount before it')
        return []
    printed = configuration(key, rules.mysteries[key].configuration)
    if shown < printed.minimum:
        least = dollars(printed.minimum)
        text = f"the meter of the {mystery.title} is given as ${dollars(shown)}, and it never stands below ${least}"
        raise RuleError(mystery.resets, text)
    ledger = MysteryLedger(printed, rules)
    ledger.show(shown)
    made, ordered = contributions(key, table_round.boxes, table_round.accepted, rules)
    hits, wrong = ledger.play("this round", made, openings, ordered)
    for objection in wrong:
        if objection.sure:
            raise RuleError(objection.clause, objection.sentence.removesuffix("."))
    for hit in hits:
        if hit.missing:
            raise RuleError(mystery.hidden, f"{mystery.title}: {hit.missing}")
    return hits


def mystery_lines(table_round: TableRound, rules: RulesSubmission, won: Won | None) -> list[Line]:
    """Return the lines of the bonuses that were won. `won`: by whom, None for what the round itself tells.

    A bonus of which it is not known who won it, or what, has none. RuleError as `won_in`.
    """
    if won is None:
        won = won_in(table_round, rules) if rules.mysteries or table_round.opened else {}
    return [
        line
        for key, hits in won.items()
        for hit in hits
        if not hit.missing
        for line in bonus_lines(key, hit, rules.mysteries[key])
    ]
