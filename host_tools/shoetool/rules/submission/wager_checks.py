"""What the regulation does not allow in a submission's optional wagers: games, paytables, limits, meters, the cap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.money import dollars
from shoetool.model.naming import many
from shoetool.rules.games import GAMES as DECLARATIONS
from shoetool.rules.games import Game
from shoetool.rules.paytable import Paytable, paytable, paytables
from shoetool.rules.submission.refusal import Refusal, limits, plain
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS, Wager
from shoetool.rules.wagers.progressive import ENVY

LEAST_CAP: Final = 25_000_00


def offerable(game: str | None = None) -> tuple[str, ...]:
    """The keys of all optional wagers, or of those that a game may offer."""
    return tuple(key for key, wager in WAGERS.items() if game is None or game in wager.games)


def wager_refusals(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    """Find wagers that the game lacks, paytables not printed for the decks, and bad limits, bonuses and meters."""
    for key, offer in table.wagers.items():
        place = f"wagers.{key}"
        tables = paytables(key)
        switch = WAGERS[key].switch
        if not any(table.paytable_game(key) in one.games for one in tables):
            allowed = " and ".join(dict.fromkeys(DECLARATIONS[name].title for one in tables for name in one.games))
            own = ", ".join(offerable(game.name))
            if game.borrows and switch is not None:
                own += f', or write switch_side_wagers = "{switch.word}"'
            yield Refusal(
                place,
                f"{game.title} has no {tables[0].title}, only {allowed}",
                WAGERS[key].offered,
                f"take it out; wagers of this game: {own}",
            )
            continue
        yield from _paytable(table, game, key, offer)
        yield from limits(f"{place}.", "min", "max", offer.minimum, offer.maximum, table, WAGERS[key].offered)
        yield from _amount(table, key, offer)
        yield from _surroundings(table, key)
        yield from _one_bonus(key, offer)
        yield from _asked(table, key)
        yield from _meter(table, key)
        if game.borrows and switch is not None and switch.needs is not None:
            setting, value, why, clause = switch.needs
            if table.setting(setting) != value:
                what = f"in {game.title} {why} the {tables[0].title}"
                yield Refusal(setting, what, clause, f'write {setting} = "{value}", or leave it out')


def _paytable(table: RulesSubmission, game: Game, key: str, offer: WagerOffer) -> Iterator[Refusal]:
    place = f"wagers.{key}"
    tables = [one for one in paytables(key) if table.paytable_game(key) in one.games]
    optional = optional_keys(WAGERS[key], tables)
    for option in sorted(offer.options - optional):
        yield Refusal(
            f"{place}.{option}",
            f"the {tables[0].title} has no such choice",
            tables[0].clause,
            f"it has {', '.join(sorted(optional))}" if optional else "take it out",
        )
    try:
        paytable(key, offer.paytable, table.decks, table.paytable_game(key))
    except BadInput as error:
        yield _paytable_refusal(place, tables, offer.paytable, table.decks, str(error))


def _paytable_refusal(place: str, tables: list[Paytable], name: str, decks: int, otherwise: str) -> Refusal:
    fitting = [one for one in tables if one.covers(decks)]
    clauses = ", ".join(dict.fromkeys(one.clause for one in tables))
    title = tables[0].title
    if not fitting:
        printed = " or ".join(dict.fromkeys(one.conditions() for one in tables))
        return Refusal(
            place, f"there is no paytable for {many(decks, 'deck')}", clauses, f"take the wager out, or use {printed}"
        )
    letters = " or ".join(f'"{one.name}"' for one in fitting)
    clause = ", ".join(dict.fromkeys(one.clause for one in fitting))
    if not name and fitting[0].name:
        return Refusal(place, f"the {title} needs one of its paytables", clause, f"write paytable = {letters}")
    if name and not fitting[0].name:
        return Refusal(f"{place}.paytable", f"the {title} has only one paytable", clause, "take the key paytable out")
    named = [one for one in tables if one.name == name]
    if named:
        return Refusal(
            f"{place}.paytable",
            f"paytable {name} is for {named[0].conditions()}",
            named[0].clause,
            f"with {many(decks, 'deck')} write {letters}",
        )
    if name:
        return Refusal(f"{place}.paytable", f"there is no paytable {name}", clauses, f"write {letters}")
    return Refusal(place, otherwise, clauses, "choose another paytable")


def optional_keys(wager: Wager, tables: Iterable[Paytable]) -> set[str]:
    """The keys of what a house may offer with a wager or leave out: rows and bonuses, and an envy bonus."""
    envy = {ENVY} if wager.envy is not None and wager.envy.option else set()
    return {row.option for one in tables for row in one.rows if row.optional} | envy


def wager_amounts(table: RulesSubmission, key: str, name: str) -> tuple[int, ...]:
    """The only wagers in cents that may be offered: that of the chosen paytable, or those of the section; () for any.

    name: of the paytable. One that is not for this table, which is reported elsewhere, limits nothing.
    """
    try:
        stake = paytable(key, name, table.decks, table.paytable_game(key)).stake
    except BadInput:
        return ()
    return WAGERS[key].amounts if stake is None else (stake,)


def _amount(table: RulesSubmission, key: str, offer: WagerOffer) -> Iterator[Refusal]:
    """A wager of fixed amounts is offered in one of them: its meters and its envy bonus go by it."""
    amounts = wager_amounts(table, key, offer.paytable)
    if not amounts or (offer.minimum == offer.maximum and offer.minimum in amounts):
        return
    by_table = amounts != WAGERS[key].amounts
    words = " or ".join(f"${amount // 100}" for amount in amounts)
    yield Refusal(
        f"wagers.{key}.min",
        f"paytable {offer.paytable} is for a wager of {words}" if by_table else f"the wager is {words}, as one amount",
        WAGERS[key].pays if by_table else WAGERS[key].amounts_by or WAGERS[key].offered,
        f"write {' or '.join(f'min = {plain(amount)} and max = {plain(amount)}' for amount in amounts)}",
    )


def _surroundings(table: RulesSubmission, key: str) -> Iterator[Refusal]:
    """A wager that is offered only beside another one, or only at an electronic table."""
    wager, place = WAGERS[key], f"wagers.{key}"
    if wager.beside is not None and wager.beside.wager not in table.wagers:
        other = wager.beside.wager
        text = f"the {paytables(key)[0].title} is offered only beside the {paytables(other)[0].title}"
        yield Refusal(place, text, wager.beside.offered, f"offer [wagers.{other}] too, or take it out")
    if wager.electronic_table and not table.electronic_table:
        text = f"the {paytables(key)[0].title} is offered only at a fully automated electronic gaming table"
        yield Refusal(place, text, wager.electronic_table, "write electronic_table = true, or take it out")


def _one_bonus(key: str, offer: WagerOffer) -> Iterator[Refusal]:
    """Several bonuses of which the house offers one."""
    chosen = [bonus for bonus in WAGERS[key].bonuses if bonus.key in offer.options]
    if WAGERS[key].one_bonus and len(chosen) > 1:
        text = f"{' and '.join(bonus.title for bonus in chosen)} are both offered, and one of them may be"
        rest = " or ".join(bonus.key for bonus in chosen)
        yield Refusal(f"wagers.{key}.{chosen[1].key}", text, WAGERS[key].one_bonus, f"take {rest} out")


def _asked(table: RulesSubmission, key: str) -> Iterator[Refusal]:
    """What the chapter leaves open, so that the house must say it; not what its paytable never brings up."""
    rule = WAGERS[key].meter
    of_parts = None if rule is None or _pays_parts(table, key) else rule.readings.sharing_parts
    for choice in WAGERS[key].every_choice:
        if choice.asked and choice is not of_parts and not choice.of(table):
            words = " or ".join(f'"{word}"' for word in choice.words)
            yield Refusal(
                choice.key,
                f"is missing, and the chapter does not settle it: {choice.meaning}",
                choice.clause,
                f"write {choice.key} = {words}",
            )


def _pays_parts(table: RulesSubmission, key: str) -> bool:
    """Whether the chosen paytable pays a part of a meter; True for one that cannot be told."""
    try:
        rows = paytable(key, table.wagers[key].paytable, table.decks, table.paytable_game(key)).rows
    except BadInput:
        return True
    return any(0 < row.odds.meter_share < 1 for row in rows)


def _meter(table: RulesSubmission, key: str) -> Iterator[Refusal]:
    place = f"wagers.{key}.meter"
    meter = table.meters.get(key)
    rule = WAGERS[key].meter
    if rule is None and table.wagers[key].linked:
        text = "only the meters of a progressive wager are linked"
        yield Refusal(f"wagers.{key}.linked", text, WAGERS[key].offered, "take it out")
    if WAGERS[key].prints_meters:
        return  # the paytable fixes the figures
    if rule is None:
        if meter is not None:
            yield Refusal(place, "only a progressive wager has a meter", WAGERS[key].offered, "take the meter out")
        return
    least, clause = rule.least_beside(table.wagers[key].minimum), rule.clause
    if meter is None:
        yield Refusal(
            place,
            "a progressive wager needs the start, reset and rate of its meter",
            clause,
            f'write meter = {{ start = {plain(least)}, reset = {plain(least)}, rate = "10%" }}, or with more',
        )
        return
    for name, amount in (("start", meter.start), ("reset", meter.reset)):
        if amount < least:
            yield Refusal(
                f"{place}.{name}",
                f"${dollars(amount)} is less than a meter may {_METER_VERBS[name]}",
                clause,
                f"write {plain(least)} or more",
            )
    if not 0 < meter.rate <= 1:
        yield Refusal(f"{place}.rate", "the rate is not a share of a wager", clause, 'write it such as "10%"')


_METER_VERBS: Final = {"start": "start with", "reset": "be reset to"}


def cap_refusals(table: RulesSubmission, game: Game) -> Iterator[Refusal]:
    """An aggregate cap without the wagers that it limits, or below its floor: 633a.13(o)."""
    cap = table.aggregate_cap
    if cap is None:
        return
    if not _capped(table):
        yield Refusal(
            "aggregate_cap",
            "it limits only the Lucky Ladies and King's Bounty wagers, of which none is offered",
            "633a.13(o) option",
            "take it out, or offer one of them",
        )
        return
    floor = cap_floor(table)
    if cap < floor:
        yield Refusal(
            "aggregate_cap",
            f"${dollars(cap)} is below what one patron can win with the largest wagers, and $25,000 at least"
            if floor > LEAST_CAP
            else f"${dollars(cap)} is below the least cap",
            "633a.13(o) floor",
            f"write {plain(floor)} or more",
        )


def _capped(table: RulesSubmission) -> list[str]:
    """The offered wagers whose best row a house may cap (633a.13(o), reading 70)."""
    return [key for key in table.wagers if WAGERS[key].capped]


def cap_floor(table: RulesSubmission) -> int:
    """The least aggregate cap in cents: $25,000, or what one patron can win with the largest wagers if that is more.

    A patron may bet on `adjacent_boxes` boxes; each pair of identical cards needs two decks (633a.13(o) floor), and a
    round is dealt from one side of a double shoe.
    """
    pairs = table.copies // 2
    boxes = table.adjacent_boxes
    most = 0
    for key in sorted(_capped(table), key=lambda key: -table.wagers[key].maximum):
        count = min(pairs, boxes)
        best = max(row.odds.ratio for one in paytables(key) for row in one.rows)
        most += count * int(best * table.wagers[key].maximum)
        boxes -= count
    return max(LEAST_CAP, most)
