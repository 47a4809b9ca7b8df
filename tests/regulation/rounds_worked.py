"""Random legal rounds of tables with every wager, in words: what was bet, dealt and decided, and what became of it.

`test_rounds_worked` holds them against rounds_worked.txt. A line that begins with `>` is a round: stakes, cards in the
order they were drawn, decisions as `position.hand:name`. Under it stand the dealer's cards and each wager's line:
position.hand, wager, stake, outcome and its words, clause, odds, what was returned and won (cents), from whom, when.
Behind the rounds of a game stand the refusals (!) of the same rounds with one decision changed, and what becomes of two
of them when something goes wrong (?).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from random_rounds import Playout, random_round
from shoetool.deal import Irregularity, RuleError, play
from shoetool.deal.engine import DECISIONS
from shoetool.deal.inputs import IN_A_DOUBT, IRREGULARITIES, OF_A_CARD
from shoetool.model.cards import card_name
from shoetool.rules.paytable import paytables
from shoetool.rules.round import Line
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS
from shoetool.settle.engine import settle
from wagers_offered import offering

ROUNDS = 12
# What differs in refusals that are alike: which position, with which cards, and sums.
_VARIES = re.compile(r"position [0-9]( [(][^)]*[)])?|[0-9]*[AJQK]?[♣♦♥♠]|[$0-9.]+")
GAMES = ("blackjack", "free_bet", "spanish_21", "switch", "from_the_hand")


def tables() -> Iterator[tuple[str, RulesSubmission]]:
    """A table of each game, and a double shoe, that offers every wager of its own chapter that it can."""
    for game in GAMES:
        decks = 2 if game == "from_the_hand" else 6
        printed = [key for key, wager in WAGERS.items() if game in wager.games and wager.chapter != "633c"]
        keys = [key for key in printed if any(table.covers(decks) for table in paytables(key))]
        yield game, offering(RulesSubmission.default(game, decks), *keys)
    yield "double shoe", offering(RulesSubmission.default("blackjack", 8, shoe="double"), "in_between", "hit_and_run")


def told(line: Line) -> str:
    """A line of a settlement in words."""
    place = "-" if line.position is None else f"{line.position}" + (f".{line.hand}" if line.hand is not None else "")
    odds = line.odds.text if line.odds is not None else "-"
    notes = "".join(f" [{clause}: {words}]" for clause, words in line.notes)
    return (
        f"{place} {line.wager} {line.staked} | {line.outcome}: {line.words} | {line.clause} | {odds} | "
        f"{line.returned} + {line.won} {line.source} {line.stage.value}{notes}"
    )


def story(one: Playout) -> Iterator[str]:
    """A round and its settlement, line by line."""
    stakes = " ".join(
        f"{stake.position}={stake.wager}" + "".join(f"+{key}={cents}" for key, cents in stake.side.items())
        for stake in one.stakes
    )
    decisions = " ".join(
        f"{made.position}{'' if made.hand is None else f'.{made.hand}'}:{made.name}"
        + ("" if made.amount is None else f"={made.amount}")
        for made in one.decisions
    )
    yield f"> {stakes}"
    yield f"> {' '.join(map(card_name, one.cards))}"
    yield f"> {decisions}"
    found = one.table_round
    settled = settle(found, one.submission)
    yield f"dealer {' '.join(map(card_name, found.dealer))}, revealed {found.revealed}, reader {found.reader}"
    yield from map(told, settled.lines)
    yield f"tray {settled.tray}, house {settled.house}, meters {dict(settled.meters)}"


def refusals(one: Playout) -> Iterator[str]:
    """What is said to the round when one decision is another one, is left out or comes twice, or a sum is another."""
    for at, made in enumerate(one.decisions):
        names = [name for name in DECISIONS if name not in (made.name, "keep") and "." not in name]
        others = [made._replace(name=name) for name in names]
        others += [made._replace(amount=made.amount + more) for more in (1, 50, -50, 10**7) if made.amount is not None]
        others += [made._replace(position=made.position + 1), made._replace(hand=3)]
        changed = [[*one.decisions[:at], other, *one.decisions[at + 1 :]] for other in others]
        changed += [[*one.decisions[:at], *one.decisions[at + 1 :]], [*one.decisions[: at + 1], *one.decisions[at:]]]
        for decisions in changed:
            try:
                play(one.submission, one.stakes, one.cards, decisions)
            except RuleError as error:
                yield f"{error}"


def irregular(one: Playout) -> Iterator[str]:
    """What becomes of the round when something went wrong in it: at a card that came more, or at a position."""
    for kind in IRREGULARITIES:
        notes = [Irregularity(kind, choice=choice) for choice in ("", *IN_A_DOUBT.get(kind, ()))]
        if kind in OF_A_CARD:
            notes = [Irregularity(kind, at) for at in (0, 3, len(one.cards) - 3, len(one.cards) - 1)]
        elif kind in ("no_cards", "one_card"):
            notes = [replace(note, position=2, missed=missed) for note in notes for missed in (1, 2)]
        for note in notes:
            at = note.at if note.at is not None else len(one.cards)
            for more in ((), (4,), (29, 4)):
                cards = [*one.cards[:at], *more, *one.cards[at:]]
                told = f"{kind} {note.choice} at {note.at}, {len(more)} cards more"
                try:
                    found = play(one.submission, one.stakes, cards, one.decisions, (note,))._replace(meters=one.meters)
                    settled = settle(found, one.submission)
                    dealer = " ".join(map(card_name, found.dealer))
                    yield f"{told}: void {found.void}, dealer {dealer}, net {list(settled.nets)}, tray {settled.tray}"
                except RuleError as error:
                    yield f"{told}: {error}"


def answers() -> Iterator[str]:
    """All rounds, and after those of a game each refusal of a round that was changed, once."""
    for name, submission in tables():
        yield f"## {name}"
        made = [random_round(submission, seed, positions=range(1, 3)) for seed in range(1, ROUNDS + 1)]
        for one in made:
            yield from story(one)
        said = {_VARIES.sub("", said): said for one in made for said in refusals(one)}
        yield from sorted(f"! {one}" for one in said.values())
        said = {_VARIES.sub("", said): said for one in made[:3] for said in irregular(one)}
        yield from (f"? {one}" for one in said.values())
