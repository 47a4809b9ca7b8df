"""Wagers before the first card: who may bet, what, and how much; 633a.6, 590.6, 635a.6.

All wagers except insurance, doubles and splits are placed before the first card: 633a.6(c) timing, 590.6(c), 635a.6(c).
A placed wager does not change until it is decided, 633a.6(c) freeze. Only insurance, doubles, splits and an
optional wager's winnings are added, each by its own decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoetool.deal.inputs import Stake
from shoetool.deal.state import BoxState, PlayState
from shoetool.model.money import money_words
from shoetool.rules.games import Game
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import not_placeable, title_of, titles_of
from shoetool.rules.wagers.switch_hands import OFFERED, STEP, ante_due, ante_refusal


def nearest_stake(rules: RulesSubmission, wager: int, ante: int) -> tuple[int, int]:
    """The nearest main wager to this one that may lie beside an ante, 633c.4(b), and the ante; both as given without
    one."""
    if not ante and OFFERED.of(rules) != "all":
        return wager, ante
    stepped = -(-wager // STEP) * STEP
    if stepped > rules.maximum:
        stepped -= STEP
    return stepped, ante_due(stepped)


def verify_stakes(submission: RulesSubmission, stakes: Sequence[Stake]) -> None:
    """RuleError for a wager that the table does not accept."""
    place_stakes(PlayState(submission, []), stakes)


def place_stakes(state: PlayState, stakes: Sequence[Stake]) -> None:
    """Give the state its boxes, in ascending order. RuleError for a wager that the table does not accept."""
    game, clauses = state.game, state.clauses
    positions = min(game.facts.positions, state.submission.positions)
    boxes = state.boxes
    by_position = state.by_position
    players = False
    for stake in stakes:
        position = stake.position
        if not 1 <= position <= positions:
            raise RuleError(clauses.positions, f"position {position}: the table has positions 1 to {positions}")
        if position in by_position:
            text = f"position {position} is named twice: a betting position has one place for wagers"
            raise RuleError(clauses.positions, text)
        _verify_amounts(state, stake)
        box = BoxState(position, stake.wager, stake.side, stake.player, ante=stake.ante)
        by_position[position] = box
        boxes.append(box)
        if stake.player is not None:
            players = True
    boxes.sort(key=lambda box: box.position)
    state.round.seats = sum([1 << (position - 1) for position in by_position])
    state.round.selected = sum([(stake.player_position or 0) << 2 * stake.position - 2 for stake in stakes])
    state.round.antes = sum([1 << (box.position - 1) for box in boxes if box.ante])
    if not boxes:
        raise RuleError(clauses.main_wager, f"no position has a {game.wager_name}: no round is dealt")
    if players and state.submission.adjacent_boxes < positions:
        _verify_adjacent(state, stakes, positions)


def _verify_amounts(state: PlayState, stake: Stake) -> None:
    game, submission = state.game, state.submission
    wager = stake.wager
    if wager <= 0:
        if stake.side:
            key = next(iter(stake.side))
            text = f"position {stake.position}: {title_of(key)} without a {game.wager_name}"
            raise RuleError(game.clauses.side_wagers, text)
        raise RuleError(game.clauses.main_wager, f"position {stake.position}: no {game.wager_name}")
    if stake.second is not None and stake.second != wager:
        clause = game.clauses.main_wager
        if not game.facts.switch:
            text = f"position {stake.position}: a second {game.wager_name}, which only Blackjack Switch has"
            raise RuleError(clause, text)
        first, second = money_words(wager), money_words(stake.second)
        raise RuleError(clause, f"position {stake.position}: the two wagers must be equal, not {first} and {second}")
    if not submission.minimum <= wager <= submission.maximum:
        low, high = money_words(submission.minimum), money_words(submission.maximum)
        text = f"position {stake.position}: {game.wager_name} of {money_words(wager)}; the table takes {low} to {high}"
        raise RuleError(game.clauses.main_wager, text)
    _verify_selection(game, stake)
    refused = ante_refusal(submission, stake.position, wager, stake.ante)
    if refused is not None:
        raise refused
    for key, amount in stake.side.items():
        offer = submission.wagers.get(key)
        if offer is None:
            text = f"position {stake.position}: {title_of(key)} is not offered at this table"
            text += f" (offered: {titles_of(submission.wagers)})"
            raise RuleError(game.clauses.side_wagers, text)
        if not offer.minimum <= amount <= offer.maximum:
            low, high = money_words(offer.minimum), money_words(offer.maximum)
            text = f"position {stake.position}: {title_of(key)} of {money_words(amount)}; "
            text += f"the table takes {low} to {high}"
            raise RuleError(game.clauses.side_wagers, text)
        if (why := not_placeable(key, amount, wager, stake.side)) is not None:
            raise RuleError(why[1], f"position {stake.position}: {title_of(key)} {why[0]}")


def _verify_selection(game: Game, stake: Stake) -> None:
    """633c.5(l): which player position a terminal of a hybrid table with a hole card selected."""
    most, selected = game.facts.player_positions, stake.player_position
    if selected is None and most:
        text = f"position {stake.position}: the terminal selected no player position; there are 1 to {most}"
        raise RuleError(game.clauses.main_wager, text)
    if selected is not None and not 1 <= selected <= most:
        there = f"there are 1 to {most}" if most else f"{game.title} has none to select"
        raise RuleError("633c.5(l)", f"position {stake.position}: player position {selected}; {there}")


def _verify_adjacent(state: PlayState, stakes: Sequence[Stake], positions: int) -> None:
    """633a.6(f): how many adjacent boxes one player may bet on."""
    most = state.submission.adjacent_boxes
    owners = {stake.position: stake.player for stake in stakes}
    run = 0
    before: str | None = None
    for position in range(1, positions + 1):
        owner = owners.get(position)
        run = run + 1 if owner is not None and owner == before else 1
        before = owner
        if owner is not None and run > most:
            text = f"position {position}: {owner} bets on {run} adjacent boxes; the table allows {most}"
            raise RuleError(state.clauses.adjacent, text)
