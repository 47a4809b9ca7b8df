"""Settle the optional wagers of a round: 633a.7(g) and (o), 590.7(g) and (n), 635a.7(f)."""

from __future__ import annotations

from collections.abc import Sequence

from shoetool.model.money import dollars
from shoetool.rules.round import Box, Line, Source, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import PRESSES, WAGERS, View
from shoetool.rules.wagers.choice import word_of
from shoetool.rules.wagers.switch_hands import first_two
from shoetool.settle.entry import Entry, lines_of
from shoetool.settle.envy import envy_lines
from shoetool.settle.meters import settle_meters
from shoetool.settle.terms import Terms


def optional_lines(terms: Terms, table_round: TableRound) -> list[Line]:
    """Return a line for each optional wager, returned or settled, and for each meter that is reset.

    The order is from the dealer's right, and in each position as in the text. The stages are not in order. RuleError
    for a wager that the table does not offer.
    """
    boxes = [_by_its_first_two(terms, box) for box in reversed(table_round.boxes) if box.side]
    if not boxes:
        return []
    void = table_round.void
    if void is None and min([len(table_round.dealer_of(box)) for box in boxes]) < 2:
        raise RuleError("633a.7(f)(4)", "a round that is not void has an up card and a hole card")
    for box in boxes:
        if not terms.offered(box.side):
            for key in box.side:
                terms.offer(key, box.position)
    deal_is_over = _deal_is_over(terms, table_round)
    back: list[Line] = []
    entries: list[Entry] = []
    for box in boxes:
        complete = bool(box.initial) and all(len(cards) > 1 for cards in box.initial)
        settled = _entries(terms, table_round, box) if deal_is_over and complete else []
        if void is not None:
            settled = [entry for entry in settled if entry.result.stage is Stage.AFTER_DEAL]
        if box.pressed and settled:
            _press(terms, table_round, box, settled)
        entries += settled
        keys = {entry.wager.key for entry in settled}
        clause = void or terms.game.clauses.no_cards
        if len(keys) < len(box.side):
            unsettled = ((key, staked) for key, staked in box.side.items() if key not in keys)
            back += [_returned(box, key, staked, clause, terms.source) for key, staked in unsettled]
    if terms.rules.aggregate_cap is not None:
        apply_cap([entry for entry in entries if entry.result.capped], terms.rules.aggregate_cap)
    resets = _settle_meters(terms, table_round, entries)
    envy = envy_lines(terms, table_round) if entries else []
    return [
        *back,
        *lines_of(entries, table_round),
        *envy,
        *resets,
    ]


def _by_its_first_two(terms: Terms, box: Box) -> Box:
    """The box with the first two cards that its optional wagers go by."""
    return box if box.switched is None else box._replace(initial=first_two(terms.rules, box))


def _entries(terms: Terms, table_round: TableRound, box: Box) -> list[Entry]:
    """Return the wagers of a box with its two cards, and the bonuses that they win."""
    view = View.of(terms.rules, table_round, box)
    found = []
    for offer in terms.offers():
        if offer.key not in box.side:
            continue
        entry = Entry(box, offer.wager, offer.result(view))
        found.append(entry)
        for bonus in offer.bonuses:
            if row := bonus.row(view, entry.staked):
                found.append(Entry(box, offer.wager, offer.bonus(bonus, row, entry.result.stage)))
                if word_of(bonus.instead, terms.rules) == "instead":
                    entry.won, entry.said = 0, f"; {bonus.title} is paid in its place ({bonus.clause})"
    return found


def _deal_is_over(terms: Terms, table_round: TableRound) -> bool:
    """Whether the wagers of 633a.7(g), which are settled after the deal, were settled before the round was void.

    A void round whose dealer has no two known cards may have ended within its deal: everything goes back.
    633a.14(j)(1), (k).
    """
    if table_round.void is None:
        return True
    live = terms.rules.reader_void_returns == "live"
    return live and table_round.void in terms.game.voided_by_reader and len(table_round.dealer) > 1


def _settle_meters(terms: Terms, table_round: TableRound, entries: list[Entry]) -> list[Line]:
    """Pay the shares of progressive meters. Returns the lines of the meters that are reset."""
    won: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.wager.meter is not None and entry.result.odds is not None and not entry.result.bonus:
            won.setdefault(entry.wager.key, []).append(entry)
    return [line for key, winners in won.items() for line in settle_meters(key, winners, table_round, terms.rules)]


def _returned(box: Box, key: str, staked: int, clause: str, by_game: Source) -> Line:
    source: Source = "house" if WAGERS[key].electronic else by_game
    return Line(
        *(box.position, None, key, staked, "returned", "the wager is returned", clause, None, staked, 0),
        source=source,
        stage=Stage.AFTER_DEAL,
    )


def _press(terms: Terms, table_round: TableRound, box: Box, entries: list[Entry]) -> None:
    """Raise RuleError when too much was added to the main wager. Else note it with the winner that paid it.

    Nothing is added against a dealer's Blackjack. What lies apart is then given back with the main wager (T76).
    """
    blackjack = View.of(terms.rules, table_round, box).dealer_blackjack
    winners = {entry.wager.key: entry for entry in entries if entry.won and not entry.result.bonus}
    for key, added in box.pressed.items():
        press = PRESSES[key]
        entry = winners.get(key)
        most = 0 if entry is None else entry.wager.pressable(entry.won, terms.rules)
        if blackjack and press.apart is None:
            most = 0
        if table_round.void is None and added > most:
            text = f"${dollars(added)} of {WAGERS[key].title} were added to the main wager"
            raise RuleError(press.most, f"position {box.position}: {text}, and ${dollars(most)} may be")
        if entry is not None and added:
            how = f"added to the {terms.game.wager_name}"
            if press.apart is not None:
                how = f"moved to the {WAGERS[key].title} Press"
            entry.note(press.clause if press.apart else press.most, f"${dollars(added)} of it was {how}")


def apply_cap(winners: Sequence[Entry], cap: int) -> None:
    """Cut the payouts of these winners to `cap` cents in all, each in proportion to his wager: 633a.13(o).

    A house may set this limit for the best rows of Lucky Ladies and King's Bounty. The text cites subsections (b) and
    (g) and names Royal Match 21; the hands it describes are those of (c) and (h) (reading 70). Nothing changes when the
    payouts do not exceed it. Shares are rounded down; the remainder is not paid.
    """
    if sum(entry.won for entry in winners) <= cap:
        return
    # Both rows pay the same odds, so no share of the cap can be more than the payout itself.
    staked = sum(entry.staked for entry in winners)
    for entry in winners:
        entry.won = cap * entry.staked // staked
        share = "" if len(winners) == 1 else f", shared by {len(winners)} winners in proportion to their wagers"
        entry.said = f"; limited to ${dollars(cap)} a round{share}"
        entry.note("633a.13(o) share", f"payouts of the round are limited to ${dollars(cap)} in all{share}")
