"""One optional wager at one table: its outcome, its odds, when it is settled and by which clause."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shoetool.rules.games import Game
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Row, paytable
from shoetool.rules.round import Note, Source, Stage
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import Bonus, Outcome, View, Wager
from shoetool.rules.wagers.payable import joined, paid_outcomes, returning, rows_of
from shoetool.rules.wagers.progressive import ENVY


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a wager before its amounts are known.

    key: the line's wager (a bonus has its own). outcome: key of the outcome, or "lost". odds: what is paid, of several
    rows joined into one; None for a loser. clause: settles it, row_clause: prints the odds. words: what it is and what
    that pays. bonus: paid beside a wager, without a stake of its own. capped: limited by 633a.13(o). returns_stake:
    whether a winner gets the wager back with the payout.
    """

    key: str
    outcome: str
    odds: Odds | None
    stage: Stage
    clause: str
    row_clause: str
    words: str
    source: Source
    notes: tuple[Note, ...] = ()
    bonus: bool = False
    capped: bool = False
    returns_stake: bool = False

    @property
    def meter(self) -> str:
        """The name of the meter that pays a share, "" for a wager's only one."""
        return self.odds.meter if self.odds is not None else ""

    @property
    def meter_share(self) -> Fraction:
        """The part of the wager's meter that is paid; 0: none."""
        return self.odds.meter_share if self.odds is not None else Fraction(0)


