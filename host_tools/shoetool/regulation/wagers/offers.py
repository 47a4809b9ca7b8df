"""The optional wagers of one table, made ready for settling many rounds.

What the wagers on the cards of the deal come to is tabled by first, second and up card and whether the dealer has a
Blackjack. The table is filled from the wagers' own predicates as rounds ask for it, with all cards that are alike at
once. Of the other wagers, resolutions are kept by what they depend on. Nothing here knows amounts.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from shoetool.regulation.paytable import Paytable, paytable
from shoetool.regulation.round import Stage
from shoetool.regulation.rule_error import RuleError
from shoetool.regulation.submission.rules import RulesSubmission

from .alike import alike
from .catalogue import WAGERS
from .resolution import ByStake, Resolution, decide, resolve_bonus, resolved
from .view import NotYetKnown, View
from .wager import Bonus, Outcome, Wager

Against = dict[Hashable, Resolution]
"""Resolutions of one wager against one dealer's hand, by what else they depend on."""
Won = tuple[tuple[str, ByStake[int]], ...]
"""Wagers that pay: the key of the wager whose stake it goes by, and what comes back by stake."""

_MOST_SETS: Final = 4096
"""Sets of wagers, each in each order they may be named in, that one table remembers."""

_OFFERED_BY: Final = {"free_bet": "590.6(e)", "spanish_21": "635a.6(e)"}


def _deal(view: View) -> Hashable:
    """What a wager on the deal's cards depends on."""
    return view.first, view.second, view.up


class Offer:
    """One optional wager with the paytable and the settings of one table."""

    __slots__ = (
        *("_against", "_bonuses", "_chances", "_shared"),
        *("bonuses", "depends", "key", "order", "rules", "table", "wager"),
    )

    def __init__(self, wager: Wager, rules: RulesSubmission) -> None:
        offer = rules.wagers[wager.key]
        self.wager = wager
        self.key = wager.key
        self.rules = rules
        self.table: Paytable = paytable(wager.key, offer.paytable, rules.decks, rules.paytable_game(wager.key))
        self.depends = wager.depends or _deal
        self.order = tuple(WAGERS).index(wager.key)
        self.bonuses = tuple(bonus for bonus in wager.bonuses if bonus.key in offer.options)
        self._bonuses: dict[tuple[str, Stage], Resolution] = {}
        self._against: dict[Hashable, Against] = {}
        self._chances: dict[int | None, frozenset[int]] = {}
        self._shared: dict[tuple[Outcome | None, Stage, str], Resolution] = {}

    def resolve(self, view: View) -> Resolution:
        """What the wager comes to; NotYetKnown when that depends on cards that the view leaves out."""
        decided = decide(self.wager, self.table, view)
        # Thousands of deals share a few objects, which then stay in the processor's caches.
        found = self._shared.get(decided)
        if found is None:
            found = self._shared[decided] = resolved(self.wager, self.table, self.order, *decided)
        return found

    def against(self, view: View) -> Against:
        """Resolutions against this dealer's hand; the same for every box of a round."""
        key = (self.wager.dealer_key(view), view.dealer_blackjack)
        found = self._against.get(key)
        if found is None:
            found = self._against[key] = {}
        return found

    def full(self, view: View, against: Against) -> Resolution:
        """The resolution with all cards of the round known, kept in `against`, the answer of that method."""
        key = self.depends(view)
        found = against.get(key)
        if found is None:
            found = against[key] = self.resolve(view)
        return found

    def bonus_chances(self, view: View) -> frozenset[int]:
        """Cards with one of which among the first two a box may win a bonus in this round."""
        magic = view.magic_card
        found = self._chances.get(magic)
        if found is None:
            cards = []
            for card in range(52):
                alone = View(self.rules, (card, card))
                alone.magic_card, alone.is_lucky_player = magic, False
                if any(bonus.predicate(alone) for bonus in self.bonuses):
                    cards.append(card)
            found = self._chances[magic] = frozenset(cards)
        return found

    def bonus(self, bonus: Bonus, stage: Stage) -> Resolution:
        """The bonus, won beside the wager and settled at the wager's stage."""
        key = (bonus.key, stage)
        found = self._bonuses.get(key)
        if found is None:
            row = self.table.row(bonus.key)
            found = self._bonuses[key] = resolve_bonus(bonus, self.wager, row, self.order, stage)
        return found

    def stays_open(self, view: View, resolution: Resolution) -> bool:
        """Whether what the deal decided is not all: a bonus, a meter or a limit may change the amounts."""
        if resolution.apart or (self.wager.progressive and resolution.wins):
            return True
        try:
            return any(bonus.predicate(view) for bonus in self.bonuses)
        except NotYetKnown:
            return True


class Dealt:
    """What the wagers on the deal's cards come to; shared by all cards that come to the same.

    settled: what these cards decide. won: those of them that pay. open: offers that take more than these cards.
    """

    __slots__ = ("open", "settled", "won")

    def __init__(self, settled: tuple[Resolution, ...], still_open: tuple[Offer, ...]) -> None:
        self.settled = settled
        self.won: Won = winners(settled)
        self.open = still_open


