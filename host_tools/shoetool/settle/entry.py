"""An optional wager of one box while its round is settled: its amounts and its lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from shoetool.model.cards import card_name, total
from shoetool.model.money import dollars
from shoetool.rules.round import Box, Line, Note, Source, TableRound
from shoetool.rules.wagers import Wager
from shoetool.rules.wagers.view import initial_cards
from shoetool.rules.wagers.wager import Subject
from shoetool.settle.offer import Result


class Entry:
    """One wager, or one bonus beside it. Cents.

    The odds apply to `staked`. `won` is paid; a returned stake is not included. `meter` is the share of the progressive
    meter, None when the odds name none; `meter_source` pays it. `said` goes after the reason in words.
    """

    __slots__ = ("box", "meter", "meter_source", "notes", "result", "said", "source", "staked", "wager", "won")

    def __init__(self, box: Box, wager: Wager, result: Result) -> None:
        self.box = box
        self.wager = wager
        self.result = result
        self.staked = box.side[wager.key]
        self.won = 0
        self.source: Source = result.source
        self.meter: int | None = None
        self.meter_source: Source = "meter"
        self.notes: tuple[Note, ...] = result.notes
        self.said = ""
        if result.odds is not None:
            self.won, rest = result.odds.whole_cents(self.staked)
            if rest:
                self.note(result.row_clause, f"{rest} of a cent is not paid")

    def note(self, clause: str, words: str) -> None:
        """Add what else a clause requires."""
        self.notes = (*self.notes, (clause, words))

    def lines(self, subject: str) -> list[Line]:
        """Return its lines. A share of a meter is a second line without a stake if there is another payout.

        So is one that the house pays for a meter: a stake that is kept stays where it lies, in the tray or with the
        house (633c.2(f)). subject: the cards that decide, in words.
        """
        result, meter = self.result, self.meter
        at_risk = 0 if result.bonus else self.staked
        returned = at_risk if result.returns_stake else 0
        words = f"{subject}: {result.words}{self.said}"
        if meter is None and self.source == result.source:
            return [self._line(at_risk, words, returned, self.won, self.source)]
        paid: list[tuple[int, Source]] = [(self.won, self.source)] if self.won or meter is None else []
        if meter is not None:
            paid.append((meter, self.meter_source))
        if returned < at_risk and (paid[0][1] == "house") != (result.source == "house"):
            paid.insert(0, (0, result.source))
        found = [self._line(at_risk, words, returned, *paid[0])]
        for won, source in paid[1:]:
            found.append(self._line(0, f"{words}; ${dollars(won)} of it by the {source}", 0, won, source))
        return found

    def _line(self, staked: int, words: str, returned: int, won: int, source: Source) -> Line:
        of = self.result
        meter = of.meter if source == "meter" else ""
        return Line(
            self.box.position,
            None,
            of.key,
            staked,
            of.outcome,
            words,
            of.clause,
            of.odds,
            returned,
            won,
            source,
            of.stage,
            self.notes,
            meter,
        )


def lines_of(entries: Sequence[Entry], table_round: TableRound) -> list[Line]:
    """The lines of all entries. Many wagers of a box have one subject, which is put into words once."""
    found: list[Line] = []
    box, named = None, dict[str, str]()
    for entry in entries:
        if entry.box is not box:
            box, named = entry.box, {}
        subject = entry.wager.subject
        if subject not in named:
            named[subject] = _subject(subject, entry.box, table_round.dealer_of(entry.box))
        found += entry.lines(named[subject])
    return found


def _subject(subject: Subject, box: Box, dealer: tuple[int, ...]) -> str:
    """Return the deciding cards, in words."""
    if subject == "two_cards":
        return f"first two cards {_names(box.initial[0])}"
    if subject == "two_cards_and_up":
        return f"first two cards {_names(box.initial[0])} and up card {card_name(dealer[0])}"
    if subject == "two_cards_and_dealer":
        return f"first two cards {_names(box.initial[0])} and dealer's {_names(dealer[:2])}"
    if subject == "two_cards_and_third":
        third = "" if box.third is None else f", then {card_name(box.third)}"
        return f"first two cards {_names(box.initial[0])}{third}, and up card {card_name(dealer[0])}"
    if subject in ("dealer", "dealer_poker"):
        return f"dealer's cards {_names(dealer)}"
    initial = initial_cards(box)
    if subject == "four_cards":
        return f"first four cards {_names(initial)}"
    hands = " and ".join([_names(hand.cards) for hand in box.hands])
    if subject in ("hands_and_dealer", "shared_hands_and_dealer"):
        return f"cards {hands} against the dealer's {_names(dealer)} ({total(dealer)[0]})"
    return f"cards {hands}" if len(box.hands) == 1 else f"first two cards {_names(initial)}, split into {hands}"


@lru_cache(maxsize=4096)
def _names(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_name, cards))
