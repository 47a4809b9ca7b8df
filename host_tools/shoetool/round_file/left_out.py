"""What a round file leaves out or states oddly. It is rejected when an amount would depend on a guess, else noted."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.money import dollars, money_words
from shoetool.round_file.file import Entry
from shoetool.round_file.json_text import RoundFileError
from shoetool.rules.round import Settlement
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.catalogue import meter_rule, meter_title, partly_won, title_of
from shoetool.rules.wagers.wager import Bonus


def verify_told(entry: Entry, rules: RulesSubmission) -> None:
    """Raise RoundFileError for positions out of order, an impossible meter, or a missing card or player of a bonus."""
    before = 0
    for seat in entry.seats:
        if seat.position <= before:
            where = "stands twice" if seat.position == before else f"stands after position {before}"
            text = f"position {seat.position} {where}; write positions once each, ascending from the dealer's far left"
            raise RoundFileError(text)
        before = seat.position
    _verify_meters(entry, rules)
    _verify_picked(entry, rules)


def _verify_meters(entry: Entry, rules: RulesSubmission) -> None:
    for key, shown in entry.meters.items():
        if key in rules.mysteries:
            continue  # judged where the bonus is settled
        if key not in rules.meters:
            there = ", ".join((*rules.meters, *rules.mysteries)) or "none"
            raise RoundFileError(f"a meter of {key[:60]!r} is given, which this table does not have (it has: {there})")
        least = _least(key, rules)
        # When part of the meter can be won, it may be below its start amount.
        if shown < least and not partly_won(key):
            text = f"the {meter_title(key)} is given as {money_words(shown)}, and it never stands below "
            raise RoundFileError(f"{text}{money_words(least)}, its start or reset amount ({meter_rule(key).clause})")


def _least(key: str, rules: RulesSubmission) -> int:
    meter = rules.meters[key]
    return min(meter.start, meter.reset)


def picks_due(entry: Entry, rules: RulesSubmission) -> Iterator[tuple[int, Bonus]]:
    """Return the bonuses for which the entry must say what the system picked, each with a position that may get it."""
    for key, offer in rules.wagers.items():
        for bonus in WAGERS[key].bonuses:
            if bonus.picked and bonus.key in offer.options:
                betting = [seat.position for seat in entry.seats if key in seat.side]
                if betting:
                    yield betting[0], bonus


def _verify_picked(entry: Entry, rules: RulesSubmission) -> None:
    for position, bonus in picks_due(entry, rules):
        if getattr(entry, bonus.key) is None:
            text = f"position {position} bets on {title_of(bonus.of)} and this table offers the {bonus.title}; "
            raise RoundFileError(f'{text}write "{bonus.key}": {bonus.picked} ({bonus.clause})')


def odd_amounts(entry: Entry, rules: RulesSubmission) -> Iterator[str]:
    """Return notes on amounts that chips cannot make, and on a meter below its start amount."""
    unit = rules.chip_unit
    for seat in entry.seats:
        amounts = [("main wager", seat.wager), ("insurance", seat.insurance)]
        amounts += [("switch hands ante", seat.ante)] if seat.ante else []
        amounts += [(title_of(key), amount) for key, amount in seat.side.items()]
        amounts += [(word, amount) for word, amount in seat.decisions if amount is not None]
        for name, amount in amounts:
            if amount % unit:
                text = f"position {seat.position}: {name} of ${dollars(amount)} cannot be made of chips of"
                yield f"{text} ${dollars(unit)}, the table's chip_unit"
    for key, shown in entry.meters.items():
        if key in rules.meters and shown < _least(key, rules):
            text = f"the {meter_title(key)} is given as ${dollars(shown)}, below its start or reset amount: "
            yield f"{text}only a part of it that was won can have brought it there ({meter_rule(key).clause})"


def unnamed_players(entry: Entry, settlement: Settlement) -> Iterator[str]:
    """Return a note when every player gets a sum once, 635a.12(c)(3), and the file does not say who has which boxes."""
    unnamed = [str(seat.position) for seat in entry.seats if seat.player is None]
    shared = [line for line in settlement.lines if line.clause == "635a.12(c)(3)"]
    if shared and unnamed:
        each = f"no player is named for position {', '.join(unnamed)}: each is taken for a player of its own"
        yield f'{each}, who gets the sum of 635a.12(c)(3) once; write "player" where one bets on several boxes'