def winners(settled: tuple[Resolution, ...]) -> Won:
    """Those of the resolutions that pay something."""
    return tuple((one.wager, one.back) for one in settled if one.wins)


class Wide:
    """What the wagers on the dealer's hand come to, for every box that has them.

    settled: those that pay no share of a meter, and won: the winners among them. shared: those that do.
    """

    __slots__ = ("settled", "shared", "won")

    def __init__(self, found: list[Resolution]) -> None:
        self.shared = tuple(one for one in found if one.odds is not None and one.odds.meter_share)
        self.settled = tuple(one for one in found if one not in self.shared)
        self.won: Won = winners(self.settled)


Deals = list[Dealt | None]
"""By first card * 52 + second card; None: not asked yet."""


class Offers:
    """The optional wagers that players have placed at a table, of those that its rules submission offers.

    deal: those that the deal's cards mostly decide. wide: those that the dealer's hand alone decides, alike for every
    box. own: the others. known: sets of keys that were found to be offered.
    """

    __slots__ = (
        "_against_all",
        "_deals",
        "_placed",
        "_shared",
        "_special_pairs",
        "deal",
        "known",
        "own",
        "rules",
        "wide",
    )

    def __init__(self, rules: RulesSubmission) -> None:
        self.rules = rules
        self.known: set[tuple[str, ...]] = set()
        self._placed: dict[str, Offer] = {}
        self._sort()

    def place(self, keys: tuple[str, ...], position: int) -> None:
        """Take note of the wagers in a box; RuleError when one of them is not offered."""
        more = {key: self._offer(key, position) for key in keys if key not in self._placed}
        if len(self.known) >= _MOST_SETS:
            self.known.clear()
        self.known.add(keys)
        if more:
            self._placed |= more
            self._sort()

    def _offer(self, key: str, position: int) -> Offer:
        if key not in WAGERS or key not in self.rules.wagers:
            clause = WAGERS[key].offered if key in WAGERS else _OFFERED_BY.get(self.rules.game, "633a.6(e)")
            offered = ", ".join(sorted(self.rules.wagers)) or "none"
            text = f"position {position}: the rules submission offers no wager {key!r}; it offers {offered}"
            raise RuleError(clause, text)
        return Offer(WAGERS[key], self.rules)

    def _sort(self) -> None:
        """Split the wagers by how they are settled, with a table of deals that has all of them in it."""
        offers = sorted(self._placed.values(), key=lambda offer: offer.order)
        self.deal = tuple(offer for offer in offers if offer.wager.on_the_deal)
        self.wide = tuple(offer for offer in offers if offer.wager.subject == "dealer" and not offer.wager.depends)
        self.own = tuple(offer for offer in offers if offer not in (*self.deal, *self.wide))
        special = (offer.wager.special_pair for offer in self.deal)
        self._special_pairs = frozenset(card for card in special if card is not None)
        self._against_all: dict[tuple[Hashable, ...], Wide] = {}
        self._deals: dict[tuple[int, bool], Deals] = {}
        self._shared: dict[tuple[tuple[Resolution, ...], tuple[Offer, ...]], Dealt] = {}

    def deals(self, up: int, blackjack: bool) -> Deals:
        """What two cards come to against this up card and a dealer's Blackjack or none; None: ask `dealt`."""
        found = self._deals.get((up, blackjack))
        if found is None:
            found = self._deals[up, blackjack] = [None] * (52 * 52)
        return found

    def against_all(self, view: View) -> Wide:
        """What the dealer's hand decides for every box, whichever asks."""
        key = (view.dealer_blackjack, *[offer.wager.dealer_key(view) for offer in self.wide])
        found = self._against_all.get(key)
        if found is None:
            found = self._against_all[key] = Wide([offer.resolve(view) for offer in self.wide])
        return found

    def dealt(self, first: int, second: int, up: int, blackjack: bool) -> Dealt:
        """What these cards come to; entered in `deals` for all cards that are like them."""
        view = View(self.rules, (first, second), up, blackjack=blackjack)
        settled: list[Resolution] = []
        still_open: list[Offer] = []
        for offer in self.deal:
            try:
                resolution = offer.resolve(view)
            except NotYetKnown:
                still_open.append(offer)
                continue
            if offer.stays_open(view, resolution):
                still_open.append(offer)
            else:
                settled.append(resolution)
        key = (tuple(settled), tuple(still_open))
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = Dealt(*key)
        for one, two, above in alike((first, second, up), self._special_pairs):
            deals = self.deals(above, blackjack)
            deals[one * 52 + two] = deals[two * 52 + one] = found
        return found


_MOST: Final = 16
_made: dict[int, Offers] = {}


def offers_of(rules: RulesSubmission) -> Offers:
    """The offers of a rules submission, made once for each submission object; the latest 16 are kept."""
    found = _made.get(id(rules))
    if found is not None and found.rules is rules:
        return found
    if len(_made) >= _MOST:
        _made.pop(next(iter(_made)))
    found = _made[id(rules)] = Offers(rules)
    return found
