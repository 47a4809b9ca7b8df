"""What a table must have and show for its rules submission: layout, signs, devices, cards.

Derived from the submission alone, so that a layout or sign can be held against it: section .2 of each chapter, and .3
for the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shoetool.model.money import dollars
from shoetool.regulation.games import GAMES, Game
from shoetool.regulation.paytable import Paytable, paytable, paytables
from shoetool.regulation.submission.rules import RulesSubmission
from shoetool.regulation.wagers.catalogue import WAGERS

OPTIONAL_AREAS: Final = {"633a": "633a.2(b)(4)-(9), (11)-(14)", "590": "590.2(b)(4)", "635a": "635a.2(b)(5)"}
_SWITCH_TABLE: Final = "633a.2(b)(10)"
_MAIN_AREA: Final = {"633a": "633a.2(b)(2)", "590": "590.2(b)(2)", "635a": "635a.2(b)(2)"}
_STATED: Final = {"633a": "633a.2(b)(3)", "590": "590.2(b)(3)(i)-(iii)", "635a": "635a.2(b)(3)(i)-(iii)"}
_PAYOUTS: Final = {"633a": "633a.2(b)(15)", "590": "590.2(b)(5)", "635a": "635a.2(b)(6)"}
_READER: Final = {
    "633a": "633a.2(f) first sentence",
    "590": "590.2(d) first sentence",
    "635a": "635a.2(d) first sentence",
}
_RACK: Final = {"633a": "633a.2(g)(1)-(2)", "590": "590.2(e)(1)-(2)", "635a": "635a.2(e)(1)-(2)"}
_BATCHES: Final = {"633a": "633a.3(b)(1)", "590": "590.3(b)(1)", "635a": "635a.3(d)(1)"}
_BACKS: Final = {"633a": "633a.3(b)(2)", "590": "590.3(b)(2)", "635a": "635a.3(d)(2)"}
_DECKS: Final = {"633a": "633a.3(a)", "590": "590.3(a)", "635a": "635a.3(a) count"}
_CHANGED: Final = {"633a": "633a.3(d) 24 h", "590": "590.3(c)", "635a": "635a.3(b)"}


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a table needs: `where` (layout, sign, device, cards), what, and the clause that asks for it.
    `payouts` are (outcome, odds) as they must be shown."""

    where: str
    what: str
    clause: str
    payouts: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        rows = [{"outcome": outcome, "odds": odds} for outcome, odds in self.payouts]
        return {"where": self.where, "what": self.what, "clause": self.clause, "payouts": rows}


def needs(rules: RulesSubmission) -> tuple[Need, ...]:
    """Everything that the table of this submission needs. The submission has no refusals."""
    game = GAMES[rules.game]
    parts = (_areas(rules, game), _inscriptions(rules, game), _payouts(rules), _devices(rules, game), _cards(rules))
    return tuple(need for part in parts for need in part)


