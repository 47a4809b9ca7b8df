"""Settles the optional wagers of a round: 633a.7(g) and (o), 590.7(g) and (n), 635a.7(f).

The amounts are worked out at once, the lines with their reasons in words when somebody asks for them: a round of seven
positions with every wager has some ninety of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from shoetool.model.cards import is_blackjack
from shoetool.model.money import dollars
from shoetool.regulation.round import Box, Line, Stage, TableRound
from shoetool.regulation.rule_error import RuleError
from shoetool.regulation.submission.rules import RulesSubmission

from .cap import apply_cap
from .catalogue import WAGERS
from .entry import Entry
from .house_money import HOUSE_MONEY, pressable
from .meters import FROM_TENTH, from_house, keep_out_of_tray, meter_amount, pay_from_meter
from .offers import Offer, Offers, Wide, offers_of
from .optional_lines import Plain, optional_lines
from .resolution import Resolution
from .view import NotYetKnown, View
from .void import settled_before

_NO_CARDS: Final = {"free_bet": "590.13(g)", "spanish_21": "635a.13(h)"}


class OptionalSettlement:
    """The optional wagers of one round, settled. All amounts in cents.

    nets: by position 0..7, by how much each player is better off. tray, house, meters: by how much the purses are, and
    `reset` what the house put into meters that were won, already in `house` and `meters`.
    """

    __slots__ = (
        *("_entries", "_plain", "_returned", "_round", "_view"),
        *("house", "meters", "nets", "reset", "rules", "tray"),
    )

    def __init__(self, table_round: TableRound, rules: RulesSubmission) -> None:
        self._round = table_round
        self.rules = rules
        self.nets = [0] * 8
        self.tray = 0
        self.house = 0
        self.meters: dict[str, int] = {}
        self.reset: dict[str, int] = {}
        self._plain: list[Plain] = []
        self._entries: list[Entry] = []
        self._returned: list[tuple[Box, str]] = []
        self._view: View | None = None
        self._settle(offers_of(rules))

    def _settle(self, offers: Offers) -> None:
        table_round = self._round
        if table_round.void is not None:
            self._return_live(offers, table_round.void)
            return
        dealer = table_round.dealer
        if len(dealer) < 2:
            raise RuleError("633a.7(f)(4)", "a round that is not void has an up card and a hole card")
        boxes = [box for box in reversed(table_round.boxes) if box.side]
        known = offers.known
        for box in boxes:
            keys = tuple(box.side)
            if keys not in known:
                offers.place(keys, box.position)
        up, blackjack = dealer[0], is_blackjack(dealer[:2])
        deals = offers.deals(up, blackjack)
        nets, plain = self.nets, self._plain
        complete: list[Box] = []
        wide: Wide | None = None
        tray = 0
        for box in boxes:
            side = box.side
            hands = box.initial
            if not hands or len(hands[0]) < 2 or len(hands[-1]) < 2:
                self._returned.append((box, _NO_CARDS.get(table_round.game, "633a.14(g) none")))
                continue
            complete.append(box)
            first, second = hands[0]
            dealt = deals[first * 52 + second] or offers.dealt(first, second, up, blackjack)
            plain.append((box, dealt.settled))
            net = -sum(side.values())
            for key, back in dealt.won:
                if key in side:
                    net += back[side[key]]
            if dealt.open:
                for offer in dealt.open:
                    if offer.key in side:
                        net += self._settle_open(box, offer)
            if offers.wide:
                if wide is None:
                    wide = offers.against_all(self._view_of(box))
                plain.append((box, wide.settled))
                for key, back in wide.won:
                    if key in side:
                        net += back[side[key]]
                if wide.shared:
                    self._enter(box, wide.shared)
            nets[box.position] += net
            tray += net
            if box.house_money_added:
                self._check_press(box, dealt.settled, blackjack)
        self.tray -= tray
        for offer in offers.own:
            self._settle_own(offer, complete)
        if self._entries:
            self._settle_entries()

    def _return_live(self, offers: Offers, clause: str) -> None:
        """A void round: every wager goes back, but what was settled after the deal before the reader voided it."""
        for box in reversed(self._round.boxes):
            keys = tuple(box.side)
            if keys not in offers.known:
                offers.place(keys, box.position)
            live = dict(box.side)
            if live and settled_before(self._round, self.rules) and all(len(cards) > 1 for cards in box.initial):
                view = self._view_of(box)
                for offer in (*offers.deal, *offers.wide, *offers.own):
                    if offer.key in live and (found := _after_deal(offer, view)) is not None:
                        self._plain.append((box, (found,)))
                        net = found.back[live.pop(offer.key)] - box.side[offer.key]
                        self.nets[box.position] += net
                        self.tray -= net
            if live or not box.side:
                self._returned.append((replace(box, side=live), clause))

    def _view_of(self, box: Box) -> View:
        """What the predicates may look at for this box."""
        view = self._view
        if view is None:
            view = self._view = View.of(self.rules, self._round, box)
        else:
            view.turn_to(box, self._round.lucky_player)
        return view

    def _enter(self, box: Box, resolutions: Iterable[Resolution]) -> None:
        for resolution in resolutions:
            if resolution.wager in box.side:
                self._entries.append(Entry(box, resolution, box.side[resolution.wager]))

    def _settle_open(self, box: Box, offer: Offer) -> int:
        """Settle a wager of which the deal's cards did not decide all; cents that come back, entries left out."""
        view = self._view_of(box)
        staked = box.side[offer.key]
        resolution = offer.full(view, offer.against(view))
        back = self._pay(box, offer, resolution, staked)
        if offer.bonuses:
            back += self._bonuses(view, box, offer, resolution.stage)
        return back

    def _settle_own(self, offer: Offer, boxes: Sequence[Box]) -> None:
        """Settle a wager that goes by more than the deal's cards, in every box that has it; its stakes are taken."""
        boxes = [box for box in boxes if offer.key in box.side]
        if not boxes:
            return
        view = self._view_of(boxes[0])
        against = offer.against(view)
        may_win = offer.bonus_chances(view)
        depends, lucky = offer.depends, self._round.lucky_player
        nets, plain = self.nets, self._plain
        taken = given = 0
        for box in boxes:
            staked = box.side[offer.key]
            taken += staked
            view.turn_to(box, lucky)
            resolution = against.get(depends(view)) or offer.full(view, against)
            bonus = view.is_lucky_player or not may_win.isdisjoint(view.initial)
            if resolution.odds is None and not bonus:
                plain.append((box, (resolution,)))
                continue
            back = self._pay(box, offer, resolution, staked)
            if bonus:
                back += self._bonuses(view, box, offer, resolution.stage)
            nets[box.position] += back
            given += back
        if offer.wager.electronic:
            # The wager lies in a game account: its stakes went past the tray.
            self.house += taken - given
            self.tray -= taken
        else:
            self.tray -= given

    def _bonuses(self, view: View, box: Box, offer: Offer, stage: Stage) -> int:
        """Settle the bonuses that the box wins beside the wager; cents that come back."""
        won = [offer.bonus(bonus, stage) for bonus in offer.bonuses if bonus.predicate(view)]
        self._plain.append((box, won))
        staked = box.side[offer.key]
        return sum(bonus.back[staked] for bonus in won)

    def _pay(self, box: Box, offer: Offer, resolution: Resolution, staked: int) -> int:
        """Cents that come back for a wager; 0 where an entry pays them."""
        if resolution.apart or (offer.key == FROM_TENTH and self._too_large(resolution, staked)):
            self._entries.append(Entry(box, resolution, staked))
            return 0
        self._plain.append((box, (resolution,)))
        return resolution.back[staked]

    def _too_large(self, resolution: Resolution, staked: int) -> bool:
        """Whether a payout is so large beside the meter that the tray does not pay it."""
        key = resolution.key
        return resolution.wins and from_house(key, resolution.paid[staked][0], self._shown(key))

    def _shown(self, key: str) -> int:
        return meter_amount(key, self._round, self.rules)

    def _settle_entries(self) -> None:
        """Pay the entries; their stakes were taken with all the others."""
        cap = self.rules.aggregate_cap
        if cap is not None:
            apply_cap([entry for entry in self._entries if entry.resolution.capped], cap)
        for key in dict.fromkeys(entry.resolution.key for entry in self._entries):
            if WAGERS[key].progressive:
                self._settle_meter(key, [entry for entry in self._entries if entry.resolution.key == key])
        for entry in self._entries:
            returned = entry.resolution.returned(entry.staked)
            meter = entry.meter or 0
            self.nets[entry.box.position] += entry.won + meter + returned
            if entry.resolution.source == "house":
                self.house -= returned
            else:
                self.tray -= returned
            if entry.source == "house":
                self.house -= entry.won
            else:
                self.tray -= entry.won
            if entry.meter_source == "house":
                self.house -= meter

    def _settle_meter(self, key: str, entries: list[Entry]) -> None:
        shown = self._shown(key)
        winners = [entry for entry in entries if entry.resolution.odds and entry.resolution.odds.progressive]
        if winners:
            reset = self.rules.meters[key].reset if key in self.rules.meters else 0
            self.meters[key], added = pay_from_meter(key, winners, shown, reset)
            if added:
                self.reset[key] = added
                self.house -= added
        for entry in entries:
            keep_out_of_tray(key, entry, shown)

    def lines(self) -> list[Line]:
        """A line for each wager in settling order; they go before the main wagers' lines of the same stage."""
        return optional_lines(self._round, self._plain, self._entries, self._returned, self.reset)

    def _check_press(self, box: Box, dealt: Iterable[Resolution], blackjack: bool) -> None:
        """RuleError when more House Money was added to the main wager than may be."""
        payout = 0
        if not blackjack and HOUSE_MONEY.key in box.side:
            staked = box.side[HOUSE_MONEY.key]
            payout = sum(resolution.paid[staked][0] for resolution in dealt if resolution.key == HOUSE_MONEY.key)
        most = pressable(payout, self.rules)
        if box.house_money_added > most:
            added = f"${dollars(box.house_money_added)} of House Money were added to the main wager"
            text = f"position {box.position}: {added}, and ${dollars(most)} may be"
            raise RuleError("633a.7(g)(10)(ii)(A)", text)


def _after_deal(offer: Offer, view: View) -> Resolution | None:
    """What a wager came to that was settled between the deal and the reader, None for one that was not: 633a.7(g)."""
    try:
        found = offer.resolve(view)
    except NotYetKnown:
        return None
    return found if found.stage is Stage.AFTER_DEAL and not found.apart else None


def settle_optional(table_round: TableRound, submission: RulesSubmission) -> list[Line]:
    """The lines of a round's optional wagers in settling order; RuleError for a wager that the table does not offer."""
    return OptionalSettlement(table_round, submission).lines()
