"""What a table must have and show for its rules submission: layout, signs, devices, cards.

It follows from the submission alone, so a layout or sign can be compared with it: section .2 of each chapter, and .3
for the cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.money import dollars
from shoetool.model.naming import many
from shoetool.rules.games import GAMES, Game
from shoetool.rules.paytable import Paytable, paytable, paytables
from shoetool.rules.submission.layout_hybrid import hybrid_areas, hybrid_devices, hybrid_inscriptions
from shoetool.rules.submission.need import Need
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import WAGERS
from shoetool.rules.wagers.mystery import MYSTERIES
from shoetool.rules.wagers.switch_hands import OFFERED, PAYTABLES, TIE


def needs(rules: RulesSubmission) -> tuple[Need, ...]:
    """Return everything that the table of this submission needs. The submission must have no refusals."""
    game = GAMES[rules.game]
    parts = (_areas, _inscriptions, _payouts, _devices, _cards)
    return tuple(need for part in parts for need in part(rules, game))


def _areas(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    if game.electronic:
        yield from hybrid_areas(rules, game)
        return
    clauses = game.table
    yield Need("layout", f"betting positions for {rules.positions} players", game.clauses.positions)
    if game.facts.switch:
        yield Need("layout", f"designated as a {game.title} table", clauses.main_area)
    areas = "two areas for the two equal {}s" if game.deal.hands > 1 else "an area for the {}"
    yield Need("layout", f"for each player {areas.format(game.wager_name)}", clauses.main_area)
    if OFFERED.of(rules) != "none":
        what = 'for each player an area for the switch hands ante, marked "ante $1 for every $5 bet"'
        yield Need("layout", f"{what}, and one for the switch hands cards", "633c.4(a)(1)")
    for key in rules.wagers:
        if not WAGERS[key].electronic or WAGERS[key].area:
            clause = WAGERS[key].area or clauses.optional_areas
            yield Need("layout", f"for each player an area for the {_title(key)}", clause)
        press = WAGERS[key].press
        if press is not None and press.apart is not None:
            yield Need("layout", f"for each player an area for the {WAGERS[key].title} Press", press.apart.area)


def _inscriptions(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    if game.electronic:
        yield from hybrid_inscriptions(rules, game)
        return
    clause = game.table.stated
    yield Need("layout", "Blackjack pays 3 to 2", clause)
    yield Need("layout", "Insurance pays 2 to 1", clause)
    yield Need("layout", "the dealer draws to 16 and stands on all 17s, or the like", clause)
    if OFFERED.of(rules) != "none":
        yield Need("layout", "switched colored or suited Blackjacks pay 2 to 1", "633c.4(a)(3)")
    for where, what, by in game.table.also:
        yield Need(where, what, by)
    if rules.aggregate_cap is not None:
        limit = f"the payout limit of ${dollars(rules.aggregate_cap)}, or that the posted limit applies"
        yield Need("layout or sign", limit, "633a.2(b)(16)")


def _payouts(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    for table in active_paytables(rules):
        offer = rules.wagers.get(table.wager)
        rows = tuple(
            (row.outcome.removesuffix(" (optional)"), row.odds.text)
            for row in table.rows
            if not row.optional or (_paid_here(rules, table) if offer is None else row.option in offer.options)
        )
        letter = f", paytable {table.name}" if table.name else ""
        clause = WAGERS[table.wager].shown if offer is not None else ""
        where = "terminal" if game.electronic else "layout or sign"
        yield Need(where, f"payouts: {table.title}{letter}", clause or game.table.payouts, rows)


def _paid_here(rules: RulesSubmission, table: Paytable) -> bool:
    """Whether the optional row of a paytable that comes with the game is paid; of switch hands, 633c.4(i)(2)(ii)."""
    return table.wager not in PAYTABLES.values() or bool(TIE.of(rules) != TIE.words[0])


def active_paytables(rules: RulesSubmission) -> tuple[Paytable, ...]:
    """The paytables that this table pays by: main wager, insurance, what comes with the game, optional wagers."""
    found = []
    for key in ("main", *PAYTABLES.values(), "insurance", "even_money", "card_bonus", "bonus"):
        if (key == "even_money" and not rules.even_money) or not switch_hands_pay(rules, key):
            continue
        found += [table for table in paytables(key) if rules.game in table.games]
    found += [
        paytable(key, offer.paytable, rules.decks, rules.paytable_game(key)) for key, offer in rules.wagers.items()
    ]
    return tuple(found)


def switch_hands_pay(rules: RulesSubmission, key: str) -> bool:
    """Whether a paytable applies beside those of 633c.4: plain Blackjack does not where every player has an ante."""
    offered: str = OFFERED.of(rules)
    if key == "main":
        return offered != "all"
    return key not in PAYTABLES.values() or key == PAYTABLES.get(offered)


def _devices(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    if game.electronic:
        yield from hybrid_devices()
    yield Need("device", "a card reader device, attached to the dealer's side of the table", game.table.reader)
    # In the order in which their paytables are printed.
    for wager in sorted((WAGERS[key] for key in rules.wagers), key=lambda wager: wager.pays):
        for what, clause in () if wager.meter is None else wager.meter.devices:
            yield Need("device", what.format(wager=_title(wager.key)), clause)
    for key in rules.mysteries:
        for what, clause in MYSTERIES[key].devices:
            yield Need("device", what, clause)
    decks = rules.copies
    yield Need("device", f"a discard rack as high as {many(decks, 'deck')}, or with a mark there", game.table.rack)
    if rules.shoe == "double":
        yield Need("device", "that height is of one side of the double shoe", "633a.2(h)")
    if rules.shoe == "hand":
        yield Need("device", "an automated shuffling device", "633a.12(b)(2)")


def _cards(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    clauses = game.table
    kind = " of 48 cards, without 10s" if rules.spanish else ""
    if rules.shuffler == "automatic":
        yield Need("cards", f"two batches, each of {many(rules.decks, 'deck')}{kind}", clauses.batches)
        yield Need("cards", "one design, and another back color for each batch", clauses.backs)
    if rules.shoe == "double":
        yield Need("cards", f"{many(rules.decks // 2, 'deck')} for each side of the double shoe", "633a.3(c) decks")
        yield Need("cards", "one design, and another back color for each side", "633a.3(c) backs")
        yield Need("cards", "a cover card for each side", "633a.3(c) cover cards")
    else:
        if rules.shuffler != "automatic":
            yield Need("cards", f"{many(rules.decks, 'deck')}{kind}, alike in appearance", clauses.decks)
        yield Need("cards", "a cover card", clauses.decks)
    yield Need("cards", f"changed at least every {clauses.deck_hours} hours", clauses.changed)


def _title(key: str) -> str:
    name, _, _ = WAGERS[key].title.partition(" (")
    return f"{name} Wager"
