"""From a round file to the round: play its wagers, cards and decisions by the rules, and settle it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from shoetool.deal import Decision, Irregularity, Stake, play
from shoetool.deal.listed import drawn_order
from shoetool.model.cards import UNKNOWN
from shoetool.round_file.fields import CHOICE_OF_HANDS
from shoetool.round_file.file import Entry
from shoetool.round_file.json_text import RoundFileError
from shoetool.round_file.left_out import verify_told
from shoetool.round_file.paid import verify_meters
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import game
from shoetool.rules.round import Settlement, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.table.round import Round


def play_entry(entry: Entry, rules: RulesSubmission) -> TableRound:
    """Return the round of an entry. RuleError when the rules do not allow it.

    RoundFileError when there are no cards at all: they are in the history that the entry names.
    """
    entry = with_cards(entry, rules)
    drawn = entry.cards
    if drawn is None:
        told = "its cards are in a history; give it with --history" if entry.round is not None else "it has no cards"
        raise RoundFileError(f"line {entry.line}: {told}")
    verify_told(entry, rules)
    burned, before = entry.burned, 0
    if burned is None:
        # The card that a game from the hand burns does not matter here, but the engine needs one.
        burned = before = game(rules.game).deal.burns
    given = stakes_of(entry.seats), (UNKNOWN,) * before + drawn, decisions_of(entry.seats)
    notes = [_behind(one, before) for one in entry.irregularities]
    played = play(rules, *given, notes, burned=burned, exact=True, determinant_from=entry.determinant_from)
    return entry.with_system(played)


def with_cards(entry: Entry, rules: RulesSubmission) -> Entry:
    """The entry with its cards in the order drawn: found from the hands, where it has those in place of cards.

    BadInput when no order of the cards gives these hands, or when several do.
    """
    if entry.dealer is None:
        return entry
    hands = {seat.position: seat.hands for seat in entry.seats}
    found = drawn_order(rules, stakes_of(entry.seats), hands, entry.dealer, decisions_of(entry.seats))
    seats = tuple(seat._replace(hands=()) for seat in entry.seats)
    return entry._replace(cards=found, seats=seats, dealer=None)


def _behind(one: Irregularity, before: int) -> Irregularity:
    """The irregularity of a card that lies behind `before` more."""
    return one if one.at is None else dataclasses.replace(one, at=one.at + before)


def selected_by(dealt: Round | None, seat: BettingPosition) -> int | None:
    """The player position that a terminal of a hybrid table selected: as the shoe recorded it, where it did."""
    told = 0 if dealt is None else dealt.selection(seat.position)
    return told or seat.player_position


def stakes_of(seats: Sequence[BettingPosition], dealt: Round | None = None) -> list[Stake]:
    """The wagers before the first card, of a round that the shoe `dealt` or of a round file alone."""
    return [
        Stake(seat.position, seat.wager, seat.side, None, seat.player, seat.ante, selected_by(dealt, seat))
        for seat in seats
    ]


def decisions_of(seats: tuple[BettingPosition, ...]) -> list[Decision]:
    """Return the decisions in table order: with an ante keep or switch, from the dealer's right; insurance and even
    money; then turn by turn from position 1."""
    chosen: list[Decision] = []
    early = []
    turns = []
    for seat in sorted(seats, key=lambda one: one.position):
        words = seat.decisions
        if seat.ante and words and words[0][0] in CHOICE_OF_HANDS:
            chosen.insert(0, Decision(seat.position, None, words[0][0]))
            words = words[1:]
        if isinstance(seat.even_money, tuple):
            early += [Decision(seat.position, at, "even_money") for at, taken in enumerate(seat.even_money) if taken]
        elif seat.even_money:
            early.append(Decision(seat.position, None, "even_money"))
        if seat.insurance:
            early.append(Decision(seat.position, None, "insurance", seat.insurance))
        turns += [Decision(seat.position, None, word, amount) for word, amount in words]
    return chosen + early + turns


def settle_round(entry: Entry, rules: RulesSubmission) -> Settlement:
    """Return the settlement of an entry at this table. The entry must hold its cards.

    BadInput (a RuleError with its clause, if there is one) when the round cannot be settled: the rules do not allow it,
    it has no cards, or a wager won part of a meter whose amount the entry does not give.
    """
    settlement = settle(play_entry(entry, rules), rules)
    verify_meters(settlement, entry.meters)
    return settlement