def _areas(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    chapter = rules.chapter
    yield Need("layout", f"betting positions for {rules.positions} players", game.clauses.positions)
    if game.offers_switch:
        yield Need("layout", "designated as a Blackjack Switch table", _SWITCH_TABLE)
        yield Need("layout", f"for each player two areas for the two equal {game.wager_name}s", _SWITCH_TABLE)
    else:
        yield Need("layout", f"for each player an area for the {game.wager_name}", _MAIN_AREA[chapter])
    for key in rules.wagers:
        if not WAGERS[key].electronic:
            clause = _SWITCH_TABLE if game.offers_switch else OPTIONAL_AREAS[chapter]
            yield Need("layout", f"for each player an area for the {_title(key)}", clause)


def _inscriptions(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    clause = _STATED[rules.chapter]
    yield Need("layout", "Blackjack pays 3 to 2", clause)
    yield Need("layout", "Insurance pays 2 to 1", clause)
    yield Need("layout", "the dealer draws to 16 and stands on all 17s, or the like", clause)
    if rules.chapter == "590":
        yield Need("layout", f"a dealer's 22 is a push for {game.wager_name}s, or the like", "590.2(b)(3)(iv)")
    if rules.chapter == "635a":
        yield Need("sign", "doubled hands do not win the additional payouts", "635a.2(b)(4)")
    if rules.aggregate_cap is not None:
        limit = f"the payout limit of ${dollars(rules.aggregate_cap)}, or that the posted limit applies"
        yield Need("layout or sign", limit, "633a.2(b)(16)")


def _payouts(rules: RulesSubmission) -> Iterator[Need]:
    clause = _PAYOUTS[rules.chapter]
    for table in active_paytables(rules):
        offer = rules.wagers.get(table.wager)
        rows = tuple(
            (row.outcome.removesuffix(" (optional)"), row.odds.text)
            for row in table.rows
            if not row.optional or offer is None or row.key in offer.options
        )
        letter = f", paytable {table.name}" if table.name else ""
        yield Need("layout or sign", f"payouts: {table.title}{letter}", clause, rows)


def active_paytables(rules: RulesSubmission) -> tuple[Paytable, ...]:
    """The paytables that this table pays by: main wager, insurance, what comes with the game, optional wagers."""
    found = []
    for key in ("main", "insurance", "even_money", "card_bonus", "bonus"):
        if key == "even_money" and not rules.even_money:
            continue
        found += [table for table in paytables(key) if rules.game in table.games]
    found += [
        paytable(key, offer.paytable, rules.decks, rules.paytable_game(key)) for key, offer in rules.wagers.items()
    ]
    return tuple(found)


def _devices(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    chapter = rules.chapter
    yield Need("device", "a card reader device, attached to the dealer's side of the table", _READER[chapter])
    if "bad_beat" in rules.wagers:
        what = "a progressive system, with an electronic wagering system that locks late wagers out at each position"
        yield Need("device", what, "633a.2(c)")
    for key in ("hit_and_run", "straight_jack"):
        if key in rules.wagers:
            title = _title(key)
            yield Need("device", f"a progressive system that takes the {title} at each position", "633a.2(d)(1)")
            yield Need("device", f"a lock-out of {title}s once the dealer has begun to deal", "633a.2(d)(2)")
    decks = rules.decks // 2 if rules.shoe == "double" else rules.decks
    yield Need("device", f"a discard rack as high as {_decks(decks)}, or with a mark there", _RACK[chapter])
    if rules.shoe == "double":
        yield Need("device", "that height is of one side of the double shoe", "633a.2(h)")
    if rules.shoe == "hand":
        yield Need("device", "an automated shuffling device", "633a.12(b)(2)")


def _cards(rules: RulesSubmission) -> Iterator[Need]:
    chapter = rules.chapter
    kind = " of 48 cards, without 10s" if rules.spanish else ""
    if rules.shuffler == "automatic":
        yield Need("cards", f"two batches, each of {_decks(rules.decks)}{kind}", _BATCHES[chapter])
        yield Need("cards", "one design, and another back color for each batch", _BACKS[chapter])
    if rules.shoe == "double":
        yield Need("cards", f"{_decks(rules.decks // 2)} for each side of the double shoe", "633a.3(c) decks")
        yield Need("cards", "one design, and another back color for each side", "633a.3(c) backs")
        yield Need("cards", "a cover card for each side", "633a.3(c) cover cards")
    else:
        if rules.shuffler != "automatic":
            yield Need("cards", f"{_decks(rules.decks)}{kind}, alike in appearance", _DECKS[chapter])
        yield Need("cards", "a cover card", _DECKS[chapter])
    if rules.shoe == "hand":
        yield Need("cards", "changed at least every 4 hours", "633a.3(d) 4 h")
    else:
        yield Need("cards", "changed at least every 24 hours", _CHANGED[chapter])


def _title(key: str) -> str:
    return f"{WAGERS[key].title.removesuffix(' (Spanish 21)')} Wager"


def _decks(count: int) -> str:
    return "1 deck" if count == 1 else f"{count} decks"