class Offer:
    """One optional wager with the paytable and the settings of one table."""

    __slots__ = (
        "_at_once",
        "_dealer",
        "_face_down",
        "_no_hole",
        "_of_dealer",
        "_on_the_dealer",
        "_outcomes",
        "_results",
        "_returning",
        "_settles_at_once",
        "_source",
        "_table",
        "bonuses",
        "key",
        "pays_envy",
        "rules",
        "wager",
    )

    def __init__(self, wager: Wager, rules: RulesSubmission, game: Game) -> None:
        offer = rules.wagers[wager.key]
        self.wager = wager
        self.key = wager.key
        self.rules = rules
        self.bonuses = tuple(bonus for bonus in wager.bonuses if bonus.key in offer.options)
        self._table = paytable(wager.key, offer.paytable, rules.decks, rules.paytable_game(wager.key))
        self._outcomes = paid_outcomes(wager, self._table)
        self._returning = returning(wager, rules)
        self._face_down = game.cards_face_down
        self._no_hole = game.no_hole
        self._source: Source = "house" if wager.electronic or game.electronic else "tray"
        self._results: dict[tuple[str, Stage, str, int], Result] = {}
        self._settles_at_once = not (wager.waits or wager.multiplier or game.cards_face_down or game.no_hole)
        """Whether nothing but its outcome decides when and by which clause it is settled, and what it pays."""
        self._at_once: dict[str, Result] = {}
        self._on_the_dealer = wager.subject in ("dealer", "dealer_poker")
        self._dealer: tuple[int, ...] = ()
        self._of_dealer: Outcome | None = None
        self.pays_envy = wager.envy is not None and any(self.envy(one) for one in self._outcomes if not one.unpaid)
        """Whether any outcome pays an envy bonus here."""

    def outcome(self, view: View) -> Outcome | None:
        """Return the outcome that this table's paytable pays for these cards; None when it pays none."""
        if not self._on_the_dealer:
            return self._first(view)
        if view.dealer is not self._dealer:  # his cards decide alone, and are looked at once a round
            self._of_dealer = self._first(view)
            self._dealer = view.dealer
        return self._of_dealer

    def _first(self, view: View) -> Outcome | None:
        for outcome in self._outcomes:
            if outcome.predicate(view):
                return outcome
        return None

    def envy(self, outcome: Outcome) -> Row | None:
        """Return the row of an outcome that pays an envy bonus here, None when it has none."""
        envy, row = self.wager.envy, self._table.row(outcome.rows[0])
        offered = envy is not None and (not envy.option or ENVY in self.rules.wagers[self.key].options)
        return row if offered and row.envy else None

    @property
    def most_envy(self) -> bool:
        """Whether the paytable prints its envy bonus as the most that a player gets."""
        return self._table.most_envy

    def result(self, view: View) -> Result:
        """Return the result of the wager."""
        wager = self.wager
        outcome = self.outcome(view)
        if self._settles_at_once:
            name = "lost" if outcome is None else outcome.key
            found = self._at_once.get(name)
            if found is None:
                clause = wager.collects if outcome is None else outcome.clause or wager.settles
                found = self._at_once[name] = self._made(outcome, wager.stage, clause, 1)
            return found
        wait = wager.waits(view, outcome) if wager.waits else None
        stage = self._stage(wait.stage if wait else wager.stage, view)
        if outcome is None:
            name, clause = "lost", wait.clause if wait else wager.collects
        else:
            name, clause = outcome.key, outcome.clause or (wait.clause if wait else wager.settles)
        times = 1 if outcome is None or wager.multiplier is None else wager.multiplier.factor(view.first, view.second)
        found = self._results.get((name, stage, clause, times))
        if found is None:
            found = self._results[name, stage, clause, times] = self._made(outcome, stage, clause, times)
        return found

    def bonus(self, bonus: Bonus, key: str, stage: Stage) -> Result:
        """Return the result of a bonus that won the row `key`. It is settled at its wager's stage."""
        found = self._results.get((key, stage, bonus.clause, 1))
        if found is None:
            row = self._table.row(key)
            words = f"{row.outcome}, {bonus.reason}, pays {row.odds.text} ({row.clause})"
            notes = self._notes((row,))
            found = Result(
                *(bonus.key, key, row.odds, stage, bonus.clause, row.clause, words, self._source, notes),
                bonus=True,
            )
            self._results[key, stage, bonus.clause, 1] = found
        return found

    def _stage(self, stage: Stage, view: View) -> Stage:
        """The stage, put off in a game dealt from the hand while the players' cards lie face down (633a.12(b)(9)).

        Without a hole card the dealer's second card comes at another time for each position, 633c.5(bb).
        One whose winnings may be added to the main wager before the player's turn keeps its own.
        """
        if self._no_hole and stage is not Stage.AFTER_DEAL:
            return Stage.ANY_TIME
        if not self._face_down or self.wager.press or stage is Stage.AFTER_ALL:
            return stage
        return Stage.AFTER_READER if view.dealer_blackjack else Stage.AFTER_ALL

    def _made(self, outcome: Outcome | None, stage: Stage, clause: str, times: int) -> Result:
        wager = self.wager
        if outcome is None:
            return Result(wager.key, "lost", None, stage, clause, "", f"{wager.nothing}, loses", self._source)
        if outcome.unpaid:
            note = ((wager.pays, outcome.unpaid),)
            place = (wager.key, outcome.key, None, stage, clause, "", outcome.unpaid, self._source, note)
            return Result(*place, returns_stake=True)
        rows = rows_of(outcome, self._table)
        odds = joined(rows)
        printed = ", ".join(dict.fromkeys(row.clause for row in rows))
        words = f"{rows[0].outcome.rsplit(': ', 1)[-1]}, pays {odds.text} ({printed})"
        if wager.multiplier is not None and times > 1:
            by = wager.multiplier
            odds = by.odds(odds, times, self.rules)
            words += f", times {times} for {by.reason}: {odds.text} ({by.clause})"
        return Result(
            *(wager.key, outcome.key, odds, stage, clause, rows[0].clause, words, self._source, self._notes(rows)),
            capped=outcome.capped,
            returns_stake=odds.kind in self._returning,
        )

    def _notes(self, rows: tuple[Row, ...]) -> tuple[Note, ...]:
        """Return what the clauses require besides the payout to a winner."""
        wager = self.wager
        notes: list[Note] = []
        if wager.dealer_verifies:
            notes.append((wager.dealer_verifies, "the dealer verifies that the hand wins"))
        if wager.light:
            notes.append((wager.light, "the dealer verifies that the right light of the progressive system is lit"))
        if wager.verify_from is not None:
            most = max(row.odds.for_one for row in rows)
            if most >= wager.verify_from or any(row.odds.progressive for row in rows):
                notes.append((wager.verify_clause, "a floorperson or above verifies the payout"))
        if wager.electronic:
            notes.append((wager.electronic, "credited to the player's game account"))
        if wager.gathered and not any(row.odds.kind in self._returning for row in rows):
            notes.append((wager.gathered, "the wager was put into the tray before the deal and stays there"))
        return tuple(notes)
