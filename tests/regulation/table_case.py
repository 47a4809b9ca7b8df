"""Short histories with lines of a table record, one clause each: two positions with 18 and 19, the dealer with 17."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from shoetool.model.protocol_table import Finish, Game, ShoeKind
from shoetool.round_file.file import FORMAT, each_record
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.verify import Finding, Report, verify
from shoetool.verify.table_record import Lines, TableJudge
from short_shoe import Short
from wagers_offered import offering

NAMES = {Game.BLACKJACK: "blackjack", Game.FREE_BET: "free_bet", Game.SPANISH_21: "spanish_21"}
GAMES = tuple(NAMES)
READER = 64


def rules_of(game: Game = Game.BLACKJACK, *sides: str, decks: int = 6, **changes: Any) -> RulesSubmission:
    """A table of the game that offers these optional wagers."""
    return offering(RulesSubmission.default(NAMES[game], decks, **changes), *sides)


def seat(position: int, *decisions: str, wager: str = "10.00", **more: Any) -> dict[str, Any]:
    """One position of a line."""
    return {"position": position, "wager": wager, "decisions": list(decisions), **more}


def line(number: int, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The line of round `number`; without seats that of `usual_round`."""
    positions = seats or (seat(1, "stand"), seat(2, "stand"))
    return {"history": {"round": number}, "positions": list(positions), **more}


def event(name: str, position: int | None = None, wager: str | None = None, **more: Any) -> dict[str, Any]:
    """One event of a line."""
    found = {"event": name, "position": position, "wager": wager, **more}
    return {key: value for key, value in found.items() if value is not None}


def usual_round(s: Short, batch: int | None = None) -> None:
    """Positions 1 and 2 stand on 18 and 19 against the dealer's 17."""
    s.start(1, 2)
    for box, card in ((1, "KC"), (2, "9C")):
        s.card(0, box, card, batch=batch)  # type: ignore[arg-type]
    s.card(1, 0, "7C", batch=batch)  # type: ignore[arg-type]
    for box, card in ((1, "8C"), (2, "KD")):
        s.card(0, box, card, batch=batch)  # type: ignore[arg-type]
    s.hole("KH")
    s.stand(1, 2)
    s.reveal()
    s.close(17)


def next_shoe(s: Short, why: Finish = Finish.DAY_END, batch: int = 1) -> None:
    """Close the shoe and open another one, of this batch; its rounds are counted from 1."""
    s.add("finished", 0, why, s.s.totals()[1])
    s.end(why)
    s.round = 0
    s.add("shoe_opened", s.game, s.kind, s.decks, batch, 2, s.color, 7, s.options, 1)
    s.load(0)


def judge(lines: Iterable[dict[str, Any]], rules: RulesSubmission) -> TableJudge:
    """A judge of these lines; the first one gets the format."""
    texts = [json.dumps({**({"format": FORMAT} if at == 0 else {}), **one}) for at, one in enumerate(lines)]
    return TableJudge(Lines(each_record(texts, "record")), rules)


def report(s: Short, lines: Iterable[dict[str, Any]], rules: RulesSubmission) -> Report:
    """What `verify` says of the history with these lines."""
    return verify(s.s.records, judge(lines, rules))


def findings(s: Short, lines: Iterable[dict[str, Any]], rules: RulesSubmission) -> list[Finding]:
    """What the checks of the table record found, without those of the shoe alone."""
    return [found for found in report(s, lines, rules).findings if found.check.startswith("table ")]


def of_each_game(*clauses: str) -> Any:
    """Run a test in each game; `clauses` are those of its own chapters, in the order of the games."""
    return pytest.mark.parametrize(
        ("game", "clause"),
        [
            pytest.param(game, clause, id=game.name.lower(), marks=pytest.mark.clause(clause))
            for game, clause in zip(GAMES, clauses, strict=True)
        ],
    )


def shoe_with(
    game: Game, *events: dict[str, Any], second: list[dict[str, Any]] | None = None, **changes: Any
) -> list[Any]:
    """Findings of a shoe of one round with these events before it, and of a second shoe if `second` is given."""
    s = Short(game)
    usual_round(s)
    lines = [line(1, events=list(events))]
    if second is not None:
        next_shoe(s)
        usual_round(s)
        lines.append(line(1, events=second))
    s.end()
    return findings(s, lines, rules_of(game, **changes))


__all__ = ["Finish", "Game", "ShoeKind", "Short"]
